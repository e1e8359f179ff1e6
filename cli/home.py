"""The home of line mode: what comes next, and every command by its words."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import click

from kumite.cli import line_mode
from kumite.cli.saying import say
from kumite.core.errors import KumiteError
from kumite.core.games import GAMES, titled
from kumite.core.players import as_person
from kumite.store import guest_mode
from kumite.store.library import Library
from kumite.tui import settings as kept
from kumite.tui.plain.console import Console, talk
from kumite.tui.play import preferences
from kumite.tui.play.kept import unfinished_parts
from kumite.tui.play.suggestion import next_up
from kumite.tui.settings import Settings

WORDS: Final = (
    "Type words:",
    "  play GAME --seats {you},bot:1: a match; without --seats two people take turns",
    "  learn GAME, or puzzles GAME: lessons, puzzles",
    "  rules GAME: the chapters of the rules",
    "  log list: saved matches, numbered; resume, replay 2, review 2: the newest, or number 2",
    "  record: how you have played",
    "  join, host GAME, or watch: tables on the LAN{{; tournament --help: tournaments|}}",
    "  settings: what is set; settings brief yes: change one",
    "  {{help all, or COMMAND --help: all commands, or about one|COMMAND --help: all about one}}",
    "  quit",
    "Games: {games}.",
)
PLACE: Final = "kumite"  # in the prompt, so that nobody leaves the program for a lesson
OF_GAMES: Final = ("play", "learn", "puzzles", "rules", "host")  # GAME comes first
QUIT: Final = (None, "quit", "q", "exit")
FOR_GUESTS: Final = {
    *("play", "learn", "puzzles", "rules", "resume", "replay", "open", "branch", "record"),
    *("join", "host", "watch", "log list", "log review", "log empty"),
}
"""The commands that guests of a server may type; the rest needs a computer of one's own."""


def home(ctx: click.Context) -> None:
    """Offer what comes next and run what is typed, until the user quits."""
    settings = line_mode.settings_of(ctx)
    say("kumite: five Japanese duels, by lines.")
    if _is_first_start(settings):
        name = _ask_name(settings)
        if not name:
            return
        settings = replace(settings, name=name)
        _tell_words(settings)
    else:
        say("Type help for the words, quit to leave.")
    before: Sequence[str] = ()
    while True:
        settings = kept.read().settings  # what was typed may have changed them
        told, following = _following(settings)
        if following and following != before:
            say(f"1 is what comes next. {told}: {shlex.join(following)}")
        before = following
        line = _asked(PLACE)
        if line is None or line in QUIT:
            say("Goodbye.")
            return
        if line == "1" and following:
            _run(ctx, following)
            before = ()
        elif line.isdecimal():
            say("Only 1 is offered." if following else "No number is offered.")
        elif line.partition(" ")[0] == "settings":
            _set(settings, *line.split(None, 2)[1:])
        elif not line:
            before = ()  # tell it again
        else:
            try:
                args = shlex.split(line.removeprefix("kumite "))
            except ValueError as error:
                say(f"A quotation mark is missing: {error}.")
                continue
            if args in (["help"], ["?"]):
                _tell_words(settings)
            else:
                _run(ctx, ["--help"] if args == ["help", "all"] else args)
                before = ()  # what comes next may have changed


def _tell_words(settings: Settings) -> None:
    games = ", ".join(f"{one} ({GAMES[one].TITLE})" for one in GAMES)
    for words in WORDS:
        said = guest_mode.suited(words).replace("{you}", shlex.quote(kept.own_name(settings)))
        say(said.replace("{games}", games))


def _following(settings: Settings) -> tuple[str, Sequence[str]]:
    """Return the suggestion as a sentence and as a command; () if there is none."""
    library = Library()
    library.read()
    unfinished, _, found = next_up(library, settings)
    if unfinished is not None:
        parts = unfinished_parts(unfinished, kept.own_name(settings), datetime.now(tz=UTC))
        number = library.newest_first().index(unfinished) + 1
        return f"Continue {', '.join(parts)}", ["resume", str(number)]
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


