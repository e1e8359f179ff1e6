"""Tables without a screen: who sits where, what is played, how it is told.

local_seats.py has what all tables share, local_table.py those at one keyboard, lan_table.py those
on a LAN. viewpoint.py and replaying.py say which position is shown, to whom. May import core,
store, net, tui.bots, tui.scenes, tui.drawing and tui.look; Textual only for the message in
lan_table.py. Begin with the Protocol `Table` in local_table.py.
"""
