"""Lines of text in roles: measuring, cutting, wrapping to columns, simple Markdown; pure."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from functools import lru_cache
from itertools import product
from typing import Final
from unicodedata import category, east_asian_width

from kumite.core.players import bot_name
from kumite.tui.look.glyphs import Look

Span = tuple[str, str]
"""A piece of text and its role (coloured by the theme; empty: plain)."""
Line = tuple[Span, ...]
Names = Sequence[str]
"""Of the players, by seat."""

YOU: Final = " (you)"  # after the viewer's own name
LONGEST_NAME: Final = 32  # columns; on the LAN names have 24 letters
SHORTEST_NAME: Final = 10  # columns of a shortened name
GLUE: Final = "~%"
LONGEST_KEY: Final = 6  # columns, with its colon: `Enter:`
GOES_ON: Final[Span] = ("", "")  # begins a continuation line
_SPACES: Final = re.compile(" +")


def capital(text: str, names: Sequence[str] = ()) -> str:
    """Capitalise a sentence, unless it begins with a player's name."""
    for name in filter(None, names):
        if text.startswith(name) and not text[len(name) : len(name) + 1].isalnum():
            return text
    return f"{text[:1].upper()}{text[1:]}"


def plain(line: Line) -> str:
    return "".join(text for text, _ in line)


def width(text: str) -> int:
    """Return the columns of a text: kanji, kana and full-width letters take two."""
    if text.isascii():
        return len(text)
    return sum(map(_sign_width, text))


@lru_cache(maxsize=4096)
def _sign_width(one: str) -> int:
    if category(one) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(one) in "WF" else 1


def _head(text: str, columns: int) -> str:
    if text.isascii():
        return text[: max(0, columns)]
    taken = 0
    for end, one in enumerate(text):
        taken += _sign_width(one)
        if taken > columns:
            return text[:end]
    return text


def line_width(line: Line) -> int:
    return sum(width(text) for text, _ in line)


def fit(text: str, columns: int, right: bool = False) -> str:
    """Crop or pad a text to a number of columns, padding at its left if `right`."""
    text = _head(text, columns)
    space = " " * (columns - width(text))
    return space + text if right else text + space


def shortened(text: str, columns: int, look: Look) -> str:
    """Crop or pad a text to a number of columns, marking where it was cut.

    A bot's name first loses the word `bot`, and keeps what tells it from other bots.
    """
    text = text if width(text) <= columns else text.removeprefix(bot_name(""))
    if width(text) <= columns:
        return fit(text, columns)
    return fit(fit(text, columns - 1).rstrip() + look.more, columns)


def called(name: str, columns: int, look: Look, *, is_you: bool) -> str:
    """Crop or pad a name to a number of columns, adding `YOU` to the viewer's where it fits."""
    if is_you and width(name) + len(YOU) > columns and columns >= SHORTEST_NAME + len(YOU):
        return fit(shortened(name, columns - len(YOU), look).rstrip() + YOU, columns)
    is_said = is_you and width(name) + len(YOU) <= columns
    return shortened(name + YOU * is_said, columns, look)


def player_rows(
    names: Names,
    look: Look,
    you: int | None,
    to_act: Container[object],
    heading: str,
    rows: Sequence[tuple[Span, Line]],
    gap: int = 1,
    least: int = 6,
) -> tuple[Line, ...]:
    """Return a row for each player, below a heading: pointer, gap, mark, name and figures.

    `rows` are the marks and figures, by seat.
    """
    columns = broadest(names, least)
    lines: list[Line] = [((Elastic(" " * columns), ""), (heading, "quiet"))]
    for seat, (name, (mark, figures)) in enumerate(zip(names, rows, strict=True)):
        pointer = look.pointer if seat in to_act else " "
        said = Elastic(called(name, columns, look, is_you=seat == you))
        line = (mark, (" ", ""), (said, "title" if seat == you else ""), *figures)
        lines.append(((pointer + " " * gap, "title"), *line))
    return tuple(lines)


