"""A match between terminals as the sum of their posts; pure.

Every terminal keeps the same list of posts and adds it up in the same way; each knows more only of
what it has chosen or drawn itself. So a terminal that was away, or whose program was killed, is
back where it was as soon as it has the posts again, its own choices (saved before they were
posted) and its seed, from which all its other secrets are made.

What a post does is in apply.py, how chance and secrets come about in dealing.py, what a
terminal has to post in due.py, how it goes on without one that is gone in inheritance.py and
standing_in.py, and how all is checked in the end in audit.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from kumite.core import codes
from kumite.core.codec import DIGEST_SIZE
from kumite.core.errors import KumiteError
from kumite.core.game import SPECTATOR
from kumite.net.crypto import wills
from kumite.net.replica.history import first_history
from kumite.net.wire.posts import COMMON

if TYPE_CHECKING:
    from kumite.core.game import Seat, Seats, Step
    from kumite.core.log import End
    from kumite.core.match import Match
    from kumite.net.crypto.groups import Group
    from kumite.net.crypto.sealed_deck import Deal
    from kumite.net.replica.roster import Roster
    from kumite.net.wire.posts import Body, Post, Reveal, Shown, Will

UNKNOWN: Final = b"\0" * DIGEST_SIZE  # the digest of a match that the others play on without us


class Foul(KumiteError):
    """A post that no honest terminal makes: `terminal` made it, or (the host) let it through."""

    code = codes.FOUL

    def __init__(self, terminal: int, text: str) -> None:
        super().__init__(text)
        self.terminal = terminal


class Late(KumiteError):
    """A post that was in order when it was made, but something else was entered before it."""

    code = codes.LATE


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A step of a seat as all see it; with commitments, if it hides something."""

    number: int  # of the step it is in the match, once it is
    seat: Seat
    step: Step
    commitments: tuple[bytes, ...]
    author: int


