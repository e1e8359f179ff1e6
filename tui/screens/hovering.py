"""What is said of what the cursor is on: what a choice there would do, or why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.game import Step
from kumite.tui import scenes
from kumite.tui.play import narration

if TYPE_CHECKING:
    from kumite.core.game import Seat
    from kumite.tui.scenes import Choice, Line, Span
    from kumite.tui.screens.table import TableScreen

NOTHING_HERE: Final[Line] = (("nothing to choose here; n goes to what can be chosen", "quiet"),)


def line(screen: TableScreen, name: str) -> Line:
    """Return what there is to say of the part of that name, as far as anything can be done now."""
    table = screen.table
    if screen.behind:
        return (("[ and ] go back and forward; any step is made in the present", "quiet"),)
    if screen.moment:
        return (("Enter: go on", "title"), (f"   {screen.moment.said}", ""))
    if screen.is_over:
        return (("m: a rematch   u: take back   q: leave", "quiet"),)
    if table.awaited is not None:
        who = table.names[table.awaited]
        return ((f"Press Enter when only {who} looks at the screen.", "title"),)
    if screen.seat is not None and screen.choice is not None:
        return _of_choice(screen, screen.seat, screen.choice, name)
    if (lost := table.vacant_to_act()) is not None:
        return (("b: who plays on?   ", "key"), (str(table.vacant[lost]), "loss"))
    return (("It is not your turn.", "quiet"),)


def _of_choice(screen: TableScreen, seat: Seat, choice: Choice, name: str) -> Line:
    match, names = screen.seen, screen.table.names
    so_far = " ".join(choice.chosen)
    goes_on = (f"{so_far} ... choose what is marked; Esc goes back", "quiet")
    step = choice.step_at(name)
    if step is not None:
        found = screen.makes.preview(match.state, seat, step, screen.kumite.look)
        return tuple((narration.named(said, names), role) for said, role in found)
    if name in choice.targets:
        part = f"{so_far} {called(screen, name)} ...".lstrip()
        return ((part, ""), ("   Enter: choose it", "quiet"), _elsewhere(screen))
    if not choice.chosen and name in scenes.last_marks(screen.makes, match):
        return ()  # the cursor still stands where the last step was made
    if name in choice.chosen:
        return (goes_on, _elsewhere(screen))
    tried = screen.makes.step_from_parts(match.state, seat, (*choice.chosen, name)) if name else ""
    if tried:
        why = narration.named(match.game.why(match.state, seat, Step(tried)), names)
        return ((why, "quiet"),)
    if choice.chosen:
        return (goes_on, _elsewhere(screen))
    return NOTHING_HERE


def called(screen: TableScreen, part: str) -> str:
    """Return what a part is called: a square by its name, all else in words."""
    is_cell = screen.scene.board.place(part) is not None
    said = part if is_cell else screen.makes.label(part, screen.kumite.look)
    return narration.named(said, screen.table.names)


def _elsewhere(screen: TableScreen) -> Span:
    """Say that there is more to choose beside the board, where the cursor is not."""
    is_more = not screen.is_at_tray and screen.tray.has_choice
    return ("   Tab: more below" if is_more else "", "key")
