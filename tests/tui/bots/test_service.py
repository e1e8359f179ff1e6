"""Bots in another process: the same steps as here, interrupted at once, and gone with us."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import pytest

from kumite.core import bots
from kumite.core.bots import Choice
from kumite.core.errors import BadSetup, KumiteError
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.games.kiriai.bot import book, table
from kumite.core.games.kiriai.bot import solved as kiriai
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.match import Match
from kumite.tui.bots import advice, kernels, protocol, worker
from kumite.tui.bots.service import BotService
from tests.core.bots.test_bots import position, positions
from tests.support.places import ROOT
from tests.support.waiting import is_running, wait_for_end

LONG = 600.0  # s that nobody waits for
BOT = """
import json, os, sys, time
sys.stderr.write("started\\n"); sys.stderr.flush()
for number, line in enumerate(sys.stdin, 1):
    request = json.loads(line)
    {body}
    print(answer, flush=True)
"""


@pytest.fixture
def bot_service() -> Iterator[BotService]:
    made = BotService()
    yield made
    made.close()


def hard() -> bots.Position:
    """Return a position with a choice that is worth a thought."""
    return next(one for one in positions(kuzushi) if len(one.legal) > 5)


def program(folder: Path, body: str) -> str:
    """Return the name of a bot by somebody else whose loop does `body`."""
    path = folder / "a bot.py"
    path.write_text(BOT.replace("{body}", body), encoding="utf-8")
    return f"cmd:{sys.executable} '{path}'"


def here(
    where: bots.Position, *, level: str = "strong", seed: int | str = 2, count: int = 20
) -> Choice:
    """Return what a bot in this process chooses."""
    return bots.find(level)(where, Random(seed), bots.Budget(count))


async def plays_on(service: BotService, where: bots.Position) -> bool:
    """Tell whether the next question gets its own answer."""
    return await service.choose("strong", where, seed=2, simulations=20) == here(where)


async def begun(thought: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    task = asyncio.create_task(thought)
    for _ in range(5):
        await asyncio.sleep(0)
    return task


async def given_up(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


# --- Our own bots -----------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
async def test_a_bot_in_another_process_plays_as_it_would_here(
    game: str, bot_service: BotService
) -> None:
    asked = list(positions(GAMES[game], 5))
    assert len(asked) >= 5
    for level in bots.BOTS:
        for where in asked[: 5 if level in ("random", "strong") else 2]:
            choice = await bot_service.choose(level, where, seed="7 x", simulations=20)
            assert choice == here(where, level=level, seed="7 x")


async def test_without_a_limit_a_level_takes_its_usual_number(bot_service: BotService) -> None:
    *_, where = (one for one in positions(kuzushi, 30) if len(one.legal) > 4)  # near the end
    for level in ("medium", "strong"):
        number = bots.usual(level, "kuzushi")
        assert number > 100
        found = await bot_service.choose(level, where, seed=3)
        assert found == here(where, level=level, seed=3, count=number)


async def test_time_is_a_budget(bot_service: BotService) -> None:
    where = hard()
    choice = await bot_service.choose("strong", where, seed=1, seconds=0.05)
    assert choice.step in where.legal
    assert (await bot_service.choose("strong", where, seed=1, seconds=0.0)).lines == ()


@pytest.mark.parametrize("is_early", [True, False])
def test_a_thought_ends_early_if_its_result_is_clear(
    is_early: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "is_clear", lambda *_: is_early)
    fields = protocol.request(hard()) | {"id": 1, "bot": "strong", "seed": 1, "begun": monotonic()}
    fields |= {"simulations": None, "seconds": 0.5, "early": 0.25}
    choice = worker.choose(fields, worker.Input())
    spent = monotonic() - fields["begun"]
    assert spent >= (0.25 if is_early else 0.5)
    per_second = kernels.per_second("kuzushi", "strong")
    assert choice.looked == round((0.25 if is_early else 0.5) * per_second)


async def test_a_thought_is_interrupted_and_the_process_stays(bot_service: BotService) -> None:
    where = hard()
    await bot_service.choose("easy", where, seed=1)
    child = bot_service._thinker._child
    for _ in range(3):
        await given_up(await begun(bot_service.choose("strong", where, seed=1, seconds=LONG)))
        assert await plays_on(bot_service, where)
    assert bot_service._thinker._child is child


@pytest.mark.parametrize("game", GAMES)
async def test_a_thought_that_goes_on_tells_what_it_would_here(
    game: str, bot_service: BotService
) -> None:
    where = max(positions(GAMES[game]), key=lambda one: len(one.legal))
    told: list[tuple[float, Choice]] = []
    there: list[tuple[float, Choice]] = []
    watch = bots.Watch((5, 30, 60), lambda *one: told.append(one))
    bots.grow("strong", where, lambda: Random("x"), watch)
    for _ in range(2):  # the second question finds no line of the first answer
        there.clear()
        await bot_service.grow("strong", where, seed="x", stages=(5, 30, 60), is_counted=True,
                         told=lambda *one: there.append(one))  # fmt: skip
        assert there == told
        assert told
    assert await plays_on(bot_service, where)


async def test_a_thought_stands_still_and_goes_on_as_if_it_had_not(bot_service: BotService) -> None:
    where, told, stages = hard(), list[float](), tuple(range(1, 100_000))
    thought = asyncio.create_task(
        bot_service.grow("strong", where, seed=1, stages=stages, is_counted=True,
                         told=lambda stage, _: told.append(stage))
    )  # fmt: skip
    while not told:
        await asyncio.sleep(0.01)
    bot_service._thinker._pause(False)
    count = -1
    while count != len(told):  # what was told before it stood still is still coming
        count = len(told)
        await asyncio.sleep(0.5)
    assert count < len(stages)
    bot_service._thinker._pause(True)
    while len(told) == count:
        await asyncio.sleep(0.01)
    assert told[: count + 1] == list(stages[: count + 1])
    bot_service._thinker._pause(False)
    thought.cancel()  # also while it stands still
    await asyncio.gather(thought, return_exceptions=True)
    assert await plays_on(bot_service, where)


async def test_time_in_which_a_thought_stands_still_does_not_count() -> None:
    given = worker.Input()
    thought = worker.Thought(7, given)
    before, begun = thought.clock(), monotonic()
    given.paused = 7
    waiting = asyncio.create_task(asyncio.to_thread(thought.is_stopped))
    await asyncio.sleep(1.0)
    assert not waiting.done()
    with given.changed:
        given.paused = 0
        given.changed.notify_all()
    assert not await waiting
    assert thought.clock() - before < monotonic() - begun - 0.9


async def test_a_thought_that_goes_on_is_interrupted_and_told_no_more(
    bot_service: BotService,
) -> None:
    where, told = hard(), asyncio.Event()
    thought = asyncio.create_task(
        bot_service.grow("strong", where, seed=1, stages=(1, 2, 3, 4, 10**9), is_counted=True,
                   told=lambda *_: told.set())
    )  # fmt: skip
    await told.wait()
    child = bot_service._thinker._child
    await given_up(thought)
    told.clear()
    assert await plays_on(bot_service, where)
    assert not told.is_set()
    assert bot_service._thinker._child is child


# --- Getting ready ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
async def test_the_process_gets_ready_for_a_match_and_answers_as_ever(
    game: str, bot_service: BotService
) -> None:
    await bot_service.warm(Setup.of(GAMES[game]))
    child = bot_service._thinker._child
    assert child is not None
    assert await plays_on(bot_service, next(positions(GAMES[game])))
    assert bot_service._thinker._child is child


@pytest.mark.parametrize("field", ["standard", "advanced"])
def test_after_getting_ready_the_first_thought_reads_no_file(
    field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = counted_reads(monkeypatch)
    setup = Setup.of(GAMES["kiriai"], 2, {"field": field})
    fields = {"warm": "kiriai", "seats": 2, "options": dict(setup.options)}
    assert worker.done(fields, worker.Input()) == {}
    assert read
    read.clear()
    match = Match.begin(setup)
    while match.actors[0] == CHANCE:
        match = match.play(CHANCE, match.legal(CHANCE)[-1])
    bots.find("strong")(position(match, Seat(1)), Random(1), bots.Budget())
    assert read == []


def counted_reads(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Forget what was read of Kiri-ai's files, and return what is read from now on."""
    found: list[object] = []

    def part_of(file: str, parts: Sequence[object], wanted: object) -> bytes:
        found.append(wanted)
        return _part_of(file, parts, wanted)

    _part_of = table.part_of
    for module in (table, book):
        monkeypatch.setattr(module, "part_of", part_of)
    for kept in (
        *(table._coarse, table._coarse_bytes, table._fine),
        *(table._fine_bytes, table._fine_part, book.opened),
        kiriai._round_matrix,
    ):
        kept.cache_clear()
    return found


