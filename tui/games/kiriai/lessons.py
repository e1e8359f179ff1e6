"""First lesson of Kiri-ai: from the first plan to the winning blow. You are red."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from kumite.core.game import CHANCE, Seat
from kumite.core.games.kiriai.action import ATTACKS
from kumite.tui.games.kiriai.picture import called, distance_of
from kumite.tui.games.kiriai.words import why_missed
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


def _missed(tried: Attempt[State]) -> str:
    """Return why the last blow of red that was struck has not hit."""
    for one in reversed(tried.match.line()):
        if one.last is None or one.before is None or one.last.actor != CHANCE:
            continue
        face = one.last.step.partition(":")[2].partition("/")[0]
        if face in ATTACKS:
            apart, stance = distance_of(one.state), one.before.state.sides[RED].stance
            why = why_missed(face, stance, apart or 0)
            blow = f"Your {called(face)}"
            return f"{blow} missed {why}." if why else f"{blow} did not hit blue."
    return "You have struck no blow."


def _hurt_where(tried: Attempt[State]) -> str:
    before = tried.before.sides[RED].wounds
    line = (one.state for one in tried.match.line())
    hurt = next((state for state in line if state.sides[RED].wounds > before), tried.now)
    return f"You were hit yourself: blue's blow strikes at distance {distance_of(hurt)}."


HURT: Final = Mistake(_hurt, _hurt_where)
HIT_OTHERWISE: Final = Mistake(_hit, "Blue was hit, but not by the card that was meant.")
HIT: Final = Goal(_hit, _missed, mistakes=(HURT,))


# --- The tasks ---------------------------------------------------------------------------------

TASKS: Final = (
    Duel(
        title="Plan two cards",
        text="You are red. In a round each samurai plans two cards, unseen; the first ones\n"
        "are turned over, then the second. Approach and retreat are two faces of one\n"
        "card, as charge and stance are: one is played, both are used. The last card\n"
        "works once. No blow strikes at distance 4: plan charge, then any other card.",
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
        "names. The second card of a round cannot be played in the next one.",
        solution=("charge,high", "first:charge/balanced"),
    ),
    Duel(
        title="Strike high",
        text="A blow hits at its distance and in its stance; otherwise it misses. High\n"
        "strikes at distance 2, in heaven: that is how you stand. Blue's first blow,\n"
        "balanced, strikes at distance 0 only, so it will miss. Hit blue.",
        position=_position(
            2,
            "2,heaven wounds 0 aside balanced special counter",
            "4,heaven wounds 0 aside charge|stance special zantetsu plan balanced,low",
        ),
        goal=HIT,
        hint="Plan high first, while the distance is 2. What comes second is up to you.",
        praise="A hit! Two of them win the duel.",
        solution=("high,approach", "first:high/balanced"),
    ),
    Duel(
        title="Strike low",
        text="Low strikes at distance 1, but only in earth. You are in heaven. Charge and\n"
        "stance are two faces of one card: plan stance, and it turns you. Blue's\n"
        "balanced strikes at 0, its high at 2: both miss. Hit with low.",
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
        text="All movement comes before all blows: the distance after it counts. Blue\n"
        "begins with high, which strikes at distance 2 only. Come closer with your\n"
        "first card, so that high misses; then hit blue, and do not be hit yourself.",
        position=_position(
            3,
            "2,earth wounds 0 aside high special kesa",
            "4,heaven wounds 0 aside low special zantetsu plan high,balanced",
        ),
        goal=HIT,
        hint="approach brings you to distance 1, where low strikes.",
        praise="High missed: it strikes at distance 2, and after your step it was 1.",
        solution=("approach,low", "first:approach/high", "second:low/balanced"),
    ),
    Duel(
        title="Think one card ahead",
        text="Blue plans balanced, which misses at distance 1, and then retreat. You are\n"
        "in heaven. All movement comes before all blows: what will the distance be\n"
        "when the second cards are played? Hit blue.",
        position=_position(
            4,
            "3,heaven wounds 1 aside low special counter",
            "4,earth wounds 0 aside charge|stance special zantetsu plan balanced,retreat",
        ),
        goal=HIT,
        hint="The retreat makes it 2: stay, and plan high as the second card.",
        praise="You struck where blue was going to be. That is what this duel is about.",
        solution=("balanced,high", "first:balanced/balanced", "second:high/retreat"),
    ),
    Duel(
        title="The swords meet",
        text="If both blows would hit, the swords meet, and nobody is hurt. Blue begins\n"
        "with high, and it would be your second wound. Meet it with your own high.",
        position=_position(
            5,
            "2,heaven wounds 1 aside low special zantetsu",
            "4,heaven wounds 1 aside low special kesa plan high,charge",
        ),
        goal=Goal(
            played("first:high/high"),
            _missed,
            mistakes=(Mistake(_hurt, "Blue's high hit you: no blow met it."), HIT_OTHERWISE),
        ),
        hint="Plan high as your first card.",
        praise="Nobody is hurt. The second cards are carried out as they were planned.",
        solution=("high,balanced", "first:high/high"),
    ),
    Duel(
        title="Turn a blow back",
        text="Before the duel each samurai is dealt one special card. It works once.\n"
        "Yours is counter: if a blow would hit you, it hits the one who strikes.\n"
        "Blue is at distance 1, in earth, and begins with low. Turn it back.",
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
        "Blue is at distance 3 and begins with approach: then the distance is 2.\n"
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
        hint="The distance is 1 and you are in earth: low strikes.",
        praise="The second wound ends the duel; the second cards stay face down.",
        solution=("low,charge", "first:low/retreat"),
    ),
)
