"""Matches as the sum of their posts: all games, all numbers of terminals, secrets and the audit."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from random import Random

import pytest

from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, SPECTATOR, Actor, Seat, Setup, Step
from kumite.core.games import GAMES, find
from kumite.core.log import End
from kumite.core.match import Match
from kumite.net.crypto import keys, sealed_deck
from kumite.net.crypto.mental_poker import Cheated
from kumite.net.replica import apply, audit, due
from kumite.net.replica.ledger import Foul, Late, Ledger
from kumite.net.wire import posts
from tests.support.ledger_round import Round, seed_of
from tests.support.toy_group import TOY

SHORT = {
    "kitsu": {"limit": 40},
    "kitsune": {"track": 8, "wins": 1},
    "kumo": {"limit": 40},
    "kuzushi": {},
    "kiriai": {"field": "advanced"},
}
TABLES = [
    pytest.param((game_id, seats, terminals), id=f"{game_id}-{seats}-at-{terminals}")
    for game_id in GAMES
    for seats in GAMES[game_id].SEATS
    for terminals in sorted({2, seats})
]


def setup_of(game_id: str, seats: int) -> Setup:
    game = find(game_id)
    known = {option.name for option in game.OPTIONS}
    return Setup.of(game, seats, {k: v for k, v in SHORT.get(game_id, {}).items() if k in known})


@dataclass
class Whole:
    """A match played to its end, and how it stood at all terminals in the middle."""

    table: Round
    digests: list[set[bytes]]  # after each step: at all terminals, and at the watcher
    middle: tuple[Ledger, ...]


@pytest.fixture(scope="module", params=TABLES)
def whole(request: pytest.FixtureRequest) -> Whole:
    """Play once for all tests: to deal the cards with their proofs is what takes the time."""
    game_id, seats, terminals = request.param
    table = Round.of(setup_of(game_id, seats), terminals)
    rng = Random(f"{game_id} {seats} {terminals}")
    table.work()
    made = Whole(table, [], tuple(table.ledgers))
    while not table.ledgers[0].is_over:
        table.step(rng)
        table.work()
        ledgers = table.all
        made.digests.append({ledger.match.digest for ledger in ledgers})
        if table.ledgers[0].match.number <= 40:
            made.middle = tuple(table.ledgers)
    return made


def test_every_terminal_comes_to_the_same_match_and_the_audit_opens_it(whole: Whole) -> None:
    table = whole.table
    assert {len(here) for here in whole.digests} == {1}
    found = audit.verdict(table.ledgers[0])
    assert found.match is not None, found.text
    opened = found.match
    assert opened.by is None
    assert opened.number == table.ledgers[0].match.number
    for ledger in table.all:
        assert audit.verdict(ledger) is not None
        mine = opened.seen_by(ledger.seats_of(ledger.me))
        assert mine.state == ledger.match.state
        assert mine.steps() == ledger.match.steps()


def test_a_ledger_is_made_again_from_posts_own_choices_and_seed(whole: Whole) -> None:
    for number, ledger in enumerate(whole.middle):
        again = apply.begin(ledger.roster, number, seed_of(number), ledger.group)
        again = again.with_secrets(own=ledger.secrets.own)
        for post in whole.table.entered[: ledger.posted.entered]:
            again = apply.enter(again, post)
        assert replace(again, match=ledger.match) == ledger
        assert again.match.digest == ledger.match.digest
        assert again.match.state == ledger.match.state
        assert due.due(again) == due.due(ledger)


def test_coins_and_decks_differ_from_match_to_match() -> None:
    """The leader that the joint coin names is not always the same; nor are the cards."""
    leaders, hands = set(), set()
    for number in range(12):
        table = Round.of(setup_of("kitsune", 2), 2, TOY)
        for ledger in range(2):
            table.ledgers[ledger] = replace(
                table.ledgers[ledger], seed=bytes([number, ledger]) * 16
            )
        table.work(lambda table=table: table.ledgers[0].match.number >= 13)
        steps = [str(played.step) for played in table.ledgers[0].match.steps()]
        leaders.add(steps[0])
        hands.add(tuple(steps[1:]))
        assert sum("?" in step for step in steps) == 6
    assert leaders == {"lead:0", "lead:1"}
    assert len(hands) == 12


def test_a_choice_made_at_the_same_time_waits_for_the_others() -> None:
    table = Round.of(Setup.of(find("kiriai"), 2), 2)
    table.work()
    start = table.ledgers[0].match.number
    table.choose(Seat(1), Step("high,approach"))
    table.work()
    assert table.ledgers[0].match.number == start
    with pytest.raises(Foul, match="seat 1 is not to act"):
        table.post(1, table.entered[-1].body)
    table.choose(Seat(0), Step("low,retreat"))
    steps = [str(played.step) for played in table.ledgers[0].match.steps()[start:]]
    assert steps == ["low,retreat", "?,?"]  # in the order of the seats, each as it may be seen
    table.work()
    shown = [str(played.step) for played in table.watcher.match.steps()[start:]]
    assert shown[:3] == ["?,?", "?,?", "first:low/high"]


def test_seats_may_agree_to_go_back_but_not_past_what_was_drawn_or_shown() -> None:
    table = Round.of(setup_of("kuzushi", 3), 3)
    rng = Random(3)
    for _ in range(4):
        table.step(rng)
    table.post(2, posts.Offer(posts.BACK, 2))
    table.answer(0, is_yes=True)
    assert table.ledgers[0].match.number == 4
    table.answer(1, is_yes=True)
    assert {ledger.match.number for ledger in table.ledgers} == {2}
    table.step(rng)
    table.post(0, posts.Offer(posts.BACK, 1))
    table.answer(1, is_yes=False)
    with pytest.raises(Late):
        table.answer(2, is_yes=True)
    assert table.ledgers[0].match.number == 3
    secret = Round.of(setup_of("kiriai", 2), 2)
    secret.work()
    with pytest.raises(Late, match="cannot be unknown again"):
        secret.post(0, posts.Offer(posts.BACK, 0))


def test_nobody_goes_back_while_keys_of_cards_are_on_their_way() -> None:
    """The keys that others opened for one draw would open the card of another drawer."""
    table = Round.of(setup_of("kitsune", 2), 2, TOY)
    rng = Random(4)
    table.work()
    while table.ledgers[0].match.actors != (CHANCE,):
        table.step(rng)
    before = table.ledgers[0].match.number - 1
    with pytest.raises(Late, match="on their way"):
        table.post(0, posts.Offer(posts.BACK, before))
    table.work()
    with pytest.raises(Late, match="drawn or shown"):
        table.post(0, posts.Offer(posts.BACK, before))


def test_draws_resignations_and_clocks_end_a_match() -> None:
    table = Round.of(setup_of("kitsu", 2), 2)
    table.post(0, posts.Offer(posts.DRAW, 0))
    table.answer(1, is_yes=True)
    assert [ledger.end.kind for ledger in table.ledgers if ledger.end] == ["agreed", "agreed"]
    with pytest.raises(Late, match="over"):
        table.step(Random(1))
    table = Round.of(setup_of("kitsu", 2), 2)
    with pytest.raises(Foul, match="not theirs"):
        table.post(0, posts.Resign(Seat(1)))
    table.post(1, posts.Resign(Seat(1)))
    assert table.ledgers[0].end.seats == (1,)
    table = Round.of(setup_of("kitsu", 2), 2, clock=(60, 5, 60))
    first = table.ledgers[0].match
    (actor,) = first.actors
    seat = Seat(int(actor))
    table.choose(seat, first.legal(seat)[0], spent=10_000)
    assert table.ledgers[1].time.left[seat] == 55_000
    while table.ledgers[0].end is None:
        now = table.ledgers[0].match
        (actor,) = now.actors
        table.choose(Seat(int(actor)), now.legal(actor)[0], spent=40_000)
    assert table.ledgers[1].end.kind == "time"


def test_another_terminal_takes_a_seat_over_where_nothing_is_hidden() -> None:
    table = Round.of(setup_of("kuzushi", 3), 3)
    table.post(0, posts.Offer(posts.SEAT, 2))
    table.answer(1, is_yes=True)  # seat 2's terminal is away and is not asked
    assert table.ledgers[1].roster.players == (0, 1, 0)
    table.step(Random(4))
    table.post(0, posts.Offer(posts.BACK, 0))
    table.answer(1, is_yes=True)  # nor is it after that, without a seat
    assert table.ledgers[1].match.number == 0
    table.play(Random(4))
    assert table.ledgers[0].match.outcome is not None
    secret = Round.of(setup_of("kitsune", 4), 4)
    with pytest.raises(Late, match="nobody else may see"):
        secret.post(0, posts.Offer(posts.SEAT, 2))


# --- Who plays false is named -----------------------------------------------------------------


def played(game_id: str, seats: int, terminals: int, steps: int) -> Round:
    table = Round.of(setup_of(game_id, seats), terminals)
    table.play(Random(7), steps)
    return table


@pytest.mark.parametrize("cheat", [0, 1])
@pytest.mark.parametrize("is_last", [False, True])
def test_a_plan_posted_for_all_to_see_names_its_terminal(cheat: int, is_last: bool) -> None:
    """At all terminals, its own included: so a program of ours stops before it sends one."""
    table = Round.of(Setup.of(find("kiriai"), 2), 2)
    table.work()
    number = table.ledgers[0].match.number + 1
    shown = posts.Play(number, Seat(cheat), Step("high,approach"), (), 0)
    if not is_last:
        table.post(cheat, shown)  # judged when both have chosen
    hidden, own = due.chosen(table.ledgers[1 - cheat], Seat(1 - cheat), Step("low,retreat"))
    table.ledgers[1 - cheat] = table.ledgers[1 - cheat].with_secrets(own=(own,))
    if is_last:
        table.post(1 - cheat, hidden)
    assert table.named(*((cheat, shown) if is_last else (1 - cheat, hidden))) == cheat


def test_a_claimed_card_that_was_not_in_the_hand_is_found_by_the_audit() -> None:
    table = Round.of(setup_of("kitsune", 2), 2)
    table.work()
    (actor,) = table.ledgers[0].match.actors
    seat = Seat(int(actor))
    cheat = table.ledgers[0].roster.players[seat]
    hand = table.ledgers[cheat].match.legal(seat)
    false = next(step for step in ("b6", "o6", "b5", "o5", "b4") if step not in hand)
    # The cheat's own program would refuse; let it know its match only as others see it.
    number = table.ledgers[0].match.number + 1
    blind = table.ledgers[cheat]
    table.ledgers[cheat] = replace(blind, match=blind.match.seen_by(SPECTATOR), me=None)
    table.post(cheat, posts.Play(number, seat, Step(false), (), 0))
    table.post(1 - cheat, posts.Resign(Seat(1 - seat)))
    honest = table.ledgers[1 - cheat]
    assert honest.is_over
    table.ledgers[cheat] = replace(table.ledgers[cheat], me=cheat)
    table.work()
    found = table.verdicts()[1 - cheat]
    assert (found.terminal, found.number) == (cheat, number)


def with_a_copy(deal: sealed_deck.Deal, seed: bytes, here: int, there: int) -> bytes:
    """Return a lock pass with a copy of the unknown card at one place in another's stead."""
    data, size, order = deal.make_pass(seed), deal.group.size, deal.group.order
    keys = deal.keys(seed, deal.turn)
    one, other = (deal._key(keys, deal.turn, place) for place in (here, there))
    card = data[here * size : (here + 1) * size]
    copy = deal.group.times(other * pow(one, -1, order) % order, card)
    return data[: there * size] + copy + data[(there + 1) * size :]


