"""Kitsune: state.py has cards, tokens, steps and the position, rules.py says what may be done.

rules.py lists the legal steps, why.py has the words for any other; text.py is a position as text
and bytes, consistency.py what it cannot be. All import core; state.py imports none of the others,
and nothing imports rules.py here. Begin with rules.py, beside docs/rules/kitsune.md.
"""
