"""The network's side of a LAN table as a test plays it: what it was asked, and what it tells."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from kumite.core.game import CHANCE, Actor, Seat, Seats, Setup, Step
from kumite.core.games import find
from kumite.core.log import Header, log_text
from kumite.core.match import Match
from kumite.net.replica.records import Credentials, MatchStart
from kumite.net.replica.roster import Roster, Terminal
from kumite.net.session import events
from kumite.net.session.events import Event
from kumite.net.transport import beacons
from kumite.net.transport.discovery import Announced, Found, News
from kumite.net.transport.journal import Journal
from kumite.store import log_files
from kumite.tui.app import KumiteApp
from kumite.tui.play.lan_table import LanTable
from kumite.tui.screens.lan_table import LanTableScreen
from tests.support.apps import app, running, shown

WORDS = ("kayak", "lantern", "mirror")


class FakePeer:
    """Notes every command; the test delivers the events."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.asked: list[tuple[Any, ...]] = []
        self.deliver: Callable[[Event], object] = lambda _: None

    def opened(self, deliver: Callable[[Event], object]) -> FakePeer:
        """Be the opening of a table."""
        self.deliver = deliver
        return self

    def take(self) -> list[tuple[Any, ...]]:
        """Return what was asked since the last time."""
        asked, self.asked = self.asked, []
        return asked

    def ready(self, is_ready: bool = True) -> None:
        self.asked.append(("ready", is_ready))

    def start(self) -> None:
        self.asked.append(("start",))

    def take_seat(self, seat: Seat) -> None:
        self.asked.append(("seat", seat))

    def rename(self, name: str) -> None:
        self.asked.append(("name", name))

    def draw_seats(self) -> None:
        self.asked.append(("draw",))

    def fill_seats(self, bot: str) -> None:
        self.asked.append(("fill", bot))

    def new_code(self) -> None:
        self.asked.append(("new code",))

    def play(self, seat: Actor, step: Step) -> None:
        self.asked.append(("play", seat, step))

    def say(self, text: str, *, is_unkept: bool = False) -> None:
        self.asked.append(("say", text, *["unkept"] * is_unkept))

    def resign(self, seat: Seat) -> None:
        self.asked.append(("resign", seat))

    def offer(self, kind: str, number: int = 0, *game: str) -> None:
        self.asked.append(("offer", kind, number, *game))

    def answer(self, is_yes: bool) -> None:
        self.asked.append(("answer", is_yes))

    def leave(self) -> None:
        self.asked.append(("leave",))

    def close(self) -> None:
        self.asked.append(("close",))


