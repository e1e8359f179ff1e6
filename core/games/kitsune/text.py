"""Kitsune: the canonical text of a position, its packed form, and checks of both.

The text has one line for each part, in the order of `text`. Input may omit options and
lines. The defaults are: no rounds won, markers and tricks at 0, every token not in play available,
every card not elsewhere discarded, and everything else empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Final, TypeAlias, TypeVar, cast

from kumite.core.copying import replace
from kumite.core.errors import BadData, BadNotation
from kumite.core.game import CHANCE, HOLE, Actor, Packed, Seat, Value, same_text
from kumite.core.games.kitsune.state import (
    ALL_CARDS,
    CLAN,
    DUE,
    GAME_ID,
    HIDDEN,
    KATANA,
    NAMES,
    NOBODY,
    ONE,
    OPTIONS,
    PHASES,
    TOKEN_OF,
    TOKENS,
    TRICK,
    UNSEEN,
    UPRIGHT,
    Bag,
    Cards,
    Standing,
    State,
    Table,
    bag_of,
    cards_of,
    count,
    deck_size,
    is_hidden,
    kinds,
    laid_text,
    outcome,
    outside,
    parse_laid,
    player,
    shielded,
    size,
    speaker,
    table_of,
)

T = TypeVar("T")


# --- Text -------------------------------------------------------------------------------------


def text(state: State) -> str:
    """Return the position in the format of the rules file; `?` is a hidden card."""
    table, standing, cards = state.table, state.standing, state.cards
    detail = {"lead": f" {state.chooser}", "take": f" {state.chooser}", "deal": f" {state.to_deal}"}
    options = f"limit={table.limit} redeal={table.redeal} track={table.track} wins={table.wins}"
    held = (f"{seat}:{token}" for seat, token in enumerate(standing.held) if token)
    gifts = (f"{s}:{NAMES[gift]}" for s, gift in enumerate(cards.gifts) if gift != NOBODY)
    recalled = [f"{cards.recalled[0]}:{NAMES[cards.recalled[1]]}"] if cards.recalled else []
    lines = [
        f"{GAME_ID} {table.seats} {options}",
        f"phase {state.phase}{detail.get(state.phase, '')}",
        f"leader {'-' if standing.leader == NOBODY else standing.leader}",
        f"wins {standing.wins[0]} {standing.wins[1]}",
        f"marks {standing.marks[0]} {standing.marks[1]}",
        f"tricks {standing.tricks}",
        _line("available", standing.available),
        _line("held", held),
        _line("trick", map(laid_text, cards.trick)),
        _line("last", (NAMES[card] for card in cards.last)),
        *(_line(f"hand{seat}", _names(hand)) for seat, hand in enumerate(cards.hands)),
        _line("gifts", gifts),
        _line("deck", _deck_names(table, cards)),
        _line("discard", _names(cards.discard)),
        _line("recalled", recalled),
    ]
    if end := outcome(state):
        lines.append(f"result {end.reason} {','.join(map(str, end.winners)) or '-'}")
    return "\n".join(lines)


def _line(key: str, words: Iterable[str]) -> str:
    return f"{key} {' '.join(words) or '-'}"


def _names(bag: Bag) -> list[str]:
    return [NAMES[kind] for kind in cards_of(bag)] + [HOLE] * (bag >> HIDDEN)


def _deck_names(table: Table, cards: Cards) -> list[str]:
    if is_hidden(cards):
        return [HOLE] * deck_size(table, cards)
    return _names(ALL_CARDS[table.seats] - outside(cards))


class _Lines:
    """The lines of a position's text, by their first word."""

    def __init__(self, said: str) -> None:
        self.head, *rest = said.strip("\n").split("\n")
        self.rest = rest
        self.fields: dict[str, list[str]] = {}
        for line in rest:
            key, *words = line.split() or [""]
            self.fields.setdefault(key, [] if words == ["-"] else words)

    def read(
        self, key: str, convert: Callable[[str], T], default: tuple[T, ...] = ()
    ) -> tuple[T, ...]:
        """Return the converted words of line `key`, or `default` if it is missing.

        Raises:
            BadNotation: `convert` rejects a word.
        """
        if key not in self.fields:
            return default
        try:
            return tuple(map(convert, self.fields[key]))
        except (ValueError, KeyError, IndexError) as error:
            raise _bad_line(key, " ".join(self.fields[key])) from error

    def number(self, key: str, default: int) -> int:
        """Return the single number of line `key`, or `default` if there is none."""
        numbers = self.read(key, int)
        if len(numbers) > 1:
            raise _bad_line(key, " ".join(self.fields[key]))
        return numbers[0] if numbers else default

    def bag(self, key: str) -> Bag:
        return bag_of(self.read(key, NAMES.index))

    def by_seat(self, key: str, seats: int, convert: Callable[[str], T], none: T) -> tuple[T, ...]:
        """Return the values of line `key`, written as `SEAT:WORD`, for each seat."""
        items = [none] * seats
        for seat, item in self.read(key, lambda word: (int(word[0]), convert(word[2:]))):
            if seat >= seats:
                raise _bad_line(key, " ".join(self.fields[key]))
            items[seat] = item
        return tuple(items)


