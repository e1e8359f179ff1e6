"""Kitsune on the table: wisdom track, trick, tokens, hands; what a card does to the totals."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from kumite.core.game import CHANCE, Seat, Step
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import (
    BLACK,
    BOOSTS,
    CLANS,
    COLOURS,
    HIDDEN,
    KATANA,
    KINDS,
    MOVES,
    NAMES,
    NOBODY,
    ONE,
    UNSEEN,
    WHITE,
    Laid,
    Move,
    State,
    bound_to,
    count,
    kinds,
    next_gift,
    player,
    put,
    shielded,
)
from kumite.tui.scenes.kitsune import cards, legend, merits, motion
from kumite.tui.scenes.kitsune import picture as lines
from kumite.tui.scenes.kitsune.merits import Count, counted_of
from kumite.tui.scenes.kitsune.picture import BOOST, EFFECT, SHORT, SPECIALS, word
from kumite.tui.scenes.lines import Line, Span, capital
from kumite.tui.scenes.model import (
    NO_BOARD,
    NO_TRACE,
    Chip,
    Interlude,
    Milestone,
    Pick,
    Scene,
    Trace,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kumite.core.game import Actor
    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes.model import Happening
    from kumite.tui.scenes.motion import Frame

ID: Final = kitsune.ID
PARTS: Final = ("card", "trick", "round")


def scene(
    view: State,
    names: Sequence[str],
    look: Look,
    you: Seat | None,
    past: Sequence[Happening] = (),
) -> Scene:
    """Return the track, the trick or the exchange, what is gone, and your hand in the tray.

    Hands that the view knows are shown only to those who sit nowhere: readers of a replay.
    """
    hands: tuple[Line, ...] = ()
    if you is None:
        hands = tuple(lines.known_hands(view, names, look))
    else:
        view = kitsune.view(view, frozenset({you}))  # whatever more the screen's other seats know
    show = lines.exchange if view.phase in ("give", "gift") else lines.trick
    # With six seats, fewer blank lines leave room for all that may be recalled.
    space: tuple[Line, ...] = ((),) if view.table.seats < 6 else ()
    middle = ((), *show(view, names, look), *space)
    gone = hands or (*lines.discards(view, look), *space)
    picture = (*lines.track(view, look), *middle, lines.tokens(view), *gone)
    tray = tuple(_tray(view, look, you)) if you is not None else ()
    seats, facts = lines.seats(view, names, look, you), lines.facts(view, look, you)
    climb, spread = cards.climb(view, look), cards.spread(view, names, look, you)
    return Scene(
        NO_BOARD,
        seats,
        facts,
        picture,
        tray,
        climb,
        spread=spread,
        where=f"trick {lines.trick_number(view)}",
        due=_due(view),
        hue="" if you is None else COLOURS[you % 2],
    )


def _due(view: State) -> str:
    """Return what the seat to act has to do."""
    if view.phase == "play":
        clan = bound_to(view)
        return "play a card" if clan == NOBODY else f"play {COLOURS[clan]} if you can"
    due = {
        "give": f"a card for your {lines.mate(view.table.seats)}",
        "take": "take a token",
        "lead": "who leads?",
    }
    return due.get(view.phase, "")


def _tray(view: State, look: Look, you: Seat) -> Iterator[Chip]:
    """Yield your cards, numbers first, and your token: one chip for each way to use it."""
    hand = view.cards.hands[you]
    for card in lines.in_order(kinds(hand)):
        copies = count(hand, card)
        text = f"{SHORT[card]} {look.times}{copies}" if copies > 1 else SHORT[card]
        yield Chip(NAMES[card], text, lines.role(card), cards.card(card, copies))
    token = view.standing.held[you]
    for use in BOOSTS[token] or (token,) * bool(token):
        yield Chip(f"+{use}", _USES.get(use) or f"+{use}: {EFFECT[use]}", "title")


signs = legend.signs

_USES: Final = {**BOOST, "recall": "+recall a card"}  # which one is chosen beside it: no room


# --- Choosing ---------------------------------------------------------------------------------


def parts(step: Step, legal: tuple[Step, ...] = ()) -> tuple[str, ...]:
    """Return the token if one is used, then the card, then what a Katana hits.

    The token comes first, because the card alone is a step as well.
    """
    move = MOVES[step]
    if move.act == "play":
        token = (f"+{move.boost}",) * bool(move.boost)
        target = (f"hit:{NAMES[move.target]}",) * (move.target != NOBODY)
        return (*token, NAMES[move.card], *target)
    if move.act == "recall":
        return ("+recall", step)
    if move.act == "give":
        return (NAMES[move.card],)
    if move.act == "take":
        return (f"take:{move.token}", f">{move.seat}")
    return (step,)


def marks(before: State, step: Step, after: State) -> Trace:
    """Return nothing: there is no board."""
    return NO_TRACE


def step_from_parts(view: State, seat: Seat, parts: tuple[str, ...]) -> Step:
    """Return the step of these parts; a card alone is one to give, or to play."""
    if parts == ("+recall",) and not view.cards.last:
        return Step("recall:b1")  # there is nothing to recall, whichever card it is
    steps = _by_parts().get(parts, ())
    return next(
        (step for step in steps if step.startswith("give:") == (view.phase == "give")), Step("")
    )


@cache
def _by_parts() -> Mapping[tuple[str, ...], list[Step]]:
    """Return every step that there is by its parts."""
    steps: dict[tuple[str, ...], list[Step]] = {}
    for text in MOVES:
        steps.setdefault(parts(Step(text)), []).append(Step(text))
    return steps


def label(part: str, look: Look) -> str:
    """Return what a part is called: a seat by its number, for which the table puts the name."""
    act, _, what = part.partition(":")
    if act in ("hit", "recall"):
        return f"{'destroy' if act == 'hit' else 'fetch'} the {word(KINDS[what])}"
    if act == "take":
        return f"take {what}"
    if act == "lead":
        return f"seat {what} leads"
    if part[0] == ">":
        return f"for seat {part[1:]}"
    if part[0] == "+":
        return BOOST.get(part[1:], f"the {part[1:]} token")
    return f"the {word(KINDS[part])}" if part in KINDS else part


def pick(view: State, seat: Seat, chosen: tuple[str, ...], part: str) -> Pick:
    """Say what the first part of a step is: a token to be used, a card that hits another."""
    act, _, what = part.partition(":")
    if act == "take":
        return Pick(f"take the {what} token")
    if part[0] == "+":
        return Pick(f"use {BOOST.get(part[1:], f'the {part[1:]} token: {EFFECT.get(part[1:])}')}")
    return Pick(f"play the {word(KINDS[part])}")


# --- What a step would do ---------------------------------------------------------------------


def step_name(step: Step) -> str:
    """Return what a step is called: `the orange 4`, `the 3 token`."""
    move = MOVES[step]
    if move.act == "play":
        said = f"the {word(move.card)}"
        if move.boost:
            said += f" with {BOOST.get(move.boost, move.boost)}"
        return f"{said} on the {word(move.target)}" if move.target != NOBODY else said
    said_of = {
        "give": f"giving the {word(move.card)}",
        "recall": f"fetching the {word(move.card)}",
        "take": f"the {move.token} token",
        "lead": f"seat {move.seat} as leader",
    }
    return said_of.get(move.act, step)


def order(view: State, seat: Seat, step: Step) -> str:
    """Say what a step is: `play the orange 4`."""
    move = MOVES[step]
    if move.act == "play":
        return f"play {step_name(step)}"
    said_of = {
        "give": f"give the {word(move.card)} to your {lines.mate(view.table.seats)}",
        "recall": f"fetch the {word(move.card)} from the last trick; then play a card",
        "take": f"take the {move.token} token for seat {move.seat}: "
        f"{lines.EFFECT.get(move.token, '')}",
        "lead": f"seat {move.seat} leads the new round",
    }
    return said_of.get(move.act, step)


def preview(view: State, seat: Seat, step: Step, look: Look) -> Line:
    """Say what a step would do to the totals, and to the markers if it is the trick's last."""
    move = MOVES[step]
    if move.act == "play":
        own = kitsune.view(view, frozenset({seat}))
        return (*_card(move), *_effect(own, seat, step), *_score(own, seat, step))
    return ((order(view, seat, step), ""),)


