"""Text at a table: whose turn it is, results, previews of choices, hints. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from kumite.core import results
from kumite.core.bots import mixes
from kumite.core.game import CHANCE, Seat, Step
from kumite.core.log import End
from kumite.core.match import Match
from kumite.core.players import named
from kumite.core.text import listed
from kumite.tui import scenes
from kumite.tui.drawing.places import is_small
from kumite.tui.look.sprites import SEAT
from kumite.tui.play import narration
from kumite.tui.scenes import Choice, Line, Scene, Span
from kumite.tui.scenes.about import about_game
from kumite.tui.scenes.lines import Named, capital, ended, fold, glued, line_width, width, wrapped
from kumite.tui.scenes.model import Cell, Chip, Trace
from kumite.tui.scenes.notation import spelled
from kumite.tui.scenes.tallies import colors_of

if TYPE_CHECKING:
    from kumite.tui.play.local_seats import LocalSeats
    from kumite.tui.play.table_model import TableModel

ENTER_MAKES: Final = ("Enter makes it", "Enter makes the first step")  # of one, of several
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
THE_END: Final = "the end"  # in the title, with the winner where no panel names them
ALONE: Final = ("Your only choice, made for you: ", "title")
SHORT: Final = 7  # prefix by which a longer word also counts as said
PARTS: Final = re.compile(r"\w+")  # words, and the parts of a typed step


def title(
    model: TableModel,
    columns: int,
    queued: str = "",
    thought: str = "",
    *,
    tells_last: bool = False,
    is_open: bool = False,
    is_told: bool = False,
) -> Line:
    """Return the title line: game, options and position on the left, whose turn on the right.

    `queued`: a bot is waiting for its turn to think. `thought`: how long one has been thinking.
    With `tells_last` the last step replaces options and position; with `is_open` the result is not
    told, with `is_told` it stands in a panel.
    """
    is_unseen = model.interlude and model.seen.number < model.table.match.number
    is_settled = model.is_over and not (is_open or model.behind or is_unseen)
    if is_settled:
        who = how_it_ended(model.table)[0] if not is_told else ""
        right, ink = f"{THE_END}: {who}" if who else THE_END, "title"
    elif is_open and not model.interlude:  # whose turn it is will be seen
        right, ink = "", ""
    else:
        right, ink = _right(model, queued, thought)
    rights = (right, right.removesuffix(f" to {model.scene.due}").partition(":")[0])
    room = columns - 2  # beside a gap
    stands_alone = bool(is_settled or model.interlude or is_small(columns + 2, 24))
    lefts = _lefts(model, is_thinking=bool(thought), tells_last=tells_last and not stands_alone)
    lefts.append(ended(lefts[-1], room - width(rights[1]), model.look))
    if stands_alone:  # what the right end says is written nowhere else
        ways = [(left, right) for right in rights for left in lefts]
    else:
        ways = [(left, right) for left in lefts for right in rights]
    fits = (way for way in ways if line_width(way[0]) + width(way[1]) <= room)
    left, right = next(fits, (lefts[-1], rights[1]))
    gap = max(0, columns - line_width(left) - width(right))
    return (*left, (" " * gap, ""), (right, ink))


def _lefts(model: TableModel, *, is_thinking: bool, tells_last: bool) -> list[Line]:
    """Return forms of the left end of the title, from the longest.

    In the opening they tell the game's goal; with `tells_last` the last step, if there is one.
    """
    match, about, where = model.table.match, about_game(model.table.match.game), model.scene.where
    name, brief = (match.game.TITLE, "title"), (about.name, "title")
    goal = about.goal if narration.is_opening(match, model.table.mine) else ""
    has_stage = model.scene.stage is not None  # it shows the last cards itself
    found: list[Line] = []
    if tells_last and (last := last_step(model, is_own_told=not goal)):
        at, told = (f"  {where}", "quiet"), (f"  {last}", "")
        found = [(name, at, told), (brief, at, told)]
        if not has_stage:
            return [*found, (name, told), (brief, told)]
    has_all = model.interlude or model.is_over  # otherwise count the step to come
    step = f"step {model.seen.number if has_all else match.number + 1}"
    place = ", ".join(filter(None, (where, step)))
    heads = [(name, (f"  {text}", "quiet")) for text in (f"{_options(match)}{place}", place, step)]
    if goal and not is_thinking:
        told = (f"  To win: {goal}", "")
        found += [(*heads[0], told), (*heads[2], told), (name, told)]
        found += [(brief, (f"  Win: {goal}", "")), (brief, (f"  {goal}", ""))]
        found += [((f"To win: {goal}", ""),)]
    return [*found, *heads, (name,), ()]


def _right(model: TableModel, queued: str, thought: str) -> Span:
    """Return the right end of the title during a match: mostly whose turn it is."""
    table, names, seat = model.table, model.table.shown_names, model.seat
    pointer = model.look.pointer
    if model.behind:
        return f"looking back at step {table.match.number - model.behind}", "title"
    if model.interlude:
        return "Enter continues", "title"
    if (awaited := model.awaited) is not None:
        return f"{pointer} {names[awaited]}, take the keyboard", "title"
    if seat is not None:
        whose = "your turn" if table.only_person is not None else f"{names[seat]}'s turn"
        due = f": {model.scene.due}" if model.scene.due else ""
        return f"{pointer} {whose}{due}", f"flag-{colors_of(table.match)[seat]}"
    if (bot := table.bot_to_act()) is not None and queued:
        return f"{names[bot]} waits for a turn", "quiet"
    is_lost = bot is None and table.vacant_to_act() is not None
    said = f"{waits(table, model.scene.due)}{f': {thought}' * bool(thought)}"
    return said, "title" if is_lost else "quiet"


def last_step(model: TableModel, *, is_own_told: bool = True) -> str:
    """Return the last step if somebody made it, and not chance."""
    told = narration.last_told(model.seen, model.table.shown_names)
    hidden = {CHANCE} if is_own_told else {CHANCE, *model.table.mine}
    return told.text if told is not None and told.actor not in hidden else ""


def how_it_ended(table: LocalSeats) -> tuple[str, str]:
    """Return who won and why, as addressed to the only person here, if there is just one."""
    return narration.result(table.match, table.end, table.shown_names, table.only_person)


def _options(match: Match) -> str:
    """Return the options that differ from their defaults, followed by a comma."""
    options = match.setup.options
    said = ", ".join(
        one.said(options[one.name])
        for one in match.game.OPTIONS
        if options[one.name] != one.default and one.matters(match.setup.seats)
    )
    return f"{said}, " if said else ""


def waits(table: LocalSeats, due: str = "") -> str:
    """Return what the match waits for, unless for a local person. `due`: the task of who acts."""
    names = table.shown_names
    if (bot := table.bot_to_act()) is not None:
        return f"{names[bot]} is thinking"
    if (lost := table.vacant_to_act()) is not None:
        return f"nobody plays seat {lost + 1}"
    if table.is_sending:  # even if it is a local player's step
        return "the step is on its way"
    acting = (int(actor) for actor in table.match.actors if actor != CHANCE)
    others = ", ".join(names[seat] for seat in acting if seat not in table.chosen)
    is_verb = re.match(r"[a-z]+ ", due)  # and not `2 actions left` or `Fox d5 may pounce`
    task = f" to {due}" if is_verb else f": {due}" * bool(due)
    return f"waiting for {others}{task}" if others else "one moment"


def giving_up(table: LocalSeats) -> list[str]:
    """Return the question before a resignation, and what it means for the others."""
    acting, setup = table.acting, table.match.setup
    seats = (acting,) if acting is not None else tuple(table.mine)
    sides = {setup.side_of(seat) for seat in seats}
    lose = [
        name
        for seat, name in enumerate(table.shown_names)
        if setup.side_of(seat) in sides and seat not in table.mine
    ]
    whose = "your partners, lose" if len(lose) > 1 else "your partner, loses"
    has_winners = results.winners(setup, End("resigned", (Seat(0),)))
    return [
        "Give this match up?",
        *[f"{listed(lose)}, {whose} with you."] * bool(lose),
        *["This ends the match for everybody; nobody wins."] * (not has_winners),
    ]


def result(model: TableModel, columns: int) -> tuple[Line, ...]:
    """Return the result, or () before the final position is shown."""
    who, why = ("", "") if model.interlude else how_it_ended(model.table)
    if not who:
        return ()
    said = capital(who, model.table.shown_names)
    return (((said, "title"),), *wrapped(why, columns))


# --- of what the cursor is on -----------------------------------------------------------------


def hover(model: TableModel, name: str, *, is_staged: bool = False) -> Line:
    """Return the hint for the part `name`, as far as anything can be done now.

    `is_staged`: the stage says itself what was done last.
    """
    table, match, seat, choice = model.table, model.seen, model.seat, model.choice
    if model.behind:
        return (("[ and ] go back and forward; any step is made in the present", "quiet"),)
    if model.interlude:
        said = "" if is_staged else model.interlude.said
        then = Named(f", then {model.interlude.then}", "")
        return (("Enter: go on", "title"), (then, ""), (f"   {said}" * bool(said), ""))
    if model.awaited is not None:
        return ()  # the cover has the text
    if model.is_over:
        spread = model.scene.spread
        if is_staged and spread and spread.words:  # below the stage
            return ()
        last = narration.last_told(match, table.shown_names)
        return ((f"step {last.number}: ", "quiet"), (last.text, "")) if last else ()
    if seat is not None and choice is not None:
        return _of_choice(model, seat, choice, name)
    if (lost := table.vacant_to_act()) is not None:
        return (("b: who plays on?   ", "key"), (str(table.vacant[lost]), "loss"))
    if not table.mine:
        return (("Bots play here; [ and ] look back.", "quiet"),)
    waiting = capital(waits(table), table.shown_names)
    return ON_ITS_WAY if table.is_sending else ((waiting, "quiet"),)


def ghosts(model: TableModel, name: str) -> Mapping[str, Cell]:
    """Return the squares that choosing the part `name` would change, as they are previewed."""
    is_free = not (model.behind or model.interlude or model.is_over)
    if model.seat is None or model.choice is None or not is_free:
        return {}
    step = model.choice.step_at(name)
    return model.makes.ghosts(model.seen.state, model.seat, step, model.scene) if step else {}


def _of_choice(model: TableModel, seat: Seat, choice: Choice, name: str) -> Line:
    """Return what Enter does here, or why it does nothing and where to go."""
    match, names, makes = model.seen, model.table.shown_names, model.makes
    step = choice.step_at(name)
    if step is not None:
        found = makes.preview(match.state, seat, step, model.look)
        is_end = step == makes.ending(match.state, seat)
        key = ALONE if model.only_step else ENTER
        more = (("   n: go on instead", "key"),) if is_end else ()
        return (key, *((named(text, names), role) for text, role in found), *more)
    if name in choice.targets:
        picked = makes.pick(match.state, seat, choice.chosen, name)
        rest = choice.with_part(name).targets
        counted = _counted_kinds(model.scene, rest, picked.following)
        then: Line = ((Named(f", then choose {_one_of(counted)}", f", then {counted}"), "quiet"),)
        if taken := _captured(scenes.last_trace(makes, match, model.you), name):
            then = ((f"   {taken}", "quiet"),)
        elif len(rest) == 1:
            then = ()
        return (ENTER, (named(picked.order, names), "title"), *then)
    if (later := model.later) is not None and later.choice and name in later.choice.targets:
        _, (order, role), *more_said = _of_choice(later, seat, later.choice, name)
        assert later.seen.last is not None
        ending = f"{model.label(later.seen.last.step)}, then "
        return (ENTER, (f"{ending}{order[:1].lower()}{order[1:]}", role), *more_said)
    if name in choice.chosen:
        return _going_on(model, seat, choice)
    tried = makes.step_from_parts(match.state, seat, (*choice.chosen, name)) if name else ""
    if tried:
        why = named(match.game.why(match.state, seat, Step(tried)), names)
        kind = () if choice.chosen else _kind_at(model, name, why)  # else only the reason matters
        return kind or ((why, "quiet"),)
    if choice.chosen:
        return _going_on(model, seat, choice)
    count = len(model.targets)
    kinds = _counted_kinds(model.scene, model.targets, "buttons")
    following = f"n: next of {kinds}" if count > 1 else "n: what can be chosen"
    trace = _trace(model, name)
    if not trace and (kind := _kind_at(model, name)):
        return (*kind, (f"   {following}", "key"))
    return ((f"{trace or NOTHING}   ", "quiet"), (following, "key"))


def _kind_at(model: TableModel, name: str, why: str = "") -> Line:
    """Return what the piece on a square is and does, then `why` it cannot be chosen, or ().

    Nothing if `why` names it, or if it is one's own, whose reason matters more.
    """
    cell = next((one for row in model.scene.board.rows for one in row if one.name == name), None)
    if cell is None or not cell.sprite or (why and cell.owner == model.scene.side):
        return ()
    signs = model.makes.signs(model.seen.state, model.table.shown_names, model.look)
    alike = [one for one in signs if one.kind and one.cell.sprite == cell.sprite]
    alike.sort(key=lambda one: one.cell.owner != cell.owner)
    if not alike or alike[0].kind in why.split():
        return ()
    kind, _, does = alike[0].said.partition(": ")
    return ((kind, "title"), (f": {does}", ""), *[(f"   {why}", "quiet")] * bool(why))


def _trace(model: TableModel, name: str) -> str:
    trace, last = scenes.last_trace(model.makes, model.seen, model.you), model.seen.last
    is_ours = last is not None and last.actor == model.seat
    if taken := _captured(trace, name):
        return taken
    begun, ended, changed = OUR_TRACE if is_ours else THEIR_TRACE
    marks = ((begun, trace.left), (ended, trace.reached | trace.earlier), (changed, trace.changed))
    return next((said for said, names in marks if name in names), "")


def _captured(trace: Trace, name: str) -> str:
    fallen = trace.taken.get(name)
    return f"a {fallen.kind} was captured here" if fallen and fallen.letter else ""


def _counted_kinds(scene: Scene, parts: Collection[str], others: str) -> str:
    """Return how many parts there are of each kind: `3 squares or 5 stances`.

    `others`: what they are besides squares and cards, "" if that has no name.
    """
    squares = sum(scene.board.place(one) is not None for one in parts)
    cards = sum(chip.name in parts for chip in scene.tray if chip.card is not None)
    rest = len(parts) - squares - cards
    if rest and not others:
        return f"{len(parts)}"
    kinds = zip((squares, cards, rest), ("squares", "cards", others), strict=True)
    said = [f"{count} {kind if count > 1 else kind[:-1]}" for count, kind in kinds if count]
    return " or ".join(said)


def _one_of(counted: str) -> str:
    """Return what can be chosen of the counted: `the square or one of 5 stances`."""
    return re.sub(r"\d", r"one of \g<0>", re.sub(r"\b1 ", "the ", counted), count=1)


def _going_on(model: TableModel, seat: Seat, choice: Choice) -> Line:
    picked = model.makes.pick(model.seen.state, seat, choice.chosen[:-1], choice.chosen[-1])
    kind = model.makes.pick(model.seen.state, seat, (), choice.chosen[0]).kind
    # A card's label says more after a colon; that was shown before it was chosen.
    so_far = ", ".join(model.label(part).partition(": ")[0] for part in choice.chosen)
    counted = _counted_kinds(model.scene, choice.targets, picked.following)
    is_one = len(choice.targets) == 1
    left = "choose what is marked" if is_one else f"choose {_one_of(counted)}"
    keys = "   Tab: buttons   Esc: back" if " or " in counted else "   Esc: choose another"
    return ((f"{kind} {so_far} ".lstrip(), "title"), (f"is chosen: {left}", ""), (keys, "key"))


def chips(model: TableModel, parts: frozenset[str]) -> tuple[Chip, ...]:
    """Return the choices that neither the board nor the tray has."""
    side, found = model.scene.side, []
    for part in sorted(parts, key=lambda one: (one not in model.makes.OFFERED_FIRST, one)):
        sprite = model.makes.sprite(part)
        role = f"{SEAT}-{side}/" if sprite and side is not None else "key"
        found.append(Chip(part, model.label(part), role, sprite=sprite))
    return tuple(found)


# --- of a hint --------------------------------------------------------------------------------


def hint(model: TableModel, columns: int, rows: int) -> list[Line]:
    """Return the hint and its reason, in at most `rows` rows if possible; [] without a hint."""
    choice, seen, names = model.hint, model.seen, model.table.shown_names
    if choice is None or model.seat is None:
        return []
    from kumite.tui.bots import advice  # late: few tables ask for a hint

    merit, is_mixed = named(model.merit, names, model.seat), mixes(seen.game)
    called = partial(narration.step_name, seen, names=names)
    # How often the lot draws a plan is told on request: next to one advised plan it puzzles.
    found = "" if is_mixed else advice.how_found(choice, called)
    head = hint_head(model, choice.step, columns)

    def because(found: str, more: str) -> list[str]:
        text = capital(advice.because(merit, found, choice.plan), names)
        return glued(f"{'. '.join(filter(None, (text, more)))}.", columns)

    enter = ENTER_MAKES[len(choice.plan) > 1]
    why = because(found, enter)
    if merit and len(why) > rows - (len(head) - 1) and not choice.plan:
        brief = "" if is_mixed else advice.briefly(choice)
        why = because(brief, "")
    return [*head, *(((line, ""),) for line in why)]


def hint_head(model: TableModel, step: Step, columns: int) -> list[Line]:
    """Return a hint's step in words, and its notation unless the words contain it."""
    names = model.table.shown_names
    assert model.seat is not None
    said = capital(named(model.makes.order(model.seen.state, model.seat, step), names), names)
    words = PARTS.findall(said.lower())
    words += [word[:SHORT] for word in words if len(word) > SHORT]  # Counterattack: `counter`
    is_said = set(PARTS.findall(step)) <= set(words)
    typed = "" if is_said else f"  :{spelled(model.seen.game, step, names)}"
    return fold((("Hint: ", "quiet"), (said, "title"), (typed, "quiet")), columns)
