"""Kitsune: the worked examples of its rules, its decisions, refusals and their reasons."""

from __future__ import annotations

from typing import Any

import pytest

from kumite.core.errors import BadNotation, IllegalStep
from kumite.core.game import CHANCE, SPECTATOR, Actor, Seat, Seats, Setup, Step, parse_actor
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import ALL_CARDS, NAMES, State, bag_of, cards_of
from kumite.core.match import perft
from tests.support.kitsune_positions import BOUND, FREE, HANDS, at, line, play, steps
from tests.support.places import DATA
from tests.support.random_matches import viewers, walk

EXAMPLES = dict(
    block.split("\n", 1) for block in (DATA / "kitsune_examples.txt").read_text()[3:].split("\n## ")
)


# --- The worked examples ----------------------------------------------------------------------


def play_and_check_views(state: State, actor: Actor, step: str) -> State:
    after = play(state, (actor, step))
    for by in viewers(state.table.seats):
        view, seen = kitsune.view(state, by), kitsune.seen(state, actor, Step(step), by)
        assert kitsune.apply(view, actor, seen) == kitsune.view(after, by)
        assert kitsune.why(view, actor, seen) == ""
        for one in kitsune.actors(state):
            if one in by:
                assert kitsune.legal(view, one) == kitsune.legal(state, one)
    return after


def pairs(words: list[str]) -> list[tuple[Actor, str]]:
    return [(parse_actor(a), step) for a, step in zip(words[::2], words[1::2], strict=True)]


def eyes(who: str) -> Seats:
    return SPECTATOR if who == "-" else frozenset({Seat(int(who))})


def check(state: State, statement: str) -> State:
    """Check one statement of an example, or make its steps; return the position after it."""
    about, _, said = statement.partition(": ") if ": " in statement else (statement, "", "")
    word, *rest = about.split()
    if word == "do":
        ((actor, step),) = pairs(rest)
        return play_and_check_views(state, actor, step)
    if word == "deal":
        for card in rest:
            step = next(s for s in kitsune.legal(state, CHANCE) if s.startswith(f"deal:{card}>"))
            state = play_and_check_views(state, CHANCE, step)
    elif word == "legal":
        assert " ".join(kitsune.legal(state, parse_actor(rest[0]))) == said
    elif word == "not":
        assert kitsune.why(state, parse_actor(rest[0]), Step(rest[1]))
        with pytest.raises(IllegalStep):
            kitsune.apply(state, parse_actor(rest[0]), Step(rest[1]))
    elif word == "try":
        key, _, value = said.partition(" ")
        assert line(play(state, *pairs(rest)), key) == value
    elif word == "seen":
        everybody = [*map(str, range(state.table.seats)), "-"]
        ((actor, step),) = pairs(rest)
        assert [
            kitsune.seen(state, actor, Step(step), eyes(who)) for who in everybody
        ] == said.split()
    elif word == "view":
        assert line(kitsune.view(state, eyes(rest[0])), rest[1]) == said
    elif word == "chance":
        odds = kitsune.odds(state)
        assert " ".join(f"{step}={odds[step]}" for step in sorted(odds)) == said
    elif word == "totals":
        assert " ".join(map(str, kitsune.totals(state.cards.trick))) == said
    elif word == "perft":
        assert " ".join(map(str, perft(kitsune, state, int(rest[0])))) == said
    else:
        assert line(state, word) == said
    return state


@pytest.mark.parametrize("name", EXAMPLES)
def test_worked_example(name: str) -> None:
    lines = EXAMPLES[name].strip().split("\n")
    state = kitsune.parse("\n".join(one for one in lines if not one.startswith("> ")))
    assert kitsune.parse(kitsune.text(state)) == state
    for one in lines:
        if one.startswith("> "):
            state = check(state, one[2:])


