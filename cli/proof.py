"""What proves how a LAN match was played: the audit in its log, and the signed posts beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.errors import BadSetup, KumiteError
from kumite.core.text import listed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from kumite.core.log import Log
    from kumite.net.replica.ledger import Ledger
    from kumite.net.replica.records import Record


def audited(path: Path, found: Log) -> tuple[tuple[str, ...], bool]:
    """Return what there is to say about the audit of a log, and whether nothing speaks against it.

    Matches without secrets, and those of one keyboard, need none.
    """
    said, is_fair = _from_posts(path, found)
    if said or found.header.by is None or found.match.game.SECRETS is None:
        return said, is_fair
    told = [entry.rest for entry in found.entries if entry.kind == "audit"]
    if not told:
        return ("unaudited",) if found.end and found.end.kind != "adjourned" else (), True
    how, _, why = told[-1].partition(" ")
    if how == "fair":
        return ("audited: all have played fair",), True
    return (f"audit: {why}",), how != "false"


def _from_posts(path: Path, found: Log) -> tuple[tuple[str, ...], bool]:
    """Make the match again from the table's file, if it is there."""
    from kumite.store.log_files import table_of

    place = table_of(path, found.header)
    if place is None or not place.is_file():
        return (), True
    from kumite.net.transport.kept import unpacked

    try:
        ledger, said, is_fair = _judged(unpacked(place.read_bytes())[0])
    except (KumiteError, OSError) as error:
        return (f"{place.name} beside it cannot be used: {error}",), False
    number = min(ledger.match.number, found.match.number)
    if ledger.match.back(number).digest != found.match.back(number).digest:
        return (f"not the match of the signed posts in {place.name}",), False
    return said, is_fair


def _judged(records: Sequence[Record]) -> tuple[Ledger, tuple[str, ...], bool]:
    """Return the match of these records, what there is to say of it, and whether it is fair.

    Raises:
        KumiteError: they are not those of a match.
    """
    from kumite.net.replica import audit, claims, due, evidence

    ledger = audit.ledger_of(records)
    said = [_signed(ledger), *(claims.told(ledger, one) for one in claims.found(ledger, records))]
    for post, foul in evidence.found(records):
        who = ledger.roster.who(post.author if foul is None else foul.terminal)
        if foul is not None:
            return ledger, (*said, f"proven: {who} has played false: {foul}"), False
        said.append(f"a post of {who} was refused, which proves nothing")
    if len(said) > 1:
        said.append("nothing is proven against anybody")
    said += _gone(ledger)
    verdict = audit.verdict(ledger)
    if ledger.game.SECRETS is None:
        return ledger, tuple(said), True
    if verdict is None:
        owing = sorted(due.owing(ledger))
        who = listed([*map(ledger.roster.who, owing)])
        has, what = "has" if len(owing) == 1 else "have", "opened secrets"
        more = f"not audited: {who} {has} not {what if ledger.is_signed else 'signed its end'}"
        return ledger, (*said, *([more] if ledger.is_over else [])), True
    if verdict.is_sound:
        return ledger, (*said, "audited again: all have played fair"), True
    who = "" if verdict.terminal is None else f"{ledger.roster.who(verdict.terminal)}: "
    is_fair = verdict.terminal is None
    return ledger, (*said, f"audited again: {who}{verdict.text}"), is_fair


def _signed(ledger: Ledger) -> str:
    """Return how far the match is as all have signed it: what comes last, only its author has."""
    if not ledger.is_over or ledger.is_signed:
        return "as signed by all who are not gone" if ledger.gone else "as signed by all"
    open_ = [one for one, is_closed in enumerate(ledger.closed) if not is_closed]
    return f"its end is not signed by {' and '.join(map(ledger.roster.who, open_))}"


def _gone(ledger: Ledger) -> list[str]:
    """Return of whom all others have said that they are gone for good."""
    then = ", a bot played on from there" if ledger.roster.has_wills else ""
    return [
        f"{ledger.roster.who(one)} was gone for good by the signed word of all others{then}"
        for one, _ in ledger.gone
    ]


# --- For others -------------------------------------------------------------------------------


def without_secrets(log: Path) -> bytes:
    """Return the signed posts of a LAN match, as others may have them.

    Raises:
        KumiteError: they are not beside the log, or cannot be used.
    """
    from kumite.net.replica.records import Claim, Evidence, MatchStart
    from kumite.net.transport.kept import FORMAT, packed, unpacked
    from kumite.net.wire.posts import Post
    from kumite.store.log_files import cannot, load, table_of

    place = table_of(log, load(log).header)
    if place is None:
        raise BadSetup(f"{log.name} is not the log of a LAN match", hint="nobody has signed it")
    try:
        records = unpacked(place.read_bytes())[0]
    except OSError as error:
        raise cannot("open", place, error) from error
    starts = [MatchStart(one.roster, None) for one in records if isinstance(one, MatchStart)]
    said = [one for one in records if isinstance(one, Post | Evidence | Claim)]
    return FORMAT + b"".join(map(packed, (*starts[-1:], *said)))


def is_table(path: Path) -> bool:
    """Return whether a file has the signed posts of a match, and not its log."""
    from kumite.net.transport.kept import READABLE

    try:
        if not path.is_file():  # a pipe would keep us waiting
            return False
        with path.open("rb") as file:
            return file.read(len(READABLE[0])) in READABLE
    except OSError:
        return False


def proved(path: Path) -> tuple[tuple[str, ...], bool]:
    """Return what the signed posts of a file say by themselves, and whether it is fair.

    The three words of the table stand there: they tell its players that the keys are theirs.

    Raises:
        KumiteError: it has no match.
    """
    from kumite.net.transport.kept import unpacked

    ledger, said, is_fair = _judged(unpacked(path.read_bytes())[0])
    words = " ".join(ledger.roster.words())
    return (f"{ledger.match.number} steps", *said, f"words: {words}"), is_fair
