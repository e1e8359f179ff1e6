"""What is written comes to the terminal whole and in order, whether it reads or not."""

from __future__ import annotations

import os
import tty
from collections.abc import Iterator
from io import TextIOWrapper
from threading import Thread

import pytest

from kumite.store import system
from kumite.tui.terminal.writer import MOST, Writer
from tests.support.waiting import wait_for


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
    writer._waiting.put = lambda *_: pytest.fail("a thread was asked")  # type: ignore[method-assign,assignment]
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
