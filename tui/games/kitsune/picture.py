"""Kitsune as lines of text, and the words for its cards.

The lines show the wisdom track, the trick or the exchange, the tokens and the discards; beside them
are the seats and facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from kumite.core.copying import put
from kumite.core.game import CHANCE, Seat
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import (
    BLACK,
    BOOSTS,
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
from kumite.core.text import listed
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.lines import (
    Line,
    Names,
    Span,
    fit,
    fold,
    line_width,
    player_rows,
    shortened,
    width,
)
from kumite.tui.scenes.model import Sign
from kumite.tui.scenes.pictures import Card
from kumite.tui.scenes.sentences import counted

BACK: Final = Card("kitsune-back", is_back=True)
TOKEN_USES: Final = {
    "3": "the +3 token: 3 more for a colour in this trick",
    "recall": "the recall token: fetch a card of the last trick before you play",
    "shield": "the shield token: your card lies face down until the trick is complete, "
    "and no Katana can destroy it",
    "still": "the still token: no marker moves after this trick",
    "swap": "the swap token: blue and orange change their totals, as with the White Kitsune",
}


def signs(view: State, names: Names, look: Look) -> Iterator[Sign]:
    for clan, (name, colour) in enumerate(zip(CLANS, COLOURS, strict=True)):
        whose = listed(names[clan::2])
        yield Sign.of(
            f" {clan_sign(clan, look)} ",
            f"kitsune.card-{colour}",
            f"the {name}, the clan of {whose}: {colour} counts for them",
        )
    yield Sign.of(look.single, "title", "the gate: the clan that comes so far wins the round")
    if look.is_drawn:
        yield Sign.of(look.solid[0], ink(0), "a round that the clan has won")
        yield Sign.of(look.hollow[0], "quiet", "a round that it still needs")
    yield Sign.of(f"{look.times}2", "title", "two such cards")
    if look.is_drawn:
        said = ("a token that is free", "a token that has been used", "a token held by a player")
        for sign, text in zip(token_signs(look), said, strict=True):
            yield Sign.of(sign, "title", text)
    for token in TOKENS:
        uses = (BOOST.get(use, f"+{use}") for use in BOOSTS[token] or (token,))
        yield Sign.of(" ".join(uses), "title", TOKEN_USES[token])


SCORED: Final = "scored"  # the phase of a complete trick that is only drawn
NAME: Final = 10  # columns for a name
CARD: Final = 8  # columns for a card
NOTE: Final = 13  # columns for a note on it
LAST: Final = 2 + 3 + 1 + NAME + 1 + CARD + 1 + NOTE + 1  # column of the previous trick
WIDE: Final = LAST + CARD
HEAD: Final = 8  # columns of the headings below the trick
NARROW: Final = 9  # the longest track with room for every number, in 38 columns
_CLANS: Final = ("善", "野")  # 善狐 Zenko and 野狐 Yako
SPECIALS: Final = {BLACK: "Black", WHITE: "White", KATANA: "Katana"}
SHORT: Final = tuple(SPECIALS.get(kind, name) for kind, name in enumerate(NAMES))
BOOST: Final = {"3b": "+3 blue", "3o": "+3 orange"}
EFFECT: Final = {  # at most 22 columns
    "3": "3 more for a colour",
    "recall": "fetch a card first",
    "shield": "card face down, safe",
    "still": "no marker moves",
    "swap": "totals change places",
}

# --- Words and cards --------------------------------------------------------------------------


def token_name(token: str) -> str:
    """Return the name of a token: `+3` instead of `3`, which would look like a count."""
    return "+3" if token == "3" else token


def role(card: Kind) -> str:
    """Return the role of a card: by its colour, special, or face down."""
    if card == UNSEEN:
        return "kitsune.card-back"
    return "kitsune.card-special" if card in SPECIALS else f"kitsune.card-{COLOURS[CLAN[card]]}"


def word(card: Kind, article: str = "") -> str:
    """Return the name of a card: `blue 5`, `an orange 5`, `the White Kitsune`."""
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
    return look.sign(_CLANS[clan], CLANS[clan][0])


def ink(seat: int) -> str:
    return f"kitsune.{COLOURS[seat % 2]}"


def _mark(clan: int, look: Look) -> Span:
    return f" {clan_sign(clan, look)} ", f"kitsune.card-{COLOURS[clan]}"


def in_short(bag: Bag, look: Look) -> Iterator[Span]:
    """Yield the numbers of each colour as one word, `b1123`, then each kind of special card."""
    for clan, colour in enumerate(COLOURS):
        digits = "".join(str(VALUE[card]) for card in cards_of(bag & OF_CLAN[clan]))
        if digits:
            yield f"{colour[0]}{digits} ", ink(clan)
    yield _specials(bag, look), ""


def _specials(bag: Bag, look: Look) -> str:
    copies = ((SHORT[card], count(bag, card)) for card in SPECIALS)
    return " ".join(f"{name}{look.times}{n}" if n > 1 else name for name, n in copies if n)


# --- The picture ------------------------------------------------------------------------------


def picture(view: State, names: Names, look: Look, *, has_hands: bool) -> tuple[Line, ...]:
    show = exchange if view.phase in ("give", "gift") else trick
    # With six seats, fewer blank lines leave room for all cards that may be recalled.
    space: tuple[Line, ...] = ((),) if view.table.seats < 6 else ()
    middle = (*space, *show(view, names, look), *space)
    gone = fold(row(view, look), WIDE, HEAD) if look.counts_cards else ()
    hands = known_hands(view, names, look) if has_hands else ()
    below = (*tokens(view, names, look), *pile(view), *gone, *hands)
    return (*track(view, look), *middle, *below)


def row(view: State, look: Look) -> Line:
    """Return the discards in one row: the numbers of each colour as a word, then special cards."""
    gone = view.cards.discard
    return ((f"{'Gone':<{HEAD}}", "quiet"), *(in_short(gone, look) if gone else (("-", ""),)))


def track(view: State, look: Look) -> Iterator[Line]:
    last, wide = view.table.track, 3 if view.table.track <= NARROW else 2
    numbers = [str(n) if wide == 3 or (last - n) % 2 == 0 else "" for n in range(last + 1)]
    yield ((" " * 5, ""), ("".join(number.rjust(wide) for number in numbers), "quiet"))
    for clan, mark in enumerate(markers(view)):
        sign = clan_sign(clan, look)
        spaces = [look.free] * (last - mark - 1) + [look.single] * (mark < last)
        yield (
            (f"{CLANS[clan]:<5}{'':{wide - width(sign)}}", ink(clan)),
            (look.line * (mark * wide), ink(clan)),
            (sign, f"kitsune.card-{COLOURS[clan]}"),
            ("".join(space.rjust(wide) for space in spaces[:-1]), "fits"),
            ("".join(space.rjust(wide) for space in spaces[-1:]), "title"),
        )
    blue, orange = view.standing.wins
    yield (
        ("Rounds   ", ""),
        (f"Zenko {blue}", ink(0)),
        (f"   Yako {orange}", ink(1)),
        (f"   needed {view.table.wins}", "quiet"),
    )


def trick(view: State, names: Names, look: Look) -> Iterator[Line]:
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
            left = in_hand(view, seat)
            line += _laid(laid[index], left, look, is_open=view.phase == SCORED)
        else:
            text = _due(view, seat) if is_due else look.free
            line.append((f" {text:<{CARD}} ", "title" if is_due else "quiet"))
            if len(text) <= CARD:
                line.append((f"{in_hand(view, seat):<{NOTE}}", "quiet"))
            else:
                line.append((" " * max(0, CARD + NOTE - len(text)), ""))
        if view.cards.last:
            card = view.cards.last[_before(index, view.table.seats)]
            line.append((SHORT[card], "" if card in SPECIALS else ink(CLAN[card])))
        yield tuple(line)
    yield _totals(view)


def _due(view: State, seat: int) -> str:
    """Return what the seat is to play; only a view with its hand shows whether it can follow."""
    clan, hand = bound_to(view), view.cards.hands[seat]
    if clan == NOBODY:
        return "to play"
    if hand >> HIDDEN:
        return f"{COLOURS[clan]}, if possible"
    return f"must play {COLOURS[clan]}" if hand & OF_CLAN[clan] else f"free, has no {COLOURS[clan]}"


def _before(index: int, seats: int) -> int:
    """Return the index of the same seat's card in the previous trick: the leader has moved on."""
    return index ^ 1 if seats == 2 else (index + 1) % seats


