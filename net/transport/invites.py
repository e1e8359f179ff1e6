"""Invites: what players paste to join a table, and finding an announced table by its code."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from queue import Empty, Queue
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.core.text import clean, listed
from kumite.net.crypto.pairing import SEPARATOR, parse_code
from kumite.net.crypto.words import WORDS
from kumite.net.transport.addresses import PORT, address_text, parse_address, tailscale_address
from kumite.net.transport.discovery import Found, News
from kumite.store import guest_mode

if TYPE_CHECKING:
    from kumite.net.transport.network import Finder

LONGEST: Final = 300  # characters of a pasted line
SEARCH: Final = 5.0  # s; an announced table is found in under 1
LATECOMERS: Final = 0.3  # s to wait for another table with the same number
MOST: Final = 4  # addresses in an invite; a chat shortens long lines

_COMMAND: Final = re.compile(r".*?\bkumite\s+(?:join|watch)\b", re.IGNORECASE)
_QUOTES: Final = re.compile("[\"'`´*,<>«»‹›„“”‚‘’「」『』]+")
_CODE: Final = re.compile(
    rf"(?<![\w.:])[0-9]{{1,4}}{SEPARATOR}(?:{'|'.join(WORDS)}){SEPARATOR}(?:{'|'.join(WORDS)})\b",
    re.IGNORECASE,
)
_CODE_LIKE: Final = re.compile(r"[0-9]{1,4}(-.*)?")


class NotFound(KumiteError):
    """No announced table, or several, have the number of this code."""

    code = codes.NOT_FOUND


class Invite(NamedTuple):
    """Where a table is and its code, as far as they are known."""

    addresses: tuple[str, ...]  # none: find it by its code
    port: int
    code: str  # "" if it was not given


def parse_invite(text: str) -> Invite:
    """Return the addresses and the code in a text that a player typed or pasted.

    `kumite join 192.168.1.20 7-torii-lantern`, with the quotes of a chat, in full-width letters, or
    any part of it. What follows the code is ignored. A KumiteError says which part is wrong.
    """
    plain = clean(unicodedata.normalize("NFKC", text[:LONGEST]).replace("\u2212", "-"))
    said = _COMMAND.sub("", _QUOTES.sub(" ", plain), count=1)
    if found := _CODE.search(said):
        places, code = said[: found.start()].split(), parse_code(found[0])
    else:
        words = said.split()
        at = next((i for i, word in enumerate(words) if _CODE_LIKE.fullmatch(word)), 1)
        places, code = words[:at], parse_code(" ".join(words[at:])) if words[at:] else ""
    parsed = [parse_address(one) for one in places]
    return Invite(tuple(host for host, _ in parsed), parsed[0][1] if parsed else PORT, code)


def invite_line(addresses: Sequence[str], port: int, code: str) -> str:
    """Return one line for a chat; `parse_invite` and a shell understand it."""
    places = (address_text(one, port) for one in addresses[:MOST])
    return " ".join(("kumite join", *places, code))


def far_ways(port: int, code: str) -> list[tuple[str, str]]:
    """Return what to do for friends who are not in the room: texts, each with a line to copy."""
    tunnel = f"{port}:localhost:{port}"
    ways = [
        ("Here, to a server of yours", f"ssh -N -R {tunnel} YOU@SERVER"),
        ("There, to the same server", f"ssh -N -L {tunnel} YOU@SERVER"),
        ("There, then", invite_line(["localhost"], port, code)),
    ]
    if own := tailscale_address():
        ways.append(("There, with Tailscale", invite_line([own], port, code)))
    return ways


def find_table(code: str, finder: Callable[[Callable[[News], object]], Finder]) -> Found:
    """Return the announced table whose code has this number; takes up to `SEARCH` seconds.

    Raises:
        NotFound: there is none, or there are several.
        KumiteError: tables cannot be found on this network.
    """
    number = int(code.partition("-")[0])
    news: Queue[News] = Queue()
    searching = finder(news.put)
    found: dict[str, Found] = {}
    end = monotonic() + SEARCH
    try:
        searching.start()
        while (left := end - monotonic()) > 0:
            try:
                one = news.get(timeout=left)
            except Empty:
                break
            if isinstance(one, Found) and one.is_ours and one.table.number == number:
                found[one.key] = one
                end = min(end, monotonic() + LATECOMERS)
    finally:
        searching.close()
    if len(found) == 1:
        return next(iter(found.values()))
    way = "join {{with the address that the host's screen shows, too|the table from the list}}"
    other_way = guest_mode.suited(way)
    if not found:
        said = f"No table with the number {number} is open {{{{on this network|here}}}}"
        raise NotFound(guest_mode.suited(said), hint=f"is the code right? If it is, {other_way}")
    names = listed([one.table.name or "somebody" for one in found.values()])
    raise NotFound(f"The tables of {names} have the number {number}", hint=other_way)
