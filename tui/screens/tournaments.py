"""The list of tournaments (unfinished and open on the LAN), and the form for a new one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding, BindingType

from kumite.core.bots import LISTED
from kumite.core.games import GAMES
from kumite.core.players import bot_name
from kumite.core.tournament.tournament import MOST_ROUNDS, ROBIN, SWISS
from kumite.net.tournament.state import SEATS, Finished, TournamentFile
from kumite.net.transport import tournament_files
from kumite.net.transport.tournament_files import Listed
from kumite.store import guest_mode
from kumite.tui.look.glyphs import Look
from kumite.tui.play.kept import ago
from kumite.tui.play.tournaments import CALLED, TournamentPlan, terms
from kumite.tui.scenes.about import about
from kumite.tui.scenes.lines import shortened
from kumite.tui.scenes.sentences import counted
from kumite.tui.screens import setup
from kumite.tui.screens.lookout import lan_finder
from kumite.tui.screens.open_list import NAME, OpenScreen
from kumite.tui.screens.saved import DELETED
from kumite.tui.screens.tournament import FinishedScreen, TournamentHostScreen
from kumite.tui.settings import ON_OFF
from kumite.tui.widgets.form import Form, Row

if TYPE_CHECKING:
    from kumite.net.transport.discovery import News
    from kumite.net.transport.network import Finder

NEW: Final = "new"
KEPT: Final = "kept "  # key prefix of unfinished tournaments' rows
GAME: Final = 12  # columns, as on the home screen


class TournamentsScreen(OpenScreen):
    """The list of tournaments."""

    HEADING = "Tournaments"
    HELP = """\
A tournament is for a party in one room: 3 to 32 players join one terminal, the
organiser's, with one code, and their tables open by themselves, round after round.

