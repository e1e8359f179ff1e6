"""Options as people read them."""

from __future__ import annotations

from kumite.core.game import Option, Setup
from kumite.core.games import GAMES
from kumite.tui.play.terms import options_said, terms


def test_every_option_of_every_game_is_said_in_words_and_not_by_its_name() -> None:
    for game in GAMES.values():
        for option in game.OPTIONS:
            said = [option.said(value) for value in option.allowed]
            assert len(set(said)) == len(said)
            assert all(option.title.lower() in text.lower() for text in said)
    assert options_said(Setup.of(GAMES["kitsu"]))[:2] == [
        "neighbours by a side",
        "draw after 100 turns",
    ]


def test_a_figure_in_the_name_of_an_option_does_not_run_into_its_value() -> None:
    assert options_said(Setup.of(GAMES["kitsune"]))[2] == "new deal for two 12 cards each"


def test_what_a_word_is_for_is_left_out_and_a_bare_option_has_its_name() -> None:
    assert terms(Setup.of(GAMES["kuzushi"], 2, {"board": "small"}), ()) == (
        "Kuzushi for 2: board small, no clock"
    )
    assert Option("wins", 2, (1, 2), "how many").said(2) == "wins 2"
