"""How a LAN match ends on its table: by clocks, people, the rules, a difference, who leaves."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from textual.pilot import Pilot

from kumite.core.game import Seat, Setup
from kumite.core.games import find
from kumite.core.log import End, log_text
from kumite.core.series import Series
from kumite.net.replica.audit import Verdict
from kumite.net.session import events
from kumite.net.wire import posts
from kumite.tui.app import GO_ON, KumiteApp
from kumite.tui.play.lan_table import LanTable
from kumite.tui.scenes.about import about
from kumite.tui.screens.dialog import IGNORED, Dialog
from kumite.tui.screens.lan_table import LanTableScreen
from kumite.tui.screens.next_game import NextGameScreen
from kumite.tui.screens.review import ReviewScreen
from kumite.tui.widgets.field import EndCard
from tests.support.apps import frame, result, screen_of, shown, until, words
from tests.support.fake_peer import BOB_AWAY, BOB_BACK, FakeLan, at_lan, company, seats, told
from tests.support.random_matches import choose, walk

# Example E17 of the rules: seat 1 wins on a full board.
FULL_BOARD = ["e4", "g4", "g6", "e6", "f5", "g3+", "h6+", "e7+", "d4+"]
AGREED, GAVE_UP = (events.Ended(End(how, who)) for how, who in (("agreed", ()), ("resigned", (1,))))
ASKED = events.Offered(posts.AGAIN, 0, seats(1), False, "bob", "ada")
OURS = events.Offered(posts.AGAIN, 0, seats(0), True, "ada", "bob")


def declined(who: str, game: str = "") -> events.OfferGone:
    return events.OfferGone(posts.AGAIN, events.Answered.DECLINED, who, game)


def next_match(*game: str, **more: int) -> events.MatchBegan:
    began = FakeLan(*game, **more).began()
    return replace(began, header=replace(began.header, match_id="ff"))


# --- clocks -----------------------------------------------------------------------------------


async def test_clocks_run_and_stand_as_the_network_says() -> None:
    async with at_lan(ours=(0,), clocks=(600_000, 61_500)) as (lan, kumite, pilot):
        table, now = lan.table, [1000.0]
        table.clock = lambda: now[0]
        table.hear(lan.began())
        table.hear(lan.clocks_stand())
        assert company(kumite) == "ada 10:00  bob 1:02"
        now[0] += 2.0
        await told(pilot, lan, BOB_AWAY, events.ClocksStand((600_000, 59_500), seats()))
        assert company(kumite) == "ada 10:00  bob 1:00 away"
        now[0] += 100.0
        await told(pilot, lan, BOB_BACK)
        assert company(kumite) == "ada 10:00  bob 1:00"
        lan.clocks = (600_000, 65_000)
        lan.play(Seat(1), "f7")
        await pilot.pause()
        now[0] += 3.4
        table.hear(events.Chose(Seat(1), "?"))
        assert company(kumite) == "ada 9:57  bob 1:05 has chosen"


async def test_a_running_clock_is_shown_by_itself() -> None:
    async with at_lan(ours=(0,), clocks=(600_000, 60_400)) as (_, kumite, pilot):
        await until(pilot, lambda: "bob 1:01" not in shown(kumite, "company"), "the clock stands")
        assert re.fullmatch("ada 10:00  bob (1:00|0:[0-5][0-9])", company(kumite))


# --- the end ----------------------------------------------------------------------------------


async def play_all(pilot: Pilot[None], lan: FakeLan) -> None:
    for step in FULL_BOARD:
        (actor,) = lan.whole.actors
        lan.play(actor, step)
    await pilot.pause()


@pytest.mark.parametrize(
    ("game", "count", "said"),
    [
        ("kitsune", 4, "cid, your partner, loses with you."),
        ("kumo", 4, "cid, your partner, loses with you."),
        ("kitsune", 6, "cid and eve, your partners, lose with you."),
        ("kuzushi", 3, ""),
    ],
)
async def test_who_gives_up_reads_who_loses_too(game: str, count: int, said: str) -> None:
    async with at_lan(game, count=count) as (_, kumite, pilot):
        await pilot.press("g")
        text = words(kumite)
        assert said in text
        assert ("with you." in text) == bool(said)


async def test_the_end_is_told_with_the_audit_and_a_rematch_begins() -> None:
    async with at_lan(board="small") as (lan, kumite, pilot):
        await play_all(pilot, lan)
        assert "the end" in shown(kumite, "title")
        await told(pilot, lan, events.Audited(Verdict(lan.whole)))
        assert "▶ ■ bob" in result(kumite)
        assert "The board is full" in result(kumite)
        assert "all have played fair" in result(kumite)
        assert lan.table.score == ""  # nothing to count up after the first match
        await pilot.press("g", "u", "d", "m")
        assert lan.peer.take() == [("offer", posts.AGAIN, 0, "")]
        again = FakeLan(board="small", names=("bob", "ada"), ours=(1,))
        began = again.began()
        header = type(began.header)("ff", again.setup, again.header.names, again.ours)
        begins = header, began.match, again.ours, ("a", "b", "c"), ()
        await told(pilot, lan, events.MatchBegan(*begins, Series(1, (1, 0))))
        said = "A rematch: bob lays the city; ada begins."
        assert shown(kumite, "hint").startswith(said), "also where no log is shown"
        assert "your turn" in shown(kumite, "title")
        who, score = shown(kumite, "company").split("\n")
        assert who.endswith("If the other reads a b c, nobody listens in.")
        assert score == "so far: bob 1, ada 0"
        told_now = words(kumite, "log")
        assert said in told_now

        lan.whole = again.whole
        await play_all(pilot, lan)
        await told(pilot, lan, events.Audited(Verdict(lan.whole)))
        assert lan.table.score == "bob 1, ada 1"
        assert "so far bob 1, ada 1" in " ".join(result(kumite).split())


async def test_the_result_of_a_series_stands_on_the_card_where_rows_are_short() -> None:
    async with at_lan("kiriai", names=("ada", "bea")) as (lan, kumite, pilot):
        lan.whole = walk(lan.setup, 1)
        began = replace(lan.began(), series=Series(3, (1, 0)))
        await told(pilot, lan, began, events.Audited(Verdict(lan.whole)))
        await until(pilot, lambda: result(kumite) != "", "the card")
        assert "series" in result(kumite)


async def test_at_the_end_of_a_tournaments_match_a_key_leads_back_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not `leave`, which sounded like the end of the tournament; nor another match first."""
    monkeypatch.setattr(LanTable, "is_of_tournament", True)
    async with at_lan(board="small") as (lan, kumite, pilot):
        await play_all(pilot, lan)
        assert shown(kumite, "hint").startswith("q: back to the tournament   m: another match")


