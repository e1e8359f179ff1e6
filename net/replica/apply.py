"""What each post does to the ledger, and which posts nobody honest makes; pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, HOLE, SPECTATOR, Seat
from kumite.core.log import End
from kumite.net.crypto import keys, wills
from kumite.net.crypto.groups import ED25519
from kumite.net.replica import dealing, declaring, due, history, inheritance, showing, standing_in
from kumite.net.replica.copying import changed
from kumite.net.replica.ledger import Dispute, Foul, Late, Ledger, OpenOffer, SeatChoice, put
from kumite.net.wire import posts

if TYPE_CHECKING:
    from kumite.core.match import Match
    from kumite.net.crypto.groups import Group
    from kumite.net.replica.roster import Roster
    from kumite.net.wire.posts import Body, Post


def begin(roster: Roster, me: int | None, seed: bytes = b"", group: Group | None = None) -> Ledger:
    """Return the ledger of terminal `me` (None: a watcher) before the first post."""
    known = wills.estate(seed) if roster.has_wills and me is not None else seed
    return dealing.settled(Ledger.begin(roster, me, known, group or ED25519))


def enter(ledger: Ledger, post: Post, *, is_checked: bool = False) -> Ledger:
    """Return the ledger with one more post; `is_checked`: its signature has been looked at.

    Raises:
        Foul: nobody honest makes this post now.
        Late: the post came too late; its author makes another.
    """
    author, roster = post.author, ledger.roster
    if author >= len(roster.terminals):
        raise Foul(0, f"there is no terminal {author}")
    if not is_checked and not is_signed(ledger, post):
        raise Foul(0, f"the signature under a post of {roster.who(author)} is wrong")
    if (post.at is not None) != roster.is_timed:
        raise Foul(author, "it does not say what its clock read, or by its protocol must not")
    if ledger.is_gone(author):
        raise Late("all others have said that this terminal is gone for good")
    if post.number != ledger.spoken[author] + 1:
        raise Late(f"post {post.number} came after post {ledger.spoken[author]}")
    if isinstance(post.body, posts.Play | posts.Closed) and post.seen < ledger.taken_back:
        raise Late("steps were taken back after this one was made")
    after = _with_post(ledger, post)
    return standing_in.went_on(after, post, _FOLD) if roster.has_wills else after


def _with_post(ledger: Ledger, post: Post) -> Ledger:
    """Return the ledger with a post that is in its place."""
    author = post.author
    after = _with_body(ledger, author, post.body, ledger.entered + 1)
    spoken = put(ledger.spoken, author, post.number)
    # without what a clock read: the cards that a deck is made of do not depend on how fast we are
    latest = history.continued(ledger.history[-1], signed_bytes(ledger, replace(post, at=None)))
    hashes = (*ledger.history, latest)
    return changed(after, entered=ledger.entered + 1, history=hashes, spoken=spoken)


def _with_body(ledger: Ledger, author: int, body: Body, posts_then: int) -> Ledger:
    """Return the ledger with what a terminal posts, or would post; there are so many posts then."""
    offer = ledger.offer
    if offer is not None and offer.kind == posts.GONE and author in declaring.meant(offer.number):
        ledger = changed(ledger, offer=None)  # who posts is not gone
        if body == posts.Answer(offer.post, 0):
            return ledger
    try:
        after = dealing.settled(_entered(ledger, author, body))
    except Late:
        if not ledger.dispute:
            raise
        after = ledger  # what the others play on until they know is no longer our match
    if after.match.number < ledger.match.number or after.claim != ledger.claim:
        after = changed(after, taken_back=posts_then)
    return after


def _ghost(roster: Roster, gone: int, left: bytes, ledger: Ledger) -> Ledger:
    """Return the ledger of a terminal that is gone before the first post."""
    return dealing.settled(Ledger.begin(roster, gone, left, ledger.group))


def _with_implied(ledger: Ledger, author: int, body: Body) -> Ledger:
    """Return the ledger with what a terminal that is gone would post now."""
    return _with_body(ledger, author, body, ledger.entered)


_FOLD: Final = standing_in.Fold(_ghost, _with_post, _with_implied)


def signed_bytes(ledger: Ledger, post: Post) -> bytes:
    """Return what the signature of a post is made over; its author had no posts that we lack."""
    before = ledger.history[post.seen]
    match_id = ledger.roster.match_id
    return history.signed_bytes(
        match_id, post.author, post.number, post.body, post.seen, before, post.at
    )


def is_signed(ledger: Ledger, post: Post) -> bool:
    """Return whether the author of a post has signed it, after the same posts as we have."""
    if post.seen > ledger.entered:
        return False
    public = ledger.roster.terminals[post.author].verify_key
    return keys.is_signed(public, signed_bytes(ledger, post), post.signature)


def _entered(ledger: Ledger, author: int, body: Body) -> Ledger:
    match body:
        case posts.Words():
            return ledger
        case posts.DeckKeys() | posts.Reveal():
            return _revealed(ledger, author, body)
        case posts.Offer(kind, number):
            return _offered(ledger, author, kind, number)
        case posts.Answer(offer, is_yes):
            return _answered(ledger, author, offer, bool(is_yes))
        case posts.Spoiled(number):
            return _disputed(ledger, author, number)
        case posts.BoxOpened() | posts.Closed() if not ledger.roster.is_answered:
            raise Foul(author, "this match is of a protocol without such posts")
        case posts.BoxOpened():
            raise showing.judged(ledger, author, body)
        case posts.Closed(number, digest):
            return _closed(ledger, author, number, digest)
        case posts.Will() | posts.WillShare() | posts.WillOpened():
            return _inherited(ledger, author, body)
    if ledger.is_over:
        raise Late("the match is over")
    if ledger.is_held and not isinstance(body, posts.Resign):
        raise Late("all are asked whether to go on from an earlier step")
    match body:
        case posts.Play():
            return _played(ledger, author, body)
        case posts.Resign(seat):
            _check_own(ledger, author, seat)
            return changed(ledger, end=End("resigned", (seat,)), offer=None)
        case posts.Away():
            return _been_away(ledger, author, body)
        case posts.Flag(seat):
            _check_own(ledger, author, seat)
            if not ledger.clocks:
                raise Foul(author, "this match is played without clocks")
            return changed(ledger, end=End("time", (seat,)), offer=None)
        case _:
            return dealing.contributed(ledger, author, body)


def _inherited(
    ledger: Ledger, author: int, body: posts.Will | posts.WillShare | posts.WillOpened
) -> Ledger:
    if not ledger.roster.has_wills:
        raise Foul(author, "at this table nobody leaves others anything")
    match body:
        case posts.Will():
            return inheritance.left(ledger, author, body)
        case posts.WillShare():
            return inheritance.handed_over(ledger, author, body)
        case posts.WillOpened():
            raise inheritance.judged(ledger, author, body)


def _check_own(ledger: Ledger, author: int, seat: Seat) -> None:
    if seat in ledger.seats_of(author):
        return
    if (author, seat) in ledger.moved:
        raise Late(f"seat {seat} was taken over while its terminal was away")
    raise Foul(author, f"seat {seat} is not theirs")


# --- Steps of seats ---------------------------------------------------------------------------


def _played(ledger: Ledger, author: int, play: posts.Play) -> Ledger:
    match, seat = ledger.match, play.seat
    if ledger.is_sharing:
        raise Late("all leave the others their shares first")
    _check_own(ledger, author, seat)
    if play.number != match.number + 1:
        raise Late(f"step {play.number} was made after step {match.number}")
    if seat not in match.actors or ledger.has_chosen(seat):
        raise Foul(author, f"seat {seat} is not to act at step {play.number}")
    if play.step.count(HOLE) != len(play.commitments):
        raise Foul(author, f"{play.step} needs a commitment for each ?")
    choice = SeatChoice(play.number, seat, play.step, play.commitments, author)
    ledger = due.with_own(ledger, choice)
    waiting = tuple(sorted((*ledger.waiting, choice), key=lambda one: one.seat))
    ledger = changed(_clocked(ledger, seat, play.spent), waiting=waiting)
    if ledger.end is None and len(waiting) == len(match.actors):
        for one in waiting:  # in ascending order of the seats
            if not ledger.dispute:
                ledger = _made(ledger, one)
        ledger = changed(ledger, waiting=())
    return ledger


def _clocked(ledger: Ledger, seat: Seat, spent: int) -> Ledger:
    """Take the time of a step from a seat's clock."""
    if not ledger.clocks or ledger.roster.clock is None:
        return ledger
    left = ledger.clocks[seat] - spent
    if left < 0:
        return changed(ledger, end=End("time", (seat,)), offer=None)
    return changed(ledger, clocks=put(ledger.clocks, seat, left + 1000 * ledger.roster.clock[1]))


