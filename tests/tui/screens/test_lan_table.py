"""The table of a LAN match, event by event and key by key, over a network that the test plays."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from random import Random

import pytest

from kumite.core.errors import IllegalStep
from kumite.core.game import CHANCE, SPECTATOR, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.log import End, Header
from kumite.core.match import Match
from kumite.core.series import SINGLE
from kumite.core.table import TakeBack
from kumite.net.session import events
from kumite.net.session.events import Answered
from kumite.net.wire import posts
from kumite.store import guest_mode
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.play.lan_table import REPLACED, UNKEPT
from kumite.tui.scenes import maker
from kumite.tui.screens import lan_table
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.screens.dialog import Dialog
from kumite.tui.screens.lan_table import LanTableScreen
from kumite.tui.screens.reading import HelpScreen
from kumite.tui.widgets.bindings import key_name
from kumite.tui.widgets.prompt import Prompt
from tests.support.apps import frame, result, screen_of, shown, uncovered, until, words
from tests.support.fake_peer import BOB_AWAY, BOB_BACK, WORDS, at_lan, company, seats, told
from tests.support.random_matches import choose, walk

NAMES = ("ada", "bob", "cid", "dan")
ON_ITS_WAY = "The step is on its way to the others ..."


@pytest.mark.parametrize("goes", ["app", "screen"])
async def test_what_is_told_while_the_screen_goes_is_shown_nowhere(
    goes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its parts go one after the other: some are there still when news come."""
    async with at_lan() as (lan, kumite, _):
        shown_anew: list[str] = []
        assert lan.table is not None
        monkeypatch.setattr(kumite.screen, "show_words", lambda: shown_anew.append(goes))
        with monkeypatch.context() as going:
            if goes == "app":
                going.setattr(kumite, "_running", False)
            else:
                going.setattr(kumite.screen, "_pruning", True)
            lan.table.hear(events.Watching(("eve",)))
            assert shown_anew == []
        lan.table.hear(events.Watching(()))
        assert shown_anew == [goes]


# --- steps ------------------------------------------------------------------------------------


async def test_a_step_goes_out_once_and_counts_when_the_network_says_so() -> None:
    async with at_lan(ours=(1,)) as (lan, kumite, pilot):  # seat 1 begins
        assert "your turn" in shown(kumite, "title")
        await pilot.press("enter", "enter")
        assert lan.peer.asked == [("play", 1, "f7")]
        assert "step 1 " in shown(kumite, "title")
        lan.enter()
        await pilot.pause()
        assert "waiting for ada" in shown(kumite, "title")
        assert "1 bob lays f7" in shown(kumite, "log")
        assert shown(kumite, "hint") == "Waiting for ada", "it counts: no refusal"
        await pilot.press("enter")
        assert lan.peer.asked == []
        assert shown(kumite, "hint") == "Waiting for ada"


async def test_a_step_that_is_long_on_its_way_is_neither_asked_for_again_nor_waited_for() -> None:
    """On a line that was cut the screen waited for its own player, or still said "your turn"."""
    async with at_lan(ours=(1,)) as (lan, kumite, pilot):
        await pilot.press("enter")
        ((_, seat, step),) = lan.peer.take()
        await told(pilot, lan, events.Sending(seat))
        await pilot.press("n")  # what the cursor is on is not more important
        assert shown(kumite, "hint") == ON_ITS_WAY
        await until(pilot, lambda: "your turn" not in shown(kumite, "title"), "the end of a turn")
        assert "the step is on its way" in shown(kumite, "title")
        ada_quiet = "Waiting for ada: nothing is heard"
        await told(pilot, lan, events.Presence(events.Status.QUIET, seats(0), "ada"))
        assert "the step is on its way" in shown(kumite, "title")
        assert shown(kumite, "hint").startswith(ada_quiet)
        await told(pilot, lan, events.Presence(events.Status.BACK, seats(0), "ada"))
        assert shown(kumite, "hint") == ON_ITS_WAY
        lan.play(seat, step)
        await pilot.pause()
        assert "waiting for ada" in shown(kumite, "title")


