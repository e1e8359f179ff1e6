"""What the app writes to a terminal, in bytes: over ssh they are what one waits for."""

from __future__ import annotations

import re
import sys
import time
from collections import defaultdict
from random import Random
from statistics import median
from typing import Final

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are a matter of POSIX", allow_module_level=True)

from pathlib import Path

from kumite.core.games import GAMES
from tests.support.player import GOES_ON, Player
from tests.support.terminal import ROOT, Terminal

pytestmark = pytest.mark.slow

SMALL, LARGE = (80, 24), (120, 40)
TABLES = [  # each game, a board of each kind in both sizes
    ("kuzushi", 2, SMALL),
    ("kuzushi", 6, LARGE),
    ("kitsune", 2, SMALL),
    ("kumo", 4, SMALL),
    ("kitsu", 2, LARGE),
    ("kiriai", 2, SMALL),
]
MORE = [("kuzushi", 6, SMALL), ("kitsune", 6, SMALL), ("kitsune", 4, LARGE), ("kitsu", 2, SMALL)]
LARGE_BOARDS: Final = (("kuzushi", 6),)  # all others have at most 9 by 9 squares
LOG: Final = ROOT / "tests" / "data" / "golden.kumite"
STEPS: Final = 14
STEPS_ON_CARDS: Final = 8  # after each but a few the table is covered, which takes a second
FEW: Final = 3  # at a table of six one covers the other, and few steps are left to count
MANY: Final = 12  # of Kitsune: one in four takes a trick as well, and costs twice as much
CURSOR: Final = (150, 400)  # bytes of a move of the cursor: in the median, at most
CURSOR_ON_LARGE: Final = (200, 500)  # pictures of pieces, or more than 9 by 9 squares
CURSOR_ON_CARDS: Final = (100, 900)  # a bar over a card; at most, a hand comes back from others
PREVIEW: Final = 250  # at most: the line that says what a choice would do
STEP: Final = 1536  # in the median
STEP_ON_CARDS: Final = 2000  # a card is laid, and the hand closes its gap
STEP_WITH_TRICK: Final = 3500  # at most: the trick is taken besides, and the next one begins
STEP_ON_STAGE: Final = 10_000  # both swordsmen act, and a hand makes room for all cards
CARDS: Final = ("kitsune", "kiriai")
COVER, COVER_ON_LARGE = 10_000, 20_000  # at most: the whole screen, for the one who comes
STEP_ON_LARGE: Final = 5000  # a season of pictures opens, and its ground is another one
FIRST_PAINTS: Final = [(SMALL, 16_000), ((160, 50), 60_000)]
OVER_THE_MENU: Final = 700  # bytes of a step of the cursor
SCREEN: Final = 1.3  # bytes a cell of the screen, for a page of the rules


def environment(logs: Path) -> dict[str, str]:
    config = logs / "config" / "kumite"
    config.mkdir(parents=True, exist_ok=True)
    (config / "settings.toml").write_text('name = "ada"\n')  # so that no start asks for it
    over_ssh = {"SSH_CONNECTION": "192.0.2.1 40000 192.0.2.2 22"}
    return {"KUMITE_LOGS": str(logs), "XDG_CONFIG_HOME": str(config.parent), **over_ssh}


def by_row(written: bytes) -> dict[int, int]:
    """Return how many bytes were written into each row: each begins where the cursor is put."""
    rows: dict[int, int] = defaultdict(int)
    row = -1
    for piece in re.split(rb"(?=\x1b\[\d+;\d+H)", written):
        found = re.match(rb"\x1b\[(\d+);", piece)
        row = int(found[1]) - 1 if found else row
        rows[row] += len(piece)
    return rows