def _pointer(is_due: bool, look: Look) -> Span:
    return f"{look.pointer if is_due else ' '} ", "title"


def _title(view: State, names: Names, look: Look) -> str:
    """Return the title of the trick, in 37 columns if the last trick is shown beside it."""
    standing, chooser = view.standing, view.chooser
    leader = (
        "" if standing.leader == NOBODY else shortened(names[standing.leader], NAME, look).rstrip()
    )
    who = "chance" if chooser == CHANCE else shortened(names[int(chooser)], NAME, look).rstrip()
    words = {
        "lead": f"New round: {who} chooses who leads",
        "deal": "The cards are dealt",
        "play": f"Trick {trick_number(view)} of {view.table.limit}, {leader} leads",
        "show": f"Trick {trick_number(view)} is complete",
        SCORED: f"Trick {trick_number(view)} is complete",
        "take": f"A token for {who}",  # the learner in a lesson is called "you"
        "over": "The match is over",
    }
    return words[view.phase]


def trick_number(view: State) -> int:
    """Return the number of the current trick; while a token is being taken, the one before."""
    return view.standing.tricks + (view.phase not in ("take", "over"))


def in_hand(view: State, seat: int) -> str:
    return counted(size(view.cards.hands[seat]), "card")


def _laid(laid: Laid, left: str, look: Look, *, is_open: bool) -> list[Span]:
    """Return a card of the trick with its token; a destroyed one is crossed out.

    Without a note on the card, return the rest of its player's hand.
    """
    if laid.is_hit:
        card = (f"{look.times}{SHORT[laid.card]}{look.times}", "quiet")
    else:
        card = (f" {SHORT[laid.card]} ", role(laid.card))
    note = BOOST.get(laid.boost, f"+{laid.boost}") if laid.boost else "destroyed" * laid.is_hit
    if laid.boost == "shield":
        note = "shielded" if is_open else "face down"
    said = (f"{note or left:<{NOTE}} ", "" if note else "quiet")
    return [card, (f"{'':{CARD - len(card[0])}} ", ""), said]


