"""What a step at Kumo Hogosha is good for, in words: the reasons of hints.

All of it can be counted on the arena. How many actions a side is away from pushing the stone out is
counted as the bots do: a pair comes behind the stone as kumo, whoever is in the way is moved, the
arena is turned until the edge is the foe's.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from kumite.core.game import Step
from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kumo.notation import PRISON, parse_step
from kumite.core.games.kumo.state import (
    DIRECTIONS,
    LINES,
    NEAR,
    SIZE,
    SQUARES,
    UPPER,
    own_edges,
)
from kumite.tui.scenes.kumo.words import CALLED, MORE, news
from kumite.tui.scenes.sentences import reasons

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.core.game import Seat
    from kumite.core.games.kumo.rules import State

REACH: Final = 12  # actions; who needs more is not near enough to tell of


def why_good(view: State, seat: Seat, step: Step) -> str:
    """Say what a step wins or gains, or what it is for."""
    after, side = kumo.apply(view, seat, step), seat & 1
    if end := kumo.outcome(after):
        return "it pushes the stone out and wins" if seat in end.winners else ""
    kind, _ = parse_step(step)
    said = ["it takes a prisoner"] * (sum(after.prisons) > sum(view.prisons))
    said += ["it moves the stone"] * (kind in ("push", "pull"))
    changes = news(view, step, after, side, f"side {side}", f"side {1 - side}")
    said += [_gained(text) for text, role in changes if role == "gain"]
    if not said:  # the panel has room for one
        quiet = chain(_nearer(view, after, side), _purpose(view, step, after, side))
        said = list(islice(quiet, 1))
    return reasons(said)


def _gained(text: str) -> str:
    """Return what a step changes as a clause that is said of it."""
    if text == MORE:
        return f"it brings {text}"
    return f"it {text}" if text.startswith("stops ") else text


def _nearer(view: State, after: State, side: int) -> Iterator[str]:
    """Yield who is nearer to a push out, or farther from one, than before."""
    foe = 1 - side
    was, now = _needs(view, side), _needs(after, side)
    if now < was and now <= REACH:
        yield f"then a push out is about {_actions(now)} away"
    was, now = _needs(view, foe), _needs(after, foe)
    if now > was and was <= REACH:
        yield f"then side {foe}'s push out is about {_actions(now)} away instead of {was}"


def _needs(state: State, side: int) -> int:
    """Return how many actions about a side needs to push the stone out."""
    # Late: no table without a hint needs what bots know.
    from kumite.core.bots.kumo.worth import OWN_ABLE, QUARTERS, means, needs

    seats, arena = len(state.boards), state.arena
    own = arena.translate(OWN_ABLE[side])
    _, lanes = means(own, side, seats, sum(state.boards[side::2]))
    _, found = needs(arena, lanes, side, QUARTERS[seats][side])
    return found


def _actions(count: int) -> str:
    return f"{count} action" + "s" * (count != 1)


def _purpose(view: State, step: Step, after: State, side: int) -> Iterator[str]:
    """Yield what a step is for, by its kind."""
    kind, args = parse_step(step)
    match kind:
        case "cw" | "ccw":
            yield from _turning(view, kind, after)
        case "free":
            yield "it frees one from prison"
        case "block":
            yield "whoever is pinned has no actions in the next turn"
        case "off":
            yield "whoever climbs down can act again"
        case "grab" | "throw":
            yield from _gripped(view, args, side)
        case "place" | "change":
            square, stance = args
            yield from _shown(after, square, CALLED[stance], side)
            if kind == "place":
                yield "one Kumotori more is on the arena"
        case "walk" | "run" | "jump":
            yield from _gone(view, after, args[0], args[-1], side)


def _turning(view: State, kind: str, after: State) -> Iterator[str]:
    """Yield what a turning does: the duty, and who is nearer to it than by the other one."""
    if view.must_turn:
        yield "the turn cannot end before the arena is turned"
    other = kumo.apply(view, kumo.actors(view)[0], Step("ccw" if kind == "cw" else "cw"))
    if kumo.outcome(other):
        return
    side = view.seat & 1
    mine, theirs = (_needs(after, one) - _needs(other, one) for one in (side, 1 - side))
    if mine < 0 or theirs > 0:
        foes = f"side {1 - side}'s push out {theirs} farther off"
        rest = f"a push out {-mine} nearer" if mine < 0 else foes
        yield f"it leaves {rest} than the other turning"


def _gripped(view: State, args: tuple[int, ...], side: int) -> Iterator[str]:
    """Yield what it is good for to move somebody."""
    _, piece, goal = args
    if goal == PRISON:
        return
    was, now = _away(view.stone, piece), _away(view.stone, goal)
    if UPPER[view.arena[piece]] == side:
        if now < was:
            yield f"its friend comes nearer to the stone, to {_spaces(now)}"
    elif now > was:
        yield f"a foe is farther from the stone, {_spaces(now)} from it"
    else:
        yield f"a foe has to leave {SQUARES[piece]}"


def _shown(after: State, square: int, stance: str, side: int) -> Iterator[str]:
    """Yield what somebody can do in a stance."""
    beside = [near for near in NEAR[square] if UPPER[after.arena[near]] < 2]
    foes = [near for near in beside if UPPER[after.arena[near]] != side]
    match stance:
        case "kumo":
            yield "only as kumo can it move the stone"
        case "runner":
            yield "a runner goes two spaces in an action"
        case "jumper" if beside:
            yield f"a jumper can go over {SQUARES[beside[0]]}"
        case "grabber" | "thrower" if beside:
            yield f"it can grip {'the foe on ' * bool(foes)}{SQUARES[(foes or beside)[0]]}"
        case "blocker" if foes:
            yield f"it can pin the foe on {SQUARES[foes[0]]}"


def _gone(view: State, after: State, square: int, goal: int, side: int) -> Iterator[str]:
    """Yield what it is good for that somebody has gone from one square to another."""
    was, now = _away(view.stone, square), _away(after.stone, goal)
    if now == 1 < was:
        yield "it comes beside the stone"
    elif now < was:
        yield f"it comes nearer to the stone, to {_spaces(now)}"
    for edge in own_edges(len(view.boards), side):
        if goal in LINES[after.stone][edge]:
            yield f"it stands between the stone and its own edge in the {DIRECTIONS[edge]}"
            return


def _away(one: int, two: int) -> int:
    return abs(one // SIZE - two // SIZE) + abs(one % SIZE - two % SIZE)


def _spaces(count: int) -> str:
    return f"{count} space" + "s" * (count != 1)
