"""Widgets draw scenes and report what was chosen; they hold no state of a game."""
