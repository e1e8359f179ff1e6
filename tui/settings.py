"""What a person has chosen once: theme, glyphs, name. A file in the configuration folder."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

from core.errors import KumiteError


class BadSettings(KumiteError):
    """A settings file that cannot be used."""

    code = "bad-settings"


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; the command line overrides the file."""

    theme: str = "dark"
    glyphs: str = "auto"
    name: str = ""
    mouse: bool = True


def path() -> Path:
    """Return the settings file; it need not exist."""
    from platformdirs import user_config_path

    return user_config_path("kumite", appauthor=False) / "settings.toml"


def load(theme: str | None = None, glyphs: str | None = None, mouse: bool = True) -> Settings:
    """Return the settings, overridden by what the command line says.

    Raises:
        BadSettings: the file is no TOML, or has a setting that does not exist or fit.
    """
    file = path()
    try:
        said = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except (OSError, ValueError) as error:
        raise BadSettings(f"{file}: {error}", hint="mend it, or remove it") from error
    known = {field.name: type(field.default) for field in fields(Settings)}
    for name, value in said.items():
        if name not in known or type(value) is not known[name]:
            raise BadSettings(f"{file}: {name} = {value!r}", hint=f"settings: {', '.join(known)}")
    settings = Settings(**said)
    return Settings(
        theme or settings.theme,
        glyphs or settings.glyphs,
        settings.name,
        settings.mouse and mouse,
    )
