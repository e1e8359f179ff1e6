"""Check what a release consists of: texts, sdist and wheel, and an install of each that plays.

python tools/release.py [--dry-run] [--files URL]    builds into dist/, prints how to tag and upload
"""

from __future__ import annotations

import argparse
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
DIST: Final = ROOT / "dist"
FIRST: Final = 15.0  # s in which the first picture has to be there
SHOWN: Final = "Kuzushi"  # a tile of the home screen
LINK: Final = re.compile(r"(?<=\]\()(?!\w+:|#)")  # where an address within the repository begins
SERVED: Final = re.compile(r'^    "[\w.]+": "((?:js|css|fonts)/[\w.-]+)",', re.MULTILINE)


def run(*args: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run(args, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, args))}\n{done.stdout}{done.stderr}")
    return done.stdout


def problems(root: Path, *, is_dry: bool) -> list[str]:
    """Return what is wrong with the texts of a release, as sentences."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    version = project["version"]
    found = []
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        found.append(f"The version {version} is not MAJOR.MINOR.PATCH.")
    heading = "Unreleased" if is_dry else f"{version} - " + r"\d{4}-\d\d-\d\d"
    changes = (root / "CHANGELOG.md").read_text("utf-8")
    if not re.search(rf"^## (?:{heading})\n(?:(?!## ).*\n)*- ", changes, re.MULTILINE):
        found.append(f"CHANGELOG.md has no changes under {heading}.")
    notice = (root / "NOTICE").read_text("utf-8")
    served = SERVED.findall((root / "serve" / "web.py").read_text("utf-8"))
    if not served:
        found.append("serve/web.py names no files of others; is THEIRS written in another way?")
    found += [f"NOTICE lacks the licence of {one}." for one in served if one not in notice]
    return found


@contextmanager
def screen(
    folder: Path, *command: str | Path, shown: str = SHOWN, within: float = FIRST, cwd: Path = ROOT
) -> Iterator[tuple[float, str]]:
    """Run a command in a terminal with the home `folder`; give the seconds until it shows a text.

    Also what it had written by then. It runs until the end of the block.
    """
    import pty  # late: not on Windows

    begun = time.monotonic()
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(cwd)
        home = {"HOME": str(folder), "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
        os.execvpe(command[0], [*map(str, command)], {"PATH": os.environ["PATH"], **home})
    said = ""
    try:
        with suppress(OSError):  # it has ended
            while shown not in said and (left := begun + within - time.monotonic()) > 0:
                if select.select([fd], [], [], left)[0]:
                    said += os.read(fd, 1 << 16).decode("utf-8", "replace")
        if shown not in said:
            sys.exit(f"{command} does not show {shown!r} in {within:.0f} s:\n{said[-2000:]}")
        yield time.monotonic() - begun, said
    finally:
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(fd)


def install(package: Path, version: str) -> None:
    """Install a file in an empty environment, and start it there."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(sys.executable, "-m", "venv", folder / "venv")
        begun = time.monotonic()
        pip = (folder / "venv" / "bin" / "python", "-m", "pip", "install", "--quiet")
        run(*pip, "--disable-pip-version-check", package, cwd=folder)
        took = time.monotonic() - begun
        program = folder / "venv" / "bin" / "kumite"
        if (said := run(program, "--version", cwd=folder)) != f"kumite, version {version}\n":
            sys.exit(f"{package.name} calls itself {said!r}")
        packages = next((folder / "venv" / "lib").glob("python3*/site-packages"))
        size = sum(one.stat().st_size for one in packages.rglob("*") if one.is_file())
        with screen(folder, program) as (shown, _):
            print(f"{package.name}: installed in {took:.0f} s, {size / 1e6:.0f} MB with all;")
            print(f"  first picture after {shown:.1f} s")


def build(files: str) -> list[Path]:
    """Build sdist and wheel of the last commit, with links in README that an index can follow."""
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        run("git", "clone", "--quiet", "--depth", "1", f"file://{ROOT}", name)
        readme = Path(name) / "README.md"
        readme.write_text(with_links_to(files, readme.read_text("utf-8")), "utf-8")
        # First the sdist, and the wheel from it.
        run(sys.executable, "-m", "build", "--outdir", DIST, name)
    return sorted(DIST.iterdir())


def with_links_to(files: str, text: str) -> str:
    """Return a text of Markdown whose links within the repository lead to this address."""
    return LINK.sub(files.rstrip("/") + "/", text) if files else text


def main() -> None:
    parser = argparse.ArgumentParser(description="Check a release.")
    parser.add_argument("--dry-run", action="store_true", help="of a version not yet decided on")
    parser.add_argument("--files", default="", help="where the files of this tag are on the web")
    is_dry, files = (chosen := parser.parse_args()).dry_run, chosen.files
    found = problems(ROOT, is_dry=is_dry)
    if not is_dry and run("git", "status", "--porcelain"):
        found.append("Files differ from the last commit.")
    if not is_dry and not files:
        found.append("Say with --files where README's pictures and pages will be on the web.")
    if found:
        sys.exit("\n".join(found))
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    made = build(files)
    print(run(sys.executable, "-m", "twine", "check", "--strict", *made), end="")
    for one in made:
        install(one, version)
    if not is_dry:
        print(f"git tag --annotate v{version} --message 'kumite {version}'")
        print(f"git push origin v{version}\npython -m twine upload dist/*")


if __name__ == "__main__":
    main()
