"""Kitsune: what views show and take, and the texts of positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest

from kumite.core.errors import BadData, BadNotation, Hidden, IllegalStep
from kumite.core.game import CHANCE, SPECTATOR, Actor, Seat, Seats, Setup, Step
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import (
    ALL_CARDS,
    MOVES,
    NOBODY,
    UNSEEN,
    UPRIGHT,
    Cards,
    State,
    bag_of,
    bound_to,
    cards_of,
    player,
    shielded,
)
from kumite.core.match import Match
from tests.support.kitsune_positions import BOUND, FREE, HANDS, at, line, play, steps
from tests.support.random_matches import viewers, walk

# --- Hidden information -----------------------------------------------------------------------


def test_a_view_does_not_answer_what_depends_on_a_hole() -> None:
    state = at("leader 0", "held 1:shield", *HANDS)
    blue = frozenset({Seat(0)})
    with pytest.raises(Hidden):
        kitsune.legal(kitsune.view(state, SPECTATOR), Seat(0))
    state = play(state, (Seat(0), "b1"), (Seat(1), "o1+shield"), (Seat(2), "b1"), (Seat(3), "o6"))
    for question in (lambda v: kitsune.legal(v, CHANCE), kitsune.odds):
        with pytest.raises(Hidden):
            question(kitsune.view(state, blue))
    orange = kitsune.view(state, frozenset({Seat(1)}))
    assert kitsune.legal(orange, CHANCE) == ("show:o1",)
    state = at("phase give", "leader 0", *HANDS)
    with pytest.raises(Hidden):
        kitsune.legal(kitsune.view(state, blue), Seat(1))
    for seat, card in enumerate(("b1", "black", "o2", "o6")):
        state = play(state, (Seat(seat), f"give:{card}"))
    with pytest.raises(Hidden):
        kitsune.legal(kitsune.view(state, frozenset({Seat(1)})), CHANCE)
    assert kitsune.legal(kitsune.view(state, blue), CHANCE) == ("gift:b1>2",)
    dealt = walk(Setup.of(kitsune, 2), 4, longest=3).state
    for seat in (0, 1):
        with pytest.raises(Hidden):
            kitsune.odds(kitsune.view(dealt, frozenset({Seat(seat)})))
        with pytest.raises(Hidden):
            kitsune.legal(kitsune.view(dealt, frozenset({Seat(seat)})), CHANCE)


def test_seen_refuses_a_hole_for_who_would_have_seen_the_card() -> None:
    state = at("phase give", "leader 0", *HANDS)
    assert kitsune.seen(state, Seat(0), Step("give:?"), SPECTATOR) == "give:?"
    for actor, step, who in (
        (Seat(0), "give:?", 0),
        (CHANCE, "deal:?>1", 1),
        (CHANCE, "gift:?>2", 2),
        (CHANCE, "gift:?>2", 0),
        (Seat(3), "recall:?", 3),
        (Seat(3), "?+shield", 3),
    ):
        assert kitsune.seen(state, actor, Step(step), SPECTATOR) == step
        with pytest.raises(IllegalStep):
            kitsune.seen(state, actor, Step(step), frozenset({Seat(who)}))
    with pytest.raises(BadNotation):
        kitsune.seen(state, Seat(0), Step("nonsense"), SPECTATOR)


def test_a_match_of_some_seats_must_be_told_their_own_cards() -> None:
    mine = Match.begin(Setup.of(kitsune, 2), frozenset({Seat(0)})).play(CHANCE, Step("lead:0"))
    for wrong in ("deal:?>0", "deal:b1>1"):
        with pytest.raises(IllegalStep):
            mine.play(CHANCE, Step(wrong))
    mine = mine.play(CHANCE, Step("deal:b6>0"))
    with pytest.raises(IllegalStep, match="more than the seats"):
        mine.play(CHANCE, Step("deal:b1>1"))
    mine = mine.play(CHANCE, Step("deal:?>1"))
    with pytest.raises(IllegalStep, match="no b6 is left"):
        mine.play(CHANCE, Step("deal:b6>0"))


def test_a_view_takes_a_hole_only_where_it_has_one() -> None:
    state = kitsune.view(at(*FREE), frozenset({Seat(3)}))
    hidden = "write ? for the card: the hand of seat 2 is hidden here"
    assert kitsune.why(state, Seat(2), Step("b1+shield")) == hidden
    assert kitsune.why(state, Seat(2), Step("?+shield")) == ""
    assert (
        kitsune.why(state, Seat(2), Step("o5")) == "every o5 lies open, so seat 2 cannot have one"
    )
    assert kitsune.why(state, Seat(2), Step("o2+swap")) == (
        "seat 2 holds the shield token, not the swap token"
    )
    assert kitsune.why(state, Seat(2), Step("katana")).startswith("the Katana must destroy")
    after = kitsune.apply(state, Seat(2), Step("?+shield"))
    after = kitsune.apply(after, Seat(3), Step("o5"))
    assert kitsune.why(after, CHANCE, Step("show:black")).startswith("a Black Kitsune cannot")
    assert kitsune.why(after, CHANCE, Step("show:b6")).startswith("every b6 lies open")
    assert kitsune.why(after, CHANCE, Step("show:white")) == ""


def test_a_view_cannot_check_whether_a_hidden_hand_obeys_a_Black_Kitsune() -> None:
    assert kitsune.why(kitsune.view(at(*BOUND), SPECTATOR), Seat(2), Step("white")) == ""


def test_whoever_gave_a_card_knows_it_but_not_that_hand_any_more() -> None:
    state = at("phase give", "leader 0", *HANDS)
    for seat, card in enumerate(("b4", "black", "o2", "o6")):
        state = play(state, (Seat(seat), f"give:{card}"))
    giver = kitsune.view(state, frozenset({Seat(0)}))
    assert line(kitsune.apply(giver, CHANCE, Step("gift:b4>2")), "hand2") == "? ? ? ? ? ?"
    taker = kitsune.view(state, frozenset({Seat(2)}))
    assert line(kitsune.apply(taker, CHANCE, Step("gift:b4>2")), "hand2") == "b1 b2 b4 b5 b6 katana"
    assert kitsune.why(taker, CHANCE, Step("gift:o2>2")) == ""  # it may have been the second one
    open_already = "every b6 lies open, so seat 0 cannot have given one"
    assert kitsune.why(taker, CHANCE, Step("gift:b6>2")) == open_already


# What a view can check: all completions of small views are tried.


def completions(view: State) -> Iterator[State]:
    """Yield every complete position that `view` may be a view of."""
    cards, recalled = view.cards, view.cards.recalled
    index = shielded(cards.trick)
    down = index != NOBODY and cards.trick[index].card == UNSEEN
    sizes = [hand >> 4 * UNSEEN for hand in cards.hands] + [int(down)]
    known = Counter(card for hand in cards.hands for card in cards_of(hand))
    known.update(cards_of(cards.discard))
    known.update(laid.card for laid in cards.trick if laid.card != UNSEEN)
    if recalled and recalled[1] != UNSEEN:
        known[recalled[1]] -= 1
    all_cards = Counter(cards_of(ALL_CARDS[view.table.seats]))
    is_open = recalled is None or recalled[1] != UNSEEN
    for fetched in [NOBODY] if is_open else sorted(set(cards_of(cards.discard))):
        pool = Counter({card: n - known[card] for card, n in all_cards.items()})
        pool[fetched] += 0 if is_open else 1
        if min(pool.values()) < 0:
            continue
        for places in placed(sorted(pool.elements()), sizes):
            hands = [hand if hand < 1 << 4 * UNSEEN else 0 for hand in cards.hands]
            filled = [hand + bag_of(new) for hand, new in zip(hands, places[:-1], strict=True)]
            trick = list(cards.trick)
            if down and places[-1][0] in UPRIGHT:
                continue
            if down:
                trick[index] = trick[index]._replace(card=places[-1][0])
            state = with_cards(view, tuple(filled), tuple(trick), fetched)
            if is_open or is_traceable(state, fetched):
                yield state


def placed(pool: list[int], sizes: list[int]) -> Iterator[list[tuple[int, ...]]]:
    if not sizes:
        yield []
        return
    for some in set(combinations(pool, sizes[0])):
        rest = sorted((Counter(pool) - Counter(some)).elements())
        for others in placed(rest, sizes[1:]):
            yield [some, *others]


def with_cards(view: State, hands: Any, trick: Any, fetched: int) -> State:
    old = view.cards
    recalled = old.recalled if fetched == NOBODY or not old.recalled else (old.recalled[0], fetched)
    cards = Cards(hands, old.gifts, trick, old.last, old.discard, recalled)
    return State(view.table, view.phase, view.chooser, view.to_deal, view.standing, cards)


def is_traceable(state: State, fetched: int) -> bool:
    """Tell whether the fetched card is in its seat's hand, or has been played a second time."""
    assert state.cards.recalled
    seat = state.cards.recalled[0]
    twice = list(cards_of(state.cards.discard)).count(fetched) > 1
    own = [c.card for i, c in enumerate(state.cards.trick) if player(state, i) == seat]
    return twice or fetched in [*own, *cards_of(state.cards.hands[seat])]


