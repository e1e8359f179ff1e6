"""`kumite bench`: the speed of games and LAN tables (run.py) and of the app (terminals.py)."""

from __future__ import annotations

import click

from kumite.cli.arguments import Seconds
from kumite.cli.bench import terminals
from kumite.core.games import find


@click.command()
@click.option(
    "--seconds", type=Seconds(0.01, 3600), default=1.0, help="How long to measure each game."
)
@click.option("--start", is_flag=True, help="Measure the time to the first paint instead.")
@click.option("--keys", is_flag=True, help="Measure the time from a key to the screen instead.")
@click.option("--game", "games", multiple=True, help="Of these two: whose table (kuzushi, kitsu).")
def bench(seconds: float, start: bool, keys: bool, games: tuple[str, ...]) -> None:
    """Measure speed, as ratios to plain integers or to a bare Textual app."""
    found = [find(game).ID for game in games or ("kuzushi", "kitsu")]
    if start:
        terminals.print_start(found)
    if keys:
        terminals.print_keys(found)
    if not start and not keys:
        from kumite.cli.bench.run import print_bench

        print_bench(seconds)
