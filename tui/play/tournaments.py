"""A tournament that is about to be held, from the command line or the app's form, or held again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kumite.core.bots import find as check
from kumite.core.bots import is_bot
from kumite.core.players import BOT
from kumite.core.text import clean
from kumite.tui.play import openings

if TYPE_CHECKING:
    from kumite.core.game import Setup
    from kumite.net.hall.records import HallKept
    from kumite.net.wire.fields import Clock
    from kumite.tui.play.openings import DeskOpening

CALLED: Final = "Tournament"  # unless it is given a name


@dataclass(frozen=True, slots=True)
class Held:
    """What the organiser's screen, or line mode, opens."""

    title: str
    opening: DeskOpening
    bot: str = ""  # the level of the one that plays for an odd number; none: somebody has a bye
    is_listed: bool = True  # announced on the LAN


def begun(
    setup: Setup,
    name: str,
    clock: Clock | None,
    system: str,
    rounds: int = 0,
    *,
    bot: str = "",
    is_listed: bool = True,
    port: int | None = None,
) -> Held:
    """Return a new tournament; with 0 rounds, as many as its system needs.

    Raises:
        KumiteError: there is no such bot.
    """
    from kumite.net.hall.board import Terms
    from kumite.net.wire.fields import MAX_NAME

    if bot:
        check(bot)
    terms = Terms(clean(name, MAX_NAME) or CALLED, setup, clock)
    way = openings.organising(terms, system, rounds, port, bot)
    return Held(terms.name, way, bot, is_listed)


def gone_on(
    kept: HallKept, *, bot: str = "", is_listed: bool = True, port: int | None = None
) -> Held:
    """Return a tournament that was kept; its bot comes back by itself.

    Raises:
        KumiteError: there is no such bot.
    """
    if bot:
        check(bot)
    own = bot or (kept.bot if is_bot(kept.bot) else "") or _own_bot(kept)
    return Held(kept.name, openings.organising_again(kept, port, own), own, is_listed)


def _own_bot(kept: HallKept) -> str:
    """Return the level of the bot that this computer has brought, which old files do not say.

    We have its way back.

    By its name alone it could be anybody: a player's name may look like a bot's.
    """
    from kumite.net.transport import hall_files

    ours = (one.name for one in hall_files.known() if one.hall_id == kept.hall_id)
    return next((name.removeprefix(BOT) for name in ours if name.startswith(BOT)), "")


def kept_parts(kept: HallKept) -> tuple[str, str]:
    """Return how far a tournament that was kept has come: `round 2 of 3`, `8 players`.

    Raises:
        KumiteError: its file makes no sense.
    """
    from kumite.net.hall.board import kept_tournament

    t = kept_tournament(kept)
    players = f"{len(t.players)} player{'s' * (len(t.players) != 1)}"
    done = f"round {len(t.rounds)} of {t.planned}" if t.rounds else "no round yet"
    return done, players
