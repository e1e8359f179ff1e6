"""Saved matches in other formats: text, picture, page, recording, data.

All show a `Replay`, so none reveals more than its view. May import core, tui.scenes, tui.look,
tui.drawing and tui.play; Textual only in cast.py. Begin in sheet.py, which lays out one position.
"""
