"""Laws of scenes, for any game: what fits, what can be chosen, what is said, what stays secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, pairwise
from random import Random

from rich.cells import cell_len

from kumite.core.game import CHANCE, SPECTATOR, Seat, Step
from kumite.core.match import Match
from kumite.tui.drawing.grid import SIZES
from kumite.tui.look import colors
from kumite.tui.look.glyphs import ASCII, KANJI, LETTERS, Look
from kumite.tui.scenes import Choice, Scene, SceneMaker
from kumite.tui.scenes.lines import Line, narrowed, plain
from kumite.tui.scenes.model import Board, Chip, scene_text

DARK = colors.read("dark")

NAMES = ("ada", "bob", "cyd", "dan", "eve", "fay")
LONG_NAMES = tuple(f"{name}{'-' * 21}" for name in NAMES)  # as long as there can be
LOOKS = (KANJI, LETTERS, ASCII)
# At 80x24, in columns and rows; a frame's padding is taken off.
FIELD, INNER, SIDE, HINT = 49, 47, 29, 76
ROWS = 21  # between title and hint
GLYPH = 3  # columns of a seat's mark and a kanji
LOG = 5  # rows that the log must have at least


def play_by_rule(match: Match, steps: int) -> Match:
    """Play the same steps on every Python: of those that are legal, each time another one."""
    for number in range(steps):
        if not match.actors:
            break
        actor = match.actors[number % len(match.actors)]
        legal = match.legal(actor)
        match = match.play(actor, legal[7 * number % len(legal)])
    return match


def sample(match: Match, count: int = 10) -> list[Match]:
    line = match.line()
    return [*line[:: max(1, len(line) // count)], line[-1]]


def sights(match: Match) -> Iterator[tuple[Match, Seat | None]]:
    """Yield the match as each seat sees it, and as a spectator does."""
    for seat in map(Seat, range(match.setup.seats)):
        yield match.seen_by(frozenset({seat})), seat
    yield match.seen_by(SPECTATOR), None


WIDE_NAMES = (
    "武蔵坊弁慶とその仲間たち", "ｗｉｄｅ ｌｅｔｔｅｒｓ", "a name that goes on and",
    "柳", "Bashō", "小次郎 2",
)  # fmt: skip


def check_names(match: Match, makes: SceneMaker) -> None:
    """Check that names in kanji fit, and stand in the columns of Latin ones as wide as they."""
    wide = WIDE_NAMES[: match.setup.seats]
    latin = tuple("x" * cell_len(name) for name in wide)
    for seen, you in sights(match):
        for at in sample(seen, 8):
            for look in (KANJI, LETTERS):
                scene, other = (makes.scene(at.state, who, look, you) for who in (wide, latin))
                check_fits(scene, look)
                assert columns(scene) == columns(other)


def columns(scene: Scene) -> list[list[int]]:
    """Return how many columns each piece of each line takes."""
    lines = (*scene.seats, *scene.facts, *scene.picture)
    return [[cell_len(text) for text, _ in line] for line in lines]


def check_scenes(match: Match, makes: SceneMaker) -> None:
    """Draw a match for everybody, also for who knows all, from start to end."""
    looks = cycle(LOOKS)
    for names in (NAMES, LONG_NAMES):
        for seen, you in (*sights(match), (match, None)):
            for at, look in zip(sample(seen, 20), looks, strict=False):
                scene = makes.scene(at.state, names[: match.setup.seats], look, you)
                check_fits(scene, look)
                assert not scene.board.rows or scene.board.place(scene.board.home)


def check_fits(scene: Scene, look: Look) -> None:
    """Check sizes, roles, glyphs, and that no two places have one name."""
    lines = (*scene.seats, *scene.facts, *scene.picture)
    texts = [plain(line) for line in lines]
    beside = (*narrowed(scene.seats, SIDE, look), *narrowed(scene.facts, SIDE, look))
    assert max(map(cell_len, map(plain, beside))) <= SIDE
    assert all(cell_len(plain(line)) <= INNER for line in scene.picture)
    assert len(scene.seats) + len(scene.facts) + 2 + LOG <= ROWS
    height = board_height(scene.board) + len(scene.picture) + tray_height(scene)
    assert height <= ROWS
    cells = [cell for row in scene.board.rows for cell in row]
    for cell in cells:
        assert 1 <= cell_len(cell.glyph) <= GLYPH
        assert cell_len(cell.aim or ".") == 1
        assert len(cell.mark) <= 1
    names = [cell.name for cell in cells if cell.name] + [chip.name for chip in scene.tray]
    assert len(set(names)) == len(names)
    roles = {role for line in lines for _, role in line}
    roles |= {thing.role for thing in (*cells, *scene.tray)}
    roles |= {role for _, role in (*scene.board.columns, *scene.board.ranks)}
    assert all(map(DARK.pen, roles))
    if look is ASCII:
        assert scene_text(scene).isascii()
        assert all(text.isascii() for text in texts)


def board_height(board: Board) -> int:
    """Return the rows of a board whose squares are the smallest ones."""
    if not board.rows:
        return 0
    width, height = SIZES[-1]
    assert len(board.columns) * width + 5 <= FIELD
    assert {len(row) for row in board.rows} == {len(board.columns)}
    assert len(board.ranks) == len(board.rows)
    return len(board.rows) * height + 1


def tray_height(scene: Scene) -> int:
    """Return the lines of the tray, broken as the widget breaks them."""
    lines, used = 0, INNER + 1
    for chip in scene.tray:
        need = cell_len(chip.text) + 3
        if used + need > INNER:
            lines, used = lines + 1, 0
        used += need
    assert lines <= 4
    return lines


def check_choices(match: Match, makes: SceneMaker) -> None:
    """Check that parts tell steps apart, and that each can be found and has its words."""
    for at in sample(match):
        for actor in at.actors:
            legal = at.legal(actor)
            parts = sorted(makes.parts(step, legal) for step in legal)
            assert all(parts)
            # Sorted, whatever begins with the parts of one step would follow right after it.
            assert all(two[: len(one)] != one for one, two in pairwise(parts))
            if actor != CHANCE:
                check_words(at, makes, Seat(int(actor)))


def check_words(match: Match, makes: SceneMaker, seat: Seat) -> None:
    """Check places, previews and sentences of a seat's legal steps."""
    names, game = NAMES[: match.setup.seats], match.game
    view = game.view(match.state, frozenset({seat}))
    legal = match.legal(seat)
    choice = Choice.of(makes, legal)
    rng = Random(match.number)
    some = rng.sample(legal, min(12, len(legal)))
    for look in LOOKS:
        scene = makes.scene(view, names, look, seat)
        for step in some:
            check_way(choice, step, scene, makes, look)
            check_line(makes.preview(view, seat, step, look), look)
    for step in some:
        order = makes.order(view, seat, step)
        assert order.isascii()
        assert 0 < len(order) <= HINT
        merit = makes.why_good(view, seat, step)
        assert merit.isascii()
        assert merit == merit.strip()
    for by in (SPECTATOR, *(frozenset({s}) for s in map(Seat, range(len(names))))):
        seen = game.view(match.state, by)
        for step in some:
            said = game.seen(match.state, seat, step, by)
            told = makes.narrate(seen, seat, said, game.apply(seen, seat, said), names)
            assert told.isascii()
            assert told.startswith(names[seat])
            assert not re.search(r"\bseat \d", told)


def check_way(choice: Choice, step: Step, scene: Scene, makes: SceneMaker, look: Look) -> None:
    """Choose a step part by part: what comes next is a place, or a chip that the tray can take."""
    places = {cell.name for row in scene.board.rows for cell in row}
    places |= {chip.name for chip in scene.tray}
    for part in choice.parts[step]:
        assert part in choice.targets
        loose = sorted(choice.targets - places)
        chips = tuple(Chip(name, makes.label(name, look)) for name in loose)
        assert "scene" not in vars(makes) or all(chip.text != chip.name for chip in chips)
        texts = [chip.text for chip in (*scene.tray, *chips)]
        assert all(texts)
        assert len(set(texts)) == len(texts)
        tray_height(replace(scene, tray=(*scene.tray, *chips)))
        assert choice.step_at(part) in (None, step)
        choice = choice.with_part(part)
    assert choice.open == (step,)


def check_line(line: Line, look: Look) -> None:
    text = plain(line)
    assert 0 < cell_len(text) <= HINT
    assert text == text.strip()
    assert all(DARK.pen(role) for _, role in line)
    assert look is not ASCII or text.isascii()
