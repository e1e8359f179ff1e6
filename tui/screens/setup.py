"""The set-up of a match: game, seats, options, names and players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from kumite.core import gone
from kumite.core.bots import LISTED
from kumite.core.errors import KumiteError
from kumite.core.game import Option, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.players import BOT, bot_name
from kumite.core.series import LENGTHS, Series
from kumite.store import guest_mode
from kumite.tui.bots.programs import called
from kumite.tui.drawing.tiles import introduction
from kumite.tui.play import first
from kumite.tui.play.local_seats import is_tutored
from kumite.tui.play.local_table import LocalTable, default_names, lan_table, seat_names
from kumite.tui.play.narration import Remark
from kumite.tui.play.terms import GONE, PRICE, USUAL_AWAY, parse_clock
from kumite.tui.scenes.about import about
from kumite.tui.scenes.lines import Line, capital
from kumite.tui.screens.form_screen import FormScreen, banner, show_banner
from kumite.tui.settings import ON_OFF, own_name, remember_level
from kumite.tui.widgets.bindings import escape
from kumite.tui.widgets.form import Form, Row
from kumite.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from kumite.net.wire.fields import Clock
    from kumite.tui.screens.waiting import WaitingScreen

LEVELS: Final = LISTED
BOT_NAMES: Final = tuple(f"{BOT}{level}" for level in LEVELS)
BOT_WORDS: Final = tuple(map(bot_name, LEVELS))
GO: Final = "go"
TUTOR: Final = "tutor"
WHO, HOW = Row("", "Who plays"), Row("", "How it is played")
BESIDE: Final = 30  # columns of the panel beside the form
NARROW: Final = 76  # with fewer columns there is no panel
BEGINS, LOTS, SEATED = "begins", "lots", "seated"  # key of the row, and its values
CHANGES_ROWS: Final = ("game", "seats", "clock", "gone", "system", BEGINS)
OPTION: Final = "option "  # key prefix of option rows


class SetupScreen(FormScreen):
    """A form whose rows depend on its values, with the start button at the top."""

    BINDINGS: ClassVar[list[BindingType]] = [escape("setup.back", show=True)]

    def __init__(
        self, game: str = "", values: Mapping[str, str] | None = None, *trouble: str
    ) -> None:
        """Start with this game selected, or with the first one.

        `values`, `trouble`: what was chosen before, and why it could not be opened.
        """
        super().__init__()
        self._game = game or next(iter(GAMES))
        self._values, self._trouble = values or {"game": self._game}, trouble

    def compose(self) -> ComposeResult:
        yield Lines(*banner(self, guest_mode.suited(self.HEADING)), id="banner")
        yield Lines(self.heading(), id="head")
        about_it = Lines(*self._introduction(self._game), id="about")
        yield Horizontal(Form(*self.rows(), id="form"), about_it, id="middle")
        yield Lines(id="hint")
        yield Lines(id="keys")

    def on_resize(self) -> None:
        self.set_class(self.app.size.width < NARROW, "-narrow")
        self.redraw()

    def redraw(self) -> None:
        show_banner(self, guest_mode.suited(self.HEADING))
        self.query_one("#about", Lines).show(self._introduction(self.form.values["game"]))

    def _introduction(self, game: str) -> list[Line]:
        high = self.app.size.height - 8
        return introduction(about(game), f"crest-{game}", self.shell.brush, BESIDE, high)

    def rows(self) -> Sequence[Row]:
        return self.rows_for(self._values)

    def begin(self) -> None:
        super().begin()
        if self._trouble:
            self.form.go("port")
            self.call_after_refresh(self.say_trouble, *self._trouble)

    def rows_for(self, values: Mapping[str, str]) -> list[Row]:
        raise NotImplementedError

    def done(self, values: Mapping[str, str]) -> None:
        raise NotImplementedError

    @on(Form.Changed)
    def _changed(self, event: Form.Changed) -> None:
        if event.key in CHANGES_ROWS or event.key.startswith(("name ", "player ")):
            self.form.show(self.rows_for(self.form.values))
            self.selected(self.form.row)  # its help may be about another game now
            self.redraw()

    def chosen(self, key: str) -> None:  # noqa: ARG002
        self.done(self.form.values)

    def open(self, screen: WaitingScreen) -> None:
        """Give way to what is opened here; the form comes back if it cannot be opened."""
        values = self.form.values
        screen.form = partial(type(self), values["game"], {"port": "", **values})
        self.app.switch_screen(screen)


def match_rows(values: Mapping[str, str]) -> tuple[list[Row], list[Row], int]:
    game = GAMES[values.get("game", next(iter(GAMES)))]
    allowed = tuple(map(str, game.SEATS))
    seats = values.get("seats", "")
    seats = seats if seats in allowed else allowed[0]
    titles = tuple(GAMES[one].TITLE for one in GAMES)
    players = tuple(f"{number} players" for number in allowed)
    rows = [
        Row("game", "Game", about(game.ID).sentence, tuple(GAMES), game.ID, words=titles),
        Row("seats", "Players", "How many play.", allowed, seats, words=players),
    ]
    options = [one for one in game.OPTIONS if one.matters(int(seats))]
    return rows, [_option_row(one, values) for one in options], int(seats)


def _option_row(option: Option, values: Mapping[str, str]) -> Row:
    said = dict(
        zip(map(str, option.allowed), option.words or map(str, option.allowed), strict=True)
    )
    usual = str(option.default)
    choices = (usual, *(one for one in said if one != usual))
    key = f"{OPTION}{option.name}"
    value = values.get(key, usual)
    return Row(
        key,
        option.title or option.name.capitalize(),
        f"{capital(option.help)}.",
        choices,
        value if value in choices else usual,
        words=tuple(said[one] for one in choices),
    )


def who_rows(values: Mapping[str, str], seats: Sequence[Row]) -> list[Row]:
    """Return the rows of the seats, with their labels, roles and `values`, and of who begins."""
    help_ = "Seats are drawn by lot, or stay as above. A rematch asks again."
    words = {LOTS: "drawn by lot", SEATED: "as they sit here"}
    begins = choice_row(values, BEGINS, "Who begins", help_, words)
    has_first = about(values.get("game", next(iter(GAMES)))).has_first
    is_drawn = has_first and begins.value == LOTS
    called = "Player" if is_drawn else "Seat"
    rows = [
        replace(
            row,
            label=f"{called} {seat + 1}",
            value=values.get(row.key, row.value),
            help=_level(values.get(row.key, row.value)) or row.help,
            line=() if is_drawn else role_of(values, seat),
        )
        for seat, row in enumerate(seats)
    ]
    return [*rows, *[begins] * has_first]


def _level(who: str) -> str:
    """Return which level the bot of a seat has, "" for a person."""
    at = BOT_NAMES.index(who) + 1 if who in BOT_NAMES else 0
    return f"Level {at} of {len(LEVELS)}; 1 is the weakest. Left and Right choose." if at else ""


def choice_row(
    values: Mapping[str, str],
    key: str,
    label: str,
    help_: str,
    words: Mapping[str, str],
    usual: str = "",
) -> Row:
    """Return a row whose choices are the keys of `words`, at first `usual` or the first one."""
    value = values.get(key) or usual or next(iter(words))
    return Row(key, label, help_, tuple(words), value, words=tuple(words.values()))


def role_of(values: Mapping[str, str], seat: int) -> Line:
    """Return a seat's role, as the end of its row; () if the game has none."""
    roles = about(values.get("game", next(iter(GAMES)))).roles
    return ((f"   {roles[seat]}", "quiet"),) if seat < len(roles) else ()


