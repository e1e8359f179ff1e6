"""A text input with completions. Keys typed here go nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final, TypeAlias

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from kumite.core.text import clean
from kumite.tui.scenes.lines import shortened, width
from kumite.tui.widgets.painted import Painted

LONGEST: Final = 60
LISTS: Final = "?"  # lists the possible inputs, where there is a list
PASSED: Final = {  # bindings that work during typing: default keys by id
    "prompt.submit": "enter",
    "prompt.complete": "tab,right",
    "prompt.cancel": "escape",
    "screen.keys": "f1",
    "": "ctrl+c",  # Textual's own
}
Words: TypeAlias = "tuple[str, ...] | Callable[[str], tuple[str, ...]]"


class Prompt(Painted, can_focus=True):
    """Asks for one line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "done", id="prompt.submit"),
        Binding("tab,right", "complete", "complete", id="prompt.complete"),
        Binding("escape", "cancel", "back", id="prompt.cancel"),
    ]
    DEFAULT_CSS = "Prompt { height: 1; display: none; }"

    class Listed(Message):
        """The player asked what may be typed."""

    class Changed(Message):
        """The text was changed by a key."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._label = ""
        self._text = self._given = ""
        self._at = 0  # characters before the cursor
        self._first = 0  # characters scrolled out at the left
        self._words: Words = ()
        self._longest = LONGEST
        self._has_list = False
        self._then: Callable[[str | None], None] = lambda _: None
        self.is_open = False
        self.opened_from: Widget | None = None  # what had the focus

    def ask(
        self,
        label: str,
        then: Callable[[str | None], None],
        words: Words = (),
        text: str = "",
        longest: int = LONGEST,
        *,
        has_list: bool = False,
    ) -> None:
        """Open the prompt with an initial `text`, and call `then` with the line; None: cancelled.

        `words` are the possible inputs, (): anything. A function returns the completions of a
        text. With `has_list` a question mark lists the possible inputs.
        """
        self._label, self._text, self._words, self._then = label, text[:longest], words, then
        self._given = self._text
        self._longest, self._has_list = longest, has_list
        self._at, self._first = len(self._text), 0
        self.opened_from = self.opened_from if self.is_open else self.screen.focused
        self.is_open = self.display = True
        self.screen.set_focus(self)  # immediately: the next keys belong to the prompt
        self.refresh_bindings()
        self.refresh()

    def close(self) -> None:
        self._label, self._text, self._words, self._at = "", "", (), 0
        self.is_open = self.display = False

    @property
    def fitting(self) -> tuple[str, ...]:
        if callable(self._words):
            return self._words(self._text)
        return tuple(word for word in self._words if word.startswith(self._text))

    @property
    def is_writing(self) -> bool:
        """True if letters are input here, not keys."""
        return True

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        return action != "complete" or bool(self._words)

    # --- drawing ------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        label = f"{self._label} "
        room = self.size.width - width(label)
        count = "" if self._words else f" {len(self._text)}/{self._longest}"
        before, here, behind = self._window(max(4, room - len(count)))
        words = [one for one in self.fitting if one != self._text]  # typed already
        fits = f"  {' '.join(words)}" if self._words else ""
        fits = shortened(fits, room - width(f"{before}{here}{behind}"), self.look).rstrip()
        self.put_cursor(width(label) + width(before), y)
        gap = " " * max(0, room - width(f"{before}{here}{behind}") - len(count))
        role = "loss" if len(self._text) == self._longest else "quiet"
        written = ((before, "title"), (here, "cursor" if behind else "title"), (behind, "title"))
        told = ((gap, ""), (count, role)) if count else ((fits, "quiet"),)
        return self.strip(((label, "title"), *written, *told))

    def _window(self, room: int) -> tuple[str, str, str]:
        text = f"{self._text}_" if self._at == len(self._text) else self._text
        self._first = min(self._first, self._at)
        while width(text[self._first : self._at + 1]) > room:
            self._first += 1
        while self._first and width(text[self._first - 1 :]) <= room:
            self._first -= 1  # use the room of deleted text
        last = len(text)
        while width(text[self._first : last]) > room:
            last -= 1
        at = self._at
        return text[self._first : at], text[at : at + 1], text[at + 1 : last]

    # --- keys ---------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Type; swallow all keys without an effect here."""
        before = self._text
        if event.is_printable and event.character:
            if self._has_list and event.character == LISTS:
                self.post_message(self.Listed())
            elif self._has_list and event.character == ":" and self._text == self._given:
                self._text, self._at = "", 0  # the key that opens a prompt begins it anew
            else:
                self._write(event.character)
        elif not self._edit(event.key) and self._does_something(event.key):
            return
        if self._text != before:
            self.post_message(self.Changed())
        event.stop()
        event.prevent_default()
        self.refresh()

    def _does_something(self, key: str) -> bool:
        own = self.shell.settings.keys
        bound = {name: own.get(name, usual) for name, usual in PASSED.items()}
        if not self._words:
            del bound["prompt.complete"]
        return any(key in keys.split(",") for keys in bound.values())

    def _write(self, text: str) -> None:
        text = text[: self._longest - len(self._text)]
        self._text = self._text[: self._at] + text + self._text[self._at :]
        self._at += len(text)

    def _edit(self, key: str) -> bool:
        """Move the cursor, or delete; return False for any other key."""
        text, at = self._text, self._at
        match key:
            case "left":
                self._at = max(0, at - 1)
            case "right" if at < len(text):
                self._at = at + 1
            case "home":
                self._at = 0
            case "end":
                self._at = len(text)
            case "backspace" if at:
                self._text, self._at = text[: at - 1] + text[at:], at - 1
            case "delete":
                self._text = text[:at] + text[at + 1 :]
            case "ctrl+u":
                self._text, self._at = text[at:], 0
            case "ctrl+w":
                kept = text[:at].rstrip().rpartition(" ")[0]
                self._text, self._at = kept + " " * bool(kept) + text[at:], len(kept) + bool(kept)
            case _:
                return False
        return True

    def on_paste(self, event: events.Paste) -> None:
        self._write(clean(event.text.strip().split("\n", 1)[0]))
        self.refresh()

    def on_click(self) -> None:
        self.screen.set_focus(self)

    def on_blur(self) -> None:
        if self.is_open and self.app.app_focus and self.screen.is_current:
            self.call_later(self._take_focus)

    def _take_focus(self) -> None:
        if self.is_open and self.screen.is_current:
            self.screen.set_focus(self)

    def action_complete(self) -> None:
        fitting = self.fitting
        if fitting:
            first, last = min(fitting), max(fitting)
            same = next((i for i, c in enumerate(first) if last[i : i + 1] != c), len(first))
            self._text, self._at = first[:same], same
            self.refresh()

    def action_submit(self) -> None:
        text = self._text.strip()
        self.close()
        self.screen.call_later(self._then, text)

    def action_cancel(self) -> None:
        self.close()
        self.screen.call_later(self._then, None)
