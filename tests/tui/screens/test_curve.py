"""The values of a replay on screen: asked for, growing, stopped, kept, gone to; any eyes."""

from __future__ import annotations

from pathlib import Path

import pytest

from kumite.core.bots import Choice, Line, Position
from kumite.core.errors import KumiteError
from kumite.core.game import SPECTATOR, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text
from kumite.core.match import Match
from kumite.store import evaluations, log_files
from kumite.store.evaluations import Judged
from kumite.tui.app import KumiteApp
from kumite.tui.bots.evaluation import Values
from kumite.tui.bots.judging import simulations_here
from kumite.tui.bots.review import Review
from kumite.tui.drawing.places import FRAMED
from kumite.tui.look.glyphs import ASCII, LETTERS
from kumite.tui.screens.analysis import SECONDS, AnalysisScreen
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.valued import COSTLY
from tests.support.apps import app, frame, shown, until
from tests.support.fake_player import FakePlayer
from tests.support.random_matches import walk
from tests.support.spread import spread

NAMES = ("ada", "bob", "cyd", "dan", "eve", "fay")
LOW = 3  # the step after which whoever is to act stands badly
COST = 4  # the step that was an error
WIDE = 78 // 7  # columns of each of seven positions


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def opened(folder: Path, match: Match, **more: object) -> ReplayScreen:
    header = Header("ab12", match.setup, NAMES[: match.setup.seats], **more)  # type: ignore[arg-type]
    path = folder / "x.kumite"
    path.write_text(log_text(header, match), encoding="utf-8")
    return ReplayScreen(log_files.load(path), path)


def minded(screen: ReplayScreen, glyphs: str = "letters") -> tuple[KumiteApp, FakePlayer]:
    kumite = app(lambda: screen, glyphs)
    mind = FakePlayer(judged)
    kumite._bot_service = mind  # type: ignore[assignment]
    return kumite, mind


def judged(position: Position) -> Choice:
    """Return even chances, but bad ones after the third step."""
    value = 0.2 if len(position.seen) == LOW else 0.5
    best = position.legal[0]
    return Choice(best, value, (Line(best, value, 1.0),))


def is_done(kumite: KumiteApp, screen: ReplayScreen) -> bool:
    return not screen.curve.is_thinking and "judged" not in shown(kumite, "title")


async def test_every_position_is_judged_and_a_change_that_was_no_error_is_not_blamed(
    folder: Path,
) -> None:
    screen = opened(folder, walk(Setup.of(GAMES["kuzushi"]), 1, 6))
    kumite, mind = minded(screen)
    async with kumite.run_test(size=(80, 24)) as pilot:
        assert "%" not in frame(kumite)
        await pilot.press("c")
        await until(pilot, lambda: is_done(kumite, screen), "all values")
        assert len(mind.asked) == 7
        assert "ada 50 %" in shown(kumite, "title")
        assert shown(kumite, "curve") == "".join(one * WIDE for one in "▅▅▅▂▅▅▅")
        screen.at = LOW - 1
        await pilot.press("right")
        assert screen.at == LOW
        assert "ada 20 %" in shown(kumite, "title")
        assert "cost" not in shown(kumite, "hint")
        assert screen.curve._marks == {}
        await pilot.press("c")  # all is judged: it is hidden
        assert "%" not in frame(kumite)
        await pilot.press("c")
        assert shown(kumite, "curve") == "".join(one * WIDE for one in "▅▅▅▂▅▅▅")
        assert len(mind.asked) == 7


