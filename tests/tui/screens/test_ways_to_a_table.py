"""The ways to a LAN table, event by event: the code and the lobby."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from textual.events import Paste
from textual.pilot import Pilot

from kumite.core.errors import BadSetup, KumiteError
from kumite.core.game import Setup
from kumite.core.games import GAMES, find
from kumite.net.crypto.pairing import completions
from kumite.net.session import events
from kumite.net.transport import invites
from kumite.net.transport.addresses import typed_places
from kumite.net.wire.fields import MAX_NAME, MAX_SAY
from kumite.tui import settings
from kumite.tui.app import KumiteApp
from kumite.tui.drawing.lettering import large
from kumite.tui.drawing.tabletop import SLIM
from kumite.tui.look import colors
from kumite.tui.look.glyphs import LOOKS
from kumite.tui.play import openings
from kumite.tui.play.network_words import REFUSALS, refusal
from kumite.tui.play.terms import if_gone, terms
from kumite.tui.scenes.lines import plain
from kumite.tui.screens import lobby
from kumite.tui.screens.lan_table import LanTableScreen
from kumite.tui.screens.lobby import GUEST, HOST, LobbyScreen
from kumite.tui.screens.lobby_lines import SIDE_BY_SIDE, Space, invitation
from kumite.tui.screens.setup import HostScreen
from kumite.tui.widgets.form import Form
from kumite.tui.widgets.lines import Lines
from tests.support.apps import frame, heading, rows, running, screen_of, shown, until, words
from tests.support.fake_peer import WORDS, FakeLan, FakePeer, seats

SETUP = Setup.of(find("kuzushi"), 3)
SETUP_2 = Setup.of(find("kitsune"), 2)
LISTENING = events.Listening(4000, ("192.168.1.20", "fd00::2"), "7-torii-lantern")
NO_ANSWER = (
    "is the host's kumite waiting, and does it show the same port? a firewall may block it: "
    "kumite doctor there says more"
)
WORDS_OF_REFUSALS = [*map(refusal, REFUSALS), ("192.0.2.2 port 47899 does not answer", NO_ANSWER)]
ADA = events.Guest("ada", seats(0), True)


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no slim picture stand beside the words that are read here."""
    monkeypatch.setattr("kumite.tui.screens.lobby_lines.SLIM", 99)


def gathered(*guests: events.Guest, me: int = 0, free: tuple[int, ...] = ()) -> events.Lobby:
    return at_table(SETUP, ADA, *guests, me=me, free=free)


def at_table(
    setup: Setup, *guests: events.Guest, me: int = 0, free: tuple[int, ...] = ()
) -> events.Lobby:
    names = ["bot:easy"] * setup.seats
    for guest in guests:
        for seat in guest.seats:
            names[seat] = guest.name
    return events.Lobby(setup, guests, me, tuple(names), seats(*free))


async def told(pilot: Pilot[None], peer: FakePeer, *said: Any) -> None:
    for event in said:
        peer.deliver(event)
    await pilot.pause()


@asynccontextmanager
async def in_lobby(
    *said: Any, size: tuple[int, int] = (80, 24), copies_invite: bool = False
) -> AsyncIterator[tuple[FakePeer, KumiteApp, Pilot[None]]]:
    """Run the app of a host, which was told this."""
    peer = FakePeer()
    screen = LobbyScreen(HOST, "A table", lambda _: peer.opened)
    screen._copies_invite = copies_invite
    async with running(lambda: screen, size) as (kumite, pilot):
        await told(pilot, peer, *said)
        yield peer, kumite, pilot


@asynccontextmanager
async def coming(
    *said: Any, title: str = "Joining", size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[FakePeer, KumiteApp, Pilot[None]]]:
    """Run the app of a guest who has the right code, which was told this."""
    peer = FakePeer()
    screen = LobbyScreen(GUEST, title, lambda _: peer.opened, "7-torii-lantern")
    async with running(lambda: screen, size) as (kumite, pilot):
        await told(pilot, peer, *said)
        yield peer, kumite, pilot


