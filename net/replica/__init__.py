"""The match as replicated from signed posts: each terminal computes the same ledger; pure.

Begin with ledger.py, the state, then apply.py, the effect of each post, and offers.py, to which all
have to agree. dealing.py handles chance and hidden information, due.py the posts that a terminal
owes, absent.py terminals that are permanently gone and shares of their keys. audit.py checks the
whole match at its end, and verifies proofs of cheating and other claims. roster.py has the
terminals with their seats and keys, records.py the records that are kept.
The package imports core, wire and crypto.
"""
