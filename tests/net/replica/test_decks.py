"""The deck in a match: bound to what was posted before it, and audited with the keys posted."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.log import End
from kumite.net.crypto import keys, sealed_deck
from kumite.net.crypto.mental_poker import Cheated
from kumite.net.replica import apply, due
from kumite.net.wire import posts
from tests.support.ledger_round import Round, seed_of
from tests.support.toy_group import TOY

KITSUNE = Setup.of(find("kitsune"), 2)


@pytest.mark.parametrize("cheat", [0, 1])
def test_a_second_key_for_one_lock_is_charged_to_who_has_posted_it(
    cheat: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were a false key to be believed, the opened keys would still tell."""
    monkeypatch.setattr(sealed_deck.Deal, "is_share", lambda *_: True)
    table, changed = Round.of(KITSUNE, 2, TOY), list[posts.Body]()

    def change(author: int, body: posts.Body) -> posts.Body:
        if not isinstance(body, posts.Shares) or author != cheat or changed:
            return body
        changed.append(body)
        return replace(body, keys=tuple(key and (7).to_bytes(32, "little") for key in body.keys))

    table.work(change=change)
    assert {ledger.end for ledger in table.all} == {End("spoiled")}
    for found in table.verdicts():
        assert found.terminal == cheat
        assert re.search(r"deck 0: the key of place \d+ was another one", found.text)


def test_a_deck_is_bound_to_the_post_that_begins_it() -> None:
    """A host that shows two terminals another last post gets no proof that fits both decks."""
    table = Round.of(Setup.of(find("kitsune"), 4), 3, TOY, gone="bot")
    while not table.ledgers[0].secrets.decks:
        author, body = next(
            (author, body)
            for author, ledger in enumerate(table.ledgers)
            if (body := due.due(ledger)) is not None
        )
        before = replace(table, ledgers=list(table.ledgers))
        table.post(author, body)
    (known,) = {ledger.secrets.decks[0].deal for ledger in table.ledgers}
    late = replace(before.signed(author, body), at=5)
    said = apply.signed_bytes(before.ledgers[1], late)
    late = replace(late, signature=keys.Signer.of(seed_of(author)).sign(said))
    other = apply.enter(before.ledgers[1], late).secrets.decks[0].deal
    assert known.context[2] == table.ledgers[0].posted.history[-1]
    assert other != known
    with pytest.raises(Cheated, match="no proof"):
        other.with_pass(known.make_pass(table.ledgers[0].seed))
