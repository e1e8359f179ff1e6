"""Tables' files: whole, torn, locked, of another kumite, and not for others' eyes."""

from __future__ import annotations

import errno
import io
import os
import threading
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from kumite.core.errors import BadData
from kumite.core.game import Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.net.replica.records import (
    Credentials,
    Evidence,
    MatchStart,
    Own,
    Placed,
    Record,
    Secret,
    Ticket,
)
from kumite.net.replica.roster import Roster, Terminal
from kumite.net.session import events, session
from kumite.net.transport import journal
from kumite.net.transport.journal import Journal
from kumite.net.transport.peer import MatchFiles, Place
from kumite.net.wire import fields, posts
from kumite.store.background import DISK
from kumite.store.log_files import StoreError
from tests.net.wire.test_messages import POSTS
from tests.support.simulation import VERSION

MATCH = "0123456789abcdef"
TERMINALS = (
    Terminal("ada", frozenset({Seat(0)}), b"a" * 32, b"b" * 32),
    Terminal("bob", frozenset({Seat(1)}), b"c" * 32, b"d" * 32),
)
ROSTER = Roster(MATCH, Setup.of(GAMES["kiriai"], 2), ("ada", "bob"), TERMINALS, (60, 5, 60))
OWN = Own(Step("high,approach"), (b"x" * fields.COMMITMENT,) * 2, (b"y" * fields.SALT,) * 2)
PLAY = posts.Play(3, Seat(1), Step("?,?"), OWN.commitments, 1200)
RECORDS: list[Record] = [
    Credentials(MATCH, MATCH, 3, b"k" * 32, b"s" * 32, False, "bob", (Seat(1),), False),
    Ticket(1, None, b"w" * 32, "eve"),
    Ticket(3, 1, b"k" * 32),
    MatchStart(ROSTER, 1),
    Secret(PLAY, OWN),
    posts.Post(1, 1, PLAY, 7, b"z" * 64, 900),
    Evidence(posts.Post(0, 1, PLAY, 7, b"z" * 64, 900)),
]


def written(path: Path) -> bytes:
    made = Journal.create(path)
    for record in RECORDS:
        made.add(record)
    made.close()
    return path.read_bytes()


def reread(path: Path) -> list[Record]:
    return journal.read(path.read_bytes()).records


def test_what_was_written_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "one.table"
    written(path)
    assert path.stat().st_mode & 0o777 == 0o600
    again, found = Journal.open(path)
    assert found == RECORDS
    again.add(Ticket(4, None, b""))
    again.close()
    again, found = Journal.open(path)
    again.close()
    assert found == [*RECORDS, Ticket(4, None, b"")]


def test_a_match_is_never_overwritten_by_another_of_its_name(tmp_path: Path) -> None:
    """Hosts name matches: one could name an old one of ours."""
    path = tmp_path / "one.table"
    before = written(path)
    with pytest.raises(StoreError, match="already contains a match"):
        Journal.create(path)
    assert path.read_bytes() == before
    path.write_bytes(journal.FORMAT + journal.packed(RECORDS[0]))  # invited, and no more
    Journal.create(path).close()
    assert path.read_bytes() == journal.FORMAT


@given(POSTS)
def test_any_post_comes_back(post: posts.Post) -> None:
    data = journal.FORMAT + journal.packed(post)
    found = journal.read(data)
    assert (found.records, found.whole) == ([post], data)


def chunks() -> list[bytes]:
    """Return what is written for each record, the two copies of the beginning among it."""
    file = journal.Kept()
    return [file.add(record, file.places + 1) for record in RECORDS]


def ends() -> list[int]:
    """Return where in the file each record ends, and before them its first line."""
    return list(accumulate(map(len, chunks()), initial=len(journal.FORMAT)))


def test_a_tail_torn_at_any_byte_is_cut_off_and_the_file_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "one.table"
    whole, more = written(path), Ticket(9, None, b"")
    assert whole == journal.FORMAT + b"".join(chunks())
    for size in range(ends()[3], len(whole) + 1, 3):
        path.write_bytes(whole[:size])
        again, found = Journal.open(path)
        count = sum(end <= size for end in ends()) - 1
        is_copying = ends()[3] + len(journal.packed(RECORDS[3])) <= size < ends()[4]
        assert found == RECORDS[: count + is_copying]
        again.add(more)
        again.close()
        again, found = Journal.open(path)
        again.close()
        assert [one for one in found if one != more] == RECORDS[: count + is_copying]
        assert more in found
        for one in tmp_path.glob("*.damaged*"):
            assert one.read_bytes() == whole[:size]
            assert one.stat().st_mode & 0o777 == 0o600
            one.unlink()


