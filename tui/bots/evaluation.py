"""The value curve of a match: what each position is worth to one seat.

Each position is judged as a seat that is to act, from that seat's view. Pure; judging.py runs
the bots, and store/evaluations.py caches the results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from math import ceil
from typing import Final, NamedTuple

from kumite.core import bots
from kumite.core.bots import Choice, Position
from kumite.core.game import CHANCE, Seat, Seats, Step
from kumite.core.match import Match
from kumite.store.evaluations import Judged, Origins
from kumite.tui.bots import advice
from kumite.tui.drawing.timeline import timeline
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.lines import Line, Span

PART: Final = 5  # each position gets at least 1/PART of the simulations of `strong`,
LONGEST: Final = 4  # in short matches up to this multiple,
WHOLE: Final = 120  # but a whole match at most this multiple
MOST_COMPARED: Final = 120  # steps of a position whose values are kept


class Question(NamedTuple):
    """A position to judge, the key under which the answer is cached, and the bot's seed."""

    key: str
    position: Position
    seed: str
    origins: Origins


def key_of(match: Match, seat: Seat) -> str:
    return f"{match.number}-{match.digest.hex()[:16]}-{seat}"


def question(match: Match, seat: Seat) -> Question:
    origins = () if match.game.SECRETS else tuple(_origins(match, seat))
    return Question(key_of(match, seat), Position.of(match, seat), match.digest.hex(), origins)


def _origins(match: Match, seat: Seat) -> Iterator[tuple[str, Step]]:
    """Yield the last choice of this seat, or of its only opponent, and what was forced since.

    A step may show secrets, and thus change a value without a mistake.
    """
    while match.before and match.last and match.last.actor != CHANCE:
        actor, step, match = Seat(int(match.last.actor)), match.last.step, match.before
        if actor == seat or match.setup.seats == 2:
            yield key_of(match, actor), step
        if len(match.legal(actor)) > 1:
            return


class Values:
    """The values of a match's positions for one seat, as far as they have been judged."""

    def __init__(self, match: Match, eyes: Seats | None, simulations: int | None = None) -> None:
        """Judge `match` in the view `eyes` (None: each position in the view of the seat to act)."""
        self.match, self.eyes = match, eyes
        game = match.game
        # The curve shows the values of the first seat in the view, or of seat 0.
        self.subject = min(eyes) if eyes and game.SECRETS is not None else Seat(0)
        self.line = match.line()
        self._own: dict[Seat, tuple[Match, ...]] = {}
        self.judged: dict[int, Judged] = {}
        self.simulations = simulations or simulations_of(match)

    # --- what is asked --------------------------------------------------------------------------

    @cached_property
    def asked(self) -> Mapping[int, Seat]:
        """Return the first seat to ask, by the number of each position that can be judged."""
        found = {}
        for number, match in enumerate(self.line):
            seat = advice.asked_seat(match, self.eyes)
            before = match.before.actors if match.before is not None else ()
            is_same_choice = len(before) > 1 and seat in before
            if seat is not None and not is_same_choice:
                found[number] = seat
        return found

    @property
    def left(self) -> tuple[int, ...]:
        """Return the positions not judged, or by fewer simulations."""
        known = {number: judged.looked for number, judged in self.judged.items()}
        return tuple(one for one in self.asked if known.get(one, -1) < self.simulations)

    def question(self, number: int) -> Question:
        seat = self.asked[number]
        if seat not in self._own:
            self._own[seat] = self.match.seen_by(frozenset({seat})).line()
        return question(self._own[seat][number], seat)

    # --- what it comes to -----------------------------------------------------------------------

    def known(self) -> dict[int, float]:
        """Return the subject's value at each position where it is known."""
        setup, found = self.match.setup, dict[int, float]()
        side, has_two = setup.side_of(self.subject), sides_of(self.match) == 2
        for number, judged in sorted(self.judged.items()):
            if judged.value is None:
                continue
            if setup.side_of(Seat(judged.seat)) == side:
                found[number] = judged.value
            elif has_two:
                found[number] = 1 - judged.value
        end = worth_at_end(self.match, self.subject)
        return found if end is None else found | {len(self.line) - 1: end}

    def curve(self) -> tuple[float | None, ...]:
        """Return the subject's value at each position; unknown values repeat the previous one.

        None where nothing is known yet or the position is still to be judged.
        """
        known, values = self.known(), []
        now: float | None = None
        for number in range(len(self.line)):
            is_due = number in self.asked and number not in self.judged
            now = known.get(number, None if is_due else now)
            values.append(now)
        return tuple(values)


