"""Requests to a server's broker, and its replies, read back; nonsense is neither."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.core.errors import BadData, KumiteError, LocalError
from kumite.net.transport.broker import (
    LONGEST,
    REPLIES,
    Announce,
    Connect,
    Find,
    Granted,
    Listen,
    Refused,
    Reply,
    Request,
    pack_request,
    unpack_request,
)
from kumite.net.transport.discovery import MATCHES, SERVICE, Announced, Found, Vanished

KEY = "0123456789abcdef"
TABLE = Announced("ada", "kitsu", "Kitsu", 1, 4747, "0.1")
REQUESTS: tuple[Request, ...] = (
    Connect(("192.168.1.5", "fe80::1%eth0"), 4747),
    Listen(0),
    Listen(4747),
    Announce(SERVICE, KEY, TABLE),
    Announce(MATCHES, KEY, Announced("", "-", "", 0, 4747)),
    Find(SERVICE, ()),
    Find(MATCHES, (KEY,)),
)


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: type(one).__name__)
def test_a_request_reads_back(request_: Request) -> None:
    packed = pack_request(7, request_)
    assert len(packed) < LONGEST
    assert unpack_request(packed) == (7, request_)


@pytest.mark.parametrize(
    "request_",
    [
        Connect(("192.168.1.5",) * 9, 4747),
        Connect(("a" * 65,), 4747),
        Connect(("192.168.1.5",), 65536),
        Listen(-1),
        Announce("_ipp._tcp.local.", KEY, TABLE),
        Announce(SERVICE, "../x", TABLE),
        Announce(SERVICE, KEY, Announced("x" * 25, "kitsu", "Kitsu", 1, 4747)),
        Announce(SERVICE, KEY, Announced("\x1b[2J", "kitsu", "Kitsu", 1, 4747)),
        Announce(SERVICE, KEY, Announced("ada", "kitsu", "Kitsu", 7, 4747)),
        Announce(SERVICE, KEY, Announced("ada", "kitsu", "Kitsu", 1, 0)),
        Find("_ssh._tcp.local.", ()),
    ],
    ids=str,
)
def test_what_breaks_a_limit_is_no_request(request_: Request) -> None:
    with pytest.raises(LocalError):
        pack_request(0, request_)


@given(st.binary(max_size=100))
def test_nonsense_is_neither_a_request_nor_a_reply(packed: bytes) -> None:
    for read in (unpack_request, REPLIES.unpack):
        with pytest.raises(BadData):
            read(packed)


@pytest.mark.parametrize(
    "reply",
    [
        Granted(4747),
        Refused.by(KumiteError("no\x1b[2J" + "x" * 999, hint="ask")),
        Found(KEY, TABLE, ("192.168.1.5",)),
        Found(KEY, Announced("Friday", "kitsu", "Kitsu", 6, 9, is_tournament=True), ("fe80::1%2",)),
        Found(KEY, Announced("", "", "", 0, 9, "9.9", protocol=999), ("192.168.1.5",)),
        Vanished(KEY),
    ],
)
def test_a_reply_reads_back(reply: Reply) -> None:
    assert REPLIES.unpack(REPLIES.pack(reply)) == reply
