"""Chance and hidden information without a dealer: joint coin, sealed deck, hidden choices; pure.

A chance step needs a contribution of every terminal. Once all are there, each terminal plays the
step itself, as far as it may see it. The cryptography is in net/crypto/mental_poker.py.

Hidden choices are revealed to all, or in a box (net/crypto/boxes.py) to those who may see them. If
the contents of a box are false, its reader opens it to all, which shows who lied: the author of the
box, or the reader.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from kumite.core.codec import decode, encode
from kumite.core.copying import put, replace
from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, HOLE, SPECTATOR, Seats, Step, pieces
from kumite.net.crypto import boxes, mental_poker
from kumite.net.crypto.sealed_deck import Deal, NotACard
from kumite.net.replica.ledger import Deck, Dispute, Foul, Gathered, Ledger, SeatChoice, Wanted
from kumite.net.wire.posts import PIECES, Body, BoxOpened, Coin, Promise, Shares, Shown, Shuffle

# --- Revealed choices --------------------------------------------------------------------------


def sees(ledger: Ledger, view: object, masked: str, seats: Seats) -> bool:
    """True if these seats see the parts of a chance step that are masked by `?`."""
    try:
        return HOLE not in ledger.game.seen(view, CHANCE, Step(masked), seats)
    except KumiteError:  # the game refuses a text that hides from them what they see
        return True


def owed(ledger: Ledger) -> tuple[tuple[SeatChoice, int], ...]:
    return tuple(
        (next(one for one in reversed(ledger.secrets.hidden) if one.seat == seat), index)
        for seat, index in ledger.game.SECRETS.owed(ledger.public)
    )


def masked_showing(ledger: Ledger) -> str:
    """Return the step that reveals the choices owed, in its public form with a `?` for each."""
    secrets = ledger.game.SECRETS
    return str(secrets.shown(ledger.public, (HOLE,) * len(secrets.owed(ledger.public))))


def piece_context(ledger: Ledger, choice: SeatChoice, index: int) -> tuple[str | int, ...]:
    """Return the context of a commitment to a piece of a hidden choice.

    The step number is not part of it: a choice repeated after a take-back has another salt.
    """
    return (ledger.roster.match_id, "piece", int(choice.seat), index)


def box_context(ledger: Ledger, number: int, author: int, reader: int) -> tuple[str | int, ...]:
    return (ledger.roster.match_id, "shown", number, author, reader)


def own_pieces(ledger: Ledger) -> tuple[tuple[bytes, str], ...]:
    """Return (salt, piece) of everything that this terminal has to reveal now."""
    found = []
    for choice, index in owed(ledger):
        if choice.author == ledger.me:
            own = ledger.own_choice(choice)
            found.append((own.salts[index], pieces(own.step, choice.step)[index]))
    return tuple(found)


def of(wanted: Wanted, author: int) -> Wanted:
    return tuple(one for one in wanted if one[0].author == author)


def brought(ledger: Ledger, author: int, wanted: Wanted) -> list[str]:
    """Return the pieces that a terminal reveals of these choices, `?` for each we may not see.

    Raises:
        Foul: they differ from the choice, or cannot be read.
    """
    shown, masked = ledger.secrets.gathered.shown[author], masked_showing(ledger)
    assert shown is not None
    if sees(ledger, ledger.public, masked, SPECTATOR):
        return _checked(ledger, author, wanted, shown.pieces)
    if author == ledger.me:
        return _checked(ledger, author, wanted, own_pieces(ledger))
    if ledger.me is None or not sees(ledger, ledger.public, masked, ledger.seats_of(ledger.me)):
        return [HOLE] * len(wanted)
    sealed = dict(shown.boxes).get(ledger.me, b"")
    context = box_context(ledger, shown.number, author, ledger.me)
    try:
        key = ledger.key_of(context, sealed)
        reader = ledger.roster.terminals[ledger.me].box_key
        packed = boxes.open_with(key, reader, *context, sealed=sealed)
    except KumiteError as error:
        raise Foul(author, f"what was for us alone cannot be read: {error}") from error
    return _unboxed(ledger, author, wanted, packed)


def _unboxed(ledger: Ledger, author: int, wanted: Wanted, packed: bytes) -> list[str]:
    """Return the pieces in a box; raise Foul if they differ from the choice, or are unreadable."""
    try:
        found = PIECES(decode(packed))
    except KumiteError as error:
        raise Foul(author, f"what was in its box cannot be read: {error}") from error
    return _checked(ledger, author, wanted, found)


def _checked(
    ledger: Ledger, author: int, wanted: Wanted, brought: tuple[tuple[bytes, str], ...]
) -> list[str]:
    """Return the revealed pieces of these choices; raise Foul if they differ from them."""
    if len(brought) < len(wanted):
        raise Foul(author, "something that must be shown is missing")
    found = []
    for (choice, index), (salt, piece) in zip(wanted, brought, strict=False):
        context = piece_context(ledger, choice, index)
        if not mental_poker.is_opening(choice.commitments[index], salt, *context, text=piece):
            raise Foul(author, "the revealed choice differs from the one made")
        found.append(piece)
    return found


# --- Boxes ------------------------------------------------------------------------------------


def readers(ledger: Ledger, author: int) -> tuple[int, ...]:
    masked = masked_showing(ledger)
    if sees(ledger, ledger.public, masked, SPECTATOR):
        return ()
    everybody = range(len(ledger.roster.terminals))
    return tuple(
        one
        for one in everybody
        if one != author and sees(ledger, ledger.public, masked, ledger.seats_of(one))
    )


def boxed(ledger: Ledger, number: int, reader: int, found: tuple[tuple[bytes, str], ...]) -> bytes:
    key = ledger.roster.terminals[reader].box_key
    context = box_context(ledger, number, ledger.own, reader)
    return boxes.box(ledger.seed, key, *context, data=encode(found))


def opened_box(ledger: Ledger, number: int, author: int) -> BoxOpened:
    """Return the post that opens to all a box for us with false contents."""
    sealed, _ = ledger.secrets.boxed[number, author, ledger.own]
    context = box_context(ledger, number, author, ledger.own)
    return BoxOpened(number, author, ledger.key_of(context, sealed))


def judged(ledger: Ledger, reader: int, body: BoxOpened) -> Foul:
    """Return the culprit, now that a box is open: its author, or the reader that accuses them."""
    author = body.author
    if (box := ledger.secrets.boxed.get((body.number, author, reader))) is None:
        return Foul(reader, "opens a box that nobody has made for it")
    sealed, wanted = box
    public = ledger.roster.terminals[reader].box_key
    context = box_context(ledger, body.number, author, reader)
    if not boxes.is_key(body.key, public, *context, sealed=sealed):
        return Foul(reader, "opens a box with another key than its own")
    try:
        packed = boxes.open_with(body.key, public, *context, sealed=sealed)
    except KumiteError:
        return Foul(author, "its box for one terminal alone opens to nothing")
    try:
        _unboxed(ledger, author, wanted, packed)
    except Foul as foul:
        return foul
    return Foul(reader, "says that a box lies in which there is nothing wrong")


def check_boxes(ledger: Ledger, author: int, shown: Shown) -> None:
    """Raise Foul unless there is one valid box for each terminal that is to read them."""
    if all(choice.author != author for choice, _ in owed(ledger)):
        raise Foul(author, "it has nothing to show now")
    for_whom = tuple(reader for reader, _ in shown.boxes)
    if for_whom != readers(ledger, author) or not all(boxes.is_box(one) for _, one in shown.boxes):
        raise Foul(author, "it has not made one box for each who is to see what it shows")


def noted(ledger: Ledger, wanted: Wanted) -> Ledger:
    found = {
        (shown.number, author, reader): (sealed, of(wanted, author))
        for author, shown in enumerate(ledger.secrets.gathered.shown)
        if shown is not None
        for reader, sealed in shown.boxes
    }
    return ledger.with_secrets(boxed={**ledger.secrets.boxed, **found}) if found else ledger


# --- Chance ----------------------------------------------------------------------------------


class Kind(Enum):
    """The kind of a chance step."""

    SHOW = "show"  # reveals hidden choices
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
    """Enter a contribution to the chance step that is due.

    Raises:
        Foul: it is not due from this terminal, or contradicts a commitment.
    """
    g = ledger.secrets.gathered
    if isinstance(body, Promise | Coin | Shown) and body.number != ledger.match.number + 1:
        raise Foul(author, f"chance is not to make step {body.number} now")
    match due(ledger), body:
        case Kind.COIN, Promise(_, commitment) if not g.promises[author]:
            return ledger.with_secrets(
                gathered=replace(g, promises=put(g.promises, author, commitment))
            )
        case Kind.COIN, Coin(number, part) if all(g.promises) and not g.coins[author]:
            promised, context = g.promises[author], coin_context(ledger, number, author)
            if not mental_poker.is_opening(promised, part, *context, text=Kind.COIN.value):
                raise Foul(author, "the coin is not the one that was promised")
            return ledger.with_secrets(gathered=replace(g, coins=put(g.coins, author, part)))
        case Kind.SHOW, Shown() if not g.shown[author]:
            check_boxes(ledger, author, body)
            return ledger.with_secrets(gathered=replace(g, shown=put(g.shown, author, body)))
        case Kind.DRAW, Shuffle():
            return _passed(ledger, author, body)
        case Kind.DRAW, Shares():
            return _shared(ledger, author, body)
    raise Foul(author, f"{type(body).__name__} is not due at step {ledger.match.number + 1}")


def settled(ledger: Ledger) -> Ledger:
    """Play the chance steps for which all contributions are there."""
    while kind := due(ledger):
        after = _COMES_ABOUT[kind](ledger)
        if after is ledger:
            return ledger
        ledger = after
    return ledger


def _made(ledger: Ledger, step: str) -> Ledger:
    """Play a chance step; an impossible one opens a dispute, as a terminal must have cheated.

    For example a card drawn here is already in a hand, or two identical cards are shown. The deck
    may hold duplicates, so the terminal that draws or shows them need not be guilty.
    """
    try:
        match = ledger.match.play(CHANCE, Step(step))
    except KumiteError:
        return replace(ledger, dispute=Dispute(ledger.match.number + 1))
    ledger = ledger.with_secrets(gathered=Gathered.nothing(len(ledger.roster.terminals)))
    return replace(ledger, match=match, offer=None)


# --- The joint coin ---------------------------------------------------------------------------


def coin_context(ledger: Ledger, number: int, author: int) -> tuple[str | int, ...]:
    return (ledger.roster.match_id, "coin", number, author)


def _toss(ledger: Ledger) -> Ledger:
    odds = ledger.game.odds(ledger.public)
    steps = sorted(odds)
    if len(steps) == 1:
        return _made(ledger, steps[0])
    if not all(ledger.secrets.gathered.coins):
        return ledger
    key = mental_poker.coin(
        ledger.secrets.gathered.coins, ledger.roster.match_id, ledger.match.number + 1
    )
    return _made(ledger, steps[mental_poker.choose([odds[step] for step in steps], key)])


# --- Revealed choices --------------------------------------------------------------------------


def _show(ledger: Ledger) -> Ledger:
    wanted = owed(ledger)
    if not all(ledger.secrets.gathered.shown[choice.author] for choice, _ in wanted):
        return ledger
    ledger = noted(ledger, wanted)
    found: dict[int, list[str]] = {}
    for author in {choice.author for choice, _ in wanted}:
        try:
            found[author] = brought(ledger, author, of(wanted, author))
        except Foul as error:
            if error.terminal == author and ledger.me in readers(ledger, author):
                return replace(ledger, dispute=Dispute(ledger.match.number + 1, box=author))
            raise
    pieces_of = tuple(found[choice.author].pop(0) for choice, _ in wanted)
    return _made(ledger, ledger.game.SECRETS.shown(ledger.public, pieces_of))


# --- The sealed deck --------------------------------------------------------------------------


def _passed(ledger: Ledger, author: int, body: Shuffle) -> Ledger:
    number, deck = len(ledger.secrets.decks) - 1, ledger.secrets.decks[-1]
    if body.deck != number or deck.deal.turn != author:
        raise Foul(author, f"no pass over deck {body.deck} is due")
    try:
        is_trusted = author == ledger.me or ledger.posted.entered < ledger.posted.trusted
        deal = deck.deal.with_pass(body.cards, is_trusted=is_trusted)
    except mental_poker.Cheated as error:
        raise Foul(author, error.why) from error
    return ledger.with_secrets(decks=put(ledger.secrets.decks, number, replace(deck, deal=deal)))


def _shared(ledger: Ledger, author: int, body: Shares) -> Ledger:
    number, deck = len(ledger.secrets.decks) - 1, ledger.secrets.decks[-1]
    is_due = deck.run and not deck.shares[author] and body.first == deck.drawn
    if body.deck != number or not is_due or len(body.keys) != len(deck.run):
        raise Foul(author, f"no such keys of deck {body.deck} are due")
    for place, (drawer, key) in enumerate(zip(deck.run, body.keys, strict=True), deck.drawn):
        is_right = not key if drawer == author else deck.deal.is_share(author, place, key)
        if not is_right and author != ledger.me:  # our own posts are for others to judge
            raise Foul(author, f"the key of place {place} is not the one that was promised")
    posted = (*deck.posted, (author, deck.drawn, body.keys))
    deck = replace(deck, shares=put(deck.shares, author, body.keys), posted=posted)
    return ledger.with_secrets(decks=put(ledger.secrets.decks, number, deck))


def _draw(ledger: Ledger) -> Ledger:
    """Advance the deck by one stage if possible: begin it, find the next drawers, or draw."""
    names, terminals = ledger.game.SECRETS.deck(ledger.public), len(ledger.roster.terminals)
    number = len(ledger.secrets.decks) - 1
    if names and (
        not ledger.secrets.decks or ledger.secrets.decks[-1].number != ledger.match.number
    ):
        deck = Deck(ledger.match.number, _dealt(ledger, names, number + 1))
        return ledger.with_secrets(decks=(*ledger.secrets.decks, deck))
    deck = ledger.secrets.decks[-1]
    if not deck.deal.is_ready:
        return ledger
    if not deck.run:
        deck = replace(deck, run=_run(ledger), shares=((),) * terminals)
        return ledger.with_secrets(decks=put(ledger.secrets.decks, number, deck))
    return _drawn(ledger, number, deck) if all(deck.shares) else ledger


def _dealt(ledger: Ledger, names: tuple[str, ...], number: int) -> Deal:
    """Return a new deck to deal; its proofs are bound to all posts so far."""
    match_id, terminals = ledger.roster.match_id, len(ledger.roster.terminals)
    return Deal.of(names, (match_id, number, ledger.posted.history[-1]), terminals, ledger.group)


def _run(ledger: Ledger) -> tuple[int, ...]:
    """Return the terminals that draw the next cards, in order, until a seat has to choose."""
    secrets, game, view = ledger.game.SECRETS, ledger.game, ledger.public
    drawers, everybody = list[int](), range(len(ledger.roster.terminals))
    while game.actors(view) == (CHANCE,) and not (drawers and secrets.deck(view)):
        masked = secrets.drawn(view, HOLE)
        if not masked:
            break
        seers = (one for one in everybody if sees(ledger, view, masked, ledger.seats_of(one)))
        drawers.append(next(seers))
        view = game.apply(view, CHANCE, Step(masked))
    return tuple(drawers)


def _drawn(ledger: Ledger, number: int, deck: Deck) -> Ledger:
    """Draw all cards of a run, opening our own."""
    for at, drawer in enumerate(deck.run):
        place, card = deck.drawn + at, HOLE
        if drawer == ledger.me:
            try:
                card = _opened(ledger, deck, at)
            except NotACard:  # only the audit can tell whose pass was false
                return replace(ledger, dispute=Dispute(ledger.match.number + 1))
        ledger = _made(ledger, ledger.game.SECRETS.drawn(ledger.public, card))
        if ledger.dispute:
            return ledger
        draws = {**ledger.secrets.draws, ledger.match.number: (number, place)}
        ledger = ledger.with_secrets(draws=draws)
    deck = replace(deck, drawn=deck.drawn + len(deck.run), run=(), shares=())
    return ledger.with_secrets(decks=put(ledger.secrets.decks, number, deck))


def _opened(ledger: Ledger, deck: Deck, at: int) -> str:
    place = deck.drawn + at
    own = deck.deal.share(ledger.seed, ledger.own, place)
    shares = [own if one == ledger.me else share[at] for one, share in enumerate(deck.shares)]
    return deck.deal.names[deck.deal.open(place, shares)]


_COMES_ABOUT: Final = {Kind.SHOW: _show, Kind.DRAW: _draw, Kind.COIN: _toss}
