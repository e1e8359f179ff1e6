"""Plug-ins as pip would lay them into a folder, for tests in this process."""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from kumite.core import games
from kumite.core.bots import levels
from tests.support.places import ROOT

TEMPLATE = ROOT / "docs" / "examples" / "plugin"


def installed(
    folder: Path, patch: pytest.MonkeyPatch, package: str, entries: dict[str, dict[str, str]]
) -> None:
    """Put the metadata of a package on the path, and let kumite look for plug-ins again."""
    info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = []
    for group, named in entries.items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in named.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    patch.syspath_prepend(str(folder))
    for plugins in (games.PLUGINS, levels.PLUGINS):
        patch.setitem(vars(plugins), "_loaded", {})
        patch.setitem(vars(plugins), "_entries", None)  # to be taken away again at the end
        del vars(plugins)["_entries"]


def template(folder: Path, patch: pytest.MonkeyPatch) -> None:
    entries = tomllib.loads((TEMPLATE / "pyproject.toml").read_text())["project"]["entry-points"]
    folder.mkdir()
    shutil.copy(TEMPLATE / "kumite_ishi.py", folder)
    patch.setitem(sys.modules, "kumite_ishi", None)  # likewise
    del sys.modules["kumite_ishi"]
    installed(folder, patch, "kumite-ishi", entries)
