"""The hall of a tournament: the organiser's screen, and a player's."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.binding import Binding

from kumite.core.errors import KumiteError
from kumite.core.tournament.event import MOST, Result
from kumite.net.session import events
from kumite.net.transport.announcer import Announcing
from kumite.store import house
from kumite.tui.play import hall, openings
from kumite.tui.play.hall_bot import HallBot
from kumite.tui.play.hall_words import are_away, names_of, pairing_text
from kumite.tui.play.lan_table import PeerEvent
from kumite.tui.scenes.lines import fold, wrap
from kumite.tui.screens import dialog, hall_lines
from kumite.tui.screens.base import ERROR_ROWS
from kumite.tui.screens.lan_table import LanTableScreen
from kumite.tui.screens.lobby_lines import invitation
from kumite.tui.screens.waiting import WaitingScreen
from kumite.tui.widgets.form import Row
from kumite.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.binding import BindingType

    from kumite.net.hall.talk import HallEvent
    from kumite.tui.play.lan_table import LanTable
    from kumite.tui.play.openings import DeskOpening, HallOpening
    from kumite.tui.play.tournaments import Held
    from kumite.tui.scenes.lines import Line
    from kumite.tui.screens.lobby_lines import Space

PAGE: Final = 8  # rows by which a long list is moved
WHOSE: Final = "organiser's"


class HallScreen(WaitingScreen):
    """What the organiser and the players see alike."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pagedown,down,j", f"move({PAGE})", "further down", show=False, id="hall.down"),
        Binding("pageup,up,k", f"move(-{PAGE})", "further up", show=False, id="hall.up"),
        Binding("q", "back", "leave", id="screen.back"),
        Binding("escape", "back", "leave", show=False, id="hall.leave"),
    ]

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self._hall: hall.Hall | None = None
        self._top = 0  # the first row of the lists that is shown

    def on_mount(self) -> None:
        """Open the hall, or go there."""
        self.begin()

    def begin(self) -> None:
        """Open the hall, or go there."""

    def redraw(self) -> None:
        """Show the hall anew, if there is one."""
        if self._hall is not None and self._hall.board is not None:
            self.show_hall()

    def open_hall(self, make: Callable[[], hall.Hall]) -> None:
        """Take a hall, or say why there is none."""
        self.tell((("One moment ...", ""),))
        try:
            self._hall = make()
        except KumiteError as error:
            self.refuse(str(error), error.hint)
        else:
            self._hall.listener = self.heard

    def heard(self, event: HallEvent) -> None:  # noqa: ARG002
        """Show what the network told."""
        if not self.is_whole or self._hall is None:
            return
        if self._hall.closed is not None:
            self.refuse(*self._hall.closed)
            return
        text, is_trouble = self._hall.said
        self.hint(((text, "loss" if is_trouble else "quiet"),), rows=ERROR_ROWS)
        self.redraw()
        self.refresh_bindings()

    def refuse(self, text: str, hint: str) -> None:
        """Say why there is no hall any longer."""
        self.close_hall()
        self.refusal(text, hint, "q: back")

    # --- showing ------------------------------------------------------------------------------

    def head_lines(self, space: Space) -> list[Line]:  # noqa: ARG002
        """Return what stands above the lists."""
        return []

    def next_line(self) -> Line:
        """Return what is to be done now."""
        return ()

    def show_hall(self) -> None:
        """Show pairings and standing, and what is next."""
        assert self._hall is not None
        board, terms = self._hall.board, self._hall.terms
        assert board is not None
        assert terms is not None
        space = self.space
        above = hall_lines.terms_lines(terms, board, space.columns)
        above += [*self.head_lines(space), ()]
        below = fold(self.next_line(), space.columns)
        room = max(4, space.rows - len(above) - 1 - len(below))
        lists = hall_lines.hall_lines(board, room, self._top, space)
        self.tell(*above, *lists, (), *below)
        self.retitle(terms.name)

    def action_move(self, by: int) -> None:
        """Show other rows of long lists."""
        if self._hall is not None and self._hall.board is not None:
            rows = hall_lines.row_count(self._hall.board, self.space.columns)
            self._top = max(0, min(self._top + by, rows - PAGE))
            self.show_hall()

    # --- leaving ------------------------------------------------------------------------------

    def close_hall(self) -> None:
        """Leave the hall."""
        if self._hall is not None:
            self._hall.close()
            self._hall = None

    def on_unmount(self) -> None:
        """Leave the hall, however the screen ends."""
        self.close_hall()


