"""Puzzles on screen: solved, missed and told why, shown, kept, gone on from; the day's."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from click.testing import CliRunner
from textual.pilot import Pilot
from textual.screen import Screen

from kumite.cli.main import main
from kumite.core.bots import Choice, Line
from kumite.core.errors import KumiteError
from kumite.core.game import Seat, Step
from kumite.store import practice
from kumite.tui.app import KumiteApp
from kumite.tui.drawing.lettering import large
from kumite.tui.games.kiriai import puzzles as duels
from kumite.tui.games.kitsune import puzzles as rounds
from kumite.tui.play import explained, narration
from kumite.tui.play.tasks import next_puzzle
from kumite.tui.puzzles.model import FORCE, HOLD, TURN, Puzzle, daily, games, parsed, shipped
from kumite.tui.puzzles.own import by_game
from kumite.tui.puzzles.turns import Defences, turn_game, win_after
from kumite.tui.scenes.lines import plain, width
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.puzzles import PuzzleScreen, PuzzlesScreen
from kumite.tui.screens.reading import RulesScreen
from kumite.tui.widgets.tray import TrayWidget
from tests.support.apps import app, frame, heading, listed, play, running, screen_of, shown, until
from tests.support.fake_player import FakePlayer
from tests.support.puzzles import PUSHED_OUT, SENT_TO_LEAP, THERE_AND_BACK
from tests.support.spread import spread

NAMES = ("player 1", "player 2")
COMES_BACK = "1 again, 44 new of 47, 2 back in 4+ days"
SIZES = ((60, 20), (80, 24), (120, 36))
ONE_OF_EACH = [shipped(name)[0] for name in games()]


def words(kumite: KumiteApp) -> str:
    """Return what stands beside a board, and below a table of cards, without large letters."""
    said = f"{shown(kumite, 'facts')} {shown(kumite, 'company')}"
    return " ".join(re.sub("[█▀▄]", "", said).split())


def in_words(one: Puzzle) -> str:
    return narration.run_of(one.start, one.seat, one.answer, ("player 1", "player 2"))


def drawn(kumite: KumiteApp) -> str:
    """Return what is to be seen of that: not what is cut off below."""
    rows = frame(kumite).split("\n")
    seen = [kumite.screen.query_one(f"#{name}").region for name in ("facts", "company")]
    return " ".join(" ".join(row[at.x : at.right] for at in seen for row in rows).split())


def the_screen(kumite: KumiteApp) -> PuzzleScreen:
    assert isinstance(kumite.screen, PuzzleScreen)
    return kumite.screen


async def solve(pilot: Pilot[None], screen: PuzzleScreen) -> None:
    for step in screen.puzzle.answer:
        assert play(screen, Step(step))
        await pilot.pause()
    if screen.model.interlude:  # a trick is complete
        await pilot.press("enter")


@pytest.mark.parametrize(("one", "size"), spread(ONE_OF_EACH, SIZES))
async def test_a_puzzle_is_solved_kept_and_leads_to_the_next(
    one: Puzzle, size: tuple[int, int]
) -> None:
    async with running(lambda: PuzzleScreen(one), size=size) as (kumite, pilot):
        screen = the_screen(kumite)
        assert "You are player" in words(kumite)
        assert "analyse" not in {one.description for one in screen.bound_now()}
        assert screen.query_one("#facts").region.bottom <= size[1]
        await solve(pilot, screen)
        assert "Solved at the first try; 1 in a row." in words(kumite)
        assert "solved" in shown(kumite, "title")
        drawn = [plain(line).rstrip() for line in large("solved", "gain")]
        assert size[0] < 80 or all(line in frame(kumite) for line in drawn)
        tray = screen.query_one(TrayWidget)
        assert not (screen.field.is_board and tray.display)  # buttons that do nothing
        kept = practice.load().known[one.id]
        assert (kept.memory.times, kept.memory.days) == (1, 1)
        following = next_puzzle(one.game.ID)
        await pilot.press("enter")
        if following is not None:
            assert the_screen(kumite).puzzle.id == following.id
            assert following.id != one.id


async def test_a_solved_puzzle_is_seen_before_it_is_praised() -> None:
    one = next(puzzle for puzzle in ONE_OF_EACH if puzzle.game.ID == "kuzushi")
    kumite = app(lambda: PuzzleScreen(one))
    kumite.pace = 40.0
    async with kumite.run_test(size=(80, 24)) as pilot:
        await solve(pilot, the_screen(kumite))
        assert "Solved" not in words(kumite)
        await pilot.press("enter")
        assert "Solved at the first try" in words(kumite)


async def test_a_wrong_step_is_told_why_and_only_the_first_try_counts() -> None:
    one = next(puzzle for puzzle in ONE_OF_EACH if puzzle.goal == FORCE)
    kumite = app(lambda: PuzzleScreen(one))
    mind = FakePlayer(
        lambda position: Choice(position.legal[0], 1.0, (Line(position.legal[0], 1.0, 1.0),))
    )
    kumite._bot_service = mind
    async with kumite.run_test(size=(80, 24)) as pilot:
        screen = the_screen(kumite)
        wrong = next(step for step in one.start.legal(one.seat) if step != one.answer[0])
        assert play(screen, wrong)
        await until(pilot, lambda: "the win is gone" in words(kumite), "the answer to it")
        assert "u takes it back" in words(kumite)
        assert practice.load().known[one.id].memory.times == 0
        await pilot.press("u")
        await solve(pilot, screen)
        assert "It comes back tomorrow." in words(kumite)
        assert shown(kumite, "title").endswith("found")
        kept = practice.load()
        assert (kept.row, kept.known[one.id].memory.times) == (0, 0)


async def test_a_wrong_step_is_called_in_words_where_no_answer_to_it_is_found() -> None:
    one = next(puzzle for puzzle in ONE_OF_EACH if puzzle.goal == FORCE)
    turned = next(step for step in one.start.legal(one.seat) if step.endswith("+"))
    kumite = app(lambda: PuzzleScreen(one))
    mind = FakePlayer()
    mind.error = KumiteError("the bot is ill")
    kumite._bot_service = mind
    async with kumite.run_test(size=(80, 24)) as pilot:
        assert play(the_screen(kumite), turned)
        said = f"Turning {turned[:-1]} over is not it. u takes it back."
        await until(pilot, lambda: said in words(kumite), "that it is not it")


@pytest.mark.parametrize(
    ("game_id", "answer_to", "said"),
    [
        ("kitsune", rounds.what_follows, "may play the "),
        ("kiriai", duels.threats, "you are hit and have lost. u takes it back."),
    ],
)
async def test_what_is_against_a_card_or_a_plan_is_told(
    game_id: str, answer_to: Callable[[object, Step], object], said: str
) -> None:
    one, wrong = next(
        (one, step)
        for one in shipped(game_id)
        for step in one.start.legal(one.seat)
        if step != one.answer[0] and answer_to(one.start.state, step)
    )
    async with running(lambda: PuzzleScreen(one)) as (kumite, pilot):
        screen = the_screen(kumite)
        assert "You are player" in words(kumite)
        assert play(screen, wrong)
        if screen.model.interlude:  # the trick is looked at first
            await pilot.press("enter")
        await until(pilot, lambda: said in words(kumite), "what is against it")
        assert not screen.is_done
        assert practice.load().known[one.id].memory.times == 0


async def test_after_a_wrong_card_one_stands_at_the_miss_and_cannot_play_on() -> None:
    one, wrong = next(
        (one, step)
        for one in shipped("kitsune")
        for step in one.start.legal(one.seat)
        if step != one.answer[0] and one.start.play(one.seat, step).actors == (one.seat,)
    )
    async with running(lambda: PuzzleScreen(one)) as (kumite, pilot):
        screen = the_screen(kumite)
        assert play(screen, wrong)
        if screen.model.interlude:
            await pilot.press("enter")
        await until(pilot, lambda: "u takes it back." in words(kumite), "what is against it")
        assert shown(kumite, "hint").startswith("u: take back   m: start over   i: the answer")
        await pilot.press("enter", "right", "enter")
        assert [played.step for played in screen.table.match.steps()] == [wrong]
        await pilot.press("u")
        assert not screen.table.match.steps()
        await solve(pilot, screen)
        assert "It comes back tomorrow." in words(kumite)


@pytest.mark.parametrize("game_id", ["kitsu", "kumo"])
async def test_after_a_turn_that_is_no_defence_all_of_the_win_is_told(game_id: str) -> None:
    one = next(one for one in shipped(game_id) if one.goal == HOLD)
    known = Defences(one.game, turn_game(game_id))
    ends = [end for end in known.ends(one.start.state) if end != one.held]
    longest = max(ends[:: len(ends) // 7], key=lambda end: len(win_after(one, end)))
    win = win_after(one, longest)
    async with running(lambda: PuzzleScreen(one)) as (kumite, pilot):
        screen = the_screen(kumite)
        assert "wins in the next turn unless this one stops it." in words(kumite)
        for step in known.way_to(one.start.state, longest):
            assert play(screen, step)
            await pilot.pause()
        await until(pilot, lambda: "Then player" in words(kumite), "what is against it")
        told = narration.run_of(screen.table.match, Seat(1 - one.seat), win, NAMES)
        ways = [f"Then {NAMES[1 - one.seat]} wins: {how}." for how in (told, " ".join(win))]
        assert any(f"{way} u takes it back." in drawn(kumite) for way in ways)
        assert practice.load().known[one.id].memory.times == 0
        await pilot.press("m")
        await solve(pilot, screen)
        assert "It comes back tomorrow." in words(kumite)


async def test_a_turn_that_ends_without_the_win_is_told() -> None:
    one = next(puzzle for puzzle in ONE_OF_EACH if puzzle.goal == TURN)
    async with running(lambda: PuzzleScreen(one)) as (kumite, pilot):
        screen = the_screen(kumite)
        while screen.model.seat is not None:
            legal = screen.model.seen.legal(screen.model.seat)
            ends = [step for step in ("done", "stop", "end") if step in legal]
            assert play(
                screen, Step((ends or [step for step in legal if step != one.answer[0]])[0])
            )
            await pilot.pause()
        assert "The turn is over and the match continues" in words(kumite)
        assert not screen.is_done
        await pilot.press("m")
        await solve(pilot, screen)
        assert screen.is_done


@pytest.mark.parametrize("game_id", ["kitsu", "kumo"])
async def test_once_a_turn_cannot_win_any_more_that_is_told_and_the_first_try_is_over(
    game_id: str,
) -> None:
    one, wrong = next(
        (one, step)
        for one in shipped(game_id)
        if one.goal == TURN
        for step in one.start.legal(one.seat)
        if step != one.answer[0] and one.start.play(one.seat, step).actors == (one.seat,)
    )
    told = "No win is left in this turn; u takes a step back."
    async with running(lambda: PuzzleScreen(one)) as (kumite, pilot):
        screen = the_screen(kumite)
        assert play(screen, wrong)
        await until(pilot, lambda: told in drawn(kumite), "that it is out of reach")
        more = screen.model.seen
        assert play(
            screen,
            next(
                step
                for step in more.legal(one.seat)
                if more.play(one.seat, step).actors == (one.seat,)
            ),
        )
        assert told in words(kumite)
        await pilot.press("u", "u")
        assert "Win in this turn." in words(kumite)
        assert one.id in practice.load().known
        for step in one.answer:
            assert play(screen, step)
            await pilot.pause()
            async with screen._looking:
                assert told not in words(kumite)
        assert "Correct, but not at the first try." in words(kumite)


@pytest.mark.parametrize("one", ONE_OF_EACH, ids=lambda one: one.game.ID)
async def test_i_gives_a_hint_before_all_of_the_answer(one: Puzzle) -> None:
    """Only who sees all of it has not solved it at the first try."""
    async with running(lambda: PuzzleScreen(one)) as (kumite, pilot):
        screen = the_screen(kumite)
        choice = screen.model.choice
        parts = choice.parts[one.answer[0]]
        await pilot.press("i")
        assert "The answer:" not in words(kumite)
        good = explained.merit(one.start, one.seat, one.answer[0], screen.table.shown_names)
        first = f"It begins with {parts[0]}" if len(parts) > 1 else f": {good}"
        assert f"{first}; i again shows the answer." in words(kumite)
        if one.game.ID == "kuzushi":
            part = screen.model.scene.board.part
            ninths = {"e9": "upper left", "h6": "middle", "i7": "right", "h4": "lower middle"}
            assert {square: part(square) for square in ninths} == ninths
            assert part("z9") == ""
            assert words(kumite).startswith(f"Look at the {ninths[one.answer[0]]} of the board: ")
        assert "i answer" in shown(kumite, "keys")
        await solve(pilot, screen)
        assert practice.load().row == 1


async def test_the_answer_is_shown_and_then_it_is_not_solved_at_the_first_try() -> None:
    one = ONE_OF_EACH[0]
    async with running(lambda: PuzzleScreen(one)) as (kumite, pilot):
        await pilot.press("i", "i")
        assert "The answer:" in words(kumite)
        assert f"Or type :{' '.join(one.answer)}" in words(kumite)
        await solve(pilot, the_screen(kumite))
        assert practice.load().row == 0


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (SENT_TO_LEAP, " sends own Fox a6 to e6; Fox e6 leaps to g7, captures"),
        (PUSHED_OUT, "'s kumo e8 walks to d8; kumo f8 walks to e8; kumo e8 and d8 push"),
        (THERE_AND_BACK, " turns the arena left"),
        (shipped("kuzushi")[0], " lays "),
        (shipped("kitsune")[0], " plays "),
        (shipped("kiriai")[0], " plans "),
    ],
)
async def test_the_answer_is_told_in_the_words_of_the_log(one: Puzzle, said: str) -> None:
    async with running(lambda: PuzzleScreen(one)) as (kumite, pilot):
        await pilot.press("i", "i")
        assert f"The answer: player {one.seat + 1}{said}" in words(kumite)


async def test_an_answer_says_that_it_begins_at_the_start_where_one_is_elsewhere() -> None:
    one = shipped("kumo")[0]
    async with running(lambda: PuzzleScreen(one)) as (kumite, pilot):
        screen = the_screen(kumite)
        assert play(screen, one.answer[0])
        await pilot.press("i", "i")
        assert "The answer: player 2's kumo" in words(kumite)
        await pilot.press("u")
        assert play(
            screen, next(step for step in one.start.legal(one.seat) if step != one.answer[0])
        )
        await pilot.pause()
        assert "The answer, from the start (m): player 2's kumo" in words(kumite)


@pytest.mark.parametrize("game_id", games())
async def test_the_longest_answer_is_shown_whole(game_id: str) -> None:
    one = max(shipped(game_id), key=lambda one: len(in_words(one)))
    async with running(lambda: PuzzleScreen(one), size=SIZES[0]) as (kumite, pilot):
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await pilot.press("i", "i")
            await pilot.pause()
            assert "The answer:" in frame(kumite)
            assert in_words(one).split("; ")[-1] in drawn(kumite) or one.answer[-1] in drawn(kumite)
        assert f"{in_words(one)}." in words(kumite)


async def test_help_says_first_what_is_done_in_a_puzzle_and_r_has_the_rules() -> None:
    screen = PuzzleScreen(ONE_OF_EACH[0])
    async with running(lambda: screen, size=(80, 28)) as (kumite, pilot):
        assert "? help" in frame(kumite).split("\n")[-1]
        await pilot.press("question_mark")
        said = " ".join(re.sub("[▀╭─╮│╰╯]", "", frame(kumite)).split())
        assert "Help Do what the text says" in said
        assert "m starts over, i gives a hint about the answer" in said
        assert " i hint " in said
        await pilot.press("q", "r")
        assert isinstance(kumite.screen, RulesScreen)


async def test_the_list_has_the_puzzle_of_the_day_and_the_games() -> None:
    async with running(PuzzlesScreen) as (kumite, pilot):
        await pilot.pause()
        count = len(by_game()["kuzushi"])
        assert f"{count} new of {count}" in frame(kumite)
        await pilot.press("enter")
        today = daily(date.today())
        assert the_screen(kumite).puzzle.id == today.id
        assert "puzzle of the day" in shown(kumite, "title")
        await solve(pilot, the_screen(kumite))
        assert shown(kumite, "title").endswith("solved")
        await pilot.press("q")
        assert isinstance(kumite.screen, PuzzlesScreen)
        assert "done" in frame(kumite)
        assert "Puzzles: 1 solved in a row; 1 at best" in heading(kumite)


async def test_before_anything_was_solved_at_the_first_try_no_row_is_counted() -> None:
    practice.save(practice.load().answered(shipped("kumo")[0].id, 1, date.today()))
    async with running(PuzzlesScreen) as (kumite, pilot):
        await pilot.pause()
        assert "Puzzles: one best turn, one try" in heading(kumite)
        await pilot.press("down", "down", "down")
        assert "46 new of 47, 1 missed, back tomorrow" in shown(kumite, "hint")


@pytest.mark.parametrize(
    ("grades", "said"),
    [
        ((1,), "1 missed, back tomorrow"),
        ((5,), "1 back tomorrow"),
        ((1, 5, 1), "3 (2 missed) back, first tomorrow"),
    ],
)
async def test_the_list_says_what_was_missed(grades: tuple[int, ...], said: str) -> None:
    """A puzzle that was failed read like one that was solved."""
    kept, today, first = practice.load(), date.today(), daily(date.today())
    every = shipped("kumo" if first.game.ID == "kuzushi" else "kuzushi")
    for puzzle, grade in zip(every, grades, strict=False):
        kept = kept.answered(puzzle.id, grade, today)
    practice.save(kept.answered(first.id, grades[0], today))
    async with running(PuzzlesScreen, size=(160, 50)) as (kumite, pilot):
        await pilot.pause()
        text = frame(kumite)
        assert f" new of {len(every)}, {said}  " in text
        assert ("   missed" in text) == (grades[0] == 1)
        assert ("   done" in text) == (grades[0] == 5)


@pytest.mark.parametrize(
    ("columns", "said"),
    [(80, "1 again, 44 new"), (60, "1 again, 44 new of 47"), (160, COMES_BACK)],
)
async def test_the_list_says_when_puzzles_come_back_and_is_not_cut(columns: int, said: str) -> None:
    """What the list has no room for is told when its row is marked."""
    one, two, three = (puzzle.id for puzzle in shipped("kumo")[:3])
    today, kept = date.today(), practice.load()
    for puzzle, days in ((one, 1), (one, 0), (two, 1), (three, 3), (three, 2)):
        kept = kept.answered(puzzle, 5, today - timedelta(days))
    practice.save(kept)
    async with running(PuzzlesScreen, size=(60 if columns == 80 else 80, 24)) as (kumite, pilot):
        await pilot.resize_terminal(columns, 24)
        await pilot.pause()
        assert any(row.endswith(said) for row in listed(kumite))
        assert all(width(line) <= columns for line in frame(kumite).splitlines())
        await pilot.press("down", "down", "down")
        assert (COMES_BACK in shown(kumite, "hint")) == (said != COMES_BACK)


async def test_the_title_says_how_hard_it_is_in_words() -> None:
    """Of every level and, where its title is longest, of every game."""
    every = [one for game_id in games() for one in shipped(game_id)]
    some = {one.level: one for one in every} | {one.game.ID: one for one in every}
    async with running(size=SIZES[0]) as (kumite, pilot):
        for one in some.values():
            await kumite.push_screen(PuzzleScreen(one))
            await pilot.pause()
            assert shown(kumite, "title").endswith(f": {WORDS[one.level]}")


WORDS = dict(enumerate(("", *["easy"] * 2, *["medium"] * 3, *["hard"] * 3, "very hard")))


async def test_the_command_begins_at_the_game_that_it_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[Screen[None]] = []
    monkeypatch.setattr("kumite.cli.app_start.open_app", lambda _, screen: opened.append(screen()))
    done = CliRunner().invoke(main, ["puzzles", "kumo", "--theme", "light"])
    assert done.exit_code == 0, done.output
    async with running(lambda: opened[0]) as (kumite, pilot):
        await pilot.press("enter")
        assert the_screen(kumite).puzzle.game.ID == "kumo"
    assert "no game 'chess'" in CliRunner().invoke(main, ["puzzles", "chess"]).output


async def test_where_none_is_due_that_is_said() -> None:
    kept = practice.Practice()
    for one in shipped("kuzushi"):
        kept = kept.answered(one.id, 5, date.today())
    practice.save(kept)
    async with running(lambda: PuzzlesScreen("kuzushi")) as (kumite, pilot):
        await pilot.press("enter")
        assert isinstance(kumite.screen, PuzzlesScreen)
        assert "none is new, and none is due today  come back tomorrow" in frame(kumite)


async def test_the_home_screen_leads_there_with_the_game_that_is_meant() -> None:
    async with running(HomeScreen) as (kumite, pilot):
        await pilot.press("z")
        assert screen_of(kumite, PuzzlesScreen).form.row.key in (*games(), "daily")


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_puzzle_is_copied_as_a_line_that_is_the_puzzle(
    copied: list[str], size: tuple[int, int]
) -> None:
    one = ONE_OF_EACH[-1]
    async with running(lambda: PuzzleScreen(one), size=size) as (kumite, pilot):
        await pilot.press("x")
        await pilot.pause()
        assert "Copied. If nothing can be pasted, mark this line" in frame(kumite)
        assert "".join(copied[0].split()) in "".join(frame(kumite).split())  # to be marked
        await pilot.press("q")
        assert isinstance(kumite.screen, PuzzleScreen)
    assert [parsed(line).id for line in copied] == [one.id]
