"""The types that all games share, and the interface of a game's module.

A match is a game, a number of seats, options and a list of steps. A view is a position with holes
(`?`); the rules run on it as on a complete one (see ARCHITECTURE.md).
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
"""A player's place, numbered from 0 in turn order."""
Step = NewType("Step", str)
"""The notation of a step, the same in logs, messages and input. ASCII, no spaces."""
Chance: TypeAlias = Literal["*"]
Actor: TypeAlias = Seat | Chance
"""The maker of a step: a seat, or chance."""
Seats: TypeAlias = frozenset[Seat]
"""The seats whose information a view contains; empty for a spectator."""
Value: TypeAlias = str | int
Options: TypeAlias = Mapping[str, Value]
"""Every option of a game by name, with its value."""
Packed: TypeAlias = "int | str | bytes | tuple[Packed, ...]"
"""The values that the codec encodes."""

CHANCE: Final = "*"
HOLE: Final = "?"
SPECTATOR: Final[Seats] = frozenset()

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The winning seats by the rules, ascending (none: a draw), and the reason."""

    winners: tuple[Seat, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Option:
    """A named choice made before a match; `allowed` lists its values, `help` explains it.

    `title` and `words` (one for each value) are shown to players; they default to `name` and the
    values. `seats` lists the numbers of seats for which the option has an effect; (): all.
    """

    name: str
    default: Value
    allowed: tuple[Value, ...]
    help: str
    title: str = ""
    words: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()

    def matters(self, seats: int) -> bool:
        """Return True if the option has an effect in a match of this many seats."""
        return not self.seats or seats in self.seats

    def said(self, value: Value) -> str:
        """Return a value as players read it: `draw after 100 turns`."""
        words = dict(zip(self.allowed, self.words, strict=False)).get(value, str(value))
        name = self.title or self.name
        return f"{name[:1].lower()}{name[1:]} {words.partition(':')[0]}"  # drop the explanation


@dataclass(frozen=True, slots=True)
class Secrets:
    """How hidden cards and choices arise, for tables without a trusted dealer.

    Each function takes a position in which chance acts; any view with all public information will
    do. A chance step is one of three: it reveals secret choices of seats (`owed` names them), draws
    a card from a shuffled deck (`drawn` names it), or is a public coin toss.
    """

    deck: Callable[[Any], tuple[str, ...]]
    """Return the cards to shuffle before this draw, with duplicates; () to keep drawing from the
    current deck."""
    drawn: Callable[[Any, str], str]
    """Return the step that draws this card now (`?` if unknown); "" if no draw is due."""
    owed: Callable[[Any], tuple[tuple[Seat, int], ...]]
    """Return (seat, index) of each piece that this step reveals, in the order of `shown`; the index
    counts the `?` in the public form of the seat's last hidden step. () if it reveals nothing."""
    shown: Callable[[Any, tuple[str, ...]], str]
    """Return the step that reveals these pieces (`?` if unknown here)."""


