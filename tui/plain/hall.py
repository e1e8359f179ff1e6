"""The hall of a tournament in line mode: it tells what is new, and does what is typed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from kumite.core.errors import KumiteError
from kumite.core.tournament.event import FEWEST, Result
from kumite.core.tournament.standing import half, standing
from kumite.net.session import events
from kumite.net.wire import hall as wire
from kumite.tui.bots.service import BotService
from kumite.tui.plain.lan import LanDesk
from kumite.tui.play.hall import EnteredHall, Hall, OrganisedHall
from kumite.tui.play.hall_bot import HallBot
from kumite.tui.play.hall_words import (
    RESULTS,
    are_away,
    missing_text,
    pairing_text,
    winner_text,
)
from kumite.tui.play.lan_table import PeerEvent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.net.hall.board import Board
    from kumite.net.hall.talk import HallEvent
    from kumite.tui.plain.console import Console
    from kumite.tui.play.lan_table import LanTable
    from kumite.tui.play.openings import HallOpening

ORGANISER_HELP: Final = (
    "start: begin the next round",
    "list: this round and the standing",
    "decide 2 first: match 2 of this round, for its first player; or second, draw, none",
    "out NAME, in NAME: who takes part in the rounds to come",
    "code: take another code",
    "quit: close the hall; the tournament is saved",
)
PLAYER_HELP: Final = (
    "go: to your table, or back to it",
    "list: this round and the standing",
    "quit: leave the hall; your place is kept",
)
STATES: Final = {
    wire.WAITS: "its table opens",
    wire.STANDS: "being played",
    wire.TOLD: "one terminal has told a result",
    wire.DISPUTED: "the two terminals tell different results",
}
DECISIONS: Final = {
    "first": Result.FIRST,
    "second": Result.SECOND,
    "draw": Result.DRAW,
    "none": Result.NEITHER,
}


class HallTalk:
    """What the organiser and the players have alike."""

    help_lines: tuple[str, ...] = ()

    def __init__(self, console: Console, within: Hall) -> None:
        """Take a hall; the console has begun."""
        self.console, self.hall = console, within
        self._is_left = False
        self._told: tuple[str, ...] = ()
        within.listener = self.heard

    async def run(self) -> None:
        """Talk until the hall is left.

        Raises:
            KumiteError: it cannot be entered, or has been closed.
        """
        try:
            while not self._is_left:
                await self.go_on()
                self.console.prompt()
                self._take(await self.console.next())
        finally:
            self.hall.close()

    async def go_on(self) -> None:
        """Do what there is to do before the next line."""

    def _take(self, news: Any) -> None:
        match news:
            case PeerEvent():
                news.table.hear(news.event)
            case KumiteError():
                self.console.say(f"{news}; players can still come by address and code.")
            case None:
                self.console.say("There is nothing more to read.")
                self._is_left = True
            case "quit":
                self._is_left = True
            case "list":
                self.console.say(*self._lists())
            case _:
                self.obey(news)

    def obey(self, line: str) -> None:
        """Do what was typed."""

    def heard(self, event: HallEvent) -> None:
        """Tell what is new."""
        if self.hall.closed is not None:
            if self._is_left:
                return
            text, hint = self.hall.closed
            raise KumiteError(text, hint=hint)
        match event:
            case events.NotDone(_, text, hint):
                self.console.say(text, *filter(None, (hint,)))
            case events.Away() | events.Quiet() | events.HeardAgain() | events.TurnedAway():
                self.console.say(self.hall.said[0])
            case _:
                pass
        board = self.hall.board
        if board is not None:
            now = tuple(self.news(board))
            self.console.say(*(line for line in now if line not in self._told))
            self._told = now

    def news(self, board: Board) -> Iterator[str]:
        """Yield what there is to say of the hall; what is new of it is said."""
        t = board.tournament
        for number, player in enumerate(t.players):
            here = "is here" if number in board.here else "is away"
            yield f"{player.name} {here if player.is_in else 'takes part no longer'}."
        if t.rounds:
            yield f"Round {len(t.rounds)} of {t.planned}."
            if self.hall.more:
                yield f"{self.hall.more}."
            yield from _pairings(board)
        if t.is_over:
            yield f"The tournament is over: {winner_text(board)}."

    def _lists(self) -> Iterator[str]:
        board = self.hall.board
        if board is None:
            return
        yield from _pairings(board)
        for row in standing(board.tournament):
            player = board.tournament.players[row.player]
            is_you = " (you)" if row.player == board.me else ""
            points = half(row.points)
            yield f"{row.place}. {player.name}{is_you}: {points} point{'s' * (points != '1')}."


def _pairings(board: Board) -> Iterator[str]:
    rounds = board.tournament.rounds
    for place, (one, state) in enumerate(
        zip(rounds[-1] if rounds else (), board.states, strict=True)
    ):
        said = STATES.get(state, RESULTS[one.result])
        end = f", {said}" if one.is_match else ""
        yield f"Match {place + 1}: {pairing_text(board, one)}{end}."


class OrganiserTalk(HallTalk):
    """The organiser's."""

    hall: OrganisedHall

    def __init__(self, console: Console, within: OrganisedHall, think: float) -> None:
        super().__init__(console, within)
        self._think = think
        self._playing: asyncio.Task[None] | None = None
        within.bring_bot = self._bring_bot

    def _bring_bot(self, opening: HallOpening) -> HallBot:
        bot = HallBot(opening, self.console.post)
        self._playing = asyncio.create_task(bot.run(BotService().of_table, self._think))
        return bot

    def heard(self, event: HallEvent) -> None:
        """Tell what is new, and how others come here."""
        super().heard(event)
        if isinstance(event, events.Listening | events.CodeChanged):
            self._invite()

    def _invite(self) -> None:
        from kumite.net.transport.addresses import typed_places

        listening = self.hall.listening
        assert listening is not None
        self.console.say(
            f"The hall is open. The code is {self.hall.code}. The players type:",
            *(
                f"  kumite join {place} {self.hall.code}"
                for place in typed_places(listening.addresses, listening.port)
            ),
            f"start begins a round, once {FEWEST} are here; help tells the other words.",
        )

    def obey(self, line: str) -> None:
        """Do what was typed."""
        word, _, rest = line.partition(" ")
        board = self.hall.board
        if word in ("", "start") and rest in ("", "anyway", "without"):
            self._start(rest)
        elif word == "code":
            self.hall.peer.new_code()
        elif word == "decide" and board is not None:
            number, _, how = rest.partition(" ")
            if number.isascii() and number.isdecimal() and how in DECISIONS and len(number) < 3:
                self.hall.peer.decide(int(number) - 1, DECISIONS[how])
            else:
                self.console.say("For example: decide 2 first (or second, draw, none)")
        elif word in ("in", "out") and board is not None:
            names = [one.name for one in board.tournament.players]
            if rest in names:
                self.hall.peer.set_presence(names.index(rest), word == "in")
            else:
                self.console.say(f"Nobody is called {rest!r} here.")
        else:
            self.console.say(*ORGANISER_HELP)

    def _start(self, how: str) -> None:
        """Begin the next round; if somebody is away, say so and how it begins all the same."""
        board, away = self.hall.board, self.hall.away
        if board is None or not away or how == "anyway" or board.tournament.is_running:
            self.hall.start_round()
        elif how == "without" and self.hall.can_begin_without:
            self.hall.start_round(away)
        else:
            self.console.say(f"{are_away(board, away)}. `start anyway` begins all the same.")
            if self.hall.can_begin_without:
                self.console.say("`start without` takes out who is away; `in NAME` takes in again.")