@pytest.mark.parametrize("seats", [2, 4])
def test_a_view_accepts_exactly_what_can_be_legal_as_far_as_it_shows(seats: int) -> None:
    rng, checked, with_fetched = Random(seats), 0, 0
    most = 4 if seats == 2 else 3  # hidden cards; more have too many completions
    for seed in range(12):
        for match in walk(Setup.of(kitsune, seats, {"track": 20}), seed).line():
            for by in viewers(seats):
                view = kitsune.view(match.state, by)
                unseen_fetched = bool(view.cards.recalled and view.cards.recalled[1] == UNSEEN)
                wanted = rng.random() < (0.2 if unseen_fetched else 0.01)
                if wanted and 0 < hidden_cards(view) <= most:
                    checked, with_fetched = checked + 1, with_fetched + unseen_fetched
                    check_what_it_accepts(view, by)
    assert checked > 30
    assert with_fetched > 10


def hidden_cards(view: State) -> int:
    down = any(laid.card == UNSEEN for laid in view.cards.trick)
    return sum(hand >> 4 * UNSEEN for hand in view.cards.hands) + down


def check_what_it_accepts(view: State, by: Seats) -> None:
    possible = {
        kitsune.seen(state, actor, step, by)
        for state in completions(view)
        for actor in kitsune.actors(state)
        for step in kitsune.legal(state, actor)
    }
    for actor in kitsune.actors(view):
        is_blind = bound_to(view) != NOBODY and actor not in by
        for step in map(Step, MOVES):
            accepted = kitsune.why(view, actor, step) == "" and is_as_seen(view, actor, step, by)
            assert accepted == (step in possible) or (accepted and is_blind), (step, view)


