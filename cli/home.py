"""The home of line mode: what comes next, and every command by its words."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from datetime import UTC, datetime
from typing import Final

import click

from kumite.cli import line_mode
from kumite.cli.saying import say
from kumite.core.errors import KumiteError
from kumite.core.games import GAMES
from kumite.store import guest_mode
from kumite.store.library import Library
from kumite.tui import settings as kept
from kumite.tui.plain.console import Console
from kumite.tui.play.kept import unfinished_parts
from kumite.tui.play.suggestion import next_up
from kumite.tui.settings import Settings

WORDS: Final = (
    "Type words:",
    "  play GAME --seats {you},bot:1: a match; without --seats two people take turns",
    "  learn GAME, or puzzles GAME: lessons, puzzles",
    "  rules GAME: the chapters of the rules",
    "  resume, replay LOG, log review LOG, or log list: saved matches",
    "  record: how you have played",
    "  join, host GAME, or watch: tables on the LAN{{; tournament --help: tournaments|}}",
    "  settings: what is set{{, and where to change it|}}",
    "  {{help, or COMMAND --help: all commands, or all about one|COMMAND --help: all about one}}",
    "  quit",
    "Games: {games}.",
)
FOR_GUESTS: Final = {
    *("play", "learn", "puzzles", "rules", "resume", "replay", "open", "branch", "record"),
    *("join", "host", "watch", "log list", "log review", "log empty"),
}
"""The commands that guests of a server may type; the rest needs a computer of one's own."""


def home(ctx: click.Context) -> None:
    """Offer what comes next and run what is typed, until the user quits."""
    you = shlex.quote(kept.own_name(line_mode.settings_of(ctx)))
    say("kumite: five Japanese duels, by lines.")
    said = guest_mode.suited("\n".join(WORDS))
    say(said.replace("{you}", you).replace("{games}", ", ".join(GAMES)))
    while True:
        settings = kept.read().settings  # what was typed may have changed them
        told, following = _following(settings)
        if following:
            say(f"1 is what comes next. {told}: {shlex.join(following)}")
        line = _asked()
        if line is None or line in ("quit", "q", "exit"):
            return
        if line == "1" and following:
            _run(ctx, following)
        elif line.isdecimal():
            say("Only 1 is offered." if following else "No number is offered.")
        elif line == "settings":
            _tell_settings(settings)
        elif line:
            try:
                args = shlex.split(line.removeprefix("kumite "))
            except ValueError as error:
                say(f"A quotation mark is missing: {error}.")
                continue
            _run(ctx, ["--help"] if args == ["help"] else args)


def _following(settings: Settings) -> tuple[str, Sequence[str]]:
    """Return what comes next, in words and as a command; () if there is nothing."""
    library = Library()
    library.read()
    unfinished, _, found = next_up(library, settings)
    if unfinished is not None:
        parts = unfinished_parts(unfinished, kept.own_name(settings), datetime.now(tz=UTC))
        return f"Continue {', '.join(parts)}", ["resume", unfinished.name]
    if found is None or not found.game:
        return "", ()
    seats = f"{kept.own_name(settings)},bot:{found.level}"
    command = {
        "first": ["learn", found.game],
        "learn": ["learn", found.game],
        "match": ["play", found.game, "--seats", seats],
    }.get(found.kind, ["puzzles", found.game])
    said = ", ".join(found.said)
    return f"{said[:1].upper()}{said[1:]}", command


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
    if guest_mode.is_guest() and not {*args[:1], " ".join(args[:2])} & FOR_GUESTS:
        say("Guests cannot do that. The commands above are yours to type.")
        return
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
    if not guest_mode.is_guest():
        say(f"They are changed in {kept.path()}; docs/settings.md has all of them.")
