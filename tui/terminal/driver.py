"""The terminal driver: Textual's, hardened against any input.

Textual's own decodes strictly and trusts numbers: a Latin-1 é, an old mouse report, an unknown key
or a window of 0 pixels ended the program. This one skips nonsense.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from selectors import EVENT_READ, SelectSelector
from threading import Thread
from time import monotonic
from typing import Any, Final

from textual import constants, events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.keys import Keys
from textual.message import Message

from kumite.store import guest_mode, system
from kumite.tui.terminal import layouts
from kumite.tui.terminal.decoding import ANSWERS, Answer, Incoming, Paste, Piece
from kumite.tui.terminal.writer import Writer

LARGEST: Final = (1000, 500)  # columns and rows drawn at most; a terminal may claim anything
OF_GUESTS: Final = (300, 100)  # for guests, who share the server's processor
FARTHEST: Final = 10_000.0  # cells, of mouse coordinates
TICK: Final = 0.1  # s before an ambiguous key prefix counts as a key
CHUNK: Final = 4096  # bytes
FULL: Final = 0.2  # s to wait for a full output buffer at exit
ESCAPE: Final = "\x1b"
REPORT_PLACES: Final = "\x1b[=4;2u"  # kitty's protocol: also report the key of a US keyboard
# A key as kitty's protocol reports it then: code:shifted:place; modifiers; text.
_ALTERNATES: Final = re.compile(r"\x1b\[(\d+):\d*(?::(\d+))?((?:;[\d:]*)*u)")
MOST_KEYS: Final = 1000  # per second; more is accidental input
# Resets every mode that the app sets: synchronized output, bracketed paste, in-band size and mouse
# reports, kitty's keys, the alternate screen, a hidden cursor, focus reports.
RESTORE: Final = b"".join(
    b"\x1b[" + one
    for one in (
        *(b"?2026l", b"?2004l", b"?2048l", b"?1000l", b"?1003l", b"?1006l", b"?1015l"),
        *(b"<u", b"m", b"?7h", b"?1049l", b"?25h", b"?1004l"),
    )
)


@dataclass
class Answered(Message):
    """The terminal has answered."""

    text: str


class Parser(XTermParser):
    """Textual's parser, skipping nonsensical reports; it learns where keys lie."""

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        try:
            if found := _ALTERNATES.fullmatch(sequence):
                code, place, rest = found.groups()
                sequence = f"{ESCAPE}[{code}{rest}"
                if place:
                    layouts.tell(chr(int(code)), chr(int(place)))
            if sequence.encode() in ANSWERS:  # its text comes as one piece
                yield events.Key(Keys.Ignore, sequence)
            yield from super()._sequence_to_key_events(sequence, alt)
        except (ValueError, OverflowError):  # not numbers, or not a character
            yield events.Key(Keys.Ignore, sequence)

    def parse_mouse_code(self, code: str) -> Message | None:
        """Parse a mouse report; ignore it in a window without a size."""
        for size in (self.terminal_size, self.terminal_pixel_size):
            if size is not None and not all(tuple(size)):
                return None
        return super().parse_mouse_code(code)


class Reader:
    """Converts bytes to events."""

    def __init__(self) -> None:
        self._incoming, self._parser = Incoming(), Parser()
        self._second, self._keys = 0.0, 0  # start of the current second, and keys in it

    def feed(self, data: bytes) -> Iterator[Message]:
        now = monotonic()
        yield from self._sound(self._incoming.feed(data, now), now)

    def tick(self) -> Iterator[Message]:
        """Yield the events that are due because nothing more has come."""
        now = monotonic()
        yield from self._sound(self._incoming.tick(now), now)
        yield from filter(makes_sense, self._parser.tick())

    def _sound(self, found: list[Piece], now: float) -> Iterator[Message]:
        for one in found:
            is_flooded = now < self._second + 1 and self._keys >= MOST_KEYS
            if isinstance(one, Paste):
                yield from [events.Paste(one.text)] * bool(one.text)
            elif isinstance(one, Answer):
                yield Answered(one.text)
            elif ESCAPE in one or not is_flooded:  # parsing text would take longer than reading it
                for event in filter(makes_sense, self._parser.feed(one)):
                    if not (isinstance(event, events.Key) and self._floods(now)):
                        yield event

    def _floods(self, now: float) -> bool:
        """Count a key; return True if it is one too many."""
        if now >= self._second + 1:
            self._second, self._keys = now, 0
        self._keys += 1
        return self._keys > MOST_KEYS


