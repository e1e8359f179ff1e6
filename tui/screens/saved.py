"""The list of saved matches, unfinished ones first, to search, replay or resume."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Final

from textual import on
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.timer import Timer

from kumite.core.errors import KumiteError
from kumite.core.log import Log
from kumite.store import guest_mode, log_files
from kumite.store.library import Kept, Library
from kumite.tui.drawing.tabletop import SLIM
from kumite.tui.play import kept
from kumite.tui.play.local_table import LocalTable
from kumite.tui.scenes import NO_BOARD, Scene
from kumite.tui.scenes.lines import Line, plain
from kumite.tui.screens.form_screen import BESIDE_LISTS, EDGES, PREVIEWS, BannerFormScreen
from kumite.tui.widgets.bindings import escape, study
from kumite.tui.widgets.form import Form, Row

SHOWN: Final = 500  # most rows shown; a search finds the others
AT_ONCE: Final = 200  # new logs opened before the list is shown (about 0.1 s)
A_TICK: Final = 20  # logs opened each tick afterwards
DELETED: Final = "Deleted: u brings it back"
SEARCH: Final = "search"  # key of the search row
MARK: Final = 3  # columns before a row, for the cursor


def going_on(log: Log, path: Path) -> Screen[None]:
    """Return the screen that resumes a match: its local table or its LAN lobby."""
    if log.header.by is not None:
        from kumite.tui.screens.lobby import LobbyScreen

        return LobbyScreen.resuming(path)
    from kumite.tui.screens.table import TableScreen

    return TableScreen(LocalTable.resume(path))


class SavedScreen(BannerFormScreen):
    """The list of saved matches."""

    HEADING = "Saved matches"
    PREVIEWS = BESIDE_LISTS
    HELP = """\
