"""Kitsu!: Samurai slide and Foxes leap through four seasons, which a turn passes clockwise.

Rules: docs/rules/kitsu.md (decisions A1 to A16). Notation: `a5-c3` and `b6xd5` move, `d5>c7` and
`c7>xa6` pounce, `+f` takes from the Spirit Realm, `s@d3` beckons, `e3~a7` dispatches, `stop` ends
the move, `end` the turn. No chance, nothing hidden, one actor at a time.
The board is in board.py; the position, its text and bytes are in position.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from kumite.core.copying import replace
from kumite.core.errors import BadNotation, IllegalStep
from kumite.core.game import Actor, Option, Options, Outcome, Step
from kumite.core.games.kitsu.board import (
    ALL_SEASONS,
    LANDINGS,
    LEAPS,
    LINES,
    NAMES,
    NOWHERE,
    OPEN,
    RAYS,
    REALM,
    SEASONS,
    SQUARES,
    TRACKS,
    TWINS,
    crossings,
    path_of,
    set_of,
    squares_of,
)
from kumite.core.games.kitsu.position import (
    ADJACENT,
    FOX,
    KINDS,
    LIMITS,
    OPENINGS,
    SAMURAI,
    SPIRITS,
    TO_WIN,
    Clan,
    Pair,
    State,
    Variant,
)
from kumite.core.games.kitsu.position import ID as ID
from kumite.core.games.kitsu.position import pack as pack
from kumite.core.games.kitsu.position import parse as parse
from kumite.core.games.kitsu.position import text as text
from kumite.core.games.kitsu.position import unpack as unpack
from kumite.core.games.open import examples
from kumite.core.games.open import odds as odds
from kumite.core.games.open import seen as seen
from kumite.core.games.open import view as view

TITLE: Final = "Kitsu!"
RULES: Final = 1
SEATS: Final = (2,)
TEAMS: Final = False
OPTIONS: Final = (
    Option(
        "adjacent",
        4,
        ADJACENT,
        "which squares are adjacent: by a side, or by a corner too",
        "Neighbours",
        ("by a side", "by a side or a corner"),
    ),
    Option(
        "limit",
        100,
        LIMITS,
        "a draw after this many turns, counting both players'",
        "Draw after",
        tuple(f"{limit} turns" for limit in LIMITS),
    ),
    Option(
        "opening",
        4,
        OPENINGS,
        "most moves of the first turn: 4 as printed, 1 for an even start",
        "First turn",
        ("one move, a fair start", "up to four moves"),
    ),
)
SECRETS: Final = None  # no hidden information and no chance

STOP: Final = Step("stop")
END: Final = Step("end")


# --- Set-up -----------------------------------------------------------------------------------


def start(seats: int, options: Options) -> State:
    """Return the start: each clan in the two rows clockwise of its season."""
    variant = Variant(*(int(options[option.name]) for option in OPTIONS))
    spirit, none = (SPIRITS, SPIRITS), (0, 0)
    a5_d5, a6_d6 = _row("abcd", 5), _row("abcd", 6)
    e4_h4, e3_h3 = _row("efgh", 4), _row("efgh", 3)
    clans = Clan(a5_d5 | a6_d6, spirit, none, none), Clan(e4_h4 | e3_h3, spirit, none, none)
    return State(variant, 1, ALL_SEASONS, NOWHERE, 0, 0, a5_d5 | e4_h4, clans, "")


def _row(files: str, rank: int) -> int:
    return set_of(SQUARES[f"{file}{rank}"] for file in files)


def setup_of(state: State) -> tuple[int, Options]:
    return 2, {option.name: getattr(state.variant, option.name) for option in OPTIONS}


# --- Legal steps ------------------------------------------------------------------------------


def actors(state: State) -> tuple[Actor, ...]:
    """Return the seat to act, or () when the match is over."""
    return () if state.reason else (state.seat,)


def legal(state: State, actor: Actor) -> tuple[Step, ...]:
    """Return the legal steps of the current phase, sorted."""
    if state.reason or actor != state.seat:
        return ()
    match state.phase:
        case "move":
            return tuple(sorted(_moves(state)))
        case "take":
            spirit = state.clans[state.seat].spirit
            return tuple(Step(f"+{KINDS[kind]}") for kind in (FOX, SAMURAI) if spirit[kind])
        case "pounce":
            return (*_leaps(state.at, state.pieces & LANDINGS[state.at], ">", ">x"), STOP)
        case _:
            sent = (Step(f"{NAMES[a]}~{NAMES[b]}") for a, b in state.dispatches())
            return (*sent, STOP)


def _moves(state: State) -> list[Step]:
    """Return the slides, leaps and beckonings of the open seasons, and `end`, unsorted."""
    clan, pieces, samurai = state.clans[state.seat], state.pieces, state.samurai
    ready = clan.board & OPEN[state.seasons]
    steps: list[Step] = []
    for square in squares_of(ready & samurai):
        rising, falling = LINES[square]
        steps += _slides(square, 0, pieces & rising)[1]
        steps += _slides(square, 1, pieces & falling)[1]
    for square in squares_of(ready & ~samurai):
        steps += _leaps(square, pieces & LANDINGS[square], "-", "x")
    if any(clan.hand):
        places = tuple(squares_of(_beckoned(state)))
        for kind in (SAMURAI, FOX):
            if clan.hand[kind]:
                steps += [_BECKONINGS[kind][square] for square in places]
    if len(state.seasons) < 4:  # a turn has at least one move (A9)
        steps.append(END)
    return steps


@cache  # at most 5,124 entries
def _slides(origin: int, line: int, pieces: int) -> tuple[int, tuple[Step, ...]]:
    """Return the empty squares and step texts of a Samurai's slides, given the pieces on a line."""
    empty, steps = 0, []
    for ray in RAYS[origin][line::2]:
        for square in ray:
            if pieces >> square & 1:
                steps.append(Step(f"{NAMES[origin]}x{NAMES[square]}"))
                break
            empty |= 1 << square
            steps.append(Step(f"{NAMES[origin]}-{NAMES[square]}"))
    return empty, tuple(sorted(steps))


