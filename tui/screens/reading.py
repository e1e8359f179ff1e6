"""Screens for reading: help and the rules of a game, on pages with the usual keys."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.strip import Strip

from kumite.core.game import Setup
from kumite.store import guest_mode
from kumite.tui.export.rules_page import rules_lines
from kumite.tui.scenes.lines import Line, fold, plain
from kumite.tui.screens.base import SENT, KumiteScreen
from kumite.tui.screens.form_screen import banner, show_column
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.painted import Painted
from kumite.tui.widgets.prompt import Prompt


class Pager(Painted, can_focus=True):
    """Shows lines, with the usual keys of pagers."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "scroll(1)", "down", show=False, id="pager.down"),
        Binding("up,k", "scroll(-1)", "up", show=False, id="pager.up"),
        Binding("space,pagedown", "page(1)", "next page", id="pager.next"),
        Binding("b,pageup", "page(-1)", "previous page", show=False, id="pager.previous"),
        Binding("home,g", "scroll(-100000)", "first line", show=False, id="pager.home"),
        Binding("end,G", "scroll(100000)", "last line", show=False, id="pager.end"),
    ]
    DEFAULT_CSS = "Pager { height: 1fr; }"

    def __init__(
        self,
        lines: tuple[Line, ...],
        heading: str = "",
        id: str | None = None,  # noqa: A002
    ) -> None:
        """Show `lines`, scrolled to `heading` if there is one."""
        super().__init__(id=id)
        self._lines = lines  # unwrapped: one line per paragraph
        self._begin = next((i for i, line in enumerate(lines) if line == ((heading, "title"),)), 0)
        self._top = 0
        self._rows: list[Line] = []  # wrapped
        self._firsts: list[int] = []  # the first row of each line
        self._folded: tuple[int, str] | None = None  # the width and search of `_rows`
        self.sought = ""
        self._hits: list[int] = []  # rows where a search hit begins
        self._hit = 0

    def show(self, lines: tuple[Line, ...]) -> None:
        self._lines, self._folded = lines, None
        self.refresh()
        self.refresh_bindings()

    def on_resize(self) -> None:
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Offer the next page only if there is one."""
        return action != "page" or len(self._fold()) > self.size.height

    def render_line(self, y: int) -> Strip:
        rows = self._fold()
        index = y + self._first
        return self.strip(rows[index] if index < len(rows) else ())

    def _fold(self) -> list[Line]:
        key = self.size.width, self.sought
        if key == self._folded or not self.size.width:
            return self._rows
        begin = bisect_right(self._firsts, self._top) - 1 if self._folded else self._begin
        self._rows, self._firsts, self._hits = [], [], []
        for line in self._lines:
            self._firsts.append(len(self._rows))
            goes_on = False  # a hit may be wrapped
            for row in fold(
                _marked(line, self.sought), key[0], min(_indent(plain(line)), key[0] - 12)
            ):
                found = sum(role == "cursor" for _, role in row)
                if found > (goes_on and row[0][1] == "cursor"):
                    self._hits.append(len(self._rows))
                goes_on = bool(row) and row[-1][1] == "cursor"
                self._rows.append(row)
        old, self._folded = self._folded, key
        if old is None or old[0] != key[0]:
            self._top = self._firsts[begin] if self._firsts else 0
        return self._rows

    @property
    def _first(self) -> int:
        """The first visible row; the last page is always full."""
        return max(0, min(self._top, len(self._fold()) - self.size.height))

    def action_scroll(self, by: int) -> None:
        old, self._top = self._first, max(0, self._first + by)
        self._top = self._first
        if self._top != old:
            self.refresh()

    def search(self, text: str) -> None:
        """Mark all occurrences of `text`, ignoring case; `find` moves to them."""
        self.sought = text
        self._fold()
        ahead = [number for number, index in enumerate(self._hits) if index >= self._first]
        self._hit = ahead[0] if ahead else 0
        self.refresh()

    def find(self, by: int) -> tuple[int, int]:
        """Move by `by` hits; return (number of the hit, number of hits)."""
        if not self._hits:
            return 0, 0
        self._hit = (self._hit + by) % len(self._hits)
        index = self._hits[self._hit]
        if not self._first <= index < self._first + self.size.height:
            self.action_scroll(index - self._first - self.size.height // 3)
        return self._hit + 1, len(self._hits)

    def action_page(self, by: int) -> None:
        self.action_scroll(by * max(1, self.size.height - 1))

    def on_mouse_scroll_down(self) -> None:
        self.action_scroll(3)

    def on_mouse_scroll_up(self) -> None:
        self.action_scroll(-3)


def _indent(text: str) -> int:
    """Return the indentation of a line's continuation rows: below its last column, or its text."""
    sign = re.match(r"(-|\d+\.) +", text) or re.match(r"  .*  (?=\S)", text)
    return len(sign[0]) if sign else len(text) - len(text.lstrip())


