"""Chance and secrets without a dealer: the joint coin, the sealed deck, hidden choices; pure.

A step of chance needs something of every terminal. When all of it is there, each terminal makes the
step itself, in the form in which it may see it. The cryptography is in net/crypto/mental_poker.py.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, HOLE, Step
from kumite.net.crypto import mental_poker
from kumite.net.crypto.sealed_deck import Deal, NotACard
from kumite.net.crypto.unproved_deck import UnprovedDeal
from kumite.net.replica import showing
from kumite.net.replica.copying import changed
from kumite.net.replica.ledger import Deck, Dispute, Draw, Foul, Gathered, Ledger, put
from kumite.net.wire.posts import Coin, Promise, Shares, Shown, Shuffle

if TYPE_CHECKING:
    from kumite.net.wire.posts import Body


class Kind(Enum):
    """How a chance step comes about."""

    SHOW = "show"  # of what was chosen in secret
    DRAW = "draw"  # from the sealed deck
    COIN = "coin"


def due(ledger: Ledger) -> Kind | None:
    """Return the kind of the chance step that is due, None if none is."""
    if ledger.is_over or ledger.is_sharing or ledger.match.actors != (CHANCE,):
        return None
    secrets = ledger.game.SECRETS
    if secrets is not None and secrets.owed(ledger.public):
        return Kind.SHOW
    if secrets is not None and secrets.drawn(ledger.public, HOLE):
        return Kind.DRAW
    return Kind.COIN


def contributed(ledger: Ledger, author: int, body: Body) -> Ledger:
    """Take in something that the chance step which is due needs.

    Raises:
        Foul: it is not due from this terminal, or not what it is bound to.
    """
    g = ledger.gathered
    if isinstance(body, Promise | Coin | Shown) and body.number != ledger.match.number + 1:
        raise Foul(author, f"chance is not to make step {body.number} now")
    match due(ledger), body:
        case Kind.COIN, Promise(_, commitment) if not g.promises[author]:
            return changed(
                ledger, gathered=replace(g, promises=put(g.promises, author, commitment))
            )
        case Kind.COIN, Coin(number, part) if all(g.promises) and not g.coins[author]:
            promised, context = g.promises[author], coin_context(ledger, number, author)
            if not mental_poker.is_opening(promised, part, *context, text=Kind.COIN.value):
                raise Foul(author, "the coin is not the one that was promised")
            return changed(ledger, gathered=replace(g, coins=put(g.coins, author, part)))
        case Kind.SHOW, Shown() if not g.shown[author]:
            showing.check_boxes(ledger, author, body)
            return changed(ledger, gathered=replace(g, shown=put(g.shown, author, body)))
        case Kind.DRAW, Shuffle():
            return _passed(ledger, author, body)
        case Kind.DRAW, Shares():
            return _shared(ledger, author, body)
    raise Foul(author, f"{type(body).__name__} is not due at step {ledger.match.number + 1}")


def settled(ledger: Ledger) -> Ledger:
    """Make the steps of chance for which everything is there."""
    while kind := due(ledger):
        after = _COMES_ABOUT[kind](ledger)
        if after is ledger:
            return ledger
        ledger = after
    return ledger


def _made(ledger: Ledger, step: str) -> Ledger:
    """Make a step of chance; if it cannot be made, somebody has played false: the audit says who.

    It may be a card drawn here that somebody holds already, or two cards shown of which there is
    one: where a deck holds copies, the terminal that draws or shows them is innocent.
    """
    try:
        match = ledger.match.play(CHANCE, Step(step))
    except KumiteError:
        return changed(ledger, dispute=Dispute(ledger.match.number + 1))
    return changed(
        ledger, match=match, gathered=Gathered.nothing(len(ledger.roster.terminals)), offer=None
    )


# --- The joint coin ---------------------------------------------------------------------------


def coin_context(ledger: Ledger, number: int, author: int) -> tuple[str | int, ...]:
    """Return what the part of a coin is bound to."""
    return (ledger.roster.match_id, "coin", number, author)


def _toss(ledger: Ledger) -> Ledger:
    """Let the coin fall, if all parts of it are there."""
    odds = ledger.game.odds(ledger.public)
    steps = sorted(odds)
    if len(steps) == 1:
        return _made(ledger, steps[0])
    if not all(ledger.gathered.coins):
        return ledger
    key = mental_poker.coin(ledger.gathered.coins, ledger.roster.match_id, ledger.match.number + 1)
    return _made(ledger, steps[mental_poker.choose([odds[step] for step in steps], key)])


# --- Hidden choices that come to light --------------------------------------------------------


def _show(ledger: Ledger) -> Ledger:
    """Show what is owed, once all have brought it."""
    wanted = showing.owed(ledger)
    if not all(ledger.gathered.shown[choice.author] for choice, _ in wanted):
        return ledger
    ledger = showing.noted(ledger, wanted)
    found: dict[int, list[str]] = {}
    for author in {choice.author for choice, _ in wanted}:
        try:
            found[author] = showing.brought(ledger, author, showing.of(wanted, author))
        except Foul as error:
            if error.terminal == author and showing.is_for_us_alone(ledger, author):
                return changed(ledger, dispute=Dispute(ledger.match.number + 1, box=author))
            raise
    pieces_of = tuple(found[choice.author].pop(0) for choice, _ in wanted)
    return _made(ledger, ledger.game.SECRETS.shown(ledger.public, pieces_of))


# --- The sealed deck --------------------------------------------------------------------------


def _passed(ledger: Ledger, author: int, body: Shuffle) -> Ledger:
    number, deck = len(ledger.decks) - 1, ledger.decks[-1]
    if body.deck != number or deck.deal.turn != author:
        raise Foul(author, f"no pass over deck {body.deck} is due")
    try:
        is_trusted = author == ledger.me or ledger.entered < ledger.trusted
        deal = deck.deal.with_pass(body.cards, is_trusted=is_trusted)
    except mental_poker.Cheated as error:
        raise Foul(author, error.why) from error
    return changed(ledger, decks=put(ledger.decks, number, replace(deck, deal=deal)))


def _shared(ledger: Ledger, author: int, body: Shares) -> Ledger:
    number, deck = len(ledger.decks) - 1, ledger.decks[-1]
    is_due = deck.run and not deck.shares[author] and body.first == deck.drawn
    if body.deck != number or not is_due or len(body.keys) != len(deck.run):
        raise Foul(author, f"no such keys of deck {body.deck} are due")
    for place, (drawer, key) in enumerate(zip(deck.run, body.keys, strict=True), deck.drawn):
        is_right = not key if drawer == author else deck.deal.is_share(author, place, key)
        if not is_right and author != ledger.me:  # what we post ourselves is for others to judge
            raise Foul(author, f"the key of place {place} is not the one that was promised")
    posted = (*deck.posted, (author, deck.drawn, body.keys))
    deck = replace(deck, shares=put(deck.shares, author, body.keys), posted=posted)
    return changed(ledger, decks=put(ledger.decks, number, deck))


def _draw(ledger: Ledger) -> Ledger:
    """Begin a deck, find who draws next, or draw, as far as everything is there."""
    names, terminals = ledger.game.SECRETS.deck(ledger.public), len(ledger.roster.terminals)
    number = len(ledger.decks) - 1
    if names and (not ledger.decks or ledger.decks[-1].number != ledger.match.number):
        deck = Deck(ledger.match.number, _dealt(ledger, names, number + 1))
        return changed(ledger, decks=(*ledger.decks, deck))
    deck = ledger.decks[-1]
    if not deck.deal.is_ready:
        return ledger
    if not deck.run:
        deck = replace(deck, run=_run(ledger), shares=((),) * terminals)
        return changed(ledger, decks=put(ledger.decks, number, deck))
    return _drawn(ledger, number, deck) if all(deck.shares) else ledger


def _dealt(ledger: Ledger, names: tuple[str, ...], number: int) -> Deal:
    """Return the open deck of that number; its proofs are about all that was posted before it."""
    match_id, terminals = ledger.roster.match_id, len(ledger.roster.terminals)
    if not ledger.roster.is_proved:
        return UnprovedDeal.of(names, (match_id, number), terminals, ledger.group)
    return Deal.of(names, (match_id, number, ledger.history[-1]), terminals, ledger.group)


def _run(ledger: Ledger) -> tuple[int, ...]:
    """Return the terminals that draw now, one card after another, until a seat is to choose."""
    secrets, game, view = ledger.game.SECRETS, ledger.game, ledger.public
    drawers: list[int] = []
    while game.actors(view) == (CHANCE,) and not (drawers and secrets.deck(view)):
        masked = secrets.drawn(view, HOLE)
        if not masked:
            break
        drawers.append(
            next(
                one
                for one in range(len(ledger.roster.terminals))
                if showing.sees(ledger, view, masked, ledger.seats_of(one))
            )
        )
        view = game.apply(view, CHANCE, Step(masked))
    return tuple(drawers)


def _drawn(ledger: Ledger, number: int, deck: Deck) -> Ledger:
    """Draw all cards of a run; those that are ours, we see."""
    for at, drawer in enumerate(deck.run):
        place, card = deck.drawn + at, HOLE
        if drawer == ledger.me:
            try:
                card = _opened(ledger, deck, at)
            except NotACard:  # whose pass was false, only the audit can tell
                return changed(ledger, dispute=Dispute(ledger.match.number + 1))
        ledger = _made(ledger, ledger.game.SECRETS.drawn(ledger.public, card))
        if ledger.dispute:
            return ledger
        draw = Draw(ledger.match.number, number, place, drawer)
        ledger = changed(ledger, draws=(*ledger.draws, draw))
    deck = replace(deck, drawn=deck.drawn + len(deck.run), run=(), shares=())
    return changed(ledger, decks=put(ledger.decks, number, deck))


def _opened(ledger: Ledger, deck: Deck, at: int) -> str:
    """Return which card lies where we draw."""
    assert ledger.me is not None
    place = deck.drawn + at
    own = deck.deal.share(ledger.seed, ledger.me, place)
    shares = [own if one == ledger.me else share[at] for one, share in enumerate(deck.shares)]
    return deck.deal.names[deck.deal.open(place, shares)]


_COMES_ABOUT: Final = {Kind.SHOW: _show, Kind.DRAW: _draw, Kind.COIN: _toss}
