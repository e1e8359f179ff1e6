"""Cryptography, without a network and without a match: pure functions and values.

keys.py derives, signs and boxes; pairing.py makes a key of a spoken code; channel.py seals frames;
mental_poker.py has commitments, coins and cards without a dealer, and says at its top what all this
relies on; words.py is the word list. It imports core and wire; libraries are loaded when used.
Begin with mental_poker.py.
"""
