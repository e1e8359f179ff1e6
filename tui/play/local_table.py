"""Tables without a network: people at one keyboard, bots, chance, and the log of it all.

A table is what a screen plays on; the LAN's is in lan_table.py. No Textual here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Protocol

from kumite.core.errors import BadSetup, IllegalStep, KumiteError
from kumite.core.game import CHANCE, Seat
from kumite.core.gone import WAIT
from kumite.core.log import End, Header
from kumite.core.match import Match
from kumite.core.players import BOT
from kumite.store.log_files import LogFile, StoreError, new_match_id
from kumite.tui.play.local_seats import LocalSeats, handed_over

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from kumite.core.game import Actor, Seats, Setup, Step
    from kumite.core.log import Log
    from kumite.core.match import Played
    from kumite.net.session import inputs
    from kumite.net.wire.fields import Clock
    from kumite.tui.bots.service import Player

USUAL: Final = f"{BOT}easy"  # the bot of a free seat that nobody takes
COMMAND_TEXT: Final = r"""cmd:(?:"[^"]*"|'[^']*'|[^,])*"""
NAMES: Final = re.compile(rf"(?:^|,)\s*((?:\d+:)?{COMMAND_TEXT}|[^,]*)")


class Table(Protocol):
    """What a table screen plays on."""

    @property
    def match(self) -> Match:
        """Return the match as it is now."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names by seat, as the log has them."""

    @property
    def shown_names(self) -> tuple[str, ...]:
        """Return the names by seat as people read them: told apart."""

    @property
    def end(self) -> End | None:
        """Return how the table ended, other than by the rules."""

    @property
    def mine(self) -> Seats:
        """Return the seats that people at this terminal play."""

    @property
    def chosen(self) -> Seats:
        """Return who has made the choice that others still have to make."""

    @property
    def is_sending(self) -> bool:
        """Return whether a step of ours is on its way to other terminals."""

    def foreseen(self, seen: Match) -> Match:
        """Return a view of the match with those choices in it that its eyes have made."""

    @property
    def acting(self) -> Seat | None:
        """Return which of our people is to act, if anybody."""

    @property
    def eyes(self) -> Seats:
        """Return the seats whose view the screen shows."""

    @property
    def awaited(self) -> Seat | None:
        """Return who must come to the screen before it may show anything secret, if anybody."""

    def uncover(self) -> None:
        """Show the awaited seat what it may see."""

    def cover(self) -> None:
        """Hide what not everybody at this screen may see: now all are to look at it."""

    def play(self, actor: Actor, step: Step) -> None:
        """Make a step of one of our seats; the screen hears of it by `match`.

        Raises:
            KumiteError: it cannot be made.
        """

    @property
    def bots(self) -> Mapping[Seat, str]:
        """Return the bot of each seat of ours that has one: a level, or `cmd:PROGRAM`."""

    def bot_to_act(self) -> Seat | None:
        """Return a seat of ours whose bot is to act, if any."""

    @property
    def left(self) -> Mapping[Seat, str]:
        """Return, once the match is over, how far bots of ours left the solution that they have."""

    @property
    def programs(self) -> Mapping[str, str]:
        """Return the commands that were typed here, by the names of those who play by them."""

    @property
    def vacant(self) -> Mapping[Seat, KumiteError]:
        """Return the seats of ours whose bot cannot play, and why."""

    def vacant_to_act(self) -> Seat | None:
        """Return a seat that is to act and whose bot cannot play, if any."""

    async def think(self, seat: Seat, player: Player, seconds: float) -> Step:
        """Return the step that the bot of a seat would make; levels with a clock take `seconds`.

        Raises:
            KumiteError: the bot has failed.
        """

    def lose(self, seat: Seat, why: KumiteError) -> None:
        """Take the seat from a bot that has failed, until `hand_over` gives it to somebody."""

    def hand_over(self, seat: Seat, who: str) -> None:
        """Give a vacant seat to a bot, to a person here (``), or to its own program once more."""

    @property
    def path(self) -> Path | None:
        """Return the log, if there is one."""

    def take_back(self) -> None:
        """Go back to the last choice of a person, or ask for it.

        Raises:
            KumiteError: this table cannot.
        """

    def resign(self) -> None:
        """Give the match up for whoever of ours is to act."""

    def close(self) -> None:
        """Leave the table; the log is complete as far as the match went."""


