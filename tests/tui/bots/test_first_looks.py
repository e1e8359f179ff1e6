"""What is shipped of the first turns: hints and reviews say the same of it, at once."""

from __future__ import annotations

import pytest

from kumite.core.bots import Choice, Line, Position
from kumite.core.game import Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.tools import first_looks as made
from kumite.tui.bots import first_looks
from kumite.tui.bots.advice import choice_of
from kumite.tui.bots.evaluation import question
from kumite.tui.bots.judging import Judge, look_back, simulations_here
from kumite.tui.bots.review import Review
from tests.support.fake_player import FakePlayer


@pytest.fixture(autouse=True)
def shipped(nothing_shipped: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_looks, "LATEST", 16)


def unsure(position: Position) -> Choice:
    """Find every step as good as another."""
    lines = tuple(Line(step, 0.5, 0.5) for step in position.legal)
    return Choice(lines[0].step, 0.5, lines)


@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi"])
async def test_a_hint_and_a_review_agree_on_the_first_position(game_id: str) -> None:
    match = Match.begin(Setup.of(GAMES[game_id], 2))
    seat, mind = Seat(int(match.actors[0])), FakePlayer(unsure)
    hint = choice_of(await Judge(mind, "ab12").look(question(match, seat), 100))
    assert mind.asked == []  # at once
    after = match.play(seat, hint.step)
    review = Review(after, None, frozenset(), simulations_here(after))
    await look_back(Judge(mind, "ab12"), review)
    reached = review.values[0].judged[1]  # where the step led can be worth more, never less
    worth = reached.value if reached.seat == seat else 1 - reached.value
    assert review.values[0].judged[0].value == max(hint.value, worth)
    assert review.losses(seat) == [0.0]
    assert review.turnings == ()


@pytest.mark.parametrize("game_id", [one for one in GAMES if GAMES[one].SECRETS is None])
def test_the_first_choice_of_every_game_without_secrets_is_held(game_id: str) -> None:
    match = Match.begin(Setup.of(GAMES[game_id], 2))
    (seat,) = match.actors
    found = first_looks.shipped(Position.of(match, Seat(int(seat))))
    assert found is not None
    assert found.step in match.legal(seat)


def test_the_positions_that_are_counted_are_choices_of_the_first_two_turns() -> None:
    found = list(made.met("kitsu", range(2)))
    assert {turn for turn, _ in found} == {0, 1}
    match = Match.begin(Setup.of(GAMES["kitsu"], 2))
    start = first_looks.key_of(Position.of(match, Seat(0)))
    assert [turn for turn, key in found if key == start] == [0, 0]


def test_the_best_first_step_of_kitsu_and_the_best_after_every_one_are_known() -> None:
    """Newcomers capture first, which no hint advises."""
    match = Match.begin(Setup.of(GAMES["kitsu"], 2))
    found = first_looks.shipped(Position.of(match, Seat(0)))
    assert found.step == "c5-d4"
    assert found.worth(found.step) == found.value
    for after in (match.play(Seat(0), step) for step in match.legal(Seat(0))):
        position = Position.of(after, Seat(int(after.actors[0])))
        assert first_looks.shipped(position).step in position.legal


def test_each_of_the_first_three_steps_of_kuzushi_is_known() -> None:
    """Short searches disagree most in these positions, and nearly all matches begin with them."""
    matches = [Match.begin(Setup.of(GAMES["kuzushi"], 2))]
    for _ in range(3):
        for match in matches:
            found = first_looks.shipped(Position.of(match, seat := Seat(int(match.actors[0]))))
            assert found.step in match.legal(seat)
        matches = [one.play(seat, step) for one in matches for step in one.legal(seat)]


def test_of_a_mixed_choice_a_person_is_advised_the_likeliest_step() -> None:
    match = Match.begin(Setup.of(GAMES["kiriai"], 2))
    while Seat(0) not in match.actors:
        match = match.play(match.actors[0], match.legal(match.actors[0])[0])
    rare, often = Line(Step("high,low"), 0.5, 0.08), Line(Step("low,high"), 0.5, 0.25)
    judge = Judge(FakePlayer(), "ab12")
    drawn = Choice(rare.step, 0.5, (rare, often))
    assert judge.advised(match, Seat(0), drawn).step == often.step


async def test_whoever_follows_a_hint_is_blamed_by_no_longer_look() -> None:
    match = Match.begin(Setup.of(GAMES["kuzushi"], 2))
    while len(match.steps()) < 20:
        match = match.play(match.actors[0], match.legal(match.actors[0])[0])
    seat, mind = Seat(int(match.actors[0])), FakePlayer()
    best, worse, *_ = match.legal(seat)
    mind.answer = lambda position: Choice(worse, 0.6, (Line(worse, 0.6, 1.0),))
    judge = Judge(mind, "ab12")
    await judge.look(question(match, seat), 5)
    assert judge.advised(match, seat, Choice(worse, 0.6)).step == worse

    def wiser(position: Position) -> Choice:
        if len(position.seen) != 20:
            return unsure(position)
        return Choice(best, 0.9, (Line(best, 0.9, 0.9), Line(worse, 0.1, 0.1)))

    mind.answer = wiser
    review = Review(match.play(seat, worse), None, frozenset({seat}))
    await look_back(Judge(mind, "ab12"), review)
    assert review.values[0].judged[20].step == best
    assert review.losses(seat)[-1] == 0.0


def test_every_shipped_line_is_read_and_written_alike() -> None:
    text = first_looks.FILE.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(lines) > 200
    for line in lines:
        assert first_looks.line_of(*first_looks._read(line)) == line
    assert first_looks.FILE.stat().st_size < 1 << 15
