"""Opening the app from the command line; Textual is imported here, and not before."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kumite.cli import line_mode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import click
    from textual.screen import Screen

    from kumite.tui.app import KumiteApp
    from kumite.tui.play.local_table import LocalTable
    from kumite.tui.settings import Settings


def open_app(ctx: click.Context, opening: Callable[[], Screen[None]] | None) -> None:
    """Run the app, beginning with the screen that `opening` makes."""
    app = _app(ctx)
    app.opening = opening
    _run(app)


def open_table(
    ctx: click.Context, make: Callable[[], LocalTable], *, is_plain: bool = False
) -> None:
    """Run the app on a table; it is made, and its log begun, once nothing else can go wrong.

    With `is_plain`, or in a terminal that cannot be drawn on, it is played by lines.
    """
    if line_mode.wanted(is_plain):
        line_mode.play_local(ctx, make)
        return
    app = _app(ctx)
    table = make()

    def opening() -> Screen[None]:
        from kumite.tui.screens.table import TableScreen

        return TableScreen(table)

    app.opening = opening
    _run(app)


def _app(ctx: click.Context) -> KumiteApp:
    from kumite.cli import terminal

    terminal.require()
    gc.disable()  # nothing of a start is garbage, and looking for it takes an eighth of the time
    from kumite.tui.app import KumiteApp
    from kumite.tui.settings import load

    settings, told = load(**ctx.obj)
    settings, more = _usable(settings, ctx.obj)
    return KumiteApp(settings, told=told + more)


def _usable(settings: Settings, asked: Mapping[str, object]) -> tuple[Settings, tuple[str, ...]]:
    """Return settings with which the app can begin, and what is said of those it cannot use.

    What was asked for on the command line is refused there.
    """
    from kumite.tui.look import colors, glyphs

    told = []
    for name, choices in (("theme", colors.names()), ("glyphs", tuple(glyphs.LOOKS))):
        chosen, usual = getattr(settings, name), "auto"
        if chosen not in (usual, *choices) and name not in asked:
            told.append(f"settings: there is no {name} {chosen!r}; there are {', '.join(choices)}")
            fitting: dict[str, Any] = {name: usual}
            settings = replace(settings, **fitting)
    return settings, tuple(told)


def _run(app: KumiteApp) -> None:
    app.run(mouse=app.settings.mouse)
    if app.return_code:
        raise SystemExit(app.return_code)
