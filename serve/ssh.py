"""The ssh server: a terminal for the app, and no other feature of ssh.

There is no shell, command, file transfer, or forwarding of ports, sockets, agents or displays:
asyncssh refuses what a server does not implement, and this one only implements one terminal.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from socket import socket
from typing import Any, Final

import asyncssh
from asyncssh.encryption import get_encryption_algs
from asyncssh.kex import get_kex_algs
from asyncssh.mac import get_mac_algs
from asyncssh.public_key import get_public_key_algs

from kumite.serve.limits import TokenBucket
from kumite.serve.sessions import Client, Sessions
from kumite.serve.settings import BadSettings
from kumite.serve.terminal import BEHIND, BURST, LINGER, SPEED, Size, Terminal, address_of
from kumite.store import whole_files

KEY_TYPE: Final = "ssh-ed25519"
# Preferred first, as far as asyncssh and its libraries support them; nothing with SHA-1 or a 64-bit
# MAC. The first key exchanges resist quantum computers. All are fast, since a client may request
# them again and again.
EXCHANGES: Final = (
    *("mlkem768x25519-sha256", "sntrup761x25519-sha512", "sntrup761x25519-sha512@openssh.com"),
    *("curve25519-sha256", "curve25519-sha256@libssh.org"),
    *("ecdh-sha2-nistp256", "ecdh-sha2-nistp384"),
)
CIPHERS: Final = (
    *("chacha20-poly1305@openssh.com", "aes256-gcm@openssh.com", "aes128-gcm@openssh.com"),
    *("aes256-ctr", "aes192-ctr", "aes128-ctr"),
)
MACS: Final = (
    *("hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "umac-128-etm@openssh.com"),
    *("hmac-sha2-256", "hmac-sha2-512", "umac-128@openssh.com"),
)
SIGNATURES: Final = (  # accepted for guests' keys
    *("ssh-ed25519", "ssh-ed448", "sk-ssh-ed25519@openssh.com", "rsa-sha2-256", "rsa-sha2-512"),
    *("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521"),
    *("sk-ecdsa-sha2-nistp256@openssh.com", "webauthn-sk-ecdsa-sha2-nistp256@openssh.com"),
)
LOGIN: Final = 30  # s to log in
SESSION: Final = 20.0  # s from login to the request for a terminal
KEEPALIVE, MISSED = 30, 4  # s between keepalives on a silent connection, and how many may fail
WINDOW: Final = 32 << 10  # bytes that a client may send before it has to wait
PACKET: Final = 32 << 10
LAST_WORDS: Final = 1.5  # s for connections to end when the server closes
BACKLOG: Final = 256  # pending connections
NO_TERMINAL: Final = b"This is kumite, which is played in a terminal: ssh -t HOST\r\n"
MOST_KEYS: Final = 1 << 20  # bytes of a file of keys
UNREAD: Final = 1 << 20  # bytes of unread output, after which the connection is cut
VARIABLES: Final = 16  # environment variables from a client
LONGEST: Final = 100  # bytes of each, with its name


class Connection(asyncssh.SSHServer):
    """One connection: authentication, and whether the client may come in."""

    def __init__(
        self, sessions: Sessions, keys: Path | None, known: set[asyncssh.SSHServerConnection]
    ) -> None:
        """Count as one of the `known` connections while open."""
        self._sessions, self._keys, self._known = sessions, keys, known
        self._connection: asyncssh.SSHServerConnection | None = None
        self._address = ""
        self._is_counted = self._has_session = False
        self._shown = ""  # the fingerprint of the key being offered
        self._key = ""  # the fingerprint of the key that was proved
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn
        self._address = address_of(conn)
        now = asyncio.get_running_loop().time()
        self._is_counted = self._sessions.connections.admit(self._address, now)
        self._known.add(conn)
        if self._is_counted:
            limit_rate(conn)
        else:
            conn.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        if self._connection is not None:
            self._known.discard(self._connection)
        if self._is_counted:
            self._is_counted = False
            self._sessions.connections.release(self._address)
        if self._timer is not None:
            self._timer.cancel()

    # --- who it is --------------------------------------------------------------------------------

    # A client may offer any key before proving that it has one, and then log in by other means. So
    # only the last key offered counts, and a login without a key resets it.

    def begin_auth(self, username: str) -> bool:  # noqa: ARG002
        """Require authentication: clients try `none` first, and would never show their keys."""
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:  # noqa: ARG002
        """Accept any key, or those in the operator's file; asyncssh verifies possession later."""
        # asyncssh announces these algorithms, but would also accept others.
        key.all_sig_algorithms = key.all_sig_algorithms & {one.encode() for one in SIGNATURES}
        self._shown = key.get_fingerprint() if self._may_come(key) else ""
        return bool(self._shown)

    def _may_come(self, key: asyncssh.SSHKey) -> bool:
        if self._keys is None:
            return True
        try:
            known = read_keys(self._keys)  # read again, as it may have changed
        except BadSettings:
            return False
        return known.validate(key, "", self._address) is not None

    def kbdint_auth_supported(self) -> bool:
        """Allow login without a key, unless the operator has listed keys."""
        return self._keys is None

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> bool:  # noqa: ARG002
        """Ask nothing here: prompts are shown in the terminal."""
        self._shown = ""
        return True

    def auth_completed(self) -> None:
        """Store the key that was proved, and wait for a session for at most SESSION s."""
        self._key = self._shown
        self._timer = asyncio.get_running_loop().call_later(SESSION, self._close)

    # --- the session ------------------------------------------------------------------------------

    def session_requested(self) -> SshTerminal | bool:
        if self._has_session or not self._is_counted:
            return False
        self._has_session = True
        return SshTerminal(self._begin, self._close)

    def _begin(self, terminal: SshTerminal) -> None:
        if self._timer is not None:
            self._timer.cancel()
        assert self._connection is not None
        name = str(self._connection.get_extra_info("username") or "")
        self._sessions.begin(terminal, Client(name, self._address, self._key))

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def limit_rate(connection: asyncssh.SSHServerConnection) -> None:
    """Limit the input rate of a connection, and cut it if replies pile up.

    asyncssh replies to every request, and buffers the replies without a limit.
    """
    transport = getattr(connection, "_transport", None)  # asyncssh has no public access to it
    if not isinstance(transport, asyncio.Transport):
        return
    loop, take = asyncio.get_running_loop(), connection.data_received
    bucket = TokenBucket(SPEED, loop.time(), BURST)

    def go_on() -> None:
        if not transport.is_closing():
            transport.resume_reading()

    def data_received(data: bytes, datatype: int | None = None) -> None:
        wait = bucket.take(len(data), loop.time())
        if transport.get_write_buffer_size() > UNREAD:
            connection.abort()
            return
        if wait:
            transport.pause_reading()
            loop.call_later(wait, go_on)
        take(data, datatype)

    setattr(connection, "data_received", data_received)  # noqa: B010


