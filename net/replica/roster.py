"""The roster of a match: its terminals with their seats and public keys, agreed on beforehand."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from kumite.core.codec import decode, encode
from kumite.core.errors import BadData, BadSetup
from kumite.core.game import Seat, Setup
from kumite.core.games import find
from kumite.core.gone import BOT, FEWEST, RULES, WAIT
from kumite.core.log import Header
from kumite.core.players import as_person, is_person, stand_in
from kumite.core.series import SINGLE, Series
from kumite.core.text import listed
from kumite.net.crypto import keys
from kumite.net.wire import fields
from kumite.net.wire.fields import Clock, Frozen
from kumite.net.wire.messages import PROTOCOL


def settled_rule(gone: str, terminals: int) -> str:
    """Return the rule for terminals that are gone: WAIT if the match has too few terminals."""
    return gone if terminals >= FEWEST else WAIT


class Terminal(Frozen):
    """One terminal: its name, its seats and its public keys for this match."""

    name: fields.Name
    seats: fields.SeatSet
    verify_key: fields.Key  # ed25519, for its signatures
    box_key: fields.Key  # for messages to it alone


_TERMINALS: Final[Any] = fields.many(fields.Shape(Terminal), fields.MAX_SEATS)


class Roster(Frozen):
    """The terminals of a match, the host first; spectators are not part of it.

    `clock`: s per seat, s added per step, s of free time away.
    """

    match_id: str
    setup: Setup
    names: tuple[str, ...]  # by seat
    terminals: tuple[Terminal, ...]
    clock: Clock | None = None
    gone: str = WAIT  # what happens to the seats of a terminal that is permanently gone
    series: Series = SINGLE  # the score before this match

    @property
    def has_key_shares(self) -> bool:
        """True if all terminals give the others shares of their secrets, in case they are gone."""
        return self.gone == BOT

    def check(self) -> None:
        """Raise BadSetup unless every seat belongs to one terminal, and every terminal has one."""
        seats = sorted(seat for one in self.terminals for seat in one.seats)
        is_whole = seats == list(range(self.setup.seats)) and len(self.names) == self.setup.seats
        is_whole &= len(self.series.won) in (0, self.setup.seats)
        if self.gone != WAIT and len(self.terminals) < FEWEST:
            raise BadSetup("of two terminals, neither can say that the other is gone")
        if not is_whole or not all(one.seats for one in self.terminals):
            raise BadSetup(
                "at a LAN table every terminal plays at least one seat, and each seat is played",
                hint=f"seats 0 to {self.setup.seats - 1}",
            )

    @cached_property
    def players(self) -> tuple[int, ...]:
        return tuple(
            next(n for n, one in enumerate(self.terminals) if seat in one.seats)
            for seat in range(self.setup.seats)
        )

    def header(self, me: int | None, extra: tuple[str, ...] = ()) -> Header:
        """Return the header of the log that terminal `me` writes (None: a spectator)."""
        seats = self.terminals[me].seats if me is not None else frozenset()
        return Header(self.match_id, self.setup, self.names, seats, extra=extra)

    def moved(self, seat: Seat, to: int) -> Roster:
        """Return the roster with a seat played by a bot of another terminal."""
        terminals = tuple(
            replace(one, seats=one.seats - {seat} | ({seat} if number == to else frozenset()))
            for number, one in enumerate(self.terminals)
        )
        names = tuple(stand_in(one) if at == seat else one for at, one in enumerate(self.names))
        return replace(self, names=names, terminals=terminals)

    def who(self, terminal: int) -> str:
        """Return the name of a terminal: its players, or its bots if it has no players."""
        one = self.terminals[terminal]
        names = {seat: self.names[seat] for seat in sorted(one.seats)}
        people = [name for name in names.values() if name and is_person(name)]
        called = people or [as_person(name) or f"seat {seat + 1}" for seat, name in names.items()]
        return listed([*dict.fromkeys(called)]) or one.name

    def by_lot(self) -> Roster:
        """Return the roster with the seats drawn by lot; each terminal keeps its number of seats.

        The lot is derived from everybody's keys, so a host that has seen them cannot influence it.
        """
        order = keys.lot(self._publics, self.match_id, self.setup.seats)
        names, terminals = list(self.names), list[Terminal]()
        for one in self.terminals:
            drawn, order = sorted(order[: len(one.seats)]), order[len(one.seats) :]
            for old, new in zip(sorted(one.seats), drawn, strict=True):
                names[new] = self.names[old]
            terminals.append(replace(one, seats=frozenset(map(Seat, drawn))))
        return replace(self, names=tuple(names), terminals=tuple(terminals))

    @property
    def _publics(self) -> list[bytes]:
        return [key for one in self.terminals for key in (one.verify_key, one.box_key)]

    def words(self) -> tuple[str, str, str]:
        """Return the three words, which are the same at terminals with the same keys.

        They depend on keys alone, which are bound before they are shown; a name could be changed to
        try for a match.
        """
        return keys.words(self._publics, self.match_id)

    def packed(self) -> bytes:
        """Return the roster as canonical bytes; the signatures of all posts cover them."""
        terminals = _TERMINALS.to_tuple(self.terminals)
        options = tuple(sorted(self.setup.options.items()))
        game, seats = self.setup.game, self.setup.seats
        rules = (game.ID, game.RULES, seats, options)
        clock, series = fields.clock.to_tuple(self.clock), fields.SERIES.to_tuple(self.series)
        terms = clock, PROTOCOL, self.gone, series
        return encode((self.match_id, rules, self.names, terminals, *terms))

    @staticmethod
    def of(packed: bytes) -> Roster:
        """Return the roster from its canonical bytes.

        Raises:
            BadData: these bytes are not a roster.
            BadSetup: this version lacks the game, or has other rules for it.
        """
        rules = fields.each(fields.word, fields.index, fields.index, fields.options)
        about = fields.match_id, rules, fields.names, _TERMINALS, fields.clock
        checks = *about, fields.number(PROTOCOL, PROTOCOL), fields.one_of(*RULES), fields.SERIES
        match_id, of_game, names, terminals, *terms = fields.each(*checks)(decode(packed))
        clock, _, gone, series = terms
        game_id, version, seats, options = of_game
        game = find(game_id)
        if version != game.RULES:
            raise BadSetup(f"{game_id} by rules {version}; here there are rules {game.RULES}")
        setup = Setup.of(game, seats, dict(options))
        roster = Roster(match_id, setup, names, terminals, clock, gone, series)
        roster.check()
        if roster.packed() != packed:
            raise BadData("a roster in another form than its own")
        return roster
