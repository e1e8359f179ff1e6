"""Bots at Kuzushi: model.py is the game once more on plain integers, for UCT with many playouts.

It imports core.bots.base, core.bots.search and the game; a test holds it against the rules. Begin
reading with `KuzushiGame`, then `think`.
"""
