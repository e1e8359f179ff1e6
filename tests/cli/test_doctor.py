"""`kumite doctor`: each check says what it found, and what to do where something is wrong."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from kumite.cli import doctor
from kumite.core.errors import KumiteError
from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.log import Header, log_text
from kumite.net.transport import sockets
from kumite.net.transport.addresses import INNER, LAN, LOOPBACK, VPN, Own
from kumite.store.log_files import SUFFIX, folder
from kumite.tui.bots import kernels
from kumite.tui.look import sprites
from kumite.tui.look.colors import users_folder
from kumite.tui.settings import path
from tests.support.commands import kumite
from tests.support.random_matches import walk

TOPICS = [
    *("program", "terminal", "glyphs", "settings", "themes", "skins"),
    *("matches", "kept", "bots", "addresses", "far_away", "listening"),
]


class Echo:
    """A network on which what is announced is heard at once."""

    heard: Callable[[object], object]

    def __init__(self, first: object, *_: object, service: str) -> None:
        assert service == doctor.CHECK
        if callable(first):
            Echo.heard = first

    def start(self) -> None:
        Echo.heard("found")

    def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "Finder", Echo)
    monkeypatch.setattr(doctor, "Announcer", Echo)


def told() -> tuple[Result, dict[str, list[str]]]:
    """Return what was printed, as marks and texts by topic."""
    done = kumite("doctor", status=None)
    found: dict[str, list[str]] = {}
    for line in done.output.splitlines():
        mark, topic, text = line[:5].strip(), line[6:16].strip(), line[17:]
        if mark:
            found.setdefault(topic, []).append(f"{mark}: {text}")
    return done, found


def test_where_all_is_well_it_says_so_of_everything() -> None:
    done, found = told()
    assert done.exit_code == 0, done.output
    assert list(found) == [*TOPICS, "discovery", "sandbox"]
    assert any("for each process" in one or "for each visit" in one for one in found["sandbox"])
    assert found["program"][0].startswith("ok: kumite ")
    assert "needs a terminal" in found["terminal"][0]
    assert found["matches"] == [f"ok: 0 saved in {folder()}"]
    assert found["discovery"][0].startswith("ok: our own announcement was back after 0.")


@pytest.mark.parametrize(
    ("size", "said"),
    [
        ((60, 20), ()),
        ((59, 20), ("replays and analyses need 60x20, all else fits",)),
        ((40, 15), ("replays and analyses need 60x20, all else fits",)),
        ((40, 14), ("kumite needs 40x15", "note")),
    ],
)
def test_a_window_is_told_what_it_is_too_small_for(
    size: tuple[int, int], said: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "require_terminal", lambda: None)
    monkeypatch.setattr(doctor.os, "get_terminal_size", lambda _: os.terminal_size(size))
    with Path(os.devnull).open() as file:
        monkeypatch.setattr(doctor.sys, "__stderr__", file)
        ((mark, _, *hints),) = doctor.terminal()
    hint = "".join(hints).partition(":")[0]
    assert hint.startswith(said[0]) if said else not hint
    assert mark == (said[1] if said[1:] else "ok")


def test_how_bots_think_is_told_and_a_numba_that_fails_is_a_note(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert told()[1]["bots"] == ["ok: in plain Python: KUMITE_KERNEL is off"]
    monkeypatch.setattr(kernels, "why_not", lambda: kernels.MISSING)
    done, found = told()
    assert found["bots"] == ["ok: in plain Python: numba is not installed"]
    assert kernels.EXTRA in done.output
    monkeypatch.setattr(kernels, "why_not", lambda: "")
    monkeypatch.setattr(kernels, "load", lambda: "ValueError: too old")
    done, found = told()
    assert done.exit_code == 0
    assert found["bots"] == ["note: in plain Python: ValueError: too old"]
    assert "KUMITE_KERNEL=off" in done.output


def test_a_damaged_log_and_a_file_that_is_none_are_named_with_what_to_do() -> None:
    folder().mkdir(parents=True)
    setup = Setup.of(find("kuzushi"))
    (folder() / f"good{SUFFIX}").write_text(log_text(Header("00", setup), walk(setup, 1)))
    (folder() / f"bad{SUFFIX}").write_text("kumite log 99\n")
    done, found = told()
    assert done.exit_code == 0
    first, second = found["matches"]
    assert first == f"ok: 1 saved in {folder()}"
    assert second.startswith(f"note: bad{SUFFIX}: ")
    assert f"kumite log repair {folder() / 'bad'}{SUFFIX}" in done.output


@pytest.mark.parametrize(
    ("written", "said", "hint"),
    [
        ("theme = 3", "theme = 3 is not used: a text", ""),
        ('theme = "pink"', "no theme 'pink'", "themes: "),
        ('skin = "pink"', "no skin 'pink'", "skins: kumite"),
    ],
)
def test_settings_that_cannot_be_used_are_bad_and_the_rest_is_still_told(
    written: str, said: str, hint: str
) -> None:
    path().parent.mkdir(parents=True, exist_ok=True)
    path().write_text(f"{written}\n")
    done, found = told()
    assert done.exit_code == 1
    assert found["settings"][0].startswith("BAD: ")
    assert said in found["settings"][0]
    assert hint in done.output
    assert "discovery" in found


def test_all_themes_and_skins_are_read_also_those_not_in_use() -> None:
    themes, skin = users_folder(), sprites.users_folder() / "mine"
    themes.mkdir(parents=True)
    skin.mkdir(parents=True)
    (themes / "good.toml").write_text('[roles]\nquiet = "#808080"\n')
    (themes / "bad.toml").write_text('[roles]\nquiet = "grue"\n')
    (skin / "fox.txt").write_text("h = seat\n\n[2x1]\nhhh\n")
    (skin / "samurei.txt").write_text("h = seat\n\n[1x1]\nh\n")
    (skin / "flag.txt").write_text("h = seat\n\n[1x1]\nh\n")
    done, found = told()
    assert done.exit_code == 1
    assert [one.partition(" is not used")[0] for one in found["themes"]] == [
        f"BAD: {themes / 'bad.toml'}:2: quiet = 'grue'"
    ]
    assert found["skins"] == [
        f"BAD: {skin / 'fox.txt'}:4: 3 pixels instead of 2",
        f"BAD: {skin / 'samurei.txt'}: no sprite has this name",
    ]
    assert "did you mean samurai.txt?" in done.output


def test_a_network_that_lets_nothing_back_is_bad_and_the_other_way_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor, "PATIENCE", 0.01)
    monkeypatch.setattr(Echo, "start", lambda _: None)
    done, found = told()
    assert done.exit_code == 1
    assert found["discovery"] == ["BAD: our own announcement did not come back within 0 s"]
    assert "kumite join HOST:PORT CODE" in done.output


def test_a_taken_port_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    def listening(address: str | None, port: int) -> None:
        raise sockets.NetworkError("port-in-use", f"Port {port} is taken", hint="take another")

    monkeypatch.setattr(sockets, "listening", listening)
    done, found = told()
    assert done.exit_code == 0
    assert found["listening"][0].startswith("note: Port ")
    assert "take another" in done.output


def test_addresses_are_told_as_others_type_them_or_that_there_is_no_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = [
        Own("192.168.1.20", "eth0", LAN, False),
        Own("fe80::1%2", "eth0", LAN, True),
        Own("100.64.0.3", "wg0", VPN, False),
        Own("172.17.0.1", "docker0", INNER, False),
    ]
    for where in ("cli.doctor", "net.transport.addresses"):
        monkeypatch.setattr(f"kumite.{where}.here", lambda: own)
    monkeypatch.setattr(doctor, "discovery", lambda: iter(()))  # none of these can be opened
    assert told()[1]["addresses"] == [
        "ok: 192.168.1.20, 100.64.0.3 (VPN wg0)",
        "ok: not told to others, as it leads to containers: 172.17.0.1 (docker0)",
    ]
    own[:] = [Own("127.0.0.1", "lo", LOOPBACK, False)]
    done, found = told()
    assert done.exit_code == 0
    assert found["addresses"] == ["note: not connected to a network"]
    assert "kumite join 127.0.0.1 CODE" in done.output


def test_ways_to_friends_on_other_networks_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    own = [Own("100.64.0.3", "wg0", VPN, False), Own("100.64.0.4", "eth0", LAN, False)]
    monkeypatch.setattr(doctor, "discovery", lambda: iter(()))  # neither can be opened
    for ssh, there, said in (
        ("", [], ["note: no way to friends on other networks"]),
        ("/bin/ssh", own[1:], ["ok: ssh can carry a table to a server; f in its lobby shows how"]),
        ("", own, ["ok: friends in your Tailscale network reach tables at 100.64.0.3"]),
    ):
        monkeypatch.setattr("kumite.cli.doctor.which", lambda _, ssh=ssh: ssh)
        monkeypatch.setattr("kumite.net.transport.addresses.here", lambda there=there: there)
        assert told()[1]["far_away"] == said


def test_a_mistake_of_one_check_does_not_hide_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def addresses() -> tuple[str, ...]:
        raise KumiteError("no interfaces", hint="plug in a cable")

    monkeypatch.setattr("kumite.cli.doctor.own_addresses", addresses)
    done, found = told()
    assert done.exit_code == 1
    assert found["addresses"] == ["BAD: no interfaces"]
    assert "plug in a cable" in done.output
    assert "discovery" in found


def test_what_is_found_breaks_between_words_and_stands_below_itself() -> None:
    one = doctor.Finding(
        doctor.NOTE, "bots", "those of Kitsu! and Kumo compiled by numba", "or not"
    )
    assert list(doctor.lines_of(one, 40)) == [
        "note  bots       those of Kitsu! and",
        "                 Kumo compiled by numba",
        "                 or not",
    ]
    assert len(list(doctor.lines_of(one, doctor.UNBROKEN))) == 2  # in a file or a pipe
