"""A tournament on the LAN as two pure state machines: the host's and a player's.

The host is the organiser of the app's texts.

Both are `(state, input, now) -> (state, effects)` like the session of a table, and share its
connections, handshakes and codes: their `door` is a session at which no match is played. The two
players of each pairing play at a LAN table of their own.

Begin with state.py, the data that is shared and kept; then machine.py, common to both machines,
host.py (which also counts results) and player.py. The package imports core and the lower layers of
net.
"""
