"""The first lesson of Kumo Hogosha: from the first Kumotori to the push that wins."""

from __future__ import annotations

from typing import Final

from kumite.core.games.kumo.rules import State
from kumite.core.games.kumo.state import KUMOTORI, NEAR, SQUARES, STANCES, UPPER
from kumite.tui.games.kumo.words import movers, ways
from kumite.tui.lessons.judging import (
    Attempt,
    Goal,
    Mistake,
    Task,
    both,
    grew,
    kept,
    last_played,
    won,
)


def _position(stone: str, *pieces: str) -> str:
    """Return the text of a position at the start of a turn; other Kumotori wait on the boards."""
    sides = [one[0] for line in pieces for one in line.split()[1:]]
    head = (
        "kumo seats=2 block=turn limit=200",
        f"turn {5 if pieces else 1} seat 0 used 0",
        "spent 0 0",
        "turned no no",
        f"boards {KUMOTORI - sides.count('0')} {KUMOTORI - sides.count('1')}",
        "prisons 0 0",
        f"stone {stone}",
    )
    return "\n".join((*head, *sorted(pieces)))


# --- Goals and mistakes -----------------------------------------------------------------------


def _stone_on(goal: str, *mistakes: Mistake) -> Goal:
    unmoved = Mistake(
        kept(lambda now: now.stone),
        lambda tried: f"The stone still lies on {_stone(tried)}: nothing has moved it to {goal}.",
    )
    return Goal(
        lambda tried: _stone(tried) == goal,
        lambda tried: (
            f"The stone lies on {_stone(tried)} now, and not on {goal}: so the goal is missed."
        ),
        mistakes=(*mistakes, unmoved),
    )


def _stone(tried: Attempt[State]) -> str:
    stone = tried.now.stone
    return SQUARES[stone] if stone >= 0 else "nowhere"


def _is_beside_the_stone(tried: Attempt[State]) -> bool:
    return any(UPPER[tried.now.arena[one]] == 0 for one in NEAR[tried.now.stone])


# --- The tasks --------------------------------------------------------------------------------

_NEVER: Final = frozenset({"pull", "free", "done"})  # explained by no task
_UNTURNED: Final = _NEVER | {"cw", "ccw"}

