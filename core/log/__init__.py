"""The saved match: an append-only text that people can read, mail and diff, one step per line.

    kumite-log 1 ~0c6e55
    match 5f0e2c4a9b71d803 ~…       header: who, what, seen by whom
    game kuzushi 1 ~…               id and version of the rules
    seats 2 ~…
    option board normal ~…
    name 0 ada ~…
    by * ~…                         * complete, - a spectator, 0,2 as these seats saw it
    begin 5be2d7f0 ~…               ends the header: first digits of the match's first digest
    step 1 1 f7 92ab03cc ~…         number, actor, step, first digits of the digest after it
    back 3 ~…                       taken back: the first three steps remain
    note …, say SEAT …              kept and shown, no effect on the match
    remark 3 …                      a comment on the position after step 3
    end outcome cards 1 ~…          or: end resigned|agreed|left|adjourned|time|spoiled|gone SEATS
    open 2 b4+shield ~…             after the match: step 2 with nothing hidden
    audit fair ~…                   everything was revealed, and played fairly; else none|false, why

Each line ends with six hex digits of a check over this and all earlier lines. The chain restarts
after `begin`, from the first digest, so the logs of one match on two terminals are identical from
the first step line on. Lines of unknown kinds are kept and skipped. docs/log-format.md is the full
specification, and says what will never change.

Steps, what was taken back and the end are events of core/table.py: reading a log folds them into a
table.

lines.py formats lines, reading.py reads a log and locates damage, repairing.py recovers what can be
proved after the damage, sharing.py packs a log into one line of text.
"""

from __future__ import annotations

from kumite.core.log.lines import (
    Writer,
    by_text,
    end_text,
    log_text,
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
from kumite.core.table import End, Header, outcome_end

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
