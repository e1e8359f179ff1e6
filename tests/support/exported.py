"""Matches as logs, and papers to export them on."""

from __future__ import annotations

from typing import Any

from kumite.core.games import GAMES
from kumite.core.log import Header, Log, Writer, log_text, read
from kumite.core.match import Match
from kumite.tui.export.sheet import Paper
from kumite.tui.look import colors, glyphs
from tests.support.random_matches import short_setup, walk

DARK = colors.read("dark")
KANJI = Paper.of(glyphs.KANJI, DARK)
LETTERS = Paper.of(glyphs.LETTERS, DARK)
NAMES = ("Ada", "木村 <&>", "Chiyo", "Dan", "Eve", "Fumiko")
EVERY = [(game_id, seats) for game_id in GAMES for seats in GAMES[game_id].SEATS]


def log_of(match: Match, *remarks: str, **more: Any) -> Log:
    text = log_text(Header("ab12", match.setup, NAMES[: match.setup.seats], **more), match)
    return read(text + Writer(read(text).chain).lines(*remarks))


def a_match(game_id: str, seats: int | None = None) -> Match:
    return walk(short_setup(game_id, seats), 3)
