"""Kiri-ai on the table: the strip, both samurai's cards, the reach of blows, and previews."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kumite.core.game import CHANCE, HOLE, Actor, Seat, Step
from kumite.core.games.kiriai import rules as kiriai
from kumite.core.games.kiriai.action import BASIC, CARD, HEAVEN, SPECIALS
from kumite.core.games.kiriai.state import DEFEAT, SECRET, SPACES, UNPLACED, State
from kumite.tui.games.kiriai.picture import (
    HIT_POSES,
    LETTERS,
    TURNS,
    called,
    card,
    distance_of,
    mark,
    picture,
    places,
    spread,
    stage,
    stance_sign,
)
from kumite.tui.games.kiriai.words import label, narrate, spaces_to_start, what_is_missing
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.lines import Line, Names, player_rows, shortened
from kumite.tui.scenes.model import NO_TURNING, Board, Cell, Chip, Interlude, Milestone, Past, Scene
from kumite.tui.scenes.motion import Frame
from kumite.tui.scenes.pictures import Spread

PARTS: Final = ("card", "round")

# --- The table ---------------------------------------------------------------------------------

_DUE: Final = {"start": "choose where to begin", "plan": "choose two cards"}


def scene(view: State, names: Names, look: Look, you: Seat | None, past: Past = ()) -> Scene:
    last = next((one for one in past if one.before.phase in TURNS), None)
    said = ""
    if last is not None and view.phase != "first":  # else new cards wait to be turned over
        said = narrate(last.before, last.actor, last.step, last.after, names)
    return Scene(
        _strip(view, look, you),
        _seats(view, names, look, you),
        facts := _facts(view, names, look, past),
        picture(view, names, look),
        _tray(view, look, you),
        stage=replace(stage(view, names, look, you, past), facts=facts[-1:]),
        spread=spread(view, past, said),
        where=f"round {view.round} of {view.rounds}" if view.round else "the start",
        due=_DUE.get(view.phase, ""),
    )


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
    """Return one space of a samurai's row; it has a name only if it can be chosen as a start."""
    side = view.sides[seat]
    if side.space == space:
        glyph = look.contested if side.wounds == DEFEAT else stance_sign(side.stance, look)
        return Cell("", glyph, f"base-{seat}")
    may_begin = view.phase in ("start", "unveil") and str(space) in spaces_to_start(seat)
    if may_begin and is_choosing:
        return Cell(str(space), look.free, "fits", look.target)
    if may_begin and side.secret in ("", SECRET):
        return Cell("", HOLE, f"flag-{seat}")
    if may_begin and side.secret[0] == str(space):
        # A start not yet shown to others is in small letters, or has a `?`.
        stance = side.secret[2:]
        glyph = look.sign(f"{stance_sign(stance, look)}{HOLE}", LETTERS[stance].lower())
        return Cell("", glyph, f"flag-{seat}")
    return Cell("", look.free, "fits")


def _seats(view: State, names: Names, look: Look, you: Seat | None) -> tuple[Line, ...]:
    rows = []
    for seat, side in enumerate(view.sides):
        lost = (look.contested * side.wounds, "loss")
        left = (look.free * (DEFEAT - side.wounds), "quiet")
        rows.append(((f" {mark(seat, look)} ", f"base-{seat}"), ((" ", ""), lost, left)))
    return player_rows(names, look, you, kiriai.actors(view), f"{'':6} wounds", rows)


_NOW: Final = {
    "deal": "The specials are dealt.",
    "start": "Each chooses a start.",
    "unveil": "Both have chosen.",
    "plan": "Each plans two cards.",
    "first": "Both have planned.",
    "second": "The second cards come next.",
    "over": "The duel is over.",
}


def _facts(view: State, names: Names, look: Look, past: Past) -> tuple[Line, ...]:
    has_ended = bool(past) and view.round < past[0].after.round  # its last cards are looked at
    lines: list[Line] = [(("The round is over." if has_ended else _NOW[view.phase], "title"),)]
    if view.phase not in UNPLACED:
        lines.insert(0, ((f"Round {view.round}", ""), (f" of {view.rounds}", "quiet")))
        lines.append(((f"Distance {distance_of(view)}", ""),))
        lines.append(((_who_is_faster(view, names, look), "quiet"),))
    if not look.is_drawn and any(
        side.secret or (side.special and not side.spent) for side in view.sides
    ):
        lines.append((("[card] lies face down", "quiet"),))
    return tuple(lines)


def _who_is_faster(view: State, names: Names, look: Look) -> str:
    high = [seat for seat in (0, 1) if view.sides[seat].stance == HEAVEN]
    if len(high) == 1:
        return f"Heaven moves first: {shortened(names[high[0]], 8, look)}"
    return "In a tie charge moves first"


