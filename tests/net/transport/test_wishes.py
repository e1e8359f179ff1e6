"""What a guest's app and its house say to each other: it reads back, and nonsense is nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.core.errors import BadData, KumiteError, LocalError
from kumite.net.transport.discovery import MATCHES, SERVICE, Announced, Found, News, Vanished
from kumite.net.transport.wishes import (
    LONGEST,
    TOLD,
    Announce,
    Find,
    Frames,
    Granted,
    Listen,
    Reach,
    Wish,
    announce,
    news_of,
    pack_answered,
    pack_asked,
    refusal,
    table_of,
    told_of,
    unpack_answered,
    unpack_asked,
)

KEY = "0123456789abcdef"
TABLE = Announced("ada", "kitsu", "Kitsu", 1, 4747, "0.1")
WISHES: tuple[Wish, ...] = (
    Reach(("192.168.1.5", "fe80::1%eth0"), 4747),
    Listen(0),
    Listen(4747),
    announce(KEY, TABLE, SERVICE),
    Find(SERVICE, ()),
    Find(MATCHES, (KEY,)),
)


@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: type(wish).__name__)
def test_a_wish_reads_back(wish: Wish) -> None:
    packed = pack_asked(7, wish)
    assert len(packed) < LONGEST
    assert (unpack_asked(packed).number, unpack_asked(packed).wish) == (7, wish)


@pytest.mark.parametrize(
    "wish",
    [
        Reach(("192.168.1.5",) * 9, 4747),
        Reach(("a" * 65,), 4747),
        Reach(("192.168.1.5",), 65536),
        Listen(-1),
        Announce("_ipp._tcp.local.", KEY, 631, ()),
        Announce(SERVICE, "../x", 4747, ()),
        Announce(SERVICE, KEY, 4747, (("n", "x" * 65),)),
        Find("_ssh._tcp.local.", ()),
    ],
    ids=str,
)
def test_what_breaks_a_limit_is_no_wish(wish: Wish) -> None:
    with pytest.raises(LocalError):
        pack_asked(0, wish)


@given(st.binary(max_size=100))
def test_nonsense_is_no_wish(packed: bytes) -> None:
    for read in (unpack_asked, unpack_answered, TOLD.unpack):
        with pytest.raises(BadData):
            read(packed)


@pytest.mark.parametrize(
    "news",
    [
        Found(KEY, TABLE, ("192.168.1.5",)),
        Found(KEY, Announced("Friday", "kitsu", "Kitsu", 6, 9, is_hall=True), ("fe80::1%2",)),
        Found(KEY, Announced("", "", "", 0, 9, "9.9", protocol=999), ("192.168.1.5",)),
        Vanished(KEY),
    ],
)
def test_news_of_a_table_read_back_byte_by_byte(news: News) -> None:
    frames, found = Frames(), []
    for byte in told_of(news) * 2:
        found += [news_of(TOLD.unpack(one)) for one in frames.take(bytes((byte,)))]
    assert found == [news] * 2


def test_what_is_announced_for_a_guest_is_read_as_what_a_stranger_announces() -> None:
    found = table_of(announce(KEY, TABLE, SERVICE), ("192.168.1.5",))
    assert found == Found(KEY, TABLE, ("192.168.1.5",))
    assert table_of(Announce(SERVICE, KEY, 4747, (("n", "ada"),)), ("192.168.1.5",)) is None


def test_answers_read_back() -> None:
    for told in (Granted(4747), refusal(KumiteError("no\x1b[2J" + "x" * 999, hint="ask"))):
        assert unpack_answered(pack_answered(3, told)).told == told
