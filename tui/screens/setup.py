"""What is settled before a match: game, seats, options, names; or where to join."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.binding import Binding

from core.bots import BOTS
from core.errors import BadSetup, KumiteError
from core.game import Seat, Setup
from core.games import GAMES
from tui.scenes import SCENES
from tui.screens.base import KumiteScreen
from tui.table import BOT, LocalTable, default_names, seat_names
from tui.widgets.form import Form, Row
from tui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.app import ComposeResult
    from textual.binding import BindingType

PLAYABLE: Final = {game.TITLE: game for game in GAMES.values() if game.ID in SCENES}


class FormScreen(KumiteScreen):
    """A form with a button at its end."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "back", id="setup.back"),
    ]
    TITLE_LINE = ""

    def compose(self) -> ComposeResult:
        """Lay out title, form, hint and keys."""
        yield Lines(((self.TITLE_LINE, "title"),), id="head")
        yield Form(*self.rows({}), id="form")
        yield Lines(id="hint")
        yield Lines(id="keys")

    def on_mount(self) -> None:
        """Begin with the first row."""
        form = self.query_one(Form)
        form.focus()
        self.say(form.row.help, "quiet")

    def rows(self, values: Mapping[str, str]) -> list[Row]:
        """Return the rows, given what has been chosen so far."""
        raise NotImplementedError

    def done(self, values: Mapping[str, str]) -> None:
        """Do what the form is for."""
        raise NotImplementedError

    @on(Form.Moved)
    def _moved(self, event: Form.Moved) -> None:
        self.say(event.row.help, "quiet")

    @on(Form.Changed)
    def _changed(self, event: Form.Changed) -> None:
        if event.key in ("game", "seats"):
            form = self.query_one(Form)
            form.show(self.rows(form.values))

    @on(Form.Chosen)
    def _chosen(self) -> None:
        try:
            self.done(self.query_one(Form).values)
        except KumiteError as error:
            self.complain(error)


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


class NewScreen(FormScreen):
    """A match at this keyboard."""

    TITLE_LINE = "New match at this keyboard"
    HELP = """\
Up and down choose a row, left and right a value. Names can be written as well. A
seat named bot:simple or bot:random is played by the program."""

    def rows(self, values: Mapping[str, str]) -> list[Row]:
        """Return game, seats, options, and a name for each seat."""
        rows, seats = match_rows(values)
        help_ = "Write a name, or choose a bot with Left and Right: the program plays it."
        programs = tuple(f"{BOT}{bot}" for bot in reversed(tuple(BOTS)))
        for seat, name in enumerate(default_names(seats)):
            key, who = f"name {seat}", (name, *programs)
            value = values.get(key, name)
            rows.append(Row(key, f"Seat {seat}", help_, who, value, is_text=True))
        return [*rows, Row("", ""), Row("go", "Begin the match", "It is saved as it is played.")]

    def done(self, values: Mapping[str, str]) -> None:
        """Open the table."""
        from tui.screens.table import TableScreen

        setup = setup_of(values)
        spec = ",".join(values[f"name {seat}"].replace(",", " ") for seat in range(setup.seats))
        table = LocalTable.begin(setup, seat_names(spec, setup.seats))
        self.app.switch_screen(TableScreen(table))


class HostScreen(FormScreen):
    """A table for another terminal to join."""

    TITLE_LINE = "Host a table on the LAN"
    HELP = "Settle the match here; the other side only needs your address."

    def rows(self, values: Mapping[str, str]) -> list[Row]:
        """Return game, seats, options, one's name and seats."""
        rows, seats = match_rows(values)
        ours = [str(seat) for seat in range(seats)]
        mine = values.get("mine", "")
        name = values.get("name", self.kumite.settings.name or "host")
        return [
            *rows,
            Row("name", "Your name", "As the other side will see it.", value=name, is_text=True),
            Row(
                "mine",
                "You play seat",
                "The other terminal plays the rest. Seat 0 begins, in Kuzushi seat 1.",
                tuple(ours),
                mine if mine in ours else ours[0],
            ),
            Row("", ""),
            Row("go", "Open the table", "Then tell the other side the address that is shown."),
        ]

    def done(self, values: Mapping[str, str]) -> None:
        """Open the table and wait."""
        from tui.screens.lobby import LobbyScreen

        seats = frozenset({Seat(int(values["mine"]))})
        self.app.switch_screen(LobbyScreen.hosting(setup_of(values), values["name"], seats))


class JoinScreen(FormScreen):
    """Where to join."""

    TITLE_LINE = "Join a table on the LAN"
    HELP = "Write the address that the hosting terminal shows, such as 192.168.1.20:47470."

    def rows(self, values: Mapping[str, str]) -> list[Row]:
        """Return address and name."""
        name = values.get("name", self.kumite.settings.name or "guest")
        return [
            Row(
                "address",
                "Address",
                "As the hosting terminal shows it: 192.168.1.20:47470",
                value=values.get("address", ""),
                is_text=True,
            ),
            Row("name", "Your name", "As the other side will see it.", value=name, is_text=True),
            Row("", ""),
            Row("go", "Join"),
        ]

    def done(self, values: Mapping[str, str]) -> None:
        """Go there."""
        from net.peer import parse_address
        from tui.screens.lobby import LobbyScreen

        if not values["address"]:
            raise BadSetup("there is no address yet", hint="the hosting terminal shows it")
        address, port = parse_address(values["address"])
        self.app.switch_screen(LobbyScreen.joining(address, port, values["name"]))
