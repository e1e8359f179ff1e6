"""Cards of a hand and on the table: sizes, names, marks, backs."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

import pytest

from kumite.tui.drawing import cards
from kumite.tui.drawing.cards import Lying, card_rows, hand_rows
from kumite.tui.drawing.pixels import QUADRANTS, Brush, cells_of
from kumite.tui.drawing.spread import spread_rows
from kumite.tui.drawing.stage import stage_rows
from kumite.tui.games.kiriai import picture as kiriai
from kumite.tui.look import colors
from kumite.tui.look.roles import role_of
from kumite.tui.look.sprites import Skin
from kumite.tui.scenes.lines import Named, plain, width
from kumite.tui.scenes.pictures import Card, Group, Spread, Stage

BRUSHES = {"pictures": Brush(Skin()), "characters": Brush(None, has_pictures=False)}
BLUE = Card("kitsune-blue", "blue-dark", rank="5", copies=2)
BACK = Card("kitsune-back", is_back=True)
HIGH = Card("kiriai-card-high", title="high", note="at 2")
HAND = (BLUE, Card("kitsune-orange", "orange-dark", rank="1"), BACK, HIGH)
DARK = colors.read("dark")


def widths(rows: tuple[object, ...]) -> set[int]:
    return {width(plain(row)) for row in rows}


FACES = ("approach", "retreat", "high", "low", "balanced", "kesa", "zantetsu", "counter")


@pytest.mark.parametrize("size", cards.SIZES, ids=str)
@pytest.mark.parametrize("columns", [58, 78, 88, 98, 118, 140, 180])
def test_a_card_of_a_hand_has_its_full_name_wherever_there_is_room(
    columns: int, size: tuple[int, int]
) -> None:
    hand = tuple(map(kiriai.card, FACES))
    shown = cards.in_full(hand, size, columns)
    in_short = tuple(replace(card, title=card.short, short="") for card in hand)
    fits = row_columns(in_short, size) <= columns
    assert not fits or row_columns(shown, size) <= columns
    for at, (card, full) in enumerate(zip(shown, hand, strict=True)):
        if card != replace(full, short=""):
            assert card == in_short[at]
            kind = [full.title.split()[-1] == one.title.split()[-1] for one in hand]
            pairs = zip(shown, hand, kind, strict=True)
            whole = [replace(new, short="") if is_one else old for old, new, is_one in pairs]
            assert row_columns(tuple(whole), size) > columns
    names = plain(hand_rows(hand, (Lying(),) * 8, BRUSHES["pictures"], size, columns)[1])
    assert not fits or all(card.title in names for card in shown)
    assert columns < 180 or all(card.title in names for card in hand) or size == cards.SIZES[0]


def row_columns(hand: tuple[Card, ...], size: tuple[int, int]) -> int:
    """Return the columns of a hand without gaps."""
    return sum(cards.in_hand(card, size)[0] for card in hand)


def test_a_card_of_the_table_has_its_full_name_where_its_size_lets_it() -> None:
    kesa, brush = kiriai.card("kesa"), BRUSHES["pictures"]
    told = [plain(card_rows(kesa, Lying(), brush, size)[0]).strip() for size in cards.SIZES[1:4]]
    assert told == ["Kesa Giri", "Kesa Giri", "Kesa"]


def test_words_below_a_stage_have_full_names_where_both_sides_have_room() -> None:
    said = [Named(f"{full} hit", f"{full.split()[0]} hit") for full in ("Kesa Giri", "Low Strike")]
    one = Stage(("1",), words=((((said[0], ""),), (), ((said[1], ""),)),))
    for columns, told in ((60, ["Kesa Giri hit", "Low Strike hit"]), (24, ["Kesa hit", "Low hit"])):
        last = plain(stage_rows(one, BRUSHES["pictures"], columns, 20)[-1])
        assert re.split(r" {2,}", last.strip()) == told


@pytest.mark.parametrize("brush", BRUSHES.values(), ids=BRUSHES)
@pytest.mark.parametrize("size", cards.SIZES, ids=str)
def test_a_card_fills_its_place_and_says_what_it_is(size: tuple[int, int], brush: Brush) -> None:
    for card in HAND:
        for lying in (Lying(), Lying(False, True)):
            rows = card_rows(card, lying, brush, size)
            assert len(rows) == size[1]
            assert widths(rows) == {cards.taken_columns(card, size)}
            assert all(DARK.pen(ink) for row in rows for _, ink in row)
    first, *_, last = map(plain, card_rows(BLUE, Lying(), brush, size))
    assert "5" in first
    if size[1] >= cards.PICTURED or brush.skin is None:
        assert "5" in last
    else:
        assert set(last[1:-2]) & set("▀▄█▛▜▙▟▝▘▖▗")  # its face
    first, *_, last = map(plain, card_rows(HIGH, Lying(), brush, size))
    assert "high" in first
    assert "at 2" in last


def test_a_card_of_the_largest_size_is_filled_by_its_picture() -> None:
    (wide, high), *_ = cards.SIZES
    for card in (replace(BLUE, copies=1), BACK):
        rows = card_rows(card, Lying(), BRUSHES["pictures"], (wide, high))
        inks = [ink.partition("/") for row in rows[1:-1] for _, ink in cells_of(row)]
        assert sum({one, two} != {"", "paper"} for one, _, two in inks) > wide * high / 3
        middle = [ink for _, ink in cells_of(rows[high // 2])]
        assert all(one == two for one, two in zip(middle[::2], middle[1::2], strict=True))


def test_where_there_are_no_colours_a_card_says_its_own() -> None:
    plainly = Brush(Skin(), has_pictures=False, signs="●■▲")
    for size in cards.SIZES:
        is_large = size[1] > cards.PICTURED
        for card, told in ((HAND[1], ("1o", "1 orange")), (BLUE, ("5b", "5 blue"))):
            told = told[is_large]
            rows = [plain(row) for row in card_rows(card, Lying(), plainly, size)]
            assert told in rows[0]
            assert card.copies == 1 or "×2" in rows[0]
            assert told not in plain(card_rows(card, Lying(), BRUSHES["pictures"], size)[0])


@pytest.mark.parametrize("title", ["approach", "balanced", "zantetsu"])
def test_an_edge_takes_no_letter_of_a_word(title: str) -> None:
    card = Card("kiriai-card-high", title=title, note="at 2-3 ▼")
    first, *_, last = card_rows(card, Lying(False, True), BRUSHES["pictures"], (9, 6))
    assert title in plain(first)
    assert "at 2-3 ▼" in plain(last)


def test_the_number_of_copies_takes_no_letter_of_a_word() -> None:
    for title in ("Katana", "White", "Black"):
        card = Card("kitsune-katana", title=title, copies=2)
        for size in cards.SIZES:
            whole = cards.in_hand(card, size)
            first, *_ = card_rows(card, Lying(), BRUSHES["pictures"], whole)
            assert f"{title}×2" in plain(first).replace(" ", "")


def test_in_a_narrow_hand_notes_are_covered_before_names_are() -> None:
    """At 60 columns Kiri-ai's cards were called approa, retrea, stanc: all lost as much."""
    said = {"approach": "1 ahead", "retreat": "1 back", "charge": "2 ahead", "stance": "turn"}
    said |= {"high": "at 2 ▲", "low": "at 1 ▼", "balanced": "at 0", "zantetsu": "at 2-3 ▼"}
    hand = tuple(Card("kiriai-card-high", title=name, note=note) for name, note in said.items())
    row = plain(hand_rows(hand, (Lying(),) * 8, BRUSHES["characters"], cards.SIZES[-1], 58)[1])
    assert row.replace("▏", " ").split() == list(said)


