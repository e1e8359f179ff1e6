"""Whether the app can run here, asked before Textual is imported."""

from __future__ import annotations

import os
import sys
from typing import Final

from kumite.core import codes
from kumite.core.errors import KumiteError

SMALLEST: Final = (80, 24)


class NoTerminal(KumiteError):
    """Standard input or output is no terminal that an app can be drawn on."""

    code = codes.NO_TERMINAL


_HINT: Final = (
    "without one: `kumite play kuzushi --plain`, `kumite replay --text LOG`, `kumite demo kuzushi`"
)
_OVER_SSH: Final = "over ssh ask for one: ssh -t HOST kumite"


def require() -> None:
    """Check that the app can be drawn.

    Raises:
        NoTerminal: it cannot; the text says what is missing.
    """
    # Textual draws on standard error, so that standard output stays free; it needs all three here
    # because a redirected one would leave the person before an empty screen.
    for stream, name in ((sys.__stdin__, "input"), (sys.__stderr__, "error")):
        if stream is None or not stream.isatty():
            over_ssh = os.environ.get("SSH_CONNECTION") or os.environ.get("SSH_CLIENT")
            hint = _OVER_SSH if over_ssh else _HINT
            raise NoTerminal(f"the app needs a terminal (standard {name} is none)", hint=hint)
    if os.environ.get("TERM", "") == "dumb":
        raise NoTerminal("the app cannot be drawn with TERM=dumb", hint=_HINT)
