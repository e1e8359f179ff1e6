"""Guests who mean harm: server and other guests are as if they were not there.

docs/serve.md lists what each of these may try, and what comes of it.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

import asyncssh
import pytest
from asyncssh.constants import MSG_GLOBAL_REQUEST
from asyncssh.packet import Boolean, SSHPacket, String

from kumite.serve import accounts, limits, process, ssh
from tests.serve.test_guests_over_ssh import KEY, OTHER, apps, at_home, the_app
from tests.support import servers
from tests.support.servers import HERE, server, until
from tests.support.waiting import PATIENCE, is_running


async def quiet(work: Any) -> Any:
    """Return what comes of something, or the error that it raises."""
    try:
        return await work
    except Exception as error:
        return error


# --- what ssh can do besides ------------------------------------------------------------------


async def test_there_is_no_command_no_shell_and_no_transfer_of_files(tmp_path: Path) -> None:
    async with server(tmp_path) as opened:
        for wish in ({"command": "id"}, {"subsystem": "sftp"}, {"subsystem": "netconf"}):
            async with await opened.connect(client_keys=[KEY]) as connection:
                refused = await quiet(connection.create_process(**wish))
                assert isinstance(refused, asyncssh.ChannelOpenError), wish
        async with await opened.connect(client_keys=[KEY]) as connection:
            assert isinstance(await quiet(connection.start_sftp_client()), asyncssh.Error)
        async with await opened.connect(client_keys=[KEY]) as connection:
            done = await connection.run(None, check=False)  # a shell, but no terminal
            assert done.stdout == "This is kumite, which is played in a terminal: ssh -t HOST\r\n"
        assert opened.told == []
        assert apps(tmp_path) == []


@pytest.mark.usefixtures("idle_app")
async def test_nothing_is_forwarded(tmp_path: Path) -> None:
    async with server(tmp_path) as opened, opened.guest(client_keys=[KEY]) as guest:
        await at_home(guest)
        line = guest.connection
        there = str(tmp_path / "socket")
        for forwarded in (
            line.open_connection(HERE, opened.port),
            line.open_unix_connection(there),
            line.start_server(lambda *_: None, "", 0),
            line.start_unix_server(lambda *_: None, there),
            line.forward_remote_port("", 0, HERE, opened.port),
        ):
            assert isinstance(await quiet(forwarded), Exception)
        assert isinstance(await quiet(line.create_process(term_type="xterm")), asyncssh.Error)
        assert not os.path.exists(there)
        assert len(opened.sessions.open) == 1


async def offered(opened: servers.OpenServer) -> list[list[str]]:
    """Return the lists of algorithms that a server offers, as they are sent (RFC 4253, 7.1)."""
    reader, writer = await asyncio.open_connection(HERE, opened.port)
    writer.write(b"SSH-2.0-x\r\n")
    await reader.readuntil(b"\n")
    size = int.from_bytes(await reader.readexactly(4), "big")
    packet = SSHPacket((await reader.readexactly(size))[18:])  # its padding, kind and cookie
    writer.close()
    return [packet.get_string().decode().split(",") for _ in range(10)]


async def test_nothing_weak_is_offered_and_first_what_holds_against_quantum_computers(
    tmp_path: Path,
) -> None:
    async with server(tmp_path) as opened:
        exchanges, keys, *rest = await offered(opened)
        assert exchanges[0] == "mlkem768x25519-sha256"
        assert keys == ["ssh-ed25519"]
        ciphers, macs = rest[0] + rest[1], rest[2] + rest[3]
        for one in (*exchanges, *macs):
            assert not {"sha1", "md5", "umac", "64"} & set(re.split("[-@]", one)) or "128" in one
        assert [one for one in ciphers if "cbc" in one or "arcfour" in one] == []
        for weak in ({"mac_algs": ["hmac-sha1"]}, {"mac_algs": ["umac-64@openssh.com"]}):
            with pytest.raises(asyncssh.KeyExchangeFailed):
                await opened.connect(client_keys=[KEY], encryption_algs=["aes128-ctr"], **weak)
        rsa = asyncssh.generate_private_key("ssh-rsa", key_size=2048)
        async with await opened.connect(client_keys=[rsa]) as connection:
            assert connection.get_extra_info("username") == "ada"


@pytest.mark.usefixtures("idle_app")
async def test_a_signature_with_sha1_proves_no_key(tmp_path: Path) -> None:
    rsa = asyncssh.generate_private_key("ssh-rsa", key_size=2048)

    class Old(asyncssh.SSHKeyPair):
        """A client that signs as they did before 2018, whatever the server says it takes."""

        def sign(self, data: bytes) -> bytes:
            return rsa.sign(data, b"ssh-rsa")

    kinds = b"ssh-rsa", (b"ssh-rsa",), (b"ssh-rsa",), rsa.public_data, b""
    async with server(tmp_path) as opened:
        for pair, is_known in ((rsa, True), (Old(b"ssh-rsa", *kinds), False)):
            async with opened.guest(client_keys=[pair]) as guest:
                await guest.wait_for("play here" if is_known else "Choose a password")


@pytest.mark.usefixtures("idle_app")
async def test_who_shows_anothers_key_without_having_it_is_not_taken_for_them(
    tmp_path: Path,
) -> None:
    class Borrowed(asyncssh.SSHKeyPair):
        """Somebody else's public key: it can be shown, and nothing be signed with it."""

        def sign(self, data: bytes) -> bytes:
            return OTHER.sign(data, self.sig_algorithm)

    algorithm = KEY.algorithm
    pair = Borrowed(
        algorithm, algorithm, (algorithm,), (algorithm,), KEY.public_data, KEY.get_comment_bytes()
    )
    async with server(tmp_path) as opened, opened.guest(client_keys=[KEY]) as guest:
        await at_home(guest)
        (name,) = os.listdir(tmp_path / "guests")
        assert name == opened.sessions._accounts.by_key("", KEY.get_fingerprint()).who
        async with opened.guest(client_keys=[pair]) as thief:
            await thief.wait_for("Choose a password")  # without a key
            thief.type("enter")
            await at_home(thief)
            visits = [one.who for one in opened.sessions.open]
            assert visits[0] == name
            assert visits[1] != name


