"""Kiri-ai on the table: the strip and the cards, what is open and what is not, and in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, permutations, product

import pytest

from kumite.core.game import CHANCE, SPECTATOR, Seat, Seats, Setup, Step
from kumite.core.games.kiriai import rules as kiriai
from kumite.core.games.kiriai.action import BASIC, FACES, SPECIALS
from kumite.core.games.kiriai.state import State
from kumite.core.match import Match
from kumite.tui.drawing.pixels import SKY, Brush, cells_of
from kumite.tui.drawing.stage import stage_rows
from kumite.tui.games.kiriai.lessons import TASKS
from kumite.tui.games.kiriai.picture import HIT_POSES, brief, called
from kumite.tui.lessons.judging import Task
from kumite.tui.look.glyphs import ASCII, KANJI, LETTERS, Look
from kumite.tui.look.sprites import Skin
from kumite.tui.scenes import Scene, last_interlude, maker_of, past
from kumite.tui.scenes.lines import plain
from kumite.tui.scenes.model import Happening, scene_text
from kumite.tui.scenes.motion import Frame
from tests.support import scene_laws
from tests.support.goldens import check
from tests.support.kiriai_positions import BLUE, RED, dealt, play, position, showing
from tests.support.random_matches import walk
from tests.support.scene_laws import FIELD, INNER, LOOKS, NAMES, ROWS, SIDE

makes = maker_of("kiriai")
NAMES = NAMES[:2]

START = dealt().state
PLANNED = play(dealt(), "0 charge,kesa").state
PAUSE = position(
    "second round 3",
    "at 3,earth wounds 1 aside high special kesa plan charge,kesa",
    "at 5,heaven wounds 0 aside charge|stance spent zantetsu plan retreat,balanced",
)
RESTED = (
    "at 2,earth wounds 1 aside approach|retreat spent kesa plan -",
    "at 4,earth wounds 1 aside high special counter plan -",
)
LATE = position("plan round 9", *RESTED)
FALLEN = kiriai.parse(
    """kiriai field=standard rounds=40
