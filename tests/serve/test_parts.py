"""The parts of a house by themselves: counts, terms, questions, what waits in between."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from kumite.core.errors import BadSetup
from kumite.net.transport.addresses import own_addresses
from kumite.serve import running, ssh, terms
from kumite.serve.guests import Book
from kumite.serve.house import House, Visit, origin_of
from kumite.serve.inbox import CHUNK, MOST, Inbox
from kumite.serve.line import Size, ask
from kumite.serve.terms import BadTerms, Terms


def test_connections_are_counted_by_address_and_in_all() -> None:
    counted = House(Terms(per_address=2, guests=1))
    assert [counted.knock("10.0.0.1", 0) for _ in range(3)] == [True, True, False]
    assert counted.knock("10.0.0.2", 0)
    counted.gone("10.0.0.1")
    assert counted.knock("10.0.0.1", 0)
    for number in range(200):
        counted.knock(f"10.0.1.{number}", 0)
    assert counted.connected.total() == 65
    for address in list(counted.connected.elements()):
        counted.gone(address)
    assert not counted.connected


def test_who_comes_and_goes_has_to_wait_and_nobody_else() -> None:
    counted = House(Terms(per_address=2))

    def comes(address: str, now: float) -> bool:
        is_let = counted.knock(address, now)
        if is_let:
            counted.gone(address)
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


def test_wrong_codes_wait_twice_as_long_each_time_and_a_right_one_is_forgiven() -> None:
    counted, waits = House(Terms()), []
    for _ in range(12):
        counted.wrong("10.0.0.1", 100.0)
        waits.append(counted.wait("10.0.0.1", 100.0))
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
    assert counted.wait("10.0.0.2", 100.0) == 0
    counted.right("10.0.0.1")
    assert counted.wait("10.0.0.1", 100.0) == 0


def test_a_guest_is_here_a_few_times_at_most() -> None:
    counted = House(Terms())
    for _ in range(4):
        assert not counted.why_not("ada")
        counted.enter(Visit("ada", "ada", "", 0.0))
    assert "4 times" in counted.why_not("ada")
    assert not counted.why_not("bob")
    counted.leave(counted.visits[0])
    assert not counted.why_not("ada")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("gusts = 1", "there is no such setting"),
        ("guests = 0", "a number from 1"),
        ("memory = 10", "a number from 256"),
        ('guests = "many"', "a number is wanted"),
        ("guests = true", "a number is wanted"),
        ("code = 1", "a text is wanted"),
        ("guests = ", "serve.toml"),
    ],
)
def test_a_house_does_not_open_with_what_it_does_not_understand(
    text: str, why: str, tmp_path: Path
) -> None:
    file = tmp_path / "serve.toml"
    file.write_text(text)
    with pytest.raises(BadTerms, match=why):
        terms.read(file, {})


def test_the_command_line_counts_for_more_than_the_file(tmp_path: Path) -> None:
    file = tmp_path / "serve.toml"
    assert terms.read(file, {}) == Terms()
    file.write_text('ssh = "2200"\nguests = 3\n')
    assert terms.read(file, {"guests": 4}) == Terms(ssh="2200", guests=4)
    with pytest.raises(BadTerms, match="--idle"):
        terms.read(file, {"idle": 0})


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("2222", (None, 2222)),
        ("10.0.0.1:22", ("10.0.0.1", 22)),
        ("[::1]:2222", ("::1", 2222)),
        ("0", (None, 0)),
    ],
)
def test_a_place_is_an_address_and_a_port(text: str, place: tuple[str | None, int]) -> None:
    assert running.place_of(text) == place


@pytest.mark.parametrize("text", ["", "x", ":22", "10.0.0.1", "65536", "22:", "٢٢"])
def test_what_is_no_place_is_refused(text: str) -> None:
    with pytest.raises(BadSetup):
        running.place_of(text)


@pytest.mark.parametrize(
    ("place", "tables"),
    [("127.0.0.1:0", "127.0.0.1"), ("localhost:0", "127.0.0.1"), ("0", None), ("0.0.0.0:0", None)],
)
def test_guests_tables_listen_at_one_address_with_a_number(
    place: str, tables: str | None, tmp_path: Path
) -> None:
    opened = running.open_house(Terms(ssh=place), tmp_path)
    with opened.socket:
        assert opened.address in {tables or own_addresses()[0], "::1" if "host" in place else ""}


@pytest.mark.parametrize("tables", ["localhost", "0.0.0.0", "::", "x"])
def test_tables_at_no_address_are_refused(tables: str, tmp_path: Path) -> None:
    with pytest.raises(BadSetup):
        running.open_house(Terms(ssh="127.0.0.1:0", tables=tables), tmp_path)


def test_the_key_of_a_house_stays_and_is_nobody_elses_to_read(tmp_path: Path) -> None:
    keys = [ssh.host_key(tmp_path / "ssh_host_key").get_fingerprint() for _ in range(2)]
    assert keys[0] == keys[1]
    assert (tmp_path / "ssh_host_key").stat().st_mode & 0o777 == 0o600
    (tmp_path / "ssh_host_key").write_text("broken")
    with pytest.raises(BadTerms):
        ssh.host_key(tmp_path / "ssh_host_key")


@pytest.mark.parametrize(
    ("said", "size"),
    [((80, 24), (80, 24)), ((0, 0), (1, 1)), ((2**32, 2**32), (300, 100)), ((-5, 50), (1, 50))],
)
def test_sizes_are_within_reason(said: tuple[int, int], size: tuple[int, int]) -> None:
    assert Size.within_reason(*said) == size


def test_a_house_keeps_folders_of_so_many_guests(tmp_path: Path) -> None:
    book = Book(tmp_path, 2)
    for number in range(2):
        guest = book.by_key("ada", f"key {number}")
        assert not guest.is_passing
        book.prepare(guest, 1000)
    assert book.by_key("ada", "key 2").is_passing
    assert not book.by_key("bob", "key 1").is_passing
    assert Book(tmp_path, 2).by_key("", "key 1").who == book.by_key("", "key 1").who
    assert (tmp_path / "house.key").stat().st_mode & 0o777 == 0o600
    assert tmp_path.stat().st_mode & 0o777 == 0o700


def test_another_house_gives_other_names_to_folders(tmp_path: Path) -> None:
    ours, theirs = Book(tmp_path / "a", 9), Book(tmp_path / "b", 9)
    assert ours.by_key("", "key").who != theirs.by_key("", "key").who
    assert ours.by_word("ada", "x").who != theirs.by_word("ada", "x").who


class Typed:
    """A line on which somebody types."""

    def __init__(self, *typed: bytes) -> None:
        self.inbox = Inbox(lambda: None, lambda: None)
        self.written = b""
        for one in typed:
            self.inbox.put(one)
        self.inbox.end()
        self.take, self.put_back = self.inbox.take, self.inbox.put_back

    def write(self, data: bytes) -> None:
        self.written += data


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ((b"torii\r",), "torii"),
        (
            (
                b"tor",
                b"ii\r\n",
            ),
            "torii",
        ),
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
    line = Typed(*typed)
    assert await ask(line, "Well?", is_secret=True) == answer  # type: ignore[arg-type]
    assert b"torii" not in line.written


async def test_what_is_typed_behind_an_answer_is_left_to_the_app() -> None:
    line = Typed(b"one\r\ntwo\rthree")
    assert await ask(line, "?") == "one"  # type: ignore[arg-type]
    assert await ask(line, "?") == "two"  # type: ignore[arg-type]
    assert await line.take() == b"three"


async def test_an_inbox_asks_the_line_to_wait_and_to_go_on() -> None:
    said: list[str] = []
    inbox = Inbox(lambda: said.append("wait"), lambda: said.append("go on"))
    inbox.put(bytes(MOST))
    assert said == []
    inbox.put(b"x")
    inbox.put(b"y")
    assert said == ["wait"]
    taken = 0
    while taken < MOST + 2:
        taken += len(await inbox.take())
        assert taken <= MOST + 2
    assert said == ["wait", "go on"]
    assert taken == MOST + 2 > CHUNK
    waiting = asyncio.create_task(inbox.take())
    await asyncio.sleep(0)
    inbox.end()
    assert await waiting == b""
