"""A tournament on the screen: what stands there, and what its organiser and its players do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from textual.pilot import Pilot

from kumite.core.game import Seat, Setup
from kumite.core.games import find
from kumite.core.log import End
from kumite.core.tournament.pairing import next_round
from kumite.core.tournament.tournament import (
    MOST,
    ROBIN,
    SWISS,
    Player,
    Result,
    Tournament,
    standings,
)
from kumite.net.session import events
from kumite.net.tournament.state import TableOpened, Terms, TicketFile, TournamentChanged
from kumite.net.transport import tournament_files
from kumite.net.transport.discovery import Announced, Found
from kumite.net.wire import tournament as wire
from kumite.net.wire.tournament import View
from kumite.tui.drawing.lettering import large
from kumite.tui.look.glyphs import LOOKS
from kumite.tui.play import openings
from kumite.tui.play import tournament as play
from kumite.tui.play.tournament_words import over_text
from kumite.tui.play.tournaments import TournamentPlan
from kumite.tui.scenes.lines import line_width, plain
from kumite.tui.screens import tournament_lines
from kumite.tui.screens.lan_table import LanTableScreen
from kumite.tui.screens.lobby import LobbyScreen
from kumite.tui.screens.lobby_lines import Space
from kumite.tui.screens.open_list import way_to
from kumite.tui.screens.tournament import TournamentHostScreen, TournamentPlayerScreen
from kumite.tui.settings import own_name
from tests.support.apps import frame, running, shown, until, words
from tests.support.fake_peer import FakeLan, FakePeer, FakePlan, FakeTournamentPeer
from tests.support.tournaments import kept

FRIDAY = Terms("Friday", Setup.of(find("kuzushi"), 2), (600, 5, 60))
LISTENING = events.Listening(4000, ("192.168.1.20",), "7-torii-lantern")


def view(count: int, rounds: int = 0, system: str = SWISS, me: int | None = None) -> View:
    """Return a tournament in which the first of each pair has won all rounds but the last."""
    names = [f"player {n} 狐" * 2 if n == 7 else f"p{n}" for n in range(count)]
    t = Tournament(system, 0, tuple(Player(name[:24]) for name in names))
    for number in range(rounds):
        t = t.with_round(next_round(t))
        for place, one in enumerate(t.rounds[-1]):
            if one.is_open and number < rounds - 1:
                t = t.with_result(place, Result.FIRST)
    this = t.rounds[-1] if t.rounds else ()
    states = tuple(wire.STANDS if one.is_open else wire.DECIDED for one in this)
    return View(t, frozenset(range(count)), states, me)


async def told(pilot: Pilot[None], host: FakeTournamentPeer, *said: Any) -> str:
    """Deliver views of the tournament, and any events; return what is on the screen."""
    for event in said:
        host.deliver(TournamentChanged(FRIDAY, event) if isinstance(event, View) else event)
    await pilot.pause()
    return frame(pilot.app)


@asynccontextmanager
async def organising(
    size: tuple[int, int] = (80, 24),
) -> AsyncIterator[tuple[FakeTournamentPeer, Pilot[None]]]:
    host = FakeTournamentPeer()
    async with running(lambda: TournamentHostScreen(FakePlan(host)), size) as (_, pilot):
        await told(pilot, host, LISTENING)
        yield host, pilot


@asynccontextmanager
async def playing(
    size: tuple[int, int] = (80, 24),
) -> AsyncIterator[tuple[FakeTournamentPeer, Pilot[None]]]:
    host = FakeTournamentPeer()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(openings, "entering", lambda *_, **__: host.opened)
        at = ("127.0.0.1",), 4000, "7-torii-lantern", "ada"
        async with running(lambda: TournamentPlayerScreen(*at), size) as (_, pilot):
            yield host, pilot


@asynccontextmanager
async def at_own_table() -> AsyncIterator[tuple[FakePeer, FakeTournamentPeer, Pilot[None]]]:
    """A player at the table of the first match, with a clock."""
    table = FakePeer()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(openings, "hosting", lambda *_, **__: table.opened)
        async with playing() as (host, pilot):
            await told(pilot, host, view(4, 1, me=0))
            table.deliver(replace(FakeLan("kuzushi").began(), clocks=(600_000, 600_000)))
            await pilot.pause()
            yield table, host, pilot


@pytest.mark.parametrize("look", ["kanji", "letters", "ascii"])
@pytest.mark.parametrize("columns", [56, 76, 116])
@pytest.mark.parametrize(("count", "rounds"), [(3, 0), (5, 2), (MOST, 3), (MOST - 1, 5)])
def test_lists_fit_and_hold_everybody(count: int, rounds: int, columns: int, look: str) -> None:
    found = replace(view(count, rounds, me=0), here=frozenset(range(1, count)))
    lines = tournament_lines.list_lines(found, Space(columns, 20, LOOKS[look]), has_pixels=False)
    assert all(line_width(line) <= columns for line in lines)
    text = "\n".join(map(plain, lines))
    assert all(f"p{n} " in text for n in range(count) if n != 7)
    assert "p0 (you)" in text or "p0" in text
    assert "away" in text
    if look == "ascii":
        assert text.replace("狐", "").isascii()


def over(count: int, system: str = SWISS) -> View:
    """Return a tournament in which the first of each pair has always won."""
    t = view(count, 1, system).tournament
    while True:
        for place, one in enumerate(t.rounds[-1]):
            if one.is_open:
                t = t.with_result(place, Result.FIRST)
        if t.is_over:
            return View(t, frozenset(range(count)), (wire.DECIDED,) * len(t.rounds[-1]), None)
        t = t.with_round(next_round(t))


@pytest.mark.parametrize("columns", [70, 76, 116])
@pytest.mark.parametrize("count", [3, 8, MOST])
def test_the_first_three_stand_on_a_podium_at_the_end(count: int, columns: int) -> None:
    found, space = over(count), Space(columns, 20, LOOKS["letters"])
    lines = tournament_lines.list_lines(found, space, has_pixels=True)
    assert all(line_width(line) <= columns for line in lines)
    text = "\n".join(plain(line)[: tournament_lines.LEFT] for line in lines)
    has_room = columns >= tournament_lines.LEFT + tournament_lines.RIGHT
    assert ("▀" in text) == has_room
    t = found.tournament
    if has_room:
        rows = standings(t)[:3]
        high = [text[: text.index(f" {t.players[row.player].name} ")].count("\n") for row in rows]
        assert [one - high[0] for one in high] == [row.place - 1 for row in rows]
    whole = "\n".join(map(plain, tournament_lines.list_lines(found, space, has_pixels=False)))
    assert all(f"Round {number + 1} of" in whole for number in range(len(t.rounds)))
    assert "▀" not in whole
    assert all(f" p{n} " in "\n".join(map(plain, lines)) for n in range(count) if n != 7)


@pytest.mark.parametrize(("system", "is_swiss"), [(SWISS, True), (ROBIN, False)])
def test_the_columns_are_explained_and_the_end_names_the_first_three(
    system: str, is_swiss: bool
) -> None:
    lines = [*map(plain, tournament_lines.columns_lines(view(3, 1, system), 76))]
    names = ("points: ", "Buchh: ", "S-B: ") if is_swiss else ("points: ", "S-B: ", "wins: ")
    assert all(line.startswith(one) for line, one in zip(lines, names, strict=False))
    assert len(lines) == 3
    bye = "1 a win or a bye," if is_swiss else "none for a bye, which everybody has"
    for count, has_bye in ((3, True), (4, False)):
        explained = tournament_lines.columns_lines(view(count, 1, system), 76)
        assert (bye in plain(explained[0])) == has_bye
    said = over_text(over(3, system).tournament)
    assert said.startswith("This tournament is over. First: p")
    assert all(f"p{n}" in said for n in range(3))


# --- The organiser --------------------------------------------------------------------------------


async def test_the_organiser_sees_the_code_and_begins_a_round() -> None:
    async with organising() as (host, pilot):
        text = await told(pilot, host, view(2))
        assert "kumite join 192.168.1.20:4000 7-torii-lantern" in text
        assert "The first round can begin when 3 players are here" in text
        assert "begin a round" not in shown(pilot.app, "keys")
        await pilot.press("s")
        assert host.asked == []
        assert "s: begin round 1" in await told(pilot, host, view(4))
        text = await told(pilot, host, replace(view(4), here=frozenset({0, 1, 2})))
        assert "p3: away; p takes out who has gone" in text
        await told(pilot, host, view(4))
        await pilot.press("s", "c", "down", "enter")
        assert host.asked == [("start_round",), ("new_code",)]
        await pilot.press("t", *"sc")  # words, which are no keys
        assert "Nobody can talk here; at the tables all can." in frame(pilot.app)
        await pilot.press("enter")
        assert len(host.asked) == 2
        assert not any("talk" in plain(line) for line in pilot.app.screen.help_lines()[-20:])
        text = await told(pilot, host, view(4, 1))
        assert "Round 1 of 2" in text
        assert "2 matches to go" in text
        assert "begin a round" not in text
        said = events.NotDone("bad-setup", "a tournament takes 3 players", "wait")
        assert "a tournament takes 3 players: wait" in await told(pilot, host, said)


async def test_the_organiser_copies_the_line_to_join_by(copied: list[str]) -> None:
    async with organising() as (host, pilot):
        await told(pilot, host, view(2))
        await pilot.press("x")
        assert copied == ["kumite join 192.168.1.20:4000 7-torii-lantern"]
        assert "Copied. If nothing can be pasted, mark this line" in words(pilot.app)


async def test_the_next_round_waits_until_enough_take_part() -> None:
    t = over(4).tournament
    t = replace(t, rounds=t.rounds[:1])
    two = t.with_presence(2, False).with_presence(3, False)
    async with organising() as (host, pilot):
        for now, is_enough in ((t.with_presence(3, False), True), (two, False)):
            text = await told(pilot, host, View(now, frozenset(range(4)), (wire.DECIDED,) * 2))
            assert ("s: begin round 2" in text) is is_enough
            assert ("s begin a round" in shown(pilot.app, "keys")) is is_enough
        assert "Round 2 can begin when 3 take part: p takes one back in." in text


async def test_a_round_with_somebody_away_begins_only_when_that_is_wanted() -> None:
    async with organising() as (host, pilot):
        text = await told(pilot, host, replace(view(4), here=frozenset({0, 1})))
        await pilot.press("s")
        text = await told(pilot, host)
        assert "p2 and p3 are away. Begin all the same?" in text
        assert "Begin without" not in text  # two are too few
        await pilot.press("escape")
        await told(pilot, host, replace(view(4), here=frozenset({0, 1, 2})))
        for keys, asked in (
            ("", []),
            ("down", [("set_presence", 3, False), ("start_round",)]),
            ("down down", [("start_round",)]),
        ):
            host.asked.clear()
            await pilot.press("s")
            assert "p3 is away. Begin all the same?" in await told(pilot, host)
            await pilot.press(*keys.split(), "enter")
            await pilot.pause()
            assert host.asked == asked


async def test_the_organiser_decides_a_dispute_of_this_round_and_takes_somebody_out() -> None:
    async with organising() as (host, pilot):
        disputed = replace(view(4, 1), states=(wire.STANDS, wire.DISPUTED))
        text = await told(pilot, host, disputed)
        assert "Both tell another end of match 2: d decides." in text
        await pilot.press("d")
        assert "2: p3 against p1" in await told(pilot, host)
        await pilot.press("down", "enter")
        assert "p3 against p1" in await told(pilot, host)
        await pilot.press("down", "enter")
        assert host.asked == [("decide", 1, Result.SECOND)]
        await pilot.press("p", "down", "down", "enter")
        assert host.asked.pop() == ("set_presence", 2, False)
        await told(pilot, host, view(8, 1))
        await pilot.press("d", "enter")
        await told(pilot, host)
        await told(pilot, host, view(8, 2))  # the answer would be about the round before
        await pilot.press("enter")
        assert len(host.asked) == 1


async def test_closing_the_tournament_is_asked_about_and_says_how_to_go_on() -> None:
    async with organising() as (host, pilot):
        await told(pilot, host, view(4))
        await pilot.press("q")
        assert "kumite tournament --resume" in await told(pilot, host)
        await pilot.press("down", "enter")
        assert ("close",) in host.asked


async def test_an_organiser_who_goes_on_with_their_match_opens_the_tournament_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only the match went on, and nobody could come back or report."""
    ticket = TicketFile("a" * 16, "eve", 1, bytes(32))
    monkeypatch.setattr(openings, "ticket_of", lambda _: ticket)
    monkeypatch.setattr(openings, "organised", lambda _: None)
    monkeypatch.setattr(TournamentPlayerScreen, "returning", lambda ticket: ticket)
    assert LobbyScreen.resuming(Path("a.kumite")) is ticket  # somebody else's
    own, desk, ways = FakeTournamentPeer(), FakeTournamentPeer(), list[Any]()
    monkeypatch.setattr(openings, "organised", lambda _: FRIDAY)
    monkeypatch.setattr(TournamentPlan, "open", lambda _, deliver: desk.opened(deliver))
    monkeypatch.setattr(openings, "entering", lambda *way: ways.append(way) or own.opened)
    async with running(lambda: LobbyScreen.resuming(Path("a.kumite"))) as (kumite, pilot):
        assert isinstance(kumite.screen, TournamentHostScreen)
        await told(pilot, desk, LISTENING, view(3))
        assert ways == [(("localhost",), 4000, "7-torii-lantern", "eve")]


