"""Guests who come by a real browser: they play, are cut off, come back, on phones too."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from secrets import token_hex

import pytest

from kumite.core.log import Log
from kumite.serve import websocket
from kumite.serve.process import RESIZING
from kumite.store import log_files
from tests.serve.test_guests_over_ssh import KEY, apps, at_home
from tests.support.servers import Guest, server, until
from tests.support.web_guests import WebGuest, web_guest

pytestmark = pytest.mark.browser

IS_GONE = "!document.getElementById('gone').hidden"
SEEN = (  # what the page's terminal shows
    "Array.from({length: terminal.rows}, (_, row) =>"
    " terminal.buffer.active.getLine(row).translateToString(true)).join('\\n')"
)
WHY = "document.getElementById('why').textContent"


SPYING = """<script>
    const line = new WebSocket('%s/line?width=80&height=24');
    line.onopen = () => document.title = 'open';
    line.onclose = () => document.title = document.title || 'shut';
</script>"""
SILENT = """class {
    state = 'running'; currentTime = 0;
    createOscillator() {
        window.rung += 1;
        return {frequency: {}, connect: (to) => to, start() {}, stop() {}};
    }
    createGain() {
        return {gain: {setValueAtTime() {}, exponentialRampToValueAtTime() {}}, connect() {}};
    }
}"""


async def begin_match(guest: WebGuest) -> None:
    """Go from the home screen to a table against a bot, and slide a Samurai."""
    await guest.type("enter")
    await guest.wait_for("Begin the match")
    await guest.type(*["ArrowDown"] * 5, "ArrowRight")
    await guest.wait_for("as they sit here")  # no lot: the guest begins
    await guest.type(*["ArrowUp"] * 5, "enter")
    await guest.wait_for("your turn")
    await guest.type("enter")
    await guest.wait_for("is chosen")
    await guest.type("n", "enter")
    await guest.wait_for("may send a")


def complaints(guest: WebGuest) -> list[str]:
    """Return what the browser complains of; not that it has no graphics card."""
    return [one for one in guest.browser.errors if "WebGL" not in one]


# --- together ---------------------------------------------------------------------------------


async def meet(ada: WebGuest, name: str, bob: Guest, folder: Path) -> None:
    """Let the browser host a small Kuzushi, the ssh client find it, and both begin."""
    await ada.type("ArrowRight", "ArrowRight", "ArrowRight")
    await ada.wait_for("▶ Kuzushi")
    await ada.type("h")
    await ada.wait_for("Open the table")
    await ada.type("up", "ArrowRight")
    await ada.wait_for("< small")
    await ada.type("down")
    await ada.wait_for("Enter opens it")
    await ada.type("enter")
    await ada.wait_for("then type")
    found = await ada.find(r"│ +(\d+-[a-z]+-[a-z]+) +│")
    await at_home(bob)
    bob.type("j")
    await bob.wait_for("Tables open here", name)
    await bob.go_to(name)
    bob.type("enter")
    await bob.wait_for("Code:")
    bob.type(*found[1], "enter")
    await bob.wait_for("ready")
    bob.type("enter")
    await ada.wait_for("bob", "start")
    await ada.type("s")
    await until(lambda: len(logs(folder)) == 2, "the match")


def logs(folder: Path) -> list[Log]:
    """Return the logs of all guests, ada's first; not those that are just being begun."""
    found = sorted(folder.glob("guests/*/own/matches/*.kumite"), key=lambda one: str(one.parent))
    return [log_files.load(one) for one in found if one.stat().st_size]  # of a cookie, then a key


def is_turn_of_ada(folder: Path) -> bool:
    """Return whether the browser is to make a step; a lot gave the seats."""
    match = logs(folder)[0].match
    return match.by == set(match.actors)


