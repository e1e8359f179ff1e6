"""Kitsu! on the table: the four seasons, both clans' pieces off the board, and previews."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from kumite.core.game import Actor, Seat, Step
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.board import (
    ALL_SEASONS,
    NAMES,
    NOWHERE,
    REALM,
    SEASONS,
    SQUARES,
    squares_of,
)
from kumite.core.games.kitsu.position import FOX, KINDS, SAMURAI, TO_WIN, State
from kumite.tui.games.kitsu.words import (
    KIND_NAMES,
    PLURALS,
    captured,
    due,
    flipped,
    kind_of,
    listed,
    owner_of,
    read,
    to_place,
)
from kumite.tui.look.glyphs import SIDES, Look
from kumite.tui.scenes.lines import Elastic, Line, Named, Names, Span, broadest, called, fit, width
from kumite.tui.scenes.model import (
    TURNED,
    Board,
    Borders,
    Cell,
    Chip,
    Fallen,
    Milestone,
    Past,
    Portrait,
    Scene,
    Shelf,
    Sign,
    Trace,
    checkered,
)
from kumite.tui.scenes.motion import Frame, board_frames

PARTS: Final = ("turn",)
NEAR: Final = 1  # a clan this close to winning is highlighted
SPRITES: Final = ("samurai", "fox")  # by kind
KANJI: Final = "侍狐"  # by kind
MOVER, SPENT = "*", "-"  # marks of the moving piece, and of those that cannot be used again

# --- The table ---------------------------------------------------------------------------------


def scene(view: State, names: Names, look: Look, you: Seat | None, past: Past = ()) -> Scene:
    seats = _seats(view, names, look, you)
    year, tray = _year(view, look), _tray(view, look, you)
    awaited = due(view)
    return Scene(
        _board(view, look),
        seats,
        _facts(view),
        year,
        tray,
        where=f"turn {view.turn}",
        due=awaited if awaited.startswith(KIND_NAMES) else f"{awaited[:1].lower()}{awaited[1:]}",
        side=you,
        shelves=tuple(_shelves(view, seats)),
        captures_now=view.phase != "dispatch",
    )


PANEL_NAME: Final = 12  # minimum columns for a name beside the two kinds
_WIDE: Final = (7, 6)  # columns of Samurai and Foxes in the panel


def _seats(view: State, names: Names, look: Look, you: Seat | None) -> tuple[Line, ...]:
    room = broadest(names, PANEL_NAME)
    lines: list[Line] = []
    for seat, (name, clan) in enumerate(zip(names, view.clans, strict=True)):
        near = "contested" if to_place(clan) <= NEAR else ""
        lines.append(
            (
                (look.pointer if seat in kitsu.actors(view) else " ", "title"),
                (look.solid[seat] if look.is_drawn else " ", f"seat-{seat}/"),
                (" ", ""),
                (Elastic(called(name, room, look, is_you=seat == you)), "title"),
                (" ", ""),
                *(
                    (f"{PLURALS[kind]:>{wide}}", piece_role(seat, kind))
                    for kind, wide in enumerate(_WIDE)
                ),
            )
        )
        lines += [
            ((f"   {what}", "quiet"), (Elastic(" " * (room - len(what) + 1)), ""), *_counts(counts))
            for what, counts in (
                ("Spirit Realm", [(str(count), near) for count in clan.spirit]),
                ("in hand", [(str(count), near) for count in clan.hand]),
                ("captured", [_captured(count, 1 - seat, look) for count in clan.taken]),
            )
        ]
    return tuple(lines)


def _shelves(view: State, seats: tuple[Line, ...]) -> Iterator[Line | Shelf | Portrait]:
    """Yield the same with captured pieces as pictures."""
    each = len(seats) // len(view.clans)
    for seat, clan in enumerate(view.clans):
        yield Portrait(SPRITES[SAMURAI], seat)
        yield from seats[seat * each : (seat + 1) * each - 1]
        yield Shelf(captured(seat, clan), (TO_WIN, TO_WIN))


def piece_role(seat: int, kind: int) -> str:
    """Return the role of a piece; the kinds differ in colour so that they are easy to find."""
    return f"flag-{seat}" if kind else f"base-{seat}"


def _counts(counts: Iterable[Span]) -> Line:
    return tuple(
        (f"{said:>{wide}}", role) for (said, role), wide in zip(counts, _WIDE, strict=True)
    )


def _captured(count: int, owner: int, look: Look) -> Span:
    """Return a sign for each captured piece, and a dot for each that is still missing."""
    role = "contested" if count >= TO_WIN - NEAR else f"seat-{owner}/" * look.is_drawn
    slots = look.solid[owner] * count + look.free * (TO_WIN - count)
    return slots if look.is_drawn else f"{count}/{TO_WIN}", role


def _year(view: State, look: Look) -> tuple[Line, Line]:
    """Return the seasons as they lie on the board, each with an arrow to the next."""
    spring, summer, autumn, winter = (
        _season(view, look, realm, look.arrows[NEXT[realm]]) for realm in ALL_SEASONS
    )
    return (summer, autumn), (spring, winter)


NEXT: Final = (2, 1, 3, 0)  # by season: the way to the next one, an index into `look.arrows`


_SEASONS_KANJI: Final = "春夏秋冬"
_SEASON: Final = 12  # columns of a season and its state: `SUMMER open`


def _season(view: State, look: Look, realm: int, way: str) -> Span:
    """Return the words for a season, with a space at the end to separate it from the next."""
    name, sign = SEASONS[realm], look.sign(_SEASONS_KANJI[realm], "")
    wide = _SEASON + width(sign)
    if realm in _lit(view):
        said = "" if view.reason else " open"
        full, short, ink = f"{sign}{name.upper()}{said}", name.upper(), f"foreground/{name}-a!"
    else:
        full, short, ink = f"{sign}{name} shut", name, f"foreground/{name}-shut-a"
    return Named(f"{fit(full, wide)}{way} ", f"{short} {way} "), ink


def _lit(view: State) -> tuple[int, ...]:
    """Return the seasons that are drawn bright: the open ones, or all at the end of the match.

    At the end the final position should be easy to see.
    """
    return ALL_SEASONS if view.reason else view.seasons


def _tray(view: State, look: Look, you: Seat | None) -> tuple[Chip, ...]:
    if you is None:
        return ()
    return tuple(
        Chip(
            KINDS[kind],
            f"{look.sign(KANJI[kind], '')} {PLURALS[kind]} {look.times}{count}".lstrip(),
            piece_role(you, kind),
        )
        for kind, count in enumerate(view.clans[you].hand)
        if count
    )


_MIDDLE: Final = (3,)  # row and column before the borders of the realms


def _board(view: State, look: Look) -> Board:
    ranks = tuple(reversed(range(8)))
    notes = {_corner(view, realm): _notes(look, realm) for realm in ALL_SEASONS}
    rows = tuple(
        tuple(
            replace(cell, notes=notes[square]) if square in notes else cell
            for square in range(rank, len(NAMES), 8)
            for cell in [_cell(view, look, square)]
        )
        for rank in ranks
    )
    return Board(
        rows,
        tuple((file, "label") for file in "abcdefgh"),
        tuple((str(rank + 1), "label") for rank in ranks),
        "d5",
        points_at_pieces=True,
        borders=Borders(_MIDDLE, _MIDDLE, *look.border),
        edges=_year(view, look),
    )


def _corner(view: State, realm: int) -> int:
    """Return the free square nearest to the corner of the board, or -1."""
    outer = (square for square in range(len(NAMES)) if square % 8 in (0, 7))
    free = [one for one in outer if REALM[one] == realm and not view.pieces >> one & 1]
    return min(free, key=lambda one: min(one // 8, 7 - one // 8), default=-1)


def _notes(look: Look, realm: int) -> tuple[str, ...]:
    name, arrow = SEASONS[realm].title(), look.arrows[NEXT[realm]]
    return f"{name} {arrow}", look.sign(_SEASONS_KANJI[realm], name[:2]) + arrow


def _cell(view: State, look: Look, square: int) -> Cell:
    name, realm, place = NAMES[square], REALM[square], 1 << square
    shut = "" if realm in _lit(view) else "-shut"
    ground = checkered(SEASONS[realm] + shut, *divmod(square, 8))
    if view.pieces & place:
        seat, kind = owner_of(view, square), kind_of(view, square)
        role, mark = piece_role(seat, kind), ""
        if square == view.at:
            role, mark = "mover", MOVER
        elif view.used & place:
            role, mark = "kitsu.spent", SPENT
        sprite = SPRITES[kind]
        badge = role if mark else ""
        return Cell(
            name, glyph(look, seat, kind), role, "", mark, sprite, seat, ground, mark, badge
        )
    if realm in _lit(view):
        season = f"kitsu.{SEASONS[realm]}"
        return Cell(name, look.quarters[realm], season, look.target, ground=ground)
    return Cell(name, look.faint[realm], "fits", look.target, ground=ground)


_LETTERS: Final = ("SF", "sf")  # by seat, by kind: as in the rules


def glyph(look: Look, seat: int, kind: int) -> str:
    return look.sign(SIDES[seat] + KANJI[kind], _LETTERS[seat][kind])


MOST_USED: Final = 7  # squares named, of the friends used up in a chain of pounces


def _facts(view: State) -> tuple[Line, ...]:
    lines: list[Line] = [
        ((f"Turn {view.turn}", ""), (f", draw after {view.variant.limit}", "quiet"))
    ]
    if awaited := due(view):
        mover: Line = ((f"{MOVER} ", "title"),) if view.at != NOWHERE else ()
        lines.append((*mover, (awaited, "title")))
    if view.used:
        lines.append(((f"{SPENT} used to pounce: ", "quiet"), (listed(view.used, MOST_USED), "")))
    return tuple(lines)


_MOVES: Final = (
    "a Samurai slides along a diagonal",
    "a Fox leaps two squares straight and one aside",
)


def signs(view: State, names: Names, look: Look) -> Iterator[Sign]:
    for seat, name in enumerate(names):
        for kind in (SAMURAI, FOX):
            yield Sign(_piece(look, seat, kind), f"{name}: {_MOVES[kind]}", KIND_NAMES[kind])
            if look.is_drawn:  # pieces are pictures, and the captor covers the captured one
                said = f"the last step captured a {KIND_NAMES[kind]} of {name} here"
                yield Sign.of(f"×{_LETTERS[seat][kind]}", f"background/seat-{seat}!", said)
    yield Sign(
        _piece(look, view.seat, FOX, MOVER, "mover"),
        "in the middle of its move: it may pounce, or send a neighbour off",
    )
    yield Sign(
        _piece(look, view.seat, FOX, SPENT, "kitsu.spent"),
        "has already helped in this chain of pounces",
    )
    for realm, season in enumerate(SEASONS):
        name = season.title()
        yield Sign(
            Cell("", look.quarters[realm], f"kitsu.{season}", ground=f"{season}-a"),
            f"{name} while it is open: pieces there may begin a move",
        )
        yield Sign(
            Cell("", look.faint[realm], "fits", ground=f"{season}-shut-a"),
            f"{name} while it is shut until the next turn",
        )


def _piece(look: Look, seat: int, kind: int, mark: str = "", role: str = "") -> Cell:
    return Cell(
        "",
        glyph(look, seat, kind),
        role or piece_role(seat, kind),
        mark=mark,
        sprite=SPRITES[kind],
        owner=seat,
        ground="spring-a",
        badge=mark,
        badge_role=role,
    )


# --- Steps -------------------------------------------------------------------------------------


def parts(step: Step, legal: tuple[Step, ...] = ()) -> tuple[str, ...]:
    """Return origin and target; for a pounce only the target, as the Fox is given."""
    way = read(step)
    match way.verb:
        case "-" | "~":
            return (NAMES[way.origin], NAMES[way.target])
        case ">":
            return (NAMES[way.target],)
        case "@":
            return (KINDS[way.kind], NAMES[way.target])
        case _:
            return (step,)


def step_from_parts(view: State, seat: Seat, parts: tuple[str, ...]) -> Step:
    """Return the slide, leap, pounce, beckoning or dispatch from the first part to the second."""
    *origin, target = parts
    if target not in SQUARES:
        return Step("")
    taken = "x" if view.pieces >> SQUARES[target] & 1 else ""
    if view.phase == "pounce" and not origin:
        return Step(f"{NAMES[view.at]}>{taken}{target}")
    if len(origin) != 1:
        return Step("")
    if origin[0] in KINDS:
        return Step(f"{origin[0]}@{target}")
    if view.phase == "dispatch":
        return Step(f"{origin[0]}~{target}")
    return Step(f"{origin[0]}{taken or '-'}{target}")


def marks(before: State, step: Step, after: State) -> Trace:
    way = read(step)
    left, reached = (
        frozenset({NAMES[square]} if square != NOWHERE else ())
        for square in (way.origin, way.target)
    )
    turned = {NAMES[square]: TURNED for square in squares_of(flipped(before, after, way))}
    taken = {}
    if way.captures:
        kind, owner = kind_of(before, way.target), owner_of(before, way.target)
        taken[NAMES[way.target]] = Fallen(
            SPRITES[kind], owner, _LETTERS[owner][kind], KIND_NAMES[kind]
        )
    return Trace(left, reached, turned, taken=taken)


def frames(before: Scene, after: Scene, step: Step) -> tuple[Frame, ...]:
    """Animate the one piece that moves: a captured one is none that flips elsewhere."""
    way = read(step)
    return board_frames(
        before, after, {NAMES[way.origin]: NAMES[way.target]} if way.origin != NOWHERE else {}
    )


def milestone(before: State, actor: Actor, step: Step, after: State) -> Milestone:
    """A turn ends when the other clan's begins; captures are turning points."""
    ends = int(after.turn != before.turn or bool(after.reason))
    return Milestone(ends, "capture" if read(step).captures else "")


# --- Shared ------------------------------------------------------------------------------------


def at_end(view: State) -> State:
    """Return the position as at the end of a match, with no open seasons and nothing due."""
    return view if view.reason else replace(view, seasons=(), at=NOWHERE, used=0, reason="ended")
