"""Every theme can be read: how much ink differs from the paper under it."""

from __future__ import annotations

import pytest
from textual.color import Color

from kumite.tui.app import KumiteApp
from kumite.tui.look import colors as palettes
from kumite.tui.look import theme
from kumite.tui.settings import Settings
from kumite.tui.widgets.painted import ROLES

TEXT, MARK = 4.5, 2.5  # least ratio of brightness: for what is read, for what is only seen
PAPERS = ("background", "ground")  # of panels and of boards
SEEN = {"fits", "outside"}  # dots where nothing lies
SEASONS = ("spring", "summer", "autumn", "winter")


async def colors(name: str) -> dict[str, str]:
    """Return all colours of a theme, the app's own included."""
    kumite = KumiteApp(Settings(theme=name))
    async with kumite.run_test():
        return dict(kumite.theme_variables)


@pytest.mark.parametrize("name", theme.names())
async def test_ink_stands_out_from_its_paper(name: str) -> None:
    found = await colors(name)
    faint = {}
    for role, (ink, paper, _) in ROLES.items():
        papers = (paper,) if paper else PAPERS
        ratio = min(ratio_of(found[ink], found[one]) for one in papers)
        if ratio < (MARK if role in SEEN or role in SEASONS else TEXT):
            faint[role] = round(ratio, 1)
    assert faint == {}


async def test_the_theme_without_colours_has_none_in_what_is_written() -> None:
    found = await colors("mono")
    inks = {found[name] for ink, paper, _ in ROLES.values() for name in (ink, paper) if name}
    colored = [one for one in inks if len({*Color.parse(one).rgb}) > 1]
    assert colored == []
    mono = palettes.read("mono")
    marks = [mono.color(name) for name in ("blue", "orange")]  # of the clans of Kitsune
    assert [len({*Color.parse(one).rgb}) for one in marks] == [1, 1]


def ratio_of(one: str, other: str) -> float:
    """Return the contrast as WCAG 2 counts it, 1 to 21."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def luminance(text: str) -> float:
    parts = Color.parse(text).normalized
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_contrast_is_counted_as_others_do() -> None:
    assert ratio_of("#000000", "#ffffff") == 21
    assert round(ratio_of("#777777", "#ffffff"), 2) == 4.48
