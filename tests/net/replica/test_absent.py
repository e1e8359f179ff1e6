"""What terminals leave each other, who plays false with it, and the seat of one that is gone."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import End
from kumite.net.crypto import boxes, key_shares
from kumite.net.replica import absent, due
from kumite.net.replica.ledger import Foul, Late
from kumite.net.wire import posts
from tests.support.ledger_round import Round
from tests.support.toy_group import TOY

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


# --- Before the first step --------------------------------------------------------------------


def test_at_a_table_that_waits_for_all_nobody_leaves_shares() -> None:
    plain = Round.of(KITSUNE, 4, TOY)
    with pytest.raises(Foul, match="leaves others anything"):
        plain.post(0, posts.KeyShare(1, bytes(32)))


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
        left = round_.due(author)
        round_.post(author, left)
    assert not round_.watcher.is_sharing


def false_share(round_: Round, author: int, victim: int) -> posts.KeyShares:
    """Return a left with a wrong share in the box of one holder."""
    ledger = round_.ledgers[author]
    left = due.due(ledger)
    context = key_shares.box_context(ledger.roster.match_id, author, victim)
    key = ledger.roster.terminals[victim].box_key
    wrong = key_shares.share(ledger.seed, 4, victim + 1)
    sealed = list(left.boxes)
    sealed[victim - (victim > author)] = boxes.box(ledger.seed, key, *context, data=wrong)
    return replace(left, boxes=tuple(sealed))


@pytest.mark.parametrize(("author", "victim"), [(0, 3), (2, 1), (3, 2)])
def test_a_wrong_share_names_its_author_to_all(author: int, victim: int) -> None:
    round_ = table()
    round_.post(author, false_share(round_, author, victim))
    assert [one.absent.false_share for one in round_.ledgers].count(author) == 1
    opened = round_.due(victim)
    if isinstance(opened, posts.KeyShares):  # its own comes first
        round_.post(victim, opened)
        opened = round_.due(victim)
    assert isinstance(opened, posts.ShareOpened)
    assert round_.named(victim, opened) == author


def test_who_calls_a_right_share_wrong_is_named_and_who_opens_with_a_wrong_key() -> None:
    round_ = table()
    round_.work()
    context = key_shares.box_context(round_.watcher.roster.match_id, 1, 2)
    reader, left = round_.ledgers[2], round_.watcher.absent.shares[1]
    key = boxes.key_of(
        reader.seed, *context, sealed=left.boxes[1], own=key_shares.secret(reader.seed)
    )
    assert round_.named(2, posts.ShareOpened(1, key)) == 2
    assert round_.named(2, posts.ShareOpened(1, bytes(128))) == 2
    assert round_.named(2, posts.ShareOpened(2, key)) == 2
    assert round_.named(3, posts.ShareOpened(1, key)) == 3


def test_a_will_that_all_see_to_be_none_names_its_author() -> None:
    round_ = table()
    left = round_.due(1)
    for wrong in (
        replace(left, points=left.points[1:]),
        replace(left, points=(bytes(32), *left.points[1:])),
        replace(left, boxes=left.boxes[1:]),
        replace(left, boxes=(bytes(80), *left.boxes[1:])),
    ):
        assert round_.named(1, wrong) == 1
    round_.post(1, left)
    assert round_.named(1, left) == 1


# --- When somebody is gone --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "terminals", "lost"),
    [
        (KITSUNE, 3, (1,)),
        (KITSUNE, 4, (1, 3)),
        (KITSUNE, 6, (2, 5)),
        (KUZUSHI, 4, (2,)),
        (KUZUSHI, 6, (2, 5)),
    ],
)
def test_the_others_finish_and_all_see_that_it_was_fair(
    setup: Setup, terminals: int, lost: tuple[int, ...]
) -> None:
    round_ = begun(terminals, setup)
    say_gone(round_, *lost)
    rng = Random(1)
    go_on(round_, *lost, rng=rng)
    for ledger in round_.all:
        assert ledger.match.digest == round_.watcher.match.digest
        assert ledger.end is None
        assert not ledger.match.actors
    assert all(verdict.is_sound for verdict in round_.verdicts())
    assert len(round_.watcher.absent.views) == len(lost)
    after = next(at for at, one in enumerate(round_.entered) if isinstance(one.body, posts.Offer))
    assert not {post.author for post in round_.entered[after:]} & {*lost}


def test_shares_are_handed_over_by_enough_and_not_one_less() -> None:
    round_ = begun(6)
    say_gone(round_, 5)
    for author in range(5):
        assert bool(round_.watcher.absent.views) == (author >= 4)
        body = due.due(round_.ledgers[author])
        if author < 4:
            assert isinstance(body, posts.KeyShare)
            round_.post(author, body)
        else:
            assert not isinstance(body, posts.KeyShare)
    assert round_.watcher.absent.views[0].seed == key_shares.shared(bytes([6]) * 32)


def test_a_wrong_share_of_somebody_who_is_gone_names_its_heir() -> None:
    round_ = begun()
    say_gone(round_, 3)
    right = round_.due(1)
    assert round_.named(1, replace(right, share=bytes(31) + b"\x01")) == 1
    assert round_.named(1, replace(right, gone=2)) == 1
    round_.post(1, right)


def test_who_has_dealt_with_other_secrets_than_it_left_is_named_when_it_is_gone() -> None:
    """They cannot be compared before: the keys of a deck are hashed from what is left."""
    round_ = table()
    other = replace_seed(round_, 2)
    round_.play(Random(1), 20)
    say_gone(round_, 2)
    assert other != round_.ledgers[2].seed
    round_.post(0, round_.due(0))
    assert round_.named(1, round_.due(1)) == 2


def replace_seed(round_: Round, who: int) -> bytes:
    """Let a terminal draw its secrets from something else once it has left its shares."""
    for author in range(4):
        round_.post(author, round_.due(author))
    before = round_.ledgers[who]
    round_.ledgers[who] = replace(before, seed=b"x" * 32)
    return before.seed


def test_what_is_posted_by_who_is_gone_counts_no_more() -> None:
    round_ = begun()
    say_gone(round_, 3)
    with pytest.raises(Late, match="gone for good"):
        round_.post(3, posts.Say("wait, I am here!"))


def test_who_posts_anything_is_not_gone_and_says_so_by_itself() -> None:
    round_ = begun()
    round_.post(0, posts.Offer(posts.GONE, 1 << 3))
    assert round_.due(3) == posts.Answer(len(round_.entered), 0)
    round_.post(1, posts.Answer(len(round_.entered), 1))
    round_.work()
    assert round_.watcher.offer is None
    round_.post(0, posts.Offer(posts.GONE, 1 << 3))
    round_.post(3, posts.Say("I am here"))
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
    assert len(round_.watcher.absent.views) == 3
    assert round_.verdicts()[-1].is_sound


def test_where_they_forfeit_the_match_is_over_and_nothing_of_theirs_is_opened() -> None:
    round_ = begun(gone="forfeit")
    say_gone(round_, 3)
    assert round_.watcher.end == End("gone", (Seat(3),))
    go_on(round_, 3, rng=Random(1))
    assert round_.watcher.is_signed
    assert round_.watcher.closing.reveals[3] is None
    verdict = round_.verdicts()[-1]
    assert (verdict.terminal, verdict.text) == (None, "p3 went before opening secrets: no audit")


def test_what_a_bot_plays_is_the_same_everywhere_and_pinned() -> None:
    """Matches are checked by making its steps again: another bot needs another rule."""
    round_ = Round.of(KUZUSHI, 3, TOY, gone="bot")
    round_.play(Random("3 kuzushi"), 10)
    say_gone(round_, 1)
    go_on(round_, 1, rng=Random(1), longest=40)
    steps = " ".join(str(one.step) for one in round_.watcher.match.steps()[10:])
    assert steps == PINNED


PINNED = (
    "j11 f8+ d8 i12 l7 i6 k12 e7 k9 d10 g7+ f11 j8 e9+ i8 i4 l8+ l9 d12 d11 f6 g6 h12 d7 j10 h4 "
    "d9 k6 g8 l5"
)


def test_nothing_is_owed_by_who_is_gone() -> None:
    round_ = begun()
    say_gone(round_, 3)
    assert absent.owing(round_.watcher) == {0, 1, 2}
    for author in range(3):
        if isinstance(body := due.due(round_.ledgers[author]), posts.KeyShare):
            round_.post(author, body)
    assert 3 not in due.owing(round_.watcher)
