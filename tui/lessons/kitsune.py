"""Kitsune's first lesson: from the first trick won to the last space of the track."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.game import Seat
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import KINDS, State, bound_to
from kumite.tui.lessons.model import Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.core.match import Played

ID: Final = kitsune.ID
YOU: Final = Seat(0)
ZENKO: Final = 0


def _at(*lines: str) -> str:
    """Return the canonical text of a position with four seats in its fourth trick."""
    state = kitsune.parse("\n".join(["kitsune 4", *lines]))
    return kitsune.text(state)


# --- What is to be reached --------------------------------------------------------------------


def _gain(before: State, now: State) -> int:
    return now.standing.marks[ZENKO] - before.standing.marks[ZENKO]


def _has_moved(before: State, made: Sequence[Played], now: State) -> bool:
    return _gain(before, now) > 0


def _has_moved_three(before: State, made: Sequence[Played], now: State) -> bool:
    return _gain(before, now) == 3


def _binds(before: State, made: Sequence[Played], now: State) -> bool:
    return bound_to(now) == ZENKO


def _has_shield(before: State, made: Sequence[Played], now: State) -> bool:
    return now.standing.held[YOU] == "shield"


def _is_rid_of_six(before: State, made: Sequence[Played], now: State) -> bool:
    is_rid = KINDS["o6"] in now.cards.last and bool(made)
    return is_rid and now.standing.marks == before.standing.marks


def _has_round(before: State, made: Sequence[Played], now: State) -> bool:
    return now.standing.wins[ZENKO] > before.standing.wins[ZENKO]


# --- Why it is not ------------------------------------------------------------------------------


def _not_moved(before: State, made: Sequence[Played], now: State) -> str:
    other = now.standing.marks[1 - ZENKO] - before.standing.marks[1 - ZENKO]
    if other > 0:
        return f"The trick went to the Yako, whose marker moved {other}."
    if now.standing.tricks == before.standing.tricks:
        return "The trick is not decided yet, and your card does not win it."
    return "Nobody's marker moved: both totals are the same."


def _not_three(before: State, made: Sequence[Played], now: State) -> str:
    gain = _gain(before, now)
    return f"The Zenko marker moved {gain}, not three." if gain else _not_moved(before, made, now)


def _not_bound(before: State, made: Sequence[Played], now: State) -> str:
    return "After that card the next seat may play whatever it has."


def _no_shield(before: State, made: Sequence[Played], now: State) -> str:
    if "shield" in now.standing.held:
        return "Your partner has the shield now, and alone can play it."
    return "That is another token: the shield still lies there."


def _still_six(before: State, made: Sequence[Played], now: State) -> str:
    if now.standing.marks != before.standing.marks:
        return "A marker moved: the token still was not played with the card."
    return "That was another card: the orange 6 is still in your hand."


def _no_round(before: State, made: Sequence[Played], now: State) -> str:
    gain = _gain(before, now)
    return f"The Zenko moved {gain}; they need three." if gain else _not_moved(before, made, now)


# --- The tasks --------------------------------------------------------------------------------

TASKS: Final = (
    Task(
        title="Win a trick",
        text="""\
Blue numbers count for the Zenko, orange ones for the Yako, whoever plays
them. When all four cards lie there, the higher total moves its marker by
the difference. You are Zenko and play the last card: make the Zenko marker
move.""",
        position=_at(
            "phase play",
            "leader 1",
            "marks 3 2",
            "tricks 3",
            "trick o3 b2 o1",
            "last b3 o4 black b1",
            "hand0 b1 b4 o2",
            "hand1 katana o6",
            "hand2 b5 white",
            "hand3 o1 o5",
        ),
        seat=YOU,
        is_done=_has_moved,
        hint="Blue 2, orange 4: you need a blue number of more than 2.",
        praise="Blue 6, orange 4: the Zenko move two spaces.",
        solution=("b4",),
        why_not=_not_moved,
    ),
    Task(
        title="The Katana",
        text="""\
A Katana destroys one open number of another seat; it does not count any
more. Orange leads 7 to 4. Choose the Katana, then the number that it is to
destroy, and win the trick.""",
        position=_at(
            "phase play",
            "leader 1",
            "marks 3 2",
            "tricks 3",
            "trick o6 b4 o1",
            "last b3 o4 black b1",
            "hand0 b1 b2 katana",
            "hand1 katana o2",
            "hand2 b5 white",
            "hand3 o1 o5",
        ),
        seat=YOU,
        is_done=_has_moved,
        hint="Without the orange 6 it is blue 4, orange 1.",
        praise="Save it for a number that is worth it: it must hit if it can.",
        solution=("katana:o6",),
        why_not=_not_moved,
    ),
    Task(
        title="The White Kitsune",
        text="""\
A White Kitsune exchanges the two totals of the trick: what is blue counts
for the Yako then, what is orange for the Zenko. Orange leads 9 to 1. Turn
it round.""",
        position=_at(
            "phase play",
            "leader 1",
            "marks 3 5",
            "tricks 3",
            "trick o5 b1 o4",
            "last b3 o3 black b1",
            "hand0 b2 b6 white",
            "hand1 katana o2",
            "hand2 b5 o1",
            "hand3 o1 o6",
        ),
        seat=YOU,
        is_done=_has_moved,
        hint="The blue 6 makes it 7 to 9 only. Play the White Kitsune.",
        praise="Blue 9, orange 1. A second White Kitsune would undo the first.",
        solution=("white",),
        why_not=_not_moved,
    ),
    Task(
        title="A gift for the other clan",
        text="""\
