"""Bots beside the app: the process in which they think, and their judgement of positions.

service.py asks the bots, worker.py is their process, and protocol.py defines the messages between
them; programs.py handles commands of users' own bots. advice.py and evaluation.py turn results into
words and curves, and review.py computes what the choices of a match cost. May import core, store,
tui.scenes, tui.drawing and tui.look, but not Textual. Begin with service.py.
"""
