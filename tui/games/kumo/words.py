"""Kumo Hogosha in words: descriptions of steps, their purposes, and who can move the stone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from kumite.core.game import Actor, Seat, Step
from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kumo.legality import Case, allows, due, heading
from kumite.core.games.kumo.rules import State
from kumite.core.games.kumo.state import (
    ALL,
    CAMPS,
    DIRECTIONS,
    FREE,
    KUMOTORI,
    LINES,
    NEAR,
    PIECES,
    PINNED,
    PRISON,
    ROWS,
    SIZE,
    SQUARES,
    STANCES,
    STONE,
    UPPER,
    in_ring,
    is_over,
    own_edges,
    parse_step,
)
from kumite.core.players import named
from kumite.core.text import listed
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.lines import Line, Names, Span, plain
from kumite.tui.scenes.model import Bar, Pick, Tally
from kumite.tui.scenes.sentences import counted, joined, on, reasons

HINT: Final = 70  # columns of a preview
LABELS: Final = {
    "cw": "turn arena right",
    "ccw": "turn arena left",
    "free": "free a prisoner",
    "done": "end the turn",
    "push": "push the stone",
    "pull": "pull the stone",
    "x": "into your prison",
    **{f"={stance}": stance for stance in STANCES},
}
MORE: Final = "one action more"
OFFERED_FIRST: Final = ("push", "=kumo")
DOES: Final = {
    "run": "goes two free spaces, also round a corner",
    "jump": "leaps straight over a row of others",
    "grab": "moves a neighbour by one space",
    "throw": "throws a neighbour to another side",
    "block": "climbs onto a neighbouring foe and pins it",
    "kumo": "with another one pushes or pulls the stone",
}
CALLED: Final = ("runner", "jumper", "grabber", "thrower", "blocker", "kumo")  # by stance

# --- What can be chosen ------------------------------------------------------------------------


def sprite(part: str) -> str:
    return f"kumo-{part[1:]}" if part[1:] in STANCES else ""


def pick(view: State, seat: Seat, chosen: tuple[str, ...], part: str) -> Pick:
    if part not in SQUARES:
        return Pick(f"choose {part}")
    square = SQUARES.index(part)
    byte = view.arena[square]
    if byte == STONE:
        return Pick("choose the stone")
    if not PIECES[byte]:
        if not chosen:
            return Pick("place a Kumotori here", following="stances")
        return Pick("choose this square")
    side, stance = PIECES[byte][-1]
    whose = "this" if not chosen else "your" if side == seat & 1 else "their"
    following = "" if chosen else "stances"
    return Pick(f"choose {whose} {CALLED[stance]}", CALLED[stance], following)


def order(view: State, seat: Seat, step: Step) -> str:
    return deed(view, step, YOU) + _carried(view, step, kumo.apply(view, seat, step))


def step_name(step: Step) -> str:
    """Return the name of a step for use in a sentence: `turning left`, `e8 as a runner`."""
    kind, args = parse_step(step)
    match kind, args:
        case "cw" | "ccw", _:
            return f"turning {'right' if kind == 'cw' else 'left'}"
        case "free" | "done", _:
            return "freeing one" if kind == "free" else "ending the turn"
        case "place", (square, stance):
            return f"a {CALLED[stance]} on {SQUARES[square]}"
        case "change", (square, stance):
            return f"{SQUARES[square]} as a {CALLED[stance]}"
        case "grab" | "throw", (taker, piece, goal):
            where = "into prison" if goal == PRISON else f"to {SQUARES[goal]}"
            does = "throwing" if kind == "throw" else "grabbing"
            return f"{SQUARES[taker]} {does} {SQUARES[piece]} {where}"
    one, other = map(SQUARES.__getitem__, args)
    said = {
        "walk": f"{one} to {other}",
        "run": f"{one} running to {other}",
        "jump": f"{one} jumping to {other}",
        "block": f"{one} pinning {other}",
        "off": f"{one} down to {other}",
    }
    return said.get(kind, f"{one} and {other} {kind}ing the stone")


def preview(view: State, seat: Seat, step: Step, look: Look) -> Line:
    after = kumo.apply(view, seat, step)
    line: list[Span] = [(order(view, seat, step), "")]
    kind, args = parse_step(step)
    found = [*news(view, step, after, seat & 1)]
    if kind in ("place", "change"):
        found.append((DOES[STANCES[args[1]]], "quiet"))
    for one in found:
        # The most urgent news come first; the rest is visible on the arena.
        if len(plain((*line, one))) + 2 <= HINT:
            line += [("  ", ""), one]
    return tuple(line)


# --- What a step is good for -------------------------------------------------------------------


def why_good(view: State, seat: Seat, step: Step) -> str:
    after, side = kumo.apply(view, seat, step), seat & 1
    if end := kumo.outcome(after):
        return "it pushes the stone out and wins" if seat in end.winners else "it ends the match"
    said = []
    if sum(after.prisons) > sum(view.prisons):
        said.append(f"it imprisons side {1 - side}'s {_one(view, parse_step(step)[1][1])}")
    changes = news(view, step, after, side, f"side {side}", f"side {1 - side}")
    said += [_gained(text) for text, role in changes if role == "gain"]
    if not said:
        turns = {"cw": "ccw", "ccw": "cw"}
        other = kumo.apply(view, seat, Step(turns[step])) if step in turns else view
        said = list(islice(_caught(other, after, side), 1))
        said += islice(_purpose(view, step, after, side), 1 - len(said))
        if not said or not said[0].startswith("after a turn"):
            said += islice(_nearer(view, after, side), 1)
    return reasons(said) or _stand(view, after, side)


def why_bad(view: State, seat: Seat, step: Step, better: Step) -> str:
    here, best = (kumo.apply(view, seat, one) for one in (step, better))
    if kumo.outcome(here) or kumo.outcome(best):
        return "ends the match" if kumo.outcome(here) else ""
    side, foe = seat & 1, 1 - (seat & 1)
    now, most = _needs(here, foe), _needs(best, foe)
    if now < most and now <= REACH:
        return f"lets side {foe} push the stone out in about {counted(now, 'action')}"
    now, least = _needs(here, side), _needs(best, side)
    if now > least and least <= REACH:
        lost = counted(now - least, "action")
        return f"costs side {side} about {lost} on the way to pushing the stone out"
    return ""


def _gained(text: str) -> str:
    if text == MORE:
        return f"it brings {text}"
    if text.startswith("stops "):
        return re.sub(r"stops (side \d)'s (\w+)", r"\1 can no longer \2 the stone", text)
    verb = "push" if "can push" in text else "pull"
    return text.removeprefix("then ").replace(f"can {verb}", f"can then {verb} the stone")


REACH: Final = 19  # actions; who needs more is far from a push out


def _nearer(view: State, after: State, side: int) -> Iterator[str]:
    """Yield which side is now nearer to a push out, or farther from one."""
    foe = 1 - side
    was, now = _needs(view, side), _needs(after, side)
    if now < was and now <= REACH:
        instead = f" instead of {was}" * (was <= REACH)
        yield f"side {side} can then push the stone out in about {counted(now, 'action')}{instead}"
    was, now = _needs(view, foe), _needs(after, foe)
    if now > was and was <= REACH:
        more = counted(now - was, "more action")
        yield f"side {foe} will then need about {more} to push the stone out"


def _stand(view: State, after: State, side: int) -> str:
    """Return the gain of an early turn, or which side is nearer to a push out, as before."""
    if after.turn == view.turn and view.must_turn and not after.must_turn:
        return f"otherwise seat {view.seat}'s last action would have to turn the arena"
    mine, theirs = _needs(after, side), _needs(after, 1 - side)
    soon = counted(min(mine, theirs), "action")
    if theirs < mine:
        return f"side {1 - side} will still need about {soon} to push the stone out"
    return f"side {side} can still push the stone out in about {soon}"


def _needs(state: State, side: int) -> int:
    # late: tables without hints do not need the bots
    from kumite.core.games.kumo.bot.kernel import place_of
    from kumite.core.games.kumo.bot.value import actions_to_push_out

    return actions_to_push_out(place_of(state), side)


def _purpose(view: State, step: Step, after: State, side: int) -> Iterator[str]:
    kind, args = parse_step(step)
    match kind:
        case "cw" | "ccw":
            yield from _carries(view, after, side)
            yield from _turning(view, kind, after)
        case "push" | "pull":
            yield from _carries(view, after, side)
            yield f"the stone goes {_shove(view, kind, args[0])}"
        case "free":
            yield f"seat {view.seat} can then place it again"
        case "block":
            yield f"side {1 - side}'s {_one(view, args[1])} cannot act in the next turn"
        case "off":
            yield f"the {_one(view, args[0])} can act again"
        case "grab" | "throw":
            yield from _gripped(view, kind, args, side)
        case "place" | "change":
            square, stance = args
            yield from _shown(after, square, STANCES[stance], side)
            yield from _goes(view, after, square, STANCES[stance])
            if kind == "place":
                far = counted(_away(after.stone, square), "space")
                yield f"it brings one more Kumotori onto the arena, {far} from the stone"
            yield f"it then {DOES[STANCES[stance]]}"
        case "walk" | "run" | "jump":
            yield from _gone(view, after, args[0], args[-1], side)


def _carries(view: State, after: State, side: int) -> Iterator[str]:
    """Yield to which edge the stone is nearer now, or from which it is farther."""
    foe = 1 - side
    was, now = (_to_edge(state, foe) for state in (view, after))
    if now < was:
        far = f"{counted(now, 'space')} from" if now else "at"
        yield f"the stone is then on {SQUARES[after.stone]}, {far} side {foe}'s edge"
    elif _to_edge(after, side) > _to_edge(view, side):
        yield f"the stone is then farther from side {side}'s edge, on {SQUARES[after.stone]}"


def _to_edge(state: State, side: int) -> int:
    """Return the free or taken spaces between the stone and the nearest edge of a side."""
    return min(len(LINES[state.stone][edge]) for edge in own_edges(len(state.boards), side))


def _turning(view: State, kind: str, after: State) -> Iterator[str]:
    """Yield what turning the arena gains over the other direction."""
    other = kumo.apply(view, kumo.actors(view)[0], Step("ccw" if kind == "cw" else "cw"))
    if not kumo.outcome(other):
        side = view.seat & 1
        mine, theirs = (_needs(after, one) - _needs(other, one) for one in (side, 1 - side))
        if mine < 0 or theirs > 0:
            who, by = (side, -mine) if mine < 0 else (1 - side, theirs)
            change = counted(by, f"{'more' if mine < 0 else 'fewer'} action")
            way = "left" if kind == "cw" else "right"
            yield f"after a turn {way}, side {who} would need {change} to push the stone out"
    row = ROWS[CAMPS[len(view.boards)][view.seat]]
    freed = after.arena[row].count(FREE) - view.arena[row].count(FREE)
    if freed > 0 and view.boards[view.seat]:
        where = f"{counted(freed, 'space')} of seat {view.seat}'s closest row"
        yield f"it frees {where} for the next Kumotori"


def _caught(other: State, after: State, side: int) -> Iterator[str]:
    """Yield whom a side can imprison, and who could be imprisoned without the step."""
    for taker, foe, here, there in ((side, 1 - side, after, other), (1 - side, side, other, after)):
        known = [there.arena[one] for one in _catches(there, taker)]
        for one in _catches(here, taker):
            if here.arena[one] not in known:
                whom = f"imprison side {foe}'s {_one(here, one)}"
                if taker == side:
                    yield f"side {side} can then {whom}"
                else:  # without the square: the arena may have been turned otherwise
                    yield f"otherwise side {taker} could {whom.rpartition(' ')[0]}"


GRIPS: Final = ("grab", "throw")


def _catches(state: State, side: int) -> list[int]:
    """Return the foes that a side could imprison with one action."""
    case = Case(len(state.boards), side)
    own = (one for one in ALL if UPPER[state.arena[one]] == side)
    ways = ((kind, (taker, foe, PRISON)) for taker in own for foe in NEAR[taker] for kind in GRIPS)
    return [args[1] for kind, args in ways if allows(state.arena, case, kind, args)]


def _gripped(view: State, kind: str, args: tuple[int, ...], side: int) -> Iterator[str]:
    _, piece, goal = args
    if goal == PRISON:
        return
    was, now = _away(view.stone, piece), _away(view.stone, goal)
    if UPPER[view.arena[piece]] == side:
        if now < was:
            yield f"it brings its friend {_near(now)}"
    elif now > was:
        yield f"it takes side {1 - side}'s {_one(view, piece)} away from the stone"
    else:
        yield f"side {1 - side}'s {_one(view, piece)} has to leave"


def _away(one: int, two: int) -> int:
    return abs(one // SIZE - two // SIZE) + abs(one % SIZE - two % SIZE)


def _near(spaces: int) -> str:
    return "beside the stone" if spaces == 1 else f"within {spaces} spaces of the stone"


def _shown(after: State, square: int, stance: str, side: int) -> Iterator[str]:
    """Yield what a Kumotori can do at once in its stance."""
    beside = [near for near in NEAR[square] if UPPER[after.arena[near]] < 2]
    foes = [near for near in beside if UPPER[after.arena[near]] != side]
    match stance:
        case "kumo":
            friends = (near for near in beside if near not in foes)
            if pair := [near for near in friends if _one(after, near).startswith(stance)]:
                yield f"it makes a pair with the kumo on {SQUARES[pair[0]]}"
            elif _away(after.stone, square) == 1:
                yield "it is beside the stone and can lead a push or a pull"
            else:
                yield "moving the stone takes two kumo, and it is one of them"
        case "grab" | "throw" if beside:
            whose = f"side {1 - side}'s" if foes else "its friend, the"
            yield f"it can {stance} {whose} {_one(after, (foes or beside)[0])}"
        case "block":
            loose = (one for one in foes if not is_pinned(after.arena[one]))
            for foe in (one for one in loose if not in_ring(one, after.stone)):
                yield f"it can pin side {1 - side}'s {_one(after, foe)}"
    others = [one for one in ALL if UPPER[after.arena[one]] == 1 - side]
    if stance in GRIPS and others:
        foe = min(others, key=lambda one: _away(square, one))
        yield f"it can {stance} side {1 - side}'s {_one(after, foe)} once that is beside it"


def _goes(view: State, after: State, square: int, stance: str) -> Iterator[str]:
    """Yield where a runner or jumper can go next."""
    if stance not in ("run", "jump") or after.turn != view.turn:
        return
    start = f"{stance}:{SQUARES[square]}-"
    steps = (one for one in kumo.legal(after, Seat(view.seat)) if one.startswith(start))
    goals = [parse_step(one)[1][-1] for one in steps]
    goal = min(goals, key=lambda one: _away(after.stone, one), default=square)
    if goal != square:
        yield f"it can {stance} to {SQUARES[goal]}, {_near(_away(after.stone, goal))}"


def _gone(view: State, after: State, square: int, goal: int, side: int) -> Iterator[str]:
    was, now = _away(view.stone, square), _away(after.stone, goal)
    if now < was:
        yield f"it comes {_near(now)}{f' instead of {was}' * (now > 1)}"
    edges = own_edges(len(view.boards), side)
    for edge in edges:
        if goal in LINES[after.stone][edge]:
            yield f"it blocks the stone's way to side {side}'s edge"
    if any(not LINES[square][edge] for edge in edges) and view.boards[view.seat]:
        yield f"it makes room on {SQUARES[square]} for the next Kumotori"


# --- What a step did ---------------------------------------------------------------------------


def narrate(before: State, actor: Actor, step: Step, after: State, names: Names) -> str:
    seat = int(actor)
    foe = f"{names[1 - seat]}'s" if len(names) == 2 else "the foe's"
    said = deed(before, step, Voice(names[seat], "s", f"{names[seat]}'s", foe))
    said += _carried(before, step, after)
    if step == "free" and len(names) == 4:
        other = next(s for s, n in enumerate(after.boards) if n > before.boards[s])
        said += f" to the board of {names[other]}"
    if end := kumo.outcome(after):
        if not end.winners:
            return f"{said}; the match is drawn"
        kind, (leader, *_) = parse_step(step)
        edge = heading(kind, before.stone, leader)
        camp = f"{names[CAMPS[len(names)].index(edge)]}'s camp"
        said = f"{said.removesuffix(' out')} into {camp}"
    return said


# --- How the match stands ----------------------------------------------------------------------

_SIDES: Final = (0, 1)


def position(view: State, names: Names, you: Seat | None) -> Iterator[str]:
    stone = f"the stone is on {SQUARES[view.stone]}" if view.stone >= 0 else "the stone is out"
    yield f"Turn {view.turn} of {view.limit}; {stone}."
    for seat, name in enumerate(names):
        camp = DIRECTIONS[CAMPS[len(names)][seat]]
        waiting = counted(view.boards[seat], "Kumotori", "Kumotori")
        yield f"{name}: camp in the {camp}; {waiting} waiting."
    for side in _SIDES:
        whose = listed(names[side::2])
        held = counted(view.prisons[side], "prisoner")
        can = named(", ".join(sorted(ways(view, side))), names)
        yield f"On the arena for {whose}: " + joined(
            (*_standing(view, side), held, f"can move the stone: {can}" if can else "")
        )
    yield from _duties(view)


def things(view: State) -> dict[str, str]:
    return {name: DOES[stance] for name, stance in zip(CALLED, STANCES, strict=True)}


def _standing(view: State, side: int) -> Iterator[str]:
    """Yield the squares of a side's Kumotori by stance, with pinned ones listed separately."""
    found: dict[str, list[str]] = {}
    for square, byte in enumerate(view.arena):
        for depth, (owner, stance) in enumerate(PIECES[byte]):
            if owner != side:
                continue
            is_pinned = len(PIECES[byte]) == 2 and depth == 0
            kind = f"pinned {CALLED[stance]}" if is_pinned else CALLED[stance]
            found.setdefault(kind, []).append(SQUARES[square])
    order = [*CALLED, *(f"pinned {name}" for name in CALLED)]
    for kind in order:
        yield on(kind, found.get(kind, ()))


