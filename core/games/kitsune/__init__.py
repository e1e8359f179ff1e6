"""Kitsune: rules, components and text.

rules.py lists and applies the legal steps; state.py has cards, tokens, steps and the position;
why.py explains illegal steps; text.py reads, writes and checks positions. All import core. state.py
imports none of the others, and none of them imports rules.py. Begin with rules.py, alongside
docs/rules/kitsune.md.
"""
