"""First lesson of Kuzushi: from the first base to the step that wins. You have the city."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.game import Seat
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.games.kuzushi.rules import State, outcome, squares_of
from kumite.tui.lessons.model import Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.core.match import Played

ID: Final = kuzushi.ID
YOU: Final = Seat(0)
OTHER: Final = Seat(1)


def _position(drawn: str, board: str = "normal") -> str:
    """Return the text of a position in which you are to act, from its drawing."""
    rows = drawn.strip("\n").split("\n")
    return "\n".join((f"kuzushi seats=2 board={board}", f"seat {YOU}", *rows))


# --- When a task is done -----------------------------------------------------------------------


def _has_three_more(before: State, played: Sequence[Played], now: State) -> bool:
    return (now.flags[YOU] & ~before.flags[YOU]).bit_count() >= 3


def _has_taken_two(before: State, played: Sequence[Played], now: State) -> bool:
    return (before.flags[OTHER] & ~now.flags[OTHER]).bit_count() >= 2


def _holds_e7(before: State, played: Sequence[Played], now: State) -> bool:
    return any(now.grid.names[square] == "e7" for square in squares_of(now.flags[YOU]))


def _has_turned_over(before: State, played: Sequence[Played], now: State) -> bool:
    """Return whether a flag of yours has become a base and brought three flags."""
    return bool(now.bases[YOU] & before.flags[YOU]) and _has_three_more(before, played, now)


def _has_a_pair(before: State, played: Sequence[Played], now: State) -> bool:
    """Return whether two of your flags have two of your bases beside each of them."""
    beside = (now.grid.near[square] & now.bases[YOU] for square in squares_of(now.flags[YOU]))
    return sum(bases.bit_count() >= 2 for bases in beside) >= 2


def _has_grown_down(before: State, played: Sequence[Played], now: State) -> bool:
    _, _, low_before, _ = before.grid.box(before.cards)
    _, _, low, high = now.grid.box(now.cards)
    return low < low_before and high - low + 1 == now.limit


def _has_won(before: State, played: Sequence[Played], now: State) -> bool:
    end = outcome(now)
    return end is not None and end.winners == (YOU,)


# --- Why it is not ------------------------------------------------------------------------------


def _too_few_new(before: State, played: Sequence[Played], now: State) -> str:
    count = (now.flags[YOU] & ~before.flags[YOU]).bit_count()
    return f"{flags_in_words(count)} came; three are wanted, so three free squares beside the base."


def _too_few_taken(before: State, played: Sequence[Played], now: State) -> str:
    count = (before.flags[OTHER] & ~now.flags[OTHER]).bit_count()
    return f"{flags_in_words(count)} went back; a base that lies beside two of them is wanted."


def _not_e7(before: State, played: Sequence[Played], now: State) -> str:
    return "On e7 it still stands one against one: your new base does not lie beside it."


def _not_turned(before: State, played: Sequence[Played], now: State) -> str:
    if not now.bases[YOU] & before.flags[YOU]:
        return "That was a new base. Choose a square on which your own flag lies."
    return _too_few_new(before, played, now)


def _no_pair(before: State, played: Sequence[Played], now: State) -> str:
    new = now.bases[YOU] & ~before.bases[YOU]
    corners = [
        name
        for square in squares_of(before.bases[YOU])
        for name, shared in corner_squares(now, square, new)
        if shared & now.flags[YOU] != shared
    ]
    if corners:
        return (
            f"{corners[0]} is corner to corner with your base, but not both squares between them"
            " carry your flag: one is the city's, or the other's."
        )
    return f"{played[-1].step.rstrip('+')} is not corner to corner with a base of yours."


def _not_down(before: State, played: Sequence[Played], now: State) -> str:
    if now.grid.box(now.cards) == before.grid.box(before.cards):
        return "The board is as large as before: no card lies on rank 3."
    return "The board has grown, but not down to rank 3."


def _goes_on(before: State, played: Sequence[Played], now: State) -> str:
    end, stand = outcome(now), f"{now.score(YOU)} to {now.score(OTHER)}"
    if end is None:
        return f"The match goes on at {stand}: nothing has ended it."
    return f"The match is over, and you have not won: {stand}."


def flags_in_words(count: int) -> str:
    """Return a number of flags in words."""
    return f"{('No', 'One', 'Two')[count] if count < 3 else count} flag{'s' * (count != 1)}"


def corner_squares(now: State, square: int, new: int) -> list[tuple[str, int]]:
    """Return the new bases that are corner to corner with a square, and what the two share."""
    near = now.grid.near
    return [
        (now.grid.names[one], near[one] & near[square])
        for one in squares_of(new)
        if (near[one] & near[square]).bit_count() == 2
    ]


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
        text="A base pulls at the four squares beside it; where you have more bases\n"
        "around than anybody else, you lay a flag. The city is yours, but it pulls\n"
        "at nothing. Lay a base, beside any card, that brings you three flags.",
        position=_position(_SECOND_STEP),
        seat=YOU,
        is_done=_has_three_more,
        hint="Look for a square with three free ones beside it, such as f5.",
        praise="One card laid, four on the board: the flags follow by themselves.",
        solution=("f5",),
        why_not=_too_few_new,
    ),
    Task(
        title="Send flags back",
        text="A flag stays only while its owner has more bases beside it than you. A\n"
        "base of yours makes one against one, and the flag goes back to the hand.\n"
        "Lay a base that sends two flags back.",
        position=_position(_SECOND_STEP),
        seat=YOU,
        is_done=_has_taken_two,
        hint="Two flags meet corner to corner at e8, and at g8.",
        praise="Nobody holds those squares now: they are contested, and empty.",
        solution=("e8",),
        why_not=_too_few_taken,
    ),
    Task(
        title="Take a contested square",
        text="On e7 it stands one against one: your base e6, the other's base f7.\n"
        "With one more base beside it the square is yours.\n"
        "Bring your flag to e7.",
        position=_position("""
 9  .  .  . 1f  .
 8  .  . 1f 1B 1f
 7  .  . 1B 1f  .
 6 0f 0B 0C  .  .
 5  . 0f  .  .  .
    d  e  f  g  h
