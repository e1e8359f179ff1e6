"""A guest's visit from the door to the end, by whatever line; and the host of all visits."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from hmac import compare_digest
from typing import TYPE_CHECKING, Final, NamedTuple
from weakref import WeakValueDictionary

from kumite.core.games import GAMES
from kumite.serve.allowance import Allowance
from kumite.serve.guests import Book, name_of
from kumite.serve.house import House, Visit, origin_of
from kumite.serve.line import ask
from kumite.serve.network import Network
from kumite.serve.process import App
from kumite.serve.thinking import Desk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kumite.serve.guests import Guest
    from kumite.serve.line import Line
    from kumite.serve.terms import Terms

AT_THE_DOOR: Final = 60.0  # s in which a guest must have said what they are asked
TRIES: Final = 3  # codes in one visit
LOOKING: Final = 5.0  # s between looks at what guests play
GAME_OF: Final = re.compile(r"\d{4}-\d\d-\d\d-\d{6}-([a-z]+)-")  # a log's name
WORD: Final = "A word of your own, to find your matches again (Enter: none, nothing is kept):"
AGAIN: Final = "Nothing is kept under this word yet. Once more, to begin with it:"
CLOSING: Final = "This house closes now; what was played is saved."


class Caller(NamedTuple):
    """Who is at the door, as far as the line tells."""

    name: str  # any text
    address: str
    key: str = ""  # the fingerprint of an ssh key that they have proved to have
    cookie: str = ""  # the secret that their browser was given


class Host:
    """Receives guests, and tells the operator of them."""

    def __init__(
        self, terms: Terms, folder: Path, address: str, tell: Callable[[str], object]
    ) -> None:
        """`address` is where guests' tables may listen.

        Raises:
            OSError: the folder cannot be used.
        """
        self.terms, self.house, self.desk = terms, House(terms), Desk(terms.thoughts)
        self.network = Network(address)
        self._book, self._tell = Book(folder, terms.kept), tell
        self._allowances: WeakValueDictionary[str, Allowance] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()

    def receive(self, line: Line, caller: Caller, close: Callable[[], object]) -> None:
        """Let a visit begin; `close` is called at its end."""
        task = asyncio.create_task(self._receive(line, caller, close))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End all visits: apps save and end, or are killed."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.network.close()

    async def _receive(self, line: Line, caller: Caller, close: Callable[[], object]) -> None:
        said = ""
        try:
            guest, said = await self._known(line, caller)
            if guest is not None:
                said = self.house.why_not(guest.who) or await self._visit(line, caller, guest)
        except asyncio.CancelledError:
            said = CLOSING
        except OSError as error:
            said = "This house has a fault; its operator is told."
            self._tell(f"a guest from {caller.address} could not come in: {error}")
        finally:
            if said:
                line.write(f"{said}\r\n".encode())
            close()

    # --- at the door ------------------------------------------------------------------------------

    async def _known(self, line: Line, caller: Caller) -> tuple[Guest | None, str]:
        """Return the guest, or why they cannot come in."""
        try:
            async with asyncio.timeout(AT_THE_DOOR):
                return await self._asked(line, caller)
        except TimeoutError:
            return None, "That took too long; come again."

    async def _asked(self, line: Line, caller: Caller) -> tuple[Guest | None, str]:
        name = name_of(caller.name)
        if caller.key or caller.cookie:
            book = self._book
            guest = (
                book.by_key(name, caller.key) if caller.key else book.by_cookie(name, caller.cookie)
            )
            code = self.terms.code
            if code and not self._book.is_admitted(guest, code):
                if why := await self._ask_code(line, caller):
                    return None, why
                if not guest.is_passing:
                    self._book.admit(guest, code)
            return guest, ""
        if self.terms.code and (why := await self._ask_code(line, caller)):
            return None, why
        known = "This house knows its guests by their ssh keys; you have shown none."
        line.write(f"Welcome, {name}.\r\n{known}\r\n".encode())
        return await self._ask_word(line, caller, name)

    async def _ask_word(self, line: Line, caller: Caller, name: str) -> tuple[Guest | None, str]:
        """Ask for a guest's own word; a new one is asked for twice, and is as good as a guess."""
        words, now = self.house.words, asyncio.get_running_loop().time
        origin = origin_of(caller.address)
        for _ in range(TRIES):
            word = await ask(line, WORD, is_secret=True)
            if word is None:
                return None, "Goodbye."
            if not word:
                return self._book.passing(name), ""
            if why := words.why_not(origin, name, now()):
                return None, why
            guest = await asyncio.to_thread(self._book.by_word, name, word)
            if not guest.is_passing and guest.place.exists():
                return guest, ""
            words.wrong(origin, name, now())
            if word == await ask(line, AGAIN, is_secret=True):
                return guest, ""
            line.write(b"The two did not match.\r\n")
        return None, "Come again; Enter alone lets you in without a word."

    async def _ask_code(self, line: Line, caller: Caller) -> str:
        """Ask for the house's code; return why somebody cannot come in, nothing if they can."""
        codes, now = self.house.codes, asyncio.get_running_loop().time
        origin, name = origin_of(caller.address), name_of(caller.name)
        for _ in range(TRIES):
            if why := codes.why_not(origin, name, now()):
                return why
            said = await ask(line, "The code of this house:", is_secret=True)
            if said is None:
                return "Goodbye."
            if why := codes.why_not(origin, name, now()):  # another line tried meanwhile
                return why
            if compare_digest(said.strip().encode(), self.terms.code.encode()):
                codes.right(origin)
                return ""
            codes.wrong(origin, name, now())
            self._tell(f"a wrong code from {caller.address}")
            line.write(b"That is not it.\r\n")
            await asyncio.sleep(codes.wait(origin, name, now()) + 0.01)
        return "Ask whoever has opened this house for its code."

    # --- inside -----------------------------------------------------------------------------------

    async def _visit(self, line: Line, caller: Caller, guest: Guest) -> str:
        """Let a guest play; return why that was ended, if it was."""
        now = asyncio.get_running_loop().time
        visit = Visit(guest.who, guest.name, caller.address, now())
        self.house.enter(visit)
        following = None
        try:
            await asyncio.to_thread(self._book.prepare, guest, self.terms.folder << 20)
            self._tell(f"{guest.name} is here, from {caller.address}, {_known_by(caller, guest)}")
            following = asyncio.create_task(self._follow(visit, guest))
            fresh = Allowance(self.terms.speed << 10, now())
            allowance = self._allowances.setdefault(guest.who, fresh)  # one for all their visits
            app = App(guest, line, self.terms, self.network, self.desk, allowance)
            return await app.run()
        finally:
            if following is not None:
                following.cancel()
            self.house.leave(visit)
            if not any(one.who == guest.who for one in self.house.visits):
                self._book.tidy(guest)
            minutes = (now() - visit.since) / 60
            self._tell(f"{guest.name} has left after {minutes:.0f} min; {self.company()}")

    async def _follow(self, visit: Visit, guest: Guest) -> None:
        """Tell the operator what a guest begins to play."""
        known = set(_logs(guest))
        while True:
            await asyncio.sleep(LOOKING)
            for name in sorted(set(_logs(guest)) - known):
                known.add(name)
                game = GAME_OF.match(name)
                if game and game[1] in GAMES:
                    visit.doing = GAMES[game[1]].TITLE
                    self._tell(f"{guest.name} plays {visit.doing}")

    def company(self) -> str:
        """Say who is here."""
        here = [f"{one.name} ({one.doing})" if one.doing else one.name for one in self.house.visits]
        return f"{len(here)} here: {', '.join(here)}" if here else "nobody is here"


def _logs(guest: Guest) -> list[str]:
    with suppress(OSError):
        return [one.name for one in guest.matches.iterdir()]
    return []


def _known_by(caller: Caller, guest: Guest) -> str:
    if guest.is_passing:
        return "of whom nothing is kept"
    return "in a browser" if caller.cookie else caller.key or "known by a word"