def _duties(view: State) -> Iterator[str]:
    if is_over(view):
        return
    if due(view):
        yield "Blockers that stand on a foe must climb down first."
        return
    owed, most = max(0, view.least - view.used), view.most() - view.used
    turning = "or the mate must turn the arena"
    if view.turned[view.seat & 1]:
        turning = "the arena has been turned"
    elif view.must_turn:
        turning = "the arena must be turned (cw or ccw)"
    yield f"Left in this turn: {counted(owed, 'action')}, at most {most}; {turning}."


def tallies(view: State) -> tuple[Tally, ...]:
    """Return the prisoners of each side, which do not count as a lead."""
    seats = len(view.boards)
    return tuple(
        Tally(
            tuple(range(side, seats, 2)),
            "",
            (Bar("prisoners", held, KUMOTORI, RESERVE, 1 - side),),
            0,
            course=_way_home(view, side),
        )
        for side, held in enumerate(view.prisons)
    )


RESERVE: Final = "kumo-block"  # off the arena: the broadest, so that they are easy to count
COURSE: Final = "steps of the stone to each camp"


def _way_home(view: State, side: int) -> int:
    """Return how many steps the stone is from a side's nearest camp; 0: it lies there."""
    if view.stone < 0:
        end = kumo.outcome(view)
        return SIZE + 1 if end and side in end.winners else 0
    camps = CAMPS[len(view.boards)][side::2]
    return 1 + min(len(LINES[view.stone][camp]) for camp in camps)


