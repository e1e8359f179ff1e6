"""Show two steps of a position for comparison: the played one and the better one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.model import BAD, GOOD, Scene, Verdict
from kumite.tui.scenes.pictures import Card, Group, Spread

_WORDS: Final = ((BAD, "played"), (GOOD, "better"))


def compared(
    scene: Scene, own: Scene, played: tuple[str, ...], better: tuple[str, ...], look: Look
) -> tuple[Scene, Verdict]:
    """Return a scene with the signs of two steps on its cards, and their visible verdict.

    `own` is the same table from the choosing seat: beside a stage, which shows no hand, the cards
    of both steps come from its tray. The steps are given by their parts. Squares get their signs
    from the verdict when drawn.
    """
    verdict = Verdict.of(played, better, look)
    hand = {chip.name: chip.card for chip in own.tray if chip.card is not None}
    if scene.stage is not None:
        if not {*played, *better} <= set(hand):
            return scene, verdict.seen_in(())
        ways = zip((played, better), look.verdict, _WORDS, strict=True)
        groups = tuple(
            Group(tuple(_card(hand[part]) for part in parts), ((f"{sign} {word}", role),))
            for parts, sign, (role, word) in ways
            if parts
        )
        return replace(scene, spread=Spread(groups)), verdict
    names = {cell.name for row in scene.board.rows for cell in row}
    if scene.spread is None:
        return scene, verdict.seen_in(names)
    hands = tuple(_signed(group, verdict) for group in scene.spread.hands)
    held = {card.name for group in hands for card in group.cards}
    return replace(scene, spread=replace(scene.spread, hands=hands)), verdict.seen_in(names | held)


def _card(found: Card | None) -> Card:
    assert found is not None  # the caller has checked
    return replace(found, is_joined=False, is_dim=False)


def _signed(group: Group, verdict: Verdict) -> Group:
    """Return a hand with the signs of the steps, each on one card of its kind."""
    cards, done = list[Card](), set[str]()
    for card in group.cards:
        sign = ("", "") if card.name in done else verdict.of_name(card.name)
        cards.append(replace(card, sign=sign))
        done.add(card.name)
    return replace(group, cards=tuple(cards))
