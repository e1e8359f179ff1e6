"""Every game at the table, by keys alone: nothing breaks, and nobody sees another's secrets."""

from __future__ import annotations

from random import Random

import pytest
from textual.pilot import Pilot

from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.tui.lessons import LESSONS
from kumite.tui.play.local_table import LocalTable, default_names
from kumite.tui.screens.lessons import LessonScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.tray import TrayWidget
from tests.support.apps import app, frame, play, running, screen_of, shown, uncovered
from tests.support.fake_player import TABLES


async def choose_something(pilot: Pilot[None], screen: TableScreen, rng: Random) -> None:
    """Do what a person does who does not know the game: go to a choice, take it."""
    if screen.model.is_covered:
        await uncovered(pilot)
    elif screen.model.interlude:
        await pilot.press("enter")
    elif screen.model.seat is not None:
        await pilot.press(*rng.choice((["n"], ["n", "n"], ["N"], [])), "enter")
    else:
        await pilot.pause(0.05)  # a step without a choice is made by itself


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "seats"), TABLES)
async def test_a_table_is_played_by_keys_and_shows_nobody_anothers_secrets(
    game_id: str, seats: int
) -> None:
    rng = Random(f"{game_id} {seats}")
    game = GAMES[game_id]
    table = LocalTable(Match.begin(Setup.of(game, seats)), default_names(seats), None)
    kumite = app(lambda: TableScreen(table))
    reached = 0
    async with kumite.run_test(size=(80, 24)) as pilot:
        screen = screen_of(kumite, TableScreen)
        for _ in range(18):
            before = table.match.number
            await choose_something(pilot, screen, rng)
            reached += table.match.number > before
            assert len(frame(kumite).split("\n")) == 24
            if screen.model.seen.number != table.match.number:
                assert screen.model.interlude  # only what must be seen keeps the screen behind
                await pilot.press("enter")
                continue
            eyes = screen.model.eyes
            if len(eyes) < seats:
                assert screen.model.seen.by == eyes
                assert screen.model.seen.state == game.view(table.match.state, eyes)
            if screen.model.interlude:
                assert "Enter: go on" in frame(kumite)
                assert screen.model.seat is None
            elif screen.model.awaited is not None:
                assert not screen.query_one(TrayWidget).has_choice
                assert "Nobody else should look" in frame(kumite)
    assert reached >= 4, "keys alone did not play"


async def test_a_covered_table_looks_the_same_whatever_is_hidden() -> None:
    """Two deals that differ in hidden cards alone give the same covered screen."""
    game = GAMES["kitsune"]
    frames = []
    for seed in (1, 2):
        rng = Random(seed)
        match = Match.begin(Setup.of(game, 2))
        match = match.play("*", match.legal("*")[0])  # the same leader
        while match.actors == ("*",):
            match = match.play("*", rng.choice(match.legal("*")))
        table = LocalTable(match, ("ada", "bob"), None)
        async with running(lambda table=table: TableScreen(table)) as (kumite, pilot):
            await pilot.pause()
            frames.append(frame(kumite))
            await uncovered(pilot)
            seen = frame(kumite)
            assert seen != frames[-1]  # uncovered, the own hand shows
        assert match.legal(Seat(0))
    assert frames[0] == frames[1]


@pytest.mark.parametrize("game_id", ["kitsune", "kiriai"])
async def test_what_the_next_step_wipes_away_stays_until_it_has_been_seen(game_id: str) -> None:
    """A complete trick, the first of two cards: nobody's hand is open meanwhile."""
    rng = Random(1)
    game = GAMES[game_id]
    table = LocalTable(Match.begin(Setup.of(game, 2)), ("ada", "bob"), None)
    async with running(lambda: TableScreen(table)) as (kumite, pilot):
        screen = screen_of(kumite, TableScreen)
        while screen.model.interlude is None:
            await uncovered(pilot)
            (actor, *_) = table.match.actors
            play(screen, rng.choice(table.match.legal(actor)))
        shown_at, said = screen.model.seen.number, screen.model.interlude.said
        assert shown_at <= table.match.number
        assert screen.model.seen.by == frozenset()
        await pilot.pause()  # the stage takes the rows of the hand
        told = {word.strip(";.") for word in said.split()}
        assert told <= {word.strip(";.") for word in frame(kumite).split()}
        await pilot.press("n", "colon", "g", "escape")  # nothing but going on, or looking back
        await pilot.press("left_square_bracket", "right_square_bracket")
        assert screen.model.interlude is not None
        await pilot.press("escape", "enter")
        if screen.model.interlude is not None:  # the second cards come after the first
            assert screen.model.seen.number > shown_at
            await pilot.press("enter")
        assert screen.model.interlude is None
        assert screen.model.seen.number == table.match.number
        assert "Nobody else should look" in frame(kumite)


async def test_moments_come_one_after_the_other_and_the_end_after_the_last() -> None:
    """Two terminals can be some tricks apart; each sees all of them."""
    rng = Random(2)
    setup = Setup.of(GAMES["kitsune"], 2, {"limit": "20", "track": "20"})
    match = Match.begin(setup)
    table = LocalTable(match, ("ada", "bob"), None)
    async with running(lambda: TableScreen(table)) as (kumite, pilot):
        screen = screen_of(kumite, TableScreen)
        while table.match.outcome is None:
            (actor, *_) = table.match.actors
            table.play(actor, rng.choice(table.match.legal(actor)))
        screen.show_table()
        seen = 0
        while screen.model.interlude is not None:
            is_last = screen.model.seen.number == table.match.number
            assert ("the end: " in shown(kumite, "title")) == is_last
            await pilot.press("enter")
            seen += 1
        assert seen == table.match.state.standing.tricks
        assert "the end" in shown(kumite, "title")


@pytest.mark.parametrize("game_id", GAMES)
async def test_a_typed_line_that_is_opened_and_left_changes_nothing(game_id: str) -> None:
    """Enter did nothing after it: the cursor was on the board, no more on the button."""
    async with running() as (kumite, pilot):
        for number in range(len(LESSONS[game_id].TASKS)):
            screen = LessonScreen(game_id, number)
            await kumite.push_screen(screen)
            await pilot.pause()
            for keys in ((), ("tab",), ("n",), ("enter",), ("tab",), ("n",)):
                await pilot.press(*keys)
                if screen.model.seat is None or screen.is_done or screen.model.interlude:
                    break
                screen.show_hint()  # a message gives way to the next key anyway
                before, pointed = frame(kumite), screen.field.pointed
                await pilot.press("colon", "escape")
                await pilot.pause()
                assert (frame(kumite), screen.field.pointed) == (before, pointed), (number, keys)
