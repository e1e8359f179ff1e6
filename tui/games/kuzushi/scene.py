"""Kuzushi on the table: the growing board, hands and scores, and previews of steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from kumite.core.game import Actor, Seat, Step
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.games.kuzushi.rules import State, squares_of
from kumite.tui.games.kuzushi.words import beside, contested, leaders, square_of
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.lines import Line, Names, bar, player_rows
from kumite.tui.scenes.model import (
    RAISED,
    TURNED,
    Board,
    Cell,
    Fallen,
    Milestone,
    Past,
    Portrait,
    Scene,
    Sign,
    Trace,
    checkered,
)

PARTS: Final = ("turn",)
BARS: Final = 16  # columns of a score
BAR: Final = 8  # of all cards of a seat, and the city
BEHIND: Final = 5  # and behind its numbers, where there is no room beside them

# --- The table ---------------------------------------------------------------------------------


def scene(view: State, names: Names, look: Look, you: Seat | None, past: Past = ()) -> Scene:
    seats, facts = _seats(view, names, look, you), _facts(view, look)
    return Scene(
        _board(view, look),
        seats,
        facts,
        due="lay a card or turn one over",
        marks=(MARKS,) if look.is_drawn else (),
        side=you,
        shelves=tuple(_shelves(view, names, look, you)),
        bars=tuple(_bars(view)),
    )


def _seats(view: State, names: Names, look: Look, you: Seat | None) -> tuple[Line, ...]:
    rows = [
        ((f" {look.solid[seat]} ", f"base-{seat}"), ((" ", ""), *_figures(view, seat)))
        for seat in range(len(names))
    ]
    return player_rows(names, look, you, kuzushi.actors(view), "score left", rows, gap=0)


def _figures(view: State, seat: int) -> Line:
    """Return what lies on the table and what is left, with a bar of both behind the numbers."""
    score, left = view.score(seat), view.hand(seat)
    text, done = f"{score:2}{left:{BEHIND - 2}}", round(BEHIND * score / (score + left))
    return (text[:done], f"base-{seat}"), (text[done:], "")


def _shelves(view: State, names: Names, look: Look, you: Seat | None) -> Iterator[Line | Portrait]:
    _, *lines = _seats(view, names, look, you)
    for seat, (*line, _, _) in enumerate(lines):
        yield Portrait("base", seat)
        yield tuple(line)
        for what, number in (("score", view.score(seat)), ("left", view.hand(seat))):
            ink = f"kuzushi.bar-{seat}" if what == "score" else "quiet"
            yield ((f"  {what:<5} {number:2} ", "quiet"), (bar(number, BARS), ink))


def _bars(view: State) -> Iterator[Line]:
    """Yield a heading, and what lies on the table and is left of each seat as one bar of both."""
    yield (((f" score{'left':>{BAR + 1}}"), "quiet"),)
    for seat in range(len(view.bases)):
        score, left = view.score(seat), view.hand(seat)
        halves = 2 * BAR * score // (score + left)
        done = bar(halves, (halves + 1) // 2)
        ink = f"kuzushi.bar-{seat}"
        yield (
            (f" {score:2} ", ""),
            (done, ink),
            ("█" * (BAR - len(done)), "quiet"),
            (f" {left:2}", ""),
        )


def _facts(view: State, look: Look) -> tuple[Line, ...]:
    left, right, low, high = view.grid.box(view.cards)
    across, height = right - left + 1, high - low + 1
    size: Line = (
        (f"Board {across}{look.times}{height}", ""),
        (f" of {view.limit}{look.times}{view.limit}", "quiet"),
    )
    fight = contested(view).bit_count()
    count: Line = (
        (f"{look.contested} ", "contested"),
        (f"{fight} contested {'square' if fight == 1 else 'squares'}", ""),
    )
    return (size, count, (("Score: city, bases, flags", "quiet"),))


MARKS: Final[Line] = (
    ("• ", "target"),
    ("lay", "quiet"),
    ("  ▶◀ ", "target"),
    ("turn over", "quiet"),
)
BY_COLOUR: Final = 2  # seats that everybody can tell apart by their colours; more have signs
_SHORE: Final[Line] = (("", "/sea-a"),)  # beyond the squares that are shown


def _board(view: State, look: Look) -> Board:
    files, ranks = _shown(view)
    stride, names = 2 * view.limit, view.grid.names
    pieces, fights = _pieces(view, look), contested(view)
    window, near = view.grid.window(view.cards), beside(view, view.cards)
    has_signs = len(view.bases) > BY_COLOUR

    def cell(file: int, rank: int) -> Cell:
        square = rank * stride + file
        if not window >> square & 1:
            return Cell("", " ", "kuzushi.outside", ground=checkered("sea", file, rank))
        name, piece = names[square], pieces.get(square)
        if piece is not None:
            sign = look.solid[piece.owner or 0] if piece.sprite == "city" else piece.glyph
            return replace(piece, name=name, sign=sign if has_signs else "")
        ground = checkered("field" if near >> square & 1 else "land", file, rank)
        if fights >> square & 1:
            notes = (look.contested,)  # the facts say what it means
            return Cell(name, look.contested, "contested", ground=ground, notes=notes)
        return Cell(name, look.free, "fits", look.target, ground=ground)

    return Board(
        tuple(tuple(cell(file, rank) for file in files) for rank in reversed(ranks)),
        tuple((chr(ord("a") + f), _label(window & view.grid.files[f])) for f in files),
        tuple((str(r + 1), _label(window & view.grid.ranks[r])) for r in reversed(ranks)),
        names[view.grid.city],
        edges=(_SHORE, _SHORE),
        has_own_notes=True,
    )


def _shown(view: State) -> tuple[range, range]:
    """Return the files and ranks to show: at least those on which a card may be laid now.

    Showing few makes squares larger. Only a few sizes are used, centred on the city where possible,
    so that squares rarely change their size and place.
    """
    left, right, low, high = view.grid.box(view.cards)
    return _around(view.limit, left, right), _around(view.limit, low, high)


def _around(limit: int, first: int, last: int) -> range:
    """Return the files (or ranks) to show of a board from `first` to `last`."""
    reach = limit - 1  # maximum growth from either end, and of the grid from the city
    least, most = max(first - 1, last - reach, 0), min(last + 1, first + reach, 2 * reach)
    counts = limit // 2 + 2, limit, limit + 1
    count = next(count for count in counts if count > most - least)
    start = max(most - count + 1, min(least, reach - count // 2))
    start = max(0, min(start, 2 * reach + 1 - count))
    return range(start, start + count)


def _pieces(view: State, look: Look) -> dict[int, Cell]:
    found = {view.grid.city: _piece("city", 0, look)}
    for seat, (bases, flags) in enumerate(zip(view.bases, view.flags, strict=True)):
        found |= dict.fromkeys(squares_of(bases), _piece("base", seat, look))
        found |= dict.fromkeys(squares_of(flags), _piece("flag", seat, look))
    return found


def _piece(what: str, seat: int, look: Look) -> Cell:
    if what == "city":
        return Cell("", look.single, "kuzushi.city", sprite=what, owner=0, ground="seat-0-dim")
    glyph, ground = (look.solid, "dim") if what == "base" else (look.hollow, "flag")
    role, ground = f"{what}-{seat}", f"seat-{seat}-{ground}"
    return Cell("", glyph[seat], role, sprite=what, owner=seat, ground=ground)


def _label(squares: int) -> str:
    return "label" if squares else "kuzushi.outside"


def signs(view: State, names: Names, look: Look) -> Iterator[Sign]:
    for seat, name in enumerate(names):
        yield Sign(_piece("base", seat, look), f"a base of {name}: it stays", "base")
        said = f"a flag of {name}: it goes when others have as many bases next to it"
        yield Sign(_piece("flag", seat, look), said, "flag")
    said = f"the city: counts for {names[0]}, never moves, and holds nothing"
    yield Sign(_piece("city", 0, look), said, "city")
    yield Sign(
        Cell("", look.contested, "contested", ground="field-a", notes=(look.contested,)),
        "contested: no flag, as nobody has the most bases next to it",
        "contested",
    )
    if look.is_drawn:  # otherwise one sign stands for both
        field, land = (Cell("", look.free, "fits", ground=g) for g in ("field-a", "land-a"))
        yield Sign(field, "beside a card: a base may lie here")
        yield Sign(land, "within reach of the board, but beside no card yet")
        outside = Cell("", " ", "kuzushi.outside", ground="sea-a")
        yield Sign(outside, "outside: the board never comes here")


# --- Steps -------------------------------------------------------------------------------------


def parts(step: Step, legal: tuple[Step, ...] = ()) -> tuple[str, ...]:
    """Return the one square that is chosen: a place and a flip never share one."""
    return (square_of(step),)


def step_from_parts(view: State, seat: Seat, parts: tuple[str, ...]) -> Step:
    """Return a base on the square; if it is illegal, the rules explain why."""
    return Step(parts[0]) if len(parts) == 1 else Step("")


def ghosts(view: State, seat: Seat, step: Step, scene: Scene) -> Mapping[str, Cell]:
    """Return the squares whose flags a step would raise, as outlines, or let fall."""
    after, found = kuzushi.apply(view, seat, step), {}
    cells = {cell.name: cell for row in scene.board.rows for cell in row}
    for owner, (was, now) in enumerate(zip(view.flags, after.flags, strict=True)):
        for square in squares_of((was ^ now) & ~after.bases[owner]):
            name, is_rising = view.grid.names[square], bool(now >> square & 1)
            if (cell := cells.get(name)) is None:
                continue
            if is_rising:
                found[name] = replace(cell, sprite="flag-rising", owner=owner)
            elif name not in found:
                struck = replace(cell, sprite="flag-falling")
                found[name] = replace(struck, badge="↓", badge_role="background/loss!")
    return found


def marks(before: State, step: Step, after: State) -> Trace:
    """Return the square of the base, and those on which flags were raised, turned or taken."""
    names, base = before.grid.names, square_of(step)
    changed: dict[str, str] = {}
    taken: dict[str, Fallen] = {}
    for owner, (was, now) in enumerate(zip(before.flags, after.flags, strict=True)):
        changed |= {names[square]: RAISED for square in squares_of(now & ~was)}
        fallen = was & ~now & ~after.cards
        taken |= {names[square]: Fallen("flag", owner) for square in squares_of(fallen)}
    if step != base:
        changed[base] = TURNED
    return Trace(reached=frozenset({base}), changed=changed, taken=taken)


CLEAR: Final = 3  # points ahead; smaller leads change with nearly every step


def milestone(before: State, actor: Actor, step: Step, after: State) -> Milestone:
    """Every step is a turn; a turning point is a clear lead by a new seat."""
    is_new = all(before.bases) and leaders(before) != leaders(after)  # every seat has laid a base
    *_, second, first = sorted(after.score(seat) for seat in range(len(after.bases)))
    return Milestone(1, "lead" if is_new and first - second >= CLEAR else "")
