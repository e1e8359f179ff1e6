"""Tournaments: pairings, rounds and standings, as pure values and functions.

tournament.py defines the tournament and ranks its players, pairing.py makes the next round. This
package imports only core. Begin with tournament.py.
"""
