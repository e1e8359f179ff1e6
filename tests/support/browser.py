"""A real browser without a window, driven by keys: Chromium over its debugging pipe.

Nothing but the standard library is needed, and no port is opened.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.support.waiting import PATIENCE, looks

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
HINT = "install Chromium (Debian: apt-get install chromium), or name one: KUMITE_BROWSER=PATH"

BINARY = 2  # what is in a websocket's frame

KEYS = {  # name: (code, key code, text)
    "ArrowLeft": ("ArrowLeft", 37, ""), "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowRight": ("ArrowRight", 39, ""), "ArrowDown": ("ArrowDown", 40, ""),
    "PageUp": ("PageUp", 33, ""), "PageDown": ("PageDown", 34, ""),
    "Home": ("Home", 36, ""), "End": ("End", 35, ""), "Tab": ("Tab", 9, ""),
    "Enter": ("Enter", 13, "\r"), "Escape": ("Escape", 27, ""), " ": ("Space", 32, " "),
    "-": ("Minus", 189, "-"),  # its own code is that of another key
}  # fmt: skip


def found() -> str:
    """Return the path of a browser, empty if there is none."""
    own = os.environ.get("KUMITE_BROWSER", "")
    return own or next(filter(None, map(shutil.which, NAMES)), "")


class Navigated(Exception):
    """The page has given way to another one before it answered."""


class Browser:
    """One page in one browser."""

    def __init__(self, into: int, out: int) -> None:
        self._into, self._out = into, out
        self._rest = b""
        self._number = 0
        self._session = ""
        self.requests: list[str] = []  # addresses that the page asked for
        self.errors: list[str] = []  # what its script or its policy complained about
        self.answer = ""  # to the next question that the page asks in a dialog
        self.frames: list[bytes | str] = []  # what came over websockets
        self.sent: list[str] = []  # what went

    def attach(self) -> None:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> Any:
        self._number += 1
        said = {"id": self._number, "method": method, "params": params}
        if self._session:
            said["sessionId"] = self._session
        os.write(self._into, json.dumps(said).encode() + b"\0")
        number = self._number
        while True:
            message = self._next()
            if message.get("id") == number:
                if "navigated" in message.get("error", {}).get("message", ""):
                    raise Navigated(method)
                assert "error" not in message, f"{method}: {message['error']}"
                return message["result"]
            self._hear(message)

    def wait(self, event: str) -> None:
        for _ in looks(event):
            message = self._next()
            self._hear(message)
            if message.get("method") == event:
                return

    def open(self, path: Path, fragment: str = "") -> None:
        """Open a file, as a person would who double-clicks it."""
        self.requests.clear()
        self.errors.clear()
        self.call("Page.navigate", url="about:blank")
        self.wait("Page.loadEventFired")
        self.call("Page.navigate", url=f"{path.as_uri()}{fragment}")
        self.wait("Page.loadEventFired")

    def visit(self, address: str) -> None:
        self.errors.clear()
        self.call("Page.navigate", url=address)
        self.wait("Page.loadEventFired")

    def hear(self) -> None:
        while b"\0" in self._rest or select.select([self._out], [], [], 0)[0]:
            self._hear(self._next())

    def press(self, *keys: str) -> None:
        for key in keys:
            code, number, text = KEYS[key] if key in KEYS else (key, ord(key.upper()), key)
            press = {"key": key, "code": code, "windowsVirtualKeyCode": number}
            more = {"text": text} if text else {}
            self.call("Input.dispatchKeyEvent", type="keyDown", **press, **more)
            self.call("Input.dispatchKeyEvent", type="keyUp", **press)

    def hold(self, *held: str, key: str, code: str, command: str = "") -> None:
        """Press a key while modifiers are held; `command`: what the browser's own keys would do."""
        bits = sum({"alt": 1, "control": 2, "shift": 8}[one] for one in held)
        press = {"key": key, "code": code, "modifiers": bits, "windowsVirtualKeyCode": ord(key[0])}
        does = {"commands": [command]} if command else {}
        self.call("Input.dispatchKeyEvent", type="rawKeyDown", **press, **does)
        self.call("Input.dispatchKeyEvent", type="keyUp", **press)

    def run(self, script: str) -> Any:
        said = {"expression": script, "returnByValue": True, "userGesture": True}
        done = self.call("Runtime.evaluate", **said)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def text(self, name: str) -> str:
        return str(self.run(f"document.getElementById({name!r}).textContent"))

    def _hear(self, message: Any) -> None:
        method, params = message.get("method", ""), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.errors.append(str(params["exceptionDetails"]))
        elif method == "Network.webSocketFrameReceived":
            frame = params["response"]
            data = frame["payloadData"]
            self.frames.append(b64decode(data) if frame["opcode"] == BINARY else data)
        elif method == "Network.webSocketFrameSent":
            self.sent.append(params["response"]["payloadData"])
        elif method == "Log.entryAdded":
            self.errors.append(str(params["entry"]))
        elif method == "Page.javascriptDialogOpening":
            self._number += 1
            said = {"accept": bool(self.answer), "promptText": self.answer}
            call = {"id": self._number, "method": "Page.handleJavaScriptDialog", "params": said}
            os.write(self._into, json.dumps(call | {"sessionId": self._session}).encode() + b"\0")

    def _next(self) -> Any:
        while b"\0" not in self._rest:
            assert select.select([self._out], [], [], PATIENCE)[0], "the browser does not answer"
            data = os.read(self._out, 1 << 20)
            assert data, "the browser has ended"
            self._rest += data
        one, _, self._rest = self._rest.partition(b"\0")
        return json.loads(one)


@contextmanager
def browser() -> Iterator[Browser]:
    path = found()
    assert path, f"no browser to test the page in: {HINT}"
    theirs_in, ours_out = (_high(fd) for fd in os.pipe())
    ours_in, theirs_out = (_high(fd) for fd in os.pipe())

    def connect() -> None:  # in the child: it reads from 3 and writes to 4
        os.dup2(theirs_in, 3)
        os.dup2(theirs_out, 4)

    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        options = ["--headless", "--disable-gpu", "--no-first-run", f"--user-data-dir={folder}"]
        options += ["--remote-debugging-pipe", "--disable-dev-shm-usage", "--lang=en"]
        if os.geteuid() == 0:
            options.append("--no-sandbox")  # it refuses to run as root with one
        child = subprocess.Popen(
            [path, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=connect, pass_fds=(3, 4),
        )  # fmt: skip
        os.close(theirs_in)
        os.close(theirs_out)
        try:
            one = Browser(ours_out, ours_in)
            one.attach()
            yield one
        finally:
            os.close(ours_out)
            os.close(ours_in)
            child.terminate()
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def _high(fd: int) -> int:
    """Return the same file under a number that is free in the child."""
    high = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 20)
    os.close(fd)
    return high
