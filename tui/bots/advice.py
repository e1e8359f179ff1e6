"""What a bot says of a position, for people: who is asked, what it is worth, why a step is good.

A bot is only ever asked as a seat that is to act, and given that seat's view. Pure; the thinking
itself is in service.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core import bots
from kumite.core.game import CHANCE, Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kumite.core.bots import Choice, Line, Position
    from kumite.core.game import Seats, Step
    from kumite.core.match import Match

    Called = Callable[[Step], str]

LEVEL: Final = "strong"  # who is asked
LEAST_SHARE: Final = 0.005  # of a lottery; less often than once in 200 times is not told
MOST_PLANNED: Final = 6  # steps of a winning turn that a hint names
MOST_TOLD: Final = 3  # steps of a lottery that a hint names


def asked_seat(match: Match, eyes: Seats | None) -> Seat | None:
    """Return who can be asked about the present: the first seat to act of those that look on.

    `eyes` None: of all seats. Nobody while chance acts or nobody does, and none whose view the
    match does not hold.
    """
    can_see = eyes if match.game.SECRETS is not None else None
    held = match.by if match.game.SECRETS is not None else None
    for actor in match.actors:
        if actor == CHANCE:
            continue
        is_seen = can_see is None or actor in can_see
        if is_seen and (held is None or actor in held):
            return Seat(int(actor))
    return None


def position_of(match: Match, seat: Seat) -> Position:
    """Return the present as the bot of a seat to act is given it: its view, and no more."""
    own = frozenset({seat})
    seen = match if match.by == own else match.seen_by(own)
    return bots.Position(match.game, seen.state, seat, seen.steps(), seen.legal(seat))


def worth(choice: Choice, *, is_mixed: bool) -> float | None:
    """Return the score that the seat to act can expect, 0 to 1; None: the bot has no opinion.

    A mixture is worth what its steps are worth together, whichever is drawn.
    """
    whole = sum(line.share for line in choice.lines)
    if is_mixed and whole:
        return sum(line.share * line.value for line in choice.lines) / whole
    return choice.value


def ranked(choice: Choice, *, is_mixed: bool) -> tuple[Line, ...]:
    """Return the steps compared, the best first; of a mixture the likeliest, rare ones left out."""
    if not is_mixed:
        return choice.lines
    lines = [line for line in choice.lines if line.share >= LEAST_SHARE]
    return tuple(sorted(lines, key=lambda line: (-line.share, line.step)))


def percent(value: float) -> str:
    """Return a score or a share as people say it: `62 %`."""
    return f"{round(100 * value)} %"


def standing(value: float) -> str:
    """Return a value in a word: `62 %`, or `won` and `lost` where that is certain."""
    return {1.0: "won", 0.0: "lost"}.get(value, percent(value))


def valued(value: float) -> str:
    """Return a value in words: `62 % to win`, `won`, `lost`."""
    said = standing(value)
    return f"{said} to win" if said.endswith("%") else said


def to_win(value: float, plan: Sequence[Step] = ()) -> str:
    """Return a value as people say it: `62 % to win`, or that it is certain.

    `plan` is the rest of a turn that wins.
    """
    if plan:
        return "wins in this turn"
    return {1.0: "wins by force", 0.0: "loses by force"}.get(value, f"{percent(value)} to win")


def planned(plan: Sequence[Step], called: Called = str) -> str:
    """Return the rest of a winning turn behind its first step: `then c7-d7, c8 and c7 pushing`."""
    rest = [called(step) for step in plan[1:]]
    more = [f"{len(rest) - MOST_PLANNED} more"] * (len(rest) > MOST_PLANNED)
    return f"then {', '.join([*rest[:MOST_PLANNED], *more])}" if rest else ""


def how_found(choice: Choice, *, is_mixed: bool, called: Called = str) -> str:
    """Say how a hint was found: `best of 7 looked at: 62 % to win, next e6 with 55 %`.

    Where the end is certain that is said, and how the turn goes on that brings it. `called` says
    what a step is called.
    """
    lines = ranked(choice, is_mixed=is_mixed)
    value = worth(choice, is_mixed=is_mixed)
    if value is None or not lines:
        return "the best at a glance"
    if is_mixed:
        return _said_of_lottery(lines, value, called)
    if value == 0.0:
        return "whatever is played loses by force"
    if value == 1.0:
        said = to_win(value, choice.plan)
        return ", ".join(filter(None, (said, planned(choice.plan, called))))
    if choice.step != lines[0].step:
        return f"{percent(value)} to win; {called(lines[0].step)} has {percent(lines[0].value)}"
    if len(lines) == 1:
        return f"{percent(value)} to win; the only one compared"
    following = lines[1]
    is_best = value >= following.value  # a search trusts more what it has looked at more
    how = f"best of {len(lines)} looked at" if is_best else f"looked at longest of {len(lines)}"
    after = f"{called(following.step)} with {percent(following.value)}"
    return f"{how}: {percent(value)} to win, next {after}"


def briefly(choice: Choice, *, is_mixed: bool = False) -> str:
    """Say what a hint is worth where there is no room to say how it was found: `62 % to win`."""
    if choice.value is None:
        return "the best at a glance"
    if is_mixed:
        share = next((line.share for line in choice.lines if line.step == choice.step), 1.0)
        return f"drawn by lot, {percent(share)} of the time"
    return to_win(choice.value, choice.plan)


def _said_of_lottery(lines: Sequence[Line], value: float, called: Called) -> str:
    shares = [f"{called(line.step)} ({percent(line.share)})" for line in lines[:MOST_TOLD]]
    if len(lines) > MOST_TOLD:
        shares.append(f"{len(lines) - MOST_TOLD} more")
    if len(lines) == 1:
        return f"always this one here: {to_win(value)}"
    return f"drawn by lot from {'; '.join(shares)}: {to_win(value)}"


def why_nobody(match: Match) -> str:
    """Say why nobody can be asked about the present."""
    if not match.actors:
        return "The match is over."
    if match.actors == (CHANCE,):
        return "There is nothing to choose: chance is next, or what is hidden is shown."
    return "A spectator does not know enough to judge for the seat to act."