async def test_a_browser_and_an_ssh_client_play_a_whole_match(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as opened,
        web_guest() as ada,
        opened.guest("bob", client_keys=[KEY], size=(100, 30)) as bob,
    ):
        name = f"ada{token_hex(3)}"
        await ada.come(opened, name)
        await meet(ada, name, bob, tmp_path)
        number = 0
        while logs(tmp_path)[0].match.actors:
            number += 1
            if is_turn_of_ada(tmp_path):
                await ada.wait_for(f"step {number} ", "your turn")
                await ada.type("n", "enter")
            else:
                await bob.wait_for(f"step {number} ", "your turn")
                bob.type("n", "enter")
            await until(
                lambda n=number: [log.match.number for log in logs(tmp_path)] == [n, n],
                f"step {number} at both",
            )
        await ada.wait_for("the end")
        await bob.wait_for("the end")
        first, second = logs(tmp_path)
        assert number > 10
        assert first.damage is second.damage is None
        assert first.match.digest == second.match.digest
        assert complaints(ada) == []
        here = {one.name for one in opened.sessions.open}
        assert here == {name, "bob"}
    assert apps(tmp_path) == []


# --- coming back ------------------------------------------------------------------------------


async def test_a_browser_is_known_again_by_its_cookie(tmp_path: Path) -> None:
    async with server(tmp_path) as opened, web_guest() as ada, web_guest() as bob:
        await ada.come(opened, "ada")
        await begin_match(ada)
        await ada.wait_page("document.title.includes('Kitsu!')")
        await ada.open(opened.site)  # as by the key for reloading: the old line is cut
        await ada.wait_for("continue")
        await ada.type("enter")
        await ada.wait_for("step 2")
        assert await ada.run("document.cookie") == ""  # no script reads it
        await bob.come(opened, "ada")
        assert "continue" not in bob.text
        assert len(list(tmp_path.glob("guests/cookie-*"))) == 2


async def test_another_name_is_the_same_guest(tmp_path: Path) -> None:
    async with server(tmp_path) as opened, web_guest() as ada:
        await ada.come(opened, "ada")
        await begin_match(ada)
        await ada.be_asked(f"{opened.site}/name")
        await ada.type("eva", "enter")
        await ada.wait_for("continue")
        await until(
            lambda: [one.name for one in opened.sessions.open] == ["eva"], "eva in ada's place"
        )
        assert len(list(tmp_path.glob("guests/*"))) == 1


async def test_the_page_says_when_the_server_is_gone_and_when_it_is_there_again(
    tmp_path: Path,
) -> None:
    async with web_guest() as ada:
        async with server(tmp_path) as opened:
            await ada.come(opened, "ada")
            await begin_match(ada)
        await ada.wait_page(IS_GONE)
        assert await ada.run(WHY) == "The server has closed. Your matches are kept."
        assert "The server closes now" in ada.text or await ada.wait_for("The server closes now")
        await ada.type("enter")  # on the button
        await ada.wait_page(f"{WHY}.startsWith('Nobody answers')")
        async with server(tmp_path, web_port=opened.web) as opened:
            await ada.type("enter")
            await ada.wait_for("continue")
            assert not await ada.run(IS_GONE)
            await ada.wait_page("document.activeElement.className == 'xterm-helper-textarea'")
            await ada.type("q")
            await ada.wait_page(IS_GONE)
            assert "This visit is over" in str(await ada.run(WHY))


async def test_a_code_is_asked_for_once(tmp_path: Path) -> None:
    async with server(tmp_path, code="torii") as opened, web_guest() as ada:
        await ada.be_asked(opened.site)
        await ada.type("ada", "enter")
        await ada.wait_for("The code of this server:")
        await ada.type("torii", "enter")
        await ada.wait_for("play here", "Enter choose")
        await begin_match(ada)
        ada.screen.reset()
        await ada.open(opened.site)
        await ada.wait_for("continue")
        assert "code of this server" not in ada.text


# --- the page ---------------------------------------------------------------------------------


