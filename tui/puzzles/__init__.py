"""Puzzles: positions with one best turn, and the answer proved; a line of text each.

The shipped ones lie beside this as `NAME.txt`, made by `python -m kumite.tools.make_puzzles`. May
import core, store and tui.scenes, no Textual. Begin in model.py, which says what a puzzle is;
making.py finds them in matches, telling.py says them in words, own.py keeps those of one's own.
"""
