"""Kuzushi on the table: the growing board, hands and scores, what a step gains."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.core.game import Seat, Step
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.games.kuzushi.rules import CARDS, State, squares_of
from kumite.tui.scenes.kuzushi import legend
from kumite.tui.scenes.lines import Elastic, Line, broadest, player
from kumite.tui.scenes.model import (
    Board,
    Cell,
    Milestone,
    Pick,
    Scene,
    Trace,
    checkered,
    no_interlude,
)
from kumite.tui.scenes.motion import Frame, board_frames
from kumite.tui.scenes.sentences import reasons

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.core.game import Actor, Outcome
    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes.model import Happening

ID: Final = kuzushi.ID
PARTS: Final = ("turn",)

MOST_NAMED: Final = 2  # seats of which a preview says what they lose
CLEAR: Final = 3  # points ahead; by one or two nearly every step takes the lead
_SHORE: Final[Line] = (("", "/sea-a"),)  # beyond the squares that are shown


def scene(
    view: State,
    names: Sequence[str],
    look: Look,
    you: Seat | None,
    past: Sequence[Happening] = (),
) -> Scene:
    """Return the board within its limits, a line for each seat, and how far the board may grow."""
    seats, facts = _seats(view, names, look, you), _facts(view, look)
    return Scene(_board(view, look), seats, facts, due="lay a card or turn one over", side=you)


def contested(view: State) -> int:
    """Return the empty squares beside a base that nobody holds (fact F1 of the rules)."""
    near = 0
    for bases in view.bases:
        for square in squares_of(bases):
            near |= view.grid.near[square]
    return near & ~view.cards & view.grid.window(view.cards)


def _board(view: State, look: Look) -> Board:
    files, ranks = _shown(view)
    stride, names = 2 * view.limit, view.grid.names
    glyphs, sprites = _glyphs(view, look), _sprites(view)
    window, near = view.grid.window(view.cards), _beside(view)

    def cell(file: int, rank: int) -> Cell:
        square = rank * stride + file
        if not window >> square & 1:
            return Cell("", " ", "outside", ground=checkered("sea", file, rank))
        glyph, role, *aim = glyphs.get(square, (look.free, "fits", look.target))
        kind = checkered("field" if near >> square & 1 else "land", file, rank)
        sprite, owner, ground = sprites.get(square, ("", None, kind))
        name, sign = names[square], aim[0] if aim else ""
        return Cell(name, glyph, role, sign, sprite=sprite, owner=owner, ground=ground)

    return Board(
        tuple(tuple(cell(file, rank) for file in files) for rank in reversed(ranks)),
        tuple((chr(ord("a") + f), _label(window & view.grid.files[f])) for f in files),
        tuple((str(r + 1), _label(window & view.grid.ranks[r])) for r in reversed(ranks)),
        names[view.grid.city],
        edges=(_SHORE, _SHORE),
    )


def _shown(view: State) -> tuple[range, range]:
    """Return the files and ranks that are shown: those on which a card may be laid now, and more.

    So squares are large. They are shown in a few numbers only, and from the city on to all sides as
    long as that will do: so squares do not change their size and place with every step.
    """
    left, right, low, high = view.grid.box(view.cards)
    return _around(view.limit, left, right), _around(view.limit, low, high)


def _around(limit: int, first: int, last: int) -> range:
    """Return the files (or ranks) shown of a board that goes from `first` to `last`."""
    reach = limit - 1  # so far the board may go from either end, and the grid from the city
    least, most = max(first - 1, last - reach, 0), min(last + 1, first + reach, 2 * reach)
    counts = limit // 2 + 2, limit, limit + 1
    count = next(count for count in counts if count > most - least)
    start = max(most - count + 1, min(least, reach - count // 2))
    start = max(0, min(start, 2 * reach + 1 - count))
    return range(start, start + count)


def _beside(view: State) -> int:
    """Return the squares beside any card."""
    near = 0
    for square in squares_of(view.cards):
        near |= view.grid.near[square]
    return near


def _glyphs(view: State, look: Look) -> dict[int, tuple[str, str]]:
    """Return glyph and role of the squares on which something lies, or two would lay a flag."""
    found = {view.grid.city: (look.city, "city")}
    found |= dict.fromkeys(squares_of(contested(view)), (look.contested, "contested"))
    for seat, (bases, flags) in enumerate(zip(view.bases, view.flags, strict=True)):
        found |= dict.fromkeys(squares_of(bases), (look.solid[seat], f"base-{seat}"))
        found |= dict.fromkeys(squares_of(flags), (look.hollow[seat], f"flag-{seat}"))
    return found


def _sprites(view: State) -> dict[int, tuple[str, int | None, str]]:
    """Return sprite, owner and ground of the same squares."""
    found: dict[int, tuple[str, int | None, str]] = {view.grid.city: ("city", 0, "seat-0-dim")}
    for seat, (bases, flags) in enumerate(zip(view.bases, view.flags, strict=True)):
        ground = f"seat-{seat}-dim"
        found |= dict.fromkeys(squares_of(bases), ("base", seat, ground))
        found |= dict.fromkeys(squares_of(flags), ("flag", seat, ground))
    return found | dict.fromkeys(squares_of(contested(view)), ("contested", None, "field-a"))


def _label(squares: int) -> str:
    return "label" if squares else "outside"


def _seats(view: State, names: Sequence[str], look: Look, you: Seat | None) -> tuple[Line, ...]:
    wide = broadest(names)
    to_act = kuzushi.actors(view)
    lines: list[Line] = [((Elastic(" " * wide), ""), (f"{'':6} score cards", "quiet"))]
    for seat, name in enumerate(names):
        sign = (f" {look.solid[seat]} ", f"base-{seat}")
        lines.append(
            (
                *player(name, wide, look, sign, is_to_act=seat in to_act, is_you=seat == you),
                (f" {view.score(seat):5}", ""),
                (f" {view.hand(seat):5}", ""),
            )
        )
    return tuple(lines)


def _facts(view: State, look: Look) -> tuple[Line, ...]:
    left, right, low, high = view.grid.box(view.cards)
    across, height = right - left + 1, high - low + 1
    size: Line = (
        (f"Board {across}{look.times}{height}", ""),
        (f", at most {view.limit}{look.times}{view.limit}", "quiet"),
    )
    # Of a side, it may grow by what is left of the limit; a1 and the last square never stop it.
    wide, tall = view.limit - across, view.limit - height
    sideways, upright = look.arrows[:2], look.arrows[2:]
    ways = [f"{sideways} by {wide}"] * bool(wide) + [f"{upright} by {tall}"] * bool(tall)
    grow: Line = (("It cannot grow any more.", "quiet"),)
    if ways:
        grow = (("It may grow ", ""), (", ".join(ways), "title"))
    fight = contested(view).bit_count()
    count: Line = (
        (f"{look.contested} ", "contested"),
        (f"{fight} contested {'square' if fight == 1 else 'squares'}", ""),
    )
    return (size, grow, count, (("Score: city, bases, flags", "quiet"),))


signs = legend.signs


def parts(step: Step, legal: tuple[Step, ...] = ()) -> tuple[str, ...]:
    """Return the one square that is chosen: a place and a flip never share one."""
    return (step.removesuffix("+"),)


def marks(before: State, step: Step, after: State) -> Trace:
    """Return the square of the base, and those on which flags were laid, turned or taken."""
    base = frozenset(parts(step))
    changed = 0
    for was, now in zip(before.flags, after.flags, strict=True):
        changed |= was ^ now
    names = frozenset(before.grid.names[square] for square in squares_of(changed))
    return Trace(reached=base, changed=names - base)


def step_from_parts(view: State, seat: Seat, parts: tuple[str, ...]) -> Step:
    """Return a base on the square: the rules then speak of what lies there."""
    return Step(parts[0]) if len(parts) == 1 else Step("")


def label(part: str, look: Look) -> str:
    """Return the square's own name: all parts are squares."""
    return part