class Variables(dict[bytes, bytes]):
    """A limited environment from a client; asyncssh itself would store everything."""

    def __setitem__(self, name: bytes, value: bytes) -> None:
        if len(self) < VARIABLES and len(name) + len(value) <= LONGEST:
            super().__setitem__(name, value)


class SshTerminal(Terminal, asyncssh.SSHServerSession[bytes]):
    """A terminal on an ssh connection."""

    def __init__(self, begin: Callable[[SshTerminal], object], close: Callable[[], object]) -> None:
        super().__init__(Size(80, 24))
        self._begin, self._close = begin, close
        self._channel: asyncssh.SSHServerChannel[bytes] | None = None

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan
        setattr(chan, "_env", Variables())  # noqa: B010
        chan.set_write_buffer_limits(high=BEHIND)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """End the session and the connection, which has no other session."""
        self._channel = None
        self._writable.set()
        self.feed_eof()
        self._close()

    def pty_requested(
        self,
        term_type: str,
        term_size: tuple[int, int, int, int],
        term_modes: Mapping[int, int],  # noqa: ARG002
    ) -> bool:
        self.kind, self.size = term_type, Size.within_reason(*term_size[:2])
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:  # noqa: ARG002
        self.resize(width, height)

    def shell_requested(self) -> bool:
        """Accept a session without a command: it runs the app."""
        return True

    def exec_requested(self, command: str) -> bool:
        """Accept `ssh -t HOST plain`, which runs the app by lines, and no other command."""
        is_plain = command.strip() == "plain"
        if is_plain and self.kind:
            self.kind = "dumb"
        return is_plain

    def subsystem_requested(self, subsystem: str) -> bool:  # noqa: ARG002
        """Refuse file transfer and other subsystems."""
        return False

    def session_started(self) -> None:
        if self.kind and self._channel is not None:
            self.env = dict(self._channel.get_environment())
            self._begin(self)
        else:
            self.write(NO_TERMINAL)
            self.end()

    def data_received(self, data: bytes, datatype: int | None) -> None:  # noqa: ARG002
        self.feed(data)

    def eof_received(self) -> bool:
        self.feed_eof()
        return True

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def write(self, data: bytes) -> None:
        self._tell("write", data)

    def pause_reading(self) -> None:
        self._tell("pause_reading")

    def resume_reading(self) -> None:
        self._tell("resume_reading")

    async def ping(self) -> None:
        if self._channel is None:
            raise ConnectionResetError
        # asyncssh has no public access to it
        await getattr(self._channel.get_connection(), "_make_keepalive_request")()  # noqa: B009

    def cut(self) -> None:
        if self._channel is not None:
            self._channel.get_connection().abort()

    def end(self) -> None:
        self._tell("exit", 0)
        asyncio.get_running_loop().call_later(LINGER, self._close)

    def _tell(self, name: str, *said: Any) -> None:
        if self._channel is not None:
            with suppress(OSError):  # it is closing
                getattr(self._channel, name)(*said)


