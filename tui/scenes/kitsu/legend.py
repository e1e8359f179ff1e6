"""How pieces of Kitsu! are written, and what each sign on the table means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.games.kitsu.board import SEASONS
from kumite.core.games.kitsu.position import FOX, SAMURAI
from kumite.tui.look.glyphs import SIDES
from kumite.tui.scenes.model import Cell, Sign

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.core.games.kitsu.position import State
    from kumite.tui.look.glyphs import Look

SPRITES: Final = ("samurai", "fox")  # by kind
KANJI: Final = "侍狐"  # by kind
MOVER, SPENT = "*", "-"  # behind the piece in mid-move, and behind those that cannot serve again
_LETTERS: Final = ("SF", "sf")  # by seat, by kind: as in the rules
_MOVES: Final = (
    "a Samurai slides along a diagonal",
    "a Fox leaps two squares straight and one aside",
)


def glyph(look: Look, seat: int, kind: int) -> str:
    """Return the sign of a piece."""
    return look.sign(SIDES[seat] + KANJI[kind], _LETTERS[seat][kind])


def piece_role(seat: int, kind: int) -> str:
    """Return the role of a tile: the kinds differ by more than a letter, to be found at once."""
    return f"flag-{seat}" if kind else f"base-{seat}"


def signs(view: State, names: Sequence[str], look: Look) -> Iterator[Sign]:
    """Yield the pieces of both clans, what is written behind them, and the grounds."""
    for seat, name in enumerate(names):
        for kind in (SAMURAI, FOX):
            yield Sign(_piece(look, seat, kind), f"{name}: {_MOVES[kind]}")
    yield Sign(
        _piece(look, view.seat, FOX, MOVER, "mover"),
        "in the middle of its move: it may pounce, or send a neighbour off",
    )
    yield Sign(
        _piece(look, view.seat, FOX, SPENT, "spent"),
        "has helped in this chain of pounces, and cannot once more",
    )
    for realm, season in enumerate(SEASONS):
        name = season.title()
        yield Sign(
            Cell("", look.lit[realm], season, ground=f"{season}-a"),
            f"{name} while it is open: pieces there may begin a move",
        )
        yield Sign(
            Cell("", look.unlit[realm], "fits", ground=f"{season}-shut-a"),
            f"{name} while it is shut until the next turn",
        )


def _piece(look: Look, seat: int, kind: int, mark: str = "", role: str = "") -> Cell:
    return Cell(
        "",
        glyph(look, seat, kind),
        role or piece_role(seat, kind),
        mark=mark,
        sprite=SPRITES[kind],
        owner=seat,
        ground="spring-a",
        badge=mark,
        badge_role=role,
    )
