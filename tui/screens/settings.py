"""The settings screen and that of all keys; changes apply at once and are saved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from kumite.store import guest_mode
from kumite.tui import settings
from kumite.tui.lessons import LESSONS
from kumite.tui.play import preferences
from kumite.tui.play.tasks import TaskTable
from kumite.tui.scenes import Scene
from kumite.tui.scenes.lines import Line, shortened
from kumite.tui.screens import key_map
from kumite.tui.screens.form_screen import BannerFormScreen
from kumite.tui.widgets.bindings import escape, key_name
from kumite.tui.widgets.form import Form, Row
from kumite.tui.widgets.lines import Lines

SAID: Final = 32  # most columns of what a key does
KEYS: Final = 18  # columns left for keys in large print
NOT_FOR_GUESTS: Final = frozenset({"app.suspend", "table.picture"})  # they have no shell, no files
EVERYWHERE: Final = ("app", "screen")
TOGETHER: Final = ("table", "board", "tray", "lan", "lesson", "puzzle")  # in force at one table


class SettingsScreen(BannerFormScreen):
    """Appearance, names, bots and LAN preferences."""

    HEADING = "Settings"
    BINDINGS: ClassVar[list[BindingType]] = [escape("setup.back", show=True)]
    HELP = """\
Left and right change a value; it applies at once and is saved. The row Keys lists all
keys.{{ Put your own themes into the folder `themes` beside the settings file, and your own
pictures of pieces into `sprites`.|}}"""

    def pictured(self, row: Row) -> Scene:  # noqa: ARG002
        """Return a table on which colours, pictures and glyphs are seen as they are chosen."""
        game_id, lesson = next(iter(LESSONS.items()))
        return self.scene_of(TaskTable(game_id, lesson.TASKS[-1]))

    def rows(self) -> list[Row]:
        now = self.shell.settings
        offered = preferences.choices(now)
        rows = []
        for name, (title, text) in preferences.WORDED.items():
            said = preferences.shown(now, name)
            is_text = name not in offered
            rows.append(Row(name, title, text, offered.get(name, ()), said, is_text=is_text))
        where = guest_mode.suited(f"{{{{{settings.path()}|What you have changed is kept.}}}}")
        keys = Row("keys", "Keys", "All keys, and what each does; Enter changes them.")
        return [*rows, Row("", ""), keys, Row("go", "Done", where)]

    @on(Form.Changed)
    def _keep(self, event: Form.Changed) -> None:
        with self.complaining():
            value: Any = preferences.parse(self.shell.settings, event.key, event.value)
            changed: dict[str, Any] = {event.key: value}
            self.shell.use(replace(self.shell.settings, **changed))
            settings.keep_later(lambda error: self.call_later(self.complain, error), **changed)
            if event.key in ("skin", "glyphs"):
                self.selected(self.form.row)
            if event.key == "skin" and self.shell.broken:
                self.complain(self.shell.broken[0])
            if event.key == "theme" and (wrong := self.shell.palette.wrong):
                self.say(wrong[0], "loss")

    def chosen(self, key: str) -> None:
        if key == "keys":
            self.app.push_screen(KeysScreen())
        else:
            self.action_back()


# --- Keys ----------------------------------------------------------------------------------------


def meet(one: str, other: str) -> bool:
    """Return whether two bindings, by their ids, can be in force at the same time."""
    owners = one.partition(".")[0], other.partition(".")[0]
    is_near = all(owner in TOGETHER for owner in owners) or owners[0] == owners[1]
    return is_near or any(owner in EVERYWHERE for owner in owners)


def keys_of(name: str, own: dict[str, str]) -> tuple[str, ...]:
    """Return the keys of a binding, by its id, with one's own settings."""
    return tuple(key.strip() for key in own.get(name, key_map.known()[name].key).split(","))


def conflicts(name: str, key: str, own: dict[str, str]) -> list[Binding]:
    """Return the other bindings that a key would also mean where `name` is in force.

    Those that share a key with it from the start take turns by where the cursor is.
    """
    usual = set(keys_of(name, {}))
    return [
        binding
        for other, binding in key_map.known().items()
        if other != name and meet(name, other) and key in keys_of(other, own)
        if usual.isdisjoint(keys_of(other, {}))
    ]


class AskKey(ModalScreen[str]):
    """Take the next key, whatever it means elsewhere; Esc gives ""."""

    def __init__(self, lines: tuple[Line, ...]) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield Lines(*self._lines, id="question")

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        self.dismiss("" if event.key == "escape" else event.key)


class KeysScreen(BannerFormScreen):
    """All keys by what they belong to; Enter changes one."""

    HEADING = "Keys"
    PREVIEWS = ()
    HELP = """\
Press Enter on a row, then the new key. It replaces the row's keys and is saved. x restores
a row's usual keys. A key that already has a meaning on that screen is refused, and you are
told which row has it. Text fields, Ctrl+Q and Esc cannot be changed."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x", "usual", "usual keys", id="keys.usual"),
        escape("keys.back", show=True),
    ]

    def rows(self) -> list[Row]:
        own, rows, owner = dict(self.shell.settings.keys), list[Row](), ""
        for name, binding in key_map.known().items():
            if guest_mode.is_guest() and name in NOT_FOR_GUESTS:
                continue
            if (group := name.partition(".")[0]) != owner:
                owner = group
                rows += [Row("", ""), Row("", group)]
            shown = ", ".join(map(key_name, keys_of(name, own)))
            role = "title" if name in own else "key"
            room = min(SAID, self.app.size.width - KEYS)
            said = f"  {shortened(binding.description, room, self.shell.look)} "
            rows.append(Row(name, said, f"{name}: {binding.description}", line=((shown, role),)))
        return rows[1:]

    def fit_lines(self) -> None:
        super().fit_lines()
        if self.query("#form"):
            self.form.show(self.rows())

    def chosen(self, key: str) -> None:
        said = key_map.known()[key].description
        lines: tuple[Line, ...] = (
            ((f"Press the new key for “{said}”.", "title"),),
            (("Esc leaves it as it is.", "quiet"),),
        )
        self.app.push_screen(AskKey(lines), lambda pressed: self._change(key, pressed or ""))

    def _change(self, name: str, key: str) -> None:
        own = dict(self.shell.settings.keys)
        if not key:
            return
        if taken := conflicts(name, key, own):
            other = taken[0]
            self.say(f"{key_name(key)} is “{other.description}” already ({other.id}).", "loss")
            return
        self._keep({**own, name: key})

    def action_usual(self) -> None:
        name = self.form.row.key
        own = {one: keys for one, keys in self.shell.settings.keys.items() if one != name}
        self._keep(own)

    def _keep(self, own: dict[str, str]) -> None:
        self.shell.use(replace(self.shell.settings, keys=own))
        settings.keep_later(lambda error: self.call_later(self.complain, error), keys=own)
        self.form.show(self.rows())
        self.selected(self.form.row)
