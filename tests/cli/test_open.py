"""`kumite open`: a match that came as a line of text."""

from __future__ import annotations

from pathlib import Path

import pytest

from kumite.core.game import Seat
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text, outcome_end, read
from kumite.store import log_files
from kumite.tui.play import narration
from kumite.tui.play.local_table import default_names
from kumite.tui.puzzles import making, own
from kumite.tui.puzzles.model import games, line_of, shipped
from tests.support.commands import kumite
from tests.support.random_matches import short_setup, walk


@pytest.mark.parametrize("game_id", GAMES)
def test_a_line_of_a_log_is_kept_as_the_same_match(game_id: str, tmp_path: Path) -> None:
    match = walk(short_setup(game_id), 3)
    log = tmp_path / "a.kumite"
    log.write_text(log_text(Header("ab12", match.setup, ("ada", "bob")), match), encoding="utf-8")
    line = kumite("log", "export", log, "--as", "line").stdout
    assert line.count("\n") == 1
    saved = kumite("open", *line.split(), "--save").stdout.strip()
    found = log_files.load(Path(saved))
    assert found.match.digest == match.digest
    assert found.end == outcome_end(match)
    told = kumite("open", "--text", given=f"look at this:\n{line}", status=2).stderr
    assert "kumite:" in told  # only the line itself is one
    assert kumite("open", "--text", given=line).stdout == kumite("replay", log, "--text").stdout


def test_a_line_shows_no_cards_of_a_match_that_goes_on(tmp_path: Path) -> None:
    match = walk(short_setup("kiriai"), 3).back(6).seen_by(frozenset({Seat(0)}))
    log = tmp_path / "a.kumite"
    header = Header("ab12", match.setup, ("ada", "bob"), match.by)
    log.write_text(log_text(header, match), encoding="utf-8")
    told = kumite("log", "export", log, "--as", "line", status=2).stderr
    assert "--eyes spectator" in told
    line = kumite("log", "export", log, "--as", "line", "--eyes", "spectator").stdout
    kumite("open", line, "--save")
    (saved,) = (tmp_path / "logs").glob("*.kumite")
    assert read(saved.read_text(encoding="utf-8")).header.by == frozenset()
    assert kumite("log", "export", log, "--as", "line", "--eyes", "1").stdout != line


@pytest.mark.parametrize("game_id", games())
def test_the_line_of_a_puzzle_is_a_puzzle_and_does_not_tell_its_answer(game_id: str) -> None:
    one = shipped(game_id)[0]
    line = line_of(one)
    told = kumite("open", "--text", given=f"{line}\n").stdout
    names = default_names(one.start.setup.seats)
    assert making.task(one, names) in told
    assert narration.run_of(one.start, one.seat, one.answer, names) not in told
    assert "kept with your own puzzles" in kumite("open", "--save", *line.split()).stdout
    assert [line_of(kept) for kept in own.read_all()] == [line]
    assert "you have it already" in kumite("open", "--save", line).stdout
    assert "the line" in kumite("open", line[:-4], status=2).stderr


@pytest.mark.parametrize("given", ["", "kumite:1:", "kumite:1:AAAA", "\x00", "🦊"])
def test_anything_else_is_refused_in_a_line(given: str) -> None:
    told = kumite("open", given=given, status=2).stderr
    assert told.startswith(("Error: no match in this line", "Error: the line is"))
    assert "copy the whole line" in told
