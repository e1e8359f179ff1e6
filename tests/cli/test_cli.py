"""The command line: matches as text, checking logs, errors in words, nothing slow imported."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import click
import pytest

from kumite.cli.main import main
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.log import End, Header, log_text, read
from kumite.store import log_files
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.replaying import Replay
from kumite.tui.play.terms import parse_clock
from kumite.tui.screens.replay import ReplayScreen
from tests.support.apps import app, shown
from tests.support.bad_arguments import commands
from tests.support.commands import kumite, started
from tests.support.places import BOT_EXAMPLES, DATA, ROOT
from tests.support.random_matches import walk

SETUP = Setup.of(kuzushi)
GOLDEN = DATA / "golden.kumite"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return the log of a whole match."""
    path = tmp_path / "match.kumite"
    header = Header("00ff", SETUP, ("ada", "bob"))
    path.write_text(log_text(header, walk(SETUP, 1)), encoding="utf-8")
    return path


# --- demo -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_demo_plays_any_game_to_its_end_and_the_same_again(game_id: str) -> None:
    shortest = {
        option.name: min(option.allowed)
        for option in GAMES[game_id].OPTIONS
        if type(option.default) is int
    }
    args = [word for name, n in shortest.items() for word in ("--option", f"{name}={n}")]
    text = kumite("demo", game_id, "--seed", "7", *args).stdout
    assert text.startswith("--- start\n")
    last = text.rstrip().split("\n")[-1]
    assert " won: " in last or last.startswith("A draw: ")
    assert "--- 1. " in text
    assert kumite("demo", game_id, "--seed", "7", *args).stdout == text


def test_demo_of_kuzushi_shows_the_board_after_every_step() -> None:
    text = kumite("demo", "--seats", "3", "--option", "board=small", "--seed", "1").stdout
    parts = text.split("--- ")[1:]
    assert [part.split(".")[0] for part in parts[1:]] == [str(n + 1) for n in range(len(parts) - 1)]
    for part in parts:
        assert "score left" in part
        assert all(f"player {number}" in part for number in (1, 2, 3))
    assert kumite("demo", "--seats", "3", "--option", "board=small", "--seed", "2").stdout != text


def test_a_demo_is_played_by_whom_one_names() -> None:
    seats = f"bot:random,cmd:sh {BOT_EXAMPLES}/mybot.sh"
    args = ("demo", "kiriai", "--seats", seats, "--option", "rounds=20", "--seed", "1")
    text = kumite(*args).stdout
    assert "cmd:mybot.sh plans" in text
    assert kumite(*args).stdout == text


def test_output_is_the_same_in_every_locale_and_ends_with_its_reader() -> None:
    text = kumite("demo", "--seed", "5").stdout
    piped = started("demo", "--seed", "5", PYTHONIOENCODING="utf-8")
    assert (piped.stdout, piped.stderr) == (text, "")
    ascii_only = started("demo", "--seed", "5", PYTHONIOENCODING="ascii").stdout
    assert ascii_only.isascii()
    assert ascii_only.count("\n") == text.count("\n")
    for encoding in ("ascii", "latin-1"):
        assert "Bob Jr. ~ " in started("log", "show", GOLDEN, PYTHONIOENCODING=encoding).stdout
    command = f"{sys.executable} -m kumite demo --seats 6 | head -n 3"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=True, cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.stdout.startswith("--- start\n")
    assert done.stdout.count("\n") == 3
    assert done.stderr == ""


# --- logs -------------------------------------------------------------------------------------


def test_log_check_says_that_a_log_is_sound(log: Path) -> None:
    number = walk(SETUP, 1).number
    done = kumite("log", "check", log, GOLDEN)
    assert done.stdout.splitlines() == [
        f"{log}: sound, {number} steps, outcome",
        f"{GOLDEN}: sound, 3 steps, resigned",
    ]
    assert done.stderr == ""
    open_end = log_text(Header("00ff", SETUP), walk(SETUP, 1, longest=4))
    log.write_text(open_end, encoding="utf-8")
    assert kumite("log", "check", log).stdout == f"{log}: sound, 4 steps, not finished\n"


