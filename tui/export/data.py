"""A match as JSON data, with every step as text and every position, and back to a log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from kumite.core.errors import BadData, KumiteError, NewerLog
from kumite.core.game import Actor, Seats, Setup, Step, parse_actor
from kumite.core.games import find
from kumite.core.log import (
    End,
    Header,
    Writer,
    by_text,
    end_text,
    log_text,
    outcome_end,
    parse_by,
    parse_end,
    read,
    step_text,
)
from kumite.core.match import Match
from kumite.core.origins import talk
from kumite.core.text import clean, escaped

if TYPE_CHECKING:
    from kumite.tui.play.replaying import Replay

FORMAT: Final = 1  # raised when a field changes its meaning, not for new fields
LONGEST_NAME: Final = 300
LONGEST_LINE: Final = 4000  # characters of a line
OWN: Final = "table"  # a header line that names the journal, which has secrets
_HEADER: Final = frozenset(
    {"kumite-log", "match", "game", "seats", "option", "name", "by", "position", "begin", OWN}
)
_HINT: Final = "use the output of `kumite log export --as json`"


def data(replay: Replay) -> dict[str, Any]:
    """Return the match as seen in this replay; docs/log-format.md describes the fields."""
    line, header, end = replay.line, replay.log.header, replay.log.end
    setup, game, last = header.setup, header.setup.game, replay.line[-1]
    ended = outcome_end(last) or end
    return {
        "kumite": FORMAT,
        "match": header.match_id,
        "game": game.ID,
        "title": game.TITLE,
        "rules": game.RULES,
        "seats": setup.seats,
        "options": dict(setup.options),
        "names": list(header.names),
        "by": by_text(last.by),
        "position": game.text(line[0].state) if header.position else "",
        "extra": [one for one in header.extra if one.partition(" ")[0] not in _HEADER],
        "origin": replay.origin,
        "start": game.text(line[0].state),
        "steps": [_step(replay, at) for at in range(1, len(line))],
        "end": ended and {"kind": ended.kind, "seats": [*ended.seats], "reason": ended.reason},
        "result": replay.result,
        "damage": str(replay.log.damage) if replay.log.damage else None,
        "history": _history(replay),
    }


def data_text(replay: Replay) -> str:
    found = data(replay)
    lists = [(name, found.pop(name)) for name in ("history", "steps")]
    text = json.dumps(found, ensure_ascii=False, indent=1).removesuffix("\n}")
    for name, values in lists:
        lines = ",\n  ".join(json.dumps(one, ensure_ascii=False) for one in values)
        text += f',\n "{name}": [\n  {lines}\n ]' if values else f',\n "{name}": []'
    return escaped(f"{text}\n}}\n")


def _step(replay: Replay, at: int) -> dict[str, Any]:
    match, course = replay.line[at], replay.course
    assert match.last is not None
    return {
        "number": at,
        "actor": match.last.actor,
        "step": match.last.step,
        "said": replay.told[at],
        "event": course.events[at],
        "ends": list(course.parts[: course.ends[at]]),
        "remark": replay.remarks.get(at, ""),
        "talk": [one.text for one in replay.talk.get(at, ())],
        "digest": match.digest.hex(),
        "position": match.game.text(match.state),
    }


def _history(replay: Replay) -> list[str]:
    """Return everything in the log in order, as this view may show it.

    From the log's own view that is every line. From another view only steps, talk and the end,
    because taken-back steps could reveal a secret.
    """
    log = replay.log
    if replay.line[-1].by == log.header.by:
        return [f"{one.kind} {one.rest}".rstrip() for one in log.entries]
    said = talk(log)
    lines = []
    for match in replay.line:
        lines += [step_text(match)] if match.last else []
        lines += said.get(match.number, ())
    end = outcome_end(replay.line[-1]) or log.end
    return [*lines, end_text(end)] if end else lines


# --- Reading ----------------------------------------------------------------------------------


def texts_in(text: str, match_ids: Iterator[str]) -> Iterator[tuple[Header, str]]:
    """Yield header and log of the matches in JSON: one object, or one per line.

    Reads `game`, `seats`, `options` and `steps` (objects with `actor` and `step`, or pairs), and if
    present `match`, `names`, `by`, `position`, `end`, `history`. Digests must agree.

    Raises:
        KumiteError: malformed, or a step is illegal; the text says which.
    """
    for number, one in enumerate(_objects(text), start=1):
        with _told(number):
            header, match, end = _log_of(one, match_ids)
            lines = one.get("history")
            made = (
                _log_with_history(header, match, lines) if lines else log_text(header, match, end)
            )
            if (found := read(made)).damage is not None:
                raise BadData(f"the log would be invalid: {found.damage.reason}")
        yield header, made


def _objects(text: str) -> list[Any]:
    try:
        objects = [json.loads(text)]
    except ValueError:
        try:
            objects = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError) as error:
            at = f": line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
            raise BadData(f"not JSON{at}", hint=_HINT) from None
    except RecursionError:
        raise BadData("lists or objects are nested too deeply") from None
    if not objects:
        raise BadData("empty", hint=_HINT)
    return objects


@contextmanager
def _told(number: int) -> Iterator[None]:
    try:
        yield
    except NewerLog:
        raise
    except KumiteError as error:
        raise BadData(f"match {number}: {error}", hint=error.hint) from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        said = f"{error.args[0]} is missing" if isinstance(error, KeyError) else "a field is wrong"
        raise BadData(
            f"match {number} is invalid: {clean(said, 200)}",
            hint="docs/log-format.md describes the fields",
        ) from None


def _log_of(said: Any, match_ids: Iterator[str]) -> tuple[Header, Match, End | None]:
    if type(said.get("kumite")) is int and said["kumite"] > FORMAT:
        raise NewerLog(f"data {said['kumite']} are newer than this kumite, which reads {FORMAT}")
    setup = Setup.of(find(str(said["game"])), said["seats"], said.get("options"))
    names = tuple(clean(str(name), LONGEST_NAME) for name in said.get("names", ()))
    by: Seats | None = parse_by(str(said.get("by", "*")))
    if len(names) not in (0, setup.seats) or (by and max(by) >= setup.seats):
        raise BadData("names and seats do not agree", hint="one name for each seat, or none")
    position, extra = str(said.get("position", "")), _header_lines(said.get("extra", ()))
    header = Header(_match_id(said) or next(match_ids), setup, names, by, position, extra)
    match = header.begin()
    for step in said["steps"]:
        match = _played(match, step)
    end = said.get("end")
    if not end or match.outcome is not None:
        return header, match, None
    return header, match, End(str(end["kind"]), tuple(end["seats"]), str(end["reason"]))


def _match_id(said: Any) -> str:
    found = str(said.get("match", ""))
    return found if 0 < len(found) <= 64 and set(found) <= set("0123456789abcdef") else ""


def _played(match: Match, said: Any) -> Match:
    fields = said if isinstance(said, dict) else dict(zip(("actor", "step"), said, strict=True))
    actor: Actor = parse_actor(str(fields["actor"]))
    try:
        match = match.play(actor, Step(str(fields["step"])))
    except KumiteError as error:
        raise BadData(f"step {match.number + 1}: {error}", hint=error.hint) from None
    digest = fields.get("digest")
    if digest is not None and digest != match.digest.hex():
        raise BadData(
            f"after step {match.number} the positions differ (digest)",
            hint="it was written with different rules, or changed",
        )
    return match


def _header_lines(said: Any) -> tuple[str, ...]:
    """Check additional header lines from JSON; raise BadData if invalid."""
    lines = tuple(_text(line) for line in said)
    if bad := [line for line in lines if line.partition(" ")[0] in _HEADER]:
        raise BadData(f"not an additional header line: {clean(bad[0], 60)!r}")
    return lines


def _log_with_history(header: Header, match: Match, lines: list[Any]) -> str:
    """Return the log of a match with this history; raise KumiteError if they do not match."""
    writer, now = Writer(), header.begin()
    text = writer.header(header)
    for said in lines:
        line = _text(said)
        kind, _, rest = line.partition(" ")
        if kind == "step":
            _, actor, step, *_ = [*rest.split(" "), "", ""]
            now = now.play(parse_actor(actor), Step(step))
            line = step_text(now)
        elif kind == "back":
            if not rest.isdecimal() or len(rest) > 9 or int(rest) > now.number:
                raise BadData(f"back to step {clean(rest, 20)!r} after step {now.number}")
            now = now.back(int(rest))
        elif kind == "end":
            parse_end(rest, header.setup)
        elif kind in _HEADER:
            raise BadData(f"not a history line: {clean(line, 60)!r}")
        text += writer.lines(line)
    if now.digest != match.digest or now.steps() != match.steps():
        raise BadData(
            "the history and the steps are different matches", hint="leave one of them out"
        )
    end = outcome_end(now)
    if end is not None and not any(str(line).startswith("end outcome") for line in lines):
        raise KumiteError("the history lacks the end of the match")
    return text


def _text(said: Any) -> str:
    if type(said) is not str or not said or len(said) > LONGEST_LINE:
        raise BadData(f"not a log line: {clean(repr(said), 60)}", hint="use texts like `say 0 hi`")
    return clean(said)
