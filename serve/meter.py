"""What one connection may cost the house, below all that ssh makes of its bytes.

asyncssh answers whatever it is asked, and keeps answers until they are read and variables until the
end. So what comes is taken slowly, and a line on which answers pile up is cut.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import asyncssh

SPEED: Final = 64 << 10  # bytes a second that are taken; a person types some hundred
BURST: Final = 512 << 10  # bytes that may come at once
UNREAD: Final = 1 << 20  # bytes of ours that wait for the other side to read them
VARIABLES: Final = 16  # of the environment that a client sends
LONGEST: Final = 100  # bytes of each


def measure(connection: asyncssh.SSHServerConnection) -> None:
    """Let all bytes of a connection, from now on, come through a meter."""
    transport = getattr(connection, "_transport", None)  # it is told to nobody else
    if isinstance(transport, asyncio.Transport):
        meter = Meter(connection, transport)
        setattr(connection, "data_received", meter.take)  # noqa: B010


class Meter:
    """Passes on what comes over a connection."""

    def __init__(
        self, connection: asyncssh.SSHServerConnection, transport: asyncio.Transport
    ) -> None:
        self._connection, self._transport = connection, transport
        self._take = connection.data_received
        self._loop = asyncio.get_running_loop()
        self._saved, self._since = float(BURST), self._loop.time()

    def take(self, data: bytes, datatype: int | None = None) -> None:
        """Pass it on; wait with the next if this was too much, end it if nobody reads answers."""
        now = self._loop.time()
        self._saved = min(BURST, self._saved + (now - self._since) * SPEED) - len(data)
        self._since = now
        if self._transport.get_write_buffer_size() > UNREAD:
            self._connection.abort()
            return
        if self._saved < 0:
            self._transport.pause_reading()
            self._loop.call_later(-self._saved / SPEED, self._go_on)
        self._take(data, datatype)

    def _go_on(self) -> None:
        if not self._transport.is_closing():
            self._transport.resume_reading()


class Variables(dict[bytes, bytes]):
    """The environment that a client sends, as far as there is room for it."""

    def __setitem__(self, name: bytes, value: bytes) -> None:
        """Keep a variable that is short, one of few."""
        if len(self) < VARIABLES and len(name) + len(value) <= LONGEST:
            super().__setitem__(name, value)