def test_a_thought_unpacks_only_what_it_needs_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    read = counted_reads(monkeypatch)
    where = next(one for one in positions(GAMES["kiriai"], 40) if one.view.phase == "plan")
    assert where.view.rounds == 40
    bots.find("strong")(where, Random(1), bots.Budget())
    numbers = range(len(table.BUCKETS))
    left = table.bucket(where.view.rounds - where.view.round + 1)
    assert left >= 8
    parts = [(5, number) for number in numbers if number >= left]
    assert sorted(map(repr, read)) == sorted(map(repr, [*parts, (5, "fine"), 5]))


async def test_getting_ready_is_given_up_when_somebody_asks() -> None:
    asked, given = hard(), worker.Input()
    given.requests.put({})
    stops = []

    def think(where: bots.Position, rng: Random, budget: bots.Budget) -> Choice:
        stops.append(budget.stop())
        return Choice(where.legal[0])

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(bots.BOTS, "strong", think)
        worker.done({"warm": asked.game.ID, "seats": 2, "options": {}}, given)
        given.requests.get()
        worker.done({"warm": asked.game.ID, "seats": 2, "options": {}}, given)
    assert stops == [True, False]


async def test_thoughts_wait_for_each_other(bot_service: BotService) -> None:
    where = hard()
    seeds = range(6)
    choices = await asyncio.gather(
        *(bot_service.choose("strong", where, seed=seed, simulations=15) for seed in seeds)
    )
    for seed, choice in zip(seeds, choices, strict=True):
        assert choice == here(where, seed=seed, count=15)


