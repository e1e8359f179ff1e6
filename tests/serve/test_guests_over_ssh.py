"""Guests who come to a server over ssh: they see the home screen, play, are cut off, come back."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import asyncssh
import pytest

from kumite.serve import sessions
from tests.support.servers import HERE, Guest, OpenServer, server, until
from tests.support.waiting import is_running

KEY = asyncssh.generate_private_key("ssh-ed25519")
OTHER = asyncssh.generate_private_key("ecdsa-sha2-nistp256")


def apps(folder: Path) -> list[int]:
    """Return the processes that run for guests of a server."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            said = (place / "environ").read_bytes()
        except OSError:
            continue
        if f"HOME={folder}/".encode() in said and is_running(int(place.name)):
            found.append(int(place.name))
    return found


def the_app(folder: Path) -> int:
    """Return the one process that runs for guests, besides that which watches it."""
    (found,) = (one for one in apps(folder) if b"sandbox.py" not in _command(one))
    return found


def _command(process: int) -> bytes:
    return (Path("/proc") / str(process) / "cmdline").read_bytes()


async def at_home(guest: Guest) -> None:
    await guest.wait_for("play here", "Enter choose")


async def begin_match(guest: Guest) -> None:
    """Go from the home screen to a table against a bot: its tile, then its set-up."""
    guest.type("enter")
    await guest.wait_for("Begin the match")
    guest.type(*["down"] * 5, "right")
    await guest.wait_for("as they sit here")  # no lot: the guest begins
    guest.type(*["up"] * 5, "enter")
    await guest.wait_for("your turn")


async def make_step(guest: Guest) -> None:
    """Slide a Samurai."""
    guest.type("enter")
    await guest.wait_for("is chosen")
    guest.type("n", "enter")
    await guest.wait_for("step 2")


async def come(opened: OpenServer, key: asyncssh.SSHKey = KEY) -> Guest:
    """Return a guest who stays until they are cut off."""
    connection = await opened.connect(client_keys=[key])
    process = await connection.create_process(
        term_type="xterm-256color", term_size=(80, 24), encoding=None
    )
    return Guest(connection, process, (80, 24))


async def test_the_log_of_a_server_speaks_of_matches_also_for_who_plays_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It said "at a table of" for one guest against a bot, as if others could join there."""
    monkeypatch.setattr(sessions, "LOOKING", 0.05)
    async with server(tmp_path) as opened, opened.guest("lou", client_keys=[KEY]) as lou:
        await at_home(lou)
        await begin_match(lou)
        await until(lambda: "lou is at a match of Kitsu!" in opened.told, "the log's line")


@pytest.mark.slow
async def test_a_guest_plays_is_cut_off_and_goes_on_with_the_match(tmp_path: Path) -> None:
    async with server(tmp_path) as opened:
        guest = await come(opened)
        await at_home(guest)
        await begin_match(guest)
        await make_step(guest)
        for step, after in (("stop", "step 3"), ("end", "turn 2")):
            guest.type(":")
            await guest.wait_for("Step:", "Enter done")
            guest.type(*step, "enter")
            await guest.wait_for(after, "q leave")
        await guest.wait_for("your turn")  # the bot has answered
        guest.resize(120, 36)
        await guest.wait_until(lambda: any("┐" in one for one in guest.screen.display), "frames")
        guest.connection.abort()
        await until(lambda: not opened.sessions.open, "the end of the visit")
        assert apps(tmp_path) == []
        async with opened.guest("ada", client_keys=[KEY]) as again:
            await again.wait_for("continue")
            again.type("enter")
            await again.wait_for("turn 3", "your turn")
            again.type("q")
            await again.wait_for("play here")
            again.type("ctrl+q")
            await again.wait_end()
    assert opened.told[-1] == "ada has left after 0 min; nobody is here"
    assert apps(tmp_path) == []


async def test_a_guest_plays_by_lines(tmp_path: Path) -> None:
    async with server(tmp_path) as opened:
        connection = await opened.connect(client_keys=[KEY])
        process = await connection.create_process(
            "plain", term_type="xterm-256color", term_size=(80, 24), encoding=None
        )
        guest = Guest(connection, process, (80, 24))
        await guest.wait_for("by lines", "is what comes next")
        for line, answer in (
            ("arena kuzushi 1 2", "Guests cannot do that"),
            ("play kuzushi --seats ada,cmd:ls", "guests cannot start programs"),
            ("play kuzushi --seats ada,bot:1", "Your turn"),
            ("hint", "A match with hints is not rated"),
            ("hint", "You would type:"),
            ("quit", "is what comes next"),
        ):
            guest.type(*line, "enter")
            await guest.wait_for(answer)
        assert "\x1b[" not in guest.written.decode()
        guest.type(*"quit", "enter")
        await guest.wait_end()
    assert apps(tmp_path) == []


async def test_a_server_that_is_opened_again_knows_its_guests(tmp_path: Path) -> None:
    async with server(tmp_path) as opened, opened.guest(client_keys=[KEY]) as guest:
        await at_home(guest)
        await begin_match(guest)
        await make_step(guest)
        await opened.sessions.close()
        assert "The server closes now" in await guest.wait_end()
    async with server(tmp_path) as opened, opened.guest("eva", client_keys=[KEY]) as guest:
        await guest.wait_for("continue")
    assert apps(tmp_path) == []


async def test_two_guests_have_folders_of_their_own(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as opened,
        opened.guest("ada", client_keys=[KEY]) as ada,
        opened.guest("ada", client_keys=[OTHER]) as bob,
    ):
        await at_home(ada)
        await begin_match(ada)
        await at_home(bob)
        bob.type("s")
        await bob.wait_for("Nothing has been played yet")
        assert len(os.listdir(tmp_path / "guests")) == 2
        assert len(list(tmp_path.rglob("*.kumite"))) == 1
        assert len(opened.sessions.open) == 2


@pytest.mark.usefixtures("idle_app")
async def test_who_comes_again_takes_the_place_of_a_lost_connection_alone(tmp_path: Path) -> None:
    async with server(tmp_path) as opened, opened.guest("ada", client_keys=[KEY]) as second:
        await at_home(second)
        lost = await come(opened)
        await at_home(lost)
        getattr(lost.connection, "_transport").pause_reading()  # noqa: B009
        async with opened.guest("ada", client_keys=[KEY]) as again:
            await at_home(again)
            assert len(opened.sessions.open) == 2
            assert opened.told[-2].startswith("ada has left")
            assert opened.told[-1].startswith("ada is here")
        lost.connection.abort()


@pytest.mark.slow
async def test_two_guests_meet_at_a_table(tmp_path: Path) -> None:
    """The table listens at the server's address alone, here inside the computer."""
    async with (
        server(tmp_path) as opened,
        opened.guest("ada", client_keys=[KEY], size=(100, 30)) as ada,
        opened.guest("bob", client_keys=[OTHER], size=(100, 30)) as bob,
    ):
        await at_home(ada)
        ada.type("h")
        await ada.wait_for("Open the table")
        ada.type("enter")
        await ada.wait_for("then type")
        code = (await ada.find(r" (\d+-\w+-\w+) "))[1]
        assert "kumite join" not in ada.text  # nobody from elsewhere can come
        await at_home(bob)
        bob.type("j")
        await bob.wait_for("Tables open here", "ada")
        assert "Type an address" not in bob.text
        await bob.go_to("ada ")
        bob.type("enter")
        await bob.wait_for("Code:")
        bob.type(*code, "enter")
        await bob.wait_for("ada", "bob", "ready")
        bob.type("enter")
        await ada.wait_for("bob", "start")
        ada.type("s")
        await ada.wait_for("turn 1")
        await until(lambda: len(list(tmp_path.rglob("*.kumite"))) == 2, "a log of each guest")


