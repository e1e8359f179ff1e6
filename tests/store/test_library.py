"""The list of saved matches: what it says, what it keeps, and that it opens no log twice."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumite.core import log as logs
from kumite.core.game import SPECTATOR, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.log import End, Header, Writer, log_text, read, skim
from kumite.core.origins import branch
from kumite.store import library
from kumite.store.library import CACHE, Library
from kumite.store.log_files import SUFFIX
from tests.support.random_matches import walk

SETUP = Setup.of(kuzushi)
HEADER = Header("ab12", SETUP, ("ada", "bob"))


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}{SUFFIX}"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of six files, of which five are logs."""
    whole, part = walk(SETUP, 1), walk(SETUP, 1, longest=4)
    left = log_text(HEADER, part, End("left", (Seat(0),)))
    away = log_text(HEADER, part, End("adjourned", (Seat(0), Seat(1))))
    put(tmp_path, "2026-01-01-120000-over", log_text(HEADER, whole))
    put(tmp_path, "2026-01-02-120000-open", log_text(HEADER, part))
    put(tmp_path, "2026-01-03-120000-left", left)
    put(tmp_path, "2026-01-04-120000-away", away)
    put(tmp_path, "2026-01-05-120000-cut", log_text(HEADER, part)[:-5])
    put(tmp_path, "2026-01-06-120000-none", "dear ada\n")
    return tmp_path


def read_all(folder: Path) -> Library:
    library = Library(folder)
    assert library.read() == 0
    return library


def stems(found: list[library.Kept]) -> list[str]:
    return [one.name.removesuffix(SUFFIX).split("-")[-1] for one in found]


def test_what_is_not_finished_comes_first_then_the_newest(folder: Path) -> None:
    found = Library(folder)
    assert found.unread == 6
    assert found.read() == 0
    assert stems(found.all()) == ["cut", "away", "open", "left", "over"]
    assert [one.is_unfinished for one in found.all()] == [True] * 3 + [False] * 2
    assert list(found.problems) == [f"2026-01-06-120000-none{SUFFIX}"]
    assert "not a kumite log" in found.problems[f"2026-01-06-120000-none{SUFFIX}"]
    cut, away, _, left, over = found.all()
    winner = read(log_text(HEADER, walk(SETUP, 1))).end
    assert over.state == f"{walk(SETUP, 1).number} steps, {HEADER.names[winner.seats[0]]} won"
    assert left.state == "4 steps, broken off: ada left the table"
    assert away.state == "4 steps, adjourned: ada and bob left"
    assert cut.state == "3 steps, not finished, damaged"
    assert "line " in cut.damage


@pytest.mark.parametrize(
    ("kind", "seats", "lost", "said", "winners"),
    [
        ("resigned", 2, (1,), "ada won: bot easy gave up", "ada"),
        ("time", 4, (0,), "nobody won: ada's time ran out; with 4 players that ends the match", ""),
        ("agreed", 2, (), "drawn: all agreed to a draw", ""),
        ("outcome", 2, (0,), "ada won", "ada"),
        ("outcome", 4, (0, 1), "ada and bot easy won", "ada\nbot easy"),
        ("outcome", 2, (), "drawn", ""),
    ],
)
def test_it_is_said_who_won_and_bots_are_called_as_at_the_table(
    tmp_path: Path, kind: str, seats: int, lost: tuple[int, ...], said: str, winners: str
) -> None:
    names = ("ada", "bot:easy", "cyd", "dan")[:seats]
    setup = Setup.of(kuzushi, seats)
    end = End(kind, tuple(map(Seat, lost)), "full" if kind == "outcome" else "")
    header = Header("ab", setup, names)
    put(tmp_path, "x", log_text(header, walk(setup, 1, longest=4), end))
    found = read_all(tmp_path)
    (one,) = found.all()
    assert one.state.startswith(f"4 steps, {said}")
    assert one.winners == winners
    assert one.players.startswith("ada – bot easy")
    assert found.search("bot:easy") == found.search("bot easy") == [one]


