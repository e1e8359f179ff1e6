"""What the hall of a tournament shows: who meets whom, who stands where, what is next. Pure."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from kumite.core.tournament.event import FEWEST, ROBIN
from kumite.core.tournament.standing import half, quarter, standing
from kumite.net.wire import hall
from kumite.tui.drawing.panel import filled
from kumite.tui.play.hall_words import RESULTS, missing_text, winner_text
from kumite.tui.play.terms import options_and_clock
from kumite.tui.scenes.lines import called, fit, shortened, width, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.core.tournament.event import Pairing
    from kumite.net.hall.board import Board, Terms
    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes.lines import Line
    from kumite.tui.screens.lobby_lines import Space

LEFT: Final = 39  # columns of the pairings
RIGHT: Final = 36  # of the standing
NAME: Final = 12
STANDING_NAME: Final = 15
STATES: Final = {
    hall.WAITS: ("opens", "quiet"),
    hall.STANDS: ("plays", "key"),
    hall.TOLD: ("told by 1", "key"),
    hall.DISPUTED: ("disputed", "loss"),
}


def terms_lines(terms: Terms, board: Board, columns: int) -> list[Line]:
    """Return what is played: the game, its options, the clock, and by which system."""
    setup = terms.setup
    system = "round robin" if board.tournament.system == ROBIN else "Swiss"
    said = [setup.game.TITLE, *options_and_clock(setup, terms.clock or ()), system]
    return [((one, "quiet"),) for one in wrap(", ".join(said), columns)]


def hall_lines(board: Board, rows: int, top: int, space: Space) -> list[Line]:
    """Return pairings and standing, beside each other where there is room; from row `top` on."""
    left, right = pairing_lines(board, space.look), standing_lines(board, space.look)
    if space.columns >= LEFT + RIGHT:
        gap = (" " * min(6, space.columns - LEFT - RIGHT), "")
        lines: list[Line] = [
            (*filled(a or (), LEFT), gap, *(b or ())) for a, b in zip_longest(left, right)
        ]
    else:
        lines = [*left, (), *right]
    head, body = lines[:1], lines[1:]
    top = max(0, min(top, len(body) - (rows - 1)))
    return [*head, *body[top : top + rows - 1]]


def row_count(board: Board, columns: int) -> int:
    """Return how many rows pairings and standing take."""
    pairs = len(board.tournament.rounds[-1]) if board.tournament.rounds else 1
    players = len(board.tournament.players)
    return 1 + (max(pairs, players) if columns >= LEFT + RIGHT else pairs + players + 2)


def pairing_lines(board: Board, look: Look) -> list[Line]:
    """Return who meets whom in this round, and how it stands."""
    t = board.tournament
    if not t.rounds:
        return [(("Nobody is paired yet", "quiet"),)]
    lines: list[Line] = [((f"Round {len(t.rounds)} of {t.planned}", "title"),)]
    for place, (pairing, state) in enumerate(zip(t.rounds[-1], board.states, strict=True)):
        names = []
        for player in (pairing.first, pairing.second):
            if player is not None:
                role = "title" if player == board.me else ""
                names.append((shortened(t.players[player].name, NAME, look), role))
        said = _said(pairing, state, look)
        if state in (hall.WAITS, hall.STANDS) and not board.has_both(pairing):
            said = " away", "loss"
        if len(names) == 1:
            lines.append(((f"{place + 1:>2} ", "quiet"), names[0], (" has a bye", "quiet")))
        else:
            versus = (" – " if look.is_drawn else " - ", "quiet")
            lines.append(((f"{place + 1:>2} ", "quiet"), names[0], versus, names[1], said))
    return lines


def _said(pairing: Pairing, state: int, look: Look) -> tuple[str, str]:
    """Return how a pairing stands, in a word or its result."""
    if state == hall.DECIDED:
        shown = RESULTS[pairing.result]
        return f" {shown if look.is_drawn else shown.replace('½', '=')}", "gain"
    text, role = STATES[state]
    return f" {text}", role


def standing_lines(board: Board, look: Look) -> list[Line]:
    """Return who stands where."""
    t = board.tournament
    ties = ("S-B", "wins") if t.system == ROBIN else ("Buchh", "S-B")
    head = f"{'Standing':<{STANDING_NAME + 4}}{'points':>6}{ties[0]:>6}{ties[1]:>5}"
    lines: list[Line] = [((head, "title"),)]
    for row in standing(t):
        player, is_me = t.players[row.player], row.player == board.me
        away = "" if row.player in board.here else " away"
        away = away if player.is_in else " out"
        role = "title" if is_me else "quiet" if away else ""
        name = called(player.name, STANDING_NAME - len(away), look, is_you=is_me)
        buchholz, sonneborn = half(row.buchholz), quarter(row.sonneborn)
        numbers = (sonneborn, str(row.wins)) if t.system == ROBIN else (buchholz, sonneborn)
        said = f"{half(row.points):>6}{numbers[0]:>6}{numbers[1]:>5}"
        said = said if look.is_drawn else said.replace("½", "+")
        lines.append(((f"{row.place:>2}  ", "quiet"), (name, role), (away, "loss"), (said, role)))
    return lines


# --- What is next ---------------------------------------------------------------------------------


def organiser_next(board: Board) -> Line:
    """Return what the organiser has to do, or waits for."""
    t = board.tournament
    if t.is_running:
        disputed = [n + 1 for n, one in enumerate(board.states) if one == hall.DISPUTED]
        if disputed:
            where = ", ".join(map(str, disputed))
            return ((f"Both tell another end of match {where}: d decides.", "loss"),)
        left = sum(state != hall.DECIDED for state in board.states)
        return ((f"{left} match{'es' * (left != 1)} to go; d decides one.", "quiet"),)
    if t.is_over:
        return winner_line(board)
    if len(t.present) < FEWEST:
        return ((f"The first round can begin when {FEWEST} players are here.", "quiet"),)
    away = [t.players[n].name for n in t.present if n not in board.here]
    start = ((f"  s: begin round {len(t.rounds) + 1}  ", "on-seat/title!"),)
    if not away:
        return start
    return (*start, (f"  {', '.join(away)}: away; p takes out who has gone", "loss"))


def player_next(board: Board, *, can_go: bool, is_waiting: bool) -> Line:
    """Return what a player has to do, or waits for; they wait for a table that opens."""
    t = board.tournament
    if t.is_over:
        return winner_line(board)
    if not t.rounds:
        return (("The organiser begins the first round.", "quiet"),)
    if board.my_place is not None:
        other = t.rounds[-1][board.my_place].other(board.me or 0)
        name = t.players[other].name if other is not None else ""
        if is_waiting and (missing := missing_text(board)):
            return ((missing, "loss"),)
        if is_waiting:
            return ((f"Your table opens by itself: you play against {name}.", "title"),)
        if can_go:
            return ((f"  Enter: to your table, against {name}  ", "on-seat/title!"),)
        return (("Your result is told; the other terminal has to tell it, too.", "quiet"),)
    if not t.is_running:
        return (("The organiser begins the next round.", "quiet"),)
    mine = t.pairing_of(board.me or 0)
    if mine is not None and t.rounds[-1][mine].second is None:
        point = ", and the point" if t.rounds[-1][mine].points(board.me or 0) else ""
        return ((f"You have a bye{point} this round.", "quiet"),)
    return (("You wait for the others.", "quiet"),)


def winner_line(board: Board) -> Line:
    """Return who has won."""
    return ((f"The tournament is over: {winner_text(board)}.", "gain"),)


def code_line(code: str, places: Sequence[str], columns: int) -> Line:
    """Return the code and how others come here, in one line in which the code is whole."""
    said = f"kumite join {places[0]} {code}" if places else code
    if width(said) <= columns - 13:
        return (("Others type  ", "quiet"), (said, "title"))
    at = fit(f"  at {places[0]}", columns - 6 - width(code)).rstrip()
    return (("Code  ", "quiet"), (code, "title"), (at, "quiet"))
