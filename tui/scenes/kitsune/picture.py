"""Kitsune as lines of text: wisdom track, trick, exchange, tokens, what is gone, the seats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.game import CHANCE
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import (
    BLACK,
    CLAN,
    CLANS,
    COLOURS,
    HIDDEN,
    KATANA,
    NAMES,
    NOBODY,
    OF_CLAN,
    TOKENS,
    TRICK,
    UNSEEN,
    VALUE,
    WHITE,
    Bag,
    Kind,
    Laid,
    State,
    bound_to,
    cards_of,
    count,
    deck_size,
    player,
    size,
)
from kumite.tui.scenes.lines import Elastic, broadest, called, fit, shortened, width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kumite.core.game import Seat
    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes.lines import Line, Span

NAME: Final = 10  # columns for a name
CARD: Final = 8  # for a card
NOTE: Final = 13  # for what there is to say about it
LAST: Final = 2 + 3 + 1 + NAME + 1 + CARD + 1 + NOTE + 1  # column of the trick before
NARROW: Final = 12  # number of the last space up to which there is room for every number
_CLANS: Final = ("善", "野")  # 善狐 Zenko and 野狐 Yako
SPECIALS: Final = {BLACK: "Black", WHITE: "White", KATANA: "Katana"}
SHORT: Final = tuple(SPECIALS.get(kind, name) for kind, name in enumerate(NAMES))
BOOST: Final = {"3b": "+3 blue", "3o": "+3 orange"}
EFFECT: Final = {  # in 22 columns
    "3": "3 more for a colour",
    "recall": "fetch a card first",
    "shield": "card face down, safe",
    "still": "no marker moves",
    "swap": "totals change places",
}


# --- Words and cards --------------------------------------------------------------------------


def role(card: Kind) -> str:
    """Return the role of a card: its colour, or that it has none, or that it lies face down."""
    if card == UNSEEN:
        return "card-back"
    return "card-special" if card in SPECIALS else f"card-{COLOURS[CLAN[card]]}"


def word(card: Kind, article: str = "") -> str:
    """Return what a card is called: `blue 5`, `an orange 5`, `the White Kitsune`."""
    if card == UNSEEN:
        return "card" if not article else "a card"
    if card in SPECIALS:
        name = SHORT[card] if card == KATANA else f"{SHORT[card]} Kitsune"
    else:
        name = f"{COLOURS[CLAN[card]]} {VALUE[card]}"
    if article == "a" and name.startswith("orange"):
        article = "an"
    return f"{article} {name}".lstrip()


def clan_sign(clan: int, look: Look) -> str:
    """Return the sign of a clan: the first letter of its name, or the first kanji."""
    return look.sign(_CLANS[clan], CLANS[clan][0])


def _mark(clan: int, look: Look) -> Span:
    return f" {clan_sign(clan, look)} ", f"card-{COLOURS[clan]}"


def _bag(bag: Bag, look: Look) -> Iterator[Span]:
    """Yield the numbers of each colour as one word, `b1123`, then each kind of special card."""
    for clan, colour in enumerate(COLOURS):
        digits = "".join(str(VALUE[card]) for card in cards_of(bag & OF_CLAN[clan]))
        if digits:
            yield f"{colour[0]}{digits} ", colour
    yield _specials(bag, look), ""


def _specials(bag: Bag, look: Look) -> str:
    copies = ((SHORT[card], count(bag, card)) for card in SPECIALS)
    return " ".join(f"{name}{look.times}{n}" if n > 1 else name for name, n in copies if n)


# --- The picture ------------------------------------------------------------------------------


def track(view: State, look: Look) -> Iterator[Line]:
    """Yield the spaces, a line for each clan with the way that its marker has come, the rounds."""
    last, wide = view.table.track, 3 if view.table.track <= NARROW else 2
    numbers = [str(n) if wide == 3 or (last - n) % 2 == 0 else "" for n in range(last + 1)]
    yield ((" " * 5, ""), ("".join(number.rjust(wide) for number in numbers), "quiet"))
    for clan, mark in enumerate(view.standing.marks):
        sign = clan_sign(clan, look)
        spaces = [look.free] * (last - mark - 1) + [look.city] * (mark < last)
        yield (
            (f"{CLANS[clan]:<5}{'':{wide - width(sign)}}", COLOURS[clan]),
            (look.line * (mark * wide), COLOURS[clan]),
            (sign, f"card-{COLOURS[clan]}"),
            ("".join(space.rjust(wide) for space in spaces[:-1]), "fits"),
            ("".join(space.rjust(wide) for space in spaces[-1:]), "title"),
        )
    blue, orange = view.standing.wins
    yield (
        ("Rounds won   ", ""),
        (f"Zenko {blue}", "blue"),
        (f"   Yako {orange}", "orange"),
        (f"   needed {view.table.wins}", "quiet"),
    )


def trick(view: State, names: Sequence[str], look: Look) -> Iterator[Line]:
    """Yield a line for each card of the trick in the order of play, and the totals so far."""
    title = fit(_title(view, names, look), LAST - 3)
    yield ((title, "title"), ("last trick" if view.cards.last else "", "quiet"))
    laid, due = view.cards.trick, len(view.cards.trick)
    for index in range(TRICK[view.table.seats]):
        seat = player(view, index) if view.standing.leader != NOBODY else index % view.table.seats
        is_due = view.phase == "play" and index == due
        line = [
            _pointer(is_due, look),
            _mark(seat % 2, look),
            (f" {shortened(names[seat], NAME, look)} ", ""),
        ]
        if index < due:
            line += _laid(laid[index], look)
        else:
            text = _due(view, seat) if is_due else look.free
            line.append((f" {text:<{CARD + NOTE}} ", "title" if is_due else "quiet"))
        if view.cards.last:
            card = view.cards.last[_before(index, view.table.seats)]
            line.append((SHORT[card], "" if card in SPECIALS else COLOURS[CLAN[card]]))
        yield tuple(line)
    yield _totals(view)


def _due(view: State, seat: int) -> str:
    """Say what the seat is to play; only a view with its hand shows whether it can obey."""
    clan, hand = bound_to(view), view.cards.hands[seat]
    if clan == NOBODY:
        return "to play"
    if hand >> HIDDEN:
        return f"{COLOURS[clan]}, if possible"
    return f"must play {COLOURS[clan]}" if hand & OF_CLAN[clan] else f"free, has no {COLOURS[clan]}"


def _before(index: int, seats: int) -> int:
    """Return where in the trick before the same seat's card lay: the leader has passed on."""
    return index ^ 1 if seats == 2 else (index + 1) % seats