@cache  # at most 5,520 entries for each pair of marks
def _leaps(origin: int, pieces: int, quiet: str, capture: str) -> tuple[Step, ...]:
    """Return the step texts of a Fox's leaps, given the pieces where it may land; sorted."""
    marks = ((capture if pieces >> target & 1 else quiet, target) for target in LEAPS[origin])
    return tuple(sorted(Step(f"{NAMES[origin]}{mark}{NAMES[target]}") for mark, target in marks))


_BECKONINGS: Final = tuple(tuple(Step(f"{kind}@{name}") for name in NAMES) for kind in KINDS)


def _beckoned(state: State) -> int:
    """Return the empty squares of open seasons that lie on a path of any friend (A8)."""
    friends, pieces, paths = state.clans[state.seat].board, state.pieces, 0
    for square in squares_of(friends & ~state.samurai):
        paths |= TRACKS[square]
    for square in squares_of(friends & state.samurai):
        rising, falling = LINES[square]
        paths |= _slides(square, 0, pieces & rising)[0] | _slides(square, 1, pieces & falling)[0]
    return paths & ~pieces & OPEN[state.seasons]


# --- What a step does -------------------------------------------------------------------------


def apply(state: State, actor: Actor, step: Step) -> State:
    """Return the position after one step, with everything that follows automatically."""
    way = read(step)
    if way is None or actor != state.seat or state.reason or _fault(state, way):
        raise _refusal(state, actor, step)
    match way.verb:
        case "-":
            return _travel(state, way, _after(state, REALM[way.origin]), 0)
        case ">":  # all adjacent friends are used up first (A10)
            friends = state.beside & state.clans[state.seat].board
            return _travel(state, way, state.seasons, state.used | friends)
        case "+":
            return _take(state, way.kind)
        case "@":
            return _beckon(state, way, _after(state, REALM[way.target]))
        case "~":
            return _dispatch(state, way)
        case "stop":
            return _end_move(state) if state.phase == "pounce" else _complete(state, state.seasons)
        case _:
            return _end_turn(state)


