"""Lines of text in roles: how broad they are, cut and broken to a number of columns. Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from unicodedata import category, east_asian_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kumite.tui.look.glyphs import Look

Span = tuple[str, str]
"""A piece of text and its role (a name that themes give a colour; empty: plain)."""
Line = tuple[Span, ...]

YOU: Final = " (you)"  # behind one's own name
LONGEST_NAME: Final = 32  # columns; on the LAN names have 24 letters
SHORTEST_NAME: Final = 10  # columns that are left of one in any window
GLUE: Final = "~%"
LONGEST_KEY: Final = 6  # columns, with its colon: `Enter:`
GOES_ON: Final[Span] = ("", "")  # begins a line that goes on with what the one above says
_SPACES: Final = re.compile(" +")


def capital(text: str, names: Sequence[str] = ()) -> str:
    """Return a sentence that begins with a capital letter; but a player's name is as it is."""
    for name in filter(None, names):
        if text.startswith(name) and not text[len(name) : len(name) + 1].isalnum():
            return text
    return f"{text[:1].upper()}{text[1:]}"


def plain(line: Line) -> str:
    """Return a line without its roles."""
    return "".join(text for text, _ in line)


def width(text: str) -> int:
    """Return how many columns a text takes: kanji, kana and full-width letters take two."""
    if text.isascii():
        return len(text)
    return sum(map(_sign_width, text))


@lru_cache(maxsize=4096)
def _sign_width(one: str) -> int:
    if category(one) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(one) in "WF" else 1


def _head(text: str, columns: int) -> str:
    """Return as much of the beginning of a text as fits into so many columns."""
    if text.isascii():
        return text[: max(0, columns)]
    taken = 0
    for end, one in enumerate(text):
        taken += _sign_width(one)
        if taken > columns:
            return text[:end]
    return text


def line_width(line: Line) -> int:
    """Return how many columns a line takes."""
    return sum(width(text) for text, _ in line)


def fit(text: str, columns: int, right: bool = False) -> str:
    """Return a text cut or filled to a number of columns, at its left if it stands to the right.

    Names may be in kanji, which take two columns each.
    """
    text = _head(text, columns)
    space = " " * (columns - width(text))
    return space + text if right else text + space


def shortened(text: str, columns: int, look: Look) -> str:
    """Return a text filled to a number of columns; one that is too long says that it is cut."""
    if width(text) <= columns:
        return fit(text, columns)
    return fit(fit(text, columns - 1).rstrip() + look.more, columns)


def called(name: str, columns: int, look: Look, *, is_you: bool) -> str:
    """Return a name filled to a number of columns; your own says so where there is room for it.

    For that a long name gives way, as far as one still reads whose it is.
    """
    if is_you and width(name) + len(YOU) > columns and columns >= SHORTEST_NAME + len(YOU):
        return fit(shortened(name, columns - len(YOU), look).rstrip() + YOU, columns)
    is_said = is_you and width(name) + len(YOU) <= columns
    return shortened(name + YOU * is_said, columns, look)


def player(
    name: str, columns: int, look: Look, mark: Span, *, is_to_act: bool, is_you: bool, gap: int = 1
) -> Line:
    """Return how a player's row begins: whether they act, a gap, their mark and their name."""
    return (
        ((look.pointer if is_to_act else " ") + " " * gap, "title"),
        mark,
        (" ", ""),
        (Elastic(called(name, columns, look, is_you=is_you)), "title" if is_you else ""),
        (" ", ""),
    )


def broadest(names: Iterable[str], least: int = 6) -> int:
    """Return the columns for names of which any may be yours: whole, unless they are very long."""
    return min(LONGEST_NAME, max(least, *(width(name) + len(YOU) for name in names)))


class Elastic(str):
    """A part of a line, a name or the space above one, that gives way where there is no room."""

    __slots__ = ()


def narrowed(lines: tuple[Line, ...], columns: int, look: Look) -> tuple[Line, ...]:
    """Return lines that stand below each other, with as much less of their names as it takes.

    All of them give way alike, down to `SHORTEST_NAME` columns, and so stay below each other.
    """
    over = max(map(line_width, lines), default=0) - columns
    parts = [text for line in lines for text, _ in line if isinstance(text, Elastic)]
    less = min(over, max(map(width, parts), default=0) - SHORTEST_NAME)
    if less <= 0:
        return lines
    return tuple(
        tuple(
            (
                Elastic(_narrower(text, width(text) - less, look))
                if isinstance(text, Elastic)
                else text,
                role,
            )
            for text, role in line
        )
        for line in lines
    )


def _narrower(text: str, columns: int, look: Look) -> str:
    """Return a name in fewer columns; that it is yours goes before any letter of it does."""
    name = text.rstrip()
    if width(name) > columns:
        name = name.removesuffix(YOU)
    return shortened(name, max(0, columns), look)


def trimmed(line: Line, columns: int) -> Line:
    """Return a line without its last parts, which matter least, if only so it fits into a row."""
    while len(line) > 2 and line_width(line) > columns:
        line = line[:-1]
    return line


def squeezed(line: Line, columns: int) -> Line:
    """Return a line with as few of its spaces within spans as it takes to fit, if that will do.

    That a name is yours is left out, too, if the line fits then: else its numbers go below it.
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
    for at, (name, _) in enumerate(line):
        if 0 < over <= len(YOU) and isinstance(name, Elastic) and YOU in name:
            texts[at] = texts[at].replace(YOU, "", 1)
            over -= len(YOU)
    return tuple((text, role) for text, (_, role) in zip(texts, line, strict=True))


def wrap(text: str, columns: int) -> list[str]:
    """Return the lines of a text broken to a number of columns; at least one, maybe empty."""
    lines, line = [], ""
    for word in text.split():
        joined = f"{line} {word}".lstrip()
        if width(joined) <= columns:
            line = joined
            continue
        lines += [line] * bool(line)
        while len(word) > 1 and len(head := _head(word, columns)) < len(word):
            lines.append(head or word[0])  # one at least, or it never ends
            word = word[len(lines[-1]) :]
        line = word
    return [*lines, line]


def glued(text: str, columns: int) -> list[str]:
    """Return the lines of a text like `wrap`, but no line begins with the sign of a percentage."""
    return [line.replace(GLUE, " %") for line in wrap(text.replace(" %", GLUE), columns)]


def fold(line: Line, columns: int, indent: int = 0) -> list[Line]:
    """Return a line broken between words to a number of columns; its other lines are indented.

    Spaces stay as they are, but for those at a break. A word that is too long is cut in two.
    """
    lines: list[Line] = []
    rest = line
    while rest:
        room = columns if not lines else max(1, columns - indent)
        head, rest = _split(rest, room)
        lines.append(((" " * indent, ""), *head) if lines and indent else head)
    return lines or [()]


def _split(line: Line, columns: int) -> tuple[Line, Line]:
    """Return as much of a line as fits in so many columns, and the rest."""
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
    """Return where a line ends that would end with a key: before it, to keep it with its words."""
    before, _, last = text[:end].rstrip().rpartition(" ")
    is_key = last.endswith(":") and len(last) <= LONGEST_KEY
    return len(before.rstrip()) if is_key and before.strip() else end


def cut(line: Line, start: int, end: int) -> Line:
    """Return the characters of a line from `start` to before `end`, in their roles."""
    spans, at = [], 0
    for text, role in line:
        piece = text[max(0, start - at) : max(0, end - at)]
        spans += [(piece, role)] * bool(piece)
        at += len(text)
    return tuple(spans)