def bar(number: int, columns: int) -> str:
    """Return a bar of half a column for each of a number of things."""
    return fit("█" * (number // 2) + "▌" * (number % 2), columns)


def broadest(names: Iterable[str], least: int = 6) -> int:
    """Return the columns for names, any of which may need `YOU`, at most LONGEST_NAME."""
    return min(LONGEST_NAME, max(least, *(width(name) + len(YOU) for name in names)))


class Elastic(str):
    """A part of a line, a name or the space above one, that may be shortened."""

    __slots__ = ()


class Named(Elastic):
    """A part of a line with full names, and its short form."""

    __slots__ = ("short",)
    short: Elastic

    def __new__(cls, full: str, short: str) -> Named:
        made = super().__new__(cls, full)
        made.short = short if isinstance(short, Elastic) else Elastic(short)
        return made


def abbreviated(line: Line) -> Line:
    return tuple((text.short if isinstance(text, Named) else text, role) for text, role in line)


def narrowed(lines: tuple[Line, ...], columns: int, look: Look) -> tuple[Line, ...]:
    """Return aligned lines with their names shortened equally, to SHORTEST_NAME at least."""
    over = max(map(line_width, lines), default=0) - columns
    parts = [text for line in lines for text, _ in line if isinstance(text, Elastic)]
    least = min(SHORTEST_NAME, max((width(one.rstrip()) for one in parts), default=0))
    less = min(over, max(map(width, parts), default=0) - least)
    if less <= 0:
        return lines
    return tuple(
        tuple(
            (Elastic(_narrower(text, less, look)) if isinstance(text, Elastic) else text, role)
            for text, role in line
        )
        for line in lines
    )


def _narrower(text: str, less: int, look: Look) -> str:
    """Return a name in fewer columns, dropping `YOU` before any letter."""
    name = text.rstrip()
    columns = max(width(text) - less, min(width(name), SHORTEST_NAME))
    if width(name) > columns:
        name = name.removesuffix(YOU)
    return shortened(name, columns, look)


def ended(line: Line, columns: int, look: Look) -> Line:
    """Return a line that fits, ending after a word, marking that it goes on."""
    text = plain(line).rstrip()
    if width(text) <= columns:
        return line
    words = text.rstrip(" ↻↺")  # an arrow says what the words before it say
    if width(words) <= columns:
        return cut(line, 0, len(words))
    return (*_split(line, columns - 1)[0], (look.more, "quiet"))


def trimmed(line: Line, columns: int) -> Line:
    """Drop the last parts of a line, which matter least, until it fits."""
    while len(line) > 2 and line_width(line) > columns:
        line = line[:-1]
    return line


def squeezed(line: Line, columns: int) -> Line:
    """Return a line with as few spaces removed as needed to fit, if possible.

    `YOU`, or a bot's first word, is dropped too if the line then fits; else numbers would wrap.
    """
    over = line_width(line) - columns
    texts = [text for text, _ in line]
    while over > 0:
        runs = [
            (max(map(len, _SPACES.findall(text)), default=0), at) for at, text in enumerate(texts)
        ]
        longest, at = max(runs)
        if longest < 2:
            break
        texts[at] = texts[at].replace(" " * longest, " " * (longest - 1), 1)
        over -= 1
    for (at, (name, _)), spare in product(enumerate(line), (YOU, bot_name(""))):
        less = texts[at].replace(spare, "", 1)
        less = less.rstrip() if over > len(spare) else less
        if isinstance(name, Elastic) and spare in name and 0 < over <= len(texts[at]) - len(less):
            over -= len(texts[at]) - len(less)
            texts[at] = less
    return tuple((text, role) for text, (_, role) in zip(texts, line, strict=True))


def wrap(text: str, columns: int) -> list[str]:
    """Wrap a text to a number of columns; returns at least one line, maybe empty."""
    lines, line = [], ""
    for word in text.split():
        joined = f"{line} {word}".lstrip()
        if width(joined) <= columns:
            line = joined
            continue
        lines += [line] * bool(line)
        while len(word) > 1 and len(head := _head(word, columns)) < len(word):
            lines.append(head or word[0])  # at least one, to terminate
            word = word[len(lines[-1]) :]
        line = word
    return [*lines, line]


def wrapped(text: str, columns: int, role: str = "") -> list[Line]:
    return [((part, role),) for part in wrap(text, columns) if part]


def glued(text: str, columns: int) -> list[str]:
    """Wrap a text, keeping percent signs with their numbers."""
    return [line.replace(GLUE, " %") for line in wrap(text.replace(" %", GLUE), columns)]


def fold(line: Line, columns: int, indent: int = 0) -> list[Line]:
    """Wrap a line between words to a number of columns, keeping spaces, indenting the rest."""
    lines: list[Line] = []
    rest = line
    while rest:
        room = columns if not lines else max(1, columns - indent)
        head, rest = _split(rest, room)
        lines.append(((" " * indent, ""), *head) if lines and indent else head)
    return lines or [()]


def _split(line: Line, columns: int) -> tuple[Line, Line]:
    text = plain(line)
    head = _head(text, columns)
    if len(head) == len(text):
        return line, ()
    end = max(1, len(head.rstrip()))
    space = text.rfind(" ", 0, end + 1)
    if space > 0 and text[:space].strip():
        end = _before_key(text, space)
    start = end + len(text[end:]) - len(text[end:].lstrip())
    return cut(line, 0, end), cut(line, start, len(text))


def _before_key(text: str, end: int) -> int:
    """Return where to end a line that would end with a key: before it."""
    before, _, last = text[:end].rstrip().rpartition(" ")
    is_key = last.endswith(":") and len(last) <= LONGEST_KEY
    return len(before.rstrip()) if is_key and before.strip() else end


def cut(line: Line, start: int, end: int) -> Line:
    spans, at = [], 0
    for text, role in line:
        piece = text[max(0, start - at) : max(0, end - at)]
        spans += [(piece, role)] * bool(piece)
        at += len(text)
    return tuple(spans)


# --- Simple Markdown --------------------------------------------------------------------------


def marked_down(text: str) -> tuple[Line, ...]:
    """Return a page in simple Markdown as lines, one per paragraph or list item."""
    lines: list[Line] = []
    in_code, paragraph = False, ""

    def close() -> None:
        nonlocal paragraph
        if paragraph:
            lines.append(_inline(paragraph))
        paragraph = ""

    for raw in text.splitlines():
        is_fence = raw.startswith("```")
        in_code ^= is_fence
        if not is_fence and in_code:
            lines.append((("    " + raw, "label"),))
        elif is_fence or not raw.strip():
            close()
            if lines and lines[-1]:
                lines.append(())
        elif raw.startswith("#"):
            close()
            lines.append(((raw.lstrip("# "), "title"),))
        else:
            if re.match(r"(-|\d+\.) ", raw):
                close()
            paragraph = f"{paragraph} {raw.strip()}".lstrip()
    close()
    return tuple(lines)


def _inline(raw: str) -> Line:
    spans: list[tuple[str, str]] = []
    for number, piece in enumerate(raw.split("`")):
        if number % 2:
            spans.append((piece, "key"))
            continue
        for inner, part in enumerate(re.split(r"\*{1,2}(?=\S)(.+?)(?<=\S)\*{1,2}", piece)):
            spans.append((part, "title" if inner % 2 else ""))
    return tuple(span for span in spans if span[0])
