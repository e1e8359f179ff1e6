"""The app without a terminal, for tests with a pilot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from time import monotonic
from typing import Any, TypeVar

from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

from kumite.core.game import Setup, Step
from kumite.core.games import find
from kumite.tui.app import KumiteApp
from kumite.tui.play.local_table import LocalTable, seat_names
from kumite.tui.scenes.lines import plain
from kumite.tui.scenes.model import Scene
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings
from kumite.tui.widgets.cover import Cover
from kumite.tui.widgets.field import EndCard
from kumite.tui.widgets.form import Form
from kumite.tui.widgets.lines import Lines
from tests.support.waiting import PATIENCE, PAUSE

S = TypeVar("S", bound=Screen[Any])


def app(opening: Callable[[], Screen[None]] | None = None, glyphs: str = "letters") -> KumiteApp:
    return KumiteApp(Settings(glyphs=glyphs), opening)


def table_app(*, seats: str = "ada,bob", glyphs: str = "letters", **options: Any) -> KumiteApp:
    """Return an app that opens on a table of Kuzushi."""
    names = seat_names(seats, None)
    setup = Setup.of(find("kuzushi"), len(names), options)
    table = LocalTable.begin(setup, names)
    return app(lambda: TableScreen(table), glyphs)


@asynccontextmanager
async def running(
    opening: KumiteApp | Callable[[], Screen[None]] | None = None,
    size: tuple[int, int] = (80, 24),
    glyphs: str = "letters",
) -> AsyncIterator[tuple[KumiteApp, Pilot[None]]]:
    """Run an app, or one that opens on the screen that `opening` makes."""
    kumite = opening if isinstance(opening, KumiteApp) else app(opening, glyphs)
    async with kumite.run_test(size=size) as pilot:
        yield kumite, pilot


def screen_of(app: App[None], kind: type[S]) -> S:
    screen = app.screen
    assert isinstance(screen, kind)
    return screen


async def uncovered(pilot: Pilot[None]) -> None:
    """Come to the screen, if somebody has to, and show what one's seat may see."""
    screen = screen_of(pilot.app, TableScreen)
    if screen.model.is_covered and screen.model.awaited is not None:
        await settled(screen)
        await pilot.press(str(screen.model.awaited + 1))


def play(screen: Screen[object], step: str) -> bool:
    """Make a step of the seat to act, as its last part would; return whether it was made."""
    assert isinstance(screen, TableScreen)
    before = screen.table.match
    screen.apply(screen.model.make(Step(step)))
    return screen.table.match is not before


async def settled(screen: Screen[object]) -> None:
    """Wait until all that a screen has asked to be painted is painted: a cover hears from then."""
    first = next(iter(screen.query(Cover)), None) or screen
    await called(first.call_after_refresh)


async def called(soon: Callable[[Callable[[], object]], object]) -> None:
    done = asyncio.Event()
    soon(done.set)
    await asyncio.wait_for(done.wait(), PATIENCE)


def frame(app: App[None]) -> str:
    """Return what the screen shows, as lines without spaces at their ends."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


def shown(app: App[None], name: str) -> str:
    lines = app.screen.query_one(f"#{name}", Lines)
    return "\n".join(lines.render_line(y).text.rstrip() for y in range(lines.size.height)).strip()


def told_in_log(app: App[None], scene: Scene) -> Scene:
    """Return the scene as a replay draws it: a stage is silent where the log tells it all."""
    log = app.screen.query_one("#log")
    if not scene.stage or not scene.spread or not log.region:
        return scene
    told = " ".join(shown(app, "log").split())
    assert all(plain(line) in told for line in scene.spread.words)
    return replace(scene, spread=replace(scene.spread, is_told=True))


def heading(app: App[None]) -> str:
    """Return the title of a screen, which stands in its sky where there is one."""
    title = shown(app, "head") or " ".join(shown(app, "banner").split("▀"))
    return " ".join(title.split())


def listed(app: App[None]) -> list[str]:
    """Return the rows of the form, without repeated blanks."""
    form = app.screen.query_one(Form)
    return [" ".join(form.render_line(y).text.split()) for y in range(form.size.height)]


def rows(app: App[None]) -> list[str]:
    """Return the rows of the screen without frames and repeated blanks."""
    return [" ".join(line.strip(" │").split()) for line in frame(app).split("\n")]


def words(app: App[None], *names: str) -> str:
    """Return what the screen shows, or these parts of it, as words in one line."""
    said = [shown(app, name) for name in names] or [frame(app)]
    return " ".join(" ".join(said).split())


def result(app: App[None]) -> str:
    """Return what the card of the end says, in one line; nothing without one."""
    card = app.screen.query_one(EndCard)
    rows = [card.render_line(y).text for y in range(card.size.height)] if card.display else []
    return " ".join(" ".join(rows).replace("▌", " ").split())


async def until(pilot: Pilot[None], condition: Callable[[], bool], what: str) -> None:
    """Wait for something that a timer, another task, thread or process brings about."""
    end = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < end, f"{what}:\n{frame(pilot.app)}"
        with pilot.app._context():  # of two apps in a process it is else the one that came last
            await pilot.pause(PAUSE)