def _tray(view: State, look: Look, you: Seat | None) -> tuple[Chip, ...]:
    """Return the cards in hand, face by face; before the start, the special and the stances.

    The special is included because it can guide the choice of the start.
    """
    if you is None:
        return ()
    side = view.sides[you]
    if view.phase in UNPLACED:
        dealt = (side.special,) if side.special and look.is_drawn else ()  # else words say it
        stances = LETTERS if view.phase == "start" and not side.secret else ()
        return (
            *(Chip(stance, f"{stance_sign(stance, look)} {stance}") for stance in stances),
            *(Chip(special, special, "title", card(special)) for special in dealt),
        )
    gone = {side.aside, *(CARD.get(face, "") for face in side.secret.split(","))}
    own = () if side.spent else (side.special,)
    chips = []
    for faces in (*BASIC, *own):
        if faces in gone or faces == HOLE:
            continue
        one, _, two = faces.partition("|")
        role = "title" if faces in SPECIALS else ""
        said = [_said(view, you, face, look) for face in (one, two) if face]
        text = f"{one}/" if two else one  # two faces of one card
        chips.append(Chip(one, text, role, card(one), said[0]))
        if two:
            chips.append(Chip(two, two, role, card(two, is_joined=True), said[1]))
    return tuple(chips)


def _said(view: State, you: Seat, face: str, look: Look) -> str:
    """Return what a card does, and why a blow would miss now."""
    spaces, stances = places(view)
    distance = spaces[1] - spaces[0]
    missing = what_is_missing(face, stances[you], distance)
    if not missing:
        return label(face, look)
    now = (
        f"the distance is {distance}"
        if missing[0].isdigit()
        else f"you are in {called(stances[you])}"
    )
    return f"{label(face, look)}; not now: {now}"


# --- Steps -------------------------------------------------------------------------------------


def parts(step: Step, legal: tuple[Step, ...] = ()) -> tuple[str, ...]:
    """Return the two cards of a plan, or space and stance of a start; else the whole step."""
    return (step,) if ":" in step else tuple(step.split(","))


def step_from_parts(view: State, seat: Seat, parts: tuple[str, ...]) -> Step:
    is_whole = len(parts) == 2 and (parts[1] in LETTERS) == (view.phase == "start")
    return Step(",".join(parts)) if is_whole else Step("")


# --- Motion -----------------------------------------------------------------------------------


def milestone(before: State, actor: Actor, step: Step, after: State) -> Milestone:
    """Two cards make a round; blows that hit are turning points."""
    if before.phase not in ("first", "second") or actor != CHANCE:
        return NO_TURNING
    ends = 2 if after.phase in ("plan", "over") else 1
    wounds = [sum(side.wounds for side in view.sides) for view in (before, after)]
    return Milestone(ends, "hit" if wounds[0] < wounds[1] else "")


def interlude(
    before: State, actor: Actor, step: Step, after: State, names: Names
) -> Interlude | None:
    """Pause after the first cards and after the second, still in their round."""
    if actor != CHANCE or before.phase not in ("first", "second"):
        return None
    said = narrate(before, actor, step, after, names).partition(": ")[2]
    then = {"second": "the second cards", "over": "the result"}
    coming = then.get(after.phase, f"round {after.round}")
    return Interlude(replace(after, round=before.round), f"{said}.", coming)


TURNED: Final = 0.15  # s that cards are shown edge-on
READ: Final = 0.7  # s to read them
WALKED: Final = 0.2  # s on each plank
STRUCK: Final = 0.3  # s that a blow is shown
FLASH: Final = 0.17  # s of the flash on who was hit, and of the pause before the result


def frames(before: Scene, after: Scene, step: Step) -> tuple[Frame, ...]:
    """Return cards that turn, then figures that walk and strike; the results come last."""
    if not step.startswith(("first:", "second:")) or before.stage is None or after.stage is None:
        return ()
    stage = replace(after.stage, words=before.stage.words)
    flash = tuple(replace(one, is_struck=one.sprite in HIT_POSES) for one in stage.figures)
    shown = [
        *((before.stage.figures, seconds) for seconds in (TURNED, READ)),
        *((figures, WALKED) for figures in stage.moments[2:]),
        (stage.figures, STRUCK),
        *([(flash, FLASH), (stage.figures, FLASH)] * (flash != stage.figures)),
    ]
    cards = [_edges(before.spread, after.spread), *[_silent(after.spread)] * (len(shown) - 1)]
    return tuple(
        Frame(replace(after, stage=replace(stage, figures=figures), spread=spread), seconds)
        for (figures, seconds), spread in zip(shown, cards, strict=True)
    )


def _silent(spread: Spread | None) -> Spread | None:
    """Return the cards without their results, so that players see the cards first."""
    if spread is None:
        return None
    groups = [
        replace(group, cards=tuple(replace(one, note="", note_role="") for one in group.cards))
        for group in spread.groups
    ]
    return replace(spread, groups=tuple(groups), is_silent=True)


def _edges(old: Spread | None, new: Spread | None) -> Spread | None:
    """Return the cards on the table, with those being turned over shown edge-on."""
    if old is None or new is None:
        return _silent(new)
    groups = []
    for was, now in zip(old.groups, new.groups, strict=True):
        pairs = zip(was.cards, now.cards, strict=False)
        cards = tuple(replace(b, sprite="", title="", note="") if a != b else b for a, b in pairs)
        groups.append(replace(now, cards=cards))
    return _silent(replace(new, groups=tuple(groups)))
