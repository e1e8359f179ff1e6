"""A review on screen: opened with a key, left at any time, told, tried again, played on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kumite.core.bots import Choice, Line, Position
from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, SPECTATOR, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text, read
from kumite.core.match import Match
from kumite.core.origins import origin
from kumite.store import log_files
from kumite.tui import scenes
from kumite.tui.bots.review import TOLD, Turning
from kumite.tui.drawing.grid import BoardMarks, Geometry, board_rows
from kumite.tui.drawing.pixels import brush_for
from kumite.tui.look import colors
from kumite.tui.look.glyphs import LOOKS
from kumite.tui.look.sprites import Skin
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes.compared import compared
from kumite.tui.scenes.lines import plain
from kumite.tui.scenes.model import Verdict
from kumite.tui.screens.dialog import Dialog
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.review import ReviewScreen, TryScreen
from kumite.tui.screens.saved import SavedScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.board import BoardWidget
from kumite.tui.widgets.form import Form
from tests.support.apps import app, frame, play, screen_of, shown, until
from tests.support.fake_player import FakePlayer
from tests.support.minds import TABLES
from tests.support.random_matches import walk
from tests.support.spread import spread

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from kumite.tui.app import KumiteApp

NAMES = ("ada", "bot:easy", "cyd", "dan", "eve", "fay")
ERROR = 3  # the number of the position in which ada errs


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def a_log(match: Match, names: tuple[str, ...] = NAMES, **more: object) -> str:
    names = names[: match.setup.seats]
    return log_text(Header("ab12", match.setup, names, **more), match)  # type: ignore[arg-type]


def a_review(match: Match, **more: object) -> ReviewScreen:
    return ReviewScreen(Replay(read(a_log(match, **more))))


def minded(kumite: KumiteApp, match: Match) -> FakePlayer:
    mind = FakePlayer(judged(match))
    kumite._bot_service = mind  # type: ignore[assignment]
    return mind


def judged(match: Match):  # type: ignore[no-untyped-def]
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


async def looked(pilot: Pilot[None], screen: ReviewScreen) -> None:
    await until(pilot, lambda: not screen._is_thinking, "the end of the look back")
    await pilot.pause()


def words(kumite: KumiteApp) -> str:
    return " ".join(shown(kumite, "facts").split())


@pytest.fixture
def match() -> Match:
    return walk(Setup.of(GAMES["kuzushi"]), 1, 8)


# --- looking back -------------------------------------------------------------------------------


async def test_without_turning_points_one_steps_through_the_match(match: Match) -> None:
    kumite = app(lambda: screen)
    screen = a_review(match.back(ERROR))
    minded(kumite, match)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await looked(pilot, screen)
        assert not screen.review.turnings
        assert f"Step {ERROR} of {ERROR}" in shown(kumite, "hint")
        at_end = frame(kumite)
        await pilot.press("left_square_bracket")
        assert f"Step {ERROR - 1} of {ERROR}" in shown(kumite, "hint")
        assert "] forward" in shown(kumite, "keys")
        await pilot.press(*["left_square_bracket"] * (ERROR - 1))
        assert f"Step 0 of {ERROR}" in shown(kumite, "hint")
        await pilot.press(*["right_square_bracket"] * ERROR)
        assert frame(kumite) == at_end


async def test_a_match_is_looked_back_at_and_told(match: Match) -> None:
    kumite = app(lambda: screen)
    screen = a_review(match)
    mind = minded(kumite, match)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await looked(pilot, screen)
        assert len(mind.asked) == 9 + 1  # each position, and that after what was better
        figures = " ".join(shown(kumite, "seats").split())
        assert "ada 85 % 1 blunder" in figures
        assert "bot easy 100 % no errors" in figures
        (turning,) = screen.review.turnings
        assert (turning.number, turning.seat) == (ERROR, 0)
        assert "step  4 blunder -24 %" in frame(kumite)
        assert words(kumite).startswith("Step 4: a blunder by ada × Here ada ")
        assert "What was better? Press Enter to try it or see it." in words(kumite)
        assert "✓ was better" not in shown(kumite, "hint")
        await pilot.press("right_square_bracket")
        assert "After the step that was played." in shown(kumite, "hint")
        assert "what came of it" not in shown(kumite, "keys")  # the better one is hidden
        await pilot.press("left_square_bracket", "enter", "down", "enter")
        assert "✓ Better: ada " in words(kumite)
        assert "✓ was better" in shown(kumite, "hint")
        assert "Better: 50 % to win. Played: 26 %." in words(kumite)
        assert "Before step 4" in shown(kumite, "hint")
        await pilot.press("right_square_bracket")
        assert "After the step that was played." in shown(kumite, "hint")
        await pilot.press("right_square_bracket")
        assert "After the step that was better." in shown(kumite, "hint")
        assert "what came of it" not in shown(kumite, "keys")
        await pilot.press("left_square_bracket", "left_square_bracket")
        assert "Before step 4" in shown(kumite, "hint")


async def test_it_shows_how_far_it_is_and_can_be_left(match: Match) -> None:
    kumite = app(lambda: a_review(match))
    mind = minded(kumite, match)

    def stop_after_four(position: Position) -> Choice:
        mind.is_stuck = len(mind.asked) > 4
        return judged(match)(position)

    mind.answer = stop_after_four
    async with kumite.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: mind.is_stuck, "some thoughts")
        await pilot.pause()
        assert "Looking at every choice: 5 of 9" in words(kumite)
        await pilot.press("enter", "b", "right_square_bracket")  # nothing to be tried yet
        assert isinstance(kumite.screen, ReviewScreen)
        await pilot.press("q")
        await until(pilot, lambda: mind.interrupted == 1, "that it stops")
    asked = len(mind.asked)
    kumite = app(lambda: screen)
    screen = a_review(match)
    again = minded(kumite, match)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await looked(pilot, screen)
        assert len(again.asked) == 9 + 1 - (asked - 1)


async def test_what_is_found_can_be_read_while_it_goes_on(match: Match) -> None:
    kumite = app(lambda: a_review(match))
    mind = minded(kumite, match)

    def slow_at_the_end(position: Position) -> Choice:
        mind.is_stuck = len(position.seen) > ERROR + 2
        return judged(match)(position)

    mind.answer = slow_at_the_end
    async with kumite.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: mind.is_stuck, "the first half")
        await pilot.pause()
        assert "looked at 7 of 9" in shown(kumite, "title")
        assert "step  4 blunder -24 %" in frame(kumite)
        assert words(kumite).startswith("Step 4: a blunder by ada")


async def test_a_bot_that_fails_is_told(match: Match) -> None:
    kumite = app(lambda: screen)
    screen = a_review(match)
    mind = minded(kumite, match)
    mind.error = KumiteError("the bot is ill", hint="ask again")
    async with kumite.run_test(size=(80, 24)) as pilot:
        await looked(pilot, screen)
        assert "the bot is ill  ask again" in frame(kumite)
        assert "Some choices are still unchecked" in words(kumite)


async def test_nobody_is_asked_for_a_spectator() -> None:
    match = walk(Setup.of(GAMES["kiriai"]), 1)
    screen = a_review(match.seen_by(SPECTATOR), by=SPECTATOR)
    kumite = app(lambda: screen)
    mind = minded(kumite, match)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert mind.asked == []
        assert words(kumite)


@pytest.mark.parametrize(
    ("game_id", "seats", "size"), spread(TABLES, ((60, 20), (80, 24), (120, 36), (160, 50)))
)
async def test_every_review_fits(game_id: str, seats: int, size: tuple[int, int]) -> None:
    match = walk(Setup.of(GAMES[game_id], seats), 3, 60)
    screen = a_review(match)
    kumite = app(lambda: screen, "ascii" if size == (80, 24) else "letters")
    minded(kumite, match)
    async with kumite.run_test(size=size) as pilot:
        await looked(pilot, screen)
        turned(screen)
        await pilot.pause()
        for _ in range(3):
            text = frame(kumite)
            assert "Better:" in text or "What was better?" in text
            assert len(text.split("\n")) == size[1]
            assert all(widget.region.bottom <= size[1] for widget in screen.query("*"))
            assert size != (80, 24) or text.replace("–", "-").isascii()
            await pilot.press("right_square_bracket")


def turned(screen: ReviewScreen) -> None:
    """Let a match have turned three times."""
    review, found = screen.review, list[Turning]()
    for values in review.values:
        for number, seat in values.asked.items():
            seen = review.seen(number, seat)
            legal = seen.legal(seat)
            if len(legal) > 1:
                found.append(Turning(seen, seat, legal[0], legal[-1], 0.7, 0.2))
    some = found[:: max(1, len(found) // TOLD)][:TOLD]
    review.again = {(one.number, one.seat): one for one in some}
    assert len(review.turnings) == TOLD
    screen.redraw()


# --- the ways there -----------------------------------------------------------------------------


async def test_one_key_leads_there_from_the_end_of_a_match(folder: Path) -> None:
    match = walk(Setup.of(GAMES["kuzushi"]), 1)
    path = folder / "x.kumite"
    path.write_text(a_log(match), encoding="utf-8")
    kumite = app(lambda: TableScreen(LocalTable.resume(path)))
    minded(kumite, match)
    async with kumite.run_test(size=(80, 24)) as pilot:
        assert "o review" in frame(kumite)
        await pilot.press("o")
        await until(pilot, lambda: isinstance(kumite.screen, ReviewScreen), "the review")
        await pilot.press("q")
        assert isinstance(kumite.screen, TableScreen)


async def test_and_from_a_replay_and_from_the_saved_matches(folder: Path, match: Match) -> None:
    path = folder / "x.kumite"
    path.write_text(a_log(match), encoding="utf-8")
    kumite = app(lambda: ReplayScreen(log_files.load(path), path))
    minded(kumite, match)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("o")
        assert isinstance(kumite.screen, ReviewScreen)
    kumite = app(SavedScreen)
    minded(kumite, match)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "bot easy" in frame(kumite), "the list")
        await pilot.press("o")
        assert isinstance(kumite.screen, ReviewScreen)


async def test_while_a_match_goes_on_there_is_none(folder: Path, match: Match) -> None:
    path = folder / "x.kumite"
    path.write_text(a_log(match, ("ada", "bob")), encoding="utf-8")
    kumite = app(lambda: TableScreen(LocalTable.resume(path)))
    minded(kumite, match)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("o")
        assert isinstance(kumite.screen, TableScreen)


# --- trying again -------------------------------------------------------------------------------


async def test_help_says_why_more_errors_are_counted_than_listed(match: Match) -> None:
    kumite = app(lambda: a_review(match))
    minded(kumite, match)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        said = " ".join(frame(kumite).split())
        assert "The errors of all players are counted. The three" in said


async def test_the_better_step_is_looked_for_told_why_not_and_found(match: Match) -> None:
    screen = a_review(match)
    kumite = app(lambda: screen)
    mind = minded(kumite, match)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await looked(pilot, screen)
        await pilot.press("enter")
        assert isinstance(kumite.screen, Dialog)
        await pilot.press("enter")
        table = screen_of(kumite, TryScreen)
        assert "find what was better" in shown(kumite, "title")
        assert table.table.turning.better not in words(kumite)
        asked = len(mind.asked)
        turning = table.table.turning
        assert play(table, turning.step)
        await until(pilot, lambda: "That was played in the match" in words(kumite), "the verdict")
        assert len(mind.asked) == asked  # it is known
        await pilot.press("u")
        wrong = next(
            step
            for step in table.model.seen.legal(Seat(0))
            if step not in (turning.step, turning.better)
        )
        mind.answer = lambda position: Choice(
            position.legal[0], 0.9, (Line(position.legal[0], 0.9, 1.0),)
        )
        assert play(table, wrong)
        await until(pilot, lambda: f"10 % to win with {wrong}" in words(kumite), "the verdict")
        assert "u takes it back" in words(kumite)
        await pilot.press("u", "i")
        assert f"A bot's choice: {turning.better}." in words(kumite)
        assert play(table, turning.better)
        await pilot.pause()
        assert words(kumite).startswith("Yes: ")
        assert "found" in shown(kumite, "title")
        await pilot.press("enter")
        assert kumite.screen is screen


async def test_a_step_as_good_is_taken_as_well(match: Match) -> None:
    screen = a_review(match)
    kumite = app(lambda: screen)
    mind = minded(kumite, match)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await looked(pilot, screen)
        await pilot.press("enter", "enter")
        table = screen_of(kumite, TryScreen)
        turning = table.table.turning
        other = next(
            step
            for step in table.model.seen.legal(Seat(0))
            if step not in (turning.step, turning.better)
        )
        mind.answer = lambda position: Choice(
            position.legal[0], 0.51, (Line(position.legal[0], 0.51, 1.0),)
        )
        assert play(table, other)
        await until(pilot, lambda: "is as good as" in words(kumite), "the verdict")


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
async def test_any_turning_point_of_any_game_can_be_tried(game_id: str, seats: int) -> None:
    match = walk(Setup.of(GAMES[game_id], seats), 3, 40)
    screen = a_review(match)
    kumite = app(lambda: screen)
    minded(kumite, match)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await looked(pilot, screen)
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


async def test_one_plays_on_from_there_against_a_bot(folder: Path, match: Match) -> None:
    screen = a_review(match)
    kumite = app(lambda: screen)
    minded(kumite, match)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await looked(pilot, screen)
        await pilot.press("enter", "down", "down", "enter")
        table = screen_of(kumite, TableScreen)
        assert table.table.names == ("ada", "bot:medium")
        assert table.table.match.number == ERROR
    (path,) = folder.glob("*.kumite")
    assert origin(log_files.load(path).header) == ("ab12", ERROR)


async def test_or_asks_who_goes_on(match: Match) -> None:
    screen = a_review(match)
    kumite = app(lambda: screen)
    minded(kumite, match)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await looked(pilot, screen)
        await pilot.press("b")
        assert isinstance(kumite.screen, Dialog)
        assert "Continue after step 3" in frame(kumite)
        assert "you as ada, against bot medium" in frame(kumite)
        assert kumite.screen.query_one(Form).row.key == "people"


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
    screen = a_review(match)
    kumite = app(lambda: screen, "ascii")
    minded(kumite, match)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await looked(pilot, screen)
        assert shown(kumite, "hint").strip() == "Before step 4: x was played."
        await pilot.press("enter", "down", "enter")
        assert "x Here ada" in words(kumite)
        assert "+ Better: ada" in words(kumite)
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
