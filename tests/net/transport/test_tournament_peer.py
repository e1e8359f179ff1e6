"""A tournament on real sockets of this machine: its host, and tables between its players."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kumite.core.errors import BadSetup, KumiteError
from kumite.core.tournament.tournament import SWISS, Result
from kumite.net.session import events
from kumite.net.tournament import state
from kumite.net.tournament.host import opened as new_host
from kumite.net.tournament.host import resumed
from kumite.net.transport import tournament_files
from kumite.net.transport.discovery import MATCHES, Finder, Found, Vanished
from kumite.net.transport.tournament_peer import HostPeer, PlayerPeer
from kumite.net.wire import tournament as wire
from kumite.net.wire.tournament import View
from tests.support.peers import HERE, Inbox
from tests.support.tournaments import TERMS
from tests.support.waiting import PATIENCE, wait_for


class TournamentInbox(Inbox):
    """What a terminal of a tournament has told."""

    def until(self, is_it: Callable[[View], bool]) -> View:
        while True:
            view: View = self.of(state.TournamentChanged).view
            if is_it(view):
                return view


@pytest.fixture
def opened() -> Iterator[list[Any]]:
    made: list[Any] = []
    yield made
    for one in made:
        one.close()
        assert not one._thread.is_alive()


def hold(opened: list[Any], into: Path) -> tuple[HostPeer, TournamentInbox]:
    """Open a tournament."""
    inbox = TournamentInbox()
    held = partial(new_host, TERMS, SWISS, 0)
    opened.append(HostPeer(held, inbox.queue.put, port=0, address=HERE, into=into))
    return opened[-1], inbox


def enter(opened: list[Any], listening: events.Listening, name: str, into: Path) -> Any:
    inbox = TournamentInbox()
    peer = PlayerPeer((HERE,), listening.port, listening.code, name, inbox.queue.put, into=into)
    opened.append(peer)
    return peer, inbox


def test_a_round_is_played_the_organiser_ends_and_goes_on(
    opened: list[Any], tmp_path: Path
) -> None:
    host, inbox = hold(opened, tmp_path / "o")
    listening = inbox.of(events.Listening)
    guests = []
    for name in ("ada", "bob", "cy"):
        guests.append(enter(opened, listening, name, tmp_path / name))
        inbox.until(lambda view: len(view.here) == len(guests))
    host.start_round()
    view = inbox.until(lambda view: view.round == 0)
    assert view.states == (wire.WAITS, wire.DECIDED)
    pairing = view.tournament.rounds[0][0]
    (first, _), (second, at_second) = guests[pairing.first], guests[pairing.second]
    first.open_table(wire.TableAt(0, 0, 4000, (HERE,), "7-torii-lantern"))
    assert at_second.of(state.TableOpened).table.port == 4000
    report = wire.MatchReport(0, 0, "0" * 16, int(Result.SECOND), 9, bytes(16))
    first.report(report)
    inbox.until(lambda view: view.states[0] == wire.TOLD)
    first.keep_log(0, 0, "x.kumite")
    host.close()
    inbox.of(events.Left)
    kept = tournament_files.to_resume(tmp_path / "o")
    again = HostPeer(partial(resumed, kept), inbox.queue.put, address=HERE, into=tmp_path / "o")
    opened.append(again)
    assert inbox.of(events.Listening) == listening
    inbox.until(lambda view: len(view.here) == 3)
    second.report(report)
    view = inbox.until(lambda view: view.states[0] == wire.DECIDED)
    assert view.tournament.points(pairing.second) == 2
    assert (tmp_path / "o").stat().st_mode & 0o777 == 0o700
    for path in tmp_path.rglob("*.*"):
        assert path.stat().st_mode & 0o777 == 0o600
    known = tournament_files.known(tmp_path / ("ada", "bob", "cy")[pairing.first])
    assert [one.log for one in known] == ["x.kumite"]
    first.close()
    inbox.until(lambda view: len(view.here) == 2)
    back = TournamentInbox()  # after a crash, with the ticket alone
    way = (), 0, "", known[0].name, back.queue.put
    opened.append(PlayerPeer(*way, into=first._into, ticket=known[0]))
    assert len(back.of(state.TournamentChanged).view.here) == 3
    assert opened[-1].last_match == (0, 0, "x.kumite")


def test_a_player_keeps_the_table_of_a_tournament_that_is_over(
    opened: list[Any], tmp_path: Path
) -> None:
    """The next day nobody but the organiser found who had won."""
    host, inbox = hold(opened, tmp_path / "o")
    listening = inbox.of(events.Listening)
    homes = {name: tmp_path / name for name in ("ada", "bob")} | {"cy": tmp_path / "o"}
    for count, (name, home) in enumerate(homes.items(), 1):
        enter(opened, listening, name, home)
        inbox.until(lambda view, count=count: len(view.here) == count)
    view = None
    while view is None or not view.tournament.is_over:
        assert not tournament_files.finished(tmp_path / "ada")
        host.start_round()
        view = inbox.until(lambda view: any(one.is_open for one in view.pairings))
        place = next(at for at, one in enumerate(view.pairings) if one.is_match)
        host.decide(place, Result.FIRST)
        view = inbox.until(lambda view: not view.tournament.is_running)
    for name, home in homes.items():
        wait_for(lambda home=home: tournament_files.finished(home) or home.name == "o", "the table")
        found = tournament_files.finished(home)
        assert [one.tournament for one, _ in found] == [view.tournament] * (home.name != "o")
        assert all(one.welcome.name == "Friday" for one, _ in found)
        assert all(one.me == [*homes].index(name) for one, _ in found)
    host.decide(place, Result.SECOND)  # it is corrected
    view = inbox.until(lambda now: now.tournament != view.tournament)
    wait_for(
        lambda: tournament_files.finished(tmp_path / "bob")[0][0].tournament == view.tournament,
        "the corrected table",
    )


def test_who_goes_on_at_a_port_that_is_taken_takes_another_and_one_program_alone_does(
    opened: list[Any], tmp_path: Path
) -> None:
    _, inbox = hold(opened, tmp_path)
    port, code = (listening := inbox.of(events.Listening)).port, listening.code
    inbox.of(state.TournamentChanged)
    kept = tournament_files.to_resume(tmp_path)
    assert kept.port == port

    def again(**more: Any) -> TournamentInbox:
        found = TournamentInbox()
        more = {"address": HERE, "into": tmp_path, **more}
        opened.append(HostPeer(partial(resumed, kept), found.queue.put, **more))
        return found

    stopped = again().queue.get(timeout=PATIENCE)  # it is open there: not even elsewhere
    assert isinstance(stopped, events.Stopped)
    assert "another kumite holds this tournament" in stopped.text
    opened[0].close()
    with socket.create_server((HERE, port)):
        stopped = again(port=port).queue.get(timeout=PATIENCE)  # as somebody has said
        assert isinstance(stopped, events.Stopped)
        assert stopped.code == "port-in-use"
        opened[-1].close()  # it has told why, and lets the file go as it ends
        found = again()
        listening = found.of(events.Listening)
        assert listening.port != port
        assert listening.code == code
        found.of(state.TournamentChanged)
    assert tournament_files.to_resume(tmp_path).port == listening.port


def test_a_table_of_a_tournament_is_announced_for_servers_whose_guests_come_to_it(
    opened: list[Any], tmp_path: Path
) -> None:
    """By a name that says nothing of it: its player is told where it is by the tournament alone."""
    (_, inbox), found = hold(opened, tmp_path / "o"), list[Any]()
    listening = inbox.of(events.Listening)
    player = PlayerPeer(
        (HERE,), listening.port, listening.code, "ada", TournamentInbox().queue.put,
        into=tmp_path / "ada", mdns=(HERE,),
    )  # fmt: skip
    opened.append(player)
    inbox.until(lambda view: len(view.here) == 1)
    finder = Finder(found.append, interfaces=(HERE,), service=MATCHES)
    finder.start()

    def key_of(port: int) -> str:
        """Return under which name the table was found; other tests announce theirs as well."""
        keys = [o.key for o in found if isinstance(o, Found) and o.table.port == port]
        return keys[0] if keys else ""

    first, second = 4000, 4001
    for port in (first, second):  # of one round, and of the next
        player.open_table(wire.TableAt(0, 0, port, (HERE,), "7-torii-lantern"))
        wait_for(partial(key_of, port), "the table")
    wait_for(lambda: Vanished(key_of(first)) in found, "the end of the first")
    player.close()
    wait_for(lambda: Vanished(key_of(second)) in found, "the end of the second")
    finder.close()


def test_files_that_cannot_be_used_are_told_or_passed_over(tmp_path: Path) -> None:
    with pytest.raises(BadSetup, match="no tournament"):
        tournament_files.to_resume(tmp_path)
    (tmp_path / "a.ticket").write_bytes(b"x")
    assert tournament_files.known(tmp_path) == ()
    (tmp_path / "a.tournament").write_bytes(b"x")
    with pytest.raises(KumiteError):
        tournament_files.to_resume(tmp_path)


def test_a_tournament_that_cannot_be_kept_is_closed_with_a_reason(
    opened: list[Any], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    _, inbox = hold(opened, tmp_path / "file")
    found: Any = None
    while not isinstance(found, events.Stopped):
        found = inbox.queue.get(timeout=PATIENCE)
    assert found.code == "log-file"
