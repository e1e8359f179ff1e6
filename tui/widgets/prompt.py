"""One line to type into, with the completions that fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from textual.binding import Binding
from textual.message import Message

from kumite.tui.scenes.lines import width
from kumite.tui.widgets.painted import Painted

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.binding import BindingType
    from textual.strip import Strip

LONGEST: Final = 60
Words: TypeAlias = "tuple[str, ...] | Callable[[str], tuple[str, ...]]"


class Prompt(Painted, can_focus=True):
    """Ask for one line; report it, or that there is none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "done", id="prompt.submit"),
        Binding("tab,right", "complete", "complete", id="prompt.complete"),
        Binding("escape", "cancel", "back", id="prompt.cancel"),
    ]
    DEFAULT_CSS = "Prompt { height: 1; display: none; } Prompt:focus { display: block; }"

    class Submitted(Message):
        """The line was finished; `text` is empty if it was given up."""

        def __init__(self, text: str, *, is_given_up: bool) -> None:
            """Say so; `is_given_up`: rather than finished with nothing in it."""
            super().__init__()
            self.text, self.is_given_up = text, is_given_up

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._label = ""
        self._text = ""
        self._words: Words = ()
        self._longest = LONGEST

    def ask(self, label: str, words: Words = (), text: str = "", longest: int = LONGEST) -> None:
        """Begin to ask, with `text` already written; `words` are what may be written.

        None: anything. A function returns what the text can become.
        """
        self._label, self._text, self._words = label, text, words
        self._longest = longest
        self.display = True
        self.screen.set_focus(self)  # at once: the next keys are the line's already
        self.refresh_bindings()
        self.refresh()

    def close(self) -> None:
        """Ask no longer, and forget what was written: nobody else may read it."""
        self._label, self._text, self._words = "", "", ()
        self.display = False

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

    def render_line(self, y: int) -> Strip:  # noqa: ARG002
        """Draw label, text and what fits."""
        fits = " ".join(self.fitting)
        text = f"{self._text}_"
        room = self.size.width - width(self._label) - 1
        while room > 0 and width(text) > room:
            text = text[1:]  # what is being written must be seen
        return self.strip(
            (
                (f"{self._label} ", "title"),
                (text, "title"),
                (f"  {fits}" if self._words else "", "quiet"),
            )
        )

    def on_key(self, event: events.Key) -> None:
        """Write."""
        if event.key == "backspace":
            self._text = self._text[:-1]
        elif event.key == "ctrl+u":
            self._text = ""
        elif event.is_printable and event.character and len(self._text) < self._longest:
            self._text += event.character
        else:
            return
        event.stop()
        event.prevent_default()
        self.refresh()

    def on_paste(self, event: events.Paste) -> None:
        """Put pasted text behind what is written."""
        self._text = (self._text + event.text.strip().split("\n", 1)[0])[: self._longest]
        self.refresh()

    def action_complete(self) -> None:
        """Write on as far as all fitting words agree."""
        fitting = self.fitting
        if fitting:
            first, last = min(fitting), max(fitting)
            same = next((i for i, c in enumerate(first) if last[i : i + 1] != c), len(first))
            self._text = first[:same]
            self.refresh()

    def action_submit(self) -> None:
        """Report the line."""
        self._close(self._text.strip())

    def action_cancel(self) -> None:
        """Give up."""
        self._close("", is_given_up=True)

    def _close(self, text: str, is_given_up: bool = False) -> None:
        self.display = False
        self.post_message(self.Submitted(text, is_given_up=is_given_up))
