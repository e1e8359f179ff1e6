"""Talk, offers and their answers on the screen of a LAN table."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from kumite.core.game import CHANCE, Seat
from kumite.core.match import Match
from kumite.core.series import Series
from kumite.net.session import events
from kumite.net.session.events import Answered
from kumite.net.wire import posts
from kumite.tui.play.lan_table import LanTable
from kumite.tui.play.narration import Remark
from kumite.tui.screens.lan_table import READY_WORDS, LanTableScreen
from tests.support.apps import frame, screen_of, shown, until, words
from tests.support.fake_peer import BOB_AWAY, BOB_BACK, FakeLan, at_lan, seats, told
from tests.support.random_matches import choose

ANSWERS = {
    True: (Answered.AGREED, "ada agrees"),
    False: (Answered.DECLINED, "ada declined the draw"),
}


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_the_answers_to_an_offer_are_in_the_line_of_keys(size: tuple[int, int]) -> None:
    async with at_lan(ours=(1,), size=size) as (lan, kumite, pilot):
        await told(pilot, lan, events.Offered(posts.BACK, 0, seats(0), False, "ada"))
        for key in ("y yes", "x no", "t talk", "q leave"):
            assert key in shown(kumite, "keys")


async def test_talk_goes_out_and_comes_in_and_who_looks_on_stands_at_the_table() -> None:
    async with at_lan() as (lan, kumite, pilot):
        await pilot.press("t", *"hi bob", "enter", "w", "down", "enter", "t", "escape")
        assert lan.peer.take() == [("say", "hi bob"), ("say", READY_WORDS[1])]
        await told(pilot, lan, events.Said("hello ada", Seat(1)))
        assert "bob: hello ada" in shown(kumite, "log")
        assert shown(kumite, "hint") == "bob: hello ada"
        await told(pilot, lan, events.Watching(("eve", "")))
        assert "2 look on: eve, somebody" in shown(kumite, "company")
        assert lan.table.remarks[-1].text == "Somebody looks on"
        await told(pilot, lan, events.Watching(()))
        assert "look on:" not in shown(kumite, "company")
        assert "eve looks on no longer" in [one.text for one in lan.table.remarks]


async def test_chat_and_answers_are_seen_where_no_log_is_shown() -> None:
    """In Kiri-ai at 80x24 a declined draw was seen nowhere, and chat for one moment."""
    async with at_lan("kiriai") as (lan, kumite, pilot):
        lan.play(CHANCE, lan.whole.legal(CHANCE)[0])
        await pilot.pause()
        offered = events.Offered(posts.DRAW, 0, seats(0), True, "ada")
        declined = events.OfferGone(posts.DRAW, Answered.DECLINED, "bob")
        await told(pilot, lan, offered, declined)
        assert shown(kumite, "hint") == "bob declined the draw"
        await told(pilot, lan, BOB_AWAY, BOB_BACK)
        assert shown(kumite, "hint") == "bob is back"
        for seat, said in ((1, "hello"), (0, "hi"), (1, "are you there?")):
            await told(pilot, lan, events.Said(said, Seat(seat)))
        assert shown(kumite, "hint") == "bob: are you there?"
        assert "c messages (2)" in shown(kumite, "keys")
        await pilot.press("c")
        rows = [row.strip("│ ") for row in frame(kumite).split("\n")]
        assert [row for row in rows if row.startswith(("ada:", "bob:"))] == [
            "bob: hello",
            "ada: hi",
            "bob: are you there?",
        ]
        await pilot.press("q")
        assert "messages" not in shown(kumite, "keys")


@pytest.mark.parametrize("game", ["kitsu", "kitsune", "kiriai", "kumo", "kuzushi"])
async def test_answers_and_talk_stay_above_the_keys_until_the_next_key(game: str) -> None:
    """Talk before two steps vanished; a declined draw stood for three seconds."""
    declined = events.OfferGone(posts.DRAW, Answered.DECLINED, "bob")
    for event, said in (
        (events.Said("may I?", Seat(1)), "bob: may I?"),
        (declined, "bob declined the draw"),
    ):
        async with at_lan(game) as (lan, kumite, pilot):
            await told(pilot, lan, event)
            for _ in range(2):
                lan.play(*choose(lan.whole, Random(1)))
                await pilot.pause()
            assert shown(kumite, "hint").startswith(said)
            await told(pilot, lan, events.Offered(posts.BACK, 0, seats(1), False, "bob"))
            assert "y: yes" in shown(kumite, "hint"), "a question comes first"
            await told(pilot, lan, events.OfferGone(posts.BACK, Answered.WITHDRAWN, "bob"))
            await told(pilot, lan, event)
            await pilot.press("escape")
            assert said not in shown(kumite, "hint")


@pytest.mark.parametrize("game", ["kitsu", "kumo"])
async def test_long_talk_leaves_what_enter_does_in_view(game: str) -> None:
    """After the news of a rematch only `Enter:` was left."""
    async with at_lan(game) as (lan, kumite, pilot):
        does = shown(kumite, "hint").split(",")[0]
        assert does.startswith("Enter: ")
        await told(pilot, lan, events.Said("so it goes " * 8, Seat(1)))
        assert shown(kumite, "hint").startswith("bob: so it")
        assert does in shown(kumite, "hint")


@pytest.mark.parametrize("read_by", ["key", "page", "log", "nobody"])
async def test_messages_count_as_unread_until_they_are_shown_to_somebody(read_by: str) -> None:
    async with at_lan("kiriai") as (lan, kumite, pilot):
        lan.play(CHANCE, lan.whole.legal(CHANCE)[0])
        await pilot.pause()
        await told(pilot, lan, events.Said("hello", Seat(1)))
        assert "messages" not in shown(kumite, "keys")  # it stands above them
        if read_by == "key":
            await pilot.press("right")
        await told(pilot, lan, BOB_AWAY)
        assert ("c messages (1)" in shown(kumite, "keys")) == (read_by != "key")
        if read_by == "page":
            await pilot.press("c", "q")
        elif read_by == "log":
            await pilot.resize_terminal(160, 50)
            await until(pilot, lambda: "bob: hello" in shown(kumite, "log"), "no log")
            await pilot.press("right")
            await pilot.resize_terminal(80, 24)
            await pilot.pause()
        await told(pilot, lan, BOB_BACK)
        assert ("c messages (1)" in shown(kumite, "keys")) == (read_by == "nobody")


@pytest.mark.parametrize("game", ["kitsu", "kitsune", "kiriai", "kumo", "kuzushi"])
async def test_talk_that_has_rolled_away_unread_is_one_key_away(game: str) -> None:
    """Cards that were dealt, and the steps of bots, pushed it out of the log at once."""
    async with at_lan(game, size=(80, 24)) as (lan, kumite, pilot):
        await told(pilot, lan, events.Said("good luck", Seat(1)))
        for number in range(60):
            lan.table.remarks.append(Remark(0, f"step {number}", "quiet"))
        await told(pilot, lan, BOB_AWAY)
        await until(pilot, lambda: "c messages (1)" in shown(kumite, "keys"), "no way back")
        await pilot.press("left")
        assert "c messages (1)" in shown(kumite, "keys")
        await pilot.press("c", "q")
        assert "messages" not in shown(kumite, "keys")


async def test_the_page_of_messages_keeps_the_talk_of_the_lobby_and_of_earlier_matches() -> None:
    async with at_lan(size=(80, 40)) as (lan, kumite, pilot):
        lan.table.began = None
        await told(pilot, lan, events.Said("good evening", name="bob"), lan.began())
        await told(pilot, lan, events.Said("well played", Seat(1)))
        header = type(lan.header)("ff", lan.setup, ("bob", "ada"), lan.ours)
        began = replace(lan.began(), header=header, series=Series(1, (1, 0)))
        await told(pilot, lan, began, events.Said("once more", Seat(0)))
        assert "well played" not in shown(kumite, "log")  # that is of this match
        await pilot.press("c")
        said = ("good evening", "well played", "A rematch: bob lays the city", "once more")
        at = [words(kumite).index(one) for one in said]
        assert at == sorted(at)
        await pilot.press("q")


async def test_an_offer_stands_in_the_hint_and_in_a_corner_elsewhere_and_is_answered() -> None:
    offer = events.Offered(posts.DRAW, 0, seats(1), False, "bob")
    async with at_lan() as (lan, kumite, pilot):
        for key, said in (
            ("u", "Take back: nothing to take back yet"),
            ("m", "Rematch: the match is not over yet"),
            ("y", "Yes: nobody has offered anything"),
            ("b", "Let a bot play on: nobody is away whom a bot could replace"),
        ):
            await pilot.press(key)
            assert shown(kumite, "hint") == said
        for key, is_yes in (("y", True), ("x", False)):
            await pilot.press(key)
            assert lan.peer.take() == []
            await told(pilot, lan, offer)
            assert shown(kumite, "hint") == "bob offers a draw  y: yes   x: no"
            await pilot.press("left", "n")  # the cursor goes on, the offer stands
            assert shown(kumite, "hint") == "bob offers a draw  y: yes   x: no"
            assert lan.peer.take() == []
            await pilot.press(key)
            assert lan.peer.take() == [("answer", is_yes)]
            answer, said = ANSWERS[is_yes]
            await told(pilot, lan, events.OfferGone(posts.DRAW, answer, "ada"))
            assert said in shown(kumite, "log")
            assert "offers" not in shown(kumite, "hint")
            await pilot.press(key)
            assert lan.peer.take() == []
        assert not kumite._notifications  # all stood at the table
        await pilot.press("question_mark")
        await told(pilot, lan, offer)
        assert [one.message for one in kumite._notifications] == ["bob offers a draw"]


async def test_an_offer_is_read_also_before_a_reveal_is_gone_on_from() -> None:
    """`y` agreed to a draw that the line below did not show: it said "Enter: go on" alone."""
    async with at_lan() as (lan, kumite, pilot):
        screen = screen_of(kumite, LanTableScreen)
        lan.play(Seat(1), "f7")
        await pilot.pause()
        await pilot.press("left_square_bracket")  # nor while one looks back
        await told(pilot, lan, events.Offered(posts.DRAW, 0, seats(1), False, "bob"))
        assert not screen.model.is_in_present
        assert shown(kumite, "hint") == "bob offers a draw  y: yes   x: no"


UNRATED = ". A match with steps taken back is not rated"


@pytest.mark.parametrize(
    ("game", "back", "what"),
    [
        ("kuzushi", 1, "take back the last step, {0}"),
        ("kuzushi", 3, "take back 3 steps, to before {0}"),
        ("kiriai", 1, "take back the last step"),
        ("kuzushi", 0, "take steps back, to step {number}"),
    ],
)
def test_a_takeback_says_what_is_taken_back(game: str, back: int, what: str) -> None:
    lan = FakeLan(game)
    table = LanTable(lan.peer.opened, lambda _: True)
    table.hear(lan.began())
    played = []
    for _ in range(3):
        actor = lan.whole.actors[-1]  # in kiriai bob, who chooses in secret after the deal
        played.append(lan.whole.legal(actor)[0])
        lan.whole = lan.whole.play(actor, played[-1])
        table.hear(events.MatchChanged(lan.seen, lan.seen.last))
    number = lan.seen.number
    offer = events.Offered(posts.BACK, number - back, seats(1), False, "bob")
    what = what.format(played[-back], number=number)
    assert table.offer_text(offer) == f"bob would like to {what}{UNRATED * (back > 0)}"
    table.hear(events.OfferGone(posts.BACK, Answered.AGREED))
    assert table.offer_text(offer) == f"bob would like to {what}"


def test_a_takeback_names_a_button_as_the_table_does() -> None:
    """`the last step, stop` sounded like a command."""
    lan = FakeLan("kitsu")
    table = LanTable(lan.peer.opened, lambda _: True)
    table.hear(lan.began())
    for step in ("c5-b4", "stop"):
        lan.whole = lan.whole.play(Seat(0), step)
        table.hear(events.MatchChanged(lan.seen, lan.seen.last))
    offer = events.Offered(posts.BACK, lan.seen.number - 1, seats(0), False, "ada")
    assert (
        table.offer_text(offer) == "ada would like to take back the last step, stop here" + UNRATED
    )


async def test_our_own_offer_can_only_be_taken_back() -> None:
    async with at_lan(ours=(1,)) as (lan, kumite, pilot):
        await pilot.press("enter")
        lan.enter()
        await pilot.pause()
        await pilot.press("u")
        assert "A match with steps taken back is not rated: ask again" in shown(kumite, "hint")
        assert lan.peer.take() == []
        await pilot.press("u", "d")
        assert lan.peer.take() == [("offer", posts.BACK, 0)]
        said = ("No, play on", "Offer a draw", "Ask to take back your last step", "Give up")
        assert all(one in frame(kumite) for one in said), "one key shows all that can be offered"
        await pilot.press("enter", "d", "d", "d")  # asked once; no is the first answer
        assert kumite.screen_stack[-2].query_one("#hint").visible is False
        assert lan.peer.take() == []
        await pilot.press("down", "enter")
        assert kumite.screen.query_one("#hint").visible
        assert lan.peer.take() == [("offer", posts.DRAW, 0)]
        offered = events.Offered(posts.BACK, 0, seats(1), True, "bob")
        await told(pilot, lan, offered)
        said = "bob would like to take back the last step, f7  x: withdraw"
        assert shown(kumite, "hint") == said
        assert "d draw, give up" in shown(kumite, "keys")
        assert "x withdraw" in shown(kumite, "keys")
        assert "t talk" in shown(kumite, "keys")
        await pilot.press("y", "u")
        assert lan.peer.take() == []
        await told(pilot, lan, events.OfferGone(posts.BACK, Answered.AGREED, "ada"))
        lan.whole = Match.begin(lan.setup)
        await told(pilot, lan, events.MatchChanged(lan.seen, None))
        assert "your turn" in shown(kumite, "title")
        await told(pilot, lan, events.OfferGone(posts.BACK, Answered.AGREED, "bob"))
        assert shown(kumite, "hint").startswith("Taken back: bob agrees   Enter: ")
        await pilot.press("enter")
        assert lan.peer.take() == [("play", 1, "f7")]


@pytest.mark.parametrize("game", ["kitsu", "kitsune", "kiriai", "kumo", "kuzushi"])
async def test_the_window_of_offers_says_why_nothing_can_be_taken_back(game: str) -> None:
    """It was headed "Draw, take back, give up" without a row for the second."""
    async with at_lan(game) as (lan, kumite, pilot):
        await pilot.press("d")
        assert "Take back: nothing to take back yet" in words(kumite)
        assert shown(kumite, "keys") == "↑ ↓ move   Enter choose   Esc back"
        await pilot.press("escape")
        await told(pilot, lan, events.Offered(posts.DRAW, 0, seats(0), True, "ada"))
        await pilot.press("d")
        assert words(kumite).count("an offer is waiting for its answer") == 2
        await pilot.press("down", "enter")
        assert "Yes, give up" in words(kumite)


async def test_words_that_could_not_be_sent_are_shown_as_such() -> None:
    async with at_lan(ours=(0,)) as (lan, kumite, pilot):
        unsent = events.Said("hello", Seat(0), is_ours=True, is_unsent=True)
        await told(pilot, lan, BOB_AWAY, unsent)
        said = "not sent yet: hello (it is sent when the connection is back)"
        assert said in words(kumite, "hint")
        assert said in words(kumite, "log")
        await told(pilot, lan, replace(unsent, seat=None))
        assert "not sent: hello" in words(kumite, "hint"), "nobody keeps what spectators say"


async def test_who_has_agreed_reads_whom_the_offer_waits_for() -> None:
    async with at_lan("kuzushi", ours=(1,), count=3) as (lan, kumite, pilot):
        await told(pilot, lan, events.Offered(posts.BACK, 33, seats(0), True, "ada"))
        assert shown(kumite, "hint") == "You agreed; waiting for cid  x: withdraw"


@pytest.mark.parametrize("kind", [posts.BACK, posts.DRAW, posts.AGAIN])
async def test_an_offer_is_told_once_and_then_who_agreed(kind: str) -> None:
    async with at_lan("kuzushi", ours=(1,), count=3, size=(120, 40)) as (lan, kumite, pilot):
        offer = events.Offered(kind, 0, seats(0), False, "ada", "ada")
        await told(pilot, lan, offer, replace(offer, agrees="cid"))
        log = [one.text for one in lan.table.remarks]
        assert log[-2:] == [lan.table.offer_text(offer), "cid agrees"]
        assert shown(kumite, "hint") == f"{log[-2]}  y: yes   x: no"
        await told(pilot, lan, replace(offer, is_ours=True, agrees="bob"))
        assert lan.table.remarks[-1].text == "bob agrees"


async def test_nobody_asks_back_what_chance_has_brought_out_since() -> None:
    rng, last, mine, counts = Random(1), -1, -1, Counter[bool]()
    async with at_lan("kitsune", ours=(1,)) as (lan, kumite, pilot):
        kumite.pace = 1.0  # while pieces move, too
        lan.table.is_rated = False  # else it is asked about first
        while lan.whole.number < 60 and lan.whole.actors:
            before, (actor, step) = lan.whole, choose(lan.whole, rng)
            lan.play(actor, step)
            await pilot.pause()
            if actor == CHANCE:
                last = -1
            elif actor == Seat(1) and len(before.legal(actor)) > 1:
                mine = last = before.number
            assert kumite.screen.check_action("take_back", ()) == (last >= 0)
            await pilot.press("u")
            assert lan.peer.take() == ([("offer", posts.BACK, last)] if last >= 0 else [])
            if last < 0 <= mine:
                said = "what was shown cannot be hidden again"
                assert said in shown(kumite, "hint")
            counts[last >= 0] += 1
    assert min(counts[True], counts[False]) > 10
