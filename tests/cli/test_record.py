"""`kumite record`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from kumite.cli.main import main
from kumite.core.bots.anchors import ANCHORS
from kumite.core.bots.levels import BOTS
from kumite.core.log import Header, log_text
from kumite.tui import settings
from tests.support.random_matches import short_setup, walk

if TYPE_CHECKING:
    from pathlib import Path


def kumite(*args: str, status: int = 0) -> str:
    done = CliRunner().invoke(main, args)
    assert done.exit_code == status, done.output
    return done.output


@pytest.fixture(autouse=True)
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))
    for day, game_id in enumerate(("kitsu", "kuzushi", "kuzushi"), start=1):
        match = walk(short_setup(game_id), day)
        header = Header(f"{day:04x}", match.setup, ("Ada", "bot:easy"))
        path = tmp_path / f"2026-01-0{day}-120000-x.kumite"
        path.write_text(log_text(header, match), encoding="utf-8")
    return tmp_path


def test_it_tells_games_by_the_names_of_the_settings() -> None:
    assert kumite("record").startswith("Nothing to count yet")
    assert "called nobody." in kumite("record", "--name", "nobody")
    settings.keep(name="cid", aliases="bob, ada")
    said = kumite("record")
    assert said.index("Kuzushi\n") < said.index("Kitsu!\n")
    assert "2 matches" in said
    assert "Kitsu!" not in kumite("record", "kuzushi")
    assert json.loads(kumite("record", "--json"))["kuzushi"]["matches"] == 2
    assert kumite("record", "--name", "nobody").startswith("Nothing")
    assert "no game" in kumite("record", "chess", status=2)


def test_every_bot_has_its_place_on_the_scale() -> None:
    assert {name.removeprefix("bot:") for name in ANCHORS} == set(BOTS)
