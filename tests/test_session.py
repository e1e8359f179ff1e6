"""Sessions: greeting, play, cheats, crossings, heartbeat; whole matches in virtual time."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadSetup, KumiteError
from core.game import Seat, Setup, Step
from core.games import kuzushi
from core.log import End, read
from core.match import Match
from net import events, session, wire
from net.events import Close, Save, Send, Tell
from net.session import Stage
from tests.lan import (
    LAST,
    LINK,
    MATCH_ID,
    MK6,
    VERSION,
    Lan,
    Terminal,
    codes,
    deliver,
    pair,
    random_player,
    sent,
    table,
    told,
)
from tests.random_matches import choose, setups
from tests.test_wire import HOSTILE, MESSAGES
from tests.toys import Toy
from tui.bench import ALL_GAMES

if TYPE_CHECKING:
    from pathlib import Path

    from net.events import Command, Effects, Event
    from net.playing import Playing
    from net.session import Session

SEED = 20  # of all simulated matches; printed with the number of the match when one fails
FIRST, SECOND = Seat(0), Seat(1)


def playing(s: Session) -> Playing:
    assert s.playing is not None
    return s.playing


# --- Whole matches over a simulated line ----------------------------------------------------------

SETUPS = [setup for game in ALL_GAMES.values() for setup in setups(game)]


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
        lan.run(until=2000.0, is_done=lambda: all(map(is_over, lan.terminals)))
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
            lan.run(until=2000.0, is_done=lambda: is_over(lan.host))
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
                assert "kumite resume" in terminal.events[-1].hint


# --- Greeting -------------------------------------------------------------------------------------


def greeted(
    host: Session, hello: wire.Message, link: int = LINK, now: float = 0.0
) -> tuple[Session, Effects]:
    host, opened = session.react(host, events.Opened(link), now)
    assert sent(opened) == []  # a host does not speak first
    return session.react(host, events.Heard(link, hello), now)


def hosting(**changes: Any) -> Session:
    changes = {"setup": Setup.of(kuzushi), **changes}
    return session.host(table(**changes), MATCH_ID, VERSION)


HELLO = wire.Hello(wire.PROTOCOL, VERSION, "bob")


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


def offer(host: Session) -> wire.Offer:
    _, effects = greeted(host, HELLO, link=99)
    (message,) = sent(effects)
    assert isinstance(message, wire.Offer)
    return message


def joining(games: Any = ALL_GAMES) -> Session:
    joiner = session.join("bob", VERSION, games)
    joiner, effects = session.react(joiner, events.Opened(LINK), 0.0)
    assert sent(effects) == [HELLO]
    return joiner


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


# --- Steps ----------------------------------------------------------------------------------------


def numbers(effects: Effects) -> list[int]:
    return [one.match.number for one in told(effects) if isinstance(one, events.MatchChanged)]


def step_of(s: Session) -> events.Play:
    actor, step = choose(playing(s).match, Random(3))
    return events.Play(actor, step)


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
    host, joiner = pair()
    for _ in range(6 if cheat_is_host else 7):
        is_hosts = playing(host).match.actors[0] in playing(host).mine
        one, other = (host, joiner) if is_hosts else (joiner, host)
        one, effects = session.react(one, step_of(one), 0.0)
        other, effects = deliver(other, effects)
        one, effects = deliver(one, effects)
        host, joiner = (one, other) if is_hosts else (other, one)
    return host, joiner


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


@given(st.lists(MESSAGES | HOSTILE.map(lambda data: wire.Broken(repr(data)[:300])), max_size=8))
def test_no_messages_whatever_make_a_session_raise(messages: list[wire.Received]) -> None:
    for s in pair(table(Setup.of(kuzushi, 3), seats=(0, 2))):
        is_closed = False
        for message in messages:
            s, effects = session.on_message(s, LINK, message, 1.0)
            for out in sent(effects):
                wire.pack_message(out)
            if is_closed:
                assert effects == ()
            is_closed = s.is_closed
            assert is_closed == (Close(LINK) in effects or (is_closed and not effects))
        lasts = [event for event in told(effects) if isinstance(event, LAST)] if messages else []
        assert len(lasts) <= 1


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


def finished() -> tuple[Session, Session]:
    host, joiner = pair(table())
    while playing(host).match.actors:
        is_hosts = playing(host).match.actors[0] == FIRST
        one, other = (host, joiner) if is_hosts else (joiner, host)
        one, effects = session.react(one, step_of(one), 0.0)
        other, effects = deliver(other, effects)
        one, effects = deliver(one, effects)
        host, joiner = (one, other) if is_hosts else (other, one)
    return host, joiner


@pytest.mark.parametrize("is_host", [True, False])
def test_after_the_end_one_leaves_without_a_trace_in_the_log(is_host: bool) -> None:
    host, joiner = finished()
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
    host, _ = finished()
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