async def test_a_step_that_is_refused_can_be_made_again() -> None:
    async with at_lan(ours=(1,)) as (lan, kumite, pilot):
        await pilot.press("enter")
        ((_, seat, _),) = lan.peer.take()
        await told(
            pilot, lan, events.Sending(seat), events.NotDone("late", "too late", "look again")
        )
        assert shown(kumite, "hint") == "too late  look again"
        await pilot.press("enter")
        assert lan.peer.take() == [("play", 1, "f7")]


async def test_a_step_typed_after_a_cover_closed_a_line_to_talk_is_no_talk() -> None:
    async with at_lan(ours=(1,)) as (lan, kumite, pilot):
        await pilot.press("t", "h")
        screen = screen_of(kumite, LanTableScreen)
        screen.query_one(Prompt).close()  # as a cover does
        screen.end_prompt()
        await pilot.press("colon", *"f7", "enter")
        assert lan.peer.take() == [("play", 1, "f7")]


async def test_a_typed_line_makes_its_steps_one_after_the_other_as_they_are_entered() -> None:
    """Only the first was made, and the rest was gone without a word."""
    async with at_lan("kumo") as (lan, kumite, pilot):
        await pilot.press("colon", *"+a1=kumo +b1=block ccw +e5=run", "enter")
        lan.enter()
        await pilot.pause()
        lan.enter()
        await pilot.pause()
        ((_, _, turn),) = lan.peer.asked
        assert turn == "ccw"
        lan.enter()
        await pilot.pause()
        assert lan.peer.take() == []
        assert "e5" in words(kumite, "hint")
        assert "+e5=run" in frame(kumite), "the prompt shows what was not made"


async def test_what_comes_from_elsewhere_leaves_a_begun_choice_and_a_begun_text() -> None:
    async with at_lan("kitsu", ours=(0,)) as (lan, kumite, pilot):
        while lan.whole.actors != (Seat(0),):
            lan.play(*choose(lan.whole, Random(1)))
            await pilot.pause()
            await pilot.press("enter")  # moments are seen
        screen = screen_of(kumite, LanTableScreen)
        await pilot.press("n", "enter")
        before = screen.model.choice.chosen
        assert before
        await told(pilot, lan, events.Said("hello", Seat(1)), BOB_AWAY)
        assert screen.model.choice.chosen == before
        await pilot.press("t", *"wait")
        await told(pilot, lan, BOB_BACK)
        await pilot.press("!", "enter")
        assert lan.peer.take() == [("say", "wait!")]


async def test_choices_at_the_same_time_are_marked_and_made_once() -> None:
    async with at_lan("kiriai", ours=(0,)) as (lan, kumite, pilot):
        while len([a for a in lan.whole.actors if a != CHANCE]) < 2:
            lan.play(*choose(lan.whole, Random(1)))
            await pilot.pause()
        steps = lan.whole.legal(Seat(0))
        await told(pilot, lan, events.Sending(Seat(0)), events.Chose(Seat(0), steps[0]))
        assert "waiting for bob" in shown(kumite, "title")
        assert "ada has chosen" in shown(kumite, "company")
        assert kumite.screen.check_action("type", ()) is False
        await pilot.press("u")
        said = "your choice is sealed"
        assert shown(kumite, "hint") == f"Take back: {said}"
        with pytest.raises(IllegalStep, match=said):  # in line mode
            lan.table.do(TakeBack(0))
        lan.play(Seat(0), steps[0])
        lan.play(Seat(1), lan.whole.legal(Seat(1))[0])
        await pilot.pause()
        assert company(kumite) == ""
        assert lan.table.match.number == lan.whole.number


VERBS = frozenset({"play", "give", "take", "choose", "lay", "let", "move"})


