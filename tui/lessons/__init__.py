"""Lessons: prepared positions with a task, judged by the rules themselves.

A game's lessons are the `TASKS` of the module of its name; a game without one has none. May import
core and tui.scenes, no Textual. Begin in model.py, which says what a task is made of, then in
kuzushi.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from kumite.core.games import NAMES
from kumite.core.registry import Modules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kumite.tui.lessons import kiriai, kitsu, kitsune, kumo, kuzushi
    from kumite.tui.lessons.model import Task

    # The type checker holds each module against the interface; nothing imports them here.
    _CHECKED: tuple[Lesson, ...] = (kitsu, kitsune, kumo, kuzushi, kiriai)


class Lesson(Protocol):
    """What the module of a game gives."""

    @property
    def TASKS(self) -> tuple[Task, ...]:
        """The tasks, in the order in which they are learnt."""


LESSONS: Final[Mapping[str, Lesson]] = Modules("kumite.tui.lessons", "", NAMES)