def bob(*numbers: int, is_ready: bool = False) -> events.Guest:
    return events.Guest("bob", seats(*numbers), is_ready)


def written(kumite: KumiteApp) -> list[str]:
    """Return the rows of the screen as far as the frames go: a picture may be beside them."""
    lines = frame(kumite).split("\n")
    end = max(line.rfind("┐") for line in lines)
    return [line[: end + 1 if end > 0 else None] for line in lines]


# --- the host ---------------------------------------------------------------------------------


async def test_all_read_in_the_lobby_what_becomes_of_who_is_gone() -> None:
    async with in_lobby(LISTENING, gathered()) as (peer, kumite, pilot):
        assert "gone" not in frame(kumite)
        await told(pilot, peer, replace(gathered(), gone="bot"))
        text = words(kumite)
        assert "If all others say that a player is gone for good, a bot plays on" in text
        assert "hand" not in text  # there are none in Kuzushi
        hands = replace(at_table(Setup.of(find("kitsune"), 4), ADA), gone="bot")
        await told(pilot, peer, hands)
        said = "all others but one (two at least) can read a hand if they cheat together"
        assert said in words(kumite)


@pytest.mark.parametrize("is_host", [True, False])
async def test_all_read_in_the_lobby_to_the_last_word_what_is_played(is_host: bool) -> None:
    setup, me = Setup.of(find("kitsune"), 4), 0 if is_host else 1
    lobby = replace(at_table(setup, ADA, bob(1, is_ready=True), me=me, free=(2, 3)), gone="bot")
    async with in_lobby(*[LISTENING] * is_host, lobby) as (_, kumite, pilot):
        for size in ((60, 24), (80, 24), (100, 30), (120, 40), (160, 48)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            screen = screen_of(kumite, LobbyScreen)
            is_wide = is_host and screen.space.columns >= SIDE_BY_SIDE
            beside = size[0] // 2 if is_wide else 0  # where the other panel ends
            text = " ".join(line[beside:].strip(" │") for line in written(kumite))
            for said in (terms(setup, ()), if_gone(setup, "bot")):
                assert said in " ".join(text.split()), size


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (80, 30), (120, 40)])
async def test_the_newest_talk_stands_in_the_lobby_whatever_else_does(
    size: tuple[int, int],
) -> None:
    guests = (bob(1), events.Guest("ken", seats(2), True))
    lobby = replace(at_table(Setup.of(find("kitsune"), 4), ADA, *guests), gone="bot")
    talk = [events.Said(f"line {number}", name="bob") for number in range(5)]
    async with in_lobby(LISTENING, lobby, *talk, size=size) as (_, kumite, _):
        said = frame(kumite)
        assert "bob: line 4" in said
        assert "bob: line 1" not in said
        if size != (60, 20):
            assert "more" not in words(kumite).partition("At the table")[2]
            assert said.index("line 2") < said.index("line 3") < said.index("line 4")


async def test_names_and_talk_are_cut_where_they_hide_nothing_or_not_at_all() -> None:
    """`(you)` was cut off, and the seat stood in the last letter's place: `(youseat 2`."""
    wide, long = "日本語の名前がとても長い人", "Benjamin Bartholomew III"
    guests = (events.Guest(wide, seats(0), True), events.Guest(long, seats(1), True))
    async with in_lobby(at_table(SETUP, *guests, me=1, free=(2,))) as (peer, kumite, pilot):
        assert "1 ● 日本語の名前がとても… ready" in rows(kumite)
        assert "2 ■ Benjamin Bartho… (you) ready" in rows(kumite)
        await pilot.resize_terminal(60, 24)
        await told(pilot, peer, events.Said(f"{'well ' * 18}met", name="ada"))
        assert f"ada: {'well ' * 18}met" in words(kumite)


