"""Matches as plain text, for pipes and terminals that cannot be drawn on."""

from __future__ import annotations

from time import sleep
from typing import TYPE_CHECKING, Final

from kumite.cli.saying import say
from kumite.core.log import End, Log
from kumite.core.match import Match
from kumite.core.players import shown_names
from kumite.tui import scenes
from kumite.tui.look import glyphs
from kumite.tui.play import narration
from kumite.tui.play.local_table import default_names, names_in
from kumite.tui.play.replaying import Replay
from kumite.tui.play.terms import options_said
from kumite.tui.puzzles import making
from kumite.tui.puzzles.model import Puzzle
from kumite.tui.scenes.lines import capital
from kumite.tui.scenes.model import scene_text

if TYPE_CHECKING:
    from kumite.store.following import Followed


PAUSE: Final = 0.4  # s between two looks at a log that grows


def print_replay(log: Log) -> None:
    """Print the position after every step, then the result."""
    names = shown_names(names_in(log.header))
    for match in log.match.line():
        print_position(match, names)
    print_end(log.match, names, log.end)
    _print_damage(log)


def print_puzzle(one: Puzzle) -> None:
    """Print the position and task of a puzzle, without the answer."""
    names = default_names(one.start.setup.seats)
    print_position(one.start, names)
    say(making.task(one, names))


def print_log(log: Log, eyes: str = "") -> None:
    """Print the steps as sentences, from the perspective of `eyes`, with the remarks."""
    replay = Replay(log, eyes)
    setup = log.header.setup
    options = ", ".join(options_said(setup))
    say(f"{setup.game.TITLE} ({options}): {', '.join(replay.names)}")
    if replay.origin:
        say(f"     {replay.origin}")
    for number, said in enumerate(replay.told):
        if said:  # otherwise it is secret, or included in a later sentence
            say(f"{number:>4} {said}")
        if remark := replay.remarks.get(number):
            say(f"     ! {remark}")
        for talk in replay.talk.get(number, ()):
            say(f"     > {talk.text}")
    print_end(log.match, replay.names, log.end)
    _print_damage(log)


def print_as_written(followed: Followed) -> None:
    """Print the steps of a match as sentences while its log grows, until it ends; also undone."""
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
            print_end(log.match, replay.names, log.end)
            _print_damage(log)
            return
        while not followed.poll():
            sleep(PAUSE)
        replay.grow(followed.log)


def print_position(match: Match, names: tuple[str, ...]) -> None:
    """Print one position, preceded by the step that led to it."""
    told = narration.narrated(match, names)
    say("--- start" if match.last is None else f"--- {match.number}. {told}")
    scene = scenes.maker(match).scene(match.state, names, glyphs.choose(), None)
    say(*scene_text(scene).split("\n"))
    say()


def print_end(match: Match, names: tuple[str, ...], end: End | None = None) -> None:
    who, why = narration.result(match, end, names)
    say(f"{capital(who, names)}: {why}" if who else "Not finished.")


def _print_damage(log: Log) -> None:
    if log.damage is not None:
        say(f"The log is damaged from here on: {log.damage}", err=True)
