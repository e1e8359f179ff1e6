"""Another keyboard layout plays as well: letters bound nowhere count by their places."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from textual.events import Key
from textual.keys import _character_to_key

from kumite.tui.scenes.lines import plain
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.key_map import known
from kumite.tui.screens.reading import RulesScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.terminal import layouts
from kumite.tui.terminal.driver import Reader
from tests.support.apps import frame, running, table_app

if TYPE_CHECKING:
    from kumite.tui.app import KumiteApp

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


async def test_every_bound_key_is_reached_from_every_layout(tmp_path: Path) -> None:
    names = {one for binding in known().values() for one in binding.key.split(",")}
    bound = {one for one in names if len(one) == 1 and one.lower() in LETTERS}
    async with running(table_app(tmp_path)) as (kumite, _):
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


async def test_a_table_is_played_in_russian_and_the_help_says_so(tmp_path: Path) -> None:
    async with running(table_app(tmp_path)) as (kumite, pilot):
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
