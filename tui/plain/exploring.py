"""Questions about the position in line mode, answered from the scene. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.game import Step
from kumite.tui.plain import threats, words
from kumite.tui.scenes import Cell, Chip, Sign, in_words
from kumite.tui.scenes.sentences import counted

if TYPE_CHECKING:
    from kumite.tui.play.table_model import TableModel


NO_SQUARES: Final = "No square has a name here. Enter alone tells the position."
OF_SQUARES: Final = ("row", "around")  # questions that only a board answers
BESIDE: Final = re.compile(
    "off the board|waiting|cards? left|[Tt]oken|spent|aside|prisoner|holds|draw"
)


class Explorer:
    """Answers questions about a position, as the people at the keyboard may see it."""

    def __init__(self, model: TableModel) -> None:
        self.model, self.names = model, model.table.shown_names
        self.board = model.scene.board
        signs = model.makes.signs(model.seen.state, self.names, words.LOOK)
        self._signs: list[Sign] = list(signs)

    # --- squares ------------------------------------------------------------------------------

    def what(self, name: str) -> Iterable[str]:
        """Describe a square, a card or an action."""
        cell = self._cell(name) if name else None
        if cell is None:
            yield from self._thing(name.lower())
            return
        said = [self._piece(cell) or "empty", *self._meanings(cell)]
        yield f"{name}: {'; '.join(said)}."

    def _thing(self, name: str) -> Iterator[str]:
        """Say what a card or token does, by its typed name, its title, or a beginning of one."""
        things = self.model.makes.things(self.model.seen.state)
        said = {chip.name: f"{self._chip(chip)}." for chip in self.model.scene.tray}
        said |= {one: f"{one}, {does}." for one, does in things.items()}
        found = [name] if name in said else []
        found = found or [one for one in said if _is_named(name, one, said[one])]
        if found:
            yield from (said[one] for one in found)
        elif self.has_squares:
            yield f"There is no {name!r} here."
        else:
            known = f"There are {', '.join(said)}." if said else NO_SQUARES
            yield f"There is no {name!r} here. {known}" if name else known

    def line(self, name: str) -> Iterable[str]:
        """List the pieces of a row (`3`) or a column (`e`)."""
        if not self.has_squares:
            yield NO_SQUARES
            return
        for x, (label, _) in enumerate(self.board.columns):
            if label.strip() == name:
                yield self._listed(f"Column {name}", [row[x] for row in self.board.rows[::-1]])
                return
        for (label, _), row in zip(self.board.ranks, self.board.rows, strict=True):
            if label.strip() == name:
                yield self._listed(f"Row {name}", row)
                return
        yield f"There is no row or column {name!r}."

    def around(self, name: str) -> Iterable[str]:
        place = self.board.place(name)
        if place is None:
            yield f"There is no square {name!r}." if self.has_squares else NO_SQUARES
            return
        x, y = place
        near = [
            cell
            for row in self.board.rows[max(0, y - 1) : y + 2]
            for cell in row[max(0, x - 1) : x + 2]
            if cell.name not in ("", name)
        ]
        yield self._listed(f"Around {name}", near)

    def pieces(self, *, own: bool) -> Iterable[str]:
        side = self.model.scene.side
        if not self.has_squares:
            found = [*self._sides(own=own)]
            yield from found or ("Nothing is on the table.",)
            return
        cells = [
            cell
            for row in self.board.rows
            for cell in row
            if cell.name and cell.owner is not None and (cell.owner == side) == own
        ]
        if not cells:
            yield "None on the board."
        for owner in dict.fromkeys(cell.owner for cell in cells):
            kinds: dict[str, list[str]] = {}
            for cell in cells:
                if cell.owner == owner:
                    kinds.setdefault(self._kind(cell), []).append(cell.name)
            assert owner is not None
            listed = "; ".join(f"{kind} {', '.join(at)}" for kind, at in kinds.items())
            yield f"{self.names[owner]}: {listed}."

    def _sides(self, *, own: bool) -> Iterator[str]:
        """Yield what the position says of you, or of the others, where pieces have no squares."""
        you = self.model.you
        for line in self._position():
            head = re.split(r"[:;]| holds ", line)[0]
            who = [seat for seat, name in enumerate(self.names) if name in head]
            is_own = you in who or (not who and line.startswith("Your "))
            if (who or is_own) and is_own == own:
                yield line

    def _position(self) -> tuple[str, ...]:
        return in_words(self.model.seen, self.names, self.model.you)

    @property
    def has_squares(self) -> bool:
        return any(cell.name for row in self.board.rows for cell in row)

    def _cell(self, name: str) -> Cell | None:
        place = self.board.place(name)
        return None if place is None else self.board.rows[place[1]][place[0]]

    def _listed(self, head: str, cells: Sequence[Cell]) -> str:
        found = [f"{cell.name} {said}" for cell in cells if (said := self._piece(cell))]
        return f"{head}: {', '.join(found) if found else 'no pieces'}."

    def _piece(self, cell: Cell) -> str:
        kind = self._kind(cell)
        return f"{self.names[cell.owner]}'s {kind}" if kind and cell.owner is not None else kind

    def _kind(self, cell: Cell) -> str:
        named = (s.kind for s in self._signs if cell.sprite and s.cell.sprite == cell.sprite)
        return next(named, "")

    def _meanings(self, cell: Cell) -> list[str]:
        """Return what the signs of a piece, its mark and its ground mean."""
        pieces = [s for s in self._signs if s.kind and s.cell.sprite == cell.sprite]
        pieces.sort(key=lambda sign: sign.cell.owner != cell.owner)
        whose = "" if cell.owner is None else f"{self.names[cell.owner]}: "
        said = [sign.said.removeprefix(whose) for sign in pieces[:1]]
        for sign in self._signs:
            of = sign.cell
            is_marked = bool(cell.mark) and of.mark == cell.mark
            is_ground = not of.sprite and bool(of.ground) and of.ground[:-1] == cell.ground[:-1]
            said += [sign.said] * (is_marked or is_ground)
        return said

    # --- the rest -----------------------------------------------------------------------------

    def reach(self, name: str) -> Iterable[str]:
        seat = self.model.seat
        if seat is None:
            return ("It is not your turn.",)
        return words.choices(self.model.seen, seat, self.names, name)

    def hand(self) -> Iterable[str]:
        held = [self._chip(chip) for chip in self.model.scene.tray]
        if held:
            yield "; ".join(held) + "."
        else:
            yield from self.tokens()

    def tokens(self) -> Iterable[str]:
        """Tell what lies beside the board: what the position says of it."""
        found = []
        for line in self._position():
            head, colon, rest = line.removesuffix(".").rpartition(": ")
            kept = [part for part in rest.split("; ") if BESIDE.search(f"{head}{colon}{part}")]
            found += [f"{head}{colon}{'; '.join(kept)}."] * bool(kept)
        yield from found or ("Nothing lies beside the board.",)

    def threats(self) -> Iterable[str]:
        return ("The match is over.",) if self.model.table.is_over else threats.told(self.model)

    def _chip(self, chip: Chip) -> str:
        named = self.model.makes.step_name(Step(chip.name)) if chip.card else chip.text
        copies = f", {chip.card.copies} of them" if chip.card and chip.card.copies > 1 else ""
        choice = self.model.choice
        not_now = "" if choice is None or chip.name in choice.targets else " (not now)"
        return f"{chip.name}, {chip.said or named}{copies}{not_now}"

    def score(self) -> Iterable[str]:
        tallies = list(self.model.makes.tallies(self.model.seen.state))
        # What everybody's bar is measured by is no goal: Kuzushi's is the best score so far.
        best = dict[str, int]()
        for bar in (bar for tally in tallies for bar in tally.bars):
            best[bar.what] = max(best.get(bar.what, 0), bar.number)
        for tally in tallies:
            who = tally.label or ", ".join(self.names[seat] for seat in tally.seats)
            bars = (
                counted(bar.number, bar.what.removesuffix("s"), bar.what)
                if bar.most <= best[bar.what]
                else f"{bar.number} of {bar.most} {bar.what}"
                for bar in tally.bars
            )
            yield f"{who}: {', '.join(bars)}."

    def last(self) -> Iterable[str]:
        found = list(words.told(self.model.seen, self.names))
        yield found[-1] if found else "No step has been made yet."

    def turn(self) -> Iterable[str]:
        model = self.model
        yield words.turn(model)
        yield from words.gist(model) or self._position()[:1]


class Question(NamedTuple):
    """A command of line mode that asks about the position."""

    form: str
    short: str
    said: str
    ask: Callable[[Explorer, str], Iterable[str]]


QUESTIONS: Final[Mapping[str, Question]] = {
    "what": Question("what e5", "w", "what is on a square, or what a card does", Explorer.what),
    "row": Question("row 3", "r", "the pieces of a row, or of a column: row e", Explorer.line),
    "around": Question("around e5", "a", "the pieces beside a square", Explorer.around),
    "reach": Question("reach e5", "f", "what can be done from there", Explorer.reach),
    "mine": Question("mine", "m", "your pieces", lambda asked, _: asked.pieces(own=True)),
    "theirs": Question("theirs", "t", "the others' pieces", lambda a, _: a.pieces(own=False)),
    "threats": Question(
        "threats", "d", "what the others could do next that costs you", lambda a, _: a.threats()
    ),
    "hand": Question("hand", "h", "your cards, or what you can choose", lambda a, _: a.hand()),
    "tokens": Question("tokens", "k", "what lies beside the board", lambda a, _: a.tokens()),
    "score": Question("score", "s", "how far each side is", lambda asked, _: asked.score()),
    "last": Question("last", "l", "the last step", lambda asked, _: asked.last()),
    "turn": Question("turn", "n", "whose turn it is, what it is about", lambda a, _: a.turn()),
}
SHORT_WHY: Final = "y"


def help_lines(*, has_squares: bool = True) -> Iterator[str]:
    """Yield the questions; without squares, those that cards answer."""
    yield "Questions, and their short forms:"
    for word, one in QUESTIONS.items():
        if has_squares or word not in OF_SQUARES:
            form = one.form if has_squares else one.form.replace("e5", "NAME")
            yield f"  {form:<11}{one.short:<3}{one.said}"
    form = "why e5-e6" if has_squares else "why STEP"
    yield f"  {form:<11}{SHORT_WHY:<3}why a step cannot be made"


def _is_named(begins: str, name: str, said: str) -> bool:
    """Return whether a card's typed name, or a word of its title, begins with these letters."""
    title = said.removeprefix(f"{name}, ").partition(":")[0].lower().split("; ")[0]
    return bool(begins) and (name.startswith(begins) or f" {begins}" in f" {title}")
