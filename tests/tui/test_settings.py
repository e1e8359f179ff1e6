"""Settings: any name is kept, nothing in the file costs a start, and what is not changed stays."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import settings as drawn
from hypothesis import strategies as st

from kumite.core.players import is_person
from kumite.store import whole_files
from kumite.tui import settings
from kumite.tui.app import KumiteApp
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.settings import SettingsScreen
from kumite.tui.widgets.form import Form
from tests.support.apps import until


@pytest.fixture(autouse=True)
def file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the settings file of a home of its own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    settings.path().parent.mkdir()
    return settings.path()


@given(name=st.text())
@example(name="🦊\ud83e")
@example(name="\x00\x1b[31m\u2028")
@example(name='"""\'\\\n')
@drawn(max_examples=200)
def test_any_name_is_read_back_as_it_was_written(name: str) -> None:
    """The examples once ended every later start."""
    settings.keep(name=name)
    found = settings.read().settings
    assert settings.load() == (found, ())
    assert found.name == name.encode("utf-8", "replace").decode()


@pytest.mark.parametrize("name", ["bot:easy", "cmd:./mybot"])
def test_no_bot_plays_for_who_is_called_like_one(name: str) -> None:
    settings.keep(name=name)
    assert is_person(settings.own_name(settings.read().settings))


def test_comments_order_and_what_is_not_known_stay(file: Path) -> None:
    text = (
        '# mine\r\ntheme = "light" # bright\r\nlater = 3\r\n\r\n[keys]\r\n# back\r\n"a.b" = "x"\r\n'
    )
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    settings.keep(theme="dark", name="ada")
    lines = file.read_bytes().decode().split("\n")
    assert lines[:3] == ["# mine\r", 'theme = "dark" # bright\r', "later = 3\r"]
    assert lines[-4:] == ["[keys]\r", "# back\r", '"a.b" = "x"\r', ""]
    found = settings.read()
    assert (found.settings.theme, found.settings.name) == ("dark", "ada")
    assert found.settings.keys == {"a.b": "x"}
    assert len(found.wrong) == 1
    assert "later = 3 is not used: there is no such setting" in found.wrong[0]


@pytest.mark.parametrize(
    "content",
    [
        b"theme = ",
        b"\xff",
        b'name = "\\ud83e"',
        b"= = =",
        b"a = [" * 5000,
        b"x" * (2 << 20),
        b"x" + b".x" * 99999,
    ],
    ids=["cut off", "no UTF-8", "half a character", "no TOML", "deep", "large", "dotted"],
)
def test_a_file_that_cannot_be_read_is_set_aside_with_a_word(file: Path, content: bytes) -> None:
    for number in (1, 2):
        file.write_bytes(content)
        found, told = settings.load()
        assert found == settings.Settings()
        aside = file.with_name(f"settings.toml.unreadable{'-2' * (number == 2)}")
        assert aside.name in told[0]
        assert str(file) in told[0]
        assert aside.read_bytes() == content
        assert not file.exists()


@pytest.mark.parametrize("kind", ["folder", "pipe", "shut"])
def test_what_is_no_file_is_set_aside_as_well(file: Path, kind: str) -> None:
    if kind == "folder":
        file.mkdir()
    elif kind == "pipe":
        os.mkfifo(file)
    else:
        file.write_text('theme = "light"')
        file.chmod(0)
        if os.access(file, os.R_OK):  # the superuser reads everything
            file.unlink()
            file.mkdir()
    _, told = settings.load()
    assert told
    settings.keep(name="ada")
    assert settings.read().settings.name == "ada"


@pytest.mark.parametrize("said", ["0", "true", "'1'", "nan", "inf", "3601", "-1", "[1]"])
def test_a_wrong_time_to_think_is_told_and_the_usual_one_taken(file: Path, said: str) -> None:
    file.write_text(f'name = "ada"\nthink = {said}\n')
    found, told = settings.load()
    assert (found.name, found.think) == ("ada", 1.0)
    assert "think = " in told[0]
    assert "seconds from 0.05 to 3600" in told[0]
    file.write_text("think = 2\n")
    assert settings.load() == (settings.Settings(think=2.0), ())
    assert settings.load(think=0.5)[0].think == 0.5


def test_a_disk_that_takes_nothing_leaves_the_old_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.keep(name="ada")
    before = file.read_bytes()

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(whole_files.os, "fsync", full)
    with pytest.raises(settings.BadSettings, match="No space left"):
        settings.keep(name="bob")
    assert file.read_bytes() == before
    assert [one.name for one in file.parent.iterdir()] == ["settings.toml"]


def test_a_file_that_is_a_link_stays_one(file: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("# kept elsewhere\n")
    file.symlink_to(tmp_path / "mine.toml")
    settings.keep(name="ada")
    assert file.is_symlink()
    assert (tmp_path / "mine.toml").read_text() == '# kept elsewhere\nname = "ada"\n'


async def test_what_the_command_line_says_is_not_kept_with_another_setting(file: Path) -> None:
    file.write_text('theme = "light"\n')
    chosen, _ = settings.load(theme="mono", glyphs="ascii", think=9.0, mouse=False)
    kumite = KumiteApp(chosen, SettingsScreen)
    async with kumite.run_test(size=(80, 24)) as pilot:
        form = kumite.screen.query_one(Form)
        while form.row.key != "name":
            await pilot.press("down")
        await pilot.press(*"ada")
        assert settings.read().settings == settings.Settings(theme="light", name="ada")
    assert file.read_text() == 'theme = "light"\nname = "ada"\n'


async def test_settings_that_cannot_be_written_are_told_on_the_screen(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(whole_files, "write_whole", full)
    kumite = KumiteApp(settings.Settings(glyphs="letters"), SettingsScreen)
    said: list[str] = []
    async with kumite.run_test(size=(80, 24)) as pilot:
        kumite.screen.complain = lambda error: said.append(str(error))
        await pilot.press("right")
        await until(pilot, lambda: bool(said), "a word")
    assert "No space left" in said[0]


async def test_what_was_wrong_is_told_when_the_app_begins() -> None:
    kumite = KumiteApp(settings.Settings(), HomeScreen, told=("settings.toml: [no markup] x",))
    async with kumite.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(kumite._notifications) == 1, "the word")
        (note,) = kumite._notifications
        assert note.message == "settings.toml: [no markup] x"
