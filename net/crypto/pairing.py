"""Pairing: from a spoken code to the keys of a connection, and back to them after a break; pure.

A code is a number and two words, like `7-torii-lantern`: one of 65 million (25.9 bits). Announced
tables tell the number, so that a code alone finds them; 16 bits are then left to guess. With SPAKE2
(the library `spake2`) an attacker can try one code per handshake and learns only whether it was
right; an eavesdropper learns nothing. The joiner proves first that it knows the code, so a host
reveals nothing to anyone who does not. Every key depends on the whole conversation.

Messages of a handshake: joiner `start`, host `answer`, joiner `confirm`, host `confirm`. Randomness
is an argument. spake2 is pure Python: a side computes for about 20 ms, twice that on a slow
machine, so run these calls in an executor. Its timing depends on the code, which is used once.
"""

from __future__ import annotations

import hmac
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from kumite.core import codes
from kumite.core.errors import BadData, KumiteError
from kumite.core.text import clean
from kumite.net.crypto.groups import ED25519
from kumite.net.crypto.keys import hashed
from kumite.net.crypto.words import WORDS
from kumite.net.wire.messages import PROTOCOL

if TYPE_CHECKING:
    from random import Random

    Entropy = Callable[[int], bytes]  # as os.urandom

NUMBERS: Final = 999  # a code begins with 1 to this: with two words 25.9 bits
PROOF: Final = 32  # bytes of a key confirmation
START: Final = 33  # bytes of a SPAKE2 message: the side, and a point
FRESH: Final = 32  # bytes of a public key made for one connection
TRIES: Final = 3  # wrong tries per code
MAX_WAIT: Final = 300.0  # s that an address must wait after wrong codes
MAX_PAUSE: Final = 30.0  # s before a new code is accepted; players need time to say it
FORGET: Final = 600.0  # s after its wait until an address is forgotten
MAX_ADDRESSES: Final = 64  # waiting at the same time


class BadCode(KumiteError):
    """A text that is not a code."""

    code = codes.BAD_CODE


class WrongCode(KumiteError):
    """The other side has another code (or kept key), or there is a man in the middle."""

    code = codes.WRONG_CODE


# --- Codes ------------------------------------------------------------------------------------


def new_code(rng: Random) -> str:
    """Return a random code; `rng` is `secrets.SystemRandom()` except in tests."""
    one, two = rng.sample(WORDS, 2)
    return f"{rng.randint(1, NUMBERS)}-{one}-{two}"


def parse_code(text: str) -> str:
    """Normalise a code, however it is typed; raise BadCode with what is wrong."""
    parts = _parts(text)
    shape = "A code is a number and two words, like 7-torii-lantern"
    if len(parts) != 3:
        many = f"{len(parts)} part{'s' * (len(parts) != 1)}"
        raise BadCode(f"{_quoted(text)} has {many}, not 3.", hint=shape)
    number = int(parts[0]) if re.fullmatch("[0-9]{1,4}", parts[0]) else 0
    if not 1 <= number <= NUMBERS:
        raise BadCode(f"{_quoted(parts[0])} is not a number from 1 to {NUMBERS}.", hint=shape)
    for word in parts[1:]:
        if word not in WORDS:
            raise BadCode(f"{_quoted(word)} is not a code word", hint=_meant(word))
    return f"{number}-{parts[1]}-{parts[2]}"


def completions(text: str) -> tuple[str, ...]:
    """Return what a text can become; after the first word with the hyphen before the second."""
    parts = _parts(text)
    if re.search(f"{SEPARATOR}$", unicodedata.normalize("NFKC", text)):
        parts.append("")
    if not 2 <= len(parts) <= 3 or any(word not in WORDS for word in parts[1:-1]):
        return ()
    before, end = "-".join((*parts[:-1], "")), "-" * (len(parts) == 2)
    return tuple(f"{before}{one}{end}" for one in WORDS if one.startswith(parts[-1]))


SEPARATOR: Final = r"[\s\-‐‑–—−_.,・ー、]+"  # between the parts of a code


