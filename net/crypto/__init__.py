"""Cryptography: keys, pairing by a code, sealed frames, dealing without a dealer; pure."""
