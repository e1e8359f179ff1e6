"""The base class of all screens: a line of keys at the bottom, help at `?`, back at `q`."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Final, TypeVarTuple, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.css.query import NoMatches
from textual.geometry import Size
from textual.screen import Screen
from textual.timer import Timer
from textual.worker import Worker

from kumite.core.errors import KumiteError
from kumite.store import guest_mode
from kumite.tui.drawing.places import SMALLEST, is_small
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.lines import Line, fold, marked_down, trimmed
from kumite.tui.scenes.motion import Frame
from kumite.tui.shell import Shell
from kumite.tui.terminal.timers import Punctual
from kumite.tui.widgets.bindings import key_name
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt

Ts = TypeVarTuple("Ts")
HINT_ROWS: Final = 2
OTHERWISE: Final = (
    "{{by lines, in any window: kumite --plain|"
    "smaller letters, or a phone held sideways, make room}}"
)
ERROR_ROWS: Final = 5  # the hint comes last and must still show at 60 columns
SENT: Final = "Copied. If nothing can be pasted, mark this line"
HELPING: Final = frozenset({"help", "rules"})  # actions that show the keys
LAST_KEYS: Final = frozenset({"?", "F1", "q"})  # help and quit


def _fitting(
    keys: list[tuple[str, str]], width: int, first: frozenset[str]
) -> list[tuple[str, str]]:
    """Drop the keys that do not fit on the line; the help screen lists them all.

    Help and quit take priority, then `first`, then the keys in order.
    """
    room, kept = width + 3, set[tuple[str, str]]()
    for key, said in sorted(keys, key=lambda one: (one[0] not in LAST_KEYS, one[0] not in first)):
        columns = len(key) + len(said) + 4
        if columns <= room:
            kept.add((key, said))
            room -= columns
    return [one for one in keys if one in kept]


def fits(needed: tuple[int, int], size: Size) -> bool:
    return size.width >= needed[0] and size.height >= needed[1]


class WindowScreen(Punctual, Screen[None]):
    """A screen that only ever gets the window's size.

    Textual lays a screen out for every Resize it receives, then sends another one with its new
    size, so two different sizes in quick succession would trigger each other endlessly. Of
    queued sizes only the last survives, and a late one may have replaced the window's.
    """

    async def on_event(self, event: events.Event) -> None:
        """Replace an outdated size by the window's, or drop it if the layout is up to date."""
        if isinstance(event, events.Resize) and event.size != (size := self.app.size):
            if self.outer_size == size:
                return
            event = events.Resize(size, size)
        await super().on_event(event)


