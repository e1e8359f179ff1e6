"""Kitsu! on the table: the four seasons, both clans' pieces off the board, what a step does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.game import Step
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.board import ALL_SEASONS, NAMES, NOWHERE, REALM, SEASONS, squares_of
from kumite.core.games.kitsu.position import KINDS, TO_WIN, Clan, State
from kumite.tui.scenes.kitsu import legend, merits, words
from kumite.tui.scenes.kitsu.legend import KANJI, MOVER, SPENT, SPRITES, glyph, piece_role
from kumite.tui.scenes.kitsu.words import (
    KIND_NAMES,
    LAST_WORDS,
    PLURALS,
    capture,
    due,
    flipped,
    headline,
    kind_of,
    listed,
    owner_of,
    piece,
    settled,
    skipped,
    told_capture,
    told_step,
)
from kumite.tui.scenes.lines import Elastic, Line, Span, broadest, called, fit, width
from kumite.tui.scenes.model import (
    NO_TRACE,
    Board,
    Borders,
    Cell,
    Chip,
    Milestone,
    Scene,
    Trace,
    checkered,
    no_interlude,
)
from kumite.tui.scenes.motion import Frame, board_frames

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kumite.core.game import Actor, Seat
    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes.model import Happening

ID: Final = kitsu.ID
PARTS: Final = ("turn",)

PANEL_NAME: Final = 12  # columns for a name beside the two kinds, at least
MOST_NAMED: Final = 4  # squares that a preview lists; of more it says how many
MOST_USED: Final = 7  # the same for the friends used up in a chain of pounces
WIDEST: Final = 70  # columns of a preview
NEAR: Final = 1  # so many pieces from winning is marked

_SEASONS_KANJI: Final = "春夏秋冬"
_WIDE: Final = (7, 6)  # columns of Samurai and Foxes in the panel
_SEASON: Final = 12  # columns of a season and what it is: `SUMMER open`
_MIDDLE: Final = (3,)  # row and column before the borders of the realms


# --- What is on the table ---------------------------------------------------------------------


def scene(
    view: State,
    names: Sequence[str],
    look: Look,
    you: Seat | None,
    past: Sequence[Happening] = (),
) -> Scene:
    """Return the board, the year below it, the hand before you, both clans, and what is due."""
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
    )


def _board(view: State, look: Look) -> Board:
    ranks = tuple(reversed(range(8)))
    return Board(
        tuple(tuple(_cell(view, look, file * 8 + rank) for file in range(8)) for rank in ranks),
        tuple((file, "label") for file in "abcdefgh"),
        tuple((str(rank + 1), "label") for rank in ranks),
        "d5",
        points_at_pieces=True,
        borders=Borders(_MIDDLE, _MIDDLE, *look.border),
        edges=_year(view, look),
    )


def _cell(view: State, look: Look, square: int) -> Cell:
    """Return a piece by its letter, or the ground of its realm: lit while the season is open."""
    name, realm, place = NAMES[square], REALM[square], 1 << square
    shut = "" if realm in view.seasons else "-shut"
    ground = checkered(SEASONS[realm] + shut, *divmod(square, 8))
    if view.pieces & place:
        seat, kind = owner_of(view, square), kind_of(view, square)
        role, mark = piece_role(seat, kind), ""
        if square == view.at:
            role, mark = "mover", MOVER
        elif view.used & place:
            role, mark = "spent", SPENT
        sprite = SPRITES[kind]
        badge = role if mark else ""
        return Cell(
            name, glyph(look, seat, kind), role, "", mark, sprite, seat, ground, mark, badge
        )
    if realm in view.seasons:
        return Cell(name, look.lit[realm], SEASONS[realm], look.target, ground=ground)
    return Cell(name, look.unlit[realm], "fits", look.target, ground=ground)


def _year(view: State, look: Look) -> tuple[Line, Line]:
    """Return the seasons as they lie on the board, each with the way to the next."""
    left, right, up, down = tuple(look.arrows)
    spring, summer, autumn, winter = (
        _season(view, look, realm, way)
        for realm, way in zip(ALL_SEASONS, (up, right, down, left), strict=True)
    )
    return (summer, autumn), (spring, winter)


def _season(view: State, look: Look, realm: int, way: str) -> Span:
    """Return what is said of a season; the space at its end keeps it from the one beside it."""
    name, sign = SEASONS[realm], look.sign(_SEASONS_KANJI[realm], "")
    wide = _SEASON + width(sign)
    if realm in view.seasons:
        return f"{fit(f'{sign}{name.upper()} open', wide)}{way} ", f"foreground/{name}-a!"
    return f"{fit(f'{sign}{name} shut', wide)}{way} ", f"quiet/{name}-shut-a"


def _tray(view: State, look: Look, you: Seat | None) -> tuple[Chip, ...]:
    """Return your hand, a chip for each kind that is in it."""
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


def _seats(view: State, names: Sequence[str], look: Look, you: Seat | None) -> tuple[Line, ...]:
    """Return for each clan what it has off the board: waiting, and captured of the other's."""
    room = broadest(names, PANEL_NAME)
    lines: list[Line] = []
    for seat, (name, clan) in enumerate(zip(names, view.clans, strict=True)):
        near = "contested" if _to_place(clan) <= NEAR else ""
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
                ("not in play", [(str(count), near) for count in clan.spirit]),
                ("in hand", [(str(count), near) for count in clan.hand]),
                ("captured", map(_captured, clan.taken)),
            )
        ]
    return tuple(lines)


