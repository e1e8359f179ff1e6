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
ASK: Final = """
import sys
from importlib.util import find_spec
assert find_spec("ensurepip") and find_spec("venv")  # some systems leave these out
assert sys.version_info.releaselevel == "final"
print(sys.executable)
"""
PYENV: Final = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"


def found() -> dict[tuple[int, int], str]:
    """Return the released versions that are there and kumite runs on, each with its program."""
    folders = [*sorted(PYENV.glob("*/bin")), *map(Path, os.get_exec_path())]
    usable: dict[tuple[int, int], str] = {}
    for program in (path for folder in folders for path in folder.glob("python3.*")):
        named = re.fullmatch(r"python(3)\.(\d+)", program.name)
        version = (int(named[1]), int(named[2])) if named else (0, 0)
        if version >= OLDEST and version not in usable and (path := _asked(program)):
            usable[version] = path
    return usable


def _asked(program: Path) -> str:
    """Return the path of a program itself, empty if it does not start or makes no environment."""
    done = subprocess.run([program, "-c", ASK], capture_output=True, text=True, check=False)
    return "" if done.returncode else done.stdout.strip()


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
