"""What every screen has: a line of keys at the bottom, help at `?`, and a way back at `q`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, TypeVarTuple, cast

from textual import events
from textual.binding import Binding
from textual.css.query import NoMatches

from kumite.store import house
from kumite.tui.scenes.lines import fold, trimmed
from kumite.tui.screens.too_small import TooSmall, WindowScreen, fits
from kumite.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from textual.binding import BindingType
    from textual.widget import Widget
    from textual.worker import Worker

    from kumite.core.errors import KumiteError
    from kumite.tui.scenes.lines import Line
    from kumite.tui.shell import Shell

Ts = TypeVarTuple("Ts")
KEYS: Final = {
    "question_mark": "?",
    "colon": ":",
    "enter": "Enter",
    "escape": "Esc",
    "space": "Space",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "full_stop": ".",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "equals_sign": "=",
    "plus": "+",
    "minus": "-",
    "slash": "/",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "pageup": "PgUp",
    "pagedown": "PgDn",
}


HINT_ROWS: Final = 2
ERROR_ROWS: Final = 5  # what is to be done comes last: at 60 columns it is still there
HELPING: Final = frozenset({"help", "rules"})  # actions that show the keys; help comes last
LAST_KEYS: Final = frozenset({"?", "F1", "q"})  # always shown: help, and the way out


def _fitting(keys: list[tuple[str, str]], width: int) -> list[tuple[str, str]]:
    """Leave out the keys for which a line has no room; the help screen has them all.

    Help and the way out have the first place, then each key that comes before another.
    """
    room, kept = width + 3, set[tuple[str, str]]()
    for key, said in sorted(keys, key=lambda one: one[0] not in LAST_KEYS):
        columns = len(key) + len(said) + 4
        if columns <= room:
            kept.add((key, said))
            room -= columns
    return [one for one in keys if one in kept]


def key_name(key: str, *, is_ascii: bool = False) -> str:
    """Return a key as people call it; arrows by their names where there are no signs for them."""
    if key in KEYS and (not is_ascii or KEYS[key].isascii()):
        return KEYS[key]
    return key.capitalize() if len(key) > 1 and "+" not in key else key


class KumiteScreen(WindowScreen):
    """A screen of the app.

    `HELP` says in a few sentences what one does here, with `{{…|…}}` where guests of a house
    cannot have what others can.
    """

    HELP: ClassVar[str] = ""
    SMALLEST: ClassVar[tuple[int, int]] = (60, 20)  # below it what is needed would be cut off
    IN_HELP_ONLY: ClassVar[frozenset[str]] = frozenset()  # ids of keys that the line leaves out
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "help", id="screen.help"),
        Binding("f1", "help", "help", show=False, id="screen.keys"),
        Binding("q", "back", "back", id="screen.back"),
    ]

    queued = ""  # that a bot waits for its turn to think, in a house
    _hinted: Line = ()
    _hint_is_whole = True
    _hint_rows = HINT_ROWS

    @property
    def shell(self) -> Shell:
        """Return the app, as far as a screen knows it."""
        return cast("Shell", self.app)

    async def on_event(self, event: events.Event) -> None:
        """Hear nothing once the app ends: of a screen that opens meanwhile no more is laid out."""
        if self.is_whole or isinstance(event, (events.Compose, events.Callback, events.Unmount)):
            await super().on_event(event)

    @property
    def is_whole(self) -> bool:
        """Return whether there is anything on it: not before it is laid out, nor once it goes."""
        is_shown = self.app.is_running and self.is_running and self.is_attached
        return is_shown and self.display and bool(self.children)

    @property
    def is_on_top(self) -> bool:
        """Return whether no other screen covers any of it."""
        return self.app.screen is self

    def beside(
        self, work: Callable[[*Ts], Coroutine[Any, Any, None]], *given: *Ts, group: str
    ) -> Worker[None]:
        """Let something go on beside the screen; what it brings when that has gone is lost.

        The coroutine is made when its turn has come: one that is cancelled before it has begun
        would be complained of on the terminal.
        """

        async def while_whole() -> None:
            try:
                await work(*given)
            except NoMatches:
                if self.is_whole:
                    raise

        return self.run_worker(while_whole, group=group)

    def once_drawn(self, do: Callable[[], None]) -> None:
        """Do something once all that was asked for is drawn, if the screen is still there then."""

        def do_if_whole() -> None:
            if self.is_whole:
                do()

        self.call_after_refresh(do_if_whole)

    def on_mount(self) -> None:
        """Keep the line of keys true."""
        self.bindings_updated_signal.subscribe(self, lambda _: self.show_keys())
        self.show_keys()

    def on_resize(self, event: events.Resize) -> None:
        """Say calmly that there is not room enough, instead of showing half of it."""
        if self.app.screen is self and not fits(self.SMALLEST, event.size):
            self.app.push_screen(TooSmall(self.SMALLEST))
        self.once_drawn(self.fit_lines)

    def on_key(self, event: events.Key) -> None:
        """Answer a key that means nothing; what is bound is done after this."""
        if event.character and event.is_printable and event.key not in self.active_bindings:
            self.say_unbound(event.character)

    def say_unbound(self, character: str) -> None:
        """Say that a key does nothing now, and which would: the small letter, or help."""
        bound = {key_name(one.key): one for one in self.bound_now()}
        small = character.lower()
        if small != character and small in bound:
            way_out = f"small {small}: {self.called(bound[small])}"
        else:
            helps = [key for key, one in bound.items() if one.action in HELPING]
            way_out = f"{helps[-1]} shows the keys" if helps else ""
        key = KEYS["space"] if character == " " else character
        self.hint(((f"{key} does nothing now", "loss"), (f"   {way_out}", "quiet")))

    def fit_lines(self) -> None:
        """Say what is said in as many columns as there are now."""
        for lines in self.query(Lines):
            lines.page_anew()
        self.say_anew()

    def say_anew(self) -> None:
        """Say all that depends on how many columns there are; what was said last is kept."""
        self.show_keys()
        self._show_hint()

    def show_keys(self) -> None:
        """Name the keys that do something now."""
        for keys in self.query("#keys").results(Lines):
            line: list[tuple[str, str]] = []
            for key, description in _fitting(
                self.keys_now(), keys.size.width or self.app.size.width
            ):
                line += [(key, "key"), (f" {description}   ", "quiet")]
            keys.show([tuple(line)])

    @property
    def is_writing(self) -> bool:
        """Return whether letters are text now, not keys that do something."""
        return getattr(self.focused, "is_writing", False)

    def keys_now(self) -> list[tuple[str, str]]:
        """Return (key, what it does) of all that is bound now and has a place in the line."""
        return [
            (key_name(one.key, is_ascii=not self.shell.look.is_drawn), said)
            for one in self.bound_now()
            if one.id not in self.IN_HELP_ONLY
            and (one.show or (self.is_writing and one.key in ("f1", "escape")))
            and (said := self.key_said(one))
        ]

    def key_said(self, binding: Binding) -> str:
        """Return what the line of keys says that a key does; nothing leaves it out."""
        return self.called(binding)

    def called(self, binding: Binding) -> str:
        """Return what a key does on this screen."""
        return binding.description

    def bound_now(self) -> list[Binding]:
        """Return what is bound now, one key for each action, help and the way out at the end."""
        is_writing = self.is_writing
        found: dict[str, Binding] = {}
        for _, binding, enabled, _ in self.active_bindings.values():
            ours = binding.id is not None and "." in binding.id
            known = found.get(binding.action)
            if is_writing and (binding.key == "space" or len(key_name(binding.key)) == 1):
                continue  # it would be written
            if enabled and ours and (known is None or (binding.show and not known.show)):
                found[binding.action] = binding
        return sorted(found.values(), key=lambda one: key_name(one.key) in LAST_KEYS)

    def say(self, text: str, role: str = "") -> None:
        """Show a line above the keys."""
        self.hint(((text, role),))

    def hint(self, line: Line, *, is_whole: bool = True, rows: int = HINT_ROWS) -> None:
        """Show a line above the keys, in so many `rows` at the most if it is long.

        Unless `is_whole`, it goes without its last parts instead if it is too long for a row.
        """
        self._hinted, self._hint_is_whole, self._hint_rows = line, is_whole, rows
        self._show_hint()

    def _show_hint(self) -> None:
        for hint in self.query("#hint").results(Lines):
            width = self.app.size.width - 2
            line = self._hinted if self._hint_is_whole else trimmed(self._hinted, width)
            shown = fold(line, width)[: self._hint_rows]
            height = hint.styles.height
            if height is None or height.value != len(shown):
                hint.styles.height = len(shown)
            hint.show(shown)

    def complain(self, error: KumiteError) -> None:
        """Show what cannot be done and what to do, where the eyes are."""
        self.say_trouble(house.told(error), house.hint(error.hint))

    def say_trouble(self, text: str, hint: str) -> None:
        """Show what is wrong, and to the last word what to do about it."""
        self.hint(((text, "loss"), (f"  {hint}" * bool(hint), "quiet")), rows=ERROR_ROWS)

    def say_queued(self, words: str) -> None:
        """Say that a bot of this screen waits for its turn, or nothing of it any more."""
        before, self.queued = self.queued, words
        if words or self._hinted == ((before, "quiet"),):
            self.say(words, "quiet")

    def action_help(self) -> None:
        """Explain this screen."""
        self.shell.show_help(self.help_lines())

    def help_lines(self) -> tuple[Line, ...]:
        """Return what the help screen shows: what one does here, then every key."""
        from kumite.tui.widgets.markdown import marked_down

        lines = [*marked_down(house.suited(self.HELP).strip()), (), (("Keys", "title"),), ()]
        for one in self.bound_now():
            same = (other for _, other, *_ in self.active_bindings.values() if other.id == one.id)
            both = (one.key, *(other.key for other in same))
            keys = dict.fromkeys(key_name(k, is_ascii=not self.shell.look.is_drawn) for k in both)
            lines.append(((f"  {', '.join(keys):<16}", "key"), (f"  {self.called(one)}", "")))
        return tuple(lines)

    def before_key(self) -> None:
        """End what moves on the screen: a key means what is there. Most screens stand still."""

    def paint(self, widget: Widget) -> None:
        """Show at once what has changed on a widget of this screen, instead of messages later.

        Not if it takes another size: that is for the whole screen to lay out.
        """
        is_ours = widget.is_attached and widget.screen is self and widget.display
        if is_ours and widget._repaint_required and not widget._layout_required:
            widget._repaint_required = False  # else it would ask for another picture
            self._dirty_widgets.add(widget)
            self._on_timer_update()

    def after_key(self) -> None:
        """Paint what else the key has changed, without waiting for the next frame.

        What is said of the square under a cursor comes with the key's last messages.
        """
        # Behind what widgets have still to tell us; these hear of it in the turn between.
        self.call_later(self.call_later, self._on_timer_update)

    def draw_anew(self) -> None:
        """Show everything with other glyphs or pictures: some need more room, others less."""
        self.redraw()
        for widget in self.query("*"):
            widget.refresh()
        self.post_message(events.Resize(self.app.size, self.app.size))

    def redraw(self) -> None:
        """Say anew what the screen says itself, if that depends on glyphs or pictures."""

    def action_back(self) -> None:
        """Leave this screen."""
        self.shell.go_back()
