"""Kiri-ai in words: descriptions of plans and of the position."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Set
from itertools import product
from typing import Final, NamedTuple

from kumite.core.game import CHANCE, HOLE, Actor, Seat, Step
from kumite.core.games.kiriai.action import (
    ATTACKS,
    BASIC,
    CARD,
    FACES,
    RANK,
    SPECIALS,
    STANCE_AFTER,
    action,
)
from kumite.core.games.kiriai.state import (
    DEFEAT,
    NAMES,
    SECRET,
    SPACES,
    STARTS,
    UNPLACED,
    Side,
    State,
)
from kumite.core.text import listed
from kumite.tui.games.kiriai.picture import (
    HIT,
    LETTERS,
    MET,
    TURNED_BACK,
    WAITS,
    brief,
    called,
    came_of,
    distance_of,
    places,
)
from kumite.tui.look.glyphs import LOOKS, Look
from kumite.tui.scenes.lines import Line, Names, line_width
from kumite.tui.scenes.model import Bar, Pick, Tally
from kumite.tui.scenes.sentences import joined

# --- What can be chosen ------------------------------------------------------------------------

_MOVES: Final = {
    "approach": "one space forward",
    "retreat": "one space back",
    "charge": "up to two spaces forward",
    "stance": "Heaven becomes Earth, Earth Heaven",
    "counter": "a blow that would hit you hits the attacker",
}


def label(part: str, look: Look) -> str:
    if part in ATTACKS:
        stances, _ = ATTACKS[part]
        after = f", then {called(STANCE_AFTER[part])}" if part in STANCE_AFTER else ""
        where = f"in {called(stances[0], look)}" if len(stances) == 1 else "in either stance"
        return f"{called(part, look)}: strikes at distance {_distances(part)}, {where}{after}"
    if part in _MOVES:
        return f"{called(part, look)}: {_MOVES[part]}"
    return f"in {called(part, look)}" if part in LETTERS else f"on space {part}"


def _distances(face: str) -> str:
    return " or ".join(map(str, ATTACKS[face][1]))


def pick(view: State, seat: Seat, chosen: tuple[str, ...], part: str) -> Pick:
    if view.phase == "start":
        return Pick(f"begin on space {part}" if part.isdigit() else f"begin in {called(part)}")
    return Pick(f"play {called(part)} first{' (special: works once)' * (part in SPECIALS)}")


def order(view: State, seat: Seat, step: Step) -> str:
    return f"{'begin on ' * (view.phase == 'start')}{step_name(step)}"


def step_name(step: Step) -> str:
    """Return the name of a plan or a start: `Stance, then Low Strike`, `space 3 in Earth`."""
    one, _, two = step.partition(",")
    return f"space {start_name(step)}" if one.isdigit() else f"{called(one)}, then {called(two)}"


ROOM: Final = 76  # columns of a preview in the smallest window with room for everything


def preview(view: State, seat: Seat, step: Step, look: Look) -> Line:
    """Describe the effect of a plan on an opponent who waits, or the distances after a start."""
    if view.phase == "start":
        own = int(step.partition(",")[0])
        ways = sorted(abs(int(begin) - own) for begin in spaces_to_start(1 - seat))
        return (
            (order(view, seat, step), "title"),
            (f"   the other will be {ways[0]} to {ways[-1]} away", ""),
        )
    full = _foreseen(view, seat, step, called)
    return full if line_width(full) <= ROOM else _foreseen(view, seat, step, brief)


def spaces_to_start(seat: int) -> list[str]:
    return sorted({begin[0] for begin in STARTS[seat]})


def _foreseen(view: State, seat: Seat, step: Step, name: Callable[[str], str]) -> Line:
    line: list[tuple[str, str]] = [("if they wait: ", "quiet")]
    was, stance = view.sides[seat].space, view.sides[seat].stance
    distance = view.sides[1].space - view.sides[0].space
    for face, _, now in _duel(view, seat, step, WAITING):
        line += [(", then ", "quiet")] * (len(line) > 1) + [(f"{name(face)} ", "title")]
        needs = what_is_missing(face, stance, distance)
        if now.wounded >= 0:
            line.append(("hits and wins" if now.is_last else "hits", "gain"))
        elif face in ATTACKS:
            where = "at " if needs[0].isdigit() else ""
            line.append((f"misses: {where}{needs.replace(' or ', '/')} only", ""))
        elif face == "counter":
            line.append(("awaits a blow", ""))
        elif face == "stance":
            line.append((f"to {called(now.stances[seat])}", ""))
        else:
            space = now.spaces[seat]
            line.append(("has no room" if space == was else f"to {space}", ""))
        first, _, second = step.partition(",")
        if now.is_last and face == first:
            line.append((f", {name(second)} stays face down", "quiet"))
        was, stance, distance = now.spaces[seat], now.stances[seat], now.distance
    return tuple(line)


def what_is_missing(face: str, stance: str, distance: int) -> str:
    """Return what a blow needs in order to hit: the right distance, else the right stance."""
    if face not in ATTACKS:
        return ""
    stances, distances = ATTACKS[face]
    if distance not in distances:
        return _distances(face)
    return "" if stance in stances else called(stances[0])


def why_missed(face: str, stance: str, distance: int) -> str:
    """Return where a blow was struck and what it needs; "" if it could have hit."""
    needs = what_is_missing(face, stance, distance)
    if needs[:1].isdigit():
        return f"at distance {distance} (strikes at {needs} only)"
    return f"in {called(stance)} (needs {needs})" if needs else ""


# --- What a step is good for -------------------------------------------------------------------

_GOES: Final = {"approach": "approaches", "charge": "charges", "retreat": "retreats"}
MOST_SAID: Final = 2  # clauses, or cards in one


def why_good(view: State, seat: Seat, step: Step) -> str:
    other = 1 - seat
    if view.phase == "start":
        ready = " or ".join(map(called, _ready(step.partition(",")[2], {0, 1, 2})))
        return f"it begins ready for {ready}, and seat {other} cannot foresee it"
    _, perils, punished = _met(view, seat, step)
    said = _catches(view, seat, step)
    if punished and len(said) < MOST_SAID:
        said.append(f"Counterattack turns {_some(punished)} back on seat {other}")
    if not perils:
        said = said[:1] or [_stands(view, seat, step)]
        said.append(f"no card of seat {other}'s can hit seat {seat}")
    elif not said:
        return _stands(view, seat, step)
    elif len(perils) <= MOST_SAID:
        said.append(f"only seat {other}'s {_some(perils)} can hit seat {seat}")
    return "; ".join(said[:MOST_SAID])


def why_bad(view: State, seat: Seat, step: Step, better: Step) -> str:
    if view.phase == "start":
        return ""
    other, (hits, perils, _) = 1 - seat, _met(view, seat, step)
    most, least, _ = _met(view, seat, better)
    new = perils - least
    stuck = [] if _stuck(view, seat, better) else _stuck(view, seat, step)
    said = [f"has no room to {face}" for face in stuck[:1]]
    said += [f"cannot hit seat {other}"] * (not hits and bool(most))
    if new and len(new) <= MOST_SAID:
        said.append(f"can be hit by seat {other}'s {_some(new)}")
    if not said and _hits(view, seat, better, WAITING) and not _hits(view, seat, step, WAITING):
        said.append(f"misses if seat {other} waits")
    last = step.partition(",")[2]
    if not said and last not in SPECIALS and CARD[last] != CARD[better.partition(",")[2]]:
        card = " and ".join(map(called, CARD[last].split("|")))
        said.append(f"leaves seat {seat} without {card} in the next round")
    return " and ".join(said)


def _stuck(view: State, seat: Seat, step: Step) -> list[str]:
    """Return the moves of a plan for which there is no room if the opponent waits."""
    met, was = [*_duel(view, seat, step, WAITING)], view.sides[seat].space
    spaces = [was, *(now.spaces[seat] for *_, now in met)]
    return [
        face
        for (face, _, now), before in zip(met, spaces, strict=False)
        if face in _GOES and now.spaces[seat] == before
    ]


def _some(faces: set[str]) -> str:
    return " or ".join(sorted(map(called, faces)))


def _met(view: State, seat: Seat, step: Step) -> tuple[int, set[str], set[str]]:
    """Play a plan against every plan that the opponent may have.

    Return how many it hits, the cards that hit it, and those that its Counterattack turns back.
    """
    hits, perils, punished = 0, set[str](), set[str]()
    for theirs in _answers(view, 1 - seat):
        met = [*_duel(view, seat, step, theirs)]
        hits += any(now.wounded == 1 - seat for *_, now in met)
        perils |= {two for _, two, now in met if now.wounded == seat}
        punished |= {two for one, two, now in met if one == "counter" and now.wounded == 1 - seat}
    return hits, perils, punished


def _answers(view: State, other: int) -> Iterator[tuple[str, str]]:
    """Yield the opponent's possible plans, with every special that may be in hand."""
    side, own = view.sides[other], view.sides[1 - other].special
    if side.spent:
        held: tuple[str, ...] = ()
    elif side.special == HOLE:
        held = tuple(card for card in SPECIALS if card != own)
    else:
        held = (side.special,)
    hand = [face for face in FACES if CARD[face] in (*BASIC, *held) and CARD[face] != side.aside]
    for one, two in product(hand, hand):
        if CARD[one] != CARD[two] and not {one, two} <= set(SPECIALS):  # only one in a hand
            yield one, two