class PlayerTalk(HallTalk):
    """A player's: their matches are played in the same lines."""

    hall: EnteredHall

    def __init__(self, console: Console, within: EnteredHall, think: float) -> None:
        super().__init__(console, within)
        self._think = think
        self._next: LanTable | None = None  # a match that begins
        within.seat_down = self._seat_down

    def _seat_down(self, table: LanTable) -> None:
        self._next = table

    async def go_on(self) -> None:
        """Play a match that begins."""
        while self._next is not None:
            table, self._next = self._next, None
            await LanDesk(table, self.console, BotService().of_table(table.path), self._think).run()
            self.console.say("You are in the hall of the tournament again; list tells all.")

    def news(self, board: Board) -> Iterator[str]:
        """Yield what there is to say of the hall; what is new of it is said."""
        yield from super().news(board)
        if board.my_place is not None:
            one = board.tournament.rounds[-1][board.my_place]
            said = pairing_text(board, one)
            waits = (self.hall.is_waiting and missing_text(board)) or "Its table opens by itself."
            yield f"Your match of round {board.round + 1}: {said}. {waits}"

    def obey(self, line: str) -> None:
        """Do what was typed."""
        if line in ("", "go") and self.hall.can_go:
            self.hall.go()
        elif line in ("", "go"):
            self.console.say("There is no table to go to now.")
        else:
            self.console.say(*PLAYER_HELP)
