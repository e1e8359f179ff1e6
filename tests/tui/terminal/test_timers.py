"""A machine that stands still for a moment loses no timer that calls once."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from kumite.tui.screens.home import HomeScreen
from kumite.tui.widgets.cover import Cover
from tests.support.apps import app, until

if TYPE_CHECKING:
    import pytest
    from textual.message_pump import MessagePump


async def test_a_timer_that_begins_late_calls_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock comes a second after the one before it."""
    kumite, seconds = app(), count(step=1.0)
    async with kumite.run_test() as pilot:
        called: list[str] = []
        assert isinstance(kumite.screen, HomeScreen)
        cover = Cover()
        await kumite.screen.mount(cover)
        setters: tuple[MessagePump, ...] = (kumite, kumite.screen, cover)
        with monkeypatch.context() as patch:
            patch.setattr("textual.timer._time.get_time", lambda: next(seconds))
            for one in setters:
                one.set_timer(0.01, lambda one=one: called.append(type(one).__name__))  # type: ignore[misc]
            await until(pilot, lambda: len(called) == len(setters), "the calls")
