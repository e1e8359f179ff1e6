"""Markdown as lines: nothing of it is left, and nothing is cut off at any width."""

from __future__ import annotations

import pytest

from kumite.core.games import GAMES
from kumite.tui.export.rules_page import rules_text
from kumite.tui.scenes.lines import fold, plain, width
from kumite.tui.scenes.markdown import marked_down


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
