"""The seats of one terminal: whose turn it is, who has secrets, and which bots play.

Without a network these are all seats, at a LAN table only those of this terminal. No Textual.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Final

from kumite.core.bots import LISTED, Position, is_bot, is_timed
from kumite.core.errors import BadSetup, KumiteError
from kumite.core.game import CHANCE, SPECTATOR, Actor, Seat, Seats, Step
from kumite.core.players import BOT, FOR, is_person, shown_name, shown_names
from kumite.core.table import Play
from kumite.store import guest_mode

if TYPE_CHECKING:
    from kumite.core.match import Match
    from kumite.core.table import End, Event
    from kumite.tui.bots.service import BotService
    from kumite.tui.play.narration import Remark

LONGEST_NOTE: Final = 200  # characters; also the longest chat message
LEAST_LEFT: Final = 0.0005  # loss of winning chance below which a bot has kept to the solution
STAND_IN: Final = "easy"  # the bot that replaces a missing player


class LocalSeats:
    """A table as one terminal has it: its players and its bots."""

    match: Match
    names: tuple[str, ...]
    end: End | None  # an end that is not an outcome of the game
    stopped: object = None  # why the match cannot go on
    is_lan = False
    is_kept = True  # whether the log stays when the table is closed
    is_rated = False  # whether a person's result against bots counts, unless there is help
    hidden: frozenset[str] = frozenset()  # parts of steps, and of the scene, that are not shown

    def __init__(self) -> None:
        self.end = None
        self._history: tuple[Match | None, bool] = None, False  # last match checked; secrets so far
        self.programs: Mapping[str, str] = {}  # commands by name, as typed here
        self.vacant: dict[Seat, KumiteError] = {}  # seats whose bot cannot play, and why
        self.chosen: Mapping[Seat, Step] = {}  # choices that wait for those of others
        self.remarks: list[Remark] = []  # chat and events between the steps
        self._followers: dict[Seat, Follower] = {}
        self._left: dict[Seat, dict[int, float]] = {}  # loss against the solution, by step
        self._rng: Random = SystemRandom()

    @property
    def is_done(self) -> bool:
        """True if the table is a task whose goal is reached."""
        return False

    @property
    def shown_names(self) -> tuple[str, ...]:
        """Return the names by seat, made distinct for display."""
        return shown_names(self.names)

    @property
    def here(self) -> Seats:
        """Return the seats played at this terminal, by people or bots."""
        return frozenset(map(Seat, range(self.match.setup.seats)))

    @property
    def bots(self) -> Mapping[Seat, str]:
        """Return each local bot by seat: a level, or `cmd:PROGRAM`."""
        found = {seat: self._bot_named(self.names[seat]) for seat in sorted(self.here)}
        return {seat: who for seat, who in found.items() if who and seat not in self.vacant}

    def _bot_named(self, name: str) -> str:
        """Return the bot that a name stands for; "" for a person, or if it must not be started.

        Names can come from logs and other terminals, so they never contain a command: only a
        command typed here is run.
        """
        if name in self.programs:
            return self.programs[name]
        if not name.startswith(BOT):
            return ""
        level = STAND_IN if name.startswith(FOR) else name.removeprefix(BOT)
        return level if is_bot(level) else ""

    def vacate(self) -> None:
        """Mark seats as vacant if their names stand for bots that cannot be started."""
        for seat in self.here:
            name = self.names[seat]
            if not is_person(name) and not self._bot_named(name):
                self.vacant[seat] = _not_started(seat, name)

    @property
    def mine(self) -> Seats:
        return self.here.difference(self.bots, self.vacant)

    @property
    def example(self) -> str:
        """Return a step to write in a refusal; "" if the rules choose one."""
        return ""

    @property
    def only_person(self) -> Seat | None:
        """Return the seat of the only person at this terminal; None unless there is just one."""
        mine = self.mine
        return min(mine) if len(mine) == 1 else None

    @property
    def is_over(self) -> bool:
        return self.end is not None or self.match.outcome is not None

    @property
    def can_resume(self) -> bool:
        """True if the people here can continue the match after they have left the table."""
        is_saved = self.path is not None and self.is_kept and bool(self.mine)
        return is_saved and not self.is_over and self.stopped is None

    @property
    def path(self) -> Path | None:
        """Return the path of the log, if there is one."""
        raise NotImplementedError

    @property
    def match_id(self) -> str:
        """Return the match whose evaluations are kept; "" if there is no log of it here."""
        return ""

    @property
    def can_act(self) -> bool:
        return self.end is None

    @property
    def is_sending(self) -> bool:
        """True if a step of this terminal is in transit to the others."""
        return False

    def _first(self, seats: Seats) -> Seat | None:
        if not self.can_act:
            return None
        acting = (Seat(a) for a in self.match.actors if a != CHANCE)
        return next((a for a in acting if a in seats and a not in self.chosen), None)

    @property
    def acting(self) -> Seat | None:
        """Return the first local person whose turn it is."""
        return self._first(self.mine)

    def foreseen(self, seen: Match) -> Match:
        """Return a view of the match with the pending choices of its own seats played."""
        for seat in sorted(self.chosen.keys() & (seen.by or SPECTATOR)):
            if self.chosen[seat] in seen.legal(seat):
                seen = seen.play(seat, self.chosen[seat])
        return seen

    # --- secrets ------------------------------------------------------------------------------

    @property
    def has_secrets(self) -> bool:
        """True if people at this keyboard have different views."""
        return _differ(self.match, self.mine)

    @property
    def _had_secrets(self) -> bool:
        """True if local players ever had different views: the full view would reveal those."""
        known, had = self._history
        at: Match | None = self.match
        more: list[Match] = []
        while at is not None and at is not known:
            more.append(at)
            at = at.before
        had = (had and at is not None) or any(_differ(one, self.mine) for one in more)
        self._history = self.match, had
        return had

    @property
    def open_eyes(self) -> Seats:
        """Return the seats whose view can be shown to all here; earlier secrets stay hidden."""
        if self.is_over or not self._had_secrets:
            return self.mine
        game, state = self.match.game, self.match.state
        is_same = game.view(state, SPECTATOR) == game.view(state, self.mine)
        return SPECTATOR if is_same else self.mine

    # --- bots ---------------------------------------------------------------------------------

    def bot_to_act(self) -> Seat | None:
        return self._first(frozenset(self.bots))

    def vacant_to_act(self) -> Seat | None:
        """Return a seat whose turn it is but whose bot cannot play."""
        return self._first(frozenset(self.vacant))

    def asked(self, seat: Seat) -> Position:
        """Return the position for a seat's bot, which has only that seat's view."""
        follower = self._followers.setdefault(seat, Follower())
        return Position.of(follower.follow(self.match, frozenset({seat})), seat)

    async def think(self, seat: Seat, player: BotService, seconds: float) -> Step:
        """Return a bot's step, in `seconds` if it is timed, or raise KumiteError if it failed."""
        who, number = self.bots[seat], self.match.number
        choice = await player.choose(
            who,
            self.asked(seat),
            seed=self._rng.getrandbits(64),
            seconds=seconds if is_timed(who) else None,
        )
        if choice.left is not None:
            self._left.setdefault(seat, {})[number] = choice.left
        return choice.step

    @property
    def left(self) -> Mapping[Seat, str]:
        """Describe how far each bot departed from its solution; empty before the end.

        During the match it would reveal whether a pending plan belongs to the solution.
        """
        if not self.is_over:
            return {}
        found = {
            seat: [one for number, one in left.items() if number < self.match.number]
            for seat, left in sorted(self._left.items())
        }
        return {seat: _left_text(left) for seat, left in found.items() if left}

    def lose(self, seat: Seat, why: KumiteError) -> None:
        """Mark a seat as vacant after its bot failed; `hand_over` fills it again."""
        self.vacant[seat] = why

    def hand_over(self, seat: Seat, who: str) -> None:
        """Give a vacant seat to a bot, to a person here (""), or back to its own program."""
        raise NotImplementedError

    # --- what people do -----------------------------------------------------------------------

    def play(self, actor: Actor, step: Step) -> None:
        """Make a step for a local seat; raise KumiteError if the step cannot be made."""
        self.do(Play(actor, step))

    def resign(self) -> None:
        """Resign for the local person whose turn it is."""
        raise NotImplementedError

    def do(self, event: Event) -> None:
        """Apply an event of a local player, or raise KumiteError; a `Note` is for local logs."""
        raise NotImplementedError

    def close(self) -> None:
        """Leave the table; the log is complete up to here."""
        raise NotImplementedError

    def last_choice(self) -> Match | None:
        """Return the position of the last choice that a local person made, if any."""
        match = self.match
        while match.before is not None and match.last is not None:
            actor, match = match.last.actor, match.before
            if actor in self.mine and len(match.legal(actor)) > 1:
                return match
        return None


