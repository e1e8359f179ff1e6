"""Tables without a network: people at one keyboard, bots, chance, and the log.

LAN tables are in lan_table.py. No Textual here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from kumite.core import origins
from kumite.core.bots import find
from kumite.core.errors import BadSetup, IllegalStep, KumiteError
from kumite.core.game import CHANCE, Seat, Seats, Setup
from kumite.core.log import Header, Log, is_help
from kumite.core.match import Match, Played
from kumite.core.players import BOT, YOU, is_person
from kumite.core.table import Event, HandOver, Note, Play, Resign, Table, TakeBack, after
from kumite.store.log_files import LogFile, new_match_id
from kumite.tui.play.local_seats import LocalSeats, handed_over

if TYPE_CHECKING:
    from kumite.net.session import events

USUAL: Final = f"{BOT}easy"  # the default bot of a free seat
COMMAND_TEXT: Final = r"""cmd:(?:"[^"]*"|'[^']*'|[^,])*"""
NAMES: Final = re.compile(rf"(?:^|,)\s*((?:\d+:)?{COMMAND_TEXT}|[^,]*)")
AS_BOT: Final = re.compile("(?i:bot)[ :]+(.*)")  # `bot:2`, or as it is shown: `bot 2`


def default_names(seats: int) -> tuple[str, ...]:
    return tuple(f"player {seat + 1}" for seat in range(seats))


def names_in(header: Header) -> tuple[str, ...]:
    """Return the names in a log by seat, with defaults for missing ones."""
    usual = default_names(header.setup.seats)
    return tuple(name or other for name, other in zip(header.names or usual, usual, strict=True))


def split_names(spec: str) -> list[str]:
    """Split `ada,cmd:./mybot "1,2"` at commas; a comma in quotes is part of a command."""
    return [" ".join(found.split()) for found in NAMES.findall(spec)]


def seat_names(spec: str | None, seats: int | None) -> tuple[str, ...]:
    """Return the names in `ada,bot:simple`, with defaults, or raise KumiteError for a bot."""
    given = split_names(spec) if spec else []
    count = max(seats or 0, len(given))
    names = list(default_names(count))
    for seat, name in enumerate(given):
        names[seat] = name or names[seat]
        if bot := AS_BOT.fullmatch(name):
            names[seat] = f"{BOT}{bot[1].lower()}"
            _check_bot(names[seat])
        elif name.lower() == YOU:
            raise BadSetup(f"nobody can be called {name!r}", hint="sentences call the reader so")
    return tuple(names)


def _check_bot(name: str) -> None:
    """Raise if there is no such bot as `bot:LEVEL`."""
    find(name.removeprefix(BOT))


def lan_table(
    setup: Setup, name: str, free: Seats, bots_by_seat: Mapping[Seat, str]
) -> events.HostSetup:
    """Return a host's set-up: seats of local people, seats of local bots, and free seats.

    Free seats that nobody takes are played by bots of the level that the host chose for other
    seats, or easy ones. Several people here are told apart by a number. Raise BadSetup if no seat
    is free, nobody plays here, or there is no such bot.
    """
    everybody = frozenset(map(Seat, range(setup.seats)))
    if unknown := sorted((free | bots_by_seat.keys()) - everybody):
        raise BadSetup(f"there is no seat {unknown[0] + 1}", hint=f"seats: 1 to {setup.seats}")
    people = sorted(everybody - free - bots_by_seat.keys())
    if not free or not people:
        who = "one seat for you" if free else "one free seat"
        raise BadSetup(f"a LAN table needs at least {who}", hint="or play at this keyboard")
    names = [next((who for who in bots_by_seat.values() if who.startswith(BOT)), USUAL)]
    names *= setup.seats
    for number, seat in enumerate(people, start=1):
        names[seat] = name if number == 1 else f"{name} {number}"
    for seat, who in bots_by_seat.items():
        if who.startswith(BOT):
            _check_bot(who)
        names[seat] = who
    from kumite.net.session import events  # late: only LAN tables need it

    return events.HostSetup(setup, tuple(names), everybody - free)


