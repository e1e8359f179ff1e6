"""Kitsune in words: descriptions of cards, steps, their purposes, and the position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from kumite.core.game import CHANCE, Actor, Seat, Step
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import (
    BLACK,
    CLAN,
    CLANS,
    COLOURS,
    HIDDEN,
    KATANA,
    KINDS,
    MOVES,
    NOBODY,
    TRICK,
    UNSEEN,
    VALUE,
    WHITE,
    Bag,
    Laid,
    Move,
    State,
    bound_to,
    count,
    deck_size,
    kinds,
    next_gift,
    player,
    shielded,
    size,
)
from kumite.core.text import listed
from kumite.tui.games.kitsune.picture import (
    BOOST,
    EFFECT,
    SPECIALS,
    TOKEN_USES,
    is_swapped,
    markers,
    mate,
    so_far,
    token_name,
    trick_number,
    used_tokens,
    word,
)
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.lines import Line, Names, Span
from kumite.tui.scenes.model import Bar, Pick, Tally
from kumite.tui.scenes.sentences import counted, joined

# --- What can be chosen ------------------------------------------------------------------------


def label(part: str, look: Look) -> str:
    """Return the label of a part, with seats as numbers, which the table replaces by names."""
    act, _, what = part.partition(":")
    if act in ("hit", "recall"):
        return f"{'destroy' if act == 'hit' else 'fetch'} the {word(KINDS[what])}"
    if act == "take":
        return f"take {token_name(what)}"
    if act == "lead":
        return f"seat {what} leads"
    if part[0] == ">":
        return f"for seat {part[1:]}"
    if part[0] == "+":
        return BOOST.get(part[1:], f"the {part[1:]} token")
    return f"the {word(KINDS[part])}" if part in KINDS else part


def pick(view: State, seat: Seat, chosen: tuple[str, ...], part: str) -> Pick:
    act, _, what = part.partition(":")
    if act == "take":
        return Pick(f"take the {token_name(what)} token: {EFFECT[what]}", following="players")
    if part[0] == "+":
        return Pick(f"use {BOOST.get(part[1:], f'the {part[1:]} token: {EFFECT.get(part[1:])}')}")
    return Pick(f"play the {word(KINDS[part])}", following="cards")


def order(view: State, seat: Seat, step: Step) -> str:
    move = MOVES[step]
    if move.act == "play":
        return f"play {step_name(step)}"
    said_of = {
        "give": f"give the {word(move.card)} to your {mate(view.table.seats)}",
        "recall": f"fetch the {word(move.card)} from the last trick; then play a card",
        "take": f"take the {token_name(move.token)} token for seat {move.seat}: "
        f"{EFFECT.get(move.token, '')}",
        "lead": f"seat {move.seat} leads the new round",
    }
    return said_of.get(move.act, step)


def step_name(step: Step) -> str:
    move = MOVES[step]
    if move.act == "play":
        said = f"the {word(move.card)}"
        if move.boost:
            said += f" with {BOOST.get(move.boost, f'the {move.boost} token')}"
        return f"{said} on the {word(move.target)}" if move.target != NOBODY else said
    said_of = {
        "give": f"giving the {word(move.card)}",
        "recall": f"fetching the {word(move.card)}",
        "take": f"the {token_name(move.token)} token",
        "lead": f"seat {move.seat} as leader",
    }
    return said_of.get(move.act, step)


def preview(view: State, seat: Seat, step: Step, look: Look) -> Line:
    move = MOVES[step]
    if move.act == "play":
        own = kitsune.view(view, frozenset({seat}))
        return (*_card(move), *_effect(own, seat, step), *_score(own, seat, step))
    return ((order(view, seat, step), "title"),)


def _card(move: Move) -> Iterator[Span]:
    # Other effects need the columns, so the words are kept short.
    said = SPECIALS.get(move.card) or f"{'play the ' * (not move.boost)}{word(move.card)}"
    with_it = BOOST.get(move.boost, f"with {move.boost}" * bool(move.boost))
    yield f"{said} {with_it}".rstrip(), "title"


def _effect(view: State, seat: Seat, step: Step) -> Iterator[Span]:
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
        yield f"  {so_far(view, trick)}", "quiet"
    else:
        yield _moves(counted_of(view, trick, after), after, seat)


def _moves(counted: Count, after: State, seat: Seat) -> Span:
    """Return, in 28 columns, what a complete trick moves, and who gets a token for it."""
    if counted.clan == NOBODY:
        return "  nobody moves", "title"
    role = "gain" if counted.clan == seat % 2 else "loss"
    clan, other = CLANS[counted.clan], CLANS[1 - counted.clan]
    if counted.prize:
        return f"  {clan} win the {counted.prize}", role
    if after.phase == "take":
        return f"  {clan} to {counted.now}, token to {other}", role
    return f"  {clan} move to space {counted.now}", role


# --- What a step is good for -------------------------------------------------------------------


_WITH_TOKEN: Final = {
    "3": "win a close trick by 3 more",
    "recall": "play a card of the last trick once more",
    "shield": "keep a big number safe from the Katana",
    "still": "hold all markers in a lost trick",
    "swap": "turn a lost trick round",
}
BIG: Final = 4  # numbers that can win a trick


def why_good(view: State, seat: Seat, step: Step) -> str:
    own, move = kitsune.view(view, frozenset({seat})), MOVES[step]
    match move.act:
        case "play":
            return _comes_to(own, seat, step) or _keeps(own, seat, move)
        case "give":
            return _given(own, seat, move)
        case "recall":
            return f"it brings the {word(move.card)} back into the hand"
        case "take":
            return f"with it seat {move.seat} can {_WITH_TOKEN[move.token]}"
        case "lead":
            return f"seat {move.seat} can then play the last card of the second trick"
    return ""


def why_bad(view: State, seat: Seat, step: Step, better: Step) -> str:
    own, clan = kitsune.view(view, frozenset({seat})), seat % 2
    move, best = MOVES[step], MOVES[better]
    if move.act == "recall":
        return "leaves a better card in the trick"
    if move.act == "give":
        friend = (seat + 2) % own.table.seats
        if CLAN[move.card] == 1 - clan:
            return f"burdens seat {friend} with a card that counts for {CLANS[1 - clan]}"
        return f"leaves seat {seat} without the {word(move.card)}"
    if move.act != "play" or best.act != "play":
        return ""
    now, most = _brings(own, seat, step), _brings(own, seat, better)
    if now < most:
        return f"leaves {CLANS[clan]} {_apart(now)}, though they could be {_apart(most)}"
    if move.card != BLACK == best.card:
        return f"leaves seat {player(own, len(own.cards.trick) + 1)} free to play either colour"
    if move.boost != best.boost:
        token = token_name(own.standing.held[seat])
        return f"spends the {token} token" if move.boost else f"leaves the {token} token unused"
    if move.card == best.card:
        return ""
    if CLAN[move.card] == 1 - clan:
        kept = CLAN[best.card] == 1 - clan and VALUE[best.card] > VALUE[move.card]
        return f"leaves a higher {COLOURS[1 - clan]} card to be played later" if kept else ""
    return "is worth more in a later trick"


def _brings(own: State, seat: Seat, step: Step) -> int:
    """Return how far a card moves the clan, or its lead in an open trick."""
    trick, after = kitsune.trick_with(own, seat, MOVES[step]), kitsune.apply(own, seat, step)
    if after.phase == "show" or after.standing.tricks == own.standing.tricks:
        return _lead(trick, seat % 2)
    counted = counted_of(own, trick, after)
    return (counted.now - counted.was) * (1 if counted.clan == seat % 2 else -1)


def _apart(lead: int) -> str:
    return f"{abs(lead)} {'ahead' if lead > 0 else 'behind'}" if lead else "even"


def _comes_to(own: State, seat: Seat, step: Step) -> str:
    """Return what a card does to its trick; "" if neither clan gains by it."""
    move, clan = MOVES[step], seat % 2
    trick, after = kitsune.trick_with(own, seat, move), kitsune.apply(own, seat, step)
    if move.card == BLACK and bound_to(after) == clan:
        who, colour = f"seat {player(own, len(trick))}", COLOURS[clan]
        return f"{who} has to play {colour} next, if possible, which counts for {CLANS[clan]}"
    if move.boost == "shield":
        return f"under the shield no Katana can destroy the {word(move.card)}"
    does, lead, was = _deed(own, move, trick), _lead(trick, clan), _lead(own.cards.trick, clan)
    score = " to ".join(str(kitsune.totals(trick)[one]) for one in (clan, 1 - clan))
    if after.phase != "show" and after.standing.tricks != own.standing.tricks:
        counted = counted_of(own, trick, after)
        if counted.clan in (clan, NOBODY):
            return _ended(counted, after, clan, f"{does} wins the trick {score}", lead)
        if (moved := counted.now - counted.was) < -was:
            return f"{CLANS[1 - clan]} then move only {moved}, not {-was}"
    kept = _kept(own, seat, move)
    later = f", and {kept} is kept for later" if kept else ""
    plays = [MOVES[one] for one in kitsune.legal(own, seat) if MOVES[one].act == "play"]
    leads = {_lead(kitsune.trick_with(own, seat, one), clan) for one in plays}
    if lead > 0:
        if len(trick) + 1 == TRICK[own.table.seats]:
            later = f", and only seat {player(own, len(trick))} plays after it"
        elif lead == max(leads):
            later = ""
        if any(laid.card == UNSEEN for laid in trick):
            later = ", but one card is still hidden"
        return f"{does} {'puts' if was <= 0 else 'keeps'} {CLANS[clan]} ahead, {score}{later}"
    if lead > was:
        near = f"brings {CLANS[clan]} within {-lead}" if lead else "makes the trick even"
        return f"{does} {near}, {score}"
    if lead == max(leads) > min(leads):
        return f"no other card costs {CLANS[clan]} less here{later}"
    return ""


def _deed(own: State, move: Move, trick: tuple[Laid, ...]) -> str:
    if move.card == WHITE or move.boost == "swap":
        return "exchanging the totals"
    if move.target == NOBODY:
        return "it"
    hit = next(i for i, old in enumerate(own.cards.trick) if old != trick[i])
    return f"destroying seat {player(own, hit)}'s {word(move.target)}"


def _ended(counted: Count, after: State, clan: int, wins: str, lead: int) -> str:
    if counted.clan == clan:
        if counted.prize:
            return f"{wins} and with it the {counted.prize}"
        token = f", but {CLANS[1 - clan]} get a token" * (after.phase == "take")
        return f"{wins}: {CLANS[clan]} move {counted.now - counted.was}{token}"
    was = f"though {CLANS[1 - clan]} are {-lead} ahead" if lead < 0 else "as the trick ends even"
    return f"nobody moves, {was}"


def _lead(trick: tuple[Laid, ...], clan: int) -> int:
    totals = kitsune.totals(trick)
    return totals[clan] - totals[1 - clan]


def _keeps(own: State, seat: Seat, move: Move) -> str:
    token, kept = own.standing.held[seat], _kept(own, seat, move)
    other = 1 - seat % 2
    if CLAN[move.card] == other and kept[-1:] in ("", "1", "2", "3"):
        return f"it gets rid of the {word(move.card)}, which counts for {CLANS[other]}"
    if token and not move.boost:
        return f"it keeps the {token_name(token)} token for later"
    return f"it keeps {kept} for later" if kept else "no other card in the hand is worth more"


def _kept(own: State, seat: Seat, move: Move) -> str:
    """Return the best card that stays in the hand: a special one, or a number of the own clan."""
    hand = [card for card in kinds(own.cards.hands[seat]) if card != move.card]
    kept = [card for card in (BLACK, KATANA, WHITE) if card in hand]
    kept += sorted((one for one in hand if CLAN[one] == seat % 2), key=lambda one: -VALUE[one])
    return f"the {word(kept[0])}" if kept else ""


def _given(own: State, seat: Seat, move: Move) -> str:
    clan, friend, table = seat % 2, (seat + 2) % own.table.seats, own.table
    uses = {
        BLACK: f"make seat {(friend + 1) % table.seats} play {COLOURS[clan]} with it",
        KATANA: f"destroy a big {COLOURS[1 - clan]} number with it",
        WHITE: "turn a lost trick round with it",
    }
    if move.card in uses:
        return f"seat {friend} can {uses[move.card]}"
    if CLAN[move.card] == clan and VALUE[move.card] >= BIG:
        return (
            f"seat {friend} can win a trick with it: it counts {VALUE[move.card]} for {CLANS[clan]}"
        )
    rest = f", and {kept} stays in the hand" if (kept := _kept(own, seat, move)) else ""
    if CLAN[move.card] == clan:
        return f"it is only a small card to give away{rest}"
    return f"it counts for {CLANS[1 - clan]}, so it is no loss{rest}"


# --- What a step did ---------------------------------------------------------------------------


def narrate(before: State, actor: Actor, step: Step, after: State, names: Names) -> str:
    """Describe a past step: `Dan plays an orange 5; blue 7, orange 8: Yako move 1 to space 9`."""
    move = MOVES[step]
    if move.act == "play":
        return _told_card(before, Seat(int(actor)), move, after, names)
    if move.act == "show":
        owner = names[player(before, shielded(before.cards.trick))]
        said = f"the card under {owner}'s shield is {word(move.card, 'a')}"
        return said + told_trick(before, kitsune.trick_with(before, actor, move), after)
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
        "take": f"takes the {token_name(move.token)} token" + (f" for {other}" if other else ""),
    }
    return f"{name} {said_of[move.act]}"


def _told_card(before: State, seat: Seat, move: Move, after: State, names: Names) -> str:
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
    return said + told_trick(before, trick, after)


def told_trick(before: State, trick: tuple[Laid, ...], after: State) -> str:
    if after.standing.tricks == before.standing.tricks:
        return ""
    counted = counted_of(before, trick, after)
    said = f"; blue {counted.blue}, orange {counted.orange}: "
    if counted.clan == NOBODY:
        return said + "nobody moves"
    said += f"{CLANS[counted.clan]} move {counted.now - counted.was} to space {counted.now}"
    return said + (f" and win the {counted.prize}" if counted.prize else "")


# --- How the match stands ----------------------------------------------------------------------


def position(view: State, names: Names, you: Seat | None) -> Iterator[str]:
    standing, table = view.standing, view.table
    for clan, name in enumerate(CLANS):
        whose = listed(names[clan::2])
        yield (
            f"{name}, {COLOURS[clan]}, {whose}: marker on {standing.marks[clan]} of "
            f"{table.track}, {counted(standing.wins[clan], 'round')} won of {table.wins}."
        )
    yield from _gifts(view, names) if view.phase in ("give", "gift") else _trick(view, names)
    others = (_holds(view, names, seat) for seat in range(len(names)) if seat != you)
    yield joined((*others, _pile(view)))
    free = ", ".join(map(token_name, standing.available)) or "none"
    yield f"Free tokens: {free}; used: {', '.join(map(token_name, used_tokens(view))) or 'none'}."
    if you is not None:
        yield from _own(view, you)


def gist(view: State, names: Names, you: Seat | None) -> Iterator[str]:
    """Yield the trick so far, and in a new one the hand, to which cards have been drawn."""
    if view.phase in ("give", "gift"):
        yield from _gifts(view, names)
    yield from _trick(view, names)
    if you is not None and len(view.cards.trick) < view.table.seats:
        yield from _own(view, you)


_CARDS: Final = {
    BLACK: "the next player must play a number of your clan's colour, if possible",
    WHITE: "blue and orange change their totals",
    KATANA: "destroys an open number of somebody else, and must if it can",
}


def things(view: State) -> dict[str, str]:
    cards = {
        name: f"the {word(kind)}: {_CARDS.get(kind, 'counts for its colour')}"
        for name, kind in KINDS.items()
    }
    return cards | TOKEN_USES


def threats(view: State, seat: Seat, names: Names) -> Iterator[str]:
    """Yield how far the other clan is from the end of its way: its cards are hidden."""
    clan, standing, table = 1 - (seat & 1), view.standing, view.table
    if view.phase == "over":
        return
    left = counted(table.track - standing.marks[clan], "space")
    wins = "the match" if standing.wins[clan] + 1 == table.wins else "the round"
    yield f"{CLANS[clan]} need {left} more to win {wins}: a trick brings what they are ahead by."
    yield from (said for said in _trick(view, names) if said.startswith("So far"))


def _gifts(view: State, names: Names) -> Iterator[str]:
    if view.phase == "give":
        yield "Give a card that can end a trick, or one that counts for the other clan."
    yield "All players give a card away: " + joined(
        f"{names[seat]} to {names[(seat + 2) % view.table.seats]}"
        + ("" if gift == NOBODY else f" {word(gift, 'a')}")
        for seat, gift in enumerate(view.cards.gifts)
    )


def _trick(view: State, names: Names) -> Iterator[str]:
    laid, leader = view.cards.trick, view.standing.leader
    if leader == NOBODY or view.phase == "over":
        return
    said = [f"{names[player(view, index)]} {_laid(one)}" for index, one in enumerate(laid)]
    number = trick_number(view)
    of = f"{number} of {view.table.limit}"
    yield f"Trick {of}, {names[leader]} leads: " + (joined(said) if said else "no card yet.")
    if laid:
        blue, orange = kitsune.totals(laid)
        hidden = " and a hidden card" if any(one.card == UNSEEN for one in laid) else ""
        swapped = ", swapped" * is_swapped(laid)
        lead = so_far(view, laid).removesuffix(" so far")
        yield f"So far blue {blue}, orange {orange}{swapped}{hidden}: {lead}."
    clan = bound_to(view)
    if clan != NOBODY and view.phase == "play":
        yield f"Who can must play {COLOURS[clan]}."


def _laid(laid: Laid) -> str:
    said = f"lays {word(laid.card, 'a')}"
    if laid.boost:
        said += f" with {BOOST.get(laid.boost, laid.boost)}"
    return f"{said}, destroyed" if laid.is_hit else said


def _holds(view: State, names: Names, seat: int) -> str:
    hand, token = view.cards.hands[seat], view.standing.held[seat]
    shown = "" if hand >> HIDDEN or not hand else f" ({in_words(hand)})"
    return f"{names[seat]} holds {counted(size(hand), 'card')}{shown}" + (
        f" and the token {token_name(token)}" if token else ""
    )


def in_words(bag: Bag) -> str:
    """Return cards in words, `blue 1 twice, orange 4`; empty if they are hidden."""
    if bag >> HIDDEN:
        return ""
    times = {1: "", 2: " twice"}
    found = []
    for card in sorted(kinds(bag), key=lambda card: (card in SPECIALS, card)):
        copies = count(bag, card)
        found.append(f"{word(card)}{times.get(copies, f' {copies} times')}")
    return ", ".join(found)


def _pile(view: State) -> str:
    if view.table.seats != 2 or view.phase in ("lead", "over"):
        return ""
    return f"{counted(deck_size(view.table, view.cards), 'card')} to draw"


def _own(view: State, you: Seat) -> Iterator[str]:
    hand, token = view.cards.hands[you], view.standing.held[you]
    yield f"Your hand: {in_words(hand) or 'empty'}; {COLOURS[you % 2]} counts for you."
    if token:
        yield f"Your token: {token_name(token)}, {EFFECT[token]}."


def discarded(view: State) -> str:
    return f"Gone: {in_words(view.cards.discard) or 'nothing'}."


COLORS: Final = (1, 4)  # seats whose colours are blue and orange


def tallies(view: State) -> tuple[Tally, ...]:
    table, wins, marks = view.table, view.standing.wins, markers(view)
    return tuple(
        Tally(
            tuple(range(clan, table.seats, 2)),
            CLANS[clan],
            (Bar("rounds", wins[clan], table.wins), Bar("spaces", marks[clan], table.track)),
            table.track * wins[clan] + marks[clan] % table.track,
            COLORS[clan],
            whole=table.track,
        )
        for clan in range(2)
    )


COURSE: Final = "rounds and spaces"

_CHAPTERS: Final = {
    "deal": "Set-up",
    "give": "Set-up",
    "gift": "Set-up",
    "take": "Tokens",
    "show": "The end of a trick",
    "lead": "How it ends",
    "over": "How it ends",
}


def chapter(view: State) -> str:
    return _CHAPTERS.get(view.phase, "Your turn")


_REASONS: Final = {
    "rounds": "the {clan} have won the {rounds} needed",
    "limit": "the last trick that was agreed on; rounds count, then the markers",
}
_NEEDED: Final = {1: "one round", 2: "two rounds", 3: "three rounds"}


def reason(view: State, code: str) -> str:
    wins = view.standing.wins
    clan = CLANS[wins.index(max(wins))]
    return _REASONS[code].format(clan=clan, rounds=_NEEDED[view.table.wins])


# --- Shared ------------------------------------------------------------------------------------


class Count(NamedTuple):
    """How a trick was scored."""

    blue: int
    orange: int
    clan: int  # the clan that moves, or NOBODY
    was: int  # the previous space of its marker
    now: int
    prize: str  # "round" or "match", if it has won that


def counted_of(before: State, trick: tuple[Laid, ...], after: State) -> Count:
    """Return how the complete `trick` was scored between the two positions."""
    blue, orange = kitsune.totals(trick)
    clan = 0 if blue > orange else 1
    old, new, table = before.standing, after.standing, before.table
    was, now, prize = old.marks[clan], new.marks[clan], ""
    if new.wins != old.wins:  # then markers may have been reset to 0
        now, prize = table.track, "match" if new.wins[clan] == table.wins else "round"
    is_still = any(laid.boost == "still" for laid in trick)
    return Count(blue, orange, NOBODY if blue == orange or is_still else clan, was, now, prize)