def setup_of(values: Mapping[str, str]) -> Setup:
    options = {
        key.removeprefix(OPTION): value for key, value in values.items() if key.startswith(OPTION)
    }
    return Setup.of(GAMES[values["game"]], int(values["seats"]), options)


class NewScreen(SetupScreen):
    """A new match on this computer."""

    HEADING = "New match at this keyboard"
    HELP = """\
Enter on the button starts the match; on a row it goes to the next one. Up and down choose
a row, left and right a value. Each seat belongs to a person, whose name you can type, or
to a bot.{{ You can also type cmd: and a command, such as cmd:./mybot, to let a program of
your own play (its protocol is in docs/bots.md).|}}"""

    def __init__(self, game: str = "", *, against_bots: bool = False) -> None:
        """Start with people in all seats, or with bots in all but the first."""
        self._against_bots = against_bots
        self._usual = ""  # whether the tutor is on against these bots
        super().__init__(game)

    def rows_for(self, values: Mapping[str, str]) -> list[Row]:
        game_rows, options, seats = match_rows(values)
        settings = self.shell.settings
        people = (own_name(settings), *default_names(seats)[1:])
        help_ = (
            "A person, whose name you can write, or a bot: Left and Right choose. "
            f"From {BOT_WORDS[0]}, the weakest, to {BOT_WORDS[-1]}."
        )
        bot = f"{BOT}{settings.level}"
        names = [
            Row(
                f"name {seat}",
                "",
                help_,
                (name, *BOT_NAMES),
                bot if self._against_bots and seat else name,
                is_text=True,
                words=(name, *BOT_WORDS),
            )
            for seat, name in enumerate(people)
        ]
        is_on = settings.tutor or is_tutored(values.get(row.key, row.value) for row in names)
        usual = ON_OFF[not is_on]
        chosen = values.get(TUTOR, usual)
        chosen = usual if chosen == self._usual else chosen  # until somebody changes it
        self._usual = usual
        go = Row(
            GO, "Begin the match", "Enter begins it. It is saved as it is played.", is_button=True
        )
        tutor = Row(
            TUTOR, "Tutor", "Have a bot warn you once before a costly step.", ON_OFF, chosen
        )
        who = who_rows(values, names)
        return [go, Row("", ""), *game_rows, WHO, *who, HOW, *options, tutor]

    def done(self, values: Mapping[str, str]) -> None:
        from kumite.tui.screens.table import TableScreen

        setup = setup_of(values)
        who = (values[f"name {seat}"] for seat in range(setup.seats))
        spec = ",".join(one.replace(",", " ") for one in who)
        names, programs = called(seat_names(spec, setup.seats))
        self._remember(names)
        is_drawn = values.get(BEGINS) == LOTS
        table = LocalTable.begin(
            setup, first.by_lot(names) if is_drawn else names, programs=programs
        )
        if is_drawn:
            begins = capital(first.told(setup.game, table.shown_names), table.shown_names)
            table.remarks.append(Remark(0, f"Drawn by lot. {begins}.", "title"))
        self.app.switch_screen(TableScreen(table, wants_tutor=values[TUTOR] == ON_OFF[0]))

    def _remember(self, names: Sequence[str]) -> None:
        level = next((name.removeprefix(BOT) for name in names if name in BOT_NAMES), "")
        if level and level != self.shell.settings.level:
            with suppress(KumiteError):  # failing to save the level must not stop the match
                self.shell.use(remember_level(self.shell.settings, level))


