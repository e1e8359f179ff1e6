"""A table is a value: events lead from one to the next, and what cannot be done changes nothing."""

from __future__ import annotations

from random import Random

import pytest

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.core.game import Seat, Setup, Step
from kumite.core.games import find
from kumite.core.match import Match
from kumite.core.table import End, HandOver, Note, Play, Resign, Table, TakeBack, after, outcome_end
from tests.support.random_matches import walk

SETUP = Setup.of(find("kuzushi"))
ANN, BEN = Seat(0), Seat(1)


def begun(*steps: str) -> Table:
    table = Table(Match.begin(SETUP), ("ann", "ben"))
    for step in steps:
        table = after(table, Play(table.match.actors[0], Step(step)))
    return table


def test_all_events_of_a_match_lead_to_its_end() -> None:
    match = walk(SETUP, 3)
    table = begun()
    for played in match.steps():
        table = after(table, Play(played.actor, played.step))
    assert table.match.digest == match.digest
    assert table.is_over
    assert table.end is None  # the rules have ended it
    end = outcome_end(match)
    assert end is not None
    assert after(table, end).end == end


def test_an_event_leaves_the_table_before_it_as_it_was() -> None:
    table = begun()
    later = after(table, Play(table.match.actors[0], Step("e6")))
    assert (table.match.number, later.match.number) == (0, 1)


def test_who_gives_up_ends_it() -> None:
    event, kind = Resign(BEN), "resigned"
    table = after(begun("e6"), event)
    assert table.end == End(kind, (BEN,))
    with pytest.raises(KumiteError) as again:
        after(table, event)
    assert again.value.code == codes.MATCH_OVER
    with pytest.raises(KumiteError) as more:
        after(table, Play(table.match.actors[0], Step("f7")))
    assert more.value.code == codes.MATCH_OVER


def test_what_is_taken_back_takes_its_end_along() -> None:
    table = after(begun("e6", "f7", "g8"), Resign(ANN))
    back = after(table, TakeBack(1))
    assert (back.match.number, back.end) == (1, None)
    for number in (-1, 2):
        with pytest.raises(KumiteError) as error:
            after(back, TakeBack(number))
        assert error.value.code == codes.ILLEGAL_STEP


def test_a_seat_that_is_handed_over_has_another_name() -> None:
    assert after(begun(), HandOver(BEN, "bot:easy")).names == ("ann", "bot:easy")


def test_what_is_said_or_noted_changes_nothing() -> None:
    table = begun("e6")
    assert after(table, Note("hint")) == table


def test_an_outcome_is_taken_from_the_rules_alone() -> None:
    rng = Random(1)
    table = begun()
    with pytest.raises(KumiteError, match="the rules do not end the match so"):
        after(table, End("outcome", (ANN,), "full"))
    step = rng.choice(table.match.legal(table.match.actors[0]))
    with pytest.raises(KumiteError) as error:
        after(table, Play(Seat(1 - int(table.match.actors[0])), step))
    assert error.value.code == codes.NOT_TO_ACT
