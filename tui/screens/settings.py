"""The settings screen; changes apply at once and are saved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Final

from textual import on
from textual.binding import BindingType

from kumite.store import guest_mode
from kumite.tui import settings
from kumite.tui.lessons import LESSONS
from kumite.tui.look import colors, glyphs, sprites
from kumite.tui.play.tasks import TaskTable
from kumite.tui.scenes import Scene
from kumite.tui.screens.form_screen import BannerFormScreen
from kumite.tui.screens.keys import KeysScreen
from kumite.tui.widgets.bindings import escape
from kumite.tui.widgets.form import ON_OFF, Form, Row

THINK: Final = ("0.5", "1", "2", "5", "10", "30")
ROWS: Final = {  # by the name of the setting: title and help
    "theme": ("Theme", "Colours; themes of your own are listed here, too."),
    "skin": ("Pictures", "Of pieces and cards; pictures of your own are listed here, too."),
    "glyphs": ("Glyphs", "`auto` takes what this terminal can show."),
    "name": ("Your name", "As others see it on a LAN."),
    "aliases": (
        "Other names",
        "Under which you have played, with commas: they count for your record.",
    ),
    "audit": (
        "Reveal cards",
        "After a LAN match all hidden cards are opened and checked; no: yours stay hidden.",
    ),
    "watchers": (
        "Watchers",
        "Let others watch your LAN tables; they see what everyone may see.",
    ),
    "lan": (
        "Look for tables",
        "Show open LAN tables on the home screen.",
    ),
    "tutor": (
        "Tutor",
        "Have a bot warn you once before a costly step; not on the LAN.",
    ),
    "counter": (
        "Card counter",
        "List played cards even where the rules forbid looking at them.",
    ),
    "bell": ("Bell", "Ring the terminal's bell when it is your turn or others talk."),
    "title": ("Window title", "Show whose turn it is in the window's title."),
    "notices": ("Notices", "Show a desktop notification while you are in another window."),
    "motion": ("Motion", "How steps of others are shown as they happen; any key ends it at once."),
    "think": ("Time of strong", "Seconds that the bot `strong` may think about a step."),
}


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
        think = f"{now.think:g}"
        choices = {
            "theme": (colors.AUTO, *colors.names()),
            "skin": sprites.names(),
            "glyphs": ("auto", *glyphs.LOOKS),
            "motion": settings.MOTIONS,
            "think": THINK if think in THINK else (*THINK, think),
        }
        rows = []
        for name, (title, text) in ROWS.items():
            value = getattr(now, name)
            if type(value) is bool:
                row = Row(name, title, text, ON_OFF, ON_OFF[not value])
            elif name in choices:
                row = Row(name, title, text, choices[name], think if name == "think" else value)
            else:
                row = Row(name, title, text, value=value, is_text=True)
            rows.append(row)
        where = guest_mode.suited(f"{{{{{settings.path()}|What you have changed is kept.}}}}")
        keys = Row("keys", "Keys", "All keys, and what each does; Enter changes them.")
        return [*rows, Row("", ""), keys, Row("go", "Done", where)]

    @on(Form.Changed)
    def _keep(self, event: Form.Changed) -> None:
        with self.complaining():
            is_switch = type(getattr(self.shell.settings, event.key)) is bool
            value: Any = event.value == ON_OFF[0] if is_switch else event.value
            if event.key == "think":
                value = float(value)
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
