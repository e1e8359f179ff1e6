"""The text of a lobby: invitation, players and next step. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from kumite.net.session import events
from kumite.tui.drawing.lettering import ROWS, large
from kumite.tui.drawing.panel import filled, panel
from kumite.tui.drawing.pixels import Brush
from kumite.tui.drawing.tabletop import SLIM, miniature
from kumite.tui.look.glyphs import Look
from kumite.tui.play import lobby_words
from kumite.tui.scenes.lines import Line, called, fold, line_width, plain, squeezed, wrap
from kumite.tui.scenes.maker import seat_signs
from kumite.tui.scenes.model import Scene

SIDE_BY_SIDE: Final = 120  # columns needed for two panels side by side
TITLE, INVITE = "At the table", "Invite the others"
LOW: Final = 14  # rows of text below which only what is needed stands there
BESIDE_CODE: Final = 4  # rows of an invitation, its heading and the next step beside a code
FRAMED: Final = 22  # rows of text needed for frames
FRAME: Final = 4  # columns of a frame
ALONE: Final = 64  # columns of a single panel, including its frame
NAME: Final = 22  # columns
INDENT: Final = 4  # columns of a line that goes on
TALK: Final = 3  # lines of chat
PICTURE: Final = (40, 17)  # minimum columns and rows of a picture: silhouettes on every board
GAP: Final = 2  # columns before one that is beside the text


class Space(NamedTuple):
    """The room that a lobby has, and the glyphs of its terminal."""

    columns: int
    rows: int
    look: Look


def text_columns(space: Space, *, is_alone: bool) -> int:
    """Return the width of the player list; `is_alone` means there is no invitation panel."""
    columns = space.columns
    if is_alone:
        columns = min(columns, ALONE)
    elif columns >= SIDE_BY_SIDE:
        columns = (columns - 2) // 2
    return columns - FRAME


def lobby_lines(
    invitation: Sequence[Line],
    company: Sequence[Line],
    talk: Sequence[Line],
    next_: Line,
    space: Space,
) -> list[Line]:
    """Return the invitation, the players, their talk and the next step.

    They are framed if there is room. Without room blank lines go first, then the oldest talk;
    the last players and terms are only counted.
    """
    if space.rows >= FRAMED:
        lines = _framed(invitation, [*company, *talk], space)
        if len(lines) + 2 <= space.rows:
            return [*lines, (), next_]
    invitation, company, talk = (_folded(one, space) for one in (invitation, company, talk))
    if space.rows < LOW:
        gap, head, below = [], [], [next_]
    else:
        gap, head, below = [()] * bool(invitation), [((TITLE, ""),)], [(), next_]
    firm = [one for one in (*invitation, *head, *talk[-1:], *below) if one]
    room = max(1, space.rows - len(firm))
    talk = talk[-max(1, room - len(company) + 1) :]
    if len(company) > room:
        more = len(company) - room + 1
        company = [*company[: room - 1], ((f"    and {more} more", "quiet"),)]
    lines = [*invitation, *gap, *head, *company, *talk, *below]
    while len(lines) > space.rows and () in lines:
        lines.remove(())
    return lines


def with_picture(
    lines: list[Line],
    again: Callable[[Space], list[Line]],
    scene: Scene,
    brush: Brush,
    space: Space,
) -> list[Line]:
    """Return the text with the table as it begins, where there is room: below, or else beside it.

    `again` returns the text in less space, where no word of it may be cut.
    """
    columns, rows, _ = space
    left = rows - len(lines) - 1
    if left >= PICTURE[1]:
        return [*lines, (), *miniature(scene, brush, columns, left)]
    for wide in (max(PICTURE[0], 2 * columns // 5), SLIM):
        text = again(space._replace(columns=columns - wide - GAP)) if columns >= 2 * wide else []
        if rows >= PICTURE[1] and text and _words(lines) <= _words(text):
            both = zip_longest(text, miniature(scene, brush, wide, rows), fillvalue=())
            return [(*filled(one, columns - wide), *other) for one, other in both]
    return lines


def _words(lines: Sequence[Line]) -> Counter[str]:
    """Return what is written, but for the letters of a code in capitals or pixels."""
    words = (word for line in lines for word in plain(line).split())
    return Counter(word for word in words if len(word) > 1 and word[0].isalnum())


def _folded(lines: Sequence[Line], space: Space) -> list[Line]:
    columns = space.columns
    return [part for line in lines for part in fold(squeezed(line, columns), columns, INDENT)]


def _framed(invitation: Sequence[Line], company: Sequence[Line], space: Space) -> list[Line]:
    """Return both in panels, side by side if the screen is wide enough."""
    columns, _, look = space
    if not invitation:
        return panel(TITLE, company, min(columns, ALONE), len(company) + 4, look)
    if columns < SIDE_BY_SIDE:
        return [
            *panel(INVITE, invitation, columns, len(invitation) + 2, look),
            *panel(TITLE, company, columns, len(company) + 2, look),
        ]
    half, high = (columns - 2) // 2, max(len(invitation), len(company)) + 2
    boxes = (
        panel(INVITE, invitation, half, high, look),
        panel(TITLE, company, columns - half - 2, high, look),
    )
    return [(*a, ("  ", ""), *b) for a, b in zip(*boxes, strict=True)]


def invitation(
    code: str,
    places: Sequence[tuple[str, str]],
    people: int,
    space: Space,
    *,
    is_listed: bool = True,
) -> list[Line]:
    """Return the code and the commands to join; `people` is the number of rows listed below."""
    columns, rows, look = space
    is_wide = columns >= SIDE_BY_SIDE and rows >= FRAMED
    room = columns // 2 - 6 if is_wide else columns - 6 * (rows >= FRAMED)
    shown = places[: 2 if rows < FRAMED else 6]
    free = rows - people - BESIDE_CODE if look.is_drawn else 0
    pixels = _large_code(code, room, 2 * ROWS * look.is_drawn if is_wide else free - len(shown))
    head = [*(pixels or _spaced_code(code)), ()]
    if not shown:
        said = "The others press j on their home screen, then type"
        return [*head, ((said, ""),), ((f"    {code}", "title"),)]
    in_few = [] if pixels else _large_code(code, room, free)
    if (rows < LOW or in_few) and lobby_words.is_connected(places):
        place = "" if is_listed else f"{places[0][0]} "
        return [*in_few, (("The others type", ""),), ((f"  kumite join {place}{code}", "title"),)]
    said = "The others type" if len(places) == 1 else "The others type one of these lines"
    more = [f"On this network kumite join {code} is enough."] * is_listed
    if not lobby_words.is_connected(places):
        said = "Not connected to a network; on this computer others type"
        more = ["To play with others, join their Wi-Fi, then host again."]
    lines = [
        ((f"    kumite join {at} {code}", "title"), (via and f"  ({via})", "quiet"))
        for at, via in shown
    ]
    return [*head, ((said, ""),), *lines, *(((one, "quiet"),) for one in more)]


def _large_code(code: str, columns: int, rows: int) -> list[Line]:
    """Return a code in large letters, its last word in a line of its own if necessary; [] too."""
    number, _, word = code.rpartition("-")
    for parts in ((code,), (number, f"-{word}")):
        lines = [line for part in parts for line in large(part, "title")]
        if len(lines) <= rows and all(line_width(line) <= columns for line in lines):
            return lines
    return []


def has_large_code(lines: Sequence[Line]) -> bool:
    return any(role == "title/" for line in lines for _, role in line)


def _spaced_code(code: str) -> list[Line]:
    spaced = "  -  ".join(" ".join(word) for word in code.split("-"))
    return [(("Code   ", "quiet"), (spaced, "title"))]


def company(lobby: events.Lobby, look: Look, pings: Mapping[str, int]) -> list[Line]:
    """Return the seats with their signs and players, and the spectators."""
    rows = lobby_words.seat_rows(lobby, pings)
    signs = seat_signs(lobby.setup, look)
    partners = max(len(row.partners) for row in rows)
    lines: list[Line] = []
    for row in rows:
        name = called(row.name, NAME, look, is_you=row.is_you)
        is_quiet = row.name == lobby_words.FREE
        numbered = ((f" {row.seat + 1} ", "quiet"), signs[row.seat])
        line: Line = (
            *(numbered if not lobby.has_lots else ((" ", ""),)),
            (f" {name} ", "quiet" if is_quiet else "title" if row.is_you else ""),
            (f"{row.partners:<{partners}}  " if partners else "", "quiet"),
            (row.state, "gain" if row.state == lobby_words.READY else "quiet"),
            (f"   {row.ping}" * bool(row.ping), "quiet"),
        )
        lines.append(line)
    return [*lines, *(((f"   {said}", "quiet"),) for said in lobby_words.spectators(lobby, pings))]


def talked(talk: Sequence[str], columns: int) -> list[Line]:
    lines = [part for one in talk[-TALK:] for part in wrap(one, columns)]
    return [((one, "title"),) for one in lines[-TALK:]]


def what_next(lobby: events.Lobby) -> Line:
    if said := lobby_words.waits_for(lobby):
        return ((said, "quiet"),)
    bots = " with bots at the free seats" if lobby.free else ""
    does = f"start{bots}" if lobby.me == 0 else "I am ready"
    return ((f"  Enter: {does}  ", "on-seat/title!"),)
