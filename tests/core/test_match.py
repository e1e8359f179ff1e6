"""Matches: validated steps, chained digests, taking back, branching, the same on any Python."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgpack
import pytest

from kumite.core.errors import BadNotation, BadSetup, IllegalStep, LocalError, MatchOver, NotToAct
from kumite.core.game import CHANCE, SPECTATOR, Actor, Option, Seat, Setup, Step
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.match import FORMAT, Match, Played
from tests.support.mk6 import ALL_GAMES
from tests.support.places import ROOT
from tests.support.random_matches import walk
from tests.support.toy_games import Toy

KUZUSHI = Setup.of(kuzushi)
TOY = Toy("b01cf", SEATS=(2, 3), OPTIONS=(Option("size", 1, (1, 2), ""),))


def steps(*texts: str) -> list[Played]:
    """Return steps of Kuzushi between two seats; seat 1 begins."""
    return [Played(Seat((n + 1) % 2), Step(text)) for n, text in enumerate(texts)]


def begin(game: Any = TOY, seats: int = 2, **options: str | int) -> Match:
    return Match.begin(Setup.of(game, seats, options))


def shown(match: Match) -> tuple[Any, ...]:
    return (match.state, match.number, match.digest, match.last, match.actors, match.outcome)


# --- Set-ups ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2.0, "2", True, 1, 4, -2])
def test_only_a_whole_number_that_the_game_allows_is_a_number_of_seats(seats: Any) -> None:
    """Another value that is equal to one would be written into logs and digests as it is."""
    with pytest.raises(BadSetup, match=re.escape(f"cannot be played by {seats!r}")) as caught:
        Setup.of(TOY, seats)
    assert caught.value.hint == "seats: 2, 3"


@pytest.mark.parametrize("size", [2.0, True, 3, "two"])
def test_only_a_value_of_its_own_kind_or_its_text_is_an_options(size: Any) -> None:
    with pytest.raises(BadSetup, match="option size cannot be"):
        Setup.of(TOY, 2, {"size": size})
    assert Setup.of(TOY, 2, {"size": "2"}).options == Setup.of(TOY, 2, {"size": 2}).options


# --- Playing ----------------------------------------------------------------------------------


def test_a_step_makes_a_new_match_and_leaves_the_old_one() -> None:
    match = Match.begin(KUZUSHI)
    before = shown(match)
    after = match.play(Seat(1), Step("f7"))
    assert shown(match) == before
    assert after.number == 1
    assert after.last == Played(Seat(1), Step("f7"))
    assert after.before is match
    assert after.actors == (0,)
    assert after.state == kuzushi.apply(match.state, Seat(1), Step("f7"))


@pytest.mark.parametrize(
    ("actor", "step", "error", "code"),
    [
        (1, "g7", IllegalStep, "illegal-step"),
        (1, "zz", BadNotation, "bad-notation"),
        (1, "", BadNotation, "bad-notation"),
        (1, "?", IllegalStep, "illegal-step"),
        (1, "f7?", IllegalStep, "illegal-step"),
        (0, "f7", NotToAct, "not-to-act"),
        (2, "f7", NotToAct, "not-to-act"),
        (-1, "f7", NotToAct, "not-to-act"),
        (CHANCE, "f7", NotToAct, "not-to-act"),
    ],
)
def test_a_wrong_step_is_refused_and_changes_nothing(
    actor: Actor, step: str, error: type[Exception], code: str
) -> None:
    match = Match.begin(KUZUSHI)
    before = shown(match)
    with pytest.raises(error) as caught:
        match.play(actor, Step(step))
    assert type(caught.value) is error
    assert caught.value.code == code
    assert caught.value.hint
    assert shown(match) == before


def test_who_is_not_to_act_is_told_who_is() -> None:
    with pytest.raises(NotToAct, match="it is not seat 0's turn") as caught:
        Match.begin(KUZUSHI).play(Seat(0), Step("f7"))
    assert caught.value.hint == "to act: seat 1"
    both = begin()
    with pytest.raises(NotToAct, match="it is not chance's turn") as caught:
        both.legal(CHANCE)
    assert caught.value.hint == "to act: seat 0, seat 1"
    chance = both.play_all([Played(Seat(0), Step("x"))] * 2 + [Played(Seat(1), Step("x"))])
    with pytest.raises(NotToAct, match="seat 0") as caught:
        chance.play(Seat(0), Step("x"))
    assert caught.value.hint == "to act: chance"


def test_after_the_end_nobody_acts() -> None:
    match = walk(KUZUSHI, 1)
    assert match.outcome is not None
    assert match.odds() == {}
    for actor in (Seat(0), Seat(1), Seat(2), CHANCE):
        with pytest.raises(MatchOver) as caught:
            match.play(actor, Step("f7"))
        assert caught.value.code == "match-over"
        with pytest.raises(MatchOver):
            match.legal(actor)


def test_several_at_once_act_in_any_order() -> None:
    match = begin()
    assert match.actors == (0, 1)
    assert match.play(Seat(1), Step("y")).number == match.play(Seat(0), Step("y")).number == 1


# --- Back and branches ------------------------------------------------------------------------


@pytest.mark.parametrize("number", [-1, 4, 1000])
def test_there_is_nothing_before_the_start_or_after_the_last_step(number: int) -> None:
    match = Match.begin(KUZUSHI).play_all(steps("f7", "e6", "g7+"))
    with pytest.raises(LocalError, match="3 steps"):
        match.back(number)


def test_playing_all_stops_at_the_first_wrong_step() -> None:
    match = Match.begin(KUZUSHI)
    with pytest.raises(IllegalStep):
        match.play_all(steps("f7", "f7", "e6"))
    assert match.play_all(()) is match
    assert match.play_all(steps("f7", "e6")).number == 2


# --- Digests ----------------------------------------------------------------------------------


def hashed(value: object) -> bytes:
    """Return what the codec says a digest is, without the codec."""
    return blake2b(
        msgpack.packb(value, use_bin_type=True), digest_size=16, person=b"kumite"
    ).digest()


def test_the_digests_are_these_forever() -> None:
    """They are in every log: another value here means that no old log can be read any more."""
    match = Match.begin(KUZUSHI).play_all(steps("f7", "e6", "g7+"))
    assert [one.digest.hex() for one in match.line()] == [
        "615c2d09fc5a3d26fa0b25b5a614a3b7",
        "759668a8934c9bdcc0e20bbb83875434",
        "9eef0ad19741a8063879695d74005163",
        "c2238f8d0580a0ded961f885d423e269",
    ]
    small = Match.begin(Setup.of(kuzushi, 3, {"board": "small"}))
    assert small.digest.hex() == "a7e6c04234961c01d63f12455a95f8f4"


@pytest.mark.parametrize("game", ALL_GAMES.values(), ids=ALL_GAMES)
def test_digests_chain_what_everybody_may_see(game: Any) -> None:
    setup = Setup.of(game)
    options = sorted(setup.options.items())
    digest = hashed([FORMAT, game.ID, game.RULES, setup.seats, options, []])
    match = walk(setup, 3)
    for before, after in zip(match.line(), match.line()[1:], strict=False):
        assert before.digest == digest
        actor, step = after.last.actor, after.last.step
        public = game.seen(before.state, actor, step, SPECTATOR)
        view = game.pack(game.view(after.state, SPECTATOR))
        digest = hashed([digest, after.number, actor, public, view])
    assert match.digest == digest


# --- The same on any Python -------------------------------------------------------------------

SCRIPT = """
import json, sys
from kumite.core.game import Seat, Setup, Step
from kumite.core.match import Match, Played
from tests.support.mk6 import ALL_GAMES
for line in sys.stdin:
    game, seats, options, steps = json.loads(line)
    match = Match.begin(Setup.of(ALL_GAMES[game], seats, options))
    match = match.play_all(Played(actor, Step(step)) for actor, step in steps)
    legal = [match.legal(actor) for actor in match.actors]
    print(match.digest.hex(), json.dumps([match.game.text(match.state), legal]))
