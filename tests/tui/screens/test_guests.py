"""A guest of a server (`kumite serve`): what keys reach of a host's files, programs and networks.

All screens are walked through with every key that they name, and every prompt is answered with
what would lead out; whatever Python then opens, starts or connects to is watched.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from kumite.core.codes import NOT_FOR_GUESTS
from kumite.core.errors import KumiteError
from kumite.core.game import Setup
from kumite.core.games import find
from kumite.net.session import events
from kumite.net.tournament.state import TournamentChanged
from kumite.net.transport import invites
from kumite.store import guest_mode
from kumite.store.guest_mode import GUEST, NotForGuests
from kumite.store.log_files import load
from kumite.tui import crash
from kumite.tui.app import KumiteApp
from kumite.tui.bots.programs import called
from kumite.tui.bots.service import THINKER
from kumite.tui.plain.lobby import ways_in
from kumite.tui.play.local_table import LocalTable
from kumite.tui.scenes.lines import plain
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.lobby import HOST, LobbyScreen
from kumite.tui.screens.open_list import JoinScreen
from kumite.tui.screens.reading import HelpScreen
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.saved import SavedScreen
from kumite.tui.screens.settings import SettingsScreen
from kumite.tui.screens.setup import HostScreen, NewScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.screens.tournament import TournamentHostScreen
from kumite.tui.screens.tournaments import NewTournamentScreen, TournamentsScreen
from kumite.tui.terminal.driver import largest
from kumite.tui.widgets.form import Form
from kumite.tui.widgets.prompt import Prompt
from tests.support.apps import app, frame, running, screen_of, settled, words
from tests.support.fake_peer import (
    FakeLan,
    FakePeer,
    FakePlan,
    FakeTournamentPeer,
    lan_app,
    seat_at_table,
)
from tests.support.spread import spread
from tests.support.tournaments import TERMS
from tests.tui.screens.test_screens import SCREENS as ALL_SCREENS
from tests.tui.screens.test_tournament import view

OUT = ("cmd:/bin/sh -c id", "../../x", "/etc/passwd", "192.168.1.1:22", "\x1b]52;c;x\x07", "~/x")
HERE = "127.0.0.1"  # the server's address
WATCHED = {
    *("open", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "webbrowser.open"),
    *("socket.connect", "socket.bind", "socket.getaddrinfo", "os.symlink", "os.kill"),
}
MDNS = 5353  # where tables are announced and found
_seen: list[tuple[str, tuple[Any, ...]]] | None = None


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if _seen is not None and event in WATCHED:
        _seen.append((event, args))


@pytest.fixture(scope="module", autouse=True)
def _watching() -> None:
    sys.addaudithook(_watch)  # for ever: Python takes none off again


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make this the process of a guest; return their folder."""
    monkeypatch.setenv(GUEST, HERE)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USER", "ada")
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path / "matches"))
    for one in ("config", "data", "state"):
        monkeypatch.setenv(f"XDG_{one.upper()}_HOME", str(tmp_path / one))
    return tmp_path


async def test_a_guest_continues_on_the_server_and_on_no_lan(own: Path) -> None:
    (own / "matches").mkdir()
    seat_at_table()
    async with running() as (kumite, _):
        said = words(kumite)
        assert "over this server" in said
        assert "over the LAN" not in said


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, tuple[Any, ...]]]]:
    """Return what Python reaches for from now on."""
    global _seen
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # of what is imported late, if it is new
    _seen = []
    yield _seen
    _seen = None


def table() -> LocalTable:
    return LocalTable.begin(Setup.of(find("kuzushi"), 2), ("ada", "bob"))


def replay() -> ReplayScreen:
    made = table()
    path, seat = made.path, made.match.actors[0]
    assert path is not None
    made.play(seat, made.match.legal(seat)[0])
    made.close()
    return ReplayScreen(load(path), path)


SCREENS: dict[str, Callable[[], Screen[None]]] = {
    "home": HomeScreen,
    "new": NewScreen,
    "host": HostScreen,
    "join": JoinScreen,
    "tournaments": TournamentsScreen,
    "organise": NewTournamentScreen,
    "saved": SavedScreen,
    "settings": SettingsScreen,
    "table": lambda: TableScreen(table()),
    "replay": replay,
}


def is_the_apps(event: str, args: tuple[Any, ...]) -> bool:
    """Return whether this is what the app does by itself, whatever is typed."""
    match event, args:
        case "subprocess.Popen", (_, command, *_):  # our bots; what ctypes asks for libraries
            return tuple(command) == THINKER or command[0] == "/sbin/ldconfig"
        case "socket.bind" | "socket.connect", (_, place):
            return place[1] == MDNS or place[0] == HERE or is_asked_for_addresses(event, place)
        case "socket.getaddrinfo", (host, *_):
            return host == HERE
    return False


def is_asked_for_addresses(event: str, place: tuple[Any, ...]) -> bool:
    """Return whether the system is asked which addresses it has, by sockets that send nothing."""
    free_port, discard = 0, 9
    if event == "socket.bind":
        return place[1] == free_port
    return place[0] in ("192.0.2.1", "2001:db8::1") and place[1] == discard


