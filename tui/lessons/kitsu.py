"""First lesson of Kitsu!: from a slide to the capture that wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.game import Seat
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.board import SQUARES
from kumite.core.games.kitsu.position import FOX, State
from kumite.tui.lessons.model import Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.core.match import Played

ID: Final = kitsu.ID
YOU: Final = Seat(0)
_NOTHING: Final = "spirit s6 f6 hand s0 f0 taken s0 f0"


def _position(pieces: str, purse: str = _NOTHING) -> str:
    """Return the text of a position from its pieces (`Fd3 sh1`) and what you have beside them."""
    placed = {piece[1:]: piece[0] for piece in pieces.split()}
    rows = ("".join(placed.get(f"{file}{rank}", ".") for file in "abcdefgh") for rank in _RANKS)
    return "\n".join(
        (
            "options adjacent=4 limit=100 opening=4",
            "turn 1 seat 0 phase move",
            "open spring summer autumn winter",
            "at - used - owed 0",
            f"seat 0 {purse}",
            f"seat 1 {_NOTHING}",
            *(f"{rank} {row}" for rank, row in zip(_RANKS, rows, strict=True)),
            "outcome -",
        )
    )


_RANKS: Final = "87654321"


# --- When a task is done ----------------------------------------------------------------------


def _has_captured(before: State, played: Sequence[Played], now: State) -> bool:
    return sum(now.clans[YOU].taken) > sum(before.clans[YOU].taken)


def _has_two_in_hand(before: State, played: Sequence[Played], now: State) -> bool:
    return sum(now.clans[YOU].hand) == 2


def _has_one_in_hand(before: State, played: Sequence[Played], now: State) -> bool:
    return sum(now.clans[YOU].hand) == 1


def _is_f6_a_fox(before: State, played: Sequence[Played], now: State) -> bool:
    return _shows(now, "f6") == FOX


def _is_f3_theirs(before: State, played: Sequence[Played], now: State) -> bool:
    return _shows(now, "f3") is not None


def _has_won(before: State, played: Sequence[Played], now: State) -> bool:
    return YOU in now.winners


def _has_moved_thrice(before: State, played: Sequence[Played], now: State) -> bool:
    return sum(_verb(one) == "-" for one in played) == 3


def _has_beckoned(before: State, played: Sequence[Played], now: State) -> bool:
    return any(_verb(one) == "@" for one in played)


def _has_pounced(before: State, played: Sequence[Played], now: State) -> bool:
    return _has_captured(before, played, now) and _verb(played[-1]) == ">"


def _verb(played: Played) -> str:
    way = kitsu.read(played.step)
    return way.verb if way else ""


def _shows(now: State, name: str) -> int | None:
    """Return the kind of the opponent's piece on a square, None if none is there."""
    place = 1 << SQUARES[name]
    return int(not now.samurai & place) if now.clans[1 - YOU].board & place else None


# --- Why it is not ------------------------------------------------------------------------------


def _nothing_captured(before: State, played: Sequence[Played], now: State) -> str:
    return "Nothing of your opponent's was captured."


def _not_turned(before: State, played: Sequence[Played], now: State) -> str:
    if _shows(now, "f6") is None:
        return "The piece on f6 is gone: it should have been turned over, not captured."
    return "f6 still shows a Samurai: the move did not end on a square that shares a side with it."


def _nothing_in_hand(before: State, played: Sequence[Played], now: State) -> str:
    return "No piece came to your hand: no border was passed clockwise."


def _not_two(before: State, played: Sequence[Played], now: State) -> str:
    count = sum(now.clans[YOU].hand)
    return f"{('No piece', 'One piece')[count]} came to your hand: pass both borders with one leap."


def _too_few_moves(before: State, played: Sequence[Played], now: State) -> str:
    moves = sum(_verb(one) in ("-", "x") for one in played)
    return f"The turn had {moves} move{'s' * (moves != 1)}: begin in Spring, and leave none out."


def _not_pounced(before: State, played: Sequence[Played], now: State) -> str:
    if _has_captured(before, played, now):
        return "You captured it, but without a second leap."
    return "The Samurai on a4 is still there: the first leap must land beside a friend."


def _not_on_f3(before: State, played: Sequence[Played], now: State) -> str:
    return "Your opponent's piece is not on f3: a Samurai has to end its move beside b3 first."


def _not_beckoned(before: State, played: Sequence[Played], now: State) -> str:
    return "No piece was put down from your hand."


def _not_won(before: State, played: Sequence[Played], now: State) -> str:
    if sum(now.clans[YOU].taken) > sum(before.clans[YOU].taken):
        return "You captured it as a Fox: it has to be turned over first, then taken."
    return "No fourth Samurai was taken in this turn."


# --- The tasks --------------------------------------------------------------------------------

