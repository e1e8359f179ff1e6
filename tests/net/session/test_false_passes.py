"""Who cheats with the deck is named at once, by everybody, with a post that proves it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from kumite.core.game import Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.net.crypto import lock_proof, shuffle_proof
from kumite.net.crypto.sealed_deck import Deal
from kumite.net.replica import apply, audit
from kumite.net.replica.ledger import Foul, Ledger
from kumite.net.replica.records import Evidence
from kumite.net.session import events
from kumite.net.session.state import Reaction
from kumite.net.wire import posts
from kumite.tui.play.network_words import text
from tests.support.cheats import ATTACKS
from tests.support.lan_tables import posting, seated, table_of
from tests.support.ledger_round import Round, seed_of
from tests.support.simulation import Network, live
from tests.support.toy_group import TOY


def played(terminals: int, who: int, change: Any) -> Network:
    """Play Kitsune until somebody is found out; one looks on."""
    with posting(change, who):
        net = seated(table_of("kitsune", 2 * (terminals - 1), terminals, 1))
        for node in net.nodes[:terminals]:
            live(node, Random(f"people {node.name}"), 60)
        net.run(net.now + 600, lambda: all(node.session.is_closed for node in net.nodes))
    return net


def in_pass(number: int, attack: Callable[[Deal, bytes], bytes]) -> Any:
    """Return how a program changes its pass of that number over the first deck."""

    def change(turn: Reaction, body: posts.Body) -> posts.Body:
        if not isinstance(body, posts.Shuffle) or body.deck:
            return body
        deal = turn.live.ledger.secrets.decks[0].deal
        is_now = number == 1 + (len(deal.decks) - 1) // deal.terminals
        return posts.Shuffle(0, attack(deal, turn.s.credentials.seed)) if is_now else body

    return change


def check_named(net: Network, who: int, why: str) -> None:
    """Check that all others name this terminal, that they can prove it, and that it is noted."""
    for number, node in enumerate(net.nodes):
        if number == who:
            continue
        (stopped,) = node.told(events.Stopped)
        assert stopped.code == "foul", (node.name, stopped)
        assert why in text(stopped)
        assert stopped.seats == node.live.seats_of(who)
        (refused,) = [one for one in node.kept if isinstance(one, Evidence)]
        ((post, foul),) = audit.proofs_in(node.kept, TOY)
        assert post == refused.post
        assert foul.terminal == who
        assert why in str(foul)


@pytest.mark.parametrize(("name", "seed"), [(name, at) for at, name in enumerate(ATTACKS)])
def test_who_makes_a_false_pass_is_named_by_all_in_that_pass(name: str, seed: int) -> None:
    number, attack = ATTACKS[name]
    terminals = 2 + seed % 2
    who = Random(f"{name} {seed}").randrange(terminals)
    net = played(terminals, who, in_pass(number, attack))
    check_named(net, who, "no proof that it")
    honest = net.nodes[1 - min(who, 1)]
    passes = [one for one in honest.live.posts if isinstance(one.body, posts.Shuffle)]
    assert len(passes) == (number - 1) * terminals + who  # nothing was played on
    assert not honest.live.ledger.secrets.draws


@pytest.mark.long
@pytest.mark.parametrize("name", ATTACKS)
def test_forty_false_passes_of_each_kind(name: str) -> None:
    for seed in range(100, 140):
        test_who_makes_a_false_pass_is_named_by_all_in_that_pass(name, seed)


def other_share(turn: Reaction, body: posts.Body) -> posts.Body:
    if not isinstance(body, posts.Shares):
        return body
    return replace(body, keys=tuple(key and (7).to_bytes(32, "little") for key in body.keys))


def share_of_another_place(turn: Reaction, body: posts.Body) -> posts.Body:
    if not isinstance(body, posts.Shares):
        return body
    deal, ledger = turn.live.ledger.secrets.decks[-1].deal, turn.live.ledger
    last = len(deal.names) - 1
    wrong = deal.share(ledger.seed, ledger.me, last)
    return replace(body, keys=tuple(key and wrong for key in body.keys))


def share_written_otherwise(turn: Reaction, body: posts.Body) -> posts.Body:
    if not isinstance(body, posts.Shares):
        return body
    more = ((int.from_bytes(key, "little") + TOY.order).to_bytes(32, "little") for key in body.keys)
    keys = tuple(key and other for key, other in zip(body.keys, more, strict=True))
    return replace(body, keys=keys)


@pytest.mark.parametrize("change", [other_share, share_of_another_place, share_written_otherwise])
@pytest.mark.parametrize(("terminals", "who"), [(2, 1), (3, 0), (3, 2)])
def test_who_opens_a_card_with_another_key_is_named_by_all(
    terminals: int, who: int, change: Any
) -> None:
    net = played(terminals, who, change)
    check_named(net, who, "is not the one that was promised")
    assert not net.nodes[1 - min(who, 1)].live.ledger.secrets.draws


def test_a_foul_is_written_into_the_log() -> None:
    number, attack = ATTACKS["linear_combinations in pass 1"]
    lines = played(2, 0, in_pass(number, attack)).nodes[1].lines
    said = "ada has played false: its pass has no proof that it is a shuffle of the cards"
    assert any(line.startswith(f"audit false {said}") for line in lines)
    assert any(line.startswith("note stopped: step 2: ada has played false") for line in lines)


def test_proofs_are_checked_once_and_not_again_when_a_program_is_started_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    net = seated(table_of("kitsune", 2, 2, 1))
    net.run(net.now + 10)
    entered = [node.live.ledger.posted.entered for node in net.nodes]
    assert net.host.live.ledger.secrets.draws
    for node in net.nodes:
        net.kill(node)
    looked: list[object] = []
    for module in (shuffle_proof, lock_proof):
        monkeypatch.setattr(module, "is_proved", lambda *args: looked.append(args))
    for node in net.nodes:
        net.restart(node)
    assert not looked
    assert [node.live.ledger.posted.entered for node in net.nodes] == entered
    with pytest.raises(Foul, match="no proof"):  # what is read for others is looked at
        audit.ledger_of(net.host.kept, TOY)


# --- Two decks --------------------------------------------------------------------------------


def test_who_deals_two_decks_to_two_joiners_is_named_with_the_next_pass() -> None:
    """Both are proved; but each next post is signed over one of them."""
    table = Round.of(Setup.of(GAMES["kitsune"], 4), 3, TOY)
    table.until_the_deck()
    deal = table.ledgers[0].secrets.decks[0].deal
    seeds = (seed_of(0), b"another " * 4)
    one, two = (posts.Shuffle(0, deal.make_pass(seed)) for seed in seeds)
    posted = [table.signed(0, body) for body in (one, two)]
    first = apply.enter(table.ledgers[1], posted[0])
    second = apply.enter(table.ledgers[2], posted[1])
    table.ledgers[1] = first
    body = table.due(1)
    with pytest.raises(Foul, match="signature") as caught:
        apply.enter(second, table.signed(1, body))
    assert caught.value.terminal == 0  # the host, who has passed it on
    with pytest.raises(Foul, match="no proof that it") as caught:
        apply.enter(second, Round(table.ledgers, second).signed(1, body), is_checked=True)
    assert caught.value.terminal == 1  # were the signature not looked at


# --- Evidence ---------------------------------------------------------------------------------


@pytest.fixture
def caught() -> tuple[Ledger, posts.Post]:
    """Return what a watcher has, and the false pass that comes next."""
    table = Round.of(Setup.of(GAMES["kitsune"], 2), 2, TOY)
    table.until_the_deck()
    deal = table.ledgers[0].secrets.decks[0].deal
    _, attack = ATTACKS["a_repeated_card in pass 1"]
    return table.watcher, table.signed(0, posts.Shuffle(0, attack(deal, seed_of(0))))


def test_a_false_pass_proves_who_made_it(caught: tuple[Ledger, posts.Post]) -> None:
    ledger, post = caught
    foul = audit.foul_of(ledger, post)
    assert (foul.terminal, str(foul)) == (
        0,
        "its pass has no proof that it is a shuffle of the cards that were there",
    )


def test_nothing_that_was_changed_or_is_in_order_proves_anything(
    caught: tuple[Ledger, posts.Post],
) -> None:
    ledger, post = caught
    other = replace(post.body, cards=post.body.cards[::-1])
    for changed in (
        replace(post, body=other),
        replace(post, author=1),
        replace(post, author=5),
        replace(post, number=post.number + 1),
        replace(post, seen=post.seen - 1),
        replace(post, seen=post.seen + 1),
        replace(post, signature=bytes(64)),
    ):
        assert audit.foul_of(ledger, changed) is None
    table = Round.of(Setup.of(GAMES["kitsune"], 2), 2, TOY)
    table.until_the_deck()
    honest = table.signed(0, table.due(0))
    assert audit.foul_of(table.watcher, honest) is None  # it is true
    late = table.signed(1, posts.Answer(1, 1))
    assert audit.foul_of(table.watcher, late) is None  # there is nothing to answer


def test_a_host_that_enters_other_posts_first_makes_no_evidence_of_an_honest_one() -> None:
    """It has come too late, and no more."""
    table = Round.of(Setup.of(GAMES["kitsune"], 2), 2, TOY)
    table.until_the_deck()
    table.post(0, table.due(0))
    ours = table.signed(1, table.due(1))
    assert audit.foul_of(table.watcher, ours) is None
    table.post(0, posts.Resign(Seat(0)))
    assert audit.foul_of(table.watcher, ours) is None


def test_a_false_post_stays_false_whatever_was_entered_before_it(
    caught: tuple[Ledger, posts.Post],
) -> None:
    ledger, post = caught
    table = Round([ledger, ledger], ledger)
    later = apply.enter(ledger, table.signed(1, posts.Say("hello")))
    assert later.posted.entered == post.seen + 1
    assert str(audit.foul_of(later, post)) == str(audit.foul_of(ledger, post)) != "None"


def test_a_false_post_that_comes_to_light_with_anothers_is_charged_to_its_author() -> None:
    table = Round.of(Setup.of(GAMES["kiriai"], 2), 2, TOY)
    table.work()
    for seat, step in ((0, "low,retreat"), (1, "high,approach")):
        table.choose(Seat(seat), Step(step))
    false = table.due(1)
    table.post(1, replace(false, pieces=tuple((salt, "low") for salt, _ in false.pieces)))
    honest = table.signed(0, table.due(0))
    foul = audit.foul_of(table.watcher, honest)
    assert (foul.terminal, str(foul)) == (1, "the revealed choice differs from the one made")
