"""Command lines that are wrong, made from the parser itself: every command, every parameter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final, NamedTuple

import click

JUNK: Final = (
    "", " ", "-", "--", "zz", "None", "nan", "inf", "-1", "1e999", "0x10", "٣", "²", "9" * 400,
    "\x1b[2J", "\x1b]0;x\x07", "\x07", "a\nb", "\r", "\t", "\x7f", "\x9b31m", "é", "侍", "🦊",
    "\u202eabc", "\u200b", "\ud800", "\0", "%s%n", "{0}", "$(id)", "/dev/null/x",
    "a" * 5000, "../..", "=", "==", "a=", "=b", ",", ",,,", ":", ":::", "1,2,3,",
    "cmd:", "bot:", "bot:zz", "cmd:'",
)  # fmt: skip
NOTHING: Final = "yy"  # names nothing, and no file that a case before has written: no junk
WORDS: Final = tuple(one for one in JUNK if one.strip() and not one.startswith("-"))


Path = tuple[str, ...]  # the words that name a command


class Case(NamedTuple):
    """A command line; one that `is_wrong` must be refused, in another the junk may be right."""

    words: tuple[str, ...]
    is_wrong: bool = True
    aim: str = ""  # what is given junk: the name of a parameter


class Aim(NamedTuple):
    """What to hit: a command, and one of its parameters."""

    path: Path
    command: click.Command
    param: click.Parameter

    @property
    def name(self) -> str:
        return " ".join((*self.path, str(self.param.name)))


def commands(command: click.Command, path: Path = ()) -> Iterator[tuple[Path, click.Command]]:
    """Yield each command with the words that name it, the program and other groups as well."""
    yield path, command
    if isinstance(command, click.Group):
        ctx = click.Context(command)
        for name in sorted(command.list_commands(ctx)):
            below = command.get_command(ctx, name)
            assert below is not None
            yield from commands(below, (*path, name))


def aims(program: click.Group) -> list[Aim]:
    return [
        Aim(path, command, param) for path, command in commands(program) for param in command.params
    ]


def cases(program: click.Group, rng: Random, right: Mapping[str, str]) -> Iterator[Case]:
    """Yield wrong command lines for ever; after some hundred, each parameter has had its junk.

    `right` has words that a command takes, by the names of its arguments: so that it comes to what
    is wrong behind them.
    """
    all_commands, all_aims = list(commands(program)), aims(program)
    while True:
        for aim in rng.sample(all_aims, len(all_aims)):
            yield _junk(aim, rng, right)
            if rng.random() < 0.5:
                path, command = rng.choice(all_commands)
                way = rng.choice((_no_command, _unknown_option, _missing_value, _too_many))
                made = way(command, rng)
                yield made if way is _no_command else made._replace(words=(*path, *made.words))


def _no_command(_: click.Command, rng: Random) -> Case:
    return Case((rng.choice(WORDS),))


def _unknown_option(_: click.Command, rng: Random) -> Case:
    return Case((f"--zz{rng.choice(JUNK)}",))


def _missing_value(command: click.Command, rng: Random) -> Case:
    options = [one for one in command.params if isinstance(one, click.Option) and not one.is_flag]
    return Case((rng.choice(options).opts[0],)) if options else _unknown_option(command, rng)


def _arguments(command: click.Command) -> list[click.Argument]:
    return [param for param in command.params if isinstance(param, click.Argument)]


def _too_many(command: click.Command, rng: Random) -> Case:
    arguments = _arguments(command)
    words = tuple(rng.choice(WORDS) for _ in range(len(arguments) + rng.randint(1, 4)))
    return Case(words, all(one.nargs == 1 for one in arguments))


def _junk(aim: Aim, rng: Random, right: Mapping[str, str]) -> Case:
    """Return junk for one parameter, among arguments that are right, or among wrong ones."""
    is_right = rng.random() < 0.7
    words, needed = list(aim.path), 0
    for one in _arguments(aim.command):
        if one is aim.param:
            words += rng.choices(JUNK, k=1 if one.nargs == 1 else rng.randint(0, 3))
        elif one.required:
            words.append(right.get(str(one.name), NOTHING) if is_right else NOTHING)
            needed += 1
    if isinstance(aim.param, click.Option):
        words.insert(len(aim.path), f"{rng.choice(aim.param.opts)}={rng.choice(JUNK)}")
        is_wrong = aim.param.is_flag or bool(needed and not is_right and _is_typed(aim.param))
    else:
        is_wrong = False
    return Case(tuple(words), is_wrong, aim.name)


def _is_typed(option: click.Option) -> bool:
    return not isinstance(option.type, (click.types.StringParamType, click.Path))
