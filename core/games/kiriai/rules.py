"""Kiri-ai: The Duel: two samurai on one line, two secret cards a round; the second wound loses.

Rules: docs/rules/kiriai.md (decisions A1 to A17). Seat 0 is red and comes from the left, seat 1 is
blue. Notation: `red:kesa` deals a special card, `3,earth` chooses a start, `charge,high` plans two
cards; chance shows what was chosen: `start:3,earth/5,heaven`, then `first:charge/low` and
`second:high/low` (red's, then blue's).

The canonical text of a position; in a view `?` stands for what is hidden:

    kiriai field=standard rounds=40
    phase second round 2
    red at 4,heaven wounds 1 aside high special kesa plan charge,kesa
    blue at 5,earth wounds 0 aside charge|stance special ? plan low,?

`-` is none: nobody placed, no card aside, no special dealt, nothing planned. A special that has
been played stands behind `spent` instead of `special`, a start behind `start` instead of `plan`
(phases start and unveil). When the match is over a last line says `over defeat 1`: reason and
winner, `-` for nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from kumite.core.errors import BadNotation, Hidden, IllegalStep
from kumite.core.game import CHANCE, HOLE, Actor, Option, Options, Seat, Seats, Secrets, Step
from kumite.core.games.kiriai.action import CARD, EARTH, FACES, HEAVEN, SPECIALS, action
from kumite.core.games.kiriai.state import (
    DEFEAT,
    LIMITS,
    NAMES,
    PLACED,
    SECRET,
    SPACES,
    STARTS,
    Side,
    plans,
)
from kumite.core.games.kiriai.state import State as State
from kumite.core.games.kiriai.state import outcome as outcome
from kumite.core.games.kiriai.state import pack as pack
from kumite.core.games.kiriai.state import parse as parse
from kumite.core.games.kiriai.state import text as text
from kumite.core.games.kiriai.state import unpack as unpack

if TYPE_CHECKING:
    from fractions import Fraction

ID: Final = "kiriai"
TITLE: Final = "Kiri-ai: The Duel"
RULES: Final = 1
SEATS: Final = (2,)
TEAMS: Final = False
OPTIONS: Final = (
    Option(
        "field",
        "standard",
        ("standard", "advanced"),
        "5 spaces, or 7 with a secret start",
        "Field",
        ("5 spaces", "7 spaces, secret start"),
    ),
    Option(
        "rounds",
        40,
        LIMITS,
        "the match ends after this many rounds",
        "Ends after",
        tuple(f"{limit} rounds" for limit in LIMITS),
    ),
)

# --- Setup -------------------------------------------------------------------------------------


def start(seats: int, options: Options) -> State:
    """Return the table before the deal."""
    nobody = Side(0, "", 0, "", "", False, "")
    return State(str(options["field"]), int(options["rounds"]), "deal", 0, (nobody, nobody))


def setup_of(state: State) -> tuple[int, Options]:
    return 2, {"field": state.field, "rounds": state.rounds}


# --- Turn and steps ----------------------------------------------------------------------------

_WAITING: Final[Mapping[tuple[bool, bool], tuple[Actor, ...]]] = {  # has red, has blue chosen
    (False, False): (Seat(0), Seat(1)),
    (False, True): (Seat(0),),
    (True, False): (Seat(1),),
}
_CHANCE: Final[tuple[Actor, ...]] = (CHANCE,)


def actors(state: State) -> tuple[Actor, ...]:
    """Return the seats that have not chosen yet; else chance, which deals and shows (A14)."""
    if state.phase == "plan" or state.phase == "start":
        red, blue = state.sides
        return _WAITING[red.secret != "", blue.secret != ""]
    return () if state.phase == "over" else _CHANCE


def legal(state: State, actor: Actor) -> tuple[Step, ...]:
    """Return a seat's starts or plans, the specials that can be dealt, or the step that shows."""
    if actor not in actors(state):
        return ()
    if actor == CHANCE:
        return _deals(state) if state.phase == "deal" else (_show(state),)
    if state.phase == "start":
        return STARTS[actor]
    side = state.sides[actor]
    if side.special == HOLE:
        raise Hidden(f"{ID}: this view does not show the hand of {NAMES[actor]}")
    return plans(side.aside, "" if side.spent else side.special)


