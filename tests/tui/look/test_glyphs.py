"""Which glyphs are chosen: by name, by the terminal and its locale, by asking it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from kumite.core.errors import BadSetup
from kumite.tools.pictures import screen_picture
from kumite.tui.look import glyphs
from kumite.tui.look.glyphs import ASCII, KANJI, LETTERS
from kumite.tui.scenes.lines import fit, width, wrap
from kumite.tui.terminal.app import ASKING
from tests.support.apps import frame, running

if sys.platform != "win32":
    from tests.support.terminal import Terminal


posix = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
ASK = b"\x1b[6n"
NARROW, WIDE = ("\x1b[2;2R", "\x1b[2;3R"), ("\x1b[2;3R", "\x1b[2;3R")


def test_sets_are_chosen_by_name_and_an_unknown_one_is_refused_with_all_names() -> None:
    assert [glyphs.choose(name) for name in ("kanji", "letters", "ascii")] == [
        KANJI,
        LETTERS,
        ASCII,
    ]
    with pytest.raises(BadSetup) as error:
        glyphs.choose("symbols")
    assert error.value.hint == "glyphs: auto, kanji, letters, ascii"
    assert not any(glyphs.hoped(name) for name in ("kanji", "letters", "ascii"))


@pytest.mark.parametrize(
    ("locale", "first", "hoped"),
    [
        ({"LANG": "en_GB.UTF-8"}, LETTERS, None),
        ({}, LETTERS, None),
        ({"LC_ALL": "C.UTF-8", "LANG": "ja_JP.UTF-8"}, LETTERS, None),
        ({"LC_CTYPE": "ja_JP.UTF-8", "LANG": "en_GB.UTF-8"}, ASCII, KANJI),
        ({"LC_ALL": "", "LC_CTYPE": "", "LANG": "ja"}, ASCII, KANJI),
        ({"LANG": "zh_TW.UTF-8"}, ASCII, LETTERS),
        ({"LANG": "ko_KR.UTF-8"}, ASCII, LETTERS),
        ({"LANG": "ja_JP.UTF-8", "TERM": "linux"}, ASCII, None),
        ({"LANG": "en_GB.UTF-8", "TERM": "linux"}, ASCII, None),
    ],
    ids=lambda value: value.name if isinstance(value, glyphs.Look) else str(value),
)
def test_auto_goes_by_terminal_and_locale(
    locale: dict[str, str],
    first: glyphs.Look,
    hoped: glyphs.Look | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ({"TERM": "xterm"} | locale).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "__stderr__", SimpleNamespace(encoding="utf-8"))
    assert glyphs.choose("auto") is first
    assert glyphs.hoped() is hoped
    monkeypatch.setattr(sys, "__stderr__", SimpleNamespace(encoding="ascii"))
    assert glyphs.choose("auto") is ASCII
    assert glyphs.hoped() is None


def begin(folder: Path, language: str, **more: str) -> Terminal:
    """Open a table of Kitsu! in a locale, whether this machine has it or not."""
    variables = {"KUMITE_LOGS": str(folder), "XDG_CONFIG_HOME": str(folder / "none")}
    variables |= {"LC_ALL": f"{language}.UTF-8", "PYTHONUTF8": "1"} | more
    return Terminal("play", "kitsu", environment=variables)


def answer(terminal: Terminal, answers: tuple[str, ...]) -> None:
    for _ in range(200):
        if terminal.written.count(ASK) == len(glyphs.PROBE):
            break
        terminal.read(0.1)
    assert terminal.written.count(ASK) == len(glyphs.PROBE)
    terminal.type(*answers)


def test_texts_are_cut_and_broken_by_columns() -> None:
    assert [width(text) for text in ("ab", "侍", "Bashō", "か\u3099", "▲侍")] == [2, 2, 5, 2, 3]
    assert fit("侍侍侍", 5) == "侍侍 "
    assert fit("ab", 4, right=True) == "  ab"
    assert wrap("武蔵坊弁慶's Fox leaps", 12) == ["武蔵坊弁慶's", "Fox leaps"]
    assert wrap("武蔵坊弁慶", 5) == ["武蔵", "坊弁", "慶"]
    assert wrap("", 5) == [""]


@posix
@pytest.mark.parametrize(
    ("language", "answers", "shown"),
    [
        ("ja_JP", NARROW, "夏SUMMER"),
        ("ja_JP", WIDE, "S"),
        ("ja_JP", (), "S"),
        ("ko_KR", NARROW, "▙▄▟"),
        ("zh_CN", WIDE, "S"),
    ],
)
def test_doubtful_glyphs_come_once_the_terminal_has_said_how_wide_they_are(
    tmp_path: Path, language: str, answers: tuple[str, ...], shown: str
) -> None:
    with begin(tmp_path, language) as terminal:
        terminal.wait_for("Samurai", "SUMMER", "leave")
        answer(terminal, answers)
        text = terminal.wait_for(shown)
        terminal.settle()
        text = terminal.text
        if shown == "S":
            assert not set("▙▄▟夏→▶") & set(text)
        assert text.split("\n")[3].startswith("  8")  # nothing of the question is left
        shapes = terminal.shapes
        terminal.press("ctrl+l")
        assert terminal.shapes == shapes
        terminal.press("n", "n")
        assert terminal.written.count(ASK) == len(glyphs.PROBE)  # asked once


@posix
def test_the_first_paint_does_not_wait_and_other_locales_are_not_asked(tmp_path: Path) -> None:
    with begin(tmp_path, "ja_JP") as terminal:
        terminal.wait_for("Samurai")
        terminal.settle(5 * ASKING)  # the question comes when all is quiet
        written = bytes(terminal.written)
        assert 0 < written.index(b"Samurai") < written.index(ASK)
    with begin(tmp_path, "en_GB") as terminal:
        terminal.wait_for("▙▄▟")
        terminal.settle(5 * ASKING)
        assert ASK not in terminal.written


async def test_a_picture_has_every_kanji_in_its_cells() -> None:
    from kumite.core.game import Setup
    from kumite.core.games import find
    from kumite.core.match import Match
    from kumite.tui.play.local_table import LocalTable
    from kumite.tui.screens.table import TableScreen

    table = LocalTable(Match.begin(Setup.of(find("kitsu"))), ("武蔵坊", "R&D"), None)
    async with running(lambda: TableScreen(table), glyphs="kanji") as (kumite, pilot):
        await pilot.pause()
        picture = screen_picture(kumite, "kumite")
        assert "夏SUMMER" in frame(kumite)
    assert "夏S" not in picture
    assert re.search(r'textLength="20" fill="[^"]*" ?[^>]*>夏</text>', picture)
    assert "R&amp;D" in picture