"""),
        seat=YOU,
        is_done=_holds_e7,
        hint="d7 and e8 are beside e7.",
        praise="Two against one: the other can contest it again, but not take it.",
        solution=("d7",),
        why_not=_not_e7,
    ),
    Task(
        title="Turn a flag over",
        text="Instead of laying a base you can turn over a flag of yours. It becomes a\n"
        "base, which stays for good, and it costs no card from your hand.\n"
        "Turn a flag over that brings you three new ones.",
        position=_position("""
 8  . 1f  . 1f  .
 7 1f 1B 1f 1B 1f
 6  . 1f  . 0C  .
 5  .  . 0f 0B 0f
 4  .  .  . 0f  .
    c  d  e  f  g
"""),
        seat=YOU,
        is_done=_has_turned_over,
        hint="Choose one of your own flags: e5, f4 or g5.",
        praise="The square cannot be taken from you any more.",
        solution=("g5+",),
        why_not=_not_turned,
    ),
    Task(
        title="Build in pairs",
        text="A flag with two of your bases beside it stands one attack. Two bases\n"
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
        seat=YOU,
        is_done=_has_a_pair,
        hint="e4 and g4 are corner to corner with your base f5.",
        praise="It brought few new flags, but those two are hard to take.",
        solution=("g4",),
        why_not=_no_pair,
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
        seat=YOU,
        is_done=_has_grown_down,
        hint="Flags count as well: a base on e4, g4 or f4 brings a flag to rank 3.",
        praise="Six ranks: now nobody can lay anything above rank 8.",
        solution=("g4",),
        why_not=_not_down,
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
        seat=YOU,
        is_done=_has_won,
        hint="A flag turned over costs no card; a base on an empty square does.",
        praise="Ahead, hurry to the last card. Behind, turn flags over and wait.",
        solution=("i6",),
        why_not=_goes_on,
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
        seat=YOU,
        is_done=_has_won,
        hint="One base fills its own square, and flags fill the two beside it.",
        praise="13 to 12. You know the game: now play it.",
        solution=("c2",),
        why_not=_goes_on,
    ),
)