class FakeTournamentPeer:
    """The network's side of a tournament, a host's or a player's; the test delivers the events."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.deliver: Callable[[Any], object] = lambda _: None
        self.last_match = (0, 0, "")
        self.tournament_id = "a" * 16
        self.name = "ada"

    def opened(self, deliver: Callable[[Any], object]) -> FakeTournamentPeer:
        """Be the opening of a tournament."""
        self.deliver = deliver
        return self

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *args: self.asked.append((name, *args))


@dataclass
class FakePlan:
    """A tournament whose network is a test."""

    peer: FakeTournamentPeer
    title: str = "Friday"
    bot: str = ""
    is_listed: bool = False
    has_played: bool = False

    def has_player(self, _name: str) -> bool:
        return self.has_played

    def open(self, deliver: Callable[[Any], object]) -> FakeTournamentPeer:
        return self.peer.opened(deliver)


class FakeFinder:
    def __init__(self, deliver: Callable[[News], object], **_: object) -> None:
        self.deliver = deliver
        self.calls: list[str] = []

    def start(self) -> None:
        self.calls.append("start")

    def close(self) -> None:
        self.calls.append("close")


def keeping(finders: list[FakeFinder]) -> Callable[[Callable[[News], object]], FakeFinder]:
    """Return what makes finders, all of which are put into this list."""

    def make(deliver: Callable[[News], object]) -> FakeFinder:
        finders.append(FakeFinder(deliver))
        return finders[-1]

    return make


def found(key: str, name: str, free: int = 1, protocol: int | None = None) -> Found:
    """Return a table of Kuzushi that was found; one of another version, if one is named."""
    table = Announced(name, "kuzushi", "Kuzushi", free, 4000, "0.1.0")
    if protocol is not None:
        table = Announced("", "", "", 0, 4000, "9.9", protocol)
    return Found(key, table, ("192.168.1.20",))


def seat_at_table(
    game: str = "kumo",
    host: str = "ada",
    match_id: str = "ab" * 8,
    ticket: int = 1,
    *,
    is_listed: bool = True,
) -> Path:
    """Save an unfinished match at a table of others, in which we have seat 2; return its log."""
    setup, own = Setup.of(find(game)), seats(1)
    terminals = tuple(
        Terminal(name, seats(at), bytes([at]) * 32, bytes([at]) * 32)
        for at, name in enumerate((host, "bob"))
    )
    journal = Journal.create(log_files.folder() / f"{match_id}-{ticket}.table")
    known = match_id, match_id, ticket, b"k" * 32, b"s" * 32, True, "bob", (Seat(1),)
    journal.add(Credentials(*known, is_listed=is_listed))
    journal.add(MatchStart(Roster(match_id, setup, (host, "bob"), terminals), 1))
    journal.close()
    header = Header(match_id, setup, (host, "bob"), own, extra=(f"table {journal.path.name}",))
    path = log_files.folder() / f"2026-05-06-070809-{game}-{match_id[:4]}.kumite"
    path.write_text(log_text(header, Match.begin(setup).seen_by(own)), "utf-8")
    return path


def host_is_back(match_id: str = "ab" * 8, port: int = 4000) -> Found:
    """Return how a host announces a match that goes on."""
    return Found(beacons.tag(match_id), Announced("", "-", "", 0, port), ("192.168.1.20",))


def seats(*numbers: int) -> Seats:
    return frozenset(map(Seat, numbers))


class FakeLan:
    """A table of which this test is the network; `whole` is the match with nothing hidden."""

    def __init__(
        self,
        game: str = "kuzushi",
        ours: Iterable[int] = (0,),
        count: int = 2,
        names: tuple[str, ...] = ("ada", "bob", "cid", "dan", "eve", "fay"),
        clocks: tuple[int, ...] = (),
        whole: Match | None = None,
        **options: Any,
    ) -> None:
        self.peer, self.ours = FakePeer(), seats(*ours)
        self.setup = Setup.of(find(game), count, options)
        self.whole = whole or Match.begin(self.setup)
        self.header = Header("0123456789abcdef", self.setup, names[:count], self.ours)
        self.clocks = clocks
        self.programs: dict[str, str] = {}  # commands that play for us
        self.table: LanTable | None = None

    @property
    def seen(self) -> Match:
        """The match as this terminal knows it."""
        return self.whole.seen_by(self.ours)

    def began(self) -> events.MatchBegan:
        return events.MatchBegan(self.header, self.seen, self.ours, WORDS, self.clocks)

    def clocks_stand(self) -> events.ClocksStand:
        """The clocks of all who are to act run."""
        acting = (int(one) for one in self.whole.actors if one != CHANCE)
        return events.ClocksStand(self.clocks, seats(*acting))

    def screen(self, app: KumiteApp) -> LanTableScreen:
        self.table = LanTable(self.peer.opened, app.post_message, self.programs)
        self.table.hear(self.began())
        if self.clocks:
            self.table.hear(self.clocks_stand())
        return LanTableScreen(self.table)

    def tell(self, *told: Event) -> None:
        for event in told:
            self.peer.deliver(event)

    def play(self, actor: Actor, step: str) -> None:
        self.whole = self.whole.play(actor, step)
        seen = self.seen
        self.tell(events.MatchChanged(seen, seen.last, self.clocks))
        if self.clocks:
            self.tell(self.clocks_stand())

    def enter(self) -> None:
        """Let the step that was asked for here be entered."""
        ((_, seat, step),) = self.peer.take()
        self.tell(events.Sending(seat))
        self.play(seat, step)


BOB_AWAY = events.Presence(events.Status.AWAY, seats(1), "bob")
BOB_BACK = events.Presence(events.Status.BACK, seats(1), "bob")


def lan_app(lan: FakeLan) -> KumiteApp:
    kumite = app()
    kumite.opening = lambda: lan.screen(kumite)
    return kumite


@asynccontextmanager
async def at_lan(
    *args: Any, size: tuple[int, int] = (80, 24), **more: Any
) -> AsyncIterator[tuple[FakeLan, KumiteApp, Pilot[None]]]:
    """Run an app at a LAN table, of which the test is the network: see `FakeLan`."""
    lan = FakeLan(*args, **more)
    async with running(lan_app(lan), size) as (kumite, pilot):
        yield lan, kumite, pilot


async def told(
    pilot: Pilot[None], network: FakeLan | FakePeer | FakeTournamentPeer, *said: Any
) -> None:
    """Let the network tell something, and the app have shown it."""
    peer = network.peer if isinstance(network, FakeLan) else network
    for event in said:
        peer.deliver(event)
    await pilot.pause()


def company(kumite: KumiteApp) -> str:
    """Return what is said of those at the table, without the words to compare."""
    return re.sub(" *(If the other|Compare for privacy).*", "", shown(kumite, "company"))
