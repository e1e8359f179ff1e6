"""What `kumite log export` makes of a match; each form imports only what it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError

if TYPE_CHECKING:
    from kumite.tui.export.sheet import Paper
    from kumite.tui.play.replaying import Replay

FORMS: Final = ("text", "svg", "film", "gif", "html", "cast", "json", "line")


def exported(replay: Replay, form: str, paper: Paper, at: int, seconds: float) -> str | bytes:
    """Return a match in a form: a text, or the bytes of a GIF.

    Raises:
        KumiteError: there is no Pillow to draw a GIF.
    """
    if form == "gif":
        return _gif(replay, paper, seconds)
    if form == "svg":
        from kumite.tui.export.svg import picture

        return picture(replay, at, paper)
    if form == "film":
        from kumite.tui.export.film import film

        return film(replay, paper, seconds)
    if form == "html":
        from kumite.tui.export.html import page

        return page(replay, paper)
    if form == "cast":
        from kumite.tui.export.cast import recording

        return "\n".join(recording(replay, paper, seconds)) + "\n"
    if form == "json":
        from kumite.tui.export.data import data_text

        return data_text(replay)
    from kumite.tui.export.text import frames

    return "\n".join(frames(replay, paper.look)) + "\n"


def _gif(replay: Replay, paper: Paper, seconds: float) -> bytes:
    try:
        from kumite.tui.export.gif import gif
    except ImportError as error:
        if error.name != "PIL":
            raise
        hint = 'install it: pip install "kumite[gif]"; --as film moves as well, and needs nothing'
        raise KumiteError("a GIF needs Pillow", hint=hint) from None
    return gif(replay, paper, seconds)
