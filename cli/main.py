"""The command line. Imports no Textual: what needs no screen answers at once."""

from __future__ import annotations

import gc
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from kumite.cli.arguments import FOLDER, PATH, CommandGroup
from kumite.cli.log_commands import log_group
from kumite.cli.look_options import look_options
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES, find

if TYPE_CHECKING:
    from collections.abc import Callable, Sized

    from textual.screen import Screen

    from kumite.core.game import Value
    from kumite.tui.app import KumiteApp
    from kumite.tui.play.local_table import LocalTable


def _show_version(ctx: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    if not is_wanted or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version  # a tenth of all start-up

    try:
        number = version("kumite")
    except PackageNotFoundError:  # `python -m kumite` in a checkout
        number = "not installed"
    click.echo(f"kumite, version {number}")
    ctx.exit()


@click.group(cls=CommandGroup, invoke_without_command=True, epilog="Without a command: the app.")
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
@look_options
@click.pass_context
def main(ctx: click.Context) -> None:
    """Japanese duels in one terminal program."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a name may not exist in the terminal's encoding
    if ctx.invoked_subcommand is None:
        _open(ctx, None)


main.add_command(log_group)


def _open(ctx: click.Context, opening: Callable[[], Screen[None]] | None) -> None:
    """Run the app, beginning with the screen that `opening` makes."""
    app = _app(ctx)
    app.opening = opening
    _run(app)


def _open_table(ctx: click.Context, make: Callable[[], LocalTable]) -> None:
    """Run the app on a table; it is made, and its log begun, once nothing else can go wrong."""
    app = _app(ctx)
    table = make()

    def opening() -> Screen[None]:
        from kumite.tui.screens.table import TableScreen

        return TableScreen(table)

    app.opening = opening
    _run(app)


def _app(ctx: click.Context) -> KumiteApp:
    from kumite.cli import terminal

    terminal.require()
    gc.disable()  # nothing of a start is garbage, and looking for it takes an eighth of the time
    from kumite.tui.app import KumiteApp
    from kumite.tui.settings import load

    return KumiteApp(load(**ctx.obj))


def _run(app: KumiteApp) -> None:
    app.run(mouse=app.settings.mouse)
    if app.return_code:
        raise SystemExit(app.return_code)


# --- what several commands take -------------------------------------------------------------------


def _options(given: tuple[str, ...]) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--option")
        values[name] = value
    return values


def _setup(game_id: str, seats: int | None, options: tuple[str, ...]) -> Setup:
    return Setup.of(find(game_id), seats, _options(options))


SEATS_TOLD: Final = "ada,bot:medium or me,cmd:./mybot"
GAMES_TOLD: Final = f"GAME is one of {', '.join(GAMES)}; kuzushi if you name none."
GAME = click.argument("game", metavar="GAME", default="kuzushi", shell_complete=lambda *_: [*GAMES])
OPTION = click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game."
)


def _seats(spec: str | None) -> tuple[int | None, str | None]:
    """Return how many seats and which names `4` or `ada,bot:simple` says."""
    if spec is None:
        return None, None
    if spec.isdecimal() and len(spec) < 10:
        return int(spec), None
    from kumite.tui.play.local_table import split_names

    return len(split_names(spec)), spec


# --- playing --------------------------------------------------------------------------------------


@main.command()
@GAME
@click.option("--seats", "spec", help=f"How many, or their names: {SEATS_TOLD}")
@OPTION
@click.pass_context
def play(ctx: click.Context, game: str, spec: str | None, options: tuple[str, ...]) -> None:
    """Open a table at this keyboard."""
    seats, names = _seats(spec)
    setup = _setup(game, seats, options)
    from kumite.tui.bots.programs import called
    from kumite.tui.play.local_table import LocalTable, seat_names

    who, programs = called(seat_names(names, setup.seats))
    _open_table(ctx, lambda: LocalTable.begin(setup, who, programs=programs))


@main.command()
@click.argument("log", type=PATH, required=False)
@click.option("--at", metavar="HOST:PORT", help="Where the host of a LAN table is now.")
@click.option("--bots", default="", metavar="SEAT:BOT", help="Bots that go on: 1:cmd:./mybot")
@click.pass_context
def resume(ctx: click.Context, log: Path | None, at: str | None, bots: str) -> None:
    """Go on with a match: LOG, or the newest that is not finished.

    At a LAN table everybody does this; the host listens again, the others come back to him.
    """
    from kumite.store import log_files
    from kumite.tui.play.local_table import LocalTable, names_in

    if log is None:
        from kumite.store.library import Library

        library = Library()
        found = library.newest(library.can_go_on)
        if found is None:
            raise click.ClickException("No match waits to be gone on with.")
        log = library.path(found.name)
    path, header = log, log_files.load(log).header
    names = names_in(header)
    by_bots, programs = _bots(bots, names)
    if header.by is None:
        if at is not None:
            raise click.BadParameter("this match was played at one keyboard", param_hint="--at")
        who = [by_bots.get(Seat(seat), name) for seat, name in enumerate(names)]
        _open_table(ctx, lambda: LocalTable.resume(path, who, programs))
        return
    if by_bots.items() - dict(enumerate(names)).items():
        raise click.BadParameter(
            "over the LAN only its program goes on in a seat, by the same name",
            param_hint="--bots",
        )
    where = _address(at) if at else None

    def opening() -> Screen[None]:
        from kumite.tui.screens.lobby import LobbyScreen

        return LobbyScreen.resuming(path, where, programs)

    _open(ctx, opening)


NAME = click.option("--name", help="Your name, as the others will see it.")


@main.command()
@GAME
@click.option("--seats", type=int, help="How many play.")
@OPTION
@NAME
@click.option("--mine", default="0", show_default=True, help="The seats you play: 0 or 0,2.")
@click.option("--bots", default="", metavar="SEAT:BOT", help="Your bots: 2:strong,3:cmd:./mybot")
@click.option("--clock", default="none", metavar="M+S", help="10+5: minutes each + seconds a step.")
@click.option("--no-watchers", is_flag=True, help="Nobody may look on.")
@click.option("--unlisted", is_flag=True, help="Do not announce the table; others type an address.")
@click.option("--port", type=click.IntRange(0, 65535), help="Where to listen (47470).")
@click.pass_context
def host(
    ctx: click.Context,
    game: str,
    seats: int | None,
    options: tuple[str, ...],
    name: str | None,
    mine: str,
    bots: str,
    clock: str,
    no_watchers: bool,
    unlisted: bool,
    port: int | None,
) -> None:
    """Host a LAN table; others join it with the code that it shows."""
    from kumite.tui.play.clocks import parse_clock
    from kumite.tui.play.local_table import lan_table
    from kumite.tui.settings import load

    settings = load()
    setup, who = _setup(game, seats, options), name or _own_name()
    played = _seat_list(mine, "--mine")
    by_bots, programs = _bots(bots, range(setup.seats))
    free = frozenset(map(Seat, range(setup.seats))) - played - by_bots.keys()
    if out := sorted((played | by_bots.keys()) - frozenset(range(setup.seats))):
        raise click.BadParameter(f"there is no seat {out[0]}", param_hint="--mine, --bots")
    table = lan_table(
        setup,
        who,
        free,
        by_bots,
        parse_clock(clock),
        has_watchers=settings.watchers and not no_watchers,
        is_open=settings.audit,
    )

    def opening() -> Screen[None]:
        from kumite.tui.screens.lobby import LobbyScreen

        return LobbyScreen.hosting(table, who, port, not unlisted, programs)

    _open(ctx, opening)


@main.command()
@click.argument("address", metavar="[HOST[:PORT]]", required=False)
@click.argument("code", metavar="[CODE]", nargs=-1)
@NAME
@click.option("--mine", default="", help="The seats you wish to play, such as 1,3.")
@click.pass_context
def join(
    ctx: click.Context, address: str | None, code: tuple[str, ...], name: str | None, mine: str
) -> None:
    """Join a LAN table; without HOST, choose from those that are open.

    HOST, PORT and CODE are what the hosting terminal shows: 192.168.1.20 7-torii-lantern
    """
    wished = _seat_list(mine, "--mine") if mine else frozenset()
    if address is None:

        def listing() -> Screen[None]:
            from kumite.tui.screens.joining import JoinScreen

            return JoinScreen(name or "")

        _open(ctx, listing)
        return
    (host, port), said = _address(address), _code(code)

    def opening() -> Screen[None]:
        from kumite.tui.screens.lobby import LobbyScreen

        return LobbyScreen.joining((host,), port, said, name or _own_name(), wished)

    _open(ctx, opening)


@main.command()
@click.argument("what", metavar="LOG|HOST[:PORT]")
@click.argument("code", metavar="[CODE]", nargs=-1)
@click.option("--text", "as_text", is_flag=True, help="LOG: print the steps as they come instead.")
@NAME
@click.pass_context
def watch(
    ctx: click.Context, what: str, code: tuple[str, ...], as_text: bool, name: str | None
) -> None:
    """Look on at a match that is being played.

    LOG is the file that another kumite is writing, which is only read. At a LAN table
    (HOST[:PORT] and its code) you see what everybody may see.
    """
    from kumite.store.log_files import SUFFIX

    if as_text or what.endswith(SUFFIX) or Path(what).is_file():
        _watch_log(ctx, Path(what), as_text)
        return
    (host, port), said = _address(what), _code(code)

    def opening() -> Screen[None]:
        from kumite.tui.screens.lobby import LobbyScreen

        return LobbyScreen.watching((host,), port, said, name or _own_name())

    _open(ctx, opening)


def _watch_log(ctx: click.Context, log: Path, as_text: bool) -> None:
    from kumite.store.following import Followed

    followed = Followed(log)
    if as_text:
        from kumite.cli.printing import print_as_written

        print_as_written(followed)
        return

    def opening() -> Screen[None]:
        from kumite.tui.screens.replay import ReplayScreen

        return ReplayScreen(followed.log, followed=followed)

    _open(ctx, opening)


def _seat_list(text: str, hint: str) -> frozenset[Seat]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdecimal() and len(part) < 3 for part in parts):
        raise click.BadParameter(f"{text!r} is no list of seats such as 0,2", param_hint=hint)
    return frozenset(Seat(int(part)) for part in parts)


def _bots(text: str, seats: Sized) -> tuple[dict[Seat, str], dict[str, str]]:
    """Return the names of the bots in `2:simple,3,4:cmd:./mybot` by seat, and their commands."""
    from kumite.core.bots import find as check
    from kumite.tui.bots.programs import COMMAND, called
    from kumite.tui.play.local_seats import BOT, STAND_IN
    from kumite.tui.play.local_table import split_names

    found = {}
    for part in filter(None, split_names(text)):
        number, _, bot = part.partition(":")
        (seat,) = _seat_list(number, "--bots")
        if seat >= len(seats):
            raise click.BadParameter(f"there is no seat {seat}", param_hint="--bots")
        if bot.startswith(COMMAND):
            found[seat] = bot
        else:
            check(bot or STAND_IN)
            found[seat] = f"{BOT}{bot or STAND_IN}"
    names, programs = called(list(found.values()))
    return dict(zip(found, names, strict=True)), programs


def _address(text: str) -> tuple[str, int]:
    from kumite.net.transport.addresses import parse_address

    return parse_address(text)


def _code(words: tuple[str, ...]) -> str:
    """Return the code that was typed, in one word or several; empty if none was."""
    from kumite.net.crypto.pairing import parse_code

    return parse_code(" ".join(words)) if words else ""


def _own_name() -> str:
    from kumite.tui.settings import load, own_name

    return own_name(load())


# --- looking back ---------------------------------------------------------------------------------


@main.command()
@click.argument("log", type=PATH)
@click.option("--text", "as_text", is_flag=True, help="Print every position instead.")
@click.pass_context
def replay(ctx: click.Context, log: Path, as_text: bool) -> None:
    """Replay a saved match."""
    from kumite.store import log_files

    found = log_files.load(log)
    if as_text:
        from kumite.cli.printing import print_replay

        print_replay(found)
        return

    def opening() -> Screen[None]:
        from kumite.tui.screens.replay import ReplayScreen

        return ReplayScreen(found, log)

    _open(ctx, opening)


@main.command()
@click.argument("log", type=PATH)
@click.option("--at", "number", type=int, required=True, help="After this step.")
@click.option("--seats", "spec", help="Who goes on: ada,bot:simple (the names of the log)")
@click.pass_context
def branch(ctx: click.Context, log: Path, number: int, spec: str | None) -> None:
    """Go on from an earlier step of a saved match, in a log of its own."""
    from kumite.store import log_files
    from kumite.tui.bots.programs import called
    from kumite.tui.play.local_table import LocalTable, seat_names

    found = log_files.load(log)
    if spec is None:
        _open_table(ctx, lambda: LocalTable.branch(found, number))
        return
    names, programs = called(seat_names(spec, found.header.setup.seats))
    _open_table(ctx, lambda: LocalTable.branch(found, number, names, programs=programs))


# --- text -----------------------------------------------------------------------------------------


@main.command()
@GAME
@click.option("--seats", "spec", help="How many, or who: bot:easy,cmd:./mybot")
@click.option("--seed", type=int, help="The same match again.")
@OPTION
def demo(game: str, spec: str | None, seed: int | None, options: tuple[str, ...]) -> None:
    """Let bots play, as plain text; two simple ones if you name none."""
    from kumite.cli.printing import print_demo
    from kumite.tui.bots.programs import COMMAND, called
    from kumite.tui.play.local_seats import BOT
    from kumite.tui.play.local_table import seat_names, split_names

    seats, said = _seats(spec)
    for name in split_names(said) if said else ():
        if not name.startswith((BOT, COMMAND)):
            raise click.BadParameter(
                f"{name!r} is neither a number of seats nor a bot", param_hint="--seats"
            )
    setup = _setup(game, seats, options)
    names, programs = called(seat_names(said, setup.seats)) if said else ((), {})
    print_demo(setup, seed, names, programs)


@main.command()
def engine() -> None:
    """Answer other programs: one JSON object a line in, one a line out."""
    from kumite.cli.engine import serve

    for stream in (sys.stdin, sys.stdout):  # whatever the locale, bytes that are no UTF-8 included
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    serve(sys.stdin, sys.stdout)


@main.command()
@GAME
@click.argument("bots", nargs=-1, metavar="BOT BOT...")
@click.option("--seats", type=int, help="How many play.")
@OPTION
@click.option("--matches", type=click.IntRange(1), default=100, show_default=True, help="In all.")
@click.option("--seed", type=int, default=1, show_default=True, help="Other matches.")
@click.option("--jobs", type=click.IntRange(1), help="How many at once (as many as cores).")
@click.option("--scheduler", metavar="HOST:PORT", help="Play on the workers of a Dask scheduler.")
@click.option("--results", type=PATH, help="The file of results, to begin or to go on with.")
@click.option("--logs", type=FOLDER, metavar="DIR", help="Keep a log of each match played.")
@click.option("--json", "is_json", is_flag=True, help="Print the tables as JSON.")
def arena(
    game: str, bots: tuple[str, ...], seats: int | None, options: tuple[str, ...], matches: int,
    seed: int, jobs: int | None, scheduler: str | None, results: Path | None, logs: Path | None,
    is_json: bool,
) -> None:  # fmt: skip
    """Let bots play against each other, and tell how good they are.

    BOT is random, simple, easy, medium or strong; strong:500 has 500 simulations for a step, and
    cmd:./mybot is a program. Seats are shared evenly. The same command again goes on where it was
    stopped, and adds matches if --matches is more.
    """
    from kumite.cli.arena.playing import Plan
    from kumite.cli.arena.pool import cores
    from kumite.cli.arena.run import print_arena

    print_arena(
        Plan.of(_setup(game, seats, options), bots, seed),
        matches,
        jobs or cores(),
        scheduler=scheduler,
        path=results,
        logs=logs,
        is_json=is_json,
    )


@main.command()
@click.pass_context
def doctor(ctx: click.Context) -> None:
    """Tell what this terminal and this network can do."""
    from kumite.cli.doctor import print_findings

    if not print_findings():
        ctx.exit(1)


@main.command()
@click.option("--seconds", default=1.0, help="How long to measure each game.")
@click.option("--start", is_flag=True, help="Measure the time to the first paint instead.")
@click.option("--game", "games", multiple=True, help="With --start: whose table (kuzushi, kitsu).")
def bench(seconds: float, start: bool, games: tuple[str, ...]) -> None:
    """Measure speed, as ratios to plain integers or to a bare Textual app."""
    if start:
        from kumite.cli.bench.start import print_start

        print_start([find(game).ID for game in games or ("kuzushi", "kitsu")])
        return
    from kumite.cli.bench.run import print_bench

    print_bench(seconds)


# --- what many commands share ---------------------------------------------------------------------

for _command in (play, resume, host, join, watch, replay, branch):  # all that open the app
    look_options(_command)
for _command in main.commands.values():
    if any(param.name == "game" for param in _command.params):
        _command.epilog = GAMES_TOLD