async def test_a_choice_that_cost_much_is_looked_at_again_marked_and_gone_to(folder: Path) -> None:
    match = walk(Setup.of(GAMES["kuzushi"]), 1, 6)
    played = match.line()[COST].last
    assert played is not None

    def erring(position: Position) -> Choice:
        """Return that all is even until the step that cost 30 %, and after it."""
        has_erred = len(position.seen) == COST and position.seen[-1].step == played.step
        value, best = (0.8 if has_erred else 0.5), position.legal[0]
        if len(position.seen) != COST - 1:
            return Choice(best, value, (Line(best, value, 1.0),))
        best = next(step for step in position.legal if step != played.step)
        return Choice(best, 0.5, (Line(best, 0.5, 0.6), Line(played.step, 0.2, 0.4)))

    kumite, mind = minded(screen := opened(folder, match))
    mind.answer = erring
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        await until(pilot, lambda: not screen.curve.is_thinking, "all values")
        assert "checking errors" not in shown(kumite, "title")
        assert screen.curve.course.events[COST] == COSTLY
        screen.at = COST - 1
        await pilot.press("t")
        assert screen.at == COST
        assert "step 4 cost ada 24 %" in " ".join(shown(kumite, "hint").split())
        assert "was better" in shown(kumite, "hint")
        asked = len(mind.asked)
        assert asked > 7
        await pilot.press("c", "c")
        assert screen.curve.course.events[COST] == COSTLY
        assert len(mind.asked) == asked


async def test_what_was_not_looked_at_again_is_not_said_to_be_on_its_way(folder: Path) -> None:
    """Positions are kept from an earlier time, but nobody has looked again, and nobody does."""
    match = walk(Setup.of(GAMES["kuzushi"]), 1, 6)
    values = Values(match, None, simulations_here(match))
    kept = {}
    for number in values.left:  # whoever is to act stands well: each step seems to cost much
        asked = values.question(number)
        step = asked.position.legal[-1]
        judged = Judged(asked.position.seat, 0.8, step, looked=values.simulations)
        kept[asked.key] = values.judged[number] = judged
    assert Review(match, None, frozenset(), values=values).suspects
    evaluations.save("ab12", kept)
    kumite, mind = minded(screen := opened(folder, match))
    async with kumite.run_test(size=(80, 24)) as pilot:
        assert screen.curve.is_shown
        assert "checking" not in shown(kumite, "title")
        mind.is_stuck = True
        await pilot.press("c")
        assert "checking errors, 0 of" in shown(kumite, "title")
        await pilot.press("c")
        assert "checking" not in shown(kumite, "title")


async def test_what_was_kept_is_shown_at_once(folder: Path) -> None:
    match = walk(Setup.of(GAMES["kuzushi"]), 1, 6)
    kumite, mind = minded(first := opened(folder, match))
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        await until(pilot, lambda: is_done(kumite, first), "all values")
    kumite, mind = minded(opened(folder, match), "ascii")
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("right")
        even, worse = (ASCII.heights[n] * WIDE for n in (4, 1))
        curve = even * 3 + worse + even * 3
        assert shown(kumite, "curve") == curve
        assert frame(kumite).isascii()
        assert mind.asked == []


async def test_it_stops_and_goes_on(folder: Path) -> None:
    screen = opened(folder, walk(Setup.of(GAMES["kuzushi"]), 1, 6))
    kumite, mind = minded(screen)
    mind.is_stuck = True
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        assert "A bot is judging each position" in shown(kumite, "hint")
        assert "judged 0 of 7" in shown(kumite, "title")
        await pilot.press("right")  # one looks on meanwhile
        assert screen.at == 1
        await pilot.press("c")
        await until(pilot, lambda: mind.interrupted == 1, "that it stops")
        assert "7 positions are left; c continues" in shown(kumite, "hint")
        mind.is_stuck = False
        await pilot.press("c")
        await until(pilot, lambda: is_done(kumite, screen), "all values")
        mind.is_stuck = True
        await pilot.press("c", "c", "q")


@pytest.mark.parametrize(
    ("game_id", "seats", "size"),
    spread([(one, seats) for one in GAMES for seats in GAMES[one].SEATS], ((80, 24), (120, 40))),
)
async def test_every_curve_fits(
    game_id: str, seats: int, size: tuple[int, int], folder: Path
) -> None:
    screen = opened(folder, walk(Setup.of(GAMES[game_id], seats), 3, 60))
    kumite, _ = minded(screen)
    async with kumite.run_test(size=size) as pilot:
        await pilot.press("c")
        await until(pilot, lambda: is_done(kumite, screen), "all values")
        await pilot.press("end")
        text = frame(kumite)
        if size[0] < FRAMED[0]:
            assert LETTERS.heights[4] * 3 in text
        else:  # hills, half as high as their panel
            await pilot.press("enter")  # puts the card of the end aside
            hills = shown(kumite, "value").split("\n")
            assert all(LETTERS.heights[-1] * 3 in row for row in hills[-4:-1])
        assert len(text.split("\n")) == size[1]
        assert all(widget.region.bottom <= size[1] for widget in screen.query("*"))


