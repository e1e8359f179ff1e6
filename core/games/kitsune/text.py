"""Kitsune: the canonical text of a position, and its packed form.

The text has one line for each part, in the order of `position_text`. Input may omit options and
lines. The defaults are: no rounds won, markers and tricks at 0, every token not in play available,
every card not elsewhere discarded, and everything else empty.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar, cast

from kumite.core.copying import replace
from kumite.core.errors import BadData, BadNotation
from kumite.core.game import CHANCE, HOLE, Actor, Outcome, Packed, Seat, Value, same_text
from kumite.core.games.kitsune.consistency import problem_of
from kumite.core.games.kitsune.state import (
    ALL_CARDS,
    GAME_ID,
    HIDDEN,
    LIMIT,
    NAMES,
    NOBODY,
    REDEAL,
    TOKEN_OF,
    TOKENS,
    TRACK,
    WINS,
    Bag,
    Cards,
    Standing,
    State,
    Table,
    bag_of,
    cards_of,
    deck_size,
    is_hidden,
    laid_text,
    outside,
    parse_laid,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

T = TypeVar("T")


# --- Text -------------------------------------------------------------------------------------


def position_text(state: State, end: Outcome | None) -> str:
    """Return the position in the format of the rules file; `?` is a hidden card."""
    table, standing, cards = state.table, state.standing, state.cards
    detail = {"lead": f" {state.chooser}", "take": f" {state.chooser}", "deal": f" {state.to_deal}"}
    held = (f"{seat}:{token}" for seat, token in enumerate(standing.held) if token)
    gifts = (f"{s}:{NAMES[gift]}" for s, gift in enumerate(cards.gifts) if gift != NOBODY)
    recalled = [f"{cards.recalled[0]}:{NAMES[cards.recalled[1]]}"] if cards.recalled else []
    lines = [
        _head(table),
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
    if end:
        lines.append(f"result {end.reason} {','.join(map(str, end.winners)) or '-'}")
    return "\n".join(lines)


def _head(table: Table) -> str:
    options = f"limit={table.limit} redeal={table.redeal} track={table.track} wins={table.wins}"
    return f"{GAME_ID} {table.seats} {options}"


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
        """Return the cards of line `key`."""
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


def parse_position(said: str, text: Callable[[State], str]) -> State:
    """Return the position from its text; `text` returns the canonical text to compare with.

    Raises:
        BadNotation: the text is invalid; the error names the line.
    """
    lines = _Lines(said)
    table = _parse_head(lines.head)
    phase, chooser, to_deal = _parse_phase(lines)
    cards = _parse_cards(lines, table)
    standing = _parse_standing(lines, table, cards)
    state = State(table, phase, chooser, to_deal, standing, cards)
    if problem := problem_of(state):
        raise BadNotation(f"{GAME_ID}: {problem}")
    head, *canonical = text(state).split("\n")
    kept = [line for line in canonical if line.split()[0] in lines.fields]
    same_text(GAME_ID, "\n".join([head, *lines.rest]), "\n".join([head, *kept]))
    return state


def _parse_head(head: str) -> Table:
    """Parse `kitsune SEATS OPTION=VALUE…`, with options in any order or omitted."""
    words = head.split()
    known: Mapping[str, tuple[Value, ...]]
    known = {"limit": LIMIT, "redeal": REDEAL, "track": TRACK, "wins": WINS}
    values: dict[str, Value] = {"limit": 200, "redeal": "all", "track": 12, "wins": 2}
    for word in words[2:]:
        name, _, value = word.partition("=")
        allowed = {str(one): one for one in known.get(name, ())}
        if value not in allowed:
            raise BadNotation(f"{GAME_ID}: {word!r} in the first line is no option with its value")
        values[name] = allowed[value]
    if words[:1] != [GAME_ID] or words[1:2] not in (["2"], ["4"], ["6"]):
        raise BadNotation(
            f"{GAME_ID}: a position begins with `{GAME_ID} 4`, the game and 2, 4 or 6 seats",
            hint='`kumite engine` prints one on {"do":"view","by":[]}',
        )
    track, wins, limit = (int(values[name]) for name in ("track", "wins", "limit"))
    return Table(int(words[1]), track, wins, str(values["redeal"]), limit)


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


def pack_position(state: State) -> Packed:
    """Return a flat tuple: numbers of one kind as bytes, lists of words as text, bags as ints.

    Cards are stored as their kinds; values that may be NOBODY are stored plus one.
    """
    table, standing, cards = state.table, state.standing, state.cards
    return (
        bytes((table.seats, table.track, table.wins, REDEAL.index(table.redeal), table.limit)),
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


def unpack_position(packed: Packed) -> State:
    """Return the position from the form packed by `pack_position`."""
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
                    Table(seats, track, needed, REDEAL[redeal], limit),
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
                if not problem_of(state) and pack_position(state) == packed:
                    return state
    raise BadData(f"no packed position of {GAME_ID}")


def _ints(packed: tuple[Packed, ...]) -> tuple[int, ...]:
    if any(type(one) is not int for one in packed):
        raise ValueError
    return cast("tuple[int, ...]", packed)
