"""The end of a match: who has won is said over a board in full colour; one goes on from there."""

from __future__ import annotations

import asyncio
import gc
import warnings
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

import pytest
from textual.widget import Widget

from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import GAMES, find
from kumite.core.log import End, Header, log_text, read
from kumite.core.log.lines import ENDS
from kumite.core.match import Match
from kumite.net.session import events
from kumite.tui import scenes
from kumite.tui.app import KumiteApp
from kumite.tui.drawing.end_card import card_lines
from kumite.tui.drawing.lettering import large
from kumite.tui.drawing.pixels import Brush
from kumite.tui.look.glyphs import LOOKS
from kumite.tui.look.sprites import Skin
from kumite.tui.play import narration, table_words
from kumite.tui.play.course import ending
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.replaying import Replay
from kumite.tui.play.table_model import TableModel
from kumite.tui.scenes.lines import plain
from kumite.tui.scenes.tallies import tallies, turning_point
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings
from kumite.tui.widgets.board import BoardWidget
from kumite.tui.widgets.field import EndCard
from tests.support.apps import (
    frame,
    play,
    result,
    running,
    screen_of,
    settled,
    shown,
    table_app,
    uncovered,
    until,
    words,
)
from tests.support.fake_peer import at_lan, told
from tests.support.fake_player import thinking
from tests.support.random_matches import short_setup, walk
from tests.support.spread import spread
from tests.support.waiting import PATIENCE
from tests.tui.screens.test_screens import KINDS, SCREENS

NAMES = ("ada", "bob", "cid", "dan", "eve", "fay")
TABLES = [(game_id, seats) for game_id, game in GAMES.items() for seats in game.SEATS]
SIZES = [(60, 20), (72, 22), (80, 24), (100, 30), (160, 50), (220, 60)]


def over(game_id: str, seats: int = 2, seed: int = 1) -> Match:
    return walk(short_setup(game_id, seats), seed)


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_an_ending_names_the_winner_the_score_and_the_length(game_id: str, seats: int) -> None:
    match = over(game_id, seats)
    found, outcome = ending(match, None, NAMES), match.outcome
    assert outcome is not None
    assert all(NAMES[seat] in found.said for seat in outcome.winners)
    assert found.why
    assert len(found.standings) == len(tallies(match)) > 1
    winning = {one.seat for one in found.standings if one.has_won}
    won = [one for one in tallies(match) if {*one.seats} & {*outcome.winners}]
    assert winning == {one.seats[0] if one.color is None else one.color for one in won}
    facts = dict(found.facts)
    assert f"{match.number} steps" in facts["length"]


def test_the_names_of_a_side_are_whole_where_there_is_room_and_else_end_in_dots() -> None:
    match, look = over("kumo", 4), LOOKS["kanji"]
    brush = Brush(Skin(), has_pictures=False)
    short = ending(match, None, ("Daiki", "bot easy 1", "Chiyo", "bot easy 2"))
    long = ending(match, None, ("Wilhelmina", "Bartholomew", "Konstantina", "Maximilian"))
    assert short is not None
    assert long is not None
    lines = [scenes.plain(one) for one in card_lines(short, brush, look, 30, 24)]
    assert sum("Daiki and Chiyo" in one for one in lines) == 1
    assert [one.count("·") for one in lines if "·" in one] == [5, 6]  # of six places each
    lines = [scenes.plain(one) for one in card_lines(long, brush, look, 30, 24)]
    assert any(f"Wilhelmina and Konst{look.more} " in one for one in lines)
    lines = [scenes.plain(one) for one in card_lines(long, brush, look, 46, 24)]
    assert any("Wilhelmina and Konstantina" in one for one in lines)


