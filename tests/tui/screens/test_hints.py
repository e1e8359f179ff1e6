"""Hints and analysis on screen: shown and never made, interrupted, noted; not over the LAN."""

from __future__ import annotations

from asyncio import Event
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from kumite.core import bots
from kumite.core.bots import Choice, Line
from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text, read
from kumite.core.match import Match
from kumite.core.origins import origin
from kumite.store import log_files
from kumite.tui import scenes
from kumite.tui.play import narration
from kumite.tui.play.local_table import LocalTable, default_names
from kumite.tui.screens.analysis import SECONDS, AnalysisScreen
from kumite.tui.screens.dialog import Dialog
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.board import BoardWidget
from kumite.tui.widgets.form import Form
from tests.support.apps import app, frame, shown, table_app, uncovered, until
from tests.support.fake_peer import FakeLan
from tests.support.fake_player import FakePlayer, answering
from tests.support.goldens import check
from tests.support.random_matches import choose, walk
from tests.tui.screens.test_screen_goldens import middle_of, rested

if TYPE_CHECKING:
    from textual.binding import Binding
    from textual.pilot import Pilot

    from kumite.core.bots import Position
    from kumite.tui.app import KumiteApp

SMALL, LARGE = (80, 24), (120, 40)
LOOKED_AT = ("kitsu-2", "kitsune-6", "kumo-4", "kuzushi-6", "kiriai-2")
TABLES = [(game_id, seats) for game_id in GAMES for seats in GAMES[game_id].SEATS]


@pytest.fixture(autouse=True)
def _logs_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """New matches are saved beside those that a test has put into its folder."""
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path / "logs"))


def minded(kumite: KumiteApp, mind: FakePlayer | None = None) -> FakePlayer:
    """Let a fake mind think for the app."""
    found = mind or FakePlayer()
    kumite._bot_service = found  # type: ignore[assignment]
    return found


def the_table(kumite: KumiteApp) -> TableScreen:
    assert isinstance(kumite.screen, TableScreen)
    return kumite.screen


def middle(game_id: str, seats: int) -> Match:
    """Return a match in which a seat has a choice, some steps from the start."""
    rng = Random(f"{game_id} {seats}")
    match = Match.begin(Setup.of(GAMES[game_id], seats))
    while match.number < 12 or match.actors[0] == CHANCE or len(match.legal(match.actors[0])) < 2:
        match = match.play(*choose(match, rng))
    return match


def opened(match: Match, glyphs: str = "letters") -> KumiteApp:
    names = default_names(match.setup.seats)
    return app(lambda: TableScreen(LocalTable(match, names, None)), glyphs)


def listed(kumite: KumiteApp) -> list[str]:
    form = kumite.screen.query_one(Form)
    return [form.render_line(y).text.strip() for y in range(form.size.height)]


async def hinted(pilot: Pilot[None], kumite: KumiteApp) -> None:
    await until(pilot, lambda: "Hint:" in frame(kumite), "a hint")


# --- hints ------------------------------------------------------------------------------------


async def test_a_hint_is_shown_and_made_only_with_enter(tmp_path: Path) -> None:
    kumite = table_app(tmp_path)
    minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("i")
        await hinted(pilot, kumite)
        assert kumite.screen.query_one(BoardWidget).cursor_name == "g6"
        said = " ".join(shown(kumite, "advice").split())
        assert said.startswith(
            "Hint: Lay a base on g6 It takes 3 flags, takes the lead; best of 4 looked at"
        )
        assert "90 % to win, next f7 with 80 %. Enter makes it." in said
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
        assert said.startswith("Hint: Lay a base on g6 Why: It takes 3 flags, takes the lead")
        assert "The answer to fear: ada has" in said
        assert "Instead f7: 80 % to win; it takes 3 flags, takes the lead; then ada has" in said
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


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
async def test_an_explanation_fits_and_tells_no_secret(game_id: str, seats: int) -> None:
    match = middle(game_id, seats)
    kumite = opened(match, "ascii")
    mind = minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        await uncovered(pilot)
        await pilot.press("i")
        await hinted(pilot, kumite)
        await pilot.press("i")
        await until(pilot, lambda: isinstance(kumite.screen, Dialog), "the card")
        assert frame(kumite).isascii()
        assert all(widget.region.bottom <= 24 for widget in kumite.screen.query("*"))
        first, *later = mind.asked
        if match.game.SECRETS is not None:
            assert later == []  # nobody here knows what others would do
        assert all(one.seen[: len(first.seen)] == first.seen for one in later)
        await pilot.press("escape")
        assert the_table(kumite).table.match is match


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
        assert screen.choice is not None
        step = long_step(screen.choice.legal)
        assert screen.choice.chosen == screen.makes.parts(step)[:-1]
        assert screen.field.pointed == screen.makes.parts(step)[-1]
        await pilot.press("enter")
        assert screen.table.match.before is before
        assert screen.table.match.last is not None
        assert screen.table.match.last.step == step


