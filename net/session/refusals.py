"""Why two terminals have no match together, by its code, in words of our own; pure.

What a stranger writes is never shown: until a code is proved anybody could be there, and could say
that this is the code, or those the three words. Of a text no more is read than its numbers.
"""

from __future__ import annotations

import re
from typing import Final

from kumite.core import codes
from kumite.net.wire.messages import PROTOCOL

_HOST: Final = "ask the host"
_LOOK_AGAIN: Final = "the code stands on the host's screen; after three wrong ones there is another"
HAS_LOST: Final = "host has lost posts that are kept here, and others were made since"
WORDS: Final[dict[str, tuple[str, str]]] = {
    codes.WRONG_CODE: ("That is not the code of this table", _LOOK_AGAIN),
    codes.SLOW_DOWN: ("Too many wrong codes came from this address", "try again {number}"),
    codes.OTHER_PROTOCOL: (
        f"The host's kumite speaks {{protocol}}, ours protocol {PROTOCOL}",
        "{older} should update kumite",
    ),
    codes.OTHER_RULES: (
        "The two kumite have different rules for this game",
        "the older one should be updated",
    ),
    codes.UNKNOWN_GAME: ("One of the two kumite does not have this game", "update kumite"),
    codes.BAD_SETUP: ("The other kumite cannot play at this table", "update kumite"),
    codes.FULL: ("All seats of this table are taken, or the match has begun", _HOST),
    codes.CROWDED: ("As many look on as this table can bear", "try again a little later"),
    codes.NO_WATCHERS: ("This table wants nobody to look on", _HOST),
    codes.UNKNOWN: ("The host does not know this terminal any more", "join with the code"),
    codes.WRONG_KEY: ("The host has another key for this terminal", "join with the code"),
    codes.HALL: ("A tournament is held there", "choose it from the list of tables, or by address"),
    codes.ELSEWHERE: (
        "Another terminal has come in the place of this one",
        "of two players on one computer, each needs a name of their own: --name",
    ),
    codes.OTHER_MATCH: ("The table plays another match", "go on with that one"),
    codes.HOST_BEHIND: (
        f"The {HAS_LOST}",
        "look on with the code, as somebody new",
    ),
}
OTHER: Final = "The {who} has refused, for a reason that this kumite does not know"
HINT: Final = "use the same version of kumite"
_PROTOCOL: Final = re.compile(r"speaks protocol (\d{1,6}),")
_SECONDS: Final = re.compile(r"try again in (\d{1,4}) s")


def told(code: str, text: str = "", *, is_host: bool = False) -> tuple[str, str, str]:
    """Return the code, text and hint of a refusal; of what the other side wrote, the numbers."""
    if code not in WORDS:
        who = "terminal that came" if is_host else "host"
        return codes.ERROR, OTHER.format(who=who), HINT
    said, hint = WORDS[code]
    theirs, wait = _PROTOCOL.search(text), _SECONDS.search(text)
    number = int(theirs[1]) if theirs else PROTOCOL
    older = "one of the two"
    if number != PROTOCOL:
        older = "this computer" if number > PROTOCOL else "the host"
    return (
        code,
        said.format(protocol=f"protocol {number}" if number != PROTOCOL else "another protocol"),
        hint.format(number=f"in {wait[1]} s" if wait else "later", older=older),
    )