async def test_a_match_is_reviewed_from_its_end_while_the_table_stays_open(tmp_path: Path) -> None:
    async with at_lan(board="small") as (lan, kumite, pilot):
        await pilot.press("o")
        assert isinstance(kumite.screen, LanTableScreen)
        await play_all(pilot, lan)
        lan.peer.path = tmp_path / "x.kumite"
        lan.peer.path.write_text(log_text(lan.header, lan.whole), "utf-8")
        await told(pilot, lan, events.Audited(Verdict(lan.whole)))
        assert "m rematch   o review" in shown(kumite, "keys")
        await pilot.press("o")
        await until(pilot, lambda: isinstance(kumite.screen, ReviewScreen), "the review")
        agreed = events.OfferGone(posts.AGAIN, events.Answered.AGREED)
        await told(pilot, lan, events.Said("look at step 3", Seat(1)), ASKED, agreed)
        talk, offer, news = (one.message for one in kumite._notifications)
        assert talk == "bob: look at step 3"
        assert "bob would like to play again" in offer
        assert "the next match begins" in news
        await pilot.press("t", *"which one?", "enter")
        assert lan.peer.take() == [("say", "which one?")]
        assert shown(kumite, "hint") == "You: which one?"
        await pilot.press("q")
        assert isinstance(kumite.screen, LanTableScreen)


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
@pytest.mark.parametrize(
    ("game", "count", "ours", "is_of_tournament", "has_others"),
    [
        ("kitsu", 2, (0,), False, True),
        ("kiriai", 2, (1,), True, False),
        ("kumo", 4, (0,), False, True),
        ("kumo", 2, (), False, True),
        ("kuzushi", 3, (0, 1), False, False),
    ],
)
async def test_what_can_be_done_after_the_end_stands_on_every_screen(
    size: tuple[int, int],
    game: str,
    count: int,
    ours: tuple[int, ...],
    is_of_tournament: bool,
    has_others: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LanTable, "is_of_tournament", is_of_tournament)
    async with at_lan(game, count=count, ours=ours, size=size) as (lan, kumite, pilot):
        lan.peer.path = tmp_path / "x.kumite"
        await told(pilot, lan, events.Ended(End("resigned", (0,))))
        keys = shown(kumite, "keys")
        assert all(key in keys for key in ("o review", "p replay", "t talk", "? help", "q "))
        assert bool(ours) == ("m rematch" in keys)
        there = words(kumite, "hint", "keys")
        assert not ours or ("z: what next?" in there or "z next game" in there) == has_others


