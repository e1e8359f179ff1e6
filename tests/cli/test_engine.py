"""`kumite engine`: every request, every failure, and whatever else may come in."""

from __future__ import annotations

import io
import json
import os
import select
import subprocess
import sys
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.cli.engine import _REQUESTS, LONGEST, Engine, serve
from kumite.core.game import CHANCE, SPECTATOR, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.log import read
from kumite.core.match import Match, Played
from tests.support.places import ROOT
from tests.support.random_matches import choose, viewers, walk

START = "kuzushi seats=2 board=normal\nseat 1\n 6 0C\n    f"
E3 = """kuzushi seats=2 board=normal
seat 1
 8  .  . 1f  .
 7  .  . 1B 1f
 6 0f 0B 0C  .
 5  . 0f  .  .
    d  e  f  g"""
D0, D1 = "615c2d09fc5a3d26fa0b25b5a614a3b7", "759668a8"


def ask(engine: Engine, do: str, **fields: Any) -> dict[str, Any]:
    """Return the answer to a request, as it comes out at the other end."""
    answer = engine.answer(json.dumps({"do": do} | fields))
    assert type(answer["ok"]) is bool
    return json.loads(json.dumps(answer, allow_nan=False))  # type: ignore[no-any-return]


def said(engine: Engine, do: str, **fields: Any) -> dict[str, Any]:
    """Return the answer to a request that succeeds, without its `ok`."""
    answer = ask(engine, do, **fields)
    assert answer.pop("ok") is True, answer
    return answer


def fails(engine: Engine, line: str) -> tuple[str, str]:
    """Return code and text of a failure, having checked that nothing has changed."""
    before = (engine.match, engine.position)
    answer = engine.answer(line)
    assert list(answer) == ["ok", "code", "error", "hint"]
    assert answer["ok"] is False
    assert all(type(answer[key]) is str for key in ("code", "error", "hint"))
    assert answer["error"]
    assert (engine.match, engine.position) == before
    return str(answer["code"]), str(answer["error"])


def refused(engine: Engine, do: str, **fields: Any) -> str:
    """Return the code of a request that fails."""
    return fails(engine, json.dumps({"do": do} | fields))[0]


def begun(*steps: str, **fields: Any) -> Engine:
    """Return an engine in a match of Kuzushi between two, after these steps."""
    engine = Engine()
    said(engine, "new", game="kuzushi", **fields)
    for number, step in enumerate(steps, 1):
        said(engine, "apply", actor=number % 2, step=step)
    return engine


def position(number: int, actors: list[Any], digest: str, outcome: Any = None) -> dict[str, Any]:
    return {"number": number, "actors": actors, "outcome": outcome, "digest": digest}


# --- The requests -----------------------------------------------------------------------------


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


