"""Codes, handshakes and the policy for wrong codes: pairs, vectors, every stranger."""

from __future__ import annotations

import random
from collections.abc import Callable
from hashlib import blake2b
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kumite.core.errors import BadData
from kumite.core.text import clean
from kumite.net.crypto import pairing
from kumite.net.crypto.pairing import (
    Attempts,
    BadCode,
    CodeHost,
    CodeJoiner,
    LinkKeys,
    ResumeHost,
    ResumeJoiner,
    WrongCode,
    completions,
    new_code,
    parse_code,
)
from kumite.net.crypto.words import WORDS
from tests.support.bad_points import BAD_POINTS, WEAK_X25519

MATCH = "0123456789abcdef"
CODE = "7-torii-lantern"
SAID = b"hello, hello"


def entropy(seed: str) -> Callable[[int], bytes]:
    """Return bytes that look random and are the same each time."""
    rng = random.Random(seed)
    return rng.randbytes


# --- Words and codes --------------------------------------------------------------------------


def distance(one: str, two: str) -> int:
    """Return how many letters must be put in, taken out or changed."""
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        last = row
        row = [i]
        for j, b in enumerate(two, 1):
            row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (a != b)))
    return row[-1]


def test_words_are_short_and_cannot_be_taken_for_each_other() -> None:
    assert len(WORDS) == 256
    assert list(WORDS) == sorted(WORDS)
    assert all(4 <= len(word) <= 8 and word.isascii() and word.islower() for word in WORDS)
    assert len({word[:3] for word in WORDS}) == 256
    near = ((a, b) for a, b in combinations(WORDS, 2) if abs(len(a) - len(b)) < 3)
    assert not [pair for pair in near if distance(*pair) < 3]


def test_the_list_of_words_is_part_of_the_protocol() -> None:
    assert blake2b(" ".join(WORDS).encode(), digest_size=8).hexdigest() == "56e1af289aa05a5f"


@given(st.randoms(use_true_random=False))
def test_a_new_code_reads_back(rng: random.Random) -> None:
    code = new_code(rng)
    assert parse_code(code) == code
    number, one, two = code.split("-")
    assert 1 <= int(number) <= 999
    assert one != two


def test_codes_have_more_than_24_bits_and_use_them() -> None:
    assert pairing.NUMBERS * 256 * 255 > 2**24
    codes = [new_code(random.Random(n)).split("-") for n in range(2000)]
    assert {code[1] for code in codes} == {code[2] for code in codes} == set(WORDS)
    numbers = {int(code[0]) for code in codes}
    assert (min(numbers), max(numbers)) == (1, 999)


@pytest.mark.parametrize(
    "typed",
    ["7-torii-lantern", " 7 TORII Lantern ", "7 - torii -- lantern", "007_torii.lantern",
     "７　ｔｏｒｉｉ　ｌａｎｔｅｒｎ", "7ーtoriiーlantern", "7–torii—lantern\n"],
)  # fmt: skip
def test_a_code_is_read_however_it_is_typed(typed: str) -> None:
    assert parse_code(typed) == CODE


@pytest.mark.parametrize(
    ("typed", "text", "hint"),
    [
        ("", "0 parts", "like 7-torii-lantern"),
        ("torii-lantern", "2 parts", "like"),
        ("7-torii-lantern-8", "4 parts", "like"),
        ("torii-7-lantern", '"torii" is not a number', "like"),
        ("0-torii-lantern", "not a number from 1 to 999", "like"),
        ("1000-torii-lantern", "not a number", "like"),
        ("7" * 5000, "1 part, not 3", "like"),
        ("7-tori-lantern", '"tori" is not a code word', "perhaps torii?"),
        ("7-torii-latern", '"latern" is not a code word', "perhaps lantern?"),
        ("7-xx-lantern", '"xx" is not a code word', "ask the host"),
    ],
)
def test_what_is_no_code_is_explained(typed: str, text: str, hint: str) -> None:
    with pytest.raises(BadCode) as caught:
        parse_code(typed)
    assert text in str(caught.value)
    assert hint in caught.value.hint
    assert len(str(caught.value)) < 100