def _after(state: State, season: int) -> tuple[int, ...]:
    """Return the seasons that stay open when a move starts in `season`."""
    if state.turn == 1 and state.variant.opening == 1:  # (A16)
        return ()
    if state.seasons == ALL_SEASONS:
        return ((season + 1) % 4, (season + 2) % 4, (season + 3) % 4)
    return state.seasons[state.seasons.index(season) + 1 :]


def _travel(state: State, way: Way, seasons: tuple[int, ...], used: int) -> State:
    """Slide or leap: capture, win or cross seasons; then the piece has landed."""
    seat = state.seat
    own, other = state.clans[seat], state.clans[1 - seat]
    left, reached = 1 << way.origin, 1 << way.target
    taken, reason = own.taken, ""
    if other.board & reached:  # a captured friend counts for nobody (A6)
        kind = SAMURAI if state.samurai & reached else FOX
        taken = _changed(taken, kind, +1)
        other = replace(other, board=other.board ^ reached)
        if taken[kind] == TO_WIN:
            reason = ("samurai", "foxes")[kind]
        elif not other.board:  # (A14)
            reason = "rout"
    own = replace(own, board=own.board & ~left | reached, taken=taken)
    clans = (other, own) if seat else (own, other)
    samurai = state.samurai & ~(left | reached)
    if way.kind == SAMURAI:
        samurai |= reached
    if reason:
        return replace(
            state, seasons=(), at=NOWHERE, used=0, samurai=samurai, clans=clans, reason=reason
        )
    owed, used = min(way.crossings, sum(own.spirit)), used & ~reached
    landed = replace(
        state, seasons=seasons, at=way.target, used=used, owed=owed, samurai=samurai, clans=clans
    )
    return landed if owed else _landed(landed)


def _take(state: State, kind: int) -> State:
    """Move a piece from the Spirit Realm to the hand; after the last, the move continues."""
    seat = state.seat
    own, other = state.clans[seat], state.clans[1 - seat]
    spirit, hand = _changed(own.spirit, kind, -1), _changed(own.hand, kind, +1)
    own = replace(own, spirit=spirit, hand=hand)
    clans = (other, own) if seat else (own, other)
    after = replace(state, owed=state.owed - 1, clans=clans)
    return after if after.owed else _landed(after)


def _changed(pair: Pair, kind: int, by: int) -> Pair:
    return (pair[0], pair[1] + by) if kind else (pair[0] + by, pair[1])


def _landed(state: State) -> State:
    """Let a Fox pounce if it is beside an unused friend; otherwise end the move."""
    return state if state.phase == "pounce" and state.unused else _end_move(state)


def _end_move(state: State) -> State:
    """Flip all pieces beside the mover (A11); then a Samurai may dispatch one of them (A12)."""
    samurai = state.samurai ^ (state.beside & state.pieces)
    flipped = replace(state, used=0, samurai=samurai)
    if samurai >> state.at & 1 and any(flipped.dispatches()):
        return flipped
    return _complete(flipped, state.seasons)


def _dispatch(state: State, way: Way) -> State:
    """Dispatch a piece to a twin of its square, without captures, crossings or flips."""
    moved = 1 << way.origin | 1 << way.target
    samurai = state.samurai ^ moved if state.samurai >> way.origin & 1 else state.samurai
    spring, autumn = state.clans
    if spring.board & moved:
        spring = replace(spring, board=spring.board ^ moved)
    else:
        autumn = replace(autumn, board=autumn.board ^ moved)
    sent = replace(state, samurai=samurai, clans=(spring, autumn))
    return _complete(sent, state.seasons)


def _beckon(state: State, way: Way, seasons: tuple[int, ...]) -> State:
    """Place a piece from the hand without further effects (A13); placing the last one wins."""
    seat, place = state.seat, 1 << way.target
    own, other = state.clans[seat], state.clans[1 - seat]
    own = replace(own, board=own.board | place, hand=_changed(own.hand, way.kind, -1))
    clans = (other, own) if seat else (own, other)
    samurai = state.samurai | place if way.kind == SAMURAI else state.samurai
    reason = "" if any(own.hand) or any(own.spirit) else "spirits"
    placed = replace(state, seasons=(), samurai=samurai, clans=clans, reason=reason)
    return placed if reason else _complete(placed, seasons)


