"""Hints on screen, and the tutor: shown and never made, interrupted, explained, noted."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import pytest
from textual.pilot import Pilot

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
from tests.support.apps import (
    app,
    frame,
    play,
    screen_of,
    shown,
    table_app,
    uncovered,
    until,
    words,
)
from tests.support.fake_peer import FakeLan
from tests.support.fake_player import (
    TABLES,
    FakePlayer,
    hinted,
    lines,
    listed,
    middle,
    thinking,
    thought_out,
    unsaved,
)
from tests.support.frames import rested, without_pixels
from tests.support.goldens import check
from tests.support.spread import spread
from tests.tui.screens.test_frames import the_middle


def the_log() -> str:
    (path,) = folder().glob("*.kumite")
    return path.read_text()


def made(kumite: KumiteApp) -> list[str]:
    screen = next(one for one in kumite.screen_stack if isinstance(one, TableScreen))
    return [played.step for played in screen.table.match.steps()]


async def asked(pilot: Pilot[None], what: str) -> str:
    """Wait for a card that asks or tells something; return what it says."""
    await until(pilot, lambda: isinstance(pilot.app.screen, Dialog), what)
    return words(pilot.app, "question")


async def interrupted(pilot: Pilot[None], mind: FakePlayer, times: int) -> None:
    await until(pilot, lambda: mind.interrupted == times, "that it stops")


async def test_a_hint_is_shown_and_made_only_with_enter() -> None:
    async with thinking(table_app()) as (kumite, pilot, _):
        said = await hinted(pilot)
        assert kumite.screen.query_one(BoardWidget).cursor_name == "g6"
        assert said.startswith(
            "Hint: Lay a base on g6 It brings 3 flags and takes the lead; best of 4 looked at"
        )
        assert said.endswith("your chance 90 %, next f7 with 80 %. Enter makes it.")
        assert shown(kumite, "hint").startswith("Enter: lay a base on g6  score 0 → 4  +3 flags")
        assert made(kumite) == []
        await pilot.press("enter")
        assert made(kumite) == ["g6"]
        assert "Hint:" not in frame(kumite)
    assert the_log().count("note hint: seat 1 before step 1 ~") == 1


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
async def test_a_hint_is_gone_while_its_step_is_still_shown(game_id: str, seats: int) -> None:
    kumite = app(unsaved(middle(game_id, seats)))
    kumite.pace = 40.0
    async with thinking(kumite) as (_, pilot, _):
        screen = screen_of(kumite, TableScreen)
        if screen.model.awaited is not None:
            await uncovered(pilot)
        await hinted(pilot)
        play(screen, screen.model.hint.step)
        await pilot.pause()
        assert "Hint:" not in words(kumite, "advice")


async def test_a_hint_asked_for_again_is_explained_unless_esc_stops_that() -> None:
    async with thinking(table_app()) as (kumite, pilot, mind):
        await hinted(pilot)
        screen = screen_of(kumite, TableScreen)
        why = next(one for one in screen.bound_now() if one.id == "table.hint")
        assert screen.key_said(why) == "why"
        mind.is_stuck = True
        await pilot.press("i", "i")
        assert "looks at what comes of it" in shown(kumite, "hint")
        await pilot.press("escape")
        await interrupted(pilot, mind, 1)
        mind.is_stuck = False
        mind.asked.clear()
        await pilot.press("down", "i")
        said = await asked(pilot, "the card")
        assert len(mind.asked) == 2  # what the others have after it, and after the next best
        assert said.startswith("Hint: Lay a base on g6 Why: It brings 3 flags and takes the lead")
        assert "The best answer: ada lays" in said
        other = (
            "Instead f7: Your chance 80 %; it brings 3 flags and takes the lead; after it, ada lays"
        )
        assert other in said
        await pilot.press("enter")
        assert screen.field.pointed == "g6"  # Enter makes it
        assert made(kumite) == []
        await pilot.press("i")
        await asked(pilot, "the card")
        assert len(mind.asked) == 2  # nobody thinks twice of the same


async def test_a_hint_of_several_parts_stands_before_its_last_one() -> None:
    mind = FakePlayer(lambda position: Choice(long_step(position.legal)))
    async with thinking(unsaved(middle("kumo", 2)), mind) as (kumite, pilot, _):
        screen = screen_of(kumite, TableScreen)
        before = screen.table.match
        await hinted(pilot)
        step = long_step(screen.model.choice.legal)
        assert screen.model.choice.chosen == screen.model.makes.parts(step)[:-1]
        assert screen.field.pointed == screen.model.makes.parts(step)[-1]
        await pilot.press("enter")
        assert screen.table.match.before is before
        assert screen.table.match.last.step == step


def long_step(legal: tuple[Step, ...]) -> Step:
    """Return a step of at least two parts: one that names a stance."""
    return next(step for step in legal if "=" in step)


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
async def test_a_hint_and_its_explanation_know_what_their_seat_knows_and_fit(
    game_id: str, seats: int
) -> None:
    match = middle(game_id, seats)
    async with thinking(unsaved(match), glyphs="ascii") as (kumite, pilot, mind):
        screen = screen_of(kumite, TableScreen)
        if screen.model.awaited is not None:
            await pilot.press("i")
            assert mind.asked == []  # who is to see it has not come yet
            await uncovered(pilot)
        await hinted(pilot)
        (position,) = mind.asked
        own = frozenset({position.seat})
        assert position.view == match.game.view(match.state, own)
        assert list(position.seen) == list(match.seen_by(own).steps())
        assert screen.table.match is match
        assert frame(kumite).isascii()
        parts = screen.model.choice.parts[position.legal[-1]]
        assert screen.model.choice.chosen == parts[:-1]
        assert screen.field.pointed == parts[-1]
        assert all(widget.region.bottom <= 24 for widget in screen.query("*"))

        await pilot.press("i")
        await asked(pilot, "the card")
        assert frame(kumite).isascii()
        assert all(widget.region.bottom <= 24 for widget in kumite.screen.query("*"))
        if match.game.SECRETS is not None:
            assert mind.asked == [position]  # nobody here knows what others would do
        assert all(one.seen[: len(position.seen)] == position.seen for one in mind.asked)
        await pilot.press("escape")
        assert screen.table.match is match


@pytest.mark.parametrize(
    ("game_id", "seats", "size", "glyphs", "which"),
    spread(TABLES, ((80, 24), (72, 22), (80, 24)), ("letters", "ascii", "kanji"), (0, -1), each=3),
)
async def test_a_hint_is_read_whole_above_what_can_be_chosen(
    game_id: str, seats: int, size: tuple[int, int], glyphs: str, which: int
) -> None:
    match = the_middle(game_id, GAMES[game_id].SEATS.index(seats))
    mind = FakePlayer(lambda at: Choice(at.legal[which], 0.9, lines(at)))
    async with thinking(unsaved(match), mind, size=size, glyphs=glyphs) as (kumite, pilot, _):
        await uncovered(pilot)
        said = await hinted(pilot)
        await rested(pilot)
        side, tray, advice = map(kumite.screen.query_one, ("#side", "#tray", "#advice"))
        room = advice.region.intersection(side.content_region)
        under = room.intersection(tray.region)
        hidden = under.height if under.area and tray.display else 0
        assert words(kumite, "advice") == said
        assert room.height - hidden >= len(shown(kumite, "advice").split("\n"))


async def test_a_thought_can_fail_is_asked_for_once_and_stopped_by_esc_or_a_step() -> None:
    async with thinking(table_app()) as (kumite, pilot, mind):
        mind.error = KumiteError("the bot is ill", hint="ask again")
        await pilot.press("i")
        await until(pilot, lambda: "the bot is ill  ask again" in frame(kumite), "the error")
        mind.error, mind.is_stuck = None, True
        mind.asked.clear()
        await pilot.press("i")
        assert "is looking for a good step" in shown(kumite, "hint")
        await pilot.press("i")
        assert "still looking" in shown(kumite, "hint")
        await pilot.press("down", "up")  # the keys work meanwhile
        assert shown(kumite, "hint").startswith("Enter: lay a base on f7")
        await pilot.press("escape")
        await interrupted(pilot, mind, 1)
        assert len(mind.asked) == 1
        assert shown(kumite, "hint") == "It has stopped thinking."
        await pilot.press("i", "enter")
        await interrupted(pilot, mind, 2)
        assert made(kumite) == ["f7"]
        await pilot.press("i", "u")
        await interrupted(pilot, mind, 3)
        mind.is_stuck = False
        await hinted(pilot)
        mind.is_stuck = True
        await pilot.press("down", "enter", "i", "q")
        await interrupted(pilot, mind, 4)


def winning(position: Position) -> Choice:
    step = position.legal[-1]
    return Choice(step, 1.0, (Line(step, 1.0, 1.0, (step, Step("push:c8+d8"))),))


NEARER = "You can then push the stone out in about 11 actions instead of 12"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, f"{NEARER}; your chance 90 %."),
        (
            winning,
            "Wins in this turn, then c8 and d8 pushing the stone. Enter makes the first step.",
        ),
    ],
)
async def test_without_room_the_reason_stays_and_a_winning_turn_does_too(
    answer: Callable[[Position], Choice] | None, said: str
) -> None:
    opening = unsaved(middle("kumo", 4))
    async with thinking(opening, FakePlayer(answer), glyphs="ascii") as (_, pilot, _):
        assert await hinted(pilot) == f"Hint: Turn the arena right :cw {said}"


async def test_a_lottery_is_said_to_be_one() -> None:
    def drawn(position: Position) -> Choice:
        legal = position.legal
        return Choice(legal[1], 0.4, (Line(legal[1], 0.4, 0.25), Line(legal[0], 0.6, 0.75)))

    match = Match.begin(Setup.of(GAMES["kiriai"]))
    while match.actors[0] == CHANCE:
        match = match.play(CHANCE, sorted(match.odds())[0])
    async with thinking(unsaved(match), FakePlayer(drawn)) as (kumite, pilot, _):
        await uncovered(pilot)
        said = await hinted(pilot)
        assert "%" not in said  # how often the lot draws a step is told in the analysis
        await pilot.press("a")
        await until(pilot, lambda: "A lottery" in frame(kumite), "the analysis")
        lines = listed(kumite)
        assert "75 %" in lines[0]
        assert "25 %" in "".join(lines[1:3])  # a long plan takes two rows
        assert "55 % to win" in words(kumite, "facts")


async def test_there_are_no_hints_and_no_tutor_over_the_lan() -> None:
    lan, kumite = FakeLan(ours=(1,)), KumiteApp(Settings(glyphs="letters", tutor=True))
    kumite.opening = lambda: lan.screen(kumite)
    async with thinking(kumite) as (_, pilot, mind):
        for key in ("i", "a"):
            await pilot.press(key)
            assert shown(kumite, "hint").startswith("No hints at a LAN table")
        assert mind.asked == []
        assert "hint" not in frame(kumite).split("\n")[-1]
        assert not screen_of(kumite, TableScreen).model.wants_tutor


@pytest.mark.golden
@pytest.mark.parametrize("game_id", GAMES)
async def test_hints_and_analyses_look_as_they_did(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_pixels(monkeypatch)
    async with thinking(unsaved(the_middle(game_id, -1))) as (_, pilot, _):
        await uncovered(pilot)
        await hinted(pilot)
        await pilot.pause()
        check(f"hints/{game_id}-hint", await rested(pilot))
        await pilot.press("a")
        await thought_out(pilot)
        await pilot.press("down")
        check(f"hints/{game_id}-analysis", await rested(pilot))


# --- The tutor at a table ---------------------------------------------------------------------


GOOD, BAD = "f7", "e6"  # at the start of Kuzushi


def judged(position: Position) -> Choice:
    """Return that BAD costs much, and every other step nothing."""
    if not position.seen:
        lines = tuple(
            Line(step, 0.2 if step == BAD else 0.7, 0.25)
            for step in sorted(position.legal, key=lambda step: step == BAD)
        )
        return Choice(lines[0].step, 0.7, lines)
    worth = 0.8 if position.seen[0].step == BAD else 0.3  # to the other seat
    return Choice(position.legal[0], worth, (Line(position.legal[0], worth, 1.0),))


@asynccontextmanager
async def tutored(
    game_id: str = "kuzushi",
) -> AsyncIterator[tuple[KumiteApp, Pilot[None], FakePlayer]]:
    """Run an app on a table at which a tutor sits by."""
    table = LocalTable.begin(Setup.of(GAMES[game_id]), ("ada", "bob"))
    screen = partial(TableScreen, table, wants_tutor=True)
    async with thinking(screen, FakePlayer(judged)) as opened:
        yield opened


async def choose(pilot: Pilot[None], step: str) -> None:
    """Put the cursor on a square of Kuzushi and press Enter."""
    screen_of(pilot.app, TableScreen).field.point(step)
    await pilot.press("enter")


async def test_a_good_step_is_made_at_once() -> None:
    async with tutored() as (kumite, pilot, mind):
        await until(pilot, lambda: len(mind.asked) == 1, "a look at the position")
        await pilot.pause()
        await choose(pilot, GOOD)
        assert made(kumite) == [GOOD]
    assert "tutor" not in the_log()


async def test_before_a_blunder_it_warns_and_says_what_is_feared() -> None:
    async with tutored() as (kumite, pilot, _):
        await choose(pilot, BAD)
        said = await asked(pilot, "the warning")
        assert said.startswith(
            "The tutor: lay a base on e6? It may be a blunder: your chance is 20 % "
            "with it, and 70 % with the best step."
        )
        assert "After it, ada lays" in said or "After it, bob lays" in said
        assert GOOD not in said.replace(f"has {GOOD}", "")  # it does not say what is better
        assert made(kumite) == []
        await pilot.press("enter")  # the first answer: choose another step
        assert made(kumite) == []
        assert isinstance(kumite.screen, TableScreen)
        await choose(pilot, GOOD)
        assert made(kumite) == [GOOD]
    assert "note tutor: seat 1 before step 1 ~" in the_log()


async def test_it_warns_of_a_step_once() -> None:
    async with tutored() as (kumite, pilot, _):
        await choose(pilot, BAD)
        await asked(pilot, "the warning")
        await pilot.press("escape")
        await choose(pilot, BAD)
        assert made(kumite) == [BAD]


async def test_who_did_not_ask_for_it_sends_it_away() -> None:
    """Against the weakest levels it comes by itself after the lessons."""
    async with tutored() as (kumite, pilot, mind):
        await choose(pilot, BAD)
        await asked(pilot, "the warning")
        count = len(mind.asked)
        await pilot.press("up", "enter")  # the last answer
        assert made(kumite) == [BAD]
        await pilot.pause()
        assert not screen_of(kumite, TableScreen).model.wants_tutor
        assert len(mind.asked) == count


async def test_steps_that_were_typed_are_mended_looked_at_and_made_all_the_same() -> None:
    async with tutored() as (kumite, pilot, _):
        await pilot.press("colon", *"a99", "space", *"f5", "enter")
        await pilot.pause()
        assert "Step: a99 f5_" in frame(kumite)  # what was to follow is not lost
        await pilot.press("ctrl+u", *BAD, "space", *"f5", "enter")
        await asked(pilot, "the warning")
        await pilot.press("down", "enter")
        await until(pilot, lambda: len(made(kumite)) == 2, "the second step")
        assert made(kumite) == [BAD, "f5"]


async def test_nobody_has_to_wait_for_it_and_another_choice_is_another_step() -> None:
    async with tutored() as (kumite, pilot, mind):
        mind.is_stuck = True
        await choose(pilot, BAD)
        assert shown(kumite, "hint").startswith("The tutor looks at it ...   Enter makes it at")
        assert made(kumite) == []
        await pilot.press("escape")
        assert shown(kumite, "hint") == "It is not made."
        await choose(pilot, BAD)
        await pilot.press("enter")
        assert made(kumite) == [BAD]
        await pilot.press("u", "colon", *BAD, "enter")
        await pilot.pause()
        # The cursor stands elsewhere: Enter would choose what it is on.
        assert shown(kumite, "hint") == "The tutor looks at it ...   Esc: choose again"
        await pilot.press("n")  # whoever looks on is told of that
        assert shown(kumite, "hint").startswith("Enter: lay a base")
        await choose(pilot, BAD)
        assert made(kumite) == [BAD]
        await pilot.press("u")
        await choose(pilot, BAD)
        await choose(pilot, GOOD)
        mind.is_stuck = False
        await until(pilot, lambda: made(kumite) == [GOOD], "the step that was chosen last")
        mind.is_stuck = True
        await pilot.press("u")
        await choose(pilot, BAD)
        await pilot.press("q")  # nothing is left behind


async def test_choosing_part_by_part_lets_it_look_on() -> None:
    async with tutored("kitsu") as (kumite, pilot, mind):
        mind.is_stuck = True
        await until(pilot, lambda: len(mind.asked) == 1, "a look at the position")
        await pilot.press("enter")
        choice = screen_of(kumite, TableScreen).model.choice
        assert choice.chosen
        await pilot.pause()
        assert mind.interrupted == 0


async def test_a_tutor_that_fails_lets_play_on() -> None:
    async with tutored() as (kumite, pilot, mind):
        mind.error = KumiteError("the bot is ill", hint="ask again")
        await choose(pilot, BAD)
        await until(pilot, lambda: made(kumite) == [BAD], "the step")


@pytest.mark.parametrize("is_wanted", [True, False])
async def test_the_setup_and_the_settings_say_whether_there_is_one(is_wanted: bool) -> None:
    kumite = KumiteApp(Settings(glyphs="letters", tutor=True), lambda: NewScreen("kuzushi"))
    async with thinking(kumite, FakePlayer(judged), (80, 40)) as (_, pilot, _):
        assert "Tutor" in frame(kumite)
        if not is_wanted:
            kumite.screen.query_one(Form).go("tutor")
            await pilot.press("right")
            kumite.screen.query_one(Form).go("go")
        await pilot.press("enter")
        assert screen_of(kumite, TableScreen).model.wants_tutor == is_wanted
