"""Who sits at a table, and by which protocol it plays, as bytes that all sign."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kumite.core.codec import decode, encode
from kumite.core.errors import BadData
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.net.replica.records import MatchStart
from kumite.net.replica.roster import ANSWERED, CARRIED_ON, PROVED, SHARED, UNPROVED, Roster
from kumite.net.transport import kept
from kumite.net.wire.messages import PROTOCOL
from tests.support.ledger_round import roster_of

NEW = roster_of(Setup.of(GAMES["kitsune"], 4), 3)
OLD = replace(NEW, protocol=UNPROVED)
SHARING = roster_of(Setup.of(GAMES["kitsune"], 4), 3, gone="bot")


@pytest.mark.parametrize("roster", [NEW, OLD, SHARING], ids=["new", "old", "sharing"])
def test_a_roster_comes_back_with_its_protocol(roster: Roster) -> None:
    again = Roster.of(roster.packed())
    assert again == roster
    assert again.is_proved == (roster is not OLD)


def test_a_match_begins_by_the_protocol_of_this_kumite() -> None:
    assert NEW.protocol == ANSWERED >= PROVED
    assert NEW.moved(Seat(1), 0).protocol == ANSWERED
    assert SHARING.protocol == CARRIED_ON == PROTOCOL
    assert OLD.moved(Seat(1), 0).protocol == UNPROVED


def test_rosters_of_old_matches_have_the_bytes_that_were_signed() -> None:
    path = Path(__file__).parents[2] / "data" / "protocol4" / "2b26cf5dc622b058-1.table"
    records = kept.unpacked(path.read_bytes())[0]
    (roster,) = [one.roster for one in records if isinstance(one, MatchStart)]
    assert roster.packed() in path.read_bytes()


@pytest.mark.parametrize("protocol", [UNPROVED, SHARED, PROTOCOL + 1, -1, "5"])
def test_no_roster_says_a_protocol_that_it_cannot_have(protocol: int | str) -> None:
    """A roster has one form: that of protocol 4 says nothing of it."""
    *known, _ = decode(NEW.packed())  # type: ignore[misc]
    with pytest.raises(BadData):
        Roster.of(encode((*known, protocol)))
    with pytest.raises(BadData):
        Roster.of(encode((*known, ANSWERED, ANSWERED)))
    for rest in ((SHARED, "wait"), (ANSWERED, "bot"), (SHARED, "vote"), (SHARED, "bot", "")):
        with pytest.raises(BadData):
            Roster.of(encode((*known, *rest)))


def test_a_terminal_is_called_by_who_plays_there() -> None:
    roster = roster_of(Setup.of(GAMES["kuzushi"], 4), 2)
    (first, second), others = sorted(roster.terminals[0].seats), roster.terminals[1].seats

    def called(**names: str) -> str:
        by_seat = [""] * 4
        by_seat[first], by_seat[second] = names["one"], names["two"]
        assert first not in others
        return replace(roster, names=tuple(by_seat)).who(0)

    assert called(one="ada", two="bot:easy") == "ada"
    assert called(one="ada", two="cid") == "ada and cid"
    assert called(one="bot:easy", two="bot:easy") == "bot easy"
    assert called(one="bot:easy", two="") == f"bot easy and seat {second + 1}"
