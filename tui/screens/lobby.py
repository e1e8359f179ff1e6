"""The lobby of a LAN table: code, addresses and players, until the match begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding, BindingType

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.core.game import Seat, Seats
from kumite.core.players import MAX_NAME, as_person, shown_names
from kumite.core.text import listed
from kumite.net.session import events
from kumite.net.transport.addresses import typed_places
from kumite.net.wire.fields import MAX_SAY
from kumite.store import guest_mode
from kumite.tui.play import openings
from kumite.tui.play.lan_table import LanTable
from kumite.tui.play.lobby_words import next_bot, terms_of, title, why_not_seat
from kumite.tui.play.network_words import reason, text, turned_away
from kumite.tui.play.openings import Opening
from kumite.tui.play.terms import table_of
from kumite.tui.play.tournaments import TournamentPlan
from kumite.tui.scenes import Line
from kumite.tui.scenes.lines import wrapped
from kumite.tui.screens import dialog
from kumite.tui.screens.base import LAST_KEYS
from kumite.tui.screens.form_screen import start_scene
from kumite.tui.screens.lan_table import LanTableScreen
from kumite.tui.screens.lobby_lines import (
    Space,
    company,
    invitation,
    lobby_lines,
    talked,
    text_columns,
    what_next,
    with_picture,
)
from kumite.tui.screens.lookout import lan_finder
from kumite.tui.screens.tournament import TournamentHostScreen, TournamentPlayerScreen
from kumite.tui.screens.waiting import ONE_MOMENT, WaitingScreen
from kumite.tui.settings import BadSettings, remember_name
from kumite.tui.widgets.form import Row
from kumite.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from kumite.net.transport.discovery import Found

HOST, GUEST, RETURNING = "host", "guest", "returning"
IN_THE_LOBBY: Final = frozenset(  # actions of those who have come in
    {"ready", "start", "talk", "rename", "seat", "fill", "draw_seats"}
)
STAYS: Final = 60.0  # s for which a refused connection stays on screen


def _place(addresses: Sequence[str], port: int, code: str) -> str:
    return f"{addresses[0]} port {port}" if addresses else f"the table with the code {code}"


class LobbyScreen(WaitingScreen):
    """A hosted table before its match, or the connection to one."""

    HELP = """\
