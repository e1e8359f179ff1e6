"""The terminal's driver: Textual's, but no byte that a terminal sends ends the app.

Textual's own decodes strictly and reads numbers as they come: a Latin-1 é, an old mouse report, a
key that does not exist or a window of 0 pixels ended the program. Here what makes no sense is
passed over.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from selectors import EVENT_READ, SelectSelector
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.keys import Keys

from kumite.store import house, system
from kumite.tui.incoming import Incoming, Paste
from kumite.tui.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from textual.message import Message

LARGEST: Final = (1000, 500)  # columns and rows that are drawn; a terminal may say anything
OF_GUESTS: Final = (300, 100)  # of guests of a house: all pay for what one has drawn
FARTHEST: Final = 10_000.0  # cells that a mouse may be off
TICK: Final = 0.1  # s between looks whether a key that begins like another is all that comes
CHUNK: Final = 4096  # bytes
FULL: Final = 0.2  # s that a program which ends waits for a line that is full
ESCAPE: Final = "\x1b"
MOST_KEYS: Final = 1000  # in a second; more is a text that was meant for something else
# What a terminal is asked for while the app runs, asked for no more: a frame in the making, pastes
# in brackets, sizes and mouse as bytes, kitty's keys, the other screen, no cursor, focus.
PUT_RIGHT: Final = b"".join(
    b"\x1b[" + one
    for one in (
        *(b"?2026l", b"?2004l", b"?2048l", b"?1000l", b"?1003l", b"?1006l", b"?1015l"),
        *(b"<u", b"m", b"?7h", b"?1049l", b"?25h", b"?1004l"),
    )
)


class Parser(XTermParser):
    """Textual's parser, which here passes over reports that make no sense."""

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        """Yield the keys of a report; none of a malformed one in the kitty protocol."""
        try:
            yield from super()._sequence_to_key_events(sequence, alt)
        except (ValueError, OverflowError):  # no numbers, or of no character
            yield events.Key(Keys.Ignore, sequence)

    def parse_mouse_code(self, code: str) -> Message | None:
        """Return what a mouse report says; nothing in a window without a size."""
        for size in (self.terminal_size, self.terminal_pixel_size):
            if size is not None and not all(tuple(size)):
                return None
        return super().parse_mouse_code(code)


class Reader:
    """Makes events of bytes."""

    def __init__(self) -> None:
        self._incoming, self._parser = Incoming(), Parser()
        self._second, self._keys = 0.0, 0  # since when keys are counted, and how many

    def feed(self, data: bytes) -> Iterator[Message]:
        """Yield the events that bytes bring."""
        now = monotonic()
        yield from self._sound(self._incoming.feed(data, now), now)

    def tick(self) -> Iterator[Message]:
        """Yield the events that are due because nothing more has come."""
        now = monotonic()
        yield from self._sound(self._incoming.tick(now), now)
        yield from filter(makes_sense, self._parser.tick())

    def _sound(self, found: list[str | Paste], now: float) -> Iterator[Message]:
        for one in found:
            if isinstance(one, Paste):
                if one.text:
                    yield events.Paste(one.text)
                continue
            if self._is_flooded(now) and ESCAPE not in one:
                continue  # text: it would take longer to make keys of it than to read it
            for event in self._parser.feed(one):
                if makes_sense(event) and not (isinstance(event, events.Key) and self._floods(now)):
                    yield event

    def _is_flooded(self, now: float) -> bool:
        """Return whether there were as many keys in this second as are taken."""
        return now < self._second + 1 and self._keys >= MOST_KEYS

    def _floods(self, now: float) -> bool:
        """Count a key; return whether there were too many by now."""
        if now >= self._second + 1:
            self._second, self._keys = now, 0
        self._keys += 1
        return self._keys > MOST_KEYS


def largest() -> tuple[int, int]:
    """Return how many columns and rows are drawn at most."""
    return OF_GUESTS if house.is_guest() else LARGEST


def makes_sense(event: Message) -> bool:
    """Return whether an event can be one: with a character that exists, in a window like any."""
    match event:
        case events.Key(character=character):
            return not character or not "\ud800" <= character <= "\udfff"  # half a character
        case events.Resize(size=size):
            return all(0 < one <= most for one, most in zip(size, largest(), strict=True))
        case events.MouseEvent():
            return abs(event.x) <= FARTHEST and abs(event.y) <= FARTHEST
        case events.Paste(text=text):
            return bool(text)  # ours come past the parser
    return True


