"""The protocol of one terminal at a LAN table, as a pure state machine.

Start with session.py: `(session, input, now) -> (session, effects)`. It creates sessions and
passes each input to the module that handles it. events.py defines inputs, events and effects,
state.py the state:

    playing              in the match: local commands, and messages from other terminals
    links                framing, silence and disconnects
    joining              before the match, for joiners
    lobby                before the match, for the host
    handshake            greetings and codes
    succession           another terminal takes over from a host that is permanently gone
    replication          posts: sign, enter, pass on, recover, compare
    clocks               presence of terminals, and running clocks
    reporting            events and log lines for each post, and for the end of a match

Events carry codes and fields; tui/play/network_words.py turns them into text. Apart from
session.py, no module imports one that is listed above it. The package imports only core and the
lower layers of net.
"""
