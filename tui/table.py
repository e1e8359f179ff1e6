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


def names_in(header: Header) -> tuple[str, ...]:
    """Return the names of a log by seat; who has none is called as usual."""
    usual = default_names(header.setup.seats)
    return tuple(name or other for name, other in zip(header.names or usual, usual, strict=True))


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
        self._looking: Seat | None = None  # who sits at the screen, where there are secrets
        self._followers: dict[Seat, Follower] = {}
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
        return cls(log.match, names_in(log.header), file)

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
    def _acting(self) -> Seat | None:
        """Return the first person to act."""
        if self.end is not None:
            return None
        return next((Seat(a) for a in self.match.actors if a != CHANCE and a in self.mine), None)

    @property
    def has_secrets(self) -> bool:
        """Return whether people at this keyboard must not all see the same."""
        game, state = self.match.game, self.match.state
        views = [game.view(state, frozenset({seat})) for seat in sorted(self.mine)]
        return any(view != views[0] for view in views)

    @property
    def eyes(self) -> Seats:
        """Return everybody's seats; where there are secrets, those of who sits at the screen."""
        if not self.has_secrets:
            return self.mine
        is_there = self._looking is not None and self._looking == self._acting
        return frozenset({self._looking}) if is_there and self._looking is not None else frozenset()

    @property
    def awaited(self) -> Seat | None:
        """Return the person to act who has not come to the screen yet."""
        acting = self._acting
        return acting if acting != self._looking and self.has_secrets else None

    def uncover(self) -> None:
        """Show the awaited seat what it may see."""
        self._looking = self._acting

    def cover(self) -> None:
        """Let nobody's secrets be seen until somebody has come to the screen again."""
        self._looking = None

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
            self._followers.setdefault(seat, Follower()).follow(self.match, own).steps(),
            game.legal(state, seat),
        )
        self.play(seat, bots.find(self.bots[seat])(position, self._rng, bots.Budget()).step)

    def take_back(self) -> None:
        """Go back to the last position in which a person had a choice.

        Where there are secrets, only one's own last choice, and only if nothing came after it.
        """
        match = self.match
        if self.has_secrets and (match.last is None or match.last.actor != self._looking):
            raise IllegalStep(
                "this cannot be taken back", hint="somebody else has chosen or seen something since"
            )
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


class Follower:
    """Keeps a match as some seats have seen it, step by step instead of anew each time."""

    def __init__(self) -> None:
        self._full: Match | None = None
        self._seen: Match | None = None

    def follow(self, match: Match, eyes: Seats) -> Match:
        """Return `match` as `eyes` have seen it."""
        if match.by is not None or len(eyes) == match.setup.seats:
            return match
        more: list[Match] = []
        at: Match | None = match
        while at is not None and at is not self._full:
            more.append(at)
            at = at.before
        if at is None or self._seen is None or self._seen.by != eyes:
            self._seen = match.seen_by(eyes)
        else:
            for one in reversed(more):
                assert one.before is not None
                assert one.last is not None
                actor, step = one.last.actor, one.last.step
                seen = match.game.seen(one.before.state, actor, step, eyes)
                self._seen = self._seen.play(actor, seen)
        self._full = match
        return self._seen