def outside(reached: list[tuple[str, tuple[Any, ...]]], own: Path) -> list[str]:
    """Return what of it is neither Python's own nor the guest's."""
    allowed = (
        str(own),
        sys.prefix,
        sys.base_prefix,
        str(Path(__file__).parents[3]),
        "/usr",
        "/lib",
    )
    found = []
    for event, args in reached:
        if event != "open":
            if not is_the_apps(event, args):
                found.append(f"{event} {args}")
            continue
        path, mode, flags = args
        is_written = bool(flags & 0b11) or any(one in str(mode) for one in "wax+")
        if isinstance(path, int) or str(path) in ("/dev/null", "/dev/urandom"):
            continue
        place = str(Path(str(path)).absolute())
        if not place.startswith(str(own)) if is_written else not place.startswith(allowed):
            found.append(f"open {path} {mode}")
    return found


async def press_all(pilot: Pilot[None], make: Callable[[], Screen[None]]) -> None:
    """Press each key that a screen binds on a new one; answer what it asks, or write into it."""
    first = make()
    pilot.app.push_screen(first)
    await pilot.pause()
    assert isinstance(first, KumiteScreen)
    keys = {one.key for one in first.bound_now()} | {"down", "enter", "right", "ctrl+z", "ctrl+l"}
    pilot.app.pop_screen()
    for key in sorted(keys - {"q", "escape", "ctrl+q"}):
        depth = len(pilot.app.screen_stack)
        pilot.app.push_screen(make())
        await pilot.pause()
        await pilot.press(key)
        await pilot.pause()
        for text in OUT if key in ("enter", "t", "n", "colon", "slash", "w") else OUT[:1]:
            asked = [one for one in pilot.app.screen.query(Prompt) if one.display and one.has_focus]
            if asked:
                await pilot.press(*text[:20], "enter")
                await pilot.pause()
        while len(pilot.app.screen_stack) > depth:
            pilot.app.pop_screen()
        await pilot.pause()
        assert pilot.app.is_running, key


@pytest.mark.slow
@pytest.mark.parametrize("name", SCREENS)
async def test_no_key_of_a_screen_leads_out_of_a_guests_folder(
    name: str, own: Path, reached: list[tuple[str, tuple[Any, ...]]]
) -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        await press_all(pilot, SCREENS[name])
    assert outside(reached, own) == []
    assert any(event == "open" for event, _ in reached)  # it is watched


async def test_a_seat_is_given_to_no_program(own: Path, reached: list[Any]) -> None:
    with pytest.raises(NotForGuests) as refused:
        called(["cmd:/bin/sh"])
    assert refused.value.code == NOT_FOR_GUESTS
    async with app(NewScreen).run_test(size=(80, 24)) as pilot:
        screen = screen_of(pilot.app, NewScreen)
        screen.form.go("name 1")
        await pilot.press(*["backspace"] * 12, *"cmd:/bin/sh", "enter")
        screen.form.go("go")
        await pilot.press("enter")
        await pilot.pause()
        assert pilot.app.screen is screen
        assert "guests cannot start programs" in str(screen._hinted)
    assert outside(reached, own) == []


async def test_no_picture_is_kept_in_a_file(own: Path) -> None:
    made = table()
    async with app(lambda: TableScreen(made)).run_test(size=(80, 24)) as pilot:
        screen = screen_of(pilot.app, TableScreen)
        screen.action_keep_picture()
        await pilot.app.workers.wait_for_complete()
        assert "guests cannot keep files" in str(screen._hinted)
    assert list(own.rglob("*.svg")) == []


async def test_no_address_is_gone_to(own: Path) -> None:
    async with app(lambda: JoinScreen("ada", lambda _: _Blind())).run_test(size=(80, 24)) as pilot:
        screen = screen_of(pilot.app, JoinScreen)
        await pilot.press("enter", "down", "w", "enter")
        screen._typed("192.168.1.1:22")
        assert "guests cannot go to an address" in str(screen._hinted)


