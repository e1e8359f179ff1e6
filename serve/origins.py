"""Whose page it is that a request comes from: only the house's own may open a line. Pure.

A page of somebody else could ask a guest's browser to connect to the house. The browser then says
where that page is from (`Origin`); and what it takes the house to be called (`Host`), for a name of
somebody else's may lead here, too.
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

SITE: Final = re.compile(r"https?://[a-z0-9.\[\]:-]+", re.ASCII)
NAME: Final = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*\.?", re.ASCII)
LOCAL: Final = ("local", "lan", "home", "internal", "localhost", "arpa")  # nobody's on the Internet


def is_site(text: str) -> bool:
    """Return whether this is the beginning of an address, such as `https://kumite.example`."""
    if not SITE.fullmatch(text):
        return False
    try:
        parts = urlsplit(text)
        return bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        return False


def is_ours(host: str, site: str, own: str) -> bool:
    """Return whether `host` (`Host:` of a request) may be the house's, whose computer is `own`.

    It is a number, a name that nobody can have on the Internet, the computer's, or the site's.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
        _ = urlsplit(f"//{host}").port
    except ValueError:
        return False
    if name in {own.casefold(), urlsplit(site).hostname}:
        return bool(name)
    return _is_number(name) or _is_local(name)


def _is_number(name: str) -> bool:
    try:
        ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


def _is_local(name: str) -> bool:
    last = name.removesuffix(".").rpartition(".")
    return bool(NAME.fullmatch(name)) and (not last[0] or last[2] in LOCAL)


def is_own_page(origin: str, host: str, site: str) -> bool:
    """Return whether a page from `origin` is the house's, which the request calls `host`."""
    return bool(origin) and origin in {site, f"http://{host}"}
