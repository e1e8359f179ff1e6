"""Whole matches of every game in a pseudo-terminal of 80x24, by keys alone, to the result."""

from __future__ import annotations

import sys
from random import Random

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are a matter of POSIX", allow_module_level=True)

from pathlib import Path

from kumite.store import log_files
from tests.support.player import Player
from tests.support.terminal import Terminal

MATCHES = [
    ("kuzushi", "ada,bob", ["board=small"], "board typed"),
    ("kitsune", "ada,bot:simple", ["wins=1", "track=8"], "beside"),
    ("kitsu", "ada,bob", ["limit=40"], "board beside typed back"),
    ("kiriai", "ada,bob", ["rounds=20"], "beside typed uncovered back"),
]
# South walks a pair of kumo to the stone and pushes it over the north edge; north, which has to do
# something as well, changes a Kumotori's stance and turns the arena back.
STONE_WINS = [
    *("+e1=run", "run:e1-e3", "e3-e4", "e4=kumo", "cw"),
    *("+a9=run", "a9=kumo", "a9=run", "a9=kumo", "ccw"),
    *("+e1=run", "run:e1-e3", "e3=kumo", "push:e4+e3", "cw"),
    *("a9=run", "a9=kumo", "a9=run", "a9=kumo", "ccw"),
    *("push:e5+e4", "push:e6+e5", "push:e7+e6", "push:e8+e7"),
]


def only_result(folder: Path, names: str) -> tuple[Path, str]:
    """Return the only match saved in a folder, which is over, and what is said of who won it.

    By these names; whoever is the only person among them is told "You won".
    """
    (path,) = folder.glob("*.kumite")
    log = log_files.load(path)
    assert log.damage is None
    assert log.match.outcome is not None
    players = names.split(",")
    persons = [name for name in players if not name.startswith("bot:")]
    called = ["You" if [name] == persons else name.replace("bot:", "bot ") for name in players]
    winners = [called[seat] for seat in log.match.outcome.winners]
    return path, f"{' and '.join(winners)} won" if winners else "A draw"


def play(logs: Path, game: str, seats: str, *options: str) -> Terminal:
    given = [part for option in options for part in ("--option", option)]
    environment = {"KUMITE_LOGS": str(logs), "XDG_CONFIG_HOME": str(logs / "none")}
    terminal = Terminal("play", game, "--seats", seats, *given, environment=environment)
    terminal.wait_for("rules, help", "leave")
    terminal.settle()
    return terminal


def check_end(logs: Path, names: str, player: Player) -> None:
    """Hold the result on the screen against the log; leave in good order."""
    terminal = player.terminal
    assert terminal.wait_until(lambda: player.is_over), terminal.text
    terminal.wait_for("m rematch")
    _, result = only_result(logs, names)
    terminal.type("v")  # on the card it stands in large letters
    assert terminal.wait_until(lambda: result.casefold() in terminal.text.casefold())
    assert player.leave() == 0


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats", "options", "ways"), MATCHES)
def test_a_whole_match_by_keys(
    tmp_path: Path, game: str, seats: str, options: list[str], ways: str
) -> None:
    with play(tmp_path, game, seats, *options) as terminal:
        player = Player(terminal, Random(f"{game} {seats} 1"))
        player.play()
        check_end(tmp_path, seats, player)
    assert player.used["taken back"]
    assert all(player.used[way] for way in ways.split()), player.used


@pytest.mark.slow
def test_a_match_of_kumo_hogosha_is_won_by_the_stone(tmp_path: Path) -> None:
    """Random play never wins it; all at once typed, for a person does not wait either."""
    with play(tmp_path, "kumo", "ada,bob") as terminal:
        player = Player(terminal, Random(1))
        for step in STONE_WINS:
            before = player.title
            assert player.until(lambda b=before: player.title != b, ":", *step, "enter"), step
        check_end(tmp_path, "ada,bob", player)