async def test_another_match_is_offered_answered_and_declined_with_the_same_keys() -> None:
    async with at_lan(board="small") as (lan, kumite, pilot):
        await pilot.press("z")
        assert lan.peer.take() == []
        await play_all(pilot, lan)
        assert "z: what next?" in shown(kumite, "hint")
        await told(pilot, lan, replace(ASKED, game="kitsu"))
        assert "The vote: Kitsu! next; ada begins, from Summer" in shown(kumite, "hint")
        await told(pilot, lan, declined("ada"))
        await pilot.press("z")
        await until(pilot, lambda: isinstance(kumite.screen, Dialog), "a question")
        await told(pilot, lan, ASKED)  # one's own would be refused: the question closes
        await until(pilot, lambda: isinstance(kumite.screen, LanTableScreen), "the table")
        assert "y: yes" in shown(kumite, "hint")
        lan.peer.take()
        await pilot.press("enter")  # which was meant for the question
        assert lan.peer.take() == []
        await pilot.pause(IGNORED)
        await pilot.press("enter", "m")
        assert lan.peer.take() == [("answer", True)]
        await told(pilot, lan, OURS)
        asked = "ada would like to play again: bob lays the city  x: withdraw"
        assert shown(kumite, "hint") == asked
        await pilot.press("m")
        assert shown(kumite, "hint") == "Rematch: an offer is waiting for its answer"
        await told(pilot, lan, declined("bob"))
        assert shown(kumite, "hint").startswith(
            "bob declined the rematch   m: offer a"
        )  # over the log lies the card
        await pilot.press("v")
        await pilot.press("m")  # the loser begins
        assert lan.peer.take() == [("offer", posts.AGAIN, 0, "")]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60), (60, 20), (40, 15)])
@pytest.mark.parametrize("ours", [(0,), ()])
async def test_what_next_is_voted_for_at_tiles_that_show_all_votes(
    size: tuple[int, int], ours: tuple[int, ...]
) -> None:
    async with at_lan(ours=ours, size=size) as (lan, kumite, pilot):
        await told(pilot, lan, GAVE_UP)
        await pilot.press("z")
        await until(pilot, lambda: isinstance(kumite.screen, NextGameScreen), "the vote")
        games = [about(one).name for one in lan.table.next_games]
        assert len(games) == 5
        text = words(kumite)
        assert all(one in text for one in games)
        votes = (("bob", "kitsu"), ("a name as long as can be", "kumo"))
        await told(pilot, lan, events.Voted("bob", "kitsu", votes))
        text = words(kumite)
        assert "1: bob" in text
        assert "1: a name" in text
        at, way = games.index("Kuzushi"), "left" if size[0] > 72 else "up"
        lan.peer.take()
        await pilot.press(*[way] * (at - games.index("Kitsu!")), "enter")
        await until(pilot, lambda: not isinstance(kumite.screen, NextGameScreen), "the table")
        begins = 1
        assert lan.peer.take() == [("offer", posts.VOTE, begins, "kitsu")] * len(ours)
        assert shown(kumite, "hint").startswith("z: vote   Kitsu! 1 (bob)")


