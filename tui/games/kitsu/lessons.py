"""First lesson of Kitsu!: from a slide to the capture that wins."""

from __future__ import annotations

from typing import Final

from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.board import OPEN, SEASONS, SQUARES
from kumite.core.games.kitsu.position import FOX, State
from kumite.tui.lessons.judging import (
    YOU,
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
from kumite.tui.scenes.model import NOTES
from kumite.tui.scenes.sentences import counted

_NOTHING: Final = "spirit s6 f6 hand s0 f0 taken s0 f0"
_RANKS: Final = "87654321"
_AUTUMN: Final = SEASONS.index("autumn")


def _position(pieces: str, purse: str = _NOTHING) -> str:
    """Return the text of a position from its pieces (`Fd3 sh1`) and your pieces off the board."""
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


# --- Conditions on positions and steps --------------------------------------------------------


def _taken(state: State) -> int:
    return sum(state.clans[YOU].taken)


def _in_hand(state: State) -> int:
    return sum(state.clans[YOU].hand)


def _shown(state: State, name: str) -> int | None:
    """Return the kind of the opponent's piece on a square, or None."""
    place = 1 << SQUARES[name]
    return int(not state.samurai & place) if state.clans[1 - YOU].board & place else None


def _verbs(tried: Attempt[State]) -> str:
    """Return the verb of each step, as `-` of a slide or leap, and `>` of a pounce."""
    ways = map(kitsu.read, tried.steps)
    return "".join(way.verb if way else " " for way in ways)


def _moves(tried: Attempt[State]) -> int:
    return sum(verb in "-@" for verb in _verbs(tried))


def _too_few_moves(tried: Attempt[State]) -> str:
    moves = counted(_moves(tried), "move")
    return f"The turn had {moves}: begin in Spring, and leave no season out."


def _captured_on(name: str) -> Predicate:
    return both(grew(_taken), lambda tried: _shown(tried.now, name) is None)


CAPTURED: Final = Goal(grew(_taken), "Nothing of your opponent's was captured.")


# --- The tasks --------------------------------------------------------------------------------

_OFF_BOARD: Final = frozenset({"Spirit Realm", "in hand", NOTES})  # until `Over the border`

TASKS: Final = (
    Task(
        title="A Samurai slides",
        text="You win with four captured Samurai, or four captured Foxes. The Samurai on\n"
        "a5 is yours, the one on d8 your opponent's. A Samurai slides along a\n"
        "diagonal, up to the first piece in its way, which it may capture.\n"
        "Capture the Samurai on d8.",
        position=_position("Sa5 sd8 fh1"),
        goal=CAPTURED,
        hint="Choose the Samurai on a5, then d8: three squares up and to the right.",
        praise="One Samurai of four: four of a kind win.",
        solution=("a5xd8",),
        hidden=_OFF_BOARD,
    ),
    Task(
        title="A Fox leaps",
        text="A Fox goes two squares straight on, then one to the side. It does not\n"
        "matter what stands in between.\n"
        "Capture the Fox on c4.",
        position=_position("Fb2 Sb3 sb4 fc4 fh1"),
        goal=CAPTURED,
        hint="From b2 over b3 and b4, then aside to c4.",
        praise="Both capture where they land, your own pieces as well: take care.",
        solution=("b2xc4",),
        hidden=_OFF_BOARD,
    ),
    Task(
        title="What lands turns its neighbours over",
        text="Every piece has two sides. A piece that ends its move turns over all\n"
        "pieces that share a side with its square, yours and theirs: Samurai become\n"
        "Foxes, Foxes Samurai.\n"
        "Turn the Samurai on f6 into a Fox.",
        position=_position("Se8 Ff8 sf6 fh1"),
        goal=Goal(
            lambda tried: _shown(tried.now, "f6") == FOX,
            "f6 still shows a Samurai: the move did not end on a square that shares a side"
            " with it.",
            mistakes=(
                Mistake(
                    lambda tried: _shown(tried.now, "f6") is None,
                    "The piece on f6 is gone: it should have been turned over, not captured.",
                ),
            ),
        ),
        hint="End a move on a square beside f6: the Samurai on e8 can slide to f7.",
        praise="A capture counts by the side it shows: turn the piece first, then take it.",
        solution=("e8-f7",),
        hidden=_OFF_BOARD,
    ),
    Task(
        title="Over the border",
        text="The year goes round clockwise: Spring, Summer, Autumn, Winter, all open at\n"
        "first. Six Samurai and six Foxes of yours wait off the board, in the Spirit\n"
        "Realm. Each border that you pass clockwise brings one of them to your hand.\n"
        "Pass from Spring into Summer, and take a piece.",
        position=_position("Sc3 fh1"),
        goal=Goal(
            lambda tried: _in_hand(tried.now) == 1,
            "No piece came to your hand: no border was passed clockwise.",
            mistakes=(
                Mistake(
                    lambda tried: bool(tried.now.clans[YOU].board & OPEN[(_AUTUMN,)]),
                    "No piece came to your hand: the corner from Spring to Autumn is no border.",
                ),
            ),
        ),
        hint="Slide from c3 to a5, and choose Samurai or Fox.",
        praise="Counterclockwise you gain nothing, and lose nothing.",
        solution=("c3-a5", "+f"),
    ),
    Task(
        title="Two borders at once",
        text="The path counts, square by square, the Fox's too. A leap may pass two\n"
        "borders, and then it brings two pieces.\n"
        "Bring two pieces to your hand with one leap.",
        position=_position("Fd4 fh1"),
        goal=Goal(
            lambda tried: _in_hand(tried.now) == 2,
            "No piece came to your hand: pass both borders with one leap.",
            mistakes=(
                Mistake(
                    grew(_in_hand), "One piece came to your hand: pass both borders with one leap."
                ),
            ),
        ),
        hint="From d4 up over d5 and d6, then aside to e6: Spring, Summer, Autumn.",
        praise="A piece in the hand waits to be put on the board.",
        solution=("d4-e6", "+s", "+f"),
    ),
    Task(
        title="A turn is a year",
        text="A turn has one to four moves, each in the season in which its piece starts.\n"
        "Begin in any season and go on clockwise, at most once around. The seasons\n"
        "that you used or skipped are shut for the rest of the turn.\n"
        "Make three moves in this turn.",
        position=_position("Sb2 Fb7 Sg7 fh1"),
        goal=Goal(lambda tried: _moves(tried) == 3, _too_few_moves),
        hint="Move the Samurai in Spring, the Fox in Summer, the Samurai in Autumn.",
        praise="With pieces in many seasons, you have long turns.",
        solution=("b2-a1", "b7-d8", "g7-h8"),
    ),
    Task(
        title="A Fox pounces",
        text="A Fox that lands beside a friend may leap again in the same move, and again.\n"
        "Friends beside it help only once in a move: the next leap needs another one.\n"
        "Capture the Samurai on a4, which is two leaps away.",
        position=_position("Fb1 Sd3 sa4 fh1"),
        goal=Goal(
            both(_captured_on("a4"), lambda tried: _verbs(tried).endswith(">")),
            "The Samurai on a4 is still there: the first leap must land beside a friend.",
            mistakes=(
                Mistake(_captured_on("a4"), "You captured it, but without a second leap."),
                Mistake(
                    lambda tried: _verbs(tried).startswith(("-s", "->")),
                    "You landed beside a friend, but the second leap has to go to a4.",
                ),
            ),
        ),
        hint="Leap from b1 to c3, beside your Samurai; from there to a4.",
        praise="On its way a chain turns nothing over, but each landing may capture.",
        solution=("b1-c3", "c3>xa4"),
    ),
    Task(
        title="A Samurai sends a piece away",
        text="After the flips a Samurai may send one adjacent piece, of either clan, to\n"
        "the same place of another season, if that is empty: from b3 to b7, f7 or f3.\n"
        "Go beside the piece on b3, and send it to Winter, to f3.",
        position=_position("Sa1 sb3 fh1"),
        goal=Goal(
            lambda tried: _shown(tried.now, "f3") is not None,
            "Your opponent's piece is not on f3: a Samurai has to end its move beside b3 first.",
            mistakes=(
                Mistake(
                    lambda tried: _shown(tried.now, "b3") is None,
                    "You sent it elsewhere: it was to go to f3.",
                ),
                Mistake(played("stop"), "You stopped without sending it."),
            ),
        ),
        hint="Slide from a1 to c3, choose b3, then f3.",
        praise="So a threat is sent away, or a friend brought to where it is needed.",
        solution=("a1-c3", "b3~f3"),
    ),
    Task(
        title="Out of the hand",
        text="Instead of moving you may put a piece from the hand on an empty square that\n"
        "a piece of yours could pass or reach, in an open season. It uses that season\n"
        "up and turns nothing over. Putting all twelve on the board wins, too.\n"
        "Put the Fox from your hand on the board.",
        position=_position("Sb2 Fg7 fh1", "spirit s6 f5 hand s0 f1 taken s0 f0"),
        goal=Goal(lambda tried: "@" in _verbs(tried), "No piece was put down from your hand."),
        hint="Choose the Fox in your hand, then a square on a diagonal of b2, say c3.",
        praise="Put pieces where a Fox can land beside them: they let it pounce.",
        solution=("f@c3",),
    ),
    Task(
        title="The fourth Samurai",
        text="You have taken three Samurai, but only a Fox stands within reach, on b4.\n"
        "A turn goes through the year: what one move turns over, the next may take.\n"
        "Win in this turn.",
        position=_position("Fc6 fb4 Sd1 fh1", "spirit s6 f6 hand s0 f0 taken s3 f0"),
        goal=Goal(
            won,
            "No fourth Samurai was taken in this turn.",
            mistakes=(
                Mistake(
                    _captured_on("b4"),
                    "You captured it as a Fox: it has to be turned over first, then taken.",
                ),
            ),
        ),
        hint="First turn it over: slide from d1 to a4. Then leap from c6 in Summer.",
        praise="This is the whole game: turn, then take, and follow the year.",
        solution=("d1-a4", "stop", "c6xb4"),
    ),
)