Enter on the button organises one. Enter on an unfinished one of yours continues it: its
players rejoin by themselves; one that is over shows podium, table and results, also to who
played in it, and d there corrects its organiser's last round. The tournaments of others
{{on this LAN |}}are listed as they open and close; Enter joins one, and its organiser tells you
the code; one that waits for you needs none.{{ If one is not listed, join it by the address on
the organiser's screen.|}}

d deletes one of yours; u brings back the last one deleted, also later."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "discard", "delete", id="tournaments.discard"),
        Binding("u", "restore", "undo", id="tournaments.restore"),
    ]

    def __init__(
        self, game: str = "", finder: Callable[[Callable[[News], object]], Finder] = lan_finder
    ) -> None:
        """A new tournament starts with this game, or with the first one."""
        super().__init__("", finder)
        self._game = game
        self._look()

    def anew(self) -> TournamentsScreen:
        return TournamentsScreen(self._game)

    def begin(self) -> None:
        super().begin()
        for key, (one, _) in [*self._kept.items()][:1]:
            if not one.tournament.is_over:  # what was left is gone on with by Enter
                self.form.go(key)

    def on_screen_resume(self) -> None:
        """List what was opened or ended meanwhile."""
        if self.query(Form):
            self._list_anew()

    def _look(self) -> None:
        hosted, damaged = tournament_files.hosted()
        kept: list[Listed] = [*hosted, *tournament_files.finished()]
        self._kept = {f"{KEPT}{one.file_name}": (one, changed) for one, changed in kept}
        self._damaged = {f"{KEPT}{path.name}": error for path, error in damaged}
        self._can_restore = bool(tournament_files.in_bin())

    def rows(self) -> Sequence[Row]:
        go_help = "Its game, rounds and clock are chosen first; the code is shown then."
        rows = [Row(NEW, "Organise a tournament", go_help, is_button=True), Row("", "")]
        ours = [_row(key, one, self.shell.look) for key, one in self._kept.items()]
        for key, error in self._damaged.items():
            name = f"{shortened(key.removeprefix(KEPT), NAME, self.shell.look)} "
            why = guest_mode.told(error)
            ours.append(Row(key, name, why, line=(("cannot be read", "loss"),)))
        if ours:
            rows += [Row("", "Yours"), *ours, Row("", "")]
        found = (one for one in self.found.values() if one.table.is_tournament or not one.is_ours)
        return [
            *rows,
            Row("", guest_mode.suited("Open {{on the LAN|here}}")),
            *self.open_rows("tournament", found),
        ]

    def chosen(self, key: str) -> None:
        if key == NEW:
            self.app.push_screen(NewTournamentScreen(self._game))
        elif key in self._damaged:
            raise self._damaged[key]
        elif key in self._kept:
            one, _ = self._kept[key]
            if isinstance(one, Finished):
                self.app.push_screen(FinishedScreen(one))
            elif isinstance(one, TournamentFile):
                self.app.push_screen(TournamentHostScreen(TournamentPlan(one)))
        else:
            self.choose(key)

    def action_discard(self) -> None:
        with self.complaining():
            name = self.form.row.key.removeprefix(KEPT)
            tournament_files.discard(tournament_files.tournaments() / name)
            self._list_anew()
            self.call_after_refresh(self.say, DELETED, "quiet")

    def action_restore(self) -> None:
        with self.complaining():
            path = tournament_files.restore()
            self._list_anew()
            self.form.go(f"{KEPT}{path.name}")

    def _list_anew(self) -> None:
        self._look()
        self.form.show(self.rows())
        self.selected(self.form.row)
        self.refresh_bindings()

    def check_action(self, action: str, _: tuple[object, ...]) -> bool | None:
        if action == "discard":
            return bool(self.query(Form)) and self.form.row.key.startswith(KEPT)
        return self._can_restore if action == "restore" else True


def _row(key: str, one: Listed, look: Look) -> Row:
    (kept, changed), t = one, one[0].tournament
    state = f"round {len(t.rounds)} of {t.planned}" if t.rounds else "no round yet"
    state = "over" if t.is_over else state
    players = counted(len(t.players), "player")
    when = ago(datetime.fromtimestamp(changed, tz=UTC), datetime.now(tz=UTC))
    game = about(kept.welcome.game).name if kept.welcome.game in GAMES else kept.welcome.game
    way = "Enter opens it again, with the same code."
    if t.is_over:
        corrects = "; d there corrects it" * isinstance(kept, TournamentFile)
        way = f"Enter shows its end{corrects}."
    help_ = f"{players}, {when}. {way}"
    label = f"{shortened(kept.welcome.name, NAME, look)} "
    return Row(key, label, help_, line=((f"{shortened(game, GAME, look)} {state}", ""),))


# --- A new one ------------------------------------------------------------------------------------

SYSTEMS: Final = {SWISS: "Swiss rounds", ROBIN: "round robin"}
ENOUGH: Final = "0"
NO_BOT: Final = "none"


class NewTournamentScreen(setup.SetupScreen):
    """The form of a new tournament: game, system, rounds, clock, and a bot to even the numbers."""

    HEADING = "Organise a tournament"
    HELP = """\
Choose what is played and how. Then the tournament opens, and its code is shown. 3 to 32
players join with it, each from their own terminal. In Swiss rounds, players with equal
points meet; in a round robin, good for up to 6, all players meet.

Use a clock: without one, the slowest match decides when a round ends."""

    def rows_for(self, values: Mapping[str, str]) -> list[Row]:
        (game, _), options, _ = setup.match_rows(values)
        go_help = guest_mode.warning() or "Enter opens it and shows the code for the players."
        name = values.get("name", CALLED)
        called = guest_mode.suited("Its name, also in the list of what is open{{ on the LAN|}}.")
        return [
            Row(setup.GO, "Open the tournament", go_help, is_button=True),
            Row("", ""),
            game,
            Row("name", "Name", called, value=name, is_text=True),
            Row("", "How it is held"),
            *_held_rows(values),
            setup.HOW,
            *setup.clock_rows(values),
            *options,
        ]

    def done(self, values: Mapping[str, str]) -> None:
        bot = values["bot"]
        played = setup.setup_of({**values, "seats": f"{SEATS}"})
        plan = TournamentPlan(
            terms(played, values["name"], setup.clock_of(values)),
            values["system"],
            int(values.get("rounds", ENOUGH)),
            bot="" if bot == NO_BOT else bot,
            is_listed=values.get("listed", ON_OFF[0]) == ON_OFF[0],
            port=setup.port_of(values),
        )
        self.open(TournamentHostScreen(plan))


def _held_rows(values: Mapping[str, str]) -> list[Row]:
    """Return the rows that only tournaments have; server guests cannot choose a port."""
    is_swiss = values.get("system", SWISS) == SWISS
    swiss = "Players with equal points meet; latecomers can enter."
    robin = "Everyone meets everyone; all must be there at the start."
    rounds = "At most; enough for one winner: 3 for 8 players, 5 for 32."
    counts = {ENOUGH: "enough for one winner"}
    counts |= {f"{n}": counted(n, "round") for n in range(1, MOST_ROUNDS + 1)}
    bot = "With an odd number of players one has a bye, or plays against this bot."
    bots = {level: f"plays {bot_name(level)}" for level in LISTED}
    bots = {NO_BOT: "has a bye", **bots}
    listed = "List it on the LAN; otherwise players type an address."
    rows = [setup.choice_row(values, "system", "System", swiss if is_swiss else robin, SYSTEMS)]
    if is_swiss:
        rows.append(setup.choice_row(values, "rounds", "Rounds", rounds, counts))
    rows.append(setup.choice_row(values, "bot", "Who is left over", bot, bots))
    if not guest_mode.is_guest():
        rows.append(Row("listed", "Announced", listed, ON_OFF, values.get("listed", ON_OFF[0])))
    return [*rows, *setup.port_rows(values)]
