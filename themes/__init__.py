"""Colours and nothing else: one file a theme, which gives every role of tui.look.roles its colour.

Imports nothing. tui.look.colors reads the files; dark.toml is the one to copy.
"""
