"""Kumo Hogosha: state.py has the arena and the position, rules.py says what may be done.

why.py reads the texts of steps and says why one is refused, text.py is a position as text. All
import core; state.py imports none of the others, and nothing imports rules.py here. Begin with
rules.py, beside docs/rules/kumo.md.
"""