async def test_a_process_that_does_not_stop_is_replaced(
    bot_service: BotService, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = hard()
    await bot_service.choose("easy", where, seed=1)
    first = bot_service._thinker._child
    first._process.send_signal(signal.SIGSTOP)  # it hears nothing
    await given_up(await begun(bot_service.choose("strong", where, seed=1)))
    assert await plays_on(bot_service, where)
    assert bot_service._thinker._child is not first
    assert first.has_ended


async def test_a_process_that_dies_is_told_of_and_replaced(bot_service: BotService) -> None:
    where = hard()
    await bot_service.choose("easy", where, seed=1)
    first = bot_service._thinker._child
    thought = await begun(bot_service.choose("strong", where, seed=1, seconds=LONG))
    first._process.kill()
    with pytest.raises(KumiteError, match="has ended: killed by signal 9") as caught:
        await thought
    assert "another one" in caught.value.hint
    assert await plays_on(bot_service, where)


async def test_a_bot_that_fails_says_why(
    bot_service: BotService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "request", lambda _: {"game": "go"})
    with pytest.raises(KumiteError, match="go"):
        await bot_service.choose("strong", hard(), seed=1)
    with pytest.raises(KumiteError, match="go"):
        await bot_service.grow("strong", hard(), seed=1, stages=(1.0,), told=lambda *_: None)


async def test_a_bot_that_does_not_exist_starts_nothing(bot_service: BotService) -> None:
    with pytest.raises(BadSetup, match="no bot 'nobody'"):
        await bot_service.choose("nobody", hard(), seed=1)
    assert bot_service._thinker._child is None


async def test_tables_share_the_process_and_leave_it_running(bot_service: BotService) -> None:
    one, two = bot_service.of_table(), bot_service.of_table()
    await one.choose("easy", hard(), seed=1)
    child = bot_service._thinker._child
    one.close()
    await two.choose("easy", hard(), seed=1)
    assert bot_service._thinker._child is child
    bot_service.close()
    assert child.has_ended


ORPHAN = """
import asyncio, os
from tests.tui.bots.test_service import hard
from kumite.tui.bots.service import BotService

async def main():
    bot_service = BotService()
    await bot_service.choose("easy", hard(), seed=1)
    print(bot_service._thinker._child._process.pid, flush=True)
    await bot_service.choose("strong", hard(), seed=1, seconds=600)

asyncio.run(main())
"""


def test_the_process_dies_with_an_app_that_is_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ORPHAN], stdout=subprocess.PIPE, text=True, cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as app:  # fmt: skip
        thinker = int(app.stdout.readline())
        app.kill()
    wait_for_end(thinker)