phase over round 6
red at 4,heaven wounds 1 aside low spent zantetsu plan -
blue at 4,earth wounds 2 aside approach|retreat special kesa plan -
over defeat 0"""
)
TURNED = ("first:charge/stance", "second:high/retreat")
ADVANCED = dealt(field="advanced").state
CHOSEN = play(dealt(field="advanced"), "0 3,earth").state

SHOWN: dict[str, tuple[State, int | None]] = {
    "start-red": (START, 0),
    "start-spectator": (START, None),
    "planned-red": (PLANNED, 0),
    "planned-blue": (PLANNED, 1),
    "pause-red": (PAUSE, 0),
    "pause-spectator": (PAUSE, None),
    "late-blue": (LATE, 1),
    "over-spectator": (FALLEN, None),
    "advanced-red": (ADVANCED, 0),
    "advanced-chosen-red": (CHOSEN, 0),
    "advanced-chosen-blue": (CHOSEN, 1),
}
FRAMES = {
    "start-red": LETTERS,
    "planned-blue": LETTERS,
    "pause-spectator": KANJI,
    "late-blue": ASCII,
    "over-spectator": LETTERS,
}


def eyes(you: int | None) -> Seats:
    return SPECTATOR if you is None else frozenset({Seat(you)})


def shown(state: State, you: int | None, look: Look = LETTERS) -> Scene:
    seat = None if you is None else Seat(you)
    return makes.scene(kiriai.view(state, eyes(you)), NAMES, look, seat)


def seen(match: Match, you: int) -> Scene:
    """Return the scene of a match with what has happened, as at a table."""
    view = match.seen_by(eyes(you))
    return makes.scene(view.state, NAMES, LETTERS, Seat(you), past(view))


def hint(state: State, seat: int, step: str) -> str:
    view = kiriai.view(state, eyes(seat))
    return plain(makes.preview(view, Seat(seat), Step(step), LETTERS))


def last_told(match: Match, by: Seats = SPECTATOR) -> str:
    after = match.seen_by(by)
    before = after.before
    return makes.narrate(before.state, after.last.actor, after.last.step, after.state, NAMES)


# --- What is shown -----------------------------------------------------------------------------


@pytest.mark.golden
@pytest.mark.parametrize(("name", "look"), FRAMES.items(), ids=str)
def test_scenes_look_as_they_did(name: str, look: Look) -> None:
    check(f"kiriai-{name}-{look.name}", scene_text(shown(*SHOWN[name], look)))


@pytest.mark.parametrize("name", SHOWN)
def test_the_largest_squares_fit_beside_cards_and_hand(name: str) -> None:
    scene = shown(*SHOWN[name])
    assert len(scene.board.columns) * 6 + 5 <= FIELD
    assert 2 * 3 + 1 + len(scene.picture) + scene_laws.tray_height(scene) <= ROWS


def test_both_samurai_can_stand_on_one_space_and_the_fallen_one_is_marked() -> None:
    rows = shown(FALLEN, None).board.rows
    assert ["".join(cell.glyph for cell in row) for row in rows] == ["···H·", "···×·"]
    assert [rows[seat][3].role for seat in (0, 1)] == ["base-0", "base-1"]


def test_the_hand_has_every_face_but_those_aside_spent_or_planned() -> None:
    names = [
        [chip.name for chip in shown(*SHOWN[name]).tray] for name in ("start-red", "late-blue")
    ]
    assert names == [
        ["approach", "retreat", "charge", "stance", "high", "low", "balanced", "kesa"],
        ["approach", "retreat", "charge", "stance", "low", "balanced", "counter"],
    ]
    assert [chip.name for chip in shown(LATE, 0).tray] == [
        *("charge", "stance", "high", "low", "balanced")
    ]
    assert [chip.text for chip in shown(PLANNED, 0).tray] == [
        *("approach/", "retreat", "high", "low", "balanced")
    ]
    assert shown(START, None).tray == ()


@pytest.mark.parametrize("names", [NAMES, ("Wolfgang Amadeus Mozart", "Wilhelmina Bartholomew")])
def test_a_narrow_stage_says_who_has_planned_and_what_is_set_aside_or_spent(
    names: tuple[str, str],
) -> None:
    state = position("plan round 9", RESTED[0].replace("-", "?,?"), RESTED[1])
    stage = makes.scene(state, names, LETTERS, Seat(1)).stage
    assert stage is not None
    text = "\n".join(plain(line) for line in stage_rows(stage, Brush(Skin()), 60, 11))
    assert " planned" in text
    assert "aside Approach/Retreat; spent Kesa" in text


def test_the_last_round_lies_open_until_both_have_planned_again() -> None:
    """A plan that is hidden covers nothing; one's own lies before oneself."""
    match = play(dealt(), "0 charge,high", "1 stance,retreat", *TURNED)
    for own, step in ((0, "1 charge,low"), (1, "0 stance,low")):
        made = seen(play(match, step), own)
        assert made.spread is not None
        assert "has planned" in "".join(map(plain, made.stage.words[0]))
        assert all(group.labels[0][0] == "last round" for group in made.spread.groups)
        assert all(card.is_dim for group in made.spread.groups for card in group.cards)
        notes = [[card.note for card in group.cards] for group in made.spread.groups]
        assert notes == [["1 → 3", "× hit"], ["▲ → ▼", "no room"]]
        assert [figure.came_from for figure in made.stage.figures] == [0, 4]
        faces = [[card.title for card in group.cards] for group in made.spread.groups]
        assert faces == [["Charge", "High Strike"], ["Stance", "Retreat"]]
    made = seen(play(match, "1 charge,low", "0 stance,low"), 0)
    assert made.spread is not None
    assert [[card.title for card in group.cards] for group in made.spread.groups] == [
        ["Stance", "Low Strike"], ["", ""],
    ]  # fmt: skip


