"""What holds for the scenes of all games: they fit, and every step can be chosen and is told."""

from __future__ import annotations

from functools import cache
from itertools import groupby, islice
from random import Random

import pytest

from kumite.core.game import CHANCE, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kumo import rules as kumo
from kumite.core.match import Match
from kumite.tui.scenes import maker
from tests.support.kumo_positions import crowded, lively
from tests.support.random_matches import setups, short_setup, walk
from tests.support.scene_laws import check_choices, check_names, check_scenes, sample


def crowd(seats: int, block: str) -> Match:
    """Return a match in which all kinds of step happen, as random ones of Kumo hardly ever do."""
    setup = Setup.of(kumo, seats, {"block": block, "limit": 40})
    match = Match.begin(setup, position=crowded(seats, block))
    rng = Random(f"crowd {seats} {block}")
    while match.actors and match.number < 90:
        match = match.play(match.actors[0], Step(lively(match.state, rng)))
    return match


SOME = [  # for every number of seats the usual options, another one, and a mixture
    setup
    for game in GAMES.values()
    for _, same in groupby(setups(game), lambda setup: setup.seats)
    for setup in {str(one.options): one for one in (*islice(same, 2), *list(same)[-1:])}.values()
]
LONG = [Setup.of(kitsune, seats, {"track": 20, "wins": 3}) for seats in kitsune.SEATS]
KINDS = {
    "-".join(map(str, (one.game.ID, one.seats, *one.options.values()))): one
    for one in (*SOME, *LONG)
}
CROWDS = {f"crowd-{n}-{block}": (n, block) for n in kumo.SEATS for block in ("turn", "hold")}


@cache
def played(kind: str) -> Match:
    return crowd(*CROWDS[kind]) if kind in CROWDS else walk(KINDS[kind], 1, longest=400)


@pytest.fixture
def match(kind: str) -> Match:
    return played(kind)


every_match = pytest.mark.parametrize("kind", [*KINDS, *CROWDS])


@every_match
def test_every_view_of_a_match_can_be_drawn_and_fits(match: Match) -> None:
    check_scenes(match, maker(match))


@every_match
def test_names_in_kanji_and_long_ones_leave_columns_and_frames_alone(match: Match) -> None:
    check_names(match, maker(match))


@every_match
def test_parts_tell_steps_apart_and_every_step_has_its_words(match: Match) -> None:
    check_choices(match, maker(match))


@every_match
def test_the_parts_of_a_legal_step_mean_that_step(match: Match) -> None:
    makes, game_id = maker(match), match.game.ID
    for at in sample(match, 40):
        for seat in (Seat(int(actor)) for actor in at.actors if actor != CHANCE):
            for step in at.legal(seat):
                found = makes.step_from_parts(at.state, seat, makes.parts(step))
                is_at_once = game_id == "kitsu" and step in ("stop", "end", "+s", "+f")  # a word
                assert found == ("" if is_at_once else step.removesuffix("+"))  # a flag of Kuzushi


ENDS = {
    "kiriai": "defeat decision limit",
    "kitsu": "samurai foxes rout spirits limit",
    "kitsune": "rounds limit",
    "kumo": "stone limit",
    "kuzushi": "full full-island full-shared cards cards-island cards-shared",
}


@pytest.mark.parametrize("game_id", GAMES)
def test_every_reason_for_an_end_has_words(game_id: str) -> None:
    match = walk(short_setup(game_id), 3)
    for code in ENDS[game_id].split():
        assert maker(match).reason(match.state, code) not in ("", code.replace("-", " "))
