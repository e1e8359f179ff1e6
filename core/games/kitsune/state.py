"""Kitsune's components: cards, tokens, the texts of steps, and the position.

They are separate from rules.py, because text.py uses them as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from kumite.core.game import HOLE, Actor, Option, Options, Outcome, Seat, Step

GAME_ID: Final = "kitsune"

CLANS: Final = ("Zenko", "Yako")  # a seat's clan is seat % 2 (A4)
COLOURS: Final = ("blue", "orange")  # of the clans
NOBODY: Final = -1  # no seat, no clan, no card

OPTIONS: Final = (
    Option(
        "track",
        12,
        (8, 10, 12, 15, 20),
        "the number of the track's last space",
        "Track",
        ("8 spaces", "10 spaces", "12 spaces", "15 spaces", "20 spaces"),
    ),
    Option(
        "wins",
        2,
        (1, 2, 3),
        "rounds needed to win the match",
        "First to win",
        ("1 round", "2 rounds", "3 rounds"),
    ),
    Option(
        "redeal",
        "all",
        ("all", "setup"),
        "two players out of cards are dealt 12 each, or 6 each and a pile",
        "New deal of",
        ("12 cards each", "6 each, and a pile"),
        seats=(2,),
    ),
    Option(
        "limit",
        200,
        (20, 60, 200),
        "tricks after which the match is ended",
        "Ends after",
        ("20 tricks", "60 tricks", "200 tricks"),
    ),
)


# --- Cards ------------------------------------------------------------------------------------

Kind: TypeAlias = int
"""A kind of card: its index in NAMES, which are sorted as texts."""

NAMES: Final = (
    *(f"b{number}" for number in range(1, 7)),
    "black",
    "katana",
    *(f"o{number}" for number in range(1, 7)),
    "white",
    HOLE,
)
BLACK: Final = NAMES.index("black")
KATANA: Final = NAMES.index("katana")
WHITE: Final = NAMES.index("white")
UNSEEN: Final = NAMES.index(HOLE)  # a card that a view does not show
KINDS: Final = {name: kind for kind, name in enumerate(NAMES[:UNSEEN])}
UPRIGHT: Final = {BLACK: "Black Kitsune", KATANA: "Katana"}  # never under the shield (A20)
VALUE: Final = tuple(int(name[1]) if name[1:].isdigit() else 0 for name in NAMES)
CLAN: Final = tuple("bo".index(n[0]) if n[1:].isdigit() else NOBODY for n in NAMES)  # by colour

Bag: TypeAlias = int
"""A multiset of cards: four bits from bit 4 * kind on count the copies of each kind.