async def test_other_eyes_have_other_values_and_a_spectator_none(folder: Path) -> None:
    match = walk(Setup.of(GAMES["kiriai"]), 1)
    screen = opened(folder, match)
    kumite, mind = minded(screen)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        await until(pilot, lambda: is_done(kumite, screen), "all values")
        for seat, name in enumerate(("ada", "bob")):
            mind.asked.clear()
            await pilot.press("e")
            assert f"as {name}" in shown(kumite, "title")
            await until(pilot, lambda: is_done(kumite, screen), "all values")
            assert {one.seat for one in mind.asked} <= {seat}
            await pilot.press("end")
            assert f"{name} " in shown(kumite, "title").split("as ")[1]
        asked = len(mind.asked)
        await pilot.press("e")
        assert "as a spectator" in shown(kumite, "title")
        await pilot.press("c", "c", "c")
        assert len(mind.asked) == asked
        assert "No values" in shown(kumite, "hint")
    owner = opened(folder, match.seen_by(SPECTATOR), by=SPECTATOR)
    kumite, mind = minded(owner)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        assert shown(kumite, "hint").startswith("No values")
        assert mind.asked == []


async def test_a_log_of_one_seat_is_judged_from_its_view(folder: Path) -> None:
    own = frozenset({Seat(1)})
    match = walk(Setup.of(GAMES["kitsune"]), 1, 60)
    screen = opened(folder, match.seen_by(own), by=own)
    kumite, mind = minded(screen)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        await until(pilot, lambda: is_done(kumite, screen), "all values")
        assert mind.asked
        assert {one.seat for one in mind.asked} == {1}


async def test_a_bot_that_fails_is_told_and_what_was_judged_stays(folder: Path) -> None:
    screen = opened(folder, walk(Setup.of(GAMES["kuzushi"]), 1, 6))
    kumite, mind = minded(screen)

    def fail(position: Position) -> Choice:
        if len(position.seen) == LOW:
            raise KumiteError("the bot is ill", hint="ask again")
        return judged(position)

    mind.answer = fail
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        await until(pilot, lambda: "the bot is ill  ask again" in frame(kumite), "the error")
        assert "judged 3 of 7" in shown(kumite, "title")
        assert shown(kumite, "curve") == "▅▅▅" * WIDE
        mind.answer = judged
        await pilot.press("c")
        await until(pilot, lambda: is_done(kumite, screen), "all values")
        assert shown(kumite, "curve") == "".join(one * WIDE for one in "▅▅▅▂▅▅▅")
        await pilot.press("w", *"so it is", "enter")
        assert shown(kumite, "curve") == "".join(one * WIDE for one in "▅▅▅▂▅▅▅")


async def test_a_position_of_a_replay_is_analysed(folder: Path) -> None:
    screen = opened(folder, walk(Setup.of(GAMES["kuzushi"]), 1, 6))
    kumite, mind = minded(screen)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "right", "a")
        assert isinstance(kumite.screen, AnalysisScreen)
        await until(pilot, lambda: "16 s of thought" in frame(kumite), "thoughts")
        assert len(mind.asked[0].seen) == 2
        await pilot.press("enter")
        assert "after step 3" in shown(kumite, "title")
        await until(pilot, lambda: len(mind.asked) == 2, "thoughts")
        assert mind.stages == [SECONDS] * 2
        await pilot.press("q")
        assert kumite.screen is screen
        assert screen.at == 2
        await pilot.press("end", "a")
        assert "6" in shown(kumite, "title")
