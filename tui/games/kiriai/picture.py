"""Kiri-ai beside its strip: both samurai's cards as text, the stage, and the cards laid on it.

The last parts describe the reach of blows and their results.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from kumite.core.game import CHANCE, HOLE, Seat
from kumite.core.games.kiriai.action import ATTACKS, EARTH, HEAVEN, RANK, SPECIALS, action
from kumite.core.games.kiriai.state import DEFEAT, NAMES, SECRET, SPACES, UNPLACED, Side, State
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.lines import YOU, Elastic, Line, Named, Names, fit, width
from kumite.tui.scenes.model import Happening, Past, Scene, Sign
from kumite.tui.scenes.pictures import Card, Figure, Group, Spread, Stage

WAITS: Final = ""  # a face that neither moves nor strikes
LETTERS: Final = {HEAVEN: "H", EARTH: "E"}  # stances as written in the rules
BACK: Final = Card("kiriai-card-back", "violet", is_back=True)
TURNS: Final = ("first", "second")  # the phases in which cards are turned over
SIGNS: Final = {HEAVEN: "▲", EARTH: "▼"}
LEFT, TAKEN = "♥", "♡"  # lives
# What came of a blow, as marked on its card.
HIT: Final = "× hit"
MISSED: Final = "miss"
MET: Final = "= meet"
TURNED_BACK: Final = "↺ return"

# --- The cards as lines of text ----------------------------------------------------------------


def picture(view: State, names: Names, look: Look) -> tuple[Line, ...]:
    high, low = (stance_sign(stance, look) for stance in (HEAVEN, EARTH))
    heading: Line = ((f" What strikes at which distance ({high}/{low}: stance)", "quiet"),)
    return (*_cards(view, names, look), (), heading, *_reaches(view, look))


_LABEL, _COLUMN = 13, 17  # columns: the label, then one for each seat


def _cards(view: State, names: Names, look: Look) -> list[Line]:
    """Return a column for each seat; face-down cards are in brackets."""
    head: Line = (
        (" " * (_LABEL - 1), ""),  # aligns the letter of a mark with its column
        *(span for seat, name in enumerate(names) for span in _head(seat, name, look)),
    )
    lines = [head]
    if view.phase in UNPLACED:
        lines.append(_row("start", [_start(side) for side in view.sides]))
    else:
        stances = [f"{stance_sign(side.stance, look)} {called(side.stance)}" for side in view.sides]
        plans = [_plan(view, side) for side in view.sides]
        lines.append(_row("wounds", [f"{side.wounds} of {DEFEAT}" for side in view.sides]))
        lines.append(_row("stance", stances))
        turned_over = "title" if view.phase == "second" else ""
        lines.append(_row("first", [first for first, _ in plans], turned_over))
        lines.append(_row("second", [second for _, second in plans]))
        lines.append(
            _row(
                "set aside",
                ["|".join(map(called, side.aside.split("|"))) or "-" for side in view.sides],
            )
        )
    lines.append(_row("special", [_special(side) for side in view.sides]))
    return lines


def _head(seat: int, name: str, look: Look) -> Line:
    sign = f" {mark(seat, look)} "
    return (sign, f"base-{seat}"), (f" {fit(name, _COLUMN - width(sign) - 2)} ", "")


def _row(label: str, values: list[str], role: str = "") -> Line:
    spans = [(f" {label:<{_LABEL - 1}}", "quiet")]
    spans += [(fit(value, _COLUMN), "quiet" if value == "-" else role) for value in values]
    return tuple(spans)


def _start(side: Side) -> str:
    if side.secret in ("", SECRET):
        return f"[{HOLE}]" if side.secret else "-"
    space, _, stance = side.secret.partition(",")
    return f"[{space} {called(stance)}]"


def _plan(view: State, side: Side) -> tuple[str, str]:
    """Return both planned cards; the first is open once it has been turned over."""
    if not side.secret:
        return "-", "-"
    first, _, second = side.secret.partition(",")
    first, second = called(first), f"[{called(second)}]" if second else "-"
    return first if view.phase == "second" else f"[{first}]", second


def _special(side: Side) -> str:
    if side.spent:
        return f"{brief(side.special)}, spent"
    return f"[{called(side.special)}]" if side.special else "-"


def _reaches(view: State, look: Look) -> list[Line]:
    now = distance_of(view)
    columns = []
    for distance in range(4):
        blows = [face for face, (_, distances) in ATTACKS.items() if distance in distances]
        texts = [face + _needed(face, look) for face in blows]
        here = look.pointer if distance == now else " "
        columns.append([f"{here} at {distance}", *(f"  {text}" for text in texts)])
    widths = [max(map(width, column)) + 1 for column in columns]
    widths[-1] -= 1
    lines = []
    for row in range(max(map(len, columns))):
        spans = []
        for distance, column in enumerate(columns):
            text = column[row] if row < len(column) else ""
            role = "quiet" if distance != now else "" if row else "title"
            spans.append((fit(text, widths[distance]), role))
        lines.append(tuple(spans))
    return lines


def _needed(face: str, look: Look) -> str:
    """Return the sign of the only stance that a blow allows; empty if it allows both."""
    stances, _ = ATTACKS[face]
    if len(stances) > 1:
        return ""
    space = look.sign("", " ")  # no room before a kanji, and no need
    return space + stance_sign(stances[0], look)


# --- The stage, and the cards laid on it -------------------------------------------------------


def stage(view: State, names: Names, look: Look, you: Seat | None, past: Past = ()) -> Stage:
    planks = tuple(str(space) for space in range(1, SPACES[view.field] + 1))
    figures, words = _figures(view, look, past), _words(view, names, look, you)
    return Stage(planks, figures, words=words, moments=_moments(look, past))


def _figures(view: State, look: Look, past: Past) -> tuple[Figure, ...]:
    return tuple(
        Figure(
            f"kiriai-{_pose(view, seat, past)}",
            seat,
            _place(view, seat),
            is_turned=bool(seat),
            came_from=_came_from(view, seat, past),
            sign=look.solid[seat] * bool(view.sides[seat].space),  # else it waits beside its end
        )
        for seat in (0, 1)
    )


def _moments(look: Look, past: Past) -> tuple[tuple[Figure, ...], ...]:
    """Return the figures after the cards that were turned last, before, and plank by plank.

    Only who walks takes a new pose on the way: blows and falls come after.
    """
    turned = next((n for n, one in enumerate(past) if one.before.phase in TURNS), None)
    if turned is None:
        return ()
    after = _figures(past[turned].after, look, past[turned:])
    before = _figures(past[turned].before, look, past[turned + 1 :])
    far = max(abs(now.place - was.place) for was, now in zip(before, after, strict=True))
    steps = (
        tuple(
            replace(
                was,
                sprite=was.sprite if was.place == now.place else _WALKS.get(now.sprite, now.sprite),
                place=was.place + max(-step, min(step, now.place - was.place)),
            )
            for was, now in zip(before, after, strict=True)
        )
        for step in range(1, far + 1)
    )
    return after, before, *steps


HIT_POSES: Final = frozenset({"kiriai-wounded", "kiriai-fallen"})
_WALKS: Final = dict.fromkeys((*HIT_POSES, "kiriai-won"), "kiriai-walk")


_POSES: Final = {"approach": "walk", "stance": "change"}  # for faces whose pose has another name


def _pose(view: State, seat: int, past: Past) -> str:
    """Return the pose of a samurai: its action in the last step, else its stance."""
    side = view.sides[seat]
    if side.wounds == DEFEAT:
        return "fallen"
    if past and past[0].actor == CHANCE and past[0].before.phase in TURNS:
        if past[0].before.sides[seat].wounds < side.wounds:
            return "wounded"
        if view.phase == "over":
            return "won"
        face = _faces(past[0])[seat]
        return _POSES.get(face, face)
    return side.stance or HEAVEN


def _faces(turned: Happening) -> tuple[str, str]:
    """Return the faces by seat that a step turned over: `first:low/high`."""
    red, _, blue = turned.step.partition(":")[2].partition("/")
    return red, blue


def _place(view: State, seat: int) -> int:
    """Return the plank of a samurai; before the start, the one at its end of the bridge."""
    space = view.sides[seat].space
    if space:
        return space - 1
    return SPACES[view.field] - 1 if seat else 0


def _came_from(view: State, seat: int, past: Past) -> int:
    """Return the plank where a samurai stood before its open cards."""
    played = _open(view, seat, past)
    return played[0].before.sides[seat].space - 1 if played else _place(view, seat)


def _words(
    view: State, names: Names, look: Look, you: Seat | None
) -> tuple[tuple[Line, Line, Line], ...]:
    distance = distance_of(view)
    middle: Line = () if distance is None else ((f"distance {distance}", "title"),)
    left, right = (_who(view, seat, names[seat], look, is_you=seat == you) for seat in (0, 1))
    is_over = view.phase == "over"
    rests = [
        () if is_over else _rest(side, is_you=seat == you) for seat, side in enumerate(view.sides)
    ]
    return ((left, middle, right), (rests[0], (), rests[1]))


_DONE: Final = {
    "plan": (" (has planned)", " planned"),
    "start": (" (has chosen a start)", " has chosen"),
}


def _who(view: State, seat: int, name: str, look: Look, *, is_you: bool) -> Line:
    side = view.sides[seat]
    done = _DONE.get(view.phase, ("", "")) if side.secret else ("", "")
    sign = f" {SIGNS[side.stance]}" if side.stance else ""
    stance = f"{sign} {called(side.stance)}" if sign else ""
    return (
        (f"{look.solid[seat]} ", f"flag-{seat}"),
        (Elastic(name + YOU * is_you), f"flag-{seat}"),
        (Named(*done), "title"),
        (f" {LEFT * (DEFEAT - side.wounds)}", "loss"),
        (TAKEN * side.wounds, "quiet"),
        (Named(stance, sign) if done[0] else stance, ""),
    )


def _open(view: State, seat: int, past: Past) -> list[Happening]:
    """Return the steps that turned over a seat's open cards, which stay until it plans again.

    A hidden plan does not cover them while the other seat is still planning.
    """
    turned = [one for one in past if one.actor == CHANCE and one.before.phase in TURNS]
    if view.phase == "second":
        return turned[:1]
    if not turned or view.sides[seat].secret not in ("", SECRET if view.phase == "plan" else ""):
        return []
    count = TURNS.index(turned[0].before.phase) + 1  # a wound by the first cards can end the match
    return turned[count - 1 :: -1]


def _rest(side: Side, *, is_you: bool) -> Line:
    """Return which cards a seat cannot play: the one set aside, and a spent special.

    Another seat's special, if the view knows it, comes first; one's own is visible in the hand.
    """
    is_told = side.special in SPECIALS and not side.spent and not is_you
    aside = [*filter(None, side.aside.split("|"))]
    full = [f"holds {called(side.special)}"] * is_told
    full += [f"set aside: {', '.join(map(called, aside))}"] * bool(aside)
    full += [f"spent: {called(side.special)}"] * side.spent
    lacking = [*aside, *[side.special] * side.spent]
    shortest = [f"holds {brief(side.special)}"] * is_told
    short = [*shortest, *[f"aside {'/'.join(map(brief, aside))}"] * bool(aside)]
    short += [f"spent {brief(side.special)}"] * side.spent
    shortest += [f"no {'/'.join(map(brief, lacking))}"] * bool(lacking)
    return ((Named("; ".join(full), Named("; ".join(short), "; ".join(shortest))), "quiet"),)


PLACE: Final = Card(ink="quiet", is_place=True)


def spread(view: State, past: Past = (), said: str = "") -> Spread | None:
    """Return the cards of both, the first above the second, and `said`; None before the start.

    Plans are shown as far as the view knows them. Until both have planned, the cards of the last
    round stay open, dimmed.
    """
    if view.phase in UNPLACED:
        return None
    groups = tuple(_group(view, seat, past) for seat in (0, 1))
    parts = said.split("; ")  # but the distance, which stands between the names
    return Spread(
        groups, tuple(((part, ""),) for part in parts if part and not part.startswith("distance "))
    )


def _group(view: State, seat: int, past: Past) -> Group:
    secret, played = view.sides[seat].secret, _open(view, seat, past)
    cards = [_played(one, seat) for one in played]
    cards += [card(face) for face in secret.split(",")[len(cards) :] if face]
    is_last = bool(played) and (view.phase == "over" or played[0].before.round < view.round)
    is_dim = is_last and view.phase == "plan"
    label = ("last round" if is_last else "plan", f"flag-{seat}")
    found = [replace(one, owner=seat, is_turned=bool(seat), is_dim=is_dim) for one in cards]
    return Group((*found, PLACE, PLACE)[:2], (label,))


def laid(
    scene: Scene, view: State, seat: Seat, chosen: tuple[str, ...], names: Names, look: Look
) -> Scene:
    """Return the table with the first chosen card in its seat's plan."""
    if scene.spread is None:
        return scene
    sides, groups = list(view.sides), list(scene.spread.groups)
    sides[seat] = replace(sides[seat], secret=f"{chosen[0]},")
    view = replace(view, sides=(sides[0], sides[1]))
    groups[seat] = _group(view, seat, ())
    spread = replace(scene.spread, groups=tuple(groups))
    return replace(scene, picture=picture(view, names, look), spread=spread)


