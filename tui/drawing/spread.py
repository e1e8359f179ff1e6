"""Cards on the table: groups side by side, labels below, words beside them, open hands. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kumite.tui.drawing.cards import (
    FANNED,
    PICTURED,
    SIZES,
    Lying,
    card_rows,
    in_hand,
    in_row,
    row_columns,
)
from kumite.tui.drawing.pixels import joined
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.roles import ROLES
from kumite.tui.scenes.lines import fit, fold, line_width, shortened, width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.tui.drawing.squares import Brush
    from kumite.tui.scenes.lines import Line, Span
    from kumite.tui.scenes.pictures import Group, Spread

APART: Final = 2  # columns between groups
FARTHEST: Final = 8
WORDS: Final = 20  # columns of words at the right edge
NAME: Final = 10  # columns of whose hand it is, at most


def spread_rows(
    spread: Spread, brush: Brush, columns: int, rows: int, ground: str = "felt"
) -> tuple[Line, ...]:
    """Return groups of cards side by side on a ground, their labels below, words beside them."""
    labels = max((len(group.labels) for group in spread.groups), default=0)
    said, size = _parted(spread, columns, rows - labels - _rows_of(spread.hands, FANNED[1]))
    if spread.hands and size[1] <= FANNED[1]:  # pictures in hands are smaller than in the middle
        said, size = _parted(spread, columns, rows - labels - len(spread.hands))
    room = _room(columns, said)
    apart = _apart(spread, size, room)
    lines: list[list[Span]] = [[] for _ in range(size[1] + labels)]
    words = [part for line in spread.words for part in fold(line, said)] if said else []
    if spread.is_silent:
        words = [((" " * line_width(line), ""),) for line in words]
    for number, group in enumerate(spread.groups):
        if number and number == spread.before_words and words:
            _lay_words(lines, words, said, ground)
        ends = bool(words) and number + 1 == spread.before_words
        _lay_group(lines, group, brush, size, ground, 0 if ends else apart)
    beside = () if spread.before_words is not None else tuple(words)
    made = [joined(line) for line in lines]
    left = _left(made, beside, columns)  # of the cards: what is below them moves nothing
    is_below = bool(spread.words) and spread.before_words is None and not said
    if is_below and len(made) + len(spread.hands) + 2 <= rows:
        made += [(), *fold(_in_one(spread, ground), columns - left)]
    if spread.hands:
        made += _hands(spread.hands, brush, columns - left, rows - len(made), ground)
    return _framed(made, beside, left, columns, rows, ground)


def _parted(spread: Spread, columns: int, rows: int) -> tuple[int, tuple[int, int]]:
    """Return the columns of the words, and the size of the cards.

    Where names of cards are whole only without words, there are none: these are said elsewhere, or
    below the cards; and so they are where cards have no picture with words, and are larger without.
    """
    said = max((line_width(line) for line in spread.words), default=0)
    said = min(said, WORDS if spread.before_words is None else columns // 3)
    beside, alone = (_spread_size(spread, _room(columns, one), rows) for one in (said, 0))
    if said and _is_cut(spread, beside) and not _is_cut(spread, alone):
        return 0, alone
    if said and spread.before_words is None and beside[1] < PICTURED:
        above = _spread_size(spread, columns, rows - 2)
        return (0, above) if above > beside else (said, beside)
    return said, beside


def _room(columns: int, said: int) -> int:
    """Return the columns that words of so many columns leave to the cards."""
    return columns - (said + APART + 1 if said else 0)


def _is_cut(spread: Spread, size: tuple[int, int]) -> bool:
    """Return whether a card of this size has no room for what is written on it."""
    every = (card for group in spread.groups for card in group.cards)
    return any(in_hand(card, size) != size for card in every if not card.is_place)


def _apart(spread: Spread, size: tuple[int, int], room: int) -> int:
    """Return the columns between groups: more where there is room, so that labels have it, too."""
    gaps = len(spread.groups) - 1
    if gaps <= 0 or (spread.before_words is not None and spread.words):
        return APART
    free = room - sum(row_columns(group.cards, size) for group in spread.groups)
    wide = free // (gaps + 2)
    return max(1, min(FARTHEST, wide if wide >= APART else free // gaps))


def _lay_words(lines: list[list[Span]], words: Sequence[Line], said: int, ground: str) -> None:
    """Put words at the right of what lies there, in the middle of its height."""
    first = max(0, (len(lines) - len(words)) // 2)
    for number, line in enumerate(lines):
        text = words[number - first] if first <= number < first + len(words) else ()
        before = (said - line_width(text)) // 2 + APART
        after = said + 2 * APART - before - line_width(text)
        spans = [(one, _on(role, ground)) for one, role in text]
        line += [(" " * before, f"/{ground}"), *spans, (" " * after, f"/{ground}")]


def _on(role: str, ground: str) -> str:
    """Return the ink of a role on a ground."""
    return f"{ROLES[role].ink}/{ground}{'!' * ROLES[role].bold}"


def _lay_group(
    lines: list[list[Span]],
    group: Group,
    brush: Brush,
    size: tuple[int, int],
    ground: str,
    more: int,
) -> None:
    """Put a group at the right of what lies there, with `more` columns, into which labels go."""
    wide = row_columns(group.cards, size)
    for at, card in enumerate(group.cards):
        gap = (" " * (at > 0 and not card.is_joined), f"/{ground}")
        for line, row in zip(lines, card_rows(card, Lying(), brush, size), strict=False):
            line += [gap, *row] if gap[0] else row
    for number, line in enumerate(lines):
        if number < size[1]:
            line.append((" " * more, f"/{ground}"))
            continue
        labels = group.labels[number - size[1] :]
        text, role = labels[0] if labels else ("", "")
        said = fit(shortened(text, wide + max(0, more - 1), LETTERS), wide + more)
        line.append((said, _on(role, ground)))


def _in_one(spread: Spread, ground: str) -> Line:
    """Return the words in one line: those of a column are set with spaces, which go."""
    if spread.is_silent:
        return ()
    line: list[Span] = []
    for words in spread.words:
        line += [(" " * APART * bool(line), f"/{ground}")]
        line += [(re.sub(" +", " ", text), _on(role, ground)) for text, role in words]
    return joined(line)


def _rows_of(hands: Sequence[Group], high: int) -> int:
    """Return the rows of hands, each so high, with a row between them."""
    return max(0, len(hands) * (high + 1) - 1)


def _hands(
    hands: Sequence[Group], brush: Brush, columns: int, rows: int, ground: str
) -> list[Line]:
    """Return hands below each other behind their labels: with pictures, or in a row each."""
    before = 1 + min(NAME, max(width(group.labels[0][0]) for group in hands))
    longest = max(len(group.cards) for group in hands)
    wide, high = FANNED
    fits = before + longest * (wide + 1) <= columns and _rows_of(hands, high) <= rows
    high = high if fits else 1
    is_apart = _rows_of(hands, high) <= rows
    made: list[Line] = [()] * ((_rows_of(hands, high) if is_apart else len(hands)) < rows)
    for number, group in enumerate(hands):
        lines: list[list[Span]] = [[(" " * before, f"/{ground}")] for _ in range(high)]
        label, role = group.labels[0]
        lines[high // 2] = [(fit(shortened(label, before - 1, LETTERS), before), _on(role, ground))]
        for card in group.cards:
            size = FANNED if fits else in_row(card, brush)
            for line, row in zip(lines, card_rows(card, Lying(), brush, size), strict=True):
                line += [*row, (" " * fits, f"/{ground}")]
        made += [()] * (is_apart and number > 0)
        made += [part for line in lines for part in fold(joined(line), columns)]
    return made[: max(0, rows)]


def _left(lines: list[Line], words: tuple[Line, ...], columns: int) -> int:
    """Return the columns before lines that stand in the middle, with words at the right edge."""
    taken = max(map(line_width, lines), default=0)
    said = max(map(line_width, words), default=0)
    return max(0, (columns - taken - (said + APART if said else 0)) // 2)


def _framed(
    lines: list[Line], words: tuple[Line, ...], left: int, columns: int, rows: int, ground: str
) -> tuple[Line, ...]:
    """Put lines on a ground of so many cells, in the middle of its height, words at its right."""
    said = max(map(line_width, words), default=0)
    above = max(0, (rows - len(lines)) // 2)
    first = max(0, min(above, rows - len(words)))
    made: list[Line] = []
    for row in range(rows):
        line = lines[row - above] if 0 <= row - above < len(lines) else ()
        side = words[row - first] if 0 <= row - first < len(words) else ()
        used = line_width(line)
        space = max(0, columns - left - used - said - bool(said))
        end = max(0, columns - left - used - space - line_width(side))
        spans = [
            (" " * left, f"/{ground}"),
            *line,
            (" " * space, f"/{ground}"),
            *((text, _on(role, ground)) for text, role in side),
            (" " * end, f"/{ground}"),
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
