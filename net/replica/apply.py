"""The effect of each post on the ledger, and the checks that show a dishonest post; pure."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from kumite.core.codec import encode
from kumite.core.copying import put, replace
from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, HOLE, SPECTATOR, Seat, Step
from kumite.core.log import End
from kumite.net.crypto import key_shares, keys
from kumite.net.crypto.groups import ED25519, Group
from kumite.net.crypto.mental_poker import Numbers
from kumite.net.replica import absent, dealing, due, offers
from kumite.net.replica.ledger import Dispute, Foul, Implied, Late, Ledger, SeatChoice
from kumite.net.replica.records import Own
from kumite.net.wire import posts
from kumite.net.wire.posts import Body, Post

if TYPE_CHECKING:
    from kumite.net.replica.roster import Roster


EVER: Final = 2**62  # trusts all posts: the ledger itself has checked their proofs
CHARGED_WITHIN: Final = 8  # steps; for older ones no measurements are kept


def begin(roster: Roster, me: int | None, seed: bytes = b"", group: Group | None = None) -> Ledger:
    """Return the ledger of terminal `me` (None: a spectator) before the first post."""
    known = key_shares.shared(seed) if roster.has_key_shares and me is not None else seed
    return dealing.settled(Ledger.begin(roster, me, known, group or ED25519))


def enter(ledger: Ledger, post: Post, *, is_checked: bool = False) -> Ledger:
    """Return the ledger with one more post; `is_checked`: its signature was verified.

    Raises:
        Foul: no honest terminal makes this post now.
        Late: it came too late, and its author makes another.
    """
    author, roster = post.author, ledger.roster
    if author >= len(roster.terminals):
        raise Foul(0, f"there is no terminal {author}")
    if not is_checked and not is_signed(ledger, post):
        raise Foul(0, f"the signature under a post of {roster.who(author)} is wrong")
    if ledger.is_gone(author):
        raise Late("all others have said that this terminal is gone for good")
    if post.number != ledger.posted.spoken[author] + 1:
        raise Late(f"post {post.number} came after post {ledger.posted.spoken[author]}")
    if isinstance(post.body, posts.Play | posts.Closed) and post.seen < ledger.posted.taken_back:
        raise Late("steps were taken back after this one was made")
    if post.at <= ledger.posted.read[author]:
        raise Foul(
            author, f"its clock read {ledger.posted.read[author]} ms before, and then {post.at} ms"
        )
    after = _with_post(ledger, post)
    return _went_on(after, post) if roster.has_key_shares else after


def _with_post(ledger: Ledger, post: Post) -> Ledger:
    so_far = keys.hashed(b"kumite-history", (ledger.posted.history[-1], signed_bytes(ledger, post)))
    ledger = ledger.with_posted(
        history=(*ledger.posted.history, so_far)
    )  # a deck is bound to this post as well
    after = _with_body(ledger, post.author, post.body, ledger.posted.entered + 1)
    spoken = put(ledger.posted.spoken, post.author, post.number)
    read = put(ledger.posted.read, post.author, post.at)
    return after.with_posted(entered=ledger.posted.entered + 1, spoken=spoken, read=read)


def _with_body(ledger: Ledger, author: int, body: Body, posts_then: int) -> Ledger:
    """Return the ledger with a post by `author`, real or implied, as post number `posts_then`."""
    offer = ledger.offer
    if offer is not None and offer.kind == posts.GONE and author in absent.meant(offer.number):
        ledger = replace(ledger, offer=None)  # a terminal that posts is not gone
        if body == posts.Answer(offer.post, False):
            return ledger
    try:
        after = dealing.settled(_entered(ledger, author, body))
    except Late:
        if not ledger.dispute:
            raise
        after = ledger  # what the others play from here on is not our match
    if after.match.number < ledger.match.number or after.claim != ledger.claim:
        after = after.with_posted(taken_back=posts_then)
    return after


def signed_bytes(ledger: Ledger, post: Post) -> bytes:
    """Return the bytes that a post's signature covers, including the history its author saw."""
    unsigned = replace(post, signature=b"")
    return _signed_bytes(ledger.roster.match_id, unsigned, ledger.posted.history[post.seen])