def long_step(legal: tuple[Step, ...]) -> Step:
    """Return a step of at least two parts: one that names a stance."""
    return next(step for step in legal if "=" in step)


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
async def test_a_hint_knows_what_its_seat_knows_and_fits(game_id: str, seats: int) -> None:
    match = middle(game_id, seats)
    kumite = opened(match, "ascii")
    mind = minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        screen = the_table(kumite)
        if screen.table.awaited is not None:
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
        assert screen.choice is not None
        parts = screen.choice.parts[position.legal[-1]]
        assert screen.choice.chosen == parts[:-1]
        assert screen.field.pointed == parts[-1]
        assert all(widget.region.bottom <= 24 for widget in screen.query("*"))


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
            "Hint: Turn the arena right :cw Then a push out is about 11 actions away; 90 % to win."
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
        assert "rawn by lot, 25 % of the time" in said  # all of it is in the analysis
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


@pytest.mark.parametrize("table", LOOKED_AT)
async def test_hints_and_analyses_look_as_they_did(table: str) -> None:
    kumite = opened(middle_of(table))
    minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        await uncovered(pilot)
        await pilot.press("i")
        await hinted(pilot, kumite)
        await pilot.pause()
        check(f"hints/{table}-hint", await rested(pilot))
        await pilot.press("a")
        await until(pilot, lambda: done(kumite), "thoughts")
        await pilot.press("down")
        check(f"hints/{table}-analysis", await rested(pilot))


# --- analysis ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "120x40"])
@pytest.mark.parametrize(("game_id", "seats"), TABLES)
async def test_an_analysis_fits_and_says_whose_eyes_it_has(
    game_id: str, seats: int, size: tuple[int, int]
) -> None:
    match = middle(game_id, seats)
    kumite = opened(match, "ascii")
    mind = minded(kumite)
    async with kumite.run_test(size=size) as pilot:
        await uncovered(pilot)
        await pilot.press("a")
        assert isinstance(kumite.screen, AnalysisScreen)
        await until(pilot, lambda: done(kumite), "thoughts")
        text = frame(kumite)
        assert text.isascii()
        lines = text.split("\n")
        assert len(lines) == size[1]
        name = f"player {mind.asked[0].seat + 1}"
        assert f"{name} to play" in lines[0]
        assert (f"as {name} sees it" in lines[0]) == (match.game.SECRETS is not None)
        called = scenes.maker(match).step_name(mind.asked[0].legal[-1])
        assert called in " ".join(" ".join(listed(kumite)[:2]).split())  # long ones take two rows
        assert all(widget.region.bottom <= size[1] for widget in kumite.screen.query("*"))
        assert all(widget.region.right <= size[0] for widget in kumite.screen.query("*"))


def done(kumite: KumiteApp) -> bool:
    text = frame(kumite)
    return "A lottery" in text or "16 s of thought" in text


async def test_the_thought_grows_and_ends_and_the_chosen_step_comes_back_as_a_hint(
    tmp_path: Path,
) -> None:
    kumite = table_app(tmp_path)
    mind = minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("a")
        await until(pilot, lambda: "16 s of thought" in frame(kumite), "the end of it")
        assert mind.stages == [SECONDS]
        assert len(mind.asked) == 1  # one thought that goes on
        assert "bob 90 % to win" in shown(kumite, "facts")
        await pilot.press("down")
        assert shown(kumite, "hint").startswith("lay a base on f7  score 0 → 4  +3 flags")
        await pilot.press("enter")
        screen = the_table(kumite)
        assert screen.table.match.number == 0
        assert screen.field.pointed == "f7"
        said = " ".join(shown(kumite, "advice").split())
        assert "80 % to win; g6 has 90 %" in said
        await pilot.press("enter")
        assert [one.step for one in screen.table.match.steps()] == ["f7"]
    (path,) = tmp_path.glob("*.kumite")
    assert "note analysis: seat 1 before step 1 ~" in path.read_text()


