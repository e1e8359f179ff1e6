"""The text of a tournament's screen: pairings, standings, next step. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from kumite.core.tournament.tournament import FEWEST, ROBIN, SWISS, half, quarter, standings
from kumite.net.wire import tournament as wire
from kumite.net.wire.tournament import View
from kumite.tui.drawing.honours import podium
from kumite.tui.drawing.panel import filled
from kumite.tui.look.glyphs import Look
from kumite.tui.play import tournament_words
from kumite.tui.play.lobby_words import is_connected
from kumite.tui.play.terms import options_and_clock
from kumite.tui.scenes.lines import Line, called, fit, shortened, width, wrapped
from kumite.tui.scenes.sentences import counted

if TYPE_CHECKING:
    from kumite.net.tournament.state import Terms
    from kumite.tui.play.tournament import PlayerClient
    from kumite.tui.screens.lobby_lines import Space

LEFT: Final = 39  # columns of the pairings
RIGHT: Final = 36  # of the standings
NAME: Final = 12
STANDING_NAME: Final = 15


def terms_lines(terms: Terms, view: View, columns: int) -> list[Line]:
    setup = terms.setup
    system = "round robin" if view.tournament.system == ROBIN else "Swiss"
    said = [setup.game.TITLE, *options_and_clock(setup, terms.clock or ()), system]
    return wrapped(", ".join(said), columns, "quiet")


def list_lines(view: View, space: Space, *, has_pixels: bool) -> list[Line]:
    """Return pairings and standings below a row of headings, side by side if there is room.

    At the end a podium stands beside both.
    """
    (columns, _, look), t = space, view.tournament
    left, right = _pairing_lines(view, look), _standing_lines(view, look)
    if columns < LEFT + RIGHT and not t.rounds:
        return right
    if columns < LEFT + RIGHT:
        return [*right, (), *left] if t.is_over else [*left, (), *right]
    if t.is_over and has_pixels:
        first = [(row.place, t.players[row.player].shown) for row in standings(t)[:3]]
        left, right = [(), *podium(first)], [*right, (), *left]
    gap = (" " * min(columns // 8, columns - LEFT - RIGHT), "")
    return [(*filled(a or (), LEFT), gap, *(b or ())) for a, b in zip_longest(left, right)]


def _pairing_lines(view: View, look: Look) -> list[Line]:
    t = view.tournament
    if not t.rounds:
        return [(("Nobody is paired yet", "quiet"),)]
    lines = _round_lines(view, len(t.rounds), view.states, look)
    for number in range(len(t.rounds) - 1, 0, -1) if t.is_over else ():
        decided = [wire.DECIDED] * len(t.rounds[number - 1])
        lines += [(), *_round_lines(view, number, decided, look)]
    return lines


def _round_lines(view: View, number: int, states: Sequence[int], look: Look) -> list[Line]:
    t = view.tournament
    lines: list[Line] = [((f"Round {number} of {t.planned}", "title"),)]
    versus = (" – " if look.is_drawn else " - ", "quiet")
    for place, (pairing, state) in enumerate(zip(t.rounds[number - 1], states, strict=True)):
        players = [one for one in (pairing.first, pairing.second) if one is not None]
        names = [
            (shortened(t.players[one].shown, NAME, look), "title" if one == view.me else "")
            for one in players
        ]
        if state == wire.DECIDED:
            shown = tournament_words.RESULTS[pairing.result]
            said = (f" {shown if look.is_drawn else shown.replace('½', '=')}", "gain")
        elif state in (wire.WAITS, wire.STANDS) and not view.here.issuperset(players):
            said = " away", "loss"
        else:
            text, role, _ = tournament_words.STATES[state]
            said = f" {text}", role
        met = [versus, names[1], said] if len(names) > 1 else [(" has a bye", "quiet")]
        lines.append(((f"{place + 1:>2} ", "quiet"), names[0], *met))
    return lines


def _standing_lines(view: View, look: Look) -> list[Line]:
    t = view.tournament
    ties = ("S-B", "wins") if t.system == ROBIN else ("Buchh", "S-B")
    head = f"{'Standing':<{STANDING_NAME + 4}}{'points':>6}{ties[0]:>6}{ties[1]:>5}"
    lines: list[Line] = [((head, "title"),)]
    for row in standings(t):
        player, is_me = t.players[row.player], row.player == view.me
        is_away = not t.is_over and row.player not in view.here
        away = " away" * is_away if player.is_in else " out"
        role = "title" if is_me else "quiet" if away else ""
        name = called(player.shown, STANDING_NAME - len(away), look, is_you=is_me)
        buchholz, sonneborn = half(row.buchholz), quarter(row.sonneborn)
        numbers = (sonneborn, str(row.wins)) if t.system == ROBIN else (buchholz, sonneborn)
        said = f"{half(row.points):>6}{numbers[0]:>6}{numbers[1]:>5}"
        said = said if look.is_drawn else said.replace("½", "+")
        lines.append(((f"{row.place:>2}  ", "quiet"), (name, role), (away, "loss"), (said, role)))
    return lines


def columns_lines(view: View, columns: int) -> list[Line]:
    """Return what each column of the standings counts, a line each."""
    t = view.tournament
    has_bye = any(one.second is None for round_ in t.rounds for one in round_)
    beaten = "S-B: points of those beaten, half of those drawn with"
    if t.system == SWISS:
        points = f"points: 1 a win{' or a bye' * has_bye}, half a draw"
        bye = "; a bye is an opponent with as many as you" * has_bye
        said = [points, f"Buchh: points of all opponents{bye}", beaten]
    else:
        bye = "; none for a bye, which everybody has" * has_bye
        said = [f"points: 1 a win, half a draw{bye}", beaten, "wins: matches won"]
    return [row for one in said for row in wrapped(one, columns, "quiet")]


# --- What is next ---------------------------------------------------------------------------------


def host_next(view: View, *, can_begin: bool) -> Line:
    """Return what the organiser has to do or is waiting for."""
    t = view.tournament
    if t.is_running:
        disputed = [str(n + 1) for n, one in enumerate(view.states) if one == wire.DISPUTED]
        if disputed:
            said = f"Both tell another end of match {', '.join(disputed)}: d decides."
            return ((said, "loss"),)
        if wire.TOLD in view.states:
            said = f"Match {view.states.index(wire.TOLD) + 1}: only one of the two has reported"
            return ((f"{said} a result; d decides.", "quiet"),)
        left = sum(state != wire.DECIDED for state in view.states)
        return ((f"{left} match{'es' * (left != 1)} to go; d decides one.", "quiet"),)
    if t.is_over:
        return ((tournament_words.over_text(t), "gain"),)
    if not can_begin:
        waits = f"Round {len(t.rounds) + 1} can begin when {FEWEST} take part: p takes one back in."
        first = f"The first round can begin when {FEWEST} players are here."
        return ((waits if t.rounds else first, "quiet"),)
    start = (f"  s: begin round {len(t.rounds) + 1}  ", "on-seat/title!")
    if away := ", ".join(t.players[n].shown for n in t.present if n not in view.here):
        return (start, (f"  {away}: away; p takes out who has gone", "loss"))
    return (start,)


def player_next(view: View, player: PlayerClient | None) -> Line:
    """Return what a player has to do; None: one who can do nothing any more."""
    watch = watch_line(player is not None and bool(player.watchable))
    is_waiting = player is not None and player.is_waiting
    t, me = view.tournament, view.me or 0
    late = ((f"{tournament_words.too_late(t)} ", "quiet"),) if view.me is None else ()
    if t.is_over:
        return (*late, (tournament_words.over_text(t), "gain"))
    if late:
        return (*late, *watch)
    if view.my_place is not None:
        other = view.pairings[view.my_place].other(me)
        name = t.players[other].shown if other is not None else ""
        if is_waiting and (missing := tournament_words.missing_text(view)):
            return ((missing, "loss"),)
        if is_waiting:
            return ((f"Your table opens automatically: you play against {name}.", "title"),)
        if player is not None and player.can_go:
            return ((f"  Enter: to your table, against {name}  ", "on-seat/title!"),)
        if player is not None and player.is_cut:
            return (("Your result is reported when the organiser is back.", "quiet"),)
        return (("Your result is reported; the other terminal has to report it too.", "quiet"),)
    if not t.is_running:
        which = "next" if t.rounds else "first"
        return ((f"The organiser begins the {which} round.", "quiet"),)
    mine = t.pairing_of(me)
    if mine is not None and view.pairings[mine].second is None:
        point = " You get a point for it." * bool(view.pairings[mine].points(me))
        left = sum(state != wire.DECIDED for state in view.states)
        until = f" It ends after {counted(left, 'more match', 'more matches')}."
        bye = "You have a bye: with an odd number of players, one has no opponent this round."
        return ((f"{bye}{point}{until}", "quiet"), *watch)
    return ((tournament_words.from_round(t, me) or "You wait for the others.", "quiet"), *watch)


def watch_line(can_watch: bool) -> Line:
    return (("  w: watch a match", "title"),) if can_watch else ()


def code_line(
    code: str, places: Sequence[tuple[str, str]], columns: int, *, can_play: bool = True
) -> Line:
    """Return the code and the address on one line; the code is never cut.

    `can_play`: who comes now can play, and not only look on.
    """
    others = "Others type  " if can_play else "Others can look on:  "
    said = f"kumite join {places[0][0]} {code}" if places else code
    if places and not is_connected(places):
        return (("Not connected to a network.  Code  ", "quiet"), (code, "title"))
    if width(said) <= columns - width(others):
        return ((others, "quiet"), (said, "title"))
    at = fit(f"  at {places[0][0]}", columns - 6 - width(code)).rstrip()
    return (("Code  ", "quiet"), (code, "title"), (at, "quiet"))
