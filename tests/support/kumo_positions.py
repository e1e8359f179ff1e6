"""Positions of Kumo Hogosha for tests, and lively steps from them."""

from __future__ import annotations

from random import Random

import pytest

from kumite.core.game import Seat, Setup, Step
from kumite.core.games.kumo import rules as kumo


def begin(seats: int = 2, **options: str | int) -> kumo.State:
    setup = Setup.of(kumo, seats, options)
    return kumo.start(setup.seats, setup.options)


def legal(state: kumo.State, prefix: str = "") -> list[str]:
    steps = kumo.legal(state, Seat(state.seat))
    assert list(steps) == sorted(set(steps))
    return [step for step in steps if step.startswith(prefix)]


def play(state: kumo.State, *steps: str) -> kumo.State:
    for step in steps:
        state = kumo.apply(state, Seat(state.seat), Step(step))
    return state


def at(
    pieces: str,
    *,
    seats: int = 2,
    turn: int | None = None,
    used: int = 1,
    turned: str = "yes no",
    prisons: str = "0 0",
    stone: str = "e5",
    block: str = "turn",
    limit: int = 200,
) -> kumo.State:
    """Return a position: pieces as `a1 0run; d4 1run 0block`; all others wait on the boards."""
    if turn is None:
        turn = 5 if seats == 2 else 9  # of seat 0
    held = [int(count) for count in prisons.split()]
    waiting = [
        6 - sum(word[0] == str(side) for word in pieces.split()) - held[1 - side] for side in (0, 1)
    ]
    if seats == 4:
        waiting = [min(3, waiting[0]), min(3, waiting[1]), *(max(0, n - 3) for n in waiting)]
    return kumo.parse(
        "\n".join(
            [
                f"kumo seats={seats} block={block} limit={limit}",
                f"turn {turn} seat {(turn - 1) % seats} used {used}",
                f"spent {SPENT[(turn - 1) % seats] if seats == 4 else '0 0'}",
                f"turned {turned}",
                "boards " + " ".join(map(str, waiting)),
                f"prisons {prisons}",
                f"stone {stone}",
                *sorted(piece.strip() for piece in pieces.split(";") if piece.strip()),
            ]
        )
    )


SPENT = ("0 0", "4 0", "4 4", "0 4")  # by seat: what the first players of the sides took


def lively(state: kumo.State, rng: Random) -> str:
    """Return a random legal step; the rare kinds often, so that they happen at all."""
    steps = legal(state)
    sharp = [step for step in steps if step.startswith(("push", "done")) or step.endswith("-x")]
    active = [step for step in steps if ":" in step]
    for some in (sharp, active, [step for step in steps if step.endswith(("=kumo", "=block"))]):
        if some and rng.random() < 0.4:
            return rng.choice(some)
    return rng.choice(steps)


CROWD = """d4 0kumo; e4 0kumo; f5 0block; c5 0grab; e6 1kumo; e7 1kumo; d6 1throw; f6 1run;
c4 1jump"""


def crowded(seats: int, block: str) -> kumo.State:
    """Return a position with a crowd round the stone: random steps alone hardly ever form one."""
    turn = 5 if seats == 2 else 9
    return at(
        CROWD, seats=seats, turn=turn, used=0, prisons="1 1", turned="no no", block=block, limit=40
    )


WIN = at(  # b8-b7 b7-c7 push:c8+c7, which begins quietly
    """a8 1throw; a9 1throw; b8 0kumo; b9 0grab; c4 1run; c8 0kumo; d8 1kumo; e4 1kumo;
    e9 0grab; g7 1kumo""",
    turn=21, used=0, turned="no no", prisons="0 2", stone="c9",
)  # fmt: skip

THREAT = at(  # whoever has the turn has a win in the next one if it is not met, and lost this match
    """c7 1kumo; c8 1kumo; d5 1kumo; d6 0throw; d7 0run; d8 0throw; d9 0block; e4 0kumo;
    e6 0kumo; f7 1kumo; f9 1block; i6 1grab""",
    turn=19, used=4, turned="yes no", prisons="0 0", stone="e7",
)  # fmt: skip


every_setup = pytest.mark.parametrize(
    ("seats", "block"),
    [(seats, block) for seats in (2, 4) for block in ("turn", "hold")],
    ids=["2-turn", "2-hold", "4-turn", "4-hold"],
)