# --- Programs by others -----------------------------------------------------------------------


async def test_a_program_is_told_what_its_seat_knows_and_answers_with_a_choice(
    tmp_path: Path, bot_service: BotService
) -> None:
    body = 'open("asked", "a").write(line); step = request["legal"][-1]; ' + (
        'answer = json.dumps({"step": step, "value": 0.25, "lines": [[step, 0.25, 1]]})'
    )
    who = program(tmp_path, body.replace('"asked"', f'"{tmp_path}/asked"'))
    for where in [hard(), *positions(GAMES["kiriai"], 4)]:
        choice = await bot_service.choose(who, where, seed=1)
        step = where.legal[-1]
        assert choice == Choice(step, 0.25, (bots.Line(step, 0.25, 1.0),))
        told = json.loads((tmp_path / "asked").read_text().splitlines()[-1])
        assert told == json.loads(json.dumps(protocol.request(where))) | {"seconds": 10.0}
        assert protocol.position_of(told) == bots.Position(
            where.game, where.view, where.seat, list(where.seen), where.legal
        )


async def test_a_program_is_started_once_for_each_seat(tmp_path: Path) -> None:
    bot_service = BotService(tmp_path / "log")
    who = program(tmp_path, 'answer = json.dumps({"step": request["legal"][0]})')
    asked = list(positions(kuzushi, 100))
    for where in asked:
        await bot_service.choose(who, where, seed=1)
    bot_service.close()
    assert {one.seat for one in asked} == {0, 1}
    for seat in (0, 1):
        assert (tmp_path / f"log.seat{seat}.txt").read_text() == "started\n"


FAULTS = {
    "sys.exit(3)": "has ended: exit status 3",
    "sys.stdout.close(); os.close(1); time.sleep(600)": "has ended: it has closed its output",
    "answer = 'I think e6'": "answered 'I think e6'",
    "answer = '{}'": "answered '{}'",
    "answer = '[' * 100000": "answered '\\[\\[",
    "answer = json.dumps({'step': 'z99'})": "played 'z99', which is not legal",
    "answer = json.dumps({'step': request['legal'][0], 'value': 'good'})": "answered",
    "answer = json.dumps({'step': request['legal'][0], 'lines': [[1]]})": "answered",
    "time.sleep(600)": "took longer than 0.5 s",
}


@pytest.mark.parametrize(("body", "said"), FAULTS.items(), ids=FAULTS.values())
async def test_a_program_that_fails_is_ended_and_its_fault_told(
    tmp_path: Path, body: str, said: str
) -> None:
    bot_service = BotService(tmp_path / "log")
    who = program(tmp_path, body)
    limit = 0.5 if "longer" in said else None
    with pytest.raises(KumiteError, match=said) as caught:
        await bot_service.choose(who, hard(), seed=1, seconds=limit)
    assert "a bot.py" in str(caught.value)
    if limit is None:  # else it may not even have begun
        assert str(tmp_path / f"log.seat{hard().seat}.txt") in caught.value.hint
    assert not bot_service._programs
    bot_service.close()