async def test_what_is_told_while_the_screen_goes_is_not_shown() -> None:
    """An app that ends takes the text away first; the network may tell of somebody just then."""
    async with in_lobby(LISTENING, gathered(free=(1, 2))) as (peer, kumite, pilot):
        await kumite.screen.query("*").remove()
        await told(pilot, peer, gathered(bob(1), free=(2,)))
        await told(pilot, peer, events.Stopped("full", "All seats are taken", "ask the host"))
        assert isinstance(kumite.screen, LobbyScreen)


async def test_the_lobby_shows_how_fast_others_answer() -> None:
    there = gathered(bob(1), events.Guest("eve", seats(), False))
    pinged = events.Pinged("bob", 12), events.Pinged("eve", 7)
    async with in_lobby(LISTENING, there, *pinged) as (peer, kumite, pilot):
        assert "2 ■ bob not ready yet 12 ms" in rows(kumite)
        assert "eve looks on, 7 ms" in rows(kumite)
        await told(pilot, peer, there, events.Pinged("bob", 31))  # it stays when the lobby changes
        assert "31 ms" in frame(kumite)
        assert "7 ms" in frame(kumite)


async def test_who_is_moved_to_another_seat_by_somebody_else_is_told() -> None:
    cid = events.Guest("cid", seats(2), False)
    async with in_lobby(gathered(bob(1), cid, me=1)) as (peer, kumite, pilot):
        assert "You have seat" not in frame(kumite)
        cid = replace(cid, seats=seats(1))
        await told(pilot, peer, gathered(bob(2), cid, me=1))
        assert shown(kumite, "hint") == "You have seat 3 now, and cid has your old one."
        await told(pilot, peer, gathered(bob(2, is_ready=True), cid, me=1))
        assert shown(kumite, "hint") == ""


async def test_who_comes_too_late_to_play_looks_on_with_one_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, ways = FakePeer(), list[Any]()
    monkeypatch.setattr(openings, "joining", lambda *way: ways.append(way) or first.opened)
    way = ("192.168.1.20",), 4000, "7-torii-lantern", "dan"
    async with running(lambda: LobbyScreen.joining(*way)) as (kumite, pilot):
        await told(pilot, first, events.Stopped("unreachable"))
        assert "w: look on" not in frame(kumite)
        await pilot.press("w")
        assert len(ways) == 1
        await pilot.press("enter", "enter")
        await told(pilot, first, events.Stopped("full"))
        assert "w: look on   Enter: try again" in frame(kumite)
        await pilot.press("w")
        await pilot.pause()
        assert [one[:5] for one in ways] == [(*way, seats())] * 2 + [(*way, None)]


async def test_with_lots_no_seat_has_a_number_before_they_are_drawn() -> None:
    lots = replace(gathered(bob(1, 2, is_ready=True)), has_lots=True)
    async with in_lobby(LISTENING, lots) as (peer, kumite, pilot):
        lines = rows(kumite)
        assert "A lot gives all seats when the match begins: nobody can choose it" in lines
        assert "ada (you) ready" in lines
        assert {"bob 1 ready", "bob 2 ready"} <= set(lines)
        assert "1-3" not in shown(kumite, "keys")
        await pilot.press("2")
        assert peer.take() == []


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
async def test_the_host_sees_code_addresses_and_who_is_there(size: tuple[int, int]) -> None:
    async with in_lobby(LISTENING, size=size) as (peer, kumite, pilot):
        text = frame(kumite)
        assert plain(large("7-torii-lantern", "title")[0]).rstrip() in text
        assert "kumite join 192.168.1.20:4000 7-torii-lantern" in text
        assert "kumite join [fd00::2]:4000 7-torii-lantern" in text
        crowd = [events.Guest(f"guest {n}", seats(), True) for n in range(4)]
        await told(pilot, peer, gathered(bob(1), *crowd, free=(2,)))
        assert {
            "1 ● ada (you) ready",
            "2 ■ bob not ready yet",
            "3 ▲ free or bot easy",
            "guest 3 looks on",
            "Not all are ready yet.",
        } <= {" ".join(line.strip(" │").split()) for line in written(kumite)}
        await pilot.press("s", "enter")
        assert peer.take() == []
        await told(pilot, peer, gathered(bob(1, is_ready=True), free=(2,)))
        assert "Enter: start with bots at the free seats" in frame(kumite)
        await pilot.press("c")
        assert "The old one, and invites with it, will no longer work." in words(kumite)
        await pilot.press("enter", "c", "down", "enter", "s")
        assert peer.take() == [("new code",), ("start",)]


