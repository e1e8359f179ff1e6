"""The seats played at one keyboard: whose secrets the screen may show, and what the bots play.

At a table without a network these are all seats, at a LAN table those of this terminal. No Textual.
"""

from __future__ import annotations

from random import Random, SystemRandom
from typing import TYPE_CHECKING, Final

from kumite.core.errors import BadSetup
from kumite.core.game import CHANCE, SPECTATOR, Seat
from kumite.core.players import BOT, is_person, shown_names

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from kumite.core.bots import Position
    from kumite.core.errors import KumiteError
    from kumite.core.game import Actor, Seats, Step
    from kumite.core.log import End
    from kumite.core.match import Match
    from kumite.tui.bots.service import Player

LONGEST_NOTE: Final = 200  # characters; what is said at a LAN table is no longer
LEAST_LEFT: Final = 0.0005  # of a chance: who gives up less has kept to the solution
STAND_IN: Final = "easy"  # the bot of a seat whose player did not come, or stays away


class LocalSeats:
    """People who take turns at one screen, bots, and who of them is to act."""

    match: Match
    names: tuple[str, ...]
    end: End | None

    def __init__(self) -> None:
        self.end = None
        self._history: tuple[Match | None, bool] = None, False  # up to where, secrets till then
        self.programs: Mapping[str, str] = {}  # commands by name, as they were typed here
        self.vacant: dict[Seat, KumiteError] = {}  # seats whose bot cannot play, and why
        self.chosen: Seats = frozenset()  # who has made the choice that others still have to make
        self._laid: dict[Seat, Step] = {}  # what seats here have chosen last, while it waits
        self._looking: Seat | None = None  # who sits at the screen, where there are secrets
        self._followers: dict[Seat, Follower] = {}
        self._left: dict[Seat, dict[int, float]] = {}  # how far bots left the solution, by step
        self._rng: Random = SystemRandom()

    @property
    def shown_names(self) -> tuple[str, ...]:
        """Return the names by seat as people read them: told apart."""
        return shown_names(self.names)

    @property
    def here(self) -> Seats:
        """Return the seats played at this keyboard, by people and by bots."""
        return frozenset(map(Seat, range(self.match.setup.seats)))

    @property
    def bots(self) -> Mapping[Seat, str]:
        """Return the bot of each seat here that has one: a level, or `cmd:PROGRAM`."""
        found = {seat: self._bot_named(self.names[seat]) for seat in sorted(self.here)}
        return {seat: who for seat, who in found.items() if who and seat not in self.vacant}

    def _bot_named(self, name: str) -> str:
        """Return the bot that a name says; empty if it is a person's, or not to be started.

        Names come from logs and from other terminals, too, and say no command: what is started was
        typed here.
        """
        if name in self.programs:
            return self.programs[name]
        if not name.startswith(BOT):
            return ""
        from kumite.core.bots import is_bot  # late, here and below: people need no bots

        level = name.removeprefix(BOT)
        return level if is_bot(level) else ""

    def vacate(self) -> None:
        """Let nobody play the seats whose names say a bot that we do not start."""
        for seat in self.here:
            name = self.names[seat]
            if not is_person(name) and not self._bot_named(name):
                self.vacant[seat] = _not_started(seat, name)

    @property
    def mine(self) -> Seats:
        """Return the seats of people here."""
        return self.here - self.bots.keys() - self.vacant.keys()

    @property
    def can_act(self) -> bool:
        """Return whether a step can be made at all now."""
        return self.end is None

    @property
    def is_sending(self) -> bool:
        """Return whether a step of ours is on its way to other terminals."""
        return False

    def _first(self, seats: Seats) -> Seat | None:
        """Return the first of these seats that is to act."""
        if not self.can_act:
            return None
        acting = (Seat(a) for a in self.match.actors if a != CHANCE)
        return next((a for a in acting if a in seats and a not in self.chosen), None)

    @property
    def acting(self) -> Seat | None:
        """Return the first person here who is to act."""
        return self._first(self.mine)

    def foreseen(self, seen: Match) -> Match:
        """Return a view of the match with those choices in it that wait for others.

        Only of the seats whose eyes it is: they know what they have laid, nobody else does.
        """
        for seat in sorted(self.chosen & (seen.by or SPECTATOR) & self._laid.keys()):
            if self._laid[seat] in seen.legal(seat):
                seen = seen.play(seat, self._laid[seat])
        return seen

    # --- who looks at the screen --------------------------------------------------------------

    @property
    def has_secrets(self) -> bool:
        """Return whether people at this keyboard must not all see the same."""
        return self._is_secret(self.match)

    def _is_secret(self, match: Match) -> bool:
        views = [match.game.view(match.state, frozenset({seat})) for seat in sorted(self.mine)]
        return any(view != views[0] for view in views)

    @property
    def _had_secrets(self) -> bool:
        """Return whether people here ever had any: who sees all of a match sees those as well."""
        known, had = self._history
        at: Match | None = self.match
        more: list[Match] = []
        while at is not None and at is not known:
            more.append(at)
            at = at.before
        had = (had and at is not None) or any(map(self._is_secret, more))
        self._history = self.match, had
        return had

    @property
    def eyes(self) -> Seats:
        """Return everybody's seats; where there are secrets, those of the person at it."""
        if not self.has_secrets:
            is_open = self.end is not None or self.match.outcome is not None
            return self.mine if is_open or not self._had_secrets else self._public_eyes
        is_there = self._looking is not None and self._looking == self.acting
        return frozenset({self._looking}) if is_there and self._looking is not None else SPECTATOR

    @property
    def _public_eyes(self) -> Seats:
        """Return nobody's, if they see now what people here see: what was secret stays so."""
        game, state = self.match.game, self.match.state
        is_same = game.view(state, SPECTATOR) == game.view(state, self.mine)
        return SPECTATOR if is_same else self.mine

    @property
    def awaited(self) -> Seat | None:
        """Return the person to act who has not come to the screen yet."""
        acting = self.acting
        return acting if acting != self._looking and self.has_secrets else None

    def uncover(self) -> None:
        """Show the awaited seat what it may see."""
        self._looking = self.acting

    def cover(self) -> None:
        """Let nobody's secrets be seen until somebody has come to the screen again."""
        self._looking = None

    # --- bots ---------------------------------------------------------------------------------

    def bot_to_act(self) -> Seat | None:
        """Return a seat whose bot is to act."""
        return self._first(frozenset(self.bots))

    def vacant_to_act(self) -> Seat | None:
        """Return a seat that is to act and whose bot cannot play."""
        return self._first(frozenset(self.vacant))

    def asked(self, seat: Seat) -> Position:
        """Return what the bot of a seat is asked: its view alone."""
        from kumite.core.bots import Position

        own = frozenset({seat})
        game, state = self.match.game, self.match.state
        return Position(
            game,
            game.view(state, own),
            seat,
            self._followers.setdefault(seat, Follower()).follow(self.match, own).steps(),
            game.legal(state, seat),
        )

    async def think(self, seat: Seat, player: Player, seconds: float) -> Step:
        """Return the step that the bot of a seat would make; levels with a clock take `seconds`.

        Raises:
            KumiteError: the bot has failed.
        """
        from kumite.core.bots import is_timed

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
        """Tell of each bot here that may leave a solution how far it did; nothing before the end.

        Sooner it would say of a plan that waits to be shown whether it is one of the solution's.
        """
        if self.end is None and self.match.outcome is None:
            return {}
        found = {
            seat: [one for number, one in left.items() if number < self.match.number]
            for seat, left in sorted(self._left.items())
        }
        return {seat: _left_text(left) for seat, left in found.items() if left}

    def lose(self, seat: Seat, why: KumiteError) -> None:
        """Take the seat from a bot that has failed, until `hand_over` gives it to somebody."""
        self.vacant[seat] = why

    def hand_over(self, seat: Seat, who: str) -> None:
        """Give a vacant seat to a bot, to a person here (``), or to its own program once more."""
        raise NotImplementedError

    def play(self, actor: Actor, step: Step) -> None:
        """Make a step of a seat here."""
        raise NotImplementedError

    # --- taking back --------------------------------------------------------------------------

    def last_choice(self) -> Match | None:
        """Return the last position before this one in which a person here had a choice, if any."""
        match = self.match
        while match.before is not None:
            match = match.before
            people = [actor for actor in match.actors if actor in self.mine]
            if any(len(match.legal(actor)) > 1 for actor in people):
                return match
        return None


