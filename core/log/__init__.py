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

from kumite.core.log.lines import Writer as Writer
from kumite.core.log.lines import by_text as by_text
from kumite.core.log.lines import end_text as end_text
from kumite.core.log.lines import log_text as log_text
from kumite.core.log.lines import parse_by as parse_by
from kumite.core.log.lines import parse_end as parse_end
from kumite.core.log.lines import step_text as step_text
from kumite.core.log.reading import FIRST as FIRST
from kumite.core.log.reading import Damage as Damage
from kumite.core.log.reading import Entry as Entry
from kumite.core.log.reading import Log as Log
from kumite.core.log.reading import Skim as Skim
from kumite.core.log.reading import glance as glance
from kumite.core.log.reading import is_help as is_help
from kumite.core.log.reading import plain as plain
from kumite.core.log.reading import read as read
from kumite.core.log.reading import read_on as read_on
from kumite.core.log.reading import skim as skim
from kumite.core.log.repairing import Repaired as Repaired
from kumite.core.log.repairing import repaired as repaired
from kumite.core.table import End as End
from kumite.core.table import Header as Header
from kumite.core.table import outcome_end as outcome_end
