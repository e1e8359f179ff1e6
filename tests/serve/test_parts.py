"""The parts of a server by themselves: counts, terms, questions, what waits in between."""

from __future__ import annotations

import asyncio
import resource
from pathlib import Path
from typing import Any

import pytest
import segno

from kumite.core.errors import BadSetup
from kumite.net.transport.addresses import own_addresses
from kumite.serve import server, sessions, settings, ssh, web
from kumite.serve.accounts import Accounts
from kumite.serve.limits import FORGET, MOST_KNOWN, Backoff, origin_of
from kumite.serve.server import picture
from kumite.serve.sessions import LOST, UPDATED, Client, Session, Sessions
from kumite.serve.settings import BadSettings, Settings
from kumite.serve.terminal import CHUNK, MOST, Size, Terminal, ask
from kumite.serve.web import Cookie
from kumite.serve.websocket import Signs
from kumite.store.guest_mode import is_inner


def counted_by(folder: Path, **said: Any) -> Sessions:
    return Sessions(Settings(**said), folder, "127.0.0.1", print)


def test_connections_are_counted_by_address_and_in_all(tmp_path: Path) -> None:
    counted = counted_by(tmp_path, per_address=2, guests=1).connections
    assert [counted.admit("10.0.0.1", 0) for _ in range(3)] == [True, True, False]
    assert counted.admit("10.0.0.2", 0)
    counted.release("10.0.0.1")
    assert counted.admit("10.0.0.1", 0)
    for number in range(200):
        counted.admit(f"10.0.1.{number}", 0)
    assert counted.open.total() == 65
    for address in list(counted.open.elements()):
        counted.release(address)
    assert not counted.open


def test_who_comes_and_goes_has_to_wait_and_nobody_else(tmp_path: Path) -> None:
    counted = counted_by(tmp_path, per_address=2).connections

    def comes(address: str, now: float) -> bool:
        is_let = counted.admit(address, now)
        if is_let:
            counted.release(address)
        return is_let

    assert [comes("10.0.0.1", 0.0) for _ in range(9)] == [True] * 8 + [False]
    assert comes("10.0.0.2", 0.0)
    assert not comes("10.0.0.1", 1.9)
    assert comes("10.0.0.1", 4.0)
    assert [comes("10.0.0.1", 1000.0) for _ in range(9)] == [True] * 8 + [False]
    for number in range(10_000):
        comes(f"10.{number >> 8}.1.{number & 255}", 1000.0)
    assert len(counted._tries) == 4096


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("", ""),
    ],
)
def test_ipv6_counts_by_customer(address: str, origin: str) -> None:
    assert origin_of(address) == origin


def test_wrong_codes_wait_twice_as_long_each_time_and_a_right_one_is_forgiven(
    tmp_path: Path,
) -> None:
    codes, waits = counted_by(tmp_path).codes, []
    for number in range(12):
        codes.wrong("10.0.0.1", f"name {number}", 100.0)
        waits.append(codes.wait("10.0.0.1", "ada", 100.0))
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
    assert "from your address: wait 300 s" in codes.why_not("10.0.0.1", "ada", 100.0)
    assert codes.wait("10.0.0.2", "ada", 100.0) == 0
    codes.right("10.0.0.1")
    assert codes.wait("10.0.0.1", "ada", 100.0) == 0


def test_wrong_passwords_wait_by_name_and_by_address_though_new_guests_need_not(
    tmp_path: Path,
) -> None:
    words, waits = counted_by(tmp_path, per_address=2).passwords, []
    for number in range(8):
        words.wrong(f"10.0.0.{number}", "ada", 100.0)
        waits.append(words.wait("10.0.1.1", "ada", 100.0))
    assert waits == [0, 0, 0, 0, 1, 2, 4, 8]
    assert "were tried for ada: wait 8 s" in words.why_not("10.0.1.1", "ada", 100.0)
    assert words.wait("10.0.0.1", "bob", 100.0) == 0
    words.right("10.0.0.1")  # a word of one's own makes nothing of those of others good
    assert words.wait("10.0.0.1", "ada", 100.0) == 8
    words, waits = counted_by(tmp_path, per_address=1).passwords, []
    for number in range(7):
        words.wrong("10.0.0.1", f"name {number}", 100.0)
        waits.append(words.wait("10.0.0.1", "ada", 100.0))
    assert waits == [0, 0, 0, 0, 1, 2, 4]