def _asked(place: str = "") -> str | None:
    """Return the next line; None at the end of the input."""
    lines: list[str | None] = []

    async def ask(console: Console) -> None:
        console.begin()
        console.prompt(place)
        line = await console.next()
        lines.append(line if line is None else line.strip())

    talk(ask)
    return lines[0]


def _understood(args: Sequence[str]) -> Sequence[str]:
    """Return a command as it is run: a game by its id, `review` as `log review`."""
    word, *rest = args
    if word in ("review", "analyse"):
        return ["log", *args]
    for count in range(len(rest) if word in OF_GAMES else 0, 0, -1):
        if game := titled(" ".join(rest[:count])):
            return [word, game, *rest[count:]]
    return args


def _run(ctx: click.Context, args: Sequence[str]) -> None:
    """Run a command by lines, and say of an error what is wrong, without the usage."""
    args = _understood(args)
    if game := titled(" ".join(args)):
        you = shlex.quote(kept.own_name(kept.read().settings))
        say(f"{GAMES[game].TITLE}: type learn {game}, or play {game} --seats {you},bot:1.")
        return
    if guest_mode.is_guest() and not {*args[:1], " ".join(args[:2])} & FOR_GUESTS:
        say("Guests cannot do that. Type one of the commands above.")
        return
    group = ctx.command
    assert isinstance(group, click.Group)
    command: click.Command | None = group
    with suppress(KumiteError):  # said when it is run
        for word in args:
            if isinstance(command, click.Group):
                command = command.get_command(ctx, word) or command
    has_lines = command is not None and any(one.name == "is_plain" for one in command.params)
    with suppress(SystemExit, click.Abort):
        try:
            args = [*args, *["--plain"] * has_lines]
            group.main(args, prog_name="kumite", standalone_mode=False)
        except click.ClickException as error:
            say(*error.format_message().splitlines())


def _is_first_start(settings: Settings) -> bool:
    if guest_mode.is_guest():
        return False
    library = Library()
    library.read()
    return not library.all() and not settings.name


def called(name: str | None) -> str:
    """Return a name given on the command line, or the user's own; ask for it if there is none."""
    settings = kept.read().settings
    if name or settings.name or guest_mode.is_guest() or not sys.stdin.isatty():
        return kept.called(settings, name)
    if not (name := _ask_name(settings)):
        raise click.Abort
    return name


def _ask_name(settings: Settings) -> str:
    """Ask for the user's name and keep it; return "" if the user leaves instead."""
    say(f"Your name? Enter alone: {kept.own_name(settings)}.")
    if (said := _asked()) in QUIT:
        return ""
    name = as_person(said or kept.own_name(settings))
    with _saying():
        kept.keep(name=name)
    return name


def _set(settings: Settings, name: str = "", said: str | None = None) -> None:
    """List the settings, or change one."""
    if not name:
        say(*preferences.lines(settings), "For example: settings brief yes")
    elif name not in preferences.BY_LINES:
        say(f"There is no setting {name!r} here; there are {', '.join(preferences.BY_LINES)}.")
    elif said is None:
        say(*(one for one in preferences.lines(settings) if one.startswith(f"{name} ")))
    else:
        with _saying():
            value = preferences.parse(settings, name, said)
            if name == "name":
                settings = kept.remember_name(settings, as_person(said))
            else:
                kept.keep(**{name: value})
                settings = replace(settings, **{name: value})  # type: ignore[arg-type]
            say(f"{name} is {preferences.shown(settings, name)} from now on.")


@contextmanager
def _saying() -> Iterator[None]:
    """Say an error instead of raising it."""
    try:
        yield
    except KumiteError as error:
        say(*filter(None, (str(error), error.hint)))
