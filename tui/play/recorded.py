"""A player's record as text: each game's rating, its curve and the results. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final

from kumite.core.bots.levels import LEVELS, LISTED, NAMED
from kumite.core.game import HOLE, Step
from kumite.core.games import GAMES
from kumite.core.players import BOT, bot_name, shown_name
from kumite.core.rating import Rating
from kumite.store import record
from kumite.tui.drawing.honours import rated, with_medals
from kumite.tui.drawing.pixels import Brush
from kumite.tui.drawing.timeline import timeline
from kumite.tui.look.glyphs import LETTERS, Look
from kumite.tui.scenes.lines import SHORTEST_NAME, Line, Span, fit, width, wrap, wrapped
from kumite.tui.scenes.maker import maker_of
from kumite.tui.scenes.sentences import counted

if TYPE_CHECKING:
    from kumite.store.practice import Practice

NO_PICTURES: Final = Brush(has_pictures=False)
ROWS: Final = ((10, 1), (6, 2), (3, 3))  # (wins in a row, place of the metal) pairs
CURVE: Final = 48  # most columns of a curve
BAR: Final = 20  # most columns of a bar
FACTS: Final = 50  # columns of what stands before and behind it
MEDALS: Final = 4  # most medals of a game
MOST: Final = 5  # opponents and openings listed
NAME: Final = 24  # columns of a name

BROAD: Final = 78  # columns of a sentence

MORE_NAMES: Final = "Other names of yours can be told in the settings; then they count as well."
NOTHING: Final = "No match of yours yet: each finished one stands here, won, lost or given up."
TO_WIN: Final = "Medals are for wins in a row, and for each level of bots that you beat:"
UNRATED: Final = "No rated match yet: play one without hints and without taking back."
WHY: Final = {  # reasons for leaving out a match, the most surprising first
    record.HELPED: "with a hint, or with a step taken back",
    record.BRANCHED: "that went on from another one",
    record.ALONE: "with you in several seats",
    record.NOBODY: "in which nobody has a name of yours",
    record.UNDECIDED: "without a result",
    record.DAMAGED: "with a damaged log",
    record.UNFINISHED: "without an end",
}


def record_lines(
    found: record.Record,
    names: Sequence[str] = (),
    look: Look = LETTERS,
    brush: Brush = NO_PICTURES,
    columns: int = BROAD,
) -> tuple[Line, ...]:
    """Return the record, most played game first; if it is empty, say which names count.

    With pictures, a game has its crest, a curve and medals in these columns.
    """
    lines: list[Line] = []
    courses, left_out, helped = found
    if not courses:
        whose = f"Counted are matches in which you are called {' or '.join(names)}."
        said_of = [UNRATED if helped else NOTHING, *[whose, MORE_NAMES] * bool(names)]
        lines += [((said, "quiet"),) for said in said_of]
        if brush.has_pixels:
            rows = [(f"{row} in a row", metal) for row, metal in ROWS]
            lines += [(), ((TO_WIN, ""),), (), *with_medals((), rows, 0, columns)]
    for game_id, course in sorted(courses.items(), key=lambda one: -one[1].all.matches):
        lines += [()] * bool(lines)
        head: list[Line] = [((GAMES[game_id].TITLE, "title"),), _rating(course), _all(course)]
        bar = min(BAR, columns - FACTS)
        tallies = _tallies(game_id, course, look, bar)
        points = [one.rating.points for one in course.ratings]
        if brush.has_pixels:
            lines += rated(head, points, f"crest-{game_id}", brush, columns)
            lines += with_medals(tallies, medals(course), FACTS + bar, columns)
        else:
            lines += [*head, *[curve(points, look.heights)] * (len(points) > 1), *tallies]
    if helped:
        lines += [(), *wrapped(_helped(helped), BROAD)]
    others = {why: left_out[why] for why in left_out if not (helped and why == record.HELPED)}
    if any(others.values()):
        lines += [(), *wrapped(_left_out(others), BROAD, "quiet")]
    return tuple(lines)


def puzzle_lines(practice: Practice, today: date) -> tuple[Line, ...]:
    """Return a summary of the puzzles; () if none was tried."""
    tried = len(practice.known)
    if not tried:
        return ()
    solved = sum(one.memory.times > 0 for one in practice.known.values())
    said = f"{counted(tried, 'puzzle')} tried, {solved} solved at the first try"
    row = f"{practice.row} in a row; {practice.longest} at best"
    days = practice.days_at(today - timedelta(days=1))
    row += f"; on {days} days running" * (days > 1)
    more = [((row, ""),)] * bool(practice.longest)
    return (("Puzzles", "title"),), ((said, ""),), *more


def _helped(helped: Mapping[str, record.Course]) -> str:
    found = [
        f"{GAMES[game_id].TITLE} {course.all.won} of {course.all.matches} won"
        for game_id, course in helped.items()
    ]
    return f"With hints or steps taken back, and not rated: {'; '.join(found)}."


def _left_out(left_out: Mapping[str, int]) -> str:
    found = [(left_out[why], words) for why, words in WHY.items() if left_out.get(why)]
    (first, words), *rest = found
    said = [
        f"{counted(first, 'match', 'matches')} {words}",
        *(f"{count} {more}" for count, more in rest),
    ]
    return f"Not counted: {'; '.join(said)}."


def record_data(courses: Mapping[str, record.Course]) -> dict[str, Any]:
    """Return the record as plain values for `--json`."""
    return {
        game_id: {
            **_tally_data(course.all),
            "rating": _rating_data(course.rating),
            "streak": course.streak,
            "longest": course.longest,
            "opponents": {name: _tally_data(one) for name, one in course.opponents.items()},
            "seats": {str(seat + 1): _tally_data(one) for seat, one in course.seats.items()},
            "openings": {first: _tally_data(one) for first, one in course.openings.items()},
            "ratings": [
                {"when": when.isoformat(), **_rating_data(rating)}
                for when, rating in course.ratings
            ],
        }
        for game_id, course in courses.items()
    }


def _tally_data(tally: record.Tally) -> dict[str, float]:
    rounded = {"points": round(tally.points, 4), "seconds": round(tally.seconds)}
    return {"matches": tally.matches, **asdict(tally), **rounded}


def _rating_data(rating: Rating) -> dict[str, float]:
    return {"points": round(rating.points, 1), "deviation": round(rating.deviation, 1)}


def medals(course: record.Course) -> list[tuple[str, int]]:
    """Return medals for the longest row of wins and the strongest levels that were beaten."""
    names = [NAMED.get(name, name) for name in map(_level, course.opponents)]
    beaten = [
        int(name)
        for name, tally in zip(names, course.opponents.values(), strict=True)
        if tally.won and name in LEVELS
    ]
    given = [(bot_name(LISTED[one - 1]), 3 - (one - 1) * 3 // 8) for one in sorted(beaten)]
    row = course.longest
    metal = next((place for least, place in ROWS if row >= least), 0)
    return [*[(f"{row} in a row", metal)] * bool(metal), *given[::-1]][:MEDALS]


def _level(name: str) -> str:
    return name.removeprefix(BOT) if name.startswith(BOT) else ""


def _opening(game_id: str, turn: str) -> str:
    """Return a turn in the game's words; secrets of others stay signs."""
    name = maker_of(game_id).step_name
    return ", ".join(one if one == HOLE else name(Step(one)) for one in turn.split())


