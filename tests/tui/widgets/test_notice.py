"""Words in the corner: one for each, and none that stays for ever."""

from __future__ import annotations

import asyncio
from time import time

from textual.timer import Timer

from kumite.tui.screens.home import HomeScreen
from kumite.tui.terminal.app import Notice
from tests.support.apps import app, frame, until


async def test_a_notice_whose_time_ran_out_on_its_way_ends_its_timer() -> None:
    late = Notice("late", timeout=3, raised_at=time() - 60)
    assert late.has_expired
    ended = asyncio.Event()
    timer = Timer(app(), late.time_left, callback=ended.set, repeat=0)
    assert timer._interval > 0
    assert not Notice("now").has_expired


async def test_what_is_said_already_is_not_said_twice() -> None:
    kumite = app(HomeScreen)
    async with kumite.run_test(size=(80, 24), notifications=True) as pilot:
        for _ in range(5):
            kumite.action_help_quit()
        await until(pilot, lambda: "ctrl+q quits" in frame(kumite), "the notice")
        assert [type(one) for one in kumite._notifications] == [Notice]
        assert frame(kumite).count("ctrl+q quits") == 1
