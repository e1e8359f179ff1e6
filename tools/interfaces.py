"""Print a module that checks what games provide against the interfaces, for the type checker.

Games are imported by name, which a type checker cannot follow. `make types` checks the module that
is printed here.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Final

from kumite.core import bots, games
from kumite.tui import lessons
from kumite.tui.puzzles import making
from kumite.tui.scenes import SceneMaker, about
from kumite.tui.scenes.maker import SOURCES

PARTS: Final = (
    (games.GAMES, "kumite.core.game.Game[Any]"),
    (bots.MODELS, "kumite.core.bots.BotModel"),
    (about.FOLDERS, "kumite.tui.scenes.about.Module"),
    (lessons.LESSONS, "kumite.tui.lessons.Lesson"),
    (making.MODULES, "kumite.tui.puzzles.making.Module"),
)


def main() -> None:
    print("from typing import Any\nimport kumite.tui.scenes")
    for number, (modules, interface) in enumerate(PARTS):
        print(f"import {interface.partition('[')[0].rpartition('.')[0]}")
        for game_id, module in modules.items():
            name = str(vars(module)["__name__"])
            print(f"import {name}\n_{number}_{game_id}: {interface} = {name}")
    for game_id in games.NAMES:
        print(f"class _{game_id}(kumite.tui.scenes.SceneMaker):\n    pass")
        for source in SOURCES:
            name = f"kumite.tui.games.{game_id}.{source}"
            for member, given in vars(import_module(name) if find_spec(name) else object).items():
                if member in vars(SceneMaker) and getattr(given, "__module__", "") == name:
                    print(f"    import {name}\n    {member} = staticmethod({name}.{member})")


if __name__ == "__main__":
    main()
