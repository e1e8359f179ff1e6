"""Colours only: one file a theme, read by tui.theme."""
