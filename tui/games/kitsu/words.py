"""Kitsu! in words: descriptions of steps, their purposes, and the position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from kumite.core import text
from kumite.core.game import Actor, Seat, Step
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.board import (
    ALL_SEASONS,
    NAMES,
    NOWHERE,
    OPEN,
    REALM,
    SEASONS,
    squares_of,
)
from kumite.core.games.kitsu.position import FOX, KINDS, SAMURAI, TO_WIN, Clan, State
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.lines import Line, Names, Span
from kumite.tui.scenes.model import Bar, Pick, Tally
from kumite.tui.scenes.sentences import counted, joined, on, reasons

KIND_NAMES: Final = ("Samurai", "Fox")
PLURALS: Final = ("Samurai", "Foxes")
REALMS: Final = tuple(season.title() for season in SEASONS)

# --- What can be chosen ------------------------------------------------------------------------

LABELS: Final = {
    "s": "a Samurai from the hand",
    "f": "a Fox from the hand",
    "+s": "take a Samurai",
    "+f": "take a Fox",
    "stop": "stop here",
    "end": "end the turn",
}


OFFERED_FIRST: Final = (kitsu.STOP,)


def ending(view: State, seat: Seat) -> Step:
    """Return the step that ends a chain of pounces, or sends nobody off."""
    return kitsu.STOP


def likely(view: State, seat: Seat) -> str:
    """Return the next capture of a chain of pounces, or the step that ends it."""
    if view.phase != "pounce":
        return ""
    return next((NAMES[way.target] for way, _ in _captures(view, seat)), kitsu.STOP)


def missed(view: State, seat: Seat, step: Step) -> str:
    if step != kitsu.END:
        return ""
    targets = sorted({NAMES[way.target] for way in _ways(view, seat) if way.captures})
    return f"you can still capture {text.listed(targets)}" if targets else ""


def pick(view: State, seat: Seat, chosen: tuple[str, ...], part: str) -> Pick:
    if part not in NAMES:
        return Pick(f"take a {KIND_NAMES[KINDS.index(part)]} from your hand")
    square = NAMES.index(part)
    whose = "this" if owner_of(view, square) == seat else "their"
    kind = KIND_NAMES[kind_of(view, square)]
    if view.phase == "dispatch":
        return Pick(f"send {whose} {kind} to another season", kind)
    return Pick(f"choose {whose} {kind}", kind)


def order(view: State, seat: Seat, step: Step) -> str:
    way = read(step)
    captured = f" and captures the {piece(view, way.target)}" if way.captures else ""
    return f"{headline(view, step, way)}{captured}"


def headline(view: State, step: Step, way: kitsu.Way) -> str:
    match way.verb:
        case "-" | ">":
            return moved(view, way)
        case "+":
            return f"Take a {KIND_NAMES[way.kind]} to the hand"
        case "@":
            return f"Put a {KIND_NAMES[way.kind]} on {NAMES[way.target]}"
        case "~":
            whose = "your own" if owner_of(view, way.origin) == view.seat else "their"
            where = f"{NAMES[way.target]} in {REALMS[REALM[way.target]]}"
            return f"Send {whose} {piece(view, way.origin)} to {where}"
        case "stop":
            return "Stop" if view.phase == "pounce" else "Stop here, sending no neighbour"
        case _:
            return "End the turn"


def moved(view: State, way: kitsu.Way) -> str:
    verb = ("slides", "leaps")[kind_of(view, way.origin)] if way.verb == "-" else "pounces"
    return f"{piece(view, way.origin)} {verb} to {NAMES[way.target]}"


def step_name(step: Step) -> str:
    way = read(step)
    match way.verb:
        case "+":
            return f"taking a {KIND_NAMES[way.kind]}"
        case "@":
            return f"a {KIND_NAMES[way.kind]} on {NAMES[way.target]}"
        case "~":
            return f"sending {NAMES[way.origin]} to {NAMES[way.target]}"
        case "-":
            to = "capturing" if way.captures else "to"
            return f"{NAMES[way.origin]} {to} {NAMES[way.target]}"
        case ">":
            return f"pouncing {'on' if way.captures else 'to'} {NAMES[way.target]}"
    return "stopping" if way.verb == "stop" else "ending the turn"


SENDS: Final = "may send a neighbour to another season"
FEW: Final = 4  # pieces left to place, which is a way to win
MOST_NAMED: Final = 4  # squares that a preview lists; any more are only counted


def preview(view: State, seat: Seat, step: Step, look: Look) -> Line:
    way = read(step)
    landed = kitsu.apply(view, seat, step)
    after = settled(landed)
    spans: list[Span] = [(headline(view, step, way), "title")]
    if way.captures:
        spans.append(capture(view, after, way))
    if landed.owed:
        gained = (
            f"crosses: {landed.owed} to the hand" if way.verb in "->" else f"{landed.owed} more"
        )
        spans.append((gained, "gain"))
    if way.verb == "@" and 0 < (left := to_place(after.clans[seat])) <= FEW:
        spans.append((f"all but {left} are placed: placing them wins", ""))
    if turned := flipped(view, after, way):
        spans.append((f"flips {listed(turned, MOST_NAMED)}", ""))
    if after.phase in ("pounce", "dispatch"):
        spans.append((SENDS if after.phase == "dispatch" else "may pounce", ""))
    if after.reason:
        spans.append(("a draw" if after.reason == "limit" else "you win", "title"))
    elif after.turn != view.turn and way.verb != "end":
        spans.append(("ends the turn", "quiet"))
    if passed := skipped(view, after, way):
        spans.append((f"skips {passed}", "quiet"))
    return _joined(spans)


def capture(view: State, after: State, way: kitsu.Way) -> Span:
    """Return what a step captures, with the count of that kind; an own piece is a loss."""
    kind = kind_of(view, way.target)
    if owner_of(view, way.target) == view.seat:
        return f"captures own {KIND_NAMES[kind]}", "loss"
    return f"captures {KIND_NAMES[kind]} {after.clans[view.seat].taken[kind]}/{TO_WIN}", "gain"


def skipped(view: State, after: State, way: kitsu.Way) -> str:
    """Return the seasons with your pieces that a move skips, or that `end` gives up."""
    if way.verb == "end":
        passed = view.seasons
    elif way.verb not in "-@" or after.reason or view.seasons == ALL_SEASONS:
        return ""
    else:
        season = REALM[way.target if way.verb == "@" else way.origin]
        passed = view.seasons[: view.seasons.index(season)]
    board = view.clans[view.seat].board
    return " ".join(REALMS[season] for season in passed if board & OPEN[(season,)])


WIDEST: Final = 70  # columns of a preview


def _joined(spans: list[Span]) -> Line:
    """Join spans with two spaces, dropping the last ones if there is no room."""
    line, width = [spans[0]], len(spans[0][0])
    for said, role in spans[1:]:
        width += 2 + len(said)
        if width > WIDEST:
            break
        line.append((f"  {said}", role))
    return tuple(line)


# --- What a step is good for -------------------------------------------------------------------


MOST: Final = 2  # reasons given, or pieces named in one
FARTHEST: Final = 3  # pounces that are looked ahead
WIDEST_SEARCH: Final = 60  # landings of each
_ORDINALS: Final = ("", "first", "second", "third", "fourth")
_HANDS: Final = ("", "a piece", "two pieces")


def why_good(view: State, seat: Seat, step: Step) -> str:
    way = read(step)
    landed = kitsu.apply(view, seat, step)
    after, said = settled(landed), []
    if way.captures and owner_of(view, way.target) != seat:
        kind = kind_of(view, way.target)
        number = _ORDINALS[after.clans[seat].taken[kind]]
        said.append(f"it captures seat {1 - seat}'s {KIND_NAMES[kind]}, the {number} of four")
    if after.reason:
        end = "it wins the match" if seat in after.winners else "it ends the match"
        return reasons([*said, end])
    if way.verb == "+":
        return _taken(view, seat, way.kind)
    if landed.owed:
        said.append(f"it crosses a border, which brings {_HANDS[landed.owed]} to the hand")
    if way.verb == "@" and (left := to_place(after.clans[seat])) <= FEW:
        said.append(f"only {left} pieces are left to place, and placing them all wins")
    said += _aims(view, seat, way, after)
    if not said:
        said += _saved(view, seat, way, after) or _quiet(view, seat, way, after)
    return reasons(said[:MOST]) or _left(after, seat)


def why_bad(view: State, seat: Seat, step: Step, better: Step) -> str:
    here, best = (settled(kitsu.apply(view, seat, one)) for one in (step, better))
    foe = Seat(1 - seat)
    if here.reason or best.reason:
        return "ends the match" if here.reason and seat not in here.winners else ""
    if sum(here.clans[seat].taken) < sum(best.clans[seat].taken):
        return "lets a piece go that can be captured"
    if new := _in_reach(here, foe).keys() - _in_reach(best, foe).keys():
        return f"lets seat {foe} capture {_pieces(here, seat, new)}"
    if lost := _in_reach(best, seat).keys() - _in_reach(here, seat).keys():
        return f"does not threaten {_pieces(best, foe, lost)}"
    return "gives up the rest of the turn" if here.turn != view.turn == best.turn else ""


def _left(after: State, seat: Seat) -> str:
    """Return what a step without a gain leaves: the rest of the turn, or to the other clan."""
    foe = 1 - seat
    across = [way for way in _ways(after, seat) if way.verb in "->" and way.crossings]
    if across and sum(after.clans[seat].spirit):
        way = max(across, key=lambda one: one.crossings)
        who = "it" if after.phase == "pounce" else f"next the {_at(after, way.origin)}"
        brings = _HANDS[min(way.crossings, sum(after.clans[seat].spirit))]
        return f"{who} can cross a border, which brings {brings} to the hand"
    exposed, next_step = _in_reach(after, foe), f"seat {foe}'s next step"
    if not exposed:
        return f"it keeps all of seat {seat}'s pieces out of reach of {next_step}"
    if open_ := _in_reach(after, seat):
        return f"it keeps up the threat to {_pieces(after, foe, open_)}"
    only = "only " * (len(exposed) <= MOST)
    return f"{next_step} can capture {only}{_pieces(after, seat, exposed)}"


def _aims(view: State, seat: Seat, way: kitsu.Way, after: State) -> Iterator[str]:
    """Yield what the turn can capture next, which was out of reach before."""
    if after.turn != view.turn:
        return
    had = {one.target for one, _ in _captures(view, seat)}
    new = [(one, end) for one, end in _captures(after, seat) if one.target not in had]
    is_pouncing = after.phase == "pounce"
    for one, end in sorted(new, key=lambda found: not found[1].reason)[:1]:
        wins = " and win" * bool(end.reason)
        capture = f"next the {_at(after, one.origin)} can capture"
        can = "it can then pounce on" if is_pouncing else capture
        yield f"{can} seat {1 - seat}'s {_at(after, one.target)}{wins}"
    far = None if new else _pounced(after, seat)
    if far and (way.verb in "->" or far != _pounced(view, seat)):
        who = "it" if is_pouncing else f"the {_at(after, far[0])}"
        yield f"{who} can then pounce as far as seat {1 - seat}'s {_at(after, far[1])}"


def _captures(view: State, seat: int) -> Iterator[tuple[kitsu.Way, State]]:
    """Yield the next steps that capture a foe, with the position after each."""
    for step in kitsu.legal(view, Seat(seat)):
        way = read(step)
        if way.captures and owner_of(view, way.target) != seat:
            yield way, kitsu.apply(view, Seat(seat), step)


def _pounced(view: State, seat: Seat) -> tuple[int, int] | None:
    """Return a Fox and the nearest foe that it captures by pounces; None if there is none."""
    landed = [(view.at, view)]
    for _ in range(FARTHEST):
        nearer = []
        for fox, before in landed:
            for step in kitsu.legal(before, seat):
                way = read(step)
                after = settled(kitsu.apply(before, seat, step))
                if way.verb in "->" and way.kind == FOX and after.phase == "pounce":
                    first = way.origin if fox == NOWHERE else fox
                    for capture, _ in _captures(after, seat):
                        return first, capture.target
                    nearer.append((first, after))
        landed = nearer[:WIDEST_SEARCH]
    return None


def _quiet(view: State, seat: Seat, way: kitsu.Way, after: State) -> Iterator[str]:
    foe = 1 - seat
    if new := _in_reach(after, seat).keys() - _in_reach(view, seat).keys():
        yield f"it threatens {_pieces(after, foe, new)}"
    if way.verb == "~" and owner_of(view, way.origin) == foe:
        season = REALM[way.origin]
        is_last = not after.clans[foe].board & OPEN[(season,)]
        last = f", where seat {foe} has no other piece" * is_last
        yield f"seat {foe}'s {_at(view, way.origin)} has to leave {REALMS[season]}{last}"
    if turned := flipped(view, after, way) & after.clans[foe].board:
        yield f"it flips {_pieces(view, foe, squares_of(turned))}"
    for season in sorted(_seasons(after, seat) - _seasons(view, seat)):
        name = REALMS[season]
        if after.seat != seat:
            yield f"it has a piece in {name} for the next turn"
        elif season in after.seasons:
            yield f"it brings a piece to {name}, where the turn can go on"
    if way.verb == "@":
        yield f"a Fox that lands beside {NAMES[way.target]} can pounce on from there"


def _saved(view: State, seat: Seat, way: kitsu.Way, after: State) -> list[str]:
    """Return which own piece the next step of the other clan can no longer capture, if any."""
    foe = 1 - seat
    if "pounce" in (view.phase, after.phase):
        return []  # the Fox is on its way
    now = _in_reach(after, foe)
    for square, attacker in _in_reach(view, foe).items():
        by = f"seat {foe}'s {_at(view, attacker)}"
        if square == way.origin and way.target not in now:
            here, there = NAMES[square], NAMES[way.target]
            return [f"{by} could capture it at once on {here}, but nobody can on {there}"]
        if after.clans[seat].board >> square & 1 and square not in now:
            return [f"{by} no longer reaches seat {seat}'s {_at(after, square)}"]
    return []


def _taken(view: State, seat: Seat, kind: int) -> str:
    clan, lost = view.clans[seat], view.clans[1 - seat].taken
    one, other = KIND_NAMES[kind], PLURALS[1 - kind]
    if lost[kind] < lost[1 - kind]:
        return f"more {other} than {PLURALS[kind]} are lost already, so a {one} is safer"
    if clan.hand[1 - kind] and not clan.hand[kind]:
        return "a Samurai and a Fox are then in the hand, and either can be placed"
    if clan.spirit[kind] > clan.spirit[1 - kind]:
        return f"more {PLURALS[kind]} than {other} have still to be placed, and placing all wins"
    return f"a {one} in the hand can be placed, and placing all pieces wins"


def _in_reach(view: State, seat: int) -> dict[int, int]:
    """Return the foes that a seat could capture with the first step of a turn, and from where."""
    turn = view.turn + (view.seat != seat)
    begun = replace(view, turn=turn, seasons=ALL_SEASONS, at=NOWHERE, used=0, owed=0)
    found: dict[int, int] = {}
    for way, _ in _captures(begun, seat):
        found.setdefault(way.target, way.origin)
    return found


def _seasons(view: State, seat: Seat) -> set[int]:
    return {REALM[square] for square in squares_of(view.clans[seat].board)}


def _at(view: State, square: int) -> str:
    return f"{KIND_NAMES[kind_of(view, square)]} on {NAMES[square]}"


def _pieces(view: State, owner: int, squares: Iterable[int]) -> str:
    """Return pieces of a clan: `seat 1's Fox on a8, Samurai on f3 and 2 more`."""
    named = [_at(view, square) for square in sorted(squares)]
    more = [f"{len(named) - MOST} more"] * (len(named) > MOST)
    return f"seat {owner}'s {text.listed([*named[:MOST], *more])}"


# --- What a step did ---------------------------------------------------------------------------

LAST_WORDS: Final = {
    "rout": "the last one on the board",
    "spirits": "the last one waiting",
    "limit": "the last turn",
}


def narrate(before: State, actor: Actor, step: Step, after: State, names: Names) -> str:
    """Describe a past step: `ada's Fox b6 leaps to d5, captures bob's Fox (1/4), flips c5`."""
    way = read(step)
    said = [told_step(before, names[int(actor)], way, names)]
    if way.captures:
        said.append(told_capture(before, after, way, names))
    if way.verb in "->" and after.owed:
        said.append(f"crosses: {after.owed} to the hand")
    if turned := flipped(before, after, way):
        said.append(f"flips {' '.join(_names(turned))}")
    if after.reason in LAST_WORDS:
        said.append(LAST_WORDS[after.reason])
    return ", ".join(said)


def told_step(before: State, who: str, way: kitsu.Way, names: Names) -> str:
    match way.verb:
        case "-" | ">":
            return f"{who}'s {moved(before, way)}"
        case "+":
            return f"{who} takes a {KIND_NAMES[way.kind]}"
        case "@":
            return f"{who} puts a {KIND_NAMES[way.kind]} on {NAMES[way.target]}"
        case "~":
            owner = owner_of(before, way.origin)
            whose = "own" if owner == before.seat else f"{names[owner]}'s"
            return f"{who} sends {whose} {piece(before, way.origin)} to {NAMES[way.target]}"
        case "stop":
            verb = "stops" if before.phase == "pounce" else "sends nobody"
            return f"{who}'s {piece(before, before.at)} {verb}"
        case _:
            return f"{who} ends the turn"


def told_capture(before: State, after: State, way: kitsu.Way, names: Names) -> str:
    owner, kind = owner_of(before, way.target), kind_of(before, way.target)
    if owner == before.seat:
        return f"captures own {KIND_NAMES[kind]}"
    taken = after.clans[before.seat].taken[kind]
    return f"captures {names[owner]}'s {KIND_NAMES[kind]} ({taken}/{TO_WIN})"


# --- How the match stands ----------------------------------------------------------------------


def position(view: State, names: Names, you: Seat | None) -> Iterator[str]:
    seasons = ", ".join(REALMS[season] for season in view.seasons) or "none"
    is_open = "" if view.reason else f"; open seasons: {seasons}"
    yield f"Turn {view.turn} of {view.variant.limit}{is_open}."
    if view.at != NOWHERE:
        yield f"In mid-move: {piece(view, view.at)}."
    if view.used:
        yield f"Used up in this move: {text.listed(_names(view.used))}."
    for name, clan in zip(names, view.clans, strict=True):
        samurai, foxes = clan.board & view.samurai, clan.board & ~view.samurai
        yield f"{name}: " + joined((on("Samurai", _names(samurai)), on("Foxes", _names(foxes))))
        yield f"{name}, off the board: " + joined(_purse(clan))


def _purse(clan: Clan) -> Iterator[str]:
    for said, pieces, of in (
        ("in the Spirit Realm", clan.spirit, ""),
        ("in hand", clan.hand, ""),
        ("captured", clan.taken, f" of {TO_WIN}"),
    ):
        samurai, foxes = pieces
        some = f"{samurai} Samurai and {counted(foxes, 'Fox', 'Foxes')}{of}"
        yield f"{said} {some if samurai or foxes else 'nothing'}"


def tallies(view: State) -> tuple[Tally, ...]:
    return tuple(
        Tally((seat,), "", captured(seat, clan), sum(clan.taken))
        for seat, clan in enumerate(view.clans)
    )


def captured(seat: int, clan: Clan) -> tuple[Bar, Bar]:
    return (
        Bar("Samurai", clan.taken[0], TO_WIN, "samurai", 1 - seat),
        Bar("Foxes", clan.taken[1], TO_WIN, "fox", 1 - seat),
    )


def chapter(view: State) -> str:
    if kitsu.outcome(view):
        return "How it ends"
    return "Your turn" if view.phase == "move" else "The moves"


REASONS: Final = {
    "samurai": "four Samurai taken",
    "foxes": "four Foxes taken",
    "rout": "no opposing piece is left on the board",
    "spirits": "every waiting piece is on the board",
    "limit": "the last turn has ended",
}


# --- Shared ------------------------------------------------------------------------------------


def read(step: Step) -> kitsu.Way:
    way = kitsu.read(step)
    assert way is not None  # a step of the rules
    return way


def _ways(view: State, seat: Seat) -> list[kitsu.Way]:
    return [read(step) for step in kitsu.legal(view, seat)]


def owner_of(view: State, square: int) -> int:
    return view.clans[1].board >> square & 1


def kind_of(view: State, square: int) -> int:
    return SAMURAI if view.samurai >> square & 1 else FOX


def piece(view: State, square: int) -> str:
    return f"{KIND_NAMES[kind_of(view, square)]} {NAMES[square]}"


def _names(squares: int) -> list[str]:
    return [NAMES[square] for square in squares_of(squares)]


def listed(squares: int, most: int) -> str:
    """Return the names of squares, or the first ones and the number of the others."""
    names = _names(squares)
    if len(names) <= most:
        return " ".join(names)
    return " ".join([*names[: most - 1], f"+{len(names) - most + 1}"])


def due(view: State) -> str:
    """Return what the phase asks for, in a few words; empty after the end."""
    match view.phase:
        case "move" if view.seasons == ALL_SEASONS:
            return "Move in any season"
        case "move":
            return "Move on, or end the turn"
        case "take":
            return f"Crossed: take {view.owed} to the hand"
        case "pounce":
            return f"{piece(view, view.at)} may pounce, or stop"
        case "dispatch":
            return f"{NAMES[view.at]} may send a neighbour"
        case _:
            return ""


def to_place(clan: Clan) -> int:
    """Return how many pieces still wait; a clan wins with none."""
    return sum(clan.spirit + clan.hand)


def settled(after: State) -> State:
    """Return the position after taking what is owed; the kinds taken make no difference here."""
    while after.phase == "take":
        after = kitsu.apply(after, after.seat, kitsu.legal(after, after.seat)[0])
    return after


def flipped(before: State, after: State, way: kitsu.Way) -> int:
    """Return the pieces that were flipped where they stand."""
    moved = 0
    for square in (way.origin, way.target):
        if square != NOWHERE:
            moved |= 1 << square
    return (before.samurai ^ after.samurai) & before.pieces & ~moved
