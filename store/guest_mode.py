"""Whether this process is a guest's of a server (`kumite serve`), and what is shut for a guest.

The variables that say so are set by the server alone, in an environment made from nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.store.system import is_over_ssh

GUEST: Final = "KUMITE_GUEST"  # the server's address, at which its guests' tables listen
NETWORK: Final = "KUMITE_GUEST_NETWORK"  # the open file of an app's broker (transport/broker.py)
TURNS: Final = "KUMITE_GUEST_TURNS"  # the open file at which an app asks whether bots may think
WARNING: Final = "KUMITE_GUEST_WARNING"  # for guests whose seats are not kept; "": they are
PLAY, LOOK, DONE = "play", "look", "done"  # what it says there: for a table, to analyse, no more

CHOICE: Final = re.compile(r"\{\{(.*?)\|(.*?)\}\}", re.DOTALL)
COMMAND: Final = re.compile(r"\bcmd:|\bkumite [a-z]+ |\bpip |\bdocs/|--[a-z]")


class NotForGuests(KumiteError):
    """What a guest of a server may not do."""

    code = codes.NOT_FOR_GUESTS


def is_guest() -> bool:
    return GUEST in os.environ


def warning() -> str:
    """Return the warning for guests whose seats are not kept after a lost connection, or ""."""
    return os.environ.get(WARNING, "")


def is_far() -> bool:
    """Return True if what is drawn crosses a network: over ssh, or for a guest."""
    return is_over_ssh() or is_guest()


def has_network() -> bool:
    """Return whether this process reaches others by itself; else its server does it."""
    return NETWORK not in os.environ


def refuse(what: str) -> None:
    """Raise NotForGuests in a guest's process."""
    if is_guest():
        raise NotForGuests(f"guests cannot {what}", hint="install kumite on your own computer")


def told(text: object) -> str:
    """Return a text to display, hiding the server's home folder from guests."""
    said, home = str(text), os.environ.get("HOME")
    return said.replace(home, "~") if is_guest() and home else said


def suited(text: str) -> str:
    """Resolve `{{this|that}}` in a text: to this, or to that for guests."""
    return CHOICE.sub(r"\2" if is_guest() else r"\1", text)


def hint(text: str) -> str:
    """Return an error's hint; empty for guests if it needs a command line."""
    return "" if is_guest() and COMMAND.search(text) else told(text)


def own_address() -> str | None:
    """Return the only address at which tables may listen here; None: any."""
    return os.environ.get(GUEST)


def announced(addresses: Sequence[str]) -> tuple[str, ...]:
    """Return the addresses to name in an invitation; none to guests, who have no command line."""
    return () if is_guest() else tuple(addresses)


def is_inner(address: str) -> bool:
    """Return True if an address leads only to this computer, or is invalid."""
    try:
        found = ip_address(address)
    except ValueError:
        return True
    mapped = getattr(found, "ipv4_mapped", None) or found
    return bool(mapped.is_loopback or mapped.is_unspecified or mapped.is_multicast)