@pytest.mark.parametrize("game_id", GAMES)
def test_a_row_tells_game_names_date_and_whose_log_it_is(game_id: str, tmp_path: Path) -> None:
    setup = Setup.of(GAMES[game_id])
    match = walk(setup, 1)
    put(tmp_path, "2026-05-06-070809-x", log_text(Header("ab12", setup, ("木", "bob")), match))
    seen = Header("ab12", setup, (), SPECTATOR)
    put(tmp_path, "y", log_text(seen, match.seen_by(SPECTATOR)))
    os.utime(tmp_path / f"y{SUFFIX}", (1_000_000_000, 1_000_000_000))
    found = read_all(tmp_path)
    by_lan, local = sorted(found.all(), key=lambda one: one.is_local)
    assert (local.title, local.players, local.game) == (GAMES[game_id].TITLE, "木 – bob", game_id)
    assert local.when == datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert by_lan.players == "?"
    assert by_lan.when.timestamp() == 1_000_000_000
    assert stems(found.search("lan")) == ["y"]
    assert stems(found.search(f"{game_id} 木")) == ["x"]


def test_a_branch_says_where_it_came_from(tmp_path: Path) -> None:
    log = read(log_text(HEADER, walk(SETUP, 1)))
    put(tmp_path, "b", log_text(*branch(log, 3, "cd", ("eve", "bob"))))
    found = read_all(tmp_path)
    assert found.all()[0].branched == "ab12 3"
    assert stems(found.search("branch eve")) == ["b"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["cut", "away", "open", "left", "over"]),
        ("ADA kuzushi", ["cut", "away", "open", "left", "over"]),
        ("not finished", ["cut", "away", "open"]),
        ("to be continued", ["cut", "away", "open"]),
        ("damaged", ["cut"]),
        ("won", ["over"]),
        ("2026-01-03", ["left"]),
        ("broken off", ["left"]),
        ("ada left", ["away", "left"]),
        ("kitsune", []),
    ],
)
def test_a_search_finds_all_its_words_anywhere(
    folder: Path, text: str, expected: list[str]
) -> None:
    found = read_all(folder)
    assert stems(found.search(text)) == expected


# --- The cache --------------------------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the logs that are opened: their lengths."""
    lengths: list[int] = []

    def counting(text: str) -> logs.Skim:
        lengths.append(len(text))
        return skim(text)

    monkeypatch.setattr(logs, "skim", counting)
    return lengths


def test_only_new_and_changed_logs_are_opened_again(folder: Path, opened: list[int]) -> None:
    first = read_all(folder)
    assert len(opened) == 6
    opened.clear()
    again = Library(folder)
    assert again.unread == 1  # what is no log is tried again: a newer kumite may know it
    again.read()
    assert len(opened) == 1
    assert again.all() == first.all()
    opened.clear()
    put(folder, "2026-01-07-120000-new", log_text(HEADER, walk(SETUP, 2)))
    path = put(folder, "2026-01-02-120000-open", log_text(HEADER, walk(SETUP, 1, longest=5)))
    os.utime(path, (1, 1))
    (folder / f"2026-01-01-120000-over{SUFFIX}").unlink()
    third = read_all(folder)
    assert len(opened) == 3
    assert sorted(stems(third.all())) == ["away", "cut", "left", "new", "open"]
    assert next(one for one in third.all() if "open" in one.name).number == 5
    assert len(json.loads((folder / CACHE).read_text())["logs"]) == 5


def test_logs_are_opened_a_few_at_a_time_the_newest_first(folder: Path) -> None:
    found = Library(folder)
    assert found.read(2) == 4
    assert stems(found.all()) == ["cut"]
    assert not (folder / CACHE).exists()
    assert found.read(2) == 2
    assert stems(found.all()) == ["cut", "away", "left"]
    assert found.read(9) == 0
    assert (folder / CACHE).exists()


def test_the_newest_that_is_wanted_is_found_without_opening_all(
    folder: Path, opened: list[int]
) -> None:
    found = Library(folder).newest(lambda one: one.is_unfinished and not one.damage)
    assert "away" in found.name
    assert len(opened) == 3
    assert Library(folder).unread == 4  # the two logs among them are known now
    assert Library(folder).newest(lambda one: False) is None
    assert Library(folder).newest(lambda one: "over" in one.name) is not None


ROW = ["x", 1, 1, "ab", "kuzushi", "Kuzushi", "?", "*", 1, "", True, "", "", ""]


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "null", "[" * 100_000, '{"format":0,"logs":[]}', '{"format":1}',
        '{"format":1,"logs":3}', '{"format":1,"logs":[3]}', '{"format":1,"logs":[["x",1,1]]}',
        json.dumps({"format": 1, "logs": [[*ROW[:-1], 3]]}), "\udcff",
    ],
)  # fmt: skip
def test_a_cache_that_is_none_is_made_anew(folder: Path, text: str) -> None:
    (folder / CACHE).write_bytes(text.encode("utf-8", "surrogateescape"))
    found = Library(folder)
    assert found.unread == 6
    found.read()
    assert len(found.all()) == 5
    assert Library(folder).unread == 1