@pytest.mark.parametrize("fault", ["", "print('{}', flush=True); "], ids=["silent", "wrong"])
async def test_a_program_that_fails_runs_no_more(
    tmp_path: Path, bot_service: BotService, fault: str
) -> None:
    """Also one that would think on: nobody would ever hear of it again."""
    body = (
        f"if number == 2: {fault}time.sleep(600)\n"
        f"    open('{tmp_path}/pid', 'w').write(str(os.getpid()))\n"
        "    answer = json.dumps({'step': request['legal'][0]})"
    )
    who, where = program(tmp_path, body), hard()
    await bot_service.choose(who, where, seed=1)
    started = int((tmp_path / "pid").read_text())
    assert is_running(started)
    with pytest.raises(KumiteError):
        await bot_service.choose(who, where, seed=1, seconds=LONG if fault else 0.2)
    wait_for_end(started)


@pytest.mark.parametrize("second", ["'z99'", "request['legal'][0]"], ids=["illegal", "legal"])
async def test_a_program_that_answers_twice_is_told_so(
    tmp_path: Path, bot_service: BotService, second: str
) -> None:
    """Not that it played an illegal step later, nor is its second answer played then."""
    steps = f"(request['legal'][0], {second})"
    body = f"answer = '\\n'.join(json.dumps({{'step': step}}) for step in {steps})"
    who, where = program(tmp_path, body), hard()
    assert (await bot_service.choose(who, where, seed=1)).step == where.legal[0]
    with pytest.raises(KumiteError, match="gave a second answer, '"):
        await bot_service.choose(who, where, seed=1)


async def test_a_second_answer_that_comes_after_the_next_request_is_told_as_one(
    tmp_path: Path, bot_service: BotService
) -> None:
    """Its step was legal before and is not now: nobody has played it."""
    body = (
        "answer = json.dumps({'step': request['legal'][0]})\n"
        "    print(answer, flush=True)\n"
        "    time.sleep(0.5)"
    )
    who, where = program(tmp_path, body), hard()
    step = (await bot_service.choose(who, where, seed=1)).step
    after = replace(where, legal=tuple(one for one in where.legal if one != step))
    with pytest.raises(KumiteError, match=r"gave a second answer, '.*, to its last request"):
        await bot_service.choose(who, after, seed=1)


async def test_a_program_that_is_no_longer_waited_for_may_answer_late(
    tmp_path: Path, bot_service: BotService
) -> None:
    body = 'answer = json.dumps({"step": request["legal"][number % 2]})'
    who, where = program(tmp_path, body), hard()
    await given_up(await begun(bot_service.choose(who, where, seed=1)))
    second = await bot_service.choose(who, where, seed=1)
    assert second.step == where.legal[0]


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ("cmd:", "there is no program ''"),
        ("cmd:./nobody --deep", "there is no program './nobody'"),
        ("cmd:python3 'x", "No closing quotation"),
        ("cmd:{folder}/plain", "cannot start .*plain"),
    ],
)
async def test_a_program_that_cannot_be_started_is_told_of(
    who: str, said: str, bot_service: BotService, tmp_path: Path
) -> None:
    (tmp_path / "plain").write_text("print('no first line says what runs this')")
    (tmp_path / "plain").chmod(0o755)
    with pytest.raises(KumiteError, match=said):
        await bot_service.choose(who.format(folder=tmp_path), hard(), seed=1)


async def test_all_that_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    bot_service = BotService()
    body = (
        "import subprocess; started = subprocess.Popen(['sleep', '600']);"
        f"open('{tmp_path}/pid', 'w').write(str(started.pid));"
        "answer = json.dumps({'step': request['legal'][0]})"
    )
    await bot_service.choose(program(tmp_path, body), hard(), seed=1)
    pid = int((tmp_path / "pid").read_text())
    assert is_running(pid)
    bot_service.close()
    wait_for_end(pid)
