"""Kitsune's scenes: goldens, and what holds in every position for whoever looks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from kumite.core.game import CHANCE, SPECTATOR, Actor, Seat, Seats, Setup, Step
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import COLOURS, MOVES, NAMES, TOKENS, UNSEEN, State, size
from kumite.core.match import Match
from kumite.tui.drawing.cards import SIZES, Lying, card_rows
from kumite.tui.drawing.pixels import Brush, cells_of
from kumite.tui.drawing.spread import spread_rows
from kumite.tui.games.kitsune import scene as cards
from kumite.tui.games.kitsune.picture import EFFECT, SHORT, word
from kumite.tui.look.glyphs import ASCII, LETTERS, LOOKS, Look
from kumite.tui.look.sprites import Skin
from kumite.tui.scenes import maker_of, past
from kumite.tui.scenes.lines import plain
from kumite.tui.scenes.model import Happening, Scene, scene_text
from tests.support import goldens, kitsune_positions
from tests.support.contrast import every_role
from tests.support.random_matches import choose, walk

BRUSH = Brush(Skin())
makes = maker_of("kitsune")
NAMED = ("Ada", "Bob", "Cy", "Dan", "Eve", "Fay")

# --- Goldens ----------------------------------------------------------------------------------

POSITIONS = {  # name: (who looks, position)
    "2-trick": (
        0,
        """kitsune 2; leader 1; wins 1 0; marks 5 8; tricks 9; available 3 recall
        held 0:swap 1:still; trick o6! katana b2; last o2 b4 white o1; hand0 b1 b1 b5 black o5
        hand1 b1 o1 o1 white; deck b2 b3 o2 o4""",
    ),
    "2-long-track": (
        1,
        """kitsune 2 redeal=setup track=20 wins=3; phase take 1; leader 1; wins 1 2; marks 12 7
        tricks 13; available 3 shield still swap; last b1 b6 o1 b5; hand0 b1 b1 o2 o5
        hand1 o3 o4 white white; deck -; recalled -""",
    ),
    "4-exchange": (
        2,
        """phase give; leader 3; hand0 b1 b6 katana o1 o4; hand1 b1 b2 b3 o2 o3 white
        hand2 b1 b4 black o1 o5; hand3 b2 b5 katana o1 o2 white; gifts 0:black 2:o6""",
    ),
    "4-shield": (
        1,
        """leader 2; wins 1 1; marks 11 9; tricks 17; available still; held 1:3
        trick b6+shield o4! katana; last b5 o6 black white; hand0 b1 b2; hand1 b1 b2 o2
        hand2 b1 o1; hand3 o1 o3""",
    ),
    "6-black": (
        4,
        """kitsune 6; leader 1; marks 0 4; tricks 2; available recall shield swap; held 4:still
        trick o2 b3 black; last b1 o6 b4 o1 katana white; hand0 b1 b1 b2; hand1 b5 o2
        hand2 b6 katana; hand3 o1 white; hand4 b1 o3 o5; hand5 black o1 o1""",
    ),
}


def position(text: str) -> State:
    """Return the position of lines that `;` or a line's end parts."""
    return kitsune_positions.at(*(line.strip() for line in re.split(";|\n", text)))


def at(name: str) -> tuple[State, Seat]:
    you, text = POSITIONS[name]
    return kitsune.view(position(text), frozenset({Seat(you)})), Seat(you)


FRAMES = {
    "2-long-track": LOOKS["kanji"],
    "4-exchange": LETTERS,
    "4-shield": ASCII,
    "6-black": LETTERS,
}


def shown(name: str, look: Look) -> Scene:
    view, you = at(name)
    return makes.scene(view, NAMED[: view.table.seats], look, you)


@pytest.mark.golden
@pytest.mark.parametrize(("name", "look"), FRAMES.items(), ids=str)
def test_scenes_look_as_they_did(name: str, look: Look) -> None:
    goldens.check(f"kitsune-{name}-{look.name}", scene_text(shown(name, look)))


