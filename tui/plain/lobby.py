"""The lobby of a LAN table in line mode, until the match begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kumite.core.errors import KumiteError
from kumite.net.session import events
from kumite.tui.play.lan_table import LanTable, PeerEvent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kumite.core.game import Seats
    from kumite.net.transport.announcer import Facts
    from kumite.tui.plain.console import Console
    from kumite.tui.play.openings import Opening

LOBBY_HELP: Final = (
    "ready: say that you are ready, or not any longer (guests)",
    "start: begin the match (the host)",
    "code: take another code (the host)",
    "quit: leave",
)


class Lobby:
    """An open table, or the way to one, until the match begins."""

    def __init__(
        self,
        console: Console,
        opening: Opening,
        programs: Mapping[str, str] | None = None,
        facts: Facts | None = None,
    ) -> None:
        """Open the table; with `facts`, others on the LAN are told of it.

        Raises:
            KumiteError: what the network's side refuses at once.
        """
        console.begin()
        self.console = console
        self.table = LanTable(opening, console.post, programs)
        self.table.listener = self._heard
        self._is_left = False
        self._said: object = None
        if facts is not None:
            self._announce(facts)

    def _announce(self, facts: Facts) -> None:
        from kumite.net.transport.announcer import Announcing

        def failed(error: KumiteError) -> None:
            self.console.post(error)

        self.table.announce(Announcing(failed), facts)

    async def run(self) -> LanTable | None:
        """Wait until the match begins; return its table, or None if somebody has left.

        Raises:
            KumiteError: the table cannot be joined, or has been closed.
        """
        try:
            while not self._is_left and not self.table.has_begun:
                self.console.prompt()
                self._take(await self.console.next())
        except BaseException:
            self.table.close()
            raise
        if self._is_left:
            self.table.close()
            return None
        return self.table

    def _take(self, news: Any) -> None:
        match news:
            case PeerEvent():
                news.table.hear(news.event)
            case KumiteError():
                self.console.say(f"{news}; others can still join by address and code.")
            case None:
                self.console.say("There is nothing more to read.")
                self._is_left = True
            case _:
                self._obey(news.lower())

    def _obey(self, line: str) -> None:
        lobby = self.table.lobby
        is_host = self.table.listening is not None
        if line == "quit":
            self._is_left = True
        elif line == "code" and is_host:
            self.table.peer.new_code()
        elif line in ("", "start") and is_host and lobby is not None and lobby.can_start:
            self.table.peer.start()
        elif line in ("", "ready") and not is_host and lobby is not None:
            self.table.peer.ready(not lobby.guests[lobby.me].is_ready)
        elif line in ("", "start", "ready"):
            self.console.say("Not yet: " + _next(lobby) if lobby else "One moment.")
        else:
            self.console.say(*LOBBY_HELP)

    def _heard(self, event: events.Event) -> None:
        match event:
            case events.Listening():
                self._invite(event)
            case events.Lobby():
                said = tuple(_company(event))
                if said != self._said:
                    self._said = said
                    self.console.say(*said)
            case events.Stopped(_, text, hint):
                raise KumiteError(text, hint=hint)
            case events.Left(text=text, is_closed=True):
                raise KumiteError(text)
            case events.TurnedAway(name, _, text, hint):
                self.console.say(f"{name or 'Somebody'} could not join: {text}", hint)
            case events.CodeChanged(code, text):
                self.console.say(f"{text} The code is {code} now.")
            case events.NotDone(_, text, hint):
                self.console.say(text, *filter(None, (hint,)))
            case events.Away(text=text) | events.Quiet(text=text) | events.HeardAgain(text=text):
                self.console.say(text)
            case _:
                pass

    def _invite(self, listening: events.Listening) -> None:
        from kumite.net.transport.addresses import address_text

        plain = [one for one in listening.addresses if "%" not in one] or listening.addresses
        self.console.say(
            f"The table is open. The code is {self.table.code}. The others type:",
            *(
                f"  kumite join {address_text(one, listening.port)} {self.table.code}"
                for one in plain
            ),
            "Enter begins the match once all are ready; quit leaves.",
        )


def _company(lobby: events.Lobby) -> Iterator[str]:
    """Yield who is there and where they sit, and what is next."""
    for number, guest in enumerate(lobby.guests):
        who = f"{guest.name} (you)" if number == lobby.me else guest.name
        state = ("ready" if guest.is_ready else "not ready yet") if guest.seats else ""
        yield ", ".join(filter(None, (who, _seats(guest.seats) or "looks on", state))) + "."
    if lobby.free:
        yield f"Free: {_seats(lobby.free)}."
    yield _next(lobby)


def _seats(seats: Seats) -> str:
    numbers = ", ".join(str(seat + 1) for seat in sorted(seats))
    return f"seat{'' if len(seats) == 1 else 's'} {numbers}" if seats else ""


def _next(lobby: events.Lobby) -> str:
    """Say what has to happen before the match begins."""
    if lobby.me == 0:
        if not any(guest.seats for guest in lobby.guests[1:]):
            return "The match can begin when somebody has joined."
        if not lobby.can_start:
            return "Not all are ready yet."
        return f"Enter begins{', with bots at the free seats' if lobby.free else ''}."
    if not lobby.guests[lobby.me].seats:
        return "You look on; the host begins the match."
    is_ready = lobby.guests[lobby.me].is_ready
    return "You are ready; the host begins." if is_ready else "Press Enter when you are ready."