class _Played(NamedTuple):
    """What two cards have come to."""

    spaces: tuple[int, int]
    stances: tuple[str, str]
    wounded: int  # seat; -1: neither
    is_last: bool  # it is beaten

    @property
    def distance(self) -> int:
        return self.spaces[1] - self.spaces[0]


WAITING: Final = (WAITS, WAITS)


def _duel(
    view: State, seat: int, step: Step, theirs: tuple[str, str]
) -> Iterator[tuple[str, str, _Played]]:
    """Play a plan against another; yield each time the own card, the other, what they come to.

    After a defeat the second cards stay face down.
    """
    spaces, stances = places(view)
    for one, two in zip(step.split(","), theirs, strict=True):
        both = (two, one) if seat else (one, two)
        spaces, stances, wounded = action(spaces, stances, both, SPACES[view.field])
        is_last = wounded >= 0 and view.sides[wounded].wounds + 1 == DEFEAT
        yield one, two, _Played(spaces, stances, wounded, is_last)
        if is_last:
            break


def _catches(view: State, seat: Seat, step: Step) -> list[str]:
    """Return which blows hit an opponent who waits, or makes one move and does not strike."""
    other, aside = 1 - seat, view.sides[1 - seat].aside
    goes = [face for face in _GOES if CARD[face] != aside]
    waited = _hits(view, seat, step, WAITING)
    found = {waited: ["waits"]} if waited else {}
    is_early = waited.startswith(called(step.partition(",")[0]))
    for face in goes:
        ways = [_hits(view, seat, step, way) for way in ((face, WAITS), (WAITS, face))]
        is_same = is_early or ways[0] == ways[1]
        for at, hits in zip(("",) if is_same else (" first", " second"), ways, strict=False):
            if hits:
                found.setdefault(hits, []).append(f"{_GOES[face]}{at}")
    both = [way for way in _answers(view, other) if {*way} <= {*_GOES, "stance"}]
    if found.get(waited) == ["waits", *(_GOES[face] for face in goes)] and all(
        _hits(view, seat, step, way) for way in both
    ):
        return [f"{waited} if seat {other} waits or moves"]
    return [f"{hits} if seat {other} {listed(ways, ' or ')}" for hits, ways in found.items()]


