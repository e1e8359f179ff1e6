"""The audit after a match: verify fair play, and rebuild the match with nothing hidden; pure.

All terminals open their keys and choices. Each of them then deals every deck again, checks every
commitment and plays every step of the complete match. This exposes a terminal that claimed a card
it did not hold, changed a hidden choice or stacked a deck.

If a terminal disputes a step, only the match up to that step is checked, because not all terminals
have what was played after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kumite.core.errors import BadData, KumiteError
from kumite.core.game import CHANCE, HOLE, Step
from kumite.core.match import Match, Played
from kumite.core.text import listed
from kumite.net.crypto import mental_poker
from kumite.net.crypto.groups import ED25519
from kumite.net.replica import apply, dealing
from kumite.net.replica.records import Credentials, MatchStart, Secret
from kumite.net.wire import posts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kumite.core.game import Seat
    from kumite.net.crypto.groups import Group
    from kumite.net.replica.ledger import Deck, Ledger, SeatChoice
    from kumite.net.replica.records import Record


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of an audit: the complete match, or who cheated, at which step, and how."""

    match: Match | None
    terminal: int | None = None
    number: int = 0
    text: str = ""

    @property
    def is_sound(self) -> bool:
        return self.match is not None


def verdict(ledger: Ledger) -> Verdict | None:
    """Return the result of the audit, None while secrets are missing.

    A match without secrets needs no audit: every step was checked by all when it was played.
    """
    if not ledger.is_over:
        return None
    if ledger.game.SECRETS is None:
        return Verdict(Match.begin(ledger.roster.setup).play_all(ledger.match.steps()))
    lost = [one for one, found in enumerate(ledger.closing.reveals) if found is None]
    if not all(map(ledger.is_gone, lost)):
        return None
    if lost:
        who = listed([*map(ledger.roster.who, lost)])
        return Verdict(None, text=f"{who} went before opening secrets: no audit")
    for terminal, reveal in enumerate(ledger.closing.reveals):
        if reveal is not None and not reveal.is_given:
            return Verdict(
                None, text=f"{ledger.roster.who(terminal)} keeps secrets closed: no audit"
            )
    try:
        choices, decks = _choices(ledger), _decks(ledger)
        whole = _replayed(ledger, choices, decks)
        if ledger.claim is not None:
            raise _False(*ledger.claim, "nothing is wrong with the step that it disputes")
        return Verdict(whole)
    except _False as found:
        return Verdict(None, found.terminal, found.number, str(found))


def ledger_of(records: Iterable[Record], group: Group = ED25519) -> Ledger:
    """Replay the signed posts among a terminal's records.

    Raises:
        KumiteError: the records are not those of a match, or no honest program kept them.
    """
    seed, ledger = b"", None
    for record in records:
        match record:
            case Credentials():
                seed = record.seed
            case MatchStart(roster, me):
                ledger = apply.begin(roster, me, seed, group)
            case Secret(_, own) if ledger is not None:
                ledger = ledger.with_secrets(own=(*ledger.secrets.own, own))
            case posts.Post() if ledger is not None:
                ledger = apply.enter(ledger, record)
    if ledger is None:
        raise BadData("the match of this table has not begun")
    return ledger


class _False(Exception):
    def __init__(self, terminal: int | None, number: int, text: str) -> None:
        super().__init__(text)
        self.terminal, self.number = terminal, number


def _choices(ledger: Ledger) -> dict[int, tuple[SeatChoice, tuple[str, ...]]]:
    found = {}
    for terminal, reveal in enumerate(ledger.closing.reveals):
        own = [
            choice
            for choice in ledger.secrets.hidden
            if choice.author == terminal and choice.number <= _last(ledger)
        ]
        opened = reveal.choices if reveal is not None else ()
        if len(opened) < len(own) or (len(opened) > len(own) and ledger.claim is None):
            raise _False(terminal, 0, "has not opened every hidden choice")
        for choice, parts in zip(own, opened, strict=False):
            if len(parts) != len(choice.commitments):
                raise _False(terminal, choice.number, "has not opened all of a hidden choice")
            for at, (salt, piece) in enumerate(parts):
                context = dealing.piece_context(ledger, choice, at)
                if not mental_poker.is_opening(choice.commitments[at], salt, *context, text=piece):
                    raise _False(
                        terminal, choice.number, "has opened a choice other than the one it made"
                    )
            found[choice.number] = (choice, tuple(piece for _, piece in parts))
    return found