@pytest.mark.golden
def test_a_complete_trick_is_shown_before_it_is_cleared() -> None:
    view, you = at("2-trick")
    step = Step("o5+swap")
    moment = makes.interlude(view, Seat(0), step, kitsune.apply(view, Seat(0), step), NAMED[:2])
    text = scene_text(makes.scene(moment.view, NAMED[:2], LETTERS, you))
    goldens.check("kitsune-2-complete-letters", text)
    assert moment.said == "Blue 5, orange 2: Zenko move 3 to space 8."
    assert moment.then == "both draw two cards"
    view, you = at("4-shield")  # hidden until chance turns it up
    step = Step("b1+3o")
    after = kitsune.apply(view, Seat(1), step)
    assert makes.interlude(view, Seat(1), step, after, NAMED[:4]) is None
    view, you = at("6-black")  # not complete yet
    after = kitsune.apply(view, Seat(4), Step("o3"))
    assert makes.interlude(view, Seat(4), Step("o3"), after, NAMED) is None


@pytest.mark.parametrize("you", [None, 0, 1])
def test_a_shielded_card_lies_open_once_the_trick_is_complete(you: int | None) -> None:
    state = position("leader 2; trick b6+shield o4 white b1; phase show; hand0 b1; hand1 o2")
    by = None if you is None else frozenset({Seat(you)})
    before = state if by is None else kitsune.view(state, by)
    after = kitsune.apply(before, CHANCE, Step("show:b6"))
    moment = makes.interlude(before, CHANCE, Step("show:b6"), after, NAMED[:4])
    scene = makes.scene(moment.view, NAMED[:4], LETTERS, you)
    assert scene.spread.groups[0].cards[0].rank == "6"
    assert "?" not in "".join(map(plain, scene.spread.words))
    assert "face down" not in scene_text(scene)
    last = (Happening(before, CHANCE, Step("show:b6"), after),)
    words = makes.scene(after, NAMED[:4], LETTERS, you, last).spread.words
    assert "cards just dealt" not in map(plain, words)


def test_a_complete_trick_says_the_spaces_that_a_clan_moves_and_then_the_difference() -> None:
    before = position(
        """leader 1; marks 10 0; tricks 4; trick b6 b5 b4; hand0 b3; hand1 o2; hand2 o3; hand3 o4"""
    )
    after = kitsune.apply(before, Seat(0), Step("b3"))
    moment = makes.interlude(before, Seat(0), Step("b3"), after, NAMED[:4])
    scene = makes.scene(moment.view, NAMED[:4], LETTERS, Seat(0))
    assert plain(scene.spread.words[-1]) == "Zenko +2 wins"
    assert scene.spread.score[0] == "+2"
    assert [lane.at for lane in scene.climb.lanes] == [12, 0]
    assert "Zenko +2 wins" in scene_text(scene)


def test_after_the_last_cards_a_round_that_nobody_has_won_goes_on() -> None:
    for marks, then in (("0 0", "a new deal"), ("0 11", "Dan chooses who leads")):
        before = position(f"leader 1; marks {marks}; tricks 4; trick b2 o2 b1; hand0 o2; hand1 o3")
        after = kitsune.apply(before, Seat(0), Step("o2"))
        assert makes.interlude(before, Seat(0), Step("o2"), after, NAMED[:4]).then == then


