"""Turns to think: so many at once, tables before analyses, nobody for ever first or last."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from random import Random

import pytest

from kumite.serve.bot_queue import LONG, PAUSE, SLICE, BotQueue, Thinker
from kumite.serve.bot_queue import Queue as Waiting
from kumite.store.guest_mode import DONE, LOOK, PLAY, TURNS
from kumite.tui.bots.turns import Queue
from tests.serve.test_guests_over_ssh import KEY, OTHER, at_home, begin_match, make_step
from tests.support.servers import server


class Queued:
    """A queue, and the places that were told."""

    def __init__(self, most: int, *guests: str) -> None:
        self.turns, self.places = Waiting(most), dict.fromkeys(guests, -1)
        self.apps: dict[str, Thinker] = {}
        for name in guests:
            self.join(name)

    def join(self, name: str) -> None:
        """Let an app in; the first letter of its name is its guest's."""

        def tell(_: int, place: int) -> None:
            self.places[name] = place

        self.apps[name] = Thinker(name[0], tell)
        self.turns.join(self.apps[name])

    def want(self, name: str, wish: str, now: float) -> float | None:
        self.turns.hear(self.apps[name], 1, wish, now)
        return self.turns.settle(now)

    @property
    def thinking(self) -> set[str]:
        return {name for name, app in self.apps.items() if app.is_thinking}


def test_analyses_take_turns_among_themselves() -> None:
    queue = Queued(1, "a", "b", "c")
    for name in "abc":
        queue.want(name, LOOK, 0.0)
    seen, now = [], 0.0
    for _ in range(6):
        seen.append(*queue.thinking)
        left = queue.turns.settle(now)
        assert left is not None
        now += left
        queue.turns.settle(now)
    assert seen == ["a", "b", "c", "a", "b", "c"]
    assert now == pytest.approx(6 * SLICE)


def test_a_table_does_not_wait_for_a_long_thought_of_another() -> None:
    queue = Queued(1, "a", "b")
    queue.want("a", PLAY, 0.0)
    queue.want("b", PLAY, 0.5)
    assert queue.thinking == {"a"}
    queue.turns.settle(SLICE - 0.1)
    assert queue.thinking == {"a"}
    queue.turns.settle(SLICE)
    assert queue.thinking == {"b"}


def test_who_has_several_apps_here_has_no_more_turns_than_others() -> None:
    queue = Queued(2, "a1", "a2", "a3", "b")
    for name in ("a1", "a2", "a3", "b"):
        queue.want(name, PLAY, 0.0)
    assert queue.thinking == {"a1", "a2"}  # they came first
    queue.want("a1", DONE, 0.1)
    assert queue.thinking == {"a2", "b"}


@pytest.mark.parametrize("wish", [PLAY, LOOK])
def test_no_thought_waits_for_ever_while_tables_never_end(wish: str) -> None:
    queue, now = Queued(1, "a", "b", "z"), 0.0
    for name in "ab":
        queue.want(name, PLAY, now)
    queue.want("z", wish, now)
    turns = {"a": 0, "b": 0, "z": 0}
    while now < 20 * LONG:
        now += queue.turns.settle(now) or 1.0
        for name in queue.thinking:
            turns[name] += 1
    assert min(turns.values()) > 10


def test_whatever_is_asked_no_more_think_than_may_and_no_place_is_left_empty() -> None:
    rng, now = Random(19), 0.0
    queue = Queued(3, *(f"{guest}{number}" for guest in "abcde" for number in range(3)))
    for _ in range(3000):
        now += rng.choice((0.0, 0.01, 0.5, 3.0))
        if rng.random() < 0.05:
            queue.turns.leave(queue.apps[name := rng.choice(list(queue.apps))])
            queue.join(name)
        queue.want(rng.choice(list(queue.apps)), rng.choice((PLAY, LOOK, DONE)), now)
        wanting = [one for one in queue.turns.here if one.wish != DONE]
        assert len(queue.thinking) == min(3, len(wanting))
        places = [one.told for one in wanting if not one.is_thinking]
        assert sorted(places) == list(range(1, len(places) + 1))
        assert all(one.told == 0 for one in wanting if one.is_thinking)
        assert all(
            queue.places[name] == one.told for name, one in queue.apps.items() if one in wanting
        )
        tables = [one for one in wanting if one.wish == PLAY and not one.is_thinking]
        if any(now - one.since > 0 for one in tables):  # then no analysis thinks but a long one
            assert all(one.wish == PLAY or one.was_long for one in wanting if one.is_thinking)


