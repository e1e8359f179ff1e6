"""Tournaments as people hold them: a host and players, on screens and in line mode."""

from __future__ import annotations

import re
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.tournament.tournament import ROBIN, SWISS
from kumite.net.tournament.state import Terms
from kumite.net.transport import discovery
from kumite.net.transport.tournament_files import to_resume
from kumite.net.wire.tournament import View
from kumite.tui.play.lan_table import LanTable
from kumite.tui.play.tournaments import TournamentPlan
from kumite.tui.screens.lan_table import LanTableScreen
from kumite.tui.screens.lobby import LobbyScreen
from kumite.tui.screens.tournament import TournamentHostScreen, TournamentPlayerScreen
from kumite.tui.screens.tournaments import TournamentsScreen
from kumite.tui.settings import Settings
from kumite.tui.widgets.form import Form
from tests.support.apps import app, frame, screen_of, until
from tests.support.talk import Talk

HERE = ("127.0.0.1",)
TERMS = Terms("Friday", Setup.of(find("kitsu"), 2), (600, 5, 60))
NAMES = ("ada", "bob", "cy")


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path / "logs"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def way_in(host: Pilot[None]) -> tuple[int, str]:
    client = screen_of(host.app, TournamentHostScreen).client
    return client.listening.port, client.code


def view_of(host: Pilot[None]) -> View:
    return screen_of(host.app, TournamentHostScreen).client.view


async def party(
    stack: AsyncExitStack, system: str = SWISS, bot: str = ""
) -> tuple[Pilot[None], list[Pilot[None]]]:
    """Open a tournament, and let three enter."""
    plan = TournamentPlan(TERMS, system, 0, bot, is_listed=False, port=0)
    kumite = app(lambda: TournamentHostScreen(plan))
    host: Pilot[None] = await stack.enter_async_context(kumite.run_test(size=(80, 24)))
    await until(host, lambda: "kumite join" in frame(kumite), "the tournament never opened")
    return host, [await enter(stack, *way_in(host), name) for name in NAMES]


async def enter(stack: AsyncExitStack, port: int, code: str, name: str) -> Pilot[None]:
    """Let somebody type `kumite join`, as if a table were there."""
    kumite = app(lambda: LobbyScreen.joining(HERE, port, code, name))
    pilot: Pilot[None] = await stack.enter_async_context(kumite.run_test(size=(80, 24)))
    await until(pilot, lambda: f"{name} (you)" in frame(kumite), "not in the tournament")
    assert isinstance(kumite.screen, TournamentPlayerScreen)
    return pilot


def is_at_table(pilot: Pilot[None]) -> bool:
    screen = pilot.app.screen
    return isinstance(screen, LanTableScreen) and screen.is_ready and not screen.lan.is_over


def lan_of(pilot: Pilot[None]) -> LanTable:
    return screen_of(pilot.app, LanTableScreen).lan


def match_of(pilot: Pilot[None]) -> str:
    return lan_of(pilot).header.match_id


async def give_up(pilot: Pilot[None]) -> None:
    lan = lan_of(pilot)
    lan.resign()
    await until(pilot, lambda: lan.is_over, "the match to end")


async def two_sit_down(host: Pilot[None], players: list[Pilot[None]]) -> None:
    await host.press("s")
    await until(host, lambda: sum(map(is_at_table, players)) == 2, "two to sit down")


