"""A tournament on the screen: what stands there, in any size, and what its keys do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.tournament.pairing import next_round
from kumite.core.tournament.standings import standings
from kumite.core.tournament.tournament import MOST, ROBIN, SWISS, Player, Result, Tournament
from kumite.net.session import events
from kumite.net.tournament.state import TableOpened, Terms, TournamentChanged
from kumite.net.wire import tournament as wire
from kumite.net.wire.tournament import View
from kumite.tui.look.glyphs import LOOKS
from kumite.tui.play import openings
from kumite.tui.play import tournament as play
from kumite.tui.play.tournament_words import over_text
from kumite.tui.scenes.lines import line_width, plain
from kumite.tui.screens import tournament_lines
from kumite.tui.screens.lan_table import LanTableScreen
from kumite.tui.screens.lobby_lines import Space
from kumite.tui.screens.tournament import TournamentHostScreen, TournamentPlayerScreen
from tests.support.apps import app, frame, running
from tests.support.fake_peer import FakeLan, FakePeer, FakePlan, FakeTournamentPeer

if TYPE_CHECKING:
    from textual.pilot import Pilot

TERMS = Terms("Friday", Setup.of(find("kuzushi"), 2), (600, 5, 60))
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
    for event in said:
        host.deliver(event)
    await pilot.pause()
    return frame(pilot.app)  # type: ignore[arg-type]


def organiser(host: FakeTournamentPeer) -> TournamentHostScreen:
    return TournamentHostScreen(FakePlan(host))


@pytest.mark.parametrize("look", ["kanji", "letters", "ascii"])
@pytest.mark.parametrize("columns", [56, 76, 116])
@pytest.mark.parametrize(("count", "rounds"), [(3, 0), (5, 2), (MOST, 3), (MOST - 1, 5)])
def test_lists_fit_and_every_row_can_be_reached(
    count: int, rounds: int, columns: int, look: str
) -> None:
    found = replace(view(count, rounds, me=0), here=frozenset(range(1, count)))
    space = Space(columns, 20, LOOKS[look])
    seen: set[str] = set()
    for top in range(4 * MOST):
        lines, shown_from = tournament_lines.list_lines(found, 12, top, space)
        assert len(lines) <= 12
        assert all(line_width(line) <= columns for line in lines)
        seen |= {plain(line) for line in lines}
        if shown_from < top:
            break  # no row lies below
    text = "\n".join(seen)
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
    lines, _ = tournament_lines.list_lines(found, 14, 0, space, has_pixels=True)
    assert all(line_width(line) <= columns for line in lines)
    text = "\n".join(plain(line)[: tournament_lines.LEFT] for line in lines)
    has_room = columns >= tournament_lines.LEFT + tournament_lines.RIGHT
    assert ("▀" in text) == has_room
    t = found.tournament
    if has_room:
        names = [t.players[row.player].name for row in standings(t)[:3]]
        at = {name: text.index(f" {name} ") for name in names}
        assert sorted(names, key=at.__getitem__) == names  # the first one stands highest
    plainly, _ = tournament_lines.list_lines(found, 14, 0, space)
    assert "▀" not in "\n".join(map(plain, plainly))
    seen: set[str] = set()
    for top in range(2 * MOST + 20):
        lines, _ = tournament_lines.list_lines(found, 14, top, space, has_pixels=True)
        seen |= {plain(line) for line in lines}
    assert all(f" p{n} " in "\n".join(seen) for n in range(count) if n != 7)


async def test_the_organiser_sees_the_code_and_begins_a_round() -> None:
    host = FakeTournamentPeer()
    async with running(lambda: organiser(host)) as (_, pilot):
        text = await told(pilot, host, LISTENING, TournamentChanged(TERMS, view(2)))
        assert "kumite join 192.168.1.20:4000 7-torii-lantern" in text
        assert "can begin when 3 players are here" in text
        text = await told(pilot, host, TournamentChanged(TERMS, view(4)))
        assert "s: begin round 1" in text
        away = replace(view(4), here=frozenset({0, 1, 2}))
        text = await told(pilot, host, TournamentChanged(TERMS, away))
        assert "p3: away; p takes out who has gone" in text
        await told(pilot, host, TournamentChanged(TERMS, view(4)))
        await pilot.press("s", "c")
        assert host.asked == [("start_round",), ("new_code",)]
        text = await told(pilot, host, TournamentChanged(TERMS, view(4, 1)))
        assert "Round 1 of 2" in text
        assert "2 matches to go" in text
        assert "begin a round" not in text
        said = events.NotDone("bad-setup", "a tournament takes 3 players", "wait")
        assert "a tournament takes 3 players: wait" in await told(pilot, host, said)


@pytest.mark.parametrize(
    ("keys", "asked"),
    [
        ("", []),
        ("down", [("set_presence", 3, False), ("start_round",)]),
        ("down down", [("start_round",)]),
    ],
)
async def test_a_round_with_somebody_away_begins_only_when_that_is_wanted(
    keys: str, asked: list[tuple[Any, ...]]
) -> None:
    host = FakeTournamentPeer()
    async with running(lambda: organiser(host)) as (kumite, pilot):
        away = replace(view(4), here=frozenset({0, 1, 2}))
        await told(pilot, host, LISTENING, TournamentChanged(TERMS, away))
        await pilot.press("s")
        assert "p3 is away. Begin all the same?" in frame(kumite)
        await pilot.press(*keys.split(), "enter")
        await pilot.pause()
        assert host.asked == asked


async def test_too_few_are_not_offered_to_begin_without_the_others() -> None:
    host = FakeTournamentPeer()
    async with running(lambda: organiser(host)) as (kumite, pilot):
        away = replace(view(4), here=frozenset({0, 1}))
        await told(pilot, host, LISTENING, TournamentChanged(TERMS, away))
        await pilot.press("s")
        assert "p2 and p3 are away. Begin all the same?" in frame(kumite)
        assert "Begin without" not in frame(kumite)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("me", [0, 2])
async def test_a_player_whose_opponent_is_away_reads_that_and_who_can_help(
    size: tuple[int, int], me: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, table = FakeTournamentPeer(), FakePeer()
    monkeypatch.setattr(openings, "entering", lambda *_: host.opened)
    monkeypatch.setattr(openings, "hosting", lambda *_: table.opened)
    kumite = app(lambda: TournamentPlayerScreen(("127.0.0.1",), 4000, "7-torii-lantern", "ada"))
    async with kumite.run_test(size=size) as pilot:
        here = frozenset(range(4)) - {2 - me}
        text = await told(
            pilot, host, TournamentChanged(TERMS, replace(view(4, 1, me=me), here=here))
        )
        said = f"p{2 - me} is away; your table waits. The organiser can decide the match."
        assert said in " ".join(text.replace("│", " ").split())
        assert "to your table" not in text
        assert "p0 – p2 away" in " ".join(text.split())
        text = await told(pilot, host, TournamentChanged(TERMS, view(4, 1, me=me)))
        assert "Your table opens automatically" in text
        assert "to your table" not in text


async def test_the_organiser_plays_on_the_same_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    host, own, table = FakeTournamentPeer(), FakeTournamentPeer(), FakePeer()
    ways: list[Any] = []
    monkeypatch.setattr(openings, "entering", lambda *way: ways.append(way) or own.opened)
    monkeypatch.setattr(openings, "hosting", lambda *_: table.opened)
    async with running(lambda: organiser(host)) as (kumite, pilot):
        text = await told(pilot, host, LISTENING, TournamentChanged(TERMS, view(3)))
        assert "y play, too" in text
        await pilot.press("y", "y")
        ((*at, _name),) = ways
        assert at == [("localhost",), 4000, "7-torii-lantern"]
        assert "y play, too" not in frame(kumite)
        await told(pilot, host, TournamentChanged(TERMS, view(3, 1)))
        await told(pilot, own, TournamentChanged(TERMS, view(3, 1, me=0)))
        lan = FakeLan("kuzushi")
        await told(pilot, table, replace(lan.began(), clocks=(600_000, 600_000)))
        assert isinstance(kumite.screen, LanTableScreen)
        await pilot.press("q", "down", "enter")
        assert isinstance(kumite.screen, TournamentHostScreen)
        await pilot.press("q", "down", "enter")
    assert ("close",) in own.asked


@pytest.mark.parametrize("count", [3, 5])
async def test_who_has_a_bye_watches_a_match_with_one_key(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, table, ways = FakeTournamentPeer(), FakePeer(), list[Any]()
    monkeypatch.setattr(openings, "entering", lambda *_: host.opened)
    monkeypatch.setattr(openings, "watching", lambda *way: ways.append(way) or table.opened)
    kumite = app(lambda: TournamentPlayerScreen(("127.0.0.1",), 4000, "7-torii-lantern", "ada"))
    async with kumite.run_test(size=(80, 24)) as pilot:
        now = view(count, 1, me=0)
        bye = next(one.first for one in now.pairings if one.second is None)
        text = await told(pilot, host, TournamentChanged(TERMS, replace(now, me=bye)))
        assert "You have a bye, and the point this round.  w: watch a match" in text
        await pilot.press("w", *["enter"] * (count > 3))  # which one is asked if there are several
        assert host.asked == [("watch_table", 0, 0)]
        await told(pilot, host, TableOpened(wire.TableAt(0, 0, 4000, ("::1",), "7-torii-lantern")))
        assert ways == [(("::1",), 4000, "7-torii-lantern", "ada")]
        await told(pilot, table, FakeLan("kuzushi", ours=()).began())
        assert isinstance(kumite.screen, LanTableScreen)
        assert "You look on" in frame(kumite)
        await pilot.press("q")
        assert isinstance(kumite.screen, TournamentPlayerScreen)
    assert ("close",) in table.asked


async def test_the_columns_are_explained_and_the_end_has_a_podium() -> None:
    for system, said, not_said in ((SWISS, "Buchh: points of all", "?"), (ROBIN, "S-B:", "Buchh")):
        line = plain(tournament_lines.columns_line(view(3, 1, system)))
        assert said in line
        assert not_said not in line
    t = view(3, 3, ROBIN).tournament
    for place, one in enumerate(t.rounds[-1]):
        t = t.with_result(place, Result.FIRST) if one.is_open else t
    said = over_text(t)
    assert said.startswith("The tournament is over. First: p")
    assert all(f"p{n}" in said for n in range(3))


async def test_it_is_said_why_there_are_more_rounds_than_there_were() -> None:
    host = FakeTournamentPeer()
    async with running(lambda: organiser(host)) as (_, pilot):
        before = view(4, 1)
        t = before.tournament.with_result(0, Result.FIRST).with_result(1, Result.FIRST)
        states = (wire.DECIDED, wire.DECIDED)
        more = t.with_presence(3, False).with_player("bot:easy")
        why = "bot:easy came in, and 5 players take 3 rounds instead of 2"
        await told(pilot, host, LISTENING, TournamentChanged(TERMS, replace(before, tournament=t)))
        now = View(more, frozenset({0, 1, 2, 4}), states)
        assert why in await told(pilot, host, TournamentChanged(TERMS, now))
        round_2 = more.with_round(next_round(more))
        playing = View(round_2, now.here, (wire.WAITS, wire.WAITS))
        text = await told(pilot, host, TournamentChanged(TERMS, playing))
        assert "Round 2 of 3" in text
        assert why in text
        for place in range(2):
            round_2 = round_2.with_result(place, Result.FIRST)
        last = View(round_2.with_round(next_round(round_2)), now.here, (wire.WAITS, wire.WAITS))
        assert why not in await told(pilot, host, TournamentChanged(TERMS, last))


@pytest.mark.parametrize("place", ["192.168.1.20", "192.168.100.200", "fd00:1234:5678::9abc:def0"])
async def test_in_a_narrow_window_code_and_terms_are_whole(place: str) -> None:
    host, code = FakeTournamentPeer(), "790-origami-lantern"
    async with running(lambda: organiser(host), size=(60, 20)) as (_, pilot):
        terms = Terms("Friday", Setup.of(find("kitsu"), 2), (600, 5, 60))
        listening = events.Listening(41539, (place,), code)
        for rounds in (0, 1):
            text = await told(pilot, host, listening, TournamentChanged(terms, view(3, rounds)))
            assert code in text or " ".join(code) in text
            assert "10 min + 5 s a step, Swiss" in " ".join(text.split())


async def test_the_organiser_decides_a_dispute_and_takes_somebody_out() -> None:
    host = FakeTournamentPeer()
    async with running(lambda: organiser(host)) as (kumite, pilot):
        disputed = replace(view(4, 1), states=(wire.STANDS, wire.DISPUTED))
        text = await told(pilot, host, LISTENING, TournamentChanged(TERMS, disputed))
        assert "Both tell another end of match 2: d decides." in text
        await pilot.press("d")
        assert "2: p3 against p1" in frame(kumite)
        await pilot.press("down", "enter")
        await pilot.pause()
        assert "p3 against p1" in frame(kumite)
        await pilot.press("down", "enter")
        assert host.asked == [("decide", 1, Result.SECOND)]
        await pilot.press("p", "down", "down", "enter")
        assert host.asked[-1] == ("set_presence", 2, False)


async def test_a_round_that_has_gone_is_not_decided_any_more() -> None:
    """The question stands while the next round begins: the answer is about the one before."""
    host = FakeTournamentPeer()
    async with running(lambda: organiser(host)) as (_, pilot):
        await told(pilot, host, LISTENING, TournamentChanged(TERMS, view(8, 1)))
        await pilot.press("d", "enter")
        await pilot.pause()
        await told(pilot, host, TournamentChanged(TERMS, view(8, 2)))
        await pilot.press("enter")
        assert host.asked == []


async def test_closing_the_tournament_is_asked_about_and_says_how_to_go_on() -> None:
    host = FakeTournamentPeer()
    async with running(lambda: organiser(host)) as (kumite, pilot):
        await told(pilot, host, LISTENING, TournamentChanged(TERMS, view(4)))
        await pilot.press("q")
        assert "kumite tournament --resume" in frame(kumite)
        await pilot.press("down", "enter")
        assert ("close",) in host.asked


async def test_who_leaves_reads_how_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    host = FakeTournamentPeer()
    monkeypatch.setattr(openings, "entering", lambda *_: host.opened)
    kumite = app(lambda: TournamentPlayerScreen(("127.0.0.1",), 4000, "7-torii-lantern", "ada"))
    async with kumite.run_test(size=(80, 24)) as pilot:
        await told(pilot, host, TournamentChanged(TERMS, view(3, me=0)))
        await pilot.press("q")
        await pilot.pause()
        text = frame(kumite)
        assert "join again with the same code and" in text
        assert "name." in text
        await pilot.press("enter")
        assert host.asked == []


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (view(3, me=0), "The organiser begins the first round."),
        (view(3, 1, me=0), "Enter: to your table, against p1"),
        (view(3, 1, me=2), "You have a bye, and the point this round."),
        (view(3, 1, ROBIN, me=0), "You have a bye this round."),
        (view(4, 1, me=0), "Enter: to your table, against p2"),
        (
            replace(view(4, 1, me=0), states=(wire.DECIDED, wire.STANDS)),
            "You wait for the others.",
        ),
    ],
)
async def test_a_player_is_told_what_is_next(
    found: View, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = FakeTournamentPeer()
    monkeypatch.setattr(openings, "entering", lambda *_: host.opened)
    monkeypatch.setattr(play.PlayerClient, "go", lambda _: None)  # the table is another test's
    kumite = app(lambda: TournamentPlayerScreen(("127.0.0.1",), 4000, "7-torii-lantern", "ada"))
    async with kumite.run_test(size=(80, 24)) as pilot:
        text = await told(pilot, host, TournamentChanged(TERMS, found))
        assert "Friday" in text
        assert said in text
        stopped = events.Stopped("full", "All seats are taken", "ask the host")
        text = await told(pilot, host, stopped)
        assert "All seats are taken" in text
        assert "q: back" in text


async def test_trouble_and_what_to_do_are_read_to_the_last_word_in_a_narrow_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host = FakeTournamentPeer()
    monkeypatch.setattr(openings, "entering", lambda *_: host.opened)
    kumite = app(lambda: TournamentPlayerScreen(("127.0.0.1",), 4000, "7-torii-lantern", "ada"))
    async with kumite.run_test(size=(60, 20)) as pilot:
        text, hint = (
            "nobody answers at 192.168.100.200, port 47899",
            f"look {'once more ' * 9}there",
        )
        await told(pilot, host, TournamentChanged(TERMS, view(3, me=2)))
        said = await told(pilot, host, events.NotDone("no-answer", text, hint))
        assert f"{text}: {hint}" in " ".join(said.split())
        said = await told(pilot, host, events.Stopped("no-answer", text, hint))
        assert f"{text} {hint}" in " ".join(said.split())


async def test_a_wrong_code_is_asked_for_again() -> None:
    kumite = app(lambda: TournamentPlayerScreen(("127.0.0.1",), 4000, "", "ada"))
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press(*"nonsense", "enter")
        assert "nonsense" in frame(kumite)
        assert "Code:" in frame(kumite)
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(kumite.screen, TournamentPlayerScreen)


async def test_what_is_told_while_the_screen_goes_is_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An app that ends takes the text away first; the network may tell of somebody just then."""
    host = FakeTournamentPeer()
    monkeypatch.setattr(openings, "entering", lambda *_: host.opened)
    kumite = app(lambda: TournamentPlayerScreen(("127.0.0.1",), 4000, "7-torii-lantern", "ada"))
    async with kumite.run_test(size=(80, 24)) as pilot:
        await told(pilot, host, TournamentChanged(TERMS, view(3, me=0)))
        await kumite.screen.query("*").remove()
        await told(pilot, host, TournamentChanged(TERMS, view(4, me=0)))
        assert isinstance(kumite.screen, TournamentPlayerScreen)
