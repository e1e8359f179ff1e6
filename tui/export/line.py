"""A match as one line of text, from one view; core/log/sharing.py packs it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kumite.core.errors import KumiteError
from kumite.core.log import outcome_end
from kumite.core.log.sharing import shared

if TYPE_CHECKING:
    from kumite.tui.play.replaying import Replay


def line_of(replay: Replay, at: int, *, is_meant: bool = False) -> str:
    """Return the line up to step `at`; refuse to reveal secrets of an unfinished match."""
    log, match = replay.log, replay.line[at]
    end = outcome_end(match) or (log.end if at == replay.last else None)
    is_over = log.match.outcome is not None or log.end is not None
    shows_cards = replay.has_secrets and bool(match.by is None or match.by)
    if shows_cards and not (is_over or is_meant):
        raise KumiteError(
            "the match is not over, and the line would reveal secrets",
            hint=f"use another view: --eyes spectator, or --eyes {replay.eyes.key} to reveal them; "
            "in a replay: e",
        )
    return shared(replace(log.header, by=match.by), match, end)
