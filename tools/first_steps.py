"""Do what README says, in its order, as on a machine with Python and make alone.

python -m kumite.tools.first_steps [PYTHON]    clones afresh; prints seconds and megabytes
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

from kumite.tools.release import ROOT, run, screen

SETTING_UP = 600.0  # s: `make play` loads all that playing needs
CODE = re.compile(r"kumite join \S+ (\d+-[a-z]+-[a-z]+)")


def main() -> None:
    python = shutil.which(sys.argv[1] if len(sys.argv) > 1 else "python3") or sys.executable
    with tempfile.TemporaryDirectory() as name:
        follow(Path(name), python)


def follow(place: Path, python: str) -> None:
    home, clone = place / "home", place / "kumite"
    home.mkdir()
    run("git", "clone", "--quiet", "--no-hardlinks", ROOT, clone, cwd=place)
    make = ("make", "play", f"PYTHON={python}")
    with screen(home, *make, within=SETTING_UP, cwd=clone) as (took, _):
        files = [one for one in (clone / ".venv").rglob("*") if one.is_file()]
        size = sum(one.stat().st_size for one in files) / 1e6
        print(f"{took:6.1f} s  make play, {size:.0f} MB in .venv")
    kumite = clone / ".venv" / "bin" / "kumite"
    bots = ("play", "kuzushi", "--plain", "--seats", "bot:1,bot:2")
    run("env", f"HOME={home}", kumite, *bots, cwd=home)
    log = next(home.rglob("*.kumite"))
    for line, shown in (
        ("", "Kuzushi"),
        ("play kuzushi --seats ada,bot:5,bot:strong", "ada"),
        (f"replay {log}", "step"),
        (f"log export {log} --as film --output film.svg", "film.svg"),
    ):
        with screen(home, kumite, *line.split(), shown=shown, cwd=home) as (took, _):
            print(f"{took:6.1f} s  kumite {line}")
    host = "host kitsune --seats 4 --name ada"
    with screen(home, kumite, *host.split(), shown="is enough", cwd=home) as (took, said):
        print(f"{took:6.1f} s  kumite {host}")
        found = CODE.search(said)
        assert found, said
        join = f"join {found[1]} --name bob"
        with screen(home, kumite, *join.split(), shown="At the table", cwd=home) as (took, _):
            print(f"{took:6.1f} s  kumite {join}")


if __name__ == "__main__":
    main()
