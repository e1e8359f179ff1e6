"""Characters of other keyboard layouts and widths as the keys they stand for; pure.

A player whose keyboard is set to Russian, Greek, Hebrew or Korean letters presses the keys that the
program names, and the terminal sends those layouts' letters. A letter counts by the place of its
key on a US keyboard. Full-width forms and other scripts' digits count as the plain ones.
"""

from __future__ import annotations

import unicodedata
from typing import Final, NamedTuple

_PLACES: Final = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
_SHIFTED: Final = 'QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>~'
_NONE: Final = " "  # a place where the layout has an ASCII character, or the same as one above
_LAYOUTS: Final = {
    "Russian": "йцукенгшщзхъфывапролджэячсмитьбюё",
    "Ukrainian": "           ї і        є",
    "Greek": " ςερτυθιοπ  ασδφγηξκλ΄ ζχψωβνμ",
    "Hebrew": "  קראטוןםפ  שדגכעיחלךף זסבהנמצתץ",
    "Korean": "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔ  ㅁㄴㅇㄹㅎㅗㅓㅏㅣ  ㅋㅌㅊㅍㅠㅜㅡ",
}
_KOREAN_SHIFTED: Final = zip("ㅃㅉㄸㄲㅆㅒㅖ", "QWERTOP", strict=True)
MOST_TOLD: Final = 200  # keys whose places a terminal may tell


class Place(NamedTuple):
    """The key of a US keyboard that a character stands for, and the guessed layout or ""."""

    key: str
    layout: str


_BY_PLACE: Final = {
    letter: Place(key, layout)
    for layout, characters in _LAYOUTS.items()
    for character, *keys in zip(characters, _PLACES, _SHIFTED, strict=False)
    for letter, key in zip((character.upper(), character), reversed(keys), strict=True)
    if character != _NONE
} | {letter: Place(key, "Korean") for letter, key in _KOREAN_SHIFTED}
_MINUS: Final = "\N{MINUS SIGN}"  # the one that NFKC leaves as it is
_told: dict[str, str] = {}  # by terminals that report the key beside the character (kitty's)


def tell(character: str, key: str) -> None:
    """Remember the place of a character's key, as the terminal reports it."""
    if len(_told) < MOST_TOLD:
        _told[character] = key


def place_of(character: str) -> Place | None:
    """Return the key that a character outside ASCII stands for, or None if nobody knows."""
    plain = unicodedata.normalize("NFKC", character).replace(_MINUS, "-")
    if len(plain) == 1 and plain.isascii():
        return Place(plain, "")
    digit = unicodedata.digit(character, None)
    if digit is not None:
        return Place(str(digit), "")
    told = _told.get(character) or _told.get(character.lower(), "").upper()
    return Place(told, "") if told else _BY_PLACE.get(character)
