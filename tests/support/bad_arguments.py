"""Command lines that are wrong, made from the parser itself: every command, every parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import click

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

JUNK: Final = (
    "", " ", "-", "--", "zz", "None", "nan", "inf", "-1", "1e999", "0x10", "٣", "²", "9" * 400,
    "\x1b[2J", "\x1b]0;x\x07", "\x07", "a\nb", "\r", "\t", "\x7f", "\x9b31m", "é", "侍", "🦊",
    "\u202eabc", "\u200b", "\ud800", "\0", "%s%n", "{0}", "$(id)", "/dev/null/x",
    "a" * 5000, "../..", "=", "==", "a=", "=b", ",", ",,,", ":", ":::", "1,2,3,",
    "cmd:", "bot:", "bot:zz", "cmd:'",
)  # fmt: skip
WORDS: Final = tuple(one for one in JUNK if one.strip() and not one.startswith("-"))


class Case(NamedTuple):
    """A command line; one that `is_wrong` must be refused, in another the junk may be right."""

    words: tuple[str, ...]
    is_wrong: bool = True


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words that name each command."""
    for name, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name)


def cases(program: click.Group, rng: Random) -> Iterator[Case]:
    """Yield wrong command lines for ever."""
    paths = list(commands(program))
    while True:
        path = rng.choice(paths)
        command: click.Command = program
        for word in path:
            assert isinstance(command, click.Group)
            command = command.commands[word]
        way = rng.choice((_no_command, _unknown_option, _missing_value, _too_many, _value, _value))
        made = way(command, rng)
        if way is _no_command:
            yield made
        else:
            yield Case((*path, *made.words), made.is_wrong)


def _no_command(_: click.Command, rng: Random) -> Case:
    return Case((rng.choice(WORDS),))


def _unknown_option(_: click.Command, rng: Random) -> Case:
    return Case((f"--zz{rng.choice(JUNK)}",))


def _valued(command: click.Command) -> list[click.Option]:
    return [
        param for param in command.params if isinstance(param, click.Option) and not param.is_flag
    ]


def _missing_value(command: click.Command, rng: Random) -> Case:
    options = _valued(command)
    return Case((rng.choice(options).opts[0],)) if options else _unknown_option(command, rng)


def _arguments(command: click.Command) -> list[click.Parameter]:
    return [param for param in command.params if isinstance(param, click.Argument)]


def _too_many(command: click.Command, rng: Random) -> Case:
    arguments = _arguments(command)
    words = tuple(rng.choice(WORDS) for _ in range(len(arguments) + rng.randint(1, 4)))
    return Case(words, all(one.nargs == 1 for one in arguments))


def _value(command: click.Command, rng: Random) -> Case:
    """Return junk for an option, or for all arguments."""
    options = _valued(command)
    needed = tuple("zz" for one in _arguments(command) if one.required)
    if options and rng.random() < 0.7:
        option = rng.choice(options)
        is_typed = not isinstance(option.type, (click.types.StringParamType, click.Path))
        return Case((*needed, f"{option.opts[0]}={rng.choice(JUNK)}"), is_typed and bool(needed))
    return Case(tuple(rng.choice(JUNK) for _ in _arguments(command)), False)
