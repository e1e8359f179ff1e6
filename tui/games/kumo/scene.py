"""Kumo Hogosha on the table: the arena in its current rotation, stances, prisons and duties.

A Kumotori is shown by the first letter of its stance, a capital for side 0 and a small one for side
1. A blocker precedes the one that it pins (`Br`), and `*` marks a Kumotori that can move the stone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import zip_longest
from typing import Final

from kumite.core.errors import BadNotation
from kumite.core.game import Actor, Seat, Step
from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kumo.legality import due
from kumite.core.games.kumo.rules import State
from kumite.core.games.kumo.state import (
    BLOCK,
    CAMPS,
    EAST,
    FREE,
    KUMO,
    LINES,
    NEAR,
    NORTH,
    PIECES,
    PRISON,
    ROWS,
    RUN,
    SIZE,
    SOUTH,
    SQUARES,
    STANCES,
    STONE,
    WEST,
    is_over,
    lone,
    parse_step,
    turn_ccw,
    turn_cw,
)
from kumite.core.text import listed
from kumite.tui.games.kumo.words import CALLED, DOES, LABELS, is_pinned, movers, way_of
from kumite.tui.look.glyphs import SIDES, Look
from kumite.tui.scenes.lines import Line, Named, Names, Span, fit, player_rows, shortened, width
from kumite.tui.scenes.model import (
    TURNED,
    Bar,
    Board,
    Cell,
    Chip,
    Fallen,
    Milestone,
    Outside,
    Past,
    Portrait,
    Scene,
    Shelf,
    Sign,
    Trace,
    checkered,
)
from kumite.tui.scenes.motion import Frame, after_with, board_frames, with_piece, without_piece
from kumite.tui.scenes.sentences import counted

PARTS: Final = ("turn",)
KANJI: Final = dict(zip(STANCES, "走跳掴投防雲", strict=True))
STONE_KANJI: Final = "石"
MOVER: Final = "*"  # mark of a Kumotori that can move the stone
ARROWS: Final = {WEST: 0, EAST: 1, NORTH: 2, SOUTH: 3}  # indices into `look.arrows`
_GROUND: Final = "arena-a"

# --- The table ---------------------------------------------------------------------------------


def scene(view: State, names: Names, look: Look, you: Seat | None, past: Past = ()) -> Scene:
    seats = _seats(view, names, look, you)
    mates = tuple(_mates(names, side, look) for side in (0, 1) if len(names) == 4)
    has_letters = look.is_drawn and not mates  # whose lines take the room
    return Scene(
        _arena(view, names, look, you, _edge_of_stone(past)),
        (*seats, *mates),
        _facts(view, look, you),
        tray=_tray(view, look),
        where=f"turn {view.turn} of {view.limit}",
        due=_due(view),
        side=None if you is None else you & 1,
        shelves=tuple(_shelves(view, seats, names, look)),
        letters=tuple(((line, "quiet"),) for line in _letters(look) if has_letters),
        captures_now=False,  # whoever is chosen second is moved, or stood upon
    )


def _edge_of_stone(past: Past) -> tuple[int, int] | None:
    """Return the edge over which the last step moved the stone, and from which square, if so."""
    if not past or past[0].after.stone >= 0 or past[0].before.stone < 0:
        return None
    kind, args = parse_step(past[0].step)
    return way_of(past[0].before, kind, args[0])[0], past[0].before.stone


def _arena(
    view: State, names: Names, look: Look, you: Seat | None, out: tuple[int, int] | None
) -> Board:
    seats = len(view.boards)
    movable = {one for side in (0, 1) for _, *pair in movers(view, side) for one in pair}
    cells = []
    for square, byte in enumerate(view.arena):
        ground = _floor(seats, square)
        if byte == FREE:
            notes = _owners(names, square, look)
            sign, role = _ground(seats, square, look)
            cell = Cell(SQUARES[square], sign, role, look.target, ground=ground, notes=notes)
        elif byte == STONE:
            cell = _stone(SQUARES[square], look, ground)
        else:
            *under, (side, stance) = PIECES[byte]
            mark, role = "", ""
            for pinned in under:
                mark, role = letter(*pinned), f"base-{pinned[0]}"
            if square in movable:
                mark, role = MOVER, "mover"
            cell = wrestler(SQUARES[square], side, stance, look, ground, mark, role)
            cell = replace(cell, sign=look.solid[side] * (seats == 4))  # partners share a colour
        cells.append(cell)
    row = SQUARES[ROWS[CAMPS[seats][view.seat if you is None else you]]]
    return Board(
        tuple(tuple(cells[rank::SIZE]) for rank in reversed(range(SIZE))),
        tuple((file, "label") for file in "abcdefghi"),
        tuple((str(rank + 1), "label") for rank in reversed(range(SIZE))),
        row[SIZE // 2],
        points_at_pieces=True,
        edges=(_camp(names, NORTH, look, out), _camp(names, SOUTH, look, out)),
        outside=_outside(*out, look) if out else None,
        has_own_notes=True,
    )


def _stone(name: str, look: Look, ground: str = _GROUND) -> Cell:
    sign = look.sign(STONE_KANJI, look.single)
    return Cell(name, sign, "kumo.stone", sprite="kumo-stone", ground=ground)


def _outside(edge: int, square: int, look: Look) -> Outside:
    """Return the stone beyond the edge over which it went from a square."""
    file, rank = divmod(square, SIZE)
    line = file if edge in (NORTH, SOUTH) else SIZE - 1 - rank
    stone = replace(_stone("", look), glyph=look.single)  # a kanji is too wide beside a label
    return Outside((NORTH, SOUTH, WEST, EAST).index(edge), line, stone)


def glyph(side: int, stance: int, look: Look) -> str:
    return look.sign(SIDES[side] + KANJI[STANCES[stance]], letter(side, stance))


def wrestler(
    name: str,
    side: int,
    stance: int,
    look: Look,
    ground: str = _GROUND,
    mark: str = "",
    role: str = "",
) -> Cell:
    return Cell(
        name,
        glyph(side, stance, look),
        f"base-{side}",
        mark=mark,
        sprite=f"kumo-{STANCES[stance]}",
        owner=side,
        ground=ground,
        badge=mark,
        badge_role=role,
        mat=f"mat-{side}",
    )


def letter(side: int, stance: int) -> str:
    first = STANCES[stance][0]
    return first if side else first.upper()


def signs(view: State, names: Names, look: Look) -> Iterator[Sign]:
    for stance, name in enumerate(STANCES):
        yield Sign(wrestler("", 0, stance, look), f"{CALLED[stance]}: {DOES[name]}", CALLED[stance])
    for side in (0, 1):
        whose = listed(names[side::2])
        yield Sign(wrestler("", side, RUN, look), f"a Kumotori of {whose}")
    yield Sign(
        wrestler("", 0, KUMO, look, mark=MOVER, role="mover"),
        "can move the stone now, together with a partner",
    )
    yield Sign(
        wrestler("", 0, BLOCK, look, mark=letter(1, RUN), role="base-1"),
        "has pinned a foe: the letter is the stance of the one below",
    )
    yield Sign(_stone("", look), "the stone: over the edge into a foe's camp it wins", "stone")
    for seat, camp in enumerate(CAMPS[len(names)]):
        side = seat & 1
        arrow = look.arrows[ARROWS[camp]]
        yield Sign(
            Cell("", arrow, f"kumo.camp-{side}", ground=f"edge-{side}-a"),
            f"the row along the camp of {names[seat]}",
        )


def _floor(seats: int, square: int) -> str:
    """Return the ground of a space: rows that face a camp have the colour of its side."""
    camps = [camp for camp in CAMPS[seats] if not LINES[square][camp]]
    family = f"edge-{CAMPS[seats].index(camps[0]) & 1}" if len(camps) == 1 else "arena"
    return checkered(family, *divmod(square, SIZE))


def _ground(seats: int, square: int, look: Look) -> Span:
    """Return a free space; on the closest row of a camp it has an arrow into that camp."""
    camps = sorted(camp for camp in CAMPS[seats] if not LINES[square][camp])
    if not camps:
        return look.free, "fits"
    arrows = "".join(look.arrows[ARROWS[camp]] for camp in camps)
    if len(camps) == 2:  # a corner: one camp of each side
        return arrows, "label"
    return arrows, f"kumo.camp-{CAMPS[seats].index(camps[0]) & 1}"


def _camp(names: Names, edge: int, look: Look, out: tuple[int, int] | None) -> Line:
    """Return the label of the camp beyond an edge of the arena, short beside the stone there."""
    seat = CAMPS[len(names)].index(edge)
    sign = look.arrows[ARROWS[edge]]
    mate = f", with {names[(seat + 2) % 4]}" if len(names) == 4 else ""
    short = f"{sign} {names[seat]}'s camp {sign}"
    said = Named(f"{sign} camp of {names[seat]}{mate} {sign}", short)
    if out is not None and out[0] == edge:
        said = Named(f"the stone in {names[seat]}'s camp", f"in {names[seat]}'s camp")
    return ((said, f"foreground/camp-{seat & 1}!"),)


def _owners(names: Names, square: int, look: Look) -> tuple[str, ...]:
    """Return whose camp a middle square of the west or east edge faces, as notes."""
    camp = {"a5": WEST, "i5": EAST}.get(SQUARES[square])
    if camp not in CAMPS[len(names)]:
        return ()
    name, arrow = names[CAMPS[len(names)].index(camp)], look.arrows[ARROWS[camp]]
    full = f"{arrow} {name}" if camp == WEST else f"{name} {arrow}"
    columns = range(max(LEAST, width(name)), LEAST - 1, -1)
    return full, *dict.fromkeys(shortened(name, one, look).rstrip() for one in columns), arrow


def _seats(view: State, names: Names, look: Look, you: Seat | None) -> tuple[Line, ...]:
    rows = []
    for seat, camp in enumerate(CAMPS[len(names)]):
        side = seat & 1
        arrow = (look.arrows[ARROWS[camp]], f"flag-{side}")
        figures = (f"{view.boards[seat]:4}{view.prisons[side]:7}", "")
        rows.append((_mark(side, look), ((" ", ""), arrow, figures)))
    heading = "    reserve caught"
    return player_rows(names, look, you, kumo.actors(view), heading, rows, gap=0)


def _shelves(
    view: State, seats: tuple[Line, ...], names: Names, look: Look
) -> Iterator[Line | Shelf | Portrait]:
    for seat, line in enumerate(seats[1:]):
        yield Portrait("kumo-kumo", seat & 1)
        mate = shortened(names[(seat + 2) % len(names)], MATE, look).rstrip()
        said = f"  with {mate}" if len(names) == 4 else ""
        yield (*line[:-2], ("camp ", "quiet"), line[-2], (said, "quiet"))
        row: Line = ()
        caught = "caught", view.prisons, seat & 1, 1 - (seat & 1)
        for what, counts, at, side in (("reserve", view.boards, seat, seat & 1), caught):
            count = look.solid[side] * counts[at] or look.free
            row += ((f" {what} ", "quiet"), (count, f"seat-{side}/")) * any(counts)
        yield from [row] * bool(row)
    order = sorted(STANCES, key=lambda one: (one != "kumo", one))  # as they are offered
    kinds = tuple(Bar(one, 1, 1, f"kumo-{one}") for one in order)
    yield Shelf(kinds, (1,) * len(kinds), is_legend=True)


MARKS: Final = ("ABC", "abc")  # by side, in capitals or small letters like its Kumotori


def _mark(side: int, look: Look) -> Span:
    sign = SIDES[side] if look.has_kanji else look.solid[side]
    return f" {sign} " if look.is_drawn else MARKS[side], f"base-{side}"


def _facts(view: State, look: Look, you: Seat | None) -> tuple[Line, ...]:
    return (
        *_duties(view, look, you),
        *_pairs(view, look),
        *(((line, "quiet"),) for line in _legend(view, look) if not look.is_drawn),
    )


MATE: Final = 9  # columns of each of two names
LEAST: Final = 5  # the fewest of one in a square


def _mates(names: Names, side: int, look: Look) -> Line:
    said = " with ".join(shortened(one, MATE, look).rstrip() for one in names[side::2])
    return ((f" {_mark(side, look)[0].strip()} {fit(said, 2 * MATE + len(' with '))}", "quiet"),)


def _duties(view: State, look: Look, you: Seat | None) -> Iterator[Line]:
    if is_over(view):
        return
    owed, most = view.least - view.used, view.most() - view.used
    if due(view):
        yield (("Blockers climb down first", "title"),)
    elif look.is_drawn:
        spent = min(view.used, view.least)
        extra = most - max(0, owed)  # allowed, and not owed
        pips = f" {look.solid[0]}" * max(0, owed) + f" +{extra} optional" * bool(extra)
        yield ("actions", "quiet"), (f" {look.free}" * spent, "quiet"), (pips, "title")
    elif owed > 0:
        more = f", or up to {most}" if most > owed else ""
        yield ((f"{counted(owed, 'action')} left", "title"), (more, ""))
    else:
        yield ((f"{counted(most, 'action')} more", "title"), (", or end it", ""))
    if view.turned[view.seat & 1]:
        yield (("The arena has been turned", "quiet"),)
    elif view.seat != you:
        yield (("The arena must be turned", "title" if view.must_turn else ""),)
    elif view.must_turn:
        yield (("Turn the arena once: Tab", "title"),)
    else:
        yield (("You two turn the arena: Tab", ""),)


_PAIRS: Final = 2  # pairs listed in the panel; the arena marks them all


def _pairs(view: State, look: Look) -> Iterator[Line]:
    """Yield leader, partner and directions of pairs that can move the stone, alternating sides."""
    lists: list[dict[tuple[int, int], str]] = [{}, {}]
    for side, found in enumerate(lists):
        for kind, *pair in sorted(movers(view, side), reverse=True):  # pushes come first
            direction, is_out = way_of(view, kind, pair[0])
            way = f" {kind} {'out' if is_out else look.arrows[ARROWS[direction]]}"
            found[pair[0], pair[1]] = found.get((pair[0], pair[1]), "") + way
    both = zip_longest(*(found.items() for found in lists))
    lines = [(side, *one) for row in both for side, one in enumerate(row) if one]
    more = len(lines) - _PAIRS
    for number, (side, (leader, partner), text) in enumerate(lines[:_PAIRS], 1):
        squares = f" {SQUARES[leader]}+{SQUARES[partner]}"
        rest = f", and {more} more, marked *" * (more > 0 and number == _PAIRS)
        yield _mark(side, look), (squares, "title"), (text, ""), (rest, "quiet")
    if not lines and not is_over(view):
        yield (("No pair can move the stone", "quiet"),)


_LETTERS: Final = ("Run Jump Grab Throw Block", "Kumo; K* can move the stone")
_PINNING: Final = ("Br: a blocker pins a runner",)
_SIGNS: Final = ("走run 跳jump 掴grab 投throw", "防block 雲kumo* moves 石stone")
_PINNING_SIGNS: Final = (f"{SIDES[0]}防r: it pins a runner",)


def _legend(view: State, look: Look) -> tuple[str, ...]:
    stances, pinning = (_SIGNS, _PINNING_SIGNS) if look.has_kanji else (_LETTERS, _PINNING)
    return (*stances, *pinning * any(map(is_pinned, view.arena)))


def _letters(look: Look) -> tuple[str, ...]:
    """Return what the signs mean by which squares show pieces too small to be drawn."""
    return _SIGNS if look.has_kanji else (_LETTERS[0], f"Kumo ({MOVER} moves the stone)")


def _tray(view: State, look: Look) -> tuple[Chip, ...]:
    owed = "title" if view.must_turn and not is_over(view) else ""
    roles = {"cw": owed, "ccw": owed, "free": "", "done": ""}
    return tuple(
        Chip(name, _turn(view, Step(name), look) if name in _TURNED else LABELS[name], role)
        for name, role in roles.items()
    )


def _turn(view: State, step: Step, look: Look) -> str:
    """Return the label of a turn of the arena, with the stone's next square if it moves."""
    sign = look.turns[list(_TURNED).index(step)]
    here = SQUARES[view.stone] if view.stone >= 0 else ""
    goal = _turned_names(step).get(here, "")
    if goal == here or is_over(view):
        return f"{LABELS[step]} {sign}".rstrip()
    short = f"{LABELS[step].replace(' arena', '')} {sign}".rstrip()  # the panel is narrow
    return f"{short} stone to {goal}"


