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


def test_an_option_is_said_only_of_tables_where_it_does_something() -> None:
    kitsune = GAMES["kitsune"]
    assert options_said(Setup.of(kitsune, 2, {"wins": 1})) == [
        "track 12 spaces",
        "first to win 1 round",
        "new deal of 12 cards each",
        "ends after 200 tricks",
    ]
    for seats in (4, 6):
        said = options_said(Setup.of(kitsune, seats, {"redeal": "setup"}))
        assert said == ["track 12 spaces", "first to win 2 rounds", "ends after 200 tricks"]


def test_what_a_word_is_for_is_left_out_and_a_bare_option_has_its_name() -> None:
    assert terms(Setup.of(GAMES["kumo"], 2), (), 3).endswith(", best of 3")
    assert terms(Setup.of(GAMES["kuzushi"], 2, {"board": "small"}), ()) == (
        "Kuzushi for 2: board small, no clock"
    )
    assert Option("wins", 2, (1, 2), "how many").said(2) == "wins 2"