class OrganiserScreen(HallScreen):
    """The organiser's."""

    HELP = """\
The others come with the code: {{`kumite join`, or |}}by their home screen, where the
tournament is listed. You can play, too: from a second terminal, by the same code.

s begins a round. Every pair's table opens by itself on their screens; the first of
the two hosts it. A result counts when both terminals have told the same. d decides a
match: one that is disputed, or of which only one terminal can tell. p lets somebody
take part in rounds to come, or no longer. All is saved after every change: the home
screen (t){{, or `kumite tournament --resume`,|}} goes on with it."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "start_round", "begin a round", id="hall.start"),
        Binding("d", "decide", "decide a match", id="hall.decide"),
        Binding("p", "presence", "who takes part", id="hall.players"),
        Binding("c", "new_code", "new code", id="hall.code"),
    ]

    _hall: hall.OrganisedHall | None

    def __init__(self, title: str, opening: DeskOpening, *, is_listed: bool, bot: str = "") -> None:
        """Open a hall, called so; it is announced on the LAN if `is_listed`.

        `bot` plays when the players are an odd number.
        """
        super().__init__(title)
        self._opening, self._is_listed, self._bot = opening, is_listed, bot

    @classmethod
    def of(cls, held: Held) -> OrganiserScreen:
        """Open the hall of a tournament that is about to be held."""
        return cls(held.title, held.opening, is_listed=held.is_listed, bot=held.bot)

    def begin(self) -> None:
        """Open the hall."""
        self.open_hall(lambda: hall.OrganisedHall(self._opening, self.app.post_message, self._bot))
        if self._hall is not None:
            self._hall.bring_bot = self._bring_bot
        if self._hall is not None and self._is_listed:
            self._hall.announce(Announcing(self._unannounced))

    def _bring_bot(self, opening: HallOpening) -> HallBot:
        bot = HallBot(opening, self.app.post_message)
        thinks = bot.run(self.shell.bot_service.of_table, self.shell.settings.think)
        self.run_worker(thinks, group="bot")
        return bot

    def _unannounced(self, error: KumiteError) -> None:
        if self._hall is not None:
            way = house.suited("{{players can still come by address|}}")
            said = events.NotDone(error.code, str(error), way)
            self.app.post_message(PeerEvent(self._hall, said))

    def head_lines(self, space: Space) -> list[Line]:
        """Return the code, and how others come here: large, until a round has begun."""
        assert self._hall is not None
        board, listening = self._hall.board, self._hall.listening
        if listening is None or board is None:
            return []
        from kumite.net.transport.addresses import typed_places

        places = typed_places(house.announced(listening.addresses), listening.port)
        players = len(board.tournament.players)
        if board.tournament.rounds or space.rows < players + 14:
            return [hall_lines.code_line(self._hall.code, places, space.columns)]
        return [(), *invitation(self._hall.code, places[:2], players + 6, space)]

    def next_line(self) -> Line:
        """Return what is to be done now."""
        assert self._hall is not None
        assert self._hall.board is not None
        return hall_lines.organiser_next(self._hall.board)

    # --- keys ---------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Hide the keys that do nothing now."""
        board = self._hall.board if self._hall is not None else None
        if action in ("start_round", "decide", "presence", "new_code") and board is None:
            return False
        if action == "start_round" and board is not None:
            t = board.tournament
            return not t.is_running and not t.is_over
        if action == "decide" and board is not None:
            return bool(board.tournament.rounds)
        return True

    def action_start_round(self) -> None:
        """Begin the next round; if somebody is away, ask first."""
        if self._hall is None or self._hall.board is None:
            return
        away = self._hall.away
        if not away:
            self._hall.start_round()
            return

        def begin(key: str) -> None:
            if self._hall is not None and key != "no":
                self._hall.start_round(self._hall.away if key == "without" else ())

        who = are_away(self._hall.board, away)
        question: list[Line] = [
            ((part, "title"),) for part in wrap(f"{who}. Begin all the same?", dialog.COLUMNS)
        ]
        rows = [Row("no", "No, wait"), Row("all", "Begin all the same")]
        if self._hall.can_begin_without:
            them = "them" if len(away) > 1 else self._hall.board.tournament.players[away[0]].name
            rows.insert(1, Row("without", f"Begin without {them}"))
            question += [(("Whoever is left out is let in again by p.", "quiet"),)]
        dialog.ask(self.app, question, rows, begin)

    def action_new_code(self) -> None:
        """Take another code."""
        if self._hall is not None:
            self._hall.peer.new_code()

    def action_decide(self) -> None:
        """Ask which match of this round is decided, and how."""
        board = self._hall.board if self._hall is not None else None
        if board is None or not board.tournament.rounds:
            return
        rows = [
            Row(str(place), f"{place + 1}: {pairing_text(board, one)}")
            for place, one in enumerate(board.tournament.rounds[-1])
            if one.is_match
        ]
        question: list[Line] = [(("Decide which match?", "title"),)]
        question += [(("A result that stands is corrected.", "quiet"),)]

        def ask_how(key: str) -> None:  # once this screen is back
            self.call_later(self._decide, int(key))

        dialog.ask(self.app, question, rows, ask_how)

    def _decide(self, place: int) -> None:
        board = self._hall.board if self._hall is not None else None
        if board is None or place >= len(board.tournament.rounds[-1]):
            return
        round_, pairing = board.round, board.tournament.rounds[-1][place]
        first, second = names_of(board, pairing)
        rows = [
            Row(str(int(Result.FIRST)), f"{first} has won"),
            Row(str(int(Result.SECOND)), f"{second} has won"),
            Row(str(int(Result.DRAW)), "a draw: half a point each"),
            Row(str(int(Result.NEITHER)), "not played: no point for either"),
        ]

        def decide(key: str) -> None:
            now = self._hall.board if self._hall is not None else None
            if self._hall is not None and now is not None and now.round == round_:
                self._hall.peer.decide(place, Result(int(key)))

        question: list[Line] = [((f"{first} against {second}", "title"),)]
        dialog.ask(self.app, question, rows, decide)

    def action_presence(self) -> None:
        """Ask who takes part in rounds to come, or no longer."""
        board = self._hall.board if self._hall is not None else None
        if board is None or not board.tournament.players:
            return
        players = board.tournament.players
        rows = [
            Row(str(number), f"{one.name}: {'takes part' if one.is_in else 'is out'}")
            for number, one in enumerate(players[:MOST])
        ]

        def change(key: str) -> None:
            if self._hall is not None:
                self._hall.peer.set_presence(int(key), not players[int(key)].is_in)

        question: list[Line] = [(("Who takes part in the rounds to come?", "title"),)]
        question += [(("Enter takes somebody out, or in again.", "quiet"),)]
        dialog.ask(self.app, question, rows, change)

    def action_back(self) -> None:
        """Close the hall; ask first while the tournament goes on."""
        board = self._hall.board if self._hall is not None else None
        if board is None or not board.tournament.players or board.tournament.is_over:
            self._leave()
            return
        question: list[Line] = [
            (("Close the hall?", "title"),),
            ((house.suited("It is saved: `Tournament` on the home screen{{, or|}}"), ""),),
            ((house.suited("{{`kumite tournament --resume`, |}}goes on with it,"), ""),),
            (("and the players come back by themselves.", ""),),
        ]
        dialog.confirm(self.app, question, "No, stay", "Yes, close it", self._leave)

    def _leave(self) -> None:
        self.close_hall()
        super().action_back()


