"""Motion on screens: any key ends it and counts as itself; off, it costs nothing."""

from __future__ import annotations

from random import Random

import pytest

from kumite.core.game import CHANCE, Seat, Seats, Setup, Step
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text, read
from kumite.core.match import Match
from kumite.tui.app import KumiteApp, pace_of
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes import Scene
from kumite.tui.scenes.lines import plain
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.field import EndCard
from tests.support.apps import app, frame, play, screen_of, shown, uncovered, until
from tests.support.random_matches import short_setup, walk

SLOW = 40.0  # a pace at which nothing ends by itself within a test


class AgainstOthers(LocalTable):
    """A table at which only seat 0 is played here; the test plays the others."""

    @property
    def mine(self) -> Seats:
        return frozenset({Seat(0)})


def others_step(table: LocalTable, rng: Random) -> None:
    """Let whoever is to act at this table make a step, but not seat 0."""
    (actor, *_) = [one for one in table.match.actors if one != 0]
    table.play(Seat(int(actor)), rng.choice(table.match.legal(actor)))


def begun(game_id: str) -> tuple[KumiteApp, AgainstOthers]:
    """Return an app on a table at which seat 1 is to act."""
    rng = Random(1)
    table = AgainstOthers(Match.begin(Setup.of(GAMES[game_id], 2)), ("ada", "bob"), None)
    while CHANCE in table.match.actors or 1 not in table.match.actors:
        (actor, *_) = table.match.actors
        table.play(Seat(int(actor)), rng.choice(table.match.legal(actor)))
    return app(lambda: TableScreen(table)), table


@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi"])
async def test_a_key_ends_what_moves_and_counts_as_itself(game_id: str) -> None:
    seen = []
    for pace in (0.0, SLOW):
        kumite, table = begun(game_id)
        kumite.pace = pace
        async with kumite.run_test(size=(80, 24)) as pilot:
            screen = screen_of(kumite, TableScreen)
            others_step(table, Random(2))
            screen.show_table()
            await pilot.pause()
            assert screen.moving.is_running == bool(pace)
            await pilot.press("colon")  # opens the prompt, if it is ours to write
            assert not screen.moving.is_running
            await pilot.press("escape", "n")
            await pilot.pause()
            seen.append(frame(kumite))
    assert seen[0] == seen[1]


async def test_what_moves_ends_by_itself_and_can_be_seen_again() -> None:
    kumite, table = begun("kuzushi")
    kumite.pace = 0.05
    async with kumite.run_test(size=(80, 24)) as pilot:
        screen = screen_of(kumite, TableScreen)
        others_step(table, Random(2))
        screen.show_table()
        assert screen.motion_left > 0
        await until(pilot, lambda: not screen.moving.is_running, "the end")
        still = frame(kumite)
        kumite.pace = SLOW
        await pilot.press("full_stop")
        assert screen.moving.is_running
        await pilot.press("escape")
        assert not screen.moving.is_running
        await pilot.pause()
        assert frame(kumite).split("\n")[:-2] == still.split("\n")[:-2]


async def test_the_status_line_names_the_step_that_is_shown() -> None:
    kumite, table = begun("kumo")
    kumite.pace = SLOW
    async with kumite.run_test(size=(80, 24)) as pilot:
        screen = screen_of(kumite, TableScreen)
        for number, (step, said) in enumerate(
            (("+e9=run", "places a runner on e9"), ("e9-e8", "runner e9 walks to e8")), start=1
        ):
            table.play(Seat(1), Step(step))
            screen.show_table()
            await pilot.pause()
            assert shown(kumite, "hint") == f"bob {number}/5: {said}"
        await pilot.press("escape")
        assert "runner e9" not in shown(kumite, "hint")


async def test_ones_own_turn_of_the_arena_is_shown_as_a_bots_is() -> None:
    match = Match.begin(Setup.of(GAMES["kumo"], 2)).play(Seat(0), Step("+e1=run"))
    kumite = app(lambda: TableScreen(AgainstOthers(match, ("ada", "bob"), None)))
    kumite.pace = SLOW
    async with kumite.run_test(size=(80, 24)) as pilot:
        screen = screen_of(kumite, TableScreen)
        for step, moves in (("cw", True), ("+e1=run", False)):
            assert play(screen, step)
            assert screen.moving.is_running == moves
            await pilot.press("escape")


