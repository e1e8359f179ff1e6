"""What a table screen says: its title, how the match ended, and what a choice would do."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from kumite.core.game import CHANCE, Step
from kumite.tui import scenes
from kumite.tui.play import narration
from kumite.tui.widgets.field import SIDE_TEXT

if TYPE_CHECKING:
    from kumite.core.game import Seat
    from kumite.core.match import Match
    from kumite.tui.scenes import Choice, Line, Span
    from kumite.tui.screens.views import TableView

NOTHING_HERE: Final[Line] = (("nothing to choose here; n goes to what can be chosen", "quiet"),)


def title(screen: TableView) -> Line:
    """Return game, options, the number of the step, and who is to play."""
    match, view = screen.table.match, screen.viewpoint
    number = screen.seen.number if view.interlude else match.number + 1
    line: list[Span] = [
        (match.game.TITLE, "title"),
        (f"  {_options(match)}step {number}   ", "quiet"),
    ]
    if view.behind:
        line.append((f"looking back at step {match.number - view.behind}", "title"))
    elif not view.interlude:  # who is to play comes after it
        line.append(("The match is over", "title") if screen.is_over else _who_plays(screen))
    return tuple(line)


def _options(match: Match) -> str:
    """Return the options that are not as usual, with a space behind them."""
    options = match.setup.options
    said = ", ".join(
        f"{one.name} {options[one.name]}"
        for one in match.game.OPTIONS
        if options[one.name] != one.default
    )
    return f"{said}   " if said else ""


def _who_plays(screen: TableView) -> Span:
    table = screen.table
    if table.awaited is not None:
        return f"{table.names[table.awaited]}, take the keyboard", "title"
    if screen.seat is not None:
        return f"{table.names[screen.seat]} to play", "title"
    if (bot := table.bot_to_act()) is not None:
        return f"{table.names[bot]} is thinking", ""
    if (lost := table.vacant_to_act()) is not None:
        return f"nobody plays seat {lost + 1}", "title"
    acting = (int(actor) for actor in table.match.actors if actor != CHANCE)
    waits = ", ".join(table.names[seat] for seat in acting if seat not in table.chosen)
    return f"waiting for {waits}" if waits else "one moment", ""


def result(screen: TableView) -> tuple[Line, ...]:
    """Return who won and why; nothing while the match goes on, or its last step is looked at."""
    if screen.viewpoint.interlude:
        return ()
    table = screen.table
    who, why = narration.result(table.match, table.end, table.names)
    if not who:
        return ()
    return (((who, "title"),), *(((part, ""),) for part in textwrap.wrap(why, SIDE_TEXT)))


# --- of what the cursor is on -----------------------------------------------------------------


def hover(screen: TableView, name: str) -> Line:
    """Return what there is to say of the part of that name, as far as anything can be done now."""
    table, view = screen.table, screen.viewpoint
    if view.behind:
        return (("[ and ] go back and forward; any step is made in the present", "quiet"),)
    if view.interlude:
        return (("Enter: go on", "title"), (f"   {view.interlude.said}", ""))
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


def _of_choice(screen: TableView, seat: Seat, choice: Choice, name: str) -> Line:
    match, names = screen.seen, screen.table.names
    so_far = " ".join(choice.chosen)
    goes_on = (f"{so_far} ... choose what is marked; Esc goes back", "quiet")
    step = choice.step_at(name)
    if step is not None:
        found = screen.makes.preview(match.state, seat, step, screen.shell.look)
        return tuple((narration.named(said, names), role) for said, role in found)
    if name in choice.targets:
        part = f"{so_far} {label(screen, name)} ...".lstrip()
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


def label(screen: TableView, part: str) -> str:
    """Return what a part is called: a square by its name, all else in words."""
    is_cell = screen.scene.board.place(part) is not None
    said = part if is_cell else screen.makes.label(part, screen.shell.look)
    return narration.named(said, screen.table.names)


def _elsewhere(screen: TableView) -> Span:
    """Say that there is more to choose beside the board, where the cursor is not."""
    return ("   Tab: more below" if screen.field.has_more_below else "", "key")