def _totals(view: State) -> Line:
    trick = view.cards.trick
    blue, orange = kitsune.totals(trick)
    said = ahead(view, trick)
    between, swapped = (">< ", "swapped  ") if is_swapped(trick) else ("  ", "")
    hidden = " ?" if any(laid.card == UNSEEN for laid in trick) else ""  # it counts as well
    return (
        ("So far " * (not said.endswith((TO_WIN, WINS))), ""),  # no room for both
        (f"blue {blue:<2}", ink(0)),
        (between, "title"),
        (f"orange {orange:<2}  ", ink(1)),
        (swapped, "title"),
        (said + hidden if trick else "", ""),
    )


def is_swapped(trick: tuple[Laid, ...]) -> bool:
    return sum((laid.card == WHITE) + (laid.boost == "swap") for laid in trick) % 2 == 1


def advance(view: State, trick: tuple[Laid, ...]) -> tuple[int, int]:
    """Return the clan that would move if the trick were complete, and its spaces up to the gate."""
    blue, orange = kitsune.totals(trick)
    clan, by = int(blue < orange), abs(blue - orange)
    left = view.table.track - view.standing.marks[clan]
    return clan, 0 if _is_still(trick) else min(by, left)


def ahead(view: State, trick: tuple[Laid, ...]) -> str:
    """Return which clan would move if the trick were complete, `Yako +2`, and if that wins."""
    blue, orange = kitsune.totals(trick)
    clan, by = advance(view, trick)
    if not by:
        return "even" if blue == orange else "no move"
    is_enough = by == view.table.track - view.standing.marks[clan]
    return f"{CLANS[clan]} +{by}" + (WINS if view.phase == SCORED else TO_WIN) * is_enough


TO_WIN, WINS = " to win", " wins"  # no more spaces are left


def so_far(view: State, trick: tuple[Laid, ...]) -> str:
    """Return who is ahead, and whether that is enough for the rest of the track."""
    (clan, by), (blue, orange) = advance(view, trick), kitsune.totals(trick)
    if by and view.standing.marks[clan] + by == view.table.track:
        return f"{CLANS[clan]} +{abs(blue - orange)} would win the round"
    return f"{ahead(view, trick)} so far"


def markers(view: State) -> tuple[int, ...]:
    """Return the spaces of the markers; of a trick that is counted, where they have moved to."""
    found = view.standing.marks
    clan, by = advance(view, view.cards.trick)
    return put(found, clan, found[clan] + by) if view.phase == SCORED else found


