"""The card at the end of a match: who won and why, how it stands, where it turned. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.tui.drawing.lettering import large
from kumite.tui.drawing.panel import panel
from kumite.tui.scenes.lines import line_width, plain, shortened, width, wrap

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes.figures import Bar
    from kumite.tui.scenes.lines import Line, Span

BROADEST: Final = 58  # columns
MARGIN: Final = 2  # columns of the board that are seen at each side
NARROWEST, LOWEST = 44, 4  # columns and rows in which there is a card at all
SIGNS: Final = 8  # of which each is drawn for itself; of more, a bar
BAR: Final = 20  # columns
NAME: Final = 14  # columns, and of what leads a line
SIDE: Final = 25  # columns of the names of those who play together, if they need as many
TOLD: Final = 2  # lines of a fact where rows are dear
WHOLE: Final = 5  # lines of a fact where there is room
DOTS: Final = " ..."
AIR: Final = 5  # lines that are left out where there is no room


class Standing(NamedTuple):
    """One side at the end."""

    seat: int  # whose colour and sign it has
    who: str
    has_won: bool
    bars: tuple[Bar, ...]


class Ending(NamedTuple):
    """How a match ended, in words and figures."""

    said: str  # `ada won`
    seat: int | None  # in whose colour it is said
    why: str
    standings: tuple[Standing, ...]
    facts: tuple[tuple[str, str], ...] = ()  # (heading, what): turning point, length
    is_loss: bool = False  # something went wrong


def whole_at(lines: Iterable[Line], columns: range, seams: Collection[int]) -> int:
    """Return where a card begins: of these columns the last at which its text stays whole.

    Each row of the screen is drawn in pieces, cut at the `seams`, where something below begins or
    ends; a character of two columns that is cut is not drawn. If each column has such, the fewest.
    """
    halves = Counter(half for line in lines for half in _halves(plain(line)))
    return min(reversed(columns), key=lambda column: sum(halves[seam - column] for seam in seams))


def _halves(text: str) -> Iterator[int]:
    """Yield the columns in the middle of characters of two."""
    column = 0
    for one in text:
        if (wide := width(one)) == 2:
            yield column + 1
        column += wide


def card_lines(
    ending: Ending, keys: tuple[tuple[str, str], ...], look: Look, columns: int, rows: int
) -> list[Line]:
    """Return the card, as large as it fits into so many cells; `keys` are (key, what it does).

    Where not even its words have room, there is none.
    """
    if columns < NARROWEST or rows < LOWEST:
        return []
    wide = min(BROADEST, columns - 2 * MARGIN)
    inner = wide - 6
    head = _head(ending, look, inner)
    # Letters that are drawn are none to a reader of the screen: there it is written as well.
    told = f"{ending.said}. {ending.why}" if len(head) > 1 else ending.why
    why: list[Line] = [((part, ""),) for part in wrap(told, inner)]
    broad = min(SIDE, max((width(one.who) for one in ending.standings), default=0))
    standings = [_standing(one, look, inner, max(NAME, broad)) for one in ending.standings]
    foot = _keys(keys, inner)
    taken = len(why) + sum(map(len, standings)) + len(foot) + 2
    facts = _facts(ending, inner, rows - taken - len(head) - AIR)
    while len(facts) > 1 and taken + 1 + sum(map(len, facts)) > rows:
        del facts[0]  # the last step first: the board shows it, too
    taken += len(head) + sum(map(len, facts))
    if taken > rows and len(head) > 1:
        taken -= len(head) - 1
        head = _plain_head(ending)
    spare = max(0, rows - taken)
    gaps: list[list[Line]] = [[()] if spare > at else [] for at in range(AIR)]
    blocks = [head + why, *([line for one in some for line in one] for some in (standings, facts))]
    blocks.append(foot)
    lines: list[Line] = list(gaps[3])
    for at, block in enumerate(block for block in blocks if block):
        lines += [*(gaps[at - 1] if at else []), *block]
    lines += gaps[4]
    shown = [((" ", ""), *line) for line in lines[: rows - 2]]
    return panel("the end", shown, wide, len(shown) + 2, look)


def _head(ending: Ending, look: Look, columns: int) -> list[Line]:
    ink = "title" if ending.seat is None else f"seat-{ending.seat}"
    letters = large(ending.said.lower(), ink) if look.is_drawn and not ending.is_loss else ()
    if letters and line_width(letters[0]) <= columns:
        return list(letters)
    return _plain_head(ending)


def _plain_head(ending: Ending) -> list[Line]:
    if ending.is_loss:
        return [((ending.said, "loss"),)]
    return [((f" {ending.said} ", "title" if ending.seat is None else f"base-{ending.seat}"),)]


def _standing(one: Standing, look: Look, columns: int, broad: int) -> list[Line]:
    """Return the lines of a side: its bars beside its name, one below the other if it is tight."""
    seat = one.seat % len(look.solid)
    pointer = look.pointer if one.has_won else " "
    name: tuple[Span, ...] = (
        (f"{pointer} ", "title"),
        (f"{look.solid[seat]} {shortened(one.who, broad, look)} ", f"flag-{seat}"),
        ("  ", ""),
    )
    bars = [_bar(bar, seat, look, columns - broad - 7) for bar in one.bars]
    joined = tuple(span for bar in bars for span in (*bar, ("  ", "")))
    if line_width((*name, *joined)) <= columns or not bars:
        return [(*name, *joined)]
    space = " " * line_width(name)
    return [(*name, *bars[0]), *(((space, ""), *bar) for bar in bars[1:])]


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


def _facts(ending: Ending, columns: int, room: int) -> list[list[Line]]:
    """Return the facts, whole where there is room: how the blow fell stands at its end."""
    for most in (WHOLE, TOLD):
        facts = [_fact(heading, what, columns, most) for heading, what in ending.facts]
        if sum(map(len, facts)) <= room:
            break
    return facts


def _fact(heading: str, what: str, columns: int, most: int) -> list[Line]:
    first, *more = _shortened(wrap(what, columns - NAME - 2), columns - NAME - 2, most)
    lines: list[Line] = [((f"{heading:<{NAME}}  ", "quiet"), (first, ""))]
    return lines + [((" " * (NAME + 2), ""), (part, "")) for part in more]


def _shortened(parts: list[str], columns: int, most: int) -> list[str]:
    """Return the first of some lines, with dots where more of them follow."""
    if len(parts) <= most:
        return parts
    last = parts[most - 1]
    while width(last) + len(DOTS) > columns:
        last = last.rpartition(" ")[0]
    return [*parts[: most - 1], last.rstrip(",;:") + DOTS]


def _keys(keys: tuple[tuple[str, str], ...], columns: int) -> list[Line]:
    """Return the keys in as few lines as they need."""
    lines: list[Line] = [()]
    for key, does in keys:
        span = (key, "key"), (f" {does}  ", "quiet")
        if lines[-1] and line_width((*lines[-1], *span)) - 2 > columns:
            lines.append(())
        lines[-1] = (*lines[-1], *span)
    return lines if lines[0] else []
