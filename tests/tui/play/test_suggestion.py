"""What the home screen offers first, by what a person has done."""

from __future__ import annotations

from collections import defaultdict

import pytest

from kumite.core.bots import LISTED
from kumite.store.record import Course, Tally
from kumite.tui.play.suggestion import ENOUGH, Past, suggestion, weakest_unbeaten

NOTHING = Past(levels=LISTED)


def course(**won: int) -> Course:
    """Return a course with so many wins against levels; -1 is a match that was lost."""
    opponents: dict[str, Tally] = defaultdict(Tally)
    for name, count in won.items():
        opponents[f"bot:{name.removeprefix('l')}"] = Tally(won=max(count, 0), lost=int(count < 0))
    return Course(opponents=opponents)


def said(past: Past) -> str:
    found = suggestion(past, "kitsu")
    return "nothing" if found is None else f"{found.kind} {found.game} {', '.join(found.said)}"


def of(last: str = "", **changed: object) -> Past:
    return Past(last=last, levels=LISTED, **changed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("past", "wanted"),
    [
        (NOTHING, "first kitsu learn Kitsu!, its first steps, task by task"),
        (of(lessons={"kumo": (2, 6)}), "learn kumo the lessons of Kumo Hogosha, task 3 of 6"),
        (
            of(lessons={"kumo": (6, 6)}),
            "match kumo Kumo Hogosha against bot 1, your first match after the lessons",
        ),
        (
            of("kumo", courses={"kumo": course(easy=ENOUGH)}),
            "match kumo Kumo Hogosha against bot 3, bot easy is beaten 3 times",
        ),
        (
            of("kumo", courses={"kumo": course(easy=ENOUGH, l3=-1)}, due={"kitsu": 2}),
            "again kitsu 2 puzzles of Kitsu!, due again today",
        ),
        (of("kumo", due={"kitsu": 1}), "again kitsu 1 puzzle of Kitsu!, due again today"),
        (of("kumo", is_solving=True), "daily  the puzzle of the day, the same for everyone"),
        (
            of("kumo", courses={"kumo": course(l1=1, easy=-1)}),
            "match kumo Kumo Hogosha against bot easy, not beaten yet",
        ),
        (
            of("kumo", helped={"kumo": course(easy=1, l3=-1)}),
            "match kumo Kumo Hogosha against bot easy, won with hints, now without",
        ),
        (
            of("kumo", helped={"kumo": course(easy=1)}, courses={"kumo": course(l1=1, easy=1)}),
            "match kumo Kumo Hogosha against bot 3, not beaten yet",
        ),
        (of("kumo", courses={"kumo": course(**{f"l{one}": 1 for one in LISTED})}), "nothing"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_what_is_offered_is_what_comes_next(past: Past, wanted: str) -> None:
    assert said(past) == wanted


def test_a_level_is_offered_once_only_and_never_beyond_the_last() -> None:
    for level, following in zip(LISTED, [*LISTED[1:], None], strict=True):
        found = suggestion(of("kumo", courses={"kumo": course(**{level: ENOUGH})}), "kitsu")
        assert found is not None
        beaten = f"bot {level} is beaten 3 times"
        assert (found.level, beaten in found.said) == (
            following or weakest_unbeaten(course(**{level: 1}), LISTED), following is not None
        )  # fmt: skip


def test_the_weakest_that_is_not_beaten() -> None:
    assert weakest_unbeaten(None, LISTED) == LISTED[0]
    assert weakest_unbeaten(course(l1=2, l3=1), LISTED) == "easy"
    assert weakest_unbeaten(course(**{f"l{one}": 1 for one in LISTED}), LISTED) is None
