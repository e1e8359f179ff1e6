"""What lies beside the strip of Kiri-ai: both samurai's cards, and which blow strikes how far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.game import HOLE
from core.games._kiriai_action import ATTACKS, EARTH, HEAVEN
from core.games.kiriai import SECRET, UNPLACED, Side, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tui.look import Look
    from tui.scenes.model import Line

LETTERS: Final = {HEAVEN: "H", EARTH: "E"}  # as the rules write stances
MARKS: Final = ("R", "B")  # of red and blue, by seat; red's row is the upper one
_LABEL, _COLUMN = 13, 17  # columns: what it is, then one for each seat


def picture(view: State, names: Sequence[str], look: Look) -> tuple[Line, ...]:
    """Return the cards on the table and, below, what reaches at which distance."""
    heading: Line = ((" What strikes at which distance (H, E: stance)", "quiet"),)
    return ((), *_cards(view, names), (), heading, *_reaches(view, look))


def distance_of(view: State) -> int | None:
    """Return how many spaces the samurai are apart, if they stand anywhere yet."""
    return None if view.phase in UNPLACED else view.sides[1].space - view.sides[0].space


def _cards(view: State, names: Sequence[str]) -> list[Line]:
    """Return a column for each seat; in brackets what lies face down."""
    width = _COLUMN - 5
    head: Line = (
        (" " * (_LABEL - 1), ""),  # the letter of a mark stands above what is in its column
        *(
            span
            for seat, name in enumerate(names)
            for span in ((f" {MARKS[seat]} ", f"base-{seat}"), (f" {name[:width]:<{width}} ", ""))
        ),
    )
    lines = [head]
    if view.phase in UNPLACED:
        lines.append(_row("start", [_start(side) for side in view.sides]))
    else:
        stances = [f"{LETTERS[side.stance]} {side.stance}" for side in view.sides]
        plans = [_plan(view, side) for side in view.sides]
        lines.append(_row("stance", stances))
        turned_over = "title" if view.phase == "second" else ""
        lines.append(_row("first", [first for first, _ in plans], turned_over))
        lines.append(_row("second", [second for _, second in plans]))
        lines.append(_row("set aside", [side.aside or "-" for side in view.sides]))
    lines.append(_row("special", [_special(side) for side in view.sides]))
    return lines


def _row(label: str, values: list[str], role: str = "") -> Line:
    spans = [(f" {label:<{_LABEL - 1}}", "quiet")]
    spans += [(f"{value:<{_COLUMN}}", "quiet" if value == "-" else role) for value in values]
    return tuple(spans)


def _start(side: Side) -> str:
    if side.secret in ("", SECRET):
        return f"[{HOLE}]" if side.secret else "-"
    return f"[{side.secret.replace(',', ' ')}]"


def _plan(view: State, side: Side) -> tuple[str, str]:
    """Return both planned cards as they lie there: the first is open once it was turned over."""
    if not side.secret:
        return "-", "-"
    first, _, second = side.secret.partition(",")
    return first if view.phase == "second" else f"[{first}]", f"[{second}]"


def _special(side: Side) -> str:
    if side.spent:
        return f"{side.special}, spent"
    return f"[{side.special}]" if side.special else "-"


def _reaches(view: State, look: Look) -> list[Line]:
    """Return which blows strike at which distance, with a pointer at the distance there is."""
    now = distance_of(view)
    columns = []
    for distance in range(4):
        blows = [face for face, (_, distances) in ATTACKS.items() if distance in distances]
        texts = [" ".join((face, *_needs(face))) for face in blows]
        here = look.pointer if distance == now else " "
        columns.append([f"{here} at {distance}", *(f"  {text}" for text in texts)])
    widths = [max(map(len, column)) + 1 for column in columns]
    lines = []
    for row in range(max(map(len, columns))):
        spans = []
        for distance, column in enumerate(columns):
            text = column[row] if row < len(column) else ""
            role = "quiet" if distance != now else "" if row else "title"
            spans.append((text.ljust(widths[distance]), role))
        lines.append(tuple(spans))
    return lines


def _needs(face: str) -> list[str]:
    """Return the letter of the one stance that a blow needs; nothing if both will do."""
    stances, _ = ATTACKS[face]
    return [LETTERS[stances[0]]] if len(stances) == 1 else []