@lru_cache(maxsize=16)
def _signed_bytes(match_id: str, post: Post, history: bytes) -> bytes:
    """Encode a post for its signature; cached, as it is signed or verified and then hashed."""
    body, seen = posts.BODIES.to_tuple(post.body), post.seen
    return encode(("kumite post", match_id, post.author, post.number, body, seen, history, post.at))


def is_signed(ledger: Ledger, post: Post) -> bool:
    """True if a post is signed by its author, on the same history as ours."""
    if post.seen > ledger.posted.entered:
        return False
    public = ledger.roster.terminals[post.author].verify_key
    return keys.is_signed(public, signed_bytes(ledger, post), post.signature)


def _entered(ledger: Ledger, author: int, body: Body) -> Ledger:
    match body:
        case posts.Say():
            return ledger
        case posts.DeckKeys() | posts.Reveal():
            return _revealed(ledger, author, body)
        case posts.Offer():
            return offers.offered(ledger, author, body)
        case posts.Answer(number, is_yes):
            return offers.answered(ledger, author, number, is_yes)
        case posts.Spoiled(number):
            return _disputed(ledger, author, number)
        case posts.Closed(number, digest):
            return _closed(ledger, author, number, digest)
        case posts.BoxOpened():
            raise dealing.judged(ledger, author, body)
        case posts.KeyShares() | posts.KeyShare() | posts.ShareOpened():
            return absent.entered(ledger, author, body)
    if ledger.is_over:
        raise Late("the match is over")
    if ledger.is_held and not isinstance(body, posts.Resign):
        raise Late("all are asked whether to resume from an earlier step")
    match body:
        case posts.Play():
            return _played(ledger, author, body)
        case posts.Away():
            return _been_away(ledger, author, body)
        case posts.Resign(seat):
            _check_own(ledger, author, seat)
            return ledger.ended("resigned", seat)
        case posts.Flag(seat):
            _check_own(ledger, author, seat)
            if not ledger.time.left:
                raise Foul(author, "this match is played without clocks")
            return ledger.ended("time", seat)
        case _:
            return dealing.contributed(ledger, author, body)


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
    ledger = replace(_clocked(ledger, seat, play.spent), waiting=waiting)
    if ledger.end is None and len(waiting) == len(match.actors):
        for one in waiting:  # in ascending order of the seats
            if not ledger.dispute:
                ledger = _made(ledger, one)
        ledger = replace(ledger, waiting=())
    return ledger


def _clocked(ledger: Ledger, seat: Seat, spent: int) -> Ledger:
    if not ledger.time.left or ledger.roster.clock is None:
        return ledger
    left = ledger.time.left[seat] - spent
    if left < 0:
        return ledger.ended("time", seat)
    return ledger.with_time(left=put(ledger.time.left, seat, left + 1000 * ledger.roster.clock[1]))


def _been_away(ledger: Ledger, author: int, away: posts.Away) -> Ledger:
    """Charge time away to a seat: to its free time first, then to its clock."""
    seat, roster = away.seat, ledger.roster
    if not ledger.time.left:
        raise Foul(author, "nobody counts time away in this match")
    if seat >= roster.setup.seats or ledger.judge(seat) != author:
        raise Foul(author, f"it is not the judge of seat {seat}")
    step = (away.number, seat)
    if not 0 <= ledger.match.number + 1 - away.number <= CHARGED_WITHIN:
        raise Late(f"step {away.number} is not due")  # it was, before a take-back
    if step in ledger.time.charged or seat not in ledger.match.back(away.number - 1).actors:
        raise Late(f"seat {seat + 1} owes no time for step {away.number}")
    ledger = ledger.with_time(charged=ledger.time.charged | {step})
    free = min(ledger.time.free[seat], away.ms)
    left = ledger.time.left[seat] - (away.ms - free)
    ledger = ledger.with_time(free=put(ledger.time.free, seat, ledger.time.free[seat] - free))
    if left < 0:
        return ledger.ended("time", seat)
    return ledger.with_time(left=put(ledger.time.left, seat, left))