TUTORED: Final = frozenset(f"{BOT}{level}" for level in LISTED[:2])


def is_tutored(names: Iterable[str]) -> bool:
    """Return whether the tutor is on by itself: against the two weakest levels alone.

    Not for guests of a server: bots take turns there, and each step would wait for its check.
    """
    bots = {name for name in names if name.startswith(BOT)}
    return bool(bots) and bots <= TUTORED and not guest_mode.is_guest()


@lru_cache(maxsize=8)
def _differ(match: Match, seats: Seats) -> bool:
    """Return True if these seats have different views."""
    views = [match.game.view(match.state, frozenset({seat})) for seat in seats]
    return any(view != views[0] for view in views)


def _left_text(left: Collection[float]) -> str:
    often, choices = sum(one >= LEAST_LEFT for one in left), f"choice{'s' * (len(left) != 1)}"
    if not often:
        return f"kept to the solution in {len(left)} {choices}"
    most = f"{100 * max(left):.1f} %"
    return f"left the solution in {often} of {len(left)} {choices}, by up to {most}"


def _not_started(seat: Seat, name: str) -> KumiteError:
    if name.startswith(BOT):
        return BadSetup(f"there is no {name}", hint=f"bots: {', '.join(LISTED)}")
    return BadSetup(
        f"{name} is someone's program; only commands that you type are started",
        hint=f"kumite resume LOG --bots {seat + 1}:cmd:./mybot",
    )


def handed_over(seat: int, why: KumiteError, who: str) -> str:
    """Return a note that another player takes over from a failed bot."""
    return f"seat {seat} was lost: {why}; {shown_name(who) or 'a person'} plays on"[:LONGEST_NOTE]


class Follower:
    """Keeps the view of a match up to date step by step instead of rebuilding it."""

    def __init__(self) -> None:
        self._full: Match | None = None
        self._seen: Match | None = None

    def follow(self, match: Match, eyes: Seats) -> Match:
        """Return `match` as `eyes` have seen it; `match` must know at least as much."""
        if match.by == eyes or (match.by is None and len(eyes) == match.setup.seats):
            return match
        more: list[Match] = []
        at: Match | None = match
        while at is not None and at is not self._full:
            more.append(at)
            at = at.before
        if at is None or self._seen is None or self._seen.by != eyes:
            self._seen = match.seen_by(eyes)
        else:
            for one in reversed(more):
                assert one.before is not None
                assert one.last is not None
                actor, step = one.last.actor, one.last.step
                seen = match.game.seen(one.before.state, actor, step, eyes)
                self._seen = self._seen.play(actor, seen)
        self._full = match
        return self._seen
