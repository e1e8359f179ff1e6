"""Bots at Kitsune: worlds.py deals the hidden cards as they may lie, model.py searches over them.

They import core.bots.base, core.bots.search and the game. Begin reading with model.py; what a seat
can know of the other hands is in worlds.py, what a position is worth in worth.py. kernel.py and
tricks.py have the rules on arrays, dealt.py the worlds, for a compiler; compiled.py searches with
them.
"""
