"""That terminals are gone for good, by the word of all others: when it can be said; pure.

It is an offer like others (`posts.GONE`), to which all must agree but those who are meant. They can
only be away: who posts anything while it stands is there, and a terminal that is there says so by
itself (due.py). For how long they have been away, the others judge by their own clocks
(session/presence.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.gone import WAIT
from kumite.core.log import End
from kumite.net.crypto import wills
from kumite.net.replica import inheritance
from kumite.net.replica.copying import changed
from kumite.net.wire import fields

if TYPE_CHECKING:
    from kumite.net.replica.ledger import Ledger


def meant(number: int) -> frozenset[int]:
    """Return the terminals that an offer says are gone."""
    return frozenset(one for one in range(fields.MAX_SEATS) if number >> one & 1)


def why_not(ledger: Ledger, author: int, number: int) -> str:
    """Say why these terminals cannot be said to be gone, as far as posts tell; empty if they can.

    A match goes on among two at the least, and with shares of at least as many as are needed.
    """
    who, roster = meant(number), ledger.roster
    if roster.gone == WAIT:
        return "at this table all wait for whoever is away"
    if ledger.is_over and (ledger.is_signed and all(ledger.reveals)):
        return "the match is over"
    if not who or number >> len(roster.terminals) or author in who:
        return "only others can be gone"
    if ledger.host in who and not roster.is_carried_on:
        return "without the host there is no table"
    if any(ledger.is_gone(one) or one not in roster.players for one in who):
        return "they are gone already"
    left = len(ledger.here) - len(who)
    if left < 2:
        return "it takes two at the least to say so; the match is kept for later"
    if not roster.has_wills:
        return ""
    if ledger.is_sharing:
        return "not all have left their shares yet"
    known = len(ledger.gone) - len(inheritance.owed(ledger))  # their shares of others, too
    if left + known < wills.threshold(len(roster.terminals)):
        return "too many are away: nobody can put together what they have left"
    return ""


def declared(ledger: Ledger, author: int, who: frozenset[int]) -> Ledger:
    """Note who is gone for good, by the word of all others; where they forfeit, the match ends.

    If that is the host, the terminal that has said so first is the host from now on: the posts
    that say so have gone through it already.
    """
    at = ledger.entered + 1
    if ledger.host in who:
        ledger = changed(ledger, host=author)
    ledger = changed(ledger, gone=(*ledger.gone, *((one, at) for one in sorted(who))))
    if ledger.roster.has_wills or ledger.is_over:
        return ledger
    seats = tuple(sorted(seat for one in who for seat in ledger.seats_of(one)))
    return changed(ledger, end=End("gone", seats))