def test_what_leads_to_this_computer_alone_or_is_no_address_is_inner() -> None:
    inner = ("127.0.0.1", "::1", "::ffff:127.0.0.1", "0.0.0.0", "224.0.0.1", "no address", "")
    assert [one for one in inner if not is_inner(one)] == []
    assert [one for one in ("10.0.0.1", "192.0.2.7", "fd00::2") if is_inner(one)] == []


def test_wrong_guesses_are_forgotten_slowly_and_few_are_remembered() -> None:
    waits, now = Backoff(), 0.0
    for _ in range(1000):  # somebody who never gives up has a few in an hour
        waits.wrong("x", now)
        now += waits.wait("x", now)
    assert now / 1000 > 250
    waits.wrong("x", now + 12 * FORGET)
    assert waits.wait("x", now + 12 * FORGET) == 1
    for number in range(10_000):
        waits.wrong(str(number), now)
    assert len(waits._wrong) == MOST_KNOWN


def test_a_guest_is_here_a_few_times_at_most(tmp_path: Path) -> None:
    counted = counted_by(tmp_path)
    for _ in range(4):
        assert not counted.why_not("ada")
        counted.open.append(Session("ada", "ada", 0.0, Typed()))
    assert "4 times" in counted.why_not("ada")
    assert not counted.why_not("bob")
    del counted.open[0]
    assert not counted.why_not("ada")


@pytest.mark.parametrize(
    ("text", "said", "why"),
    [
        ("gusts = 1", {}, "there is no such setting"),
        ("guests = 0", {}, "a number from 1"),
        ("memory = 10", {}, "a number from 256"),
        ('guests = "many"', {}, "a number is wanted"),
        ("guests = true", {}, "a number is wanted"),
        ("code = 1", {}, "a text is wanted"),
        ("guests = ", {}, "serve.toml"),
        ("", {"idle": 0}, "--idle"),
        ("", {"web": "2280", "keys": "friends"}, "a browser has no ssh key"),
        (None, {}, r"serve.toml: No such file"),  # with a slip in its name nobody was asked a code
    ],
)
def test_a_server_does_not_open_with_what_it_does_not_understand(
    text: str | None, said: dict[str, Any], why: str, tmp_path: Path
) -> None:
    file = tmp_path / "serve.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(BadSettings, match=why):
        settings.read(file, said, is_named=True)


def test_the_command_line_counts_for_more_than_the_file(tmp_path: Path) -> None:
    file = tmp_path / "serve.toml"
    assert settings.read(file, {}) == Settings(ssh="2222", web="2280")
    file.write_text('ssh = "2200"\nguests = 3\n')
    assert settings.read(file, {"guests": 4}) == Settings(ssh="2200", guests=4)


@pytest.mark.parametrize(
    ("said", "doors"),
    [
        ({}, ("2222", "2280")),
        ({"ssh": "22"}, ("22", "")),
        ({"web": "80"}, ("", "80")),
        ({"ssh": "22", "web": "80"}, ("22", "80")),
        ({"web": ""}, ("2222", "")),
        ({"keys": "friends"}, ("2222", "")),
    ],
)
def test_both_doors_are_open_unless_one_is_named(
    said: dict[str, str], doors: tuple[str, str], tmp_path: Path
) -> None:
    agreed = settings.read(tmp_path / "serve.toml", said)
    assert (agreed.ssh, agreed.web) == doors


