"""What is run by hand and not shipped: the solver of Kiri-ai, the pictures of the README.

May import every room; no room imports it. Begin in solve_kiriai.py or pictures.py.
"""
