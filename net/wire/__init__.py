"""What crosses the wire, and nothing about what it means: pure data, checked, limits first.

fields.py says what a value may be and makes bytes of messages, framing.py cuts bytes into frames,
messages.py is what two terminals say to each other, posts.py what all put on the table. It imports
core alone. Begin with posts.py, then messages.py.
"""
