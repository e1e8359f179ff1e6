"""Guests' sessions over any connection, from login to end."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from hmac import compare_digest
from pathlib import Path
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

from kumite.core.games import GAMES
from kumite.serve.accounts import Accounts, Guest, name_of
from kumite.serve.bot_queue import BotQueue
from kumite.serve.cgroups import Groups
from kumite.serve.lan import Lan
from kumite.serve.limits import Connections, Guesses, TokenBucket, origin_of
from kumite.serve.process import App, program
from kumite.serve.settings import Settings
from kumite.serve.terminal import Terminal, ask
from kumite.store.whole_files import reason

MOST_UNKEPT: Final = 1000  # names of lost seats to remember
LOGIN: Final = 10  # minutes for the whole login; each prompt names it
CONNECTING: Final = 64  # connections without a session, over all addresses
SAME: Final = 4  # simultaneous sessions of one guest
NEW_ONES: Final = 4  # new passwords allowed per connection from an address
TRIES: Final = 3  # codes, or passwords, in one session
ENDING: Final = 10.0  # s to wait for the end of a session whose connection is lost
LOOKING: Final = 5.0  # s between checks of what guests play
GAME_OF: Final = re.compile(r"\d{4}-\d\d-\d\d-\d{6}-([a-z]+)-")  # the name of a log
LIMIT: Final = f"You have {LOGIN} minutes to answer; ctrl+c leaves.\r\n"
PASSWORD: Final = "Choose a password, or type your last one (Enter: none, nothing is kept):"
REPEAT: Final = "Nothing is kept under this password yet. Repeat it to begin:"
UPDATED: Final = "The server has been updated; its owner should restart it."
LOST: Final = (
    "You played here without a password: nothing of it is kept, and a seat at a table is lost."
)
CLOSING: Final = "The server closes now."


class Client(NamedTuple):
    """A connecting client, as far as the connection tells."""

    name: str  # unchecked
    address: str
    key: str = ""  # fingerprint of an ssh key whose possession was proved
    cookie: str = ""  # the secret that the browser was given


@dataclass(slots=True)
class Session:
    """The session of a guest."""

    who: str  # the name of their folder
    name: str
    since: float
    terminal: Terminal
    playing: str = ""  # the title of the game started last
    is_over: asyncio.Event = field(default_factory=asyncio.Event)


class Sessions:
    """All sessions of a server, reported to its operator."""

    def __init__(
        self, settings: Settings, folder: Path, address: str, tell: Callable[[str], object]
    ) -> None:
        """`address`: where guests' tables listen."""
        self.settings, self.lan = settings, Lan(address)
        self.bots = BotQueue(settings.thoughts)
        self.groups: Groups | None = None  # limits of memory, where we may set them
        each = settings.per_address
        self.connections = Connections(each, settings.guests + CONNECTING)
        self.open: list[Session] = []
        self.codes = Guesses("codes")
        # An address with more possible guests may also have more new ones.
        self.passwords = Guesses("passwords", free_of_address=NEW_ONES * each)
        self._accounts, self._tell = Accounts(folder, settings.kept), tell
        self._rates: WeakValueDictionary[str, TokenBucket] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()
        self._program = program()
        self._unkept: set[str] = set()  # names of guests who have played without a password

    def begin(self, terminal: Terminal, client: Client) -> None:
        task = asyncio.create_task(self._run(terminal, client))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.lan.close()

    def why_not(self, who: str) -> str:
        if len(self.open) >= self.settings.guests:
            return f"All {self.settings.guests} places here are taken. Try again later."
        if sum(one.who == who for one in self.open) >= SAME:
            return f"You are connected {SAME} times already."
        return ""

    async def _run(self, terminal: Terminal, client: Client) -> None:
        said, guest = "", None
        try:
            guest, said = await self._logged_in(terminal, client)
            if guest is not None:
                await asyncio.gather(*(_end_lost(one) for one in self.open if one.who == guest.who))
                said = self.why_not(guest.who) or await self._play(terminal, client, guest)
        except asyncio.CancelledError:
            said = f"{CLOSING}{guest.saved if guest else ''}"
        except OSError as error:
            said = "The server has an error; its operator has been notified."
            self._tell(f"a guest from {client.address} could not come in: {reason(error)}")
        finally:
            if said:
                terminal.write(f"{said}\r\n".encode())
            terminal.end()

    # --- who it is --------------------------------------------------------------------------------

    async def _logged_in(self, terminal: Terminal, client: Client) -> tuple[Guest | None, str]:
        try:
            async with asyncio.timeout(LOGIN * 60):
                guest, why = await self._login(terminal, client)
                if guest and await asyncio.to_thread(program) != self._program:
                    self._tell("kumite was updated while it runs here: restart this server")
                    if await ask(terminal, f"{UPDATED} Tables may fail. Enter: go on") is None:
                        return None, "Goodbye."
                return guest, why
        except TimeoutError:
            return None, "That took too long. Connect again."

    async def _login(self, terminal: Terminal, client: Client) -> tuple[Guest | None, str]:
        name, code, accounts = name_of(client.name), self.settings.code, self._accounts
        guest = None
        if client.key:
            guest = accounts.by_key(name, client.key)
        elif client.cookie:
            guest = accounts.by_cookie(name, client.cookie)
        is_asked = bool(code) and not (guest and accounts.is_admitted(guest, code))
        if is_asked or not guest:
            terminal.write(LIMIT.encode())
        if is_asked:
            if why := await self._ask_code(terminal, client):
                return None, why
            if guest and not guest.is_temporary:
                accounts.admit(guest, code)
        if guest:
            return guest, ""
        known = "This server knows guests by their ssh keys; you have shown none."
        terminal.write(f"Welcome, {name}.\r\n{known}\r\n".encode())
        return await self._ask_password(terminal, client, name)

    async def _ask_password(
        self, terminal: Terminal, client: Client, name: str
    ) -> tuple[Guest | None, str]:
        """Ask for a password; a new one is asked for twice, and counts as a guess."""
        guesses, now = self.passwords, asyncio.get_running_loop().time
        origin = origin_of(client.address)
        for _ in range(TRIES):
            password = await ask(terminal, PASSWORD, is_secret=True)
            if password is None:
                return None, "Goodbye."
            if not password and name in self._unkept:
                self._unkept.discard(name)
                await ask(terminal, f"{LOST} Enter: go on")
            if not password:
                return self._accounts.temporary(name), ""
            if why := guesses.why_not(origin, name, now()):
                return None, why
            guest = await asyncio.to_thread(self._accounts.by_password, name, password)
            if not guest.is_temporary and guest.place.exists():
                return guest, ""
            guesses.wrong(origin, name, now())
            if password == await ask(terminal, REPEAT, is_secret=True):
                return guest, ""
            terminal.write(b"The two did not match.\r\n")
        return None, "Connect again; Enter alone lets you in without a password."

    async def _ask_code(self, terminal: Terminal, client: Client) -> str:
        """Ask for the server's code; return the reason for a refusal, "" if it is right."""
        guesses, now = self.codes, asyncio.get_running_loop().time
        origin, name = origin_of(client.address), name_of(client.name)
        for _ in range(TRIES):
            if why := guesses.why_not(origin, name, now()):
                return why
            said = await ask(terminal, "The code of this server:", is_secret=True)
            if said is None:
                return "Goodbye."
            if why := guesses.why_not(origin, name, now()):  # another connection tried meanwhile
                return why
            if compare_digest(said.strip().encode(), self.settings.code.encode()):
                guesses.right(origin)
                return ""
            guesses.wrong(origin, name, now())
            self._tell(f"a wrong code from {client.address}")
            terminal.write(b"That code is wrong.\r\n")
            await asyncio.sleep(guesses.wait(origin, name, now()) + 0.01)
        return "Ask the person who runs this server for its code."

    # --- the app ----------------------------------------------------------------------------------

    async def _play(self, terminal: Terminal, client: Client, guest: Guest) -> str:
        now = asyncio.get_running_loop().time
        session = Session(guest.who, guest.name, now(), terminal)
        self.open.append(session)
        following = None
        try:
            await asyncio.to_thread(self._accounts.prepare, guest, self.settings.folder << 20)
            self._tell(f"{guest.name} is here, from {client.address}, {_known_by(client, guest)}")
            following = asyncio.create_task(self._follow(session, guest))
            fresh = TokenBucket(self.settings.speed << 10, now())
            rate = self._rates.setdefault(guest.who, fresh)  # one for all their sessions
            app = App(guest, terminal, self.settings, self.lan, self.bots, rate, self.groups)
            return await app.run()
        finally:
            if following is not None:
                following.cancel()
            self.open.remove(session)
            if guest.is_temporary and session.playing and len(self._unkept) < MOST_UNKEPT:
                self._unkept.add(guest.name)
            session.is_over.set()
            if not any(one.who == guest.who for one in self.open):
                self._accounts.tidy(guest)
            minutes = (now() - session.since) / 60
            self._tell(f"{guest.name} has left after {minutes:.0f} min; {self._who_is_here()}")

    async def _follow(self, session: Session, guest: Guest) -> None:
        """Tell the operator which games a guest starts."""
        known = set(_logs(guest))
        while True:
            await asyncio.sleep(LOOKING)
            for name in sorted(set(_logs(guest)) - known):
                known.add(name)
                game = GAME_OF.match(name)
                if game and game[1] in GAMES:
                    session.playing = GAMES[game[1]].TITLE
                    self._tell(f"{guest.name} is at a match of {session.playing}")

    def _who_is_here(self) -> str:
        here = [f"{one.name} ({one.playing})" if one.playing else one.name for one in self.open]
        return f"{len(here)} here: {', '.join(here)}" if here else "nobody is here"


async def _end_lost(session: Session) -> None:
    """Wait for the end of a session whose connection is lost: until then it holds its matches."""
    if not await session.terminal.is_there():
        with suppress(TimeoutError):
            await asyncio.wait_for(session.is_over.wait(), ENDING)


def _logs(guest: Guest) -> list[str]:
    with suppress(OSError):
        return [one.name for one in guest.matches.iterdir()]
    return []


def _known_by(client: Client, guest: Guest) -> str:
    if guest.is_temporary:
        return "without saved data"
    return "in a browser" if client.cookie else client.key or "known by a password"
