"""Kumo Hogosha: rules, legality, notation and text.

rules.py applies steps; state.py has the arena and the position; legality.py defines which steps are
legal; listing.py and tables.py list them; notation.py parses and formats steps; text.py reads and
writes positions. All import core. state.py imports none of the others, and none of them imports
rules.py. Begin with rules.py, alongside docs/rules/kumo.md, then legality.py.
"""
