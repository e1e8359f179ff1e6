"""Saved matches in other forms: text and data; and back where there is a way."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumite.core.errors import BadData, KumiteError
from kumite.core.game import HOLE, SPECTATOR, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text, read
from kumite.core.match import Match
from kumite.core.remarks import remark_text
from kumite.tui.export.cast import recording
from kumite.tui.export.data import data, data_text, texts_in
from kumite.tui.export.html import page
from kumite.tui.export.svg import picture
from kumite.tui.export.text import frames
from kumite.tui.look import glyphs
from kumite.tui.play.replaying import Replay
from tests.core.test_transcripts import RECORDED, recorded
from tests.support.exported import EVERY, KANJI, NAMES, a_match, log_of
from tests.support.random_matches import walk
from tests.tui.export.test_pictures import check_recording


def replayed(transcript: dict[str, Any]) -> Match:
    setup = Setup.of(GAMES[transcript["game"]], transcript["seats"], transcript["options"])
    match = Match.begin(setup)
    for actor, step in transcript["steps"]:
        match = match.play(actor, step)
    return match


def ids() -> Iterator[str]:
    return (f"{number:04x}" for number in count())


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
        ((header, made),) = texts_in(data_text(replay), ids())
        assert header == log.header
        assert read(made).match.steps() == match.steps()
        assert made == log_text(log.header, match)


@pytest.mark.long
@pytest.mark.parametrize("game_id", RECORDED)
def test_every_recorded_match_has_all_forms(game_id: str) -> None:
    check_the_way_back(recorded(game_id))
    for transcript in recorded(game_id):
        check_all_forms(Replay(log_of(replayed(transcript))))


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "seats"), EVERY)
def test_a_match_of_any_game_and_number_of_seats_has_all_forms(game_id: str, seats: int) -> None:
    match = a_match(game_id, seats)
    check_all_forms(Replay(log_of(match.back(min(match.number, 7)))))


def check_all_forms(replay: Replay) -> None:
    texts = list(frames(replay, glyphs.LETTERS))
    assert len(texts) == replay.last + 2
    ET.fromstring(picture(replay, replay.last, KANJI))
    assert page(replay, KANJI).startswith("<!doctype html>")
    check_recording(replay, list(recording(replay, KANJI)))
    assert len(json.loads(data_text(replay))["steps"]) == replay.last


def test_eyes_can_be_chosen_by_key_and_what_a_log_hides_stays_hidden() -> None:
    match = a_match("kiriai")
    whole = Replay(log_of(match))
    assert [eyes.key for eyes in whole.all_eyes] == ["open", "1", "2", "spectator"]
    assert all(HOLE not in one.step for one in whole.line[-1].steps())
    seen = Replay(log_of(match), "2")
    assert seen.line[-1].steps() == match.seen_by(frozenset({Seat(1)})).steps()
    part = Replay(log_of(match.seen_by(SPECTATOR), by=SPECTATOR))
    assert [eyes.key for eyes in part.all_eyes] == ["spectator"]
    mine = Replay(log_of(match.seen_by(frozenset({Seat(1)})), by=frozenset({Seat(1)})))
    assert [eyes.key for eyes in mine.all_eyes] == ["2", "spectator"]
    assert mine.eyes.said == f"as {NAMES[1]}"
    with pytest.raises(KumiteError, match="cannot be seen from '1'") as caught:
        mine.look_from("1")
    assert caught.value.hint == "eyes: 2, spectator"
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
    for key, by in (("spectator", SPECTATOR), ("2", frozenset({Seat(1)}))):
        replay = Replay(log, key)
        ((header, made),) = texts_in(data_text(replay), ids())
        again = read(made).match
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
        ((found, made),) = texts_in(data_text(Replay(log)), ids())
        assert found.position == header.position
        assert read(made).match.digest == log.match.digest
        seen = data(Replay(log, "spectator"))
        hidden = start.game.view(start.state, SPECTATOR)
        if start.game.SECRETS is not None:
            assert seen["position"] == start.game.text(hidden)


def test_pairs_and_lines_of_several_matches_are_read_as_well() -> None:
    transcripts = recorded("kitsu")[:3]
    text = "\n".join(json.dumps(one) for one in transcripts)
    found = list(texts_in(text, ids()))
    assert [header.match_id for header, _ in found] == ["0000", "0001", "0002"]
    for (_, made), transcript in zip(found, transcripts, strict=True):
        steps = read(made).match.steps()
        assert [[one.actor, one.step] for one in steps] == transcript["steps"]


GOOD = {"game": "kuzushi", "seats": 2, "options": {}, "steps": [[1, "f7"]]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "chess"}, "match 1: "),
        ({"seats": 9}, "match 1: "),
        ({"seats": "two"}, "match 1: "),
        ({"options": {"board": "round"}}, "match 1: "),
        ({"steps": [[1, "xx"]]}, "match 1: step 1: "),
        ({"steps": [[0, "f7"]]}, "match 1: step 1: it is not seat 0's turn"),
        ({"steps": [[1]]}, "match 1 is invalid"),
        ({"steps": 3}, "match 1 is invalid"),
        ({"steps": [{"actor": 1, "step": "f7", "digest": "00"}]}, "the positions differ"),
        ({"names": ["ada"]}, "names and seats do not agree"),
        ({"by": "7"}, "names and seats do not agree"),
        ({"by": "x"}, "match 1: "),
        ({"position": "no"}, "match 1: "),
        ({"end": {"kind": "resigned"}}, "match 1 is invalid"),
    ],
)
def test_data_that_is_wrong_is_refused_with_its_place(change: dict[str, Any], said: str) -> None:
    assert list(texts_in(json.dumps(GOOD), ids()))
    with pytest.raises(BadData, match=re.escape(said)):
        list(texts_in(json.dumps(GOOD | change), ids()))


@pytest.mark.parametrize("text", ["", "{", "[1]", "3", "null", '"x"', "[" * 100_000, "{}\n{"])
def test_what_is_no_such_data_is_refused(text: str) -> None:
    with pytest.raises(BadData):
        assert list(texts_in(text, ids())), "nothing in it"


def test_an_end_that_is_none_makes_no_log() -> None:
    said = GOOD | {"end": {"kind": "exploded", "seats": [], "reason": ""}}
    with pytest.raises(BadData, match="the log would be invalid"):
        list(texts_in(json.dumps(said), ids()))


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
            list(texts_in(json.dumps(said), ids()))
        except BadData:
            continue