class TerminalDriver(LinuxDriver):
    """Reads from the terminal whatever it sends."""

    # A signal comes at any time, also while something is being written: what it asks for is done
    # in the loop, or both would wait for the same lock for ever. And it comes late, too: once the
    # app has given the terminal back for good, nothing takes it again.

    _is_suspending = _has_ended = False
    _is_ours = False  # the terminal
    _has_stopped = False  # by ourselves, and nobody has heard yet that we go on
    _writer: Writer | None = None  # while we have the terminal

    def __init__(self, *args: Any, **options: Any) -> None:
        self._due: dict[Callable[[], object], None] = {}  # in this order; what signals ask for
        super().__init__(*args, **options)

    def start_application_mode(self) -> None:
        """Take the terminal."""
        self._is_ours = True
        if self._writer is None:  # in the background it may come to nothing, and is tried again
            assert self._file is not None
            self._writer = Writer(self._file)
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if self._writer_thread is not None:
            self._writer_thread.stop()  # Textual's own, which has nothing to do
            self._writer_thread = None  # else it is stopped again, and what it reads no more fills

    def stop_application_mode(self) -> None:
        """Give the terminal back."""
        super().stop_application_mode()
        self._is_ours = False

    def write(self, data: str) -> None:
        """Write to the terminal, past Textual's thread, while it is ours."""
        if self._writer is not None:
            self._writer.write(data)

    def close(self) -> None:
        """Return once all has been written."""
        super().close()
        if self._writer is not None:
            self._writer.stop()
            self._writer = None

    def put_right(self) -> None:
        """Give the terminal back from any thread, in one write.

        For a program that has to end now and whose loop does not answer. A line that is full, or
        on which a picture is just being written, is waited for a moment.
        """
        if not self._is_ours:
            return
        with suppress(OSError, ValueError):  # the terminal is gone
            if self.attrs_before is not None:
                system.set_terminal(self.fileno, self.attrs_before)
        with suppress(RuntimeError):  # no more threads: Python ends
            last = Thread(target=self._write_last, daemon=True)
            last.start()
            last.join(FULL)

    def _write_last(self) -> None:
        with suppress(OSError, ValueError):
            os.write(self._file.fileno() if self._file else self.fileno, PUT_RIGHT)

    def suspend_application_mode(self) -> None:
        """Give the terminal back, but not for good."""
        self._is_suspending = True
        super().suspend_application_mode()
        self._is_suspending = False

    def disable_input(self) -> None:
        """Read no more; unless we are being suspended, this is the end."""
        self._has_ended = self._has_ended or not self._is_suspending
        super().disable_input()

    def _sigtstp_application(self, *_: object) -> None:
        """Give the terminal back and stop, as soon as the loop can."""
        self._soon(self._suspend)

    def _sigcont_application(self, *_: object) -> None:
        """Take the terminal again, as soon as the loop can."""
        self._soon(self._go_on)

    def _soon(self, do: Callable[[], object]) -> None:
        """Do something in the loop, once for all signals that ask for it before it is done."""
        self._due.pop(do, None)
        self._due[do] = None  # behind all others
        with suppress(RuntimeError):  # the loop is closed: we end
            self._loop.call_soon_threadsafe(self._do_due)

    def _do_due(self) -> None:
        for do in list(self._due):
            self._due.pop(do, None)
            if not (self._has_ended or self._app._exit):
                do()

    def _suspend(self) -> None:
        if self._auto_restart:
            self._give_back()
        self._has_stopped = True
        os.kill(os.getpid(), signal.SIGSTOP)
        self._take_again()  # before anything is painted

    def _go_on(self) -> None:
        """Go on after a stop; after one that came from elsewhere, a shell may have been here."""
        is_known, self._has_stopped = self._has_stopped, False
        if not self._auto_restart:
            return
        if not is_known:
            self._give_back()
        self._take_again()

    def _give_back(self) -> None:
        if not self._must_signal_resume:
            self.suspend_application_mode()
            self._must_signal_resume = True

    def _take_again(self) -> None:
        if self._must_signal_resume and not self._has_ended:
            self.resume_application_mode()  # in the background it fails, until we go on again

    def run_input_thread(self) -> None:
        """Wait for input, and pass on what it means."""
        reader = Reader()
        with SelectSelector() as selector:
            selector.register(self.fileno, EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(TICK):
                    data = self._read()
                    if not data:  # the terminal is gone
                        self._app.call_later(self._app.exit)
                        return
                    for event in reader.feed(data):
                        self.process_message(event)
                for event in reader.tick():
                    self.process_message(event)

    def process_message(self, message: Message) -> None:
        """Pass an event on; but for sizes that nobody has asked the terminal for."""
        if not isinstance(message, events.Resize) or self._in_band_window_resize:
            super().process_message(message)

    def _read(self) -> bytes:
        try:
            return os.read(self.fileno, CHUNK)
        except OSError:
            return b""

    def _get_terminal_size(self) -> tuple[int, int]:
        """Return how many columns and rows the terminal says it has, within reason."""
        width, height = super()._get_terminal_size()
        most = largest()
        return min(width, most[0]), min(height, most[1])