TASKS: Final = (
    Task(
        title="The goal",
        text="Push the heavy stone over the far edge, into the foe's camp, to win. Two\n"
        "Kumotori, wrestlers, in the stance kumo move it; * marks who can now.\n"
        "Corners show where you are, triangles what you can choose.\n"
        "Choose the leader e8, then the partner e7, then push.",
        position=_position("e9", "e7 0kumo", "e8 0kumo"),
        goal=Goal(won, "The stone still lies on the arena."),
        hint="Choose e8, then e7, then push.",
        praise="You have seen how a match is won. Now the way there, from the start.",
        solution=("push:e8+e7",),
        hidden=_UNTURNED | {f"={one}" for one in STANCES},
    ),
    Task(
        title="Onto the arena",
        text="Place a Kumotori on rank 1, one of five actions, in any stance: a kumo moves\n"
        "the stone, a blocker pins, grabber and thrower move others, a jumper leaps,\n"
        "a runner runs. Kumo, jumper, runner also walk one step.",
        position=_position("e5"),
        goal=Goal(
            lambda tried: tried.now.boards[0] < KUMOTORI,
            "Nobody was placed: choose a free space of the row at your edge, rank 1.",
        ),
        hint="Choose e1, then a stance.",
        praise="One action is spent, four are left in this turn.",
        solution=("+e1=kumo",),
        hidden=_UNTURNED,
    ),
    Task(
        title="A pair",
        text="Only two in the stance kumo can move the stone: a leader beside it, a\n"
        "partner beside the leader. All three move one space. Give your runner on e3\n"
        "the stance kumo, then push the stone to e6.",
        position=_position("e5", "e3 0run", "e4 0kumo"),
        goal=_stone_on(
            "e6",
            Mistake(
                lambda tried: not any(movers(tried.now, 0)),
                "Nobody can move the stone: one kumo has to be beside it, another beside that one.",
            ),
        ),
        hint="Choose e3, then kumo; then e4, e3 and push.",
        praise="Two kumo in a row: your engine. One space nearer to the camp of the foe.",
        solution=("e3=kumo", "push:e4+e3"),
        hidden=_UNTURNED,
    ),
    Task(
        title="The arena turns",
        text="At least one action of each turn has to turn the arena; all that stands\n"
        "on it is carried along. Your pair would push the stone east, where\n"
        "there is only a wall. Turn it (Tab) so that they push north.",
        position=_position("d5", "b5 0kumo", "c5 0kumo"),
        goal=Goal(
            lambda tried: "push towards seat 1" in ways(tried.now, 0),
            "Your pair would still not push north.",
        ),
        hint="East must become north: counterclockwise.",
        praise="A turn can be worth more than a push.",
        solution=("ccw",),
        hidden=_NEVER,
    ),
    Task(
        title="Run",
        text="A runner makes exactly two steps over free spaces, also round a corner.\n"
        "Bring your runner on c4 to a space beside the stone with one action.",
        position=_position("e5", "c4 0run", "d5 1run", "e7 1kumo"),
        goal=Goal(
            both(last_played("run:"), _is_beside_the_stone),
            "You did not run: choose the runner, then a space two steps away.",
            mistakes=(
                Mistake(last_played("run:"), "The runner does not stand beside the stone there."),
            ),
        ),
        hint="Beside the stone and two steps from c4: e4.",
        praise="Runners, jumpers and kumo may also walk one step; the others stand firm.",
        solution=("run:c4-e4",),
        hidden=_NEVER,
    ),
    Task(
        title="Jump",
        text="A jumper leaps straight over a whole row of Kumotori, friend or foe, onto\n"
        "the free space behind. Never over the stone. Bring yours to e7.",
        position=_position("c3", "e3 0jump", "e4 0run", "e5 1run", "e6 1kumo"),
        goal=Goal(
            both(last_played("jump:"), lambda tried: tried.now.on("e7") == ((0, "jump"),)),
            "Your jumper is not on e7: it lands behind the last one of the whole row.",
        ),
        hint="Choose e3, then the space behind the row.",
        praise="Three spaces at once, however full they are.",
        solution=("jump:e3-e7",),
        hidden=_NEVER,
    ),
    Task(
        title="Throw a foe off the lane",
        text="A push shoves nobody aside: the foe on e7 stops it. A thrower takes a foe\n"
        "next to it and puts it on a free space beside itself. Throw it off\n"
        "e7, then push the stone.",
        position=_position("e6", "d7 0throw", "e4 0kumo", "e5 0kumo", "e7 1run", "g5 1jump"),
        goal=_stone_on(
            "e7",
            Mistake(
                lambda tried: bool(tried.now.on("e7")),
                "A foe still stands on e7, and a push shoves nobody aside.",
            ),
        ),
        hint="d7 throws e7 to d8; then push.",
        praise="The foe will throw you off a lane just as well.",
        solution=("throw:d7:e7-d8", "push:e5+e4"),
        hidden=_NEVER,
    ),
    Task(
        title="A prisoner",
        text="A foe that stands at your own edge can be grabbed into your prison: it is\n"
        "out, and you have an action more in every turn. Choose the grabber d1,\n"
        "the foe e1, then your prison.",
        position=_position("e5", "d1 0grab", "e1 1run", "f7 1kumo"),
        goal=Goal(
            grew(lambda now: now.prisons[0]),
            "Your prison is still empty: the foe was not put there.",
        ),
        hint="Choose d1, e1, then: into your prison.",
        praise="Six actions from now on. But the foe may free it.",
        solution=("grab:d1:e1-x",),
        hidden=_NEVER,
    ),
    Task(
        title="Pin",
        text="The foe's pair is about to push. A blocker climbs onto a foe next to it,\n"
        "who is then out of the fight; but not onto one that touches the stone,\n"
        "not even at a corner. Pin the one that you may.",
        position=_position("e5", "d7 0block", "e1 0run", "e6 1kumo", "e7 1kumo"),
        goal=Goal(
            both(last_played("block:"), lambda tried: not any(movers(tried.now, 1))),
            "The foe's pair can still move the stone: neither of the two is pinned.",
        ),
        hint="e7 does not touch the stone.",
        praise="One action of yours, and the foe's pair is no pair.",
        solution=("block:d7-e7",),
        hidden=_NEVER,
    ),
    Task(
        title="Over the edge",
        text="A push over the edge of the foe's camp wins at once, even when the arena\n"
        "has yet to be turned (Tab). West and east are walls. You have five actions:\n"
        "the stone lies in the west, and your pair is ready. Win.",
        position=_position("b5", "c9 1throw", "c5 0kumo", "d5 0kumo", "h3 1run"),
        goal=Goal(won, "The stone has not gone over the north edge, where the foe's camp is."),
        hint="Turn the stone to the north first.",
        praise="You know how to win now. In a match, the foe will stand in your way.",
        solution=("cw", "push:e7+e6", "push:e8+e7"),
        hidden=_NEVER,
    ),
)
