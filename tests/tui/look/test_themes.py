"""Every theme can be read: how much ink differs from the paper under it."""

from __future__ import annotations

import pytest
from textual.color import Color

from kumite.tui.app import KumiteApp
from kumite.tui.look import colors as palettes
from kumite.tui.settings import Settings
from tests.support.contrast import TEXT, every_role, ratio

MARK = 2.5  # least contrast of what is only seen
PAPERS = ("background", "ground")  # of panels and of boards
SEEN = {"fits", "kuzushi.outside"}  # dots where nothing lies
SEASONS = ("kitsu.spring", "kitsu.summer", "kitsu.autumn", "kitsu.winter")


async def colors(name: str) -> dict[str, str]:
    """Return all colours of a theme, the app's own included."""
    kumite = KumiteApp(Settings(theme=name))
    async with kumite.run_test():
        return dict(kumite.theme_variables)


@pytest.mark.parametrize("name", palettes.names())
async def test_ink_stands_out_from_its_paper(name: str) -> None:
    found = await colors(name)
    faint = {}
    for role, (ink, paper, _) in every_role().items():
        papers = (paper,) if paper else PAPERS
        ratio = min(ratio_of(found[ink], found[one]) for one in papers)
        if ratio < (MARK if role in SEEN or role in SEASONS else TEXT):
            faint[role] = round(ratio, 1)
    assert faint == {}


async def test_the_theme_without_colours_has_none_in_what_is_written() -> None:
    found = await colors("mono")
    inks = {found[name] for ink, paper, _ in every_role().values() for name in (ink, paper) if name}
    colored = [one for one in inks if len({*Color.parse(one).rgb}) > 1]
    assert colored == []
    mono = palettes.read("mono")
    marks = [mono.color(name) for name in ("blue", "orange")]  # of the clans of Kitsune
    assert [len({*Color.parse(one).rgb}) for one in marks] == [1, 1]


def ratio_of(one: str, other: str) -> float:
    return ratio(Color.parse(one).rgb, Color.parse(other).rgb)


def test_the_contrast_is_counted_as_others_do() -> None:
    assert ratio_of("#000000", "#ffffff") == 21
    assert round(ratio_of("#777777", "#ffffff"), 2) == 4.48
