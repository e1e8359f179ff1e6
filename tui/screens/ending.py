"""What a table does when its match has ended: the card over the board, and where one goes on."""

from __future__ import annotations

from asyncio import to_thread
from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError
from kumite.store import house, log_files, whole_files
from kumite.tui.screens.on_card import keys_of, region_over

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kumite.core.log import Log
    from kumite.tui.export.sheet import Paper
    from kumite.tui.play.replaying import Replay
    from kumite.tui.screens.views import TableView

ACTIONS: Final = {  # in the order in which the card names their keys
    "rematch": "rematch",
    "review": "review",
    "replay": "replay",
    "analyse": "analysis",
    "keep_picture": "picture",
    "keep_film": "film",
    "card": "board",
}


class Finish:
    """The end of the match at one screen, of whatever table it shows."""

    def __init__(self, screen: TableView) -> None:
        self._screen = screen
        self._aside: object = None  # the table whose card has been put aside

    def follow(self) -> None:
        """Show the card as soon as the end has been seen; hide it when the match goes on."""
        screen = self._screen
        is_shown = (
            screen.is_over
            and screen.is_in_present
            and not screen.motion_left
            and self._aside is not screen.table
        )
        if not screen.is_over:
            self._aside = None
        ending = screen.ending() if is_shown else None
        keys = keys_of(screen, ACTIONS) if ending else ()
        screen.end_card.show(ending, keys, region_over(screen.app.size))

    def flip(self) -> None:
        """Put the card aside, or show it again."""
        self._aside = None if self._aside is self._screen.table else self._screen.table
        self.follow()

    def put_aside(self) -> bool:
        """Put the card aside; return whether there was one."""
        is_there = self._screen.end_card.display
        if is_there:
            self.flip()
        return is_there

    def replay(self, *, judges: bool = False) -> None:
        """Replay the match from its log; with `judges`, a bot judges every position."""
        from kumite.tui.screens.replay import ReplayScreen

        if found := self._log():
            log, path = found
            self._screen.app.push_screen(ReplayScreen(log, path, judges=judges))

    def review(self) -> None:
        """Look back at the match: how well each chose, and where it turned."""
        from kumite.tui.play.replaying import Replay

        if found := self._log():
            self._screen.shell.open_review(Replay(found[0]))

    def _log(self) -> tuple[Log, Path] | None:
        path = self._screen.table.path
        try:
            if path is None:
                raise KumiteError(
                    "this match is in no file", hint="only saved matches are replayed"
                )
            return log_files.load(path), path
        except KumiteError as error:
            self._screen.complain(error)
            return None

    def keep_picture(self) -> None:
        """Write the last position as a picture beside the log, and say where it is."""
        from kumite.tui.export.svg import picture

        self._keep(lambda replay, paper: picture(replay, replay.last, paper), ".svg")

    def keep_film(self) -> None:
        """Write the match as a picture that plays it, and say where it is."""
        from kumite.tui.export.film import film

        self._screen.say("drawing the match ...")
        self._keep(film, ".film.svg")

    def _keep(self, draw: Callable[[Replay, Paper], str], suffix: str) -> None:
        """Write what is drawn of the match beside its log; other things go on meanwhile."""
        from kumite.tui.export.sheet import Paper
        from kumite.tui.play.replaying import Replay

        if not (found := self._log()):
            return
        log, path = found
        shell = self._screen.shell
        try:
            house.refuse("keep files")
            replay = Replay(log)
        except KumiteError as error:
            self._screen.complain(error)
            return
        paper = Paper.of(shell.look, shell.palette, shell.brush.skin)
        kept = path.with_suffix(suffix)
        self._screen.beside(self._write, draw, replay, paper, kept, group="keep")

    async def _write(
        self, draw: Callable[[Replay, Paper], str], replay: Replay, paper: Paper, kept: Path
    ) -> None:
        try:
            drawn = await to_thread(draw, replay, paper)
            whole_files.write_whole(kept, drawn.encode("utf-8"))
        except OSError as error:
            self._screen.complain(KumiteError(f"cannot write {kept}: {error.strerror}"))
        else:
            self._screen.say(f"kept as {kept}", "gain")
