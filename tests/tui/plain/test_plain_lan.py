"""Line mode at LAN tables, in the lobby and in tournaments, and its console."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from kumite.core.copying import replace
from kumite.core.game import Seat, Step
from kumite.core.log import End
from kumite.net.session.events import (
    Chose,
    Ended,
    Gone,
    Offered,
    Presence,
    Status,
    Voted,
    Watching,
)
from kumite.net.transport import discovery, invites
from kumite.net.transport.discovery import Announced, Found, Vanished
from kumite.net.wire import posts
from kumite.tui.plain.console import PROMPT, Console
from kumite.tui.plain.lan import LanPlainTable, ask_code, choose_table, completed
from kumite.tui.play.lan_table import LanTable
from kumite.tui.settings import Settings
from tests.support.fake_peer import FakeLan, host_is_back, seat_at_table, seats
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
    assert "ada's table of Kuzushi." in said


def test_a_table_that_waits_for_its_player_leads_to_the_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = seat_at_table()

    class Hosts(Nearby):
        def __init__(self, deliver: Callable[[discovery.News], object], **which: object) -> None:
            super().__init__(deliver)
            self._is_of_matches = which["service"] == discovery.MATCHES

        def start(self) -> None:
            if self._is_of_matches:
                self._deliver(host_is_back())

    monkeypatch.setattr(discovery, "Finder", Hosts)
    way, said = choose("1")
    assert "1: ada, Kumo Hogosha, waits for you: no code is needed" in said
    assert way == path


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
    desk = LanPlainTable(table, console, Settings())
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


def test_the_words_to_compare_are_told_at_first_and_again_only_if_they_are_others() -> None:
    said, lan = list[str](), FakeLan()
    table = LanTable(lan.peer.opened, lambda _: None)
    table.hear(lan.began())
    console = Console(lambda: b"", said.append, is_terminal=False)
    LanPlainTable(table, console, Settings()).greet()
    assert "".join(said).count("nobody listens in") == 1
    table.hear(lan.began())  # back after a cut line
    assert "".join(said).count("nobody listens in") == 1
    table.hear(replace(lan.began(), words=("x", "y", "z")))
    assert "If the other reads x y z, nobody listens in." in said[-1]


def test_since_when_another_thinks_is_told_by_who() -> None:
    said, lan = list[str](), FakeLan()
    table = LanTable(lan.peer.opened, lambda _: None)
    table.hear(lan.began())
    desk = LanPlainTable(table, Console(lambda: b"", said.append, is_terminal=False), Settings())
    desk.commands["who"]("")
    assert "thinking" not in "".join(said)
    table.clock = lambda: table.changed + 61
    desk.commands["who"]("")
    assert "bob, thinking since " in "".join(said)


@pytest.mark.parametrize("ours", [(0,), (0, 1)])
def test_a_choice_that_waits_for_others_is_named_to_who_made_it(ours: tuple[int, ...]) -> None:
    said, lan = list[str](), FakeLan("kiriai", ours)
    table = LanTable(lan.peer.opened, lambda _: None)
    table.hear(lan.began())
    LanPlainTable(table, Console(lambda: b"", said.append, is_terminal=False), Settings())
    table.hear(Chose(Seat(0), Step("approach,stance")))
    plan = ": approach,stance" * (len(ours) == 1)  # another at the keyboard may not read it
    assert said[-1] == f"Your choice is made{plan}. It is shown when all have chosen.\n"


def test_a_rematch_names_who_begins() -> None:
    said, lan = list[str](), FakeLan()
    table = LanTable(lan.peer.opened, lambda _: None)
    table.hear(lan.began())
    table.hear(Ended(End("agreed", ())))
    console = Console(lambda: b"", said.append, is_terminal=False)
    desk = LanPlainTable(table, console, Settings())
    for word in ("", "bob", "chess"):
        desk.commands["rematch"](word)
    assert lan.peer.take() == [("offer", posts.AGAIN, 1, ""), ("offer", posts.AGAIN, 1)]
    assert "Nobody here is chess. Who has seat 1? ada, bob" in said[-1]


@pytest.mark.parametrize("ours", [(0,), ()])
def test_what_is_next_is_voted_for_and_all_votes_are_told(ours: tuple[int, ...]) -> None:
    said, lan = list[str](), FakeLan(ours=ours)
    table = LanTable(lan.peer.opened, lambda _: None)
    table.hear(lan.began())
    table.hear(Ended(End("agreed", ())))
    console = Console(lambda: b"", said.append, is_terminal=False)
    desk = LanPlainTable(table, console, Settings())
    table.hear(Voted("bob", "kumo", (("bob", "kumo"), ("ada", "another"))))
    desk.tell()
    told = "".join(said)
    assert "bob votes for Kumo Hogosha" in told
    assert "Votes: Kumo Hogosha 1 (bob), another 1 (ada)." in told
    for word in ("kiriai", "", "chess"):
        desk.commands["vote"](word)
    assert lan.peer.take() == [("offer", posts.VOTE, 1, "kiriai")]
    assert "What next? Type vote and a game: kitsu, kitsune, kumo, kuzushi" in said[-2]


def test_who_looks_on_is_told_no_word_that_is_not_theirs() -> None:
    """They read "Type yes or no." of an offer, and "Type rematch" at the end."""
    lan, said = FakeLan(ours=()), list[str]()
    table = LanTable(lan.peer.opened, lambda _: None)
    table.hear(lan.began())
    console = Console(lambda: b"", said.append, is_terminal=False)
    desk = LanPlainTable(table, console, Settings())
    table.hear(Offered(posts.DRAW, 0, seats(1), False, "bob"))
    desk.tell()
    table.hear(Ended(End("agreed", ())))
    desk.end()
    told = "".join(said)
    assert "bob offers a draw" in told
    assert "yes" not in told
    assert "Type rematch to play in the next match, or quit." in told
    for is_willing in (False, True):
        table.hear(Watching(("eli",), int(is_willing), is_willing))
        desk.commands["rematch"]("")
    assert lan.peer.take() == [("ready", True), ("ready", False)], "nothing is offered"
    desk.tell()
    assert "eli would like to play in the next match" in "".join(said)


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
