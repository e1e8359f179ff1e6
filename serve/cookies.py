"""The cookie by which a house knows a browser again: a secret, and the name that somebody gave.

SECRET.NAME, the name in base64: what somebody types never stands in a header as it is.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from secrets import token_urlsafe
from typing import Final, NamedTuple

from kumite.serve.guests import NOBODY, name_of

NAME: Final = "kumite"  # of the cookie
BYTES: Final = 32  # of a secret, as 43 characters
FORM: Final = re.compile(r"([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{1,108})", re.ASCII)


class Known(NamedTuple):
    """Who a browser says it belongs to."""

    secret: str
    name: str

    @property
    def text(self) -> str:
        """Return the cookie."""
        return f"{self.secret}.{urlsafe_b64encode(self.name.encode()).decode().rstrip('=')}"


def read(text: str) -> Known | None:
    """Return whom a cookie tells of; None: it is none of ours."""
    found = FORM.fullmatch(text)
    if found is None:
        return None
    try:
        name = urlsafe_b64decode(f"{found[2]}==").decode()
    except ValueError:
        name = NOBODY
    return Known(found[1], name_of(name))


def named(name: str, before: str = "") -> Known:
    """Return whom to know from now on: who was known `before` stays so under another name."""
    known = read(before)
    return Known(known.secret if known else token_urlsafe(BYTES), name_of(name))
