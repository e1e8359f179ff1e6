"""A tournament to open: a new one from the command line or the form, or a saved one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from kumite.core.bots import find, is_bot
from kumite.core.game import Setup
from kumite.core.players import MAX_NAME
from kumite.core.text import clean
from kumite.core.tournament.tournament import SWISS
from kumite.net.tournament.state import Terms, TournamentFile
from kumite.net.wire.fields import Clock
from kumite.store import guest_mode
from kumite.tui.play.openings import Deliver, usual_port

if TYPE_CHECKING:
    from kumite.net.tournament.host import TournamentHost
    from kumite.net.transport.tournament_peer import HostPeer

CALLED: Final = "Tournament"  # the default name


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """A tournament that the organiser's screen or line mode opens; KumiteError without its bot."""

    what: Terms | TournamentFile  # a new one, or a saved one
    system: str = SWISS
    rounds: int = 0  # 0: as many as the system needs
    bot: str = ""  # level of the bot for an odd number; "": a bye
    is_listed: bool = True  # announced on the LAN
    port: int | None = None  # None: the usual or the previous one

    def __post_init__(self) -> None:
        if self.bot:
            find(self.bot)
        elif isinstance(self.what, TournamentFile) and is_bot(self.what.bot):
            object.__setattr__(self, "bot", self.what.bot)

    @property
    def title(self) -> str:
        return self.what.name if isinstance(self.what, Terms) else self.what.welcome.name

    def has_player(self, name: str) -> bool:
        """True if a player of this name entered this saved tournament on this computer."""
        from kumite.net.transport import tournament_files

        if isinstance(self.what, Terms):
            return False
        mine = self.what.welcome.tournament_id, name
        return any((one.tournament_id, one.name) == mine for one in tournament_files.known())

    def open(self, deliver: Deliver) -> HostPeer:
        """Open the tournament; events are delivered in the network's thread."""
        from kumite.net.tournament import host
        from kumite.net.transport.tournament_peer import HostPeer

        what, port = self.what, self.port
        if port is None and (isinstance(what, Terms) or guest_mode.is_guest()):
            port = usual_port()  # another guest may use the previous port by now
        make: Callable[[str, bytes], TournamentHost]
        if isinstance(what, Terms):
            make = partial(host.opened, what, self.system, self.rounds)
        else:
            make = partial(host.resumed, what)
        return HostPeer(make, deliver, port=port, mdns=(), bot=self.bot)


def terms(setup: Setup, name: str, clock: Clock | None) -> Terms:
    return Terms(clean(name, MAX_NAME) or CALLED, setup, clock)
