"""Halls of tournaments without sockets: an organiser, players, and the lines between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.tournament.event import SWISS, Result
from kumite.net.hall import guest, organiser, records, talk
from kumite.net.hall.board import SEATS, Board, Terms
from kumite.net.session import events, inputs
from kumite.net.session.effects import Close, Connect, Send, Tell
from kumite.net.wire import hall
from tests.support.simulation import TOYS, Line, Network

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.net.hall.guest import Guest
    from kumite.net.hall.organiser import Organiser
    from kumite.net.hall.records import GuestKept, HallKept

TERMS = Terms("Friday", Setup.of(GAMES["kitsu"], SEATS), (600, 5, 60))
PAIRS = {"pairs": TOYS["pairs"]}


@dataclass
class HallNode:
    """A program of an organiser or a player, and its disk."""

    name: str
    net: Halls
    how: ModuleType  # organiser.py or guest.py
    session: Any
    disk: bytes = b""
    told: list[Any] = field(default_factory=list)
    ends: dict[int, Line] = field(default_factory=dict)
    is_alive: bool = True
    life: int = 0
    links: int = 0
    alarm: float | None = None
    sent: list[bytes] = field(default_factory=list)

    @property
    def kept(self) -> Any:
        return records.of_bytes(self.disk)

    @property
    def board(self) -> Board:
        return next(one.board for one in reversed(self.told) if isinstance(one, talk.HallChanged))

    def of(self, kind: type[Any]) -> list[Any]:
        return [one for one in self.told if isinstance(one, kind)]

    def start(self) -> None:
        self._do(self.how.begin(self.session, self.net.now))

    def feed(self, given: Any) -> None:
        if self.is_alive:
            self._do(self.how.react(self.session, given, self.net.now))

    def _do(self, result: tuple[Any, talk.HallEffects]) -> None:
        self.session, effects = result
        for effect in effects:
            match effect:
                case Send(link):
                    frames = effect.frames()
                    if link in self.ends:
                        self.ends[link].send(self, frames)
                case talk.Write(record):
                    self.disk = records.to_bytes(record)
                case Tell(event) | talk.TellHall(event):
                    self.told.append(event)
                case Connect():
                    self.net.connect(self)  # type: ignore[arg-type]
                case Close(link):
                    if (line := self.ends.pop(link, None)) is not None:
                        line.hang_up(self)  # type: ignore[arg-type]
                case _:
                    raise AssertionError(effect)
        due = self.how.deadline(self.session)
        if due is not None and due != self.alarm:
            self.alarm, life = due, self.life
            self.net.at(due, lambda: self._ring(due, life))

    def _ring(self, due: float, life: int) -> None:
        if self.is_alive and self.alarm == due and self.life == life:
            self.alarm = None
            self.feed(inputs.Tick())


class Halls(Network):
    """A hall: the organiser is the first node, then come players."""

    def __init__(self, seed: object, *names: str, system: str = SWISS, length: int = 0) -> None:
        super().__init__(seed)
        made = organiser.opened(TERMS, system, length, "1", self.entropy(), **PAIRS)
        self._add("organiser", organiser, made)
        for name in names:
            self.enter(name)
            self.rest()

    def _add(self, name: str, how: ModuleType, made: Organiser | Guest) -> HallNode:
        node = HallNode(name, self, how, made)
        self.nodes.append(node)  # type: ignore[arg-type]
        node.start()
        return node

    @property
    def organiser(self) -> HallNode:
        return self.nodes[0]  # type: ignore[return-value]

    @property
    def players(self) -> Sequence[HallNode]:
        return self.nodes[1:]  # type: ignore[return-value]

    def enter(self, name: str, code: str = "", known: Sequence[GuestKept] = ()) -> HallNode:
        code = code or self.organiser.session.door.code
        made = guest.entering(code, name, "1", self.entropy(), known, **PAIRS)
        return self._add(name, guest, made)

    def rest(self, seconds: float = 1.0) -> None:
        self.run(self.now + seconds)

    def does(self, node: HallNode, given: Any) -> None:
        node.feed(given)
        self.rest()

    def begin_round(self) -> None:
        self.does(self.organiser, talk.StartRound())

    def report(self, player: int, result: Result, **changes: Any) -> None:
        """Let a player report about their match, with anything else in it."""
        node = self.players[player]
        board = node.board
        place = board.my_place
        assert place is not None
        known = {"match_id": "0" * 16, "steps": 9, "digest": bytes(16)}
        told = {"round": board.round, "place": place, "result": int(result), **known, **changes}
        self.does(node, talk.Report(hall.Reported(**told)))

    def play_round(self, result: Result = Result.FIRST) -> None:
        """Let all play what is open in this round."""
        for pairing in self.organiser.board.tournament.rounds[-1]:
            if pairing.is_open:
                assert pairing.second is not None
                self.report(pairing.first, result)
                self.report(pairing.second, result)

    def restart_organiser(self) -> None:
        kept: HallKept = self.organiser.kept
        self.kill(self.organiser)  # type: ignore[arg-type]
        self.rest(5)
        self.organiser.session = organiser.resumed(kept, "1", self.entropy(), **PAIRS)
        self.organiser.is_alive = True
        self.organiser.start()

    def restart_player(self, node: HallNode) -> None:
        """Start a player's program anew, with the code and what was kept."""
        self.kill(node)  # type: ignore[arg-type]
        self.rest()
        node.session = guest.entering(
            self.organiser.session.door.code, node.name, "1", self.entropy(), [node.kept], **PAIRS
        )
        node.told.clear()
        node.is_alive = True
        node.start()
        self.rest()

    def same_everywhere(self) -> Board:
        """Return the board that all see."""
        boards = [one.board for one in self.nodes if one.is_alive]  # type: ignore[attr-defined]
        first: Board = boards[0]
        for one in boards:
            assert (one.tournament, one.here, one.states) == (
                first.tournament,
                first.here,
                first.states,
            )
        return first


def is_over(node: HallNode) -> bool:
    return any(
        isinstance(one, events.Stopped) or (isinstance(one, events.Left) and one.is_closed)
        for one in node.told
    )
