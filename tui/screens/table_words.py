"""What a table screen says: its title, how the match ended, and what a choice would do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.game import CHANCE, Step
from kumite.tui.play import narration
from kumite.tui.play.local_table import only_person
from kumite.tui.scenes.lines import capital, line_width, wrap

if TYPE_CHECKING:
    from kumite.core.game import Seat
    from kumite.core.match import Match
    from kumite.tui.scenes import Choice, Line, Span
    from kumite.tui.screens.views import ShownView

NOTHING: Final = "nothing to choose here"
NOTHING_HERE: Final[Line] = ((f"{NOTHING}; n goes to what can be chosen", "quiet"),)
ON_ITS_WAY: Final[Line] = (("The step is on its way to the others ...", "quiet"),)
THEIR_TRACE: Final = (
    "the last turn began here",
    "the last turn ended here",
    "the last turn changed what is here",
)
OUR_TRACE: Final = ("you have left here", "you have come here", "you have changed what is here")
ENTER: Final = ("Enter: ", "key")


def title(screen: ShownView, columns: int) -> Line:
    """Return game, options and where the match is at the left, what is due at the right."""
    match, view = screen.table.match, screen.viewpoint
    has_all = view.interlude or screen.is_over  # else it is the step that is due
    number = screen.seen.number if has_all else match.number + 1
    where = ", ".join(filter(None, (screen.scene.where, f"step {number}")))
    name, said = (match.game.TITLE, "title"), (f"{_options(match)}{where}", where, f"step {number}")
    lefts: list[list[Span]] = [*([name, (f"  {text}", "quiet")] for text in said), [name], []]
    if view.behind:
        right = f"looking back at step {match.number - view.behind}", "title"
    elif view.interlude:
        right = "look: Enter goes on", "title"
    else:
        right = (_how_it_ended(screen), "title") if screen.is_over else _who_plays(screen)
    short = right[0].partition(":")[0], right[1]  # whose turn it is, without what is due
    ways = [(left, due) for left in lefts[:3] for due in (right, short)] + [(lefts[3], short)]
    fits = (way for way in ways if line_width((*way[0], way[1])) + 2 <= columns)
    left, due = next(fits, (lefts[4], short))
    gap = max(0, columns - line_width((*left, due)))
    return (*left, (" " * gap, ""), due)


def _how_it_ended(screen: ShownView) -> str:
    """Return that it is over and, in words that any reader of the screen has, who won."""
    table = screen.table
    who, _ = narration.result(table.match, table.end, table.shown_names, only_person(table))
    return f"the match is over: {who}" if who else "the match is over"


def _options(match: Match) -> str:
    """Return the options that are not as usual, with a space behind them."""
    options = match.setup.options
    said = ", ".join(
        one.said(options[one.name])
        for one in match.game.OPTIONS
        if options[one.name] != one.default and one.matters(match.setup.seats)
    )
    return f"{said}, " if said else ""


def _who_plays(screen: ShownView) -> Span:
    table, names = screen.table, screen.table.shown_names
    pointer = screen.shell.look.pointer
    if table.awaited is not None:
        return f"{pointer} {names[table.awaited]}, take the keyboard", "title"
    if screen.seat is not None:
        is_only = len(table.mine) == 1
        whose = "your turn" if is_only else f"{names[screen.seat]}'s turn"
        due = f": {screen.scene.due}" if screen.scene.due else ""
        return f"{pointer} {whose}{due}", screen.scene.hue or f"flag-{screen.seat}"
    if (bot := table.bot_to_act()) is not None:
        if screen.queued:
            return f"{names[bot]} waits for a turn", "quiet"
        return f"{names[bot]} is thinking{f': {screen.thought}' * bool(screen.thought)}", "quiet"
    if (lost := table.vacant_to_act()) is not None:
        return f"nobody plays seat {lost + 1}", "title"
    if table.is_sending:  # whoever it is of is not waited for
        return "the step is on its way", "quiet"
    acting = (int(actor) for actor in table.match.actors if actor != CHANCE)
    waits = ", ".join(names[seat] for seat in acting if seat not in table.chosen)
    return f"waiting for {waits}" if waits else "one moment", "quiet"


def result(screen: ShownView) -> tuple[Line, ...]:
    """Return who won and why; nothing while the match goes on, or its last step is looked at."""
    if screen.viewpoint.interlude:
        return ()
    table = screen.table
    names = table.shown_names
    who, why = narration.result(table.match, table.end, names, only_person(table))
    if not who:
        return ()
    reason = wrap(why, screen.field.text_columns)
    return (((capital(who, names), "title"),), *(((part, ""),) for part in reason))


# --- of what the cursor is on -----------------------------------------------------------------


def hover(screen: ShownView, name: str) -> Line:
    """Return what there is to say of the part of that name, as far as anything can be done now."""
    table, view = screen.table, screen.viewpoint
    if view.behind:
        return (("[ and ] go back and forward; any step is made in the present", "quiet"),)
    if view.interlude:
        said = "" if screen.scene.stage and screen.field.is_laid else view.interlude.said
        return (("Enter: go on", "title"), (f"   {said}" * bool(said), ""))
    if screen.is_over:
        back = "u: take back   " if table.match.number else ""
        return ((f"m: a rematch   {back}q: leave", "quiet"),)
    if table.awaited is not None:
        return ()  # the cover says it all
    if screen.seat is not None and screen.choice is not None:
        return _of_choice(screen, screen.seat, screen.choice, name)
    if (lost := table.vacant_to_act()) is not None:
        return (("b: who plays on?   ", "key"), (str(table.vacant[lost]), "loss"))
    if not table.mine:
        return (("Bots play here; [ and ] look back.", "quiet"),)
    return ON_ITS_WAY if table.is_sending else (("It is not your turn.", "quiet"),)


def _of_choice(screen: ShownView, seat: Seat, choice: Choice, name: str) -> Line:
    """Return what Enter does here, or why it does nothing, and where it does something."""
    match, names = screen.seen, screen.table.shown_names
    step = choice.step_at(name)
    if step is not None:
        found = screen.makes.preview(match.state, seat, step, screen.look)
        said = tuple((narration.named(text, names), role) for text, role in found)
        return (ENTER, *said)
    if name in choice.targets:
        picked = screen.makes.pick(match.state, seat, choice.chosen, name)
        ways = len(choice.with_part(name).targets)
        then = f", then one of {ways}" if ways > 1 else ""
        return (ENTER, (narration.named(picked.order, names), "title"), (then, "quiet"))
    if name in choice.chosen:
        return _going_on(screen, seat, choice)
    tried = screen.makes.step_from_parts(match.state, seat, (*choice.chosen, name)) if name else ""
    if tried:
        why = narration.named(match.game.why(match.state, seat, Step(tried)), names)
        return ((why, "quiet"),)
    if choice.chosen:
        return _going_on(screen, seat, choice)
    return ((f"{_trace(screen, name) or NOTHING}   ", "quiet"), (_next(choice), "key"))


def _trace(screen: ShownView, name: str) -> str:
    """Say what the mark of the last turn on a square means, or of one's own up to here."""
    trace, last = screen.field.board.trace, screen.seen.last
    is_ours = last is not None and last.actor == screen.seat
    begun, ended, changed = OUR_TRACE if is_ours else THEIR_TRACE
    marks = ((begun, trace.left), (ended, trace.reached), (changed, trace.changed))
    return next((said for said, names in marks if name in names), "")


def _going_on(screen: ShownView, seat: Seat, choice: Choice) -> Line:
    """Return what is chosen, and what is to be chosen next."""
    kind = screen.makes.pick(screen.seen.state, seat, (), choice.chosen[0]).kind
    # What a card does, and why not now, was said before it was chosen.
    so_far = ", ".join(label(screen, part).partition(": ")[0] for part in choice.chosen)
    count = len(choice.targets)
    left = f"choose one of {count} marked" if count > 1 else "choose what is marked"
    return (
        (f"{kind} {so_far} ".lstrip(), "title"),
        (f"is chosen: {left}", ""),
        ("   Esc: choose another", "key"),
    )


def _next(choice: Choice) -> str:
    """Say how to come to what can be chosen."""
    count = len(choice.targets)
    return f"n: next of {count} choices" if count > 1 else "n: what can be chosen"


def label(screen: ShownView, part: str) -> str:
    """Return what a part is called: a square by its name, all else in words."""
    scene = screen.scene
    is_cell = scene.board.place(part) is not None
    said = next((chip.said for chip in scene.tray if chip.name == part), "")
    said = part if is_cell else said or screen.makes.label(part, screen.look)
    return narration.named(said, screen.table.shown_names)
