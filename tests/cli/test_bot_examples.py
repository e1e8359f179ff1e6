"""The example bots of docs/bots.md answer the requests of its protocol."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from kumite.core.games import GAMES
from tests.core.bots.test_bots import positions
from tests.support.places import BOT_EXAMPLES

EXAMPLES = BOT_EXAMPLES


@pytest.mark.parametrize("command", [[sys.executable, "mybot.py"], ["sh", "mybot.sh"]])
@pytest.mark.parametrize("game", GAMES)
def test_an_example_answers_every_request_with_a_legal_step(command: list[str], game: str) -> None:
    asked = list(positions(GAMES[game], 6))
    lines = [
        json.dumps(
            {
                "game": game,
                "seats": one.game.setup_of(one.view)[0],
                "options": dict(one.game.setup_of(one.view)[1]),
                "seat": one.seat,
                "view": one.game.text(one.view),
                "seen": [[played.actor, played.step] for played in one.seen],
                "legal": list(one.legal),
            },
            separators=(",", ":"),
        )
        for one in asked
    ]
    done = subprocess.run(
        command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True,
        cwd=EXAMPLES, timeout=60,
    )  # fmt: skip
    answers = [json.loads(line)["step"] for line in done.stdout.splitlines()]
    assert len(answers) == len(asked) >= 5
    assert all(step in one.legal for step, one in zip(answers, asked, strict=True))


@pytest.mark.parametrize("name", ["mybot.py", "mybot.sh"])
def test_an_example_is_short(name: str) -> None:
    assert len((EXAMPLES / name).read_text(encoding="utf-8").splitlines()) <= 30
