"""The notation of Kumo Hogosha steps: one form per kind, for reading and writing."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from kumite.core.errors import BadNotation
from kumite.core.game import Step
from kumite.core.games.kumo.state import SQUARES, STANCES

PRISON: Final = -1  # the goal `x`
_GOALS: Final = (*SQUARES, "x")  # PRISON (-1) is the index of the last one
_SQ: Final = ("([a-i][1-9])", SQUARES)
_STANCE: Final = (f"({'|'.join(STANCES)})", STANCES)
_GOAL: Final = ("([a-i][1-9]|x)", _GOALS)
_FORMS: Final = {  # by kind: the text, and its placeholders as patterns and as names
    "cw": ("cw", ()),
    "ccw": ("ccw", ()),
    "place": ("+{}={}", (_SQ, _STANCE)),
    "change": ("{}={}", (_SQ, _STANCE)),
    "walk": ("{}-{}", (_SQ, _SQ)),
    "run": ("run:{}-{}", (_SQ, _SQ)),
    "jump": ("jump:{}-{}", (_SQ, _SQ)),
    "grab": ("grab:{}:{}-{}", (_SQ, _SQ, _GOAL)),
    "throw": ("throw:{}:{}-{}", (_SQ, _SQ, _GOAL)),
    "block": ("block:{}-{}", (_SQ, _SQ)),
    "push": ("push:{}+{}", (_SQ, _SQ)),
    "pull": ("pull:{}+{}", (_SQ, _SQ)),
    "off": ("off:{}-{}", (_SQ, _SQ)),
    "free": ("free", ()),
    "done": ("done", ()),
}
_PATTERNS: Final = {
    kind: form.replace("+", r"\+").format(*(pattern for pattern, _ in gaps))
    for kind, (form, gaps) in _FORMS.items()
}
_ARGS: Final = {name: square for square, name in enumerate(SQUARES)}
_ARGS.update({name: stance for stance, name in enumerate(STANCES)}, x=PRISON)
HINT: Final = (
    "steps look like cw, +e1=run, e4=kumo, e3-e4, run:e1-d2, jump:c3-c6, grab:d4:e4-f4, "
    "throw:b1:a1-x, block:c4-c5, push:e4+e3, pull:e4+e3, off:c5-c6, free, done"
)


@lru_cache(maxsize=8192)  # about the number of possible steps
def parse_step(step: str) -> tuple[str, tuple[int, ...]]:
    """Return the kind of a step, a key of `_FORMS`, and its squares, stance or goal, in order.

    Raises:
        BadNotation: it has none of the forms.
    """
    for kind, pattern in _PATTERNS.items():
        if found := re.fullmatch(pattern, step):
            return kind, tuple(_ARGS[group] for group in found.groups())
    raise BadNotation(f"kumo: {step[:40]!r} is no step", hint=HINT)


@cache  # one object per step
def step_text(kind: str, args: tuple[int, ...]) -> Step:
    """Return the notation of a step; the inverse of `parse_step`."""
    form, gaps = _FORMS[kind]
    return Step(form.format(*(names[arg] for (_, names), arg in zip(gaps, args, strict=True))))
