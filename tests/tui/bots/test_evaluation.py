"""Values of a whole match: whose, what is asked, the curve, its largest changes, what is kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from kumite.cli.main import main
from kumite.core.bots import Choice, Line, Position
from kumite.core.game import SPECTATOR, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text
from kumite.core.match import Match
from kumite.store import evaluations
from kumite.store.evaluations import Judged
from kumite.tui.bots import advice, kernels
from kumite.tui.bots.evaluation import (
    Values,
    curve_line,
    judgement,
    question,
    simulations_of,
    table,
)
from kumite.tui.bots.judging import Judge, Tutor, hint, look_back, recall, simulations_here
from kumite.tui.bots.looking import worth_after
from kumite.tui.bots.review import Review
from kumite.tui.look.glyphs import LOOKS, Look
from kumite.tui.scenes.lines import plain
from tests.support.fake_player import FakePlayer
from tests.support.random_matches import walk

NAMES = ("ada", "bob", "cyd", "dan")


def a_match(game_id: str, seats: int | None = None, steps: int = 8) -> Match:
    return walk(Setup.of(GAMES[game_id], seats), 3, steps)


def answered(values: Values, *told: float | None) -> Values:
    """Let a bot say these values, in the order in which it is asked."""
    for number, value in zip(values.left, told, strict=False):
        step = values.question(number).position.legal[0]
        lines = () if value is None else (Line(step, value, 1.0),)
        seat = values.asked[number]
        values.judged[number] = judgement(
            Choice(step, value, lines), seat, values.simulations, is_mixed=False
        )
    return values


def test_the_values_of_two_sides_are_told_for_the_first_seat() -> None:
    values = answered(Values(a_match("kuzushi", steps=3), None), 0.6, 0.6, 0.3, 0.5)
    assert [values.asked[number] for number in range(4)] == [1, 0, 1, 0]
    assert values.curve() == pytest.approx((0.4, 0.6, 0.7, 0.5))


def test_what_is_not_known_stays_as_it_was_and_what_is_still_to_come_is_open() -> None:
    values = answered(Values(a_match("kuzushi", steps=4), None), 0.6, None, 0.3)
    assert values.curve() == (
        pytest.approx(0.4),
        pytest.approx(0.4),
        pytest.approx(0.7),
        None,
        None,
    )
    assert values.left == (3, 4)


def test_of_three_and_more_sides_only_ones_own_positions_are_known() -> None:
    values = answered(Values(a_match("kuzushi", 4, steps=8), None), *[0.1] * 9)
    assert set(values.known()) == {n for n, seat in values.asked.items() if seat == 0}
    team = answered(Values(a_match("kumo", 4, steps=30), None), *[0.2] * 31)
    assert set(team.curve()) == {0.2, 0.8}  # partners share a value


def test_the_end_is_worth_what_it_is() -> None:
    for seed in range(4):
        match = walk(Setup.of(GAMES["kuzushi"]), seed)
        won = Seat(0) in match.outcome.winners
        assert Values(match, None).known() == {match.number: float(won)}


@pytest.mark.parametrize("game_id", ["kiriai", "kitsune"])
def test_each_pair_of_eyes_is_asked_for_itself_alone(game_id: str) -> None:
    match = a_match(game_id, steps=60)
    for seat in (Seat(0), Seat(1)):
        own = frozenset({seat})
        for seen in (match, match.seen_by(own)):
            values = Values(seen, own)
            assert set(values.asked.values()) == {seat}
            assert values.subject == seat
            for number in list(values.asked)[:3]:
                assert values.question(number).position.view == match.game.view(
                    match.back(number).state, own
                )
    assert not Values(match.seen_by(SPECTATOR), SPECTATOR).asked


def test_of_a_choice_made_by_several_at_once_the_first_stands_for_all() -> None:
    match = walk(Setup.of(GAMES["kiriai"]), 1)
    values = Values(match, None)
    assert set(values.asked.values()) == {0}
    for number in values.asked:
        assert match.back(number).actors == (0, 1)


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_the_curve_is_as_high_as_its_values_in_any_glyphs(look: Look) -> None:
    points = (None, 0.0, 0.3, 0.6, 1.0)
    text = plain(curve_line(points, {3: ""}, 2, len(points), look))
    heights = look.heights
    assert text == f" {heights[0]}{heights[2]}{heights[4]}{heights[7]}"
    assert len(set(heights)) == len(heights) == 8
    assert {role: text for text, role in curve_line(points, {3: ""}, 2, len(points), look)} == {
        "quiet": heights[7],
        "title": heights[2],
        "contested": heights[4],
    }
    assert [len(plain(curve_line((0.5,) * 200, {}, 7, size, look))) for size in (30, 0)] == [30, 0]


def test_a_table_of_values_has_every_step() -> None:
    values = answered(Values(a_match("kuzushi", steps=4), None), 0.5, 0.5, 0.9, 0.9, 0.1)
    lines = table(values, NAMES, ("", "one", "two", "three", "four"))
    assert lines[0].endswith("value to ada")
    assert lines[3].split() == ["2", "10", "%", values.judged[2].step, "two"]
    assert len(lines) == 6


# --- judging and keeping ----------------------------------------------------------------------


def curve_of(match: Match, simulations: int | None = None) -> Review:
    return Review(match, None, frozenset(), values=Values(match, None, simulations))


async def test_all_positions_are_judged_once_and_kept(tmp_path: Path) -> None:
    match = a_match("kuzushi", steps=6)
    mind, told = FakePlayer(), list[int]()
    review = curve_of(match, 7)
    await look_back(Judge(mind, "ab12"), review, lambda: told.append(review.done))
    assert sorted(set(told)) == [1, 2, 3, 4, 5, 6, 7]
    asked = len(mind.asked)
    assert set(mind.simulations) == {7}
    assert (tmp_path / "values" / "ab12.json").is_file()
    again = curve_of(match, 7)
    await look_back(Judge(mind, "ab12"), again)
    assert len(mind.asked) == asked
    assert again.values[0].judged == review.values[0].judged
    await look_back(Judge(mind, "ab12"), longer := curve_of(match.play(*_next(match)), 7))
    assert (
        mind.asked[asked] == longer.values[0].question(7).position
    )  # what was known is not asked again


async def test_a_longer_look_replaces_a_shorter_one_for_all_that_ask() -> None:
    match = a_match("kuzushi", steps=4)
    asked = question(match, Seat(int(match.actors[0])))
    mind, judge = FakePlayer(), Judge(FakePlayer(), "ab12")
    judge.player = mind
    short = await judge.look(asked, 5)
    assert await judge.look(asked, 5) is short
    long = await judge.look(asked, 50)
    assert mind.simulations == [5, 50]
    assert await judge.look(asked, 5) is long
    judge.save()
    evaluations.save("ab12", {asked.key: short})  # somebody who looked only briefly
    assert evaluations.load("ab12") == {asked.key: long}
    curve = curve_of(match, 5)
    recall(curve, Judge(mind, "ab12"))
    assert curve.values[0].judged[match.number] == long


async def test_a_hint_has_two_to_four_seconds_and_what_was_searched_so_long_is_known() -> None:
    match = a_match("kuzushi", steps=4)
    seat = Seat(int(match.actors[0]))
    judge, mind = Judge(FakePlayer(), "ab12"), FakePlayer()
    judge.player = mind
    await judge.look(question(match, seat), 199)
    found = [await hint(judge, match, seat, 100) for _ in range(2)]
    assert found[0] == found[1]
    assert (mind.simulations, mind.seconds, mind.early) == ([199, 400], [None, 4.0], [None, 2.0])
    other = Judge(mind, "cd34")
    await other.look(question(match, seat), 200)
    await hint(other, match, seat, 100)
    assert mind.simulations == [199, 400, 200]


def test_the_fewer_choices_a_match_has_the_longer_each_is_thought_about() -> None:
    strong = 6000
    found = {steps: simulations_of(a_match("kuzushi", steps=steps)) for steps in (5, 25)}
    assert found == {5: 4 * strong, 25: 4 * strong}
    kumo = {steps: simulations_of(a_match("kumo", steps=steps)) for steps in (20, 70, 239, 800)}
    assert kumo == {20: 4 * 45000, 70: 60000, 239: 22500, 800: 9000}


@pytest.mark.parametrize("game_id", sorted(GAMES))
@pytest.mark.parametrize("reason", ["", kernels.MISSING])
def test_where_loops_are_compiled_positions_are_judged_with_more(
    game_id: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "why_not", lambda: reason)
    match = a_match(game_id, steps=4)
    times = simulations_here(match) / simulations_of(match)
    assert times == 1 if reason or game_id == "kiriai" else times >= 10


def _next(match: Match) -> tuple[Seat, Step]:
    seat = Seat(int(match.actors[0]))
    return seat, match.legal(seat)[0]


def test_values_are_kept_as_they_are_and_what_is_none_is_no_value(tmp_path: Path) -> None:
    compared = ((Step("f7"), 0.25), (Step("e6"), 0.2))
    rows = {
        "a": Judged(
            *(1, 0.25, Step("f7"), compared, (Step("f7"), Step("g8")), 9, Step("e6"), (0.7, 0.3))
        ),
        "b": Judged(0, None, Step("g6")),
    }
    evaluations.save("ab", rows)
    assert evaluations.load("ab") == rows
    evaluations.save("ab", {"c": Judged(0, 1.0, Step("e6"))})
    assert set(evaluations.load("ab")) == {"a", "b", "c"}
    path = tmp_path / "values" / "ab.json"
    sound = path.read_text()
    worse = [sound.replace(*change) for change in (("0.25", "2"), ("1,", ""), ('"e6"', "6"))]
    for bad in ("", "[]", "{", '{"format":1}', '{"format":3,"values":[]}', *worse):
        path.write_text(bad)
        assert evaluations.load("ab") == {}
    path.unlink()
    path.mkdir()
    for before in ("3-ab-0", "4-ab-1"):  # a position cannot come from itself, or from a later one
        evaluations.save(
            "cd", {"3-ab-0": Judged(0, 0.5, Step("e6"), origins=((before, Step("e5")),))}
        )
        assert evaluations.load("cd") == {}
    evaluations.save("ab", rows)  # it cannot be kept; nothing breaks
    assert evaluations.load("ab") == {}


def guesses(position: Position) -> Choice:
    """Return a choice with random values, the same ones for the same steps so far."""
    rng = Random(f"{[*position.seen]}")
    some = tuple(Line(step, rng.random(), 0.5) for step in rng.sample(position.legal, 1))
    return Choice(some[0].step, some[0].value, some)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("game_id", "seats"), [("kuzushi", 2), ("kuzushi", 3), ("kitsu", 2), ("kumo", 2), ("kumo", 4)]
)
async def test_a_position_is_worth_what_its_players_step_reached_to_all_that_ask(
    game_id: str, seats: int, seed: int
) -> None:
    match = walk(Setup.of(GAMES[game_id], seats), seed, 24)
    review = Review(match, None, frozenset())
    await look_back(Judge(FakePlayer(guesses), "ab"), review)
    (values,), judge = review.values, Judge(FakePlayer(guesses), "ab")  # what was kept
    asked = values.asked
    for number in (one for one in asked if number_in_reach(one, asked, seats)):
        before, after = values.judged[number], values.judged[number + 1]
        reached = after.value if asked[number + 1] == asked[number] else 1 - after.value
        assert before.value >= reached
        if before.step != match.back(number + 1).last.step:
            assert before.value > reached
        assert judge.known(values.question(number)) == before
        told = await hint(judge, match.back(number), asked[number], a_second=1)
        assert (told.step, told.value) == (before.step, before.value)
        prepared = await Tutor(judge, match.back(number), asked[number]).prepare()
        assert prepared.value >= told.value
    for one in review.blamed:
        for number in range(one.number + 1, match.number):
            if {*map(asked.get, range(one.number, number + 1))} != {one.seat}:
                break
            assert values.judged[number].value < one.had


def number_in_reach(number: int, asked: Mapping[int, Seat], seats: int) -> bool:
    """Return whether a position is followed by one of the same seat, or of its only opponent."""
    return number + 1 in asked and (seats == 2 or asked[number + 1] == asked[number])


async def test_a_longer_look_does_not_bring_back_what_a_step_has_refuted() -> None:
    """A hint after the tutor's look, in the same position and in the same turn."""
    match = walk(Setup.of(GAMES["kitsu"]), 3, 12)
    seat = Seat(int(match.actors[0]))
    better = match.legal(seat)[-1]

    def answer(position: Position) -> Choice:
        if len(position.seen) == match.number:
            lines = Line(position.legal[0], 0.56, 0.9), Line(better, 0.4, 0.1)
            return Choice(lines[0].step, 0.56, lines)
        value = 0.99 if position.seat == seat else 0.01
        return Choice(position.legal[0], value, (Line(position.legal[0], value, 1.0),))

    judge = Judge(FakePlayer(answer), "ab")
    await Tutor(judge, match, seat).prepare()
    await judge.answered(worth_after(match, seat, better), 600)
    judge.save()
    for one in (judge, Judge(FakePlayer(answer), "ab")):
        told = await hint(one, match, seat)
        assert (told.step, told.value) == (better, 0.99)
        assert told.lines[:2] == (Line(better, 0.99, 0.1), Line(match.legal(seat)[0], 0.56, 0.9))
        assert advice.how_found(told).endswith(
            f"your chance 99 %, next {match.legal(seat)[0]} with 56 %"
        )


