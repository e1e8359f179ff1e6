"""A seat whose terminal is gone for good, played on by all that are left, each for itself; pure.

Once its secrets are put together, every terminal adds the whole match up again as the one that is
gone would have seen it: a ghost. What a ghost owes, and what its bot plays, follows from the posts
alone; so all work it out alike, nobody posts it, and nobody can make it otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.game import CHANCE, Seat
from kumite.net.crypto.keys import hashed
from kumite.net.crypto.mental_poker import Numbers
from kumite.net.replica import due, inheritance
from kumite.net.replica.copying import changed
from kumite.net.replica.ledger import Implied, Ledger
from kumite.net.wire import posts

if TYPE_CHECKING:
    from collections.abc import Callable

    from kumite.core.game import Step
    from kumite.net.replica.ledger import Own
    from kumite.net.replica.roster import Roster
    from kumite.net.wire.posts import Body, Post

EVER: Final = 2**62  # posts whose proofs are not looked at: the ledger itself has done so


class Fold(NamedTuple):
    """How a ledger begins and goes on, from apply.py."""

    begin: Callable[[Roster, int, bytes, Ledger], Ledger]
    post: Callable[[Ledger, Post], Ledger]
    implied: Callable[[Ledger, int, Body], Ledger]


def went_on(ledger: Ledger, post: Post, fold: Fold) -> Ledger:
    """Return a ledger into which a post was entered after its ghosts have gone on, too.

    Raises:
        Foul: somebody who is gone has left other secrets than it had played with.
    """
    ghosts = tuple(fold.post(ghost, post) for ghost in ledger.ghosts)
    ledger = _with_ghosts(changed(ledger, ghosts=ghosts, past=(*ledger.past, post)), fold)
    while (found := _next(ledger)) is not None:
        ledger = _with_ghosts(_implied(ledger, *found, fold), fold)
    return ledger


def _with_ghosts(ledger: Ledger, fold: Fold) -> Ledger:
    """Return the ledger with a ghost for everybody whose secrets are put together by now."""
    open_ = {ghost.me for ghost in ledger.ghosts}
    for gone in (one for one, _ in ledger.gone if one not in open_):
        left = inheritance.estate(ledger, gone)
        if left is not None:
            ghost = _ghost(ledger, gone, left, fold)
            inheritance.check(ghost)
            ledger = changed(ledger, ghosts=(*ledger.ghosts, ghost))
    return ledger


def _ghost(ledger: Ledger, gone: int, left: bytes, fold: Fold) -> Ledger:
    """Return the match so far as a terminal has seen it that is gone."""
    assert ledger.table is not None
    ghost = changed(fold.begin(ledger.table, gone, left, ledger), trusted=EVER)
    for one in ledger.past:
        if isinstance(one, Implied):
            ghost = fold.implied(ghost, one.author, one.body)
        else:
            ghost = fold.post(ghost, one)
    return ghost


def _implied(ledger: Ledger, gone: int, body: Body, own: Own | None, fold: Fold) -> Ledger:
    """Return the ledger with what a terminal that is gone would have posted now."""
    ghosts = []
    for ghost in ledger.ghosts:
        if own is not None and ghost.me == gone:
            ghost = changed(ghost, own=(*ghost.own, own))
        ghosts.append(fold.implied(ghost, gone, body))
    past = (*ledger.past, Implied(gone, body))
    return changed(fold.implied(ledger, gone, body), ghosts=tuple(ghosts), past=past)


def _next(ledger: Ledger) -> tuple[int, Body, Own | None] | None:
    """Return what somebody who is gone would post next; what is due comes before steps."""
    for ghost in ledger.ghosts:
        body = due.due(ghost)
        if body is not None and ghost.me is not None:
            return ghost.me, body, None
    for ghost in ledger.ghosts:
        if ghost.me is None or ghost.is_over or ghost.is_held:
            continue
        for seat in ghost.match.actors:
            if seat == CHANCE or seat not in ghost.seats_of(ghost.me):
                continue
            if not ghost.has_chosen(Seat(int(seat))):
                play, own = _played(ghost, Seat(int(seat)))
                return ghost.me, play, own
    return None


def _played(ghost: Ledger, seat: Seat) -> tuple[posts.Play, Own | None]:
    """Return what the bot plays for a seat: nobody knew before all had agreed, and none chose."""
    began = next(at for one, at in ghost.gone if one == ghost.me)
    about = (ghost.history[began], int(seat), ghost.match.number)
    lot = hashed(b"kumite-stand-in", about, key=ghost.seed)
    return due.chosen(ghost, seat, _step(ghost, seat, lot))


def _step(ghost: Ledger, seat: Seat, key: bytes) -> Step:
    """Return a step that wins at once, else one that does not lose at once; among those by lot.

    Matches are checked by making it again, also in years: another bot needs another rule of the
    table (core/gone.py), and this one stays as it is.
    """
    game, match = ghost.game, ghost.match
    ranked: dict[int, list[Step]] = {}
    for step in match.legal(seat):
        outcome = game.outcome(game.apply(match.state, seat, step))
        rank = 1 if outcome is None or not outcome.winners else 0 if seat in outcome.winners else 2
        ranked.setdefault(rank, []).append(step)
    best = ranked[min(ranked)]
    return best[Numbers(key).below(len(best))]