async def test_the_terminal_fits_the_window_and_clicks_choose(tmp_path: Path) -> None:
    async with server(tmp_path) as opened, web_guest(window=(1280, 800)) as ada:
        await ada.come(opened, "ada")
        columns, rows = ada.screen.columns, ada.screen.lines
        assert columns > 120
        assert rows > 35
        row, line = next((n, one) for n, one in enumerate(ada.screen.display) if "Kuzushi" in one)
        cell = 1280 / columns, 800 / rows
        await ada.click((line.index("Kuzushi") + 1) * cell[0], (row + 0.5) * cell[1])
        await ada.wait_for("▶ Kuzushi")
        await ada.window(800, 500)
        await ada.wait_until(lambda: ada.screen.columns < columns, "a smaller terminal")
        await ada.wait_for("Kuzushi", "Enter choose")
        place = await ada.run(
            "JSON.stringify(document.querySelector('.xterm-screen').getBoundingClientRect())"
        )
        assert re.search('"right":(7\\d\\d|800)', place)
        assert all(one.startswith(opened.site) for one in ada.browser.requests)
        assert complaints(ada) == []


async def test_a_lost_connection_comes_back_by_itself_to_the_same_table(tmp_path: Path) -> None:
    async with server(tmp_path) as opened, web_guest() as ada:
        await ada.come(opened, "ada")
        await begin_match(ada)
        before = apps(tmp_path)
        await ada.run("line.end(0)")
        assert "this page connects again by itself" in str(await ada.run(WHY))
        await ada.wait_page(f"!({IS_GONE})")
        assert await ada.run("at('said').textContent") == "Connected again."
        await ada.type("?")
        await ada.wait_for("Who begins")
        assert "Kitsu!: rules" in str(await ada.run(SEEN))
        assert apps(tmp_path) == before


async def test_what_an_app_draws_while_the_connection_is_lost_is_drawn_later(
    tmp_path: Path,
) -> None:
    async with server(tmp_path) as opened, web_guest() as ada:
        await ada.come(opened, "ada")
        await begin_match(ada)
        await ada.run("lose.until = 0, window.connect = owner.connect, owner.connect = () => {}")
        await ada.type("?")  # the page has gone before the answer comes
        await ada.run("line.end(0)")
        await ada.run("owner.connect = connect, comeBack()")
        await ada.wait_page(f"({SEEN}).includes('Who begins')")


async def test_who_is_away_too_long_finds_the_match_on_the_home_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "AWAY", 0.0)
    async with server(tmp_path) as opened, web_guest() as ada:
        await ada.come(opened, "ada")
        await begin_match(ada)
        await ada.run("line.end(0)")
        await ada.wait_page(f"({SEEN}).includes('continue')")
        assert "continue it here" in str(await ada.run("at('said').textContent"))
        await ada.type("enter")
        await ada.wait_page(f"({SEEN}).includes('step 2')")


async def test_text_is_copied_and_pasted(tmp_path: Path) -> None:
    """Also from http on a network, where browsers give a page no clipboard."""
    async with server(tmp_path) as opened, web_guest() as ada:
        await ada.come(opened, "ada")
        await ada.run("OLDER.writeText('torii')")
        assert await ada.run("document.activeElement.className") == "xterm-helper-textarea"
        await ada.type("h")
        await ada.wait_for("Open the table")
        await ada.type("enter")
        await ada.wait_for("then type")
        code = (await ada.find(r"│ +(\d+-[a-z]+-[a-z]+) +│"))[1]
        await ada.type("n")
        await ada.wait_for("Your name")
        await ada.hold("control", key="v", code="KeyV", command="paste")
        await ada.wait_for("torii")
        await ada.type("escape")
        # Together with the next key it would be one with alt.
        await ada.wait_until(lambda: "Your name" not in ada.text, "the end of the line for a name")
        await ada.wait_for("x copy invite")
        await ada.run("window.copied = ''")
        await ada.run("navigator.clipboard.writeText = async (text) => { copied = text; }")
        await ada.type("x")
        await ada.wait_page(f"copied === '{code}'")
        await ada.run("terminal.select(0, 0, 5)")
        await ada.hold("alt", "shift", key="C", code="KeyC")
        await ada.wait_page("copied === terminal.getSelection() && copied.length === 5")
        assert await ada.run("at('said').textContent") == "Copied."
        assert complaints(ada) == []


