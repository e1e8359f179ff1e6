"""Control groups of sessions: what is asked of the system, here a folder that looks like it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kumite.serve import cgroups


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the group of a server that is alone in it."""
    (tmp_path / "own").write_text("4:memory:/other\n0::/kumite.service\n")
    place = tmp_path / "kumite.service"
    place.mkdir()
    (place / "cgroup.controllers").write_text("cpu memory pids\n")
    monkeypatch.setattr(cgroups, "ROOT", tmp_path)
    monkeypatch.setattr(cgroups, "OWN", tmp_path / "own")
    return place


def test_a_session_has_a_group_with_limits_beside_that_of_the_server(system: Path) -> None:
    made = cgroups.groups()
    assert made is not None
    (leaf,) = system.glob("server-*")
    assert (leaf / "cgroup.procs").read_text() == str(os.getpid())
    assert (system / "cgroup.subtree_control").read_text() == "+memory +pids"
    group = made.begin(256 << 20, 64)
    group.add(12345)
    (place,) = system.glob("session-*")
    written = {one.name: one.read_text() for one in place.iterdir()}
    assert written == {
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "memory.max": str(256 << 20),
        "pids.max": "64",
        "cgroup.procs": "12345",
    }


def test_without_the_controllers_there_are_no_groups_and_nothing_is_moved(system: Path) -> None:
    (system / "cgroup.controllers").write_text("cpu hugetlb\n")
    assert cgroups.groups() is None
    assert sorted(one.name for one in system.iterdir()) == ["cgroup.controllers"]
    (system / "cgroup.controllers").unlink()
    assert cgroups.groups() is None


def test_a_group_that_others_are_in_is_left_as_it_was(system: Path) -> None:
    (system / "cgroup.subtree_control").mkdir()  # so that writing fails, as with EBUSY
    assert cgroups.groups() is None
    assert (system / "cgroup.procs").read_text() == str(os.getpid())
