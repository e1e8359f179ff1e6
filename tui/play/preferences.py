"""The settings that people change, in words: on the settings screen and in line mode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

from kumite.core.errors import BadSetup
from kumite.tui import settings
from kumite.tui.look import colors, glyphs, sprites
from kumite.tui.settings import ON_OFF, Settings

THINK: Final = ("0.5", "1", "2", "5", "10", "30")
WORDED: Final = {  # by the name of the setting: title and help
    "theme": ("Theme", "Colours; themes of your own are listed here, too."),
    "skin": ("Pictures", "Of pieces and cards; pictures of your own are listed here, too."),
    "glyphs": ("Glyphs", "`auto` takes what this terminal can show."),
    "size": ("Size", "large: bigger squares and cards before panels; v shows the panels."),
    "name": ("Your name", "As others see it on a LAN."),
    "aliases": (
        "Other names",
        "Under which you have played, with commas: they count for your record.",
    ),
    "audit": (
        "Reveal cards",
        "After a LAN match all hidden cards are opened and checked; no: yours stay hidden.",
    ),
    "watchers": ("Watchers", "Let others watch your LAN tables; they see what everyone may see."),
    "lan": ("Look for tables", "Show open LAN tables on the home screen."),
    "tutor": (
        "Tutor",
        "Have a bot warn you once before a costly step. `no`: only against bot 1 and bot easy."
        " Never on the LAN.",
    ),
    "counter": ("Card counter", "List played cards even where the rules forbid looking at them."),
    "bell": ("Bell", "Ring the terminal's bell when it is your turn or others talk."),
    "title": ("Window title", "Show whose turn it is in the window's title."),
    "notices": ("Notices", "Show a desktop notification while you are in another window."),
    "motion": ("Motion", "How steps of others are shown as they happen; any key ends it at once."),
    "think": ("Time of strong", "Seconds that the bot `strong` may think about a step."),
}
BY_LINES: Final = {
    **{name: WORDED[name] for name in ("name", "aliases", "audit", "watchers")},
    **{name: WORDED[name] for name in ("counter", "bell", "think")},
    "tutor": ("Tutor", "Have a bot warn you once before a costly step; not on the LAN."),
    "brief": ("Brief", "Tell the position only when asked, and a turn in one sentence."),
    "speak": ("Squares", "How they are read: `signs` e5, `letters` e 5, `words` echo 5."),
}
"""What line mode obeys; the rest is about what is drawn."""


def choices(now: Settings) -> Mapping[str, tuple[str, ...]]:
    """Return the values to choose from, by the name of the setting; the rest are texts."""
    think = f"{now.think:g}"
    switches = {name: ON_OFF for name in settings.KNOWN if type(getattr(now, name)) is bool}
    return {
        **switches,
        "theme": (colors.AUTO, *colors.names()),
        "skin": sprites.names(),
        "glyphs": ("auto", *glyphs.LOOKS),
        "motion": settings.MOTIONS,
        "size": settings.SIZED,
        "speak": settings.SPOKEN,
        "think": THINK if think in THINK else (*THINK, think),
    }


def shown(now: Settings, name: str) -> str:
    """Return the value of a setting as people read and type it."""
    value = getattr(now, name)
    if type(value) is bool:
        return ON_OFF[not value]
    return f"{value:g}" if name == "think" else str(value)


def parse(now: Settings, name: str, text: str) -> str | bool | float:
    """Return the value that was typed for a setting, or raise BadSetup if it cannot have it."""
    offered = choices(now).get(name)
    value: str | bool | float = text
    if name == "think":
        with suppress(ValueError):
            value = float(text)
        if why := settings.why_not(name, value):
            raise BadSetup(f"{name} is {why}, not {text!r}")
    elif offered is not None and text not in offered:
        raise BadSetup(f"{name} is one of {', '.join(offered)}, not {text!r}")
    return text == ON_OFF[0] if offered == ON_OFF else value


def lines(now: Settings) -> Iterator[str]:
    """Yield the settings of line mode in sentences."""
    offered = choices(now)
    for name, (_, said) in BY_LINES.items():
        of = f" ({' or '.join(offered[name])})" if name in offered and name != "think" else ""
        yield f"{name} {shown(now, name) or '-'}{of}: {said}"