def pick(view: State, seat: Seat, chosen: tuple[str, ...], part: str) -> Pick:
    """Return nothing: whatever is chosen completes a step."""
    return Pick("")


def step_name(step: Step) -> str:
    """Return what a step is called: `f7`, `turning f7 over`."""
    name = parts(step)[0]
    return f"turning {name} over" if step.endswith("+") else name


def order(view: State, seat: Seat, step: Step) -> str:
    """Say what a step is: `lay a base on f7`."""
    name = parts(step)[0]
    return f"turn the {name} flag" if step.endswith("+") else f"lay a base on {name}"


def preview(view: State, seat: Seat, step: Step, look: Look) -> Line:
    """Say what a step would gain, and what the others would lose."""
    after = kuzushi.apply(view, seat, step)
    line: list[tuple[str, str]] = [(order(view, seat, step), "title")]
    if outcome := kuzushi.outcome(after):
        line.append((f"  the match ends: {_ending(outcome, seat)}", "title"))
    else:
        was, now = view.score(seat), after.score(seat)
        line.append(
            (f"  score {was} {look.arrows[1]} {now}" if was != now else f"  score stays {now}", "")
        )
    gained = (after.flags[seat] & ~view.flags[seat]).bit_count()
    line += [(f"  +{gained} {_flags(gained)}", "gain")] * bool(gained)
    both = enumerate(zip(view.flags, after.flags, strict=True))
    lost = {one: (was & ~now).bit_count() for one, (was, now) in both if one != seat and was & ~now}
    if len(lost) > MOST_NAMED - bool(outcome):
        return (*line, (f"  others lose {sum(lost.values())}", "loss"))
    # The table puts names for the seats.
    return (*line, *((f"  seat {other} loses {count}", "loss") for other, count in lost.items()))


