"""Line mode at LAN tables, in the lobby and in tournaments, and its console."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from queue import SimpleQueue
from typing import Any

import pytest

from kumite.core.errors import KumiteError
from kumite.core.game import Seat, Setup
from kumite.core.games import find
from kumite.core.log import End
from kumite.core.tournament.pairing import next_round
from kumite.core.tournament.tournament import Player, Result, Tournament
from kumite.net.session import events
from kumite.net.session.events import Ended, Event, Gone, Offered, Presence, Status
from kumite.net.tournament.state import Terms, TournamentChanged
from kumite.net.transport import discovery, invites, network
from kumite.net.transport.discovery import Announced, Found, Vanished
from kumite.net.wire import posts
from kumite.net.wire import tournament as wire
from kumite.net.wire.tournament import View
from kumite.tui.plain.console import PROMPT, Console
from kumite.tui.plain.lan import LanPlainTable, ask_code, choose_table, completed
from kumite.tui.plain.lobby import LOBBY_HELP, Lobby
from kumite.tui.plain.tournament import PlainHost, PlainPlayer
from kumite.tui.play import network_words
from kumite.tui.play.lan_table import LanTable
from kumite.tui.play.tournament import HostClient, PlayerClient
from kumite.tui.settings import Settings
from tests.support.fake_peer import FakeLan, FakePeer, FakeTournamentPeer, seats
from tests.support.waiting import looks

FOUND = Found("a", Announced("ada", "kuzushi", "Kuzushi", 1, 4747, number=7), ("192.168.1.20",))


class Nearby:
    """Finds one table, and that another has gone."""

    def __init__(self, deliver: Callable[[discovery.News], object], **_: object) -> None:
        self._deliver = deliver

    def start(self) -> None:
        self._deliver(FOUND)
        self._deliver(Vanished("b"))

    def close(self) -> None:
        pass


def choose(*typed: str) -> tuple[object, str]:
    said: list[str] = []
    lines = iter(typed)

    def read() -> bytes:
        for _ in looks("the list"):  # a person reads first
            if "1: ada" in "".join(said):
                break
        return "".join(f"{line}\n" for line in lines).encode()

    async def run() -> object:
        return await choose_table(Console(read, said.append, is_terminal=False))

    return asyncio.run(run()), "".join(said)


@pytest.fixture(autouse=True)
def _one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "Finder", Nearby)


def test_a_table_is_chosen_by_its_number() -> None:
    place, said = choose("1")
    assert place == (("192.168.1.20",), 4747, "")
    assert "1: ada, Kuzushi, 1 free, at 192.168.1.20" in said


def test_or_by_an_address_and_a_wrong_one_is_asked_for_again() -> None:
    place, said = choose("a:b:c:d", "10.0.0.7:5000")
    assert place == (("10.0.0.7",), 5000, "")
    assert "a:b:c:d" in said


def test_a_code_alone_finds_its_table_in_line_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invites, "LATECOMERS", 0)
    console = Console(lambda: b"", lambda _: None, is_terminal=False)
    invite = invites.parse_invite("7-torii-lantern")
    found = asyncio.run(completed(invite, console))
    assert found == (("192.168.1.20",), 4747, "7-torii-lantern")


def test_or_none_is() -> None:
    assert choose("quit")[0] is None
    assert choose()[0] is None


def test_a_code_is_asked_for_until_it_is_one() -> None:
    said: list[str] = []
    typed = iter([b"nonsense\n7 torii lantern\n"])

    async def run() -> str | None:
        return await ask_code(Console(lambda: next(typed, b""), said.append, is_terminal=False))

    assert asyncio.run(run()) == "7-torii-lantern"
    assert "nonsense" in "".join(said)


def test_that_somebody_is_gone_for_good_is_asked_once_more() -> None:
    lan, said = FakeLan(count=3), list[str]()
    table = LanTable(lan.peer.opened, lambda _: None)
    table.hear(lan.began())
    console = Console(lambda: b"", said.append, is_terminal=False)
    desk = LanPlainTable(table, console, None, Settings())  # type: ignore[arg-type]
    assert "gone" not in desk.commands
    table.hear(Presence(Status.MISSED, seats(1), "bob"))
    desk.commands["who"]("")
    assert "Type gone if somebody is gone for good." in "".join(said)
    desk.commands["gone"]("")
    assert lan.peer.take() == []
    assert "Type `gone for good` to say so." in "".join(said)
    desk.commands["gone"]("for good")
    assert lan.peer.take() == [("offer", posts.GONE, 0)]
    table.hear(Gone(seats(1), seats(0), "bob"))
    assert "gone" not in desk.commands


def test_a_rematch_names_who_begins_or_another_game() -> None:
    said, lan = list[str](), FakeLan()
    table = LanTable(lan.peer.opened, lambda _: None)
    table.hear(lan.began())
    table.hear(Ended(End("agreed", ())))
    console = Console(lambda: b"", said.append, is_terminal=False)
    desk = LanPlainTable(table, console, None, Settings())  # type: ignore[arg-type]
    for word in ("", "bob", "kumo", "chess"):
        desk.commands["rematch"](word)
    asked = [
        ("offer", posts.AGAIN, 1),
        ("offer", posts.AGAIN, 1),
        ("offer", posts.AGAIN, 1, "kumo"),
    ]
    assert lan.peer.take() == asked
    assert "Nobody here is chess. Who begins? ada, bob; or another game: kitsu" in said[-1]


def test_who_looks_on_is_told_no_word_that_is_not_theirs() -> None:
    """They read "Type yes or no." of an offer, and "Type rematch" at the end."""
    lan, said = FakeLan(ours=()), list[str]()
    table = LanTable(lan.peer.opened, lambda _: None)
    table.hear(lan.began())
    console = Console(lambda: b"", said.append, is_terminal=False)
    desk = LanPlainTable(table, console, None, Settings())  # type: ignore[arg-type]
    table.hear(Offered(posts.DRAW, 0, seats(1), False, "bob"))
    desk.tell()
    table.hear(Ended(End("agreed", ())))
    desk.end()
    told = "".join(said)
    assert "bob offers a draw" in told
    assert "yes" not in told
    assert "Type quit to leave." in told
    assert "rematch" not in told


# --- The lobby of a LAN table in line mode ----------------------------------------------------


SETUP = Setup.of(find("kuzushi"), 3)
ADA = events.Guest("ada", seats(0), True)
BOB = events.Guest("bob", seats(1), False)
LISTENING = events.Listening(4747, ("192.168.1.20",), "7-torii-lantern")


def gathered(me: int, *, is_ready: bool = False) -> events.Lobby:
    return events.Lobby(
        SETUP,
        (ADA, replace(BOB, is_ready=is_ready)),
        me,
        ("ada", "bob", "bot:easy"),
        seats(2),
        (600, 5, 60),
    )


def talk(
    *typed: str, told: tuple[Event, ...], has_invite: bool = False
) -> tuple[list[tuple[object, ...]], str]:
    """Return what was asked of the network when this was typed after that was told, and said."""
    said: list[str] = []
    peer = FakePeer()
    lines = iter([f"{line}\n".encode() for line in (*typed, "quit")])

    async def run() -> None:
        console = Console(lambda: next(lines, b""), said.append, is_terminal=False)
        lobby = Lobby(console, peer.opened, has_invite=has_invite)
        for event in told:
            lobby.table.hear(event)
        assert await lobby.run() is None

    asyncio.run(run())
    return peer.take(), "".join(said)


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("ready", ("ready", True)),
        ("", ("ready", True)),
        ("seat 3", ("seat", Seat(2))),
        ("SEAT 3", ("seat", Seat(2))),
        ("name Bob the Builder", ("name", "Bob the Builder")),
        ("say Good luck, Ada", ("say", "Good luck, Ada")),
    ],
)
def test_a_guest_types_what_the_screen_has_keys_for(typed: str, asked: tuple[object, ...]) -> None:
    assert asked in talk(typed, told=(gathered(1),))[0]


def test_an_invite_is_one_line_with_addresses_port_and_code() -> None:
    _, said = talk(told=(LISTENING,), has_invite=True)
    assert "kumite join 192.168.1.20:4747 7-torii-lantern" in said.split("\n")
    assert "The table is open" not in said


def test_the_host_begins_draws_seats_and_takes_another_code() -> None:
    told = (LISTENING, gathered(0, is_ready=True))
    asked, _ = talk("start", "draw", "code", "bots strong", told=told)
    assert asked[:4] == [("start",), ("draw",), ("new code",), ("fill", "bot:strong")]
    asked, said = talk("bots best", told=told)
    assert ("fill", "bot:best") not in asked
    assert "for example: bots medium" in said


@pytest.mark.parametrize("typed", ["seat 4", "seat 0", "seat", "seat two", "say", "name", "dance"])
def test_what_cannot_be_done_is_said_and_asked_of_nobody(typed: str) -> None:
    asked, said = talk(typed, told=(gathered(1),))
    assert not [one for one in asked if one[0] not in ("leave", "close")]
    assert "For example" in said or "for example" in said or LOBBY_HELP[0] in said


def test_a_guest_neither_draws_seats_nor_takes_codes() -> None:
    asked, said = talk("draw", "code", told=(gathered(1),))
    assert not [one for one in asked if one[0] not in ("leave", "close")]
    assert LOBBY_HELP[0] in said


def test_one_reads_what_is_played_who_is_there_and_what_was_said() -> None:
    _, said = talk(told=(gathered(1), events.Said("good luck", name="ada")))
    assert "Kuzushi for 3" in said
    assert "10 min + 5 s a step, 60 s away are free" in said
    assert "Seat 2: bob (you), not ready yet.\nSeat 3: free, or bot easy." in said
    assert "> ada: good luck" in said


def test_one_reads_which_seats_are_bots_and_why_a_seat_cannot_be_taken() -> None:
    ada = events.Guest("ada", seats(0, 2), True)
    lobby = events.Lobby(SETUP, (ada, BOB), 1, ("ada", "bob", "bot:easy"), seats())
    asked, said = talk("seat 3", "seat 1", "seat 2", told=(lobby,))
    assert "Seat 1: ada, ready." in said
    assert "Seat 3: bot easy, ready." in said
    assert "A bot has seat 3." in said
    assert "only ada can exchange it" in said
    assert "You have seat 2 already." in said
    assert not [one for one in asked if one[0] == "seat"]


def test_a_wrong_code_is_told_without_the_advice_that_is_for_who_typed_it() -> None:
    wrong = events.TurnedAway("192.0.2.2", "wrong-code")
    _, said = talk(told=(LISTENING, gathered(0), wrong))
    assert "192.0.2.2 tried a wrong code." in said
    assert "the host's screen" not in said


def test_a_host_whose_table_cannot_be_announced_reads_another_way_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> None:
        raise KumiteError("there is no network")

    monkeypatch.setattr(network, "announcer", fails)
    posted: SimpleQueue[Any] = SimpleQueue()
    table = LanTable(FakePeer().opened, posted.put, listed_as="ada")
    for event in (LISTENING, gathered(0)):
        table.hear(event)
    told = posted.get(timeout=10).event
    table.close()
    why = ("there is no network", "others can still join by address and code")
    assert network_words.reason(told) == why
    _, said = talk(told=(LISTENING, gathered(0), told))
    assert why[1] in said


# --- The tournament in line mode --------------------------------------------------------------


TERMS = Terms("Friday", Setup.of(find("kitsu"), 2), None)
BEGUN = Tournament(players=tuple(map(Player, ("ada", "bob", "cy", "dee"))))


def organiser(*typed: str, told: tuple[View, ...]) -> tuple[list[tuple[object, ...]], str]:
    """Return what was asked of the network when this was typed after that was told, and said."""
    said: list[str] = []
    host = FakeTournamentPeer()
    lines = iter([f"{line}\n".encode() for line in (*typed, "quit")])

    async def run() -> None:
        console = Console(lambda: next(lines, b""), said.append, is_terminal=False)
        console.begin()
        talk = PlainHost(console, HostClient(host.opened, console.post), Settings(think=0.1))
        for view in told:
            talk.client.hear(TournamentChanged(TERMS, view))
        await talk.run()

    asyncio.run(run())
    return host.asked[:-1], "".join(said)


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("start", []),
        ("start anyway", [("start_round",)]),
        ("start without", [("set_presence", 3, False), ("start_round",)]),
        ("start later", []),
    ],
)
def test_a_round_with_somebody_away_begins_only_when_that_is_wanted(
    typed: str, asked: list[tuple[object, ...]]
) -> None:
    found, said = organiser(typed, told=(View(BEGUN, frozenset({0, 1, 2}), ()),))
    assert found == asked
    assert ("dee is away. `start anyway` begins all the same." in said) is (typed == "start")


def test_with_all_here_a_round_begins_at_once() -> None:
    asked, _ = organiser("start", told=(View(BEGUN, frozenset(range(4)), ()),))
    assert asked == [("start_round",)]


def test_it_is_said_why_there_are_more_rounds() -> None:
    t = BEGUN.with_round(next_round(BEGUN))
    for place in range(2):
        t = t.with_result(place, Result.FIRST)
    states = (wire.DECIDED, wire.DECIDED)
    before = View(t, frozenset(range(4)), states)
    now = replace(before, tournament=t.with_player("eve"))
    _, said = organiser(told=(before, now))
    assert "eve came in, and 5 players take 3 rounds instead of 2." in said


def test_a_player_reads_that_the_other_one_is_away() -> None:
    said: list[str] = []
    t = BEGUN.with_round(next_round(BEGUN))

    async def run() -> None:
        console = Console(lambda: b"", said.append, is_terminal=False)
        entered = PlayerClient(FakeTournamentPeer().opened, console.post)
        PlainPlayer(console, entered, Settings(think=0.1))
        entered.hear(TournamentChanged(TERMS, View(t, frozenset({1, 2, 3}), (wire.WAITS,) * 2, 2)))

    asyncio.run(run())
    assert "ada is away; your table waits. The organiser can decide the match." in "".join(said)


# --- The terminal of line mode ----------------------------------------------------------------


@pytest.mark.parametrize(
    "unclean", ["\x1b[2J", "\x1b]0;owned\x07", "\x9b2J", "\r", "\x08", "\x7f", "\x00", "\x0e"]
)
def test_lines_that_are_unclean_are_written_clean(unclean: str) -> None:
    said: list[str] = []
    console = Console(lambda: b"", said.append, is_terminal=False)
    console.prompt()
    console.say(f"ada{unclean} says", f"{unclean}")
    text = "".join(said)
    assert text.startswith(f"{PROMPT}\nada")
    assert text.count("\n") == 3
    assert all(one == "\n" or one.isprintable() for one in text)
    assert "\ufffd" in text


@pytest.mark.parametrize("typed", [b"\x1b[2Jd5\n", b"d5\x07\n", b"\xffd5\x9b\n"])
def test_what_is_echoed_of_typed_lines_is_clean(typed: bytes) -> None:
    said: list[str] = []
    chunks = iter([typed])

    async def first_line() -> object:
        console = Console(lambda: next(chunks, b""), said.append, is_terminal=False)
        console.begin()
        console.prompt()
        return await console.next()

    assert "d5" in str(asyncio.run(first_line()))
    assert all(one == "\n" or one.isprintable() for one in "".join(said))
