"""What proves to anybody that a terminal has played false: a signed post nobody honest makes; pure.

A post is judged by what its author knew when they made it: after the posts that its signature
covers, and before any that others, or a host who puts posts in order, have entered since. And it is
judged with the eyes of somebody who only looks on, so that it proves the same to everybody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.errors import KumiteError
from kumite.net.crypto.groups import ED25519
from kumite.net.replica import apply
from kumite.net.replica.ledger import Foul
from kumite.net.replica.records import Evidence, MatchStart
from kumite.net.wire.posts import Post

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kumite.net.crypto.groups import Group
    from kumite.net.replica.ledger import Ledger
    from kumite.net.replica.records import Record


def foul_of(ledger: Ledger, post: Post) -> Foul | None:
    """Return what is false about a post made after all that is in the ledger, None if nothing is.

    Nothing is proved by a post that its author has not signed, or that is no more than late.
    """
    is_known = post.author < len(ledger.roster.terminals) and post.seen == ledger.entered
    if not is_known or not apply.is_signed(ledger, post):
        return None
    try:
        apply.enter(ledger, post, is_checked=True)
    except Foul as foul:
        return foul if foul.terminal == post.author else None
    except KumiteError:
        return None
    return None


def found(
    records: Iterable[Record], group: Group = ED25519
) -> tuple[tuple[Post, Foul | None], ...]:
    """Return the posts that were refused, each with what is proved to be false about it.

    Raises:
        KumiteError: the records are not those of a match, or no honest program kept them.
    """
    kept = tuple(records)
    refused = [one.post for one in kept if isinstance(one, Evidence)]
    starts = [one.roster for one in kept if isinstance(one, MatchStart)]
    if not refused or not starts:
        return ()
    proved: dict[Post, Foul | None] = dict.fromkeys(refused)
    ledger = apply.begin(starts[-1], None, b"", group)
    for post in (*(one for one in kept if isinstance(one, Post)), None):
        for one in proved:
            proved[one] = proved[one] or foul_of(ledger, one)
        ledger = ledger if post is None else apply.enter(ledger, post)
    return tuple(proved.items())