@pytest.mark.parametrize("game", GAMES)
async def test_who_waits_reads_what_the_other_has_to_do(game: str) -> None:
    count = 4 if 4 in GAMES[game].SEATS else 2
    setup = Setup.of(GAMES[game], count)
    waits: dict[str, Match] = {}
    for match in walk(setup, 1, 400).line():
        if match.actors and 0 not in match.actors and CHANCE not in match.actors:
            due = maker(match).scene(match.state, NAMES[:count], LETTERS, Seat(0)).due
            waits.setdefault(due, match)
    for due, match in waits.items():
        async with at_lan(game, count=count, whole=match, size=(160, 40)) as (_, kumite, _):
            said = f" to {due}" if re.match("[a-z]+ ", due) else f": {due}"
            assert not due or re.search(f"waiting for .*{re.escape(said)}", shown(kumite, "title"))
            assert said.startswith(": ") or due.split()[0] in VERBS
    assert game != "kitsune" or {"take a token", "choose who leads"} <= set(waits)


async def test_what_one_has_planned_lies_before_oneself_while_others_still_choose() -> None:
    async with at_lan("kiriai", ours=(0,)) as (lan, kumite, pilot):
        while len([a for a in lan.whole.actors if a != CHANCE]) < 2:
            lan.play(*choose(lan.whole, Random(1)))
            await pilot.pause()
        lan.table.play(Seat(0), Step("approach,stance"))
        assert "has planned" not in frame(kumite)  # not before the network says that it counts
        await told(pilot, lan, events.Chose(Seat(0), Step("approach,stance")))
        assert "has planned" in frame(kumite)
        plan = re.compile(r"^  Approach .*^  Stance ", re.DOTALL | re.MULTILINE)
        assert plan.search(frame(kumite))
        lan.play(Seat(0), Step("approach,stance"))
        lan.play(Seat(1), lan.whole.legal(Seat(1))[0])
        await pilot.pause()
        assert len(plan.findall(frame(kumite))) == 1


async def test_several_people_at_one_terminal_are_covered_from_each_other() -> None:
    async with at_lan("kitsune", ours=(0, 2), count=4) as (lan, kumite, pilot):
        rng = Random(2)
        awaited = []
        while len(awaited) < 4 and lan.whole.actors:
            actor, step = choose(lan.whole, rng)
            assert isinstance(kumite.screen, LanTableScreen)
            assert lan.table is not None
            while kumite.screen.model.interlude:
                await pilot.press("enter")
            first = next((a for a in lan.whole.actors if a in (0, 2)), None)
            if first is not None and len(lan.whole.legal(first)) > 1:
                actor, step = first, rng.choice(lan.whole.legal(first))
                awaited.append(actor)
                name = lan.header.names[int(actor)]
                assert f"{name}, take the keyboard" in shown(kumite, "title")
                assert kumite.screen.model.eyes == frozenset()
                await uncovered(pilot)
                assert kumite.screen.model.eyes == {actor}
                assert f"{name}'s turn" in shown(kumite, "title")
            lan.peer.take()
            lan.play(actor, step)
            await pilot.pause()
        assert set(awaited) == {0, 2}


async def test_a_bot_of_ours_plays_and_is_asked_once() -> None:
    async with at_lan("kuzushi", ours=(1, 2), count=3, names=("ada", "bob", "bot:simple")) as (
        lan,
        _,
        pilot,
    ):
        assert lan.table.mine == seats(1)
        rng = Random(2)
        while lan.whole.actors != (Seat(2),):
            lan.play(*choose(lan.whole, rng))
            await pilot.pause()
        await until(pilot, lambda: bool(lan.peer.asked), "the bot does not play")
        await pilot.pause(0.5)
        ((what, seat, _),) = lan.peer.asked
        assert (what, seat) == ("play", 2)
        number = lan.whole.number
        lan.enter()
        await pilot.pause()
        assert lan.table.match.number == number + 1


# --- who is there, talk, offers ---------------------------------------------------------------


