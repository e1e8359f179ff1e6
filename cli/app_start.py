"""Open the app from the command line, where it can be drawn. Textual is first imported here."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from kumite.cli.saying import say
from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.store import system, warned
from kumite.tui.look import colors, glyphs
from kumite.tui.settings import Settings, called, load, read

if TYPE_CHECKING:
    from textual.screen import Screen

    from kumite.core.log import Log
    from kumite.store.following import Followed
    from kumite.tui.app import KumiteApp
    from kumite.tui.play.local_table import LocalTable

_WITHOUT: Final = "without one: `kumite --plain`, `kumite replay --text LOG`, `kumite demo kuzushi`"
_OVER_SSH: Final = "over ssh ask for one: ssh -t HOST kumite"


class NoTerminal(KumiteError):
    """Standard input or output is not a terminal that an app can be drawn on."""

    code = codes.NO_TERMINAL


def wants_lines(is_plain: bool) -> bool:
    """Return whether to use line mode: on request, or if the terminal cannot be drawn on."""
    if not is_plain and os.environ.get("TERM") == "dumb":
        say("This terminal cannot be drawn on (TERM=dumb): line mode.")
        return True
    return is_plain


def require_terminal() -> None:
    """Check that the app can be drawn.

    Raises:
        NoTerminal: it cannot; the text names the problem.
    """
    # Textual draws on standard error to leave standard output free. All three must be terminals,
    # because with one redirected the user would see an empty screen.
    for stream, name in ((sys.__stdin__, "input"), (sys.__stderr__, "error")):
        if stream is None or not stream.isatty():
            hint = _OVER_SSH if system.is_over_ssh() else _WITHOUT
            raise NoTerminal(f"the app needs a terminal (standard {name} is none)", hint=hint)
    if os.environ.get("TERM", "") == "dumb":
        raise NoTerminal("the app cannot be drawn with TERM=dumb", hint=_WITHOUT)


def open_app(ctx: click.Context, opening: Callable[[], Screen[None]] | None) -> None:
    """Run the app, starting with the screen that `opening` returns."""
    app = _app(ctx)
    app.opening = opening
    _run(app)


def open_table(
    ctx: click.Context, make: Callable[[], LocalTable], *, is_plain: bool = False
) -> None:
    """Run the app on a table, which `make` creates, with its log, after all checks have passed.

    With `is_plain`, or if the terminal cannot be drawn on, line mode is used.
    """
    if wants_lines(is_plain):
        from kumite.cli import line_mode

        line_mode.play_local(ctx, make)
        return
    app = _app(ctx)
    from kumite.tui.screens.table import TableScreen

    table = make()
    app.opening = lambda: TableScreen(table)
    _run(app)


def open_named(ctx: click.Context, name: str | None, make: Callable[[str], Screen[None]]) -> None:
    """Run the app on what `make` returns for this name, or for the user's own.

    Whoever has no name yet is asked for it first.
    """
    settings = read().settings

    def opening() -> Screen[None]:
        if name or settings.name:
            return make(called(settings, name))
        from kumite.tui.screens.home import HomeScreen

        return HomeScreen(then=make)

    open_app(ctx, opening)


def open_replay(
    ctx: click.Context, log: Log, path: Path | None = None, followed: Followed | None = None
) -> None:
    def opening() -> Screen[None]:
        from kumite.tui.screens.replay import ReplayScreen

        return ReplayScreen(log, path, followed=followed)

    open_app(ctx, opening)


def _app(ctx: click.Context) -> KumiteApp:
    require_terminal()
    warned.listen(None)  # later warnings wait for the first screen
    gc.disable()  # startup leaves no garbage, and collecting takes an eighth of its time
    from kumite.tui.app import KumiteApp

    settings, told = load(**ctx.obj)
    settings, more = _usable(settings, ctx.obj)
    return KumiteApp(settings, told=told + more)


def _usable(settings: Settings, asked: Mapping[str, object]) -> tuple[Settings, tuple[str, ...]]:
    """Replace an unusable theme or glyph set by the default; return a message for each.

    Values from the command line are kept, since they are checked elsewhere.
    """
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
