"""Bots at Kumo Hogosha: worth.py values a position, model.py searches whole turns with it.

They import core.bots.base, core.bots.search and the game. Begin reading with model.py; how many
actions a push out is away is counted in worth.py, and in reach.py whether the turn can win.
For a compiler kernel.py has the rules on arrays, listing.py the moves, near.py what worth.py says,
wins.py what reach.py does, ways.py the loops; core/bots/search/compiled.py searches with them.
"""
