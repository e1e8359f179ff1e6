"""A table in line mode: who is told what, what is refused in words, and that nothing is drawn."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from kumite.core.game import Seat, Setup, Step
from kumite.core.games import GAMES, find
from kumite.core.log import End, Header, log_text, read
from kumite.core.match import Match
from kumite.store import log_files
from kumite.tui import settings
from kumite.tui.bots import judging
from kumite.tui.bots.judging import Blunder
from kumite.tui.plain import table, words
from kumite.tui.plain.analysis import PlainMatch
from kumite.tui.plain.console import AHEAD, LONGEST, PAGE, Console
from kumite.tui.plain.replay import Reader
from kumite.tui.plain.table import PlainTable
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.narration import RENAMED
from kumite.tui.scenes import in_words
from kumite.tui.settings import Settings
from tests.support.random_matches import walk

SMALL = {"kuzushi": {"board": "small"}, "kitsune": {"wins": 1, "track": 8}}


def talk(
    game: str,
    lines: bytes,
    names: str = "ada,bob",
    *,
    is_terminal: bool = False,
    settings: Settings = Settings(think=0.1),  # noqa: B008
    kind: type[PlainTable] = PlainTable,
) -> str:
    """Play with these bytes as all that is ever typed; return all that is said."""
    said: list[str] = []
    chunks = iter([lines])

    async def run() -> None:
        console = Console(lambda: next(chunks, b""), said.append, is_terminal=is_terminal)
        seated = names.split(",")
        setup = Setup.of(find(game), len(seated), SMALL.get(game, {}))
        seats = LocalTable.begin(setup, seated)
        await kind(seats, console, settings).run()

    asyncio.run(run())
    return "".join(said)


def test_a_step_a_line_of_steps_and_an_illegal_one() -> None:
    said = talk("kuzushi", b"d5\nd5\nlog\nquit\n")
    assert "1. bob lays d5" in said
    assert re.search(r"> d5\n.*(lies|base|taken|empty)", said), said
    assert said.count("1. bob lays d5") == 2, "once as it happens, once in the log"


def test_who_hears_all_of_it_is_told_how_to_hear_less() -> None:
    """Read aloud, a position takes half a minute; what is new, a third of it."""
    less = "brief to hear only what is new."
    said = talk("kitsu", b"quit\n")
    assert less in said
    assert "in hand nothing; captured nothing" in said
    assert less not in talk("kitsu", b"quit\n", settings=Settings(brief=True))


def test_a_hint_is_told_with_its_reason_and_makes_nothing(tmp_path: Path) -> None:
    said = talk("kitsu", b"hint\nc5-d4\n", "ada,bob")
    assert re.search(r"\nHint: (Samurai|Fox) .+\. You would type: \S+\n.+ your chance \d+ %", said)
    assert "1. ada's Samurai c5 slides" in said.partition("> c5-d4")[2]
    (log,) = tmp_path.glob("*.kumite")
    assert "hint: seat 0 before step 1" in log.read_text()


def test_a_hint_is_told_though_the_other_has_planned_meanwhile() -> None:
    said = talk("kiriai", b"hint\nhint\nquit\n", "ada,bot:1")
    assert said.count("A bot is looking for a good step") == 1
    assert "Hint: " in said.partition("bot 1 plans in secret")[2]


class Warner:
    """A tutor that takes every step but `good` for a blunder."""

    def __init__(self, *_: object) -> None:
        pass

    async def prepare(self) -> None:
        pass

    def is_fine(self, step: str) -> bool:
        return step == "d5"

    async def blunder(self, step: str) -> Blunder:
        return Blunder(Step(step), Step(step), 0.6, 0.2)


def test_the_tutor_warns_once_and_what_it_likes_is_made_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "Tutor", Warner)
    taught = Settings(tutor=True)
    said = talk("kuzushi", b"d5\nquit\n", settings=taught)
    assert "The tutor" not in said
    assert "1. bob lays d5" in said
    said = talk("kuzushi", b"e4\nf5\ne4\nlog\nquit\n", settings=taught)
    warned, made = said.split("> e4\n1.")
    assert warned.count("The tutor looks at it ...") == 1
    assert warned.count("The tutor: lay a base on ") == 2
    assert (
        "It may be a blunder: your chance is 20 % with it, and 60 % with the best step." in warned
    )
    assert warned.count("Type it again to play it anyway.") == 2
    assert "The tutor" not in made
    assert "bob lays e4" in made
    log = max(tmp_path.glob("*.kumite"), key=lambda path: path.stat().st_mtime)
    assert "tutor: seat 1 before step 1" in log.read_text()
    assert "The tutor" not in talk("kuzushi", b"e4\nquit\n")


def test_briefly_a_turn_of_a_bot_is_one_sentence() -> None:
    brief = talk("kumo", b"quit\n", "bot:1,bob", settings=Settings(brief=True))
    full = talk("kumo", b"quit\n", "bot:1,bob")
    assert re.search(r"\n1 to \d\. bot 1 [^\n]+; turns the arena (left|right)[^\n]*\n", brief)
    assert len(re.findall(r"\n\d\. bot 1", full)) == 5
    assert brief.count("camp in the south") == 1, "who has heard no position hears the first"
    assert "camp in the south" in full


BEGINS = {
    "kitsu": "in hand nothing",
    "kitsune": "Your hand",
    "kumo": "camp in the south",
    "kuzushi": "The board goes from",
    "kiriai": "Round 1 of",
}


@pytest.mark.parametrize("game", GAMES)
def test_the_first_position_is_told_briefly_as_well(game: str) -> None:
    said = talk(game, b"quit\n", "ada,bot:1", settings=Settings(brief=True))
    assert BEGINS[game] in said


def test_lines_break_at_words_in_a_terminal_and_nowhere_in_a_pipe() -> None:
    said: list[str] = []
    line = "  help: a step is typed as it is written, with /a/path/longer/than/the/width in it"
    for width in (lambda: 20, lambda: 0):
        Console(lambda: b"", said.append, is_terminal=False, width=width).say(line)
    broken, whole = said
    assert whole == f"{line}\n"
    assert " ".join(broken.split()) == " ".join(line.split()), "no word is cut, and none is lost"
    assert broken.startswith("  help: a step is\ntyped")
    assert all(len(one) <= 20 or "/" in one for one in broken.splitlines())


def test_squares_are_spoken_as_set_and_cards_never_are_after_a_board() -> None:
    """One console serves a whole evening: what a board has set would read card b1 as a square."""
    said: list[str] = []
    chunks = iter([b"what d5\nquit\nwhat d5\nquit\n"])

    async def run() -> str:
        console = Console(lambda: next(chunks, b""), said.append, is_terminal=False)
        for game in ("kuzushi", "kitsune"):
            setup = Setup.of(find(game), 2, SMALL.get(game, {}))
            seats = LocalTable.begin(setup, ("ada", "bob"))
            await PlainTable(seats, console, Settings(speak="letters")).run()
        return console.spoken("b1")

    assert asyncio.run(run()) == "b1"
    assert "d 5: empty" in "".join(said)


@pytest.mark.parametrize("game", ["kuzushi", "kiriai"])
def test_an_analysis_tries_steps_and_keeps_none(game: str) -> None:
    tried = {"kuzushi": "d5\ne6\nundo", "kiriai": "high low"}[game]
    plan = "high,stance\n" if game == "kiriai" else ""
    asked = "analyse\n" * (1 + (game == "kiriai"))  # again where a match against a bot is rated
    typed = f"{asked}best\n{tried}\nwhat e6\nthreats\nbest\nquit\nlog\n{plan}quit\n"
    names = {"kuzushi": "ada,bob", "kiriai": "ada,bot:1"}[game]
    said = talk(game, typed.encode(), names, kind=PlainMatch)
    tried, after = said.split("Back in the match.")
    assert "Analysis " in tried
    assert tried.count(" % of the time: ") + tried.count(" % to win: ") >= 3
    if game == "kuzushi":
        assert "1. bob lays d5" in tried
        assert "2. ada lays e6" in tried
        assert "Taken back: step 2 is to come." in tried
        assert "No step has been made yet." in after
    else:
        assert "ada plans High Strike, then Low Strike" in tried
        assert re.search("cannot be known|chance is next, or what is hidden is shown", tried)
        assert "ada plans High Strike, then Low Strike" not in after
        assert "Round 2 of 40" in after, "the bot thinks anew"


def test_what_is_taken_back_is_said_and_told_anew() -> None:
    said = talk("kuzushi", b"d5\nundo\nd5\n")
    assert "Taken back: step 1 is to come." in said
    assert said.count("1. bob lays d5") == 2


def test_squares_have_the_names_that_they_have_now_and_a_line_says_so() -> None:
    match = Match.begin(Setup.of(find("kumo"), 2))
    for step in ("+e1=run", "cw", "+d1=kumo", "cw"):
        match = match.play(Seat(0), Step(step))
    told = list(words.told(match, ("ada", "bob")))
    assert [told[0][-2:], told[2][-2:]] == ["e9", "a6"]
    assert [line.endswith(RENAMED) for line in told] == [False, False, False, True]


def test_a_brief_table_tells_the_position_only_when_asked() -> None:
    typed = ("d5", "c5", "e6")
    full = talk("kuzushi", "\n".join((*typed, "")).encode())
    brief = talk("kuzushi", "\n".join(("brief", *typed, "", "full", "")).encode())
    assert settings.read().settings.brief is False
    assert "the position is told only when you press Enter." in brief
    assert full.count("The board goes from") == 3
    assert brief.count("The board goes from") == 2  # at first, and when asked for


def test_the_bell_rings_when_a_bot_has_moved_and_not_between_two_people() -> None:
    def rung(names: str, *, is_terminal: bool = True) -> tuple[int, int]:
        said = talk("kuzushi", b"d5\ne6\nquit\n", names, is_terminal=is_terminal)
        return said.count("\a"), said.count("Your turn")

    bells, turns = rung("bot:1,bob")
    assert 0 < bells <= turns  # a step that goes on one's own turn is no news
    assert rung("ada,bob")[0] == 0
    assert rung("bot:1,bob", is_terminal=False)[0] == 0


def test_the_beginning_of_a_step_lists_what_begins_so() -> None:
    said = talk("kitsu", b"c5\nlog\n")
    assert "c5-b4: Samurai c5 slides to b4" in said
    assert "slides to b4, flips" in talk("kitsu", b"c5\nb4\n")  # goes on from there
    assert "b4: nothing to choose here" in talk("kitsu", b"c5\nfoo\nb4\n")
    assert "No step has been made yet." in said


def test_two_cards_typed_with_a_space_are_a_plan_and_a_round_is_told_once() -> None:
    said = talk("kiriai", b"approach high\n", "ada,bot:1")
    assert "ada plans Approach, then High Strike" in said
    assert said.count("Round 1 of") == 1, "told before and after the bot's own secret plan"
    assert said.count("hoose two cards.") == 1 + said.count("Round 2 of"), said


def test_new_squares_are_told_when_the_arena_turns() -> None:
    said = talk("kumo", b"+e1=run\ncw\nbrief\ncw\n")
    assert "runner on a5" in said.partition("turns the arena right")[2]
    assert said.count("On the arena for ada") == 2


def test_a_bots_thinking_is_told_once_a_turn_if_it_takes_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table, "SOON", 60.0)
    said = talk("kumo", b"quit\n", "bot:1,bob")
    assert "is thinking" not in said
    monkeypatch.setattr(table, "SOON", 0.0)
    said = talk("kumo", b"quit\n", "bot:1,bob")
    assert "5. bot 1" in said
    assert said.count("bot 1 is thinking.") == 1


def test_what_has_not_changed_in_the_position_is_not_told_again() -> None:
    said = talk("kitsu", b"c5-d4\nstop\nend\n\nquit\n", "ada,bot:1")
    begun, _, own, after, asked, _ = said.split("\n> ")
    first = begun.splitlines()[3:-1]
    assert len(first) == 5
    assert "Your turn" not in own, "the turn goes on"
    assert "Move on, or end the turn." in own
    assert not {*first} & {*after.splitlines()}
    assert "bot 1: Samurai on" in after
    assert asked.count("\n") >= 5, "Enter alone tells all of it"


def test_a_match_that_is_not_kept_is_said_to_be_so(tmp_path: Path) -> None:
    assert "so this match is not kept" in talk("kuzushi", b"quit\n")
    assert not list(tmp_path.glob("*.kumite"))


def test_rules_are_read_at_the_table() -> None:
    said = talk("kuzushi", b"rules\nrules 3\nrules your turn\nrules 99\n")
    assert "3  Your turn" in said
    assert said.count("You do one of two things:") == 2
    assert "there is no chapter '99'" in said


def test_nobody_is_told_a_hand_before_it_is_uncovered() -> None:
    said = talk("kiriai", b"hand\nwhat high\n")
    assert said.count("Press Enter alone first.") == 2
    assert "High Strike" not in said


def test_giving_up_is_asked_about() -> None:
    assert "The match continues." in talk("kuzushi", b"resign\n\n")
    said = talk("kuzushi", b"resign\nyes\nthreats\n")
    result, _, after = said.partition("bob gave up")
    assert "The board goes from" not in result.rpartition("Give this match up")[2] + after
    assert "/" not in after.replace("`", ""), "nobody wants to hear a path"
    assert "The match is saved; `replay` tells it again." in after


def test_giving_up_among_three_says_that_it_ends_the_match_for_all() -> None:
    said = talk("kuzushi", b"resign\nyes\n", "bob,ada,cid")
    assert "This ends the match for everybody; nobody wins. Type yes" in said
    assert "ada gave up; with 3 players that ends the match for all." in said


def test_secrets_are_told_to_their_owner_alone_and_pushed_up_afterwards() -> None:
    typed = b"\nhigh,low\n\n"
    said = talk("kiriai", typed, is_terminal=True)
    cover, ada, bob = re.split(r"presses Enter when alone at it\.", said)
    assert "Your hand" not in cover
    assert "ada plans high, then low" not in ada + bob
    assert "ada plans in secret" in bob
    assert "\n" * PAGE in ada
    assert "Scrolling back still shows it" in ada
    assert re.search("bob, blue: .* a special card", ada)
    assert re.search("ada, red: .* a special card, not spent; has planned", bob)
    wrong = talk("kiriai", b"\nhigh,low\nno\nno\n", is_terminal=True)
    assert wrong.count("\n" * PAGE) == 1, "what has been pushed up once is out of view"
    assert "\n" * PAGE not in talk("kiriai", typed), "a pipe scrolls nothing"


def test_nobody_uncovers_by_a_step() -> None:
    said = talk("kiriai", b"high,low\n")
    assert "Press Enter alone first." in said
    assert "Your hand" not in said


def test_a_seat_without_its_bot_is_given_to_somebody() -> None:
    said = talk("kuzushi", b"person\nd5\n", "ada,cmd:./mine")
    assert "Who plays on? Type bot, person or again." in said
    assert "1. player 2 lays d5" in said


@pytest.mark.parametrize("game", GAMES)
def test_any_bytes_are_answered_in_words(game: str) -> None:
    """Half characters, escape sequences, a line of a megabyte, more lines than are read ahead."""
    junk = b"\xff\x1b[2J\n" + b"x" * 1_000_000 + b"\n" + b"? zz\n\xe2\x80\n" * AHEAD + b"help"
    said = talk(game, junk)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", said)
    assert "Type help" in said
    assert max(map(len, said.split("\n"))) < 2 * LONGEST + 200


@pytest.mark.parametrize("game", GAMES)
def test_every_position_is_told_without_more_than_its_view_knows(game: str) -> None:
    """From each seat's view the words are those of that view: what is hidden cannot be in them."""
    match = walk(Setup.of(find(game), None, SMALL.get(game, {})), 3)
    names = [f"player {seat + 1}" for seat in range(match.setup.seats)]
    for by in (frozenset({Seat(0)}), frozenset[Seat]()):
        for position in match.seen_by(by).line()[:: 1 + match.number // 60]:
            lines = in_words(position, names, Seat(0) if by else None)
            assert len(lines) >= 3
            assert all(line.endswith(".") and line.isascii() for line in lines), lines


def test_a_replay_is_read_by_lines() -> None:
    setup = Setup.of(find("kuzushi"), 2, {"board": "small"})
    table = LocalTable.begin(setup, ["ada", "bob"])
    for _ in range(3):
        actor = table.match.actors[0]
        table.play(actor, table.match.legal(actor)[0])
    path = table.path
    assert path is not None
    table.close()
    said: list[str] = []
    analysed = b"\nback\nanalyse\nundo\nbest\nquit\nback\n"
    typed = iter([analysed, b"3\n\n99\nlog\neyes\neyes 9\nturning\nwhat\nquit\nlast\n"])

    async def run() -> None:
        console = Console(lambda: next(typed, b""), said.append, is_terminal=False)
        await Reader(log_files.load(path), console, Settings()).run()

    asyncio.run(run())
    text = "".join(said)
    for expected in (
        "3 steps; not finished.",
        "The start: board small",
        "After step 1: bob lays",
        "This is the start.",
        "After step 3: ",
        "This is the last position.",
        "this log cannot be seen from '9'",
        "Enter goes to the next position",
        "Analysis of the start.",
        " % to win: ",
        "Back in the replay, after step 0.",
    ):
        assert expected in text
    assert text.count("After step 3: ") == 1, "nothing is read behind quit"


def test_a_step_of_which_there_is_nothing_to_say_is_only_counted() -> None:
    match = walk(Setup.of(find("kitsune"), 2), 3, 3)
    said: list[str] = []
    typed = iter([b"2\nquit\n"])

    async def run() -> None:
        console = Console(lambda: next(typed, b""), said.append, is_terminal=False)
        log = read(log_text(Header("ab12", match.setup, ("ada", "bob")), match))
        await Reader(log, console, Settings()).run()

    asyncio.run(run())
    assert "\nAfter step 2.\n" in "".join(said)
    assert "step 2: step 2" not in "".join(said)


def test_at_the_end_it_is_said_how_far_a_bot_left_its_solution() -> None:
    said: list[str] = []

    async def run() -> None:
        console = Console(lambda: b"", said.append, is_terminal=False)
        table = LocalTable.begin(Setup.of(find("kuzushi"), 2), ["ada", "bot:7"])
        table._left = {Seat(1): {-1: 0.02}}
        table.end = End("resigned", (Seat(0),))
        await PlainTable(table, console, Settings(think=0.1)).run()

    asyncio.run(run())
    assert "left the solution in 1 of 1 choice, by up to 2.0 %." in "".join(said)
