"""Lessons: prepared positions with a task, judged by the rules.

A game's lessons are `TASKS` in the module `lessons` of its folder in tui/games, if it has one. May
import core and tui.scenes, but not Textual. Begin in judging.py, then see
tui/games/kuzushi/lessons.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Protocol

from kumite.core.games import NAMES
from kumite.core.lazy_modules import Modules

if TYPE_CHECKING:
    from kumite.tui.lessons.judging import Task


class Lesson(Protocol):
    """The interface of a game's module `lessons`."""

    @property
    def TASKS(self) -> tuple[Task, ...]: ...


LESSONS: Final[Mapping[str, Lesson]] = Modules("kumite.tui.games", "lessons", NAMES)
