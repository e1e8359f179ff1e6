"""`kumite arena`: matches between bots on all cores, and their ratings.

schedule   which bot has which seat in match n    playing   one match, reproducible
results    the results file, for resuming runs    pool      parallel matches, local or on a cluster
rating     Elo and intervals from results         report    tables and JSON
"""
