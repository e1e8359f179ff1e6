"""Peers that are gone when a test ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kumite.net.session.events import HostSetup
from kumite.net.transport.peer import Peer
from tests.support.peers import CODE, HERE, Inbox, Opener, table


@pytest.fixture
def open_peer(tmp_path: Path) -> Iterator[Callable[..., Opener]]:
    """Open peers on this machine; all are closed, and their threads gone, when the test ends."""
    opened: list[Peer] = []

    def host(given: HostSetup | None = None, **more: Any) -> Opener:
        inbox = Inbox()
        more = {"port": 0, "address": HERE, "logs": tmp_path, **more}
        opened.append(Peer.host(given or table(), "ada", inbox.queue.put, **more))
        return opened[-1], inbox

    def join(port: int, address: str = HERE, **more: Any) -> Opener:
        inbox = Inbox()
        more = {"logs": tmp_path, **more}
        code = more.pop("code", "") or next(
            (one._session.code for one in opened if one.port == port and one._session.is_host), CODE
        )
        opened.append(Peer.join(address, port, code, "bob", inbox.queue.put, **more))
        return opened[-1], inbox

    def open_(port: int = 0, *args: Any, **more: Any) -> Opener:
        return join(port, *args, **more) if port else host(*args, **more)

    yield open_
    for one in opened:
        one.close()
        assert not one._thread.is_alive()
