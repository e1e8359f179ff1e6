"""Bots at a table: nothing waits for them, and one that fails loses its seat and nothing else."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from textual.pilot import Pilot

from kumite.core import bots
from kumite.core.bots import Choice
from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import find
from kumite.core.log import Header, Log
from kumite.core.match import Match
from kumite.store import log_files
from kumite.tui.app import KumiteApp
from kumite.tui.bots import service
from kumite.tui.bots.programs import called
from kumite.tui.bots.service import BotService
from kumite.tui.play.local_table import LocalTable, seat_names
from kumite.tui.play.narration import is_opening
from kumite.tui.screens import thinking
from kumite.tui.screens.analysis import AnalysisScreen
from kumite.tui.screens.dialog import Dialog
from kumite.tui.screens.setup import NewScreen
from kumite.tui.screens.table import TableScreen
from tests.support.apps import app, frame, running, screen_of, shown, until
from tests.support.fake_peer import FakeLan, at_lan, lan_app
from tests.support.kiriai_positions import dealt
from tests.support.places import BOT_EXAMPLES

EXAMPLES = BOT_EXAMPLES
SMALL = (80, 24)


class Fake(BotService):
    """A mind that thinks until the test lets it play, and keeps what happened."""

    def __init__(self) -> None:
        super().__init__()
        self.may_play = asyncio.Event()
        self.asked: list[tuple[str, Seat, float | None]] = []
        self.warmed: list[Setup] = []
        self.interrupted = 0
        self.failures: list[KumiteError] = []  # to come, one for each question

    def of_table(self, errors: Path | None = None) -> BotService:
        return self

    async def warm(self, setup: Setup) -> None:
        self.warmed.append(setup)

    async def choose(
        self,
        who: str,
        position: bots.Position,
        *,
        seed: int | str,
        simulations: int | None = None,
        seconds: float | None = None,
    ) -> Choice:
        self.asked.append((who, position.seat, seconds))
        if self.failures:
            raise self.failures.pop(0)
        try:
            await self.may_play.wait()
        except asyncio.CancelledError:
            self.interrupted += 1
            raise
        return Choice(position.legal[0])


FELL = KumiteError("it fell over", hint="pick it up")


@asynccontextmanager
async def begun(
    seats: str, *failures: KumiteError, **options: str
) -> AsyncIterator[tuple[KumiteApp, Fake, Pilot[None]]]:
    """Run an app on a table of Kuzushi, with the mind of its bots, which first fails so."""
    names, programs = called(seat_names(seats, None))
    setup = Setup.of(find("kuzushi"), len(names), options)
    table = LocalTable.begin(setup, names, programs=programs)
    kumite, fake = app(lambda: TableScreen(table)), Fake()
    fake.failures = [*failures]
    kumite._bot_service = fake
    async with kumite.run_test(size=SMALL) as pilot:
        yield kumite, fake, pilot


def the_log() -> Log:
    return log_files.load(next(log_files.folder().glob("*.kumite")))


def table_of(kumite: KumiteApp) -> LocalTable:
    screens = [one for one in kumite.screen_stack if isinstance(one, TableScreen)]
    table = screens[-1].table
    assert isinstance(table, LocalTable)
    return table


async def asked(pilot: Pilot[None], fake: Fake, times: int) -> None:
    await until(pilot, lambda: len(fake.asked) == times, f"asked {len(fake.asked)} times")


# --- While a bot thinks -----------------------------------------------------------------------


async def test_while_a_bot_thinks_the_table_says_so_and_keys_work() -> None:
    async with begun("bot:medium,ada") as (kumite, fake, pilot):
        await pilot.press("enter")
        await asked(pilot, fake, 1)
        assert "bot medium is thinking" in shown(kumite, "title")
        screen = screen_of(kumite, TableScreen)
        cursor = screen.field.board.cursor_name
        await pilot.press("left", "left")
        assert screen.field.board.cursor_name != cursor
        await pilot.press("left_square_bracket")
        assert "looking back at step 0" in shown(kumite, "title")
        await pilot.press("escape", "question_mark")
        assert not isinstance(kumite.screen, TableScreen)  # the rules
        await pilot.press("q")
        assert kumite.screen is screen
        assert fake.asked == [("medium", Seat(0), None)]  # asked once, whatever was looked at
        assert not fake.interrupted
        fake.may_play.set()
        await until(pilot, lambda: table_of(kumite).match.number == 2, "it does not play")
        assert "your turn" in shown(kumite, "title")


@pytest.mark.parametrize(("who", "said"), [("strong", ": 0 of 1 s"), ("medium", ": 0 s")])
async def test_of_a_long_thought_it_is_said_how_long_it_takes(
    who: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "LONG", 0.0)
    async with begun(f"ada,bot:{who}") as (kumite, fake, pilot):
        await asked(pilot, fake, 1)
        assert fake.asked == [(who, Seat(1), 1.0 if who == "strong" else None)]  # of the settings
        words = f"bot {who} is thinking{said}"
        await until(pilot, lambda: words in shown(kumite, "title"), f"{words!r} is not said")
        fake.may_play.set()
        await until(pilot, lambda: "your turn" in shown(kumite, "title"), "it does not play")


async def test_waiting_for_a_turn_is_no_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "LONG", 0.05)
    monkeypatch.setattr(thinking, "TICK", 0.01)
    async with begun("ada,bot:strong") as (kumite, fake, pilot):
        screen = screen_of(kumite, TableScreen)
        screen.say_queued("bots think for others")
        await asked(pilot, fake, 1)
        await pilot.pause(0.2)
        assert not screen.thought
        assert "waits for a turn" in shown(kumite, "title")
        screen.say_queued("")
        await until(pilot, lambda: "0 of 1 s" in shown(kumite, "title"), "its time is not said")


async def test_that_an_analysis_ends_the_rating_is_asked_about_first() -> None:
    async with begun("bot:medium,ada") as (kumite, _, pilot):
        await pilot.press("a")
        assert "A match with analysis is not rated: ask again" in shown(kumite, "hint")
        assert kumite.screen is screen_of(kumite, TableScreen)
        table = table_of(kumite)
        assert table.is_rated
        await pilot.press("a")
        assert screen_of(kumite, AnalysisScreen)
        assert not table.is_rated


async def test_taking_back_interrupts_a_thought() -> None:
    async with begun("bot:medium,ada") as (kumite, fake, pilot):
        await pilot.press("enter")
        await asked(pilot, fake, 1)
        await pilot.press("u")
        assert "A match with steps taken back is not rated: ask again" in shown(kumite, "hint")
        assert table_of(kumite).match.number == 1
        await pilot.press("u")
        assert table_of(kumite).match.number == 0
        assert "your turn" in shown(kumite, "title")
        assert fake.interrupted == 1
        fake.may_play.set()
        await pilot.press("n", "enter")
        await until(pilot, lambda: table_of(kumite).match.number == 2, "it does not play")
    log = the_log()
    assert log.match.number == 2
    assert log.damage is None


async def test_bots_think_one_after_the_other() -> None:
    async with begun("bot:easy,ada,bot:medium") as (kumite, fake, pilot):
        await pilot.press("enter")
        await asked(pilot, fake, 1)
        fake.may_play.set()
        await until(pilot, lambda: table_of(kumite).match.number == 3, "they do not play")
        assert [who for who, *_ in fake.asked] == ["medium", "easy"]


async def test_leaving_interrupts_a_match_between_bots() -> None:
    async with begun("bot:medium,bot:strong") as (kumite, fake, pilot):
        await asked(pilot, fake, 1)
        assert "bot strong is thinking" in shown(kumite, "title")
        await pilot.press("q")
        assert kumite._exit
        await pilot.pause()
        assert fake.interrupted == 1
    assert the_log().match.number == 0


async def test_a_rematch_asks_anew() -> None:
    async with begun("bot:medium,ada") as (_, fake, pilot):
        await pilot.press("g", "down", "enter", "m", "enter")
        await asked(pilot, fake, 1)
        assert fake.asked == [("medium", Seat(1), None)]


# --- Getting ready ----------------------------------------------------------------------------


async def test_the_bots_get_ready_when_a_table_opens_and_somebody_else_begins() -> None:
    async with begun("bot:medium,ada", board="small") as (kumite, fake, pilot):  # ada begins
        await until(pilot, lambda: bool(fake.warmed), "they do not get ready")
        assert fake.warmed == [table_of(kumite).match.setup]
        assert fake.asked == []
        await pilot.press("enter", "u")
        assert len(fake.warmed) == 1  # once for each table


@pytest.mark.parametrize("seats", ["ada,bob", "ada,bot:medium", "cmd:sh -x,ada"])
async def test_nothing_gets_ready_without_a_bot_or_for_one_that_thinks_already(seats: str) -> None:
    async with begun(seats) as (_, fake, pilot):
        await pilot.pause()
        assert fake.warmed == []


# --- A bot that fails -------------------------------------------------------------------------


async def lost(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, Dialog), "nothing is asked")
    await pilot.pause()  # it is drawn
    said = frame(pilot.app)
    for part in ("Seat 2 is lost", "it fell over", "pick it up", "> bot easy plays on"):
        assert part in said


@pytest.mark.parametrize(
    ("keys", "name", "note"),
    [
        (("enter",), "bot:easy", "bot easy plays on"),
        (("down", "enter"), "player 2", "a person plays on"),
        (("down", "down", "enter"), "cmd:mybot.sh", "cmd:mybot.sh plays on"),
    ],
)
async def test_who_plays_on_for_a_program_that_fails_is_asked(
    keys: tuple[str, ...], name: str, note: str
) -> None:
    async with begun(f"ada,cmd:sh {EXAMPLES}/mybot.sh", FELL) as (kumite, fake, pilot):
        await lost(pilot)
        await pilot.press(*keys)
        assert table_of(kumite).names == ("ada", name)
        fake.may_play.set()
        if name == "player 2":
            assert "player 2's turn" in shown(kumite, "title")
        else:
            await until(pilot, lambda: table_of(kumite).match.number == 1, "nobody plays")
            assert fake.asked[1][0] == ("easy" if name.startswith("bot") else fake.asked[0][0])
    log = the_log()
    assert log.damage is None
    assert [one.rest for one in log.entries if one.kind == "note"] == [
        f"seat 1 was lost: it fell over; {note}"
    ]


async def test_a_level_that_fails_can_be_asked_again() -> None:
    async with begun("ada,bot:strong", FELL) as (kumite, fake, pilot):
        await lost(pilot)
        await pilot.press("down", "down", "enter")
        await asked(pilot, fake, 2)
        assert [who for who, *_ in fake.asked] == ["strong", "strong"]
        assert table_of(kumite).names == ("ada", "bot:strong")


async def test_the_question_who_plays_on_can_wait() -> None:
    async with begun(f"ada,cmd:sh {EXAMPLES}/mybot.sh", FELL) as (kumite, fake, pilot):
        await lost(pilot)
        await pilot.press("escape")
        assert "nobody plays seat 2" in shown(kumite, "title")
        assert shown(kumite, "hint").startswith("b: who plays on?   it fell over")
        await pilot.press("b")
        await lost(pilot)
        await pilot.press("enter")
        fake.may_play.set()
        await until(pilot, lambda: table_of(kumite).match.number == 1, "nobody plays")


async def test_a_real_program_that_fails_leaves_the_table_standing(tmp_path: Path) -> None:
    bot = tmp_path / "bad.py"
    bot.write_text("import sys; input(); sys.exit('I give up')")
    names, programs = called(("ada", f"cmd:{sys.executable} {bot}"))
    table = LocalTable.begin(Setup.of(find("kuzushi")), names, programs=programs)
    async with running(lambda: TableScreen(table)) as (kumite, pilot):
        said = "what it wrote to standard error"
        await until(pilot, lambda: said in frame(kumite), "nothing is asked")
        assert "cmd:bad.py has ended: exit status 1" in frame(kumite)
        await pilot.press("down", "enter", "n", "enter")
        assert table_of(kumite).match.number == 1
    (words,) = tmp_path.glob("*.seat1.txt")
    assert words.read_text() == "I give up\n"


# --- Programs by others, whole matches --------------------------------------------------------

SHORT = {
    "kuzushi": {"board": "small"},
    "kitsu": {"limit": "40"},
    "kitsune": {"wins": "1", "track": "8"},
    "kumo": {},
    "kiriai": {"rounds": "20"},
}


@pytest.mark.parametrize("game", SHORT)
async def test_the_examples_play_a_whole_match(game: str, tmp_path: Path) -> None:
    python, shell = f"cmd:{sys.executable} {EXAMPLES}/mybot.py", f"cmd:sh {EXAMPLES}/mybot.sh"
    names, programs = called([python, shell])
    assert names == ("cmd:mybot.py", "cmd:mybot.sh")
    table = LocalTable.begin(Setup.of(find(game), 2, SHORT[game]), names, programs)
    bot_service = BotService(table.path)
    most = 60 if game == "kumo" else 10**6  # a match has a hundred turns
    while (seat := table.bot_to_act()) is not None and table.match.number < most:
        table.play(seat, await table.think(seat, bot_service, 1.0))
    assert table.match.outcome is not None or table.match.number == most
    assert len(bot_service._programs) == 2
    bot_service.close()
    table.close()
    (log,) = tmp_path.iterdir()  # no words of programs that had none
    assert {one.actor for one in log_files.load(log).match.steps()} >= {0, 1}


async def test_a_command_can_be_written_where_a_new_match_asks_for_names() -> None:
    kumite, fake = app(lambda: NewScreen("kuzushi")), Fake()
    kumite._bot_service = fake
    async with kumite.run_test(size=SMALL) as pilot:
        await pilot.press("down", "down", "down", "ctrl+u", *"ada")
        await pilot.press("down", "ctrl+u", *"cmd:sh -x", "up", "up", "up")
        await pilot.press("up", "enter")
        assert table_of(kumite).names == ("ada", "cmd:sh")
        await asked(pilot, fake, 1)
        assert fake.asked == [("cmd:sh -x", Seat(1), None)]


# --- Nobody starts a program but who typed its command ----------------------------------------

EVIL = ("cmd:touch evil", "bot:cmd:touch evil", "cmd:sh", "bot:nobody")


@pytest.fixture
def no_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let every start of a program be an error."""

    def start(*args: object, **_: object) -> None:
        raise AssertionError(f"started {args}")

    monkeypatch.setattr(service.subprocess, "Popen", start)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("no_program")
