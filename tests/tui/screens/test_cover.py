"""Several people at one keyboard: nobody sees another's cards, whatever is pressed how often."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest
from textual import events

from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.tui.app import KumiteApp
from kumite.tui.look.glyphs import LOOKS
from kumite.tui.play.local_table import LocalTable, default_names
from kumite.tui.play.table_model import TableModel
from kumite.tui.scenes.tallies import colors_of
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.cover import Cover
from kumite.tui.widgets.prompt import Prompt
from tests.support.apps import app, called, frame, play, settled, shown, uncovered
from tests.support.eyewitness import DEAF, Eyewitness
from tests.support.fake_player import FakePlayer
from tests.support.spread import spread

NAMED = {
    "enter": "\r", "space": " ", "tab": "\t", "colon": ":", "question_mark": "?",
    "left_square_bracket": "[", "right_square_bracket": "]", "full_stop": ".",
    "escape": None, "up": None, "down": None, "left": None, "right": None, "backspace": None,
}  # fmt: skip
LETTERS = [*"abcdefghijklmnopqrstuvwxyzNMG"]
TABLES = [("kitsune", 2), ("kitsune", 4), ("kitsune", 6), ("kiriai", 2)]
REPEAT = 0.03  # s between two signs of a key that is held down
PAINTED = 0.001  # s until what has changed is painted


@pytest.fixture(autouse=True)
def _often_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let screens be painted more often than sixty times a second: there is more to be read."""
    monkeypatch.setattr("textual.screen.UPDATE_PERIOD", PAINTED)


def table_of(game_id: str, seats: int) -> LocalTable:
    setup = Setup.of(GAMES[game_id], seats)
    return LocalTable(Match.begin(setup), default_names(seats), None)


class Hands:
    """Whoever presses keys, at moments of a clock that the cover looks at as well."""

    def __init__(self, kumite: KumiteApp, monkeypatch: pytest.MonkeyPatch) -> None:
        self.app, self.witness = kumite, Eyewitness(kumite)
        monkeypatch.setattr("kumite.tui.widgets.cover.monotonic", lambda: self.witness.now)
        monkeypatch.setattr(kumite, "exit", lambda *_, **__: None)  # `q` at home leads nowhere
        kumite._bot_service = FakePlayer()

    @property
    def table(self) -> TableScreen:
        return next(one for one in reversed(self.app.screen_stack) if isinstance(one, TableScreen))

    async def press(self, *keys: str, at_once: bool = False) -> None:
        """Press keys one after the other, or as one packet that comes at one moment."""
        for key in keys:
            event = events.Key(key, NAMED.get(key, key))
            event.time = self.witness.press(key, event.character)
            self.app.post_message(event)
            if not at_once:
                await self.settle()
                self.witness.now += REPEAT
        await self.settle()

    async def settle(self) -> None:
        """Wait until all keys have been handled and what they changed is painted."""
        await called(self.app.call_later)
        while self.app.is_typing:
            await asyncio.sleep(PAINTED)
            assert self.app.is_running, "the app has ended"
        await settled(self.app.screen)

    async def change(self) -> None:
        """Play something, and let the next one come."""
        while self.witness.covered is None:
            await self.press("n", "enter")
        await self.come()

    async def come(self) -> None:
        """Lift the cover as it says."""
        assert self.witness.covered is not None
        self.witness.now += 0.5
        await self.press(str(self.witness.covered + 1))


@asynccontextmanager
async def hands_at(
    game_id: str, seats: int, look: str = "ascii", *, have_come: bool = True
) -> AsyncIterator[Hands]:
    """Open a table of several people; whoever is first has come, if they are to."""
    kumite = app(lambda: TableScreen(table_of(game_id, seats)), look)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("kumite.tui.widgets.cover.DEAF", DEAF)  # for as long as for people
        async with kumite.run_test(size=(80, 24)):
            hands = Hands(kumite, monkeypatch)
            await hands.settle()
            if have_come:
                await hands.come()
            yield hands


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
@pytest.mark.parametrize("key", ["enter", "space"])
async def test_a_key_held_down_plays_one_card_and_shows_nothing(
    game_id: str, seats: int, key: str
) -> None:
    async with hands_at(game_id, seats, have_come=False) as hands:
        await hands.press(key, key, key)
        assert hands.witness.covered is not None
        await hands.come()
        me, before = hands.table.model.seat, hands.table.table.match.number
        assert me is not None
        await hands.press("n", *[key] * 40)
        steps = hands.table.table.match.steps()[before:]
        assert [one.actor for one in steps if one.actor != "*"] == [me]
        assert hands.witness.covered not in (None, me)
        assert hands.witness.leaks == []


