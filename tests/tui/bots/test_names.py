"""What players are called: names in a line, and programs by their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from kumite.tui.bots.programs import called
from kumite.tui.play.local_table import split_names


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("ada,bob", ["ada", "bob"]),
        (" ada , ,bot:simple", ["ada", "", "bot:simple"]),
        ("me,cmd:./x -d 3", ["me", "cmd:./x -d 3"]),
        ("cmd:./x 'a, b',O'Neil,eve", ["cmd:./x 'a, b'", "O'Neil", "eve"]),
        ('cmd:./x "a,b" c,cmd:y', ['cmd:./x "a,b" c', "cmd:y"]),
        ("cmd:./x 'a,eve", ["cmd:./x 'a", "eve"]),
        ("2:simple,3:cmd:./x '1,2',4", ["2:simple", "3:cmd:./x '1,2'", "4"]),
    ],
)
def test_names_are_split_at_commas_but_not_within_quotes(said: str, names: list[str]) -> None:
    assert split_names(said) == names


def test_a_program_is_called_by_its_file_and_commands_that_differ_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my own bot for the winter cup.py").touch()
    long = "cmd:sh 'my own bot for the winter cup.py'"
    names, programs = called(["cmd:sh -c 1", "ada", "cmd:sh -c 2", "cmd:sh -c 1", long])
    assert names == ("cmd:sh", "ada", "cmd:sh 2", "cmd:sh", "cmd:my own bot for the")
    assert programs == {
        "cmd:sh": "cmd:sh -c 1",
        "cmd:sh 2": "cmd:sh -c 2",
        "cmd:my own bot for the": long,
    }
    assert max(map(len, names)) <= 24  # the most that a LAN table takes