def _been_away(ledger: Ledger, author: int, away: posts.Away) -> Ledger:
    """Take time away from what a seat has free of it, and what exceeds that from its clock."""
    seat, roster = away.seat, ledger.roster
    if not ledger.clocks or not roster.is_timed:
        raise Foul(author, "nobody counts time away in this match")
    if seat >= roster.setup.seats or ledger.judge(seat) != author:
        raise Foul(author, f"it is not the judge of seat {seat}")
    if away.number > ledger.match.number + 1:
        raise Late(f"step {away.number} is not due")  # it was, and has been taken back
    free = min(ledger.away[seat], away.ms)
    left = ledger.clocks[seat] - (away.ms - free)
    ledger = changed(ledger, away=put(ledger.away, seat, ledger.away[seat] - free))
    if left < 0:
        return changed(ledger, end=End("time", (seat,)), offer=None)
    return changed(ledger, clocks=put(ledger.clocks, seat, left))


def _made(ledger: Ledger, choice: SeatChoice) -> Ledger:
    """Make a step of a seat; what we chose ourselves in full."""
    step, game, before = choice.step, ledger.game, ledger.match
    if choice.commitments and choice.author == ledger.me:
        step = ledger.own_choice(choice).step
    choice = replace(choice, number=before.number + 1)
    hidden = (*ledger.hidden, choice) if choice.commitments else ledger.hidden
    try:
        match = before.play(choice.seat, step)
        is_masked = game.seen(before.state, choice.seat, step, SPECTATOR) == choice.step
    except KumiteError:
        _check_public(ledger, choice)
        # a card that we hold: claimed falsely, or copied in the deck by a third
        return changed(ledger, dispute=Dispute(choice.number, choice), hidden=hidden, offer=None)
    if not is_masked:
        raise Foul(choice.author, f"{choice.step} shows more than others may see")
    return changed(ledger, match=match, hidden=hidden, offer=None)


