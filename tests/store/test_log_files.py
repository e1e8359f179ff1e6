"""Log files: written as played, locked, taken up again after a power cut, listed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from kumite.core.errors import BadLog
from kumite.core.game import Seat, Setup
from kumite.core.log import End, Header, log_text
from kumite.core.match import Match
from kumite.core.remarks import remarks
from kumite.store import log_files
from kumite.store.log_files import LogFile, StoreError
from tests.support import mk6
from tests.support.random_matches import choose, walk

SETUP = Setup.of(mk6)
HEADER = Header("00ff00ff00ff00ff", SETUP, ("ada", "bob"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))
    return tmp_path


@pytest.fixture
def file() -> Iterator[LogFile]:
    made = LogFile.create(HEADER, Match.begin(SETUP))
    yield made
    made.close()


def text(file: LogFile) -> str:
    return file.path.read_text(encoding="utf-8")


def test_every_line_is_on_the_disk_when_it_is_written(file: LogFile) -> None:
    match, rng = Match.begin(SETUP), Random(1)
    while match.actors:
        match = match.play(*choose(match, rng))
        file.sync(match)
        assert text(file) == log_text(HEADER, match)
    assert text(file).count("\nend outcome ") == 1
    file.sync(match)
    assert text(file) == log_text(HEADER, match)


def test_what_is_taken_back_stays_in_the_file_and_out_of_the_match(file: LogFile) -> None:
    match = walk(SETUP, 1, longest=5)
    file.sync(match)
    other = match.back(2)
    file.sync(other)
    assert "\nback 2 ~" in text(file)
    actor = other.actors[0]
    for step in other.legal(actor)[:3]:  # three branches, one after the other
        file.sync(other.play(actor, step))
    found = log_files.load(file.path)
    assert found.damage is None
    assert found.match.digest == other.play(actor, other.legal(actor)[2]).digest
    assert text(file).count("\nback 2 ~") == 3


def test_an_end_that_was_taken_back_is_none(file: LogFile) -> None:
    match = walk(SETUP, 1)
    file.sync(match)
    assert match.before is not None
    file.sync(match.before)
    assert log_files.load(file.path).end is None
    file.sync(match)
    found = log_files.load(file.path)
    assert found.end is not None
    assert found.match.digest == match.digest
    assert found.damage is None


def test_people_end_a_match_once(file: LogFile) -> None:
    file.sync(walk(SETUP, 1, longest=3))
    for _ in range(2):
        file.end(End("resigned", (Seat(1),)))
    assert text(file).count("\nend resigned 1 ~") == 1
    file.add("say 1 sorry\nstep 4 0 00 aaaaaaaa")
    found = log_files.load(file.path)
    assert found.match.number == 3
    assert found.entries[-1].rest == "1 sorry step 4 0 00 aaaaaaaa"


def test_a_line_that_was_cut_is_removed_kept_beside_and_the_match_goes_on(file: LogFile) -> None:
    match = walk(SETUP, 1, longest=6)
    file.sync(match)
    whole = text(file)
    file.close()
    file.path.write_text(whole[:-9], encoding="utf-8")
    again, found = LogFile.reopen(file.path)
    assert found.damage is not None
    assert found.match.number == 5
    assert file.path.with_name(file.path.name + ".damaged").read_text() == whole[:-9]
    again.sync(match)
    assert text(again) == whole
    again.close()
    sound, found = LogFile.reopen(file.path)
    assert found.damage is None
    rest = walk(SETUP, 1)
    sound.sync(rest)
    sound.close()
    assert file.path.read_text() == log_text(HEADER, rest)


@pytest.mark.parametrize("tail", [b"\xff\xfe\x00", "step 7 \u4f8d".encode()[:-1], b"\n\n"])
def test_any_rubbish_behind_a_sound_log_is_cut_off(file: LogFile, tail: bytes) -> None:
    file.sync(walk(SETUP, 1, longest=6))
    whole = file.path.read_bytes()
    file.close()
    file.path.write_bytes(whole + tail)
    again, found = LogFile.reopen(file.path)
    again.close()
    assert file.path.with_name(file.path.name + ".damaged").read_bytes() == whole + tail
    assert found.match.number == 6
    assert file.path.read_bytes() == whole


def test_one_program_at_a_time_writes_a_file(file: LogFile) -> None:
    with pytest.raises(StoreError, match="another kumite") as caught:
        LogFile.reopen(file.path)
    assert caught.value.hint
    file.close()
    LogFile.reopen(file.path)[0].close()


def test_what_is_no_log_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "letter.kumite"
    path.write_text("dear ada\n")
    for _ in range(2):  # and it is not kept locked
        with pytest.raises(BadLog):
            LogFile.reopen(path)
    assert path.read_text() == "dear ada\n"
    with pytest.raises(StoreError, match="cannot read"):
        LogFile.reopen(tmp_path / "none.kumite")
    with pytest.raises(StoreError, match="cannot read"):
        log_files.load(tmp_path / "none.kumite")


def test_a_folder_that_cannot_be_written_is_named_with_a_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taken").write_text("")
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path / "taken" / "deeper"))
    with pytest.raises(StoreError, match="cannot write") as caught:
        LogFile.create(HEADER, Match.begin(SETUP))
    assert "KUMITE_LOGS" in caught.value.hint


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
def test_a_full_disk_is_told_when_a_step_or_an_end_is_written_and_again(file: LogFile) -> None:
    file.close()
    file._file = Path("/dev/full").open("w")  # noqa: SIM115
    file._is_there = lambda: True
    for _ in range(2):
        with pytest.raises(StoreError, match="No space left"):
            file.end(End("agreed"))
    with pytest.raises(StoreError, match="No space left"):
        file.sync(walk(SETUP, 1, longest=1))
    file.close()


def test_two_views_of_one_match_have_two_files(tmp_path: Path) -> None:
    names = set()
    for by in (None, frozenset({Seat(0)}), frozenset({Seat(1)}), frozenset[Seat]()):
        header = Header(HEADER.match_id, SETUP, HEADER.names, by)
        made = LogFile.create(header, header.begin(), tmp_path)
        names.add(made.path.name)
        made.close()
    assert len(names) == 4


def test_a_log_folder_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KUMITE_LOGS")
    assert log_files.folder().name == "matches"


# --- Remarks ----------------------------------------------------------------------------------


def test_a_remark_is_written_into_the_log_and_the_match_goes_on(file: LogFile) -> None:
    match = walk(SETUP, 1, longest=4)
    file.sync(match)
    file.close()
    before = file.path.read_bytes()
    found = log_files.annotate(file.path, 3, "  a slip:\nf6 was free ")
    assert remarks(found.entries) == {3: "a slip: f6 was free"}
    assert found.damage is None
    assert file.path.read_bytes().startswith(before)
    found = log_files.annotate(file.path, 3, "")
    assert remarks(found.entries) == {}
    assert found.match.digest == match.digest


def test_no_remark_is_written_where_it_could_do_harm(file: LogFile) -> None:
    file.sync(walk(SETUP, 1, longest=4))
    before = file.path.read_bytes()
    with pytest.raises(StoreError, match="another kumite is playing"):
        log_files.annotate(file.path, 1, "hm")
    file.close()
    with pytest.raises(StoreError, match="there is no step 5"):
        log_files.annotate(file.path, 5, "hm")
    file.path.write_bytes(before[:-3])
    with pytest.raises(StoreError, match="the log is damaged: line ") as caught:
        log_files.annotate(file.path, 1, "hm")
    assert "kumite log repair" in caught.value.hint
    assert file.path.read_bytes() == before[:-3]