async def test_keys_of_the_page_change_letters_fill_the_screen_and_let_a_reader_read(
    tmp_path: Path,
) -> None:
    async with server(tmp_path) as opened, web_guest() as ada:
        await ada.come(opened, "ada")
        columns = ada.screen.columns
        await ada.hold("alt", "shift", key="ArrowUp", code="ArrowUp")
        await ada.wait_until(lambda: ada.screen.columns < columns, "larger letters")
        ada.screen.reset()
        await ada.open(opened.site)  # they stay
        await ada.wait_for("Enter choose")
        assert ada.screen.columns < columns
        await ada.hold("alt", "shift", key="ArrowDown", code="ArrowDown")
        await ada.wait_until(lambda: ada.screen.columns == columns, "the letters of before")
        await ada.hold("alt", "shift", key="F", code="KeyF")
        await ada.wait_page("document.fullscreenElement !== null")
        await ada.hold("alt", "shift", key="F", code="KeyF")
        await ada.wait_page("document.fullscreenElement === null")
        assert "alt+shift+s" in str(await ada.run("document.body.textContent"))
        rows = "document.querySelector('.xterm-accessibility-tree')?.textContent ?? ''"
        assert await ada.run(rows) == ""
        await ada.hold("alt", "shift", key="S", code="KeyS")
        await ada.wait_page(f"({rows}).includes('Kuzushi')")
        assert await ada.run("at('said').textContent") == "Screen reader mode is on."
        await ada.hold("alt", "shift", key="S", code="KeyS")
        await ada.wait_page(f"({rows}) === ''")


BUTTON = "[...at('keys').children].find((one) => one.textContent.startsWith('%s'))"


async def tap_key(guest: WebGuest, label: str) -> None:
    await guest.wait_page(f"!!{BUTTON % label}")
    box = await guest.run(f"{BUTTON % label}.getBoundingClientRect().toJSON()")
    await guest.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


async def tap_text(guest: WebGuest, said: str) -> None:
    """Tap on a text of the terminal, as it is shown now."""
    await guest.look()
    await guest.wait_for(said)
    box = await guest.run("box.querySelector('.xterm-screen').getBoundingClientRect().toJSON()")
    row, line = next((n, one) for n, one in enumerate(guest.screen.display) if said in one)
    column = line.index(said) + len(said) / 2
    high = box["height"] / guest.screen.lines
    await guest.tap(column * box["width"] / guest.screen.columns, (row + 0.5) * high)


async def test_a_phone_shows_the_keys_of_the_moment_and_they_do_what_they_say(
    tmp_path: Path,
) -> None:
    async with server(tmp_path) as opened, web_guest(is_phone=True, window=(390, 780)) as ada:
        await ada.come(opened, "ada")
        home, page = ("Two clans", "q quit"), ("Use the arrows", "q back")
        for label, (answer, key) in (("↓", home), ("? help", page), ("Esc", home)):
            await tap_key(ada, label)
            await ada.wait_for(answer)
            await ada.wait_page(f"at('keys').textContent.includes('{key}')")


