"""A position of Kiri-ai: its setup, phases and sides, its text and its bytes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from kumite.core.errors import BadData, BadNotation
from kumite.core.game import HOLE, Outcome, Packed, Seat, Step, read_lines, same_text
from kumite.core.games.kiriai.action import BASIC, CARD, EARTH, FACES, HEAVEN, SPECIALS

NAMES: Final = ("red", "blue")  # by seat
SPACES: Final = {"standard": 5, "advanced": 7}  # numbered from 1 at red's end (A1)
LIMITS: Final = (20, 40, 80)  # rounds
DEFEAT: Final = 2  # wounds
STARTS: Final = tuple(  # by seat, on the advanced field (A2)
    tuple(Step(f"{space},{stance}") for space in spaces for stance in (EARTH, HEAVEN))
    for spaces in ((2, 3, 4), (4, 5, 6))
)
PLACED: Final = (f"1,{HEAVEN}", f"5,{HEAVEN}")  # on the standard field

PHASES: Final = ("deal", "start", "unveil", "plan", "first", "second", "over")
UNPLACED: Final = PHASES[:3]  # phases before the samurai are placed
SECRET: Final = f"{HOLE},{HOLE}"  # a start or plan that a view does not show


@dataclass(frozen=True, slots=True)
class Side:
    """One seat's samurai and cards. Its hand is every card that is neither aside nor spent."""

    space: int  # 0 before the start
    stance: str  # empty before the start
    wounds: int
    aside: str  # the basic card set aside, or empty
    special: str  # the special card dealt, spent or not; empty before the deal, `?` if hidden
    spent: bool
    secret: str  # the chosen start or plan not yet shown, with `?` for each hidden part; or empty


@dataclass(frozen=True, slots=True)
class State:
    """A position, complete or a view. Once it is over, the outcome follows from the wounds."""

    field: str
    rounds: int  # the last round allowed
    phase: str
    round: int  # 0 before the first plan
    sides: tuple[Side, Side]


@cache
def plans(aside: str, special: str) -> tuple[Step, ...]:
    """Return the pairs of faces on two different cards of the hand without `aside` (A9).

    `special` is the special card in that hand, or empty.
    """
    hand = [face for face in FACES if CARD[face] in (*BASIC, special) and CARD[face] != aside]
    pairs = [(one, two) for one in hand for two in hand if CARD[one] != CARD[two]]
    return tuple(sorted(Step(f"{one},{two}") for one, two in pairs))


def outcome(state: State) -> Outcome | None:
    """Return the winner: by the second wound, else by fewer wounds after the last round (A16)."""
    if state.phase != "over":
        return None
    red, blue = (side.wounds for side in state.sides)
    if red == blue:
        return Outcome((), "limit")
    winner = Seat(0) if red < blue else Seat(1)
    return Outcome((winner,), "defeat" if max(red, blue) == DEFEAT else "decision")


# --- Text -------------------------------------------------------------------------------------


def text(state: State) -> str:
    """Return the position as described at the top of rules.py."""
    lines = [
        f"kiriai field={state.field} rounds={state.rounds}",
        f"phase {state.phase} round {state.round}",
    ]
    choice = "start" if state.phase in ("start", "unveil") else "plan"
    for name, side in zip(NAMES, state.sides, strict=True):
        at = f"{side.space},{side.stance}" if side.space else "-"
        special = f"{'spent' if side.spent else 'special'} {side.special or '-'}"
        lines.append(
            f"{name} at {at} wounds {side.wounds} aside {side.aside or '-'} {special}"
            f" {choice} {side.secret or '-'}"
        )
    if end := outcome(state):
        lines.append(f"over {end.reason} {','.join(map(str, end.winners)) or '-'}")
    return "\n".join(lines)


_SIDE: Final = (
    r" at (?:-|(\d),(\w+)) wounds (\d) aside (?:-|(\S+)) (special|spent) (?:-|(\S+))"
    r" (?:start|plan) (?:-|(\S+))"
)
_LINES: Final = (  # pattern and example of each line
    (r"kiriai field=(\w+) rounds=(\d\d)", "kiriai field=standard rounds=40"),
    (r"phase (\w+) round (\d\d?)", "phase plan round 1"),
    *((name + _SIDE, f"{name} at 1,heaven wounds 0 aside - special kesa plan -") for name in NAMES),
)


def parse(said: str) -> State:
    (field, rounds), (phase, number), *sides = read_lines("kiriai", said, *_LINES)
    red, blue = (
        Side(int(space or 0), stance, int(wounds), aside, special, kind == "spent", secret)
        for space, stance, wounds, aside, kind, special, secret in sides
    )
    state = State(field, int(rounds), phase, int(number), (red, blue))
    if flaw := _flaw(state):
        line, reason = flaw
        raise BadNotation(f"kiriai: line {line} of the position: {reason}")
    same_text("kiriai", said, text(state))
    return state


