"""Shared parts of the commands: parameter types, options and error messages."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar, Final

import click
from click.shell_completion import CompletionItem

from kumite.cli import completing
from kumite.cli.saying import give_up
from kumite.core.errors import KumiteError
from kumite.core.game import Setup, Value
from kumite.core.games import GAMES, find
from kumite.core.players import MAX_NAME, YOU
from kumite.core.text import clean, harmless
from kumite.store import guest_mode

NUMBER: Final = re.compile("[0-9]{1,6}")


class FilePath(click.Path):
    """A path for a file, without lone surrogates and null characters."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            is_name = b"\0" not in os.fsencode(value)
        except UnicodeEncodeError:
            is_name = False
        if not is_name:
            self.fail("no file can have this name", param, ctx)
        return super().convert(value, param, ctx)


def _numbered(number: str) -> Path:
    """Return the path of the saved match with this number in `log list`: 1 is the newest.

    Raises:
        KumiteError: there are not so many.
    """
    from kumite.store.library import Library

    library = Library()
    library.read()
    found = library.newest_first()
    if not 1 <= int(number) <= len(found):
        raise KumiteError(f"there is no saved match {number}", hint="kumite log list: all of them")
    return library.path(found[int(number) - 1].name)


class LogPath(FilePath):
    """The path of a log; also the name or number of a saved match; the shell completes it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        path = Path(os.fsdecode(found))
        with suppress(OSError):  # the name is too long
            if path.parent == Path() and path.name and not path.exists():
                from kumite.store.log_files import folder

                saved = folder() / path
                if saved.is_file():
                    return saved
                return _numbered(path.name) if NUMBER.fullmatch(path.name) else found
        return found

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        saved = [CompletionItem(one) for one in completing.logs(ctx, param, incomplete)]
        return [*saved, *super().shell_complete(ctx, param, incomplete)]


class Seconds(click.FloatRange):
    """A finite number of seconds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = super().convert(value, param, ctx)
        if not isfinite(found) or not str(value).isascii():
            self.fail(f"{value} is no number of seconds", param, ctx)
        return float(found)


class GamesCommand(click.Command):
    """A command with a GAME; its help ends with the games, which are listed only then."""

    MORE: ClassVar[str] = ""  # what else the help says of a game

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        game = next(param for param in self.params if param.name == "game")
        told = f"GAME is one of {', '.join(GAMES)}"
        if not game.required:
            usual = game.default if isinstance(game.default, str) else "all of them"
            told += f"; {usual} if you name none"
        self.epilog = f"{told}.{self.MORE}"
        super().format_epilog(ctx, formatter)


class GameCommand(GamesCommand):
    """A command about a game; its help includes the options of the game that is named."""

    MORE = " --help behind it tells its options."
    allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; the help needs the game before parsing is complete."""
        ctx.meta["game"] = next((one for one in args if one in GAMES), "")
        super().parse_args(ctx, args)
        if (more := ctx.args) and not ctx.resilient_parsing:  # else a shell completes
            has_seats = any(one.name == "spec" for one in self.params)
            players = f"; players are named by --seats {','.join(more)}" if has_seats else ""
            ctx.fail(f"{' '.join(more)} is more than a game{players}")
        return more

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of games, or the seats and options of the game that is named."""
        if not ctx.meta.get("game"):
            super().format_epilog(ctx, formatter)
            return
        game = find(ctx.meta["game"])
        rows = [("seats", ", ".join(map(str, game.SEATS)))]
        rows += [
            (one.name, f"{', '.join(map(str, one.allowed))} ({one.default})")
            for one in game.OPTIONS
        ]
        with formatter.section(f"{game.TITLE}: seats, and --option NAME=VALUE"):
            formatter.write_dl(rows)


def sendable(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    """Return a player's name; refuse one that is too long to send instead of truncating it."""
    if name is not None and (length := len(clean(name))) > MAX_NAME:
        said = f"a name has at most {MAX_NAME} characters, not {length}"
        raise click.BadParameter(said, ctx, param)
    if name is not None and clean(name).strip().lower() == YOU:
        raise click.BadParameter(f"nobody can be called {name!r}", ctx, param)
    return name


NEWEST: Final = "1"  # of the saved matches, as `log list` numbers them
PATH: Final = LogPath(dir_okay=False, path_type=Path)
FILE: Final = FilePath(dir_okay=False, path_type=Path)
FOLDER: Final = FilePath(file_okay=False, path_type=Path)
SEATS_TOLD: Final = "ada,bot:medium or ada,cmd:./mybot"
GAME = click.argument("game", default="kuzushi", shell_complete=completing.games)
NAME = click.option(
    "--name", callback=sendable, help="Your name, as the others will see it; 24 characters."
)
PLAIN = click.option(
    "--plain", "is_plain", is_flag=True, help="Line mode, for screen readers; also with TERM=dumb."
)
OPTION = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game.",
    shell_complete=completing.options,
)

CLOCK = click.option(
    "--clock",
    default="none",
    metavar="M+S",
    help="10+5: minutes each + s a step; +60: s to be away.",
)
PORT = click.option("--port", type=click.IntRange(0, 65535), help="Where to listen (47470).")
LOTS = click.option(
    "--lots", "has_lots", is_flag=True, help="Draw lots for the seats, and so for who begins."
)


def seats_option(told: str) -> Callable[[Any], Any]:
    """Return the option `--seats`, to be parsed by `seats_of`."""
    return click.option("--seats", "spec", help=told, shell_complete=completing.seats)


class Refusal(click.ClickException):
    """A KumiteError as a click error, with its hint."""

    exit_code = 2

    def __init__(self, error: KumiteError) -> None:
        hint = guest_mode.hint(error.hint)
        super().__init__(f"{guest_mode.told(error)}\n  {hint}" if hint else guest_mode.told(error))


@contextmanager
def _in_words() -> Iterator[None]:
    """Convert KumiteError to click errors and escape control characters in messages."""
    try:
        yield
    except KumiteError as error:
        raise Refusal(KumiteError(harmless(str(error)), hint=harmless(error.hint))) from error
    except Refusal:
        raise
    except click.ClickException as error:
        vars(error)["message"] = harmless(error.message)
        raise


class CommandGroup(click.Group):
    """A command group that reports errors as messages instead of tracebacks."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            try:
                return super().main(*args, **kwargs)
            finally:
                sys.stdout.flush()  # otherwise Python would fail to flush it at exit
        except OSError as error:
            click.echo(f"Error: {give_up(error)}", err=True)
            sys.exit(1)
        except (click.ClickException, click.Abort):
            raise  # said by the home of line mode, which runs commands
        except Exception as error:
            from kumite.tui.crash import report

            click.echo(report(error), err=True)
            sys.exit(1)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _in_words():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        with _in_words():
            try:
                return super().invoke(ctx)
            except KeyboardInterrupt:
                sys.exit(128 + signal.SIGINT)


def setup_of(game_id: str, seats: int | None, options: tuple[str, ...]) -> Setup:
    """Return the setup for a game's name, a number of seats and options."""
    return Setup.of(find(game_id), seats, _options(options))


def _options(given: tuple[str, ...]) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--option")
        values[name] = value
    return values
