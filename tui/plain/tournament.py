"""A tournament in line mode: it describes what is new and handles typed commands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from kumite.core.errors import KumiteError
from kumite.core.tournament.tournament import FEWEST, Result, half, standings
from kumite.net.session import events
from kumite.net.session.events import Event
from kumite.net.wire.tournament import View
from kumite.tui.bots.service import BotService
from kumite.tui.plain.console import Console, Dialogue
from kumite.tui.plain.lan import LanPlainTable
from kumite.tui.plain.lobby import take_code, ways_in
from kumite.tui.play.lan_table import LanTable
from kumite.tui.play.network_words import reason
from kumite.tui.play.tournament import TournamentBot, TournamentClient
from kumite.tui.play.tournament_host import HostClient
from kumite.tui.play.tournament_words import (
    RESULTS,
    STATES,
    are_away,
    from_round,
    missing_text,
    over_text,
    pairing_text,
    too_late,
)
from kumite.tui.settings import Settings, own_name, rights

DECISIONS: Final = {
    "first": Result.FIRST,
    "second": Result.SECOND,
    "draw": Result.DRAW,
    "none": Result.NEITHER,
}


class PlainTournament(Dialogue):
    """Base of the organiser's and the players' loops."""

    help_lines: tuple[str, ...] = (
        "go: to your table, or back to it",
        "watch, watch 2: look on at a match while you have none",
        "list: this round and the standings",
    )

    def __init__(self, console: Console, client: TournamentClient, settings: Settings) -> None:
        """Wrap a client; the console must have begun."""
        super().__init__(console)
        self.client, self._settings = client, settings
        self._next: LanTable | None = None  # to play or look on at
        self._at: LanPlainTable | None = None
        self._told: tuple[str, ...] = ()
        client.listener, client.seat_down = self.heard, self._seat_down
        client.complain = self._complain

    def _complain(self, *said: str) -> None:
        self.console.say(*filter(None, said))

    def _seat_down(self, table: LanTable) -> None:
        self._next = table
        if self._at is not None and not self._at.lan.mine:
            self._at.leave()  # one's own match goes before another one

    async def run(self) -> None:
        """Run until the user leaves; raise KumiteError once the tournament is closed."""
        try:
            while not self.is_left:
                await self.go_on()
                self.console.prompt()
                self.take(await self.console.next())
        finally:
            self.client.close()

    async def go_on(self) -> None:
        while self._next is not None:
            table, self._next = self._next, None
            self._at = LanPlainTable(table, self.console, self._settings)
            await self._at.run()
            self._at = None
            self.console.say("You are in the tournament again; list tells all.")

    @property
    def commands(self) -> Mapping[str, Callable[[str], object]]:
        found: dict[str, Callable[[str], object]] = {"quit": lambda _: self.leave()}
        return found | (self.words(self.client.view) if self.client.view is not None else {})

    def words(self, view: View) -> dict[str, Callable[[str], object]]:
        """Return the commands of those who have come in."""
        return {
            "list": lambda _: self.console.say(*_pairings(view), *_standings(view)),
            "go": self._go,
            "watch": self._watch,
        }

    def _go(self, _: str) -> None:
        player = self.client.player
        if player is not None and player.can_go:
            player.go()
            self.tell_news()
        else:
            self.console.say("There is no table to go to now.")

    def _watch(self, which: str) -> None:
        """Look on at a match of this round, the first one that runs unless one is named."""
        player = self.client.player
        places = player.watchable if player is not None else ()
        place = int(which) - 1 if which.isascii() and which.isdecimal() else -1
        if player is None:
            self.console.say("Type play first: an organiser who plays may look on, too.")
        elif not places:
            self.console.say("No match can be watched now.")
        elif not which or place in places:
            player.watch(place if which else places[0])
        else:
            running = ", ".join(f"watch {place + 1}" for place in places)
            self.console.say(f"Which match? There are: {running}.")

    def heard(self, event: Event) -> None:
        if self.client.closed is not None:
            if self.is_left:
                return
            text, hint = self.client.closed
            raise KumiteError(text, hint=hint)
        match event:
            case events.NotDone():
                self._complain(*reason(event))
            case events.Presence() | events.TurnedAway():
                self.console.say(self.client.said[0])
        self.tell_news()

    def tell_news(self) -> None:
        if self.client.view is not None:
            now = tuple(self.news(self.client.view))
            self.console.say(*(line for line in now if line not in self._told))
            self._told = now

    def news(self, view: View) -> Iterator[str]:
        """Yield the tournament's state in sentences; only those that have changed are printed."""
        t = view.tournament
        for number, player in enumerate(t.players):
            here = "is here" if number in view.here else "is away"
            yield f"{player.shown} {here if player.is_in else 'takes part no longer'}."
        if t.rounds:
            yield f"Round {len(t.rounds)} of {t.planned}."
            if self.client.more:
                yield f"{self.client.more}."
            yield from _pairings(view)
        if t.is_over:
            yield over_text(t)
        me = self.client.player
        if me is not None and view.me is None:
            yield too_late(t)
        if me is not None and view.my_place is not None:
            said = pairing_text(t, view.pairings[view.my_place])
            waits = (me.is_waiting and missing_text(view)) or "Its table opens automatically."
            yield f"Your match of round {view.round + 1}: {said}. {me.failed or waits}"
        elif me is not None and me.watchable:
            late = from_round(t, view.me) if view.me is not None else ""
            yield f"{late or 'You have no match now.'} Type watch to look on at another."