async def test_who_is_away_is_said_until_he_is_back() -> None:
    async with at_lan() as (lan, kumite, pilot):
        await told(pilot, lan, events.Presence(events.Status.QUIET, seats(1), "bob"))
        assert company(kumite) == "bob quiet"
        assert shown(kumite, "hint") == "Waiting for bob: nothing is heard  b: let a bot play on"
        await told(pilot, lan, BOB_AWAY)
        assert company(kumite) == "bob away"
        assert shown(kumite, "hint").startswith("Waiting for bob to come back")
        await pilot.press("b")
        assert isinstance(kumite.screen, Dialog)
        assert "when bob is back, bob can only look on" in " ".join(
            shown(kumite, "question").split()
        )
        await pilot.press("enter")  # no
        assert lan.peer.take() == []
        await pilot.press("b", "down", "enter")
        assert lan.peer.take() == [("offer", posts.SEAT, 1)]
        await pilot.press("b")
        await told(pilot, lan, BOB_BACK)
        await pilot.press("down", "enter")  # too late
        assert lan.peer.take() == []
        assert company(kumite) == ""
        assert "bob is back" in shown(kumite, "log")
        await pilot.press("b")
        assert lan.peer.take() == []
        await told(pilot, lan, events.Presence(events.Status.STALLED, seats(1), "bob"))
        assert company(kumite) == "bob slow"
        await told(pilot, lan, events.Left(seats(1), False, "bob"))
        assert company(kumite) == "bob left"


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_while_somebody_is_away_ones_own_turn_says_what_enter_does(
    size: tuple[int, int],
) -> None:
    async with at_lan(ours=(1,), size=size) as (lan, kumite, pilot):
        before = shown(kumite, "hint")
        assert before.startswith("Enter: ")
        await told(pilot, lan, events.Presence(events.Status.AWAY, seats(0), "ada"))
        assert shown(kumite, "hint").startswith(before)
        assert company(kumite) == "ada away"
        assert "b let a bot play on" in shown(kumite, "keys")


async def test_a_guest_without_a_password_is_not_waited_for_in_vain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with at_lan() as (lan, kumite, pilot):
        await told(pilot, lan, events.Said("I cannot come back", Seat(1), is_unkept=True), BOB_AWAY)
        said = "bob came without a password and cannot take this seat again"
        assert f"{said} b: let a bot play on" in words(kumite, "hint")
        monkeypatch.setenv(guest_mode.WARNING, "Your seat is not kept.")
        await told(pilot, lan, lan.began())
        assert ("say", UNKEPT, "unkept") in lan.peer.take()


async def test_who_has_not_come_back_yet_to_a_saved_match_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A match adjourned a day ago told that "the connection to bob broke"."""
    monkeypatch.setattr(lan_table, "PASSING", 0.2)
    saved = walk(Setup.of(GAMES["kuzushi"]), 1, 2)  # ada is to move
    async with at_lan(whole=saved) as (lan, kumite, pilot):
        await told(pilot, lan, BOB_AWAY)
        assert company(kumite) == "bob away"
        assert shown(kumite, "hint").startswith("Waiting for bob to connect: the list")
        before = shown(kumite, "hint")
        await told(pilot, lan, BOB_BACK)
        assert shown(kumite, "hint") == "You are back at the table with bob"
        await until(pilot, lambda: "You are back" not in shown(kumite, "hint"), "it stays")
        assert shown(kumite, "hint") not in ("", before)  # what a choice would do
        await told(pilot, lan, BOB_AWAY)
        assert shown(kumite, "hint").startswith("Waiting for bob to come back")


async def test_who_has_come_back_once_reads_that_others_come_back_not_they(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A player who had been there all the time: nothing tells who is there on our return."""
    saved = walk(Setup.of(GAMES["kitsune"], 4), 1, 2)
    async with at_lan("kitsune", count=4, whole=saved) as (lan, kumite, pilot):
        await told(pilot, lan, BOB_AWAY, BOB_BACK)
        of_cid = partial(events.Presence, seats=seats(2), who="cid")
        await told(pilot, lan, of_cid(events.Status.AWAY))
        assert "Waiting for cid to come back" in shown(kumite, "hint")
        await told(pilot, lan, of_cid(events.Status.BACK))
        assert shown(kumite, "hint") == "cid is back"


async def test_the_words_to_compare_say_what_they_are_for_and_go_after_the_first_step() -> None:
    async with at_lan(ours=(1,)) as (lan, kumite, pilot):
        await pilot.press("enter")
        said = "If the other reads kayak lantern mirror, nobody listens in."
        assert shown(kumite, "company").strip() == said
        assert words(kumite).count("nobody listens in") == 1
        lan.enter()
        await pilot.pause()
        assert shown(kumite, "company") == ""
        began = replace(lan.began(), header=replace(lan.header, match_id="fe" * 8))
        await told(pilot, lan, began)  # a rematch has the same words
        assert "nobody listens in" not in words(kumite)


