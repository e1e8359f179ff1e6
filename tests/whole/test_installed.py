"""Kumite as people get it: its wheel, made from the tree or from the sdist, and a bare checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.support.places import ROOT

ROOMS = ("core", "store", "net", "tui", "serve", "cli", "themes")
LEFT_OUT = shutil.ignore_patterns("__pycache__", ".*", *ROOMS, "tools", "tests")
DEMO = ("-m", "kumite", "demo", "kuzushi", "--seed", "1")
USED = """
import asyncio, sys, zlib
from kumite.core.bots import Position
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.tui.bots.service import BotService
from kumite.tui.look.colors import names
from kumite.tui.export.rules_page import rules_text

match = Match.begin(Setup.of(GAMES["kiriai"]))
while match.actors == (CHANCE,):
    match = match.play(CHANCE, match.legal(CHANCE)[0])
seen = match.seen_by(frozenset({Seat(0)}))
asked = Position(match.game, seen.state, Seat(0), seen.steps(), seen.legal(Seat(0)))
service = BotService()
print(asyncio.run(service.choose("strong", asked, seed=1)))
service.close()
print(names(), [(game, zlib.crc32(rules_text(game).encode())) for game in GAMES])
assert sorted(name for name in sys.modules if name in ("core", "net", "tui")) == []
"""


def run(program: str | Path, *args: str | Path, cwd: Path, **environment: str) -> str:
    """Return what a program prints that finds nothing of this checkout by its environment."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [program, *args],
        cwd=cwd,
        env=ours | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def built(source: Path, kind: str, folder: Path) -> Path:
    """Build a wheel or an sdist of the tree in `source`."""
    run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", folder, cwd=source)
    (made,) = folder.iterdir()
    return made


@dataclass(frozen=True)
class Place:
    """A virtual environment: its packages are those of this one, but for what was put there."""

    folder: Path
    empty: Path  # a folder with nothing in it

    @staticmethod
    def of(folder: Path) -> Place:
        # pip is borrowed as well, where there is one
        more = ("--without-pip",) if find_spec("pip") else ()
        run(sys.executable, "-m", "venv", *more, folder / "venv", cwd=folder)
        (folder / "empty").mkdir()
        made = Place(folder / "venv", folder / "empty")
        borrowed = folder / "borrowed"
        borrowed.mkdir()
        for name in ("purelib", "platlib"):
            for path in Path(sysconfig.get_path(name)).iterdir():
                link = borrowed / path.name
                if not path.name.startswith(("kumite", "_kumite")) and not link.exists():
                    link.symlink_to(path)
        (made.packages / "borrowed.pth").write_text(str(borrowed))
        return made

    @property
    def packages(self) -> Path:
        (found,) = self.folder.glob("lib/python3.*/site-packages")
        return found

    def files(self) -> list[Path]:
        return sorted(path for path in self.folder.rglob("*") if path.suffix != ".pyc")

    def run(self, *args: str | Path, cwd: Path | None = None) -> str:
        return run(self.folder / "bin" / "python", *args, cwd=cwd or self.empty)

    def install(self, *args: str | Path) -> None:
        self.run("-m", "pip", "install", "-q", "--no-deps", "--no-index", *args)


@pytest.fixture(scope="module")
def at_home() -> tuple[str, str]:
    """What the demo and the script print in this checkout."""
    paths = {"PYTHONPATH": str(ROOT)}
    return (
        run(sys.executable, *DEMO, cwd=ROOT, **paths),
        run(sys.executable, "-c", USED, cwd=ROOT, **paths),
    )


@pytest.fixture(scope="module")
def of_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT, "wheel", tmp_path_factory.mktemp("dist") / "wheel")


@pytest.fixture(scope="module")
def of_sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    with tarfile.open(built(ROOT, "sdist", folder / "sdist")) as archive:
        archive.extractall(folder, filter="data")
    (source,) = folder.glob("kumite-*")
    return built(source, "wheel", folder / "wheel")


