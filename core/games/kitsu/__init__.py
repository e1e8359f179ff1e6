"""Kitsu!: rules, board and position.

rules.py has the rules; board.py has squares and seasons; position.py has the position, its text and
bytes. All import core. board.py imports none of the others, and none of them imports rules.py.
Begin with rules.py, alongside docs/rules/kitsu.md.
"""
