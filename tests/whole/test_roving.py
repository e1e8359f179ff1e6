"""Three computers whose links come, go and change address, and which sleep, while they play on.

`--minutes` says for how long, `--storm` repeats a seed.
"""

from __future__ import annotations

import os
import re
import secrets
import signal
import struct
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack
from random import Random
from typing import Final

import pytest

if sys.platform != "linux":
    pytest.skip("network namespaces are Linux's", allow_module_level=True)

from pathlib import Path

from tests.support.networks import Lan
from tests.support.places import ROOT
from tests.support.talk import DUE, PROMPT, Talk, any_step
from tests.support.waiting import looks

# A program that sleeps with its computer is stopped, and finds its clocks as a suspend leaves them:
# the kernel's CLOCK_BOOTTIME counts it and CLOCK_MONOTONIC does not. A process that is only stopped
# would see both go on, so its `time.monotonic` is put back by each pause; its wall clock can be put
# forward, as by a time server or a journey.
_FORM: Final = "dd"  # s that the monotonic clock is behind, s that the wall clock is ahead
_PATCH: Final = f"""
import mmap, os, struct, time

with open(os.environ["KUMITE_TEST_SLEEPS"], "rb") as file:
    shared = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
monotonic, wall = time.monotonic, time.time
time.monotonic = lambda: monotonic() - struct.unpack_from("{_FORM}", shared)[0]
time.time = lambda: wall() + struct.unpack_from("{_FORM}", shared)[1]
"""


