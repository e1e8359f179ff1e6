"""Kumo Hogosha: rules and legality.

rules.py applies steps; state.py has the arena, the position, and the notation of both; legality.py
defines which steps are legal. All import core. Begin with rules.py, alongside docs/rules/kumo.md,
then legality.py.
"""
