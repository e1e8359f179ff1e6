"""Tournaments for screens and line mode: the organiser's client."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kumite.core.players import BOT
from kumite.core.tournament.tournament import FEWEST, MOST, ROBIN
from kumite.net.session import events
from kumite.net.session.events import Event
from kumite.net.wire.tournament import View
from kumite.tui.play import openings
from kumite.tui.play.lan_table import PeerEvent, announcing
from kumite.tui.play.openings import PlayerOpening
from kumite.tui.play.tournament import PlayerClient, TournamentBot, TournamentClient

if TYPE_CHECKING:
    from kumite.net.transport.tournament_peer import HostPeer
    from kumite.tui.play.tournament import Post
    from kumite.tui.play.tournaments import TournamentPlan


class HostClient(TournamentClient):
    """The organiser's client."""

    peer: HostPeer

    def __init__(self, plan: TournamentPlan, post: Post) -> None:
        """Open the tournament; `post` puts a message into the app's queue without blocking."""
        super().__init__(post)
        self.plan = plan
        self.run_bot: Callable[[TournamentBot], object] = lambda _: None  # lets it make its steps
        self.player: PlayerClient | None = None
        self._bot_name = f"{BOT}{plan.bot}" if plan.bot else ""
        self._bot: TournamentBot | None = None
        self._begins = False  # begin a round once the bot has joined
        self.listening: events.Listening | None = None
        self.watchers: tuple[str, ...] = ()  # names of spectators, "" if unknown
        way, name = "{{players can still come by address|}}", plan.title if plan.is_listed else None
        self.peer = plan.open(lambda event: post(PeerEvent(self, event)))
        self._announcing = announcing(self, post, name, way, self.peer.tournament_id)

    def _note(self, event: Event) -> None:
        super()._note(event)
        if isinstance(event, events.Listening):
            self.listening = event
        elif isinstance(event, events.CodeChanged) and self.listening is not None:
            self.listening = replace(self.listening, code=event.code)
        elif isinstance(event, events.Watching):
            self.watchers = event.names
        self._look_for_bot()
        if self._announcing is None or self.listening is None:
            return
        if self.closed is not None or (self.view is not None and self.view.tournament.is_over):
            self._announcing.close()
        elif self.terms is not None and self.view is not None:
            game, free = self.terms.setup.game, MOST - len(self.view.tournament.players)
            self._announcing.show(game, min(free, 6), self.listening)

    @property
    def code(self) -> str:
        return "" if self.listening is None else self.listening.code

    @property
    def view(self) -> View | None:
        """Return the tournament; an organiser who plays knows their own row."""
        view, own = self._view, self.player.view if self.player is not None else None
        return replace(view, me=own.me) if view is not None and own is not None else view

    def play_too(self, name: str, **rights: bool) -> PlayerClient:
        """Enter the organiser as a player, as anybody else, by this computer's own address."""
        self.player = PlayerClient(self._way_in(name), self._post, **rights)
        self.player.seat_down, self.player.complain = self.seat_down, self.complain
        self.player.listener = self.listener
        return self.player

    def _way_in(self, name: str) -> PlayerOpening:
        port = 0 if self.listening is None else self.listening.port
        return openings.entering(("localhost",), port, self.code, name)

    # --- a bot for an odd number --------------------------------------------------------------

    @property
    def away(self) -> tuple[int, ...]:
        """Return the players of the next round who are not connected."""
        return tuple(one for one in self._people() if self.view and one not in self.view.here)

    def can_begin(self, without: Sequence[int] = ()) -> bool:
        """Return whether a round can begin now without these players."""
        if self.view is None or (t := self.view.tournament).is_running or t.is_over:
            return False
        if t.system == ROBIN and t.rounds:  # the bot stays, even if the others are even
            return len(set(t.present).difference(without)) >= FEWEST
        people = len(self._people(without))
        return people + (bool(self._bot_name) and people % 2) >= FEWEST

    @property
    def _bot_number(self) -> int | None:
        return self._bot.number if self._bot is not None else None

    def _people(self, without: Sequence[int] = ()) -> list[int]:
        """Return the players of the next round, except `without` and the bot."""
        if self.view is None:
            return []
        t, bot = self.view.tournament, self._bot_number
        return [
            one
            for one in t.present
            if one not in (bot, *without) and t.players[one].name != self._bot_name
        ]

    def start_round(self, without: Sequence[int] = ()) -> None:
        """Begin the next round without these players; add the bot if their number is odd."""
        for player in without:
            self.peer.set_presence(player, False)
        if self.view is not None and self._bot_name:
            t, number = self.view.tournament, self._bot_number
            is_odd = len(self._people(without)) % 2 == 1
            if number is None and is_odd and not (t.system == ROBIN and t.rounds):
                self._begins = True
                self._bring_bot()
                return
            if number is not None and t.system != ROBIN:
                self.peer.set_presence(number, is_odd)
        self.peer.start_round()

    def _bring_bot(self) -> None:
        if self._bot is None and self.listening is not None:
            self._bot = TournamentBot(self._way_in(self._bot_name), self._post)
            self.run_bot(self._bot)

    def _look_for_bot(self) -> None:
        """Let the bot rejoin if it was there before, and begin a round that waits for it."""
        if self.view is None or self.closed is not None or not self._bot_name:
            return
        names = [one.name for one in self.view.tournament.players]
        if self._bot_name not in names:
            return
        self._bring_bot()
        if self._begins and names.index(self._bot_name) in self.view.here:
            self._begins = False
            self.peer.start_round()

    def close(self) -> None:
        for one in (self.player, self._bot, self._announcing):
            if one is not None:
                one.close()
        super().close()
