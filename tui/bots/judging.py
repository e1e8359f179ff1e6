"""Have a bot judge the positions of a match one by one, and cache the results.

A review judges every position, then looks again at the choices that seem to have cost most.
Where a game's loops are compiled, the time stays the same and the number of simulations grows.
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
from kumite.tui.bots.service import BotService

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from kumite.core.match import Match
    from kumite.store.evaluations import Judged
    from kumite.tui.bots.evaluation import Values
    from kumite.tui.bots.looking import Question
    from kumite.tui.bots.review import Review
    from kumite.tui.bots.service import BotService

T = TypeVar("T")
KEEP: Final = 20  # positions between saves


def simulations_here(match: Match) -> int:
    """Return the number of simulations for each position on this machine."""
    return kernels.times_as_fast(match.game.ID) * simulations_of(match)


async def judge(
    player: BotService, values: Values, match_id: str, tell: Callable[[], None] = lambda: None
) -> None:
    """Judge all remaining positions, calling `tell` after each; on cancellation, keep results.

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
    values.recall(evaluations.load(match_id, values.simulations))


def recall_marks(review: Review, match_id: str) -> None:
    """Restore cached second looks, if all positions have been judged."""
    if review.done < review.count:
        return
    kept = evaluations.load(match_id, review.simulations)
    for at in review.suspects:
        with suppress(KeyError):  # not looked at yet
            follow(review.look(at), lambda asked: kept[asked.key])


async def look_back(
    player: BotService, review: Review, match_id: str, tell: Callable[[], None] = lambda: None
) -> None:
    """Judge all positions of a review, then look again at its suspects.

    `tell` is called after each. On cancellation, results so far are kept.

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
    """Run a generator of questions with immediate answers, and return its result."""
    try:
        asked = next(looking)
        while True:
            asked = looking.send(answer(asked))
    except StopIteration as end:
        found: T = end.value
        return found


async def answered(
    player: BotService,
    looking: Generator[Question, Judged, T],
    simulations: int,
    kept: dict[str, Judged],
) -> T:
    """Run a generator of questions, asking the bot if an answer is not in `kept`.

    New answers are added to `kept`.

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
    """Run a whole review, for programs without an event loop.

    Raises:
        KumiteError: the bot has failed.
    """

    async def working() -> None:
        service = BotService()
        try:
            await look_back(service, review, match_id, tell)
        finally:
            service.close()

    asyncio.run(working())