@pytest.mark.parametrize("said", [{"ssh": "", "web": ""}, {"web": "0", "site": "kumite.example"}])
def test_a_server_needs_a_door_and_a_whole_site(said: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(BadSetup):
        server.open_listeners(settings.read(tmp_path / "serve.toml", said), tmp_path)


def greeted(folder: Path, *widths: int, **said: str) -> tuple[str, list[list[str]]]:
    """Return where a server is for browsers, and what its operator reads in these widths."""
    opened = server.open_listeners(Settings(web="127.0.0.1:0", **said), folder)
    assert opened.web is not None
    with opened.web as sock:
        lines = [list(server.greeting(opened, width)) for width in widths or (0,)]
        return f"http://127.0.0.1:{sock.getsockname()[1]}", lines


def test_an_operator_reads_what_browsers_open_and_gets_it_as_a_picture(tmp_path: Path) -> None:
    site, (plain, wide, narrow) = greeted(tmp_path, 0, 80, 60)
    assert plain[0] == f"In a browser: {site}"
    assert "Anybody can come in from this computer itself." in plain
    for row, line in zip(picture(site), wide, strict=False):
        assert line.startswith(row)
    beside = [line[len(picture(site)[0]) :].strip() for line in wide]
    assert beside[0] == f"In a browser: {site}"
    assert "Anybody can come in from this computer itself." in " ".join(beside)
    assert "The QR code opens the first address" in " ".join(beside)
    assert len(wide) <= 23
    assert all(len(one) <= 80 for one in wide if str(tmp_path) not in one)
    assert narrow == plain
    assert not any("ssh" in line for line in plain)
    near = "Guests' tables are for guests and this computer (--tables ADDRESS: the LAN, too)."
    assert near in plain  # a kumite on this computer sees and joins them


def test_an_operator_reads_plainly_who_reaches_guests_tables_and_the_site(tmp_path: Path) -> None:
    _, (said,) = greeted(tmp_path, tables="192.0.2.7")
    at = said.index("Tables that guests host are open to the whole LAN, at 192.0.2.7")
    assert said[at + 1] == "(--tables 127.0.0.1: to guests and this computer)."
    _, (said,) = greeted(tmp_path, site="https://kumite.example")
    assert said[0] == "In a browser: https://kumite.example"
    assert "Anybody can come in from this network, or the Internet if it lets them." in said
    assert not any("encrypted" in line for line in said)


def test_a_server_may_have_more_files_open_than_a_program_usually_has() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = server.FILES if hard == resource.RLIM_INFINITY else min(server.FILES, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 300), hard))
        server.make_room()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (most, hard)
        server.make_room()  # what is more is left
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (most, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_picture_is_a_qr_code() -> None:
    """Each module is half a character: what is drawn is the paper."""
    rows = picture("http://192.168.1.20:2280")
    halves = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    drawn = [tuple(halves[one][half] for one in row) for row in rows for half in (0, 1)]
    wanted = [tuple(row) for row in segno.make("http://192.168.1.20:2280", error="m").matrix]
    found = [row[4:-4] for row in drawn[4 : 4 + len(wanted)]]
    assert found == wanted
    around = [*drawn[:4], *drawn[4 + len(wanted) :], *(row[:4] + row[-4:] for row in drawn)]
    assert not any(any(row) for row in around)


@pytest.mark.parametrize(
    ("host", "on_a_network", "here"),
    [
        ("192.168.1.20:2280", True, True),
        ("[fe80::1]:2280", True, True),
        ("127.0.0.1", True, True),
        ("localhost:2280", True, True),
        ("kumite.example", True, True),
        ("Kumite.Example.:80", True, True),
        ("Tower:2280", True, False),
        ("tower.local:2280", True, False),
        ("laptop:2280", False, False),
        ("evil.local", False, False),
        ("evil.lan:80", False, False),
        ("evil.localhost", False, False),
        ("4.3.2.1.in-addr.arpa", False, False),  # whoever has 1.2.3.0/24 can let it lead anywhere
        ("tower.local.evil.example", False, False),
        ("tower.evil.example", False, False),
        ("evil.example", False, False),
        ("kumite.example.evil.example", False, False),
        ("192.168.1.20.evil.example", False, False),
        ("", False, False),
        (":80", False, False),
        ("[", False, False),
        ("localhost:x", False, False),
        ("a b", False, False),
    ],
)
def test_a_server_is_called_by_addresses_and_by_its_own_names(
    host: str, on_a_network: bool, here: bool
) -> None:
    for is_here, is_one in ((False, on_a_network), (True, here)):
        names = web.names_of("https://kumite.example", "Tower", is_inner=is_here)
        assert web.is_ours(host, names) == is_one


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("https://kumite.example", True),
        ("http://192.168.1.20:8080", True),
        ("https://kumite.example/", False),
        ("kumite.example", False),
        ("https://", False),
        ("https://a:x", False),
        ("javascript:alert(1)", False),
        ("https://a\nb", False),
    ],
)
def test_a_site_is_where_an_address_begins(text: str, is_one: bool) -> None:
    assert web.is_site(text) == is_one


def test_a_cookie_keeps_a_guest_and_takes_another_name() -> None:
    first = Cookie.named("侍 ada")
    assert Cookie.read(first.text) == first
    assert Cookie.named("eva", first) == (first.secret, "eva")
    assert Cookie.read("forged") is None
    assert Cookie.named("x" * 900).name == "x" * 20
    assert Cookie.named("").name == "guest"


