"""The home of line mode: what comes next, and every command by its words."""

from __future__ import annotations

import shlex
from contextlib import suppress
from dataclasses import fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import click

from kumite.cli import line_mode
from kumite.cli.saying import say
from kumite.core.errors import KumiteError
from kumite.core.games import GAMES, NAMES
from kumite.store.library import Library
from kumite.tui import settings as kept
from kumite.tui.play.kept import unfinished_parts
from kumite.tui.play.suggestion import suggested

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.tui.plain.console import Console
    from kumite.tui.settings import Settings

GAMES_TOLD: Final = ", ".join(GAMES)
WORDS: Final = (
    "Type a number, or words:",
    "  play GAME --seats you,bot:1   a match; without --seats two people take turns",
    "  learn GAME, puzzles GAME      lessons and puzzles",
    "  rules GAME                    the chapters of the rules",
    "  resume, replay LOG, log list  saved matches",
    "  record                        how you have played",
    "  join, host GAME, watch        tables on the LAN; tournament --help for tournaments",
    "  settings                      what is set, and where to change it",
    "  help, or COMMAND --help       all commands, or all about one",
    "  quit",
    f"Games: {GAMES_TOLD}.",
)


def home(ctx: click.Context) -> None:
    """Offer what comes next and run what is typed, until the user quits."""
    settings = line_mode.settings_of(ctx)
    say("kumite: five Japanese duels, by lines.", *WORDS)
    while True:
        offers = _offers(settings)
        for number, (told, args) in enumerate(offers, 1):
            say(f"  {number}  {told}: {shlex.join(args)}")
        line = _asked()
        if line is None or line in ("quit", "q", "exit"):
            return
        if line.isdecimal() and 0 < int(line) <= len(offers):
            _run(ctx, offers[int(line) - 1][1])
        elif line == "settings":
            _tell_settings(settings)
        elif line:
            try:
                args = shlex.split(line.removeprefix("kumite "))
            except ValueError as error:
                say(f"A quotation mark is missing: {error}.")
                continue
            _run(ctx, ["--help"] if args == ["help"] else args)


def _offers(settings: Settings) -> list[tuple[str, Sequence[str]]]:
    """Return what comes next, in words and as a command."""
    library = Library()
    library.read()
    offers: list[tuple[str, Sequence[str]]] = []
    newest = library.newest(library.can_go_on)
    if newest is not None:
        parts = unfinished_parts(newest, kept.own_name(settings), datetime.now(tz=UTC))
        offers.append((f"go on: {', '.join(parts)}", ["resume"]))
    played = library.all()
    last = max(played, key=lambda one: one.changed, default=None)
    game = last.game if last is not None and last.game in NAMES else ""
    found = suggested(played, game, NAMES[0], settings)
    if found is not None and found.game:
        seats = f"{kept.own_name(settings)},bot:{found.level}"
        command = {
            "learn": ["learn", found.game],
            "match": ["play", found.game, "--seats", seats],
        }.get(found.kind, ["puzzles", found.game])
        offers.append((", ".join(found.said), command))
    return offers


def _asked() -> str | None:
    """Return the next line; None at the end of the input."""
    lines: list[str | None] = []

    async def ask(console: Console) -> None:
        console.begin()
        console.prompt()
        line = await console.next()
        lines.append(line if line is None else line.strip())

    line_mode.run(ask)
    return lines[0]


def _run(ctx: click.Context, args: Sequence[str]) -> None:
    """Run a command by lines; what it says of an error is enough."""
    group = ctx.command
    assert isinstance(group, click.Group)
    command: click.Command | None = group
    with suppress(KumiteError):  # said when it is run
        for word in args:
            if isinstance(command, click.Group):
                command = command.get_command(ctx, word) or command
    has_lines = command is not None and any(one.name == "is_plain" for one in command.params)
    with suppress(SystemExit):
        group.main([*args, *["--plain"] * has_lines], prog_name="kumite")


def _tell_settings(settings: Settings) -> None:
    for one in fields(settings):
        say(f"{one.name} = {getattr(settings, one.name)!r}")
    say(f"They are changed in {kept.path()}; docs/settings.md has all of them.")
