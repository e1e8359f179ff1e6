"""Saved matches in other forms: text, a picture, a page, a recording, data.

All of them show a `Replay`, so none says more than the eyes that it was made for may see. May
import core, tui.scenes, tui.look, tui.drawing and tui.play; Textual only in cast.py. Begin in
sheet.py, which lays out one position.
"""
