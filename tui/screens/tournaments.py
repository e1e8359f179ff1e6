"""Tournaments: one to organise, those that are not over, those that are open on the LAN."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from kumite.core.games import GAMES
from kumite.net.transport import hall_files
from kumite.tui.play import tournaments
from kumite.tui.play.unfinished import ago
from kumite.tui.scenes.about import about
from kumite.tui.scenes.lines import shortened
from kumite.tui.screens.hall import OrganiserScreen
from kumite.tui.screens.lookout import lan_finder
from kumite.tui.screens.open_list import NAME, OpenScreen
from kumite.tui.widgets.form import Row

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kumite.net.transport.discovery import News
    from kumite.net.transport.hall_files import Unfinished
    from kumite.net.transport.ways import Finder
    from kumite.tui.look.glyphs import Look

NEW: Final = "new"
KEPT: Final = "kept "  # before the id of a tournament, in the key of its row
GAME: Final = 12  # columns, as of its tile


class TournamentsScreen(OpenScreen):
    """The list."""

    HEADING = "Tournaments"
    HELP = """\
A tournament is a party in one room: 3 to 32 players come to one terminal, the
organiser's, with one code, and their tables open by themselves, round by round.

Enter on the button organises one. One of yours that is not over is gone on with: its
players come back by themselves. Those that others hold on this LAN are listed as they
open and close; Enter joins one, and its organiser tells you the code.{{ One that is not
listed is joined by the address that the organiser's screen shows.|}}"""

    def __init__(
        self,
        game: str = "",
        finder: Callable[[Callable[[News], object]], Finder] = lan_finder,
    ) -> None:
        """Let one of that game be organised; the first one, if none is named."""
        super().__init__("", finder)
        self._game = game
        self._kept, self._damaged = hall_files.all_unfinished()

    def rows(self) -> Sequence[Row]:
        """Return the button, those of ours, and those that have been found."""
        go_help = "Its game, rounds and clock are chosen first; the code is shown then."
        rows = [Row(NEW, "Organise a tournament", go_help, is_button=True), Row("", "")]
        ours = [_row(one, self.shell.look) for one in self._kept]
        if self._damaged:
            ours.append(Row("", f"   {self._damaged} cannot be read"))
        if ours:
            rows += [Row("", "Not over"), *ours, Row("", "")]
        found = (one for one in self.found.values() if one.table.is_hall or not one.is_ours)
        return [*rows, Row("", "Open on the LAN"), *self.open_rows("tournament", found)]

    def chosen(self, key: str) -> None:
        """Organise one, go on with one, or join one."""
        if key == NEW:
            from kumite.tui.screens.organise import OrganiseScreen

            self.app.switch_screen(OrganiseScreen(self._game))
        elif key.startswith(KEPT):
            hall_id = key.removeprefix(KEPT)
            kept = next(one.kept for one in self._kept if one.kept.hall_id == hall_id)
            self.app.switch_screen(OrganiserScreen.of(tournaments.gone_on(kept)))
        else:
            self.choose(key)


def _row(one: Unfinished, look: Look) -> Row:
    """Return the row of a tournament of ours."""
    when = ago(datetime.fromtimestamp(one.changed, tz=UTC), datetime.now(tz=UTC))
    state, players = tournaments.kept_parts(one.kept)
    game = about(one.kept.game).name if one.kept.game in GAMES else one.kept.game
    said = f"{shortened(game, GAME, look)} {state}"
    help_ = f"{players}, {when}. Enter opens its hall again, with the same code."
    name = shortened(one.kept.name, NAME, look)
    return Row(f"{KEPT}{one.kept.hall_id}", f"{name} ", help_, line=((said, ""),))
