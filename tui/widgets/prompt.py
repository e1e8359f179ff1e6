"""One line to type into, with the completions that fit. No key typed here goes anywhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from textual.binding import Binding
from textual.message import Message

from kumite.tui.scenes.lines import shortened, width
from kumite.tui.widgets.painted import Painted

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.binding import BindingType
    from textual.strip import Strip

LONGEST: Final = 60
LISTS: Final = "?"  # asks what may be written, where there is a list of it
PASSED: Final = {  # what does something while one writes: by id, with its usual keys
    "prompt.submit": "enter",
    "prompt.complete": "tab,right",
    "prompt.cancel": "escape",
    "screen.keys": "f1",
    "app.quit": "ctrl+q",
    "app.redraw": "ctrl+l",
    "": "ctrl+c",  # Textual's own
}
Words: TypeAlias = "tuple[str, ...] | Callable[[str], tuple[str, ...]]"


class Prompt(Painted, can_focus=True):
    """Ask for one line; report it, or that there is none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "done", id="prompt.submit"),
        Binding("tab,right", "complete", "complete", id="prompt.complete"),
        Binding("escape", "cancel", "back", id="prompt.cancel"),
    ]
    DEFAULT_CSS = "Prompt { height: 1; display: none; }"

    class Submitted(Message):
        """The line was finished; `text` is empty if it was given up."""

        def __init__(self, text: str, *, is_given_up: bool) -> None:
            """Say so; `is_given_up`: rather than finished with nothing in it."""
            super().__init__()
            self.text, self.is_given_up = text, is_given_up

    class Listed(Message):
        """It was asked what may be written here."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._label = ""
        self._text = ""
        self._at = 0  # characters before the cursor
        self._first = 0  # characters that have been scrolled out at the left
        self._words: Words = ()
        self._longest = LONGEST
        self._has_list = False
        self.is_open = False

    def ask(
        self,
        label: str,
        words: Words = (),
        text: str = "",
        longest: int = LONGEST,
        *,
        has_list: bool = False,
    ) -> None:
        """Begin to ask, with `text` already written; `words` are what may be written.

        None: anything. A function returns what the text can become. With `has_list` a question mark
        is no text: it asks what may be written.
        """
        self._label, self._text, self._words = label, text[:longest], words
        self._longest, self._has_list = longest, has_list
        self._at, self._first = len(self._text), 0
        self.is_open = self.display = True
        self.screen.set_focus(self)  # at once: the next keys are the line's already
        self.refresh_bindings()
        self.refresh()

    def close(self) -> None:
        """Ask no longer, and forget what was written: nobody else may read it."""
        self._label, self._text, self._words, self._at = "", "", (), 0
        self.is_open = self.display = False

    @property
    def fitting(self) -> tuple[str, ...]:
        """Return the words that begin with what is written."""
        if callable(self._words):
            return self._words(self._text)
        return tuple(word for word in self._words if word.startswith(self._text))

    @property
    def is_writing(self) -> bool:
        """Return whether letters are text here, not keys that do something."""
        return True

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Complete only what has completions."""
        return action != "complete" or bool(self._words)

    # --- drawing ------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        """Draw label, text, and what fits or how much may be written."""
        label = f"{self._label} "
        room = self.size.width - width(label)
        count = "" if self._words else f" {len(self._text)}/{self._longest}"
        before, here, behind = self._window(max(4, room - len(count)))
        fits = f"  {' '.join(self.fitting)}" if self._words else ""
        fits = shortened(fits, room - width(f"{before}{here}{behind}"), self.look).rstrip()
        gap = " " * max(0, room - width(f"{before}{here}{behind}") - len(count))
        role = "loss" if len(self._text) == self._longest else "quiet"
        written = ((before, "title"), (here, "cursor" if behind else "title"), (behind, "title"))
        told = ((gap, ""), (count, role)) if count else ((fits, "quiet"),)
        return self.strip(((label, "title"), *written, *told))

    def _window(self, room: int) -> tuple[str, str, str]:
        """Return as much of the text as there is room for: before, under and behind the cursor."""
        text = f"{self._text}_" if self._at == len(self._text) else self._text
        self._first = min(self._first, self._at)
        while width(text[self._first : self._at + 1]) > room:
            self._first += 1
        while self._first and width(text[self._first - 1 :]) <= room:
            self._first -= 1  # what was deleted makes room
        last = len(text)
        while width(text[self._first : last]) > room:
            last -= 1
        at = self._at
        return text[self._first : at], text[at : at + 1], text[at + 1 : last]

    # --- keys ---------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Write; whatever does nothing here does nothing at all."""
        if event.is_printable and event.character:
            if self._has_list and event.character == LISTS:
                self.post_message(self.Listed())
            else:
                self._write(event.character)
        elif not self._edit(event.key) and self._does_something(event.key):
            return
        event.stop()
        event.prevent_default()
        self.refresh()

    def _does_something(self, key: str) -> bool:
        """Return whether a key is one of ours, or the app's."""
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
        """Move the cursor, or delete; return whether the key does that here."""
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
        """Put the first line of a pasted text where the cursor is."""
        self._write(event.text.strip().split("\n", 1)[0])
        self.refresh()

    def on_click(self) -> None:
        """Go on writing."""
        self.screen.set_focus(self)

    def on_blur(self) -> None:
        """Keep what is typed from the table: as long as the line is open, keys are the line's."""
        if self.is_open and self.app.app_focus and self.screen.is_current:
            self.call_later(self._take_focus)

    def _take_focus(self) -> None:
        if self.is_open and self.screen.is_current:
            self.screen.set_focus(self)

    def action_complete(self) -> None:
        """Write on as far as all fitting words agree."""
        fitting = self.fitting
        if fitting:
            first, last = min(fitting), max(fitting)
            same = next((i for i, c in enumerate(first) if last[i : i + 1] != c), len(first))
            self._text, self._at = first[:same], same
            self.refresh()

    def action_submit(self) -> None:
        """Report the line."""
        self._report(self._text.strip())

    def action_cancel(self) -> None:
        """Give up."""
        self._report("", is_given_up=True)

    def _report(self, text: str, is_given_up: bool = False) -> None:
        self.close()
        self.post_message(self.Submitted(text, is_given_up=is_given_up))
