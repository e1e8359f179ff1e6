"""Widgets draw scenes and report what was chosen; they hold no state of a game, and no rules.

All are Painted: lines of text in roles. bindings.py has the keys that several share, field.py lays
out board, picture and tray. May import tui.scenes, tui.drawing, tui.look and tui/shell.py. Begin
with painted.py, then board.py.
"""
