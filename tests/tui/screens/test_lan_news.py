"""What others at a LAN table do is read at every size and in every game."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from kumite.core.game import CHANCE, Seat
from kumite.core.games import GAMES
from kumite.net.session import events
from kumite.net.session.events import Answered
from kumite.net.transport.announcer import Announcing
from kumite.net.wire import posts
from kumite.tui.play.lan_table import LanTable
from kumite.tui.screens import lan_table
from tests.support.apps import screen_of, shown, until, words
from tests.support.fake_peer import BOB_AWAY, BOB_BACK, FakeLan, at_lan, company, seats, told
from tests.support.random_matches import choose
from tests.support.spread import spread

DECLINED = {posts.DRAW: "bob declined the draw", posts.BACK: "bob declined to take back"}
NEWS = {
    "bob: good evening": (events.Said("good evening", Seat(1)),),
    "bob away": (BOB_AWAY,),
    "bob is back": (BOB_BACK,),
    "bob left": (events.Left(seats(1), False, "bob"),),
} | {
    said: (
        events.Offered(kind, 0, seats(0), True, "ada"),
        events.OfferGone(kind, Answered.DECLINED, "bob"),
    )
    for kind, said in DECLINED.items()
}


def deal(lan: FakeLan) -> None:
    while lan.whole.actors == (CHANCE,):
        lan.play(*choose(lan.whole, Random(1)))


@pytest.mark.parametrize(
    ("game", "size"), spread(GAMES, ((40, 15), (60, 20), (80, 24), (60, 53), (120, 36)))
)
@pytest.mark.parametrize("ours", [(0,), (1,), ()])
async def test_answers_talk_and_who_comes_and_goes_are_read(
    game: str, size: tuple[int, int], ours: tuple[int, ...]
) -> None:
    async with at_lan(game, ours=ours, size=size) as (lan, kumite, pilot):
        deal(lan)
        await pilot.pause()
        for said, news in NEWS.items():
            await told(pilot, lan, *news)
            assert said in words(kumite)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("ours", [(1,), ()])
async def test_that_a_rematch_has_begun_stays_to_be_read_while_chance_deals(
    game: str, ours: tuple[int, ...]
) -> None:
    """In Kiri-ai, where no log is shown, it was overwritten in the same moment."""
    async with at_lan(game, ours=ours) as (lan, kumite, pilot):
        again = replace(lan.header, match_id="fe" * 8, names=("bob", "ada"))
        await told(pilot, lan, replace(lan.began(), header=again), events.Watching(("eve",)))
        while lan.whole.actors == (CHANCE,):
            lan.play(*choose(lan.whole, Random(1)))
            await pilot.pause(0.05)
        screen = screen_of(kumite, lan_table.LanTableScreen)
        await until(pilot, lambda: not screen.motion_left, "it moves for ever")
        assert "A rematch: bob" in shown(kumite, "hint")


async def test_who_slept_reads_for_how_long() -> None:
    async with at_lan("kiriai") as (lan, kumite, pilot):
        deal(lan)
        await told(pilot, lan, events.Presence(events.Status.SLEPT, seats(0), number=75))
        assert shown(kumite, "hint").startswith(
            "Away for 75 s: this computer slept, or kumite…   Enter: "
        )
        await pilot.press("right")
        assert "slept" not in shown(kumite, "hint")


@pytest.mark.parametrize(("game", "ours"), [("kuzushi", 0), ("kiriai", 1)])
async def test_since_when_somebody_thinks_is_read_after_a_minute(
    game: str, ours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kumite.tui.play.lan_table.LONG", 3.0)
    other = ("bob", "ada")[ours]
    async with at_lan(game, ours=(ours,)) as (lan, kumite, pilot):
        deal(lan)
        await pilot.pause()
        assert "thinking" not in company(kumite)
        now = datetime.now()
        said = {f"{other} thinking since {now + timedelta(0, s):%H:%M}" for s in (-1, 0)}
        await until(pilot, lambda: "thinking" in company(kumite), "nothing is said")
        assert company(kumite).split("\n")[0].strip() in said
        await told(pilot, lan, events.Presence(events.Status.QUIET, seats(1 - ours), other))
        assert "thinking" not in company(kumite)  # the connection may be broken
        if game == "kiriai":
            return
        await told(pilot, lan, events.Presence(events.Status.BACK, seats(1 - ours), other))
        lan.play(*choose(lan.whole, Random(1)))
        await pilot.pause()
        assert "thinking" not in company(kumite)


def test_who_sits_at_a_table_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    shown_ = list[tuple[Any, ...]]()
    monkeypatch.setattr(Announcing, "show", lambda _, *said: shown_.append(said))
    lan = FakeLan(names=("ada", "bea"))
    table = LanTable(lan.peer.opened, lambda _: None, listed_as="ada")
    table.hear(events.Listening(4747, ("192.0.2.1",), "7-torii-lantern"))
    guests = tuple(
        events.Guest(name, at, True)
        for name, at in (("ada", seats(0)), ("bea", seats(1)), ("eve", seats()))
    )
    table.hear(events.Lobby(lan.setup, guests, 0, ("ada", "bea"), seats()))
    assert table._announcing is not None
    renamed = (replace(guests[0], name="Adele"), *guests[1:])
    table.hear(events.Lobby(lan.setup, renamed, 0, ("Adele", "bea"), seats()))
    assert table._announcing.name == "Adele"
    table.hear(lan.began())
    assert [one[-1] for one in shown_] == [["bea"]] * 3
