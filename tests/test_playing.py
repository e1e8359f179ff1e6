"""A begun match: steps, cheats and differences, words, ends, and what crosses on the way."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from core.errors import KumiteError
from core.game import Seat, Setup, Step
from core.log import End
from core.match import Match
from net import events, session, wire
from net.events import Close, Save, Send, Tell
from tests.lan import (
    HELLO,
    LINK,
    MATCH_ID,
    MK6,
    VERSION,
    advance,
    codes,
    deliver,
    greeted,
    joining,
    offer,
    pair,
    playing,
    sent,
    step_of,
    table,
    told,
)
from tests.random_matches import choose
from tests.toys import Toy

if TYPE_CHECKING:
    from net.events import Effects
    from net.session import Session

FIRST, SECOND = Seat(0), Seat(1)


# --- Steps ----------------------------------------------------------------------------------------


def numbers(effects: Effects) -> list[int]:
    return [one.match.number for one in told(effects) if isinstance(one, events.MatchChanged)]


def test_the_host_saves_before_it_sends_and_the_joiner_saves_before_it_answers() -> None:
    host, joiner = pair()
    host, effects = session.react(host, step_of(host), 0.0)
    after = playing(host).match
    assert [type(effect) for effect in effects] == [Save, Send, Tell]
    assert effects[0] == Save(after)
    assert told(effects) == [events.MatchChanged(after, after.last)]
    joiner, effects = deliver(joiner, effects)
    assert [type(effect) for effect in effects] == [Save, Send, Tell]
    assert sent(effects) == [wire.Ack(1, after.digest)]
    host, effects = deliver(host, effects)
    assert effects == ()


def test_a_joiners_step_counts_when_the_host_has_saved_it() -> None:
    host, joiner = pair(table(seats=(1,), names=("", "ada")))
    play = step_of(joiner)
    joiner, effects = session.react(joiner, play, 0.0)
    assert told(effects) == [events.Sending(play.actor, play.step)]
    assert playing(joiner).match.number == 0
    same, refused = session.react(joiner, play, 0.0)
    assert same == joiner
    assert codes(refused) == ["sending"]
    host, effects = deliver(host, effects)
    assert [type(effect) for effect in effects] == [Save, Send, Tell]
    joiner, effects = deliver(joiner, effects)
    assert [type(effect) for effect in effects] == [Save, Tell]
    assert playing(joiner).match.digest == playing(host).match.digest


def test_what_cannot_be_done_here_is_explained_here() -> None:
    host, joiner = pair()
    for s, play, code in (
        (host, events.Play(FIRST, Step("99")), "bad-notation"),
        (host, events.Play(FIRST, Step("?")), "bad-notation"),
        (host, events.Play(SECOND, Step("14")), "wrong-seat"),
        (joiner, events.Play(SECOND, Step("14")), "not-to-act"),
        (joiner, events.Play("*", Step("14")), "wrong-seat"),
        (joiner, events.GiveUp(FIRST), "wrong-seat"),
    ):
        same, effects = session.react(s, play, 0.0)
        assert same == s
        assert codes(effects) == [code]
        assert sent(effects) == []


def test_a_duplicate_is_answered_and_changes_nothing() -> None:
    host, joiner = pair(table(seats=(0,)))
    host, played = session.react(host, step_of(host), 0.0)
    joiner, first = deliver(joiner, played)
    same, again = deliver(joiner, played)
    assert playing(same) == playing(joiner)
    assert sent(again) == sent(first)
    assert told(again) == []
    host, _ = deliver(host, first)
    same, effects = deliver(host, first)
    assert (playing(same), effects) == (playing(host), ())


def test_steps_that_nobody_chooses_are_made_by_each_terminal_itself() -> None:
    games = {"toy": Toy("0ff1f0")}
    host = session.host(table(Setup.of(games["toy"])), MATCH_ID, VERSION)
    host, _ = greeted(host, HELLO)
    joiner, effects = session.react(joining(games), events.Heard(LINK, offer(host)), 0.0)
    host, effects = deliver(host, effects)
    joiner, _ = deliver(joiner, effects)
    host, effects = session.react(host, events.Play(FIRST, Step("x")), 0.0)
    assert len(sent(effects)) == 1
    assert numbers(effects) == [1, 2, 3]
    joiner, _ = deliver(joiner, effects)
    joiner, effects = session.react(joiner, events.Play(SECOND, Step("y")), 0.0)
    host, effects = deliver(host, effects)
    joiner, effects = deliver(joiner, effects)
    assert playing(host).match.digest == playing(joiner).match.digest
    assert playing(joiner).match.number == 5
    assert numbers(effects) == [4, 5]


def test_a_match_that_comes_to_shared_chance_stops_on_both_sides() -> None:
    games = {"toy": Toy("0c")}
    host = session.host(table(Setup.of(games["toy"])), MATCH_ID, VERSION)
    host, _ = greeted(host, HELLO)
    joiner, effects = session.react(joining(games), events.Heard(LINK, offer(host)), 0.0)
    host, effects = deliver(host, effects)
    joiner, _ = deliver(joiner, effects)
    host, effects = session.react(host, events.Play(FIRST, Step("x")), 0.0)
    assert codes(effects) == ["not-shared"]
    joiner, effects = deliver(joiner, effects)
    assert host.is_closed
    assert joiner.is_closed


# --- Cheats and differences -----------------------------------------------------------------------

WRONG = bytes(16)


def cheats(match: Match) -> dict[str, tuple[wire.Received, str, int, str]]:
    """Return by name: what the one to act sends; the code, the step and the words of the stop."""
    actor, step = choose(match, Random(1))
    assert actor != "*"
    number = match.number + 1
    taken = next(one.step for one in match.steps() if one.step not in match.legal(actor))
    after = match.play(actor, step)
    true = wire.Played(number, actor, step, after.digest)
    other = Seat(1 - actor)
    past = match.digest
    return {
        "illegal step": (replace(true, step=taken), "illegal-step", number, "neither your flag"),
        "no step": (replace(true, step=Step("%s%n")), "bad-notation", number, "%s%n"),
        "hidden step": (replace(true, step=Step("?")), "bad-notation", number, "?"),
        "wrong digest": (replace(true, digest=WRONG), "digest", number, "positions differ"),
        "the other's step": (replace(true, actor=other), "wrong-seat", number, f"seat {other}"),
        "chance's step": (replace(true, actor="*"), "wrong-seat", number, "chance"),
        "nobody's step": (replace(true, actor=Seat(5)), "wrong-seat", number, "seat 5"),
        "skipped number": (replace(true, number=number + 1), "number", number + 1, "came after"),
        "another past": (replace(true, number=number - 1), "digest", number - 1, "differ"),
        "another past, acknowledged": (wire.Ack(number - 1, WRONG), "digest", number - 1, "differ"),
        "a step nobody made": (wire.Ack(number, past), "unexpected", 0, f"a step {number}"),
        "the other's words": (wire.Say(other, "I am dumb"), "wrong-seat", 0, f"seat {other}"),
        "nobody's words": (wire.Say(Seat(4), "boo"), "wrong-seat", 0, "seat 4"),
        "garbage": (wire.Broken("expected a message"), "garbage", 0, "expected a message"),
        "a second greeting": (HELLO, "unexpected", 0, "Hello"),
        "a start": (wire.Start(), "unexpected", 0, "Start"),
        "a refusal": (wire.Refuse("x", "y", "z"), "unexpected", 0, "Refuse"),
    }


def host_cheats(match: Match) -> dict[str, tuple[wire.Received, str, int, str]]:
    mine = Seat(1)
    return {
        "resigns for us": (wire.Over("resigned", (mine,)), "wrong-seat", 0, "seat 1"),
        "leaves for us": (wire.Over("left", (mine,)), "wrong-seat", 0, "seat 1"),
        "resigns for nobody": (wire.Over("resigned", (Seat(5),)), "wrong-seat", 0, "seat 5"),
        "ends without seats": (wire.Over("left", ()), "unexpected", 0, "ended the match"),
        "wins by magic": (wire.Over("outcome", (FIRST,)), "unexpected", 0, "ended the match"),
        "takes requests": (wire.Resign(FIRST), "unexpected", 0, "Resign"),
        "leaves without an end": (wire.Leave(), "unexpected", 0, "Leave"),
    }


def joiner_cheats(match: Match) -> dict[str, tuple[wire.Received, str, int, str]]:
    return {
        "gives orders": (wire.Over("resigned", (FIRST,)), "unexpected", 0, "Over"),
        "resigns for us": (wire.Resign(FIRST), "wrong-seat", 0, "seat 0"),
    }


def middle(cheat_is_host: bool) -> tuple[Session, Session]:
    """Return host and joiner after some steps, the turn being the cheat's."""
    return advance(*pair(), 6 if cheat_is_host else 7)


