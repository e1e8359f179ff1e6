"""Shell completion and the manual page, both generated from the commands."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import ClassVar, Final

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

from kumite.core.games import GAMES, find
from kumite.core.text import harmless
from kumite.store import whole_files

LEVELS: Final = (*"12345678", "easy", "medium", "strong", "random")  # without importing bots


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
    found = [(str(folder() / name), name) for name in names]
    fitting = (path for path, name in found if path.startswith(text) or name.startswith(text))
    return [path for path in fitting if harmless(path) == path]  # the shell prints it unescaped


# --- The shells -------------------------------------------------------------------------------

# click's own completion fails where bash splits words at `:` and `=`, and its fish at `,`. Of a
# value typed as `--theme=d` it returns the value without the option.

_BASH: Final = r"""%(complete_func)s() {
    local IFS=$'\n' found type value
    found=$(COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_BREAKS="$COMP_WORDBREAKS" \
        %(complete_var)s=bash_complete "$1")
    COMPREPLY=()
    while IFS=, read -r type value; do
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done <<< "$found"
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""
_FISH: Final = r"""function %(complete_func)s
    set -l found (env %(complete_var)s=fish_complete COMP_WORDS=(commandline -cp | string collect) \
        COMP_CWORD=(commandline -ct | string collect --allow-empty) %(prog_name)s)
    for one in $found
        set -l part (string split --max 1 "," -- $one)
        switch $part[1]
            case dir
                __fish_complete_directories $part[2]
            case file
                __fish_complete_path $part[2]
            case plain
                echo $part[2]
        end
    end
end
complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s)"
"""
_PLAIN: Final = re.compile(r"([^\w@%+=:,./~-])")  # the others are escaped in an unquoted word


def _option(typed: str) -> str:
    """Return the option in front of a value: `--theme=` of `--theme=d`."""
    found = re.match("--[a-z-]+=", typed)
    return found[0] if found else ""


class Bash(BashComplete):
    """Returns what replaces the last part of a word, which is where readline begins."""

    source_template: ClassVar[str] = _BASH
    _typed = ""
    _is_quoted = False

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ["COMP_LINE"]
        words = split_arg_string(line)
        if not line[-1:].strip() and len(split_arg_string(f"{line}x")) > len(words):
            words.append("")  # the cursor stands behind a space
        self._is_quoted = bool(re.search(r"""(^|\s)['"][^\s'"]*$""", line))
        self._typed = words[-1].removeprefix(_option(words[-1]))
        return words[1:-1], words[-1]

    def format_completion(self, item: CompletionItem) -> str:
        if self._is_quoted:
            return f"{item.type},{item.value}"
        breaks = os.environ["COMP_BREAKS"]
        done = max((at + 1 for at, one in enumerate(self._typed) if one in breaks), default=0)
        value = _PLAIN.sub(r"\\\1", item.value[done:])
        return f"{item.type},{value}"


class _Whole(ShellComplete):
    """Returns whole words, also with the option in front of a value."""

    _before = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, typed = super().get_completion_args()
        self._before = _option(typed)
        return args, typed

    def format_completion(self, item: CompletionItem) -> str:
        if item.type == "plain":
            item.value = f"{self._before}{item.value}"
        return super().format_completion(item)


class Zsh(_Whole, ZshComplete):
    """Uses click's script."""


class Fish(_Whole, FishComplete):
    """Splits a line at its first comma only."""

    source_template: ClassVar[str] = _FISH


SHELLS: Final = {one.name: one for one in (Bash, Zsh, Fish)}
for _shell in SHELLS.values():
    add_completion_class(_shell)


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what SHELL runs to complete commands, games, bots, logs.

    bash: eval "$(kumite completion bash)" in ~/.bashrc; zsh likewise in ~/.zshrc; fish: write it to
    ~/.config/fish/completions/kumite.fish.
    """
    made = SHELLS[shell](ctx.find_root().command, {}, "kumite", "_KUMITE_COMPLETE")
    click.echo(made.source())


@click.command()
@click.pass_context
def man(ctx: click.Context) -> None:
    """Print the manual page: kumite man | man -l -"""
    program = ctx.find_root().command
    assert isinstance(program, click.Group)
    click.echo("\n".join(_page(program)))


# --- The manual -------------------------------------------------------------------------------


def _page(program: click.Group) -> Iterator[str]:
    """Yield the lines of the manual page of all commands, in the format of `man -l`."""
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
