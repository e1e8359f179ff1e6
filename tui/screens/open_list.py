"""A live list of tables or tournaments on the LAN, and a way to enter an address."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from kumite.core.errors import KumiteError
from kumite.core.game import Seats
from kumite.store import guest_mode
from kumite.tui.look.glyphs import Look
from kumite.tui.play.terms import table_of
from kumite.tui.scenes import Scene
from kumite.tui.scenes.lines import capital, fit, shortened, width
from kumite.tui.screens import lookout
from kumite.tui.screens.form_screen import BESIDE_LISTS, SLIM, BannerFormScreen
from kumite.tui.settings import own_name
from kumite.tui.widgets.bindings import escape
from kumite.tui.widgets.form import Row
from kumite.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from kumite.net.transport.discovery import Found, News
    from kumite.tui.screens.waiting import WaitingScreen

NAME: Final = 21  # least columns of a name; leaves room for the rest at 60 columns
TITLE: Final = 17
SHORT_NAME: Final = 12  # columns of a name in large print
BESIDE_TITLE: Final = 12  # the mark, the gaps and `2 free` then
FREE: Final = 12  # columns for the free seats
AROUND: Final = 18  # columns for the mark, the gaps and the free seats
ANOTHER: Final = "another version"
SINCE: Final = 14  # columns for the time of opening, if there is room
PLACE: Final = 18  # columns for an address, if there is room
ANY: Final[Seats] = frozenset()  # seats to join in; None: look on
INVITE: Final = "invite"
NO_ANSWER: Final = "the server does not answer; kumite tries again"
AGAIN: Final = 3.0  # s after which a server that did not answer is asked again
INVITE_LABEL: Final = "Type a code{{ or an address|}} ..."
INVITE_HELP: Final = (
    "7-torii-lantern{{, 192.168.1.20, or the whole line that a host sent you|, as the host says}}."
)


class OpenScreen(BannerFormScreen):
    """A list of open tables, or of tournaments only."""

    HAS_PROMPT = True
    PREVIEWS = (*BESIDE_LISTS, SLIM)
    BINDINGS: ClassVar[list[BindingType]] = [escape("join.back")]

    def __init__(self, name: str = "", finder: lookout.MakeFinder = lookout.lan_finder) -> None:
        super().__init__()
        self._name = name
        self.found: dict[str, Found] = {}
        self.deliver = partial(self.call_later, self.noted)
        self._finder = finder(self.deliver)
        self._is_watching = False
        self._trouble = ""  # instead of "no table is open": the search does not work

    def pictured(self, row: Row) -> Scene:
        """Return the start of the game of a table; of the first game for other rows."""
        found = self.found.get(row.key)
        return self.start_of(found.table.game if found is not None else "")

    def on_resize(self) -> None:
        self.once_drawn(lambda: self.form.show(self.rows()))

    def begin(self) -> None:
        super().begin()
        self._search()

    def _search(self) -> None:
        self.run_worker(self._finder.start, thread=True, exit_on_error=False, name="finder")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Report that the search cannot run here; a server is asked again."""
        error = event.worker.error
        if isinstance(error, KumiteError):
            self._fail("no search is possible on this network")
            self.complain(error)
        elif event.state is WorkerState.SUCCESS and self._trouble:
            self._trouble = ""
            self.form.show(self.rows())
            self.selected(self.form.row)

    def _fail(self, why: str) -> None:
        if guest_mode.is_guest():
            why = NO_ANSWER
            self.set_timer(AGAIN, self._search)
        self._trouble = why
        self.form.show(self.rows())

    def on_unmount(self) -> None:
        self._finder.close()

    # --- the list -----------------------------------------------------------------------------

    def noted(self, news: News) -> None:
        from kumite.net.transport.discovery import Awaiting, Unanswered

        if isinstance(news, Unanswered):
            self.found.clear()
            self._fail(NO_ANSWER)
        lookout.keep_news(self.found, news, self._called)
        at = self.form.row.key
        self.form.show(self.rows())
        if self.form.row.key != at:  # its table is gone: Enter must not go to another one
            self.form.go(news.key if isinstance(news, Awaiting) else INVITE)
        self.selected(self.form.row)

    def open_rows(self, what: str, found: Iterable[Found]) -> list[Row]:
        """Return rows for what was found, compatible versions first, and a row to enter an invite.

        Server guests enter codes only: addresses would let them probe the host's network.
        """
        tables = lookout.listed(found)
        said = self._trouble or guest_mode.suited(f"no {what} is open {{{{on this LAN|here}}}} yet")
        none = () if tables else (Row("", f"   {said}"),)
        invite = Row(INVITE, guest_mode.suited(INVITE_LABEL), guest_mode.suited(INVITE_HELP))
        room = self._columns([one for one in tables if one.is_ours])
        rows = [_row(one, self.shell.look, *room) for one in tables]
        at = next((at for at, one in enumerate(tables) if one.is_ours and lookout.is_full(one)), 0)
        if at:
            rows.insert(at, Row("", "Full or running: Enter looks on"))
        return [*rows, *none, Row("", ""), invite]

    def _columns(self, found: Sequence[Found]) -> tuple[int, int, int]:
        """Return the columns of names and of titles, as these need, and those left for more."""
        columns = self.form_columns
        room = columns - AROUND - NAME - TITLE
        if room < 0:  # large print
            return SHORT_NAME, columns - BESIDE_TITLE - SHORT_NAME, room
        names = max([SHORT_NAME, *(width(one.table.name) for one in found)])
        free = max([FREE, *(width(lookout.free_seats(one)) for one in found)])
        titles = max([TITLE, *(width(one.table.title) for one in found)])
        name = max(min(NAME, names), NAME - max(0, titles - TITLE + free - FREE - room))
        room += NAME - name
        title = min(TITLE + room, titles)
        room -= title - TITLE
        more = max(0, min(room, names - name))
        return name + more, title, room - more

    # --- going there --------------------------------------------------------------------------

    def choose(self, key: str, *, is_watching: bool = False) -> None:
        self._is_watching = is_watching
        if key == INVITE:
            self._ask_invite()
        elif (found := self.found.get(key)) is not None:
            self._go(way_to(found, self._called, is_watching=is_watching))

    def _ask_invite(self, text: str = "") -> None:
        from kumite.net.transport.invites import LONGEST

        self.say("As shown on the host's screen; Enter continues, Esc goes back", "quiet")
        question = guest_mode.suited("Code{{ or address|}}:")
        self.query_one(Prompt).ask(question, self._typed, text=text, longest=LONGEST)

    def anew(self) -> Screen[None]:
        return type(self)(self._called)

    def say_unbound(self, character: str) -> None:
        """Begin an invite with a digit, as codes and addresses begin."""
        if character.isdecimal():
            self._ask_invite(character)
        else:
            super().say_unbound(character)

    def on_paste(self, event: events.Paste) -> None:
        if not self.is_writing:
            self._ask_invite(" ".join(event.text.split()))

    def _go(self, screen: WaitingScreen) -> None:
        """Give way to a table; the list is where one comes back to without a code."""
        screen.back_to = self.anew
        self.app.switch_screen(screen)

    def _typed(self, text: str | None) -> None:
        from kumite.net.transport.invites import parse_invite
        from kumite.tui.screens.lobby import LobbyScreen

        self.form.focus()
        if text:
            with self.complaining():
                invite = parse_invite(text)
                if invite.addresses:
                    guest_mode.refuse("go to an address")
                seats = None if self._is_watching else ANY
                self._go(LobbyScreen.joining(*invite, self._called, seats))

    @property
    def _called(self) -> str:
        return self._name or own_name(self.shell.settings)