def _played(turned: Happening, seat: int) -> Card:
    """Return an open card, with what came of it: the result of a blow, or where it led."""
    faces = _faces(turned)
    came = came_of(turned.before, faces, turned.after)[seat]
    was, now = turned.before.sides[seat], turned.after.sides[seat]
    note = came or "no blow"  # that a Counterattack could turn back
    if came == MISSED:
        distance = distance_of(turned.after) or 0
        is_near = distance in ATTACKS[faces[seat]][1]
        note = f"{came} in {SIGNS[was.stance]}" if is_near else f"{came} at {distance}"
    if faces[seat] == "stance":
        note = f"{SIGNS[was.stance]} → {SIGNS[now.stance]}"
    elif faces[seat] in RANK:
        note = f"{was.space} → {now.space}" if was.space != now.space else "no room"
    return card(faces[seat], note=note, note_role="loss" if came == HIT else "")


_NOTES: Final = {
    "approach": "1 ahead",
    "retreat": "1 back",
    "charge": "2 ahead",
    "stance": "turn",
    "counter": "returns",
}


def card(face: str, *, is_joined: bool = False, note: str = "", note_role: str = "") -> Card:
    if face in ("", HOLE):
        return BACK
    if face in ATTACKS and not note:
        note = struck_from(face)
    ink = "violet" if face in SPECIALS else "ink"
    note = note or _NOTES.get(face, "")
    title, short, sprite = called(face), brief(face), f"kiriai-card-{face}"
    return Card(
        sprite, ink, title=title, short=short, note=note, note_role=note_role, is_joined=is_joined
    )