@pytest.mark.parametrize(("key", "title"), [("enter", "Joining"), ("w", "Looking on at")])
async def test_a_code_is_typed_in_the_list_and_leads_to_its_table(
    key: str, title: str, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of its letters was refused, although hosts tell guests to type it there."""
    asked: list[str] = []
    monkeypatch.setattr(LobbyScreen, "_seek", lambda _, code: asked.append(code))
    async with app(lambda: JoinScreen("ada", lambda _: _Blind())).run_test(size=(80, 24)) as pilot:
        await pilot.press("end")
        assert "> Type a code ..." in frame(pilot.app)
        assert not NOT_FOR_THEM.search(told_on(pilot.app))
        await pilot.press(key, *"7-torii-lantern")
        assert "Code: 7-torii-lantern_" in frame(pilot.app)
        await pilot.press("enter")
        await pilot.app.workers.wait_for_complete()
        assert f"{title} the table with the code 7-torii-lantern" in frame(pilot.app)
    assert asked == ["7-torii-lantern"]


@pytest.mark.parametrize("make", [JoinScreen, TournamentsScreen])
async def test_the_first_digit_of_a_code_begins_it(
    make: type[JoinScreen | TournamentsScreen], own: Path
) -> None:
    async with app(lambda: make("", lambda _: _Blind())).run_test(size=(80, 24)) as pilot:
        await pilot.press(*"325-d")
        assert "Code: 325-d_" in frame(pilot.app)


def test_a_code_of_no_table_is_said_in_the_words_of_a_server(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invites, "SEARCH", 0.05)
    with pytest.raises(KumiteError, match="No table with the number 7 is open here") as raised:
        invites.find_table("7-torii-lantern", lambda _: _Blind())
    assert not NOT_FOR_THEM.search(raised.value.hint)


class _Blind:
    def start(self) -> None:
        pass

    def close(self) -> None:
        pass


async def test_nobody_is_left_with_an_app_that_has_stopped(own: Path) -> None:
    made = app()
    async with made.run_test() as pilot:
        made.action_suspend_process()  # would raise where there is no driver that can
        await pilot.pause()
        with pytest.raises(NotForGuests):
            made.open_url("http://192.168.1.1/")


def test_what_is_told_names_no_place_of_the_hosts(own: Path) -> None:
    assert guest_mode.told(f"cannot write {own}/matches/x") == "cannot write ~/matches/x"
    told = crash.report(OSError(f"{own}/matches/x"), [own / "matches" / "x"])
    assert str(own) not in told
    assert "connect again to continue it" in told
    assert "Traceback" not in told


def test_windows_are_smaller_for_guests(own: Path) -> None:
    assert largest() == (300, 100)


NOT_FOR_THEM = re.compile(  # programs, commands, settings of a host, and places in it
    r"cmd:|\bkumite (open|play|host|join|watch|resume|replay|log|doctor|tournament|serve|--)"
    r"|\.toml|\.kumite|\bdocs/|~/|XDG|/(home|tmp|usr|root)|settings file|\[keys\]|[Aa]ddress"
    r"|standard error|keeps? a picture|suspend|127\.0"
)


def told_on(shown: KumiteApp) -> str:
    """Return all that a screen says, also of rows that are not selected, as one line."""
    screen = shown.screen
    said = [frame(shown)]
    said += [row.help for form in screen.query(Form) for row in form._rows]
    if isinstance(screen, HelpScreen):
        said += map(plain, screen.lines)
    return " ".join(" ".join(said).split())


# How many sit at a table changes nothing of this.
SAID_ON = [one for one in ALL_SCREENS if not one.startswith("table") or one.endswith("2")]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size"), spread([*SAID_ON, "LAN table"], ((80, 24), (140, 45))))
async def test_no_screen_names_what_a_guest_cannot_have(
    name: str, size: tuple[int, int], own: Path
) -> None:
    """Each screen, its help, and what is asked when one leaves it."""
    table().close()
    make = ALL_SCREENS.get(name)
    shown = app(make) if make else lan_app(FakeLan())
    async with shown.run_test(size=size) as pilot:
        await pilot.pause()
        found = [told_on(shown)]
        await settled(shown.screen)
        await pilot.press("f1")
        found.append(told_on(shown))
        if isinstance(shown.screen, HelpScreen) and name != "help":
            await pilot.press("q")
        await pilot.press("q")
        await pilot.pause()
        if shown.is_running:
            found.append(told_on(shown))
    for text in found:
        wrong = NOT_FOR_THEM.search(text)
        assert not wrong, text[max(0, wrong.start() - 80) :][:200]


async def test_a_tournament_and_a_lobby_name_no_command_that_guests_alone_could_use(
    own: Path,
) -> None:
    host, peer = FakeTournamentPeer(), FakePeer()
    for make, deliver in (
        (lambda: TournamentHostScreen(FakePlan(host)), host),
        (lambda: LobbyScreen(HOST, "A table", lambda _: peer.opened), peer),
    ):
        shown = app(make)
        async with shown.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            listening = events.Listening(4000, (HERE, "192.168.1.20"), "7-torii-lantern")
            deliver.deliver(listening)
            if deliver is host:
                deliver.deliver(TournamentChanged(TERMS, view(4)))
            await pilot.pause()
            text = told_on(shown)
            assert "press j on their home screen, then type" in text
            assert not NOT_FOR_THEM.search(text)
            await pilot.press("q")
            await pilot.pause()
            if shown.is_running:
                assert not NOT_FOR_THEM.search(told_on(shown))


def test_by_lines_a_guest_who_hosts_names_no_command_to_others(own: Path) -> None:
    listening = events.Listening(4000, (HERE, "192.168.1.20"), "7-torii-lantern")
    (said,) = ways_in(listening, "7-torii-lantern", "The others")
    assert said == "The others press j on their home screen, or type by lines: join 7-torii-lantern"


def test_hints_of_errors_leave_out_what_only_a_command_line_can_do(own: Path) -> None:
    assert guest_mode.hint("kumite resume LOG --bots 1:cmd:./mybot") == ""
    assert guest_mode.hint("docs/sprites.md lists all names") == ""
    assert guest_mode.hint("ask the host for its code") == "ask the host for its code"