def _bad_line(key: str, found: str) -> BadNotation:
    return BadNotation(f"{GAME_ID}: line `{key}` of the position cannot be {found!r}")


def parse(said: str) -> State:
    """Return the position from its text; options and lines may be omitted for their defaults.

    Raises:
        BadNotation: the text is invalid; the error names the line.
    """
    lines = _Lines(said)
    table = _parse_head(lines.head)
    phase, chooser, to_deal = _parse_phase(lines)
    cards = _parse_cards(lines, table)
    standing = _parse_standing(lines, table, cards)
    state = State(table, phase, chooser, to_deal, standing, cards)
    if problem := _problem_of(state):
        raise BadNotation(f"{GAME_ID}: {problem}")
    head, *canonical = text(state).split("\n")
    kept = [line for line in canonical if line.split()[0] in lines.fields]
    same_text(GAME_ID, "\n".join([head, *lines.rest]), "\n".join([head, *kept]))
    return state


def _parse_head(head: str) -> Table:
    """Parse `kitsune SEATS OPTION=VALUE…`, with options in any order or omitted."""
    words = head.split()
    known = {f"{one.name}={value}": (one.name, value) for one in OPTIONS for value in one.allowed}
    values: dict[str, Value] = {one.name: one.default for one in OPTIONS}
    for word in words[2:]:
        if word not in known:
            raise BadNotation(f"{GAME_ID}: {word!r} in the first line is no option with its value")
        name, value = known[word]
        values[name] = value
    if words[:1] != [GAME_ID] or words[1:2] not in (["2"], ["4"], ["6"]):
        raise BadNotation(
            f"{GAME_ID}: a position begins with `{GAME_ID} 4`, the game and 2, 4 or 6 seats",
            hint='`kumite engine` prints one on {"do":"view","by":[]}',
        )
    return table_of(int(words[1]), values)


_COUNTS: Final = tuple(map(str, range(1, 31)))  # of cards to be dealt


def _parse_phase(lines: _Lines) -> tuple[str, Actor, int]:
    match lines.fields.get("phase", []):
        case ["lead" | "take" as phase, word] if word in ("*", *"012345"):
            return phase, CHANCE if word == CHANCE else Seat(int(word)), 0
        case ["deal", word] if word in _COUNTS:
            return "deal", CHANCE, int(word)
        case ["give" | "gift" | "play" | "show" | "over" as phase]:
            return phase, CHANCE, 0
        case words:
            raise _bad_line("phase", " ".join(words))


def _parse_cards(lines: _Lines, table: Table) -> Cards:
    hands = tuple(lines.bag(f"hand{seat}") for seat in range(table.seats))
    gifts = lines.by_seat("gifts", table.seats, NAMES.index, NOBODY)
    trick, last = lines.read("trick", parse_laid), lines.read("last", NAMES.index)
    pairs = lines.read("recalled", lambda word: (int(word[0]), NAMES.index(word[2:])))
    cards = Cards(hands, gifts, trick, last, 0, pairs[0] if pairs else None)
    if "discard" in lines.fields:
        discard = lines.bag("discard")
    elif is_hidden(cards):
        raise BadNotation(f"{GAME_ID}: a view needs the line `discard`")
    else:
        discard = ALL_CARDS[table.seats] - outside(cards) - lines.bag("deck")
    return replace(cards, discard=discard)