@pytest.mark.parametrize("is_away", [False, True])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_what_the_words_are_for_fits_with_clocks_and_the_longest_words(
    size: tuple[int, int], is_away: bool
) -> None:
    async with at_lan(ours=(0,), size=size) as (lan, kumite, pilot):
        words_, left = ("vineyard", "wisteria", "yakitori"), (600_000, 61_500)
        await told(
            pilot, lan, replace(lan.began(), words=words_, clocks=left), *[BOB_AWAY] * is_away
        )
        said = words(kumite, "company")
        assert "vineyard wisteria yakitori" in said
        assert "nobody listens in" in said or "Compare for privacy" in said


async def test_who_looks_on_at_a_match_under_way_has_no_words_to_compare() -> None:
    async with at_lan(ours=()) as (lan, kumite, pilot):
        assert "If the others read kayak" in shown(kumite, "company")
        lan.play(Seat(1), "f7")
        await pilot.pause()
        assert "kayak" not in shown(kumite, "company")


LONG_AWAY = events.Presence(events.Status.MISSED, seats(1), "bob", has_bots=True)


async def test_who_has_been_away_for_long_is_said_to_be_gone_after_a_question() -> None:
    async with at_lan(count=3) as (lan, kumite, pilot):
        await told(pilot, lan, BOB_AWAY)
        await pilot.press("e")
        assert not isinstance(kumite.screen, Dialog)
        await told(pilot, lan, LONG_AWAY)
        assert "e: gone for good" in shown(kumite, "hint")
        assert "bob has been away for a minute" in shown(kumite, "log")
        await pilot.press("e")
        assert isinstance(kumite.screen, Dialog)
        asked = words(kumite, "question")
        assert "for good, a bot plays on for them. Who comes back later can only look on." in asked
        await pilot.press("enter")  # no
        assert lan.peer.take() == []
        await pilot.press("e", "down", "enter")
        assert lan.peer.take() == [("offer", posts.GONE, 0)]
        offered = events.Offered(posts.GONE, 2, seats(0), True, "ada", "bob")
        await told(pilot, lan, offered)
        await pilot.press("e")  # it is said already
        assert not isinstance(kumite.screen, Dialog)
        await told(pilot, lan, events.Presence(events.Status.MISSED, seats(2), "cid"))
        await pilot.press("e", "down", "enter")  # of another one it is not
        assert lan.peer.take() == [("offer", posts.GONE, 0)]
        await told(pilot, lan, events.OfferGone(posts.GONE, Answered.DECLINED, "cid"))
        await told(pilot, lan, events.Presence(events.Status.BACK, seats(1, 2), "bob and cid"))
        await pilot.press("e")
        assert not isinstance(kumite.screen, Dialog)


async def test_who_is_gone_stands_at_the_table_and_comes_back_to_look_on() -> None:
    async with at_lan(count=3) as (lan, kumite, pilot):
        await told(pilot, lan, BOB_AWAY, LONG_AWAY)
        await told(pilot, lan, events.Gone(seats(1), seats(0), "bob"))
        assert company(kumite) == "bob gone"
        assert lan.table.mine == seats(0)
        await told(pilot, lan, BOB_BACK)
        assert company(kumite) == "bob gone"
        both = events.Gone(seats(0, 1), seats())
        await told(pilot, lan, both)
        assert lan.table.mine == seats()
        assert "you are gone for good: you look on" in shown(kumite, "hint")
        await pilot.press("t", "g", "e")
        assert lan.peer.take() == []


