"""What every screen has: a line of keys at the bottom, help at `?`, and a way back at `q`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, cast

from textual.binding import Binding
from textual.message import Message
from textual.screen import Screen

from tui.widgets.lines import Lines

if TYPE_CHECKING:
    from textual import events
    from textual.binding import BindingType

    from core.errors import KumiteError
    from tui.app import KumiteApp
    from tui.scenes.model import Line

KEYS: Final = {
    "question_mark": "?",
    "colon": ":",
    "enter": "Enter",
    "escape": "Esc",
    "space": "Space",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "plus": "+",
    "minus": "-",
    "slash": "/",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "pageup": "PgUp",
    "pagedown": "PgDn",
}


SMALLEST: Final = (60, 20)  # below it a board would be cut off
_TOO_SMALL: Final[tuple[Line, ...]] = (
    (("kumite needs a larger window:", "title"),),
    ((f"at least {SMALLEST[0]} by {SMALLEST[1]}, best 80 by 24", ""),),
    (("the match waits", "quiet"),),
)


LAST_KEYS: Final = frozenset({"?", "q"})  # always shown: help, and the way out


def _fitting(keys: list[tuple[str, str]], width: int) -> list[tuple[str, str]]:
    """Leave out as many keys as do not fit into a line; the help screen has them all."""
    keys = list(keys)
    while keys and sum(len(key) + len(said) + 4 for key, said in keys) - 3 > width:
        spare = [index for index, (key, _) in enumerate(keys) if key not in LAST_KEYS]
        del keys[spare[-1] if spare else 0]
    return keys


def key_name(key: str) -> str:
    """Return a key as people call it."""
    if key in KEYS:
        return KEYS[key]
    return key.capitalize() if len(key) > 1 and "+" not in key else key


class Returned(Message):
    """The screen above was left; this one is on top again."""


class KumiteScreen(Screen[None]):
    """A screen of the app. `HELP` says in a few sentences what one does here."""

    HELP: ClassVar[str] = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "help", id="screen.help"),
        Binding("f1", "help", "help", show=False, id="screen.keys"),
        Binding("q", "back", "back", id="screen.back"),
    ]

    @property
    def kumite(self) -> KumiteApp:
        """Return the app, as what it is."""
        return cast("KumiteApp", self.app)

    def on_mount(self) -> None:
        """Keep the line of keys true."""
        self.bindings_updated_signal.subscribe(self, lambda _: self.show_keys())
        self.show_keys()

    def on_resize(self, event: events.Resize) -> None:
        """Say calmly that there is not room enough, instead of showing half of it."""
        size = event.size
        is_small = size.width < SMALLEST[0] or size.height < SMALLEST[1]
        if is_small and not self.query("#small"):
            self.mount(Lines(*_TOO_SMALL, id="small"))
        self.set_class(is_small, "-small")

    def show_keys(self) -> None:
        """Name the keys that do something now."""
        for keys in self.query("#keys").results(Lines):
            line: list[tuple[str, str]] = []
            for key, description in _fitting(
                self.keys_now(), keys.size.width or self.app.size.width
            ):
                line += [(key, "key"), (f" {description}   ", "quiet")]
            keys.show([tuple(line)])

    def keys_now(self, hidden: bool = False) -> list[tuple[str, str]]:
        """Return (key, what it does) of all that is bound now; with `hidden`, of the rest too."""
        found: dict[str, tuple[str, str]] = {}
        for _, binding, enabled, _ in self.active_bindings.values():
            ours = binding.id is not None and "." in binding.id
            if enabled and ours and (binding.show or hidden) and binding.action not in found:
                found[binding.action] = (key_name(binding.key), binding.description)
        return sorted(found.values(), key=lambda key: key[0] in LAST_KEYS)

    def say(self, text: str, role: str = "") -> None:
        """Show a line above the keys."""
        self.hint(((text, role),))

    def hint(self, line: Line) -> None:
        """Show a line above the keys."""
        for hint in self.query("#hint").results(Lines):
            hint.show([line])

    def complain(self, error: KumiteError) -> None:
        """Show what cannot be done and what to do, where the eyes are."""
        self.hint(((str(error), "loss"), (f"  {error.hint}", "quiet")))

    def action_help(self) -> None:
        """Explain this screen."""
        from tui.screens.reading import HelpScreen

        self.app.push_screen(HelpScreen(self.help_lines()))

    def help_lines(self) -> tuple[Line, ...]:
        """Return what the help screen shows: what one does here, then every key."""
        lines: list[Line] = [((text, ""),) for text in self.HELP.strip().splitlines()]
        lines += [(), (("Keys", "title"),), ()]
        lines += [((f"  {key:<10}", "key"), (text, "")) for key, text in self.keys_now(hidden=True)]
        return tuple(lines)

    def redraw(self) -> None:
        """Show everything anew: the glyphs have changed. A screen without glyphs need not."""

    def action_back(self) -> None:
        """Leave this screen."""
        self.kumite.go_back()
