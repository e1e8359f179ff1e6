"""The bot model of Kitsune: one search tree over many worlds that are consistent with the view.

Each clan is a team. Simulations end at the next deal and are scored by the markers, the rounds won
and the tokens held.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.bots.base import PLAYED, Budget, Choice, Line, Position, Skill
from kumite.core.bots.chances import fit_of
from kumite.core.bots.fast import (
    LARGE,
    REAL,
    Floats,
    Ints,
    copy,
    draw,
    fast,
    give_back,
    stream_of,
    zeros,
)
from kumite.core.bots.search.ismcts import (
    Choices,
    back_up,
    choices_of,
    exploration,
    pass_on,
    pick,
    search,
)
from kumite.core.bots.search.tree import Tree, TreeSearch
from kumite.core.game import Step
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.bot.kernel import (
    DEALING,
    GIVING,
    HANDING,
    LAID,
    MOST,
    NO_ACTOR,
    NUMBERS,
    ODDS,
    PLAYING,
    RECALLING,
    SHIELD,
    WORDS,
    Rules,
    Worth,
    actor_of,
    chance,
    options,
    play,
    rules_of,
    step_of,
    value,
    worth_of,
)
from kumite.core.games.kitsune.bot.worlds import POOL, Given, deal, given_of, known
from kumite.core.games.kitsune.state import UNSEEN

if TYPE_CHECKING:
    from random import Random


LEVELS: Final = (
    *(Skill(overlooks=1), Skill(overlooks=0.1)),
    *(Skill(65, overlooks=0.1, slips=0.15), Skill(90, overlooks=0.05)),
    *(Skill(350, sharp=3), Skill(500), Skill(1700), Skill(6000)),
)
MIXES: Final = False
FASTER: Final = 15  # approximate speedup when compiled
MISSED: Final = {"token": 0.5, "katana": 0.4, "kitsune": 0.4, "small": 0.5, PLAYED: 1.0}
STEPS: Final = 64  # before the next deal: 30 cards, 12 gifts, 12 cards of a pile, and some tokens


class Asked(NamedTuple):
    """The input of a search, with scratch arrays."""

    seat: int
    rules: Rules
    given: Given
    worths: Worth
    choices: Choices
    place: Ints
    pool: Ints


def kind(position: Position, step: Step) -> str:
    if "+" in step or step.startswith("recall"):
        return "token"
    if step in ("black", "white"):
        return "kitsune"
    if step.startswith("katana"):
        return "katana"
    return "small" if step[1:] in ("1", "2", "3") else ""


def easy(position: Position, rng: Random) -> Choice:
    """Choose the step with the best result of the trick, played out at random in one world."""
    asked, stream, scores = asked_of(position), stream_of(rng), zeros(REAL, MOST)
    count = glance(stream, asked, zeros(LARGE, WORDS), scores)
    give_back(rng, stream)
    steps = [step_of(int(move)) for move in asked.choices.moves[:count]]
    found = dict(zip(steps, scores, strict=False))
    best = max(found[step] for step in position.legal)
    return Choice(rng.choice([step for step in position.legal if found[step] == best]))


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    fit = fit_of(kitsune.ID, position.view.table.seats)
    return search(tree_of(position), rng, budget, step_of, fit)


def tree_of(position: Position) -> TreeSearch:
    asked = asked_of(position)
    return TreeSearch(
        asked.seat, lambda tree, stream, times: grow(tree, stream, times, asked), STEPS
    )


def asked_of(position: Position) -> Asked:
    view, seat = position.view, position.seat
    given = given_of(view, known(view, position.seen, seat))
    return Asked(
        int(seat),
        rules_of(view.table),
        given,
        worth_of(view.table),
        choices_of(MOST, NUMBERS),
        zeros(LARGE, WORDS),
        zeros(LARGE, POOL),
    )


@fast
def seen(rules: Rules, actor: int, move: int, by: int) -> int:
    """Return a move as a seat sees it, with unseen cards masked."""
    act, to = move >> 12, move >> 4 & 15
    if act == DEALING:
        is_open = to == by
    elif act == HANDING:
        is_open = to == by or (to - 2) % rules.seats == by
    elif act in (GIVING, RECALLING):
        is_open = actor == by
    else:
        is_open = act != PLAYING or move >> 8 & 15 != SHIELD or actor == by
    return move if is_open else move | UNSEEN


@fast
def glance(stream: Ints, asked: Asked, world: Ints, scores: Floats) -> int:
    """Score all moves in the same world; return their number."""
    rules, place, seat = asked.rules, asked.place, asked.seat
    deal(asked.given, world, asked.pool, stream)
    count = options(rules, world, seat, asked.choices.moves)
    for index in range(count):
        copy(world, place)
        play(rules, place, seat, asked.choices.moves[index])
        playout(rules, place, stream, asked.choices.child)
        score = value(rules, asked.worths, place)
        scores[index] = 1 - score if seat % 2 else score
    return count


@fast
def grow(tree: Tree, stream: Ints, times: int, asked: Asked) -> None:
    rules, place = asked.rules, asked.place
    for _ in range(times):
        deal(asked.given, place, asked.pool, stream)
        tree.visits[0] += 1
        depth = descend(tree, stream, asked)
        playout(rules, place, stream, asked.choices.moves)
        back_up(tree, depth, value(rules, asked.worths, place))


@fast
def descend(tree: Tree, stream: Ints, asked: Asked) -> int:
    """Descend the tree to a new node or the end; return the number of choices."""
    rules, place, choices, seat = asked.rules, asked.place, asked.choices, asked.seat
    moves, explore = choices.moves, exploration(tree.visits[0])
    node, depth, actor = 0, 0, seat  # if several act at once, the searching seat is first
    while actor != NO_ACTOR:
        if actor == ODDS:
            moves[0] = chance(rules, place, stream)
            count = 1
        else:
            count = options(rules, place, actor, moves)
        if count == 1:
            node = pass_on(tree, node, seen(rules, actor, moves[0], seat), actor % 2)
            play(rules, place, actor, moves[0])
        else:
            chosen = pick(tree, node, choices, count, actor % 2, explore, stream)
            node = choices.child[chosen]
            tree.path[depth] = node
            depth += 1
            play(rules, place, actor, moves[chosen])
            if tree.visits[node] == 0:
                break
        actor = actor_of(rules, place)
    return depth


@fast
def playout(rules: Rules, place: Ints, stream: Ints, moves: Ints) -> None:
    """Play at random to the end of the trick."""
    while place[LAID]:
        actor = actor_of(rules, place)
        if actor == ODDS:
            play(rules, place, actor, chance(rules, place, stream))
        else:
            count = options(rules, place, actor, moves)
            play(rules, place, actor, moves[int(draw(stream) * count)])
