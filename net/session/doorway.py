"""Places before the door: for connections at which nobody sits yet, and their pace; pure.

A flood comes from somewhere, so a place is taken from the address that holds the most of them.
Those who have said nothing, who try the code, who come back, and who have proved the code but not
sat down wait apart: none of them takes a place from another kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.net.session.pace import Pace
from kumite.net.session.state import Stage
from kumite.net.wire import messages

if TYPE_CHECKING:
    from kumite.net.session.state import Link, Reaction

SILENT, TRYING, RETURNING, PROVED = "silent", "trying", "returning", "proved"
LOOKING: Final = "looking"
ROOM: Final = {SILENT: 64, TRYING: 32, RETURNING: 32, PROVED: 32}
"""Places of each kind."""
ONE_ADDRESS: Final = 8  # places of each kind
PACES: Final = {
    TRYING: Pace(8, 1.0),  # each costs both sides 20 ms and more of their processors' time
    RETURNING: Pace(64, 16.0),  # a terminal that comes back tries twice a second
    LOOKING: Pace(8, 0.25),  # who comes to look on is sent the whole match
    messages.WATCH: Pace(40, 4.0),  # whatever somebody says who looks on, see watching.py
    messages.JOIN: Pace(60, 4.0),  # whatever somebody says in the lobby
}
"""How fast an address may begin, or a guest may talk."""


def kind_of(link: Link) -> str:
    """Return among whom a connection waits; nothing once somebody sits at it."""
    if link.stage is Stage.NEW:
        return SILENT
    if link.stage is Stage.PROVING:
        return RETURNING if link.what == messages.RETURN else TRYING
    return PROVED if link.stage is Stage.SEALED else ""


def make_room(r: Reaction, link: Link) -> None:
    """Let another of its kind go, if there is no place for a connection that has come so far."""
    kind = kind_of(link)
    if not kind:
        return
    waiting = [one for one in r.s.links if kind_of(one) == kind]
    crowd = [one for one in waiting if one.address == link.address]
    if len(crowd) <= ONE_ADDRESS and len(waiting) <= ROOM[kind]:
        return
    if len(crowd) <= ONE_ADDRESS:
        held: dict[str, list[Link]] = {}
        for one in waiting:
            held.setdefault(one.address, []).append(one)
        # of addresses that hold as many, that of the oldest: an honest terminal is soon through
        crowd = max(held.values(), key=lambda some: (len(some), -min(one.since for one in some)))
    r.drop(min(crowd, key=lambda one: one.since).number)


def is_in_pace(r: Reaction, what: str, who: str) -> bool:
    """Return whether somebody may do one thing more (of PACES) now, and count it."""
    paces = r.s.paces.after(what, who, r.now, PACES[what])
    if paces is not None:
        r.set(paces=paces)
    return paces is not None