@given(st.text())
@example("7-\x1b[31mx-lantern")
def test_any_text_is_a_code_or_explained(typed: str) -> None:
    code, failure = "", None
    try:
        code = parse_code(typed)
    except BadCode as error:
        failure = error
    if failure is None:
        assert parse_code(code) == code
    else:
        assert str(failure) == clean(str(failure))  # safe to show
        assert failure.hint
    assert len(completions(typed)) in range(257)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("7-to", ("7-tofu-", "7-topaz-", "7-torii-")),
        ("7 TOR", ("7-torii-",)),
        ("7-torii-lan", ("7-torii-lantern",)),
        ("7-torii-lantern", ("7-torii-lantern",)),
        ("7-torii-lantern-", ()),
        ("7-nothing-lan", ()),
        ("7-xy", ()),
        ("7", ()),
        ("", ()),
        ("7-", tuple(f"7-{word}-" for word in WORDS)),
    ],
)
def test_words_are_completed(typed: str, found: tuple[str, ...]) -> None:
    assert completions(typed) == found


# --- Pairing ----------------------------------------------------------------------------------


def paired(
    joiner_code: str = CODE,
    host_code: str = CODE,
    *,
    joiner_knows: tuple[str, bytes] = (MATCH, SAID),
    host_knows: tuple[str, bytes] = (MATCH, SAID),
) -> tuple[LinkKeys, LinkKeys]:
    joiner = CodeJoiner(joiner_code, entropy("joiner"), *joiner_knows)
    host = CodeHost(host_code, entropy("host"), *host_knows)
    answer, _ = host.hear(joiner.start())
    proof, hosts = host.hear(joiner.hear(answer)[0])
    _, joiners = joiner.hear(proof)
    assert joiners is not None
    assert hosts is not None
    return joiners, hosts


def test_the_same_code_gives_both_the_same_three_keys() -> None:
    ours, theirs = paired()
    assert ours == theirs
    assert len({ours.to_host, ours.to_joiner, ours.resume}) == 3
    assert {len(ours.to_host), len(ours.to_joiner), len(ours.resume)} == {32}
    assert repr(ours) == "LinkKeys()"


def test_vectors() -> None:
    joiner = CodeJoiner(CODE, entropy("joiner"), MATCH, SAID)
    host = CodeHost(CODE, entropy("host"), MATCH, SAID)
    start = joiner.start()
    answer, _ = host.hear(start)
    proof, _ = joiner.hear(answer)
    back, keys = host.hear(proof)
    returning = ResumeJoiner(keys.resume, entropy("again"), MATCH, SAID)
    waiting = ResumeHost(keys.resume, entropy("waiting"), MATCH, SAID)
    met, _ = waiting.hear(returning.start())
    seen, fresh = returning.hear(met)
    found = [start, answer, proof, back, keys.to_host, keys.to_joiner, keys.resume]
    found += [returning.start(), met, seen, fresh.to_host, fresh.to_joiner]
    assert " ".join(blake2b(one, digest_size=8).hexdigest() for one in found) == VECTORS


VECTORS = (
    "a5a1090e625b8073 1abe94e1e00d3d4b ad9e635985bbaf91 f3118afcb1aca611 9cd84d2ce145d356 "
    "94cb21f9bd2e40b8 4c9ea681e0d0859c a6e34a7a27e8677c f917b5fe898ac8a7 ce037f0e00446cd3 "
    "b1f56e7734cc65dc 0d0902cb7840a6a6"
)


@pytest.mark.parametrize(
    "knows",
    [(MATCH[::-1], SAID), (MATCH, b"other"), (MATCH, b"")],
    ids=["match", "said", "nothing"],
)
def test_another_match_or_a_changed_greeting_is_found(knows: tuple[str, bytes]) -> None:
    with pytest.raises(WrongCode):
        paired(joiner_knows=knows)
    with pytest.raises(WrongCode):
        paired(host_knows=knows)


@pytest.mark.parametrize("code", ["8-torii-lantern", "7-lantern-torii", "7-torii-tofu", ""])
def test_a_wrong_code_is_found_by_the_host_which_says_nothing(code: str) -> None:
    joiner, host = CodeJoiner(code, entropy("joiner")), CodeHost(CODE, entropy("host"))
    answer, _ = host.hear(joiner.start())
    proof, _ = joiner.hear(answer)
    with pytest.raises(WrongCode):
        host.hear(proof)


