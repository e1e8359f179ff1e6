"""What a terminal leaves to the others: enough shares give it back, fewer tell nothing."""

from __future__ import annotations

from itertools import combinations

import pytest

from kumite.core.errors import LocalError
from kumite.net.crypto import boxes, wills
from kumite.net.crypto.groups import ED25519

SEED = b"ada" + bytes(29)
LEFT = wills.estate(SEED)
PUBLIC = boxes.public(SEED)
ME = 0


def left(terminals: int) -> tuple[tuple[bytes, ...], dict[int, bytes]]:
    shares = {heir: wills.share(LEFT, terminals, heir) for heir in range(terminals) if heir != ME}
    return wills.points(LEFT, terminals), shares


def test_all_of_the_others_but_one_are_needed_and_never_one_alone() -> None:
    assert [wills.threshold(count) for count in (3, 4, 5, 6)] == [2, 2, 3, 4]
    with pytest.raises(LocalError):
        wills.threshold(2)


def test_what_is_left_is_the_secret_of_the_box_key_in_the_roster() -> None:
    assert ED25519.base_times(wills.secret(LEFT)) == PUBLIC
    assert len(LEFT) == 32


@pytest.mark.parametrize("terminals", [3, 4, 5, 6])
def test_any_shares_that_are_enough_give_it_back(terminals: int) -> None:
    _, shares = left(terminals)
    for some in combinations(shares.items(), wills.threshold(terminals)):
        assert wills.restored(dict(some)) == LEFT


@pytest.mark.parametrize("terminals", [3, 4, 5, 6])
def test_one_share_less_fits_every_secret_alike(terminals: int) -> None:
    """With any number for a missing share there is one secret: they tell none from another."""
    _, shares = left(terminals)
    many = wills.threshold(terminals) - 1
    for some in combinations(shares.items(), many):
        assert wills.restored(dict(some)) != LEFT
        missing = next(heir for heir in shares if heir not in dict(some))
        guesses = (guess.to_bytes(32, "little") for guess in range(1, 40))
        found = {wills.restored({**dict(some), missing: guess}) for guess in guesses}
        assert len(found) == 39
        assert LEFT not in found


@pytest.mark.parametrize("terminals", [3, 4, 5, 6])
def test_each_sees_that_its_share_is_one_of_that_key_and_no_other_number_is(terminals: int) -> None:
    points, shares = left(terminals)
    assert len(points) == wills.threshold(terminals) - 1
    for heir, share in shares.items():
        assert wills.is_share(PUBLIC, points, heir, share)
        more = int.from_bytes(share, "little") + 1
        assert not wills.is_share(PUBLIC, points, heir, more.to_bytes(32, "little"))
        assert not wills.is_share(PUBLIC, points, heir + 1, share)
        assert not wills.is_share(boxes.public(b"b" * 32), points, heir, share)
        assert not wills.is_share(PUBLIC, points[:-1], heir, share)
        assert not wills.is_share(PUBLIC, points[::-1] + points[:1], heir, share)


@pytest.mark.parametrize(
    "share", [b"", bytes(32), bytes(31), b"\xff" * 32, ED25519.order.to_bytes(32, "little")]
)
def test_a_share_is_a_number_of_the_group(share: bytes) -> None:
    points, _ = left(3)
    assert not wills.is_share(PUBLIC, points, 1, share)
    assert not wills.is_share(PUBLIC, (bytes(32),), 1, wills.share(LEFT, 3, 1))


def test_all_see_whether_there_is_a_point_for_each_number_and_a_box_for_each_heir() -> None:
    points, shares = left(4)
    sealed = [boxes.box(SEED, PUBLIC, 1, data=share) for share in shares.values()]
    assert wills.is_will(points, sealed, 4)
    assert not wills.is_will(points, sealed[1:], 4)
    assert not wills.is_will((*points, points[0]), sealed, 4)
    assert not wills.is_will((bytes(32),), sealed, 4)
    assert not wills.is_will(points, [*sealed[1:], b"no box"], 4)
    assert not wills.is_will(points, sealed, 6)


def test_a_will_is_the_same_after_a_crash_and_another_for_other_seeds() -> None:
    assert left(6) == left(6)
    other = wills.estate(b"b" * 32)
    assert wills.share(other, 6, 1) != wills.share(LEFT, 6, 1)
    assert not {*wills.points(other, 6)} & {*wills.points(LEFT, 6)}
