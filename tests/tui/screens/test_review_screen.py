"""A review on screen: opened with a key, left at any time, told, tried again, played on."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from textual.pilot import Pilot

from kumite.core.bots import Choice, Line, Position
from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, SPECTATOR, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text, read
from kumite.core.match import Match
from kumite.core.origins import origin
from kumite.store import log_files
from kumite.store.evaluations import Judged
from kumite.tui import scenes
from kumite.tui.app import KumiteApp
from kumite.tui.bots.review import TOLD, Review, Turning
from kumite.tui.drawing.grid import BoardMarks, Geometry, board_rows
from kumite.tui.drawing.lettering import large
from kumite.tui.drawing.pixels import brush_for
from kumite.tui.look import colors
from kumite.tui.look.glyphs import LOOKS
from kumite.tui.look.sprites import Skin
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes.compared import compared
from kumite.tui.scenes.lines import plain
from kumite.tui.scenes.model import Verdict
from kumite.tui.screens.analysis import AnalysisScreen
from kumite.tui.screens.dialog import Dialog
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.review import ReviewScreen, TryScreen
from kumite.tui.screens.saved import SavedScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.board import BoardWidget
from kumite.tui.widgets.field import Field
from kumite.tui.widgets.form import Form
from tests.support.apps import frame, play, screen_of, shown, until, words
from tests.support.fake_player import TABLES, FakePlayer, thinking
from tests.support.kiriai_positions import ROUND_1, dealt
from tests.support.kiriai_positions import play as play_duel
from tests.support.random_matches import walk
from tests.support.spread import spread

NAMES = ("ada", "bot:easy", "cyd", "dan", "eve", "fay")
ERROR = 3  # the number of the position in which ada errs


def a_log(match: Match, names: tuple[str, ...] = NAMES, **more: object) -> str:
    names = names[: match.setup.seats]
    return log_text(Header("ab12", match.setup, names, **more), match)


def written(match: Match) -> Path:
    """Save a match between people."""
    path = log_files.folder() / "x.kumite"
    path.write_text(a_log(match, ("ada", "bob")), encoding="utf-8")
    return path


def judged(match: Match) -> Callable[[Position], Choice]:
    """Return a mind to which all is even, but what was played after ERROR steps costs 30 %."""
    played = {one.number: one.last.step for one in match.line() if one.last}

    def answer(position: Position) -> Choice:
        number, legal = len(position.seen), position.legal
        error = played.get(ERROR + 1)
        has_erred = number == ERROR + 1 and position.seen[-1].step == error
        worths = dict.fromkeys(legal, 0.45)
        worths[played[number + 1] if played.get(number + 1) in legal else legal[0]] = 0.5
        if number == ERROR and error in legal:
            worths = {step: 0.5 if step == legal[-1] else 0.2 for step in legal}
        best = max(worths, key=lambda step: worths[step])
        order = [best, *(step for step in legal if step != best)]
        lift = 0.3 if has_erred else 0.0
        lines = tuple(Line(one, worths[one] + lift, 1 / len(legal)) for one in order)
        return Choice(best, lines[0].value, lines)

    return answer


class Opened(NamedTuple):
    """A review, the app in which it stands, and the mind that is asked."""

    app: KumiteApp
    pilot: Pilot[None]
    mind: FakePlayer
    screen: ReviewScreen


@asynccontextmanager
async def review_of(
    match: Match,
    mind: FakePlayer | None = None,
    size: tuple[int, int] = (80, 24),
    glyphs: str = "letters",
    **more: object,
) -> AsyncIterator[Opened]:
    screen = ReviewScreen(Replay(read(a_log(match, **more))))
    mind = mind or FakePlayer(judged(match))
    async with thinking(lambda: screen, mind, size, glyphs) as opened:
        yield Opened(*opened, screen)


@asynccontextmanager
async def looked_back(match: Match, **more: Any) -> AsyncIterator[Opened]:
    """Open a review, and wait for the end of the look back."""
    async with review_of(match, **more) as opened:
        await until(opened.pilot, lambda: not opened.screen._is_thinking, "the end of it")
        await opened.pilot.pause()
        yield opened


def told(kumite: KumiteApp) -> str:
    return words(kumite, "facts")


@pytest.fixture
def match() -> Match:
    return walk(Setup.of(GAMES["kuzushi"]), 1, 8)


# --- looking back -------------------------------------------------------------------------------


async def test_a_large_review_has_the_curve_of_the_position_where_its_words_leave_rows(
    match: Match,
) -> None:
    async with looked_back(match, size=(120, 36)) as (kumite, pilot, _, screen):
        assert screen.turning is not None
        assert f"step {ERROR}" in shown(kumite, "chart")
        await pilot.press("right_square_bracket")
        assert f"step {ERROR + 1}" in shown(kumite, "chart")
        panels = [one.region for one in screen.query_one("#side").children]
        assert all(one.bottom <= 34 for one in panels)  # rows above the hint
        await pilot.resize_terminal(80, 24)
        assert not screen.query_one("#chart").region


async def test_without_turning_points_one_steps_through_the_match(match: Match) -> None:
    mind = FakePlayer(judged(match))
    async with looked_back(match.back(ERROR), mind=mind) as (kumite, pilot, _, screen):
        assert not screen.review.turnings
        assert f"Step {ERROR} of {ERROR}" in shown(kumite, "hint")
        assert f"Step {ERROR} of {ERROR}: " in shown(kumite, "hint"), "it is named"
        at_end = frame(kumite)
        await pilot.press("left_square_bracket")
        assert f"Step {ERROR - 1} of {ERROR}" in shown(kumite, "hint")
        assert "] forward" in shown(kumite, "keys")
        await pilot.press(*["left_square_bracket"] * (ERROR - 1))
        assert f"Step 0 of {ERROR}" in shown(kumite, "hint")
        await pilot.press(*["right_square_bracket"] * ERROR)
        assert frame(kumite) == at_end


@pytest.mark.usefixtures("no_glance")
async def test_a_match_is_looked_back_at_and_told(match: Match) -> None:
    async with looked_back(match) as (kumite, pilot, mind, screen):
        assert len(mind.asked) == 9 + 1  # each position, and that after what was better
        figures = words(kumite, "seats")
        assert "ada 85 % 1 blunder" in figures
        assert "bot easy 100 % no errors" in figures
        (turning,) = screen.review.turnings
        assert (turning.number, turning.seat) == (ERROR, 0)
        assert "step  4 blunder -24 %" in frame(kumite)
        assert told(kumite).startswith("Step 4: a blunder by ada × Here ada ")
        assert "What was better? Press Enter to try it or see it." in told(kumite)
        assert "✓ was better" not in shown(kumite, "hint")
        await pilot.press("right_square_bracket")
        assert "After the step that was played." in shown(kumite, "hint")
        assert "[ step back" in shown(kumite, "keys")
        assert "q leave" in shown(kumite, "keys")
        assert "its result" not in shown(kumite, "keys")  # the better one is hidden
        await pilot.press("left_square_bracket", "enter", "down", "enter")
        assert "✓ Better: ada " in told(kumite)
        assert "✓ was better" in shown(kumite, "hint")
        assert "Better: 50 % to win. Played: 26 %." in told(kumite)
        assert "Before step 4" in shown(kumite, "hint")
        await pilot.press("right_square_bracket")
        assert "After the step that was played." in shown(kumite, "hint")
        await pilot.press("right_square_bracket")
        assert "After the step that was better." in shown(kumite, "hint")
        assert "its result" not in shown(kumite, "keys")
        await pilot.press("left_square_bracket", "left_square_bracket")
        assert "Before step 4" in shown(kumite, "hint")
        await pilot.press("question_mark")
        await pilot.pause()
        assert "The errors of all players are counted. The three" in words(kumite)


@pytest.mark.parametrize("who", [0, 1])
async def test_of_a_choice_made_at_once_the_position_before_it_is_seen_and_then_what_was_revealed(
    who: int,
) -> None:
    match = play_duel(dealt(), *ROUND_1, "0 charge,low", "1 approach,low")
    match = play_duel(match, "first:charge/approach", "second:low/low")
    names = ("ada", "bot:easy") if who == 0 else ("bot:easy", "ada")
    async with looked_back(match, names=names) as (kumite, pilot, _, screen):
        seen = screen.review.seen(2, Seat(who))
        step = Step(("approach,high", "high,stance")[who])
        found = Turning(seen, Seat(who), step, seen.legal(Seat(who))[0], 0.7, 0.2, after=who)
        screen.review.again = {(2, Seat(who)): found}
        screen.redraw()
        await pilot.pause()
        number = 3 + who  # of the own plan in the log
        assert f"step {number:>2} " in frame(kumite)
        assert "last round" not in frame(kumite)
        for at, cards in ((1, 1), (2, 2)):
            await pilot.press("right_square_bracket")
            assert f"What came of it, {at} of 2." in shown(kumite, "hint")
            spread = screen.query_one(Field)._scene.spread
            assert [group.labels[0][0] for group in spread.groups] == ["plan", "plan"]
            theirs = spread.groups[1 - who].cards
            assert [bool(card.note) for card in theirs] == [True, cards == 2]
        assert "its result" not in shown(kumite, "keys")


async def test_steps_through_a_match_pass_over_the_half_of_a_choice_made_at_once() -> None:
    match = play_duel(dealt(), *ROUND_1)
    async with review_of(match) as (kumite, pilot, _, screen):
        await until(pilot, lambda: not screen._is_thinking, "the end of it")
        screen.review.again = {}
        screen.redraw()
        await pilot.pause()
        for number in (5, 4, 2, 1):
            await pilot.press("left_square_bracket")
            assert f"Step {number} of 6" in shown(kumite, "hint")


def test_of_a_choice_made_at_once_the_step_in_the_log_is_told() -> None:
    match = play_duel(dealt(), *ROUND_1)
    review = Review(match, None, frozenset({Seat(1)}))
    for values in review.values:
        for number, seat in values.asked.items():
            legal = review.seen(number, seat).legal(seat)
            values.judged[number] = Judged(seat, 0.9, legal[0], tuple((one, 0.5) for one in legal))
    assert {(one.seat, one.number, one.after) for one in review.chosen} == {(0, 2, 0), (1, 2, 1)}


@pytest.mark.usefixtures("no_glance")
async def test_it_shows_how_far_it_is_is_read_meanwhile_and_left_at_any_time(match: Match) -> None:
    async with review_of(match) as (kumite, pilot, mind, _):
        stops = [4, 6]  # positions

        def stop(position: Position) -> Choice:
            if len(position.seen) in stops:
                stops.remove(len(position.seen))
                mind.is_stuck = True
            return judged(match)(position)

        mind.answer = stop
        await until(pilot, lambda: mind.is_stuck, "some thoughts")
        await pilot.pause()
        assert "Looking at every choice: 5 of 9" in told(kumite)
        await pilot.press("enter", "b", "right_square_bracket")  # nothing to be tried yet
        assert isinstance(kumite.screen, ReviewScreen)
        mind.is_stuck = False
        await until(pilot, lambda: mind.is_stuck, "most thoughts")
        await pilot.pause()
        assert "looked at 7 of 9" in shown(kumite, "title")
        assert "step  4 blunder -24 %" in frame(kumite)
        assert told(kumite).startswith("Step 4: a blunder by ada")
        await pilot.press("q")
        await until(pilot, lambda: mind.interrupted == 1, "that it stops")
    async with looked_back(match) as (_, _, again, _):
        assert len(again.asked) == 9 + 1 - (len(mind.asked) - 1)


async def test_what_a_short_look_blames_is_shown_as_that_until_a_longer_one(match: Match) -> None:
    async with review_of(match) as (kumite, pilot, mind, screen):
        whole = screen.review.simulations

        def answer(position: Position) -> Choice:
            mind.is_stuck = mind.simulations.count(whole) == 1
            return judged(match)(position)

        mind.answer = answer
        await until(pilot, lambda: mind.is_stuck, "a glance at all")
        await pilot.pause()
        assert "step  4 blunder? -24 %" in frame(kumite)
        assert told(kumite).startswith("Step 4: perhaps a blunder by ada × Here ada ")
        assert "A bot has had a short look, and will have a longer one." in told(kumite)
        assert "What was better?" not in told(kumite)
        assert "try again" not in shown(kumite, "keys")
        await pilot.press("enter")
        assert kumite.screen is screen
        mind.is_stuck = False
        await until(pilot, lambda: not screen._is_thinking, "the end of it")
        await pilot.pause()
        assert "step  4 blunder -24 %" in frame(kumite)
        assert "no longer blamed" not in frame(kumite)
        assert "try again" in shown(kumite, "keys")


async def test_that_a_longer_look_acquits_is_said(match: Match) -> None:
    async with review_of(match) as (kumite, pilot, mind, screen):
        whole = screen.review.simulations

        def answer(position: Position) -> Choice:
            is_last = mind.simulations[-1] == whole
            return one_line(position, 0.5) if is_last else judged(match)(position)

        mind.answer = answer
        await until(pilot, lambda: not screen._is_thinking, "the end of it")
        await pilot.pause()
        assert "blunder" not in frame(kumite)
        assert "no longer blamed: step 4" in shown(kumite, "title")


async def test_a_bot_that_fails_is_told(match: Match) -> None:
    mind = FakePlayer()
    mind.error = KumiteError("the bot is ill", hint="ask again")
    async with looked_back(match, mind=mind) as (kumite, _, _, _):
        assert "the bot is ill  ask again" in frame(kumite)
        assert "Some choices are still unchecked" in told(kumite)


async def test_nobody_is_asked_for_a_spectator() -> None:
    match = walk(Setup.of(GAMES["kiriai"]), 1).seen_by(SPECTATOR)
    async with review_of(match, by=SPECTATOR) as (kumite, pilot, mind, _):
        await pilot.pause()
        assert mind.asked == []
        assert told(kumite)


@pytest.mark.parametrize(
    ("game_id", "seats", "size"), spread(TABLES, ((60, 20), (80, 24), (120, 36), (160, 50)))
)
async def test_every_review_fits(game_id: str, seats: int, size: tuple[int, int]) -> None:
    match = walk(Setup.of(GAMES[game_id], seats), 3, 60)
    glyphs = "ascii" if size == (80, 24) else "letters"
    async with looked_back(match, size=size, glyphs=glyphs) as (kumite, pilot, _, screen):
        turned(screen)
        await pilot.pause()
        for _ in range(3):
            text = frame(kumite)
            assert "Better:" in text or "What was better?" in text
            assert len(text.split("\n")) == size[1]
            assert all(widget.region.bottom <= size[1] for widget in screen.query("*"))
            assert size != (80, 24) or text.replace("–", "-").isascii()
            await pilot.press("right_square_bracket")


async def test_the_keys_name_the_way_to_the_next_error_and_to_a_match_from_here() -> None:
    async with looked_back(walk(Setup.of(GAMES["kitsu"]), 3, 60)) as (kumite, pilot, _, screen):
        turned(screen)
        await pilot.pause()
        for _ in screen.review.turnings[1:]:
            assert "↓ next   Enter try again   ] its result   b play from here" in shown(
                kumite, "keys"
            )
            await pilot.press("down")
        keys = shown(kumite, "keys")
        assert keys.startswith("Enter try again   ] its result   b play from here   ?")


def turned(screen: ReviewScreen) -> None:
    """Let a match have turned often."""
    review, found = screen.review, list[Turning]()
    for values in review.values:
        for number, seat in values.asked.items():
            seen = review.seen(number, seat)
            legal = seen.legal(seat)
            if len(legal) > 1:
                found.append(Turning(seen, seat, legal[0], legal[-1], 0.7, 0.2))
    some = found[:: max(1, len(found) // sum(TOLD))][: sum(TOLD)]
    review.again = {(one.number, one.seat): one for one in some}
    assert review.turnings
    screen.redraw()


# --- the ways there -----------------------------------------------------------------------------


async def test_one_key_leads_there_from_an_end_a_replay_and_the_saved_matches() -> None:
    match = walk(Setup.of(GAMES["kuzushi"]), 1)
    path, mind = written(match), FakePlayer(judged(match))
    async with thinking(lambda: TableScreen(LocalTable.resume(path)), mind) as (kumite, pilot, _):
        assert "o review" in frame(kumite)
        kumite.opening = None  # as if one had come from home
        for keys, below in (("o", TableScreen), ("po", ReplayScreen), ("qqso", SavedScreen)):
            await pilot.press(*keys)
            await until(pilot, lambda: isinstance(kumite.screen, ReviewScreen), "the review")
            await pilot.press("q")
            assert isinstance(kumite.screen, below)


async def test_a_board_that_was_turned_stays_so_in_replay_review_and_analysis() -> None:
    match = walk(Setup.of(GAMES["kuzushi"]), 1)
    path, mind = written(match), FakePlayer(judged(match))
    async with thinking(lambda: TableScreen(LocalTable.resume(path)), mind) as (kumite, pilot, _):
        for is_turned in (False, True):
            for key in "po":
                await pilot.press(key)
                await until(pilot, lambda: not isinstance(kumite.screen, TableScreen), "the screen")
                assert isinstance(kumite.screen, ReplayScreen if key == "p" else ReviewScreen)
                files = re.search(r"\b\w(?: +[a-z]\b){4,}", frame(kumite))
                assert files is not None
                labels = files[0].split()
                assert labels == sorted(labels, reverse=is_turned)
                await pilot.press("q")
            await pilot.press("v", "f", "v")
    path = written(walk(Setup.of(GAMES["kuzushi"]), 1, 9))
    async with thinking(lambda: TableScreen(LocalTable.resume(path))) as (kumite, pilot, _):
        for is_turned in (False, True):
            await pilot.press("a")
            assert isinstance(kumite.screen, AnalysisScreen)
            await pilot.pause()
            files = re.search(r"\b\w(?: +[a-z]\b){4,}", frame(kumite))
            assert files is not None
            labels = files[0].split()
            assert labels == sorted(labels, reverse=is_turned)
            await pilot.press("q", "f")


async def test_while_a_match_goes_on_there_is_none(match: Match) -> None:
    path = written(match)
    async with thinking(lambda: TableScreen(LocalTable.resume(path))) as (kumite, pilot, _):
        await pilot.press("o")
        assert isinstance(kumite.screen, TableScreen)


# --- trying again -------------------------------------------------------------------------------


async def test_the_better_step_is_looked_for_told_why_not_and_found(match: Match) -> None:
    async with looked_back(match) as (kumite, pilot, mind, screen):
        await pilot.press("enter")
        assert isinstance(kumite.screen, Dialog)
        await pilot.press("enter")
        table = screen_of(kumite, TryScreen)
        assert "find what was better" in shown(kumite, "title")
        assert table.table.turning.better not in told(kumite)
        asked = len(mind.asked)
        turning = table.table.turning
        assert play(table, turning.step)
        await until(pilot, lambda: "That was played in the match" in told(kumite), "the verdict")
        assert len(mind.asked) == asked  # it is known
        await pilot.press("u")
        wrong = next_to(table)
        mind.answer = lambda position: one_line(position, 0.9)
        assert play(table, wrong)
        await until(pilot, lambda: f"10 % to win with {wrong}" in told(kumite), "the verdict")
        assert "u takes it back" in told(kumite)
        await pilot.press("u", "i")
        assert f"A bot's choice: {turning.better}." in told(kumite)
        assert play(table, turning.better)
        await pilot.pause()
        letters = " ".join(plain(one) for one in large("found", "gain"))
        assert told(kumite).startswith(f"{' '.join(letters.split())} Yes: ")
        assert "found" in shown(kumite, "title")
        await pilot.press("enter")
        assert kumite.screen is screen


def next_to(table: TryScreen) -> Step:
    """Return a step that is neither the one that was played nor the better one."""
    turning = table.table.turning
    legal = table.model.seen.legal(Seat(0))
    return next(step for step in legal if step not in (turning.step, turning.better))


def one_line(position: Position, value: float) -> Choice:
    return Choice(position.legal[0], value, (Line(position.legal[0], value, 1.0),))


async def test_a_step_as_good_is_taken_as_well(match: Match) -> None:
    async with looked_back(match) as (kumite, pilot, mind, _):
        await pilot.press("enter", "enter")
        table = screen_of(kumite, TryScreen)
        mind.answer = lambda position: one_line(position, 0.51)
        assert play(table, next_to(table))
        await until(pilot, lambda: "is as good as" in told(kumite), "the verdict")


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
async def test_any_turning_point_of_any_game_can_be_tried(game_id: str, seats: int) -> None:
    match = walk(Setup.of(GAMES[game_id], seats), 3, 40)
    async with looked_back(match) as (kumite, pilot, _, screen):
        turned(screen)
        await pilot.pause()
        for turning in screen.review.turnings:
            kumite.push_screen(TryScreen(screen.review, turning, screen.replay.names, "ab12"))
            await pilot.pause()
            table = screen_of(kumite, TryScreen)
            assert table.model.seat == turning.seat
            assert "u: take back" not in shown(kumite, "hint")  # nothing has been tried
            await pilot.press("i", "enter")  # what is shown is under the cursor
            assert table.table.tried == turning.better
            if table.model.interlude:
                await pilot.press("enter")
            assert table.is_done
            await pilot.press("q")


async def test_one_plays_on_from_there_against_a_bot_or_whom_one_is_asked_for(match: Match) -> None:
    async with looked_back(match) as (kumite, pilot, _, _):
        await pilot.press("b")
        assert isinstance(kumite.screen, Dialog)
        assert "Continue after step 3" in frame(kumite)
        assert "you as ada, against bot medium" in frame(kumite)
        assert kumite.screen.query_one(Form).row.key == "people"
        await pilot.press("escape", "enter", "down", "down", "enter")
        table = screen_of(kumite, TableScreen)
        assert table.table.names == ("ada", "bot:medium")
        assert table.table.match.number == ERROR
    (path,) = log_files.folder().glob("*.kumite")
    assert origin(log_files.load(path).header) == ("ab12", ERROR)


def before_a_choice(game_id: str) -> Match:
    """Return a position of a new match with something to choose beside where one begins."""
    match = Match.begin(Setup.of(GAMES[game_id]))
    while CHANCE in match.actors or "," in match.legal(match.actors[0])[0][:2]:
        actor = match.actors[0]
        match = match.play(actor, sorted(match.legal(actor))[0])
    return match


@pytest.mark.parametrize("game_id", GAMES)
def test_both_steps_are_marked_and_each_in_its_own_way(game_id: str) -> None:
    """One could not tell which was which: the same ground, and a corner of a few pixels."""
    match, makes = before_a_choice(game_id), scenes.maker_of(game_id)
    seat = Seat(int(match.actors[0]))
    match = match.seen_by(frozenset({seat}))
    look = LOOKS["letters"]
    scene, own = (
        makes.scene(match.state, NAMES[:2], look, you, scenes.past(match)) for you in (None, seat)
    )
    there = {cell.name for row in scene.board.rows for cell in row}
    hand = {chip.name for chip in own.tray if chip.card}
    ways = {makes.parts(step) for step in match.legal(seat)}
    played, *_, better = sorted(way for way in ways if there & set(way) or set(way) <= hand)
    shown, verdict = compared(scene, own, played, better, look)
    assert verdict.played
    assert verdict.better
    assert not verdict.played & verdict.better
    if shown.stage is not None:
        assert shown.spread is not None
        drawn = [plain(group.labels) for group in shown.spread.groups]
    elif scene.board.rows:
        marks = BoardMarks(verdict=verdict)
        brush = brush_for(Skin(), look, colors.read("mono"))
        drawn = ["".join(map(plain, board_rows(scene.board, marks, brush, Geometry(4, 2, 1))))]
    else:
        assert shown.spread is not None
        drawn = [card.sign[0] for group in shown.spread.hands for card in group.cards]
    assert "×" in "".join(drawn)
    assert "✓" in "".join(drawn)


async def test_the_words_have_the_signs_of_the_marks(match: Match) -> None:
    async with looked_back(match, glyphs="ascii") as (kumite, pilot, _, screen):
        assert shown(kumite, "hint").strip() == "Before step 4: x was played."
        await pilot.press("enter", "down", "enter")
        assert "x Here ada" in told(kumite)
        assert "+ Better: ada" in told(kumite)
        assert shown(kumite, "hint").strip() == "Before step 4: x was played, + was better."
        (turning,) = screen.review.turnings
        marks = screen.query_one(BoardWidget)._marks.verdict
        assert marks.played == set(screen._makes.parts(turning.step))
        assert marks.better == set(screen._makes.parts(turning.better))


def test_what_both_steps_choose_is_marked_for_neither() -> None:
    look = LOOKS["letters"]
    verdict = Verdict.of(("d5", "e4"), ("d5", "c6"), look)
    assert verdict == Verdict(frozenset({"e4"}), frozenset({"c6"}), frozenset({"d5"}), "×✓")
    nested = Verdict.of(("+3", "o4"), ("o4",), look)
    assert (nested.played, nested.better) == ({"+3"}, {"o4"})
    back = Verdict.of(("d5", "e4"), ("e4", "d5"), look)
    assert (back.played, back.better) == ({"e4"}, {"d5"})