async def test_a_cover_names_the_only_key_that_lifts_it_and_is_deaf_at_first() -> None:
    async with hands_at("kitsune", 4, have_come=False) as hands:
        seat = hands.witness.covered
        assert seat is not None
        right, others = str(seat + 1), [*"123456".replace(str(seat + 1), ""), *NAMED, *LETTERS]
        assert f"Press {right} when only player {right} looks" in frame(hands.app)
        hands.witness.now += 0.3
        await hands.press(right)  # too early
        for _ in range(20):
            await hands.press(right)  # and held down
        assert hands.table.model.is_covered
        for key in others:
            if key not in ("q", "question_mark", "r"):
                hands.witness.now += 0.5
                await hands.press(key)
                assert hands.table.model.is_covered, key
        await hands.press(right)  # not by itself
        assert hands.table.model.is_covered
        hands.witness.now += 0.5
        await hands.press(right)
        assert not hands.table.model.is_covered
        assert hands.table.model.eyes == {seat}


async def test_a_cover_that_ignores_keys_is_redrawn_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    redrawn: list[str] = []
    async with hands_at("kitsune", 2, have_come=False) as hands:
        monkeypatch.setattr(hands.app, "action_redraw", lambda: redrawn.append("redrawn"))
        await hands.press("q", "r", "q", "ctrl+l")
        assert redrawn == ["redrawn"]
        assert hands.table.model.is_covered


@pytest.mark.parametrize(("game_id", "seats"), [*TABLES, ("kumo", 4), ("kuzushi", 3)])
async def test_cover_and_banner_have_the_colour_of_the_seat_that_is_to_act(
    game_id: str, seats: int
) -> None:
    kumite = app(lambda: TableScreen(table_of(game_id, seats)), "letters")
    async with kumite.run_test(size=(80, 24)) as pilot:
        table, met = kumite.screen, set[int]()
        assert isinstance(table, TableScreen)
        colors = colors_of(table.table.match)
        for _ in range(seats):
            await pilot.pause()
            cover = table.query_one(Cover)
            if table.model.is_covered:
                assert cover.seat is not None
                roles = " ".join(role for line in cover.rows() for _, role in line)
                assert {*re.findall(r"(?:seat|base)-(\d)", roles)} == {str(colors[cover.seat])}
            await uncovered(pilot)
            seat = table.model.seat
            assert seat is not None
            met.add(seat)
            assert f"flag-{colors[seat]}" in {role for _, role in table.title_line()}
            while not table.model.is_covered and table.model.seat == seat:
                play(table, table.model.seen.legal(seat)[0])
                await settled(table)
        assert len(met) > 1


async def test_the_log_is_there_again_below_the_cover() -> None:
    kumite = app(lambda: TableScreen(table_of("kitsune", 4)), "ascii")
    async with kumite.run_test(size=(80, 24)) as pilot:
        await uncovered(pilot)
        await pilot.pause()
        assert shown(kumite, "log")


async def test_what_is_typed_ahead_is_thrown_away_when_the_cover_comes() -> None:
    async with hands_at("kiriai", 2) as hands:
        me = hands.table.model.seat
        assert me is not None
        keys = ["colon", *"high,low", "enter", str(2 - me), "enter", "enter", "enter"]
        await hands.press(*keys, at_once=True)
        assert hands.table.model.is_covered
        assert hands.witness.covered == 1 - me
        assert hands.witness.leaks == []


async def test_a_line_that_lists_ones_cards_is_closed_by_the_cover() -> None:
    async with hands_at("kiriai", 2) as hands:
        await hands.press("colon")
        assert "Step:" in frame(hands.app)
        step = hands.table.model.seen.legal(hands.table.model.seat)[0]
        play(hands.table, step)  # as what has only one way on does by itself
        await hands.settle()
        assert hands.table.model.is_covered
        assert isinstance(hands.app.focused, Cover)
        assert "Step:" not in frame(hands.app)
        assert hands.witness.leaks == []


