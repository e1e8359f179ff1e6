"""A kumite process in line mode, talked to through pipes, and a person who knows only its words."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from random import Random
from typing import Self

from tests.support.places import ROOT
from tests.support.waiting import PATIENCE, looks

PROMPT = "> "
DUE = re.compile(r"^(?:Your|.+, your) turn\b", re.MULTILINE)
OVER = "Type rematch, vote, say, or quit."  # said at a LAN table when the match has ended


class Talk:
    """Run `kumite ARGS` with pipes for standard input and output."""

    def __init__(self, *args: str, environment: Mapping[str, str]) -> None:
        self.said = ""  # all that it has said
        self._taken = 0
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kumite", *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):  # what nobody has read any more
                    stream.close()
        self.process.wait(PATIENCE)

    def hang_up(self) -> None:
        self.process.stdin.close()

    def say(self, line: str) -> None:
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def listen(self) -> str:
        """Wait for the next prompt, or the end; return what was said since the last time."""
        return self._until(lambda: self.said[self._taken :].endswith(PROMPT))

    def wait_for(self, *texts: str) -> str:
        """Wait until all of these have been said since the last time; return all since then."""
        said = self._until(lambda: all(text in self.said[self._taken :] for text in texts))
        assert all(text in said for text in texts), f"{texts} was not said: {self.said}"
        return said

    def find(self, pattern: str) -> re.Match[str]:
        """Wait until `pattern` has been said since the last time; it can come in parts."""
        said = self._until(lambda: re.search(pattern, self.said[self._taken :]) is not None)
        found = re.search(pattern, said)
        assert found is not None, f"{pattern} was not said: {self.said}"
        return found

    def _until(self, has_come: Callable[[], bool]) -> str:
        for _ in looks(f"an answer after {self.said[-600:]}", PATIENCE):
            if has_come() or not self.read(0.1):
                break
        new, self._taken = self.said[self._taken :], len(self.said)
        return new

    def read(self, timeout: float) -> bool:
        """Take in what is said within so many seconds; return whether more may come."""
        number = self.process.stdout.fileno()
        ready, _, _ = select.select([number], [], [], timeout)
        data = os.read(number, 65536) if ready else b"?"
        self.said += data.decode() if ready else ""
        return bool(data)

    def ask(self, line: str) -> str:
        self._taken = len(self.said)
        self.say(line)
        return self.listen()

    def hear_out(self) -> None:
        """Take in all that it has said, once it has ended."""
        while self.read(1.0):
            pass

    def end(self) -> int:
        self._until(lambda: False)
        return self.process.wait(PATIENCE)


def any_step(talk: Talk, rng: Random) -> str:
    """Return a step that `?` offers; where it tells how many begin so, ask further."""
    answer = talk.ask("?")
    while True:
        groups = re.findall(r"^(.+?)(?: \(.*\))?: \d+ steps$", answer, re.MULTILINE)
        told = [line for line in answer.split("\n") if not line.endswith(" steps")]
        steps = re.findall(r"^(\S+): .", "\n".join(told), re.MULTILINE)
        if not groups and not steps:  # news came first
            more = talk.listen()
            if not more:
                return ""  # it has ended
            answer += more
            continue
        chosen = rng.choice([*groups, *steps])
        if chosen in steps:
            return chosen
        answer = talk.ask(f"? {chosen}")


def play_on(talk: Talk, rng: Random, heard: str, longest: int = 10_000) -> str:
    """Play at random what `?` offers until the match is over; return what was said last."""
    for _ in range(longest):
        if talk.process.poll() is not None or not heard.endswith(PROMPT):
            return heard
        if "presses Enter when alone" in heard:
            heard = talk.ask("")
        else:
            heard = talk.ask(any_step(talk, rng))
    return heard


@contextmanager
def at_lan_table(
    game: str, *options: str, folders: tuple[Mapping[str, str], Mapping[str, str]]
) -> Iterator[tuple[Talk, Talk]]:
    """Let ada host and bob join, and the match begin; yield both."""
    setting = ("--port", "0", "--unlisted", "--name", "ada", *options)
    with Talk("host", game, "--plain", *setting, environment=folders[0]) as host:
        invited = re.search(r"kumite join (\S+) (\S+)", host.wait_for("kumite join", "quit leaves"))
        where, code = f"127.0.0.1:{invited[1].rpartition(':')[2]}", invited[2]
        given = (where, code, "--plain", "--name", "bob")
        with Talk("join", *given, environment=folders[1]) as guest:
            guest.wait_for("Press Enter when you are ready")
            guest.say("")
            host.wait_for("Enter begins")
            host.say("start")
            host.wait_for("nobody listens in")
            guest.wait_for("nobody listens in")
            yield host, guest


def play_lan(terminals: Sequence[Talk], rng: Random) -> None:
    """Let all play at random until all say how it ended, or one of them has ended."""
    turns = [0] * len(terminals)
    for _ in looks("the end of the match"):
        for number, one in enumerate(terminals):
            if not one.read(0.01):
                return
            due = len(DUE.findall(one.said))
            if due > turns[number] and one.said.endswith(PROMPT):
                turns[number] = due
                one.say(any_step(one, rng))
        if all(OVER in one.said for one in terminals):
            return
