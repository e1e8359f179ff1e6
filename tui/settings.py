"""The user's settings (theme, glyphs, name, keys …), a file in the configuration folder.

Errors in the file never prevent a start: an invalid setting is ignored, an unreadable file is
set aside, and both are reported.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from getpass import getuser
from pathlib import Path
from typing import Any, Final, NamedTuple

from platformdirs import user_config_path

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.core.players import as_person
from kumite.store import guest_mode, toml_files, whole_files
from kumite.store.background import DISK

MOTIONS: Final = ("full", "short", "off")
SIZED: Final = ("usual", "large")
SPOKEN: Final = ("signs", "letters", "words")  # how line mode says e5: `e5`, `e 5`, `echo 5`
ONE_OF: Final = {"motion": MOTIONS, "size": SIZED, "speak": SPOKEN}
ON_OFF: Final = ("yes", "no")  # a switch, as people read and type it
THINKING: Final = (0.05, 3600.0)  # s: the range of `think`


class BadSettings(KumiteError):
    """The settings file cannot be written."""

    code = codes.BAD_SETTINGS


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; the command line overrides the file."""

    theme: str = "auto"
    skin: str = "kumite"
    glyphs: str = "auto"
    name: str = ""
    aliases: str = ""  # the user's other names in saved matches, comma-separated
    mouse: bool = True
    audit: bool = True  # whether local secrets may be opened after a LAN match
    watchers: bool = True  # whether LAN tables hosted here admit spectators
    lan: bool = True  # whether the home screen looks for open tables
    bell: bool = True  # whether the terminal rings when it is the user's turn
    title: bool = True  # whether the window title says so
    notices: bool = True  # whether a desktop notification says so if another window has focus
    motion: str = "full"  # animation of others' steps: `full`, `short`, `off`
    size: str = "usual"  # `large`: panels give way to larger squares and cards
    level: str = "easy"  # of the last bot opponent
    tutor: bool = False  # whether a bot warns of costly steps at local tables
    counter: bool = False  # whether cards that players may not look through are listed
    think: float = 1.0  # s that the bot `strong` may think about a step
    brief: bool = False  # whether line mode tells the position only when asked
    speak: str = "signs"  # how line mode says squares, one of SPOKEN
    keys: Mapping[str, str] = field(default_factory=dict)  # binding id: keys, comma-separated


KNOWN: Final = tuple(one.name for one in fields(Settings))


class Found(NamedTuple):
    """The contents of the settings file and its errors."""

    settings: Settings
    wrong: tuple[str, ...] = ()  # for each ignored setting, what is wrong and what is valid
    is_unreadable: bool = False  # the whole file, with the reason in `wrong`


def path() -> Path:
    return user_config_path("kumite", appauthor=False) / "settings.toml"


def read() -> Found:
    """Read the file without changing it; invalid contents are reported, not raised."""
    DISK.finish()  # of a recent change
    file = path()
    text, said, why = toml_files.read(file)
    if why:
        return Found(Settings(), (why,), is_unreadable=True)
    wrong = {name: why for name, value in said.items() if (why := why_not(name, value))}
    fitting = {name: value for name, value in said.items() if name not in wrong}
    if "think" in fitting:
        fitting["think"] = float(fitting["think"])  # TOML distinguishes 1 and 1.0
    return Found(
        Settings(**fitting),
        tuple(
            f"{toml_files.where(file, text, '', name)}: "
            f"{name} = {toml_files.shown(said[name])} is not used: {why}"
            for name, why in wrong.items()
        ),
    )


def why_not(name: str, value: object) -> str:
    """Return what is wrong with a setting; "" if nothing."""
    if name not in KNOWN:
        return f"there is no such setting; there are {', '.join(KNOWN)}"
    if name == "think":
        is_number = type(value) in (int, float)
        if is_number and THINKING[0] <= value <= THINKING[1]:  # type: ignore[operator]
            return ""
        return f"seconds from {THINKING[0]:g} to {THINKING[1]:g}, such as 0.5 or 3"
    if name in ONE_OF and value not in ONE_OF[name]:
        return f"one of {', '.join(ONE_OF[name])}"
    if name == "keys":
        fits = type(value) is dict and all(type(keys) is str for keys in value.values())
        return "" if fits else 'keys as texts: "table.back" = "backspace"'
    wanted = type(getattr(Settings(), name))
    if type(value) is wanted:
        return ""
    return "true or false" if wanted is bool else 'a text, such as "auto"'