@pytest.mark.parametrize("own", [Seat(0), Seat(1)])
def test_the_first_chosen_card_lies_in_its_owners_plan(own: Seat) -> None:
    match = play(dealt(), "0 charge,high", "1 stance,retreat", *TURNED)
    view, before = match.seen_by(eyes(own)).state, seen(match, own)
    made = makes.laid(before, view, own, ("low",), NAMES, LETTERS)
    assert made.spread is not None
    assert before.spread is not None
    group = made.spread.groups[own]
    assert group.labels[0][0] == "plan"
    assert [(card.title, card.is_dim) for card in group.cards] == [
        ("Low Strike", False), ("", False),
    ]  # fmt: skip
    assert group.cards[1].is_place
    assert made.spread.groups[1 - own] == before.spread.groups[1 - own]
    first, second = (plain(line).split() for line in made.picture[3:5])
    assert [first[1 + own], second[1 + own]] == ["[Low", "-"]


def test_the_round_that_is_told_is_the_one_whose_cards_are_turned_over() -> None:
    match = walk(Setup.of(kiriai), 5, longest=60)
    turned = [
        one for one in match.line() if one.last and one.last.step.startswith(("first:", "second:"))
    ]
    for at in turned:
        assert at.before is not None
        shown, number = last_interlude(makes, at, NAMES), at.before.state.round
        assert shown is not None
        then = {"second": "the second cards", "over": "the result"}
        assert shown.then == then.get(at.state.phase, f"round {number + 1}")
        made = makes.scene(shown.view, NAMES, LETTERS, None, past(at))
        assert made.where == f"round {number} of 40"
        facts = [plain(line) for line in made.facts]
        assert facts[0] == made.where.capitalize()
        assert "Each plans two cards." not in facts
        labels = {group.labels[0][0] for group in made.spread.groups}
        assert labels == {"last round" if at.outcome else "plan"}


@pytest.mark.parametrize(
    ("red", "blue", "step", "wanted"),
    [
        ("2H", "4H", "high/retreat", ["miss at 3", "4 → 5"]),
        ("2H", "3H", "high/stance", ["miss at 1", "▲ → ▼"]),
        ("2H", "3H", "low/stance", ["miss in ▲", "▲ → ▼"]),
        ("2H", "4H", "high/high", ["= meet", "= meet"]),
        ("2H", "4H", "high/counter", ["↺ return", "× hit"]),
        ("2H", "5H", "charge/counter", ["2 → 4", "no blow"]),
        ("1H", "2E", "retreat/stance", ["no room", "▼ → ▲"]),
    ],
)
def test_what_came_of_a_card_is_marked_by_its_shape(
    red: str, blue: str, step: str, wanted: list[str]
) -> None:
    before, shows = showing(red, blue, step), Step(f"first:{step}")
    after = kiriai.apply(before, CHANCE, shows)
    happened = [Happening(before, CHANCE, shows, after)]
    groups = makes.scene(after, NAMES, LETTERS, None, happened).spread.groups
    assert [group.cards[0].note for group in groups] == wanted
    legend = {sign.cell.glyph for sign in makes.signs(after, NAMES, LETTERS)}
    assert {note for note in wanted if note[0] in "×·=↺"} <= legend


def test_before_the_start_nobody_stands_on_the_bridge() -> None:
    """They seemed to stand on 1 and 7, where nobody can begin."""
    scene = makes.scene(ADVANCED, NAMES, LETTERS, Seat(0))
    assert scene.stage is not None
    assert [figure.sign for figure in scene.stage.figures] == ["", ""]
    planks = stage_rows(scene.stage, Brush(Skin()), 60, 16, None)
    assert not any("on-seat/" in ink for row in planks for _, ink in row)


def test_the_sign_of_a_samurai_stands_beside_their_name_and_in_the_legend() -> None:
    scene = shown(START, 0)
    for seat, name in enumerate(NAMES):
        sign = LETTERS.solid[seat]
        assert scene.stage.figures[seat].sign == sign
        assert plain(scene.stage.words[0][2 * seat]).startswith(f"{sign} {name}")
        legend = [sign.cell.glyph for sign in makes.signs(START, NAMES, LETTERS)]
        assert any(sign in glyph and "RB"[seat] in glyph for glyph in legend)


