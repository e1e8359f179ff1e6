"""The way to the terminal and back: driver, writer, timers, keyboards, what Textual has for it."""

from __future__ import annotations

import ast
import asyncio
import inspect
import os
import re
import signal
import tty
from collections.abc import Iterator
from importlib import import_module
from io import TextIOWrapper
from itertools import count
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Key
from textual.keys import _character_to_key

from kumite.store import system
from kumite.tui.scenes.lines import plain
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.key_map import known
from kumite.tui.screens.reading import RulesScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.terminal import driver as drivers
from kumite.tui.terminal import layouts
from kumite.tui.terminal.driver import Reader
from kumite.tui.terminal.writer import MOST, Writer
from kumite.tui.widgets.cover import Cover
from tests.support.apps import app, frame, running, table_app, until
from tests.support.places import ROOT
from tests.support.waiting import wait_for

if TYPE_CHECKING:
    import pytest
    from textual.message_pump import MessagePump

    from kumite.tui.app import KumiteApp


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
    driver._due, driver._app = {}, Ending()
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
    driver._writer, driver._writer_thread = Own(), Own()
    monkeypatch.setattr(LinuxDriver, "start_application_mode", lambda _: None)
    for _ in range(40):
        driver.start_application_mode()
    assert stops == ["stopped"]
    driver.close()
    assert stops == ["stopped"] * 2


# --- What is written --------------------------------------------------------------------------


class Line:
    """A terminal: `file` is its program's end; it reads only when it is told to."""

    def __init__(self) -> None:
        self._ours, theirs = os.openpty()
        tty.setraw(theirs)
        self.file = TextIOWrapper(os.fdopen(theirs, "wb", 0), "utf-8", "backslashreplace")

    def read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            data += os.read(self._ours, count - len(data))
        return data

    def hang_up(self) -> None:
        if self._ours >= 0:
            os.close(self._ours)
            self._ours = -1

    def close(self) -> None:
        self.hang_up()
        self.file.close()


@pytest.fixture
def line() -> Iterator[Line]:
    made = Line()
    yield made
    made.close()


@pytest.fixture(params=["at once", "from a thread"])
def writer(
    line: Line, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Writer]:
    """Give a writer; where the terminal may not be opened again all goes through its thread."""
    if request.param == "from a thread":
        monkeypatch.setattr(system, "without_waiting", lambda _: None)
    made = Writer(line.file)
    yield made
    made.stop()


def test_all_comes_in_order_though_the_terminal_reads_late(line: Line, writer: Writer) -> None:
    texts = [f"{number:6}木" * 5000 for number in range(MOST)]  # 45 kB each: more than it holds
    for text in texts:
        writer.write(text)  # and yet nobody waits
    said = "".join(texts).encode()
    assert line.read(len(said)) == said
    writer.write("later")
    assert line.read(5) == b"later"


def test_a_text_is_not_split_by_another_threads(line: Line, writer: Writer) -> None:
    def write(letter: str) -> None:
        for _ in range(10):
            writer.write(letter * 7001)

    threads = [Thread(target=write, args=(letter,)) for letter in "abc"]
    for thread in threads:
        thread.start()
    said = line.read(3 * 10 * 7001)
    for thread in threads:
        thread.join()
    parts = [said[at : at + 7001] for at in range(0, len(said), 7001)]
    assert all(len(set(part)) == 1 for part in parts)


def test_a_terminal_that_is_gone_keeps_nobody_waiting(line: Line, writer: Writer) -> None:
    writer.write("x" * 100_000)
    line.hang_up()
    for _ in range(10 * MOST):
        writer.write("x" * 1000)


def test_what_is_no_letter_comes_as_its_number(line: Line, writer: Writer) -> None:
    writer.write("\udcff")
    assert line.read(6) == b"\\udcff"


def test_what_is_written_at_once_needs_no_thread(line: Line) -> None:
    writer = Writer(line.file)
    writer._waiting.put = lambda *_: pytest.fail("a thread was asked")
    writer.write("one key")
    assert line.read(7) == b"one key"
    del writer._waiting.put
    writer.stop()


def test_a_file_that_is_no_terminal_is_written_from_the_thread() -> None:
    number, other = os.pipe()
    with os.fdopen(other, "w") as file:
        writer = Writer(file)
        writer.write("x")
        wait_for(lambda: not writer._waiting.unfinished_tasks, "the thread")
        assert os.read(number, 9) == b"x"
        writer.stop()
    os.close(number)


def test_its_way_to_the_terminal_does_not_stay_open(line: Line) -> None:
    writer = Writer(line.file)
    number = writer._at_once
    assert number is not None
    writer.stop()
    with pytest.raises(OSError, match="descriptor"):
        os.fstat(number)


# --- Timers -----------------------------------------------------------------------------------


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
                one.set_timer(0.01, lambda one=one: called.append(type(one).__name__))
            await until(pilot, lambda: len(called) == len(setters), "the calls")


# --- What is relied on inside Textual ---------------------------------------------------------


