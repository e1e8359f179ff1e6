"""How a tournament is organised, gone on with or joined."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from click.testing import CliRunner
from textual.screen import Screen

from kumite.cli.main import main
from kumite.core.game import Setup
from kumite.core.games import GAMES, find
from kumite.core.tournament.pairing import next_round
from kumite.core.tournament.tournament import SWISS, Player, Result, Tournament
from kumite.net.session import events
from kumite.net.tournament.state import Finished, Terms, TicketFile
from kumite.net.transport import beacons, tournament_files
from kumite.net.transport.addresses import PORT
from kumite.net.transport.discovery import Announced, Found, Vanished
from kumite.store.guest_mode import GUEST
from kumite.tui.app import KumiteApp
from kumite.tui.play import openings
from kumite.tui.play.tournaments import TournamentPlan, terms
from kumite.tui.scenes.lines import plain
from kumite.tui.screens import tournament
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.lobby import LobbyScreen
from kumite.tui.screens.tournament import (
    FinishedScreen,
    TournamentHostScreen,
    TournamentPlayerScreen,
)
from kumite.tui.screens.tournaments import NewTournamentScreen, TournamentsScreen
from kumite.tui.settings import own_name
from kumite.tui.widgets.form import Form
from tests.support.apps import frame, running, shown, until, words
from tests.support.fake_peer import (
    FakeFinder,
    FakeTournamentPeer,
    keeping,
)
from tests.support.tournaments import TERMS, kept
from tests.support.waiting import wait_for

SIZES = [(60, 20), (120, 42)]
every_size = pytest.mark.parametrize("size", SIZES, ids=str)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Return with what tournaments are opened; none is."""
    made: list[tuple[Any, ...]] = []

    def opened(make: Any, _: Any, *, port: int | None, bot: str, mdns: Any) -> FakeTournamentPeer:
        made.append((make.func.__name__, *make.args, port, bot))
        return FakeTournamentPeer()

    monkeypatch.setattr("kumite.net.transport.tournament_peer.HostPeer", opened)
    return made


def form_of(kumite: KumiteApp) -> Form:
    return kumite.screen.query_one(Form)


def organiser_of(kumite: KumiteApp) -> TournamentHostScreen:
    assert isinstance(kumite.screen, TournamentHostScreen)
    return kumite.screen


def found(key: str, name: str, game: str = "kumo", *, is_tournament: bool = True) -> Found:
    table = Announced(name, game, GAMES[game].TITLE, 3, 4000, "0.1.0", is_tournament=is_tournament)
    return Found(key, table, ("192.168.1.20",))


# --- Organising one -------------------------------------------------------------------------------


