"""What a terminal leaves to the others: enough shares give it back, fewer tell nothing."""

from __future__ import annotations

from itertools import combinations

import pytest

from kumite.core.errors import LocalError
from kumite.net.crypto import boxes, key_shares
from kumite.net.crypto.groups import ED25519

SEED = b"ada" + bytes(29)
LEFT = key_shares.shared(SEED)
PUBLIC = boxes.public(SEED)
ME = 0


def left(terminals: int) -> tuple[tuple[bytes, ...], dict[int, bytes]]:
    shares = {
        holder: key_shares.share(LEFT, terminals, holder)
        for holder in range(terminals)
        if holder != ME
    }
    return key_shares.points(LEFT, terminals), shares


def test_all_of_the_others_but_one_are_needed_and_never_one_alone() -> None:
    assert [key_shares.threshold(count) for count in (3, 4, 5, 6)] == [2, 2, 3, 4]
    with pytest.raises(LocalError):
        key_shares.threshold(2)


def test_what_is_left_is_the_secret_of_the_box_key_in_the_roster() -> None:
    assert ED25519.base_times(key_shares.secret(LEFT)) == PUBLIC
    assert len(LEFT) == 32


@pytest.mark.parametrize("terminals", [3, 4, 5, 6])
def test_any_shares_that_are_enough_give_it_back(terminals: int) -> None:
    _, shares = left(terminals)
    for some in combinations(shares.items(), key_shares.threshold(terminals)):
        assert key_shares.restored(dict(some)) == LEFT


@pytest.mark.parametrize("terminals", [3, 4, 5, 6])
def test_one_share_less_fits_every_secret_alike(terminals: int) -> None:
    """With any number for a missing share there is one secret: they tell none from another."""
    _, shares = left(terminals)
    many = key_shares.threshold(terminals) - 1
    for some in combinations(shares.items(), many):
        assert key_shares.restored(dict(some)) != LEFT
        missing = next(holder for holder in shares if holder not in dict(some))
        guesses = (guess.to_bytes(32, "little") for guess in range(1, 40))
        found = {key_shares.restored({**dict(some), missing: guess}) for guess in guesses}
        assert len(found) == 39
        assert LEFT not in found


@pytest.mark.parametrize("terminals", [3, 4, 5, 6])
def test_each_sees_that_its_share_is_one_of_that_key_and_no_other_number_is(terminals: int) -> None:
    points, shares = left(terminals)
    assert len(points) == key_shares.threshold(terminals) - 1
    for holder, share in shares.items():
        assert key_shares.is_share(PUBLIC, points, holder, share)
        more = int.from_bytes(share, "little") + 1
        assert not key_shares.is_share(PUBLIC, points, holder, more.to_bytes(32, "little"))
        assert not key_shares.is_share(PUBLIC, points, holder + 1, share)
        assert not key_shares.is_share(boxes.public(b"b" * 32), points, holder, share)
        assert not key_shares.is_share(PUBLIC, points[:-1], holder, share)
        assert not key_shares.is_share(PUBLIC, points[::-1] + points[:1], holder, share)


@pytest.mark.parametrize(
    "share", [b"", bytes(32), bytes(31), b"\xff" * 32, ED25519.order.to_bytes(32, "little")]
)
def test_a_share_is_a_number_of_the_group(share: bytes) -> None:
    points, _ = left(3)
    assert not key_shares.is_share(PUBLIC, points, 1, share)
    assert not key_shares.is_share(PUBLIC, (bytes(32),), 1, key_shares.share(LEFT, 3, 1))


def test_all_see_whether_there_is_a_point_for_each_number_and_a_box_for_each_heir() -> None:
    points, shares = left(4)
    sealed = [boxes.box(SEED, PUBLIC, 1, data=share) for share in shares.values()]
    assert key_shares.are_shares(points, sealed, 4)
    assert not key_shares.are_shares(points, sealed[1:], 4)
    assert not key_shares.are_shares((*points, points[0]), sealed, 4)
    assert not key_shares.are_shares((bytes(32),), sealed, 4)
    assert not key_shares.are_shares(points, [*sealed[1:], b"no box"], 4)
    assert not key_shares.are_shares(points, sealed, 6)


def test_a_will_is_the_same_after_a_crash_and_another_for_other_seeds() -> None:
    assert left(6) == left(6)
    other = key_shares.shared(b"b" * 32)
    assert key_shares.share(other, 6, 1) != key_shares.share(LEFT, 6, 1)
    assert not {*key_shares.points(other, 6)} & {*key_shares.points(LEFT, 6)}