def test_log_check_names_the_first_bad_line_of_each_log(log: Path, tmp_path: Path) -> None:
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    bad = tmp_path / "bad.kumite"
    bad.write_text("".join([*lines[:11], lines[11].replace("step 3", "step 4"), *lines[12:]]))
    none = tmp_path / "none.kumite"
    none.write_bytes(b"\x00\xff\n")
    missing = tmp_path / "missing.kumite"
    done = kumite("log", "check", bad, none, missing, log, status=1)
    first, second, third = done.stderr.splitlines()
    assert first.startswith(f"{bad}:12: the line, or one before it, was changed")
    assert second == f"{none}: line 1: not a kumite log"
    assert third == f"{missing}: cannot read {missing}: No such file or directory"
    assert done.stdout.startswith(f"{log}: sound")  # it goes on with the others
    cut = tmp_path / "cut.kumite"
    cut.write_bytes(log.read_bytes()[:-3])
    assert "the line is cut off" in kumite("log", "check", cut, status=1).stderr


def test_log_show_tells_the_match() -> None:
    assert kumite("log", "show", GOLDEN).stdout.splitlines() == [
        "Kuzushi (board normal): ada, Bob Jr. ~ 木",
        "   1 Bob Jr. ~ 木 lays f7, new flags e7 g7 f8",
        "   2 ada lays e6, new flags e5 d6, Bob Jr. ~ 木 loses e7",
        "   3 Bob Jr. ~ 木 lays e7, new flags d7 e8",
        "     > ada: wie schön!",
        "Bob Jr. ~ 木 won: ada gave up",
    ]


def test_log_show_tells_what_is_sound_of_a_damaged_log(tmp_path: Path) -> None:
    cut = tmp_path / "cut.kumite"
    cut.write_bytes(GOLDEN.read_bytes().replace(b"step 2 0 e6", b"step 2 0 e7"))
    done = kumite("log", "show", cut)
    assert done.stdout.splitlines()[1:] == [
        "   1 Bob Jr. ~ 木 lays f7, new flags e7 g7 f8",
        "Not finished.",
    ]
    assert done.stderr.startswith("The log is damaged from here on: line 11: ")


def test_replay_as_text_shows_every_position(log: Path) -> None:
    match = walk(SETUP, 1)
    text = kumite("replay", log, "--text").stdout
    parts = text.split("--- ")[1:]
    assert len(parts) == match.number + 1
    assert parts[1].startswith("1. bob lays ")
    outcome = match.outcome
    assert outcome is not None
    winners = " and ".join(("ada", "bob")[seat] for seat in outcome.winners)
    assert text.rstrip().split("\n")[-1].startswith(f"{winners} won: ")
    assert started("replay", "--text", log, PYTHONIOENCODING="utf-8").stdout == text


@pytest.mark.parametrize("game_id", GAMES)
def test_logs_of_any_game_and_any_view_can_be_shown(game_id: str, tmp_path: Path) -> None:
    setup = Setup.of(GAMES[game_id])
    match = walk(setup, 2, longest=30)
    for by in (None, frozenset({Seat(0)}), frozenset[Seat]()):
        path = tmp_path / "match.kumite"
        mine = match if by is None else match.seen_by(by)
        path.write_text(log_text(Header("00", setup, ("", "b"), by), mine), encoding="utf-8")
        lines = kumite("log", "show", path).stdout.splitlines()
        numbers = [line.split()[0] for line in lines[1:-1]]
        sentences = Replay(read(path.read_text())).told
        told = [str(number) for number, said in enumerate(sentences) if said]
        assert numbers == told  # what is not told has no empty line, either
        assert all(len(line.split()) > 1 for line in lines)
        assert kumite("replay", "--text", path).stdout.count("--- ") == match.number + 1


