"""Mini-Kuzushi: the same work as a game and in plain integers; the lines of `kumite bench`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import pytest

from kumite.cli.bench import plain_integers as plain
from kumite.cli.bench import run
from kumite.core.game import Game, Setup
from kumite.core.games import GAMES
from kumite.core.match import perft
from tests.support import mk6
from tests.support.commands import kumite
from tests.support.mk6 import ALL_GAMES

FIXED = (29918, 444, 237, 319, 3777307656)  # steps, wins of seats 0 and 1, draws, check number


def test_step_sequences_are_those_of_its_description() -> None:
    assert perft(mk6, mk6.start(2, {}), 4) == (36, 196, 2128, 24584)


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


# --- kumite bench -----------------------------------------------------------------------------

LINE = re.compile(r"(.{24}) +([\d,]+\.\d) +([\d,]+) +(\d+\.\d)% steps/s")


@pytest.mark.slow
def test_bench_prints_lines_for_each_game_its_match_and_its_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run, "LEVEL", 3)
    done = kumite("bench", "--seconds", "0.01")
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
    done = kumite("bench", "--keys", "--game", "kumo")
    row = re.compile(r"(.{28}) +([\d.]+) ms +([\d.]+) ms +(\d+)")
    found = [row.fullmatch(line) for line in done.stdout.splitlines()[1:]]
    names = [each[1].strip() for each in found if each]
    assert names == ["bare Textual 80x24", "kumo 80x24", "bare Textual 160x50", "kumo 160x50"]
    for each in found:
        assert 0 < float(each[2]) <= float(each[3])
        assert int(each[4]) > 0
