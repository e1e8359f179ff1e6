"""Kumo Hogosha in words: which side can move the stone, and what a step does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kumo.needs import Case, allows, heading
from kumite.core.games.kumo.notation import PRISON, parse_step
from kumite.core.games.kumo.state import (
    DIRECTIONS,
    LINES,
    NEAR,
    PIECES,
    PINNED,
    SIZE,
    SQUARES,
    STONE,
    UPPER,
)
from kumite.tui.scenes.model import Pick

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.core.game import Seat, Step
    from kumite.core.games.kumo.rules import State
    from kumite.tui.scenes.lines import Span

MORE: Final = "one action more"

# --- Who can move the stone -------------------------------------------------------------------


def movers(view: State, side: int) -> Iterator[tuple[str, int, int]]:
    """Yield kind, leader and partner of all pushes and pulls of a side, if it had the turn."""
    stone = view.stone
    case = Case(len(view.boards), side, stone)
    for leader in NEAR[stone] if stone >= 0 else ():
        for partner in NEAR[leader]:
            for kind in ("push", "pull"):
                if allows(view.arena, case, kind, (leader, partner)):
                    yield kind, leader, partner


def way_of(view: State, kind: str, leader: int) -> tuple[int, bool]:
    """Return in which direction the stone goes, and whether it goes out."""
    direction = heading(kind, view.stone, leader)
    return direction, not LINES[view.stone][direction]


def ways(view: State, side: int) -> set[str]:
    """Return how a side can move the stone: `push north`, `push out`."""
    found = set()
    for kind, leader, _ in movers(view, side):
        direction, is_out = way_of(view, kind, leader)
        found.add(f"{kind} {'out' if is_out else DIRECTIONS[direction]}")
    return found


def news(
    view: State, step: Step, after: State, side: int, who: str = "you", foe: str = "the foe"
) -> Iterator[Span]:
    """Yield what a step of `side` changes, besides what it does; the most urgent first.

    `who` and `foe` are what both sides are called.
    """
    if end := kumo.outcome(after):
        yield ("you win", "gain") if end.winners else ("the match is drawn", "title")
        return
    if after.turn != view.turn:
        if step != "done":
            yield "ends the turn", "title"
    elif after.most() > view.most():
        yield MORE, "gain"
    if new := ways(after, side) - ways(view, side):
        yield f"then {who} can {_best(new)}", "gain"
    if new := ways(after, 1 - side) - ways(view, 1 - side):
        yield f"{foe} can {_best(new)}", "loss"
    elif (old := ways(view, 1 - side)) and not ways(after, 1 - side):
        yield f"stops {foe}'s {_best(old).split()[0]}", "gain"


def _best(found: set[str]) -> str:
    """Return what matters most of the ways to move the stone."""
    pushes = {way for way in found if way.startswith("push")}
    return "push out" if "push out" in found else " or ".join(sorted(pushes or found))


# --- Choosing ---------------------------------------------------------------------------------


def pick(view: State, seat: Seat, chosen: tuple[str, ...], part: str) -> Pick:
    """Say who is chosen to act, or where."""
    if part not in SQUARES:
        return Pick(f"choose {part}")
    square = SQUARES.index(part)
    byte = view.arena[square]
    if byte == STONE:
        return Pick("choose the stone")
    if not PIECES[byte]:
        return Pick("choose this square" if chosen else "put a new wrestler here")
    side, stance = PIECES[byte][-1]
    whose = "this" if not chosen else "your" if side == seat & 1 else "their"
    return Pick(f"choose {whose} {CALLED[stance]}", CALLED[stance])


# --- Steps in words ---------------------------------------------------------------------------

CALLED: Final = ("runner", "jumper", "grabber", "thrower", "blocker", "kumo")  # by stance


@dataclass(frozen=True, slots=True)
class Voice:
    """How a step is told: to the one who may make it, or to all about the one who did."""

    who: str  # "": it is told as an order
    ending: str  # of the verb after `who`
    own: str
    foe: str

    def does(self, verb: str) -> str:
        """Return the subject of a sentence with its verb."""
        return f"{self.who} {verb}{self.ending}".lstrip()


YOU: Final = Voice("", "", "your", "the foe's")


def deed(view: State, step: Step, voice: Voice) -> str:
    """Say what a legal step does."""
    kind, args = parse_step(step)
    match kind, args:
        case "cw" | "ccw", _:
            way = "right" if kind == "cw" else "left"
            return f"{voice.does('turn')} the arena {way}"
        case "place", (square, stance):
            where = SQUARES[square]
            return f"{voice.does('place')} a {CALLED[stance]} on {where}"
        case "free", _:
            return f"{voice.does('free')} a Kumotori from prison"
        case "done", _:
            return f"{voice.does('end')} the turn"
    actor, square, goal = f"{voice.own} {_one(view, args[0])}", args[0], args[-1]
    match kind:
        case "change":
            return f"{actor} becomes a {CALLED[goal]}"
        case "walk" | "run":
            return f"{actor} {kind}s to {SQUARES[goal]}"
        case "jump":
            over = max(abs(goal // SIZE - square // SIZE), abs(goal % SIZE - square % SIZE)) - 1
            return f"{actor} jumps over {over} to {SQUARES[goal]}"
        case "block":
            return f"{actor} climbs onto {voice.foe} {_one(view, goal)} and pins it"
        case "off":
            return f"{actor} climbs down to {SQUARES[goal]}{_loose(view, square)}"
        case "grab" | "throw":
            return f"{actor} {_grip(view, kind, args, voice.foe)}"
    return f"{actor} and {SQUARES[goal]} {kind} the stone {_shove(view, kind, square)}"


def step_name(step: Step) -> str:
    """Return what a step is called within a sentence: `turning left`, `e8 as a runner`."""
    kind, args = parse_step(step)
    match kind, args:
        case "cw" | "ccw", _:
            return f"turning {'right' if kind == 'cw' else 'left'}"
        case "free" | "done", _:
            return "freeing one" if kind == "free" else "ending the turn"
        case "place", (square, stance):
            return f"a {CALLED[stance]} on {SQUARES[square]}"
        case "change", (square, stance):
            return f"{SQUARES[square]} as a {CALLED[stance]}"
        case "grab" | "throw", (taker, piece, goal):
            where = "into prison" if goal == PRISON else f"to {SQUARES[goal]}"
            does = "throwing" if kind == "throw" else "grabbing"
            return f"{SQUARES[taker]} {does} {SQUARES[piece]} {where}"
    one, other = map(SQUARES.__getitem__, args)
    said = {
        "walk": f"{one} to {other}",
        "run": f"{one} running to {other}",
        "jump": f"{one} jumping to {other}",
        "block": f"{one} pinning {other}",
        "off": f"{one} down to {other}",
    }
    return said.get(kind, f"{one} and {other} {kind}ing the stone")


def _shove(view: State, kind: str, leader: int) -> str:
    """Say where a push or pull moves the stone."""
    direction, is_out = way_of(view, kind, leader)
    if is_out:
        return f"out over the {DIRECTIONS[direction]} edge"
    return f"{DIRECTIONS[direction]} to {SQUARES[LINES[view.stone][direction][0]]}"


def _one(view: State, square: int) -> str:
    """Return the upper Kumotori of a square in words."""
    return f"{CALLED[PIECES[view.arena[square]][-1][1]]} {SQUARES[square]}"


def _loose(view: State, square: int) -> str:
    """Say who is loose once the blocker has left this square."""
    byte = view.arena[square]
    return f"; the {CALLED[PIECES[byte][0][1]]} is loose" if is_pinned(byte) else ""


def _grip(view: State, kind: str, args: tuple[int, ...], foe: str) -> str:
    taker, piece, goal = args
    is_friend = UPPER[view.arena[piece]] == UPPER[view.arena[taker]]
    whom = f"{'its friend' if is_friend else foe} {_one(view, piece)}"
    if goal == PRISON:
        return f"{kind}s {whom} into prison{_loose(view, piece)}"
    verb = "throws" if kind == "throw" else "moves"
    return f"{verb} {whom} to {SQUARES[goal]}{_loose(view, piece)}"


def is_pinned(byte: int) -> bool:
    """Tell whether somebody is pinned on a square."""
    return PINNED < byte < STONE
