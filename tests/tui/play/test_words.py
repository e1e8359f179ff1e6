"""What is told of a match in words: turns, the network, terms, names, hints."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product, takewhile
from random import Random

import pytest

from kumite.core import codes
from kumite.core.bots import LISTED, Choice
from kumite.core.bots import Line as BotLine
from kumite.core.game import CHANCE, Option, Seat, Setup, Step
from kumite.core.games import GAMES, find
from kumite.core.log import End
from kumite.core.match import Match, Played
from kumite.core.players import shown_names
from kumite.net.session import events, handshake
from kumite.net.session.events import Answered, Status
from kumite.net.wire import posts
from kumite.store.record import Course, Tally
from kumite.tui import scenes
from kumite.tui.bots.judging import Blunder
from kumite.tui.bots.looking import Answer, Outlook
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.play import explained, narration, network_words
from kumite.tui.play.course import ending
from kumite.tui.play.narration import Remark
from kumite.tui.play.network_words import agreeing, claim, reason, refusal, text
from kumite.tui.play.suggestion import ENOUGH, Past, suggestion, weakest_unbeaten
from kumite.tui.play.terms import options_said, terms
from kumite.tui.scenes.lines import GOES_ON, Line, plain, width
from kumite.tui.scenes.tallies import colors_of
from tests.support.contrast import every_role
from tests.support.fake_peer import seats
from tests.support.puzzles import SENT_TO_LEAP
from tests.support.random_matches import short_setup, walk

NAMES = ("ada", "bob", "cid", "dan")


def a_match(game_id: str, seats: int, seed: int, steps: int = 60) -> Match:
    rng, match = Random(seed), Match.begin(Setup.of(GAMES[game_id], seats))
    while match.actors and match.number < steps:
        actor = match.actors[0]
        match = match.play(actor, rng.choice(match.legal(actor)))
    return match


def is_heading(line: Line) -> bool:
    return len(line) == 1 and line[0][1].startswith("seat-")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("game_id", "seats"), [("kumo", 2), ("kumo", 4), ("kitsu", 2)])
def test_steps_of_a_turn_stand_below_the_name_of_who_made_them(
    game_id: str, seats: int, seed: int
) -> None:
    match = a_match(game_id, seats, seed)
    made = {at.number: at.last.actor for at in match.line() if at.last is not None}
    heading, headings = None, 0
    for line in narration.told_lines(match, NAMES[:seats], 80):
        text = plain(line)
        if is_heading(line):
            heading, headings = NAMES.index(text), headings + 1
        elif text[:3].strip().isdecimal():
            name = NAMES[made[int(text[:3])]]
            if text[4:].startswith(name):
                heading = None  # a turn of one step says itself whose it is
            else:
                assert heading is not None
                assert name == NAMES[heading]
    assert headings > 2


def color_beside(match: Match, names: Sequence[str]) -> dict[str, str]:
    """Return the colour of the mark before each name in the panel of the players."""
    found = {}
    for line in scenes.maker(match).scene(match.state, names, LETTERS, None).seats:
        name = next((name for name in names if name in plain(line)), "")
        for _, role in line if name else ():
            inks = every_role()[role] if role in every_role() else (role.partition("/")[0],)
            for ink in inks:
                if re.fullmatch(r"seat-\d", str(ink)):
                    found.setdefault(name, str(ink))
    return found


@pytest.mark.parametrize(
    ("game_id", "seats"), [(one, seats) for one, game in GAMES.items() for seats in game.SEATS]
)
def test_log_and_card_have_the_colours_that_the_players_have(game_id: str, seats: int) -> None:
    names = (*NAMES, "eve", "fay")[:seats]
    match = walk(short_setup(game_id, seats), 1)
    colors = color_beside(match, names)
    assert set(colors) == set(names)
    assert colors == {name: f"seat-{colors_of(match)[seat]}" for seat, name in enumerate(names)}
    made = {at.number: at.last.actor for at in match.line() if at.last is not None}
    seen = set()
    has_turns = scenes.maker(match).PARTS == ("turn",)
    for line in narration.told_lines(match, names, 80):
        text, role = plain(line), line[0][1]
        if is_heading(line):
            assert has_turns  # elsewhere each step says whose it is
            assert role == f"{colors[text]}/"
        elif text[:3].strip().isdecimal():
            actor = made[int(text[:3])]
            assert role == ("quiet" if actor == CHANCE else f"{colors[names[int(actor)]]}/")
            seen.add(actor)
    assert seen >= set(range(seats))
    assert all(width(plain(line)) <= 33 for line in narration.told_lines(match, names, 33))
    end = ending(match, None, names)
    for standing in end.standings:
        whose = [name for seat, name in enumerate(names) if name in standing.who]
        assert all(colors[name] == f"seat-{standing.seat}" for name in whose)
        assert whose or not standing.who.islower()  # a clan has a name of its own


def test_the_log_names_squares_as_they_are_now_and_leaves_players_alone() -> None:
    match = Match.begin(Setup.of(find("kumo"), 2))
    for step in ("+e1=run", "cw", "+d1=kumo"):
        match = match.play(Seat(0), Step(step))
    told = [plain(line) for line in narration.told_lines(match, ("e1", "bob"), 80)]
    assert told[0] == "e1"
    assert [line.rpartition(" ")[2] for line in told[1:]] == ["a5", "names", "d1"]
    assert told[2].endswith("turns the arena right; squares above have their new names")
    short = [plain(line) for line in narration.told_lines(match, ("e1", "bob"), 80, is_short=True)]
    assert short == [told[0], told[1], told[2].removesuffix(f"; {narration.RENAMED}"), told[3]]
    again = narration.told_now(match.play(Seat(0), Step("cw")), ("ada", "bob"))
    assert [one.number for one in again if narration.RENAMED in one.text] == [
        4
    ]  # the last one, in sight
    before = narration.told_lines(match.before.before, ("ada", "bob"), 80)
    assert plain(before[0]).endswith("on e1")


def test_remarks_stand_behind_their_step_also_in_the_middle_of_a_turn() -> None:
    match = a_match("kumo", 2, 1, 12)
    remarks = [Remark(number, f"remark {number}") for number in (0, 3, 12, 99)]
    told = [plain(line) for line in narration.told_lines(match, NAMES[:2], 80, remarks)]
    assert told[0] == "remark 0"
    assert told[told.index("remark 3") - 1].startswith("  3 ")
    assert told[-2:] == ["remark 12", "remark 99"]


def test_of_a_folded_remark_the_log_never_begins_with_the_middle() -> None:
    match = a_match("kuzushi", 2, 1, 2)
    remark = Remark(2, "compare these words with what the others read below their tables")
    told = narration.told_lines(match, NAMES[:2], 28, [remark])
    first = next(at for at, line in enumerate(told) if plain(line).startswith("compare"))
    assert [line[:1] == (GOES_ON,) for line in told[first:]] == [False, True, True]


# --- What the network tells, in words ---------------------------------------------------------


TWO = "ada and bob"


@pytest.mark.parametrize(
    "patterns", [network_words.OFFERS, network_words.ANSWERS, network_words.PRESENCE]
)
def test_sentences_agree_in_number_with_who_is_at_a_terminal(patterns: dict[str, str]) -> None:
    """Every sentence that begins with somebody: of one who plays, of two at one keyboard."""
    for pattern in (one for one in patterns.values() if one.startswith("{who}")):
        more = {
            "number": 3,
            "where": "step 3",
            "about": "cid",
            "gone": "cid is gone",
            "what": "again",
        }
        one, two = (agreeing(pattern, who, **more) for who in ("ada", TWO))
        verb = one.removeprefix("ada ").split()[0].strip(":")
        plural = two.removeprefix(f"{TWO} ").split()[0].strip(":")
        assert (verb, plural) in {("is", "are"), ("has", "have"), ("does", "do")} or (
            verb in (plural, f"{plural}s")
        )
        assert "{" not in one + two


def test_every_refusal_has_words_of_its_own() -> None:
    said = {code: refusal(code) for code in handshake.REFUSALS}
    assert len(set(said.values())) == len(said)
    assert refusal("made-up") == refusal(codes.ERROR)
    assert "{" not in "".join(map("".join, said.values()))


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("who", ["", "ada"])
def test_every_status_is_worded(status: Status, who: str) -> None:
    said = text(events.Presence(status, seats(1), who, 7, codes.FULL))
    assert said
    assert "{" not in said
    if status in (Status.QUIET, Status.AWAY, Status.BACK) and not who:
        told = text(events.Presence(status), "the organiser")
        assert "organiser" in told
        assert "host" not in told


@pytest.mark.parametrize("answer", Answered)
def test_every_answer_is_worded(answer: Answered) -> None:
    assert text(events.OfferGone(posts.DRAW, answer, "bea"))


FALSE = events.Stopped(codes.FOUL, "the signature is wrong", number=7, who="ada")
ACCUSED = events.Stopped(codes.ACCUSED, "it lies", who="ada", is_claim=True, blamed="bob")


@pytest.mark.parametrize(
    ("event", "said", "hint"),
    [
        (FALSE, "step 7: ada has played false: the signature is wrong", "with the proof"),
        (ACCUSED, "ada says that bob has played false (it lies)", "nothing here proves it"),
        (events.Stopped(codes.DISK_FULL, "the disk is full", "make room"), "the disk is full",
         "make room"),
        (events.Stopped(codes.DIGEST, who=TWO, number=3),
         "ada and bob have come to another position", "both logs"),
        (events.NotDone(codes.NOT_READY, who="bob"), "not ready yet: bob", "wait"),
        (events.NotDone(codes.NOT_READY), "nobody else is here to play", "wait"),
        (events.Ended(End("resigned", (Seat(0),)), "ada"), "ada gave up", ""),
        (events.Ended(End("agreed")), "All agreed to a draw", ""),
        (events.SeatMoved(Seat(1), seats(), "", "ada"),
         "A bot at ada's computer plays on for seat 2", ""),
        (events.Chose(Seat(0), Step("?")), "", ""),
    ],
)  # fmt: skip
def test_what_happens_is_told_with_names_and_with_what_to_do(
    event: events.Event, said: str, hint: str
) -> None:
    assert text(event) == said
    assert not hint or hint in reason(event)[1]


@pytest.mark.parametrize(
    ("code", "what", "blamed", "said"),
    [
        (codes.FOUL, "it lies", "bob", "ada says that bob has played false (it lies)"),
        (codes.FOUL, "", events.US, "ada says that we have played false"),
        (codes.LOG_FILE, "", "",
         "The kumite of ada cannot save any longer; the match is kept up to here"),
    ],
)  # fmt: skip
def test_what_another_terminal_says_is_told_as_its_word(
    code: str, what: str, blamed: str, said: str
) -> None:
    assert claim(code, "ada", what, blamed) == said


# --- Options as people read them --------------------------------------------------------------


def test_every_option_of_every_game_is_said_in_words_and_not_by_its_name() -> None:
    for game in GAMES.values():
        for option in game.OPTIONS:
            said = [option.said(value) for value in option.allowed]
            assert len(set(said)) == len(said)
            assert all(option.title.lower() in text.lower() for text in said)
    assert options_said(Setup.of(GAMES["kitsu"]))[:2] == [
        "neighbours by a side",
        "draw after 100 turns",
    ]


@pytest.mark.parametrize(
    ("seats", "options", "said"),
    [
        (2, {"wins": 1}, ["first to win 1 round", "new deal of 12 cards each"]),
        (4, {"redeal": "setup"}, ["first to win 2 rounds"]),
        (6, {"redeal": "setup"}, ["first to win 2 rounds"]),
    ],
)
def test_an_option_is_said_only_of_tables_where_it_does_something(
    seats: int, options: dict[str, object], said: list[str]
) -> None:
    setup = Setup.of(GAMES["kitsune"], seats, options)
    assert options_said(setup) == ["track 12 spaces", *said, "ends after 200 tricks"]


def test_what_a_word_is_for_is_left_out_and_a_bare_option_has_its_name() -> None:
    assert terms(Setup.of(GAMES["kumo"], 2), (), 3).endswith(", best of 3")
    assert terms(Setup.of(GAMES["kuzushi"], 2, {"board": "small"}), ()) == (
        "Kuzushi for 2: board small, no clock"
    )
    assert Option("wins", 2, (1, 2), "how many").said(2) == "wins 2"


# --- What players are called ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("ada", "bob"), ("ada", "bob")),
        (("ada", "bot:2"), ("ada", "bot 2")),
        (("ada", "bot:2", "bot:2"), ("ada", "bot 2 A", "bot 2 B")),
        (("bot:easy", "ada", "bot:easy"), ("bot easy 1", "ada", "bot easy 2")),
        (("ada", "ada", "bot:2", "bot:1"), ("ada 1", "ada 2", "bot 2", "bot 1")),
    ],
)
def test_names_are_told_apart(names: tuple[str, ...], shown: tuple[str, ...]) -> None:
    assert shown_names(names) == shown
    assert len(set(shown)) == len(shown)


# --- What the home screen offers first, by what a person has done -----------------------------


NOTHING = Past(levels=LISTED)


def course(**won: int) -> Course:
    """Return a course with so many wins against levels; -1 is a match that was lost."""
    opponents: dict[str, Tally] = defaultdict(Tally)
    for name, count in won.items():
        opponents[f"bot:{name.removeprefix('l')}"] = Tally(won=max(count, 0), lost=int(count < 0))
    return Course(opponents=opponents)


def said(past: Past) -> str:
    found = suggestion(past, "kitsu")
    return "nothing" if found is None else f"{found.kind} {found.game} {', '.join(found.said)}"


def of(last: str = "", **changed: object) -> Past:
    return Past(last=last, levels=LISTED, **changed)


@pytest.mark.parametrize(
    ("past", "wanted"),
    [
        (NOTHING, "first kitsu learn Kitsu!, its first steps, task by task"),
        (of(lessons={"kumo": (2, 6)}), "learn kumo the lessons of Kumo Hogosha, task 3 of 6"),
        (
            of(lessons={"kumo": (6, 6)}),
            "match kumo Kumo Hogosha against bot 1, your first match after the lessons",
        ),
        (
            of("kumo", courses={"kumo": course(easy=ENOUGH)}),
            "match kumo Kumo Hogosha against bot 3, bot easy is beaten 3 times",
        ),
        (
            of("kumo", courses={"kumo": course(easy=ENOUGH, l3=-1)}, due={"kitsu": 2}),
            "again kitsu 2 puzzles of Kitsu!, due again today",
        ),
        (of("kumo", due={"kitsu": 1}), "again kitsu 1 puzzle of Kitsu!, due again today"),
        (of("kumo", is_solving=True), "daily  the puzzle of the day, the same for everyone"),
        (
            of("kumo", courses={"kumo": course(l1=1, easy=-1)}),
            "match kumo Kumo Hogosha against bot easy, not beaten yet",
        ),
        (
            of("kumo", helped={"kumo": course(easy=1, l3=-1)}),
            "match kumo Kumo Hogosha against bot easy, won with help, now without",
        ),
        (
            of("kumo", helped={"kumo": course(easy=1)}, courses={"kumo": course(l1=1, easy=1)}),
            "match kumo Kumo Hogosha against bot 3, not beaten yet",
        ),
        (
            of("kumo", helped={"kumo": course(l1=1)}, courses={"kumo": course(easy=1)}),
            "match kumo Kumo Hogosha against bot 3, not beaten yet",
        ),
        (
            of("kumo", helped={"kumo": course(l3=1)}, courses={"kumo": course(easy=1)}),
            "match kumo Kumo Hogosha against bot 3, won with help, now without",
        ),
        (of("kumo", courses={"kumo": course(**{f"l{one}": 1 for one in LISTED})}), "nothing"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_what_is_offered_is_what_comes_next(past: Past, wanted: str) -> None:
    assert said(past) == wanted


def pasts() -> Iterator[Past]:
    """Yield histories of two games: lessons, matches that count or not, and the last game."""
    games, courses = ("kitsu", "kumo"), (None, {}, {"l1": -1}, {"l1": 1}, {"l1": 1, "easy": 1})
    matches = [some if some is None else course(**some) for some in courses]
    for found in product(matches, repeat=4):
        counted, helped = (
            {game: one for game, one in zip(games, some, strict=True) if one}
            for some in (found[:2], found[2:])
        )
        for last, learnt in product(["", *{**counted, **helped}], [(), ("kumo",), games]):
            lessons = dict.fromkeys(learnt, (6, 6))
            yield of(last, courses=counted, helped=helped, lessons=lessons)


def test_the_reason_of_a_match_is_true_for_the_game_it_is_of() -> None:
    """After a match won with hints, `c` called another one the first after the lessons."""
    seen = set()
    for past in pasts():
        if (found := suggestion(past, "kitsu")) is None or found.kind != "match":
            continue
        counted, helped = past.courses.get(found.game), past.helped.get(found.game)
        by_hand, by_help = (
            {name for name, one in (some.opponents if some else {}).items() if one.won}
            for some in (counted, helped)
        )
        name, why = f"bot:{found.level.removeprefix('l')}", found.said[1]
        truth = {
            "your first match after the lessons": counted is None is helped,
            "won with help, now without": name in by_help - by_hand,
            "not beaten yet": name not in by_help | by_hand,
        }
        assert truth[why], (past, found)
        seen.add(why)
    assert len(seen) == 3


def test_a_level_is_offered_once_only_and_never_beyond_the_last() -> None:
    for level, following in zip(LISTED, [*LISTED[1:], None], strict=True):
        found = suggestion(of("kumo", courses={"kumo": course(**{level: ENOUGH})}), "kitsu")
        assert weakest_unbeaten(course(**{level: 1}), LISTED) == following
        if following is None:
            assert found is None  # the strongest is beaten, and so no weaker one is left
            continue
        assert found.level == following
        assert f"bot {level} is beaten 3 times" in found.said


def test_the_weakest_that_is_not_beaten() -> None:
    assert weakest_unbeaten(None, LISTED) == LISTED[0]
    assert weakest_unbeaten(course(l1=2, easy=-1), LISTED) == "easy"
    assert weakest_unbeaten(course(l1=2, l3=1), LISTED) == "4"  # the stronger one counts for both
    assert weakest_unbeaten(course(**{f"l{one}": 1 for one in LISTED}), LISTED) is None


# --- Steps explained --------------------------------------------------------------------------


PAIR = ("ada", "bob")


def test_the_rest_of_a_turn_is_told_in_words() -> None:
    one = SENT_TO_LEAP
    step = one.answer[0]
    choice = Choice(step, 1.0, (BotLine(step, 1.0, 1.0, one.answer),))
    (then,) = [
        point.text
        for point in explained.points(one.start, one.seat, choice, {}, PAIR)
        if point.head == "Then"
    ]
    assert then.startswith("Fox e6 leaps to g7, captures")
    assert "e6xg7" not in then
    why = explained.points(one.start, one.seat, choice, {}, PAIR)[0]
    assert why.text == "Wins in this turn, four Samurai taken."  # not only that it wins


def test_a_chance_to_win_in_a_duel_says_how_it_counts_a_draw() -> None:
    """`Your chance 32 %` of a duel that looked even did not say what became of a draw."""
    match = walk(Setup.of(GAMES["kiriai"], 2), 1, 2)
    seen = match.seen_by(frozenset({Seat(0)}))
    one, other = seen.legal(Seat(0))[:2]
    choice = Choice(one, 0.32, (BotLine(one, 0.32, 0.5), BotLine(other, 0.32, 0.5)))
    first, *plans, last = explained.points(seen, Seat(0), choice, {}, PAIR)
    # A hint is the likeliest plan: none of them was drawn.
    assert not any("drawn" in f"{point.head} {point.text}" for point in (first, *plans))
    assert len(plans) == 2
    assert last.text == "Your chance 32 % if both play by these chances; a draw is half."


def test_a_warning_names_the_steps_without_which_the_answer_is_not_understood() -> None:
    """Of a turn of several steps: nothing stood on the square from which the foe would capture."""
    start = Match.begin(Setup.of(GAMES["kitsu"]))
    first, rest = Step("c5-d4"), (Step("stop"), Step("d4-e5"), Step("stop"))
    then = start.play_all(Played(Seat(0), step) for step in (first, *rest))
    answer = Answer(then, Seat(1), then.legal(Seat(1))[0])
    blunder = Blunder(first, first, 0.6, 0.2, ahead=Outlook(rest, answer))
    *_, said = explained.warning(start, Seat(0), blunder, PAIR)
    assert said.startswith("If it is followed by d4 to e5, bob's Fox ")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game_id", [one for one, game in GAMES.items() if not game.SECRETS])
def test_an_answer_is_told_with_every_step_that_leads_to_its_position(
    game_id: str, seed: int
) -> None:
    """Of the steps between only that is not named which ends something and moves nothing."""
    found, line = 0, walk(Setup.of(GAMES[game_id]), seed, 60).line()
    for at, match in enumerate(line[:-1]):
        seat = Seat(int(match.actors[0]))
        rest = [*takewhile(lambda one, by=seat: one.actors == (by,), line[at + 1 : -1])]
        after = line[at + 1 + len(rest)]
        if after.actors != (1 - seat,):
            continue
        answer = Answer(after, Seat(1 - seat), after.legal(after.actors[0])[0])
        about = match, seat, line[at + 1].last.step, match.legal(seat)[0]
        bad = explained.flaws(*about, None, PAIR)
        said = "".join(explained.flaws(*about, answer, PAIR)[len(bad) :])
        steps = [(now, line[now.number + 1].last.step) for now in rest]
        told = [
            narration.step_name(now, step, PAIR)
            for now, step in steps
            if step != scenes.maker(now).ending(now.state, seat)
        ]
        if len(told) > explained.MOST_OF_TURN:
            assert not said
        else:
            assert said
            assert [one for one in told if one not in said] == []
            found += bool(told)
    assert found or game_id == "kuzushi"
