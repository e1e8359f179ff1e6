"""Cards on the table: groups side by side, labels below, text at their side, open hands; pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kumite.tui.drawing.cards import (
    FANNED,
    FULL,
    PICTURED,
    SIZES,
    Lying,
    card_rows,
    in_hand,
    in_row,
    row_columns,
)
from kumite.tui.drawing.lettering import large
from kumite.tui.drawing.pixels import Brush, cells_of, joined
from kumite.tui.look.colors import BOLD
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.roles import role_of
from kumite.tui.scenes.lines import (
    Line,
    Named,
    Span,
    abbreviated,
    fit,
    fold,
    line_width,
    plain,
    shortened,
    width,
)

if TYPE_CHECKING:
    from kumite.tui.scenes.pictures import Group, Spread

APART: Final = 2  # columns between groups
FARTHEST: Final = 12
WORDS: Final = 20  # columns of text at the right edge
TOP_BACK: Final = ("▛▀▀▀▜", "▌ ◆ ▐", "▙▄▄▄▟")  # of a hidden hand
BACKS: Final = ((9, 6), (7, 4))  # larger ones, as pictures
FANNED_BY: Final = 2  # columns that show of the cards below it
KEPT: Final = 2  # letters at the end of a cut label
UPRIGHT: Final = ((18, 12), (13, 9), (10, 6), (10, 5), (10, 4), (9, 3))  # cards beside a stage
UPRIGHT_SHARE: Final = 5  # at most one part in so many of the columns for each of them
NAME: Final = 10  # columns of a hand's label, at most
GROUND: Final = "felt"
BLANK: Final = f"/{GROUND}"  # the ink of what is empty


def spread_rows(spread: Spread, brush: Brush, columns: int, rows: int) -> tuple[Line, ...]:
    """Return groups of cards side by side, labels below, and text at their side."""
    labels = max((len(group.labels) for group in spread.groups), default=0)
    said, size = _beside_hands(spread, columns, rows - labels)
    if size[1] < PICTURED and labels > 1:
        alone = _beside_hands(spread, columns, rows - 1)
        if alone[1][1] >= PICTURED:
            labels, (said, size) = 1, alone
    if said and _apart(spread, size, _room(columns, WORDS)) >= APART:
        said = WORDS  # however wide the words are now, so that no card moves with them
    room = _room(columns, said)
    apart = _apart(spread, size, room)
    lines: list[list[Span]] = [[] for _ in range(size[1] + labels)]
    large_score, short = large(*spread.score), _without_spare(spread)
    if large_score and short[1:] and len(short) + len(large_score) == rows + 1:
        short = short[1:]  # the title says which trick it is, too
    has_large = len(short) + len(large_score) <= rows
    is_whole = len(spread.words) + len(large_score) * has_large <= rows
    words = [part for line in (spread.words if is_whole else short) for part in fold(line, said)]
    words, large_score = (words, large_score) if said else ([], ())
    if large_score and len(words) + len(large_score) <= rows:
        (name, _, *more), drawn = words[-1], [plain(line) for line in large_score]
        words[-1:] = [(name,), *(((text, spread.score[1]),) for text in drawn)]
        words[-1] += tuple(more) * (width(drawn[-1]) + line_width(tuple(more)) <= said)
    for group in spread.groups:
        _lay_group(lines, group, brush, size, apart)
    beside = tuple(words)
    made = [joined(line) for line in lines]
    if size[1] >= PICTURED and any(group.backs for group in spread.groups):
        fans = _fans(spread, size, apart, brush, rows - len(made) - 1)
        if len(made) + len(fans) < rows:
            made = [*fans, (), *made]
        elif len(made) < rows and not (spread.hands or (spread.words and not said)):
            made = [fans[1], *made]  # the middle of the backs, with their sign
    left = _left(made, said, columns)  # from the cards alone, not the rows below them
    is_below = bool(spread.words) and not said
    if is_below and len(made) + len(spread.hands) < rows:
        made += [()] * (len(made) + len(spread.hands) + 2 <= rows)
        made += _in_few(spread, columns - left)
    if spread.hands:
        made += _hands(spread.hands, brush, columns - left, rows - len(made))
    return _framed(made, beside, left, columns, rows)


def upright_size(spread: Spread | None, columns: int, rows: int) -> tuple[int, int] | None:
    """Return the size of two cards below each other at both sides of a stage; None: no room."""
    if spread is None or len(spread.groups) != 2:
        return None
    most = max(len(group.cards) for group in spread.groups)
    fits = (
        (wide, high)
        for wide, high in UPRIGHT
        if UPRIGHT_SHARE * wide <= columns and most * high + 1 <= rows
    )
    return next(fits, None)


def upright_rows(group: Group, brush: Brush, size: tuple[int, int], rows: int) -> list[Line]:
    label, role = group.labels[0]
    lines: list[Line] = [((fit(label.center(size[0]), size[0]), role),)]
    bar = "" if brush.signs else role.replace("flag", "base")  # cards below each other stay apart
    for card in group.cards:
        title, *rows_of_card = card_rows(card, Lying(), brush, size)
        lines += [((plain(title), bar),) if card.title else title, *rows_of_card]
    lines += [((" " * size[0], ""),)] * (rows - len(lines))
    return lines


def _beside_hands(spread: Spread, columns: int, rows: int) -> tuple[int, tuple[int, int]]:
    """Return the columns of the text, and the size of the cards, above the open hands."""
    said, size = _parted(spread, columns, rows - _rows_of(spread.hands, FANNED[1]))
    if spread.hands and size[1] <= FANNED[1]:  # hands must not be larger than the middle
        return _parted(spread, columns, rows - len(spread.hands))
    return said, size


def _parted(spread: Spread, columns: int, rows: int) -> tuple[int, tuple[int, int]]:
    """Return the columns of the text, and the size of the cards.

    0 columns if names of cards are complete only without text, or if cards have pictures only
    without it; the text is then below the cards or elsewhere.
    """
    said = max((line_width(line) for line in spread.words), default=0)
    said = min(said, WORDS)
    beside, alone = (_spread_size(spread, _room(columns, one), rows) for one in (said, 0))
    if said and _is_cut(spread, beside) and not _is_cut(spread, alone):
        return 0, alone
    if said and beside[1] < PICTURED:
        above = _spread_size(spread, columns, rows - 1)
        return (0, above) if above > beside else (said, beside)
    return said, beside


def _room(columns: int, said: int) -> int:
    return columns - (said + APART + 1 if said else 0)


def _is_cut(spread: Spread, size: tuple[int, int]) -> bool:
    every = (card for group in spread.groups for card in group.cards)
    return any(in_hand(card, size) != size for card in every if not card.is_place)


def _apart(spread: Spread, size: tuple[int, int], room: int) -> int:
    """Return the columns between groups, more if there is room, which labels can use."""
    gaps = len(spread.groups) - 1
    if gaps <= 0:
        return APART
    free = room - sum(row_columns(group.cards, size) for group in spread.groups)
    wide = free // (gaps + 2)
    return max(1, min(FARTHEST, wide if wide >= APART else free // (gaps + 1)))


def _on(role: str) -> str:
    found = role_of(role)
    return f"{found.ink}/{found.paper or GROUND}{'!' * found.bold}"


def _lay_group(
    lines: list[list[Span]],
    group: Group,
    brush: Brush,
    size: tuple[int, int],
    more: int,
) -> None:
    """Append a group at the right, with `more` columns into which labels may extend."""
    wide = row_columns(group.cards, size)
    for at, card in enumerate(group.cards):
        gap = (" " * (at > 0 and not card.is_joined), BLANK)
        how = Lying(is_chosen=group.is_last)
        for line, row in zip(lines, card_rows(card, how, brush, size), strict=False):
            line += [gap, *row] if gap[0] else row
    for number, line in enumerate(lines):
        if number < size[1]:
            line.append((" " * more, BLANK))
            continue
        labels = group.labels[number - size[1] :]
        text, role = labels[0] if labels else ("", "")
        most = wide + max(0, more - 1)
        said = _with_end(text, most)
        if role_of(role).paper:  # a plate, at least as wide as the cards, open at its right end
            said = fit(said, max(wide, min(most, width(said) + 1)))
        after = wide + more - width(said)
        line += [(said, _on(role)), (" " * after, BLANK)]


def _with_end(text: str, columns: int) -> str:
    """Return a label that keeps its number at the end if it is cut: names of bots differ there."""
    if width(text) <= columns:
        return text
    text = text.short if isinstance(text, Named) else text
    if width(text) <= columns:
        return text
    end = len(text) - KEPT * text[-1:].isdigit()
    return shortened(text[:end], columns - width(text[end:]), LETTERS) + text[end:]


def _without_spare(spread: Spread) -> tuple[Line, ...]:
    return tuple(abbreviated(line) for n, line in enumerate(spread.words) if n not in spread.spare)


def _in_few(spread: Spread, columns: int) -> list[Line]:
    """Return the text in as few lines as possible, each of its parts whole in one, if it fits."""
    lines: list[list[Span]] = [[]]
    for words in _without_spare(spread):
        cleaned = ((re.sub("[█▌ ]+", " ", text), role) for text, role in words)
        said = [(text, _on(role)) for text, role in cleaned if text.strip()]
        if said[1:] and said[1][0].strip() == spread.score[0]:
            said[1] = f" {spread.score[0]} ", f"{GROUND}/{role_of(spread.score[1]).ink}{BOLD}"
        if lines[-1] and line_width((*lines[-1], *said)) + APART > columns:
            lines.append([])
        lines[-1] += [(" " * APART * bool(lines[-1]), BLANK), *said]
    return [row for line in lines for row in fold(joined(line), columns)]


def _rows_of(hands: Sequence[Group], high: int) -> int:
    return max(0, len(hands) * (high + 1) - 1)


def _hands(hands: Sequence[Group], brush: Brush, columns: int, rows: int) -> list[Line]:
    """Return hands below each other after their labels: as pictures, or in one row each."""
    before = 1 + min(NAME, max(width(group.labels[0][0]) for group in hands))
    longest = max(len(group.cards) for group in hands)
    wide, high = FANNED
    fits = before + longest * (wide + 1) <= columns and _rows_of(hands, high) <= rows
    high = high if fits else 1
    is_apart = _rows_of(hands, high) <= rows
    made: list[Line] = [()] * ((_rows_of(hands, high) if is_apart else len(hands)) < rows)
    for number, group in enumerate(hands):
        lines: list[list[Span]] = [[(" " * before, BLANK)] for _ in range(high)]
        label, role = group.labels[0]
        lines[high // 2] = [(fit(shortened(label, before - 1, LETTERS), before), _on(role))]
        for card in group.cards:
            size = FANNED if fits else in_row(card, brush)
            for line, row in zip(lines, card_rows(card, Lying(), brush, size), strict=True):
                line += [*row, (" " * fits, BLANK)]
        made += [()] * (is_apart and number > 0)
        made += [part for line in lines for part in fold(joined(line), columns)]
    return made[: max(0, rows)]


def _fans(spread: Spread, size: tuple[int, int], apart: int, brush: Brush, free: int) -> list[Line]:
    """Return the backs of hidden hands above their players' cards, as large as they fit.

    A full hand counts, so that they keep their size.
    """
    groups = [(group.backs, row_columns(group.cards, size)) for group in spread.groups]
    most = max(FULL, *(len(backs) for backs, _ in groups)) - 1
    room = min(room for backs, room in groups if backs) + apart - 1
    fits = [one for one in BACKS if one[1] < free and one[0] + most * FANNED_BY <= room]
    fits = fits if brush.has_pictures else []
    top: Sequence[Line] = [((row, "paper/violet"),) for row in TOP_BACK]
    if fits:
        top = card_rows(next(backs[0] for backs, _ in groups if backs), Lying(), brush, fits[0])
    rows: list[list[Span]] = [[] for _ in top]
    for backs, room in groups:
        covered = max(0, len(backs) - 1)
        by = FANNED_BY if fits or covered * FANNED_BY + len(TOP_BACK[0]) <= room else 1
        for cells, row in zip(rows, map(cells_of, top), strict=True):
            drawn = (row[:by] * covered + row) * bool(backs)
            left = max(0, (room - len(drawn)) // 2)
            cells += [(" ", BLANK)] * left + drawn
            cells += [(" ", BLANK)] * (room + apart - left - len(drawn))
    return [joined(cells) for cells in rows]


def _left(lines: list[Line], said: int, columns: int) -> int:
    """Return the columns before lines that are centred together with the text beside them."""
    taken = max(map(line_width, lines), default=0)
    return max(0, (columns - taken - (said + APART if said else 0)) // 2)


def _framed(
    lines: list[Line], words: tuple[Line, ...], left: int, columns: int, rows: int
) -> tuple[Line, ...]:
    taken = max(map(line_width, lines), default=0)
    above = max(0, (rows - len(lines)) // 2)
    first = max(0, (rows - len(words)) // 2)
    made: list[Line] = []
    for row in range(rows):
        line = lines[row - above] if 0 <= row - above < len(lines) else ()
        side = words[row - first] if 0 <= row - first < len(words) else ()
        used = line_width(line)
        space = taken + APART - used if side else 0
        end = max(0, columns - left - used - space - line_width(side))
        spans = [
            (" " * left, BLANK),
            *line,
            (" " * space, BLANK),
            *((text, _on(role)) for text, role in side),
            (" " * end, BLANK),
        ]
        made.append(joined(spans))
    return tuple(made)


def _spread_size(spread: Spread, columns: int, rows: int) -> tuple[int, int]:
    for size in SIZES:
        wide = sum(row_columns(group.cards, size) for group in spread.groups)
        apart = APART if size[1] >= PICTURED else 1
        if wide + apart * (len(spread.groups) - 1) <= columns and size[1] <= rows:
            return size
    return SIZES[-1]
