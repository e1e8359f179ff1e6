"""Bots at Kitsune: worlds.py deals the hidden cards as they may lie, model.py searches over them.

They import core.bots.base, core.bots.search and the game. Begin reading with model.py; what a seat
can know of the other hands is in worlds.py.
"""