@pytest.mark.parametrize(
    ("game_id", "seats"), [("kuzushi", 2), ("kumo", 4), ("kitsune", 4), ("kitsune", 6)]
)
def test_a_winner_reads_large_letters_in_two_rows_however_many_have_won_with_them(
    game_id: str, seats: int
) -> None:
    match = Match.begin(Setup.of(find(game_id), seats))
    names = [f"bot of bea {n}" for n in range(seats)]
    found = ending(match, lost("resigned", 1), names, Seat(0))
    assert found is not None
    drawn = [scenes.plain(one) for one in card_lines(found, Brush(), LOOKS["letters"], 40, 60)]
    told = [line[1:].strip() for line in drawn]
    first = next(at for at, line in enumerate(told) if line)
    head = told[first : told.index("", first)]
    assert head == [scenes.plain(one).strip() for one in large("you won", "title")]


def test_the_turning_point_is_the_step_after_which_the_winner_stays_ahead() -> None:
    turned = 0
    for seed in range(6):
        match = over("kuzushi", 2, seed)
        assert match.outcome is not None
        line = match.line()
        at = turning_point(line, match.outcome.winners)
        if at is None:
            continue
        turned += 1
        (winner,) = match.outcome.winners
        ahead = [one.state.score(winner) > one.state.score(1 - winner) for one in line]
        assert all(ahead[at:])
        assert not ahead[at - 1]
    assert turned


def lost(kind: str, *seats: int) -> End:
    return End(kind, tuple(map(Seat, seats)))


@pytest.mark.parametrize(
    ("game_id", "seats", "end", "you", "said", "why"),
    [
        ("kuzushi", 2, lost("resigned", 0), None, "bob won", "ada gave up."),
        ("kuzushi", 2, lost("time", 1), None, "ada won", "bob's time ran out."),
        ("kitsune", 4, lost("resigned", 1), None, "ada and cid won", "bob gave up."),
        ("kuzushi", 3, lost("resigned", 1), None, "Nobody won", "bob gave up; with 3 players"),
        ("kumo", 2, lost("agreed"), None, "A draw", "All agreed to a draw."),
        ("kumo", 2, lost("left", 0), None, "The match was broken off", "ada left the table."),
        (
            "kitsune",
            2,
            lost("spoiled"),
            None,
            "The match was broken off",
            "The cards were tampered",
        ),
        # Whoever reads of their own end is spoken to, and of a win with others is named first.
        ("kuzushi", 2, lost("resigned", 0), 0, "You lost", "You gave up."),
        ("kuzushi", 2, lost("time", 0), 0, "You lost", "Your time ran out."),
        ("kuzushi", 2, lost("time", 1), 0, "You won", "bob's time ran out."),
        ("kuzushi", 2, lost("gone", 1), 0, "You won", "bob did not come back, and all others"),
        ("kuzushi", 2, lost("gone", 0), 0, "You lost", "You did not come back, and all"),
        ("kitsune", 4, lost("resigned", 1), 2, "You and ada won", "bob gave up."),
        ("kitsune", 4, lost("resigned", 1), 1, "You lost", "You gave up."),
        ("kitsune", 6, lost("resigned", 1), 4, "You, ada and cid won", "bob gave up."),
    ],
)
def test_ends_that_are_not_of_the_rules_say_what_they_are(
    game_id: str, seats: int, end: End, you: int | None, said: str, why: str
) -> None:
    match = Match.begin(Setup.of(find(game_id), seats))
    while match.actors == (CHANCE,):
        match = match.play(CHANCE, match.legal(CHANCE)[0])
    found = ending(match, end, NAMES[:seats], None if you is None else Seat(you))
    assert found.said == said
    assert found.why.startswith(why)
    assert found.why.endswith(".")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_id", "seats", "theme", "glyphs"),
    [
        *((one, 2, "dark", "letters") for one in GAMES),
        *(("kuzushi", 6, "mono", "letters"), ("kumo", 2, "dark", "ascii")),
    ],
)
async def test_the_card_fits_into_every_window(
    game_id: str, seats: int, theme: str, glyphs: str
) -> None:
    match = over(game_id, seats)
    expected = ending(match, None, NAMES)
    assert expected is not None
    settings = Settings(theme=theme, glyphs=glyphs)
    table = LocalTable(match, NAMES[:seats], None)
    opening = KumiteApp(settings, lambda: TableScreen(table))
    async with running(opening, size=SIZES[0]) as (kumite, pilot):
        while kumite.screen.model.interlude:
            await pilot.press("enter")
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            await settled(kumite.screen)
            found = kumite.screen.query_one(EndCard)
            assert found.display, size
            assert kumite.screen.region.size == size
            assert kumite.screen.region.contains_region(found.region), size
            text = result(kumite)
            assert "rematch" in frame(kumite), size
            assert "length" in text or size[1] < 24, size
            bars = [bar for one in expected.standings for bar in one.bars]
            assert all(bar.what in text or bar.sprite for bar in bars), size
            board = kumite.screen.query_one(BoardWidget)
            assert not found.region.overlaps(board.region), size
            assert glyphs != "ascii" or frame(kumite).isascii(), size


