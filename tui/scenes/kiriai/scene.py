"""Kiri-ai on the table: the strip, both samurai's cards, what reaches how far, what a plan does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.game import CHANCE, HOLE, Actor, Seat, Step
from kumite.core.games.kiriai import rules as kiriai
from kumite.core.games.kiriai.action import (
    ATTACKS,
    BASIC,
    CARD,
    HEAVEN,
    SPECIALS,
    STANCE_AFTER,
    action,
)
from kumite.core.games.kiriai.state import (
    DEFEAT,
    SECRET,
    SPACES,
    STARTS,
    UNPLACED,
    State,
)
from kumite.tui.scenes.kiriai import legend, merits, motion, stage, telling
from kumite.tui.scenes.kiriai.merits import WAITS, places
from kumite.tui.scenes.kiriai.picture import LETTERS, distance_of, mark, picture, stance_sign
from kumite.tui.scenes.lines import Elastic, Line, broadest, player, shortened
from kumite.tui.scenes.model import (
    NO_TRACE,
    NO_TURNING,
    Board,
    Cell,
    Chip,
    Interlude,
    Milestone,
    Pick,
    Scene,
    Trace,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes.model import Happening
    from kumite.tui.scenes.motion import Frame

ID: Final = kiriai.ID
PARTS: Final = ("card", "round")


def scene(
    view: State,
    names: Sequence[str],
    look: Look,
    you: Seat | None,
    past: Sequence[Happening] = (),
) -> Scene:
    """Return the strip, both samurai's open and hidden cards, and the hand of `you`."""
    last = next((one for one in past if one.before.phase in stage.TURNS), None)
    said = ""
    if last is not None and view.phase != "first":  # new cards lie there, still to be turned over
        said = narrate(last.before, last.actor, last.step, last.after, names)
    return Scene(
        _strip(view, look, you),
        _seats(view, names, look, you),
        _facts(view, names, look),
        picture(view, names, look),
        _tray(view, look, you),
        stage=stage.stage(view, names, look, you, past),
        spread=stage.spread(view, names, past, said),
        where=f"round {view.round} of {view.rounds}" if view.round else "the start",
        due=_DUE.get(view.phase, ""),
    )


_DUE: Final = {"start": "choose where to begin", "plan": "choose two cards"}


# --- The strip ---------------------------------------------------------------------------------