def read_keys(path: Path) -> asyncssh.SSHAuthorizedKeys:
    """Return the keys in a file like authorized_keys; raise BadSettings if there is none."""
    try:
        return asyncssh.import_authorized_keys(whole_files.read_text(path, MOST_KEYS))
    except (OSError, ValueError, asyncssh.KeyImportError) as error:
        why = whole_files.reason(error)
        raise BadSettings(f"the keys in {path} cannot be used: {why}") from error


def host_key(path: Path) -> asyncssh.SSHKey:
    """Return the server's own key, created if needed, or raise BadSettings."""
    try:
        with suppress(FileExistsError):
            made = asyncssh.generate_private_key(KEY_TYPE)
            whole_files.write_new(path, made.export_private_key(), is_own=True)
        return asyncssh.import_private_key(whole_files.read_bytes(path, MOST_KEYS))
    except (OSError, asyncssh.KeyImportError) as error:
        why = whole_files.reason(error)
        raise BadSettings(f"the server's key {path} cannot be used: {why}") from error


def _known(wanted: tuple[str, ...], known: list[bytes]) -> list[str]:
    return [one for one in wanted if one.encode() in known]


class SshServer:
    """A listener for ssh clients, and their connections."""

    def __init__(self, sessions: Sessions, keys: Path | None) -> None:
        self._sessions, self._keys = sessions, keys
        self._open: set[asyncssh.SSHServerConnection] = set()
        self._listener: asyncssh.SSHAcceptor | None = None

    async def open(self, sock: socket, key: asyncssh.SSHKey) -> None:
        """Accept connections; asyncssh's log is off, since it shows names that strangers send."""
        logging.getLogger("asyncssh").setLevel(logging.CRITICAL)
        self._listener = await asyncssh.listen(
            sock=sock,
            backlog=BACKLOG,
            server_factory=lambda: Connection(self._sessions, self._keys, self._open),
            server_host_keys=[key],
            server_version="kumite",
            encoding=None,
            line_editor=False,
            config=None,
            login_timeout=LOGIN,
            keepalive_interval=KEEPALIVE,
            keepalive_count_max=MISSED,
            kex_algs=_known(EXCHANGES, get_kex_algs()),
            encryption_algs=_known(CIPHERS, get_encryption_algs()),
            mac_algs=_known(MACS, get_mac_algs()),
            signature_algs=_known(SIGNATURES, get_public_key_algs()),
            compression_algs=None,  # a few bytes could expand to very many
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
        if self._listener is not None:
            self._listener.close()

    async def close(self) -> None:
        # A client that is disconnected discards unread output, so let clients disconnect first.
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