LARGE_CODE = ((60, 20), (80, 24), (100, 30), (120, 36), (160, 50), (220, 60))


@pytest.mark.parametrize("size", LARGE_CODE, ids=str)
@pytest.mark.parametrize("code", ["7-torii-lantern", "999-mushroom-mandolin"])
async def test_the_code_stands_in_large_letters_at_every_size(
    size: tuple[int, int], code: str
) -> None:
    """In two lines where one does not fit; what the others type and who is there stay."""
    lobby, listening = at_table(SETUP_2, ADA, free=(1,)), replace(LISTENING, code=code)
    async with in_lobby(listening, lobby, size=size) as (_, kumite, pilot):
        await pilot.pause()
        text, (number, _, word) = frame(kumite), code.rpartition("-")
        ways = (code,), (number, f"-{word}")
        assert any(
            all(plain(line).rstrip() in text for part in way for line in large(part, "title"))
            for way in ways
        )
        assert f" {code}" in words(kumite)
        assert "ada (you)" in words(kumite)
        assert "The match can begin once someone has joined." in words(kumite)


@pytest.mark.parametrize("game_id", GAMES)
async def test_a_lobby_draws_its_table_where_seats_and_code_leave_room(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kumite.tui.screens.lobby_lines.SLIM", SLIM)
    setup = Setup.of(GAMES[game_id])
    async with in_lobby(LISTENING, at_table(setup, ADA)) as (peer, kumite, pilot):
        for size, is_drawn in (
            ((60, 20), False),
            ((80, 24), True),
            ((100, 30), True),
            ((120, 36), True),
        ):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            text = kumite.screen.query_one("#text", Lines)
            inks = {ink for line in text._lines for _, ink in line}
            grounds = {ink.rpartition("/")[2] for ink in inks if "/" in ink}
            assert bool(grounds & set(colors.read("dark").drawn)) == is_drawn
            said = words(kumite)
            assert "kumite join 192.168.1.20:4000 7-torii-lantern" in said
            assert "ada (you)" in said
        far = replace(LISTENING, addresses=("2001:db8:1234:5678:9abc:def0:1234:5678",))
        await told(pilot, peer, far)
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        line = f"kumite join [{far.addresses[0]}]:4000 7-torii-lantern"
        assert line in words(kumite)  # no word is cut for a picture


async def test_the_picture_of_a_lobby_names_the_players_unless_a_lot_gives_the_seats() -> None:
    """It said `player 1` beside a list with the names."""
    there = at_table(Setup.of(find("kumo")), ADA, bob(1))
    async with in_lobby(LISTENING, there, size=(120, 36)) as (peer, kumite, pilot):
        assert "camp of ada" in words(kumite)
        assert "player 1" not in words(kumite)
        await told(pilot, peer, replace(there, has_lots=True))
        assert "camp of player 1" in words(kumite)


def test_the_lobby_says_what_to_try_without_a_network_and_when_a_code_is_enough() -> None:
    for addresses, is_listed, said in (
        (("127.0.0.1",), True, "join their Wi-Fi, then host again"),
        (("192.168.1.20",), True, "On this network kumite join 7-torii-lantern is enough."),
        (("192.168.1.20",), False, ""),
    ):
        places, space = typed_places(addresses, 4000), Space(80, 24, LOOKS["letters"])
        lines = invitation("7-torii-lantern", places, 2, space, is_listed=is_listed)
        text = " ".join(map(plain, lines))
        assert said in text
        assert ("is enough" in text) == ("is enough" in said)


async def test_talk_seats_and_names_before_the_match() -> None:
    lobby = replace(gathered(bob(1)), clock=(600, 5, 60))
    hello = events.Said("hello there", name="bob")
    async with in_lobby(LISTENING, lobby, hello) as (peer, kumite, pilot):
        assert "bob: hello there" in frame(kumite)
        assert "10 min + 5 s a step, 60 s away are free" in frame(kumite)
        await pilot.press("i")
        assert "i does nothing now" in shown(kumite, "hint")
        await pilot.press("t", *"hi 2", "enter")
        assert shown(kumite, "hint") == ""
        await pilot.press("2", "9", "d")
        assert peer.take() == [("say", "hi 2"), ("seat", 1), ("draw",)]
        await pilot.press("n", *"zoe", "enter", "t", "escape")
        assert peer.take() == [("name", "zoe")]
        assert "bob" in frame(kumite)
        await told(pilot, peer, replace(lobby, me=1))
        await pilot.press("d", "3")  # the host draws the seats
        assert peer.take() == [("seat", 2)]


async def test_no_more_can_be_written_than_the_others_will_read() -> None:
    """Of a name of 60 letters 24 were left, and at the table one could say three times as much."""
    async with in_lobby(LISTENING, gathered(bob(1))) as (peer, kumite, pilot):
        for key, what, longest in (("n", "name", MAX_NAME), ("t", "say", MAX_SAY)):
            await pilot.press(key, "ctrl+u")
            kumite.post_message(Paste("x" * (longest + 1)))
            await pilot.pause()
            assert f" {longest}/{longest}" in frame(kumite)
            await pilot.press("enter")
            assert peer.take() == [(what, "x" * longest)]


@pytest.mark.parametrize(
    ("copies_invite", "size"), [(False, (80, 24)), (True, (80, 24)), (False, (60, 20))]
)
async def test_one_key_copies_a_line_for_a_chat_and_shows_it(
    copied: list[str], copies_invite: bool, size: tuple[int, int]
) -> None:
    """A guest with 60 columns read: mark this line7-torii-lantern."""
    async with in_lobby(LISTENING, gathered(), copies_invite=copies_invite, size=size) as (
        peer,
        kumite,
        pilot,
    ):
        await pilot.press(*["x"] * (not copies_invite))
        line = "kumite join 192.168.1.20:4000 [fd00::2]:4000 7-torii-lantern"
        assert copied == [line]
        said, *rows = shown(kumite, "hint").split("\n")
        assert said == "Copied. If nothing can be pasted, mark this line"
        assert " ".join(row.strip() for row in rows) == line
        await pilot.press("c")
        assert "Take a new code?" in words(kumite)
        assert peer.take() == []


@pytest.mark.parametrize("own", ["", "100.101.102.103"])
async def test_lines_for_friends_on_other_networks_are_copied(
    own: str, copied: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invites, "tailscale_address", lambda: own)
    async with in_lobby(LISTENING) as (_, _, pilot):
        for down in range(3 + bool(own)):
            await pilot.press("f", *["down"] * down, "enter")
    assert copied[:3] == [
        "ssh -N -R 4000:localhost:4000 YOU@SERVER",
        "ssh -N -L 4000:localhost:4000 YOU@SERVER",
        "kumite join localhost:4000 7-torii-lantern",
    ]
    assert copied[3:] == [f"kumite join {own}:4000 7-torii-lantern"] * bool(own)
    at = (own or "localhost",), 4000, "7-torii-lantern"
    assert invites.parse_invite(copied[-1]) == at


async def test_wrong_codes_are_told_without_blame_and_who_was_turned_away() -> None:
    wrong = events.TurnedAway("192.0.2.2", "wrong-code")
    async with in_lobby(LISTENING, gathered(free=(1, 2)), wrong) as (peer, kumite, pilot):
        assert shown(kumite, "hint") == "Somebody at 192.0.2.2 typed a wrong code"
        await told(pilot, peer, gathered(bob(1), free=(2,)))
        assert shown(kumite, "hint") == ""
        await told(pilot, peer, wrong, gathered(bob(1, is_ready=True), free=(2,)))
        assert shown(kumite, "hint") == "Somebody at 192.0.2.2 typed a wrong code"
        await told(pilot, peer, events.CodeChanged("9-kayak-mirror", True))
        assert "kumite join 192.168.1.20:4000 9-kayak-mirror" in frame(kumite)
        assert "torii" not in frame(kumite)
        assert shown(kumite, "hint") == "Somebody typed three wrong codes, so there is a new one"
        await told(pilot, peer, events.TurnedAway("bob", "unknown-game"))
        assert words(kumite, "hint") == (
            "Somebody at bob could not join: One of the two kumite does not have this game "
            "update kumite"
        )


async def test_a_wrong_code_is_told_for_a_while_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "STAYS", 0.05)
    async with in_lobby(LISTENING, gathered(free=(1, 2))) as (peer, kumite, pilot):
        peer.deliver(events.TurnedAway("192.0.2.2", "wrong-code"))
        peer.deliver(events.CodeChanged("9-kayak-mirror", True))
        await until(pilot, lambda: not shown(kumite, "hint"), "it stays")


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_all_read_which_seats_are_bots(size: tuple[int, int]) -> None:
    guests = events.Guest("ada", seats(0, 2), True), bob(1)
    names = ("ada", "bob", "bot:easy")
    async with in_lobby(size=size) as (peer, kumite, pilot):
        for me in (0, 1):
            await told(pilot, peer, events.Lobby(SETUP, guests, me, names, seats()))
            lines = rows(kumite)
            assert "3 ▲ bot easy ready" in lines
            assert any(line.startswith("1 ● ada") and line.endswith("ready") for line in lines)


