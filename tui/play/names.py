"""What players are called on the screen. Pure."""

from __future__ import annotations

from functools import lru_cache

from kumite.core.players import BOT


@lru_cache(maxsize=64)
def shown_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names as people read them, a number behind those that several seats have."""
    said = tuple(
        f"bot {name.removeprefix(BOT)}" if name.startswith(BOT) else name for name in names
    )
    return tuple(
        f"{name} {said[: seat + 1].count(name)}" if said.count(name) > 1 else name
        for seat, name in enumerate(said)
    )
