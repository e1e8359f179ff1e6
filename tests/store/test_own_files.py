"""Saved matches hold hands and plans: nobody but their owner may read them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.log import Header
from kumite.store import system
from kumite.store.log_files import LogFile
from kumite.store.whole_files import copy_aside

if TYPE_CHECKING:
    import pytest

HEADER = Header("0123456789abcdef", Setup.of(GAMES["kuzushi"], 2), ("ada", "bob"))


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o7777


def test_logs_and_their_folder_are_for_their_owner_alone(tmp_path: Path) -> None:
    into = tmp_path / "deep" / "matches"
    log = LogFile.create(HEADER, HEADER.begin(), into)
    log.close()
    assert (mode(into), mode(log.path)) == (0o700, 0o600)


def test_what_was_open_to_others_is_narrowed_when_it_is_used_again(tmp_path: Path) -> None:
    into = tmp_path / "matches"
    log = LogFile.create(HEADER, HEADER.begin(), into)
    log.close()
    into.chmod(0o755)
    log.path.chmod(0o664)
    log, _ = LogFile.reopen(log.path)
    log.close()
    assert (mode(into), mode(log.path)) == (0o700, 0o600)
    into.chmod(0o777)
    LogFile.create(HEADER, HEADER.begin(), into / "..").close()
    LogFile.create(Header("00", HEADER.setup, HEADER.names), HEADER.begin(), into).close()
    assert mode(into) == 0o700


def test_a_folder_that_others_use_too_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    monkeypatch.setenv("HOME", str(home))
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    for folder, kept in ((home, 0o755), (tmp_path, mode(tmp_path)), (shared, 0o1777)):
        system.own_folder(folder)
        assert mode(folder) == kept


def test_a_copy_of_a_secret_file_is_no_less_secret(tmp_path: Path) -> None:
    path = tmp_path / "one.table"
    assert mode(copy_aside(path, b"secret")) == 0o600