async def test_all_see_sides_and_partners_of_a_table_of_four() -> None:
    async with in_lobby(LISTENING) as (peer, kumite, pilot):
        for game, signs in (("kitsune", "ZYZY"), ("kumo", "●■●■")):
            there = at_table(Setup.of(find(game), 4), ADA, bob(2), free=(1, 3))
            await told(pilot, peer, there)
            assert {
                f"1 {signs[0]} ada (you) with bob ready",
                f"2 {signs[1]} free or bot easy",
                f"3 {signs[2]} bob with ada not ready yet",
            } <= set(rows(kumite))
        await pilot.press("b")
        assert peer.take() == [("fill", "bot:3")]
        await told(pilot, peer, replace(there, free=seats()))
        assert "other bots" not in shown(kumite, "keys")


async def test_a_seat_that_cannot_be_taken_says_why() -> None:
    ada, cid = events.Guest("ada", seats(0, 3), True), events.Guest("cid", seats(2), False)
    setup, names = Setup.of(find("kuzushi"), 5), ("ada", "bob", "cid", "bot:easy", "bot:easy")
    guests = (ada, bob(1, is_ready=True), cid)
    async with in_lobby() as (peer, kumite, pilot):
        for key, me, said in (
            ("2", 0, "bob is ready and keeps seat 2."),
            ("1", 0, "You have seat 1 already."),
            ("4", 0, "A bot has seat 4."),
            ("6", 0, "There are only seats 1 to 5."),
            ("1", 1, "Seat 1 is the host's: only ada can exchange it."),
            ("5", 0, ""),
            ("3", 0, ""),
        ):
            await told(pilot, peer, events.Lobby(setup, guests, me, names, seats(4)))
            await pilot.press(key)
            assert shown(kumite, "hint") == said
            assert peer.take() == ([] if said else [("seat", int(key) - 1)])
            await told(pilot, peer, events.Lobby(setup, (ada, cid), 0, names, seats(1, 4)))
            assert shown(kumite, "hint") == ""  # it may be otherwise now


