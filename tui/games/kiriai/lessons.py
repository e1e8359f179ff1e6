"""First lesson of Kiri-ai: from the first plan to the winning blow. You are red."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from kumite.core.game import Seat
from kumite.tui.lessons.judging import (
    Attempt,
    Goal,
    Mistake,
    Predicate,
    Task,
    both,
    grew,
    played,
    won,
)

if TYPE_CHECKING:
    from kumite.core.games.kiriai.state import State

RED: Final = Seat(0)
BLUE: Final = Seat(1)
Duel: Final = partial(Task, names=("red", "blue"))  # as the texts call them


def _position(number: int, red: str, blue: str) -> str:
    """Return the text of a position in which blue has planned, and red has not."""
    return "\n".join(
        (
            "kiriai field=standard rounds=40",
            f"phase plan round {number}",
            f"red at {red} plan -",
            f"blue at {blue}",
        )
    )


# --- Goals and mistakes -----------------------------------------------------------------------

_hit: Final = grew(lambda now: now.sides[BLUE].wounds)
_hurt: Final = grew(lambda now: now.sides[RED].wounds)


def _hit_with(face: str) -> Predicate:
    """Require that red's `face` has been played against a card of blue, and that blue was hit."""
    return both(_hit, played(f"first:{face}/", f"second:{face}/"))


def _where(tried: Attempt[State]) -> str:
    red, blue = tried.now.sides
    return f"you are {abs(red.space - blue.space)} apart, you stand in {red.stance}."


def _missed(tried: Attempt[State]) -> str:
    return f"No blow of yours has landed: {_where(tried)}"


HURT: Final = Mistake(_hurt, lambda tried: f"You were hit yourself: {_where(tried)}")
HIT_OTHERWISE: Final = Mistake(
    _hit, lambda tried: f"Blue was hit, but not by the card that was meant: {_where(tried)}"
)
HIT: Final = Goal(_hit, _missed, mistakes=(HURT,))


# --- The tasks ---------------------------------------------------------------------------------