@pytest.mark.parametrize("at", range(11))
def test_in_a_crowded_hand_names_stay_whole(at: int) -> None:
    hand = [Card("kitsune-blue", "blue-dark", rank=f"{1 + number % 9}") for number in range(11)]
    hand[at] = Card("kitsune-white", title="White")
    size = cards.fitting(tuple(hand), 48, 5)
    rows = hand_rows(tuple(hand), (Lying(),) * 11, BRUSHES["pictures"], size, 48)
    assert "White" in plain(rows[1])
    assert widths(rows) == {48}


@pytest.mark.parametrize("size", cards.SIZES, ids=str)
def test_marks_of_cards_differ_without_colour(size: tuple[int, int]) -> None:
    def seen(lying: Lying) -> tuple[str, ...]:
        rows = hand_rows((BLUE,), (lying,), BRUSHES["characters"], size, size[0] + 1)
        return tuple(plain(row) for row in rows)

    ways = [Lying(a, b) for a in (False, True) for b in (False, True)]
    assert len({seen(way) for way in ways}) == len(ways)


def test_a_card_that_cannot_be_played_is_lower_than_the_others() -> None:
    dim = replace(HIGH, is_dim=True)
    rows = hand_rows((HIGH, dim), (Lying(), Lying()), BRUSHES["pictures"], (13, 9), 30)
    papers = [
        [ink.split("/")[1].removesuffix("!") for text, ink in row for _ in text] for row in rows
    ]
    assert [row[-5] for row in papers] == 4 * ["background"] + 6 * ["paper-dim"]
    assert [row[3] == "background" for row in papers] == [True] + 9 * [False]


