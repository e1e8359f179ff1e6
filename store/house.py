"""Whether this process is a guest's at a house (`kumite serve`), and what is shut for a guest.

The one variable that says so is set by the house alone, in an environment made from nothing.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.core.errors import KumiteError

if TYPE_CHECKING:
    from collections.abc import Sequence

GUEST: Final = "KUMITE_GUEST"  # the house's address, at which its guests' tables listen


class NotForGuests(KumiteError):
    """What a guest of a house may not do."""

    code = codes.NOT_FOR_GUESTS


def is_guest() -> bool:
    """Return whether who sits here is a guest."""
    return GUEST in os.environ


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


def own_address() -> str | None:
    """Return the only address at which tables may listen here; None: any."""
    return os.environ.get(GUEST)


def lan() -> tuple[str, ...]:
    """Return the addresses over which tables are announced and found; none: all."""
    own = own_address()
    return () if own is None else (own,)


def reachable(addresses: Sequence[str]) -> tuple[str, ...]:
    """Return the addresses to which a connection may be made from here.

    A guest reaches what is announced to the house: its own address, and others of the network.
    Never this computer's inner side, where services listen that count on being alone, and no
    names: who asks for one is told whether the host's network knows it.

    Raises:
        NotForGuests: there are none.
    """
    own = own_address()
    if own is None:
        return tuple(addresses)
    found = tuple(one for one in addresses if one == own or _is_outside(one, own))
    if not found:
        refuse(f"reach {' or '.join(addresses)} from here")
    return found


def _is_outside(address: str, own: str) -> bool:
    from ipaddress import ip_address  # late: every start of the app comes by here

    try:
        found, ours = ip_address(address), ip_address(own)
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None) or found
    inner = mapped.is_loopback or mapped.is_unspecified or mapped.is_multicast
    return not (inner or ours.is_loopback)
