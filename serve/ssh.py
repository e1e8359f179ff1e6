"""The house's door for ssh: a terminal for the app, and nothing else that ssh can do.

No shell, no command, no file transfer, no forwarding of ports, sockets, agents or displays:
asyncssh refuses what a server does not take up, and this one takes up a terminal, once.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import asyncssh

from kumite.serve import meter
from kumite.serve.inbox import TerminalEnd
from kumite.serve.line import Size
from kumite.serve.terms import BadTerms
from kumite.serve.visit import Caller
from kumite.store import whole_files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from socket import socket

    from kumite.serve.visit import Host

KEY_TYPE: Final = "ssh-ed25519"
EXCHANGES: Final = (  # quick ones: a client may ask for them again and again
    *("curve25519-sha256", "curve25519-sha256@libssh.org"),
    *("ecdh-sha2-nistp256", "ecdh-sha2-nistp384"),
)
LOGIN: Final = 30  # s to say who one is
SESSION: Final = 20.0  # s from there to asking for a terminal
KEEPALIVE, MISSED = 30, 4  # s between questions to a line that is silent, and how many it may miss
WINDOW: Final = 32 << 10  # bytes that a client may send before we ask for more
PACKET: Final = 32 << 10
BEHIND: Final = 64 << 10  # bytes that wait for a client to read them; then its app waits
LINGER: Final = 3.0  # s for the last words to be read
LAST_WORDS: Final = 1.5  # s for connections to end when the house closes
BACKLOG: Final = 256  # connections that the system holds until we look
NO_TERMINAL: Final = b"This is kumite, which is played in a terminal: ssh -t HOST\r\n"
MOST_KEYS: Final = 1 << 20  # bytes of a file of keys


class Door(asyncssh.SSHServer):
    """One connection: who is at its other end, and whether they may come in."""

    def __init__(
        self, host: Host, keys: Path | None, known: set[asyncssh.SSHServerConnection]
    ) -> None:
        """Count as one of the `known` connections while it is open."""
        self._host, self._keys, self._known = host, keys, known
        self._connection: asyncssh.SSHServerConnection | None = None
        self._address = ""
        self._is_counted = self._has_session = False
        self._shown = ""  # the fingerprint of the key that is being looked at
        self._key = ""  # of the one that was proved
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Let a connection come as far as the door, if there is room."""
        self._connection = conn
        name = conn.get_extra_info("peername")
        self._address = str(name[0]).removeprefix("::ffff:") if name else ""
        now = asyncio.get_running_loop().time()
        self._is_counted = self._host.house.lines.knock(self._address, now)
        self._known.add(conn)
        if self._is_counted:
            meter.measure(conn)
        else:
            conn.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """Count it no longer."""
        if self._connection is not None:
            self._known.discard(self._connection)
        if self._is_counted:
            self._is_counted = False
            self._host.house.lines.gone(self._address)
        if self._timer is not None:
            self._timer.cancel()

    # --- who it is --------------------------------------------------------------------------------

    # A client may ask about any key before it proves that it has one, and then come in otherwise.
    # So only what was looked at last counts, and coming in without a key means none at all.

    def begin_auth(self, username: str) -> bool:  # noqa: ARG002
        """Ask everybody: `none`, which clients try first, would leave their keys unknown."""
        return True

    def public_key_auth_supported(self) -> bool:
        """Take keys."""
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:  # noqa: ARG002
        """Take any key, or those in the operator's file; its owner has still to prove it."""
        self._shown = key.get_fingerprint() if self._may_come(key) else ""
        return bool(self._shown)

    def _may_come(self, key: asyncssh.SSHKey) -> bool:
        if self._keys is None:
            return True
        try:
            known = read_keys(self._keys)  # anew, as it may have been changed
        except BadTerms:
            return False
        return known.validate(key, "", self._address) is not None

    def kbdint_auth_supported(self) -> bool:
        """Let those come who have no key, unless the operator has named keys."""
        return self._keys is None

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> bool:  # noqa: ARG002
        """Ask nothing yet: what there is to ask is asked in the terminal."""
        self._shown = ""
        return True

    def auth_completed(self) -> None:
        """Note which key was proved, and wait for a session, but not for ever."""
        self._key = self._shown
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(SESSION, self._close_unless_begun)

    # --- the session ------------------------------------------------------------------------------

    def session_requested(self) -> Session | bool:
        """Give one session."""
        if self._has_session or not self._is_counted:
            return False
        self._has_session = True
        return Session(self._receive, self._close)

    def _receive(self, session: Session) -> None:
        if self._timer is not None:
            self._timer.cancel()
        assert self._connection is not None
        name = str(self._connection.get_extra_info("username") or "")
        self._host.receive(session, Caller(name, self._address, self._key), session.end)

    def _close_unless_begun(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()


class Session(TerminalEnd, asyncssh.SSHServerSession[bytes]):
    """A terminal at the other end of an ssh connection (a `Line`)."""

    def __init__(self, begin: Callable[[Session], object], close: Callable[[], object]) -> None:
        super().__init__(
            Size(80, 24), lambda: self._tell("pause_reading"), lambda: self._tell("resume_reading")
        )
        self._begin, self._close = begin, close
        self._channel: asyncssh.SSHServerChannel[bytes] | None = None
        self._kind = ""

    # --- what asyncssh tells ----------------------------------------------------------------------

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        """Begin."""
        self._channel = chan
        setattr(chan, "_env", meter.Variables())  # noqa: B010 (else it takes any number)
        chan.set_write_buffer_limits(high=BEHIND)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """End, and with it the connection: it has no other session."""
        self._channel = None
        self._free.set()
        self._inbox.end()
        self._close()

    def pty_requested(
        self,
        term_type: str,
        term_size: tuple[int, int, int, int],
        term_modes: Mapping[int, int],  # noqa: ARG002
    ) -> bool:
        """Take a terminal of any kind and size."""
        self._kind, self._size = term_type, Size.within_reason(*term_size[:2])
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:  # noqa: ARG002
        """Take another size."""
        self._size = Size.within_reason(width, height)
        self._hear_size()

    def shell_requested(self) -> bool:
        """Take what a client asks for that names no command: here that is the app."""
        return True

    def exec_requested(self, command: str) -> bool:  # noqa: ARG002
        """Refuse commands."""
        return False

    def subsystem_requested(self, subsystem: str) -> bool:  # noqa: ARG002
        """Refuse file transfer, and whatever else there is."""
        return False

    def session_started(self) -> None:
        """Let the visit begin, if there is a terminal to see it on."""
        if self._kind:
            self._begin(self)
        else:
            self.write(NO_TERMINAL)
            self.end()

    def data_received(self, data: bytes, datatype: int | None) -> None:  # noqa: ARG002
        """Take in what was typed."""
        self._inbox.put(data)

    def eof_received(self) -> bool:
        """Take the end of what is typed for the end."""
        self._inbox.end()
        return True

    def pause_writing(self) -> None:
        """Note that the client does not read."""
        self._free.clear()

    def resume_writing(self) -> None:
        """Note that it reads again."""
        self._free.set()

    # --- what a visit sees ------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """Return what the terminal says it is."""
        return self._kind

    @property
    def said(self) -> dict[str, str]:
        """Return the environment that the client has sent."""
        return dict(self._channel.get_environment()) if self._channel is not None else {}

    def write(self, data: bytes) -> None:
        """Write to the terminal, if it is still there."""
        self._tell("write", data)

    def end(self) -> None:
        """End it once all is written; a client that does not read is not waited for."""
        self._tell("exit", 0)
        asyncio.get_running_loop().call_later(LINGER, self._close)

    def _tell(self, name: str, *said: Any) -> None:
        if self._channel is not None:
            with suppress(OSError):  # it is closing
                getattr(self._channel, name)(*said)


def read_keys(path: Path) -> asyncssh.SSHAuthorizedKeys:
    """Return the keys of a file as sshd's authorized_keys.

    Raises:
        BadTerms: it cannot be read, or holds no key.
    """
    try:
        text = whole_files.read_bytes(path, MOST_KEYS).decode("utf-8")
        return asyncssh.import_authorized_keys(text)
    except (OSError, ValueError, asyncssh.KeyImportError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadTerms(f"the keys in {path} cannot be used: {reason}") from error


def host_key(path: Path) -> asyncssh.SSHKey:
    """Return the house's own key; a new one if there is none.

    Raises:
        BadTerms: it cannot be used.
    """
    try:
        with suppress(FileExistsError):
            made = asyncssh.generate_private_key(KEY_TYPE)
            whole_files.write_new(path, made.export_private_key(), is_own=True)
        return asyncssh.import_private_key(whole_files.read_bytes(path, MOST_KEYS))
    except (OSError, asyncssh.KeyImportError) as error:
        raise BadTerms(f"the house's key {path} cannot be used: {error}") from error


class Entrance:
    """Where guests come in over ssh: a listener, and the connections that have come."""

    def __init__(self, host: Host, keys: Path | None) -> None:
        self._host, self._keys = host, keys
        self._open: set[asyncssh.SSHServerConnection] = set()
        self._listener: asyncssh.SSHAcceptor | None = None

    def _door(self) -> Door:
        return Door(self._host, self._keys, self._open)

    async def open(self, sock: socket, key: asyncssh.SSHKey) -> None:
        """Let guests come; what asyncssh would log are names that strangers say."""
        logging.getLogger("asyncssh").setLevel(logging.CRITICAL)
        self._listener = await asyncssh.listen(
            sock=sock,
            backlog=BACKLOG,
            server_factory=self._door,
            server_host_keys=[key],
            server_version="kumite",
            encoding=None,
            line_editor=False,
            config=None,
            login_timeout=LOGIN,
            keepalive_interval=KEEPALIVE,
            keepalive_count_max=MISSED,
            kex_algs=list(EXCHANGES),
            compression_algs=None,  # a few bytes could become very many
            window=WINDOW,
            max_pktsize=PACKET,
            password_auth=False,
            host_based_auth=False,
            gss_host=None,
            gss_kex=False,
            gss_auth=False,
            x11_forwarding=False,
            agent_forwarding=False,
            allow_scp=False,
        )

    def shut(self) -> None:
        """Let nobody else come."""
        if self._listener is not None:
            self._listener.close()

    async def close(self) -> None:
        """End all connections, once all visits have ended."""
        # Who hears that we end the line throws away what they have not shown yet: let them end it.
        await self._wait_for_ends()
        for connection in set(self._open):
            connection.close()
        await self._wait_for_ends()
        for connection in set(self._open):
            connection.abort()
        await asyncio.sleep(0)

    async def _wait_for_ends(self) -> None:
        if ends := [asyncio.create_task(one.wait_closed()) for one in self._open]:
            _, left = await asyncio.wait(ends, timeout=LAST_WORDS)
            for task in left:
                task.cancel()