def _hits(view: State, seat: Seat, step: Step, theirs: tuple[str, str]) -> str:
    """Return which blows hit: `Low Strike hits and wins`; "" if none does."""
    met = [(called(one), now) for one, _, now in _duel(view, seat, step, theirs)]
    hits = {one: now.is_last for one, now in met if now.wounded == 1 - seat}
    does = ("both hit", "both hit and win") if len(hits) > 1 else ("hits", "hits and wins")
    return f"{' and '.join(hits)} {does[any(hits.values())]}" if hits else ""


def _stands(view: State, seat: Seat, step: Step) -> str:
    """Return the distance after a plan if the opponent waits, and who can strike there."""
    *_, (_, _, now) = _duel(view, seat, step, WAITING)
    apart, left = now.distance, {CARD[step.partition(",")[2]]}
    own = view.sides[seat]
    special = {own.special} - {*step.split(",")} if not own.spent else set[str]()
    mine, theirs = (
        [blow for blow in _ready(now.stances[one], {apart}, held) if CARD[blow] not in gone]
        for one, held, gone in (
            (seat, special, left),
            (1 - seat, {face for way in _answers(view, 1 - seat) for face in way}, set[str]()),
        )
    )
    where = f"at distance {apart} if seat {1 - seat} waits"
    if mine:
        return f"it ends {where}, with {called(mine[0])} ready for the next round"
    if theirs:
        may = view.sides[1 - seat].special == HOLE and theirs[0] in SPECIALS
        return f"it ends {where}, where {called(theirs[0])} {'could reach' if may else 'reaches'}"
    blow = next((one for one in ATTACKS if one in BASIC and apart in ATTACKS[one][1]), "")
    if not blow:
        return f"it ends {where}, too far for every basic blow"
    needs = f"{called(blow)} needs {called(ATTACKS[blow][0][0])}"
    return f"it ends {where}, where nobody can strike: {needs}"


