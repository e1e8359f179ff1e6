"""Line mode: tables and replays as a talk, for screen readers and terminals without a screen.

console.py reads and prints lines, words.py says what there is to say (pure), and table.py, lan.py,
lobby.py and replay.py are loops over the same tables and replays that the screens use. May import
core, store, net and what stands below `screens`; Textual only through `tui.play.lan_table`. Begin
with `Desk` in table.py.
"""
