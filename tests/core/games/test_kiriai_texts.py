"""Kiri-ai: what each seat sees, texts and bytes, what holds in random matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from kumite.core.errors import BadNotation, Hidden, IllegalStep
from kumite.core.game import CHANCE, SPECTATOR, Actor, Seat, Seats, Setup, Step
from kumite.core.games.kiriai import rules as kiriai
from kumite.core.games.kiriai.action import SPECIALS
from kumite.core.games.kiriai.state import Side, State
from kumite.core.match import Match
from tests.support.kiriai_positions import (
    ALL_TEXTS,
    BLUE,
    LATE,
    RED,
    ROUND_1,
    begin,
    dealt,
    play,
    position,
    refusal,
)
from tests.support.random_matches import setups, walk

# --- What each seat sees -----------------------------------------------------------------------


def test_each_step_is_seen_as_the_rules_say() -> None:
    match = play(dealt("kesa", "counter", field="advanced"), "0 2,earth", "1 4,earth")
    match = play(match, "start:2,earth/4,earth", "1 low,counter", "0 high,kesa", "first:high/low")
    shown = ["start:2,earth/4,earth", "first:high/low"]
    for by, steps in (
        (RED, ["red:kesa", "blue:?", "2,earth", "?,?", shown[0], "?,?", "high,kesa", shown[1]]),
        (
            BLUE,
            ["red:?", "blue:counter", "?,?", "4,earth", shown[0], "low,counter", "?,?", shown[1]],
        ),
        (SPECTATOR, ["red:?", "blue:?", "?,?", "?,?", shown[0], "?,?", "?,?", shown[1]]),
        (RED | BLUE, [one.step for one in match.steps()]),
    ):
        assert [one.step for one in match.seen_by(by).steps()] == steps


def test_a_special_stays_hidden_until_it_is_spent_and_after_the_end() -> None:
    match = play(dealt(), *ROUND_1, "0 charge,kesa", "1 low,balanced", "first:charge/low")
    blue = kiriai.view(match.state, BLUE).sides
    assert [side.special for side in blue] == ["?", "counter"]
    after = kiriai.view(play(match, "second:kesa/balanced").state, SPECTATOR).sides
    assert [(side.special, side.spent) for side in after] == [("kesa", True), ("?", False)]


def test_what_depends_on_a_hole_has_no_answer() -> None:
    with pytest.raises(Hidden):
        kiriai.legal(kiriai.view(dealt().state, RED), Seat(1))
    for by in (BLUE, SPECTATOR):
        dealing = kiriai.view(play(begin(), "red:kesa").state, by)
        with pytest.raises(Hidden):
            kiriai.legal(dealing, CHANCE)
        with pytest.raises(Hidden):
            kiriai.odds(dealing)
    planned = play(dealt(), "0 high,low", "1 low,high")
    started = play(dealt(field="advanced"), "0 2,earth", "1 4,earth")
    for match in (planned, play(planned, "first:high/low"), started):
        for by in (RED, BLUE, SPECTATOR):
            with pytest.raises(Hidden):
                kiriai.odds(kiriai.view(match.state, by))
        assert kiriai.odds(kiriai.view(match.state, RED | BLUE)) == {match.legal(CHANCE)[0]: 1}


def test_starts_and_hands_that_all_can_see_are_listed_on_any_view() -> None:
    advanced = kiriai.view(dealt(field="advanced").state, SPECTATOR)
    assert len(kiriai.legal(advanced, Seat(1))) == 6
    assert len(kiriai.legal(kiriai.view(LATE, SPECTATOR), Seat(0))) == 18


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ("start:2,earth/4,heaven", ""),
        ("start:3,earth/4,heaven", "red has chosen 2,earth"),
        ("start:2,earth/3,heaven", "seat 1 starts on 4, 5 or 6"),
    ],
)
def test_a_view_takes_a_start_that_can_be(step: str, reason: str) -> None:
    match = play(dealt(field="advanced"), "0 2,earth", "1 4,earth")
    said = refusal(kiriai.view(match.state, RED), CHANCE, step)
    assert said.startswith(reason) if reason else said == ""


def test_a_view_takes_a_special_only_where_it_can_be() -> None:
    match = play(dealt(), "0 high,low", "1 low,high")
    nobody = kiriai.view(match.state, SPECTATOR)
    assert refusal(nobody, CHANCE, "first:kesa/counter") == ""
    assert "not on both sides" in refusal(nobody, CHANCE, "first:kesa/kesa")
    assert "red has it" in refusal(kiriai.view(match.state, RED), CHANCE, "first:high/kesa")
    first = kiriai.apply(nobody, CHANCE, Step("first:kesa/low"))
    assert refusal(first, CHANCE, "second:high/kesa") == "there is one kesa, and red has it"
    assert refusal(first, CHANCE, "second:counter/high") == "red has spent its kesa"
    assert refusal(first, CHANCE, "second:high/zantetsu") == ""


def behind(view: State) -> Iterator[State]:
    """Yield every complete position that this view can be a view of, with pending choices."""
    red, blue = view.sides
    for one in filled(view, red):
        for two in filled(view, blue):
            if one.special != two.special:
                yield State(view.field, view.rounds, view.phase, view.round, (one, two))


def filled(view: State, side: Side) -> Iterator[Side]:
    for special in SPECIALS if side.special == "?" else (side.special,):
        secrets: tuple[str, ...] = (side.secret,)
        if side.secret == "?,?" and view.phase == "unveil":
            secrets = kiriai.STARTS[side is view.sides[1]]
        elif side.secret.endswith("?"):
            shown = side.secret.replace("?", "")  # nothing, or the first card
            held = "" if side.spent and shown.strip(",") not in SPECIALS else special
            plans = kiriai.plans(side.aside, held)
            secrets = tuple(p for p in plans if shown == "," or p.startswith(shown))
        for secret in secrets:
            stand = side.space, side.stance, side.wounds, side.aside
            yield Side(*stand, special, side.spent, secret)


@pytest.mark.parametrize("field", ["standard", "advanced"])
def test_a_view_takes_exactly_what_some_position_behind_it_allows(field: str) -> None:
    setup, looked = Setup.of(kiriai, 2, {"field": field}), Counter[str]()
    for seed in range(12):
        for match in walk(setup, 300 + seed).line():
            phase = match.state.phase
            if phase not in ("unveil", "first", "second") or looked[phase] >= 12:
                continue
            looked[phase] += 1
            for by in (RED, BLUE, SPECTATOR):
                view = kiriai.view(match.state, by)
                taken = {step for step in ALL_TEXTS if not kiriai.why(view, CHANCE, Step(step))}
                assert taken == {kiriai.legal(state, CHANCE)[0] for state in behind(view)}
    assert looked["first"] == looked["second"] == 12


def test_own_secrets_are_never_given_with_holes() -> None:
    secrets: list[tuple[Match, Actor, str, Seats]] = [
        (begin(), CHANCE, "red:?", RED),
        (play(begin(), "red:kesa"), CHANCE, "blue:?", BLUE),
        (dealt(), Seat(0), "?,?", RED),
        (dealt(field="advanced"), Seat(1), "?,?", BLUE),
    ]
    for match, actor, step, by in secrets:
        view = kiriai.view(match.state, by)
        with pytest.raises(IllegalStep):
            kiriai.seen(view, actor, Step(step), by)
        assert kiriai.seen(match.state, actor, match.legal(actor)[0], SPECTATOR) == step
        with pytest.raises(IllegalStep):
            match.seen_by(by).play(actor, Step(step))


def test_a_complete_position_takes_no_secret_plan_while_its_specials_are_held() -> None:
    for match in (dealt(), dealt(field="advanced"), play(dealt(), *ROUND_1)):
        for seat in match.actors:
            assert "say what it chooses" in refusal(match.state, seat, "?,?")


# --- Text and bytes ----------------------------------------------------------------------------

TEXT = """kiriai field=standard rounds=40
phase second round 2
red at 4,heaven wounds 1 aside high special kesa plan charge,kesa
blue at 5,earth wounds 0 aside charge|stance special ? plan low,?"""


def test_the_canonical_text_is_that_of_the_module() -> None:
    match = play(dealt(), *ROUND_1, "0 charge,kesa", "1 low,counter", "first:charge/low")
    assert kiriai.text(kiriai.view(match.state, RED)) == TEXT
    assert kiriai.__doc__ is not None
    assert TEXT.replace("\n", "\n    ") in kiriai.__doc__
    assert kiriai.text(begin(field="advanced", rounds=20).state).splitlines() == [
        "kiriai field=advanced rounds=20",
        "phase deal round 0",
        "red at - wounds 0 aside - special - plan -",
        "blue at - wounds 0 aside - special - plan -",
    ]
    started = play(dealt(field="advanced"), "0 2,earth").state
    assert kiriai.text(started).splitlines()[2] == (
        "red at - wounds 0 aside - special kesa start 2,earth"
    )
    over = kiriai.text(play(match, "second:kesa/counter").state).splitlines()
    assert over[2:] == [
        "red at 4,earth wounds 2 aside high spent kesa plan -",
        "blue at 5,earth wounds 0 aside charge|stance spent counter plan -",
        "over defeat 1",
    ]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("standard", "small", 1),
        ("rounds=40", "rounds=41", 1),
        ("second", "third", 2),
        ("second", "unveil", 2),
        ("round 2", "round 0", 2),
        ("round 2", "round 41", 2),
        ("round 2", "round 02", 2),
        ("at 4,heaven", "at 6,heaven", 3),
        ("at 4,heaven", "at 4,hell", 3),
        ("at 4,heaven", "at -", 3),
        ("wounds 1", "wounds 3", 3),
        ("aside high", "aside kesa", 3),
        ("aside high", "aside -", 3),
        ("aside high", "aside charge|stance", 3),
        ("special kesa", "special -", 3),
        ("special kesa", "special ?", 3),
        ("special kesa", "spent kesa", 3),
        ("special kesa", "special counter", 3),
        ("charge,kesa", "charge,stance", 3),
        ("charge,kesa", "charge,?", 3),
        ("charge,kesa", "kesa,charge", 3),
        ("plan charge", "start charge", 3),
        ("red at", "blue at", 3),
        ("at 5,earth", "at 3,earth", 4),
        ("special ?", "special kesa", 4),
        ("special ?", "spent ?", 4),
        ("low,?", "?,?", 4),
        ("low,?", "stance,?", 4),
        ("low,?", "low,high", 4),
        ("low,?", "-", 4),
        ("wounds 0", "wounds 2", 4),
        ("low,?", "low,?\nover defeat 0", 5),
    ],
)
def test_a_text_that_cannot_be_is_refused_with_its_line(old: str, new: str, line: int) -> None:
    assert kiriai.text(kiriai.parse(TEXT)) == TEXT
    with pytest.raises(BadNotation, match=f"line {line} "):
        kiriai.parse(TEXT.replace(old, new, 1))


@pytest.mark.parametrize(
    ("phase", "red", "blue", "line"),
    [
        ("deal round 0", "at - wounds 0 aside - special - plan -", "kesa", 4),
        ("deal round 0", "at - wounds 0 aside - special - plan -", "?", 4),
        ("deal round 0", "at - wounds 1 aside - special kesa plan -", "-", 3),
        ("deal round 0", "at - wounds 0 aside low special kesa plan -", "-", 3),
        ("deal round 0", "at - wounds 0 aside - spent kesa plan -", "-", 3),
        ("deal round 0", "at 1,heaven wounds 0 aside - special kesa plan -", "-", 3),
        ("deal round 0", "at - wounds 0 aside - special kesa plan ?,?", "-", 3),
        ("start round 0", "at - wounds 0 aside - special - start -", "kesa", 3),
        ("start round 0", "at - wounds 0 aside - special kesa start -", "-", 4),
        ("start round 0", "at - wounds 0 aside - special kesa start -", "kesa", 4),
        ("start round 0", "at - wounds 0 aside - special kesa start 5,earth", "counter", 3),
        ("start round 0", "at - wounds 0 aside - special kesa start ?,?", "counter", 3),
        ("unveil round 0", "at - wounds 0 aside - special kesa start 3,earth", "counter", 4),
        ("plan round 1", "at 1,heaven wounds 0 aside low special kesa plan -", "counter", 3),
        ("plan round 2", "at 1,heaven wounds 0 aside - special kesa plan -", "counter", 3),
        ("plan round 1", "at 1,heaven wounds 0 aside - special kesa plan -", "kesa", 4),
        ("plan round 1", "at 6,heaven wounds 0 aside - special kesa plan -", "counter", 4),
        ("first round 1", "at 1,heaven wounds 0 aside - special kesa plan high,low", "counter", 4),
        ("plan round 1", "at 1,heaven wounds 2 aside - special kesa plan -", "counter", 4),
        ("over round 1", "at 1,heaven wounds 1 aside - special kesa plan -", "counter", 4),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_its_line(
    phase: str, red: str, blue: str, line: int
) -> None:
    at = "-" if phase.endswith("0") else "5,heaven"
    choice = "start" if "start" in red else "plan"
    other = f"at {at} wounds 0 aside {'low' if '2' in phase else '-'} special {blue} {choice} -"
    with pytest.raises(BadNotation, match=f"line {line} "):
        position(phase, red, other, field="advanced")


def test_two_samurai_cannot_fall_together() -> None:
    sides = [
        f"at {space},heaven wounds 2 aside low special {card} plan -"
        for space, card in ((1, "kesa"), (5, "counter"))
    ]
    with pytest.raises(BadNotation, match="only one samurai can fall"):
        position("over round 20", sides[0], sides[1], rounds=20)


def test_what_is_short_or_no_text_at_all_is_refused() -> None:
    for said in ("", "\n\n", "kiriai", TEXT.splitlines()[0], "\n".join(TEXT.splitlines()[:3])):
        with pytest.raises(BadNotation):
            kiriai.parse(said)


# --- Random matches ----------------------------------------------------------------------------


SETUPS = list(setups(kiriai))
NAMES = [f"{setup.options['field']}-{setup.options['rounds']}" for setup in SETUPS]


def mirrored(match: Match) -> Match:
    spaces = kiriai.SPACES[match.state.field]
    turned: list[tuple[Actor, str]] = []
    for one in match.steps():
        name, _, rest = one.step.rpartition(":")
        if one.actor != CHANCE:
            turned.append((Seat(1 - one.actor), _turned(rest, spaces)))
        elif name in kiriai.NAMES:  # red's comes first here, too
            turned.insert(0, (CHANCE, f"{'blue' if name == 'red' else 'red'}:{rest}"))
        else:
            red, blue = rest.split("/")
            turned.append((CHANCE, f"{name}:{_turned(blue, spaces)}/{_turned(red, spaces)}"))
    other = Match.begin(match.setup)
    for actor, step in turned:
        other = other.play(actor, Step(step))
    return other


def _turned(part: str, spaces: int) -> str:
    return f"{spaces + 1 - int(part[0])}{part[1:]}" if part[0].isdigit() else part


@pytest.mark.parametrize("setup", SETUPS, ids=NAMES)
def test_the_game_is_the_same_from_both_sides(setup: Setup) -> None:
    spaces = kiriai.SPACES[str(setup.options["field"])]
    for seed in range(5):
        match = walk(setup, 100 + seed)
        other = mirrored(match)
        sides = [
            Side(spaces + 1 - s.space, s.stance, s.wounds, s.aside, s.special, s.spent, s.secret)
            for s in reversed(match.state.sides)
        ]
        assert other.state == State(
            match.state.field, match.state.rounds, "over", match.state.round, (sides[0], sides[1])
        )