def capture_with_choices() -> tuple[Match, Step]:
    """Return a position and a step of seat 0 that captures, and after which it has buttons."""
    for seed in range(20):
        for after in walk(short_setup("kitsu", 2), seed, 60).line()[1:]:
            assert after.before is not None
            assert after.last is not None
            captures = "x" in after.last.step and after.last.actor == 0 == after.actors[0]
            if captures and "stop" in after.legal(Seat(0)):
                return after.before, after.last.step
    raise AssertionError


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_no_counter_and_no_button_tells_what_a_step_has_brought_before_it_is_seen(
    size: tuple[int, int],
) -> None:
    before, step = capture_with_choices()
    table = AgainstOthers(before, ("ada", "bob"), None)
    kumite = app(lambda: TableScreen(table))
    kumite.pace = SLOW
    async with kumite.run_test(size=size) as pilot:
        screen = screen_of(kumite, TableScreen)
        await pilot.pause()

        def beside() -> tuple[str, ...]:
            lines = [shown(kumite, name) for name in ("seats", "facts", "log")]
            return (*lines, *(chip.name for chip in screen.field.tray._chips))

        was = beside()
        table.play(Seat(0), step)
        screen.show_table()
        await pilot.pause()
        assert screen.moving.is_running
        assert beside() == was
        await pilot.press("escape")
        await pilot.pause()
        now = beside()
        assert now[0] != was[0]
        assert now[2] != was[2]
        assert "stop" in now


async def test_a_step_typed_before_ones_turn_is_kept_until_it_can_be_made() -> None:
    """The colon was lost, and the letters behind it were taken as keys."""
    kumite, table = begun("kumo")
    kumite.pace = SLOW
    async with kumite.run_test(size=(80, 24)) as pilot:
        screen = screen_of(kumite, TableScreen)
        step = "+e1=run"
        for other in ("+e9=run", "e9=jump", "e9=run", "cw"):
            table.play(Seat(1), Step(other))
            screen.show_table()
            if other == "e9=jump":
                assert screen.moving.is_running
                await pilot.press("colon", *step, "enter")
                assert "not your turn yet" in frame(kumite)
        assert kumite.screen is screen
        table.play(Seat(1), Step("ccw"))
        screen.show_table()
        await pilot.press("enter")
        await pilot.pause()
        assert (table.match.last.actor, table.match.last.step) == (Seat(0), step)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi", "kitsune", "kiriai"])
async def test_a_replay_moves_forward_and_stands_when_one_goes_on(game_id: str) -> None:
    match = walk(short_setup(game_id, 2), 1)
    log = read(log_text(Header("0123456789abcdef", match.setup), match))
    screen = ReplayScreen(log)
    kumite = app(lambda: screen)
    kumite.pace = SLOW
    moved = 0
    async with kumite.run_test(size=(80, 24)) as pilot:
        for number in range(1, min(40, match.number)):
            await pilot.press("right")
            assert screen.at == number
            moved += screen.moving.is_running
        await pilot.press("left")
        assert not screen.moving.is_running
        await pilot.pause()
        still = frame(kumite)
        await pilot.press("right", "left")
        await pilot.pause()
        assert frame(kumite) == still
    assert moved
    assert isinstance(screen.replay, Replay)


