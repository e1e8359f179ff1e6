"""First lesson of Kuzushi: from the first base to the winning step. You have the city."""

from __future__ import annotations

from typing import Final

from kumite.core.game import Seat
from kumite.core.games.kuzushi.rules import State, squares_of
from kumite.tui.lessons.judging import YOU, Attempt, Goal, Mistake, Task, won

OTHER: Final = Seat(1)


def _position(drawn: str, board: str = "normal") -> str:
    """Return the text of a position in which you are to act, from its drawing."""
    rows = drawn.strip("\n").split("\n")
    return "\n".join((f"kuzushi seats=2 board={board}", f"seat {YOU}", *rows))


# --- Goals and mistakes -----------------------------------------------------------------------


def _new_flags(tried: Attempt[State]) -> int:
    return (tried.now.flags[YOU] & ~tried.before.flags[YOU]).bit_count()


def _flags_taken(tried: Attempt[State]) -> int:
    return (tried.before.flags[OTHER] & ~tried.now.flags[OTHER]).bit_count()


def _holds_e7(tried: Attempt[State]) -> bool:
    return tried.now.grid.names.index("e7") in squares_of(tried.now.flags[YOU])


def _has_turned_over(tried: Attempt[State]) -> bool:
    return bool(tried.now.bases[YOU] & tried.before.flags[YOU])


def _has_a_pair(tried: Attempt[State]) -> bool:
    """Return whether two of your flags are each beside two of your bases."""
    near, bases = tried.now.grid.near, tried.now.bases[YOU]
    beside = ((near[square] & bases).bit_count() for square in squares_of(tried.now.flags[YOU]))
    return sum(count >= 2 for count in beside) >= 2


def _has_grown_down(tried: Attempt[State]) -> bool:
    _, _, low_before, _ = tried.before.grid.box(tried.before.cards)
    _, _, low, high = tried.now.grid.box(tried.now.cards)
    return low < low_before and high - low + 1 == tried.now.limit


def _no_pair(tried: Attempt[State]) -> str:
    near, flags = tried.now.grid.near, tried.now.flags[YOU]
    (new,) = squares_of(tried.now.bases[YOU] & ~tried.before.bases[YOU])
    between = [near[new] & near[base] for base in squares_of(tried.before.bases[YOU])]
    name = tried.now.grid.names[new]
    if any(shared.bit_count() == 2 and shared & flags != shared for shared in between):
        return (
            f"{name} is corner to corner with your base, but not both squares between them"
            " carry your flag: one belongs to the city or to the foe."
        )
    return f"{name} is not corner to corner with a base of yours."


def _too_few_new(tried: Attempt[State]) -> str:
    count = FLAGS[_new_flags(tried)]
    return f"{count} came; three are wanted, so three free squares beside the base."


def _too_few_taken(tried: Attempt[State]) -> str:
    count = FLAGS[_flags_taken(tried)]
    return f"{count} went back; a base that lies beside two of them is wanted."


def _goes_on(tried: Attempt[State]) -> str:
    stand = f"{tried.now.score(YOU)} to {tried.now.score(OTHER)}"
    return f"The match continues at {stand}: nothing has ended it."


FLAGS: Final = ("No flags", "One flag", "Two flags")
THREE_NEW: Final = Goal(lambda tried: _new_flags(tried) >= 3, _too_few_new)
WON: Final = Goal(won, _goes_on)


# --- The tasks ---------------------------------------------------------------------------------

_SECOND_STEP: Final = """
 8  . 1f  .
 7 1f 1B 1f
 6  . 0C  .
    e  f  g
"""

