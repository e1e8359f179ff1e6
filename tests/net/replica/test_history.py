"""Nothing that is signed can differ between two terminals without being found out."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.net.crypto import keys
from kumite.net.replica import apply, audit
from kumite.net.replica.records import Claim
from kumite.net.wire import messages, posts
from kumite.net.wire.posts import Body
from tests.support.ledger_round import Round, roster_of, seed_of
from tests.support.toy_group import TOY
from tests.support.variants import variants

BODIES: tuple[Body, ...] = (
    posts.Play(1, 0, "a1", (b"c" * 18,), 5),
    posts.Promise(1, b"c" * 18),
    posts.Coin(1, b"p" * 16),
    posts.Shuffle(0, b"cards"),
    posts.Shares(0, 0, (b"k" * 32,)),
    posts.Spoiled(1),
    posts.Shown(1, ((b"s" * 16, "a"),), ((1, b"box"),)),
    posts.Say("hello"),
    posts.Resign(0),
    posts.Flag(0),
    posts.Offer(posts.DRAW, 0),
    posts.Answer(1, 1),
    posts.DeckKeys(0, b"k" * 32),
    posts.Reveal(1, (((b"s" * 16, "a"),),)),
    posts.BoxOpened(1, 0, b"k" * 128),
    posts.Closed(1, b"d" * 16),
    posts.Away(1, 0, 5),
    posts.KeyShares((b"p" * 32,), (b"box",)),
    posts.KeyShare(1, b"s" * 32),
    posts.ShareOpened(1, b"k" * 128),
)


def table() -> Round:
    round_ = Round.of(Setup.of(GAMES["kuzushi"], 3), 3, TOY)
    for author in (0, 1, 0):
        round_.post(author, posts.Say("hello"))
    return round_


def test_there_is_a_body_of_each_kind() -> None:
    assert [*map(type, BODIES)] == [*posts.BODIES._number]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: type(body).__name__)
def test_whatever_differs_in_a_post_makes_another_history(
    body: Body, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apply, "_with_body", lambda ledger, *_: ledger)
    ledger = table().ledgers[0]
    post = posts.Post(0, 3, body, 2, b"s", 1000)
    changed = [one for where, one in variants(post) if where != ".signature"]
    histories = {apply._with_post(ledger, one).posted.history[-1] for one in (post, *changed)}
    assert len(histories) == 1 + len(changed)


def test_whatever_differs_in_what_was_agreed_on_makes_another_history() -> None:
    roster = roster_of(Setup.of(GAMES["kitsune"], 4), 3, clock=(10, 5, 60), gone="bot")
    setup, first, *rest = roster.setup, *roster.terminals
    changed = [
        replace(roster, **{field.name: value})
        for field in fields(roster)
        if field.name not in ("setup", "terminals")
        for _, value in variants(getattr(roster, field.name))
    ]
    for field in fields(first):
        value = getattr(first, field.name)
        other = frozenset({5}) if isinstance(value, frozenset) else next(variants(value))[1]
        changed.append(replace(roster, terminals=(replace(first, **{field.name: other}), *rest)))
    changed.append(replace(roster, terminals=(*rest, first)))
    changed.append(replace(roster, setup=replace(setup, seats=5)))
    changed.append(replace(roster, setup=replace(setup, options={"x": 1})))
    changed.append(replace(roster, setup=replace(setup, game=GAMES["kumo"])))
    made = {one.packed() for one in (roster, *changed)}
    assert len(made) == 1 + len(changed)
    ledgers = (apply.begin(one, None) for one in (roster, replace(roster, names=("x",) * 4)))
    assert len({one.posted.history for one in ledgers}) == 2


def stop_of(round_: Round, author: int) -> messages.Stop:
    signer = keys.Signer.of(seed_of(author))
    return audit.signed(round_.ledgers[author], signer, 3, "foul", "it lies", 0)


def test_whatever_differs_in_a_word_about_others_is_not_signed() -> None:
    round_ = table()
    stop = stop_of(round_, 1)
    assert audit.is_signed(round_.ledgers[2], round_.entered, stop)
    assert not audit.is_of_another_match(round_.ledgers[2], stop)
    for where, other in variants(stop):
        assert not audit.is_signed(round_.ledgers[2], round_.entered, other), where


def test_a_word_about_others_is_said_after_the_posts_that_its_author_had() -> None:
    """What bob says of a match that was shown to him alone counts in no other."""
    one, two = table(), table()
    one.post(0, posts.Say("for bob"))
    two.post(0, posts.Say("for cy"))
    assert audit.is_of_another_match(two.ledgers[2], stop_of(one, 1))
    assert audit.claims_in(two.ledgers[2], [Claim(stop_of(one, 1))]) == ()
    assert audit.claims_in(one.ledgers[2], [Claim(stop_of(one, 1))]) == (stop_of(one, 1),)
