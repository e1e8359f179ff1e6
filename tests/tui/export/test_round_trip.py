"""What a log holds beside its steps survives export and import: words, take-backs, origin."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kumite.cli.main import main
from kumite.core.errors import BadData, NewerLog
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import End, Header, Writer, end_text, read, step_text
from kumite.tui.export.data import data_text, texts_in
from kumite.tui.export.html import page
from kumite.tui.export.sheet import Paper
from kumite.tui.export.text import frames
from kumite.tui.look import colors, glyphs
from kumite.tui.play.replaying import Replay
from tests.support.random_matches import walk


def full_log(game_id: str) -> str:
    """Return a log with all kinds of lines."""
    setup = Setup.of(GAMES[game_id])
    match = walk(setup, 1, longest=12)
    other = walk(setup, 2, longest=12)
    names = ("ada", "bob", "cyd", "dee", "eve", "fay")[: setup.seats]
    header = Header("ab12", setup, names, extra=("from 00ff 0", "later thing"))
    writer = Writer()
    lines = ["say 0 hello 🦊", "note hint: seat 0 before step 1", "wind from the west"]
    lines += [step_text(one) for one in list(other.line())[1:]]
    lines += ["say 1 oh no", "back 0", *(step_text(one) for one in list(match.line())[1:6])]
    lines += ["remark 5 a slip", "say 1 \\x1b", *(step_text(one) for one in list(match.line())[6:])]
    lines += [end_text(End("resigned", (Seat(1),))), "say 0 well played"]
    text = writer.header(header) + writer.lines(*lines)
    assert read(text).damage is None
    return text


@pytest.mark.parametrize("game_id", GAMES)
def test_a_log_comes_back_line_by_line(game_id: str) -> None:
    text = full_log(game_id)
    ((header, made),) = texts_in(data_text(Replay(read(text))), iter(()))
    assert made == text
    assert header.extra == ("from 00ff 0", "later thing")


@pytest.mark.parametrize("game_id", ["kitsune", "kiriai"])
@pytest.mark.parametrize("eyes", ["spectator", "1"])
def test_other_eyes_get_the_words_and_no_step_that_they_may_not_see(
    game_id: str, eyes: str
) -> None:
    log = read(full_log(game_id))
    replay = Replay(log, eyes)
    ((header, made),) = texts_in(data_text(replay), iter(()))
    found = read(made)
    assert found.damage is None
    assert found.match.steps() == replay.line[-1].steps()
    assert header.by == replay.eyes.by
    said = [entry.rest for entry in found.entries if entry.kind == "say"]
    assert sorted(said) == ["0 hello 🦊", "0 well played", "1 \\x1b", "1 oh no"]
    assert not any(entry.kind == "back" for entry in found.entries)


def test_the_file_with_the_secrets_of_a_lan_table_is_not_named() -> None:
    setup = Setup.of(GAMES["kuzushi"])
    header = Header("ab12", setup, extra=("table 00ff00ff00ff00ff-1.table",))
    assert "00ff00ff" not in data_text(Replay(read(Writer().header(header))))


@pytest.mark.parametrize(
    "change",
    [
        {"history": ["step 1 0 zz"]},
        {"history": ["back 9"]},
        {"history": [3]},
        {"history": ["begin 00"]},
        {"history": ["x" * 5000]},
        {"history": ["say 0 hi"]},
        {"history": 7},
        {"extra": ["table ff.table"]},
        {"extra": ["begin 0"]},
        {"history": ["end nonsense"]},
    ],
)
def test_a_history_that_is_none_is_refused(change: dict[str, object]) -> None:
    said = json.loads(data_text(Replay(read(full_log("kuzushi"))))) | change
    with pytest.raises(BadData):
        list(texts_in(json.dumps(said), iter(())))


def test_newer_data_are_called_newer() -> None:
    said = json.loads(data_text(Replay(read(full_log("kuzushi"))))) | {"kumite": 2}
    with pytest.raises(NewerLog, match="data 2 are newer"):
        list(texts_in(json.dumps(said), iter(())))


def test_talk_is_shown_where_a_match_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.kumite"
    path.write_text(full_log("kuzushi"))
    shown = CliRunner().invoke(main, ["log", "show", str(path)]).output
    assert "     > ada: hello 🦊\n" in shown
    assert shown.index("> ada: hello") < shown.index("\n   1 ") < shown.index("> ada: well played")
    replay = Replay(read(path.read_text()))
    assert "\n> ada: hello 🦊\n" in next(iter(frames(replay, glyphs.LETTERS)))
    assert "ada: well played" in page(replay, Paper.of(glyphs.LETTERS, colors.read("dark")))


def test_compare_says_what_differs_beside_the_match(tmp_path: Path) -> None:
    text = full_log("kuzushi")
    one, two = tmp_path / "a.kumite", tmp_path / "b.kumite"
    one.write_text(text)
    log = read(text)
    writer = Writer()
    head = writer.header(Header("ab12", log.header.setup, ("ada", "eve")))
    steps = [step_text(match) for match in list(log.match.line())[1:]]
    two.write_text(head + writer.lines(*steps, "end resigned 1"))
    done = CliRunner().invoke(main, ["log", "compare", str(one), str(two)])
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        "the same match, 12 steps",
        "but not the same names: ada, bob; ada, eve",
        "but not the same talk: 4 and 0 lines",
        "but not the same remarks: 1 and 0 lines",
        "but not the same notes: 1 and 0 lines",
        "but not the same steps taken back: 1 and 0 lines",
        "but not the same origin: one is a branch, or they branch from different places",
    ]