def _due(view: State) -> str:
    if due(view):
        return "let blockers climb down first"
    owed = view.least - view.used
    return f"{counted(owed, 'action')} left" if owed > 0 else "continue, or end the turn"


# --- Steps -------------------------------------------------------------------------------------


def parts(step: Step, legal: tuple[Step, ...] = ()) -> tuple[str, ...]:
    """Return the acting Kumotori, then its target; a stance, push or pull comes last."""
    kind, args = parse_step(step)
    if not args:
        return (step,)
    if kind in ("place", "change"):
        return SQUARES[args[0]], f"={STANCES[args[1]]}"
    squares = tuple("x" if one == PRISON else SQUARES[one] for one in args)
    return (*squares, kind) if kind in ("push", "pull") else squares


def step_from_parts(view: State, seat: Seat, parts: tuple[str, ...]) -> Step:
    first, *rest = parts
    if first not in SQUARES:
        meant = first
    elif not rest or rest[0].startswith("="):
        meant = _setting(view, first, *rest)
    elif rest[0] in SQUARES and rest[-1] not in parts[:-1]:
        meant = _movement(view, seat & 1, first, *rest)
    else:  # the cursor is still on the last choice
        meant = ""
    try:
        parse_step(meant)
    except BadNotation:
        return Step("")
    return Step(meant)