Hidden cards of a view are counted as UNSEEN, in the topmost bits: a bag has some if
`bag >> HIDDEN` is not 0.
"""
ONE: Final = tuple(1 << 4 * kind for kind in range(len(NAMES)))
HIDDEN: Final = 4 * UNSEEN
OF_CLAN: Final = tuple(
    sum(15 * ONE[kind] for kind in range(UNSEEN) if CLAN[kind] == clan) for clan in (0, 1)
)
EVERY: Final[Bag] = -1  # a mask that keeps all cards
ONLY: Final = (*(15 * one for one in ONE), EVERY)  # by kind, a mask of its copies; EVERY at NOBODY
_ODD: Final = 0x0F0F0F0F0F0F0F0F  # every second kind


def bag_of(cards: Iterable[Kind]) -> Bag:
    return sum(ONE[card] for card in cards)


def count(bag: Bag, kind: Kind) -> int:
    return bag >> 4 * kind & 15


def size(bag: Bag) -> int:
    pairs = (bag & _ODD) + (bag >> 4 & _ODD)
    return (pairs * 0x0101010101010101 >> 56) & 0xFF


@lru_cache(maxsize=4096)
def kinds(bag: Bag) -> tuple[Kind, ...]:
    """Return the kinds known to be in `bag`, ascending, each once."""
    return tuple(kind for kind in range(UNSEEN) if bag >> 4 * kind & 15)


def cards_of(bag: Bag) -> Iterator[Kind]:
    """Yield every known card of `bag`, ascending."""
    for kind in kinds(bag):
        yield from [kind] * count(bag, kind)


def _full(*copies: int) -> Bag:
    special = 2 * (ONE[BLACK] + ONE[KATANA] + ONE[WHITE])
    numbers = [KINDS[f"{colour}{number}"] for colour in "bo" for number in range(1, 7)]
    return special + sum(n * ONE[kind] for n, kind in zip(copies * 2, numbers, strict=True))


_SMALL: Final = _full(3, 2, 1, 1, 1, 1)
ALL_CARDS: Final = {2: _SMALL, 4: _SMALL, 6: _full(4, 3, 2, 1, 1, 1)}  # by seats (A1)
DUE: Final = {2: 6, 4: 6, 6: 5}  # cards dealt to each seat when a round begins
TRICK: Final = {2: 4, 4: 4, 6: 6}  # cards in a trick


# --- Tokens -----------------------------------------------------------------------------------

TOKENS: Final = ("3", "recall", "shield", "still", "swap")
BOOSTS: Final = {  # what may follow a card in a step, by token
    "": (),
    "3": ("3b", "3o"),
    "recall": (),
    "shield": ("shield",),
    "still": ("still",),
    "swap": ("swap",),
}
TOKEN_OF: Final = {boost: token for token, boosts in BOOSTS.items() for boost in boosts}


# --- Steps ------------------------------------------------------------------------------------


class Move(NamedTuple):
    """A parsed step. Missing parts are NOBODY or empty."""

    act: str  # the word before the colon; "play" for a card played
    card: Kind = NOBODY
    seat: int = NOBODY
    target: Kind = NOBODY
    boost: str = ""
    token: str = ""


def _vocabulary() -> Iterator[tuple[str, Move]]:
    """Yield the texts of all steps for any number of seats, including those that hide a card."""
    for seat in range(6):
        yield f"lead:{seat}", Move("lead", seat=seat)
        for card, name in enumerate(NAMES):
            yield f"deal:{name}>{seat}", Move("deal", card, seat)
            yield f"gift:{name}>{seat}", Move("gift", card, seat)
        for token in TOKENS:
            yield f"take:{token}>{seat}", Move("take", seat=seat, token=token)
    for card, name in enumerate(NAMES):
        yield f"give:{name}", Move("give", card)
        yield f"recall:{name}", Move("recall", card)
        if card != UNSEEN:
            yield f"show:{name}", Move("show", card)
    yield "?+shield", Move("play", UNSEEN, boost="shield")
    numbers = [kind for kind in range(UNSEEN) if CLAN[kind] != NOBODY]
    plays = [(name, kind, NOBODY) for name, kind in KINDS.items()]
    plays += [(f"katana:{NAMES[target]}", KATANA, target) for target in numbers]
    for (name, card, target), boost in product(plays, ("", *TOKEN_OF)):
        yield name + (boost and f"+{boost}"), Move("play", card, target=target, boost=boost)


MOVES: Final = dict(_vocabulary())
DEALS: Final = tuple(tuple(Step(f"deal:{name}>{seat}") for name in NAMES) for seat in range(6))


# --- State ------------------------------------------------------------------------------------

PHASES: Final = ("lead", "deal", "give", "gift", "play", "show", "take", "over")


@dataclass(frozen=True, slots=True)
class Table:
    """The fixed settings of a match: the seats and the options."""

    seats: int
    track: int
    wins: int
    redeal: str
    limit: int


def table_of(seats: int, options: Options) -> Table:
    track, wins, limit = (int(options[name]) for name in ("track", "wins", "limit"))
    return Table(seats, track, wins, str(options["redeal"]), limit)


@dataclass(frozen=True)
class Standing:
    """The state of the track and tokens, and the leader."""

    leader: int  # who leads this trick, or between tricks the next; NOBODY before the first
    wins: tuple[int, ...]  # rounds won, by clan
    marks: tuple[int, ...]  # the markers, by clan
    tricks: int  # finished in the match
    available: tuple[str, ...]  # tokens, sorted; those neither here nor held have been used
    held: tuple[str, ...]  # by seat: its token, or ""; at most one for each clan (A9)


class Laid(NamedTuple):
    """A card in the trick, with the token laid with it."""

    card: Kind
    boost: str
    is_hit: bool  # destroyed by a Katana


def laid_text(laid: Laid) -> str:
    """Return `b6`, `b6!` (destroyed), `b6+3o` or `b6!+3o`."""
    return NAMES[laid.card] + "!" * laid.is_hit + "+" * bool(laid.boost) + laid.boost


def parse_laid(word: str) -> Laid:
    """Parse the output of `laid_text`.

    Raises:
        ValueError: there is no such card.
    """
    name, _, boost = word.partition("+")
    return Laid(NAMES.index(name.removesuffix("!")), boost, name.endswith("!"))


@dataclass(frozen=True)
class Cards:
    """The places of the cards. All others are in the deck."""

    hands: tuple[Bag, ...]  # by seat; a hand is either known or hidden as a whole
    gifts: tuple[Kind, ...]  # by seat: the card it has given, or NOBODY
    trick: tuple[Laid, ...]  # in the order played, from the leader on
    last: tuple[Kind, ...]  # the round's previous trick; a record that `recall` does not change
    discard: Bag  # all tricks since the deck was last gathered; also a record
    recalled: tuple[int, Kind] | None  # the seat that has fetched a card since then, and the card


@dataclass(frozen=True)
class State:
    """A position, complete or a view."""

    table: Table
    phase: str
    chooser: Actor  # who acts in `lead` and `take`; else "*"
    to_deal: int  # cards, in `deal`; else 0
    standing: Standing
    cards: Cards


def is_hidden(cards: Cards) -> bool:
    """Return whether this view hides any card; then it does not know the deck."""
    if max(cards.hands) >> HIDDEN or UNSEEN in cards.gifts:
        return True
    for laid in cards.trick:
        if laid.card == UNSEEN:
            return True
    return cards.recalled is not None and cards.recalled[1] == UNSEEN


def outside(cards: Cards) -> Bag:
    """Return the cards that are not in the deck, with hidden ones as UNSEEN.

    A fetched card remains in the record of discards, but is no longer there.
    """
    bag = sum(cards.hands) + cards.discard
    for laid in cards.trick:
        bag += ONE[laid.card]
    for gift in cards.gifts:
        if gift != NOBODY:
            bag += ONE[gift]
    return bag - ONE[cards.recalled[1]] if cards.recalled else bag


def deck_size(table: Table, cards: Cards) -> int:
    """Return how many cards are in the deck, which is public."""
    gone = sum(map(size, cards.hands)) + size(cards.discard) + len(cards.trick)
    gone += sum(gift != NOBODY for gift in cards.gifts) - (cards.recalled is not None)
    return size(ALL_CARDS[table.seats]) - gone


def player(state: State, index: int) -> int:
    """Return the seat that plays, or has played, card number `index` of the trick."""
    return (state.standing.leader + index) % state.table.seats


def shielded(trick: tuple[Laid, ...]) -> int:
    """Return the index of the trick's card under the shield; NOBODY if there is none."""
    for index, laid in enumerate(trick):
        if laid.boost == "shield":
            return index
    return NOBODY


