"""Several people at one keyboard: nobody sees another's cards, whatever is pressed how often."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import takewhile
from random import Random
from typing import Any, Final

import pytest
from textual import events

from kumite.core.errors import KumiteError
from kumite.core.game import SPECTATOR, Seat, Seats, Setup, Step
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.tui import scenes
from kumite.tui.app import KumiteApp
from kumite.tui.drawing.cover import Handover, cover_rows
from kumite.tui.look.glyphs import LOOKS
from kumite.tui.play import narration
from kumite.tui.play.local_table import LocalTable, default_names
from kumite.tui.play.table_model import TableModel
from kumite.tui.scenes.lines import plain
from kumite.tui.scenes.model import scene_text
from kumite.tui.scenes.tallies import colors_of
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.cover import Cover
from kumite.tui.widgets.prompt import Prompt
from tests.support.apps import app, called, frame, play, settled, shown, uncovered
from tests.support.fake_player import FakePlayer
from tests.support.spread import spread

DEAF: Final = 0.4  # s; said here again, so that the app's own figure is tested
COVERED: Final = "Nobody else should look"
KEY: Final = re.compile(r"Press (\d)")
REFUSED: Final = "is no step of this game"  # behind it, examples for everybody
ECHOED: Final = re.compile(r"^ '[^']*' ", re.MULTILINE)  # what whoever is here has typed
ASKED: Final = re.compile(r"^ Step: (.+?)(?:_?  .*|_?)$", re.MULTILINE)
FACES: Final = "approach|retreat|charge|stance|high|low|balanced|zantetsu|kesa|counter"
CARDS: Final = {  # by game: what tells a card that may be somebody's secret
    "kitsune": re.compile(
        r"\b([bo][1-6])\b|\b(blue [1-6])\b|\b(orange [1-6])\b"
        r"|\b(katana|black kitsune|white kitsune)\b|\[ ?(black|white) ?\]|give:(\w+)",
        re.IGNORECASE,
    ),
    "kiriai": re.compile(rf"\b(zantetsu|kesa|counter)\b|\b((?:{FACES}),(?:{FACES}))\b"),
}


class Eyewitness:
    """Reads the frames of an app that shows a table; `leaks` are those it should not have seen.

    Whose eyes are at the screen is worked out from frames and keys alone, never asked of the app: a
    cover ends it for everybody, and only the key that the cover names, pressed by itself after the
    cover was seen, begins it for one seat.
    """

    def __init__(self, kumite: KumiteApp) -> None:
        self._app = kumite
        self._display = kumite._display
        kumite._display = self._read
        self.now = 100.0  # s
        self._last_key = 0.0  # when it was pressed
        self._covered_at = 0.0
        self.covered: Seat | None = None  # for whom the cover is, that was painted last
        self.allowed: Seats = SPECTATOR
        self._typed = ""  # by who is here, since they came
        self.frames = self.covers = self.lifted = 0
        self.leaks: list[str] = []
        self._lift: object = None  # who lifted the last cover, and what was shown by then
        self._seen: object = None  # table and number of steps that the last frame showed

    def press(self, key: str, character: str | None) -> float:
        """Note a key that is pressed now; return when that is."""
        is_alone = self.now - max(self._last_key, self._covered_at) >= DEAF
        if self.covered is not None and is_alone and key == str(self.covered + 1):
            self._lift = self.covered, self._seen
            self.allowed, self.covered = frozenset({self.covered}), None
            self.lifted += 1
            self._typed = ""
        else:
            self._typed += character or ""
        self._last_key = self.now
        return self.now

    def _read(self, screen: object, renderable: object) -> None:
        self._display(screen, renderable)
        if screen is not self._app.screen or not self._app.screen.is_mounted:
            return
        tables = [one for one in self._app.screen_stack if isinstance(one, TableScreen)]
        is_over_it = isinstance(screen, TableScreen) or getattr(screen, "is_modal", False)
        if tables and is_over_it and tables[-1].is_ready:
            self.read(tables[-1], frame(self._app))

    def read(self, table: TableScreen, text: str) -> None:
        self.frames += 1
        self._seen = id(table), table.table.match.number
        if COVERED in text:
            self._read_cover(table, text)
            return
        if table.model.is_over:
            return  # given up in this burst: all hands lie open, as after any match
        match = table.table.match
        found = cards(match, self._without_typing(match, text)) - self.known(table)
        if found:
            self.leaks.append(f"{sorted(found)}, to {set(self.allowed) or 'nobody'}:\n{text}")

    def _read_cover(self, table: TableScreen, text: str) -> None:
        """Compare a cover with what is drawn from a name and a key alone, cell by cell."""
        self.covers += 1
        found = KEY.search(text)
        if found is None:
            self.leaks.append(f"a cover without a key:\n{text}")
            return
        seat = Seat(int(found[1]) - 1)
        if self._lift != (seat, self._seen):  # else the key is still on its way
            if seat != self.covered:
                self.covered, self._covered_at = seat, self.now
            self.allowed, self._lift = SPECTATOR, None
        if not isinstance(self._app.screen, TableScreen):
            return  # something stands over it; nothing of the table is below
        name, look = table.table.shown_names[seat], self._app.look
        width, height = self._app.size
        middle = text.split("\n")[1:-2]
        said = cover_rows(Handover(seat, name, found[1], True), look, width, height - 3)
        rows = [plain(line).rstrip() for line in said]
        if [row.rstrip() for row in middle] != rows or cards(table.table.match, text):
            self.leaks.append(f"a cover that is none:\n{text}")

    def known(self, screen: TableScreen) -> frozenset[str]:
        """Return the cards that whoever is allowed to look may read anywhere at this table."""
        match = screen.table.match
        seen = match.seen_by(self.allowed) if len(self.allowed) < match.setup.seats else match
        makes, names = scenes.maker(match), screen.table.shown_names
        you = min(self.allowed, default=None)
        told = ["".join(f" {plain(line)}" for line in narration.told_lines(seen, names, 10_000))]
        for at in (seen, *[one for one in (seen.before,) if one]):
            told.append(scene_text(makes.scene(at.state, names, screen.shell.look, you)))
        at: Match | None = seen
        for _ in range(12):  # what has still to be seen may be some steps back
            if at is None or at.before is None or at.last is None:
                break
            last = at.last
            stop = makes.interlude(at.before.state, last.actor, last.step, at.state, names)
            if stop:
                view = makes.scene(stop.view, names, screen.shell.look, None, scenes.past(at))
                told += [stop.said, scene_text(view)]
            at = at.before
        for seat in self.allowed:
            for step in seen.legal(seat) if seat in seen.actors else ():
                told += [step, plain(makes.preview(seen.state, seat, step, screen.shell.look))]
        return frozenset().union(*(cards(match, text) for text in told))

    def _without_typing(self, match: Match, text: str) -> str:
        """Return a frame without what was typed into it, and what is said of how that is done."""
        asked = ASKED.search(text)
        if asked and self._can_be_typed(match, asked[1]):
            text = text[: asked.start(1)] + text[asked.end(1) :]
        head, refused, tail = ECHOED.sub("", text).partition(REFUSED)
        if refused:
            try:
                match.game.apply(match.state, match.actors[0], Step("no step"))
            except KumiteError as error:
                hint = r"\s+".join(map(re.escape, error.hint.split()))
                tail = re.sub(hint, "", tail)
        return head + refused + tail

    def _can_be_typed(self, match: Match, text: str) -> bool:
        """Return whether a text begins as an own step does, and goes on with typed signs."""
        own = [step for seat in self.allowed for step in match.legal(seat) if seat in match.actors]
        known = max((_agreeing(step, text) for step in own), default=0)
        return Counter(text[known:]) <= Counter(self._typed)


def _agreeing(one: str, other: str) -> int:
    """Return with how many of the same signs two texts begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def cards(match: Match, text: str) -> frozenset[str]:
    """Return the cards that a text names, each in one way."""
    found = set()
    for groups in CARDS[match.game.ID].findall(text):
        word = next(filter(None, groups)).lower()
        word = re.sub(r"^(blue|orange) ", lambda color: color[1][0], word)
        found.add(word.removesuffix(" kitsune"))
    return frozenset(found)


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
