"""Bots at Kuzushi: game.py is the game once more on plain integers, model.py how it is searched.

They import core.bots.base, core.bots.search and the game; a test holds game.py against the rules.
kernel.py and ending.py are the same on arrays, for a compiler; compiled.py searches with them.
Begin reading with `KuzushiGame`, then `think`.
"""