def sides_of(match: Match) -> int:
    return len({match.setup.side_of(Seat(seat)) for seat in range(match.setup.seats)})


def worth_at_end(match: Match, seat: Seat) -> float | None:
    """Return a seat's score at the end of a match: 1, 0 or its share; None if it is not over."""
    if match.outcome is None:
        return None
    side_of = match.setup.side_of
    sides = {side_of(winner) for winner in match.outcome.winners}
    if not sides:
        return 1 / sides_of(match)
    return 1 / len(sides) if side_of(seat) in sides else 0.0


def simulations_of(match: Match) -> int:
    """Return the number of simulations for each position; short matches get more.

    This limits a whole match to about two minutes in plain Python. In Kuzushi and in Kitsu!, whose
    matches are short, searches of less than some seconds usually miss what a choice costs.
    """
    choices = sum(bool(one.actors) and one.actors[0] != CHANCE for one in match.line())
    part = min(LONGEST * PART, max(1, ceil(LONGEST * choices / WHOLE)))
    return max(1, LONGEST * bots.usual(advice.LEVEL, match.game.ID) // part)


def judgement(choice: Choice, seat: Seat, simulations: int, *, is_mixed: bool) -> Judged:
    """Return the part of a bot's choice that is kept; `simulations` were asked for.

    In a mixed choice, every step it may draw has the value of the mixture: none is an error.
    """
    best = advice.ranked(choice, is_mixed=is_mixed)
    value = advice.worth(choice, is_mixed=is_mixed)
    step = best[0].step if best else choice.step
    rare = tuple(line for line in choice.lines if line not in best)
    compared: tuple[tuple[Step, float], ...] = ()
    if value is not None:
        worths = [value if is_mixed else line.value for line in best]
        worths += [line.value for line in rare]
        compared = tuple(zip((line.step for line in (*best, *rare)), worths, strict=True))
    plan = next((line.plan for line in best if line.step == step), ())
    looked = choice.looked or simulations
    shares = tuple(line.share for line in (*best, *rare))[: len(compared[:MOST_COMPARED])]
    return Judged(int(seat), value, step, compared[:MOST_COMPARED], plan, looked, shares=shares)


def table(values: Values, names: Sequence[str], told: Sequence[str]) -> list[str]:
    lines = [f"step {'value':>6}  {'best':<20}  value to {names[values.subject]}"]
    for number, value in enumerate(values.curve()):
        worth = advice.standing(value) if value is not None else "?"
        judged = values.judged.get(number)
        best = judged.step if judged is not None else ""
        lines.append(f"{number:>4} {worth:>6}  {best:<20}  {told[number]}".rstrip())
    return lines


def curve_line(
    values: Sequence[float | None], marked: Mapping[int, object], at: int, columns: int, look: Look
) -> Line:
    wide = max(1, columns // max(1, len(values)))
    return _curve(values, marked, at, columns, lambda value: _height(value, look) * wide)


def curve_rows(
    values: Sequence[float | None],
    marked: Mapping[int, object],
    at: int,
    columns: int,
    rows: int,
    look: Look,
) -> list[Line]:
    """Return the values as an area chart, `rows` high and as wide as fits."""
    steps, wide = len(look.heights), max(1, columns // max(1, len(values)))

    def glyph(value: float | None, row: int) -> str:
        level = 0 if value is None else max(1, round(value * rows * steps))
        filled = min(steps, level - (rows - 1 - row) * steps)
        return look.heights[filled - 1] if filled > 0 else " "

    return [
        tuple(
            ("".join(one * wide for one in text), role)
            for text, role in _curve(values, marked, at, columns, partial(glyph, row=row))
        )
        for row in range(rows)
    ]


def _curve(
    values: Sequence[float | None],
    marked: Mapping[int, object],
    at: int,
    columns: int,
    glyph: Callable[[float | None], str],
) -> Line:
    """Return a row of a curve; the role of each column marks the position and costly choices."""

    def draw(here: range) -> Span:
        number = at if at in here else here[-1]
        role = "title" if at in here else "contested" if any(n in marked for n in here) else "quiet"
        return glyph(values[number]), role

    return timeline(len(values), columns, draw)


def _height(value: float | None, look: Look) -> str:
    if value is None:
        return " "
    return look.heights[min(len(look.heights) - 1, int(value * len(look.heights)))]
