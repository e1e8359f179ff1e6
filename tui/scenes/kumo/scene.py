"""Kumo Hogosha on the table: the arena as it is turned now, camps, stances, prisons, what is owed.

A Kumotori is the first letter of its stance, a capital one for side 0 and a small one for side 1;
a blocker stands before the one that it pins (`Br`), and `*` marks who can move the stone.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from kumite.core.errors import BadNotation
from kumite.core.game import Step
from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kumo.listing import due
from kumite.core.games.kumo.needs import heading
from kumite.core.games.kumo.notation import parse_step
from kumite.core.games.kumo.state import (
    CAMPS,
    FREE,
    KUMO,
    LINES,
    NEAR,
    NORTH,
    PIECES,
    ROWS,
    RUN,
    SIZE,
    SOUTH,
    SQUARES,
    STANCES,
    STONE,
    is_over,
    lone,
)
from kumite.tui.look.glyphs import SIDES
from kumite.tui.scenes.kumo import legend, merits, motion, trace, words
from kumite.tui.scenes.kumo.legend import ARROWS, MOVER, STONE_KANJI, letter, wrestler
from kumite.tui.scenes.kumo.words import (
    YOU,
    Voice,
    deed,
    is_pinned,
    movers,
    news,
    way_of,
)
from kumite.tui.scenes.lines import Elastic, Line, Span, broadest, plain, player
from kumite.tui.scenes.model import Board, Cell, Chip, Milestone, Scene, checkered, no_interlude

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.core.game import Actor, Seat
    from kumite.core.games.kumo.rules import State
    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes.model import Happening
    from kumite.tui.scenes.motion import Frame

ID: Final = kumo.ID
PARTS: Final = ("turn",)

MARKS: Final = ("ABC", "abc")  # by side, as its letters are written
HINT: Final = 70  # columns of a preview
_PAIRS: Final = 2  # pairs listed in the panel; the arena marks them all


def scene(
    view: State,
    names: Sequence[str],
    look: Look,
    you: Seat | None,
    past: Sequence[Happening] = (),
) -> Scene:
    """Return the arena, a line for each seat, what the turn still owes, and the turnings."""
    return Scene(
        _arena(view, names, look, you),
        _seats(view, names, look, you),
        _facts(view, look),
        tray=_tray(view, look),
        where=f"turn {view.turn} of {view.limit}",
        due=_due(view),
        hue=f"flag-{view.seat & 1}",
        side=None if you is None else you & 1,
    )


def _due(view: State) -> str:
    """Return what the turn still asks for, in a few words."""
    if due(view):
        return "blockers climb down first"
    owed = view.least - view.used
    return f"{_actions(owed)} left" if owed > 0 else "go on, or end the turn"


# --- The arena --------------------------------------------------------------------------------


def _arena(view: State, names: Sequence[str], look: Look, you: Seat | None) -> Board:
    seats = len(view.boards)
    movable = {one for side in (0, 1) for _, *pair in movers(view, side) for one in pair}
    cells = []
    for square, byte in enumerate(view.arena):
        ground = _floor(seats, square)
        if byte == FREE:
            cell = Cell(SQUARES[square], *_ground(seats, square, look), look.target, ground=ground)
        elif byte == STONE:
            sign = look.sign(STONE_KANJI, look.city)
            cell = Cell(SQUARES[square], sign, "stone", sprite="kumo-stone", ground=ground)
        else:
            *under, (side, stance) = PIECES[byte]
            mark, role = "", ""
            for pinned in under:
                mark, role = letter(*pinned), f"base-{pinned[0]}"
            if square in movable:
                mark, role = MOVER, "mover"
            cell = wrestler(SQUARES[square], side, stance, look, ground, mark, role)
        cells.append(cell)
    row = SQUARES[ROWS[CAMPS[seats][view.seat if you is None else you]]]
    return Board(
        tuple(tuple(cells[rank::SIZE]) for rank in reversed(range(SIZE))),
        tuple((file, "label") for file in "abcdefghi"),
        tuple((str(rank + 1), "label") for rank in reversed(range(SIZE))),
        row[SIZE // 2],
        points_at_pieces=True,
        edges=(_camp(names, NORTH, look), _camp(names, SOUTH, look)),
    )


def _camp(names: Sequence[str], edge: int, look: Look) -> Line:
    """Return whose camp lies beyond an edge of the arena."""
    seat = CAMPS[len(names)].index(edge)
    arrow = look.arrows[ARROWS[edge]]
    return ((f"{arrow} camp of {names[seat]} {arrow}", f"foreground/camp-{seat & 1}!"),)


def _floor(seats: int, square: int) -> str:
    """Return the ground of a space: rows that face a camp are in its side's colour."""
    camps = [camp for camp in CAMPS[seats] if not LINES[square][camp]]
    family = f"edge-{CAMPS[seats].index(camps[0]) & 1}" if len(camps) == 1 else "arena"
    return checkered(family, *divmod(square, SIZE))