async def test_the_line_of_keys_names_seats_and_name_and_no_space_while_one_writes() -> None:
    async with in_lobby(gathered(bob(1), me=1)) as (peer, kumite, pilot):
        assert "n name" in shown(kumite, "keys")
        assert "1-3 seat" in shown(kumite, "keys")
        await pilot.press("n")
        assert "Space" not in shown(kumite, "keys")
        assert "seat" not in shown(kumite, "keys")
        await pilot.press(*"ada", "space", *"b", "enter")
        assert settings.read().settings.name == "ada b"
        assert peer.take() == [("name", "ada b")]


async def test_the_match_begins_on_its_table_and_leaving_before_closes() -> None:
    async with in_lobby(LISTENING, FakeLan().began()) as (peer, kumite, _):
        assert screen_of(kumite, LanTableScreen).lan.words == WORDS
        assert peer.take() == []
    async with in_lobby(LISTENING) as (peer, kumite, pilot):
        await pilot.press("q")
        assert kumite._exit
    assert peer.take() == [("close",)]


@pytest.mark.parametrize("key", ["q", "escape"])
async def test_a_host_with_whom_others_wait_is_asked_before_the_table_closes(key: str) -> None:
    """One Esc too many sent everybody away."""
    async with in_lobby(LISTENING, gathered()) as (peer, kumite, pilot):
        await told(pilot, peer, gathered(bob(1)))
        await pilot.press(key)
        assert "Close the table?" in words(kumite)
        assert "bob" in words(kumite, "question")
        await pilot.press("enter")
        assert peer.take() == []
        assert isinstance(kumite.screen, LobbyScreen)
        await pilot.press(key, "down", "enter")
    assert peer.take() == [("close",)]


