"""Where guests' apps may be connected: to tables that stand open, of the server or its network."""

from __future__ import annotations

import pytest

from kumite.net.transport.discovery import MATCHES, SERVICE, Announced, Found, Vanished
from kumite.serve.lan import Destinations

KEY, OTHER = "0123456789abcdef", "f" * 16
OWN, THERE = "192.168.1.5", "192.168.1.9"


def table(*addresses: str, key: str = KEY, port: int = 4000) -> Found:
    return Found(key, Announced("ada", "kuzushi", "Kuzushi", 1, port, "1.0"), addresses)


@pytest.mark.parametrize(
    ("own", "addresses", "near"),
    [
        (OWN, (THERE, "127.0.0.1", "::1", "nas"), (THERE,)),
        (OWN, (OWN,), (OWN,)),
        (OWN, ("::ffff:127.0.0.1",), ()),
        (OWN, ("0.0.0.0", "::", "224.0.0.1", ""), ()),
        ("127.0.0.1", ("127.0.0.1", THERE, "127.0.0.2"), ("127.0.0.1",)),
        ("127.0.0.1", (THERE,), ()),
    ],
)
def test_guests_reach_the_network_and_not_the_inside_of_the_host(
    own: str, addresses: tuple[str, ...], near: tuple[str, ...]
) -> None:
    places = Destinations(own)
    assert places.near(addresses) == near
    told = places.note(SERVICE, table(*addresses))
    assert told == (table(*near) if near else Vanished(KEY))  # what cannot be reached is not listed
    assert list(places.announced(SERVICE)) == ([told] if near else [])
    assert places.reachable(addresses, 4000) == near


def test_only_tables_are_reached_and_only_as_long_as_they_stand() -> None:
    places = Destinations(OWN)
    assert places.reachable((OWN, THERE), 4000) == ()
    places.note(SERVICE, table(THERE))
    places.note(MATCHES, table(THERE, key=OTHER, port=4001))  # under way: a guest comes back to it
    assert places.reachable((OWN, THERE), 4000) == (THERE,)
    assert places.reachable((THERE,), 4001) == (THERE,)
    assert places.reachable((THERE,), 22) == ()
    assert places.reachable(("192.168.1.10",), 4000) == ()
    places.hosted[4000] += 1
    assert places.reachable((OWN, THERE), 4000) == (OWN, THERE)
    places.note(SERVICE, Vanished(KEY))
    places.hosted[4000] -= 1
    assert places.reachable((OWN, THERE), 4000) == ()
    assert places.reachable((THERE,), 4001) == (THERE,)
    assert places.note(MATCHES, Vanished(OTHER)) == Vanished(OTHER)
    assert places.reachable((THERE,), 4001) == ()
