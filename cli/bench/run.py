"""The speed of games, searches and LAN tables, relative to plain integers in the same run.

Machines differ and timings are noisy; only ratios to the plain-integer Mini-Kuzushi are comparable.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, Final

from kumite.cli.bench.plain_integers import playouts
from kumite.cli.saying import say
from kumite.core.bots import MODELS, BotModel, Budget, model_of
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import GAMES, find
from kumite.core.log import Header, log_text, read
from kumite.core.match import Match
from kumite.net.crypto.sealed_deck import Deal
from kumite.net.session import events
from kumite.net.transport.peer import Peer
from kumite.tui.bots import kernels

LAN_GAME: Final = "kuzushi"
LOOPBACK: Final = "127.0.0.1"
PATIENCE: Final = 60.0  # s to wait for an event of a LAN table
LEVEL: Final = 7  # the level whose number of simulations is measured


def print_bench(seconds: float) -> None:
    """Run all measurements, `seconds` each, and print the rates."""
    say(f"{'':24} {'playouts/s':>10} {'steps/s':>10}  of plain")
    plain = rate(seconds, lambda _: playouts(200)[0])
    _print("plain integers", plain[0] * 200, plain[1], plain[1])
    why_not = kernels.load()
    for game in GAMES.values():
        for seats in game.SEATS:
            setup = Setup.of(game, seats)
            log = log_text(Header("00", setup), random_match(setup, Random(1)))
            say()
            _print(f"{game.ID} {seats} seats", *rate(seconds, partial(playout, setup)), plain[1])
            _print("  Match with digests", *rate(seconds, partial(steps_of, setup)), plain[1])
            _print("  opening its log", *rate(seconds, partial(opened, log)), plain[1])
            if (model := MODELS.get(game.ID)) and hasattr(model, "FASTER"):
                text = f"{search_rate(seconds, setup, model):,.0f} simulations/s; compiled "
                text += why_not or f"{search_rate(seconds, setup, model_of(game.ID)):,.0f}"
                say(f"  search: {text}")
    print_deal()
    say(f"LAN table: the other side sees a step after {1000 * lan_step(seconds):.2f} ms")


def _print(name: str, matches: float, steps: float, plain: float) -> None:
    say(f"{name:24} {matches:10,.1f} {steps:10,.0f}  {steps / plain:7.1%} steps/s")


def rate(seconds: float, work: Callable[[Random], int]) -> tuple[float, float]:
    """Repeat `work`; return the calls per second, and the sum of its results per second."""
    rng, times, total = Random(1), 0, 0
    start = perf_counter()
    while (spent := perf_counter() - start) < seconds or not times:
        total += work(rng)
        times += 1
    return times / spent, total / spent


def playout(setup: Setup, rng: Random) -> int:
    """Play a random match with the game's own functions; return its number of steps."""
    game, number = setup.game, 0
    state = game.start(setup.seats, setup.options)
    while actors := game.actors(state):
        if actors[0] == CHANCE:
            odds = game.odds(state)
            step = rng.choices([*odds], [float(one) for one in odds.values()])[0]
        else:
            step = rng.choice(game.legal(state, actors[0]))
        state = game.apply(state, actors[0], step)
        number += 1
    return number


def random_match(setup: Setup, rng: Random) -> Match:
    """Play a random match through `Match`, which checks and hashes every step."""
    match = Match.begin(setup)
    while actors := match.actors:
        is_drawn = actors[0] == CHANCE
        step = match.draw(rng) if is_drawn else rng.choice(match.legal(actors[0]))
        match = match.play(actors[0], step)
    return match


def steps_of(setup: Setup, rng: Random) -> int:
    """Play a random match through `Match`; return its number of steps."""
    return random_match(setup, rng).number


def opened(log: str, _: Random) -> int:
    """Parse a log, checking every step and digest; return its number of steps."""
    return read(log).match.number


def search_rate(seconds: float, setup: Setup, model: BotModel | None) -> float:
    """Return the simulations per second of searches from the start position."""
    assert model is not None
    position = kernels.first_choice(setup.game.ID, setup.seats)
    simulations = model.LEVELS[LEVEL - 1].simulations

    def think(rng: Random) -> int:
        model.think(position, rng, Budget(simulations))
        return simulations

    think(Random(0))  # warm up: loading does not count
    return rate(seconds, think)[1]


def print_deal() -> None:
    """Print the total CPU time that all terminals need to deal 30 cards and verify the proofs."""
    names, took = tuple(str(number) for number in range(30)), []
    for terminals in (2, 6):
        begin, seeds = process_time(), [bytes([number + 1]) * 32 for number in range(terminals)]
        deals = [Deal.of(names, ("bench",), terminals) for _ in seeds]
        while (turn := deals[0].turn) is not None:
            made = deals[turn].make_pass(seeds[turn])
            deals = [deal.with_pass(made, is_trusted=n == turn) for n, deal in enumerate(deals)]
        dealt, first = process_time(), deals[0]
        shares = [deal.share(seeds[n], n, 0) for n, deal in enumerate(deals)]
        if all(first.is_share(n, 0, share) for n, share in enumerate(shares)):
            first.open(0, shares)
        opened = 1000 * (process_time() - dealt)
        took.append(
            f"{terminals} terminals {1000 * (dealt - begin):.0f} ms, one opened {opened:.1f}"
        )
    say()
    say(f"30 cards dealt and verified by {'; '.join(took)}")


class _Events:
    """The events of a terminal, with timestamps."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[tuple[float, events.Event]] = SimpleQueue()

    def deliver(self, event: events.Event) -> None:
        self._queue.put((perf_counter(), event))

    def wait(self, kind: type[Any]) -> tuple[float, Any]:
        """Return the time and value of the next event of this kind."""
        while True:
            when, event = self._queue.get(timeout=PATIENCE)
            if isinstance(event, kind):
                return when, event


def lan_step(seconds: float) -> float:
    """Return the median delay, in s, until the other terminal of a loopback table sees a step."""
    setup = Setup.of(find(LAN_GAME))
    table = events.HostSetup(setup, ("ada",), frozenset({Seat(0)}))
    rng, begin = Random(1), perf_counter()
    times: list[float] = []
    while not times or perf_counter() - begin < seconds:
        with TemporaryDirectory() as name:
            at_host, at_joiner = _Events(), _Events()
            host = Peer.host(
                table, "ada", at_host.deliver, port=0, address=LOOPBACK, logs=Path(name, "ada")
            )
            _, listening = at_host.wait(events.Listening)
            joiner = Peer.join(
                LOOPBACK, listening.port, listening.code, "bob", at_joiner.deliver,
                logs=Path(name, "bob"),
            )  # fmt: skip
            at_joiner.wait(events.Lobby)
            joiner.ready()
            while not at_host.wait(events.Lobby)[1].can_start:
                pass
            host.start()
            sides = ((host, at_host), (joiner, at_joiner))
            for _, told in sides:
                told.wait(events.MatchBegan)
            match = Match.begin(setup)
            while match.actors:
                actor = match.actors[0]
                step = rng.choice(match.legal(actor))
                match = match.play(actor, step)
                start = perf_counter()
                sides[int(actor)][0].play(actor, step)
                seen = [told.wait(events.MatchChanged)[0] for _, told in sides]
                times.append(seen[1 - int(actor)] - start)
            for one, _ in sides:
                one.close()
    return median(times)
