"""Kitsune's first lesson: from winning the first trick to the last space of the track."""

from __future__ import annotations

from typing import Final

from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import KINDS, State, bound_to
from kumite.tui.lessons.judging import YOU, Attempt, Goal, Mistake, Task, both, grew, kept

ZENKO, YAKO = 0, 1


def _position(table: str, hands: str, turn: str = "phase play, leader 1") -> str:
    lines = f"kitsune 4, {turn}, {table}".split(", ")
    cards = (f"hand{seat} {hand}" for seat, hand in enumerate(hands.split(" / ")))
    return kitsune.text(kitsune.parse("\n".join((*lines, *cards))))


# --- Goals and mistakes -----------------------------------------------------------------------


def _zenko(state: State) -> int:
    return state.standing.marks[ZENKO]


def _yako(state: State) -> int:
    return state.standing.marks[YAKO]


def _is_still(tried: Attempt[State]) -> bool:
    return tried.now.standing.marks == tried.before.standing.marks


NOT_MOVED: Final = "Nobody's marker moved: both totals are the same."
NOT_WON: Final = (
    Mistake(
        grew(_yako),
        lambda tried: f"The trick went to the Yako, whose marker moved {tried.gain(_yako)}.",
    ),
    Mistake(
        kept(lambda now: now.standing.tricks),
        "The trick is not decided yet, and your card does not win it.",
    ),
)
MOVED: Final = Goal(grew(_zenko), NOT_MOVED, NOT_WON)


# --- The tasks --------------------------------------------------------------------------------

