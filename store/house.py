"""Whether this process is a guest's at a house (`kumite serve`), and what is shut for a guest.

The variables that say so are set by the house alone, in an environment made from nothing.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.core.errors import KumiteError

if TYPE_CHECKING:
    from collections.abc import Sequence

GUEST: Final = "KUMITE_GUEST"  # the house's address, at which its guests' tables listen
NETWORK: Final = "KUMITE_GUEST_NETWORK"  # the open file at which an app has its house reach others
TURNS: Final = "KUMITE_GUEST_TURNS"  # the open file at which an app asks whether bots may think
PLAY, LOOK, DONE = "play", "look", "done"  # what it says there: for a table, to analyse, no more

CHOICE: Final = re.compile(r"\{\{(.*?)\|(.*?)\}\}", re.DOTALL)
COMMAND: Final = re.compile(r"\bcmd:|\bkumite [a-z]+ |\bpip |\bdocs/|--[a-z]")


class NotForGuests(KumiteError):
    """What a guest of a house may not do."""

    code = codes.NOT_FOR_GUESTS


def is_guest() -> bool:
    """Return whether who sits here is a guest."""
    return GUEST in os.environ


def has_network() -> bool:
    """Return whether this process reaches others by itself; else its house does it."""
    return NETWORK not in os.environ


def refuse(what: str) -> None:
    """Go on, unless this is a guest's process.

    Raises:
        NotForGuests: it is.
    """
    if is_guest():
        raise NotForGuests(f"guests cannot {what}", hint="with kumite on your own computer you can")


def told(text: object) -> str:
    """Return a text as it is shown here: where a host keeps things is no guest's business."""
    said, home = str(text), os.environ.get("HOME")
    return said.replace(home, "~") if is_guest() and home else said


def suited(text: str) -> str:
    """Return a text for who sits here: of `{{this|that}}` this, or that for a guest."""
    return CHOICE.sub(r"\2" if is_guest() else r"\1", text)


def hint(text: str) -> str:
    """Return what somebody can do about an error; a guest has no command line to do it with."""
    return "" if is_guest() and COMMAND.search(text) else told(text)


def own_address() -> str | None:
    """Return the only address at which tables may listen here; None: any."""
    return os.environ.get(GUEST)


def announced(addresses: Sequence[str]) -> tuple[str, ...]:
    """Return the addresses of a table that others may be told: none if only guests can reach it."""
    own = own_address()
    return () if own is not None and is_inner(own) else tuple(addresses)


def is_inner(address: str) -> bool:
    """Return whether an address leads only into the computer itself, or is none at all."""
    from ipaddress import ip_address  # late: every start of the app comes by here

    try:
        found = ip_address(address)
    except ValueError:
        return True
    mapped = getattr(found, "ipv4_mapped", None) or found
    return bool(mapped.is_loopback or mapped.is_unspecified or mapped.is_multicast)