def test_where_one_begins_is_chosen_on_the_own_row_and_then_beside_it() -> None:
    choices = (0, ["2", "3", "4"], "kesa"), (1, ["4", "5", "6"], "counter")
    for seat, names, special in choices:
        scene = shown(ADVANCED, seat)
        named = [[cell.name for cell in row if cell.name] for row in scene.board.rows]
        assert named == [names if row == seat else [] for row in (0, 1)]
        assert scene.board.home == names[1]
        assert [chip.name for chip in scene.tray] == ["heaven", "earth", special]


def test_while_cards_are_planned_the_board_has_nothing_to_choose() -> None:
    assert not any(cell.name for row in shown(START, 0).board.rows for cell in row)


@pytest.mark.parametrize(
    ("distance", "marked"),
    list(enumerate(["balanced kesa H", "low E kesa H", "high H zantetsu E", "zantetsu E", ""])),
)
def test_the_pointer_stands_at_the_distance_there_is(distance: int, marked: str) -> None:
    red, blue = (f"at {space},heaven wounds 0 aside - " for space in (1, 1 + distance))
    state = position("plan round 1", f"{red}special kesa plan -", f"{blue}special counter plan -")
    for look in LOOKS:
        lines = shown(state, None, look).picture[-3:]
        lit = [text.strip() for line in lines for text, role in line if role != "quiet"]
        wanted = marked.replace(" H", "天").replace(" E", "地") if look.has_kanji else marked
        assert " ".join(lit[1:]).strip() == wanted
        assert lit[:1] == ([f"{look.pointer} at {distance}"] if marked else [])


def test_a_first_card_that_was_turned_over_stands_out_by_brackets_and_by_role() -> None:
    for state, texts, roles in (
        (PAUSE, ["Charge", "Retreat"], {"title"}),
        (play(dealt(), "0 charge,kesa").state, ["[Charge]", "-"], {"", "quiet"}),
    ):
        _, *spans = next(line for line in shown(state, 0).picture if "first" in plain(line))
        assert [text.strip() for text, _ in spans] == texts
        assert {role for _, role in spans} == roles


def test_wounds_and_who_is_to_act_are_seen_without_colours() -> None:
    assert [plain(line).split() for line in shown(PAUSE, 0, ASCII).seats[1:]] == [
        ["R", "ada", "(you)", "x."],
        ["B", "bob", ".."],
    ]
    assert [plain(line).split() for line in shown(PLANNED, 0, ASCII).seats[1:]] == [
        ["R", "ada", "(you)", ".."],
        [">", "B", "bob", ".."],
    ]


@pytest.mark.parametrize(("columns", "rows"), [(60, 11), (72, 13), (80, 14), (49, 21)])
@pytest.mark.parametrize("you", [0, 1, None])
def test_which_cards_cannot_be_played_is_said_whole(columns: int, rows: int, you: int) -> None:
    """Where rows are few, nobody sees the other's hand; where columns are few, a replay does."""
    for specials, asides, spent in product(
        permutations(SPECIALS, 2),
        product(BASIC[:2], repeat=2),  # those with the most letters
        product(("spent", "special"), repeat=2),
    ):
        red, blue = (
            f"at 3,earth wounds 1 aside {aside} {held} {special} plan -"
            for special, aside, held in zip(specials, asides, spent, strict=True)
        )
        state = position("plan round 5", red, blue)
        view = state if columns == 49 else kiriai.view(state, eyes(you))
        scene = makes.scene(view, NAMES, LETTERS, None if you is None else Seat(you))
        assert scene.stage is not None
        drawn = stage_rows(scene.stage, Brush(Skin()), columns, rows, scene.spread)
        said = " ".join(map(plain, drawn[-6:]))
        assert LETTERS.more not in said
        for side in state.sides:
            lacking = [*side.aside.split("|"), *[side.special] * side.spent]
            assert all(brief(face) in said for face in lacking)


