"""The match as the sum of signed posts: each terminal adds them up to the same ledger; pure.

ledger.py is the state, apply.py what a post does to it, dealing.py how chance and secrets come
about, showing.py how hidden choices come to light, due.py what a terminal owes, evidence.py the
proof that a post was false, claims.py what is only said, audit.py the proof at the end, roster.py
who sits where with which keys, records.py what is kept of it all, history.py the chain of hashes.
declaring.py says who is gone for good, inheritance.py what they have left, standing_in.py plays on.
It imports core, wire and crypto. Begin with ledger.py, then apply.py.
"""
