"""Engines for programs, asked in this process."""

from __future__ import annotations

import json
from typing import Any

from kumite.cli.engine import Engine

START = "kuzushi seats=2 board=normal\nseat 1\n 6 0C\n    f"


def ask(engine: Engine, do: str, **fields: Any) -> dict[str, Any]:
    """Return the answer to a request, as it comes out at the other end."""
    answer = engine.answer(json.dumps({"do": do} | fields))
    assert type(answer["ok"]) is bool
    return json.loads(json.dumps(answer, allow_nan=False))


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
    return fails(engine, json.dumps({"do": do} | fields))[0]


def begun(*steps: str, **fields: Any) -> Engine:
    """Return an engine in a match of Kuzushi between two, after these steps."""
    engine = Engine()
    said(engine, "new", game="kuzushi", **fields)
    for number, step in enumerate(steps, 1):
        said(engine, "apply", actor=number % 2, step=step)
    return engine
