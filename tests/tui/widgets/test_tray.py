"""What lies beside the board says by its ends what can be done with it."""

from __future__ import annotations

import re
from random import Random

import pytest

from kumite.core.game import Seat, Setup, Step
from kumite.core.games import find
from kumite.core.match import Match
from kumite.tui.play.local_table import LocalTable
from kumite.tui.puzzles.model import shipped
from kumite.tui.screens.lan_table import LanTableScreen
from kumite.tui.screens.lessons import LessonScreen
from kumite.tui.screens.puzzles import PuzzleScreen
from kumite.tui.screens.table import TableScreen
from tests.support.apps import app, frame, running, screen_of, shown
from tests.support.fake_peer import FakeLan
from tests.support.random_matches import choose


def with_a_hand() -> Match:
    """Return a match of Kitsu! in which a piece of the hand can be put down."""
    match = Match.begin(Setup.of(find("kitsu"), 2))
    for number in range(200):
        (actor,) = match.actors
        legal = match.legal(actor)
        if any("@" in step for step in legal):
            return match
        takes = [step for step in legal if "+" in step]
        match = match.play(actor, (takes or legal)[7 * number % len(takes or legal)])
    raise AssertionError("nobody ever takes a piece to the hand")


@pytest.mark.parametrize(("glyphs", "chosen"), [("letters", "┃"), ("ascii", "|")], ids=str)
async def test_a_piece_in_the_hand_that_can_be_chosen_is_marked_as_such(
    glyphs: str, chosen: str
) -> None:
    match = with_a_hand()
    kumite = app(lambda: TableScreen(LocalTable(match, ("ada", "bob"), None)), glyphs)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        shown = frame(kumite)
        kind = next(one for one in ("Samurai", "Foxes") if f"{one} {kumite.look.times}" in shown)
        assert f"1 {kind} {kumite.look.times}" in shown
        await pilot.press("tab")
        assert f"[{kind} {kumite.look.times}" in frame(kumite)
        await pilot.press("enter")
        assert f"{chosen}{kind} {kumite.look.times}" in frame(kumite)


async def test_stances_are_tiles_where_there_is_room_and_words_elsewhere() -> None:
    match = Match.begin(Setup.of(find("kumo"), 2))
    kumite = app(lambda: TableScreen(LocalTable(match, ("ada", "bob"), None)))
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("n", "enter")
        await pilot.press("1")
        hints = [shown(kumite, "hint")]
        for _ in range(5):
            await pilot.press("right")
            hints.append(shown(kumite, "hint"))
        stances = ("kumo", "blocker", "grabber", "jumper", "runner", "thrower")
        assert [one in hint for one, hint in zip(stances, hints, strict=True)] == [True] * 6
        assert "turn arena" not in frame(kumite)  # no button can be chosen now
        *_, first, above, below, last, _, _ = frame(kumite).split("\n")
        assert "1kumo  2block 3grab  4jump" in first
        assert "5run   6throw" in last
        for corners, line in (("┏┓", above), ("┗┛", below)):
            assert re.search(rf"\s{corners[0]}.{{5}}{corners[1]}$", line.rstrip())
        await pilot.press("enter")
        assert kumite.screen.table.match.last.step.endswith("=throw")
        await pilot.resize_terminal(54, 18)
        await pilot.press("n", "enter")
        await pilot.pause()
        assert "6 throw" in frame(kumite)


async def test_what_cannot_be_chosen_has_other_brackets() -> None:
    match = Match.begin(Setup.of(find("kumo"), 2))
    kumite = app(lambda: TableScreen(LocalTable(match, ("ada", "bob"), None)))
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        assert "1 turn arena right" in frame(kumite)
        assert "(free a prisoner)" in frame(kumite)


async def test_after_a_turn_of_the_arena_the_cursor_is_on_a_piece_that_can_act() -> None:
    match = Match.begin(Setup.of(find("kumo"), 2)).play(Seat(0), Step("+a1=kumo"))
    kumite = app(lambda: TableScreen(LocalTable(match, ("ada", "bob"), None)))
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "right", "right", "right", "tab", "enter")
        field = screen_of(kumite, TableScreen).field
        assert field.pointed == "a9"


