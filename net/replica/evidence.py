"""What proves to anybody that a terminal has played false: a signed post nobody honest makes; pure.

A post is judged where it was refused: after the posts that its signature covers, and others that
were entered since. No order in which a host enters posts makes an honest one false: what comes too
late is `Late`, and no foul. It is judged with the eyes of somebody who only looks on, so that it
proves the same to everybody.
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
    """Return what comes to light with a post after all that is in the ledger, None if nothing does.

    It may be false itself, or what another terminal posted before and is looked at now that all is
    there. Nothing is proved by a post that its author has not signed, or that is no more than late.
    """
    if post.author >= len(ledger.roster.terminals) or not apply.is_signed(ledger, post):
        return None
    try:
        apply.enter(ledger, post, is_checked=True)
    except Foul as foul:
        return foul
    except KumiteError:
        return None
    return None


def found(
    records: Iterable[Record], group: Group = ED25519
) -> tuple[tuple[Post, Foul | None], ...]:
    """Return the posts that were refused, each with what is proved by it.

    Raises:
        KumiteError: the records are not those of a match, or no honest program kept them.
    """
    kept, ledger = tuple(records), None
    if not any(isinstance(one, Evidence) for one in kept):
        return ()
    proved: list[tuple[Post, Foul | None]] = []
    for record in kept:
        match record:
            case MatchStart(roster, _):
                ledger = apply.begin(roster, None, b"", group)
            case Post() if ledger is not None:
                ledger = apply.enter(ledger, record)
            case Evidence(post) if ledger is not None:
                proved.append((post, foul_of(ledger, post)))
    return tuple(proved)
