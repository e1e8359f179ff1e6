"""What stands on the board of Kitsu!, what is due and what a step does, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core import text
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.board import (
    ALL_SEASONS,
    NAMES,
    NOWHERE,
    OPEN,
    REALM,
    SEASONS,
    squares_of,
)
from kumite.core.games.kitsu.position import FOX, KINDS, SAMURAI, TO_WIN
from kumite.tui.scenes.model import Pick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.core.game import Seat, Step
    from kumite.core.games.kitsu.position import State
    from kumite.tui.scenes.lines import Span

KIND_NAMES: Final = ("Samurai", "Fox")
PLURALS: Final = ("Samurai", "Foxes")
LAST_WORDS: Final = {
    "rout": "the last one on the board",
    "spirits": "the last one waiting",
    "limit": "the last turn",
}

# --- What stands on the board -----------------------------------------------------------------


def owner_of(view: State, square: int) -> int:
    """Return the seat of the piece on a square."""
    return view.clans[1].board >> square & 1


def kind_of(view: State, square: int) -> int:
    """Return whether a Samurai or a Fox stands on a square."""
    return SAMURAI if view.samurai >> square & 1 else FOX


def piece(view: State, square: int) -> str:
    """Return a piece in words: `Fox b6`."""
    return f"{KIND_NAMES[kind_of(view, square)]} {NAMES[square]}"


def listed(squares: int, most: int) -> str:
    """Return the names of squares, or the first ones and how many more there are."""
    names = [NAMES[square] for square in squares_of(squares)]
    if len(names) <= most:
        return " ".join(names)
    return " ".join([*names[: most - 1], f"+{len(names) - most + 1}"])


def in_words(squares: int, most: int) -> str:
    """Return the same as a sentence has it: `a8 and f3`, `a8, f3 and 2 more`."""
    names = [NAMES[square] for square in squares_of(squares)]
    if len(names) > most:
        names[most - 1 :] = [f"{len(names) - most + 1} more"]
    return text.listed(names)


def due(view: State) -> str:
    """Return what the phase asks for, in a few words; empty after the end."""
    match view.phase:
        case "move" if view.seasons == ALL_SEASONS:
            return "Move in any season"
        case "move":
            return "Move on, or end the turn"
        case "take":
            return f"Crossed: take {view.owed} to the hand"
        case "pounce":
            return f"{piece(view, view.at)} may pounce, or stop"
        case "dispatch":
            return f"{piece(view, view.at)} may send one off"
        case _:
            return ""


def pick(view: State, seat: Seat, chosen: tuple[str, ...], part: str) -> Pick:
    """Say which piece is chosen, to be moved or put down then."""
    if part not in NAMES:
        return Pick(f"take a {KIND_NAMES[KINDS.index(part)]} from your hand")
    square = NAMES.index(part)
    whose = "this" if owner_of(view, square) == seat else "their"
    kind = KIND_NAMES[kind_of(view, square)]
    return Pick(f"choose {whose} {kind}", kind)


# --- What a step would do ---------------------------------------------------------------------


def headline(view: State, step: Step, way: kitsu.Way) -> str:
    """Return what a step is, before what comes of it."""
    match way.verb:
        case "-" | ">":
            kind = kind_of(view, way.origin)
            verb = ("slides", "leaps")[kind] if way.verb == "-" else "pounces"
            return f"{piece(view, way.origin)} {verb} to {NAMES[way.target]}"
        case "+":
            return f"Take a {KIND_NAMES[way.kind]} to the hand"
        case "@":
            return f"Put a {KIND_NAMES[way.kind]} on {NAMES[way.target]}"
        case "~":
            whose = "your own" if owner_of(view, way.origin) == view.seat else "their"
            realm = SEASONS[REALM[way.target]].title()
            return f"Send {whose} {piece(view, way.origin)} to {NAMES[way.target]} in {realm}"
        case "stop":
            return "Stop" if view.phase == "pounce" else "Send nobody away"
        case _:
            return "End the turn"


def capture(view: State, after: State, way: kitsu.Way) -> Span:
    """Return what a step captures, and the count of that kind; one's own is a loss."""
    kind = kind_of(view, way.target)
    if owner_of(view, way.target) == view.seat:
        return f"captures own {KIND_NAMES[kind]}", "loss"
    return f"captures {KIND_NAMES[kind]} {after.clans[view.seat].taken[kind]}/{TO_WIN}", "gain"


