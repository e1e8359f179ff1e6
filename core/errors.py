"""The one tree of errors: every failure has a stable code, a text and, if possible, a way out."""


class KumiteError(Exception):
    """Something kumite refuses, told so that a person can mend it.

    `code` is stable and searchable; `str(error)` says where, what was found and what was expected;
    `hint` says what to do (may be empty).
    """

    code = "error"

    def __init__(self, text: str, *, hint: str = "") -> None:
        super().__init__(text)
        self.hint = hint


class IllegalStep(KumiteError):
    """A well-formed step that the rules forbid now."""

    code = "illegal-step"


class BadNotation(KumiteError):
    """A text that is no step, square or position of this game at all."""

    code = "bad-notation"


class NotToAct(KumiteError):
    """An actor who is not to act in this position."""

    code = "not-to-act"


class MatchOver(KumiteError):
    """A step after the end of the match."""

    code = "match-over"


class Hidden(KumiteError):
    """A question whose answer depends on what this view does not show."""

    code = "hidden"


class BadSetup(KumiteError):
    """A game, a number of seats or an option that does not exist."""

    code = "bad-setup"


class BadLog(KumiteError):
    """A saved match that cannot be opened at all (a damaged tail is no error, see core.log)."""

    code = "bad-log"


class NewerLog(BadLog):
    """A saved match of a later kumite: nothing is wrong with it, but it cannot be read here."""

    code = "newer-log"


class BadData(KumiteError):
    """Bytes that are no canonical packed value."""

    code = "bad-data"


class LocalError(KumiteError):
    """Our own bug: raised where it happens, never caught to be hidden."""

    code = "local-misuse"