TASKS: Final = (
    Task(
        "A Samurai slides",
        "The Samurai on a5 is yours, the one on d8 your opponent's. A Samurai slides\n"
        "along a diagonal as far as it likes, up to the first piece in its way, and\n"
        "it may capture that piece.\n"
        "Capture the Samurai on d8.",
        _position("Sa5 sd8 fh1"),
        YOU,
        _has_captured,
        "Choose the Samurai on a5, then d8: three squares up and to the right.",
        "Four captured Samurai win the match. So do four captured Foxes.",
        ("a5xd8",),
        why_not=_nothing_captured,
    ),
    Task(
        "A Fox leaps",
        "A Fox goes two squares straight on, then one to the side. It does not\n"
        "matter what stands in between.\n"
        "Capture the Fox on c4.",
        _position("Fb2 Sb3 sb4 fc4 fh1"),
        YOU,
        _has_captured,
        "From b2 over b3 and b4, then aside to c4.",
        "Both capture where they land, your own pieces as well: take care.",
        ("b2xc4",),
        why_not=_nothing_captured,
    ),
    Task(
        "What lands turns its neighbours over",
        "Every piece has two sides. Whoever ends a move turns over all pieces that\n"
        "share a side with its square, yours and theirs: Samurai become Foxes, Foxes\n"
        "Samurai.\n"
        "Turn the Samurai on f6 into a Fox.",
        _position("Se8 Ff8 sf6 fh1"),
        YOU,
        _is_f6_a_fox,
        "End a move on a square beside f6: the Samurai on e8 can slide to f7.",
        "What you capture counts as what it shows just then: turn it, then take it.",
        ("e8-f7",),
        why_not=_not_turned,
    ),
    Task(
        "Over the border",
        "The board has four realms, and the year goes round them clockwise: Spring,\n"
        "Summer, Autumn, Winter. Whoever passes a border clockwise takes a piece\n"
        "from the Spirit Realm to the hand.\n"
        "Pass from Spring into Summer, and take a piece.",
        _position("Sc3 fh1"),
        YOU,
        _has_one_in_hand,
        "Slide from c3 to a5, and choose Samurai or Fox.",
        "Counterclockwise you gain nothing, and lose nothing.",
        ("c3-a5", "+f"),
        why_not=_nothing_in_hand,
    ),
    Task(
        "Two borders at once",
        "The path counts, square by square, the Fox's too. A leap may pass two\n"
        "borders, and then it brings two pieces.\n"
        "Bring two pieces to your hand with one leap.",
        _position("Fd4 fh1"),
        YOU,
        _has_two_in_hand,
        "From d4 up over d5 and d6, then aside to e6: Spring, Summer, Autumn.",
        "A piece in the hand waits to be put on the board.",
        ("d4-e6", "+s", "+f"),
        why_not=_not_two,
    ),
    Task(
        "A turn is a year",
        "A turn has one to four moves, each in another season. A move belongs to the\n"
        "season in which its piece starts. After a move you only go on clockwise;\n"
        "seasons that you pass over are lost for this turn.\n"
        "Make three moves in this turn.",
        _position("Sb2 Fb7 Sg7 fh1"),
        YOU,
        _has_moved_thrice,
        "Move the Samurai in Spring, the Fox in Summer, the Samurai in Autumn.",
        "Whoever stands in many seasons has long turns.",
        ("b2-a1", "b7-d8", "g7-h8"),
        why_not=_too_few_moves,
    ),
    Task(
        "A Fox pounces",
        "A Fox that lands beside a friend may leap again in the same move, and again.\n"
        "The friends beside the square that it leaves are used up for that move.\n"
        "Capture the Samurai on a4, which is two leaps away.",
        _position("Fb1 Sd3 sa4 fh1"),
        YOU,
        _has_pounced,
        "Leap from b1 to c3, beside your Samurai; from there to a4.",
        "On its way a chain turns nothing over, but each landing may capture.",
        ("b1-c3", "c3>xa4"),
        why_not=_not_pounced,
    ),
    Task(
        "A Samurai sends a piece away",
        "After the flips a Samurai may send one piece beside it, of either clan, to\n"
        "the same place of another realm, if that is empty: from b3 to b7, f7 or f3.\n"
        "Go beside the piece on b3, and send it to Winter, to f3.",
        _position("Sa1 sb3 fh1"),
        YOU,
        _is_f3_theirs,
        "Slide from a1 to c3, choose b3, then f3.",
        "So a threat is sent away, or a friend brought to where it is needed.",
        ("a1-c3", "b3~f3"),
        why_not=_not_on_f3,
    ),
    Task(
        "Out of the hand",
        "Instead of moving you may put a piece from the hand on an empty square that\n"
        "a piece of yours could pass or reach, in a season that is still open. It\n"
        "uses that season up and turns nothing over.\n"
        "Put the Fox from your hand on the board.",
        _position("Sb2 Fg7 fh1", "spirit s6 f5 hand s0 f1 taken s0 f0"),
        YOU,
        _has_beckoned,
        "Choose the Fox below the board, then a square on a diagonal of b2, say c3.",
        "Whoever has put all twelve waiting pieces on the board wins, too.",
        ("f@c3",),
        why_not=_not_beckoned,
    ),
    Task(
        "The fourth Samurai",
        "You have taken three Samurai, but only a Fox stands within reach, on b4.\n"
        "A turn goes through the year: what one move turns over, the next may take.\n"
        "Win in this turn.",
        _position("Fc6 fb4 Sd1 fh1", "spirit s6 f6 hand s0 f0 taken s3 f0"),
        YOU,
        _has_won,
        "First turn it over: slide from d1 to a4. Then leap from c6 in Summer.",
        "That is the game: turn, then take, and go with the year.",
        ("d1-a4", "stop", "c6xb4"),
        why_not=_not_won,
    ),
)