@pytest.mark.parametrize("steps", ["b6 white", "b6 o3+swap", "white b6"])
def test_arrows_that_cross_between_the_totals_say_whose_cards_count_for_which(steps: str) -> None:
    view = position(f"leader 0; trick {steps}; tricks 4; hand0 b1; hand1 b1; hand2 b1; hand3 o1")
    spread = makes.scene(view, NAMED[:4], LETTERS, Seat(2)).spread
    said = [plain(line).split() for line in spread.words]
    assert [line[0] for line in said if line[0] in COLOURS] == ["blue", "orange"]
    assert [line[-2:] for line in said[2:5:2]] == [["orange", "cards"], ["blue", "cards"]]
    assert said[3][-1] == "swapped"
    for columns, rows, shown in (
        (78, 11, ("trick 5", "▲ orange cards", "swapped", "▼ blue cards")),
        (78, 9, ("trick 5", "▲╳▼ swapped")),  # the large score has the rows of the large signs
        (78, 6, ("▲╳▼ swapped",)),
        (44, 9, ("▲╳▼ swapped",)),
    ):
        text = "\n".join(map(plain, spread_rows(spread, BRUSH, columns, rows)))
        assert all(said in text for said in shown), text
    twice = position(f"leader 0; trick {steps} white; tricks 4; hand0 b1; hand1 b1; hand3 o1")
    assert "swapped" not in scene_text(makes.scene(twice, NAMED[:4], LETTERS, Seat(3)))


def test_a_card_that_the_katana_has_cut_has_a_stroke_from_corner_to_corner() -> None:
    view = position("leader 0; trick b6! katana; tricks 4; hand2 b1; hand3 o1")
    group = makes.scene(view, NAMED[:4], LETTERS, Seat(2)).spread.groups[0]
    assert group.labels[1][0] == "destroyed"
    for place in SIZES:
        inks = [
            [ink for _, ink in cells_of(row)]
            for row in card_rows(group.cards[0], Lying(), BRUSH, place)
        ]
        struck = [[n for n, ink in enumerate(row) if ink.startswith("loss/")] for row in inks]
        assert all(struck)
        assert [struck[0][-1], struck[-1][0]] == [place[0] - 1, 0]
        assert all(below[0] < above[0] for above, below in pairwise(struck))


@pytest.mark.parametrize(
    ("wins", "marks", "scores"), [("1 0", "0 11", [12, 11]), ("1 1", "3 2", [15, 14])]
)
def test_a_score_counts_spaces_and_a_round_as_a_whole_track(
    wins: str, marks: str, scores: list[int]
) -> None:
    view = position(
        f"leader 0; wins {wins}; marks {marks}; tricks 4; hand0 b1; hand1 b1; hand2 b1; hand3 o1"
    )
    assert [one.score for one in makes.tallies(view)] == scores


# --- Every position, for whoever looks --------------------------------------------------------


def matches() -> Iterator[Match]:
    for seats in kitsune.SEATS:
        for options in ({}, {"track": 20, "wins": 3}, {"track": 8, "wins": 1}):
            yield walk(Setup.of(kitsune, seats, options), seats, longest=400)
    yield walk(Setup.of(kitsune, 2, {"track": 15, "redeal": "setup"}), 7, longest=400)


MATCHES = tuple(matches())
POSITIONS_OF = pytest.mark.parametrize(
    "match", MATCHES, ids=lambda m: f"{m.setup.seats}-{m.setup.options['track']}"
)


def lookers(match: Match) -> Iterator[tuple[State, Seat | None]]:
    """Yield every view of a position with who looks at it: a seat, nobody, who knows all."""
    yield kitsune.view(match.state, SPECTATOR), None
    yield match.state, None
    for seat in map(Seat, range(match.setup.seats)):
        yield kitsune.view(match.state, frozenset({seat})), seat


@POSITIONS_OF
def test_the_cards_of_a_hand_are_in_the_tray_and_others_are_counts(match: Match) -> None:
    for now in match.line()[::4]:
        for view, you in lookers(now):
            scene = makes.scene(view, NAMED[: match.setup.seats], LETTERS, you)
            if you is None:
                assert not scene.tray
                continue
            hand = view.cards.hands[you]
            cards = [chip for chip in scene.tray if not chip.name.startswith("+")]
            copies = [int(chip.text.partition("×")[2] or 1) for chip in cards]
            kinds = [NAMES.index(chip.name) for chip in cards]
            assert sum(n << 4 * kind for n, kind in zip(copies, kinds, strict=True)) == hand


