"""What proves how a LAN match was played: the audit in its log, and the signed posts beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.errors import KumiteError

if TYPE_CHECKING:
    from pathlib import Path

    from kumite.core.log import Log


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
    from kumite.net.replica import audit, evidence
    from kumite.net.transport.journal import unpacked

    try:
        records = unpacked(place.read_bytes())[0]
        ledger, refused = audit.ledger_of(records), evidence.found(records)
    except (KumiteError, OSError) as error:
        return (f"{place.name} beside it cannot be used: {error}",), False
    number = min(ledger.match.number, found.match.number)
    if ledger.match.back(number).digest != found.match.back(number).digest:
        return (f"not the match of the signed posts in {place.name}",), False
    if refused:
        post, foul = refused[-1]
        who = ledger.roster.who(post.author)
        if foul is not None:
            return ("as signed by all", f"proven: {who} has played false: {foul}"), False
        return ("as signed by all", f"a post of {who} was refused, but proves nothing"), True
    verdict = audit.verdict(ledger)
    if verdict is None or ledger.game.SECRETS is None:
        return ("as signed by all",), True
    if verdict.is_sound:
        return ("as signed by all", "audited again: all have played fair"), True
    who = "" if verdict.terminal is None else f"{ledger.roster.who(verdict.terminal)}: "
    return ("as signed by all", f"audited again: {who}{verdict.text}"), verdict.terminal is None