# --- What came of a blow -----------------------------------------------------------------------


def came_of(before: State, faces: tuple[str, str], after: State) -> tuple[str, str]:
    """Return the result of each seat's blow; empty without a blow."""
    if all(face in ATTACKS for face in faces) and all(_lands(before, s, faces[s]) for s in (0, 1)):
        return MET, MET
    red, blue = (b.wounds < a.wounds for b, a in zip(before.sides, after.sides, strict=True))
    return _came(faces[0], faces[1], red, blue), _came(faces[1], faces[0], blue, red)


# --- Signs -------------------------------------------------------------------------------------


_RESULTS: Final = {
    HIT: "on a card of the last round: its blow hit",
    f"{MISSED} at 3": "its blow missed: it does not strike at distance 3",
    f"{MISSED} in {SIGNS[EARTH]}": "its blow missed: it does not strike in earth",
    MET: "both blows would have hit: the swords met, nobody is hurt",
    TURNED_BACK: "a Counterattack turned its blow back on the attacker",
    "1 → 3": "it led from space 1 to space 3",
}


def signs(view: State, names: Names, look: Look) -> Iterator[Sign]:
    for seat, name in enumerate(names):
        signs = f"{look.solid[seat]} {mark(seat, look)}" if look.is_drawn else mark(seat, look)
        side = ("left", "right")[seat]
        said = f"{name}, {NAMES[seat]}, who comes from the {side}"
        yield Sign.of(f" {signs} ", f"base-{seat}", said)
    high, low = (SIGNS[stance] for stance in (HEAVEN, EARTH))
    if not look.is_drawn:
        high, low = (stance_sign(stance, look) for stance in (HEAVEN, EARTH))
    yield Sign.of(high, "title", "in heaven: the sword is held high; behind a blow: only so")
    yield Sign.of(low, "title", "in earth: the sword is held low; behind a blow: only so")
    left, taken = (LEFT, TAKEN) if look.is_drawn else (look.free, look.contested)
    yield Sign.of(left, "loss" if look.is_drawn else "quiet", "a life: who has lost both is beaten")
    yield Sign.of(taken, "quiet" if look.is_drawn else "loss", "a wound: a life is lost")
    yield Sign.of(
        "charge|stance", "title", "two ends of one card: who plays one of them uses the card"
    )
    if look.is_drawn:
        yield Sign.of(
            struck_from("high"), "title", "of the distances 0 to 4 a blow strikes at 2, in heaven"
        )
        yield Sign.of("1 ahead", "title", "a movement by one space, towards the foe")
        yield Sign.of("1 back", "title", "a movement by one space, away from the foe")
        yield from (Sign.of(one, "title", said) for one, said in _RESULTS.items())
        yield Sign.of(" ".join(look.hollow[:2]), "title", "where they stood before these cards")
    else:
        yield Sign.of("[high]", "title", "a card that lies face down")


