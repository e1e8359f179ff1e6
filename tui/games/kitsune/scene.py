"""Kitsune on the table: wisdom track, trick, tokens, hands, and previews of cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import takewhile
from typing import Final

from kumite.core.copying import put
from kumite.core.game import Actor, Seat, Step
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import (
    BLACK,
    BOOSTS,
    CLAN,
    CLANS,
    COLOURS,
    HIDDEN,
    KATANA,
    MOVES,
    NAMES,
    NOBODY,
    ONE,
    TRICK,
    UNSEEN,
    VALUE,
    WHITE,
    Kind,
    Laid,
    State,
    bound_to,
    cards_of,
    count,
    deck_size,
    kinds,
    player,
    size,
)
from kumite.core.players import bot_name
from kumite.tui.games.kitsune.picture import (
    BACK,
    BOOST,
    EFFECT,
    SCORED,
    SHORT,
    SPECIALS,
    advance,
    ahead,
    clan_sign,
    facts,
    in_hand,
    in_order,
    ink,
    is_swapped,
    markers,
    mate,
    open_hands,
    picture,
    role,
    row,
    seats,
    token_row,
    trick_number,
)
from kumite.tui.games.kitsune.words import told_trick
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.lines import Line, Named, Names, Span, bar, capital, line_width
from kumite.tui.scenes.model import NO_BOARD, Chip, Interlude, Milestone, Past, Portrait, Scene
from kumite.tui.scenes.motion import Frame
from kumite.tui.scenes.pictures import Card, Climb, Group, Lane, Spread

PARTS: Final = ("card", "trick", "round")

# --- The table ---------------------------------------------------------------------------------


def scene(view: State, names: Names, look: Look, you: Seat | None, past: Past = ()) -> Scene:
    """Return the track, the trick or the exchange, the tokens, and your hand in the tray.

    Other hands that the view knows are shown only to readers of a replay, who have no seat.
    """
    if you is not None:
        view = _seen_by(view, you)
    tray = tuple(_tray(view, look, you)) if you is not None else ()
    players = seats(view, names, look, you)
    return Scene(
        NO_BOARD,
        players,
        facts(view, look, you),
        picture(view, names, look, has_hands=you is None),
        tray,
        climb(view, names, look),
        spread=spread(view, names, look, you, past),
        where=f"trick {trick_number(view)}",
        due=_due(view),
        shelves=tuple(_shelves(players)),
    )


OWNERS: Final = (1, 4)  # in whose colours the clans are


def _shelves(players: tuple[Line, ...]) -> Iterator[Line | Portrait]:
    _, *rows = players
    for seat, (*name, cards, token) in enumerate(rows):
        clan = seat % 2
        yield Portrait(f"kitsune-climber-{CLANS[clan].lower()}", OWNERS[clan])
        yield tuple(name)
        yield (("   ", ""), cards, ("cards", "quiet"))
        yield (("     ", ""), token if token[0] else ("no token", "quiet"))


def _seen_by(view: State, you: Seat) -> State:
    """Hide what other seats at this screen know; in a complete trick every card lies open."""
    seen = kitsune.view(view, frozenset({you}))
    trick = view.cards.trick if view.phase == SCORED else seen.cards.trick
    return replace(seen, cards=replace(seen.cards, trick=trick))


_USES: Final = {**BOOST, "recall": "+recall a card"}  # no room for the card's name


def _tray(view: State, look: Look, you: Seat) -> Iterator[Chip]:
    """Yield your cards, numbers first, and your token: one chip for each way to use it."""
    hand = view.cards.hands[you]
    for kind in in_order(kinds(hand)):
        copies = count(hand, kind)
        text = f"{SHORT[kind]} {look.times}{copies}" if copies > 1 else SHORT[kind]
        yield Chip(NAMES[kind], text, role(kind), card(kind, copies))
    token = view.standing.held[you]
    for use in BOOSTS[token] or (token,) * bool(token):
        yield Chip(f"+{use}", _USES.get(use) or f"+{use}: {EFFECT[use]}", "title")


_SPRITES: Final = {BLACK: "kitsune-black", WHITE: "kitsune-white", KATANA: "kitsune-katana"}
_INKS: Final = {BLACK: "violet", WHITE: "ink", KATANA: "ink"}


def card(kind: Kind, copies: int = 1, *, is_dim: bool = False, note: str = "") -> Card:
    """Return how a card is drawn; an unknown one shows its back."""
    if kind == UNSEEN:
        return BACK
    if kind in SPECIALS:
        found = Card(_SPRITES[kind], _INKS[kind], title=SPECIALS[kind])
    else:
        colour = COLOURS[CLAN[kind]]
        found = Card(f"kitsune-{colour}", f"{colour}-dark", rank=str(VALUE[kind]))
    return replace(found, note=note, copies=copies, is_dim=is_dim)


def climb(view: State, names: Names, look: Look) -> Climb:
    needed = view.table.wins
    lanes = []
    for clan, at in enumerate(markers(view)):
        won = view.standing.wins[clan]
        rounds: Line = (
            (f"{at:>2}", ink(clan)),
            (f" of {view.table.track}  rounds ", "quiet"),
            (look.solid[0] * won, ink(clan)),
            (look.hollow[0] * (needed - won), "quiet"),
        )
        sign = f" {CLANS[clan][0]} " if not look.has_kanji else clan_sign(clan, look)
        sprite = f"kitsune-climber-{CLANS[clan].lower()}"
        lanes.append(Lane(CLANS[clan], ink(clan), sprite, sign, at, rounds))
    below = [token_row(view, names, look)]
    below += [((" ", "quiet"), *row(view, look))] * look.counts_cards
    return Climb(tuple(lanes), view.table.track, "kitsune-gate", look.single, tuple(below))


_GIVEN: Final = {"deal": "cards just dealt", "gift": "gifts just given"}


def spread(view: State, names: Names, look: Look, you: Seat | None, past: Past = ()) -> Spread:
    """Return the cards on the table: the trick in the order of play, or the gifts.

    Hands that the view knows are included for readers of a replay, who have no seat.
    """
    hands = () if you is not None else tuple(_open_hands(view, names))
    if view.phase in ("give", "gift"):
        gifts = takewhile(lambda one: MOVES[one.step].act == "give", past)
        given = [one.actor for one in gifts]  # the last one first
        groups = [_gift(view, names, look, seat, you, given) for seat in range(len(names))]
        return Spread(tuple(groups), hands=hands)
    places = range(TRICK[view.table.seats])
    groups = [_laid(view, names, look, you, index) for index in places]
    pile = deck_size(view.table, view.cards)
    if view.table.seats == 2 and view.phase not in ("lead", "over") and pile:
        label = Named(f"{pile} to draw", f"{pile} left")
        groups.append(Group((BACK,), ((label, "quiet"),)))
    words = _so_far(view)
    if not view.cards.trick and past and (said := _GIVEN.get(MOVES[past[0].step].act)):
        words = (*words, ((said, "title"),))
    spare = frozenset({2, 4}) if is_swapped(view.cards.trick) else frozenset[int]()
    return Spread(tuple(groups), words, spare, hands=hands, score=_score(view))


def _open_hands(view: State, names: Names) -> Iterator[Group]:
    for seat, hand in open_hands(view):
        held = in_order(cards_of(hand))
        shown = tuple(replace(card(kind), name=NAMES[kind]) for kind in held)
        yield Group(shown, ((names[seat], ink(seat)),))


def _gift(
    view: State, names: Names, look: Look, seat: int, you: Seat | None, given: Sequence[Actor]
) -> Group:
    """Return the card that a seat gives away, face down, with the receiver."""
    gift = view.cards.gifts[seat]
    taker = _named(names, (seat + 2) % view.table.seats, you)
    own = "title" if seat == you else "quiet"
    place = Card(title="your gift" if seat == you else "gift", ink=own, is_place=True)
    shown = place if gift == NOBODY else card(gift)
    to = Named(f"to {taker}", f"{look.arrows[1]}{taker}")
    labels = (_plate(names, seat, look, you), (to, "quiet"))
    return Group((shown,), labels, is_last=seat in given[:1])


def _plate(names: Names, seat: int, look: Look, you: Seat | None) -> Span:
    name, sign = _named(names, seat, you), clan_sign(seat % 2, look)
    bare = name.removeprefix(bot_name(""))
    short = f"{sign}{' ' * (bare != name)}{bare}"
    return Named(f"{sign} {name}", short), f"kitsune.card-{COLOURS[seat % 2]}"


def _named(names: Names, seat: int, you: Seat | None) -> str:
    return "you" if seat == you else names[seat]


def _laid(view: State, names: Names, look: Look, you: Seat | None, index: int) -> Group:
    trick = view.cards.trick
    seat = player(view, index) if view.standing.leader != NOBODY else index % view.table.seats
    is_due = view.phase == "play" and index == len(trick)
    label = _plate(names, seat, look, you)
    is_hidden = seat != you and index < len(names) and bool(view.cards.hands[seat] >> HIDDEN)
    backs = (BACK,) * (size(view.cards.hands[seat]) * is_hidden)
    holds = _holds(view, seat) if index < len(names) else ("", "quiet")  # once for each player
    if index < len(trick):
        laid = trick[index]
        is_last = index + 1 == len(trick)
        note = _noted(laid) or holds
        if is_last and note == holds:
            note = Named("just laid", "laid"), "title"
        return Group((_shown(laid),), (label, note), backs, is_last)
    if view.phase == "take":
        return _taken(view, names, look, you, index)
    ink_of_place = "title" if is_due else "quiet"
    place = Card(
        title=_card_due(view, seat, you) if is_due else "", ink=ink_of_place, is_place=True
    )
    return Group((place,), (label, holds), backs)


def _taken(view: State, names: Names, look: Look, you: Seat | None, index: int) -> Group:
    """Return a card of the trick that has just ended, while its token is chosen."""
    seats, last = view.table.seats, view.cards.last
    seat = player(view, index ^ 1 if seats == 2 else index - 1)  # the next leader leads already
    label, note = _plate(names, seat, look, you), (Named("last trick", "last"), "quiet")
    return Group((card(last[index], is_dim=True),), (label, note), is_last=index + 1 == len(last))


def _shown(laid: Laid) -> Card:
    """Return a card of the trick with a note on it, since labels may lack room for that."""
    note = f"+{laid.boost}" if laid.boost else "swaps" * (laid.card == WHITE)
    shown = card(laid.card, is_dim=laid.is_hit, note=note * (not laid.is_hit))
    return replace(shown, is_cut=laid.is_hit)


def _noted(laid: Laid) -> Span | None:
    if laid.is_hit:
        return Named("destroyed", "cut"), "loss"
    if laid.boost == "shield":
        return "shielded", "title"
    return (BOOST.get(laid.boost, f"+{laid.boost}"), "title") if laid.boost else None


def _holds(view: State, seat: int) -> Span:
    return Named(in_hand(view, seat), f"{size(view.cards.hands[seat])} held"), "quiet"


def _card_due(view: State, seat: int, you: Seat | None) -> str:
    clan = bound_to(view)
    if seat != you:
        return "plays now"
    return "your card" if clan == NOBODY else f"{COLOURS[clan]} if you can"


BARS: Final = 10  # columns of a total
_SWAPPED: Final = " swapped", "title"
CROSSED: Final[tuple[Line, ...]] = (  # between the totals: whose cards count for which
    ((" ▀▄  ", ink(0)), ("▄▲ orange cards", ink(1))),
    (
        (Named("   ", "▲"), ink(1)),
        (Named("██", "╳"), "title"),
        (Named("  ", "▼"), ink(0)),
        _SWAPPED,
    ),
    ((" ▄▀  ", ink(1)), ("▀▼ blue cards", ink(0))),
)


def _so_far(view: State) -> tuple[Line, ...]:
    trick = view.cards.trick
    lines: list[Line] = []
    if view.phase in ("play", "show", SCORED):
        lines.append(((f"trick {trick_number(view)} of {view.table.limit}", "quiet"),))
        hidden = "?" if any(laid.card == UNSEEN for laid in trick) else " "
        blue, orange = (
            ((f"{COLOURS[clan]:<6}{total:>3}{hidden}{bar(total, BARS)}", ink(clan)),)
            for clan, total in enumerate(kitsune.totals(trick))
        )
        lines += [blue, *CROSSED * is_swapped(trick), orange]
    if not trick and view.cards.last and view.phase == "play":
        lines.append((("last trick", "quiet"),))
        inks = ("title" if kind in SPECIALS else ink(CLAN[kind]) for kind in view.cards.last)
        names = (f"{SHORT[kind]} " for kind in view.cards.last)
        lines.append(tuple(zip(names, inks, strict=True)))
    if trick:
        name, *by = ahead(view, trick).split(" ", 2)
        roles = ("title", "quiet")
        lines.append(((name, "title"), *zip((f" {text}" for text in by), roles, strict=False)))
    return tuple(lines)


def _score(view: State) -> Span:
    """Return how far the leading clan would move, for large letters."""
    clan, by = advance(view, view.cards.trick)
    return (f"+{by}", ink(clan)) if by else ("", "")


def _due(view: State) -> str:
    if view.phase == "play":
        clan = bound_to(view)
        return "play a card" if clan == NOBODY else f"play {COLOURS[clan]}, if possible"
    due = {
        "give": f"give a card to the {mate(view.table.seats)}",
        "take": "take a token",
        "lead": "choose who leads",
    }
    return due.get(view.phase, "")


# --- Steps -------------------------------------------------------------------------------------


def parts(step: Step, legal: tuple[Step, ...] = ()) -> tuple[str, ...]:
    """Return the token if one is used, then the card, then the target of a Katana.

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


