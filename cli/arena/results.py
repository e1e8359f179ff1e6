"""The results file of an arena: append-only JSON lines.

The first line is the plan; each later line is one match. A truncated line is harmless, since its
match is played again.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from kumite.cli.arena.playing import Plan, Result
from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.store import log_files
from kumite.store.whole_files import read_text, reason, require_file

FORMAT: Final = 1
MOST: Final = 1 << 28  # bytes; a match takes about 300
SUFFIX: Final = ".arena"


class ResultsError(KumiteError):
    """The results file cannot be continued."""

    code = codes.ARENA_RESULTS


def usual_path(plan: Plan) -> Path:
    """Return the default path of a plan's results, in the folder of saved matches."""
    name = f"{plan.game}-{plan.seats}-{plan.digest()}{SUFFIX}"
    return log_files.folder() / "arena" / name


class Results:
    """The results of one plan, both loaded and new."""

    def __init__(self, plan: Plan, path: Path) -> None:
        """Open or create the file.

        Raises:
            KumiteError: it cannot be written, has another plan or none, or is in use already.
        """
        self.path = path
        self.found: dict[int, Result] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            require_file(path)
            self._file = path.open("a+", encoding="utf-8", newline="\n")
        except OSError as error:
            raise _cannot("write", path, error) from error
        try:
            hint = "wait for it; one run uses all cores (--jobs)"
            held = ResultsError(f"another arena is writing {path}", hint=hint)
            log_files.lock(self._file, path, held)
            self._begin(plan)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, plan: Plan) -> None:
        """Load the results; cut off a torn last line; write the plan into an empty file."""
        try:
            text = read_text(self.path, MOST)
        except OSError as error:
            raise _cannot("read", self.path, error) from error
        sound = text[: text.rfind("\n") + 1]
        said = _head(plan)
        if sound:
            self._check(sound.splitlines()[0], said)
            self._read(sound.splitlines()[1:])
        elif text and not json.dumps(said).startswith(text):  # not this plan, truncated
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
        """Append a result.

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
        """Close the file; every result has been written by then."""
        with suppress(OSError):
            self._file.close()


def _head(plan: Plan) -> dict[str, Any]:
    lists = {"bots": list(plan.bots), "names": list(plan.names)}
    return {"arena": FORMAT, **asdict(plan), "options": dict(plan.options), **lists}


def _cannot(verb: str, path: Path, error: OSError) -> ResultsError:
    return ResultsError(
        f"cannot {verb} {path}: {reason(error)}", hint="--results FILE names another file"
    )
