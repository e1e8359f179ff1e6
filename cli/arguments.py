"""What the commands share: their errors in words, their arguments, and what these mean."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from kumite.cli import completing
from kumite.cli.saying import give_up
from kumite.core.errors import KumiteError
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES, find
from kumite.core.text import clean, harmless

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sized

    from click.shell_completion import CompletionItem

    from kumite.core.game import Value


class FilePath(click.Path):
    """A place for a file that this system can name: without half characters and zeros."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Return the path."""
        try:
            is_name = b"\0" not in os.fsencode(value)
        except UnicodeEncodeError:
            is_name = False
        if not is_name:
            self.fail("no file can have this name", param, ctx)
        return super().convert(value, param, ctx)


class LogPath(FilePath):
    """A file; a shell completes the saved matches."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return saved matches, and the files here."""
        from click.shell_completion import CompletionItem

        saved = [CompletionItem(one) for one in completing.logs(ctx, param, incomplete)]
        return [*saved, *super().shell_complete(ctx, param, incomplete)]


class Seconds(click.FloatRange):
    """A number of seconds; `nan` and `inf` are none."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number."""
        found = super().convert(value, param, ctx)
        if not isfinite(found):
            self.fail(f"{value} is no number of seconds", param, ctx)
        return float(found)


class GameCommand(click.Command):
    """A command about a game: its help knows the options of the game that is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; help needs the game before they are all read."""
        ctx.meta["game"] = next((one for one in args if one in GAMES), "")
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Tell the games, or seats and options of the one that is named."""
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
    """Return a name; what is too long to be sent is refused, not cut without a word."""
    from kumite.net.wire.fields import MAX_NAME  # late: most commands send nothing

    if name is not None and (length := len(clean(name))) > MAX_NAME:
        said = f"a name has at most {MAX_NAME} characters, not {length}"
        raise click.BadParameter(said, ctx, param)
    return name


PATH: Final = LogPath(dir_okay=False, path_type=Path)
FOLDER: Final = FilePath(file_okay=False, path_type=Path)
SEATS_TOLD: Final = "ada,bot:medium or ada,cmd:./mybot"
GAME = click.argument("game", default="kuzushi", shell_complete=completing.games)
NAME = click.option(
    "--name", callback=sendable, help="Your name, as the others will see it; 24 characters."
)
OPTION = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game.",
    shell_complete=completing.options,
)


def seats_option(told: str) -> Callable[[Any], Any]:
    """Return the option `--seats` that `seats_of` reads, with this help."""
    return click.option("--seats", "spec", help=told, shell_complete=completing.seats)


class Refusal(click.ClickException):
    """A kumite error as click shows it: what is wrong, and what to do."""

    exit_code = 2

    def __init__(self, error: KumiteError) -> None:
        hint = f"\n  {error.hint}" if error.hint else ""
        super().__init__(f"{error}{hint}")


@contextmanager
def _in_words() -> Iterator[None]:
    """Make kumite's errors click's, and show none that could harm a terminal."""
    try:
        yield
    except KumiteError as error:
        raise Refusal(KumiteError(harmless(str(error)), hint=harmless(error.hint))) from error
    except click.ClickException as error:
        vars(error)["message"] = harmless(error.message)
        raise


class CommandGroup(click.Group):
    """Commands whose errors are shown in words instead of a traceback."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program."""
        try:
            try:
                return super().main(*args, **kwargs)
            finally:
                sys.stdout.flush()  # else Python would fail with it, when we are gone
        except OSError as error:
            click.echo(f"Error: {give_up(error)}", err=True)
            sys.exit(1)
        except Exception as error:
            from kumite.tui.crash import report

            click.echo(report(error), err=True)
            sys.exit(1)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the arguments."""
        with _in_words():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _in_words():
            try:
                return super().invoke(ctx)
            except KeyboardInterrupt:
                sys.exit(128 + signal.SIGINT)


def setup_of(game_id: str, seats: int | None, options: tuple[str, ...]) -> Setup:
    """Return the set-up that a game's name, a number of seats and options say."""
    return Setup.of(find(game_id), seats, _options(options))


def _options(given: tuple[str, ...]) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--option")
        values[name] = value
    return values


def seats_of(spec: str | None) -> tuple[int | None, str | None]:
    """Return how many seats and which names `4` or `ada,bot:simple` says."""
    if spec is None:
        return None, None
    if spec.isdecimal() and len(spec) < 10:
        return int(spec), None
    from kumite.tui.play.local_table import split_names

    return len(split_names(spec)), spec


def seat_list(text: str, hint: str) -> frozenset[Seat]:
    """Return the seats that `1,3` says, counted from 1; `hint` names the option that said it."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdecimal() and len(part) < 3 for part in parts):
        raise click.BadParameter(f"{text!r} is no list of seats such as 1,3", param_hint=hint)
    if any(int(part) == 0 for part in parts):
        raise click.BadParameter("seats are counted from 1", param_hint=hint)
    return frozenset(Seat(int(part) - 1) for part in parts)


def bots_of(text: str, seats: Sized) -> tuple[dict[Seat, str], dict[str, str]]:
    """Return the names of the bots in `2:simple,3,4:cmd:./mybot` by seat, and their commands."""
    from kumite.core.bots import find as check
    from kumite.core.players import BOT, COMMAND
    from kumite.tui.bots.programs import called
    from kumite.tui.play.local_seats import STAND_IN
    from kumite.tui.play.local_table import split_names

    found = {}
    for part in filter(None, split_names(text)):
        number, _, bot = part.partition(":")
        (seat,) = seat_list(number, "--bots")
        if seat >= len(seats):
            raise click.BadParameter(f"there is no seat {seat + 1}", param_hint="--bots")
        if bot.startswith(COMMAND):
            found[seat] = bot
        else:
            check(bot or STAND_IN)
            found[seat] = f"{BOT}{bot or STAND_IN}"
    names, programs = called(list(found.values()))
    return dict(zip(found, names, strict=True)), programs


def address_of(text: str) -> tuple[str, int]:
    """Return host and port of `192.168.1.20:47470`; the port may be left out."""
    from kumite.net.transport.addresses import parse_address

    return parse_address(text)


def code_of(words: tuple[str, ...]) -> str:
    """Return the code that was typed, in one word or several; empty if none was."""
    from kumite.net.crypto.pairing import parse_code

    return parse_code(" ".join(words)) if words else ""