def is_as_seen(view: State, actor: Actor, step: Step, by: Seats) -> bool:
    try:
        return kitsune.seen(view, actor, step, by) == step
    except IllegalStep:
        return False


# --- Text -------------------------------------------------------------------------------------

WHOLE = """\
kitsune 4 limit=200 redeal=all track=12 wins=2
phase play
leader 0
wins 1 0
marks 3 7
tricks 5
available still
held 1:swap 2:shield
trick b4 o2! katana+3b
last -
hand0 b1
hand1 b1
hand2 b3
hand3 o1 o6
gifts -
deck -
discard b1 b2 b2 b5 b6 black black katana o1 o1 o2 o3 o4 o5 white white
recalled -"""


def test_the_text_of_a_position_reads_back_and_may_leave_out_what_is_usual() -> None:
    state = kitsune.parse(WHOLE)
    assert kitsune.text(state) == WHOLE
    for line_left_out in ("last -\n", "gifts -\n", "deck -\n", " redeal=all", " limit=200"):
        assert kitsune.parse(WHOLE.replace(line_left_out, "")) == state
    shuffled = WHOLE.replace("limit=200 redeal=all track=12", "track=12 redeal=all limit=200")
    assert kitsune.parse(shuffled) == state


@pytest.mark.parametrize(
    ("was", "now", "complaint"),
    [
        ("kitsune 4", "kitsune 3", "2, 4 or 6 seats"),
        ("track=12", "track=13", "'track=13'"),
        ("phase play", "phase", "line `phase`"),
        ("phase play", "phase deal 3", "line `phase`: too many cards"),
        ("phase play", "phase over", "line `phase`: over by"),
        ("phase play", "phase take 0", "line `held`: the clan can take"),
        ("phase play", "phase lead 0", "line `trick`: too many"),
        ("leader 0", "leader 4", "line `leader`"),
        ("leader 0", "leader -", "line `leader`"),
        ("leader 0", "leader x", "line `leader`"),
        ("wins 1 0", "wins 3 0", "line `wins`"),
        ("wins 1 0", "wins 2 0", "line `phase`: over by"),
        ("marks 3 7", "marks 3 13", "line `marks`: beyond"),
        ("marks 3 7", "marks 3 12", "line `marks`: a marker"),
        ("marks 3 7", "marks 3", "line `marks`: one number"),
        ("tricks 5", "tricks 200", "line `phase`: over by"),
        ("available still", "available still swap", "line `held`: each token"),
        ("available still", "available sword", "line `held`: no such token"),
        ("held 1:swap 2:shield", "held 0:swap 2:shield", "line `held`: a clan"),
        ("held 1:swap 2:shield", "held 7:swap", "line `held`"),
        ("trick b4", "trick b7", "line `trick`"),
        ("trick b4", "trick black+shield", "cannot be shielded"),
        ("trick b4", "trick ?", "only a shield hides"),
        ("trick b4", "trick b4!", "a Katana destroys one"),
        ("katana+3b", "katana+3c", "no such token"),
        ("katana+3b", "katana! +3b", "line `trick`"),
        ("hand3 o1 o6", "hand3 -", "there are too many|deck|cannot play on"),
        ("hand3 o1 o6", "hand3 o1 ?", "line `hand0`: a hand is known"),
        ("hand3 o1 o6", "hand3 o6 o1", "line 14"),
        ("hand3 o1 o6", "hand3 b6 o1", "too many b6"),
        ("last -", "last b1 b2", "line `last`: neither empty"),
        ("last -", "last b3 b3 o6 o6", "line `last`: these cards"),
        ("gifts -", "gifts 0:b1", "there are too many b1"),
        ("recalled -", "recalled 3:b3", "line `recalled`: the card"),
        ("recalled -", "recalled 9:b1", "line `recalled`"),
        ("recalled -", "recalled -\nresult rounds 0", "line 18|line 19"),
        ("discard b1", "discard b9", "line `discard`"),
    ],
)
def test_what_is_no_position_is_refused_with_its_line(was: str, now: str, complaint: str) -> None:
    assert was in WHOLE
    with pytest.raises(BadNotation, match=complaint):
        kitsune.parse(WHOLE.replace(was, now))