@pytest.mark.parametrize("name", ["", "somebody else"])
async def test_an_organiser_who_played_is_in_again_when_the_tournament_is_opened_again(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were away from their own tournament."""
    desk, ways = FakeTournamentPeer(), list[Any]()
    monkeypatch.setattr(TournamentPlan, "open", lambda _, deliver: desk.opened(deliver))
    opening = FakeTournamentPeer().opened
    monkeypatch.setattr(openings, "entering", lambda *way: ways.append(way) or opening)
    async with running(lambda: TournamentHostScreen(TournamentPlan(kept()))) as (kumite, pilot):
        own = own_name(kumite.settings)
        ticket = TicketFile("a" * 16, name or own, 1, bytes(32))
        tournament_files.write(ticket, tournament_files.tournaments())
        await told(pilot, desk, LISTENING, view(3))
        assert [one for *_, one in ways] == ([] if name else [own])


async def test_the_organiser_plays_on_the_same_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    own, table, ways = FakeTournamentPeer(), FakePeer(), list[Any]()
    monkeypatch.setattr(openings, "entering", lambda *way: ways.append(way) or own.opened)
    monkeypatch.setattr(openings, "hosting", lambda *_: table.opened)
    async with organising() as (host, pilot):
        assert "y play, too" in await told(pilot, host, view(3))
        await pilot.press("y", "y")
        ((*at, _name),) = ways
        assert at == [("localhost",), 4000, "7-torii-lantern"]
        assert "y play, too" not in await told(pilot, host, view(3, 1))
        await told(pilot, own, view(3, 1, me=0))
        began = replace(FakeLan("kuzushi").began(), clocks=(600_000, 600_000))
        table.deliver(began)
        await pilot.pause()
        assert isinstance(pilot.app.screen, LanTableScreen)
        await pilot.press("q", "down", "enter")
        assert isinstance(pilot.app.screen, TournamentHostScreen)
        assert "p0 (you)" in await told(pilot, host)
        await pilot.press("q", "down", "enter")
    assert ("close",) in own.asked


async def test_it_is_said_why_there_are_more_rounds_than_there_were() -> None:
    async with organising() as (host, pilot):
        before = view(4, 1)
        t = before.tournament.with_result(0, Result.FIRST).with_result(1, Result.FIRST)
        states = (wire.DECIDED, wire.DECIDED)
        more = t.with_presence(3, False).with_player("bot:easy")
        why = "bot easy came in, and 5 players take 3 rounds instead of 2"
        await told(pilot, host, replace(before, tournament=t))
        now = View(more, frozenset({0, 1, 2, 4}), states)
        assert why in await told(pilot, host, now)
        round_2 = more.with_round(next_round(more))
        text = await told(pilot, host, View(round_2, now.here, (wire.WAITS, wire.WAITS)))
        assert "Round 2 of 3" in text
        assert why in text
        for place in range(2):
            round_2 = round_2.with_result(place, Result.FIRST)
        last = View(round_2.with_round(next_round(round_2)), now.here, (wire.WAITS, wire.WAITS))
        assert why not in await told(pilot, host, last)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)], ids=str)
async def test_before_the_first_round_the_code_stands_in_large_letters(
    size: tuple[int, int],
) -> None:
    code, terms = "790-origami-lantern", Terms("Friday", Setup.of(find("kitsu"), 2), (600, 5, 60))
    async with organising(size) as (host, pilot):
        listening = events.Listening(41539, ("192.168.1.20",), code)
        changed = TournamentChanged(terms, view(2))
        text = await told(pilot, host, listening, changed)
        parts = ("790-origami", "-lantern") if size[0] < 100 else (code,)
        assert all(
            plain(line).rstrip() in frame(pilot.app)
            for one in parts
            for line in large(one, "title")
        )
        assert "The first round can begin when 3 players are here" in text
        assert "p1" in text


async def test_in_a_narrow_window_code_and_terms_are_whole() -> None:
    code, terms = "790-origami-lantern", Terms("Friday", Setup.of(find("kitsu"), 2), (600, 5, 60))
    async with organising((60, 20)) as (host, pilot):
        for place in ("192.168.1.20", "192.168.100.200", "fd00:1234:5678::9abc:def0"):
            listening = events.Listening(41539, (place,), code)
            for rounds in (0, 1):
                changed = TournamentChanged(terms, view(3, rounds))
                text = await told(pilot, host, listening, changed)
                assert code in text or " ".join(code) in text
                assert "10 min + 5 s a step, Swiss" in " ".join(text.split())


# --- A player -------------------------------------------------------------------------------------


BYE: Final = "You have a bye: with an odd number of players, one has no opponent this round."


async def test_a_player_is_told_what_is_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play.PlayerClient, "go", lambda _: None)  # the table is another test's
    late = view(4, 1).tournament.with_player("eve")
    async with playing() as (host, pilot):
        for found, said in (
            (view(3, me=0), "The organiser begins the first round."),
            (view(3, 1, me=0), "Enter: to your table, against p1"),
            (view(3, 1, me=2), f"{BYE} You get a point for it. It ends after 1 more match."),
            (view(3, 1, ROBIN, me=0), f"{BYE} It ends after 1 more match."),
            (view(4, 1, me=0), "Enter: to your table, against p2"),
            (
                replace(view(4, 1, me=0), states=(wire.DECIDED, wire.STANDS)),
                "You wait for the others.",
            ),
            (View(late, frozenset(range(4)), (wire.STANDS,) * 2, 4), "You play from round 2 on."),
        ):
            text = await told(pilot, host, found)
            assert "Friday" in text
            assert ("Enter to your table" in shown(pilot.app, "keys")) is ("Enter:" in said)
            assert said in " ".join(text.replace("│", " ").split())
        text = await told(
            pilot, host, events.Stopped("full", "All seats are taken", "ask the host")
        )
        assert "All seats are taken" in text
        assert "q: back" in text


@pytest.mark.parametrize(("size", "me"), [((60, 20), 0), ((80, 24), 2), ((120, 40), 0)])
async def test_a_player_whose_opponent_is_away_reads_that_and_who_can_help(
    size: tuple[int, int], me: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openings, "hosting", lambda *_: FakePeer().opened)
    async with playing(size) as (host, pilot):
        here = frozenset(range(4)) - {2 - me}
        text = await told(pilot, host, replace(view(4, 1, me=me), here=here))
        said = f"p{2 - me} is away; your table waits. The organiser can decide the match."
        assert said in " ".join(text.replace("│", " ").split())
        assert "to your table" not in text
        assert "p0 – p2 away" in " ".join(text.split())
        text = await told(pilot, host, view(4, 1, me=me))
        assert "Your table opens automatically" in text
        assert "to your table" not in text


@pytest.mark.parametrize("count", [3, 5])
async def test_who_has_a_bye_watches_a_match_with_one_key(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, ways = FakePeer(), list[Any]()
    monkeypatch.setattr(openings, "joining", lambda *way: ways.append(way) or table.opened)
    async with playing() as (host, pilot):
        now = view(count, 1, me=0)
        bye = next(one.first for one in now.pairings if one.second is None)
        text = await told(pilot, host, replace(now, me=bye))
        matches = "1 more match" if count == 3 else "2 more matches"
        said = f"{BYE} You get a point for it. It ends after {matches}. w: watch a match"
        assert said in " ".join(text.replace("│", " ").split())
        await pilot.press("w", *["enter"] * (count > 3))  # which one is asked if there are several
        assert host.asked == [("watch_table", 0, 0)]
        there = wire.TableAt(0, 0, 4000, ("::1",), "7-torii-lantern")
        await told(pilot, host, TableOpened(there))
        assert ways == [(("::1",), 4000, "7-torii-lantern", f"p{bye}", None)]
        table.deliver(FakeLan("kuzushi", ours=()).began())
        assert "You look on" in await told(pilot, host)
        assert isinstance(pilot.app.screen, LanTableScreen)
        await pilot.press("q")
        assert isinstance(pilot.app.screen, TournamentPlayerScreen)
    assert ("close",) in table.asked


async def test_an_organiser_who_has_a_bye_reads_how_to_watch_a_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = FakeTournamentPeer()
    monkeypatch.setattr(openings, "entering", lambda *_, **__: own.opened)
    async with organising() as (host, pilot):
        await told(pilot, host, view(5))
        await pilot.press("y")
        now = view(5, 1)
        bye = next(one.first for one in now.pairings if one.second is None)
        await told(pilot, own, replace(now, me=bye))
        await told(pilot, host, now)
        assert "d decides one. w: watch a match" in words(pilot.app)


@pytest.mark.parametrize(
    ("system", "begins"), [(SWISS, "Others type"), (ROBIN, "Others can look on:")]
)
async def test_others_read_whether_they_can_still_play_and_who_looks_on_is_named(
    system: str, begins: str
) -> None:
    """A round robin that had begun still told others to join."""
    async with organising() as (host, pilot):
        await told(pilot, host, view(3, 1, system))
        assert f"{begins} kumite join 192.168.1.20:4000 7-torii-lantern" in words(pilot.app)
        await told(pilot, host, events.Watching(("dora",)))
        assert "1 match to go; d decides one. looks on: dora" in words(pilot.app)
        await told(pilot, host, events.Watching(("dora", "")))
        assert "2 look on: dora, somebody" in words(pilot.app)
        await told(pilot, host, events.Watching(()))
        assert "dora" not in frame(pilot.app)


@pytest.mark.parametrize(("count", "system", "rounds"), [(8, SWISS, 3), (5, ROBIN, 5)])
async def test_podium_and_the_key_to_all_results_stand_on_the_organisers_screen(
    count: int, system: str, rounds: int
) -> None:
    async with organising() as (host, pilot):
        text = await told(pilot, host, over(count, system))
        assert "Others type" not in text
        assert f"Round {rounds} of {rounds}" in text
        assert "Round 1 of" not in text
        assert "PgDn further down" in shown(pilot.app, "keys")
        await pilot.press(*["pagedown"] * 3)
        assert "Round 1 of" in frame(pilot.app)
        assert "S-B: points" not in frame(pilot.app)
        text = await told(pilot, host, over(3))  # for which there is room
        assert "Round 1 of" in text
        assert "PgDn" not in shown(pilot.app, "keys")
        await pilot.resize_terminal(80, 25)
        await until(pilot, lambda: "S-B: points of those" in frame(pilot.app), "no columns")


async def test_a_result_is_reported_when_the_organiser_is_back() -> None:
    async with at_own_table() as (table, host, pilot):
        await told(pilot, host, events.Presence(events.Status.AWAY))
        table.deliver(events.Ended(End("resigned", (Seat(1),))))
        await pilot.pause()
        await pilot.press("q")
        text = await told(pilot, host)
        assert "Your result is reported when the organiser is back." in text
        assert "the other terminal has to report it" not in text
        text = await told(pilot, host, events.Presence(events.Status.BACK))
        assert "the other terminal has to report it" in text


async def test_the_last_standing_stays_when_the_organiser_has_gone() -> None:
    async with playing() as (host, pilot):
        found = await told(pilot, host, replace(over(3), me=0))
        gone = await told(pilot, host, events.Left(frozenset(), is_closed=True))
        assert "The organiser has closed the tournament" in gone
        for said in ("This tournament is over", "Standing", "p0 (you)"):
            assert said in found
            assert said in gone


async def test_who_comes_too_late_reads_why_and_looks_on(monkeypatch: pytest.MonkeyPatch) -> None:
    ways: list[Any] = []
    monkeypatch.setattr(openings, "joining", lambda *way: ways.append(way) or FakePeer().opened)
    async with playing() as (host, pilot):
        await told(pilot, host, over(3))
        assert "You came too late to play. This tournament is over. First: p" in words(pilot.app)
        await told(pilot, host, view(4, 1, ROBIN))
        said = "It has begun, and a round robin takes nobody later. You look on. w: watch a match"
        assert said in words(pilot.app)
        await pilot.press("w", "enter")
        await told(pilot, host, TableOpened(wire.TableAt(0, 0, 4000, ("::1",), "7-torii-lantern")))
        assert ways == [(("::1",), 4000, "7-torii-lantern", "ada", None)]
        await pilot.press("q")
        assert pilot.app._exit  # without a question


@pytest.mark.parametrize("is_watching", [False, True])
async def test_who_watches_a_tournament_of_the_list_does_not_play_in_it(
    is_watching: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ways: list[Any] = []
    host = FakeTournamentPeer()
    monkeypatch.setattr(openings, "entering", lambda *_, **how: ways.append(how) or host.opened)
    friday = Found("k", Announced("Friday", "kitsu", "Kitsu", 6, 9, is_tournament=True), ("::1",))
    screen = way_to(friday, "ada", is_watching=is_watching)
    async with running(lambda: screen) as (_, pilot):
        await pilot.press(*"7-torii-lantern", "enter")
        assert ways == [{"plays": not is_watching}]
        assert "You look on." in await told(pilot, host, view(4))


async def test_in_a_narrow_window_all_of_a_trouble_and_of_how_to_come_back_is_read() -> None:
    text = "nobody answers at 192.168.100.200, port 47899"
    hint = f"look {'once more ' * 9}there"
    async with playing((60, 20)) as (host, pilot):
        await told(pilot, host, view(3, me=2))
        await pilot.press("q")
        said = " ".join((await told(pilot, host)).replace("│", " ").split())
        assert "join again with the same code and name." in said
        await pilot.press("enter")
        assert host.asked == []
        said = await told(pilot, host, events.NotDone("no-answer", text, hint))
        assert f"{text}: {hint}" in " ".join(said.split())
        said = await told(pilot, host, events.Stopped("no-answer", text, hint))
        assert f"{text} {hint}" in " ".join(said.split())


async def test_a_wrong_code_is_asked_for_again() -> None:
    way = ("127.0.0.1",), 4000, "", "ada"
    async with running(lambda: TournamentPlayerScreen(*way)) as (kumite, pilot):
        await pilot.press(*"nonsense", "enter")
        assert "nonsense" in frame(kumite)
        assert "Code:" in frame(kumite)
        await pilot.press("escape")
        assert kumite._exit


async def test_what_is_told_while_the_screen_goes_is_not_shown() -> None:
    """An app that ends takes the text away first; the network may tell of somebody just then."""
    async with playing() as (host, pilot):
        await told(pilot, host, view(3, me=0))
        await pilot.app.screen.query("*").remove()
        await told(pilot, host, view(4, me=0))
        assert isinstance(pilot.app.screen, TournamentPlayerScreen)