class JoinScreen(OpenScreen):
    """The live list of tables on the LAN, and a way to join any other by address."""

    HEADING = "Tables {{on the LAN|open here}}"
    HELP = """\
Tables open {{on this LAN|here}} are listed as they come and go. Enter joins one; its host tells
you the code. A table that waits for you needs none: you go on where you left it. w watches
without playing.{{ If a table is not listed (some networks block
discovery), join it by the address that its host's screen shows.|}}"""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("w", "watch", "look on", id="join.watch")]

    def __init__(self, name: str = "", finder: lookout.MakeFinder = lookout.lan_finder) -> None:
        super().__init__(name, finder)
        self._seats = lookout.seat_lookout(finder, self.deliver)
        self._has_typed = False

    def begin(self) -> None:
        super().begin()
        self.say("Looking for tables ...", "quiet")
        self._seats.begin()

    def on_unmount(self) -> None:
        self._seats.end()

    def rows(self) -> Sequence[Row]:
        return self.open_rows("table", self.found.values())

    def noted(self, news: News) -> None:
        """Update the list; the cursor, until it is moved, goes to a table that can be joined."""
        is_new = news.key not in self.found
        super().noted(news)
        ours = [one.key for one in lookout.listed(self.found.values()) if one.is_ours]
        free = [key for key in ours if not lookout.is_full(self.found[key])] or ours
        if is_new and free and not self._has_typed and self.form.row.key not in free:
            self.form.go(free[0])

    def before_key(self) -> None:
        super().before_key()
        self._has_typed = True

    def chosen(self, key: str) -> None:
        self.choose(key)

    def action_watch(self) -> None:
        with self.complaining():
            self.choose(self.form.row.key, is_watching=True)


