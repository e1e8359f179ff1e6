"""What a bot says of a position, in words; whose view it is given; wins in one are found."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest

from kumite.core import bots
from kumite.core.bots import Choice, Line
from kumite.core.game import CHANCE, SPECTATOR, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.tui import scenes
from kumite.tui.bots import advice
from tests.core.test_transcripts import recorded
from tests.support import mk6
from tests.support.random_matches import walk

ADA, BOB = Seat(0), Seat(1)


@cache
def before_a_win(game_id: str) -> tuple[Match, Seat]:
    """Return a position in which somebody has won with the next step."""
    for transcript in recorded(game_id):
        match = Match.begin(Setup.of(GAMES[game_id], transcript["seats"], transcript["options"]))
        for actor, step in transcript["steps"]:
            match = match.play(actor, step)
        last, outcome = match.last, match.outcome
        if last is None or outcome is None or last.actor == CHANCE or match.before is None:
            continue
        if last.actor in outcome.winners and len(match.before.legal(last.actor)) > 1:
            return match.before, Seat(int(last.actor))
    raise AssertionError(f"no {game_id} is won by the last step")


def wins(match: Match, seat: Seat, step: Step) -> bool:
    outcome = match.play(seat, step).outcome
    return outcome is not None and seat in outcome.winners


@pytest.mark.parametrize("game_id", ["kitsu", "kitsune", "kumo", "kuzushi"])
def test_a_win_in_one_is_found_and_said(game_id: str) -> None:
    match, seat = before_a_win(game_id)
    position = bots.Position.of(match, seat)
    choice = bots.find("strong")(position, Random(1), bots.Budget(400))
    assert wins(match, seat, choice.step)
    merit = scenes.maker(match).why_good(position.view, seat, choice.step)
    assert "wins" in merit
    said = advice.how_found(choice)
    assert ("your chance" if game_id == "kitsune" else "wins in this turn") in said


def test_a_blow_that_would_win_is_said_to() -> None:
    match = next(
        one
        for seed in range(50)
        for one in walk(Setup.of(GAMES["kiriai"]), seed).line()
        if one.actors == (ADA, BOB) and one.state.phase == "plan" and one.state.sides[1].wounds == 1
        and any("hits and wins" in why_good(one, step) for step in one.legal(ADA))
    )  # fmt: skip
    hits = [step for step in match.legal(ADA) if "hits and wins" in why_good(match, step)]
    assert all(
        re.search("seat 1 (wait|approach|charge|retreat|goes)", why_good(match, step))
        for step in hits
    )
    choice = bots.find("strong")(bots.Position.of(match, ADA), Random(1), bots.Budget(1))
    likeliest = advice.ranked(choice, is_mixed=True)
    assert [line.share for line in likeliest] == sorted(
        (line.share for line in likeliest), reverse=True
    )
    assert sum(line.share for line in choice.lines) == pytest.approx(1)
    assert all(line.share >= advice.LEAST_SHARE for line in likeliest)


def why_good(match: Match, step: Step) -> str:
    return scenes.maker(match).why_good(match.state, ADA, step)


def test_what_a_step_gains_is_said_in_words_of_the_game() -> None:
    match = Match.begin(Setup.of(GAMES["kuzushi"]))
    makes = scenes.maker(match)
    assert makes.why_good(match.state, BOB, Step("f7")) == "it brings 3 flags and takes the lead"
    after = match.play(BOB, Step("f7"))
    said = [makes.why_good(after.state, ADA, step) for step in after.legal(ADA)]
    assert any("removes seat 1's flag on " in one for one in said)


# --- who is asked -----------------------------------------------------------------------------


def test_only_who_is_to_act_is_asked_and_only_with_eyes_that_look_on() -> None:
    plans = next(
        one for one in walk(Setup.of(GAMES["kiriai"]), 1).line() if one.actors == (ADA, BOB)
    )
    ada, bob = frozenset({ADA}), frozenset({BOB})
    assert advice.asked_seat(plans, None) == ADA
    assert advice.asked_seat(plans, bob) == BOB
    assert advice.asked_seat(plans, SPECTATOR) is None
    assert advice.asked_seat(plans.seen_by(bob), None) == BOB
    alone = plans.play(ADA, plans.legal(ADA)[0])
    assert advice.asked_seat(alone.seen_by(ada), ada) is None
    assert "does not know enough" in advice.why_nobody(alone.seen_by(ada))
    start = Match.begin(Setup.of(GAMES["kiriai"]))
    assert advice.asked_seat(start, None) is None
    assert "chance is next" in advice.why_nobody(start)
    over = walk(Setup.of(GAMES["kuzushi"]), 1)
    assert advice.asked_seat(over, None) is None
    assert advice.why_nobody(over) == "The match is over."


def test_where_nothing_is_hidden_any_eyes_do() -> None:
    match = Match.begin(Setup.of(GAMES["kuzushi"]))
    for by in (None, SPECTATOR, frozenset({ADA})):
        seen = match if by is None else match.seen_by(by)
        assert advice.asked_seat(seen, by) == BOB
        assert bots.Position.of(seen, BOB).legal == match.legal(BOB)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_bot_is_given_the_view_of_its_seat_and_its_steps(game_id: str) -> None:
    game = GAMES[game_id]
    match = walk(Setup.of(game), 5).back(8)
    while match.actors[0] == CHANCE:
        match = match.play(CHANCE, sorted(match.odds())[0])
    seat = Seat(int(match.actors[0]))
    position = bots.Position.of(match, seat)
    own = frozenset({seat})
    assert position.view == game.view(match.state, own)
    assert list(position.seen) == list(match.seen_by(own).steps())
    assert position.legal == match.legal(seat)


# --- in words ---------------------------------------------------------------------------------

LINES = (Line(Step("f7"), 0.62, 0.6), Line(Step("e6"), 0.55, 0.3), Line(Step("g6"), 0.4, 0.1))


def test_how_a_hint_was_found() -> None:
    best = Choice(Step("f7"), 0.62, LINES)
    said = advice.how_found(best)
    assert said == "best of 3 looked at: your chance 62 %, next e6 with 55 %"
    most = Choice(Step("e6"), 0.55, (LINES[1], LINES[0]))
    said = advice.how_found(most)
    assert said == "looked at longest of 2: your chance 55 %, next f7 with 62 %"
    other = Choice(Step("e6"), 0.55, LINES)
    assert advice.how_found(other) == "your chance 55 %; f7 has 62 %"
    alone = Choice(Step("f7"), 0.62, LINES[:1])
    assert "compared" not in advice.how_found(alone)
    assert advice.how_found(Choice(Step("f7"))) == advice.GLANCED


def test_that_several_steps_are_about_even_is_said() -> None:
    worths = {"a": 0.62, "b": 0.61, "c": 0.6, "d": 0.595, "e": 0.5}
    lines = tuple(Line(Step(step), value, 0.2) for step, value in worths.items())
    said = advice.how_found(Choice(Step("a"), 0.62, lines))
    assert said == "your chance 62 %; several are about even: also b, c and 1 more"


@pytest.mark.parametrize(
    ("before", "worths", "is_clear"),
    [
        ((0.62, 0.4), (0.62, 0.6), True),
        ((0.66, 0.4), (0.62, 0.4), False),
        ((0.6, 0.62), (0.62, 0.6), False),  # another step was the best
        ((0.62, 0.4), (0.62, 0.01), False),  # the other loses: all depends on replies to this one
        ((0.62, 0.4), (0.62, 0.01, 0.4), True),
        ((0.62,), (0.62,), False),
        ((0.5,), (1.0,), True),
        ((0.01, 0.01), (0.01, 0.01), False),  # there may be a defence
        ((), (0.62, 0.4), False),
    ],
)
def test_a_hint_is_clear_if_it_was_the_same_before_and_not_all_others_lose(
    before: tuple[float, ...], worths: tuple[float, ...], is_clear: bool
) -> None:
    def found(worths: tuple[float, ...]) -> Choice:
        lines = tuple(Line(Step(f"a{n}"), worth, 0.2) for n, worth in enumerate(worths))
        best = max(lines, key=lambda line: line.value, default=Line(Step("a0"), 0.0, 0.0))
        return Choice(best.step, best.value, lines)

    assert advice.is_clear(found(worths), found(before)) == is_clear


def test_of_a_game_without_a_model_no_chances_are_told() -> None:
    best = Choice(Step("f7"), 0.99, LINES)
    known = Match.begin(Setup.of(GAMES["kuzushi"]))
    assert advice.without_figures(known, best) == best
    unknown = advice.without_figures(Match.begin(Setup.of(mk6)), best)
    assert advice.how_found(unknown) == advice.GLANCED


def test_a_lottery_is_worth_what_its_steps_are() -> None:
    drawn = Choice(Step("g6"), 0.4, LINES[::-1])
    assert advice.worth(drawn, is_mixed=True) == pytest.approx(0.62 * 0.6 + 0.55 * 0.3 + 0.04)


def test_a_hint_calls_a_card_what_it_is_called() -> None:
    lines = (Line(Step("b1"), 0.6, 0.5), Line(Step("black"), 0.5, 0.5))
    called = scenes.maker_of("kitsune").step_name
    said = advice.how_found(Choice(Step("b1"), 0.6, lines), called)
    assert said == "best of 2 looked at: your chance 60 %, next the Black Kitsune with 50 %"


def test_where_there_is_no_room_only_the_worth_is_said() -> None:
    best = Choice(Step("f7"), 0.62, LINES)
    assert advice.briefly(best) == "your chance 62 %"
    assert advice.briefly(Choice(Step("f7"), 1.0, LINES)) == "wins by force"
    assert advice.briefly(Choice(Step("f7"))) == advice.GLANCED
