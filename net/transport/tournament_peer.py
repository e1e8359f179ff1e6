"""Running peers of a tournament: its host, and a player."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import token_bytes
from typing import IO, TYPE_CHECKING, Any, TypeVar

from kumite.core.tournament.pairing import next_round
from kumite.core.tournament.tournament import Result
from kumite.net.session import events
from kumite.net.session.events import Event
from kumite.net.session.state import Session
from kumite.net.tournament import player
from kumite.net.tournament.host import Change, HostMachine, TournamentHost
from kumite.net.tournament.player import PlayerMachine, TournamentPlayer
from kumite.net.tournament.state import Finished, TicketFile, TournamentFile, Write
from kumite.net.transport import tournament_files
from kumite.net.transport.peer import Place, load_place, program, save_place
from kumite.net.transport.running import Running, posting
from kumite.net.wire.tournament import MatchReport, TableAt, WatchTable

if TYPE_CHECKING:
    Deliver = Callable[[Event], object]

T = TypeVar("T", bound="TournamentHost | TournamentPlayer")


class TournamentPeer(Running[T]):
    """The base of both peers, which saves the state in files."""

    def __init__(
        self, begun: T, deliver: Deliver, into: Path | None, mdns: Sequence[str] | None
    ) -> None:
        super().__init__(begun, deliver, mdns)
        self._into = into or tournament_files.tournaments()

    @property
    def _line(self) -> Session:
        return self._session.door

    def _do_more(self, effect: Any) -> None:
        if isinstance(effect, Write):
            tournament_files.write(effect.record, self._into)


class HostPeer(TournamentPeer["TournamentHost"]):
    """The peer of a tournament's host."""

    machine = HostMachine
    _held: IO[bytes] | None = None  # the lock, while we are the host

    def __init__(
        self,
        make: Callable[[str, bytes], TournamentHost],
        deliver: Deliver,
        *,
        port: int | None = None,
        bot: str = "",
        address: str | None = None,
        into: Path | None = None,
        mdns: Sequence[str] | None = None,
    ) -> None:
        """Wait for players; `make`: `host.opened` or `host.resumed`, given program and entropy.

        `port`: 0 for any free one. None for the saved one, or any if that is in use; players find
        the new one by themselves. `bot` is kept for later.
        """
        made = make(program(), token_bytes(32))
        file = replace(made.file, bot=bot or made.file.bot)
        file = file if port is None else replace(file, port=port)
        super().__init__(replace(made, file=file), deliver, into, mdns)
        self._start(partial(self._open_door, address, port is None))

    async def _open_door(self, address: str | None, is_anywhere: bool) -> None:
        file = self._session.file
        self._held = tournament_files.hold(file.welcome.tournament_id, self._into)
        await self._listen(address, file.port, or_any=is_anywhere)
        self._session = replace(self._session, file=replace(file, port=self.port))

    def _release(self) -> None:
        if self._held is not None:
            self._held.close()

    @property
    def tournament_id(self) -> str:
        return self._session.file.welcome.tournament_id

    new_code = posting(lambda: events.Order.NEW_CODE)
    start_round = posting(lambda: Change(lambda t: t.with_round(next_round(t))))

    def decide(self, place: int, result: Result) -> None:
        self._call(self._feed, Change(lambda t: t.with_result(place, result)))

    def set_presence(self, player: int, is_in: bool) -> None:
        self._call(self._feed, Change(lambda t: t.with_presence(player, is_in)))


class PlayerPeer(TournamentPeer["TournamentPlayer"]):
    """The peer of a player in a tournament."""

    machine = PlayerMachine
    watch_table = posting(WatchTable)  # asks where another pair plays; answer: `TableOpened`

    def __init__(
        self,
        addresses: Iterable[str],
        port: int,
        code: str,
        name: str,
        deliver: Deliver,
        *,
        into: Path | None = None,
        mdns: Sequence[str] | None = None,
        ticket: TicketFile | None = None,
        plays: bool = True,
    ) -> None:
        """Enter a tournament, or return to it; raise BadCode if it is not a code.

        With a `ticket`, return to where the organiser was last, without a code.
        """
        if ticket is None:
            known = tournament_files.known(into)
            made = player.entering(code, name, program(), token_bytes(32), known, plays)
        else:
            made = player.returning(ticket, program(), token_bytes(32))
            beside = (into or tournament_files.tournaments()) / ticket.file_name
            addresses, port, _ = load_place(beside)
        super().__init__(made, deliver, into, mdns)
        self.addresses, self.port = tuple(addresses), port
        self._start()

    def _do_more(self, effect: Any) -> None:
        if isinstance(effect, Write):
            path = self._into / effect.record.file_name
            if path.suffix == Finished.SUFFIX and path.with_suffix(TournamentFile.SUFFIX).exists():
                return  # the organiser's own file has more
            super()._do_more(effect)
            self._moved()

    def _moved(self) -> None:
        if (kept := self._session.kept) is not None:
            save_place(self._into / kept.file_name, Place(self.addresses, self.port))

    @property
    def name(self) -> str:
        return self._session.door.name

    @property
    def last_match(self) -> tuple[int, int, str]:
        """Round and place of our last match here, and the name of its log."""
        kept = self._session.kept
        return (kept.round, kept.place, kept.log) if kept is not None else (0, 0, "")

    def open_table(self, table: TableAt) -> None:
        self._call(self._feed, table)
        if self._way is not None:
            self._call(self._way.announce_open, table.port)

    def report(self, report: MatchReport) -> None:
        self._call(self._feed, report)

    def keep_log(self, round_: int, place: int, log: str) -> None:
        if (kept := self._session.kept) is not None:
            self._call(self._feed, replace(kept, round=round_, place=place, log=log))
