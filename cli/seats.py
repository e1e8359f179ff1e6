"""Parsing of seats on the command line: their number, their players, and which are bots."""

from __future__ import annotations

from collections.abc import Sequence

import click

from kumite.core.bots import find as check
from kumite.core.game import Seat
from kumite.core.players import BOT, COMMAND
from kumite.tui.bots.programs import called
from kumite.tui.play.local_seats import STAND_IN
from kumite.tui.play.local_table import split_names


def seats_of(spec: str | None) -> tuple[int | None, str | None]:
    """Return the number of seats and the names in `4` or `ada,bot:simple`."""
    if spec is None:
        return None, None
    if spec.isdecimal() and len(spec) < 10:
        return int(spec), None
    return len(split_names(spec)), spec


def seat_list(text: str, hint: str) -> frozenset[Seat]:
    """Return the seats in `1,3`, counted from 1; `hint` is the option to blame in errors."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdecimal() and len(part) < 3 for part in parts):
        raise click.BadParameter(f"{text!r} is no list of seats such as 1,3", param_hint=hint)
    if any(int(part) == 0 for part in parts):
        raise click.BadParameter("seats are counted from 1", param_hint=hint)
    return frozenset(Seat(int(part) - 1) for part in parts)


def bots_of(
    text: str, seats: int, names: Sequence[str] = ()
) -> tuple[dict[Seat, str], dict[str, str]]:
    """Return the bots in `2:simple,3,4:cmd:./mybot` by seat, and their commands.

    A seat is a number from 1, or the name of its previous player.
    """
    found = {}
    for part in filter(None, split_names(text)):
        who = next((one for one in names if f"{part}:".startswith(f"{one}:")), "")
        if who:
            seat, bot = Seat(names.index(who)), part[len(who) + 1 :]
        else:
            number, _, bot = part.partition(":")
            (seat,) = seat_list(number, "--bots")
        if seat >= seats:
            raise click.BadParameter(f"there is no seat {seat + 1}", param_hint="--bots")
        if bot.startswith(COMMAND):
            found[seat] = bot
        else:
            check(bot or STAND_IN)
            found[seat] = f"{BOT}{bot or STAND_IN}"
    names, programs = called(list(found.values()))
    return dict(zip(found, names, strict=True)), programs
