"""Kuzushi in words: descriptions of steps, their purposes, and the position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from kumite.core.game import Actor, Outcome, Seat, Step
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.games.kuzushi.rules import CARDS, State, squares_of
from kumite.core.text import listed
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
    gained = _won(view, seat, after).bit_count()
    line += [(f"  +{counted(gained, 'flag')}", "gain")] * bool(gained)
    lost = {one: flags.bit_count() for one, flags in _lost(view, seat, after).items()}
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
    gained = _won(view, seat, after).bit_count()
    said = [f"it brings {_some_flags(gained)}"] * bool(gained)
    owners: list[str] = []
    for one, lost in _lost(view, seat, after).items():
        flags = f" {_flags(lost.bit_count())}" * (not owners)
        owners.append(f"seat {one}'s{flags} on {listed(_squares(view, lost))}")
    said += [f"it removes {listed(owners)}"] * bool(owners)
    said += ["it takes the lead"] * (leaders(after) == {seat} != leaders(view))
    if len(said) == 1 and (denied := _denied(view, seat, step)):
        said.append(denied)
    return reasons(said) or _quiet(view, seat, step, after)


def why_bad(view: State, seat: Seat, step: Step, better: Step) -> str:
    here, best = (kuzushi.apply(view, seat, one) for one in (step, better))
    if kuzushi.outcome(here) or kuzushi.outcome(best):
        return "ends the match" if kuzushi.outcome(here) else ""
    (left, after), (least, _) = map(_most_taken, (here, best))
    if left > least:
        own = here.flags[seat] & ~after.flags[seat]
        is_told = own and square_of(better) not in _squares(here, own)  # the tutor hides it
        return (
            f"lets seat {here.turn} take {_flags_on(here, own) if is_told else _some_flags(left)}"
        )
    now, most = here.score(seat), best.score(seat)
    if now < most:
        return f"brings {counted(most - now, 'card')} less than is possible"
    now, most = (_most_taken(replace(one, turn=seat))[0] for one in (here, best))
    return f"leaves fewer flags for seat {seat} to gain next" if now < most else ""


def _others(view: State, seat: Seat) -> list[Seat]:
    return [Seat(one) for one in range(len(view.flags)) if one != seat]


def leaders(view: State) -> frozenset[int]:
    scores = [view.score(seat) for seat in range(len(view.bases))]
    return frozenset(seat for seat, score in enumerate(scores) if score == max(scores))


def _won(view: State, seat: Seat, after: State) -> int:
    return after.flags[seat] & ~view.flags[seat]


def _lost(view: State, seat: Seat, after: State) -> dict[int, int]:
    """Return the flags that each of the others loses."""
    both = enumerate(zip(view.flags, after.flags, strict=True))
    return {one: was & ~now for one, (was, now) in both if one != seat and was & ~now}


def _quiet(view: State, seat: Seat, step: Step, after: State) -> str:
    """Return what a step without gains protects, denies to others, or keeps."""
    name, foe = square_of(step), after.turn
    if saved := _takeable(view, seat, foe) & ~_takeable(after, seat, foe) & after.cards:
        if step.endswith("+") and name in _squares(view, saved):
            return f"seat {foe} could take the flag on {name}; as a base it stays"
        return f"seat {foe} can no longer take {_flags_on(view, saved)}"
    if denied := _denied(view, seat, step):
        return denied
    left, was = _most_taken(after)[0], _most_taken(replace(view, turn=foe))[0]
    if left < was:
        return f"it leaves seat {foe} only {_some_flags(left)} to gain, not {was}"
    lead = after.score(seat) - max(after.score(one) for one in _others(view, seat))
    if lead > 0:
        return f"it keeps a lead of {counted(lead, 'card')}"
    if step.endswith("+"):
        return f"{name} is safe for good, and no card of the hand is spent"
    return f"the base on {name} stays for good and is one more card on the board"


def _denied(view: State, seat: Seat, step: Step) -> str:
    """Return what another seat would gain with a base on the same square; "" if nothing."""
    if step.endswith("+"):
        return ""
    found = []
    for one in _others(view, seat):
        then = kuzushi.apply(replace(view, turn=one), one, step)
        found.append((_won(view, one, then).bit_count(), -one))
    gained, other = max(found)
    if not gained:
        return ""
    where = f"a base on {square_of(step)}"
    return f"it keeps seat {-other} from {where}, which would bring {_some_flags(gained)}"


def _takeable(view: State, seat: Seat, foe: Seat) -> int:
    """Return the flags of a seat that another could remove with a step."""
    then, lost = replace(view, turn=foe), 0
    for step in kuzushi.legal(then, foe):
        lost |= view.flags[seat] & ~kuzushi.apply(then, foe, step).flags[seat]
    return lost


def _most_taken(view: State) -> tuple[int, State]:
    """Return the most flags that the next seat can win or take with one step, and what is left."""
    seat = view.turn
    best = 0, view
    for step in kuzushi.legal(view, seat):
        after = kuzushi.apply(view, seat, step)
        both = _won(view, seat, after), *_lost(view, seat, after).values()
        best = max(best, (sum(map(int.bit_count, both)), after), key=lambda one: one[0])
    return best


# --- What a step did ---------------------------------------------------------------------------


def narrate(before: State, actor: Actor, step: Step, after: State, names: Names) -> str:
    seat = Seat(int(actor))
    verb = "turns over" if step.endswith("+") else "lays"
    said = [f"{names[seat]} {verb} {square_of(step)}"]
    if gained := _won(before, seat, after):
        said.append(f"new {_flags(gained.bit_count())} {' '.join(_squares(after, gained))}")
    for other, lost in _lost(before, seat, after).items():
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
    "shared": "equal scores and islands (of {size}): they share the win",
}


def reason(view: State, code: str) -> str:
    end, _, tie = code.partition("-")
    scores = [view.score(seat) for seat in range(len(view.bases))]
    best = (seat for seat, score in enumerate(scores) if score == max(scores))
    size = max(kuzushi.island(view, seat) for seat in best)
    return f"{_REASONS[end]}; {_TIES[tie].format(size=size)}"


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


def _some_flags(count: int) -> str:
    return {0: "no flag", 1: "a flag"}.get(count, f"{count} flags")


def _flags_on(view: State, squares: int) -> str:
    return f"the {_flags(squares.bit_count())} on {listed(_squares(view, squares))}"
