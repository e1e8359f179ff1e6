"""Proofs of cheating that convince every terminal, and unproved claims; pure.

A `Stop` states, signed, why a terminal stops the match, and is no more than a claim. It is not a
post, since it must be possible when no more posts can be entered.

A proof is a signed post that no honest terminal makes. It is judged where it was refused: after the
posts that its signature covers, and others entered since. A host cannot incriminate an honest
terminal by the order in which it enters posts: a post that comes too late is `Late`, not `Foul`.
The point of view is a spectator's, so that a proof is the same for everybody.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.core.codec import encode
from kumite.core.errors import KumiteError
from kumite.net.crypto import keys
from kumite.net.crypto.groups import ED25519
from kumite.net.replica import apply
from kumite.net.replica.ledger import Foul
from kumite.net.replica.records import Claim, Evidence, MatchStart
from kumite.net.wire.messages import Stop
from kumite.net.wire.posts import Post

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kumite.net.crypto.groups import Group
    from kumite.net.crypto.keys import Signer
    from kumite.net.replica.ledger import Ledger
    from kumite.net.replica.records import Record

# --- Claims ------------------------------------------------------------------------------------


OWN_TROUBLE: Final = (codes.DISK_FULL, codes.LOG_FILE)
"""Problems of the terminal itself; the others may continue without it."""
OF_DISKS: Final = (*OWN_TROUBLE, codes.HOST_BEHIND)  # the author may have lost posts of its own


def signed(ledger: Ledger, signer: Signer, number: int, code: str, text: str, blamed: int) -> Stop:
    """Return our signed `Stop`; `blamed`: the terminal to blame, WATCHER if none."""
    assert ledger.me is not None
    history = ledger.posted.history[ledger.posted.entered]
    stop = Stop(ledger.me, ledger.posted.entered, history, number, code, text, blamed, b"")
    return replace(stop, signature=signer.sign(_signed_bytes(ledger.roster.match_id, stop)))


def is_signed(ledger: Ledger, posts: Sequence[Post], stop: Stop) -> bool:
    """Whether a claim is signed by its author, and no older than its author's last post.

    The second condition prevents replays of old claims. A terminal with disk problems is exempt, as
    it may have lost its own posts.
    """
    if stop.author >= len(ledger.roster.terminals):
        return False
    own = (one.seen for one in reversed(posts) if one.author == stop.author)
    latest = 0 if stop.code in OF_DISKS else next(own, 0)
    public = ledger.roster.terminals[stop.author].verify_key
    said = _signed_bytes(ledger.roster.match_id, stop)
    return stop.entered >= latest and keys.is_signed(public, said, stop.signature)


def is_of_another_match(ledger: Ledger, stop: Stop) -> bool:
    """Whether the claim's author had other posts than ours, as far as we can compare."""
    is_known = stop.code not in OF_DISKS and stop.entered <= ledger.posted.entered
    return is_known and stop.history != ledger.posted.history[stop.entered]


def _signed_bytes(match_id: str, stop: Stop) -> bytes:
    """Return the bytes that the signature covers: every field before it."""
    *said, _ = (getattr(stop, field.name) for field in fields(stop))
    return encode(("kumite stop", match_id, *said))


def claims_in(ledger: Ledger, records: Iterable[Record]) -> tuple[Stop, ...]:
    """Return the signed claims of other terminals why they stopped."""
    said = dict.fromkeys(one.stop for one in records if isinstance(one, Claim))
    ours = (one for one in said if not is_of_another_match(ledger, one))
    return tuple(one for one in ours if is_signed(ledger, (), one))


def blamed(ledger: Ledger, stop: Stop) -> int | None:
    is_known = 0 <= stop.terminal < len(ledger.roster.terminals) and stop.terminal != stop.author
    return stop.terminal if is_known and stop.code not in OWN_TROUBLE else None


# --- Proofs ------------------------------------------------------------------------------------


def foul_of(ledger: Ledger, post: Post) -> Foul | None:
    """Return the foul that a post proves, entered after all posts of the ledger; None if none.

    The post may be false itself, or expose an earlier one of another terminal. An unsigned post, or
    one that is merely late, proves nothing.
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


def proofs_in(
    records: Iterable[Record], group: Group = ED25519
) -> tuple[tuple[Post, Foul | None], ...]:
    """Return the refused posts among the records, each with the foul that it proves.

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
