"""What is settled before a match: game, seats, options, names, who plays where."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual import on

from kumite.core.bots import BOTS
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.tui.bots.programs import called
from kumite.tui.play.clocks import parse_clock
from kumite.tui.play.local_table import LocalTable, default_names, lan_table, seat_names
from kumite.tui.play.names import BOT
from kumite.tui.screens.form_screen import FormScreen
from kumite.tui.settings import own_name
from kumite.tui.widgets.bindings import escape
from kumite.tui.widgets.form import Form, Row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.binding import BindingType

PLAYABLE: Final = {game.TITLE: game for game in GAMES.values()}


class SetupScreen(FormScreen):
    """A form whose rows depend on its values, with a button at its end."""

    BINDINGS: ClassVar[list[BindingType]] = [escape("setup.back", show=True)]

    def rows(self) -> Sequence[Row]:
        """Return the rows before anything has been chosen."""
        return self.rows_for({})

    def rows_for(self, values: Mapping[str, str]) -> list[Row]:
        """Return the rows, given what has been chosen so far."""
        raise NotImplementedError

    def done(self, values: Mapping[str, str]) -> None:
        """Do what the form is for."""
        raise NotImplementedError

    @on(Form.Changed)
    def _changed(self, event: Form.Changed) -> None:
        if event.key in ("game", "seats"):
            self.form.show(self.rows_for(self.form.values))

    def chosen(self, key: str) -> None:  # noqa: ARG002
        """Take the values as they are: the only row that can be chosen is the button."""
        self.done(self.form.values)


def match_rows(values: Mapping[str, str]) -> tuple[list[Row], int]:
    """Return the rows that settle game, seats and options, and how many seats they say."""
    title = values.get("game", next(iter(PLAYABLE)))
    game = PLAYABLE[title]
    seats = values.get("seats", "")
    if seats not in map(str, game.SEATS):
        seats = str(game.SEATS[0])
    rows = [
        Row("game", "Game", "Left and right choose.", tuple(PLAYABLE), title),
        Row("seats", "Seats", "How many play.", tuple(map(str, game.SEATS)), seats),
    ]
    for option in game.OPTIONS:
        allowed = tuple(map(str, option.allowed))
        value = values.get(f"option {option.name}", "")
        value = value if value in allowed else str(option.default)
        rows.append(
            Row(f"option {option.name}", option.name.capitalize(), option.help, allowed, value)
        )
    return rows, int(seats)


def setup_of(values: Mapping[str, str]) -> Setup:
    """Return the set-up that a form's values say."""
    prefix = "option "
    options = {
        key.removeprefix(prefix): value for key, value in values.items() if key.startswith(prefix)
    }
    return Setup.of(PLAYABLE[values["game"]], int(values["seats"]), options)


class NewScreen(SetupScreen):
    """A match at this keyboard."""

    HEADING = "New match at this keyboard"
    HELP = """\
Up and down choose a row, left and right a value. Names can be written as well. A
seat whose name begins with bot: is played by the program, such as bot:easy, and with
cmd: by a program of your own, such as cmd:./mybot (docs/bots.md says how)."""

    def rows_for(self, values: Mapping[str, str]) -> list[Row]:
        """Return game, seats, options, and a name for each seat."""
        rows, seats = match_rows(values)
        help_ = "Write a name, or choose a bot with Left and Right: the program plays it."
        programs = tuple(f"{BOT}{bot}" for bot in BOTS)
        for seat, name in enumerate(default_names(seats)):
            key, who = f"name {seat}", (name, *programs)
            value = values.get(key, name)
            rows.append(Row(key, f"Seat {seat}", help_, who, value, is_text=True))
        return [*rows, Row("", ""), Row("go", "Begin the match", "It is saved as it is played.")]

    def done(self, values: Mapping[str, str]) -> None:
        """Open the table."""
        from kumite.tui.screens.table import TableScreen

        setup = setup_of(values)
        spec = ",".join(values[f"name {seat}"].replace(",", " ") for seat in range(setup.seats))
        names, programs = called(seat_names(spec, setup.seats))
        table = LocalTable.begin(setup, names, programs=programs)
        self.app.switch_screen(TableScreen(table))


ME, FREE = "you", "free"
CLOCKS: Final = ("none", "3+2", "5+5", "10+5", "15+10", "30+30")


class HostScreen(SetupScreen):
    """A table for other terminals to join."""

    HEADING = "Host a table on the LAN"
    HELP = """\
Settle the match here; others join with a code that is shown next. Each seat is
played by you (several people can share this keyboard), by a bot of yours, or it is
free for anyone who joins."""

    def rows_for(self, values: Mapping[str, str]) -> list[Row]:
        """Return game, seats, options, one's name, who plays which seat, clock and watchers."""
        rows, seats = match_rows(values)
        name = values.get("name", own_name(self.shell.settings))
        rows.append(
            Row("name", "Your name", "As the others will see it.", value=name, is_text=True)
        )
        players = (ME, FREE, *(f"{BOT}{one}" for one in BOTS))
        for seat in range(seats):
            value = values.get(f"player {seat}", FREE if seat else ME)
            help_ = "You, a bot of yours, or free for anyone who joins."
            rows.append(Row(f"player {seat}", f"Seat {seat}", help_, players, value))
        clock = values.get("clock", CLOCKS[0])
        watchers = values.get("watchers", "yes" if self.shell.settings.watchers else "no")
        clock_help = "Minutes for each player + seconds more for each step."
        return [
            *rows,
            Row("clock", "Clock", clock_help, CLOCKS, clock),
            Row("watchers", "Watchers", "Whether others may look on.", ("yes", "no"), watchers),
            Row("", ""),
            Row("go", "Open the table", "Then tell the others the code that is shown."),
        ]

    def done(self, values: Mapping[str, str]) -> None:
        """Open the table and wait."""
        from kumite.tui.screens.lobby import LobbyScreen

        setup = setup_of(values)
        players = [values[f"player {seat}"] for seat in range(setup.seats)]
        free = frozenset(Seat(seat) for seat, who in enumerate(players) if who == FREE)
        bots = {Seat(seat): who for seat, who in enumerate(players) if who.startswith(BOT)}
        table = lan_table(
            setup,
            values["name"],
            free,
            bots,
            parse_clock(values["clock"]),
            has_watchers=values["watchers"] == "yes",
            is_open=self.shell.settings.audit,
        )
        self.app.switch_screen(LobbyScreen.hosting(table, values["name"]))
