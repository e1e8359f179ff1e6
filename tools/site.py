"""Build the site: README, the other pages at the top and docs/ in one folder, by Zensical.

Zensical is what the authors of MkDocs Material maintain in its place; it reads mkdocs.yml.

python tools/site.py    writes site/; a link that leads nowhere is an error
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGES: Final = ROOT / "build" / "pages"
TOP: Final = {  # pages of the top folder, with their names in the site
    **{name: name for name in ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md")},
    "README.md": "index.md",
    "SECURITY.md": "reporting.md",  # there is docs/security.md; some systems ignore the case
}


def moved(text: str) -> str:
    """Return a page of the top folder, or of docs/, with its links as in one folder."""
    text = re.sub(r"\]\((?:docs|\.\.)/", "](", text)
    for name, new in TOP.items():
        text = text.replace(f"]({name}", f"]({new}")
    # without a page of its own: the text alone; and Markdown wants a line before a list
    text = re.sub(r"\[([^\]]*)\]\((?:examples/[^)]*|LICENSE)\)", r"`\1`", text)
    return re.sub(r"^(?!(?:[-|#>]|\d+\.| |$))(.*)\n(?=(?:-|1\.) )", r"\1\n\n", text, flags=re.M)


def lay(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder, ignore=shutil.ignore_patterns("examples"))
    for page in folder.glob("*.md"):
        page.write_text(moved(page.read_text("utf-8")), "utf-8")
    for name, new in TOP.items():
        (folder / new).write_text(moved((ROOT / name).read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    lay(PAGES)
    build = (sys.executable, "-m", "zensical", "build", "--strict", "--config-file", "mkdocs.yml")
    sys.exit(subprocess.run(build, cwd=ROOT, check=False).returncode)
