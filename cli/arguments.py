"""What all parts of the command line share: errors in words, and arguments of one kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from kumite.core.errors import KumiteError

PATH: Final = click.Path(dir_okay=False, path_type=Path)
FOLDER: Final = click.Path(file_okay=False, path_type=Path)


class Refusal(click.ClickException):
    """A kumite error as click shows it: what is wrong, and what to do."""

    exit_code = 2

    def __init__(self, error: KumiteError) -> None:
        hint = f"\n  {error.hint}" if error.hint else ""
        super().__init__(f"{error}{hint}")


class CommandGroup(click.Group):
    """Commands whose kumite errors are shown in words instead of a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except KumiteError as error:
            raise Refusal(error) from error