def _to_place(clan: Clan) -> int:
    """Count what still waits: a clan wins with none."""
    return sum(clan.spirit + clan.hand)


def _captured(count: int) -> Span:
    return f"{count}/{TO_WIN}", "contested" if count >= TO_WIN - NEAR else ""


def _counts(counts: Iterable[Span]) -> Line:
    """Return how many Samurai and Foxes, below the names of their kinds."""
    return tuple(
        (f"{said:>{wide}}", role) for (said, role), wide in zip(counts, _WIDE, strict=True)
    )


def _facts(view: State) -> tuple[Line, ...]:
    """Return the count of turns, what is due, and the friends that are used up."""
    lines: list[Line] = [
        ((f"Turn {view.turn}", ""), (f", a draw after {view.variant.limit}", "quiet"))
    ]
    if awaited := due(view):
        mover: Line = ((f"{MOVER} ", "title"),) if view.at != NOWHERE else ()
        lines.append((*mover, (awaited, "title")))
    if view.used:
        lines.append(((f"{SPENT} helped already: ", "quiet"), (listed(view.used, MOST_USED), "")))
    return tuple(lines)


# --- Choosing ---------------------------------------------------------------------------------

pick = words.pick
signs = legend.signs


def parts(step: Step, legal: tuple[Step, ...] = ()) -> tuple[str, ...]:
    """Return from where and to where; of a pounce only to where, as the Fox is given."""
    way = kitsu.read(step)
    if way is None:
        return (step,)
    match way.verb:
        case "-" | "~":
            return (NAMES[way.origin], NAMES[way.target])
        case ">":
            return (NAMES[way.target],)
        case "@":
            return (KINDS[way.kind], NAMES[way.target])
        case _:
            return (step,)


def marks(before: State, step: Step, after: State) -> Trace:
    """Return the squares that a piece has left and come to, and those of pieces turned over."""
    way = kitsu.read(step)
    if way is None:
        return NO_TRACE
    left, reached = (
        frozenset({NAMES[square]} if square != NOWHERE else ())
        for square in (way.origin, way.target)
    )
    turned = frozenset(NAMES[square] for square in squares_of(flipped(before, after, way)))
    return Trace(left, reached, turned)


def step_from_parts(view: State, seat: Seat, parts: tuple[str, ...]) -> Step:
    """Return the slide, leap, pounce, beckoning or dispatch from the first part to the second."""
    squares = {name: square for square, name in enumerate(NAMES)}
    *origin, target = parts
    if target not in squares:
        return Step("")
    taken = "x" if view.pieces >> squares[target] & 1 else ""
    if view.phase == "pounce" and not origin:
        return Step(f"{NAMES[view.at]}>{taken}{target}")
    if len(origin) != 1:
        return Step("")
    if origin[0] in KINDS:
        return Step(f"{origin[0]}@{target}")
    if view.phase == "dispatch":
        return Step(f"{origin[0]}~{target}")
    return Step(f"{origin[0]}{taken or '-'}{target}")


_LABELS: Final = {
    "s": "a Samurai from the hand",
    "f": "a Fox from the hand",
    "+s": "take a Samurai",
    "+f": "take a Fox",
    "stop": "stop here",
    "end": "end the turn",
}