@pytest.mark.parametrize("name", EVIL)
async def test_a_program_that_a_log_names_is_not_started(tmp_path: Path, name: str) -> None:
    setup = Setup.of(find("kuzushi"))
    header = Header("ab" * 8, setup, ("ada", name))
    file = log_files.LogFile.create(header, Match.begin(setup), tmp_path)
    file.close()
    table = LocalTable.resume(file.path)
    assert table.mine == {Seat(0)}
    assert table.bot_to_act() is None
    assert table.vacant_to_act() == Seat(1)
    async with running(lambda: TableScreen(table)) as (kumite, pilot):
        await until(pilot, lambda: isinstance(kumite.screen, Dialog), "nothing is asked")
        assert "asked again" not in frame(kumite)
        await pilot.press("down", "enter", "n", "enter")
        assert table.match.number == 1


@pytest.mark.usefixtures("no_program")
@pytest.mark.parametrize("name", EVIL)
async def test_a_program_that_another_terminal_names_is_not_started(name: str) -> None:
    async with at_lan("kuzushi", ours=(1,), names=("ada", name)) as (lan, kumite, pilot):
        await until(pilot, lambda: isinstance(kumite.screen, Dialog), "nothing is asked")
        await pilot.press("down", "enter")
        await pilot.pause()
        assert lan.table.mine == {Seat(1)}
        ((what, said),) = lan.peer.take()
        assert what == "say"
        assert said.endswith("a person plays on")


