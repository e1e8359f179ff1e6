"""Data shared by a tournament's host and players, their files, and events for the app; pure."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, ClassVar, Final, TypeAlias

from kumite.core.codec import decode, encode
from kumite.core.errors import BadData, BadSetup
from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.tournament.tournament import MOST, Tournament
from kumite.net.crypto.pairing import PROOF
from kumite.net.session.events import Effect, Event
from kumite.net.wire import fields
from kumite.net.wire import tournament as wire
from kumite.net.wire.fields import Clock, Frozen, Kinds, blob, many, number
from kumite.net.wire.tournament import TableAt, View, Welcome

SEATS: Final = 2
FIRST_TICKET: Final = 1  # a player's ticket is their number plus this
FORMAT: Final = 2  # of the files; increase it when a field changes
MAX_FILE: Final = 1 << 20  # bytes


class Terms(Frozen):
    """The name, game and clock of a tournament."""

    name: str
    setup: Setup
    clock: Clock | None

    @staticmethod
    def of(said: Welcome) -> Terms:
        """Return the terms in a message or file; raise BadSetup if we cannot play them."""
        found = find(said.game)
        if said.rules != found.RULES:
            raise BadSetup(
                f"{found.TITLE} is played by rules {said.rules} there, here by {found.RULES}",
                hint="use the same version of kumite",
            )
        return Terms(said.name, Setup.of(found, SEATS, dict(said.options)), said.clock)


# --- Files -------------------------------------------------------------------------------------


class Kept(Frozen):
    """The base of files that have a whole tournament."""

    SUFFIX: ClassVar[str]

    welcome: Annotated[wire.Welcome, wire.WELCOME]
    tournament: Annotated[Tournament, wire.TOURNAMENT]

    @property
    def file_name(self) -> str:
        return f"{self.welcome.tournament_id}{self.SUFFIX}"


class TournamentFile(Kept):
    """The host's file: the whole tournament, and the keys with which its players return."""

    SUFFIX: ClassVar = ".tournament"

    code: fields.Word = field(repr=False)
    port: Annotated[int, number(0, 65535)]  # 0: the default
    keys: Annotated[tuple[bytes, ...], many(blob(PROOF), MOST)] = field(repr=False)
    bot: Annotated[str, fields.text(40)] = ""  # the level of the bot that makes their number even


class Finished(Kept):
    """A player's file: a tournament that is over, as they were shown it last."""

    SUFFIX: ClassVar = ".over"

    me: wire.Place  # the number of the player


class TicketFile(Frozen):
    """A player's file: their identity in a tournament, and the log of their last match there."""

    SUFFIX: ClassVar = ".ticket"

    tournament_id: fields.MatchId
    name: fields.Name
    ticket: Annotated[int, number(1, MOST)]
    key: Annotated[bytes, blob(PROOF)] = field(repr=False)
    round: wire.Round = 0
    place: wire.Place = 0
    log: Annotated[str, fields.text(200)] = ""

    @property
    def file_name(self) -> str:
        return f"{self.tournament_id}-{self.ticket}{self.SUFFIX}"


Record: TypeAlias = TournamentFile | TicketFile | Finished
_FILES: Final[Kinds[Record]] = Kinds(TournamentFile, TicketFile, Finished)


def to_bytes(record: Record) -> bytes:
    return encode((FORMAT, _FILES.checked(record)))


def of_bytes(data: bytes) -> Record:
    """Return the record in a file; raise BadData if it is none, or of another version."""
    value = decode(data)
    if type(value) is not tuple or len(value) != 2 or value[0] != FORMAT:
        raise BadData("no file of a tournament, or one of another version")
    found = _FILES(value[1])
    if isinstance(found, TournamentFile) and len(found.keys) != len(found.tournament.players):
        raise BadData("a tournament that does not fit together")
    return found


# --- Events and effects ------------------------------------------------------------------------


class TournamentChanged(Event):
    """The players present, the rounds or the results have changed."""

    terms: Terms
    view: View


class TableOpened(Event):
    """The table for our match is open."""

    table: TableAt


class Write(Frozen, Effect):
    """An effect: save a record in its file, replacing the old one."""

    record: Record
