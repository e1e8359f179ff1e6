"""A house: guests come in and play, each in a process of their own (`kumite serve`).

May import store and core, and of net what listens. Of the extra `serve` asyncssh is imported by
ssh.py alone, aiohttp by web.py and browser.py, segno by picture.py; files.py reads what
textual-serve brings. Begin in visit.py, which follows a guest from the door to the end. house.py
counts who is there, guests.py keeps their folders, process.py runs one guest's app, inside.py is
what its process does first, porter.py lends it what it needs of the network. ssh.py and web.py are
the doors; page/ is what browsers get. turns.py says whose bots may think, waits.py who has guessed
too often.
"""
