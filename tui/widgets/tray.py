"""The tray beside the board: cards of a hand, buttons of a turn, with a cursor.

Where cards are drawn, chips without one are in rows above the hand. Chips with a sprite are tiles
with their names below. The first nine available buttons have a digit: their key.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.strip import Strip

from kumite.tui.drawing import cards
from kumite.tui.drawing.pixels import quadrants
from kumite.tui.drawing.places import frame_columns, is_small
from kumite.tui.drawing.shelves import SHAPE
from kumite.tui.look.colors import OVER
from kumite.tui.scenes.lines import Line, Span, ended
from kumite.tui.scenes.model import Chip
from kumite.tui.scenes.pictures import Card
from kumite.tui.widgets.bindings import choosing
from kumite.tui.widgets.painted import Chooser

NOTHING: Final[frozenset[str]] = frozenset()
LARGE: Final = (5, 3)  # cells of a piece on a tile in large windows
TILE: Final = 5  # columns of a tile
SLOT: Final = TILE + 2  # and of its digit and name, with a column for the cursor at both sides
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
        self._across = 0  # tiles in a row
        self._laid_in = self._most = 0  # the width, and the largest number of lines at it
        self._rows: list[list[int]] = []  # indices of chips by line; a hand is one line
        self._hand: list[int] = []  # indices of chips drawn as cards
        self._tiles: list[int] = []  # indices of those drawn as tiles, above the cards
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
        self._across = (width + 1) // SLOT  # the last one needs no gap
        self._tiles = tiles if self._across else []
        others = [i for i in range(len(self._chips)) if i not in (*self._hand, *self._tiles)]
        if self._tiles and not {self._chips[i].name for i in others} & self.targets:
            others = []  # buttons that are of no use now leave their rows to a hint
        for index in others:
            need = self._columns(index)
            if used + need - 1 > width:
                self._rows.append([])
                used = 0
            self._rows[-1].append(index)
            used += need
        starts = range(0, len(self._tiles), max(1, self._across))
        self._rows += [self._tiles[at : at + self._across] for at in starts]
        self._rows += [self._hand] * bool(self._hand)
        self._most = max(self._most, self._lines)

    @property
    def is_empty(self) -> bool:
        return not self._chips

    @property
    def _lines(self) -> int:
        lines = -(-len(self._tiles) // max(1, self._across))
        return len(self._rows) + self._shape[1] * lines  # a row for their names, too

    @property
    def _shape(self) -> tuple[int, int]:
        return LARGE if frame_columns(*self.app.size) else SHAPE

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
            line, inner = divmod(inner, self._shape[1] + 1)
            return self.strip(self._tile_line(self._rows[self._tiled + line], inner))
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
    def _tiled(self) -> int:
        """The number of rows of buttons above the tiles."""
        return next(y for y, row in enumerate(self._rows) if row[0] in self._tiles)

    @property
    def _tile_row(self) -> int:
        """The upper row of the tiles."""
        lines = len(self._rows) - bool(self._hand) - self._tiled
        return self._written - lines * (self._shape[1] + 1)

    def _tile_line(self, indices: list[int], row: int) -> Line:
        """Return a row of some tiles: of their pieces, or at last their digits and names."""
        brush, (wide, high) = self.shell.brush, self._shape
        assert brush.skin is not None
        line: list[Span] = []
        for index in indices:
            chip = self._chips[index]
            if row == high:
                name = f"{chip.text[: SLOT - 2]} ".ljust(SLOT - 1)
                line += [(self._digit(index), "target"), (name, "quiet")]
                continue
            shape = brush.skin.sprite(chip.sprite).shape(2 * wide, 2 * high)
            assert shape is not None
            ink = brush.plain_ink or chip.role.partition(OVER)[0]
            is_here = index == self._at and self.has_focus
            corners = {0: "┏┓", high - 1: "┗┛"}.get(row, "  ") if is_here else "  "
            drawn = quadrants(shape, "panel", TILE, high, ink)[row]
            line += [(corners[0], "key"), *drawn, (corners[1], "key")]
        return tuple(line)

    def _chip_ends(self, index: int) -> tuple[str, str, str]:
        """Return the signs around a chip, and its role; no two differ only by colour."""
        name, digit = self._chips[index].name, self._digit(index).strip()
        target, chosen = MARKS[self.shell.brush.skin is None]
        is_narrow = cell_len(self._chips[index].text) + 2 > self._laid_in
        if index == self._at and self.has_focus:
            return "[" if is_narrow else f"{digit}[", "]", "cursor"
        if name in self._chosen:
            return f"{digit}{chosen}", chosen, "title"
        if name in self.targets:  # a digit stands apart from the text
            return (
                f"{digit}{' ' * (not is_narrow)}" if digit else target,
                " ",
                "quiet" if digit else "target",
            )
        return ("(", ")", "quiet") if self.has_choice else (" ", " ", "quiet")

    def _columns(self, index: int) -> int:
        """Return the columns of a button with its ends, and of the gap after it."""
        return sum(map(cell_len, (*self._chip_ends(index)[:2], self._chips[index].text))) + 1

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
            self._at, self._drawn = index, None
            self.refresh()
            self.post_message(self.Hovered(self.cursor_name))

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
            line = (y - self._tile_row) // (self._shape[1] + 1)
            row = self._rows[self._tiled + line] if self._tiled + line < len(self._rows) else []
            return row[x // SLOT] if 0 <= x < SLOT * len(row) else None
        end = 0
        for index in self._rows[y] if y < self._written else ():
            end += self._columns(index)
            if x < end:
                return index
        return None