def _pairings(view: View) -> Iterator[str]:
    for place, (one, state) in enumerate(zip(view.pairings, view.states, strict=True), 1):
        said = STATES[state][-1] if state in STATES else RESULTS[one.result]
        end = f", {said}" if one.is_match else ""
        yield f"Match {place}: {pairing_text(view.tournament, one)}{end}."


def _standings(view: View) -> Iterator[str]:
    for row in standings(view.tournament):
        name, points = view.tournament.players[row.player].shown, half(row.points)
        is_you = " (you)" if row.player == view.me else ""
        yield f"{row.place}. {name}{is_you}: {points} point{'s' * (points != '1')}."


class PlainHost(PlainTournament):
    """The organiser's loop."""

    help_lines = (
        "start: begin the next round",
        "play: take part, too",
        *PlainTournament.help_lines,
        "decide 2 first: match 2 of this round, for its first player; or second, draw, none",
        "out NAME, in NAME: who takes part in the rounds to come",
        "code: the code, and how to take another",
        "quit: close the tournament; it is saved",
    )
    client: HostClient

    def __init__(self, console: Console, client: HostClient, settings: Settings) -> None:
        super().__init__(console, client, settings)
        self._playing: asyncio.Task[None] | None = None
        client.run_bot = self._run_bot

    def _run_bot(self, bot: TournamentBot) -> None:
        self._playing = asyncio.create_task(bot.run(BotService(), self._settings.think))

    def heard(self, event: Event) -> None:
        """Describe what is new, and how players can join."""
        super().heard(event)
        listening, code = self.client.listening, self.client.code
        if isinstance(event, events.Listening | events.CodeChanged) and listening is not None:
            self.console.say(
                f"The tournament is open. The code is {code}.",
                *ways_in(listening, code, "The players"),
                f"start begins a round, once {FEWEST} are here; help tells the other words.",
            )
            has_played = self.client.plan.has_player(own_name(self._settings))
            if isinstance(event, events.Listening) and has_played:
                self._play_too()

    def words(self, view: View) -> dict[str, Callable[[str], object]]:
        return super().words(view) | {
            **dict.fromkeys(("", "start"), partial(self._start, view)),
            "play": lambda _: self._play_too(),
            "code": self._code,
            "decide": self._decide,
            "in": partial(self._set_presence, view, True),
            "out": partial(self._set_presence, view, False),
        }

    def _code(self, said: str) -> None:
        take_code(self.console, self.client.code, said, self.client.peer.new_code)

    def _decide(self, said: str) -> None:
        number, _, how = said.partition(" ")
        if number.isascii() and number.isdecimal() and how in DECISIONS and len(number) < 3:
            self.client.peer.decide(int(number) - 1, DECISIONS[how])
        else:
            self.console.say("For example: decide 2 first (or second, draw, none)")

    def _set_presence(self, view: View, is_in: bool, name: str) -> None:
        players = [one.shown for one in view.tournament.players]
        if name in players:
            self.client.peer.set_presence(players.index(name), is_in)
        else:
            self.console.say(f"Nobody is called {name!r} here.")

    def _play_too(self) -> None:
        client = self.client
        if client.player is not None or client.listening is None:
            self.console.say("You take part already." if client.player else "One moment.")
            return
        try:
            player = client.play_too(own_name(self._settings), **rights(self._settings))
        except KumiteError as error:
            self.console.say(str(error), error.hint)
        else:
            player.listener = lambda _: self.tell_news()

    def _start(self, view: View, how: str) -> None:
        """Begin the next round; if players are away, say so and offer alternatives."""
        away = self.client.away
        if how not in ("", "anyway", "without"):
            self.console.say(*self.help_lines)
        elif not away or how == "anyway" or view.tournament.is_running:
            self.client.start_round()
        elif how == "without" and self.client.can_begin(away):
            self.client.start_round(away)
        else:
            self.console.say(f"{are_away(view, away)}. `start anyway` begins all the same.")
            if self.client.can_begin(away):
                self.console.say("`start without` takes out who is away; `in NAME` takes in again.")


class PlainPlayer(PlainTournament):
    """A player's loop; matches are played in the same dialogue."""

    help_lines = (*PlainTournament.help_lines, "quit: leave the tournament; your place is kept")

    def words(self, view: View) -> dict[str, Callable[[str], object]]:
        return super().words(view) | {"": self._go}
