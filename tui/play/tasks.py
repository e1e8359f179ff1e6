"""Prepared positions at which one person tries to reach a goal: lessons and puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cached_property
from typing import ClassVar, Final

from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, Seat, Seats, Setup, Step
from kumite.core.games import GAMES
from kumite.core.match import Match, Played
from kumite.core.players import named
from kumite.store import practice
from kumite.tui import scenes
from kumite.tui.lessons.judging import Goal, Task
from kumite.tui.play import explained, narration
from kumite.tui.play.local_table import LocalTable, default_names
from kumite.tui.puzzles import making, turns
from kumite.tui.puzzles.model import GOALS, HOLD, TURN, TURNS, Puzzle
from kumite.tui.puzzles.own import by_game
from kumite.tui.scenes import Choice, Scene
from kumite.tui.scenes.lines import capital

AT_ONCE, LATER, SHOWN = 5, 2, 1  # grades of a puzzle: solved at the first try, failed, shown
NO_WIN: Final = "No win is left in this turn"
ON: Final = "The turn is over and the match continues, but there was a win in it."


class TaskTable(LocalTable):
    """A prepared position; only the learner acts, and nothing is saved."""

    SHOWS_WAY: ClassVar[bool] = True  # whether the answer may be given as an example

    def __init__(self, game_id: str, task: Task, names: Sequence[str] = ()) -> None:
        game = GAMES[game_id]
        position = game.parse(task.position)
        setup = Setup.of(game, *game.setup_of(position))
        by = frozenset({task.seat}) if "?" in task.position else None
        self.task, self.hidden = task, task.hidden
        self.start = Match.begin(setup, by, position)
        called = names or task.names or default_names(setup.seats)
        super().__init__(self.start, called, None)

    @property
    def mine(self) -> Seats:
        return frozenset({self.task.seat})

    @property
    def is_done(self) -> bool:
        return self.task.is_done(self.match)

    @cached_property
    def way(self) -> tuple[str, ...]:
        """Return the learner's own steps of the solution, in notation."""
        match, own = self.start, []
        for step in map(Step, self.task.solution):
            is_chance = CHANCE in match.actors
            own += [step] * (not is_chance)
            match = match.play(CHANCE if is_chance else self.task.seat, step)
        return tuple(own)

    @property
    def way_left(self) -> tuple[str, ...]:
        """Return the learner's further steps, or () after another step, unless they still help."""
        made = tuple(one.step for one in self.match.steps() if one.actor == self.task.seat)
        left = self.way[len(made) :]
        is_on_way = made == self.way[: len(made)] or (self.SHOWS_WAY and self._leads(left))
        return left if is_on_way else ()

    def _leads(self, steps: Sequence[str]) -> bool:
        """Return whether these steps can be made now, and complete the task."""
        made = (Played(self.task.seat, Step(step)) for step in steps)
        try:
            return self.task.is_done(self.match.play_all(made))
        except KumiteError:
            return False

    @property
    def next_on_way(self) -> Step | None:
        return Step(self.way_left[0]) if self.way_left else None

    @property
    def hint(self) -> str:
        """Return the task's hint, or in the midst of the solution its next step in words."""
        step, match, seat = self.next_on_way, self.match, self.task.seat
        if step is None or len(self.way_left) == len(self.way) or seat not in match.actors:
            return self.task.hint
        view = match.game.view(match.state, frozenset({seat}))
        said = scenes.maker(match).order(view, seat, step)
        return f"{capital(named(said, self.shown_names), self.shown_names)}."

    @property
    def example(self) -> str:
        return f"for example: {self.way_left[0]}" if self.SHOWS_WAY and self.way_left else ""

    @property
    def is_missed(self) -> bool:
        """True if the task failed: as many steps as it takes were made, or none is possible."""
        made = sum(played.actor == self.task.seat for played in self.match.steps())
        return not self.is_done and bool(made) and (self.is_stuck or made >= len(self.way))

    @property
    def why_not(self) -> str:
        return self.task.why_not(self.match)

    @property
    def is_stuck(self) -> bool:
        actors = self.match.actors
        return not actors or any(actor not in (CHANCE, self.task.seat) for actor in actors)

    @property
    def praise(self) -> str:
        return " ".join(self.task.praise.split())

    def anew(self) -> TaskTable:
        """Return the table for another try, with what is known about tried steps."""
        return TaskTable(self.match.game.ID, self.task)