def settled(after: State) -> State:
    """Take what is owed: of which kind does not matter to what comes then."""
    while after.phase == "take":
        after = kitsu.apply(after, after.seat, kitsu.legal(after, after.seat)[0])
    return after


def flipped(before: State, after: State, way: kitsu.Way) -> int:
    """Return the pieces that have changed their kind where they stand."""
    moved = 0
    for square in (way.origin, way.target):
        if square != NOWHERE:
            moved |= 1 << square
    return (before.samurai ^ after.samurai) & before.pieces & ~moved


def skipped(view: State, after: State, way: kitsu.Way) -> str:
    """Return the seasons with pieces of yours that a move passes over, or that `end` gives up."""
    if way.verb == "end":
        passed = view.seasons
    elif way.verb not in "-@" or after.reason or view.seasons == ALL_SEASONS:
        return ""
    else:
        season = REALM[way.target if way.verb == "@" else way.origin]
        passed = view.seasons[: view.seasons.index(season)]
    board = view.clans[view.seat].board
    return " ".join(SEASONS[season].title() for season in passed if board & OPEN[(season,)])


# --- What a step did --------------------------------------------------------------------------


def step_name(step: Step) -> str:
    """Return what a step is called within a sentence; its squares are named at the edges."""
    way = kitsu.read(step)
    assert way is not None  # a step of the rules
    match way.verb:
        case "+":
            return f"taking a {KIND_NAMES[way.kind]}"
        case "@":
            return f"a {KIND_NAMES[way.kind]} on {NAMES[way.target]}"
        case "~":
            return f"sending {NAMES[way.origin]} to {NAMES[way.target]}"
        case "-":
            to = "capturing" if way.captures else "to"
            return f"{NAMES[way.origin]} {to} {NAMES[way.target]}"
        case ">":
            return f"pouncing {'on' if way.captures else 'to'} {NAMES[way.target]}"
    return "stopping" if way.verb == "stop" else "ending the turn"


def told_step(before: State, who: str, way: kitsu.Way, names: Sequence[str]) -> str:
    """Return the sentence for a step, without what came of it."""
    match way.verb:
        case "-" | ">":
            verb = (
                ("slides", "leaps")[kind_of(before, way.origin)] if way.verb == "-" else "pounces"
            )
            return f"{who}'s {piece(before, way.origin)} {verb} to {NAMES[way.target]}"
        case "+":
            return f"{who} takes a {KIND_NAMES[way.kind]}"
        case "@":
            return f"{who} puts a {KIND_NAMES[way.kind]} on {NAMES[way.target]}"
        case "~":
            owner = owner_of(before, way.origin)
            whose = "own" if owner == before.seat else f"{names[owner]}'s"
            return f"{who} sends {whose} {piece(before, way.origin)} to {NAMES[way.target]}"
        case "stop":
            verb = "stops" if before.phase == "pounce" else "sends nobody"
            return f"{who}'s {piece(before, before.at)} {verb}"
        case _:
            return f"{who} ends the turn"


def told_capture(before: State, after: State, way: kitsu.Way, names: Sequence[str]) -> str:
    """Return what a step has captured, and the count of that kind."""
    owner, kind = owner_of(before, way.target), kind_of(before, way.target)
    if owner == before.seat:
        return f"captures own {KIND_NAMES[kind]}"
    taken = after.clans[before.seat].taken[kind]
    return f"captures {names[owner]}'s {KIND_NAMES[kind]} ({taken}/{TO_WIN})"
