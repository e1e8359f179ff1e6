"""A position of Kitsu! in words: the seasons, both clans on the board and off it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.games.kitsu.board import NAMES, NOWHERE, SEASONS, squares_of
from kumite.core.games.kitsu.position import TO_WIN, Clan, State
from kumite.tui.scenes.kitsu.words import in_words, piece
from kumite.tui.scenes.sentences import counted, joined, on

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.core.game import Seat


def position(view: State, names: Sequence[str], you: Seat | None) -> Iterator[str]:
    """Yield what is open, what is in mid-move, and a sentence for each clan."""
    seasons = ", ".join(SEASONS[realm].title() for realm in view.seasons) or "none"
    yield f"Turn {view.turn} of {view.variant.limit}; open seasons: {seasons}."
    if view.at != NOWHERE:
        yield f"In mid-move: {piece(view, view.at)}."
    if view.used:
        yield f"Used up in this move: {in_words(view.used, len(NAMES))}."
    for name, clan in zip(names, view.clans, strict=True):
        samurai, foxes = clan.board & view.samurai, clan.board & ~view.samurai
        yield f"{name}: " + joined((on("Samurai", _names(samurai)), on("Foxes", _names(foxes))))
        yield f"{name}, off the board: " + joined(_purse(clan))


def _purse(clan: Clan) -> Iterator[str]:
    for said, (samurai, foxes) in (("in the Spirit Realm", clan.spirit), ("in hand", clan.hand)):
        yield f"{said} {samurai} Samurai and {counted(foxes, 'Fox', 'Foxes')}"
    samurai, foxes = clan.taken
    yield f"captured {samurai} Samurai and {counted(foxes, 'Fox', 'Foxes')} of {TO_WIN}"


def _names(squares: int) -> list[str]:
    return [NAMES[square] for square in squares_of(squares)]
