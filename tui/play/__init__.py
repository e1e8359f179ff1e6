"""Tables without a screen: seats, matches and their description in words.

local_seats.py has what all tables share, local_table.py matches on one computer, lan_table.py
LAN matches. table_model.py models what players see and do at a table, and table_words.py puts
it into words; replaying.py picks the position and the view of a log to show. May import core,
store, net, tui.bots, tui.scenes, tui.drawing and tui.look; Textual only for the message in
lan_table.py. Begin with table_model.py.
"""
