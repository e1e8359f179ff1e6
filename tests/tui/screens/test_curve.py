"""The values of a replay on screen: asked for, growing, stopped, kept, gone to; any eyes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

import pytest
from textual.pilot import Pilot

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
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.valued import COSTLY
from kumite.tui.widgets.chart import Chart
from tests.support.apps import frame, settled, shown, until, words
from tests.support.fake_player import TABLES, FakePlayer, thinking
from tests.support.random_matches import walk
from tests.support.spread import spread

NAMES = ("ada", "bob", "cyd", "dan", "eve", "fay")
LOW = 3  # the step after which ada stands badly; bob can make it, so also before
COST = 4  # the step that was an error
WIDE = 78 // 7  # columns of each of seven positions
SHAPE = "".join(one * WIDE for one in "▅▅▂▂▂▂▂")  # of the curve of `sinking`


class Curve(NamedTuple):
    """A replay whose positions a fake mind judges."""

    app: KumiteApp
    pilot: Pilot[None]
    mind: FakePlayer
    screen: ReplayScreen

    async def ask(self) -> None:
        """Ask for values, and wait until all are there."""
        await self.pilot.press("c")
        await self.done()

    async def done(self) -> None:
        await until(
            self.pilot,
            lambda: not self.screen.curve.is_thinking and "judged" not in shown(self.app, "title"),
            "all values",
        )


def judged(position: Position) -> Choice:
    """Return even chances, but bad ones after the third step."""
    return one_line(position, 0.2 if len(position.seen) == LOW else 0.5)


def sinking(position: Position) -> Choice:
    """Return even chances, but bad ones for ada from the third step on."""
    later = 0.2 if position.seat == 0 else 0.8
    return one_line(position, later if len(position.seen) >= LOW else 0.5)


def one_line(position: Position, value: float) -> Choice:
    best = position.legal[0]
    return Choice(best, value, (Line(best, value, 1.0),))


@asynccontextmanager
async def replayed(
    match: Match,
    answer: Callable[[Position], Choice] = judged,
    size: tuple[int, int] = (80, 24),
    glyphs: str = "letters",
    **more: object,
) -> AsyncIterator[Curve]:
    header = Header("ab12", match.setup, NAMES[: match.setup.seats], **more)
    path = log_files.folder() / "x.kumite"
    path.write_text(log_text(header, match), encoding="utf-8")
    screen = ReplayScreen(log_files.load(path), path)
    async with thinking(lambda: screen, FakePlayer(answer), size, glyphs) as opened:
        yield Curve(*opened, screen)


@pytest.fixture
def match() -> Match:
    return walk(Setup.of(GAMES["kuzushi"]), 1, 6)


@pytest.fixture
def steady() -> Match:
    """Return a match in which everybody made the step that `one_line` finds best."""
    match = Match.begin(Setup.of(GAMES["kuzushi"]))
    while match.number < 6:
        seat = Seat(int(match.actors[0]))
        match = match.play(seat, match.legal(seat)[0])
    return match


@pytest.mark.usefixtures("no_glance")
async def test_every_position_is_judged_kept_and_a_change_that_was_no_error_is_not_blamed(
    steady: Match,
) -> None:
    async with replayed(steady, sinking) as curve:
        kumite, pilot, mind, screen = curve
        assert "%" not in frame(kumite)
        await curve.ask()
        assert len(mind.asked) == 7
        assert "ada 50 %" in shown(kumite, "title")
        assert shown(kumite, "curve") == SHAPE
        screen.at = LOW - 1
        await pilot.press("right")
        assert screen.at == LOW
        assert "ada 20 %" in shown(kumite, "title")
        assert "cost" not in shown(kumite, "hint")
        assert screen.curve._marks == {}
        await pilot.press("c")  # all is judged: it is hidden
        assert "%" not in frame(kumite)
        await pilot.press("c")
        assert shown(kumite, "curve") == SHAPE
        assert len(mind.asked) == 7
    async with replayed(steady, sinking, glyphs="ascii") as curve:
        await curve.pilot.press("right")
        even, worse = (ASCII.heights[n] * WIDE for n in (4, 1))
        assert shown(curve.app, "curve") == even * 2 + worse * 5
        assert frame(curve.app).isascii()
        assert curve.mind.asked == []


async def test_a_choice_that_cost_much_is_looked_at_again_marked_and_gone_to(match: Match) -> None:
    played = match.line()[COST].last
    assert played is not None

    def erring(position: Position) -> Choice:
        """Return that all is even until the step that cost 30 %, and after it."""
        has_erred = len(position.seen) == COST and position.seen[-1].step == played.step
        if len(position.seen) != COST - 1:
            return one_line(position, 0.8 if has_erred else 0.5)
        best = next(step for step in position.legal if step != played.step)
        return Choice(best, 0.5, (Line(best, 0.5, 0.6), Line(played.step, 0.2, 0.4)))

    async with replayed(match, erring) as (kumite, pilot, mind, screen):
        await pilot.press("c")
        await until(pilot, lambda: not screen.curve.is_thinking, "all values")
        assert "checking errors" not in shown(kumite, "title")
        assert screen.curve.course.events[COST] == COSTLY
        screen.at = COST - 1
        await pilot.press("t")
        assert screen.at == COST
        assert "step 4 cost ada 24 %" in words(kumite, "hint")
        assert "was better" in shown(kumite, "hint")
        asked = len(mind.asked)
        assert asked > 7
        await pilot.press("c", "c")
        assert screen.curve.course.events[COST] == COSTLY
        assert len(mind.asked) == asked


async def test_what_was_not_looked_at_again_is_not_said_to_be_on_its_way(match: Match) -> None:
    """Positions are kept from an earlier time, but nobody has looked again, and nobody does."""
    values = Values(match, None, simulations_here(match))
    kept = {}
    for number in values.left:  # whoever is to act stands well: each step seems to cost much
        asked = values.question(number)
        step = asked.position.legal[-1]
        judged = Judged(asked.position.seat, 0.8, step, looked=values.simulations)
        kept[asked.key] = values.judged[number] = judged
    assert Review(match, None, frozenset(), values=values).suspects
    evaluations.save("ab12", kept)
    async with replayed(match) as (kumite, pilot, mind, screen):
        assert screen.curve.is_shown
        assert "checking" not in shown(kumite, "title")
        mind.is_stuck = True
        await pilot.press("c")
        assert "checking errors, 0 of" in shown(kumite, "title")
        await pilot.press("c")
        assert "checking" not in shown(kumite, "title")


@pytest.mark.usefixtures("no_glance")
async def test_it_stops_or_fails_and_goes_on_and_what_was_judged_stays(steady: Match) -> None:
    def fail(position: Position) -> Choice:
        if len(position.seen) == LOW:
            raise KumiteError("the bot is ill", hint="ask again")
        return sinking(position)

    async with replayed(steady, fail) as curve:
        kumite, pilot, mind, screen = curve
        mind.is_stuck = True
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
        await until(pilot, lambda: "the bot is ill  ask again" in frame(kumite), "the error")
        assert "judged 3 of 7" in shown(kumite, "title")
        assert shown(kumite, "curve") == "▅▅▅" * WIDE
        mind.answer = sinking
        await curve.ask()
        assert shown(kumite, "curve") == SHAPE
        await pilot.press("w", *"so it is", "enter")
        assert shown(kumite, "curve") == SHAPE
        mind.is_stuck = True
        await pilot.press("c", "c", "q")


@pytest.mark.parametrize(("game_id", "seats", "size"), spread(TABLES, ((80, 24), (120, 40))))
async def test_every_curve_fits(game_id: str, seats: int, size: tuple[int, int]) -> None:
    async with replayed(walk(Setup.of(GAMES[game_id], seats), 3, 60), size=size) as curve:
        await curve.ask()
        await curve.pilot.press("end")
        text = frame(curve.app)
        if size[0] < FRAMED[0]:
            assert LETTERS.heights[4] * 3 in text
        else:  # hills, half as high as their panel
            await curve.pilot.press("enter")  # puts the card of the end aside
            hills = shown(curve.app, "value").split("\n")
            assert all(LETTERS.heights[-1] * 3 in row for row in hills[-4:-1])
        assert len(text.split("\n")) == size[1]
        assert all(widget.region.bottom <= size[1] for widget in curve.screen.query("*"))


async def test_values_come_before_the_course_of_the_score() -> None:
    async with replayed(walk(Setup.of(GAMES["kitsu"]), 3, 60), size=(120, 40)) as curve:
        panel, value = curve.screen.query_one(Chart), curve.screen.query_one("#value")
        await curve.pilot.press("right")
        before = panel.size.height
        assert before >= 3
        await curve.ask()
        await settled(curve.screen)
        assert value.size.height == 7
        assert panel.size.height < before
        assert curve.screen.query_one("#log").size.height >= 3


async def test_other_eyes_have_other_values_and_a_spectator_none() -> None:
    match = walk(Setup.of(GAMES["kiriai"]), 1)
    async with replayed(match) as curve:
        kumite, pilot, mind, _ = curve
        await curve.ask()
        for seat, name in enumerate(("ada", "bob")):
            mind.asked.clear()
            await pilot.press("e")
            assert f"as {name}" in shown(kumite, "title")
            await curve.done()
            assert {one.seat for one in mind.asked} <= {seat}
            await pilot.press("end")
            assert f"{name} " in shown(kumite, "title").split("as ")[1]
        asked = len(mind.asked)
        await pilot.press("e")
        assert "as a spectator" in shown(kumite, "title")
        await pilot.press("c", "c", "c")
        assert len(mind.asked) == asked
        assert "No values" in shown(kumite, "hint")
    async with replayed(match.seen_by(SPECTATOR), by=SPECTATOR) as (kumite, pilot, mind, _):
        await pilot.press("c")
        assert shown(kumite, "hint").startswith("No values")
        assert mind.asked == []


async def test_a_log_of_one_seat_is_judged_from_its_view() -> None:
    own = frozenset({Seat(1)})
    match = walk(Setup.of(GAMES["kitsune"]), 1, 60)
    async with replayed(match.seen_by(own), by=own) as curve:
        await curve.ask()
        assert {one.seat for one in curve.mind.asked} == {1}