def spoiled_table(
    game_id: str, seats: int, terminals: int, cheat: int, places: tuple[int, int]
) -> Round:
    """Return a table whose first deck holds a card twice, by one terminal's hand."""
    table = Round.of(setup_of(game_id, seats), terminals, TOY)

    def change(author: int, body: posts.Body) -> posts.Body:
        if not isinstance(body, posts.Shuffle) or author != cheat or body.deck:
            return body
        deal = table.ledgers[author].secrets.decks[0].deal
        is_lock = len(deal.decks) > terminals
        return posts.Shuffle(0, with_a_copy(deal, seed_of(author), *places)) if is_lock else body

    table.work(change=change)
    return table


@pytest.mark.parametrize(
    ("game_id", "seats", "terminals", "cheat"),
    [
        ("kiriai", 2, 2, 0),
        ("kiriai", 2, 2, 1),
        ("kitsune", 2, 2, 1),
        ("kitsune", 4, 3, 0),
        ("kitsune", 4, 4, 2),
        ("kitsune", 6, 3, 1),
    ],
)
def test_a_copied_card_is_charged_to_who_copied_it_and_to_nobody_else(
    game_id: str, seats: int, terminals: int, cheat: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one hand, in two, played by an innocent one, shown together or never drawn.

    No proof tells it here: the audit alone has to.
    """
    monkeypatch.setattr(sealed_deck.Deal, "_check", lambda *_: None)
    kinds = set()
    size = 3 if game_id == "kiriai" else 18
    for number in range(10 if game_id == "kitsune" else 6):
        rng = Random(f"{game_id} {seats} {number}")
        here, there = rng.sample(range(size), 2)
        table = spoiled_table(game_id, seats, terminals, cheat, (here, there))
        while any(not ledger.is_over for ledger in table.ledgers):
            table.step(rng)
            table.work()
        kinds.add(table.ledgers[0].end.kind if table.ledgers[0].end else "outcome")
        for found in table.verdicts(cheat):
            assert found.terminal == cheat, found.text
            assert "locks changed" in found.text
    assert "spoiled" in kinds


def test_who_disputes_a_step_that_nothing_is_wrong_with_is_named() -> None:
    table = Round.of(setup_of("kitsune", 4), 3, TOY)
    table.play(Random(3), 30)
    early = posts.Spoiled(table.ledgers[0].match.number + 2)
    assert table.named(1, early, "has not been made") == 1
    table.post(1, posts.Spoiled(20))
    table.work()
    assert {ledger.end for ledger in table.all} == {End("spoiled")}
    assert {(found.terminal, found.number) for found in table.verdicts()} == {(1, 20)}
    with pytest.raises(Foul, match="nothing hidden"):
        table.post(2, posts.Spoiled(10))


def test_a_card_that_somebody_else_holds_is_disputed_and_its_claimer_named() -> None:
    """Who plays a card that is in another hand: the others may have gone on before they know."""
    for goes_on in (False, True):
        table = Round.of(setup_of("kitsune", 4), 4, TOY)
        table.work()
        while len(table.ledgers[0].match.actors) > 1:
            table.step(Random(5))
            table.work()
        (seat,) = (Seat(int(actor)) for actor in table.ledgers[0].match.actors)
        cheat = table.ledgers[0].roster.players[seat]
        holder = (cheat + 2) % 4
        card = next(
            card
            for card in sorted(f"{clan}{rank}" for clan in "bo" for rank in range(1, 10))
            if holds(table, holder, card)
        )
        number = table.ledgers[0].match.number + 1
        blind = table.ledgers[cheat]
        table.ledgers[cheat] = replace(blind, match=blind.match.seen_by(SPECTATOR), me=None)
        table.post(cheat, posts.Play(number, seat, Step(card), (), 0))
        table.ledgers[cheat] = replace(table.ledgers[cheat], me=cheat)
        assert table.ledgers[holder].dispute
        if goes_on:
            following = Seat((seat + 1) % 4)
            step = table.ledgers[(cheat + 1) % 4].match.legal(following)[0]
            table.choose(following, step)
            assert table.ledgers[(cheat + 1) % 4].match.number == number + 1
            assert table.ledgers[holder].match.number == number - 1
        table.work()
        found = {(one.terminal, one.number) for one in table.verdicts(cheat)}
        assert found == {(cheat, number)}


def holds(table: Round, terminal: int, card: str) -> bool:
    """Return whether an own card, played by another, is refused at a terminal."""
    ledger = table.ledgers[terminal]
    (actor,) = ledger.match.actors
    try:
        ledger.match.play(actor, Step(card))
    except KumiteError:
        return all(
            is_playable(other, actor, card)
            for one, other in enumerate(table.ledgers)
            if one not in (terminal, ledger.roster.players[int(actor)])
        )
    return False


def is_playable(ledger: Ledger, actor: Actor, card: str) -> bool:
    try:
        ledger.match.play(actor, Step(card))
    except KumiteError:
        return False
    return True


def test_points_that_are_no_cards_are_charged_to_whose_pass_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sealed_deck.Deal, "_check", lambda *_: None)
    table = Round.of(setup_of("kitsune", 2), 2)
    table.until_the_deck()
    table.post(0, table.due(0))
    cards = table.ledgers[1].secrets.decks[0].deal
    other = sealed_deck.Deal.of(cards.names, ("another",), 2)
    table.post(
        1, posts.Shuffle(0, other.with_pass(other.make_pass(seed_of(0))).make_pass(seed_of(1)))
    )
    table.ledgers[1] = replace(table.ledgers[1], me=None)  # its own program would not go on
    table.post(0, table.due(0))
    table.ledgers[1] = replace(table.ledgers[1], me=1)
    table.work()
    assert {ledger.end for ledger in table.all} == {End("spoiled")}
    assert {found.terminal for found in table.verdicts()} == {1}


def test_who_keeps_secrets_closed_leaves_the_match_unaudited() -> None:
    table = played("kiriai", 2, 2, 6)
    table.post(0, posts.Resign(Seat(0)))
    for closes in (posts.Closed(*table.ledgers[1].last), posts.Reveal(0, ())):
        while (body := due.due(table.ledgers[0])) is not None:
            table.post(0, body)
        assert due.due(table.ledgers[1], is_open=False) == closes
        table.post(1, closes)
    for found in table.verdicts():
        assert found.terminal is None
        assert "keeps secrets closed" in found.text


def test_nothing_that_a_terminal_holds_shows_anothers_secrets() -> None:
    """With the same posts of chance, another plan of the other gives the same ledger here."""
    ledgers = []
    for plan in ("high,approach", "low,retreat"):
        table = Round.of(Setup.of(find("kiriai"), 2), 2)
        table.work()
        table.choose(Seat(1), Step(plan))
        ledgers.append(table.ledgers[0])
    # the history is made of the same posts as `waiting`: of commitments, which hide the plan
    first, second = (one.with_posted(history=()) for one in ledgers)
    assert replace(first, waiting=()) == replace(second, waiting=(), match=first.match)
    assert first.match.state == second.match.state
    assert {choice.step for one in ledgers for choice in one.waiting} == {"?,?"}


def test_a_ledger_has_no_match_but_its_own() -> None:
    table = played("kitsune", 4, 4, 40)
    for number, ledger in enumerate(table.ledgers):
        own = ledger.seats_of(number)
        assert ledger.match.by == own
        assert ledger.match.state == ledger.game.view(ledger.match.state, own)
    assert Match.begin(table.watcher.roster.setup, SPECTATOR).by == table.watcher.match.by
    assert CHANCE not in table.watcher.secrets.own


# --- The deck: bound to what was posted before it, and audited with the keys posted -------------


@pytest.mark.parametrize("cheat", [0, 1])
def test_a_second_key_for_one_lock_is_charged_to_who_has_posted_it(
    cheat: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were a false key to be believed, the opened keys would still tell."""
    monkeypatch.setattr(sealed_deck.Deal, "is_share", lambda *_: True)
    table, changed = Round.of(Setup.of(find("kitsune"), 2), 2, TOY), list[posts.Body]()

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