def shipped() -> set[str]:
    """Return the files of the package, as they lie in site-packages."""
    found = {
        f"kumite/{path.relative_to(ROOT).as_posix()}"
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    found |= {f"kumite/tui/rules/{path.name}" for path in (ROOT / "docs" / "rules").glob("*.md")}
    return found | {"kumite/__init__.py", "kumite/__main__.py", "kumite/py.typed"}


@pytest.mark.parametrize("wheel", ["of_tree", "of_sdist"])
def test_the_wheel_holds_the_rooms_with_all_their_data_and_nothing_else(
    wheel: str, request: pytest.FixtureRequest
) -> None:
    with ZipFile(request.getfixturevalue(wheel)) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    assert sorted(names) == sorted(shipped())
    for data in (
        *("py.typed", "tui/kumite.tcss", "tui/export/page.html", "tui/rules/kuzushi.md"),
        *(
            "themes/dark.toml",
            "core/games/kiriai/bot/kiriai.table",
            "core/games/kiriai/bot/kiriai.book",
        ),
    ):
        assert f"kumite/{data}" in names
    assert not any(re.match("kumite/(tools|tests|docs)/", name) for name in names)


@pytest.mark.slow
def test_it_plays_beside_a_package_that_is_called_core(
    of_sdist: Path, tmp_path: Path, at_home: tuple[str, str]
) -> None:
    place = Place.of(tmp_path)
    foreign = place.packages / "core" / "__init__.py"
    foreign.parent.mkdir()
    foreign.write_text("raise RuntimeError('this is somebody else’s core')\n")
    before = set(place.packages.iterdir())
    place.install(of_sdist)
    landed = {path.name for path in set(place.packages.iterdir()) - before}
    assert landed == {"kumite", "-".join(of_sdist.name.split("-")[:2]) + ".dist-info"}
    where = place.run("-c", "import kumite; print(kumite.__path__)")
    assert where.strip() == str([str(place.packages / "kumite")])
    assert (place.run(*DEMO), place.run("-c", USED)) == at_home
    version = of_sdist.name.split("-")[1]
    program = place.folder / "bin" / "kumite"
    assert run(program, "--version", cwd=place.empty) == f"kumite, version {version}\n"


@pytest.mark.slow
def test_a_plug_in_game_comes_and_goes_without_a_trace(of_tree: Path, tmp_path: Path) -> None:
    place = Place.of(tmp_path)
    place.install(of_tree)
    before = place.files()
    logs = {"KUMITE_LOGS": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    kumite = place.folder / "bin" / "kumite"
    ishi = built(ROOT / "docs" / "examples" / "plugin", "wheel", tmp_path / "ishi")
    place.install("--no-compile", ishi)
    asked = ("demo", "ishi", "--option", "stones=21", "--seats", "bot:counter,bot:strong")
    demo = run(kumite, *asked, cwd=place.empty, **logs)
    assert "bot counter won: last stone" in demo
    played = ("play", "ishi", "--plain", "--seats", "bot:1,bot:2")  # in a process of their own
    run(kumite, *played, cwd=place.empty, **logs)
    (log,) = tmp_path.glob("*.kumite")
    assert "won: last stone" in run(kumite, "replay", "--plain", log, cwd=place.empty, **logs)
    place.run("-m", "pip", "uninstall", "-q", "-y", "kumite-ishi")
    assert place.files() == before
    with pytest.raises(AssertionError, match=r"package kumite-ishi 1\.0 had it"):
        run(kumite, "log", "show", log, cwd=place.empty, **logs)


def test_an_editable_install_is_this_checkout(tmp_path: Path) -> None:
    place = Place.of(tmp_path)
    place.install("--no-build-isolation", "--editable", ROOT)
    where = place.run("-c", "import kumite.core.match as one; print(one.__file__)")
    assert where.strip() == str(ROOT / "kumite" / "core" / "match.py")
    assert re.fullmatch(
        r"kumite, version \d\S* \(commit \w{7,}(-dirty)?\)\n",
        place.run("-m", "kumite", "--version"),
    )


@pytest.mark.parametrize("links", ["none", "texts"])  # as Windows checks them out: "../core"
def test_a_checkout_without_links_plays_as_well(
    tmp_path: Path, links: str, at_home: tuple[str, str]
) -> None:
    place, checkout = Place.of(tmp_path), tmp_path / "checkout"
    for room in (*ROOMS, "docs"):
        shutil.copytree(ROOT / room, checkout / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "kumite", checkout / "kumite", ignore=LEFT_OUT)
    if links == "texts":
        for room in ROOMS:
            (checkout / "kumite" / room).write_text(f"../{room}")
    said = place.run("-m", "kumite", "--version", cwd=checkout)
    assert said == "kumite, version not installed\n"
    assert (place.run(*DEMO, cwd=checkout), place.run("-c", USED, cwd=checkout)) == at_home