async def test_a_seat_given_to_a_bot_is_played_by_it() -> None:
    async with at_lan(ours=(0,)) as (lan, _, pilot):
        await told(pilot, lan, BOB_AWAY)
        await told(pilot, lan, events.SeatMoved(Seat(1), seats(0, 1), "ada plays for bob"))
        assert lan.table.bots == {1: "easy"}
        assert lan.table.mine == seats(0)
        await until(pilot, lambda: bool(lan.peer.asked), "the bot does not play")
        assert [(what, seat) for what, seat, _ in lan.peer.asked] == [("play", 1)]


@pytest.mark.parametrize("size", [(64, 26), (80, 24), (120, 40)])
async def test_a_bot_for_a_player_is_named_as_one_and_stays_one_in_the_rematch(
    size: tuple[int, int],
) -> None:
    async with at_lan(ours=(0,), size=size) as (lan, kumite, pilot):
        await told(pilot, lan, events.SeatMoved(Seat(1), seats(0, 1), "bob", "ada"))
        assert lan.table.shown_names == ("ada", "bot for bob")
        await told(pilot, lan, events.Said("here again", Seat(1)))
        assert "bob: here again" in lan.table.remarks[-1].text
        await told(pilot, lan, events.Ended(End("resigned", (Seat(0),)), "ada"))
        assert shown(kumite, "title").endswith("the end")
        assert "▶ ■ bot for bob" in result(kumite)
        setup, names = lan.table.match.setup, ("bot:for bob", "ada")
        header = Header("next", setup, names, seats(0, 1))
        again = events.MatchBegan(header, header.begin(), seats(0, 1), ("a", "b", "c"), ())
        await told(pilot, lan, again)
        assert lan.table.bots == {0: "easy"}
        assert lan.table.mine == seats(1)


@pytest.mark.parametrize("is_replaced", [True, False])
async def test_who_is_back_and_finds_a_rematch_reads_what_to_do(is_replaced: bool) -> None:
    async with at_lan(ours=(1,)) as (lan, kumite, pilot):
        header = Header("next", lan.table.match.setup, ("ada", "bot:for bob"), SPECTATOR)
        bot = seats(1) if is_replaced else seats()
        news = header, header.begin(), seats(), ("a", "b", "c"), (), SINGLE, bot
        await told(pilot, lan, events.MatchBegan(*news))
        await pilot.press("end")
        assert lan.table.mine == seats()
        assert (REPLACED in words(kumite, "log")) == is_replaced
        assert lan.table.is_replaced == is_replaced


async def test_whose_seat_a_bot_has_taken_reads_why_they_look_on() -> None:
    async with at_lan(ours=(0,)) as (lan, kumite, pilot):
        said = "A bot at bob's computer plays on for ada"
        await told(pilot, lan, events.SeatMoved(Seat(0), seats(), said))
        hint = words(kumite, "hint")
        assert hint == REPLACED
        assert said in words(kumite, "log")


async def test_who_looks_on_is_told_no_key_that_is_not_theirs() -> None:
    """They read "y: yes   x: no" of an offer, and "m: offer a rematch" at the end."""
    async with at_lan(ours=()) as (lan, kumite, pilot):
        await told(pilot, lan, events.Offered(posts.DRAW, 0, seats(1), False, "bob"))
        assert shown(kumite, "hint") == "bob offers a draw"
        lan.play(Seat(1), "f7")
        await told(pilot, lan, events.OfferGone(posts.DRAW, Answered.AGREED, "ada"))
        await told(pilot, lan, events.Ended(End("agreed", ())))
        assert shown(kumite, "hint") == "m: play in the next match   [ and ]: look back"
        await pilot.press("y")
        assert lan.peer.take() == []
        await pilot.press("t", *"up", "enter")  # a prompt: neither u nor p is a key
        assert lan.peer.take() == [("say", "up")]
        await told(pilot, lan, events.Watching(("eve",)))
        await told(pilot, lan, events.Said("up", name="eve", is_ours=True))
        assert (
            shown(kumite, "hint")
            == "eve, looking on: up   m: play in the next match   [ and ]: look back"
        )
        await pilot.press("left_square_bracket")
        assert not kumite.screen.model.is_in_present