def _deals(state: State) -> tuple[Step, ...]:
    taken = state.sides[0].special
    if taken == HOLE:
        raise Hidden(f"{ID}: this view hides red's special, so blue's choice is unknown")
    name = NAMES[taken != ""]
    return tuple(Step(f"{name}:{special}") for special in SPECIALS if special != taken)


def _show(state: State) -> Step:
    """Return the only step of phases unveil, first and second, which shows the choices."""
    red, blue = (side.secret for side in state.sides)
    if state.phase == "unveil":
        step = f"start:{red}/{blue}"
    else:
        part = _PART[state.phase]
        step = f"{state.phase}:{red.split(',')[part]}/{blue.split(',')[part]}"
    if HOLE in step:
        raise Hidden(f"{ID}: this view does not show both cards", hint="who knows them says so")
    return Step(step)


_PART: Final = {"first": 0, "second": 1}  # index in a plan


def _all_steps() -> dict[str, tuple[str, str, str]]:
    """Return all texts of the notation, legal or not, with their phase and two parts.

    `?,?` is also a start.
    """
    steps = {f"{n}:{card}": ("deal", n, card) for n in NAMES for card in (*SPECIALS, HOLE)}
    begins = [f"{digit},{stance}" for digit in range(10) for stance in (EARTH, HEAVEN)]
    for one in begins:
        steps[one] = ("start", one[0], one[2:])
        for two in begins:
            steps[f"start:{one}/{two}"] = ("unveil", one, two)
    for one in FACES:
        for two in FACES:
            steps[f"{one},{two}"] = ("plan", one, two)
            steps[f"first:{one}/{two}"] = ("first", one, two)
            steps[f"second:{one}/{two}"] = ("second", one, two)
    return steps | {SECRET: ("plan", HOLE, HOLE)}


_STEPS: Final = _all_steps()


def apply(state: State, actor: Actor, step: Step) -> State:
    """Return the position after a deal, a secret choice, or after both have been shown."""
    if reason := why(state, actor, step):
        kind = IllegalStep if step in _STEPS else BadNotation
        raise kind(f"{ID}: {reason}", hint=_hint(state, actor, step))
    phase, (_, one, two) = state.phase, _STEPS[step]
    if phase == "first" or phase == "second":
        return _carried_out(state, (one, two))
    if phase == "deal":
        return _dealt(state, NAMES.index(one), two)
    if phase == "unveil":
        return _placed(state, (one, two))
    return _chosen(state, actor == 1, step)


def _dealt(state: State, seat: int, special: str) -> State:
    side = Side(0, "", 0, "", special, False, "")
    if seat == 0:
        return State(state.field, state.rounds, "deal", 0, (side, state.sides[1]))
    after = State(state.field, state.rounds, "start", 0, (state.sides[0], side))
    return after if state.field == "advanced" else _placed(after, PLACED)


def _placed(state: State, starts: tuple[str, str]) -> State:
    """Begin the first round with both samurai on their spaces."""
    red, blue = (
        Side(int(begin[0]), begin[2:], 0, "", side.special, False, "")
        for side, begin in zip(state.sides, starts, strict=True)
    )
    return State(state.field, state.rounds, "plan", 1, (red, blue))


def _chosen(state: State, is_blue: bool, secret: str) -> State:
    """Store a secret start or plan; once both are chosen, the phase that shows them follows."""
    red, blue = state.sides
    s = blue if is_blue else red
    s = Side(s.space, s.stance, s.wounds, s.aside, s.special, s.spent, secret)
    other, sides = (red, (red, s)) if is_blue else (blue, (s, blue))
    phase = state.phase
    if other.secret:
        phase = "unveil" if phase == "start" else "first"
    return State(state.field, state.rounds, phase, state.round, sides)


def _carried_out(state: State, faces: tuple[str, str]) -> State:
    """Resolve one card of each seat, which may end the action, the round or the match (A13)."""
    red, blue = state.sides
    spaces, stances, wounded = action(
        (red.space, blue.space), (red.stance, blue.stance), faces, SPACES[state.field]
    )
    is_defeat = wounded >= 0 and state.sides[wounded].wounds + 1 == DEFEAT
    phase, number = "second", state.round
    if is_defeat:
        phase = "over"
    elif state.phase == "second":
        phase = "over" if number == state.rounds else "plan"
        number += phase == "plan"
    sides = []
    for seat in (0, 1):
        side, face = state.sides[seat], faces[seat]
        aside, secret = side.aside, ""
        is_special = face in SPECIALS
        if not is_defeat and state.phase == "first":
            secret = f"{face},{side.secret.partition(',')[2]}"
        elif not is_defeat:  # the end of the round; a special is not set aside (A15)
            aside = "" if is_special else CARD[face]
        special = face if is_special else side.special
        spent, wounds = side.spent or is_special, side.wounds + (seat == wounded)
        sides.append(Side(spaces[seat], stances[seat], wounds, aside, special, spent, secret))
    return State(state.field, state.rounds, phase, number, (sides[0], sides[1]))