def test_a_chosen_card_is_raised_by_a_row() -> None:
    brush, size = BRUSHES["characters"], (9, 6)
    lying = (Lying(), Lying(False, True), Lying(), Lying())
    rows = [plain(row) for row in hand_rows(HAND, lying, brush, size, 60)]
    assert len(rows) == size[1] + 1
    assert "1" in rows[0]
    assert "5" not in rows[0]
    assert "5" in rows[1]
    assert widths(hand_rows(HAND, lying, brush, size, 60)) == {60}


@pytest.mark.parametrize("is_dim", [False, True])
@pytest.mark.parametrize("is_chosen", [False, True])
def test_the_card_under_the_cursor_has_a_golden_edge_that_touches_it(
    *, is_chosen: bool, is_dim: bool
) -> None:
    """A bar apart from it looked like a lid, and was overlooked where it was as light as paper."""
    hand = (replace(BLUE, is_dim=is_dim), *HAND[1:])
    lying = (Lying(True, is_chosen), Lying(False, True), Lying(), Lying())
    brush, size = BRUSHES["pictures"], (9, 6)
    left, *_ = cards.places(hand, size, 60)
    right = left + cards.taken_columns(BLUE, size)
    rows, others = (
        [cells_of(row) for row in hand_rows(hand, one, brush, size, 60)]
        for one in (lying, (Lying(False, is_chosen), *lying[1:]))
    )
    (changed,) = [
        at for at, (one, other) in enumerate(zip(rows, others, strict=True)) if one != other
    ]
    gold = [("▀" if is_chosen else "▄", "gold-dark/background")] * (right - left)
    assert rows[changed][left:right] == gold
    assert rows[changed][right:] == others[changed][right:]
    card = rows[changed - 1 if is_chosen else changed + 1][left:right]
    assert all("paper" in ink for _, ink in card)


SIZES = [(200, 20), (80, 12), (48, 8), (40, 8), (30, 4), (10, 2)]


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_hand_takes_the_largest_cards_that_fit(columns: int, rows: int) -> None:
    size = cards.fitting(HAND, columns, rows)
    drawn = hand_rows(HAND, (Lying(),) * 4, BRUSHES["characters"], size, columns)
    assert size == cards.SIZES[-1] or (widths(drawn) == {columns} and len(drawn) <= rows)
    larger = cards.SIZES[: cards.SIZES.index(size)]
    assert all(cards.row_columns(HAND, one) > columns or one[1] + 1 > rows for one in larger)


@pytest.mark.parametrize("columns", range(26, 60, 3))
@pytest.mark.parametrize("copies", [1, 2])
def test_of_cards_that_lie_over_each_other_every_rank_is_seen(columns: int, copies: int) -> None:
    hand = tuple(Card("kitsune-blue", "blue-dark", rank=str(n), copies=copies) for n in range(1, 7))
    size = cards.fitting(hand, columns, 8)
    rows = hand_rows(hand, (Lying(),) * 6, BRUSHES["pictures"], size, columns)
    said = re.findall(r"(\d)(?: *×(2))?", plain(rows[1]))
    assert said == [(n, "2" * (copies > 1)) for n in "123456"]


