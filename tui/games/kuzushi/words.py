"""Kuzushi in words: descriptions of steps, their purposes, and the position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from kumite.core.game import Actor, Outcome, Seat, Step
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.games.kuzushi.rules import CARDS, State, squares_of
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.lines import Line, Names
from kumite.tui.scenes.model import Bar, Tally
from kumite.tui.scenes.sentences import counted, joined, on, reasons

# --- What can be chosen ------------------------------------------------------------------------


def order(view: State, seat: Seat, step: Step) -> str:
    name = square_of(step)
    return f"turn the {name} flag" if step.endswith("+") else f"lay a base on {name}"


def step_name(step: Step) -> str:
    name = square_of(step)
    return f"turning {name} over" if step.endswith("+") else name


MOST_NAMED: Final = 2  # seats whose losses a preview lists


def preview(view: State, seat: Seat, step: Step, look: Look) -> Line:
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
    line += [(f"  +{counted(gained, 'flag')}", "gain")] * bool(gained)
    both = enumerate(zip(view.flags, after.flags, strict=True))
    lost = {one: (was & ~now).bit_count() for one, (was, now) in both if one != seat and was & ~now}
    if len(lost) > MOST_NAMED - bool(outcome):
        return (*line, (f"  others lose {sum(lost.values())}", "loss"))
    # The table replaces seats by names.
    return (*line, *((f"  seat {other} loses {count}", "loss") for other, count in lost.items()))


def _ending(outcome: Outcome, seat: Seat) -> str:
    if seat not in outcome.winners:
        return "you lose"
    return "you win" if len(outcome.winners) == 1 else "you share the win"


# --- What a step is good for -------------------------------------------------------------------


def why_good(view: State, seat: Seat, step: Step) -> str:
    after = kuzushi.apply(view, seat, step)
    if outcome := kuzushi.outcome(after):
        if not outcome.winners:
            return "it ends the match in a draw"
        return "it wins the match" if seat in outcome.winners else "it ends the match"
    gained = (after.flags[seat] & ~view.flags[seat]).bit_count()
    lost = sum((view.flags[one] & ~after.flags[one]).bit_count() for one in _others(view, seat))
    said = [f"it takes {counted(gained, 'flag')}"] * bool(gained)
    said += [f"it costs others {counted(lost, 'flag')}"] * bool(lost)
    own = frozenset({int(seat)})
    said += ["it takes the lead"] * (leaders(after) == own != leaders(view))
    return reasons(said) or _denied(view, seat, step, after)


def why_bad(view: State, seat: Seat, step: Step, better: Step) -> str:
    here, best = (kuzushi.apply(view, seat, one) for one in (step, better))
    if kuzushi.outcome(here) or kuzushi.outcome(best):
        return "ends the match" if kuzushi.outcome(here) else ""
    left, least = _most_taken(here), _most_taken(best)
    if left > least:
        flags = f"{left} {_flags(left)}"
        return f"leaves seat {here.turn} {flags} to take, the best step {least or 'none'}"
    now, most = here.score(seat), best.score(seat)
    if now < most:
        return f"leaves seat {seat} with a score of {now}, the best step with {most}"
    now, most = (_most_taken(replace(one, turn=seat)) for one in (here, best))
    if now < most:
        return f"leaves seat {seat} {now or 'no'} {_flags(now)} to take next, the best step {most}"
    return ""


def _others(view: State, seat: Seat) -> list[Seat]:
    return [Seat(one) for one in range(len(view.flags)) if one != seat]


def leaders(view: State) -> frozenset[int]:
    scores = [view.score(seat) for seat in range(len(view.bases))]
    return frozenset(seat for seat, score in enumerate(scores) if score == max(scores))


def _denied(view: State, seat: Seat, step: Step, after: State) -> str:
    """Return how a step without gains limits the gains of the next seat."""
    left, foe = _most_taken(after), after.turn
    if left < (was := _most_taken(replace(view, turn=foe))):
        return f"it leaves seat {foe} {left or 'no'} {_flags(left)} to take at most, not {was}"
    others = (kuzushi.apply(view, seat, one) for one in kuzushi.legal(view, seat) if one != step)
    if all(left <= _most_taken(other) for other in others if not kuzushi.outcome(other)):
        return f"it leaves seat {foe} as little to take as can be: {left or 'no'} {_flags(left)}"
    lead = after.score(seat) - max(after.score(one) for one in _others(view, seat))
    if lead > 0:
        return f"it keeps a lead of {lead}"
    return f"nobody else can use {square_of(step)} then"


def _most_taken(view: State) -> int:
    """Return the most flags that the next seat can win, or take from others, with one step."""
    seat = view.turn
    found = [0]
    for step in kuzushi.legal(view, seat):
        after = kuzushi.apply(view, seat, step)
        won = (after.flags[seat] & ~view.flags[seat]).bit_count()
        lost = [view.flags[one] & ~after.flags[one] for one in _others(view, seat)]
        found.append(won + sum(map(int.bit_count, lost)))
    return max(found)


# --- What a step did ---------------------------------------------------------------------------


def narrate(before: State, actor: Actor, step: Step, after: State, names: Names) -> str:
    seat = int(actor)
    verb = "turns over" if step.endswith("+") else "lays"
    said = [f"{names[seat]} {verb} {square_of(step)}"]
    gained = after.flags[seat] & ~before.flags[seat]
    if gained:
        said.append(f"new {_flags(gained.bit_count())} {' '.join(_squares(after, gained))}")
    for other, (was, now) in enumerate(zip(before.flags, after.flags, strict=True)):
        lost = was & ~now
        if other != seat and lost:
            said.append(f"{names[other]} loses {' '.join(_squares(before, lost))}")
    if after.hand(seat) == 0:
        said.append(f"the last of {CARDS} cards")
    return ", ".join(said)


# --- How the match stands ----------------------------------------------------------------------


def position(view: State, names: Names, you: Seat | None) -> Iterator[str]:
    grid = view.grid
    left, right, low, high = grid.box(view.cards)
    corners = f"{_square(left, low)} to {_square(right, high)}"
    yield (
        f"The board goes from {corners}: {right - left + 1} by {high - low + 1}, "
        f"at most {view.limit} by {view.limit}."
    )
    for seat, name in enumerate(names):
        yield f"{name}: " + joined(
            (
                f"score {view.score(seat)}",
                f"{counted(view.hand(seat), 'card')} left",
                on("the city", [grid.names[grid.city]]) if seat == 0 else "",
                on("bases", _squares(view, view.bases[seat])),
                on("flags", _squares(view, view.flags[seat])),
            )
        )
    if fight := contested(view):
        yield f"Contested: {', '.join(_squares(view, fight))}."


def _square(file: int, rank: int) -> str:
    return f"{chr(ord('a') + file)}{rank + 1}"


def contested(view: State) -> int:
    """Return the empty squares beside a base that nobody holds (fact F1 of the rules)."""
    return beside(view, sum(view.bases)) & ~view.cards & view.grid.window(view.cards)


def tallies(view: State) -> tuple[Tally, ...]:
    """Return the cards of each seat; the seat with the most has a full bar."""
    scores = [view.score(seat) for seat in range(len(view.bases))]
    most = max(*scores, 1)
    return tuple(
        Tally((seat,), "", (Bar("cards", score, most),), score) for seat, score in enumerate(scores)
    )


_REASONS: Final = {"full": "the board is full", "cards": "the last card is laid"}
_TIES: Final = {
    "": "most cards on the board",
    "island": "equal scores, the larger island",
    "shared": "equal scores and islands: they share the win",
}


def reason(view: State, code: str) -> str:
    end, _, tie = code.partition("-")
    return f"{_REASONS[end]}; {_TIES[tie]}"


# --- Shared ------------------------------------------------------------------------------------


def square_of(step: Step) -> str:
    """Return the square on which a base or a flag is laid, or a flag turned over."""
    return step.removesuffix("+")


def beside(view: State, squares: int) -> int:
    near = 0
    for square in squares_of(squares):
        near |= view.grid.near[square]
    return near


def _squares(view: State, squares: int) -> list[str]:
    return [view.grid.names[square] for square in squares_of(squares)]


def _flags(count: int) -> str:
    return "flag" if count == 1 else "flags"