def _left_text(left: Collection[float]) -> str:
    """Tell how often a bot left the solution, and by which part of the chance to win at most."""
    often, choices = sum(one >= LEAST_LEFT for one in left), f"choice{'s' * (len(left) != 1)}"
    if not often:
        return f"kept to the solution in {len(left)} {choices}"
    most = f"{100 * max(left):.1f} %"
    return f"left the solution in {often} of {len(left)} {choices}, by up to {most}"


def _not_started(seat: Seat, name: str) -> KumiteError:
    if name.startswith(BOT):
        from kumite.core.bots import LISTED

        return BadSetup(f"there is no {name}", hint=f"bots: {', '.join(LISTED)}")
    return BadSetup(
        f"{name} is a program of somebody's; only a command that you type is started",
        hint=f"kumite resume LOG --bots {seat + 1}:cmd:./mybot",
    )


def handed_over(seat: int, why: KumiteError, who: str) -> str:
    """Tell that somebody else plays on in a seat that its bot has lost."""
    return f"seat {seat} was lost: {why}; {who or 'a person'} plays on"[:LONGEST_NOTE]


class Follower:
    """Keeps a match as some seats have seen it, step by step instead of anew each time."""

    def __init__(self) -> None:
        self._full: Match | None = None
        self._seen: Match | None = None

    def follow(self, match: Match, eyes: Seats) -> Match:
        """Return `match`, of which we know at least as much as `eyes`, as these have seen it."""
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
