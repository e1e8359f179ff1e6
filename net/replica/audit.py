"""Who cheated: the audit after a match, proofs that convince every terminal, and claims; pure.

**The audit.** All terminals open their keys and choices. Each of them then deals every deck again,
checks every commitment and plays every step of the complete match. This exposes a terminal that
claimed a card it did not hold, changed a hidden choice or stacked a deck. If a terminal disputes a
step, only the match up to that step is checked, because not all have what was played after it.

**Claims.** A `Stop` states, signed, why a terminal stops the match, and is no more than a claim. It
is not a post, since it must be possible when no more posts can be entered.

**Proofs.** A proof is a signed post that no honest terminal makes. It is judged where it was
refused: after the posts that its signature covers, and others entered since. A host cannot
incriminate an honest terminal by the order in which it enters posts: a post that comes too late is
`Late`, not `Foul`. The point of view is a spectator's, so that a proof is the same for everyone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Final

from kumite.core import codes
from kumite.core.codec import encode
from kumite.core.errors import BadData, KumiteError
from kumite.core.game import CHANCE, HOLE, Seat, Step
from kumite.core.match import Match, Played
from kumite.core.text import listed
from kumite.net.crypto import keys, mental_poker
from kumite.net.crypto.groups import ED25519, Group
from kumite.net.crypto.keys import Signer
from kumite.net.replica import apply, dealing
from kumite.net.replica.ledger import Deck, Foul, Ledger, SeatChoice
from kumite.net.replica.records import Claim, Credentials, Evidence, MatchStart, Record, Secret
from kumite.net.wire import posts
from kumite.net.wire.fields import Frozen
from kumite.net.wire.messages import Stop
from kumite.net.wire.posts import Post


class Verdict(Frozen):
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
        all_own = (one for one in ledger.secrets.hidden if one.author == terminal)
        own = [one for one in all_own if one.number <= _last(ledger)]
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
        for terminal, opened in enumerate(ledger.closing.keys):
            if len(opened) <= number:
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
    latest: dict[Seat, tuple[str, ...]] = {}
    moved = {seat: terminal for terminal, seat in ledger.moved}  # after the match
    for number, played in enumerate(steps, start=1):
        step: str = played.step
        if number in ledger.secrets.draws:
            deck, place = ledger.secrets.draws[number]
            step = secrets.drawn(whole.state, decks[deck][place])
        elif number in choices:
            choice, found = choices[number]
            latest[choice.seat] = found
            step = _filled(choice.step, found)
        elif played.actor == CHANCE and (owed := secrets.owed(whole.state)):
            step = secrets.shown(whole.state, tuple(latest[seat][at] for seat, at in owed))
        seat = None if played.actor == CHANCE else Seat(int(played.actor))
        author = None if seat is None else moved.get(seat, ledger.roster.players[seat])
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


# --- Claims ------------------------------------------------------------------------------------


OWN_TROUBLE: Final = (codes.DISK_FULL, codes.LOG_FILE)
"""Problems of the terminal itself; the others may continue without it."""
OF_DISKS: Final = (*OWN_TROUBLE, codes.HOST_BEHIND)  # the author may have lost posts of its own


def signed(ledger: Ledger, signer: Signer, number: int, code: str, text: str, blamed: int) -> Stop:
    """Return our signed `Stop`; `blamed`: the terminal to blame, WATCHER if none."""
    history = ledger.posted.history[ledger.posted.entered]
    stop = Stop(ledger.own, ledger.posted.entered, history, number, code, text, blamed, b"")
    return replace(stop, signature=signer.sign(_signed_bytes(ledger.roster.match_id, stop)))


def is_signed(ledger: Ledger, posts: Sequence[Post], stop: Stop) -> bool:
    """True if a claim is signed by its author, and no older than its author's last post.

    The second condition prevents replays of old claims. A terminal with disk problems is exempt, as
    it may have lost its own posts.
    """
    if stop.author >= len(ledger.roster.terminals):
        return False
    own = (one.seen for one in reversed(posts) if one.author == stop.author)
    latest = 0 if stop.code in OF_DISKS else next(own, 0)
    public = ledger.roster.terminals[stop.author].verify_key
    said = _signed_bytes(ledger.roster.match_id, stop)
    return stop.entered >= latest and keys.is_signed(public, said, stop.signature)


def is_of_another_match(ledger: Ledger, stop: Stop) -> bool:
    """True if the claim's author had other posts than ours, as far as we can compare."""
    is_known = stop.code not in OF_DISKS and stop.entered <= ledger.posted.entered
    return is_known and stop.history != ledger.posted.history[stop.entered]


def _signed_bytes(match_id: str, stop: Stop) -> bytes:
    """Return the bytes that the signature covers: every field before it."""
    *said, _ = (getattr(stop, field.name) for field in fields(stop))
    return encode(("kumite stop", match_id, *said))


def claims_in(ledger: Ledger, records: Iterable[Record]) -> tuple[Stop, ...]:
    """Return the signed claims of other terminals why they stopped."""
    said = dict.fromkeys(one.stop for one in records if isinstance(one, Claim))
    ours = (one for one in said if not is_of_another_match(ledger, one))
    return tuple(one for one in ours if is_signed(ledger, (), one))


def blamed(ledger: Ledger, stop: Stop) -> int | None:
    is_known = 0 <= stop.terminal < len(ledger.roster.terminals) and stop.terminal != stop.author
    return stop.terminal if is_known and stop.code not in OWN_TROUBLE else None


# --- Proofs ------------------------------------------------------------------------------------


def foul_of(ledger: Ledger, post: Post) -> Foul | None:
    """Return the foul that a post proves, entered after all posts of the ledger; None if none.

    The post may be false itself, or expose an earlier one of another terminal. An unsigned post, or
    one that is merely late, proves nothing.
    """
    if post.author >= len(ledger.roster.terminals) or not apply.is_signed(ledger, post):
        return None
    try:
        apply.enter(ledger, post, is_checked=True)
    except Foul as foul:
        return foul
    except KumiteError:
        return None
    return None


def proofs_in(
    records: Iterable[Record], group: Group = ED25519
) -> tuple[tuple[Post, Foul | None], ...]:
    """Return the refused posts among the records, each with the foul that it proves.

    Raises:
        KumiteError: the records are not those of a match, or no honest program kept them.
    """
    kept, ledger = tuple(records), None
    if not any(isinstance(one, Evidence) for one in kept):
        return ()
    proved: list[tuple[Post, Foul | None]] = []
    for record in kept:
        match record:
            case MatchStart(roster, _):
                ledger = apply.begin(roster, None, b"", group)
            case Post() if ledger is not None:
                ledger = apply.enter(ledger, record)
            case Evidence(post) if ledger is not None:
                proved.append((post, foul_of(ledger, post)))
    return tuple(proved)