@pytest.mark.parametrize("names", [("ada", "bob"), ("ada", "bot:easy")])
@pytest.mark.parametrize("game_id", GAMES)
async def test_what_can_be_done_after_the_end_stands_on_every_screen(
    game_id: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    """Where keys were short, the replay was the first to be left out."""
    match, path = over(game_id), tmp_path / "x.kumite"
    path.write_text(log_text(Header("a" * 16, match.setup, names), match), "utf-8")
    async with running(lambda: TableScreen(LocalTable.resume(path)), SIZES[0]) as (kumite, pilot):
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            keys = shown(kumite, "keys")
            assert keys.startswith("m rematch   o review   p replay   "), size
            assert keys.endswith("? help   q leave"), size
            can = screen_of(kumite, TableScreen).model.may("take_back")
            more = ["a analyse", *["u take back"] * can]
            assert size[0] < 80 or all(key in keys for key in more), size


@pytest.mark.parametrize("size", [(60, 20), (64, 26), (60, 53), (72, 30), (80, 24)])
@pytest.mark.parametrize("game_id", ["kuzushi", "kitsu", "kumo"])
async def test_a_board_keeps_its_size_beside_or_above_the_card(
    game_id: str, size: tuple[int, int]
) -> None:
    match, names = over(game_id), NAMES[:2]
    async with running(lambda: TableScreen(LocalTable(match, names, None)), size) as (_, pilot):
        screen = screen_of(pilot.app, TableScreen)
        assert screen.query_one(EndCard).display
        ended = screen.query_one(BoardWidget).square_size
        await pilot.press("v")
        await pilot.pause()
        assert not screen.query_one(EndCard).display
        assert screen.query_one(BoardWidget).square_size == ended


@pytest.mark.parametrize(("game_id", "seats"), [("kitsune", 2), ("kitsune", 4), ("kiriai", 2)])
async def test_a_tabletop_stands_whole_above_the_card_in_an_upright_window(
    game_id: str, seats: int
) -> None:
    match, names = over(game_id, seats), NAMES[:seats]
    async with running(lambda: TableScreen(LocalTable(match, names, None)), (60, 53)) as (_, pilot):
        screen = screen_of(pilot.app, TableScreen)
        card = screen.query_one(EndCard)
        assert card.display
        assert "length" in result(pilot.app), "all of it"
        assert screen.field.size.width == 60
        assert card.region.y >= screen.field.region.bottom


async def test_the_keys_do_not_tell_the_end_before_its_last_cards_have_been_seen() -> None:
    match = over("kiriai", 2)
    planned = max(one.number for one in match.line() if one.last and one.last.actor != CHANCE)
    last, before = match.back(planned).last, match.back(planned - 1)
    assert last is not None
    async with running(lambda: TableScreen(LocalTable(before, NAMES[:2], None))) as (kumite, pilot):
        await uncovered(pilot)
        screen = screen_of(kumite, TableScreen)
        play(screen, last.step)
        await pilot.pause()
        assert screen.model.interlude
        assert "rematch" not in shown(kumite, "keys")
        while screen.model.interlude:
            await pilot.press("m", "enter")
        assert "rematch" in shown(kumite, "keys")


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_the_title_says_who_won_while_the_last_cards_are_looked_at(
    game_id: str, seats: int
) -> None:
    match, names = over(game_id, seats), NAMES[:seats]
    opened = TableModel.open(LocalTable(match, names, None), LOOKS["letters"])
    model, _ = replace(opened, confirmed=match.number - 1).follow(opened.look)
    assert bool(model.interlude) == (game_id in ("kiriai", "kitsune"))
    who, _ = table_words.how_it_ended(model.table)
    for columns, _ in SIZES:
        assert who in plain(table_words.title(model, columns - 2)), columns
    model, _ = replace(opened, confirmed=0).follow(opened.look)
    assert (who in plain(table_words.title(model, 218))) == (model.seen.number == match.number)
    assert not model.interlude or "Enter continues" in plain(table_words.title(model, 58))


async def test_the_winner_is_named_once(tmp_path: Path) -> None:
    """The title, the card's heading, its reason and its standings did."""
    match, path = over("kuzushi"), tmp_path / "x.kumite"
    lost, header = match.outcome, Header("a" * 16, match.setup, ("bot:easy", "ada"))
    assert lost is not None
    names = header.names if lost.winners == (0,) else header.names[::-1]
    path.write_text(log_text(replace(header, names=names), match), "utf-8")
    async with running(lambda: TableScreen(LocalTable.resume(path)), (80, 24)) as (kumite, pilot):
        assert shown(kumite, "title").endswith("the end")
        assert result(kumite).count("bot easy") == 1
        await pilot.press("v")
        assert shown(kumite, "title").endswith("the end")
        assert words(kumite).count("bot easy won") == 1


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_a_duels_last_cards_are_told_in_one_place(
    size: tuple[int, int], tmp_path: Path
) -> None:
    """Below the stage, in the line above the keys, and in a replay in the log as well."""
    match, path = over("kiriai"), tmp_path / "x.kumite"
    path.write_text(log_text(Header("a" * 16, match.setup, NAMES[:2]), match), "utf-8")
    async with running(lambda: TableScreen(LocalTable.resume(path)), size) as (kumite, pilot):
        while screen_of(kumite, TableScreen).model.interlude:
            await pilot.press("enter")
        await settled(kumite.screen)
        assert frame(kumite).count(f"round {match.state.round}, ") == 1
        assert f"round {match.state.round}, " not in shown(kumite, "hint")
    turns = [one.number for one in match.line() if one.last and one.last.actor == CHANCE]
    async with running(lambda: ReplayScreen(read(path.read_text())), size) as (kumite, pilot):
        await pilot.press("g", *str(turns[-2]), "enter")
        await settled(kumite.screen)
        step = narration.told_now(match.line()[turns[-2]], NAMES)[-1].text
        assert frame(kumite).count(step.split(":")[0]) == 1, frame(kumite)
        assert step.split(":")[0] in shown(kumite, "log")
        last = narration.last_told(match, NAMES)
        assert last is not None
        step = last.text.split(":")[0]
        await pilot.press("end")
        for place in ("stage", "log", "stage"):  # the card of the end stands in the log's place
            await settled(kumite.screen)
            assert frame(kumite).count(step) == 1, frame(kumite)
            assert (step in shown(kumite, "log")) == (place == "log")
            await pilot.press("enter")


@pytest.mark.parametrize("seats", [2, 4])
async def test_the_last_trick_stays_on_the_felt(seats: int) -> None:
    """It was gone with the card of the end, where every other one stays until it has been seen."""
    match = over("kitsune", seats)
    trick, names = scenes.maker_of("kitsune"), NAMES[:seats]
    last = scenes.last_interlude(trick, match, names)
    assert last.view.cards.trick
    async with running(lambda: TableScreen(LocalTable(match, names, None))) as (kumite, pilot):
        await uncovered(pilot)
        await pilot.press("v")
        await pilot.pause()
        screen = screen_of(kumite, TableScreen)
        assert screen.model.scene.spread is not None
        lying = [card for group in screen.model.scene.spread.groups for card in group.cards]
        assert not any(card.is_place for card in lying)


async def test_a_board_is_turned_and_seen_below_the_card_and_a_rematch_has_its_own() -> None:
    async with running(table_app(glyphs="ascii")) as (kumite, pilot):
        await pilot.press("n")
        screen = screen_of(kumite, TableScreen)
        square, lines = screen.field.pointed, frame(kumite).split("\n")
        labels = lines[-3].split()[:5]
        assert labels == sorted(labels)
        await pilot.press("f")
        assert screen.field.pointed == square
        assert frame(kumite).split("\n")[-3].split()[:5] == labels[::-1]
        await pilot.press("f")
        assert frame(kumite).split("\n") == lines

        await pilot.press("g", "down", "enter")
        assert "ada won" in result(kumite)
        assert "bob gave up" in result(kumite)
        await pilot.press("v")
        assert result(kumite) == ""
        assert frame(kumite).split("\n")[10].index("#") == lines[10].index("#")
        await pilot.press("v")
        assert "ada won" in result(kumite)
        await pilot.press("escape")
        assert result(kumite) == ""
        assert "v shows the card again" in shown(kumite, "hint")

        await pilot.press("m")
        assert "Who has seat 1 and lays the city?" in frame(kumite)  # not "who begins": seat 2 does
        await pilot.press("enter")
        assert "A rematch. bob lays the city; ada begins" in shown(kumite, "hint")
        assert "A rematch. bob lays the city" in words(kumite, "log")
        await pilot.press("g", "down", "enter")
        assert "bob won" in result(kumite)


@pytest.mark.parametrize("kind", [*ENDS, "limit"])
@pytest.mark.parametrize("steps", [0, 1, 30])
def test_however_a_match_of_kitsu_ends_its_whole_board_is_lit(kind: str, steps: int) -> None:
    """At the table and in a replay; one that goes on another day shows what is open."""
    setup, rng = Setup.of(find("kitsu"), 2, {"limit": 40}), Random(f"{kind} {steps}")
    match = Match.begin(setup)
    while match.actors and (kind in ("outcome", "limit") or match.number < steps):
        (actor,) = match.actors
        ends = [step for step in match.legal(actor) if step == "end"]
        chosen = ends if kind == "limit" and ends else match.legal(actor)
        match = match.play(actor, rng.choice(chosen))
    end = None if match.outcome else End(kind, () if kind == "agreed" else (Seat(0),))
    log = read(log_text(Header("a" * 16, setup, NAMES[:2]), match, end))
    table = LocalTable(match, NAMES[:2], None)
    table.end = end
    shown_at = [
        TableModel.open(table, LOOKS["letters"]).follow(LOOKS["letters"])[0].scene,
        *(Replay(log).scene(match.number, one) for one in LOOKS.values()),
    ]
    for scene in shown_at[kind == "adjourned" :]:
        grounds = {cell.ground for row in scene.board.rows for cell in row}
        edges = "".join(role + text for edge in scene.board.edges for text, role in edge)
        is_dark = [one for one in grounds if "-shut" in one] or "shut" in edges
        assert bool(is_dark) == (kind == "adjourned" and len(match.state.seasons) < 4)
    assert match.outcome is None or kind != "limit" or match.outcome.reason == "limit"


@pytest.mark.parametrize(
    ("game_id", "size"), spread(GAMES, ((80, 24), (100, 30), (120, 36), (161, 50)), each=2)
)
async def test_names_in_kanji_are_whole_on_the_card_whatever_lies_below(
    game_id: str, size: tuple[int, int]
) -> None:
    names = ("田中太郎と花子", "鈴木一郎")
    table = LocalTable.begin(Setup.of(GAMES[game_id], 2), names)
    async with running(lambda: TableScreen(table), size=size) as (kumite, pilot):
        table.resign()
        kumite.screen.show_table()
        await pilot.pause()
        rows, found = frame(kumite).split("\n"), kumite.screen.query_one(EndCard)
        assert found.display
        for y in range(found.size.height):
            assert found.render_line(y).text.strip() in rows[found.region.y + y]


async def test_after_the_card_the_log_is_that_of_the_rematch() -> None:
    """At 80x24 the cards of this game make room for the card of the end: the log had no columns."""
    table = LocalTable.begin(Setup.of(find("kitsune"), 2), ("ada", "bob"))
    async with running(lambda: TableScreen(table)) as (kumite, pilot):
        await uncovered(pilot)
        await pilot.press("g", "down", "enter")
        assert result(kumite)
        await pilot.press("m", "enter")
        assert "A rematch" in words(kumite, "log")


async def test_where_the_card_has_no_room_the_result_stands_at_the_side() -> None:
    names = tuple(f"{name} {'n' * 16}" for name in ("ada", "bob", "cid", "dan", "eve", "fay"))
    table = LocalTable.begin(Setup.of(find("kuzushi"), 6), names)
    async with running(lambda: TableScreen(table), size=(56, 18)) as (kumite, pilot):
        table.resign()
        kumite.screen.show_table()
        await pilot.pause()
        assert bool(result(kumite)) != kumite.screen.query_one("#side").display
        assert "gave up" in frame(kumite)


async def test_the_replay_the_analysis_and_a_picture_are_a_key_away(tmp_path: Path) -> None:
    async with thinking(table_app()) as (kumite, pilot, _):
        await pilot.press("n", "enter", "g", "down", "enter")
        for key in ("p", "a"):
            await pilot.press(key)
            assert screen_of(kumite, ReplayScreen).curve.is_shown == (key == "a")
            await pilot.press("escape")
        for key, suffix in (("s", ".svg"), ("S", ".film.svg")):
            (log,) = tmp_path.glob("*.kumite")
            picture = log.with_suffix(suffix)
            said = str(picture)[:40]
            await pilot.press(key)
            await until(
                pilot,
                lambda said=said: said in shown(kumite, "hint").replace("\n", ""),
                f"a picture by {key}",
            )
            text = picture.read_text()
            assert text.startswith("<svg")
            assert ("@keyframes" in text) == (key == "S")


async def test_a_fallen_flag_names_winner_and_loser_at_a_lan_table() -> None:
    async with at_lan("kuzushi") as (lan, kumite, pilot):
        await told(pilot, lan, events.Ended(End("time", (Seat(1),))))
        assert "bob's time ran out." in result(kumite)
        assert shown(kumite, "title").endswith("the end")
        assert "bob 0:00 flag fallen" in shown(kumite, "company")


async def test_a_table_that_has_stopped_says_why_and_that_nobody_has_won() -> None:
    async with at_lan("kuzushi") as (lan, kumite, pilot):
        text = "bob's terminal has another position"
        await told(pilot, lan, events.Stopped("differs", text, "look", 3, 2))
        said = result(kumite)
        assert "The table has stopped" in said
        assert "bob's terminal has another position." in said
        assert "up to step 2" in said
        assert "nobody has won" in said
        assert "replay" in frame(kumite)
        assert "rematch" not in frame(kumite)


async def test_a_replay_shows_the_card_at_its_end_and_nowhere_else() -> None:
    match = over("kuzushi", 2)
    log = read(log_text(Header("ff", match.setup, NAMES[:2]), match))
    async with running(lambda: ReplayScreen(log), size=(120, 36)) as (kumite, pilot):
        assert result(kumite) == ""
        await pilot.press("end")
        assert "length" in result(kumite)
        await pilot.press("enter")
        assert result(kumite) == ""
        await pilot.press("enter", "left")
        assert result(kumite) == ""
        await pilot.press("right")
        assert "length" in result(kumite)


@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi"])
def test_a_board_turned_twice_is_the_same_and_its_arrows_point_to_the_other_side(
    game_id: str,
) -> None:
    look = LOOKS["letters"]
    match = over(game_id, 2)
    board = scenes.maker(match).scene(match.state, NAMES[:2], look, None).board
    assert board.turned().turned() == board
    assert board.turned().rows[0][0] == board.rows[-1][-1]
    assert look.turned().arrows == "→←↓↑"
    assert look.turned().turned() == look


def test_every_side_has_a_tally_in_every_game() -> None:
    for game_id, seats in TABLES:
        match = Match.begin(Setup.of(find(game_id), seats))
        sides = 2 if match.game.TEAMS else seats
        found = tallies(match)
        assert sorted(seat for one in found for seat in one.seats) == [*range(seats)]
        assert len(found) == sides
        assert all(one.bars for one in found), game_id


def test_nothing_is_said_of_a_match_that_goes_on() -> None:
    match = Match.begin(Setup.of(find("kuzushi"), 2))
    assert ending(match, None, NAMES) is None


@pytest.mark.parametrize(("seats", "has_signs"), [(2, False), (2, True), (6, False)])
def test_where_there_is_room_the_card_draws_how_the_score_went(seats: int, has_signs: bool) -> None:
    match, look = over("kuzushi", seats), LOOKS["letters"]
    found = ending(match, None, NAMES[:seats])
    brush = Brush(Skin(), not has_signs, "●■" * has_signs)
    for columns, rows, has_curves in ((60, 44, True), (34, 44, False), (60, 20, False)):
        lines = [scenes.plain(line) for line in card_lines(found, brush, look, columns, rows)]
        ends = [f"{look.solid[one.seats[0]]} {one.score}" for one in tallies(match)]
        shown = [one for one in ends if any(line.rstrip().endswith(f" {one}") for line in lines)]
        assert shown == (ends if has_curves else [])


async def test_the_card_says_how_far_a_bot_left_its_solution() -> None:
    table = LocalTable.begin(Setup.of(find("kuzushi"), 2), ("ada", "bot:7"))
    table._left = {Seat(1): {0: 0.02}}
    seat = Seat(int(table.match.actors[0]))
    table.play(seat, table.match.legal(seat)[0])
    table.end = End("resigned", (Seat(0),))
    async with running(lambda: TableScreen(table)) as (kumite, pilot):
        await until(pilot, lambda: "solution" in result(kumite), "the card")
        assert "left the solution in 1 of 1" in result(kumite)
        assert "bot 7" in result(kumite)


# --- An app that ends while a screen opens ----------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
async def test_the_app_ends_while_a_screen_opens(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Textual lays out one level after the other; it may end after each of them."""
    mounts = []
    mount = Widget.mount_composed_widgets

    async def mount_or_end(widget: Widget, widgets: list[Widget]) -> None:
        mounts.append(widget)
        if len(mounts) == end:
            kumite.exit()
        await mount(widget, widgets)

    for end in count(1, 3):
        async with running(SCREENS["home"]) as (kumite, pilot):
            await pilot.pause()
            mounts.clear()
            with monkeypatch.context() as patch:
                patch.setattr(Widget, "mount_composed_widgets", mount_or_end)
                await kumite.push_screen(SCREENS[name]())
        if len(mounts) < end:
            break
        assert kumite.return_code == 0
    assert end > 1


async def test_what_is_stopped_before_it_has_begun_is_not_complained_of() -> None:
    async with running(lambda: SCREENS["table kuzushi 2"]()) as (kumite, pilot):
        await pilot.pause()
        screen, thought = kumite.screen, []
        assert isinstance(screen, TableScreen)

        async def think(of: str) -> None:
            thought.append(of)

        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            screen.beside(think, "nothing", group="bot").cancel()
            await pilot.pause()
            gc.collect()
        assert not thought
        assert not [str(one.message) for one in said if "never awaited" in str(one.message)]


async def test_what_a_worker_brings_when_the_screen_has_gone_is_lost() -> None:
    async with running(lambda: SCREENS["table kuzushi 2"]()) as (kumite, pilot):
        await pilot.pause()
        screen, answered = kumite.screen, asyncio.Event()
        assert isinstance(screen, TableScreen)

        async def think() -> None:
            await answered.wait()
            screen.show_table()

        worker = screen.beside(think, group="bot")
        await screen.query("*").remove()
        answered.set()
        await asyncio.wait_for(worker.wait(), PATIENCE)
    assert kumite._exception is None
