"""Sessions: whole matches in virtual time, greeting, strangers, heartbeat."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadSetup
from core.game import Seat, Setup, Step
from core.games import kuzushi
from core.log import read
from core.match import Match
from net import events, session, wire
from net.events import Close, Send
from net.session import Stage
from tests.lan import (
    HELLO,
    LAST,
    LINK,
    MATCH_ID,
    VERSION,
    Lan,
    Terminal,
    codes,
    deliver,
    greeted,
    joining,
    offer,
    pair,
    playing,
    random_player,
    sent,
    step_of,
    table,
    told,
)
from tests.random_matches import setups
from tests.test_wire import HOSTILE, MANY_SEATS, MESSAGES, NAMES, OPTIONS, texts
from tests.toys import Toy
from tui.bench import ALL_GAMES

if TYPE_CHECKING:
    from pathlib import Path

    from net.events import Command, Event
    from net.session import Session

SEED = 20  # of all simulated matches; printed with the number of the match when one fails
FIRST, SECOND = Seat(0), Seat(1)


# --- Whole matches over a simulated line ----------------------------------------------------------


def is_shared(setup: Setup) -> bool:
    """Return whether this version can play the game over a LAN."""
    try:
        table(setup).check()
    except BadSetup:
        return False
    return True


SETUPS = [one for game in ALL_GAMES.values() for one in setups(game) if is_shared(one)]


def simulated(number: int, folder: Path) -> Lan:
    """Return match `number`, with terminals that play at random, talk, and sometimes end it."""
    rng = Random(f"{SEED} {number}")
    setup = SETUPS[number % len(SETUPS)]
    host_seats = rng.sample(range(setup.seats), rng.randrange(1, setup.seats))
    given_ = table(setup, host_seats, names=("ada",) * setup.seats)
    lan = Lan(given_, folder, (SEED, number))

    def feed(terminal: Terminal, delay: float, command: Command) -> None:
        lan.after(delay, lambda: terminal.feed(command))

    def player(terminal: Terminal, event: Event) -> None:
        random_player(terminal, event)
        if not isinstance(event, events.Began):
            return
        lan.delay = rng.choice((0.001, 0.05, 1.0))  # the slower, the more crosses on the way
        for said in range(rng.randrange(6)):
            feed(terminal, rng.uniform(0, 20), events.Speak(f"{terminal.name} says {said}"))
        for command in (events.GiveUp(min(event.seats)), events.Depart()):
            if rng.random() < 0.15:
                feed(terminal, rng.uniform(0, 20), command)

    for terminal in lan.terminals:
        terminal.player = player
    lan.connect()
    return lan


def is_over(terminal: Terminal) -> bool:
    s = terminal.session
    return s.is_closed or (s.playing is not None and s.playing.is_over)


@pytest.mark.parametrize("number", range(64))
def test_both_terminals_end_with_the_same_log(number: int, tmp_path: Path) -> None:
    print(f"seed {SEED}, match {number}: {SETUPS[number % len(SETUPS)]}")
    with simulated(number, tmp_path) as lan:
        lan.run(until=20_000.0, is_done=lambda: all(map(is_over, lan.terminals)))
        assert all(map(is_over, lan.terminals))
        lan.run(until=lan.now + 20.0)
        lan.host.feed(events.Depart())
        lan.run(until=lan.now + 20.0)
        for terminal in lan.terminals:
            found = read(terminal.text(), ALL_GAMES)
            assert found.damage is None
            assert found.match.digest == terminal.match.digest
            assert found.header.by == playing(terminal.session).mine
            assert isinstance(terminal.events[-1], events.Left)
        if "without an answer" in repr(lan.joiner.events[-1]):
            lan.joiner.check_prefix()
        else:
            assert lan.host.lines() == lan.joiner.lines()
        assert read(lan.host.text(), ALL_GAMES).end is not None


def test_the_matches_above_end_in_every_way(tmp_path: Path) -> None:
    ways = set()
    for number in range(20):
        with simulated(number, tmp_path / str(number)) as lan:
            lan.run(until=20_000.0, is_done=lambda: is_over(lan.host))
            end = read(lan.host.text(), ALL_GAMES).end
            ways.add(end.kind if end else "none")
    assert ways == {"outcome", "resigned", "left"}


def test_a_line_that_breaks_leaves_two_unfinished_logs(tmp_path: Path) -> None:
    setup = Setup.of(kuzushi)
    for number in range(12):
        with Lan(table(setup), tmp_path / str(number), (SEED, "cut", number), delay=0.3) as lan:
            for terminal in lan.terminals:
                terminal.player = random_player
            lan.connect()
            lan.run(until=3.0 + number)
            lan.host.hang_up()
            lan.joiner.hang_up()
            lan.run(until=100.0)
            host, joiner = (read(terminal.text()) for terminal in lan.terminals)
            assert host.end is None
            assert joiner.end is None
            ahead = host.match.number - joiner.match.number
            assert 0 <= ahead <= 2  # a joiner's step and the host's next, both not told yet
            assert host.match.back(joiner.match.number).digest == joiner.match.digest
            for terminal in lan.terminals:
                assert isinstance(terminal.events[-1], events.Lost)
                assert "Saved matches" in terminal.events[-1].hint


# --- Greeting -------------------------------------------------------------------------------------


def hosting(**changes: Any) -> Session:
    changes = {"setup": Setup.of(kuzushi), **changes}
    return session.host(table(**changes), MATCH_ID, VERSION)


def test_the_greeting_settles_seats_names_options_and_match() -> None:
    setup = Setup.of(kuzushi, 4, {"board": "small"})
    host, joiner = pair(table(setup, seats=(0, 2), names=("ada", "", "eve", "")))
    for s, mine in ((host, {0, 2}), (joiner, {1, 3})):
        header = playing(s).header
        assert header.match_id == MATCH_ID
        assert header.setup.options == {"board": "small"}
        assert header.names == ("ada", "bob", "eve", "bob")
        assert header.by == playing(s).mine == mine
    assert playing(host).match.digest == playing(joiner).match.digest
    assert playing(joiner).them == "ada and eve"
    assert playing(host).them == "bob"


def test_names_are_cleaned_before_anybody_sees_them() -> None:
    host, joiner = pair(table(names=("ada\x1b[2J" + "a" * 99, "")))
    assert playing(host).header.names[0] == "ada [2J" + "a" * 17
    assert playing(joiner).header.names == playing(host).header.names


@pytest.mark.parametrize(("theirs", "updates"), [(2, "the host"), (0, "bob")])
def test_another_protocol_is_refused_and_named_on_both_sides(theirs: int, updates: str) -> None:
    host, effects = greeted(hosting(), wire.Hello(theirs, "9.9", "bob"))
    (refusal,) = sent(effects)
    assert isinstance(refusal, wire.Refuse)
    assert refusal.code == "other-protocol"
    assert "protocol 1" in refusal.text
    assert f"protocol {theirs}" in refusal.text
    assert refusal.hint == f"{updates} should update kumite"
    (away,) = told(effects)
    assert isinstance(away, events.TurnedAway)
    assert (away.text, away.hint) == (refusal.text, refusal.hint)
    assert Close(LINK) in effects
    assert not host.is_closed
    assert greeted(host, HELLO, link=2)[1][0] == Send(2, offer(host))  # it goes on waiting


@pytest.mark.parametrize(
    ("changes", "code", "says", "updates"),
    [
        ({"rules": 2}, "other-rules", "by rules 2, bob (0.1.0) by rules 1", "bob"),
        ({"rules": 0}, "other-rules", "by rules 0, bob (0.1.0) by rules 1", "the host"),
        ({"game": "shogi"}, "unknown-game", "plays shogi, which", "bob"),
        ({"options": (("board", "huge"),)}, "bad-setup", "option board cannot be 'huge'", ""),
        ({"options": (("wind", 3),)}, "bad-setup", "no option 'wind'", ""),
        ({"options": ()}, "bad-setup", "does not fit its own game", ""),
        ({"seats": 1}, "bad-setup", "cannot be played by 1", ""),
        ({"names": ("ada",)}, "bad-setup", "does not fit its own game", ""),
        ({"yours": ()}, "bad-setup", "each of the two terminals plays", ""),
        ({"yours": (0, 1)}, "bad-setup", "each of the two terminals plays", ""),
        ({"yours": (5,)}, "bad-setup", "does not fit its own game", ""),
    ],
)
def test_a_table_that_cannot_be_played_is_refused_and_named_on_both_sides(
    changes: dict[str, Any], code: str, says: str, updates: str
) -> None:
    host, _ = greeted(hosting(), HELLO)
    joiner, effects = session.react(
        joining(), events.Heard(LINK, replace(offer(host), **changes)), 0.0
    )
    (stopped,) = told(effects)
    assert isinstance(stopped, events.Stopped)
    assert stopped.code == code
    assert says in stopped.text
    assert updates in stopped.hint
    assert joiner.is_closed
    host, effects = deliver(host, effects)
    (away,) = told(effects)
    assert away == events.TurnedAway("bob", code, stopped.text, stopped.hint)
    assert Close(LINK) in effects
    assert not host.is_closed


def test_two_kumites_that_begin_differently_do_not_play() -> None:
    host, _ = greeted(hosting(), HELLO)
    host, effects = session.react(host, events.Heard(LINK, wire.Accept(bytes(16))), 0.0)
    assert isinstance(sent(effects)[0], wire.Refuse)
    assert "begins differently" in repr(told(effects)[0])
    assert host.playing is None


def test_the_first_to_accept_gets_the_seats_and_everybody_else_a_polite_word() -> None:
    host, _ = greeted(hosting(), HELLO, link=1)
    host, _ = greeted(host, wire.Hello(wire.PROTOCOL, VERSION, "eve"), link=2)
    accept = wire.Accept(Match.begin(Setup.of(kuzushi)).digest)
    host, effects = session.react(host, events.Heard(2, accept), 0.0)
    assert [Send(2, wire.Start())] == [one for one in effects if isinstance(one, Send)]
    assert playing(host).header.names == ("ada", "eve")
    for given_, link in ((accept, 1), (HELLO, 3)):
        if link == 3:
            host, _ = session.react(host, events.Opened(3), 1.0)
        host, effects = session.react(host, events.Heard(link, given_), 1.0)
        assert effects == (Send(link, session.FULL), Close(link))
    assert playing(host).link == 2
    joiner, effects = session.react(joining(), events.Heard(LINK, session.FULL), 0.0)
    assert told(effects) == [events.Stopped("full", session.FULL.text, session.FULL.hint)]
    assert joiner.is_closed


def test_a_joiner_who_goes_before_the_match_leaves_the_host_waiting() -> None:
    host, _ = greeted(hosting(), HELLO)
    host, effects = session.react(host, events.Gone(LINK), 1.0)
    assert told(effects) == []
    host, effects = greeted(host, HELLO, link=2)
    assert len(sent(effects)) == 1


@settings(deadline=None)  # a busy machine is no fault
@given(st.lists(HOSTILE, min_size=1, max_size=4))
def test_a_stranger_hears_nothing_and_harms_nothing(pieces: list[bytes]) -> None:
    host, effects = session.react(hosting(), events.Opened(LINK), 0.0)
    decoder = wire.Decoder()
    for piece in pieces:
        decoder, messages = decoder.feed(piece)
        for message in messages:
            host, more = session.react(host, events.Heard(LINK, message), 0.0)
            effects += more
    if not any(isinstance(message, wire.Offer | wire.Refuse) for message in sent(effects)):
        assert sent(effects) == []
    assert host.playing is None
    assert not host.is_closed
    assert len(greeted(host, HELLO, link=2)[1]) == 1


def test_a_silent_stranger_is_dropped_after_ten_seconds() -> None:
    host, _ = session.react(hosting(), events.Opened(LINK), 5.0)
    assert host.deadline == 15.0
    assert session.react(host, events.Tick(), 14.9) == (host, ())
    host, effects = session.react(host, events.Tick(), 15.0)
    assert effects == (Close(LINK),)
    assert host.deadline is None


def test_of_too_many_silent_strangers_the_oldest_makes_room() -> None:
    host = hosting()
    for link in range(1, session.HALF_OPEN + 1):
        host, effects = session.react(host, events.Opened(link), float(link))
        assert effects == ()
    host, _ = session.react(host, events.Heard(1, HELLO), 9.0)  # 1 is on the way to a seat
    host, effects = session.react(host, events.Opened(100), 9.0)
    assert effects == (Close(2),)
    assert len(host.links) == session.HALF_OPEN


def test_strangers_cannot_fill_the_hosts_screen() -> None:
    host = hosting()
    heard: list[Event] = []
    for link in range(100):
        host, effects = greeted(host, wire.Hello(7, "7", f"x{link}"), link, now=link / 50)
        heard += told(effects)
    assert len(heard) == 2


def test_what_answers_like_no_table_is_named_to_the_joiner() -> None:
    for message, code in (
        (wire.Broken("it does not begin like kumite"), "no-table"),
        (wire.Start(), "unexpected"),
        (wire.Stop(0, "log-file", "no disk"), "log-file"),
    ):
        joiner, effects = session.react(joining(), events.Heard(LINK, message), 0.0)
        (stopped,) = told(effects)
        assert isinstance(stopped, events.Stopped)
        assert stopped.code == code
        assert stopped.hint
        assert joiner.is_closed
        assert Close(LINK) in effects
    joiner, effects = session.react(joining(), events.Tick(), session.GREETING_TIME)
    assert codes(effects) == ["no-answer"]
    joiner, effects = session.react(joining(), events.Gone(LINK), 1.0)
    assert codes(effects) == ["closed"]


def test_games_that_cannot_be_shared_yet_are_refused_when_the_table_opens() -> None:
    for script, says in (("f0", "chance"), ("c0", "chance"), ("b", "at the same time")):
        with pytest.raises(BadSetup, match=says):
            hosting(setup=Setup.of(Toy(script)))
    for seats in ((), (0, 1), (2,)):
        with pytest.raises(BadSetup, match="at least one seat"):
            hosting(seats=seats)


def test_nobody_can_play_before_the_match_has_begun() -> None:
    for s in (hosting(), joining()):
        same, effects = session.react(s, events.Play(FIRST, Step("14")), 0.0)
        assert same == s
        assert codes(effects) == ["not-begun"]
        left, effects = session.react(s, events.Depart(), 0.0)
        assert isinstance(told(effects)[0], events.Left)
        assert left.is_closed


def sessions() -> list[Session]:
    """Return a session of each kind, at each stage of the greeting and in the match."""
    waiting, _ = session.react(hosting(), events.Opened(LINK), 0.0)
    offered, _ = greeted(hosting(), HELLO)
    accepted, _ = session.react(joining(), events.Heard(LINK, offer(offered)), 0.0)
    return [waiting, offered, joining(), accepted, *pair(table(Setup.of(kuzushi, 3), (0, 2)))]


OFFERS = st.builds(
    wire.Offer,
    st.just(VERSION),
    st.just(MATCH_ID),
    st.sampled_from(["kuzushi", "mk6"]),
    st.just(1),
    st.integers(1, 6),
    st.lists(OPTIONS | st.just(("board", "small")), max_size=3).map(tuple),
    st.lists(NAMES, max_size=6).map(tuple),
    MANY_SEATS,
)


@settings(deadline=None)
@given(st.lists(MESSAGES | OFFERS | st.builds(wire.Broken, texts(wire.MAX_TEXT)), max_size=8))
def test_no_messages_whatever_make_a_session_raise(messages: list[wire.Received]) -> None:
    for s in sessions():
        lasts: list[Event] = []
        for message in messages:
            was_closed = s.is_closed
            s, effects = session.on_message(s, LINK, message, 1.0)
            for out in sent(effects):
                wire.pack_message(out)
            assert not was_closed or effects == ()
            lasts += [event for event in told(effects) if isinstance(event, LAST)]
        assert len(lasts) == s.is_closed


# --- Heartbeat ------------------------------------------------------------------------------------


def test_a_silent_line_is_told_once_and_never_ends_a_match(tmp_path: Path) -> None:
    with Lan(table(), tmp_path, SEED, delay=0.001) as lan:
        lan.connect()
        lan.run(until=60.0)
        for terminal in lan.terminals:
            assert not any(isinstance(event, events.Quiet) for event in terminal.events)
        lan.host.is_deaf = True
        lan.run(until=3600.0)
        quiet = [event for event in lan.host.events if isinstance(event, events.Quiet)]
        assert quiet == [events.Quiet(frozenset({SECOND}), quiet[0].text)]
        assert "Nothing heard from bob for 10 s" in quiet[0].text
        assert not any(isinstance(event, events.Quiet) for event in lan.joiner.events)
        lan.host.is_deaf = False
        lan.run(until=3610.0)
        assert isinstance(lan.host.events[-1], events.HeardAgain)
        lan.host.feed(step_of(lan.host.session))
        lan.run(until=3611.0)
        assert lan.joiner.match.number == 1


def test_pings_go_out_every_five_seconds_and_are_answered() -> None:
    host, joiner = pair(now=100.0)
    assert host.deadline == 105.0
    assert session.react(host, events.Tick(), 104.9) == (host, ())
    host, effects = session.react(host, events.Tick(), 105.0)
    assert sent(effects) == [wire.Ping(1)]
    assert host.deadline == 110.0
    joiner, effects = deliver(joiner, effects, 105.0)
    assert sent(effects) == [wire.Pong(1)]
    host, effects = deliver(host, effects, 105.0)
    assert effects == ()
    link = host.link(LINK)
    assert link is not None
    assert (link.stage, link.heard) == (Stage.SEATED, 105.0)