def _card(move: Move) -> Iterator[Span]:
    # What more happens needs the columns of more words.
    said = SPECIALS.get(move.card) or f"{'play the ' * (not move.boost)}{word(move.card)}"
    with_it = BOOST.get(move.boost, f"with {move.boost}" * bool(move.boost))
    yield f"{said} {with_it}".rstrip(), "title"


def _effect(view: State, seat: Seat, step: Step) -> Iterator[Span]:
    """Yield what the card does to other cards."""
    move, after = MOVES[step], kitsune.apply(view, seat, step)
    if move.card == KATANA:
        hits = f"hits {word(move.target)}" if move.target != NOBODY else "hits nothing"
        yield f"  {hits}", ""
    elif move.card == WHITE:
        yield "  swaps totals", ""
    elif move.card == BLACK:
        clan = bound_to(after)
        yield f"  next must be {COLOURS[clan]}" if clan != NOBODY else "  binds nobody", ""


def _score(view: State, seat: Seat, step: Step) -> Iterator[Span]:
    """Yield the totals with the card, and who is ahead or, in a complete trick, who moves."""
    after = kitsune.apply(view, seat, step)
    trick = kitsune.trick_with(view, seat, MOVES[step])
    blue, orange = kitsune.totals(trick)
    yield f"  blue {blue}, orange {orange}", ""
    if after.phase == "show" and trick[shielded(trick)].card != UNSEEN:
        (turn_up,) = kitsune.legal(after, CHANCE)
        after = kitsune.apply(after, CHANCE, turn_up)
    if after.phase == "show":
        yield "  and a hidden card", "quiet"
    elif after.standing.tricks == view.standing.tricks:
        yield f"  {lines.ahead(trick)} so far", "quiet"
    else:
        yield _moves(counted_of(view, trick, after), after, seat)


