"""Everything in a log besides the steps, as data: talk, notes, taken-back steps, in order.

From the log's own view the history has every line. From another view it has only steps, talk and
the end, because taken-back steps could reveal a secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kumite.core.errors import BadData, KumiteError
from kumite.core.game import Step, parse_actor
from kumite.core.log import Writer, end_text, outcome_end, parse_end, step_text
from kumite.core.origins import talk
from kumite.core.text import clean

if TYPE_CHECKING:
    from kumite.core.log import Header
    from kumite.core.match import Match
    from kumite.tui.play.replaying import Replay

LONGEST: Final = 4000  # characters of a line
OWN: Final = "table"  # a header line that names the journal, which has secrets
_HEADER: Final = frozenset(
    {"kumite-log", "match", "game", "seats", "option", "name", "by", "position", "begin", OWN}
)


def header_lines(header: Header) -> list[str]:
    return [line for line in header.extra if line.partition(" ")[0] not in _HEADER]


def read_header_lines(said: Any) -> tuple[str, ...]:
    """Check additional header lines from JSON; raise BadData if invalid."""
    lines = tuple(_text(line) for line in said)
    if bad := [line for line in lines if line.partition(" ")[0] in _HEADER]:
        raise BadData(f"not an additional header line: {clean(bad[0], 60)!r}")
    return lines


def history(replay: Replay) -> list[str]:
    """Return the lines of a match, as this view may show them."""
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


def text_of(header: Header, match: Match, lines: list[Any]) -> str:
    """Return the log of a match with this history; raise KumiteError if they do not match."""
    writer, text = Writer().header(header)
    now = header.begin()
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
        writer, made = writer.line(line)
        text += made
    if now.digest != match.digest or now.steps() != match.steps():
        raise BadData(
            "the history and the steps are different matches", hint="leave one of them out"
        )
    end = outcome_end(now)
    if end is not None and not any(str(line).startswith("end outcome") for line in lines):
        raise KumiteError("the history lacks the end of the match")
    return text


def _text(said: Any) -> str:
    if type(said) is not str or not said or len(said) > LONGEST:
        raise BadData(f"not a log line: {clean(repr(said), 60)}", hint="use texts like `say 0 hi`")
    return clean(said)
