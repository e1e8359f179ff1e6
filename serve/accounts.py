"""Guests' accounts, by ssh key, cookie, or name and password; or temporary, for one session.

house.key            the secret from which folder names are derived
ssh_host_key         the server's own
guests/ID/own        all that a guest's process may write: settings, saved matches
guests/ID/admitted   proof that they have entered the server's code
passing/ID/own       of a temporary account; deleted at the end of the session
"""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b, scrypt
from hmac import compare_digest
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import Final

from kumite.core.text import clean
from kumite.store import log_files, system, whole_files

LONGEST: Final = 20  # characters of a name
NOBODY: Final = "guest"  # for guests who give no name
UNKNOWN: Final = (
    "Your seat is kept only with a password or an ssh key: connect again to choose a password."
)
FULL: Final = "This server has no room to keep your seat: it is lost with the connection."
SECRET: Final = 32  # bytes
BLOCK: Final = 512  # bytes per block of a file system
LEAST: Final = 4096  # bytes counted at least for a file or folder, which limits their number
HARD: Final = {"n": 1 << 13, "r": 8, "p": 1}  # 25 ms per password


@dataclass(frozen=True, slots=True)
class Guest:
    """A guest's account and its folder."""

    who: str  # the folder's name
    name: str  # as shown to others
    place: Path  # the folder
    warning: str = ""  # of a temporary account: that no seat is kept, and why

    @property
    def is_temporary(self) -> bool:
        return bool(self.warning)

    @property
    def own(self) -> Path:
        return self.place / "own"

    @property
    def matches(self) -> Path:
        return self.own / "matches"

    @property
    def saved(self) -> str:
        """Return that the guest's matches are kept, "" if there are none or they are not."""
        is_kept = not self.is_temporary and any(self.matches.glob(f"*{log_files.SUFFIX}"))
        return " Your matches are saved." if is_kept else ""


def name_of(said: str) -> str:
    """Return a guest's name, short and on one line, without characters of bots and commands."""
    plain = "".join(" " if one in ":,\\/" else one for one in clean(said))
    return clean(plain, LONGEST) or NOBODY


class Accounts:
    """The accounts of a server."""

    def __init__(self, folder: Path, kept: int) -> None:
        """Keep at most `kept` accounts in this folder."""
        self.folder, self._kept = folder, kept
        system.own_folder(folder)
        shutil.rmtree(folder / "passing", ignore_errors=True)  # left by a server that was killed
        for name in ("guests", "passing"):
            system.own_folder(folder / name)
        self._secret = _secret(folder / "house.key")

    def by_key(self, name: str, fingerprint: str) -> Guest:
        return self._known("key", self._digest(fingerprint), name)

    def by_cookie(self, name: str, secret: str) -> Guest:
        return self._known("cookie", self._digest(f"cookie {secret}"), name)

    def by_password(self, name: str, password: str) -> Guest:
        """Return the guest with this name and password; takes about 25 ms."""
        made = scrypt(password.encode(), salt=self._secret + name.encode(), dklen=16, **HARD)
        return self._known("word", made.hex(), name)

    def temporary(self, name: str, warning: str = UNKNOWN) -> Guest:
        who = token_hex(16)
        return Guest(who, name, self.folder / "passing" / who, warning)

    def _known(self, kind: str, digest: str, name: str) -> Guest:
        """Return a guest, a temporary one if there is no room for another account."""
        who = f"{kind}-{digest}"
        place = self.folder / "guests" / who
        is_full = not place.exists() and len(os.listdir(self.folder / "guests")) >= self._kept
        return self.temporary(name, FULL) if is_full else Guest(who, name, place)

    def is_admitted(self, guest: Guest, code: str) -> bool:
        with suppress(OSError):
            kept = whole_files.read_bytes(guest.place / "admitted", 100)
            return compare_digest(kept, self._digest(code).encode())
        return False

    def admit(self, guest: Guest, code: str) -> None:
        system.own_folder(guest.place)
        whole_files.write_whole(guest.place / "admitted", self._digest(code).encode(), is_own=True)

    def _digest(self, text: str) -> str:
        return blake2b(text.encode(), key=self._secret, digest_size=16).hexdigest()

    def prepare(self, guest: Guest, most: int) -> None:
        """Create a guest's folder; delete the oldest matches if it has more than `most` bytes."""
        system.own_folder(guest.place)
        system.own_folder(guest.matches)
        over = size(guest.own) - most
        for log in sorted(guest.matches.glob(f"*{log_files.SUFFIX}")):
            if over <= 0:
                return
            for file in guest.matches.glob(f"{log.stem}*"):  # with all files of the match
                with suppress(OSError):
                    over -= taken(str(file))
                    file.unlink()

    def tidy(self, guest: Guest) -> None:
        has_played = any(guest.matches.glob(f"*{log_files.SUFFIX}"))
        has_chosen = (guest.own / "config").exists()
        if guest.is_temporary or not (has_played or has_chosen):
            shutil.rmtree(guest.place, ignore_errors=True)


def size(folder: Path) -> int:
    """Return the disk space of a folder in bytes, not following links."""
    total = 0
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            with suppress(OSError):  # deleted meanwhile
                total += taken(os.path.join(place, name))
    return total


def taken(path: str) -> int:
    """Return the disk space of a file in bytes; empty files take some, too."""
    found = os.lstat(path)
    return max(found.st_size, found.st_blocks * BLOCK, LEAST)


def _secret(path: Path) -> bytes:
    with suppress(FileExistsError):
        whole_files.write_new(path, token_bytes(SECRET), is_own=True)
    found = whole_files.read_bytes(path, SECRET)
    if len(found) < SECRET:
        raise OSError(errno.EINVAL, f"it is no key of a server: that has {SECRET} bytes", str(path))
    return found