def _moves(counted: Count, after: State, seat: Seat) -> Span:
    """Say in 28 columns what a complete trick moves, and who gets a token for it."""
    if counted.clan == NOBODY:
        return "  nobody moves", "title"
    role = "gain" if counted.clan == seat % 2 else "loss"
    clan, other = CLANS[counted.clan], CLANS[1 - counted.clan]
    if counted.prize:
        return f"  {clan} win the {counted.prize}", role
    if after.phase == "take":
        return f"  {clan} to {counted.now}, token to {other}", role
    return f"  {clan} move to space {counted.now}", role


def why_good(view: State, seat: Seat, step: Step) -> str:
    """Say what a card comes to in the trick, or what it is kept or given for."""
    return merits.why_good(view, seat, step)


# --- What a step did --------------------------------------------------------------------------


def narrate(before: State, actor: Actor, step: Step, after: State, names: Sequence[str]) -> str:
    """Tell what a step did: `Dan plays an orange 5; blue 7, orange 8: Yako move 1 to space 9`."""
    move = MOVES[step]
    if move.act == "play":
        return _told_card(before, Seat(int(actor)), move, after, names)
    if move.act == "show":
        owner = names[player(before, shielded(before.cards.trick))]
        said = f"the card under {owner}'s shield is {word(move.card, 'a')}"
        return said + _told_trick(before, kitsune.trick_with(before, actor, move), after)
    if move.act == "deal":
        draws = "both draw two cards" if before.cards.discard else "the cards are dealt"
        return draws if after.phase != "deal" else ""
    if move.act == "gift":
        giver, taker = next_gift(before)
        if move.card != UNSEEN:
            return f"{names[giver]} gives {names[taker]} {word(move.card, 'a')}"
        return "the gifts change hands" if after.phase != "gift" else ""
    if actor == CHANCE:
        return f"{names[move.seat]} leads the first round"
    name, other = names[int(actor)], names[move.seat] if move.seat not in (actor, NOBODY) else ""
    said_of = {
        "lead": f"lets {other} lead the new round" if other else "leads the new round",
        "give": f"lays {word(move.card, 'a')} down for the exchange",
        "recall": f"fetches {word(move.card, 'a')} from the last trick",
        "take": f"takes the {move.token} token" + (f" for {other}" if other else ""),
    }
    return f"{name} {said_of[move.act]}"