def _ready(stance: str, distances: set[int], held: Set[str] = frozenset()) -> list[str]:
    """Return the basic blows, and those held, that can strike in a stance at such a distance."""
    return [
        blow
        for blow, (stances, reach) in ATTACKS.items()
        if blow in {*BASIC, *held} and stance in stances and distances & set(reach)
    ]


# --- What a step did ---------------------------------------------------------------------------


def narrate(before: State, actor: Actor, step: Step, after: State, names: Names) -> str:
    if actor != CHANCE:
        return f"{names[int(actor)]} {_told_choice(before, step)}"
    kind, _, shown = step.partition(":")
    if kind in NAMES:
        return "each is dealt a special card" if kind == NAMES[1] else ""
    one, two = shown.split("/")
    if kind == "start":
        red, blue = (start_name(begin) for begin in (one, two))
        apart = f"distance {distance_of(after)}"
        return f"{names[0]} begins on {red}, {names[1]} on {blue}: {apart}"
    said = _told_cards(before, (one, two), after, names)
    if RANK.keys() & {one, two} - {"stance"}:
        said.append(f"distance {distance_of(after)}")
    return f"round {before.round}, {kind}: {'; '.join(said)}"


def _told_choice(before: State, step: Step) -> str:
    one, _, two = step.partition(",")
    if before.phase == "start":
        return (
            "chooses a start in secret" if step == SECRET else f"will begin on {start_name(step)}"
        )
    return "plans in secret" if step == SECRET else f"plans {called(one)}, then {called(two)}"


def _told_cards(before: State, faces: tuple[str, str], after: State, names: Names) -> list[str]:
    """Describe each card's effect: movement first, and a counter after the blow it meets."""
    came = came_of(before, faces, after)
    turned = [
        f", now in {called(after.sides[seat].stance)}" if faces[seat] in STANCE_AFTER else ""
        for seat in (0, 1)
    ]
    if came == (MET, MET):
        blows = [f"{names[seat]}'s {called(faces[seat])}{turned[seat]}" for seat in (0, 1)]
        return [f"{blows[0]} and {blows[1]}: the swords meet"]
    order = sorted((0, 1), key=lambda seat: (faces[seat] not in RANK, faces[seat] == "counter"))
    said = []
    for seat in order:
        name, face, other = names[seat], faces[seat], names[1 - seat]
        if face in RANK:
            said.append(f"{name} {_told_move(before.sides[seat], face, after.sides[seat])}")
        elif came[seat] == HIT:
            is_last = after.sides[1 - seat].wounds == DEFEAT
            wound = ", the second wound" if is_last else ""
            turns = f" and turns {name} to {called(after.sides[seat].stance)}" * bool(turned[seat])
            said.append(f"{name}'s {called(face)} hits {other}{wound}{turns}")
        elif not came[seat]:
            said.append(f"{name}'s Counterattack meets no blow")
        elif came[seat] == TURNED_BACK:
            said.append(f"{name}'s {called(face)} is turned back{turned[seat]}")
        else:
            why = why_missed(face, before.sides[seat].stance, distance_of(after) or 0)
            said.append(f"{name}'s {called(face)} misses {why}{turned[seat]}")
    return said


def _told_move(was: Side, face: str, now: Side) -> str:
    if face == "stance":
        return f"turns to {called(now.stance)}"
    if was.space == now.space:
        return f"has no room to {face}"
    return f"{face}{'es' if face.endswith('h') else 's'} to {now.space}"


# --- How the match stands ----------------------------------------------------------------------


def position(view: State, names: Names, you: Seat | None) -> Iterator[str]:
    apart = distance_of(view)
    if apart is None:
        yield f"The strip has {SPACES[view.field]} spaces; nobody stands on it yet."
    else:
        yield f"Round {view.round} of {view.rounds}; the distance is {apart}."
    for seat, (name, side) in enumerate(zip(names, view.sides, strict=True)):
        yield f"{name}, {NAMES[seat]}: " + joined(_side(view, side))
    if apart is not None and view.phase != "over":
        strikes = ", ".join(_blows(apart))
        yield f"What strikes at {apart}: {strikes or 'nothing'}."
    if you is not None and apart is not None:
        yield f"Your hand: {', '.join(_hand(view.sides[you]))}."