def _check_public(ledger: Ledger, choice: SeatChoice) -> None:
    """Blame the author of a step that nobody takes for good."""
    game, public, step = ledger.game, ledger.public, choice.step
    try:
        game.apply(public, choice.seat, step)
        is_masked = game.seen(public, choice.seat, step, SPECTATOR) == step
    except KumiteError as error:
        raise Foul(choice.author, f"{step} for seat {choice.seat}: {error}") from error
    if not is_masked:
        raise Foul(choice.author, f"{step} shows more than others may see")


def _disputed(ledger: Ledger, author: int, number: int) -> Ledger:
    """End the match because somebody says that step `number` cannot be."""
    if ledger.game.SECRETS is None or ledger.reveals[author] is not None:
        raise Foul(author, "there is nothing hidden that could tell against a step")
    if not ledger.dispute and number > ledger.match.number + 1:
        raise Foul(author, f"step {number} has not been made")
    if ledger.claim is not None and ledger.claim[1] <= number:
        raise Late(f"step {ledger.claim[1]} is disputed already")
    unsigned = (False,) * len(ledger.closed)
    return changed(ledger, end=End("spoiled"), offer=None, claim=(author, number), closed=unsigned)


# --- What needs everybody's yes ---------------------------------------------------------------


def why_no_offer(ledger: Ledger, author: int, kind: str, number: int) -> str:
    """Say why something cannot be offered now; empty if it can."""
    if kind == posts.COMMON:
        return _why_not_common(ledger, author, number)
    if kind == posts.AGAIN:
        if ledger.gone:
            return "somebody is gone; open another table"
        return "" if ledger.is_over else "the match is not over"
    if kind == posts.GONE:
        return declaring.why_not(ledger, author, number)
    if ledger.is_over:
        return "the match is over"
    if kind == posts.BACK:
        return _why_not_back(ledger.match, number)
    if kind == posts.SEAT:
        if ledger.game.SECRETS is not None:
            return "nobody else may see what this seat knows"
        if number >= ledger.roster.setup.seats or number in ledger.seats_of(author):
            return f"seat {number} is no other terminal's"
        owner = ledger.roster.players[number]
        return "" if len(ledger.seats_of(owner)) else "that seat is free"
    return "" if kind == posts.DRAW else f"there is no offer {kind}"


def _why_not_back(match: Match, number: int) -> str:
    if not 0 <= number < match.number:
        return f"there is no step {number} to go back to"
    if match.actors == (CHANCE,):  # keys of cards may be open that would then be another's
        return "cards or choices are on their way; ask again when somebody is to choose"
    at = match
    while at.number > number:
        assert at.last is not None
        assert at.before is not None
        if at.last.actor == CHANCE:
            return "what has been drawn or shown since then cannot be unknown again"
        at = at.before
    return ""


