"""Somebody who reads every frame that is painted, and knows who may see it: nobody else's cards.

Whose eyes are at the screen is worked out here from frames and keys alone, never asked of the app:
a cover ends it for everybody, and only the key that the cover names, pressed by itself after the
cover was seen, begins it for one seat.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import takewhile
from typing import Final

from kumite.core.errors import KumiteError
from kumite.core.game import SPECTATOR, Seat, Seats, Step
from kumite.core.match import Match
from kumite.tui import scenes
from kumite.tui.app import KumiteApp
from kumite.tui.drawing.cover import Handover, cover_rows
from kumite.tui.play import narration
from kumite.tui.scenes.lines import plain
from kumite.tui.scenes.model import scene_text
from kumite.tui.screens.table import TableScreen
from tests.support.apps import frame

DEAF: Final = 0.4  # s; said here again, so that the app's own figure is tested
COVERED: Final = "Nobody else should look"
KEY: Final = re.compile(r"Press (\d)")
REFUSED: Final = "is no step of this game"  # behind it, examples for everybody
ECHOED: Final = re.compile(r"^ '[^']*' ", re.MULTILINE)  # what whoever is here has typed
ASKED: Final = re.compile(r"^ Step: (.+?)(?:_?  .*|_?)$", re.MULTILINE)
FACES: Final = "approach|retreat|charge|stance|high|low|balanced|zantetsu|kesa|counter"
CARDS: Final = {  # by game: what tells a card that may be somebody's secret
    "kitsune": re.compile(
        r"\b([bo][1-6])\b|\b(blue [1-6])\b|\b(orange [1-6])\b"
        r"|\b(katana|black kitsune|white kitsune)\b|\[ ?(black|white) ?\]|give:(\w+)",
        re.IGNORECASE,
    ),
    "kiriai": re.compile(rf"\b(zantetsu|kesa|counter)\b|\b((?:{FACES}),(?:{FACES}))\b"),
}


class Eyewitness:
    """Reads the frames of an app that shows a table; `leaks` are those it should not have seen."""

    def __init__(self, kumite: KumiteApp) -> None:
        self._app = kumite
        self._display = kumite._display
        kumite._display = self._read
        self.now = 100.0  # s
        self._last_key = 0.0  # when it was pressed
        self._covered_at = 0.0
        self.covered: Seat | None = None  # for whom the cover is, that was painted last
        self.allowed: Seats = SPECTATOR
        self._typed = ""  # by who is here, since they came
        self.frames = self.covers = self.lifted = 0
        self.leaks: list[str] = []
        self._lift: object = None  # who lifted the last cover, and what was shown by then
        self._seen: object = None  # table and number of steps that the last frame showed

    def press(self, key: str, character: str | None) -> float:
        """Note a key that is pressed now; return when that is."""
        is_alone = self.now - max(self._last_key, self._covered_at) >= DEAF
        if self.covered is not None and is_alone and key == str(self.covered + 1):
            self._lift = self.covered, self._seen
            self.allowed, self.covered = frozenset({self.covered}), None
            self.lifted += 1
            self._typed = ""
        else:
            self._typed += character or ""
        self._last_key = self.now
        return self.now

    def _read(self, screen: object, renderable: object) -> None:
        self._display(screen, renderable)
        if screen is not self._app.screen or not self._app.screen.is_mounted:
            return
        tables = [one for one in self._app.screen_stack if isinstance(one, TableScreen)]
        is_over_it = isinstance(screen, TableScreen) or getattr(screen, "is_modal", False)
        if tables and is_over_it and tables[-1].is_ready:
            self.read(tables[-1], frame(self._app))

    def read(self, table: TableScreen, text: str) -> None:
        self.frames += 1
        self._seen = id(table), table.table.match.number
        if COVERED in text:
            self._read_cover(table, text)
            return
        if table.model.is_over:
            return  # given up in this burst: all hands lie open, as after any match
        match = table.table.match
        found = cards(match, self._without_typing(match, text)) - self.known(table)
        if found:
            self.leaks.append(f"{sorted(found)}, to {set(self.allowed) or 'nobody'}:\n{text}")

    def _read_cover(self, table: TableScreen, text: str) -> None:
        """Compare a cover with what is drawn from a name and a key alone, cell by cell."""
        self.covers += 1
        found = KEY.search(text)
        if found is None:
            self.leaks.append(f"a cover without a key:\n{text}")
            return
        seat = Seat(int(found[1]) - 1)
        if self._lift != (seat, self._seen):  # else the key is still on its way
            if seat != self.covered:
                self.covered, self._covered_at = seat, self.now
            self.allowed, self._lift = SPECTATOR, None
        if not isinstance(self._app.screen, TableScreen):
            return  # something stands over it; nothing of the table is below
        name, look = table.table.shown_names[seat], self._app.look
        width, height = self._app.size
        middle = text.split("\n")[1:-2]
        said = cover_rows(Handover(seat, name, found[1], True), look, width, height - 3)
        rows = [plain(line).rstrip() for line in said]
        if [row.rstrip() for row in middle] != rows or cards(table.table.match, text):
            self.leaks.append(f"a cover that is none:\n{text}")

    def known(self, screen: TableScreen) -> frozenset[str]:
        """Return the cards that whoever is allowed to look may read anywhere at this table."""
        match = screen.table.match
        seen = match.seen_by(self.allowed) if len(self.allowed) < match.setup.seats else match
        makes, names = scenes.maker(match), screen.table.shown_names
        you = min(self.allowed, default=None)
        told = ["".join(f" {plain(line)}" for line in narration.told_lines(seen, names, 10_000))]
        for at in (seen, *[one for one in (seen.before,) if one]):
            told.append(scene_text(makes.scene(at.state, names, screen.shell.look, you)))
        at: Match | None = seen
        for _ in range(12):  # what has still to be seen may be some steps back
            if at is None or at.before is None or at.last is None:
                break
            last = at.last
            stop = makes.interlude(at.before.state, last.actor, last.step, at.state, names)
            if stop:
                view = makes.scene(stop.view, names, screen.shell.look, None, scenes.past(at))
                told += [stop.said, scene_text(view)]
            at = at.before
        for seat in self.allowed:
            for step in seen.legal(seat) if seat in seen.actors else ():
                told += [step, plain(makes.preview(seen.state, seat, step, screen.shell.look))]
        return frozenset().union(*(cards(match, text) for text in told))

    def _without_typing(self, match: Match, text: str) -> str:
        """Return a frame without what was typed into it, and what is said of how that is done."""
        asked = ASKED.search(text)
        if asked and self._can_be_typed(match, asked[1]):
            text = text[: asked.start(1)] + text[asked.end(1) :]
        head, refused, tail = ECHOED.sub("", text).partition(REFUSED)
        if refused:
            try:
                match.game.apply(match.state, match.actors[0], Step("no step"))
            except KumiteError as error:
                hint = r"\s+".join(map(re.escape, error.hint.split()))
                tail = re.sub(hint, "", tail)
        return head + refused + tail

    def _can_be_typed(self, match: Match, text: str) -> bool:
        """Return whether a text begins as an own step does, and goes on with typed signs."""
        own = [step for seat in self.allowed for step in match.legal(seat) if seat in match.actors]
        known = max((_agreeing(step, text) for step in own), default=0)
        return Counter(text[known:]) <= Counter(self._typed)


def _agreeing(one: str, other: str) -> int:
    """Return with how many of the same signs two texts begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def cards(match: Match, text: str) -> frozenset[str]:
    """Return the cards that a text names, each in one way."""
    found = set()
    for groups in CARDS[match.game.ID].findall(text):
        word = next(filter(None, groups)).lower()
        word = re.sub(r"^(blue|orange) ", lambda color: color[1][0], word)
        found.add(word.removesuffix(" kitsune"))
    return frozenset(found)