@pytest.mark.parametrize("game_id", ["kuzushi", "kiriai"])
async def test_a_replay_that_plays_by_itself_holds_the_decisive_position(game_id: str) -> None:
    """The card of the end came with the first frame of the last step."""
    match = walk(short_setup(game_id, 2), 1, 1000)
    screen = ReplayScreen(read(log_text(Header("0123456789abcdef", match.setup), match)))
    kumite = app(lambda: screen)
    kumite.pace = SLOW
    async with kumite.run_test(size=(120, 36)) as pilot:
        card = screen.query_one(EndCard)
        for plays in (False, True):
            screen.action_to(match.number - 1)
            if plays:
                screen.action_play()
                screen._tick()
            else:
                await pilot.press("right")
            assert screen.at == match.number
            assert screen.moving.is_running
            assert screen.replay.result not in shown(kumite, "hint")
            assert "playing" not in shown(kumite, "title")
            while len(screen.moving._frames) > plays:
                screen.moving._next()
            assert not card.display
            if plays:
                assert screen.moving._frames[0].seconds * SLOW >= 1  # s
                screen.moving._next()  # the picture that is held shows the last step
                assert screen._field.board.trace == screen.replay.trace(screen.at)
                assert not card.display
            await pilot.press("f5")
            assert not screen.moving.is_running
            assert card.display


@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi", "kitsune", "kiriai"])
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_no_word_of_a_replay_tells_what_a_step_has_brought_before_it_is_seen(
    game_id: str, size: tuple[int, int]
) -> None:
    match = walk(short_setup(game_id, 2), 1, 200)
    screen = ReplayScreen(read(log_text(Header("0123456789abcdef", match.setup), match)))
    kumite = app(lambda: screen)
    kumite.pace = SLOW
    async with kumite.run_test(size=size) as pilot:

        def beside() -> list[str]:
            names = ("title", "seats", "facts", "chart", "course")
            log = shown(kumite, "log").partition("▶")[2].split()[:1]  # the step it points at
            return [*(shown(kumite, name) for name in names), *log]

        moved = 0
        for number in range(1, match.number):
            was = beside()
            await pilot.press("right")
            await pilot.pause()
            moved += screen.moving.is_running
            if screen.moving.is_running:
                assert beside() == was, number
                assert not (shown(kumite, "hint") and screen.replay.has_secrets)
                await pilot.press("f5")
                await pilot.pause()
            assert f"step {number} of" in shown(kumite, "title")
        assert moved


def test_nothing_moves_where_nobody_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pace_of("full") == 0  # NO_MOTION, as in all tests
    monkeypatch.delenv("NO_MOTION")
    assert pace_of("full") > pace_of("short") > pace_of("off") == 0
    for terminal in ("dumb", "vt100"):
        monkeypatch.setenv("TERM", terminal)
        assert pace_of("full") == 0


def stop_before_a_trick(seats: int) -> LocalTable:
    """Return a table of people alone at which a card can complete a trick and move a clan."""
    match = Match.begin(Setup.of(GAMES["kitsune"], seats))
    rng = Random(4)
    while True:
        (actor, *_) = match.actors
        after = match.play(actor, rng.choice(match.legal(actor)))
        if after.state.standing.marks != match.state.standing.marks:
            return LocalTable(match, tuple(f"p{n}" for n in range(seats)), None)
        match = after


async def test_ones_own_last_card_of_a_trick_is_counted_and_the_clan_climbs_space_by_space() -> (
    None
):
    table = stop_before_a_trick(2)
    before = table.match.state.standing.marks
    kumite = app(lambda: TableScreen(table))
    kumite.pace = SLOW
    async with kumite.run_test(size=(80, 24)) as pilot:
        await uncovered(pilot)
        screen = screen_of(kumite, TableScreen)
        seat = screen.model.seat
        assert seat is not None
        drawn: list[Scene] = []
        screen.moving._draw = lambda frame: drawn.append(frame.scene)
        for step in table.match.legal(seat):
            after = table.match.play(seat, step).state.standing
            if after.tricks != table.match.state.standing.tricks and after.marks != before:
                play(screen, step)
                break
        assert screen.moving.is_running
        assert "Enter continues" in frame(kumite).split("\n")[0]
        while screen.moving.is_running:
            screen.moving._next()
        places = [tuple(lane.at for lane in scene.climb.lanes) for scene in drawn if scene.climb]
        assert places[0] == before
        climbed = [max(now - was for was, now in zip(before, at, strict=True)) for at in places]
        assert climbed == sorted(climbed)
        steps = max(abs(a - b) for a, b in zip(after.marks, before, strict=True))
        assert set(climbed) == set(range(steps))
        assert tuple(lane.at for lane in screen.model.scene.climb.lanes) == after.marks


