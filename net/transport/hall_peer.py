"""The hall of a tournament on the network: its organiser, and a player in it, running."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from operator import attrgetter
from secrets import token_bytes
from typing import IO, TYPE_CHECKING, Any, TypeVar

from kumite.net.hall import guest, organiser, talk
from kumite.net.session import inputs
from kumite.net.transport import hall_files
from kumite.net.transport.addresses import PORT
from kumite.net.transport.peer import program
from kumite.net.transport.running import Running, StateMachine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from kumite.core.tournament.event import Result
    from kumite.net.hall.board import Terms
    from kumite.net.hall.guest import Guest
    from kumite.net.hall.organiser import Organiser
    from kumite.net.hall.records import HallKept
    from kumite.net.wire.hall import HallTable, Reported

    Deliver = Callable[[talk.HallEvent], object]


H = TypeVar("H", bound="Organiser | Guest")


class HallPeer(Running[H]):
    """What both have alike: what there is to know of a hall is kept in files."""

    def __init__(
        self,
        machine: StateMachine[H],
        begun: H,
        deliver: Deliver,
        into: Path | None,
        mdns: Sequence[str] | None,
    ) -> None:
        super().__init__(machine, begun, deliver, mdns)
        self._into = into or hall_files.tournaments()

    def _do_more(self, effect: Any) -> None:
        match effect:
            case talk.Write(record):
                hall_files.write(record, self._into)
            case talk.TellHall(event):
                self._deliver(event)
            case _:
                pass


class OrganiserPeer(HallPeer["Organiser"]):
    """The organiser's program; make one with `open` or `resume`."""

    def __init__(
        self, begun: Organiser, deliver: Deliver, into: Path | None, mdns: Sequence[str] | None
    ) -> None:
        """Use `open` or `resume`."""
        machine = StateMachine(
            organiser.begin, organiser.react, organiser.deadline, attrgetter("door")
        )
        super().__init__(machine, begun, deliver, into, mdns)
        self._held: IO[bytes] | None = None  # as long as we are the organiser

    @classmethod
    def open(
        cls,
        terms: Terms,
        system: str,
        length: int,
        deliver: Deliver,
        *,
        port: int = PORT,
        address: str | None = None,
        into: Path | None = None,
        mdns: Sequence[str] | None = None,
        bot: str = "",
    ) -> OrganiserPeer:
        """Open a hall and wait for players; port 0 takes any that is free. `bot` is kept for it."""
        made = organiser.opened(terms, system, length, program(), token_bytes(32))
        return cls._opened(replace(made, port=port, bot=bot), deliver, address, into, mdns)

    @classmethod
    def resume(
        cls,
        kept: HallKept,
        deliver: Deliver,
        *,
        port: int | None = None,
        address: str | None = None,
        into: Path | None = None,
        mdns: Sequence[str] | None = None,
        bot: str = "",
    ) -> OrganiserPeer:
        """Open the hall that was kept: at this port, or where it was, or if that is taken anywhere.

        Its players look for it and come back, wherever it is.

        Raises:
            KumiteError: it cannot be gone on with.
        """
        made = organiser.resumed(kept, program(), token_bytes(32))
        is_anywhere = port is None
        made = replace(made, port=made.port if port is None else port, bot=bot or made.bot)
        return cls._opened(made, deliver, address, into, mdns, is_anywhere=is_anywhere)

    @classmethod
    def _opened(
        cls,
        made: Organiser,
        deliver: Deliver,
        address: str | None,
        into: Path | None,
        mdns: Sequence[str] | None,
        *,
        is_anywhere: bool = False,
    ) -> OrganiserPeer:
        peer = cls(made, deliver, into, mdns)
        peer._start(partial(peer._open_door, address, is_anywhere))
        return peer

    async def _open_door(self, address: str | None, is_anywhere: bool) -> None:
        door, port = self._session.door, self._session.port
        assert door.credentials is not None
        self._held = hall_files.hold(door.credentials.table_id, self._into)
        await self._listen(address, port, door.code, or_any=is_anywhere)
        self._session = replace(self._session, port=self.port)

    def _release(self) -> None:
        if self._held is not None:
            self._held.close()

    # --- What the organiser does --------------------------------------------------------------

    def start_round(self) -> None:
        """Begin the next round; `NotDone` says why not."""
        self._post(talk.StartRound())

    def decide(self, place: int, result: Result) -> None:
        """Decide a match of this round."""
        self._post(talk.Decide(place, result))

    def set_presence(self, player: int, is_in: bool) -> None:
        """Let somebody take part in rounds to come, or no longer."""
        self._post(talk.SetPresence(player, is_in))

    def new_code(self) -> None:
        """Make another code."""
        self._post(inputs.NewCode())


class GuestPeer(HallPeer["Guest"]):
    """A player's program in a hall; make one with `enter`."""

    def __init__(
        self, begun: Guest, deliver: Deliver, into: Path | None, mdns: Sequence[str] | None
    ) -> None:
        """Use `enter`."""
        machine = StateMachine(guest.begin, guest.react, guest.deadline, attrgetter("door"))
        super().__init__(machine, begun, deliver, into, mdns)

    @classmethod
    def enter(
        cls,
        addresses: Iterable[str],
        port: int,
        code: str,
        name: str,
        deliver: Deliver,
        *,
        into: Path | None = None,
        mdns: Sequence[str] | None = None,
    ) -> GuestPeer:
        """Enter the hall there, or come back to it.

        Raises:
            BadCode: it is no code.
        """
        made = guest.entering(code, name, program(), token_bytes(32), hall_files.known(into))
        peer = cls(made, deliver, into, mdns)
        peer.addresses, peer.port = tuple(addresses), port
        peer._start(peer._nothing)
        return peer

    # --- What a player's program does ---------------------------------------------------------

    @property
    def last_match(self) -> tuple[int, int, str]:
        """Return round and place of our last match here, and the name of its log."""
        kept = self._session.kept
        return (kept.round, kept.place, kept.log) if kept is not None else (0, 0, "")

    def open_table(self, table: HallTable) -> None:
        """Say where the table of our match is."""
        self._post(talk.OpenTable(table))
        if self._way is not None:
            self._call(partial(self._way.stand_open, table.port))

    def report(self, report: Reported) -> None:
        """Say how our match has ended."""
        self._post(talk.Report(report))

    def keep_log(self, round_: int, place: int, log: str) -> None:
        """Note in which log our match of this round is."""
        self._post(talk.KeepLog(round_, place, log))
