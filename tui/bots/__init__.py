"""Bots beside the app: the process in which they think, and what they say of positions.

service.py asks them, worker.py is their process, protocol.py what is said between the two;
programs.py are the commands of players' own programs. advice.py and evaluation.py put what was
thought into words and curves, review.py says what the choices of a match have cost. May import
core, store, tui.scenes, tui.drawing and tui.look, no Textual. Begin with service.py.
"""
