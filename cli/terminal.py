"""Check whether the app can run here, before Textual is imported."""

from __future__ import annotations

import os
import sys
from typing import Final

from kumite.core import codes
from kumite.core.errors import KumiteError

SMALLEST: Final = (80, 24)


class NoTerminal(KumiteError):
    """Standard input or output is not a terminal that an app can be drawn on."""

    code = codes.NO_TERMINAL


_HINT: Final = "without one: `kumite --plain`, `kumite replay --text LOG`, `kumite demo kuzushi`"
_OVER_SSH: Final = "over ssh ask for one: ssh -t HOST kumite"


def require() -> None:
    """Check that the app can be drawn.

    Raises:
        NoTerminal: it cannot; the text names the problem.
    """
    # Textual draws on standard error to leave standard output free. All three must be terminals,
    # because with one redirected the user would see an empty screen.
    for stream, name in ((sys.__stdin__, "input"), (sys.__stderr__, "error")):
        if stream is None or not stream.isatty():
            over_ssh = os.environ.get("SSH_CONNECTION") or os.environ.get("SSH_CLIENT")
            hint = _OVER_SSH if over_ssh else _HINT
            raise NoTerminal(f"the app needs a terminal (standard {name} is none)", hint=hint)
    if os.environ.get("TERM", "") == "dumb":
        raise NoTerminal("the app cannot be drawn with TERM=dumb", hint=_HINT)
