"""Tournaments: who meets whom in each round, and who stands where; pure.

event.py is a tournament as a value, pairing.py makes its next round, standing.py counts. Imports
nothing but core. Begin with event.py.
"""