async def test_a_step_taken_back_at_the_cover_does_not_show_the_cards_of_who_made_it() -> None:
    async with hands_at("kiriai", 2) as hands:
        me, number = hands.table.model.seat, hands.table.table.match.number
        await hands.press("colon", *"high,low", "enter")
        hands.witness.now += 0.5
        await hands.press("u")
        assert hands.table.table.match.number == number
        assert hands.witness.covered == me
        await hands.come()
        assert hands.table.model.seat == me
        assert hands.witness.leaks == []


def unseen(hands: Hands) -> str:
    """Return a card of Kitsune that whoever is here cannot know."""
    known = hands.witness.known(hands.table)
    cards = (f"{suit}{rank}" for rank in range(1, 7) for suit in "bo")
    return next(card for card in cards if card not in known)


async def test_the_eyewitness_knows_what_was_typed_from_what_was_written_there() -> None:
    async with hands_at("kitsune", 2) as hands:
        secret = unseen(hands)
        await hands.press("colon", *secret, "left")
        assert f"Step: {secret}" in frame(hands.app)
        assert hands.witness.leaks == []
        await hands.press("escape")
        await hands.change()
        left = unseen(hands)
        hands.app.screen.query_one(Prompt).ask(
            "Step:", lambda _: None, (), left
        )  # as if it had stayed there
        await hands.press("left")
        assert hands.witness.leaks


def burst(rng: Random, hands: Hands) -> list[str]:
    """Return what somebody presses: mostly one key too often."""
    kind = rng.random()
    if kind < 0.45 and hands.witness.covered is not None:
        return [str(hands.witness.covered + 1)] * rng.choice((1, 1, 1, 5))
    if kind < 0.7:
        return ["n"] * rng.randrange(3) + [rng.choice(("enter", "space"))] * rng.randint(1, 8)
    keys = [*NAMED, *LETTERS, *"123456"]
    if kind < 0.85:
        return [rng.choice(keys)] * rng.randint(1, 8)
    return rng.choices(keys, k=rng.randint(1, 8))


async def press_at_random(game_id: str, seats: int, look: str, seed: int, bursts: int) -> Any:
    """Press keys at random at one table after the other; return the one who has watched."""
    rng = Random(f"{game_id} {seats} {seed}")
    async with hands_at(game_id, seats, look, have_come=False) as hands:
        kumite = hands.app
        for _ in range(bursts):
            hands.witness.now += rng.choice((0, 0.1, 0.5, 2))
            await hands.press(*burst(rng, hands), at_once=rng.random() < 0.5)
            while not isinstance(kumite.screen, TableScreen) and len(kumite.screen_stack) > 1:
                kumite.pop_screen()
                await hands.settle()
            if not isinstance(kumite.screen, TableScreen) or hands.table.model.is_over:
                await kumite.switch_screen(TableScreen(table_of(game_id, seats)))
                await hands.settle()
            assert hands.witness.leaks == [], hands.witness.leaks[0]
        return hands.witness


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "seats", "look"), spread(TABLES, ("ascii", "letters")))
async def test_bursts_of_keys_show_nobody_anothers_cards(
    game_id: str, seats: int, look: str
) -> None:
    witness = await press_at_random(game_id, seats, look, 0, 60)
    assert witness.lifted > 3
    assert witness.covers > 10
    assert witness.frames > 40


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("look", ["ascii", "letters"])
@pytest.mark.parametrize(("game_id", "seats"), TABLES)
async def test_ten_thousand_bursts_of_keys_show_nobody_anothers_cards(
    game_id: str, seats: int, look: str, seed: int
) -> None:
    await press_at_random(game_id, seats, look, seed, 250)


def test_what_was_secret_stays_so_when_a_round_ends_and_nothing_is_secret_now() -> None:
    rng = Random(4)
    table = table_of("kitsune", 4)
    while not sum(table.match.state.standing.wins):
        actor = table.match.actors[0]
        table.match = table.match.play(actor, rng.choice(table.match.legal(actor)))
    assert not table.has_secrets
    assert table.match.outcome is None
    assert TableModel.open(table, LOOKS["ascii"]).eyes == frozenset()