# --- Over the LAN -----------------------------------------------------------------------------


async def test_a_program_of_the_host_that_fails_is_replaced_and_the_others_are_told() -> None:
    lan = FakeLan("kuzushi", ours=(1, 2), count=3, names=("ada", "bob", "cmd:sh"))
    lan.programs = {"cmd:sh": "cmd:sh -x"}
    kumite = lan_app(lan)
    fake = Fake()
    fake.failures = [KumiteError("it fell over")]
    fake.may_play.set()
    kumite._bot_service = fake
    async with kumite.run_test(size=SMALL) as pilot:
        while lan.whole.actors != (Seat(2),):
            (actor,) = lan.whole.actors
            assert actor != CHANCE
            lan.play(actor, lan.whole.legal(actor)[0])
            await pilot.pause()
        await until(pilot, lambda: "Seat 3 is lost" in frame(kumite), "nothing is asked")
        await pilot.press("enter")
        await until(pilot, lambda: len(lan.peer.asked) == 2, "nobody plays")
        assert lan.peer.asked[0] == ("say", "seat 3 was lost: it fell over; bot easy plays on")
        assert lan.peer.asked[1][:2] == ("play", 2)
        assert [who for who, *_ in fake.asked] == ["cmd:sh -x", "easy"]


@pytest.mark.parametrize("field", ["standard", "advanced"])
async def test_red_comes_from_the_left_also_where_the_strip_is_drawn_by_signs(field: str) -> None:
    match = dealt(field=field)
    for names in (("ada", "bot:1"), ("bot:1", "ada")):
        table = LocalTable(match, names, None)
        async with running(lambda table=table: TableScreen(table), glyphs="ascii") as (kumite, _):
            assert not screen_of(kumite, TableScreen).is_turned