# --- Choosing ---------------------------------------------------------------------------------


def test_what_the_parts_are_called() -> None:
    called = {
        "hit:o5": "destroy the orange 5",
        "recall:white": "fetch the White Kitsune",
        "take:still": "take still",
        ">4": "for seat 4",
        "lead:2": "seat 2 leads",
        "+3b": "+3 blue",
        "+swap": "the swap token",
        "black": "the Black Kitsune",
    }
    assert {part: makes.label(part, ASCII) for part in called} == called


@pytest.mark.parametrize("token", TOKENS)
def test_what_a_token_does_is_read_before_it_is_taken(token: str) -> None:
    view, you = at("2-long-track")
    assert makes.pick(view, you, (), f"take:{token}").order.endswith(f" token: {EFFECT[token]}")


def test_why_a_card_cannot_be_chosen_can_be_asked() -> None:
    def why(name: str, *parts: str) -> str:
        view, you = at(name)
        step = makes.step_from_parts(view, you, parts)
        return kitsune.why(view, you, step) if step else "more"

    bound = "seat 4 must play orange: seat 3 played a Black Kitsune"
    assert why("6-black", "b1") == why("6-black", "+still", "b1") == bound
    assert why("6-black", "+still") == "more"
    assert why("4-shield", "b1") == why("4-shield", "+3b", "b1") == ""
    assert why("2-long-track", "o3") == "a token must be taken"
    assert why("4-exchange", "b1") == "seat 2 has given a card already"
    first = kitsune.parse(
        "kitsune 4\nphase play\nleader 0\nheld 0:recall\ntrick -\nlast -\n"
        "hand0 b1 b2\nhand1 b1 o2\nhand2 b1 o1\nhand3 o1 o3"
    )
    step = makes.step_from_parts(first, Seat(0), ("+recall",))
    assert kitsune.why(first, Seat(0), step).startswith("nothing to recall")


# --- Previews ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "step", "said"),
    [
        ("2-trick", "b1", "play the blue 1  blue 3, orange 0  Zenko move to space 8"),
        ("2-trick", "b5", "play the blue 5  blue 7, orange 0  Zenko win the match"),
        ("2-trick", "o5", "play the orange 5  blue 2, orange 5  Yako move to space 11"),
        ("2-trick", "b5+swap", "blue 5 with swap  blue 0, orange 7  Yako win the round"),
        ("2-trick", "black", "Black  binds nobody  blue 2, orange 0  Zenko move to space 7"),
        ("4-shield", "b2", "play the blue 2  blue 2, orange 0  and a hidden card"),
        ("4-shield", "o2+3o", "orange 2 +3 orange  blue 0, orange 5  and a hidden card"),
        ("6-black", "o3", "play the orange 3  blue 3, orange 5  Yako +2 so far"),
        ("6-black", "o5+still", "orange 5 with still  blue 3, orange 7  no move so far"),
        ("2-long-track", "take:still>1", "take the still token for seat 1: no marker moves"),
        ("4-exchange", "give:b1", "give the blue 1 to your partner"),
    ],
)
def test_a_preview_tells_totals_and_what_moves(name: str, step: str, said: str) -> None:
    view, you = at(name)
    if name == "4-exchange":
        view, you = position(POSITIONS[name][1]), Seat(1)
    assert step in kitsune.legal(view, you)
    assert plain(makes.preview(view, you, Step(step), LETTERS)) == said