ME, FREE = "you", "free"
NO_CLOCK: Final = "none"
CLOCKS: Final = ("3+2", "5+5", "10+5", "15+10", "30+30")
AWAY: Final = {"0": "none", "60": "1 min", "180": "3 min", "600": "10 min"}  # by seconds


class HostScreen(SetupScreen):
    """A new LAN table for other terminals to join."""

    HEADING = "Host a table{{ on the LAN|}}"
    HELP = """\
Set up the match here; others join with a code that is shown next. Each seat is played by
you (several people can share this keyboard) or by one of your bots, or is free for anyone
who joins."""

    def rows_for(self, values: Mapping[str, str]) -> list[Row]:
        game_rows, options, seats = match_rows(values)
        settings = self.shell.settings
        name = values.get("name", own_name(settings))
        players = (ME, FREE, *BOT_NAMES)
        words = (ME, "free for others", *BOT_WORDS)
        help_ = "You, a bot of yours, or free for anyone who joins."
        free = [
            Row(f"player {seat}", "", help_, players, FREE if seat else ME, words=words)
            for seat in range(seats)
        ]
        go_help = guest_mode.warning() or "Enter opens it and shows the code for the others."
        return [
            Row(GO, "Open the table", go_help, is_button=True),
            Row("", ""),
            *game_rows,
            Row("name", "Your name", "As the others will see it.", value=name, is_text=True),
            WHO,
            *who_rows(values, free),
            HOW,
            *_lan_rows(values, has_watchers=settings.watchers),
            *_gone_rows(values, game_rows[0].value, seats),
            *options,
            *(port_rows(values) if "port" in values else ()),
        ]

    def done(self, values: Mapping[str, str]) -> None:
        from kumite.tui.screens.lobby import LobbyScreen

        setup = setup_of(values)
        players = [values[f"player {seat}"] for seat in range(setup.seats)]
        free = frozenset(Seat(seat) for seat, who in enumerate(players) if who == FREE)
        bots = {Seat(seat): who for seat, who in enumerate(players) if who.startswith(BOT)}
        table = replace(
            lan_table(setup, values["name"], free, bots),
            clock=clock_of(values),
            has_watchers=values["watchers"] == ON_OFF[0],
            is_open=self.shell.settings.audit,
            gone=values.get("gone", gone.WAIT),
            has_lots=values.get(BEGINS) == LOTS,
            series=Series(int(values["best_of"])),
        )
        self.open(LobbyScreen.hosting(table, values["name"], port_of(values)))