@pytest.mark.parametrize(("columns", "rows"), [(120, 15), (80, 8), (60, 5)])
def test_cards_on_the_table_stand_in_the_middle_with_their_labels(columns: int, rows: int) -> None:
    spread = Spread((Group((BLUE, BACK), (("ada", ""),)), Group((HIGH,), (("bob", "title"),))))
    drawn = spread_rows(spread, BRUSHES["pictures"], columns, rows)
    assert len(drawn) == rows
    assert widths(drawn) == {columns}
    text = "\n".join(map(plain, drawn))
    assert "ada" in text
    assert "bob" in text


TRICK = tuple(
    Group((Card("kitsune-blue", "blue-dark", rank=str(n)),), (("ada", ""), ("", "")))
    for n in range(1, 5)
)
OPEN = tuple(
    Group(
        (*(Card("kitsune-orange", "orange-dark", rank=str(n)) for n in range(5, 8)), HIGH),
        ((name, ""),),
    )
    for name in ("bob", "cleo")
)


def test_cards_have_pictures_before_there_are_words_beside_them_which_stand_below_then() -> None:
    words = ((("trick ", ""), ("5", "")), (("blue   1", ""),), (("12 to draw", ""),))
    drawn = spread_rows(Spread(TRICK, words), BRUSHES["pictures"], 50, 16)
    assert widths(drawn) == {50}
    said = [plain(row) for row in drawn]
    assert [row for row in said if "▀" in row]
    assert [row.split() for row in said if "trick" in row] == [
        ["trick", "5", "blue", "1", "12", "to", "draw"]
    ]
    (narrow,) = [
        plain(row)
        for row in spread_rows(Spread(TRICK, words), BRUSHES["pictures"], 50, 7)
        if "12 to draw" in plain(row)
    ]
    assert "trick" not in narrow


@pytest.mark.parametrize(
    ("columns", "name", "held"), [(60, "Y bot 1", "6 cards"), (36, "Ybot 1", "6 held")]
)
def test_a_player_stands_on_a_plate_below_each_card_and_in_short_where_it_is_narrow(
    columns: int, name: str, held: str
) -> None:
    plate, few = Named("Y bot 1", "Ybot 1"), Named("6 cards", "6 held")
    groups = tuple(
        replace(group, labels=((plate, "kitsune.card-orange"), (few, "quiet"))) for group in TRICK
    )
    rows = spread_rows(Spread((*groups, groups[0])), BRUSHES["pictures"], columns, 6)
    plates = [(text, ink) for row in rows for text, ink in row if "bot 1" in text]
    assert {text.strip() for text, _ in plates} == {name}
    assert {ink for _, ink in plates} == {"on-seat/seat-4!"}
    assert len(plates) == 5
    assert "\n".join(map(plain, rows)).count(held) == 5
    assert widths(rows) == {columns}


def test_what_is_below_the_cards_moves_none_of_them() -> None:
    words = ((("trick 1", ""),),)
    longer = (*words, (("blue 10 and orange 11 ?", ""),), (("Zenko +12 so far", ""),))
    hands = (Group(TRICK[0].cards * 12, (("bob", ""),)),)
    drawn = [
        spread_rows(Spread(TRICK, said, hands=open_), BRUSHES["pictures"], 50, 16)
        for said in (words, longer)
        for open_ in (OPEN[:1], hands)
    ]
    columns = {next(plain(row).index("1") for row in rows if " 1 " in plain(row)) for rows in drawn}
    assert len(columns) == 1


