"""Pages to read: nothing is cut off at any width, and places that break are found."""

from __future__ import annotations

import pytest

from kumite.core.games import GAMES
from kumite.tui.scenes.model import fold, plain, width
from kumite.tui.screens.reading import RulesScreen, rules_text
from kumite.tui.widgets.markdown import marked_down
from kumite.tui.widgets.pager import Pager
from tests.support.apps import app, frame


@pytest.mark.parametrize("columns", [9, 24, 58, 78])
@pytest.mark.parametrize("game_id", GAMES)
def test_every_word_of_the_rules_is_shown_at_any_width(game_id: str, columns: int) -> None:
    for line in marked_down(rules_text(game_id)):
        rows = fold(line, columns)
        assert all(width(plain(row)) <= columns for row in rows)
        assert "".join(map(plain, rows)).replace(" ", "") == plain(line).replace(" ", "")


@pytest.mark.parametrize("game_id", GAMES)
def test_no_markdown_is_left_in_the_rules(game_id: str) -> None:
    text = "\n".join(map(plain, marked_down(rules_text(game_id))))
    assert not {"`", "**", "```"} & set(text)
    assert "\n\n\n" not in text


def test_lines_break_between_words_and_keep_their_roles() -> None:
    line = (("ab cd ", "key"), ("ef", ""), ("ghij", "title"))
    assert fold(line, 5) == [(("ab cd", "key"),), (("ef", ""), ("ghi", "title")), (("j", "title"),)]
    assert list(map(plain, fold(line, 6, 2))) == ["ab cd", "  efgh", "  ij"]
    assert fold((), 5) == [()]
    assert fold((("日本語", ""),), 4) == [(("日本", ""),), (("語", ""),)]


def test_a_paragraph_is_one_line_and_a_point_of_a_list_another() -> None:
    page = "# Aim\n\nOne\ntwo.\n- three\n  four\n- five\n\n```\n a  b\n c\n```\n\nsix"
    assert [plain(line) for line in marked_down(page)] == [
        "Aim", "", "One two.", "- three four", "- five", "", "     a  b", "     c", "", "six",
    ]  # fmt: skip


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 60)])
async def test_the_rules_open_at_their_chapter_and_stay_there_when_resized(
    size: tuple[int, int],
) -> None:
    kumite = app(lambda: RulesScreen("kitsu", "Kitsu!", "Your turn"))
    async with kumite.run_test(size=size) as pilot:
        assert frame(kumite).split("\n")[1].strip() == "Your turn"
        await pilot.resize_terminal(72, 22)
        assert frame(kumite).split("\n")[1].strip() == "Your turn"
        assert "The same piece may move" in " ".join(frame(kumite).split())


async def test_a_place_that_is_broken_in_two_is_found_once() -> None:
    kumite = app(lambda: RulesScreen("kitsu", "Kitsu!"))
    async with kumite.run_test(size=(60, 20)) as pilot:
        pager = kumite.screen.query_one(Pager)
        pager.search("Whoever ends a move turns over its neighbours")
        assert pager.find(0) == (1, 1)
        pager.search("samurai")
        assert pager.find(0)[1] > 5
        await pilot.press("slash", *"nowhere", "enter")
        assert "'nowhere' is not on this page" in frame(kumite)
