"""What was shown as made is on the disk, or told; nothing half made is left."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from kumite.core.errors import KumiteError
from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.log import End, Header, log_text
from kumite.net.replica.records import Ticket
from kumite.net.transport.journal import Journal
from kumite.store import log_files, whole_files
from kumite.store.background import DISK, Background
from kumite.store.log_files import LogFile, StoreError
from tests.support.random_matches import walk

SETUP = Setup.of(GAMES["kuzushi"])
MATCH = walk(SETUP, 1, longest=8)
HEADER = Header("ab12", SETUP, ("ada", "bob"))


@pytest.mark.parametrize("how", ["deleted", "replaced", "emptied"])
def test_a_log_that_is_gone_is_noticed_at_the_next_step_and_written_anew(
    tmp_path: Path, how: str
) -> None:
    file = LogFile.create(HEADER, MATCH.back(5), tmp_path)
    file.add("say 0 hello")
    path = file.path
    if how == "deleted":
        path.unlink()
    elif how == "replaced":
        other = tmp_path / "other"
        other.write_text("something else")
        other.replace(path)
    else:
        path.write_text("")
    file.sync(MATCH)
    file.close()
    assert (file.path == path) == (how == "deleted")
    found = log_files.load(file.path)
    assert found.damage is None
    assert found.match.digest == MATCH.digest
    kinds = [entry.kind for entry in found.entries]
    assert kinds == [*["step"] * 5, "say", *["step"] * 3, "note"]
    if how == "replaced":
        assert path.read_text() == "something else"


def test_a_log_that_stays_is_never_written_anew(tmp_path: Path) -> None:
    file = LogFile.create(HEADER, MATCH.back(0), tmp_path)
    for number in range(MATCH.number + 1):
        file.sync(MATCH.back(number))
    file.close()
    again, _ = LogFile.reopen(file.path)
    again.add("say 1 侍")
    again.add("say 1 bye")
    again.close()
    assert len(list(tmp_path.iterdir())) == 1
    assert file.path.read_text().startswith(log_text(HEADER, MATCH))


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_at_the_start_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LogFile, "_write", lambda *_: full())
    with pytest.raises(OSError, match="No space"):
        LogFile.create(HEADER, MATCH, tmp_path)
    monkeypatch.setattr(Journal, "_write", lambda *_: full())
    with pytest.raises(OSError, match="No space"):
        Journal.create(tmp_path / "00.table")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("at", ["fsync", "read_bytes"])
def test_a_failed_export_leaves_nothing_and_one_that_is_there_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    there = tmp_path / "there"
    there.write_text("mine")
    with pytest.raises(FileExistsError):
        whole_files.write_new(there, b"x" * 100)
    if at == "fsync":
        monkeypatch.setattr(whole_files.os, "fsync", full)
    else:
        monkeypatch.setattr(Path, "read_bytes", lambda self: b"other")
    with pytest.raises(OSError, match=r"No space|read back"):
        whole_files.write_new(tmp_path / "new", b"x" * 100)
    monkeypatch.undo()
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
    assert there.read_text() == "mine"


def test_an_end_and_each_post_are_brought_to_the_disk_and_no_step_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    threads: list[str] = []

    def fsync(number: int) -> None:
        import threading

        synced.append(os.path.basename(os.readlink(f"/proc/self/fd/{number}")))
        threads.append(threading.current_thread().name)

    monkeypatch.setattr(os, "fsync", fsync)
    file = LogFile.create(HEADER, MATCH.back(0), tmp_path)
    DISK.finish()
    synced.clear()
    file.sync(MATCH)
    DISK.finish()
    assert synced == []  # a step is written and flushed; the disk takes it in its own time
    file.end(End("agreed"))
    DISK.finish()
    assert synced == [file.path.name]
    file.close()
    journal = Journal.create(tmp_path / "00.table")
    DISK.finish()  # its beginning, too
    for number in range(3):
        journal.add(Ticket(number, None, b""))
        DISK.finish()
    journal.close()
    assert synced[1:] == ["00.table"] * 4
    assert set(threads) == {"kumite-disk"}


def test_what_is_to_be_done_later_is_done_in_its_order_and_once_all_is_waited_for() -> None:
    work, done = Background(), []
    for number in range(200):
        work.later(lambda number=number: done.append(number))
    work.finish()
    assert done == list(range(200))


def test_the_words_of_a_full_disk_name_the_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot write .*: No space left") as caught:
        raise log_files.cannot("write", tmp_path, OSError(errno.ENOSPC, os.strerror(28)))
    assert isinstance(caught.value, KumiteError)


@pytest.mark.parametrize("call", ["fsync", "chmod"])
def test_a_file_system_that_cannot_sync_or_has_no_modes_takes_files(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise OSError({"fsync": errno.EINVAL, "chmod": errno.EPERM}[call], "injected")

    (tmp_path / "old").write_bytes(b"old")
    monkeypatch.setattr(os, call, failing)
    whole_files.write_whole(tmp_path / "old", b"new")
    whole_files.write_new(tmp_path / "made", b"made", is_own=True)
    assert (tmp_path / "old").read_bytes() == b"new"
