"""What is said of a match that one can go on with: what, against whom, how far, when. Pure."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from kumite.core.text import listed

if TYPE_CHECKING:
    from kumite.store.library import Kept

MINUTE, HOUR, DAY = 60, 3600, 86400  # s
A_WEEK: Final = 7  # days; what is older is said with its date


def unfinished_parts(kept: Kept, own_name: str, now: datetime) -> tuple[str, ...]:
    """Return what one can go on with: `Kitsu! against bot easy`, `step 34`, `yesterday`."""
    names = kept.players.split(" – ")
    others = [name for name in names if name != own_name]
    if len(others) < len(names):
        who = f" against {listed(others)}" if others else ""
    else:
        who = f": {listed(names)}"
    changed = datetime.fromtimestamp(kept.changed // 1_000_000_000, tz=UTC).astimezone()
    lan = () if kept.is_local else ("over the LAN",)
    return (f"{kept.title}{who}", f"step {kept.number + 1}", *lan, ago(changed, now))


def ago(then: datetime, now: datetime) -> str:
    """Return in words how long ago something was; both times have a time zone."""
    seconds = (now - then).total_seconds()
    days = (now.astimezone().date() - then.astimezone().date()).days
    if seconds < MINUTE:
        return "just now"
    if seconds < HOUR:
        return _counted(int(seconds // MINUTE), "minute")
    if days == 0:
        return _counted(int(seconds // HOUR), "hour")
    if days == 1:
        return "yesterday"
    return _counted(days, "day") if days < A_WEEK else f"on {then.astimezone():%Y-%m-%d}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)} ago"