SAMPLE = Match.begin(Setup.of(MK6)).play(FIRST, Step("14"))
CASES = [(name, is_host) for name in cheats(SAMPLE) for is_host in (True, False)]
CASES += [(name, True) for name in host_cheats(SAMPLE)]
CASES += [(name, False) for name in joiner_cheats(SAMPLE)]


@pytest.mark.parametrize(
    ("name", "is_host"), CASES, ids=[f"{'host' if h else 'joiner'}: {n}" for n, h in CASES]
)
def test_a_cheat_is_named_on_both_sides_and_stops_the_match(name: str, is_host: bool) -> None:
    host, joiner = middle(is_host)
    match = playing(host).match
    known = {**cheats(match), **(host_cheats(match) if is_host else joiner_cheats(match))}
    message, code, number, words = known[name]
    cheat, honest = (host, joiner) if is_host else (joiner, host)
    honest, effects = session.react(honest, events.Heard(LINK, message), 0.0)
    (named,) = told(effects)
    assert isinstance(named, events.Stopped)
    assert (named.code, named.number) == (code, number)
    assert words in named.text
    assert named.hint
    note = effects[0]
    assert isinstance(note, Save)
    assert str(note.record).startswith("note stopped")
    assert words in str(note.record)
    assert Close(LINK) in effects
    assert honest.is_closed
    assert honest.deadline is None
    cheat, effects = deliver(cheat, effects)
    (caught,) = told(effects)
    assert isinstance(caught, events.Stopped)
    assert (caught.code, caught.number) == (code, number)
    assert named.text in caught.text
    assert "stopped the match" in caught.text
    assert isinstance(effects[0], Save)
    assert cheat.is_closed