def _pointer(is_due: bool, look: Look) -> Span:
    return f"{look.pointer if is_due else ' '} ", "title"


def _title(view: State, names: Sequence[str], look: Look) -> str:
    """Say what is going on; in 37 columns where the last trick is shown beside it."""
    standing, chooser = view.standing, view.chooser
    leader = (
        "" if standing.leader == NOBODY else shortened(names[standing.leader], NAME, look).rstrip()
    )
    who = "chance" if chooser == CHANCE else shortened(names[int(chooser)], NAME, look).rstrip()
    words = {
        "lead": f"New round: {who} chooses who leads",
        "deal": "The cards are dealt",
        "play": f"Trick {trick_number(view)}, {leader} leads",
        "show": f"Trick {trick_number(view)} is complete",
        "take": f"A token for {who}",  # the learner of a lesson is called "you"
        "over": "The match is over",
    }
    return words[view.phase]


def trick_number(view: State) -> int:
    """Return which trick of the match it is; the one before until its token has been taken."""
    return view.standing.tricks + (view.phase not in ("take", "over"))


def _laid(laid: Laid, look: Look) -> list[Span]:
    """Return a card of the trick and its token; a destroyed one is crossed out."""
    if laid.is_hit:
        card = (f"{look.times}{SHORT[laid.card]}{look.times}", "quiet")
    else:
        card = (f" {SHORT[laid.card]} ", role(laid.card))
    note = BOOST.get(laid.boost, f"+{laid.boost}") if laid.boost else "destroyed" * laid.is_hit
    if laid.boost == "shield":
        note = "face down"
    return [card, (f"{'':{CARD - len(card[0])}} {note:<{NOTE}} ", "")]


def _totals(view: State) -> Line:
    trick = view.cards.trick
    blue, orange = kitsune.totals(trick)
    swaps = sum((laid.card == WHITE) + (laid.boost == "swap") for laid in trick)
    hidden = " ?" if any(laid.card == UNSEEN for laid in trick) else ""  # it counts as well
    return (
        ("So far ", ""),
        (f"blue {blue:<2}  ", "blue"),
        (f"orange {orange:<2}  ", "orange"),
        ("swapped  " if swaps % 2 else "", "title"),
        (ahead(trick) + hidden if trick else "", ""),
    )


def ahead(trick: tuple[Laid, ...]) -> str:
    """Say who would move if the trick were complete."""
    blue, orange = kitsune.totals(trick)
    if any(laid.boost == "still" for laid in trick):
        return "no move"
    return f"{CLANS[blue < orange]} +{abs(blue - orange)}" if blue != orange else "even"


