"""Game tiles: crest, name, players, duration and description; pure."""

from __future__ import annotations

from typing import Final

from kumite.tui.drawing.cards import Lying
from kumite.tui.drawing.lettering import HIGH, LETTERS
from kumite.tui.drawing.panel import cornered, framed
from kumite.tui.drawing.pixels import Brush, half_blocks, lay, lit_blocks, written
from kumite.tui.look.glyphs import Look
from kumite.tui.look.sprites import Picture, enlarged
from kumite.tui.scenes.about import About
from kumite.tui.scenes.lines import Line, width, wrap

NARROWEST: Final = 13  # columns: the longest name and a gap
FRAMED: Final = 14  # minimum columns for a name in a frame
WIDE: Final = 21  # minimum columns for a large crest and the sentence
WIDEST: Final = 32
SMALL_CREST, LARGE_CREST = 5, 8  # rows
AROUND: Final = 4  # rows: the frame, the name, players and duration


def tile_height(games: tuple[About, ...], columns: int, is_large: bool) -> int:
    if not is_large:
        return SMALL_CREST + AROUND
    sentences = (len(wrap(game.sentence, columns - 4)) for game in games)
    return LARGE_CREST + AROUND + 1 + max(sentences, default=0)


def tile_rows(
    game: About, crest: str, lying: Lying, brush: Brush, look: Look, columns: int, rows: int
) -> list[Line]:
    """Return a tile; a large one if it has at least `WIDE` columns and enough rows."""
    ground = "surface" if brush.has_pictures else "background"
    is_large = rows > SMALL_CREST + AROUND
    high = LARGE_CREST if is_large else SMALL_CREST
    blank: Line = ((" " * columns, f"/{ground}"),)
    lines = [blank, *crest_rows(crest, ground, brush, columns, high)]
    ink = f"title/{ground}!" if any(lying) else f"foreground/{ground}!"
    named = len(lines)
    lines.append(_middle(blank, game.name, ink, columns))
    time = f"{game.minutes} min" if game.minutes else ""
    players = f"{game.players} players" if is_large or not time else game.players
    facts = (", " if is_large else look.dot).join(filter(None, (players, time)))
    if width(facts) > columns - 2:  # the cursor has a column at either side
        facts = (look.dot if is_large else " ").join((game.players, time))
    lines.append(_middle(blank, facts, f"quiet/{ground}", columns))
    if is_large:
        lines.append(blank)
        said = wrap(game.sentence, columns - 4)
        lines += [_middle(blank, one, f"foreground/{ground}", columns) for one in said]
    lines = [*lines, *[blank] * rows][:rows]
    if not brush.has_pictures and columns >= FRAMED:  # the tile has the screen's background
        lines = framed(lines, look.frame, f"quiet/{ground}")
    if lying.is_under_cursor:
        lines = cornered(lines, look.thick, f"cursor/{ground}!")
    if lying.is_chosen:  # over the frame if the name leaves no other room
        at = max(0, (columns - width(game.name)) // 2 - 2)
        lines[named] = written(lines[named], look.pointer, ink, at)
    return lines


def introduction(game: About, crest: str, brush: Brush, columns: int, rows: int) -> list[Line]:
    ground = "surface" if brush.has_pictures else "background"
    blank: Line = ((" " * columns, f"/{ground}"),)
    inner = columns - 4
    time = [f"about {game.minutes} minutes"] if game.minutes else []
    said = [
        (game.name, f"title/{ground}!"),
        (game.players_in_words, f"quiet/{ground}"),
        *((one, f"quiet/{ground}") for one in time),
        ("", f"/{ground}"),
        *((one, f"foreground/{ground}") for one in wrap(game.sentence, inner)),
    ]
    words = [_middle(blank, text, ink, columns) for text, ink in said]
    for high in (LARGE_CREST, SMALL_CREST):
        if brush.skin is not None and high + len(words) + 3 <= rows:
            crested = crest_rows(crest, ground, brush, columns, high)
            return [blank, *crested, blank, *words, blank]
    return [blank, *words, blank][:rows]


def _middle(blank: Line, text: str, ink: str, columns: int) -> Line:
    return written(blank, text, ink, max(1, (columns - width(text)) // 2))


def crest_rows(crest: str, ground: str, brush: Brush, columns: int, rows: int) -> tuple[Line, ...]:
    picture = brush.picture(crest, columns - 2, 2 * rows)
    if picture is None and brush.skin is not None:
        picture = seal(crest.removeprefix("crest-"), 2 * rows - 1)
    if picture is None:
        return (((" " * columns, f"/{ground}"),),) * rows
    if brush.has_pictures:
        return half_blocks(picture, ground, columns, rows)
    return lit_blocks(picture, columns, rows, brush.plain_ink)


def seal(name: str, pixels: int) -> Picture | None:
    """Return a name's first letter on a red seal: the crest of a game that brings none."""
    letter = LETTERS.get(name[0])
    if letter is None:
        return None
    size = pixels // (HIGH + 2)  # of a pixel of the letter
    canvas = [["red"] * pixels for _ in range(pixels)]
    for x, y in ((x, y) for y in (0, pixels - 1) for x in (0, pixels - 1)):
        canvas[y][x] = ""
    drawn = Picture.of(("white" if one == "#" else "" for one in row) for row in letter)
    drawn = enlarged(drawn, size)
    lay(canvas, drawn, (pixels - drawn.width) // 2, (pixels - drawn.height) // 2)
    return Picture.of(canvas)
