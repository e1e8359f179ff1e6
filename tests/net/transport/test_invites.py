"""What players paste to join a table, and finding a table by its code alone."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from secrets import token_hex
from time import perf_counter, sleep

import pytest

from kumite.core.errors import KumiteError
from kumite.net.transport import invites
from kumite.net.transport.addresses import PORT
from kumite.net.transport.discovery import Announced, Announcer, Finder, News
from kumite.net.transport.invites import find_table, invite_line, parse_invite
from tests.support.fake_peer import FakeFinder, found

CODE, AT = "7-torii-lantern", ("192.168.1.20",)
TABLE = Announced("ada", "kuzushi", "Kuzushi", 1, 4000)
LOOPBACK = ("127.0.0.1",)


@pytest.mark.parametrize(
    ("pasted", "addresses", "port", "code"),
    [
        ("7-torii-lantern", (), PORT, CODE),
        ("192.168.1.20", AT, PORT, ""),
        ("192.168.1.20 7 Torii Lantern", AT, PORT, CODE),
        ("192.168.1.20:4000 7-torii-lantern", AT, 4000, CODE),
        ("  kumite join 192.168.1.20 7-torii-lantern (VPN)", AT, PORT, CODE),
        ("$ kumite watch 192.168.1.20 7-torii-lantern", AT, PORT, CODE),
        ("ada: come! > `kumite join 7-torii-lantern`", (), PORT, CODE),
        ("“kumite join 192.168.1.20 7-torii-lantern”", AT, PORT, CODE),
        ("\ufeffkumite\u200b join 192.168.1.20 7\u2212torii\u2212lantern\u200b", AT, PORT, CODE),
        ("７－ｔｏｒｉｉ－ｌａｎｔｅｒｎ", (), PORT, CODE),
        ("１９２．１６８．１．２０ 7-torii-lantern", AT, PORT, CODE),
        ("kumite join 192.168.1.20, [fd00::2] 7-torii-lantern", (*AT, "fd00::2"), PORT, CODE),
        ("fe80::1%Eth0 7-torii-lantern", ("fe80::1%Eth0",), PORT, CODE),
        ("ada-pc.local 7-torii-lantern.", ("ada-pc.local",), PORT, CODE),
        ("", (), PORT, ""),
    ],
)
def test_what_friends_paste_is_understood(
    pasted: str, addresses: tuple[str, ...], port: int, code: str
) -> None:
    assert parse_invite(pasted) == (addresses, port, code)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("7-torii-lantren", '"lantren" is not a code word'),
        ("192.168.1.20 7-torii", '"7-torii" has 2 parts, not 3.'),
        ("192.168.1.20 torii-lantern", '"torii-lantern" has 2 parts, not 3.'),
        ("192.168.1.20:x 7-torii-lantern", "'192.168.1.20:x' is not the address of a table"),
    ],
)
def test_what_is_wrong_in_it_is_named(typed: str, said: str) -> None:
    with pytest.raises(KumiteError) as raised:
        parse_invite(typed)
    assert str(raised.value) == said


def test_an_invite_reads_back_with_all_its_addresses() -> None:
    addresses = ("192.168.1.20", "fd00::2")
    for port in (PORT, 4000):
        line = invite_line(addresses, port, CODE)
        assert parse_invite(line) == (addresses, port, CODE)
    assert line == "kumite join 192.168.1.20:4000 [fd00::2]:4000 7-torii-lantern"


def numbered(name: str, number: int, protocol: int | None = None) -> News:
    one = found(name, name, protocol=protocol)
    return replace(one, table=replace(one.table, number=number))


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ([], "No table with the number 7 is open on this network"),
        ([numbered("ada", 8), numbered("bob", 7, 99)], "No table with the number 7"),
        ([numbered("ada", 7), numbered("bob", 7)], "The tables of ada and bob have the number 7"),
    ],
)
def test_a_number_of_no_table_or_of_several_is_said(
    monkeypatch: pytest.MonkeyPatch, told: list[News], said: str
) -> None:
    monkeypatch.setattr(invites, "SEARCH", 0.05)

    def finder(deliver: Callable[[News], object]) -> FakeFinder:
        for one in told:
            deliver(one)
        return FakeFinder(deliver)

    with pytest.raises(KumiteError, match=said):
        find_table(CODE, finder)


def test_of_ten_tables_the_one_of_the_code_is_found_in_a_second() -> None:
    """0.5 s, of which 0.3 wait for a second table with that number.

    1.4 s within a second of the last answer: mDNS sends no record sooner again.
    """
    tables = [
        Announcer(token_hex(8), replace(TABLE, name=f"p{n}", number=100 + n), interfaces=LOOPBACK)
        for n in range(10)
    ]
    try:
        with ThreadPoolExecutor(10) as pool:  # each takes 0.7 s
            list(pool.map(Announcer.start, tables))
        took = []
        for _ in range(4):
            sleep(1.1)
            began = perf_counter()
            one = find_table("104-torii-lantern", partial(Finder, interfaces=LOOPBACK))
            took.append(perf_counter() - began)
            assert one.table.name == "p4"
    finally:
        with ThreadPoolExecutor(10) as pool:
            list(pool.map(Announcer.close, tables))
    assert min(took) < 1