# --- too much ---------------------------------------------------------------------------------


async def test_more_connections_than_an_address_may_have_are_cut(tmp_path: Path) -> None:
    async with server(tmp_path, per_address=3, guests=2) as opened, AsyncExitStack() as stack:
        for _ in range(3):
            stack.push_async_exit(await opened.connect(client_keys=[KEY]))
        assert isinstance(await quiet(opened.connect(client_keys=[KEY])), Exception)
        for _ in range(10):
            floods = [await asyncio.open_connection(HERE, opened.port) for _ in range(100)]
            for reader, writer in floods:
                with suppress(OSError):
                    assert await reader.read(100) == b""  # not even the name of a program
                writer.close()
            assert opened.sessions.connections.open[HERE] == 3
        await stack.aclose()
        await until(lambda: not opened.sessions.connections.open, "the end of the connections")


@pytest.mark.parametrize("first", [b"", b"SSH-2.0-x\r\n"], ids=["none", "a greeting"])
async def test_random_bytes_instead_of_ssh_end_the_line(first: bytes, tmp_path: Path) -> None:
    rng = Random(2)
    async with server(tmp_path, per_address=100) as opened:
        async with opened.guest(client_keys=[KEY]) as guest:
            await at_home(guest)
            for _ in range(30):
                reader, writer = await asyncio.open_connection(HERE, opened.port)
                with suppress(OSError):
                    writer.write(first + rng.randbytes(rng.choice((1, 50, 5000, 100_000))) + b"\n")
                    writer.write_eof()
                    async with asyncio.timeout(PATIENCE):
                        while await reader.read(65536):
                            pass
                writer.close()
            await until(
                lambda: opened.sessions.connections.open[HERE] == 1, "the end of the others"
            )
            guest.type("o")
            await guest.wait_for("Settings")
        assert [said for said in opened.told if "could not come in" in said] == []


@pytest.mark.slow
async def test_answers_that_nobody_reads_end_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kumite.serve.ssh.SESSION", 1000.0)
    monkeypatch.setattr(ssh, "SPEED", 100 << 20)
    made = servers.listening

    def listening(*place: Any) -> socket.socket:
        sock = made(*place)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)  # else the system holds much
        return sock

    monkeypatch.setattr(servers, "listening", listening)
    async with server(tmp_path) as opened:
        connection = await opened.connect(client_keys=[KEY])
        connection.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
        connection._transport.pause_reading()
        question = String(b"nonsense@example.org"), Boolean(True)
        async with asyncio.timeout(60):
            while opened.sessions.connections.open:
                for _ in range(1000):
                    connection.send_packet(MSG_GLOBAL_REQUEST, *question)
                await asyncio.sleep(0.01)
        connection.abort()


