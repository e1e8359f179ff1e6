"""All errors: each has a stable code, a text and, if possible, a hint."""

from kumite.core import codes


class KumiteError(Exception):
    """An expected failure, worded for the user.

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
    """A text that is not a step, square or position of this game."""

    code = codes.BAD_NOTATION


class NotToAct(KumiteError):
    """A step by an actor whose turn it is not."""

    code = codes.NOT_TO_ACT


class MatchOver(KumiteError):
    """A step after the end of the match."""

    code = codes.MATCH_OVER


class Hidden(KumiteError):
    """The answer depends on information that this view hides."""

    code = codes.HIDDEN


class BadSetup(KumiteError):
    """A game, number of seats or option that does not exist."""

    code = codes.BAD_SETUP


class BadLog(KumiteError):
    """A saved match that cannot be opened at all (see core.log for damaged tails)."""

    code = codes.BAD_LOG


class NewerLog(BadLog):
    """A sound saved match of a later kumite, unreadable here."""

    code = codes.NEWER_LOG


class BadData(KumiteError):
    """Bytes that are not a canonical packed value."""

    code = codes.BAD_DATA


class LocalError(KumiteError):
    """A bug of kumite; never caught just to hide it."""

    code = codes.LOCAL_MISUSE
