"""Lines of text: broken to any number of columns, nothing is lost and nothing goes on for ever."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kumite.tui.scenes.lines import fit, wrap

TEXTS = st.text(st.sampled_from("ab 侍é\u0301 "), max_size=40)


@given(TEXTS, st.integers(-5, 12))
def test_a_text_is_wrapped_to_any_width_without_losing_a_sign(text: str, columns: int) -> None:
    lines = wrap(text, columns)
    assert lines
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(TEXTS, st.integers(-5, 12))
def test_a_text_fits_into_any_width(text: str, columns: int) -> None:
    assert len(fit(text, columns)) <= len(text) + max(0, columns)
