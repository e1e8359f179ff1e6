"""The settings screen; changes apply at once and are saved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from textual import on
from textual.binding import BindingType

from kumite.store import guest_mode
from kumite.tui import settings
from kumite.tui.lessons import LESSONS
from kumite.tui.play import preferences
from kumite.tui.play.tasks import TaskTable
from kumite.tui.scenes import Scene
from kumite.tui.screens.form_screen import BannerFormScreen
from kumite.tui.screens.keys import KeysScreen
from kumite.tui.widgets.bindings import escape
from kumite.tui.widgets.form import Form, Row


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
