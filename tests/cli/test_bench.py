"""Mini-Kuzushi: the same work as a game and in plain integers; the lines of `kumite bench`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from kumite.cli.bench import plain_integers as plain
from kumite.cli.bench import run
from kumite.cli.main import main
from kumite.core.errors import BadNotation
from kumite.core.game import Game, Outcome, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.match import Match, perft
from tests.support import mk6
from tests.support.mk6 import ALL_GAMES

FIXED = (29918, 444, 237, 319, 3777307656)  # steps, wins of seats 0 and 1, draws, check number


@pytest.mark.parametrize(
    "depth", [4, pytest.param(5, marks=pytest.mark.long)], ids=["short", "long"]
)
def test_step_sequences_are_those_of_its_description(depth: int) -> None:
    counts = (36, 196, 2128, 24584, 357672)
    assert perft(mk6, mk6.start(2, {}), depth) == counts[:depth]


def numbers() -> Iterator[int]:
    x = 2463534242
    while True:
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
        yield x


def test_a_thousand_fixed_matches_as_a_game() -> None:
    steps, check, wins = 0, 0, [0, 0, 0]
    x = numbers()
    for _ in range(1000):
        state = mk6.start(2, {})
        while actors := mk6.actors(state):
            (actor,) = actors
            legal = mk6.legal(state, actor)
            step = legal[next(x) % len(legal)]
            state = mk6.apply(state, actor, step)
            check = (check * 31 + int(step) + 1) & 0xFFFFFFFF
            steps += 1
        outcome = mk6.outcome(state)
        assert outcome is not None
        wins[outcome.winners[0] if outcome.winners else 2] += 1
    assert (steps, *wins, check) == FIXED


def test_a_thousand_fixed_matches_in_plain_integers() -> None:
    assert plain.playouts(1000) == FIXED


@pytest.mark.long
def test_more_fixed_matches_in_plain_integers() -> None:
    for matches, steps, check in ((3000, 89926, 2711141800), (6000, 179865, 3417032387)):
        found = plain.playouts(matches)
        assert (found[0], found[-1]) == (steps, check)
        assert sum(found[1:4]) == matches


def test_the_generator_is_the_one_all_ports_share() -> None:
    x = plain.FIRST_X
    for expected, _ in zip(numbers(), range(100), strict=False):
        x = plain.xorshift32(x)
        assert x == expected


# --- Mini-Kuzushi as a game -------------------------------------------------------------------


def test_a_step_makes_a_base_and_flags_around_it() -> None:
    match = Match.begin(Setup.of(mk6))
    assert match.legal(Seat(0)) == tuple(f"{square:02}" for square in range(36))
    match = match.play(Seat(0), Step("00")).play(Seat(1), Step("02"))
    rows = mk6.text(match.state).split("\n")
    assert rows == ["mk6 seat=0", *["......"] * 4, "*.+...", "0.1+.."]
    assert match.legal(Seat(0)) == ("01", "04", "06", "07", "09", "12", "14")
    match = match.play(Seat(0), Step("01"))
    assert mk6.text(match.state).split("\n")[-2:] == ["**+...", "001+.."]


def test_only_the_seat_to_act_turns_its_flags() -> None:
    match = Match.begin(Setup.of(mk6)).play(Seat(0), Step("14"))
    assert mk6.why(match.state, Seat(1), Step("08")) == (
        "08 is neither your flag nor an empty square with a card beside"
    )
    assert mk6.why(match.state, Seat(0), Step("08")) == "it is the turn of seat 1"
    assert mk6.why(match.state, Seat(1), Step("36")) == "36 is no square from 00 to 35"
    assert mk6.why(match.state, Seat(1), Step("02")) == ""


def test_more_cards_win_and_equal_is_a_draw() -> None:
    rows = ["000111"] * 6
    full = "\n".join(["mk6 seat=0", *rows])
    assert mk6.outcome(mk6.parse(full)) == Outcome((), "full")
    assert mk6.actors(mk6.parse(full)) == ()
    for winner in "01":
        rows[2] = winner * 6
        state = mk6.parse("\n".join(["mk6 seat=1", *rows]))
        assert mk6.outcome(state) == Outcome((Seat(int(winner)),), "full")
    assert mk6.outcome(mk6.start(2, {})) is None


@pytest.mark.parametrize(
    "text", ["", "mk6", "mk6 seat=2", "mk6 seat=0\n" + "\n".join(["......"] * 5),
             "mk6 seat=0\n" + "\n".join(["......"] * 5 + ["x....."]),
             "mk6 seat=0\n" + "\n".join(["......."] * 5 + ["."])],
)  # fmt: skip
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        mk6.parse(text)


def test_it_is_a_game_that_only_tests_know() -> None:
    assert "mk6" not in GAMES
    assert list(ALL_GAMES) == [*GAMES, "mk6"]


# --- kumite bench -----------------------------------------------------------------------------

LINE = re.compile(r"(.{24}) +([\d,]+\.\d) +([\d,]+) +(\d+\.\d)% steps/s")


@pytest.mark.slow
def test_bench_prints_lines_for_each_game_its_match_and_its_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run, "LEVEL", 3)
    done = CliRunner().invoke(main, ["bench", "--seconds", "0.01"])
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    measured = {found[1].strip(): found for line in lines if (found := LINE.fullmatch(line))}
    setups = [f"{game.ID} {seats} seats" for game in GAMES.values() for seats in game.SEATS]
    wanted = ["plain integers", *setups, "Match with digests", "opening its log"]
    assert sorted(measured) == sorted(wanted)
    assert measured["plain integers"][4] == "100.0"
    assert sum(line.startswith("  Match with digests") for line in lines) == len(setups)
    for found in measured.values():
        matches, steps = (float(found[n].replace(",", "")) for n in (2, 3))
        assert 0 < matches < steps
    searched = [
        line for line in lines if re.match(r"  search: [\d,]+ simulations/s; compiled ", line)
    ]
    assert len(searched) == sum(not one.startswith("kiriai") for one in setups)  # which is solved
    assert re.fullmatch(
        r"30 cards .* 2 terminals \d+ ms, one opened [\d.]+; 6 terminals \d+ ms, .*", lines[-2]
    )
    seen = re.fullmatch(r"LAN table: the other side sees a step after ([\d.]+) ms", lines[-1])
    assert seen is not None
    assert 0 < float(seen[1]) < 1000


@pytest.mark.parametrize("game", ALL_GAMES.values(), ids=ALL_GAMES)
def test_random_playouts_are_whole_matches_and_the_same_again(game: Game[Any]) -> None:
    setup = Setup.of(game)
    match, again = (run.random_match(setup, Random(3)) for _ in range(2))
    assert match.outcome is not None
    assert match.steps() == again.steps()
    steps, same = (run.playout(setup, Random(3)) for _ in range(2))
    assert steps == same > 0


def test_a_rate_is_of_whole_pieces_of_work() -> None:
    done = []
    times, sums = run.rate(0.0, lambda _: done.append(1) or 7)
    assert done == [1]
    assert sums == pytest.approx(7 * times)


# --- kumite bench --start ---------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal")
@pytest.mark.long
def test_a_table_takes_at_most_one_and_a_half_times_what_a_bare_textual_app_takes() -> None:
    from kumite.cli.bench.terminals import measure_start  # POSIX only

    bare, tables = measure_start(["kuzushi"], 7)
    assert 0 < bare < tables["kuzushi"] < 1.5 * bare


# --- kumite bench --keys ----------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal")
def test_bench_tells_what_a_key_takes_and_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    from kumite.cli.bench import terminals  # POSIX only

    monkeypatch.setattr(terminals, "print_keys", partial(terminals.print_keys, keys=2))
    done = CliRunner().invoke(main, ["bench", "--keys", "--game", "kumo"])
    assert done.exit_code == 0, done.output
    row = re.compile(r"(.{28}) +([\d.]+) ms +([\d.]+) ms +(\d+)")
    found = [row.fullmatch(line) for line in done.stdout.splitlines()[1:]]
    names = [each[1].strip() for each in found if each]
    assert names == ["bare Textual 80x24", "kumo 80x24", "bare Textual 160x50", "kumo 160x50"]
    for each in found:
        assert each is not None
        assert 0 < float(each[2]) <= float(each[3])
        assert int(each[4]) > 0
