"""The lobby of a LAN table in line mode, until the match begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.core.bots import LISTED
from kumite.core.errors import KumiteError
from kumite.core.game import Seat
from kumite.core.players import BOT
from kumite.core.text import listed
from kumite.net.session import events
from kumite.net.transport.addresses import typed_places
from kumite.net.transport.invites import invite_line
from kumite.store import guest_mode
from kumite.tui.plain.console import Console, Dialogue
from kumite.tui.play import lobby_words, network_words
from kumite.tui.play.lan_table import LanTable
from kumite.tui.play.network_words import reason, turned_away

if TYPE_CHECKING:
    from kumite.tui.play.openings import Opening

LOBBY_HELP: Final = (
    "ready: say that you are ready, or no longer ready (guests)",
    "start: begin the match (the host)",
    "seat 2: move to that seat, if it is free",
    "bots medium: which bot plays the seats that stay free (the host)",
    "draw: let a lot give all seats when the match begins, or not (the host)",
    "name Ada: use that name",
    "say good luck: talk to everyone here",
    "who: the seats, who is ready, and how fast their terminals answer",
    "code: the code, and how to take another (the host)",
    "quit: leave",
)


class TournamentThere(KumiteError):
    """There is a tournament instead of a table at this address."""

    code = codes.TOURNAMENT


class Lobby(Dialogue):
    """A hosted table before its match, or the connection to one."""

    help_lines = LOBBY_HELP

    def __init__(
        self,
        console: Console,
        opening: Opening,
        programs: Mapping[str, str] | None = None,
        listed_as: str | None = None,
        *,
        has_invite: bool = False,
    ) -> None:
        """Open the table; with `listed_as`, announce it by this name; `has_invite` prints one line.

        Raises:
            KumiteError: the network side cannot be opened.
        """
        super().__init__(console)
        console.begin()
        console.say(*filter(None, (guest_mode.warning(),)))
        self._has_invite = has_invite
        self.table = LanTable(opening, console.post, programs, listed_as)
        self.table.listener = self._heard
        self._said: object = None

    async def run(self) -> LanTable | None:
        """Wait until the match begins and return its table; None if the user leaves.

        Raises:
            KumiteError: the table cannot be joined, or has been closed.
        """
        try:
            while not self.is_left and not self.table.has_begun:
                self.console.prompt()
                self.take(await self.console.next())
        except BaseException:
            self.table.close()
            raise
        if self.is_left:
            self.table.close()
            return None
        return self.table

    @property
    def commands(self) -> Mapping[str, Callable[[str], object]]:
        found: dict[str, Callable[[str], object]] = {"quit": lambda _: self.leave()}
        found |= dict.fromkeys(("", "ready", "start"), self._go_on)
        if self.table.listening is not None:
            found["code"] = self._code
        if (lobby := self.table.lobby) is None:
            return found
        found["who"] = lambda _: self.console.say(*_company(lobby, self.table.pings))
        found["say"] = partial(self.talk, self.table.peer.say)
        found |= {"name": self._rename, "seat": self._take_seat}
        if lobby.me == 0:
            found["draw"] = lambda _: self.table.peer.draw_seats()
            found["bots"] = self._fill_seats
        return found

    def _go_on(self, _: str) -> None:
        """Start the match as the host, toggle readiness as a guest, or say what is missing."""
        lobby = self.table.lobby
        if lobby is None:
            self.console.say("One moment.")
        elif lobby.me == 0 and lobby.can_start:
            self.table.peer.start()
        elif lobby.me != 0 and lobby.guests[lobby.me].seats:
            self.table.peer.ready(not lobby.guests[lobby.me].is_ready)
        else:
            self.console.say(_next(lobby))

    def _code(self, said: str) -> None:
        take_code(self.console, self.table.code, said, self.table.peer.new_code)

    def _rename(self, name: str) -> None:
        if name:
            self.table.peer.rename(name)
        else:
            self.console.say("Which name? For example: name Ada")

    def _take_seat(self, number: str) -> None:
        lobby = self.table.lobby
        seats = lobby.setup.seats if lobby is not None else 0
        is_one = number.isascii() and number.isdecimal() and 0 < int(number[:3]) <= seats
        if lobby is None or not is_one:
            self.console.say(f"Which seat? There are 1 to {seats}; for example: seat 2")
        elif why := lobby_words.why_not_seat(lobby, Seat(int(number) - 1)):
            self.console.say(why)
        else:
            self.table.peer.take_seat(Seat(int(number) - 1))

    def _fill_seats(self, level: str) -> None:
        if level in LISTED:
            self.table.peer.fill_seats(f"{BOT}{level}")
        else:
            self.console.say(f"Which bot? There are {listed(LISTED)}; for example: bots medium")

    def _heard(self, event: events.Event) -> None:
        match event:
            case events.Listening():
                self._invite(event)
            case events.Lobby():
                said = tuple(_company(event, {}))
                if said != self._said:
                    self._said = said
                    self.console.say(*said)
            case events.Said():
                self.console.say(f"> {self.table.talk[-1]}")
            case events.Stopped(code):
                text, hint = reason(event)
                raise (TournamentThere if code == codes.TOURNAMENT else KumiteError)(
                    text, hint=hint
                )
            case events.Left(is_closed=True):
                raise KumiteError(network_words.text(event))
            case events.TurnedAway():
                why, hint = turned_away(event)
                self.console.say(f"{why}.", *filter(None, (hint,)))
            case events.CodeChanged(code):
                self.console.say(f"{network_words.text(event)}. The code is {code} now.")
            case events.NotDone():
                self.console.say(*filter(None, reason(event)))
            case events.Presence():
                self.console.say(network_words.text(event))

    def _invite(self, listening: events.Listening) -> None:
        if self._has_invite:
            line = invite_line(listening.addresses, listening.port, self.table.code)
            self.console.say(line)
            return
        self.console.say(
            f"The table is open. The code is {self.table.code}.",
            *ways_in(listening, self.table.code, "The others"),
            "Enter begins the match once all are ready; quit leaves.",
        )


def take_code(console: Console, code: str, said: str, take: Callable[[], object]) -> None:
    """Say the code, and take another one only if `new` follows the command."""
    if said == "new":
        take()
    else:
        console.say(f"The code is {code}.", "Type `code new` for another: this one will be dead.")


def ways_in(listening: events.Listening, code: str, who: str) -> Iterator[str]:
    """Yield what others type to join a table or tournament hosted here."""
    if guest_mode.is_guest():
        yield f"{who} press j on their home screen, or type by lines: join {code}"
        return
    places = typed_places(listening.addresses, listening.port)
    if lobby_words.is_connected(places):
        yield f"{who} type:"
    else:
        yield f"This computer is not connected to a network. {who} can only type on it:"
    for place, via in places:
        yield f"  kumite join {place} {code}{via and f' ({via})'}"


def _company(lobby: events.Lobby, pings: Mapping[str, int]) -> Iterator[str]:
    yield from (f"{said}." for said in lobby_words.terms_of(lobby))
    for row in lobby_words.seat_rows(lobby, pings):
        number = "" if lobby.has_lots else f"Seat {row.seat + 1}: "
        who = row.name + " (you)" * row.is_you
        yield f"{number}{', '.join(filter(None, (who, row.partners, row.state, row.ping)))}."
    yield from (f"{said}." for said in lobby_words.spectators(lobby, pings))
    yield _next(lobby)


def _next(lobby: events.Lobby) -> str:
    if said := lobby_words.waits_for(lobby):
        return said
    if lobby.me != 0:
        return "Press Enter when you are ready."
    return f"Enter begins{', with bots at the free seats' if lobby.free else ''}."
