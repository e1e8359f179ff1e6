"""The state of a match between terminals, computed from their posts; pure.

Every terminal keeps the same list of posts and computes the same state from it. Beyond that each
knows only its own choices and cards. So a terminal recovers after any interruption from the posts,
its own choices (saved before they are posted) and its seed, from which all other secrets are
derived.

apply.py has the effect of each post, dealing.py chance and secrets, due.py the posts that a
terminal owes, absent.py how a match goes on without one, audit.py the check at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from kumite.core import codes
from kumite.core.codec import DIGEST_SIZE
from kumite.core.copying import replace
from kumite.core.errors import KumiteError, LocalError
from kumite.core.game import SPECTATOR, Seat, Seats, Step
from kumite.core.log import End
from kumite.core.match import Match
from kumite.net.crypto import boxes, key_shares
from kumite.net.crypto.groups import Group
from kumite.net.crypto.keys import Part, hashed
from kumite.net.wire.fields import Frozen
from kumite.net.wire.posts import COMMON, Body, KeyShares, Offer, Post, Reveal, Shown

if TYPE_CHECKING:
    from kumite.net.crypto.sealed_deck import Deal
    from kumite.net.replica.records import Own
    from kumite.net.replica.roster import Roster

UNKNOWN: Final = b"\0" * DIGEST_SIZE  # the digest of a match that the others continue without us


class Foul(KumiteError):
    """A post that no honest terminal makes: `terminal` made it, or (the host) let it through."""

    code = codes.FOUL

    def __init__(self, terminal: int, text: str) -> None:
        super().__init__(text)
        self.terminal = terminal


class Late(KumiteError):
    """A post that was valid when it was made, but was overtaken by another one."""

    code = codes.LATE


class SeatChoice(Frozen):
    """A step of a seat as all see it, with commitments if it hides something."""

    number: int  # of the step in the match, once it is played
    seat: Seat
    step: Step
    commitments: tuple[bytes, ...]
    author: int


Wanted: TypeAlias = "tuple[tuple[SeatChoice, int], ...]"  # choices, each with the index of a `?`


class Deck(Frozen):
    """A deck from its shuffling to the end of the match."""

    number: int  # the number of steps before it was begun
    deal: Deal  # its cards, passed from terminal to terminal
    drawn: int = 0  # places from which cards have been drawn
    run: tuple[int, ...] = ()  # the terminals that draw from the next places, as far as known
    shares: tuple[tuple[bytes, ...], ...] = ()  # for the run, by terminal; empty: missing
    posted: tuple[tuple[int, int, tuple[bytes, ...]], ...] = ()  # terminal, first place, keys


class Dispute(Frozen):
    """A step that our own secrets show to be impossible, while others may accept it."""

    number: int
    choice: SeatChoice | None = None  # the step, if a seat made it
    box: int | None = None  # the terminal whose box for us has false contents


class Gathered(Frozen):
    """The contributions so far to the chance step that is due, by terminal; empty: missing."""

    promises: tuple[bytes, ...]
    coins: tuple[bytes, ...]
    shown: tuple[Shown | None, ...]

    @staticmethod
    def nothing(terminals: int) -> Gathered:
        return Gathered((b"",) * terminals, (b"",) * terminals, (None,) * terminals)


class OpenOffer(Frozen):
    """An open offer, and the terminals that agree to it."""

    post: int  # its place in the list, from 1
    author: int
    kind: str
    number: int
    agreed: frozenset[int]
    game: str = ""  # of another game to play next


class Implied(Frozen):
    """A post that a terminal that is gone would have made; all compute it, and nobody signs it."""

    author: int
    body: Body


class Posted(Frozen):
    """Counters of the posts of a match."""

    entered: int = 0
    trusted: int = 0  # posts that were checked before; their proofs are not verified again
    history: tuple[bytes, ...] = ()  # hash of everything posted, after each number of posts
    taken_back: int = 0  # number of posts when steps were last taken back
    spoken: tuple[int, ...] = ()  # number of posts by terminal
    read: tuple[int, ...] = ()  # ms on the clock of each terminal at its last post


class Secrets(Frozen):
    """Hidden information: choices, cards, and the contributions to the chance step that is due."""

    gathered: Gathered
    own: tuple[Own, ...] = ()
    hidden: tuple[SeatChoice, ...] = ()  # all steps of the match that hide something
    draws: Mapping[int, tuple[int, int]] = field(default_factory=dict)  # step: deck, place
    decks: tuple[Deck, ...] = ()
    # by step, author and reader: a box for one terminal, and what has to be in it
    boxed: Mapping[tuple[int, int, int], tuple[bytes, Wanted]] = field(default_factory=dict)


class Time(Frozen):
    """The clocks, in ms, by seat; empty without clocks."""

    left: tuple[int, ...] = ()
    free: tuple[int, ...] = ()  # remaining free time away
    charged: frozenset[tuple[int, Seat]] = frozenset()  # steps and seats already charged


class Closing(Frozen):
    """Keys, choices and signatures posted after the match, by terminal."""

    keys: tuple[tuple[bytes, ...], ...]  # of the decks
    reveals: tuple[Reveal | None, ...]
    closed: tuple[bool, ...]  # whether it has signed the end


class Absent(Frozen):
    """The state that lets the others play on for absent terminals; empty where they wait."""

    shares: tuple[KeyShares | None, ...] = ()  # by terminal
    false_share: int | None = None  # the terminal whose share for us is false
    # by terminal that is gone, and holder: a share of its key, as posted
    given: Mapping[tuple[int, int], bytes] = field(default_factory=dict)
    roster: Roster | None = None  # before the first post
    past: tuple[Post | Implied, ...] = ()  # everything entered, with implied posts
    views: tuple[Ledger, ...] = ()  # the match as seen by each absent terminal with known secrets


class Ledger(Frozen):
    """A match as known to one terminal; `me` is None for a spectator, which owes no posts."""

    roster: Roster
    me: int | None
    seed: bytes
    match: Match
    group: Group
    posted: Posted
    secrets: Secrets
    time: Time
    closing: Closing
    absent: Absent
    moved: frozenset[tuple[int, Seat]] = frozenset()  # terminals, and their seats taken over
    waiting: tuple[SeatChoice, ...] = ()  # simultaneous choices, until all are there
    dispute: Dispute | None = None  # our own; our match ends here, whatever the others play
    claim: tuple[int, int] | None = None  # a terminal, and the first step that it disputes
    offer: OpenOffer | None = None
    end: End | None = None
    votes: tuple[tuple[int, Offer], ...] = ()  # for the next game: terminals, the earliest first
    rematch: OpenOffer | None = None  # the next match, once all want one
    gone: tuple[tuple[int, int], ...] = ()  # terminals, and number of posts when declared gone
    host: int = 0  # the terminal that enters all posts; its successor once it is gone

    @staticmethod
    def begin(roster: Roster, me: int | None, seed: bytes, group: Group) -> Ledger:
        count, seats = len(roster.terminals), roster.setup.seats
        left, _, free = (1000 * one for one in roster.clock) if roster.clock else (0, 0, 0)
        history = (hashed(b"kumite-history", (roster.packed(),)),)
        return Ledger(
            roster,
            me,
            seed,
            roster.header(me).begin(),
            group,
            Posted(history=history, spoken=(0,) * count, read=(-1,) * count),
            Secrets(Gathered.nothing(count)),
            Time((left,) * seats, (free,) * seats) if roster.clock else Time(),
            Closing(((),) * count, (None,) * count, (False,) * count),
            Absent((None,) * count, roster=roster if roster.has_key_shares else None),
        )

    def ended(self, kind: str, *seats: Seat) -> Ledger:
        return replace(self, end=End(kind, seats), offer=None)

    def with_posted(self, **changes: Any) -> Ledger:
        return replace(self, posted=replace(self.posted, **changes))

    def with_secrets(self, **changes: Any) -> Ledger:
        return replace(self, secrets=replace(self.secrets, **changes))

    def with_time(self, **changes: Any) -> Ledger:
        return replace(self, time=replace(self.time, **changes))

    def with_closing(self, **changes: Any) -> Ledger:
        return replace(self, closing=replace(self.closing, **changes))

    def with_absent(self, **changes: Any) -> Ledger:
        return replace(self, absent=replace(self.absent, **changes))

    @property
    def own(self) -> int:
        """Return our number; only a spectator has none."""
        if self.me is None:
            raise LocalError("a spectator has no number")
        return self.me

    @property
    def game(self) -> Any:
        return self.roster.setup.game

    @property
    def public(self) -> Any:
        return self.game.view(self.match.state, SPECTATOR)

    @property
    def digest(self) -> bytes:
        """Return the digest of the match, UNKNOWN if the others no longer play the same one."""
        return UNKNOWN if self.dispute else self.match.digest

    @property
    def is_over(self) -> bool:
        return self.end is not None or self.dispute is not None or not self.match.actors

    @property
    def last(self) -> tuple[int, bytes]:
        """Return the step and digest that all sign at the end; UNKNOWN after a disputed step."""
        if self.claim is not None:
            return self.claim[1], UNKNOWN
        return self.match.number, self.match.digest

    @property
    def is_signed(self) -> bool:
        """True if all players have signed the end; until then one could be shown another end."""
        terminals = enumerate(self.closing.closed)
        return all(one or self.is_gone(at) or not self.seats_of(at) for at, one in terminals)

    @property
    def is_sharing(self) -> bool:
        """True if key shares are still missing; until all are there, nothing is played."""
        return self.roster.has_key_shares and not all(self.absent.shares)

    @property
    def here(self) -> tuple[int, ...]:
        return tuple(at for at in range(len(self.roster.terminals)) if not self.is_gone(at))

    @property
    def box_secret(self) -> int | None:
        """Return the secret of our box key, None if it is derived from the seed."""
        return key_shares.secret(self.seed) if self.roster.has_key_shares else None

    def key_of(self, context: tuple[Part, ...], sealed: bytes) -> bytes:
        """Return the key with which all can open a box made for us (`boxes.key_of`)."""
        return boxes.key_of(self.seed, *context, sealed=sealed, own=self.box_secret)

    @property
    def is_held(self) -> bool:
        """True if all are asked to resume from the last step on which they agree."""
        return self.offer is not None and self.offer.kind == COMMON

    def seats_of(self, terminal: int | None) -> Seats:
        return self.roster.terminals[terminal].seats if terminal is not None else SPECTATOR

    def is_gone(self, terminal: int | None) -> bool:
        return any(one == terminal for one, _ in self.gone)

    def judge(self, seat: Seat) -> int:
        """Return the terminal that checks a seat's clock: the host, for its own seats the next."""
        if self.roster.players[seat] != self.host:
            return self.host
        return next((one for one in self.here if one != self.host), 1)

    def has_chosen(self, seat: Seat) -> bool:
        """True if the seat has made its choice of a simultaneous step."""
        return any(choice.seat == seat for choice in self.waiting)

    def own_choice(self, choice: SeatChoice) -> Own:
        """Return the opening of our own hidden choice; raise Foul if it was not made here."""
        for own in self.secrets.own:
            if own.commitments == choice.commitments:
                return own
        raise Foul(choice.author, "a choice in our name that was not made here")

    def known_step(self, choice: SeatChoice) -> Step:
        """Return the step that was chosen, in full if it was chosen here."""
        is_ours = choice.commitments and choice.author == self.me
        return self.own_choice(choice).step if is_ours else choice.step