@dataclass(frozen=True, slots=True)
class Own:
    """A hidden choice made here, in full, with what opens its commitments."""

    step: Step  # in full
    commitments: tuple[bytes, ...]
    salts: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck between its shuffling and the end of the match."""

    number: int  # of the match's steps when it was begun
    deal: Deal  # its cards, on their way through the hands of all terminals
    drawn: int = 0  # places from which a card has been drawn
    run: tuple[int, ...] = ()  # terminals that draw from the next places, as far as known
    shares: tuple[tuple[bytes, ...], ...] = ()  # for the run, by terminal; empty: not there yet
    posted: tuple[tuple[int, int, tuple[bytes, ...]], ...] = ()  # terminal, first place, its keys


@dataclass(frozen=True, slots=True)
class Draw:
    """Where the card of a step came from."""

    number: int  # of the step
    deck: int
    place: int
    drawer: int


@dataclass(frozen=True, slots=True)
class Dispute:
    """A step that others may take for good, and that cannot be by what we alone know."""

    number: int
    choice: SeatChoice | None = None  # the step, if a seat made it
    box: int | None = None  # terminal whose box for us does not hold what it must


@dataclass(frozen=True, slots=True)
class Boxed:
    """A box for one terminal alone, and the choices (with the number of a `?`) that are in it."""

    number: int  # of the step
    author: int
    reader: int
    sealed: bytes
    wanted: tuple[tuple[SeatChoice, int], ...]


@dataclass(frozen=True, slots=True)
class Gathered:
    """What has come together for the chance step that is due, by terminal; empty: not yet."""

    promises: tuple[bytes, ...]
    coins: tuple[bytes, ...]
    shown: tuple[Shown | None, ...]

    @staticmethod
    def nothing(terminals: int) -> Gathered:
        """Return that nothing is there."""
        return Gathered((b"",) * terminals, (b"",) * terminals, (None,) * terminals)


@dataclass(frozen=True, slots=True)
class OpenOffer:
    """An offer that stands: the post that made it, its author, what, and which terminals agree."""

    post: int  # its place in the list, from 1
    author: int
    kind: str
    number: int
    agreed: frozenset[int]


@dataclass(frozen=True, slots=True)
class Implied:
    """What a terminal that is gone would have posted: all work it out alike, nobody signs it."""

    author: int
    body: Body


@dataclass(frozen=True, slots=True)
class Inherited:
    """A share of what a terminal that is gone has left, posted by one of its heirs."""

    gone: int
    heir: int
    share: bytes


@dataclass(frozen=True)
class Ledger:
    """A match as one terminal knows it; `me` None is a watcher, which owes nothing."""

    roster: Roster
    me: int | None
    seed: bytes
    match: Match
    group: Group
    entered: int = 0  # posts
    trusted: int = 0  # of them were looked at before: proofs in them are not looked at again
    history: tuple[bytes, ...] = ()  # hashes of all that was posted, after so many posts
    taken_back: int = 0  # posts when steps were last taken back
    spoken: tuple[int, ...] = ()  # posts by terminal
    own: tuple[Own, ...] = ()
    moved: frozenset[tuple[int, Seat]] = frozenset()  # terminals, and their seats that others took
    waiting: tuple[SeatChoice, ...] = ()  # choices made at the same time, until all are there
    hidden: tuple[SeatChoice, ...] = ()  # every step of the match that hides something
    draws: tuple[Draw, ...] = ()
    decks: tuple[Deck, ...] = ()
    gathered: Gathered = field(default_factory=lambda: Gathered.nothing(0))
    boxed: tuple[Boxed, ...] = ()
    dispute: Dispute | None = None  # our own; here our match ends, whatever the others play
    claim: tuple[int, int] | None = None  # terminal, and the first step that cannot be, it says
    offer: OpenOffer | None = None
    clocks: tuple[int, ...] = ()  # ms left, by seat
    away: tuple[int, ...] = ()  # ms left that it may be away for nothing, by seat
    end: End | None = None
    wants_rematch: bool = False
    keys: tuple[tuple[bytes, ...], ...] = ()  # by terminal, of its decks, opened after the match
    reveals: tuple[Reveal | None, ...] = ()
    closed: tuple[bool, ...] = ()  # by terminal: it has signed the end
    # --- Who is gone for good; the rest is empty at tables that wait for them ---
    gone: tuple[tuple[int, int], ...] = ()  # terminals, and after how many posts all had said so
    host: int = 0  # the terminal through which all posts go; another one, once that is gone
    wills: tuple[Will | None, ...] = ()  # by terminal
    false_will: int | None = None  # terminal whose box for us holds no share of its key
    inherited: tuple[Inherited, ...] = ()
    table: Roster | None = None  # as it was before the first post
    past: tuple[Post | Implied, ...] = ()  # all that was entered
    ghosts: tuple[Ledger, ...] = ()  # the match as each sees it who is gone, once that is known

    @staticmethod
    def begin(roster: Roster, me: int | None, seed: bytes, group: Group) -> Ledger:
        """Return the ledger before the first post."""
        count = len(roster.terminals)
        return Ledger(
            roster,
            me,
            seed,
            roster.header(me).begin(),
            group,
            history=(first_history(roster.packed()),),
            spoken=(0,) * count,
            gathered=Gathered.nothing(count),
            clocks=(roster.clock[0] * 1000,) * roster.setup.seats if roster.clock else (),
            away=(roster.clock[2] * 1000,) * roster.setup.seats if roster.clock else (),
            keys=((),) * count,
            reveals=(None,) * count,
            closed=(False,) * count,
            wills=(None,) * count,
            table=roster if roster.has_wills else None,
        )

    @property
    def game(self) -> Any:
        """Return the game's module."""
        return self.roster.setup.game

    @property
    def public(self) -> Any:
        """Return the position as a spectator sees it."""
        return self.game.view(self.match.state, SPECTATOR)

    @property
    def digest(self) -> bytes:
        """Return the digest of the match, UNKNOWN if it is no longer what the others play."""
        return UNKNOWN if self.dispute else self.match.digest

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, by its rules, by people, or here by a dispute."""
        return self.end is not None or self.dispute is not None or not self.match.actors

    @property
    def last(self) -> tuple[int, bytes]:
        """Return the step and digest that all sign at the end; where it is disputed, no digest."""
        if self.claim is not None:
            return self.claim[1], UNKNOWN
        return self.match.number, self.match.digest

    @property
    def is_signed(self) -> bool:
        """Whether all have signed the end: before that, one terminal could be shown another end."""
        is_there = (one or self.is_gone(at) for at, one in enumerate(self.closed))
        return not self.roster.is_answered or all(is_there)

    @property
    def is_sharing(self) -> bool:
        """Whether not all have left the others their shares yet: before that, nothing is played."""
        return self.roster.has_wills and not all(self.wills)

    @property
    def here(self) -> tuple[int, ...]:
        """Return the terminals that are not gone for good."""
        return tuple(at for at in range(len(self.roster.terminals)) if not self.is_gone(at))

    @property
    def box_secret(self) -> int | None:
        """Return the secret number of our box key, where it does not come from our seed."""
        return wills.secret(self.seed) if self.roster.has_wills else None

    @property
    def is_held(self) -> bool:
        """Whether all are asked to go on from the last step on which they agree."""
        return self.offer is not None and self.offer.kind == COMMON

    def seats_of(self, terminal: int | None) -> Seats:
        """Return the seats of a terminal."""
        return self.roster.terminals[terminal].seats if terminal is not None else SPECTATOR

    def is_gone(self, terminal: int | None) -> bool:
        """Return whether all others have said that a terminal is gone for good."""
        return any(one == terminal for one, _ in self.gone)

    def judge(self, seat: Seat) -> int:
        """Return the terminal that checks the clock of a seat: the host, or of its own the next."""
        if self.roster.players[seat] != self.host:
            return self.host
        return next((one for one in self.here if one != self.host), 1)

    def has_chosen(self, seat: Seat) -> bool:
        """Whether this seat has made the choice that others still have to make, too."""
        return any(choice.seat == seat for choice in self.waiting)

    def own_choice(self, choice: SeatChoice) -> Own:
        """Return what stands behind a hidden choice of ours.

        Raises:
            Foul: it was not made here.
        """
        for own in self.own:
            if own.commitments == choice.commitments:
                return own
        raise Foul(choice.author, "a choice of ours that was not made here")


def put(values: tuple[Any, ...], index: int, value: object) -> tuple[Any, ...]:
    """Return `values` with another one at `index`."""
    return (*values[:index], value, *values[index + 1 :])