@pytest.mark.parametrize("args", [("log", "show"), ("replay", "--text"), ("replay",)])
def test_what_is_no_log_is_refused_in_words(args: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "x.kumite"
    assert "Error: cannot read" in kumite(*args, path, status=2).stderr
    path.write_text("hello\n")
    done = kumite(*args, path, status=2)
    assert done.stderr.splitlines() == [
        f"Error: {path}: line 1: not a kumite log",
        "  a log begins with `kumite-log 1`",
    ]
    assert done.stdout == ""
    assert "is a directory" in kumite(*args, tmp_path, status=2).stderr


# --- without a terminal -----------------------------------------------------------------------

NEEDS_TERMINAL = [
    (), ("play",), ("play", "kuzushi", "--seats", "ada,bot:simple"), ("host",), ("join",),
    ("join", "127.0.0.1"), ("replay", str(GOLDEN)), ("resume", str(GOLDEN)),
    ("watch", str(GOLDEN)), ("branch", str(GOLDEN), "--at", "1"),
]  # fmt: skip


@pytest.mark.parametrize("args", NEEDS_TERMINAL, ids=" ".join)
def test_the_app_without_a_terminal_says_so(args: tuple[str, ...], tmp_path: Path) -> None:
    before = GOLDEN.read_bytes()
    done = kumite(*args, status=2)
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "Error: the app needs a terminal (standard input is none)",
        "  without one: `kumite --plain`, `kumite replay --text LOG`, `kumite demo kuzushi`",
    ]
    assert not (tmp_path / "logs").exists()  # no match was begun
    assert GOLDEN.read_bytes() == before


# --- errors -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ("play go", "no game 'go'\n  games: "),
        ("play --seats 1", "kuzushi cannot be played by 1\n  seats: 2, 3, 4, 5, 6"),
        ("play --seats a,b,c,d,e,f,g", "kuzushi cannot be played by 7"),
        ("play --seats ²", "kuzushi cannot be played by 1"),
        (f"play --seats {'9' * 5000}", "kuzushi cannot be played by 1"),
        ("play kuzushi --seats ada,cmd:./nobody", "there is no program './nobody'"),
        ("play --skin gone", "there is no skin 'gone'; skins: kumite"),
        ("demo --option board=large", "kuzushi: option board cannot be 'large'\n  board: "),
        ("demo --option size=6", "kuzushi has no option 'size'\n  options: board"),
        ("demo --option board=", "kuzushi: option board cannot be ''"),
        ("demo --option board", "Invalid value for --option: 'board' is not NAME=VALUE"),
        ("demo --seats two", "for --seats: 'two' is neither a number of seats nor a bot"),
        ("demo kuzushi --seats bot:simple,cmd:", "there is no program ''"),
        ("demo --seed x", "Invalid value for '--seed'"),
        ("host go", "no game 'go'\n  games: "),
        ("host --port 70000", "Invalid value for '--port'"),
        ("host --mine x", "Invalid value for --mine: 'x' is no list of seats such as 1,3"),
        ("host kuzushi --mine 3", "there is no seat 3"),
        ("host kuzushi --mine 1,2", "a LAN table needs at least one free seat"),
        ("host kuzushi --mine 0", "seats are counted from 1"),
        ("host kuzushi --bots 1", "a LAN table needs at least one seat for you"),
        ("host kuzushi --seats 3 --bots 2:best", "no bot 'best'"),
        ("host kuzushi --seats 3 --bots 3:cmd:./nobody", "there is no program './nobody'"),
        ("host kuzushi --seats 3 --bots 4:cmd:sh", "there is no seat 4"),
        ("host kuzushi --gone vote", "'vote' is not one of"),
        ("host kuzushi --gone bot", "that takes three seats at the least"),
        ("host kuzushi --clock fast", "'fast' is no clock"),
        ("host kuzushi --clock 0+5", "minutes for each seat + seconds more a step"),
        ("join a:c", "'a:c' is not the address of a table"),
        ("join localhost 7-torii", "code"),
        ("join localhost --mine a", "'a' is no list of seats"),
        ("watch", "Missing argument 'LOG|HOST[:PORT]|CODE'"),
        ("log", "Usage: "),
        ("log check", "Missing argument 'LOGS...'"),
        ("log export 7", "there is no saved match 7"),
        ("sing", "No such command 'sing'"),
        ("--sing", "No such option"),
    ],
    ids=lambda one: one[:40],
)
def test_what_is_wrong_is_said_in_words(args: str, error: str) -> None:
    done = kumite(*args.split(), status=2)
    assert error in done.output
    assert args == "log" or not done.stdout


