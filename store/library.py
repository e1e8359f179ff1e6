"""The list of saved matches: what each log says of itself, quick for thousands of them.

Opening a log to see what is in it takes a millisecond, so what was seen is kept in a file beside
the logs, by name, size and time of change: only new and changed logs are opened. That file is
nobody's only copy of anything: if it is missing, damaged or of another version, it is made anew.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import partial
from operator import attrgetter
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

from kumite.core import log
from kumite.core.errors import KumiteError
from kumite.core.games import GAMES
from kumite.core.origins import origin
from kumite.core.players import is_person, shown_names
from kumite.core.results import is_decided, result, winners
from kumite.store.log_files import SUFFIX, folder, read_ends, read_text, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from kumite.core.game import Game

FORMAT: Final = 4  # of the cache: raised when a row of it changes
CACHE: Final = "index.json"
LOCAL: Final = "*"  # how a log says that it holds everything
UNFINISHED: Final = "not finished, to be continued"  # what finds all that one can go on with


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of one log; plain values only, in the order in which the cache has them."""

    name: str  # of the file
    size: int  # bytes
    changed: int  # ns since 1970
    match_id: str
    game: str
    title: str
    players: str  # the names as people read them, with dashes between them
    by: str  # as the header has it
    number: int  # steps
    result: str  # in words: `ada won`; empty: not finished
    why: str  # in words; empty: the rules have ended it
    winners: str  # the names in `result`, one a line
    is_unfinished: bool  # one can go on: it did not end by the rules, nobody gave up or left
    damage: str  # where and why it stops to be sound; empty: it is sound
    table: str  # the file beside it with which a LAN match goes on; empty: none
    branched: str  # where it was branched off: match and step; empty: nowhere
    is_broken: bool  # damaged otherwise than by a last line that was never finished
    names: str  # of the players, one a line
    won: str  # the seats that won, `-` if all share, empty if it is no result to count
    first: str  # the first steps of seats, each as `SEAT STEP`, one a line
    is_helped: bool  # somebody took a step back or asked a bot
    is_checked: bool  # whether every line was checked, and not only the first and the last

    @property
    def is_local(self) -> bool:
        """Whether it was played at one keyboard."""
        return self.by == LOCAL

    @property
    def is_begun(self) -> bool:
        """Whether a person has made a step, or a bot where only bots play."""
        first = self.first.split("\n") if self.first else []
        if not self.is_checked or len(first) >= log.FIRST:
            return self.number > 0  # nobody knows who has made them all
        names = self.names.split("\n")
        people = {str(seat) for seat, name in enumerate(names) if is_person(name)}
        return any(not people or line.partition(" ")[0] in people for line in first)

    @property
    def when(self) -> datetime:
        """Return when it began, by the file's name, else when it was changed last; local time."""
        if found := re.match(r"(\d{4})-(\d\d)-(\d\d)-(\d\d)(\d\d)(\d\d)-", self.name):
            with suppress(ValueError):  # a file may be called anything
                return datetime(*map(int, found.groups()), tzinfo=UTC).astimezone()  # type: ignore[arg-type, misc]
        return datetime.fromtimestamp(self.changed // 1_000_000_000, tz=UTC).astimezone()

    @property
    def state(self) -> str:
        """Return in words how far it came."""
        ended = f"{self.result}: {self.why}" if self.why else self.result or "not finished"
        return f"{self.length}, {ended}{', damaged' * bool(self.damage)}"

    @property
    def length(self) -> str:
        """Return in words how many steps there are."""
        return f"{self.number} step{'s' * (self.number != 1)}"

    @property
    def words(self) -> str:
        """Return what a search looks through, in small letters."""
        more = [UNFINISHED] * self.is_unfinished + ["lan"] * (not self.is_local)
        more += ["branch"] * bool(self.branched)
        when = self.when.strftime("%Y-%m-%d")
        said = (self.game, self.title, self.players, self.names, when, self.state, *more)
        return " ".join(said).lower()


_ROW: Final = attrgetter(*(one.name for one in fields(Kept)))  # twenty times as fast as `astuple`
_TYPES: Final = tuple({"str": str, "int": int, "bool": bool}[str(one.type)] for one in fields(Kept))


class Library:
    """The logs of one folder. `read` opens what is new, a few files at a time, newest first."""

    def __init__(
        self, directory: Path | None = None, games: Mapping[str, Game[Any]] = GAMES
    ) -> None:
        """List the folder; open none of its logs yet."""
        self._directory = folder() if directory is None else directory
        self._games = games
        self._files = _listed(self._directory)  # size and time of change, by name
        kept = _cached(self._directory / CACHE)
        self._kept = {
            name: kept[name]
            for name, stamp in self._files.items()
            if name in kept and (kept[name].size, kept[name].changed) == stamp
        }
        # The newest is the last, and read first; what was not checked is, when all have been read.
        unchecked = (name for name, one in self._kept.items() if not one.is_checked)
        self._unread = [*sorted(unchecked), *sorted(self._files.keys() - self._kept.keys())]
        self._is_saved = len(kept) == len(self._kept)
        self._words: dict[str, str] = {}  # that a search looks through, by name
        self.problems: dict[str, str] = {}  # files that are no logs we can read, and why

    @property
    def unread(self) -> int:
        """Return how many logs are still to be opened."""
        return len(self._unread)

    def path(self, name: str) -> Path:
        """Return where a log lies."""
        return self._directory / name

    def named(self, name: str) -> Kept:
        """Return what is known of the log of that name."""
        return self._kept[name]

    def can_go_on(self, one: Kept) -> bool:
        """Return whether a match is unfinished, and all is here and sound to play on."""
        has_table = bool(one.table) and (self._directory / one.table).is_file()
        return one.is_unfinished and not one.is_broken and (one.is_local or has_table)

    def read(self, count: int | None = None, seconds: float | None = None) -> int:
        """Open up to `count` new or changed logs, newest first; return how many are left.

        When none are left, the cache is written. After so many `seconds` only the first and last
        lines of a log are looked at; it is checked the next time.
        """
        end = None if seconds is None else monotonic() + seconds
        for _ in range(len(self._unread) if count is None else min(count, len(self._unread))):
            if end is not None and monotonic() > end:
                self._glance_at_the_rest()
                return len(self._unread)
            self._read_one(self._unread.pop())
        if not self._unread:
            self._save()
        return len(self._unread)

    def _glance_at_the_rest(self) -> None:
        for name in self._unread:
            if name not in self._kept:
                self._keep(name, partial(read_ends, self._directory / name), log.glance)
        self._save()

    def all(self) -> list[Kept]:
        """Return what is known: unfinished matches first, of each kind the newest first."""
        found = sorted(self._kept.values(), key=lambda one: one.name, reverse=True)
        return sorted(found, key=lambda one: not one.is_unfinished)  # keeps the order within

    def search(self, text: str) -> list[Kept]:
        """Return the logs in whose words all words of `text` are found, in the order of `all`."""
        wanted = text.lower().split()
        if not wanted:
            return self.all()
        return [one for one in self.all() if all(word in self._words_of(one) for word in wanted)]

    def _words_of(self, one: Kept) -> str:
        words = self._words.get(one.name)
        if words is None:
            words = self._words[one.name] = one.words
        return words

    def newest(self, wanted: Callable[[Kept], bool]) -> Kept | None:
        """Return the newest log that is wanted, opening no more of them than must be."""
        for name in sorted(self._files, reverse=True):
            if self._unread and self._unread[-1] == name:
                self._unread.pop()
                self._read_one(name)
            elif name in self._kept and not self._kept[name].is_checked:
                self._read_one(name)
            if name in self._kept and wanted(self._kept[name]):
                self._save()
                return self._kept[name]
        self._save()
        return None

    def _read_one(self, name: str) -> None:
        self._keep(name, lambda: (read_text(self._directory / name),), log.skim)

    def _keep(
        self, name: str, read: Callable[[], tuple[str, ...]], look: Callable[..., log.Skim]
    ) -> None:
        """Keep what a look at a log's text has found."""
        try:
            skim = look(*read(), self._games)
            is_checked = look is log.skim
            if not (is_checked or skim.number):  # there is much talk behind the last step
                self._read_one(name)
                return
            self._kept[name] = _kept(name, *self._files[name], skim, is_checked=is_checked)
            self._is_saved = False
        except KumiteError as error:
            self._kept.pop(name, None)
            self.problems[name] = str(error)

    def _save(self) -> None:
        """Write the cache whole or not at all; where that cannot be, it is made anew next time."""
        if self._is_saved:
            return
        rows = [_ROW(one) for one in self._kept.values()]
        beside = self._directory / f".{CACHE}.{os.getpid()}"
        with suppress(OSError):
            text = json.dumps({"format": FORMAT, "logs": rows}, separators=(",", ":"))
            beside.write_text(text, encoding="utf-8")
            beside.replace(self._directory / CACHE)
            self._is_saved = True


def _listed(directory: Path) -> dict[str, tuple[int, int]]:
    found = {}
    with suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.endswith(SUFFIX):
                with suppress(OSError):  # gone meanwhile
                    stat = entry.stat()
                    found[entry.name] = (stat.st_size, stat.st_mtime_ns)
    return found


def _cached(path: Path) -> dict[str, Kept]:
    """Return the rows of a cache; {} if it is none of ours."""
    try:
        said = json.loads(path.read_bytes())
        if type(said) is not dict or said.get("format") != FORMAT:
            return {}
        rows = [row for row in said["logs"] if tuple(map(type, row)) == _TYPES]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return {row[0]: Kept(*row) for row in rows}


def _kept(name: str, size: int, changed: int, skim: log.Skim, *, is_checked: bool) -> Kept:
    header, game = skim.header, skim.header.setup.game
    came_from, shown = origin(header), _shown(header)
    table = table_of(Path(name), header)
    is_over = skim.end is not None and skim.end.kind != "adjourned"
    return Kept(
        name,
        size,
        changed,
        header.match_id,
        game.ID,
        game.TITLE,
        " – ".join(said for said, name in zip(shown, header.names, strict=False) if name) or "?",
        log.by_text(header.by),
        skim.number,
        *_result(skim, shown),
        not is_over,
        str(skim.damage) if skim.damage else "",
        table.name if table else "",
        f"{came_from.match_id} {came_from.number}" if came_from else "",
        skim.damage is not None and not skim.damage.is_tail,
        "\n".join(header.names),
        _won(skim),
        "\n".join(skim.first),
        skim.is_helped,
        is_checked,
    )


def _won(skim: log.Skim) -> str:
    """Return which seats won, as `Kept.won` says it."""
    setup, end = skim.header.setup, skim.end
    if end is None or not is_decided(setup, end):
        return ""
    return ",".join(map(str, winners(setup, end))) or "-"


def _shown(header: log.Header) -> tuple[str, ...]:
    """Return who plays, as people read it; by the seat where no name is said."""
    names = header.names or ("",) * header.setup.seats
    return shown_names(tuple(name or f"seat {seat + 1}" for seat, name in enumerate(names)))


def _result(skim: log.Skim, shown: Sequence[str]) -> tuple[str, str, str]:
    """Return in words who won a match, why, and the names alone; empty while it has not ended."""
    if skim.end is None:
        return "", "", ""
    setup, end = skim.header.setup, skim.end
    return *result(setup, end, shown), "\n".join(shown[seat] for seat in winners(setup, end))
