"""What a person has chosen once: theme, glyphs, name, keys. A file in the configuration folder.

What is wrong in the file costs no start: a setting that does not fit counts for nothing, a file
that cannot be read is set aside, and both are told.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.core.players import as_person
from kumite.store import toml_files, whole_files
from kumite.store.background import DISK

if TYPE_CHECKING:
    from collections.abc import Callable

MOTIONS: Final = ("full", "short", "off")
THINKING: Final = (0.05, 3600.0)  # s: the least and the most of `think`
ASIDE: Final = "unreadable"


class BadSettings(KumiteError):
    """A settings file that cannot be written."""

    code = codes.BAD_SETTINGS


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; the command line overrides the file."""

    theme: str = "auto"
    skin: str = "kumite"
    glyphs: str = "auto"
    name: str = ""
    aliases: str = ""  # other names of ours in saved matches, with commas: for the record
    mouse: bool = True
    audit: bool = True  # whether our secrets may be opened when a LAN match is over
    watchers: bool = True  # whether somebody may look on at our LAN tables
    lan: bool = True  # whether the home screen looks for open tables
    bell: bool = True  # whether the terminal rings when it is one's turn
    title: bool = True  # whether its window says so
    notices: bool = True  # whether the desktop says so while one looks elsewhere
    motion: str = "full"  # how steps of others are shown: `full`, `short`, `off`
    level: str = "easy"  # of the bot that one played against last
    tutor: bool = False  # whether a bot warns of steps that cost much, at tables of one's own
    think: float = 1.0  # s that the bot `strong` may think about a step
    keys: Mapping[str, str] = field(default_factory=dict)  # binding id: keys, with commas


KNOWN: Final = tuple(one.name for one in fields(Settings))


class Found(NamedTuple):
    """What the settings file says, and what is wrong with it."""

    settings: Settings
    wrong: tuple[str, ...] = ()  # of each setting that counts for nothing: what, and what is wanted
    is_unreadable: bool = False  # the file as a whole, for the one reason in `wrong`


def path() -> Path:
    """Return the settings file; it need not exist."""
    from platformdirs import user_config_path

    return user_config_path("kumite", appauthor=False) / "settings.toml"


def read() -> Found:
    """Return what the file says; nothing is changed, and nothing said raises an error."""
    DISK.finish()  # of what was changed a moment ago
    file = path()
    text, said, why = toml_files.read(file)
    if why:
        return Found(Settings(), (why,), is_unreadable=True)
    wrong = {name: why for name, value in said.items() if (why := _wrong(name, value))}
    fitting = {name: value for name, value in said.items() if name not in wrong}
    if "think" in fitting:
        fitting["think"] = float(fitting["think"])  # TOML tells 1 from 1.0
    return Found(
        Settings(**fitting),
        tuple(
            f"{toml_files.where(file, text, '', name)}: "
            f"{name} = {toml_files.shown(said[name])} is not used: {why}"
            for name, why in wrong.items()
        ),
    )


def _wrong(name: str, value: object) -> str:
    """Return what is wrong with a setting; empty: nothing."""
    if name not in KNOWN:
        return f"there is no such setting; there are {', '.join(KNOWN)}"
    if name == "think":
        is_number = type(value) in (int, float)
        if is_number and THINKING[0] <= value <= THINKING[1]:  # type: ignore[operator]
            return ""
        return f"seconds from {THINKING[0]:g} to {THINKING[1]:g}, such as 0.5 or 3"
    if name == "motion" and value not in MOTIONS:
        return f"one of {', '.join(MOTIONS)}"
    if name == "keys":
        fits = type(value) is dict and all(type(keys) is str for keys in value.values())
        return "" if fits else 'keys as texts: "table.back" = "backspace"'
    wanted = type(getattr(Settings(), name))
    if type(value) is wanted:
        return ""
    return "true or false" if wanted is bool else 'a text, such as "auto"'


class Loaded(NamedTuple):
    """The settings to begin with, and what there is to say of them."""

    settings: Settings
    told: tuple[str, ...]


def load(
    theme: str | None = None,
    skin: str | None = None,
    glyphs: str | None = None,
    mouse: bool = True,
    think: float | None = None,
    motion: str | None = None,
    tutor: bool = False,
) -> Loaded:
    """Return the settings, overridden by what the command line says.

    A file that cannot be read is set aside.
    """
    settings, told, is_unreadable = read()
    if is_unreadable:
        told = (_set_aside(told[0]),)
    chosen = replace(
        settings,
        theme=theme or settings.theme,
        skin=skin or settings.skin,
        glyphs=glyphs or settings.glyphs,
        mouse=settings.mouse and mouse,
        think=think or settings.think,
        motion=motion or settings.motion,
        tutor=settings.tutor or tutor,
    )
    return Loaded(chosen, told)


def _set_aside(why: str) -> str:
    """Set the file aside; return what to say of it."""
    try:
        kept = whole_files.set_aside(path(), ASIDE)
    except OSError as error:
        return f"{why}; the settings are those of a first start ({error.strerror})"
    return f"{why}; it is kept as {kept.name}, and the settings are those of a first start"


def remember_level(settings: Settings, level: str) -> Settings:
    """Return the settings with the level of one's bots; what the file says else stays as it is.

    Raises:
        BadSettings: it cannot be kept.
    """
    if level != settings.level:
        keep(level=level)
    return replace(settings, level=level)


def own_name(settings: Settings) -> str:
    """Return what others see on a LAN: the name in the settings, else the user's."""
    from getpass import getuser

    try:
        return as_person(settings.name or getuser())
    except (KeyError, OSError):  # a container may have no name for its user
        return "player"


def own_names(settings: Settings) -> tuple[str, ...]:
    """Return all names under which matches count for oneself."""
    return (own_name(settings), *filter(None, map(str.strip, settings.aliases.split(","))))


def keep(**changed: str | bool | float) -> None:
    """Write these settings into the file; all else in it stays, comments and what is not known.

    So what the command line says for one run is never kept.

    Raises:
        BadSettings: it cannot be written.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    file = path()
    changed = {name: _writable(value) for name, value in changed.items()}
    try:
        text, said, why = toml_files.read(file)
        if why:  # it has become so since the start
            whole_files.set_aside(file, ASIDE)
        wanted, document = said | changed, tomlkit.parse(text)
        document.update(changed)
        written = tomlkit.dumps(document)
        if tomllib.loads(written) != wanted:
            raise BadSettings(f"cannot change {file}", hint="change it by hand, or delete it")
        whole_files.write_whole(file, written.encode("utf-8"))
    except OSError as error:
        raise BadSettings(f"cannot write {file}: {error.strerror}") from error
    except (TOMLKitError, ValueError) as error:
        raise BadSettings(f"cannot change {file}: {error}", hint="change it by hand") from error


def keep_later(complain: Callable[[BadSettings], object], **changed: str | bool | float) -> None:
    """Write settings into the file without waiting for the disk.

    `complain` is called in another thread if they cannot be written.
    """

    def job() -> None:
        try:
            keep(**changed)
        except BadSettings as error:
            complain(error)

    DISK.later(job)


def _writable(value: Any) -> Any:
    """Return a value as a file can hold it: without half characters."""
    return value.encode("utf-8", "replace").decode("utf-8") if type(value) is str else value
