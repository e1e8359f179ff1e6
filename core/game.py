"""What a game is: the words all games share, and the interface a game's module satisfies.

A match is a game, a number of seats, options and a list of steps. A view is a position with holes
(`?`), and the rules run on it just as on a complete one (ARCHITECTURE.md tells why).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, NewType, Protocol, TypeAlias, TypeVar

from kumite.core.errors import BadNotation, BadSetup, KumiteError

if TYPE_CHECKING:
    from fractions import Fraction

Seat = NewType("Seat", int)
"""A place at the table, numbered from 0 in turn order."""
Step = NewType("Step", str)
"""The one text of a step: log, wire and keyboard share it. ASCII, no spaces."""
Chance: TypeAlias = Literal["*"]
Actor: TypeAlias = Seat | Chance
"""Who makes a step: a seat, or chance."""
Seats: TypeAlias = frozenset[Seat]
"""Whose eyes a view has: all seats of one terminal; empty is a spectator."""
Value: TypeAlias = str | int
Options: TypeAlias = Mapping[str, Value]
"""Every option of a game by name, with its value."""
Packed: TypeAlias = "int | str | bytes | tuple[Packed, ...]"
"""What the codec turns into canonical bytes."""

CHANCE: Final = "*"
HOLE: Final = "?"
SPECTATOR: Final[Seats] = frozenset()

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended by its rules: the winning seats, ascending (none: a draw), and why."""

    winners: tuple[Seat, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Option:
    """A named choice made before a match; `allowed` lists its values, `help` says what it does.

    People read `title` and, for each value, one of `words`; without them, `name` and the values.
    `seats` are those with which it does anything; (): all.
    """

    name: str
    default: Value
    allowed: tuple[Value, ...]
    help: str
    title: str = ""
    words: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()

    def matters(self, seats: int) -> bool:
        """Return whether it does anything in a match of so many seats."""
        return not self.seats or seats in self.seats

    def said(self, value: Value) -> str:
        """Return a value as people read it: `draw after 100 turns`."""
        words = dict(zip(self.allowed, self.words, strict=False)).get(value, str(value))
        name = self.title or self.name
        return f"{name[:1].lower()}{name[1:]} {words.partition(':')[0]}"  # behind it: what for


@dataclass(frozen=True, slots=True)
class Secrets:
    """How hidden cards and choices of a game come about, for tables without a trusted dealer.

    Each function takes a position, also a view (any one that knows what the public knows), that
    has chance to act. A chance step is one of three: it shows what seats have chosen in secret
    (`owed` names it), it draws a card from a shuffled deck (`drawn` names it), or else it is a
    coin that everybody may see fall.
    """

    deck: Callable[[Any], tuple[str, ...]]
    """Return the cards shuffled anew before this draw, equal ones as often as they are there; ()
    if it draws on from the deck that there is."""
    drawn: Callable[[Any, str], str]
    """Return the step that draws this card now (`?`: an unknown one); "" if no draw is due."""
    owed: Callable[[Any], tuple[tuple[Seat, int], ...]]
    """Return (seat, index) of what this step shows, in the order of `shown`: the index counts the
    `?` in the seat's last hidden step as others see it; () if it shows nothing."""
    shown: Callable[[Any, tuple[str, ...]], str]
    """Return the step that shows these pieces (`?`: one that is not known here)."""


class Game(Protocol[S]):
    """The interface of a game; a module satisfies it. `S` is its position, a frozen value.

    A position may be complete or a view; `apply` takes a text with `?` where a view has a hole.
    """

    @property
    def ID(self) -> str:
        """The name in commands and logs: lower case, ASCII."""

    @property
    def TITLE(self) -> str:
        """The name as people write it."""

    @property
    def RULES(self) -> int:
        """The version of the rules: raised when any legal step or result changes; in every log."""

    @property
    def SEATS(self) -> tuple[int, ...]:
        """How many may play, ascending."""

    @property
    def TEAMS(self) -> bool:
        """Whether every second seat is of one side: they win and lose together."""

    @property
    def OPTIONS(self) -> tuple[Option, ...]:
        """What is chosen before a match, in the order in which it is asked for."""

    @property
    def SECRETS(self) -> Secrets | None:
        """How its hidden cards and choices come about; None: it has none, nor any chance."""

    def start(self, seats: int, options: Options) -> S:
        """Return the first position; `seats` and `options` have been checked (see Setup)."""

    def setup_of(self, state: S) -> tuple[int, Options]:
        """Return the number of seats and the options that this position is played with."""

    def actors(self, state: S) -> tuple[Actor, ...]:
        """Name who is to act, ascending: seats (several choose at once) or chance; (): over."""

    def legal(self, state: S, actor: Actor) -> tuple[Step, ...]:
        """List every step `actor` may make, sorted as plain strings, each once; () if none.

        Raises:
            Hidden: the answer depends on a hole of this view.
        """

    def apply(self, state: S, actor: Actor, step: Step) -> S:
        """Return the position after `step`.

        Raises:
            IllegalStep: the rules forbid it now (the text is that of `why`).
            BadNotation: it is no step of this game.
        """

    def why(self, state: S, actor: Actor, step: Step) -> str:
        """Say in words of the rules why `step` is not legal; empty if it is."""

    def odds(self, state: S) -> Mapping[Step, Fraction]:
        """Return the probability of each legal step of chance; the sum is 1, {} if not to act.

        Raises:
            Hidden: they depend on a hole of this view.
        """

    def outcome(self, state: S) -> Outcome | None:
        """Return how the match ended, or None while it goes on."""

    def view(self, state: S, by: Seats) -> S:
        """Return what `by` know of the position."""

    def seen(self, state: S, actor: Actor, step: Step, by: Seats) -> Step:
        """Return `step`, legal in `state`, as `by` see it being made.

        `state` and `step` may be a view's, if it shows at least what `by` may see.

        Raises:
            IllegalStep: `step` has a hole where `by` would have seen what stands there.
        """

    def pack(self, state: S) -> Packed:
        """Return the position as nested tuples of ints, strings and bytes; equal if equal."""

    def unpack(self, packed: Packed) -> S:
        """Return the position that `pack` packed.

        Raises:
            BadData: nothing this game packs looks like that.
        """

    def text(self, state: S) -> str:
        """Return the canonical text of the position, lines without a final newline."""

    def parse(self, text: str) -> S:
        """Return the position whose canonical text is `text`.

        Raises:
            BadNotation: it is not one; the error names the line.
        """


@dataclass(frozen=True, slots=True)
class Setup:
    """What is settled before the first step: the game, how many seats, every option."""

    game: Game[Any]
    seats: int
    options: Options

    @staticmethod
    def of(game: Game[Any], seats: int | None = None, given: Options | None = None) -> Setup:
        """Check and complete a set-up; `seats` None takes the game's smallest number.

        Values given as text (a command line) are turned into the option's own kind.

        Raises:
            BadSetup: no such number of seats, option or value; the hint lists what there is.
        """
        wanted = game.SEATS[0] if seats is None else seats
        if type(wanted) is not int or wanted not in game.SEATS:
            raise BadSetup(
                f"{game.ID} cannot be played by {wanted!r}",
                hint=f"seats: {', '.join(map(str, game.SEATS))}",
            )
        known = {option.name: option for option in game.OPTIONS}
        values: dict[str, Value] = {name: option.default for name, option in known.items()}
        for name, value in (given or {}).items():
            if name not in known:
                raise BadSetup(
                    f"{game.ID} has no option {name!r}",
                    hint=f"options: {', '.join(known) or 'none'}",
                )
            values[name] = _allowed(game.ID, known[name], value)
        return Setup(game, wanted, MappingProxyType(values))

    def side_of(self, seat: int) -> int:
        """Return which side a seat plays for: of two in a game of teams, else its own."""
        return seat % 2 if self.game.TEAMS else seat


def _allowed(game_id: str, option: Option, value: Value) -> Value:
    for allowed in option.allowed:
        if value == str(allowed) or (type(value) is type(allowed) and value == allowed):
            return allowed
    raise BadSetup(
        f"{game_id}: option {option.name} cannot be {value!r}",
        hint=f"{option.name}: {', '.join(map(str, option.allowed))}",
    )


def pieces(step: str, masked: str) -> tuple[str, ...]:
    """Return what stands in `step` where `masked` has a `?`: of `?+shield`, `b4+shield`: `b4`.

    Raises:
        BadNotation: it is not the same step.
    """
    found = re.fullmatch("(.+)".join(map(re.escape, masked.split(HOLE))), step)
    if found is None:
        raise BadNotation(f"{step} cannot be seen as {masked}")
    return found.groups()


def parse_actor(text: str) -> Actor:
    """Return the actor that a log or the command line writes as `0` or `*`.

    Raises:
        KumiteError: neither a seat nor `*`.
    """
    if text == CHANCE:
        return CHANCE
    if len(text) < 10 and text.isascii() and text.isdigit() and str(int(text)) == text:
        return Seat(int(text))
    raise KumiteError(f"{text!r} is no actor", hint="a seat number, or * for chance")


def same_text(game_id: str, said: str, canonical: str) -> None:
    """Check that a position's text is the canonical one; spaces at line ends do not count.

    Raises:
        BadNotation: the first line that differs, with what was expected there.
    """
    found = [line.rstrip() for line in said.strip("\n").split("\n")]
    wanted = [line.rstrip() for line in canonical.split("\n")]
    for number, (is_, should) in enumerate(zip_longest(found, wanted, fillvalue=""), start=1):
        if is_ != should:
            raise BadNotation(
                f"{game_id}: line {number} of the position is {is_!r}", hint=f"expected {should!r}"
            )