def _last(ledger: Ledger) -> int:
    return ledger.claim[1] if ledger.claim is not None else ledger.match.number


def _decks(ledger: Ledger) -> list[tuple[str, ...]]:
    """Return the cards of every deck in order, () for one that was never complete."""
    orders: list[tuple[str, ...]] = []
    for number, deck in enumerate(ledger.secrets.decks):
        if not deck.deal.is_ready:
            orders.append(())
            continue
        for terminal, keys in enumerate(ledger.closing.keys):
            if len(keys) <= number:
                raise _False(terminal, deck.number + 1, f"has not opened its keys of deck {number}")
        open_keys = [opened[number] for opened in ledger.closing.keys]
        try:
            orders.append(deck.deal.audit(open_keys))
        except mental_poker.Cheated as error:
            raise _False(error.who, deck.number + 1, f"deck {number}: {error.why}") from error
        _check_posted(deck, number, open_keys)
    return orders


def _check_posted(deck: Deck, number: int, keys: Sequence[bytes]) -> None:
    """Check the keys of cards posted during the match against those opened now.

    A lock that is a hash can be made to fit two keys with 2^64 tries. A card opened with the second
    one would be invalid, and the terminal that drew it would be blamed.
    """
    for terminal, first, posted in deck.posted:
        for place, share in enumerate(posted, first):
            if share and not deck.deal.is_key(terminal, keys[terminal], place, share):
                what = f"deck {number}: the key of place {place + 1} was another one"
                raise _False(terminal, deck.number + 1, what)


def _replayed(
    ledger: Ledger,
    choices: dict[int, tuple[SeatChoice, tuple[str, ...]]],
    decks: list[tuple[str, ...]],
) -> Match:
    secrets, whole = ledger.game.SECRETS, Match.begin(ledger.roster.setup)
    steps, disputed = list(ledger.match.steps()[: _last(ledger)]), ledger.dispute
    if disputed and disputed.choice and disputed.number == len(steps) + 1 <= _last(ledger):
        steps.append(Played(disputed.choice.seat, disputed.choice.step))
    draws = {draw.number: draw for draw in ledger.secrets.draws}
    latest: dict[Seat, tuple[str, ...]] = {}
    for number, played in enumerate(steps, start=1):
        step: str = played.step
        if number in draws:
            draw = draws[number]
            step = secrets.drawn(whole.state, decks[draw.deck][draw.place])
        elif number in choices:
            choice, found = choices[number]
            latest[choice.seat] = found
            step = _filled(choice.step, found)
        elif played.actor == CHANCE and (owed := secrets.owed(whole.state)):
            step = secrets.shown(whole.state, tuple(latest[seat][at] for seat, at in owed))
        author = None if played.actor == CHANCE else ledger.roster.players[int(played.actor)]
        try:
            whole = whole.play(played.actor, Step(step))
        except KumiteError as error:
            raise _False(author, number, f"step {number}: {error}") from error
    played_here = ledger.match.back(min(whole.number, ledger.match.number))
    if whole.back(played_here.number).digest != played_here.digest:
        raise _False(None, whole.number, "the opened match is not the one that was played")
    return whole


def _filled(masked: str, found: tuple[str, ...]) -> str:
    """Replace each `?` of a hidden choice by its piece."""
    first, *rest = masked.split(HOLE)
    return first + "".join(piece + after for piece, after in zip(found, rest, strict=True))
