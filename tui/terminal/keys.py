"""Handle keys one at a time: each sees the effects of the previous one.

Textual dispatches all keys of a packet immediately to the focused widget, and a widget's message
about a key arrives after the next key. So on a slow connection, or with fast typing, keys did the
wrong thing: a step typed after `:` went to the board, its letters taken as commands; a cursor chose
what had been there before. Here a message follows each key on its way up, and the next key waits
for it. So does what is pasted, and what moves the focus: clicks, and reports that the window has
lost or got it. A key on its way to a widget that loses the focus would be lost.

The queue is limited: if a terminal sends a paste as plain keys, the excess is dropped, so the key
that leaves need not wait for all of it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Final, TypeVar

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.keys import _character_to_key
from textual.message import Message

from kumite.tui.terminal.layouts import place_of

TYPED: Final = (events.Key, events.Paste)
FOCUSING: Final = (events.AppFocus, events.AppBlur, events.MouseDown, events.MouseUp)
MOST_AHEAD: Final = 250  # queued keys, about a second of work
LOOK_AGAIN: Final = 0.05  # s between checks whether a widget or screen exists
Result = TypeVar("Result")


@dataclass
class Handled(Message):
    """Follows a key from its widget up to the app, where it arrives after the key."""

    key: events.Key
    target: DOMNode  # where it begins
    rounds: int  # how often it goes the way up again


class OrderedKeys(App[Result]):
    """An app that handles a key completely before the next one."""

    def __init__(self) -> None:
        super().__init__()
        self._ahead: deque[events.Event] = deque()
        self._in_hand: events.Key | None = None
        self._deaf_until = 0.0  # by the loop's clock
        self.layout = ""  # the keyboard layout guessed from a letter bound nowhere

    @property
    def is_typing(self) -> bool:
        return self._in_hand is not None or bool(self._ahead)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, (*TYPED, *FOCUSING)) and not event.is_forwarded:
            is_deaf = asyncio.get_running_loop().time() < self._deaf_until
            is_dropped = len(self._ahead) >= MOST_AHEAD or is_deaf
            if not (is_dropped and isinstance(event, TYPED)):
                self._ahead.append(event)
            await self._take_next()
        else:
            await super().on_event(event)

    async def _take_next(self) -> None:
        while self._in_hand is None and self._ahead and self.screen_stack and not self._exit:
            if not self.screen.is_mounted:
                asyncio.get_running_loop().call_later(LOOK_AGAIN, self.call_later, self._take_next)
                return
            event = self._ahead.popleft()
            if isinstance(event, events.Key):
                await self._take(event)
            else:
                await super().on_event(event)

    async def _take(self, event: events.Key) -> None:
        key = self._in_hand = self._by_place(event)
        self.before_key()
        target = self.focused or self.screen
        self._look_after(key, target)
        await super().on_event(key)
        # Once for the key itself, and again for the widget's messages to its screen.
        target.post_message(Handled(key, target, 1))

    def _by_place(self, key: events.Key) -> events.Key:
        """Return a letter of another layout, bound nowhere and not typed as text, as a US key."""
        *modifiers, letter = key.key.split("+") if len(key.key) > 1 else [key.key]
        character = letter if modifiers else key.character or ""
        if len(character) != 1 or character.isascii():
            return key
        is_text = not modifiers and getattr(self.focused, "is_writing", False)
        place = None if is_text or key.key in self.screen.active_bindings else place_of(character)
        if place is None:
            return key
        self.layout = place.layout or self.layout
        name = "+".join((*modifiers, _character_to_key(place.key)))
        return events.Key(name, None if modifiers else place.key)

    def forget_keys(self, seconds: float = 0.0) -> None:
        """Drop the keys queued, or coming within `seconds`: the screen they were for has gone."""
        self._ahead = deque(one for one in self._ahead if isinstance(one, FOCUSING))
        self._deaf_until = asyncio.get_running_loop().time() + seconds

    def before_key(self) -> None: ...

    def after_key(self) -> None: ...

    def on_handled(self, message: Handled) -> None:
        """Handle the next key once all effects of the last one are done."""
        key, target = message.key, message.target
        if message.rounds and self._is_there(target):
            target.post_message(Handled(key, target, message.rounds - 1))
        else:
            self.call_later(self._finish, key)  # after the key's own deferred calls

    def _is_there(self, target: DOMNode) -> bool:
        """Return True if a widget is on the top screen; others answer late, or never."""
        if not self.screen_stack:  # the app is ending
            return False
        return target in self.screen.walk_children(with_self=True)

    def _look_after(self, key: events.Key, target: DOMNode) -> None:
        """Continue with the next key if the widget disappears with its messages."""
        if self._in_hand is not key or not self.screen_stack:
            return
        if self._is_there(target):
            loop = asyncio.get_running_loop()
            loop.call_later(LOOK_AGAIN, self._look_after, key, target)
        else:
            self.call_later(self._finish, key)

    async def _finish(self, key: events.Key) -> None:
        """Finish `key`, unless already done, and handle the next one."""
        if self._in_hand is key:
            self._in_hand = None
            self.after_key()
            await self._take_next()