def _setting(view: State, name: str, stance: str = "") -> str:
    """Return the placing on a free space, or the change of stance of the Kumotori there."""
    square = SQUARES.index(name)
    if view.arena[square] == FREE:
        return f"+{name}{stance or '=run'}"
    shown = view.arena[square] in (lone(0, RUN), lone(1, RUN))
    return f"{name}{stance or ('=kumo' if shown else '=run')}"


def _movement(view: State, side: int, name: str, to: str, last: str = "") -> str:
    """Return the movement of the Kumotori on a square, as far as it is given."""
    square, goal = SQUARES.index(name), SQUARES.index(to)
    pieces = PIECES[view.arena[square]]
    if len(pieces) != 1:
        return f"off:{name}-{to}" * bool(pieces)  # a free space needs a stance
    stance = STANCES[pieces[0][1]]
    if stance in ("grab", "throw"):
        some = SQUARES[NEAR[goal if stance == "grab" else square][0]]  # any: the grip is illegal
        return f"{stance}:{name}:{to}-{last or some}"
    if stance == "kumo" and view.arena[goal] == lone(side, KUMO):
        return f"{last or 'push'}:{name}+{to}"
    if stance == "kumo" or (stance in ("run", "jump") and goal in NEAR[square]):
        return f"{name}-{to}"
    return f"{stance}:{name}-{to}"