def label(part: str, look: Look) -> str:
    """Return the words for what is no square."""
    return _LABELS.get(part, part)


def step_name(step: Step) -> str:
    """Return what a step is called: `a Fox on d3`, `b6 capturing d5`."""
    return words.step_name(step)


def order(view: State, seat: Seat, step: Step) -> str:
    """Say what a step is: `Samurai d5 slides to b3`."""
    way = kitsu.read(step)
    assert way is not None  # a legal step
    captured = f" and captures the {piece(view, way.target)}" if way.captures else ""
    return f"{headline(view, step, way)}{captured}"


def preview(view: State, seat: Seat, step: Step, look: Look) -> Line:
    """Say what a step would capture, bring, turn over and end."""
    way = kitsu.read(step)
    assert way is not None  # a legal step
    landed = kitsu.apply(view, seat, step)
    after = settled(landed)
    spans: list[Span] = [(headline(view, step, way), "title")]
    if way.captures:
        spans.append(capture(view, after, way))
    if landed.owed:
        gained = (
            f"crosses: {landed.owed} to the hand" if way.verb in "->" else f"{landed.owed} more"
        )
        spans.append((gained, "gain"))
    if way.verb == "@":
        spans.append((f"{_to_place(after.clans[seat])} still to place", ""))
    if turned := flipped(view, after, way):
        spans.append((f"flips {listed(turned, MOST_NAMED)}", ""))
    if after.phase in ("pounce", "dispatch"):
        spans.append(("may send one off" if after.phase == "dispatch" else "may pounce", ""))
    if after.reason:
        spans.append(("a draw" if after.reason == "limit" else "you win", "title"))
    elif after.turn != view.turn and way.verb != "end":
        spans.append(("ends the turn", "quiet"))
    if passed := skipped(view, after, way):
        spans.append((f"skips {passed}", "quiet"))
    return _joined(spans)


def why_good(view: State, seat: Seat, step: Step) -> str:
    """Say what a step wins or gains, or what it is for."""
    return merits.why_good(view, seat, step)


def _joined(spans: list[Span]) -> Line:
    """Put two spaces between spans; the last are left out if there is no room for them."""
    line, width = [spans[0]], len(spans[0][0])
    for said, role in spans[1:]:
        width += 2 + len(said)
        if width > WIDEST:
            break
        line.append((f"  {said}", role))
    return tuple(line)


# --- The log ----------------------------------------------------------------------------------


def narrate(before: State, actor: Actor, step: Step, after: State, names: Sequence[str]) -> str:
    """Tell what a step did: `ada's Fox b6 leaps to d5, captures bob's Fox (1/4), flips c5`."""
    way = kitsu.read(step)
    if way is None:
        return step
    said = [told_step(before, names[int(actor)], way, names)]
    if way.captures:
        said.append(told_capture(before, after, way, names))
    if way.verb in "->" and after.owed:
        said.append(f"crosses: {after.owed} to the hand")
    if turned := flipped(before, after, way):
        said.append(f"flips {listed(turned, turned.bit_count())}")
    if after.reason in LAST_WORDS:
        said.append(LAST_WORDS[after.reason])
    return ", ".join(said)


def frames(before: Scene, after: Scene, step: Step) -> tuple[Frame, ...]:
    """Return what is seen of a step on its way."""
    return board_frames(before, after)


def milestone(before: State, actor: Actor, step: Step, after: State) -> Milestone:
    """A turn ends when the other clan's begins; captures are turning points."""
    way = kitsu.read(step)
    ends = int(after.turn != before.turn or bool(after.reason))
    return Milestone(ends, "capture" if way is not None and way.captures else "")


interlude = no_interlude


def chapter(view: State) -> str:
    """Return the heading in the rules page for this position."""
    if kitsu.outcome(view):
        return "How it ends"
    return "Your turn" if view.phase == "move" else "The steps"


_REASONS: Final = {
    "samurai": "four Samurai taken",
    "foxes": "four Foxes taken",
    "rout": "no opposing piece is left on the board",
    "spirits": "every waiting piece is on the board",
    "limit": "the last turn has ended",
}


def reason(view: State, code: str) -> str:
    """Return the words for an outcome's reason code."""
    return _REASONS[code]
