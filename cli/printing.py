"""Matches as plain text, for pipes and terminals that cannot draw: demo, replay, log show."""

from __future__ import annotations

from random import Random
from time import sleep
from typing import TYPE_CHECKING

from kumite.cli.saying import say
from kumite.core import bots
from kumite.core.game import CHANCE, Seat
from kumite.core.match import Match
from kumite.core.players import BOT, COMMAND
from kumite.tui import scenes
from kumite.tui.look import glyphs
from kumite.tui.play import narration
from kumite.tui.play.local_seats import Follower
from kumite.tui.play.local_table import default_names, names_in
from kumite.tui.play.replaying import Replay
from kumite.tui.play.terms import options_said
from kumite.tui.puzzles import telling
from kumite.tui.scenes.lines import capital
from kumite.tui.scenes.model import scene_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kumite.core.game import Setup, Step
    from kumite.core.log import End, Log
    from kumite.store.following import Followed
    from kumite.tui.bots.service import BotService
    from kumite.tui.puzzles.model import Puzzle


def print_replay(log: Log) -> None:
    """Print the position after every step, then how it ended."""
    names = names_in(log.header)
    for match in log.match.line():
        _print_position(match, names)
    _print_end(log.match, names, log.end)
    _print_damage(log)


def print_puzzle(one: Puzzle) -> None:
    """Print the position of a puzzle and what is to be done in it, not the answer."""
    names = default_names(one.start.setup.seats)
    _print_position(one.start, names)
    say(telling.task(one, names))


def print_log(log: Log, eyes: str = "") -> None:
    """Print the steps in sentences, as these eyes see them, with the remarks."""
    replay = Replay(log, eyes)
    setup = log.header.setup
    options = ", ".join(options_said(setup))
    say(f"{setup.game.TITLE} ({options}): {', '.join(replay.names)}")
    if replay.origin:
        say(f"     {replay.origin}")
    for number, said in enumerate(replay.told):
        if said:  # else it was in secret, or a part of what a later step tells
            say(f"{number:>4} {said}")
        if remark := replay.remarks.get(number):
            say(f"     ! {remark}")
        for talk in replay.talk.get(number, ()):
            say(f"     > {talk}")
    _print_end(log.match, replay.names, log.end)
    _print_damage(log)


def print_as_written(followed: Followed, pause: float = 0.4) -> None:
    """Print the steps of a match as its log grows, in sentences, until it ends.

    What is taken back is said as well. It looks at the file every `pause` seconds.
    """
    replay, printed = Replay(followed.log), [followed.log.match.back(0).digest]
    say(replay.title)
    while True:
        digests = [match.digest for match in replay.line]
        pairs = enumerate(zip(printed, digests, strict=False))
        common = next(
            (n for n, (old, new) in pairs if old != new), min(map(len, (printed, digests)))
        )
        if common < len(printed):
            say(f"     taken back to step {common - 1}")
        for number in range(common, len(digests)):
            if replay.told[number]:
                say(f"{number:>4} {replay.told[number]}")
        printed = digests
        log = followed.log
        if log.damage is not None or log.match.outcome is not None or log.end is not None:
            _print_end(log.match, replay.names, log.end)
            _print_damage(log)
            return
        while not followed.poll():
            sleep(pause)
        replay.grow(followed.log)


def print_demo(
    setup: Setup,
    seed: int | None,
    names: tuple[str, ...] = (),
    programs: Mapping[str, str] | None = None,
) -> None:
    """Let bots play a match and print it; without names they are `simple`.

    `programs` are the commands of the players that are programs (`tui.bots.protocol.called`).

    Raises:
        KumiteError: somebody is no bot, or a program fails.
    """
    commands = programs or {}
    who = [commands.get(name, name.removeprefix(BOT)) for name in names] or ["simple"] * setup.seats
    names = names or default_names(setup.seats)
    bot_service = _bot_service() if commands else None
    rng = Random(seed)

    def choose(where: bots.Position) -> Step:
        bot = who[where.seat]
        if bot_service is not None and bot.startswith(COMMAND):
            return bot_service.now(bot, where)
        return bots.find(bot)(where, rng, bots.Budget()).step

    try:
        _play_out(Match.begin(setup), names, rng, choose)
    finally:
        if bot_service is not None:
            bot_service.close()


def _bot_service() -> BotService:
    from kumite.tui.bots.service import BotService  # late: it brings a loop

    return BotService()


def _play_out(
    match: Match, names: tuple[str, ...], rng: Random, choose: Callable[[bots.Position], Step]
) -> None:
    """Play to the end, and print every position."""
    followers = [Follower() for _ in names]
    _print_position(match, names)
    while match.actors:
        actor = match.actors[0]
        if actor == CHANCE:
            odds = match.odds()
            steps = sorted(odds)
            step = rng.choices(steps, [float(odds[one]) for one in steps])[0]
        else:
            own = frozenset({actor})
            seen, view = (
                followers[actor].follow(match, own).steps(),
                match.game.view(match.state, own),
            )
            step = choose(bots.Position(match.game, view, Seat(actor), seen, match.legal(actor)))
        match = match.play(actor, step)
        _print_position(match, names)
    _print_end(match, names)


def _print_position(match: Match, names: tuple[str, ...]) -> None:
    """Print one position, under what led to it."""
    makes = scenes.maker(match)
    if match.before is not None and match.last is not None:
        actor, step = match.last.actor, match.last.step
        told = makes.narrate(match.before.state, actor, step, match.state, names)
        say(f"--- {match.number}. {told}")
    else:
        say("--- start")
    say(scene_text(makes.scene(match.state, names, glyphs.choose(), None)))
    say()


def _print_end(match: Match, names: tuple[str, ...], end: End | None = None) -> None:
    who, why = narration.result(match, end, names)
    say(f"{capital(who, names)}: {why}" if who else "Not finished.")


def _print_damage(log: Log) -> None:
    if log.damage is not None:
        say(f"The log is damaged from here on: {log.damage}", err=True)