class Sleeper:
    """The clocks of one computer; `environment` gives them to programs that begin there."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "sitecustomize.py").write_text(_PATCH, "utf-8")
        self._file = folder / "clocks"
        self._slept, self._ahead = 0.0, 0.0
        self._write()
        self.environment = {"PYTHONPATH": str(folder), "KUMITE_TEST_SLEEPS": str(self._file)}

    def stop(self, talk: Talk) -> None:
        talk.process.send_signal(signal.SIGSTOP)

    def wake(self, talk: Talk, seconds: float, ahead: float = 0.0) -> None:
        """Let it go on after a sleep of so long, the wall clock put forward by `ahead` s."""
        self._slept += seconds
        self._ahead += ahead
        self._write()
        talk.process.send_signal(signal.SIGCONT)

    def _write(self) -> None:
        """Overwrite the file in place: the program has mapped it."""
        number = os.open(self._file, os.O_WRONLY | os.O_CREAT, 0o600)
        os.write(number, struct.pack(_FORM, self._slept, self._ahead))
        os.close(number)


MINUTES: Final = 60  # of each seat's clock
FREE: Final = 7200  # s that a terminal may be away for nothing: all pauses of a match
CLOCK: Final = f"{MINUTES}+0+{FREE}"
BLAME: Final = ("stopped the match", " says that ", "played false", "The table is closed.")
PAUSE_COSTS: Final = 3.0  # s of a clock at most: until the others have noticed it
STEP_COSTS: Final = 0.25  # s beside what was thought, on a busy machine
APART: Final = 2  # s between the clocks that terminals show: they are asked one after another
HEALED: Final = 90.0  # s after which all three play again, once their links are up
ENDS: Final = re.compile(r"Type rematch, vote, say, or quit|Type quit to leave")
NAMES: Final = ("ada", "bob", "cid")  # host, joiner, spectator


class Roving:
    """Ada hosts, bob plays, cid looks on; `done` is what has been done to them."""

    def __init__(self, lan: Lan, folder: Path, rng: Random, ends: ExitStack) -> None:
        self.done: list[str] = []
        self.kinds: Counter[str] = Counter()
        self._lan, self._folder, self._rng = lan, folder, rng
        self._begun = time.monotonic()
        self._numbers = dict.fromkeys(NAMES, 0)  # of the addresses that each has had
        self._now_at: dict[str, str] = {}
        self._asleep: set[str] = set()
        self._answered = dict.fromkeys(NAMES[:2], 0)  # prompts for a step
        self._acts_at: dict[str, float] = {}
        self._thought = dict.fromkeys(NAMES[:2], 0.0)  # s in this match, while awake
        self._told = dict.fromkeys(NAMES, 0)  # how much of what was said has been looked at
        self._over: set[str] = set()  # who has read that the match is over
        self._pauses, self._before = 0, 0  # in this match; steps before it
        self.dearest = 0.0  # s of a clock that nobody has thought, at most
        self.matches, self.steps, self.slowest = 1, 0, 0.0
        self._sleepers = {name: Sleeper(folder / name / "clock") for name in NAMES}
        for name in NAMES:
            lan.plug(name, self._address(name))
        host = self._talk(ends, "ada", "host", "kitsune", "--clock", CLOCK)
        found = host.find(r"kumite join (10\.\S+) (\S+)\n")
        bob = self._talk(ends, "bob", "join", *found.groups())
        bob.wait_for("Press Enter when you are ready")
        bob.say("")
        host.wait_for("Enter begins")
        cid = self._talk(ends, "cid", "watch", *found.groups())
        host.say("start")
        self.talks = {"ada": host, "bob": bob, "cid": cid}
        for one in self.talks.values():
            one.wait_for("nobody listens in")

    def _talk(self, ends: ExitStack, name: str, *args: str) -> Talk:
        home = self._folder / name
        config = home / "config" / "kumite"
        config.mkdir(parents=True, exist_ok=True)
        (config / "settings.toml").write_text("lan = true\n", "utf-8")
        environment = {
            "KUMITE_LOGS": str(home / "logs"),
            "XDG_CONFIG_HOME": str(home / "config"),
            **self._sleepers[name].environment,
        }
        with self._lan.at(name):
            talk = Talk(*args, "--name", name, "--plain", environment=environment)
        return ends.enter_context(talk)

    def _address(self, name: str) -> str:
        self._numbers[name] += 1
        number = self._numbers[name] % 250 + 1
        self._now_at[name] = f"10.9.{NAMES.index(name)}.{number}/16"
        return self._now_at[name]

    def note(self, what: str) -> None:
        self.done.append(f"{time.monotonic() - self._begun:7.1f} s: {what}")
        print(self.done[-1], flush=True)

    @property
    def figures(self) -> list[str]:
        return [
            f"{self.steps} steps in {self.matches} matches",
            ", ".join(f"{count} {kind}" for kind, count in sorted(self.kinds.items())),
            f"played on {self.slowest:.1f} s after the links were up, at the latest",
            f"no clock has lost more than {self.dearest:.1f} s beside what was thought in a match",
        ]

    # --- playing ------------------------------------------------------------------------------

    def play(self, seconds: float) -> None:
        """Let those who are awake play at random for so long."""
        end = before = time.monotonic()
        end += seconds
        while before < end:
            for name, talk in self.talks.items():
                if name not in self._asleep:
                    self._hear(name, talk)
            now = time.monotonic()
            for name in self._acts_at.keys() - self._asleep:
                self._thought[name] += now - before
            before = now

    def _hear(self, name: str, talk: Talk) -> None:
        """Take in what a program says, and answer if it is its player's turn."""
        assert talk.read(0.02), f"{name}'s program has ended:\n{talk.said[-3000:]}"
        new = talk.said[self._told[name] :]
        self._told[name] = len(talk.said)
        for blame in BLAME:
            assert blame not in new, f"{name} reads {blame!r}:\n{talk.said[-3000:]}"
        if ENDS.search(new):
            self._over.add(name)
        if name not in self._answered or not talk.said.endswith(PROMPT):
            return
        now, due = time.monotonic(), len(DUE.findall(talk.said))
        if due > self._answered[name]:
            self._answered[name] = due
            self._acts_at[name] = now + self._rng.uniform(0.3, 2.0)
        if now >= self._acts_at.get(name, now + 1):
            step = any_step(talk, self._rng)
            self._thought[name] += time.monotonic() - now
            del self._acts_at[name]
            self.steps += 1
            talk.say(step)

    def run(self, seconds: float) -> None:
        """Disturb them and let them go on, again and again, for so long."""
        kinds = [
            self._pull,
            self._pull_at_the_switch,
            self._move,
            self._move_on_the_fly,
            self._only_ipv6,
            self._sleep,
            self._sleep,
            self._cut_all,
        ]
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            kind = self._rng.choice(kinds)
            self.kinds[kind.__name__.strip("_")] += 1
            self._pauses += 1
            kind()
            self._goes_on()
            self.play(self._rng.uniform(2, 8))
        self._see_clocks()
        self._resign()
        for name, talk in reversed(self.talks.items()):  # the host last, at whose table they are
            talk.say("quit")
            assert talk.end() == 0, f"{name}'s program has failed:\n{talk.said[-3000:]}"
        self._see_logs()

    def _goes_on(self) -> None:
        """Wait until a step has been made that all have read, or the match is over for all."""
        steps, begun = self.steps, time.monotonic()
        while not (self.steps >= steps + 2 or len(self._over) == len(NAMES)):
            self.play(0.2)
            took = time.monotonic() - begun
            assert took < HEALED, "nobody plays on: " + "\n---\n".join(
                talk.said[-1500:] for talk in self.talks.values()
            )
        self.slowest = max(self.slowest, time.monotonic() - begun)
        if len(self._over) == len(NAMES):
            self._see_clocks()
            self._rematch()

    def _resign(self) -> None:
        if len(self._over) == len(NAMES):
            return
        self.talks["ada"].say("resign")
        self.talks["ada"].wait_for("Give this match up?")
        self.talks["ada"].say("yes")
        for _ in looks("the last end"):
            self.play(0.1)
            if len(self._over) == len(NAMES):
                break

    def _rematch(self) -> None:
        self._over.clear()
        self._acts_at.clear()
        self._thought = dict.fromkeys(NAMES[:2], 0.0)
        self.matches += 1
        ada, bob = self.talks["ada"], self.talks["bob"]
        said = ada.said.count("nobody listens in")
        ada.say("rematch")
        for _ in looks("the offer"):
            bob.read(0.1)
            if bob.said[self._told["bob"] :].count("Type yes or no"):
                break
        bob.say("yes")
        for _ in looks("the rematch"):
            self.play(0.1)
            if ada.said.count("nobody listens in") > said:
                break
        self.note("a rematch")

    def _see_clocks(self) -> None:
        """See that all three show the same clocks, and that these lack what was thought alone."""
        shown = {name: self._clocks(name) for name in NAMES}
        self.note(f"clocks {shown}, thought {self._thought}")
        for name, thought in self._thought.items():
            left = [clocks[name] for clocks in shown.values()]
            assert max(left) - min(left) <= APART, f"{name} has {left} s left"
            lost = 60 * MINUTES - min(left) - thought
            self.dearest = max(self.dearest, lost)
            fair = PAUSE_COSTS * (1 + self._pauses) + STEP_COSTS * (self.steps - self._before)
            assert lost <= fair, f"{name} has paid {lost:.1f} s too much"
        self._pauses, self._before = 0, self.steps

    def _clocks(self, name: str) -> dict[str, int]:
        """Return how many seconds each player has left as somebody's terminal says."""
        talk, found = self.talks[name], dict[str, int]()
        for _ in looks(f"the clocks at {name}'s"):
            if len(found) == len(self._thought):
                break
            talk.ask("who")
            told = talk.said[talk.said.rindex("who\n") :]
            found = {
                who: int(minutes) * 60 + int(seconds)
                for who, minutes, seconds in re.findall(r"(\w+)(?:, you)?, (\d+):(\d+) left", told)
            }
        return found

    def _see_logs(self) -> None:
        """See that all logs are sound, and that those of a match tell the same match."""
        found = {name: sorted((self._folder / name / "logs").glob("*.kumite")) for name in NAMES}
        for logs in zip(*found.values(), strict=True):
            assert len(logs) == len(NAMES)
            kumite("log", "check", *logs)
            for other in logs[1:]:
                kumite("log", "compare", logs[0], other)

    # --- what becomes of links, addresses and computers -----------------------------------------

    def _pull(self) -> None:
        name, seconds = self._rng.choice(NAMES), self._rng.uniform(2, 25)
        self.note(f"{name}'s link is down for {seconds:.0f} s")
        self._lan.unplug(name)
        self.play(seconds)
        self._lan.plug(name, self._now_at[name])

    def _pull_at_the_switch(self) -> None:
        name, seconds = self._rng.choice(NAMES), self._rng.uniform(2, 25)
        self.note(f"{name}'s cable is out of the switch for {seconds:.0f} s")
        self._lan.ip("switch", "link", "set", name, "down")
        self.play(seconds)
        self._lan.ip("switch", "link", "set", name, "up")

    def _move(self) -> None:
        name, seconds = self._rng.choice(NAMES), self._rng.uniform(0, 10)
        self._lan.unplug(name)
        self.play(seconds)
        self._lan.plug(name, self._address(name))
        self.note(f"{name} is at {self._now_at[name]} after {seconds:.0f} s without a link")

    def _move_on_the_fly(self) -> None:
        name = self._rng.choice(NAMES)
        old, new = self._now_at[name], self._address(name)
        self._lan.ip(name, "address", "delete", old, "dev", "eth0")
        self._lan.ip(name, "address", "add", new, "dev", "eth0")
        self.note(f"{name} is at {new} at once")

    def _only_ipv6(self) -> None:
        seconds = self._rng.uniform(20, 45)
        self.note(f"IPv6 alone for {seconds:.0f} s")
        for name in NAMES:
            self._lan.ip(name, "-4", "address", "flush", "dev", "eth0")
        self.play(seconds)
        self._goes_on()
        for name in NAMES:
            self._lan.plug(name, self._now_at[name])

    def _cut_all(self) -> None:
        seconds = self._rng.uniform(2, 20)
        self.note(f"no link at all for {seconds:.0f} s")
        for name in NAMES:
            self._lan.unplug(name)
        self.play(seconds)
        for name in NAMES:
            self._lan.plug(name, self._now_at[name])

    def _sleep(self) -> None:
        name, seconds = self._rng.choice(NAMES), self._rng.uniform(4, 70)
        ahead = self._rng.choice([0.0, 0.0, 3600.0, -1800.0])
        has_link = self._rng.random() < 0.5
        self.note(
            f"{name}'s computer sleeps for {seconds:.0f} s, its wall clock goes by {ahead:+.0f} s"
        )
        self._asleep.add(name)
        self._sleepers[name].stop(self.talks[name])
        if not has_link:
            self._lan.unplug(name)
        self.play(seconds)
        self._sleepers[name].wake(self.talks[name], seconds, ahead)
        self._asleep.discard(name)
        if not has_link:
            self.play(self._rng.uniform(0, 5))
            self._lan.plug(name, self._now_at[name])


def kumite(*args: str | Path) -> None:
    command = [sys.executable, "-m", "kumite", *map(str, args)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{args}: {done.stdout}{done.stderr}"


@pytest.mark.long
@pytest.mark.netns
def test_three_computers_play_on_whatever_becomes_of_their_links(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    seed = request.config.getoption("storm") or secrets.token_hex(4)
    minutes = request.config.getoption("minutes")
    with Lan("ada", "bob", "cid") as lan, ExitStack() as ends:
        roving = Roving(lan, tmp_path, Random(seed), ends)
        try:
            roving.run(60 * minutes)
        except BaseException:
            print(f"--storm {seed}; what was done last:", *roving.done[-40:], sep="\n  ")
            raise
        print(f"seed {seed}:", *roving.figures, sep="\n  ")
