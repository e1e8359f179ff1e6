"""The saved match: text that people can read, mail and diff, one line a step, only ever appended.

    kumite-log 1 ~0c6e55
    match 5f0e2c4a9b71d803 ~…       header: who, what, seen by whom
    game kuzushi 1 ~…               id and version of the rules
    seats 2 ~…
    option board normal ~…
    name 0 ada ~…
    by * ~…                         * complete, - a spectator, 0,2 as these seats saw it
    begin 5be2d7f0 ~…               ends the header: first digits of the match's first digest
    step 1 1 f7 92ab03cc ~…         number, actor, step, first digits of the digest after it
    back 3 ~…                       taken back: the first three steps stay
    note …, say SEAT …              kept and shown, nothing to the rules
    remark 3 …                      somebody's words about the position after step 3
    end outcome cards 1 ~…          or: end resigned|agreed|left|adjourned SEATS
    open 2 b4+shield ~…             after the match: step 2 with nothing hidden
    audit fair ~…                   all is open now, and was played fair; else none|false, and why

Each line ends with a check of six hex digits over all lines before it and itself. The chain starts
anew behind `begin`, from the first digest: so the logs of one match on two terminals are equal from
the first step line on. Kinds of lines that are not known here are kept and skipped.
docs/log-format.md says all of it, and what will never change.

lines.py says what a line looks like, reading.py reads a log back and finds where it is damaged,
repairing.py proves what stands behind the damage; sharing.py packs a log into one line of text.
"""

from __future__ import annotations

from kumite.core.log.lines import (
    End,
    Header,
    Writer,
    by_text,
    end_text,
    log_text,
    outcome_end,
    parse_by,
    parse_end,
    step_text,
)
from kumite.core.log.reading import (
    FIRST,
    Damage,
    Entry,
    Log,
    Skim,
    glance,
    plain,
    read,
    read_on,
    skim,
)
from kumite.core.log.repairing import Repaired, repaired

__all__ = [
    "FIRST",
    "Damage",
    "End",
    "Entry",
    "Header",
    "Log",
    "Repaired",
    "Skim",
    "Writer",
    "by_text",
    "end_text",
    "glance",
    "log_text",
    "outcome_end",
    "parse_by",
    "parse_end",
    "plain",
    "read",
    "read_on",
    "repaired",
    "skim",
    "step_text",
]
