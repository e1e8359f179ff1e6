"""Cryptography, without a network and without a match: pure functions and values.

keys.py derives and signs; boxes.py seals what one terminal alone may read; pairing.py makes a key
of a spoken code; channel.py seals frames; words.py is the word list. mental_poker.py has
commitments and coins, and says at its top what all this relies on; sealed_deck.py deals cards
without a dealer, in a group (groups.py), and shuffle_proof.py and lock_proof.py prove each pass
over the deck, in a transcript (transcript.py); unproved_deck.py reads the decks of old matches.
wills.py shares a terminal's secrets with the others. It imports core and wire; libraries are loaded
when used. Begin with mental_poker.py, then sealed_deck.py.
"""
