"""What a terminal says of why it stops, signed: no more than that it says so; pure.

`Stop` stands outside the list of posts: it can be said when nothing can be entered any more. What
has been proved is in evidence.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.core.codec import encode
from kumite.net.crypto import keys
from kumite.net.replica.records import Claim
from kumite.net.wire.messages import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kumite.net.crypto.keys import Signer
    from kumite.net.replica.ledger import Ledger
    from kumite.net.replica.records import Record
    from kumite.net.wire.posts import Post


OWN_TROUBLE: Final = {  # what a terminal says of itself: the others may go on without it
    codes.DISK_FULL: "The disk of {who} is full",
    codes.LOG_FILE: "The kumite of {who} cannot save any longer",
}
OF_DISKS: Final = (*OWN_TROUBLE, codes.HOST_BEHIND)  # who says so may have lost posts of its own


def signed(ledger: Ledger, signer: Signer, number: int, code: str, text: str, blamed: int) -> Stop:
    """Return why we stop, signed; `blamed`: which terminal is to blame, WATCHER if none is."""
    assert ledger.me is not None
    stop = Stop(ledger.me, ledger.entered, number, code, text, blamed, bytes(64))
    signature = signer.sign(_signed_bytes(ledger.roster.match_id, stop))
    return Stop(ledger.me, ledger.entered, number, code, text, blamed, signature)


def is_signed(ledger: Ledger, posts: Sequence[Post], stop: Stop) -> bool:
    """Return whether its author has said so, and not before what they have posted last.

    That is asked so that nobody passes on once more what was said long ago; a terminal that speaks
    of its disk may have lost what it has posted.
    """
    if stop.author >= len(ledger.roster.terminals):
        return False
    own = (one.seen for one in reversed(posts) if one.author == stop.author)
    latest = 0 if stop.code in OF_DISKS else next(own, 0)
    public = ledger.roster.terminals[stop.author].verify_key
    said = _signed_bytes(ledger.roster.match_id, stop)
    return stop.entered >= latest and keys.is_signed(public, said, stop.signature)


def _signed_bytes(match_id: str, stop: Stop) -> bytes:
    how = (stop.entered, stop.number, stop.code, stop.text, stop.terminal)
    return encode(("kumite stop", match_id, stop.author, *how))


def found(ledger: Ledger, records: Iterable[Record]) -> tuple[Stop, ...]:
    """Return what others have said of why they stopped, as far as they have signed it."""
    said = (one.stop for one in records if isinstance(one, Claim))
    return tuple(dict.fromkeys(one for one in said if is_signed(ledger, (), one)))


def told(ledger: Ledger, stop: Stop) -> str:
    """Return in words who says what."""
    who, blamed = ledger.roster.who(stop.author), ""
    if 0 <= stop.terminal < len(ledger.roster.terminals) and stop.terminal != stop.author:
        blamed = "we have" if stop.terminal == ledger.me else ledger.roster.who(stop.terminal)
        blamed += " played false" if stop.terminal == ledger.me else " has played false"
    text = f" ({stop.text})" if stop.text else ""
    if stop.code in OWN_TROUBLE:
        return f"{OWN_TROUBLE[stop.code].format(who=who)}; the match is kept up to here"
    return f"{who} says that {blamed}{text}" if blamed else f"{who} has stopped the match{text}"
