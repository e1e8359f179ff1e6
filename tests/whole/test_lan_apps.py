"""LAN matches between apps in one process, by keys on all, over real sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from textual.pilot import Pilot

from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import find
from kumite.store import log_files
from kumite.store.library import Library
from kumite.tui.play.local_table import lan_table
from kumite.tui.screens.lan_table import LanTableScreen
from kumite.tui.screens.lobby import LobbyScreen
from tests.support.apps import app, frame, play, result, shown, uncovered, until
from tests.support.waiting import PAUSE, looks

SETUP = Setup.of(find("kuzushi"), 2, {"board": "small"})


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path / "logs"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def screen(pilot: Pilot[None]) -> LanTableScreen:
    assert isinstance(pilot.app.screen, LanTableScreen)
    return pilot.app.screen


def lobby(pilot: Pilot[None]) -> LobbyScreen:
    assert isinstance(pilot.app.screen, LobbyScreen)
    return pilot.app.screen


def is_at_table(pilot: Pilot[None]) -> bool:
    return isinstance(pilot.app.screen, LanTableScreen) and pilot.app.screen.is_ready


def hosting(
    setup: Setup, free: Iterable[int] = (1,), bots: dict[Seat, str] | None = None
) -> LobbyScreen:
    table = replace(
        lan_table(setup, "ada", frozenset(map(Seat, free)), bots or {}), is_listed=False
    )
    return LobbyScreen.hosting(table, "ada", 0)


@asynccontextmanager
async def lobbies(
    setup: Setup, *guests: str, free: Iterable[int] = (1,)
) -> AsyncIterator[list[Pilot[None]]]:
    """Open a lobby with ada, and let the guests come to it."""
    async with AsyncExitStack() as stack:
        host = app(lambda: hosting(setup, free))
        pilots = [await stack.enter_async_context(host.run_test(size=(80, 24)))]
        await until(pilots[0], lambda: "kumite join" in frame(host), "the table never opened")
        table = lobby(pilots[0]).client
        port, code = table.listening.port, table.code
        for name in guests:
            joining = app(lambda name=name: LobbyScreen.joining(("127.0.0.1",), port, code, name))
            pilot = await stack.enter_async_context(joining.run_test(size=(80, 24)))
            await until(pilot, lambda j=joining: "I am ready" in frame(j), "not in the lobby")
            pilots.append(pilot)
        yield pilots


@asynccontextmanager
async def tables(
    setup: Setup, *guests: str, free: Iterable[int] = (1,)
) -> AsyncIterator[list[Pilot[None]]]:
    """Let ada and the guests begin a match; yield their pilots."""
    async with lobbies(setup, *guests, free=free) as pilots:
        host = pilots[0]
        for pilot in pilots[1:]:
            await pilot.press("enter")
        await until(host, lambda: "Enter: start" in frame(host.app), "not all are ready")
        await host.press("s")
        for pilot in pilots:
            await until(pilot, lambda p=pilot: is_at_table(p), "no match")
        yield pilots


async def play_on(
    pilots: list[Pilot[None]], rng: Random, longest: int, is_typed: bool = True
) -> None:
    """Let all people play at random, to the end or until they have made so many choices."""
    for _ in range(longest):
        await settle(pilots)
        acting = [pilot for pilot in pilots if screen(pilot).lan.acting is not None]
        if not acting:
            return
        pilot = rng.choice(acting)
        lan = screen(pilot).lan
        await uncovered(pilot)
        seat, number = lan.acting, lan.match.number
        assert seat is not None
        step = rng.choice(lan.match.legal(seat))
        if len(lan.match.legal(seat)) > 1:
            if is_typed:
                await pilot.press("colon", *step, "enter")
            else:
                play(screen(pilot), step)
        await until(
            pilot,
            lambda lan=lan, n=number, s=seat: lan.match.number > n or s in lan.chosen,
            f"{step} of seat {seat} did not count",
        )


async def settle(pilots: list[Pilot[None]]) -> None:
    """Wait until all know the same; go on after what has to be seen."""
    for _ in looks("all to know the same"):
        for pilot in pilots:
            while screen(pilot).model.interlude:
                await pilot.press("enter")
        if is_settled(pilots):
            return
        await pilots[0].pause(PAUSE)


def is_settled(pilots: list[Pilot[None]]) -> bool:
    """All know the same, and somebody is to choose or it is over."""
    lans = [screen(pilot).lan for pilot in pilots]
    if len({lan.match.digest for lan in lans}) > 1 or any(lan.is_sending for lan in lans):
        return False
    if len({frozenset(lan.chosen) for lan in lans}) > 1 or any(
        screen(p).model.interlude for p in pilots
    ):
        return False
    return lans[0].is_over or any(lan.acting is not None for lan in lans)


@pytest.mark.parametrize("game", ["kitsu", "kitsune", "kumo"])  # the others: below
async def test_two_apps_play_the_beginning_of_a_match(game: str) -> None:
    setup = Setup.of(find(game), 2)
    async with tables(setup, "bob") as pilots:
        await play_on(pilots, Random(1), 5)
        await settle(pilots)
        ada, bob = (screen(pilot).lan.match for pilot in pilots)
        assert ada.number == bob.number >= 3
        assert ada.by == {0}
        assert bob.by == {1}


async def test_a_whole_match_with_secrets_ends_with_the_audit_and_a_rematch() -> None:
    setup = Setup.of(find("kiriai"))
    async with tables(setup, "bob") as pilots:
        words = {screen(pilot).lan.words for pilot in pilots}
        assert len(words) == 1
        await play_on(pilots, Random(4), 200, is_typed=False)
        await settle(pilots)
        for pilot in pilots:
            await until(pilot, lambda p=pilot: screen(p).lan.verdict is not None, "no audit")
            verdict = screen(pilot).lan.verdict
            assert verdict.is_sound
            await until(
                pilot, lambda p=pilot: "have played fair" in result(p.app), "the audit is not shown"
            )
        ada, bob = pilots
        await ada.press("m")
        await until(bob, lambda: screen(bob).lan.offer is not None, "no offer")
        await bob.press("y")
        for pilot in pilots:
            await until(pilot, lambda p=pilot: not screen(p).lan.is_over, "no rematch")
        assert screen(ada).lan.mine == {Seat(1)}
    logs = [log_files.load(path) for path in log_files.folder().glob("*.kumite")]
    assert [log.damage for log in logs] == [None] * 4


async def test_offers_talk_and_giving_up_are_seen_on_both_sides() -> None:
    async with tables(SETUP, "bob") as (ada, bob):
        await ada.press("enter")  # it is bob's turn: nothing happens
        await bob.press("n", "enter")
        await until(ada, lambda: screen(ada).lan.match.number == 1, "no step")
        await bob.press("t", *"oops", "enter", "u", "u")  # asked first
        await until(ada, lambda: screen(ada).lan.offer is not None, "no offer")
        assert "bob: oops" in shown(ada.app, "log")
        await ada.press("y")
        for pilot in (ada, bob):
            await until(pilot, lambda p=pilot: screen(p).lan.match.number == 0, "not taken back")
        await ada.press("d", "down", "enter")
        await until(bob, lambda: screen(bob).lan.offer is not None, "no offer")
        await bob.press("x")
        await until(ada, lambda: screen(ada).lan.offer is None, "no answer")
        assert not screen(ada).lan.is_over
        await ada.press("g", "down", "enter")
        for pilot, who in ((ada, "you"), (bob, "ada")):
            said = f"{who} gave up"
            await until(pilot, lambda p=pilot, s=said: s in result(p.app).lower(), "not given up")


async def test_free_seats_are_played_by_bots_of_the_host() -> None:
    setup = Setup.of(find("kuzushi"), 3, {"board": "small"})
    async with tables(setup, "bob", free=(1, 2)) as pilots:
        assert screen(pilots[0]).lan.bots == {Seat(2): "easy"}
        await play_on(pilots, Random(3), 4)
        match = screen(pilots[0]).lan.match
        assert Seat(2) in {played.actor for played in match.steps() if played.actor != CHANCE}


async def test_a_wrong_code_is_refused_and_the_right_one_let_in() -> None:
    async with lobbies(SETUP) as (host,):
        table = lobby(host).client
        port = table.listening.port
        wrong = "1-torii-lantern" if "torii" not in table.code else "1-kayak-mirror"
        joining = app(lambda: LobbyScreen.joining(("127.0.0.1",), port, "", "bob"))
        async with joining.run_test(size=(80, 24)) as bob:
            await bob.press(*wrong, "enter")
            await until(bob, lambda: "Enter: try again" in frame(joining), "not refused")
            right = ("enter", "ctrl+u", *table.code.replace("-", " ").upper(), "enter")
            for _ in looks("bob to be let in"):
                if "Enter: try again" in frame(joining):  # after a wrong code one waits a second
                    await bob.press(*right)
                if "I am ready" in frame(joining):
                    break
                await bob.pause(PAUSE)


async def test_a_table_that_is_not_there_is_said_in_words() -> None:
    kumite = app(lambda: LobbyScreen.joining(("127.0.0.1",), 1, "7-torii-lantern", "bob"))
    async with kumite.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "q: back" in frame(kumite), "no word")
        assert "No table is open at 127.0.0.1, port 1" in frame(kumite)


async def test_leaving_in_the_middle_asks_and_both_can_go_on_later() -> None:
    async with tables(SETUP, "bob") as (ada, bob):
        await bob.press("n", "enter", "q", "enter")  # no, stay
        assert isinstance(bob.app.screen, LanTableScreen)
        await bob.press("q", "down", "enter")
        await until(ada, lambda: "bob left" in shown(ada.app, "company"), "not told")
        assert not screen(ada).lan.is_over
    library = Library()
    library.read()
    found = [library.path(one.name) for one in library.all() if library.can_go_on(one)]
    assert len(found) == 2
    paths = {log_files.load(path).header.by: path for path in found}
    host = app(lambda: LobbyScreen.resuming(paths[frozenset({Seat(0)})]))
    async with host.run_test(size=(80, 24)) as ada:
        await until(ada, lambda: is_at_table(ada), "the host did not go on")
        listening = screen(ada).lan.listening
        at = ("127.0.0.1", listening.port)
        guest = app(lambda: LobbyScreen.resuming(paths[frozenset({Seat(1)})], at))
        async with guest.run_test(size=(80, 24)) as bob:
            await until(bob, lambda: is_at_table(bob), "bob did not come back")
            await until(ada, lambda: "away" not in shown(host, "company"), "bob is still away")
            await ada.press("n", "enter")
            await until(bob, lambda: screen(bob).lan.match.number == 2, "no step")
