"""`kumite engine`: every request, and what it answers."""

from __future__ import annotations

import io
import json
import re
from random import Random
from typing import Any

import pytest

from kumite.cli.engine import LONGEST, Engine, serve
from kumite.core.game import CHANCE, SPECTATOR, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.log import read
from tests.support.engines import ask, begun, refused, said
from tests.support.kuzushi_positions import E3
from tests.support.places import ROOT
from tests.support.random_matches import choose, viewers, walk

D0, D1 = "615c2d09fc5a3d26fa0b25b5a614a3b7", "759668a8"


def position(number: int, actors: list[Any], digest: str, outcome: Any = None) -> dict[str, Any]:
    return {"number": number, "actors": actors, "outcome": outcome, "digest": digest}


# --- The requests -----------------------------------------------------------------------------


def test_the_page_names_every_request_and_its_example_works() -> None:
    page = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    hint = ask(Engine(), "nothing")["hint"]
    told = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) - {"do"}
    assert told == set(hint.removeprefix("one of ").split(", "))
    lines = page.split("```")[1].strip()
    out = io.StringIO()
    serve(io.StringIO(lines + "\n"), out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(answers) == len(lines.splitlines())
    assert all(answer["ok"] for answer in answers)


def test_games_lists_every_game_with_its_seats_and_options() -> None:
    games = {game["id"]: game for game in said(Engine(), "games")["games"]}
    assert list(games) == list(GAMES)
    assert games["kuzushi"] == {
        "id": "kuzushi",
        "title": "Kuzushi",
        "seats": [2, 3, 4, 5, 6],
        "options": {"board": {"default": "normal", "allowed": ["normal", "small"]}},
        "rules": 1,
    }
    for name, shown in games.items():
        for option in GAMES[name].OPTIONS:  # numbers as JSON numbers
            assert shown["options"][option.name]["default"] == option.default
            assert shown["options"][option.name]["allowed"] == list(option.allowed)


def test_new_begins_a_match() -> None:
    engine = Engine()
    assert said(engine, "new", game="kuzushi") == position(0, [1], D0)
    assert said(engine, "new", game="kuzushi", seats=2, options={}) == position(0, [1], D0)
    small = said(engine, "new", game="kuzushi", seats=3, options={"board": "small"})
    assert small["digest"] != D0
    assert said(engine, "new", game="kuzushi", by=[1]) == position(0, [1], D0)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_value_of_every_option_can_be_chosen(game_id: str) -> None:
    engine, digests = Engine(), set()
    for game in said(engine, "games")["games"]:
        if game["id"] != game_id:
            continue
        for name, option in game["options"].items():
            for value in option["allowed"]:
                new = said(engine, "new", game=game_id, options={name: value})
                digests.add((name, new["digest"]))
            values = len([one for one, _ in digests if one == name])
            assert values == len(option["allowed"])
        for seats in game["seats"]:
            said(engine, "new", game=game_id, seats=seats)


def test_apply_makes_a_step_and_undo_takes_it_back() -> None:
    engine = begun()
    after = said(engine, "apply", actor=1, step="f7")
    assert after["digest"].startswith(D1)
    assert after == position(1, [0], after["digest"])
    assert said(engine, "undo") == position(0, [1], D0)
    assert said(engine, "apply", actor=1, step="f7") == after


def test_legal_lists_the_steps() -> None:
    engine = begun("f7", "e6")
    steps = ["c6", "d5", "d7", "e4", "e7", "e8", "f5", "f8+", "f9", "g6", "g7+", "g8", "h7"]
    assert said(engine, "legal", actor=1) == {"steps": steps}


def test_a_match_to_its_end_has_an_outcome() -> None:
    played = walk(Setup.of(kuzushi, 2, {"board": "small"}), 5)
    engine = begun(options={"board": "small"})
    for step in played.steps():
        last = said(engine, "apply", actor=step.actor, step=step.step)
    assert played.outcome is not None
    assert last == {
        "number": played.number,
        "actors": [],
        "outcome": {"winners": list(played.outcome.winners), "reason": played.outcome.reason},
        "digest": played.digest.hex(),
    }


def test_view_gives_a_canonical_text_that_load_reads() -> None:
    engine = begun("f7", "e6")
    here = position(2, [1], "9eef0ad1")
    for by in ([], [0], [1, 0], [1, 1]):
        view = said(engine, "view", by=by)
        assert view["text"] == E3
        here["digest"] = view["position"]["digest"]
        assert view == {"position": here, "text": E3}
    loaded = Engine()
    new = said(loaded, "load", text=view["text"])
    assert (new["number"], new["actors"], new["outcome"]) == (0, [1], None)
    assert new["digest"] != here["digest"]  # another match, from another start
    assert said(loaded, "legal", actor=1) == said(engine, "legal", actor=1)
    assert said(loaded, "view", by=[])["text"] == E3
    assert said(loaded, "load", text=E3 + "\n\n", game="kuzushi") == new


def test_perft_counts_from_the_current_position() -> None:
    engine = begun()
    assert said(engine, "perft", depth=4) == {"counts": [4, 32, 448, 7064]}
    assert said(engine, "perft", depth=0) == {"counts": []}
    said(engine, "apply", actor=1, step="f7")
    assert said(engine, "perft", depth=1) == {"counts": [8]}


def test_stop_ends_a_thought_with_the_best_so_far() -> None:
    """As in UCI: whoever asks for a day gets a step as soon as `stop` comes."""
    requests = (
        {"do": "new", "game": "kuzushi"},
        {"do": "choose", "seat": 1, "bot": "strong", "seconds": LONGEST},
        {"do": "stop"},
        {"do": "choose", "seat": 1, "bot": "strong", "simulations": 10**9},
        {"do": "stop"},
        {"do": "legal", "actor": 1},
    )
    out = io.StringIO()
    serve(io.StringIO("".join(json.dumps(one) + "\n" for one in requests)), out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(answers) == len(requests), "a line for a line"
    legal = answers[-1]["steps"]
    assert answers[1]["step"] in legal
    assert answers[3]["step"] in legal
    assert all(answers[number]["ok"] for number in (2, 4))


def test_perft_after_the_end_is_as_many_zeros() -> None:
    engine = Engine(walk(Setup.of(kuzushi), 1))
    assert said(engine, "perft", depth=3) == {"counts": [0, 0, 0]}
    assert said(engine, "perft", depth=100) == {"counts": [0] * 100}
    assert refused(engine, "perft", depth=101) == "bad-request"
    full = "kuzushi seats=2 board=small\nseat 0\n" + "\n".join(
        [f" {rank} 0B 0B 0B 1B 1B" for rank in (9, 8, 7, 6)]
        + [" 5 0B 0B 0B 1B 0C", "    a  b  c  d  e", "over full 0"]
    )
    assert said(engine, "load", text=full)["outcome"] == {"winners": [0], "reason": "full"}
    assert said(engine, "perft", depth=2) == {"counts": [0, 0]}


def test_choose_chooses_a_legal_step_reproducibly_and_makes_none() -> None:
    engine = begun("f7", "e6")
    legal = said(engine, "legal", actor=1)["steps"]
    for bot in ("simple", "random"):
        first = said(engine, "choose", seat=1, bot=bot, seed=3)
        assert set(first) == {"step", "value", "lines"}
        assert first["step"] in legal
        for budget in ({}, {"simulations": 100}, {"seconds": 1.0}):
            assert said(engine, "choose", seat=1, bot=bot, seed=3, **budget) == first
    assert said(engine, "choose", seat=1, bot="strong", seconds=0)["lines"] == []
    assert said(engine, "choose", seat=1, bot="strong", seconds=0.02)["step"] in legal
    seeds = {said(engine, "choose", seat=1, bot="random", seed=n)["step"] for n in range(40)}
    assert len(seeds) > 3
    assert said(engine, "choose", seat=1)["step"] in legal
    assert said(engine, "view", by=[])["position"]["number"] == 2


def test_a_log_begins_at_the_position_that_was_loaded() -> None:
    engine = begun()
    said(engine, "load", text=E3 + " \r\n", by=[0])
    said(engine, "apply", actor=1, step="e7")
    log = read(said(engine, "log")["log"])
    assert log.header.by == {0}
    assert log.damage is None
    assert log.match.digest == engine.match.digest


# --- Hidden and chance, in whatever games have them -------------------------------------------


def random_engine(game: Any, seed: int, steps: int) -> Engine:
    """Return an engine that has played random steps, one by one."""
    rng, engine = Random(f"{game.ID} {seed}"), Engine()
    said(engine, "new", game=game.ID)
    for _ in range(steps):
        assert engine.match is not None
        if engine.match.actors:
            actor, step = choose(engine.match, rng)
            said(engine, "apply", actor=actor, step=step)
    return engine


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_matches_of_some_seats_are_played_by_what_they_see(game: Any) -> None:
    full = random_engine(game, 1, 0)
    rng = Random(1)
    seats = GAMES[game.ID].SEATS[0]
    others = {by: Engine() for by in viewers(seats)}
    for by, engine in others.items():
        new = said(engine, "new", game=game.ID, by=sorted(by))
        assert new["digest"] == full.match.digest.hex()
    for _ in range(25):
        assert full.match is not None
        if not full.match.actors:
            break
        actor, step = choose(full.match, rng)
        seen = {
            by: said(full, "seen", actor=actor, step=step, by=sorted(by))["step"] for by in others
        }
        here = said(full, "apply", actor=actor, step=step)
        for by, engine in others.items():
            if seen[by] != step:
                assert refused(engine, "apply", actor=actor, step=step)
            assert said(engine, "apply", actor=actor, step=seen[by]) == here
            view = said(full, "view", by=sorted(by))
            assert said(engine, "view", by=sorted(by)) == view
            assert said(engine, "view", by=[]) == said(full, "view", by=[])
            for other in here["actors"]:
                if other in by:
                    legal = said(full, "legal", actor=other)
                    assert said(engine, "legal", actor=other) == legal
                    chosen = said(engine, "choose", seat=other)
                    assert chosen == said(full, "choose", seat=other)
    for engine in others.values():
        log = read(said(engine, "log")["log"])
        assert log.damage is None
        assert log.match.digest == full.match.digest


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_odds_are_asked_for_when_chance_is_to_act(game: Any) -> None:
    engine = random_engine(game, 2, 0)
    rng, asked = Random(2), 0
    for _ in range(40):
        assert engine.match is not None
        if engine.match.actors == (CHANCE,):
            odds = said(engine, "odds")["odds"]
            steps = said(engine, "legal", actor="*")["steps"]
            assert [step for step, _, _ in odds] == steps == sorted(steps)
            assert all(type(n) is type(d) is int and 0 < n <= d for _, n, d in odds)
            asked += 1
        else:
            assert refused(engine, "odds") in ("not-to-act", "match-over")
        if engine.match.actors:
            actor, step = choose(engine.match, rng)
            said(engine, "apply", actor=actor, step=step)
    chances = [one for one in walk(Setup.of(game), 1).line() if CHANCE in one.actors]
    assert bool(asked) == bool(chances)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_what_a_match_of_some_seats_cannot_know_it_does_not_tell(game: Any) -> None:
    hidden = 0
    for steps in (0, 4, 8, 12, 16, 20):
        engine = random_engine(game, 3, steps)
        assert engine.match is not None
        full = engine.match
        mine = Engine(full.seen_by(frozenset({Seat(1)})))
        theirs = said(engine, "view", by=[0])["text"]
        answer = ask(mine, "view", by=[0])
        if answer["ok"]:
            assert answer["text"] == theirs
        else:
            assert answer["code"] == "hidden"
            hidden += 1
    views = [full.game.view(full.state, by) for by in (SPECTATOR, frozenset({Seat(0), Seat(1)}))]
    assert hidden or views[0] == views[1]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_loaded_match_of_some_seats_forgets_what_they_do_not_see(game: Any) -> None:
    engine = random_engine(game, 4, 12)
    whole = said(engine, "view", by=list(range(game.SEATS[0])))["text"]
    mine = said(engine, "view", by=[1])["text"]
    if "?" not in whole:
        said(engine, "load", text=whole, by=[1])
        assert engine.position == said(engine, "view", by=[1])["text"] == mine
        assert read(said(engine, "log")["log"]).header.position == mine
    if "?" in mine:
        assert refused(engine, "load", text=mine) == "bad-request"
    said(engine, "load", text=mine, by=[1])