# --- Shared ------------------------------------------------------------------------------------


def places(view: State) -> tuple[tuple[int, int], tuple[str, str]]:
    red, blue = view.sides
    return (red.space, blue.space), (red.stance, blue.stance)


_MARKS: Final = (("赤", "R"), ("青", "B"))  # of red and blue, by seat; red's row is the upper one


def mark(seat: int, look: Look) -> str:
    return look.sign(*_MARKS[seat])


_STANCES: Final = {HEAVEN: "天", EARTH: "地"}


def stance_sign(stance: str, look: Look) -> str:
    return look.sign(_STANCES[stance], LETTERS[stance])


_CALLED: Final = {  # by notation: as printed on the cards
    "approach": ("Approach", "近寄"),
    "retreat": ("Retreat", "遠退"),
    "charge": ("Charge", "飛掛"),
    "stance": ("Stance", "構変"),
    "high": ("High Strike", "唐竹"),
    "low": ("Low Strike", "斬上"),
    "balanced": ("Balanced Strike", "水平"),
    "kesa": ("Kesa Giri", "袈裟"),
    "zantetsu": ("Zan-Tetsu", "斬鉄"),
    "counter": ("Counterattack", "返斬"),
    HEAVEN: ("Heaven", "天"),
    EARTH: ("Earth", "地"),
}


