"""Settings: seen at once, kept for the next time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual import on

from core.errors import KumiteError
from tui import look, settings, theme
from tui.screens.setup import FormScreen
from tui.widgets.form import Form, Row

if TYPE_CHECKING:
    from collections.abc import Mapping


class SettingsScreen(FormScreen):
    """Theme, glyphs and name."""

    TITLE_LINE = "Settings"
    HELP = """\
Left and right change a value; it is shown at once and kept. Your own themes lie in
the folder `themes` beside the settings file, and keys can be changed there too:

```
[keys]
"table.back" = "backspace"
```

What to write there on the left is shown in grey in the list of keys of each screen's help."""

    def rows(self, values: Mapping[str, str]) -> list[Row]:  # noqa: ARG002
        """Return the settings."""
        now = self.kumite.settings
        glyphs = ("auto", *look.LOOKS)
        return [
            Row(
                "theme",
                "Theme",
                "Colours; put your own beside the settings.",
                theme.names(),
                now.theme,
            ),
            Row(
                "glyphs", "Glyphs", "`auto` takes what this terminal can show.", glyphs, now.glyphs
            ),
            Row("name", "Your name", "As others see it on a LAN.", value=now.name, is_text=True),
            Row("", ""),
            Row("go", "Done", str(settings.path())),
        ]

    @on(Form.Changed)
    def _keep(self, event: Form.Changed) -> None:
        try:
            changed: dict[str, Any] = {event.key: event.value}
            self.kumite.use(replace(self.kumite.settings, **changed))
            settings.save(self.kumite.settings)
        except KumiteError as error:
            self.complain(error)

    def done(self, values: Mapping[str, str]) -> None:  # noqa: ARG002
        """Leave."""
        self.action_back()