_TURNED: Final = {"cw": turn_cw, "ccw": turn_ccw}
_TURN_SIGNS: Final = {
    Step(step): dict.fromkeys(("a1", "a9", "i1", "i9"), sign)
    for step, sign in (("cw", "↻"), ("ccw", "↺"))
}


def marks(before: State, step: Step, after: State) -> Trace:
    """Return the squares that a step has left and reached, including those of pushed pieces.

    Arrows show which way the stone went, and all that it pushed or drew along. Turning the arena
    changes nothing but moves all squares.
    """
    if step in _TURNED:
        return Trace(moves=_turned_names(step), signs=_TURN_SIGNS[step])
    kind, args = parse_step(step)
    if sum(after.prisons) > sum(before.prisons):
        captor, victim, _ = args
        side, stance = PIECES[before.arena[victim]][-1]
        fallen = {SQUARES[victim]: Fallen(f"kumo-{STANCES[stance]}", side)}
        return Trace(_names({victim}), _names({captor}), taken=fallen)  # it went to the captor
    touched = {SQUARES.index(one) for one in parts(step) if one in SQUARES}
    signs: dict[str, str] = {}
    if before.stone != after.stone:
        arenas = zip(before.arena, after.arena, strict=True)
        touched |= {square for square, (was, now) in enumerate(arenas) if was != now}
        touched |= {square for square in (before.stone, after.stone) if square >= 0}
        from_to = (args[0], before.stone) if after.stone < 0 else (before.stone, after.stone)
        way = from_to[1] - from_to[0]
        signs = {SQUARES[one]: SQUARES[one + way] for one in touched if one + way in NEAR[one]}
    else:
        touched = {one for one in touched if before.arena[one] != after.arena[one]}
    left = {one for one in touched if after.arena[one] == FREE}
    onto = {args[-1]} if kind == "block" else set()
    onto |= {before.stone} if after.stone < 0 else set()  # the leader follows the stone
    reached = {one for one in touched - left if before.arena[one] == FREE} | onto
    changed = dict.fromkeys(_names(touched - left - reached), TURNED)
    return Trace(_names(left), _names(reached), changed, signs=signs)


