"""A person at a terminal who knows nothing but the screen: reads it, presses keys, plays on.

Every way of choosing is used: the cursor on the board and beside it, parts one by one and one part
back, typed steps, a step taken back. What was used is counted.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Final

from kumite.store import log_files
from tests.support.terminal import Terminal
from tests.support.waiting import Watched, looks

WAYS: Final = ("board", "beside", "typed")
DEAF: Final = 0.4  # s that a cover hears nothing
ANSWER: Final = 2.0  # s within which a key is answered
STUCK: Final = 4  # keys without an answer
REST: Final = 0.02  # s without output after which a frame counts as complete
GOES_ON: Final = "Enter: go on"
PART: Final = ", then choose one of "  # in a hint: Enter chooses a part of a step
SEEN: Final = "Enter continues"  # in the title, whatever the hint says
COVERED: Final = re.compile(r"Press (\d) when only")
DRAWN: Final = ("Kitsu!", "Kumo")  # the tray of these lies at the side
SIDE: Final = 40  # columns before it, at least
ENDED: Final = re.compile(r"(?<!at )the end\b")  # in the title; Kuzushi's goal names one as well
_FRAME: Final = re.compile("┏.{2,8}┓")
_CHIP: Final = re.compile(r"\[([^\]]+)\]")
FIELD: Final = 49  # columns of the board or picture and the tray, at 80 columns
TURN: Final = re.compile(r"(your|'s) turn")
_BAR: Final = re.compile("▄{5,}")  # over the card under the cursor
_CURSOR: Final = re.compile(r"\[(.{1,20}?)\]")


class Player:
    def __init__(self, terminal: Terminal, rng: Random) -> None:
        self.terminal, self.rng = terminal, rng
        self.used: Counter[str] = Counter()

    @property
    def title(self) -> str:
        """Return the first line of the screen."""
        return self.terminal.text.split("\n", 1)[0]

    @property
    def hint(self) -> str:
        """Return the line above the keys."""
        return self.terminal.text.split("\n")[-2].strip()

    @property
    def number(self) -> int:
        """Return how many steps there are, by the log: not every title has room to say it."""
        logs = self.terminal.logs.glob("*.kumite")
        newest = max(logs, key=lambda path: path.stat().st_mtime, default=None)
        return 0 if newest is None else log_files.load(newest).match.number

    @property
    def is_over(self) -> bool:
        """Return whether the match is over and its last cards have been looked at."""
        return has_ended(self.terminal) and not self.hint.startswith(GOES_ON)

    @property
    def cursor(self) -> tuple[str, str]:
        """Return ("board", square) or ("beside", text): what cursor frame or brackets hold."""
        whole = self.terminal.screen.display[1:-2]
        for number, line in enumerate(whole):
            if frame := _FRAME.search(line):  # its square may be several rows high
                middle = (frame.start() + frame.end() - 1) // 2
                ranks = (re.match(r" {1,2}(\d{1,2}) ", one) for one in whole[number : number + 3])
                rank = next(filter(None, ranks), None)
                if rank:
                    return "board", f"{_file(whole, middle)}{rank[1]}"
        if self.title.lstrip().startswith(DRAWN):
            for line in whole:
                if found := _CHIP.search(line[SIDE:]):
                    return "beside", found[1].strip()
        for line, below in pairwise(whole):
            if bar := _BAR.search(line):
                return "beside", below[bar.start() : bar.end()].strip()
        lines = [line[:FIELD] for line in whole]
        for line in lines:
            for found in _CURSOR.finditer(line):
                rank = re.match(r" {1,2}(\d{1,2}) ", line)
                if rank and len(found[0]) <= len("[ X ]"):
                    middle = (found.start() + found.end() - 1) // 2
                    return "board", f"{_file(lines, middle)}{rank[1]}"
                if not rank:
                    return "beside", found[1].strip()
        return "", ""

    def press(self, *keys: str) -> bool:
        """Press keys and wait until the screen has answered; return whether it has."""
        before = self.terminal.text
        return self.until(lambda: self.terminal.text != before, *keys)

    def until(self, condition: Callable[[], bool], *keys: str) -> bool:
        """Press keys and wait until something is on the screen; return whether it has come."""
        self.terminal.type(*keys)
        came = self.terminal.wait_until(condition, ANSWER)
        self.terminal.settle(REST)
        return came

    @property
    def is_covered(self) -> bool:
        """Return whether the table is covered until somebody takes the keyboard."""
        return COVERED.search(self.terminal.text) is not None

    def uncover(self) -> bool:
        """Lift the cover between two people, if there is one, by the key that it names."""
        is_covered = self.is_covered
        for _ in looks("a cover to be lifted"):
            found = COVERED.search(self.terminal.text)
            if found is None:
                break
            time.sleep(1.25 * DEAF)
            self.press(found[1])
        return is_covered

    def play(self, is_enough: Callable[[], bool] = lambda: False) -> None:
        """Choose until the match is over, or `is_enough`."""
        idle = 0
        while idle < STUCK:
            if self.is_over or is_enough():
                return
            before = self.terminal.text
            if self.uncover():
                self.used["uncovered"] += 1
            elif self.hint.startswith(GOES_ON) or SEEN in self.title:
                self.used["gone on"] += 1
                self.press("enter")
            elif TURN.search(self.title):
                self._choose()
            else:
                self.press()  # a bot thinks
            # A slow machine may show late what an earlier key has done; but a person is stuck whose
            # keys do nothing time and again.
            idle = idle + 1 if self.terminal.text == before else 0
        raise AssertionError(f"no way on:\n{self.terminal.text}")

    def _choose(self) -> None:
        """Choose something at random: a whole step or a part of one."""
        number, way = self.number, self.rng.choice(WAYS) if self.used["typed"] else "typed"
        if not self.hint:  # the cursor still stands where the other one played
            self.press("enter")
        if not self.used["back"] and PART in self.hint:
            self._part_and_back()
        if way == "typed":
            self._type()
        else:
            if way == "beside" and "Tab: more below" in self.hint:
                self.press("tab")
            self.terminal.type(*self.rng.choice((["n"], ["n", "n"], ["N"], ["left", "n"])))
            self.terminal.settle(REST)
            where = self.cursor[0]
            self.used[where] += self.press("enter")
        if not self.used["taken back"] and self.number == number + 1 and not self.is_over:
            if COVERED.search(self.terminal.text):
                time.sleep(2 * DEAF)
            self.used["taken back"] += self.until(lambda: self.number == number, "u")

    def _part_and_back(self) -> None:
        """Choose a part of a step and think better of it."""
        if self.press("enter"):
            self.used["back"] += self.press("escape")

    def _type(self) -> None:
        before = self.title
        if not self.until(lambda: "Step: _" in self.terminal.text, ":"):
            return
        line = next((one for one in self.terminal.screen.display if "Step: _" in one), "")
        if not line:  # the only step there was has been made by itself meanwhile
            return
        offered = line.split("Step: _")[1].rstrip().split()
        if len(line.rstrip()) >= len(line) - 1 and len(offered) > 1:
            del offered[-1]  # it may be cut off
        said = (*self.rng.choice(offered), "enter")
        self.used["typed"] += self.until(lambda: self.title != before, *said)

    def leave(self) -> int:
        self.terminal.type("q")
        return self.terminal.wait_exit()


def has_ended(terminal: Watched) -> bool:
    """Return whether the title says that the match is over."""
    return ENDED.search(terminal.text.split("\n", 1)[0]) is not None


def _file(lines: list[str], column: int) -> str:
    labels = max(lines, key=lambda line: len(re.findall(r"(?<!\S)[a-z](?!\S)", line)))
    return labels[column - 1 : column + 2].strip()[:1]
