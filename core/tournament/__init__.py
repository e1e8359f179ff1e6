"""Tournaments: pairings, rounds and standings, as pure values and functions.

tournament.py defines the tournament, pairing.py makes the next round, standings.py ranks the
players. This package imports only core. Begin with tournament.py.
"""