def test_resume_without_a_match_to_go_on_with_says_so(tmp_path: Path) -> None:
    finished = tmp_path / "logs" / "old.kumite"
    finished.parent.mkdir()
    finished.write_text(log_text(Header("00", SETUP), walk(SETUP, 1)), encoding="utf-8")
    lan = log_text(Header("00", SETUP, (), frozenset({Seat(0)})), walk(SETUP, 1, longest=3))
    (tmp_path / "logs" / "lan.kumite").write_text(lan, encoding="utf-8")
    text = log_text(Header("00", SETUP), walk(SETUP, 1, longest=3), End("resigned", (Seat(0),)))
    (tmp_path / "logs" / "given.kumite").write_text(text, encoding="utf-8")
    assert "No match waits to be gone on with." in kumite("resume", status=1).stderr


def test_resuming_with_a_command_that_is_typed_starts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    header = Header("ab" * 8, SETUP, ("ada", "cmd:mybot"))
    file = log_files.LogFile.create(header, header.begin())
    file.close()
    opened: list[LocalTable] = []
    monkeypatch.setattr(
        "kumite.cli.app_start.open_table", lambda _, make, **__: opened.append(make())
    )
    kumite("resume", file.path, "--bots", f"2:cmd:sh {BOT_EXAMPLES}/mybot.sh")
    (table,) = opened
    assert table.names == ("ada", "cmd:mybot.sh")
    assert table.bots == {Seat(1): f"cmd:sh {BOT_EXAMPLES}/mybot.sh"}
    table.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
@pytest.mark.parametrize("args", ["--help", "demo --seed 1", f"log show {GOLDEN}", "engine"])
def test_output_that_takes_nothing_is_told_in_a_line(args: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "kumite", *args.split()], stdout=full, stderr=subprocess.PIPE,
            text=True, input='{"do":"games"}\n', check=False, timeout=60, cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    assert done.stderr == "Error: cannot write to standard output: No space left on device\n"
    assert done.returncode == 1


def test_a_mistake_of_a_command_is_told_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_: object) -> None:
        raise RuntimeError("the roof fell in")

    monkeypatch.setattr("kumite.cli.doctor.print_findings", broken)
    done = kumite("doctor", status=1)
    assert done.output.startswith("kumite has made a mistake and ended: RuntimeError: the roof")
    assert "Traceback" not in done.output
    (kept,) = tmp_path.glob("kumite/crash-*.txt")
    assert str(kept) in done.output
    assert "Traceback" in kept.read_text()


@pytest.mark.parametrize(
    ("text", "clock"),
    [("10+5", (600, 5, 60)), ("3", (180, 0, 60)), ("none", None), (" 1 + 0 + 9", (60, 0, 9))],
)
def test_clocks_are_minutes_and_seconds(text: str, clock: tuple[int, int, int] | None) -> None:
    assert parse_clock(text) == clock


def test_version_is_told() -> None:
    said = rf"kumite, version {re.escape(version('kumite'))} \(commit [0-9a-f]{{7,}}(-dirty)?\)\n"
    assert re.fullmatch(said, kumite("--version").stdout)


