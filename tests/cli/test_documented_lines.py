"""The shell lines of the pages: what they name exists, and they do what they are said to do."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

from kumite.cli.arguments import SEATS_TOLD
from kumite.cli.main import main
from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.log import Header, log_text
from kumite.net.transport.addresses import PORT
from kumite.serve.settings import SSH
from tests.support.places import BOT_EXAMPLES, ROOT
from tests.support.random_matches import walk

PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
PROGRAMS = ("kumite", "make", "uv", "ssh", "python")
MEANT = {"LOG": "match.kumite", "HOST": "localhost", "CODE": "7-torii-lantern", "NAME": "dark"}
SHORTER = {  # what makes a line take a second instead of minutes
    "arena": ("--matches", "2"),
    "bench": ("--seconds", "0.01", "--game", "kuzushi"),
    "analyse": ("--simulations", "5"),
    "review": ("--simulations", "5"),
}
LEVEL = re.compile("(medium|strong)")  # of an arena's bot; with a number, it thinks for that long


@dataclass(frozen=True)
class Line:
    """A shell line of a page: a block's, or only named in its text."""

    page: str
    words: tuple[str, ...]
    is_block: bool

    def __str__(self) -> str:
        return f"{self.page}: {' '.join(self.words)}"


def lines_of(page: Path) -> Iterator[Line]:
    """Return all that begins with one of PROGRAMS: lines of blocks, and code in the text."""
    text, is_fenced = [], False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            is_fenced = not is_fenced
        elif is_fenced or line.startswith("    "):
            said, *_ = re.split(r"\s{2,}", line.strip())  # what it does stands behind it
            yield Line(page.name, tuple(said.split()), is_block=True)
        else:
            text.append(line)
    for said in re.findall("`([^`]+)`", "\n".join(text)):
        yield Line(page.name, tuple(said.split()), is_block=False)


LINES = [
    line for page in PAGES for line in lines_of(page) if line.words and line.words[0] in PROGRAMS
]


def lines(program: str, is_block: bool | None = None) -> pytest.MarkDecorator:
    """Give a test the lines that begin with this program, of blocks or of texts or of both."""
    found = [
        line
        for line in dict.fromkeys(LINES)
        if line.words[0] == program and is_block in (None, line.is_block)
    ]
    assert found
    return pytest.mark.parametrize("line", found, ids=str)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with what the lines name: a saved match, a bot of one's own, the documents."""
    setup = Setup.of(find("kitsune"), 2, {"track": 8, "wins": 1})
    match = walk(setup, 1)
    text = log_text(Header("ab12", setup, ("ada", "bob")), match)
    (tmp_path / MEANT["LOG"]).write_text(text, encoding="utf-8")
    shutil.copy(BOT_EXAMPLES / "mybot.py", tmp_path / "mybot")
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    return tmp_path


def parts_of(line: Line) -> list[str]:
    """Return what follows `kumite`, with something for each word in capitals, and in short."""
    parts = [MEANT.get(word, word) for word in line.words[1:]]
    for command, more in SHORTER.items():
        if command in parts[:2]:
            parts += more
    return [f"{part}:5" if LEVEL.fullmatch(part) else part for part in parts]


def test_whoever_plays_has_a_name_that_sentences_can_be_made_of() -> None:
    """People type what the pages show, and of `me` the log said: me's Fox b6 leaps."""
    pages = " ".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert not re.search(r"\bme\b", " ".join([*re.findall(r"--seats (\S+)", pages), SEATS_TOLD]))


@pytest.mark.slow
@lines("kumite", is_block=True)
def test_a_line_runs_or_says_that_it_needs_a_terminal(line: Line, folder: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "KUMITE_LOGS": str(folder)}
    if line.words[1:2] == ("serve",):
        check_server(parts_of(line), folder, environment)
        return
    done = subprocess.run(
        [sys.executable, "-m", "kumite", *parts_of(line)], cwd=folder, env=environment,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "the app needs a terminal" in done.stderr:
        assert done.returncode == 2
        return
    # the doctor's status is about the machine; the engine answers nothing where nothing is asked
    assert done.returncode in ((0, 1) if "doctor" in line.words else (0,)), done.stderr
    assert done.stdout or "written: " in done.stderr or "engine" in line.words


def check_server(parts: list[str], folder: Path, environment: dict[str, str]) -> None:
    """Check that a server opens, says how to connect, and is closed by a signal."""
    line = [*parts, "--ssh", "127.0.0.1:0", "--keep", str(folder / "server")]
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "kumite", *line],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as server:  # fmt: skip
        said = [server.stdout.readline() for _ in range(6)]
        assert re.fullmatch(r"With ssh:     ssh -p \d+ 127.0.0.1\n", said[0]), said
        assert said[-1] == "Press ctrl+c to close the server. Matches are saved.\n"
        server.terminate()
        assert server.wait() == 0, server.stdout.read()


@lines("kumite", is_block=False)
def test_a_command_that_is_named_exists_with_its_options(line: Line) -> None:
    check_command(line.words[1:])


def check_command(words: tuple[str, ...]) -> None:
    """Check that commands and options exist; arguments may be left out where one is named."""
    command: click.Command = main
    known = {"--help"}
    for word in words:
        known |= {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
        if word.startswith("-"):
            assert word in known, word
        elif isinstance(command, click.Group) and word not in ("COMMAND", *MEANT):
            below = command.get_command(click.Context(command), word)
            assert below is not None, word
            command = below


# --- other programs ---------------------------------------------------------------------------


def would_do(*targets: str) -> str:
    """Return what make would run, its variables replaced."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(
        ["make", "-n", *targets], cwd=ROOT, env=ours, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@lines("make")
def test_make_has_the_target(line: Line) -> None:
    would_do(*line.words[1:])


def test_make_runs_nothing_that_does_not_exist() -> None:
    (phony,) = re.findall("^\\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert "pictures" in phony.split()
    would = would_do(*phony.split())
    for path in re.findall(r"(?<=\s)(?:docs|tests|tools)/[\w./]*\w", would):
        assert (ROOT / path).exists(), path
    for module in re.findall(r" -m (kumite[\w.]*)", would):
        assert find_spec(module), module


@lines("uv")
def test_uv_installs_what_is_in_the_checkout(line: Line) -> None:
    assert line.words[1:] in (
        ("tool", "install", "."),
        ("run", "--no-dev", "kumite"),
        ("tool", "install", ".", "--with", "./docs/examples/plugin"),
    )
    assert shutil.which(
        "kumite", path=str(Path(sys.executable).parent)
    )  # the wheel: test_installed


@lines("ssh")
def test_ssh_starts_kumite_or_forwards_its_port(line: Line) -> None:
    match line.words[1:]:
        case ("-t", "HOST", "kumite", *words):
            check_command(tuple(words))
        case ("-L", forwarded, "HOST"):
            assert forwarded == f"{PORT}:localhost:{PORT}"
        case ():  # the setting of that name
            pass
        case ("-p", port, "HOST") | ("-t", "-p", port, "HOST", "plain"):
            assert port == SSH
        case _:
            raise AssertionError("a line of another kind: say here what is right about it")


@lines("python")
def test_a_module_that_python_runs_exists(line: Line) -> None:
    assert line.words[1] == "-m"
    assert find_spec(line.words[2])
