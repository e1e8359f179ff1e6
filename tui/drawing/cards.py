"""Cards: paper with a rank in two corners and a picture, in six sizes; backs; a hand; pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.tui.drawing.pixels import Brush, cells_of, half_blocks, joined, quadrants, written
from kumite.tui.drawing.plates import plate_ink
from kumite.tui.look.sprites import Picture, enlarged, in_one, mirrored, owned
from kumite.tui.scenes.lines import Line, Span, fit, width

if TYPE_CHECKING:
    from kumite.tui.scenes.pictures import Card

SIZES: Final = ((26, 18), (18, 12), (13, 9), (9, 6), (7, 4), (5, 3))  # in cells, the largest first
PICTURED: Final = 6  # minimum rows for a picture
SMALL: Final = 3  # and for a silhouette
COUNT: Final = 2  # columns of a count: ×2
EDGE: Final = 1  # columns of the pile under a card with copies


class Lying(NamedTuple):
    """The state of a card on the table, or of a tile."""

    is_under_cursor: bool = False
    is_chosen: bool = False
    is_covered: bool = False  # at its right, by another card


def taken_columns(card: Card, size: tuple[int, int]) -> int:
    return size[0] + EDGE * (card.copies > 1)


def in_hand(card: Card, size: tuple[int, int]) -> tuple[int, int]:
    """Return the size of a card in a hand, widened to fit its text."""
    title = card.short or card.title
    name = width(title) + COUNT * (card.copies > 1) if title else 0
    return max(size[0], 1 + name, 1 + width(card.note)), size[1]


def in_row(card: Card, brush: Brush) -> tuple[int, int]:
    return 2 + width(card.short or card.title or _rank(card, brush, 1)), 1


def in_full(cards: tuple[Card, ...], size: tuple[int, int], columns: int) -> tuple[Card, ...]:
    """Return a hand with full names where they fit without covering any card, gaps aside.

    Names with the same last word are all full or all short: one of three would look cut.
    """
    found = [replace(card, title=card.short or card.title, short="") for card in cards]
    gaps = sum(not card.is_joined for card in cards[1:])
    free = columns - _hand_row_columns(tuple(found), size) + gaps
    more = [in_hand(replace(card, short=""), size)[0] - in_hand(card, size)[0] for card in cards]
    kinds: dict[str, list[int]] = {}
    for number, card in enumerate(cards):
        kinds.setdefault(card.title.rpartition(" ")[2], []).append(number)
    for kind in sorted(kinds.values(), key=len, reverse=True):
        taken = sum(more[number] for number in kind)
        if taken <= max(0, free):
            free -= taken
            for number in kind:
                found[number] = replace(cards[number], short="")
    return tuple(found)


@lru_cache(maxsize=2048)
def card_rows(card: Card, lying: Lying, brush: Brush, size: tuple[int, int]) -> tuple[Line, ...]:
    if card.is_place:
        return _place(card, size)
    wide, high = size
    card = in_full((card,), size, wide)[0]
    rank = _rank(card, brush, high)
    paper = "paper-dim" if card.is_dim else "paper"
    ink = "foreground" if card.is_dim else card.ink
    rows = _face(card, brush, size, paper)
    if card.is_cut:
        stroke = _stroke(wide, high, paper)
        rows = [_struck(*pair) for pair in zip(rows, stroke, strict=True)]
    if lying.is_chosen or brush.has_edges:  # before the text, which may overwrite an edge
        edge = "gold-dark" if lying.is_chosen else "paper-dark"
        rows = [_edged(row, edge, paper) for row in rows]
    if card.title or rank:
        rows[0] = written(rows[0], card.title or rank, f"{ink}/{paper}!", 1)
    if card.note and high > 1:
        color = f"{ink if card.is_dim else 'note'}/{paper}"
        said = f" {card.note} " if card.note_role else card.note
        ink_of_note = plate_ink(card.note_role) if card.note_role else color
        rows[-1] = written(rows[-1], said, ink_of_note, 1)
    elif rank and (high >= PICTURED or brush.skin is None or not card.sprite):
        rows[-1] = written(rows[-1], rank, f"{ink}/{paper}!", wide - 1 - width(rank))
    if card.sign[0]:  # before the text of a single row; beside it, else on the picture
        end = 1 + width(card.title or rank)
        at = max(wide - 3, min(wide - 2, end)) if high > 1 else 0
        row = int(high > 1 and (card.copies > 1 or end > at))
        chip = f" {card.sign[0]} " if high > 1 else card.sign[0]
        rows[row] = written(rows[row], chip, plate_ink(card.sign[1]), at)
    if card.copies > 1:
        after = 1 + width(card.title or rank)
        at = after if lying.is_covered else max(wide - 3, min(wide - 2, after))
        rows[0] = written(rows[0], f"×{card.copies}", f"{ink}/{paper}!", at)
        rows = [(*row, ("▐", "paper-dark/background")) for row in rows]
    return tuple(rows)


def _struck(row: Line, stroke: Line) -> Line:
    pairs = zip(cells_of(row), cells_of(stroke), strict=True)
    return joined([part if part[0] != " " else cell for cell, part in pairs])


@lru_cache(maxsize=16)
def _stroke(wide: int, high: int, paper: str) -> tuple[Line, ...]:
    """Return a stroke from the lower left corner of a card to the upper right one."""
    slope = wide / high
    middles = [slope * (2 * high - y - 0.5) for y in range(2 * high)]
    near = [[abs(x + 0.5 - middle) <= slope / 2 for x in range(2 * wide)] for middle in middles]
    drawn = Picture.of([["loss" * is_near for is_near in row] for row in near])
    return quadrants(drawn, paper, wide, high, "loss")


def _rank(card: Card, brush: Brush, high: int) -> str:
    """Return a rank, `4`; with its colour, `4b` or `4 blue`, where colours are missing."""
    color = card.ink.partition("-")[0]
    said = f" {color}" if brush.skin is not None and high > PICTURED else color[:1]
    return card.rank + said * bool(card.rank and brush.signs)


def _place(card: Card, size: tuple[int, int]) -> tuple[Line, ...]:
    wide, high = size
    ink = f"{card.ink}/felt"
    level, blank = "╌" * (wide - 2), " " * (wide - 2)
    rows: list[Line] = [((f"╎{blank}╎", ink),)] * high
    rows[0], rows[-1] = ((f"╭{level}╮", ink),), ((f"╰{level}╯", ink),)
    words = card.title.split()
    for row, word in enumerate(words, max(1, (high - len(words)) // 2)):
        if row < high - 1:
            said = fit(word.center(wide - 2), wide - 2), "target/felt!"
            rows[row] = (("╎", ink), said, ("╎", ink))
    return tuple(rows)


def _face(card: Card, brush: Brush, size: tuple[int, int], paper: str) -> list[Line]:
    wide, high = size
    blank: Line = ((" " * wide, f"/{paper}"),)
    if brush.skin is None or not card.sprite or high < SMALL:
        return [blank] * high
    if high < PICTURED and not (card.is_back and brush.has_pictures):  # a face below the rank
        lower = high - 1 - bool(card.note)
        face = _toward(brush.shape(card.sprite, 2 * (wide - 2), 2 * lower), card)
        below = quadrants(face, paper, wide, lower, card.ink) if face else ()
        return [blank, *below, *[blank] * (high - 1 - len(below))]
    rows = high if card.is_back else high - 2
    is_whole = card.title or (card.is_back and brush.has_pictures)  # with a border of its own
    room = (wide if is_whole else wide - 2, 2 * rows)
    drawn: tuple[Line, ...] = ()
    if not brush.has_pictures:
        shape = _toward(brush.shape(card.sprite, 2 * room[0], room[1]), card)
        drawn = quadrants(shape, paper, wide, rows, card.ink) if shape else ()
        if not drawn and (picture := _toward(scaled(brush, card.sprite, *room), card)):
            drawn = half_blocks(in_one(picture, card.ink), paper, wide, rows)
    elif picture := _toward(scaled(brush, card.sprite, *room), card):
        drawn = half_blocks(owned(picture, card.owner), paper, wide, rows)
    if not drawn:
        return [blank] * high
    return list(drawn) if card.is_back else [blank, *drawn, blank]


def scaled(brush: Brush, sprite: str, width: int, height: int) -> Picture | None:
    """Return the largest picture; if it fills less than 70 % of a row, one in doubled pixels."""
    usual, half = (brush.picture(sprite, width // n, height // n) for n in (1, 2))
    return enlarged(half, 2) if usual and half and usual.width < 0.7 * width else usual


def _toward(picture: Picture | None, card: Card) -> Picture | None:
    return mirrored(picture) if picture is not None and card.is_turned else picture


def _shortened(note: str, columns: int) -> str:
    """Return the part of a note that fits: its first word, of a ruler the places that it hits."""
    word = note.partition(" ")[0]
    return next((one for one in (note, word, word.strip("·")) if width(one) <= columns), "")


def _seamed(row: Line, gap: str, brush: Brush) -> Line:
    """Return a row of a card beside another one: with a line between them, or a `gap` of a colour.

    In few colours the line is also where a picture would run on into the next one.
    """
    cells = cells_of(row)
    if gap:
        cells[0] = (" ", f"/{gap}")
    elif cells[0][0] == " " or not brush.has_pictures:
        paper = cells[0][1].partition("/")[2].removesuffix("!")
        cells[0] = ("▏", f"paper-dark/{paper}")
    return joined(cells)


def _edged(row: Line, color: str, paper: str) -> Line:
    cells = cells_of(row)
    cells[0], cells[-1] = ("▌", f"{color}/{paper}"), ("▐", f"{color}/{paper}")
    return joined(cells)


# --- A hand -----------------------------------------------------------------------------------

LOWER: Final = 3  # a card that cannot be played shows this part less of its rows
SHOWN: Final = 4  # minimum visible columns of a covered card
FANNED: Final = (9, 6)  # the size in which pictures may overlap
FULL: Final = 6  # cards of a full hand
GROUND: Final = "/background"  # behind and above the cards
OVERLAP: Final = 5  # columns by which cards with pictures may overlap, gaps included


def places(cards: tuple[Card, ...], size: tuple[int, int], columns: int) -> tuple[int, ...]:
    """Return the column of each card of a hand, overlapping or spread out to fit."""
    cards = in_full(cards, size, columns)
    apart = _apart(len(cards), columns) if size == SIZES[0] else 1
    gaps = [taken_columns(card, in_hand(card, size)) + apart for card in cards]
    for number, card in enumerate(cards[1:]):
        gaps[number] -= apart * card.is_joined
    missing = (
        sum(gaps[:-1])
        + (taken_columns(cards[-1], in_hand(cards[-1], size)) if cards else 0)
        - columns
    )
    if missing > 0 and len(cards) > 1:
        numbered = [number for number, card in enumerate(cards[:-1]) if not card.title]
        if not numbered:  # keep names whole as long as possible
            missing -= _cover_notes(cards, gaps, missing)
        narrowed = numbered or [*range(len(cards) - 1)]
        taken = -(-missing // len(narrowed))
        for number in narrowed:
            gaps[number] = max(SHOWN, gaps[number] - taken)
    at, found = max(0, -missing) // 2, []
    for gap in gaps:
        found.append(at)
        at += gap
    return tuple(found)


def _cover_notes(cards: tuple[Card, ...], gaps: list[int], missing: int) -> int:
    """Narrow the visible part of cards while their names stay whole; return by how much."""
    found = 0
    while found < missing:
        room = [gap - 1 - width(card.title) for card, gap in zip(cards[:-1], gaps, strict=False)]
        if max(room) <= 0:
            break
        gaps[room.index(max(room))] -= 1
        found += 1
    return found


def _apart(count: int, columns: int) -> int:
    """Return the columns between the largest cards, as for a full hand, so that few ever move."""
    wide, count = SIZES[0][0], max(FULL, count)
    return max(1, min(wide // 2, (columns - count * (wide + EDGE)) // (count - 1)))


def hand_columns(cards: tuple[Card, ...], size: tuple[int, int], columns: int) -> int:
    cards = in_full(cards, size, columns)
    at = places(cards, size, columns)
    return at[-1] + taken_columns(cards[-1], in_hand(cards[-1], size)) if cards else 0


def fitting(cards: tuple[Card, ...], columns: int, rows: int) -> tuple[int, int]:
    """Return the largest card size that fits a hand, including a raised card.

    Cards with pictures may overlap, leaving a number and half a face visible; others only by a
    column.
    """
    for size in SIZES:
        if size[1] + 1 > rows:
            continue
        if _hand_row_columns(cards, size) <= columns:
            return size
        over = OVERLAP if size == FANNED and not any(card.is_joined for card in cards) else 1
        missing = _hand_row_columns(cards, size) - columns
        if missing <= over * (len(cards) - 1) and hand_columns(cards, size, columns) <= columns:
            return size
    return SIZES[-1]


def row_columns(cards: tuple[Card, ...], size: tuple[int, int]) -> int:
    return _with_gaps(cards, (taken_columns(card, size) for card in cards))


def _hand_row_columns(cards: tuple[Card, ...], size: tuple[int, int]) -> int:
    """Return the columns of a hand without overlaps."""
    return _with_gaps(cards, (taken_columns(card, in_hand(card, size)) for card in cards))


def _with_gaps(cards: tuple[Card, ...], taken: Iterable[int]) -> int:
    """Return the columns of cards with a gap before each that is not joined."""
    return sum(taken) + sum(not card.is_joined for card in cards[1:])


def hand_rows(
    cards: tuple[Card, ...],
    lying: tuple[Lying, ...],
    brush: Brush,
    size: tuple[int, int],
    columns: int,
) -> tuple[Line, ...]:
    """Return a hand: chosen cards are raised by a row, the cursor's has a golden edge.

    The edge takes two rows of cells where the cursor moves; to raise the card would take all.
    """
    cards = in_full(cards, size, columns)
    at, wide = places(cards, size, columns), max(columns, hand_columns(cards, size, columns))
    cells: list[list[Span]] = [[(" ", GROUND)] * wide for _ in range(size[1] + 1)]
    covered = 0  # columns of the cards at the left
    ends = (*at[1:], wide)
    for left, end, card, how in zip(at, ends, cards, lying, strict=True):
        card = replace(card, note=_shortened(card.note, end - left - 1))
        wide_one, high = in_hand(card, size)
        lower = high // LOWER if card.is_dim else 0
        one = wide_one, high - lower
        drawn = card_rows(card, how._replace(is_covered=end - left < wide_one), brush, one)
        if 0 < left <= covered:
            is_apart = not (brush.has_pictures or card.is_joined)
            drawn = tuple(_seamed(row, "background" if is_apart else "", brush) for row in drawn)
        taken = taken_columns(card, in_hand(card, size))
        covered = left + taken
        first, blank, edge = (0, one[1], "▀") if how.is_chosen else (1 + lower, lower, "▄")
        for row, line in enumerate(drawn, first):
            cells[row][left : left + taken] = cells_of(line)
        beside = (edge, f"{brush.plain_ink or 'gold-dark'}{GROUND}")
        cells[blank][left : left + taken] = [
            beside if how.is_under_cursor else (" ", GROUND)
        ] * taken
    return tuple(joined(row) for row in cells)
