"""Development tools that are not shipped, such as the Kiri-ai solver and the README's pictures.

Modules here may import every package; no package imports them. busy_server.py measures a server
full of guests. Begin in solve_kiriai.py or pictures.py.
"""
