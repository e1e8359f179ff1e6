"""Games and bots of other packages: played like ours, reported if they fail, never in the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from kumite.core import bots
from kumite.core.errors import BadLog, BadSetup
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES, NAMES, PLUGINS, find, package_of
from kumite.core.log import Header, log_text, read
from kumite.core.plugins import Plugins
from kumite.net.session import events, joining, lobby
from tests.support import plugins
from tests.support.lan_tables import opened, with_bob
from tests.support.places import ROOT
from tests.support.random_matches import walk


@pytest.fixture
def ishi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setup:
    plugins.template(tmp_path / "site", monkeypatch)
    return Setup.of(find("ishi"), 2, {"stones": 21})


def test_the_template_is_short() -> None:
    lines = (plugins.TEMPLATE / "kumite_ishi.py").read_text().splitlines()
    assert len(lines) <= 60


def test_a_game_of_another_package_is_listed_after_ours(ishi: Setup) -> None:
    assert list(GAMES) == [*NAMES, "ishi"]
    assert len(GAMES) == len(NAMES) + 1
    assert package_of("ishi") == "kumite-ishi 1.0"
    assert package_of(NAMES[0]) == package_of("unheard") == ""


def test_its_positions_and_logs_can_be_read_again(ishi: Setup) -> None:
    match = walk(ishi, 1)
    assert match.outcome is not None
    for one in match.line():
        assert ishi.game.unpack(ishi.game.pack(one.state)) == one.state
        assert ishi.game.parse(ishi.game.text(one.state)) == one.state
    log = read(log_text(Header("ab12", ishi, ("ada", "bob")), match))
    assert log.match.digest == match.digest
    assert log.damage is None


def test_a_log_whose_game_is_not_installed_names_the_package(
    ishi: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = log_text(Header("ab12", ishi, ("ada", "bob")), walk(ishi, 1))
    monkeypatch.setitem(vars(PLUGINS), "_loaded", {"ishi": None})
    with pytest.raises(BadLog, match="the game ishi is not installed") as caught:
        read(text)
    assert "kumite-ishi 1.0" in caught.value.hint


def test_a_bot_of_another_package_plays(ishi: Setup) -> None:
    match = walk(ishi, 1, longest=0)
    seen = match.seen_by(frozenset({Seat(0)}))
    asked = bots.Position(ishi.game, seen.state, Seat(0), seen.steps(), seen.legal(Seat(0)))
    assert bots.find("counter")(asked, Random(1), bots.Budget(1)).step == "1"  # leaves 20
    assert bots.is_bot("counter")
    with pytest.raises(BadSetup) as caught:
        bots.find("unheard")
    assert "counter" in caught.value.hint


def test_a_table_on_the_lan_plays_it(ishi: Setup) -> None:
    net = opened(ishi)
    net.host.start()
    with_bob(net)
    net.host.feed(events.Order.START)
    net.run(net.now + 5)
    while (match := net.host.live.ledger.match).actors:
        net.step(net.nodes[int(match.actors[0])])
    assert [node.live.ledger.match.digest for node in net.nodes] == [match.digest] * 2


def test_a_table_on_the_lan_needs_one_version_of_the_package(
    ishi: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = iter(("kumite-ishi 1.0", "kumite-ishi 2.0"))  # the host's, then bob's
    for module in (lobby, joining):
        monkeypatch.setattr(module, "package_of", lambda _: next(versions))
    net = opened(ishi)
    net.host.start()
    bob = net.join("bob")
    net.run(3)
    (stopped,) = bob.told(events.Stopped)
    assert "ishi by kumite-ishi 1.0, bob by kumite-ishi 2.0" in stopped.text
    assert not bob.told(events.Lobby)


def test_what_fails_is_named_and_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(Plugins, "warn", said.append)
    (tmp_path / "bad_games.py").write_text("ID = 'other'\nBOT = 3\n")
    (tmp_path / "worse_games.py").write_text("raise RuntimeError('of the plug-in')\n")
    ours = "kumite.core.games.kuzushi.rules"
    games = {"lacks": "bad_games", "raises": "worse_games", "kumo": ours, "another": ours}
    found = {"kumite.games": games, "kumite.bots": {"number": "bad_games:BOT"}}
    plugins.installed(tmp_path, monkeypatch, "bad-games", found)
    plugins.installed(tmp_path / "b", monkeypatch, "twice", {"kumite.games": {"lacks": "x"}})
    assert list(GAMES) == list(NAMES)
    assert not bots.is_bot("number")
    told = "\n".join(said)
    for part in (
        "raises of the package bad-games 1.0 is left out: RuntimeError: of the plug-in",
        "another of the package bad-games 1.0 is left out: it calls itself 'kuzushi'",
        "kumo of the package bad-games 1.0 is left out: kumite has a game of this name",
        "bot number of the package bad-games 1.0 is left out: it is no function",
        "lacks of the package bad-games 1.0 is left out: twice 1.0 has it, too",
    ):
        assert part in told
    assert len(said) == 6  # each once, though GAMES is asked again
    with pytest.raises(BadSetup):
        find("raises")


@pytest.mark.parametrize(
    ("args", "is_looked_for"),
    [
        (["demo", "kuzushi", "--seats", "bot:random,bot:simple", "--seed", "1"], False),
        (["demo", "unheard"], True),
        (["demo", "--help"], True),
    ],
)
def test_plug_ins_are_looked_for_when_games_are_listed_or_another_one_is_named(
    args: list[str], is_looked_for: bool, tmp_path: Path
) -> None:
    """Not at a start with one of our games; one that fails is then named."""
    info = tmp_path / "bad-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bad\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[kumite.games]\nunheard = no_such_module\n")
    done = subprocess.run(
        [sys.executable, "-m", "kumite", *args], cwd=ROOT, timeout=60, check=False,
        env=os.environ | {"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True,
    )  # fmt: skip
    said = "The game unheard of the package bad 1.0 is left out: ModuleNotFoundError"
    assert (said in done.stderr) == is_looked_for, done.stderr
