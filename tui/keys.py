"""Keys are taken one after the other: each finds what the one before it has changed.

Textual hands every key of a packet at once to the widget that has the focus by then, and what a
widget tells its screen because of a key arrives after the next key. So over a line that stands
still for a moment (ssh), or under a fast hand, keys meant other things than pressed slowly: a step
typed after `:` went to the board, its letters taken for commands; a cursor chose what had been
there before. Here a message follows each key on its way up, and the next key waits for it.

Not for ever: of a text that was pasted by a terminal which does not say so, what comes while many
keys wait is dropped. Else the key that leaves would wait behind all of it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Final, TypeVar

from textual import events
from textual.app import App
from textual.message import Message

if TYPE_CHECKING:
    from textual.dom import DOMNode

MOST_AHEAD: Final = 250  # keys that wait: what people type ahead, and a second of work
LOOK_AGAIN: Final = 0.05  # s between looks whether a widget is still there, or a screen is yet
Result = TypeVar("Result")


class Handled(Message):
    """Follows a key from the widget that got it up to the app, where it comes after the key."""

    def __init__(self, key: events.Key, target: DOMNode, rounds: int) -> None:
        """Begin at `target`; go the same way `rounds` times more."""
        super().__init__()
        self.key, self.target, self.rounds = key, target, rounds


class OrderedKeys(App[Result]):
    """An app that handles a key completely before it takes the next one."""

    def __init__(self) -> None:
        super().__init__()
        self._ahead: deque[events.Key] = deque()
        self._in_hand: events.Key | None = None

    @property
    def is_typing(self) -> bool:
        """Return whether a key is in hand, or waits."""
        return self._in_hand is not None or bool(self._ahead)

    async def on_event(self, event: events.Event) -> None:
        """Let a key wait that comes while another one is in hand, or a screen is being opened."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            if len(self._ahead) < MOST_AHEAD:
                self._ahead.append(event)
            await self._take_next()
        else:
            await super().on_event(event)

    async def _take_next(self) -> None:
        if self._in_hand is not None or not self._ahead or not self.screen_stack or self._exit:
            return
        if not self.screen.is_mounted:
            asyncio.get_running_loop().call_later(LOOK_AGAIN, self.call_later, self._take_next)
            return
        key = self._in_hand = self._ahead.popleft()
        self.before_key()
        target = self.focused or self.screen
        self._look_after(key, target)
        await super().on_event(key)
        # Once for the key itself, once more for what the widget tells its screen.
        target.post_message(Handled(key, target, 1))

    def forget_keys(self) -> None:
        """Throw away the keys that wait: they were meant for what is no longer shown."""
        self._ahead.clear()

    def before_key(self) -> None:
        """Do what has to be done before a key is handled."""

    def after_key(self) -> None:
        """Do what has to be done once a key is handled, and what it has brought about."""

    def on_handled(self, message: Handled) -> None:
        """Go on with the next key when all is done that the last one brought about."""
        key, target = message.key, message.target
        if message.rounds and self._is_there(target):
            target.post_message(Handled(key, target, message.rounds - 1))
        else:
            self.call_later(self._finish, key)  # after what the key left for later

    def _is_there(self, target: DOMNode) -> bool:
        """Return whether a widget is on the screen on top: others answer late, or never."""
        if not self.screen_stack:  # the app is ending
            return False
        return target in self.screen.walk_children(with_self=True)

    def _look_after(self, key: events.Key, target: DOMNode) -> None:
        """See to it that the keys go on when the widget is gone, and its messages with it."""
        if self._in_hand is not key or not self.screen_stack:
            return
        if self._is_there(target):
            loop = asyncio.get_running_loop()
            loop.call_later(LOOK_AGAIN, self._look_after, key, target)
        else:
            self.call_later(self._finish, key)

    async def _finish(self, key: events.Key) -> None:
        """Take `key` as handled, unless that has been done, and the next one."""
        if self._in_hand is key:
            self._in_hand = None
            self.after_key()
            await self._take_next()