async def test_no_other_game_is_offered_where_none_is_for_as_many() -> None:
    """The question had no answers."""
    async with at_lan(count=3) as (lan, kumite, pilot):
        await told(pilot, lan, AGREED)
        assert shown(kumite, "hint") == "m: offer a rematch"
        assert "next game" not in shown(kumite, "keys")
        await pilot.press("z")
        assert shown(kumite, "hint") == (
            "Next game: no other game is for 3 players; open another table"
        )


async def test_a_spectator_asks_for_a_seat_in_the_next_match_and_takes_it_back() -> None:
    async with at_lan(count=3, ours=()) as (lan, kumite, pilot):
        await told(pilot, lan, events.Watching(("eli", "fay")))
        await pilot.press("m")
        assert lan.peer.take() == [], "the match is not over"
        await told(pilot, lan, AGREED)
        assert shown(kumite, "hint") == "m: play in the next match   [ and ]: look back"
        assert "m join" in shown(kumite, "keys")
        await pilot.press("m")
        assert lan.peer.take() == [("ready", True)]
        await told(pilot, lan, events.Watching(("eli", "fay"), 1, is_ours=True))
        lan.table.began = replace(lan.table.began, series=Series(1, (1, 0, 0)))
        said = "You play in the next match if a seat is free.   m: only look on"
        assert shown(kumite, "hint") == said
        assert "m look on" in shown(kumite, "keys")
        await told(pilot, lan, ASKED)
        await pilot.press("m")  # it is no answer to what the players are asked
        assert lan.peer.take() == [("ready", False)]


async def test_players_read_who_would_like_to_play_in_the_next_match() -> None:
    async with at_lan(count=3) as (lan, kumite, pilot):
        await told(pilot, lan, events.Watching(("fay", "eli")), AGREED)
        await told(pilot, lan, events.Left(seats(2), False, "cid", is_over=True))
        assert "m: offer a rematch" in shown(kumite, "hint"), "who has left hides no key"
        await told(pilot, lan, events.Watching(("eli", "fay"), 1))
        said = "eli would like to play in the next match"
        assert shown(kumite, "hint") == said
        assert "2 look on: eli (asks to play), fay" in shown(kumite, "company")
        await pilot.press("m")
        assert lan.peer.take() == [("offer", posts.AGAIN, 1, "")]
        await told(pilot, lan, events.SeatMoved(Seat(2), seats(0), "cid", "ada"))
        told_ = [one.text for one in lan.table.remarks]
        assert told_.count(said) == 1
        assert "cid's seat is free in the next match" in told_
        assert "cid" in lan.table.shown_names, "of the match that is over nothing changes"
        await told(pilot, lan, next_match(count=3))
        assert "look on" not in shown(kumite, "company")


async def test_a_host_without_anybody_reads_how_to_find_others() -> None:
    async with at_lan(count=3) as (lan, kumite, pilot):
        await told(pilot, lan, AGREED)
        alone = events.NotDone("illegal-step", "nobody else is here", events.OTHER_TABLE)
        await told(pilot, lan, alone)
        await pilot.pause()
        assert shown(kumite, "hint") == "nobody else is here  open another table"


@pytest.mark.parametrize("game", ["kitsu", "kitsune", "kiriai", "kumo", "kuzushi"])
async def test_the_keys_of_the_next_match_are_named_and_come_back_after_a_refusal(
    game: str,
) -> None:
    async with at_lan(game) as (lan, kumite, pilot):
        await told(pilot, lan, AGREED)
        assert "z next game" in shown(kumite, "keys")
        next_ = shown(kumite, "hint")
        assert "m: offer a rematch   z: what next?" in next_
        await told(pilot, lan, OURS, declined("bob"))
        assert shown(kumite, "hint").startswith("bob declined the rematch   m: offer a")
        await pilot.press("left")
        assert shown(kumite, "hint") == next_