def _parse_standing(lines: _Lines, table: Table, cards: Cards) -> Standing:
    leader = lines.number("leader", NOBODY)
    held = lines.by_seat("held", table.seats, str, "")
    gone = {*held, *(TOKEN_OF.get(laid.boost, "") for laid in cards.trick)}
    if cards.recalled:
        gone.add("recall")
    rest = tuple(token for token in TOKENS if token not in gone)
    available = lines.read("available", str, rest)
    wins, marks = lines.read("wins", int, (0, 0)), lines.read("marks", int, (0, 0))
    return Standing(leader, wins, marks, lines.number("tricks", 0), available, held)


# --- Bytes ------------------------------------------------------------------------------------


def pack(state: State) -> Packed:
    """Return a flat tuple: numbers of one kind as bytes, lists of words as text, bags as ints.

    Cards are stored as their kinds; values that may be NOBODY are stored plus one.
    """
    table, standing, cards = state.table, state.standing, state.cards
    return (
        bytes((table.seats, table.track, table.wins, table.redeal == "setup", table.limit)),
        state.phase,
        str(state.chooser),
        state.to_deal,
        bytes((standing.leader + 1, *standing.wins, *standing.marks, standing.tricks)),
        " ".join(standing.available),
        ",".join(standing.held),
        cards.hands,
        bytes([gift + 1 for gift in cards.gifts]),
        " ".join(map(laid_text, cards.trick)),
        bytes(cards.last),
        cards.discard,
        bytes(cards.recalled or ()),
    )


def unpack(packed: Packed) -> State:
    """Return the position from the form packed by `pack`."""
    match packed:
        case (
            bytes(options),
            str(phase),
            str(chooser),
            int(to_deal),
            bytes(numbers),
            str(available),
            str(held),
            tuple(hands),
            bytes(gifts),
            str(trick),
            bytes(last),
            int(discard),
            bytes(recalled),
        ) if (len(options), len(numbers)) == (5, 6) and chooser in (CHANCE, *"012345"):
            with suppress(ValueError, IndexError):
                seats, track, needed, redeal, limit = options
                leader, blue_wins, orange_wins, blue, orange, tricks = numbers
                tokens = tuple(available.split()), tuple(held.split(","))
                state = State(
                    Table(seats, track, needed, ("all", "setup")[redeal], limit),
                    phase,
                    CHANCE if chooser == CHANCE else Seat(int(chooser)),
                    to_deal,
                    Standing(leader - 1, (blue_wins, orange_wins), (blue, orange), tricks, *tokens),
                    Cards(
                        _ints(hands),
                        tuple(gift - 1 for gift in gifts),
                        tuple(map(parse_laid, trick.split())),
                        tuple(last),
                        discard,
                        (recalled[0], recalled[1]) if recalled else None,
                    ),
                )
                if not _problem_of(state) and pack(state) == packed:
                    return state
    raise BadData(f"no packed position of {GAME_ID}")


def _ints(packed: tuple[Packed, ...]) -> tuple[int, ...]:
    if any(type(one) is not int for one in packed):
        raise ValueError
    return cast("tuple[int, ...]", packed)


# --- Whether a position is consistent ---------------------------------------------------------

_Checks: TypeAlias = "Iterator[tuple[bool, str]]"
"""Conditions with their error messages; each may rely on the previous ones."""


def _problem_of(state: State) -> str:
    """Return what is wrong with a position; empty if it is consistent."""
    for checks in (_part_checks, _trick_checks, _card_checks, _standing_checks, _phase_checks):
        for holds, complaint in checks(state):
            if not holds:
                return complaint
    return ""


def _part_checks(state: State) -> _Checks:
    table, standing, cards = state.table, state.standing, state.cards
    yield table.seats in TRICK, "the first line: there are 2, 4 or 6 seats"
    are_known = all(getattr(table, one.name) in one.allowed for one in OPTIONS)
    yield are_known, "the first line: an option has no such value"
    yield state.phase in PHASES, "line `phase`: there is no such phase"
    seats = range(table.seats)
    is_first = state.phase == "lead" and state.chooser == CHANCE
    leaders = (NOBODY,) if is_first else seats
    yield standing.leader in leaders, "line `leader`: no seat, but before the first round"
    yield len(standing.wins) == 2, "line `wins`: one number for each clan"
    yield len(standing.marks) == 2, "line `marks`: one number for each clan"
    yield len(standing.held) == table.seats, "line `held`: one place for each seat"
    yield len(cards.hands) == table.seats, "line `hand0`: one hand for each seat"
    yield all(map(_is_hand, cards.hands)), "line `hand0`: a hand is known or hidden as a whole"
    yield len(cards.gifts) == table.seats, "line `gifts`: one place for each seat"
    yield set(cards.gifts) <= {NOBODY, *range(UNSEEN + 1)}, "line `gifts`: no such card"
    yield set(cards.last) <= set(range(UNSEEN)), "line `last`: no such card"
    yield 0 <= cards.discard < ONE[UNSEEN], "line `discard`: every card is open"
    if cards.recalled is not None:
        seat, card = cards.recalled
        yield seat in seats and card in range(UNSEEN + 1), "line `recalled`: no such seat or card"


