"""`kumite record`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kumite.core.bots.anchors import ANCHORS
from kumite.core.bots.chances import measured
from kumite.core.bots.levels import BOTS, LEVELS, MODELS
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text
from kumite.tui import settings
from tests.support.commands import kumite
from tests.support.random_matches import short_setup, walk


@pytest.fixture
def logs(folder: Path) -> None:
    folder.mkdir()
    for day, game_id in enumerate(("kitsu", "kuzushi", "kuzushi"), start=1):
        match = walk(short_setup(game_id), day)
        header = Header(f"{day:04x}", match.setup, ("Ada", "bot:easy"))
        path = folder / f"2026-01-0{day}-120000-x.kumite"
        path.write_text(log_text(header, match), encoding="utf-8")


@pytest.mark.usefixtures("logs")
def test_it_tells_games_by_the_names_of_the_settings() -> None:
    assert kumite("record").output.startswith("No match of yours yet")
    assert "called nobody." in kumite("record", "--name", "nobody").output
    settings.keep(name="cid", aliases="bob, ada")
    said = kumite("record").output
    assert said.index("Kuzushi\n") < said.index("Kitsu!\n")
    assert "2 matches" in said
    assert "Kitsu!" not in kumite("record", "kuzushi").output
    assert json.loads(kumite("record", "--json").output)["kuzushi"]["matches"] == 2
    assert kumite("record", "--name", "nobody").output.startswith("No match")
    assert "no game" in kumite("record", "chess", status=2).output


def test_every_bot_has_its_place_on_the_scale() -> None:
    assert set(ANCHORS) == set(MODELS)
    for places in ANCHORS.values():
        assert {name.removeprefix("bot:") for name in places} == set(BOTS)
        ranks = [places[f"bot:{level}"].points for level in ("random", "simple", *LEVELS)]
        assert ranks == sorted(ranks)
        assert places["bot:strong"] == places["bot:8"]


@pytest.mark.parametrize("game_id", ANCHORS)
def test_levels_stand_as_far_apart_as_the_arena_has_measured(game_id: str) -> None:
    found = measured(game_id)
    assert found is not None
    page = (Path(__file__).parents[2] / "docs" / "measured.md").read_text("utf-8")
    rows = page.partition("| game, matches |")[2].partition("\n\n")[0]
    title = GAMES[game_id].TITLE
    (row,) = re.findall(rf"^\| {title}, \d+ \|.*$", rows, re.MULTILINE)
    assert tuple(map(int, re.findall(r"\+(\d+)", row))) == found.steps