def test_what_lies_aside_is_not_told_after_the_end() -> None:
    red = "at 3,earth wounds 1 aside high spent kesa plan -"
    blue = "at 4,earth wounds 1 aside low special counter plan -"
    playing = position("plan round 6", red, blue)
    for state, said in (
        (playing, "set aside: High Strike; spent: Kesa Giri"),
        (replace(playing, phase="over"), ""),
    ):
        scene = makes.scene(state, NAMES, LETTERS, Seat(0))
        assert scene.stage is not None
        assert plain(scene.stage.words[1][0]) == said


# --- What stays secret -------------------------------------------------------------------------


def others(state: State, seat: int) -> Iterator[State]:
    """Yield positions that differ in what only this seat sees: its special and its choice."""
    lines = kiriai.text(state).split("\n")
    side = state.sides[seat]
    if side.spent or not side.special:
        return
    head, _, _ = lines[2 + seat].partition(" special ")
    kind = "start" if state.phase in ("start", "unveil") else "plan"
    first = side.secret.partition(",")[0] if state.phase == "second" else ""
    for special in set(SPECIALS) - {state.sides[1 - seat].special}:
        secrets = ("-",)
        if side.secret and kind == "start":
            secrets = kiriai.STARTS[seat]
        elif side.secret:
            plans = kiriai.plans(side.aside, special)
            secrets = tuple(plan for plan in plans if plan.startswith(first))
        for secret in secrets:
            lines[2 + seat] = f"{head} special {special} {kind} {secret}"
            yield kiriai.parse("\n".join(lines))


@pytest.mark.parametrize("field", ["standard", "advanced"])
def test_what_is_secret_changes_nothing_that_others_see_or_read(field: str) -> None:
    compared = 0
    match = walk(Setup.of(kiriai, 2, {"field": field}), 4, longest=30)
    for before, after in pairwise(match.line()):
        actor, step = after.last.actor, after.last.step
        for owner, you in ((0, 1), (1, 0), (0, None), (1, None)):
            scene = shown(after.state, you)
            for state in others(after.state, owner):
                assert shown(state, you) == scene
                compared += 1
            if actor == owner:
                view = kiriai.view(before.state, eyes(you))
                seen = kiriai.seen(before.state, actor, step, eyes(you))
                said = makes.narrate(view, actor, seen, kiriai.apply(view, actor, seen), NAMES)
                assert not {*FACES, "heaven", "earth"} & set(said.replace(",", " ").split())
    assert compared > 100


def test_what_was_turned_over_is_told_alike_to_everybody() -> None:
    match = walk(Setup.of(kiriai), 5, longest=60)
    for at in match.line():
        if at.last is not None and at.last.step.startswith(("first:", "second:")):
            assert len({last_told(at, by) for by in (RED, BLUE, SPECTATOR)}) == 1


def films(matches: int) -> Iterator[tuple[Scene, tuple[Frame, ...], Scene]]:
    """Yield the motions of cards that are turned, with the scenes before and after."""
    for number in range(matches):
        for before, after in pairwise(walk(Setup.of(kiriai), number, longest=60).line()):
            old, new = (
                makes.scene(one.state, NAMES, LETTERS, None, past(one)) for one in (before, after)
            )
            if frames := makes.frames(old, new, after.last.step):
                yield old, frames, new


def test_who_walks_into_a_blow_falls_where_he_arrives() -> None:
    """A samurai who was killed walked to his plank lying down."""
    walked = 0
    for old, frames, new in films(20):
        for was, then in zip(old.stage.figures, new.stage.figures, strict=True):
            shown = [frame.scene.stage.figures[was.seat] for frame in frames]
            if was.place == then.place:
                assert {one.sprite for one in shown} <= {was.sprite, then.sprite}
                continue
            moved = [one for one in shown if one.place != was.place]
            arrived = next(n for n, one in enumerate(moved) if one.place == then.place)
            assert not HIT_POSES & {one.sprite for one in moved[: arrived + 1]}
            walked += 1
    assert walked > 20