def test_a_changed_byte_costs_one_record_and_of_what_is_read_first_nothing() -> None:
    data, records_end = journal.FORMAT + b"".join(chunks()), ends()
    for at in range(len(journal.FORMAT), len(data)):
        changed = data[:at] + bytes([data[at] ^ 16]) + data[at + 1 :]
        found = journal.read(changed)
        assert found.is_broken
        where = sum(end <= at for end in records_end) - 1
        left = list(RECORDS)
        if where > 3:
            del left[where]
        assert sorted(map(repr, found.records)) == sorted(map(repr, left))
        assert sorted(map(repr, journal.read(found.whole).records)) == sorted(map(repr, left))
        assert not journal.read(found.whole).is_broken


def test_a_file_with_damage_is_copied_aside_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "one.table"
    data = bytearray(written(path))
    data[len(journal.FORMAT) + 20] ^= 1
    path.write_bytes(data)
    path.chmod(0o644)
    again, found = Journal.open(path)
    assert found == RECORDS
    (copy,) = tmp_path.glob("*.damaged")
    assert copy.read_bytes() == data
    assert {one.stat().st_mode & 0o777 for one in (copy, path)} == {0o600}
    with pytest.raises(StoreError, match="another kumite"):  # the new file is locked, too
        Journal.open(path)
    again.close()
    assert reread(path) == RECORDS


def posts_of(count: int) -> list[posts.Post]:
    return [posts.Post(0, n, posts.Say(f"post {n}"), n - 1, b"z" * 64, n) for n in range(1, count)]


def with_the_third_lost(folder: Path) -> tuple[Path, list[posts.Post]]:
    """Return a journal of six posts whose third is damaged, and the posts as they were."""
    path, made = folder / "one.table", posts_of(7)
    journal = Journal.create(path)
    for record in (RECORDS[0], RECORDS[3], *made):
        journal.add(record)
    journal.close()
    data = path.read_bytes()
    at = data.index(b"post 3")
    path.write_bytes(data[:at] + b"X" + data[at + 1 :])
    return path, made


def test_posts_behind_a_lost_one_come_later_and_count_when_it_is_there_again(
    tmp_path: Path,
) -> None:
    path, made = with_the_third_lost(tmp_path)
    journal, found = Journal.open(path)
    assert found[2:] == [*made[:2], *(Placed(n, made[n - 1]) for n in (4, 5, 6))]
    size = path.stat().st_size
    journal.add(made[2], 3)
    assert path.stat().st_size > size
    size = path.stat().st_size
    for place in (4, 5, 6):  # they are there already
        journal.add(made[place - 1], place)
    assert path.stat().st_size == size
    journal.close()
    assert reread(path)[2:] == made


def test_posts_behind_a_lost_one_are_void_when_others_are_entered(tmp_path: Path) -> None:
    path, made = with_the_third_lost(tmp_path)
    journal, _ = Journal.open(path)
    other = [replace(one, signature=b"o" * 64) for one in made[2:4]]
    for place, one in enumerate(other, 3):
        journal.add(one, place)
    journal.close()
    assert reread(path)[2:] == [*made[:2], *other]


# --- A disk that fails ------------------------------------------------------------------------


class BadDisk(io.FileIO):
    """A file on a disk that takes a few bytes at a time, and `room` of them in all."""

    room, error = 1 << 30, errno.ENOSPC

    def write(self, data: Any) -> int:
        if not self.room:
            raise OSError(self.error, "bad disk")
        count = min(len(data), 7, self.room)
        self.room -= count
        return super().write(bytes(data[:count]))


def on_bad_disk(path: Path, room: int, error: int = errno.ENOSPC) -> Journal:
    written(path)
    made, _ = Journal.open(path)
    made._file.close()
    file = BadDisk(path, "r+b")
    file.room, file.error = room, error
    file.seek(0, 2)
    made._file = made._synced.file = file
    return made


def test_all_bytes_are_written_however_few_the_disk_takes_at_a_time(tmp_path: Path) -> None:
    made = on_bad_disk(tmp_path / "one.table", 1 << 30)
    made.add(posts_of(2)[0])
    made.close()
    assert reread(tmp_path / "one.table") == [*RECORDS, posts_of(2)[0]]