@pytest.mark.slow
async def test_who_has_no_key_is_known_by_name_and_password(tmp_path: Path) -> None:
    async with server(tmp_path) as opened:
        for name, word, is_known in (
            ("ada", "sesame", False),
            ("ada", "sesame", True),
            ("ada", "Sesame", False),
            ("bob", "sesame", False),
            ("ada", "", False),
        ):
            async with opened.guest(name) as guest:
                await guest.wait_for("Choose a password")
                guest.type(word, "enter")
                if word and not is_known:
                    await guest.wait_for("Repeat it to begin")
                    guest.type(word, "enter")
                await at_home(guest)
                assert not word or word.encode() not in guest.written
                assert ("continue" in guest.text) == is_known
                if not is_known:
                    await begin_match(guest)
                    await make_step(guest)
            await until(lambda: not opened.sessions.open, "the end of the visit")
        assert len(os.listdir(tmp_path / "guests")) == 3
        assert os.listdir(tmp_path / "passing") == []


async def test_who_is_not_known_again_is_told_before_a_table(tmp_path: Path) -> None:
    said = "Your seat is kept only with a password or an ssh key: connect again"
    async with server(tmp_path) as opened:
        async with opened.guest("ada", size=(120, 24)) as guest:
            await guest.wait_for("nothing is kept")
            guest.type("enter")
            await at_home(guest)
            guest.type("h")
            await guest.wait_for("Open the table", said)
            guest.type("escape")
            await at_home(guest)
            guest.type("t")
            await guest.wait_for("Organise a tournament")
            guest.type("enter")
            await guest.wait_for("Open the tournament", said)
        async with opened.guest("bob", size=(120, 24), term="dumb") as by_lines:
            await by_lines.wait_for("Choose a password")
            by_lines.type("enter")
            await by_lines.wait_for("is what comes next")
            by_lines.type(*"host kuzushi", "enter")
            await by_lines.wait_for(said)
        async with opened.guest("eva", client_keys=[KEY]) as known:
            await at_home(known)
            known.type("h")
            await known.wait_for("Enter opens it and shows the code")