class LocalTable(LocalSeats):
    """A match at one keyboard: people, bots and chance."""

    DRAWS: ClassVar[bool] = True  # whether chance is resolved

    def __init__(
        self,
        match: Match,
        names: Sequence[str],
        file: LogFile | None,
        programs: Mapping[str, str] | None = None,
    ) -> None:
        """Prefer `begin`, `resume` or `branch`."""
        super().__init__()
        self.file = file
        self.is_kept = True
        self.programs = programs or {}
        table = self._with_chance(Table(match, tuple(names)))
        if file:
            file.sync(table.match)
        self._put(table)
        self.vacate()

    @property
    def path(self) -> Path | None:
        return self.file.path if self.file else None

    @property
    def match_id(self) -> str:
        return self.file.header.match_id if self.file else ""

    @classmethod
    def begin(
        cls,
        setup: Setup,
        names: Sequence[str],
        programs: Mapping[str, str] | None = None,
    ) -> LocalTable:
        """Open a table and a log for a new match, or raise StoreError.

        `programs` maps names to the commands of bots (`programs.called`).
        """
        match = Match.begin(setup)
        names = tuple(" ".join(name.split()) for name in names)
        header = Header(new_match_id(), setup, names)
        made = cls(match, names, LogFile.create(header, match), programs)
        made.is_kept = all(not is_person(name) for name in names)  # until somebody plays
        made.is_rated = bool(made.bots)
        return made

    @classmethod
    def resume(
        cls,
        path: Path,
        names: Sequence[str] | None = None,
        programs: Mapping[str, str] | None = None,
        *,
        may_cut: bool = False,
    ) -> LocalTable:
        """Resume a match from its log; `names` replaces the players.

        With `may_cut`, a damaged log is cut off at the damage. Raise StoreError or BadLog if it
        cannot be opened, and KumiteError if the log is from a LAN table or lacks secrets.
        """
        file, log = LogFile.reopen(path, may_cut=may_cut)
        if log.header.by is not None:
            file.close()
            raise KumiteError(
                "this match was played over the LAN", hint="host it again to continue it"
            )
        who = names_in(log.header) if names is None else tuple(names)
        made = cls(log.match, who, file, programs)
        is_helped = any(is_help(line.kind, line.rest) for line in log.entries)
        made.is_rated = bool(made.bots) and not is_helped and not origins.origin(log.header)
        return made

    @classmethod
    def branch(
        cls,
        log: Log,
        number: int,
        names: Sequence[str] | None = None,
        programs: Mapping[str, str] | None = None,
        more: Sequence[Played] = (),
    ) -> LocalTable:
        """Branch from an earlier position of a log into a new match with its own log.

        The steps `more` are played first. Raise KumiteError if there is no such position, it hides
        something, or the match ends there, and StoreError if the new log cannot be written.
        """
        who = tuple(names_in(log.header) if names is None else names)
        if len(who) != log.header.setup.seats:
            raise KumiteError(
                f"{len(who)} names for {log.header.setup.seats} seats", hint="one name for each"
            )
        header, match = origins.branch(log, number, new_match_id(), who)
        match = match.play_all(more)
        if not match.actors:
            raise KumiteError("the match ends there", hint="an earlier step can be gone on from")
        return cls(match, who, LogFile.create(header, match), programs)

    def do(self, event: Event) -> None:
        """Apply an event and the chance that follows; one that cannot be logged has no effect."""
        table = self._with_chance(after(Table(self.match, self.names, self.end), event))
        if self.file:
            self.file.record(event, table)
        was_over = self.is_over
        self.is_kept = self.is_kept or self._is_of_a_person(event)
        if isinstance(event, TakeBack):
            self.is_rated = False
            if self.file and not self.file.header.position:
                made = (Play(one.actor, one.step) for one in table.match.steps())
                self.is_kept = any(map(self._is_of_a_person, made))
        elif isinstance(event, Note) and is_help("note", event.text):
            self.is_rated = False
        self._put(table)
        if self.is_over and not was_over:  # log how far bots left the solution
            for seat, said in self.left.items():
                self.do(Note(f"solution: seat {seat} {said}"))

    def _is_of_a_person(self, event: Event) -> bool:
        if isinstance(event, Play):
            return event.actor != CHANCE and is_person(self.names[event.actor])
        return not isinstance(event, Note)

    def resign(self) -> None:
        mine = [actor for actor in self.match.actors if actor != CHANCE and actor in self.mine]
        if not mine or self.end:
            raise IllegalStep("nobody here can give up now")
        self.do(Resign(mine[0]))

    def hand_over(self, seat: Seat, who: str) -> None:
        """Give a vacant seat to another player, and note it in the log."""
        why = self.vacant.pop(seat)
        self.do(HandOver(seat, who or default_names(len(self.names))[seat]))
        self.do(Note(handed_over(seat, why, who)))

    def rematch(self, names: Sequence[str]) -> LocalTable:
        """Close this table and open one with the same set-up."""
        again = LocalTable.begin(self.match.setup, names, programs=self.programs)
        self.close()
        return again

    def close(self) -> None:
        """Close the log; that of a new match without a step of a person is not kept."""
        if self.file:
            self.file.close()
            if not self.is_kept:
                with suppress(OSError):
                    self.file.path.unlink()
            self.file = None

    def _with_chance(self, table: Table) -> Table:
        """Resolve chance until a seat has to choose."""
        while self.DRAWS and table.match.actors == (CHANCE,) and table.end is None:
            table = after(table, Play(CHANCE, table.match.draw(self._rng)))
        return table

    def _put(self, table: Table) -> None:
        self.match, self.names, self.end = table.match, table.names, table.end