def port_rows(values: Mapping[str, str]) -> list[Row]:
    """Return the row of the port; server guests cannot choose one."""
    from kumite.net.transport.addresses import PORT

    if guest_mode.is_guest():
        return []
    help_ = "Where the others come in; a firewall must let it through."
    words = {f"{PORT}": f"{PORT}, the usual one", "0": "any that is free"}
    return [choice_row(values, "port", "Port", help_, words | {f"{PORT + 1}": f"{PORT + 1}"})]


def port_of(values: Mapping[str, str]) -> int | None:
    return int(values["port"]) if "port" in values else None


_GONE_HELP: Final = {
    gone.WAIT: "the table still waits",
    gone.BOT: "a bot plays on; for three terminals or more",
    gone.FORFEIT: "that player loses; for three terminals or more",
}


def _gone_rows(values: Mapping[str, str], game_id: str, seats: int) -> list[Row]:
    """Return the row for how to replace a player who has left; [] if too few can play."""
    if seats < gone.FEWEST:
        return []
    chosen = values.get("gone", gone.WAIT)
    help_ = f"If all others say that a player does not come back, {_GONE_HELP[chosen]}."
    if chosen == gone.BOT and GAMES[game_id].SECRETS is not None:
        help_ = f"A bot plays on. Price: {PRICE}."
    return [choice_row(values, "gone", "Gone for good", help_, GONE)]


def _lan_rows(values: Mapping[str, str], *, has_watchers: bool) -> list[Row]:
    watchers = values.get("watchers", ON_OFF[not has_watchers])
    said = Row("watchers", "Watchers", "Let others watch.", ON_OFF, watchers)
    help_ = "Rematches count: who wins 2 of 3, or 3 of 5, wins the series."
    lengths = {f"{n}": f"best of {n}" if n > 1 else "one match" for n in LENGTHS}
    return [choice_row(values, "best_of", "Matches", help_, lengths), *clock_rows(values), said]


def clock_of(values: Mapping[str, str]) -> Clock | None:
    return parse_clock("+".join(values[one] for one in ("clock", "away") if one in values))


def clock_rows(values: Mapping[str, str]) -> list[Row]:
    help_ = "The time of each player, and what each step adds to it."
    said = {one: f"{one.replace('+', ' min + ')} s a step" for one in CLOCKS}
    rows = [choice_row(values, "clock", "Clock", help_, {NO_CLOCK: NO_CLOCK, **said})]
    if rows[0].value != NO_CLOCK:
        help_ = "How long a lost connection is free before it costs time."
        rows.append(choice_row(values, "away", "Time away", help_, AWAY, f"{USUAL_AWAY}"))
    return rows
