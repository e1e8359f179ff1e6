"""The appearance of things on screen: glyphs (glyphs.py), roles (roles.py), colours (colors.py).

May import core and store; Textual only in theme.py, which passes it the colours of colors.py.
Begin in roles.py.
"""
