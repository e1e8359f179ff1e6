"""A modal question with a few answers, shown over the current screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar, Final, cast

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widget import Widget

from kumite.tui.scenes.lines import Line, Span, wrapped
from kumite.tui.shell import Shell
from kumite.tui.widgets.bindings import key_name
from kumite.tui.widgets.form import Form, Row
from kumite.tui.widgets.lines import Lines

YES: Final = "yes"
KEYS: Final = ("choose", "back")  # what they do ends the ids of bindings
IGNORED: Final = 1.0  # s after a question was closed in which keys were meant for it
COLUMNS: Final = 56  # width of its text; kumite.tcss sets the width of the box


class Dialog(ModalScreen[str]):
    """Ask a question; the result is the key of the chosen row, or "" if cancelled."""

    MOVES: ClassVar[tuple[str, ...]] = ("up", "down")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss('')", "back", id="dialog.back")
    ]

    def __init__(self, lines: tuple[Line, ...], answers: tuple[Row, ...]) -> None:
        super().__init__()
        self._lines, self._answers = lines, answers

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield Lines(*self._lines, (), id="question", folds=True)
            yield self.choices()
        yield Lines(id="keys")

    def choices(self) -> Widget:
        return Form(*self._answers, id="form")

    def on_mount(self) -> None:
        self._show_hints(False)
        self.call_after_refresh(self._show_keys)

    def _show_keys(self) -> None:
        """Cover the keys of the screen below with those that answer."""
        is_ascii = not cast("Shell", self.app).look.is_drawn
        names: dict[str, str] = {}
        for key, (_, binding, *_) in self.active_bindings.items():
            does = (binding.id or "").rpartition(".")[2]
            names.setdefault(does, key_name(key, is_ascii=is_ascii))
        moves = " ".join(names.get(one, "") for one in self.MOVES)
        line: list[Span] = [(moves, "key"), (" move   ", "quiet")]
        for one in KEYS:
            line += [(names.get(one, ""), "key"), (f" {one}   ", "quiet")]
        self.query_one("#keys", Lines).show([tuple(line)])

    def on_unmount(self) -> None:
        self._show_hints(True)

    def _show_hints(self, is_shown: bool) -> None:
        """Show or hide what Enter would do on the screens below: here it answers."""
        for screen in self.app.screen_stack:
            for hint in screen.query("#hint"):
                hint.visible = is_shown

    @on(Form.Chosen)
    def _answer(self, event: Form.Chosen) -> None:
        self.dismiss(event.key)


def lines(title: str, *more: tuple[str, str]) -> list[Line]:
    """Return a question with a title, and more texts with their roles, as lines that fit."""
    said = ((title, "title"), *more)
    return [line for text, role in said for line in wrapped(text, COLUMNS, role)]


def ask(
    app: App[object],
    question: str | Iterable[Line],
    answers: Iterable[Row],
    do: Callable[[str], object],
) -> None:
    """Show a dialog; call `do` with the key of the answer unless the user cancels."""
    if isinstance(question, str):
        question = lines(question)

    def answered(answer: str | None) -> None:
        if answer:
            do(answer)

    app.push_screen(Dialog(tuple(question), tuple(answers)), answered)


def close(app: App[object]) -> None:
    """Close the question on top, if there is one; keys meant for it do nothing."""
    if isinstance(app.screen, Dialog):
        app.screen.dismiss("")
        cast("Shell", app).forget_keys(IGNORED)


def confirm(
    app: App[object], question: Iterable[str], no: str, yes: str, do: Callable[[], object]
) -> None:
    """Ask whether to `do` something; the first text of the question is its title."""
    title, *more = question
    asked = lines(title, *((text, "") for text in more))
    ask(app, asked, (Row("no", no), Row(YES, yes)), lambda key: do() if key == YES else None)