def default_names(seats: int) -> tuple[str, ...]:
    """Return what players without a name are called."""
    return tuple(f"player {seat + 1}" for seat in range(seats))


def names_in(header: Header) -> tuple[str, ...]:
    """Return the names of a log by seat; a seat without one gets its default."""
    usual = default_names(header.setup.seats)
    return tuple(name or other for name, other in zip(header.names or usual, usual, strict=True))


def split_names(spec: str) -> list[str]:
    """Return the names in `ada,cmd:./mybot "1,2"`: a comma in quotes is part of a command."""
    return [" ".join(found.split()) for found in NAMES.findall(spec)]


def seat_names(spec: str | None, seats: int | None) -> tuple[str, ...]:
    """Return the names in `ada,bot:simple`; empty ones are filled in, bots keep their prefix.

    Raises:
        KumiteError: a bot that does not exist.
    """
    given = split_names(spec) if spec else []
    count = max(seats or 0, len(given))
    names = list(default_names(count))
    for seat, name in enumerate(given):
        names[seat] = name or names[seat]
        if name.startswith(BOT):
            _check_bot(name)
    return tuple(names)


def _check_bot(name: str) -> None:
    """Raise what there is to say of `bot:LEVEL` if there is no such bot."""
    from kumite.core.bots import find  # late: a table of people needs no bots

    find(name.removeprefix(BOT))