async def test_what_comes_too_fast_is_taken_slowly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kumite.serve.ssh.SPEED", 10_000)
    monkeypatch.setattr("kumite.serve.ssh.BURST", 20_000)
    async with server(tmp_path) as opened:
        connection = await opened.connect(client_keys=[KEY])
        begun = asyncio.get_running_loop().time()
        for _ in range(10):
            for _ in range(50):
                connection.send_packet(MSG_GLOBAL_REQUEST, String(b"x" * 50), Boolean(False))
            async with asyncio.timeout(60):
                await connection._make_global_request(b"x")  # it is answered behind all of these
        assert asyncio.get_running_loop().time() - begun > 2
        connection.abort()


@pytest.mark.usefixtures("idle_app")
async def test_of_a_clients_variables_few_and_short_ones_are_kept(tmp_path: Path) -> None:
    sent = {f"NAME{number}": "x" * (200 * (number % 2)) for number in range(1000)}
    async with server(tmp_path) as opened:
        kept: list[list[int]] = []
        receive = opened.sessions.begin
        opened.sessions.begin = lambda line, *said: (
            kept.append([len(value) for value in line.env.values()]),
            receive(line, *said),
        )
        async with opened.guest(client_keys=[KEY], env=sent) as guest:
            await at_home(guest)
        assert kept == [[0] * ssh.VARIABLES]


async def test_who_never_asks_for_a_terminal_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kumite.serve.ssh.SESSION", 0.1)
    async with server(tmp_path) as opened:
        connection = await opened.connect(client_keys=[KEY])
        async with asyncio.timeout(20):
            await connection.wait_closed()
        await until(lambda: not opened.sessions.connections.open, "the end of the connection")


async def test_a_giant_window_is_drawn_as_far_as_is_reasonable(tmp_path: Path) -> None:
    async with server(tmp_path) as opened, opened.guest(client_keys=[KEY]) as guest:
        await at_home(guest)
        for columns, rows in ((2**31 - 1, 2**31 - 1), (0, 0), (65536, 1), (5000, 4000)):
            guest.process.change_terminal_size(columns, rows)
        await asyncio.sleep(3 * process.RESIZING)
        with open(f"/proc/{the_app(tmp_path)}/fd/0", "rb") as terminal:
            assert os.get_terminal_size(terminal.fileno()) == (300, 100)
        guest.type(f"\x1b[48;{2**31};{2**31};0;0t", "\x1b[48;4000;5000;0;0t")  # in its stream
        guest.process.change_terminal_size(80, 24)
        guest.type("o")
        await guest.wait_for("Settings")


async def test_a_flood_of_bytes_waits_and_harms_nobody_else(tmp_path: Path) -> None:
    rng = Random(1)
    async with (
        server(tmp_path) as opened,
        opened.guest("ada", client_keys=[KEY]) as ada,
        opened.guest("bob", client_keys=[OTHER]) as bob,
    ):
        await at_home(ada)
        await at_home(bob)
        keys = bytes(one for one in range(256) if one not in b"q\x11\x04")

        async def flood() -> None:
            for _ in range(400):
                bob.process.stdin.write(bytes(rng.choices(keys, k=8192)))
                await bob.process.stdin.drain()

        flooding = asyncio.create_task(flood())
        reading = asyncio.create_task(bob.wait_end())
        ada.type("o")
        await ada.wait_for("Settings")
        ada.type("q")
        await ada.wait_for("play here")
        flooding.cancel()
        reading.cancel()
        await asyncio.gather(flooding, reading, return_exceptions=True)


@pytest.mark.slow
async def test_an_app_whose_guest_does_not_read_waits_for_them(tmp_path: Path) -> None:
    async with server(tmp_path) as opened, opened.guest(client_keys=[KEY]) as guest:
        await at_home(guest)
        guest.process.stdout.channel.pause_reading()
        for _ in range(200):
            guest.type("\x0c")  # draw all of it again
            guest.resize(200, 60)
            await asyncio.sleep(0.01)
        guest.process.stdout.channel.resume_reading()
        guest.type("o")
        await guest.wait_for("Settings")