def step_from_parts(view: State, seat: Seat, parts: tuple[str, ...]) -> Step:
    if parts == ("+recall",) and not view.cards.last:
        return Step("recall:b1")  # there is nothing to recall, so any card will do
    steps = _by_parts().get(parts, ())
    return next(
        (step for step in steps if step.startswith("give:") == (view.phase == "give")), Step("")
    )


@cache
def _by_parts() -> Mapping[tuple[str, ...], list[Step]]:
    steps: dict[tuple[str, ...], list[Step]] = {}
    for text in MOVES:
        steps.setdefault(parts(Step(text)), []).append(Step(text))
    return steps


# --- Motion -----------------------------------------------------------------------------------


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
    before: State, actor: Actor, step: Step, after: State, names: Names
) -> Interlude | None:
    """Return the complete trick and its score, if `step` completes one.

    The view is not a position of the game; it is only drawn, because scoring clears the trick.
    """
    if after.standing.tricks == before.standing.tricks:
        return None
    move = MOVES[step]
    trick, hands = kitsune.trick_with(before, actor, move), before.cards.hands
    standing = replace(before.standing, wins=after.standing.wins)
    if move.act == "play":
        seat = int(actor)
        gone = ONE[UNSEEN if hands[seat] >> HIDDEN else move.card]
        hands = put(hands, seat, hands[seat] - gone)
        if move.boost:
            standing = replace(standing, held=put(standing.held, seat, ""))
    cards = replace(before.cards, hands=hands, trick=trick)
    view = replace(before, phase=SCORED, standing=standing, cards=cards)
    said = told_trick(before, trick, after).removeprefix("; ")
    is_won = after.standing.wins != before.standing.wins
    return Interlude(view, f"{capital(said)}.", _then(after, names, is_won=is_won))


