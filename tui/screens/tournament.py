"""A running tournament: the screens of the organiser and of a player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding, BindingType

from kumite.core.tournament.tournament import Result
from kumite.net.session import events
from kumite.net.session.events import Event
from kumite.net.transport.addresses import typed_places
from kumite.net.wire.tournament import View
from kumite.store import guest_mode
from kumite.tui.play import openings, tournament
from kumite.tui.play.lobby_words import looking_on
from kumite.tui.play.openings import PlayerOpening
from kumite.tui.play.tournament import PlayerClient
from kumite.tui.play.tournament_host import HostClient
from kumite.tui.play.tournament_words import are_away, decisions, pairing_text
from kumite.tui.scenes.lines import Line, fold
from kumite.tui.screens import dialog, tournament_lines
from kumite.tui.screens.base import ERROR_ROWS
from kumite.tui.screens.form_screen import COLUMN
from kumite.tui.screens.lan_table import LanTableScreen
from kumite.tui.screens.lobby_lines import Space, has_large_code, invitation
from kumite.tui.screens.tournament_lines import list_lines
from kumite.tui.screens.waiting import ONE_MOMENT, Client, WaitingScreen
from kumite.tui.settings import own_name, rights
from kumite.tui.widgets.form import Row

if TYPE_CHECKING:
    from textual.screen import Screen

    from kumite.net.tournament.state import Finished, TicketFile
    from kumite.tui.play.tournaments import TournamentPlan

PAGE: Final = 8  # rows to scroll
PODIUM_ROWS: Final = 24  # of the text, to explain the columns below podium and results, too
LEAST: Final = 3  # rows of pairings and standings
WAITING: Final = 20.0  # s for the organiser, when somebody comes back


class TournamentScreen(WaitingScreen):
    """The base of the organiser's and the players' screens."""

    COLUMN = COLUMN
    WHOSE = "organiser's"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pagedown,down,j", f"move({PAGE})", "further down", id="tournament.down"),
        Binding("pageup,up,k", f"move(-{PAGE})", "further up", show=False, id="tournament.up"),
        Binding("enter,space", "go", "to your table", id="tournament.go"),
        Binding("enter", "again", "try again", id="tournament.again"),
        Binding("w", "watch", "watch a match", id="tournament.watch"),
        Binding("t", "talk", show=False, system=True),  # unlisted: nobody can talk here
        Binding("q", "back", "leave", id="screen.back"),
        Binding("escape", "back", "leave", show=False, id="tournament.leave"),
    ]
    LEAVING: tuple[str, ...]  # lines of the confirmation
    YES: str

    client: tournament.TournamentClient | None

    def __init__(self, title: str, code: str = "") -> None:
        super().__init__(title, code)
        self._top = self._lowest = 0  # first visible row of the lists, and the last that it can be

    @property
    def player(self) -> PlayerClient | None:
        return self.client.player if self.client is not None else None

    @property
    def view(self) -> View | None:
        return self.client.view if self.client is not None else None

    def redraw(self) -> None:
        if self.client is None or self.client.terms is None or (view := self.view) is None:
            return
        space = self.space
        is_print, whole = self.has_class("-print"), self.head_lines(view, space)
        terms = tournament_lines.terms_lines(self.client.terms, view, space.columns)
        brief = self.head_lines(view, space._replace(rows=space.rows - len(terms) - 1))
        is_larger = has_large_code(whole) and not has_large_code(brief)
        if is_print or is_larger:  # help has the terms
            above = [*whole, *[()] * (not is_print)]
        else:
            above = [*terms, (), *brief, *[()] * bool(brief)]
        below = fold(self.next_line(view), space.columns)
        is_over = view.tournament.is_over
        columns = [*tournament_lines.columns_lines(view, space.columns), *[()] * (not is_over)]
        head, *rows = list_lines(view, space, has_pixels=self.shell.brush.has_pixels)
        if is_print or len(above) + LEAST + 1 + len(columns) + len(below) > space.rows:
            columns = []
        elif is_over and space.rows < PODIUM_ROWS:  # podium and results go first
            room = space.rows - len(above) - 2 - len(below) - len(columns)
            columns = [] if len(rows) > room else columns
        below = [*columns, *below]
        room = max(LEAST, space.rows - len(above) - 1 - len(below)) - 1  # below the headings
        before, self._lowest = self._lowest, max(0, len(rows) - room)
        self._top = max(0, min(self._top, self._lowest))
        if self._lowest != before:
            self.refresh_bindings()
        self.tell(*above, head, *rows[self._top : self._top + room], (), *below)
        self.retitle(self.client.terms.name)

    def help_lines(self) -> tuple[Line, ...]:
        """Return the help, with the terms and the columns, for which there may be no room."""
        client, view = self.client, self.view
        if client is None or client.terms is None or view is None:
            return super().help_lines()
        columns = self.app.size.width - 2
        terms = tournament_lines.terms_lines(client.terms, view, columns)
        return (*terms, *tournament_lines.columns_lines(view, columns), (), *super().help_lines())

    def heard(self, event: Event) -> None:  # noqa: ARG002
        if not self.is_whole or self.client is None:
            return
        closed, view = self.client.closed, self.view
        has_stood = view is not None and view.tournament.is_over  # then podium and table stay
        if closed is not None and not has_stood:
            self.refuse(*closed)
            return
        text, is_trouble = self.client.said if closed is None else (closed[0], False)
        self.hint(((text, "loss" if is_trouble else "quiet"),), rows=ERROR_ROWS)
        self.redraw()
        self.refresh_bindings()

    def head_lines(self, view: View, space: Space) -> list[Line]:  # noqa: ARG002
        return []

    def next_line(self, view: View) -> Line:
        return tournament_lines.player_next(view, self.player)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action == "go":
            return self.player is not None and self.player.can_go
        if action == "move":
            return self._lowest > 0
        if action == "again":
            return self.is_refused
        return action != "watch" or (self.player is not None and bool(self.player.watchable))

    def connect(self, make: Callable[[], Client]) -> None:
        super().connect(make)
        if self.client is not None:
            self.client.seat_down = lambda table: self._show_above(LanTableScreen(table))
            self.client.complain = self.say_trouble

    def _show_above(self, screen: Screen[None]) -> None:
        """Show a screen on top of this one, replacing whatever is there."""
        if not self.app.screen_stack:  # the app is exiting
            return
        dialog.close(self.app)
        while self.app.screen is not self and self in self.app.screen_stack:
            self.app.pop_screen()
        self.app.push_screen(screen)

    def action_go(self) -> None:
        if self.player is not None:
            self.player.go()
            self.redraw()

    def action_talk(self) -> None:
        """Say in a dialog that nobody can talk here: letters typed on are no keys in it."""
        said = "Nobody can talk here; at the tables all can."
        dialog.ask(self.app, said, [Row("back", "Back")], lambda _: None)

    def action_watch(self) -> None:
        """Watch another match; ask which if there are several."""
        player, view = self.player, self.view
        if player is None or view is None or not player.watchable:
            return
        if len(player.watchable) == 1:
            player.watch(player.watchable[0])
            return
        rows = [
            Row(f"{place}", pairing_text(view.tournament, view.pairings[place]))
            for place in player.watchable
        ]
        dialog.ask(self.app, "Watch which match?", rows, lambda key: player.watch(int(key)))

    def on_screen_resume(self) -> None:
        self.redraw()
        self.refresh_bindings()

    def action_move(self, by: int) -> None:
        self._top += by
        self.redraw()

    def action_back(self) -> None:
        """Leave, after confirmation if the tournament is not over."""
        t = self.view.tournament if self.view is not None else None
        if t is None or not t.players or t.is_over:
            self._leave()
            return
        question = map(guest_mode.suited, self.LEAVING)
        dialog.confirm(self.app, question, "No, stay", self.YES, self._leave)

    def _leave(self) -> None:
        self.close_client()
        super().action_back()


class TournamentHostScreen(TournamentScreen):
    """The organiser's screen."""

    can_retry = False
    HELP = """\
The others join with the code: {{by `kumite join`, or |}}from their home screen, where the
tournament is listed; x copies the line for a chat. y lets you play, too: your tables
then open here, and q on them brings you back. While you have no match, w watches another.

s starts a round. Each pair's table opens by itself on their screens; the first player
of a pair hosts it. A result counts when both terminals report the same. d decides a
match that is disputed, or reported by one terminal only. p lets a player take part in
the next rounds, or leaves them out. Each change is saved: the home screen (t){{, or
`kumite tournament --resume`,|}} continues the tournament."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "start_round", "begin a round", id="tournament.start"),
        Binding("y", "play_too", "play, too", id="tournament.play"),
        Binding("d", "decide", "decide a match", id="tournament.decide"),
        Binding("p", "presence", "who takes part", id="tournament.players"),
        Binding("c", "new_code", "new code", id="tournament.code"),
        Binding("x", "copy", "copy invite", id="tournament.copy"),
    ]
    LEAVING = (
        "Close the tournament?",
        "It is saved. `Tournament` on the home screen{{, or|}}",
        "{{`kumite tournament --resume`, |}}continues it,",
        "and the players come back by themselves.",
    )
    YES = "Yes, close it"

    client: HostClient | None

    def __init__(self, plan: TournamentPlan, plays_as: str = "") -> None:
        """Open a tournament; `plays_as` is the name of an organiser who comes back to play."""
        super().__init__(plan.title)
        self.plan, self._plays_as = plan, plays_as

    def on_mount(self) -> None:
        self.tell(ONE_MOMENT)
        self.connect(lambda: HostClient(self.plan, self.app.post_message))
        if self.client is not None:
            self.client.run_bot = self._run_bot

    def heard(self, event: Event) -> None:
        super().heard(event)
        if isinstance(event, events.Listening):
            self.form = None
            name = self._plays_as or own_name(self.shell.settings)
            if self.player is None and (self._plays_as or self.plan.has_player(name)):
                self._play_as(name)

    def _run_bot(self, bot: tournament.TournamentBot) -> None:
        thinks = bot.run(self.shell.bot_service.of_table(), self.shell.settings.think)
        self.run_worker(thinks, group="bot")

    def head_lines(self, view: View, space: Space) -> list[Line]:
        """Return the code and the invitation, in large letters until the first round."""
        assert self.client is not None
        code, listening = self.client.code, self.client.listening
        if listening is None:
            return []
        if view.tournament.is_over:  # who comes now only looks on
            return []
        places = typed_places(guest_mode.announced(listening.addresses), listening.port)
        players = len(view.tournament.players)
        listed = max(LEAST, players + 1)
        lines = invitation(code, places[:2], listed + 2, space)
        if view.tournament.rounds or len(lines) + listed + 3 > space.rows:
            can_play = view.tournament.takes_players
            return [tournament_lines.code_line(code, places, space.columns, can_play=can_play)]
        return lines

    def next_line(self, view: View) -> Line:
        if self.player is not None and self.player.can_go:
            return tournament_lines.player_next(view, self.player)
        can_watch = self.player is not None and bool(self.player.watchable)
        assert self.client is not None
        said = tournament_lines.host_next(view, can_begin=self.client.can_begin())
        watchers = (f"   {looking_on(self.client.watchers)}" * bool(self.client.watchers), "quiet")
        return (*said, *tournament_lines.watch_line(can_watch), watchers)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what the organiser can do now; nothing before there is a tournament."""
        if action not in ("start_round", "decide", "presence", "new_code", "copy", "play_too"):
            return super().check_action(action, parameters)
        if self.client is None or self.view is None:
            return False
        t = self.view.tournament
        if action == "start_round":
            return self.client.can_begin()
        if action == "decide":
            return bool(t.rounds)
        return not (t.is_over or (action == "play_too" and self.player is not None))

    @property
    def _open(self) -> tuple[HostClient, View]:
        """Return what is open here; keys that need it are offered only then."""
        assert self.client is not None
        assert self.view is not None
        return self.client, self.view

    def action_start_round(self) -> None:
        """Begin the next round; ask for confirmation if players are away."""
        client, view = self._open
        if not (away := client.away):
            client.start_round()
            return

        def begin(key: str) -> None:
            if self.client is not None and key != "no":
                self.client.start_round(self.client.away if key == "without" else ())

        question = dialog.lines(f"{are_away(view, away)}. Begin all the same?")
        rows = [Row("no", "No, wait"), Row("all", "Begin all the same")]
        if client.can_begin(away):
            them = "them" if len(away) > 1 else view.tournament.players[away[0]].shown
            rows.insert(1, Row("without", f"Begin without {them}"))
            question += dialog.lines(
                "", ("p lets players who are left out take part again.", "quiet")
            )
        dialog.ask(self.app, question, rows, begin)

    def action_play_too(self) -> None:
        self._play_as(own_name(self.shell.settings))

    def _play_as(self, name: str) -> None:
        if self.client is None or self.client.listening is None:
            return
        with self.complaining():
            self.client.play_too(name, **rights(self.shell.settings))
        self.refresh_bindings()

    def action_new_code(self) -> None:
        client, view = self._open
        self.take_code(client.peer.new_code, is_known=bool(view.tournament.players))

    def action_copy(self) -> None:
        if self.client is not None and self.client.listening is not None:
            self.copy_invite(self.client.listening)

    def action_decide(self) -> None:
        _, view = self._open
        rows = [
            Row(str(place), f"{place + 1}: {pairing_text(view.tournament, one)}")
            for place, one in enumerate(view.pairings)
            if one.is_match
        ]

        def ask_how(key: str) -> None:  # later: once this screen is back
            self.call_later(self._decide, int(key))

        about = "A result that stands is corrected.", "quiet"
        dialog.ask(self.app, dialog.lines("Decide which match?", about), rows, ask_how)

    def _decide(self, place: int) -> None:
        if (view := self.view) is None or place >= len(view.pairings):
            return
        pairing, round_ = view.pairings[place], view.round
        said = decisions(view.tournament, pairing)
        rows = [Row(str(int(result)), text) for result, text in said.items() if text]

        def decide(key: str) -> None:
            if self.client is not None and self.view is not None and self.view.round == round_:
                self.client.peer.decide(place, Result(int(key)))

        dialog.ask(self.app, pairing_text(view.tournament, pairing), rows, decide)

    def action_presence(self) -> None:
        """Ask which players take part in the next rounds."""
        if not (players := self._open[1].tournament.players):
            return
        rows = [
            Row(str(number), f"{one.shown}: {'takes part' if one.is_in else 'is out'}")
            for number, one in enumerate(players)
        ]

        def change(key: str) -> None:
            if self.client is not None:
                self.client.peer.set_presence(int(key), not players[int(key)].is_in)

        about = "Enter takes a player out, or back in.", "quiet"
        question = dialog.lines("Who takes part in the rounds to come?", about)
        dialog.ask(self.app, question, rows, change)


