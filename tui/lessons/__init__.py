"""First lessons: prepared positions with a task, checked by the rules themselves. No Textual here.

`LESSONS` is the only place to register one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.tui.lessons import kiriai, kitsu, kitsune, kumo, kuzushi

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kumite.tui.lessons.model import Task

LESSONS: Final[Mapping[str, tuple[Task, ...]]] = {
    one.ID: one.TASKS for one in (kitsu, kitsune, kumo, kuzushi, kiriai)
}
