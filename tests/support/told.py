"""Events by their class, or by what they say of a terminal's presence."""

from __future__ import annotations

from typing import Any

from kumite.net.session import events


def is_of(event: object, kind: type[Any] | events.Status) -> bool:
    if isinstance(kind, events.Status):
        return isinstance(event, events.Presence) and event.status is kind
    return isinstance(event, kind)
