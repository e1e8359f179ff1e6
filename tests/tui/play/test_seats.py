"""Seats as people read and type them: counted from 1, or the player's name."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from kumite.cli.main import main
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import GAMES, find
from kumite.core.log import Header, Writer, read
from kumite.core.match import Match
from kumite.core.players import named
from kumite.store import log_files
from kumite.tui.bots.service import BotService
from kumite.tui.export.rules_page import rules_text
from kumite.tui.plain import words
from kumite.tui.plain.console import Console
from kumite.tui.plain.table import PlainTable
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes import notation
from kumite.tui.scenes.about import about
from kumite.tui.settings import Settings
from tests.support.random_matches import walk

NAMES = ("ann", "ben b.", "cy", "dee")


def taking() -> Match:
    """Return a match of Zenko and Yako in which a clan takes a token."""
    for seed in range(50):
        for match in walk(Setup.of(find("kitsune"), 4), seed).line():
            if match.state.phase == "take" and match.actors != (CHANCE,):
                return match
    raise AssertionError("no token was won")


@pytest.mark.parametrize("text", ["there is no seat 5", "side 7 holds it"])
def test_a_seat_that_nobody_has_is_counted_from_1(text: str) -> None:
    """A typed `lead:5` at a table of two ended the program: the name of seat 5 was looked up."""
    assert named(text, ("ann", "ben")) == re.sub(r"\d", lambda it: str(int(it[0]) + 1), text)


def test_a_player_is_named_where_a_step_has_a_seat() -> None:
    match = taking()
    steps = match.legal(match.actors[0])
    shown = [notation.spelled(GAMES["kitsune"], step, NAMES) for step in steps]
    assert all(any(f">{name}" in one for name in NAMES) for one in shown)
    assert [notation.unspelled(GAMES["kitsune"], one.upper(), NAMES).lower() for one in shown] == [
        *steps
    ]
    both = " ".join(shown[:2])
    assert notation.unspelled(GAMES["kitsune"], both, NAMES).split() == [*steps[:2]]
    assert notation.unspelled(GAMES["kitsune"], "lead:benno", NAMES) == "lead:benno"
    assert notation.spelled(GAMES["kuzushi"], "f1", NAMES) == "f1"


def test_line_mode_lists_and_takes_the_names_of_players(tmp_path: Path) -> None:
    match = taking()
    seat = Seat(int(match.actors[0]))
    (listed, *_) = words.choices(match.seen_by(frozenset({seat})), seat, NAMES, "take")
    typed = listed.partition(": ")[0]
    said: list[str] = []
    chunks = iter([f"\n{typed}\nquit\n".encode()])

    async def run() -> LocalTable:
        table = LocalTable(match, NAMES, None)
        console = Console(lambda: next(chunks, b""), said.append, is_terminal=False)
        await PlainTable(table, console, BotService(), Settings()).run()
        return table

    table = asyncio.run(run())
    assert table.match.number > match.number, "".join(said)
    assert not re.search(r">\d", "".join(said))


def test_a_log_that_is_damaged_names_the_player() -> None:
    setup = Setup.of(find("kuzushi"), 3)
    header = Header("ab" * 8, setup, ("ann", "ben", "cy"))
    writer, lines = Writer().header(header)
    damage = read(lines + writer.lines("step 1 2 g8 00000000")[1]).damage
    assert damage is not None
    assert "it is not cy's turn" in str(damage)


def test_eyes_are_chosen_by_name_or_by_a_number_from_1(tmp_path: Path) -> None:
    match = walk(Setup.of(find("kiriai"), 2), 1)
    file = log_files.LogFile.create(Header("ab" * 8, match.setup, ("ann", "ben")), match, tmp_path)
    file.close()
    log = log_files.load(file.path)
    assert Replay(log, "ben").eyes == Replay(log, "2").eyes != Replay(log, "1").eyes
    done = CliRunner().invoke(main, ["log", "show", str(file.path), "--eyes", "ben"])
    assert done.exit_code == 0, done.output
    wrong = CliRunner().invoke(main, ["log", "show", str(file.path), "--eyes", "cy"])
    assert "cannot be seen from 'cy'" in wrong.output


@pytest.mark.parametrize("who", ["2", "ben b."])
def test_a_bot_goes_on_for_a_player_who_is_named(
    who: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = Setup.of(find("kuzushi"))
    header = Header("ab" * 8, setup, ("ann", "ben b."))
    file = log_files.LogFile.create(header, Match.begin(setup), tmp_path)
    file.close()
    opened: list[LocalTable] = []
    monkeypatch.setattr(
        "kumite.cli.opening.open_table", lambda _, make, **__: opened.append(make())
    )
    done = CliRunner().invoke(main, ["resume", str(file.path), "--bots", f"{who}:easy"])
    assert done.exit_code == 0, done.output
    assert opened[0].names == ("ann", "bot:easy")
    opened[0].close()


@pytest.mark.parametrize("game_id", GAMES)
def test_rules_pages_count_seats_from_1(game_id: str) -> None:
    """`seat 0` on a page was `Seat 1` in the set-up: two players could both be the first."""
    page = rules_text(game_id)
    assert not re.search(r"\bseats? 0\b|\b0 to \d\b", page)
    said = [one for pair in about(game_id).forms for one in pair]
    assert not [one for one in said if re.search(r"\bseat \d|[>:]\d$", one)]
