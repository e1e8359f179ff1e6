"""`kumite arena`: matches between bots on all cores, and their ratings.

playing    one match, reproducible, and which bot has which seat in match n
results    the results file, for resuming runs
report     tables and JSON, Elo and intervals from results
pool       parallel matches, local or on a cluster
"""
