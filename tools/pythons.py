"""The oldest and the newest Python of this machine that kumite runs on: the tests are run on both.

python tools/pythons.py        their paths, a line each, but not the one that runs this
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

OLDEST: Final = (3, 11)
ASK: Final = (
    "import ensurepip, sys, venv;"  # some systems leave these out
    "print(*sys.version_info[:2], sys.version_info[3], sys.executable)"
)
PYENV: Final = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"


def found() -> dict[tuple[int, int], str]:
    """Return the released versions that are there and kumite runs on, each with a program."""
    folders = [Path(one) for one in os.get_exec_path()] + sorted(PYENV.glob("*/bin"))
    programs = [path for folder in folders for path in folder.glob("python3.*")]
    answers = (_asked(path) for path in programs if re.fullmatch(r"python3\.\d+", path.name))
    return {version: path for version, path in answers if version >= OLDEST}


def _asked(program: Path) -> tuple[tuple[int, int], str]:
    """Return version and path of a program; one that does not start is of no version."""
    done = subprocess.run([program, "-c", ASK], capture_output=True, text=True, check=False)
    major, minor, level, path = (*done.stdout.split(maxsplit=3), *[""] * 4)[:4]
    if done.returncode or level != "final":
        return (0, 0), ""
    return (int(major), int(minor)), path.strip()


def main() -> None:
    """Print the paths, and on standard error what there is not."""
    pythons, ours = found(), sys.version_info[:2]
    others = sorted({min(pythons, default=ours), max(pythons, default=ours)} - {ours})
    if not others:
        print(f"NOT RUN: tests on another Python than {ours[0]}.{ours[1]}", file=sys.stderr)
    for version in others:
        print(pythons[version])


if __name__ == "__main__":
    main()