@cache
def _turned_names(step: Step) -> Mapping[str, str]:
    turned = _TURNED[step](bytes(range(len(SQUARES))))
    return {SQUARES[old]: SQUARES[new] for new, old in enumerate(turned)}


def _names(squares: set[int]) -> frozenset[str]:
    return frozenset(SQUARES[square] for square in squares)


# --- Motion -----------------------------------------------------------------------------------


def milestone(before: State, actor: Actor, step: Step, after: State) -> Milestone:
    """A turn ends when the next begins; turning points: the stone is moved, a prisoner taken."""
    ends = int(after.turn != before.turn or is_over(after))
    if parse_step(step)[0] in ("push", "pull"):
        return Milestone(ends, "stone")
    return Milestone(ends, "prisoner" if sum(after.prisons) > sum(before.prisons) else "")


def place_in_turn(view: State) -> tuple[int, int]:
    return view.used + 1, view.least


TURNS: Final = {"cw": 1, "ccw": -1}  # the steps that turn the arena, and their direction
ANGLES: Final = (0, 30, 60)  # degrees of the frames; in the first one the direction is seen
TURNING: Final = 0.12  # s for each of them


def frames(before: Scene, after: Scene, step: Step) -> tuple[Frame, ...]:
    if step not in TURNS:
        return board_frames(before, after, _shifted(step), is_chain=True)
    return tuple(Frame(turned(before, n, TURNS[step]), TURNING) for n in ANGLES)


