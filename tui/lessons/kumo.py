"""The first lesson of Kumo Hogosha: from the first Kumotori to the push that wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.game import Seat
from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kumo.state import KUMOTORI, NEAR, SQUARES, UPPER
from kumite.tui.lessons.model import Task
from kumite.tui.scenes.kumo.words import movers, ways

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kumite.core.games.kumo.rules import State
    from kumite.core.match import Played

ID: Final = kumo.ID


def _position(stone: str, *pieces: str) -> str:
    """Return the text of a turn's start; whoever is not on the arena waits on a board."""
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


def _after(
    kind: str, is_so: Callable[[State], bool]
) -> Callable[[State, Sequence[Played], State], bool]:
    """Judge a task by the beginning of the last step and the position now."""
    return lambda _, steps, now: bool(steps) and steps[-1].step.startswith(kind) and is_so(now)


# --- What is to be reached --------------------------------------------------------------------


def _can_move(now: State) -> bool:
    return any(movers(now, 0))


def _heads_north(now: State) -> bool:
    return "push north" in ways(now, 0)


def _is_beside_the_stone(now: State) -> bool:
    return any(UPPER[now.arena[one]] == 0 for one in NEAR[now.stone])


def _is_pinned(now: State) -> bool:
    return not any(movers(now, 1))


def _has_won(now: State) -> bool:
    end = kumo.outcome(now)
    return end is not None and Seat(0) in end.winners


# --- Why it is not ------------------------------------------------------------------------------


def _said(text: str) -> Callable[[State, Sequence[Played], State], str]:
    """Return the reason that is the same whatever was done instead."""
    return lambda before, steps, now: text


def _stone_lies(goal: str) -> Callable[[State, Sequence[Played], State], str]:
    """Return where the stone lies, if it should lie on `goal`."""

    def reason(before: State, steps: Sequence[Played], now: State) -> str:
        where = SQUARES[now.stone] if now.stone >= 0 else "nowhere"
        if now.stone == before.stone:
            return f"The stone still lies on {where}: nothing has moved it to {goal}."
        return f"The stone lies on {where} now, and not on {goal}: so the goal is missed."

    return reason


_no_place = _said("Nobody was placed: choose a free space of the row at your edge, rank 1.")
_no_pair = _said("Nobody can move the stone yet: two in a row have to have the stance kumo.")
_not_e6 = _stone_lies("e6")
_not_north = _said("Your pair would still not push north.")
_no_jump = _said("Your jumper is not on e7: it lands behind the last one of the whole row.")
_no_prisoner = _said("Your prison is still empty: the foe was not put there.")
_no_pin = _said("The foe's pair can still move the stone: neither of the two is pinned.")
_no_win = _said("The stone has not gone over the north edge, where the foe's camp is.")


def _no_run(before: State, steps: Sequence[Played], now: State) -> str:
    if not steps[-1].step.startswith("run:"):
        return "That was no run: choose the runner, then a space two steps away."
    return "The runner does not stand beside the stone there."


def _not_e7(before: State, steps: Sequence[Played], now: State) -> str:
    if now.on("e7"):
        return "Somebody still stands on e7, and a push shoves nobody aside."
    return _stone_lies("e7")(before, steps, now)


# --- The tasks --------------------------------------------------------------------------------

