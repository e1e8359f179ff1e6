"""Who sits at a LAN table, and with which keys: what its terminals have agreed on beforehand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from kumite.core.codec import decode, encode
from kumite.core.errors import BadSetup
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES, find
from kumite.core.log import Header
from kumite.net.crypto import keys
from kumite.net.wire import fields
from kumite.net.wire.messages import PROTOCOL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kumite.core.game import Game, Seats

PROVED: Final = 5  # the first protocol in which a pass over a deck carries its proof
ANSWERED: Final = 6  # the first in which a box can be opened to all, and an end is signed
UNPROVED: Final = 4  # the last without, whose rosters do not say their protocol


@dataclass(frozen=True, slots=True)
class Terminal:
    """One terminal: what it is called, which seats it plays, its public keys of this match."""

    name: str
    seats: Seats
    verify_key: bytes  # of its signatures, ed25519
    box_key: bytes  # of what is only for it (X25519 before protocol 6)


@dataclass(frozen=True)
class Roster:
    """The terminals of a match, the host first; `clock`: (s for each seat, s more for each step).

    Watchers have no place in it.
    """

    match_id: str
    setup: Setup
    names: tuple[str, ...]  # by seat
    terminals: tuple[Terminal, ...]
    clock: tuple[int, int] | None = None
    protocol: int = PROTOCOL  # by which all posts of this match are read, also by a later kumite

    @property
    def is_proved(self) -> bool:
        """Whether every pass over a deck carries its proof."""
        return self.protocol >= PROVED

    @property
    def is_answered(self) -> bool:
        """Whether a box that lies can be opened to all, and all sign the end of the match."""
        return self.protocol >= ANSWERED

    def check(self) -> None:
        """Check that every seat is played by exactly one terminal, and every terminal plays one.

        Raises:
            BadSetup: it is not so.
        """
        seats = sorted(seat for one in self.terminals for seat in one.seats)
        is_whole = seats == list(range(self.setup.seats)) and len(self.names) == self.setup.seats
        if not is_whole or not all(one.seats for one in self.terminals):
            raise BadSetup(
                "at a LAN table every terminal plays at least one seat, and each seat is played",
                hint=f"seats 0 to {self.setup.seats - 1}",
            )

    @cached_property
    def players(self) -> tuple[int, ...]:
        """Return the terminal that plays each seat, by seat."""
        return tuple(
            next(n for n, one in enumerate(self.terminals) if seat in one.seats)
            for seat in range(self.setup.seats)
        )

    def header(self, me: int | None) -> Header:
        """Return the header of the log that terminal `me` writes (None: a watcher)."""
        seats = self.terminals[me].seats if me is not None else frozenset()
        return Header(self.match_id, self.setup, self.names, seats)

    def moved(self, seat: Seat, to: int) -> Roster:
        """Return the roster after terminal `to` has taken over a seat."""
        terminals = tuple(
            replace(one, seats=one.seats - {seat} | ({seat} if number == to else frozenset()))
            for number, one in enumerate(self.terminals)
        )
        return replace(self, terminals=terminals)

    def who(self, terminal: int) -> str:
        """Return what a terminal is called: by the names of its seats."""
        one = self.terminals[terminal]
        names = [self.names[seat] or f"seat {seat + 1}" for seat in sorted(one.seats)]
        return " and ".join(dict.fromkeys(names)) or one.name

    def words(self) -> tuple[str, str, str]:
        """Return the three words that are the same wherever all have the same keys.

        Made of keys alone: they are bound before any are seen, while names could be tried.
        """
        publics = [key for one in self.terminals for key in (one.verify_key, one.box_key)]
        return keys.words(publics, self.match_id)

    def packed(self) -> bytes:
        """Return all of it as canonical bytes: every post is signed over them, too."""
        terminals = tuple(
            (one.name, tuple(sorted(one.seats)), one.verify_key, one.box_key)
            for one in self.terminals
        )
        options = tuple(sorted(self.setup.options.items()))
        game, seats = self.setup.game, self.setup.seats
        clock = self.clock or ()
        rules = (game.ID, game.RULES, seats, options)
        packed = (self.match_id, rules, self.names, terminals, clock)
        return encode((*packed, self.protocol) if self.is_proved else packed)

    @staticmethod
    def of(packed: bytes, games: Mapping[str, Game[Any]] = GAMES) -> Roster:
        """Return the roster that `packed` packed.

        Raises:
            BadData: these bytes are no roster.
            BadSetup: this kumite does not have that game, or not by these rules.
        """
        one = fields.each(fields.name, fields.seats, fields.blob(32), fields.blob(32))
        rules = fields.each(fields.word, fields.index, fields.index, fields.options)
        clock = fields.many(fields.index, 2)
        many = fields.many(one, fields.MAX_SEATS)
        checks = (fields.match_id, rules, fields.names, many, clock)
        value = decode(packed)
        if isinstance(value, tuple) and len(value) == len(checks):
            value, protocol = (*value, UNPROVED), fields.number(UNPROVED, UNPROVED)
        else:
            protocol = fields.number(PROVED, PROTOCOL)
        found = fields.each(*checks, protocol)(value)
        match_id, (game_id, version, seats, options), names, terminals, time, number = found
        game = find(game_id, games)
        if version != game.RULES:
            raise BadSetup(f"{game_id} by rules {version}; here there are rules {game.RULES}")
        made = tuple(
            Terminal(name, frozenset(map(Seat, at)), verify_key, box_key)
            for name, at, verify_key, box_key in terminals
        )
        setup = Setup.of(game, seats, dict(options))
        clock_of = time if len(time) == 2 else None
        roster = Roster(match_id, setup, names, made, clock_of, number)
        roster.check()
        return roster
