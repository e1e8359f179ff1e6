"""Judge the first turns of a game once, for long: `python -m kumite.tools.first_looks kitsu`.

Hints, tutors, analyses and reviews read the result, `tui/bots/first_looks.txt`: everybody meets
these positions. Compiled loops search each for about SECONDS (six minutes a game on one core of
2026). From the start of a match for two, each judged position leads to those after its best steps,
the likeliest first, and early ones before late ones; after the first position every step is
followed, with a share of STRAY at least. It ends after POSITIONS a game. Without a game, all are
judged. Rows in the file are not searched again: a run can be interrupted and continued, and rows
are deleted by hand when a bot has changed.
Games with secrets are left out: their hands differ, or their choice is solved at once.

`--met 200` only counts, in 200 matches of low levels, how many of the positions of the first and of
the second turn the table holds, and how many would be held at best by one of as many rows: of those
that were met most in another 200 matches.
"""

from __future__ import annotations

import heapq
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, pairwise
from math import exp
from random import Random
from typing import Final

from kumite.core import bots
from kumite.core.game import Seat, Setup
from kumite.core.games import NAMES, find
from kumite.core.match import Match
from kumite.tools import bot_matches
from kumite.tui.bots import kernels
from kumite.tui.bots.advice import LEVEL
from kumite.tui.bots.evaluation import judgement
from kumite.tui.bots.first_looks import FILE, LATEST, MOST, key_of, line_of, shipped

SECONDS: Final = 4
POSITIONS: Final = 150
TURNS: Final = 2
STEPS: Final = 3  # of a match are judged, however few the turns
COLD: Final = 0.1  # a step worth this much less than the best is followed e times as rarely
FADE: Final = 0.85  # of a position's share goes to the next: few matches follow a line for long
PLAYERS: Final = ("1", "2", "3", "5")  # whom `met` lets play
STRAY: Final = 0.3  # of the first position: whoever takes no hint makes any step


def looks(game_id: str) -> Iterator[str]:
    simulations = SECONDS * kernels.times_as_fast(game_id) * bots.usual(LEVEL, game_id)
    tie = count()
    start = Match.begin(Setup.of(find(game_id), 2))
    due, known = [(-1.0, next(tie), start)], set[str]()
    while due and len(known) < POSITIONS:
        weight, _, match = heapq.heappop(due)
        seat = Seat(int(match.actors[0]))
        legal, position = match.legal(seat), bots.Position.of(match, seat)
        best, compared = legal[0], {legal[0]: 0.0}
        if len(legal) > 1:
            if (key := key_of(position)) in known:
                continue
            known.add(key)
            judged = shipped(position)
            if judged is None:
                rng = Random(match.digest.hex())
                choice = bots.find(LEVEL)(position, rng, bots.Budget(simulations))
                judged = judgement(choice, seat, simulations, is_mixed=False)
            best, compared = judged.step, dict(judged.compared[:MOST])
            yield line_of(key, judged)
        for step in legal:
            less = compared[best] - compared.get(step, -1.0)
            share = max(exp(-less / COLD), 0 if match.number else STRAY)
            after = match.play(seat, step)
            is_early = after.number < STEPS or (_turn(after) < TURNS and after.number <= LATEST)
            if after.outcome is None and is_early:
                heapq.heappush(due, (FADE * weight * share, next(tie), after))


def _turn(match: Match) -> int:
    """Return the number of turns before the present one."""
    whose = [one.actors[0] for one in match.line()]
    return sum(one != after for one, after in pairwise(whose))


def met(game_id: str, seeds: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Yield the turn, 0 or 1, and the key of each choice that low levels meet."""
    setup = Setup.of(find(game_id), 2)
    for seed in seeds:
        rng = Random(f"met {seed}")
        players = [bots.find(rng.choice(PLAYERS)) for _ in range(2)]
        for match, where in bot_matches.positions(Match.begin(setup), players, rng):
            if where is None or (turn := _turn(match)) >= TURNS:
                break
            if len(where.legal) > 1:
                yield turn, key_of(where)


def count_met(game_id: str, rows: Sequence[str], matches: int) -> None:
    """Print the share of the positions of each turn that is held, and that could be at best."""
    seen, usual = (Counter(met(game_id, range(first, first + matches))) for first in (0, matches))
    held = {row.split()[0] for row in rows}
    best = {key for (_, key), _ in usual.most_common(len(rows))}
    for turn in range(TURNS):
        here = [(key, times) for (at, key), times in seen.items() if at == turn]
        whole, one, other = (
            sum(times for key, times in here if keys is None or key in keys)
            for keys in (None, held, best)
        )
        print(f"{game_id}, turn {turn + 1}: of {whole} positions ({len(here)} different) "
              f"{100 * one / whole:.0f} % are held, at best {100 * other / whole:.0f} % "
              f"by {len(rows)} rows")  # fmt: skip


def main() -> None:
    said = FILE.read_text(encoding="utf-8").partition("\n# ")[2].split("\n# ")
    kept = {game_id: rows for game_id, *rows in (one.splitlines() for one in said)}
    arguments = sys.argv[1:]
    if "--met" in arguments:
        at = arguments.index("--met")
        matches = int(arguments[at + 1])
        for game_id in arguments[:at] or kept:
            count_met(game_id, kept[game_id], matches)
        return
    for game_id in NAMES:
        is_asked = game_id in (arguments or NAMES)
        if is_asked and find(game_id).SECRETS is None and not kernels.load(game_id):
            kept[game_id] = []
            for row in looks(game_id):
                kept[game_id].append(row)
                write(kept)
            print(game_id, len(kept[game_id]), flush=True)


def write(rows: Mapping[str, Sequence[str]]) -> None:
    head = "# Made by tools/first_looks.py: key, seat, simulations, and steps with per mille"
    lines = chain.from_iterable([f"# {game_id}", *found] for game_id, found in rows.items())
    FILE.write_text("\n".join((head, *lines, "")), encoding="utf-8")


if __name__ == "__main__":
    main()
