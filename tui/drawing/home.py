"""The home screen: landscape, game tiles, actions; pure.

In a smaller window the landscape goes first, then the pictures of the games, then the empty lines.
`places` are the cursor's possible places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, NamedTuple

from kumite.tui.drawing import landscape, tiles
from kumite.tui.drawing.cards import Lying
from kumite.tui.drawing.panel import filled, panel
from kumite.tui.drawing.pixels import Brush, written_over
from kumite.tui.drawing.places import Place
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.about import About, about
from kumite.tui.scenes.lines import Line, ended, fit, line_width, plain, trimmed, width, wrap

CONTINUE: Final = "continue"
GAME: Final = "game "  # before the id of a game, in the key of its tile
TABLE: Final = "table "  # before the key of a table that is open on the LAN
TITLE: Final = "k u m i t e"
COUNTS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
LEAST: Final = 15  # rows for more than games and actions
PANELS: Final = (120, 42)  # minimum columns and rows for panels
SPACIOUS: Final = 72  # minimum columns for tiles with pictures
MOST_TABLES: Final = 6  # shown here; the join screen shows all
MARGIN: Final = 3  # columns at the left of texts
LABEL: Final = 20  # columns of a label before its description


class Entry(NamedTuple):
    """An available action."""

    key: str
    letter: str  # the key that does it
    label: str
    said: str = ""  # its description, where there is room


@dataclass(frozen=True, slots=True)
class Home:
    """The contents of the home screen."""

    games: tuple[str, ...]
    game: str  # the selected one
    at: str  # key of the item under the cursor
    unfinished: tuple[str, ...]  # description of the match to continue, main parts first
    entries: tuple[Entry, ...]
    tables: tuple[Entry, ...] = ()  # open on the LAN
    is_looking: bool = False  # searching for tables
    following: tuple[str, ...] = ()  # the suggestion if nothing is unfinished

    @property
    def first(self) -> tuple[str, ...]:
        """The parts of the first offer; (): none."""
        return self.unfinished or self.following

    @property
    def first_label(self) -> str:
        return "continue" if self.unfinished else "next"

    @property
    def about(self) -> About:
        return about(self.game)


class Drawn(NamedTuple):
    """Lines of the home screen, and the places of items in them."""

    lines: Sequence[Line]
    places: Mapping[str, Place]


def drawn(home: Home, brush: Brush, look: Look, columns: int, rows: int) -> Drawn:
    blocks = [_games(home, brush, look, columns, rows)]
    # Large tiles include the sentence; in large print the line below says who plays it.
    if rows >= LEAST and not _is_large(len(home.games), columns, rows):
        blocks.append(_meant(home, columns))
    if columns >= PANELS[0] and rows >= PANELS[1]:
        blocks.append(_panels(home, look, columns))
    else:
        blocks += [_first(home, look, columns)] * bool(home.first)
        blocks.append(_grid(home, columns))
    free = rows - sum(len(block.lines) for block in blocks)
    high = min(free - len(blocks), landscape.LARGEST, rows // 2)
    if columns >= SPACIOUS:  # prefer a landscape to empty lines
        high = max(high, min(free, landscape.SMALLEST))
    top = _top(subtitle(len(home.games)), brush, look, columns, high)
    return _stacked([top, *blocks] if free > 0 else blocks, rows, home.at)


def _stacked(blocks: list[Drawn], rows: int, at: str) -> Drawn:
    """Put blocks below each other, distributing empty lines, first above the last block.

    If there are too many, the first ones are left out when the cursor, `at`, is below them.
    """
    free = max(0, rows - sum(len(block.lines) for block in blocks))
    below = [0] * len(blocks)
    last = len(blocks) - 1
    order = [last - 1, last, 0, *range(1, last - 1)]
    for number in range(free):
        below[order[number % len(order)]] += 1
    lines: list[Line] = []
    places: dict[str, Place] = {}
    for block, gap in zip(blocks, below, strict=True):
        for key, place in block.places.items():
            places[key] = place._replace(y=place.y + len(lines))
        lines += [*block.lines, *[()] * gap]
    over = max(0, places[at].y - rows + 1) if at in places else 0
    places = {key: place._replace(y=place.y - over) for key, place in places.items()}
    return Drawn(lines[over : over + rows], places)


# --- The head -------------------------------------------------------------------------------


def subtitle(count: int) -> str:
    return f"{COUNTS[count] if count < len(COUNTS) else count} duels in your terminal"


def _top(said: str, brush: Brush, look: Look, columns: int, rows: int) -> Drawn:
    lines = list(landscape.landscape_rows(brush, columns, rows))
    if not lines:
        name: Line = ((" " * MARGIN, ""), (TITLE, "title"), (f"   {said}", "quiet"))
        return Drawn([trimmed(name, columns)], {})
    at = landscape.below_name(rows)
    text = f"組手  {said}" if look.has_kanji else said
    lines[at] = written_over(lines[at], text, "title", (columns - width(text)) // 2)
    return Drawn(lines, {})


# --- The games ------------------------------------------------------------------------------


def _tile_columns(columns: int, count: int) -> tuple[int, int, int]:
    """Return the width of a tile, the gap between two, and the column of the first."""
    gap = 1 if columns >= count * (tiles.FRAMED + 2) else 0
    gap = 2 if columns >= PANELS[0] else gap
    wide = min(tiles.WIDEST, (columns - gap * (count + 1)) // count)
    left = (columns - wide * count - gap * (count - 1)) // 2
    return wide, gap, left


def _is_large(count: int, columns: int, rows: int) -> bool:
    return columns >= count * (tiles.WIDE + 2) and rows >= 32


def _games(home: Home, brush: Brush, look: Look, columns: int, rows: int) -> Drawn:
    count = len(home.games)
    wide, gap, left = _tile_columns(columns, count)
    is_narrow = columns < SPACIOUS or wide < tiles.NARROWEST
    if brush.skin is None or is_narrow or rows < 16 + bool(home.first):
        return _list(home, columns)
    games = tuple(about(game) for game in home.games)
    high = tiles.tile_height(games, wide, _is_large(count, columns, rows))
    lines: list[Line] = [((" " * left, ""),)] * high
    places = {}
    for number, game in enumerate(home.games):
        lying = Lying(home.at == f"{GAME}{game}", home.game == game)
        tile = tiles.tile_rows(games[number], f"crest-{game}", lying, brush, look, wide, high)
        between = ((" " * gap, ""),) if number else ()
        lines = [(*line, *between, *more) for line, more in zip(lines, tile, strict=True)]
        places[f"{GAME}{game}"] = Place(left + number * (wide + gap), 0, wide, high)
    return Drawn(lines, places)


def _list(home: Home, columns: int) -> Drawn:
    lines: list[Line] = []
    places = {}
    for number, game in enumerate(home.games):
        said = about(game)
        time = f"{said.minutes} min" if said.minutes else ""
        is_here = home.at == f"{GAME}{game}"
        mark = " > " if is_here else " * " if home.game == game else "   "
        text = f"{fit(said.players_in_words, 20)}{time:<9}{said.sentence}"
        room = columns - MARGIN - 16
        if width(text) > room:
            text = said.players_in_words if width(text[:29]) > room else text[:29]
        role = "title" if is_here else "key" if home.game == game else ""
        line = ((mark, "title"), (fit(said.name, 16), role))
        lines.append((*line, (text, "quiet")))
        places[f"{GAME}{game}"] = Place(0, number, columns, 1)
    return Drawn(lines, places)


def voted(
    home: Home, votes: Sequence[tuple[str, str]], brush: Brush, look: Look, columns: int, rows: int
) -> Drawn:
    """Return the games, each with its `votes` (name, game): how many, and whose."""
    lines, places = _games(home, brush, look, columns, rows)
    said = []
    for key in places:
        names = [name for name, game in votes if f"{GAME}{game}" == key]
        said.append(f"{len(names)}: {', '.join(names)}" if names else "")
    if len(lines) == len(places):  # a list
        rows_ = [(*line[:2], (text, "key")) for line, text in zip(lines, said, strict=True)]
        return Drawn([ended(line, columns, look) for line in rows_], places)
    below: list[Line] = []
    wraps = (wrap(text, place.width - 1) for text, place in zip(said, places.values(), strict=True))
    for texts in zip_longest(*wraps, fillvalue=""):
        row: Line = ()
        for text, place in zip(texts, places.values(), strict=True):
            gap = " " * (place.x - line_width(row))
            row = (*row, (gap + fit(text, place.width), "key"))
        below.append(row)
    return Drawn([*lines, *below], places)


def _meant(home: Home, columns: int) -> Drawn:
    room = columns - 2 * MARGIN
    high = max(len(wrap(about(game).sentence, room)) for game in home.games)
    said = [*wrap(home.about.sentence, room), *[""] * high][:high]
    return Drawn([filled(((" " * MARGIN, ""), (one, "")), columns) for one in said], {})


# --- Actions ----------------------------------------------------------------------------------


def _first(home: Home, look: Look, columns: int) -> Drawn:
    is_here = home.at == CONTINUE
    mark = " > " if is_here else "   "
    role = "title" if is_here else "gain"
    label: Line = ((mark, "title"), ("c ", "key"), (f"{home.first_label}   ", role))
    said = _as_much(home.first, columns - width(plain(label)) - 1)
    line = ended((*label, (said, "")), columns, look)
    return Drawn([filled(line, columns)], {CONTINUE: Place(0, 0, columns, 1)})


def _as_much(parts: tuple[str, ...], columns: int) -> str:
    """Join the first parts and the last one with commas, as many as fit."""
    while len(parts) > 2 and width(", ".join(parts)) > columns:
        parts = (*parts[:-2], parts[-1])
    return ", ".join(parts)


def _grid(home: Home, columns: int) -> Drawn:
    across = 4 if columns >= 76 else 2
    down = -(-len(home.entries) // across)
    left = max(0, _tile_columns(columns, len(home.games))[2] - MARGIN) if across == 4 else 0
    wide = (columns - 2 * left) // across
    lines: list[Line] = []
    places = {}
    for row in range(down):
        line: Line = ((" " * left, ""),)
        for column, entry in enumerate(home.entries[row * across : (row + 1) * across]):
            line = (*line, *_entry(entry, home.at, wide))
            places[entry.key] = Place(left + column * wide, row, wide, 1)
        lines.append(line)
    return Drawn(lines, places)


def _entry(entry: Entry, at: str, columns: int) -> Line:
    is_here = entry.key == at
    mark = " > " if is_here else "   "
    line = ((mark, "title"), (f"{entry.letter} ", "key"), (entry.label, "title" if is_here else ""))
    return filled(line, columns)


def _panels(home: Home, look: Look, columns: int) -> Drawn:
    _, _, left = _tile_columns(columns, len(home.games))
    whole = columns - 2 * left
    first = 3 * whole // 5
    entries = list(home.entries)
    if home.first:
        said = _as_much(home.first, first - LABEL - 8)
        entries.insert(0, Entry(CONTINUE, "c", home.first_label, said))
    high = len(entries) + 2
    doing = [_explained(entry, home.at, first - 4) for entry in entries]
    second = whole - first - 2
    places = {entry.key: Place(left, row, first, 1) for row, entry in enumerate(entries, start=1)}
    below = [one for one in home.tables[MOST_TABLES:] if one.key == home.at]
    shown = (*home.tables[: MOST_TABLES - len(below)], *below)
    for row, entry in enumerate(shown, start=1):
        places[entry.key] = Place(left + first + 2, row, second, 1)
    there = [_explained(entry, home.at, second - 4) for entry in shown] or _nobody(home)
    boxes = (
        panel("What would you like?", doing, first, high, look),
        panel("Open tables", there, second, high, look),
    )
    lines = [((" " * left, ""), *a, ("  ", ""), *b) for a, b in zip(*boxes, strict=True)]
    return Drawn(lines, places)


def _nobody(home: Home) -> list[Line]:
    if not home.is_looking:
        return []
    return [
        (("No table is open at the moment.", "quiet"),),
        (("New tables appear here automatically.", "quiet"),),
    ]


def _explained(entry: Entry, at: str, columns: int) -> Line:
    is_here = entry.key == at
    special = "gain" if entry.key == CONTINUE else ""
    line = (
        ("> " if is_here else "  ", "title"),
        (f"{entry.letter} " if entry.letter else "", "key"),
        (fit(entry.label, LABEL), "title" if is_here else special),
        (entry.said, "" if is_here or special else "quiet"),
    )
    return filled(line, columns)


# --- The cursor -------------------------------------------------------------------------------


def beside(places: Mapping[str, Place], at: str, columns: int, rows: int) -> str:
    """Return the item reached from `at` in a direction; itself if there is none."""
    here = places[at]
    found: dict[tuple[int, int], str] = {}
    for key, place in places.items():
        if columns:
            distance = (place.x - here.x) * columns
            is_there = distance > 0 and place.y < here.y + here.height
            is_there = is_there and here.y < place.y + place.height
            away = abs(place.y - here.y)
        else:
            distance = (place.y - here.y) * rows
            is_there = distance > 0
            away = abs(2 * here.x + here.width - 2 * place.x - place.width)  # of their middles
            if here.width >= 2 * place.width:  # a row of the whole width: its entries begin left
                away = place.x
        if is_there:
            found.setdefault((distance, away), key)
    return found[min(found)] if found else at