class PuzzleTable(TaskTable):
    """The position of a puzzle; no other player answers the solver's steps."""

    DRAWS, SHOWS_WAY = False, False

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.is_graded = False  # whether a grade was recorded; only the first try counts
        self.in_a_row = 0  # puzzles solved at the first try, including this one; 0 if it was not
        self.refuted: dict[tuple[Step, ...], tuple[str, ...]] = {}  # by attempt: refutations
        # in several wordings, longest first
        self.brevity = 0  # index of the wording to show
        self.lost: set[tuple[Step, ...]] = set()  # beginnings of turns that can no longer win
        names = default_names(puzzle.start.setup.seats)
        task = Task(
            title=GOALS[puzzle.goal],
            text=making.task(puzzle, names),
            position=puzzle.position,
            seat=puzzle.seat,
            goal=Goal(lambda tried: puzzle.is_solved(tried.match), self._why_not),
            hint=narration.run_of(puzzle.start, puzzle.seat, puzzle.answer, names),
            praise="",
            solution=puzzle.answer,
        )
        super().__init__(puzzle.game.ID, task, names)

    @property
    def hint(self) -> str:
        return self.task.hint  # the whole answer

    @property
    def is_missed(self) -> bool:
        """True if the attempt has ended without the answer."""
        return self.is_stuck and not self.is_done

    @property
    def is_decided(self) -> bool:
        return self.puzzle.goal not in TURNS and bool(self.match.steps())

    @property
    def acting(self) -> Seat | None:
        """Return the solver until the puzzle is decided; after that nobody acts."""
        return None if self.is_decided else super().acting

    @property
    def tried(self) -> tuple[Step, ...]:
        """Return the steps that are compared with the answer: the whole turn or its first step."""
        made = tuple(played.step for played in self.match.steps())
        return made if self.puzzle.goal in TURNS else made[:1]

    @property
    def is_stuck(self) -> bool:
        """True if the puzzle is decided, or the solver is not among the seats to act."""
        return self.is_decided or self.puzzle.seat not in self.match.actors

    @property
    def is_lost(self) -> bool:
        """True if the turn continues but is known to be unable to win."""
        tried, ends = self.tried, range(1, len(self.tried) + 1)
        return not self.is_stuck and any(tried[:end] in self.lost for end in ends)

    def anew(self) -> PuzzleTable:
        again = PuzzleTable(self.puzzle)
        again.refuted, again.lost = self.refuted, self.lost
        again.is_graded, again.in_a_row = self.is_graded, self.in_a_row
        return again

    def clue(self, scene: Scene, choice: Choice) -> str:
        """Return a hint that leaves something to find: where the answer begins, or what it gains.

        "" once another step was made. It does not count as a missed try.
        """
        step = self.next_on_way
        if step is None:
            return ""
        parts = choice.parts.get(step, ())
        if len(parts) > 1:
            return f"It begins with {parts[0]}"
        seat = self.puzzle.seat
        good = explained.merit(self.match, seat, step, self.shown_names, seat)
        part = scene.board.part(step.rstrip("+"))
        where = f"Look at the {part} of the board" if part else "An idea"
        return f"{where}: {good or explained.NOTHING}"

    def grade(self, grade: int) -> None:
        """Record the grade of the first try; raise StoreError if it cannot be saved."""
        if not self.is_graded:
            known = practice.load().answered(self.puzzle.id, grade, date.today())
            self.is_graded, self.in_a_row = True, known.row if grade == AT_ONCE else 0
            practice.save(known)

    @property
    def praise(self) -> str:
        if self.in_a_row:
            return f"Solved at the first try; {self.in_a_row} in a row."
        return "Correct, but not at the first try. It comes back tomorrow."

    def refutation(self, match: Match) -> tuple[str, ...] | None:
        """Return what comes of a wrong attempt, in several wordings, the longest first.

        None: only a bot can tell. It takes up to some seconds.
        """
        puzzle, names = self.puzzle, self.shown_names
        if puzzle.goal == HOLD:
            win, other = turns.win_after(puzzle, match.state), Seat(1 - puzzle.seat)
            told = narration.run_of(match, other, win, names)
            # The outcome first: the list of steps can be long.
            wins = f"Then {names[other]} wins:"
            return f"{wins} {told}.", f"{wins} {' '.join(win)}."
        against = making.puzzles_of(puzzle.game.ID).against
        return None if against is None else (against(puzzle, self.tried[0], names),)

    def _why_not(self, *_: object) -> str:
        if self.puzzle.goal == TURN:
            return ON
        said = self.refuted.get(self.tried, ("A bot looks for what comes of it ...",))
        return said[min(self.brevity, len(said) - 1)]


def next_puzzle(game_id: str, before: str = "") -> Puzzle | None:
    """Return the next due or new puzzle of a game after `before`, or None."""
    every = {one.id: one for one in by_game().get(game_id, ()) if one.id != before}
    found = practice.load().following(every, date.today())
    return None if found is None else every[found]