async def test_keys_that_a_message_names_are_buttons_of_a_phone(tmp_path: Path) -> None:
    async with server(tmp_path) as opened, web_guest(is_phone=True, window=(390, 780)) as ada:
        await ada.come(opened, "ada")
        said = "Leo would like to take back the last step, h7  y: yes   x: no"
        shown = ["2 unread: c shows them", said, "? help   q leave"]
        last = "\\r\\n".join(("", *shown))  # scrolls the rows up
        await ada.run(f"terminal.write('\\x1b[999H{last}'), setTimeout(showKeys, 100)")
        await ada.wait_page(f"!!{BUTTON % 'y yes'} && !!{BUTTON % 'x no'}")
        await ada.wait_page(f"!!{BUTTON % 'c shows them'}")


async def test_a_phone_opens_its_keyboard_while_a_text_is_awaited(tmp_path: Path) -> None:
    async with server(tmp_path) as opened, web_guest(is_phone=True, window=(390, 780)) as ada:
        await ada.come(opened, "ada")
        await ada.type("p")
        await ada.wait_for("Begin the match")
        await ada.type("enter")
        await ada.wait_for("Enter: ")
        for last in ("Enter", "Esc"):
            await ada.type(":")
            await ada.wait_page("input().inputMode === 'text'")
            await tap_key(ada, last)
            await ada.wait_page("input().inputMode === 'none'")


@pytest.mark.parametrize("window", [(390, 844), (360, 640), (844, 390), (667, 375)])
async def test_all_keys_of_a_phone_are_seen_and_large_enough_for_fingers(
    window: tuple[int, int], tmp_path: Path
) -> None:
    async with server(tmp_path) as opened, web_guest(is_phone=True, window=window) as ada:
        await ada.come(opened, "ada")
        await begin_match(ada)
        await ada.wait_page("at('keys').textContent.includes('q leave')")
        table = await ada.run("box.getBoundingClientRect().toJSON()")
        boxes = "[...at('keys').children].map((one) => one.getBoundingClientRect().toJSON())"
        for box in await ada.run(boxes):
            assert box["height"] >= 40
            assert box["width"] >= 38
            assert max(box["left"] - table["right"], box["top"] - table["bottom"]) >= 0
            assert box["right"] <= window[0]
            assert box["bottom"] <= window[1]
        first = await ada.run("[...at('keys').children].slice(0, 6).map((one) => one.textContent)")
        assert {one.partition(" ")[0] for one in first} == {*"←↑↓→", "Enter", "Esc"}


async def test_each_arrow_is_a_key_of_its_own_and_a_tap_on_the_line_of_keys_presses_a_key(
    tmp_path: Path,
) -> None:
    """`←` stood there with "→ change", and the bottom row did nothing."""
    async with server(tmp_path) as opened, web_guest(is_phone=True, window=(390, 844)) as ada:
        await ada.come(opened, "ada")
        await tap_text(ada, "Enter choose")
        await ada.wait_for("Begin the match")
        await tap_key(ada, "↓")
        for arrow in "←→":
            await ada.wait_page(f"({BUTTON % arrow}).textContent === '{arrow} change'")
        await tap_text(ada, "q back")
        await ada.wait_page(f"({BUTTON % '←'}).textContent === '←'")


async def test_the_keys_of_the_page_give_way_to_those_of_the_game(tmp_path: Path) -> None:
    """They stayed after their use, and at the next table the key for talk was missing."""
    async with server(tmp_path) as opened, web_guest(is_phone=True, window=(390, 844)) as ada:
        await ada.come(opened, "ada")
        await tap_key(ada, "⋯")
        await ada.wait_page(f"!({BUTTON % 'q quit'}) && !!({BUTTON % 'Copy'})")
        await tap_key(ada, "Copy")
        await ada.wait_page(f"!!({BUTTON % 'q quit'}) && !({BUTTON % 'Copy'})")
        await tap_key(ada, "⋯")
        await tap_key(ada, "Enter")
        await ada.wait_page(f"!!({BUTTON % 'q back'}) && !({BUTTON % 'Copy'})")
        await tap_key(ada, "⋯")
        await ada.wait_page(f"!!({BUTTON % 'Copy'})")
        await tap_text(ada, "q back")
        await ada.wait_page(f"!!({BUTTON % 'q quit'}) && !({BUTTON % 'Copy'})")
        await tap_key(ada, "⋯")
        await ada.wait_page(f"!!({BUTTON % 'Copy'})")
        await ada.type("r")
        await ada.wait_page(f"!!({BUTTON % 'q back'}) && !({BUTTON % 'Copy'})")


