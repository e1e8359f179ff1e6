"""A game's presentation: its scene, its steps in parts, and the wording of both.

A game overrides functions in the modules of its folder in tui/games (`SOURCES`). The defaults here
need only its rules, so every game can be played, watched and replayed immediately.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from kumite.core.game import CHANCE, HOLE, Actor, Game, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.lazy_modules import Modules
from kumite.tui.look.glyphs import LOOKS, Look
from kumite.tui.scenes.lines import Line, Names, Span, fit, fold, width
from kumite.tui.scenes.model import (
    NO_BOARD,
    NO_TRACE,
    Cell,
    Interlude,
    Milestone,
    Past,
    Pick,
    Scene,
    Sign,
    Tally,
    Trace,
    scene_text,
)
from kumite.tui.scenes.motion import Frame, board_frames

if TYPE_CHECKING:
    from types import ModuleType

    from kumite.core.match import Match

COLUMNS: Final = 47  # of the field and of the tray, in a terminal of 80
ROWS: Final = 17  # of the text, so that four lines of chips still fit below it into 24
_ROOM: Final = 150  # columns of chips offered together: four lines with ragged ends
_CHIP: Final = 3  # columns of a chip besides its text
_MORE: Final = " "  # ends an incomplete part: steps contain no spaces, so no such part is a step
_WORD: Final = re.compile(r"[A-Za-z]+[^A-Za-z0-9]*|[0-9]+[^A-Za-z0-9]*|[^A-Za-z0-9]+")
_NAME: Final = 20  # columns of a name in the panel
_STEP: Final = 40  # columns of a step in the hint


class SceneMaker:
    """The presentation of a game: the functions of its modules, with defaults.

    The modules define functions and constants of these names, which get views only.
    """

    PARTS: tuple[str, ...] = ("step",)
    """The units of a match, the smallest first: `card`, `trick`, `round`."""
    OFFERED_FIRST: tuple[str, ...] = ()
    """The parts that stand before all others beside the board."""
    LABELS: Mapping[str, str] = {}
    """What parts are called that are neither cells of the board nor in the tray."""
    REASONS: Mapping[str, str] = {}
    """The wording of an outcome's reason, by its code."""
    COURSE = "score"
    """What is drawn over time for each side."""

    def __init__(self, game: Game[Any], *modules: ModuleType) -> None:
        self.game = game
        for module in modules:
            for name, given in vars(module).items():
                is_own = getattr(given, "__module__", module.__name__) == module.__name__
                if is_own and not name.startswith("_") and name in vars(SceneMaker):
                    setattr(self, name, given)

    # --- The table and its steps ---

    def scene(
        self, view: Any, names: Names, look: Look, you: Seat | None, past: Past = ()
    ) -> Scene:
        """Return the table as seen from the seat `you` (None: by a spectator)."""
        lines = [
            folded
            for line in self.game.text(view).split("\n")
            for folded in fold(((line, ""),), COLUMNS, indent=2)
        ]
        if len(lines) > ROWS:
            left = len(lines) - ROWS + 1
            lines[-left:] = [((f"({left} more lines)", "quiet"),)]
        to_act = self.game.actors(view)
        seats = tuple(
            (
                (f"{look.pointer if seat in to_act else ' '} ", "title"),
                (f" {look.solid[seat]} ", f"base-{seat}"),
                (f" {fit(name, min(_NAME, width(name)))}", ""),
            )
            for seat, name in enumerate(names)
        )
        return Scene(NO_BOARD, seats, (), picture=tuple(lines))

    def parts(self, step: Step, legal: tuple[Step, ...] = ()) -> tuple[str, ...]:
        """Return the names of cells and chips that are chosen in order to make a step.

        `legal` are the steps to choose from; most games ignore it. No step's parts may be a prefix
        of another legal step's. The default is the step itself if the game draws its own table;
        text steps, if many, are split by common prefixes.
        """
        return (step,) if "scene" in vars(self) else _parts(legal).get(step, (step,))

    def ending(self, view: Any, seat: Seat) -> Step | None:
        """Return the step that ends what is under way within a turn, if there is one.

        Choosing what can only be chosen after it makes it.
        """
        return None

    def likely(self, view: Any, seat: Seat) -> str:
        """Return the part on which the cursor begins; "": on the nearest that can be chosen."""
        return ""

    def step_from_parts(self, view: Any, seat: Seat, parts: tuple[str, ...]) -> Step:
        """Return the step of these parts, legal or not; "" if they are incomplete or invalid."""
        return Step("" if parts[-1].endswith(_MORE) else parts[-1])

    def marks(self, before: Any, step: Step, after: Any) -> Trace:
        """Return the squares that a step has left, reached and changed."""
        return NO_TRACE

    def laid(
        self, scene: Scene, view: Any, seat: Seat, chosen: tuple[str, ...], names: Names, look: Look
    ) -> Scene:
        """Return the scene with the parts chosen so far; boards mark their squares themselves."""
        return scene

    def frames(self, before: Scene, after: Scene, step: Step) -> tuple[Frame, ...]:
        """Return the animation between two scenes; by default, pieces that move."""
        return board_frames(before, after)

    def ghosts(self, view: Any, seat: Seat, step: Step, scene: Scene) -> Mapping[str, Cell]:
        """Return how squares look while the cursor offers a step that would change them."""
        return {}

    def milestone(self, before: Any, actor: Actor, step: Step, after: Any) -> Milestone:
        """Return the units that a step completes, and whether it is a turning point."""
        return Milestone(1)

    def place_in_turn(self, view: Any) -> tuple[int, int]:
        """Return the number of the next step in its turn, and of how many; 0: not counted."""
        return 0, 0

    def interlude(
        self, before: Any, actor: Actor, step: Step, after: Any, names: Names
    ) -> Interlude | None:
        """Return a view that the next step would erase, to be shown first; usually None."""
        return None

    def tallies(self, view: Any) -> tuple[Tally, ...]:
        """Return the score of each side, in the order of their first seats."""
        return ()

    def at_end(self, view: Any) -> Any:
        """Return the position to draw after the end of the match."""
        return view

    # --- Wording ---

    def label(self, part: str, look: Look) -> str:
        """Return the label of a part that is neither a cell of the board nor in the tray."""
        said = self.LABELS.get(part, part)
        return f"{said.removesuffix(_MORE)}.." if said.endswith(_MORE) else said

    def sprite(self, part: str) -> str:
        """Return the sprite of such a part; "" if it has only a label."""
        return ""

    def missed(self, view: Any, seat: Seat, step: Step) -> str:
        """Return what this legal step would plainly miss, a sentence, to be asked once; or ""."""
        return ""

    def pick(self, view: Any, seat: Seat, chosen: tuple[str, ...], part: str) -> Pick:
        """Describe choosing a part that does not complete a step: `choose this Fox`."""
        return Pick(f"choose from {part.removesuffix(_MORE)}.." if part.endswith(_MORE) else "")

    def order(self, view: Any, seat: Seat, step: Step) -> str:
        """Describe a legal step as an order: `lay a base on f7`."""
        return step

    def step_name(self, step: Step) -> str:
        """Return the name of a step within a sentence: `f7`, `the orange 4`.

        Use the notation only if it refers to something visible on the table.
        """
        return step

    def preview(self, view: Any, seat: Seat, step: Step, look: Look) -> Line:
        """Describe a legal step and its effect; by default, who acts next or who wins."""
        said = fit(step, min(_STEP, width(step)))
        after = self.game.apply(view, seat, step)
        if outcome := self.game.outcome(after):
            won = seat in outcome.winners
            how = "you win" if won else "lost" if outcome.winners else "a draw"
            return ((said, "title"), (f"  ends the match: {how}", "gain" if won else "loss"))
        then = self.game.actors(after)
        if seat in then:
            return ((said, "title"), ("  and you continue", "quiet"))
        if then == (CHANCE,):
            return ((said, "title"), ("  then chance decides", "quiet"))
        return ((said, "title"), (f"  then it is seat {then[0]}'s turn", "quiet"))

    def why_good(self, view: Any, seat: Seat, step: Step) -> str:
        """Return briefly why a legal step is good, "" if there is no obvious reason."""
        outcome = self.game.outcome(self.game.apply(view, seat, step))
        return "it wins the match" if outcome and seat in outcome.winners else ""

    def why_bad(self, view: Any, seat: Seat, step: Step, better: Step) -> str:
        """Return what a step does worse than the best one, which it does not name.

        The step is its subject: `leaves seat 1 4 flags to take, the best step 2`.
        """
        return ""

    def threats(self, view: Any, seat: Seat, names: Names) -> Iterable[str]:
        """Yield sentences about what others could do to `seat`, where the rules hide their steps.

        Nothing: the others' legal steps are looked at.
        """
        return ()

    def narrate(self, before: Any, actor: Actor, step: Step, after: Any, names: Names) -> str:
        """Describe a step's effect in a sentence, as the views show it; "" omits it."""
        who = "chance" if actor == CHANCE else names[int(actor)]
        return f"{who} chooses in secret" if step == HOLE else f"{who} plays {step}"

    def position(self, view: Any, names: Names, you: Seat | None) -> Iterable[str]:
        """Yield sentences about the position, for screen readers, as `you` knows it."""
        text = scene_text(self.scene(view, names, LOOKS["ascii"], you))
        return (line for line in text.split("\n") if line.strip())

    def gist(self, view: Any, names: Names, you: Seat | None) -> Iterable[str]:
        """Yield what a player who wants to hear little needs of the position at each turn."""
        return ()

    def things(self, view: Any) -> Mapping[str, str]:
        """Return what each card or token does, by the name that is typed."""
        return {}

    def discarded(self, view: Any) -> str:
        """Return a sentence with the played cards that nobody may look through, or ""."""
        return ""

    def signs(self, view: Any, names: Names, look: Look) -> Iterable[Sign]:
        """Return the meaning of each sign on the table, for the help."""
        return ()

    def chapter(self, view: Any) -> str:
        """Return the heading of the rules page that is relevant now."""
        return "How it ends" if self.game.outcome(view) else "Your turn"

    def reason(self, view: Any, code: str) -> str:
        """Return the wording of an outcome's reason code; `view` is the last position."""
        return self.REASONS.get(code) or code.replace("-", " ")


