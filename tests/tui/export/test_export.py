"""Saved matches in other forms: text, picture, recording, data; and back where there is a way."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from itertools import count
from typing import TYPE_CHECKING, Any

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumite.core.errors import BadData, KumiteError
from kumite.core.game import HOLE, SPECTATOR, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.log import End, Header, Log, log_text, read
from kumite.core.match import Match
from kumite.core.remarks import remark_text
from kumite.tui.drawing import grid
from kumite.tui.export.cast import recording
from kumite.tui.export.data import data, data_text, logs_in, text_of
from kumite.tui.export.html import page
from kumite.tui.export.sheet import sheet, widest
from kumite.tui.export.svg import CELL, EDGE, picture
from kumite.tui.export.text import frames
from kumite.tui.look import colors, glyphs
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes.lines import plain, width
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.widgets.board import BoardWidget
from tests.core.test_transcripts import RECORDED, recorded
from tests.support.apps import app
from tests.support.random_matches import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

DARK = colors.read("dark")
NAMES = ("Ada", "木村 <&>", "Chiyo", "Dan", "Eve", "Fumiko")
SVG = "{http://www.w3.org/2000/svg}"


def log_of(match: Match, *remarks: str, **more: Any) -> Log:
    text = log_text(Header("ab12", match.setup, NAMES[: match.setup.seats], **more), match)
    return read(text + read(text).writer.lines(*remarks)[1])


def replayed(transcript: dict[str, Any]) -> Match:
    setup = Setup.of(GAMES[transcript["game"]], transcript["seats"], transcript["options"])
    match = Match.begin(setup)
    for actor, step in transcript["steps"]:
        match = match.play(actor, step)
    return match


def a_match(game_id: str, seats: int | None = None) -> Match:
    return walk(Setup.of(GAMES[game_id], seats), 3)


def ids() -> Iterator[str]:
    return (f"{number:04x}" for number in count())


EVERY = [(game_id, seats) for game_id in GAMES for seats in GAMES[game_id].SEATS]


# --- Every recorded match ---------------------------------------------------------------------


@pytest.mark.parametrize("game_id", RECORDED)
def test_recorded_matches_become_logs_and_data_and_logs_again(game_id: str) -> None:
    check_the_way_back(recorded(game_id)[::5])  # all of them: below


def check_the_way_back(transcripts: list[dict[str, Any]]) -> None:
    for transcript in transcripts:
        match = replayed(transcript)
        log = log_of(match)
        assert log.damage is None
        assert log.match.digest == match.digest
        replay = Replay(log)
        ((header, again, end),) = logs_in(data_text(replay), ids())
        assert header == log.header
        assert again.steps() == match.steps()
        assert text_of(header, again, end) == log_text(log.header, match)


@pytest.mark.long
@pytest.mark.parametrize("game_id", RECORDED)
def test_every_recorded_match_has_all_forms(game_id: str) -> None:
    check_the_way_back(recorded(game_id))
    for transcript in recorded(game_id):
        check_all_forms(Replay(log_of(replayed(transcript))))


@pytest.mark.parametrize(("game_id", "seats"), EVERY)
def test_a_match_of_any_game_and_number_of_seats_has_all_forms(game_id: str, seats: int) -> None:
    match = a_match(game_id, seats)
    check_all_forms(Replay(log_of(match.back(min(match.number, 25)))))


def check_all_forms(replay: Replay) -> None:
    texts = list(frames(replay, glyphs.LETTERS))
    assert len(texts) == replay.last + 2
    ET.fromstring(picture(replay, replay.last, glyphs.KANJI, DARK))
    assert page(replay, glyphs.KANJI, DARK).startswith("<!doctype html>")
    check_recording(replay, list(recording(replay, glyphs.KANJI, DARK)))
    assert len(json.loads(data_text(replay))["steps"]) == replay.last


# --- Sheets -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("game_id", "seats"), EVERY)
def test_a_sheet_has_known_roles_and_fits_a_page(game_id: str, seats: int) -> None:
    replay = Replay(log_of(a_match(game_id, seats)))
    for at in range(0, replay.last + 1, max(1, replay.last // 5)):
        for signs in glyphs.LOOKS.values():
            lines = sheet(replay, at, signs)
            assert widest(lines) <= 100
            for line in lines:
                for text, role in line:
                    assert text
                    assert DARK.pen(role)


@pytest.mark.parametrize("game_id", [one for one in GAMES if one != "kitsune"])
@pytest.mark.parametrize("size", [(80, 24), (120, 60)], ids=str)
async def test_the_board_on_the_screen_is_what_the_grid_draws(
    game_id: str, size: tuple[int, int]
) -> None:
    screen = ReplayScreen(log_of(a_match(game_id)))
    kumite = app(lambda: screen, "kanji")
    async with kumite.run_test(size=size) as pilot:
        await pilot.press("t")
        board = screen.query_one(BoardWidget)
        scene = screen.replay.scene(screen.at, kumite.look)
        marks = grid.BoardMarks(reached=screen.replay.marks(screen.at))
        drawn = grid.board_rows(scene.board, marks, kumite.brush, board._geometry)
        assert len(drawn) == board.size.height
        for y, line in enumerate(drawn):
            strip = board.render_line(y)
            assert plain(line) == strip.text
            at = 0
            for text, ink in line:
                pen, style = kumite.palette.pen(ink), strip.crop(at, at + 1)._segments[0].style
                at += width(text)
                if text.strip():
                    assert style is not None
                    assert style.color is not None
                    assert style.color.get_truecolor().hex == pen.ink


def test_eyes_can_be_chosen_by_key_and_what_a_log_hides_stays_hidden() -> None:
    match = a_match("kiriai")
    whole = Replay(log_of(match))
    assert [eyes.key for eyes in whole.all_eyes] == ["open", "0", "1", "spectator"]
    assert all(HOLE not in one.step for one in whole.line[-1].steps())
    seen = Replay(log_of(match), "1")
    assert seen.line[-1].steps() == match.seen_by(frozenset({Seat(1)})).steps()
    part = Replay(log_of(match.seen_by(SPECTATOR), by=SPECTATOR))
    assert [eyes.key for eyes in part.all_eyes] == ["spectator"]
    mine = Replay(log_of(match.seen_by(frozenset({Seat(1)})), by=frozenset({Seat(1)})))
    assert [eyes.key for eyes in mine.all_eyes] == ["1", "spectator"]
    assert mine.eyes.said == f"as {NAMES[1]}"
    with pytest.raises(KumiteError, match="cannot be seen from '0'") as caught:
        mine.look_from("0")
    assert caught.value.hint == "eyes: 1, spectator"
    open_game = Replay(log_of(a_match("kuzushi")), "spectator")
    assert open_game.eyes.key == "open"
    with pytest.raises(KumiteError):
        open_game.look_from("7")


# --- Text -------------------------------------------------------------------------------------


def test_text_shows_every_position_what_led_to_it_and_how_it_ended() -> None:
    match = a_match("kuzushi")
    replay = Replay(log_of(match, remark_text(2, "a slip")))
    texts = list(frames(replay, glyphs.ASCII))
    assert texts[0].startswith("--- start\n")
    assert texts[2].startswith(f"--- 2. {replay.told[2]}\n! a slip\n")
    assert " won: " in texts[-1]
    damaged = Replay(read(log_text(replay.log.header, match)[:-3]))
    assert list(frames(damaged, glyphs.ASCII))[-1].startswith(
        "The log is damaged from here on: line"
    )


# --- Pictures ---------------------------------------------------------------------------------


@pytest.mark.parametrize("signs", glyphs.LOOKS.values(), ids=glyphs.LOOKS)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_picture_puts_every_sign_where_its_cell_is(game_id: str, signs: glyphs.Look) -> None:
    replay = Replay(log_of(a_match(game_id)))
    at = replay.last // 2
    root = ET.fromstring(picture(replay, at, signs, DARK))
    rows: dict[int, dict[int, str]] = {}
    for text in root.iter(f"{SVG}text"):
        said = text.text or ""
        x, y = int(text.attrib["x"]), int(text.attrib["y"])
        assert (x - EDGE) % CELL[0] == 0
        assert int(text.attrib["textLength"]) == width(said) * CELL[0]
        assert "  " not in said  # SVG joins spaces, and would draw the letters apart
        rows.setdefault((y - EDGE) // CELL[1], {})[(x - EDGE) // CELL[0]] = said
    for number, line in enumerate(sheet(replay, at, signs), start=2):
        drawn, column = "", 0
        for start, said in sorted(rows.get(number, {}).items()):
            drawn += " " * (start - column) + said
            column = start + width(said)
        assert drawn == plain(line).rstrip()
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", ET.tostring(root).decode())
    assert root.attrib["aria-label"].startswith(replay.title)


def test_a_picture_of_any_theme_has_its_ground() -> None:
    replay = Replay(log_of(a_match("kuzushi")))
    for name in colors.names():
        palette = colors.read(name)
        ground = ET.fromstring(picture(replay, 0, glyphs.LETTERS, palette)).find(f"{SVG}rect")
        assert ground is not None
        assert ground.attrib["fill"] == palette.app["background"]


# --- Recordings -------------------------------------------------------------------------------


def check_recording(replay: Replay, lines: list[str], seconds: float = 1.0) -> None:
    """Play a recording in a terminal and compare each frame with the sheet of its position."""
    head, *events = map(json.loads, lines)
    assert head["version"] == 2
    screen = pyte.Screen(head["width"], head["height"])
    stream = pyte.Stream(screen)
    at = -1
    for time, kind, said in events:
        if kind == "m":
            assert said == f"{at + 1}: {replay.course.events[at + 1]}"
            continue
        at += 1
        stream.feed(said)
        if at > replay.last:
            assert time > replay.last * seconds
            break
        assert time == round(at * seconds, 3)
        rows = [row.rstrip() for row in screen.display]
        assert rows[0].strip() == f"{replay.title}  step {at} of {replay.last}"
        for row, line in zip(rows[1:], sheet(replay, at, glyphs.KANJI), strict=False):
            assert row == f" {plain(line)}".rstrip()
    assert at == replay.last + 1
    marks = [said for _, kind, said in events if kind == "m"]
    assert len(marks) == sum(map(bool, replay.course.events))


def test_a_recording_is_played_in_a_terminal_frame_by_frame() -> None:
    replay = Replay(log_of(a_match("kitsu")))
    lines = list(recording(replay, glyphs.KANJI, DARK, 0.25))
    check_recording(replay, lines, 0.25)
    first, *rest = (len(json.loads(line)[2]) for line in lines[1:] if '"o"' in line)
    assert sum(rest) / len(rest) < first / 3  # only what changed is written


def test_colours_of_a_recording_are_those_of_the_theme() -> None:
    replay = Replay(log_of(walk(Setup.of(kuzushi), 1, longest=3)))
    lines = list(recording(replay, glyphs.LETTERS, DARK))
    screen = pyte.Screen(*(json.loads(lines[0])[key] for key in ("width", "height")))
    stream = pyte.Stream(screen)
    for _, kind, said in map(json.loads, lines[1:-1]):
        stream.feed(said if kind == "o" else "")
    for y, line in enumerate(sheet(replay, 3, glyphs.LETTERS), start=1):
        x = 1
        for text, role in line:
            pen = DARK.pen(role)
            for sign in text:
                cell = screen.buffer[y][x]
                assert f"#{cell.bg}" == pen.paper, (y, x, role)
                assert sign == " " or f"#{cell.fg}" == pen.ink
                x += 1


# --- Data -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_data_tells_all_that_the_eyes_see_and_no_more(game_id: str) -> None:
    match = a_match(game_id)
    log = log_of(match, remark_text(1, "so"))
    said = data(Replay(log))
    assert said["game"] == game_id
    assert said["by"] == "*"
    assert [(one["actor"], one["step"]) for one in said["steps"]] == [
        (one.actor, one.step) for one in match.steps()
    ]
    assert said["steps"][-1]["position"] == match.game.text(match.state)
    assert said["steps"][-1]["digest"] == match.digest.hex()
    assert said["steps"][0]["remark"] == "so"
    assert said["end"]["kind"] == "outcome"
    for key, by in (("spectator", SPECTATOR), ("1", frozenset({Seat(1)}))):
        replay = Replay(log, key)
        ((header, again, _),) = logs_in(data_text(replay), ids())
        if match.game.SECRETS is None:
            assert again.steps() == match.steps()
        else:
            assert header.by == by
            assert again.steps() == match.seen_by(by).steps()


def test_a_match_from_another_position_keeps_it_and_hides_what_is_hidden() -> None:
    for game_id in ("kuzushi", "kiriai"):
        start = walk(Setup.of(GAMES[game_id]), 1, longest=7)
        header = Header("ab12", start.setup, (), None, start.game.text(start.state))
        log = read(log_text(header, header.begin()))
        ((found, again, _),) = logs_in(data_text(Replay(log)), ids())
        assert found.position == header.position
        assert again.digest == log.match.digest
        seen = data(Replay(log, "spectator"))
        hidden = start.game.view(start.state, SPECTATOR)
        if start.game.SECRETS is not None:
            assert seen["position"] == start.game.text(hidden)


def test_pairs_and_lines_of_several_matches_are_read_as_well() -> None:
    transcripts = recorded("kitsu")[:3]
    text = "\n".join(json.dumps(one) for one in transcripts)
    found = list(logs_in(text, ids()))
    assert [header.match_id for header, _, _ in found] == ["0000", "0001", "0002"]
    for (_, match, _), transcript in zip(found, transcripts, strict=True):
        assert [[one.actor, one.step] for one in match.steps()] == transcript["steps"]


def test_how_people_ended_a_match_comes_back() -> None:
    match = walk(Setup.of(kuzushi), 1, longest=5)
    log = read(log_text(Header("ab", match.setup), match, End("resigned", (Seat(1),))))
    ((header, again, end),) = logs_in(data_text(Replay(log)), ids())
    assert end == End("resigned", (Seat(1),))
    assert text_of(header, again, end) == log_text(log.header, match, log.end)


GOOD = {"game": "kuzushi", "seats": 2, "options": {}, "steps": [[1, "f7"]]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "chess"}, "match 1: "),
        ({"seats": 9}, "match 1: "),
        ({"seats": "two"}, "match 1: "),
        ({"options": {"board": "round"}}, "match 1: "),
        ({"steps": [[1, "xx"]]}, "match 1: step 1: "),
        ({"steps": [[0, "f7"]]}, "match 1: step 1: seat 0 is not to act"),
        ({"steps": [[1]]}, "match 1 is no match"),
        ({"steps": 3}, "match 1 is no match"),
        ({"steps": [{"actor": 1, "step": "f7", "digest": "00"}]}, "the positions differ"),
        ({"names": ["ada"]}, "names and seats do not agree"),
        ({"by": "7"}, "names and seats do not agree"),
        ({"by": "x"}, "match 1: "),
        ({"position": "no"}, "match 1: "),
        ({"end": {"kind": "resigned"}}, "match 1 is no match"),
    ],
)
def test_data_that_is_wrong_is_refused_with_its_place(change: dict[str, Any], said: str) -> None:
    assert list(logs_in(json.dumps(GOOD), ids()))
    with pytest.raises(BadData, match=re.escape(said)):
        list(logs_in(json.dumps(GOOD | change), ids()))


@pytest.mark.parametrize("text", ["", "{", "[1]", "3", "null", '"x"', "[" * 100_000, "{}\n{"])
def test_what_is_no_such_data_is_refused(text: str) -> None:
    with pytest.raises(BadData):
        assert list(logs_in(text, ids())), "nothing in it"


def test_an_end_that_is_none_makes_no_log() -> None:
    said = GOOD | {"end": {"kind": "exploded", "seats": [], "reason": ""}}
    ((header, match, end),) = logs_in(json.dumps(said), ids())
    with pytest.raises(KumiteError, match="no sound log"):
        text_of(header, match, end)


@settings(max_examples=80)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["game", "seats", "options", "steps", "actor", "step", "end", "names"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=8,
    )
)
def test_any_json_is_read_or_refused(value: Any) -> None:
    for said in (value, GOOD | value if isinstance(value, dict) else GOOD):
        try:
            found = list(logs_in(json.dumps(said), ids()))
        except BadData:
            continue
        for one in found:
            try:
                text_of(*one)
            except KumiteError:
                continue