def _is_hand(bag: Bag) -> bool:
    return 0 <= bag < ONE[UNSEEN] << 4 and (bag < ONE[UNSEEN] or bag % ONE[UNSEEN] == 0)


def _trick_checks(state: State) -> _Checks:
    trick, last = state.cards.trick, state.cards.last
    for laid in trick:
        word, is_down = laid_text(laid), laid.boost == "shield"
        yield not laid.boost or laid.boost in TOKEN_OF, f"line `trick`: {word!r} has no such token"
        yield is_down or laid.card != UNSEEN, "line `trick`: only a shield hides a card"
        yield not (is_down and laid.card in UPRIGHT), f"line `trick`: {word!r} cannot be shielded"
        is_number = CLAN[laid.card] != NOBODY and not is_down
        yield is_number or not laid.is_hit, f"line `trick`: {word!r} cannot be destroyed"
    left = 0  # Katanas that may have destroyed an earlier card
    for laid in reversed(trick):
        left += (laid.card == KATANA) - laid.is_hit
        yield left >= 0, "line `trick`: a Katana destroys one number before it"
    yield len(last) in (0, TRICK[state.table.seats]), "line `last`: neither empty nor a whole trick"


def _card_checks(state: State) -> _Checks:
    cards, copies = state.cards, ALL_CARDS[state.table.seats]
    last = bag_of(cards.last)
    is_in = all(count(last, kind) <= count(cards.discard, kind) for kind in kinds(last))
    yield is_in, "line `last`: these cards are in the discards"
    fetched = cards.recalled[1] if cards.recalled else NOBODY
    possible = (NOBODY, UNSEEN, *kinds(cards.discard)) if cards.discard else (NOBODY,)
    yield fetched in possible, "line `recalled`: the card was in the discards"
    for seat in range(state.table.seats):
        yield _is_whole(state, seat), f"line `hand{seat}`: seat {seat}'s cards are hidden in part"
    places = [*cards.hands, cards.discard, *(ONE[laid.card] for laid in cards.trick)]
    places += [ONE[gift] for gift in cards.gifts if gift != NOBODY]
    places = [bag % ONE[UNSEEN] for bag in places]
    known = sum(places)
    yield size(known) == sum(map(size, places)), "there are more than 15 cards of one kind"
    if fetched not in (NOBODY, UNSEEN):
        known -= ONE[fetched]
    excess = 0  # an unseen fetched card may have been played again
    for kind in kinds(known):
        excess += max(0, count(known, kind) - count(copies, kind))
        yield excess <= (fetched == UNSEEN), f"there are too many {NAMES[kind]}"
    yield deck_size(state.table, cards) >= 0, "there are too many cards"


def _is_whole(state: State, seat: int) -> bool:
    """Return whether the view shows all or nothing of what only `seat` knows."""
    cards, index = state.cards, shielded(state.cards.trick)
    hidden = {cards.hands[seat] >> HIDDEN > 0} if cards.hands[seat] else set()
    if cards.gifts[seat] != NOBODY:
        hidden.add(cards.gifts[seat] == UNSEEN)
    if index != NOBODY and player(state, index) == seat:
        hidden.add(cards.trick[index].card == UNSEEN)
    if cards.recalled is not None and cards.recalled[0] == seat:
        hidden.add(cards.recalled[1] == UNSEEN)
    return len(hidden) < 2