def test_stop_ends_a_thought_with_the_best_so_far_and_a_count_without_an_answer() -> None:
    """As in UCI: whoever asks for a day gets a step as soon as `stop` comes."""
    requests = (
        {"do": "new", "game": "kuzushi"},
        {"do": "choose", "seat": 1, "bot": "strong", "seconds": LONGEST},
        {"do": "stop"},
        {"do": "choose", "seat": 1, "bot": "strong", "simulations": 10**9},
        {"do": "stop"},
        {"do": "perft", "depth": 100},
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
    assert answers[5]["code"] == "stopped"
    assert all(answers[number]["ok"] for number in (2, 4, 6))


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


def test_seen_is_the_step_as_others_see_it_and_makes_none() -> None:
    engine = begun("f7")
    for by in ([], [0], [0, 1]):
        assert said(engine, "seen", actor=0, step="e6", by=by) == {"step": "e6"}
    assert said(engine, "view", by=[])["position"]["number"] == 1


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


def test_log_is_the_match_so_far() -> None:
    engine = begun("f7", "e6")
    log = read(said(engine, "log")["log"])
    assert log.damage is None
    assert log.match.steps() == (Played(Seat(1), "f7"), Played(Seat(0), "e6"))  # type: ignore[arg-type]
    assert log.match.digest == engine.match.digest  # type: ignore[union-attr]
    said(engine, "load", text=E3 + " \r\n", by=[0])
    said(engine, "apply", actor=1, step="e7")
    log = read(said(engine, "log")["log"])
    assert log.header.by == {0}
    assert log.damage is None
    assert engine.match is not None
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
        assert full.match is not None
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
        assert log.match.digest == full.match.digest  # type: ignore[union-attr]


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


# --- Failures ---------------------------------------------------------------------------------


@pytest.mark.parametrize("do", [
    "apply", "undo", "legal", "odds", "seen", "view", "perft", "choose", "log"
])  # fmt: skip
def test_before_the_first_match_there_is_none(do: str) -> None:
    fields = {"actor": 1, "step": "f7", "by": [], "depth": 1, "seat": 1}
    engine = Engine()
    assert fails(engine, json.dumps({"do": do} | fields)) == (
        "bad-request",
        "there is no match yet",
    )


FAILURES: list[tuple[str, dict[str, Any], str]] = [
    ("new", {}, "bad-request"),
    ("new", {"game": "go"}, "bad-setup"),
    ("new", {"game": "mk6"}, "bad-setup"),
    ("new", {"game": 1}, "bad-request"),
    ("new", {"game": None}, "bad-request"),
    ("new", {"game": "kuzushi", "seats": 1}, "bad-setup"),
    ("new", {"game": "kuzushi", "seats": 7}, "bad-setup"),
    ("new", {"game": "kuzushi", "seats": 10**4000}, "bad-setup"),
    ("new", {"game": "kuzushi", "seats": "2"}, "bad-request"),
    ("new", {"game": "kuzushi", "seats": 2.0}, "bad-request"),
    ("new", {"game": "kuzushi", "seats": True}, "bad-request"),
    ("new", {"game": "kuzushi", "options": {"board": "large"}}, "bad-setup"),
    ("new", {"game": "kuzushi", "options": {"colour": "red"}}, "bad-setup"),
    ("new", {"game": "kuzushi", "options": {"board": 6}}, "bad-setup"),
    ("new", {"game": "kuzushi", "options": {"board": 1.5}}, "bad-request"),
    ("new", {"game": "kuzushi", "options": {"board": None}}, "bad-request"),
    ("new", {"game": "kuzushi", "options": {"board": ["small"]}}, "bad-request"),
    ("new", {"game": "kuzushi", "options": {"board": True}}, "bad-request"),
    ("new", {"game": "kuzushi", "options": ["board"]}, "bad-request"),
    ("new", {"game": "kuzushi", "options": "small"}, "bad-request"),
    ("new", {"game": "kuzushi", "by": 1}, "bad-request"),
    ("new", {"game": "kuzushi", "by": [2]}, "bad-request"),
    ("new", {"game": "kuzushi", "by": [-1]}, "bad-request"),
    ("new", {"game": "kuzushi", "by": ["1"]}, "bad-request"),
    ("new", {"game": "kuzushi", "by": [True]}, "bad-request"),
    ("new", {"game": "kuzushi", "by": [0.0]}, "bad-request"),
    ("load", {}, "bad-request"),
    ("load", {"text": ""}, "bad-notation"),
    ("load", {"text": "nonsense"}, "bad-notation"),
    ("load", {"text": START + " x"}, "bad-notation"),
    ("load", {"text": START, "game": "go"}, "bad-setup"),
    ("load", {"text": START, "by": [5]}, "bad-request"),
    ("load", {"text": 5}, "bad-request"),
    ("apply", {}, "bad-request"),
    ("apply", {"actor": 1}, "bad-request"),
    ("apply", {"step": "e7"}, "bad-request"),
    ("apply", {"actor": 1, "step": 7}, "bad-request"),
    ("apply", {"actor": 1, "step": "d6"}, "illegal-step"),
    ("apply", {"actor": 1, "step": "g7"}, "illegal-step"),
    ("apply", {"actor": 1, "step": "?"}, "illegal-step"),
    ("apply", {"actor": 1, "step": "e7 "}, "bad-notation"),
    ("apply", {"actor": 1, "step": ""}, "bad-notation"),
    ("apply", {"actor": 1, "step": "\ud800"}, "bad-notation"),
    ("apply", {"actor": 1, "step": "x" * 100_000}, "bad-notation"),
    ("apply", {"actor": 0, "step": "e7"}, "not-to-act"),
    ("apply", {"actor": 2, "step": "e7"}, "not-to-act"),
    ("apply", {"actor": -1, "step": "e7"}, "not-to-act"),
    ("apply", {"actor": 10**4000, "step": "e7"}, "not-to-act"),
    ("apply", {"actor": "*", "step": "e7"}, "not-to-act"),
    ("apply", {"actor": "1", "step": "e7"}, "bad-request"),
    ("apply", {"actor": 1.0, "step": "e7"}, "bad-request"),
    ("apply", {"actor": True, "step": "e7"}, "bad-request"),
    ("apply", {"actor": [1], "step": "e7"}, "bad-request"),
    ("legal", {}, "bad-request"),
    ("legal", {"actor": 0}, "not-to-act"),
    ("legal", {"actor": "*"}, "not-to-act"),
    ("odds", {}, "not-to-act"),
    ("seen", {"actor": 1, "step": "e7"}, "bad-request"),
    ("seen", {"actor": 1, "step": "d6", "by": []}, "illegal-step"),
    ("seen", {"actor": 0, "step": "e7", "by": []}, "not-to-act"),
    ("seen", {"actor": 1, "step": "e7", "by": [3]}, "bad-request"),
    ("view", {}, "bad-request"),
    ("view", {"by": None}, "bad-request"),
    ("view", {"by": [2]}, "bad-request"),
    ("perft", {}, "bad-request"),
    ("perft", {"depth": -1}, "bad-request"),
    ("perft", {"depth": 10**4000}, "bad-request"),
    ("perft", {"depth": 2.0}, "bad-request"),
    ("perft", {"depth": "2"}, "bad-request"),
    ("choose", {}, "bad-request"),
    ("choose", {"seat": 0}, "not-to-act"),
    ("choose", {"seat": "*"}, "bad-request"),
    ("choose", {"seat": 1, "bot": "nobody"}, "bad-setup"),
    ("choose", {"seat": 1, "seed": 1.5}, "bad-request"),
    ("choose", {"seat": 1, "simulations": "many"}, "bad-request"),
    ("choose", {"seat": 1, "seconds": "1"}, "bad-request"),
    ("choose", {"seat": 1, "seconds": -0.1}, "bad-request"),
    ("choose", {"seat": 1, "seconds": float("nan")}, "bad-request"),
    ("choose", {"seat": 1, "seconds": float("inf")}, "bad-request"),
    ("choose", {"seat": 1, "seconds": True}, "bad-request"),
    ("resign", {}, "bad-request"),
    ("Games", {}, "bad-request"),
    ("answer", {}, "bad-request"),
    ("_position", {}, "bad-request"),
    ("", {}, "bad-request"),
    ("\ud800", {}, "bad-request"),
]


@pytest.mark.parametrize(("do", "fields", "code"), FAILURES)
def test_a_request_that_fails_says_why_and_changes_nothing(
    do: str, fields: dict[str, Any], code: str
) -> None:
    assert refused(begun("f7", "e6"), do, **fields) == code


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "\n",
        "nonsense",
        "null",
        "true",
        "17",
        "NaN",
        "[]",
        '["games"]',
        '"games"',
        "{",
        "{}",
        '{"do":null}',
        '{"do":["games"]}',
        '{"do":"games"',
        '{"do":"games"} {"do":"games"}',
        "{'do':'games'}",
        '\ufeff{"do":"games"}',
        '{"do":"perft","depth":NaN}',
        '{"do":"perft","depth":Infinity}',
        '{"do":"perft","depth":1e400}',
        '{"do":"perft","depth":' + "9" * 5000 + "}",
        "9" * 5000,
        "[" * 100_000,
        '{"do":' * 100_000,
        '{"do":"perft","depth":' + "[" * 900 + "]" * 900 + "}",
        '{"do":"new","game":"kuzushi","options":{"board":' + '{"a":' * 900 + "1" + "}" * 902,
        "\x00",
        "\ud800",
        '{"do":"\\ud800"}',
    ],
    ids=range(31),
)
def test_what_is_no_request_is_answered_as_such(line: str) -> None:
    code, _ = fails(begun("f7", "e6"), line)
    assert code == "bad-request"


