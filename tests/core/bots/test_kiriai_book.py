"""The first rounds of Kiri-ai by the book: when it is played from, and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from kumite.core import bots
from kumite.core.game import CHANCE, Seat, Setup, Step
from kumite.core.games.kiriai import rules as kiriai
from kumite.core.games.kiriai.action import CARD, SPECIALS, action
from kumite.core.games.kiriai.bot import book as book
from kumite.core.games.kiriai.bot import solved as brain
from kumite.core.games.kiriai.bot import table as table
from kumite.core.match import Match
from tests.core.bots.test_bots import position

FIELDS = pytest.mark.parametrize("field", ["standard", "advanced"])


def dealt(field: str, red: str = "kesa", blue: str = "counter") -> Match:
    match = Match.begin(Setup.of(kiriai, 2, {"field": field}))
    for step in (f"red:{red}", f"blue:{blue}"):
        match = match.play(CHANCE, Step(step))
    return match


def played(match: Match, red: str, blue: str) -> Match:
    """Return the match after both have chosen this, and it has been shown."""
    match = match.play(Seat(0), Step(red)).play(Seat(1), Step(blue))
    while match.actors == (CHANCE,):
        match = match.play(CHANCE, match.legal(CHANCE)[0])
    return match


def likeliest(match: Match, seat: Seat) -> Step:
    """Return the likeliest step of the book that keeps the special."""
    where = position(match, seat)
    found = sorted(zip(brain.booked(where), where.legal, strict=True), reverse=True)
    return next(step for _, step in found if not set(step.split(",")) & set(SPECIALS))


def booked(field: str, choices: int) -> Match:
    """Return a match after the likeliest choices of the book."""
    match = dealt(field)
    for _ in range(choices):
        match = played(match, likeliest(match, Seat(0)), likeliest(match, Seat(1)))
    return match


@FIELDS
@pytest.mark.parametrize("choices", [0, 1, 2])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_first_choices_are_drawn_from_the_book(field: str, choices: int, seat: int) -> None:
    where = position(booked(field, choices), Seat(seat))
    x = brain.booked(where)
    assert sum(x) == pytest.approx(1)
    lines = bots.find("strong")(where, Random(1), bots.Budget()).lines
    assert {line.step: line.share for line in lines} == dict(zip(where.legal, x, strict=True))


@pytest.mark.parametrize("special", SPECIALS)
@FIELDS
def test_both_seats_begin_alike(field: str, special: str) -> None:
    other = next(card for card in SPECIALS if card != special)
    red = position(dealt(field, special, other), Seat(0))
    blue = position(dealt(field, other, special), Seat(1))
    shares = [dict(zip(one.legal, brain.booked(one), strict=True)) for one in (red, blue)]
    if field == "advanced":
        shares[1] = {
            Step(f"{8 - int(step[0])}{step[1:]}"): share for step, share in shares[1].items()
        }
    assert shares[0] == shares[1]


def test_what_is_held_is_concealed_at_first() -> None:
    found = [
        brain.booked(position(dealt("standard", special, other), Seat(0)))
        for special, other in (("counter", "kesa"), ("kesa", "counter"), ("zantetsu", "kesa"))
    ]
    legal = [kiriai.plans("", special) for special in SPECIALS]
    shares = [dict(zip(steps, x, strict=True)) for steps, x in zip(legal, found, strict=True)]
    common = set(shares[0]) & set(shares[1]) & set(shares[2])
    told = [step for step in common if 0 < sum(one[step] > 0.004 for one in shares) < 3]
    assert sum(one[step] for step in told for one in shares) / 3 < 0.3


def test_who_leaves_the_book_is_answered_by_the_table() -> None:
    begun, left = dealt("standard"), []
    for plan in kiriai.plans("", "")[::3]:
        match = played(begun, likeliest(begun, Seat(0)), plan)
        where = position(match, Seat(0))
        if match.state.phase == "plan" and not brain.booked(where):
            left.append(where)
    assert left
    for where in left[:2]:
        lines = bots.find("strong")(where, Random(1), bots.Budget()).lines
        assert sum(line.share for line in lines) == pytest.approx(1)
        assert {line.step for line in lines} == set(where.legal)


def test_a_special_that_was_shown_ends_the_book() -> None:
    match = played(dealt("standard"), "charge,kesa", "approach,stance")
    assert match.state.phase == "plan"
    for seat in (Seat(0), Seat(1)):
        assert not brain.booked(position(match, seat))


def test_a_match_that_began_elsewhere_has_no_book() -> None:
    where = position(dealt("standard"), Seat(0))
    assert brain.booked(where)
    assert not brain.booked(replace(where, seen=()))
    later = position(booked("standard", 1), Seat(0))
    assert not brain.booked(replace(later, seen=later.seen[:2]))


@pytest.mark.parametrize("last", book.FIELDS)
def test_every_mixture_is_of_plans_that_are_legal(last: int) -> None:
    rng, opened = Random(last), book.opened(last)
    assert opened.size > 1000
    for _ in range(100):
        at, asides = 0, ("", "")
        is_start = last == 7
        while True:
            for number, special in enumerate(SPECIALS):
                mixture = opened.mixture(at, number)
                plans = kiriai.STARTS[0] if is_start else table.plans(asides[0], special)
                assert all(plan < len(plans) for plan in mixture[::2])
                assert all(mixture[1::2])
            below = opened.below(at)
            if not below:
                break
            pair = rng.choice(list(below))
            at = below[pair]
            if not is_start:
                mine, theirs = (
                    table.plans(aside, "")[number]
                    for aside, number in zip(asides, pair, strict=True)
                )
                asides = (CARD[mine[1]], CARD[theirs[1]])
            is_start = False


# --- What the best answer gains, by other code than the solver's --------------------------------


class Answer:
    """The best answer of one who holds `theirs` to the book, and to the table where it ends."""

    def __init__(self, theirs: str) -> None:
        self.theirs, self.book = theirs, book.opened(5)
        self.cards = [card for card in SPECIALS if card != theirs]

    def gain(self, at: int, ground: table.Duel, reach: Sequence[float], left: int) -> float:
        """Return what it gains from a node on; `reach` is by my special."""
        values = table.values(5, left, is_spent=False)
        rows: list[tuple[table.Plan, int, int, float]] = []
        for card, came in zip(self.cards, reach, strict=True):
            mixture = self.book.mixture(at, SPECIALS.index(card))
            plans, whole = table.plans(ground.asides[0], card), sum(mixture[1::2])
            for number, share in zip(mixture[::2], mixture[1::2], strict=True):
                if came:
                    common = self._common(ground.asides[0], plans[number])
                    rows.append((plans[number], common, SPECIALS.index(card), came * share / whole))
        best, below = -9.0, self.book.below(at)
        for two in table.plans(ground.asides[1], self.theirs):
            number, total = self._common(ground.asides[1], two), 0.0
            inner: dict[int, dict[int, float]] = {}
            for one, common, mine, share in rows:
                if (common, number) in below:
                    inner.setdefault(common, {})[mine] = share
                else:
                    here = ground._replace(mine=SPECIALS[mine], theirs=self.theirs)
                    total -= share * table.matrix(5, here, [one], [two], values)[0][0]
            for common, shares in inner.items():
                one = table.plans(ground.asides[0], "")[common]
                came = [shares.get(SPECIALS.index(card), 0.0) for card in self.cards]
                total += self.gain(
                    below[common, number], self._after(ground, one, two), came, left - 1
                )
            best = max(best, total)
        return best

    def _common(self, aside: str, plan: table.Plan) -> int:
        """Return the number of a plan among those without a special, or -1."""
        return -1 if set(plan) & set(SPECIALS) else table.plans(aside, "").index(plan)

    def _after(self, ground: table.Duel, one: table.Plan, two: table.Plan) -> table.Duel:
        spaces, stances, wounds = ground.spaces, ground.stances, list(ground.wounds)
        for faces in zip(one, two, strict=True):
            spaces, stances, hit = action(spaces, stances, faces, 5)
            if hit >= 0:
                wounds[hit] += 1
        return ground._replace(
            spaces=spaces,
            stances=stances,
            wounds=(wounds[0], wounds[1]),
            asides=(CARD[one[1]], CARD[two[1]]),
        )


@pytest.mark.long
def test_the_best_answer_to_book_and_table_gains_less_than_a_twentieth_of_a_win() -> None:
    begin = table.Duel((1, 5), ("heaven", "heaven"), (0, 0), ("", ""), "", "", "")
    gains = [Answer(theirs).gain(0, begin, [0.5, 0.5], 40) for theirs in SPECIALS]
    assert sum(gains) / len(gains) / 2 < 0.05