def _parts(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKC", text[:100]).casefold()
    return [part for part in re.split(SEPARATOR, plain) if part]


def _quoted(text: str) -> str:
    return f'"{clean(text, 24)}"'


def _meant(word: str) -> str:
    from difflib import get_close_matches

    near = [one for one in WORDS if one.startswith(word[:3])] if len(word) >= 3 else []
    near = near or get_close_matches(word[:24], WORDS, 1)
    return f"perhaps {near[0]}?" if near else "ask the host to spell it"


# --- Pairing with a code ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LinkKeys:
    """The keys that two terminals share after a handshake."""

    to_host: bytes = field(repr=False)
    to_joiner: bytes = field(repr=False)
    resume: bytes = field(repr=False)  # saved with the match: authenticates a later return


class CodeJoiner:
    """The joiner's side of one pairing: `start`, then `hear` the host's answer and its proof.

    `said` is everything both sides have sent in plaintext.
    """

    def __init__(self, code: str, entropy: Entropy, *said: str | bytes) -> None:
        from spake2 import SPAKE2_A

        self._side: Any = SPAKE2_A(code.encode(), _JOINER, _HOST, entropy_f=entropy)
        self._said, self._start, self._proofs = said, b"", _Proofs()

    def start(self) -> bytes:
        """Return the first message, 33 bytes."""
        self._start = bytes(self._side.start())
        return self._start

    def hear(self, message: bytes) -> tuple[bytes, LinkKeys | None]:
        """Return the reply to the host's next message, and the keys once the host has proved them.

        Raise BadData if it is malformed, and WrongCode if the proof is wrong.
        """
        if self._proofs.keys is not None:
            return b"", self._proofs.checked(self._proofs.host, message)
        key = _finished(self._side, message)
        self._proofs = _Proofs.of(key, "code", *self._said, self._start, message)
        return self._proofs.joiner, None


class CodeHost:
    """The host's side of one pairing: `hear` the joiner's start and its proof."""

    def __init__(self, code: str, entropy: Entropy, *said: str | bytes) -> None:
        from spake2 import SPAKE2_B

        self._side: Any = SPAKE2_B(code.encode(), _JOINER, _HOST, entropy_f=entropy)
        self._said, self._proofs = said, _Proofs()

    def hear(self, message: bytes) -> tuple[bytes, LinkKeys | None]:
        """Return the reply to the joiner's next message, and the keys after its proof.

        The first reply, 33 bytes, reveals nothing about the code. Raise BadData if it is malformed,
        and WrongCode if the proof is wrong; count a try of the code, and do not answer.
        """
        if self._proofs.keys is not None:
            keys = self._proofs.checked(self._proofs.joiner, message)
            return self._proofs.host, keys
        answer: bytes = self._side.start()
        key = _finished(self._side, message)
        self._proofs = _Proofs.of(key, "code", *self._said, message, answer)
        return answer, None


_JOINER: Final = f"kumite/{PROTOCOL} joiner".encode()
_HOST: Final = f"kumite/{PROTOCOL} host".encode()


def _finished(side: Any, message: bytes) -> bytes:
    """Return the key that SPAKE2 derives from the other side's message, or raise BadData."""
    from spake2 import SPAKEError

    if len(message) != START:
        raise BadData(f"a pairing message has {START} bytes, not {len(message)}")
    if not ED25519.is_element(message[1:]):  # spake2 accepts other encodings of the neutral element
        raise BadData("a pairing message without a point of the group")
    try:
        key: bytes = side.finish(message)
    except SPAKEError as error:
        raise BadData("a malformed pairing message") from error
    return key


@dataclass(frozen=True, slots=True)
class _Proofs:
    """The proofs and keys derived from a common key and the whole conversation."""

    joiner: bytes = b""
    host: bytes = b""
    keys: LinkKeys | None = None

    @classmethod
    def of(cls, key: bytes, *said: str | bytes, resume: bytes = b"") -> _Proofs:
        def part(label: str) -> bytes:
            return hashed(b"kumite-pairing", (label, PROTOCOL, *said), key=key, size=PROOF)

        keys = LinkKeys(part("to host"), part("to joiner"), resume or part("resume"))
        return cls(part("joiner proves"), part("host proves"), keys)

    def checked(self, expected: bytes, proof: bytes) -> LinkKeys:
        if self.keys is None or not hmac.compare_digest(expected, proof):
            raise WrongCode("the two sides have different codes", hint="ask the host for its code")
        return self.keys


# --- Returning with the kept key --------------------------------------------------------------


class ResumeJoiner:
    """The joiner's side of a return: `start`, then `hear` the host's answer, with its proof.

    Both send a fresh X25519 key, so nothing can be replayed, and a kept key stolen later opens no
    old connection.
    """

    def __init__(self, resume: bytes, entropy: Entropy, *said: str | bytes) -> None:
        self._resume, self._fresh, self._said = resume, entropy(FRESH), said

    def start(self) -> bytes:
        """Return the first message, 32 bytes."""
        return _fresh_public(self._fresh)

    def hear(self, answer: bytes) -> tuple[bytes, LinkKeys]:
        """Return the joiner's proof and the keys.

        Raise BadData if it is malformed, and WrongCode if the host does not have the kept key.
        """
        if len(answer) != FRESH + PROOF:
            raise BadData("an answer of the wrong size to a return")
        start, theirs = self.start(), answer[:FRESH]
        proofs = _returned(self._resume, self._fresh, theirs, *self._said, start, theirs)
        keys = proofs.checked(proofs.host, answer[FRESH:])
        return proofs.joiner, keys


class ResumeHost:
    """The host's side of a return: `hear` the joiner's start and its proof."""

    def __init__(self, resume: bytes, entropy: Entropy, *said: str | bytes) -> None:
        self._resume, self._fresh, self._said = resume, entropy(FRESH), said
        self._proofs = _Proofs()

    def hear(self, message: bytes) -> tuple[bytes, LinkKeys | None]:
        """Return the reply to the joiner's next message, and the keys after its proof.

        Raise BadData if it is malformed, and WrongCode if the joiner does not have the kept key.
        """
        if self._proofs.keys is not None:
            return b"", self._proofs.checked(self._proofs.joiner, message)
        mine = _fresh_public(self._fresh)
        said = (*self._said, message, mine)
        self._proofs = _returned(self._resume, self._fresh, message, *said)
        return mine + self._proofs.host, None


def _fresh_public(secret: bytes) -> bytes:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def _returned(resume: bytes, secret: bytes, theirs: bytes, *said: str | bytes) -> _Proofs:
    """Return the proofs of a return, from the kept key and fresh keys, or raise BadData."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

    try:
        public = X25519PublicKey.from_public_bytes(theirs)
        shared = X25519PrivateKey.from_private_bytes(secret).exchange(public)
    except ValueError:  # of a wrong length, or one that makes every secret zero
        raise BadData("a return with an invalid fresh key") from None
    key = hashed(b"kumite-resume", (shared,), key=resume)
    return _Proofs.of(key, "resume", *said, resume=resume)


# --- Wrong codes ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attempts:
    """Rate limits for wrong codes; a value. Times are seconds.

    A wrong code makes its address wait: 1, 2, 4 … 300 s. After three wrong tries the code is
    replaced, and the new one is accepted after 1, 2, 4 … 30 s. However many addresses an attacker
    has, this allows 6 tries a minute: 14 years for an even chance of one hit at a table that is
    always open.
    """

    wrong: int = 0  # wrong tries of the current code
    spent: int = 0  # codes that wrong tries have used up
    opens: float = 0.0  # nobody may try before this time
    waiting: tuple[tuple[str, int, float], ...] = ()  # address, wrong tries, may try again at

    @property
    def is_spent(self) -> bool:
        """True if the code has had its wrong tries: make a new one, then call `renewed`."""
        return self.wrong >= TRIES

    def wait(self, address: str, now: float) -> float:
        """Return the seconds until this address may try a code; 0: now."""
        mine = (until for one, _, until in self.waiting if one == address)
        return max(0.0, self.opens - now, *(until - now for until in mine))

    def after_wrong(self, address: str, now: float) -> Attempts:
        before = sum(count for one, count, _ in self.waiting if one == address)
        until = now + min(MAX_WAIT, 2.0 ** min(before, 20))
        others = [one for one in self.waiting if one[0] != address and one[2] > now - FORGET]
        others.sort(key=lambda one: one[2])  # drop those that have been free longest
        kept = others[-(MAX_ADDRESSES - 1) :]
        return replace(self, wrong=self.wrong + 1, waiting=(*kept, (address, before + 1, until)))

    def after_right(self, address: str) -> Attempts:
        """Return the attempts after the right code: forgive earlier wrong ones."""
        return replace(self, waiting=tuple(one for one in self.waiting if one[0] != address))

    def renewed(self, now: float) -> Attempts:
        """Return the attempts with a new code, delayed after a spent one."""
        if not self.is_spent:
            return replace(self, wrong=0)
        opens = now + min(MAX_PAUSE, 2.0 ** min(self.spent, 20))
        return replace(self, wrong=0, spent=self.spent + 1, opens=opens)
