"""Puzzles of Kumo Hogosha: those common to games with long turns, for two players."""

from kumite.tui.puzzles.turns import PUZZLES

__all__ = ["PUZZLES"]
