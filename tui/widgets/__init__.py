"""Widgets draw scenes and report choices; they know no game state and no rules.

All derive from Painted: lines of text in roles. bindings.py has shared keys, field.py lays out
board, picture and tray. May import tui.scenes, tui.drawing, tui.look and tui/shell.py. Begin with
painted.py, then board.py.
"""
