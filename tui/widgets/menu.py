"""The home screen's picture and cursor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from kumite.tui.drawing.home import GAME, Drawn, Home, beside, drawn
from kumite.tui.drawing.pixels import Brush
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.lines import Line
from kumite.tui.widgets.painted import Painted


class Menu(Painted, can_focus=True):
    """Draws the home screen; reports moves of the cursor and choices."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(0,-1)", "up", show=False, id="home.up"),
        Binding("down", "move(0,1)", "down", show=False, id="home.down"),
        Binding("left", "move(-1,0)", "left", show=False, id="home.left"),
        Binding("right", "move(1,0)", "right", show=False, id="home.right"),
        Binding("tab", "turn(1)", "next choice", show=False, id="home.next"),
        Binding("shift+tab", "turn(-1)", "previous choice", show=False, id="home.previous"),
        Binding("enter,space", "choose", "choose", id="home.choose"),
    ]
    DEFAULT_CSS = "Menu { height: 1fr; }"

    class Moved(Message):
        """The cursor has moved to another item."""

    @dataclass
    class Chosen(Message):
        """An item was chosen."""

        key: str

    def __init__(self, home: Home, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.home = home
        self._drawn: tuple[tuple[Home, Brush, Look, int, int], Drawn] | None = None

    def show(self, home: Home) -> None:
        if home != self.home:
            self.home = home
            self.refresh()

    @property
    def drawn(self) -> Drawn:
        columns, rows = self.size
        wanted = (self.home, self.shell.brush, self.look, columns, rows)
        if self._drawn is None or self._drawn[0] != wanted:
            self._drawn = wanted, drawn(*wanted)
        return self._drawn[1]

    def rows(self) -> Sequence[Line]:
        return self.drawn.lines

    # --- the cursor ---------------------------------------------------------------------------

    def go(self, key: str) -> None:
        """Move the cursor; moving to a tile selects its game."""
        if key == self.home.at:
            return
        game = key.removeprefix(GAME) if key.startswith(GAME) else self.home.game
        self.show(replace(self.home, at=key, game=game))
        self.post_message(self.Moved())

    def action_move(self, columns: int, rows: int) -> None:
        """Move in a direction; from outside the tiles, go to the selected game's tile.

        From a row with nothing beside it, left and right go to the tile beside that one.
        """
        if self.home.at not in self.drawn.places:
            return
        places, at = self.drawn.places, self.home.at
        found = beside(places, at, columns, rows)
        if columns and at == found == beside(places, at, -columns, 0):  # it stands alone in its row
            found = beside(places, f"{GAME}{self.home.game}", columns, 0)
        if rows and found.startswith(GAME) and not self.home.at.startswith(GAME):
            found = f"{GAME}{self.home.game}"
        self.go(found)

    def action_turn(self, by: int) -> None:
        keys = [*self.drawn.places]
        if self.home.at in keys:
            self.go(keys[(keys.index(self.home.at) + by) % len(keys)])

    def action_choose(self) -> None:
        self.post_message(self.Chosen(self.home.at))

    def on_click(self, event: events.Click) -> None:
        for key, place in self.drawn.places.items():
            is_inside = 0 <= event.x - place.x < place.width
            if is_inside and 0 <= event.y - place.y < place.height:
                is_chosen = key == self.home.at or not key.startswith(GAME)
                self.go(key)  # a game is selected first: the entries are about it
                if is_chosen:
                    self.action_choose()
