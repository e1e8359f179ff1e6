"""What comes next for a person who has nothing unfinished: the home screen's first offer. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from kumite.core.players import BOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kumite.store.record import Course

ENOUGH: Final = 3  # wins against a level, after which the next one is offered
MANY: Final = 10  # wins that are not counted any more


class Offer(NamedTuple):
    """What is offered, and in words, the weightiest part first."""

    kind: Literal["learn", "match", "again", "daily"]
    game: str
    said: tuple[str, ...]
    level: str = ""  # of the bot, in a match


@dataclass(frozen=True, slots=True)
class Past:
    """What a person has done so far."""

    courses: Mapping[str, Course] = field(default_factory=dict)  # matches that count, by game
    last: str = ""  # the game that was played last; empty: none was
    lessons: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # tasks done, of how many
    due: Mapping[str, int] = field(default_factory=dict)  # puzzles to be asked again today
    is_solving: bool = False  # puzzles were solved before, and none today
    levels: Sequence[str] = ()  # of bots, the weakest first


def offer(past: Past, first: str, titles: Mapping[str, str]) -> Offer | None:
    """Return what comes next; `first` is the game that a newcomer begins with."""
    found = (
        _newcomer(past, first, titles)
        or _lesson(past, titles)
        or _first_match(past, titles)
        or _next_level(past, titles)
        or _puzzle(past, titles)
    )
    return found or _unbeaten(past, titles)


def weakest_unbeaten(course: Course | None, levels: Sequence[str]) -> str | None:
    """Return the weakest level that has not been beaten yet, None if all have been."""
    won = {name for name, one in course.opponents.items() if one.won} if course else set()
    return next((level for level in levels if f"{BOT}{level}" not in won), None)


def _newcomer(past: Past, first: str, titles: Mapping[str, str]) -> Offer | None:
    if past.last or past.lessons:
        return None
    return Offer("learn", first, (f"learn {titles[first]}", "its first steps, task by task"))


def _lesson(past: Past, titles: Mapping[str, str]) -> Offer | None:
    for game, (done, count) in past.lessons.items():
        if done < count:
            said = f"the lessons of {titles[game]}", f"task {done + 1} of {count}"
            return Offer("learn", game, said)
    return None


def _first_match(past: Past, titles: Mapping[str, str]) -> Offer | None:
    """Offer a match in what has been learnt and not been played against a bot."""
    for game in past.lessons:
        if not _met(past.courses.get(game)):
            said = (
                f"{titles[game]} against bot {past.levels[0]}",
                "your first match after the lessons",
            )
            return Offer("match", game, said, past.levels[0])
    return None


def _met(course: Course | None) -> frozenset[str]:
    """Return the levels against which a match was played to its end."""
    names = course.opponents if course else ()
    return frozenset(name.removeprefix(BOT) for name in names if name.startswith(BOT))


def _next_level(past: Past, titles: Mapping[str, str]) -> Offer | None:
    """Offer the next level where one was beaten often enough, and the next was never met."""
    course = past.courses.get(past.last)
    if course is None:
        return None
    met = _met(course)
    beaten = [
        at for at, level in enumerate(past.levels)
        if level in met and course.opponents[f"{BOT}{level}"].won >= ENOUGH
    ]  # fmt: skip
    if not beaten or beaten[-1] + 1 >= len(past.levels) or {*past.levels[beaten[-1] + 1 :]} & met:
        return None
    level, wins = past.levels[beaten[-1]], course.opponents[f"{BOT}{past.levels[beaten[-1]]}"].won
    following = past.levels[beaten[-1] + 1]
    often = f"{wins} times" if wins < MANY else "many times"  # only the last matches are looked at
    said = f"{titles[past.last]} against bot {following}", f"bot {level} is beaten {often}"
    return Offer("match", past.last, said, following)


def _puzzle(past: Past, titles: Mapping[str, str]) -> Offer | None:
    if past.due:
        game = max(past.due, key=lambda one: past.due[one])
        count = past.due[game]
        said = f"{count} puzzle{'s' * (count > 1)} of {titles[game]}", "due again today"
        return Offer("again", game, said)
    if past.is_solving:
        return Offer("daily", "", ("the puzzle of the day", "the same for everybody"))
    return None


def _unbeaten(past: Past, titles: Mapping[str, str]) -> Offer | None:
    level = weakest_unbeaten(past.courses.get(past.last), past.levels)
    if not past.last or level is None:
        return None
    said = f"{titles[past.last]} against bot {level}", "not beaten yet"
    return Offer("match", past.last, said, level)