class Game(Protocol[S]):
    """The interface of a game, satisfied by a module. `S` is its position, a frozen value.

    A position may be complete or a view; `apply` takes a step with `?` where a view has a hole.
    """

    @property
    def ID(self) -> str:
        """The name in commands and logs: lower case, ASCII."""

    @property
    def TITLE(self) -> str:
        """The name as displayed."""

    @property
    def RULES(self) -> int:
        """The version of the rules: raised when any legal step or result changes; in every log."""

    @property
    def SEATS(self) -> tuple[int, ...]:
        """The possible numbers of seats, ascending."""

    @property
    def TEAMS(self) -> bool:
        """True if even and odd seats form two sides that win and lose together."""

    @property
    def OPTIONS(self) -> tuple[Option, ...]:
        """The options, in the order in which they are asked for."""

    @property
    def SECRETS(self) -> Secrets | None:
        """How hidden cards and choices arise; None without hidden information and chance."""

    def start(self, seats: int, options: Options) -> S:
        """Return the first position; `seats` and `options` have been checked (see Setup)."""

    def setup_of(self, state: S) -> tuple[int, Options]:
        """Return the number of seats and the options of this position."""

    def actors(self, state: S) -> tuple[Actor, ...]:
        """Return who acts, ascending: seats (several choose at once) or chance; () at the end."""

    def legal(self, state: S, actor: Actor) -> tuple[Step, ...]:
        """Return every step `actor` may make, sorted as strings, without duplicates.

        Raises:
            Hidden: the answer depends on a hole of this view.
        """

    def apply(self, state: S, actor: Actor, step: Step) -> S:
        """Return the position after `step`.

        Raises:
            IllegalStep: the rules forbid it now (with the text of `why`).
            BadNotation: it is not a step of this game.
        """

    def why(self, state: S, actor: Actor, step: Step) -> str:
        """Return the rule that forbids `step`, as a sentence; empty if it is legal."""

    def odds(self, state: S) -> Mapping[Step, Fraction]:
        """Return the probability of each legal chance step, summing to 1; {} if none is due.

        Raises:
            Hidden: they depend on a hole of this view.
        """

    def outcome(self, state: S) -> Outcome | None:
        """Return the outcome, or None during the match."""

    def view(self, state: S, by: Seats) -> S:
        """Return the position as `by` know it."""

    def seen(self, state: S, actor: Actor, step: Step, by: Seats) -> Step:
        """Return `step`, legal in `state`, as `by` see it.

        `state` and `step` may come from a view that shows at least what `by` may see.

        Raises:
            IllegalStep: `step` has a hole that `by` could see.
        """

    def pack(self, state: S) -> Packed:
        """Return the position as nested tuples of ints, strings and bytes; equal if equal."""

    def unpack(self, packed: Packed) -> S:
        """Return the position that `pack` packed.

        Raises:
            BadData: not a packed position of this game.
        """

    def text(self, state: S) -> str:
        """Return the canonical text of the position, without a final newline."""

    def parse(self, text: str) -> S:
        """Return the position whose canonical text is `text`.

        Raises:
            BadNotation: it is not one; the error names the line.
        """


@dataclass(frozen=True, slots=True)
class Setup:
    """The fixed parameters of a match: the game, the number of seats, every option."""

    game: Game[Any]
    seats: int
    options: Options

    @staticmethod
    def of(game: Game[Any], seats: int | None = None, given: Options | None = None) -> Setup:
        """Check and complete a setup; `seats` None selects the game's smallest number.

        Values given as text (from a command line) are converted to the option's type.

        Raises:
            BadSetup: no such number of seats, option or value; the hint lists the valid ones.
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
        """Return the side of a seat: 0 or 1 in a team game, else the seat itself."""
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
    """Return the parts of `step` that `masked` hides with `?`: `b4` for `b4+shield`, `?+shield`.

    Raises:
        BadNotation: they are not the same step.
    """
    found = re.fullmatch("(.+)".join(map(re.escape, masked.split(HOLE))), step)
    if found is None:
        raise BadNotation(f"{step} cannot be seen as {masked}")
    return found.groups()


def parse_actor(text: str) -> Actor:
    """Return the actor that logs and commands write as `0` or `*`.

    Raises:
        KumiteError: neither a seat nor `*`.
    """
    if text == CHANCE:
        return CHANCE
    if len(text) < 10 and text.isascii() and text.isdigit() and str(int(text)) == text:
        return Seat(int(text))
    raise KumiteError(f"{text!r} is not an actor", hint="a seat number, or * for chance")


def read_lines(game_id: str, said: str, *forms: tuple[str, str]) -> list[tuple[str, ...]]:
    """Return what the groups of a pattern match on each of the first lines of a position's text.

    A form is a pattern and an example of its line; groups that match nothing are empty.

    Raises:
        BadNotation: with the first line that does not match, and the example as its hint.
    """
    lines = said.strip("\n").split("\n")
    found = []
    for number, (pattern, example) in enumerate(forms):
        line = lines[number].rstrip() if number < len(lines) else ""
        match = re.fullmatch(pattern, line, re.ASCII)
        if match is None:
            raise BadNotation(
                f"{game_id}: line {number + 1} of the position is {line!r}",
                hint=f"expected a line like `{example}`",
            )
        found.append(match.groups(""))
    return found


def same_text(game_id: str, said: str, canonical: str) -> None:
    """Check that a position's text is canonical, ignoring spaces at line ends.

    Raises:
        BadNotation: with the first line that differs, and the expected text as its hint.
    """
    found = [line.rstrip() for line in said.strip("\n").split("\n")]
    wanted = [line.rstrip() for line in canonical.split("\n")]
    for number, (is_, should) in enumerate(zip_longest(found, wanted, fillvalue=""), start=1):
        if is_ != should:
            raise BadNotation(
                f"{game_id}: line {number} of the position is {is_!r}", hint=f"expected {should!r}"
            )