async def test_a_duel_at_one_keyboard_is_shown_as_it_happens() -> None:
    rng = Random(2)
    kumite = app(
        lambda: TableScreen(LocalTable(Match.begin(Setup.of(GAMES["kiriai"], 2)), ("a", "b"), None))
    )
    kumite.pace = SLOW
    async with kumite.run_test(size=(80, 24)) as pilot:
        screen = screen_of(kumite, TableScreen)
        for _ in range(2):
            await uncovered(pilot)
            assert not screen.moving.is_running
            assert screen.model.seat is not None
            play(screen, rng.choice(screen.table.match.legal(screen.model.seat)))
        assert screen.model.interlude
        assert screen.moving.is_running


async def test_the_title_does_not_tell_the_result_before_it_is_shown() -> None:
    end = walk(short_setup("kiriai", 2), 1, 1000)
    line = end.line()
    at = max(n for n, match in enumerate(line) if match.actors and CHANCE not in match.actors)
    kumite = app(lambda: TableScreen(LocalTable(line[at], ("a", "b"), None)))
    kumite.pace = SLOW
    async with kumite.run_test(size=(80, 24)) as pilot:
        screen = screen_of(kumite, TableScreen)
        await uncovered(pilot)
        play(screen, str(end.steps()[at].step))
        await pilot.pause()
        while screen.table.match.last is not None and screen.model.interlude:
            assert screen.moving.is_running
            assert "won" not in frame(kumite).split("\n")[0]
            screen.moving.end()
            await pilot.pause()
            if screen.model.is_over and screen.model.seen.number == screen.table.match.number:
                break
            await pilot.press("enter")
        assert "the end" in frame(kumite).split("\n")[0]


async def test_during_a_motion_it_is_nobodys_turn_and_at_the_end_there_are_no_buttons() -> None:
    match = walk(short_setup("kumo", 2), 1, 3000)
    assert match.last is not None
    assert match.before is not None
    first = Match.begin(match.setup)
    for before, step in ((first, Step("cw")), (match.before, match.last.step)):
        table = LocalTable(before, ("ada", "bob"), None)
        kumite = app(lambda table=table: TableScreen(table))
        kumite.pace = SLOW
        async with kumite.run_test(size=(80, 24)) as pilot:
            screen = screen_of(kumite, TableScreen)
            assert "'s turn" in frame(kumite).split("\n")[0]
            assert not screen.field.tray.is_empty
            table.play(Seat(int(before.actors[0])), step)
            screen.show_table()
            await pilot.pause()
            assert screen.moving.is_running
            assert screen.field.tray.is_empty == (before is not first)
            assert "'s turn" not in frame(kumite).split("\n")[0]


async def test_the_decisive_position_is_held_before_the_result_and_a_key_ends_that() -> None:
    match = walk(short_setup("kuzushi", 2), 1, 1000)
    assert match.last is not None
    assert match.before is not None
    for pace in (SLOW, 0.0):
        table = AgainstOthers(match.before, ("ada", "bob"), None)
        kumite = app(lambda table=table: TableScreen(table))
        kumite.pace = pace
        async with kumite.run_test(size=(80, 24)) as pilot:
            screen = screen_of(kumite, TableScreen)
            table.play(Seat(int(match.last.actor)), match.last.step)
            screen.show_table()
            await pilot.pause()
            assert screen.query_one(EndCard).display == (not pace)
            assert screen.motion_left == 0 or pace
            if pace:
                assert screen.motion_left * pace >= 1.5
                screen.moving._frames = screen.moving._frames[-1:]
                screen.moving._next()  # the picture that is held shows the last step
                assert match.last.step.rstrip("+") in screen.field.board.trace.reached
                await pilot.pause()
                assert "the end" in frame(kumite).split("\n")[0]
                stand = screen.field.seat_lines(screen.model.scene)
                assert all(plain(line).strip() in shown(kumite, "seats") for line in stand)
            await pilot.press("f5")
            assert screen.query_one(EndCard).display
