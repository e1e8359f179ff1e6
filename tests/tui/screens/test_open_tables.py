"""The list of open LAN tables: which they are, and how one is joined from it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from textual.events import Paste
from textual.pilot import Pilot

from kumite.core.errors import BadSetup
from kumite.net.session import events
from kumite.net.transport import broker, invites
from kumite.net.transport.discovery import Announced, Unanswered, Vanished
from kumite.store import guest_mode
from kumite.store.guest_mode import WARNING
from kumite.tui.app import KumiteApp
from kumite.tui.play import openings
from kumite.tui.screens import lobby, open_list
from kumite.tui.screens.lobby import LobbyScreen
from kumite.tui.screens.open_list import JoinScreen, opened
from kumite.tui.widgets.prompt import Prompt
from tests.support.apps import app, frame, heading, listed, running, shown, until, words
from tests.support.fake_peer import (
    FakeFinder,
    FakePeer,
    found,
    host_is_back,
    keeping,
    seat_at_table,
)
from tests.support.waiting import wait_for

# --- the list ---------------------------------------------------------------------------------


def list_app(finders: list[FakeFinder]) -> KumiteApp:
    return app(lambda: JoinScreen("bob", keeping(finders)))


async def told_of(pilot: Pilot[None], finders: list[FakeFinder], *news: Any) -> None:
    for one in news:
        finders[0].deliver(one)
    await pilot.pause()


async def test_beside_the_list_is_the_game_of_the_marked_table() -> None:
    finders: list[FakeFinder] = []
    async with running(list_app(finders), size=(120, 36)) as (kumite, pilot):
        await until(pilot, lambda: bool(shown(kumite, "preview")), "the first game")
        before, form = shown(kumite, "preview"), kumite.screen.query_one("#form")
        assert kumite.screen.query_one("#preview").region.x >= form.region.right
        finders[0].deliver(found("a", "ada", 2))
        await until(pilot, lambda: shown(kumite, "preview") != before, "the game of the table")
        assert "ada" in frame(kumite)
        await pilot.press("down")
        await until(pilot, lambda: shown(kumite, "preview") == before, "the first game again")


async def test_tables_appear_and_vanish_by_themselves() -> None:
    finders: list[FakeFinder] = []
    async with running(list_app(finders), size=(120, 24)) as (kumite, pilot):
        await pilot.pause()
        (finder,) = finders
        assert finder.calls == ["start"]
        assert "no table is open on this LAN yet" in frame(kumite)
        finder.deliver(found("a", "ada", 2))
        finder.deliver(found("c", "cid", 0))
        finder.deliver(found("x", "", protocol=99))
        await pilot.pause()
        lines = listed(kumite)
        assert "> ada Kuzushi 2 free seats" in lines
        assert "cid Kuzushi full" in lines
        long = Announced("Kitsu: the long evening", "kitsu", "Zenko and Yako", 0, 4000, "0.1.0")
        finder.deliver(replace(found("k", "kit"), table=long))
        await pilot.pause()
        assert "Kitsu: the long evening Zenko and Yako" in words(kumite)
        finder.deliver(Vanished("k"))
        await pilot.pause()
        assert "another version update to join" in lines  # why is told when it is selected
        assert "Enter joins: " in shown(kumite, "hint")
        await pilot.press("down")
        assert "Enter looks on: " in shown(kumite, "hint")
        await pilot.press("down", "enter")
        assert "both need the same version" in shown(kumite, "hint")
        finder.deliver(Vanished("a"))
        await pilot.pause()
        assert "ada" not in frame(kumite)
        await pilot.press("q")
    assert finder.calls == ["start", "close"]


async def test_a_server_that_does_not_answer_is_no_empty_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Silent(FakeFinder):
        def start(self) -> None:
            super().start()
            if self.calls.count("start") == 1:
                raise broker._gone()

    finders: list[FakeFinder] = []

    def make(deliver: Any, **_: Any) -> Silent:
        finders.append(found := Silent(deliver))
        return found

    monkeypatch.setenv(guest_mode.GUEST, "192.168.1.20")
    monkeypatch.setattr(open_list, "AGAIN", 0.3)
    async with running(app(lambda: JoinScreen("bob", make))) as (kumite, pilot):
        await until(pilot, lambda: "the server does not answer" in frame(kumite), "silence")
        assert "The server does not answer" in shown(kumite, "hint")
        assert "no table is open" not in frame(kumite)
        await until(pilot, lambda: "no table is open here yet" in frame(kumite), "an answer")
        await told_of(pilot, finders, found("a", "ada", 2))
        assert shown(kumite, "hint") == "Enter joins"  # guests have no use for its address
        assert "Tables open here" in frame(kumite)
        assert "LAN" not in frame(kumite)
        await told_of(pilot, finders, Unanswered(""))
        assert "the server does not answer" in frame(kumite)
        assert "ada" not in frame(kumite)


@pytest.mark.parametrize("columns", [60, 64])
async def test_a_title_is_not_cut_beside_empty_columns(columns: int) -> None:
    finders: list[FakeFinder] = []
    kumite = list_app(finders)
    async with kumite.run_test(size=(columns, 26)) as pilot:
        await pilot.pause()
        table = Announced("ada", "kiriai", "Kiri-ai: The Duel", 10, 4000, "0.1.0")
        finders[0].deliver(replace(found("k", "ada"), table=table))
        await pilot.pause()
        assert "Kiri-ai: The Duel  10 free seats" in frame(kumite)


async def test_free_tables_come_first_and_full_ones_are_offered_for_watching() -> None:
    finders: list[FakeFinder] = []
    kumite = list_app(finders)
    noon = int(datetime.now().replace(hour=12, minute=5).timestamp())
    async with kumite.run_test(size=(158, 30)) as pilot:
        for name, free in (("ada", 0), ("bob", 1), ("abe", 1)):
            one = found(name, name, free)
            finders[0].deliver(replace(one, table=replace(one.table, since=noon)))
            await pilot.pause()
        lines = listed(kumite)
        at = lines.index(f"abe Kuzushi 1 free seat {opened(noon)} 192.168.1.20")
        assert lines[at + 1].startswith("> bob Kuzushi 1 free seat since ")
        assert lines[at + 2 : at + 4] == [
            "Full or running: Enter looks on",
            f"ada Kuzushi full {opened(noon)} 192.168.1.20",
        ]
        await pilot.press("down", "up")
        finders[0].deliver(found("zoe", "zoe", 2))
        await pilot.pause()
        assert "> bob" in words(kumite)
        await pilot.press("down", "down", "enter")
        assert "Looking on at ada's table of Kuzushi" in frame(kumite)


@pytest.mark.parametrize("columns", [80, 158])
async def test_the_other_players_of_a_table_are_named_in_the_list_or_below_it(columns: int) -> None:
    finders: list[FakeFinder] = []
    kumite = list_app(finders)
    async with kumite.run_test(size=(columns, 30)) as pilot:
        one = found("a", "ada", 1)
        finders[0].deliver(replace(one, table=replace(one.table, others="bea, cal")))
        await pilot.pause()
        row = next(one for one in listed(kumite) if "ada" in one)
        assert ("with bea, cal" in row) == (columns >= 158)
        assert "with bea, cal" in shown(kumite, "hint")


@pytest.mark.parametrize("size", [(40, 15), (60, 20), (80, 24), (120, 36)])
async def test_a_table_that_waits_for_its_player_comes_first_and_leads_to_the_seat(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host who came back was in no list; a running one was there to be looked at, with its code.

    Nobody saw that their match could go on.
    """
    path, resumed = seat_at_table(), list[Any]()
    monkeypatch.setattr(openings, "resuming", lambda *way: resumed.append(way) or FakePeer().opened)
    made: list[FakeFinder] = []
    kumite = app(
        lambda: JoinScreen("bob", lambda *way, **_: made.append(FakeFinder(*way)) or made[-1])
    )
    async with running(kumite, size) as (_, pilot):
        await until(pilot, lambda: len(made) == 2 and made[1].calls == ["start"], "no search")
        made[0].deliver(found("a", "abe"))
        made[0].deliver(
            replace(found("r", "ada", 0), table=Announced("ada", "kumo", "Kumo", 0, 4000))
        )
        made[1].deliver(host_is_back())
        await pilot.pause()
        first, *others = (row for row in listed(kumite) if "ada" in row)
        assert re.match("ada Kumo Ho.* waits for you( │|$)", first)
        assert not any("full" in row for row in others)  # it is the same table
        await pilot.press("up")
        if size[0] >= 80:
            said = "Enter leads back to your seat: 192.168.1.20 port 4000"
            assert shown(kumite, "hint").startswith(said)
        await pilot.press("w" if size[0] == 80 else "enter")
        await pilot.pause()
        assert isinstance(kumite.screen, LobbyScreen)
        assert resumed == [(path, None)]
    wait_for(lambda: made[1].calls == ["start", "close"], "the search goes on")