@pytest.mark.parametrize(
    ("columns", "rows", "is_pictured"),
    [(88, 24, True), (88, 21, False), (50, 16, False), (50, 10, False)],
)
def test_open_hands_lie_below_the_trick_each_card_with_its_name(
    columns: int, rows: int, *, is_pictured: bool
) -> None:
    drawn = spread_rows(Spread(TRICK, hands=OPEN), BRUSHES["pictures"], columns, rows)
    assert len(drawn) == rows
    assert widths(drawn) == {columns}
    said = [plain(row) for row in drawn]
    names = next(number for number, row in enumerate(said) if "bob" in row)
    if is_pictured:
        assert re.findall(r"\w+", said[names - 3]) == ["5", "6", "7", "high"]
    else:
        below = [row.split() for row in said[names:] if row.strip()]
        assert below == [[name, "5", "6", "7", "high"] for name in ("bob", "cleo")]


@pytest.mark.parametrize("columns", [40, 50, 88])
def test_open_hands_that_are_too_broad_go_on_in_the_next_row(columns: int) -> None:
    cards_of = (HIGH, Card("kitsune-katana", "red", title="Katana")) * 4
    drawn = spread_rows(
        Spread(TRICK, hands=(Group(cards_of, (("a" * 30, ""),)),)), BRUSHES["pictures"], columns, 14
    )
    assert widths(drawn) == {columns}
    text = " ".join(map(plain, drawn))
    assert text.count("Katana") == text.count("high") == 4
    assert "a" * 11 not in text


def test_a_cut_label_keeps_a_number_at_its_end_and_else_its_beginning() -> None:
    for name, shown in (("Alexandra of Kyoto", "Alexand…"), ("Alexander 12", "Alexa…12")):
        groups = tuple(Group((BLUE,), ((name, ""),)) for _ in range(4))
        rows = spread_rows(Spread(groups), BRUSHES["pictures"], 36, 12)
        assert shown in "\n".join(map(plain, rows))


def test_words_below_the_cards_are_wrapped_between_their_parts() -> None:
    parts = ("trick 5 of 200", "blue 6", "orange 1", "Zenko +5 to win")
    said = Spread((Group((BLUE,) * 4, (("ada", ""),)),), tuple(((one, ""),) for one in parts))
    for columns in range(18, 60):
        rows = "\n".join(map(plain, spread_rows(said, BRUSHES["pictures"], columns, 30)))
        assert all(one in rows for one in parts), columns


def test_hidden_hands_and_a_large_score_stand_beside_the_cards_where_there_is_room() -> None:
    groups = tuple(
        Group((BLUE,), (("ada", ""), (f"to bot easy {at}", "")), (BACK,) * 4) for at in range(4)
    )
    said = Spread(groups, ((("Zenko", "title"), (" +8", "title")),), score=("+8", "kitsune.blue"))
    high, low = (spread_rows(said, BRUSHES["pictures"], 100, rows) for rows in (18, 3))
    for rows, is_high in ((high, True), (low, False)):
        text = "\n".join(map(plain, rows))
        assert ("Zenko +8" in text) == (not is_high)
        lit = [row for row in rows if plain(row).strip()]
        ends = [(width(plain(row)) - width(plain(row).strip())) for row in lit]
        assert min(ends) >= 2  # in the middle, not at an edge
    capped = replace(said, words=((*said.words[0], (" of 12", "quiet")),))
    drawn = map(plain, spread_rows(capped, BRUSHES["pictures"], 100, 20))
    assert any(row.endswith("of 12") and "█" in row for row in map(str.rstrip, drawn))
    narrow = "\n".join(map(plain, spread_rows(said, BRUSHES["pictures"], 56, 12)))
    assert all(f"… {at}" in narrow for at in range(4))  # cut, and still different
    backs = [plain(row) for row in high[:8] if any("violet" in ink for _, ink in row)]
    for row, edge, end in zip(backs, "▛▌▙", "▜▐▟", strict=True):  # four cards, above each card
        assert (row.count(edge), row.count(end)) == (16, 4)


@pytest.mark.parametrize(("columns", "rows", "high"), [(100, 18, 3), (100, 20, 4), (80, 24, 6)])
def test_hidden_hands_are_larger_where_rows_are_free(columns: int, rows: int, high: int) -> None:
    def hand(held: int) -> list[list[str]]:
        groups = (Group((HIGH,), (("ada", ""),), (BACK,) * held),) * 4
        drawn = spread_rows(Spread(groups), BRUSHES["pictures"], columns, rows)
        assert widths(drawn) == {columns}
        cells = [[ink for _, ink in cells_of(row)] for row in drawn]
        backs = cells[: next(n for n, row in enumerate(drawn) if "high" in plain(row))]
        return [row for row in backs if any("violet" in ink or "/paper" in ink for ink in row)]

    hands = {held: hand(held) for held in (1, 5, 6)}
    assert {len(rows) for rows in hands.values()} == {high}
    papers = [sum("felt" not in ink for ink in rows[0]) for rows in hands.values()]
    assert papers == sorted(set(papers))


