"""I/O without decisions: sockets, a thread, files, discovery.

running.py runs a session in its own thread and executes its effects, on connections.py. peer.py
is a terminal at a table with its files (the log, and journal.py); tournament_peer.py one in a
tournament, with tournament_files.py. discovery.py and announcer.py find and announce tables,
beacons.py a match whose host has moved; addresses.py knows this computer's addresses. network.py
connects, listens and discovers for all of them: through sockets.py and discovery.py, or for a
server's guest through broker.py. Imports core, store and all of net. Begin with peer.py.
"""
