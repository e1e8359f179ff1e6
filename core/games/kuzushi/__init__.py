"""Kuzushi, the simplest game: rules.py has all of it (position, steps, scores, text and bytes).

It imports only core. Read it alongside docs/rules/kuzushi.md to learn how a game is made.
"""
