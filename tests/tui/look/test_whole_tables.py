"""A law over whole tables as they are painted: no mark lies on a piece, whatever is marked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest
from rich.color import ColorSystem

from kumite.core.game import CHANCE, Seat
from kumite.core.games import GAMES
from kumite.tui.drawing.grid import BoardMarks, board_rows, fitting
from kumite.tui.drawing.pixels import QUADRANTS, Brush, brush_for, cells_of, first_of
from kumite.tui.drawing.squares import GHOST, PICTURE
from kumite.tui.drawing.tabletop import tabletop_rows
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.roles import role_of
from kumite.tui.look.sprites import Skin
from kumite.tui.scenes import Scene, last_marks, maker, past
from kumite.tui.scenes.lines import Line, Span
from kumite.tui.scenes.model import BAD, NO_BORDERS, NO_VERDICT, Board, Cell, Verdict
from tests.support.contrast import Depth
from tests.support.random_matches import short_setup, walk
from tests.support.scene_laws import NAMES

SKIN = Skin()
PLAYED = (8, 15, 24)  # steps of the matches
FIELDS = ((60, 17), (50, 21), (88, 33), (120, 47))  # in windows of 60x20, 80x24, 120x36, 160x50
DEPTHS = (
    Depth("dark", ColorSystem.TRUECOLOR),
    Depth("light", ColorSystem.TRUECOLOR),
    Depth("dark", ColorSystem.EIGHT_BIT),
    Depth("sixteen", ColorSystem.STANDARD),
    Depth("mono", ColorSystem.TRUECOLOR),
)
BOARDS = [
    (game_id, seats)
    for game_id in ("kitsu", "kumo", "kuzushi")
    for seats in sorted({GAMES[game_id].SEATS[0], GAMES[game_id].SEATS[-1]})
]


@cache
def brushes() -> dict[Brush, list[Depth]]:
    """Return the different brushes of these themes, and the themes that each is used in."""
    found: dict[Brush, list[Depth]] = {}
    for depth in DEPTHS:
        brush = brush_for(SKIN, LETTERS, depth.palette, has_many=depth.has_many)
        found.setdefault(brush, []).append(depth)
    return found


def marked(game_id: str, seats: int) -> Iterator[tuple[Board, BoardMarks]]:
    """Yield boards of random matches, with what the seat to act can do, and other marks."""
    for seed, steps in enumerate(PLAYED):
        match, rng = walk(short_setup(game_id, seats), seed, steps), Random(seed)
        makes, actor = maker(match), match.actors[0]
        assert actor != CHANCE
        view = match.game.view(match.state, frozenset({Seat(int(actor))}))
        scene = makes.scene(view, NAMES[:seats], LETTERS, Seat(int(actor)), past(match))
        every = {cell.name: cell for row in scene.board.rows for cell in row if cell.name}
        names, taken = sorted(every), sorted(name for name in every if every[name].sprite)
        legal = match.legal(actor)
        targets = frozenset(makes.parts(step, legal)[0] for step in legal) & {*names}
        trace = last_marks(makes, match)
        compared = Verdict(frozenset(rng.sample(taken, 2)), frozenset(rng.sample(names, 2)), "×✓")
        one, every_piece = frozenset(rng.sample(taken, 1)), frozenset(taken)
        for chosen, can, verdict in ((one, targets, NO_VERDICT), ((), every_piece, compared)):
            captures = scene.captures(can) | frozenset(rng.sample(sorted(can), min(1, len(can))))
            marks = BoardMarks(rng.choice(taken), frozenset(chosen), can, captures, trace, verdict)
            yield scene.board, marks


def bare(board: Board) -> Board:
    """Return a board without badges and borders."""
    rows = (tuple(replace(one, badge="") for one in row) for row in board.rows)
    return replace(board, rows=tuple(rows), borders=NO_BORDERS)


def unwoven(row: Line) -> list[Span]:
    """Return the cells of a row, those of a woven ground as blanks of its first ground."""
    return [
        (" ", f"/{ink.partition('/')[2]}") if text == GHOST and ink.endswith("-a") else (text, ink)
        for text, ink in cells_of(row)
    ]


def halves(span: Span) -> tuple[str, str] | None:
    """Return the colours of the two pixels of a cell; None: it has a sign."""
    sign, ink = span
    upper, _, lower = ink.removesuffix("!").partition("/")
    return (lower, lower) if sign == " " else (upper, lower) if sign == "▀" else None


def is_covered(
    before: Span, after: Span, cell: Cell, marks: BoardMarks, brush: Brush, size: tuple[int, int]
) -> bool:
    """Return whether a part of the piece in a cell has another shape or colour than before.

    Mats are grounds. The sign of an owner, the letter of a square of one row, and a chosen piece
    without colours, which is dark on light, may change their colour with their ground.
    """
    ground = {cell.ground, first_of(cell.ground)}
    grounds, was, now = {*ground, cell.mat, "frontier"}, halves(before), halves(after)
    if brush.has_pictures and size >= PICTURE and was is not None:
        if now is None:
            return not {*was} <= grounds
        pairs = zip(was, now, strict=True)
        return any(old not in grounds and differ(old, new, brush) for old, new in pairs)
    old, new = (ink_of(role) for _, role in (before, after))
    if before[0] == " " or old in grounds - ground:
        return False
    is_free = brush.signs and cell.name in marks.chosen
    is_free = is_free or size[1] == 1 or before[0] in (cell.sign, *brush.signs) or old in ground
    return before[0] != after[0] or not (is_free or not differ(old, new, brush))


def ink_of(role: str) -> str:
    return role.partition("/")[0] if "/" in role else role_of(role).ink


def differ(old: str, new: str, brush: Brush) -> bool:
    """Return whether two colours are seen to differ in a theme that has this brush."""
    return old != new and any(
        depth.rgb(depth.palette.color(old)) != depth.rgb(depth.palette.color(new))
        for depth in brushes()[brush]
    )


@pytest.mark.parametrize(("game_id", "seats"), BOARDS)
def test_no_mark_changes_a_piece_on_a_painted_board(game_id: str, seats: int) -> None:
    found = set()
    for board, marks in marked(game_id, seats):
        plain = bare(board)
        cells = {(x, y): cell for y, row in enumerate(board.rows) for x, cell in enumerate(row)}
        for room, brush in product(FIELDS, brushes()):
            geometry = fitting(board, *room)
            rows = board_rows(plain, BoardMarks(), brush, geometry)
            for y, row in enumerate(board_rows(board, marks, brush, geometry)):
                pairs = zip(unwoven(rows[y]), unwoven(row), strict=True)
                for x, (before, after) in enumerate(pairs if row != rows[y] else ()):
                    cell = cells.get(geometry.place(x, y)) if before != after else None
                    if cell is None or not cell.sprite:
                        continue
                    if is_covered(before, after, cell, marks, brush, geometry[:2]):
                        found.add((room, cell.sprite, before, after))
    assert found == set()


def told(scene: Scene, *, is_marked: bool) -> Scene:
    """Return a table with all marks that cards and figures can have, or without any."""
    sign = ("×", BAD) if is_marked else ("", "")
    stage, spread = scene.stage, scene.spread
    if stage is not None:
        figures = [
            replace(
                one, came_from=(one.place + 2) % 5 if is_marked else None, sign=one.sign * is_marked
            )
            for one in stage.figures
        ]
        marked = frozenset(range(5) if is_marked else ())
        stage = replace(stage, figures=tuple(figures), marked=marked)
    if spread is not None:
        groups = (
            replace(
                group,
                is_last=is_marked,
                cards=tuple(replace(one, is_cut=False) for one in group.cards),
            )
            for group in spread.groups
        )
        hands = (
            replace(hand, cards=tuple(replace(one, sign=sign) for one in hand.cards))
            for hand in spread.hands
        )
        spread = replace(spread, groups=tuple(groups), hands=tuple(hands))
    return replace(scene, stage=stage, spread=spread)


PAPERS = {"", "paper", "paper-dim", "felt", "background"}


@pytest.mark.parametrize("game_id", ["kiriai", "kitsune"])
def test_no_mark_changes_a_figure_or_the_picture_of_a_card(game_id: str) -> None:
    changed, covered = 0, set()
    for steps in PLAYED:
        match = walk(short_setup(game_id, 2), steps, steps)
        scene = maker(match).scene(match.state, NAMES[:2], LETTERS, None, past(match))
        for room, brush in product(FIELDS, brushes()):
            bare, now = (
                tabletop_rows(told(scene, is_marked=it), brush, *room) for it in (False, True)
            )
            changed += bare != now
            for row, row_now in zip(bare, now, strict=True):
                if any("bridge" in ink for _, ink in row):  # nobody stands lower
                    break
                for before, after in zip(cells_of(row), cells_of(row_now), strict=True):
                    pixels = halves(before) if brush.has_pictures else None
                    is_drawn = (
                        before[0] in QUADRANTS[1:] if pixels is None else not {*pixels} <= PAPERS
                    )
                    if before != after and is_drawn:
                        covered.add((room, before, after))
    assert changed
    assert covered == set()
