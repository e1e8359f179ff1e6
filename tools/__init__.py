"""What is run by hand and not shipped: the solver of Kiri-ai, the pictures of the README.

busy_house.py measures a house full of guests. May import every room; no room imports it. Begin in
solve_kiriai.py or pictures.py.
"""