async def test_a_series_says_who_leads_and_when_it_is_decided() -> None:
    async with at_lan(board="small") as (lan, kumite, pilot):
        for won, said, next_ in (
            ((), "best of 3: ada 0, bob 1", "m: offer the next match"),
            ((1, 1), "ada 1, bob 2; bob has won the best of 3", "m: offer a rematch"),
        ):
            lan.whole = FakeLan(board="small").whole
            await told(pilot, lan, replace(lan.began(), series=Series(3, won)))
            assert "best of 3: ada" in shown(kumite, "company")
            await play_all(pilot, lan)
            assert said in " ".join(result(kumite).split())
            assert shown(kumite, "hint").startswith(said), "the card may lack the room"
            assert next_ in shown(kumite, "hint")


@pytest.mark.parametrize("size", [(80, 24), (64, 26)])
async def test_before_a_rematch_one_reads_that_partners_stay_and_how_they_change(
    size: tuple[int, int],
) -> None:
    for game, count, has_partners in (("kitsune", 4, True), ("kumo", 4, True), ("kumo", 2, False)):
        async with at_lan(game, count=count, size=size) as (lan, kumite, pilot):
            await told(pilot, lan, GAVE_UP)
            said = "m: rematch, same partners"
            assert (said in words(kumite, "hint")) == has_partners
    names = "Alexandra", "Bartholomew", "Chikamatsu", "Donatella"
    async with at_lan("kitsune", count=4, size=size, names=names) as (lan, kumite, pilot):
        began = replace(lan.began(), series=Series(1, (2, 1)))
        await told(pilot, lan, began, GAVE_UP)
        assert said in words(kumite, "hint")
        assert ("other partners: a new table" in words(kumite, "hint")) == (size[0] >= 80)
        await told(pilot, lan, events.Said("gg all", Seat(1)))
        assert shown(kumite, "hint").startswith("Bartholomew: gg")
        assert "   m: rematch, same partners   z: what next?" in shown(kumite, "hint")


async def test_a_match_that_nobody_won_is_counted_as_that() -> None:
    """The card said "nobody won", the score "1 drawn"."""
    async with at_lan(count=3) as (lan, kumite, pilot):
        await told(pilot, lan, replace(lan.began(), series=Series(1, (1, 0, 0))))
        await told(pilot, lan, GAVE_UP)
        assert "ada 1, bob 0, cid 0, nobody 1" in words(kumite)
        await pilot.press("v")  # on the card it stands in large letters
        assert "Nobody won" in words(kumite)


async def test_another_game_ends_a_series_and_says_so() -> None:
    async with at_lan(board="small", names=("ada", "bea")) as (lan, kumite, pilot):
        began = replace(lan.began(), series=Series(3, (1, 0)))
        await told(pilot, lan, began, AGREED)
        await pilot.press("z")
        assert "What next? It ends the best of 3." in words(kumite)
        assert "most votes win, in a tie the earliest vote." in words(kumite)
        assert shown(kumite, "keys") == "Tab move   Enter choose   Esc back"
        await pilot.press("escape")
        await told(pilot, lan, replace(ASKED, who="bea", game="kitsu"))
        said = "The vote: Kitsu! next; ada begins, from Summer. It ends the best of 3."
        assert said == shown(kumite, "hint")  # not cut: the line of keys has the answers
        assert "y yes" in shown(kumite, "keys")
        await told(pilot, lan, declined("ada", "kitsu"))
        assert shown(kumite, "hint").startswith("ada declined to play Kitsu!")
        await told(pilot, lan, next_match("kitsu"))
        await pilot.pause()
        assert shown(kumite, "hint").startswith("Kitsu!: ada begins, from Summer; bob from Winter.")
        said = "The series has ended (best of 3: ada 1, bea 0, 1 drawn)."
        assert words(kumite).count(said) == 1
        assert "best of" not in shown(kumite, "company")


