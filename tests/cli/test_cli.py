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
from click.testing import CliRunner, Result

from kumite.cli.main import main
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.log import End, Header, log_text, read
from kumite.tui.play.replaying import Replay
from kumite.tui.play.terms import parse_clock
from kumite.tui.screens.replay import ReplayScreen
from tests.support.apps import app, shown
from tests.support.bad_arguments import commands
from tests.support.places import ROOT
from tests.support.random_matches import walk

SETUP = Setup.of(kuzushi)
GOLDEN = ROOT / "tests" / "data" / "golden.kumite"


@pytest.fixture(autouse=True)
def _folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path / "logs"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def kumite(*args: str, status: int = 0) -> Result:
    """Run a command in this process, and check its exit status and that it has no traceback."""
    done = CliRunner().invoke(main, args)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code == status, done.output
    return done


def started(
    *args: str, text: str = "", status: int | None = 0, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own, without a terminal."""
    done = subprocess.run(
        [sys.executable, "-m", "kumite", *args], input=text.encode(), capture_output=True,
        timeout=60, check=False, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
    )  # fmt: skip
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert status is None or done.returncode == status, done.stderr.decode()
    return done


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


def test_demo_in_a_pipe_says_the_same_in_every_locale_and_ends_with_its_reader() -> None:
    text = kumite("demo", "--seed", "5").stdout
    piped = started("demo", "--seed", "5", PYTHONIOENCODING="utf-8")
    assert piped.stdout.decode() == text
    assert piped.stderr == b""
    ascii_only = started("demo", "--seed", "5", PYTHONIOENCODING="ascii").stdout
    assert ascii_only.isascii()
    assert ascii_only.count(b"\n") == text.count("\n")
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
    done = kumite("log", "check", str(log), str(GOLDEN))
    assert done.stdout.splitlines() == [
        f"{log}: sound, {number} steps, outcome",
        f"{GOLDEN}: sound, 3 steps, resigned",
    ]
    assert done.stderr == ""
    open_end = log_text(Header("00ff", SETUP), walk(SETUP, 1, longest=4))
    log.write_text(open_end, encoding="utf-8")
    assert kumite("log", "check", str(log)).stdout == f"{log}: sound, 4 steps, not finished\n"


def test_log_check_names_the_first_bad_line_of_each_log(log: Path, tmp_path: Path) -> None:
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    bad = tmp_path / "bad.kumite"
    bad.write_text("".join([*lines[:11], lines[11].replace("step 3", "step 4"), *lines[12:]]))
    none = tmp_path / "none.kumite"
    none.write_bytes(b"\x00\xff\n")
    missing = tmp_path / "missing.kumite"
    done = kumite("log", "check", str(bad), str(none), str(missing), str(log), status=1)
    first, second, third = done.stderr.splitlines()
    assert first.startswith(f"{bad}:12: the line, or one before it, was changed")
    assert second == f"{none}: line 1: not a kumite log"
    assert third == f"{missing}: cannot read {missing}: No such file or directory"
    assert done.stdout.startswith(f"{log}: sound")  # it goes on with the others
    cut = tmp_path / "cut.kumite"
    cut.write_bytes(log.read_bytes()[:-3])
    assert "the line is cut off" in kumite("log", "check", str(cut), status=1).stderr


def test_log_show_tells_the_match() -> None:
    assert kumite("log", "show", str(GOLDEN)).stdout.splitlines() == [
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
    done = kumite("log", "show", str(cut))
    assert done.stdout.splitlines()[1:] == [
        "   1 Bob Jr. ~ 木 lays f7, new flags e7 g7 f8",
        "Not finished.",
    ]
    assert done.stderr.startswith("The log is damaged from here on: line 11: ")


def test_replay_as_text_shows_every_position(log: Path) -> None:
    match = walk(SETUP, 1)
    text = kumite("replay", str(log), "--text").stdout
    parts = text.split("--- ")[1:]
    assert len(parts) == match.number + 1
    assert parts[1].startswith("1. bob lays ")
    outcome = match.outcome
    assert outcome is not None
    winners = " and ".join(("ada", "bob")[seat] for seat in outcome.winners)
    assert text.rstrip().split("\n")[-1].startswith(f"{winners} won: ")
    assert started("replay", "--text", str(log), PYTHONIOENCODING="utf-8").stdout.decode() == text


@pytest.mark.parametrize("game_id", GAMES)
def test_logs_of_any_game_and_any_view_can_be_shown(game_id: str, tmp_path: Path) -> None:
    setup = Setup.of(GAMES[game_id])
    match = walk(setup, 2, longest=30)
    for by in (None, frozenset({Seat(0)}), frozenset[Seat]()):
        path = tmp_path / "match.kumite"
        mine = match if by is None else match.seen_by(by)
        path.write_text(log_text(Header("00", setup, ("", "b"), by), mine), encoding="utf-8")
        lines = kumite("log", "show", str(path)).stdout.splitlines()
        numbers = [line.split()[0] for line in lines[1:-1]]
        sentences = Replay(read(path.read_text())).told
        told = [str(number) for number, said in enumerate(sentences) if said]
        assert numbers == told  # what is not told has no empty line, either
        assert all(len(line.split()) > 1 for line in lines)
        assert kumite("replay", "--text", str(path)).stdout.count("--- ") == match.number + 1


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_names_can_be_printed_in_any_encoding(encoding: str) -> None:
    out = started("log", "show", str(GOLDEN), PYTHONIOENCODING=encoding).stdout
    assert b"Bob Jr. ~ " in out


@pytest.mark.parametrize("args", [("log", "show"), ("replay", "--text"), ("replay",)])
def test_what_is_no_log_is_refused_in_words(args: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "x.kumite"
    assert "Error: cannot read" in kumite(*args, str(path), status=2).stderr
    path.write_text("hello\n")
    done = kumite(*args, str(path), status=2)
    assert done.stderr.splitlines() == [
        f"Error: {path}: line 1: not a kumite log",
        "  a log begins with `kumite-log 1`",
    ]
    assert done.stdout == ""
    assert "is a directory" in kumite(*args, str(tmp_path), status=2).stderr


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
        (("demo", "go"), "no game 'go'\n  games: "),
        (("play", "go"), "no game 'go'\n  games: "),
        (("host", "go"), "no game 'go'\n  games: "),
        (("demo", "--seats", "7"), "kuzushi cannot be played by 7\n  seats: 2, 3, 4, 5, 6"),
        (("play", "--seats", "1"), "kuzushi cannot be played by 1\n  seats: 2, 3, 4, 5, 6"),
        (("play", "--seats", "a,b,c,d,e,f,g"), "kuzushi cannot be played by 7"),
        (("play", "--seats", "²"), "kuzushi cannot be played by 1"),
        (("play", "--seats", "9" * 5000), "kuzushi cannot be played by 1"),
        (("demo", "--option", "board=large"), "kuzushi: option board cannot be 'large'\n  board: "),
        (("demo", "--option", "size=6"), "kuzushi has no option 'size'\n  options: board"),
        (("demo", "--option", "board="), "kuzushi: option board cannot be ''"),
        (("demo", "--option", "board"), "Invalid value for --option: 'board' is not NAME=VALUE"),
        (
            ("demo", "--seats", "two"),
            "Invalid value for --seats: 'two' is neither a number of seats nor a bot",
        ),
        (("demo", "--seed", "x"), "Invalid value for '--seed'"),
        (("host", "--mine", "x"), "Invalid value for --mine: 'x' is no list of seats"),
        (("host", "--port", "70000"), "Invalid value for '--port'"),
        (("join", "a:c"), "'a:c' is not the address of a table"),
        (("log",), "Usage: "),
        (("log", "check"), "Missing argument 'LOGS...'"),
        (("log", "export", "7"), "there is no saved match 7"),
        (("sing",), "No such command 'sing'"),
        (("--sing",), "No such option"),
    ],
)
def test_what_is_wrong_is_said_in_words(args: tuple[str, ...], error: str) -> None:
    done = kumite(*args, status=2)
    assert error in done.stderr or (args == ("log",) and error in done.output)
    assert done.stdout == "" or args == ("log",)


def test_resume_without_a_match_to_go_on_with_says_so(tmp_path: Path) -> None:
    finished = tmp_path / "logs" / "old.kumite"
    finished.parent.mkdir()
    finished.write_text(log_text(Header("00", SETUP), walk(SETUP, 1)), encoding="utf-8")
    lan = log_text(Header("00", SETUP, (), frozenset({Seat(0)})), walk(SETUP, 1, longest=3))
    (tmp_path / "logs" / "lan.kumite").write_text(lan, encoding="utf-8")
    text = log_text(Header("00", SETUP), walk(SETUP, 1, longest=3), End("resigned", (Seat(0),)))
    (tmp_path / "logs" / "given.kumite").write_text(text, encoding="utf-8")
    assert "No match waits to be gone on with." in kumite("resume", status=1).stderr


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (("host", "kuzushi", "--mine", "x"), "'x' is no list of seats such as 1,3"),
        (("host", "kuzushi", "--mine", "3"), "there is no seat 3"),
        (("host", "kuzushi", "--mine", "1,2"), "a LAN table needs at least one free seat"),
        (("host", "kuzushi", "--seats", "3", "--bots", "2:best"), "no bot 'best'"),
        (("host", "kuzushi", "--mine", "0"), "seats are counted from 1"),
        (("host", "kuzushi", "--bots", "1"), "a LAN table needs at least one seat for you"),
        (("host", "kuzushi", "--gone", "vote"), "'vote' is not one of"),
        (("host", "kuzushi", "--gone", "bot"), "that takes three seats at the least"),
        (("host", "kuzushi", "--clock", "fast"), "'fast' is no clock"),
        (("host", "kuzushi", "--clock", "0+5"), "minutes for each seat + seconds more a step"),
        (("host", "kuzushi", "--port", "70000"), "Invalid value for '--port'"),
        (("join", "a:b"), "'a:b' is not the address of a table"),
        (("join", "localhost", "7-torii"), "code"),
        (("join", "localhost", "--mine", "a"), "'a' is no list of seats"),
        (("watch",), "Missing argument 'LOG|HOST[:PORT]|CODE'"),
    ],
)
def test_a_lan_table_that_cannot_be_is_refused_in_words(args: tuple[str, ...], error: str) -> None:
    assert error in kumite(*args, status=2).stderr


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("10+5", (600, 5, 60)),
        ("3", (180, 0, 60)),
        ("none", None),
        (" 1 + 0 + 9", (60, 0, 9)),
    ],
)
def test_clocks_are_minutes_and_seconds(text: str, clock: tuple[int, int, int] | None) -> None:
    assert parse_clock(text) == clock


def test_version_and_help_are_told() -> None:
    said = rf"kumite, version {re.escape(version('kumite'))} \(commit [0-9a-f]{{7,}}(-dirty)?\)\n"
    assert re.fullmatch(said, kumite("--version").stdout)
    help_text = kumite("--help").stdout
    for command in (
        "play",
        "host",
        "join",
        "watch",
        "replay",
        "resume",
        "log",
        "demo",
        "engine",
        "bench",
    ):
        assert f"  {command} " in help_text
        assert kumite(command, "--help").stdout.startswith("Usage: ")


def test_a_checkout_that_is_not_installed_runs() -> None:
    code = """
import sys
from importlib import metadata
def missing(name):
    raise metadata.PackageNotFoundError(name)
metadata.version = missing
sys.argv = ["kumite", *sys.argv[1:]]
from kumite.cli.main import main
from kumite.tui.play.terms import parse_clock
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

COMMANDS: dict[str, list[str]] = {
    "demo": ["demo", "--seed", "1"],
    "replay": ["replay", "--text", str(GOLDEN)],
    "check": ["log", "check", str(GOLDEN)],
    "show": ["log", "show", str(GOLDEN)],
    "export": ["log", "export", str(GOLDEN)],
    "svg": ["log", "export", str(GOLDEN), "--as", "svg"],
    "html": ["log", "export", str(GOLDEN), "--as", "html"],
    "json": ["log", "export", str(GOLDEN), "--as", "json"],
    "compare": ["log", "compare", str(GOLDEN), str(GOLDEN)],
    "watch": ["watch", "--text", str(GOLDEN)],
    "engine": ["engine"],
    "help": ["--help"],
    "bench": ["bench", "--help"],
    "play": ["play"],
}
SCRIPT = """
import json, os, sys
from click.testing import CliRunner
from kumite.cli.main import main
for name, args in json.loads(sys.argv[1]).items():
    if os.fork():  # each in a process that has imported the command line alone
        os.wait()
        continue
    done = CliRunner().invoke(main, args, input='{"do":"games"}\\n')
    roots = sorted({one.split(".")[0] for one in sys.modules})
    print(json.dumps([name, done.exit_code, done.output, roots]), flush=True)
    os._exit(0)
"""


def test_what_needs_no_screen_imports_no_textual() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(COMMANDS)], capture_output=True, text=True,
        check=True, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [name for name, *_ in answers] == list(COMMANDS)
    heavy = {"textual", "rich", "asyncio", "pygments", "markdown_it", "hypothesis"}
    for name, status, output, modules in answers:
        assert (status, bool(output)) == (2 if name == "play" else 0, True), name
        assert not heavy & set(modules), name