def _mark(side: int, look: Look) -> Span:
    sign = SIDES[side] if look.has_kanji else look.solid[side]
    return f" {sign} " if look.is_drawn else MARKS[side], f"base-{side}"


def _ground(seats: int, square: int, look: Look) -> Span:
    """Return a free space: on the closest row of a camp, an arrow into that camp."""
    camps = sorted(camp for camp in CAMPS[seats] if not LINES[square][camp])
    if not camps:
        return look.free, "fits"
    arrows = "".join(look.arrows[ARROWS[camp]] for camp in camps)
    if len(camps) == 2:  # a corner: one camp of each side
        return arrows, "label"
    return arrows, f"flag-{CAMPS[seats].index(camps[0]) & 1}"


# --- Beside the arena -------------------------------------------------------------------------


def _seats(view: State, names: Sequence[str], look: Look, you: Seat | None) -> tuple[Line, ...]:
    wide = broadest(names)
    to_act = kumo.actors(view)
    lines: list[Line] = [((Elastic(" " * wide), ""), ("    reserve caught", "quiet"))]
    for seat, name in enumerate(names):
        side, camp = seat & 1, CAMPS[len(names)][seat]
        lines.append(
            (
                *player(
                    name,
                    wide,
                    look,
                    _mark(side, look),
                    is_to_act=seat in to_act,
                    is_you=seat == you,
                    gap=0,
                ),
                (look.arrows[ARROWS[camp]], f"flag-{side}"),
                (f"{view.boards[seat]:4}{view.prisons[side]:7}", ""),
            )
        )
    return tuple(lines)


def _facts(view: State, look: Look) -> tuple[Line, ...]:
    return (
        *_duties(view),
        *_pairs(view, look),
        *(((line, "quiet"),) for line in _legend(view, look) if not look.is_drawn),
    )


def _legend(view: State, look: Look) -> tuple[str, ...]:
    """Say what the glyphs on the arena mean."""
    stances, pinning = (_SIGNS, _PINNING_SIGNS) if look.has_kanji else (_LETTERS, _PINNING)
    return (*stances, *pinning * any(map(is_pinned, view.arena)))


_LETTERS: Final = ("Run Jump Grab Throw Block", "Kumo; K* can move the stone")
_PINNING: Final = ("Br: a blocker pins a runner",)
_SIGNS: Final = ("走run 跳jump 掴grab 投throw", "防block 雲kumo* moves 石stone")
_PINNING_SIGNS: Final = (f"{SIDES[0]}防r: it pins a runner",)


def _duties(view: State) -> Iterator[Line]:
    """Yield how many actions are left, and whether the arena must be turned."""
    if is_over(view):
        return
    owed, most = view.least - view.used, view.most() - view.used
    if due(view):
        yield (("Blockers climb down first", "title"),)
    elif owed > 0:
        more = f", or up to {most}" if most > owed else ""
        yield ((f"{_actions(owed)} left", "title"), (more, ""))
    else:
        yield ((f"{_actions(most)} more", "title"), (", or end it", ""))
    if view.turned[view.seat & 1]:
        yield (("The arena has been turned", "quiet"),)
    elif view.must_turn:
        yield (("Still due: turn the arena", "title"),)
    else:
        yield (("You or your mate must turn", ""),)


def _actions(count: int) -> str:
    return f"{count} action" if count == 1 else f"{count} actions"


def _pairs(view: State, look: Look) -> Iterator[Line]:
    """Yield leader, partner and ways of pairs that can move the stone, of each side in turn."""
    lists: list[dict[tuple[int, int], str]] = [{}, {}]
    for side, found in enumerate(lists):
        for kind, *pair in sorted(movers(view, side), reverse=True):  # who can push comes first
            direction, is_out = way_of(view, kind, pair[0])
            way = f" {kind} {'out' if is_out else look.arrows[ARROWS[direction]]}"
            found[pair[0], pair[1]] = found.get((pair[0], pair[1]), "") + way
    both = zip_longest(*(found.items() for found in lists))
    lines = [(side, *one) for row in both for side, one in enumerate(row) if one]
    for side, (leader, partner), text in lines[:_PAIRS]:
        squares = f" {SQUARES[leader]}+{SQUARES[partner]}"
        yield _mark(side, look), (squares, "title"), (text, "")
    if len(lines) > _PAIRS:
        yield ((f"and {len(lines) - _PAIRS} more pairs with *", "quiet"),)
    elif not lines and not is_over(view):
        yield (("No pair can move the stone", "quiet"),)


# --- Choosing ---------------------------------------------------------------------------------

parts = trace.parts
marks = trace.marks
pick = words.pick
signs = legend.signs

_LABELS: Final = {
    "cw": "turn arena right",
    "ccw": "turn arena left",
    "free": "free a prisoner",
    "done": "end the turn",
    "push": "push the stone",
    "pull": "pull the stone",
    "x": "into your prison",
    **{f"={stance}": stance for stance in STANCES},
}


