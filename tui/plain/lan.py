"""LAN tables in line mode: choosing one, and the match."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kumite.core.errors import KumiteError
from kumite.core.game import Seat
from kumite.net.crypto.pairing import parse_code
from kumite.net.session import events
from kumite.net.transport import beacons, discovery, invites, network
from kumite.net.transport.discovery import Found
from kumite.net.transport.invites import Invite
from kumite.net.wire import posts
from kumite.tui.plain import words
from kumite.tui.plain.exploring import Explorer
from kumite.tui.plain.table import PlainTable
from kumite.tui.play import first
from kumite.tui.play.lan_table import LanTable
from kumite.tui.play.narration import Remark
from kumite.tui.play.network_words import reason
from kumite.tui.play.terms import table_of
from kumite.tui.scenes.lines import capital
from kumite.tui.settings import Settings

if TYPE_CHECKING:
    from kumite.tui.plain.console import Console


WAYS: Final = "Type a number of the list, an address or a code; quit goes back."


class LanPlainTable(PlainTable):
    """Play a LAN match in line mode until the table is left or closed."""

    help_lines = (*words.HELP, *words.LAN_HELP)
    lan: LanTable

    def __init__(self, table: LanTable, console: Console, settings: Settings) -> None:
        super().__init__(table, console, settings)
        self.lan = table
        self._remarks = 0  # number of remarks told
        self._match_id = ""
        self._has_told_result = False
        table.listener = self._heard

    def greet(self) -> None:
        """Introduce the match, its players and the words to compare."""
        self._begin_match()
        super().greet()
        self.console.say(self.lan.compare)

    def _begin_match(self) -> None:
        header = self.lan.header
        if header is not None and header.match_id != self._match_id:
            self._match_id, self._remarks, self._has_told_result = header.match_id, 0, False
            self._told = {}
            self.model = replace(self.model, looking=None)

    # --- what there is to say -----------------------------------------------------------------

    @property
    def reads(self) -> bool:
        """True if input is read: always, except while a step is in transit."""
        return not self.lan.is_sending

    def tell(self) -> None:
        """Describe new steps and remarks."""
        super().tell()
        new = self.lan.remarks[self._remarks :]
        self._remarks = len(self.lan.remarks)
        self.console.say(*map(self._in_words, new))
        offer = self.lan.offer
        if new and self.lan.mine and offer is not None and not offer.is_ours:
            self.console.say("Type yes or no.")
        if new and self.lan.votes:
            self.console.say(f"Votes: {self.lan.said_of_votes}.")

    def end(self) -> None:
        """Tell the result once; the table stays open until the player leaves."""
        if not self._has_told_result:
            self._has_told_result = True
            can = "Type rematch, vote, say, or quit." if self.lan.mine else "Type quit to leave."
            can = "Type rematch to play in the next match, or quit." if self.lan.can_wish else can
            stays = bool(self.lan.mine) and first.has_partners(self.lan.match.setup)
            can += " Partners stay; a new table changes them." * stays
            if self.lan.is_of_tournament:
                can = "Type quit to go back to the tournament."
            score = [f"So far: {self.lan.score}."] * bool(self.lan.score)
            self.console.say(words.result(self.table), *Explorer(self.model).score(), *score, can)
        if self.lan.closed:
            self.leave()
        elif self.reads:
            self.console.prompt()

    def go_on(self) -> None:
        """Describe what is new; leave if the table is closed."""
        if self.lan.closed and not self.is_over:
            self.tell()
            stopped = self.lan.stopped
            hint = reason(stopped)[1] if stopped is not None else ""
            self.console.say(hint or "The table is closed.")
            self.leave()
        else:
            super().go_on()

    def leave(self) -> None:
        if not self.lan.closed:
            self.lan.peer.leave()
        super().leave()

    # --- what the network tells, what is typed ------------------------------------------------

    def _heard(self, event: events.Event) -> None:
        match event:
            case events.MatchBegan():
                self._begin_match()
                self.console.say(*[self.lan.compare] * self.lan.has_new_words)
            case events.NotDone():
                text, hint = reason(event)
                self.apply(self.model.refused(KumiteError(text, hint=hint)))
            case events.MatchChanged():
                self.follow()
                self.apply(self.model.made())
            case events.Chose(seat, step) if seat in self.lan.mine:
                said = f": {step}" * (seat == self.lan.only_person)
                self.console.say(f"Your choice is made{said}. It is shown when all have chosen.")

    def _rematch(self, who: str) -> None:
        """Offer a rematch with the loser, or `who`, in seat 1."""
        names = self.lan.shown_names
        if self.lan.can_wish:
            self.lan.peer.ready(not self.lan.watching.is_ours)
        elif who in names:
            self.lan.peer.offer(posts.AGAIN, names.index(who))
        elif who:
            self.console.say(f"Nobody here is {who}. Who has seat 1? {', '.join(names)}")
        else:
            self.lan.offer_next(posts.AGAIN)

    def _vote(self, game: str) -> None:
        games = self.lan.next_games
        if game in games:
            self.lan.offer_next(posts.VOTE, game)
            return
        self.console.say(
            f"What next? Type vote and a game: {', '.join(games)}.{self.lan.cost_of_other}"
        )
        self.console.say(*[f"Votes: {self.lan.said_of_votes}."] * bool(self.lan.votes))

    @property
    def commands(self) -> Mapping[str, Callable[[str], object]]:
        peer = self.lan.peer
        found: dict[str, Callable[[str], object]] = {
            **super().commands,
            "hint": lambda _: self.console.say("At a LAN table there is no help."),
            "say": partial(self.talk, peer.say),
            "draw": lambda _: peer.offer(posts.DRAW),
            "rematch": self._rematch,
            "vote": self._vote,
            "yes": lambda _: peer.answer(True),
            "no": lambda _: peer.answer(False),
            "who": self._who,
        }
        if self.lan.can_be_gone:
            found["gone"] = self._gone
        if self.lan.stood_for is not None and self.table.vacant_to_act() is None:
            found["bot"] = self._stand_in
        return found

    def _in_words(self, remark: Remark) -> str:
        """Return a remark as a line; chat is marked with `>`, which no other line begins with."""
        return f"> {remark.text}" if remark.is_talk else remark.text

    def _stand_in(self, said: str) -> None:
        """Let a bot take over for an absent player, after confirmation."""
        if self.lan.stood_for is None:
            return
        if said == "plays on":
            self.lan.peer.offer(posts.SEAT, self.lan.stood_for)
            return
        who = self.lan.shown_names[self.lan.stood_for]
        self.console.say(
            f"A bot would play on for {who}, who could only look on after that.",
            "Type `bot plays on` to say so.",
        )

    def _gone(self, said: str) -> None:
        """Declare an absent player gone, after confirmation."""
        if said == "for good":
            self.lan.peer.offer(posts.GONE)
        else:
            self.console.say(
                f"{self.lan.absences.said_of_missed}.", "Type `gone for good` to say so."
            )

    def _who(self, _: str) -> None:
        lan, now = self.lan, self.lan.clock()
        self.console.say(lan.compare)
        for number, name in enumerate(lan.shown_names):
            seat = Seat(number)
            said = [name, "you" if seat in lan.mine else ""]
            said.append(f"{lan.clocks.shown(seat, now)} left" if lan.clocks.left else "")
            said.append(lan.absences.trouble.get(seat, ("", ""))[0] or lan.thinking(seat, now))
            self.console.say(", ".join(filter(None, said)) + ".")
        if lan.stood_for is not None:
            self.console.say("Type bot to let a bot play on for them.")
        if lan.can_be_gone:
            self.console.say("Type gone if somebody is gone for good.")


# --- the way to a table ---------------------------------------------------------------------------


async def completed(invite: Invite, console: Console) -> Invite | Path | None:
    """Return the invite with its address and code, which are found or asked for.

    Return the log of our match at a table that waits for us; None if the user gives up.

    Raises:
        KumiteError: no table is found by the code.
    """
    if not invite.addresses and not invite.code:
        chosen = await choose_table(console)
        if not isinstance(chosen, Invite):
            return chosen
        invite = chosen
    if not invite.addresses:
        found = await asyncio.to_thread(invites.find_table, invite.code, network.finder)
        invite = invite._replace(addresses=found.addresses, port=found.table.port)
    code = invite.code or await ask_code(console)
    return invite._replace(code=code) if code else None


async def choose_table(console: Console) -> Invite | Path | None:
    """List the tables on this LAN until one is chosen, or an address or a code is typed.

    Of a table at which we have a seat return the log of our match; None if the user gives up.
    """
    console.begin()
    console.say(f"Looking for tables. {WAYS}")
    finder = network.finder(console.post)
    starting = asyncio.create_task(_start(finder, console))
    seats = beacons.own_seats()
    seat_finder = partial(beacons.seat_finder, network.finder, seats, console.post)
    search = beacons.Background(seat_finder) if seats else None
    found: dict[str, Found] = {}  # by key; the list is numbered in this order
    try:
        while True:
            console.prompt()
            match await console.next():
                case discovery.Found() as table:
                    found[table.key] = table
                    console.say(f"{[*found].index(table.key) + 1}: {_listed(table)}")
                case discovery.Unanswered():
                    console.say("The server does not answer. Leave, and come again.")
                    found.clear()
                case discovery.Vanished() | None as news:
                    if news is None:
                        return None
                case KumiteError() as error:
                    console.say(f"{error}. Type an address.")
                case str(line) if line in ("", "quit"):
                    return None
                case str(line) if line in ("help", "?"):
                    console.say(WAYS)
                case str(line) if line.isdecimal() and 0 < int(line[:3]) <= len(found):
                    table = [*found.values()][int(line[:3]) - 1]
                    if isinstance(table, discovery.Awaiting):
                        return table.log
                    console.say(f"{capital(table_of(table.table), [table.table.name])}.")
                    return invites.Invite(table.addresses, table.table.port, "")
                case line:
                    try:
                        return invites.parse_invite(line)
                    except KumiteError as error:
                        console.say(str(error), error.hint)
    finally:
        await starting
        finder.close()
        if search is not None:
            search.close()


async def _start(finder: Any, console: Console) -> None:
    try:
        await asyncio.to_thread(finder.start)
    except KumiteError as error:
        console.post(error)


def _listed(found: Found) -> str:
    table = found.table
    if not found.is_ours:
        return f"another version, kumite {table.program or 'unknown'}"
    if isinstance(found, discovery.Awaiting):
        return f"{table.name}, {table.title}, waits for you: no code is needed"
    free = f"{table.free} free" if table.free else "full"
    free = "a tournament" if table.is_tournament else free
    others = f", with {table.others}" * bool(table.others)
    return f"{table.name}{others}, {table.title}, {free}, at {found.addresses[0]}"


async def ask_code(console: Console) -> str | None:
    """Ask for the code of a table; None if the user gives up."""
    console.begin()
    console.say("The code on the host's screen, such as 7-torii-lantern:")
    while True:
        console.prompt()
        line = await console.next()
        if not line:
            return None
        try:
            return invites.parse_invite(line).code or parse_code(line)
        except KumiteError as error:
            console.say(str(error), error.hint)