class PlayerScreen(HallScreen):
    """A player's."""

    HELP = """\
Here you wait between the rounds of a tournament. The organiser begins each round;
your table then opens by itself. When the match is over, q brings you back here;
the result is told by both terminals. Whoever has the bye has the point.

Enter goes to your table, or back to it. If you leave or are cut off, join again
with the same code and name: your place is kept, and so is your match."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "go", "to your table", id="hall.go"),
    ]

    _hall: hall.EnteredHall | None

    def __init__(self, addresses: Sequence[str], port: int, code: str, name: str) -> None:
        """Enter the hall at one of these addresses; without a code, ask for it."""
        super().__init__("A tournament")
        self._at, self._code, self._player = (tuple(addresses), port), code, name

    def begin(self) -> None:
        """Enter, or ask for the code first."""
        if self._code:
            self._enter(self._code)
        else:
            self.ask_code(WHOSE)

    @on(Prompt.Submitted)
    def _given(self, event: Prompt.Submitted) -> None:
        if not event.text:
            self.action_back()
        elif (code := self.code_in(event.text, WHOSE)) is not None:
            self._enter(code)

    def _enter(self, code: str) -> None:
        self.say("")
        opening = openings.entering(*self._at, code, self._player)
        is_open = self.shell.settings.audit
        self.open_hall(lambda: hall.EnteredHall(opening, self.app.post_message, is_open=is_open))
        if self._hall is not None:
            self._hall.seat_down = self.seat_down
        self.refresh_bindings()

    def seat_down(self, table: LanTable) -> None:
        """Show a match that begins, in the place of whatever stands above the hall."""
        if not self.app.screen_stack:  # the app is ending
            return
        while self.app.screen is not self and self in self.app.screen_stack:
            self.app.pop_screen()
        self.app.push_screen(LanTableScreen(table))

    def next_line(self) -> Line:
        """Return what is to be done now."""
        assert self._hall is not None
        assert self._hall.board is not None
        return hall_lines.player_next(
            self._hall.board, can_go=self._hall.can_go, is_waiting=self._hall.is_waiting
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Hide the keys that do nothing now."""
        if action == "go":
            return self._hall is not None and self._hall.can_go
        return True

    def action_go(self) -> None:
        """Go to our table, or back to it."""
        if self._hall is not None:
            self._hall.go()
            self.redraw()

    def on_screen_resume(self) -> None:
        """Show the hall as it is now, when the table is left."""
        self.redraw()
        self.refresh_bindings()

    def action_back(self) -> None:
        """Leave the hall; ask first while the tournament goes on."""
        board = self._hall.board if self._hall is not None else None
        if board is None or board.tournament.is_over:
            self._leave()
            return
        question: list[Line] = [
            (("Leave the hall?", "title"),),
            (("Your place is kept: join again with the same code and name.", ""),),
        ]
        dialog.confirm(self.app, question, "No, stay", "Yes, leave", self._leave)

    def _leave(self) -> None:
        self.close_hall()
        super().action_back()
