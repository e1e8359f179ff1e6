"""Kuzushi: all of it is in rules.py, the shortest game: position, steps, scores, text and bytes.

It imports core alone. Begin there, beside docs/rules/kuzushi.md; who wants to know how a game is
made begins with this one.
"""