def test_a_preview_says_that_the_others_get_a_token_and_what_one_s_own_shield_hides() -> None:
    state = kitsune.parse(
        "kitsune 2\nphase play\nleader 1\nmarks 5 8\nheld 0:shield\ntrick o2 b1 b2\n"
        "hand0 b4 o6 white\nhand1 b1 o5\ndeck -"
    )

    def said(step: str) -> str:
        return plain(makes.preview(state, Seat(0), Step(step), ASCII))

    assert said("b4") == "play the blue 4  blue 7, orange 2  Zenko to 10, token to Yako"
    assert said("b4+shield") == "blue 4 with shield  blue 7, orange 2  Zenko to 10, token to Yako"
    assert said("white") == "White  swaps totals  blue 2, orange 3  Yako move to space 9"


def test_black_as_the_last_card_binds_nobody_even_while_a_card_is_hidden() -> None:
    state = position("leader 0; trick b6+shield o4 white; hand3 black o1")
    view = kitsune.view(state, frozenset({Seat(3)}))
    after = kitsune.apply(view, Seat(3), Step("black"))
    assert "binds nobody" in plain(makes.preview(view, Seat(3), Step("black"), LETTERS))
    assert "must" not in makes.narrate(view, Seat(3), Step("black"), after, NAMED[:4])


@pytest.mark.parametrize(("marks", "clan"), [("11 0", "Zenko"), ("0 10", "Yako")])
def test_a_lead_beyond_the_track_is_whole_and_said_to_win_the_round(marks: str, clan: str) -> None:
    """It was said to be as many as the spaces that are left: 5 to 0 was +2."""
    trick = "o1" if clan == "Zenko" else "o5"
    hands = "hand0 b1; hand1 b1 b6; hand2 b2 b3; hand3 o2 o3"
    view = position(f"leader 0; marks {marks}; trick {trick}; {hands}")
    step = "b6" if clan == "Zenko" else "b1"
    lead = 5 if clan == "Zenko" else 4
    said = plain(makes.preview(view, Seat(1), Step(step), LETTERS))
    assert said.endswith(f"{clan} +{lead} would win the round")


def test_a_lead_within_the_track_is_said_as_it_is() -> None:
    view = position(
        "leader 0; marks 11 0; trick o1; hand0 b1; hand1 b1 b6; hand2 b2 b3; hand3 o2 o3"
    )
    assert plain(makes.preview(view, Seat(1), Step("b1"), LETTERS)).endswith("even so far")


# --- Sentences --------------------------------------------------------------------------------


def lines_of(match: Match, by: Seats | None) -> Iterator[tuple[Match, Actor, Step, Match]]:
    seen = match if by is None else match.seen_by(by)
    for before, after in pairwise(seen.line()):
        yield before, after.last.actor, after.last.step, after


@POSITIONS_OF
def test_every_step_but_dealing_and_hidden_gifts_is_told(match: Match) -> None:
    names = NAMED[: match.setup.seats]
    for by in (None, SPECTATOR, frozenset({Seat(0)}), frozenset({Seat(1)})):
        for before, actor, step, after in lines_of(match, by):
            said = makes.narrate(before.state, actor, step, after.state, names)
            assert said or step.startswith(("deal:", "gift:?"))
            assert said.isascii()
            for seat in range(match.setup.seats):
                assert f"seat {seat}" not in said


TOLD = [
    ("4-shield", 1, "b2+3o", "Bob plays a blue 2 with +3 orange"),
    ("6-black", 4, "o5+still", "Eve plays an orange 5 with the still token"),
    ("4-exchange", 1, "give:?", "Bob lays a card down for the exchange"),
    ("2-trick", 0, "black", "Ada plays a Black Kitsune; blue 2, orange 0: Zenko move 2 to space 7"),
    (
        "2-trick",
        0,
        "b5",
        "Ada plays a blue 5; blue 7, orange 0: Zenko move 7 to space 12 and win the match",
    ),
    ("2-long-track", 1, "take:swap>1", "Bob takes the swap token"),
]


