"""What lies beside the strip of Kiri-ai: both samurai's cards, and which blow strikes how far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.game import HOLE
from kumite.core.games.kiriai.action import ATTACKS, EARTH, HEAVEN
from kumite.core.games.kiriai.state import SECRET, UNPLACED, Side, State
from kumite.tui.scenes.lines import fit, width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes.lines import Line

LETTERS: Final = {HEAVEN: "H", EARTH: "E"}  # as the rules write stances
_STANCES: Final = {HEAVEN: "天", EARTH: "地"}
_MARKS: Final = (("赤", "R"), ("青", "B"))  # of red and blue, by seat; red's row is the upper one
_LABEL, _COLUMN = 13, 17  # columns: what it is, then one for each seat


def picture(view: State, names: Sequence[str], look: Look) -> tuple[Line, ...]:
    """Return the cards on the table and, below, what reaches at which distance."""
    high, low = (stance_sign(stance, look) for stance in (HEAVEN, EARTH))
    heading: Line = ((f" What strikes at which distance ({high}/{low}: stance)", "quiet"),)
    return ((), *_cards(view, names, look), (), heading, *_reaches(view, look))


def mark(seat: int, look: Look) -> str:
    """Return the sign of red or blue."""
    return look.sign(*_MARKS[seat])


def stance_sign(stance: str, look: Look) -> str:
    """Return the sign of heaven or earth."""
    return look.sign(_STANCES[stance], LETTERS[stance])


def distance_of(view: State) -> int | None:
    """Return how many spaces the samurai are apart, if they stand anywhere yet."""
    return None if view.phase in UNPLACED else view.sides[1].space - view.sides[0].space


def _cards(view: State, names: Sequence[str], look: Look) -> list[Line]:
    """Return a column for each seat; in brackets what lies face down."""
    head: Line = (
        (" " * (_LABEL - 1), ""),  # the letter of a mark stands above what is in its column
        *(span for seat, name in enumerate(names) for span in _head(seat, name, look)),
    )
    lines = [head]
    if view.phase in UNPLACED:
        lines.append(_row("start", [_start(side) for side in view.sides]))
    else:
        stances = [f"{stance_sign(side.stance, look)} {side.stance}" for side in view.sides]
        plans = [_plan(view, side) for side in view.sides]
        lines.append(_row("stance", stances))
        turned_over = "title" if view.phase == "second" else ""
        lines.append(_row("first", [first for first, _ in plans], turned_over))
        lines.append(_row("second", [second for _, second in plans]))
        lines.append(_row("set aside", [side.aside or "-" for side in view.sides]))
    lines.append(_row("special", [_special(side) for side in view.sides]))
    return lines


def _head(seat: int, name: str, look: Look) -> Line:
    sign = f" {mark(seat, look)} "
    return (sign, f"base-{seat}"), (f" {fit(name, _COLUMN - width(sign) - 2)} ", "")


def _row(label: str, values: list[str], role: str = "") -> Line:
    spans = [(f" {label:<{_LABEL - 1}}", "quiet")]
    spans += [(fit(value, _COLUMN), "quiet" if value == "-" else role) for value in values]
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
        texts = [face + _needed(face, look) for face in blows]
        here = look.pointer if distance == now else " "
        columns.append([f"{here} at {distance}", *(f"  {text}" for text in texts)])
    widths = [max(map(width, column)) + 1 for column in columns]
    widths[-1] -= 1
    lines = []
    for row in range(max(map(len, columns))):
        spans = []
        for distance, column in enumerate(columns):
            text = column[row] if row < len(column) else ""
            role = "quiet" if distance != now else "" if row else "title"
            spans.append((fit(text, widths[distance]), role))
        lines.append(tuple(spans))
    return lines


def _needed(face: str, look: Look) -> str:
    """Return the sign of the one stance that a blow needs; nothing if both will do."""
    stances, _ = ATTACKS[face]
    if len(stances) > 1:
        return ""
    space = look.sign("", " ")  # before a kanji there is neither room nor need for one
    return space + stance_sign(stances[0], look)