REASONS: Final = {
    "stone": "the stone went over the edge, into the camp of the foe",
    "limit": "the last turn has ended, and the stone is still on the arena",
}


# --- Shared ------------------------------------------------------------------------------------


def _carried(before: State, step: Step, after: State) -> str:
    is_carried = step in ("cw", "ccw") and after.stone != before.stone
    return f"; stone to {SQUARES[after.stone]}" if is_carried else ""


def movers(view: State, side: int) -> Iterator[tuple[str, int, int]]:
    """Yield kind, leader and partner of all pushes and pulls of a side, as if it had the turn."""
    stone = view.stone
    case = Case(len(view.boards), side, stone)
    for leader in NEAR[stone] if stone >= 0 else ():
        for partner in NEAR[leader]:
            for kind in ("push", "pull"):
                if allows(view.arena, case, kind, (leader, partner)):
                    yield kind, leader, partner


def way_of(view: State, kind: str, leader: int) -> tuple[int, bool]:
    """Return the direction of the stone, and whether it leaves the arena."""
    direction = heading(kind, view.stone, leader)
    return direction, not LINES[view.stone][direction]


def ways(view: State, side: int) -> set[str]:
    """Return how a side can move the stone: `push out`, `push towards seat 1`, `pull sideways`.

    Not by points of the compass: a board may be turned round.
    """
    found, camps = set(), CAMPS[len(view.boards)]
    for kind, leader, _ in movers(view, side):
        direction, is_out = way_of(view, kind, leader)
        is_camp = direction in camps
        where = f"towards seat {camps.index(direction)}" if is_camp else "sideways"
        found.add(f"{kind} {'out' if is_out else where}")
    return found


