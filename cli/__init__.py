"""The command line: one module for a kind of command, and what only the command line has.

May import every room below; Textual only late, so that what needs no screen answers at once.
Begin in main.py; the commands: play.py, lan.py, looking_back.py, text.py, log_commands.py. What
prints: printing.py. For programs: engine.py. Bots against bots: arena/. Speed: bench/.
"""