def test_hands_of_two_seats_that_cannot_finish_a_trick_are_refused() -> None:
    hands = "hand0 b1 b2 b3", "hand1 o1 o2 o3"
    with pytest.raises(BadNotation, match="these hands cannot play on"):
        at("kitsune 2", "leader 0", *hands)
    assert steps(at("kitsune 2", "leader 0", "trick b1 o1", *hands)) == "b1 b2 b3"


def test_bytes_that_were_changed_are_refused_or_mean_another_position() -> None:
    rng, refused = Random(5), 0
    for match in walk(Setup.of(kitsune, 4), 6).line()[::7]:
        packed = kitsune.pack(match.state)
        assert isinstance(packed, tuple)
        for index, part in enumerate(packed):
            for changed in mutations(part, rng):
                bad = (*packed[:index], changed, *packed[index + 1 :])
                try:
                    assert kitsune.pack(kitsune.unpack(bad)) == bad
                except BadData:
                    refused += 1
    assert refused > 500


def mutations(part: Any, rng: Random) -> Iterator[Any]:
    if isinstance(part, int):
        yield from (part + 1, part - 1, -part - 5, part + (1 << 60), part + (1 << 64))
    elif isinstance(part, tuple):
        yield from ((*part, 0), part[1:], tuple(map(str, part)))
        yield from ((*part[1:], changed) for changed in mutations(part[0], rng))
    elif isinstance(part, bytes):
        yield from (part[1:], part + b"\xff", bytes(byte ^ 1 << rng.randrange(8) for byte in part))
    else:
        yield from (f"{part} ", part[1:], f"{part} b9", "over", "0", "?")
