"""From scenes to what is written: boards in lines, SVG, and the painter of the terminal.

May import core, tui.scenes and tui.look; Textual only in painter.py, which writes to the terminal
nothing but the cells that changed. Begin there.
"""
