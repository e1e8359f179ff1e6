"""Make puzzles from new matches of bots: `python -m kumite.tools.make_puzzles kitsu --cpu 180`.

A match is determined by its number. Its puzzles are appended to a work file, one line a match, with
the verdict of a second search (second_search.py) on each. So the work can be interrupted and
resumed with the same result. Shipped puzzles are checked first. At the end, the shipped file is
written with all kinds and difficulties, and the agreement of the second search is printed.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final

from kumite.core import bots
from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.match import Match
from kumite.tools.bot_matches import positions
from kumite.tools.second_search import AGREED, verdict
from kumite.tui.bots import kernels
from kumite.tui.puzzles.making import MODULES, measured, puzzles_of
from kumite.tui.puzzles.model import FOLDER, HOLD, Puzzle, line_of, parsed, read

PLAYERS: Final = ("easy", "easy", "random", "medium")
DEFENDERS: Final = {  # levels for defence puzzles, which must make and see threats
    "kitsu": ("random", "easy", "medium", "6"),
    "kumo": ("easy", "medium", "6"),
}
OF_A_MATCH: Final = 2  # puzzles at most, since those of one match are similar
THOUGHT: Final = 60  # simulations per step in these matches,
LONGER: Final = 1500  # and in matches for defence puzzles
LONGEST: Final = 300  # steps of a match; longer ones are aimless
SHARING: Final = 3  # puzzles with one answer; more are found by habit
APART: Final = 2  # difficulties between them at most, as players expect like puzzles to be alike
EASY: Final = {"kitsune": 30}  # positions of the second search; with fewer the round ends at once
LATE: Final = re.compile(r"\b(?:round|turn|tricks)[ =]\d+")
HEAD: Final = "# Made by tools/make_puzzles.py: goal, difficulty, position and answer\n"


def match_of(game_id: str, number: int, goal: str = "") -> Match:
    """Play match `number` between low levels, up to LONGEST steps."""
    rng = Random(f"puzzles {number}")
    names, thought = (DEFENDERS[game_id], LONGER) if goal == HOLD else (PLAYERS, THOUGHT)
    begun = Match.begin(Setup.of(find(game_id)))
    players = [bots.find(rng.choice(names)) for _ in range(begun.setup.seats)]
    played = positions(begun, players, rng, thought)
    return next(match for match, _ in played if not match.actors or match.number == LONGEST)


def shipped_now(game_id: str) -> dict[str, Puzzle]:
    path = FOLDER / f"{game_id}.txt"
    some = read(path.read_text("utf-8")) if path.is_file() else []
    return {one.id: one for one in some}


def found_of(game_id: str, goal: str, source: int | str) -> Iterator[Puzzle]:
    """Yield the puzzles of a match, or the shipped one with this id, not yet measured."""
    if isinstance(source, int):
        found = puzzles_of(game_id).finders[goal](match_of(game_id, source, goal))
        yield from islice(found, OF_A_MATCH)
    else:
        yield shipped_now(game_id)[source]


def record(game_id: str, goal: str, source: int | str, known: set[str]) -> dict[str, Any]:
    """Return the record of a match: its new puzzles, each with the second search's verdict."""
    found = []
    for one in found_of(game_id, goal, source):
        if one.id not in known:
            known.add(one.id)
            said, positions = verdict(one)
            line = line_of(measured(one) if said in AGREED else one)
            found.append({"line": line, "said": said, "positions": positions})
    return {"match": source, "puzzles": found}


def read_work(path: Path) -> list[dict[str, Any]]:
    """Read the records of a work file, ignoring an incomplete last line."""
    found = []
    for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
        try:
            found.append(json.loads(line))
        except ValueError:
            break
    return found