def speaker(leader: int, clan: int, seats: int) -> int:
    """Return the seat that decides for `clan`: its first clockwise from the leader (A8)."""
    return leader if leader % 2 == clan else (leader + 1) % seats


def next_dealt(state: State) -> int:
    """Return the seat that gets the next card of the deal (A22)."""
    return (state.standing.leader - state.to_deal) % state.table.seats


def next_gift(state: State) -> tuple[int, int]:
    """Return the giver and the receiver of the next gift to be handed over (A21)."""
    giver = next(seat for seat, gift in enumerate(state.cards.gifts) if gift != NOBODY)
    return giver, (giver + 2) % state.table.seats


def bound_to(state: State) -> int:
    """Return the clan whose colour a Black Kitsune makes the next seat play (A17, A19)."""
    trick = state.cards.trick
    if trick and trick[-1].card == BLACK and len(trick) < TRICK[state.table.seats]:
        return player(state, len(trick) - 1) % 2
    return NOBODY


def targets(state: State, seat: int) -> Bag:
    """Return the numbers that a Katana of `seat` can destroy."""
    trick = state.cards.trick
    return bag_of(trick[index].card for index in range(len(trick)) if is_target(state, seat, index))


def is_target(state: State, seat: int, index: int) -> bool:
    """Return whether that card is another seat's number, face up and not destroyed (A16)."""
    card, boost, is_hit = state.cards.trick[index]
    is_whole = CLAN[card] != NOBODY and not is_hit
    return is_whole and boost != "shield" and player(state, index) != seat


def outcome(state: State) -> Outcome | None:
    """Return the clan that has won its rounds, or is ahead at the limit, if any."""
    if state.phase != "over":
        return None
    table, standing = state.table, state.standing
    blue, orange = standing.wins
    if blue == orange and table.track not in standing.marks:  # otherwise a round has just ended
        blue, orange = standing.marks
    reason = "rounds" if table.wins in standing.wins else "limit"
    if blue == orange:
        return Outcome((), reason)
    clan = 0 if blue > orange else 1
    return Outcome(tuple(map(Seat, range(clan, table.seats, 2))), reason)