def after_trick(trick: str, card: str, *more: str) -> State:
    """Return the position after a trick led by seat 0, in which seat 3 plays `card` last.

    Every seat has one card more, whichever is left over.
    """
    name = card.split("+")[0].split(":")[0]
    used = [NAMES.index(word.split("+")[0]) for word in [*trick.split(), name]]
    spare = [NAMES[kind] for kind in cards_of(ALL_CARDS[4] - bag_of(used))]
    hands = [f"hand{seat} {spare[seat]}" for seat in range(3)]
    own = " ".join(sorted([name, spare[-1]]))
    state = at("leader 0", f"trick {trick}", *hands, f"hand3 {own}", *more)
    return play(state, (Seat(3), card))


# --- Decisions --------------------------------------------------------------------------------

AFTER_TRICKS = [  # the trick, the last card, what else holds before it, what holds after it
    # A3: a marker stops on the last space.
    ("b6 b5 b4", "o1", "marks 11 11; wins 1 0", "marks 12 11; result rounds 0,2"),
    # A4: even seats are Zenko and odd seats Yako.
    ("o6 o5 o4", "o1", "marks 11 11; wins 1 1", "result rounds 1,3"),
    # A5: after a tie nobody moves and the leader token passes on.
    ("b6 o1 o4", "o1", "marks 3 4", "marks 3 4; phase play; leader 1"),
    # A6: an advance of four earns a token and three does not.
    ("b6 o1 black", "o1", "", "phase take 1"),
    ("b6 o1 black", "o2", "", "phase play"),
    ("b6 o1 black", "o1+still", "held 3:still", "phase play"),
    # A7: the trick that ends a round earns no token.
    ("b6 black b1", "o1", "marks 6 0", "phase lead 2"),
    ("b6 black b1", "o1", "marks 5 0", "phase take 1"),
    # A9: a clan has one token and takes none if none is left.
    # A9: a clan that plays its token and loses by four takes another one.
    ("b6 o1 black", "o1", "held 1:3", "phase play"),
    ("b6 o1 black", "o1", "held 0:3", "phase take 1"),
    ("b6 o1 black", "o1", "available -", "phase play"),
    ("b6 o1 o2", "o1+3b", "held 3:3", "phase take 1; available recall shield still swap"),
    # A10: held tokens survive the round and used ones are available again.
    (
        "b6 black b1",
        "o1",
        "marks 6 0; available 3; held 1:shield",
        "held 1:shield; available 3 recall still swap; marks 0 0",
    ),
    # A14: an odd number of swaps exchanges the totals.
    ("b6 o1 o2", "o1", "", "marks 2 0"),
    ("b6 white o2", "o1", "", "marks 0 3"),
    ("white b6 white", "o1", "", "marks 5 0"),
    ("white b6 o2", "o1+swap", "held 3:swap", "marks 3 0"),
    ("white b6 white", "o1+swap", "held 3:swap", "marks 0 5"),
    ("b6 white o2", "white", "", "marks 4 0"),
    ("b6+swap o2 o2", "white", "", "marks 2 0"),
    # A15: a swap moves the three and no Katana hits it.
    ("b1+3o white white", "o1", "", "marks 0 3"),
    ("b1+3o white black", "o1", "", "marks 3 0"),
    ("b1+3o black black", "katana:b1", "", "marks 0 3"),
    ("b6+swap black o2", "katana:b6", "", "marks 2 0"),
]


@pytest.mark.parametrize(("trick", "card", "before", "after"), AFTER_TRICKS)
def test_what_a_trick_leads_to(trick: str, card: str, before: str, after: str) -> None:
    state = after_trick(trick, card, *filter(None, before.split("; ")))
    for one in after.split("; "):
        key, _, value = one.partition(" ")
        assert line(state, key) == value


def test_A1_the_deck_has_24_cards_and_30_for_six() -> None:
    small = "b1 b1 b1 b2 b2 b3 b4 b5 b6 black black katana katana "
    small += "o1 o1 o1 o2 o2 o3 o4 o5 o6 white white"
    large = "b1 b1 b1 b1 b2 b2 b2 b3 b3 b4 b5 b6 black black katana katana "
    large += "o1 o1 o1 o1 o2 o2 o2 o3 o3 o4 o5 o6 white white"
    for seats, deck in ((2, small), (4, small), (6, large)):
        assert line(kitsune.start(seats, Setup.of(kitsune, seats).options), "deck") == deck


