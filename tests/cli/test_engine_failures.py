"""`kumite engine`: every failure, and whatever else may come in."""

from __future__ import annotations

import io
import json
import os
import select
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.cli.engine import _REQUESTS, Engine, serve
from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.match import Match
from tests.support.engines import START, begun, fails, refused, said
from tests.support.kuzushi_positions import E3
from tests.support.places import ROOT
from tests.support.random_matches import walk

# --- Failures ---------------------------------------------------------------------------------


@pytest.mark.parametrize("do", sorted({*_REQUESTS} - {"games", "new", "load", "stop"}))
def test_before_the_first_match_there_is_none(do: str) -> None:
    fields = {"actor": 1, "step": "f7", "by": [], "depth": 1, "seat": 1}
    failed = fails(Engine(), json.dumps({"do": do} | fields))
    assert failed == ("bad-request", "there is no match yet")


KUZUSHI = {"game": "kuzushi"}
FAILURES: list[tuple[str, dict[str, Any], str]] = [
    ("new", {"game": "go"}, "bad-setup"),
    ("new", {"game": "chess"}, "bad-setup"),
    *(("new", KUZUSHI | {"seats": number}, "bad-setup") for number in (1, 7, 10**4000)),
    ("new", KUZUSHI | {"options": {"board": "large"}}, "bad-setup"),
    ("new", KUZUSHI | {"options": {"colour": "red"}}, "bad-setup"),
    ("new", KUZUSHI | {"options": {"board": 6}}, "bad-setup"),
    *(("load", {"text": text}, "bad-notation") for text in ("", "nonsense", START + " x")),
    ("load", {"text": START, "game": "go"}, "bad-setup"),
    *(("apply", {"actor": 1, "step": step}, "illegal-step") for step in ("d6", "g7", "?")),
    *(
        ("apply", {"actor": 1, "step": step}, "bad-notation")
        for step in ("e7 ", "", "\ud800", "x" * 100_000)
    ),
    *(
        ("apply", {"actor": actor, "step": "e7"}, "not-to-act")
        for actor in (0, 2, -1, 10**4000, "*")
    ),
    ("legal", {"actor": 0}, "not-to-act"),
    ("legal", {"actor": "*"}, "not-to-act"),
    ("odds", {}, "not-to-act"),
    ("seen", {"actor": 1, "step": "d6", "by": []}, "illegal-step"),
    ("seen", {"actor": 0, "step": "e7", "by": []}, "not-to-act"),
    ("choose", {"seat": 0}, "not-to-act"),
    ("choose", {"seat": 1, "bot": "nobody"}, "bad-setup"),
    *((do, {}, "bad-request") for do in ("resign", "Games", "answer", "_position", "", "\ud800")),
]
MISSING: Any = None  # or null
UNFIT: list[tuple[str, dict[str, Any], str, list[Any]]] = [  # what else is said; a field's values
    ("new", {}, "game", [MISSING, 1]),
    ("new", KUZUSHI, "seats", ["2", 2.0, True]),
    ("new", KUZUSHI, "options", [["board"], "small"]),
    ("new", KUZUSHI, "options", [{"board": one} for one in (1.5, None, ["small"], True)]),
    ("new", KUZUSHI, "by", [1, [2], [-1], ["1"], [True], [0.0]]),
    ("load", {}, "text", [MISSING, 5]),
    ("load", {"text": START}, "by", [[5]]),
    ("apply", {"step": "e7"}, "actor", [MISSING, "1", 1.0, True, [1]]),
    ("apply", {"actor": 1}, "step", [MISSING, 7]),
    ("legal", {}, "actor", [MISSING]),
    ("seen", {"actor": 1, "step": "e7"}, "by", [MISSING, [3]]),
    ("view", {}, "by", [MISSING, [2]]),
    ("perft", {}, "depth", [MISSING, -1, 10**4000, 2.0, "2"]),
    ("choose", {}, "seat", [MISSING, "*"]),
    ("choose", {"seat": 1}, "seed", [1.5]),
    ("choose", {"seat": 1}, "simulations", ["many"]),
    ("choose", {"seat": 1}, "seconds", ["1", -0.1, float("nan"), float("inf"), True]),
]


@pytest.mark.parametrize(("do", "fields", "code"), FAILURES)
def test_a_request_that_fails_says_why_and_changes_nothing(
    do: str, fields: dict[str, Any], code: str
) -> None:
    assert refused(begun("f7", "e6"), do, **fields) == code


@pytest.mark.parametrize(("do", "others", "field", "values"), UNFIT)
def test_a_field_that_is_missing_or_unfit_is_no_request(
    do: str, others: dict[str, Any], field: str, values: list[Any]
) -> None:
    for value in values:
        assert refused(begun("f7", "e6"), do, **others, **{field: value}) == "bad-request"
        if value is MISSING:
            assert refused(begun("f7", "e6"), do, **others) == "bad-request"


@pytest.mark.parametrize(
    "line",
    [
        *("", " ", "\n", "nonsense", "null", "true", "17", "NaN", "[]", '["games"]', '"games"'),
        *("{", "{}", '{"do":null}', '{"do":["games"]}', '{"do":"games"', '{"do":"\\ud800"}'),
        *('{"do":"games"} {"do":"games"}', "{'do':'games'}", '\ufeff{"do":"games"}'),
        *(f'{{"do":"perft","depth":{n}}}' for n in ("NaN", "Infinity", "1e400", "9" * 5000)),
        *("9" * 5000, "[" * 100_000, '{"do":' * 100_000, "\x00", "\ud800"),
        '{"do":"perft","depth":' + "[" * 900 + "]" * 900 + "}",
        '{"do":"new","game":"kuzushi","options":{"board":' + '{"a":' * 900 + "1" + "}" * 902,
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
    serve(whole, out)
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


@pytest.mark.parametrize("encoding", ["utf-8:strict", "ascii", "latin-1"])  # as in such locales
def test_a_process_takes_any_bytes_in_any_locale(encoding: str) -> None:
    asked = [
        *(b'{"do":"games"}', b"\xff\xfe", b"\x80" * 20, '{"do":"sch\u00f6n"}'.encode()),
        *(b'{"do":"sch\xf6n"}', b"\xe2\x80\xa8", b"\x85", b"\x00", b'{"do":"games"}'),
    ]
    with process(PYTHONIOENCODING=encoding) as engine:
        out, err = engine.communicate(b"\n".join(asked), timeout=20)  # the last line has no end
    assert engine.returncode == 0
    assert err == b""
    answers = [json.loads(line) for line in out.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, *[False] * 7, True]
    assert "sch\u00f6n" in answers[3]["error"]
    assert out.count(b"\n") == len(asked)
    assert b"\r" not in out