def news(
    view: State, step: Step, after: State, side: int, who: str = "you", foe: str = "the foe"
) -> Iterator[Span]:
    """Yield the indirect effects of a step of `side`, most urgent first.

    `who` and `foe` are the names of both sides.
    """
    if end := kumo.outcome(after):
        yield ("you win", "gain") if end.winners else ("the match is drawn", "title")
        return
    if after.turn != view.turn:
        if step != "done":
            yield "ends the turn", "title"
    elif after.most() > view.most():
        yield MORE, "gain"
    if new := _useful(after, side) - _useful(view, side):
        yield f"then {who} can {_best(new)}", "gain"
    if new := _useful(after, 1 - side) - _useful(view, 1 - side):
        yield f"{foe} can {_best(new)}", "loss"
    elif (old := _useful(view, 1 - side)) and not _useful(after, 1 - side):
        yield f"stops {foe}'s {_best(old).split()[0]}", "gain"


def _useful(view: State, side: int) -> set[str]:
    """Return the ways of a side but those towards its own camps, which harm it."""
    own = {str(seat) for seat in range(side, len(view.boards), 2)}
    return {way for way in ways(view, side) if way.rpartition(" ")[2] not in own}


def _best(found: set[str]) -> str:
    pushes = {way for way in found if way.startswith("push")}
    return "push out" if "push out" in found else " or ".join(sorted(pushes or found))


