"""Kitsu!: texts of positions."""

from __future__ import annotations

import pytest

from kumite.core.copying import replace
from kumite.core.errors import BadNotation
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.board import NAMES
from kumite.core.games.kitsu.position import State
from tests.support.kitsu_positions import DISPATCHES, OWES, POUNCES, play, position

GOOD = kitsu.text(POUNCES)
BAD_LINES = [
    (1, "options adjacent=5 limit=100 opening=4"),
    (1, "options adjacent=4 limit=99 opening=4"),
    (1, "options adjacent=4 limit=100"),
    (2, "turn 0 seat 1 phase pounce"),
    (2, "turn 101 seat 0 phase pounce"),
    (2, "turn 1 seat 1 phase pounce"),
    (2, "turn 1 seat 0 phase move"),
    (3, "open spring summer autumn winter"),
    (3, "open spring autumn"),
    (3, "open winter autumn"),
    (3, "open autumn  winter"),
    (3, "open monsoon"),
    (4, "at d1 used - owed 0"),
    (4, "at b5 used - owed 0"),
    (4, "at c4 used - owed 3"),
    (4, "at c3 used b5 owed 0"),
    (4, "at c3 used c4 owed 0"),
    (4, "at c3 used - owed 9"),
    (4, "at c3 used c3 owed 0"),
    (4, "at i9 used - owed 0"),
    (5, "seat 0 spirit s7 f6 hand s0 f0 taken s0 f0"),
    (5, "seat 0 spirit s6 f6 hand s7 f0 taken s0 f0"),
    (5, "seat 0 spirit s6 f6 hand s0 f0 taken s4 f0"),
    (5, "seat 0 spirit s0 f0 hand s0 f0 taken s0 f0"),
    (5, "seat 1 spirit s6 f6 hand s0 f0 taken s0 f0"),
    (6, "seat 1 spirit s6 f6 hand s0 f0 taken s0 f9"),
    (6, "seat 1 spirit s6 f6 hand s0 f0 taken s-1 f0"),
    (7, "8 ........."),
    (8, "8 ........"),
    (9, "6 ....?..."),
    (15, "outcome samurai winners 0"),
    (15, "outcome tea winners 0"),
    (15, "outcome - winners 0"),
    (15, "outcome"),
]


@pytest.mark.parametrize(("number", "line"), BAD_LINES, ids=str)
def test_a_text_that_is_no_position_is_refused_with_a_line(number: int, line: str) -> None:
    lines = GOOD.split("\n")
    assert kitsu.parse(GOOD) == POUNCES
    lines[number - 1] = line
    with pytest.raises(BadNotation, match=f"line {number} of the position"):
        kitsu.parse("\n".join(lines))


def test_no_clan_has_more_than_twenty_pieces_on_the_board() -> None:
    twenty = " ".join(f"S{name}" for name in NAMES[:20])
    assert position(f"{twenty} fh8").clans[0].board.bit_count() == 20
    with pytest.raises(BadNotation, match="line 5 of the position belongs to a clan"):
        position(f"{twenty} Sh7 fh8")


def test_a_text_may_end_its_lines_with_spaces_but_not_go_on() -> None:
    assert kitsu.parse(GOOD.replace("\n", "  \n") + "\n") == POUNCES
    for text in ("", "\n", GOOD + "\nmore", GOOD.removesuffix("\noutcome -"), "8 ........"):
        with pytest.raises(BadNotation, match="line"):
            kitsu.parse(text)


@pytest.mark.parametrize(
    "state",
    [
        play(position("Sa4 fb5"), "a4xb5"),
        play(position("Fb2 fh1", seat0="spirit s0 f0 hand s1 f0 taken s0 f0"), "s@b4"),
        play(position("Sa4 fb5", turn="100 seat 1 phase move", open="summer"), "end"),
        OWES,
        DISPATCHES,
    ],
    ids=lambda state: state.reason or state.phase,
)
def test_a_position_of_another_kind_is_refused(state: State) -> None:
    assert kitsu.parse(kitsu.text(state)) == state
    for reason in ("samurai", "foxes", "rout", "spirits", "limit", "", "tea"):
        if reason != state.reason:
            with pytest.raises(BadNotation):
                kitsu.parse(kitsu.text(replace(state, reason=reason)))
