"""The search of search/ismcts.py on the arrays of kernel.py, tricks.py and dealt.py."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.bots.fast import LARGE, REAL, SMALL, fast, zeros
from kumite.core.bots.kitsune import dealt, kernel, worth
from kumite.core.bots.kitsune.dealt import deal
from kumite.core.bots.kitsune.kernel import (
    DEALING,
    GIVING,
    HANDING,
    HELD,
    LAID,
    LEADING,
    MARK,
    MOST,
    NO_ACTOR,
    ODDS,
    OVER,
    PHASE,
    PLAYING,
    RECALLING,
    SHIELD,
    TO_DEAL,
    WON,
    WORDS,
    actor_of,
    chance,
    options,
    step_of,
)
from kumite.core.bots.kitsune.tricks import play
from kumite.core.bots.kitsune.worlds import DRAWN
from kumite.core.bots.kitsune.worth import TOKEN
from kumite.core.bots.search.ismcts import is_over, lines_of
from kumite.core.bots.search.stream import draw
from kumite.core.bots.search.tree import CompiledTree
from kumite.core.bots.search.worldtree import Choices, back_up, pass_on, pick
from kumite.core.games.kitsune.state import UNSEEN

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from kumite.core.bots.base import Budget, Line, Position
    from kumite.core.bots.chances import Fit
    from kumite.core.bots.fast import Floats, Ints
    from kumite.core.bots.kitsune.dealt import Given, Room
    from kumite.core.bots.kitsune.kernel import Rules
    from kumite.core.bots.kitsune.worlds import Known
    from kumite.core.bots.search.tree import Tree
    from kumite.core.games.kitsune.state import State, Table

STEPS: Final = 64  # to the next new deal: 30 cards, 12 gifts, 12 cards of a pile, and some tokens
WIDE: Final = 32  # markers, with what tokens are worth, and rounds won, are less than that


class Worth(NamedTuple):
    """What positions are worth, WIDE numbers for each of Zenko's."""

    rounds: Floats  # by the markers with what tokens are worth: how likely Zenko wins the round
    matches: Floats  # by the rounds won: and the match


class Work(NamedTuple):
    """Room to work in."""

    place: Ints
    choices: Choices
    room: Room


def think(
    position: Position, knowledge: Known, rng: Random, budget: Budget, fit: Fit
) -> Sequence[Line]:
    """Return what `ismcts.search` would."""
    tree = tree_of(position, knowledge)

    def lines() -> list[Line]:
        found = [(step_of(move), score, share) for move, score, share in tree.ranked()]
        return lines_of(found, fit)

    budget.show(lines)
    tree.simulate(rng, lambda done: is_over(budget, done), 0)
    return lines()


def tree_of(position: Position, knowledge: Known) -> CompiledTree:
    """Return the tree over the worlds of a position."""
    view: State = position.view
    rules, given = kernel.rules_of(view.table), dealt.given_of(view, knowledge)
    worths = worth_of(view.table)
    choices = Choices(zeros(SMALL, MOST), zeros(SMALL, MOST))
    work, seat = Work(zeros(LARGE, WORDS), choices, dealt.room_of()), int(position.seat)
    return CompiledTree(
        seat,
        lambda tree, stream, times: grow(tree, stream, times, rules, given, worths, seat, work),
        STEPS,
    )


def worth_of(table: Table) -> Worth:
    """Return what positions of a match are worth."""
    rounds, matches = zeros(REAL, WIDE * WIDE), zeros(REAL, WIDE * WIDE)
    spaces, wins = range(table.track + TOKEN), range(table.wins + 1)
    for zenko, yako in product(spaces, repeat=2):
        rounds[WIDE * zenko + yako] = worth.this_round(zenko, yako, table.track)
    for zenko, yako in product(wins, repeat=2):
        matches[WIDE * zenko + yako] = worth.match(zenko, yako, table.wins)
    return Worth(rounds, matches)


# --- What a simulation asks -------------------------------------------------------------------


@fast
def mover_of(rules: Rules, place: Ints) -> int:
    """Return who acts; nobody once all cards are dealt anew."""
    phase = place[PHASE]
    if (phase == DEALING and place[TO_DEAL] > DRAWN) or phase == LEADING:
        return NO_ACTOR
    return actor_of(rules, place)


@fast
def seen(rules: Rules, actor: int, move: int, by: int) -> int:
    """Return a move as a seat sees it, with a card that is not seen if it does not."""
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
def value(rules: Rules, worths: Worth, place: Ints) -> float:
    """Return the score that Zenko can expect (`worth.value`)."""
    if place[PHASE] == OVER:
        return end(rules, place)
    zenko, yako = place[MARK], place[MARK + 1]
    for seat in range(rules.seats):
        if place[HELD + seat]:
            if seat % 2:
                yako += TOKEN
            else:
                zenko += TOKEN
    now = worths.rounds[WIDE * zenko + yako]
    at = WIDE * place[WON] + place[WON + 1]
    return now * worths.matches[at + WIDE] + (1 - now) * worths.matches[at + 1]


@fast
def end(rules: Rules, place: Ints) -> float:
    """Return Zenko's score at the end: by rounds, and if these are even by the markers."""
    lead = place[WON] - place[WON + 1]
    if lead == 0 and place[MARK] < rules.track and place[MARK + 1] < rules.track:
        lead = place[MARK] - place[MARK + 1]
    return 0.5 if lead == 0 else 1.0 if lead > 0 else 0.0


# --- The search -------------------------------------------------------------------------------


@fast
def grow(
    tree: Tree,
    stream: Ints,
    times: int,
    rules: Rules,
    given: Given,
    worths: Worth,
    seat: int,
    work: Work,
) -> None:
    """Make so many simulations, as that seat sees them."""
    for _ in range(times):
        deal(given, work.place, stream, work.room)
        tree.visits[0] += 1
        depth = descend(tree, stream, rules, seat, work)
        playout(rules, work.place, stream, work.choices.moves)
        back_up(tree, depth, value(rules, worths, work.place))


@fast
def descend(tree: Tree, stream: Ints, rules: Rules, seat: int, work: Work) -> int:
    """Go down the tree to a new place or the end; return how many choices that were."""
    place, moves = work.place, work.choices.moves
    node, depth, actor = 0, 0, seat  # of several who act at once, the asking seat is first
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
            chosen = pick(tree, node, work.choices, count, actor % 2, stream)
            node = work.choices.child[chosen]
            tree.path[depth] = node
            depth += 1
            play(rules, place, actor, moves[chosen])
            if tree.visits[node] == 0:
                break
        actor = mover_of(rules, place)
    return depth


@fast
def playout(rules: Rules, place: Ints, stream: Ints, moves: Ints) -> None:
    """Play at random to the end of the trick."""
    while place[LAID]:
        actor = mover_of(rules, place)
        if actor == ODDS:
            moves[0] = chance(rules, place, stream)
            count = 1
        else:
            count = options(rules, place, actor, moves)
        play(rules, place, actor, moves[int(draw(stream) * count)])