@pytest.mark.parametrize(
    ("error", "code"), [(errno.ENOSPC, "disk-full"), (errno.EDQUOT, "disk-full"), (5, "log-file")]
)
def test_a_disk_that_takes_nothing_more_is_told_and_leaves_no_half_record(
    tmp_path: Path, error: int, code: str
) -> None:
    path = tmp_path / "one.table"
    made = on_bad_disk(path, 20, error)
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        made.add(posts_of(2)[0])
    assert caught.value.code == code
    assert path.read_bytes() == before
    made.close()


def test_what_does_not_reach_the_disk_is_told_at_once_and_at_the_next_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(number: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    made, told = Journal.create(tmp_path / "one.table"), list[StoreError]()
    DISK.finish()
    made.on_failure = told.append
    monkeypatch.setattr(os, "fsync", fails)
    made.add(RECORDS[0])
    DISK.finish()
    assert [one.code for one in told] == ["log-file"]
    with pytest.raises(StoreError, match="Input/output error"):
        made.add(RECORDS[1])
    made.close()


def test_nobody_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hold, original = threading.Event(), os.fsync

    def slow(number: int) -> None:
        hold.wait(10)
        original(number)

    made = Journal.create(tmp_path / "one.table")
    DISK.finish()
    monkeypatch.setattr(os, "fsync", slow)
    made.add(RECORDS[0])
    made.add(RECORDS[1])  # while the first is on its way
    assert not hold.is_set()
    hold.set()
    made.close()
    DISK.finish()


def test_one_program_at_a_time_has_it_and_no_other_empties_it(tmp_path: Path) -> None:
    path = tmp_path / "one.table"
    first = Journal.create(path)
    first.add(RECORDS[0])
    for use in (Journal.open, Journal.create):
        with pytest.raises(StoreError, match="another kumite"):
            use(path)
    first.close()
    again, found = Journal.open(path)
    again.close()
    assert found == RECORDS[:1]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"kumite table 5\n", "another version"),
        (b"dear ada\n", "not a journal of a LAN match"),
        (b"", "not a journal"),
    ],
)
def test_what_is_of_another_kumite_or_no_table_is_left_as_it_is(
    tmp_path: Path, data: bytes, text: str
) -> None:
    path = tmp_path / "one.table"
    path.write_bytes(data)
    for _ in range(2):  # and it is not kept locked
        with pytest.raises(BadData, match=text) as caught:
            Journal.open(path)
        assert caught.value.hint
    assert path.read_bytes() == data


def test_what_the_host_allows_is_kept_over_a_restart() -> None:
    for allowed in (True, False):
        given = events.HostSetup(
            ROSTER.setup, ("ada",), frozenset({Seat(0)}), has_watchers=allowed, is_open=allowed
        )
        made = session.host(given, "ada", VERSION, b"e" * 32)
        data = journal.FORMAT + journal.packed(made.credentials)
        data += journal.packed(MatchStart(ROSTER, 0))
        again = session.resume(journal.read(data).records, VERSION, b"f" * 32)
        table = again.hosting.table
        assert (table.has_watchers, table.is_open) == (allowed, allowed)
        assert again.credentials == made.credentials


def test_a_place_that_cannot_be_written_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a full disk nor a program that is killed half-way loses where the table was."""
    files = MatchFiles(tmp_path)
    files.keep(RECORDS[0])
    at = Place(("192.168.1.20",), 47470, "7-torii-lantern")
    files.save_place(at)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    moved = Place(("192.168.1.21",), 47471)
    files.save_place(moved)
    assert files.load_place() == at
    monkeypatch.undo()
    files.save_place(moved)
    assert files.load_place() == moved
    (path,) = tmp_path.glob("*.at")
    path.write_text("47471 192.168.1.21\n7-torii\n")  # no code
    assert files.load_place() == Place()
    files.close()


def test_that_a_match_has_begun_is_on_the_disk_before_anybody_hears_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What comes after it may be lost with the power, for the others have it; the secrets not."""
    made = Journal.create(tmp_path / "one.table")
    DISK.finish()
    synced: list[int] = []
    monkeypatch.setattr(DISK, "later", lambda work: None)  # nothing reaches it by and by
    monkeypatch.setattr(os, "fsync", lambda number: synced.append(os.fstat(number).st_size))
    for record in RECORDS:
        made.add(record)
        if isinstance(record, MatchStart):
            assert synced == [made.path.stat().st_size]
    assert len(synced) == 1
    made.close()