The host tells the others the code{{ and an address. They join with the line on the
host's screen, or from|. They join from}} their home screen, where the table is listed. Anyone
who knows the code can join; after three wrong codes it is replaced by a new one.

1 to 6 take a seat. If its player is not ready yet, you swap seats. t sends a message and
n changes your name. As the host, b chooses the bots for free seats and d draws lots for
the seats. x copies the line with which others join, for a chat.{{ f shows lines for
friends on other networks.|}}

When all players are ready, the host starts the match. Bots play the seats that are still
free. If a player leaves, nothing is lost: the table waits."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "ready", "ready, or not", id="lobby.ready"),
        Binding("s,enter", "start", "start", id="lobby.start"),
        Binding("c", "new_code", "new code", id="lobby.code"),
        Binding("x", "copy", "copy invite", id="lobby.copy"),
        Binding("t", "talk", "talk", id="lobby.talk"),
        *(
            Binding(f"{n}", f"seat({n})", f"take seat {n}", show=False, id=f"lobby.seat{n}")
            for n in range(1, 7)
        ),
        Binding("n", "rename", "name", id="lobby.name"),
        Binding("b", "fill", "other bots", id="lobby.bots"),
        Binding("f", "far", "friends far away", id="lobby.far"),
        Binding("d", "draw_seats", "draw lots: on or off", show=False, id="lobby.draw"),
        Binding("w", "watch", "look on", id="lobby.watch"),
        Binding("enter", "again", "try again", id="lobby.again"),
        Binding("q", "back", "leave", id="screen.back"),
        Binding("escape", "back", "leave", show=False, id="lobby.leave"),
    ]

    client: LanTable | None

    def __init__(
        self, role: str, title: str, opening: Callable[[str], Opening], code: str = ""
    ) -> None:
        """Prefer the class methods below; `opening` is called with the code."""
        super().__init__(title, code)
        self._role = role
        self.can_retry = role != HOST
        self._opening = opening
        self._at: tuple[Sequence[str], int] = ((), 0)  # a guest's way to the table
        self._is_found_by_code = False
        self._number = 0  # of this table's codes, if it is known
        self._copies_invite = False  # as soon as the table is open
        self._is_shared = False  # an invite with this code was copied
        self._joins_as = ""  # a guest's name, who may look on instead, or go to a tournament
        self._is_full = False  # all seats are taken, or the match has begun
        self._programs: Mapping[str, str] = {}  # local bot programs: their commands by name
        self._mine: Seats = frozenset()  # our seats at the last update
        self._people = 0  # players here at the last update
        self._passing: Line = ()  # a message that is cleared when another player arrives
        self._answer: Line = ()  # a message that is cleared when the lobby changes
        self._listed_as: str | None = None  # the host's name, if announced on the LAN

    @classmethod
    def hosting(
        cls,
        table: events.HostSetup,
        name: str,
        port: int | None = None,
        programs: Mapping[str, str] | None = None,
        *,
        copies_invite: bool = False,
    ) -> LobbyScreen:
        """Open a table; announce it on the LAN if it is listed."""
        setup = table.setup
        title = f"A table of {setup.game.TITLE} for {setup.seats}"
        made = cls(HOST, title, lambda _: openings.hosting(table, name, port))
        made._programs, made._copies_invite = programs or {}, copies_invite
        made._listed_as = name if table.is_listed else None
        return made

    @classmethod
    def joining(
        cls,
        addresses: Sequence[str],
        port: int,
        code: str,
        name: str,
        seats: Seats | None = frozenset(),
        *,
        table: str = "",
        number: int = 0,
    ) -> LobbyScreen:
        """Join the table at one of these addresses in `seats`, any if empty; None: look on.

        Ask for the code if it is empty. Without addresses, the table is found by its code; `table`
        says whose it is, if known.
        """

        def way(code: str) -> Opening:
            return openings.joining(*made._at, code, name, seats, made.shell.settings.audit)

        does = "Looking on at" if seats is None else "Joining"
        made = cls(GUEST, f"{does} {table or _place(addresses, port, code)}", way, code)
        made._at, made._is_found_by_code = (addresses, port), not addresses
        made._joins_as, made._number = "" if seats is None else name, number
        return made

    @classmethod
    def resuming(
        cls,
        path: Path,
        at: tuple[str, int] | None = None,
        programs: Mapping[str, str] | None = None,
    ) -> WaitingScreen:
        """Return to a table, or to a tournament and to its table."""
        if at is None and (ticket := openings.ticket_of(path)) is not None:
            if (ours := openings.organised(ticket)) is not None:  # or nobody could come back
                return TournamentHostScreen(TournamentPlan(ours), ticket.name)
            return TournamentPlayerScreen.returning(ticket)
        made = cls(RETURNING, "Going on with a LAN match", lambda _: openings.resuming(path, at))
        made._programs, made._listed_as = programs or {}, openings.hosted_as(path)
        return made

    @property
    def _table(self) -> LanTable:
        assert self.client is not None
        return self.client

    @property
    def lobby(self) -> events.Lobby | None:
        """Return who is there; None before this terminal is."""
        return None if self.client is None else self.client.lobby

    def on_mount(self) -> None:
        if self._role == GUEST and not self.code:
            self.ask_code()
        else:
            self.come_in(self.code)

    def go_to(self, addresses: Sequence[str], port: int) -> None:
        self._at, self._is_found_by_code, self._number = (addresses, port), False, 0
        self.retitle("Joining " + _place(addresses, port, ""))

    def redraw(self) -> None:
        table = self.client
        if table is not None and (table.listening or table.lobby):
            self._show_table()

    # --- the code and the opening -------------------------------------------------------------

    def come_in(self, code: str) -> None:
        self._is_full = False
        self.tell(ONE_MOMENT)
        self.say("")
        is_of_another = self._number and not code.startswith(f"{self._number}-")
        if self._is_found_by_code or is_of_another:
            self.run_worker(partial(self._seek, code), thread=True, exit_on_error=False)
        else:
            self._connect(code)

    def _seek(self, code: str) -> None:
        """Find the table, then connect to it; runs in a thread."""
        from kumite.net.transport.invites import find_table

        try:
            found = find_table(code, lan_finder)
        except KumiteError as error:
            self.app.call_from_thread(self.refuse, str(error), error.hint)
        else:
            self.app.call_from_thread(self._found, found, code)

    def _found(self, found: Found, code: str) -> None:
        if self.is_whole:
            self._at = found.addresses, found.table.port
            if self._number:
                self.retitle(f"Joining {table_of(found.table)}")
            self._connect(code)

    def _connect(self, code: str) -> None:
        post, programs, name = self.app.post_message, self._programs, self._listed_as
        self.connect(lambda: LanTable(self._opening(code), post, programs, name))

    # --- what the network tells ---------------------------------------------------------------

    def heard(self, event: events.Event) -> None:
        """Show an event; switch to the table once the match begins."""
        if not self.is_whole or self.client is None:
            return
        match event:
            case events.MatchBegan():
                self._begin()
                return
            case events.Stopped(codes.TOURNAMENT) if self._joins_as:
                self.close_client()
                there = TournamentPlayerScreen(*self._at, self.code, self._joins_as)
                there.back_to = self.back_to
                self.app.switch_screen(there)
                return
            case events.Stopped(code):
                self._is_full = code in (codes.FULL, codes.BEGUN) and bool(self._joins_as)
                self.refuse(*reason(event), "w: look on   " * self._is_full)
                return
            case events.Left(is_closed=True):
                self.refuse(text(event), "")
                return
            case events.Lobby():
                self._gathered(event)
            case events.Listening():
                self.form = None
                if self._copies_invite:
                    self.action_copy()
            case events.TurnedAway():
                self.say_trouble(*turned_away(event))
                self._stays_a_while()
            case events.CodeChanged():
                self._is_shared = False
                self.say(text(event), "quiet")
                self._stays_a_while()
            case events.NotDone(code):
                self.say_trouble(*reason(event))
                if code == codes.NOT_READY:
                    self._answer = self._hinted
            case events.Presence():
                self.say(text(event), "quiet")
        self._show_table()
        self.refresh_bindings()

    def _gathered(self, lobby: events.Lobby) -> None:
        if self._role == GUEST:
            self.retitle(title(lobby))
        self._passes(self._answer)
        before, self._mine = self._mine, lobby.guests[lobby.me].seats
        is_moved = before and self._mine and before != self._mine
        if is_moved and lobby.me != 0 and not lobby.has_lots:
            numbers = listed([str(seat + 1) for seat in sorted(self._mine)])
            swapped = [g.name for g in lobby.guests if g.seats & before and g.name]
            who = f", and {swapped[0]} has your old one" * (
                len(swapped) == 1 and not self._mine & before
            )
            self.say(f"You have seat {numbers} now{who}.", "title")
            self._answer = self._hinted
        # The first lobby only lists who was here already, such as the host alone.
        came, self._people = 0 < self._people < len(lobby.guests), len(lobby.guests)
        if came:
            self._passes(self._passing)

    def _stays_a_while(self) -> None:
        said = self._passing = self._hinted
        self.set_timer(STAYS, lambda: self._passes(said))

    def _passes(self, said: Line) -> None:
        """Clear a message if it is still shown."""
        if self.is_whole and said and self._hinted is said:
            self.say("")

    def _begin(self) -> None:
        table, self.client = self._table, None
        self.app.switch_screen(LanTableScreen(table))

    # --- showing ------------------------------------------------------------------------------

    def _show_table(self) -> None:
        space, lobby, brush = self.space, self._table.lobby, self.shell.brush
        lines = self._lines(space)
        if lobby is not None and brush.has_pixels:
            names = () if lobby.has_lots else shown_names(lobby.names)
            scene = start_scene(lobby.setup, space.look, names)
            lines = with_picture(lines, self._lines, scene, brush, space)
        self.tell(*lines)

    def _lines(self, space: Space) -> list[Line]:
        table = self._table
        waits = "Waiting for the others ..." if table.listening else "Joining ..."
        there: list[Line] = [((waits, "quiet"),)]
        talk: list[Line] = []
        next_: Line = ()
        if table.lobby is not None:
            lobby, columns = table.lobby, text_columns(space, is_alone=table.listening is None)
            there = company(lobby, space.look, table.pings)
            talk = talked(table.talk, columns)
            for said in terms_of(lobby):
                there += wrapped(said, columns, "quiet")
            next_ = what_next(lobby)
        invitation = self._invitation(len(there) + len(talk), space)
        return lobby_lines(invitation, there, talk, next_, space)

    def _invitation(self, people: int, space: Space) -> list[Line]:
        table, listening = self._table, self._table.listening
        if listening is None:
            return []
        places = typed_places(guest_mode.announced(listening.addresses), listening.port)
        return invitation(table.code, places, people, space, is_listed=self._listed_as is not None)

    # --- keys ---------------------------------------------------------------------------------

    def keys_now(self) -> list[tuple[str, str]]:
        """Return the keys of the line, with the seat keys combined into one."""
        keys = super().keys_now()
        lobby = self.lobby
        if lobby is None or self.is_writing or not self.check_action("seat", ()):
            return keys
        at = next((at for at, (key, _) in enumerate(keys) if key in LAST_KEYS), len(keys))
        return [*keys[:at], (f"1-{lobby.setup.seats}", "seat"), *keys[at:]]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        lobby = self.lobby
        if action == "watch":
            return self._is_full
        if action == "again":
            return self.is_refused
        if action in ("new_code", "copy", "far"):
            is_open = self.client is not None and self.client.listening is not None
            return is_open and not (action == "far" and guest_mode.is_guest())
        if lobby is None:
            return action not in IN_THE_LOBBY
        is_host, has_seat = lobby.me == 0, bool(lobby.guests[lobby.me].seats)
        match action:
            case "start":
                return is_host and lobby.can_start
            case "draw_seats":
                return is_host
            case "fill":
                return is_host and bool(lobby.free)
            case "ready":
                return has_seat and not is_host
            case "seat":
                return has_seat and not lobby.has_lots
        return True

    def action_ready(self) -> None:
        if (lobby := self.lobby) is not None:
            self._table.peer.ready(not lobby.guests[lobby.me].is_ready)

    def action_start(self) -> None:
        self._table.peer.start()

    def action_talk(self) -> None:
        self._ask("Say:", MAX_SAY, lambda text: self._table.peer.say(text))

    def action_rename(self) -> None:
        self._ask("Your name:", MAX_NAME, self._rename)

    def _ask(self, label: str, longest: int, do: Callable[[str], None]) -> None:
        def answered(text: str | None) -> None:
            self.set_focus(None)
            if self.client is not None:
                if text:
                    self.say("")
                    do(text)
                self._show_table()

        self.query_one(Prompt).ask(label, answered, longest=longest)

    def _rename(self, name: str) -> None:
        self._table.peer.rename(name)
        with suppress(BadSettings):  # the lobby needs none
            self.shell.use(remember_name(self.shell.settings, as_person(name)))

    def action_seat(self, number: int) -> None:
        if (lobby := self.lobby) is None:
            return
        if why := why_not_seat(lobby, Seat(number - 1)):
            self.say(why, "loss")
            self._answer = self._hinted
        else:
            self.say("")
            self._table.peer.take_seat(Seat(number - 1))

    def action_fill(self) -> None:
        """Let the next stronger bot take the free seats, or the weakest after the strongest."""
        if (lobby := self.lobby) is not None:
            self._table.peer.fill_seats(next_bot(lobby.names[min(lobby.free)]))

    def action_draw_seats(self) -> None:
        self._table.peer.draw_seats()

    def action_new_code(self) -> None:
        has_joined = self.lobby is not None and len(self.lobby.guests) > 1
        self.take_code(self._table.peer.new_code, is_known=self._is_shared or has_joined)

    def action_copy(self) -> None:
        if (at := self._table.listening) is not None:
            self.copy_invite(at)

    def action_far(self) -> None:
        """Show lines for friends on other networks; the chosen one is copied."""
        from kumite.net.transport.invites import far_ways

        if (at := self._table.listening) is not None:
            ways = far_ways(at.port, self._table.code)
            rows = [row for said, line in ways for row in (Row("", said), Row(line, line))]
            tailscale = "" if len(ways) > 3 else "With Tailscale on both computers it is one line."
            question = dialog.lines(
                "For friends on another network",
                ("Enter copies a line. Both ssh lines stay open during the match.", ""),
                (tailscale, "quiet"),
            )
            dialog.ask(self.app, question, rows, self.copy)

    def copy(self, line: str) -> None:
        self._is_shared = True
        super().copy(line)
        self._stays_a_while()

    def action_back(self) -> None:
        """Leave; as the host ask first if others wait here."""
        others = self.lobby.guests[1:] if self.lobby is not None and self.lobby.me == 0 else ()
        if not others:
            super().action_back()
            return
        names = listed([one.name or "somebody" for one in others])
        question = "Close the table?", f"It ends for {names}, too, and its code with it."
        leave = super().action_back
        dialog.confirm(self.app, question, "No, stay", "Yes, close it", leave)

    def action_watch(self) -> None:
        self.app.switch_screen(self.joining(*self._at, self.code, self._joins_as, None))

    def action_again(self) -> None:
        if self._role == GUEST:
            self.ask_code()
        else:
            self.come_in("")
