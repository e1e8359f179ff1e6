"""The results of an arena in a file: text, one JSON object a line, only ever appended.

The first line is the plan, each further one a match. A line that was cut off is no harm: its match
is played again.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kumite.cli.arena.playing import Result
from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.store import log_files

if TYPE_CHECKING:
    from kumite.cli.arena.playing import Plan

FORMAT: Final = 1
SUFFIX: Final = ".arena"


class ResultsError(KumiteError):
    """A file of results that cannot be gone on with."""

    code = codes.ARENA_RESULTS


def usual_path(plan: Plan) -> Path:
    """Return where the results of a plan lie if nobody names a file: under the saved matches."""
    name = f"{plan.game}-{plan.seats}-{plan.digest()}{SUFFIX}"
    return log_files.folder() / "arena" / name


class Results:
    """The results of one plan: those of earlier runs, and each one more as it comes."""

    def __init__(self, plan: Plan, path: Path) -> None:
        """Open the file, or begin it.

        Raises:
            KumiteError: it cannot be written, is of another plan or none, or another run has it.
        """
        self.path = path
        self.found: dict[int, Result] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+", encoding="utf-8", newline="\n")
        except OSError as error:
            raise _cannot("write", path, error) from error
        try:
            self._lock()
            self._begin(plan)
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        try:
            log_files.lock(self._file, self.path)
        except log_files.StoreError:
            raise ResultsError(
                f"another arena is writing {self.path}",
                hint="wait for it; one run uses all cores (--jobs)",
            ) from None

    def _begin(self, plan: Plan) -> None:
        """Read what there is; cut off a torn last line; write the plan if there is nothing."""
        self._file.seek(0)
        try:
            text = self._file.read()
        except UnicodeDecodeError:
            raise self._strange(1) from None
        sound = text[: text.rfind("\n") + 1]
        said = _head(plan)
        if sound:
            self._check(sound.splitlines()[0], said)
            self._read(sound.splitlines()[1:])
        elif text and not json.dumps(said).startswith(text):  # not our first line, cut off
            raise self._strange(1)
        if sound != text:
            self._file.truncate(len(sound.encode()))
        if not sound:
            self._write(said)

    def _check(self, line: str, plan: dict[str, Any]) -> None:
        found: Any = None
        with suppress(ValueError):
            found = json.loads(line)
        if not isinstance(found, dict) or "arena" not in found:
            raise self._strange(1)
        other = [name for name in (*plan, *found) if found.get(name) != plan.get(name)]
        if other:
            name = other[0]
            was, wanted = (json.dumps(one.get(name)) for one in (found, plan))
            raise ResultsError(
                f"{self.path} has results of another arena: {name} is {was} there, not {wanted}",
                hint="repeat its command, or name another file with --results",
            )

    def _read(self, lines: list[str]) -> None:
        for number, line in enumerate(lines, 2):
            try:
                fields: dict[str, Any] = {
                    name: tuple(value) if type(value) is list else value
                    for name, value in json.loads(line).items()
                }
                self.found[int(fields["number"])] = Result(**fields)
            except (ValueError, TypeError, AttributeError, KeyError):
                raise self._strange(number) from None

    def _strange(self, number: int) -> ResultsError:
        return ResultsError(
            f"{self.path}:{number}: this is no line of arena results",
            hint="name another file with --results",
        )

    def add(self, result: Result) -> None:
        """Keep one more result.

        Raises:
            ResultsError: the file cannot be written.
        """
        self._write(asdict(result))
        self.found[result.number] = result

    def _write(self, fields: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(fields) + "\n")
            self._file.flush()
        except OSError as error:
            raise _cannot("write", self.path, error) from error

    def close(self) -> None:
        """Close the file; nothing is waiting to be written."""
        with suppress(OSError):
            self._file.close()


def _head(plan: Plan) -> dict[str, Any]:
    fields = asdict(plan) | {"options": dict(plan.options), "bots": list(plan.bots)}
    fields["names"] = list(plan.names)
    return {"arena": FORMAT} | fields


def _cannot(verb: str, path: Path, error: OSError) -> ResultsError:
    return ResultsError(
        f"cannot {verb} {path}: {error.strerror or error}",
        hint="--results FILE names another file",
    )