@pytest.mark.parametrize("new", ["kitsu", "kitsune", "kumo", "kuzushi", "kiriai"])
@pytest.mark.parametrize("old", ["kitsu", "kiriai"])
async def test_another_game_is_laid_out_as_at_a_new_table(old: str, new: str) -> None:
    """After cards, a board was drawn in letters, with empty rows below it."""

    def squares(kumite: KumiteApp) -> list[tuple[int, ...]]:
        parts = kumite.screen.query("#board, #tabletop, #tray, #side")
        return [(*one.region, one.display) for one in parts]

    async with at_lan(new) as (_, kumite, pilot):
        await pilot.pause()
        fresh = squares(kumite), kumite.screen.game_id
    async with at_lan(old) as (lan, kumite, pilot):
        await told(pilot, lan, AGREED, next_match(new))
        await pilot.press("right")
        await pilot.pause()
        assert (squares(kumite), kumite.screen.game_id) == fresh


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_who_has_played_false_is_named(size: tuple[int, int]) -> None:
    async with at_lan(board="small", size=size) as (lan, kumite, pilot):
        await play_all(pilot, lan)
        text = "bob has played false: has opened another"
        await told(pilot, lan, events.Audited(Verdict(None, 1, 7, "has opened another"), "bob"))
        assert text in result(kumite)


async def test_who_has_chosen_is_not_told_after_the_end() -> None:
    async with at_lan("kitsune", count=4) as (lan, kumite, pilot):
        await told(pilot, lan, events.Chose(Seat(2), "?"))
        assert "cid has chosen" in shown(kumite, "company")
        await told(pilot, lan, events.Ended(End("resigned", seats(1)), "bob"))
        assert "has chosen" not in shown(kumite, "company")


async def test_beside_the_result_no_hand_is_cut_and_without_it_the_hand_is_back() -> None:
    line = walk(Setup.of(find("kitsune"), 4), 1, 60).line()
    whole = next(match for match in line if match.state.phase == "play")
    async with at_lan("kitsune", count=4, whole=whole) as (lan, kumite, pilot):
        tray = kumite.screen.query_one("#tray")
        assert tray.display
        await told(pilot, lan, events.Ended(End("resigned", seats(1)), "bob"))
        assert not tray.display
        assert "tokens" in frame(kumite)
        await pilot.press("v")
        assert tray.display


async def test_resigning_and_times_end_the_match() -> None:
    async with at_lan() as (lan, kumite, pilot):
        await pilot.press("g", "down", "enter")
        assert lan.peer.take() == [("resign", 0)]
        await told(pilot, lan, events.Ended(End("resigned", (Seat(0),)), "ada"))
        assert "the end" in shown(kumite, "title")
        assert "You gave up" in result(kumite)
        await pilot.press("v")
        assert "ada gave up" in shown(kumite, "log")


@pytest.mark.parametrize("game", ["kitsu", "kumo", "kuzushi", "kitsune", "kiriai"])
async def test_a_message_of_two_rows_takes_them_from_the_table_and_cuts_nothing(game: str) -> None:
    async with at_lan(game) as (_, kumite, pilot):
        kumite.screen.hint((("one word after the other " * 5, "loss"),))
        await pilot.pause()
        end = kumite.screen.query_one("#hint").region.y - 1  # where the company begins
        parts = [one for one in kumite.screen.query("#field, #side") if one.display]
        assert {one.id: one.region.bottom <= end for one in parts} == dict.fromkeys(
            (one.id for one in parts), True
        )


async def test_a_wrong_code_during_play_is_told_in_the_log_only() -> None:
    async with at_lan(ours=(1,)) as (lan, kumite, pilot):
        before = shown(kumite, "hint")
        await told(pilot, lan, events.TurnedAway("192.0.2.2", "wrong-code"))
        assert shown(kumite, "hint") == before
        assert "Somebody at 192.0.2.2 typed a wrong code" in words(kumite, "log")
        assert "That is not the code" not in words(kumite)


async def test_who_has_left_is_told_truly_and_hides_no_choice() -> None:
    async with at_lan() as (lan, kumite, pilot):
        await told(pilot, lan, events.Left(seats(1), False, "bob"))
        assert "bob has left; the match waits at bob's turn  b: let" in shown(kumite, "hint")
    async with at_lan(ours=(1,)) as (lan, kumite, pilot):
        before = shown(kumite, "hint")
        await told(pilot, lan, events.Left(seats(0), False, "ada"))
        assert shown(kumite, "hint") == before
        assert "Enter" in before
        assert "ada left" in company(kumite)


