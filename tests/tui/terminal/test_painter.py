"""Only what changed is written, and the terminal shows the same as if all of it were."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product
from random import Random

import pyte
import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.geometry import Region
from textual.pilot import Pilot
from textual.strip import Strip

from kumite.core.game import Setup
from kumite.core.games import find
from kumite.tui.drawing.pixels import QUADRANTS
from kumite.tui.play.local_table import LocalTable
from kumite.tui.scenes.lines import GOES_ON, Line
from kumite.tui.screens.table import TableScreen
from kumite.tui.terminal.painter import Painter
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.painted import Chooser
from tests.support.apps import app, until

WIDTH, HEIGHT = 24, 6
CONSOLE = Console(color_system="256", force_terminal=True, width=WIDTH)
CONSOLE_OF_FULL_COLOUR = Console(color_system="truecolor", force_terminal=True, width=WIDTH)
STYLES = [
    Style.parse(text)
    for text in (
        "white on black",
        "bold white on black",
        "red on black",
        "bold red on blue",
        "#112233 on #445566",
        "#445566 on #112233",
        "#112233 on #112233",
        "color(200) on color(100)",
        "underline green on black",
        "reverse white on black",
        "none",
    )
]
PIECES = [
    "a",
    " ",
    "侍",
    "●",
    "─",
    "xyz",
    "   ",
    "侍侍",
    " . ",
    "▀",
    "▄",
    "█",
    "▀▄",
    " ▀",
    "▙▝",
    "▌▐",
]


def pieces(rng: Random, width: int) -> list[Segment]:
    """Return segments that are as wide as that together."""
    row: list[Segment] = []
    while (left := width - sum(one.cell_length for one in row)) > 0:
        text = rng.choice([one for one in PIECES if cell_len(one) <= left])
        row.append(Segment(text, rng.choice(STYLES)))
    return row


def random_frame(seed: int) -> list[list[Segment]]:
    rng = Random(seed)
    return [pieces(rng, WIDTH) for _ in range(HEIGHT)]


def update(rows: list[list[Segment]]) -> LayoutUpdate:
    return LayoutUpdate([[Strip(row)] for row in rows], Region(0, 0, WIDTH, HEIGHT))


def look(screen: pyte.Screen) -> list[list[tuple[object, ...]]]:
    """Return what can be seen of every cell."""
    return [
        [look_of(screen.buffer[y][x]) for x in range(screen.columns)] for y in range(screen.lines)
    ]


def look_of(cell: pyte.screens.Char) -> tuple[object, ...]:
    """Return what can be seen of a cell: of a blank one its paper, of blocks four quarters."""
    marks = (cell.underscore, cell.reverse)
    if cell.data in QUADRANTS and not any(marks):
        bits = QUADRANTS.index(cell.data)
        bold = cell.bold and cell.data != " "
        return ("", *(cell.fg if bits >> at & 1 else cell.bg for at in range(4)), bold)
    return (cell.data, cell.bg, *marks, cell.fg, cell.bold)


def test_an_equal_frame_writes_nothing_and_a_forgotten_or_resized_one_all() -> None:
    painter, rows = Painter(), random_frame(3)
    first = painter.paint(update(rows), CONSOLE, WIDTH, HEIGHT)
    assert painter.paint(update(rows), CONSOLE, WIDTH, HEIGHT) == ""
    painter.forget()
    assert painter.paint(update(rows), CONSOLE, WIDTH, HEIGHT) == first
    assert painter.paint(update(rows), CONSOLE, WIDTH, HEIGHT + 1) == first


def test_blocks_that_look_alike_with_exchanged_colours_are_one_cell() -> None:
    painter, styles = Painter(), STYLES[4:6]  # of each the ink is the paper of the other
    for one, two in zip(QUADRANTS, reversed(QUADRANTS), strict=True):
        rows = [
            [[Segment(sign * WIDTH, style)]] for sign, style in zip((one, two), styles, strict=True)
        ]
        painter.paint(update(rows[0]), CONSOLE, WIDTH, 1)
        assert painter.paint(update(rows[1]), CONSOLE, WIDTH, 1) == ""


def test_one_changed_cell_is_one_move_and_one_character() -> None:
    painter, style = Painter(), STYLES[0]
    rows = [[Segment("." * WIDTH, style)] for _ in range(HEIGHT)]
    painter.paint(update(rows), CONSOLE, WIDTH, HEIGHT)
    rows[2] = [Segment("....#" + "." * (WIDTH - 5), style)]
    assert painter.paint(update(rows), CONSOLE, WIDTH, HEIGHT) == "\x1b[3;5H\x1b[37;40m#\x1b[m"


def test_a_cell_between_two_is_written_again_or_passed_in_the_fewest_bytes() -> None:
    painter, white = Painter(), Style.parse("white on black")
    dots = [[Segment("." * WIDTH, white)] for _ in range(HEIGHT)]
    painter.paint(update(dots), CONSOLE, WIDTH, HEIGHT)
    same = [[Segment("#.#" + "." * (WIDTH - 3), white)], *dots[1:]]
    written = painter.paint(update(same), CONSOLE, WIDTH, HEIGHT)
    assert written == "\x1b[1;1H\x1b[37;40m#.#\x1b[m"
    painter.paint(update(dots), CONSOLE, WIDTH, HEIGHT)
    painter.paint(update([[Segment("." * WIDTH, STYLES[2])], *dots[1:]]), CONSOLE, WIDTH, HEIGHT)
    other = [Segment("#", white), Segment(".", STYLES[2]), Segment("#", white)]
    row = [*other, Segment("." * (WIDTH - 3), STYLES[2])]
    written = painter.paint(update([row, *dots[1:]]), CONSOLE, WIDTH, HEIGHT)
    assert written == "\x1b[1;1H\x1b[37;40m#\x1b[C#\x1b[m"


def test_pen_after_pen_the_way_between_is_the_shortest_and_inks_are_kept_from_paper_to_paper() -> (
    None
):
    """A chequered ground with two inks: written pen after pen, as that is shorter."""
    painter, rng = Painter(), Random(5)
    styles = [
        Style.parse(f"{ink} on {paper}")
        for paper in ("#102030", "#405060", "#708090")
        for ink in ("#a0a1a2", "#c0c1c2")
    ]
    plain = [[Segment("." * WIDTH, styles[0])] for _ in range(HEIGHT)]
    painter.paint(update(plain), CONSOLE_OF_FULL_COLOUR, WIDTH, HEIGHT)
    rows = [[Segment("#", rng.choice(styles)) for _ in range(WIDTH)] for _ in range(HEIGHT)]
    written = painter.paint(update(rows), CONSOLE_OF_FULL_COLOUR, WIDTH, HEIGHT)
    pens = re.findall(r"\x1b\[([\d;]+)m", written)
    both = [pen for pen in pens if "38;" in pen and "48;" in pen]
    assert len(pens) == len(styles)
    assert len(both) == 1  # the first; all others change the ink or the paper
    assert "\x1b[1C" not in written


BOARD_KEYS = "up enter left down enter n n enter colon d escape u"
HAND_KEYS = "right right left end n n up enter right n left left"


@pytest.mark.parametrize(
    ("game_id", "keys"), [("kuzushi", BOARD_KEYS), ("kiriai", HAND_KEYS), ("kitsune", HAND_KEYS)]
)
async def test_partial_updates_of_the_app_leave_what_a_whole_one_shows(
    game_id: str, keys: str
) -> None:
    """Feed every update the compositor makes, partial or whole, as the app does."""
    setup = Setup.of(find(game_id), 2)
    names = ("ada", "bob") if game_id == "kuzushi" else ("ada", "bot:simple")
    kumite = app(lambda: TableScreen(LocalTable.begin(setup, names)))
    painter, fed = Painter(), pyte.Screen(80, 24)
    stream = pyte.Stream(fed)
    console = Console(color_system="256", force_terminal=True, width=80)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(kumite.focused, Chooser), "something to choose")
        stream.feed(painter.paint(kumite.screen._compositor.render_full_update(), console, 80, 24))
        original = kumite._display

        def feed(screen: object, renderable: object) -> None:
            if renderable is not None and screen is kumite.screen:
                stream.feed(painter.paint(renderable, console, 80, 24))
            original(screen, renderable)

        def whole() -> pyte.Screen:
            screen = pyte.Screen(80, 24)
            for widget in kumite.screen.query("*"):
                widget._styles_cache.clear()  # lines that nobody has said to be other ones
            strips = kumite.screen._compositor.render_strips()
            all_of_it = LayoutUpdate([[one] for one in strips], Region(0, 0, 80, 24))
            pyte.Stream(screen).feed(Painter().paint(all_of_it, console, 80, 24))
            return screen

        kumite._display = feed
        for key in keys.split():
            await pilot.press(key)
            await until(pilot, lambda: look(fed) == look(whole()), f"the picture after {key}")


def test_what_the_terminal_cannot_write_is_a_question_mark_in_each_of_its_cells() -> None:
    painter = Painter(charset="ascii")
    rows = [[Segment("é侍…".ljust(WIDTH - 1), STYLES[-1])], *random_frame(4)[1:]]
    assert painter.paint(update(rows), CONSOLE, WIDTH, HEIGHT).startswith("\x1b[1;1H????  ")


def test_without_colours_light_paper_is_reversed_and_bold_stays_bold() -> None:
    painter = Painter(is_colored=False)
    styles = ("white on black", "bold black on white", "none")
    rows = [[Segment(text, Style.parse(style)) for text, style in zip("abc", styles, strict=True)]]
    assert painter.paint(update(rows), CONSOLE, WIDTH, HEIGHT) == "\x1b[1;1Ha\x1b[1;7mb\x1b[mc"


@asynccontextmanager
async def log_of_8_rows() -> AsyncIterator[tuple[Lines, Pilot[None]]]:
    log, kumite = Lines(tail=True), app()
    async with kumite.run_test() as pilot:
        await kumite.screen.mount(log)
        log.styles.height = 8
        await pilot.pause()
        yield log, pilot


async def test_a_preface_is_seen_from_its_beginning_or_not_at_all() -> None:
    """How a game is won ended a log of one row with `… together can move`."""
    preface = [(("How to win", ""),), (GOES_ON, ("push the stone", ""))]
    preface += [(GOES_ON, (f"part {n}", "")) for n in range(4)]
    async with log_of_8_rows() as (log, pilot):
        for height, count, seen in ((8, 0, 6), (3, 0, 0), (8, 2, 6), (8, 4, 0)):
            log.styles.height = height
            log.show([*preface, *[((f"{n} step", ""),) for n in range(count)]], preface=6)
            await pilot.pause()
            log.reset_scroll()
            rows = [log.render_line(y).text.strip() for y in range(height)]
            assert sum(row.startswith(("How", "push", "part", "…")) for row in rows) == seen
            assert sum("step" in row for row in rows) == count


def turns(rng: Random) -> list[Line]:
    """Return a log: headings of seats, their steps, and what goes on in the next line."""
    lines: list[Line] = []
    for _ in range(rng.randrange(5)):
        seat = rng.randrange(2)
        lines.append(((f"player {seat}", f"seat-{seat}/"),))
        for number in range(rng.randrange(4)):
            lines.append(((f"{number:4} ", f"seat-{seat}/"), ("steps", "")))
            lines += [(GOES_ON, ("and more", ""))] * rng.randrange(3)
    return lines


async def test_of_any_log_the_last_lines_are_drawn_in_any_height() -> None:
    """Logs of two rows whose last step took two lines, and of one that got shorter, ended it."""
    rng = Random(7)
    async with log_of_8_rows() as (log, pilot):
        for _ in range(60):
            log.styles.height = rng.randrange(1, 6)
            await pilot.pause()
            for _ in range(20):
                lines = turns(rng)
                log.show(rng.choice((lines, [*log._lines, *lines], log._lines[:-1])))
                if rng.randrange(3) == 0:
                    log.reset_scroll()
                rows = [log.render_line(y).text.strip() for y in range(log.size.height)]
                assert any(rows) or not log._lines


async def test_a_low_log_shows_as_many_steps_of_the_last_turn_as_fit() -> None:
    turn: list[Line] = [(("bob", "seat-1/"),)]
    turn += [((f"{number:>3} ", "seat-1/"), ("goes there", "")) for number in range(5)]
    async with log_of_8_rows() as (log, pilot):
        for height in range(1, 7):
            log.styles.height = height
            log.show(())
            await pilot.pause()
            log.reset_scroll()
            for count in range(2, 7):
                log.show([*turn, *turn[:count]])
                rows = [log.render_line(y).text.strip() for y in range(height)]
                assert sum(map(bool, rows)) >= min(height, count)
                assert rows != ["bob"]  # no heading without its steps


async def test_lines_stay_where_they_are_when_what_is_above_them_changes() -> None:
    lines = [((f"{n} step", ""),) for n in range(30)]
    async with log_of_8_rows() as (log, pilot):
        tops = []
        for count in range(1, 30):
            log.show(lines[:count])
            tops.append(log._first())
            assert tops[-1] < count <= tops[-1] + 8  # the last line is always shown
        assert len(set(tops)) <= 2 + 30 // 4  # it moves on by half a page
        top = log._first()
        log.show([*lines[:10], ((" told in two lines", ""),), *lines[10:29]])
        assert log._first() == top + 1
        log.styles.height = 7  # what stands above it has become higher
        await pilot.pause()
        assert log._first() == top + 2


async def test_the_first_line_tells_whose_steps_stand_below_it() -> None:
    """However many steps there are, each stands below the name of whoever made it."""
    lines: list[Line] = []
    for turn, steps in enumerate((1, 5, 2, 7, 12, 3)):
        role = f"seat-{turn % 2}/"
        lines.append((("ada" if turn % 2 else "bob", role),))
        for step in range(steps):
            lines.append(((f"{len(lines):>3} ", role), ("goes there", "")))
            lines += [(("    and on", ""),)] * (step % 3)
    async with log_of_8_rows() as (log, _):
        for count in range(2, len(lines) + 1):
            log.show(lines[:count])
            first, second = (log.render_line(row).text.strip() for row in (0, 1))
            heads = [line[0][0] for line in lines[: log._first() + 2] if len(line) == 1]
            names = [name for name in heads if not name[0].isspace()]
            assert first in ("ada", "bob")
            assert second not in ("ada", "bob", "and on")
            assert first == names[-1]
            assert log._first() < count <= log._first() + 8


async def test_a_log_begins_with_an_entry_and_not_within_one() -> None:
    """Of a step of three rows only `squares above have their new names` was left in a low one."""
    lines: list[Line] = []
    for entry in range(12):
        lines.append(((f"remark {entry}", "quiet"),))
        lines += [(GOES_ON, ("goes on", "quiet"))] * (entry % 4)
    async with log_of_8_rows() as (log, pilot):
        for count in range(1, len(lines) + 1):
            log.show(lines[:count])
            assert log.render_line(0).text.startswith("remark")
        log.show([lines[0], *[(GOES_ON, (f"more {n}", "quiet")) for n in range(20)]])
        assert log.render_line(0).text.startswith("remark")
        step = [(("  1 ", "seat-1/"), ("turns the arena", "")), *[(GOES_ON, ("on", ""))] * 2]
        log.styles.height = 2
        log.show([(("bob", "seat-1/"),), *step])
        await pilot.pause()
        log.reset_scroll()
        assert [log.render_line(y).text.strip() for y in range(2)] == ["bob", "1 turns the arena"]


# --- Updates in windows of any size -----------------------------------------------------------


Cell = tuple[str, Style]  # a character (empty: the right half), and how it is drawn
Frame = list[list[Cell | None]]  # None: nothing has been drawn there since the window changed


def cells_of(row: list[Segment]) -> list[Cell]:
    cells: list[Cell] = []
    for text, style, _ in row:
        for character in text:
            cells += [(character, style or Style()), ("", style or Style())][: cell_len(character)]
    return cells


def put(frame: Frame, y: int, x: int, cells: list[Cell]) -> None:
    """Draw cells into a frame: of a wide character that is cut through a blank is left."""
    if not 0 <= y < len(frame):
        return
    row = frame[y]
    for at, cell in enumerate(cells, x):
        if 0 <= at < len(row):
            row[at] = cell
    for at, cell in enumerate(row):
        if cell is None:
            continue
        after = row[at + 1] if at + 1 < len(row) else None
        before = row[at - 1] if at else None
        is_wide = cell_len(cell[0]) == 2
        is_cut = (is_wide and (after is None or after[0])) or (
            not cell[0] and (before is None or cell_len(before[0]) != 2)
        )
        if is_cut:
            row[at] = (" ", cell[1])


def spread(rng: Random, region: Region, rows: list[list[Segment]]) -> CompositorUpdate:
    """Return an update that draws the rows into a region, whole or in chops."""
    if rng.random() < 0.5 or region.x < 0 or region.y < 0:
        return LayoutUpdate([[Strip(row)] for row in rows], region)
    chops = [{} for _ in range(region.y)] + [{region.x: Strip(row)} for row in rows]
    spans = [(y, region.x, region.right) for y in range(region.y, region.bottom)]
    return ChopsUpdate(chops, spans, [[region.right]] * region.bottom)


def wanted(frame: Frame, console: Console) -> pyte.Screen:
    """Return a terminal on which the whole frame is drawn, cell by cell."""
    screen = pyte.Screen(len(frame[0]), len(frame))
    stream = pyte.Stream(screen)
    for y, row in enumerate(frame, 1):
        for x, cell in enumerate(row, 1):
            if cell is not None and cell[0]:
                stream.feed(f"\x1b[{y};{x}H{Strip([Segment(*cell)]).render(console)}")
    return screen


@pytest.mark.parametrize("seed", range(20))
def test_random_updates_on_random_sizes_show_what_the_frame_says(seed: int) -> None:
    rng = Random(seed)
    painter, console = Painter(), Console(color_system="256", force_terminal=True)
    width, height = rng.randint(1, 40), rng.randint(1, 12)
    screen = pyte.Screen(width, height)
    stream = pyte.Stream(screen)
    frame: Frame = [[None] * width for _ in range(height)]
    for _ in range(60):
        if rng.random() < 0.15:
            width, height = rng.randint(1, 40), rng.randint(1, 12)
            screen.resize(height, width)
            frame = [[None] * width for _ in range(height)]
        region = Region(
            *(rng.randint(-5, 45), rng.randint(-3, 14)), *(rng.randint(1, 45), rng.randint(1, 6))
        )
        rows = [pieces(rng, region.width) for _ in range(region.height)]
        update = spread(rng, region, rows)
        stream.feed(painter.paint(update, console, width, height))
        for y, row in enumerate(rows, region.y):
            put(frame, y, region.x, cells_of(row))
        right = wanted(frame, console)
        for y, x in product(range(height), range(width)):
            if frame[y][x] is not None:
                assert look_of(screen.buffer[y][x]) == look_of(right.buffer[y][x]), (y, x)


def test_a_dirty_span_that_cuts_a_kanji_draws_it_whole() -> None:
    painter, console = Painter(), Console(color_system="256", force_terminal=True)
    screen = pyte.Screen(12, 1)
    stream = pyte.Stream(screen)
    chops = [{0: Strip([Segment("a侍b侍c", STYLES[0])])}]
    stream.feed(painter.paint(ChopsUpdate(chops, [(0, 0, 7)], [[7]]), console, 12, 1))
    chops = [{0: Strip([Segment("a狐b狐d", STYLES[0])])}]
    stream.feed(painter.paint(ChopsUpdate(chops, [(0, 2, 5)], [[7]]), console, 12, 1))
    assert screen.display[0].rstrip() == "a狐b狐c"


def test_control_characters_are_never_written() -> None:
    painter, console = Painter(), Console(color_system="256", force_terminal=True)
    strip = Strip([Segment("a\x1b[31m\x07\x9b\x7fb", STYLES[0])])
    written = painter.paint(LayoutUpdate([[strip]], Region(0, 0, 8, 1)), console, 8, 1)
    assert written.endswith("a[31mb\x1b[m")
