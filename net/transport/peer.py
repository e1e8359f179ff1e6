"""One terminal at a table: the session of net/session, running (running.py), and its files."""

from __future__ import annotations

from functools import partial
from importlib import metadata
from secrets import token_bytes
from typing import TYPE_CHECKING, Any, TypeAlias

from kumite.core.games import GAMES
from kumite.net.session import inputs, opening, session
from kumite.net.session.effects import Keep, Save
from kumite.net.transport.addresses import PORT
from kumite.net.transport.files import MatchFiles
from kumite.net.transport.running import Running, StateMachine
from kumite.net.wire import messages
from kumite.store.log_files import folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from kumite.core.game import Actor, Game, Seat, Step
    from kumite.net.session.effects import Effect
    from kumite.net.session.events import Event
    from kumite.net.session.inputs import HostSetup
    from kumite.net.session.state import Session

Deliver: TypeAlias = "Callable[[Event], object]"
"""Takes an event in the network's thread, and does not keep it waiting."""


class Peer(Running["Session"]):
    """A terminal at a LAN table; make one with `host`, `join`, `watch` or `resume`."""

    def __init__(
        self, begun: Session, deliver: Deliver, logs: Path | None, mdns: Sequence[str] | None
    ) -> None:
        """Use `host`, `join`, `watch` or `resume`."""
        super().__init__(
            StateMachine(self._begun, session.react, session.deadline, lambda s: s),
            begun,
            deliver,
            mdns,
        )
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
        """Open a table and wait for others; port 0 takes any that is free.

        Raises:
            BadSetup: the table cannot be played over a LAN.
        """
        made = opening.host(table, name, program(), token_bytes(32))
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
        seats: Iterable[Seat] = (),
        count: int = 1,
        is_open: bool = True,
        what: str = messages.JOIN,
        logs: Path | None = None,
        games: Mapping[str, Game[Any]] = GAMES,
        mdns: Sequence[str] | None = None,
    ) -> Peer:
        """Go to the table at that address and sit down, on these seats or so many.

        `others`: more addresses at which it may be. `is_open`: whether our secrets may be opened
        when the match is over.

        Raises:
            BadCode: it is no code.
        """
        made = opening.join(
            code,
            name,
            program(),
            token_bytes(32),
            what=what,
            seats=seats,
            count=count,
            is_open=is_open,
            games=games,
        )
        peer = cls(made, deliver, logs, mdns)
        peer.addresses, peer.port = (address, *others), port
        peer._start(peer._nothing)
        return peer

    @classmethod
    def watch(
        cls,
        address: str,
        port: int,
        code: str,
        name: str,
        deliver: Deliver,
        *,
        others: Iterable[str] = (),
        logs: Path | None = None,
        games: Mapping[str, Game[Any]] = GAMES,
        mdns: Sequence[str] | None = None,
    ) -> Peer:
        """Go to the table at that address and look on.

        Raises:
            BadCode: it is no code.
        """
        return cls.join(
            address,
            port,
            code,
            name,
            deliver,
            others=others,
            what=messages.WATCH,
            logs=logs,
            games=games,
            mdns=mdns,
        )

    @classmethod
    def resume(
        cls,
        path: Path,
        deliver: Deliver,
        at: tuple[str, int] | None = None,
        games: Mapping[str, Game[Any]] = GAMES,
        mdns: Sequence[str] | None = None,
    ) -> Peer:
        """Go on with a match from its log: the host listens again, a joiner goes back (to `at`).

        Raises:
            StoreError, BadLog, BadData: the log, or the table's file beside it, cannot be used.
        """
        files, records = MatchFiles.beside(path, games)
        try:
            made = opening.resume(records, program(), token_bytes(32), games=games)
            files.reopen_log(path, games)
        except BaseException:
            files.close()
            raise
        peer = cls(made, deliver, path.parent, mdns)
        peer._use(files)
        peer.addresses, peer.port = ((at[0],), at[1]) if at else files.load_place(PORT)
        has_moved = made.live is not None and made.live.me != 0  # here, from the first host's
        if made.live is not None:
            files.save(made.live.ledger.match)
        listen = partial(peer._listen, None, peer.port, made.code, or_any=has_moved)
        begins = listen if made.is_host else peer._nothing
        peer._start(begins)
        return peer

    @property
    def path(self) -> Path | None:
        """Return where the log file is, None before the match has begun."""
        return self._files.path

    def _use(self, files: MatchFiles) -> None:
        self._files = files
        files.on_failure = lambda error: self._call(partial(self._feed, inputs.Failed(error)))

    # --- What people do -------------------------------------------------------------------------

    def ready(self, is_ready: bool = True) -> None:
        """Be ready to begin, or not any longer."""
        self._post(inputs.SetReady(is_ready))

    def start(self) -> None:
        """Begin the match (host); `NotDone` says why not."""
        self._post(inputs.StartMatch())

    def take_seat(self, seat: Seat) -> None:
        """Move to another seat before the match."""
        self._post(inputs.TakeSeat(seat))

    def rename(self, name: str) -> None:
        """Be called otherwise, before the match."""
        self._post(inputs.Rename(name))

    def draw_seats(self) -> None:
        """Have all seats drawn by lot before the match (host)."""
        self._post(inputs.DrawSeats())

    def new_code(self) -> None:
        """Make another code (host)."""
        self._post(inputs.NewCode())

    def play(self, actor: Actor, step: Step) -> None:
        """Make a step; `MatchChanged` says when it counts, `NotDone` why it cannot be made."""
        self._post(inputs.MakeStep(actor, step))

    def say(self, text: str) -> None:
        """Say something to everybody at the table."""
        self._post(inputs.Speak(text))

    def offer(self, kind: str, number: int = 0) -> None:
        """Offer something (of posts.OFFERS) to the others."""
        self._post(inputs.Propose(kind, number))

    def answer(self, is_yes: bool) -> None:
        """Answer the offer that stands; its author takes it back with a no."""
        self._post(inputs.Reply(is_yes))

    def resign(self, seat: Seat) -> None:
        """Resign for a seat of this terminal."""
        self._post(inputs.GiveUp(seat))

    # --- The session --------------------------------------------------------------------------

    def _begun(self, s: Session, now: float) -> session.Next:
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
    """Return the version of kumite, as it is told to the other terminal."""
    try:
        return metadata.version("kumite")
    except metadata.PackageNotFoundError:  # run from a checkout
        return "0"
