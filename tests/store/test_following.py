"""Following a log that another program writes: what is new, nothing twice, no half lines."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumite.core import log as logs
from kumite.core.errors import BadLog
from kumite.core.game import Seat, Setup
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.log import End, Header, Writer, log_text, read
from kumite.core.match import Match
from kumite.store import log_files
from kumite.store.following import Followed
from kumite.store.log_files import LogFile, StoreError
from kumite.tui.screens.replay import ReplayScreen
from tests.support.apps import app, shown, until
from tests.support.places import ROOT
from tests.support.random_matches import choose, walk

SETUP = Setup.of(kuzushi)
HEADER = Header("ab12", SETUP, ("ada", "bob"))


@pytest.fixture
def file(tmp_path: Path) -> Iterator[LogFile]:
    made = LogFile.create(HEADER, Match.begin(SETUP), tmp_path)
    yield made
    made.close()


def test_every_step_is_heard_of_once(file: LogFile) -> None:
    followed = Followed(file.path)
    match, rng = Match.begin(SETUP), Random(1)
    assert not followed.poll()
    while match.actors:
        match = match.play(*choose(match, rng))
        file.sync(match)
        assert followed.poll()
        assert followed.log.match.digest == match.digest
        assert not followed.poll()
    assert followed.log.end is not None
    whole = read(file.path.read_text())
    assert followed.log.entries == whole.entries
    assert (followed.log.size, followed.log.lines) == (whole.size, whole.lines)


def test_what_is_taken_back_is_heard_of(file: LogFile) -> None:
    match = walk(SETUP, 1, longest=6)
    file.sync(match)
    followed = Followed(file.path)
    file.sync(match.back(2))
    assert followed.poll()
    assert followed.log.match.digest == match.back(2).digest


@settings(max_examples=40)
@given(st.lists(st.integers(1, 400), max_size=12))
def test_a_file_that_grows_by_any_pieces_is_never_damaged(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int]
) -> None:
    """A writer's lines may arrive in halves, also in the middle of a character."""
    header = Header("ab12", SETUP, ("木村", "bob"))
    log = read(log_text(header, walk(SETUP, 1)))
    data = (
        log_text(header, walk(SETUP, 1)) + Writer(log.chain).lines("say 0 木 木", "note 狐")
    ).encode()
    begin = data.index(b"\nbegin ")
    begin = data.index(b"\n", begin + 1) + 1
    path = tmp_path_factory.mktemp("logs") / "x.kumite"
    path.write_bytes(data[:begin])
    followed = Followed(path)
    written, lines = begin, followed.log.lines
    for cut in [*cuts, len(data)]:
        with path.open("ab") as file:
            file.write(data[written : written + cut])
        written = min(len(data), written + cut)
        followed.poll()
        assert followed.log.damage is None
        assert followed.log.lines == data[:written].count(b"\n") >= lines
        lines = followed.log.lines
    assert followed.log.entries == read(data.decode()).entries


def test_what_is_written_wrong_is_damage(file: LogFile) -> None:
    followed = Followed(file.path)
    with file.path.open("a") as other:
        other.write("step 1 1 f7 00000000 ~000000\n")
    assert followed.poll()
    assert followed.log.damage is not None
    assert not followed.poll()


def test_only_what_is_new_is_read(file: LogFile, monkeypatch: pytest.MonkeyPatch) -> None:
    file.sync(walk(SETUP, 1, longest=6))
    followed = Followed(file.path)
    lengths = []
    read_on = logs.read_on

    def counting(log: logs.Log, text: str) -> logs.Log:
        lengths.append(text.count("\n"))
        return read_on(log, text)

    monkeypatch.setattr(logs, "read_on", counting)
    file.sync(walk(SETUP, 1, longest=7))
    assert followed.poll()
    assert lengths == [1]


def test_another_file_in_its_place_is_read_from_its_start(file: LogFile) -> None:
    file.sync(walk(SETUP, 1, longest=9))
    followed = Followed(file.path)
    file.path.write_text(log_text(Header("cd", SETUP), walk(SETUP, 2, longest=2)))
    assert followed.poll()
    assert followed.log.header.match_id == "cd"
    assert followed.log.match.number == 2


def test_a_file_that_is_gone_or_no_log_is_told(file: LogFile, tmp_path: Path) -> None:
    followed = Followed(file.path)
    file.path.unlink()
    with pytest.raises(StoreError, match="cannot follow"):
        followed.poll()
    (tmp_path / "no").write_text("dear ada\n")
    with pytest.raises(BadLog):
        Followed(tmp_path / "no")


# --- On the screen and as text ----------------------------------------------------------------


async def test_the_screen_follows_and_who_looks_back_is_left_in_peace(file: LogFile) -> None:
    match = walk(SETUP, 1, longest=3)
    file.sync(match)
    followed = Followed(file.path)
    screen = ReplayScreen(followed.log, followed=followed)
    kumite = app(lambda: screen)
    async with kumite.run_test(size=(80, 24)) as pilot:
        assert "step 3 of 3" in shown(kumite, "title")
        assert "watching" in shown(kumite, "title")
        file.sync(walk(SETUP, 1, longest=5))
        await until(pilot, lambda: screen.at == 5, "two more steps")
        assert "step 5 of 5" in shown(kumite, "title")
        await pilot.press("home", "right")
        file.sync(walk(SETUP, 1, longest=7))
        await until(pilot, lambda: screen.replay.last == 7, "and two more")
        assert screen.at == 1
        await pilot.press("end")
        file.sync(walk(SETUP, 1, longest=4))  # taken back
        await until(pilot, lambda: screen.at == 4, "the steps that stay")
        file.path.unlink()
        await until(pilot, lambda: "cannot follow" in shown(kumite, "hint"), "that it is gone")


def test_a_match_is_told_as_it_is_played_until_it_ends(tmp_path: Path) -> None:
    """Another program writes the log here; every step is printed once, and what was taken back."""
    match = walk(SETUP, 1)
    file = LogFile.create(HEADER, match.back(0), tmp_path)
    file.sync(match.back(2))
    command = [sys.executable, "-m", "kumite", "watch", "--text", str(file.path)]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, cwd=ROOT, text=True, stdout=subprocess.PIPE, env=environment
    ) as child:
        lines = [child.stdout.readline() for _ in range(3)]
        file.sync(match.back(1))
        lines.append(child.stdout.readline())
        file.sync(match.back(3))
        file.end(End("resigned", (Seat(0),)))
        lines += child.stdout.read().splitlines(keepends=True)
        assert child.wait(30) == 0
    file.close()
    assert lines[0] == "Kuzushi: ada – bob\n"
    assert [line.split()[0] for line in lines[1:3]] == ["1", "2"]
    assert lines[3] == "     taken back to step 1\n"
    assert [line.split()[0] for line in lines[4:6]] == ["2", "3"]
    assert lines[6] == "bob won: ada gave up\n"
    assert len(lines) == 7
    assert log_files.load(file.path).end == End("resigned", (Seat(0),))
