"""The tray beside the board: cards of a hand, buttons of a turn, with a cursor.

Where cards are drawn, chips without one are in rows above the hand. Chips with a sprite are tiles,
all in one row, where there is room. The first nine available buttons have a digit: their key.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.strip import Strip

from kumite.tui.drawing import cards
from kumite.tui.drawing.pixels import cells_of, quadrants
from kumite.tui.drawing.places import is_small
from kumite.tui.drawing.shelves import SHAPE
from kumite.tui.look.colors import OVER
from kumite.tui.scenes.lines import Line, Span, ended
from kumite.tui.scenes.model import Chip
from kumite.tui.scenes.pictures import Card
from kumite.tui.widgets.bindings import choosing
from kumite.tui.widgets.painted import Chooser

NOTHING: Final[frozenset[str]] = frozenset()
SLOT: Final = SHAPE[0] + 1  # columns of a tile and its frame, which it shares with the next one
FRAMES: Final = "┏┓", "┗┛"  # around the tile under the cursor
MARKS: Final = ("▸", "┃"), (">", "|")  # before available cards, and around chosen chips
BUTTONS: Final = 9  # with a digit


class TrayWidget(Chooser[int]):
    """Draws chips; reports the one under the cursor and the chosen one."""

    BINDINGS: ClassVar[list[BindingType]] = choosing("tray")
    DEFAULT_CSS = "TrayWidget { height: auto; padding: 0 1; }"

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._chips: tuple[Chip, ...] = ()
        self._chosen: frozenset[str] = frozenset()
        self._at = 0
        self.is_beside = False  # a board, to its left
        self.keeps = False  # never shrink, so that other widgets stay in place
        self._laid_in = self._most = 0  # the width, and the largest number of lines at it
        self._rows: list[list[int]] = []  # indices of chips by line; a hand is one line
        self._hand: list[int] = []  # indices of chips drawn as cards
        self._tiles: list[int] = []  # indices of those drawn as tiles, in a row above the cards
        self._drawn: tuple[Line, ...] | None = None  # cached rows of the hand

    def show(
        self, chips: tuple[Chip, ...], targets: frozenset[str], chosen: frozenset[str] = NOTHING
    ) -> None:
        """Show chips; `targets` are available, `chosen` have been chosen."""
        here = self.cursor_name
        lines = self._lines
        self._chips, self.targets, self._chosen = chips, targets, chosen
        names = [chip.name for chip in chips]
        self._at = names.index(here) if here in names else 0
        if self._chips and self.cursor_name not in targets:
            self._at = next((i for i, name in enumerate(names) if name in targets), self._at)
        self._lay(self.size.width or self.app.size.width)
        self.refresh(layout=self._lines != lines)

    def begin(self) -> None:
        """Go to the first choosable card; over the LAN cards come in before and after others."""
        choices = self._choices
        if choices and self._chips[choices[0]].card:
            self._at, self._drawn = choices[0], None
            self.refresh()

    @property
    def cursor_name(self) -> str:
        return self._chips[self._at].name if self._at < len(self._chips) else ""

    def _lay(self, width: int) -> None:
        self._most = self._most if width == self._laid_in else 0
        self._laid_in, self._rows, self._drawn, used = width, [], None, width + 1
        draws_cards = self.shell.brush.skin is not None and not is_small(*self.app.size)
        self._hand = [i for i, chip in enumerate(self._chips) if chip.card and draws_cards]
        tiles = [i for i, chip in enumerate(self._chips) if chip.sprite and draws_cards]
        self._tiles = tiles if len(tiles) * SLOT < width else []
        others = [i for i in range(len(self._chips)) if i not in (*self._hand, *self._tiles)]
        if self._tiles and not {self._chips[i].name for i in others} & self.targets:
            others = []  # buttons that are of no use now leave their rows to a hint
        for index in others:
            chip = self._chips[index]
            need = cell_len(chip.text) + 3
            if used + need > width:
                self._rows.append([])
                used = 0
            self._rows[-1].append(index)
            used += need
        self._rows += [row for row in (self._tiles, self._hand) if row]
        self._most = max(self._most, self._lines)

    @property
    def is_empty(self) -> bool:
        return not self._chips

    @property
    def _lines(self) -> int:
        return len(self._rows) + SHAPE[1] * bool(self._tiles)  # a row for their names, too

    @property
    def _written(self) -> int:
        return self._lines - bool(self._hand)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        self._lay(width)
        return self._most if self.keeps else self._lines

    def notify_style_update(self) -> None:
        self._drawn = None
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        top = self.size.height - self._hand_size[1] - 1 if self._hand else self._written
        if y >= top and self._hand:
            if self._drawn is None:
                self._drawn = self._draw_hand()
            return self.strip(self._drawn[y - top] if y - top < len(self._drawn) else ())
        if self._tiles and (inner := y - self._tile_row) >= 0:
            named = self._tile_names() if inner == SHAPE[1] else ()
            return self.strip(self._tile_line(inner) if inner < SHAPE[1] else named)
        return self.strip(self._chip_line(self._rows[y]) if y < self._written else ())

    def _chip_line(self, indices: list[int]) -> Line:
        line: list[Span] = []
        for index in indices:
            chip = self._chips[index]
            left, right, role = self._chip_ends(index)
            is_lit = chip.name in self.targets | self._chosen
            text = "cursor" if role == "cursor" else chip.role if is_lit else "quiet"
            line += [(left, role), (chip.text, text), (right, role), (" ", "")]
        return ended(tuple(line), self.size.width, self.look)

    @property
    def _tile_row(self) -> int:
        """The upper row of the tiles."""
        return self._written - SHAPE[1] - 1

    def _tile_names(self) -> Line:
        """Return each tile's digit and the beginning of its name; a choice of it tells the rest."""
        line: list[Span] = []
        for index in self._tiles:
            name = self._chips[index].text[: SHAPE[0]]
            line += [(self._digit(index), "target"), (name.ljust(SHAPE[0]), "quiet")]
        return tuple(line)

    def _tile_line(self, row: int) -> Line:
        """Return a row of the tiles, with a column between them for the frame of the cursor."""
        brush = self.shell.brush
        assert brush.skin is not None
        wide, high = SHAPE
        cells: list[Span] = [(" ", "")] * (SLOT * len(self._tiles) + 1)
        for at, index in zip(range(0, len(cells), SLOT), self._tiles, strict=False):
            chip = self._chips[index]
            shape = brush.skin.sprite(chip.sprite).shape(2 * wide, 2 * high)
            assert shape is not None
            ink = brush.plain_ink or chip.role.partition(OVER)[0]
            drawn = quadrants(shape, "panel", wide, high, ink)
            cells[at + 1 : at + SLOT] = cells_of(drawn[row])
            if index == self._at and self.has_focus:
                left, right = FRAMES[row]
                cells[at], cells[at + SLOT] = (left, "key"), (right, "key")
        return tuple(cells)

    def _chip_ends(self, index: int) -> tuple[str, str, str]:
        """Return the signs around a chip, and its role; no two differ only by colour."""
        name = self._chips[index].name
        target, chosen = MARKS[self.shell.brush.skin is None]
        if index == self._at and self.has_focus:
            return "[", "]", "cursor"
        if name in self._chosen:
            return chosen, chosen, "title"
        if name in self.targets:
            digit = self._digit(index).strip()
            return digit or target, " ", "quiet" if digit else "target"  # apart from the text
        return ("(", ")", "quiet") if self.has_choice else (" ", " ", "quiet")

    # --- cards --------------------------------------------------------------------------------

    @property
    def _cards(self) -> tuple[Card, ...]:
        """The hand's cards; unavailable ones beside available ones are dimmed."""
        found = []
        is_chosen_from = any(self._chips[index].name in self.targets for index in self._hand)
        for index in self._hand:
            chip = self._chips[index]
            assert chip.card is not None
            is_free = chip.name in self.targets | self._chosen or not is_chosen_from
            found.append(chip.card if is_free else replace(chip.card, is_dim=True))
        return tuple(found)

    @property
    def _hand_size(self) -> tuple[int, int]:
        return cards.fitting(self._cards, self.size.width, self.size.height - self._written)

    def _draw_hand(self) -> tuple[Line, ...]:
        lying = tuple(
            cards.Lying(
                self.has_focus and index == self._at, self._chips[index].name in self._chosen
            )
            for index in self._hand
        )
        return cards.hand_rows(
            self._cards, lying, self.shell.brush, self._hand_size, self.size.width
        )

    def on_resize(self) -> None:
        self._lay(self.size.width)
        self.refresh()  # the size of the cards may change

    def on_focus(self) -> None:
        self._drawn = None

    def on_blur(self) -> None:
        self._drawn = None

    # --- the cursor ---------------------------------------------------------------------------

    def _go(self, index: int) -> None:
        if self._chips and index != self._at:
            is_in_hand = {self._at, index} <= set(self._hand)
            self._at, self._drawn = index, None
            self.refresh(*(self._bars() if is_in_hand else ()))
            self.post_message(self.Hovered(self.cursor_name))

    def _bars(self) -> tuple[Region, ...]:
        """Return the rows above and below a hand: all that a cursor move changes."""
        width, height = self.size
        return tuple(Region(0, y, width, 1) for y in (height - self._hand_size[1] - 1, height - 1))

    def point(self, name: str) -> None:
        self._go(next((i for i, chip in enumerate(self._chips) if chip.name == name), self._at))

    def action_move(self, columns: int, rows: int) -> None:
        """Move to what can be chosen there, else to the board, else to the next chip."""
        choices = self._choices
        y = next((y for y, row in enumerate(self._rows) if self._at in row), 0)
        if columns:
            shown = {at for row in self._rows for at in row}
            ends = range(self._at + columns, len(self._chips) if columns > 0 else -1, columns)
            ahead = [at for at in ends if at in shown]
        else:
            here = self._rows[y].index(self._at) if self._rows else 0
            beyond = self._rows[y + 1 :] if rows > 0 else self._rows[:y][::-1]
            row = next((row for row in beyond if {*row} & {*choices}), [*beyond, []][0])
            ahead = sorted(row, key=lambda at: abs(row.index(at) - here))
        free = [at for at in ahead if at in choices]
        if not free and self.is_beside and columns + rows < 0:
            self.post_message(self.NoneHere(0))
        else:
            self._go((*free, *ahead, self._at)[0])

    @property
    def _choices(self) -> list[int]:
        return [at for at, chip in enumerate(self._chips) if chip.name in self.targets]

    @property
    def buttons(self) -> list[str]:
        """The names of the chips that have a digit, in order."""
        some = (self._chips[at] for at in self._choices)
        return [chip.name for chip in some if chip.card is None][:BUTTONS]

    def _digit(self, index: int) -> str:
        name, some = self._chips[index].name, self.buttons
        return str(some.index(name) + 1) if name in some else " "

    def on_click(self, event: events.Click) -> None:
        index = self._index_at(event.x - self.styles.padding.left, event.y)
        if index is not None:
            if index == self._at:
                self.action_choose()
            self._go(index)

    def _index_at(self, x: int, y: int) -> int | None:
        if self._hand and y >= self._written:
            places = cards.places(self._cards, self._hand_size, self.size.width)
            under = [index for index, left in zip(self._hand, places, strict=True) if left <= x]
            return under[-1] if under else None
        if self._tiles and y >= self._tile_row:
            at = (x - 1) // SLOT
            return self._tiles[at] if 0 <= at < len(self._tiles) else None
        end = 0
        for index in self._rows[y] if y < self._written else ():
            end += cell_len(self._chips[index].text) + 3
            if x < end:
                return index
        return None
