"""What each sign on the table of Kitsune means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.games.kitsune.state import BOOSTS, CLANS, COLOURS, TOKENS
from kumite.core.text import listed
from kumite.tui.scenes.kitsune.picture import BOOST, clan_sign
from kumite.tui.scenes.model import Cell, Sign

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.core.games.kitsune.state import State
    from kumite.tui.look.glyphs import Look

_TOKENS: Final = {
    "3": "the 3 token: 3 more for a colour in this trick",
    "recall": "the recall token: fetch a card of the last trick before you play",
    "shield": "the shield token: your card lies face down until the trick is complete, "
    "and no Katana can destroy it",
    "still": "the still token: no marker moves after this trick",
    "swap": "the swap token: blue and orange change their totals, as with the White Kitsune",
}


def signs(view: State, names: Sequence[str], look: Look) -> Iterator[Sign]:
    """Yield both clans with those who play for them, the way they go, and the tokens."""
    for clan, (name, colour) in enumerate(zip(CLANS, COLOURS, strict=True)):
        whose = listed(names[clan::2])
        yield _sign(
            f" {clan_sign(clan, look)} ",
            f"card-{colour}",
            f"the {name}, the clan of {whose}: {colour} counts for them",
        )
    yield _sign(look.city, "title", "the gate: the clan that comes so far wins the round")
    if look.is_drawn:
        yield _sign(look.solid[0], COLOURS[0], "a round that the clan has won")
        yield _sign(look.hollow[0], "quiet", "a round that it still needs")
    yield _sign(f"{look.times}2", "title", "two such cards")
    for token in TOKENS:
        uses = (BOOST.get(use, f"+{use}") for use in BOOSTS[token] or (token,))
        yield _sign(" ".join(uses), "title", _TOKENS[token])


def _sign(text: str, role: str, said: str) -> Sign:
    return Sign(Cell("", text, role), said)