def test_when_a_table_was_opened_is_told_in_local_time() -> None:
    now = datetime.now()
    assert opened(int(now.timestamp())) == f"since {now:%H:%M}"
    assert opened(int((now - timedelta(days=2)).timestamp())) == f"since {now - timedelta(2):%d %b}"
    assert opened(0) == ""


@pytest.mark.parametrize(("key", "title"), [("enter", "Joining"), ("w", "Looking on at")])
async def test_a_listed_table_is_joined_or_looked_at_with_its_code(
    key: str, title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    finders: list[FakeFinder] = []
    monkeypatch.setenv(WARNING, said := "Your seat is kept only with a password.")
    async with running(list_app(finders)) as (kumite, pilot):
        finders[0].deliver(found("a", "ada"))
        await pilot.pause()
        await pilot.press(key)
        assert isinstance(kumite.screen, LobbyScreen)
        assert f"{title} ada's table of Kuzushi" in frame(kumite)
        assert "Code: _" in frame(kumite)
        assert said in frame(kumite)


async def test_the_cursor_stays_with_its_table_and_never_moves_to_a_stranger() -> None:
    finders: list[FakeFinder] = []
    async with running(list_app(finders)) as (kumite, pilot):
        await told_of(pilot, finders, found("a", "ada", 2), found("b", "bob", 1))
        await told_of(pilot, finders, found("a", "ada", 0))  # it sinks below the free ones
        assert "> ada Kuzushi full" in listed(kumite)
        await told_of(pilot, finders, Vanished("a"))
        assert "> Type a code or an address ..." in listed(kumite)


async def test_a_pasted_line_leads_to_its_own_table_and_back_to_the_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The code was tried at the table that had been chosen, and was wrong there."""
    finders, ways, peer = list[FakeFinder](), list[Any](), FakePeer()
    monkeypatch.setattr(openings, "joining", lambda *way: ways.append(way[:3]) or peer.opened)
    async with running(list_app(finders)) as (kumite, pilot):
        await told_of(pilot, finders, found("a", "ada", 2))
        await pilot.press("enter")
        kumite.screen.query_one(Prompt).on_paste(Paste("kumite join 10.0.0.3:99 7-torii-lantern"))
        await pilot.press("enter")
        assert ways == [(("10.0.0.3",), 99, "7-torii-lantern")]
        assert heading(kumite) == "Joining 10.0.0.3 port 99"
        peer.deliver(events.Stopped("wrong-code"))
        await pilot.pause()
        await pilot.press("q")
        assert isinstance(kumite.screen, JoinScreen)


@pytest.mark.parametrize("how", ["typed", "pasted"])
async def test_a_code_is_taken_wherever_the_cursor_of_the_list_stands(how: str) -> None:
    """The first digits were said to do nothing, and a pasted line was lost."""
    line = "kumite join 10.0.0.3:99 7-torii-lantern"
    async with running(list_app([])) as (kumite, pilot):
        if how == "typed":
            await pilot.press(*"10.0")
        else:
            kumite.post_message(Paste(f"{line}\n"))
        await pilot.pause()
        said = {"typed": "Code or address: 10.0_", "pasted": f"Code or address: {line}_"}
        assert said[how] in frame(kumite)


@pytest.mark.parametrize("key", ["enter", "w"])
async def test_without_its_code_one_comes_back_to_the_list(key: str) -> None:
    finders: list[FakeFinder] = []
    async with running(list_app(finders)) as (kumite, pilot):
        finders[0].deliver(found("a", "ada"))
        await pilot.pause()
        await pilot.press(key, "escape")
        assert isinstance(kumite.screen, JoinScreen)


async def test_any_address_can_be_typed() -> None:
    async with running(list_app([])) as (kumite, pilot):
        await pilot.press("enter", *"no:place", "enter")
        assert "'no:place' is not the address of a table" in shown(kumite, "hint")
        await pilot.press("enter", *"10.0.0.3:99", "enter")
        assert isinstance(kumite.screen, LobbyScreen)
        assert "Joining 10.0.0.3 port 99" in frame(kumite)


async def test_a_pasted_line_joins_and_a_code_alone_finds_its_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[Any] = []

    def joining(*args: Any) -> Any:
        tried.append(args[:3])
        return FakePeer().opened

    def finder(deliver: Any) -> FakeFinder:
        one = found("a", "ada")
        deliver(replace(one, table=replace(one.table, number=7)))
        return FakeFinder(deliver)

    monkeypatch.setattr(openings, "joining", joining)
    monkeypatch.setattr(lobby, "lan_finder", finder)
    monkeypatch.setattr(invites, "LATECOMERS", 0)
    kumite = list_app([])
    for pasted in ("kumite join 10.0.0.3:4000 7\u2212torii-lantern", "7-torii-lantern\u200b"):
        async with kumite.run_test(size=(80, 24)) as pilot:
            await pilot.press("enter")
            kumite.screen.query_one(Prompt).on_paste(Paste(pasted))
            await pilot.press("enter")
            await until(pilot, lambda: bool(tried), "no table is joined")
        kumite = list_app([])
        place = "10.0.0.3" if "join" in pasted else "192.168.1.20"
        assert tried.pop() == ((place,), 4000, "7-torii-lantern")


async def test_a_code_of_another_table_leads_there_whichever_was_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was tried at the table that had been chosen, whose host read of a wrong code."""
    one = found("b", "bea")
    bea = replace(one, table=replace(one.table, number=7), addresses=("10.0.0.3",))
    finders, tried = list[FakeFinder](), list[Any]()

    def finder(deliver: Any) -> FakeFinder:
        deliver(bea)
        return FakeFinder(deliver)

    monkeypatch.setattr(openings, "joining", lambda *way: tried.append(way) or FakePeer().opened)
    monkeypatch.setattr(lobby, "lan_finder", finder)
    monkeypatch.setattr(invites, "LATECOMERS", 0)
    async with running(list_app(finders)) as (kumite, pilot):
        ada = found("a", "ada")
        await told_of(pilot, finders, replace(ada, table=replace(ada.table, number=9)), bea)
        await pilot.press("enter", *"7-torii-lantern", "enter")
        await until(pilot, lambda: bool(tried), "no table is joined")
        assert tried[0][:3] == (("10.0.0.3",), 4000, "7-torii-lantern")
        assert heading(kumite) == "Joining bea's table of Kuzushi"


@pytest.mark.parametrize("is_moved", [False, True])
async def test_a_cursor_that_nobody_moved_goes_to_the_first_table_to_join(is_moved: bool) -> None:
    """It stayed on one of another version, which cannot be joined."""
    finders: list[FakeFinder] = []
    async with running(list_app(finders)) as (kumite, pilot):
        await told_of(pilot, finders, found("x", "", protocol=99), found("c", "cid", 0))
        assert "> cid Kuzushi full" in listed(kumite)
        if is_moved:
            await pilot.press("down")
        await told_of(pilot, finders, found("a", "ada"))
        assert ("> ada Kuzushi 1 free" in listed(kumite)) != is_moved


async def test_the_ends_of_the_list_have_keys() -> None:
    finders: list[FakeFinder] = []
    async with running(list_app(finders)) as (kumite, pilot):
        await told_of(pilot, finders, found("a", "ada"), found("b", "bob"))
        await pilot.press("end")
        assert "> Type a code or an address ..." in listed(kumite)
        await pilot.press("home")
        assert "> ada Kuzushi 1 free" in listed(kumite)


async def test_a_code_of_no_table_is_said_and_can_be_typed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(invites, "SEARCH", 0.05)
    monkeypatch.setattr(lobby, "lan_finder", FakeFinder)
    kumite = app(lambda: LobbyScreen.joining((), 0, "7-torii-lantern", "bob"))
    async with kumite.run_test(size=(80, 24)) as pilot:
        assert "Joining the table with the code 7-torii-lantern" in frame(kumite)
        await until(pilot, lambda: "No table with the number 7" in frame(kumite), "not said")
        await pilot.press("enter")
        assert "Code: 7-torii-lantern_" in frame(kumite)


async def test_a_network_without_discovery_is_said() -> None:
    class Deaf(FakeFinder):
        def start(self) -> None:
            raise BadSetup("tables cannot be found here", hint="join by address")

    async with running(lambda: JoinScreen("bob", Deaf)) as (kumite, pilot):
        await until(pilot, lambda: "cannot" in shown(kumite, "hint"), "nothing is said")
        assert shown(kumite, "hint") == "tables cannot be found here  join by address"


def test_a_host_who_goes_on_with_a_match_is_in_the_list_again_if_it_was_before() -> None:
    unlisted = seat_at_table(match_id="ef" * 8, ticket=0, is_listed=False)
    assert LobbyScreen.resuming(unlisted)._listed_as is None
    assert LobbyScreen.resuming(seat_at_table(match_id="cd" * 8, ticket=0))._listed_as == "ada"
    assert LobbyScreen.resuming(seat_at_table())._listed_as is None, "its host announces it"
