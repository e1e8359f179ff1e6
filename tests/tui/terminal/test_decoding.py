"""Whatever a terminal sends, in whatever pieces: keys and pastes are read, and nothing raises."""

from __future__ import annotations

from random import Random

import pytest
from textual import events
from textual._xterm_parser import XTermParser
from textual.message import Message

from kumite.tui.app import KumiteApp
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.open_list import JoinScreen
from kumite.tui.screens.settings import SettingsScreen
from kumite.tui.settings import Settings
from kumite.tui.terminal import driver
from kumite.tui.terminal.decoding import ANSWERS, MOST_PASTED, PASTE, PASTED, Incoming, Paste
from kumite.tui.terminal.driver import LARGEST, Reader, TerminalDriver, makes_sense
from tests.support.apps import until

PARTS = [
    *(b"\x1b", b"\x1b[", b"\x1b[<", b"\x1b[?", b"\x1bO", b"\x1b[48;", b"\x1b[M", b"\x9b", PASTE),
    *(b"0", b"1", b"25", b"200", b"1114112", b"55296", b"99999999999999", b"-1", b":", b";"),
    *(PASTED, *ANSWERS, b"\x1bP", b"\x1b\\"),
    *(b"~", b"u", b"A", b"R", b"M", b"m", b"t", b"$y", b"I", b"O", b"Z", b"P", b" ", b"a", b"q"),
    *(b"\xff", b"\xe9", b"\xc3", "é侍".encode(), b"\xed\xa0\x80", b"\x00", b"\x7f", b"\x03", b"\r"),
    *(b"\x1b[2026;2$y", b"\x1b[2048;1$y", b"\x1b[48;24;80;0;0t", b"\x1b[<0;5;5M", b"\x1b\x1b["),
    *(b"\x1b[48;0;0;0;0t", b"\x1b[48;99999;99999;1;1t", b"\x1b[97;1:3u", b"\x1b[97:65;5;97u"),
]
BROKEN = [
    *(b"\x1b[1114112u", b"\x1b[:u", b"\x1b[99999999999999~", b"\x1b[97;1:3u", b"\x1b[1;:u"),
    *(b"\x1b[55296u", b"\x1b[97;1;55296u", b"\x1b[::~", b"\x1b[;;A", b"\x1b[1;99999999999A"),
    *(b"\xff", b"\xe9", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\x9b1;2H"),
    *(b"\x1b[48;0;0;0;0t\x1b[<0;5;5M", b"\x1b[48;24;80;0;0t\x1b[<0;5;5M", b"\x1b[M\xff\xff\xff"),
    *(b"\x1b[48;1;1;99999;99999t\x1b[<35;99999999;99999999M", b"\x1b[999999999;999999999R"),
]


def read(data: bytes, pieces: int = 0, rng: Random | None = None) -> list[Message]:
    """Return the events of these bytes, in one piece or cut at random."""
    reader, found = Reader(), []
    while data:
        length = rng.randint(1, pieces) if rng else len(data)
        found += reader.feed(data[:length])
        data = data[length:]
    return found


def told(message: Message) -> tuple[object, ...]:
    """Return what an event says, to be compared."""
    match message:
        case events.Key(key=key, character=character):
            return (key, character)
        case events.Paste(text=text):
            return ("paste", text)
        case events.MouseEvent():
            return (type(message).__name__, message.x, message.y, message.button)
        case events.Resize(size=size):
            return ("size", *size)
    return (type(message).__name__,)


@pytest.mark.parametrize("data", BROKEN)
def test_what_makes_no_sense_is_passed_over_and_the_next_key_is_read(data: bytes) -> None:
    found = read(data + b" x")
    assert told(found[-1]) == ("x", "x")
    assert all(map(makes_sense, found))
    keys = [one.key for one in found[:-2] if isinstance(one, events.Key)]
    assert not {"q", "u", "enter", "n"} & set(keys)  # no part of a report is taken for a command


@pytest.mark.slow
def test_random_bytes_never_raise_and_mean_the_same_in_any_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(driver, "MOST_KEYS", 10**9)
    rng = Random(16)
    for number in range(1000):
        data = b"".join(rng.choices(PARTS, k=rng.randint(1, 25)))
        if number % 3 == 0:
            data += rng.randbytes(rng.randint(1, 40))
        whole = read(data)
        assert all(map(makes_sense, whole)), data
        assert [told(one) for one in read(data, 3, rng)] == [told(one) for one in whole], data


def test_old_mouse_reports_are_read_whatever_their_bytes() -> None:
    for x, y in ((0, 0), (9, 5), (94, 22), (95, 23), (161, 132), (222, 222)):
        down = b"\x1b[M" + bytes((32, 33 + x, 33 + y))
        up = b"\x1b[M" + bytes((35, 33 + x, 33 + y))
        found = [told(one) for one in read(b"a" + down + up + b"b")]
        assert found == [("a", "a"), ("MouseDown", x, y, 1), ("MouseUp", x, y, 1), ("b", "b")]


def test_latin_1_is_one_replacement_for_each_character() -> None:
    assert [told(one)[1] for one in read("né ä".encode("latin-1") + b"x")] == [
        *("n", "\ufffd", " ", "\ufffd", "x")
    ]


@pytest.mark.parametrize("rng", [None, Random(1)])
def test_a_paste_is_one_event_without_anything_that_could_do_harm(rng: Random | None) -> None:
    inside = "ada\r\n\x1b[31m\x1b]0;x\x07é侍\x00\ud800"
    data = PASTE + inside.encode("utf-8", "surrogatepass") + PASTED + b"q"
    found = [told(one) for one in read(data, 2, rng)]
    assert found[-1] == ("q", "q")
    assert found[:-1] == [("paste", "ada\n[31m]0;xé侍\ufffd\ufffd\ufffd")]


@pytest.mark.parametrize("rng", [None, Random(1), Random(2)])
def test_what_the_terminal_answers_is_no_key(rng: Random | None) -> None:
    for answer in (b"1$r0;48:2::1:2:3m", b"0$r", b"1+r524742=38", b"0+r" + b"n" * 1000):
        found = [told(one) for one in read(b"a\x1bP" + answer + b"\x1b\\b", 3, rng)]
        assert found == [("a", "a"), ("Answered",), ("b", "b")]


def test_an_answer_without_an_end_ends_when_nothing_more_comes() -> None:
    incoming = Incoming()
    assert incoming.feed(b"\x1bP1$r0;48", 5.0) == ["\x1bP1$r"]
    assert incoming.tick(6.1) == []
    assert incoming.feed(b"q", 7.0) == ["q"]


def test_a_large_paste_is_cut_and_costs_nothing() -> None:
    found = read(PASTE + b"x" * (1 << 20) + PASTED + b"q")
    assert [told(one) for one in found] == [("paste", "x" * MOST_PASTED), ("q", "q")]


def test_a_paste_without_an_end_ends_when_nothing_more_comes() -> None:
    incoming = Incoming()
    assert incoming.feed(PASTE + b"ada\x1b[20", 5.0) == [PASTE.decode()]
    assert incoming.tick(5.9) == []
    assert incoming.tick(6.1) == [Paste("ada[20"), PASTED.decode()]
    assert incoming.feed(b"q", 7.0) == ["q"]


def test_keys_by_the_thousand_are_no_keys() -> None:
    assert len(read(b"n" * 50_000)) <= 2 * driver.MOST_KEYS


def test_of_a_flood_of_text_no_keys_are_made_that_would_be_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parsed: list[str] = []
    monkeypatch.setattr(driver.Parser, "feed", lambda _, text: parsed.append(text) or [])
    monkeypatch.setattr(driver, "monotonic", lambda: 5.0)
    reader = driver.Reader()
    reader._second, reader._keys = 5.0, driver.MOST_KEYS
    list(reader.feed(b"n" * driver.CHUNK))
    list(reader.feed(b"\x1b[48;24;80;0;0t"))
    assert parsed == ["\x1b[48;24;80;0;0t"]  # what is not text is never left out
    monkeypatch.setattr(driver, "monotonic", lambda: 6.0)
    list(reader.feed(b"n"))
    assert parsed[1:] == ["n"]


def test_textual_raises_for_these_or_else_this_module_is_no_longer_needed() -> None:
    """Each class of error that is passed over here is still there in the parser below."""
    for data in ("\x1b[1114112u", "\x1b[:u", "\x1b[99999999999999~"):
        with pytest.raises((ValueError, OverflowError)):
            list(XTermParser().feed(data))


def test_the_app_reads_through_it() -> None:
    assert KumiteApp(Settings()).driver_class is TerminalDriver


@pytest.mark.parametrize("screen", [HomeScreen, SettingsScreen, JoinScreen])
async def test_no_screen_falls_over_what_it_is_sent(
    screen: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kumite.tui.app.KumiteApp.action_quit", lambda self: None)
    rng = Random(screen.__name__)
    kumite = KumiteApp(Settings(glyphs="letters"), screen)
    async with kumite.run_test(size=(80, 24)) as pilot:
        for _ in range(60):
            data = b"".join(rng.choices(PARTS, k=10)).replace(b"\x1b[48;", b"")
            for event in read(data):
                kumite.post_message(event)
        await until(pilot, lambda: not kumite.is_typing, "the end of the keys")
        assert kumite.is_running
        assert kumite.size.width <= LARGEST[0]