async def test_what_a_guest_never_used_is_not_kept(tmp_path: Path) -> None:
    async with server(tmp_path) as opened:
        async with opened.guest(client_keys=[KEY]) as guest:
            await at_home(guest)
            assert len(os.listdir(tmp_path / "guests")) == 1
        await until(lambda: not opened.sessions.open, "the end of the visit")
        assert os.listdir(tmp_path / "guests") == []


@pytest.mark.slow
async def test_a_code_is_asked_for_once(tmp_path: Path) -> None:
    async with server(tmp_path, code="torii") as opened:
        for is_known in (False, True):
            async with opened.guest(client_keys=[KEY]) as guest:
                if not is_known:
                    limit = "You have 10 minutes to answer; ctrl+c leaves."
                    await guest.wait_for(limit, "The code of this server:")
                    guest.type("torii", "enter")
                await at_home(guest)
                assert "code of this server" not in guest.text
                if not is_known:
                    await begin_match(guest)
                    await make_step(guest)  # one who leaves nothing behind is forgotten
            await until(lambda: not opened.sessions.open, "the end of the visit")


async def test_a_wrong_code_lets_nobody_in_and_the_next_has_to_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kumite.serve.limits.FIRST_WAIT", 0.05)
    async with server(tmp_path, code="torii") as opened:
        async with opened.guest(client_keys=[KEY]) as guest:
            await guest.wait_for("The code of this server:")
            for word in ("", "Torii", "torii2"):
                guest.type(word, "enter")
            assert "Ask the person who runs this server" in await guest.wait_end()
        monkeypatch.setattr("kumite.serve.limits.FIRST_WAIT", 50.0)
        opened.sessions.codes.wrong(HERE, "ada", asyncio.get_running_loop().time())
        async with opened.guest(client_keys=[KEY]) as guest:
            assert "wait" in await guest.wait_end()
        assert apps(tmp_path) == []
        assert opened.told.count("a wrong code from 127.0.0.1") == 3


@pytest.mark.usefixtures("idle_app")
async def test_guessing_at_somebodys_password_takes_longer_and_longer(tmp_path: Path) -> None:
    async with server(tmp_path) as opened:
        for typed in (("one", "two") * 3, ("one", "one")):
            async with opened.guest("ada") as guest:
                known = "knows guests by their ssh keys; you have shown none."
                await guest.wait_for(known, "Choose a password")
                for word in typed:
                    guest.type(word, "enter")
                if typed[0] != typed[1]:
                    last = await guest.wait_end()
                    assert "The two did not match." in last
                    assert "lets you in without a password" in last
                else:
                    await at_home(guest)
        opened.sessions.passwords.wrong("10.0.0.1", "ada", asyncio.get_running_loop().time() + 50)
        async with opened.guest("ada") as guest:
            await guest.wait_for("Choose a password")
            guest.type("three", "enter")
            assert "Wrong passwords were tried for ada: wait" in await guest.wait_end()
        async with opened.guest("bob") as guest:  # another's name is not held up
            await guest.wait_for("Choose a password")
            guest.type("three", "enter", "three", "enter")
            await at_home(guest)
        async with opened.guest("ada", client_keys=[KEY]) as guest:  # nor a key
            await at_home(guest)


@pytest.mark.usefixtures("idle_app")
async def test_only_the_keys_of_a_file_come_in(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_bytes(b"# of friends\n" + KEY.export_public_key())
    async with server(tmp_path, keys="keys") as opened:
        async with opened.guest(client_keys=[KEY]) as guest:
            await at_home(guest)
        with pytest.raises(asyncssh.PermissionDenied):
            await opened.connect(client_keys=[OTHER])
        with pytest.raises(asyncssh.PermissionDenied):
            await opened.connect()
        file.write_bytes(OTHER.export_public_key())  # it is read anew
        with pytest.raises(asyncssh.PermissionDenied):
            await opened.connect(client_keys=[KEY])


@pytest.mark.usefixtures("idle_app")
async def test_an_app_is_told_nothing_of_the_hosts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_HOST", "1")
    sent = {"LD_PRELOAD": "/tmp/x.so", "PATH": "/tmp", "LANG": "ja_JP.UTF-8", "COLORTERM": "24bit"}
    async with (
        server(tmp_path) as opened,
        opened.guest("ada", client_keys=[KEY], env=sent, term="xterm;rm -rf /") as guest,
    ):
        await at_home(guest)
        process = the_app(tmp_path)
        lines = Path(f"/proc/{process}/environ").read_text().rstrip("\0").split("\0")
        found = dict(one.split("=", 1) for one in lines)
        assert not {"SECRET_OF_THE_HOST", "LD_PRELOAD", "PATH", "SSH_CONNECTION"} & found.keys()
        assert (found["LANG"], found["COLORTERM"], found["TERM"]) == (
            "ja_JP.UTF-8", "truecolor", "xterm",
        )  # fmt: skip
        assert found["USER"] == "ada"
        own = f"{tmp_path}/guests/"
        of_host = [name for name, value in found.items() if value.startswith(str(tmp_path.parent))]
        assert all(found[name].startswith(own) for name in of_host)
        assert os.readlink(f"/proc/{process}/cwd").startswith(own)