# --- a server and its apps -----------------------------------------------------------------------


async def test_an_app_waits_for_its_turn_pauses_and_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bots, heard = BotQueue(1), []
    with bots.place("ada") as adas, bots.place("bob") as bobs:
        monkeypatch.setenv(TURNS, str(adas.theirs))
        ada, bob = Queue.of_process(), Queue(bobs.theirs)
        adas.begin()
        bobs.begin()
        async with ada.turn(LOOK, heard.append):
            async with asyncio.timeout(20), bob.turn(PLAY, heard.append):
                while not ada.place:
                    await asyncio.sleep(0.01)
                assert heard == [False]
                assert "number 1" in ada.words()
                assert not bob.words()
            async with asyncio.timeout(20):
                while ada.place:
                    await asyncio.sleep(0.01)
            assert heard == [False, True]
        async with asyncio.timeout(20), bob.turn(LOOK, heard.append), asyncio.timeout(None):
            waits = asyncio.create_task(anext(_turn(ada)))
            while not ada.place:
                await asyncio.sleep(0.01)
            waits.cancel()  # who does not wait any longer is not in the queue
            await asyncio.gather(waits, return_exceptions=True)
            assert not ada.place
        async with asyncio.timeout(20), ada.turn(PLAY, heard.append):
            pass
    assert bots.queue.here == []


async def _turn(queue: Queue):
    async with queue.turn(LOOK, lambda _: None):
        yield


async def test_where_there_is_no_server_nobody_waits() -> None:
    queue = Queue(None)
    async with queue.turn(PLAY, lambda _: None):
        assert not queue.words()


async def test_an_app_that_floods_or_does_not_listen_holds_nobody_up() -> None:
    bots = BotQueue(1)
    with bots.place("eve") as eves, bots.place("ada") as adas:
        said = 0
        eves.begin()
        adas.begin()
        for wish in (b"1 play", b"nonsense", b"\xff" * 5000, b"1 play", b"9" * 30) * 200:
            try:
                os.write(eves.theirs, wish)
                said += 1
            except BlockingIOError:
                await asyncio.sleep(PAUSE)
        assert said > 10
        ada = Queue(adas.theirs)
        for _ in range(3):
            async with asyncio.timeout(30), ada.turn(PLAY, lambda _: None):
                pass


async def test_an_analysis_of_one_guest_does_not_keep_anothers_table_waiting(
    tmp_path: Path,
) -> None:
    """One thought at once: an analysis waits while a bot at a table thinks, and says so."""
    async with (
        server(tmp_path, thoughts=1) as opened,
        opened.guest("ada", client_keys=[KEY]) as ada,
        opened.guest("bob", client_keys=[OTHER]) as bob,
    ):
        await at_home(ada)
        await begin_match(ada)
        ada.type("a")
        await ada.wait_for("ask again to analyse")
        ada.type("a")
        await ada.wait_for("Analysis after", "still thinking")
        turns = opened.sessions.bots.queue
        assert [one.wish for one in turns.here if one.is_thinking] == [LOOK]
        stranger = Thinker("eve", lambda *_: None)  # whose table's bot thinks and thinks
        turns.join(stranger)
        turns.hear(stranger, 1, PLAY, asyncio.get_running_loop().time())
        opened.sessions.bots.settle()
        await ada.wait_for("Bots take turns on this server", "number 1")
        assert [one.who for one in turns.here if one.is_thinking] == ["eve"]
        await at_home(bob)
        await begin_match(bob)
        await make_step(bob)
        for step in ("stop", "end"):
            bob.type(":")
            await bob.wait_for("Step:", "Enter done")
            bob.type(*step, "enter")
            await bob.wait_for(":", "q leave")
        await bob.wait_for("your turn", "turn 3")
        turns.leave(stranger)
        opened.sessions.bots.settle()
        await ada.wait_until(lambda: "Bots take turns" not in ada.text, "its turn")