class TournamentPlayerScreen(TournamentScreen):
    """A player's screen."""

    HELP = """\
Here you wait between the rounds of a tournament. The organiser begins each round;
your table then opens by itself. When the match is over, q brings you back here;
both terminals report the result. With an odd number of players, one has no opponent in
each round, and waits until the other matches are over: a bye. In Swiss rounds it is
worth a point; in a round robin everyone has one, and it is worth nothing.

Enter goes to your table, or back to it. While you have no match, w watches another. If
you leave or lose the connection, c on the home screen brings you back to your match and
here; or join again with the same code and name: your place is kept."""
    LEAVING = (
        "Leave the tournament?",
        "Your place is kept: join again with the same code and name.",
    )
    YES = "Yes, leave"

    client: PlayerClient | None

    def __init__(
        self,
        addresses: Sequence[str],
        port: int,
        code: str,
        name: str,
        title: str = "A tournament",
        *,
        plays: bool = True,
        ticket: TicketFile | None = None,
    ) -> None:
        """Join the tournament at one of these addresses; ask for the code if it is empty.

        With a ticket, return to it; ask for the code only if that fails.
        """
        super().__init__(title, code)
        self._at, self._player, self._plays = (tuple(addresses), port), name, plays
        self._ticket = ticket

    @classmethod
    def returning(cls, ticket: TicketFile) -> TournamentPlayerScreen:
        """Return to a tournament and to our match there, without the code."""
        return cls((), 0, "", ticket.name, ticket=ticket)

    def on_mount(self) -> None:
        if self._ticket is not None:
            self._come_back(self._ticket)
        elif self.code:
            self.come_in(self.code)
        else:
            self.ask_code()

    def go_to(self, addresses: tuple[str, ...], port: int) -> None:
        self._at = addresses, port
        self.retitle("A tournament")

    def _come_back(self, ticket: TicketFile) -> None:
        self.tell((("Waiting for the organiser of your tournament, or for your table ...", ""),))
        self._enter(openings.returning(ticket))
        if self.client is not None:
            if not self._at[0]:  # listed: its organiser is there, and tells of our match
                self.client.resume()
            self.set_timer(WAITING, partial(self._end_waiting, self.client))

    def _end_waiting(self, client: PlayerClient) -> None:
        has_table = client.table is not None and client.table.has_begun
        if self.client is client and self.view is None and not has_table:
            hint = "Your place is kept. Ask the organiser to open the tournament again."
            self.refuse("The organiser of your tournament does not answer", hint)

    def come_in(self, code: str) -> None:
        self.say("")
        self.tell(ONE_MOMENT)
        self._enter(openings.entering(*self._at, code, self._player, plays=self._plays))

    def refuse(self, why: str, hint: str, keys: str = "") -> None:
        if self._ticket is not None and self._at[0] and self.view is None:
            self._ticket = None  # for another tournament, or its organiser is not there
            self.close_client()
            self.ask_code()
            return
        super().refuse(why, hint, keys)

    def action_again(self) -> None:
        if self._ticket is not None:
            self._come_back(self._ticket)
        else:
            self.ask_code()

    def _enter(self, way: PlayerOpening) -> None:
        post = self.app.post_message
        self.connect(lambda: PlayerClient(way, post, **rights(self.shell.settings)))

    def action_back(self) -> None:
        if self.view is not None and self.view.me is None:
            self._leave()  # a spectator has no place to keep
        else:
            super().action_back()


class FinishedScreen(TournamentScreen):
    """A tournament that is over, as its player saw it last."""

    HELP = "The podium, the table and the results of all rounds, as you were shown them last."

    def __init__(self, kept: Finished) -> None:
        super().__init__(kept.welcome.name)
        self._kept = kept

    def on_mount(self) -> None:
        self.connect(lambda: tournament.FinishedClient(self._kept))