def test_a_wound_lights_who_was_hit_once_and_what_came_of_it_is_told_after_that() -> None:
    hits = 0
    for old, frames, new in films(6):
        lives = [scene.stage.words[0] for scene in (old, new)]
        lit = [[one.seat for one in f.scene.stage.figures if one.is_struck] for f in frames]
        assert all(frame.scene.stage.words[0] == lives[0] for frame in frames)
        cards = (c for f in frames for group in f.scene.spread.groups for c in group.cards)
        assert not any("hit" in card.note for card in cards)
        wounded = [one.seat for one in new.stage.figures if one.sprite in HIT_POSES]
        assert [seats for seats in lit if seats] == [wounded] * bool(wounded)
        hits += bool(wounded)
    assert hits > 5


SKIES = [(40, 15), (50, 19), (60, 17), (70, 27), (72, 19), (80, 21), (88, 33), (120, 46)]


@pytest.mark.parametrize(("columns", "rows"), SKIES)  # of stages in windows from 60x20 to 160x50
def test_the_bridge_keeps_its_place_as_somebody_walks_and_nobody_touches_the_cards(
    columns: int, rows: int
) -> None:
    """Its planks changed their widths with every step, and it rose as the last step was told."""
    for _, frames, new in films(1):
        bridges = set()
        for scene in (*(frame.scene for frame in frames), new):
            assert scene.stage is not None
            drawn = stage_rows(scene.stage, Brush(Skin()), columns, rows, scene.spread)
            for y, row in enumerate(map(cells_of, drawn)):
                planks = ("/bridge!", "/seat-0!", "/seat-1!")
                bridge = [x for x, (_, ink) in enumerate(row) if ink.endswith(planks)]
                numbers = [x for x in bridge if row[x][0].isdecimal()]
                bridges |= {(y, *numbers)} if numbers else set()
                sky = [set(ink.split("/")) - {""} for _, ink in row if "stage-" in ink]
                assert not sky or sky[0] | sky[-1] <= set(SKY)
        assert len(bridges) == 1


# --- Words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "step", "said"),
    [
        (0, "charge,high", "Charge to 4, then High Strike misses: at 2 only"),
        (0, "stance,high", "Stance to Heaven, then High Strike hits and wins"),
        (0, "balanced,charge", "Balanced Strike misses: at 0 only, then Charge to 4"),
        (1, "counter,retreat", "Counterattack awaits a blow, then Retreat to 5"),
        (1, "approach,low", "Approach to 3, then Low Strike hits and wins"),
    ],
)
def test_a_preview_supposes_that_the_opponent_waits(seat: int, step: str, said: str) -> None:
    assert hint(LATE, seat, step) == f"if they wait: {said}"


def test_a_blow_in_the_wrong_stance_says_so_and_one_that_wins_ends_the_preview() -> None:
    said = "if they wait: High misses: Heaven only, then Low misses: at 1 only"
    assert hint(LATE, 0, "high,low") == said  # with full names there is no room for it
    state = position(
        "plan round 2",
        "at 3,heaven wounds 0 aside low special zantetsu plan -",
        "at 5,heaven wounds 1 aside low special counter plan -",
    )
    assert hint(state, 0, "high,charge") == (
        "if they wait: High Strike hits and wins, Charge stays face down"
    )
    said = "if they wait: High Strike hits, then Retreat has no room"
    assert hint(state, 1, "high,retreat") == said


def test_a_special_card_says_that_it_works_once_where_it_is_pointed_at_and_asked_for() -> None:
    view, things = kiriai.view(START, RED), makes.things(START)
    for face in FACES:
        said = makes.pick(view, Seat(0), (), face).order
        assert said.endswith("(special: works once)") == (face in SPECIALS)
        assert things[face].endswith("; a special card, which works once") == (face in SPECIALS)
    assert things["special"].endswith("is dealt to each; it works once")


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("approach,charge", "it ends at distance 1 if seat 1 waits, with Kesa Giri ready"),
        ("approach,retreat", "it ends at distance 4 if seat 1 waits, too far for every basic blow"),
    ],
)
def test_a_hint_says_the_distance_and_why_nobody_hits_there(step: str, said: str) -> None:
    assert makes.why_good(kiriai.view(START, RED), Seat(0), Step(step)).startswith(said)