def opened(since: int) -> str:
    """Return when a table was opened, in local time; "" if it does not say."""
    then = datetime.fromtimestamp(since)
    is_today = datetime.now() - then < timedelta(hours=12)
    return f"since {then.strftime('%H:%M' if is_today else '%d %b')}" if since else ""


def _row(found: Found, look: Look, name: int, title: int, room: int) -> Row:
    table = found.table
    if not found.is_ours:
        label = fit(f"{ANOTHER} ", max(name, len(ANOTHER)) + 1)
        return Row(found.key, label, lookout.why_not(found), line=(("update to join", "quiet"),))
    where = "" if guest_mode.is_guest() else f": {found.addresses[0]} port {table.port}"
    free = lookout.free_seats(found)
    free = free.partition(" seat")[0] if room < 0 else f"{free:<{FREE}}"
    title -= max(0, width(free) - (6 if room < 0 else FREE + room))
    said = f"{shortened(table.title, title, look)}  {free}"
    label = f"{shortened(table.name, name, look)} "
    since = opened(table.since)
    more = f"  {since:<{SINCE}}" * (room >= SINCE)
    others = f"with {table.others}" * bool(table.others)
    if room >= SINCE + PLACE + PLACE:
        place = "" if guest_mode.is_guest() else f"{found.addresses[0]:<{PLACE}}"
        more += f"{place}{shortened(others, room - SINCE - PLACE, look)}"
    else:
        more += found.addresses[0] * (room >= SINCE + PLACE and not guest_mode.is_guest())
    hint = ", ".join(filter(None, (f"{lookout.does(found)}{where}", since, others)))
    role = "quiet" if lookout.is_full(found) else "key" * lookout.is_awaiting(found)
    return Row(found.key, label, hint, line=((said, role), (more, "quiet")))


def way_to(found: Found, name: str, *, is_watching: bool = False) -> WaitingScreen:
    """Return the screen that joins a table, or looks on if it is full or this is wanted.

    Our seat is never looked at: it is returned to.
    """
    from kumite.net.transport.discovery import Awaiting, Entered
    from kumite.tui.screens.lobby import LobbyScreen

    if not found.is_ours:
        raise KumiteError(lookout.why_not(found))
    if isinstance(found, Awaiting):
        return LobbyScreen.resuming(found.log)
    way = found.addresses, found.table.port, "", name
    if found.table.is_tournament:
        from kumite.tui.screens.tournament import TournamentPlayerScreen

        title = capital(table_of(found.table))
        ticket = found.ticket if isinstance(found, Entered) and not is_watching else None
        return TournamentPlayerScreen(*way, title, plays=not is_watching, ticket=ticket)
    seats = ANY if found.table.free and not is_watching else None
    return LobbyScreen.joining(*way, seats, table=table_of(found.table), number=found.table.number)