LISTED = re.findall(
    r"^    ((?:textual|rich)\.\S+?)\.(\w+)(?:\((.*)\))?$",
    (ROOT / "docs" / "terminal.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
FILES = [
    *(ROOT / "tui" / "terminal").glob("*.py"),
    ROOT / "tui/app.py",
    ROOT / "tui/screens/base.py",
]


def parts_of(owner: str) -> object:
    try:
        return import_module(owner)
    except ModuleNotFoundError:
        module, _, name = owner.rpartition(".")
        return getattr(import_module(module), name)


def has_attribute(owner: type, name: str) -> bool:
    """Return whether a class has a member of that name, or one of its methods sets it."""
    ours = [one for one in owner.__mro__ if one.__module__.startswith(("textual", "rich"))]
    return hasattr(owner, name) or any(
        re.search(rf"self\.{name}\b[^=\n]*=", inspect.getsource(one)) for one in ours
    )


def test_all_that_is_listed_is_there_with_the_same_parameters() -> None:
    assert len(LISTED) > 40
    wrong = []
    for owner, name, parameters in LISTED:
        part = parts_of(owner)
        found = getattr(part, name, None)
        if callable(found):
            names = [
                one.name
                for one in inspect.signature(found).parameters.values()
                if one.name != "self" and one.kind is not one.VAR_POSITIONAL
            ]
            if ", ".join(names) != parameters:
                wrong.append(f"{owner}.{name}({', '.join(names)})")
        elif not (isinstance(part, type) and has_attribute(part, name)):
            wrong.append(f"{owner}.{name} is gone")
    assert not wrong, "\n".join(wrong)


def foreign(tree: ast.Module) -> Iterator[str]:
    """Yield the private names that a module uses and does not define."""
    own = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.Name(id=name):
                own.add(name)
            case ast.Attribute(attr=name, value=ast.Name("self"), ctx=ast.Store()):
                own.add(name)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) if re.match("_[a-z]", name) and name not in own:
                yield name
            case ast.ImportFrom(module=str(module)) if module.startswith("textual._"):
                yield from (one.name for one in node.names)


def test_all_that_is_used_is_listed() -> None:
    listed = {name for _, name, _ in LISTED} | {owner.rpartition(".")[2] for owner, _, _ in LISTED}
    listed |= {"CompositorUpdate"}  # what both updates are
    used = {one for path in FILES for one in foreign(ast.parse(path.read_text(encoding="utf-8")))}
    assert used <= listed, used - listed
    assert {"_dirty_widgets", "_skip", "ChopsUpdate"} <= used


# --- Another keyboard layout plays as well ----------------------------------------------------


# What the keys of the lower row of letters send, from the layouts' own charts.
LETTERS = "qwertyuiopasdfghjklzxcvbnm"
CHARTS = {
    "Russian": "йцукенгшщзфывапролдячсмить",
    "Ukrainian": "йцукенгшщзфівапролдячсмить",
    "Greek": ";ςερτυθιοπασδφγηξκλζχψωβνμ",
    "Hebrew": "/'קראטוןםפשדגכעיחלךזסבהנמצ",
    "Korean": "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ",
}


def key(character: str) -> Key:
    return Key(_character_to_key(character), character)


def full_width(character: str) -> str:
    return chr(ord(character) + 0xFEE0)


def as_handled(kumite: KumiteApp, pressed: Key) -> tuple[str, str | None]:
    handled = kumite._by_place(pressed)
    return handled.key, handled.character


async def test_every_bound_key_is_reached_from_every_layout() -> None:
    names = {one for binding in known().values() for one in binding.key.split(",")}
    bound = {one for one in names if len(one) == 1 and one.lower() in LETTERS}
    async with running(table_app()) as (kumite, _):
        for chart in CHARTS.values():
            for one in bound:
                there = chart[LETTERS.index(one.lower())]
                there = there.upper() if one.isupper() else there
                if not there.isascii() and (one.islower() or there.isupper()):
                    assert as_handled(kumite, key(there)) == (one, one), there
        signs = {one for one in "?:[].=+-/{}0123456789" if _character_to_key(one) in names}
        assert {"?", ":"} <= signs
        for one in bound | signs:
            assert as_handled(kumite, key(full_width(one))) == (_character_to_key(one), one)


@pytest.mark.parametrize(
    ("sent", "meant"),
    [("−", "-"), ("５", "5"), ("٥", "5"), ("५", "5"), ("　", " "), ("Ж", ":"), ("х", "[")],
)
def test_signs_and_digits(sent: str, meant: str) -> None:
    assert layouts.place_of(sent) == (meant, layouts._BY_PLACE.get(sent, ("", ""))[1])


def test_what_has_no_place_is_answered_as_before() -> None:
    assert [one for one in "狐éßあ→" if layouts.place_of(one)] == []


async def test_a_table_is_played_in_russian_and_the_help_says_so() -> None:
    async with running(table_app()) as (kumite, pilot):
        await pilot.press("Ж", *"фф")  # `:` begins a step, and what follows is text
        assert "Step: фф" in frame(kumite)
        await pilot.press("escape")
        kumite.post_message(key("？"))  # the pilot knows no name of it
        await pilot.pause()
        assert isinstance(kumite.screen, RulesScreen)
        await pilot.press("й")
        assert isinstance(kumite.screen, TableScreen)
        said = "\n".join(map(plain, kumite.screen.help_lines()))
        assert "Russian letters count as the US keys in their places" in said


async def test_control_and_a_letter_of_another_layout() -> None:
    async with running(HomeScreen) as (kumite, pilot):
        await pilot.press("ctrl+й")
        await pilot.pause()
        assert not kumite.is_running


def test_a_terminal_that_reports_places_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layouts, "_told", {})
    sent = "\x1b[1081::113;5u\x1b[4304::97;1;4304u\x1b[97:65;2;65u"
    keys = [one for one in Reader().feed(sent.encode()) if isinstance(one, Key)]
    assert [(one.key, one.character) for one in keys] == [("ctrl+й", None), ("ა", "ა"), ("A", "A")]
    assert layouts.place_of("ა") == ("a", "")  # Georgian, in no table here
    for broken in ("\x1b[1081::;5u", "\x1b[99999999999::9999999999;5u", "\x1b[::::u"):
        list(Reader().feed(broken.encode()))
