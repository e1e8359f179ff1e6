"""Line mode as a person meets it who hears nothing but its words: whole matches through pipes."""

from __future__ import annotations

import re
import signal
import sys
from random import Random

import pytest

if sys.platform == "win32":
    pytest.skip("signals are a matter of POSIX", allow_module_level=True)

from pathlib import Path

from kumite.store import log_files
from tests.support.talk import OVER, Talk, at_lan_table, play_lan, play_on
from tests.whole.test_whole_matches import STONE_WINS, only_result

MATCHES = [
    ("kuzushi", "ada,bob", ["board=small"]),
    ("kitsune", "ada,bob", ["wins=1", "track=8"]),
    ("kitsune", "ada,bot:simple", ["wins=1", "track=8"]),
    ("kitsu", "ada,bob", ["limit=40"]),
    ("kiriai", "ada,bob", ["rounds=20"]),
]


def environment(folder: Path, **more: str) -> dict[str, str]:
    return {"KUMITE_LOGS": str(folder), "XDG_CONFIG_HOME": str(folder / "none"), **more}


def talk(folder: Path, game: str, seats: str, *options: str) -> Talk:
    given = [part for option in options for part in ("--option", option)]
    where = environment(folder)
    return Talk("play", game, "--plain", "--seats", seats, *given, environment=where)


def check_end(folder: Path, names: str, said: str) -> None:
    """Hold what was said last against the log."""
    path, result = only_result(folder, names)
    end = said.rpartition(f"{result}: ")[2]
    assert end.endswith("The match is saved; `replay` tells it again.\n")
    assert str(path) not in said, "nobody wants to hear a path"
    assert end.count("\n") < 12, "who has won is said at once, and no position after it"


@pytest.mark.parametrize(("game", "seats", "options"), MATCHES)
def test_a_whole_match_by_what_is_said_alone(
    tmp_path: Path, game: str, seats: str, options: list[str]
) -> None:
    with talk(tmp_path, game, seats, *options) as one:
        play_on(one, Random(f"{game} {seats}"), one.listen())
        assert one.end() == 0
        check_end(tmp_path, seats, one.said)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", one.said)


def test_a_match_of_kumo_hogosha_is_won_by_the_stone_in_one_breath(tmp_path: Path) -> None:
    """All lines stand in the pipe before the first is read, as in a file."""
    with talk(tmp_path, "kumo", "ada,bob") as one:
        for step in STONE_WINS:
            one.say(step)
        assert one.end() == 0
        check_end(tmp_path, "ada,bob", one.said)


def test_a_dumb_terminal_is_talked_to_by_itself(tmp_path: Path) -> None:
    with Talk("play", "kuzushi", environment=environment(tmp_path, TERM="dumb")) as one:
        assert "line mode" in one.listen()
        assert "1. player 2 lays e6" in one.ask("e6")
        one.say("quit")
        assert one.end() == 0


def test_a_match_that_was_left_is_gone_on_with(tmp_path: Path) -> None:
    with talk(tmp_path, "kuzushi", "ada,bob") as one:
        one.listen()
        one.ask("e6")
        one.hang_up()
        assert one.end() == 0
    with Talk("resume", "--plain", environment=environment(tmp_path)) as one:
        assert "continues after step 1" in one.listen()
        assert "1. bob lays e6" in one.ask("log")


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_talk_with_its_status_and_the_log_complete(
    tmp_path: Path, sign: int
) -> None:
    with talk(tmp_path, "kuzushi", "ada,bob") as one:
        one.listen()
        one.ask("e6")
        one.process.send_signal(sign)
        assert one.end() == 128 + sign
        assert "Traceback" not in one.said
    (path,) = tmp_path.glob("*.kumite")
    assert log_files.load(path).match.number == 1


@pytest.mark.parametrize("game", ["kuzushi", "kiriai"])
def test_a_match_between_two_terminals_that_talk(tmp_path: Path, game: str) -> None:
    options = {"kuzushi": "board=small", "kiriai": "rounds=20"}
    folders = environment(tmp_path / "ada"), environment(tmp_path / "bob")
    with at_lan_table(game, "--option", options[game], folders=folders) as (host, guest):
        guest.say("say good luck")
        host.wait_for("> bob: good luck")
        play_lan([host, guest], Random(game))
        assert all(OVER in one.said for one in (host, guest))
        for one in (guest, host):  # without a host there is no table
            one.say("quit")
            assert one.end() == 0
    logs = [log_files.load(next((tmp_path / who).glob("*.kumite"))) for who in ("ada", "bob")]
    assert logs[0].match.outcome == logs[1].match.outcome is not None
    assert logs[0].match.digest == logs[1].match.digest