async def test_what_the_network_refuses_at_once_is_said() -> None:
    def opening(_: object) -> FakePeer:
        raise BadSetup("no such table", hint="try another")

    async with running(lambda: LobbyScreen(HOST, "A table", lambda _: opening)) as (kumite, _):
        assert "no such table" in frame(kumite)
        assert "try another" in frame(kumite)
        assert "try again" not in frame(kumite)


@pytest.mark.parametrize("is_told_at_once", [True, False])
async def test_if_the_port_is_in_use_the_form_comes_back_as_it_was_filled_in(
    is_told_at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    peer, ports = FakePeer(), list[int | None]()
    why = "Port 47470 is in use on this computer", "close the other kumite, or use port 47471"

    def hosting(_: object, __: str, port: int | None) -> openings.Opening:
        ports.append(port)
        if is_told_at_once and len(ports) == 1:
            raise BadSetup(why[0], hint=why[1])
        return peer.opened

    monkeypatch.setattr(openings, "hosting", hosting)
    async with running(lambda: HostScreen("kitsune")) as (kumite, pilot):
        form = kumite.screen.query_one(Form)
        form.go("seats")
        await pilot.press("right", "right", "down", "ctrl+u", *"Eva")
        form.go("clock")
        await pilot.press("right")
        before = form.values
        form.go("go")
        await pilot.press("enter")
        await told(pilot, peer, *() if is_told_at_once else (events.Stopped("port-in-use", *why),))
        await pilot.pause()
        assert isinstance(kumite.screen, HostScreen)
        again = kumite.screen.query_one(Form)
        assert again.values == {**before, "port": "47470"}
        assert again.row.key == "port"
        assert " ".join(why) in " ".join(shown(kumite, "hint").split())
        await pilot.press("right", "right")
        assert "< 47471 >" in frame(kumite)
        again.go("go")
        await pilot.press("enter")
        await told(pilot, peer, LISTENING, at_table(Setup.of(find("kitsune"), 4), ADA))
        assert ports == [None, 47471]
        await told(pilot, peer, events.Stopped("disk-full", "the disk is full", "free some space"))
        assert isinstance(kumite.screen, LobbyScreen)  # which was open


# --- guests -----------------------------------------------------------------------------------


async def test_a_guest_types_the_code_is_refused_and_tries_again() -> None:
    peer, codes = FakePeer(), list[str]()
    screen = LobbyScreen(GUEST, "Joining", lambda code: codes.append(code) or peer.opened)
    async with running(lambda: screen) as (kumite, pilot):
        await pilot.press(*"7 tor")
        assert "7-torii" in frame(kumite)
        await pilot.press("tab", *"lante", "tab", "enter")
        assert codes == ["7-torii-lantern"]
        await told(pilot, peer, events.Stopped("wrong-code", "that is not the code", "ask again"))
        assert "that is not the code" in frame(kumite)
        assert "Enter: try again   q: back" in frame(kumite)
        await pilot.press("enter")
        assert "Code: 7-torii-lantern_\n" in frame(kumite)  # not twice
        await pilot.press("ctrl+u", *"seven", "enter")
        assert len(codes) == 1  # that is no code at all
        assert "seven" in shown(kumite, "hint")
        await pilot.press("backspace")
        assert shown(kumite, "hint") == ""  # it was about another text
        await pilot.press("ctrl+u", *"8 KAYAK mirror", "enter")
        assert codes[1:] == ["8-kayak-mirror"]
        await pilot.press("q")
        assert kumite._exit


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_why_one_cannot_join_and_what_to_do_is_read_to_the_last_word(
    size: tuple[int, int],
) -> None:
    async with coming(size=size) as (peer, kumite, pilot):
        for text, hint in WORDS_OF_REFUSALS:
            await told(pilot, peer, events.Stopped("refused", text, hint))
            assert text in words(kumite)
            assert hint in words(kumite)
            assert "Enter: try again   q: back" in frame(kumite)
            screen_of(kumite, LobbyScreen).complain(KumiteError(text, hint=hint))
            await pilot.pause()
            assert f"{text} {hint}".strip() in words(kumite, "hint")
            await pilot.press("enter", "enter")  # tries again, with the same code


async def test_who_has_joined_reads_at_whose_table() -> None:
    for own, said in ((bob(1), "ada's table of"), (bob(), "Looking on at ada's table of")):
        async with coming(title="Joining 192.0.2.2 port 47891") as (peer, kumite, pilot):
            assert "Joining 192.0.2.2" in heading(kumite)
            await told(pilot, peer, gathered(own, me=1))
            assert heading(kumite) == f"{said} Kuzushi for 3"


async def test_a_guest_says_that_he_is_ready_and_that_he_is_not() -> None:
    async with coming(gathered(bob(1), me=1)) as (peer, kumite, pilot):
        assert "bob (you)" in frame(kumite)
        assert "Enter: I am ready" in frame(kumite)
        await pilot.press("enter")
        assert peer.take() == [("ready", True)]
        await told(pilot, peer, gathered(bob(1, is_ready=True), me=1))
        assert "You are ready; the host begins the match." in frame(kumite)
        await pilot.press("s", "c", "space")
        assert peer.take() == [("ready", False)]
        await told(pilot, peer, events.Left(seats(0), True))
        assert "The host has closed the table" in frame(kumite)


async def test_who_looks_on_waits() -> None:
    async with coming(gathered(bob(), me=1), title="Looking on") as (peer, kumite, pilot):
        assert "You look on; the host begins the match." in frame(kumite)
        await pilot.press("enter", "s")
        assert peer.take() == []


def test_a_code_is_completed_word_by_word() -> None:
    assert completions("7-tor") == ("7-torii-",)
    assert completions("7-torii-lant") == ("7-torii-lantern",)
