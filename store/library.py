"""The list of saved matches: a summary of each log, fast for thousands of them.

Opening a log takes a millisecond, so summaries are cached in a file beside the logs, by name, size
and modification time: only new and changed logs are opened. The cache is rebuilt if it is missing,
damaged or of another version.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import partial
from operator import attrgetter
from pathlib import Path
from time import monotonic
from typing import Final

from kumite.core import log
from kumite.core.errors import KumiteError
from kumite.core.game import SPECTATOR
from kumite.core.origins import origin
from kumite.core.players import is_person, shown_names
from kumite.core.results import is_decided, result, winners
from kumite.store.log_files import SUFFIX, folder, read_ends, read_text, table_of
from kumite.store.warned import warn
from kumite.store.whole_files import load, reason, write_cache

FORMAT: Final = 4  # of the cache: raised when a row of it changes
CACHE: Final = "index.json"
MOST: Final = 1 << 28  # bytes of the cache; a log takes 400
LOCAL: Final = "*"  # the `by` of a complete log
UNFINISHED: Final = "not finished, to be continued"  # search words of unfinished matches


@dataclass(frozen=True, slots=True)
class Kept:
    """The summary of one log; plain values, in the order of the cache."""

    name: str  # of the file
    size: int  # bytes
    changed: int  # modification time, ns since 1970
    match_id: str
    game: str
    title: str
    players: str  # display names, joined by dashes
    by: str  # as in the header
    number: int  # steps
    result: str  # `ada won`; empty: not finished
    why: str  # the reason; empty: by the rules
    winners: str  # the names in `result`, one per line
    is_unfinished: bool  # it can be continued
    damage: str  # where and why the log is damaged; empty: it is intact
    table: str  # the journal of a LAN match; empty: none
    branched: str  # origin of a branch: match and step; empty: none
    is_broken: bool  # damaged by more than an unfinished last line
    names: str  # of the players, one per line
    won: str  # the winning seats, `-` for a draw, empty if it does not count
    first: str  # the first steps of seats, each as `SEAT STEP`, one per line
    is_helped: bool  # a player took a step back or used a bot
    is_checked: bool  # every line was checked, not only the first and the last

    @property
    def is_local(self) -> bool:
        return self.by == LOCAL

    @property
    def is_watched(self) -> bool:
        return self.by == log.by_text(SPECTATOR)

    @property
    def is_begun(self) -> bool:
        """True once a person has made a step, or a bot where only bots play."""
        first = self.first.split("\n") if self.first else []
        if not self.is_checked or len(first) >= log.FIRST:
            return self.number > 0  # `first` may be incomplete
        names = self.names.split("\n")
        people = {str(seat) for seat, name in enumerate(names) if is_person(name)}
        return any(not people or line.partition(" ")[0] in people for line in first)

    @property
    def when(self) -> datetime:
        """The start time from the file's name, else its last change; local time."""
        if found := re.match(r"(\d{4})-(\d\d)-(\d\d)-(\d\d)(\d\d)(\d\d)-", self.name):
            with suppress(ValueError):  # the name may be arbitrary
                return datetime(*map(int, found.groups()), tzinfo=UTC).astimezone()  # type: ignore[arg-type, misc]
        return datetime.fromtimestamp(self.changed // 1_000_000_000, tz=UTC).astimezone()

    @property
    def state(self) -> str:
        """The length and result, as displayed."""
        ended = f"{self.result}: {self.why}" if self.why else self.result or "not finished"
        return f"{self.length}, {ended}{', damaged' * bool(self.damage)}"

    @property
    def length(self) -> str:
        return f"{self.number} step{'s' * (self.number != 1)}"

    @property
    def words(self) -> str:
        """The lower-case text that a search looks through."""
        more = [UNFINISHED] * self.is_unfinished + ["lan"] * (not self.is_local)
        more += ["branch"] * bool(self.branched)
        when = self.when.strftime("%Y-%m-%d")
        said = (self.game, self.title, self.players, self.names, when, self.state, *more)
        return " ".join(said).lower()


_ROW: Final = attrgetter(*(one.name for one in fields(Kept)))  # twenty times as fast as `astuple`
_TYPES: Final = tuple({"str": str, "int": int, "bool": bool}[str(one.type)] for one in fields(Kept))


class Library:
    """The logs of one folder. `read` opens new ones in batches, newest first."""

    def __init__(self, directory: Path | None = None) -> None:
        """List the folder without opening any log."""
        self._directory = folder() if directory is None else directory
        self.problems: dict[str, str] = {}  # errors by file name ("": the folder)
        self._files = self._listed()  # size and time of change, by name
        kept: dict[str, Kept] = load(self._directory / CACHE, _parsed, {}, MOST)
        self._kept = {
            name: kept[name]
            for name, stamp in self._files.items()
            if name in kept and (kept[name].size, kept[name].changed) == stamp
        }
        # Read from the end: new logs from the newest on, then those not fully checked.
        unchecked = (name for name, one in self._kept.items() if not one.is_checked)
        self._unread = [*sorted(unchecked), *sorted(self._files.keys() - self._kept.keys())]
        self._is_saved = len(kept) == len(self._kept)
        self._words: dict[str, str] = {}  # search texts by name

    def _listed(self) -> dict[str, tuple[int, int]]:
        found = {}
        try:
            with os.scandir(self._directory) as entries:
                for entry in entries:
                    if entry.name.endswith(SUFFIX):
                        try:
                            stat = entry.stat()
                        except OSError as error:
                            if os.path.lexists(entry):  # else it was deleted meanwhile
                                self.problems[entry.name] = reason(error)
                        else:
                            found[entry.name] = (stat.st_size, stat.st_mtime_ns)
        except FileNotFoundError:
            pass
        except OSError as error:
            self.problems[""] = reason(error)
            warn(f"cannot list {self._directory}: {reason(error)}")
        return found

    @property
    def unread(self) -> int:
        return len(self._unread)

    def path(self, name: str) -> Path:
        return self._directory / name

    def named(self, name: str) -> Kept:
        return self._kept[name]

    def can_go_on(self, one: Kept) -> bool:
        """Return True if our match is unfinished and its files suffice to continue it."""
        has_table = bool(one.table) and (self._directory / one.table).is_file()
        is_ours = one.is_local or (has_table and not one.is_watched)
        return one.is_unfinished and not one.is_broken and is_ours

    def read(self, count: int | None = None, seconds: float | None = None) -> int:
        """Open up to `count` new or changed logs, newest first; return the number left.

        When none is left, the cache is written. After `seconds`, only the first and last lines of
        the remaining logs are read; they are checked the next time.
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
        """Return all summaries: unfinished matches first, then newest first."""
        return sorted(self.newest_first(), key=lambda one: not one.is_unfinished)  # stable

    def newest_first(self) -> list[Kept]:
        """Return all summaries by age: a match's number in this list, from 1, names it."""
        return sorted(self._kept.values(), key=lambda one: one.name, reverse=True)

    def search(self, text: str) -> list[Kept]:
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
        """Return the newest matching log, opening as few logs as possible."""
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
        try:
            skim = look(*read())
            is_checked = look is log.skim
            if not (is_checked or skim.number):  # long talk after the last step
                self._read_one(name)
                return
            self._kept[name] = _kept(name, *self._files[name], skim, is_checked=is_checked)
            self._is_saved = False
        except KumiteError as error:
            self._kept.pop(name, None)
            self.problems[name] = str(error)

    def _save(self) -> None:
        """Write the cache atomically; if that fails, it is rebuilt the next time."""
        if self._is_saved:
            return
        rows = [_ROW(one) for one in self._kept.values()]
        text = json.dumps({"format": FORMAT, "logs": rows}, separators=(",", ":"))
        self._is_saved = write_cache(self._directory / CACHE, text)


def _parsed(text: str) -> dict[str, Kept]:
    """Return the rows of a cache; {} if it is of another version."""
    said = json.loads(text)
    if said["format"] != FORMAT:
        return {}
    rows = [row for row in said["logs"] if tuple(map(type, row)) == _TYPES]
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
    setup, end = skim.header.setup, skim.end
    if end is None or not is_decided(setup, end):
        return ""
    return ",".join(map(str, winners(setup, end))) or "-"


def _shown(header: log.Header) -> tuple[str, ...]:
    """Return the display names of the players; numbered seats for missing names."""
    names = header.names or ("",) * header.setup.seats
    return shown_names(tuple(name or f"seat {seat + 1}" for seat, name in enumerate(names)))


def _result(skim: log.Skim, shown: Sequence[str]) -> tuple[str, str, str]:
    """Return the winners as a sentence, the reason, and their names; empty before the end."""
    if skim.end is None:
        return "", "", ""
    setup, end = skim.header.setup, skim.end
    return *result(setup, end, shown), "\n".join(shown[seat] for seat in winners(setup, end))
