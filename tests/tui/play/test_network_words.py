"""What the network tells, in words: each code has some, and verbs agree with who is meant."""

from __future__ import annotations

import pytest

from kumite.core import codes
from kumite.core.game import Seat
from kumite.core.log import End
from kumite.net.session import events, handshake
from kumite.net.session.events import Answered, Status
from kumite.net.wire import posts
from kumite.tui.play import network_words
from kumite.tui.play.network_words import agreeing, claim, reason, refusal, text
from tests.support.fake_peer import seats

TWO = "ada and bob"


@pytest.mark.parametrize(
    "patterns", [network_words.OFFERS, network_words.ANSWERS, network_words.PRESENCE]
)
def test_sentences_agree_in_number_with_who_is_at_a_terminal(patterns: dict[str, str]) -> None:
    """Every sentence that begins with somebody: of one who plays, of two at one keyboard."""
    for pattern in (one for one in patterns.values() if one.startswith("{who}")):
        more = {"number": 3, "about": "cid", "gone": "cid is gone", "what": "again"}
        one, two = (agreeing(pattern, who, **more) for who in ("ada", TWO))
        verb = one.removeprefix("ada ").split()[0].strip(":")
        plural = two.removeprefix(f"{TWO} ").split()[0].strip(":")
        assert (verb, plural) in {("is", "are"), ("has", "have"), ("does", "do")} or (
            verb in (plural, f"{plural}s")
        )
        assert "{" not in one + two


def test_every_refusal_has_words_of_its_own() -> None:
    said = {code: refusal(code) for code in handshake.REFUSALS}
    assert len(set(said.values())) == len(said)
    assert refusal("made-up") == refusal(codes.ERROR)
    assert "{" not in "".join(map("".join, said.values()))


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("who", ["", "ada"])
def test_every_status_is_worded(status: Status, who: str) -> None:
    said = text(events.Presence(status, seats(1), who, 7, codes.FULL))
    assert said
    assert "{" not in said
    if status in (Status.QUIET, Status.AWAY, Status.BACK) and not who:
        told = text(events.Presence(status), "the organiser")
        assert "organiser" in told
        assert "host" not in told


@pytest.mark.parametrize("answer", Answered)
def test_every_answer_is_worded(answer: Answered) -> None:
    assert text(events.OfferGone(posts.DRAW, answer, "bea"))


def test_what_stops_a_match_names_who_has_done_what_and_what_to_do() -> None:
    false = events.Stopped(codes.FOUL, "the signature is wrong", number=7, who="ada")
    said, hint = reason(false)
    assert said == "step 7: ada has played false: the signature is wrong"
    assert "proof" in hint
    own = events.Stopped(codes.DISK_FULL, "the disk is full", "make room")
    assert reason(own) == ("the disk is full", "make room")
    assert reason(events.Stopped(codes.DIGEST, who=TWO, number=3))[0] == (
        "ada and bob have come to another position"
    )


def test_what_another_terminal_says_is_told_as_its_word() -> None:
    assert claim(codes.FOUL, "ada", "it lies", "bob") == (
        "ada says that bob has played false (it lies)"
    )
    assert claim(codes.FOUL, "ada", "", events.US) == "ada says that we have played false"
    assert claim(codes.LOG_FILE, "ada", "").startswith("The kumite of ada cannot save any longer")
    said = events.Stopped(codes.ACCUSED, "it lies", who="ada", is_claim=True, blamed="bob")
    assert "nothing here proves it" in reason(said)[1]


def test_ends_and_moved_seats_are_told_with_their_names() -> None:
    assert text(events.Ended(End("resigned", (Seat(0),)), "ada")) == "ada gave up"
    assert text(events.Ended(End("agreed"))) == "All agreed to a draw"
    assert text(events.SeatMoved(Seat(1), seats(), "", "ada")) == (
        "A bot at ada's computer plays on for seat 2"
    )
    assert text(events.NotDone(codes.NOT_READY, who="bob")) == "not ready yet: bob"
    assert text(events.NotDone(codes.NOT_READY)) == "nobody else is here to play"
    assert text(events.Chose(Seat(0))) == ""