def _made(ledger: Ledger, choice: SeatChoice) -> Ledger:
    """Play a step of a seat, with our own hidden choices in full."""
    step, game, before = ledger.known_step(choice), ledger.game, ledger.match
    choice = replace(choice, number=before.number + 1)
    hidden = (*ledger.secrets.hidden, choice) if choice.commitments else ledger.secrets.hidden
    try:
        match = before.play(choice.seat, step)
        is_masked = game.seen(before.state, choice.seat, step, SPECTATOR) == choice.step
    except KumiteError:
        _check_public(ledger, choice)
        # a card that we hold: claimed falsely, or duplicated in the deck by a third terminal
        return replace(
            ledger.with_secrets(hidden=hidden), dispute=Dispute(choice.number, choice), offer=None
        )
    if not is_masked:
        raise Foul(choice.author, f"{choice.step} shows more than others may see")
    return replace(ledger.with_secrets(hidden=hidden), match=match, offer=None)


def _check_public(ledger: Ledger, choice: SeatChoice) -> None:
    game, public, step = ledger.game, ledger.public, choice.step
    try:
        game.apply(public, choice.seat, step)
        is_masked = game.seen(public, choice.seat, step, SPECTATOR) == step
    except KumiteError as error:
        raise Foul(choice.author, f"{step} for seat {choice.seat}: {error}") from error
    if not is_masked:
        raise Foul(choice.author, f"{step} shows more than others may see")


def _disputed(ledger: Ledger, author: int, number: int) -> Ledger:
    if ledger.game.SECRETS is None or ledger.closing.reveals[author] is not None:
        raise Foul(author, "there is nothing hidden that could tell against a step")
    if not ledger.dispute and number > ledger.match.number + 1:
        raise Foul(author, f"step {number} has not been made")
    if ledger.claim is not None and ledger.claim[1] <= number:
        raise Late(f"step {ledger.claim[1]} is disputed already")
    unsigned = (False,) * len(ledger.closing.closed)
    return replace(
        ledger.with_closing(closed=unsigned), end=End("spoiled"), offer=None, claim=(author, number)
    )


# --- After the match --------------------------------------------------------------------------


def _revealed(ledger: Ledger, author: int, body: posts.DeckKeys | posts.Reveal) -> Ledger:
    if not ledger.is_over or ledger.closing.reveals[author] is not None:
        raise Foul(author, "secrets are opened once, after the match")
    if isinstance(body, posts.Reveal):
        return ledger.with_closing(reveals=put(ledger.closing.reveals, author, body))
    is_known = ledger.dispute is not None or body.deck < len(ledger.secrets.decks)
    if body.deck != len(ledger.closing.keys[author]) or not is_known:
        raise Foul(author, f"there is no deck {body.deck} to open now")
    return ledger.with_closing(
        keys=put(ledger.closing.keys, author, (*ledger.closing.keys[author], body.keys))
    )


def _closed(ledger: Ledger, author: int, number: int, digest: bytes) -> Ledger:
    if not ledger.is_over or (ledger.dispute and ledger.claim is None):
        raise Late("the match is not over")
    if ledger.closing.closed[author]:
        raise Foul(author, "the end of a match is signed once")
    if (number, digest) != ledger.last:
        raise Foul(author, f"it signs another end than that of step {ledger.last[0]}")
    return ledger.with_closing(closed=put(ledger.closing.closed, author, True))


# --- Seats whose terminals are permanently gone ------------------------------------------------

# Once the secrets of an absent terminal are reconstructed, every terminal replays the whole match
# from its point of view. What it owes, and what its bot plays, follows from the posts alone: all
# compute the same, nothing is posted for it, and nobody can influence it.


