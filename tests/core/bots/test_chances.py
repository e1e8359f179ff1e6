"""Values are chances: the map from scores, how it is fitted, and that what is kept is that fit."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Final

import pytest

from kumite.core import bots
from kumite.core.bots.base import UNSURE
from kumite.core.bots.chances import Fit, fit_of, measured
from kumite.core.games import GAMES
from kumite.core.games.kiriai.bot import solved
from kumite.core.games.kuzushi.bot import model
from kumite.tools import chances
from kumite.tools.chances import Asked
from tests.core.bots.test_bots import positions

ROOT: Final = Path(__file__).parents[3]
FITS: Final = {game_id: found.fits for game_id in GAMES if (found := measured(game_id))}
ROWS: Final = ROOT / "tests" / "data" / "chances.jsonl.gz"


def made(slope: float, seats: int = 2, matches: int = 4000) -> list[Asked]:
    """Return a position of each of many matches, whose scores are chances off by a slope."""
    rng, rows = Random(slope), []
    for number in range(matches):
        score = 0.05 + 0.9 * rng.random()
        is_won = rng.random() < Fit(slope).chance(score, 1 / seats)
        rows.append(Asked("kuzushi", seats, number, 40, 10, score, float(is_won)))
    return rows


# --- the map ----------------------------------------------------------------------------------


@pytest.mark.parametrize("even", [0.5, 0.25])
def test_a_chance_grows_with_the_score_and_is_never_certain(even: float) -> None:
    fit = Fit(1.7, -0.2)
    found = [fit.chance(score / 100, even) for score in range(101)]
    assert found == sorted(found)
    assert found[0] == UNSURE
    assert found[-1] == 1 - UNSURE
    assert Fit(2.5).chance(even, even) == pytest.approx(even)


def test_a_slope_of_one_leaves_a_score_as_it_is() -> None:
    scores = [0.1, 0.5, 0.9]
    assert [Fit().chance(score, 0.25) for score in scores] == pytest.approx(scores)


def test_a_score_is_found_again_from_its_chance() -> None:
    fit = Fit(1.7, -0.2)
    for score in (0.2, 0.5, 0.7):
        assert fit.score(fit.chance(score, 0.25), 0.25) == pytest.approx(score)
    assert fit.score(1.0) is None
    assert fit.score(UNSURE) is None


def test_more_seats_than_were_measured_have_the_fit_of_the_nearest() -> None:
    assert fit_of("janken", 2) == Fit()
    assert set(FITS) == set(bots.MODELS)
    for game_id, fits in FITS.items():
        for seats in GAMES[game_id].SEATS:
            least = min(abs(one - seats) for one in fits)
            nearest = [fits[one] for one in fits if abs(one - seats) == least]
            assert fit_of(game_id, seats) in nearest


def test_the_line_of_a_longer_thought_is_flatter() -> None:
    """Measured on 260 positions: with 20 times the simulations it is 0.65 times as steep."""
    usual = fit_of("kuzushi", 2)
    assert fit_of("kuzushi", 2, 500) == fit_of("kuzushi", 2, 12000) == usual
    longer = fit_of("kuzushi", 2, 240000)
    assert longer.slope / usual.slope == pytest.approx(0.65, abs=0.02)
    assert longer.shift / usual.shift == pytest.approx(0.65, abs=0.02)
    assert fit_of("kumo", 2, 240000) == fit_of("kumo", 2)


@pytest.mark.parametrize("game_id", FITS)
def test_no_fit_turns_an_order_round(game_id: str) -> None:
    assert all(fit.slope > 0 for fit in FITS[game_id].values())


# --- the tool ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("slope", "seats"), [(0.5, 2), (1.6, 2), (1.6, 4)])
def test_a_fit_finds_what_scores_are_off_by(slope: float, seats: int) -> None:
    fit = chances.fitted(made(slope, seats))
    assert fit.slope == pytest.approx(slope, abs=0.15)
    assert fit.shift == pytest.approx(0, abs=0.15)


def test_a_match_is_judged_by_a_fit_that_has_not_seen_it() -> None:
    rows = [  # in half of the matches the score says the contrary of what comes
        Asked("kuzushi", 2, number, 40, 10, score, float((score > 0.5) == (number % 2 == 0)))
        for number in range(40)
        for score in (0.3, 0.7)
    ]
    assert chances.brier(chances.held_out(rows)) > 0.3  # by its own fit it would be below 0.25


def test_tenths_tell_what_was_said_what_came_and_of_how_many() -> None:
    parts = chances.tenths([(0.12, 0.0), (0.18, 1.0), (0.95, 1.0), (1.0, 1.0)])
    assert parts[1] == (pytest.approx(0.15), 0.5, 2)
    assert parts[9] == (pytest.approx(0.975), 1.0, 2)
    assert parts[5] == (0.0, 0.0, 0)


def test_only_tenths_with_enough_positions_are_held_against_the_aim() -> None:
    assert chances.farthest([(0.15, 0.1, 60), (0.25, 0.35, 50), (0.35, 0.9, 49)]) == "10"
    assert chances.farthest([(0.35, 0.9, 49)]) == "-"


def test_a_match_is_played_and_its_end_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(chances.PLAYERS, "kuzushi", "easy")
    monkeypatch.setattr(chances, "simulations_of", lambda _: 50)
    file = tmp_path / "rows"
    chances.play([("kuzushi", 2)], file, 0.01)
    (again,) = {row.match for row in chances.read([file])}
    rows = chances.read([file])
    assert again == 1
    assert rows == list(chances.asked("kuzushi", 2, 1))
    assert all(0 <= row.score <= 1 and row.number < row.length for row in rows)
    assert {row.share for row in rows} <= {0.0, 0.5, 1.0}


# --- playing on -------------------------------------------------------------------------------


def test_what_no_value_foretells_is_half_of_how_far_two_ends_differ() -> None:
    rng, matches = Random(3), []
    for _ in range(4000):
        chance = rng.random()
        matches.append([(float(rng.random() < chance), float(rng.random() < chance))])
    least, error = chances.openness(matches)
    assert error < 0.01
    assert least == pytest.approx(1 / 6, abs=1.5 * error)  # the mean of p(1 - p), p even in 0 to 1
    assert chances.openness([[(1.0, 1.0)], [(0.0, 0.0), (0.5, 0.5)]]) == (0.0, 0.0)


def test_a_match_is_played_on_twice_with_other_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(chances.PLAYERS, "kuzushi", "random")
    matches = [chances.ended_twice("kuzushi", 2, number) for number in range(1, 31)]
    assert matches[0] == chances.ended_twice("kuzushi", 2, 1)
    pairs = [pair for pairs in matches for pair in pairs]
    assert len(pairs) == chances.PICKED * len(matches)
    assert {one for pair in pairs for one in pair} >= {0.0, 1.0}
    assert {one == other for one, other in pairs} == {True, False}


# --- what is kept -----------------------------------------------------------------------------


def test_the_fits_are_those_to_the_kept_rows_and_the_page_has_their_tables() -> None:
    rows = chances.read([ROWS])
    page = (ROOT / "docs" / "measured.md").read_text("utf-8")
    for game_id, fits in FITS.items():
        for seats, fit in fits.items():
            some = [row for row in rows if (row.game, row.seats) == (game_id, seats)]
            assert chances.fitted(some) == fit
    tables = [line for line in chances.shown(rows) if line.startswith("|")]
    assert len(tables) > 8
    assert all(line in page for line in tables)


def test_what_a_bot_says_is_the_chance_of_its_score(monkeypatch: pytest.MonkeyPatch) -> None:
    where = next(positions(GAMES["kuzushi"]))

    def said(fit: Fit) -> dict[str, float]:
        monkeypatch.setattr(model, "fit_of", lambda *_: fit)
        lines = model.think(where, Random(1), bots.Budget(100))
        return {line.step: line.value for line in lines}

    plain, steep = said(Fit()), said(Fit(2.0))
    assert plain != steep
    assert steep == pytest.approx({step: Fit(2.0).chance(v) for step, v in plain.items()})


def test_kiriai_is_told_as_a_chance_where_the_others_special_is_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def said(where: bots.Position, fit: Fit) -> dict[str, float]:
        monkeypatch.setattr(solved, "fit_of", lambda game_id, seats: fit)
        lines = bots.find("strong")(where, Random(1), bots.Budget()).lines
        return {line.step: line.value for line in lines}

    kinds = set()
    for where in positions(GAMES["kiriai"], 8):
        plain, high = said(where, Fit()), said(where, Fit(1.0, 0.5))
        kinds.add(solved.is_exact(where))
        if solved.is_exact(where):
            assert plain == high
        else:
            assert all(plain[step] <= high[step] for step in plain)
            assert plain != high
            assert all(UNSURE <= one <= 1 - UNSURE for one in (*plain.values(), *high.values()))
    assert kinds == {True, False}


def test_what_is_exact_is_not_fitted() -> None:
    exact = [row._replace(score=1 - row.score, is_exact=True) for row in made(1.0)]
    assert chances.fitted([*made(1.5), *exact]) == chances.fitted(made(1.5))
    assert [said for said, _ in chances.held_out(exact)] == [
        row.score for half in (0, 1) for row in exact if row.match % 2 == half
    ]