def test_two_cookies_are_two_guests_and_no_key(tmp_path: Path) -> None:
    book = Accounts(tmp_path, 9)
    ada, eva = book.by_cookie("ada", "a" * 43), book.by_cookie("ada", "b" * 43)
    assert ada.who == book.by_cookie("bob", "a" * 43).who != eva.who
    assert ada.who.partition("-")[2] != book.by_key("ada", "a" * 43).who.partition("-")[2]


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_titles_and_bells_are_found_in_whatever_pieces(size: int) -> None:
    written = (
        b"\x07one\x1b[1m\x1b]2;\xe2\x97\x8f your turn\x07two\x1b]0;next\x1b\\\x07"
        b"\x1b]9;notice\x07\x1b]52;c;x\x1b\\\x1b[0m\x07\x1b]2;"
    )
    signs, found = Signs(), []
    for at in range(0, len(written), size):
        found += signs.feed(written[at : at + size])
    assert found == [
        ("bell",), ("title", "● your turn"), ("title", "next"), ("bell",), ("bell",),
    ]  # fmt: skip


def test_an_order_that_never_ends_is_held_in_little() -> None:
    signs = Signs()
    for _ in range(1000):
        assert signs.feed(b"\x1b]2;" + b"x" * 1000) == []
    assert len(signs._rest) <= 4096


def test_a_place_is_an_address_and_a_port() -> None:
    for text, place in (
        ("2222", (None, 2222)),
        ("10.0.0.1:22", ("10.0.0.1", 22)),
        ("[::1]:2222", ("::1", 2222)),
        ("0", (None, 0)),
    ):
        assert server.place_of(text) == place
    for text in ("", "x", ":22", "10.0.0.1", "65536", "22:", "٢٢"):
        with pytest.raises(BadSetup):
            server.place_of(text)


@pytest.mark.parametrize(
    ("place", "tables"),
    [("127.0.0.1:0", "127.0.0.1"), ("localhost:0", "127.0.0.1"), ("0", None), ("0.0.0.0:0", None)],
)
def test_guests_tables_listen_at_one_address_with_a_number(
    place: str, tables: str | None, tmp_path: Path
) -> None:
    opened = server.open_listeners(Settings(ssh=place), tmp_path)
    assert opened.ssh is not None
    with opened.ssh:
        assert opened.address in {tables or own_addresses()[0], "::1" if "host" in place else ""}


@pytest.mark.parametrize("tables", ["localhost", "0.0.0.0", "::", "x"])
def test_tables_at_no_address_are_refused(tables: str, tmp_path: Path) -> None:
    with pytest.raises(BadSetup):
        server.open_listeners(Settings(ssh="127.0.0.1:0", tables=tables), tmp_path)


def test_the_key_of_a_server_stays_and_is_nobody_elses_to_read(tmp_path: Path) -> None:
    keys = [ssh.host_key(tmp_path / "ssh_host_key").get_fingerprint() for _ in range(2)]
    assert keys[0] == keys[1]
    assert (tmp_path / "ssh_host_key").stat().st_mode & 0o777 == 0o600
    (tmp_path / "ssh_host_key").write_text("broken")
    with pytest.raises(BadSettings):
        ssh.host_key(tmp_path / "ssh_host_key")


@pytest.mark.parametrize(
    ("said", "size"),
    [((80, 24), (80, 24)), ((0, 0), (1, 1)), ((2**32, 2**32), (300, 100)), ((-5, 50), (1, 50))],
)
def test_sizes_are_within_reason(said: tuple[int, int], size: tuple[int, int]) -> None:
    assert Size.within_reason(*said) == size


def test_a_server_keeps_folders_of_so_many_guests(tmp_path: Path) -> None:
    book = Accounts(tmp_path, 2)
    for number in range(2):
        guest = book.by_key("ada", f"key {number}")
        assert not guest.is_temporary
        book.prepare(guest, 1000)
    assert book.by_key("ada", "key 2").is_temporary
    assert not book.by_key("bob", "key 1").is_temporary
    guest = book.by_key("ada", "key 1")
    assert guest.saved == ""
    guest.matches.mkdir(parents=True, exist_ok=True)
    (guest.matches / "one.kumite").write_text("")
    assert guest.saved == " Your matches are saved."
    assert Accounts(tmp_path, 2).by_key("", "key 1").who == book.by_key("", "key 1").who
    assert (tmp_path / "house.key").stat().st_mode & 0o777 == 0o600
    assert tmp_path.stat().st_mode & 0o777 == 0o700


