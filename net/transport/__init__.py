"""What touches the world, and decides nothing: sockets, a thread, files, discovery.

peer.py runs a session in a thread of its own and does its effects, on connections.py (over
sockets.py) and files.py (log and journal.py); discovery.py and announcer.py find and announce
tables, beacons.py a match whose host has moved; addresses.py knows this computer's own. It imports
core, store and all of net. Begin with peer.py.
"""