async def test_till_it_is_moved_the_cursor_is_on_what_is_best_so_far(tmp_path: Path) -> None:
    class Growing(FakePlayer):
        async def grow(self, who: str, position: Position, **rest: Any) -> None:
            self.asked.append(position)
            self.told = rest["told"]
            await Event().wait()

    kumite = table_app(tmp_path)
    minded(kumite, mind := Growing())
    async with kumite.run_test(size=SMALL) as pilot:

        async def after(seconds: float, **values: float) -> Step | None:
            """Return what is selected once it has been thought so long."""
            mind.told(seconds, answering(**values)(mind.asked[-1]))
            await pilot.pause()
            return analysis.selected

        await pilot.press("a")
        analysis = kumite.screen
        assert isinstance(analysis, AnalysisScreen)
        await until(pilot, lambda: bool(mind.asked), "a thought")
        assert await after(0.5, g6=0.6, f7=0.5) == "g6"
        assert await after(1, f7=0.7, g6=0.6) == "f7"
        await pilot.press("down")
        assert await after(2, g6=0.8, f7=0.7) == "g6"
        assert await after(4, f7=0.9, g6=0.8) == "g6"
        await pilot.press("right_square_bracket", "left_square_bracket")
        await until(pilot, lambda: len(mind.asked) == 3, "another thought")
        assert await after(0.5, g6=0.6, f7=0.5) == "g6"
        assert await after(1, f7=0.7, g6=0.6) == "f7"


async def test_one_looks_at_positions_after_a_step_and_comes_back(tmp_path: Path) -> None:
    kumite = table_app(tmp_path)
    mind = minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("a")
        await until(pilot, lambda: done(kumite), "thoughts")
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: len(mind.asked) == 2 and done(kumite), "thoughts")
        assert "after step 1  ada to play" in shown(kumite, "title")
        assert [one.step for one in mind.asked[-1].seen] == ["g6"]
        mind.is_stuck = True
        await pilot.press("enter")
        assert "thinking ..." in shown(kumite, "facts")
        assert "after step 2  bob to play" in shown(kumite, "title")
        await pilot.press("left_square_bracket", "left_square_bracket")
        assert mind.interrupted
        assert "after step 0  bob to play" in shown(kumite, "title")
        await pilot.press("escape")
        assert the_table(kumite).table.match.number == 0
        await until(pilot, lambda: mind.interrupted == 3, "that it stops")


async def test_one_goes_on_from_a_position_that_was_looked_at(tmp_path: Path) -> None:
    kumite = table_app(tmp_path)
    mind = minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("enter", "a")  # bob lays f7
        await until(pilot, lambda: done(kumite), "thoughts")
        await pilot.press("right_square_bracket")
        mind.is_stuck = True
        await pilot.press("right_square_bracket")
        analysis = kumite.screen
        assert isinstance(analysis, AnalysisScreen)
        assert "b go on" in frame(kumite).split("\n")[-1]
        await pilot.press("b")
        await until(pilot, lambda: mind.interrupted == 1, "that it stops")
        assert "Go on after step 3, in a log of its own" in frame(kumite)
        await pilot.press("up", "enter")  # not now
        assert kumite.screen is analysis
        await pilot.press("b", "enter")
        table = the_table(kumite).table
        assert table.match.digest == analysis.match.digest
        assert table.names == ("ada", "bob")
        await pilot.press("q")
        assert kumite.screen is analysis
        await pilot.press("escape")
        first = the_table(kumite).table
        assert isinstance(first, LocalTable)
        assert first.match.number == 1
        assert first.file is not None
        match_id = first.file.header.match_id
    (path,) = (tmp_path / "logs").glob("*.kumite")
    log = log_files.load(path)
    assert origin(log.header) == (match_id, 1)
    assert log.match.number == 3
    assert log.damage is None


async def test_in_a_replay_one_goes_on_from_a_position_that_was_looked_at(tmp_path: Path) -> None:
    match = middle("kitsu", 2)
    header = Header("ab12", match.setup, ("ada", "bob"))
    kumite = app(lambda: ReplayScreen(read(log_text(header, match))))
    minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("right", "right", "a")
        await until(pilot, lambda: done(kumite), "thoughts")
        await pilot.press("right_square_bracket", "b", "enter")
        table = the_table(kumite).table
        assert table.names == ("ada", "bob")
        assert table.match.number == 3
        assert [one.step for one in table.match.steps()[:2]] == [
            one.step for one in match.steps()[:2]
        ]
    (path,) = (tmp_path / "logs").glob("*.kumite")
    assert origin(log_files.load(path).header) == ("ab12", 2)