@pytest.mark.slow
async def test_three_play_a_round_robin_to_its_end(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        host, players = await party(stack, ROBIN)
        for number in range(3):
            await two_sit_down(host, players)
            assert f"Round {number + 1} of 3" in frame(host.app)
            at_table = [pilot for pilot in players if is_at_table(pilot)]
            bye = next(pilot for pilot in players if pilot not in at_table)
            if isinstance(bye.app.screen, LanTableScreen):  # of the round before
                await bye.press("q")
            await until(bye, lambda one=bye: "You have a bye:" in frame(one.app), "no bye")
            await give_up(at_table[0])
            await until(host, lambda: not view_of(host).tournament.is_running, "both to report")
            for pilot in at_table[: number + 1]:  # who stays at their table is called from there
                await pilot.press("q")
                await until(
                    pilot,
                    lambda p=pilot: isinstance(p.app.screen, TournamentPlayerScreen),
                    "the tournament",
                )
        for pilot in (host, *players):
            while isinstance(pilot.app.screen, LanTableScreen):
                await pilot.press("q")
            await until(pilot, lambda p=pilot: "This tournament is over" in frame(p.app), "no end")
        assert to_resume().tournament.is_over  # it can be shown, and corrected


async def test_who_leaves_their_table_goes_back_to_it_and_nothing_is_lost() -> None:
    async with AsyncExitStack() as stack:
        host, players = await party(stack)
        await two_sit_down(host, players)
        first, second = players[0], players[1]
        match_id = match_of(first)
        assert match_of(second) == match_id
        await first.press("q")
        await until(first, lambda: "Leave the table?" in frame(first.app), "no question")
        await first.press("down", "enter")
        await until(second, lambda: "opens again by itself" in frame(second.app), "not closed")
        await until(first, lambda: "Enter: to your table" in frame(first.app), "no way back")
        await first.press("enter")
        for pilot in (first, second):  # the second comes back by itself
            await until(
                pilot,
                lambda p=pilot: is_at_table(p) and "again by itself" not in frame(p.app),
                "not back at the table",
            )
            assert match_of(pilot) == match_id
        pilot = next(one for one in players if is_at_table(one))
        await give_up(pilot)
        await until(host, lambda: "s: begin round 2" in frame(host.app), "no result")


@pytest.mark.slow
async def test_a_bot_plays_where_one_has_no_opponent_and_only_then() -> None:
    async with AsyncExitStack() as stack:
        host, players = await party(stack, bot="simple")
        await host.press("s")
        await until(host, lambda: sum(map(is_at_table, players)) == 3, "three to sit down")
        bob = players[1]
        lan = lan_of(bob)
        assert lan.names == ("bot:simple", "bob")
        await until(bob, lambda: lan.acting is not None, "the bot never made its turn")
        lan.peer.offer("draw")
        await until(bob, lambda: "offers a draw" in str(lan.remarks), "no offer")
        await until(bob, lambda: lan.offer is None, "no answer")
        assert not lan.is_over
        for pilot in players[:2]:
            await give_up(pilot)
        await until(host, lambda: "s: begin round 2" in frame(host.app), "no results")
        fourth = await enter(stack, *way_in(host), "dee")
        await host.press("s")
        await until(host, lambda: "Round 2 of" in frame(host.app), "no second round")
        assert [one.is_in for one in view_of(host).tournament.players] == [True] * 3 + [False, True]
        await until(fourth, lambda: is_at_table(fourth), "dee to sit down")


@asynccontextmanager
async def at_home(stack: AsyncExitStack, name: str) -> AsyncIterator[Pilot[None]]:
    """Open the list of tournaments as the home screen does, for somebody of that name."""
    kumite = app(lambda: TournamentsScreen("kitsu"))
    kumite.use(Settings(glyphs="letters", name=name))
    yield await stack.enter_async_context(kumite.run_test(size=(80, 24)))


async def join_by_list(stack: AsyncExitStack, name: str, code: str) -> Pilot[None]:
    """Let somebody choose the tournament that appears, and type its code."""
    pilot = await stack.enter_async_context(at_home(stack, name))
    screen = pilot.app.screen
    assert isinstance(screen, TournamentsScreen)

    def evening() -> list[str]:
        """Return the key of its row; other tests open tables and tournaments meanwhile."""
        return [key for key, one in screen.found.items() if one.table.name == "Club evening"]

    await until(pilot, lambda: bool(evening()), "nothing appears")
    screen.form.go(evening()[0])
    assert screen.form.row.key == evening()[0]
    await pilot.press("enter", *code, "enter")
    await until(pilot, lambda: f"{name} (you)" in frame(pilot.app), "not in the tournament")
    return pilot


@pytest.mark.slow
async def test_a_tournament_of_the_app_moves_in_the_middle_of_a_round_and_is_played_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is organised, joined and gone on with by keys; then its port belongs to another program.

    All is real but the interfaces: mDNS stays on this computer.
    """
    opened_on = discovery._opened
    monkeypatch.setattr(discovery, "_opened", lambda interfaces: opened_on(interfaces or HERE))
    monkeypatch.setattr("kumite.net.transport.addresses.interface_addresses", lambda: HERE)
    async with AsyncExitStack() as stack, AsyncExitStack() as first_desk:
        host = await first_desk.enter_async_context(at_home(first_desk, "eve"))
        await host.press("enter")
        form = host.app.screen.query_one(Form)
        form.go("name")
        await host.press("ctrl+u", *"Club evening")
        form.go("port")
        await host.press("right")
        form.go("go")
        await host.press("enter")
        await until(host, lambda: "kumite join" in frame(host.app), "the tournament never opened")
        port, code = way_in(host)
        players = [await join_by_list(stack, name, code) for name in NAMES]
        await two_sit_down(host, players)
        bye = next(one for one in players if not is_at_table(one))
        await host.press("q", "down", "enter")
        await until(bye, lambda: "to come back" in frame(bye.app), "not noticed")
        await first_desk.aclose()
        taken = stack.enter_context(socket.create_server(("", port)))
        assert taken
        again = await stack.enter_async_context(at_home(stack, "eve"))
        assert "Club evening" in frame(again.app)
        await again.press("enter")  # the cursor is on it
        await until(again, lambda: "Round 1 of" in frame(again.app), "not gone on with")
        assert way_in(again)[0] != port
        assert way_in(again)[1] == code
        await until(again, lambda: " away" not in frame(again.app), "not all have come back")
        at_table = next(one for one in players if is_at_table(one))  # its match has not noticed
        await give_up(at_table)
        await until(again, lambda: "s: begin round 2" in frame(again.app), "no result")
        await again.press("s")
        await until(bye, lambda: is_at_table(bye), "the next round")


# --- Line mode ------------------------------------------------------------------------------------


@pytest.fixture
def talks(tmp_path: Path) -> Iterator[list[Talk]]:
    """Open an organiser and three players in line mode, all in the tournament."""
    with ExitStack() as stack:

        def talk(name: str, *args: str) -> Talk:
            folders = {
                "KUMITE_LOGS": str(tmp_path / name),
                "XDG_CONFIG_HOME": str(tmp_path / "config"),
            }
            return stack.enter_context(Talk(*args, "--plain", environment=folders))

        host = talk("host", "tournament", "kitsu", "--port", "0", "--unlisted", "--name", "Friday")
        said = host.wait_for("start begins a round")
        line = re.search(r"kumite join \S+:(\d+) (\S+)", said)
        port, code = line[1], line[2]
        made = [host]
        for name in NAMES:
            made.append(talk(name, "join", f"127.0.0.1:{port}", code, "--name", name))
            made[-1].wait_for(f"{name} is here.")
        host.wait_for("cy is here.")
        yield made


@pytest.mark.slow
def test_a_round_is_played_by_lines(talks: list[Talk]) -> None:
    host, ada, bob, cy = talks
    host.say("start")
    ada.wait_for("Your match of round 1: ada against bob.", "nobody listens in", "Your turn")
    bob.wait_for("nobody listens in")
    cy.wait_for("Match 2: cy has a bye.")
    ada.say("resign")
    ada.wait_for("resign")
    ada.say("yes")
    host.wait_for("Match 1: ada against bob, 0 : 1.")
    # The organiser knows the result before the players do.
    ada.wait_for("Type quit to go back to the tournament.", "Match 1: ada against bob, 0 : 1.")
    ada.say("quit")
    ada.wait_for("You are in the tournament again")
    ada.say("list")
    ada.wait_for("1. cy: 1 point.", "3. ada (you): 0 points.")
    host.say("help")
    host.wait_for("decide 2 first")
    host.say("decide 1 draw")
    cy.wait_for("Match 1: ada against bob, ½ : ½.")
    host.say("out bob")
    cy.wait_for("bob takes part no longer.")
    host.say("start")
    host.wait_for("a tournament takes 3 players")
    host.say("quit")
    assert host.end() == 0
