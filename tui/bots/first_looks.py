"""The judgements of the first turns of games without secrets: `first_looks.txt`.

They are the same for everyone and were searched for long by tools/first_looks.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kumite.core.game import Step
from kumite.store.evaluations import Judged

if TYPE_CHECKING:
    from kumite.core.bots import Position

FILE: Final = Path(__file__).with_suffix(".txt")
LATEST: Final = 16  # steps before a position, beyond which it is not looked up
WHOLE: Final = 1000  # a certain win
MOST: Final = 8  # steps listed of a position


def shipped(position: Position) -> Judged | None:
    if position.game.SECRETS is not None or len(position.seen) > LATEST:
        return None
    return _all().get(key_of(position))


def key_of(position: Position) -> str:
    said = f"{position.game.ID} {position.seat} {position.game.text(position.view)}"
    return blake2b(said.encode(), digest_size=6).hexdigest()


def line_of(key: str, judged: Judged) -> str:
    steps = (f"{step} {round(WHOLE * value)}" for step, value in judged.compared[:MOST])
    return " ".join((key, str(judged.seat), str(judged.looked), *steps))


@cache
def _all() -> Mapping[str, Judged]:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return dict(_read(line) for line in lines if not line.startswith("#"))


def _read(line: str) -> tuple[str, Judged]:
    key, seat, looked, *rest = line.split()
    values = [int(one) / WHOLE for one in rest[1::2]]
    compared = tuple(zip(map(Step, rest[::2]), values, strict=True))
    return key, Judged(int(seat), values[0], compared[0][0], compared, looked=int(looked))