def test_hidden_hands_are_whole_beside_a_player_who_has_none() -> None:
    """From the fourth row on they stood at other columns: broken backs."""
    groups = [Group((HIGH,), (("ada", ""),), (BACK,) * held) for held in (3, 0, 3, 3)]
    drawn = spread_rows(Spread(tuple(groups)), BRUSHES["pictures"], 80, 24)
    backs = [[ink for _, ink in cells_of(row)] for row in drawn]
    columns = [[at for at, ink in enumerate(row) if "felt" not in ink] for row in backs[:8]]
    shown = [one for one in columns if one]
    assert len(shown) == 6
    assert all(one == shown[0] for one in shown)


def test_in_few_rows_hidden_hands_are_thin_and_the_large_score_replaces_details() -> None:
    group = Group((BLUE,), (("ada", ""), ("5 cards", "quiet")), (BACK,) * 4)
    words = tuple(
        ((text, ""),) for text in ["trick", "blue", "cross", "swapped", "cross", "orange"]
    )
    last = (("Zenko", "title"), (" +8", "title"))
    said = Spread((group,) * 4, (*words, last), frozenset({2, 4}), score=("+8", "kitsune.blue"))
    for rows, has_backs, has_large in (
        (9, True, True),
        (8, False, True),
        (7, False, True),
        (6, False, False),
        (14, True, True),
    ):
        drawn = spread_rows(said, BRUSHES["pictures"], 80, rows)
        assert any("paper/violet" in ink for _, ink in drawn[0]) == (rows == 9)
        assert any("paper/violet" in ink for row in drawn for _, ink in row) == has_backs
        text = "\n".join(map(plain, drawn))
        assert ("Zenko +8" not in text) == has_large
        assert "swapped" in text
        assert ("cross" in text) == (rows == 14)
        assert ("trick" in text) == (rows != 7)


def test_in_a_line_below_the_cards_the_score_is_on_a_plate() -> None:
    group = Group((BLUE,), (("ada", ""),))
    words = (("blue 8", ""),), (("Zenko", "title"), (" +8", "title"), (" to win", "quiet"))
    said = Spread((group,) * 5, words, score=("+8", "kitsune.blue"))
    row = next(row for row in spread_rows(said, BRUSHES["pictures"], 58, 7) if "+8" in plain(row))
    assert "Zenko +8  to win" in plain(row)
    ((plate, ink),) = [span for span in row if "+8" in span[0]]
    assert (plate, ink) == (" +8 ", f"felt/{role_of('kitsune.blue').ink}!")


def test_cards_stay_where_they_are_however_wide_the_words_beside_them_are() -> None:
    group = Group((BLUE,), (("ada", ""), ("5 cards", "quiet")))
    narrow, wide = (
        Spread((group,) * 4, (((text, ""),),)) for text in ("trick 1", "trick 1".ljust(20, "-"))
    )
    cards = [
        [plain(row).partition("trick")[0].rstrip() for row in drawn]
        for drawn in (spread_rows(one, BRUSHES["pictures"], 78, 9) for one in (narrow, wide))
    ]
    assert cards[0] == cards[1]


@pytest.mark.parametrize(("count", "columns"), [(6, 88), (6, 80), (4, 60)])
def test_names_on_plates_stay_apart(count: int, columns: int) -> None:
    card, names = replace(BLUE, copies=1), [f"Z bot {at} B" for at in range(count)]
    groups = tuple(Group((card,), ((name, "kitsune.card-blue"),)) for name in names)
    words = ((("orange 11 " + "█" * 6, "title"),),)
    for row in spread_rows(Spread(groups, words), BRUSHES["pictures"], columns, 20):
        plates = [text for text, ink in row if ink == "on-seat/seat-1!"]
        assert [text.rstrip() for text in plates] in ([], names)
        assert all(text.endswith(" ") for text in plates)


