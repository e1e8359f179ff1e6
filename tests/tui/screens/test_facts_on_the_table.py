"""What lies open on the table, or in one's own hand, is seen wherever somebody has to choose.

At every size, in all glyph sets, and in line mode.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Any, NamedTuple, cast

import pytest

from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.games.kiriai.action import SPECIALS
from kumite.core.games.kiriai.state import State as Duel
from kumite.core.games.kitsu.board import SEASONS
from kumite.core.games.kitsune.state import TOKENS, deck_size, size
from kumite.core.games.kitsune.state import State as Tricks
from kumite.core.match import Match
from kumite.tui.drawing.pixels import quadrants
from kumite.tui.games.kiriai.picture import LEFT, TAKEN, brief, called, distance_of
from kumite.tui.games.kitsune.picture import is_swapped, token_name, trick_number
from kumite.tui.games.kuzushi.words import contested
from kumite.tui.look.glyphs import LOOKS, Look
from kumite.tui.look.sprites import Skin
from kumite.tui.play import table_words
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.narration import is_opening, last_told
from kumite.tui.scenes import in_words
from kumite.tui.scenes.about import about
from kumite.tui.scenes.lines import plain
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings
from kumite.tui.widgets.lines import Lines
from tests.support.apps import app, frame, play, running, screen_of, uncovered, words
from tests.support.random_matches import choose, short_setup, walk
from tests.support.spread import spread

NAMES = ("ada", "bob", "cyd", "dan", "eve", "fay")
CALLED = ("+3", *TOKENS[1:])
SIZES = [(60, 20), (72, 22), (80, 24), (100, 30), (120, 36), (160, 50)]
THIRDS = (SIZES[::3], SIZES[1::3], SIZES[2::3])


def reached(setup: Setup, seed: int, is_wanted: Callable[[Match], bool]) -> Match:
    """Play at random until a position is wanted."""
    rng, match = Random(seed), Match.begin(setup)
    while not is_wanted(match):
        match = match.play(*choose(match, rng)) if match.actors else Match.begin(setup)
    return match


class Seen(NamedTuple):
    """What the seat to act sees of a table."""

    look: Look
    text: str
    at: str  # in which size and glyphs, to be told


async def drawn(
    match: Match, sizes: Sequence[tuple[int, int]], *, counter: bool = False
) -> list[Seen]:
    """Return the table of a match as the seat to act sees it, in these sizes.

    In the first all glyph sets, in the others one of them in turn.
    """
    table = LocalTable(match, NAMES[: match.setup.seats], None)
    kumite, found = app(lambda: TableScreen(table)), list[Seen]()
    async with kumite.run_test(size=sizes[0]) as pilot:
        await uncovered(pilot)
        looks = [*LOOKS]
        for number, size in enumerate(sizes):
            await pilot.resize_terminal(*size)
            for glyphs in looks[number % len(looks) :][: 1 if number else None]:
                kumite.use(Settings(glyphs=glyphs, counter=counter))
                await pilot.pause()
                assert kumite.screen._compositor.size == size
                text = frame(kumite)
                assert "is covered" not in text
                found.append(Seen(kumite.look, text, f"{size} {glyphs}\n{text}"))
    return found


@pytest.mark.parametrize(
    ("special", "chooser", "sizes"), spread(SPECIALS, (0, 1), (SIZES[::2], SIZES[1::2]), each=2)
)
async def test_the_special_card_is_seen_while_the_start_is_chosen(
    special: str, chooser: int, sizes: list[tuple[int, int]]
) -> None:
    def is_wanted(match: Match) -> bool:
        duel = cast("Duel", match.state)
        has_other = all(bool(duel.sides[seat].secret) == (seat < chooser) for seat in (0, 1))
        return duel.phase == "start" and duel.sides[chooser].special == special and has_other

    match = reached(Setup.of(GAMES["kiriai"], 2, {"field": "advanced"}), 1, is_wanted)
    for _, text, at in await drawn(match, sizes):
        own = text.partition("What strikes")[0].lower().replace("-", "")  # below, all blows are
        assert [one for one in SPECIALS if one in own] == [special], at
    view = match.seen_by(frozenset({Seat(chooser)}))
    said = [*in_words(view, NAMES[:2], Seat(chooser))]
    assert any(called(special) in one for one in said)


def tokens_of(tricks: Tricks) -> tuple[list[str], list[str], dict[str, str]]:
    """Return which tokens are free, which are used, and who holds the others.

    The one that adds three is `+3`: as `3` it would read as a count of the others.
    """
    standing = tricks.standing
    called = dict(zip(TOKENS, CALLED, strict=True))
    held = {called[token]: NAMES[seat] for seat, token in enumerate(standing.held) if token}
    free = [called[one] for one in standing.available]
    return free, [one for one in CALLED if one not in free and one not in held], held


PHASES = [
    *product(GAMES["kitsune"].SEATS, ["play", "take", "all free"]),
    *product((4, 6), ["give", "lead"]),  # two do neither
]


@pytest.mark.parametrize(("seats", "phase", "sizes"), spread(PHASES, THIRDS))
async def test_all_power_tokens_are_seen_free_used_or_held(
    seats: int, phase: str, sizes: list[tuple[int, int]]
) -> None:
    def is_wanted(match: Match) -> bool:
        tricks = cast("Tricks", match.state)
        free, used, held = tokens_of(tricks)
        if phase == "all free":
            return tricks.phase == "play" and len(free) == len(TOKENS)
        is_mixed = bool(held) and (bool(used) or phase == "lead")  # a new round frees used ones
        return tricks.phase == phase and is_mixed and CHANCE not in match.actors

    match = reached(Setup.of(GAMES["kitsune"], seats), 2, is_wanted)
    free, used, held = tokens_of(cast("Tricks", match.state))
    for look, text, at in await drawn(match, sizes):
        if look.is_drawn:
            (row,) = [line for line in text.split("\n") if all(one in line for one in CALLED)]
            assert all(f"● {one}" in row for one in free), at
            assert all(f"○ {one}" in row for one in used), at
            assert all(f"◆ {one} {name}" in row for one, name in held.items()), at
        else:
            said = " ".join(text.partition("Tokens  ")[2].split("\n")[:2])
            assert f"{', '.join(free) or 'none free'}" in said, at
            assert not used or f"used {', '.join(used)}" in said, at
            assert all(f"{name} has {one}" in said for one, name in held.items()), at
    you = Seat(int(match.actors[0]))
    told = " ".join(in_words(match.seen_by(frozenset({you})), NAMES[:seats], you))
    assert f"Free tokens: {', '.join(free) or 'none'}; used: {', '.join(used) or 'none'}." in told
    for one, name in held.items():
        assert f"token {one}" in told or (name == NAMES[you] and f"Your token: {one}" in told)


@pytest.mark.parametrize(("seats", "sizes"), spread(GAMES["kitsune"].SEATS, THIRDS, each=2))
async def test_cards_that_have_gone_are_listed_in_no_view_or_in_all(
    seats: int, sizes: list[tuple[int, int]]
) -> None:
    def is_wanted(match: Match) -> bool:
        return match.state.phase == "play" and match.state.cards.discard > 0

    match = reached(Setup.of(GAMES["kitsune"], seats), 3, is_wanted)
    for is_on in (False, True):
        for _, text, at in await drawn(match, sizes, counter=is_on):
            assert ("gone" in text.lower()) == is_on, at
        told = in_words(match, NAMES[:seats], None, counts_cards=is_on)
        assert any("gone" in one.lower() for one in told) == is_on


# --- All that a view knows --------------------------------------------------------------------

WHOLE = [(80, 24), (120, 36)]  # sizes with room for all of it


class Fact(NamedTuple):
    """Something that a player may know: how the table shows it, and how line mode says it.

    Both are patterns; in the first a space is any number of them, `¶` a new row of the panel.
    """

    what: str
    drawn: str
    said: str


def pieces(sprite: str, number: int, missing: int = 0) -> str:
    """Return a pattern of the lower row of so many pieces off the board."""
    shape = Skin().sprite(sprite).shape(6, 4)
    assert shape is not None
    piece = re.escape(plain(quadrants(shape, "", 3, 2)[-1]))
    return rf"(?:{piece}\x20?){{{number}}}(?:\x20*·){{{missing}}}"


def _kitsu(view: Any, look: Look) -> Iterator[Fact]:
    yield Fact("turn", rf"turn {view.turn}\b", rf"Turn {view.turn} of")
    limit = view.variant.limit
    yield Fact("limit", rf"draw after {limit}\b", rf"of {limit};")
    for seat, clan in enumerate(view.clans):
        name, taken = NAMES[seat], " ".join(f"{count}/4" for count in clan.taken)
        kinds = zip(("samurai", "fox"), clan.taken, strict=True)
        drawn = " ".join(pieces(kind, count, 4 - count) for kind, count in kinds)
        captured = f"¶¶ {drawn}" if look.is_drawn else f"¶captured {taken}"

        def said(pieces: Sequence[int], of: str = "") -> str:
            return rf"{pieces[0]} Samurai and {pieces[1]} Fox\w*{of}" if any(pieces) else "nothing"

        yield Fact(
            f"{name}'s reserves",
            rf"{name}(?: \(you\))? Samurai Foxes¶Spirit Realm {clan.spirit[0]} {clan.spirit[1]}\b"
            rf"¶in hand {clan.hand[0]} {clan.hand[1]}\b{captured}",
            rf"{name}, off the board: in the Spirit Realm {said(clan.spirit)}; "
            rf"in hand {said(clan.hand)}; captured {said(clan.taken, ' of 4')}",
        )
    for realm, season in enumerate(SEASONS):
        is_open = realm in view.seasons
        told = f"{season.upper()} open" if is_open else f"{season} shut"
        yield Fact(
            season, told, rf"open seasons:.*{season.title()}" if is_open else "open seasons:"
        )


def _kuzushi(view: Any, look: Look) -> Iterator[Fact]:
    for seat in range(len(view.bases)):
        name, score, left = NAMES[seat], view.score(seat), view.hand(seat)
        yield Fact(
            f"{name}'s score and cards",
            rf"{name}(?: \(you\))?"
            rf"(?: {score}(?: [█▌]+)? {left}\b|¶ score {score}\b¶ left {left}\b)",
            rf"{name}: score {score}; {left} cards? left",
        )
    left, right, low, high = view.grid.box(view.cards)
    wide, tall, most = right - left + 1, high - low + 1, view.limit
    times = re.escape(look.times)
    yield Fact(
        "the board's size",
        rf"Board {wide}{times}{tall} of {most}{times}{most}",
        rf"{wide} by {tall}, at most {most} by {most}",
    )
    if fight := contested(view):
        count = fight.bit_count()
        yield Fact("contested squares", rf"{count} contested square", r"Contested: \w")


def _kumo(view: Any, look: Look) -> Iterator[Fact]:
    yield Fact("turn", rf"turn {view.turn} of {view.limit}", rf"Turn {view.turn} of {view.limit};")
    for seat, waiting in enumerate(view.boards):
        name, caught = NAMES[seat], view.prisons[seat % 2]
        off = "".join(rf"{pieces('kumo-block', one)}\x20*" for one in (waiting, caught))
        drawn = rf"(?:¶reserve(?: caught)?)?¶¶(?<=\x20\x20){off}" if look.is_drawn else "(?!)"
        yield Fact(
            f"{name}'s reserve and prisoners",
            rf"{name}(?: \(you\))? \S(?: {waiting} {caught}\b|{drawn})",
            rf"{name}: camp in the \w+; {waiting} Kumotori waiting",
        )
        yield Fact("prisoners", "", rf"{caught} prisoner")
    pips = "actions [·●]|" if look.is_drawn else ""
    left = rf"{pips}\d actions? (?:left|more)|climb down"
    yield Fact("actions left", left, "Left in this turn|climb down")
    if view.turned[view.seat & 1]:
        yield Fact(
            "the turning", "The arena has been turned", "the arena has been turned|climb down"
        )


def _kitsune(view: Any, look: Look) -> Iterator[Fact]:
    table, standing = view.table, view.standing
    for clan, name in enumerate(("Zenko", "Yako")):
        at, won = standing.marks[clan], standing.wins[clan]
        rounds = re.escape(look.solid[0] * won + look.hollow[0] * (table.wins - won))
        lane = rf"{name} [^\n]*{at} of {table.track}  rounds {rounds}"
        yield Fact(
            f"the {name}'s marker and rounds",
            lane if look.is_drawn else rf"{name} {won}\b",
            rf"{name}, .*: marker on {at} of {table.track}, {won} rounds? won of {table.wins}",
        )
    number = trick_number(view)
    if view.phase == "play":
        of = rf"rick {number} of {table.limit}\b"
        yield Fact("trick", of, of)
        if is_swapped(view.cards.trick):
            yield Fact("whose cards count", "▲╳▼ swapped|▲ orange cards|>< orange", "")
    for seat, hand in enumerate(view.cards.hands):
        held = standing.held[seat]
        # In the exchange all have what was dealt, but for what lies there. Six pictures leave no
        # row for it at 80x24; hands are as large as one's own, but for a card of this trick.
        if view.phase == "play" and table.seats < 6:
            yield Fact(f"{NAMES[seat]}'s hand", rf"\b{size(hand)} cards?\b", "")
        if held:
            called = re.escape(token_name(held))
            yield Fact(f"{NAMES[seat]}'s token", rf"{called} {NAMES[seat]}|has {called}", called)
    if table.seats == 2:
        yield Fact("deck", rf"{deck_size(table, view.cards)} (?:cards? )?to draw", "to draw")


def _kiriai(view: Any, look: Look) -> Iterator[Fact]:
    if view.round:
        of = rf"ound {view.round} of {view.rounds}"
        yield Fact("round", of, of)
    for seat, side in enumerate(view.sides):
        name = NAMES[seat]
        lives = (LEFT * (2 - side.wounds)) + TAKEN * side.wounds
        wounds = re.escape(look.contested * side.wounds + look.free * (2 - side.wounds))
        yield Fact(
            f"{name}'s wounds",
            rf"{name}[^♥♡\n]*{lives}" if look.is_drawn else rf"{name}(?: \(you\))? {wounds}",
            rf"{name}, \w+: .*{side.wounds} of 2 wounds",
        )
        if side.stance:
            stance = called(side.stance)
            yield Fact(f"{name}'s stance", stance, rf"{name}, .*in {stance}")
        for face in filter(None, side.aside.split("|")):
            short, full = brief(face), called(face)
            yield Fact(f"{name} set aside {face}", rf"{full}|{short}", rf"{full}.* set aside")
        if side.spent:
            short, full = brief(side.special), called(side.special)
            yield Fact(f"{name}'s {side.special} is spent", rf"{full}|{short}", rf"{full}, spent")
    if view.sides[0].stance:
        apart = distance_of(view)
        yield Fact("distance", rf"[Dd]istance {apart}\b", rf"the distance is {apart}\b")


FACTS: dict[str, Callable[[Any, Look], Iterator[Fact]]] = {
    "kitsu": _kitsu,
    "kuzushi": _kuzushi,
    "kumo": _kumo,
    "kitsune": _kitsune,
    "kiriai": _kiriai,
}


@pytest.mark.parametrize(
    ("game_id", "seats"), [(one, seats) for one, game in GAMES.items() for seats in game.SEATS]
)
async def test_all_that_a_player_may_know_is_on_the_table_and_in_line_mode(
    game_id: str, seats: int
) -> None:
    rng = Random(f"{game_id} {seats} 0")
    is_short = game_id in ("kuzushi", "kiriai")  # none may have ended before
    least = rng.randrange(6, 20 if is_short else 80)

    def is_wanted(match: Match) -> bool:
        return match.number >= least and bool(match.actors) and CHANCE not in match.actors

    match = reached(Setup.of(GAMES[game_id], seats), 0, is_wanted)
    you = Seat(int(match.actors[0]))
    view = match.seen_by(frozenset({you}))
    told = " ".join(in_words(view, NAMES[:seats], you))
    for look, text, at in await drawn(match, WHOLE):
        for what, shown_as, said in FACTS[game_id](view.state, look):
            pattern = shown_as.replace(" ", " +").replace("¶", r"[^\n]*\n[^\n]*")
            assert re.search(pattern, text), f"{what}: {shown_as}\n{at}"
            assert re.search(said, told), f"{what}: {said}\n{told}"
        assert f"{NAMES[you]}'s turn" in text or "your turn" in text, at


@pytest.mark.parametrize(
    ("game_id", "seats", "size", "glyphs"),
    spread(
        [(one, seats) for one in GAMES for seats in {min(GAMES[one].SEATS), max(GAMES[one].SEATS)}],
        ((80, 24), (60, 20)),
        sorted(LOOKS),
        each=2,
    ),
)
async def test_how_to_win_is_read_throughout_the_first_turn(
    game_id: str, seats: int, size: tuple[int, int], glyphs: str
) -> None:
    start = reached(Setup.of(GAMES[game_id], seats), 1, lambda one: CHANCE not in one.actors)
    table = LocalTable(start, NAMES[:seats], None)
    kumite = app(lambda: TableScreen(table), glyphs)
    async with kumite.run_test(size=size) as pilot:
        screen = cast("TableScreen", kumite.screen)
        while is_opening(table.match, table.mine):
            await uncovered(pilot)
            await pilot.pause()
            assert about(game_id).goal in frame(kumite).split("\n")[0]
            table.play(*choose(table.match, Random(1)))
            screen.show_table()
        await pilot.pause()
        assert about(game_id).goal not in frame(kumite).split("\n")[0]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game_id", GAMES)
async def test_who_did_what_last_is_read_in_every_size(game_id: str, size: tuple[int, int]) -> None:
    """In the title where the log has no rows for it, and after the end above the keys.

    A stage that has rows for it tells it below itself, and then it is not told twice.
    """
    seats = max(GAMES[game_id].SEATS)
    line = walk(short_setup(game_id, seats), 1, 10000).line()
    here = next(at for at in line[len(line) // 2 :] if CHANCE not in at.actors and at.last)
    for match in (here, line[-1]):
        table = LocalTable(match, NAMES[:seats], None)
        async with running(lambda table=table: TableScreen(table), size) as (kumite, pilot):
            await uncovered(pilot)
            await pilot.pause()
            model = cast("TableScreen", kumite.screen).model
            if model.interlude:
                continue
            said, rows = table_words.last_step(model)[:20], frame(kumite).split("\n")
            if model.is_over:
                last = last_told(match, NAMES)
                assert last is not None
                if model.scene.stage and size >= (72, 22):
                    table_only = " ".join(" ".join(row.partition("▌")[0] for row in rows).split())
                    assert all(table_only.count(one) == 1 for one in last.text.split("; "))
                    assert not rows[-2].strip()
                else:
                    assert f"step {match.number}: {last.text[:20]}" in rows[-2]
                    assert words(kumite).count(last.text[:20]) == 1
            elif not kumite.screen.query_one("#log", Lines).shows_last:
                assert f"  {said}" in rows[0]


@pytest.mark.parametrize(("size", "glyphs"), [*product(((40, 15), *SIZES), sorted(LOOKS))])
async def test_who_plays_with_whom_stands_beside_the_players(
    size: tuple[int, int], glyphs: str
) -> None:
    """In words and by a sign, so that no colours are needed."""
    table = LocalTable.begin(Setup.of(GAMES["kumo"], 4), NAMES[:4])
    kumite = app(lambda: TableScreen(table), glyphs)
    async with kumite.run_test(size=size) as pilot:
        await pilot.pause()
        rows = frame(kumite).split("\n")
        for one, other in ("ada", "cyd"), ("bob", "dan"):
            assert any(re.search(rf" (\S+) +{one}\b.* with {other}", row) for row in rows)


@pytest.mark.parametrize("size", [(40, 15), (48, 30), (60, 20), (60, 24), (72, 22), (80, 24)])
async def test_what_a_round_brought_is_told_in_the_pause_in_each_size(
    size: tuple[int, int],
) -> None:
    """Where neither a log nor the words below the bridge had room, `Enter: go on` was all."""
    match = walk(short_setup("kiriai", 2), 1)
    first = next(one for one in match.line() if one.last and one.last.step.startswith("first:"))
    assert first.before is not None
    assert first.before.before is not None
    table = LocalTable(first.before.before, ("ada", "bob"), None)
    async with running(lambda: TableScreen(table), size=size) as (kumite, pilot):
        await uncovered(pilot)
        screen = screen_of(kumite, TableScreen)
        assert first.before.last is not None
        play(screen, first.before.last.step)
        await pilot.pause()
        screen.before_key()
        await pilot.pause()
        assert screen.model.interlude is not None
        shown_now = "".join(words(kumite).split())
        for part in screen.model.interlude.said.rstrip(".").split("; "):
            assert "".join(part.split()) in shown_now, frame(kumite)
        assert kumite.screen.region.size == size
