"""Who begins: by lot or by seat; in a rematch the loser or the next seat."""

from __future__ import annotations

from collections.abc import Sequence
from random import SystemRandom

from kumite.core import results
from kumite.core.game import Game, Seat, Setup
from kumite.core.log import End, outcome_end
from kumite.core.match import Match
from kumite.tui.scenes.about import about_game
from kumite.tui.scenes.tallies import tallies


def by_lot(names: Sequence[str]) -> tuple[str, ...]:
    drawn = list(names)
    SystemRandom().shuffle(drawn)
    return tuple(drawn)


def moved(names: Sequence[str], first: int) -> tuple[str, ...]:
    """Return the names by seat, rotated so that `first` has the first seat."""
    return (*names[first:], *names[:first])


def told(game: Game[object], names: Sequence[str]) -> str:
    """Return the roles: `ann lays the city; ben begins`, or `ann, cai: Zenko; ben, dan: Yako`."""
    found, by_role = about_game(game), dict[str, list[str]]()
    for name, role in zip(names, found.roles, strict=False):
        by_role.setdefault(role, []).append(name)
    colon = "" if found.has_first else ":"
    return "; ".join(f"{', '.join(who)}{colon} {role}" for role, who in by_role.items())


def asked(game: Game[object]) -> str:
    """Return the question before a rematch: `Who has seat 1 and lays the city?`"""
    return f"{' and '.join(('Who has seat 1', *about_game(game).roles[:1]))}?"


def has_partners(setup: Setup) -> bool:
    """Return whether several seats are on one side; a LAN rematch keeps them."""
    return len({setup.side_of(seat) for seat in range(setup.seats)}) < setup.seats


def loser(match: Match, end: End | None) -> Seat | None:
    """Return the loser, the one with the lowest score if there are several; None after a draw."""
    ended = outcome_end(match) or end
    if ended is None:
        return None
    if ended.kind in results.FORFEITS:
        return ended.seats[0]
    won = results.winners(match.setup, ended)
    lost = [Seat(seat) for seat in range(match.setup.seats) if seat not in won]
    scores = {one.seats[0]: one.score for one in tallies(match) if len(one.seats) == 1}
    return min(lost, key=lambda seat: scores.get(seat, 0)) if won and lost else None


def may_begin(match: Match, end: End | None, names: Sequence[str]) -> dict[int, str]:
    """Return who may begin a rematch, by seat, in words; only the next seat if nobody begins."""
    last = loser(match, end) if about_game(match.game).has_first else None
    found = {} if last is None else {int(last): f"{names[last]}, who has lost"}
    return found | ({} if last == 1 else {1: f"{names[1]}: the seats move on by one"})
