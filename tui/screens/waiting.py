"""A screen on which one waits for others: a lobby, or the hall of a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.errors import KumiteError
from kumite.tui.screens.banner import banner, show_banner
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.screens.lobby_lines import Space
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.events import Resize

    from kumite.tui.scenes.lines import Line


class WaitingScreen(KumiteScreen):
    """A title, a text that changes, and a prompt."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def compose(self) -> ComposeResult:
        """Lay out title, text, prompt and keys."""
        yield Lines(*banner(self, self._title), id="banner")
        yield Lines(((self._title, "title"),), id="head")
        yield Lines(id="text", folds=True, hang=0)
        yield Lines(id="hint")
        yield Prompt(id="prompt")
        yield Lines(id="keys")

    def on_resize(self, event: Resize) -> None:  # noqa: ARG002
        """Show all in the new size."""
        show_banner(self, self._title)
        self.once_drawn(self.redraw)

    def retitle(self, title: str) -> None:
        """Show another title, if it is one."""
        if title != self._title:
            self._title = title
            self.query_one("#head", Lines).show((((title, "title"),),))
            show_banner(self, title)

    def tell(self, *lines: Line) -> None:
        """Show this text in the place of what was there."""
        self.query_one("#text", Lines).show(lines)

    @property
    def space(self) -> Space:
        """Return the room for the text; before the first layout, that of the whole screen."""
        size = self.query_one("#text", Lines).size or self.app.size
        return Space(size.width, size.height, self.shell.look)

    def refusal(self, text: str, hint: str, keys: str) -> None:
        """Show why it is over here, what to do about it, and which keys there are."""
        self.tell(((text, "loss"),), ((hint, "quiet"),), (), ((keys, ""),))
        self.refresh_bindings()

    def ask_code(self, whose: str, code: str = "") -> None:
        """Ask for the code that somebody's screen shows; `code` is there already."""
        from kumite.net.crypto.pairing import completions

        self.tell(
            ((f"The code that the {whose} screen shows:", ""),),
            (("such as 7-torii-lantern", "quiet"),),
        )
        self.say("Tab completes a word; Enter joins; Esc goes back", "quiet")
        self.query_one(Prompt).ask("Code:", completions, code)

    def code_in(self, text: str, whose: str) -> str | None:
        """Return the code that was typed; of what is none say why, ask again, and return None."""
        from kumite.net.crypto.pairing import parse_code

        try:
            code = parse_code(text)
        except KumiteError as error:
            self.ask_code(whose, text)
            self.complain(error)
            return None
        self.set_focus(None)
        return code