def _strip(view: State, look: Look, you: Seat | None) -> Board:
    """Return a row for each samurai, so that both can stand on one space."""
    spaces = range(1, SPACES[view.field] + 1)
    choosing = you is not None and view.phase == "start" and not view.sides[you].secret
    rows = tuple(
        tuple(_cell(view, look, seat, space, choosing and seat == you) for space in spaces)
        for seat in (0, 1)
    )
    named = [cell.name for row in rows for cell in row if cell.name]
    return Board(
        rows,
        tuple((str(space), "label") for space in spaces),
        tuple((mark(seat, look), f"base-{seat}") for seat in (0, 1)),
        named[len(named) // 2] if named else "",
    )


def _cell(view: State, look: Look, seat: int, space: int, is_choosing: bool) -> Cell:
    """Return one space of one samurai's row; named only where that samurai can begin now."""
    side = view.sides[seat]
    if side.space == space:
        glyph = look.contested if side.wounds == DEFEAT else stance_sign(side.stance, look)
        return Cell("", glyph, f"base-{seat}")
    may_begin = view.phase in ("start", "unveil") and str(space) in _begins(seat)
    if may_begin and is_choosing:
        return Cell(str(space), look.free, "fits", look.target)
    if may_begin and side.secret in ("", SECRET):
        return Cell("", HOLE, f"flag-{seat}")
    if may_begin and side.secret[0] == str(space):
        # In small, or with a `?`: chosen, but nobody else has seen it yet.
        stance = side.secret[2:]
        glyph = look.sign(f"{stance_sign(stance, look)}{HOLE}", LETTERS[stance].lower())
        return Cell("", glyph, f"flag-{seat}")
    return Cell("", look.free, "fits")


def _begins(seat: int) -> list[str]:
    return sorted({begin[0] for begin in STARTS[seat]})


# --- Side panel and hand -----------------------------------------------------------------------


def _seats(view: State, names: Sequence[str], look: Look, you: Seat | None) -> tuple[Line, ...]:
    wide = broadest(names)
    to_act = kiriai.actors(view)
    lines: list[Line] = [((Elastic(" " * wide), ""), (f"{'':6} wounds", "quiet"))]
    for seat, (name, side) in enumerate(zip(names, view.sides, strict=True)):
        sign = (f" {mark(seat, look)} ", f"base-{seat}")
        lines.append(
            (
                *player(name, wide, look, sign, is_to_act=seat in to_act, is_you=seat == you),
                (look.contested * side.wounds, "loss"),
                (look.free * (DEFEAT - side.wounds), "quiet"),
            )
        )
    return tuple(lines)


_NOW: Final = {
    "deal": "The specials are dealt.",
    "start": "Each chooses a start.",
    "unveil": "Both have chosen.",
    "plan": "Each plans two cards.",
    "first": "Both have planned.",
    "second": "The second cards come next.",
    "over": "The duel is over.",
}


def _facts(view: State, names: Sequence[str], look: Look) -> tuple[Line, ...]:
    lines: list[Line] = [((_NOW[view.phase], "title"),)]
    if view.phase not in UNPLACED:
        lines.insert(0, ((f"Round {view.round}", ""), (f" of {view.rounds}", "quiet")))
        lines.append(((f"Distance {distance_of(view)}", ""),))
        lines.append(((_who_is_faster(view, names, look), "quiet"),))
    if not look.is_drawn and any(
        side.secret or (side.special and not side.spent) for side in view.sides
    ):
        lines.append((("[card] lies face down", "quiet"),))
    return tuple(lines)


def _who_is_faster(view: State, names: Sequence[str], look: Look) -> str:
    high = [seat for seat in (0, 1) if view.sides[seat].stance == HEAVEN]
    if len(high) == 1:
        return f"Heaven moves first: {shortened(names[high[0]], 8, look)}"
    return "Same stance: charge is first"


def _tray(view: State, look: Look, you: Seat | None) -> tuple[Chip, ...]:
    """Return the cards in hand face by face, or the stances while a start is chosen."""
    if you is None:
        return ()
    side = view.sides[you]
    if view.phase in UNPLACED:
        if view.phase != "start" or side.secret:
            return ()
        return tuple(Chip(stance, f"{stance_sign(stance, look)} {stance}") for stance in LETTERS)
    gone = {side.aside, *(CARD.get(face, "") for face in side.secret.split(","))}
    own = () if side.spent else (side.special,)
    chips = []
    for card in (*BASIC, *own):
        if card in gone or card == HOLE:
            continue
        one, _, two = card.partition("|")
        role = "title" if card in SPECIALS else ""
        said = [_said(view, you, face, look) for face in (one, two) if face]
        text = f"{one}/" if two else one  # two faces of one card
        chips.append(Chip(one, text, role, stage.card(one), said[0]))
        if two:
            chips.append(Chip(two, two, role, stage.card(two, is_joined=True), said[1]))
    return tuple(chips)


def _said(view: State, you: Seat, face: str, look: Look) -> str:
    """Return what a card does, and why a blow would miss if it were struck now."""
    spaces, stances = places(view)
    distance = spaces[1] - spaces[0]
    missing = _missing(face, stances[you], distance)
    if not missing:
        return label(face, look)
    now = f"you are {distance} apart" if missing[0].isdigit() else f"you are in {stances[you]}"
    return f"{label(face, look)}; not now: {now}"


signs = legend.signs


# --- Choosing ----------------------------------------------------------------------------------


def parts(step: Step, legal: tuple[Step, ...] = ()) -> tuple[str, ...]:
    """Return the two cards of a plan, or space and stance of a start; what is shown is one part."""
    return (step,) if ":" in step else tuple(step.split(","))


def marks(before: State, step: Step, after: State) -> Trace:
    """Return nothing: where the samurai stand is all there is on the strip."""
    return NO_TRACE


def step_from_parts(view: State, seat: Seat, parts: tuple[str, ...]) -> Step:
    """Return the plan of two cards, or the start of a space and a stance."""
    is_whole = len(parts) == 2 and (parts[1] in LETTERS) == (view.phase == "start")
    return Step(",".join(parts)) if is_whole else Step("")


_MOVES: Final = {
    "approach": "one space forward",
    "retreat": "one space back",
    "charge": "up to two spaces forward",
    "stance": "heaven becomes earth, earth heaven",
    "counter": "a blow that would hit you hits the attacker",
}


def label(part: str, look: Look) -> str:
    """Return what a card does, or what a number or a stance means when one begins."""
    if part in ATTACKS:
        stances, _ = ATTACKS[part]
        after = f", then {STANCE_AFTER[part]}" if part in STANCE_AFTER else ""
        where = f"in {stances[0]}" if len(stances) == 1 else "in either stance"
        return f"{part}: strikes at distance {_distances(part)}, {where}{after}"
    if part in _MOVES:
        return f"{part}: {_MOVES[part]}"
    return f"in {part}" if part in LETTERS else f"on space {part}"


def _distances(face: str) -> str:
    return " or ".join(map(str, ATTACKS[face][1]))


def pick(view: State, seat: Seat, chosen: tuple[str, ...], part: str) -> Pick:
    """Say what the first of two parts is for: a card for now, or a place to begin on."""
    if view.phase == "start":
        return Pick(f"begin on space {part}" if part.isdigit() else f"begin in {part}")
    return Pick(f"play {part} first")


def step_name(step: Step) -> str:
    """Return what a plan or a start is called: `stance, then low`, `space 3 in earth`."""
    one, _, two = step.partition(",")
    return f"space {one} in {two}" if one.isdigit() else f"{one}, then {two}"


def order(view: State, seat: Seat, step: Step) -> str:
    """Say what a plan or a start is: `stance, then low`."""
    return f"{'begin on ' * (view.phase == 'start')}{step_name(step)}"


def preview(view: State, seat: Seat, step: Step, look: Look) -> Line:
    """Say what a plan would do to an opponent who only waits, or where a start can lead."""
    one, _, two = step.partition(",")
    if view.phase == "start":
        ways = sorted(abs(int(begin) - int(one)) for begin in _begins(1 - seat))
        return (
            (order(view, seat, step), "title"),
            (f"   the other will be {ways[0]} to {ways[-1]} away", ""),
        )
    line: list[tuple[str, str]] = []
    spaces, stances = places(view)
    for face in (one, two):
        line += [(", then ", "quiet")] * bool(line) + [(f"{face} ", "title")]
        was = spaces
        faces = (WAITS, face) if seat else (face, WAITS)
        needs = _missing(face, stances[seat], spaces[1] - spaces[0])
        spaces, stances, wounded = action(spaces, stances, faces, SPACES[view.field])
        if wounded >= 0:
            is_last = view.sides[wounded].wounds + 1 == DEFEAT
            line.append(("hits and wins" if is_last else "hits", "gain"))
            if is_last:
                break  # the second card stays face down
        elif face in ATTACKS:
            where = "at " if needs[0].isdigit() else ""
            line.append((f"misses: {where}{needs.replace(' or ', '/')} only", ""))
        elif face == "counter":
            line.append(("awaits a blow", ""))
        elif face == "stance":
            line.append((f"to {stances[seat]}", ""))
        else:
            line.append(("has no room" if spaces == was else f"to {spaces[seat]}", ""))
    return (*line, ("  if they wait", "quiet"))


def why_good(view: State, seat: Seat, step: Step) -> str:
    """Say which card of a plan would hit who only waits, and how it fares against all plans."""
    return merits.why_good(view, seat, step)


def _missing(face: str, stance: str, distance: int) -> str:
    """Return what a blow lacks to land: the right distance, else the right stance."""
    if face not in ATTACKS:
        return ""
    stances, distances = ATTACKS[face]
    if distance not in distances:
        return _distances(face)
    return "" if stance in stances else stances[0]


# --- Telling -----------------------------------------------------------------------------------


def narrate(before: State, actor: Actor, step: Step, after: State, names: Sequence[str]) -> str:
    """Tell what was chosen, as far as it is known, or what the cards did that were turned over."""
    return telling.narrate(before, actor, step, after, names)


def frames(before: Scene, after: Scene, step: Step) -> tuple[Frame, ...]:
    """Return what is seen of a step on its way."""
    return motion.frames(before, after, step)


def milestone(before: State, actor: Actor, step: Step, after: State) -> Milestone:
    """Two cards make a round; blows that hit are turning points."""
    if before.phase not in ("unveil", "first", "second") or actor != CHANCE:
        return NO_TURNING
    ends = 2 if after.phase in ("plan", "over") else 1
    wounds = [sum(side.wounds for side in view.sides) for view in (before, after)]
    return Milestone(ends, "hit" if wounds[0] < wounds[1] else "")


def interlude(
    before: State,
    actor: Actor,
    step: Step,
    after: State,
    names: Sequence[str],
) -> Interlude | None:
    """Stop after the first cards and after the second, as at a table."""
    if actor != CHANCE or before.phase not in ("first", "second"):
        return None
    said = narrate(before, actor, step, after, names).partition(": ")[2]
    return Interlude(after, f"{said}.")


def chapter(view: State) -> str:
    """Return the heading in the rules page for this position."""
    if view.phase == "over":
        return "How it ends"
    return "The field" if view.phase in UNPLACED else "Your turn"


_REASONS: Final = {
    "defeat": "the second wound decides the duel",
    "decision": "the last round is over; fewer wounds win",
    "limit": "the last round is over, and the wounds are equal",
}


def reason(view: State, code: str) -> str:
    """Return the words for an outcome's reason code."""
    return _REASONS[code]