def test_a_host_without_the_code_is_found_by_the_joiner() -> None:
    joiner, host = CodeJoiner(CODE, entropy("joiner")), CodeHost("8-tofu-tiger", entropy("host"))
    proof, _ = joiner.hear(host.hear(joiner.start())[0])
    for guess in (host._proofs.host, proof, bytes(32), b""):
        with pytest.raises(WrongCode):
            joiner.hear(guess)


def test_a_proof_before_its_time_proves_nothing() -> None:
    for proof in (b"", bytes(32)):
        for side in (CodeHost(CODE, entropy("a")), CodeJoiner(CODE, entropy("b"))):
            with pytest.raises(BadData):
                side.hear(proof)
        with pytest.raises(BadData):
            ResumeHost(bytes(32), entropy("host")).hear(proof)


def test_answers_to_two_joiners_and_their_proofs_are_not_exchanged() -> None:
    one, two = CodeJoiner(CODE, entropy("one")), CodeJoiner(CODE, entropy("two"))
    host, other = CodeHost(CODE, entropy("host")), CodeHost(CODE, entropy("other"))
    first, _ = one.hear(host.hear(one.start())[0])
    second, _ = two.hear(other.hear(two.start())[0])
    with pytest.raises(WrongCode):
        host.hear(second)
    with pytest.raises(WrongCode):
        other.hear(first)


@settings(max_examples=60)
@given(st.binary(max_size=40) | st.binary(min_size=32, max_size=32).map(lambda b: b"A" + b))
def test_a_start_from_anywhere_is_refused_or_proves_nothing(data: bytes) -> None:
    host = CodeHost(CODE, entropy("host"))
    try:
        host.hear(data)
    except BadData:
        return
    with pytest.raises(WrongCode):
        host.hear(bytes(32))


@pytest.mark.parametrize("point", BAD_POINTS.values(), ids=BAD_POINTS)
def test_what_is_no_point_of_the_group_is_neither_start_nor_answer(point: bytes) -> None:
    with pytest.raises(BadData):
        CodeHost(CODE, entropy("host")).hear(b"A" + point)
    joiner = CodeJoiner(CODE, entropy("joiner"))
    joiner.start()
    with pytest.raises(BadData):
        joiner.hear(b"B" + point)


def test_a_reflected_start_is_no_answer() -> None:
    joiner = CodeJoiner(CODE, entropy("joiner"))
    start = joiner.start()
    for reflected in (start, b"B" + start[1:]):
        other = CodeJoiner(CODE, entropy("joiner"))
        other.start()
        with pytest.raises(BadData):
            other.hear(reflected)


# --- Coming back ------------------------------------------------------------------------------

KEPT = bytes(range(32))


def returned(kept: bytes = KEPT, ours: str = "a", theirs: str = "b") -> LinkKeys:
    joiner = ResumeJoiner(kept, entropy(ours), MATCH, SAID)
    host = ResumeHost(KEPT, entropy(theirs), MATCH, SAID)
    proof, keys = joiner.hear(host.hear(joiner.start())[0])
    assert host.hear(proof) == (b"", keys)
    return keys


def test_who_kept_the_key_comes_back_with_fresh_keys() -> None:
    keys = returned()
    assert keys.resume == KEPT
    made = {keys.to_host, keys.to_joiner, KEPT}
    for other in (returned(ours="c"), returned(theirs="c")):
        assert not made & {other.to_host, other.to_joiner}


def test_without_the_kept_key_nobody_comes_back() -> None:
    with pytest.raises(WrongCode):  # the joiner finds a host without it
        returned(kept=bytes(32))
    host, stranger = ResumeHost(KEPT, entropy("b")), ResumeJoiner(KEPT[::-1], entropy("a"))
    host.hear(stranger.start())
    stranger_host = ResumeHost(KEPT[::-1], entropy("b"))
    stranger_host.hear(stranger.start())
    with pytest.raises(WrongCode):
        host.hear(stranger_host._proofs.joiner)