def _shifted(step: Step) -> Mapping[str, str] | None:
    """Return where the stone and a pair go; None: nothing is pushed or pulled."""
    kind, args = parse_step(step)
    if kind not in ("push", "pull"):
        return None
    leader, partner = args
    forth = leader - partner
    way = forth if kind == "push" else -forth
    three = leader + forth, leader, partner
    return {SQUARES[one]: SQUARES[one + way] for one in three if one + way in NEAR[one]}


def turned(scene: Scene, degrees: int, way: int) -> Scene:
    """Return the arena with everything on it rotated about its centre, or before it, with signs.

    Each piece moves along its square ring, so that no two pieces share a space. Kumotori lose their
    figures on the way: a full arena in a few pictures would be too many bytes for a slow line.
    """
    rows = scene.board.rows
    middle = len(rows) // 2
    standing = [
        (x, y, cell) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell.sprite
    ]
    cells = {cell.name: without_piece(cell, cell.ground) for *_, cell in standing}
    for x, y, piece in standing:
        right, down = _walked(x - middle, y - middle, degrees, way)
        there = rows[middle + down][middle + right]
        if piece.mat and there is not piece:
            piece = replace(piece, sprite="kumo-turning", mat="", badge="", sign="")
        cells[there.name] = with_piece(cells.get(there.name, there), piece)
    for corner in () if degrees else (rows[0][0], rows[0][-1]):
        if not (corner.sprite or corner.glyph.isascii()):
            sign = "↻" if way > 0 else "↺"
            cells[corner.name] = replace(corner, glyph=sign, aim="", notes=(sign,))
    return after_with(scene, cells)


def _walked(right: int, down: int, degrees: int, way: int) -> tuple[int, int]:
    """Return a space of a ring about (0, 0) after rotation; 90 degrees are one side of the ring.

    `way` is -1 for counter-clockwise turns, in which left and right are swapped.
    """
    ring = max(abs(right), abs(down))
    right *= way
    for _ in range(round(2 * ring * degrees / 90)):
        if down == -ring and right < ring:
            right += 1
        elif right == ring and down < ring:
            down += 1
        elif down == ring and right > -ring:
            right -= 1
        else:
            down -= 1
    return right * way, down
