"""Networks as they are: links that come late, go, and change address, between real programs."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import ExitStack

import pytest

if sys.platform != "linux":
    pytest.skip("network namespaces are Linux's", allow_module_level=True)

from collections.abc import Iterator
from pathlib import Path

from kumite.net.transport import discovery
from kumite.net.transport.discovery import Announced, Announcer, Finder, Found, News, Vanished
from tests.support.networks import Lan
from tests.support.talk import Talk
from tests.support.terminal import Terminal
from tests.support.waiting import wait_for

pytestmark = [pytest.mark.slow, pytest.mark.netns]

KEY = "00112233aabbccdd"
TABLE = Announced("ada", "kuzushi", "Kuzushi", 1, 4747, "0.1")


@pytest.fixture
def lan() -> Iterator[Lan]:
    with Lan("ada", "bob", "cid") as one:
        yield one


def environment(folder: Path) -> dict[str, str]:
    config = folder / "config" / "kumite"
    config.mkdir(parents=True, exist_ok=True)
    (config / "settings.toml").write_text("lan = true\n", "utf-8")
    return {"KUMITE_LOGS": str(folder / "logs"), "XDG_CONFIG_HOME": str(folder / "config")}


class Room:
    """People at their computers."""

    def __init__(self, lan: Lan, folder: Path, ends: ExitStack) -> None:
        self.lan, self._folder, self._ends = lan, folder, ends

    def talk(self, name: str, *args: str) -> Talk:
        with self.lan.at(name):
            one = Talk(*args, "--plain", environment=environment(self._folder / name))
        return self._ends.enter_context(one)

    def show(self, name: str, *args: str) -> Terminal:
        with self.lan.at(name):
            one = Terminal(*args, size=(160, 50), environment=environment(self._folder / name))
        return self._ends.enter_context(one)


@pytest.fixture
def room(lan: Lan, tmp_path: Path) -> Iterator[Room]:
    with ExitStack() as ends:
        yield Room(lan, tmp_path, ends)


def test_a_network_that_comes_up_later_is_seen_by_all_who_look(room: Room) -> None:
    """Two of them have never had one, the third has it but no cable in it."""
    lan = room.lan
    lan.plug("ada", "10.9.0.1/24")
    room.talk("ada", "host", "kuzushi", "--name", "ada").wait_for("kumite join 10.9.0.1")
    lan.ip("switch", "link", "set", "cid", "down")
    lan.plug("cid", "10.9.0.3/24")
    lines = room.talk("bob", "join")
    home = room.show("bob")
    tables = room.show("cid", "join", "--name", "cid")
    lines.wait_for("Type a number")
    home.wait_for("No table is open")
    tables.wait_for("no table is open on this LAN yet")
    lan.plug("bob", "10.9.0.2/24")
    lan.ip("switch", "link", "set", "cid", "up")
    lines.wait_for("1: ada, Kuzushi")
    home.wait_for("ada", "1 free seat")
    tables.wait_for("ada", "1 free seat")
    assert tables.wait_until(lambda: "yet" not in tables.text), tables.text


def test_a_host_whose_network_comes_up_later_is_found_and_says_so_meanwhile(room: Room) -> None:
    lan = room.lan
    lan.plug("bob", "10.9.0.2/24")
    host = room.talk("ada", "host", "kuzushi", "--name", "ada")
    host.wait_for("not connected to a network", "kumite join 127.0.0.1 ")
    assert "0.0.0.0" not in host.said
    guest = room.talk("bob", "join", "--name", "bob")
    guest.wait_for("Type a number")
    lan.plug("ada", "10.9.0.1/24")
    code = host.find(r"kumite join 10.9.0.1 (\S+)\n")[1]
    guest.wait_for("1: ada, Kuzushi")
    guest.say("1")
    guest.wait_for("The code on the host's screen")
    guest.say(code)
    host.wait_for("bob")


def test_two_laptops_on_one_cable_play_by_the_line_that_the_host_shows(room: Room) -> None:
    """They have link-local IPv6 addresses alone, and the joiner's interface has another name."""
    lan = room.lan
    lan.ip("bob", "link", "set", "eth0", "name", "enp3s0")
    lan.plug("ada")
    lan.plug("bob", link="enp3s0")
    host = room.talk("ada", "host", "kuzushi", "--name", "ada", "--port", "4800")
    place, code = host.find(r"kumite join (\[fe80::\S+) (\S+)\n").groups()
    assert "%" not in place
    room.talk("bob", "join").wait_for("1: ada, Kuzushi, 1 free, at fe80::")
    guest = room.talk("bob", "join", place, code, "--name", "bob")
    guest.wait_for("Kuzushi")
    host.wait_for("bob")
    other = room.talk("bob", "join", place.replace("]", "%eth0]"), code, "--name", "eve")
    other.wait_for("All seats of this table are taken")  # it came there, by the zone of the host


def test_links_that_come_go_and_change_leave_neither_files_nor_threads(
    lan: Lan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "LOOK_EVERY", 0.2)
    told: dict[str, list[News]] = {"bob": [], "cid": []}

    def now(name: str) -> tuple[str, ...] | None:
        last = told[name][-1] if told[name] else None
        return last.addresses if isinstance(last, Found) else None

    def has_moved(address: str, name: str) -> None:
        wait_for(lambda: address in (now(name) or ()), f"{name} to find {address}", 30)

    before = len(os.listdir("/proc/self/fd")), threading.active_count()
    with lan.at("ada"):
        announcer = Announcer(KEY, TABLE)
        announcer.start()
    finders = []
    for name in told:
        with lan.at(name):
            finders.append(Finder(told[name].append))
            finders[-1].start()
    open_: list[int] = []
    for turn in range(8):
        lan.plug("ada", f"10.9.0.{turn + 1}/24")
        lan.plug("bob", f"10.9.0.{turn + 101}/24")
        if not turn:
            lan.plug("cid", "10.9.0.201/24")
        for name in told:
            has_moved(f"10.9.0.{turn + 1}", name)
        open_.append(len(os.listdir("/proc/self/fd")))
        lan.ip("ada", "address", "add", f"10.9.1.{turn + 1}/24", "dev", "eth0")
        for name in told:
            has_moved(f"10.9.1.{turn + 1}", name)
        lan.unplug("ada")
        lan.unplug("bob")
        wait_for(lambda: isinstance(told["bob"][-1], Vanished), "bob to lose what is gone", 30)
    assert open_[-1] < open_[1] + 4, (
        open_
    )  # old and new sockets overlap; one lost each turn would be six
    announcer.close()
    for one in finders:
        one.close()
    wait_for(
        lambda: (len(os.listdir("/proc/self/fd")), threading.active_count()) == before,
        "all files and threads to be gone",
        30,
    )