TASKS: Final = (
    Task(
        title="Win a trick",
        text="Blue numbers count for the Zenko, orange ones for the Yako, no matter\n"
        "who plays them. When all four cards lie there, the higher total moves its\n"
        "marker by the difference. You are Zenko and play the last card: make the\n"
        "Zenko marker move.",
        position=_position(
            "marks 3 2, tricks 3, trick o3 b2 o1, last b3 o4 black b1",
            "b1 b4 o2 / katana o6 / b5 white / o1 o5",
        ),
        goal=MOVED,
        hint="Blue 2, orange 4: you need a blue number of more than 2.",
        praise="Blue 6, orange 4: the Zenko move two spaces.",
        solution=("b4",),
    ),
    Task(
        title="The Katana",
        text="A Katana destroys one open number of another seat; it does not count any\n"
        "more. Orange leads 7 to 4. Choose the Katana, then the number that it is to\n"
        "destroy, and win the trick.",
        position=_position(
            "marks 3 2, tricks 3, trick o6 b4 o1, last b3 o4 black b1",
            "b1 b2 katana / katana o2 / b5 white / o1 o5",
        ),
        goal=MOVED,
        hint="Without the orange 6 it is blue 4, orange 1.",
        praise="Save it for a number that is worth it: it must hit if it can.",
        solution=("katana:o6",),
    ),
    Task(
        title="The White Kitsune",
        text="A White Kitsune exchanges the two totals of the trick: what is blue counts\n"
        "for the Yako then, what is orange for the Zenko. Orange leads 9 to 1. Turn\n"
        "it round.",
        position=_position(
            "marks 3 5, tricks 3, trick o5 b1 o4, last b3 o3 black b1",
            "b2 b6 white / katana o2 / b5 o1 / o1 o6",
        ),
        goal=MOVED,
        hint="The blue 6 makes it 7 to 9 only. Play the White Kitsune.",
        praise="Blue 9, orange 1. A second White Kitsune would undo the first.",
        solution=("white",),
    ),
    Task(
        title="A gift for the other clan",
        text="You must play the other clan's cards as well. A White Kitsune lies there, so\n"
        "the totals will change places: now orange numbers help you. Win the trick.",
        position=_position(
            "marks 3 5, tricks 3, trick white b3 o2, last b1 o4 black b1",
            "b2 o1 o6 / katana o3 / b5 o1 / o1 o5",
        ),
        goal=MOVED,
        hint="Orange has 2 and blue 3, before they change places.",
        praise="Rid of the orange 6, and five spaces for it.",
        solution=("o6",),
    ),
    Task(
        title="The Black Kitsune",
        text="A Black Kitsune makes the next seat play a number in the colour of YOUR\n"
        "clan, if it has one. You lead 4 to 1, and the next seat plays the last card:\n"
        "it may have a Katana or a big orange number. Leave it no choice but blue.",
        position=_position(
            "marks 3 5, tricks 3, trick b4 o1, last o4 b1 o1 b1",
            "b2 black o2 / b1 katana o6 / b5 white / o3 o5",
            turn="phase play, leader 2",
        ),
        goal=Goal(
            lambda tried: bound_to(tried.now) == ZENKO,
            "After that card the next seat may play whatever it has.",
        ),
        hint="Play the Black Kitsune; as the last card it would bind nobody.",
        praise="The next seat must play blue: no Katana, no big orange number.",
        solution=("black",),
    ),
    Task(
        title="Three is better than four",
        text="A clan that loses a trick by four or more takes a token, which can turn a\n"
        "later trick. Orange leads 3 to 2. Move the Zenko marker by three exactly.",
        position=_position(
            "marks 3 5, tricks 3, trick o2 b2 o1, last o4 b1 o1 b1",
            "b4 b5 b6 / katana o6 / black white / o3 o5",
        ),
        goal=Goal(
            lambda tried: tried.gain(_zenko) == 3,
            NOT_MOVED,
            mistakes=(
                *NOT_WON,
                Mistake(
                    grew(_zenko),
                    lambda tried: f"The Zenko marker moved {tried.gain(_zenko)}, not three.",
                ),
            ),
        ),
        hint="You need a blue total of 6: 2 lie there.",
        praise="No token for the Yako, and two big numbers still in your hand.",
        solution=("b4",),
    ),
    Task(
        title="Take a token",
        text="The Yako have just moved five spaces: your clan takes one of the free\n"
        "tokens, for you or for your partner, who alone can play it then. The shield\n"
        "lays a card face down, where no Katana hits it. Take the shield for\n"
        "yourself.",
        position=_position(
            "marks 3 9, tricks 4, last b1 o1 b2 o5",
            "b5 b6 / katana o6 / black white / o2 o3",
            turn="phase take 0, leader 3",
        ),
        goal=Goal(
            lambda tried: tried.now.standing.held[YOU] == "shield",
            "You took another token: the shield still lies there.",
            mistakes=(
                Mistake(
                    lambda tried: "shield" in tried.now.standing.held,
                    "Your partner has the shield now, and alone can play it.",
                ),
            ),
        ),
        hint="Choose the shield first, then who gets it.",
        praise="A clan holds one token at most; each is used once in a round.",
        solution=("take:shield>0",),
    ),
    Task(
        title="Hold everything still",
        text="A token is chosen before the card that it is played with. With still, no\n"
        "marker moves in this trick, which you cannot win: so it is the trick in\n"
        "which to get rid of the orange 6.",
        position=_position(
            "marks 3 5, tricks 3, held 0:still, trick o5 b1 o4, last o3 b1 o1 b2",
            "b1 b2 o6 / katana o2 / black white / b3 o1",
        ),
        goal=Goal(
            both(_is_still, lambda tried: KINDS["o6"] in tried.now.cards.last),
            "A marker moved: the token still was not played with the card.",
            mistakes=(
                Mistake(_is_still, "You played another card: the orange 6 is still in your hand."),
            ),
        ),
        hint="Choose +still, then the orange 6.",
        praise="It counted for nothing, and nobody can force it out of you.",
        solution=("o6+still",),
    ),
    Task(
        title="Fetch a card back",
        text="The recall token fetches a card of the trick before, and then you play a\n"
        "card as usual, that one or another. Orange leads 5 to 1, and your hand is\n"
        "weak. Win.",
        position=_position(
            "marks 3 5, tricks 3, held 0:recall, trick o3 b1 o2, last o4 b6 o1 b1",
            "b2 o1 o2 / katana o5 / b3 white / black o6",
        ),
        goal=MOVED,
        hint="Choose +recall and the blue 6; then play it.",
        praise="Until you play it, only you know what you have fetched.",
        solution=("recall:b6", "b6"),
    ),
    Task(
        title="Absolute wisdom",
        text="The clan whose marker reaches absolute wisdom wins the round; it need not\n"
        "arrive exactly. The Zenko need three spaces, and you hold the token that\n"
        "adds 3 to a colour. Win the round.",
        position=_position(
            "marks 9 10, tricks 3, held 0:3, trick o4 b2 o1, last o3 b1 o1 b6",
            "b1 b4 o1 / katana o6 / b3 white / black o5",
        ),
        goal=Goal(
            grew(lambda now: now.standing.wins[ZENKO]),
            NOT_MOVED,
            mistakes=(
                Mistake(
                    grew(lambda now: now.standing.wins[YAKO]),
                    "The trick went to the Yako, and the round with it.",
                ),
                *NOT_WON,
                Mistake(
                    grew(_zenko),
                    lambda tried: f"The Zenko moved {tried.gain(_zenko)}; they need three.",
                ),
            ),
        ),
        hint="Blue 2, orange 5. The blue 4 with 3 more makes it 9 to 5.",
        praise="The round is yours, and two rounds win the match.",
        solution=("b4+3b",),
    ),
)
