"""A table on the LAN: five floors, each a folder, each importing only from those below it.

               a frame comes in ▼                       ▲ and others go out
    transport  connections.py reads bytes               connections.py writes bytes
               running.py feeds them to the session     running.py does the effects, in order
    session    links.py cuts and opens the frame        state.py seals it: `Reaction.send`
               playing.py asks what message it is      replication.py saves it, and passes it on
    replica    apply.py judges the post in it     ▶──▶  ledger.py is the match after it
    crypto     channel.py opens, keys.py verifies       keys.py signs, channel.py seals
    wire       framing.py, messages.py, posts.py        posts.py, messages.py, framing.py

In calls: `Connections._read` → `Running._feed` → `session.react` → `links.take` →
`Opener.feed` → `SEALED.unpack` → `playing.host_hears` → `replication.enter` → `apply.enter` →
`Match.play`; what people here do comes in through `Peer` and playing.py, and meets it in
`replication`.

Messages, posts, records, events and states are values: frozen dataclasses by their base `Frozen`
(wire/fields.py), and those on the wire name the check of each field in its type.

Only transport knows sockets, threads and files; everything else is pure, and takes the time as an
argument. Net imports core; transport imports store, too. Begin with wire/posts.py: a match is the
sum of its posts. tournament/, between transport and session, has the machines of a tournament's
host and its players, whose matches are played at such tables.
"""