def odds(state: State) -> Mapping[Step, Fraction]:
    """Return the probability of each deal; showing the choices is certain."""
    if actors(state) != _CHANCE:
        return {}
    from fractions import Fraction  # imported late: it takes longer than the rest of this module

    steps = legal(state, CHANCE)
    return dict.fromkeys(steps, Fraction(1, len(steps)))


# --- Secrets at a table without a dealer --------------------------------------------------------


def _deck(state: State) -> tuple[str, ...]:
    return SPECIALS if state.phase == "deal" and not state.sides[0].special else ()


def _drawn(state: State, card: str) -> str:
    if state.phase != "deal":
        return ""
    return f"{NAMES[state.sides[0].special != '']}:{card}"


def _owed(state: State) -> tuple[tuple[Seat, int], ...]:
    if state.phase == "unveil":  # a start has two parts and shows both
        return tuple((Seat(seat), part) for seat in (0, 1) for part in (0, 1))
    if state.phase in _PART:
        return tuple((Seat(seat), _PART[state.phase]) for seat in (0, 1))
    return ()


def _shown(state: State, pieces: tuple[str, ...]) -> str:
    if state.phase == "unveil":
        return "start:{},{}/{},{}".format(*pieces)
    return "{}:{}/{}".format(state.phase, *pieces)


SECRETS: Final = Secrets(_deck, _drawn, _owed, _shown)


# --- Why a step is not legal -------------------------------------------------------------------

_NOW: Final = {
    "deal": "a special card is dealt",
    "start": "each seat chooses its space and stance",
    "unveil": "both starts are shown",
    "plan": "each seat plans two cards",
    "first": "both first cards are turned over",
    "second": "both second cards are turned over",
}
_HINTS: Final = {
    "deal": "red:kesa",
    "start": "space and stance: {}",
    "unveil": "red's start, then blue's: start:3,earth/5,heaven",
    "plan": "the first card, then the second: {}",
    "first": "red's card, then blue's: first:charge/low",
    "second": "red's card, then blue's: second:charge/low",
    "over": "take a step back, or start a new match",
}
_FORMS: Final = {"start": "3,earth", "plan": "charge,high"}


def _hint(state: State, actor: Actor, step: Step) -> str:
    """Return how a step of this phase is written, using the card in `step` if possible."""
    steps: tuple[Step, ...] = ()
    if actor != CHANCE:
        with suppress(Hidden):
            steps = legal(state, actor)
    fitting = [one for one in steps if one.startswith(f"{step.partition(',')[0]},")] or steps
    return _HINTS[state.phase].format(next(iter(fitting), _FORMS.get(state.phase, "")))


def why(state: State, actor: Actor, step: Step) -> str:
    """Return why `step` is illegal, in terms of the rules; empty if it is legal.

    `apply` calls this, so it must be fast. On a view, a step is accepted if it is legal for some
    values of what is hidden.
    """
    phase = state.phase
    if phase == "over":
        return "the match is over"
    if step not in _STEPS:
        if phase == "plan" and step in FACES:
            return f"{step!r} is one card; a plan takes two"
        return f"{step!r} is no step of this game"
    if actor not in actors(state):
        return _why_not_you(state, actor)
    kind, one, two = _STEPS[step]
    if kind != phase and not (phase == "start" and step == SECRET):
        return f"{step} does not fit: now {_NOW[phase]}"
    if actor != CHANCE:
        return _why_not_chosen(state, actor, step, (one, two))
    if phase == "deal":
        return _why_not_dealt(state, one, two)
    twice = f"there is one {one}, it is not on both sides" if one == two in SPECIALS else ""
    return _why_not_shown(state, 0, one) or _why_not_shown(state, 1, two) or twice


