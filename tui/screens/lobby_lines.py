"""What a lobby shows: how others come here, who is there, and what is next. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.tui.drawing.lettering import large
from kumite.tui.drawing.panel import filled, panel
from kumite.tui.play.lobby_words import bot_names
from kumite.tui.scenes.lines import called, plain, shortened, width, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.core.game import Seats
    from kumite.net.session import events
    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes.lines import Line, Span

SIDE_BY_SIDE: Final = 120  # columns from which on the two panels stand beside each other
TITLE, INVITE = "At the table", "Invite the others"
FRAMED: Final = 22  # rows of the text from which on there are frames
FRAME: Final = 4  # columns of a frame
ALONE: Final = 64  # columns of a panel that stands alone, with its frame
NAME: Final = 22  # columns
TALK: Final = 3  # lines of what was said


class Space(NamedTuple):
    """How much room a lobby has, and what its terminal shows."""

    columns: int
    rows: int
    look: Look


def text_columns(space: Space, *, is_alone: bool) -> int:
    """Return how broad the text of who is there may be; `is_alone`: without an invitation."""
    columns = space.columns
    if is_alone:
        columns = min(columns, ALONE)
    elif columns >= SIDE_BY_SIDE:
        columns = (columns - 2) // 2
    return columns - FRAME


def lobby_lines(
    invitation: Sequence[Line], company: Sequence[Line], next_: Line, space: Space
) -> list[Line]:
    """Return how others come here, who is there, and what is next.

    All of it in panels where there is room; in a crowd the last ones are but counted.
    """
    if space.rows >= FRAMED:
        lines = _framed(invitation, company, space)
        if len(lines) + 2 <= space.rows:
            return [*lines, (), next_]
    gap: list[Line] = [()] * bool(invitation)
    room = max(1, space.rows - len(invitation) - len(gap) - 3)
    if len(company) > room:
        more = len(company) - room + 1
        company = [*company[: room - 1], ((f"    and {more} more", "quiet"),)]
    return [*invitation, *gap, ((TITLE, ""),), *company, (), next_]


def _framed(invitation: Sequence[Line], company: Sequence[Line], space: Space) -> list[Line]:
    """Return both in panels, side by side where it is wide."""
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


def invitation(code: str, places: Sequence[str], people: int, space: Space) -> list[Line]:
    """Return the code, and what the others type; there are so many people to be listed below."""
    columns, rows, look = space
    is_wide = columns >= SIDE_BY_SIDE and rows >= FRAMED
    room = columns // 2 - 6 if is_wide else columns - 6
    shown = places[: 2 if rows < FRAMED else 6]
    has_pixels = look.is_drawn and (is_wide or rows >= len(shown) + people + 10)
    if not shown:
        said = "The others choose it on their home screen, and give the code"
        return [
            *_code_lines(code, room, has_pixels=has_pixels),
            (),
            ((said, ""),),
            ((f"    {code}", "title"),),
        ]
    said = "The others type" if len(places) == 1 else "The others type one of these lines"
    return [
        *_code_lines(code, room, has_pixels=has_pixels),
        (),
        ((said, ""),),
        *(((f"    kumite join {place} {code}", "title"),) for place in shown),
        (("or choose it on their home screen, and give the code.", "quiet"),),
    ]


def _code_lines(code: str, columns: int, *, has_pixels: bool) -> list[Line]:
    """Return the code as large as there is room for."""
    pixels = large(code, "title") if has_pixels else ()
    if pixels and width(plain(pixels[0])) <= columns:
        return list(pixels)
    spaced = "  -  ".join(" ".join(word) for word in code.split("-"))
    return [(("Code   ", "quiet"), (spaced, "title"))]


def company(lobby: events.Lobby, look: Look) -> list[Line]:
    """Return who is there and where they sit, and which seats are free."""
    lines: list[Line] = []
    by_seat = sorted(enumerate(lobby.guests), key=lambda one: min(one[1].seats, default=99))
    for number, guest in by_seat:
        name = called(guest.name, NAME, look, is_you=number == lobby.me)
        own = guest.seats - lobby.bots
        seats = seats_text(own) if own else "looks on"
        state = ("ready", "gain") if guest.is_ready else ("not ready yet", "quiet")
        lines.append(_row(name, seats, state if own else ("", "")))
    for seat, name in bot_names(lobby).items():
        own = frozenset({seat})
        lines.append(_row(shortened(name, NAME, look), seats_text(own), ("ready", "gain")))
    if lobby.free:
        free = filled((("    free", "quiet"),), NAME + 5)
        lines.append((*free, (f"{seats_text(lobby.free):<16} ", "quiet")))
    return lines


def _row(name: str, seats: str, state: Span) -> Line:
    """Return who somebody is, where they sit, and how far they are."""
    return (("    ", ""), (name, ""), (f" {seats:<16} ", ""), state)


def talked(talk: Sequence[str], columns: int) -> list[Line]:
    """Return the last things that were said here."""
    lines = [part for one in talk[-TALK:] for part in wrap(one, columns)]
    return [((one, "title"),) for one in lines[-TALK:]]


def what_next(lobby: events.Lobby) -> Line:
    """Return what has to happen before the match begins."""
    if lobby.me == 0:
        if not any(guest.seats for guest in lobby.guests[1:]):
            return (("The match can begin when somebody has joined.", "quiet"),)
        if not lobby.can_start:
            return (("Not all are ready yet.", "quiet"),)
        bots = " with bots at the free seats" if lobby.free else ""
        return ((f"  Enter: start{bots}  ", "on-seat/title!"),)
    me = lobby.guests[lobby.me]
    if not me.seats:
        return (("You look on; the host begins the match.", "quiet"),)
    if me.is_ready:
        return (("You are ready; the host begins the match.", "quiet"),)
    return (("  Enter: I am ready  ", "on-seat/title!"),)


def seats_text(seats: Seats) -> str:
    """Return seats as people count them, from 1: `seats 1, 3`."""
    numbers = ", ".join(str(seat + 1) for seat in sorted(seats))
    return f"seat{'' if len(seats) == 1 else 's'} {numbers}"