def load(*, mouse: bool = True, **options: Any) -> tuple[Settings, tuple[str, ...]]:
    """Return the settings, with the options of the command line, and warnings about the file.

    An unreadable file is set aside.
    """
    settings, told, is_unreadable = read()
    if is_unreadable:
        told = (_set_aside(told[0]),)
    given = {name: value for name, value in options.items() if value}
    return replace(settings, mouse=settings.mouse and mouse, **given), told


def _set_aside(why: str) -> str:
    """Set the file aside; return the warning to show."""
    try:
        kept = whole_files.set_aside(path())
    except OSError as error:
        return f"{why}; the default settings are used ({whole_files.reason(error)})"
    return f"{why}; it is kept as {kept.name}, and the default settings are used"


def remember_level(settings: Settings, level: str) -> Settings:
    """Save the bot level and return the changed settings; the rest of the file is kept.

    Raises:
        BadSettings: the file cannot be written.
    """
    if level != settings.level:
        keep(level=level)
    return replace(settings, level=level)


def remember_name(settings: Settings, name: str) -> Settings:
    """Save the user's name and return the changed settings; matches under the old one still count.

    Raises:
        BadSettings: the file cannot be written.
    """
    aliases = ", ".join(dict.fromkeys(one for one in own_names(settings) if one != name))
    keep(name=name, aliases=aliases)
    return replace(settings, name=name, aliases=aliases)


def called(settings: Settings, name: str | None) -> str:
    """Return a given name, which is kept if there is none yet, or the user's own."""
    if name and not settings.name and not guest_mode.is_guest():
        with suppress(KumiteError):  # one can play all the same
            keep(name=as_person(name))
    return name or own_name(settings)


def own_name(settings: Settings) -> str:
    """Return the user's name on a LAN: from the settings, or the login name."""
    try:
        return as_person(settings.name or getuser())
    except (KeyError, OSError):  # a container may have no name for its user
        return "player"


def own_names(settings: Settings) -> tuple[str, ...]:
    """Return all names under which the user's matches count."""
    return (own_name(settings), *filter(None, map(str.strip, settings.aliases.split(","))))


def rights(settings: Settings) -> Mapping[str, bool]:
    """Return what others may do at LAN tables that a tournament opens here."""
    return {"is_open": settings.audit, "has_watchers": settings.watchers}


def keep(**changed: str | bool | float | Mapping[str, str]) -> None:
    """Write these settings to the file, keeping the rest, with comments and unknown settings.

    Only `changed` is written, so that options of the command line are never saved.

    Raises:
        BadSettings: the file cannot be written.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    file = path()
    changed = {name: _writable(value) for name, value in changed.items()}
    try:
        text, said, why = toml_files.read(file)
        if why:  # it became unreadable after the start
            whole_files.set_aside(file)
        wanted, document = said | changed, tomlkit.parse(text)
        for name, value in changed.items():
            if isinstance(value, Mapping) and isinstance(section := document.get(name), dict):
                for gone in section.keys() - value.keys():
                    del section[gone]
                section.update(value)  # and its comments stay
            else:
                document[name] = value
        written = tomlkit.dumps(document)
        if tomllib.loads(written) != wanted:
            raise BadSettings(f"cannot change {file}", hint="change it by hand, or delete it")
        whole_files.write_whole(file, written.encode("utf-8"))
    except OSError as error:
        raise BadSettings(f"cannot write {file}: {whole_files.reason(error)}") from error
    except (TOMLKitError, ValueError) as error:
        raise BadSettings(f"cannot change {file}: {error}", hint="change it by hand") from error


def keep_later(
    complain: Callable[[BadSettings], object], **changed: str | bool | float | Mapping[str, str]
) -> None:
    """Write settings to the file without waiting for the disk.

    `complain` is called in another thread if writing fails.
    """

    def job() -> None:
        try:
            keep(**changed)
        except BadSettings as error:
            complain(error)

    DISK.later(job)


def _writable(value: Any) -> Any:
    """Return a value that TOML can hold: lone surrogates are replaced."""
    return value.encode("utf-8", "replace").decode("utf-8") if type(value) is str else value
