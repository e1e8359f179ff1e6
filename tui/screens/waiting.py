"""A screen for waiting on others: a lobby or a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from kumite.core.errors import KumiteError
from kumite.tui.scenes.lines import Line
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.screens.form_screen import banner, show_banner, show_column
from kumite.tui.screens.lobby_lines import Space
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.events import Resize


class WaitingScreen(KumiteScreen):
    """A title, a changing text and a prompt."""

    COLUMN: ClassVar[int] = 152  # most columns of the text

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def compose(self) -> ComposeResult:
        yield Lines(*banner(self, self._title), id="banner")
        yield Lines(((self._title, "title"),), id="head")
        yield Lines(id="text", folds=True, hang=0)
        yield Lines(id="hint")
        yield Prompt(id="prompt")
        yield Lines(id="keys")

    def on_resize(self, event: Resize) -> None:  # noqa: ARG002
        show_column(self, self._title, self.query_one("#text"), self.COLUMN)
        self.once_drawn(self.redraw)

    def retitle(self, title: str) -> None:
        """Change the title, if it differs."""
        if title != self._title:
            self._title = title
            self.query_one("#head", Lines).show((((title, "title"),),))
            show_banner(self, title)

    def tell(self, *lines: Line) -> None:
        self.query_one("#text", Lines).show(lines)

    @property
    def space(self) -> Space:
        """Return the room for the text, or the whole screen before the first layout."""
        size = self.query_one("#text", Lines).size or self.app.size
        return Space(size.width, size.height, self.shell.look)

    def refusal(self, text: str, hint: str, keys: str) -> None:
        """Show why the connection failed, what to do, and the keys."""
        self.tell(((text, "loss"),), ((hint, "quiet"),), (), ((keys, ""),))
        self.refresh_bindings()

    def ask_code(self, whose: str, code: str = "") -> None:
        """Prompt for the code on the `whose` screen; `code` is filled in."""
        from kumite.net.crypto.pairing import completions
        from kumite.net.transport.invites import LONGEST

        self.tell(
            ((f"The code that the {whose} screen shows:", ""),),
            (("such as 7-torii-lantern", "quiet"),),
        )
        self.say("Tab completes a word; Enter joins; Esc goes back", "quiet")
        self.query_one(Prompt).ask("Code:", completions, code, LONGEST)

    def code_in(self, text: str, whose: str) -> str | None:
        """Return the code in `text`, which may be a whole invite.

        If it is invalid, explain, prompt again and return None.
        """
        from kumite.net.crypto.pairing import parse_code
        from kumite.net.transport.invites import parse_invite

        try:
            code = parse_invite(text).code or parse_code(text)
        except KumiteError as error:
            self.ask_code(whose, text)
            self.complain(error)
            return None
        self.set_focus(None)
        return code
