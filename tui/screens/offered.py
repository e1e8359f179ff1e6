"""The home screen's first offer: what is known of a person, and where the offer leads."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError
from kumite.core.games import NAMES
from kumite.store import practice, progress
from kumite.tui.play.offering import Past, offer
from kumite.tui.scenes.about import about
from kumite.tui.settings import own_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from textual.screen import Screen

    from kumite.store.library import Kept
    from kumite.tui.play.offering import Offer
    from kumite.tui.shell import Shell

LATELY: Final = 100  # matches of a game, the newest, that are looked at: this is at every start


def offered(kept: Iterable[Kept], last: str, first: str, shell: Shell) -> Offer | None:
    """Return what comes next; `last` is the game that was played last, or empty."""
    learnt = [game for game in NAMES if progress.done(game)]
    names = {game: about(game).name for game in NAMES}
    if not last and not learnt:
        return offer(Past(), first, names)
    from kumite.core.bots import LISTED  # late: a newcomer's first screen needs none of it
    from kumite.core.bots.anchors import ANCHORS
    from kumite.store.record import record

    counted = {last, *learnt}
    some = sorted((one for one in kept if one.game in counted), key=lambda one: one.name)
    solved, today = practice.load(), date.today()
    past = Past(
        record(some[-LATELY:], own_names(shell.settings), ANCHORS),
        last,
        {game: _lessons(game) for game in learnt},
        _due(solved, today),
        bool(solved.known) and solved.last != today,
        LISTED,
    )
    return offer(past, first, names)


def screen_of(found: Offer, shell: Shell) -> Screen[None]:
    """Return where an offer leads.

    Raises:
        KumiteError: the log of a match cannot be written, or there is no puzzle.
    """
    if found.kind == "learn":
        from kumite.tui.screens.lessons import LessonsScreen

        return LessonsScreen(found.game)
    if found.kind == "match":
        from kumite.tui.screens.lessons_after import screen_against

        return screen_against(found.game, found.level, shell)
    from kumite.tui.puzzles.model import daily
    from kumite.tui.screens.puzzle import PuzzleScreen, next_puzzle

    if found.kind == "daily":
        one = daily(date.today())
        if one is not None:
            return PuzzleScreen(one, "puzzle of the day")
    elif (one := next_puzzle(found.game)) is not None:
        return PuzzleScreen(one)
    raise KumiteError("there is no puzzle for today", hint="come back tomorrow")


def _lessons(game_id: str) -> tuple[int, int]:
    """Return how many tasks of a game have been done, and how many there are."""
    from kumite.tui.lessons import LESSONS

    titles = {task.title for task in LESSONS[game_id].TASKS}
    return len(progress.done(game_id) & titles), len(titles)


def _due(kept: practice.Practice, today: date) -> Mapping[str, int]:
    """Return how many puzzles are due by game; the puzzles are read only if anything may be."""
    if not any(one.due <= today for one in kept.known.values()):
        return {}
    from kumite.tui.puzzles.own import by_game

    counted = {
        game: len(kept.due((one.id for one in some), today)) for game, some in by_game().items()
    }
    return {game: count for game, count in counted.items() if count}
