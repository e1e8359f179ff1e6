"""The tutor: it calls a blunder what costs much by a longer look, and waits as little as it can."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from kumite.core.bots import Choice, Line, Position
from kumite.core.game import Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.tui.bots.judging import BLUNDER, Judge, Tutor
from kumite.tui.bots.programs import called
from kumite.tui.bots.service import BotService
from kumite.tui.play.local_table import split_names
from tests.support import kitsu_positions
from tests.support.fake_player import FakePlayer


def tutor_at_kuzushi(player: FakePlayer, seats: int = 2) -> Tutor:
    match = Match.begin(Setup.of(GAMES["kuzushi"], seats))
    return Tutor(Judge(player), match, Seat(int(match.actors[0])))


def judging(worths: dict[str, float]) -> FakePlayer:
    """Return a player who finds the first steps worth this, and each position after them."""

    def answer(position: Position) -> Choice:
        if not position.seen:
            lines = tuple(Line(Step(step), worth, 0.5) for step, worth in worths.items())
            return Choice(lines[0].step, lines[0].value, lines)
        worth = worths.get(position.seen[0].step, 0.0)
        step = position.legal[0]
        return Choice(step, 1 - worth, (Line(step, 1 - worth, 1.0),))

    return FakePlayer(answer)


async def test_a_step_that_costs_little_is_fine_at_once() -> None:
    player = judging({"f7": 0.7, "e6": 0.7 - BLUNDER + 0.01})
    tutor = tutor_at_kuzushi(player)
    assert not tutor.is_fine(Step("f7"))  # it has not looked yet
    await tutor.prepare()
    assert tutor.is_fine(Step("f7"))
    assert tutor.is_fine(Step("e6"))
    assert await tutor.blunder(Step("e6")) is None
    assert len(player.asked) == 1


async def test_of_a_step_that_was_advised_a_tutor_does_not_warn() -> None:
    player = judging({"f7": 0.7, "e6": 0.3})
    tutor, match = tutor_at_kuzushi(player), Match.begin(Setup.of(GAMES["kuzushi"], 2))
    seat = Seat(int(match.actors[0]))
    await tutor.prepare()
    tutor._judge.advised(match, seat, Choice(Step("e6"), 0.7))
    assert await Tutor(tutor._judge, match, seat).blunder(Step("e6")) is None


async def test_a_step_that_costs_much_is_a_blunder_by_every_look() -> None:
    player = judging({"f7": 0.7, "e6": 0.3})
    tutor = tutor_at_kuzushi(player)
    found = await tutor.blunder(Step("e6"))
    assert (found.had, found.left) == (0.7, pytest.approx(0.3))
    answer = found.ahead.answer
    assert answer.match.actors == (answer.seat,)
    assert answer.step in answer.match.legal(answer.seat)
    short, *_, long = sorted({one or 0 for one in player.simulations})
    assert short * 5 == long  # the short look, the long ones


async def test_what_a_short_look_clears_is_not_looked_at_longer() -> None:
    """A search values badly what it has hardly looked at: `g6` seems lost, and is not."""
    player = judging({"f7": 0.7, "g6": 0.6})
    seems = player.answer

    def answer(position: Position) -> Choice:
        assert seems is not None
        found = seems(position)
        if position.seen:
            return found
        lost = (found.lines[0], Line(Step("g6"), 0.0, 0.0))
        return Choice(found.step, found.value, lost)

    player.answer = answer
    tutor = tutor_at_kuzushi(player)
    assert await tutor.blunder(Step("g6")) is None
    assert len(player.asked) == 2


async def test_with_more_than_two_sides_the_position_alone_tells() -> None:
    player = judging({"g8": 0.6, "h7": 0.1})
    tutor = tutor_at_kuzushi(player, 4)
    found = await tutor.blunder(Step("h7"))
    assert (found.had, found.left) == (0.6, 0.1)
    assert await tutor.blunder(Step("h9")) is None  # nobody knows what it is worth


async def test_nobody_is_asked_twice_for_the_same_position() -> None:
    player = judging({"f7": 0.7, "e6": 0.3})
    tutor = tutor_at_kuzushi(player)
    await asyncio.gather(tutor.prepare(), tutor.prepare())
    assert len(player.asked) == 1
    await tutor.blunder(Step("e6"))
    asked = len(player.asked)
    await tutor.blunder(Step("e6"))
    assert len(player.asked) == asked


async def test_a_win_that_would_be_missed_is_seen() -> None:
    """By the bot itself, in a position whose win begins quietly."""
    game = GAMES["kitsu"]
    state = game.parse(kitsu_positions.WIN)
    match = Match.begin(Setup.of(game, *game.setup_of(state)), None, state)
    service = BotService()
    try:
        tutor = Tutor(Judge(service), match, Seat(0))
        assert await tutor.blunder(Step("g4-h2")) is None
        found = await tutor.blunder(Step("e2xf3"))
        assert found.wins
        assert found.had == 1.0
    finally:
        service.close()


# --- What players are called ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("ada,bob", ["ada", "bob"]),
        (" ada , ,bot:simple", ["ada", "", "bot:simple"]),
        ("me,cmd:./x -d 3", ["me", "cmd:./x -d 3"]),
        ("cmd:./x 'a, b',O'Neil,eve", ["cmd:./x 'a, b'", "O'Neil", "eve"]),
        ('cmd:./x "a,b" c,cmd:y', ['cmd:./x "a,b" c', "cmd:y"]),
        ("cmd:./x 'a,eve", ["cmd:./x 'a", "eve"]),
        ("2:simple,3:cmd:./x '1,2',4", ["2:simple", "3:cmd:./x '1,2'", "4"]),
    ],
)
def test_names_are_split_at_commas_but_not_within_quotes(said: str, names: list[str]) -> None:
    assert split_names(said) == names


def test_a_program_is_called_by_its_file_and_commands_that_differ_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my own bot for the winter cup.py").touch()
    long = "cmd:sh 'my own bot for the winter cup.py'"
    names, programs = called(["cmd:sh -c 1", "ada", "cmd:sh -c 2", "cmd:sh -c 1", long])
    assert names == ("cmd:sh", "ada", "cmd:sh 2", "cmd:sh", "cmd:my own bot for the")
    assert programs == {
        "cmd:sh": "cmd:sh -c 1",
        "cmd:sh 2": "cmd:sh -c 2",
        "cmd:my own bot for the": long,
    }
    assert max(map(len, names)) <= 24  # the most that a LAN table takes
