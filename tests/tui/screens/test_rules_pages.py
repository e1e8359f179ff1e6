"""Rules pages: true about their sources, with real boards, and as the match is played."""

from __future__ import annotations

import re

import pytest

from kumite.core.game import Setup
from kumite.core.games import GAMES, find
from kumite.tui.app import KumiteApp
from kumite.tui.drawing.squares import Brush
from kumite.tui.export.rules_page import chapters, rules_lines, rules_text
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.sprites import Skin
from kumite.tui.play.local_table import LocalTable
from kumite.tui.scenes.lines import line_width, plain
from kumite.tui.screens.reading import RulesScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings
from tests.support.apps import screen_of

every_game = pytest.mark.parametrize("game_id", GAMES)
CREDITS = {
    "kitsu": ("Griffin Cross",),
    "kitsune": ("Grrre Games", "name no author"),
    "kumo": ("Patrick Gere", "Nico Pirard", "Morning Players"),
    "kuzushi": ("Dave Balmer", "Gobico"),
    "kiriai": ("Kamibayashi", "TITANHEADS", "Mugen Gaming"),
}
SOURCES = {  # what is not in our copies of the printed rules
    "kitsu": "The picture of the board is lost",
    "kitsune": "picture of the **wisdom track** is lost",
    "kumo": "**which we do not have**",
    "kuzushi": "**board limits**",
    "kiriai": "no pictures of the **fields**",
}
WORDS = {
    "kitsu": ("Spirit Realm", "Seasonal Realms"),
    "kitsune": ("absolute wisdom",),
    "kumo": ("Kumotori", "Simple movement", "Imprison", "counterclockwise"),
    "kuzushi": ("flag", "base", "city", "island"),
    "kiriai": (
        *("Kesa Giri 袈裟", "Zan-Tetsu 斬鉄", "Counterattack 返斬", "High Strike 唐竹"),
        *(
            "Low Strike 斬上",
            "Balanced Strike 水平",
            "Side Strike",
            "**Heaven** (天",
            "**Earth** (地",
        ),
    ),
}


def joined(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@every_game
def test_a_page_names_author_publisher_sources_and_the_words_of_the_box(game_id: str) -> None:
    page = joined(rules_text(game_id))
    assert not [said for said in (*CREDITS[game_id], SOURCES[game_id]) if said not in page]
    assert not [said for said in WORDS[game_id] if said not in page]
    assert not re.search(r"wrestlers? |counter-clockwise", page.replace("wrestlers of the", ""))


@every_game
def test_a_page_says_who_begins_and_explains_moves_before_notation(game_id: str) -> None:
    page = rules_text(game_id)
    begins = page.index("## Who begins")
    assert re.search("alternate|order of the seats|same time", page[begins : begins + 600])
    moves = {"kitsu": "**Slide.**", "kumo": "## The six stances", "kitsune": "## Tokens"}
    assert begins < page.index(moves.get(game_id, "## Your turn")) < page.index("## The steps")


@pytest.mark.parametrize(
    ("game_id", "seats", "options", "has", "lacks"),
    [
        ("kumo", 2, {"limit": "40"}, ("After 40 turns",), ("## Four seats", "block=hold` your")),
        ("kumo", 4, {"block": "hold"}, ("## Four seats", "may stay"), ("First of all, though",)),
        ("kitsu", 2, {"limit": "60"}, ("turn 60 ends",), ("turn 100 ends",)),
        ("kitsune", 6, {"wins": "1"}, ("6 players: five", "1 rounds"), ("2 players: six",)),
        ("kiriai", 2, {"rounds": "20"}, ("round 20 is over",), ("On the advanced field",)),
        ("kiriai", 2, {"field": "advanced"}, ("On the advanced field",), ()),
        ("kuzushi", 3, {"board": "small"}, ("5x5   6x6",), ("6x6   7x7   8x8   9x9  10x10",)),
    ],
)
def test_a_page_follows_the_options_of_the_match(
    game_id: str, seats: int, options: dict[str, str], has: tuple[str, ...], lacks: tuple[str, ...]
) -> None:
    page = rules_text(game_id, Setup.of(find(game_id), seats, options))
    assert not [said for said in has if said not in joined(page) and said not in page]
    assert not [said for said in lacks if said in joined(page)]
    assert not re.search("<!-- (only|end|limit|rounds)", page)
    assert "<!-- only" not in rules_text(game_id)


@every_game
def test_the_sprites_that_a_page_names_are_drawn_above_their_names(game_id: str) -> None:
    named = re.findall(r"<!-- (?:pieces|mats|cards) (.*?) -->", rules_text(game_id), re.DOTALL)
    assert named
    lines = rules_lines(game_id, Brush(Skin()), LETTERS)
    for names in named:
        labels = [name.rpartition("-")[2] for name in names.split()]
        at = next(n for n, line in enumerate(lines) if plain(line).split() == labels)
        assert max(map(line_width, lines[at - 5 : at + 1])) <= 58
        assert sum("▀" in plain(line) for line in lines[at - 5 : at]) >= 3
    for brush in (Brush(None, False), Brush(Skin(), False)):
        text = [plain(line) for line in rules_lines(game_id, brush, LETTERS)]
        assert not [line for line in text if "<!--" in line or line.split() == labels]
    assert not [text for text in chapters(game_id).values() if "<!--" in text]


@pytest.mark.parametrize("glyphs", ["kanji", "ascii"])
@every_game
async def test_within_a_match_its_set_up_and_the_real_board_are_shown(
    game_id: str, glyphs: str
) -> None:
    seats = GAMES[game_id].SEATS[-1]
    names = tuple(f"p{seat}q" for seat in range(seats))
    table = LocalTable.begin(Setup.of(find(game_id), seats), names)
    kumite = KumiteApp(Settings(glyphs=glyphs, motion="off"), lambda: TableScreen(table))
    async with kumite.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        screen = screen_of(kumite, TableScreen)
        screen.action_rules()
        await pilot.pause()
        page = screen_of(kumite, RulesScreen)
        text = "\n".join(map(plain, page.lines))
        assert "Seats: 1 p0q, 2 p1q" in text
        assert "This match: " in text
        assert not {"<!--", "](", "0C", "1f"} & set(text.split())
        assert "![" not in text
        drawn = [line for line in page.lines if line[:1] == (("  ", ""),)]
        assert drawn, "no board is drawn"
        assert max(map(line_width, drawn)) <= 60
