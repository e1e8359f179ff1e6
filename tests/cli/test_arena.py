"""The arena: even seats, matches that can be played again, ratings, and a file to go on with."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from itertools import combinations
from math import log10
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import Result

from kumite.cli.arena import playing, report, run
from kumite.cli.arena.playing import Job, Plan, cycle
from kumite.cli.arena.report import score, summary
from kumite.cli.arena.results import Results
from kumite.core.errors import BadSetup, KumiteError
from kumite.core.game import CHANCE, Setup
from kumite.core.games import GAMES
from kumite.core.log import read
from kumite.store import log_files
from tests.support.commands import kumite
from tests.support.places import BOT_EXAMPLES
from tests.support.random_matches import walk


def setup(game: str = "kuzushi", seats: int = 2, **options: str) -> Setup:
    return Setup.of(GAMES[game], seats, options)


SMALL = Plan.of(setup(board="small"), ("easy", "random"), 5)

# --- Who sits where ---------------------------------------------------------------------------


def seats_and_bots() -> list[tuple[str, int, int]]:
    return [
        (game.ID, seats, bots)
        for game in GAMES.values()
        for seats in game.SEATS
        for bots in (2, 3, 4, 7)
        if seats < 5 or bots < 5
    ]


@pytest.mark.parametrize(("game", "seats", "bots"), seats_and_bots())
def test_every_pairing_and_every_seat_happens_equally_often(
    game: str, seats: int, bots: int
) -> None:
    found = cycle(setup(game, seats), bots)
    assert len(set(found)) == len(found)
    at = Counter((seat, who) for seating in found for seat, who in enumerate(seating))
    assert len(set(at.values())) == 1
    assert len(at) == seats * bots
    pairs = Counter(pair for one in found for pair in combinations(sorted(set(one)), 2))
    assert len(set(pairs.values())) == 1
    assert len(pairs) == bots * (bots - 1) // 2
    if not GAMES[game].TEAMS:  # no bot has more seats than another, as far as they can be shared
        assert all(max(c.values()) - min(c.values()) <= 1 for c in map(Counter, found))


@pytest.mark.parametrize(("game", "seats"), [("kitsune", 4), ("kitsune", 6), ("kumo", 4)])
def test_partners_are_played_by_the_same_bot(game: str, seats: int) -> None:
    for seating in cycle(setup(game, seats), 3):
        assert len(set(seating[::2])) == len(set(seating[1::2])) == 1
        assert seating[0] != seating[1]


def test_the_first_matches_turn_the_seats_before_another_table_sits_down() -> None:
    first = cycle(setup(seats=3), 3)[:3]
    assert sorted(sum(zip(*first, strict=True), ())) == sorted([0, 1, 2] * 3)
    assert all(len(set(column)) == 3 for column in zip(*first, strict=True))
    assert cycle(setup(), 3) == [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)]


@pytest.mark.parametrize("game", GAMES)
def test_the_seats_of_a_side_win_together_and_others_need_not(game: str) -> None:
    for seats in GAMES[game].SEATS:
        for seed in range(4):
            outcome = walk(setup(game, seats), seed).outcome
            assert outcome is not None
            if GAMES[game].TEAMS and outcome.winners:
                assert outcome.winners in (tuple(range(0, seats, 2)), tuple(range(1, seats, 2)))


# --- Ratings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("won", "drawn", "lost"), [(7, 0, 3), (50, 20, 30), (1, 0, 99), (3, 4, 3)])
def test_the_elo_of_two_bots_is_that_of_the_formula(won: int, drawn: int, lost: int) -> None:
    scores = [((0, 1), (1.0, 0.0))] * won + [((1, 0), (0.5, 0.5))] * drawn
    scores += [((1, 0), (1.0, 0.0))] * lost
    found = report.ratings(2, scores)
    share = (won + drawn / 2) / (won + drawn + lost)
    assert found.is_finite
    assert found.elo[0] - found.elo[1] == pytest.approx(400 * log10(share / (1 - share)), abs=1e-6)
    assert sum(found.elo) == pytest.approx(0, abs=1e-6)
    # the variance of a log-odds is 1 / (n p q), and each of the two has half of the difference
    spread = report.SURE * report.SCALE / ((won + drawn + lost) * share * (1 - share)) ** 0.5
    assert found.error[0] == pytest.approx(spread / 2)


def simulated(strengths: Sequence[float], seats: int, matches: int, rng: Random) -> list[Any]:
    """Draw matches whose winner is as likely as their strength says."""
    scores = []
    for _ in range(matches):
        who = tuple(rng.sample(range(len(strengths)), seats))
        weights = [10 ** (strengths[bot] / 400) for bot in who]
        (winner,) = rng.choices(range(seats), weights)
        scores.append((who, tuple(float(place == winner) for place in range(seats))))
    return scores


@pytest.mark.parametrize("seats", [2, 4])
def test_error_bars_hold_the_true_elo_nineteen_times_in_twenty(seats: int) -> None:
    true = (150.0, 60.0, 10.0, -40.0, -180.0)
    rng, inside, asked = Random(seats), 0, 0
    for _ in range(60):
        found = report.ratings(5, simulated(true, seats, 400, rng))
        assert found.is_finite
        for elo, error, wanted in zip(found.elo, found.error, true, strict=True):
            inside += abs(elo - wanted) <= error
            asked += 1
    assert 0.90 <= inside / asked <= 0.99


def test_who_wins_everything_gets_a_number_that_is_said_to_be_none() -> None:
    found = report.ratings(2, [((0, 1), (1.0, 0.0))] * 10)
    assert not found.is_finite
    assert found.elo[0] - found.elo[1] == pytest.approx(400 * log10(10.5 / 0.5))
    chain = [((0, 1), (1.0, 0.0)), ((1, 2), (1.0, 0.0)), ((2, 0), (1.0, 0.0))]
    assert report.ratings(3, chain).is_finite
    assert not report.ratings(3, chain[:2]).is_finite
    assert report.ratings(3, []).elo == (0, 0, 0)


def test_the_interval_of_a_score_is_wilson_s() -> None:
    low, high = report.wilson(8, 10)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert report.wilson(0, 0) == (0.0, 1.0)


def result(seating: tuple[int, ...], *winners: int) -> playing.Result:
    zeros = (0,) * len(seating)
    return playing.Result(0, seating, winners, "", 1, "", zeros, zeros)


def test_a_win_is_shared_by_the_seats_that_have_it_and_a_draw_by_all() -> None:
    assert score(result((0, 1), 1), False) == ((0, 1), (0.0, 1.0))
    assert score(result((0, 1)), False) == ((0, 1), (0.5, 0.5))
    assert score(result((0, 1, 0, 1), 0, 2), True) == ((0, 1), (1.0, 0.0))
    assert score(result((0, 1, 1), 0, 2), False) == ((0, 1, 1), (0.5, 0.0, 0.5))
    assert score(result((0, 1, 0, 1)), True) == ((0, 1), (0.5, 0.5))


# --- Matches ----------------------------------------------------------------------------------


def timeless(one: playing.Result) -> Any:
    return {name: getattr(one, name) for name in one.__slots__ if name != "seconds"}


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_the_same_again_and_another_with_another_number(game: str) -> None:
    plan = Plan.of(setup(game), ("easy", "random"), 3)
    one, two, other = (playing.play(Job(plan, n, (0, 1)))[0] for n in (4, 4, 5))
    assert timeless(one) == timeless(two)
    assert one.digest != other.digest
    assert sum(one.choices) <= one.steps


@pytest.mark.parametrize(
    ("game", "seats"), [(one.ID, n) for one in GAMES.values() for n in one.SEATS]
)
def test_an_opening_by_chance_is_played_from_all_seats(game: str, seats: int) -> None:
    plan = Plan.of(setup(game, seats), ("easy", "random"), 3, opening=4)
    size = len(cycle(plan.setup, 2))
    openings = [playing.opened(plan, number) for number in range(3 * size)]
    assert all(sum(step.actor != CHANCE for step in one.steps()) == 4 for one in openings)
    digests = [one.digest for one in openings]
    assert all(len(set(digests[at : at + size])) == 1 for at in range(0, 3 * size, size))
    assert len(set(digests)) > 1
    found, text = playing.play(Job(plan, size, cycle(plan.setup, 2)[0], has_log=True))
    steps = read(text).match.steps()
    assert steps[: len(openings[size].steps())] == openings[size].steps()
    assert found.steps == len(steps)


def test_an_opening_is_told_and_one_that_no_match_lasts_for_is_refused(tmp_path: Path) -> None:
    done = small(tmp_path / "a", "--matches", "2", "--opening", "3")
    assert "seed 1: 2 matches" in done.output
    assert "3 steps by chance first" in done.output
    refused = small(tmp_path / "a", "--matches", "2", status=2)
    assert "another arena: opening is 3 there" in refused.output
    done = small(tmp_path / "b", "--opening", "99", status=2)
    assert "name fewer with --opening" in done.output
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize(
    "names",
    [
        *(("random", bad) for bad in ("nobody", "easy:5", "strong:", "strong:0", "strong:-1")),
        *((), ("easy",), ("strong:x", "random"), tuple(f"strong:{n}" for n in range(1, 14))),
    ],
)
def test_too_few_or_too_many_bots_and_unknown_ones_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(BadSetup) as caught:
        Plan.of(setup(), names, 1)
    assert caught.value.hint


def test_a_bot_may_play_against_itself() -> None:
    plan = Plan.of(setup(board="small"), ("easy", "easy", "strong:3", "strong:3"), 1)
    assert plan.names == ("easy", "easy 2", "strong:3", "strong:3 2")
    for seating in ((0, 1), (2, 3)):
        result, _ = playing.play(Job(plan, 0, seating))
        assert result.winners
        assert sum(result.choices) > 4


def test_books_tables_and_rules_are_part_of_what_the_bots_are(tmp_path: Path) -> None:
    for name in ("model.py", "one.table", "one.book", "notes.md"):
        (tmp_path / name).write_text(name)
    assert {name for name, _ in playing._sources(tmp_path)} == {"model.py", "one.table", "one.book"}
    shipped = {name for name, _ in playing._sources(files("kumite.core.games"))}
    assert {f"{game}/rules.py" for game in GAMES} <= shipped


def test_other_rules_are_other_brains(monkeypatch: pytest.MonkeyPatch) -> None:
    before, sources = playing.digest_of_brains(), playing._sources

    def changed(folder: Any) -> Any:
        for name, content in sources(folder):
            yield name, content + b"#" * (name == "kumo/rules.py")

    monkeypatch.setattr(playing, "_sources", changed)
    playing.digest_of_brains.cache_clear()
    assert playing.digest_of_brains() != before
    playing.digest_of_brains.cache_clear()


def test_a_machine_with_other_bots_refuses_to_play() -> None:
    fields = {name: getattr(SMALL, name) for name in SMALL.__slots__}
    with pytest.raises(KumiteError, match="not those that began"):
        playing.play(Job(Plan(**fields | {"brains": "0"}), 0, (0, 1)))


# --- The file of results ----------------------------------------------------------------------


def arena(*args: object, status: int = 0) -> Result:
    return kumite("arena", *args, status=status)


def small(path: Path, *args: object, status: int = 0) -> Result:
    said = ("kuzushi", "easy", "random", "--option", "board=small", "--jobs", "1")
    return arena(*said, "--results", path, *args, status=status)


def results_of(path: Path) -> list[Any]:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [{k: v for k, v in line.items() if k != "seconds"} for line in lines]


def test_the_same_command_goes_on_and_adds_what_is_missing(tmp_path: Path) -> None:
    path, whole = tmp_path / "a", tmp_path / "b"
    small(path, "--matches", "3")
    before = path.read_bytes()
    small(path, "--matches", "3")
    assert path.read_bytes() == before
    small(path, "--matches", "8")
    assert path.read_bytes().startswith(before)
    small(whole, "--matches", "8")
    assert results_of(path) == results_of(whole)
    assert "2 matches" in small(path, "--matches", "2").stdout  # fewer: those alone


@pytest.mark.parametrize("cut", [1, 30, -1, -40])
def test_a_torn_line_is_played_again(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "torn"
    small(path, "--matches", "4")
    whole, data = results_of(path), path.read_bytes()
    path.write_bytes(data[:cut])
    small(path, "--matches", "4")
    assert results_of(path) == whole


def test_results_of_another_arena_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other"
    small(path, "--matches", "2")
    before = path.read_bytes()
    for args in (("--seed", "2"), ("--option", "board=normal"), ("--seats", "3")):
        refused = small(path, "--matches", "2", *args, status=2)
        assert "another arena" in refused.stderr
        assert "--results" in refused.stderr
        assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["hello\n", "{}\n", "[1]\n", "\xff", "hello", "\n{}\n"])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(text.encode("latin-1"))
    refused = small(path, status=2)
    why = "byte 1 is not UTF-8" if text == "\xff" else "no line of arena results"
    assert why in refused.stderr
    assert path.read_bytes() == text.encode("latin-1")


def test_a_damaged_line_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "damaged"
    small(path, "--matches", "3")
    lines = path.read_text(encoding="utf-8").split("\n")
    for bad in ("{}", "nothing", '{"number":1}'):
        path.write_text("\n".join([*lines[:2], bad, *lines[3:]]), encoding="utf-8")
        assert f"{path}:3: " in small(path, status=2).stderr.replace("\n", "")


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "one"
    first = Results(SMALL, path)
    try:
        with pytest.raises(KumiteError, match="another arena is writing"):
            Results(SMALL, path)
    finally:
        first.close()
    Results(SMALL, path).close()


def test_results_lie_in_the_data_folder_by_what_is_played(folder: Path) -> None:
    for seed in ("1", "2", "1"):
        arena("kuzushi", "easy", "random", "--matches", "2", "--jobs", "1", "--seed", seed)
    assert len(list((folder / "arena").iterdir())) == 2


def test_what_cannot_be_written_is_said_with_a_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused = small(tmp_path / "file" / "results", status=2)
    assert "--results" in refused.stderr
    refused = small(tmp_path / "r", "--logs", tmp_path / "file" / "logs", status=2)
    assert "--logs" in refused.stderr


# --- What is printed --------------------------------------------------------------------------


def test_every_match_has_a_sound_log_if_asked_for(tmp_path: Path) -> None:
    arena(
        "kitsune", "easy", "random", "--seats", "4", "--matches", "2", "--jobs", "1",
        "--results", tmp_path / "r", "--logs", tmp_path / "logs",
    )  # fmt: skip
    for path in (tmp_path / "logs").iterdir():
        log = log_files.load(path)
        assert log.damage is None
        assert log.end.kind == "outcome"
        assert set(log.header.names) == {"bot:easy", "bot:random"}
    found = results_of(tmp_path / "r")[1:]
    digests = {log_files.load(path).match.digest.hex() for path in (tmp_path / "logs").iterdir()}
    assert digests == {line["digest"] for line in found}


def test_the_tables_and_the_json_say_the_same(tmp_path: Path) -> None:
    done = small(tmp_path / "r", "--matches", "10")
    told = json.loads(small(tmp_path / "r", "--matches", "10", "--json").stdout)
    easy, other = told["bots"]
    assert (told["matches"], easy["matches"]) == (10, 10)
    assert easy["points"] + other["points"] == 10
    assert told["against"] == [[None, [easy["points"], 10]], [[other["points"], 10], None]]
    assert sum(told["ends"].values()) == 10
    assert f"{easy['score']:.1%}" in done.stdout
    assert f"{easy['elo']:+.0f} ±{easy['elo_error']:.0f}" in done.stdout
    assert "seed 1: 10 matches" in done.stdout
    assert all(len(line) < 80 for line in done.stdout.splitlines())
    assert "bot easy" in done.stdout


def test_matches_that_were_the_same_are_not_taken_for_more() -> None:
    one = playing.play(Job(SMALL, 0, (0, 1)))[0]
    assert summary(SMALL, [one, one, one])["different"] == 1


def test_uneven_seats_are_said_with_the_number_that_makes_them_even(tmp_path: Path) -> None:
    done = arena("kuzushi", "easy", "random", "--seats", "3", "--matches", "2", "--jobs", "1",
                 "--results", tmp_path / "r")  # fmt: skip
    assert "--matches 6" in done.stderr


def test_ctrl_c_keeps_what_was_played_and_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = iter(range(3))

    def stopped(job: Job) -> Any:
        if next(played, None) is None:
            raise KeyboardInterrupt
        return playing.play(job)

    with monkeypatch.context() as patch:
        patch.setattr("kumite.cli.arena.pool.play", stopped)
        done = small(tmp_path / "r", "--matches", "6", status=run.STOPPED)
    assert "Stopped after 3 of 6 matches. The same command continues." in done.stderr
    assert "3 matches" in done.stdout
    small(tmp_path / "r", "--matches", "6")
    assert len(results_of(tmp_path / "r")) == 7


# --- Programs by others -----------------------------------------------------------------------

MYBOT = f"cmd:{sys.executable} {BOT_EXAMPLES / 'mybot.py'}"


def test_programs_by_others_play(tmp_path: Path) -> None:
    done = arena(
        "kuzushi", MYBOT, "random", "--option", "board=small", "--matches", "2", "--jobs", "1",
        "--results", tmp_path / "r", "--logs", tmp_path / "logs",
    )  # fmt: skip
    assert "cmd:mybot.py" in done.stdout
    assert "failed" not in done.stdout
    names = {log_files.load(path).header.names for path in (tmp_path / "logs").iterdir()}
    assert names == {("cmd:mybot.py", "bot:random"), ("bot:random", "cmd:mybot.py")}


def test_a_program_that_fails_loses_the_match_and_the_others_win_it(tmp_path: Path) -> None:
    done = arena(
        "kuzushi", "cmd:false", "random", "simple", "--seats", "3", "--matches", "3",
        "--jobs", "1", "--results", tmp_path / "r", "--logs", tmp_path / "logs", "--json",
    )  # fmt: skip
    told = json.loads(done.stdout)
    assert told["ends"] == {"failed": 3}
    assert [row["points"] for row in told["bots"]] == [0, 1.5, 1.5]
    assert told["failures"] == {"cmd:false has ended: exit status 1": 3}
    for path in (tmp_path / "logs").iterdir():
        log = log_files.load(path)
        assert log.damage is None
        assert (log.end.kind, log.end.seats) == ("left", (log.header.names.index("cmd:false"),))


def test_a_program_that_is_not_there_is_said_before_anything_is_played(tmp_path: Path) -> None:
    refused = small(tmp_path / "r", "cmd:./nobody", status=2)
    assert "there is no program" in refused.stderr
    assert not (tmp_path / "r").exists()
