"""A match or a position as one line of text that survives a chat: `kumite:1:AbC…`.

After the version comes unpadded base64url: a four-byte hash, then the raw deflate of the log's
header, its steps without numbers and digests, and its end. Opening the line replays the steps and
rebuilds the rest of the log. Talk, remarks and file names are not included.
"""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from dataclasses import replace
from hashlib import blake2b
from typing import Final

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.core.game import Step, parse_actor
from kumite.core.log.lines import FORMAT, MAGIC, end_text, header_texts, log_text, parse_end
from kumite.core.log.reading import Log, header_of, read
from kumite.core.match import Match
from kumite.core.table import End, Header

MARK: Final = "kumite:"
VERSION: Final = "1"
LONGEST: Final = 200_000  # characters of a line; a match of a thousand steps takes 6,000
LARGEST: Final = 1_000_000  # bytes after decompression
CHECK: Final = 4  # bytes of the hash
_HINT: Final = "copy the whole line that begins with kumite:"


class BadShared(KumiteError):
    """A line of text that does not contain a match."""

    code = codes.BAD_SHARED


def shared(header: Header, match: Match, end: End | None = None) -> str:
    """Return the line for a match so far; without steps it is a position."""
    lines = header_texts(replace(header, extra=()))
    lines += [f"step {one.actor} {one.step}" for one in match.steps()]
    lines += [end_text(end)] if end else []
    text = "\n".join(lines[1:])  # VERSION replaces the format line
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = deflate.compress(text.encode("utf-8", "replace")) + deflate.flush()
    sealed = urlsafe_b64encode(_check(packed) + packed).decode().rstrip("=")
    return f"{MARK}{VERSION}:{sealed}"


def opened(line: str) -> Log:
    """Return the log in a line; spaces and line breaks in it are ignored.

    Raises:
        BadShared: malformed, incomplete, or the match breaks the rules.
    """
    try:
        return _log(_text(line))
    except BadShared:
        raise
    except KumiteError as error:
        raise BadShared(f"no match in this line: {error}", hint=error.hint or _HINT) from None


def _text(line: str) -> str:
    said = "".join(line.split())
    if len(said) > LONGEST:
        raise BadShared(f"the line is longer than {LONGEST:,} characters", hint=_HINT)
    if not said.startswith(MARK):
        raise BadShared("no match in this line", hint=_HINT)
    version, _, sealed = said.removeprefix(MARK).partition(":")
    if version != VERSION:
        known = re.fullmatch("[1-9][0-9]{0,3}", version)
        hint = "open it with a newer kumite" if known else _HINT
        raise BadShared("this kumite cannot read the line", hint=hint)
    try:
        data = urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4))
    except (Error, ValueError):
        raise BadShared("the line is incomplete or was changed", hint=_HINT) from None
    check, packed = data[:CHECK], data[CHECK:]
    if check != _check(packed):
        raise BadShared("the line is incomplete or was changed", hint=_HINT)
    return _grown(packed)


def _grown(packed: bytes) -> str:
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        text = inflate.decompress(packed, LARGEST)
        if inflate.unconsumed_tail or not inflate.eof:
            raise BadShared(f"the line contains more than {LARGEST:,} bytes", hint=_HINT)
        return text.decode()
    except (zlib.error, UnicodeDecodeError):
        raise BadShared("no match in this line", hint=_HINT) from None


def _log(text: str) -> Log:
    head: list[str] = []
    steps: list[str] = []
    ended = ""
    for line in text.split("\n"):
        kind, _, said = line.partition(" ")
        if kind in _HEADER:
            head.append(line)
        elif kind == "step":
            steps.append(said)
        elif kind == "end":
            ended = said
    header = header_of([f"{MAGIC} {FORMAT}", *head, ""])
    match = header.begin()
    for step in steps:
        who, _, what = step.partition(" ")
        match = match.play(parse_actor(who), Step(what))
    end = parse_end(ended, header.setup) if ended else None
    log = read(log_text(header, match, end))
    if log.damage:
        raise BadShared(f"no match in this line: {log.damage.reason}", hint=_HINT)
    return log


_HEADER: Final = frozenset({"match", "game", "seats", "option", "name", "by", "position"})


def _check(packed: bytes) -> bytes:
    return blake2b(packed, digest_size=CHECK, person=b"kumite-line").digest()