def _is_still(trick: tuple[Laid, ...]) -> bool:
    return any(laid.boost == "still" for laid in trick)


def exchange(view: State, names: Names, look: Look) -> Iterator[Line]:
    yield ((f"All give a card to the {mate(view.table.seats)}", "title"),)
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
    """Return what to call the seat that receives one's card in the exchange."""
    return "partner" if seats == 4 else "next team mate"


def short_name(name: str, look: Look) -> str:
    return shortened(name, min(NAME, width(name)), look)


def used_tokens(view: State) -> list[str]:
    """Return the tokens that are out until the next round."""
    free, held = view.standing.available, view.standing.held
    return [token for token in TOKENS if token not in free and token not in held]


def tokens(view: State, names: Names, look: Look) -> list[Line]:
    free, used = view.standing.available, used_tokens(view)
    said: list[Span] = [(", ".join(map(token_name, free)) or "none free", "title")]
    said += [(f"used {', '.join(map(token_name, used))}", "quiet")] * bool(used)
    said += [
        (f"{short_name(names[seat], look)} has {token_name(token)}", ink(seat))
        for seat, token in enumerate(view.standing.held)
        if token
    ]
    lines: list[Line] = [(("Tokens", ""),)]
    for text, role in said:
        if line_width(lines[-1]) + 2 + width(text) >= WIDE:
            lines.append(((" " * (HEAD - 2), ""),))
        lines[-1] = (*lines[-1], ("  ", ""), (text, role))
    return lines


def pile(view: State) -> Iterator[Line]:
    if view.table.seats == 2 and view.phase not in ("lead", "over"):
        number = deck_size(view.table, view.cards)
        yield ((f"{'Pile':<{HEAD}}", ""), (f"{counted(number, 'card')} to draw", ""))


def token_row(view: State, names: Names, look: Look) -> Line:
    """Return all tokens in one row, in a fixed order: free, used, or held by a seat."""
    held = view.standing.held
    line: list[Span] = [(" tokens  ", "quiet")]
    for token in TOKENS:
        name = token_name(token)
        if token in held:
            seat = held.index(token)
            said = f"{token_signs(look)[2]} {name} {short_name(names[seat], look)}  "
            line.append((said, ink(seat)))
        elif token in view.standing.available:
            line.append((f"{token_signs(look)[0]} {name}  ", "title"))
        else:
            line.append((f"{token_signs(look)[1]} {name}  ", "quiet"))
    return tuple(line)


def token_signs(look: Look) -> str:
    """Return the signs of free, used and held tokens."""
    return f"{look.solid[0]}{look.hollow[0]}{look.solid[3]}"


def open_hands(view: State) -> Iterator[tuple[int, Bag]]:
    """Yield the seat and the cards of every hand that the view knows."""
    for seat, hand in enumerate(view.cards.hands):
        if hand and not hand >> HIDDEN:
            yield seat, hand


def known_hands(view: State, names: Names, look: Look) -> Iterator[Line]:
    for seat, hand in open_hands(view):
        yield ((f"{shortened(names[seat], NAME, look)} ", ""), *in_short(hand, look))


def in_order(cards: Iterable[Kind]) -> list[Kind]:
    return sorted(cards, key=lambda card: (card in SPECIALS, card))


# --- Beside the picture -----------------------------------------------------------------------


def seats(view: State, names: Names, look: Look, you: Seat | None) -> tuple[Line, ...]:
    rows = []
    for seat, token in enumerate(view.standing.held):
        cards = (f"{size(view.cards.hands[seat]):>3}  ", "")
        rows.append((_mark(seat % 2, look), (cards, (f"+{token}" if token else "", "title"))))
    heading = "    cards  token"
    return player_rows(names, look, you, kitsune.actors(view), heading, rows, least=NAME)


def facts(view: State, look: Look, you: Seat | None) -> tuple[Line, ...]:
    if you is None:
        whose: Line = (_mark(0, look), (" blue   ", ""), _mark(1, look), (" orange", ""))
    else:
        whose = (_mark(you % 2, look), (f" {COLOURS[you % 2]} counts for you", ""))
    lines = [whose]
    told = view.standing.available if view.phase == "take" else ()
    if you is not None and not told and view.standing.held[you]:
        told = (view.standing.held[you],)
    lines += [((f"{token_name(token):<7}", "title"), (EFFECT[token], "quiet")) for token in told]
    return tuple(lines)
