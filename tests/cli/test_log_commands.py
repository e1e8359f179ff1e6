"""`kumite log …` on the command line: results, exit statuses, new files only."""

from __future__ import annotations

import json
from itertools import cycle
from pathlib import Path

import pytest

from kumite.cli.log_commands import FORMS
from kumite.core.game import SPECTATOR, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.log import Header, Writer, log_text, read
from kumite.core.origins import branch
from kumite.tui.look import colors, sprites
from tests.core.test_transcripts import recorded
from tests.support.commands import kumite
from tests.support.random_matches import walk

SETUP = Setup.of(kuzushi)
HEADER = Header("ab12", SETUP, ("ada", "bob"))
MATCH = walk(SETUP, 1)


def put(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.kumite"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def log(folder: Path) -> Path:
    return put(folder, "2026-01-01-120000-x", log_text(HEADER, MATCH))


def test_list_names_what_is_found_and_what_cannot_be_read(folder: Path, log: Path) -> None:
    put(folder, "2026-01-02-120000-y", log_text(HEADER, MATCH.back(2)))
    put(folder, "z", "dear ada\n")
    done = kumite("log", "list")
    first, second = done.stdout.splitlines()
    assert first.startswith("1  Kuzushi: ada – bob, 2 steps, not finished, 2026-01-02")
    assert second.startswith("2  Kuzushi: ada – bob, ")
    assert " won, 2026-01-01" in second
    paths = kumite("log", "list", "--paths").stdout.splitlines()[1::2]
    assert [Path(one.strip()).name for one in paths] == ["2026-01-02-120000-y.kumite", log.name]
    assert kumite("log", "list", "won").stdout.startswith("2  "), "numbers stay"
    assert kumite("log", "show", "2").stdout == kumite("log", "show", log.name).stdout
    assert kumite("replay", "--text").stdout == kumite("replay", "--text", "1").stdout
    for number in ("0", "3"):
        assert f"there is no saved match {number}" in kumite("log", "show", number, status=2).output
    assert "z.kumite: line 1: not a kumite log" in done.stderr
    assert kumite("log", "list", "won", "2026-01-01").stdout.count("\n") == 1
    none = kumite("log", "list", "kitsune")  # silence looks like a command that has not worked
    assert none.stdout == ""
    assert none.stderr.startswith("no saved match holds these words\n")


@pytest.mark.parametrize(("form", "game_id"), [*zip(FORMS, cycle(GAMES))])  # all: test_export
def test_export_writes_any_form_to_a_file_or_to_standard_output(
    form: str, game_id: str, folder: Path
) -> None:
    match = walk(Setup.of(GAMES[game_id]), 2, longest=12)
    path = put(folder, "x", log_text(Header("ab12", match.setup), match))
    eyes = ("--eyes", "spectator")  # a line of a match that goes on shows no more
    said = kumite("log", "export", path, "--as", form, *eyes).stdout_bytes
    out = folder / "deep" / f"x.{form}"
    done = kumite("log", "export", path, "--as", form, *eyes, "-o", out)
    assert out.read_bytes() == said
    assert done.stdout == ""
    assert f"written: {out}" in done.stderr
    again = kumite("log", "export", path, "--as", form, *eyes, "-o", out, status=2)
    assert "is there already" in again.stderr
    assert out.read_bytes() == said


def test_export_takes_eyes_a_step_colours_and_glyphs(folder: Path, log: Path) -> None:
    at = kumite("log", "export", log, "--as", "svg", "--at", 2).stdout
    assert f"step 2 of {MATCH.number}" in at
    light = kumite("--theme", "light", "log", "export", log, "--as", "svg", "--at", 2).stdout
    assert light != at
    plain = kumite("--glyphs", "ascii", "log", "export", log).stdout
    assert plain.isascii()
    assert "no step 99" in kumite("log", "export", log, "--as", "svg", "--at", 99, status=2).stderr
    secret = walk(Setup.of(GAMES["kiriai"]), 1)
    path = put(folder, "s", log_text(Header("cd", secret.setup), secret))
    seen = json.loads(kumite("log", "export", path, "--as", "json", "--eyes", "1").stdout)
    assert seen["by"] == "0"
    wrong = kumite("log", "export", path, "--eyes", "7", status=2).stderr
    assert "eyes: open, 1, 2, spectator" in wrong


def test_export_draws_with_a_skin_and_says_what_is_wrong_with_it(log: Path) -> None:
    mine = sprites.users_folder() / "mine"
    mine.mkdir(parents=True)
    drawn = "[6x4 shape]\n" + 4 * "qqqqqq\n" + "\n[8x8]\n" + 8 * "qqqqqqqq\n"
    (mine / "city.txt").write_text(f"q = violet\n\n{drawn}")
    (mine / "base.txt").write_text("nothing\n")
    ours = kumite("log", "export", log, "--as", "svg")
    done = kumite("log", "export", log, "--as", "svg", "--skin", "mine")
    violet = colors.read("dark").color("violet")
    assert violet in done.stdout
    assert violet not in ours.stdout
    assert f"{mine / 'base.txt'}:1: 'nothing' is neither" in done.stderr
    wrong = kumite("log", "export", log, "--skin", "gone", status=2).stderr
    assert "there is no skin 'gone'" in wrong


def test_import_makes_logs_of_recorded_matches(tmp_path: Path, folder: Path) -> None:
    source = tmp_path / "some.jsonl"
    transcripts = recorded("kuzushi")[:3]
    source.write_text("\n".join(map(json.dumps, transcripts)))
    kumite("log", "import", source)
    made = sorted(folder.glob("*.kumite"))
    assert len(made) == 3
    for path, transcript in zip(made, transcripts, strict=True):
        log = read(path.read_text(encoding="utf-8"))
        assert log.damage is None
        assert [[one.actor, one.step] for one in log.match.steps()] == transcript["steps"]
    source.write_text(json.dumps(transcripts[0] | {"steps": [[1, "f7"], [1, "f8"]]}))
    wrong = kumite("log", "import", source, "--into", tmp_path / "new", status=2)
    assert "match 1: step 2: it is not seat 1's turn" in wrong.stderr
    assert not (tmp_path / "new").exists()
    assert "cannot read" in kumite("log", "import", tmp_path / "none", status=2).stderr


def test_repair_writes_a_new_file_and_never_touches_the_damaged_one(log: Path) -> None:
    text = log.read_text(encoding="utf-8")
    assert "there is nothing to repair" in kumite("log", "repair", log).stdout
    lines = text.splitlines(keepends=True)
    lines[15] = lines[15].replace("step", "stop")
    damaged = "".join(lines)
    log.write_text(damaged, encoding="utf-8")
    done = kumite("log", "repair", log)
    assert log.read_text(encoding="utf-8") == damaged
    made = log.with_name(f"{log.stem}-repaired.kumite")
    found = read(made.read_text(encoding="utf-8"))
    assert found.damage is None
    assert found.match.digest == MATCH.digest  # found again, and all that stands behind it
    assert found.entries[-1].rest.startswith("repaired: line 16: ")
    assert f"{found.match.number} steps are sound" in done.stdout
    assert ":16: " in done.stderr
    assert "is there already" in kumite("log", "repair", log, status=2).stderr
    assert kumite("log", "check", made).stdout.startswith(f"{made}: sound")
    log.write_text("kumite-log 1 ~000000\n")
    assert "line 1" in kumite("log", "repair", log, status=2).stderr


def test_compare_says_where_two_logs_part_by_its_exit_status_as_well(
    folder: Path, log: Path
) -> None:
    same = put(folder, "same", log_text(Header("cd", SETUP, ("eve", "fay")), MATCH))
    assert kumite("log", "compare", log, same).stdout == (
        f"the same match, {MATCH.number} steps\nbut not the same names: ada, bob; eve, fay\n"
    )
    other = put(folder, "other", log_text(HEADER, MATCH.back(4)))
    done = kumite("log", "compare", log, other, status=1)
    step = MATCH.back(5).last
    assert done.stdout == f"step 5: step\n  {log}: {step.actor} {step.step}\n  {other}: nothing\n"
    cut = put(folder, "cut", log_text(HEADER, MATCH)[:-3])
    assert "cut off" in kumite("log", "compare", log, cut, status=1).stderr
    assert kumite("log", "compare", log, folder / "none", status=2).stderr
    games = put(folder, "game", log_text(*_start("kitsu")))
    assert kumite("log", "compare", log, games, status=1).stdout.startswith("header: game\n")


def _start(game_id: str) -> tuple[Header, object]:
    header = Header("ab12", Setup.of(GAMES[game_id]))
    return header, header.begin()


def test_merge_makes_the_whole_of_two_halves(folder: Path) -> None:
    match = walk(Setup.of(GAMES["kiriai"]), 1)
    paths = []
    for seat in (0, 1):
        by = frozenset({Seat(seat)})
        header = Header("ab12", match.setup, ("ada", "bob"), by)
        paths.append(put(folder, f"of-{seat}", log_text(header, match.seen_by(by))))
    done = kumite("log", "merge", *paths)
    assert "nothing is hidden" in done.stdout
    found = read((folder / "of-0-merged.kumite").read_text(encoding="utf-8"))
    assert found.match.steps() == match.steps()
    seen = Header("ab12", match.setup, (), SPECTATOR)
    public = put(folder, "public", log_text(seen, match.seen_by(SPECTATOR)))
    done = kumite("log", "merge", paths[0], public, "-o", folder / "part.kumite")
    assert "some things stay hidden" in done.stdout
    other = put(folder, "else", log_text(Header("cd", SETUP), MATCH))
    assert "two matches" in kumite("log", "merge", paths[0], other, status=2).stderr


def test_show_tells_remarks_eyes_and_where_a_branch_came_from(folder: Path, log: Path) -> None:
    found = read(log.read_text(encoding="utf-8"))
    text = log_text(*branch(found, 3, "cd", ("ada", "bob")))
    text += Writer(read(text).chain).lines("remark 2 a slip", "remark 0 well")
    lines = kumite("log", "show", put(folder, "b", text)).stdout.splitlines()
    assert lines[1].strip() == "branched off match ab12 after step 3"
    assert lines[2].strip() == "! well"
    assert lines[5].strip() == "! a slip"
    secret = walk(Setup.of(GAMES["kiriai"]), 1)
    path = put(folder, "s", log_text(Header("ef", secret.setup), secret))
    seen = kumite("log", "show", path, "--eyes", "spectator").stdout
    assert "plans in secret" in seen
    assert "plans in secret" not in kumite("log", "show", path).stdout


def test_a_newer_log_is_told_to_be_newer_and_not_damaged(folder: Path) -> None:
    path = put(folder, "new", "kumite-log 2 #0123456789abcdef\nmatch …\n")
    for command in ("check", "show", "export", "repair"):
        done = kumite("log", command, path, status=1 if command == "check" else 2)
        assert "format 2 is newer than this kumite" in done.stderr
        assert "is damaged" not in done.stderr
