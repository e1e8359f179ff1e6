"""Puzzles: positions with one best turn and a proved answer, one line of text each.

The shipped ones are `NAME.txt` here, made by `python -m kumite.tools.make_puzzles`. May import
core, store and tui.scenes, but not Textual. Begin in model.py. making.py finds puzzles in matches
and words them, using the module `puzzles` of a game's folder; turns.py serves games of long turns;
own.py keeps the player's own.
"""
