"""An app that ends while a screen opens just ends: Textual lays nothing out any more."""

from __future__ import annotations

import asyncio
import gc
import warnings
from itertools import count

import pytest
from textual.widget import Widget

from kumite.tui.screens.table import TableScreen
from tests.support.apps import running
from tests.support.waiting import PATIENCE
from tests.tui.screens.test_screens import KINDS, SCREENS


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
async def test_the_app_ends_while_a_screen_opens(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Textual lays out one level after the other; it may end after each of them."""
    mounts = []
    mount = Widget.mount_composed_widgets

    async def mount_or_end(widget: Widget, widgets: list[Widget]) -> None:
        mounts.append(widget)
        if len(mounts) == end:
            kumite.exit()
        await mount(widget, widgets)

    for end in count(1, 3):
        async with running(SCREENS["home"]) as (kumite, pilot):
            await pilot.pause()
            mounts.clear()
            with monkeypatch.context() as patch:
                patch.setattr(Widget, "mount_composed_widgets", mount_or_end)
                await kumite.push_screen(SCREENS[name]())
        if len(mounts) < end:
            break
        assert kumite.return_code == 0
    assert end > 1


async def test_what_is_stopped_before_it_has_begun_is_not_complained_of() -> None:
    async with running(lambda: SCREENS["table kuzushi 2"]()) as (kumite, pilot):
        await pilot.pause()
        screen, thought = kumite.screen, []
        assert isinstance(screen, TableScreen)

        async def think(of: str) -> None:
            thought.append(of)

        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            screen.beside(think, "nothing", group="bot").cancel()
            await pilot.pause()
            gc.collect()
        assert not thought
        assert not [str(one.message) for one in said if "never awaited" in str(one.message)]


async def test_what_a_worker_brings_when_the_screen_has_gone_is_lost() -> None:
    async with running(lambda: SCREENS["table kuzushi 2"]()) as (kumite, pilot):
        await pilot.pause()
        screen, answered = kumite.screen, asyncio.Event()
        assert isinstance(screen, TableScreen)

        async def think() -> None:
            await answered.wait()
            screen.show_table()

        worker = screen.beside(think, group="bot")
        await screen.query("*").remove()
        answered.set()
        await asyncio.wait_for(worker.wait(), PATIENCE)
    assert kumite._exception is None