def _went_on(ledger: Ledger, post: Post) -> Ledger:
    """Return the ledger after the absent terminals have reacted to a new post.

    Raises:
        Foul: a terminal that is gone left other secrets than those it played with.
    """
    absentees = tuple(_with_post(absentee, post) for absentee in ledger.absent.views)
    ledger = _with_absentees(ledger.with_absent(views=absentees, past=(*ledger.absent.past, post)))
    while (found := _next_implied(ledger)) is not None:
        ledger = _with_absentees(_implied(ledger, *found))
    return ledger


def _with_absentees(ledger: Ledger) -> Ledger:
    """Return the ledger with a view for each absent terminal whose secrets are reconstructed."""
    open_ = {absentee.me for absentee in ledger.absent.views}
    for gone in (one for one, _ in ledger.gone if one not in open_):
        left = absent.secret(ledger, gone)
        if left is not None:
            absentee = _absentee(ledger, gone, left)
            absent.check_secret(absentee)
            ledger = ledger.with_absent(views=(*ledger.absent.views, absentee))
    return ledger


def _absentee(ledger: Ledger, gone: int, left: bytes) -> Ledger:
    """Return the match so far from the point of view of a terminal that is gone."""
    assert ledger.absent.roster is not None
    begun = Ledger.begin(ledger.absent.roster, gone, left, ledger.group)
    absentee = dealing.settled(begun)
    absentee = absentee.with_posted(trusted=EVER)
    for one in ledger.absent.past:
        if isinstance(one, Implied):
            absentee = _with_body(absentee, one.author, one.body, absentee.posted.entered)
        else:
            absentee = _with_post(absentee, one)
    return absentee


def _implied(ledger: Ledger, gone: int, body: Body, own: Own | None) -> Ledger:
    absentees = []
    for absentee in ledger.absent.views:
        if own is not None and absentee.me == gone:
            absentee = absentee.with_secrets(own=(*absentee.secrets.own, own))
        absentees.append(_with_body(absentee, gone, body, absentee.posted.entered))
    past = (*ledger.absent.past, Implied(gone, body))
    after = _with_body(ledger, gone, body, ledger.posted.entered)
    return after.with_absent(views=tuple(absentees), past=past)


def _next_implied(ledger: Ledger) -> tuple[int, Body, Own | None] | None:
    """Return the next implied post of an absent terminal; posts that are due come before steps."""
    for absentee in ledger.absent.views:
        body = due.due(absentee)
        if body is not None:
            return absentee.own, body, None
    for absentee in ledger.absent.views:
        if absentee.is_over or absentee.is_held:
            continue
        for seat in absentee.match.actors:
            if seat == CHANCE or seat not in absentee.seats_of(absentee.me):
                continue
            if not absentee.has_chosen(Seat(int(seat))):
                play, own = _bot_play(absentee, Seat(int(seat)))
                return absentee.own, play, own
    return None


def _bot_play(absentee: Ledger, seat: Seat) -> tuple[posts.Play, Own | None]:
    """Return the bot's play for a seat: unpredictable before all agreed, and chosen by nobody."""
    began = next(at for one, at in absentee.gone if one == absentee.me)
    about = (absentee.posted.history[began], int(seat), absentee.match.number)
    lot = keys.hashed(b"kumite-stand-in", about, key=absentee.seed)
    return due.chosen(absentee, seat, _bot_step(absentee, seat, lot))


def _bot_step(absentee: Ledger, seat: Seat, key: bytes) -> Step:
    """Return a random step: one that wins at once, else one that does not lose at once.

    Old matches are verified by repeating this choice, so it must never change. A different bot
    needs another rule of the table (core/gone.py).
    """
    game, match = absentee.game, absentee.match
    ranked: dict[int, list[Step]] = {}
    for step in match.legal(seat):
        outcome = game.outcome(game.apply(match.state, seat, step))
        rank = 1 if outcome is None or not outcome.winners else 0 if seat in outcome.winners else 2
        ranked.setdefault(rank, []).append(step)
    best = ranked[min(ranked)]
    return best[Numbers(key).below(len(best))]
