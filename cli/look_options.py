"""Settings of the app as command-line options, accepted before or after the command."""

from __future__ import annotations

from typing import Any

import click
from click.decorators import FC

from kumite.cli.arguments import Seconds
from kumite.cli.completing import glyphs, skins, themes


def _keep(ctx: click.Context, param: click.Parameter, value: object) -> None:
    """Store an option for the app; options after the command take precedence."""
    said = ctx.find_root().ensure_object(dict)
    if value and param.name == "no_mouse":
        said["mouse"] = False
    elif value:
        if param.name == "skin":
            _check_skin(str(value))
        said[param.name] = value


def _check_skin(name: str) -> None:
    from kumite.tui.look.sprites import names

    if name not in names():
        text = f"there is no skin {name!r}; skins: {', '.join(names())}"
        raise click.BadParameter(text, param_hint="--skin")


class Look(click.Option):
    """An option that all commands have; the help of one command names it and explains none."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        if ctx.parent is None:
            return super().get_help_record(ctx)
        looks = [one for one in ctx.command.params if isinstance(one, Look)]
        names = " ".join(one.opts[0] for one in looks)  # with commas they fill more than 80 columns
        return (names, "See `kumite --help`.") if self is looks[-1] else None


def look_options(command: FC) -> FC:
    """Add these options to a command; their values are in `ctx.obj`."""
    colours = "Colours: auto, dark, light, contrast, sixteen, mono, or your own."
    skin = "Pictures of pieces and cards: kumite, or your own (docs/sprites.md)."
    mouse = "Leave the mouse to the terminal."
    tutor = "A bot warns once before a costly step; not on the LAN."
    think = "How long the bot `strong` may think about a step (1)."
    kept: dict[str, Any] = {"expose_value": False, "callback": _keep, "cls": Look}
    for decorate in (  # the last one applied is listed first
        click.option(
            "--speak",
            type=click.Choice(["signs", "letters", "words"]),
            help="How line mode says e5 (signs): e 5, or echo 5.",
            **kept,
        ),
        click.option(
            "--motion",
            type=click.Choice(["full", "short", "off"]),
            help="How steps of others are shown as they happen (full).",
            **kept,
        ),
        click.option(
            "--size",
            type=click.Choice(["usual", "large"]),
            help="large: bigger squares and cards before panels; v shows these.",
            **kept,
        ),
        click.option("--tutor", is_flag=True, help=tutor, **kept),
        click.option("--think", type=Seconds(0.05, 3600), metavar="SECONDS", help=think, **kept),
        click.option("--no-mouse", is_flag=True, help=mouse, **kept),
        click.option(
            "--glyphs", help="auto, kanji, letters or ascii.", shell_complete=glyphs, **kept
        ),
        click.option("--skin", metavar="NAME", help=skin, shell_complete=skins, **kept),
        click.option("--theme", help=colours, shell_complete=themes, **kept),
    ):
        command = decorate(command)
    return command