TASKS: Final = (
    Task(
        title="Lay a base",
        text="A base pulls at the four squares next to it; where you have more bases\n"
        "around than anyone else, you lay a flag. The city is yours, but it pulls\n"
        "at nothing. Lay a base, beside any card, that brings you three flags.",
        position=_position(_SECOND_STEP),
        goal=THREE_NEW,
        hint="Look for a square with three free ones beside it, such as f5.",
        praise="One card laid, four on the board: the flags follow by themselves.",
        solution=("f5",),
    ),
    Task(
        title="Send flags back",
        text="A flag stays only while its owner has more bases next to it than you. A\n"
        "base of yours makes one against one, and the flag goes back to the hand.\n"
        "Lay a base that sends two flags back.",
        position=_position(_SECOND_STEP),
        goal=Goal(lambda tried: _flags_taken(tried) >= 2, _too_few_taken),
        hint="Two flags meet corner to corner at e8, and at g8.",
        praise="Nobody holds those squares now: they are contested, and empty.",
        solution=("e8",),
    ),
    Task(
        title="Take a contested square",
        text="On e7 it stands one against one: your base e6, the foe's base f7.\n"
        "With one more base next to it the square is yours.\n"
        "Bring your flag to e7.",
        position=_position("""
 9  .  .  . 1f  .
 8  .  . 1f 1B 1f
 7  .  . 1B 1f  .
 6 0f 0B 0C  .  .
 5  . 0f  .  .  .
    d  e  f  g  h
"""),
        goal=Goal(
            _holds_e7, "On e7 it still stands one against one: your new base does not touch it."
        ),
        hint="d7 and e8 are beside e7.",
        praise="Two against one: the other can contest it again, but not take it.",
        solution=("d7",),
    ),
    Task(
        title="Turn a flag over",
        text="Instead of laying a base you can turn over a flag of yours. It becomes a\n"
        "base, which stays forever, and it costs no card from your hand.\n"
        "Turn a flag over that brings you three new ones.",
        position=_position("""
 8  . 1f  . 1f  .
 7 1f 1B 1f 1B 1f
 6  . 1f  . 0C  .
 5  .  . 0f 0B 0f
 4  .  .  . 0f  .
    c  d  e  f  g
"""),
        goal=Goal(
            lambda tried: _has_turned_over(tried) and _new_flags(tried) >= 3,
            "You laid a new base. Choose a square on which your own flag lies.",
            mistakes=(Mistake(_has_turned_over, _too_few_new),),
        ),
        hint="Choose one of your own flags: e5, f4 or g5.",
        praise="The square cannot be taken from you any more.",
        solution=("g5+",),
    ),
    Task(
        title="Build in pairs",
        text="A flag with two of your bases next to it survives one attack. Two bases\n"
        "corner to corner share two squares, and hold both of them twice.\n"
        "Lay a base like that.",
        position=_position("""
 9  .  . 1f  .
 8  . 1f 1B 1f
 7 1f 1B 1f  .
 6  . 0C  .  .
 5 0f 0B 0f  .
 4  . 0f  .  .
    e  f  g  h
"""),
        goal=Goal(_has_a_pair, _no_pair),
        hint="e4 and g4 are corner to corner with your base f5.",
        praise="It brought few new flags, but those two are hard to take.",
        solution=("g4",),
    ),
    Task(
        title="Mind the limit",
        text="With two players the board gets at most 6 files wide and 6 ranks high.\n"
        "It is 5 by 5 now; the next rank may be above, by the other, or below, by\n"
        "you. Settle it: make the board grow down to rank 3.",
        position=_position("""
 8  . 1f  . 1f  .
 7 1f 1B 1f 1B 1f
 6  . 0C  . 1f  .
 5 0f 0B 0f  .  .
 4  . 0f  .  .  .
    e  f  g  h  i
"""),
        goal=Goal(
            _has_grown_down,
            "The board has grown, but not down to rank 3.",
            mistakes=(
                Mistake(
                    lambda tried: (
                        tried.now.grid.box(tried.now.cards)
                        == tried.before.grid.box(tried.before.cards)
                    ),
                    "The board is as large as before: no card lies on rank 3.",
                ),
            ),
        ),
        hint="Flags count as well: a base on e4, g4 or f4 brings a flag to rank 3.",
        praise="Six ranks: now nobody can lay anything above rank 8.",
        solution=("g4",),
    ),
    Task(
        title="The last card",
        text="Every card on the board counts one point, base or flag, and the city one\n"
        "for you. You lead 19 to 15 and have one card in hand. Whoever has acted\n"
        "and has no card left ends the match. End it.",
        position=_position("""
 9 0B 0f 0B 0f 1B  .
 8 0f 0B 0f 0B 0B 0B
 7 1B 1B 1f 0B 0f 0B
 6 0C 1B 1B  . 0B 0B
 5 0f 1f 1B 1B 1B 1B
 4 0B 0B 1B 1B 1B 1B
    f  g  h  i  j  k
"""),
        goal=WON,
        hint="A flag turned over costs no card; a base on an empty square does.",
        praise="Ahead, hurry to the last card. Behind, turn flags over and wait.",
        solution=("i6",),
    ),
    Task(
        title="Fill the board and win",
        text="The match also ends when the board is full. This small one, 5 by 5, has\n"
        "three empty squares, and you are behind, 10 to 12.\n"
        "Win with one step.",
        position=_position(
            """
 6 1f 1B 1B 1f 0f
 5 0f 0B 1f 0C 0B
 4 0B 0B 1B 1B 1B
 3 0f 0f 0B 1f 1f
 2  .  .  . 1B 1f
    b  c  d  e  f
""",
            board="small",
        ),
        goal=WON,
        hint="One base fills its own square, and flags fill the two next to it.",
        praise="13 to 12. You know the game: now play it.",
        solution=("c2",),
    ),
)