You must play the other clan's cards as well. A White Kitsune lies there, so
the totals will change places: now orange numbers help you. Win the trick.""",
        position=_at(
            "phase play",
            "leader 1",
            "marks 3 5",
            "tricks 3",
            "trick white b3 o2",
            "last b1 o4 black b1",
            "hand0 b2 o1 o6",
            "hand1 katana o3",
            "hand2 b5 o1",
            "hand3 o1 o5",
        ),
        seat=YOU,
        is_done=_has_moved,
        hint="Orange has 2 and blue 3, before they change places.",
        praise="Rid of the orange 6, and five spaces for it.",
        solution=("o6",),
        why_not=_not_moved,
    ),
    Task(
        title="The Black Kitsune",
        text="""\
A Black Kitsune makes the next seat play a number in the colour of YOUR
clan, if it has one. You lead 4 to 1, and the next seat plays the last card:
it may have a Katana or a big orange number. Leave it no choice but blue.""",
        position=_at(
            "phase play",
            "leader 2",
            "marks 3 5",
            "tricks 3",
            "trick b4 o1",
            "last o4 b1 o1 b1",
            "hand0 b2 black o2",
            "hand1 b1 katana o6",
            "hand2 b5 white",
            "hand3 o3 o5",
        ),
        seat=YOU,
        is_done=_binds,
        hint="Play the Black Kitsune; as the last card it would bind nobody.",
        praise="The next seat must play blue: no Katana, no big orange number.",
        solution=("black",),
        why_not=_not_bound,
    ),
    Task(
        title="Three is better than four",
        text="""\
A clan that loses a trick by four or more takes a token, which can turn a
later trick. Orange leads 3 to 2. Move the Zenko marker by three exactly.""",
        position=_at(
            "phase play",
            "leader 1",
            "marks 3 5",
            "tricks 3",
            "trick o2 b2 o1",
            "last o4 b1 o1 b1",
            "hand0 b4 b5 b6",
            "hand1 katana o6",
            "hand2 black white",
            "hand3 o3 o5",
        ),
        seat=YOU,
        is_done=_has_moved_three,
        hint="You need a blue total of 6: 2 lie there.",
        praise="No token for the Yako, and two big numbers still in your hand.",
        solution=("b4",),
        why_not=_not_three,
    ),
    Task(
        title="Take a token",
        text="""\
The Yako have just moved five spaces: your clan takes one of the free
tokens, for you or for your partner, who alone can play it then. The shield
lays a card face down, where no Katana hits it. Take the shield for
yourself.""",
        position=_at(
            "phase take 0",
            "leader 3",
            "marks 3 9",
            "tricks 4",
            "last b1 o1 b2 o5",
            "hand0 b5 b6",
            "hand1 katana o6",
            "hand2 black white",
            "hand3 o2 o3",
        ),
        seat=YOU,
        is_done=_has_shield,
        hint="Choose the shield first, then who gets it.",
        praise="A clan holds one token at most; each is used once in a round.",
        solution=("take:shield>0",),
        why_not=_no_shield,
    ),
    Task(
        title="Hold everything still",
        text="""\
A token is chosen before the card that it is played with. With still, no
marker moves in this trick, which you cannot win: so it is the trick in
which to get rid of the orange 6.""",
        position=_at(
            "phase play",
            "leader 1",
            "marks 3 5",
            "tricks 3",
            "held 0:still",
            "trick o5 b1 o4",
            "last o3 b1 o1 b2",
            "hand0 b1 b2 o6",
            "hand1 katana o2",
            "hand2 black white",
            "hand3 b3 o1",
        ),
        seat=YOU,
        is_done=_is_rid_of_six,
        hint="Choose +still, then the orange 6.",
        praise="It counted for nothing, and nobody can force it out of you.",
        solution=("o6+still",),
        why_not=_still_six,
    ),
    Task(
        title="Fetch a card back",
        text="""\
The recall token fetches a card of the trick before, and then you play a
card as usual, that one or another. Orange leads 5 to 1, and your hand is
weak. Win.""",
        position=_at(
            "phase play",
            "leader 1",
            "marks 3 5",
            "tricks 3",
            "held 0:recall",
            "trick o3 b1 o2",
            "last o4 b6 o1 b1",
            "hand0 b2 o1 o2",
            "hand1 katana o5",
            "hand2 b3 white",
            "hand3 black o6",
        ),
        seat=YOU,
        is_done=_has_moved,
        hint="Choose +recall and the blue 6; then play it.",
        praise="Until you play it, only you know what you have fetched.",
        solution=("recall:b6", "b6"),
        why_not=_not_moved,
    ),
    Task(
        title="The last space",
        text="""\
The clan whose marker reaches the last space wins the round; it need not
arrive exactly. The Zenko need three spaces, and you hold the token that
adds 3 to a colour. Win the round.""",
        position=_at(
            "phase play",
            "leader 1",
            "marks 9 10",
            "tricks 3",
            "held 0:3",
            "trick o4 b2 o1",
            "last o3 b1 o1 b6",
            "hand0 b1 b4 o1",
            "hand1 katana o6",
            "hand2 b3 white",
            "hand3 black o5",
        ),
        seat=YOU,
        is_done=_has_round,
        hint="Blue 2, orange 5. The blue 4 with 3 more makes it 9 to 5.",
        praise="The round is yours, and two rounds win the match.",
        solution=("b4+3b",),
        why_not=_no_round,
    ),
)