def test_a_host_that_acknowledges_another_position_is_caught() -> None:
    _, joiner = middle(cheat_is_host=False)
    joiner, effects = session.react(joiner, step_of(joiner), 0.0)
    number = playing(joiner).match.number + 1
    joiner, effects = session.react(joiner, events.Heard(LINK, wire.Ack(number, WRONG)), 0.0)
    (stopped,) = told(effects)
    assert isinstance(stopped, events.Stopped)
    assert (stopped.code, stopped.number) == ("digest", number)


def test_who_talks_without_end_is_stopped_and_an_honest_terminal_never_is() -> None:
    host, joiner = pair()
    now = 0.0
    refused = 0
    for _ in range(200):  # an honest one that tries as hard as it can
        joiner, effects = session.react(joiner, events.Speak("hi"), now)
        refused += any(isinstance(event, events.NotDone) for event in told(effects))
        host, effects = deliver(host, effects, now)
        joiner, _ = deliver(joiner, effects, now)
        now += 0.1
    assert not host.is_closed
    assert refused > 100
    flood = (Send(LINK, wire.Say(SECOND, "hi")),) * 100
    host, effects = deliver(host, flood, now)
    assert codes(effects) == ["flood"]
    assert host.is_closed


# --- Words, ends, crossings -----------------------------------------------------------------------


def test_words_are_cleaned_counted_once_and_in_both_logs() -> None:
    host, joiner = pair()
    joiner, effects = session.react(joiner, events.Speak(" hi\x07 \u202ethere " + "x" * 300), 0.0)
    assert told(effects) == []
    (say,) = sent(effects)
    assert isinstance(say, wire.Say)
    assert say.text.startswith("hi there xxx")
    assert len(say.text) == wire.MAX_SAY
    host, effects = deliver(host, effects)
    assert effects == (
        Save(f"say 1 {say.text}"),
        Send(LINK, say),
        Tell(events.Said(SECOND, say.text)),
    )
    joiner, effects = deliver(joiner, effects)
    assert effects == (Save(f"say 1 {say.text}"), Tell(events.Said(SECOND, say.text)))
    assert playing(joiner).asked == ()
    same, effects = session.react(joiner, events.Speak("\u200b \n"), 0.0)
    assert (same, effects) == (joiner, ())


def test_a_resignation_ends_the_match_but_not_the_table() -> None:
    host, joiner = pair()
    joiner, effects = session.react(joiner, events.GiveUp(SECOND), 0.0)
    assert told(effects) == []
    refused = session.react(joiner, events.Play(SECOND, Step("15")), 0.0)[1]
    assert codes(refused) == ["sending"]
    host, effects = deliver(host, effects)
    end = End("resigned", (SECOND,))
    assert effects[0] == Save(end)
    assert told(effects) == [events.Ended(end, "bob resigned")]
    joiner, effects = deliver(joiner, effects)
    assert effects == (Save(end), Tell(events.Ended(end, "bob resigned")))
    for s, seat in ((host, FIRST), (joiner, SECOND)):
        for command in (events.Play(seat, Step("15")), events.GiveUp(seat)):
            effects = session.react(s, command, 0.0)[1]
            assert codes(effects) == ["match-over"]
    joiner, effects = session.react(joiner, events.Speak("well played"), 0.0)
    host, effects = deliver(host, effects)
    assert told(effects) == [events.Said(SECOND, "well played")]