@pytest.mark.parametrize(("name", "seat", "step", "said"), TOLD)
def test_a_step_is_told_in_a_sentence(name: str, seat: int, step: str, said: str) -> None:
    view, _ = at(name)
    after = kitsune.apply(view, Seat(seat), Step(step))
    assert makes.narrate(view, Seat(seat), Step(step), after, NAMED) == said


def test_a_trick_is_told_card_by_card() -> None:
    state = kitsune.parse(
        "kitsune 4 track=8\nphase play\nleader 3\nmarks 2 7\nheld 0:shield 3:recall\ntrick -\n"
        "last o1 b1 o1 b1\nhand0 b3 b5\nhand1 katana o1\nhand2 b4 white\nhand3 o3 o5"
    )
    steps = [
        ("3", "recall:o1", "Dan fetches a card from the last trick"),
        ("3", "o5", "Dan plays an orange 5"),
        ("0", "b5+shield", "Ada plays a card face down under the shield"),
        ("1", "o1", "Bob plays an orange 1"),
        ("2", "white", "Cy plays a White Kitsune: the totals change places"),
        (
            "*",
            "show:b5",
            "the card under Ada's shield is a blue 5; blue 6, orange 5: Zenko move 1 to space 3",
        ),
    ]
    for who, step, said in steps:
        actor: Actor = CHANCE if who == "*" else Seat(int(who))
        view, seen = (
            kitsune.view(state, SPECTATOR),
            kitsune.seen(state, actor, Step(step), SPECTATOR),
        )
        state = kitsune.apply(state, actor, Step(step))
        after = kitsune.view(state, SPECTATOR)
        assert makes.narrate(view, actor, seen, after, NAMED) == said


def test_chance_is_told_with_the_last_card() -> None:
    match, rng, said = Match.begin(Setup.of(kitsune, 4)), Random(4), []
    while match.state.phase != "play":
        match = match.play(*choose(match, rng))
    for before, actor, step, after in lines_of(match, frozenset({Seat(0)})):
        said.append(makes.narrate(before.state, actor, step, after.state, NAMED))
    assert [one for one in said if one.endswith("leads the first round")] == said[:1]
    assert said[1:24] == [""] * 23
    assert said[24] == "the cards are dealt"
    assert sum("lays" in one for one in said) == 4
    gifts = said[-4:]
    assert gifts[0].startswith("Ada gives Cy ")
    assert gifts[1] == ""
    assert gifts[2].startswith("Cy gives Ada ")
    assert gifts[3] == "the gifts change hands"


@pytest.mark.parametrize(("wins", "needed"), [(1, "one round"), (2, "two rounds")])
def test_the_reason_names_the_clan_that_won_and_the_rounds_it_took(wins: int, needed: str) -> None:
    match = walk(Setup.of(kitsune, 4, {"wins": wins, "track": 8}), 3)
    clan = ("Zenko", "Yako")[match.outcome.winners[0]]
    assert makes.reason(match.state, "rounds") == f"the {clan} have won the {needed} needed"
    assert "trick" in makes.reason(match.state, "limit")


def test_figures_of_a_clan_have_its_colour() -> None:
    """On the end card and in a review, as on the track."""
    inks = [f"seat-{one.color}" for one in makes.tallies(Match.begin(Setup.of(kitsune)).state)]
    assert inks == [every_role()[f"kitsune.{colour}"].ink for colour in COLOURS]


@pytest.mark.parametrize("seats", kitsune.SEATS)
def test_readers_of_a_replay_see_the_hands_that_they_may_see_and_players_none(seats: int) -> None:
    for match in walk(Setup.of(kitsune, seats), 3).line():
        for eyes in (None, frozenset({Seat(1)}), frozenset[Seat]()):
            view = match.state if eyes is None else kitsune.view(match.state, eyes)
            spread = cards.spread(view, NAMED[:seats], LETTERS, None)
            known = [
                (NAMED[seat], size(hand))
                for seat, hand in enumerate(match.state.cards.hands)
                if hand and (eyes is None or seat in eyes)
            ]
            hands = spread.hands
            assert [(hand.labels[0][0], len(hand.cards)) for hand in hands] == known
            assert not any(card.is_back for hand in hands for card in hand.cards)
        assert not cards.spread(match.state, NAMED[:seats], LETTERS, Seat(0)).hands


