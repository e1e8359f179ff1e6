"""`kumite demo`: bots play a match, printed position by position."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import click

from kumite.cli.arena.playing import Player
from kumite.cli.arguments import GAME, OPTION, GameCommand, seats_option, setup_of
from kumite.cli.printing import print_end, print_position
from kumite.cli.seats import seats_of
from kumite.core.game import CHANCE, Setup
from kumite.core.match import Match
from kumite.core.players import BOT, is_person, shown_names
from kumite.tui.bots.programs import called
from kumite.tui.play.local_table import default_names, seat_names, split_names


@click.command(cls=GameCommand)
@GAME
@seats_option("How many, or who: bot:easy,cmd:./mybot")
@click.option("--seed", type=int, help="The same match again.")
@OPTION
def demo(game: str, spec: str | None, seed: int | None, options: tuple[str, ...]) -> None:
    """Let bots play, as plain text; two simple ones if you name none."""
    seats, said = seats_of(spec)
    for name in split_names(said) if said else ():
        if is_person(name):
            raise click.BadParameter(
                f"{name!r} is neither a number of seats nor a bot", param_hint="--seats"
            )
    setup = setup_of(game, seats, options)
    names, programs = called(seat_names(said, setup.seats)) if said else ((), {})
    print_demo(setup, seed, names, programs)


def print_demo(
    setup: Setup,
    seed: int | None,
    names: tuple[str, ...] = (),
    programs: Mapping[str, str] | None = None,
) -> None:
    """Let bots play a match and print it; without names, all are `simple`.

    `programs` has the commands of bots that are programs (`tui.bots.programs.called`).

    Raises:
        KumiteError: a name is no bot, or a program fails.
    """
    commands, rng, match = programs or {}, Random(seed), Match.begin(setup)
    who = [commands.get(name, name.removeprefix(BOT)) for name in names] or ["simple"] * setup.seats
    names = shown_names(names or default_names(setup.seats))
    players = [Player(one, rng) for one in who]
    try:
        print_position(match, names)
        while match.actors:
            actor = match.actors[0]
            step = match.draw(rng) if actor == CHANCE else players[actor].choose(match, actor)
            match = match.play(actor, step)
            print_position(match, names)
    finally:
        for player in players:
            player.close()
    print_end(match, names)