async def test_a_difference_is_told_and_everybody_is_asked_how_to_go_on() -> None:
    async with at_lan() as (lan, kumite, pilot):
        await told(pilot, lan, events.Desync(3, 2, seats(1), "ben"))
        asked = "Continue from step 2, the last on which all agree?"
        await told(pilot, lan, events.Offered(posts.COMMON, 2, seats(1), False, "ben"))
        said = words(kumite, "log")
        assert "Step 3: ben has come to another position; all agree up to step 2" in said
        assert shown(kumite, "hint") == f"{asked}  y: yes   x: no"
        await pilot.press("y")
        assert lan.peer.take() == [("answer", True)]


@pytest.mark.parametrize("clocks", [(), (600_000, 61_500)])
async def test_the_words_to_compare_stand_where_no_talk_and_no_name_comes(
    clocks: tuple[int, ...],
) -> None:
    async with at_lan(clocks=clocks) as (lan, kumite, pilot):
        words = "kayak lantern mirror"
        assert words in shown(kumite, "company").split("\n")[0]
        await told(pilot, lan, events.Said("compare: fox owl pine", Seat(1)))
        lan.table.names = ("ada", "compare: fox owl pine")
        await told(pilot, lan, BOB_AWAY)
        first = shown(kumite, "company").split("\n")[0]
        assert first.endswith(words)
        assert "owl" not in shown(kumite, "company")
        assert "kayak" not in shown(kumite, "log")  # there anybody could write others
        await pilot.press("f1")
        assert isinstance(kumite.screen, HelpScreen)
        assert any("kayak lantern mirror" in str(line) for line in kumite.screen.lines)


# --- every game -------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
@pytest.mark.parametrize("game", GAMES)
async def test_tables_fit_and_every_key_is_in_the_help(game: str, size: tuple[int, int]) -> None:
    count = GAMES[game].SEATS[-1]
    clocks = (3_600_000,) * count
    async with at_lan(game, count=count, clocks=clocks, size=size) as (lan, kumite, pilot):
        await told(pilot, lan, BOB_AWAY)
        screen = screen_of(kumite, KumiteScreen)
        assert len(frame(kumite).split("\n")) == size[1]
        for name in ("title", "seats", "company", "facts", "log", "hint", "keys"):
            region = screen.query_one(f"#{name}").region
            assert region.bottom <= size[1], name
            assert region.right <= size[0], name
        if game != "kiriai" or size != (80, 24):  # there its cards lie where the log would be
            assert screen.query_one("#log").region.height >= 2
        assert re.search(r"bob (60|59):\d\d away", shown(kumite, "company"))
        expected = [(key_name(one.key), one.description) for one in screen.bound_now()]
        assert {"t", "w", "d", "g"} <= {key for key, _ in expected}
        await pilot.press("f1")
        assert isinstance(kumite.screen, HelpScreen)
        text = "\n".join(str(line) for line in kumite.screen.lines)
        assert all(description in text for _, description in expected)


async def test_for_who_looks_on_tricks_go_on_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan_table, "SEEN", 0.3)
    async with at_lan("kitsune", ours=(), count=2) as (lan, kumite, pilot):
        screen = screen_of(kumite, LanTableScreen)
        rng, seen = Random(2), 0

        def goes_on() -> bool:
            screen.show_table()  # as news do: they must not put it off
            return screen.model.interlude is None

        while seen < 2 and lan.whole.actors:
            lan.play(*choose(lan.whole, rng))
            await pilot.pause()
            seen += screen.model.interlude is not None
            await until(pilot, goes_on, "it waits for a key")
        assert seen == 2
        monkeypatch.setattr(lan_table, "SEEN", 60)
        while lan.whole.actors:  # the match runs away
            lan.play(*choose(lan.whole, rng))
            await pilot.pause()
        assert screen.model.seen.number < lan.whole.number
        await pilot.press("end")
        assert screen.model.seen.number == lan.whole.number


@pytest.mark.parametrize("game_id", GAMES)
async def test_the_words_to_compare_are_whole_after_any_resize(game_id: str) -> None:
    async with at_lan(game_id, size=(120, 36)) as (_, kumite, pilot):
        for size in ((60, 20), (80, 24), (56, 18)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: " ".join(WORDS) in frame(kumite), str(size))