def test_a_checkout_that_is_not_installed_runs() -> None:
    code = """
import sys
from importlib import metadata
def missing(name):
    raise metadata.PackageNotFoundError(name)
metadata.version = missing
sys.argv = ["kumite", *sys.argv[1:]]
from kumite.cli.main import main
main()
"""
    for args, begin in (("demo", "--seed=1"), "--- start\n"), (("--version",), "kumite, version"):
        done = subprocess.run(
            [sys.executable, "-c", code, *args], capture_output=True, text=True, check=False,
            cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert done.stderr == ""
        assert done.returncode == 0
        assert done.stdout.startswith(begin)


async def test_a_step_number_in_other_digits_is_none() -> None:
    screen = ReplayScreen(read(GOLDEN.read_text(encoding="utf-8")))
    replaying = app(lambda: screen)
    async with replaying.run_test(size=(80, 24)) as pilot:
        for keys in (("²",), ("-", "1"), tuple("9" * 12)):
            await pilot.press("g", *keys, "enter")
            assert f"There is no step {''.join(keys)}." in shown(replaying, "hint")
            assert screen.at == 0
        await pilot.press("g", "2", "enter")
        assert screen.at == 2


# --- imports ----------------------------------------------------------------------------------

LEAN = """
demo --seed 1; replay --text LOG; log check LOG; log show LOG; log export LOG; watch --text LOG
log export LOG --as svg; log export LOG --as html; log export LOG --as json; log compare LOG LOG
engine; --help; bench --help; play
"""
SCRIPT = """
import json, os, sys
from click.testing import CliRunner
from kumite.cli.main import main
for line in json.loads(sys.argv[1]):
    if os.fork():  # each in a process that has imported the command line alone
        os.wait()
        continue
    done = CliRunner().invoke(main, line.split(), input='{"do":"games"}\\n')
    roots = sorted({one.split(".")[0] for one in sys.modules})
    print(json.dumps([line, done.exit_code, done.output, roots]), flush=True)
    os._exit(0)
"""


def test_what_needs_no_screen_imports_no_textual() -> None:
    typed = LEAN.strip().replace("\n", "; ").replace("LOG", str(GOLDEN)).split("; ")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(typed)], capture_output=True, text=True,
        check=True, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [name for name, *_ in answers] == typed
    heavy = {"textual", "rich", "asyncio", "pygments", "markdown_it", "hypothesis"}
    for name, status, output, modules in answers:
        assert (status, bool(output)) == (2 if name == "play" else 0, True), name
        assert not heavy & set(modules), name


def opens_the_app(command: click.Command) -> bool:
    code = getattr(command.callback, "__wrapped__", command.callback).__code__
    return bool({"open_app", "open_named", "open_table", "_go", "_replay"} & set(code.co_names))


BELOW = {path[0]: one for path, one in commands(main) if len(path) == 1}
OPENING = [
    "branch", "host", "join", "learn", "open", "play", "puzzles", "replay", "resume",
    "tournament", "watch",
]  # fmt: skip


def test_every_command_that_opens_the_app_takes_its_looks() -> None:
    assert sorted(filter(lambda name: opens_the_app(BELOW[name]), BELOW)) == OPENING
    for name in OPENING:
        taken = {param.name for param in BELOW[name].params}
        assert {"theme", "skin", "glyphs", "no_mouse", "think"} <= taken


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ("--theme light --no-mouse play kitsu", {"theme": "light", "mouse": False}),
        ("play kitsu --theme light --glyphs ascii", {"theme": "light", "glyphs": "ascii"}),
        ("--theme dark --glyphs kanji play --theme light", {"theme": "light", "glyphs": "kanji"}),
        ("--think 0.5 play", {"think": 0.5}),
        ("play --skin kumite", {"skin": "kumite"}),
        ("play", {}),
    ],
)
def test_looks_are_said_before_a_command_or_behind_it(
    args: str, said: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[object] = []
    monkeypatch.setattr(
        "kumite.cli.app_start.open_table", lambda ctx, _, **__: found.append(ctx.obj)
    )
    kumite(*args.split())
    assert found == [said]
