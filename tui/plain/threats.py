"""Threats: steps of the opponents that would cost a player something. Pure functions.

The next turn of the others is looked at two steps deep, by the rules and the score alone: this is
what anybody could count, and no bot's advice.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from kumite.core.errors import Hidden
from kumite.core.game import CHANCE, Seat, Step
from kumite.core.match import Match
from kumite.tui import scenes
from kumite.tui.play import explained, narration
from kumite.tui.play.table_model import TableModel
from kumite.tui.scenes import tallies
from kumite.tui.scenes.sentences import counted

MOST: Final = 6  # threats told
LONGEST: Final = 16  # own steps until the turn is over
WIDEST: Final = 4000  # positions looked at


class Threat(NamedTuple):
    """A way of another seat: what it costs, its steps, and the position before the last of them."""

    wins: bool
    cost: int  # of score, of one's own or as a gain of theirs
    way: tuple[Step, ...]
    before: Match
    seat: Seat


def told(model: TableModel) -> Iterator[str]:
    """Yield the threats against the seat whose view is shown, the worst first."""
    you, names = model.you, model.table.shown_names
    if you is None:
        yield "Nobody's view is shown now."
        return
    own = [*model.makes.threats(model.seen.state, you, names)]
    if own:
        yield from own
        return
    quiet, at = _turn_over(model.seen, you)
    side = at.setup.side_of(you)
    others = [Seat(int(a)) for a in at.actors if a != CHANCE]
    others = [seat for seat in others if at.setup.side_of(seat) != side]
    if not any(_legal(at, seat) for seat in others):
        yield "What the others could do depends on what cannot be seen yet."
        return
    if quiet:
        said = ", ".join(narration.step_name(model.seen, step, names) for step in quiet)
        yield f"Suppose you end your turn with {said}:"
    found = [threat for seat in others for threat in _of(at, seat, you)]
    worst = max((threat.cost for threat in found if not threat.wins), default=0)
    found = [one for one in found if one.wins or 2 * one.cost >= worst]
    found.sort(key=lambda one: (not one.wins, -one.cost, len(one.way)))
    alike: dict[str, list[str]] = {}  # what is done, by what comes of it
    for one in found:
        head, _, merit = _said(one, names).partition(": ")
        alike.setdefault(merit, []).append(head)
    for merit, (head, *more) in [*alike.items()][:MOST]:
        who = f"{head.split(' has ')[0]} has "
        rest = "".join(f" or {one.removeprefix(who)}" for one in more)
        yield f"{head}{rest}{': ' * bool(merit)}{merit}."
    if len(alike) > MOST:
        yield f"And {counted(len(alike) - MOST, 'lesser one')}."
    if not found:
        yield "Nothing that the others could do within two steps costs you anything."


def _turn_over(match: Match, you: Seat) -> tuple[list[Step], Match]:
    """Return the plainest steps that end a seat's turn, and the position after them."""
    makes, made = scenes.maker(match), list[Step]()
    while you in match.actors and len(made) < LONGEST:
        ending, legal = makes.ending(match.state, you), match.legal(you)
        plain = (step for step in legal if not makes.why_good(match.state, you, step))
        step = ending if ending in legal else next(plain, legal[0])
        made.append(step)
        match = match.play(you, step)
    return made, match


def _legal(match: Match, seat: Seat) -> tuple[Step, ...]:
    try:
        return match.legal(seat)
    except Hidden:
        return ()


def _of(at: Match, seat: Seat, you: Seat) -> list[Threat]:
    """Return what costs `you` something, of all that `seat` could do in two steps."""
    once = [_threat(at, seat, you, (), step) for step in _legal(at, seat)]
    usual = min((one.cost for one in once), default=0)  # what any step brings costs nothing
    found = [one._replace(cost=one.cost - usual) for one in once if one.wins or one.cost > usual]
    if found:
        return found
    twice = (
        _threat(after, seat, you, one.way, step)
        for one in once
        if seat in (after := at.play(seat, one.way[0])).actors
        for step in after.legal(seat)
    )
    return [one for one in islice(twice, WIDEST) if one.wins or one.cost > max(0, usual)]


def _threat(before: Match, seat: Seat, you: Seat, way: tuple[Step, ...], step: Step) -> Threat:
    after, setup = before.play(seat, step), before.setup
    outcome = after.outcome
    wins = outcome is not None and seat in outcome.winners and you not in outcome.winners
    was, now = tallies.tallies(before), tallies.tallies(after)
    cost = 0
    for old, new in zip(was, now, strict=True):
        is_theirs = setup.side_of(seat) == setup.side_of(Seat(old.seats[0]))
        is_yours = setup.side_of(you) == setup.side_of(Seat(old.seats[0]))
        cost += (new.score - old.score) * (is_theirs - is_yours)
    return Threat(wins, cost, (*way, step), before, seat)


def _said(threat: Threat, names: tuple[str, ...]) -> str:
    first, last = threat.way[:-1], threat.way[-1]
    called = [narration.step_name(threat.before, step, names) for step in (*first[:1], last)]
    good = explained.merit(threat.before, threat.seat, last, names)
    return f"{names[threat.seat]} has {', then '.join(called)}{': ' * bool(good)}{good}"
