"""Bots at Kitsu!: model.py values a position and has the turn search look at whole turns.

It imports core.bots.base, core.bots.search and the game. Begin reading with `worth` in worth.py,
which says what a clan's captures and pieces are worth; reach.py says how near a win is.
kernel.py has the rules on arrays, near.py worth and reach, ways.py the loops of the search, for a
compiler; core/bots/search/compiled.py searches with them.
"""
