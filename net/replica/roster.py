"""Who sits at a LAN table, and with which keys: what its terminals have agreed on beforehand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from kumite.core.codec import decode, encode
from kumite.core.errors import BadSetup
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES, find
from kumite.core.gone import BOT, FEWEST, FORFEIT, WAIT
from kumite.core.log import Header
from kumite.core.players import as_person, is_person
from kumite.core.text import listed
from kumite.net.crypto import keys
from kumite.net.wire import fields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kumite.core.game import Game, Seats
    from kumite.net.wire.fields import Clock

PROVED: Final = 5  # the first protocol in which a pass over a deck carries its proof
ANSWERED: Final = 6  # the first in which a box can be opened to all, and an end is signed
SHARED: Final = 7  # of tables that say what becomes of who is gone; others go on with 6
CARRIED_ON: Final = 8  # of these, the first in which that can be the host
UNPROVED: Final = 4  # the last without, whose rosters do not say their protocol


def settled_rule(gone: str, terminals: int) -> tuple[int, str]:
    """Return the protocol, and what becomes of who is gone, of a match of so many terminals."""
    rule = gone if terminals >= FEWEST else WAIT
    return (CARRIED_ON if rule != WAIT else ANSWERED), rule


@dataclass(frozen=True, slots=True)
class Terminal:
    """One terminal: what it is called, which seats it plays, its public keys of this match."""

    name: str
    seats: Seats
    verify_key: bytes  # of its signatures, ed25519
    box_key: bytes  # of what is only for it (X25519 before protocol 6)


@dataclass(frozen=True)
class Roster:
    """The terminals of a match, the host first.

    `clock`: s for each seat, s more for each step, s that a seat may be away for nothing.
    Watchers have no place in it.
    """

    match_id: str
    setup: Setup
    names: tuple[str, ...]  # by seat
    terminals: tuple[Terminal, ...]
    clock: Clock | None = None
    protocol: int = ANSWERED  # by which all posts of this match are read, also by a later kumite
    gone: str = WAIT  # what becomes of a seat whose terminal is gone for good

    @property
    def is_proved(self) -> bool:
        """Whether every pass over a deck carries its proof."""
        return self.protocol >= PROVED

    @property
    def is_answered(self) -> bool:
        """Whether a box that lies can be opened to all, and all sign the end of the match."""
        return self.protocol >= ANSWERED

    @property
    def is_timed(self) -> bool:
        """Whether every post says what its author's clock read, and clocks are judged by others."""
        return self.protocol >= ANSWERED

    @property
    def has_wills(self) -> bool:
        """Whether all leave the others shares of their secrets, for the case that they are gone."""
        return self.gone == BOT

    @property
    def is_carried_on(self) -> bool:
        """Whether another terminal carries the table on when the host is gone for good."""
        return self.protocol >= CARRIED_ON and self.gone != WAIT

    def check(self) -> None:
        """Check that every seat is played by exactly one terminal, and every terminal plays one.

        Raises:
            BadSetup: it is not so.
        """
        seats = sorted(seat for one in self.terminals for seat in one.seats)
        is_whole = seats == list(range(self.setup.seats)) and len(self.names) == self.setup.seats
        if self.gone != WAIT and len(self.terminals) < FEWEST:
            raise BadSetup("of two terminals, neither can say that the other is gone")
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

    def ruled(self, gone: str) -> Roster:
        """Return the roster with this rule for who is gone, if it has terminals enough."""
        protocol, rule = settled_rule(gone, len(self.terminals))
        return self if rule == self.gone else replace(self, protocol=protocol, gone=rule)

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
        """Return what a terminal is called: by who plays there, by its bots only if nobody does."""
        one = self.terminals[terminal]
        names = {seat: self.names[seat] for seat in sorted(one.seats)}
        people = [name for name in names.values() if name and is_person(name)]
        called = people or [as_person(name) or f"seat {seat + 1}" for seat, name in names.items()]
        return listed([*dict.fromkeys(called)]) or one.name

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
        clock = (self.clock or ())[: None if self.is_timed else 2]
        rules = (game.ID, game.RULES, seats, options)
        packed = (self.match_id, rules, self.names, terminals, clock)
        if self.gone != WAIT:
            return encode((*packed, self.protocol, self.gone))
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
        clock = fields.many(fields.index, 3)
        many = fields.many(one, fields.MAX_SEATS)
        checks = (fields.match_id, rules, fields.names, many, clock)
        value: Any = decode(packed)
        many_values = len(value) if isinstance(value, tuple) else 0
        if many_values == len(checks):
            value = (*value, UNPROVED, WAIT)
            protocol = fields.number(UNPROVED, UNPROVED)
        elif many_values == len(checks) + 2:
            protocol = fields.number(SHARED, CARRIED_ON)
        else:
            protocol = fields.number(PROVED, ANSWERED)
            value = (*value, WAIT) if isinstance(value, tuple) else value
        known = (BOT, FORFEIT) if many_values == len(checks) + 2 else (WAIT,)
        found = fields.each(*checks, protocol, fields.one_of(*known))(value)
        match_id, (game_id, version, seats, options), names, terminals, time, number, gone = found
        game = find(game_id, games)
        if version != game.RULES:
            raise BadSetup(f"{game_id} by rules {version}; here there are rules {game.RULES}")
        made = tuple(
            Terminal(name, frozenset(map(Seat, at)), verify_key, box_key)
            for name, at, verify_key, box_key in terminals
        )
        setup = Setup.of(game, seats, dict(options))
        clock_of = (*time, 0)[:3] if len(time) >= 2 else None  # before protocol 6 without the last
        roster = Roster(match_id, setup, names, made, clock_of, number, gone)
        roster.check()
        return roster
