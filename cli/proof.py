"""Evidence of how a LAN match was played: the audit in its log, and the signed posts beside it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kumite.core.errors import BadSetup, KumiteError
from kumite.core.log import Log
from kumite.core.text import listed
from kumite.store.log_files import cannot, load, naming, table_of
from kumite.store.whole_files import opened, read_bytes

if TYPE_CHECKING:
    from kumite.net.replica.ledger import Ledger
    from kumite.net.replica.records import Record
    from kumite.net.wire.messages import Stop


def audited(path: Path, found: Log) -> tuple[tuple[str, ...], bool]:
    """Return the findings about a log's audit, and whether all of them are favourable.

    Matches without secrets and local ones need no audit.
    """
    place, passed_over = table_of(path, found.header), tuple[str, ...]()
    if place is not None and os.path.lexists(place):
        from kumite.net.transport.journal import OtherVersion

        try:
            return _from_posts(place, found)
        except OtherVersion as error:
            passed_over = (f"not looked at: {error}",)
        except KumiteError as error:
            return (f"the table's file beside it cannot be used: {error}",), False
    if found.header.by is None or found.match.game.SECRETS is None:
        return passed_over, True
    told = [entry.rest for entry in found.entries if entry.kind == "audit"]
    if not told:
        is_over = found.end is not None and found.end.kind != "adjourned"
        return (*passed_over, *(["unaudited"] if is_over else [])), True
    how, _, why = told[-1].partition(" ")
    if how == "fair":
        return (*passed_over, "audited: all have played fair"), True
    return (*passed_over, f"audit: {why}"), how != "false"


def _from_posts(place: Path, found: Log) -> tuple[tuple[str, ...], bool]:
    """Rebuild the match from the table's file and compare it to the log.

    Raises:
        KumiteError: the file cannot be used.
    """
    ledger, said, is_fair = _judged(_records(place))
    number = min(ledger.match.number, found.match.number)
    if ledger.match.back(number).digest != found.match.back(number).digest:
        return (f"not the match of the signed posts in {place.name}",), False
    return said, is_fair


def _claimed(ledger: Ledger, stop: Stop) -> str:
    from kumite.net.replica import audit
    from kumite.net.session import events
    from kumite.tui.play import network_words

    blamed, who = audit.blamed(ledger, stop), ledger.roster.who
    whom = "" if blamed is None else events.US if blamed == ledger.me else who(blamed)
    return network_words.claim(stop.code, who(stop.author), stop.text, whom)


def _judged(records: Sequence[Record]) -> tuple[Ledger, tuple[str, ...], bool]:
    """Return the match in these records, the findings about it, and whether it is fair.

    Raises:
        KumiteError: the records are not those of a match.
    """
    from kumite.net.replica import audit, due

    ledger = audit.ledger_of(records)
    said = [_signed(ledger), *(_claimed(ledger, one) for one in audit.claims_in(ledger, records))]
    for post, foul in audit.proofs_in(records):
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
    """Describe who has signed the match; the last posts may be known only to their authors."""
    if not ledger.is_over or ledger.is_signed:
        return "as signed by all who are not gone" if ledger.gone else "as signed by all"
    open_ = [one for one, is_closed in enumerate(ledger.closing.closed) if not is_closed]
    return f"its end is not signed by {' and '.join(map(ledger.roster.who, open_))}"


def _gone(ledger: Ledger) -> list[str]:
    """Return a line for each player whom all others have declared gone."""
    then = ", a bot played on from there" if ledger.roster.has_key_shares else ""
    return [
        f"{ledger.roster.who(one)} was declared gone by all others, signed{then}"
        for one, _ in ledger.gone
    ]


# --- For others -------------------------------------------------------------------------------


def without_secrets(log: Path) -> bytes:
    """Return the signed posts of a LAN match, without secrets.

    Raises:
        KumiteError: they are not beside the log, or cannot be used.
    """
    from kumite.net.replica.records import Claim, Evidence, MatchStart
    from kumite.net.transport.journal import FORMAT, packed
    from kumite.net.wire.posts import Post

    place = table_of(log, load(log).header)
    if place is None:
        raise BadSetup(f"{log.name} is not the log of a LAN match", hint="nobody has signed it")
    records = _records(place)
    starts = [MatchStart(one.roster, None) for one in records if isinstance(one, MatchStart)]
    said = [one for one in records if isinstance(one, Post | Evidence | Claim)]
    return FORMAT + b"".join(map(packed, (*starts[-1:], *said)))


def is_table(path: Path) -> bool:
    """Return whether a file holds the signed posts of a match, rather than its log."""
    from kumite.net.transport.journal import NAME

    try:
        with opened(path) as file:
            return file.read(len(NAME)) == NAME
    except OSError:
        return False  # the error is reported when it is read as a log


def _records(path: Path) -> Sequence[Record]:
    """Return the records in a table's file.

    Raises:
        KumiteError: it cannot be read, or is not a table's file.
    """
    from kumite.net.transport.journal import MOST, read

    try:
        with naming(path):
            return read(read_bytes(path, MOST)).records
    except OSError as error:
        raise cannot("read", path, error) from error


def proved(path: Path) -> tuple[tuple[str, ...], bool]:
    """Return what a file of signed posts proves by itself, and whether the match is fair.

    The findings include the three words of the table, by which players recognize their keys.

    Raises:
        KumiteError: the file has no match.
    """
    ledger, said, is_fair = _judged(_records(path))
    words = " ".join(ledger.roster.words())
    return (f"{ledger.match.number} steps", *said, f"words: {words}"), is_fair
