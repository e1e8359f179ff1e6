"""Searches that know no game; each begins with a protocol that says what it asks of one.

uct.py: games without secrets; ismcts.py: games with secrets, over many worlds; turns.py: games
whose turns are many steps; hunt.py: a win within such a turn; plain.py: UCT over the rules
themselves, for a game without a model. For loops that can be compiled, on arrays: tree.py and
worldtree.py are the trees of uct.py and ismcts.py, ways.py what beams and hunts of a turn keep,
compiled.py their search, stream.py the draws. They import core.bots.base, core.bots.fast and the
standard library. Begin reading with uct.py.
"""