def test_one_card_is_no_cards() -> None:
    said = set()
    for match in walk(Setup.of(kitsune, 2), 3).line():
        spread = cards.spread(match.state, NAMED[:2], LETTERS, None)
        said |= {text for group in spread.groups for text, _ in group.labels}
    assert "1 card" in said
    assert "1 cards" not in said


@pytest.mark.parametrize("seats", kitsune.SEATS)
def test_the_title_the_table_and_the_words_say_the_same_trick(seats: int) -> None:
    """It is counted from 1, goes up by one, and no further than the tricks that are played."""
    match = walk(Setup.of(kitsune, seats, {"limit": 20, "wins": 3, "track": 20}), 3)
    names, counted = NAMED[:seats], 1
    for now in match.line():
        state: State = now.state
        scene = makes.scene(state, names, LETTERS, None)
        title = int(scene.where.removeprefix("trick "))
        assert title in (counted, counted + 1)
        counted = title
        beside = map(plain, scene.spread.words if scene.spread else ())
        said = (*beside, *map(plain, scene.picture), *makes.position(state, names, None))
        numbers = [re.match("[Tt]rick ([0-9]+)", text) for text in said]
        assert {int(found[1]) for found in numbers if found} <= {title}
        assert any(numbers) or state.phase not in ("play", "show", "take")
    assert match.outcome is not None
    assert counted == match.state.standing.tricks


# --- Secrets ----------------------------------------------------------------------------------


@POSITIONS_OF
def test_who_sits_at_a_screen_sees_no_more_than_their_own_view(match: Match) -> None:
    """Whatever else the given position knows: hands, gifts, shielded and fetched cards."""
    names = NAMED[: match.setup.seats]
    for now in match.line():
        for seat in map(Seat, range(match.setup.seats)):
            view = kitsune.view(now.state, frozenset({seat}))
            scene = makes.scene(view, names, LETTERS, seat)
            assert makes.scene(now.state, names, LETTERS, seat) == scene
            if seat in now.actors:
                for step in now.legal(seat):
                    whole = makes.preview(now.state, seat, step, LETTERS)
                    assert whole == makes.preview(view, seat, step, LETTERS)


@POSITIONS_OF
def test_a_hidden_step_is_told_without_its_card(match: Match) -> None:
    names = NAMED[: match.setup.seats]
    for by in (SPECTATOR, frozenset({Seat(0)}), frozenset({Seat(1)})):
        whole = lines_of(match, None)
        for (_, _, step, _), (before, actor, seen, after) in zip(
            whole, lines_of(match, by), strict=True
        ):
            if seen != step:
                assert MOVES[seen].card == UNSEEN
                said = makes.narrate(before.state, actor, seen, after.state, names)
                assert word(MOVES[step].card) not in said


def test_of_the_cards_on_the_table_the_last_one_is_marked() -> None:
    match = Match.begin(Setup.of(kitsune, 4))
    rng = Random(5)
    while match.state.phase != "give":
        match = match.play(*choose(match, rng))
    for seat in (2, 0, 3):
        match = match.play(Seat(seat), match.legal(Seat(seat))[0])
    shown = makes.scene(match.state, NAMED[:4], LETTERS, Seat(1), past(match)).spread
    assert shown is not None
    assert [group.labels[0][0] for group in shown.groups] == ["Z Ada", "Y you", "Z Cy", "Y Dan"]
    assert not any(group.cards[0].sign[0] for group in shown.groups)  # it looked like a value
    assert [group.is_last for group in shown.groups] == [False, False, False, True]
    trick, _ = at("6-black")
    groups = cards.spread(trick, NAMED, LETTERS, None).groups
    assert [group.labels[0] for group in groups[:4]] == [
        (f"{sign} {name}", f"kitsune.card-{colour}")
        for sign, name, colour in zip(
            "YZYZ", NAMED[1:5], ("orange", "blue", "orange", "blue"), strict=True
        )
    ]
    assert [group.cards[0].ink for group in groups[3:5]] == ["title", "quiet"]  # who is to play
    assert [group.is_last for group in groups[:3]] == [False, False, True]
    assert groups[2].labels[1][0] == "just laid"


