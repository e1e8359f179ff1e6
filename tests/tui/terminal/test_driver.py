"""The terminal is taken and given back in turns, whenever signals come."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest
from textual.drivers.linux_driver import LinuxDriver

from kumite.tui.terminal import driver as drivers


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what becomes of the terminal; a SIGCONT comes in the middle of each of it, too."""
    said: list[str] = []

    def stop(self: drivers.TerminalDriver) -> None:
        self._sigcont_application()
        said.append("given back")

    def start(self: drivers.TerminalDriver) -> None:
        if len(said) < 20:
            self._sigcont_application()
        said.append("taken")
        self._must_signal_resume = False

    def kill(_: int, sign: int) -> None:
        said.append(signal.Signals(sign).name)

    monkeypatch.setattr(LinuxDriver, "suspend_application_mode", stop)
    monkeypatch.setattr(LinuxDriver, "resume_application_mode", start)
    monkeypatch.setattr(os, "kill", kill)
    return said


class Ending:
    """An app as far as the driver asks it."""

    _exit = False


def a_driver() -> drivers.TerminalDriver:
    driver = drivers.TerminalDriver.__new__(drivers.TerminalDriver)
    driver._due, driver._app = {}, Ending()  # type: ignore[assignment]
    driver._loop = asyncio.get_running_loop()
    driver._auto_restart, driver._must_signal_resume = True, False
    return driver


@pytest.mark.parametrize("first", ["_sigcont_application", "_sigtstp_application"])
async def test_it_is_never_taken_twice(told: list[str], first: str) -> None:
    getattr(a_driver(), first)()
    for _ in range(100):
        await asyncio.sleep(0)
    turns = [one for one in told if one != "SIGSTOP"]
    assert turns
    assert turns == ["given back", "taken"] * (len(turns) // 2)


async def test_signals_that_come_before_anything_is_done_are_one_and_the_last_one_counts(
    told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each turn takes a tenth of a second: behind fifty of them nothing else would be heard."""
    driver = a_driver()
    for _ in range(50):
        driver._sigcont_application()
        driver._sigtstp_application()
    monkeypatch.setattr(drivers.TerminalDriver, "_sigcont_application", lambda _: None)
    for _ in range(200):
        await asyncio.sleep(0)
    assert told == ["given back", "taken", "given back", "SIGSTOP", "taken"]


async def test_an_app_that_is_to_end_neither_stops_nor_takes_the_terminal_again(
    told: list[str],
) -> None:
    driver = a_driver()
    driver._app._exit = True
    driver._sigtstp_application()
    driver._sigcont_application()
    for _ in range(10):
        await asyncio.sleep(0)
    assert told == []


async def test_after_a_stop_of_its_own_it_is_taken_once_and_at_once(
    told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drivers.TerminalDriver, "_sigcont_application", lambda _: None)
    driver = a_driver()
    driver._suspend()
    assert told == ["given back", "SIGSTOP", "taken"]
    driver._go_on()  # the signal that has let us go on comes later
    assert told == ["given back", "SIGSTOP", "taken"]
    driver._go_on()
    assert told[3:] == ["given back", "taken"]


def test_textuals_thread_is_stopped_once_however_often_the_terminal_cannot_be_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the background: what a dead thread is told fills its queue, and then stops who tells."""
    stops: list[str] = []

    class Own:
        def stop(self) -> None:
            stops.append("stopped")

        def write(self, data: str) -> None: ...

    driver = drivers.TerminalDriver.__new__(drivers.TerminalDriver)
    driver._writer, driver._writer_thread = Own(), Own()  # type: ignore[assignment]
    monkeypatch.setattr(LinuxDriver, "start_application_mode", lambda _: None)
    for _ in range(40):
        driver.start_application_mode()
    assert stops == ["stopped"]
    driver.close()
    assert stops == ["stopped"] * 2
