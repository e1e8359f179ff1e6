"""Repair keeps what later digests prove, and nothing that nobody has played."""

from __future__ import annotations

from random import Random

import pytest

from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.log import Header, Writer, log_text, read, repaired
from tests.support.random_matches import walk

SETUP = Setup.of(GAMES["kuzushi"])
MATCH = walk(SETUP, 3)
SECRET = ("kitsune", "kiriai")
HEADER = Header("ab12", SETUP, ("ada", "bob"))


def talk() -> str:
    """Return a log with talk, a step taken back and remarks."""
    writer = Writer()
    text = writer.header(HEADER)
    for match in list(MATCH.line())[1:]:
        lines = [f"say 0 hello {match.number}"]
        if match.number == 5:
            lines += ["back 3", *(line_of(one) for one in list(MATCH.line())[4:5])]
        text += writer.lines(*lines, line_of(match))
    return text


def line_of(match: object) -> str:
    from kumite.core.log import step_text

    return step_text(match)


def broken(text: str, line: int, how: str) -> str:
    lines = text.splitlines(keepends=True)
    at = line - 1
    if how == "letter":
        lines[at] = lines[at].replace("e", "x", 1)
    elif how == "gone":
        del lines[at]
    elif how == "rubbish":
        lines[at] = "\x00\ufffd\x00\n"
    elif how == "twice":
        lines.insert(at, lines[at])
    return "".join(lines)


def test_a_changed_letter_of_what_somebody_said_costs_no_step() -> None:
    text = talk()
    assert read(text).damage is None
    line = next(n for n, one in enumerate(text.splitlines(), 1) if one.startswith("say"))
    made = repaired(broken(text, line, "letter"))
    assert made.match.digest == MATCH.digest
    assert made.lost == (line,)
    found = read(made.text)
    assert found.damage is None
    assert found.match.digest == MATCH.digest
    assert next(one.rest for one in found.entries if one.kind == "say") == "0 hello 2"
    assert found.entries[-1].rest.startswith(f"repaired: line {line}: the line, or one before it")
    assert made.unproved == MATCH.number - 1


@pytest.mark.parametrize("how", ["letter", "gone", "rubbish", "twice"])
@pytest.mark.parametrize("game_id", GAMES)
def test_one_broken_line_anywhere_costs_no_step(how: str, game_id: str) -> None:
    setup = Setup.of(GAMES[game_id])
    match = walk(setup, 1, longest=25)
    header = Header("ab12", setup, ("a", "b") * (setup.seats // 2))
    text = log_text(header, match)
    first = read(text).entries[0].line
    last = first + match.number - 1
    for line in sorted(Random(how).sample(range(first, last), 6)):
        made = repaired(broken(text, line, how))
        assert made is not None, line
        assert read(made.text).damage is None
        if how in ("gone", "rubbish") and game_id in SECRET:  # what was secret cannot be proved
            assert made.match.steps() == match.steps()[: made.match.number]
            continue
        assert made.match.steps() == match.steps(), line
        if how != "twice":
            assert made.guessed == (line - first + 1,)


def test_two_lines_that_are_gone_end_what_can_be_proved() -> None:
    text = log_text(HEADER, MATCH)
    first = read(text).entries[0].line
    made = repaired(broken(broken(text, first + 5, "gone"), first + 5, "gone"))
    assert made.match.digest == MATCH.back(5).digest
    assert made.lost == tuple(range(first + 5, len(text.splitlines()) - 1))


def test_what_was_taken_back_is_gone_only_if_a_step_proves_it() -> None:
    text = talk()
    back = next(n for n, one in enumerate(text.splitlines(), 1) if one.startswith("back"))
    made = repaired(broken(text, back - 1, "rubbish"))
    assert made.match.digest == MATCH.digest
    writer = Writer()
    sound, steps = writer.header(HEADER), writer.steps(MATCH.back(6), 0)
    rest = writer.lines("say 0 x", "back 2", "say 0 y")
    made = repaired(broken(sound + steps + rest, len((sound + steps).splitlines()) + 1, "rubbish"))
    assert made.match.number == 6


def test_random_damage_never_proves_a_step_that_nobody_played() -> None:
    text, rng = talk(), Random(5)
    digests = {match.digest for match in MATCH.line()}
    begin = text.index("\n", text.index("\nbegin") + 1) + 1
    for _ in range(300):
        letters = list(text)
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(begin, len(letters))
            letters[at] = rng.choice(["\n", "", "0", "1", "a", "~", " ", "\ufffd", "back 3\n"])
        made = repaired("".join(letters))
        if made is not None:
            assert made.match.digest in digests
            found = read(made.text)
            assert found.damage is None
            assert found.match.digest == made.match.digest


def test_a_sound_log_is_not_repaired() -> None:
    assert repaired(log_text(HEADER, MATCH)) is None
