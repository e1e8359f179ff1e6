"""Who a guest is, and the folder that is theirs: by ssh key, cookie, name and word, or for a visit.

house.key            what makes names of folders out of words
ssh_host_key         the house's own
guests/ID/own        all that a guest's process may write: settings, saved matches
guests/ID/admitted   that they have given the house's code
passing/ID/own       of a guest who is not known by anything; gone when they leave
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b, scrypt
from hmac import compare_digest
from secrets import token_bytes, token_hex
from typing import TYPE_CHECKING, Final

from kumite.core.text import clean
from kumite.store import log_files, system, whole_files

if TYPE_CHECKING:
    from pathlib import Path

LONGEST: Final = 20  # characters of a name
NOBODY: Final = "guest"  # who says no name
SECRET: Final = 32  # bytes
BLOCK: Final = 512  # bytes, in which systems count
LEAST: Final = 4096  # bytes that a file or a folder takes: there is not room for any number
HARD: Final = {"n": 1 << 13, "r": 8, "p": 1}  # 25 ms a word


@dataclass(frozen=True, slots=True)
class Guest:
    """A guest with a folder."""

    who: str  # the folder's name
    name: str  # as they are called
    place: Path  # of the house, about them
    is_passing: bool = False

    @property
    def own(self) -> Path:
        """Return the folder that their process may write into."""
        return self.place / "own"

    @property
    def matches(self) -> Path:
        """Return where their logs lie."""
        return self.own / "matches"


def name_of(said: str) -> str:
    """Return what a guest is called who says this: short, on one line, no bot's and no command."""
    plain = "".join(" " if one in ":,\\/" else one for one in clean(said))
    return clean(plain, LONGEST) or NOBODY


class Book:
    """The folders of a house's guests."""

    def __init__(self, folder: Path, kept: int) -> None:
        """Use this folder, in which there may be so many guests.

        Raises:
            OSError: it cannot be used.
        """
        self.folder, self._kept = folder, kept
        system.own_folder(folder)
        shutil.rmtree(folder / "passing", ignore_errors=True)  # of a house that was killed
        for name in ("guests", "passing"):
            system.own_folder(folder / name)
        self._secret = _secret(folder / "house.key")

    def by_key(self, name: str, fingerprint: str) -> Guest:
        """Return the guest who has this ssh key, whatever they are called now."""
        return self._known("key", self._digest(fingerprint), name)

    def by_cookie(self, name: str, secret: str) -> Guest:
        """Return the guest whose browser has this secret."""
        return self._known("cookie", self._digest(f"cookie {secret}"), name)

    def by_word(self, name: str, word: str) -> Guest:
        """Return the guest of that name and word; takes some hundredths of a second."""
        made = scrypt(word.encode(), salt=self._secret + name.encode(), dklen=16, **HARD)
        return self._known("word", made.hex(), name)

    def passing(self, name: str) -> Guest:
        """Return a guest of whom nothing is kept."""
        who = token_hex(16)
        return Guest(who, name, self.folder / "passing" / who, is_passing=True)

    def _known(self, kind: str, digest: str, name: str) -> Guest:
        """Return a guest; a new one of whom nothing can be kept if the house has no place."""
        who = f"{kind}-{digest}"
        place = self.folder / "guests" / who
        is_full = not place.exists() and len(os.listdir(self.folder / "guests")) >= self._kept
        return self.passing(name) if is_full else Guest(who, name, place)

    # --- the code ---------------------------------------------------------------------------------

    def is_admitted(self, guest: Guest, code: str) -> bool:
        """Return whether a guest has given this code before."""
        with suppress(OSError):
            kept = whole_files.read_bytes(guest.place / "admitted", 100)
            return compare_digest(kept, self._digest(code).encode())
        return False

    def admit(self, guest: Guest, code: str) -> None:
        """Note that a guest has given this code.

        Raises:
            OSError: it cannot be noted.
        """
        system.own_folder(guest.place)
        whole_files.write_whole(guest.place / "admitted", self._digest(code).encode(), is_own=True)

    def _digest(self, text: str) -> str:
        return blake2b(text.encode(), key=self._secret, digest_size=16).hexdigest()

    # --- folders ----------------------------------------------------------------------------------

    def prepare(self, guest: Guest, most: int) -> None:
        """Make a guest's folder ready; the oldest matches give way if it has `most` bytes.

        Raises:
            OSError: it cannot be made.
        """
        system.own_folder(guest.place)
        system.own_folder(guest.matches)
        over = size(guest.own) - most
        for log in sorted(guest.matches.glob(f"*{log_files.SUFFIX}")):
            if over <= 0:
                return
            for file in guest.matches.glob(f"{log.stem}*"):  # with what lies beside it
                with suppress(OSError):
                    over -= taken(str(file))
                    file.unlink()

    def tidy(self, guest: Guest) -> None:
        """Delete the folder of a guest who has left, if nothing in it is to be kept."""
        has_played = any(guest.matches.glob(f"*{log_files.SUFFIX}"))
        has_chosen = (guest.own / "config").exists()
        if guest.is_passing or not (has_played or has_chosen):
            shutil.rmtree(guest.place, ignore_errors=True)


def size(folder: Path) -> int:
    """Return how many bytes all that lies in a folder takes, links not followed."""
    total = 0
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            with suppress(OSError):  # it is gone meanwhile
                total += taken(os.path.join(place, name))
    return total


def taken(path: str) -> int:
    """Return how many bytes of a disk a file takes: some even if nothing is in it.

    Raises:
        OSError: it is not there.
    """
    found = os.lstat(path)
    return max(found.st_size, found.st_blocks * BLOCK, LEAST)


def _secret(path: Path) -> bytes:
    """Return what only this house knows; a new one if there is none."""
    with suppress(FileExistsError):
        whole_files.write_new(path, token_bytes(SECRET), is_own=True)
    return whole_files.read_bytes(path, SECRET)