class TooSmall(WindowScreen):
    """Wait until the window is large enough, or go back to a screen that fits."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,escape", "back", "back", show=False)]

    def __init__(self, needed: tuple[int, int]) -> None:
        super().__init__()
        self._needed = needed
        self._has_gone = False

    def compose(self) -> ComposeResult:
        yield Lines(*self._said(), id="small")

    def on_resize(self) -> None:
        if fits(self._needed, self.app.size):
            self._close()
        for lines in self.query(Lines):  # there are none while this screen opens or closes
            lines.show(self._said())

    def on_screen_resume(self) -> None:
        """Close at once if the window became large enough while another screen was on top."""
        self.on_resize()

    def _close(self) -> bool:
        """Close if this screen is on top, once: more sizes may arrive before it has gone."""
        is_closing = self.app.screen is self and not self._has_gone
        if is_closing:
            self._has_gone = True
            self.app.pop_screen()
        return is_closing

    @property
    def _can_go_back(self) -> bool:
        """True if the screen from which the one below was opened fits into this window."""
        stack = self.app.screen_stack
        below = stack[-3] if len(stack) >= 3 else None
        return isinstance(below, KumiteScreen) and fits(below.SMALLEST, self.app.size)

    def action_back(self) -> None:
        if self._can_go_back and self._close():
            self.app.call_later(self.app.run_action, "screen.back")

    def _said(self) -> tuple[Line, ...]:
        (columns, rows), size = self._needed, self.app.size
        back = (("   q ", "key"), ("back", "quiet")) if self._can_go_back else ()
        has = f"at least {columns} by {rows}; it has {size.width} by {size.height}"
        return (
            (("kumite needs a larger window:", "title"),),
            ((has, ""),),
            (("nothing is lost meanwhile", "quiet"), *back),
            ((guest_mode.suited(OTHERWISE), "quiet"),),
        )


class KumiteScreen(WindowScreen):
    """A screen of the app.

    `HELP` is its help text; `{{…|…}}` gives a part for local users and one for server guests.
    """

    HELP: ClassVar[str] = ""
    is_turned = False  # whether its board is shown from the other side
    SMALLEST: ClassVar[tuple[int, int]] = SMALLEST
    IN_HELP_ONLY: ClassVar[frozenset[str]] = frozenset()  # ids of bindings left out of the key line
    ALWAYS_SHOWN: ClassVar[frozenset[str]] = LAST_KEYS  # keys that stay when there is little room
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "help", id="screen.help"),
        Binding("f1", "help", "help", show=False, id="screen.keys"),
        Binding("q", "back", "back", id="screen.back"),
    ]

    game_id = ""  # the game that sets its colours; "" for none
    moving: Moving | None = None  # its animation
    queued = ""  # what to say while a bot waits for its turn on a busy server
    _hinted: Line = ()
    _hint_is_whole = True
    _hint_rows = HINT_ROWS

    @property
    def shell(self) -> Shell:
        return cast("Shell", self.app)

    @property
    def look(self) -> Look:
        """Return the glyphs of this terminal, turned if the board is."""
        return self.shell.look.turned() if self.is_turned else self.shell.look

    async def on_event(self, event: events.Event) -> None:
        """Ignore most events once the app exits, so a screen opened meanwhile is not laid out."""
        if self.is_whole or isinstance(event, (events.Compose, events.Callback, events.Unmount)):
            await super().on_event(event)

    @property
    def is_whole(self) -> bool:
        """True if the screen is laid out and not yet being removed."""
        is_shown = self.app.is_running and self.is_running and self.is_attached
        return is_shown and self.display and bool(self.children)

    def beside(
        self, work: Callable[[*Ts], Coroutine[Any, Any, None]], *given: *Ts, group: str
    ) -> Worker[None]:
        """Run `work` in a worker; errors from widgets that are gone by then are ignored.

        The coroutine is created inside the worker: one that is cancelled before it starts would
        print a "never awaited" warning to the terminal.
        """

        async def while_whole() -> None:
            try:
                await work(*given)
            except NoMatches:
                if self.is_whole:
                    raise

        return self.run_worker(while_whole, group=group)

    def once_drawn(self, do: Callable[[], None]) -> None:
        """Call `do` after the next refresh, if the screen still exists then."""

        def do_if_whole() -> None:
            if self.is_whole:
                do()

        self.call_after_refresh(do_if_whole)

    def on_mount(self) -> None:
        self.bindings_updated_signal.subscribe(self, lambda _: self.show_keys())
        self.show_keys()

    def on_resize(self) -> None:
        self.set_class(is_small(*self.app.size), "-print")
        if self.app.screen is self and not fits(self.SMALLEST, self.app.size):
            self.app.push_screen(TooSmall(self.SMALLEST))
        self.once_drawn(self.fit_lines)

    def on_key(self, event: events.Key) -> None:
        """Explain a key that has no binding; bound keys are handled afterwards."""
        if event.character and event.is_printable and event.key not in self.active_bindings:
            self.say_unbound(event.character)

    def say_unbound(self, character: str) -> None:
        """Say that a key is not bound, and suggest its lower-case form or the help."""
        bound = {key_name(one.key): one for one in self.bound_now()}
        unusable = self._bindings.key_to_bindings.get(character, ())
        for one in unusable:
            if why := self.why_not(one.action):
                self.say(f"{one.description[:1].upper()}{one.description[1:]}: {why}", "loss")
                return
        small = character.lower()
        if small != character and small in bound:
            way_out = f"small {small}: {self.called(bound[small])}"
        else:
            helps = [key for key, one in bound.items() if one.action in HELPING]
            way_out = f"{helps[-1]} shows the keys" if helps else ""
        key = "Space" if character == " " else character
        self.hint(((f"{key} does nothing now", "loss"), (f"   {way_out}", "quiet")))

    def why_not(self, action: str) -> str:  # noqa: ARG002
        """Return why the action of a bound key cannot be used now, or ""."""
        return ""

    def fit_lines(self) -> None:
        for lines in self.query(Lines):
            lines.reset_scroll()
        self.say_anew()

    def say_anew(self) -> None:
        self.show_keys()
        self._show_hint()

    def show_keys(self) -> None:
        for keys in self.query("#keys").results(Lines):
            line: list[tuple[str, str]] = []
            for key, description in _fitting(
                self.keys_now(), keys.size.width or self.app.size.width, self.keys_first
            ):
                line += [(key, "key"), (f" {description}   ", "quiet")]
            keys.show([tuple(line)])

    @property
    def is_writing(self) -> bool:
        """True if keys are entered as text rather than run as bindings."""
        return getattr(self.focused, "is_writing", False)

    def keys_now(self) -> list[tuple[str, str]]:
        """Return (key, description) of every active binding that belongs on the key line."""
        return [
            (key_name(one.key, is_ascii=not self.shell.look.is_drawn), said)
            for one in self.bound_now()
            if one.id not in self.IN_HELP_ONLY
            and (one.show or (self.is_writing and one.key in ("f1", "escape")))
            and (said := self.key_said(one))
        ]

    @property
    def keys_first(self) -> frozenset[str]:
        """The keys that stay when there is little room."""
        return self.ALWAYS_SHOWN

    def key_said(self, binding: Binding) -> str:
        return self.called(binding)

    def called(self, binding: Binding) -> str:
        return binding.description

    def bound_now(self) -> list[Binding]:
        """Return the active bindings, one for each action, with help and quit last."""
        is_writing = self.is_writing
        found: dict[str, Binding] = {}
        for _, binding, enabled, _ in self.active_bindings.values():
            ours = binding.id is not None and "." in binding.id
            known = found.get(binding.action)
            if is_writing and (binding.key == "space" or len(key_name(binding.key)) == 1):
                continue  # it would be typed as text
            if enabled and ours and (known is None or (binding.show and not known.show)):
                found[binding.action] = binding
        return sorted(found.values(), key=lambda one: key_name(one.key) in LAST_KEYS)

    def say(self, text: str, role: str = "") -> None:
        self.hint(((text, role),))

    def hint(self, line: Line, *, is_whole: bool = True, rows: int = HINT_ROWS) -> None:
        """Show a line above the keys, folded to at most `rows` rows.

        Unless `is_whole`, shorten it to one row by dropping its last parts instead.
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
        self.say_trouble(guest_mode.told(error), guest_mode.hint(error.hint))

    @contextmanager
    def complaining(self) -> Iterator[None]:
        """Show an error of the block above the keys; what follows it there is left out."""
        try:
            yield
        except KumiteError as error:
            self.complain(error)

    def say_trouble(self, text: str, hint: str) -> None:
        self.hint(((text, "loss"), (f"  {hint}" * bool(hint), "quiet")), rows=ERROR_ROWS)

    @on(Prompt.Changed)
    def _corrected(self) -> None:
        """Drop a complaint about a text that is no longer there."""
        if self._hinted and self._hinted[0][1] == "loss":
            self.say("")

    def say_queued(self, words: str) -> None:
        before, self.queued = self.queued, words
        if words or self._hinted == ((before, "quiet"),):
            self.say(words, "quiet")

    def action_help(self) -> None:
        self.shell.show_help(self.help_lines())

    def help_lines(self) -> tuple[Line, ...]:
        lines = [*marked_down(guest_mode.suited(self.HELP).strip()), (), (("Keys", "title"),), ()]
        if layout := self.shell.layout:
            said = f"  {layout} letters count as the US keys in their places."
            lines += [((said, "quiet"),), ()]
        for one in self.bound_now():
            same = (other for _, other, *_ in self.active_bindings.values() if other.id == one.id)
            both = (one.key, *(other.key for other in same))
            keys = dict.fromkeys(key_name(k, is_ascii=not self.shell.look.is_drawn) for k in both)
            lines.append(((f"  {', '.join(keys):<16}", "key"), (f"  {self.called(one)}", "")))
        return tuple(lines)

    def before_key(self) -> None:
        """Finish any animation, so that the key acts on the final picture."""
        if self.moving is not None:
            self.moving.end()

    def on_field_relaid(self) -> None:
        if self.is_whole:
            self.redraw()

    def draw_anew(self) -> None:
        """Redraw everything with new glyphs or pictures, which may need a new layout."""
        self.redraw()
        for widget in self.query("*"):
            widget.refresh()
        self.post_message(events.Resize(self.app.size, self.app.size))

    def redraw(self) -> None:
        """Redraw whatever the screen itself shows that depends on glyphs or pictures."""

    def action_back(self) -> None:
        self.shell.go_back()


class Moving:
    """The animation of one screen; any key ends it at once."""

    def __init__(
        self, screen: KumiteScreen, draw: Callable[[Frame], None], done: Callable[[], None]
    ) -> None:
        """Use `draw` for each frame, and `done` for the final picture."""
        self._screen, self._draw, self._done = screen, draw, done
        self._frames: list[Frame] = []
        self._pace = 1.0
        self._timer: Timer | None = None

    @property
    def is_running(self) -> bool:
        return self._timer is not None

    @property
    def seconds(self) -> float:
        return self._pace * sum(frame.seconds for frame in self._frames)

    def begin(self, frames: Sequence[Frame], pace: float) -> None:
        self._stop()
        is_full = self._screen.shell.palette.is_full
        self._frames = [one for one in frames if is_full or not one.is_spare]
        self._pace = pace
        if frames:
            self._next()

    def end(self) -> None:
        """Skip to the final picture."""
        if self.is_running:
            self._stop()
            self._done()

    def _next(self) -> None:
        if not self._frames:
            self.end()
            return
        frame = self._frames.pop(0)
        self._draw(frame)
        self._timer = self._screen.set_timer(max(0.01, frame.seconds * self._pace), self._next)

    def _stop(self) -> None:
        self._frames = []
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
