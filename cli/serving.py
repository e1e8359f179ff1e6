"""`kumite serve`: run a server for guests."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import click

from kumite.cli.arguments import FILE, FOLDER
from kumite.cli.saying import say
from kumite.core.errors import KumiteError

EXTRA: Final = ("asyncssh", "aiohttp", "segno", "textual_serve")  # packages of the extra `serve`
NUMBERS = {  # help texts of the numeric settings
    "guests": "Guests at the same time (50).",
    "idle": "Minutes without a key, then a guest's app ends (30).",
    "folder": "MB of saved matches for each guest (20).",
    "memory": "MB for each process of a guest (1024).",
}


def _numbers(command: Callable[..., Any]) -> Callable[..., Any]:
    for name, text in reversed(NUMBERS.items()):
        command = click.option(f"--{name}", type=int, metavar="NUMBER", help=text)(command)
    return command


@click.command()
@click.option("--ssh", metavar="[ADDRESS:]PORT", help="Where guests come in over ssh (2222).")
@click.option("--web", metavar="[ADDRESS:]PORT", help="Where they come in by a browser (2280).")
@click.option("--site", metavar="URL", help="The address that browsers open, if it is a proxy's.")
@click.option(
    "--tables",
    metavar="ADDRESS",
    help="Where guests' tables listen: yours on the LAN, or 127.0.0.1.",
)
@click.option("--code", metavar="WORD", help="Ask guests for this word.")
@click.option("--keys", metavar="FILE", help="Let only these ssh keys in (as authorized_keys).")
@_numbers
@click.option("--settings", type=FILE, help="The file with all of this (docs/serve.md).")
@click.option("--keep", type=FOLDER, help="The folder for guests' files.")
def serve(settings: Path | None, keep: Path | None, **said: str | int | None) -> None:
    """Let guests play here who have nothing installed, over ssh or in a browser.

    Without --ssh and --web both are open. Each guest plays in a process of their own and has no
    shell, no command, and no file of yours.
    """
    try:
        from kumite.serve import server
        from kumite.serve import settings as of_server
    except ImportError as error:
        if error.name in EXTRA:
            hint = 'install it: pip install "kumite[serve]"'
            raise KumiteError(f"a server needs {error.name}", hint=hint) from None
        raise KumiteError(f"a server needs a system that has {error.name}") from error
    chosen = {name: value for name, value in said.items() if value is not None}
    agreed = of_server.read(settings or of_server.path(), chosen, is_named=settings is not None)
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    server.run(agreed, keep or server.folder(), say, _tell, width)


def _tell(text: str) -> None:
    say(f"{datetime.now():%H:%M}  {text}")
