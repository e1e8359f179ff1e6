"""The one tree of errors: every failure has a stable code, a text and, if possible, a way out."""

from kumite.core import codes


class KumiteError(Exception):
    """Something kumite refuses, told so that a person can mend it.

    `code` is stable and searchable; `str(error)` says where, what was found and what was expected;
    `hint` says what to do (may be empty).
    """

    code = codes.ERROR

    def __init__(self, text: str, *, hint: str = "") -> None:
        super().__init__(text)
        self.hint = hint


class IllegalStep(KumiteError):
    """A well-formed step that the rules forbid now."""

    code = codes.ILLEGAL_STEP


class BadNotation(KumiteError):
    """A text that is no step, square or position of this game at all."""

    code = codes.BAD_NOTATION


class NotToAct(KumiteError):
    """An actor who is not to act in this position."""

    code = codes.NOT_TO_ACT


class MatchOver(KumiteError):
    """A step after the end of the match."""

    code = codes.MATCH_OVER


class Hidden(KumiteError):
    """A question whose answer depends on what this view does not show."""

    code = codes.HIDDEN


class BadSetup(KumiteError):
    """A game, a number of seats or an option that does not exist."""

    code = codes.BAD_SETUP


class BadLog(KumiteError):
    """A saved match that cannot be opened at all (a damaged tail is no error, see core.log)."""

    code = codes.BAD_LOG


class NewerLog(BadLog):
    """A saved match of a later kumite: nothing is wrong with it, but it cannot be read here."""

    code = codes.NEWER_LOG


class BadData(KumiteError):
    """Bytes that are no canonical packed value."""

    code = codes.BAD_DATA


class LocalError(KumiteError):
    """Our own bug: raised where it happens, never caught to be hidden."""

    code = codes.LOCAL_MISUSE
