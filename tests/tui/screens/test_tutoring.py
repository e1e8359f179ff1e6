"""The tutor at a table: it warns once of what costs much, and is never in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.bots import Choice, Line, Position
from kumite.core.errors import KumiteError
from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.store.log_files import folder
from kumite.tui.app import KumiteApp
from kumite.tui.play.local_table import LocalTable
from kumite.tui.screens.dialog import Dialog
from kumite.tui.screens.setup import NewScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings
from kumite.tui.widgets.form import Form
from tests.support.apps import app, frame, running, screen_of, shown, until
from tests.support.fake_peer import FakeLan
from tests.support.fake_player import FakePlayer

if TYPE_CHECKING:
    from textual.pilot import Pilot

SMALL = (80, 24)
GOOD, BAD = "f7", "e6"  # at the start of Kuzushi


def judging() -> FakePlayer:
    """Return a player to whom BAD costs much, and every other step nothing."""

    def answer(position: Position) -> Choice:
        if not position.seen:
            lines = tuple(
                Line(step, 0.2 if step == BAD else 0.7, 0.25)
                for step in sorted(position.legal, key=lambda step: step == BAD)
            )
            return Choice(lines[0].step, 0.7, lines)
        worth = 0.8 if position.seen[0].step == BAD else 0.3  # to the other seat
        return Choice(position.legal[0], worth, (Line(position.legal[0], worth, 1.0),))

    return FakePlayer(answer)


def tutored(player: FakePlayer) -> KumiteApp:
    table = LocalTable.begin(Setup.of(GAMES["kuzushi"]), ("ada", "bob"))
    kumite = app(lambda: TableScreen(table, wants_tutor=True))
    kumite._bot_service = player  # type: ignore[assignment]
    return kumite


def made(kumite: KumiteApp) -> list[str]:
    screen = next(one for one in kumite.screen_stack if isinstance(one, TableScreen))
    return [played.step for played in screen.table.match.steps()]


async def choose(pilot: Pilot[None], step: str) -> None:
    """Put the cursor on a square of Kuzushi and press Enter."""
    screen = screen_of(pilot.app, TableScreen)
    screen.field.point(step)
    await pilot.press("enter")


async def warned(pilot: Pilot[None]) -> str:
    await until(pilot, lambda: isinstance(pilot.app.screen, Dialog), "the warning")
    return " ".join(shown(pilot.app, "question").split())  # type: ignore[arg-type]


async def test_a_good_step_is_made_at_once() -> None:
    player = judging()
    async with running(tutored(player)) as (kumite, pilot):
        await until(pilot, lambda: len(player.asked) == 1, "a look at the position")
        await pilot.pause()
        await choose(pilot, GOOD)
        assert made(kumite) == [GOOD]
    (path,) = folder().glob("*.kumite")
    assert "tutor" not in path.read_text()


async def test_before_a_blunder_it_warns_and_says_what_is_feared() -> None:
    async with running(tutored(judging())) as (kumite, pilot):
        await choose(pilot, BAD)
        said = await warned(pilot)
        assert said.startswith(
            "The tutor: lay a base on e6? It may be a blunder: 20 % to win with it, "
            "and 70 % to win is possible."
        )
        assert "After it ada has" in said or "After it bob has" in said
        assert GOOD not in said.replace(f"has {GOOD}", "")  # it does not say what is better
        assert made(kumite) == []
        await pilot.press("enter")  # the first answer: choose another step
        assert made(kumite) == []
        assert isinstance(kumite.screen, TableScreen)
        await choose(pilot, GOOD)
        assert made(kumite) == [GOOD]
    (path,) = folder().glob("*.kumite")
    assert "note tutor: seat 1 before step 1 ~" in path.read_text()


async def test_one_may_make_it_all_the_same() -> None:
    async with running(tutored(judging())) as (kumite, pilot):
        await choose(pilot, BAD)
        await warned(pilot)
        await pilot.press("down", "enter")
        assert made(kumite) == [BAD]


async def test_it_warns_of_a_step_once() -> None:
    async with running(tutored(judging())) as (kumite, pilot):
        await choose(pilot, BAD)
        await warned(pilot)
        await pilot.press("escape")
        await choose(pilot, BAD)
        assert made(kumite) == [BAD]


async def test_nobody_has_to_wait_for_it() -> None:
    player = judging()
    player.is_stuck = True
    async with running(tutored(player)) as (kumite, pilot):
        await choose(pilot, BAD)
        assert shown(kumite, "hint").startswith("The tutor looks at it ...   Enter makes it at")
        assert made(kumite) == []
        await pilot.press("escape")
        assert shown(kumite, "hint") == "It is not made."
        await choose(pilot, BAD)
        await pilot.press("enter")
        assert made(kumite) == [BAD]
        await pilot.press("u")
        await choose(pilot, BAD)
        await pilot.press("q")  # nothing is left behind


async def test_choosing_part_by_part_lets_it_look_on() -> None:
    player = judging()
    player.is_stuck = True
    table = LocalTable.begin(Setup.of(GAMES["kitsu"]), ("ada", "bob"))
    kumite = app(lambda: TableScreen(table, wants_tutor=True))
    kumite._bot_service = player  # type: ignore[assignment]
    async with kumite.run_test(size=SMALL) as pilot:
        await until(pilot, lambda: len(player.asked) == 1, "a look at the position")
        await pilot.press("enter")
        screen = screen_of(kumite, TableScreen)
        assert screen.model.choice is not None
        assert screen.model.choice.chosen
        await pilot.pause()
        assert player.interrupted == 0


async def test_another_choice_is_another_step() -> None:
    """What is looked at is not made once something else is chosen."""
    player = judging()
    player.is_stuck = True
    async with running(tutored(player)) as (kumite, pilot):
        await choose(pilot, BAD)
        await choose(pilot, GOOD)
        player.is_stuck = False
        await until(pilot, lambda: made(kumite) == [GOOD], "the second")


async def test_steps_that_were_typed_go_on_after_a_look() -> None:
    async with running(tutored(judging())) as (kumite, pilot):
        await pilot.press("colon", *BAD, "space", *"f5", "enter")
        await warned(pilot)
        await pilot.press("down", "enter")
        await until(pilot, lambda: len(made(kumite)) == 2, "the second step")
        assert made(kumite) == [BAD, "f5"]


async def test_what_was_typed_wrongly_can_be_mended() -> None:
    """Nothing is looked at: the line stays open, and what was to follow is not lost."""
    async with running(tutored(judging())) as (kumite, pilot):
        await pilot.press("colon", *"a99", "space", *"f5", "enter")
        await pilot.pause()
        assert "Step: a99 f5_" in frame(kumite)


async def test_while_it_looks_at_what_was_typed_it_says_so_and_enter_is_no_promise() -> None:
    """The cursor stands elsewhere: Enter would choose what it is on."""
    player = judging()
    player.is_stuck = True
    async with running(tutored(player)) as (kumite, pilot):
        await pilot.press("colon", *BAD, "enter")
        await pilot.pause()
        assert shown(kumite, "hint") == "The tutor looks at it ...   Esc: choose again"
        await pilot.press("n")  # whoever looks on is told of that
        assert shown(kumite, "hint").startswith("Enter: lay a base")
        await choose(pilot, BAD)
        assert made(kumite) == [BAD]


async def test_a_tutor_that_fails_lets_play_on() -> None:
    player = judging()
    player.error = KumiteError("the bot is ill", hint="ask again")
    async with running(tutored(player)) as (kumite, pilot):
        await choose(pilot, BAD)
        await until(pilot, lambda: made(kumite) == [BAD], "the step")


async def test_the_setup_and_the_settings_say_whether_there_is_one() -> None:
    kumite = KumiteApp(Settings(glyphs="letters", tutor=True), lambda: NewScreen("kuzushi"))
    kumite._bot_service = judging()  # type: ignore[assignment]
    async with kumite.run_test(size=(80, 40)) as pilot:
        assert "Tutor" in frame(kumite)
        await pilot.press("enter")
        assert isinstance(kumite.screen, TableScreen)
        assert kumite.screen.model.wants_tutor
    kumite = KumiteApp(Settings(glyphs="letters", tutor=True), lambda: NewScreen("kuzushi"))
    async with kumite.run_test(size=(80, 40)) as pilot:
        kumite.screen.query_one(Form).go("tutor")
        await pilot.press("right")
        kumite.screen.query_one(Form).go("go")
        await pilot.press("enter")
        assert isinstance(kumite.screen, TableScreen)
        assert not kumite.screen.model.wants_tutor


async def test_there_is_none_over_the_lan() -> None:
    lan = FakeLan(ours=(1,))
    kumite = KumiteApp(Settings(glyphs="letters", tutor=True))
    kumite.opening = lambda: lan.screen(kumite)
    player = judging()
    kumite._bot_service = player  # type: ignore[assignment]
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert isinstance(kumite.screen, TableScreen)
        assert not kumite.screen.model.wants_tutor
        assert player.asked == []