@pytest.mark.parametrize("track", [8, 10, 12, 15, 20])
def test_A2_the_track_ends_on_its_last_space(track: int) -> None:
    given = f"kitsune 4 track={track}", f"marks {track - 2} 0"
    assert line(after_trick("b3 black o1", "o1", *given), "marks") == f"{track - 1} 0"
    assert line(after_trick("b3 black black", "o1", *given), "wins") == "1 0"


RECALL = ("leader 1", "held 2:recall", "last b6 o1 katana white", "hand0 b2", "hand1 o1")


def test_A24_the_leader_token_passes_on_before_a_new_deal() -> None:
    state = play(at("leader 0", "trick b1 o1 b1", "hand3 o2"), (Seat(3), "o2"))
    assert line(state, "phase") == "deal 24"
    assert line(state, "leader") == "1"


def test_at_the_limit_rounds_count_then_the_markers_of_an_unfinished_round() -> None:
    given = "kitsune 4 limit=20 wins=3", "tricks 19"
    ahead = after_trick("b6 o1 white", "white", *given, "marks 0 9", "wins 1 0")
    assert line(ahead, "result") == "limit 0,2"
    ahead = after_trick("b6 o1 white", "white", *given, "marks 0 9", "wins 1 1")
    assert line(ahead, "result") == "limit 1,3"
    just_won = after_trick("b6 o1 white", "white", *given, "marks 9 5", "wins 0 1")
    assert (line(just_won, "wins"), line(just_won, "marks")) == ("1 1", "12 5")
    assert line(just_won, "result") == "limit -"


# --- Refusals ---------------------------------------------------------------------------------

HIT = ("leader 0", "trick b6! o1 katana", "hand0 b1", "hand1 o1", "hand2 o2", "hand3 katana")
TAKE = ("phase take 0", "leader 0", "available 3 swap", "held 1:still", "hand0 b1", "hand1 b1")
TAKE = (*TAKE, "hand2 b2", "hand3 b2")


@pytest.mark.parametrize(
    ("lines", "actor", "step", "reason"),
    [
        (FREE, 2, "o2", "seat 2 does not hold o2"),
        (FREE, 2, "katana", "the Katana must destroy a number: katana:b6 or katana:o1"),
        (FREE, 2, "katana:b2", "no b2 lies face up in the trick"),
        (FREE, 2, "katana:b6+shield", "the shield cannot be played on a Katana"),
        (FREE, 2, "b1+swap", "seat 2 holds the shield token, not the swap token"),
        (FREE, 2, "recall:b6", "seat 2 holds the shield token, not the recall token"),
        (FREE, 2, "?+shield", "name the card: the hand of seat 2 is known here"),
        (FREE, 2, "give:b1", "a card must be played"),
        (FREE, 3, "o5", "it is the turn of seat 2: a card must be played"),
        (FREE, 7, "o5", "it is the turn of seat 2: a card must be played"),
        (FREE, 2, "b7", "'b7' is no step of this game"),
        (BOUND, 2, "b1", "seat 2 must play orange: seat 1 played a Black Kitsune"),
        (BOUND, 2, "white", "seat 2 must play orange: seat 1 played a Black Kitsune"),
        (BOUND, 2, "o2+3b", "seat 2 holds no token"),
        (HIT, 3, "katana:b6", "the b6 is destroyed already"),
        (TAKE, 0, "take:3>1", "seat 0 speaks for Zenko, but seat 1 is Yako"),
        (TAKE, 0, "take:still>0", "seat 1 holds the still token"),
        (TAKE, 0, "take:shield>0", "the shield token has been used in this round"),
        (TAKE, 0, "take:3>4", "there is no seat 4"),
        (TAKE, 0, "b1", "a token must be taken"),
        (RECALL, 2, "recall:b1", "no b1 was in the last trick"),
        (("held 0:recall", "leader 0", *HANDS), 0, "recall:b1", "nothing to recall"),
        (("phase give", "leader 0", *HANDS), 0, "give:o6", "seat 0 does not hold o6"),
        (("phase lead *",), "*", "lead:4", "there is no seat 4"),
    ],
)
def test_a_refusal_tells_the_reason(
    lines: tuple[str, ...], actor: Any, step: str, reason: str
) -> None:
    if lines is RECALL:
        lines = (*lines, "trick o2", "hand2 b1", "hand3 b3 o5")
    if lines == ("phase lead *",):
        state = kitsune.start(4, Setup.of(kitsune, 4).options)
    else:
        state = at(*lines)
    assert kitsune.why(state, actor, Step(step)).startswith(reason)
    with pytest.raises(BadNotation if "no step" in reason else IllegalStep, match="kitsune: "):
        kitsune.apply(state, actor, Step(step))