SOURCES: Final = ("scene", "words", "picture")


@cache
def maker_of(game_id: str) -> SceneMaker:
    parts = (Modules[Any]("kumite.tui.games", source, (game_id,)) for source in SOURCES)
    return SceneMaker(GAMES[game_id], *(one for part in parts for one in part.values()))


def seat_signs(setup: Setup, look: Look) -> list[Span]:
    """Return each seat's sign in its colour, as the game's table shows it beside the name."""
    names = [f"seat {seat}" for seat in range(setup.seats)]
    view = setup.game.start(setup.seats, setup.options)
    rows = _maker(setup.game).scene(view, names, look, None).seats
    return [row[1] for row in rows if any(text.strip() in names for text, _ in row)]


def maker(match: Match) -> SceneMaker:
    return _maker(match.game)


def _maker(game: Game[Any]) -> SceneMaker:
    return maker_of(game.ID) if game.ID in GAMES else SceneMaker(game)


def in_words(
    match: Match, names: Names, you: Seat | None, *, counts_cards: bool = False
) -> tuple[str, ...]:
    """Return the position in sentences; `counts_cards` adds discarded cards."""
    makes = maker(match)
    gone = makes.discarded(match.state) if counts_cards else ""
    return (*makes.position(match.state, names, you), *filter(None, (gone,)))