TASKS: Final = (
    Duel(
        title="Plan two cards",
        text="You are red, on space 1. In a round each samurai plans two cards, unseen.\n"
        "Then the first cards are turned over, then the second ones.\n"
        "Blue is 4 away, and no blow strikes that far: plan charge as your first\n"
        "card, then any second one.",
        position=_position(
            1,
            "1,heaven wounds 0 aside - special kesa",
            "5,heaven wounds 0 aside - special zantetsu plan balanced,low",
        ),
        goal=Goal(
            played("first:charge/"), "Your first card was not charge: choose it before the other."
        ),
        hint="Choose charge, then for example high.",
        praise="Charge ran two spaces. A blow strikes only at the distances that its card\n"
        "names. The second card of a round rests for the next one, with both faces.",
        solution=("charge,high", "first:charge/balanced"),
    ),
    Duel(
        title="Strike high",
        text="Every blow has its distance, and most have a stance. It is written with the\n"
        "cards: high strikes at distance 2, in heaven.\n"
        "That is how you stand, and blue's first blow misses from there. Hit blue.",
        position=_position(
            2,
            "2,heaven wounds 0 aside balanced special counter",
            "4,heaven wounds 0 aside charge|stance special zantetsu plan balanced,low",
        ),
        goal=HIT,
        hint="Plan high first, while you are 2 apart. What comes second is up to you.",
        praise="A hit! Two of them win the duel.",
        solution=("high,approach", "first:high/balanced"),
    ),
    Duel(
        title="Strike low",
        text="Low strikes at distance 1, but only in earth. You are in heaven.\n"
        "Charge and stance are two faces of one card: you plan one of them, and\n"
        "stance turns you. Blue's blows miss at this distance: hit with low.",
        position=_position(
            3,
            "3,heaven wounds 0 aside high special counter",
            "4,heaven wounds 0 aside low special zantetsu plan balanced,high",
        ),
        goal=Goal(_hit_with("low"), _missed, mistakes=(HURT, HIT_OTHERWISE)),
        hint="First stance, and you are in earth; then low.",
        praise="The first card prepares, the second one strikes.",
        solution=("stance,low", "first:stance/balanced", "second:low/high"),
    ),
    Duel(
        title="Move first, strike later",
        text="All movement comes before all blows, and blows are measured from where the\n"
        "samurai stand by then. Blue begins with high, which strikes at distance 2.\n"
        "Step in under it, then hit blue, and do not be hit yourself.",
        position=_position(
            3,
            "2,earth wounds 0 aside high special kesa",
            "4,heaven wounds 0 aside low special zantetsu plan high,balanced",
        ),
        goal=HIT,
        hint="approach brings you to distance 1, where low strikes.",
        praise="The high missed, since you were no longer where it strikes.",
        solution=("approach,low", "first:approach/high", "second:low/balanced"),
    ),
    Duel(
        title="Think one card ahead",
        text="Blue's first blow will miss; its second card is retreat. You are 1 apart, in\n"
        "heaven. Where will blue stand when the second blows are struck?\n"
        "Hit blue.",
        position=_position(
            4,
            "3,heaven wounds 1 aside low special counter",
            "4,earth wounds 0 aside charge|stance special zantetsu plan balanced,retreat",
        ),
        goal=HIT,
        hint="Blue goes to distance 2 alone: stay, and plan high as the second card.",
        praise="You struck where blue was going to be. That is what this duel is about.",
        solution=("balanced,high", "first:balanced/balanced", "second:high/retreat"),
    ),
    Duel(
        title="The swords meet",
        text="If both blows would land, they cancel out, and nobody is hurt. Blue begins\n"
        "with high, and it would be your second wound. Meet it with your own high.",
        position=_position(
            5,
            "2,heaven wounds 1 aside low special zantetsu",
            "4,heaven wounds 1 aside low special kesa plan high,charge",
        ),
        goal=Goal(
            played("first:high/high"),
            _missed,
            mistakes=(Mistake(_hurt, "Blue's high has landed, and nothing met it."), HIT_OTHERWISE),
        ),
        hint="Plan high as your first card.",
        praise="Nobody is hurt. The second cards are carried out as they were planned.",
        solution=("high,balanced", "first:high/high"),
    ),
    Duel(
        title="Turn a blow back",
        text="Before the duel each samurai is dealt one special card. It works once.\n"
        "Yours is counter: if a blow would hit you, it hits the one who strikes.\n"
        "Blue stands 1 away in earth and begins with low.",
        position=_position(
            4,
            "3,earth wounds 1 aside balanced special counter",
            "4,earth wounds 0 aside high special kesa plan low,approach",
        ),
        goal=Goal(_hit_with("counter"), _missed, mistakes=(HURT, HIT_OTHERWISE)),
        hint="Plan counter first, for that is when the blow comes.",
        praise="But if no blow would hit you, counter does nothing and is used up.",
        solution=("counter,high", "first:counter/low"),
    ),
    Duel(
        title="Strike from afar",
        text="Zan-Tetsu strikes at distance 2 or 3, in earth, and leaves you in heaven.\n"
        "Blue is 3 away and begins with one step: wait, or come closer?\n"
        "Hit with Zan-Tetsu, as your first card.",
        position=_position(
            2,
            "1,earth wounds 0 aside high special zantetsu",
            "4,heaven wounds 0 aside low special kesa plan approach,high",
        ),
        goal=Goal(_hit_with("zantetsu"), _missed, mistakes=(HURT, HIT_OTHERWISE)),
        hint="Plan Zan-Tetsu first: it strikes blue whether blue comes or stays.",
        praise="It covers two distances at once. But now it is spent, and they know it.",
        solution=("zantetsu,balanced", "first:zantetsu/approach"),
    ),
    Duel(
        title="Win the duel",
        text="The second card that was played lies aside for one round, for all to see.\n"
        "Blue's low is aside, its Zan-Tetsu spent: nothing that blue has strikes at\n"
        "distance 1, and behind blue is the wall. Each of you has one wound. Win.",
        position=_position(
            6,
            "4,earth wounds 1 aside high special counter",
            "5,earth wounds 1 aside low spent zantetsu plan retreat,balanced",
        ),
        goal=Goal(won, _missed, mistakes=(HURT,)),
        hint="You are 1 apart and in earth: low strikes.",
        praise="The second wound ends the duel; the second cards stay face down.",
        solution=("low,charge", "first:low/retreat"),
    ),
)
