"""The tables of a tournament: what its organiser decides, who leaves them, and who looks on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Final

import pytest
from textual.pilot import Pilot

from kumite.core.game import Seat
from kumite.core.log import End, log_text
from kumite.core.tournament.tournament import Result
from kumite.net.session import events
from kumite.net.tournament.state import TableOpened, TicketFile
from kumite.net.wire import tournament as wire
from kumite.net.wire.tournament import View
from kumite.store import log_files
from kumite.store.library import Library
from kumite.tui.play import openings
from kumite.tui.screens import dialog, tournament
from kumite.tui.screens.lan_table import LanTableScreen
from kumite.tui.screens.tournament import TournamentPlayerScreen
from tests.support.apps import frame, running, until
from tests.support.fake_peer import FakeLan, FakePeer, FakeTournamentPeer
from tests.tui.screens.test_tournament import at_own_table, playing, told, view

THERE: Final = TableOpened(wire.TableAt(0, 0, 4000, ("::1",), "7-torii-lantern"))
DECIDED: Final = "The organiser decided this match: p0 has won."


@asynccontextmanager
async def looking_on() -> AsyncIterator[tuple[list[FakePeer], FakeTournamentPeer, Pilot[None]]]:
    """A spectator of the first match, with the table that is opened and the one after it."""
    tables = [FakePeer(), FakePeer()]
    opening = iter(tables)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(openings, "joining", lambda *_: next(opening).opened)
        async with playing() as (host, pilot):
            await told(pilot, host, view(4, 1))
            await pilot.press("w", "enter")
            await told(pilot, host, THERE)
            yield tables, host, pilot


def decided(me: int | None, **changes: Any) -> View:
    """Return the view after the organiser has decided the first match of round 1."""
    t = view(4, 1).tournament.with_result(0, Result.FIRST)
    return replace(view(4, 1, me=me), tournament=t, states=(wire.DECIDED, wire.STANDS), **changes)


async def test_a_decided_match_ends_at_its_table_and_is_not_offered_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The two played on, and the match stayed on the home screen."""
    table, lan = FakePeer(), FakeLan("kuzushi")
    monkeypatch.setattr(openings, "hosting", lambda *_, **__: table.opened)
    path = log_files.folder() / "x.kumite"
    path.parent.mkdir(parents=True, exist_ok=True)
    ended = End("adjourned", (Seat(0),))
    path.write_text(log_text(lan.header, lan.seen, end=ended), "utf-8")
    async with playing() as (host, pilot):
        await told(pilot, host, view(4, 1, me=0))
        table.path, host.last_match = path, (0, 0, "x.kumite")
        table.deliver(lan.began())
        await pilot.pause()
        assert isinstance(pilot.app.screen, LanTableScreen)
        text = await told(pilot, host, decided(0))
        assert f"{DECIDED}  q: back to the tournament" in text
        assert ("close",) in table.asked
        library = Library()
        library.read()
        assert not library.named("x.kumite").is_unfinished
        assert "the organiser decided this match" in library.named("x.kumite").why
        await pilot.press("q")
        assert isinstance(pilot.app.screen, TournamentPlayerScreen)


@pytest.mark.parametrize("is_closed_first", [False, True])
async def test_a_decided_match_ends_for_its_watchers_once_its_table_is_closed(
    is_closed_first: bool,
) -> None:
    """The last step may come later than the result."""
    async with looking_on() as (tables, host, pilot):
        tables[0].deliver(FakeLan("kuzushi", ours=()).began())
        await pilot.pause()
        left = events.Left(frozenset({Seat(0)}), is_closed=True, who="p0")
        if is_closed_first:
            tables[0].deliver(left)
            again = "p0 has left; the table opens again by itself.  q: back to the tournament"
            assert again in await told(pilot, host)
        text = await told(pilot, host, decided(None))
        if not is_closed_first:
            assert DECIDED not in text
            tables[0].deliver(left)
        assert f"{DECIDED}  q: back to the tournament" in await told(pilot, host)


async def test_a_watched_table_is_shown_again_when_it_comes_back() -> None:
    async with looking_on() as (tables, host, pilot):
        tables[0].deliver(FakeLan("kuzushi", ours=()).began())
        await told(pilot, host, THERE)  # it has another address, and still stands
        first = pilot.app.screen
        tables[0].deliver(events.Left(frozenset({Seat(0)}), is_closed=True, who="p0"))
        await told(pilot, host, THERE)
        tables[1].deliver(FakeLan("kuzushi", ours=()).began())
        await pilot.pause()
        assert isinstance(pilot.app.screen, LanTableScreen)
        assert pilot.app.screen is not first
        tables[1].deliver(events.Left(frozenset(), is_closed=True, is_ours=True))
        await told(pilot, host, THERE)  # nobody who has left is brought back


async def test_who_leaves_a_match_of_a_tournament_reads_the_way_back() -> None:
    async with at_own_table() as (table, host, pilot):
        await pilot.press("q")
        said = frame(pilot.app)
        assert "The match is kept: Enter on the tournament's" in said
        assert "page brings you back to it." in said
        assert "home screen" not in said
        await pilot.press("escape")
        table.deliver(events.Left(frozenset({Seat(1)}), is_closed=True, who="bob"))
        again = "bob has left; the table opens again by itself.  q: back to the tournament"
        assert again in await told(pilot, host)


async def test_keys_for_a_question_do_nothing_at_the_table_that_opens_over_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The next round began while it was asked whether to leave: Enter made a step there."""
    table = FakePeer()
    monkeypatch.setattr(openings, "hosting", lambda *_, **__: table.opened)
    monkeypatch.setattr(dialog, "IGNORED", 2.0)
    async with playing() as (host, pilot):
        await told(pilot, host, view(4, me=0))
        await pilot.press("q")
        assert "Leave the tournament?" in await told(pilot, host, view(4, 1, me=0))
        table.deliver(replace(FakeLan("kuzushi").began(), clocks=(600_000, 600_000)))
        await pilot.pause()
        assert isinstance(pilot.app.screen, LanTableScreen)
        await pilot.press("down", "enter", "q")
        assert isinstance(pilot.app.screen, LanTableScreen)
        assert "play" not in [one[0] for one in table.asked]
        await pilot.pause(2.0)
        await pilot.press("q")
        assert "Leave the table?" in frame(pilot.app)


async def test_who_comes_back_reads_for_whom_they_wait_and_that_it_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host = FakeTournamentPeer()
    monkeypatch.setattr(openings, "returning", lambda _: host.opened)
    monkeypatch.setattr(tournament, "WAITING", 0.1)
    ticket = TicketFile("a" * 16, "eve", 1, bytes(32))
    async with running(lambda: TournamentPlayerScreen.returning(ticket)) as (kumite, pilot):
        assert "Waiting for the organiser of your tournament" in frame(kumite)
        ended = "The organiser of your tournament does not answer"
        await until(pilot, lambda: ended in frame(kumite), "it waits")
        assert "Enter: try again   q: back" in frame(kumite)
        await pilot.press("enter")
        assert "Round 1 of 2" in await told(pilot, host, view(4, 1, me=1))