def _then(after: State, names: Names, *, is_won: bool) -> str:
    """Return what comes after a complete trick, which may have won the round."""
    if after.phase == "over":
        return "the result"
    if after.phase == "deal":
        dealt = "both draw two cards" if after.cards.discard else "a new deal"
        return "a new round" if is_won else dealt
    tasks = {"take": "takes a token", "lead": "chooses who leads"}
    return f"{names[int(kitsune.actors(after)[0])]} {tasks.get(after.phase, 'leads')}"


LAID: Final = 0.16  # s that a card lies face down
SEEN: Final = 0.35  # s until it is counted
COUNTED: Final = 0.28  # s for each line of the count
CLIMBED: Final = 0.11  # s for each space


def frames(before: Scene, after: Scene, step: Step) -> tuple[Frame, ...]:
    if MOVES[step].act not in ("play", "show"):
        return ()
    old, new = before.spread, after.spread
    if old is None or new is None or len(old.groups) != len(new.groups):
        return ()
    still = replace(after, climb=before.climb)
    found = [Frame(replace(still, spread=_face_down(old, new)), LAID)]
    is_complete = not any(card.is_place for group in new.groups for card in group.cards)
    if not is_complete:
        return tuple(found)
    for number in sorted({*range(len(new.words))} - new.spare):
        score = new.score if number + 1 == len(new.words) else ("", "")
        left = tuple(((" " * line_width(line), ""),) for line in new.words[number + 1 :])
        spread = replace(new, words=(*new.words[: number + 1], *left), score=score)
        found.append(Frame(replace(still, spread=spread), COUNTED if number else SEEN))
    if before.climb is not None and after.climb is not None:
        climbs = _climbing(before.climb, after.climb)
        found += [Frame(replace(after, climb=climb), CLIMBED) for climb in climbs]
    return tuple(found)


def _face_down(old: Spread, new: Spread) -> Spread:
    groups = tuple(
        replace(group, cards=(BACK,))
        if was.cards[0].is_place and not group.cards[0].is_place
        else was
        for was, group in zip(old.groups, new.groups, strict=True)
    )
    return replace(old, groups=groups, hands=new.hands)  # the card has left the hand


def _climbing(old: Climb, new: Climb) -> Iterator[Climb]:
    ways = [(was.at, now.at) for was, now in zip(old.lanes, new.lanes, strict=True)]
    for step in range(max(now - was for was, now in ways)):
        lanes = []
        for lane, (was, now) in zip(old.lanes, ways, strict=True):
            at = min(now, was + step) if now > was else now
            count = f"{at:>2}", lane.note[0][1]  # it does not run ahead of the fox
            lanes.append(replace(lane, at=at, note=(count, *lane.note[1:])))
        yield replace(new, lanes=tuple(lanes))