async def test_from_the_home_screen_two_keys_open_a_tournament_of_the_game_that_is_meant(
    opened: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kumite.net.transport.discovery.Finder", FakeFinder)
    async with running() as (kumite, pilot):
        await pilot.press("right", "right", "t", "enter")
        assert isinstance(kumite.screen, NewTournamentScreen)
        assert "Kumo Hogosha" in frame(kumite)
        await pilot.press("enter")
        terms = Terms("Tournament", Setup.of(find("kumo"), 2), None)
        assert opened == [("opened", terms, SWISS, 0, PORT, "")]
        screen = organiser_of(kumite)
        assert (screen.plan.is_listed, screen.plan.bot) == (True, "")
        await pilot.press("q")
        assert isinstance(kumite.screen, TournamentsScreen)  # one level back
        await pilot.press("enter", "q")
        assert isinstance(kumite.screen, TournamentsScreen)
        await pilot.press("q")
        assert isinstance(kumite.screen, HomeScreen)


async def test_all_that_the_command_offers_is_chosen_by_keys(opened: list[tuple[Any, ...]]) -> None:
    async with running(lambda: NewTournamentScreen("kuzushi")) as (kumite, pilot):
        form = form_of(kumite)
        await pilot.press("down", "down", "ctrl+u", *"Club q?j")
        await pilot.press("down")
        assert "with equal points meet; latecomers can enter" in words(kumite)
        await pilot.press("right")  # round robin: as many rounds as it takes
        assert "meets everyone; all must be there at the start" in words(kumite)
        assert "rounds" not in form.values
        await pilot.press("left")
        form.go("rounds")
        await pilot.press(*["right"] * 4)
        assert "< 4 rounds >" in frame(kumite)
        await pilot.press("down", "right", "right", "down", "right", "down", "right")
        assert "< any that is free >" in frame(kumite)
        form.go("clock")
        await pilot.press("right", "right", "down", "right", "right")  # 5+5, a minute away or 3
        assert form.values["away"] == "600"
        form.go("option board")
        await pilot.press("right")
        form.go("go")
        await pilot.press("enter")
        setup = Setup.of(find("kuzushi"), 2, {"board": "small"})
        assert opened == [("opened", Terms("Club q?j", setup, (300, 5, 600)), SWISS, 4, 0, "easy")]
        screen = organiser_of(kumite)
        plan = screen.plan
        assert (plan.title, plan.is_listed, plan.bot) == ("Club q?j", False, "easy")


@pytest.mark.parametrize(
    ("args", "keys"),
    [
        ("kitsu", []),
        ("kitsu --robin --unlisted", ["system", "listed"]),
        ("kitsu --rounds 1 --clock 3+2", ["rounds", "clock"]),
        ("kitsu --bot 1 --port 0", ["bot", "port"]),
    ],
)
async def test_the_form_and_the_command_open_the_same_tournament(
    args: str, keys: list[str], opened: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    by_command: list[Screen[None]] = []
    monkeypatch.setattr(
        "kumite.cli.app_start.open_app", lambda _, screen: by_command.append(screen())
    )
    done = CliRunner().invoke(main, ["tournament", *args.split()])
    assert done.exit_code == 0, done.output
    async with running(lambda: NewTournamentScreen("kitsu")) as (kumite, pilot):
        for key in keys:
            form_of(kumite).go(key)
            await pilot.press("right")
        form_of(kumite).go("go")
        await pilot.press("enter")
        by_form = organiser_of(kumite)
    (screen,) = by_command
    assert isinstance(screen, TournamentHostScreen)
    port = PORT if screen.plan.port is None else screen.plan.port
    assert replace(screen.plan, port=port) == by_form.plan
    assert [one[0] for one in opened] == ["opened"]


async def test_if_the_port_is_in_use_the_form_comes_back_as_it_was_filled_in(
    opened: list[tuple[Any, ...]],
) -> None:
    async with running(lambda: NewTournamentScreen("kuzushi")) as (kumite, pilot):
        await pilot.press("down", "down", "ctrl+u", *"Club", "down", "right")
        before = form_of(kumite).values
        form_of(kumite).go("go")
        await pilot.press("enter")
        hint = "close the other kumite, or use port 47471"
        organiser_of(kumite).client.hear(  # type: ignore[union-attr]
            events.Stopped("port-in-use", "Port 47470 is in use on this computer", hint)
        )
        await pilot.pause()
        assert isinstance(kumite.screen, NewTournamentScreen)
        assert form_of(kumite).values == before
        assert form_of(kumite).row.key == "port"
        assert "Port 47470 is in use" in shown(kumite, "hint")
        await pilot.press("right")
        form_of(kumite).go("go")
        await pilot.press("enter")
        assert [one[-2] for one in opened] == [PORT, 0]


@every_size
async def test_every_row_of_the_form_is_reached_and_fits(size: tuple[int, int]) -> None:
    async with running(lambda: NewTournamentScreen("kitsu"), size=size) as (kumite, pilot):
        form = form_of(kumite)
        form.go("clock")
        await pilot.press("right")
        form.go("go")
        seen: list[str] = []
        while form.row.key not in seen:
            seen.append(form.row.key)
            for _ in form.row.choices or (1,):
                assert frame(kumite).count(form.row.shown) or form.row.is_button
                await pilot.press("right")
            await pilot.press("down")
        assert {"system", "rounds", "bot", "listed", "port", "clock", "away"} <= set(seen)


# --- Going on with one ----------------------------------------------------------------------------


@every_size
async def test_one_that_is_not_over_is_listed_and_gone_on_with(
    size: tuple[int, int], opened: list[tuple[Any, ...]]
) -> None:
    record = kept(name="A name that has 24 chars")
    (tournament_files.tournaments() / "x.tournament").write_bytes(b"x")
    async with running(lambda: TournamentsScreen("", FakeFinder), size=size) as (kumite, pilot):
        await pilot.pause()
        text = frame(kumite)
        assert "Yours" in text
        assert "A name that has" in text
        assert "no round yet" in text
        assert "x.tournament" in text
        assert "cannot be read" in text
        assert "0 players, just now." in shown(kumite, "hint")  # the cursor is there
        await pilot.press("enter")
        assert opened == [("resumed", record, None, "")]
        assert organiser_of(kumite)._title == "A name that has 24 chars"


@every_size
async def test_one_that_is_over_is_listed_last_and_shown_again(
    size: tuple[int, int], opened: list[tuple[Any, ...]]
) -> None:
    """Nothing led back to the podium, or to a wrong result."""
    t = Tournament(SWISS, 1, tuple(map(Player, ("ada", "bob", "cy"))))
    t = t.with_round(next_round(t)).with_result(0, Result.FIRST)
    record = kept(tournament=t, keys=(bytes(32),) * 3)
    assert tournament_files.to_resume() == record
    unfinished = kept("b" * 16, "Sunday")
    assert tournament_files.to_resume() == unfinished
    async with running(lambda: TournamentsScreen("", FakeFinder), size=size) as (kumite, pilot):
        assert form_of(kumite).row.label.strip() == "Sunday"
        await pilot.press("down")
        assert form_of(kumite).row.label.strip() == "Friday"
        assert "over" in plain(form_of(kumite).row.line)
        assert "Enter shows its end; d there corrects it." in words(kumite)
        await pilot.press("d")
        assert "Friday" not in frame(kumite)
        await pilot.press("u", "enter")
        assert opened == [("resumed", record, None, "")]


@every_size
async def test_a_player_finds_podium_and_table_of_one_that_is_over_without_the_network(
    size: tuple[int, int], opened: list[tuple[Any, ...]]
) -> None:
    t = Tournament(SWISS, 1, tuple(map(Player, ("ada", "bob", "cy"))))
    t = t.with_round(next_round(t)).with_result(0, Result.FIRST)
    welcome = kept("b" * 16, "Sunday").welcome
    over = Finished(replace(welcome, tournament_id="a" * 16, name="Friday"), t, 1)
    tournament_files.write(over, tournament_files.tournaments())
    async with running(lambda: TournamentsScreen("", FakeFinder), size=size) as (kumite, pilot):
        assert form_of(kumite).row.label.strip() == "Sunday"
        await pilot.press("down")
        assert form_of(kumite).row.label.strip() == "Friday"
        assert "over" in plain(form_of(kumite).row.line)
        assert "Enter shows its end." in words(kumite)
        await pilot.press("enter")
        assert isinstance(kumite.screen, FinishedScreen)
        text = words(kumite)
        assert "First: cy." in text
        assert "bob (you)" in text
        assert "away" not in text
        assert not {"d", "p", "c", "x", "s", "w", "y", "enter"} & set(kumite.screen.active_bindings)
        await pilot.press("q")
        assert isinstance(kumite.screen, TournamentsScreen)
        await pilot.press("d")
        assert "Friday" not in frame(kumite)
        await pilot.press("u")
        assert form_of(kumite).row.label.strip() == "Friday"
        damaged = replace(over, welcome=replace(over.welcome, rules=99))
        tournament_files.write(damaged, tournament_files.tournaments())
        await pilot.press("enter", "q", "enter")
        assert "is played by rules 99 there" in words(kumite)
    assert opened == []


@every_size
async def test_one_that_was_left_is_deleted_and_brought_back(size: tuple[int, int]) -> None:
    kept("a" * 16, "Friday")
    kept("b" * 16, "Sunday")
    (tournament_files.tournaments() / "x.tournament").write_bytes(b"x")
    async with running(lambda: TournamentsScreen("", FakeFinder), size=size) as (kumite, pilot):
        await pilot.press(*["down"] * 9)
        assert "d delete" not in shown(kumite, "keys")
        await pilot.press("d")  # on the button: nothing
        for name, file in (("Sunday", "b" * 16), ("Friday", "a" * 16), ("x.", "x")):
            form_of(kumite).go(f"kept {file}.tournament")
            await pilot.pause()
            assert "d delete" in shown(kumite, "keys")
            await pilot.press("d")
            await pilot.pause()
            assert name not in frame(kumite)
            assert "Deleted: u brings it back" in shown(kumite, "hint")
        assert "Yours" not in frame(kumite)
        await pilot.press("u", "u")
        await pilot.pause()
        assert "Friday" in frame(kumite)
        assert "Sunday" not in frame(kumite)
        assert form_of(kumite).row.label.strip() == "Friday"
        with tournament_files.hold("a" * 16, tournament_files.tournaments()):
            await pilot.press("d")
            assert "another kumite holds this tournament" in shown(kumite, "hint")
        assert "Friday" in frame(kumite)
    done = CliRunner().invoke(main, ["log", "empty"])
    assert done.output == "0 matches and 1 tournament deleted for good\n"


def test_a_bot_that_has_not_played_yet_is_there_again() -> None:
    def kept_bot(plan: TournamentPlan, bot: str) -> str:
        assert plan.bot == bot
        host = plan.open(lambda _: None)
        wait_for(lambda: [one.bot for one, _ in tournament_files.hosted()[0]] == [bot], "it")
        host.close()
        return TournamentPlan(tournament_files.to_resume()).bot

    new = TournamentPlan(terms(TERMS.setup, "Club", None), bot="medium", port=0)
    assert kept_bot(new, "medium") == "medium"
    other = TournamentPlan(tournament_files.to_resume(), bot="easy", port=0)
    assert kept_bot(other, "easy") == "easy"
    assert TournamentPlan(kept(bot="clever")).bot == ""  # which this version does not know


def test_the_command_goes_on_at_another_port_if_it_is_told_to(
    opened: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "kumite.cli.app_start.open_app", lambda _, screen: screen().plan.open(lambda _: None)
    )
    done = CliRunner().invoke(main, ["tournament", "--resume"])
    assert done.exit_code == 2
    assert "no tournament to continue" in done.output
    record = kept()
    for args, port in (((), None), (("--port", "4000"), 4000)):
        done = CliRunner().invoke(main, ["tournament", "--resume", *args])
        assert done.exit_code == 0, done.output
        assert opened.pop() == ("resumed", record, port, "")


# --- Joining one ----------------------------------------------------------------------------------


@every_size
async def test_those_on_the_lan_are_listed_as_they_come_and_go(size: tuple[int, int]) -> None:
    finders: list[FakeFinder] = []
    opening = partial(TournamentsScreen, "", keeping(finders))
    async with running(opening, size=size) as (kumite, pilot):
        for one in (
            found("a", "Club evening"),
            found("b", "ada", is_tournament=False),
            replace(found("x", ""), table=Announced("", "", "", 0, 4000, "9.9", 99)),
        ):
            finders[-1].deliver(one)
        await pilot.pause()
        text = words(kumite)
        assert "Club evening Kumo Hogosha tournament" in text
        assert "another version update to join" in text
        assert "free seat" not in text  # a table is no tournament
        assert form_of(kumite).row.is_button  # where it was
        finders[-1].deliver(Vanished("x"))
        await pilot.pause()
        assert "another version" not in frame(kumite)
        await pilot.press("down", "enter")
        assert isinstance(kumite.screen, TournamentPlayerScreen)
        assert "Code:" in frame(kumite)
    assert finders[-1].calls == ["start", "close"]


async def test_one_that_is_not_listed_is_joined_by_its_address() -> None:
    async with running(lambda: TournamentsScreen("", FakeFinder)) as (kumite, pilot):
        assert "Yours" not in frame(kumite)
        assert "no tournament is open on this LAN yet" in frame(kumite)
        await pilot.press(*["down"] * 9, "enter", *"192.168.1.20:4000", "enter")
        assert isinstance(kumite.screen, LobbyScreen)  # it goes to a tournament that is there


async def test_after_a_wrong_code_enter_asks_again_and_q_and_escape_go_one_level_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    peer = FakeTournamentPeer()
    monkeypatch.setattr(openings, "entering", lambda *_, **__: peer.opened)
    finders: list[FakeFinder] = []
    wrong = events.Stopped("wrong-code")
    find_on_lan = keeping(finders)
    monkeypatch.setattr(
        "kumite.net.transport.discovery.Finder", lambda deliver, **_: find_on_lan(deliver)
    )
    async with running(TournamentsScreen) as (kumite, pilot):
        for key in ("q", "escape"):
            finders[-1].deliver(found("a", "Club evening"))
            await pilot.pause()
            form_of(kumite).go("a")
            await pilot.press("enter", *"7-torii-lantern", "enter")
            peer.deliver(wrong)
            await pilot.pause()
            assert "Enter: try again   q: back" in frame(kumite)
            assert "Enter try again" in shown(kumite, "keys")
            await pilot.press("enter")
            assert "Code: 7-torii-lantern" in frame(kumite)
            await pilot.press("enter")
            peer.deliver(wrong)
            await pilot.pause()
            await pilot.press(key)
            await pilot.pause()
            assert isinstance(kumite.screen, TournamentsScreen)


@every_size
async def test_a_tournament_that_one_has_entered_is_marked_and_asks_for_no_code(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a crash the list asked for the code again, though the home screen's `c` did not."""
    finders, peers, tickets = list[FakeFinder](), list[FakeTournamentPeer](), list[TicketFile]()

    def returning(ticket: TicketFile) -> Any:
        tickets.append(ticket)
        peers.append(FakeTournamentPeer())
        return peers[-1].opened

    monkeypatch.setattr(openings, "returning", returning)
    friday = beacons.listed_as("a" * 16)
    opening = partial(TournamentsScreen, "", keeping(finders))
    for said in (events.Stopped("wrong-code"), None):  # or nobody answers
        monkeypatch.setattr(tournament, "WAITING", 60.0 if said is not None else 0.1)
        async with running(opening, size=size) as (kumite, pilot):
            own = own_name(kumite.settings)
            for name, tournament_id in ((own, "a"), ("eve", "b"), ("bot:easy", "a")):
                ticket = TicketFile(tournament_id * 16, name, 1 + len(name), bytes(32))
                tournament_files.write(ticket, tournament_files.tournaments())
            for key, name in ((beacons.listed_as("b" * 16), "Art"), (friday, "Friday")):
                finders[-1].deliver(found(key, name))
            await pilot.pause()
            assert words(kumite).count("waits for you") == 1
            form_of(kumite).go(friday)
            await pilot.pause()
            assert "waits for you" in plain(form_of(kumite).row.line)
            assert "Enter leads back" in shown(kumite, "hint")
            await pilot.press("enter")
            assert [one.name for one in tickets] == [own]
            assert isinstance(kumite.screen, TournamentPlayerScreen)
            if said is not None:
                assert "Code:" not in frame(kumite)
                peers[-1].deliver(said)
            await until(pilot, lambda: "Code:" in frame(kumite), "the code is asked for")
            assert ("close",) in peers[-1].asked
            tickets.clear()


# --- Guests of a server ---------------------------------------------------------------------------


async def test_a_guest_chooses_no_port_and_types_no_address(
    opened: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(GUEST, "127.0.0.1")
    async with running(lambda: TournamentsScreen("kitsu", FakeFinder)) as (kumite, pilot):
        assert "Type an address" not in frame(kumite)
        await pilot.press("enter")
        assert not {"port", "listed"} & set(form_of(kumite).values)
        await pilot.press("enter")
        organiser_of(kumite)
    assert [one[4] for one in opened] == [0]


def test_tournaments_of_guests_take_any_port_that_is_free(
    opened: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    record = kept()
    for is_guest in (False, True):
        if is_guest:
            monkeypatch.setenv(GUEST, "127.0.0.1")
        for what in (TERMS, record):
            TournamentPlan(what).open(lambda _: None)
    assert [one[-2] for one in opened] == [PORT, None, 0, 0]
