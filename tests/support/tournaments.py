"""Tournaments without sockets: a host, players, and the lines between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.tournament.pairing import next_round
from kumite.core.tournament.tournament import SWISS, Result
from kumite.net.session import events
from kumite.net.tournament import host, player, state
from kumite.net.tournament.host import Change, HostMachine
from kumite.net.tournament.machine import Machine
from kumite.net.tournament.player import PlayerMachine
from kumite.net.tournament.state import SEATS, Terms, TicketFile, TournamentFile
from kumite.net.transport import tournament_files
from kumite.net.wire import tournament as wire
from kumite.net.wire.tournament import View
from tests.support.simulation import TOYS, Network, Node
from tests.support.told import is_of

TERMS = Terms("Friday", Setup.of(GAMES["kitsu"], SEATS), (600, 5, 60))
PAIRS = {"pairs": TOYS["pairs"]}


@dataclass
class TournamentNode(Node):
    """A program of a host or a player, and its disk."""

    session: Any

    @property
    def kept(self) -> Any:
        return state.of_bytes(self.disk)

    @property
    def view(self) -> View:
        view: View = self.of(state.TournamentChanged)[-1].view
        return view

    def of(self, kind: type[Any] | events.Status) -> list[Any]:
        return [one for one in self.events if is_of(one, kind)]

    def start(self) -> None:
        self._do(self.machine.begin(self.session, self.net.now))

    def _done(self, effect: Any) -> None:
        if isinstance(effect, state.Write):
            self.disk = state.to_bytes(effect.record)
        else:
            super()._done(effect)


class TournamentNet(Network):
    """A tournament: the host is the first node, then come players."""

    def __init__(self, seed: object, *names: str, system: str = SWISS, length: int = 0) -> None:
        super().__init__(seed)
        made = host.opened(TERMS, system, length, "1", self.entropy(), **PAIRS)
        self._add("organiser", HostMachine, made)
        for name in names:
            self.enter(name)
            self.rest()

    def _add(self, name: str, machine: type[Machine[Any]], made: Any) -> TournamentNode:
        node = TournamentNode(name, self, made, machine=machine)
        self.nodes.append(node)
        node.start()
        return node

    @property
    def organiser(self) -> TournamentNode:
        return self.nodes[0]

    @property
    def players(self) -> Sequence[TournamentNode]:
        return self.nodes[1:]

    def enter(
        self, name: str, code: str = "", known: Sequence[TicketFile] = (), *, plays: bool = True
    ) -> TournamentNode:
        code = code or self.host.session.door.code
        made = player.entering(code, name, "1", self.entropy(), known, plays, **PAIRS)
        return self._add(name, PlayerMachine, made)

    def rest(self, seconds: float = 1.0) -> None:
        self.run(self.now + seconds)

    def does(self, node: TournamentNode, given: Any) -> None:
        node.feed(given)
        self.rest()

    def begin_round(self) -> None:
        self.does(self.host, Change(lambda t: t.with_round(next_round(t))))

    def pair(self, place: int = 0) -> tuple[int, int]:
        """Return who plays whom in this round."""
        one = self.host.view.tournament.rounds[-1][place]
        return one.first, one.second

    def decide(self, result: Result, place: int = 0) -> None:
        self.does(self.host, Change(lambda t: t.with_result(place, result)))

    def report(self, player: int, result: Result, **changes: Any) -> None:
        """Let a player report about their match, with anything else in it."""
        node = self.players[player]
        view = node.view
        place = view.my_place
        known = {"match_id": "0" * 16, "steps": 9, "digest": bytes(16)}
        told = {"round": view.round, "place": place, "result": int(result), **known, **changes}
        self.does(node, wire.MatchReport(**told))

    def play_round(self, result: Result = Result.FIRST) -> None:
        """Let all play what is open in this round."""
        for place, pairing in enumerate(self.host.view.tournament.rounds[-1]):
            for number in self.pair(place) if pairing.is_open else ():
                self.report(number, result)

    def kill_host(self) -> None:
        self.kill(self.host)

    def restart_host(self, kept: TournamentFile) -> None:
        self.host.session = host.resumed(kept, "1", self.entropy(), **PAIRS)
        self.host.is_alive = True
        self.host.start()
        self.rest(10)

    def restart_player(self, node: TournamentNode) -> None:
        """Start a player's program anew, with the code and what was kept."""
        self.kill(node)
        self.rest()
        node.session = player.entering(
            self.host.session.door.code, node.name, "1", self.entropy(), [node.kept], **PAIRS
        )
        node.events.clear()
        node.is_alive = True
        node.start()
        self.rest()

    def same_everywhere(self) -> View:
        """Return the view that all see."""
        views = [one.view for one in self.nodes if one.is_alive]
        first: View = views[0]
        for one in views:
            assert (one.tournament, one.here, one.states) == (
                first.tournament,
                first.here,
                first.states,
            )
        return first


def is_over(node: TournamentNode) -> bool:
    return any(
        isinstance(one, events.Stopped) or (isinstance(one, events.Left) and one.is_closed)
        for one in node.events
    )


def kept(tournament_id: str = "a" * 16, name: str = "Friday", **changes: Any) -> TournamentFile:
    """Keep a tournament that nobody has come to yet."""
    made = host.opened(TERMS, SWISS, 0, "1", bytes(32))
    begun, _ = host.HostMachine.begin(made, 0.0)
    welcome = replace(begun.written.welcome, tournament_id=tournament_id, name=name)
    record = replace(begun.written, welcome=welcome, **changes)
    tournament_files.write(record, tournament_files.tournaments())
    return record