def chosen(puzzles: Iterable[Puzzle], most: int) -> list[Puzzle]:
    """Return at most `most` puzzles, taking each kind and difficulty in turn, rarest first.

    At most SHARING have the same answer or its mirror, and are at most APART.
    """
    some = [*{alike(one): one for one in puzzles}.values()]
    sizes = Counter((one.goal, one.level) for one in some)
    order: list[tuple[int, int, str, Puzzle]] = []
    seen: Counter[tuple[str, int]] = Counter()
    for one in some:
        kind = one.goal, one.level
        order.append((seen[kind], sizes[kind], one.id, one))
        seen[kind] += 1
    kept, sharing = list[Puzzle](), defaultdict[str, list[int]](list)
    for *_, one in sorted(order, key=lambda row: row[:3]):
        levels = sharing[min(puzzles_of(one.game.ID).mirrored(" ".join(one.answer)))]
        ends = {one.level, *levels}
        if len(levels) < SHARING and max(ends) - min(ends) <= APART:
            levels.append(one.level)
            kept.append(one)
    return sorted(kept[:most], key=lambda one: (one.level, one.id))


def is_dull(one: Puzzle) -> bool:
    """Return whether it is a one-step defence that a beginner plays without seeing the threat."""
    return one.goal == HOLD and one.level == 1 and len(one.answer) == 1


def alike(one: Puzzle) -> tuple[str, str]:
    """Return a key that similar puzzles share: goal and position, but not how late it is."""
    return one.goal, LATE.sub("", one.position)


def work(
    game_id: str, path: Path, cpu: float, matches: range, goal: str = ""
) -> list[dict[str, Any]]:
    """Search the matches that are not in the work file, and add their records to it."""
    goal = goal or next(iter(puzzles_of(game_id).finders))
    shipped = {
        one.id for one in shipped_now(game_id).values() if (one.goal == HOLD) == (goal == HOLD)
    }
    done = read_work(path)
    path.write_text("".join(f"{json.dumps(one)}\n" for one in done), encoding="utf-8")
    known = {parsed(one["line"]).id for row in done for one in row["puzzles"]}
    looked = {row["match"] for row in done}
    for source in (*sorted(shipped - known), *matches):
        if process_time() >= cpu:
            break
        if source not in looked:
            done.append(record(game_id, goal, source, known))
            with path.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(done[-1])}\n")
    return done


def _order(row: dict[str, Any]) -> tuple[bool, Any]:
    """Sort key of records: shipped puzzles first, then matches by number."""
    return isinstance(row["match"], int), row["match"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(MODULES))
    parser.add_argument("--goal", default="", help="what is looked for, if not the usual kind")
    parser.add_argument("--work", type=Path, required=True, help="the work file")
    parser.add_argument("--first", type=int, default=1, help="the number of the first match")
    parser.add_argument("--matches", type=int, default=200, help="how many there are")
    parser.add_argument("--cpu", type=float, default=180.0, help="seconds of the processor")
    parser.add_argument("--most", type=int, default=50, help="puzzles that are shipped")
    given = parser.parse_args()
    matches = range(given.first, given.first + given.matches)
    goals = puzzles_of(given.game).finders
    if given.goal not in ("", *goals):
        parser.error(f"--goal is one of: {' '.join(goals)}")
    kernels.load_for(given.game, PLAYERS)
    done = work(given.game, given.work, given.cpu, matches, given.goal)
    rows = [one for row in sorted(done, key=_order) for one in row["puzzles"]]
    least = EASY.get(given.game, 0)
    agreed = [one for one in rows if one["said"] in AGREED and one["positions"] >= least]
    sound = [one for one in (parsed(row["line"]) for row in agreed) if not is_dull(one)]
    looked_at = {parsed(one["line"]).id for one in rows}
    others = [one for one in shipped_now(given.game).values() if one.id not in looked_at]
    kept = chosen([*others, *sound], given.most)
    text = HEAD + "".join(f"{line_of(one)}\n" for one in kept)
    (FOLDER / f"{given.game}.txt").write_text(text, encoding="utf-8")
    said = Counter(one["said"] for one in rows)
    kinds = Counter(one.goal for one in kept)
    print(f"{len(done)} matches, {len(rows)} puzzles: {dict(said)}; shipped {dict(kinds)}")
    print(f"{process_time():.0f} s of the processor")


if __name__ == "__main__":
    main()