@settings(max_examples=60)
@given(st.data())
def test_a_cache_changed_at_any_byte_breaks_nothing(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    put(folder, "a", log_text(HEADER, walk(SETUP, 1, longest=4)))
    Library(folder).read()
    cache = (folder / CACHE).read_bytes()
    place = data.draw(st.integers(0, len(cache) - 1))
    byte = data.draw(st.integers(0, 255))
    (folder / CACHE).write_bytes(cache[:place] + bytes([byte]) + cache[place + 1 :])
    found = read_all(folder)
    assert len(found.search("")) == 1
    assert found.all()[0].when


def test_a_folder_that_cannot_be_written_is_listed_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kumite.store.library.CACHE", "no/such/folder.json")
    found = read_all(folder)
    assert len(found.all()) == 5


def test_a_cache_that_cannot_be_written_leaves_nothing_behind(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a full disk each list of the matches left one more file."""
    before = sorted(folder.iterdir())
    monkeypatch.setattr(Path, "replace", lambda *_: (folder / CACHE / "x").open())
    assert len(read_all(folder).all()) == 5
    assert sorted(folder.iterdir()) == before


def test_without_a_folder_there_are_no_saved_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUMITE_LOGS", "/nonexistent/kumite")
    found = Library()
    assert found.read() == 0
    assert found.all() == []


def test_ten_thousand_known_logs_are_listed_by_the_cache_alone(
    tmp_path: Path, opened: list[int]
) -> None:
    text = log_text(HEADER, walk(SETUP, 1, longest=2))
    names = [f"2026-01-01-{n:06}-kuzushi-ab" for n in range(10_000)]
    first = put(tmp_path, names[0], text)
    for name in names[1:]:
        os.link(first, tmp_path / f"{name}{SUFFIX}")
    stat = first.stat()
    rows = [
        [f"{name}{SUFFIX}", stat.st_size, stat.st_mtime_ns, "ab12", "kuzushi", "Kuzushi",
         "ada – bob", "*", 2, "", "", "", True, "", "", "", False, "ada\nbob", "", "", False, True]
        for name in names
    ]  # fmt: skip
    (tmp_path / CACHE).write_text(json.dumps({"format": library.FORMAT, "logs": rows}))
    found = Library(tmp_path)
    assert found.unread == 0
    assert len(found.all()) == 10_000
    assert len(found.search("ada")) == 10_000
    assert opened == []


# --- Skimming ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_a_log_skimmed_says_what_it_says_when_it_is_played(game_id: str) -> None:
    setup = Setup.of(GAMES[game_id])
    for seed in range(2):
        match = walk(setup, seed)
        header = Header("ab12", setup, ("ada", "bob"))
        text = log_text(header, match)
        log = read(text)
        more = Writer(log.chain).lines("back 3", "note x", "end resigned 0", "remark 1 hm")
        for said in (text, text + more, text + more + "step", text[:-9], text[: len(text) // 2]):
            found, whole = skim(said), read(said)
            assert found.header == whole.header
            assert found.number == whole.match.number
            assert found.end == whole.end
            assert (found.damage is None) == (whole.damage is None)


@pytest.mark.parametrize("line", ["back x", "back -1", "end", "end won 1", "end left 7"])
def test_lines_that_lie_are_damage_when_skimmed_as_well(line: str) -> None:
    writer = Writer()
    text = writer.header(HEADER)
    found = skim(text + writer.lines("note hi", line))
    assert found.damage.line == text.count("\n") + 2


@pytest.mark.parametrize("what", ["size", "time"])
def test_a_log_of_another_size_or_time_is_opened_again(
    folder: Path, opened: list[int], what: str
) -> None:
    """One of the two alone is enough: a change can leave the other as it was."""
    Library(folder).read()
    path = folder / f"2026-01-02-120000-open{SUFFIX}"
    before, text = path.stat(), path.read_text("utf-8")
    name = text.replace("names ada,bob", "names eve,bob") if what == "time" else text + "\n"
    path.write_text(name, encoding="utf-8")
    time = before.st_mtime_ns + (what == "time")
    os.utime(path, ns=(time, time))
    assert (path.stat().st_size == before.st_size) == (what == "time")
    opened.clear()
    Library(folder).read()
    assert len(opened) == 2  # this one, and the one that is no log
