"""Searches that know no game; each begins with a protocol that says what it asks of one.

uct.py: games without secrets; ismcts.py: games with secrets, over many worlds; turns.py: games
whose turns are many steps; hunt.py: a win within such a turn; plain.py: UCT over the rules
themselves, for a game without a model; tree.py, worldtree.py and stream.py: the trees of uct.py and
ismcts.py and their draws on arrays, for loops that can be compiled. They import core.bots.base,
core.bots.fast and the standard library. Begin reading with uct.py.
"""
