"""Let a bot judge the positions of a match, one after the other, and keep what it says.

A review judges all of them, then looks again at what seems to have cost most. Where a game's loops
are compiled, all of it is thought about as long as in plain Python, and so with more simulations.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

from kumite.core.bots import mixes
from kumite.store import evaluations
from kumite.tui.bots import kernels
from kumite.tui.bots.advice import LEVEL
from kumite.tui.bots.evaluation import judgement, simulations_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator

    from kumite.core.match import Match
    from kumite.store.evaluations import Judged
    from kumite.tui.bots.evaluation import Values
    from kumite.tui.bots.looking import Question
    from kumite.tui.bots.review import Review
    from kumite.tui.bots.service import Player

T = TypeVar("T")
KEEP: Final = 20  # positions after which what was judged is kept


def simulations_here(match: Match) -> int:
    """Return with how many each position of a match is judged on this machine."""
    return kernels.times_as_fast(match.game.ID) * simulations_of(match)


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


def recall_marks(review: Review, match_id: str) -> None:
    """Take what was looked at again at an earlier time, if all positions have been judged."""
    if review.done < review.count:
        return
    kept = evaluations.load(match_id, review.simulations)
    for at in review.suspects:
        with suppress(KeyError):  # not looked at so far
            follow(review.look(at), lambda asked: kept[asked.key])


async def look_back(
    player: Player, review: Review, match_id: str, tell: Callable[[], None] = lambda: None
) -> None:
    """Judge all positions of a review, then look again at its suspects.

    `tell` is called after each. Cancelling keeps what there is.

    Raises:
        KumiteError: the bot has failed.
    """
    for values in review.values:
        await judge(player, values, match_id, tell)
    kept = evaluations.load(match_id, review.simulations)
    try:
        for at in review.suspects:
            await answered(player, review.look(at), review.simulations, kept)
            tell()
    finally:
        evaluations.save(match_id, review.simulations, kept)


def follow(looking: Generator[Question, Judged, T], answer: Callable[[Question], Judged]) -> T:
    """Return what comes of a look that is answered at once."""
    try:
        asked = next(looking)
        while True:
            asked = looking.send(answer(asked))
    except StopIteration as end:
        found: T = end.value
        return found


async def answered(
    player: Player,
    looking: Generator[Question, Judged, T],
    simulations: int,
    kept: dict[str, Judged],
) -> T:
    """Return what comes of a look, after all that it asks was answered, and put to what is `kept`.

    Raises:
        KumiteError: the bot has failed.
    """
    try:
        asked = next(looking)
        while True:
            if asked.key not in kept:
                position = asked.position
                choice = await player.choose(
                    LEVEL, position, seed=asked.seed, simulations=simulations
                )
                is_mixed = mixes(position.game)
                kept[asked.key] = judgement(choice, position.seat, is_mixed=is_mixed)
            asked = looking.send(kept[asked.key])
    except StopIteration as end:
        found: T = end.value
        return found


def look_back_at_all(review: Review, match_id: str, tell: Callable[[], None]) -> None:
    """Look back at a match for a program without a loop of its own.

    Raises:
        KumiteError: the bot has failed.
    """
    _alone(lambda player: look_back(player, review, match_id, tell))


def _alone(work: Callable[[Player], Awaitable[None]]) -> None:
    """Do something with bots of our own, in a loop of our own."""
    from kumite.tui.bots.service import BotService

    async def working() -> None:
        bot_service = BotService()
        try:
            await work(bot_service)
        finally:
            bot_service.close()

    asyncio.run(working())