def largest() -> tuple[int, int]:
    return OF_GUESTS if guest_mode.is_guest() else LARGEST


def makes_sense(event: Message) -> bool:
    """Return True if an event is plausible: valid characters, positions and sizes."""
    match event:
        case events.Key(character=character):
            return not character or not "\ud800" <= character <= "\udfff"  # a lone surrogate
        case events.Resize(size=size):
            return all(0 < one <= most for one, most in zip(size, largest(), strict=True))
        case events.MouseEvent():
            return abs(event.x) <= FARTHEST and abs(event.y) <= FARTHEST
        case events.Paste(text=text):
            return bool(text)  # our pastes bypass the parser
    return True


class TerminalDriver(LinuxDriver):
    """Reads any input, and writes through our own writer."""

    # A signal may arrive during a write, so it is handled in the loop: otherwise both could
    # deadlock on the same lock. It may also arrive late: once the app has finally released the
    # terminal, nothing takes it again.
    _is_suspending = _has_ended = False
    _is_ours = False  # the terminal
    _has_stopped = False  # we stopped ourselves, and have not handled SIGCONT yet
    _writer: Writer | None = None  # while the terminal is ours

    def __init__(self, *args: Any, **options: Any) -> None:
        self._due: dict[Callable[[], object], None] = {}  # actions requested by signals, in order
        super().__init__(*args, **options)

    def start_application_mode(self) -> None:
        self._is_ours = True
        if self._writer is None:  # starting may fail in the background, and is then retried
            assert self._file is not None
            self._writer = Writer(self._file)
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if self._writer_thread is not None:
            self._writer_thread.stop()  # Textual's own, which is not used
            self._writer_thread = None  # else Textual stops it again, and its queue fills
            if not getattr(constants, "DISABLE_KITTY_KEY", False):  # Textual 8.2 has no such switch
                self.write(REPORT_PLACES)

    def stop_application_mode(self) -> None:
        super().stop_application_mode()
        self._is_ours = False

    def write(self, data: str) -> None:
        """Write to the terminal while it is ours, bypassing Textual's thread."""
        if self._writer is not None:
            self._writer.write(data)

    def close(self) -> None:
        super().close()
        if self._writer is not None:
            self._writer.stop()
            self._writer = None

    def restore_terminal(self) -> None:
        """Restore the terminal from any thread, in one write.

        For a program that must end immediately while its loop hangs. It waits briefly for a full
        output buffer or a write in progress.
        """
        if not self._is_ours:
            return
        with suppress(OSError, ValueError):  # the terminal is gone
            if self.attrs_before is not None:
                system.set_terminal(self.fileno, self.attrs_before)
        with suppress(RuntimeError):  # Python is exiting: no more threads
            last = Thread(target=self._write_last, daemon=True)
            last.start()
            last.join(FULL)

    def _write_last(self) -> None:
        with suppress(OSError, ValueError):
            os.write(self._file.fileno() if self._file else self.fileno, RESTORE)

    def suspend_application_mode(self) -> None:
        self._is_suspending = True
        super().suspend_application_mode()
        self._is_suspending = False

    def disable_input(self) -> None:
        """Stop reading; unless suspending, for the rest of the program."""
        self._has_ended = self._has_ended or not self._is_suspending
        super().disable_input()

    def _sigtstp_application(self, *_: object) -> None:
        """Release the terminal and stop, in the loop."""
        self._soon(self._suspend)

    def _sigcont_application(self, *_: object) -> None:
        """Take the terminal again, in the loop."""
        self._soon(self._go_on)

    def _soon(self, do: Callable[[], object]) -> None:
        """Run an action in the loop, once for all signals until then."""
        self._due.pop(do, None)
        self._due[do] = None  # after all others
        with suppress(RuntimeError):  # the loop is closed
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
        """Continue after a stop; an external stop may have let a shell change the terminal."""
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
            self.resume_application_mode()  # fails in the background, until the next SIGCONT

    def run_input_thread(self) -> None:
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
        """Post an event, except sizes when in-band reports are off."""
        if not isinstance(message, events.Resize) or self._in_band_window_resize:
            super().process_message(message)

    def _read(self) -> bytes:
        try:
            return os.read(self.fileno, CHUNK)
        except OSError:
            return b""

    def _get_terminal_size(self) -> tuple[int, int]:
        width, height = super()._get_terminal_size()
        most = largest()
        return min(width, most[0]), min(height, most[1])
