"""Kiri-ai solved: the table agrees with itself, and play is drawn from its mixtures."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from kumite.core import bots
from kumite.core.game import Seat, Setup
from kumite.core.games.kiriai import rules as kiriai
from kumite.core.games.kiriai.action import BASIC, EARTH, HEAVEN, SPECIALS
from kumite.core.games.kiriai.bot import solved as solution
from kumite.core.games.kiriai.bot import table as table
from tests.core.bots.test_bots import position
from tests.support.random_matches import walk

FIELDS = pytest.mark.parametrize("last", [5, 7])


def some_duel(last: int, rng: Random, held: str) -> table.Duel:
    """Return a random position of class A (`both`), B (`mine`), C (`theirs`) or D (``)."""
    cards = rng.sample(SPECIALS, 2)
    mine = cards[0] if held in ("both", "mine") else ""
    theirs = cards[1] if held in ("both", "theirs") else ""
    asides = [rng.choice(BASIC), rng.choice(BASIC)]
    return table.Duel(
        rng.choice(list(table.places(last))),
        (rng.choice((HEAVEN, EARTH)), rng.choice((HEAVEN, EARTH))),
        rng.choice(table.WOUNDS),
        (asides[0], asides[1]),
        mine,
        theirs,
        "" if mine else cards[0],
    )


def mirrored(last: int, duel: table.Duel) -> table.Duel:
    """Return the position as the other sees it; nobody holds a special."""
    return table.Duel(
        (last + 1 - duel.spaces[1], last + 1 - duel.spaces[0]),
        (duel.stances[1], duel.stances[0]),
        (duel.wounds[1], duel.wounds[0]),
        (duel.asides[1], duel.asides[0]),
        "",
        "",
        duel.played,
    )


def stored(last: int, duel: table.Duel, theirs: str, left: int, *, is_spent: bool) -> float:
    """Return what the table says of a position with so many rounds left."""
    asides = (table.aside_number(duel.asides[0]), table.aside_number(duel.asides[1]))
    ground = table.geometry(last, duel.spaces, duel.stances)
    slot = table.slot_of(duel.mine, theirs, duel.played)
    found = table.values(last, left + 1, is_spent=is_spent)[slot]
    return found[table.base(ground, duel.wounds, asides)]


def solved(last: int, duel: table.Duel, left: int, iterations: int) -> list[float]:
    """Return what the mixture scores against each special that the other may hold."""
    tolerance = 0 if duel.mine or duel.theirs else table.FINE_TOLERANCE
    is_spent = not duel.mine and not duel.theirs
    known = duel.mine or duel.played
    cards = [card for card in SPECIALS if card != known] if duel.theirs else [""]
    values = table.values(last, left, is_spent=is_spent)
    mine = table.plans(duel.asides[0], duel.mine)
    matrices = [
        table.matrix(
            last, duel._replace(theirs=card), mine, table.plans(duel.asides[1], card), values
        )
        for card in cards
    ]
    x, _ = table.mixture(matrices, iterations, tolerance)
    scores = []
    for matrix in matrices:
        columns = zip(*matrix, strict=True)
        scores.append(min(sum(p * v for p, v in zip(x, column, strict=True)) for column in columns))
    return scores


@FIELDS
@pytest.mark.parametrize("left", [1, 2, 6, 11])
def test_without_specials_each_round_s_values_follow_from_the_next(last: int, left: int) -> None:
    rng = Random(left)
    for _ in range(6):
        duel = some_duel(last, rng, "")
        (score,) = solved(last, duel, left, table.FINE_ITERATIONS)
        told = stored(last, duel, "", left, is_spent=True)
        # Both sides of it are rounded once.
        assert abs(score - told) < table.FINE_TOLERANCE + 1.1 / table.FINE_STEPS


@FIELDS
@pytest.mark.parametrize("held", ["both", "mine", "theirs"])
@pytest.mark.parametrize("left", [1, 3])
def test_with_specials_each_round_s_values_follow_from_the_next(
    last: int, held: str, left: int
) -> None:
    rng = Random(f"{held}{left}")
    for _ in range(3):
        duel = some_duel(last, rng, held)
        known = duel.mine or duel.played
        cards = [card for card in SPECIALS if card != known] if duel.theirs else [""]
        scores = solved(last, duel, left, table.ITERATIONS)
        for card, score in zip(cards, scores, strict=True):
            told = stored(last, duel, card, left, is_spent=False)
            assert abs(score - told) < 1.5 / table.STEPS


@FIELDS
def test_after_the_last_round_fewer_wounds_win(last: int) -> None:
    rng = Random(4)
    for held in ("", "both"):
        for _ in range(20):
            duel = some_duel(last, rng, held)
            told = stored(last, duel, duel.theirs, 0, is_spent=not held)
            assert told == (duel.wounds[1] - duel.wounds[0])


@FIELDS
def test_what_one_side_wins_the_other_loses(last: int) -> None:
    rng = Random(5)
    for left in (3, 12, 30):
        for _ in range(20):
            duel = some_duel(last, rng, "")
            other = mirrored(last, duel)
            both = [stored(last, one, "", left, is_spent=True) for one in (duel, other)]
            assert both[0] == -both[1]


@FIELDS
@pytest.mark.parametrize("left", [21, 39, 80])
def test_without_specials_a_mixture_is_worth_what_the_table_says(last: int, left: int) -> None:
    rng = Random(left)
    for _ in range(4):
        duel = some_duel(last, rng, "")
        (score,) = solved(last, duel, left, table.FINE_ITERATIONS)
        (other,) = solved(last, mirrored(last, duel), left, table.FINE_ITERATIONS)
        # 80 rounds of such losses, two sides of each, add up to less than 0.02 of values -1 to 1.
        assert -2 * table.FINE_TOLERANCE < score + other < 0.0001


def test_a_mixture_is_that_of_the_matrix_game() -> None:
    stone = [[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]]
    x, value = table.mixture([stone], 600)
    assert x == pytest.approx([1 / 3] * 3, abs=0.01)
    assert value == pytest.approx(0, abs=0.01)
    x, value = table.mixture([[[3.0, -1.0], [-1.0, 1.0], [-2.0, -2.0]]], 600)
    assert x == pytest.approx([1 / 3, 2 / 3, 0], abs=0.01)
    assert value == pytest.approx(1 / 3, abs=0.01)


def test_a_mixture_is_best_on_average_of_what_the_other_may_hold() -> None:
    x, value = table.mixture([[[1.0], [0.0]], [[-2.0], [0.0]]], 300)
    assert x == pytest.approx([0, 1], abs=0.01)
    assert value == pytest.approx(0, abs=0.01)


def test_a_mixture_is_as_far_as_it_has_come_when_the_time_is_over() -> None:
    stone, asked = [[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]], []

    def stop() -> bool:
        asked.append(1)
        return len(asked) == 2

    stopped = table.mixture([stone], 1000, stop=stop)
    assert stopped == table.mixture([stone], 2 * table.EVERY)
    assert stopped != table.mixture([stone], 1000)


def test_who_is_stopped_has_no_matrix_to_make_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def matrix(
        last: int, duel: table.Duel, mine: list[table.Plan], theirs: list[table.Plan],
        values: table.Values,
    ) -> table.Matrix:  # fmt: skip
        made.append(duel.theirs)
        return table.matrix(last, duel, mine, theirs, values)

    monkeypatch.setattr(solution, "matrix", matrix)
    solution._round_matrix.cache_clear()
    where = next(one for one in plan_positions() if not any(s.spent for s in one.view.sides))
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) == 2  # after the first matrix

    choice = bots.find("strong")(where, Random(1), bots.Budget(None, stop))
    assert choice.step in where.legal
    assert not choice.lines
    assert len(made) == len(set(made)) == 2


@pytest.mark.parametrize("width", [1, 2])
def test_rows_of_numbers_are_added_each_by_itself(width: int) -> None:
    rng = Random(width)
    for length in (0, width, 7 * width, 64 * width):
        one, two = (rng.randbytes(length) for _ in range(2))
        sums = table.added(one, two, width)
        for at in range(0, length, width):
            a, b, c = (int.from_bytes(x[at : at + width], "little") for x in (one, two, sums))
            assert c == (a + b) % 256**width


def plan_positions() -> list[bots.Position]:
    found = []
    for seed in range(4):
        for field in ("standard", "advanced"):
            match = walk(Setup.of(kiriai, 2, {"field": field}), seed)
            line = [one for one in match.line() if one.actors == (Seat(0), Seat(1))]
            found += [position(one, Seat(seed % 2)) for one in line[::4]]
    return found


def test_strong_draws_its_plan_from_the_mixture() -> None:
    where = plan_positions()[1]
    rng, drawn = Random(1), Counter[str]()
    lines = bots.find("strong")(where, rng, bots.Budget()).lines
    for _ in range(60):
        drawn[bots.find("strong")(where, rng, bots.Budget()).step] += 1
    for line in lines:
        assert abs(drawn[line.step] / 60 - line.share) < 0.25
    assert set(drawn) <= {line.step for line in lines if line.share > 0}


def test_both_seats_see_a_mirrored_position_alike() -> None:
    red = "red at 2,heaven wounds 1 aside high special ? plan -"
    blue = "blue at 3,earth wounds 0 aside low special kesa plan -"
    flipped = "red at 3,earth wounds 0 aside low special kesa plan -"
    other = "blue at 4,heaven wounds 1 aside high special ? plan -"
    head = "kiriai field=standard rounds=40\nphase plan round 5\n"
    as_blue, as_red = (
        kiriai.parse(f"{head}{one}\n{two}") for one, two in ((red, blue), (flipped, other))
    )
    assert solution.duel(as_blue, Seat(1)) == solution.duel(as_red, Seat(0))