def test_of_fields_given_twice_the_last_counts_and_others_are_passed_over() -> None:
    engine = begun("f7")
    line = '{"do":"undo","do":"legal","actor":1,"actor":0,"more":[NaN,{"a":1e999}]}'
    assert engine.answer(line)["ok"] is True
    assert engine.match is not None
    assert engine.match.number == 1


def test_halves_of_characters_in_a_request_come_back_as_ascii() -> None:
    engine = begun()
    answer = engine.answer('{"do":"apply","actor":1,"step":"\\ud800"}')
    assert "\\ud800" in json.dumps(answer)
    said(engine, "log")


def test_undo_at_the_start_fails() -> None:
    engine = begun("f7")
    said(engine, "undo")
    assert fails(engine, '{"do":"undo"}') == ("bad-request", "no step to take back")


def test_after_the_end_only_looking_and_going_back_work() -> None:
    engine = Engine(walk(Setup.of(kuzushi), 1))
    assert engine.match is not None
    for actor in (0, 1, "*"):
        assert refused(engine, "apply", actor=actor, step="f7") == "match-over"
        assert refused(engine, "legal", actor=actor) == "match-over"
    assert refused(engine, "choose", seat=0) == "match-over"
    assert refused(engine, "odds") == "not-to-act"
    assert refused(engine, "seen", actor=0, step="f7", by=[]) == "match-over"
    assert said(engine, "view", by=[])["position"]["actors"] == []
    number = engine.match.number
    assert said(engine, "undo")["number"] == number - 1


