"""What a step is good for: hints have reasons, and the reasons are true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from kumite.core import bots
from kumite.core.game import CHANCE, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.games.kiriai import rules as kiriai
from kumite.core.games.kiriai.action import FACES
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.board import LEAPS, RAYS, SQUARES, set_of, squares_of
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.match import Match
from kumite.tui import scenes
from kumite.tui.bots.looking import Answer
from kumite.tui.games.kiriai.picture import called
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
                said = why_good(match, Seat(int(actor)), step)
                if said in ("", "it moves the stone") or re.search(r"^ | [ ,;.]| $", said):
                    without.append((seats, match.number, step, said))
    assert without == []


# --- Kuzushi ----------------------------------------------------------------------------------


def test_a_step_of_kuzushi_names_the_flags_that_it_removes_or_protects() -> None:
    told = set()
    for match in walk(Setup.of(kuzushi, 3), 2).line()[4:-1]:
        seat = Seat(int(match.actors[0]))
        for step in match.legal(seat)[::4]:
            after, said = match.play(seat, step), why_good(match, seat, step)
            for owner, names in re.findall(
                r"seat (\d)'s(?: flags?)? on ([a-z0-9, and]+?)(?:,|$| and s)", said
            ):
                lost = match.state.flags[int(owner)] & ~after.state.flags[int(owner)]
                assert set(re.findall(r"[a-z]\d+", names)) <= set(squares(match, lost))
                told.add("removes")
            if said.endswith("stays"):
                foe, name = re.findall(r"seat (\d).* on (\w+)", said)[0]
                assert name in squares(match, takeable(match, seat, Seat(int(foe))))
                told.add("turned")
            if found := re.fullmatch(r"seat (\d) can no longer take the flags? on (.*)", said):
                foe = Seat(int(found[1]))
                before, now = takeable(match, seat, foe), takeable(after, seat, foe)
                for name in re.findall(r"[a-z]\d+", found[2]):
                    assert name in squares(match, before)
                    assert name not in squares(match, now)
                told.add("protects")
    assert told >= {"removes", "protects"}


def squares(match: Match, found: int) -> list[str]:
    return [match.state.grid.names[square] for square in kuzushi.squares_of(found)]


def takeable(match: Match, seat: Seat, foe: Seat) -> int:
    """Return the flags of a seat that another could remove with one step."""
    then, lost = replace(match.state, turn=foe), 0
    for step in kuzushi.legal(then, foe):
        lost |= match.state.flags[seat] & ~kuzushi.apply(then, foe, step).flags[seat]
    return lost


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
        ("e6-e7", "side 0 can then push the stone out in about 3 actions"),  # e5-e6 and two pushes
        ("e5-f5", "side 0 can still push the stone out in about 5 actions"),
    ):
        assert said in told_of(state, step)
    begun = Match.begin(Setup.of(kumo)).state  # either way is alike, and one has to be taken
    assert told_of(begun, "cw") == "otherwise seat 0's last action would have to turn the arena"
    harm = at("e4 0kumo; e3 0run; e6 1run", stone="e5")  # a pull brings it to the own camp
    assert "towards" not in told_of(harm, "e3=kumo")
    for step in ("e6-e7", "e5-e6"):
        state = kumo.apply(state, ADA, Step(step))
    assert told_of(state, "push:e7+e6") == "side 0 can then push the stone out"
    state = kumo.apply(state, ADA, Step("push:e7+e6"))
    assert told_of(state, "push:e8+e7") == "it pushes the stone out and wins"


def told_of(state: kumo.State, step: str) -> str:
    return scenes.maker(Match.begin(Setup.of(kumo))).why_good(state, ADA, Step(step))


GAINS = {
    "kitsu": r"captures?\b|threat|cross|out of reach|no longer reaches|nobody can|has to leave"
    r"|placed|pounce|flips|safer|where the turn can go on|for the next turn",
    "kitsune": r"ahead|wins|within|even|kept|keeps|only move|move only|less|gets rid|nobody moves"
    r"|counts for|no Katana can|with it|brings",
    "kumo": r"wins|imprison|frees? |brings|beside the stone|pair|two kumo|has to leave|it then"
    r"|can (then|pin|grab|throw|run|jump|act|no longer) |could|away from the stone|blocks"
    r"|cannot act|instead|more action|fewer action|nearer|farther|makes room|otherwise"
    r"|the stone (is then|goes)",
    "kuzushi": r"brings|removes|takes the lead|wins|can no longer|keeps|one more card|safe",
}
EMPTY = r"nothing|has to be turned|the turn goes on|can still push|will still need"


@pytest.mark.parametrize(
    ("game_id", "seats"), [("kitsu", 2), ("kitsune", 2), ("kumo", 2), ("kumo", 4), ("kuzushi", 2)]
)
def test_a_reason_is_a_gain_a_threat_or_a_defence(game_id: str, seats: int) -> None:
    """`The arena has to be turned in this turn anyway` was once the commonest one.

    What is left is told as it is: a bot's step that only seems the least bad.
    """
    without = []
    for match, seat, step in glanced(game_id, seats, 100):
        said = why_good(match, seat, step)
        is_gain = re.search(GAINS[game_id], said) and not re.search(EMPTY, said)
        without += [] if is_gain else [(step, said)]
        if number := re.search(r"in about (\d+) actions? instead of (\d+)", said):
            assert int(number[1]) < int(number[2])
    assert len(without) <= 2, without


def test_a_reason_of_kumo_names_who_can_be_imprisoned() -> None:
    threat = at("e1 0run; f1 1run; e4 0kumo; b5 1kumo", stone="e5")
    assert told_of(threat, "e1=grab").startswith("side 0 can then imprison side 1's runner f1")
    assert Step("grab:e1:f1-x") in kumo.legal(kumo.apply(threat, ADA, Step("e1=grab")), ADA)
    assert "imprison" not in told_of(threat, "e1=jump")
    defence = at("f9 0run; e9 1grab; e4 0kumo; b5 1kumo", stone="e5")
    assert told_of(defence, "f9-f8").startswith("otherwise side 1 could imprison side 0's runner")
    assert "imprison" not in told_of(defence, "e4-d4")


# --- Kitsu! -----------------------------------------------------------------------------------


def test_what_is_said_to_be_captured_next_can_be() -> None:
    """Also what is threatened for the next turn."""
    told = {"next": 0, "pounce": 0, "threatens": 0}
    for seed in range(6):
        for match in walk(Setup.of(kitsu), seed).line()[2:-1:3]:
            seat = Seat(int(match.actors[0]))
            for step in match.legal(seat)[::5]:
                said, after = why_good(match, seat, step), match.play(seat, step)
                while after.state.phase == "take":
                    after = after.play(seat, after.legal(seat)[0])
                if found := re.search(
                    rf"next the \w+ on ({SQUARE}) can capture seat \d's \w+ on ({SQUARE})", said
                ):
                    told["next"] += 1
                    assert Step("x".join(found.groups())) in after.legal(seat)
                if found := re.search(rf"can then pounce on seat \d's \w+ on ({SQUARE})", said):
                    told["pounce"] += 1
                    assert any(one.endswith(f">x{found[1]}") for one in after.legal(seat))
                if "it threatens" in said:
                    told["threatens"] += 1
                    threats = re.split(
                        "flips|brings|has a|, and", said.partition("it threatens")[2]
                    )[0]
                    for name in re.findall(f"on ({SQUARE})", threats):
                        assert reaches(after.state, seat, SQUARES[name]), (said, step)
    assert min(told.values()) > 0, told


def test_what_is_said_to_be_out_of_reach_no_next_step_captures() -> None:
    told = {"some": 0, "none": 0, "threat": 0}
    for seed in range(4):
        for match in walk(Setup.of(kitsu), seed).line()[2:-1:3]:
            seat = Seat(int(match.actors[0]))
            foe = 1 - seat
            for step in match.legal(seat)[::5]:
                said, after = why_good(match, seat, step), match.play(seat, step).state
                own = [
                    one for one in squares_of(after.clans[seat].board) if reaches(after, foe, one)
                ]
                if found := re.search(
                    rf"at once on ({SQUARE}), but nobody can on ({SQUARE})", said
                ):
                    assert reaches(match.state, foe, SQUARES[found[1]])
                    assert SQUARES[found[2]] not in own
                if found := re.search(rf"no longer reaches seat \d's \w+ on ({SQUARE})", said):
                    assert SQUARES[found[1]] not in own
                if found := re.search("next step can capture only (.*)", said):
                    told["some"] += 1
                    assert {SQUARES[name] for name in re.findall(SQUARE, found[1])} == set(own)
                if "out of reach" in said:
                    told["none"] += 1
                    assert not own, said
                if found := re.search("keeps up the threat to (.*)", said):
                    told["threat"] += 1
                    named = [SQUARES[name] for name in re.findall(SQUARE, found[1])]
                    assert all(reaches(after, seat, one) for one in named), said
    assert min(told.values()) > 2, told


SQUARE = "[a-h][1-8]"


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


def test_a_card_of_kitsune_says_the_score_of_its_trick() -> None:
    told = 0
    for seed in range(8):
        for match in walk(Setup.of(kitsune, 4), seed).line()[30:-1]:
            if CHANCE in match.actors or kitsune.shielded(match.state.cards.trick) >= 0:
                continue
            seat = Seat(int(match.actors[0]))
            for step in match.legal(seat):
                said = re.search(
                    r"(?:ahead|within \d+|even), (\d+) to (\d+)", why_good(match, seat, step)
                )
                after = match.play(seat, step)
                if said and len(after.state.cards.trick) > len(match.state.cards.trick):
                    told += 1
                    totals = kitsune.totals(after.state.cards.trick)
                    assert (totals[seat % 2], totals[1 - seat % 2]) == (int(said[1]), int(said[2]))
    assert told > 10


# --- Kiri-ai ----------------------------------------------------------------------------------


def test_a_plan_says_truly_when_it_hits_and_what_can_hit_it() -> None:
    told = {"hits": 0, "safe": 0, "only": 0}
    for seed in range(12):
        for match in walk(Setup.of(kiriai), seed).line():
            state = match.state
            if match.actors != (ADA, BOB) or state.phase != "plan" or not state.sides[1].spent:
                continue
            was = tuple(side.wounds for side in state.sides)
            for step in match.legal(ADA)[::6]:
                said = why_good(match, ADA, step)
                ends = {plan: wounds_after(match, step, plan) for plan in match.legal(BOB)}
                for verb in ("approach", "retreat", "charge"):
                    if re.search(
                        rf"hits?[^;]* if seat 1 [^;]*{verb}e?s\b(?! (first|second))", said
                    ):
                        told["hits"] += 1
                        # Without a blow the other card is a change of stance at most.
                        moves = [p for p in ends if {*p.split(",")} == {verb, "stance"}]
                        assert not moves or any(ends[plan][1] > was[1] for plan in moves)
                if "no card of seat 1's can hit" in said:
                    told["safe"] += 1
                    assert all(red == was[0] for red, _ in ends.values())
                if found := re.search("only seat 1's (.*) can hit", said):
                    told["only"] += 1
                    named = {FACE_OF[name] for name in found[1].split(" or ")}
                    hurt = [plan for plan, (red, _) in ends.items() if red > was[0]]
                    assert hurt
                    assert all(named & set(plan.split(",")) for plan in hurt)
    assert min(told.values()) > 3, told


FACE_OF = {called(face): face for face in FACES}


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
        assert re.search(
            r"^seat 2 can |^it is only a small|^it counts for", why_good(match, seat, step)
        )
        view = match.game.view(match.state, frozenset({seat}))
        assert scenes.maker(match).why_bad(view, seat, step, match.legal(seat)[0])
    assert "Give a card that can end a trick" in " ".join(
        scenes.maker(match).gist(match.state, ("a",) * seats, seat)
    )
