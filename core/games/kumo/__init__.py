"""Kumo Hogosha: rules and legality.

rules.py applies steps; state.py has the arena, the position, and the notation of both; legality.py
defines which steps are legal, and listing.py lists them. All import core. state.py imports none of
the others, and none of them imports rules.py. Begin with rules.py, alongside docs/rules/kumo.md,
then legality.py.
"""