# --- Whatever comes in ------------------------------------------------------------------------

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
requests = st.fixed_dictionaries(
    {"do": st.sampled_from([do for do in _REQUESTS if do != "perft"])},  # that can take for ever
    optional={
        "game": st.sampled_from([*GAMES]) | values,
        "seats": st.integers(1, 7) | values,
        "options": st.dictionaries(st.sampled_from(["board", "limit"]), values) | values,
        "by": st.lists(st.integers(-1, 2), max_size=3) | values,
        "actor": st.sampled_from([0, 1, "*"]) | values,
        "step": st.sampled_from(["f7", "e6", "e7", "g7+", "?"]) | values,
        "text": st.sampled_from([START, E3]) | values,
        "seat": st.integers(0, 2) | values,
        "bot": st.sampled_from(["simple", "random", "strong"]) | values,
        "seed": values,
        "simulations": values,
    },
)
lines = requests.map(json.dumps) | st.text(max_size=40) | values.map(json.dumps)


@given(st.lists(lines, max_size=8))
def test_any_line_gets_exactly_one_answer_and_a_failure_changes_nothing(asked: list[str]) -> None:
    engine = begun("f7", "e6")
    out = io.StringIO()
    for line in asked:
        before = (engine.match, engine.position)
        answer = engine.answer(line)
        if not answer["ok"]:
            assert (engine.match, engine.position) == before
            assert set(answer) == {"ok", "code", "error", "hint"}
        assert engine.match is not None
        assert isinstance(engine.match, Match)
    whole = [line.replace("\n", " ") + "\n" for line in asked]
    serve(whole, out)  # type: ignore[arg-type]
    answers = out.getvalue().split("\n")
    assert len(answers) == len(asked) + 1
    for line in answers[:-1]:
        assert line.isascii()
        assert type(json.loads(line)["ok"]) is bool


# --- A process --------------------------------------------------------------------------------


def process(**environment: str) -> subprocess.Popen[bytes]:
    ours = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.Popen(
        [sys.executable, "-m", "kumite", "engine"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=ROOT, env=ours | {"PYTHONPATH": str(ROOT)} | environment,
    )  # fmt: skip


def test_a_process_answers_each_line_before_it_reads_the_next() -> None:
    with process() as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        assert engine.stderr is not None
        for line, ok in (
            (b'{"do":"new","game":"kuzushi","seats":2,"options":{}}\n', True),
            (b'{"do":"apply","actor":1,"step":"f7"}\r\n', True),
            (b'{"do":"apply","actor":1,"step":"f7"}\n', False),
            (b"\n", False),
            (b'{"do":\r"undo"}\n', True),
            (b'{"do":"undo"}\n', False),
        ):
            engine.stdin.write(line)
            engine.stdin.flush()
            ready, _, _ = select.select([engine.stdout], [], [], 20)
            assert ready, "no answer while the input is open"
            assert json.loads(engine.stdout.readline())["ok"] is ok
        engine.stdin.close()
        assert engine.stdout.read() == b""
        assert engine.stderr.read() == b""
        assert engine.wait(20) == 0


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "utf-8:strict"},  # as in a UTF-8 locale
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
    ids=str,
)
def test_a_process_takes_any_bytes_in_any_locale(environment: dict[str, str]) -> None:
    asked = [
        b'{"do":"games"}',
        b"\xff\xfe",
        b"\x80" * 20,
        '{"do":"sch\u00f6n"}'.encode(),
        b'{"do":"sch\xf6n"}',
        b"\xe2\x80\xa8",
        b"\x85",
        b"\x00",
        b'{"do":"games"}',
    ]
    with process(**environment) as engine:
        out, err = engine.communicate(b"\n".join(asked), timeout=20)  # the last line has no end
    assert engine.returncode == 0
    assert err == b""
    answers = [json.loads(line) for line in out.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, *[False] * 7, True]
    assert "sch\u00f6n" in answers[3]["error"]
    assert out.count(b"\n") == len(asked)
    assert b"\r" not in out