def _ending(outcome: Outcome, seat: Seat) -> str:
    if seat not in outcome.winners:
        return "you lose"
    return "you win" if len(outcome.winners) == 1 else "you share the win"


def why_good(view: State, seat: Seat, step: Step) -> str:
    """Say that a step wins, what it takes, and whether it takes the lead."""
    after = kuzushi.apply(view, seat, step)
    if outcome := kuzushi.outcome(after):
        return "it wins the match" if seat in outcome.winners else ""
    gained = (after.flags[seat] & ~view.flags[seat]).bit_count()
    lost = sum((view.flags[one] & ~after.flags[one]).bit_count() for one in _others(view, seat))
    said = [f"it takes {gained} {_flags(gained)}"] * bool(gained)
    said += [f"it costs others {lost} {_flags(lost)}"] * bool(lost)
    own = frozenset({int(seat)})
    said += ["it takes the lead"] * (_leaders(after) == own != _leaders(view))
    return reasons(said) or _denied(view, seat, step, after)


def _denied(view: State, seat: Seat, step: Step, after: State) -> str:
    """Say what a step that takes nothing leaves to who is next: less than before, or the least."""
    left, foe = _most_taken(after), after.turn
    if left < (was := _most_taken(replace(view, turn=foe))):
        return f"it leaves seat {foe} {left or 'no'} {_flags(left)} to take at most, not {was}"
    others = (kuzushi.apply(view, seat, one) for one in kuzushi.legal(view, seat) if one != step)
    if all(left <= _most_taken(other) for other in others if not kuzushi.outcome(other)):
        return f"it leaves seat {foe} as little to take as can be: {left or 'no'} {_flags(left)}"
    lead = after.score(seat) - max(after.score(one) for one in _others(view, seat))
    if lead > 0:
        return f"it keeps a lead of {lead}"
    return f"its base on {parts(step)[0]} stays for good"


def _most_taken(view: State) -> int:
    """Return the most flags that who is next can win, and others lose, with one step."""
    seat = view.turn
    found = [0]
    for step in kuzushi.legal(view, seat):
        after = kuzushi.apply(view, seat, step)
        won = (after.flags[seat] & ~view.flags[seat]).bit_count()
        lost = [view.flags[one] & ~after.flags[one] for one in _others(view, seat)]
        found.append(won + sum(map(int.bit_count, lost)))
    return max(found)


def _others(view: State, seat: Seat) -> list[Seat]:
    return [Seat(one) for one in range(len(view.flags)) if one != seat]


def _flags(count: int) -> str:
    return "flag" if count == 1 else "flags"


def _names(view: State, squares: int) -> str:
    return " ".join(view.grid.names[square] for square in squares_of(squares))


def narrate(before: State, actor: Actor, step: Step, after: State, names: Sequence[str]) -> str:
    """Tell what a step did: `ada lays f7, new flags e7 g7, bob loses e6`."""
    seat = int(actor)
    verb = "turns over" if step.endswith("+") else "lays"
    said = [f"{names[seat]} {verb} {parts(step)[0]}"]
    gained = after.flags[seat] & ~before.flags[seat]
    if gained:
        said.append(f"new {_flags(gained.bit_count())} {_names(after, gained)}")
    for other, (was, now) in enumerate(zip(before.flags, after.flags, strict=True)):
        lost = was & ~now
        if other != seat and lost:
            said.append(f"{names[other]} loses {_names(before, lost)}")
    if after.hand(seat) == 0:
        said.append(f"the last of {CARDS} cards")
    return ", ".join(said)


def frames(before: Scene, after: Scene, step: Step) -> tuple[Frame, ...]:
    """Return what is seen of a step on its way."""
    return board_frames(before, after)


def milestone(before: State, actor: Actor, step: Step, after: State) -> Milestone:
    """Every step is a turn; a turning point is where somebody else is clearly ahead."""
    is_new = all(before.bases) and _leaders(before) != _leaders(after)  # all have begun
    *_, second, first = sorted(after.score(seat) for seat in range(len(after.bases)))
    return Milestone(1, "lead" if is_new and first - second >= CLEAR else "")


def _leaders(view: State) -> frozenset[int]:
    scores = [view.score(seat) for seat in range(len(view.bases))]
    return frozenset(seat for seat, score in enumerate(scores) if score == max(scores))


interlude = no_interlude


def chapter(view: State) -> str:
    """Return the heading in the rules page for this position."""
    return "How it ends" if kuzushi.outcome(view) else "Your turn"


_REASONS: Final = {
    "full": "the board is full",
    "cards": "the last card is laid",
}
_TIES: Final = {
    "": "most cards on the board",
    "island": "equal scores, the larger island",
    "shared": "equal scores and islands: they share the win",
}


def reason(view: State, code: str) -> str:
    """Return the words for an outcome's reason code."""
    end, _, tie = code.partition("-")
    return f"{_REASONS[end]}; {_TIES[tie]}"
