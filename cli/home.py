"""The home of line mode: what comes next, and every command by its words."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

import click

from kumite.cli import line_mode
from kumite.core.errors import BadSetup, KumiteError
from kumite.core.games import GAMES
from kumite.core.players import as_person
from kumite.store import guest_mode
from kumite.store.library import Kept, Library
from kumite.tui import settings as kept
from kumite.tui.plain.console import Console, standard
from kumite.tui.play import preferences
from kumite.tui.play.kept import unfinished_parts
from kumite.tui.play.suggestion import next_up
from kumite.tui.settings import Settings

WORDS: Final = (
    "Type words:",
    "  play GAME --seats {you},bot:1: a match; without --seats two people take turns",
    "  learn GAME, or puzzles GAME: lessons, puzzles",
    "  rules GAME: the chapters of the rules",
    "  log list: saved matches by number; replay 2, review 2, resume 2: one (alone: the newest)",
    "  record: how you have played",
    "  join, host GAME, or watch: tables on the LAN{{; tournament --help: tournaments|}}",
    "  settings: what is set; settings brief yes: change one",
    "  help: these words; {{help all: every command;|}} COMMAND --help: all about one",
    "  quit",
    "Games: {games}.",
)
PLACE: Final = "kumite"  # told by the prompt, so that nobody leaves the program for a lesson
GAME_FIRST: Final = ("play", "learn", "puzzles", "rules", "host")
OF_MATCHES: Final = {"replay": ["replay"], "resume": ["resume"], "review": ["log", "review"]}
QUIT: Final = (None, "quit", "q", "exit")
FOR_GUESTS: Final = {
    *("play", "learn", "puzzles", "rules", "resume", "replay", "open", "branch", "record"),
    *("join", "host", "watch", "log list", "log review", "log empty"),
}
"""The commands that guests of a server may type; the rest needs a computer of one's own."""


def say(*lines: str) -> None:
    standard().say(*lines)


def home(ctx: click.Context) -> None:
    """Offer what comes next and run what is typed, until the user quits."""
    settings = line_mode.settings_of(ctx)
    say("kumite: five Japanese duels, by lines.")
    if _is_first_start(settings):
        say(f"Your name? Enter alone: {kept.own_name(settings)}.")
        if (name := _asked()) in QUIT:
            return
        settings = _named(settings, name or "")
    _help(settings)
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
        elif line.isdecimal():
            say("Only 1 is offered." if following else "No number is offered.")
        elif line.partition(" ")[0] == "settings":
            _set(settings, *line.split(None, 2)[1:])
        elif not line:
            before = ()  # tell it again
        elif line in ("help", "?"):
            _help(settings)
        elif game := _game(line):
            say(f"Type learn {game}, play {game}, puzzles {game} or rules {game}.")
        else:
            try:
                args = shlex.split(line.removeprefix("kumite "))
            except ValueError as error:
                say(f"A quotation mark is missing: {error}.")
                continue
            if args == ["log", "list"]:
                _list_matches()
                continue
            with _saying():
                _run(ctx, ["--help"] if args == ["help", "all"] else _meant(args))
            before = ()  # what comes next may have changed


def _help(settings: Settings) -> None:
    you = shlex.quote(kept.own_name(settings))
    games = "; ".join(
        one if _plain(game.TITLE) == one else f"{one} ({game.TITLE})" for one, game in GAMES.items()
    )
    for words in WORDS:
        said = guest_mode.suited(words).replace("{you}", you)
        say(said.replace("{games}", games))


def _plain(title: str) -> str:
    """Return letters and digits only, so that Kiri-ai and kiriai are the same."""
    return "".join(one for one in title.lower() if one.isalnum())


def _game(said: str) -> str:
    """Return the game meant by an id, a title or a part of it that only one has; else ""."""
    if (plain := _plain(said)) in GAMES:
        return plain
    found = [one for one, game in GAMES.items() if plain and plain in _plain(game.TITLE)]
    return found[0] if len(found) == 1 and len(plain) > 2 else ""


def _saved() -> list[Kept]:
    """Return the saved matches, newest first."""
    library = Library()
    library.read()
    return sorted(library.all(), key=lambda one: (one.when, one.changed), reverse=True)


def _list_matches() -> None:
    found = _saved()
    for number, one in enumerate(found, 1):
        say(f"{number}. {one.title}: {one.players}, {one.state}, {one.when:%d %B %H:%M}")
    say(*["No match is saved yet."] * (not found))


def _meant(args: Sequence[str]) -> list[str]:
    """Return a command with a match's number as its log, and a game's title as its id."""
    first, *rest = args or [""]
    if first in GAME_FIRST:
        for size in range(len(rest), 0, -1):
            if game := _game(" ".join(rest[:size])):
                return [first, game, *rest[size:]]
    if first == "log" and rest[:1] == ["review"]:
        first, rest = "review", rest[1:]
    if first not in OF_MATCHES or (first == "resume" and not rest):
        return [*args]
    number = rest[0] if rest else "1"
    if number.isdecimal():
        saved = dict(enumerate(_saved(), 1))
        if int(number) not in saved:
            raise BadSetup(f"There is no saved match {number}; log list lists them.")
        rest = [saved[int(number)].name, *rest[1:]]
    return [*OF_MATCHES[first], *rest]


def _following(settings: Settings) -> tuple[str, Sequence[str]]:
    """Return the suggestion as a sentence and as a command; () if there is none."""
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


def _asked(place: str = "") -> str | None:
    """Return the next line; None at the end of the input."""
    lines: list[str | None] = []

    async def ask(console: Console) -> None:
        console.begin()
        console.prompt(place)
        line = await console.next()
        lines.append(line if line is None else line.strip())

    line_mode.run(ask)
    return lines[0]


def _run(ctx: click.Context, args: Sequence[str]) -> None:
    """Run a command by lines; what it says of an error is enough."""
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
    words = [*args, *["--plain"] * has_lines]
    try:
        with suppress(SystemExit, click.Abort):
            group.main(words, prog_name="kumite", standalone_mode=False)
    except click.UsageError as error:
        say(error.format_message())  # without the usage, which would come first
    except click.ClickException as error:
        error.show()


def _is_first_start(settings: Settings) -> bool:
    if guest_mode.is_guest():
        return False
    library = Library()
    library.read()
    return not library.all() and not settings.name


def _named(settings: Settings, said: str) -> Settings:
    name = as_person(said or kept.own_name(settings))
    with _saying():
        kept.keep(name=name)
    return replace(settings, name=name)


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
