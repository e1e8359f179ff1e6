"""Let a bot judge the positions of a match, one after the other, and keep what it says."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from kumite.store import evaluations
from kumite.tui.bots.advice import LEVEL

if TYPE_CHECKING:
    from collections.abc import Callable

    from kumite.tui.bots.evaluation import Values
    from kumite.tui.bots.service import Player

KEEP: Final = 20  # positions after which what was judged is kept


async def judge(
    player: Player, values: Values, match_id: str, tell: Callable[[], None] = lambda: None
) -> None:
    """Judge all positions that are not; `tell` is called after each. Cancelling keeps the rest.

    Raises:
        KumiteError: the bot has failed.
    """
    recall(values, match_id)
    fresh = 0
    try:
        for number in values.left:
            choice = await player.choose(
                LEVEL,
                values.position(number),
                seed=values.seed(number),
                simulations=values.simulations,
            )
            values.answer(number, choice)
            fresh += 1
            if fresh % KEEP == 0:
                evaluations.save(match_id, values.simulations, values.to_keep())
            tell()
    finally:
        if fresh:
            evaluations.save(match_id, values.simulations, values.to_keep())


def recall(values: Values, match_id: str) -> None:
    """Take what was judged at an earlier time."""
    values.recall(evaluations.load(match_id, values.simulations))


def judge_all(values: Values, match_id: str, tell: Callable[[], None]) -> None:
    """Judge all positions for a program without a loop of its own.

    Raises:
        KumiteError: the bot has failed.
    """
    from kumite.tui.bots.service import BotService

    async def judging() -> None:
        bot_service = BotService()
        try:
            await judge(bot_service, values, match_id, tell)
        finally:
            bot_service.close()

    asyncio.run(judging())
