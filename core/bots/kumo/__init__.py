"""Bots at Kumo Hogosha: worth.py values a position, model.py searches whole turns with it.

They import core.bots.base, core.bots.search and the game. Begin reading with model.py; how many
actions a push out is away is counted in worth.py.
"""
