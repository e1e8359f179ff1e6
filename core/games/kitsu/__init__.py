"""Kitsu!: board.py has squares and seasons, position.py what stands there, with its text and bytes.

rules.py says what may be done. All import core; board.py imports none of the others, and nothing
imports rules.py here. Begin with rules.py, beside docs/rules/kitsu.md.
"""