def lan_table(
    setup: Setup,
    name: str,
    free: Seats,
    bots_by_seat: Mapping[Seat, str],
    clock: Clock | None = None,
    *,
    has_watchers: bool = True,
    is_open: bool = True,
    gone: str = WAIT,
) -> inputs.HostSetup:
    """Return what a host offers: seats of people here, of bots here, and free ones.

    Free seats that nobody takes are played by bots, too: of the level that the host has chosen for
    others, else easy ones. Several people here are told apart by a number.

    Raises:
        BadSetup: no seat is free, nobody plays here, or there is no such bot.
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
    from kumite.net.session import inputs  # late: for the LAN alone, a tenth of a local start

    return inputs.HostSetup(
        setup, tuple(names), everybody - free, clock, has_watchers, is_open, gone
    )


class LocalTable(LocalSeats):
    """A match at one keyboard: people, bots and chance."""

    def __init__(
        self,
        match: Match,
        names: Sequence[str],
        file: LogFile | None,
        programs: Mapping[str, str] | None = None,
    ) -> None:
        """Use `begin` or `resume`."""
        super().__init__()
        self.match = match
        self.names = tuple(names)
        self.file = file
        self.programs = programs or {}
        self.vacate()
        self._settle()

    @property
    def path(self) -> Path | None:
        """Return the log."""
        return self.file.path if self.file else None

    @classmethod
    def begin(
        cls,
        setup: Setup,
        names: Sequence[str],
        logs: Path | None = None,
        programs: Mapping[str, str] | None = None,
    ) -> LocalTable:
        """Open a table for a new match, and its log.

        `programs` are the commands that play, by name (`asking.called`).

        Raises:
            StoreError: the log cannot be written.
        """
        match = Match.begin(setup)
        names = tuple(" ".join(name.split()) for name in names)
        header = Header(new_match_id(), setup, names)
        return cls(match, names, LogFile.create(header, match, logs), programs)

    @classmethod
    def resume(
        cls,
        path: Path,
        names: Sequence[str] | None = None,
        programs: Mapping[str, str] | None = None,
        *,
        may_cut: bool = False,
    ) -> LocalTable:
        """Go on with a match from its log; `names` say who does, if not the same.

        With `may_cut` also from one that is damaged: what stands behind the damage is cut off.

        Raises:
            StoreError, BadLog: it cannot be opened.
            KumiteError: it is the log of a LAN table, or without its secrets.
        """
        file, log = LogFile.reopen(path, may_cut=may_cut)
        if log.header.by is not None:
            file.close()
            raise KumiteError(
                "this match was played over the LAN", hint="host it again to go on with it"
            )
        who = names_in(log.header) if names is None else tuple(names)
        return cls(log.match, who, file, programs)

    @classmethod
    def branch(
        cls,
        log: Log,
        number: int,
        names: Sequence[str] | None = None,
        logs: Path | None = None,
        programs: Mapping[str, str] | None = None,
        more: Sequence[Played] = (),
    ) -> LocalTable:
        """Go on from an earlier position of a log, as a match of its own with its own log.

        `more` are steps that are made first.

        Raises:
            KumiteError: there is no such position, it hides something, or the match ends there.
            StoreError: the new log cannot be written.
        """
        from kumite.core import origins  # late: few tables are branched off

        who = tuple(names_in(log.header) if names is None else names)
        if len(who) != log.header.setup.seats:
            raise KumiteError(
                f"{len(who)} names for {log.header.setup.seats} seats", hint="one name for each"
            )
        header, match = origins.branch(log, number, new_match_id(), who)
        match = match.play_all(more)
        if not match.actors:
            raise KumiteError("the match ends there", hint="an earlier step can be gone on from")
        return cls(match, who, LogFile.create(header, match, logs), programs)

    def play(self, actor: Actor, step: Step) -> None:
        """Make a step, and what chance does after it; one that the log cannot take is not made."""
        if self.end is not None:
            raise IllegalStep("the match was given up", hint="start a rematch")
        before = self.match
        self.match = before.play(actor, step)
        try:
            self._settle()
        except StoreError:
            self.match = before
            raise

    def take_back(self) -> None:
        """Go back to the last position in which a person had a choice.

        Where there are secrets, only one's own last choice, and only if nothing came after it.
        """
        match = self.match
        if self.has_secrets and (match.last is None or match.last.actor != self._looking):
            raise IllegalStep(
                "this cannot be taken back", hint="somebody else has chosen or seen something since"
            )
        before = self.last_choice()
        if before is None:
            raise IllegalStep(
                "there is no step to take back", hint="nobody here has made one so far"
            )
        if self.file:
            self.file.sync(before)
        self.match, self.end = before, None

    def resign(self) -> None:
        """Give the match up for the seat to act."""
        seats = tuple(
            actor for actor in self.match.actors if actor != CHANCE and actor in self.mine
        )
        if not seats or self.end:
            raise IllegalStep("nobody here can give up now")
        end = End("resigned", seats[:1])
        if self.file:
            self.file.end(end)
        self.end = end
        self._note_left()

    def note(self, text: str) -> None:
        """Write into the log what is no step: that a hint was asked for."""
        if self.file:
            self.file.add(f"note {text}")

    def hand_over(self, seat: Seat, who: str) -> None:
        """Let somebody else play on in a vacant seat, and note it in the log."""
        why = self.vacant.pop(seat)
        names = list(self.names)
        names[seat] = who or default_names(len(names))[seat]
        self.names = tuple(names)
        if self.file:
            self.file.add(f"note {handed_over(seat, why, who)}")

    def close(self) -> None:
        """Close the log."""
        if self.file:
            self.file.close()
            self.file = None

    def _settle(self) -> None:
        """Let chance act until a seat is to choose, then save."""
        while self.match.actors == (CHANCE,):
            odds = self.match.odds()
            steps = sorted(odds)
            (step,) = self._rng.choices(steps, [float(odds[step]) for step in steps])
            self.match = self.match.play(CHANCE, step)
        if self.file:
            self.file.sync(self.match)
        if self.match.outcome is not None:
            self._note_left()

    def _note_left(self) -> None:
        """Write into the log how far bots left the solution, if there is one to leave."""
        for seat, said in self.left.items():
            self.note(f"solution: seat {seat} {said}")


def only_person(table: Table) -> Seat | None:
    """Return the seat of the one person at this terminal; None if it is not one."""
    return min(table.mine) if len(table.mine) == 1 else None
