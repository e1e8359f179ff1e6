"""A house: guests come in over ssh and play, each in a process of their own (`kumite serve`).

May import store and core, and of net what listens; asyncssh, of the extra `serve`, is imported by
ssh.py alone. Begin in visit.py, which follows a guest from the door to the end. house.py counts who
is there, guests.py keeps their folders, process.py runs one guest's app, inside.py is what its
process does first.
"""