def _standing_checks(state: State) -> _Checks:
    table, standing, cards = state.table, state.standing, state.cards
    is_over = state.phase == "over"
    is_won = table.wins in standing.wins
    yield set(standing.wins) <= set(range(table.wins + 1)), "line `wins`: too many rounds"
    yield standing.wins != (table.wins, table.wins), "line `wins`: one clan wins the match"
    yield set(standing.marks) <= set(range(table.track + 1)), "line `marks`: beyond the track"
    at_end = standing.marks.count(table.track)
    yield at_end <= is_over, "line `marks`: a marker on the last space ends the round"
    yield 0 <= standing.tricks <= table.limit, "line `tricks`: beyond the limit"
    is_end = is_won or standing.tricks == table.limit
    yield is_over == is_end, "line `phase`: over by the rounds won, or by the tricks played"
    used = [TOKEN_OF[laid.boost] for laid in cards.trick if laid.boost]
    tokens = [*standing.available, *filter(None, standing.held), *used]
    yield list(standing.available) == sorted(standing.available), "line `available`: not sorted"
    yield set(tokens) <= set(TOKENS), "line `held`: no such token"
    yield len(set(tokens)) == len(tokens), "line `held`: each token is in one place only"
    both = (sum(map(bool, standing.held[clan::2])) for clan in (0, 1))
    yield max(both) < 2, "line `held`: a clan has one token at most"
    is_used = cards.recalled is None or "recall" not in tokens
    yield is_used, "line `recalled`: the token has been used in this round"


def _phase_checks(state: State) -> _Checks:
    table, phase, cards, standing = state.table, state.phase, state.cards, state.standing
    deck = deck_size(table, cards)
    if state.chooser == CHANCE:
        yield phase != "take", "line `phase`: a seat takes the token"
    else:
        seat = int(state.chooser)
        right = speaker(standing.leader, seat % 2, table.seats)
        yield phase in ("lead", "take") and seat == right, "line `phase`: not the speaker"
        yield phase == "take" or table.seats > 2, "line `phase`: the winner leads"
    if phase == "take":
        free = standing.available and not any(standing.held[int(state.chooser) % 2 :: 2])
        yield bool(free), "line `held`: the clan can take no token"
    to_deal = range(1, deck + 1) if phase == "deal" else (0,)
    yield state.to_deal in to_deal, "line `phase`: too many cards to deal"
    laid, full = len(cards.trick), TRICK[table.seats]
    lengths = {"play": range(full), "show": (full,)}.get(phase, (0,))
    yield laid in lengths, "line `trick`: too many cards for this phase"
    yield phase != "show" or shielded(cards.trick) != NOBODY, "line `trick`: no card to show"
    given = [gift != NOBODY for gift in cards.gifts]
    is_right = {"give": not all(given), "gift": any(given) and given == sorted(given)}
    yield is_right.get(phase, not any(given)), "line `gifts`: not these in this phase"
    if phase in ("lead", "give", "gift") or (phase == "deal" and table.seats > 2):
        yield not cards.discard and not cards.recalled, "line `discard`: all has been gathered"
    if table.seats > 2:
        yield phase == "lead" or deck == state.to_deal, "line `deck`: every card is dealt"
    else:
        yield phase not in ("give", "gift"), "line `phase`: nobody exchanges with 2 seats"
        yield (deck - state.to_deal) % full == 0, "line `deck`: each seat draws two at a time"
    yield _is_enough(state), "line `hand0`: these hands cannot play on"


def _is_enough(state: State) -> bool:
    """Return whether every seat can play a card whenever it must, until a new deal."""
    table, phase, leader = state.table, state.phase, state.standing.leader
    if phase in ("lead", "over"):
        return phase == "over" or not any(state.cards.hands)
    sizes = [size(hand) for hand in state.cards.hands]
    if phase == "deal":
        for left in range(state.to_deal, 0, -1):
            sizes[(leader - left) % table.seats] += 1
        if table.seats > 2:
            return set(sizes) == {DUE[table.seats]}
    if phase in ("give", "gift"):  # nobody gives its only card
        waiting = (gift == NOBODY for gift in state.cards.gifts)
        return all(n > (phase == "give" and waits) for n, waits in zip(sizes, waiting, strict=True))
    if phase == "play":
        for index in range(len(state.cards.trick), TRICK[table.seats]):
            sizes[player(state, index)] -= 1
    each = TRICK[table.seats] // table.seats
    return min(sizes) >= 0 and min(sizes) % each == 0
