"""`kumite arena`: matches between bots on all cores, and their ratings.

playing    one match, reproducible, and which bot has which seat in match n
results    the results file, for resuming runs
rating     Elo and intervals from results
report     tables and JSON
pool       parallel matches, local or on a cluster
"""