@pytest.mark.parametrize("step", ["b7", "o2", "give:b1"])
def test_a_refusal_names_what_the_seat_may_play_and_nobody_else_hears_of_it(step: str) -> None:
    state = at(*FREE)
    with pytest.raises((BadNotation, IllegalStep)) as own:
        kitsune.apply(state, Seat(2), Step(step))
    said = own.value.hint.removeprefix("a card must be played: ").split(", ")
    legal = kitsune.legal(state, Seat(2))
    assert set(said) <= set(legal)
    assert {one for one in legal if "+" not in one} < set(said)  # and one with its token
    for teller, hearer in ((state, Seat(3)), (kitsune.view(state, frozenset({Seat(3)})), Seat(2))):
        with pytest.raises((BadNotation, IllegalStep)) as other:
            kitsune.apply(teller, hearer, Step("lead:0" if step == "b7" else "give:b1"))
        assert other.value.hint == "a card must be played: b4, katana:o5, o2+swap"


def test_a_refusal_tells_what_is_wrong_with_a_step_of_chance() -> None:
    match = walk(Setup.of(kitsune, 4), 3, longest=1)
    leader = int(match.steps()[0].step[-1])
    one = match.play(CHANCE, Step(f"deal:b6>{leader}")).state
    other = (leader + 1) % 4
    wrong = f"the next card goes to seat {other}"
    assert kitsune.why(one, CHANCE, Step(f"deal:b1>{leader}")) == wrong
    assert kitsune.why(one, CHANCE, Step(f"deal:b6>{other}")) == "no b6 is left in the deck"
    state = at("phase give", "leader 0", *HANDS)
    for seat, card in enumerate(("b1", "black", "o2", "o6")):
        assert kitsune.why(state, CHANCE, Step("gift:b1>2")).startswith("it is the turn of seat")
        state = play(state, (Seat(seat), f"give:{card}"))
        if seat < 3:
            again = kitsune.why(state, Seat(seat), Step("give:b4"))
            assert again == f"seat {seat} has given a card already"
    assert kitsune.why(state, CHANCE, Step("gift:black>3")) == (
        "the next gift goes from seat 0 to seat 2"
    )
    assert kitsune.why(state, CHANCE, Step("gift:o1>2")) == "seat 0 gave b1, not o1"
    over = after_trick("o6 o5 o4", "o1", "marks 0 11", "wins 1 1")
    assert kitsune.why(over, Seat(0), Step("b1")) == "the match is over"


def test_equal_cards_of_the_player_s_own_are_no_target() -> None:
    state = at("kitsune 2", "leader 0", "trick b6 white", "hand0 b1 katana o1", "hand1 o1 o3 o4")
    assert kitsune.why(state, Seat(0), Step("katana:b6")) == "the b6 is seat 0's own card"
    assert steps(state) == "b1 katana o1"