def test_an_empty_trick_has_the_cards_of_the_last_one_beside_it() -> None:
    match = walk(Setup.of(kitsune, 4), 3)
    told = 0
    for now in match.line():
        state: State = now.state
        words = [
            plain(line).split() for line in cards.spread(state, NAMED[:4], LETTERS, None).words
        ]
        is_told = state.phase == "play" and not state.cards.trick and bool(state.cards.last)
        assert (["last", "trick"] in words) == is_told
        if is_told:
            assert words[-1] == [SHORT[kind] for kind in state.cards.last]
            told += 1
    assert told


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_while_a_token_is_chosen_the_trick_lies_there_with_who_played_each_card(seats: int) -> None:
    played: list[str] = []
    seen = 0
    for now in walk(Setup.of(kitsune, seats), 3).line():
        state: State = now.state
        if now.last is not None and now.last.actor != CHANCE and MOVES[now.last.step].act == "play":
            played.append(NAMED[int(now.last.actor)])
        if state.phase == "take":
            groups = cards.spread(state, NAMED[:seats], LETTERS, None).groups[
                : len(state.cards.last)
            ]
            assert [group.labels[0][0][2:] for group in groups] == played[-len(groups) :]
            assert [group.cards[0] for group in groups] == [
                cards.card(kind, is_dim=True) for kind in state.cards.last
            ]
            assert [group.is_last for group in groups][-2:] == [False, True]
            seen += 1
    assert seen


def test_cards_that_were_just_dealt_are_told_beside_the_empty_trick() -> None:
    match = Match.begin(Setup.of(kitsune, 2))
    rng = Random(5)
    while match.state.phase != "play":
        match = match.play(*choose(match, rng))
    for steps, is_told in ((past(match), True), (past(match)[:0], False)):
        shown = makes.scene(match.state, NAMED[:2], LETTERS, None, steps).spread
        assert ("cards just dealt" in map(plain, shown.words)) == is_told


def test_whose_gift_is_due_is_seen_and_that_gifts_were_given_is_told() -> None:
    match = walk(Setup.of(kitsune, 4), 3, 60)
    (first, *_), given = (
        [now for now in match.line() if now.state.phase == phase] for phase in ("give", "play")
    )
    groups = makes.scene(first.state, NAMED[:4], LETTERS, Seat(2), past(first)).spread.groups
    places = [(group.cards[0].title, group.cards[0].ink) for group in groups]
    assert [places.index(one) for one in places] == [0, 0, 2, 0]
    assert places[2] == ("your gift", "title")
    words = makes.scene(given[0].state, NAMED[:4], LETTERS, None, past(given[0])).spread.words
    assert "gifts just given" in map(plain, words)


def test_with_six_seats_who_receives_a_gift_is_read_whole_in_a_narrow_window() -> None:
    names = ("ada", "bot 2 A", "bot 3 A", "bot 4 A", "bot 2 B", "bot 3 B")
    match = walk(Setup.of(kitsune, 6), 3, 90)
    gifts = next(now for now in match.line() if now.state.phase == "give")
    table = makes.scene(gifts.state, names, LETTERS, Seat(0), past(gifts)).spread
    text = "\n".join(map(plain, spread_rows(table, Brush(Skin()), 60, 10)))
    assert [f"→{name}" in text for name in names[1:]] == [True] * 5
