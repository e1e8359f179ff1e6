"""Rows to choose from: menus, lists and settings, all with the same keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from kumite.tui.scenes.lines import Line, ended, line_width, plain, shortened
from kumite.tui.widgets.bindings import cursor
from kumite.tui.widgets.painted import Painted

LONGEST_TEXT: Final = 48
MARK: Final = 9  # columns of a mark at the end of a row: `   ● done`


@dataclass(frozen=True, slots=True)
class Row:
    """One row: an action, a value to choose, or a text to write.

    An action has neither `choices` nor `is_text`; in a text row, `choices` are suggestions that
    typing replaces. A heading has no key. `words` are shown instead of the choices.
    """

    key: str
    label: str
    help: str = ""
    choices: tuple[str, ...] = ()
    value: str = ""
    is_text: bool = False
    line: Line = field(default=())  # drawn after the label
    words: tuple[str, ...] = ()  # one per choice
    is_button: bool = False  # the main action of the form

    @property
    def shown(self) -> str:
        if self.words and self.value in self.choices:
            return self.words[self.choices.index(self.value)]
        return self.value


class Form(Painted, can_focus=True):
    """Shows rows; reports the chosen action and every changed value."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *cursor("form", "previous value", "next value"),
        Binding("tab", "move(0,1)", "down", show=False, id="form.down2"),
        Binding("shift+tab", "move(0,-1)", "up", show=False, id="form.up2"),
        Binding("space", "move(1,0)", "next value", show=False, id="form.right2"),
        Binding("pageup", "move(0,-10)", "ten rows up", show=False, id="form.pageup"),
        Binding("pagedown", "move(0,10)", "ten rows down", show=False, id="form.pagedown"),
        Binding("home", "move(0,-1000)", "first row", show=False, id="form.home"),
        Binding("end", "move(0,1000)", "last row", show=False, id="form.end"),
        Binding("enter", "choose", "choose", id="form.choose"),
    ]
    DEFAULT_CSS = "Form { height: auto; }"

    @dataclass
    class Chosen(Message):
        """An action was chosen."""

        key: str

    @dataclass
    class Moved(Message):
        """Another row is selected now."""

        row: Row

    @dataclass
    class Changed(Message):
        """A value was changed."""

        key: str
        value: str

    def __init__(self, *rows: Row, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._rows = list(rows)
        self._at = 0
        self._top = 0  # first row on the screen
        self._is_fresh = True  # nothing typed into the selected row yet
        self._skip_headings(1)

    # --- rows and values ----------------------------------------------------------------------

    def show(self, rows: Iterable[Row], *, stays: bool = True) -> None:
        """Replace the rows; if `stays`, keep the row with the same key selected."""
        key = self._rows[self._at].key if self._rows and stays else ""
        self._rows = list(rows)
        keys = [row.key for row in self._rows]
        self._at = keys.index(key) if key and key in keys else 0
        self._skip_headings(1)
        last = max(0, len(self._rows) - max(1, self.size.height))  # the top when at the end
        self._top = min(self._top, last, self._at)
        self.refresh(layout=True)

    @property
    def values(self) -> Mapping[str, str]:
        return {row.key: row.value for row in self._rows if row.choices or row.is_text}

    @property
    def is_empty(self) -> bool:
        return not self._rows

    @property
    def is_writing(self) -> bool:
        """True if letters are input here, not keys."""
        return bool(self._rows) and self.row.is_text

    @property
    def row(self) -> Row:
        return self._rows[self._at]

    def go(self, key: str) -> None:
        for index, row in enumerate(self._rows):
            if row.key == key:
                self._to(index)

    def go_first(self) -> None:
        for index, row in enumerate(self._rows):
            if row.key and not row.is_text:
                self._to(index)
                return

    def _set(self, value: str) -> None:
        row = replace(self.row, value=value)
        self._rows[self._at] = row
        self._refresh_row(self._at)
        self.post_message(self.Changed(row.key, value))

    # --- drawing ------------------------------------------------------------------------------

    def get_content_height(self, container: object, viewport: object, width: int) -> int:  # noqa: ARG002
        return len(self._rows)

    def render_line(self, y: int) -> Strip:
        index = y + self._top
        if index >= len(self._rows):
            return self.strip(())
        row = self._rows[index]
        if not row.key:
            return self.strip(((row.label, "quiet"),))
        line = self._line(row, is_selected=index == self._at and self.has_focus)
        if row.is_text and index == self._at and self.has_focus:
            self.put_cursor(line_width(line[:-1]), y)
        room = self.size.width - line_width(row.line)
        is_marked = len(line) == 2 and 0 < line_width(row.line) <= MARK
        if is_marked and line_width(line) > room:
            before, (label, role) = line  # a mark is seen whole, rather than the end of a label
            line = (before, (shortened(label.rstrip(), room - len(before[0]), self.look), role))
        return self.strip(ended((*line, *row.line), self.size.width, self.look))

    def _line(self, row: Row, *, is_selected: bool) -> Line:
        """Return a row; a text ends with the sign of the cursor if it is selected."""
        if row.is_button:
            ink = "on-seat/title!" if is_selected else "title/panel!"
            return ((f"  {self.look.pointer} {row.label}  ", ink),)
        line: list[tuple[str, str]] = [(" > " if is_selected else "   ", "title")]
        valued = row.choices or row.is_text
        line.append((f"{row.label:<16} " if valued else row.label, "title" if is_selected else ""))
        if row.choices and not row.is_text:
            shown = f"< {row.shown} >" if is_selected else f"  {row.shown}"
            line.append((shown, "title" if is_selected else "key"))
        elif row.is_text:
            line.append((f"  {row.shown}", "title" if is_selected else "key"))
            line += [("_", "title")] * is_selected
        return tuple(line)

    def unseen(self, row: Row) -> str:
        """Return the words of a row that does not fit, else ""; a text is seen while one types."""
        line = (*self._line(row, is_selected=True), *row.line)
        if row.is_text or not 0 < self.size.width < line_width(line):
            return ""
        said = f"{row.label}: {row.shown}" if row.choices else plain(((row.label, ""), *row.line))
        return " ".join(said.split())

    def _refresh_row(self, index: int) -> None:
        self.refresh(Region(0, index - self._top, self.size.width, 1))

    def on_resize(self) -> None:
        """Keep the selected row visible: its help below may need another row."""
        if self._rows and self.size.height:
            self._top = 0  # headings above the selected row are seen again, if there is room
            self._to(self._at)
            self.refresh()

    # --- keys ---------------------------------------------------------------------------------

    def _skip_headings(self, by: int) -> None:
        keyed = [index for index, row in enumerate(self._rows) if row.key]
        if keyed and self._at not in keyed:
            ahead = [index for index in keyed if (index - self._at) * by > 0]
            self._at = (ahead or keyed[::-1])[0 if by > 0 else -1]

    def _to(self, index: int) -> None:
        old, top = self._at, self._top
        self._at = max(0, min(len(self._rows) - 1, index))
        self._skip_headings(1 if index >= old else -1)
        height = self.size.height or len(self._rows)  # 0: not laid out yet
        self._top = max(0, min(self._top, self._at), self._at - height + 1)
        if top != self._top:
            self.refresh()
        else:
            self._refresh_row(old)
            self._refresh_row(self._at)
        if old != self._at:
            self._is_fresh = True
            self.refresh_bindings()
            self.post_message(self.Moved(self.row))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the keys for values only if a row has any."""
        is_for_values = action == "move" and bool(parameters[0])
        return not is_for_values or self._has_values

    def action_move(self, columns: int, rows: int) -> None:
        if self._rows and rows:
            self._move(rows)
        elif self._rows and self.row.choices:
            self._turn(columns)

    @property
    def _has_values(self) -> bool:
        return any(row.choices for row in self._rows)

    def _move(self, by: int) -> None:
        """Move to another row; in a list, the first and the last one are ends."""
        wraps = abs(by) == 1 and not 0 <= self._at + by < len(self._rows)
        wraps = wraps and (self._has_values or self.screen.is_modal)
        self._to((self._at + by) % len(self._rows) if wraps else self._at + by)

    def _turn(self, by: int) -> None:
        choices, value = self.row.choices, self.row.value
        index = choices.index(value) + by if value in choices else 0  # 0: a typed value
        self._is_fresh = True
        self._set(choices[index % len(choices)])

    def action_choose(self) -> None:
        """Run an action; on a value, move to the next row."""
        if not self._rows:
            return
        if self.row.choices or self.row.is_text:
            self._move(1)
        else:
            self.post_message(self.Chosen(self.row.key))

    def on_key(self, event: events.Key) -> None:
        """Type into a text row instead of treating letters as keys."""
        if not self._rows:
            return
        row = self.row
        if row.is_text and (event.key == "backspace" or event.is_printable):
            old = "" if self._is_fresh and row.value in row.choices else row.value
            is_back = event.key == "backspace"
            text = row.value[:-1] if is_back else old + (event.character or "")
            self._is_fresh = False
            self._set(text[:LONGEST_TEXT])
        elif row.is_text and event.key == "ctrl+u":
            self._set("")
        elif row.is_text and event.key == "escape" and not self._is_fresh:
            self._move(1)  # it ends what was typed, not the whole form
            self._is_fresh = True  # also where there is no other row
        else:
            return
        event.stop()
        event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        if self._rows and self.row.is_text:
            first = event.text.strip().split("\n", 1)[0]
            self._set((self.row.value + first)[:LONGEST_TEXT])

    def on_click(self, event: events.Click) -> None:
        index = event.y + self._top
        if index < len(self._rows) and self._rows[index].key:
            is_there = index == self._at
            self._to(index)
            if is_there and self.row.choices:
                self._turn(1)
            elif not self.row.choices and not self.row.is_text:
                self.action_choose()