def test_a_recorded_return_cannot_be_replayed() -> None:
    joiner, host = ResumeJoiner(KEPT, entropy("a")), ResumeHost(KEPT, entropy("b"))
    start = joiner.start()
    answer, _ = host.hear(start)
    proof, _ = joiner.hear(answer)
    host.hear(proof)
    again = ResumeHost(KEPT, entropy("c"))
    again.hear(start)
    with pytest.raises(WrongCode):
        again.hear(proof)
    with pytest.raises(WrongCode):
        ResumeJoiner(KEPT, entropy("d")).hear(answer)


def test_a_return_belongs_to_its_match_and_greeting() -> None:
    for knows in ((MATCH[::-1], SAID), (MATCH, b"")):
        joiner = ResumeJoiner(KEPT, entropy("a"), *knows)
        host = ResumeHost(KEPT, entropy("b"), MATCH, SAID)
        with pytest.raises(WrongCode):
            joiner.hear(host.hear(joiner.start())[0])


@pytest.mark.parametrize("key", WEAK_X25519.values(), ids=WEAK_X25519)
def test_nobody_comes_back_with_a_key_that_makes_every_secret_zero(key: bytes) -> None:
    with pytest.raises(BadData):
        ResumeHost(KEPT, entropy("b")).hear(key)
    with pytest.raises(BadData):
        ResumeJoiner(KEPT, entropy("a")).hear(key + bytes(32))


@given(st.binary(max_size=70))
@example(bytes(32))
@example(bytes(64))
def test_bytes_from_anywhere_bring_nobody_back(data: bytes) -> None:
    host = ResumeHost(KEPT, entropy("b"))
    try:
        host.hear(data)
    except BadData:
        assert len(data) != 32 or data in WEAK_X25519.values()
    with pytest.raises((BadData, WrongCode)):
        host.hear(data)
    with pytest.raises((BadData, WrongCode)):
        ResumeJoiner(KEPT, entropy("a")).hear(data)


# --- Wrong codes ------------------------------------------------------------------------------


def test_three_wrong_codes_spend_a_code_whoever_tries() -> None:
    attempts = Attempts()
    for n in range(3):
        assert not attempts.is_spent
        attempts = attempts.after_wrong(f"10.0.0.{n}", 0)
    assert attempts.is_spent
    attempts = attempts.renewed(100)
    assert not attempts.is_spent
    assert attempts.wait("10.0.0.9", 100) == 1


def test_each_wrong_code_makes_its_address_wait_longer() -> None:
    attempts, now, waits = Attempts(), 0.0, []
    for _ in range(12):
        attempts = attempts.after_wrong("10.0.0.1", now).renewed(now)
        waits.append(attempts.wait("10.0.0.1", now))
        now += waits[-1]
    assert waits[:5] == [1, 2, 4, 8, 16]
    assert waits[-2:] == [300, 300]
    assert attempts.wait("10.0.0.1", now) == 0
    assert attempts.after_wrong("10.0.0.1", now).wait("10.0.0.2", now) == 0


def test_the_right_code_or_time_forgives() -> None:
    attempts = Attempts().after_wrong("a", 0).after_wrong("a", 2)
    assert attempts.after_right("a").after_wrong("a", 10).wait("a", 10) == 1
    later = attempts.after_wrong("b", 1000)
    assert later.after_wrong("a", 1000).wait("a", 1000) == 1


def test_many_addresses_take_no_more_memory_and_no_more_tries() -> None:
    attempts, now, tries = Attempts(), 0.0, 0
    while now < 3600:
        address = f"fe80::{tries:x}"
        now += attempts.wait(address, now)
        attempts, tries = attempts.after_wrong(address, now), tries + 1
        if attempts.is_spent:
            attempts = attempts.renewed(now)
        assert len(attempts.waiting) <= pairing.MAX_ADDRESSES
    assert 350 < tries < 400


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 80), st.floats(0, 50)), max_size=200))
def test_attempts_stay_sane(tries: list[tuple[int, float]]) -> None:
    attempts, now = Attempts(), 0.0
    for address, pause in tries:
        now += pause
        attempts = attempts.after_wrong(str(address), now)
        assert 0.999 < attempts.wait(str(address), now) < pairing.MAX_WAIT + 0.001
        assert len(attempts.waiting) == len({one for one, _, _ in attempts.waiting})
        if attempts.is_spent:
            attempts = attempts.renewed(now)
