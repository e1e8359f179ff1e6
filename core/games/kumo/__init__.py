"""Kumo Hogosha: state.py has the arena and the position, needs.py says which steps are legal.

rules.py makes the steps; listing.py and tables.py list them by their needs, notation.py reads and
writes them, text.py is a position as text. All import core; state.py imports none of the others,
and nothing imports rules.py here. Begin with rules.py, beside docs/rules/kumo.md; then needs.py.
"""
