"""What lies beside the board says by its ends what can be done with it."""

from __future__ import annotations

import pytest

from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.match import Match
from kumite.tui.lessons import LESSONS
from kumite.tui.play.local_table import LocalTable
from kumite.tui.screens.table import TableScreen
from tests.support.apps import app, frame, screen_of, shown, uncovered


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


@pytest.mark.parametrize(
    ("glyphs", "can", "chosen"), [("letters", "▸", "┃"), ("ascii", ">", "|")], ids=str
)
async def test_a_piece_in_the_hand_that_can_be_chosen_is_marked_as_such(
    glyphs: str, can: str, chosen: str
) -> None:
    match = with_a_hand()
    kumite = app(lambda: TableScreen(LocalTable(match, ("ada", "bob"), None)), glyphs)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        shown = frame(kumite)
        kind = next(one for one in ("Samurai", "Foxes") if f"{one} {kumite.look.times}" in shown)
        assert f"{can}{kind} {kumite.look.times}" in shown
        await pilot.press("tab")
        assert f"[{kind} {kumite.look.times}" in frame(kumite)
        await pilot.press("enter")
        assert f"{chosen}{kind} {kumite.look.times}" in frame(kumite)


async def test_arrows_skip_what_cannot_complete_a_step_once_its_first_part_is_chosen() -> None:
    state = find("kiriai").parse(LESSONS["kiriai"].TASKS[0].position)
    match = Match.begin(Setup.of(find("kiriai"), 2), position=state)
    kumite = app(lambda: TableScreen(LocalTable(match, ("ada", "bot:1"), None)))
    async with kumite.run_test(size=(80, 24)) as pilot:
        assert "round 1 of 40" in frame(kumite)
        assert "step" not in shown(kumite, "title")  # nobody counts deals and secret plans
        screen = screen_of(kumite, TableScreen)
        await uncovered(pilot)
        screen.field.point("charge")
        await pilot.press("enter")
        seen = []
        for key in (*("left",) * 8, *("right",) * 8):
            await pilot.press(key)
            assert screen.model.choice is not None
            assert screen.field.pointed in screen.model.choice.targets
            seen.append(screen.field.pointed)
        assert set(seen) == screen.model.choice.targets


async def test_stances_are_tiles_where_there_is_room_and_words_elsewhere() -> None:
    match = Match.begin(Setup.of(find("kumo"), 2))
    kumite = app(lambda: TableScreen(LocalTable(match, ("ada", "bob"), None)))
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("n", "enter")
        assert "throw" not in frame(kumite)
        hints = [shown(kumite, "hint")]
        for _ in range(5):
            await pilot.press("right")
            hints.append(shown(kumite, "hint"))
        stances = ("blocker", "grabber", "jumper", "kumo", "runner", "thrower")
        assert [one in hint for one, hint in zip(stances, hints, strict=True)] == [True] * 6
        assert "turn arena" not in frame(kumite)  # no button can be chosen now
        *_, above, below, names, _, _ = frame(kumite).split("\n")
        assert "┓" in above[-30:]
        assert "┛" in below[-30:]
        assert "blo gra jum kum run thr" in names
        await pilot.press("enter")
        assert kumite.screen.table.match.last.step.endswith("=throw")  # type: ignore[attr-defined]
        await pilot.resize_terminal(56, 18)
        await pilot.press("n", "enter")
        await pilot.pause()
        assert "▸throw" in frame(kumite)


async def test_what_cannot_be_chosen_has_other_brackets() -> None:
    match = Match.begin(Setup.of(find("kumo"), 2))
    kumite = app(lambda: TableScreen(LocalTable(match, ("ada", "bob"), None)))
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        assert "▸turn arena right" in frame(kumite)
        assert "(free a prisoner)" in frame(kumite)
