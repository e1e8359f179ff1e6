"""A match as plain text: every position in words, or one line for a chat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kumite.core.errors import KumiteError
from kumite.core.log import outcome_end
from kumite.core.log.sharing import shared
from kumite.core.text import harmless_text
from kumite.tui.look.glyphs import Look
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes.lines import capital
from kumite.tui.scenes.model import scene_text


def frames(replay: Replay, look: Look) -> Iterator[str]:
    """Yield a text per position, then the result; without final newlines."""
    yield from map(harmless_text, _frames(replay, look))


def _frames(replay: Replay, look: Look) -> Iterator[str]:
    for at in range(replay.last + 1):
        head = f"--- {at}. {replay.told[at]}".rstrip() if at else "--- start"
        remark = replay.remarks.get(at)
        note = f"\n! {remark}" if remark else ""
        note += "".join(f"\n> {talk.text}" for talk in replay.talk.get(at, ()))
        yield f"{head}{note}\n{scene_text(replay.scene(at, look))}\n"
    yield capital(replay.result, replay.names)
    if replay.log.damage is not None:
        yield f"The log is damaged from here on: {replay.log.damage}"


def line_of(replay: Replay, at: int, *, is_meant: bool = False) -> str:
    """Return the match up to step `at` as a line; refuse to reveal secrets before the end."""
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