def why_it_waits(ledger: Ledger, kind: str) -> str:
    """Say why an offer has to wait for the one that stands; empty if it does not.

    Who is away cannot answer: so that they are gone goes before what has been offered.
    """
    standing = ledger.offer.kind if ledger.offer is not None else ""
    goes_before = {posts.COMMON: (posts.COMMON,), posts.GONE: (posts.COMMON, posts.GONE)}
    is_free = not standing or (kind in goes_before and standing not in goes_before[kind])
    return "" if is_free else "another offer stands"


def _why_not_common(ledger: Ledger, author: int, number: int) -> str:
    if author != ledger.host:
        return "only the host may offer that"
    if ledger.end is not None or (ledger.is_over and ledger.game.SECRETS is not None):
        return "the match is over"
    return _why_not_back(ledger.match, number)


def _offered(ledger: Ledger, author: int, kind: str, number: int) -> Ledger:
    if why_it_waits(ledger, kind):
        raise Late(why_it_waits(ledger, kind))
    if why_no_offer(ledger, author, kind, number):
        raise Late(why_no_offer(ledger, author, kind, number))
    # the host's people are asked like all others whether to go on after a difference
    agreed = frozenset[int]() if kind == posts.COMMON else frozenset({author})
    offer = OpenOffer(ledger.entered + 1, author, kind, number, agreed)
    return _agreed(changed(ledger, offer=offer))


def _answered(ledger: Ledger, author: int, number: int, is_yes: bool) -> Ledger:
    offer = ledger.offer
    if offer is None or offer.post != number or (is_yes and author in offer.agreed):
        raise Late("there is nothing to answer")
    if not is_yes:
        return changed(ledger, offer=None)
    return _agreed(changed(ledger, offer=replace(offer, agreed=offer.agreed | {author})))


def _agreed(ledger: Ledger) -> Ledger:
    """Do what was offered, once all whose yes it needs have given it."""
    offer = ledger.offer
    assert offer is not None
    # a terminal that has lost all its seats has no say, nor one that is gone for good
    needed = set(ledger.roster.players) & set(ledger.here)
    if offer.kind == posts.GONE:
        needed -= declaring.meant(offer.number)
    if offer.kind == posts.SEAT:  # a terminal that is away cannot be asked
        needed.discard(ledger.roster.players[offer.number])
    if not needed <= offer.agreed:
        return ledger
    ledger = changed(ledger, offer=None)
    match offer.kind:
        case posts.BACK | posts.COMMON:
            hidden = tuple(one for one in ledger.hidden if one.number <= offer.number)
            opened = (False,) * len(ledger.closed)
            match_then = ledger.match.back(offer.number)
            return changed(ledger, match=match_then, hidden=hidden, waiting=(), closed=opened)
        case posts.DRAW:
            return changed(ledger, end=End("agreed"))
        case posts.GONE:
            return declaring.declared(ledger, offer.author, declaring.meant(offer.number))
        case posts.SEAT:
            seat = Seat(offer.number)
            moved = ledger.moved | {(ledger.roster.players[seat], seat)}
            moved -= {(offer.author, seat)}
            return changed(ledger, roster=ledger.roster.moved(seat, offer.author), moved=moved)
        case _:
            return changed(ledger, wants_rematch=True)


# --- After the match --------------------------------------------------------------------------


def _revealed(ledger: Ledger, author: int, body: posts.DeckKeys | posts.Reveal) -> Ledger:
    if not ledger.is_over or ledger.reveals[author] is not None:
        raise Foul(author, "secrets are opened once, after the match")
    if isinstance(body, posts.Reveal):
        return changed(ledger, reveals=put(ledger.reveals, author, body))
    is_known = ledger.dispute is not None or body.deck < len(ledger.decks)
    if body.deck != len(ledger.keys[author]) or not is_known:
        raise Foul(author, f"there is no deck {body.deck} to open now")
    return changed(ledger, keys=put(ledger.keys, author, (*ledger.keys[author], body.keys)))


def _closed(ledger: Ledger, author: int, number: int, digest: bytes) -> Ledger:
    """Note that a terminal has signed the end of the match: with it, all that it had before."""
    if not ledger.is_over or (ledger.dispute and ledger.claim is None):
        raise Late("the match is not over")
    if ledger.closed[author]:
        raise Foul(author, "the end of a match is signed once")
    if (number, digest) != ledger.last:
        raise Foul(author, f"it signs another end than that of step {ledger.last[0]}")
    return changed(ledger, closed=put(ledger.closed, author, True))
