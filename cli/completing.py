"""Shell completion and the manual page, both generated from the commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import click

from kumite.cli import shells
from kumite.core.games import GAMES, find
from kumite.core.text import harmless
from kumite.store import whole_files

SHELLS: Final = {one.name: one for one in (shells.Bash, shells.Zsh, shells.Fish)}
LEVELS: Final = (*"12345678", "easy", "medium", "strong", "random")


def _beginning(words: Iterable[str], text: str) -> list[str]:
    return [word for word in words if word.startswith(text)]


def games(_: click.Context, __: click.Parameter, text: str) -> list[str]:
    return _beginning(GAMES, text)


def themes(_: click.Context, __: click.Parameter, text: str) -> list[str]:
    """Complete themes, including the user's own."""
    from kumite.tui.look import colors

    return _beginning((colors.AUTO, *colors.names()), text)


def skins(_: click.Context, __: click.Parameter, text: str) -> list[str]:
    """Complete skins, including the user's own."""
    from kumite.tui.look import sprites

    return _beginning(sprites.names(), text)


def glyphs(_: click.Context, __: click.Parameter, text: str) -> list[str]:
    from kumite.tui.look.glyphs import LOOKS

    return _beginning(("auto", *LOOKS), text)


def options(ctx: click.Context, _: click.Parameter, text: str) -> list[str]:
    """Complete NAME=VALUE for the options of the game."""
    game = find(ctx.meta.get("game") or "kuzushi")
    words = [f"{option.name}={value}" for option in game.OPTIONS for value in option.allowed]
    return _beginning(words, text)


def seats(ctx: click.Context, _: click.Parameter, text: str) -> list[str]:
    """Complete numbers of seats, or bots after the names typed so far."""
    done, comma, last = text.rpartition(",")
    game = find(ctx.meta.get("game") or "kuzushi")
    named = (*LEVELS, *_more_bots())
    words = [*(() if comma else map(str, game.SEATS)), *(f"bot:{one}" for one in named)]
    return [f"{done}{comma}{word}" for word in _beginning(words, last)]


def bots(_: click.Context, __: click.Parameter, text: str) -> list[str]:
    return _beginning((*LEVELS, *_more_bots()), text)


def _more_bots() -> Iterable[str]:
    from kumite.core.bots.levels import PLUGINS

    return PLUGINS


def logs(_: click.Context, __: click.Parameter, text: str) -> list[str]:
    """Complete saved matches by path or file name, newest first."""
    from kumite.store.log_files import SUFFIX, folder

    try:
        names = whole_files.names(folder(), SUFFIX)[::-1]  # without opening the files
    except OSError:  # an error message would disturb the command line
        names = []
    found = [str(folder() / name) for name in names]
    return [path for path, name in zip(found, names, strict=True) if _fits(path, name, text)]


def _fits(path: str, name: str, text: str) -> bool:
    is_shown = harmless(path) == path  # the shell prints it unescaped
    return is_shown and (path.startswith(text) or name.startswith(text))


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what SHELL runs to complete commands, games, bots, logs.

    bash: eval "$(kumite completion bash)" in ~/.bashrc; zsh likewise in ~/.zshrc; fish: write it to
    ~/.config/fish/completions/kumite.fish.
    """
    click.echo(script(ctx.find_root().command, shell))


@click.command()
@click.pass_context
def man(ctx: click.Context) -> None:
    """Print the manual page: kumite man | man -l -"""
    program = ctx.find_root().command
    assert isinstance(program, click.Group)
    click.echo(manual(program), nl=False)


def script(program: click.Command, shell: str) -> str:
    return SHELLS[shell](program, {}, "kumite", "_KUMITE_COMPLETE").source()


# --- The manual -------------------------------------------------------------------------------


def manual(program: click.Group) -> str:
    """Return the manual page of all commands, in the format of `man -l`."""
    return "\n".join(_page(program)) + "\n"


def _page(program: click.Group) -> Iterator[str]:
    yield '.TH KUMITE 1 "" kumite "User commands"'
    yield ".SH NAME"
    yield r"kumite \- Japanese duels in one terminal program"
    yield ".SH SYNOPSIS"
    yield r".B kumite"
    yield "[OPTIONS] [COMMAND] [ARGS]"
    yield ".SH OPTIONS"
    with click.Context(program, info_name="kumite", **program.context_settings) as ctx:
        yield from _options(program, ctx)
        yield ".SH COMMANDS"
        yield from _commands(program, ctx)
    yield ".SH FILES AND ENVIRONMENT"
    yield "KUMITE_LOGS names the folder of saved matches; the settings are settings.toml in the"
    yield "folder of your configuration. docs/settings.md says more."
    yield ".SH EXIT STATUS"
    yield "0: done; 1: something is wrong with what was looked at, or kumite has made a mistake;"
    yield "2: the command was wrong; 128 and the number of a signal that has ended it."


def _commands(group: click.Group, parent: click.Context) -> Iterator[str]:
    for name in group.list_commands(parent):
        command = group.get_command(parent, name)
        if command is None or command.hidden:
            continue
        with click.Context(command, info_name=name, parent=parent) as ctx:
            usage = " ".join(command.collect_usage_pieces(ctx))
            yield f".SS {_roff(ctx.command_path)} {_roff(usage)}"
            yield _roff(command.help or "")
            if isinstance(command, click.Group):
                yield from _commands(command, ctx)
            else:
                yield from _options(command, ctx)


def _options(command: click.Command, ctx: click.Context) -> Iterator[str]:
    for param in command.get_params(ctx):
        record = param.get_help_record(ctx)
        if record is not None:
            yield ".TP"
            yield rf"\fB{_roff(record[0])}\fR"
            yield _roff(record[1])


def _roff(text: str) -> str:
    lines = (line.strip() for line in text.replace("\\", r"\e").replace("-", r"\-").splitlines())
    return "\n".join(rf"\&{line}" if line[:1] in (".", "'") else line for line in lines)
