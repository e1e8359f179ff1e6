"""The scene of games that have none: laws over any game, tables by keys, a replay, plain text."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest
from rich.cells import cell_len

from kumite.cli.demo import print_demo
from kumite.core.game import CHANCE, Actor, Game, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.log import Header, Log, log_text, read
from kumite.core.match import Match
from kumite.tui import scenes
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.play.local_table import LocalTable
from kumite.tui.scenes import Choice
from kumite.tui.scenes.lines import plain
from kumite.tui.scenes.maker import SceneMaker
from kumite.tui.scenes.model import scene_text
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.table import TableScreen
from tests.support import mk6
from tests.support.apps import app, frame, play, result, running, screen_of, shown, words
from tests.support.random_matches import walk
from tests.support.scene_laws import FIELD, check_choices, check_names, check_scenes
from tests.support.toy_games import Toy

TRAY_ROWS = 5  # below the text, in 24 rows


@dataclass(frozen=True)
class Wide(Toy):
    """A toy with as many steps as there are texts in `steps`."""

    ID: str = "wide"
    TITLE: str = "Wide"
    TEAMS: bool = False
    steps: tuple[str, ...] = ()

    def legal(self, state: int, actor: Actor) -> tuple[Step, ...]:
        return tuple(map(Step, sorted(self.steps))) if actor in self.actors(state) else ()


SQUARES = tuple(f"{file}{rank}" for file in "abcdefghijklmnopqrst" for rank in range(1, 21))
CODES = tuple(f"{number:03}" for number in range(400))
WORDS = tuple(
    f"{one}{two}er:{n}" for one in ("kick", "run", "pass") for two in "abc" for n in SQUARES
)
ENDS = ("a", "a+", "a+b", "ab", *(f"a{n}" for n in range(150)), *(f"ab+{n}" for n in range(90)))
WIDE = {
    "squares": Wide("01", steps=SQUARES),
    "codes": Wide("01", steps=CODES),
    "words": Wide("01", steps=WORDS),
    "beginnings": Wide("01", steps=ENDS),
}
TOYS: dict[str, Game[object]] = {"mk6": mk6, "toy": Toy("01bfc0"), **WIDE}
SETUPS = [
    Setup.of(game, seats) for game in GAMES.values() for seats in (game.SEATS[0], game.SEATS[-1])
]


def each(setup: Setup) -> str:
    return f"{setup.game.ID} {setup.seats}"


def table_of(game: Game[object]) -> TableScreen:
    return TableScreen(LocalTable(Match.begin(Setup.of(game)), ("ada", "bob"), None))


def check_laws(match: Match, makes: SceneMaker) -> None:
    for check in (check_scenes, check_names, check_choices):
        check(match, makes)


@pytest.mark.parametrize("setup", SETUPS, ids=each)
def test_every_game_that_we_have_could_be_shown_so(setup: Setup) -> None:
    check_laws(walk(setup, 1), SceneMaker(setup.game))


@pytest.mark.parametrize("game", TOYS.values(), ids=TOYS)
def test_a_game_without_a_scene_has_one_that_keeps_the_laws(game: Game[object]) -> None:
    setup = Setup.of(game)
    makes = scenes.maker(Match.begin(setup))
    assert not vars(makes).keys() - {"game"}
    check_laws(walk(setup, 1), makes)


def test_a_game_with_a_scene_keeps_it() -> None:
    for game_id, game in GAMES.items():
        assert "scene" in vars(scenes.maker_of(game_id))
        assert scenes.maker(Match.begin(Setup.of(game))) is scenes.maker_of(game_id)


@pytest.mark.parametrize("game", WIDE.values(), ids=WIDE)
def test_whatever_may_be_chosen_next_fits_below_the_text(game: Game[object]) -> None:
    match = Match.begin(Setup.of(game))
    makes, legal = scenes.maker(match), match.legal(Seat(0))
    for step in Random(1).sample(legal, 10):
        choice = Choice.of(makes, legal)
        for part in choice.parts[step]:
            assert part in choice.targets
            assert rows([makes.label(one, LETTERS) for one in choice.targets]) <= TRAY_ROWS
            assert choice.step_at(part) in (None, step)
            choice = choice.with_part(part)
        assert choice.open == (step,)
        assert len(choice.chosen) <= 4


def rows(labels: list[str]) -> int:
    """Return how many rows of the tray these chips take at least, and no more than one over."""
    return -(-sum(cell_len(label) + 3 for label in labels) // (FIELD - 2))


def test_few_steps_are_chosen_at_once() -> None:
    match = Match.begin(Setup.of(mk6)).play(Seat(0), Step("14"))
    makes, legal = scenes.maker(match), match.legal(Seat(1))
    assert [makes.parts(step, legal) for step in legal] == [(step,) for step in legal]


def test_a_long_text_says_how_much_of_it_is_left_out() -> None:
    match = walk(Setup.of(GAMES["kitsune"], 6), 1)
    picture = SceneMaker(GAMES["kitsune"]).scene(match.state, "abcdef", LETTERS, None).picture
    assert plain(picture[-1]).endswith("more lines)")
    shown_, left = len(picture) - 1, int(plain(picture[-1]).strip("(").split()[0])
    folded = sum(-(-len(line) // 47) for line in match.game.text(match.state).split("\n"))
    assert shown_ + left >= folded


async def test_a_table_is_played_by_keys_alone() -> None:
    """Two parts, a step in one, a typed one, one taken back; the hint says what comes next."""
    async with running(lambda: table_of(Wide("0101", steps=SQUARES))) as (kumite, pilot):
        screen = screen_of(kumite, TableScreen)
        assert "ada's turn" in shown(kumite, "title")
        assert shown(kumite, "picture") == "toy 0"
        await pilot.press("right", "right")
        assert "[c..]" in frame(kumite)
        await pilot.press("enter")
        assert screen.table.match.number == 0
        assert "c1" in frame(kumite)
        assert "b.." not in frame(kumite)
        await pilot.press("escape")
        assert "b.." in frame(kumite)
        await pilot.press("enter", "right", "enter")
        assert [step.step for step in screen.table.match.steps()] == ["c10"]  # Esc leads back
        assert "1 ada plays c10" in shown(kumite, "log")
        await pilot.press("colon", *"t20", "enter")
        assert "2 bob plays t20" in shown(kumite, "log")
        await pilot.press("u")
        assert screen.table.match.number == 1
        assert screen.model.seat == Seat(1)


async def test_the_hint_says_whose_turn_comes_or_how_the_match_ends() -> None:
    async with running(lambda: table_of(Toy("01", TITLE="Toy"))) as (kumite, pilot):
        await pilot.press("left")
        assert shown(kumite, "hint") == "Enter: x  then it is bob's turn"
        await pilot.press("enter")
        assert shown(kumite, "hint") == "Enter: x  ends the match: a draw"
        await pilot.press("enter")
        assert shown(kumite, "title").endswith("the end")
        assert "Over." in result(kumite)
        await pilot.press("v")  # on the card it stands in large letters
        assert "a draw" in words(kumite).casefold()


async def test_a_match_with_a_bot_is_played_to_its_end() -> None:
    match = walk(Setup.of(mk6), 5)
    assert match.outcome is not None
    before = match.back(match.number - 1)
    kumite = app(lambda: TableScreen(LocalTable(before, ("ada", "bob"), None)))
    async with kumite.run_test(size=(80, 24)) as pilot:
        screen = screen_of(kumite, TableScreen)
        play(screen, match.steps()[-1].step)
        await pilot.pause()
        assert shown(kumite, "title").endswith("the end")
        assert "Full" in result(kumite)
        await pilot.press("v")  # on the card it stands in large letters
        assert "ada won" in words(kumite)


async def test_a_log_is_replayed() -> None:
    log = log_of(walk(Setup.of(mk6), 7))
    async with running(lambda: ReplayScreen(log)) as (kumite, pilot):
        await pilot.press("right")
        assert f"ada plays {log.match.steps()[0].step}" in frame(kumite)
        assert mk6.text(log.match.back(1).state).split("\n")[-1] in shown(kumite, "picture")
        await pilot.press("end")
        assert mk6.text(log.match.state).split("\n")[1] in shown(kumite, "picture")


def log_of(match: Match) -> Log:
    header = Header("ab12", match.setup, ("ada", "bob"))
    return read(log_text(header, match))


def test_what_bots_play_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    print_demo(Setup.of(mk6), 1)
    printed = capsys.readouterr().out
    assert printed.startswith("--- start\nmk6 seat=0\n......")
    assert "--- 1. " in printed
    assert " plays " in printed
    assert "won: full" in printed or "A draw: full" in printed


def test_hidden_steps_chance_and_reasons_are_told_in_words() -> None:
    makes = SceneMaker(Toy("01"))
    assert makes.narrate(0, Seat(1), Step("?"), 1, ("ada", "bob")) == "bob chooses in secret"
    assert makes.narrate(0, CHANCE, Step("x"), 1, ("ada", "bob")) == "chance plays x"
    assert makes.reason(1, "no-room-left") == "no room left"
    assert scene_text(makes.scene(0, ("ada", "bob"), LETTERS, None)).startswith("toy 0\n\n")