@pytest.mark.parametrize(
    ("own", "theirs", "said"),
    [
        ("kesa", "zantetsu", "with Kesa Giri ready for the next round"),
        ("spent", "kesa", "where Kesa Giri reaches"),
        ("spent", "?", "where Kesa Giri could reach"),
        ("counter", "zantetsu", "where nobody can strike: Low Strike needs Earth"),
    ],
)
def test_a_hint_counts_special_cards_among_those_that_strike(
    own: str, theirs: str, said: str
) -> None:
    """Red goes to distance 1 in Heaven, where no basic blow hits."""
    view = kiriai.view(START, RED)
    red, blue = view.sides
    special = "zantetsu" if own == "spent" else own
    sides = replace(red, special=special, spent=own == "spent"), replace(blue, special=theirs)
    good = makes.why_good(replace(view, sides=sides), Seat(0), Step("approach,charge"))
    assert good == f"it ends at distance 1 if seat 1 waits, {said}"


def test_a_move_without_room_is_what_is_wrong_with_a_plan_first() -> None:
    near = position("plan round 2", RESTED[0].replace("2,", "4,"), RESTED[1])
    view = kiriai.view(near, RED)
    bad = makes.why_bad(view, Seat(0), Step("charge,balanced"), Step("balanced,stance"))
    assert bad.startswith("has no room to charge")
    assert "no room" not in makes.why_bad(view, Seat(0), Step("balanced,stance"), Step("high,low"))


def test_a_start_says_how_far_the_other_can_be() -> None:
    near, far = (hint(ADVANCED, *way) for way in ((1, "4,heaven"), (0, "2,earth")))
    assert near == "begin on space 4 in Heaven   the other will be 0 to 2 away"
    assert far == "begin on space 2 in Earth   the other will be 2 to 4 away"


TOLD = """
1H 5H charge/charge ada charges to 3; bob charges to 3; distance 0
2E 3E approach/approach ada has no room to approach; bob has no room to approach;
1H 2H retreat/high ada has no room to retreat; bob's High Strike misses at distance 1 (strikes at 2
1H 5H high/charge bob charges to 3; ada's High Strike hits bob; distance 2
2H 4H high/high ada's High Strike and bob's High Strike: the swords meet
3H 3E kesa/balanced ada's Kesa Giri, now in Earth and bob's Balanced Strike: the swords meet
2H 3E low/low ada's Low Strike misses in Heaven (needs Earth); bob's Low Strike hits ada
2H 4H high/counter ada's High Strike is turned back; bob's Counterattack hits ada
2E 4H high/counter ada's High Strike misses in Earth (needs Heaven); bob's Counterattack meets no
2E 4H counter/high bob's High Strike is turned back; ada's Counterattack hits bob
2H 4H kesa/retreat bob retreats to 5; ada's Kesa Giri misses at distance 3 (strikes at 0 or 1
2H 4H zantetsu/stance bob turns to Earth; ada's Zan-Tetsu misses in Heaven (needs Earth), now in
"""


@pytest.mark.parametrize("row", TOLD.strip().splitlines())
def test_what_two_cards_do_is_told(row: str) -> None:
    red, blue, step, said = row.split(maxsplit=3)
    before, shows = showing(red, blue, step), Step(f"first:{step}")
    told = makes.narrate(before, CHANCE, shows, kiriai.apply(before, CHANCE, shows), NAMES)
    assert told.startswith(f"round 1, first: {said}")


def test_choices_are_told_as_far_as_they_are_known() -> None:
    match = play(dealt(field="advanced"), "0 3,earth")
    assert last_told(match, RED) == "ada will begin on 3 in Earth"
    assert last_told(match, BLUE) == "ada chooses a start in secret"
    match = play(match, "1 5,heaven", "start:3,earth/5,heaven")
    assert last_told(match) == "ada begins on 3 in Earth, bob on 5 in Heaven: distance 2"
    match = play(match, "1 high,low")
    assert last_told(match, BLUE) == "bob plans High Strike, then Low Strike"
    assert last_told(match, RED) == "bob plans in secret"


