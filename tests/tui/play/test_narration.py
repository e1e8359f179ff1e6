"""The log beside a table: steps in sentences, by turns, with squares as they were."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import pytest

from kumite.core.game import CHANCE, Seat, Setup, Step
from kumite.core.games import GAMES, find
from kumite.core.match import Match
from kumite.tui import scenes
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.play import narration
from kumite.tui.play.ending import ending
from kumite.tui.play.narration import Remark
from kumite.tui.scenes.lines import GOES_ON, Line, plain, width
from kumite.tui.scenes.tallies import colors_of
from tests.support.contrast import every_role
from tests.support.kumo_positions import at
from tests.support.random_matches import short_setup, walk

NAMES = ("ada", "bob", "cid", "dan")


def a_match(game_id: str, seats: int, seed: int, steps: int = 60) -> Match:
    rng, match = Random(seed), Match.begin(Setup.of(GAMES[game_id], seats))
    while match.actors and match.number < steps:
        actor = match.actors[0]
        match = match.play(actor, rng.choice(match.legal(actor)))
    return match


def is_heading(line: Line) -> bool:
    return len(line) == 1 and line[0][1].startswith("seat-")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("game_id", "seats"), [("kumo", 2), ("kumo", 4), ("kitsu", 2)])
def test_steps_of_a_turn_stand_below_the_name_of_who_made_them(
    game_id: str, seats: int, seed: int
) -> None:
    match = a_match(game_id, seats, seed)
    made = {at.number: at.last.actor for at in match.line() if at.last is not None}
    heading, headings = None, 0
    for line in narration.told_lines(match, NAMES[:seats], 80):
        text = plain(line)
        if is_heading(line):
            heading, headings = NAMES.index(text), headings + 1
        elif text[:3].strip().isdecimal():
            name = NAMES[made[int(text[:3])]]
            if text[4:].startswith(name):
                heading = None  # a turn of one step says itself whose it is
            else:
                assert heading is not None
                assert name == NAMES[heading]
    assert headings > 2


def color_beside(match: Match, names: Sequence[str]) -> dict[str, str]:
    """Return the colour of the mark before each name in the panel of the players."""
    found = {}
    for line in scenes.maker(match).scene(match.state, names, LETTERS, None).seats:
        name = next((name for name in names if name in plain(line)), "")
        for _, role in line if name else ():
            inks = every_role()[role] if role in every_role() else (role.partition("/")[0],)
            for ink in inks:
                if re.fullmatch(r"seat-\d", str(ink)):
                    found.setdefault(name, str(ink))
    return found


@pytest.mark.parametrize(
    ("game_id", "seats"), [(one, seats) for one, game in GAMES.items() for seats in game.SEATS]
)
def test_log_and_card_have_the_colours_that_the_players_have(game_id: str, seats: int) -> None:
    names = (*NAMES, "eve", "fay")[:seats]
    match = walk(short_setup(game_id, seats), 1)
    colors = color_beside(match, names)
    assert set(colors) == set(names)
    assert colors == {name: f"seat-{colors_of(match)[seat]}" for seat, name in enumerate(names)}
    made = {at.number: at.last.actor for at in match.line() if at.last is not None}
    seen = set()
    for line in narration.told_lines(match, names, 80):
        text, role = plain(line), line[0][1]
        if is_heading(line):
            assert role == f"{colors[text]}/"
        elif text[:3].strip().isdecimal():
            actor = made[int(text[:3])]
            assert role == ("quiet" if actor == CHANCE else f"{colors[names[int(actor)]]}/")
            seen.add(actor)
    assert seen >= set(range(seats))
    end = ending(match, None, names)
    assert end is not None
    for standing in end.standings:
        whose = [name for seat, name in enumerate(names) if name in standing.who]
        assert all(colors[name] == f"seat-{standing.seat}" for name in whose)
        assert whose or not standing.who.islower()  # a clan has a name of its own


@pytest.mark.parametrize("game_id", ["kuzushi", "kitsune", "kiriai"])
def test_where_turns_are_steps_each_says_whose_it_is(game_id: str) -> None:
    lines = narration.told_lines(a_match(game_id, 2, 1), NAMES[:2], 33)
    assert not any(map(is_heading, lines))
    assert all(width(plain(line)) <= 33 for line in lines)


def test_the_log_names_squares_as_they_are_now_and_leaves_players_alone() -> None:
    match = Match.begin(Setup.of(find("kumo"), 2))
    for step in ("+e1=run", "cw", "+d1=kumo"):
        match = match.play(Seat(0), Step(step))
    told = [plain(line) for line in narration.told_lines(match, ("e1", "bob"), 80)]
    assert told[0] == "e1"
    assert [line.rpartition(" ")[2] for line in told[1:]] == ["a5", "right", "d1"]
    before = narration.told_lines(match.before.before, ("ada", "bob"), 80)
    assert plain(before[0]).endswith("on e1")


def test_remarks_stand_behind_their_step_also_in_the_middle_of_a_turn() -> None:
    match = a_match("kumo", 2, 1, 12)
    remarks = [Remark(number, f"remark {number}") for number in (0, 3, 12, 99)]
    told = [plain(line) for line in narration.told_lines(match, NAMES[:2], 80, remarks)]
    assert told[0] == "remark 0"
    assert told[told.index("remark 3") - 1].startswith("  3 ")
    assert told[-2:] == ["remark 12", "remark 99"]


def test_of_a_folded_remark_the_log_never_begins_with_the_middle() -> None:
    match = a_match("kuzushi", 2, 1, 2)
    remark = Remark(2, "compare these words with what the others read below their tables")
    told = narration.told_lines(match, NAMES[:2], 28, [remark])
    first = next(at for at, line in enumerate(told) if plain(line).startswith("compare"))
    assert [line[:1] == (GOES_ON,) for line in told[first:]] == [False, True, True]


@pytest.mark.parametrize(("turn", "way"), [("cw", "east"), ("ccw", "west")])
def test_directions_in_the_log_turn_with_the_arena(turn: str, way: str) -> None:
    match = Match.begin(
        Setup.of(find("kumo"), 2), position=at("e4 0kumo; e3 0kumo", turned="no no")
    )
    match = match.play(Seat(0), Step("push:e4+e3")).play(Seat(0), Step(turn))
    pushed = plain(narration.told_lines(match, ("ada", "bob"), 80)[1])
    assert f"push the stone {way} to " in pushed
