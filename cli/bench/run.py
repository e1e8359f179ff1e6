"""`kumite bench`: random playouts of every game, beside plain integers in the same run.

Machines are noisy and differ; ratios to the plain-integer Mini-Kuzushi are what can be compared.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, Final

from kumite.cli.bench import mk6, plain, search
from kumite.cli.saying import say
from kumite.core.game import CHANCE, Setup
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text, read
from kumite.core.match import Match

if TYPE_CHECKING:
    from kumite.core.game import Actor, Game, Step


CUT: Final = 10.0  # s that a line is away
SHARED_STEPS: Final = 4000  # enough that one slow moment of the machine does not tell


@dataclass(slots=True)
class Tally:
    """What random playouts of one set-up came to."""

    matches: int = 0
    steps: int = 0
    seconds: float = 0.0
    listing: float = 0.0  # s of `seconds` spent in `legal` (and `odds`)
    applying: float = 0.0
    choices: int = 0  # legal steps that were listed
    winners: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def rate(self) -> float:
        """Return steps a second."""
        return self.steps / self.seconds


def print_bench(seconds: float) -> None:
    """Measure and print, one game after the other."""
    measure = plain_rate(seconds)
    say(f"{'':24} {'playouts/s':>10} {'steps/s':>10}  of plain")
    _line("mk6-plain", measure[0], measure[1], measure[1])
    small = playouts(Setup.of(mk6), seconds)
    _line("mk6", small.matches / small.seconds, small.rate, measure[1])
    _line("mk6 Match with digests", *match_rate(Setup.of(mk6), seconds), measure[1])
    search.print_rates(seconds)
    for game in GAMES.values():
        for seats in game.SEATS:
            setup = Setup.of(game, seats)
            tally = playouts(setup, seconds)
            say()
            name = f"{game.ID} {seats} seats"
            _line(name, tally.matches / tally.seconds, tally.rate, measure[1])
            _line("  Match with digests", *match_rate(setup, seconds), measure[1])
            _line("  opening its log", *open_rate(setup, seconds), measure[1])
            _details(tally)
    print_deal()
    from kumite.cli.bench.lan import print_lan  # late: it loads what only a table on the LAN needs

    print_lan(seconds, CUT if seconds >= 1 else 0)


def print_deal() -> None:
    """Print how long all terminals together deal 30 cards and check all proofs, on one core."""
    from kumite.net.crypto.sealed_deck import Deal

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
    say(f"\n30 cards dealt and verified by {'; '.join(took)}")


def _line(name: str, matches: float, steps: float, measure: float) -> None:
    say(f"{name:24} {matches:10,.1f} {steps:10,.0f}  {steps / measure:7.1%} steps/s")


def _details(tally: Tally) -> None:
    total = tally.seconds
    say(
        f"  {tally.steps / tally.matches:.1f} steps a match, {tally.choices / tally.steps:.1f} "
        f"choices a step; listing {tally.listing / total:.0%}, applying "
        f"{tally.applying / total:.0%}, the rest {1 - (tally.listing + tally.applying) / total:.0%}"
    )
    won = ", ".join(f"{who} {n / tally.matches:.0%}" for who, n in sorted(tally.winners.items()))
    why = ", ".join(f"{code} {n / tally.matches:.0%}" for code, n in tally.reasons.most_common())
    say(f"  won by seat: {won}")
    say(f"  reasons: {why}")


def plain_rate(seconds: float) -> tuple[float, float]:
    """Return playouts and steps a second of the plain-integer Mini-Kuzushi."""
    matches = steps = 0
    start = perf_counter()
    while (spent := perf_counter() - start) < seconds:
        steps += plain.playouts(200)[0]
        matches += 200
    return matches / spent, steps / spent


def playouts(setup: Setup, seconds: float, seed: int = 1) -> Tally:
    """Play random matches with the game's own functions: list, choose, apply, score."""
    tally, rng = Tally(), Random(seed)
    start = perf_counter()
    while tally.seconds < seconds or not tally.matches:
        _playout(setup.game, setup, rng, tally)
        tally.seconds = perf_counter() - start
    _measure_shares(setup, tally, rng)
    return tally


def _playout(game: Game[Any], setup: Setup, rng: Random, tally: Tally) -> None:
    legal, apply, random = game.legal, game.apply, rng.random
    state = game.start(setup.seats, setup.options)
    actors = game.actors(state)
    while actors:
        actor = actors[0]
        steps = _steps_of_chance(game, state, rng) if actor == CHANCE else legal(state, actor)
        tally.choices += len(steps)
        state = apply(state, actor, steps[int(random() * len(steps))])
        tally.steps += 1
        actors = game.actors(state)
    tally.matches += 1
    outcome = game.outcome(state)
    assert outcome is not None
    tally.winners[",".join(map(str, outcome.winners)) or "nobody"] += 1
    tally.reasons[outcome.reason] += 1


def _steps_of_chance(game: Game[Any], state: object, rng: Random) -> tuple[Step, ...]:
    """Return one step of chance, drawn by its odds."""
    odds = game.odds(state)
    if len(odds) == 1:
        return tuple(odds)
    steps = sorted(odds)
    return tuple(
        rng.choices(steps, [odds[step].numerator / odds[step].denominator for step in steps])
    )


def _measure_shares(setup: Setup, tally: Tally, rng: Random) -> None:
    """Replay some thousand steps, timing `legal` and `apply` apart, and scale to the whole run."""
    game = setup.game
    states: list[tuple[Any, Actor, Step]] = []
    while len(states) < SHARED_STEPS:
        state = game.start(setup.seats, setup.options)
        while actors := game.actors(state):
            drawn = actors[0] == CHANCE
            steps = _steps_of_chance(game, state, rng) if drawn else game.legal(state, actors[0])
            step = rng.choice(steps)
            states.append((state, actors[0], step))
            state = game.apply(state, actors[0], step)
    begin = perf_counter()
    for state, actor, _ in states:
        if actor == CHANCE:
            game.odds(state)
        else:
            game.legal(state, actor)
    middle = perf_counter()
    for state, actor, step in states:
        game.apply(state, actor, step)
    scale = tally.steps / len(states)
    tally.listing = (middle - begin) * scale
    tally.applying = (perf_counter() - middle) * scale


def match_rate(setup: Setup, seconds: float, seed: int = 1) -> tuple[float, float]:
    """Return playouts and steps a second through `Match`, which checks and digests every step."""
    rng, matches, steps = Random(seed), 0, 0
    start = perf_counter()
    while (spent := perf_counter() - start) < seconds or not matches:
        match = Match.begin(setup)
        while actors := match.actors:
            actor = actors[0]
            if actor == CHANCE:
                choices = _steps_of_chance(match.game, match.state, rng)
            else:
                choices = match.legal(actor)
            match = match.play(actor, choices[int(rng.random() * len(choices))])
        matches, steps = matches + 1, steps + match.number
    return matches / spent, steps / spent


def open_rate(setup: Setup, seconds: float, seed: int = 1) -> tuple[float, float]:
    """Return logs and steps a second that are opened, with every check, step and digest."""
    rng = Random(seed)
    match = Match.begin(setup)
    while actors := match.actors:
        chance = actors[0] == CHANCE
        choices = (
            _steps_of_chance(match.game, match.state, rng) if chance else match.legal(actors[0])
        )
        match = match.play(actors[0], choices[int(rng.random() * len(choices))])
    text, logs = log_text(Header("00", setup), match), 0
    start = perf_counter()
    while (spent := perf_counter() - start) < seconds or not logs:
        read(text)
        logs += 1
    return logs / spent, logs * match.number / spent