def _tray(view: State, look: Look) -> tuple[Chip, ...]:
    owed = "title" if view.must_turn and not is_over(view) else ""
    roles = {"cw": owed, "ccw": owed, "free": "", "done": ""}
    signs = dict(zip(("cw", "ccw"), look.turns, strict=True))
    return tuple(
        Chip(name, f"{_LABELS[name]} {signs.get(name, '')}".rstrip(), role)
        for name, role in roles.items()
    )


def step_from_parts(view: State, seat: Seat, parts: tuple[str, ...]) -> Step:
    """Return the step that somebody means who chooses these parts."""
    first, *rest = parts
    if first not in SQUARES:
        meant = first
    elif not rest or rest[0].startswith("="):
        meant = _setting(view, first, *rest)
    elif rest[0] in SQUARES and rest[-1] not in parts[:-1]:
        meant = _movement(view, seat & 1, first, *rest)
    else:  # the cursor is still on what was chosen last
        meant = ""
    try:
        parse_step(meant)
    except BadNotation:
        return Step("")
    return Step(meant)


def _setting(view: State, name: str, stance: str = "") -> str:
    """Return the placing on a free space, or the change of who stands there."""
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
        some = SQUARES[NEAR[goal if stance == "grab" else square][0]]  # any: the grip is refused
        return f"{stance}:{name}:{to}-{last or some}"
    if stance == "kumo" and view.arena[goal] == lone(side, KUMO):
        return f"{last or 'push'}:{name}+{to}"
    if stance == "kumo" or (stance in ("run", "jump") and goal in NEAR[square]):
        return f"{name}-{to}"
    return f"{stance}:{name}-{to}"


def label(part: str, look: Look) -> str:
    """Return the words for a chip; a square is called by its own name."""
    return _LABELS.get(part, part)


# --- In words ---------------------------------------------------------------------------------


def _carried(before: State, step: Step, after: State) -> str:
    """Say where a turning carries the stone."""
    is_carried = step in ("cw", "ccw") and after.stone != before.stone
    return f"; stone to {SQUARES[after.stone]}" if is_carried else ""


def step_name(step: Step) -> str:
    """Return what a step is called: `turning left`, `a runner on e1`, `e8 to e7`."""
    return words.step_name(step)


def order(view: State, seat: Seat, step: Step) -> str:
    """Say what a step is: `your thrower e2 becomes a runner`."""
    return deed(view, step, YOU) + _carried(view, step, kumo.apply(view, seat, step))


def preview(view: State, seat: Seat, step: Step, look: Look) -> Line:
    """Say what a step would do, and what could be done with the stone then."""
    after = kumo.apply(view, seat, step)
    line: list[Span] = [(order(view, seat, step), "")]
    for one in news(view, step, after, seat & 1):
        # The first news are the most urgent; what does not fit is seen on the arena.
        if len(plain((*line, one))) + 2 <= HINT:
            line += [("  ", ""), one]
    return tuple(line)


def why_good(view: State, seat: Seat, step: Step) -> str:
    """Say what a step wins or gains, or what it is for."""
    return merits.why_good(view, seat, step)


def narrate(before: State, actor: Actor, step: Step, after: State, names: Sequence[str]) -> str:
    """Tell what a step did: `Ada's thrower d4 throws Bob's kumo e4 to d5`."""
    seat = int(actor)
    foe = f"{names[1 - seat]}'s" if len(names) == 2 else "the foe's"
    said = deed(before, step, Voice(names[seat], "s", f"{names[seat]}'s", foe))
    said += _carried(before, step, after)
    if step == "free" and len(names) == 4:
        other = next(s for s, n in enumerate(after.boards) if n > before.boards[s])
        said += f" to the board of {names[other]}"
    if end := kumo.outcome(after):
        if not end.winners:
            return f"{said}; the match is drawn"
        kind, (leader, *_) = parse_step(step)
        camp = CAMPS[len(names)].index(heading(kind, before.stone, leader))
        said += f" into the camp of {names[camp]}"
    return said


def frames(before: Scene, after: Scene, step: Step) -> tuple[Frame, ...]:
    """Return what is seen of a step on its way."""
    return motion.frames(before, after, step)


def milestone(before: State, actor: Actor, step: Step, after: State) -> Milestone:
    """A turn ends when the next begins; turning points: the stone is moved, a prisoner taken."""
    ends = int(after.turn != before.turn or is_over(after))
    if parse_step(step)[0] in ("push", "pull"):
        return Milestone(ends, "stone")
    return Milestone(ends, "prisoner" if sum(after.prisons) > sum(before.prisons) else "")


interlude = no_interlude


def chapter(view: State) -> str:
    """Return the heading in the rules page for this position."""
    return "How it ends" if kumo.outcome(view) else "Your turn"


_REASONS: Final = {
    "stone": "the stone went over the edge, into the camp of the foe",
    "limit": "the last turn has ended, and the stone is still on the arena",
}


def reason(view: State, code: str) -> str:
    """Return the words for an outcome's reason code."""
    return _REASONS[code]