@dataclass(frozen=True, slots=True)
class Voice:
    """The voice of a sentence: addressed to the player to move, or about the one who moved."""

    who: str  # empty for an instruction
    ending: str  # of the verb after `who`
    own: str
    foe: str

    def does(self, verb: str) -> str:
        return f"{self.who} {verb}{self.ending}".lstrip()


YOU: Final = Voice("", "", "your", "the foe's")


def deed(view: State, step: Step, voice: Voice) -> str:
    kind, args = parse_step(step)
    match kind, args:
        case "cw" | "ccw", _:
            way = "right" if kind == "cw" else "left"
            return f"{voice.does('turn')} the arena {way}"
        case "place", (square, stance):
            where = SQUARES[square]
            return f"{voice.does('place')} a {CALLED[stance]} on {where}"
        case "free", _:
            return f"{voice.does('free')} a Kumotori from prison"
        case "done", _:
            return f"{voice.does('end')} the turn"
    actor, square, goal = f"{voice.own} {_one(view, args[0])}", args[0], args[-1]
    match kind:
        case "change":
            return f"{actor} becomes a {CALLED[goal]}"
        case "walk" | "run":
            return f"{actor} {kind}s to {SQUARES[goal]}"
        case "jump":
            over = max(abs(goal // SIZE - square // SIZE), abs(goal % SIZE - square % SIZE)) - 1
            return f"{actor} jumps over {over} to {SQUARES[goal]}"
        case "block":
            return f"{actor} climbs onto {voice.foe} {_one(view, goal)} and pins it"
        case "off":
            return f"{actor} climbs down to {SQUARES[goal]}{_loose(view, square)}"
        case "grab" | "throw":
            return f"{actor} {_grip(view, kind, args, voice.foe)}"
    return f"{actor} and {SQUARES[goal]} {kind} the stone {_shove(view, kind, square)}"


def _one(view: State, square: int) -> str:
    return f"{CALLED[PIECES[view.arena[square]][-1][1]]} {SQUARES[square]}"


def _loose(view: State, square: int) -> str:
    """Return which Kumotori is freed once the blocker has left this square."""
    byte = view.arena[square]
    return f"; the {CALLED[PIECES[byte][0][1]]} is loose" if is_pinned(byte) else ""


def is_pinned(byte: int) -> bool:
    return PINNED < byte < STONE


def _grip(view: State, kind: str, args: tuple[int, ...], foe: str) -> str:
    taker, piece, goal = args
    is_friend = UPPER[view.arena[piece]] == UPPER[view.arena[taker]]
    whom = f"{'its friend' if is_friend else foe} {_one(view, piece)}"
    if goal == PRISON:
        return f"{kind}s {whom} into prison{_loose(view, piece)}"
    verb = "throws" if kind == "throw" else "moves"
    return f"{verb} {whom} to {SQUARES[goal]}{_loose(view, piece)}"


def _shove(view: State, kind: str, leader: int) -> str:
    """Return where a push or pull moves the stone."""
    direction, is_out = way_of(view, kind, leader)
    return "out" if is_out else f"to {SQUARES[LINES[view.stone][direction][0]]}"