def _tallies(game_id: str, course: record.Course, look: Look, bar: int) -> list[Line]:
    by_name = {shown_name(name): tally for name, tally in course.opponents.items()}
    by_seat = {f"seat {seat + 1}": tally for seat, tally in sorted(course.seats.items())}
    lines = _listed("Against", by_name, look, bar)
    if len(by_seat) > 1:
        lines += _listed("From", by_seat, look, bar)
    often = {
        _opening(game_id, first): tally
        for first, tally in course.openings.items()
        if tally.matches > 1
    }
    return lines + _listed("Opening with", often, look, bar)


def _rating(course: record.Course) -> Line:
    low, high = course.rating.range
    said = "" if course.rating.is_settled else ", still a guess"
    points = f"{course.rating.points:.0f}"
    minutes = max(1, round(course.all.seconds / course.all.matches / 60))
    each = counted(minutes, "minute")
    told = f"  between {low} and {high}{said}; matches of about {each}"
    return (("Rating ", ""), (points, "key"), (told, "quiet"))


def _all(course: record.Course) -> Line:
    tally, streak = course.all, course.streak
    said = f"{counted(tally.matches, 'match', 'matches')}: {tally.won} won, "
    said += f"{tally.shared} shared, " * bool(tally.shared) + f"{tally.lost} lost"
    if streak > 1:
        said += f"; {streak} wins in a row"
    if course.longest > max(streak, 1):
        said += f"; the longest row was {course.longest}"
    return ((said, ""),)


def curve(points: Sequence[float], steps: str) -> Line:
    """Return a one-row curve, with its lowest and highest value beside it."""
    low, high = min(points), max(points)
    span = max(high - low, 1.0)

    def draw(some: range) -> Span:
        mean = sum(points[at] for at in some) / len(some)
        return steps[min(int((mean - low) / span * len(steps)), len(steps) - 1)], "key"

    drawn = timeline(len(points), CURVE, draw)
    return (*drawn, (f"  {low:.0f} to {high:.0f}", "quiet"))


def _listed(head: str, tallies: Mapping[str, record.Tally], look: Look, bar: int) -> list[Line]:
    """Return a row for each of the most frequent: a bar of the points won, and the matches."""
    found = sorted(tallies.items(), key=lambda one: (-one[1].matches, one[0]))[:MOST]
    room = max(len("Opening with"), len(head)) + 1
    named = max(SHORTEST_NAME, NAME + min(0, bar))  # less than no room for a bar: names give way
    return [
        (
            (fit(head if number == 0 else "", room), "quiet"),
            (f"{fit(_short(name, named), named)} ", ""),
            *_bar(tally, look, bar),
            (f" {tally.points / tally.matches:>4.0%} of {tally.matches}", ""),
        )
        for number, (name, tally) in enumerate(found)
    ]


def _bar(tally: record.Tally, look: Look, columns: int) -> tuple[Span, ...]:
    full, empty = look.thick[1], look.frame[1]
    size = round(columns * tally.points / tally.matches)
    return (full * size, "gain"), (empty * (columns - size), "quiet")


def _short(name: str, columns: int) -> str:
    return name if width(name) <= columns else f"{wrap(name, columns - 4)[0]} ..."
