"""Cryptography without a network or a match: pure functions and values.

keys.py derives keys and signs; boxes.py seals messages for one terminal; pairing.py makes a key
from a spoken code; channel.py seals frames; words.py is the word list. mental_poker.py has
commitments and coins, and states the security assumptions; sealed_deck.py deals cards without a
dealer, in a group (groups.py); shuffle_proof.py and lock_proof.py prove each pass over the deck, in
a transcript (transcript.py). key_shares.py shares a terminal's secrets among the others. Imports
core and wire; libraries are loaded on first use. Begin with mental_poker.py, then sealed_deck.py.
"""