"""


@cache
def matches() -> str:
    lines = []
    for game in ALL_GAMES.values():
        for seats in game.SEATS:
            match = walk(Setup.of(game, seats), 4, longest=40)
            played = [[one.actor, one.step] for one in match.steps()]
            lines.append(json.dumps([game.ID, seats, dict(match.setup.options), played]))
    return "\n".join(lines)


def run(python: str, **environment: str) -> str:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONHASHSEED"}
    done = subprocess.run(
        [python, "-c", SCRIPT], input=matches(), capture_output=True, text=True, check=False,
        cwd=ROOT, env=env | environment, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == matches().count("\n") + 1
    return done.stdout


@cache
def here() -> str:
    return run(sys.executable, PYTHONPATH=str(ROOT), PYTHONHASHSEED="1")


def test_digests_texts_and_lists_do_not_depend_on_the_hash_seed() -> None:
    again = run(sys.executable, PYTHONPATH=str(ROOT), PYTHONHASHSEED="4242")
    assert again == here()


def python_named(name: str) -> str | None:
    """Return a Python of that name that starts: on the path, or beside ours like pyenv's."""
    beside = Path(sys.base_prefix).parent.glob(f"{name.removeprefix('python')}*/bin/{name}")
    for path in (shutil.which(name), *map(str, beside)):
        if path and not subprocess.run([path, "-V"], capture_output=True, check=False).returncode:
            return path
    return None


@pytest.mark.parametrize("name", ["python3.11", "python3.12", "python3.13"])
def test_digests_are_the_same_on_another_python_with_msgpack_in_pure_python(name: str) -> None:
    python = python_named(name)
    if python is None:
        pytest.skip(f"no {name} here")
    packages = Path(msgpack.__file__).resolve().parent.parent
    environment = {"PYTHONPATH": f"{ROOT}{os.pathsep}{packages}", "MSGPACK_PUREPYTHON": "1"}
    assert run(python, **environment) == here()