def _complete(state: State, seasons: tuple[int, ...]) -> State:
    """Continue the turn after a complete move; end it if no move is left in `seasons`."""
    after = replace(state, seasons=seasons, at=NOWHERE, used=0)
    return after if _has_move(after) else _end_turn(after)


def _has_move(state: State) -> bool:
    """Return whether a slide, leap or beckoning is legal; a piece always has a slide or leap."""
    clan = state.clans[state.seat]
    if clan.board & OPEN[state.seasons]:
        return True
    return any(clan.hand) and bool(_beckoned(state))


def _end_turn(state: State) -> State:
    """Pass the turn to the other seat, or end the match after the last turn (A15)."""
    if state.turn == state.variant.limit:
        return replace(state, seasons=(), reason="limit")
    return replace(state, turn=state.turn + 1, seasons=ALL_SEASONS)


# --- Why a step is not legal ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Way:
    """A parsed step, which may be illegal."""

    verb: str  # - > + @ ~ stop end
    kind: int = NOWHERE  # taken or beckoned; for - and >, the kind that can move so, if any
    origin: int = NOWHERE
    target: int = NOWHERE
    captures: bool = False
    between: int = 0  # of a slide: the set of squares it passes
    crossings: int = 0


_STEP: Final = re.compile(
    r"([a-h][1-8])([-x~]|>x?)([a-h][1-8])|(\+)([sf])|([sf])(@)([a-h][1-8])|stop|end"
)


@lru_cache(maxsize=1 << 13)  # about 3,000 texts can be legal
def read(step: str) -> Way | None:
    """Parse the text of a step; return None if it is invalid."""
    found = _STEP.fullmatch(step)
    if found is None:
        return None
    origin, mark, target, take, taken, kind, beckon, place = found.groups()
    if take:
        return Way(take, KINDS.index(taken))
    if beckon:
        return Way(beckon, KINDS.index(kind), target=SQUARES[place])
    if not mark:
        return Way(step)
    a, b = SQUARES[origin], SQUARES[target]
    if mark == "~":
        return Way(mark, origin=a, target=b)
    path = path_of(a, b)
    is_leap = b in LEAPS[a]
    return Way(
        ">" if mark[0] == ">" else "-",
        FOX if is_leap else SAMURAI if path else NOWHERE,
        a,
        b,
        mark[-1] == "x",
        0 if is_leap else set_of(path[:-1]),
        crossings(a, path),
    )


def why(state: State, actor: Actor, step: Step) -> str:
    """Return why `step` is illegal, in terms of the rules; empty if it is legal."""
    if state.reason:
        return "the match is over"
    if actor != state.seat:
        return f"it is the turn of seat {state.seat}"
    way = read(step)
    return f"{step!r} is no step of {TITLE}" if way is None else _fault(state, way)


def _refusal(state: State, actor: Actor, step: Step) -> IllegalStep | BadNotation:
    kind = BadNotation if read(step) is None else IllegalStep
    return kind(
        f"{ID}: {why(state, actor, step)}", hint=examples(legal(state, actor), _FORMS[state.phase])
    )


_FORMS: Final = {
    "move": {"a move": "-", "capturing": "x", "from the hand": "@", "end of the turn": "end"},
    "take": {"a Samurai from the Spirit Realm": r"\+s", "a Fox": r"\+f"},
    "pounce": {"the Fox leaps again": ">", "capturing": ">x", "no more": "stop"},
    "dispatch": {"a piece sent away": "~", "none": "stop"},
    "over": {},
}


def _fault(state: State, way: Way) -> str:
    """Return what is wrong with a step of the seat to move; empty if it is legal."""
    match state.phase, way.verb:
        case "move", "-":
            return _fault_of_start(state, way) or _fault_of_path(state, way)
        case "pounce", ">" if way.origin == state.at:
            return _fault_of_path(state, way)
        case "take", "+":
            has = state.clans[state.seat].spirit[way.kind]
            return "" if has else f"no {_kind(way.kind)} is left in the Spirit Realm"
        case "move", "@":
            return _fault_of_beckoning(state, way)
        case "dispatch", "~":
            return _fault_of_dispatch(state, way)
        case "pounce" | "dispatch", "stop":
            return ""
        case "move", "end":
            made = len(state.seasons) < 4
            return "" if made else "a turn has at least one move, and none has been made"
        case phase, verb:
            return _untimely(state, phase, verb)


