"""Tables' files: whole, torn, locked, of another kumite, and not for others' eyes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from kumite.core.errors import BadData
from kumite.core.game import Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.net.replica.ledger import Own
from kumite.net.replica.records import Credentials, Evidence, MatchStart, Secret, Ticket
from kumite.net.replica.roster import Roster, Terminal
from kumite.net.session import inputs, opening
from kumite.net.transport import journal
from kumite.net.transport.journal import Journal
from kumite.net.wire import fields, posts
from kumite.store.log_files import StoreError
from tests.net.wire.test_messages import POSTS
from tests.support.simulation import VERSION

if TYPE_CHECKING:
    from pathlib import Path

    from kumite.net.replica.records import Record

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
    Ticket(1, None, b"w" * 32),
    Ticket(3, 1, b"k" * 32),
    MatchStart(ROSTER, 1),
    Secret(PLAY, OWN),
    posts.Post(1, 1, PLAY, 7, b"z" * 64),
    Evidence(posts.Post(0, 1, PLAY, 7, b"z" * 64)),
]


def written(path: Path) -> bytes:
    made = Journal.create(path)
    for record in RECORDS:
        made.add(record)
    made.close()
    return path.read_bytes()


def test_what_was_written_comes_back(tmp_path: Path) -> None:
    written(tmp_path / "one.table")
    again, found = Journal.open(tmp_path / "one.table")
    assert found == RECORDS
    again.add(Ticket(4, None, b""))
    again.close()
    again, found = Journal.open(tmp_path / "one.table")
    again.close()
    assert found == [*RECORDS, Ticket(4, None, b"")]


def test_a_match_is_never_overwritten_by_another_of_its_name(tmp_path: Path) -> None:
    """Hosts name matches: one could name an old one of ours."""
    path = tmp_path / "one.table"
    kept = written(path)
    with pytest.raises(StoreError, match="holds a match already"):
        Journal.create(path)
    assert path.read_bytes() == kept
    path.write_bytes(journal.FORMAT + journal.packed(RECORDS[0]))  # invited, and no more
    Journal.create(path).close()
    assert path.read_bytes() == journal.FORMAT


def test_a_file_of_protocol_4_is_read_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "one.table"
    old = b"kumite table 2\n" + written(path)[len(journal.FORMAT) :]
    path.write_bytes(old)
    with pytest.raises(StoreError, match="holds a match already"):
        Journal.create(path)
    again, found = Journal.open(path)
    assert found == RECORDS
    again.add(RECORDS[1])
    again.close()
    assert path.read_bytes() == old + journal.packed(RECORDS[1])


@given(POSTS)
def test_any_post_comes_back(post: posts.Post) -> None:
    data = journal.FORMAT + journal.packed(post)
    assert journal.unpacked(data) == ([post], len(data))


def test_it_is_for_its_owners_eyes_alone(tmp_path: Path) -> None:
    path = tmp_path / "one.table"
    written(path)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_tail_torn_at_any_byte_is_cut_off_and_the_file_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "one.table"
    whole = written(path)
    ends = [len(journal.FORMAT)]
    for record in RECORDS:
        ends.append(ends[-1] + len(journal.packed(record)))
    for size in range(ends[0], len(whole) + 1):
        path.write_bytes(whole[:size])
        again, found = Journal.open(path)
        count = sum(end <= size for end in ends) - 1
        assert found == RECORDS[:count]
        again.add(RECORDS[1])
        again.close()
        assert path.read_bytes() == whole[: ends[count]] + journal.packed(RECORDS[1])


def test_a_changed_byte_ends_it_before_its_record() -> None:
    data = journal.FORMAT + b"".join(map(journal.packed, RECORDS))
    start = len(journal.FORMAT) + len(journal.packed(RECORDS[0]))
    for at in range(start, start + len(journal.packed(RECORDS[1]))):
        changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        assert journal.unpacked(changed) == (RECORDS[:1], start)


def test_one_program_at_a_time_has_it(tmp_path: Path) -> None:
    path = tmp_path / "one.table"
    first = Journal.create(path)
    with pytest.raises(StoreError, match="another kumite"):
        Journal.open(path)
    first.close()
    Journal.open(path)[0].close()


def test_creating_does_not_empty_the_file_of_a_program_that_has_it(tmp_path: Path) -> None:
    path = tmp_path / "one.table"
    first = Journal.create(path)
    first.add(RECORDS[0])
    with pytest.raises(StoreError):
        Journal.create(path)
    first.close()
    again, found = Journal.open(path)
    again.close()
    assert found == RECORDS[:1]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"kumite table 1\n", "another kumite"),
        (b"dear ada\n", "no table's file"),
        (b"", "no table"),
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
        given = inputs.HostSetup(
            ROSTER.setup, ("ada",), frozenset({Seat(0)}), has_watchers=allowed, is_open=allowed
        )
        made = opening.host(given, "ada", VERSION, b"e" * 32)
        assert made.credentials is not None
        data = journal.FORMAT + journal.packed(made.credentials)
        data += journal.packed(MatchStart(ROSTER, 0))
        again = opening.resume(journal.unpacked(data)[0], VERSION, b"f" * 32)
        assert again.table is not None
        assert (again.table.has_watchers, again.table.is_open) == (allowed, allowed)
        assert again.credentials == made.credentials