@pytest.mark.parametrize("ours", [0, 1])
@pytest.mark.parametrize("game", ["kiriai", "kitsune"])
async def test_a_choice_of_cards_begins_at_the_leftmost_however_they_came_in(
    game: str, ours: int
) -> None:
    """Over the LAN one card was dealt after the other, and the cursor went along with the first."""
    lan = FakeLan(game, (ours,))
    at = app()
    at.opening = lambda: lan.screen(at)
    async with running(at) as (kumite, pilot):
        screen = screen_of(kumite, LanTableScreen)
        rng, begun, choosing, pointed = Random(7), 0, False, ""
        while begun < 4 and lan.whole.actors:
            played = choose(lan.whole, rng)
            lan.play(*played)
            await pilot.pause()
            if screen.model.interlude:
                await pilot.press("enter")
            tray = screen.field.tray
            if screen.model.seat == ours and tray.has_choice:
                choices = [chip.name for chip in tray._chips if chip.name in tray.targets]
                is_same = choosing and played[0] not in (ours, "*")  # the other chose meanwhile
                assert tray.cursor_name == (pointed if is_same else choices[0])
                await pilot.press("right", "right")
                begun, choosing, pointed = begun + 1, True, tray.cursor_name
            else:
                choosing = False
        assert begun


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_arrows_skip_cards_that_cannot_be_chosen(size: tuple[int, int]) -> None:
    """Both faces of a card are gone once one of them is chosen."""
    async with running(lambda: LessonScreen("kiriai"), size=size) as (kumite, pilot):
        screen = screen_of(kumite, LessonScreen)
        names = [chip.name for chip in screen.model.scene.tray]
        for first in ("charge", "high", "approach"):
            screen.field.point(first)
            await pilot.press("enter")
            assert screen.model.choice.chosen == (first,)
            free = [name for name in names if name in screen.model.choice.targets]
            for key, way in (("right", free), ("left", free[::-1])):
                screen.field.point(way[0])
                for name in way[1:]:
                    await pilot.press(key)
                    assert screen.field.pointed == name
            await pilot.press("escape")


SIZES = (56, 18), (60, 20), (80, 24), (120, 36)


@pytest.mark.parametrize("key", ["left", "up"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
async def test_left_and_up_lead_from_the_first_button_to_the_board(
    key: str, size: tuple[int, int]
) -> None:
    """They led to pieces of the hand that could not be chosen, or nowhere."""
    match = Match.begin(Setup.of(find("kitsu"), 2)).play(Seat(0), Step("c5-d4"))
    async with running(lambda: TableScreen(LocalTable(match, ("ada", "bob"), None)), size) as (
        kumite,
        pilot,
    ):
        field = screen_of(kumite, TableScreen).field
        on_board = field.pointed, shown(kumite, "hint")
        await pilot.press("1")
        assert field.pointed == "stop"
        await pilot.press(key)
        assert (field.pointed, shown(kumite, "hint")) == on_board
        assert not field.is_at_tray


@pytest.mark.parametrize("size", SIZES)
async def test_a_digit_goes_to_the_button_that_shows_it(size: tuple[int, int]) -> None:
    match = Match.begin(Setup.of(find("kumo"), 2))
    table = LocalTable(match, ("ada", "bob"), None)
    async with running(lambda: TableScreen(table), size=size) as (kumite, pilot):
        screen = screen_of(kumite, TableScreen)
        await pilot.press("2")
        assert screen.field.pointed == "ccw"
        assert "Enter: turn the arena left" in shown(kumite, "hint")
        assert table.match.number == 0  # only Enter makes a step
        await pilot.press("3")
        assert "3 does nothing now" in shown(kumite, "hint")
        await pilot.press("tab", "n", "enter", "6")
        assert screen.field.pointed == "=throw"


async def test_digits_lead_to_buttons_in_lessons_and_puzzles() -> None:
    async with running(lambda: LessonScreen("kitsu", 3)) as (kumite, pilot):
        screen = screen_of(kumite, LessonScreen)
        screen.field.point("c3")
        await pilot.press("enter", *["left", "up"] * 2, "enter", "2", "enter")
        assert screen.table.match.steps()[-1].step == "+s"
    steps = "pass", "ccw"
    one = next(one for one in shipped("kumo") if one.answer[0] in steps)
    async with running(lambda: PuzzleScreen(one)) as (kumite, pilot):
        screen = screen_of(kumite, PuzzleScreen)
        await pilot.press("2")
        assert screen.field.pointed == "ccw"


@pytest.mark.parametrize("game", ["kiriai", "kitsune"])
async def test_cards_have_numbers_of_their_own_and_no_digits(game: str) -> None:
    lan = FakeLan(game, (0,))
    at = app()
    at.opening = lambda: lan.screen(at)
    rng, buttons = Random(7), 0
    async with running(at, size=(56, 18)) as (kumite, pilot):
        screen = screen_of(kumite, LanTableScreen)
        while lan.whole.actors and (lan.whole.number < 40 or not buttons):
            lan.play(*choose(lan.whole, rng))
            await pilot.pause()
            if screen.model.interlude:
                await pilot.press("enter")
            tray = screen.field.tray
            cards = [chip.name for chip in tray._chips if chip.card and chip.name in tray.targets]
            buttons += len(tray.buttons)
            assert not {*cards} & {*tray.buttons}
            if tray.buttons:
                await pilot.press(str(len(tray.buttons)))
                assert tray.cursor_name == tray.buttons[-1]
    assert bool(buttons) == (game == "kitsune")


@pytest.mark.parametrize("size", SIZES)
async def test_tab_is_on_the_key_line_where_there_are_buttons(size: tuple[int, int]) -> None:
    for game, has_buttons in (("kumo", True), ("kuzushi", False), ("kiriai", False)):
        table = LocalTable(Match.begin(Setup.of(find(game), 2)), ("ada", "bot:2"), None)
        async with running(lambda at=table: TableScreen(at), size=size) as (kumite, pilot):
            keys = shown(kumite, "keys")
            assert ("Tab buttons" in keys) == has_buttons
            assert "help" in keys
            if has_buttons:
                await pilot.press("tab")
                assert "Tab board" in shown(kumite, "keys")