async def test_nobody_goes_on_where_nothing_is_saved_or_the_match_would_be_over() -> None:
    kumite = opened(middle("kitsu", 2))
    minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("a", "b")
        assert isinstance(kumite.screen, AnalysisScreen)
        assert "go on" not in frame(kumite).split("\n")[-1]
    match = walk(Setup.of(GAMES["kuzushi"], 2, {"board": "small"}), 1)
    log = read(log_text(Header("ab12", match.setup, ("ada", "bob")), match))
    kumite = app(lambda: ReplayScreen(log))
    minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("end", "a", "b", "enter")
        assert "the match ends there" in shown(kumite, "hint")
        assert isinstance(kumite.screen, AnalysisScreen)


async def test_a_thought_that_ends_by_itself_says_so(tmp_path: Path) -> None:
    class Quick(FakePlayer):
        async def grow(self, who: str, position: Position, **rest: Any) -> None:
            rest["stages"] = rest["stages"][:1]
            await super().grow(who, position, **rest)

    kumite = table_app(tmp_path)
    minded(kumite, Quick())
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("a")
        await until(pilot, lambda: "Nothing more to find." in frame(kumite), "the end")


async def test_an_analysis_by_a_bot_that_fails_says_so(tmp_path: Path) -> None:
    kumite = table_app(tmp_path)
    minded(kumite).error = KumiteError("the bot is ill", hint="look again")
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("a")
        await until(pilot, lambda: "the bot is ill  look again" in frame(kumite), "the error")
        await pilot.press("q")
        assert the_table(kumite).table.match.number == 0


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
async def test_an_analysis_says_how_many_steps_it_does_not_list(game_id: str, seats: int) -> None:
    match = middle(game_id, seats)
    kumite = opened(match)
    minded(
        kumite, FakePlayer(lambda one: Choice(one.legal[0], 0.9, (Line(one.legal[0], 0.9, 1.0),)))
    )
    async with kumite.run_test(size=(120, 36)) as pilot:
        await uncovered(pilot)
        await pilot.press("a")
        await until(pilot, lambda: done(kumite), "thoughts")
        others = len(match.legal(match.actors[0])) - 1
        said = f"{others} others promise less" if others > 1 else "1 other promises less"
        is_ranked = others > 0 and not bots.mixes(match.game)
        assert (said in frame(kumite)) == is_ranked


async def test_after_a_secret_choice_nobody_is_asked() -> None:
    match = middle("kiriai", 2)
    match = match.back(next(n for n in range(12, 0, -1) if match.back(n).actors == (0, 1)))
    kumite = app(lambda: AnalysisScreen(match.seen_by(frozenset({Seat(0)})),
                                        frozenset({Seat(0)}), ("ada", "bob")))  # fmt: skip
    minded(kumite)
    async with kumite.run_test(size=SMALL) as pilot:
        await until(pilot, lambda: done(kumite), "the lottery")
        await pilot.press("enter")
        assert "does not know enough" in " ".join(shown(kumite, "facts").split())
        assert kumite.screen.query_one(Form).is_empty
        await pilot.press("enter", "left_square_bracket")
        assert "ada to play, as ada sees it" in shown(kumite, "title")


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
async def test_a_hint_is_said_in_words_first_and_all_of_them_are_seen(
    game_id: str, seats: int
) -> None:
    """Also the longest that there can be here."""
    match = middle(game_id, seats)
    makes = scenes.maker(match)
    seat = Seat(int(match.actors[0]))
    view = match.game.view(match.state, frozenset({seat}))
    orders = {step: makes.order(view, seat, step) for step in match.legal(seat)}
    longest = max(orders, key=lambda step: len(orders[step]))
    kumite = opened(match)
    minded(kumite, FakePlayer(lambda _: Choice(longest, 0.9, (Line(longest, 0.9, 1.0),))))
    async with kumite.run_test(size=SMALL) as pilot:
        await uncovered(pilot)
        await pilot.press("i")
        await hinted(pilot, kumite)
        at = kumite.screen.query_one("#advice").region
        rows = [row[at.x : at.right] for row in frame(kumite).split("\n")[at.y : at.bottom]]
        seen = " ".join(" ".join(rows).split())
        said = narration.named(orders[longest], default_names(seats))
        assert seen.lower().startswith(f"hint: {said.lower()}")
