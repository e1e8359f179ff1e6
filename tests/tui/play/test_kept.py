"""Rows of the list of saved matches: whatever the names, how a match ended is read whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from kumite.core.game import SPECTATOR, Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import End, Header, log_text
from kumite.core.match import Match
from kumite.store.library import Kept, Library
from kumite.store.log_files import SUFFIX
from kumite.tui.look.glyphs import ASCII, LETTERS
from kumite.tui.play import kept
from kumite.tui.play.local_table import LocalTable
from kumite.tui.scenes.lines import width
from tests.support.random_matches import walk

SHORT = ("Ada", "bot:easy", "Cyd", "Dan", "Eve", "Fay")
LONG = ("Maximiliane the Great", "武蔵坊弁慶", "Wilhelmina of Orange-Nassau")
WIDTHS = (53, 73, 93, 150)  # of windows of 60, 80, 100 and more columns


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
    for one, (played, end) in zip(found, kept.rows(found, columns, look), strict=True):  # type: ignore[arg-type]
        assert width(played + end) <= columns, played + end
        assert played.endswith("  ")
        if one.is_unfinished:
            assert end.startswith("to be continued, ")
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
    assert "Kitsu: Zenko and Yako" in narrow
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
        table = LocalTable.begin(setup, names, tmp_path)
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
