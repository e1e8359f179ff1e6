"""A tournament on the LAN as two pure state machines: its organiser's, and a player's.

Both are `(state, input, now) -> (state, effects)` like a session of a table, and use the same
connections, handshakes and codes: their `door` is a session at which no match is played. Each match
of a round is played at a table of its own, by peers of its two players.

board.py is what all see, judging.py what counts as a result; organiser.py and guest.py react. It
imports core and the floors below. Begin with board.py.
"""