def exchange(view: State, names: Sequence[str], look: Look) -> Iterator[Line]:
    """Yield who gives a card to whom, and what is known of it."""
    yield ((f"Everybody gives a card to the {mate(view.table.seats)}", "title"),)
    for seat, gift in enumerate(view.cards.gifts):
        taker = shortened(names[(seat + 2) % view.table.seats], NAME, look)
        is_due = view.phase == "give" and gift == NOBODY
        line = [
            _pointer(is_due, look),
            _mark(seat % 2, look),
            (f" {shortened(names[seat], NAME, look)} ", ""),
        ]
        line.append((f"{look.arrows[1]} {taker} ", ""))
        if gift != NOBODY:
            line.append((f" {SHORT[gift]} ", role(gift)))
            line.append((" face down" if gift == UNSEEN else "", "quiet"))
        else:
            line.append(("to choose" if is_due else "handed over", "quiet"))
        yield tuple(line)
    yield (("They change hands when all lie there.", "quiet"),)


def mate(seats: int) -> str:
    """Return what the seat is called that gets one's card in the exchange."""
    return "partner" if seats == 4 else "next team mate"


def tokens(view: State) -> Line:
    """Return which tokens are free and which have been used; `seats` says who holds one."""
    free, held = view.standing.available, view.standing.held
    used = [token for token in TOKENS if token not in free and token not in held]
    line = [("Tokens  ", "")]
    line += [(", ".join(free), "title")] * bool(free)
    line += [("  ", "")] * bool(free and used)
    line += [("used ", "quiet"), (", ".join(used), "quiet")] * bool(used)
    return tuple(line)


def discards(view: State, look: Look) -> Iterator[Line]:
    """Yield what has been played since the deal: the numbers of each colour, the special cards."""
    gone = view.cards.discard
    for clan, colour in enumerate(COLOURS):
        digits = " ".join(str(VALUE[card]) for card in cards_of(gone & OF_CLAN[clan]))
        head = "Gone" if clan == 0 else ""
        yield ((f"{head:<8}", ""), (f"{colour:<8}", colour), (digits or "-", ""))
    yield ((f"{'':8}{_specials(gone, look)}", ""),)


def open_hands(view: State) -> Iterator[tuple[int, Bag]]:
    """Yield the seat and the cards of every hand that the view knows."""
    for seat, hand in enumerate(view.cards.hands):
        if hand and not hand >> HIDDEN:
            yield seat, hand


def known_hands(view: State, names: Sequence[str], look: Look) -> Iterator[Line]:
    """Yield every hand that the view knows, in words."""
    for seat, hand in open_hands(view):
        yield ((f"{shortened(names[seat], NAME, look)} ", ""), *_bag(hand, look))


def in_order(cards: Iterable[Kind]) -> list[Kind]:
    """Return cards as they lie in a hand, numbers first."""
    return sorted(cards, key=lambda card: (card in SPECIALS, card))


# --- Beside the picture -----------------------------------------------------------------------


def seats(view: State, names: Sequence[str], look: Look, you: Seat | None) -> tuple[Line, ...]:
    """Return a line for each seat: whether it is to act, its clan, its cards and its token."""
    to_act = kitsune.actors(view)
    wide = broadest(names, NAME)
    lines: list[Line] = [((Elastic(" " * wide), ""), ("    cards  token", "quiet"))]
    for seat, name in enumerate(names):
        own = "title" if seat == you else ""
        lines.append(
            (
                _pointer(seat in to_act, look),
                _mark(seat % 2, look),
                (" ", ""),
                (Elastic(called(name, wide, look, is_you=seat == you)), own),
                (f"{size(view.cards.hands[seat]):>3}  ", ""),
                (_held(view, seat), "title"),
            )
        )
    return tuple(lines)


def _held(view: State, seat: int) -> str:
    return f"+{view.standing.held[seat]}" if view.standing.held[seat] else ""


def facts(view: State, look: Look, you: Seat | None) -> tuple[Line, ...]:
    """Say whose colour counts, where the round is won, what is left, what tokens do."""
    if you is None:
        whose: Line = (_mark(0, look), (" blue   ", ""), _mark(1, look), (" orange", ""))
    else:
        whose = (_mark(you % 2, look), (f" {COLOURS[you % 2]} counts for you", ""))
    lines = [whose]
    if view.table.seats == 2 and view.phase not in ("lead", "over"):
        pile = deck_size(view.table, view.cards)
        lines.append(((f"{pile} cards in the draw pile", "" if pile else "quiet"),))
    told = view.standing.available if view.phase == "take" else ()
    if you is not None and not told and view.standing.held[you]:
        told = (view.standing.held[you],)
    lines += [((f"{token:<7}", "title"), (EFFECT[token], "quiet")) for token in told]
    return tuple(lines)