# --- Splitting many steps into parts ----------------------------------------------------------


@lru_cache(maxsize=8)
def _parts(legal: tuple[Step, ...]) -> Mapping[Step, tuple[str, ...]]:
    """Return the parts of each step, so that each choice fits on the screen."""
    return dict(_split(legal, 0, ()))


def _split(
    steps: Sequence[Step], size: int, chosen: tuple[str, ...]
) -> list[tuple[Step, tuple[str, ...]]]:
    """Return the parts of steps that share their first `size` characters.

    `chosen` are the parts before, which spell those characters or their beginning.
    """
    if _columns(steps) <= _ROOM:
        return [(step, (*chosen, step)) for step in steps]
    said = sum(len(part) - len(_MORE) for part in chosen)
    groups = _groups(steps, lambda step: _with_word(step, size))
    offered = (same[0] if len(same) == 1 else head[said:] for head, same in groups.items())
    if _columns(offered) > _ROOM:
        groups = _groups(steps, lambda step: step[: size + 1])
    parts: list[tuple[Step, tuple[str, ...]]] = []
    for head, same in groups.items():
        if len(same) == 1:
            parts.append((same[0], (*chosen, same[0])))
        elif len(same) == len(steps):  # nothing to choose yet
            parts += _split(same, len(head), chosen)
        else:
            parts += _split(same, len(head), (*chosen, head[said:] + _MORE))
    return parts


def _groups(steps: Sequence[Step], head_of: Callable[[Step], str]) -> dict[str, list[Step]]:
    groups: dict[str, list[Step]] = {}
    for step in steps:
        groups.setdefault(head_of(step), []).append(step)
    return groups


def _with_word(step: Step, size: int) -> str:
    found = _WORD.match(step, size)
    return step[: found.end() if found else size]


def _columns(texts: Iterable[str]) -> int:
    return sum(len(text) + _CHIP for text in texts)
