"""The texts of line mode: turns, choices and results. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Final

from kumite.core.game import CHANCE, Seat, Step
from kumite.core.match import Match
from kumite.core.players import named
from kumite.tui import scenes
from kumite.tui.look.glyphs import LOOKS
from kumite.tui.play import narration, table_words
from kumite.tui.scenes import Choice, SceneMaker
from kumite.tui.scenes.lines import capital, plain
from kumite.tui.scenes.notation import spelled, unspelled

if TYPE_CHECKING:
    from kumite.tui.play.local_seats import LocalSeats
    from kumite.tui.play.table_model import TableModel

LOOK: Final = LOOKS["ascii"]
MOST: Final = 20  # most choices listed one by one; more are grouped by their first part
HOW: Final = "Type a step; ? lists them."  # said at the first turn only
PAGE: Final = 60  # most choices listed at once
WHOLE: Final = 10_000  # columns or rows of what is not to be cut

SPOKEN: Final = (
    *("alfa", "bravo", "charlie", "delta", "echo", "foxtrot"),
    *("golf", "hotel", "india", "juliett", "kilo", "lima", "mike", "november", "oscar", "papa"),
)
SPELLED: Final = {word[0]: word for word in SPOKEN}
SQUARE: Final = re.compile(r"(?<![\w:+=@./,-])([a-p])(1?[0-9])(?![\w=+@-]|[:,.]\S)")
SAID: Final = re.compile(rf"\b({'|'.join(SPOKEN)}|[a-p]) (1?[0-9])\b", re.IGNORECASE)

LITTLE: Final = frozenset(
    ("a", "the", "to", "on", "for", "with", "at", "then", "and", "card", "token")
)

HELP: Final = (
    "A step is typed as it is written: `?` lists what can be chosen, `? ...` what begins so.",
    "Enter alone tells the position again. Else one of these words:",
    "  log        all steps so far",
    "  brief      tell the position only when asked, a turn of a bot in one sentence",
    "  full       tell the position at each of your turns, each step as it is made",
    "  rules      the chapters of the rules;  rules 3: one of them",
    "  hint       what a bot would do, and why (not at a LAN table)",
    "  undo       take the last step back (at a LAN table: ask to)",
    "  resign     give the match up",
    "  quit       leave; the match is saved, and `resume` continues it",
)
LAN_HELP: Final = (
    "  say ...    talk to the others",
    "  draw       offer a draw;  yes, no: answer an offer",
    "  rematch    offer another match, once this one is over (rematch ann: ann gets seat 1)",
    "  vote kitsu vote for the game that is played next; vote: what can be played",
    "  who        the three words to compare aloud, who is there, and the clocks",
)


def told(
    match: Match, names: Sequence[str], since: int = 0, *, by_turn: bool = False
) -> Iterator[str]:
    """Yield the steps after number `since` in sentences, in the match owner's view.

    `by_turn` joins the steps of a turn into one sentence.
    """
    yield from _sentences(narration.told_now(match, names, since), names, by_turn=by_turn)


def _sentences(
    told: list[narration.ToldStep], names: Sequence[str], *, by_turn: bool
) -> Iterator[str]:
    if not by_turn:
        yield from (f"{one.number}. {one.text}" for one in told)
        return
    for actor, run in groupby(told, key=lambda one: one.actor):
        first, *more = run
        who = "" if actor == CHANCE else names[actor]
        rest = (narration.without_name(who, one.text) for one in more)
        number = f"{first.number} to {more[-1].number}" if more else f"{first.number}"
        yield f"{number}. {'; '.join((first.text, *rest))}"


def speaker(match: Match, names: Sequence[str], how: str) -> Callable[[str], str]:
    """Return how the lines about a match are spoken; without a board, b3 is no square."""
    has_squares = bool(scenes.maker(match).scene(match.state, names, LOOK, None).board.rows)
    return partial(spoken, how=how) if has_squares else str


def spoken(text: str, how: str) -> str:
    """Return a text with its squares as they are to be read aloud, one of settings.SPOKEN.

    Steps in notation, such as e5-e6, are left: they are there to be typed.
    """
    if how == "signs":
        return text
    return SQUARE.sub(lambda it: f"{SPELLED[it[1]] if how == 'words' else it[1]} {it[2]}", text)


def heard(line: str) -> str:
    """Return a typed line as it is written: `echo 5` is e5, steps of a list have no commas."""
    return SAID.sub(lambda it: f"{it[1][0].lower()}{it[2]}", re.sub(r",\s+", " ", line))


def hint(model: TableModel) -> Iterator[str]:
    """Yield the step that a bot advises, how it is typed, and why."""
    if model.hint is not None and (lines := table_words.hint(model, columns=WHOLE, rows=WHOLE)):
        typed = spelled(model.seen.game, model.hint.step, model.table.shown_names)
        head = plain(lines[0]).partition("  :")[0]
        yield f"{head}. You would type: {typed}"
        why = " ".join(plain(lines[1]).split())
        yield re.sub(f" ({'|'.join(table_words.ENTER_MAKES)})\\.$", "", why)


def gist(model: TableModel) -> tuple[str, ...]:
    """Return what of the position is told at each turn to those who want to hear little."""
    return tuple(model.makes.gist(model.seen.state, model.table.shown_names, model.you))


def meant(seen: Match, you: Seat, line: str, names: Sequence[str]) -> Step | None:
    """Return the only step that a line can mean which is spoken rather than written.

    Signs may be left out (`c3 a4`), and names may stand for signs (`blue 4`, `push e4 e3`).
    """
    makes, said = scenes.maker(seen), _bare(line)
    whole, begun = set[Step](), set[Step]()
    for step in seen.legal(you):
        called = (makes.step_name(step), makes.order(seen.state, you, step))
        for form in (spelled(seen.game, step, names), *(named(one, names) for one in called)):
            bare = _bare(form)
            whole |= {step} if bare == said else set()
            begun |= {step} if len(said) > 1 and bare[: len(said)] == said else set()
    found = whole or begun
    return found.pop() if len(found) == 1 else None


def _bare(text: str) -> list[str]:
    """Return the words and numbers of a step without signs and little words."""
    parts = re.findall(r"[a-z]+|[0-9]+", re.sub(r"(?<=[0-9])x(?=[a-p][0-9])", " ", text.lower()))
    return [part for part in parts if part not in LITTLE]


def turn(model: TableModel, *, goes_on: bool = False) -> str:
    """Return whose turn it is and what is due; only that if one's own turn goes on."""
    table, you, names = model.table, model.seat, model.table.shown_names
    if goes_on and model.scene.due:
        return f"{capital(model.scene.due, names)}."
    if you is not None:
        whose = "Your turn" if table.only_person is not None else f"{names[you]}, your turn"
        due = f": {model.scene.due}" if model.scene.due else ""
        return f"{whose}{due}."
    said = capital(table_words.waits(table, model.scene.due), names)
    if table.bot_to_act() is None and (lost := table.vacant_to_act()) is not None:
        return f"{said}: {table.vacant[lost]}. Who plays on? Type bot, person or again."
    return f"{said}."