def test_the_deal_is_one_event() -> None:
    assert [last_told(match, RED) for match in dealt().line()[1:]] == [
        "",
        "each is dealt a special card",
    ]


def test_the_wound_that_ends_the_duel_is_told_and_reasons_have_words() -> None:
    before = position(
        "first round 3",
        "at 2,heaven wounds 0 aside low special kesa plan high,charge",
        "at 4,earth wounds 1 aside low special counter plan stance,high",
    )
    shows = Step("first:high/stance")
    after = kiriai.apply(before, CHANCE, shows)
    assert makes.narrate(before, CHANCE, shows, after, NAMES) == (
        "round 3, first: bob turns to Heaven; ada's High Strike hits bob, the second wound"
    )
    assert [makes.reason(after, code) for code in ("defeat", "decision", "limit")] == [
        "the second wound decides the duel",
        "the last round is over; fewer wounds win",
        "the last round is over, and the wounds are equal",
    ]


@pytest.mark.parametrize("face", FACES)
def test_every_card_says_what_it_does(face: str) -> None:
    said = makes.label(face, LETTERS)
    assert said.startswith(f"{called(face, LETTERS)}: ")
    assert len(said) <= INNER + SIDE


def test_labels_follow_the_table_of_the_rules() -> None:
    assert (
        makes.label("kesa", ASCII) == "Kesa Giri: strikes at distance 0 or 1, in Heaven, then Earth"
    )
    assert makes.label("balanced", ASCII) == (
        "Balanced Strike: strikes at distance 0, in either stance"
    )
    assert [makes.label(part, ASCII) for part in ("3", "earth")] == ["on space 3", "in Earth"]


@pytest.mark.parametrize(
    ("state", "parts", "why"),
    [
        (START, "high high", "high and high are the same card; a plan takes two"),
        (START, "charge stance", "charge and stance are the same card; a plan takes two"),
        (START, "charge", None),
        (START, "charge high", ""),
        (ADVANCED, "3", None),
        (ADVANCED, "3 4", None),
        (ADVANCED, "3 earth", ""),
    ],
)
def test_what_cannot_be_planned_is_explained_by_the_rules(
    state: State, parts: str, why: str | None
) -> None:
    step = makes.step_from_parts(kiriai.view(state, RED), Seat(0), tuple(parts.split()))
    assert (kiriai.why(kiriai.view(state, RED), Seat(0), step) if step else None) == why


# --- The lesson --------------------------------------------------------------------------------


def solves(task: Task, plan: Step) -> bool:
    """Return whether a plan does the task before the round is over."""
    state = kiriai.parse(task.position)
    match = Match.begin(Setup.of(kiriai), None, state).play(task.seat, plan)
    while match.actors == (CHANCE,):
        (step,) = match.legal(CHANCE)
        match = match.play(CHANCE, step)
        if task.is_done(match):
            return True
    return False


@pytest.mark.parametrize(
    ("task", "count"),
    list(zip(TASKS, (6, 8, 1, 1, 2, 6, 6, 6, 10), strict=True)),
    ids=[task.title for task in TASKS],
)
def test_few_plans_do_a_task_of_the_lesson(task: Task, count: int) -> None:
    state = kiriai.parse(task.position)
    solving = [plan for plan in kiriai.legal(state, task.seat) if solves(task, plan)]
    assert len(solving) == count
    assert task.solution[0] in solving


def test_a_hand_in_words_has_the_special_until_it_is_spent() -> None:
    def told(state: State, seat: int) -> str:
        view = kiriai.view(state, eyes(seat))
        (line,) = (one for one in makes.position(view, NAMES, Seat(seat)) if "Your hand" in one)
        return line

    assert "Zan-Tetsu" not in told(PAUSE, 1)
    assert "Counter" in told(LATE, 1)
    assert "Kesa" not in told(LATE, 0)
