"""Drawing: from scenes to lines of text in roles; pure.

May import core, tui.scenes and tui.look. Begin in grid.py, which draws boards.
"""
