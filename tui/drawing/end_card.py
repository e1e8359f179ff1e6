"""The result card at the end of a match: winner, reason, scores, turning point; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from kumite.tui.drawing.cards import scaled
from kumite.tui.drawing.chart import chart
from kumite.tui.drawing.lettering import large
from kumite.tui.drawing.panel import filled
from kumite.tui.drawing.pixels import Brush, half_blocks
from kumite.tui.drawing.shelves import pieces
from kumite.tui.look.glyphs import Look
from kumite.tui.look.sprites import owned
from kumite.tui.scenes.lines import Line, Span, line_width, shortened, width, wrap
from kumite.tui.scenes.model import Bar

CARD: Final = 28  # columns that the card takes of a window whose side is narrower
NARROWEST: Final = 20  # columns in which there is a card at all
INDENT: Final = 3  # columns: the bar in the winner's colour, and a gap
SIGNS: Final = 8  # of which each is drawn for itself; of more, a bar
BAR: Final = 14  # columns
TALL: Final = 7  # rows of large letters; higher ones go before the last step
LARGE: Final = (16, 12, 10, 8)  # rows of the winner's picture in the rows that nothing else needs
TROPHIES: Final = (6, 5, 4, 3)  # rows of the winner's picture, with twice as many columns
FARTHEST: Final = 3  # most rows between two parts
CURVES: Final = 36  # least columns of how the score went
CURVE_ROWS: Final = 8
SHAPES: Final = ((4, 2), (3, 2))  # cells of each piece that was taken


class Standing(NamedTuple):
    """One side at the end."""

    seat: int  # the seat whose colour and sign it has
    who: str
    has_won: bool
    bars: tuple[Bar, ...]


class Ending(NamedTuple):
    """The result of a match, as texts and figures."""

    said: str  # `ada won`
    seat: int | None  # the seat whose colour it has
    why: str
    standings: tuple[Standing, ...]
    facts: tuple[tuple[str, str], ...] = ()  # (heading, text): turning point, length
    is_loss: bool = False  # the table stopped, or someone cheated
    trophy: str = ""  # the sprite of the winner's picture
    scores: Sequence[tuple[int, Sequence[int]]] = ()  # of each side's seat, after each step
    whole: int = 0  # what a won round counts of the score


def card_lines(ending: Ending, brush: Brush, look: Look, columns: int, rows: int) -> list[Line]:
    """Return the card, dropping minor parts to fit; nothing if winner and reason do not fit."""
    inner = columns - INDENT - 1
    head = _head(ending, look, inner)
    why: list[Line] = [((part, ""),) for part in wrap(ending.why, inner)]
    broad = max((width(one.who) for one in ending.standings), default=0)
    standings = [
        line
        for one in ending.standings
        for line in _standing(one, brush, look, inner, min(broad, inner - 5))
    ]
    facts = [_fact(heading, what, inner) for heading, what in ending.facts]
    others = [head, why, standings, *facts]
    free = rows - sum(len(block) + 1 for block in others if block) - 1
    has_curves = bool(ending.scores) and inner >= CURVES
    most = min(inner // 2, free - (CURVE_ROWS + 1) * has_curves)
    highs = [high for high in LARGE if high <= most]
    picture = _trophy(ending, brush, max(highs, default=TROPHIES[0]))
    picture = picture if inner >= 2 * TROPHIES[0] else []
    curves: list[Line] = []
    if has_curves:
        high = min(2 * CURVE_ROWS, max(CURVE_ROWS, free - len(picture) - 2))
        curves = chart(ending.scores, inner, high, look, brush.signs, ending.whole)
    blocks = [head, why, picture, standings, curves, *facts]
    # Where rows are short, these go first.
    tall = [head] * (len(head) > TALL)
    for block in (curves, picture, *tall, *facts[:-1], head, *facts[-1:]):
        if sum(len(block) + 1 for block in blocks if block) <= rows:
            break
        instead = _plain_head(ending) if block is head else []
        blocks = [instead if one is block else one for one in blocks]
    if picture and picture not in blocks:
        blocks[:2] = _beside_words(blocks, ending, brush, inner, rows)
    blocks = [block for block in blocks if block]
    spare = rows - sum(len(block) for block in blocks)
    gap = max(1, min(FARTHEST, spare // (len(blocks) + 1)))
    lines = [line for block in blocks for line in (*block, *[()] * gap)][:-gap]
    if len(lines) > rows:
        lines = [line for block in blocks for line in block]
    if len(lines) > rows or columns < NARROWEST:
        return []
    lines = [*[()] * min(gap, rows - len(lines)), *lines]
    bar = (
        "▌" if look.is_drawn else "|",
        "quiet" if ending.seat is None else f"seat-{ending.seat}/",
    )
    return [
        (bar, (" " * (INDENT - 1), ""), *filled(line, inner), (" ", ""))
        for line in [*lines, *[()] * rows][:rows]
    ]


def _head(ending: Ending, look: Look, columns: int) -> list[Line]:
    """Return who won in large letters, in one row or two; else in plain ones."""
    ink = "title" if ending.seat is None else f"seat-{ending.seat}"
    if not look.is_drawn or ending.is_loss:
        return _plain_head(ending)
    said = ending.said.lower()
    short = "you won" if said.startswith("you") else said  # partners stand below
    for texts in ((said,), said.rsplit(" ", 1), (short,), short.rsplit(" ", 1)):
        drawn = [large(text, ink) for text in texts]
        if all(one and line_width(one[0]) <= columns for one in drawn):
            return [line for at, one in enumerate(drawn) for line in ([()] if at else []) + [*one]]
    return _plain_head(ending)


def _plain_head(ending: Ending) -> list[Line]:
    if ending.is_loss:
        return [((ending.said, "loss"),)]
    return [((f" {ending.said} ", "title" if ending.seat is None else f"base-{ending.seat}"),)]


def _trophy(ending: Ending, brush: Brush, high: int) -> list[Line]:
    picture = scaled(brush, ending.trophy, 2 * high, 2 * high)
    if picture is None or not brush.has_pictures:
        return []
    return list(half_blocks(owned(picture, ending.seat), "background", 2 * high, high))


def _beside_words(
    blocks: list[list[Line]], ending: Ending, brush: Brush, columns: int, rows: int
) -> list[list[Line]]:
    """Return the heading and the reason, with the picture beside one of them if it fits."""
    head, why, *rest = blocks
    free = rows - sum(len(block) + 1 for block in rest if block) - 2
    for high in TROPHIES:
        figure, room = _trophy(ending, brush, high), columns - 2 * high - 1
        narrow: list[Line] = [((part, ""),) for part in wrap(ending.why, max(1, room))]
        for words, other in ((head, why), (narrow, head)):
            fits = words and max(map(line_width, words)) <= room
            if figure and fits and max(len(words), high) + len(other) <= free:
                lines = [*words, *[()] * (high - len(words))]
                spare = [()] * (len(lines) - high)
                pairs = zip(lines, [*figure, *spare], strict=True)
                beside = [(*filled(line, room), (" ", ""), *part) for line, part in pairs]
                return [beside, other] if words is head else [head, beside]
    return [head, why]


def _taken(bar: Bar, brush: Brush, columns: int) -> list[Line]:
    size = next((one for one in SHAPES if bar.most * one[0] <= columns), None)
    lines = pieces(bar, brush, columns, *size) if size and bar.sprite else []
    return lines if bar.number else lines[-1:]


def _standing(one: Standing, brush: Brush, look: Look, columns: int, broad: int) -> list[Line]:
    """Return the lines of a side: its name, then its bars; a single bar beside the name."""
    seat = one.seat % len(look.solid)
    pointer = look.pointer if one.has_won else " "
    who = shortened(one.who, columns - 5, look)
    name: Line = ((f"{pointer} ", "title"), (f"{look.solid[seat]} {who} ", f"flag-{seat}"))
    if len(one.bars) == 1:
        gap = " " * (broad - width(who) + 1)
        line = (*name, (gap, ""), *_bar(one.bars[0], seat, look, columns - 6 - broad))
        if line_width(line) <= columns:
            return [line]
    lines = [name]
    for bar in one.bars:
        drawn = _taken(bar, brush, columns - 2) or [_bar(bar, seat, look, columns - 2)]
        lines += [(("  ", ""), *line) for line in drawn]
    return lines


def _bar(bar: Bar, seat: int, look: Look, columns: int) -> tuple[Span, ...]:
    said = f" {bar.what} {bar.number}"
    ink = f"seat-{seat}/"
    if bar.most <= SIGNS:
        count = min(bar.number, bar.most)
        full, empty = look.solid[seat] * count, look.hollow[seat] * (bar.most - count)
        return (full, ink), (empty, "quiet"), (said, "quiet")
    room = max(4, min(BAR, columns - width(said)))
    filled = round(room * min(bar.number, bar.most) / bar.most)
    block = look.heights[-1]
    return (block * filled, ink), (look.line * (room - filled), "quiet"), (said, "quiet")


def _fact(heading: str, what: str, columns: int) -> list[Line]:
    """Return a fact behind its heading: `last step  20: bob lays c1`."""
    first, *more = wrap(f"{heading}  {what}", columns)
    return [((heading, "quiet"), (first[len(heading) :], "")), *(((part, ""),) for part in more)]