def _flaw(state: State) -> tuple[int, str] | None:
    """Return the first impossible line and the reason; None if the position is valid."""
    if state.field not in SPACES or state.rounds not in LIMITS:
        return 1, "no such field or number of rounds"
    phase, (red, blue) = state.phase, state.sides
    if phase not in PHASES or (phase in ("start", "unveil") and state.field == "standard"):
        return 2, f"there is no phase {phase} on the {state.field} field"
    if not (state.round == 0 if phase in UNPLACED else 1 <= state.round <= state.rounds):
        return 2, f"phase {phase} cannot be in round {state.round} of {state.rounds}"
    for seat in (0, 1):
        if reason := _flaw_of_side(state, seat) or _flaw_of_secret(state, seat):
            return 3 + seat, reason
    if red.space > blue.space:
        return 4, "samurai never pass each other"
    if red.special == blue.special in SPECIALS:
        return 4, f"there is one {red.special}"
    chosen = (red.secret != "") + (blue.secret != "")
    if chosen not in _CHOSEN[phase]:
        return 4, f"this many choices wait in phase {phase}: {chosen}"
    most = max(red.wounds, blue.wounds)
    if red.wounds + blue.wounds == 2 * DEFEAT:
        return 4, "only one samurai can fall"
    is_time_up = phase == "over" and state.round == state.rounds
    if (most == DEFEAT) != (phase == "over") and not is_time_up:
        return 4, f"phase {phase} does not go with these wounds"
    return None


_CHOSEN: Final = {
    "deal": (0,),
    "start": (0, 1),
    "unveil": (2,),
    "plan": (0, 1),
    "first": (2,),
    "second": (2,),
    "over": (0,),
}


def _flaw_of_side(state: State, seat: int) -> str:
    """Return what is wrong with a side, apart from its secret; empty if nothing."""
    side = state.sides[seat]
    if side.special not in ("", HOLE, *SPECIALS):
        return f"{side.special} is no special card"
    if not (side.special or state.phase == "deal"):
        return "the special card is missing"
    if state.phase == "deal" and seat == 1 and side.special:
        return "blue's special is dealt last"
    if state.phase in UNPLACED:
        unplaced = Side(0, "", 0, "", side.special, False, side.secret)
        return "" if side == unplaced else "nothing has happened to this samurai yet"
    if not 1 <= side.space <= SPACES[state.field] or side.stance not in (HEAVEN, EARTH):
        return "a samurai stands on a space of the field, in heaven or earth"
    if not 0 <= side.wounds <= DEFEAT:
        return "a samurai has at most two wounds"
    if side.spent and side.special == HOLE:
        return "a special that is spent has been seen"
    if side.aside not in ("", *BASIC) or (side.aside and state.round == 1):
        return f"{side.aside} cannot be set aside in round {state.round}"
    if not side.aside and state.round > 1 and not side.spent:
        return "a card is set aside, unless a special was played second"
    return ""


def _flaw_of_secret(state: State, seat: int) -> str:
    """Return what is wrong with a side's start or plan; empty if nothing."""
    side, phase = state.sides[seat], state.phase
    if not side.secret:
        return ""
    is_hidden = side.secret.endswith(HOLE)
    if is_hidden != (side.special == HOLE) and not side.spent:
        return "a view shows a seat's special and choice, or neither, until the special is spent"
    if phase in UNPLACED:
        return "" if side.secret in (SECRET, *STARTS[seat]) else f"no start: {side.secret}"
    return "" if _is_plan(side, phase) else f"{side.secret} is no plan of this hand"


def _is_plan(side: Side, phase: str) -> bool:
    """Return whether the pending plan can belong to this hand, as far as it is shown."""
    if side.secret == SECRET:
        return phase != "second"
    first, _, second = side.secret.partition(",")
    is_spent_now = phase == "second" and first in SPECIALS
    if is_spent_now and not side.spent:
        return False
    hand = "" if side.spent and not is_spent_now else side.special
    if second == HOLE:
        wholes = [plan for plan in plans(side.aside, hand) if plan.startswith(f"{first},")]
        return phase == "second" and wholes != []
    return side.secret in plans(side.aside, hand)


# --- Bytes ------------------------------------------------------------------------------------


def pack(state: State) -> Packed:
    """Return (field, rounds, phase, round, red, blue), the sides as in `Side`."""
    red, blue = (
        (s.space, s.stance, s.wounds, s.aside, s.special, int(s.spent), s.secret)
        for s in state.sides
    )
    return (state.field, state.rounds, state.phase, state.round, red, blue)


def unpack(packed: Packed) -> State:
    """Return the position from its packed form."""
    match packed:
        case (str(field), int(rounds), str(phase), int(number), tuple(red), tuple(blue)):
            state = State(field, rounds, phase, number, (_unpack_side(red), _unpack_side(blue)))
            if _flaw(state) is None and pack(state) == packed:
                return state
    raise BadData("no packed position of kiriai")


def _unpack_side(packed: tuple[Packed, ...]) -> Side:
    match packed:
        case (
            int(space),
            str(stance),
            int(wounds),
            str(aside),
            str(special),
            (0 | 1) as spent,
            str(secret),
        ):
            return Side(space, stance, wounds, aside, special, spent == 1, secret)
    raise BadData("no packed side of kiriai")
