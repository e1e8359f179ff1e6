"""A review in words: figures, what was played, what was better, and why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kumite.core.game import Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text, read
from kumite.core.match import Match
from kumite.tui.bots.looking import Answer, Worth
from kumite.tui.bots.review import Chosen, Review, Turning
from kumite.tui.play import reviewed
from kumite.tui.play.replaying import Replay
from tests.support.puzzles import SENT_TO_LEAP
from tests.support.random_matches import walk

NAMES = ("ada", "bot:easy")
SHOWN = ("ada", "bot easy")
ADA, BOB = Seat(0), Seat(1)  # Bob begins in Kuzushi
START = Match.begin(Setup.of(GAMES["kuzushi"]))
MATCH = START.play(BOB, Step("f7")).play(ADA, Step("g6"))
ANSWER = Answer(MATCH.back(1), ADA, Step("g6"))
TURNING = Turning(START, BOB, Step("f7"), Step("g6"), 0.65, 0.46)
SURE = replace(TURNING, had=1.0, left=0.0)
FEARED = replace(TURNING, answer=ANSWER)


def review_with(*lost: float, match: Match = MATCH, seat: Seat = BOB) -> Review:
    """Return a review in which a seat's choices lost this much."""
    review = Review(match, None, frozenset())
    review.__dict__["chosen"] = tuple(
        Chosen(at, seat, Step("f7"), one, one) for at, one in enumerate(lost)
    )
    return review


def test_a_turning_point_is_told_in_the_words_of_the_game() -> None:
    told = reviewed.told(FEARED, SHOWN)
    assert told.head == "Step 1: a mistake by bot easy"
    assert told.here == "Here bot easy lays f7, new flags e7 g7 f8."
    assert told.better.startswith("Better: bot easy lays g6, ")
    assert told.because.startswith("Because ")
    assert "after f7, ada lays g6: it brings" in told.because
    assert told.chances == "Better: 65 % to win. Played: 46 %."


def test_a_win_in_the_turn_is_the_reason() -> None:
    one = SENT_TO_LEAP
    other = next(step for step in one.start.legal(one.seat) if step != one.answer[0])
    turning = Turning(one.start, one.seat, other, one.answer[0], 1.0, 0.46, one.answer)
    told = reviewed.told(turning, SHOWN)
    assert told.head == f"Step 1: a blunder by {SHOWN[one.seat]}"
    assert told.because.startswith(
        "Because it wins in this turn, four Samurai taken; then Fox e6 leaps to g7, captures"
    )
    assert told.chances == "Better: won. Played: 46 %."


def test_what_is_to_be_found_is_asked_in_words() -> None:
    here = "Here bot easy lays f7, new flags e7 g7 f8. That is"
    assert reviewed.asked(TURNING, SHOWN) == f"{here} 46 % to win; find what has 65 %."
    assert reviewed.asked(SURE, SHOWN) == f"{here} lost; find the step that wins."


def test_how_well_a_seat_chose_is_told_with_its_errors() -> None:
    review = review_with(0.0, 0.06, 0.07, 0.12, 0.5)
    assert reviewed.standing(review, BOB) == ("66 %", "1 blunder, 1 mistake, 2 inaccuracies")
    assert reviewed.standing(review, ADA) == ("?", "no errors")


def test_a_try_is_told_what_it_is_worth() -> None:
    again = reviewed.why_not(TURNING, Step("f7"), Worth(0.46, ANSWER), SHOWN)
    assert again.startswith("That was played in the match; 46 % to win with f7, and 65 % to win is")
    assert "after f7, ada lays g6" in again
    later = Worth(0.46, Answer(MATCH, BOB, Step("e6")))  # ada's step is forced
    assert "after" not in reviewed.why_not(TURNING, Step("f7"), later, SHOWN)
    unknown = reviewed.why_not(TURNING, Step("e6"), Worth(None), SHOWN)
    assert unknown == "Nobody knows what e6 is worth; something else is 65 % to win."
    praised = reviewed.praise(TURNING, Step("g6"), 0.65, SHOWN)
    assert praised == f"Yes: {reviewed.LATER}. Better: 65 % to win. Played: 46 %."
    praised = reviewed.praise(FEARED, Step("g6"), 0.65, SHOWN)
    assert praised.startswith("Yes: after f7, ada lays g6: it brings")
    assert praised.endswith(". Better: 65 % to win. Played: 46 %.")
    other = reviewed.praise(TURNING, Step("e6"), 0.64, SHOWN)
    assert other == "e6 is as good as g6: 64 % to win."


@pytest.mark.parametrize(("names", "people"), [(NAMES, {0}), (("bot:easy", "bot:easy"), {0, 1})])
def test_people_are_told_of_before_bots(names: tuple[str, str], people: set[int]) -> None:
    log = read(log_text(Header("ab12", MATCH.setup, names), MATCH))
    assert reviewed.of_replay(Replay(log)).people == people


def test_without_a_turning_point_that_is_said() -> None:
    assert reviewed.review_text(review_with(), SHOWN)[-1] == reviewed.NOTHING


def test_errors_of_a_bot_are_explained() -> None:
    review = review_with(TURNING.lost)
    review.people, review.again = frozenset({ADA}), {(0, BOB): FEARED}
    said = "\n".join(reviewed.review_text(review, SHOWN))
    assert "Step 1: a mistake by bot easy\nHere bot easy lays f7" in said


@pytest.mark.parametrize(
    ("game_id", "seats"), [(one, seats) for one in GAMES for seats in GAMES[one].SEATS]
)
def test_every_choice_of_every_game_can_be_told(game_id: str, seats: int) -> None:
    match = walk(Setup.of(GAMES[game_id], seats), 3, 60)
    names = tuple(f"player {seat + 1}" for seat in range(seats))
    review = Review(match, None, frozenset())
    for values in review.values:
        for number, seat in values.asked.items():
            seen = review.seen(number, seat)
            legal = seen.legal(seat)
            turning = Turning(seen, seat, legal[0], legal[-1], 0.6, 0.3)
            told = reviewed.told(turning, names)
            assert told.here.startswith("Here player ")
            assert told.better.startswith("Better: player ")
            assert told.because
            assert all(len(part) < 300 for part in told)


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ([0.0, 0.004], reviewed.UNSEEN),
        ([0.0, 0.02], "lost; step 2 cost most, 2 %"),  # of one turn, not "little by little"
        ([0.02, 0.04, 0.01], "lost; step 2 cost most, 4 %"),
        ([0.03] * 4 + [0.04] * 3, "lost little by little; step 5 cost most, 4 %"),
        ([], reviewed.UNSEEN),
    ],
)
def test_whoever_lost_is_told_what_cost_most_and_not_that_there_were_no_errors(
    lost: list[float], said: str
) -> None:
    match = walk(START.setup, 1)
    (winner,) = match.outcome.winners
    loser = Seat(1 - winner)
    assert reviewed.standing(review_with(*lost, match=match, seat=winner), winner)[1] == "no errors"
    assert reviewed.standing(review_with(*lost, match=match, seat=loser), loser)[1] == said
