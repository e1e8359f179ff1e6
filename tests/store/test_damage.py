"""Damaged, foreign and endless files: answered in words; nothing whole is ever cut unasked."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.log import Header, Writer, log_text
from kumite.store import log_files
from kumite.store.library import Library
from kumite.store.log_files import LogFile, StoreError
from tests.support.commands import kumite
from tests.support.random_matches import walk

SETUP = Setup.of(GAMES["kuzushi"])
MATCH = walk(SETUP, 1, longest=8)
HEADER = Header("ab12", SETUP, ("ada", "bob"))
TEXT = log_text(HEADER, MATCH)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))
    return tmp_path


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.kumite"
    path.write_bytes(text.encode())
    return path


def changed(text: str) -> str:
    """Return a log with a changed letter in the middle of its steps."""
    lines = text.splitlines(keepends=True)
    lines[-4] = lines[-4].replace("step", "stop")
    return "".join(lines)


def test_bare_resume_passes_over_a_log_that_is_damaged_in_its_middle(folder: Path) -> None:
    older = put(folder, "2026-01-01-000000-a", TEXT[:-4])
    put(folder, "2026-01-02-000000-b", changed(TEXT))
    for _ in range(2):  # the second time from the cache
        library = Library(folder)
        newest = library.newest(library.can_go_on)
        assert library.path(newest.name) == older


@pytest.mark.parametrize("line", [-4, -1])
def test_whole_lines_are_never_cut_unasked(folder: Path, line: int) -> None:
    lines = TEXT.splitlines(keepends=True)
    lines[line] = lines[line].replace("step", "stop")
    path = put(folder, "a", "".join(lines))
    before = path.read_bytes()
    with pytest.raises(StoreError, match="the log is damaged: line ") as caught:
        LogFile.reopen(path)
    assert f"kumite log repair {path}" in caught.value.hint
    assert path.read_bytes() == before
    assert os.listdir(folder) == [path.name]
    file, found = LogFile.reopen(path, may_cut=True)
    assert found.match.number == MATCH.number + (line + 1 if line == -4 else -1) - (line == -4)
    file.sync(MATCH)
    file.close()
    assert path.read_text() == TEXT
    assert path.with_name("a.kumite.damaged").read_bytes() == before


def test_resume_of_a_damaged_log_is_refused_where_nobody_can_be_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(folder, "a", changed(TEXT))
    assert "kumite log repair" in kumite("resume", path, status=2).output
    assert path.read_text() == changed(TEXT)
    asked: list[str] = []
    monkeypatch.setattr("kumite.cli.play._can_ask", lambda: True)
    monkeypatch.setattr("click.confirm", lambda text: asked.append(text))
    kumite("resume", path, status=2)
    assert asked == ["Continue after step 4? What comes after it is kept beside the log."]
    assert os.listdir(folder) == [path.name]


def test_every_copy_that_is_set_aside_has_its_own_name(folder: Path) -> None:
    copies = []
    for torn in (TEXT[:-3], TEXT[:-9], TEXT + "\x00\x00", TEXT[:-3]):
        path = put(folder, "a", torn)
        LogFile.reopen(path)[0].close()
        copies.append(torn.encode())
    names = ("damaged", "damaged-2", "damaged-3", "damaged-4")
    assert [path.with_name(f"a.kumite.{name}").read_bytes() for name in names] == copies


def test_a_log_from_an_editor_or_a_mail_is_read_and_what_came_in_is_named(folder: Path) -> None:
    path = put(folder, "a", "\ufeff" + TEXT.replace("\n", "\r\n"))
    assert log_files.load(path).match.digest == MATCH.digest
    assert kumite("log", "check", path).output.endswith(
        "8 steps, not finished, a byte order mark, CRLF line ends\n"
    )
    assert Library(folder).read() == 0
    file, found = LogFile.reopen(path)
    assert found.damage is None
    more = walk(SETUP, 1, longest=10)
    file.sync(more)
    file.close()
    assert log_files.load(path).match.digest == more.digest
    assert log_files.load(path).damage is None
    path.write_bytes(path.read_bytes()[:-4])
    file, found = LogFile.reopen(path)
    file.sync(more)
    file.close()
    assert log_files.load(path).damage is None


def test_what_is_no_file_is_told_and_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "pipe.kumite")
    (folder / "folder.kumite").mkdir()
    (folder / "null.kumite").symlink_to("/dev/zero")
    (folder / "gone.kumite").symlink_to("nowhere")
    library = Library(folder)
    library.read()
    words = library.problems
    assert words["pipe.kumite"].endswith("it is a pipe, not a file")
    assert words["folder.kumite"].endswith("it is a folder, not a file")
    assert words["null.kumite"].endswith("it is a device, not a file")
    for path in (*folder.glob("*.kumite"), folder / ("x" * 300)):
        for command in ("log check", "log repair", "resume", "replay --text"):
            assert kumite(*command.split(), path, status=None).exit_code in (1, 2), (command, path)


def test_megabytes_of_talk_are_told_and_not_read(folder: Path) -> None:
    path = put(folder, "a", TEXT)
    with path.open("a") as file:
        file.write("say 0 x\n" * (50 << 17))
    start = time.perf_counter()
    with pytest.raises(StoreError, match="it is larger than 16 MB"):
        log_files.load(path)
    assert time.perf_counter() - start < 1


def test_a_header_is_checked_when_a_log_is_only_glanced_at(folder: Path) -> None:
    put(folder, "good", TEXT)
    put(folder, "bad", "kumite log 1\n")
    put(folder, "newer", TEXT.replace("kumite-log 1", "kumite-log 9"))
    library = Library(folder)
    library.read(seconds=-1.0)
    assert [one.number for one in library.all()] == [8]
    assert set(library.problems) == {"bad.kumite", "newer.kumite"}
    assert "newer than this kumite" in library.problems["newer.kumite"]


@pytest.mark.parametrize("game_id", GAMES)
def test_a_glance_says_what_a_reading_says(folder: Path, game_id: str) -> None:
    setup = Setup.of(GAMES[game_id])
    match = walk(setup, 2)
    writer = Writer()
    text, steps = writer.header(Header("ab12", setup)), writer.steps(match, 0)
    back = writer.lines(f"back {match.number - 2}", *["say 0 hello"] * 300)
    for number, one in enumerate((text, text + steps, text + steps + back, text + steps[:-3])):
        put(folder, f"{number}", one)
    glanced, read = Library(folder), Library(folder)
    glanced.read(seconds=-1.0)
    read.read()
    for a, b in zip(glanced.all(), read.all(), strict=True):
        assert (a.name, a.number, a.result, a.is_unfinished) == (
            *(b.name, b.number, b.result, b.is_unfinished),
        )
        assert bool(a.damage) == bool(b.damage)


def test_what_was_glanced_at_is_checked_the_next_time(folder: Path) -> None:
    put(folder, "a", changed(TEXT))
    library = Library(folder)
    library.read(seconds=-1.0)
    assert not library.all()[0].damage
    again = Library(folder)
    assert again.unread == 1
    again.read()
    assert again.all()[0].damage.startswith("line ")
    assert Library(folder).unread == 0


def test_ten_thousand_logs_are_listed_the_first_time_in_three_seconds(folder: Path) -> None:
    for number in range(10_000):
        (folder / f"2026-01-01-{number:06}-x.kumite").write_text(TEXT)
    start = time.process_time()
    library = Library(folder)
    library.read(seconds=0.5)
    assert time.process_time() - start < 3.0
    assert len(library.all()) == 10_000