def _kind(kind: int) -> str:
    return "Fox" if kind else "Samurai"


def _piece(state: State, square: int) -> str:
    return f"the {_kind(FOX - (state.samurai >> square & 1))} on {NAMES[square]}"


def _untimely(state: State, phase: str, verb: str) -> str:
    if phase == "take":
        left = f"{state.owed} more" if state.owed > 1 else "a piece"
        return f"first seat {state.seat} takes {left} from its Spirit Realm, for crossing seasons"
    if phase == "pounce":
        return f"{_piece(state, state.at)} has to pounce on from there, or stop"
    if phase == "dispatch":
        return f"{_piece(state, state.at)} has to send away an adjacent piece, or stop"
    return {
        ">": "a Fox pounces only right after it has landed beside a friend",
        "+": "nothing is taken from the Spirit Realm: no piece has just crossed into a season",
        "~": "a piece is sent away only when a Samurai has just ended its move next to it",
    }.get(verb, "no move is under way that could stop")


def _closed(state: State, square: int) -> str:
    """Return that the season of a square is closed; empty if it is open."""
    if OPEN[state.seasons] >> square & 1:
        return ""
    place, *left = (SEASONS[season].title() for season in (REALM[square], *state.seasons))
    return f"{NAMES[square]} lies in {place}; this turn can only continue in {' or '.join(left)}"


def _fault_of_start(state: State, way: Way) -> str:
    if not state.clans[state.seat].board >> way.origin & 1:
        if state.pieces >> way.origin & 1:
            return f"{_piece(state, way.origin)} belongs to seat {1 - state.seat}"
        return f"no piece stands on {NAMES[way.origin]}"
    return _closed(state, way.origin)


def _fault_of_path(state: State, way: Way) -> str:
    pieces = state.pieces
    if (way.kind == SAMURAI) != (state.samurai >> way.origin & 1) or way.kind == NOWHERE:
        is_samurai = state.samurai >> way.origin & 1
        moves = "slides diagonally" if is_samurai else "leaps two squares straight, one aside"
        return f"{_piece(state, way.origin)} {moves}: not to {NAMES[way.target]}"
    if way.between & pieces:
        path = path_of(way.origin, way.target)
        first = next(square for square in path if pieces >> square & 1)
        return f"{_piece(state, way.origin)} is blocked by the piece on {NAMES[first]}"
    if pieces >> way.target & 1 and not way.captures:
        return f"a piece stands on {NAMES[way.target]}: capturing it is written with x"
    if way.captures and not pieces >> way.target & 1:
        return f"no piece stands on {NAMES[way.target]} to be captured"
    return ""


def _fault_of_beckoning(state: State, way: Way) -> str:
    if not state.clans[state.seat].hand[way.kind]:
        return f"no {_kind(way.kind)} is in the hand"
    if state.pieces >> way.target & 1:
        return f"a piece stands on {NAMES[way.target]}"
    if closed := _closed(state, way.target):
        return closed
    reached = _beckoned(state) >> way.target & 1
    return "" if reached else f"{NAMES[way.target]} lies on no path of a friend"


def _fault_of_dispatch(state: State, way: Way) -> str:
    origin, target = NAMES[way.origin], NAMES[way.target]
    if not state.beside >> way.origin & 1:
        return f"{origin} is not adjacent to {_piece(state, state.at)}"
    if not state.pieces >> way.origin & 1:
        return f"no piece stands on {origin}"
    if way.target not in TWINS[way.origin]:
        return f"{target} is no twin of {origin}: the same place in another realm"
    return f"a piece stands on {target}" if state.pieces >> way.target & 1 else ""


# --- End --------------------------------------------------------------------------------------


def outcome(state: State) -> Outcome | None:
    """Return the result, or None while the match is in progress."""
    return Outcome(state.winners, state.reason) if state.reason else None
