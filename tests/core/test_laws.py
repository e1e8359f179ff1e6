"""The laws of all games, without an exception list: registered ones and Mini-Kuzushi."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from kumite.core.codec import decode, encode
from kumite.core.errors import (
    BadData,
    BadNotation,
    Hidden,
    IllegalStep,
    KumiteError,
    MatchOver,
    NotToAct,
)
from kumite.core.game import CHANCE, SPECTATOR, Actor, Game, Seat, Setup, Step
from kumite.core.games import GAMES, NAMES
from kumite.core.log import Header, log_text, read
from kumite.core.match import Match, Played, perft
from tests.support.mk6 import ALL_GAMES
from tests.support.random_matches import setups, viewers, walk

SETUPS = [setup for game in ALL_GAMES.values() for setup in setups(game)]
LAWS = itertools.count()


def name_of(s: Setup) -> str:
    return f"{s.game.ID}-{s.seats}" + "".join(f"-{value}" for value in s.options.values())


def setups_of_a_law() -> pytest.MarkDecorator:
    """Let a law meet every number of seats, and with some of them every value of an option.

    Laws begin at different set-ups, so that nearly all of them occur.
    """
    at = next(LAWS) * 6 % len(SETUPS)
    usual = [one for one in SETUPS if one == Setup.of(one.game, one.seats)]
    chosen, met = [], {(one.game.ID, *pair) for one in usual for pair in one.options.items()}
    for setup in (*SETUPS[at:], *SETUPS[:at]):
        values = {(setup.game.ID, *pair) for pair in setup.options.items()}
        if setup in usual or values - met:
            chosen.append(setup)
            met |= values
    return pytest.mark.parametrize("setup", chosen, ids=map(name_of, chosen))


every_setup = pytest.mark.parametrize("setup", SETUPS, ids=map(name_of, SETUPS))
every_game = pytest.mark.parametrize("game", ALL_GAMES.values(), ids=ALL_GAMES)
SAMPLE = 60  # positions of a match that a law looks at, spread from start to end


def sample(match: Match) -> list[Match]:
    line = match.line()
    stride = max(1, len(line) // SAMPLE)
    return [*line[::stride], line[-1]]


@setups_of_a_law()
def test_legal_lists_are_sorted_without_duplicates_and_complete(setup: Setup) -> None:
    game = setup.game
    for match in sample(walk(setup, 1)):
        for actor in match.actors:
            steps = match.legal(actor)
            assert list(steps) == sorted(set(steps))
            assert steps
            assert all(step.isascii() and " " not in step and "?" not in step for step in steps)
            assert all(game.why(match.state, actor, step) == "" for step in steps)


@setups_of_a_law()
def test_apply_is_pure_and_total_on_legal(setup: Setup) -> None:
    game, rng = setup.game, Random(2)
    for match in sample(walk(setup, 2)):
        state = match.state
        before = encode(game.pack(state))
        for actor in match.actors:
            legal = game.legal(state, actor)
            for step in rng.sample(legal, min(8, len(legal))):
                assert game.apply(state, actor, step) == game.apply(state, actor, step)
        assert encode(game.pack(state)) == before


@setups_of_a_law()
def test_what_is_listed_is_what_nothing_speaks_against_and_what_can_be_made(setup: Setup) -> None:
    game, rng, mine = setup.game, Random(18), Seat(0)
    matches = [one for one in walk(setup, 18).line() if one.actors]
    texts = sorted({s for one in matches for actor in one.actors for s in one.legal(actor)})
    for match in (*matches[:: max(1, len(matches) // 10)], *varied(matches)):
        for state in (match.state, game.view(match.state, frozenset({mine}))):
            for actor in (*match.actors, Seat(rng.randrange(setup.seats)), CHANCE):
                is_known = state is match.state or actor == mine  # others' steps may be seen as `?`
                legal = game.legal(state, actor) if is_known else ()
                some = {*rng.sample(texts, min(20, len(texts))), *legal[:5], *NONSENSE}
                for text in sorted(some | {mangled(one, texts, rng) for one in some}):
                    reason = game.why(state, actor, Step(text))
                    refusal = refused(game, state, actor, text)
                    assert bool(reason) == bool(refusal), (actor, text)
                    assert reason in refusal
                    if is_known and "?" not in text:  # `?` is listed nowhere
                        assert (text in legal) == (not reason), (actor, text, reason)


NONSENSE = ("", " ", "?", "nonsense", "é", "0" * 500, "*", "\n")


def varied(matches: list[Match]) -> list[Match]:
    """Return a position for each way in which a first legal step can begin: `take`, `run`, `b`."""
    firsts = (re.split("[^a-z]", one.legal(one.actors[0])[0])[0] for one in matches)
    return list(dict(zip(firsts, matches, strict=True)).values())


def mangled(text: str, others: list[str], rng: Random) -> str:
    """Return a text that is nearly this one, or the beginning of it and the end of another."""
    at, other = rng.randint(0, len(text)), rng.choice(others)
    changes = (
        text[:at] + text[at + 1 :],
        text[:at] + rng.choice("abcdefgh12345678?+-:>=x ") + text[at + 1 :],
        text[:at] + text[at : at + 1] + text[at:],
        text[:at] + other[at:],
        text.upper(),
    )
    return rng.choice(changes)


def refused(game: Game[Any], state: object, actor: Actor, text: str) -> str:
    """Return with what words `apply` refuses a step; none if it makes it."""
    try:
        game.apply(state, actor, Step(text))
    except (IllegalStep, BadNotation) as error:
        return f"{type(error).__name__} {error}"
    return ""


@every_game
def test_only_who_is_to_act_may_act(game: Game[Any]) -> None:
    match = walk(Setup.of(game), 3)
    for one in sample(match):
        for actor in (*map(Seat, range(one.setup.seats)), CHANCE, Seat(99)):
            if actor not in one.actors:
                with pytest.raises(NotToAct if one.actors else MatchOver):
                    one.legal(actor)
                assert game.legal(one.state, actor) == ()


@setups_of_a_law()
def test_whoever_writes_what_is_no_step_is_told_steps_of_this_position(setup: Setup) -> None:
    for match in sample(walk(setup, 4)):
        for actor in {*match.actors} - {CHANCE}:
            with pytest.raises((BadNotation, IllegalStep)) as caught:
                setup.game.apply(match.state, actor, Step("nonsense"))
            named = {*re.split(r"[ ;]+|, ", caught.value.hint)}
            assert named & {*match.legal(actor)} or setup.game.ID not in NAMES, caught.value.hint


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_after_the_end_every_step_is_refused_because_it_is_over(game: Game[Any]) -> None:
    over = walk(Setup.of(game), 19)
    for actor in (*map(Seat, range(over.setup.seats)), CHANCE):
        for step in (one.step for one in over.steps()[-20:]):
            assert game.why(over.state, actor, step) == "the match is over"
            with pytest.raises(IllegalStep, match="the match is over"):
                game.apply(over.state, actor, step)


@setups_of_a_law()
def test_every_match_ends_with_an_outcome_and_only_then(setup: Setup) -> None:
    match = walk(setup, 4)
    assert match.actors == ()
    assert list(match.outcome.winners) == sorted(set(match.outcome.winners))
    assert set(match.outcome.winners) <= set(range(setup.seats))
    for one in sample(match)[:-1]:
        assert bool(one.actors) == (one.outcome is None)


@setups_of_a_law()
def test_the_steps_alone_replay_a_match(setup: Setup) -> None:
    match = walk(setup, 5)
    again = Match.begin(setup).play_all(match.steps())
    assert again.state == match.state
    assert again.digest == match.digest
    assert [one.digest for one in again.line()] == [one.digest for one in match.line()]
    half = match.back(match.number // 2)
    assert half.play_all(match.steps()[half.number :]).digest == match.digest


@setups_of_a_law()
def test_odds_are_those_of_chance_and_sum_to_one(setup: Setup) -> None:
    for match in sample(walk(setup, 6)):
        odds = match.odds()
        if match.actors == (CHANCE,):
            assert tuple(sorted(odds)) == match.legal(CHANCE)
            assert sum(odds.values()) == Fraction(1)
            assert all(probability > 0 for probability in odds.values())
        else:
            assert odds == {}


@setups_of_a_law()
def test_views_commute_with_steps(setup: Setup) -> None:
    game = setup.game
    line = walk(setup, 7).line()
    for by in viewers(setup.seats):
        state = game.view(line[0].state, by)
        for before, after in itertools.pairwise(line):
            actor, step = after.last.actor, after.last.step
            state = game.apply(state, actor, game.seen(before.state, actor, step, by))
            assert state == game.view(after.state, by)


@pytest.mark.long
@every_setup
@pytest.mark.parametrize("seed", range(100, 110))
def test_views_commute_with_steps_in_ten_more_matches(setup: Setup, seed: int) -> None:
    line = walk(setup, seed).line()
    for by in viewers(setup.seats):
        seen = line[-1].seen_by(by)  # plays every step on the view
        assert seen.digest == line[-1].digest
        for mine, full in zip(seen.line(), line, strict=True):
            assert mine.state == setup.game.view(full.state, by)


@setups_of_a_law()
def test_views_say_who_acts_what_they_may_do_and_how_it_ended(setup: Setup) -> None:
    game = setup.game
    for match in sample(walk(setup, 8)):
        for by in viewers(setup.seats):
            view = game.view(match.state, by)
            assert game.actors(view) == match.actors
            assert game.outcome(view) == match.outcome
            for actor in match.actors:
                if actor in by:
                    assert game.legal(view, actor) == match.legal(actor)
                else:  # the answer, or the word that it is hidden; never another answer
                    try:
                        assert game.legal(view, actor) == match.legal(actor)
                    except Hidden:
                        assert view != match.state


@pytest.mark.parametrize("game_id", [name for name, game in ALL_GAMES.items() if not game.SECRETS])
def test_where_there_are_no_secrets_everybody_sees_everything(game_id: str) -> None:
    game = ALL_GAMES[game_id]
    for match in (one for one in sample(walk(Setup.of(game), 24)) if one.actors):
        actor = match.actors[0]
        step = match.legal(actor)[0]
        assert match.odds() == {}
        for by in viewers(match.setup.seats):
            assert game.view(match.state, by) == match.state
            assert game.seen(match.state, actor, step, by) == step


@setups_of_a_law()
def test_views_hold_the_smaller_views(setup: Setup) -> None:
    game = setup.game
    matches = sample(walk(setup, 9))
    for match in matches:
        for by in viewers(setup.seats):
            view = game.view(match.state, by)
            for smaller in (SPECTATOR, *(frozenset({seat}) for seat in by)):
                assert game.view(view, smaller) == game.view(match.state, smaller)
    for match in matches[1:]:
        state, (actor, step) = match.before.state, (match.last.actor, match.last.step)
        for by in viewers(setup.seats):
            view, seen = game.view(state, by), game.seen(state, actor, step, by)
            for smaller in (SPECTATOR, *(frozenset({seat}) for seat in by)):
                assert game.seen(view, actor, seen, smaller) == game.seen(
                    state, actor, step, smaller
                )


@setups_of_a_law()
def test_a_match_of_some_seats_follows_by_what_they_see_and_takes_nothing_else(
    setup: Setup,
) -> None:
    match = walk(setup, 10)
    for by in viewers(setup.seats):
        seen = match.seen_by(by)
        assert seen.digest == match.digest
        assert seen.state == setup.game.view(match.state, by)
        line = seen.line()
        for one, full in zip(line[1:], match.line()[1:], strict=True):
            assert one.last is not None
            assert full.last is not None
            if one.last != full.last:  # the full text would tell these seats a secret
                assert one.before is not None
                with pytest.raises(KumiteError):
                    one.before.play(full.last.actor, full.last.step)


@setups_of_a_law()
def test_a_complete_match_takes_no_text_with_holes(setup: Setup) -> None:
    game = setup.game
    for match in walk(setup, 11).line()[1:]:
        assert match.before is not None
        actor, step = match.last.actor, match.last.step
        texts = {game.seen(match.before.state, actor, step, by) for by in viewers(setup.seats)}
        for text in texts:
            if "?" in text:
                with pytest.raises(IllegalStep):
                    match.before.play(actor, text)


@setups_of_a_law()
def test_texts_and_bytes_round_trip(setup: Setup) -> None:
    game = setup.game
    for match in sample(walk(setup, 12)):
        views = (game.view(match.state, by) for by in viewers(setup.seats))
        for state in {match.state, *views}:  # where nothing is hidden, one position
            assert game.parse(game.text(state)) == state
            packed = encode(game.pack(state))
            assert game.unpack(decode(packed)) == state
        assert game.setup_of(match.state) == (setup.seats, dict(setup.options))


@every_game
def test_what_is_no_packed_position_is_refused(game: Game[Any]) -> None:
    packed = game.pack(walk(Setup.of(game), 13, longest=8).state)
    assert isinstance(packed, tuple)
    for index in range(len(packed)):
        for wrong in (-1, 1 << 60, "", "?", b"", (), ((),), (-5,) * 6, (b"\xff" * 99,) * 2):
            bad = (*packed[:index], wrong, *packed[index + 1 :])
            if bad != packed:
                try:
                    state = game.unpack(bad)
                except BadData:
                    continue
                assert game.pack(state) == bad
    for wrong in (0, "", b"", (), packed[:-1], (*packed, 0)):
        with pytest.raises(BadData):
            game.unpack(wrong)


@pytest.mark.slow
@setups_of_a_law()
def test_a_log_reads_back_as_the_match_whoever_wrote_it(setup: Setup) -> None:
    match = walk(setup, 14)
    told = set()
    for by in (None, *viewers(setup.seats)):
        mine = match if by is None else match.seen_by(by)
        if mine.steps() in told:  # the same lines again: their beginning tells of the header
            mine = mine.line()[2]
        told.add(mine.steps())
        text = log_text(Header("00ff", setup, ("ada", "bob jr."), by), mine)
        log = read(text)
        assert log.damage is None
        assert log.match.steps() == mine.steps()
        assert log.match.digest == mine.digest
        assert log.header.by == by
        assert (log.end is not None) == (mine.number == match.number)
        if log.end is not None:
            assert log.end.reason == match.outcome.reason


@every_game
def test_perft_counts_what_playing_finds(game: Game[Any]) -> None:
    def count(match: Match, depth: int) -> int:
        if depth == 0:
            return 1
        if not match.actors:
            return 0
        actor = match.actors[0]
        return sum(count(match.play(actor, step), depth - 1) for step in match.legal(actor))

    for match in (Match.begin(Setup.of(game)), walk(Setup.of(game), 15, longest=5)):
        expected = tuple(count(match, depth) for depth in (1, 2))
        assert perft(game, match.state, 2) == expected
    ended = walk(Setup.of(game), 16)
    assert perft(game, ended.state, 3) == (0, 0, 0)


@every_game
def test_a_step_has_one_text(game: Game[Any]) -> None:
    match = walk(Setup.of(game), 17, longest=3)
    actor = match.actors[0]
    for step in match.legal(actor)[:5]:
        for wrong in (f" {step}", f"{step} ", step.upper() if step != step.upper() else f"{step}_"):
            with pytest.raises((BadNotation, IllegalStep)):
                match.play(actor, Step(wrong))


def test_played_steps_are_values() -> None:
    assert Played(Seat(0), Step("f7")) == Played(Seat(0), Step("f7"))
