"""The rules page of a game, adapted to a match, as lines or as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from kumite.core.errors import BadSetup
from kumite.core.game import SPECTATOR, Setup, Step
from kumite.core.games import GAMES, package_of
from kumite.core.match import Match
from kumite.tui.drawing.pixels import Brush, half_blocks
from kumite.tui.export.sheet import table
from kumite.tui.look.glyphs import Look
from kumite.tui.look.sprites import on_mat, owned
from kumite.tui.play.local_table import default_names
from kumite.tui.play.terms import options_said
from kumite.tui.scenes import NO_TRACE, maker
from kumite.tui.scenes.lines import Line, Span, marked_down, plain

BOARD: Final = (54, 20)  # columns and rows of a board drawn on a page
TABLETOP: Final = (54, 13)
SPRITES: Final = {  # columns and ground of each sprite on a page
    "pieces": (8, "surface"),
    "mats": (8, "mat-0"),
    "cards": (9, "paper"),
}
HIGH: Final = 5  # their rows
_FOLDERS: Final = (  # a wheel has the pages in tui/rules, a checkout in docs/rules
    Path(__file__).resolve().parent.parent / "rules",
    Path(__file__).resolve().parent.parent.parent / "docs" / "rules",
)


_ONLY: Final = re.compile(r"<!-- (?:only (\w+)=(\S+)|end) -->")
_VALUE: Final = re.compile(r"(\w+)<!-- (\w+) -->")
_BOARD: Final = re.compile(
    r"<!-- (?:(board|example)\b(.*?)-->\n(?:```.*?^```|!\[.*?\))|(pieces|mats|cards) (.*?) -->)\n",
    re.DOTALL | re.MULTILINE,
)


def rules_text(game_id: str, setup: Setup | None = None) -> str:
    """Return the rules page of a game as Markdown, adapted to `setup` if given.

    HTML comments mark what depends on the set-up: `only NAME=VALUES` applies until the next
    such comment, and a value before a comment is replaced by the option it names. `board` and
    `example` mark the pictures that `rules_lines` draws, `pieces`, `mats` and `cards` name sprites.

    Raises:
        BadSetup: there is no such page.
    """
    text = _page(game_id)
    said = {"seats": setup.seats, **setup.options} if setup is not None else {}
    lines, is_shown = [], True
    for line in text.splitlines():
        if found := _ONLY.fullmatch(line):
            name, values = found.groups()
            is_shown = name not in said or f"{said[name]}" in values.split(",")
        elif is_shown:
            lines.append(_VALUE.sub(lambda it: f"{said.get(it[2], it[1])}", line))
    return "\n".join(lines)


def _page(game_id: str) -> str:
    for folder in _FOLDERS:
        path = folder / f"{game_id}.md"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    if package_of(game_id) and (page := GAMES[game_id].__doc__):
        return f"# {GAMES[game_id].TITLE}\n\n{page}"
    raise BadSetup(f"there is no rules page for {game_id}")


def chapters(game_id: str) -> Mapping[str, str]:
    """Return the chapters of a rules page in words, without its boards, by their headings."""
    text = _BOARD.sub("", rules_text(game_id))
    found = {}
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        head, _, said = part.partition("\n")
        lines = (plain(line).rstrip() for line in marked_down(said))
        found[head.strip()] = "\n".join(lines).strip("\n")
    return found


def chapter_lines(game_id: str, wanted: str) -> list[str]:
    """Return a chapter by its number or heading, or, without one, what there is.

    Raises:
        BadSetup: there is no such chapter.
    """
    found = chapters(game_id)
    for number, (head, text) in enumerate(found.items(), 1):
        if wanted.lower() in (f"{number}", head.lower()):
            return [head, "", *text.split("\n")]
    if wanted:
        raise BadSetup(f"there is no chapter {wanted!r}", hint=f"chapters: {', '.join(found)}")
    heads = (f"{number}  {head}" for number, head in enumerate(found, 1))
    return [f"{GAMES[game_id].TITLE}, rules", *heads, "A number behind `rules` reads one of them."]


def rules_lines(
    game_id: str,
    brush: Brush,
    look: Look,
    setup: Setup | None = None,
    names: Sequence[str] = (),
    *,
    has_sprites: bool = True,
) -> tuple[Line, ...]:
    """Return the rules page as lines, with its boards drawn, and its sprites if wanted."""
    text = rules_text(game_id, setup)
    usual = Setup.of(GAMES[game_id])
    lines: list[Line] = []
    at = 0
    for found in _BOARD.finditer(text):
        lines += marked_down(text[at : found.start()])
        if found[3]:
            lines += _sprites(found[3], found[4].split(), brush) if has_sprites else ()
        else:
            played = setup if setup is not None and found[1] == "board" else usual
            lines += _drawn(played, found[2].split(), brush, look)
        at = found.end()
    lines += marked_down(text[at:])
    if setup is not None:
        lines[1:1] = [(), *_of_match(setup, names)]
    return tuple(lines)


def _of_match(setup: Setup, names: Sequence[str]) -> Iterator[Line]:
    who = ", ".join(f"{seat} {name}" for seat, name in enumerate(names, 1))
    yield (("This match: ", "title"), ("; ".join(options_said(setup)), ""))
    if who:
        yield (("Seats: ", "title"), (who, ""))


def _sprites(kind: str, names: Sequence[str], brush: Brush) -> tuple[Line, ...]:
    """Return sprites side by side, each above the last word of its name; () without pictures."""
    if not brush.has_pixels:
        return ()
    wide, ground = SPRITES[kind]
    rows: list[list[Span]] = [[("  ", "")] for _ in range(HIGH + 1)]
    for name in names:
        picture = brush.picture(name, wide, 2 * HIGH)
        if picture is not None:
            picture = on_mat(picture) if kind == "mats" else owned(picture, 0)
            drawn = half_blocks(picture, ground, wide, HIGH)
            label: Line = ((name.rpartition("-")[2].center(wide), "quiet"),)
            for row, more in zip(rows, (*drawn, label), strict=True):
                row += [*more, (" ", "")]
    return (*map(tuple, rows), ())


def _drawn(setup: Setup, steps: Sequence[str], brush: Brush, look: Look) -> tuple[Line, ...]:
    match = Match.begin(setup)
    for step in steps:
        match = match.play(match.actors[0], Step(step))
    match = match.seen_by(SPECTATOR)
    scene = maker(match).scene(match.state, default_names(setup.seats), look, None)
    rows = table(scene, NO_TRACE, brush, BOARD, TABLETOP)
    while rows and not any(text.strip() or role for text, role in rows[-1]):
        rows = rows[:-1]  # drop the empty rows of the stage's caption
    return (*((("  ", ""), *row) for row in rows), ())
