"""Matches between bots, on all cores, and what they tell: `kumite arena`.

schedule   which bot sits where in match n        playing   one match, the same again each time
results    the file that a run goes on with       pool      many matches at once, near or far
rating     Elo and intervals from results         report    tables and JSON
"""
