"""Tables without a network: people at one keyboard, bots, chance, and the log of it all.

A table is what a screen plays on; the LAN's is in tui/lan.py. No Textual here.
"""

from __future__ import annotations

from random import Random, SystemRandom
from typing import TYPE_CHECKING, Final, Protocol

from core import bots
from core.errors import IllegalStep, KumiteError
from core.game import CHANCE, Seat, Setup, Step
from core.log import End, Header
from core.match import Match
from net.store import LogFile, new_match_id

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from core.game import Actor, Seats

BOT: Final = "bot:"


class Table(Protocol):
    """What a table screen plays on."""

    @property
    def match(self) -> Match:
        """Return the match as it is now."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names by seat."""

    @property
    def end(self) -> End | None:
        """Return how the table ended, other than by the rules."""

    @property
    def mine(self) -> Seats:
        """Return the seats that people at this terminal play."""

    @property
    def eyes(self) -> Seats:
        """Return the seats whose view the screen shows."""

    def play(self, actor: Actor, step: Step) -> None:
        """Make a step of one of our seats; the screen hears of it by `match`.

        Raises:
            KumiteError: it cannot be made.
        """

    def take_back(self) -> None:
        """Go back to the last choice of a person.

        Raises:
            KumiteError: this table cannot.
        """

    def resign(self) -> None:
        """Give the match up for whoever of ours is to act."""

    def close(self) -> None:
        """Leave the table; the log is complete as far as the match went."""


def default_names(seats: int) -> tuple[str, ...]:
    """Return what players are called who have not said it."""
    return tuple(f"player {seat + 1}" for seat in range(seats))


def seat_names(spec: str | None, seats: int | None) -> tuple[str, ...]:
    """Return the names in `ada,bot:simple`; empty ones are filled in, bots keep their prefix.

    Raises:
        KumiteError: a bot that does not exist.
    """
    given = [part.strip() for part in spec.split(",")] if spec else []
    count = max(seats or 0, len(given))
    names = list(default_names(count))
    for seat, name in enumerate(given):
        names[seat] = name or names[seat]
        if name.startswith(BOT):
            bots.find(name.removeprefix(BOT))
    return tuple(names)


class LocalTable:
    """A match at one keyboard: people, bots and chance."""

    def __init__(self, match: Match, names: Sequence[str], file: LogFile | None) -> None:
        """Use `begin` or `resume`."""
        self.match = match
        self.names = tuple(names)
        self.file = file
        self.end: End | None = None
        self._rng: Random = SystemRandom()
        self._settle()

    @classmethod
    def begin(cls, setup: Setup, names: Sequence[str], logs: Path | None = None) -> LocalTable:
        """Open a table for a new match, and its log.

        Raises:
            StoreError: the log cannot be written.
        """
        match = Match.begin(setup)
        names = tuple(" ".join(name.split()) for name in names)
        header = Header(new_match_id(), setup, names)
        return cls(match, names, LogFile.create(header, match, logs))

    @classmethod
    def resume(cls, path: Path) -> LocalTable:
        """Go on with a match from its log.

        Raises:
            StoreError, BadLog: it cannot be opened.
            KumiteError: it is the log of a LAN table, or without its secrets.
        """
        file, log = LogFile.reopen(path)
        if log.header.by is not None:
            file.close()
            raise KumiteError(
                "this match was played over the LAN", hint="host it again to go on with it"
            )
        names = tuple(
            name or default
            for name, default in zip(
                log.header.names or default_names(log.header.setup.seats),
                default_names(log.header.setup.seats),
                strict=True,
            )
        )
        return cls(log.match, names, file)

    @property
    def bots(self) -> dict[Seat, str]:
        """Return the bot of each seat that has one."""
        return {
            Seat(seat): name.removeprefix(BOT)
            for seat, name in enumerate(self.names)
            if name.startswith(BOT)
        }

    @property
    def mine(self) -> Seats:
        """Return the seats of people."""
        return frozenset(map(Seat, range(self.match.setup.seats))) - self.bots.keys()

    @property
    def eyes(self) -> Seats:
        """Return the seats to act, if they are people; all people's when nobody is."""
        acting = frozenset(actor for actor in self.match.actors if actor != CHANCE)
        return acting & self.mine or self.mine

    def play(self, actor: Actor, step: Step) -> None:
        """Make a step, and what chance does after it."""
        if self.end is not None:
            raise IllegalStep("the match was given up", hint="start a rematch")
        self.match = self.match.play(actor, step)
        self._settle()

    def bot_to_act(self) -> Seat | None:
        """Return a seat whose bot is to act."""
        if self.end is not None:
            return None
        return next((Seat(a) for a in self.match.actors if a != CHANCE and a in self.bots), None)

    def play_bot(self, seat: Seat) -> None:
        """Let the bot of a seat make its step, from its view alone."""
        own = frozenset({seat})
        game, state = self.match.game, self.match.state
        position = bots.Position(
            game,
            game.view(state, own),
            seat,
            self.match.seen_by(own).steps(),
            game.legal(state, seat),
        )
        self.play(seat, bots.find(self.bots[seat])(position, self._rng, 0))

    def take_back(self) -> None:
        """Go back to the last position in which a person had a choice."""
        match = self.match
        while match.before is not None:
            match = match.before
            people = [actor for actor in match.actors if actor in self.mine]
            if any(len(match.legal(actor)) > 1 for actor in people):
                self.match, self.end = match, None
                self._save()
                return
        raise IllegalStep("there is no step to take back", hint="this is the start of the match")

    def resign(self) -> None:
        """Give the match up for the seat to act."""
        seats = tuple(
            actor for actor in self.match.actors if actor != CHANCE and actor in self.mine
        )
        if not seats or self.end:
            raise IllegalStep("nobody here can give up now")
        self.end = End("resigned", seats[:1])
        if self.file:
            self.file.end(self.end)

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
        self._save()

    def _save(self) -> None:
        if self.file:
            self.file.sync(self.match)
