"""What a step is good for: hints have reasons, and the reasons are true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from kumite.core import bots
from kumite.core.game import CHANCE, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.games.kiriai import rules as kiriai
from kumite.core.games.kiriai.action import BASIC, CARD, FACES
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.board import LEAPS, RAYS, SQUARES, set_of, squares_of
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.match import Match
from kumite.tui import scenes
from kumite.tui.bots.looking import Answer
from kumite.tui.play import explained, narration
from kumite.tui.scenes.sentences import reasons
from tests.support.kumo_positions import at
from tests.support.random_matches import walk

ADA, BOB = Seat(0), Seat(1)


def glanced(game_id: str, seats: int, most: int) -> Iterator[tuple[Match, Seat, Step]]:
    """Yield choices of `easy` in matches that it plays, one of some steps."""
    found = seed = 0
    while found < most:
        seed += 1
        rng, match = Random(f"{game_id} {seed}"), Match.begin(Setup.of(GAMES[game_id], seats))
        while match.actors and match.number < 120 and found < most:
            actor = match.actors[0]
            if actor == CHANCE:
                match = match.play(actor, rng.choice(sorted(match.odds())))
                continue
            own = frozenset({actor})
            view = match.game.view(match.state, own)
            seen = match.seen_by(own).steps() if match.game.SECRETS else ()
            where = bots.Position(match.game, view, actor, seen, match.legal(actor))
            step = bots.find("easy")(where, rng, bots.Budget()).step
            if len(where.legal) > 1 and rng.random() < 0.2:
                found += 1
                yield match, actor, step
            match = match.play(actor, step)


def why_good(match: Match, seat: Seat, step: Step) -> str:
    view = match.game.view(match.state, frozenset({seat}))
    return scenes.maker(match).why_good(view, seat, step)


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_every_step_of_every_game_has_a_reason(game_id: str) -> None:
    """Also of steps that are chosen for want of a better one."""
    without = []
    for seats, seed in product(GAMES[game_id].SEATS[:2], range(3)):
        rng, line = Random(seed), walk(Setup.of(GAMES[game_id], seats), seed).line()
        for match in rng.sample(line, min(12, len(line))):
            actor = match.actors[0] if match.actors else CHANCE
            legal = match.legal(actor) if actor != CHANCE else ()
            for step in rng.sample(legal, min(4, len(legal))) if len(legal) > 1 else ():
                if why_good(match, Seat(int(actor)), step) in ("", "it moves the stone"):
                    without.append((seats, match.number, step))
    assert without == []


# --- Kuzushi ----------------------------------------------------------------------------------


def test_a_step_of_kuzushi_says_what_it_leaves_to_take() -> None:
    told = 0
    for match in walk(Setup.of(kuzushi, 3), 2).line()[4:-1]:
        seat = Seat(int(match.actors[0]))
        for step in match.legal(seat)[::4]:
            said = re.search(
                r"it leaves seat (\d) (as little to take as can be: )?(\d|no) flag",
                why_good(match, seat, step),
            )
            if said is None:
                continue
            told += 1
            after = match.play(seat, step)
            assert after.actors == (Seat(int(said[1])),)
            assert most_taken(after) == int(said[3].replace("no", "0"))
            if said[2]:
                others = [match.play(seat, one) for one in match.legal(seat)]
                assert most_taken(after) <= min(most_taken(o) for o in others if o.actors)
    assert told > 10


def most_taken(match: Match) -> int:
    """Return how many flags who is next can win, and others lose, with a step."""
    seat, state, most = int(match.actors[0]), match.state, 0
    for step in match.legal(match.actors[0]):
        after = match.game.apply(state, match.actors[0], step)
        others = [one for one in range(len(state.flags)) if one != seat]
        flags = (after.flags[seat] & ~state.flags[seat]).bit_count()
        flags += sum((state.flags[one] & ~after.flags[one]).bit_count() for one in others)
        most = max(most, flags)
    return most


# --- Kumo -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game_id", "seats"),
    [("kitsu", 2), ("kitsune", 4), ("kumo", 2), ("kumo", 4), ("kuzushi", 2), ("kiriai", 2)],
)
def test_what_another_seat_has_is_told_without_notation(game_id: str, seats: int) -> None:
    names = ["Ada", "Bob", "Cem", "Dan"][:seats]
    for match, seat, step in glanced(game_id, seats, 20):
        fear = explained.feared(Answer(match, seat, step), names)
        called = narration.step_name(match, step, names)
        assert names[seat] in fear
        for said in (fear, called):
            assert not set(said.replace("+3 token", "")) & set("=@+~"), said  # as it is called
            assert not re.search(r"\b(cw|ccw|seat|side|you|your)\b", said), said
            assert not re.search(r"[a-i]\d[-x>][a-i]?", said), said


def test_a_step_of_kumo_says_how_near_a_push_out_is() -> None:
    state = at("e6 0kumo; e5 0kumo; b2 1kumo; h2 1kumo", turn=3, used=1, turned="no no",
               prisons="0 0", stone="e8")  # fmt: skip
    for step, said in (
        ("e6-e7", "then side 0 can push the stone out in about 3 actions"),  # e5-e6 and two pushes
        ("e5-f5", "side 0 can still push the stone out in about 5 actions"),
    ):
        assert told_of(state, step).partition(",")[0] == said
    for step in ("e6-e7", "e5-e6"):
        state = kumo.apply(state, ADA, Step(step))
    assert told_of(state, "push:e7+e6") == "then side 0 can push out"
    state = kumo.apply(state, ADA, Step("push:e7+e6"))
    assert told_of(state, "push:e8+e7") == "it pushes the stone out and wins"


def told_of(state: kumo.State, step: str) -> str:
    return scenes.maker(Match.begin(Setup.of(kumo))).why_good(state, ADA, Step(step))


def test_a_turning_of_kumo_says_that_it_is_owed_until_it_is_done() -> None:
    for match in walk(Setup.of(kumo), 4).line()[20:80]:
        seat = Seat(int(match.actors[0])) if match.actors else ADA
        if match.actors and Step("cw") in match.legal(seat):
            owed = "the turning that this turn owes" in why_good(match, seat, Step("cw"))
            assert match.state.must_turn or not owed


# --- Kitsu! -----------------------------------------------------------------------------------


def test_what_is_said_to_be_in_reach_a_piece_reaches() -> None:
    told = several = 0
    for seed in range(4):
        for match in walk(Setup.of(kitsu), seed).line()[2:-1:3]:
            seat = Seat(int(match.actors[0]))
            for step in match.legal(seat)[::5]:
                said = IN_REACH.match(why_good(match, seat, step))
                if said:
                    told += 1
                    several += " and " in said[1]
                    after = match.play(seat, step).state
                    for name in re.findall(SQUARE, said[1]):
                        assert reaches(after, seat, SQUARES[name])
    assert told > 5
    assert several > 1


SQUARE = "[a-h][1-8]"
IN_REACH = re.compile(rf"((?:{SQUARE}(?:,? (?:and )?))+)(?:\d+ more )?comes? within reach")


def reaches(state: kitsu.State, seat: Seat, target: int) -> bool:
    """Return whether a piece of a seat comes to a square by a slide or a leap."""
    for square in squares_of(state.clans[seat].board):
        ray = next((ray for ray in RAYS[square] if target in ray), ())
        between = set_of(ray[: ray.index(target)]) if ray else 0
        if state.samurai >> square & 1 and ray and not between & state.pieces:
            return True
        if not state.samurai >> square & 1 and target in LEAPS[square]:
            return True
    return False


# --- Kitsune ----------------------------------------------------------------------------------


def test_a_card_of_kitsune_says_by_how_much_its_clan_is_behind() -> None:
    told = 0
    for seed in range(8):
        for match in walk(Setup.of(kitsune, 4), seed).line()[30:-1]:
            if CHANCE in match.actors:
                continue
            seat = Seat(int(match.actors[0]))
            for step in match.legal(seat):
                said = re.match(r"\w+ are (\d+) behind in this trick", why_good(match, seat, step))
                after = match.play(seat, step)
                if said and len(after.state.cards.trick) > len(match.state.cards.trick):
                    told += 1
                    totals = kitsune.totals(after.state.cards.trick)
                    assert totals[1 - seat % 2] - totals[seat % 2] == int(said[1])
    assert told > 10


# --- Kiri-ai ----------------------------------------------------------------------------------


def test_a_plan_says_how_many_plans_it_hits_and_is_hit_by() -> None:
    told = 0
    for seed in range(12):
        for match in walk(Setup.of(kiriai), seed).line():
            state = match.state
            if match.actors != (ADA, BOB) or state.phase != "plan" or not state.sides[1].spent:
                continue
            for step in match.legal(ADA)[::6]:
                said = re.search(
                    r"it hits m\w+ of what seat 1 can do "
                    r"\((\d+) of (\d+) plans\), and is hit by (\w+)",
                    why_good(match, ADA, step),
                )
                if said is None:
                    continue
                told += 1
                hand = [
                    face
                    for face in FACES
                    if CARD[face] in BASIC and CARD[face] != state.sides[1].aside
                ]
                answers = [Step(f"{a},{b}") for a, b in product(hand, hand) if CARD[a] != CARD[b]]
                assert sorted(answers) == list(match.legal(BOB))
                ends = [wounds_after(match, step, answer) for answer in answers]
                was = tuple(side.wounds for side in state.sides)
                hits = sum(blue > was[1] for _, blue in ends)
                hit_by = sum(red > was[0] for red, _ in ends)
                told_of = (str(hits), str(len(answers)), str(hit_by or "none"))
                assert said.groups() == told_of
    assert told > 5


def wounds_after(match: Match, mine: Step, theirs: Step) -> tuple[int, int]:
    """Play a round out by the rules."""
    number = match.state.round
    match = match.play(ADA, mine).play(BOB, theirs)
    while match.actors == (CHANCE,) and match.state.round == number:
        match = match.play(CHANCE, *match.odds())
    red, blue = match.state.sides
    return red.wounds, blue.wounds


# --- One sentence -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clauses", "said"),
    [
        ((), ""),
        (("it wins",), "it wins"),
        (("it takes 2 flags", "it takes the lead"), "it takes 2 flags and takes the lead"),
        (
            ("it takes 2 flags", "it costs others 1 flag", "it takes the lead"),
            "it takes 2 flags, costs others 1 flag, and takes the lead",
        ),
        (("f4 comes within reach", "it flips g3"), "f4 comes within reach, and it flips g3"),
        (
            ("it crosses, which brings 1 to the hand", "it may then pounce"),
            "it crosses, which brings 1 to the hand, and may then pounce",
        ),
    ],
)
def test_several_reasons_are_one_sentence(clauses: tuple[str, ...], said: str) -> None:
    assert reasons(clauses) == said


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_what_a_step_does_worse_is_said_without_the_better_one(game_id: str) -> None:
    said = set()
    for match, seat, better in glanced(game_id, min(GAMES[game_id].SEATS), 12):
        maker, view = scenes.maker(match), match.game.view(match.state, frozenset({seat}))
        for step in match.legal(seat)[:8]:
            bad = maker.why_bad(view, seat, step, better) if step != better else ""
            assert maker.step_name(better) not in bad
            assert len(bad) < 120
            said.add(bad)
    assert len(said) > 3


@pytest.mark.parametrize("seats", [4, 6])
def test_each_gift_of_kitsune_has_a_reason_for_and_against_it(seats: int) -> None:
    match = Match.begin(Setup.of(kitsune, seats))
    rng = Random(3)
    while match.actors == (CHANCE,) or match.state.phase != "give":
        match = match.play(match.actors[0], match.draw(rng))
    seat = Seat(0)
    for step in match.legal(seat):
        assert re.search(r"^seat 2 can play it|^one card less to play", why_good(match, seat, step))
        view = match.game.view(match.state, frozenset({seat}))
        assert scenes.maker(match).why_bad(view, seat, step, match.legal(seat)[0])
    assert "Give a card that can end a trick" in " ".join(
        scenes.maker(match).gist(match.state, ("a",) * seats, seat)
    )
