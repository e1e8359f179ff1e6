"""The first suggestion of the home screen, for players without an unfinished match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from kumite.core.games import NAMES
from kumite.core.players import BOT, bot_name
from kumite.store import practice, progress
from kumite.tui.lessons import LESSONS
from kumite.tui.scenes.about import about
from kumite.tui.scenes.sentences import counted
from kumite.tui.settings import Settings, own_names

if TYPE_CHECKING:
    from kumite.store.library import Kept, Library
    from kumite.store.record import Course

ENOUGH: Final = 3  # wins against a level after which the next is suggested
MANY: Final = 10  # from here on, wins are not told: only recent ones are known
LATELY: Final = 100  # most recent matches read of a game; this runs at every start


class Suggestion(NamedTuple):
    """A suggestion, in words: the most important part first."""

    kind: Literal["first", "learn", "match", "again", "daily"]  # first: nothing is known yet
    game: str
    said: tuple[str, ...]
    level: str = ""  # of the bot, for a match


@dataclass(frozen=True, slots=True)
class Past:
    """A player's history, as far as suggestions need it."""

    courses: Mapping[str, Course] = field(default_factory=dict)  # matches that count, by game
    last: str = ""  # the last game played; "": none
    lessons: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # tasks done, of how many
    due: Mapping[str, int] = field(default_factory=dict)  # puzzles due today
    is_solving: bool = False  # has solved puzzles, but none today
    levels: Sequence[str] = ()  # bot levels, weakest first
    helped: Mapping[str, Course] = field(default_factory=dict)  # matches with help, by game


def suggestion(past: Past, first: str) -> Suggestion | None:
    """Return a suggestion; `first` is the game that newcomers start with."""
    if not past.last and not past.lessons:
        return Suggestion(
            "first", first, (f"learn {about(first).name}", "its first steps, task by task")
        )
    for game, (done, count) in past.lessons.items():
        if done < count:
            said = f"the lessons of {about(game).name}", f"task {done + 1} of {count}"
            return Suggestion("learn", game, said)
    for game in dict.fromkeys((past.last, *past.lessons)):
        has_met = _met(past.courses.get(game))
        by_help = _won(past.helped.get(game))
        unbeaten = _unbeaten(past.courses.get(game), past.levels)
        helped = [level for level in unbeaten if level in by_help]
        if helped and (game == past.last or not has_met):
            return _match(past, game, helped[-1])
        if game in past.lessons and not has_met:
            is_new = not (past.courses.get(game) or past.helped.get(game))
            why = "your first match after the lessons" if is_new else ""
            return _match(past, game, past.levels[0], why)
    if found := _next_level(past):
        return found
    if past.due:
        game = max(past.due, key=lambda one: past.due[one])
        said = f"{counted(past.due[game], 'puzzle')} of {about(game).name}", "due again today"
        return Suggestion("again", game, said)
    if past.is_solving:
        return Suggestion("daily", "", ("the puzzle of the day", "the same for everyone"))
    level = weakest_unbeaten(past.courses.get(past.last), past.levels)
    return _match(past, past.last, level) if past.last and level else None


def weakest_unbeaten(course: Course | None, levels: Sequence[str]) -> str | None:
    return next(iter(_unbeaten(course, levels)), None)


def _unbeaten(course: Course | None, levels: Sequence[str]) -> list[str]:
    """Return the levels above the strongest one that was beaten."""
    won = _won(course)
    return [level for at, level in enumerate(levels) if not won.intersection(levels[at:])]


def _met(course: Course | None) -> dict[str, int]:
    """Return the wins against each level that was met."""
    opponents = course.opponents if course else {}
    return {
        name.removeprefix(BOT): one.won for name, one in opponents.items() if name.startswith(BOT)
    }


def _won(course: Course | None) -> frozenset[str]:
    return frozenset(level for level, won in _met(course).items() if won)


def _next_level(past: Past) -> Suggestion | None:
    """Suggest the next level if one was beaten often enough and no higher one was met."""
    met = _met(past.courses.get(past.last))
    beaten = [at for at, level in enumerate(past.levels) if met.get(level, 0) >= ENOUGH]
    if not beaten or not (higher := past.levels[beaten[-1] + 1 :]) or {*higher} & met.keys():
        return None
    level = past.levels[beaten[-1]]
    often = f"{met[level]} times" if met[level] < MANY else "many times"
    return _match(past, past.last, higher[0], f"{bot_name(level)} is beaten {often}")


def _match(past: Past, game: str, level: str, why: str = "") -> Suggestion:
    is_helped = level in _won(past.helped.get(game))
    why = why or ("won with help, now without" if is_helped else "not beaten yet")
    return Suggestion("match", game, (f"{about(game).name} against {bot_name(level)}", why), level)


# --- what is known of a person ---------------------------------------------------------------


class NextUp(NamedTuple):
    """What comes next: the match to go on with, else a suggestion."""

    unfinished: Kept | None
    game: str  # the last one played, or ""
    suggestion: Suggestion | None


def next_up(library: Library, settings: Settings) -> NextUp:
    """Return what comes next by the matches that `library` has read."""
    played = library.all()
    is_open = (  # a LAN table counts even before its first step
        one for one in played if library.can_go_on(one) and (one.is_begun or not one.is_local)
    )
    newest = next(is_open, None)
    last = max(played, key=lambda one: one.changed, default=None)
    game = last.game if last is not None and last.game in NAMES else ""
    if newest is not None:
        return NextUp(newest, game, None)
    return NextUp(None, game, suggested(played, game, NAMES[0], settings))


def of_game(kept: Iterable[Kept], game: str, settings: Settings) -> Suggestion | None:
    some = [one for one in kept if one.game == game]
    return suggested(some, game if some else "", game, settings, (game,))


def suggested(
    kept: Iterable[Kept], last: str, first: str, settings: Settings, games: Sequence[str] = NAMES
) -> Suggestion | None:
    """Return a suggestion; `last` is the last game played, or ""."""
    learnt = [game for game in games if progress.done(game)]
    if not last and not learnt:
        return suggestion(Past(), first)
    from kumite.core.bots import LISTED  # late: a newcomer's first screen does not need these
    from kumite.store.record import whole_record

    counted = {last, *learnt}
    some = sorted((one for one in kept if one.game in counted), key=lambda one: one.name)
    solved, today = practice.load(), date.today()
    played = whole_record(some[-LATELY:], own_names(settings))
    past = Past(
        played.courses,
        last,
        {game: _learnt(game) for game in learnt},
        {game: count for game, count in _due(solved, today).items() if game in games},
        bool(solved.known) and solved.last != today,
        LISTED,
        played.helped,
    )
    return suggestion(past, first)


def _learnt(game_id: str) -> tuple[int, int]:
    titles = {task.title for task in LESSONS[game_id].TASKS}
    return len(progress.done(game_id) & titles), len(titles)


def _due(kept: practice.Practice, today: date) -> Mapping[str, int]:
    """Return the number of due puzzles by game; puzzles are only loaded if any may be due."""
    if not any(one.due <= today for one in kept.known.values()):
        return {}
    from kumite.tui.puzzles.own import by_game

    counted = {
        game: len(kept.due((one.id for one in some), today)) for game, some in by_game().items()
    }
    return {game: count for game, count in counted.items() if count}