TASKS: Final = (
    Task(
        "Onto the arena",
        "You sit in the south. Your six wrestlers, the Kumotori, wait on your board.\n"
        "Choose a space of your closest row, then the stance: place a Kumotori.",
        _position("e5"),
        Seat(0),
        _after("+", lambda now: now.boards[0] < KUMOTORI),
        "Choose e1, then a stance from the list below.",
        "That was one of the five actions of a turn.",
        ("+e1=kumo",),
        why_not=_no_place,
    ),
    Task(
        "A pair",
        "Only two Kumotori in the stance kumo can move the stone: a leader beside\n"
        "it, a partner beside the leader. Give your runner on e3 the stance\n"
        "kumo. A star shows who can move the stone.",
        _position("e5", "e3 0run", "e4 0kumo"),
        Seat(0),
        _after("", _can_move),
        "Choose e3, then kumo from the list below.",
        "Two kumo in a row: your engine. The star is its mark.",
        ("e3=kumo",),
        why_not=_no_pair,
    ),
    Task(
        "Push",
        "Stone, leader and partner move one space together, away from the leader\n"
        "in a push. Choose the leader e4, the partner e3, then push.",
        _position("e5", "e3 0kumo", "e4 0kumo"),
        Seat(0),
        _after("push:", lambda now: now.stone == SQUARES.index("e6")),
        "Choose e4, then e3, then push.",
        "One space nearer to the camp of the foe.",
        ("push:e4+e3",),
        why_not=_not_e6,
    ),
    Task(
        "The arena turns",
        "At least one action of each turn has to turn the arena; all that stands\n"
        "on it is carried along. Your pair would push the stone east, where\n"
        "there is only a wall. Turn it so that they push north.",
        _position("d5", "b5 0kumo", "c5 0kumo"),
        Seat(0),
        _after("", _heads_north),
        "What looks east must look north: counter-clockwise.",
        "The turning that you owe can be worth more than a push.",
        ("ccw",),
        why_not=_not_north,
    ),
    Task(
        "Run",
        "A runner makes exactly two steps over free spaces, also round a corner.\n"
        "Bring your runner on c4 to a space beside the stone with one action.",
        _position("e5", "c4 0run", "d5 1grab", "e7 1jump"),
        Seat(0),
        _after("run:", _is_beside_the_stone),
        "Beside the stone and two steps from c4: e4.",
        "A runner can also walk one step. Not all stances can.",
        ("run:c4-e4",),
        why_not=_no_run,
    ),
    Task(
        "Jump",
        "A jumper leaps straight over a whole row of Kumotori, friend or foe, onto\n"
        "the free space behind. Never over the stone. Bring yours to e7.",
        _position("c3", "e3 0jump", "e4 0run", "e5 1grab", "e6 1kumo"),
        Seat(0),
        _after("jump:", lambda now: now.on("e7") == ((0, "jump"),)),
        "Choose e3, then the space behind the row.",
        "Three spaces at once, however full they are.",
        ("jump:e3-e7",),
        why_not=_no_jump,
    ),
    Task(
        "Throw a foe off the lane",
        "A push shoves nobody aside: the foe on e7 stops it. A thrower takes one\n"
        "beside it and puts it on a free space beside itself. Throw the foe off\n"
        "e7, then push the stone.",
        _position("e6", "d7 0throw", "e4 0kumo", "e5 0kumo", "e7 1block", "g5 1run"),
        Seat(0),
        _after("push:", lambda now: now.stone == SQUARES.index("e7")),
        "d7 throws e7 to d8; then push.",
        "You will stand in the foe's lane too, and be thrown.",
        ("throw:d7:e7-d8", "push:e5+e4"),
        why_not=_not_e7,
    ),
    Task(
        "A prisoner",
        "A foe that stands at your own edge can be grabbed into your prison: it is\n"
        "out, and you have an action more in every turn. Choose the grabber d1,\n"
        "the foe e1, then your prison.",
        _position("e5", "d1 0grab", "e1 1run", "f7 1kumo"),
        Seat(0),
        _after("", lambda now: now.prisons[0] > 0),
        "Choose d1, e1, then: into your prison.",
        "Six actions from now on. But the foe may free it.",
        ("grab:d1:e1-x",),
        why_not=_no_prisoner,
    ),
    Task(
        "Pin",
        "The foe's pair is about to push. A blocker climbs onto a foe beside it,\n"
        "who is then out of the fight; but not onto one that touches the stone,\n"
        "not even at a corner. Pin the one that you may.",
        _position("e5", "d7 0block", "e1 0run", "e6 1kumo", "e7 1kumo"),
        Seat(0),
        _after("block:", _is_pinned),
        "e7 does not touch the stone.",
        "One action of yours, and the foe's pair is no pair.",
        ("block:d7-e7",),
        why_not=_no_pin,
    ),
    Task(
        "Over the edge",
        "A push over the edge of the foe's camp wins at once, even when the arena\n"
        "has yet to be turned. West and east are walls. You have five actions: the\n"
        "stone lies in the west, and your pair is ready. Win.",
        _position("b5", "c9 1throw", "c5 0kumo", "d5 0kumo", "h3 1run"),
        Seat(0),
        _after("push:", _has_won),
        "Turn the stone to the north first.",
        "That is the whole game: the rest is the foe.",
        ("cw", "push:e7+e6", "push:e8+e7"),
        why_not=_no_win,
    ),
)
