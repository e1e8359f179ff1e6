"""Codes, pairing with a code (SPAKE2), and coming back with the key kept from then; pure.

    joiner                      host
    first message      →
                       ←        first message, nonce
    proof              →                            a wrong code is found here: one try
                       ←        proof

Both ends make the keys from the secret and everything said; each proves that it has them before the
other uses them. SPAKE2 takes about 20 ms on each side.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from core.errors import KumiteError
from net.keys import derive, hashed
from net.words import WORDS

if TYPE_CHECKING:
    from random import Random

NUMBERS: Final = 256  # a code has three parts of 8 bits
PROOF: Final = 16
NONCE: Final = 16
FREE_TRIES: Final = 3  # wrong codes, then there is a new one
SLOWEST: Final = 60.0  # s
MAX_ADDRESSES: Final = 256

Exchange: TypeAlias = Callable[[bool, bytes, bytes, "bytes | None"], bytes]
"""(is host, code, entropy, the other's message) → the secret; without a message: our own one."""


class WrongCode(KumiteError):
    """The other side does not know the code, or the key."""

    code = "wrong-code"


class BadCode(KumiteError):
    """A text that is no code."""

    code = "bad-code"


def new_code(rng: Random) -> str:
    """Return a fresh code of 24 bits."""
    number, *words = (rng.randrange(NUMBERS) for _ in range(3))
    return "-".join((str(number), *(WORDS[word] for word in words)))


def parse_code(text: str) -> str:
    """Return the code as it is shown.

    Raises:
        BadCode: it is none.
    """
    parts = re.split(r"[\s\-–_]+", text.strip().lower())
    is_code = len(parts) == 3 and re.fullmatch("[0-9]{1,3}", parts[0]) and int(parts[0]) < NUMBERS
    if not is_code:
        raise BadCode(f"{text!r} is no code", hint="a number and two words: 7-torii-lantern")
    for word in parts[1:]:
        if word not in WORDS:
            near = [one for one in WORDS if one[:3] == word[:3]]
            raise BadCode(
                f"no code has the word {word!r}", hint=f"{', '.join(near) or 'look again'}"
            )
    return "-".join((str(int(parts[0])), *parts[1:]))


def spake2(is_host: bool, code: bytes, entropy: bytes, heard: bytes | None) -> bytes:
    """Do one half of SPAKE2, see Exchange.

    Raises:
        WrongCode: the other's message is none.
    """
    from spake2 import SPAKE2_A, SPAKE2_B

    def random(size: int) -> bytes:
        return derive(entropy, "spake2", size=64)[:size].ljust(size, b"\0")

    kind = SPAKE2_B if is_host else SPAKE2_A
    side = kind(code, idA=b"kumite joiner", idB=b"kumite host", entropy_f=random)
    said: bytes = side.start()
    if heard is None:
        return said
    try:
        secret: bytes = side.finish(heard)
    except Exception as error:  # its errors have no common root
        raise WrongCode(f"no message of a pairing: {type(error).__name__}") from None
    return secret


@dataclass(frozen=True, slots=True)
class Keys:
    """What both ends have after a handshake: of this connection, and to come back with."""

    send: bytes
    receive: bytes
    resume: bytes


@dataclass(frozen=True, slots=True)
class Handshake:
    """One end of a handshake; `reply` is to be sent, `keys` are there when it is done."""

    is_host: bool
    secret: bytes = field(repr=False)  # the code, or the key kept
    entropy: bytes = field(repr=False)
    context: str  # protocol, table, ticket
    exchange: Exchange | None  # None: both have the key already
    said: bytes = b""
    proof: bytes = b""  # that the other side is to give
    ours: bytes = b""  # that we give
    reply: bytes = b""
    keys: Keys | None = None
    is_done: bool = False  # the other side has proved that it has the keys

    @staticmethod
    def begin(
        secret: bytes,
        entropy: bytes,
        context: str,
        *,
        is_host: bool,
        exchange: Exchange | None = spake2,
    ) -> Handshake:
        """Return the handshake with our first message in `reply` (the host's: not to be sent)."""
        nonce = derive(entropy, "nonce", size=NONCE)
        said = exchange(is_host, secret, entropy, None) if exchange else b""
        return Handshake(
            is_host, secret, entropy, context, exchange, nonce + said, b"", nonce + said
        )

    def receive(self, data: bytes) -> Handshake:
        """Take in the other side's next message.

        Raises:
            WrongCode: it has another code (or key), or sent something else.
        """
        if not self.proof:
            return self._agreed(data)
        if not self.is_done and data == self.proof:
            return replace(self, reply=self.ours if self.is_host else b"", is_done=True)
        raise WrongCode("the code is another one", hint="look at the host's screen again")

    def _agreed(self, data: bytes) -> Handshake:
        heard = data
        if not NONCE <= len(heard) <= 200:
            raise WrongCode("no message of a handshake")
        both = (heard, self.said) if self.is_host else (self.said, heard)
        if self.exchange is None:
            secret = self.secret
        else:
            secret = self.exchange(self.is_host, self.secret, self.entropy, heard[NONCE:])
        root = hashed(b"kumite-link", (self.context, *both), key=secret[:64])
        joiners, hosts = derive(root, "joiner"), derive(root, "host")
        resume = derive(root, "resume") if self.exchange else self.secret
        proofs = derive(root, "joiner proof", size=PROOF), derive(root, "host proof", size=PROOF)
        if self.is_host:
            keys = Keys(hosts, joiners, resume)
            return replace(self, keys=keys, proof=proofs[0], ours=proofs[1], reply=self.said)
        keys = Keys(joiners, hosts, resume)
        return replace(self, keys=keys, proof=proofs[1], reply=proofs[0])


@dataclass(frozen=True, slots=True)
class Attempts:
    """Wrong codes so far: of this code, and by address (how many, when the last one came)."""

    wrong: int = 0
    by: tuple[tuple[str, int, float], ...] = ()

    def wait(self, address: str, now: float) -> float:
        """Return for how many s this address is not listened to."""
        for one, count, at in self.by:
            if one == address:
                return max(0.0, at + min(SLOWEST, 2.0 ** (count - 1)) - now)
        return 0.0

    def failed(self, address: str, now: float) -> Attempts:
        """Return the attempts after one more wrong code."""
        count = next((count for one, count, _ in self.by if one == address), 0)
        others = [one for one in self.by if one[0] != address][-MAX_ADDRESSES + 1 :]
        return Attempts(self.wrong + 1, (*others, (address, count + 1, now)))

    @property
    def needs_new_code(self) -> bool:
        """Whether the code has been tried too often."""
        return self.wrong >= FREE_TRIES
