"""The format of messages: pure data, checked on receipt, size limits first.

fields.py checks values and encodes messages, framing.py splits bytes into frames, messages.py has
the messages between two terminals, tournament.py those of a tournament, posts.py the signed posts
of a match. Imports core alone. Begin with posts.py, then messages.py.
"""
