"""What terminals leave each other, who plays false with it, and the seat of one that is gone."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from random import Random
from typing import TYPE_CHECKING

import pytest

from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import End
from kumite.net.crypto import boxes, wills
from kumite.net.replica import apply, audit, declaring, due, inheritance
from kumite.net.replica.copying import changed
from kumite.net.replica.ledger import Foul, Late
from kumite.net.replica.roster import SHARED
from kumite.net.wire import posts
from tests.support.ledger_round import Round, roster_of
from tests.support.toy_group import TOY

if TYPE_CHECKING:
    from kumite.net.replica.ledger import Ledger

KITSUNE = Setup.of(GAMES["kitsune"], 6)
KUZUSHI = Setup.of(GAMES["kuzushi"], 6, {"board": "small"})


def table(terminals: int = 4, setup: Setup = KITSUNE, gone: str = "bot") -> Round:
    return Round.of(setup, terminals, TOY, gone=gone)


def begun(terminals: int = 4, setup: Setup = KITSUNE, gone: str = "bot", steps: int = 40) -> Round:
    """Return a table after some steps; all that is due was posted."""
    found = table(terminals, setup, gone)
    found.play(Random(f"{terminals} {setup.game.ID}"), steps)
    return found


def say_gone(round_: Round, *lost: int) -> None:
    """Let all others say that these terminals are gone."""
    first, *others = (one for one in range(len(round_.ledgers)) if one not in lost)
    round_.post(first, posts.Offer(posts.GONE, sum(1 << one for one in lost)))
    for one in others:
        round_.answer(one, is_yes=True)


def go_on(round_: Round, *lost: int, rng: Random, longest: int = 100_000) -> None:
    """Play on without those who are gone: they neither choose nor post."""
    while True:
        for author in range(len(round_.ledgers)):
            while author not in lost and (body := due.due(round_.ledgers[author])) is not None:
                round_.post(author, body)
        first = round_.ledgers[0]
        if first.is_over or first.match.number >= longest:
            busy = [one for one in first.here if due.due(round_.ledgers[one]) is not None]
            if not busy:
                return
        elif first.match.actors != (CHANCE,):
            round_.step(rng)


def all_of(round_: Round) -> tuple[Ledger, ...]:
    return (*round_.ledgers, round_.watcher)


# --- Before the first step --------------------------------------------------------------------


def test_a_table_that_waits_for_all_keeps_its_bytes() -> None:
    packed = roster_of(Setup.of(GAMES["kitsune"], 4), 3).packed()
    known = "e8db857e5d7eae5561e033d70b23568f"  # of kumite before anybody could be gone
    assert blake2b(packed, digest_size=16).hexdigest() == known
    assert posts.BODIES.pack(posts.Away(1, 2, 3)).hex()[:4] == "9410"  # kinds keep their numbers
    plain = Round.of(KITSUNE, 4, TOY)
    with pytest.raises(Foul, match="leaves others anything"):
        plain.post(0, posts.WillShare(1, bytes(32)))


def test_nothing_is_played_before_all_have_left_their_shares() -> None:
    round_ = table(setup=KUZUSHI)
    first = round_.ledgers[0]
    seat = first.match.actors[0]
    assert seat != CHANCE
    play, _ = due.chosen(
        round_.ledgers[first.roster.players[seat]], seat, first.match.legal(seat)[0]
    )
    with pytest.raises(Late, match="shares first"):
        round_.post(first.roster.players[seat], play)
    for author in range(4):
        assert round_.watcher.is_sharing
        will = due_of(round_, author)
        assert isinstance(will, posts.Will)
        round_.post(author, will)
    assert not round_.watcher.is_sharing


def false_will(round_: Round, author: int, victim: int) -> posts.Will:
    """Return a will with a wrong share in the box of one heir."""
    ledger = round_.ledgers[author]
    will = due.due(ledger)
    assert isinstance(will, posts.Will)
    context = wills.box_context(ledger.roster.match_id, author, victim)
    key = ledger.roster.terminals[victim].box_key
    wrong = wills.share(ledger.seed, 4, victim + 1)
    sealed = list(will.boxes)
    sealed[victim - (victim > author)] = boxes.box(ledger.seed, key, *context, data=wrong)
    return replace(will, boxes=tuple(sealed))


def named(round_: Round, author: int, body: posts.Body) -> list[int]:
    """Return whom each ledger names when this is posted."""
    post, found = round_.signed(author, body), []
    for ledger in all_of(round_):
        with pytest.raises(Foul) as caught:
            apply.enter(ledger, post)
        found.append(caught.value.terminal)
    return found


@pytest.mark.parametrize(("author", "victim"), [(0, 3), (2, 1), (3, 2)])
def test_a_wrong_share_names_its_author_to_all(author: int, victim: int) -> None:
    round_ = table()
    round_.post(author, false_will(round_, author, victim))
    assert [one.false_will for one in round_.ledgers].count(author) == 1
    opened = due.due(round_.ledgers[victim])
    if isinstance(opened, posts.Will):  # its own comes first
        round_.post(victim, opened)
        opened = due.due(round_.ledgers[victim])
    assert isinstance(opened, posts.WillOpened)
    assert named(round_, victim, opened) == [author] * 5


def test_who_calls_a_right_share_wrong_is_named_and_who_opens_with_a_wrong_key() -> None:
    round_ = table()
    round_.work()
    context = wills.box_context(round_.watcher.roster.match_id, 1, 2)
    reader, will = round_.ledgers[2], round_.watcher.wills[1]
    assert will is not None
    key = boxes.key_of(reader.seed, *context, sealed=will.boxes[1], own=wills.secret(reader.seed))
    assert named(round_, 2, posts.WillOpened(1, key)) == [2] * 5
    assert named(round_, 2, posts.WillOpened(1, bytes(128))) == [2] * 5
    assert named(round_, 2, posts.WillOpened(2, key)) == [2] * 5
    assert named(round_, 3, posts.WillOpened(1, key)) == [3] * 5


def test_a_will_that_all_see_to_be_none_names_its_author() -> None:
    round_ = table()
    will = due.due(round_.ledgers[1])
    assert isinstance(will, posts.Will)
    for wrong in (
        replace(will, points=will.points[1:]),
        replace(will, points=(bytes(32), *will.points[1:])),
        replace(will, boxes=will.boxes[1:]),
        replace(will, boxes=(bytes(80), *will.boxes[1:])),
    ):
        assert named(round_, 1, wrong) == [1] * 5
    round_.post(1, will)
    assert named(round_, 1, will) == [1] * 5


# --- When somebody is gone --------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("terminals", "lost"), [(3, (1,)), (4, (2,)), (4, (1, 3)), (6, (2, 5))])
@pytest.mark.parametrize("setup", [KITSUNE, KUZUSHI], ids=["kitsune", "kuzushi"])
def test_the_others_finish_and_all_see_that_it_was_fair(
    setup: Setup, terminals: int, lost: tuple[int, ...]
) -> None:
    round_ = begun(terminals, setup)
    say_gone(round_, *lost)
    rng = Random(1)
    go_on(round_, *lost, rng=rng)
    for ledger in all_of(round_):
        assert ledger.match.digest == round_.watcher.match.digest
        assert ledger.end is None
        assert not ledger.match.actors
        verdict = audit.verdict(ledger)
        assert verdict is not None
        assert verdict.is_sound, verdict.text
    assert len(round_.watcher.ghosts) == len(lost)
    after = next(at for at, one in enumerate(round_.entered) if isinstance(one.body, posts.Offer))
    assert not {post.author for post in round_.entered[after:]} & {*lost}


def test_shares_are_handed_over_by_enough_and_not_one_less() -> None:
    round_ = begun(6)
    say_gone(round_, 5)
    for author in range(5):
        assert bool(round_.watcher.ghosts) == (author >= 4)
        body = due.due(round_.ledgers[author])
        if author < 4:
            assert isinstance(body, posts.WillShare)
            round_.post(author, body)
        else:
            assert not isinstance(body, posts.WillShare)
    assert round_.watcher.ghosts[0].seed == wills.estate(bytes([6]) * 32)


def test_a_wrong_share_of_somebody_who_is_gone_names_its_heir() -> None:
    round_ = begun()
    say_gone(round_, 3)
    right = due.due(round_.ledgers[1])
    assert isinstance(right, posts.WillShare)
    assert named(round_, 1, replace(right, share=bytes(31) + b"\x01")) == [1] * 5
    assert named(round_, 1, replace(right, gone=2)) == [1] * 5
    round_.post(1, right)


def test_who_has_dealt_with_other_secrets_than_it_left_is_named_when_it_is_gone() -> None:
    """They cannot be compared before: the keys of a deck are hashed from what is left."""
    round_ = table()
    other = replace_seed(round_, 2)
    round_.play(Random(1), 20)
    say_gone(round_, 2)
    assert other != round_.ledgers[2].seed
    round_.post(0, due_of(round_, 0))
    assert named(round_, 1, due_of(round_, 1)) == [2] * 5


def replace_seed(round_: Round, who: int) -> bytes:
    """Let a terminal draw its secrets from something else once it has left its shares."""
    for author in range(4):
        round_.post(author, due_of(round_, author))
    before = round_.ledgers[who]
    round_.ledgers[who] = changed(before, seed=b"x" * 32)
    return before.seed


def due_of(round_: Round, author: int) -> posts.Body:
    body = due.due(round_.ledgers[author])
    assert body is not None
    return body


def test_what_is_posted_by_who_is_gone_counts_no_more() -> None:
    round_ = begun()
    say_gone(round_, 3)
    with pytest.raises(Late, match="gone for good"):
        round_.post(3, posts.Words("wait, I am here!"))


def test_who_posts_anything_is_not_gone_and_says_so_by_itself() -> None:
    round_ = begun()
    round_.post(0, posts.Offer(posts.GONE, 1 << 3))
    assert due.due(round_.ledgers[3]) == posts.Answer(len(round_.entered), 0)
    round_.post(1, posts.Answer(len(round_.entered), 1))
    round_.work()
    assert round_.watcher.offer is None
    round_.post(0, posts.Offer(posts.GONE, 1 << 3))
    round_.post(3, posts.Words("I am here"))
    assert round_.watcher.offer is None
    assert not round_.watcher.gone


@pytest.mark.parametrize(
    ("terminals", "lost", "why"),
    [
        (3, (1, 2), "it takes two"),
        (6, (3, 4, 5), "too many are away"),
        (4, (), "only others"),
        (4, (7,), "only others"),
    ],
)
def test_nobody_is_said_to_be_gone_when_the_others_could_not_go_on(
    terminals: int, lost: tuple[int, ...], why: str
) -> None:
    round_ = begun(terminals)
    number = sum(1 << one for one in lost)
    with pytest.raises(Late, match=why):
        round_.post(0, posts.Offer(posts.GONE, number))


def test_at_a_table_of_an_older_kumite_the_host_cannot_be_gone() -> None:
    round_ = begun(4)
    ledger = round_.ledgers[1]
    assert not declaring.why_not(ledger, 1, 1)
    older = replace(ledger, roster=replace(ledger.roster, protocol=SHARED))
    assert declaring.why_not(older, 1, 1) == "without the host there is no table"


@pytest.mark.slow
def test_those_who_are_gone_help_to_go_on_without_another() -> None:
    """Their shares are known to all, so three are gone in turn, where three at once could not."""
    round_ = begun(6)
    say_gone(round_, 5, 4)
    go_on(round_, 4, 5, rng=Random(1), longest=round_.watcher.match.number + 5)
    first, *others = (0, 1, 2)
    round_.post(first, posts.Offer(posts.GONE, 1 << 3))
    for one in others:
        round_.answer(one, is_yes=True)
    go_on(round_, 3, 4, 5, rng=Random(2))
    assert len(round_.watcher.ghosts) == 3
    verdict = audit.verdict(round_.watcher)
    assert verdict is not None
    assert verdict.is_sound


def test_where_they_forfeit_the_match_is_over_and_nothing_of_theirs_is_opened() -> None:
    round_ = begun(gone="forfeit")
    say_gone(round_, 3)
    assert round_.watcher.end == End("gone", (Seat(3),))
    go_on(round_, 3, rng=Random(1))
    assert round_.watcher.is_signed
    assert round_.watcher.reveals[3] is None
    verdict = audit.verdict(round_.watcher)
    assert verdict is not None
    assert verdict.terminal is None
    assert verdict.text == "p3 went before opening secrets: no audit"


def test_what_a_bot_plays_is_the_same_everywhere_and_pinned() -> None:
    """Old logs are checked by making its steps again: another bot needs another rule."""
    round_ = Round.of(KUZUSHI, 3, TOY, gone="bot", protocol=SHARED)
    round_.play(Random("3 kuzushi"), 10)
    say_gone(round_, 1)
    go_on(round_, 1, rng=Random(1), longest=40)
    steps = " ".join(str(one.step) for one in round_.watcher.match.steps()[10:])
    assert steps == PINNED


PINNED = (
    "j11 f8+ m8 j10 i7+ f11 h6 i4 m7+ k9 j7+ k4 l6 l11 g10 k10+ m4 f10 e12 e11 k12 i5 i8 m10 "
    "j4 m6 k11 l10 i12 g5+"
)


def test_nothing_is_owed_by_who_is_gone() -> None:
    round_ = begun()
    say_gone(round_, 3)
    assert inheritance.owing(round_.watcher) == {0, 1, 2}
    for author in range(3):
        if isinstance(body := due.due(round_.ledgers[author]), posts.WillShare):
            round_.post(author, body)
    assert 3 not in due.owing(round_.watcher)
