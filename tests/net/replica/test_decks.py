"""The deck in a match: bound to what was posted before it, and audited with the keys posted."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.log import End
from kumite.net.crypto import sealed_deck
from kumite.net.replica import audit, due
from kumite.net.replica.roster import ANSWERED, UNPROVED
from kumite.net.wire import posts
from tests.support.ledger_round import Round
from tests.support.toy_group import TOY

KITSUNE = Setup.of(find("kitsune"), 2)


@pytest.mark.parametrize("cheat", [0, 1])
@pytest.mark.parametrize("protocol", [UNPROVED, ANSWERED])
def test_a_second_key_for_one_lock_is_charged_to_who_has_posted_it(
    protocol: int, cheat: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock of 16 bytes that is a hash fits two keys to who takes 2^64 tries."""
    monkeypatch.setattr(sealed_deck.Deal, "is_share", lambda *_: True)
    table = Round.of(KITSUNE, 2, TOY, protocol=protocol)
    is_done = False
    while not is_done:
        for author in (0, 1):
            body = due.due(table.ledgers[author])
            if isinstance(body, posts.Shares) and author == cheat:
                keys = tuple(key and (7).to_bytes(32, "little") for key in body.keys)
                body, is_done = replace(body, keys=keys), True
            if body is not None:
                table.post(author, body)
    table.work()
    for ledger in (*table.ledgers, table.watcher):
        assert ledger.end == End("spoiled")
        found = audit.verdict(ledger)
        assert found is not None
        assert found.terminal == cheat
        assert re.search(r"deck 0: the key of place \d+ was another one", found.text)


def first_deal(table: Round) -> sealed_deck.Deal:
    while not table.ledgers[0].decks:
        for author in range(len(table.ledgers)):
            body = due.due(table.ledgers[author])
            if body is not None and not table.ledgers[0].decks:
                table.post(author, body)
    (deal,) = {ledger.decks[0].deal for ledger in (*table.ledgers, table.watcher)}
    return deal


def test_a_deck_is_bound_to_all_that_was_posted_before_it() -> None:
    """So no proof of it is one at any other table, or after other posts at this one."""
    one, two = (Round.of(KITSUNE, 2, TOY) for _ in range(2))
    two.post(1, posts.Words("hello"))
    deals = [first_deal(one), first_deal(two)]
    assert deals[0].context[:2] == deals[1].context[:2]
    assert deals[0].context[2] in one.ledgers[0].history
    assert not set(deals[0].decks[0]) & set(deals[1].decks[0])
    old = first_deal(Round.of(KITSUNE, 2, TOY, protocol=UNPROVED))
    assert old.context == deals[0].context[:2]