def test_two_resignations_that_cross_come_out_alike() -> None:
    host, joiner = pair()
    joiner, from_joiner = session.react(joiner, events.GiveUp(SECOND), 0.0)
    host, from_host = session.react(host, events.GiveUp(FIRST), 0.0)
    host, effects = deliver(host, from_joiner)
    assert effects == ()
    joiner, effects = deliver(joiner, from_host)
    assert playing(host).end == playing(joiner).end == End("resigned", (FIRST,))


def test_a_step_that_crosses_a_resignation_does_not_count_anywhere() -> None:
    host, joiner = middle(cheat_is_host=False)
    joiner, step = session.react(joiner, step_of(joiner), 0.0)
    host, end = session.react(host, events.GiveUp(FIRST), 0.0)
    host, effects = deliver(host, step)
    assert effects == ()
    joiner, effects = deliver(joiner, end)
    assert playing(joiner).sent is None
    assert playing(joiner).match.digest == playing(host).match.digest


def test_who_leaves_in_mid_match_is_named_and_the_logs_end() -> None:
    end = End("left", (SECOND,))
    host, joiner = pair(now=5.0)
    joiner, effects = session.react(joiner, events.Depart(), 5.0)
    assert sent(effects) == [wire.Leave()]
    assert joiner.deadline == 6.0
    assert session.react(joiner, events.Depart(), 5.0) == (joiner, ())
    host, effects = deliver(host, effects)
    assert [Save(end), Close(LINK)] == [effects[0], effects[-1]]
    left = events.Left(frozenset({SECOND}), "bob has left the table")
    assert told(effects) == [events.Ended(end, "bob left in mid-match"), left]
    joiner, effects = deliver(joiner, effects)
    assert effects[0] == Save(end)
    assert told(effects)[-1] == left
    assert host.is_closed
    assert joiner.is_closed


def test_the_host_leaves_in_mid_match() -> None:
    end = End("left", (FIRST,))
    host, joiner = pair()
    host, effects = session.react(host, events.Depart(), 5.0)
    assert effects[:2] == (Save(end), Send(LINK, wire.Over("left", (FIRST,))))
    joiner, effects = deliver(joiner, effects)
    assert effects[0] == Save(end)
    assert told(effects)[-1] == events.Left(frozenset({FIRST}), "ada has left the table")


def test_a_joiner_who_gets_no_answer_leaves_all_the_same() -> None:
    _, joiner = pair()
    joiner, _ = session.react(joiner, events.Depart(), 5.0)
    joiner, effects = session.react(joiner, events.Tick(), 6.0)
    assert isinstance(told(effects)[-1], events.Left)
    assert not any(isinstance(effect, Save) for effect in effects)  # the host does not know
    assert joiner.is_closed


@pytest.mark.parametrize("is_host", [True, False])
def test_after_the_end_one_leaves_without_a_trace_in_the_log(is_host: bool) -> None:
    host, joiner = advance(*pair(), 999)
    one, other = (host, joiner) if is_host else (joiner, host)
    left = events.Left(playing(one).mine, f"{playing(one).us} has left the table")
    one, effects = session.react(one, events.Depart(), 9.0)
    other, answers = deliver(other, effects)
    one, last = deliver(one, answers)
    done = effects + answers + last
    assert told(done) == [left, left]
    assert not any(isinstance(effect, Save) for effect in done)
    assert one.is_closed
    assert other.is_closed
    assert session.react(one, events.Speak("hello?"), 9.0) == (one, ())
    assert session.react(one, events.Opened(7), 9.0) == (one, (Close(7),))


def test_a_lost_connection_after_the_end_is_a_parting() -> None:
    host, _ = advance(*pair(), 999)
    host, effects = session.react(host, events.Gone(LINK), 9.0)
    assert isinstance(told(effects)[0], events.Left)


def test_a_terminal_that_cannot_save_stops_both_and_keeps_its_folders_to_itself() -> None:
    host, joiner = middle(cheat_is_host=True)
    error = KumiteError("cannot write /home/ada/x: disk full", hint="make room")
    host, effects = session.react(host, events.Failed(error), 0.0)
    assert told(effects) == [events.Stopped("error", str(error), "make room")]
    assert not any(isinstance(effect, Save) for effect in effects)
    assert "/home" not in repr(sent(effects))
    joiner, effects = deliver(joiner, effects)
    assert "ada's kumite cannot go on" in repr(told(effects)[0])
    assert joiner.is_closed
