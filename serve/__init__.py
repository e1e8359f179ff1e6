"""The server for guests (`kumite serve`), who each play in a process of their own.

Begin with sessions.py, which follows a guest from connection to end. ssh.py and web.py accept
connections; page/ is sent to browsers; terminal.py is a guest's terminal over either. accounts.py
has their folders. process.py runs a guest's app: sandbox.py restricts its process first, seccomp.py
lists the system calls allowed, cgroups.py limits a whole session, broker.py gives it the network,
lan.py does mDNS for all. bot_queue.py schedules the bots. limits.py has rate limits and counters.

It may import store, core and the listening parts of net. Of the extra `serve`, only ssh.py imports
asyncssh, web.py and websocket.py aiohttp, server.py segno; web.py reads files of textual-serve.
"""
