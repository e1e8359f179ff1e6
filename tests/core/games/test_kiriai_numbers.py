"""Kiri-ai: the numbers of its rules, counted again: sequences of steps, positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from kumite.core.game import CHANCE, Step
from kumite.core.games.kiriai import rules as kiriai
from kumite.core.games.kiriai.action import BASIC
from kumite.core.games.kiriai.state import Side, State
from kumite.core.match import perft
from tests.support.kiriai_positions import begin

# --- Numbers -----------------------------------------------------------------------------------


def test_sequences_from_the_start_are_as_many_as_in_the_rules() -> None:
    standard, advanced = begin().state, begin(field="advanced").state
    assert perft(kiriai, standard, 7) == (3, 6, 312, 16224, 16224, 16224, 517636)
    assert perft(kiriai, advanced, 6) == (3, 6, 36, 216, 216, 11232)


# --- Positions that can occur in phase plan ----------------------------------------------------
#
# A position is split into its base (all but the set-aside cards and the round) and a bit for the
# pair of cards set aside: 36 bits for a base. The bases and what leads from one to another come
# from `apply`, the plans of a hand from `plans`; the search only puts them together.

ASIDES = ("", *BASIC)
Bits = int  # a set of pairs of set-aside cards: red's number * 6 + blue's number
BASES: list[State] = []  # all that were found, by number
Hands = dict[str, list[tuple[str, int]]]  # first face: second faces, each with its set of asides


def split(state: State) -> tuple[int, Bits]:
    """Return the number of the position's base and the bit of its set-aside cards."""
    red, blue = (ASIDES.index(side.aside) for side in state.sides)
    return numbered(based(state, "plan")), 1 << red * len(ASIDES) + blue


@cache
def numbered(base: State) -> int:
    BASES.append(base)
    return len(BASES) - 1


def based(state: State, phase: str, red: str = "", blue: str = "") -> State:
    """Return the position without asides and in the second round, with these plans."""
    one, two = (
        Side(side.space, side.stance, side.wounds, "", side.special, side.spent, plan)
        for side, plan in zip(state.sides, (red, blue), strict=True)
    )
    return State(state.field, state.rounds, phase, 2, (one, two))


def first_bases(field: str) -> set[int]:
    states, found = [kiriai.start(2, {"field": field, "rounds": 80})], set()
    while states:
        state = states.pop()
        if state.phase == "plan":
            found.add(split(state)[0])
        else:
            actor = kiriai.actors(state)[0]
            states += [kiriai.apply(state, actor, step) for step in kiriai.legal(state, actor)]
    return found


@cache
def hands(special: str) -> Hands:
    """Return the plans of a hand with `special` (or empty), each with the asides that allow it."""
    bits: dict[tuple[str, str], int] = Counter()
    for number, aside in enumerate(ASIDES):
        for plan in kiriai.plans(aside, special):
            first, second = plan.split(",")
            bits[first, second] |= 1 << number
    return {
        one: [(second, some) for (first, second), some in bits.items() if first == one]
        for one, _ in bits
    }


@cache
def pairs(red: int, blue: int) -> Bits:
    return sum(blue << number * len(ASIDES) for number in range(len(ASIDES)) if red >> number & 1)


@cache
def seconds(middle: State) -> dict[tuple[str, str], tuple[int, Bits]]:
    """Return what two second faces lead to, if it is a next round."""
    ends = {}
    if middle.phase == "second":
        faces = [[*hands("" if s.spent else s.special)] for s in middle.sides]
        for one in faces[0]:
            for two in faces[1]:
                state = based(middle, "second", f"x,{one}", f"x,{two}")
                after = kiriai.apply(state, CHANCE, Step(f"second:{one}/{two}"))
                if after.phase == "plan":
                    ends[one, two] = split(after)
    return ends


@cache
def rounds_from(number: int) -> list[tuple[int, Bits, Bits]]:
    """Return every base and pair of asides after one more round, and the pairs that lead there."""
    base = BASES[number]
    red, blue = (hands("" if s.spent else s.special) for s in base.sides)
    ways: dict[tuple[int, Bits], Bits] = {}
    for one, reds in red.items():
        for two, blues in blue.items():
            state = based(base, "first", f"{one},x", f"{two},x")
            after = kiriai.apply(state, CHANCE, Step(f"first:{one}/{two}"))
            ends = seconds(based(after, after.phase))
            for second, some in reds:
                for other, others in blues:
                    if end := ends.get((second, other)):
                        ways[end] = ways.get(end, 0) | pairs(some, others)
    return [(end, bit, bits) for (end, bit), bits in ways.items()]


def occurring(field: str) -> dict[State, Bits]:
    """Search from the deal until nothing new is found; return the bases with their asides."""
    found: dict[int, Bits] = {}
    fresh = dict.fromkeys(first_bases(field), 1)
    while fresh:
        base = next(iter(fresh))
        new = fresh.pop(base)
        found[base] = found.get(base, 0) | new
        for end, bit, bits in rounds_from(base):
            if new & bits and not bit & (found.get(end, 0) | fresh.get(end, 0)):
                fresh[end] = fresh.get(end, 0) | bit
    return {BASES[number]: bits for number, bits in found.items()}


def sides_of(found: dict[State, Bits]) -> Iterator[list[tuple[Side, str]]]:
    """Yield both sides of every position, each with its card aside."""
    for base, bits in found.items():
        for number in range(len(ASIDES) ** 2):
            if bits >> number & 1:
                asides = divmod(number, len(ASIDES))
                yield [(s, ASIDES[a]) for s, a in zip(base.sides, asides, strict=True)]


@pytest.mark.long
@pytest.mark.parametrize(
    ("field", "public", "spent", "full", "different", "unmirrored"),
    [
        ("standard", 84953, (5429, 37164, 42360), 149262, 80138, 40105),
        ("advanced", 161764, (10392, 70796, 80576), 284520, 152812, 76454),
    ],
)
def test_as_many_positions_can_occur_in_phase_plan_as_in_the_rules(
    field: str, public: int, spent: tuple[int, ...], full: int, different: int, unmirrored: int
) -> None:
    count, end = 0, kiriai.SPACES[field] + 1
    open_, played, halved = set(), set(), set()
    for sides in sides_of(occurring(field)):
        count += 1
        stand = [(s.space, s.stance, s.wounds, aside) for s, aside in sides]
        special = [s.special for s, _ in sides]
        used = [s.spent for s, _ in sides]
        open_.add((*stand, *(special[i] if used[i] else "?" for i in (0, 1))))
        hold = ["" if used[i] else special[i] for i in (0, 1)]
        mirrored = [(end - space, *rest) for space, *rest in stand]
        here, there = (*stand, *hold), (*mirrored[::-1], *hold[::-1])
        played.add(here)
        halved.add(min(here, there))
    assert count == full
    assert len(open_) == public
    unspent = Counter(position[-2:].count("?") for position in open_)
    assert (unspent[2], unspent[1], unspent[0]) == spent
    assert len(played) == different
    assert len(halved) == unmirrored
