"""Who sits at a table, and by which protocol it plays, as bytes that all sign."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kumite.core.codec import decode, encode
from kumite.core.errors import BadData, BadSetup
from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.series import Series
from kumite.net.replica.roster import Roster
from kumite.net.wire.messages import PROTOCOL
from tests.support.ledger_round import roster_of

NEW = roster_of(Setup.of(GAMES["kitsune"], 4), 3)
SHARING = roster_of(Setup.of(GAMES["kitsune"], 4), 3, gone="bot")


@pytest.mark.parametrize(
    "roster",
    [
        NEW,
        SHARING,
        replace(NEW, clock=(60, 5, 30)),
        replace(NEW, series=Series(3, (1, 0, 1, 0), 2)),
    ],
    ids=["new", "sharing", "clock", "series"],
)
def test_a_roster_comes_back(roster: Roster) -> None:
    assert Roster.of(roster.packed()) == roster


def test_no_roster_has_another_protocol_or_form() -> None:
    *known, clock, protocol, gone, score = decode(NEW.packed())
    assert (clock, protocol, gone, score) == ((), PROTOCOL, "wait", (1, (), 0))
    for rest in (
        *(((), other, gone, score) for other in (PROTOCOL - 1, PROTOCOL + 1, -1, str(PROTOCOL))),
        *(((60, 5), PROTOCOL, gone, score), ((60, 5, 0, 0), PROTOCOL, gone, score)),
        *(((), PROTOCOL, "vote", score), ((), PROTOCOL, gone), ((), PROTOCOL, gone, score, "")),
        *(((), PROTOCOL, gone, (0, (), 0)), ((), PROTOCOL, gone, (3, (-1,) * 4, 0))),
    ):
        with pytest.raises(BadData):
            Roster.of(encode((*known, *rest)))


def test_a_score_has_a_number_for_every_seat() -> None:
    with pytest.raises(BadSetup):
        Roster.of(replace(NEW, series=Series(3, (1, 0))).packed())


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
