"""The posts of one terminal: its players' choices, and those due without a decision; pure.

All secrets are derived from the seed, so the same post is due whenever it is computed.
"""

from __future__ import annotations

from typing import Final

from kumite.core.errors import IllegalStep
from kumite.core.game import HOLE, SPECTATOR, Seat, Step, pieces
from kumite.net.crypto import mental_poker
from kumite.net.crypto.keys import derive
from kumite.net.replica import absent, dealing
from kumite.net.replica.ledger import Ledger, SeatChoice
from kumite.net.replica.records import Own
from kumite.net.wire import fields, posts
from kumite.net.wire.posts import Body

LOST: Final = 64  # records of our own choices that may be missing


def chosen(ledger: Ledger, seat: Seat, step: Step, spent: int = 0) -> tuple[posts.Play, Own | None]:
    """Return the post for a step of our own seat, and the secret to save before it is sent.

    Raises:
        KumiteError: the step is illegal; nothing has changed.
    """
    if ledger.has_chosen(seat):
        raise IllegalStep("the choice is made", hint="it is shown when all have chosen")
    ledger.match.check(seat, step)
    masked = ledger.game.seen(ledger.match.state, seat, step, SPECTATOR)
    number, own = ledger.match.number + 1, None
    if HOLE in masked:
        choice = SeatChoice(number, seat, masked, (), ledger.own)
        own = _own(ledger, choice, step, len(ledger.secrets.own))
    return posts.Play(number, seat, masked, own.commitments if own else (), spent), own


def _own(ledger: Ledger, choice: SeatChoice, step: Step, number: int) -> Own:
    """Return our hidden choice number `number` in full, with the salts of its commitments."""
    found, size = pieces(step, choice.step), fields.SALT
    salts = tuple(derive(ledger.seed, "salt", number, at, size=size) for at in range(len(found)))
    commitments = tuple(
        mental_poker.commit(salt, *dealing.piece_context(ledger, choice, at), text=piece)
        for at, (salt, piece) in enumerate(zip(salts, found, strict=True))
    )
    return Own(step, commitments, salts)


def with_own(ledger: Ledger, choice: SeatChoice) -> Ledger:
    """Return the ledger with the opening of our hidden `choice`, even if its record is lost.

    It is found by search: the salts come from the seed, and few steps are possible.
    """
    known = any(own.commitments == choice.commitments for own in ledger.secrets.own)
    if not choice.commitments or choice.author != ledger.me or known:
        return ledger
    match, seen = ledger.match, ledger.game.seen
    for step in match.legal(choice.seat):
        if seen(match.state, choice.seat, step, SPECTATOR) != choice.step:
            continue
        for number in range(len(ledger.secrets.own) + LOST):
            own = _own(ledger, choice, step, number)
            if own.commitments == choice.commitments:
                return ledger.with_secrets(own=(*ledger.secrets.own, own))
    return ledger


def due(ledger: Ledger, *, is_open: bool = True) -> Body | None:
    """Return the next post that is due from this terminal, None if there is none.

    `is_open`: whether its secrets may be opened after the match.
    """
    if ledger.me is None:
        return None
    if (left := absent.due(ledger, ledger.me)) is not None:
        return left
    offer = ledger.offer
    if offer is not None and offer.kind == posts.GONE and offer.number >> ledger.me & 1:
        return posts.Answer(offer.post, False)  # we are here, whatever the local players are doing
    disputed = ledger.dispute
    if disputed and disputed.box is not None:
        return dealing.opened_box(ledger, disputed.number, disputed.box)
    if disputed and (ledger.claim is None or disputed.number < ledger.claim[1]):
        return posts.Spoiled(disputed.number)
    if ledger.is_over and not ledger.is_held and not ledger.closing.closed[ledger.me]:
        return posts.Closed(*ledger.last)
    if ledger.me not in _owed(ledger):
        return None
    match dealing.due(ledger):
        case dealing.Kind.COIN:
            return _coin(ledger, ledger.me)
        case dealing.Kind.SHOW:
            return _showing(ledger, ledger.me)
        case dealing.Kind.DRAW:
            return _dealing(ledger, ledger.me)
        case None:
            return _opening(ledger, ledger.me, is_open)


def _coin(ledger: Ledger, me: int) -> Body:
    number, gathered = ledger.match.number + 1, ledger.secrets.gathered
    part = derive(ledger.seed, "coin", number, size=fields.PART)
    if not gathered.promises[me]:
        context = dealing.coin_context(ledger, number, me)
        return posts.Promise(
            number, mental_poker.commit(part, *context, text=dealing.Kind.COIN.value)
        )
    return posts.Coin(number, part)


def _showing(ledger: Ledger, me: int) -> Body:
    number, found = ledger.match.number + 1, dealing.own_pieces(ledger)
    if dealing.sees(ledger, ledger.public, dealing.masked_showing(ledger), SPECTATOR):
        return posts.Shown(number, found, ())
    readers = dealing.readers(ledger, me)
    boxes = tuple((reader, dealing.boxed(ledger, number, reader, found)) for reader in readers)
    return posts.Shown(number, (), boxes)


def _dealing(ledger: Ledger, me: int) -> Body:
    number, deck = len(ledger.secrets.decks) - 1, ledger.secrets.decks[-1]
    if not deck.deal.is_ready:
        return posts.Shuffle(number, deck.deal.make_pass(ledger.seed))
    keys = tuple(
        b"" if drawer == me else deck.deal.share(ledger.seed, me, place)
        for place, drawer in enumerate(deck.run, deck.drawn)
    )
    return posts.Shares(number, deck.drawn, keys)


def _opening(ledger: Ledger, me: int, is_open: bool) -> Body | None:
    if not is_open:
        return posts.Reveal(False, ())
    number = len(ledger.closing.keys[me])
    if number < len(ledger.secrets.decks):
        return posts.DeckKeys(number, ledger.secrets.decks[number].deal.keys(ledger.seed, me))
    choices = []
    for choice in ledger.secrets.hidden:
        if choice.author == me:
            own = ledger.own_choice(choice)
            choices.append(tuple(zip(own.salts, pieces(own.step, choice.step), strict=True)))
    return posts.Reveal(True, tuple(choices))


def owing(ledger: Ledger) -> frozenset[int]:
    """Return the terminals from which a post is due that needs no decision by a player."""
    return absent.owing(ledger) or _owed(ledger) & frozenset(ledger.here)


def _owed(ledger: Ledger) -> frozenset[int]:
    """Return the terminals, also those that are gone, whose part of what comes next is missing."""
    gathered, closing, parts = ledger.secrets.gathered, ledger.closing, tuple[object, ...]()
    if ledger.is_held:
        return frozenset()
    match dealing.due(ledger):
        case dealing.Kind.COIN:
            parts = gathered.coins if all(gathered.promises) else gathered.promises
        case dealing.Kind.SHOW:
            authors = {choice.author for choice, _ in dealing.owed(ledger)}
            return frozenset(one for one in authors if not gathered.shown[one])
        case dealing.Kind.DRAW:
            deck = ledger.secrets.decks[-1]
            if deck.deal.turn is not None:
                return frozenset({deck.deal.turn})
            parts = deck.shares
        case _ if ledger.is_over and not ledger.is_signed:
            parts = closing.closed
        case _ if ledger.is_over and ledger.game.SECRETS is not None:
            parts = closing.reveals
    return frozenset(terminal for terminal, part in enumerate(parts) if not part)
