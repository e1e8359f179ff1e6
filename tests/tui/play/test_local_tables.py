"""Tables at one computer: who begins, seats, what is kept, recorded and left."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from click.testing import CliRunner

from kumite.cli.main import main
from kumite.core.bots import LISTED, Choice, Position
from kumite.core.errors import BadSetup
from kumite.core.game import CHANCE, SPECTATOR, Seat, Setup
from kumite.core.games import GAMES, find
from kumite.core.log import End, Header, Writer, log_text, outcome_end, read
from kumite.core.match import Match
from kumite.core.players import named
from kumite.core.rating import Rating
from kumite.core.table import TakeBack
from kumite.store import log_files
from kumite.store.library import Kept, Library
from kumite.store.log_files import SUFFIX
from kumite.store.record import Course, Rated, Record, Tally, whole_record
from kumite.tui.bots.service import BotService
from kumite.tui.drawing.pixels import Brush
from kumite.tui.export.rules_page import rules_text
from kumite.tui.look.glyphs import ASCII, LETTERS, Look
from kumite.tui.look.sprites import Skin
from kumite.tui.plain import words
from kumite.tui.plain.console import Console
from kumite.tui.plain.table import PlainTable
from kumite.tui.play import first, kept
from kumite.tui.play.local_table import LocalTable, seat_names
from kumite.tui.play.recorded import (
    CURVE,
    NOTHING,
    UNRATED,
    WHY,
    curve,
    medals,
    record_data,
    record_lines,
)
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes import notation
from kumite.tui.scenes.about import about
from kumite.tui.scenes.lines import line_width, plain, width
from kumite.tui.settings import Settings
from tests.support.apps import frame, running
from tests.support.random_matches import walk

FOUR = ("ann", "ben", "cy", "dee")


def test_a_lot_gives_every_order() -> None:
    by_lot = run_path(first.__file__)["by_lot"]  # the tests have another in its place
    drawn = {by_lot(FOUR[:3]) for _ in range(300)}
    assert len(drawn) == 6
    assert all(sorted(one) == sorted(FOUR[:3]) for one in drawn)


@pytest.mark.parametrize("seed", range(4))
def test_in_kuzushi_the_lowest_score_begins_a_rematch(seed: int) -> None:
    match = walk(Setup.of(find("kuzushi"), 4, {"board": "small"}), seed)
    lowest = first.loser(match, None)
    scores = [match.state.score(seat) for seat in range(4)]
    won = outcome_end(match)
    assert won is not None
    assert lowest is not None
    assert scores[lowest] == min(scores)
    assert (
        next(iter(first.may_begin(match, None, FOUR).values())) == f"{FOUR[lowest]}, who has lost"
    )
    assert first.moved(FOUR, lowest)[0] == FOUR[lowest]


def test_who_gave_up_has_lost_and_after_a_draw_nobody() -> None:
    match = walk(Setup.of(find("kitsu"), 2), 1, 3)
    assert first.loser(match, End("resigned", (Seat(1),))) == 1
    assert first.loser(match, End("agreed")) is None
    assert first.may_begin(match, End("agreed"), FOUR) == {1: "ben: the seats move on by one"}
    assert first.may_begin(match, End("resigned", (Seat(1),)), FOUR) == {1: "ben, who has lost"}


@pytest.mark.parametrize("game_id", GAMES)
async def test_the_set_up_says_what_each_side_is_and_who_begins(game_id: str) -> None:
    from kumite.tui.screens.setup import NewScreen
    from kumite.tui.widgets.form import Form

    async with running(lambda: NewScreen(game_id)) as (kumite, pilot):
        found, form = about(game_id), kumite.screen.query_one(Form)
        assert ("Who begins" in frame(kumite)) == found.has_first
        if found.has_first:
            assert "drawn by lot" in frame(kumite)
            form.go("begins")
            await pilot.press("right")
        assert f"   {found.roles[0]}" in frame(kumite)
        assert "Seat 1" in frame(kumite)


# --- Seats as people read and type them -------------------------------------------------------


NAMES = ("ann", "ben b.", "cy", "dee")


def taking() -> Match:
    """Return a match of Zenko and Yako in which a clan takes a token."""
    for seed in range(50):
        for match in walk(Setup.of(find("kitsune"), 4), seed).line():
            if match.state.phase == "take" and match.actors != (CHANCE,):
                return match
    raise AssertionError("no token was won")


@pytest.mark.parametrize("text", ["there is no seat 5", "side 7 holds it"])
def test_a_seat_that_nobody_has_is_counted_from_1(text: str) -> None:
    """A typed `lead:5` at a table of two ended the program: the name of seat 5 was looked up."""
    assert named(text, ("ann", "ben")) == re.sub(r"\d", lambda it: str(int(it[0]) + 1), text)


@pytest.mark.parametrize("name", ["you", "You"])
def test_nobody_is_called_as_sentences_call_the_reader(name: str) -> None:
    with pytest.raises(BadSetup, match=name):
        seat_names(f"ada,{name}", 2)
    assert seat_names("ada,youri", 2) == ("ada", "youri")


def test_a_player_is_named_where_a_step_has_a_seat() -> None:
    match = taking()
    steps = match.legal(match.actors[0])
    shown = [notation.spelled(GAMES["kitsune"], step, NAMES) for step in steps]
    assert all(any(f">{name}" in one for name in NAMES) for one in shown)
    assert [notation.unspelled(GAMES["kitsune"], one.upper(), NAMES).lower() for one in shown] == [
        *steps
    ]
    both = " ".join(shown[:2])
    assert notation.unspelled(GAMES["kitsune"], both, NAMES).split() == [*steps[:2]]
    assert notation.unspelled(GAMES["kitsune"], "lead:benno", NAMES) == "lead:benno"
    assert notation.spelled(GAMES["kuzushi"], "f1", NAMES) == "f1"


def test_line_mode_lists_and_takes_the_names_of_players() -> None:
    match = taking()
    seat = Seat(int(match.actors[0]))
    (listed, *_) = words.choices(match.seen_by(frozenset({seat})), seat, NAMES, "take")
    typed = listed.partition(": ")[0]
    said: list[str] = []
    chunks = iter([f"\n{typed}\nquit\n".encode()])

    async def run() -> LocalTable:
        table = LocalTable(match, NAMES, None)
        console = Console(lambda: next(chunks, b""), said.append, is_terminal=False)
        await PlainTable(table, console, Settings()).run()
        return table

    table = asyncio.run(run())
    assert table.match.number > match.number, "".join(said)
    assert not re.search(r">\d", "".join(said))


def test_a_log_that_is_damaged_names_the_player() -> None:
    setup = Setup.of(find("kuzushi"), 3)
    header = Header("ab" * 8, setup, ("ann", "ben", "cy"))
    writer = Writer()
    damage = read(writer.header(header) + writer.lines("step 1 2 g8 00000000")).damage
    assert damage is not None
    assert "it is not cy's turn" in str(damage)


def test_eyes_are_chosen_by_name_or_by_a_number_from_1(tmp_path: Path) -> None:
    match = walk(Setup.of(find("kiriai"), 2), 1)
    file = log_files.LogFile.create(Header("ab" * 8, match.setup, ("ann", "ben")), match, tmp_path)
    file.close()
    log = log_files.load(file.path)
    assert Replay(log, "ben").eyes == Replay(log, "2").eyes != Replay(log, "1").eyes
    done = CliRunner().invoke(main, ["log", "show", str(file.path), "--eyes", "ben"])
    assert done.exit_code == 0, done.output
    wrong = CliRunner().invoke(main, ["log", "show", str(file.path), "--eyes", "cy"])
    assert "cannot be seen from 'cy'" in wrong.output


@pytest.mark.parametrize("who", ["2", "ben b."])
def test_a_bot_goes_on_for_a_player_who_is_named(
    who: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = Setup.of(find("kuzushi"))
    header = Header("ab" * 8, setup, ("ann", "ben b."))
    file = log_files.LogFile.create(header, Match.begin(setup), tmp_path)
    file.close()
    opened: list[LocalTable] = []
    monkeypatch.setattr(
        "kumite.cli.app_start.open_table", lambda _, make, **__: opened.append(make())
    )
    done = CliRunner().invoke(main, ["resume", str(file.path), "--bots", f"{who}:easy"])
    assert done.exit_code == 0, done.output
    assert opened[0].names == ("ann", "bot:easy")
    opened[0].close()


@pytest.mark.parametrize("game_id", GAMES)
def test_rules_pages_count_seats_from_1(game_id: str) -> None:
    """`seat 0` on a page was `Seat 1` in the set-up: two players could both be the first."""
    page = rules_text(game_id)
    assert not re.search(r"\bseats? 0\b|\b0 to \d\b", page)
    said = [one for pair in about(game_id).forms for one in pair]
    assert not [one for one in said if re.search(r"\bseat \d|[>:]\d$", one)]


# --- How far a bot left the solution that it has ----------------------------------------------


BOT = Seat(1)


class Leaving(BotService):
    """A mind that leaves a solution by so much, one choice after the other."""

    def __init__(self, *left: float | None) -> None:
        super().__init__()
        self.left = list(left)

    async def choose(self, who: str, position: Position, **_: Any) -> Choice:
        return Choice(position.legal[0], left=self.left.pop(0))


async def play(table: LocalTable, mind: Leaving) -> None:
    """Play until the mind has nothing more to say."""
    while mind.left:
        seat = table.bot_to_act()
        if seat is not None:
            table.play(seat, await table.think(seat, mind, 1.0))
        else:
            assert table.acting is not None
            table.play(table.acting, table.match.legal(table.acting)[0])


def begun() -> LocalTable:
    return LocalTable.begin(Setup.of(find("kuzushi"), 2), ("ada", "bot:7"))


def notes(table: LocalTable) -> list[str]:
    return [one.rest for one in log_files.load(table.path).entries if one.kind == "note"]


@pytest.mark.parametrize(
    ("left", "said"),
    [
        ((0.0, 0.021, 0.0001, 0.034), "left the solution in 2 of 4 choices, by up to 3.4 %"),
        ((0.0, 0.0), "kept to the solution in 2 choices"),
        ((None, None), ""),  # a bot without a solution
    ],
)
async def test_how_far_a_bot_left_its_solution_is_told_and_noted_when_the_match_is_over(
    left: tuple[float | None, ...], said: str
) -> None:
    table = begun()
    await play(table, Leaving(*left))
    assert (table.left, notes(table)) == ({}, [])
    table.resign()
    assert table.left == ({BOT: said} if said else {})
    assert notes(table) == [f"solution: seat 1 {said}"] * bool(said)
    assert log_files.load(table.path).end == table.end
    table.close()


async def test_choices_that_were_taken_back_do_not_count() -> None:
    table = begun()
    await play(table, Leaving(0.01, 0.04))
    table.do(TakeBack(table.last_choice().number))
    table.resign()
    assert table.left == {BOT: "left the solution in 1 of 1 choice, by up to 1.0 %"}
    table.close()


# --- Rows of the list of saved matches --------------------------------------------------------


SHORT = ("Ada", "bot:easy", "Cyd", "Dan", "Eve", "Fay")
LONG = ("Maximiliane the Great", "武蔵坊弁慶", "Wilhelmina of Orange-Nassau")
WIDTHS = (53, 63, 73, 93, 150)  # of windows of 60, 120 with a picture, 80, 100 and more columns


@pytest.fixture
def found(tmp_path: Path) -> list[Kept]:
    """Return matches of every game, with short and long names, ended in several ways."""
    for number, (game_id, game) in enumerate(GAMES.items()):
        for names in (SHORT, LONG):
            seats = max(some for some in game.SEATS if some <= len(names))
            setup = Setup.of(game, seats)
            match = walk(setup, number)
            header = Header("ab", setup, names[:seats], SPECTATOR)
            for end in (None, End("resigned", (Seat(1),)), End("adjourned", (Seat(1),))):
                one = match if end is None else walk(setup, number, longest=7)
                kind = end.kind if end else "outcome"
                name = f"2026-07-01-{number:02}0000-{kind}-{len(names)}-{game_id}{SUFFIX}"
                text = log_text(header, one.seen_by(SPECTATOR), end)
                (tmp_path / name).write_text(text, encoding="utf-8")
    library = Library(tmp_path)
    assert library.read() == 0
    assert not library.problems
    return library.all()


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("look", [LETTERS, ASCII])
def test_how_it_ended_is_whole_in_every_window(
    found: list[Kept], columns: int, look: object
) -> None:
    for one, (played, end) in zip(found, kept.rows(found, columns, look), strict=True):
        assert width(played + end) <= columns, played + end
        assert played.endswith("  ")
        name = one.title if columns > 70 else about(one.game).name
        assert f"  {name}  " in played or columns < 60  # there a long result may cut it
        if one.is_unfinished:
            assert end.startswith("looked on, " if one.is_watched else "to be continued, ")
        else:
            assert " won, " in end or end.startswith("drawn, ")
        assert end.endswith(f", {one.length}, LAN")


def test_names_are_whole_where_there_is_room_and_end_in_an_ellipsis_where_not(
    found: list[Kept],
) -> None:
    wide = kept.rows(found, 250, LETTERS)
    for one, (played, end) in zip(found, wide, strict=True):
        assert f"{one.title}  " in played
        assert f"  {one.players}  " in played
        assert all(name in end for name in one.winners.split("\n"))
    narrow = "".join(played + end for played, end in kept.rows(found, 73, LETTERS))
    assert "Kitsu: Zenko & Yako" in narrow
    assert "…" in narrow
    assert "bot:" not in narrow


def test_of_a_long_path_the_beginning_and_the_name_of_the_file_are_said() -> None:
    path = Path("/home/ada/.local/state/kumite/logs/2026-07-01-120000-kitsune-ab12cd.kumite")
    assert kept.place(path, len(str(path)), LETTERS) == str(path)
    assert kept.place(path, 60, LETTERS) == f"/home/ada/.local/st…/{path.name}"
    assert kept.place(path, 20, LETTERS) == f"…/{path.name}"


def test_a_match_without_a_step_of_a_person_is_not_kept(tmp_path: Path) -> None:
    setup = Setup.of(GAMES["kuzushi"], 2)

    def files_after(
        names: tuple[str, str], seats: tuple[int, ...], *, gives_up: bool = False
    ) -> int:
        table = LocalTable.begin(setup, names)
        for seat in seats:
            table.play(Seat(seat), table.match.legal(Seat(seat))[0])
        if gives_up:
            table.resign()
        before = len([*tmp_path.glob("*.kumite")])
        table.close()
        return len([*tmp_path.glob("*.kumite")]) - before

    first = int(Match.begin(setup).actors[0])
    assert files_after(("ada", "bob"), ()) == -1
    person, bot = ("ada", "bot:easy") if first else ("bot:easy", "ada")
    assert files_after((person, bot), (first,)) == -1  # only the bot has played
    assert files_after((person, bot), (first, 1 - first)) == 0
    assert files_after(("bot:easy", "bot:easy"), ()) == 0
    assert files_after(("ada", "bob"), (), gives_up=True) == 0


# --- The record in lines ----------------------------------------------------------------------


LONG_TURN = "b6xd5 d5>c7 c7>xb5 b5>xd4 stop"


def a_course(matches: int, turn: str = "e4") -> Course:
    course = Course(longest=4, streak=2)
    for number in range(matches):
        for tally in (
            course.all,
            course.opponents["bot:easy" if number % 2 else "木村" * 20],
            course.seats[number % 2],
            course.openings[turn],
        ):
            tally.add(float(number % 2), 600.0)
        when = datetime(2026, 1, 1 + number, tzinfo=UTC)
        course.ratings.append(Rated(when, Rating(1500 + 10 * number, 100)))
    return course


def of(
    courses: dict[str, Course] | None = None,
    left_out: dict[str, int] | None = None,
    helped: dict[str, Course] | None = None,
) -> Record:
    return Record(courses or {}, Counter(left_out or {}), helped or {})


@pytest.mark.parametrize("look", [LETTERS, ASCII], ids=["letters", "ascii"])
def test_it_fits_into_eighty_columns_and_says_what_was_played(look: Look) -> None:
    lines = record_lines(of({"kuzushi": a_course(8), "kitsu": a_course(2, LONG_TURN)}), look=look)
    said = [plain(line) for line in lines]
    assert max(map(line_width, lines)) <= 78
    assert said[0] == "Kuzushi"  # played most
    assert "8 matches: 4 won, 4 lost; 2 wins in a row; the longest row was 4" in said[2]
    assert any("bot easy" in line and "100% of 4" in line for line in said)
    assert look.is_drawn or all(line.isascii() for line in said if "木" not in line)


@pytest.mark.parametrize(
    ("game_id", "turn", "said"),
    [
        ("kitsune", "give:o2", "giving the orange 2"),
        ("kitsune", "?", "?"),
        ("kuzushi", "e4", "e4"),
        ("kuzushi", "f7+", "turning f7 over"),
        ("kitsu", LONG_TURN, "b6 capturing d5, ..."),
    ],
)
def test_an_opening_is_told_in_the_words_of_its_game(game_id: str, turn: str, said: str) -> None:
    lines = [plain(line) for line in record_lines(of({game_id: a_course(4, turn)}))]
    (line,) = [line for line in lines if line.startswith("Opening with")]
    assert line.removeprefix("Opening with").strip().startswith(f"{said} ")


def test_an_empty_record_shows_the_medals_that_there_are() -> None:
    lines = record_lines(of(), ["ada"], brush=Brush(Skin()), columns=78)
    said = " ".join(" ".join(plain(line).split()) for line in lines)
    assert "10 in a row 6 in a row 3 in a row" in said
    assert any("▀" in plain(line) for line in lines)
    assert not any("▀" in plain(line) for line in record_lines(of(), ["ada"]))


@pytest.mark.parametrize("columns", [58, 78, 98])
def test_with_pictures_it_has_a_curve_and_medals_and_fits(columns: int) -> None:
    lines = record_lines(of({"kuzushi": a_course(8)}), brush=Brush(Skin()), columns=columns)
    said = [plain(line).rstrip() for line in lines]
    rows = lines[next(n for n, text in enumerate(said) if text.endswith(" 1570")) :]
    assert max(map(line_width, rows)) <= columns
    assert any(text.endswith(" 1500") for text in said)
    assert any("Against" in text for text in said)
    assert [text for text in said if "4 in a row" in text and "bot easy" in text]
    assert {"orange", "key"} <= {ink for row in rows for _, one in row for ink in one.split("/")}


def test_medals_are_given_for_wins_in_a_row_and_for_the_strongest_levels_beaten() -> None:
    course = Course(longest=6)
    won, lost = Tally(won=1), Tally(lost=3)
    course.opponents.update({f"bot:{n}": won for n in ("1", "easy", "3", "6", "8", "random")})
    course.opponents.update({"木村": won, "bot:7": lost})
    assert medals(course) == [("6 in a row", 2), ("bot strong", 1), ("bot 6", 2), ("bot 3", 3)]
    assert medals(Course(longest=2)) == []


def test_without_matches_it_says_how_to_begin() -> None:
    assert plain(record_lines(of())[0]) == NOTHING
    assert plain(record_lines(of(), ("ada", "lovelace"))[1]) == (
        "Counted are matches in which you are called ada or lovelace."
    )


def test_it_says_how_many_matches_are_left_out_and_why() -> None:
    every = dict.fromkeys(WHY, 1) | {"helped": 12}
    for courses in ({}, {"kuzushi": a_course(8)}):
        lines = record_lines(of(courses, every), ("ada",))
        assert max(map(line_width, lines)) <= 78
        assert " ".join(map(plain, lines)).endswith(
            "Not counted: 12 matches with a hint, or with a step taken back; 1 that went on from "
            "another one; 1 with you in several seats; 1 in which nobody has a name of yours; "
            "1 without a result; 1 with a damaged log; 1 without an end."
        )
    told = record_lines(of(left_out=every, helped={"kuzushi": a_course(8)}))
    said = " ".join(map(plain, told))
    assert "With hints or steps taken back, and not rated: Kuzushi 4 of 8 won." in said
    assert plain(record_lines(of(helped={"kuzushi": a_course(8)}))[0]) == UNRATED
    assert "Not counted: 1 match that went on" in said
    alone = record_lines(of(left_out={"unfinished": 1}))
    assert plain(alone[-1]) == "Not counted: 1 match without an end."
    assert len(record_lines(of())) == 1


@pytest.mark.parametrize("number", [1, 2, 47, 48, 500])
@pytest.mark.parametrize("steps", [LETTERS.heights, ASCII.heights])
def test_a_curve_begins_low_and_ends_high(number: int, steps: str) -> None:
    drawn = plain(curve([1000.0 + at for at in range(number)], steps))
    shape = drawn.split("  ")[0]
    assert len(shape) == min(number, CURVE)
    assert list(shape) == sorted(shape, key=steps.index)
    assert number < 3 or (shape[0], shape[-1]) == (steps[0], steps[-1])


def test_the_data_add_up() -> None:
    data = record_data({"kuzushi": a_course(6)})["kuzushi"]
    assert data["matches"] == data["won"] + data["lost"] + data["shared"] == 6
    assert sum(one["matches"] for one in data["seats"].values()) == 6
    assert len(data["ratings"]) == 6
    assert Tally().matches == 0


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("is_resumed", [False, True])
def test_a_match_taken_back_to_its_first_step_is_not_kept(game_id: str, is_resumed: bool) -> None:
    """It was to be continued with 0 steps, and counted as a match without an end."""
    game = find(game_id)
    table = LocalTable.begin(Setup.of(game), ("ada", "bob", "cyd", "dan")[: min(game.SEATS)])
    seat = next(one for one in table.match.actors if one != CHANCE)
    begun, legal = table.match.number, table.match.legal(seat)
    table.play(seat, legal[0])
    if is_resumed:
        table.close()
        table = LocalTable.resume(table_path(), table.names)
    table.do(TakeBack(begun))
    assert not table.is_kept
    table.play(seat, legal[-1])
    assert table.is_kept
    table.do(TakeBack(begun))
    left = Library()  # as after a power cut
    left.read()
    assert whole_record(left.all(), ["ada"]).left_out == {}
    table.close()
    assert not list(log_files.folder().glob(f"*{SUFFIX}"))


def table_path() -> Path:
    (path,) = log_files.folder().glob(f"*{SUFFIX}")
    return path


@pytest.mark.parametrize("said", ["bot 2", "bot:2", "Bot 2", "BOT: 2"])
def test_a_name_that_reads_like_a_bot_is_that_bot(said: str) -> None:
    """It was a person called so: a table for two at one keyboard."""
    assert seat_names(f"ada,{said}", 2) == ("ada", "bot:2")


@pytest.mark.parametrize("level", [*LISTED, *map(str, range(1, 9)), "medium:100"])
def test_every_bot_may_be_named_as_it_is_shown(level: str) -> None:
    assert seat_names(f"ada,bot {level}", 2) == ("ada", f"bot:{level}")
    assert seat_names(f"ada,Bot {level.title()}", 2) == ("ada", f"bot:{level}")


@pytest.mark.parametrize("said", ["bot 9", "bot smith", "Bot:x"])
def test_a_name_that_reads_like_a_bot_that_there_is_not_is_refused(said: str) -> None:
    with pytest.raises(BadSetup, match=f"no bot '{said[4:]}'") as error:
        seat_names(f"ada,{said}", 2)
    assert error.value.hint
    assert seat_names("bottom,Bo T,robot 2", 3) == ("bottom", "Bo T", "robot 2")