def _marked(line: Line, sought: str) -> Line:
    if not sought:
        return line
    spans: list[tuple[str, str]] = []
    for text, role in line:
        pieces = re.split(f"({re.escape(sought)})", text, flags=re.IGNORECASE)
        spans += [(piece, "cursor" if n % 2 else role) for n, piece in enumerate(pieces) if piece]
    return tuple(spans)


class ReadingScreen(KumiteScreen):
    """A page of text with search."""

    HELP = (
        "Space or n turns the page, arrows move by a line. / searches; then n finds the next place."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "ask", "search", id="reading.search"),
        Binding("n", "find(1)", "next place", show=False, id="reading.next"),
        Binding("N", "find(-1)", "place before", show=False, id="reading.previous"),
        Binding("escape", "back", "back", show=False, id="reading.back"),
    ]

    def __init__(self, title: str, lines: tuple[Line, ...], chapter: str = "") -> None:
        """Show `lines`, starting at the heading `chapter` if it exists."""
        super().__init__()
        self.lines = lines
        self._title, self._chapter = title, chapter

    def compose(self) -> ComposeResult:
        self._pager = Pager(self.lines, self._chapter, id="page")
        yield Lines(*banner(self, self._title) if self._has_pictures else (), id="banner")
        yield Lines(((self._title, "title"),), id="title")
        yield self._pager
        yield Lines(id="hint")
        yield Prompt(id="prompt")
        yield Lines(id="keys")

    @property
    def _has_pictures(self) -> bool:
        """True unless a page crosses a network: pictures have more bytes than its text."""
        return not guest_mode.is_far()

    def on_resize(self) -> None:
        if self._has_pictures:
            show_column(self, self._title, self._pager)

    def action_ask(self) -> None:
        self.query_one(Prompt).ask("Search:", self._search)

    def _search(self, text: str | None) -> None:
        self._pager.focus()
        if text:
            self._pager.search(text)
            self._tell(self._pager.find(0))

    def action_find(self, by: int) -> None:
        if self._pager.sought:
            self._tell(self._pager.find(by))
        else:
            self._pager.action_page(by)

    def _tell(self, place: tuple[int, int]) -> None:
        sought, (number, count) = self._pager.sought, place
        if count:
            self.say(f"{sought!r}: line {number} of {count} that have it; n: next", "quiet")
        else:
            self.say(f"{sought!r} is not on this page", "loss")


def show_copied(app: App[None], what: str, line: str) -> None:
    """Copy a line to the terminal's clipboard (OSC 52), and show it: some terminals ignore that."""
    app.copy_to_clipboard(line)
    then = guest_mode.suited("{{`kumite open` opens it.|}}")
    said: tuple[Line, ...] = ((SENT, ""),), (), ((line, "title"),), (), ((then, "quiet"),)
    page = ReadingScreen(f"{what} as a line for a chat", said)
    page.add_class("-to-mark")  # a frame would be marked with the line
    app.push_screen(page)


class RulesScreen(ReadingScreen):
    """The rules of a game; its help shows the keys of the screen below."""

    def __init__(
        self,
        game_id: str,
        title: str,
        chapter: str = "",
        keys: tuple[Line, ...] = (),
        setup: Setup | None = None,
        names: Sequence[str] = (),
    ) -> None:
        """Show the page, adapted to a match with this `setup` and these `names`."""
        super().__init__(f"{title}: rules", (), chapter)
        self._game, self._keys, self._setup, self._names = game_id, keys, setup, names

    def compose(self) -> ComposeResult:
        shell = self.shell
        _, _, *lines = rules_lines(
            *(self._game, shell.brush, shell.look, self._setup, self._names),
            has_sprites=self._has_pictures,
        )
        self.lines = tuple(lines)  # without its title, which stands above the page
        yield from super().compose()

    def on_mount(self) -> None:
        if self._keys:
            self.say("?: the keys of the table, and what each sign on it means", "quiet")

    def help_lines(self) -> tuple[Line, ...]:
        return self._keys or super().help_lines()


class HelpScreen(ReadingScreen):
    """The help and keys of the screen below."""

    def __init__(self, lines: tuple[Line, ...]) -> None:
        super().__init__("Help", lines)

    def action_help(self) -> None:
        """Do nothing: help is already open."""