# --- on the command line ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "said", "refused"),
    [
        (
            "analyse",
            ["step  value  best                  value to ada", "   0 ", "   1 "],
            "position",
        ),
        ("review", ["ada: accuracy ", "bob: accuracy "], "choice"),
    ],
)
def test_a_log_is_judged_on_the_command_line_and_a_second_time_from_what_was_kept(
    command: str, said: list[str], refused: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.kumite"

    def asked(game_id: str, *more: str) -> Result:
        match = a_match(game_id, steps=8)
        header = Header("ab12", match.setup, NAMES[:2])
        path.write_text(log_text(header, match), encoding="utf-8")
        return CliRunner().invoke(main, ["log", command, str(path), *more])

    first = asked("kuzushi", "--simulations", "20")
    assert first.exit_code == 0, first.output
    assert "judging" in first.stderr
    lines = first.stdout.splitlines()
    assert all(line.startswith(one) for line, one in zip(lines, said, strict=False))
    assert command == "review" or "bob lays" in lines[2]
    kept = (tmp_path / "values" / "ab12.json").read_bytes()
    assert asked("kuzushi", "--simulations", "20").stdout == first.stdout
    assert (tmp_path / "values" / "ab12.json").read_bytes() == kept
    blind = asked("kiriai", "--eyes", "spectator")
    assert blind.exit_code != 0
    assert f"no {refused} can be judged" in blind.output