def opens_the_app(command: click.Command) -> bool:
    code = getattr(command.callback, "__wrapped__", command.callback).__code__
    return bool({"open_app", "open_lobby", "open_table", "_replay"} & set(code.co_names))


BELOW = {path[0]: one for path, one in commands(main) if len(path) == 1}
OPENING = sorted(name for name, one in BELOW.items() if opens_the_app(one))


def test_these_commands_open_the_app() -> None:
    assert OPENING == [
        "branch",
        "host",
        "join",
        "learn",
        "open",
        "play",
        "puzzles",
        "replay",
        "resume",
        "tournament",
        "watch",
    ]


@pytest.mark.parametrize("name", OPENING)
def test_every_command_that_opens_the_app_takes_its_looks(name: str) -> None:
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
    monkeypatch.setattr("kumite.cli.opening.open_table", lambda ctx, _, **__: found.append(ctx.obj))
    result = CliRunner().invoke(main, args.split())
    assert result.exit_code == 0, result.output
    assert found == [said]


def test_a_skin_that_does_not_exist_is_refused_with_those_that_do() -> None:
    done = CliRunner().invoke(main, ["play", "--skin", "gone"])
    assert done.exit_code == 2
    assert "there is no skin 'gone'; skins: kumite" in " ".join(done.output.split())


@pytest.mark.parametrize("name", ["play", "host", "demo"])
def test_a_command_that_takes_a_game_names_them(name: str) -> None:
    text = CliRunner().invoke(main, [name, "--help"]).output
    assert all(game_id in text for game_id in GAMES)
