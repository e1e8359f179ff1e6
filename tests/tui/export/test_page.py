"""The page that replays a match: what it holds, and a real browser that shows it by keys alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain, cycle
from pathlib import Path
from typing import Any

import pytest

from kumite.core.errors import BadLog
from kumite.core.game import SPECTATOR, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import Header, Writer, log_text, read
from kumite.core.match import Match
from kumite.core.remarks import remark_text
from kumite.tui.export.html import page
from kumite.tui.export.sheet import Paper, parts
from kumite.tui.look import colors, glyphs
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes.lines import plain, width
from tests.core.test_transcripts import RECORDED, recorded
from tests.support.browser import Browser, browser
from tests.support.random_matches import walk
from tests.support.waiting import wait_for

CELL = "parseFloat(document.getElementById('table').style.getPropertyValue('--cell'))"
ROWS = "[...document.querySelectorAll('#table > span > span')]"
EVIL = "</script><img src=x onerror=boom()>"
DARK = colors.read("dark")
PAPERS = {name: Paper.of(look, DARK) for name, look in glyphs.LOOKS.items()}


def replay_of(game_id: str, eyes: str = "", names: tuple[str, str] = ("Ada", "木村")) -> Replay:
    """Return a recorded match of two with a remark on its third step."""
    transcript = next(one for one in recorded(game_id) if one["seats"] == 2)
    match = Match.begin(Setup.of(GAMES[game_id], 2, transcript["options"]))
    for actor, step in transcript["steps"]:
        match = match.play(actor, step)
    text = log_text(Header("ab12", match.setup, names), match)
    text += Writer(read(text).chain).lines(remark_text(3, f"so? {EVIL}"))
    return Replay(read(text), eyes)


def data_of(made: str) -> Any:
    found = re.search('<script id="data" type="application/json">(.*)</script>\n<script>', made)
    return json.loads(found[1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_id", "kind"), [*zip(RECORDED, cycle(glyphs.LOOKS), strict=False)], ids=str
)
def test_the_page_holds_every_line_of_every_position_once(game_id: str, kind: str) -> None:
    replay, paper = replay_of(game_id), PAPERS[kind]
    held = data_of(page(replay, paper))
    assert len(held["frames"]) == replay.last + 1
    # In a window of 1200x800 a cell of 7x14 pixels leaves 200 pixels for title and controls.
    assert max(held["rows"]) * 14 <= 600
    assert held["across"] * 7 <= 1200 - 50
    for at, frame in enumerate(held["frames"]):
        for number, (part, drawn) in enumerate(zip(frame, parts(replay, at, paper), strict=True)):
            lines = [tuple(zip(*[iter(held["lines"][n])] * 2, strict=True)) for n in part]
            shown = ["".join(text for _, text in line) for line in lines]
            assert shown == [plain(line) for line in drawn]
            assert len(shown) <= held["rows"][number]
            assert max(map(width, shown)) <= held["columns"][number]
        assert held["said"][at] == replay.said(at)
    assert len({json.dumps(line) for line in held["lines"]}) == len(held["lines"])
    assert all(width(sign) == 2 for sign in held["wide"])
    assert held["remarks"] == {"3": f"so? {EVIL}"}
    assert held["ending"].casefold() == replay.result.casefold()
    assert re.match(r".+ won: |A draw: ", held["ending"])


@pytest.mark.parametrize("theme", colors.names())
def test_the_page_needs_nothing_beside_it_and_takes_no_text_for_markup(theme: str) -> None:
    replay = replay_of("kitsu", names=("Ada", EVIL))
    made = page(replay, Paper.of(glyphs.LETTERS, colors.read(theme)))
    assert "default-src 'none'" in made
    assert not re.search(
        r"(?:src|href)\s*=|url\(|@import|https?:",
        made.replace(EVIL, "").replace("src=x onerror", ""),
    )
    assert EVIL not in made
    assert made.count("</script>") == 2
    assert not re.search("@[a-z]+@", made)
    assert len(made.encode()) < 500_000  # each line once, pictures and all


@pytest.mark.parametrize("game_id", ["kitsune", "kiriai"])
@pytest.mark.parametrize("eyes", ["1", "2", "spectator"])
def test_the_page_says_no_more_than_its_eyes_may_see(game_id: str, eyes: str) -> None:
    """A page made from the complete log equals one from the log of those who saw it so."""
    match = walk(Setup.of(GAMES[game_id]), 3)
    by = SPECTATOR if eyes == "spectator" else frozenset({Seat(int(eyes) - 1)})
    whole = Replay(read(log_text(Header("ab", match.setup), match)), eyes)
    part = read(log_text(Header("ab", match.setup, (), by), match.seen_by(by)))
    assert page(whole, PAPERS["ascii"]) == page(Replay(part), PAPERS["ascii"])
    assert page(whole, PAPERS["ascii"]) != page(Replay(whole.log), PAPERS["ascii"])


# --- In a browser -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as one:
        yield one


def check(chromium: Browser, replay: Replay, at: int) -> None:
    """Check that the browser shows a position as we would draw it."""
    assert chromium.text("where").startswith(f"step {at} of {replay.last}")
    rows = chromium.run(f"{ROWS}.map((row) => row.textContent.trimEnd())")
    drawn = chain(*parts(replay, at, PAPERS["kanji"]))
    assert rows == [plain(line).rstrip() for line in drawn]
    assert replay.said(at) in chromium.text("said")
    assert (replay.remarks.get(at, "") in chromium.text("said")) is True
    current = chromium.run("document.querySelector('#steps [aria-current]')?.value ?? 0")
    assert current == (at if replay.told[at] else 0)
    assert chromium.run("location.hash") == f"#{at}"
    shown = chromium.run("document.getElementById('ending')?.textContent ?? ''")
    assert shown.casefold() == (replay.result.casefold() if at == replay.last else "")


@pytest.mark.browser
@pytest.mark.parametrize("game_id", RECORDED)
def test_a_browser_replays_a_match_by_keys_alone(
    game_id: str, chromium: Browser, tmp_path: Path
) -> None:
    replay = replay_of(game_id)
    path = tmp_path / "match.html"
    path.write_text(page(replay, PAPERS["kanji"]), encoding="utf-8")
    chromium.open(path)
    course, last = replay.course, replay.last
    larger = 2 if len(course.parts) > 1 else 0
    at = 0
    check(chromium, replay, at)
    for keys, to in (
        (["ArrowRight"] * 3, 3),
        (["ArrowLeft"], 2),
        (["l", "h", "h"], 1),
        (["End"], last),
        (["ArrowRight"], last),
        (["Home", "ArrowLeft"], 0),
        (["t"], course.next_event(0, 1)),
        (["T"], course.next_event(0, 1)),  # there is none before the first
        (["End", "T"], course.next_event(last, -1)),
        (["Home", "ArrowDown", "ArrowDown"], course.next_end(course.next_end(0, 1, 1), 1, 1)),
        (["Home", "PageDown"], course.next_end(0, 2, 1) if larger else min(10, last)),
        (["End", "{"], course.next_end(last, len(course.parts), -1)),
        (["Home", "Tab", "Tab"], 0),
    ):
        chromium.press(*keys)
        assert to is not None
        check(chromium, replay, to)
    chromium.answer = str(last // 2)
    chromium.press("g")
    check(chromium, replay, last // 2)
    assert chromium.errors == []
    assert chromium.requests in ([path.as_uri()], ["about:blank", path.as_uri()])


@pytest.mark.browser
def test_a_browser_plays_stops_and_presses_buttons_by_keys(
    chromium: Browser, tmp_path: Path
) -> None:
    replay = replay_of("kuzushi", names=("Ada", EVIL))
    path = tmp_path / "match.html"
    path.write_text(page(replay, PAPERS["kanji"]), encoding="utf-8")
    chromium.open(path, "#5")
    check(chromium, replay, 5)
    assert chromium.text("play") == "play"
    chromium.press("+", "+", "+", "+", " ")
    assert chromium.text("play") == "pause"
    until(chromium, "Number(location.hash.slice(1)) >= 7")
    chromium.press(" ")
    at = int(chromium.run("location.hash")[1:])
    assert chromium.text("play") == "play"
    check(chromium, replay, at)
    chromium.press("v")
    until(chromium, "location.hash === '#0'")
    assert chromium.text("play") == "play"
    for _ in range(20):  # to the button `end`, and press it
        if chromium.run("document.activeElement.id") == "last":
            break
        chromium.press("Tab")
    assert chromium.run("document.activeElement.id") == "last"
    chromium.press("Enter")
    check(chromium, replay, replay.last)
    assert chromium.run("document.images.length") == 0
    assert chromium.errors == []


def open_step_20(chromium: Browser, folder: Path) -> Replay:
    """Show a match of Kitsu! after 20 steps, in kanji."""
    replay = replay_of("kitsu")
    path = folder / "match.html"
    path.write_text(page(replay, PAPERS["kanji"]), encoding="utf-8")
    chromium.open(path, "#20")
    return replay


@pytest.mark.browser
def test_columns_meet_in_a_browser_whatever_stands_in_them(
    chromium: Browser, tmp_path: Path
) -> None:
    """Kanji, shapes and borders take the width of their cells in every row."""
    replay = open_step_20(chromium, tmp_path)
    measured = chromium.run(
        ROWS
        + """.map((row) => {
          const end = (row.lastElementChild ?? row).getBoundingClientRect();
          return row.childElementCount && end.right - row.getBoundingClientRect().left;
        })"""
    )
    cell = chromium.run(CELL)
    drawn = chain(*parts(replay, 20, PAPERS["kanji"]))
    for line, columns in zip(drawn, measured, strict=True):
        assert abs(columns - cell * width(plain(line))) < 0.1, plain(line)
    letters = chromium.run(
        """(() => { const span = document.createElement('span'); span.textContent = 'm'.repeat(99);
        document.getElementById('table').append(span);
        span.style.display = 'inline-block'; span.style.width = 'auto';
        const w = span.getBoundingClientRect().width; span.remove(); return w; })()"""
    )
    assert abs(letters / 99 - cell) < 0.1  # so that letters fill their columns


@pytest.mark.browser
@pytest.mark.parametrize("game_id", RECORDED)
def test_all_controls_are_seen_without_scrolling(
    game_id: str, chromium: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "match.html"
    path.write_text(page(replay_of(game_id), PAPERS["kanji"]), encoding="utf-8")
    try:
        for size, (low, high), is_phone in (
            ((1200, 800), (7, 10), False),
            ((1920, 1200), (9, 10), False),
            ((390, 844), (3, 6), True),
            ((844, 390), (6, 9), True),
        ):
            metrics = dict(zip(("width", "height"), size, strict=True))
            metrics |= {"deviceScaleFactor": 1 + is_phone, "mobile": is_phone}
            chromium.call("Emulation.setDeviceMetricsOverride", **metrics)
            chromium.call("Emulation.setTouchEmulationEnabled", enabled=is_phone)
            chromium.open(path, "#12")
            assert low <= chromium.run(CELL) <= high
            ids = "['course', 'last', 'said'].map((id) => document.getElementById(id))"
            bottoms = chromium.run(f"{ids}.map((one) => one.getBoundingClientRect().bottom)")
            assert max(bottoms) <= size[1]
            table = "document.getElementById('table')"
            assert chromium.run(f"{table}.scrollWidth <= {table}.clientWidth")
            if is_phone:
                assert chromium.run("document.getElementById('last').offsetHeight") >= 44
    finally:
        chromium.call("Emulation.clearDeviceMetricsOverride")
        chromium.call("Emulation.setTouchEmulationEnabled", enabled=False)


@pytest.mark.browser
def test_blocks_fill_the_quarters_of_their_cells_in_a_browser(
    chromium: Browser, tmp_path: Path
) -> None:
    open_step_20(chromium, tmp_path)
    drawn = chromium.run(
        """[...document.querySelectorAll('#table i.block')].map((box) => {
          const style = getComputedStyle(box);
          return [box.textContent, style.backgroundImage.split('linear-gradient').length - 1,
            style.backgroundSize, style.webkitTextFillColor];
        })"""
    )
    assert len(drawn) > 100
    for run, count, sizes, fill in drawn:
        assert set(run) <= set("▀▄█") or len(run) == 1
        assert fill == "rgba(0, 0, 0, 0)"
        if run[0] in "▀▄":
            assert (count, sizes) == (1, "100% 50%")


def until(chromium: Browser, condition: str) -> None:
    wait_for(lambda: chromium.run(condition), condition)


def test_a_log_without_a_sound_header_has_no_page() -> None:
    with pytest.raises(BadLog):
        Replay(read("nothing"))
