"""Bots at Kitsu!: model.py values a position and has the turn search look at whole turns.

It imports core.bots.base, core.bots.search and the game. Begin reading with `worth` in model.py,
which says what a clan's captures and pieces are worth.
"""