async def test_who_is_here_twice_has_no_more_bytes_a_second(
    tmp_path: Path, let_run: Callable[..., None]
) -> None:
    told = "import os\nwhile True: os.write(1, b'x' * 4096)"
    let_run(told)
    async with (
        server(tmp_path, speed=64) as opened,
        opened.guest(client_keys=[KEY]) as one,
        opened.guest(client_keys=[KEY]) as other,
    ):
        taken = 0

        async def read(guest: servers.Guest) -> None:
            nonlocal taken
            while data := await guest.process.stdout.read(65536):
                taken += len(data)

        reading = [asyncio.create_task(read(guest)) for guest in (one, other)]
        begun = asyncio.get_running_loop().time()
        await until(lambda: taken > 64 << 10, "what is written")
        await asyncio.sleep(3)
        passed = asyncio.get_running_loop().time() - begun
        # as the visits began earlier than we looked, some more may have come by now
        assert taken < (passed + 3 * limits.BURST) * (64 << 10)
        for guest in (one, other):
            guest.connection.abort()
        await until(lambda: not opened.sessions.open, "the end of the visits")
        await asyncio.gather(*reading, return_exceptions=True)


LEFT = """
import os, time
def leave(number):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:  # nobody's child any more
            os.close(0); os.close(1); os.close(2)
            time.sleep(600)
        os._exit(0)
    os.wait()
for number in range(5):
    leave(number)
print("five are left", flush=True)
if os.environ["USER"] != "bob":
    time.sleep(600)
"""