def called(face: str, look: Look | None = None) -> str:
    """Return the name of a card or stance; with `look`, followed by kanji if they are shown."""
    name, kanji = _CALLED.get(face, (face, ""))
    return f"{name} {look.sign(kanji, '')}".rstrip() if look is not None else name


def brief(face: str) -> str:
    return "Zan-Tetsu" if face == "zantetsu" else face.capitalize()


def distance_of(view: State) -> int | None:
    """Return the distance of the samurai, or None before the start."""
    return None if view.phase in UNPLACED else view.sides[1].space - view.sides[0].space


def struck_from(face: str) -> str:
    """Return a ruler of the distances at which a blow strikes, and its stance if it needs one."""
    stances, distances = ATTACKS[face]
    sign = "" if len(stances) > 1 else f" {SIGNS[stances[0]]}"
    return "".join(str(one) if one in distances else "·" for one in range(FARTHEST + 1)) + sign


FARTHEST: Final = 4  # of the distances on a ruler


def _came(face: str, other: str, is_wounded: bool, has_wounded: bool) -> str:
    if has_wounded:
        return HIT
    if face not in ATTACKS:
        return ""
    return TURNED_BACK if is_wounded and other == "counter" else MISSED


def _lands(view: State, seat: int, face: str) -> bool:
    """Return whether a blow would hit an opponent who waits."""
    spaces, stances = places(view)
    faces = (WAITS, face) if seat else (face, WAITS)
    return action(spaces, stances, faces, SPACES[view.field])[2] == 1 - seat