@pytest.mark.parametrize("size", [(80, 24), (100, 30)], ids=str)
async def test_a_person_sees_the_own_camp_below_and_how_to_win_until_the_first_turn_ends(
    size: tuple[int, int],
) -> None:
    match, rng = Match.begin(Setup.of(find("kumo"), 2)), Random(3)
    while match.actors == (Seat(0),):
        match = match.play(Seat(0), rng.choice(match.legal(Seat(0))))
    table = LocalTable(match, ("bot:1", "ada"), None)
    async with running(lambda: TableScreen(table), size) as (kumite, pilot):
        screen = screen_of(kumite, TableScreen)
        rows = frame(kumite).split("\n")
        camps = [row for row in rows if "camp of" in row]
        assert ["camp of ada" in row for row in camps] == [False, True]
        assert "To win: push the stone off the far edge" in shown(kumite, "title")
        assert not shown(kumite, "log").startswith("bot 1\nPush")
        await pilot.press("f")
        assert not screen.is_turned
        while table.match.actors == (Seat(1),):
            assert "To win: push the stone off the far edge" in shown(kumite, "title")
            table.play(Seat(1), rng.choice(table.match.legal(Seat(1))))
            screen.show_table()
            await pilot.pause()
        table.play(Seat(0), rng.choice(table.match.legal(Seat(0))))
        assert not is_opening(table.match, table.mine)
