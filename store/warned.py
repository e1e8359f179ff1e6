"""Warnings to the player: each is shown once, from any thread.

Warnings wait until the app or the command line registers a listener.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_said: dict[str, None] = {}  # in their order
_waiting: list[str] = []
_listener: Callable[[str], object] | None = None


def warn(said: str) -> None:
    """Show a warning, unless it was shown before."""
    if said in _said:
        return
    _said[said] = None
    if _listener is None:
        _waiting.append(said)
    else:
        _listener(said)


def listen(listener: Callable[[str], object] | None) -> None:
    """Call `listener`, from any thread, with each warning; None: let them wait."""
    global _listener
    _listener = listener
    while listener is not None and _waiting:
        listener(_waiting.pop(0))


def heard() -> tuple[str, ...]:
    return tuple(_said)


def forget() -> None:
    listen(None)
    _said.clear()
    _waiting.clear()


@contextmanager
def collected() -> Iterator[list[str]]:
    """Collect all warnings instead, including earlier ones."""
    global _said, _listener
    said, listener = _said, _listener
    found: list[str] = []
    _said, _listener = {}, found.append
    try:
        yield found
    finally:
        _said, _listener = said, listener
