"""Programs killed at random: nothing that was shown as made is lost, and every file opens."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
import tomllib
from contextlib import suppress
from random import Random
from threading import Timer

import pytest

if sys.platform == "win32":
    pytest.skip("SIGKILL is a matter of POSIX", allow_module_level=True)

from collections.abc import Callable
from pathlib import Path

from kumite.core.game import Setup
from kumite.core.games import GAMES, find
from kumite.net.transport.journal import Journal
from kumite.store import log_files, whole_files
from kumite.store.log_files import LogFile
from kumite.tui.play.local_table import LocalTable
from tests.support.places import ROOT
from tests.support.talk import Talk, at_lan_table, play_lan, play_on

COMMENT = "# mine\nunknown = 1\n"
CHANGING = """
from itertools import count
from kumite.tui import settings
for number in count():
    settings.keep(name=f"ada {number}")
    print(number, flush=True)
"""
EXPORTING = """
import sys
from itertools import count
from kumite.cli.main import main
for number in count():
    given = ["log", "export", sys.argv[1], "--as", "html", "-o", f"{sys.argv[2]}/{number}.html"]
    main(given, standalone_mode=False)
    print(number, flush=True)
"""


def environment(folder: Path) -> dict[str, str]:
    return {
        "KUMITE_LOGS": str(folder / "logs"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_STATE_HOME": str(folder / "state"),
    }


def _told(talk: Talk) -> int:
    """Return the number of the last step that was told."""
    talk.hear_out()
    return max(map(int, re.findall(r"^(\d+)\. ", talk.said, re.MULTILINE)), default=0)


def _check_log(path: Path, told: int) -> None:
    """See that a log holds what was told, and opens: at the most, a half line is set aside."""
    found = log_files.load(path)
    assert found.damage is None or found.damage.is_tail, found.damage
    assert found.match.number >= told
    file, again = LogFile.reopen(path)
    file.close()
    assert again.match.number == found.match.number
    aside = list(path.parent.glob(f"{path.name}.{whole_files.DAMAGED}*"))
    assert len(aside) == (found.damage is not None)


def a_match(rng: Random, folder: Path) -> None:
    game = rng.choice(list(GAMES))
    given = ("play", game, "--plain", "--seats", "ada,bob")
    with Talk(*given, environment=environment(folder)) as talk:
        heard = talk.listen()
        killing = Timer(rng.uniform(0.0, 1.0), talk.process.kill)
        killing.start()
        with suppress(BrokenPipeError):
            play_on(talk, rng, heard)
        talk.process.wait()
        killing.cancel()
        told = _told(talk)
    (path,) = (folder / "logs").glob("*.kumite")
    _check_log(path, told)


def _killed(rng: Random, folder: Path, program: str, *args: str) -> int:
    """Run a program that prints numbers, and kill it behind the first; return the last one."""
    child = subprocess.Popen(
        [sys.executable, "-c", program, *args],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment(folder)},
    )
    first = child.stdout.readline()
    assert first, "it has shown nothing before its end"
    killing = Timer(rng.uniform(0.0, 0.5), child.kill)
    killing.start()
    said, _ = child.communicate()
    return int((first + said).split()[-1])


def a_change_of_settings(rng: Random, folder: Path) -> None:
    """Kill a program that changes a setting again and again."""
    path = folder / "config" / "kumite" / "settings.toml"
    path.parent.mkdir(parents=True)
    path.write_text(COMMENT)
    shown = _killed(rng, folder, CHANGING)
    text = path.read_text()
    assert text.startswith(COMMENT)
    assert tomllib.loads(text)["name"] in (f"ada {shown}", f"ada {shown + 1}")


def an_export(rng: Random, folder: Path) -> None:
    """Kill a program that exports a match again and again."""
    folder.mkdir(parents=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KUMITE_LOGS", str(folder / "logs"))
        table = LocalTable.begin(Setup.of(find("kuzushi")), ["ada", "bob"])
    for _ in range(12):
        actor = table.match.actors[0]
        table.play(actor, rng.choice(table.match.legal(actor)))
    path = table.path
    table.close()
    shown = _killed(rng, folder, EXPORTING, str(path), str(folder))
    whole = {path.read_bytes() for path in folder.glob("*.html")}
    assert len(whole) <= 1, "two exports of one log differ"
    numbers = {int(path.stem) for path in folder.glob("*.html")}
    assert numbers in (set(range(shown + 1)), set(range(shown + 2)))
    left = [path.name for path in folder.iterdir() if path.is_file() and path.suffix != ".html"]
    assert all(name.startswith(".") and name.endswith(".part") for name in left), left


def a_lan_table(rng: Random, folder: Path) -> None:
    """Kill one terminal in the middle of a LAN match; it comes back with all that it has shown."""
    names = ("ada", "bob")
    folders = (environment(folder / "ada"), environment(folder / "bob"))
    with at_lan_table("kuzushi", folders=folders) as talks:
        number = rng.randrange(2)
        victim, other = talks[number], talks[1 - number]
        killing = Timer(rng.uniform(0.0, 1.5), victim.process.kill)
        killing.start()
        with suppress(BrokenPipeError):
            play_lan([victim, other], rng)
        victim.process.wait()
        killing.cancel()
        told = _told(victim)
        (path,) = (folder / names[number] / "logs").glob("*.kumite")
        found = log_files.load(path)
        assert found.damage is None or found.damage.is_tail
        assert found.match.number >= told
        (table,) = (folder / names[number]).rglob("*.table")
        journal, _ = Journal.open(table)
        journal.close()
        given = ("resume", str(path), "--plain")
        with Talk(*given, environment=folders[number]) as again:
            said = again.wait_for("nobody listens in")
            assert not told or int(re.findall(r"continues after step (\d+)", said)[-1]) >= told


WAYS: tuple[Callable[[Random, Path], None], ...] = (
    a_match, a_change_of_settings, an_export, a_lan_table,
)  # fmt: skip


USUAL = (*[a_match] * 4, *[a_change_of_settings] * 3, *[an_export] * 2, a_lan_table)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(USUAL)))
def test_what_was_shown_is_there_after_a_kill(tmp_path: Path, number: int) -> None:
    USUAL[number](Random(f"kill {number}"), tmp_path / "home")


@pytest.mark.long
def test_a_thousand_kills(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    seed = request.config.getoption("storm") or secrets.token_hex(4)
    for number in range(request.config.getoption("kills")):
        way = WAYS[number % len(WAYS)]
        try:
            way(Random(f"{seed} {number}"), tmp_path / str(number))
        except BaseException:
            print(f"--storm {seed}: kill {number}, of {way.__name__}")
            raise
