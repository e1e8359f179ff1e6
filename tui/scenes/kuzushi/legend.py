"""What each sign on the board of Kuzushi means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.tui.scenes.model import Cell, Sign

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.core.games.kuzushi.rules import State
    from kumite.tui.look.glyphs import Look


def signs(view: State, names: Sequence[str], look: Look) -> Iterator[Sign]:
    """Yield the cards of each seat, the city, and the squares of which more is to be said."""
    for seat, name in enumerate(names):
        ground = f"seat-{seat}-dim"
        base, flag = look.solid[seat], look.hollow[seat]
        yield Sign(
            Cell("", base, f"base-{seat}", sprite="base", owner=seat, ground=ground),
            f"a base of {name}: it stays",
        )
        yield Sign(
            Cell("", flag, f"flag-{seat}", sprite="flag", owner=seat, ground=ground),
            f"a flag of {name}: it goes when others have as many bases beside it",
        )
    yield Sign(
        Cell("", look.city, "city", sprite="city", owner=0, ground="seat-0-dim"),
        f"the city: counts for {names[0]}, never moves, and holds nothing",
    )
    yield Sign(
        Cell("", look.contested, "contested", sprite="contested", ground="field-a"),
        "contested: no flag, as nobody has most of the bases beside it",
    )
    if look.is_drawn:  # else one sign stands for both
        field, land = (Cell("", look.free, "fits", ground=g) for g in ("field-a", "land-a"))
        yield Sign(field, "beside a card: a base may lie here")
        yield Sign(land, "within reach of the board, but beside no card yet")
        yield Sign(Cell("", " ", "outside", ground="sea-a"), "outside: the board never comes here")
