"""The home of line mode: one console for everything, whatever is typed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kumite.tui import settings
from kumite.tui.settings import called
from tests.support.commands import kumite, started


def home(logs: Path, lines: list[str], *args: str, **more: str) -> str:
    """Type these lines into `kumite ARGS`; return all that it says."""
    here = {"KUMITE_LOGS": str(logs), "XDG_CONFIG_HOME": str(logs)}
    done = started(*args, given="\n".join((*lines, "")), **here, **more)
    return done.stdout + done.stderr


def test_an_evening_by_lines_and_nothing_typed_is_lost_between_two_dialogues(
    tmp_path: Path,
) -> None:
    said = home(
        tmp_path,
        [
            *(
                "ada",
                "1",
                "quit",
                "puzzles kumo",
                "hint",
                "hint",
                "quit",
                "rules kitsu",
                "rules kitsu 1",
            ),
            *("play kumo --seats ada,bob", "+e1=run", "quit", "1", "log", "quit", "record", "7"),
            *("settings", "settings speak words", "settings speak loud", "settings think 0"),
            *("settings name eve", "settings theme dark", "settings name"),
            *("nonsense", "play nogame", "rules kumo 99", '"', "", "quit"),
        ],
        "--plain",
    )
    for text in (
        *(
            "Kitsu!, lesson 1 of",
            "Kumo Hogosha, puzzle",
            "Type hint again",
            "You would type: ",
            "1  Who begins",
        ),
        *(
            "Only 1 is offered.",
            "Spring begins",
            "1. ada",
            "The match continues after step 1.",
            "Your name?",
            "Type words:\n",
            "speak signs (signs or letters or words): ",
            "speak is words from now on.",
            "speak is one of signs, letters, words, not 'loud'",
            "think is seconds from 0.05 to 3600, such as 0.5 or 3, not '0'",
            "name eve: ",
            "There is no setting 'theme' here",
        ),
        *("No such command 'nonsense'", "no game 'nogame'", "there is no chapter '99'"),
        "A quotation mark is missing",
    ):
        assert text in said, text
    assert "play GAME --seats ada,bot:1" in said
    kept = (tmp_path / "kumite" / "settings.toml").read_text()
    assert 'speak = "words"' in kept
    assert 'aliases = "ada"' in kept


@pytest.mark.parametrize("lines", [["", "quit"], [""]])
def test_a_terminal_that_cannot_be_drawn_on_has_the_home_by_lines(
    lines: list[str], tmp_path: Path
) -> None:
    said = home(tmp_path, lines, TERM="dumb")
    assert "line mode" in said
    assert "learn kitsu" in said


def test_a_saved_match_is_named_without_its_folder_but_no_new_file_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs, here = tmp_path / "logs", tmp_path / "here"
    here.mkdir()
    home(logs, ["", "play kuzushi --seats ada,bob", "g6", "quit", "quit"], "--plain")
    (saved,) = logs.glob("*.kumite")
    name, before = saved.name, saved.read_bytes()
    said = home(logs, [f"replay {name}", "quit", f"resume {name}", "quit", "quit"], "--plain")
    assert "The match continues after step" in said
    assert "cannot read" not in said
    monkeypatch.setenv("KUMITE_LOGS", str(logs))
    monkeypatch.chdir(here)
    kumite("log", "export", name, "-o", name)
    assert [one.name for one in here.iterdir()] == [name]
    assert saved.read_bytes() == before


def test_games_go_by_their_titles_saved_matches_by_numbers_and_errors_are_short(
    tmp_path: Path,
) -> None:
    said = home(
        tmp_path,
        [
            *("ada", "kiri-ai", "Zenko", "help", "?", "help all", "nonsense", "play nogame"),
            *("rules Kitsu: Zenko & Yako", "rules kumo hogosha 1", "learn kiri-ai", "quit"),
            *("play Kuzushi --seats ada,bob", "g6", "quit", "log list", "replay", "quit"),
            *("review 7", "quit"),
        ],
        "--plain",
    )
    for text in (
        "type learn kiriai, or play kiriai --seats ada,bot:1",
        "type learn kitsune, or play kitsune --seats",
        "kitsune (Kitsu: Zenko & Yako)",
        "Kiri-ai: The Duel, lesson 1 of",
        "1  Kuzushi: ada – bob, 1 step",
        "Continue Kuzushi against bob, 1 step, just now: resume 1\n",
        "Kuzushi: ada – bob. 1 steps; not finished.",
        "there is no saved match 7",
    ):
        assert text in said, text
    assert said.count("Type words:") == 3, "at first, and twice when asked"
    assert said.count("Usage:") == 1, "only with all commands"
    assert str(tmp_path) not in said


def test_the_name_is_asked_for_once_and_what_comes_next_is_told_when_it_changes(
    tmp_path: Path,
) -> None:
    asked, next_up = "Your name?", "1 is what comes next."
    said = home(tmp_path, ["quit"], "--plain")
    assert asked in said
    assert next_up not in said
    said = home(tmp_path, ["bea", "settings", "settings", "", "quit"], "--plain")
    assert asked in said
    assert said.count(next_up) == 2, "at first, and when asked for by Enter alone"
    again = home(tmp_path, ["quit"], "--plain")
    assert asked not in again
    assert "Type words:" not in again, "who comes back knows them, or types help"
    assert asked not in home(tmp_path / "2", ["quit"], "--plain", KUMITE_GUEST="127.0.0.1")


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a matter of POSIX")
@pytest.mark.parametrize("args", ["join 7-torii-lantern", "host kuzushi --port 0"])
def test_who_goes_to_a_table_by_lines_without_a_name_is_asked_for_it_once(
    args: str, tmp_path: Path
) -> None:
    from tests.support.terminal import Terminal

    logs = {"KUMITE_LOGS": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    for is_new in (True, False):
        with Terminal(*args.split(), "--plain", environment=logs) as terminal:
            if is_new:
                terminal.wait_for("Your name?")
                terminal.type("eva", "enter")
            terminal.wait_for("No table" if "join" in args else "The table is open")
            assert ("Your name?" in terminal.text) == is_new
    assert 'name = "eva"' in (tmp_path / "kumite" / "settings.toml").read_text()


def test_a_name_that_is_given_on_the_way_to_a_table_is_kept_if_there_was_none() -> None:
    """The next table was hosted by `root`, since a match had been played and nobody was asked."""
    assert called(settings.read().settings, "Pia") == "Pia"
    assert settings.read().settings.name == "Pia"
    assert called(settings.read().settings, "Tom") == "Tom"
    assert settings.read().settings.name == "Pia", "for once"
    assert called(settings.read().settings, None) == "Pia"


def test_what_comes_next_is_told_after_each_command_and_the_menu_has_its_own_prompt(
    tmp_path: Path,
) -> None:
    lines = ["ada", "learn kumo", "quit", "1", "quit", "settings", "quit"]
    said = home(tmp_path, lines, "--plain")
    assert said.count("1 is what comes next.") == 3, "not after the settings"
    assert said.count("\nkumite> ") == 4
    assert said.endswith("kumite> quit\nGoodbye.\n")
