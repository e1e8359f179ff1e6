"""Line mode: tables and replays as dialogues, for screen readers and simple terminals.

console.py reads and prints lines, and has the base of all dialogues; words.py has the texts (pure
functions). table.py, lan.py, lobby.py, tournament.py and replay.py are dialogues over the same
models that the screens use. May import core, store, net and everything below `screens`; Textual
only through `tui.play.lan_table`. Begin with `PlainTable` in table.py.
"""
