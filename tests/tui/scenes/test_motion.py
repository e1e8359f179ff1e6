"""Motion: what is shown on the way leads to what is there, and tells nobody more than that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, groupby, pairwise, product
from random import Random

import pytest

from kumite.core.game import CHANCE, SPECTATOR, Seat, Seats, Setup, Step
from kumite.core.games import GAMES
from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kumo.state import SQUARES
from kumite.core.match import Match
from kumite.tui import scenes
from kumite.tui.drawing.grid import SIZES
from kumite.tui.drawing.pixels import Brush
from kumite.tui.drawing.spread import spread_rows
from kumite.tui.drawing.squares import Marks, square
from kumite.tui.games.kumo.scene import turned
from kumite.tui.look import colors
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.sprites import Skin
from kumite.tui.play import motion
from kumite.tui.scenes import Scene
from kumite.tui.scenes.lines import cut
from kumite.tui.scenes.model import Happening
from kumite.tui.scenes.motion import Frame
from tests.support import kumo_positions
from tests.support.random_matches import short_setup, walk

NAMES = ("ada", "bob", "cid", "dan", "eve", "fay")
EVERY = [(game_id, seats) for game_id, game in GAMES.items() for seats in game.SEATS]
LONGEST = 120  # steps of a match whose frames are all looked at
SECONDS = 6.0  # that one step may take: a complete trick is counted, and a clan climbs


def seen_from(match: Match, by: Seats | None) -> Match:
    return match if by is None else match.seen_by(by)


def steps_of(match: Match) -> Iterator[tuple[Match, Scene, Scene, tuple[Frame, ...]]]:
    """Yield each position with the scenes before and after its step, and the frames between."""
    makes = scenes.maker(match)
    names = NAMES[: match.setup.seats]
    for after in match.line()[1:]:
        assert after.before is not None
        assert after.last is not None
        old = motion.scene_of(makes, after.before, names, LETTERS, None)
        new = motion.scene_of(makes, after, names, LETTERS, None)
        yield after, old, new, makes.frames(old, new, after.last.step)


def standing(scene: Scene) -> dict[str, tuple[str, int | None]]:
    return {
        cell.name: (cell.sprite, cell.owner)
        for row in scene.board.rows
        for cell in row
        if cell.name and cell.sprite
    }


@pytest.mark.parametrize(("game_id", "seats"), EVERY)
def test_frames_are_few_and_short_and_of_one_board(game_id: str, seats: int) -> None:
    match = walk(short_setup(game_id, seats), 3, LONGEST)
    kinds = set()
    for after, _, new, frames in steps_of(match):
        kinds.add((bool(frames), after.last.actor == CHANCE))
        assert sum(frame.seconds for frame in frames) <= SECONDS
        for frame in frames:
            assert frame.seconds > 0
            assert [len(row) for row in frame.scene.board.rows] == [
                len(row) for row in new.board.rows
            ]
            assert bool(frame.scene.stage) == bool(new.stage)
            assert bool(frame.scene.climb) == bool(new.climb)
    assert any(moves for moves, _ in kinds)


def lit(scene: Scene) -> set[object]:
    """Return what a frame lights up: figures, and squares on which something is captured."""
    squares = {cell.name for row in scene.board.rows for cell in row if cell.ground == "capture"}
    figures = scene.stage.figures if scene.stage is not None else ()
    return {*squares, *(figure.seat for figure in figures if figure.is_struck)}


@pytest.mark.parametrize(("game_id", "seats"), EVERY)
def test_nothing_flashes_more_than_three_times_a_second(game_id: str, seats: int) -> None:
    """Faster flashes can bring on seizures."""
    flashes = 0
    for seed in range(4):
        for *_, frames in steps_of(walk(short_setup(game_id, seats), seed, LONGEST)):
            now, before, since = 0.0, set[object](), dict[object, float]()
            for frame in frames:
                for place in lit(frame.scene) - before:
                    assert now - since.get(place, -1.0) > 1 / 3
                    since[place], flashes = now, flashes + 1
                before, now = lit(frame.scene), now + frame.seconds
    assert flashes or game_id not in ("kitsu", "kiriai")


@pytest.mark.parametrize(("game_id", "seats"), EVERY)
def test_every_square_of_every_frame_has_colours_that_there_are(game_id: str, seats: int) -> None:
    palette, skin = colors.read("dark").of(game_id), Skin()
    brushes = Brush(skin), Brush(skin, has_pictures=False)
    frames = chain.from_iterable(
        steps[-1] for steps in steps_of(walk(short_setup(game_id, seats), 0, LONGEST))
    )
    cells = {replace(c, name="c4") for f in frames for row in f.scene.board.rows for c in row}
    for cell, size, brush in product(cells, SIZES, brushes):
        for row in square(cell, Marks(), brush, *size) or ():
            for _, role in row:
                palette.pen(role)


@pytest.mark.parametrize(("game_id", "seats"), [one for one in EVERY if one[0] != "kumo"])
def test_on_a_board_the_first_frame_is_before_and_the_last_one_after(
    game_id: str, seats: int
) -> None:
    match = walk(short_setup(game_id, seats), 4)
    for _, old, new, frames in steps_of(match):
        if new.board.is_drawn and frames:
            assert standing(frames[0].scene) == standing(old)
            assert standing(frames[-1].scene) == standing(new)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_a_turning_arena_loses_nobody_at_its_ends(seats: int) -> None:
    match = walk(Setup.of(GAMES["kumo"], seats), 5, LONGEST)
    turns = 0
    for after, old, new, frames in steps_of(match):
        assert after.last is not None
        if after.last.step in ("cw", "ccw"):
            turns += 1
            assert standing(frames[0].scene) == standing(old)
            assert all(standing(frame.scene) != standing(new) for frame in frames[1:])
        elif frames:
            assert standing(frames[-1].scene) == standing(new)
    assert turns


def shown_in(scene: Scene) -> Counter[object]:
    """Count what is seen: each kind of piece, each figure, climber and card on the table."""
    seen: Counter[object] = Counter(standing(scene).values())
    cells = (cell.over for row in scene.board.rows for cell in row)
    seen.update((flying.sprite, flying.owner) for flying in cells if flying is not None)
    seen.update(figure.seat for figure in (scene.stage.figures if scene.stage else ()))
    seen.update(lane.label for lane in (scene.climb.lanes if scene.climb else ()))
    for group in (*scene.spread.groups, *scene.spread.hands) if scene.spread else ():
        seen.update("card" for card in group.cards if not card.is_place)
    return seen


@pytest.mark.parametrize(("game_id", "seats"), EVERY)
def test_no_frame_hides_what_is_there_before_and_after(game_id: str, seats: int) -> None:
    match = walk(short_setup(game_id, seats), 0, LONGEST)

    def counted(scene: Scene) -> Counter[object]:
        """Count pieces by owner where several turn over, or go round without their figures."""
        seen = shown_in(scene)
        if game_id not in ("kitsu", "kumo"):
            return seen
        return Counter(one[1] for one in seen.elements() if isinstance(one, tuple))

    moved = 0
    for by in (None, SPECTATOR, frozenset({Seat(0)})):
        for after, old, new, frames in steps_of(seen_from(match, by)):
            was, now = counted(old), counted(new)
            for number, frame in enumerate(frames):
                moved += 1
                seen, at = counted(frame.scene), (after.number, after.last, number)
                assert not (was & now) - seen, at
                assert not seen - (was | now), at
    assert moved


@pytest.mark.parametrize("seats", [2, 4])
def test_a_turning_arena_carries_each_space_to_a_place_of_its_own(seats: int) -> None:
    before = Match.begin(Setup.of(GAMES["kumo"], seats))
    scene = motion.scene_of(scenes.maker(before), before, NAMES[:seats], LETTERS, None)
    rows = tuple(
        tuple(replace(cell, sprite=cell.name, glyph=cell.name) for cell in row)
        for row in scene.board.rows
    )
    full = replace(scene, board=replace(scene.board, rows=rows))
    for angle, way in product(range(0, 91, 5), (1, -1)):
        shown = [cell for row in turned(full, angle, way).board.rows for cell in row]
        assert sorted(cell.sprite for cell in shown) == sorted(SQUARES)
        assert all(cell.glyph == cell.sprite for cell in shown)
    for step, way in (("cw", 1), ("ccw", -1)):
        moves = scenes.maker(before).marks(before.state, Step(step), before.state).moves
        shown = [cell for row in turned(full, 90, way).board.rows for cell in row]
        assert {cell.sprite: cell.name for cell in shown}.items() <= moves.items()


@pytest.mark.parametrize("game_id", [one for one in GAMES if GAMES[one].SECRETS is not None])
@pytest.mark.parametrize("seed", range(3))
def test_no_frame_shows_what_its_viewer_may_not_know(game_id: str, seed: int) -> None:
    """Matches that look the same to somebody move alike: frames are made of what is seen alone."""
    setup = Setup.of(GAMES[game_id], 2)
    match = walk(setup, seed)
    for by in (SPECTATOR, frozenset({Seat(0)})):
        seen = match.seen_by(by)
        known = {card for scene in all_scenes(seen) for card in faces(scene)}
        shown = {
            card for *_, frames in steps_of(seen) for frame in frames for card in faces(frame.scene)
        }
        # A card seen from the edge has lost its face; all other faces are those of the scenes.
        assert {card for card in shown if card[0]} <= known | {("kitsune-back", "")}


def all_scenes(match: Match) -> Iterator[Scene]:
    makes = scenes.maker(match)
    for at in match.line():
        yield motion.scene_of(makes, at, NAMES[: match.setup.seats], LETTERS, None)


def faces(scene: Scene) -> Iterator[tuple[str, str]]:
    for group in scene.spread.groups if scene.spread else ():
        for card in group.cards:
            yield card.sprite, card.rank or card.title


def test_only_the_steps_of_others_are_shown_and_not_those_of_another_match() -> None:
    match = walk(Setup.of(GAMES["kuzushi"], 3), 1)
    line = match.line()
    own = frozenset({Seat(1)})
    steps = motion.new_steps(line[4], line[9], own)
    assert [one.number for one in steps] == [
        one.number for one in line[5:10] if one.last and one.last.actor != 1
    ]
    assert motion.new_steps(None, line[9], own) == []
    assert motion.new_steps(line[9], line[4], own) == []  # taken back
    other = walk(Setup.of(GAMES["kuzushi"], 3), 2).line()
    assert motion.new_steps(other[4], line[9], own) == []
    assert len(motion.new_steps(line[0], match, frozenset())) == motion.MOST
    assert motion.last_turn(line[9], frozenset({Seat(0), Seat(1), Seat(2)})) == []


def test_the_last_turn_of_the_others_goes_back_to_ones_own_step() -> None:
    rng = Random(1)
    match = Match.begin(Setup.of(GAMES["kuzushi"], 3))
    for _ in range(7):
        (actor,) = match.actors
        match = match.play(actor, rng.choice(match.legal(actor)))
    assert match.last is not None
    own = frozenset({Seat(int(match.line()[-3].last.actor))})
    assert [one.number for one in motion.last_turn(match, own)] == [6, 7]


@pytest.mark.parametrize("seats", GAMES["kitsune"].SEATS)
def test_only_the_card_that_was_laid_lies_face_down(seats: int) -> None:
    laid = 0
    for _, old, new, frames in steps_of(walk(short_setup("kitsune", seats), 5)):
        if not frames or old.spread is None or new.spread is None:
            continue
        first = frames[0].scene.spread
        assert first is not None
        for was, shown, now in zip(old.spread.groups, first.groups, new.spread.groups, strict=True):
            if shown.cards != was.cards:
                laid += 1
                assert not now.cards[0].is_place
    assert laid


def test_a_captured_piece_is_seen_until_its_captor_lands_and_nobody_tells_it_before() -> None:
    captures = over = 0
    for after in walk(short_setup("kitsu", 2), 0, LONGEST).line()[1:]:
        trace = scenes.last_marks(scenes.maker(after), after)
        frames = motion.frames(scenes.maker(after), [after], NAMES[:2], LETTERS, None)
        for name in trace.taken.keys() & trace.reached:
            captures += 1
            *waiting, flash = (
                number
                for number, frame in enumerate(frames)
                for cell in [c for row in frame.scene.board.rows for c in row if c.name == name]
                if (
                    cell.sprite == trace.taken[name].sprite
                    and cell.owner == trace.taken[name].owner
                )
                or cell.ground == "capture"
            )
            assert waiting == [*range(flash)]
            assert len(waiting) >= 2
            assert not any("captures" in frame.said for frame in frames[:flash])
            assert "captures" in frames[-1].said
            over += any(cell.over for row in frames[flash - 1].scene.board.rows for cell in row)
    assert captures == over > 3


def test_ones_own_capture_is_shown_as_well() -> None:
    line = walk(short_setup("kitsu", 2), 0, LONGEST).line()
    own = frozenset({Seat(0), Seat(1)})
    shown = [after for before, after in pairwise(line) if motion.new_steps(before, after, own)]
    taken = [after for after in line[1:] if scenes.last_marks(scenes.maker(after), after).taken]
    assert shown == taken
    assert taken


def test_a_turning_arena_shows_its_direction_and_then_goes_round_in_equal_parts() -> None:
    before = Match.begin(Setup.of(GAMES["kumo"], 2)).play(Seat(0), Step("+a1=run"))
    makes = scenes.maker(before)
    old = motion.scene_of(makes, before, NAMES[:2], LETTERS, None)
    for step, sign in (("cw", "↻"), ("ccw", "↺")):
        new = motion.scene_of(makes, before.play(Seat(0), Step(step)), NAMES[:2], LETTERS, None)
        frames = makes.frames(old, new, Step(step))
        places, sprites = [], []
        for scene in (old, *(one.scene for one in frames), new):
            ((name, (sprite, _)),) = (item for item in standing(scene).items() if item[1][1] == 0)
            places.append(scene.board.place(name))
            sprites.append(sprite)
        ways = [abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(places)]
        assert ways == [0, 3, 2, 3]
        assert sprites == ["kumo-run"] * 2 + ["kumo-turning"] * 2 + ["kumo-run"]
        cells = [[cell for row in one.scene.board.rows for cell in row] for one in frames]
        signed = [sum(cell.glyph == sign for cell in shown) for shown in cells]
        assert signed == [2, 0, 0]  # first its direction


def test_a_pair_follows_the_stone_one_by_one_and_no_label_tells_it_before() -> None:
    match = Match.begin(Setup.of(GAMES["kumo"], 2))
    makes = scenes.maker(match)
    state = kumo_positions.at("e8 0kumo; e7 0kumo", stone="e9")
    over = kumo.apply(state, Seat(0), Step("push:e8+e7"))
    last = Happening(state, Seat(0), Step("push:e8+e7"), over)
    old = makes.scene(state, NAMES[:2], LETTERS, None)
    new = makes.scene(over, NAMES[:2], LETTERS, None, (last,))
    frames = makes.frames(old, new, last.step)
    seen = [(bool(one.scene.board.outside), *sorted(standing(one.scene))) for one in frames]
    assert [key for key, _ in groupby(seen)] == [
        (False, "e7", "e8", "e9"),
        (True, "e7", "e8"),
        (True, "e7", "e9"),
        (True, "e8", "e9"),
    ]
    assert {one.scene.board.edges for one in frames} == {old.board.edges}
    assert new.board.edges != old.board.edges


def test_the_spaces_of_a_clan_are_counted_as_its_fox_climbs() -> None:
    counted = 0
    for _, _, new, frames in steps_of(walk(short_setup("kitsune", 2), 5)):
        for scene in (*(frame.scene for frame in frames), new):
            for lane in scene.climb.lanes if scene.climb else ():
                assert int(lane.note[0][0]) == lane.at
                counted += 1
    assert counted


@pytest.mark.parametrize("size", [(60, 14), (76, 24), (98, 34), (140, 40)])
def test_no_card_moves_or_grows_while_a_trick_is_counted(size: tuple[int, int]) -> None:
    counted = 0
    for _, _, new, frames in steps_of(walk(short_setup("kitsune", 2), 1)):
        spreads = [frame.scene.spread for frame in frames[1:]]
        if not spreads:
            continue
        rows = [spread_rows(one, Brush(Skin()), *size) for one in (*spreads, new.spread)]
        cards = [[cut(row, 0, size[0] // 2) for row in one[: size[1] // 3]] for one in rows]
        assert cards == cards[:1] * len(cards)
        counted += len(cards)
    assert counted