@pytest.mark.slow
@pytest.mark.landlock
@pytest.mark.parametrize("name", ["ada", "bob"])
async def test_nothing_that_a_visit_has_started_is_left_when_it_ends(
    name: str, tmp_path: Path, let_run: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut off, or ended by itself."""
    let_run(LEFT)
    monkeypatch.setattr(process, "GRACE", 0.2)
    async with server(tmp_path) as opened:
        async with opened.guest(name, client_keys=[KEY]) as guest:
            await guest.wait_for("five are left")
            if name == "bob":
                await guest.wait_end()
            else:
                assert len(apps(tmp_path)) == 7  # with the one that watches them
                guest.connection.abort()
        await until(lambda: not opened.sessions.open, "the end of the visit")
        assert apps(tmp_path) == []


BOMB = """
import os, signal, sys
inside = {"__name__": "inside"}
exec(sys.stdin.read(), inside)
assert inside["separate"]()
inside["limit"]("NPROC", 20)
started = []
try:
    while len(started) < 200:
        started.append(os.fork())
        if not started[-1]:
            signal.pause()
except BlockingIOError:
    pass
print(len(started))
for one in started:
    os.kill(one, signal.SIGKILL)
"""


@pytest.mark.landlock
def test_a_process_that_starts_others_without_end_is_stopped_by_the_system() -> None:
    """As any user but root, whom the system does not limit: where we are root, as nobody."""
    python, user = (sys.executable, None) if os.getuid() else ("/usr/bin/python3", 65534)
    with open(process.SANDBOX, "rb") as inside:
        told = subprocess.run(
            [python, "-c", BOMB], stdin=inside, user=user, cwd="/", capture_output=True,
            text=True, start_new_session=True, check=False, timeout=60,
        )  # fmt: skip
    assert told.stdout.strip() == "19", told.stderr


def test_a_folder_of_many_empty_files_is_full(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / str(number)).touch()
    (tmp_path / "folder").mkdir()
    assert accounts.size(tmp_path) == 301 * accounts.LEAST


async def test_an_app_that_does_not_end_is_killed(
    tmp_path: Path, let_run: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "import signal, time; signal.signal(1, signal.SIG_IGN); print('up'); time.sleep(600)"
    let_run(told)
    monkeypatch.setattr(process, "GRACE", 0.2)
    async with server(tmp_path) as opened, opened.guest(client_keys=[KEY]) as guest:
        await guest.wait_for("up")
        guest.connection.abort()
        await until(lambda: not opened.sessions.open, "the end of the visit")
        assert apps(tmp_path) == []


@pytest.mark.usefixtures("idle_app")
async def test_nobody_stays_who_types_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "LOOKING", 0.05)
    async with (
        server(tmp_path, idle=0.05) as opened,
        opened.guest("ada", client_keys=[KEY]) as ada,
        opened.guest("bob", client_keys=[OTHER]) as bob,
    ):
        await at_home(ada)
        await at_home(bob)
        reading = asyncio.create_task(ada.wait_end())
        for _ in range(20):  # 4 s
            bob.type("down")
            await asyncio.sleep(0.2)
        assert "Nothing was typed for 0.05 minutes" in (await reading)
        assert [one.name for one in opened.sessions.open] == ["bob"]


async def test_a_folder_that_is_too_full_ends_the_visit_and_the_oldest_give_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "LOOKING", 0.05)
    async with server(tmp_path, folder=1) as opened:
        async with opened.guest(client_keys=[KEY]) as guest:
            await at_home(guest)
            (own,) = (tmp_path / "guests").glob("*/own")
            for number in range(5):
                name = f"2026-01-0{number + 1}-000000-kitsu-00000{number}.kumite"
                (own / "matches" / name).write_bytes(bytes(600_000))
            assert "Your folder here is full" in await guest.wait_end()
        await until(lambda: not opened.sessions.open, "the end of the visit")
        async with opened.guest(client_keys=[KEY]) as guest:
            await at_home(guest)
            left = sorted(one.name for one in own.rglob("*.kumite"))
            assert left == ["2026-01-05-000000-kitsu-000004.kumite"]


# --- names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["\x1b]0;x\x07ada\x1b[2J", "cmd:./x", "bot:strong", "../../etc", "a" * 900, "侍\u202eb"]
)
async def test_names_steer_no_terminal_and_name_no_bot_or_file(name: str, tmp_path: Path) -> None:
    called = accounts.name_of(name)
    assert called.isprintable()
    assert not set(":,/\\") & set(called)
    assert 0 < len(called) <= accounts.LONGEST
    async with server(tmp_path) as opened:
        try:
            async with opened.guest(name, client_keys=[KEY]) as guest:
                await at_home(guest)
                guest.type("p")
                await guest.wait_for("Begin the match", called)
        except (asyncssh.Error, ValueError):  # ssh itself does not let such names pass
            assert not name.isprintable()
        assert all(one.isprintable() for one in opened.told)


# --- a process that obeys somebody else ---------------------------------------------------------

HOSTILE = """
import ctypes, os, signal, socket, sys
def tried(what, *args):
    try:
        what(*args)
    except OSError as error:
        return type(error).__name__
    return "done"
own, other, parent = os.environ["HOME"], sys.argv[1], int(sys.argv[2])
said = {
    "read the host": tried(open, "/etc/passwd"),
    "list the root": tried(os.listdir, "/"),
    "read another": tried(open, other),
    "list the server": tried(os.listdir, own + "/../.."),
    "admit itself": tried(open, own + "/../admitted", "w"),
    "write outside": tried(open, "/tmp/kumite-hostile", "w"),
    "run a shell": tried(os.execv, "/bin/sh", ["sh", "-c", "id"]),
    "link": tried(os.symlink, "/etc", own + "/x"),
    "kill the server": tried(os.kill, parent, 0),
    "begin a realm": "done" if ctypes.CDLL(None).unshare(0x10000000) == 0 else "PermissionError",
    "fill the disk": tried(lambda: open(own + "/big", "wb").write(bytes(8 << 20))),
    "write at home": tried(open, own + "/mine", "w"),
}
try:
    bytearray(900 << 20)
    said["take memory"] = "done"
except MemoryError:
    said["take memory"] = "MemoryError"
print("|".join(f"{name}={end}" for name, end in said.items()), "that is all")
"""


@pytest.mark.landlock
async def test_a_process_that_obeys_somebody_else_reaches_nothing(
    tmp_path: Path, let_run: Callable[..., None]
) -> None:
    other = tmp_path / "guests" / "another"
    other.mkdir(parents=True)
    (other / "match").write_text("secret")
    let_run(HOSTILE, str(other / "match"), str(os.getpid()))
    async with (
        server(tmp_path, folder=2, memory=512) as opened,
        opened.guest(client_keys=[KEY], size=(300, 24)) as guest,
    ):
        said = await guest.wait_for("that is all")
    found = dict(one.split("=") for one in said.split(" that is")[0].replace("\n", "").split("|"))
    assert found.pop("write at home") == "done"
    assert found.pop("take memory") == "MemoryError"
    assert found.pop("fill the disk") == "OSError"
    # in a namespace of its own it does not even find the server's process
    assert found.pop("kill the server") in ("PermissionError", "ProcessLookupError")
    assert set(found.values()) == {"PermissionError"}
    assert len(found) == 9
    assert is_running(os.getpid())
