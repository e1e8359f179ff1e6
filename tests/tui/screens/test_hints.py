"""Hints on screen, and the tutor: shown and never made, interrupted, explained, noted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kumite.core.bots import Choice, Line, Position
from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, Setup, Step
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.store.log_files import folder
from kumite.tui.app import KumiteApp
from kumite.tui.play.local_table import LocalTable
from kumite.tui.screens.dialog import Dialog
from kumite.tui.screens.setup import NewScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings
from kumite.tui.widgets.board import BoardWidget
from kumite.tui.widgets.form import Form
from tests.support.apps import app, frame, running, screen_of, shown, table_app, uncovered, until
from tests.support.fake_peer import FakeLan
from tests.support.fake_player import FakePlayer
from tests.support.frames import rested, without_pixels
from tests.support.goldens import check
from tests.support.minds import (
    TABLES,
    hinted,
    listed,
    middle,
    minded,
    opened,
    the_table,
    thought_out,
)
from tests.tui.screens.test_frames import the_middle

if TYPE_CHECKING:
    from textual.binding import Binding
    from textual.pilot import Pilot

    from kumite.tui.app import KumiteApp

SMALL = (80, 24)


@pytest.fixture(autouse=True)
def _logs_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """New matches are saved beside those that a test has put into its folder."""
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path / "logs"))


async def test_a_hint_is_shown_and_made_only_with_enter(tmp_path: Path) -> None:
    kumite = table_app(tmp_path)
    minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("i")
        await hinted(pilot, kumite)
        assert kumite.screen.query_one(BoardWidget).cursor_name == "g6"
        said = " ".join(shown(kumite, "advice").split())
        assert said.startswith(
            "Hint: Lay a base on g6 It takes 3 flags and takes the lead; best of 4 looked at"
        )
        assert said.endswith('your chance 90 %, next f7 with 80 %. It counts as "with hints" now.')
        assert shown(kumite, "hint").startswith("Enter: lay a base on g6  score 0 → 4  +3 flags")
        assert the_table(kumite).table.match.number == 0
        await pilot.press("enter")
        assert [one.step for one in the_table(kumite).table.match.steps()] == ["g6"]
        assert "Hint:" not in frame(kumite)
    (path,) = tmp_path.glob("*.kumite")
    assert path.read_text().count("note hint: seat 1 before step 1 ~") == 1


async def test_a_hint_asked_for_again_is_explained(tmp_path: Path) -> None:
    kumite = table_app(tmp_path)
    mind = minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("i")
        await hinted(pilot, kumite)
        assert the_table(kumite).key_said(binding(kumite, "table.hint")) == "why"
        await pilot.press("down", "i")
        await until(pilot, lambda: isinstance(kumite.screen, Dialog), "the card")
        assert len(mind.asked) == 3  # what the others have after it, and after the next best
        said = " ".join(shown(kumite, "question").split())
        assert said.startswith("Hint: Lay a base on g6 Why: It takes 3 flags and takes the lead")
        assert "The answer to fear: ada has" in said
        assert (
            "Instead f7: Your chance 80 %; it takes 3 flags and takes the lead; then ada has"
            in said
        )
        await pilot.press("enter")
        assert the_table(kumite).field.pointed == "g6"  # Enter makes it
        assert the_table(kumite).table.match.number == 0
        await pilot.press("i")
        await until(pilot, lambda: isinstance(kumite.screen, Dialog), "the card")
        assert len(mind.asked) == 3  # nobody thinks twice of the same


async def test_esc_stops_an_explanation(tmp_path: Path) -> None:
    kumite = table_app(tmp_path)
    mind = minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("i")
        await hinted(pilot, kumite)
        mind.is_stuck = True
        await pilot.press("i", "i")
        assert "looks at what comes of it" in shown(kumite, "hint")
        await pilot.press("escape")
        await until(pilot, lambda: mind.interrupted == 1, "that it stops")
        mind.is_stuck = False
        await pilot.press("i")
        await until(pilot, lambda: isinstance(kumite.screen, Dialog), "the card")


def binding(kumite: KumiteApp, name: str) -> Binding:
    return next(one for one in kumite.screen.bound_now() if one.id == name)  # type: ignore[attr-defined]


async def test_a_hint_of_several_parts_stands_before_its_last_one(tmp_path: Path) -> None:
    kumite = opened(middle("kumo", 2))
    minded(kumite, FakePlayer(lambda position: Choice(long_step(position.legal))))
    async with kumite.run_test(size=SMALL) as pilot:
        before = the_table(kumite).table.match
        await pilot.press("i")
        await hinted(pilot, kumite)
        screen = the_table(kumite)
        assert screen.model.choice is not None
        step = long_step(screen.model.choice.legal)
        assert screen.model.choice.chosen == screen.model.makes.parts(step)[:-1]
        assert screen.field.pointed == screen.model.makes.parts(step)[-1]
        await pilot.press("enter")
        assert screen.table.match.before is before
        assert screen.table.match.last is not None
        assert screen.table.match.last.step == step


def long_step(legal: tuple[Step, ...]) -> Step:
    """Return a step of at least two parts: one that names a stance."""
    return next(step for step in legal if "=" in step)


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
async def test_a_hint_and_its_explanation_know_what_their_seat_knows_and_fit(
    game_id: str, seats: int
) -> None:
    match = middle(game_id, seats)
    kumite = opened(match, "ascii")
    mind = minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        screen = the_table(kumite)
        if screen.model.awaited is not None:
            await pilot.press("i")
            assert mind.asked == []  # who is to see it has not come yet
            await uncovered(pilot)
        await pilot.press("i")
        await hinted(pilot, kumite)
        (position,) = mind.asked
        own = frozenset({position.seat})
        assert position.view == match.game.view(match.state, own)
        assert list(position.seen) == list(match.seen_by(own).steps())
        assert screen.table.match is match
        assert frame(kumite).isascii()
        assert screen.model.choice is not None
        parts = screen.model.choice.parts[position.legal[-1]]
        assert screen.model.choice.chosen == parts[:-1]
        assert screen.field.pointed == parts[-1]
        assert all(widget.region.bottom <= 24 for widget in screen.query("*"))

        await pilot.press("i")
        await until(pilot, lambda: isinstance(kumite.screen, Dialog), "the card")
        assert frame(kumite).isascii()
        assert all(widget.region.bottom <= 24 for widget in kumite.screen.query("*"))
        if match.game.SECRETS is not None:
            assert mind.asked == [position]  # nobody here knows what others would do
        assert all(one.seen[: len(position.seen)] == position.seen for one in mind.asked)
        await pilot.press("escape")
        assert screen.table.match is match


async def test_esc_stops_the_thought_and_so_does_a_step(tmp_path: Path) -> None:
    kumite = table_app(tmp_path)
    mind = minded(kumite)
    mind.is_stuck = True
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("i")
        assert "is looking for a good step" in shown(kumite, "hint")
        await pilot.press("down", "up")  # the keys work meanwhile
        assert shown(kumite, "hint").startswith("Enter: lay a base on f7")
        await pilot.press("escape")
        await until(pilot, lambda: mind.interrupted == 1, "that it stops")
        assert shown(kumite, "hint") == "It has stopped thinking."
        await pilot.press("i", "enter")
        await until(pilot, lambda: mind.interrupted == 2, "that it stops")
        assert the_table(kumite).table.match.number == 1
        await pilot.press("i", "u")
        await until(pilot, lambda: mind.interrupted == 3, "that it stops")
        await pilot.press("i", "q")
        await until(pilot, lambda: mind.interrupted == 4, "that it stops")


async def test_asking_twice_thinks_once(tmp_path: Path) -> None:
    kumite = table_app(tmp_path)
    mind = minded(kumite)
    mind.is_stuck = True
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("i", "i")
        assert "still looking" in shown(kumite, "hint")
        mind.is_stuck = False
        await hinted(pilot, kumite)
        assert len(mind.asked) == 1


async def test_a_mind_that_fails_says_so_and_can_be_asked_again(tmp_path: Path) -> None:
    kumite = table_app(tmp_path)
    mind = minded(kumite)
    mind.error = KumiteError("the bot is ill", hint="ask again")
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("i")
        await until(pilot, lambda: "the bot is ill  ask again" in frame(kumite), "the error")
        mind.error = None
        await pilot.press("i")
        await hinted(pilot, kumite)


async def test_without_room_the_reason_stays_and_a_winning_turn_does_too() -> None:
    kumite = opened(middle("kumo", 4), "ascii")
    minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("i")
        await hinted(pilot, kumite)
        said = " ".join(shown(kumite, "advice").split())
        assert said == (
            "Hint: Turn the arena right :cw Then a push out is about 11 actions away; "
            "your chance 90 %."
        )

    def winning(position: Position) -> Choice:
        step = position.legal[-1]
        plan = (step, Step("push:c8+d8"))
        return Choice(step, 1.0, (Line(step, 1.0, 1.0, plan),))

    kumite = opened(middle("kumo", 4), "ascii")
    minded(kumite, FakePlayer(winning))
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("i")
        await hinted(pilot, kumite)
        said = " ".join(shown(kumite, "advice").split())
        assert "wins in this turn, then c8 and d8 pushing the stone" in said


async def test_a_lottery_is_said_to_be_one() -> None:
    def drawn(position: object) -> Choice:
        legal = position.legal  # type: ignore[attr-defined]
        return Choice(legal[1], 0.4, (Line(legal[1], 0.4, 0.25), Line(legal[0], 0.6, 0.75)))

    match = Match.begin(Setup.of(GAMES["kiriai"]))
    while match.actors[0] == CHANCE:
        match = match.play(CHANCE, sorted(match.odds())[0])
    kumite = opened(match)
    minded(kumite, FakePlayer(drawn))
    async with kumite.run_test(size=SMALL) as pilot:
        await uncovered(pilot)
        await pilot.press("i")
        await hinted(pilot, kumite)
        said = " ".join(shown(kumite, "advice").split())
        assert "%" not in said  # how often the lot draws a step is told in the analysis
        await pilot.press("a")
        await until(pilot, lambda: "A lottery" in frame(kumite), "the analysis")
        lines = listed(kumite)
        assert "75 %" in lines[0]
        assert "25 %" in "".join(lines[1:3])  # a long plan takes two rows
        assert "55 % to win" in " ".join(shown(kumite, "facts").split())


async def test_there_are_no_hints_over_the_lan() -> None:
    lan = FakeLan(ours=(1,))
    kumite = app()
    kumite.opening = lambda: lan.screen(kumite)
    mind = minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        for key in ("i", "a"):
            await pilot.press(key)
            assert shown(kumite, "hint").startswith("No hints at a LAN table")
        assert mind.asked == []
        assert "hint" not in frame(kumite).split("\n")[-1]


@pytest.mark.golden
@pytest.mark.parametrize("game_id", GAMES)
async def test_hints_and_analyses_look_as_they_did(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_pixels(monkeypatch)
    kumite = opened(the_middle(game_id, -1))
    minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        await uncovered(pilot)
        await pilot.press("i")
        await hinted(pilot, kumite)
        await pilot.pause()
        check(f"hints/{game_id}-hint", await rested(pilot))
        await pilot.press("a")
        await until(pilot, lambda: thought_out(kumite), "thoughts")
        await pilot.press("down")
        check(f"hints/{game_id}-analysis", await rested(pilot))


# --- The tutor at a table ---------------------------------------------------------------------


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


async def test_it_warns_of_a_step_once_and_one_may_make_it_all_the_same() -> None:
    async with running(tutored(judging())) as (kumite, pilot):
        await choose(pilot, BAD)
        await warned(pilot)
        await pilot.press("escape")
        await choose(pilot, BAD)
        assert made(kumite) == [BAD]
    async with running(tutored(judging())) as (kumite, pilot):
        await choose(pilot, BAD)
        await warned(pilot)
        await pilot.press("down", "enter")
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
