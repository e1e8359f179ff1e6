"""Logs with every kind of line, cut or changed at any byte: sound up to there, and said where."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumite.core.errors import BadLog
from kumite.core.game import SPECTATOR, Setup
from kumite.core.games import GAMES
from kumite.core.log import Header, Log, Writer, read, read_on, skim, step_text
from kumite.core.match import Match
from kumite.core.origins import completed, opened, origin, talk
from kumite.core.remarks import remarks
from tests.support.random_matches import walk

MIDDLE = 5  # steps before anything is taken back


@cache
def data_of(game_id: str, audit: str = "sound 0,1") -> bytes:
    """Return a log with every kind of line that there is, and one that there is not."""
    setup = Setup.of(GAMES[game_id])
    match = walk(setup, 1, longest=12)
    seen = match.seen_by(SPECTATOR)
    header = Header(
        "ab12", setup, ("木村", "bob ~ a"), SPECTATOR, "", ("from cd 0", "place garden")
    )
    writer, text = Writer().header(header)

    def add(*lines: str) -> None:
        nonlocal writer, text
        writer, more = writer.lines(*lines)
        text += more

    def steps(match: Match, first: int, last: int) -> None:
        add(*(step_text(match.back(number)) for number in range(first, last + 1)))

    add("note a 木", "say 0 wie schön!", "remark 0 the start")
    steps(seen, 1, MIDDLE)
    add(f"remark {MIDDLE} odd", "back 2", "remark 2 well", "clock 1 59.5")
    steps(seen, 3, seen.number)
    whole = zip(match.steps(), seen.steps(), strict=True)
    add(*(f"open {n} {full.step}" for n, (full, part) in enumerate(whole, 1) if full != part))
    add(f"audit {audit}", "end adjourned 0,1", "note after", "end resigned 1")
    return text.encode()


def opened_data(data: bytes) -> Log:
    return read(data.decode("utf-8", errors="replace"))


@pytest.mark.parametrize("game_id", GAMES)
def test_every_kind_of_line_is_read(game_id: str) -> None:
    log = opened_data(data_of(game_id))
    assert log.damage is None
    kinds = {entry.kind for entry in log.entries}
    expected = {"step", "back", "note", "say", "remark", "clock", "audit", "end"}
    assert kinds - {"open"} == expected
    assert ("open" in kinds) == (GAMES[game_id].SECRETS is not None)
    assert remarks(log.entries) == {0: "the start", 2: "well"}
    assert origin(log.header) == ("cd", 0)
    whole = completed(log)
    assert whole is not None
    assert whole.by is None


@pytest.mark.parametrize("game_id", GAMES)
def test_a_log_read_on_from_any_line_is_as_read_at_once(game_id: str) -> None:
    """Also when steps are opened before that line, and audited after it."""
    text = data_of(game_id, "fair").decode()
    once = read(text)
    assert once.damage is None
    assert once.whole is not None
    header = text.index("\n", text.index("\nbegin ") + 1)
    for place in (at for at in range(header, len(text)) if text[at] == "\n"):
        log = read_on(read(text[: place + 1]), text[place + 1 :])
        assert log.whole is not None
        assert log.match.digest == once.match.digest
        assert log.whole.steps() == once.whole.steps()
        assert replace(log, match=once.match, whole=once.whole) == once


@pytest.mark.parametrize("game_id", GAMES)
@settings(max_examples=60)
@given(data=st.data())
def test_a_log_damaged_at_any_byte_opens_up_to_it_and_says_where(
    game_id: str, data: st.DataObject
) -> None:
    sound = data_of(game_id)
    place = data.draw(st.integers(0, len(sound) - 1))
    what = data.draw(st.sampled_from(["cut", "change", "insert", "remove", "swap", "twice"]))
    some = data.draw(st.binary(min_size=1, max_size=3))
    before, one, other, after = lines_at(sound, sound.count(b"\n", 0, place))
    damaged = {
        "cut": sound[:place],
        "change": sound[:place] + some + sound[place + len(some) :],
        "insert": sound[:place] + some + sound[place:],
        "remove": sound[:place] + sound[place + len(some) :],
        "swap": before + other + one + after,
        "twice": before + one + one + other + after,
    }[what]
    same = next(
        (n for n, (a, b) in enumerate(zip(damaged, sound, strict=False)) if a != b),
        min(len(damaged), len(sound)),
    )
    check(sound, damaged, sound[:same].count(b"\n"), is_whole=damaged == sound)


def lines_at(data: bytes, number: int) -> tuple[bytes, bytes, bytes, bytes]:
    """Return what is before a line, it, the next one, and what follows."""
    lines = [*data.splitlines(keepends=True), b""]
    joined = b"".join(lines[:number]), lines[number], lines[number + 1]
    return *joined, b"".join(lines[number + 2 :])


@pytest.mark.parametrize("game_id", ["kuzushi", "kiriai"])
def test_a_log_cut_at_every_byte_opens_up_to_it(game_id: str) -> None:
    sound = data_of(game_id)
    for place in range(0, len(sound), 7):
        check(sound, sound[:place], sound[:place].count(b"\n"), is_whole=False)


def check(sound: bytes, damaged: bytes, lines: int, *, is_whole: bool) -> None:
    """Check that exactly the first `lines` lines are read, and that the next is named."""
    whole = opened_data(sound)
    head = whole.lines - len(whole.entries)
    if lines < head:
        with pytest.raises(BadLog, match=r"^line \d+: "):
            opened_data(damaged)
        return
    log = opened_data(damaged)
    assert log.lines == lines
    assert log.header == whole.header
    assert log.entries == whole.entries[: lines - head]
    kept = b"".join(sound.splitlines(keepends=True)[:lines])
    assert damaged.startswith(kept)
    again = opened_data(kept + log.writer.line("note mended")[1].encode())
    assert again.damage is None
    assert again.entries[-1].rest == "mended"
    again = opened_data(kept)
    assert again.damage is None
    assert again.match.digest == log.match.digest
    is_at_its_end = is_whole or damaged == kept
    assert (log.damage is None) == is_at_its_end
    if log.damage is not None:
        assert log.damage.line == lines + 1
    found = skim(damaged.decode("utf-8", errors="replace"))
    assert (found.number, found.end) == (log.match.number, log.end)
    assert (found.damage is None) == (log.damage is None)
    assert opened(log) == opened(again)
    assert talk(log) == talk(again)
    assert (completed(log) is None) == (completed(again) is None)
    assert remarks(log.entries) == remarks(again.entries)
