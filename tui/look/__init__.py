"""Glyphs, roles and colours: what a thing on the screen looks like. No Textual."""
