"""What depends on the machine: tests that need more than it has are never left out without a word.

`browser` needs Chromium, `cluster` Dask, `landlock` a Linux that has it, `netns` root on Linux,
`numba` what it is called after, `openssh` its client, `shells` zsh and fish, `systemd` its
`systemd-analyze`. Each can be asked for by a variable; then its tests run, and fail if it is not
there. No test writes into the folders of who runs it.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Iterator
from importlib.util import find_spec
from shutil import which
from typing import Final

import pytest
from hypothesis import HealthCheck, settings

from kumite.store import warned
from kumite.store.background import DISK
from tests.support import browser, networks

SOON: Final = 0.02  # s: what a timer brings about by then is waited for; screens are painted by one


async def idle(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Wait until this loop has nothing to do now or soon, in place of Textual's `wait_for_idle`.

    That one sleeps 20 ms and longer at each key, which was more than half of a screen's test.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + max_sleep
    while loop.time() < end:
        await asyncio.sleep(0)
        if loop._ready:
            continue
        timers = [one.when() for one in loop._scheduled if not one.cancelled()]
        wait = min(timers, default=end) - loop.time()
        if wait > SOON:
            return
        await asyncio.sleep(max(0.0, wait))


# A busy machine is no fault: neither an example that takes long nor one that is long in the making.
# The examples are the same in each run, so that a red run tells of a change and not of luck;
# `make long` draws others each time, and more of them, and prints how to make a failing one again.
settings.register_profile(
    "kumite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "wide", settings.get_profile("kumite"), derandomize=False, max_examples=1000, print_blob=True
)
settings.load_profile("kumite")


@pytest.fixture(scope="session", autouse=True)
def _not_at_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep tests that name no folder away from matches, settings and terminal of whoever runs them.

    Apps without a terminal draw in full colour: what is drawn depends on the depth.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("textual.constants.COLOR_SYSTEM", "truecolor")
        patch.setenv("TERM", "xterm-256color")
        patch.setattr("textual.screen.UPDATE_PERIOD", 0.002)
        for module in ("app", "pilot"):
            patch.setattr(f"textual.{module}.wait_for_idle", idle)
        patch.setattr("kumite.tui.widgets.cover.DEAF", 0.0)  # else each uncovering waits for it
        for name in ("NO_COLOR", "SSH_CONNECTION", "SSH_CLIENT"):
            patch.delenv(name, raising=False)
        patch.setattr("kumite.tui.play.first.by_lot", tuple)  # test_first draws lots
        patch.setenv("NO_MOTION", "1")  # what is shown is there at once; test_motion has its own
        patch.setenv("KUMITE_KERNEL", "off")  # it would be compiled anew; test_kernels has its own
        patch.setenv("KUMITE_LOGS", str(tmp_path_factory.mktemp("matches")))
        for kind in ("config", "data", "state"):  # in the last are the reports of crashes
            patch.setenv(f"XDG_{kind.upper()}_HOME", str(tmp_path_factory.mktemp(kind)))
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown() -> None:
    """Let the disk finish while the test's folders and patches stand: settings are kept later."""
    DISK.finish()
    warned.forget()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("kumite", "how much of what has no end")
    group.addoption("--minutes", type=float, default=60.0, help="of random input over all screens")
    group.addoption("--storm", default="", help="the seed of that input, to have it again")
    group.addoption("--kills", type=int, default=1000, help="random kills of programs that write")


def _left_out() -> dict[str, str]:
    """Return the marks whose tests cannot run and need not, each with what to say of it."""
    found = {}
    if not browser.found() and not os.environ.get("KUMITE_BROWSER"):
        found["browser"] = f"the page of a match in a browser; {browser.HINT}"
    if not which("systemd-analyze") and not os.environ.get("KUMITE_SYSTEMD"):
        found["systemd"] = "the unit of a server; it takes `systemd-analyze`"
    if not (which("zsh") and which("fish")) and not os.environ.get("KUMITE_SHELLS"):
        found["shells"] = "completion in zsh and fish; apt-get install zsh fish"
    if find_spec("distributed") is None and not os.environ.get("KUMITE_CLUSTER"):
        found["cluster"] = 'an arena on a Dask cluster; pip install "kumite[cluster]"'
    if find_spec("numba") is None and not os.environ.get("KUMITE_NUMBA"):
        found["numba"] = 'compiled loops of the bots; pip install "kumite[fast]"'
    if not (which("ssh") and which("ssh-keygen")) and not os.environ.get("KUMITE_OPENSSH"):
        found["openssh"] = "guests of a server by the client of OpenSSH; it takes `ssh`"
    if not networks.found() and not os.environ.get("KUMITE_NETNS"):
        found["netns"] = f"links that come, go and change address; {networks.HINT}"
    if not _has_landlock() and not os.environ.get("KUMITE_LANDLOCK"):
        found["landlock"] = (
            "what a guest of a server cannot reach; it takes Linux 6.12 with Landlock"
        )
    return found


def _has_landlock() -> bool:
    try:
        from kumite.serve import sandbox
    except ImportError:  # Windows lacks what that module names
        return False
    return sandbox.version() >= sandbox.SCOPES


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    marks = _left_out()
    out = [item for item in items if any(map(item.get_closest_marker, marks))]
    if out:
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in out]


# Files whose tests take longest: those that begin last leave other workers without work.
LONGEST = (
    "test_kernels",
    "test_installed",
    "test_whole_matches",
    "test_evening_on_a_server",
    "test_kills",
    "test_bytes",
    "test_roving",
    "test_storm",
    "test_hostile_guests",
    "test_all_tables",
    "test_films",
    "test_puzzles",
)


class SlowFirst:
    """Puts the tests of the longest files first, after all else has sorted them."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        order = {name: place for place, name in enumerate(LONGEST)}
        items.sort(key=lambda item: order.get(item.path.stem, len(LONGEST)))


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(SlowFirst(), "slow-first")
    gc.disable()


def pytest_collection_finish() -> None:
    """Look for garbage seldom: it took a third of a screen's time, mostly among what stays."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    gc.enable()


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    for said in _left_out().values():
        terminalreporter.write_line(f"NOT RUN: {said}", yellow=True)
    if config.pluginmanager.hasplugin("randomly"):
        seed = config.getoption("randomly_seed")
        terminalreporter.write_line(f"The order of the tests: --randomly-seed={seed}")