def choices(seen: Match, you: Seat, names: Sequence[str], said: str) -> Iterator[str]:
    """Yield the legal steps that begin with `said`, with previews; many are grouped.

    `said` is the first parts of a step, or the beginning of its notation.
    """
    makes = scenes.maker(seen)
    choice = scenes.Choice.of(makes, seen.legal(you))
    words = said.split()
    while words and words[0] in choice.targets:
        choice = choice.with_part(words.pop(0))
    rest = unspelled(seen.game, " ".join(words), names)
    found = [step for step in choice.open if step.startswith(rest)]
    if not found:
        yield f"No step that can be made begins with {said!r}."
    elif rest or len(found) <= MOST:
        yield from (step(makes, seen, you, one, names) for one in found[:PAGE])
        if len(found) > PAGE:
            yield f"and {len(found) - PAGE} more; ? and more of the step lists fewer."
    else:
        yield from _beginnings(seen, you, choice, found, names)


def step(makes: SceneMaker, seen: Match, you: Seat, made: Step, names: Sequence[str]) -> str:
    said = re.sub(" {2,}", "; ", plain(makes.preview(seen.state, you, made, LOOK)).strip())
    return f"{spelled(seen.game, made, names)}: {named(said, names)}"


def _beginnings(
    seen: Match, you: Seat, choice: Choice, found: Sequence[Step], names: Sequence[str]
) -> Iterator[str]:
    makes = scenes.maker(seen)
    size = len(choice.chosen)
    groups: dict[str, list[Step]] = {}
    for one in found:
        groups.setdefault(choice.parts[one][size], []).append(one)
    yield f"{len(found)} steps; ? and the first word lists those that begin so:"
    for part, steps in groups.items():
        label = named(makes.label(part, LOOK), names)
        words = part if label == part else f"{part} ({label})"
        before = " ".join((*choice.chosen, words))
        if len(steps) == 1:
            yield step(makes, seen, you, steps[0], names)
        else:
            yield f"{before}: {len(steps)} steps"


def result(table: LocalSeats) -> str:
    """Return who won and why; "" if the match is not over."""
    who, why = table_words.how_it_ended(table)
    return f"{capital(who, table.shown_names)}: {why}." if who else ""