def gist(view: State, names: Names, you: Seat | None) -> Iterator[str]:
    """Yield the round and the distance, and what strikes at it."""
    round_line, *rest = position(view, names, None)
    yield round_line
    yield from (said for said in rest if said.startswith("What strikes"))


def things(view: State) -> dict[str, str]:
    special = "; a special card, which works once"
    said = {face: label(face, LOOKS["ascii"]) + special * (face in SPECIALS) for face in FACES}
    dealt = f"one of {', '.join(map(called, SPECIALS))} is dealt to each; it works once"
    return said | {"special": f"the special card: {dealt}"}


def _side(view: State, side: Side) -> Iterator[str]:
    if view.phase not in UNPLACED:
        yield f"on space {side.space} in {called(side.stance)}"
    yield f"{side.wounds} of {DEFEAT} wounds"
    if side.aside:
        yield f"{' and '.join(map(called, side.aside.split('|')))} set aside"
    if side.special:
        special = "a special card" if side.special == HOLE else called(side.special)
        yield f"{special}, {'spent' if side.spent else 'not spent'}"
    if side.secret:
        yield _chosen(view, side)


def _chosen(view: State, side: Side) -> str:
    """Describe a choice as secret, or as far as it is known."""
    first, _, second = side.secret.partition(",")
    if view.phase in UNPLACED:
        return (
            "has chosen a start"
            if side.secret == SECRET
            else f"begins on {start_name(side.secret)}"
        )
    if HOLE not in side.secret:
        return f"plans {called(first)}, then {called(second)}"
    return "has planned" if first == HOLE else f"{called(first)} was played, one card is to come"


def _blows(apart: int, cards: Container[str] = CARD) -> Iterator[str]:
    """Yield the names of the blows among these cards that reach a distance."""
    for face, (stances, distances) in ATTACKS.items():
        if apart in distances and CARD[face] in cards:
            where = f" in {called(stances[0])}" if len(stances) == 1 else ""
            yield f"{called(face)}{where}"


def threats(view: State, seat: int, names: Names) -> Iterator[str]:
    """Yield which blows the other samurai could strike, after each step forward it could make."""
    apart, other, side = distance_of(view), names[1 - seat], view.sides[1 - seat]
    if apart is None or view.phase == "over":
        return
    unseen = [one for one in SPECIALS if one != view.sides[seat].special]
    specials = () if side.spent else unseen if side.special == HOLE else (side.special,)
    held = {*BASIC, *specials} - {side.aside}
    for forward, move in ((0, ""), (1, "approach"), (2, "charge")):
        blows = ", ".join(_blows(apart - forward, held))
        if blows and (not move or CARD[move] in held):
            said = f" after {called(move)}" if move else ""
            yield f"{other} could strike{said}, at distance {apart - forward}: {blows}."


def _hand(side: Side) -> Iterator[str]:
    """Yield the cards that can be planned; the two faces of a card are joined."""
    gone = {side.aside, *(CARD.get(face, "") for face in side.secret.split(","))}
    for card in (*BASIC, *(() if side.spent else (side.special,))):
        if card not in gone and card:
            yield " or ".join(map(called, card.split("|")))


def tallies(view: State) -> tuple[Tally, ...]:
    hits = [view.sides[1 - seat].wounds for seat in range(2)]
    return tuple(
        Tally(
            (seat,),
            "",
            (Bar("hit" + "s" * (hit != 1), hit, DEFEAT),),
            hit,
            course=view.sides[seat].space or -1,
            most=SPACES[view.field],
        )
        for seat, hit in enumerate(hits)
    )


COURSE: Final = "spaces where they stood"


def chapter(view: State) -> str:
    if view.phase == "over":
        return "How it ends"
    return "The field" if view.phase in UNPLACED else "Your turn"


REASONS: Final = {
    "defeat": "the second wound decides the duel",
    "decision": "the last round is over; fewer wounds win",
    "limit": "the last round is over, and the wounds are equal",
}


# --- Shared ------------------------------------------------------------------------------------


def start_name(begin: str) -> str:
    space, _, stance = begin.partition(",")
    return f"{space} in {called(stance)}"