class Meter:
    """Play at random, and keep what was written for each kind of key."""

    def __init__(self, terminal: Terminal, rng: Random) -> None:
        self.terminal, self.rng = terminal, rng
        self.player = Player(terminal, rng)
        self.cursor: list[int] = []  # all of a move but its preview
        self.previews: list[int] = []
        self.steps: list[int] = []
        self.covers: list[int] = []  # steps after which the table is covered for the next player

    def play(self, steps: int) -> None:
        """Play some steps, in as many matches as it takes."""
        while len(self.steps) + len(self.covers) < steps or 0 < len(self.steps) < FEW:
            if self.player.is_over:
                self.player.press("m")
                continue
            if self.player.uncover():
                self.terminal.settle(0.3)
                continue
            if self.player.hint.startswith(GOES_ON):
                self.player.press("enter")
                continue
            for key in self.rng.choice((["n"], ["n"], ["N"], ["up", "n"], ["left", "down", "n"])):
                self._move(key)
            self._choose()

    def _written(self, key: str) -> bytes:
        """Press a key that may change nothing; return what was written."""
        start = len(self.terminal.written)
        self.terminal.type(key)
        self.terminal.wait_until(lambda: len(self.terminal.written) > start, 0.15)
        self.terminal.settle(0.05)
        return bytes(self.terminal.written[start:])

    def _move(self, key: str) -> None:
        title = self.player.title
        written = self._written(key)
        if self.player.title != title:  # a step without a choice was made meanwhile, by itself
            self._count(len(written) + self.terminal.settle(0.2))
        elif written:
            preview = by_row(written)[self.terminal.screen.lines - 2]
            self.previews.append(preview)
            self.cursor.append(len(written) - preview)

    def _choose(self) -> None:
        """Choose; a step without a choice can follow by itself, and counts as another one."""
        title, number = self.player.title, self._number
        start = len(self.terminal.written)
        self.player.press("enter")
        self.terminal.settle(0.2)  # the panel is laid out anew, if it has grown
        if self.player.title != title:  # else it was a part of a step
            made = max(1, self._number - number)
            self._count((len(self.terminal.written) - start) // made)

    @property
    def _number(self) -> int:
        """Return the number of steps that the title tells, 0 if it has no room for it."""
        found = re.search(r"step (\d+)", self.player.title)
        return int(found[1]) if found else 0

    def _count(self, written: int) -> None:
        """Count a step, with the cover if there is one now."""
        (self.covers if self.player.is_covered else self.steps).append(written)


@pytest.mark.parametrize(
    ("game", "seats", "size"),
    [*TABLES, *(pytest.param(*one, marks=pytest.mark.long) for one in MORE)],
    ids=[f"{game}-{seats}-{size[0]}x{size[1]}" for game, seats, size in (*TABLES, *MORE)],
)
def test_keys_and_steps_stay_within_their_bytes(
    tmp_path: Path, game: str, seats: int, size: tuple[int, int]
) -> None:
    """256 colours; random play by keys. The preview is what is written into the hint's row."""
    play = ("play", game, "--seats", str(seats))
    with Terminal(*play, size=size, environment=environment(tmp_path)) as terminal:
        terminal.wait_for("rules, help", "leave")
        terminal.settle()
        meter = Meter(terminal, Random(f"{game} {seats}"))
        meter.play(STEPS_ON_CARDS if game in CARDS else STEPS)
        is_large = size == LARGE or (game, seats) in LARGE_BOARDS
        limits = CURSOR_ON_CARDS if game in CARDS else CURSOR_ON_LARGE if is_large else CURSOR
        middle, most = limits
        assert median(meter.cursor) <= middle
        assert max(meter.cursor) <= most
        assert max(meter.previews) <= PREVIEW
        assert max(meter.covers, default=0) <= (COVER_ON_LARGE if size == LARGE else COVER)
        step = {"kiriai": STEP_ON_STAGE, "kitsune": STEP_ON_CARDS}.get(game, STEP)
        step = max(step, STEP_ON_LARGE if size == LARGE else 0)
        if game == "kitsune" and size == SMALL:
            assert max(meter.steps, default=0) <= STEP_WITH_TRICK
        if meter.steps and (game != "kitsune" or len(meter.steps) >= MANY):
            assert median(meter.steps) <= step
        terminal.settle(1.0)  # a step without a choice is made by itself
        shown = terminal.shapes
        assert terminal.press("r") <= SCREEN * size[0] * size[1]
        terminal.type("q")
        assert terminal.wait_until(lambda: terminal.shapes == shown)
        terminal.screen.reset()  # as by what a shell has written meanwhile
        terminal.press("ctrl+l")  # all of it anew
        assert terminal.wait_until(lambda: terminal.shapes == shown)


def is_judged(text: str) -> bool:
    """Return whether the curve of a replay is done, the second look at what cost much as well."""
    return "%" in text and " judged " not in text and " checking errors" not in text


def test_whatever_is_open_writes_nothing_while_nothing_happens(tmp_path: Path) -> None:
    """The table of every game, home, rules, a replay and its curve, for two seconds."""
    folder = environment(tmp_path)
    opened = [Terminal("play", game, environment=folder) for game in GAMES]
    opened += [Terminal(environment=folder), Terminal("replay", str(LOG), environment=folder)]
    opened.append(rules := Terminal("play", environment=folder))
    opened.append(judged := Terminal("replay", str(LOG), environment=folder))
    try:
        for terminal in opened:
            terminal.wait_for("help")
            terminal.settle()
        rules.press("r")
        rules.wait_for("the keys of the table")
        judged.press("c")
        assert judged.wait_until(lambda: is_judged(judged.text))
        for terminal in opened:
            terminal.settle()  # the cards that were dealt at its start are told a moment later
        end = time.monotonic() + 2.0
        while time.monotonic() < end:
            assert not any(terminal.read(0.05) for terminal in opened)
    finally:
        for terminal in opened:
            terminal.kill()


def test_the_first_picture_of_every_way_to_a_match_stays_within_its_bytes(tmp_path: Path) -> None:
    """One size after the other: both tables want the usual port."""
    for number, (size, most) in enumerate(FIRST_PAINTS):
        look_around(tmp_path / f"{number}", size, most)


def look_around(place: Path, size: tuple[int, int], most: int) -> None:
    """In full colour: home with its landscape, then set-up, the lobby, and home again."""
    folder = {**environment(place), "COLORTERM": "truecolor"}
    with Terminal(size=size, environment=folder) as terminal:
        terminal.wait_for("settings", "quit")
        terminal.settle()
        assert len(terminal.written) <= most
        terminal.press("down")
        terminal.settle(0.5)  # else its bytes may count as those of the next key
        moves = ("right", "right", "down", "left", "up", "right", "left")
        rounds = [[terminal.press(key) for key in moves] for _ in range(2)]
        # A table of another test that is announced meanwhile writes its line, in one of the rounds.
        assert max(map(min, *rounds)) <= OVER_THE_MENU
        for key, text in (("b", "Begin the match"), ("escape", "rules"), ("h", "Open the table")):
            start = len(terminal.written)
            terminal.press(key)
            terminal.wait_for(text)
            assert len(terminal.written) - start <= most
        start = len(terminal.written)
        terminal.press("enter")
        terminal.wait_for("kumite join")
        terminal.settle()
        assert len(terminal.written) - start <= most
