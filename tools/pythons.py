"""Find the oldest and newest supported Python on this machine, so that tests run on both.

python tools/pythons.py oldest    prints its path
python tools/pythons.py newest    prints its path, or nothing if it is this one
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
    """Return the supported released versions found, with the path of each."""
    folders = [*sorted(PYENV.glob("*/bin")), *map(Path, os.get_exec_path())]
    usable: dict[tuple[int, int], str] = {}
    for program in (path for folder in folders for path in folder.glob("python3.*")):
        named = re.fullmatch(r"python(3)\.(\d+)", program.name)
        version = (int(named[1]), int(named[2])) if named else (0, 0)
        if version >= OLDEST and version not in usable and (path := _asked(program)):
            usable[version] = path
    return usable


def _asked(program: Path) -> str:
    """Return the real path of an interpreter; empty if it cannot start or create environments."""
    done = subprocess.run([program, "-c", ASK], capture_output=True, text=True, check=False)
    return "" if done.returncode else done.stdout.strip()


def main() -> None:
    """Print a path, and on standard error what is missing."""
    pythons, ours = found(), sys.version_info[:2]
    if sys.argv[1:] == ["oldest"]:
        print(pythons[min(pythons)] if pythons else sys.executable)
    elif (newest := max(pythons, default=ours)) == ours:
        print(f"NOT RUN: tests on a newer Python than {ours[0]}.{ours[1]}", file=sys.stderr)
    else:
        print(pythons[newest])


if __name__ == "__main__":
    main()
