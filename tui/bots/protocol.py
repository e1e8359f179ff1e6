"""The protocol for bots in another process: a request and an answer, each one line of JSON.

Users' programs get `request` and answer as described in docs/bots.md; kumite's bot process
(worker.py) gets more fields. No Textual here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from time import monotonic
from typing import Any, Final

from kumite.core import bots
from kumite.core.errors import KumiteError
from kumite.core.game import Seat, Step, parse_actor
from kumite.core.games import find
from kumite.core.match import Played
from kumite.tui.bots.programs import BadAnswer

SHOWN: Final = 60  # characters shown of an invalid answer


def request(position: bots.Position) -> dict[str, Any]:
    game = position.game
    seats, options = game.setup_of(position.view)
    return {
        "game": game.ID,
        "seats": seats,
        "options": dict(options),
        "seat": position.seat,
        "view": game.text(position.view),
        "seen": [[played.actor, played.step] for played in position.seen],
        "legal": position.legal,
    }


def position_of(fields: dict[str, Any]) -> bots.Position:
    game = find(fields["game"])
    return bots.Position(
        game,
        game.parse(fields["view"]),
        Seat(fields["seat"]),
        [Played(parse_actor(str(actor)), Step(step)) for actor, step in fields["seen"]],
        tuple(map(Step, fields["legal"])),
    )


def line(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def answer(choice: bots.Choice) -> dict[str, Any]:
    lines = [[one.step, one.value, one.share] for one in choice.lines]
    fields: dict[str, Any] = {"step": choice.step, "value": choice.value, "lines": lines}
    if choice.plan:
        fields["plan"] = list(choice.plan)
    if choice.left is not None:
        fields["left"] = choice.left
    if choice.looked:
        fields["looked"] = choice.looked
    return fields


def stage_of(told: bytes) -> float | None:
    """Return the stage of an interim result; None if the line is the final answer."""
    try:
        stage = json.loads(told).get("stage")
    except (ValueError, AttributeError):
        return None
    return None if stage is None else float(stage)


def failure(error: Exception) -> dict[str, Any]:
    if isinstance(error, KumiteError):
        return {"error": str(error), "hint": error.hint}
    return {"error": f"{type(error).__name__}: {error}", "hint": "this is a bug of kumite"}


def raise_error(answered: bytes) -> None:
    """Raise BadAnswer if the bot process reports an error."""
    try:
        fields = json.loads(answered)
    except ValueError:
        return  # `choice_of` reports it
    if "error" in fields:
        raise BadAnswer(fields["error"], hint=fields["hint"])


def second_answer(written: bytes) -> BadAnswer:
    """Return the error of a program that wrote more than the one line it was asked for."""
    text = _shortened(written.decode("utf-8", "replace").partition("\n")[0].strip())
    return BadAnswer(f"gave a second answer, {text!r}, to its last request", hint="send one line")


def _shortened(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} ..."


def choice_of(answered: bytes, legal: tuple[Step, ...], before: bytes = b"") -> bots.Choice:
    """Return the choice in an answer; raise BadAnswer if there is none, or it is not legal."""
    text = answered.decode("utf-8", "replace").strip()
    short = _shortened(text)
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict) or not isinstance(fields.get("step"), str):
        raise BadAnswer(f"answered {short!r}", hint='an answer is one line such as {"step":"e6"}')
    if fields["step"] not in legal and answered.strip() == before.strip():  # late
        raise second_answer(answered)
    if fields["step"] not in legal:
        raise BadAnswer(
            f"played {fields['step'][:SHOWN]!r}, which is not legal",
            hint='the field "legal" of the request lists the legal steps',
        )
    try:
        value, left = (
            None if fields.get(name) is None else _score(fields[name]) for name in ("value", "left")
        )
        plan = tuple(map(Step, fields.get("plan") or ()))
        lines = tuple(_line(one, legal, plan) for one in fields.get("lines") or ())
    except (TypeError, ValueError):
        raise BadAnswer(
            f"answered {short!r}",
            hint='"value" and "left" are from 0 to 1, "lines" are [[step, value, share], ...]',
        ) from None
    looked = fields.get("looked")
    count = looked if type(looked) is int and looked > 0 else 0
    return bots.Choice(Step(fields["step"]), value, lines, left, count)


def _line(given: Any, legal: tuple[Step, ...], plan: tuple[Step, ...]) -> bots.Line:
    """Parse a compared step; `plan` belongs to the line of its own first step."""
    step, value, share = given
    if step not in legal:
        raise ValueError
    rest = plan if step in plan[:1] else ()
    return bots.Line(Step(step), _score(value), _score(share), rest)


def _score(given: Any) -> float:
    if type(given) not in (int, float) or not -1e-9 <= given <= 1 + 1e-9:  # NaN is neither
        raise ValueError
    return float(given)


def budget(
    simulations: int | None, deadline: float | None, clock: Callable[[], float] = monotonic
) -> bots.Budget:
    """Return a budget that ends at a monotonic time, which is comparable across processes."""
    if deadline is None or math.isinf(deadline):
        return bots.Budget(simulations)
    return bots.Budget(simulations, lambda: clock() >= deadline)
