"""What touches the world, and decides nothing: sockets, a thread, files, discovery.

running.py runs a session in a thread of its own and does its effects, on connections.py. peer.py
is one at a table, with files.py (log and journal.py); hall_peer.py one in the hall of a tournament,
with hall_files.py. discovery.py and announcer.py find and announce tables, beacons.py a match whose
host has moved; addresses.py knows this computer's own. ways.py leads all of them out: to sockets.py
and discovery.py, or for a guest of a house to errands.py, which asks it by wishes.py. It imports
core, store and all of net. Begin with peer.py.
"""
