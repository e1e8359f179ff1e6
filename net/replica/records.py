"""The records from which a terminal can resume a match and prove what happened in it; pure.

They are kept in this order: `Credentials`, the host's tickets, `MatchStart`, then all others.
net/transport/journal.py writes them to a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

from kumite.net.wire import fields, posts
from kumite.net.wire.fields import Frozen, Shape, blob, many, or_none
from kumite.net.wire.messages import Stop

if TYPE_CHECKING:
    from kumite.net.replica.roster import Roster

Terminal: TypeAlias = Annotated[int | None, or_none(fields.seat)]


class Own(Frozen):
    """A hidden choice made here, in full, with the salts that open its commitments."""

    step: fields.AStep
    commitments: Annotated[tuple[bytes, ...], many(blob(fields.COMMITMENT), fields.MAX_DECK)]
    salts: Annotated[tuple[bytes, ...], many(blob(fields.SALT), fields.MAX_DECK)]


class Credentials(Frozen):
    """The data with which this terminal returns to a table.

    `ticket` is its number at the table, and `key` proves its identity. The file of each match
    begins with a record of this kind, which holds the seed of the match.
    """

    table_id: fields.MatchId  # the id of the first match at this table
    match_id: fields.MatchId
    ticket: fields.Index  # 0 for the host
    key: Annotated[bytes, blob(0, 64)]  # b"" for the host
    seed: fields.Key
    is_open: fields.Truth
    name: fields.Name = ""
    seats: fields.Seats = ()  # none for a spectator
    has_watchers: fields.Truth = True  # host: whether spectators are allowed
    is_listed: fields.Truth = True  # host: whether the table is announced on the LAN


class MatchStart(Frozen):
    """The beginning of a match; `me` is our number in the roster, None for a spectator."""

    roster: Roster
    me: int | None


class Ticket(Frozen):
    """The right of a terminal to return by proving that it has this key (host's file).

    `terminal` is None for a spectator.
    """

    number: fields.Index
    terminal: Terminal
    key: Annotated[bytes, blob(0, 64)]
    name: fields.Name = ""  # of a spectator; the roster has the players' names


class Secret(Frozen):
    """A hidden choice made here, kept before it is sent."""

    play: Annotated[posts.Play, Shape(posts.Play)]
    own: Annotated[Own, Shape(Own)]


class Placed(Frozen):
    """A post with its place in the match's list, from 1, as it is written.

    Read back, posts have none, but for those after lost ones: they count once others have returned
    those.
    """

    place: fields.Count
    post: posts.APost


class Evidence(Frozen):
    """A refused post, whose signature proves that a terminal cheated."""

    post: posts.APost


class Claim(Frozen):
    """Another terminal's signed reason for stopping the match; it proves nothing else."""

    stop: Annotated[Stop, Shape(Stop)]


Record: TypeAlias = (
    Credentials | Ticket | MatchStart | Secret | posts.Post | Placed | Evidence | Claim
)