async def test_the_keys_of_the_page_stay_while_the_screen_below_them_is_drawn(
    tmp_path: Path,
) -> None:
    """After `A+` the last row was another one for a moment: `⋯` did nothing, or closed again."""
    async with server(tmp_path) as opened, web_guest(is_phone=True, window=(390, 844)) as ada:
        await ada.come(opened, "ada")
        await ada.wait_page(f"!!({BUTTON % 'q quit'})")
        half = "new Promise((drawn) => terminal.write('\\x1b[999H\\x1b[2Ks sachoose   q', drawn))"
        await ada.run(f"{half}.then(() => {{ window.isHalf = true; }})")
        await ada.wait_page("window.isHalf")
        await tap_key(ada, "⋯")
        await ada.wait_page(f"!!({BUTTON % 'Copy'})")
        await ada.run(
            "terminal.write('\\rEnter choose   q quit', () => { window.isWhole = true; })"
        )
        await ada.wait_page("window.isWhole")
        await ada.run("showKeys()")
        assert await ada.run(f"!!({BUTTON % 'Copy'}) && !({BUTTON % 'q quit'})")


async def test_a_window_that_is_small_for_a_moment_is_drawn_anew(tmp_path: Path) -> None:
    """The terminal had dropped its last rows, of which the app did not know."""
    drawn = (
        "[...Array(terminal.rows).keys()].map((row) =>"
        " terminal.buffer.active.getLine(row).translateToString(true)).join('\\n')"
    )
    async with server(tmp_path) as opened, web_guest(is_phone=True, window=(390, 844)) as ada:
        await ada.come(opened, "ada")
        await ada.wait_page(f"!!({BUTTON % 'q quit'})")
        await asyncio.sleep(3 * RESIZING)
        await ada.run(f"window.before = {drawn}")
        await ada.run(
            "{ const { cols, rows } = terminal; terminal.resize(cols, rows - 9);"
            " terminal.resize(cols, rows); }"
        )
        assert await ada.run(f"{drawn} !== before")
        await ada.wait_page(f"{drawn} === before")


async def test_a_phone_has_keys_for_letters_the_clipboard_and_the_whole_screen(
    tmp_path: Path,
) -> None:
    async with server(tmp_path) as opened, web_guest(is_phone=True, window=(390, 844)) as ada:
        await ada.come(opened, "ada")
        columns = ada.screen.columns
        await tap_key(ada, "⋯")
        await tap_key(ada, "A+")
        await ada.wait_until(lambda: 40 <= ada.screen.columns < columns, "larger letters")
        await tap_key(ada, "⋯")
        await tap_key(ada, "A−")
        await ada.wait_until(lambda: ada.screen.columns == columns, "the letters of before")
        await ada.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        await tap_key(ada, "⋯")
        await tap_key(ada, "Copy")
        await ada.wait_page("window.copied.includes('Kuzushi')")
        await tap_key(ada, "⋯")
        await tap_key(ada, "Full")
        await ada.wait_page("document.fullscreenElement !== null")
        await tap_key(ada, "q quit")