def _why_not_you(state: State, actor: Actor) -> str:
    if state.phase not in ("start", "plan") or actor not in (0, 1):
        who = "chance" if actor == CHANCE else f"seat {actor}"
        return f"it is not for {who}: now {_NOW[state.phase]}"
    return f"seat {actor} has chosen already, and the choice stands"


def _why_not_dealt(state: State, name: str, special: str) -> str:
    taken = state.sides[0].special
    if name != NAMES[taken != ""]:
        return "blue has its special after red" if name == "blue" else "red has its special"
    if special == taken != HOLE:
        return f"there is one {special}, and red has it"
    return ""


def _why_not_chosen(state: State, seat: Seat, step: Step, parts: tuple[str, str]) -> str:
    """Return why a seat may not choose that start or plan.

    Until a special is spent, a view shows both that special and the seat's choices, or neither.
    """
    side, name = state.sides[seat], f"seat {seat}"
    if step == SECRET:
        is_open = side.special != HOLE and not side.spent
        return f"the cards of {name} are known here: say what it chooses" if is_open else ""
    if side.special == HOLE:
        return f"what {name} chooses is not known here: it is {SECRET}"
    if state.phase == "start":
        return "" if step in STARTS[seat] else _why_no_start(seat, parts[0])
    for face in parts:
        if CARD[face] == side.aside:
            return f"{name} has set aside {side.aside.replace('|', ' and ')} in this round"
        if face in SPECIALS and face != side.special:
            return f"{name} does not have {face}"
        if face in SPECIALS and side.spent:
            return f"{name} has spent its {face}"
    if CARD[parts[0]] == CARD[parts[1]]:
        return f"{parts[0]} and {parts[1]} are the same card; a plan takes two"
    return ""


def _why_no_start(seat: int, space: str) -> str:
    one, two, three = sorted({begin[0] for begin in STARTS[seat]})
    return f"seat {seat} starts on {one}, {two} or {three}, not on {space}"


def _why_not_shown(state: State, seat: int, shown: str) -> str:
    """Return why `shown`, a start or a face, cannot be the choice of this seat."""
    side, name = state.sides[seat], NAMES[seat]
    if state.phase == "unveil":
        if side.secret == SECRET:
            return "" if shown in STARTS[seat] else _why_no_start(seat, shown[0])
        return "" if shown == side.secret else f"{name} has chosen {side.secret}, not {shown}"
    first, _, second = side.secret.partition(",")
    planned = first if state.phase == "first" else second
    if planned != HOLE:
        return "" if shown == planned else f"{name} has planned {planned}, not {shown}"
    if CARD[shown] == side.aside:
        return f"{name} has set aside {side.aside.replace('|', ' and ')} in this round"
    if first != HOLE and CARD[shown] == CARD[first]:
        return f"{name} has just played {CARD[first]} as its first card"
    if shown in SPECIALS and side.spent:
        return f"{name} has spent its {side.special}"
    if shown in SPECIALS and shown == state.sides[1 - seat].special:
        return f"there is one {shown}, and {NAMES[1 - seat]} has it"
    return ""


# --- What each seat sees -----------------------------------------------------------------------


def view(state: State, by: Seats) -> State:
    """Return the position without other seats' specials and choices that have not been shown."""
    red, blue = state.sides
    if 0 not in by:
        red = _covered(red, state.phase)
    if 1 not in by:
        blue = _covered(blue, state.phase)
    return State(state.field, state.rounds, state.phase, state.round, (red, blue))


def _covered(side: Side, phase: str) -> Side:
    special = HOLE if side.special and not side.spent else side.special
    secret = SECRET if side.secret else ""
    if phase == "second":
        secret = f"{side.secret.partition(',')[0]},{HOLE}"
    return Side(side.space, side.stance, side.wounds, side.aside, special, side.spent, secret)


def seen(state: State, actor: Actor, step: Step, by: Seats) -> Step:
    """Return the step with `?` for what others are dealt or choose; shown cards are public."""
    owner: Actor | None
    if actor != CHANCE:
        owner, covered = actor, SECRET
    elif state.phase == "deal":
        name = step.partition(":")[0]
        owner, covered = Seat(NAMES.index(name)), f"{name}:{HOLE}"
    else:
        owner, covered = None, ""
    if owner is not None and owner not in by:
        return Step(covered)
    if HOLE in step:
        raise IllegalStep(f"{ID}: {step} hides what these seats see", hint="give the step in full")
    return step
