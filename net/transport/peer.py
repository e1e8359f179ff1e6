"""One terminal at a table: a running session (running.py) of net/session, and its files."""

from __future__ import annotations

from functools import partial
from importlib import metadata
from secrets import token_bytes
from typing import TYPE_CHECKING, Any, TypeAlias

from kumite.core import table as acts
from kumite.core.games import GAMES
from kumite.net.session import events, session
from kumite.net.session.events import Keep, Save
from kumite.net.transport.addresses import PORT
from kumite.net.transport.files import MatchFiles
from kumite.net.transport.running import Running, posting
from kumite.store.log_files import folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from kumite.core.game import Game
    from kumite.net.session.events import Effect, Event, HostSetup
    from kumite.net.session.state import Session

Deliver: TypeAlias = "Callable[[Event], object]"
"""Receives events in the network's thread; must not block."""


class Peer(Running["Session"]):
    """A terminal at a LAN table; create one with `host`, `join` or `resume`.

    Each action of a player is an input of the session (net/session/events.py). If it is rejected,
    the event `NotDone` gives the reason.
    """

    machine = session

    def __init__(
        self, begun: Session, deliver: Deliver, logs: Path | None, mdns: Sequence[str] | None
    ) -> None:
        super().__init__(begun, deliver, mdns)
        self._use(MatchFiles(folder() if logs is None else logs))

    @classmethod
    def host(
        cls,
        table: HostSetup,
        name: str,
        deliver: Deliver,
        *,
        port: int = PORT,
        address: str | None = None,
        logs: Path | None = None,
        mdns: Sequence[str] | None = None,
    ) -> Peer:
        """Open a table and wait for others; port 0 takes any free one.

        Raises:
            BadSetup: the table cannot be played over a LAN.
        """
        made = session.host(table, name, program(), token_bytes(32))
        peer = cls(made, deliver, logs, mdns)
        peer._start(partial(peer._listen, address, port, made.code))
        return peer

    @classmethod
    def join(
        cls,
        address: str,
        port: int,
        code: str,
        name: str,
        deliver: Deliver,
        *,
        others: Iterable[str] = (),
        logs: Path | None = None,
        mdns: Sequence[str] | None = None,
        **more: Any,
    ) -> Peer:
        """Connect to the table at that address, as a player or spectator.

        `others`: alternative addresses. `more`: see `session.join`.

        Raises:
            BadCode: it is not a code.
        """
        made = session.join(code, name, program(), token_bytes(32), **more)
        peer = cls(made, deliver, logs, mdns)
        peer.addresses, peer.port = (address, *others), port
        peer._start(peer._nothing)
        return peer

    @classmethod
    def resume(
        cls,
        path: Path,
        deliver: Deliver,
        at: tuple[str, int] | None = None,
        games: Mapping[str, Game[Any]] = GAMES,
        mdns: Sequence[str] | None = None,
    ) -> Peer:
        """Continue a match from its log: a host listens again, a joiner reconnects (to `at`).

        Raises:
            StoreError, BadLog, BadData: the log or its journal cannot be used.
        """
        files, records = MatchFiles.beside(path, games)
        try:
            made = session.resume(records, program(), token_bytes(32), games=games)
            files.reopen_log(path, games)
        except BaseException:
            files.close()
            raise
        peer = cls(made, deliver, path.parent, mdns)
        peer._use(files)
        peer.addresses, peer.port = ((at[0],), at[1]) if at else files.load_place(PORT)
        has_moved = made.live is not None and made.live.me != 0  # away from the first host
        if made.live is not None:
            files.save(made.live.ledger.match)
        listen = partial(peer._listen, None, peer.port, made.code, or_any=has_moved)
        begins = listen if made.is_host else peer._nothing
        peer._start(begins)
        return peer

    @property
    def path(self) -> Path | None:
        return self._files.path

    def _use(self, files: MatchFiles) -> None:
        self._files = files
        files.on_failure = lambda error: self._call(partial(self._feed, events.Failed(error)))

    # --- Actions of players ---------------------------------------------------------------------

    ready = posting(events.SetReady)
    start = posting(events.StartMatch)
    take_seat = posting(events.TakeSeat)
    rename = posting(events.Rename)
    draw_seats = posting(events.DrawSeats)
    new_code = posting(events.NewCode)
    play = posting(acts.Play)
    say = posting(acts.Say)
    offer = posting(acts.Offer)
    answer = posting(acts.Answer)
    resign = posting(acts.Resign)

    # --- The session --------------------------------------------------------------------------

    @property
    def _line(self) -> Session:
        return self._session

    def _begin(self, s: Session, now: float) -> session.Next:
        return session.begin(s, now, self._files.idle)

    def _release(self) -> None:
        self._files.close()

    def _moved(self) -> None:
        self._files.save_place(self.addresses, self.port)

    def _do_more(self, effect: Effect) -> None:
        match effect:
            case Keep(record, place):
                self._files.keep(record, self.addresses, self.port, place)
            case Save(record):
                self._files.save(record)
            case _:
                pass


def program() -> str:
    """Return this version of kumite, as sent to other terminals."""
    try:
        return metadata.version("kumite")
    except metadata.PackageNotFoundError:  # run from a checkout
        return "0"