Enter continues an unfinished match; if it was played over {{the LAN|this server}},
the others return to it in the same way. A finished one, or one that you watched, is
replayed. p replays any match: an unfinished one from where it was left (Home goes to its
start). o reviews a match: how well each player chose, and the turning points. d moves a
match to the folder `bin`
beside the others{{; `kumite log empty` clears it|}}. u restores the last one deleted,
also later. / searches as you type: by game, name, date, `not finished`, `won`, `lan`,
`branch` or `damaged`; Enter goes to the match found, Esc ends the search."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "search", id="saved.search"),
        Binding("p", "replay", "replay", id="saved.replay"),
        Binding("d", "discard", "delete", id="saved.discard"),
        Binding("u", "restore", "undo", id="saved.restore"),
        study("saved", "review"),
        escape("saved.back"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self.library = Library()
        self._timer: Timer | None = None
        self._can_restore = False
        self._is_slim = False  # the picture; it is there while all words beside it are whole

    def rows(self) -> Sequence[Row]:
        return ()

    def begin(self) -> None:
        """Do nothing: the list is filled when the screen is shown."""

    def on_screen_resume(self) -> None:
        """Refresh the list, both at first and on return."""
        is_new = self.form.is_empty
        self._look()
        if is_new:
            self.form.go_first()

    def fit_lines(self) -> None:
        super().fit_lines()
        if self.query(Form):  # else the screen is going
            self._list()

    def _look(self) -> None:
        self.library, self._can_restore = Library(), bool(log_files.in_bin())
        if self.library.read(AT_ONCE) and self._timer is None:
            self._timer = self.set_interval(0.02, self._read_more)
        self._list()

    def _read_more(self) -> None:
        """Open a few more logs; list them once all are read."""
        if not self.library.read(A_TICK):
            if self._timer is not None:
                self._timer.stop()
                self._timer = None
            self._list()
        else:
            self.show_heading()

    def columns_beside(self) -> int:
        return super().columns_beside() or SLIM * self._is_slim

    def _beside_slim(self, found: Sequence[Kept]) -> list[tuple[str, str]] | None:
        """Return rows beside a slim picture, without lengths if needed; None: none fits."""
        columns, look = self.app.size.width, self.shell.look
        if super().columns_beside() or columns < PREVIEWS[-1][0]:
            return None
        for is_short in (False, True):
            rows = kept.rows(found, columns - EDGES - 1 - SLIM - MARK, look, is_short=is_short)
            both = zip(found, rows, strict=True)
            if all(
                one.players in said and look.more not in said + end for one, (said, end) in both
            ):
                return rows
        return None

    def _list(self) -> None:
        found = self.library.search(self._text)
        parts = self._beside_slim(found[:SHOWN])
        self._is_slim = parts is not None
        self._place()
        if parts is None:
            parts = kept.rows(found[:SHOWN], self.form_columns - MARK, self.shell.look)
        shown = list(zip(found[:SHOWN], parts, strict=True))
        is_text = bool(self.library.all())  # otherwise letters are keys: u undoes
        rows = [Row(SEARCH, "Search", "", value=self._text, is_text=is_text)]
        for heading, is_unfinished in (("Not finished", True), ("Finished", False)):
            some = [one for one in shown if one[0].is_unfinished == is_unfinished]
            listed = [
                Row(one.name, label, line=((ended, "loss" if one.damage else "quiet"),))
                for one, (label, ended) in some
            ]
            rows += [Row("", ""), Row("", heading), *listed] if some else []
        if len(found) > SHOWN:
            rows.append(Row("", f"and {len(found) - SHOWN} more: a search finds them"))
        self.form.show(rows)
        self.form.focus()
        self.show_heading()
        self.selected(self.form.row)

    def _details(self, name: str) -> str:
        """Return the start time of a match, who the list has no room for, and its path."""
        one = self.library.named(name)
        time = f"{one.when:%Y-%m-%d %H:%M}  "
        time += f"{one.players}  " * (one.players not in self.form.row.label)
        time += f"{one.length}  " * (one.length not in plain(self.form.row.line))
        room = self.app.size.width - 2 - len(time)
        path = self.library.path(name)
        return time if guest_mode.is_guest() else time + kept.place(path, room, self.shell.look)

    def heading(self) -> Line:
        """Return the title with what the list lacks: what is searched for, new or unreadable."""
        line = [(self.HEADING, "title")]
        if left := self.library.unread:
            line.append((f"   opening {left} new ones", "quiet"))
        elif self._text:
            found = len(self.library.search(self._text))
            line.append((f"   {found or 'nothing'} found", "quiet"))
        if problems := len(self.library.problems):
            why = guest_mode.suited("{{: `kumite log check` says why|}}")
            line.append((f"   {problems} cannot be read{why}", "loss"))
        return tuple(line)

    def pictured(self, row: Row) -> Scene | None:
        """Return the last position of a match; of an unfinished one, its public view."""
        from kumite.tui.play.replaying import NOBODY, Replay

        if row.key in ("", SEARCH):
            return None if self.library.all() else self.start_of("")
        is_open = not self.library.named(row.key).is_unfinished
        try:
            replay = Replay(log_files.load(self.library.path(row.key)), "" if is_open else NOBODY)
            return replay.scene(replay.last, self.shell.look)
        except KumiteError:  # its log is damaged, or has gone
            return Scene(NO_BOARD, (), ())

    def selected(self, row: Row) -> None:
        """Show search help, or the details of the selected match."""
        super().selected(row)
        if row.key != SEARCH:
            self.say(self._details(row.key), "quiet")
        elif self.library.all() or self.library.problems:
            self.say("Words of a game, a name, a date; not finished, won, lan, branch", "quiet")
        else:
            self.say("Nothing has been played yet.", "quiet")

    # --- keys ---------------------------------------------------------------------------------

    @on(Form.Changed)
    def _searched(self, event: Form.Changed) -> None:
        self._text = event.value
        self._list()

    def chosen(self, key: str) -> None:
        if key == SEARCH:
            return
        if self.library.can_go_on(self.library.named(key)):
            path = self.library.path(key)
            self.app.push_screen(going_on(log_files.load(path), path))
        else:
            self.action_replay()

    def action_replay(self) -> None:
        from kumite.tui.screens.replay import ReplayScreen

        if (path := self._path) is not None:
            with self.complaining():
                at_end = self.library.named(path.name).is_unfinished
                self.app.push_screen(ReplayScreen(log_files.load(path), path, at_end=at_end))

    def action_search(self) -> None:
        self.form.go(SEARCH)

    def action_back(self) -> None:
        if self._text:
            self._text = ""
            self._list()
            self.form.go_first()
        else:
            super().action_back()

    @property
    def _path(self) -> Path | None:
        """Return the file of the selected match, if one is selected."""
        is_match = not self.form.is_empty and self.form.row.key != SEARCH
        return self.library.path(self.form.row.key) if is_match else None

    def action_discard(self) -> None:
        if (path := self._path) is not None:
            with self.complaining():
                log_files.discard(path)
                self._look()
                self.form.go_first()
                self.call_after_refresh(self.say, DELETED, "quiet")
                self.refresh_bindings()

    def action_restore(self) -> None:
        with self.complaining():
            path = log_files.restore()
            self._look()
            self.form.go(path.name)
            self.refresh_bindings()

    def check_action(self, action: str, _: tuple[object, ...]) -> bool | None:
        return self._can_restore if action == "restore" else True

    def action_review(self) -> None:
        if (path := self._path) is not None:
            with self.complaining():
                self.shell.open_review(log_files.load(path))