def test_a_hand_stands_in_the_middle() -> None:
    """Hands of less than five cards stood where those of five would."""
    card = replace(BLUE, copies=1)
    for size, count in product(cards.SIZES, range(1, 6)):
        (left, *_), taken = (
            one((card,) * count, size, 160) for one in (cards.places, cards.hand_columns)
        )
        assert left == max(0, 160 - (taken - left)) // 2


def test_in_few_colours_cards_of_a_hand_never_run_into_each_other() -> None:
    """Overlapping ones have a gap, the halves of one card a line, also across their pictures."""
    few = Brush(Skin(), has_pictures=False)
    hand = tuple(replace(HAND[1], rank=str(rank)) for rank in range(1, 7))
    halves = kiriai.card("approach"), kiriai.card("retreat", is_joined=True)
    for shown, sign, columns in ((hand, " ", 46), (halves, "▏", 18)):
        size = cards.FANNED
        at = cards.places(shown, size, columns)
        rows = hand_rows(shown, (Lying(),) * len(shown), few, size, columns)
        for left, row in product(at[1:], rows[1:]):
            found, ink = cells_of(row)[left]
            assert found == sign
            assert (ink == "/background") == (sign == " ")


def test_a_note_under_another_card_is_shortened_and_not_cut() -> None:
    hand = tuple(map(kiriai.card, FACES))
    low = plain(hand_rows(hand, (Lying(),) * 8, BRUSHES["pictures"], (7, 4), 58)[-1])
    rulers = [one for one in low.replace("▏", " ").split() if one[0] in "·0123"]
    assert "1" in rulers
    assert {len(one) for one in rulers if "·" in one} <= {5}


def test_a_hand_with_few_numbers_to_cover_lies_in_smaller_cards() -> None:
    """Names are not covered, so three numbers could not make the room that the others need."""
    names = [replace(HIGH, title=title, note="") for title in ("Black", "Katana", "White")]
    hand = (*(replace(BLUE, copies=1, rank=rank) for rank in "246"), *names)
    size = cards.fitting(hand, 38, 7)
    assert size < cards.FANNED
    assert cards.hand_columns(hand, size, 38) <= 38


@pytest.mark.parametrize("face", FACES)
def test_the_picture_of_a_card_ends_before_its_edge(face: str) -> None:
    """A blade that went as far as the edge looked cut there."""
    card, brush = kiriai.card(face), BRUSHES["pictures"]
    for size in cards.SIZES:
        rows = card_rows(replace(card, title="-", short="", note=""), Lying(), brush, size)
        assert {cells_of(row)[-1][0] for row in rows} <= {" "}
        assert {row[-1][1].rpartition("/")[2] for row in rows[1:]} == {"paper"}


@pytest.mark.parametrize("face", FACES)
def test_no_note_lies_on_the_picture_of_a_card(face: str) -> None:
    for size, has_pictures in product(cards.SIZES, (True, False)):
        last = card_rows(kiriai.card(face), Lying(), Brush(Skin(), has_pictures), size)[-1]
        assert not set(plain(last)) & set(QUADRANTS[1:])


def test_names_of_one_kind_are_all_full_or_all_short() -> None:
    """Beside `High Strike`, `Balanced` looked as if it had lost a word."""
    usual = ("approach", "retreat", "charge", "stance", "high", "low", "balanced")
    for last, size, columns in product(("kesa", "counter"), cards.SIZES, range(50, 140)):
        halves = ("retreat", "stance")
        hand = tuple(kiriai.card(face, is_joined=face in halves) for face in (*usual, last))
        titles = [one.title for one in cards.in_full(hand, size, columns)][4:7]
        assert len({title.endswith("Strike") for title in titles}) == 1
    titles = [one.title for one in cards.in_full(hand, cards.FANNED, 88)]
    assert titles[4:] == ["High Strike", "Low Strike", "Balanced Strike", "Counter"]
