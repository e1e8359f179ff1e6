"""How the steps of a game are written, for whoever types them.

It is the module `notation` in the folder of a game's scene; of a game without one nothing is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from kumite.core.games import NAMES
from kumite.core.registry import Modules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kumite.tui.scenes.kiriai import notation as kiriai
    from kumite.tui.scenes.kitsu import notation as kitsu
    from kumite.tui.scenes.kitsune import notation as kitsune
    from kumite.tui.scenes.kumo import notation as kumo
    from kumite.tui.scenes.kuzushi import notation as kuzushi
    from kumite.tui.scenes.lines import Line

    # The type checker holds each module against the interface; nothing imports them here.
    _CHECKED: tuple[Notation, ...] = (kitsu, kitsune, kumo, kuzushi, kiriai)

WIDE: Final = 14  # columns of an example


class Notation(Protocol):
    """What the module of a game gives."""

    @property
    def FORMS(self) -> tuple[tuple[str, str], ...]:
        """Return an example of each form of a step that people write, and what it does."""


_MODULES: Final[Mapping[str, Notation]] = Modules("kumite.tui.scenes", "notation", NAMES)


def forms(game_id: str) -> tuple[tuple[str, str], ...]:
    """Return the forms of the steps of a game; () if nobody has said them."""
    return _MODULES[game_id].FORMS if game_id in _MODULES else ()


def form_lines(game_id: str, legal: tuple[str, ...]) -> tuple[Line, ...]:
    """Return what one may read about typing steps: the forms, and what is possible just now."""
    lines: list[Line] = [(("How steps are written", "title"),), ()]
    for example, does in forms(game_id):
        lines.append(((f"  {example:<{WIDE}} ", "key"), (does, "")))
    several = "Several steps of one turn may be written in one line, with spaces between them."
    lines += [(), ((several, "quiet"),), (), (("What is possible now", "title"),), ()]
    return (*lines, ((" ".join(legal) or "nothing", ""),))
