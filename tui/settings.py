"""What a person has chosen once: looks, name, keys. A file in the configuration folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Final

from kumite.core import codes
from kumite.core.errors import KumiteError


class BadSettings(KumiteError):
    """A settings file that cannot be used."""

    code = codes.BAD_SETTINGS


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; the command line overrides the file."""

    theme: str = "auto"
    skin: str = "kumite"
    glyphs: str = "auto"
    name: str = ""
    mouse: bool = True
    audit: bool = True  # whether our secrets may be opened when a LAN match is over
    watchers: bool = True  # whether somebody may look on at our LAN tables
    lan: bool = True  # whether the home screen looks for open tables
    level: str = "easy"  # of the bot that one played against last
    think: float = 1.0  # s that the bot `strong` may think about a step
    keys: Mapping[str, str] = field(default_factory=dict)  # binding id: keys, with commas


def path() -> Path:
    """Return the settings file; it need not exist."""
    from platformdirs import user_config_path

    return user_config_path("kumite", appauthor=False) / "settings.toml"


THINKING: Final = (0.05, 3600.0)  # s: the least and the most of `think`


def load(
    theme: str | None = None,
    skin: str | None = None,
    glyphs: str | None = None,
    mouse: bool = True,
    think: float | None = None,
) -> Settings:
    """Return the settings, overridden by what the command line says.

    Raises:
        BadSettings: the file is no TOML, or has a setting that does not exist or fit.
    """
    import tomllib

    file = path()
    try:
        said = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except (OSError, ValueError) as error:
        raise BadSettings(f"{file}: {error}", hint="mend it, or remove it") from error
    plain = Settings()
    known = {one.name: type(getattr(plain, one.name)) for one in fields(Settings)}
    for name, value in list(said.items()):
        if name == "think" and type(value) is int:  # TOML tells 1 from 1.0
            said[name] = value = float(value)
        fits = name in known and type(value) is known[name]
        if name == "think" and fits and not THINKING[0] <= value <= THINKING[1]:
            raise BadSettings(f"{file}: think = {value}", hint="seconds, such as 0.5 or 3")
        if not fits or (name == "keys" and any(type(keys) is not str for keys in value.values())):
            raise BadSettings(f"{file}: {name} = {value!r}", hint=f"settings: {', '.join(known)}")
    settings = Settings(**said)
    return replace(
        settings,
        theme=theme or settings.theme,
        skin=skin or settings.skin,
        glyphs=glyphs or settings.glyphs,
        mouse=settings.mouse and mouse,
        think=think or settings.think,
    )


def remember_level(settings: Settings, level: str) -> Settings:
    """Return the settings with the level of one's bots; what the file says else stays as it is.

    Raises:
        BadSettings: it cannot be kept.
    """
    if level != settings.level:
        save(replace(load(), level=level))
    return replace(settings, level=level)


def own_name(settings: Settings) -> str:
    """Return what others see on a LAN: the name in the settings, else the user's."""
    from getpass import getuser

    try:
        return settings.name or getuser()
    except (KeyError, OSError):  # a container may have no name for its user
        return "player"


def save(settings: Settings) -> None:
    """Write the settings file.

    Raises:
        BadSettings: it cannot be written.
    """
    import json

    lines = [
        f"theme = {json.dumps(settings.theme)}",
        f"skin = {json.dumps(settings.skin)}",
        f"glyphs = {json.dumps(settings.glyphs)}",
        f"name = {json.dumps(settings.name)}",
        f"mouse = {json.dumps(settings.mouse)}",
        f"audit = {json.dumps(settings.audit)}",
        f"watchers = {json.dumps(settings.watchers)}",
        f"lan = {json.dumps(settings.lan)}",
        f"level = {json.dumps(settings.level)}",
        f"think = {json.dumps(settings.think)}",
    ]
    if settings.keys:
        lines += ["", "[keys]"]
        lines += [f"{json.dumps(name)} = {json.dumps(k)}" for name, k in settings.keys.items()]
    file = path()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise BadSettings(f"cannot write {file}: {error.strerror}") from error
