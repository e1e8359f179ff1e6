"""Bots and programs by others, named on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from kumite.cli.main import main
from kumite.core.game import Seat, Setup
from kumite.core.games import find
from kumite.core.log import Header
from kumite.core.match import Match
from kumite.store import log_files
from tests.support.places import BOT_EXAMPLES

if TYPE_CHECKING:
    from kumite.tui.play.local_table import LocalTable


def test_a_demo_is_played_by_whom_one_names() -> None:
    seats = f"bot:random,cmd:sh {BOT_EXAMPLES}/mybot.sh"
    args = ["demo", "kiriai", "--seats", seats, "--option", "rounds=20", "--seed", "1"]
    done = CliRunner().invoke(main, args)
    assert done.exit_code == 0, done.output
    assert "cmd:mybot.sh plans" in done.output
    assert CliRunner().invoke(main, args).output == done.output


def test_a_demo_has_no_people() -> None:
    done = CliRunner().invoke(main, ["demo", "kuzushi", "--seats", "ada,bot:simple"])
    assert done.exit_code == 2
    assert "'ada' is neither a number of seats nor a bot" in done.output


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ("play kuzushi --seats ada,cmd:./nobody", "there is no program './nobody'"),
        ("demo kuzushi --seats bot:simple,cmd:", "there is no program ''"),
        ("host kuzushi --seats 3 --bots 3:cmd:./nobody", "there is no program './nobody'"),
        ("host kuzushi --seats 3 --bots 4:cmd:sh", "there is no seat 4"),
        ("host kuzushi --seats 3 --bots 2:nobody", "no bot 'nobody'"),
    ],
)
def test_a_program_that_does_not_exist_is_told_before_anything_begins(args: str, said: str) -> None:
    done = CliRunner().invoke(main, args.split())
    assert done.exit_code == 2
    assert said in done.output


def test_resuming_with_a_command_that_is_typed_starts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = Setup.of(find("kuzushi"))
    header = Header("ab" * 8, setup, ("ada", "cmd:mybot"))
    file = log_files.LogFile.create(header, Match.begin(setup), tmp_path)
    file.close()
    opened: list[LocalTable] = []
    monkeypatch.setattr(
        "kumite.cli.opening.open_table", lambda _, make, **__: opened.append(make())
    )
    args = ["resume", str(file.path), "--bots", f"2:cmd:sh {BOT_EXAMPLES}/mybot.sh"]
    done = CliRunner().invoke(main, args)
    assert done.exit_code == 0, done.output
    (table,) = opened
    assert table.names == ("ada", "cmd:mybot.sh")
    assert table.bots == {Seat(1): f"cmd:sh {BOT_EXAMPLES}/mybot.sh"}
    table.close()
