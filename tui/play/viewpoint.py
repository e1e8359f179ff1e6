"""Which position of a match a table shows: the present, an earlier one, or an interlude. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.tui import scenes
from kumite.tui.play.local_seats import Follower

if TYPE_CHECKING:
    from kumite.core.match import Match
    from kumite.tui.play.local_table import Table
    from kumite.tui.scenes import Interlude


class Viewpoint:
    """Where the eyes at a table are in its match.

    An interlude is what has to be seen before the match goes on. Steps that bring one are taken in
    only up to the first that has not been confirmed.
    """

    def __init__(self, table: Table) -> None:
        self._makes = scenes.maker(table.match)
        self._follower = Follower()
        self.restart(table)

    def restart(self, table: Table) -> None:
        """Look at the present of a table: nothing of it has still to be seen."""
        self.behind = 0  # steps that are looked back
        self.interlude: Interlude | None = None
        self._confirmed = table.match.number  # steps up to here have been seen

    def take(self, table: Table) -> Match:
        """Return the match of a table up to the position to show, as far as its eyes may see it."""
        seen = self._follower.follow(table.match, table.eyes)
        stop = self._next_interlude(seen, table.shown_names)
        if stop is not None:  # all at this screen look at it, so nobody's cards may be open
            table.cover()
            seen = self._follower.follow(table.match, table.eyes)
            stop = self._next_interlude(seen, table.shown_names)
        self.interlude = None
        if stop is None:
            self._confirmed = seen.number
        else:
            seen, self.interlude = stop
        if self.behind > seen.number:
            self.behind = 0
        return seen.back(seen.number - self.behind)

    def _next_interlude(
        self, seen: Match, names: tuple[str, ...]
    ) -> tuple[Match, Interlude] | None:
        """Return the first position since the last confirmed one that must be seen, if any."""
        stop, at = None, seen
        while at.number > self._confirmed and at.before is not None and at.last is not None:
            before, (actor, step) = at.before, (at.last.actor, at.last.step)
            found = self._makes.interlude(before.state, actor, step, at.state, names)
            stop = (at, found) if found else stop
            at = at.before
        return stop

    def confirm(self, seen: Match) -> None:
        """Take an interlude as seen; `seen` is the match up to the position that is shown."""
        self._confirmed = seen.number + self.behind
        self.behind = 0

    def forget(self, number: int) -> None:
        """Count steps after that number as not seen: they were taken back."""
        self._confirmed = min(self._confirmed, number)

    def look(self, by: int, seen: Match) -> None:
        """Look at a later (1) or earlier (-1) position; `seen` is the match up to this one."""
        self.behind = max(0, min(seen.number + self.behind, self.behind - by))
