"""What a thing on the screen looks like: its glyph (glyphs.py), its role (roles.py), its colour.

May import core; Textual only in theme.py, which hands it the colours of colors.py. Begin in
roles.py.
"""