def test_another_server_gives_other_names_to_folders(tmp_path: Path) -> None:
    ours, theirs = Accounts(tmp_path / "a", 9), Accounts(tmp_path / "b", 9)
    assert ours.by_key("", "key").who != theirs.by_key("", "key").who
    assert ours.by_password("ada", "x").who != theirs.by_password("ada", "x").who


class Typed(Terminal):
    """A terminal in which somebody types."""

    def __init__(self, *typed: bytes) -> None:
        super().__init__(Size(80, 24))
        self.written, self.said = b"", list[str]()
        for one in typed:
            self.feed(one)
        self.feed_eof()

    def write(self, data: bytes) -> None:
        self.written += data

    def pause_reading(self) -> None:
        self.said.append("wait")

    def resume_reading(self) -> None:
        self.said.append("go on")

    async def ping(self) -> None:
        pass

    def cut(self) -> None:
        pass

    def end(self) -> None:
        pass


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ((b"torii\r",), "torii"),
        ((b"tor", b"ii\r\n"), "torii"),
        ((b"torx\x7fii\r",), "torii"),
        ((b"\x7f\x7f\x7ftorii\n",), "torii"),
        (("侍x".encode() + b"\x7f\x7ftorii\r",), "torii"),
        ((b"\x1b[A", b"torii\r"), "torii"),
        ((b"\x01\x02torii\r",), "torii"),
        ((b"a" * 5000 + b"\r",), "a" * 64),
        ((b"tor\x03",), None),
        ((b"tor",), None),
    ],
)
async def test_a_question_is_answered_by_a_line(typed: tuple[bytes, ...], answer: str) -> None:
    terminal = Typed(*typed)
    assert await ask(terminal, "Well?", is_secret=True) == answer
    assert b"torii" not in terminal.written


async def test_what_is_typed_behind_an_answer_is_left_to_the_app() -> None:
    terminal = Typed(b"one\r\ntwo\rthree")
    assert await ask(terminal, "?") == "one"
    assert await ask(terminal, "?") == "two"
    assert await terminal.read() == b"three"


async def test_a_terminal_is_asked_to_wait_and_to_go_on() -> None:
    terminal = Typed(bytes(MOST))
    assert terminal.said == []
    terminal.feed(b"x")
    terminal.feed(b"y")
    assert terminal.said == ["wait"]
    taken = 0
    while data := await terminal.read():
        taken += len(data)
    assert terminal.said == ["wait", "go on"]
    assert taken == MOST + 2 > CHUNK


async def test_who_reads_a_terminal_waits_for_a_key_or_the_end() -> None:
    terminal = Typed()
    terminal._has_ended = False
    for last in (lambda: terminal.feed(b"x"), terminal.feed_eof):
        waiting = asyncio.create_task(terminal.read())
        await asyncio.sleep(0)
        assert not waiting.done()
        last()
        assert await waiting == (b"" if last == terminal.feed_eof else b"x")


async def test_after_an_update_guests_and_the_operator_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[str]()
    opened = Sessions(Settings(), tmp_path, "127.0.0.1", told.append)
    terminal = Typed(b"\r", b"\r")
    guest, _ = await opened._logged_in(terminal, Client("ada", "127.0.0.1"))
    assert guest is not None
    assert b"updated" not in terminal.written
    monkeypatch.setattr(sessions, "program", frozenset)  # other files than at the start
    terminal = Typed(b"\r", b"\r")
    guest, _ = await opened._logged_in(terminal, Client("ada", "127.0.0.1"))
    assert guest is not None
    assert UPDATED.encode() in terminal.written
    assert told == ["kumite was updated while it runs here: restart this server"]
    guest, said = await opened._logged_in(Typed(b"\r", b"\x03"), Client("ada", "127.0.0.1"))
    assert (guest, said) == (None, "Goodbye.")


async def test_who_played_without_a_password_reads_that_the_seat_is_lost(tmp_path: Path) -> None:
    opened = Sessions(Settings(), tmp_path, "127.0.0.1", print)
    opened._unkept.add("ada")  # as the end of such a session does
    for is_told in (True, False):
        terminal = Typed(b"\r", b"\r")
        guest, _ = await opened._logged_in(terminal, Client("ada", "127.0.0.1"))
        assert guest is not None
        assert (LOST.encode() in terminal.written) == is_told
