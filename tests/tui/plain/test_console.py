"""The terminal of line mode: nothing that is said steers it, whoever wrote it."""

from __future__ import annotations

import asyncio

import pytest

from kumite.tui.plain.console import PROMPT, Console


@pytest.mark.parametrize(
    "unclean", ["\x1b[2J", "\x1b]0;owned\x07", "\x9b2J", "\r", "\x08", "\x7f", "\x00", "\x0e"]
)
def test_lines_that_are_unclean_are_written_clean(unclean: str) -> None:
    said: list[str] = []
    console = Console(lambda: b"", said.append, is_terminal=False)
    console.prompt()
    console.say(f"ada{unclean} says", f"{unclean}")
    text = "".join(said)
    assert text.startswith(f"{PROMPT}\nada")
    assert text.count("\n") == 3
    assert all(one == "\n" or one.isprintable() for one in text)
    assert "\ufffd" in text


@pytest.mark.parametrize("typed", [b"\x1b[2Jd5\n", b"d5\x07\n", b"\xffd5\x9b\n"])
def test_what_is_echoed_of_typed_lines_is_clean(typed: bytes) -> None:
    said: list[str] = []
    chunks = iter([typed])

    async def first_line() -> object:
        console = Console(lambda: next(chunks, b""), said.append, is_terminal=False)
        console.begin()
        console.prompt()
        return await console.next()

    assert "d5" in str(asyncio.run(first_line()))
    assert all(one == "\n" or one.isprintable() for one in "".join(said))