@pytest.mark.parametrize(("count", "is_for_all"), [(2, False), (3, True)])
async def test_before_giving_up_one_reads_whether_it_ends_the_match_for_all(
    count: int, is_for_all: bool
) -> None:
    async with at_lan(count=count) as (_, kumite, pilot):
        await pilot.press("g")
        await pilot.pause()
        said = "This ends the match for everybody; nobody wins."
        assert (said in words(kumite)) == is_for_all


@pytest.mark.parametrize("way", ["agreed", "resigned", "time"])
@pytest.mark.parametrize(
    ("held_by", "game"),
    [("moment", "kiriai"), ("moment", "kitsune"), ("motion", "kumo"), ("past", "kitsu")],
)
async def test_an_end_by_players_or_clocks_is_shown_at_once(
    held_by: str, game: str, way: str
) -> None:
    """It waited until a trick was confirmed, motion had ended, or one no longer looked back."""
    whole = walk(Setup.of(find(game)), 3)
    whole = whole.back(whole.number // 2)
    async with at_lan(game, whole=whole) as (lan, kumite, pilot):
        screen = screen_of(kumite, LanTableScreen)
        kumite.pace = float(held_by == "motion")
        is_held = {
            "moment": lambda: screen.model.interlude is not None,
            "motion": lambda: screen.moving.is_running,
            "past": lambda: lan.whole.number > whole.number + 1,
        }[held_by]
        while lan.whole.actors and not is_held():
            lan.play(*choose(lan.whole, Random(1)))
            await pilot.pause()
        if held_by == "past":
            await pilot.press("left_square_bracket")
            assert screen.model.behind
        offer = events.Offered(posts.DRAW, 0, seats(1), False, "bob")
        await told(pilot, lan, offer)
        lan.peer.take()
        if way == "agreed" and held_by != "motion":  # a key would end it
            await pilot.press("y")
            assert lan.peer.take() == [("answer", True)]
        end = End(way, () if way == "agreed" else (Seat(1),))
        gone = events.OfferGone(posts.DRAW, events.Answered.AGREED, "ada")
        await told(pilot, lan, gone, events.Ended(end, "bob"))
        assert "the end" in shown(kumite, "title")
        assert {"agreed": "All agreed", "resigned": "bob gave up"}.get(way, "time") in result(
            kumite
        )
        await pilot.press("left_square_bracket")
        assert screen.model.behind == 1  # from now on one may look back


@pytest.mark.parametrize("ours", [(0,), ()])
@pytest.mark.parametrize("game", ["kuzushi", "kitsu", "kumo"])
async def test_the_result_is_there_two_seconds_after_the_last_step(
    game: str, ours: tuple[int, ...]
) -> None:
    whole = walk(Setup.of(find(game)), 3)
    async with at_lan(game, ours, whole=whole.before) as (lan, kumite, pilot):
        kumite.pace = 1.0
        screen = screen_of(kumite, LanTableScreen)
        lan.play(whole.last.actor, whole.last.step)
        await pilot.pause()
        assert 1.0 <= screen.motion_left <= 2.0
        screen.moving.end()
        await pilot.pause()
        assert screen.query_one(EndCard).display


async def test_a_difference_is_shown_with_its_step_and_stops_all() -> None:
    async with at_lan(ours=(1,)) as (lan, kumite, pilot):
        text = "ada's terminal sees score 3 2"
        await told(pilot, lan, events.Stopped("different", text, "compare", 12, 11, seats(0)))
        facts = result(kumite)
        assert text in facts
        assert "step 12 differs; all agree up to step 11" in facts
        assert shown(kumite, "hint") == f"{text}  compare"
        await pilot.press("enter", "u", "g", "d", "t", "escape", "m", "x")
        assert lan.peer.take() == []
        await pilot.press("q")
        assert kumite._exit


async def test_leaving_asks_and_says_how_to_come_back() -> None:
    async with at_lan() as (lan, kumite, pilot):
        await pilot.press("q")
        assert isinstance(kumite.screen, Dialog)
        assert "kumite resume" in frame(kumite)
        await pilot.press("enter")  # no, stay
        assert lan.peer.take() == []
        await pilot.press("q", "down", "enter")
        assert kumite._exit
    assert lan.peer.take()[:2] == [("leave",), ("close",)]


async def test_the_host_is_asked_before_the_others_lose_the_table_after_a_match() -> None:
    async with at_lan() as (lan, kumite, pilot):
        listening = events.Listening(4000, ("10.0.0.1",), "7-torii-lantern")
        await told(pilot, lan, listening, AGREED)
        await told(pilot, lan, events.Watching(("eve", "")))
        await pilot.press("q")
        assert "Close the table?" in frame(kumite)
        assert "Still here: bob and eve." in frame(kumite)
        await pilot.press("enter")
        assert not kumite._exit
        await told(pilot, lan, events.Watching(()), BOB_AWAY)
        await pilot.press("q")
        assert kumite._exit


@pytest.mark.parametrize("last", ["player", "spectator"])
async def test_whether_to_close_the_table_is_asked_no_longer_once_all_have_left(last: str) -> None:
    """The question still named who had left meanwhile."""
    async with at_lan() as (lan, kumite, pilot):
        listening = events.Listening(4000, ("10.0.0.1",), "7-torii-lantern")
        await told(pilot, lan, listening, AGREED, events.Watching(("eve", "")))
        await pilot.press("q")
        leaving = [events.Left(seats(1), False, "bob", is_over=True), events.Watching(())]
        for event in leaving if last == "spectator" else reversed(leaving):
            assert "Close the table?" in frame(kumite)
            await told(pilot, lan, event)
        assert isinstance(kumite.screen, LanTableScreen)


async def test_even_votes_are_said_to_be_decided_by_the_first() -> None:
    """Who had voted for another game read only which one comes next."""
    async with at_lan(board="small") as (lan, kumite, pilot):
        await play_all(pilot, lan)
        for votes, said in (
            (
                [("ada", "kitsu"), ("bob", "kumo")],
                "The votes are even; the first was for Kitsu!  y: yes",
            ),
            ([("ada", "kitsu"), ("cid", "kitsu"), ("bob", "kumo")], "The vote: Kitsu! next"),
        ):
            for number, (who, game) in enumerate(votes, 1):
                so_far = tuple(votes[:number]) if number < len(votes) else ()
                await told(pilot, lan, events.Voted(who, game, so_far))
            offer = events.Offered(posts.AGAIN, 0, seats(0), False, "ada", "bob", game="kitsu")
            await told(pilot, lan, offer)
            assert shown(kumite, "hint").startswith(said)
            await told(pilot, lan, declined("bob"))


async def test_the_host_leaving_closes_the_table() -> None:
    async with at_lan(ours=(1,)) as (lan, kumite, pilot):
        await told(pilot, lan, events.Left(seats(0), True, "ada"))
        assert "ada has left the" in shown(kumite, "log")
        assert "ada has left: the table is closed; the match is saved." in shown(kumite, "hint")
        await pilot.press("t", *"oops", "enter")
        assert shown(kumite, "hint") == "Not said: the table is closed"
        await pilot.press("q")
        assert kumite._exit


async def test_a_watcher_sees_and_cannot_act() -> None:
    async with at_lan("kiriai", ours=()) as (lan, kumite, pilot):
        await told(pilot, lan, events.Offered(posts.DRAW, 0, seats(1), False, "bob"))
        await pilot.press("t", "escape", "w", "escape", *"dugyxmb", "enter")
        assert lan.peer.take() == []  # but for talk
        assert isinstance(kumite.screen, LanTableScreen)
        await pilot.press("q")
        assert kumite._exit


@pytest.mark.parametrize("keys", [("ctrl+q",), ("q", "down", "enter")])
@pytest.mark.parametrize(("ours", "is_over"), [((0,), False), ((0,), True), ((), False)])
async def test_who_leaves_an_unfinished_match_reads_in_the_shell_how_it_goes_on(
    keys: tuple[str, ...], ours: tuple[int, ...], is_over: bool, tmp_path: Path
) -> None:
    async with at_lan(ours=ours) as (lan, kumite, pilot):
        lan.peer.path = tmp_path / "x.kumite"
        if is_over:
            await told(pilot, lan, AGREED)
        await pilot.press(*keys)
        assert kumite._exit
        goes_on = bool(ours) and not is_over
        assert kumite._exit_renderables == [GO_ON] * goes_on
