"""Files for other programs: the lock of dependencies, the unit, the container, the site."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from kumite.tools import site
from tests.support.places import ROOT

UNIT = ROOT / "docs" / "examples" / "kumite.service"


def test_the_lock_is_of_these_dependencies() -> None:
    """Else `uv run` resolves anew."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    packages = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]
    (ours,) = (one for one in packages if one["name"] == "kumite")
    locked = {(one["name"], one.get("specifier", "")) for one in ours["metadata"]["requires-dist"]}
    wanted = set()
    for line in sum(project["optional-dependencies"].values(), project["dependencies"]):
        name, limits = re.fullmatch(r"([\w-]+)([^;]*)(?:;.*)?", line).groups()
        wanted.add((name, ",".join(sorted(limits.split(","), reverse=True))))
    found = {(name, ",".join(sorted(at.split(","), reverse=True))) for name, at in locked}
    assert found == wanted, "run `uv lock`"
    indexes = {one["source"]["registry"] for one in packages if "registry" in one["source"]}
    assert indexes == {"https://pypi.org/simple"}


def test_container_and_unit_shut_a_server_in() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text("utf-8")
    assert dockerfile.index("USER kumite") < dockerfile.index("CMD [")
    assert "HEALTHCHECK" in dockerfile
    compose = (ROOT / "compose.yaml").read_text("utf-8")
    assert "read_only: true" in compose
    assert "cap_drop: [ALL]" in compose


@pytest.mark.systemd
def test_systemd_takes_the_unit_and_finds_it_well_shut_in(tmp_path: Path) -> None:
    path = tmp_path / "kumite.service"
    path.write_text(UNIT.read_text().replace("/opt/kumite/bin/kumite", sys.executable))
    for asked in (("verify",), ("security", "--offline=yes", "--threshold=30")):  # 3.0 of 10
        done = subprocess.run(
            ["systemd-analyze", *asked, path], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert not done.stderr


def test_every_link_of_the_site_leads_to_one_of_its_files(tmp_path: Path) -> None:
    """Zensical says so, too, where it is: `make site`."""
    pages = tmp_path / "pages"
    site.lay(pages)
    names = [path.relative_to(pages).as_posix() for path in pages.rglob("*.md")]
    assert len({name.lower() for name in names}) == len(names) > 25
    for path in pages.rglob("*.md"):
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text("utf-8")):
            assert target.startswith("https://") or (path.parent / target).exists(), (path, target)
    listed = re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text("utf-8").split("nav:")[1])
    assert sorted(listed) == sorted(names)