def _told_card(before: State, seat: Seat, move: Move, after: State, names: Sequence[str]) -> str:
    name, trick = names[seat], kitsune.trick_with(before, seat, move)
    said = f"{name} plays {word(move.card, 'a')}"
    if move.target != NOBODY:
        hit = next(i for i, old in enumerate(before.cards.trick) if old != trick[i])
        whose = names[player(before, hit)]
        said = f"{name}'s Katana destroys {whose}'s {word(move.target)}"
    if move.boost == "shield":
        said += " face down under the shield"
    elif move.boost:
        said += f" with {BOOST.get(move.boost, f'the {move.boost} token')}"
    if move.card == WHITE:
        said += ": the totals change places"
    elif (clan := bound_to(after)) != NOBODY and move.card == BLACK:
        following = names[player(after, len(trick))]
        said += f": {following} must play {COLOURS[clan]} if possible"
    return said + _told_trick(before, trick, after)


def _told_trick(before: State, trick: tuple[Laid, ...], after: State) -> str:
    """Tell how a trick was counted, if it was."""
    if after.standing.tricks == before.standing.tricks:
        return ""
    counted = counted_of(before, trick, after)
    said = f"; blue {counted.blue}, orange {counted.orange}: "
    if counted.clan == NOBODY:
        return said + "nobody moves"
    said += f"{CLANS[counted.clan]} move {counted.now - counted.was} to space {counted.now}"
    return said + (f" and win the {counted.prize}" if counted.prize else "")


def frames(before: Scene, after: Scene, step: Step) -> tuple[Frame, ...]:
    """Return what is seen of a step on its way."""
    return motion.frames(before, after, step)


def milestone(before: State, actor: Actor, step: Step, after: State) -> Milestone:
    """Cards make tricks, tricks make rounds; turning points: rounds won, tokens, the Katana."""
    old, new, act = before.standing, after.standing, MOVES[step].act
    if new.wins != old.wins:
        return Milestone(3, "round")
    ends = 2 if new.tricks != old.tricks else int(act == "play")
    if MOVES[step].target != NOBODY:
        return Milestone(ends, "katana")
    return Milestone(ends, "token" if act == "take" else "")


def interlude(
    before: State,
    actor: Actor,
    step: Step,
    after: State,
    names: Sequence[str],
) -> Interlude | None:
    """Return the complete trick and how it counts, if `step` completes one.

    The view is no position of the game, only to be drawn: counting a trick clears it away. The
    markers stand where it has taken them.
    """
    if after.standing.tricks == before.standing.tricks:
        return None
    move = MOVES[step]
    trick, hands = kitsune.trick_with(before, actor, move), before.cards.hands
    counted, standing = counted_of(before, trick, after), before.standing
    marks = standing.marks
    if counted.clan != NOBODY:  # after a round won, those of `after` may be at the start again
        marks = put(marks, counted.clan, counted.now)
    standing = replace(standing, marks=marks, wins=after.standing.wins)
    if move.act == "play":
        seat = int(actor)
        gone = ONE[UNSEEN if hands[seat] >> HIDDEN else move.card]
        hands = put(hands, seat, hands[seat] - gone)
        if move.boost:
            standing = replace(standing, held=put(standing.held, seat, ""))
    cards = replace(before.cards, hands=hands, trick=trick)
    view = replace(before, phase="show", standing=standing, cards=cards)
    said = _told_trick(before, trick, after).removeprefix("; ")
    return Interlude(view, f"{capital(said)}.")


def chapter(view: State) -> str:
    """Return the heading in the rules page for this position."""
    return _CHAPTERS.get(view.phase, "Your turn")


_CHAPTERS: Final = {
    "deal": "Set-up",
    "give": "Set-up",
    "gift": "Set-up",
    "take": "Tokens",
    "show": "The end of a trick",
    "lead": "How it ends",
    "over": "How it ends",
}


_REASONS: Final = {
    "rounds": "the {clan} have won the {rounds} needed",
    "limit": "the last trick that was agreed on; rounds count, then the markers",
}
_NEEDED: Final = {1: "one round", 2: "two rounds", 3: "three rounds"}


def reason(view: State, code: str) -> str:
    """Return the words for an outcome's reason code."""
    wins = view.standing.wins
    clan = CLANS[wins.index(max(wins))]
    return _REASONS[code].format(clan=clan, rounds=_NEEDED[view.table.wins])
