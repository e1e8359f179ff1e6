"""A match as plain text: every position with the sentence of its step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.text import harmless_text
from kumite.tui.scenes.lines import capital
from kumite.tui.scenes.model import scene_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.tui.look.glyphs import Look
    from kumite.tui.play.replaying import Replay


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
