"""How far a bot left the solution that it has: told once the match is over, and not before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kumite.core.bots import Choice, Position
from kumite.core.game import Seat, Setup, Step
from kumite.core.games import find
from kumite.core.table import TakeBack
from kumite.store import log_files
from kumite.tui.bots import protocol
from kumite.tui.bots.service import BotService
from kumite.tui.play.local_table import LocalTable

BOT = Seat(1)


class Leaving(BotService):
    """A mind that leaves a solution by so much, one choice after the other."""

    def __init__(self, *left: float | None) -> None:
        super().__init__()
        self.left = list(left)

    async def choose(self, who: str, position: Position, **_: Any) -> Choice:
        return Choice(position.legal[0], left=self.left.pop(0))


async def play(table: LocalTable, mind: Leaving) -> None:
    """Play until the mind has nothing more to say."""
    while mind.left:
        seat = table.bot_to_act()
        if seat is not None:
            table.play(seat, await table.think(seat, mind, 1.0))
        else:
            assert table.acting is not None
            table.play(table.acting, table.match.legal(table.acting)[0])


def begun(logs: Path) -> LocalTable:
    return LocalTable.begin(Setup.of(find("kuzushi"), 2), ("ada", "bot:7"), logs)


def notes(table: LocalTable) -> list[str]:
    assert table.path is not None
    log = log_files.load(table.path)
    return [one.rest for one in log.entries if one.kind == "note"]


async def test_it_is_told_and_noted_when_the_match_is_over(tmp_path: Path) -> None:
    table = begun(tmp_path)
    await play(table, Leaving(0.0, 0.021, 0.0001, 0.034))
    assert table.left == {}
    assert notes(table) == []
    table.resign()
    said = "left the solution in 2 of 4 choices, by up to 3.4 %"
    assert table.left == {BOT: said}
    assert notes(table) == [f"solution: seat 1 {said}"]
    assert table.path is not None
    assert log_files.load(table.path).end == table.end
    table.close()


async def test_a_bot_that_never_left_it_is_said_to_have_kept_to_it(tmp_path: Path) -> None:
    table = begun(tmp_path)
    await play(table, Leaving(0.0, 0.0))
    table.resign()
    assert table.left == {BOT: "kept to the solution in 2 choices"}
    table.close()


async def test_of_bots_without_a_solution_nothing_is_said(tmp_path: Path) -> None:
    table = begun(tmp_path)
    await play(table, Leaving(None, None))
    table.resign()
    assert table.left == {}
    assert notes(table) == []
    table.close()


async def test_choices_that_were_taken_back_do_not_count(tmp_path: Path) -> None:
    table = begun(tmp_path)
    await play(table, Leaving(0.01, 0.04))
    before = table.last_choice()
    assert before is not None
    table.do(TakeBack(before.number))
    table.resign()
    assert table.left == {BOT: "left the solution in 1 of 1 choice, by up to 1.0 %"}
    table.close()


def test_it_comes_back_from_another_process() -> None:
    for left in (None, 0.0, 0.034):
        choice = Choice(Step("e6"), left=left)
        answer = protocol.answer(choice)
        assert answer.get("left") == left
        assert ("left" in answer) == (left is not None)
        assert protocol.choice_of(protocol.line(answer), (choice.step,)) == choice
