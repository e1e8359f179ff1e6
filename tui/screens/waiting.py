"""A screen for waiting on others: a lobby or a tournament."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final, Protocol

from textual.app import ComposeResult
from textual.screen import Screen

from kumite.core.errors import KumiteError
from kumite.net.session.events import Listening
from kumite.store import guest_mode
from kumite.tui.scenes.lines import Line
from kumite.tui.screens import dialog
from kumite.tui.screens.base import ERROR_ROWS, SENT, KumiteScreen
from kumite.tui.screens.form_screen import banner, show_banner, show_column
from kumite.tui.screens.lobby_lines import Space
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt

ONE_MOMENT: Final[Line] = (("One moment ...", ""),)


class Client(Protocol):
    """The network side of a table or a tournament."""

    listener: Callable[[Any], None]

    def close(self) -> None:
        """Stop the network; everything played stays saved."""


class WaitingScreen(KumiteScreen):
    """A title, a changing text and a prompt; the network side, once the code is known."""

    AUTO_FOCUS = ""
    COLUMN: ClassVar[int] = 152  # most columns of the text
    WHOSE: ClassVar[str] = "host's"  # screen that shows the code
    can_retry = True  # after a refusal
    is_refused = False  # and may try again

    def __init__(self, title: str, code: str = "") -> None:
        super().__init__()
        self._title = title
        self.code = code  # as it was typed, or a whole invite
        self.client: Client | None = None
        self.back_to: Callable[[], Screen[None]] | None = None  # the list that led here
        # The form that led here, filled in, with an error and its hint; None once we are open.
        self.form: Callable[[str, str], Screen[None]] | None = None

    def compose(self) -> ComposeResult:
        yield Lines(*banner(self, self._title), id="banner")
        yield Lines(((self._title, "title"),), id="head")
        yield Lines(id="text", folds=True, hang=0)
        yield Lines(id="hint")
        yield Prompt(id="prompt")
        yield Lines(id="keys")

    def on_resize(self) -> None:
        show_column(self, self._title, self.query_one("#text"), self.COLUMN)
        self.once_drawn(self.redraw)

    def retitle(self, title: str) -> None:
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

    # --- the code and the network ---------------------------------------------------------------

    def ask_code(self) -> None:
        from kumite.net.crypto.pairing import completions
        from kumite.net.transport.invites import LONGEST

        self.is_refused = False
        self.refresh_bindings()
        self.tell(
            ((f"The code that the {self.WHOSE} screen shows:", ""),),
            (("such as 7-torii-lantern", "quiet"),),
            (),
            ((guest_mode.warning(), "loss"),),
        )
        self.say("Tab completes a word; Enter continues; Esc goes back", "quiet")
        self.query_one(Prompt).ask("Code:", self._code_given, completions, self.code, LONGEST)

    def _code_given(self, text: str | None) -> None:
        from kumite.net.crypto.pairing import parse_code
        from kumite.net.transport.invites import parse_invite

        if not text:
            self.action_back()
            return
        self.code = text
        try:
            invite = parse_invite(text)
            code = invite.code or parse_code(text)
        except KumiteError as error:
            self.ask_code()
            self.complain(error)
        else:
            self.set_focus(None)
            if invite.addresses:  # a whole line, perhaps of another table
                self.go_to(*invite[:2])
            self.come_in(code)

    def go_to(self, addresses: tuple[str, ...], port: int) -> None:
        """Join here instead."""
        raise NotImplementedError

    def come_in(self, code: str) -> None:
        raise NotImplementedError

    def take_code(self, take: Callable[[], object], *, is_known: bool) -> None:
        """Take a new code; ask first if others may know the old one."""
        if is_known:
            question = "Take a new code?", "The old one, and invites with it, will no longer work."
            dialog.confirm(self.app, question, "No, keep it", "Yes, a new code", take)
        else:
            take()

    def copy_invite(self, at: Listening) -> None:
        """Copy the line to join by; guests have no command line."""
        from kumite.net.transport.invites import invite_line

        line = invite_line(at.addresses, at.port, at.code)
        self.copy(at.code if guest_mode.is_guest() else line)

    def copy(self, line: str) -> None:
        """Copy to the terminal's clipboard (OSC 52), and show the line: some ignore that."""
        self.app.copy_to_clipboard(line)
        whole_row = SENT.ljust(self.app.size.width - 2)  # so that the line begins the next one
        self.hint(((whole_row, "quiet"), (line, "title")), rows=ERROR_ROWS)

    def connect(self, make: Callable[[], Client]) -> None:
        self.is_refused = False
        try:
            self.client = make()
        except KumiteError as error:
            self.refuse(str(error), error.hint)
        else:
            self.client.listener = self.heard
        self.refresh_bindings()

    def heard(self, event: Any) -> None:
        raise NotImplementedError

    def refuse(self, why: str, hint: str, keys: str = "") -> None:
        """Close, and show why the connection failed, what to do, and the keys, first these."""
        if self.is_whole and self.form is not None:
            self.app.switch_screen(self.form(why, hint))
        elif self.is_whole:
            self.close_client()
            self.is_refused = self.can_retry
            keys += f"{'Enter: try again   ' * self.can_retry}q: back"
            self.tell(((why, "loss"),), ((hint, "quiet"),), (), ((keys, ""),))
            self.refresh_bindings()

    def close_client(self) -> None:
        if self.client is not None:
            self.client.close()
            self.client = None

    def action_back(self) -> None:
        if self.back_to is not None and self.client is None:
            self.app.switch_screen(self.back_to())
        else:
            super().action_back()

    def on_unmount(self) -> None:
        """Close the network side, unless another screen has taken it over."""
        self.close_client()
