"""The files of the page: ours, and xterm.js as textual-serve brings it. Nothing else is ever sent.

They are read once and held; of no request is a path made. A page needs nothing from elsewhere.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

PAGE: Final = Path(__file__).with_name("page")
SMALL: Final = 1 << 10  # bytes that are not worth packing
KINDS: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
}
THEIRS: Final = {  # by our name for it; the terminal, its looks and its letters
    "xterm.js": "js/textual.js",
    "xterm.css": "css/xterm.css",
    "mono.ttf": "fonts/RobotoMono-VariableFont_wght.ttf",
}


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent."""

    kind: str
    data: bytes
    packed: bytes  # by gzip; empty: that would gain nothing
    tag: str  # changes with what is in it

    @classmethod
    def of(cls, place: Path | Traversable, name: str) -> File:
        """Return a file.

        Raises:
            OSError: it cannot be read.
        """
        data = place.read_bytes()
        packed = gzip.compress(data, mtime=0) if len(data) > SMALL else b""
        tag = blake2b(data, digest_size=12).hexdigest()
        return cls(KINDS[name.rpartition(".")[2]], data, packed, f'"{tag}"')


def read() -> dict[str, File]:
    """Return all files, by name.

    Raises:
        OSError: one cannot be read.
    """
    static = files("textual_serve") / "static"
    ours = {one.name: File.of(one, one.name) for one in sorted(PAGE.iterdir())}
    theirs = {name: File.of(static / path, name) for name, path in THEIRS.items()}
    return ours | theirs