@pytest.mark.parametrize(
    ("window", "least", "most"),
    [
        ((390, 844), (60, 50), (65, 60)),
        ((390, 664), (60, 36), (65, 45)),
        ((844, 390), (80, 24), (100, 30)),
        ((667, 375), (80, 24), (100, 30)),
    ],
)
async def test_on_a_phone_the_table_fits_with_letters_as_large_as_can_be_and_taps_choose(
    window: tuple[int, int], least: tuple[int, int], most: tuple[int, int], tmp_path: Path
) -> None:
    async with server(tmp_path) as opened, web_guest(is_phone=True, window=window) as ada:
        await ada.come(opened, "ada")
        for size, low, high in zip(
            (ada.screen.columns, ada.screen.lines), least, most, strict=True
        ):
            assert low <= size <= high
        assert await ada.run("[visualViewport.scale, innerWidth]") == [1, window[0]]
        box = "document.querySelector('.xterm-screen').getBoundingClientRect()"
        wide, high = await ada.run(f"{box}.width"), await ada.run(f"{box}.height")
        assert wide <= await ada.run("box.clientWidth")
        assert high <= await ada.run("box.clientHeight")
        await tap_text(ada, "Kuzushi")
        await ada.wait_for("Kuzushi: 2 to 6 players")
        assert await ada.run("document.activeElement.inputMode") == "none"  # no keyboard comes
        was_upright = ada.screen.columns < 80
        await ada.window(*window[::-1], is_phone=True)
        await ada.wait_until(lambda: (ada.screen.columns < 80) != was_upright, "the turned screen")
        await ada.wait_for("Kuzushi: 2 to 6 players", "Enter choose")


async def test_a_page_without_javascript_says_what_it_needs(tmp_path: Path) -> None:
    async with server(tmp_path) as opened, web_guest() as ada:
        off = "Emulation.setScriptExecutionDisabled"
        await asyncio.to_thread(ada.browser.call, off, value=True)
        await ada.be_asked(opened.site)
        page = "document.body.innerText.replace(/\\s+/g, ' ')"
        assert "that needs JavaScript, which is switched off here" in str(await ada.run(page))
        await ada.type("ada", "enter")
        await ada.wait_page("location.pathname == '/' && document.title == 'Kumite'")
        assert "that needs JavaScript, which is switched off here" in str(await ada.run(page))
        assert opened.told == []


async def test_who_looks_elsewhere_is_called_by_bell_and_title(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as opened,
        web_guest() as ada,
        opened.guest("bob", client_keys=[KEY], size=(100, 30)) as bob,
    ):
        name = f"ada{token_hex(3)}"
        await ada.come(opened, name)
        await ada.run(f"window.rung = 0, window.AudioContext = {SILENT}")
        await meet(ada, name, bob, tmp_path)
        if not is_turn_of_ada(tmp_path):
            await bob.wait_for("your turn")
            bob.type("n", "enter")
        await ada.wait_page("document.title == '● your turn: Kuzushi'")
        await ada.run("window.rung = 0")
        await ada.type("n", "enter")
        await ada.wait_page("document.title == 'Kuzushi'")
        await ada.run("document.activeElement.blur()")
        assert await ada.run("window.rung") == 0
        await until(lambda: not is_turn_of_ada(tmp_path), "bob's turn")
        await bob.wait_for("your turn")
        bob.type("n", "enter")
        await ada.wait_page("window.rung > 0")
        await ada.wait_page("document.title == '● your turn: Kuzushi'")


@asynccontextmanager
async def page_of_somebody_else(page: str) -> AsyncIterator[str]:
    """Give the address of a page that another server of this computer sends."""

    async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n")
        writer.write(page.encode())
        writer.close()

    async with await asyncio.start_server(send, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def test_a_page_of_somebody_else_opens_no_line(tmp_path: Path) -> None:
    """The browser has a cookie of the server, and is led to another page."""
    async with server(tmp_path) as opened, web_guest() as ada:
        await ada.come(opened, "ada")
        async with page_of_somebody_else(SPYING % opened.site.replace("http", "ws")) as other:
            await ada.open(other)
            await ada.wait_page("document.title")
            assert await ada.run("document.title") == "shut"
        await until(lambda: not opened.sessions.open, "the end of the only visit")
