"""Lines of text: broken to any number of columns, nothing is lost and nothing goes on for ever."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumite.tui.look.glyphs import LETTERS
from kumite.tui.scenes.lines import Elastic, called, fit, fold, plain, squeezed, wrap

TEXTS = st.text(st.sampled_from("ab 侍é\u0301 "), max_size=40)


@given(TEXTS, st.integers(-5, 12))
def test_a_text_is_wrapped_to_any_width_without_losing_a_sign(text: str, columns: int) -> None:
    lines = wrap(text, columns)
    assert lines
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(TEXTS, st.integers(-5, 12))
def test_a_text_fits_into_any_width(text: str, columns: int) -> None:
    assert len(fit(text, columns)) <= len(text) + max(0, columns)


@pytest.mark.parametrize("sign", ["a", "é", "侍"])
def test_a_pasted_text_is_broken_at_once(sign: str) -> None:
    """What is done to each line may not look at all that comes after it again and again."""
    begun = process_time()
    for break_ in (fit, wrap):
        break_(sign * 10_000, 40)
    fold(((sign * 10_000, ""),), 40)
    assert process_time() - begun < 1


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (26, "Benjamin Bartholomew (you)"),
        (18, "Benjamin Ba… (you)"),
        (16, "Benjamin… (you) "),
        (15, "Benjamin Barth…"),
    ],
)
def test_a_long_name_gives_way_to_the_word_that_it_is_ones_own(columns: int, shown: str) -> None:
    assert called("Benjamin Bartholomew", columns, LETTERS, is_you=True) == shown


def test_numbers_stay_beside_a_name_that_need_not_say_that_it_is_yours() -> None:
    """At 60 columns Kuzushi's score and cards stood in a row of their own, below the name."""
    line = ((" ● ", "base-0"), (Elastic("ada (you)"), "title"), ("     1", ""), ("    19", ""))
    assert plain(squeezed(line, 16)) == " ● ada 1 19"
    assert plain(squeezed(line, 17)) == " ● ada (you) 1 19"
    assert plain(squeezed(line, 8)) == " ● ada (you) 1 19"


def test_a_line_does_not_end_with_a_key_whose_words_stand_in_the_next() -> None:
    line = (("u: take back", "key"), ("   b: go on", "quiet"))
    assert [plain(part).strip() for part in fold(line, 17)] == ["u: take back", "b: go on"]
    assert [plain(part) for part in fold((("abcde: f", ""),), 7)] == ["abcde:", "f"]
