"""The text below a LAN table: its players, an offer, what can be next. Pure functions."""

from __future__ import annotations

from typing import Final

from kumite.core.game import Seat
from kumite.net.session import events
from kumite.net.wire import posts
from kumite.tui.look.glyphs import Look
from kumite.tui.play.first import has_partners
from kumite.tui.play.lan_table import LanTable
from kumite.tui.play.lobby_words import looking_on
from kumite.tui.scenes.lines import Line, line_width, shortened, trimmed, width

NAME: Final = 14  # columns of a name below the board; must leave room for the three words


def company(lan: LanTable, columns: int, now: float, look: Look) -> list[Line]:
    """Return each player's clock and state, the words to compare, the score and the spectators."""
    lines = list[Line]()
    for number, name in enumerate(lan.shown_names):
        said, role = _state(lan, Seat(number), now)
        span = f"{shortened(name, NAME, look).rstrip()} {said}", role
        if said and lines and line_width(lines[-1]) + 4 + width(span[0]) <= columns:
            lines[-1] = (*lines[-1], ("  ", ""), span)
        elif said:
            lines.append((span,))
    return [*_with_words(lan, lines, columns), *_gallery(lan, columns)]


def _with_words(lan: LanTable, lines: list[Line], columns: int) -> list[Line]:
    """Return `lines` with the words to compare at the right end of the first.

    No other terminal can write there, so neither chat nor a name can imitate the words.
    """
    head = lines[0] if lines else ()
    is_seen = lan.last_choice() is not None if lan.mine else lan.match.number > 0
    if is_seen or lan.is_over or not lan.has_new_words:
        return lines  # they have been compared by now
    ways = lan.compare, f"Compare for privacy: {' '.join(lan.words)}"
    room = columns - line_width(head) - 2 * bool(head)
    said = next((one for one in ways if len(one) <= room), ways[-1])
    gap = columns - line_width(head) - width(said)
    if lines and gap < 2:
        return [((" " * (columns - len(said)), ""), (said, "key")), *lines]
    return [(*head, (" " * max(0, gap), ""), (said, "key")), *lines[1:]]


def _gallery(lan: LanTable, columns: int) -> list[Line]:
    """Return the score, and the spectators by name, so that nobody watches unseen."""
    watchers = looking_on(lan.watching.names, lan.watching.willing)
    score = lan.score if lan.series.best_of > 1 else f"so far: {lan.score}"
    said = [score] * bool(lan.score and not lan.is_over)
    said += [watchers] * bool(watchers)
    return [(("   ".join(said)[:columns], "quiet"),)] if said else []


def _state(lan: LanTable, seat: Seat, now: float) -> tuple[str, str]:
    """Return the clock and the state of a player in words, and their role; "": none."""
    end, trouble = lan.end, lan.absences.trouble
    said = [lan.clocks.shown(seat, now)] if lan.clocks.left else []
    has_fallen = end is not None and end.kind == "time" and seat in end.seats
    if has_fallen:  # its clock is no longer reported
        said = ["0:00 flag fallen"]
    if seat in trouble:
        said.append(trouble[seat][0])
    elif seat in lan.chosen and not lan.is_over:
        said.append("has chosen")
    elif thinks := lan.thinking(seat, now):
        said.append(thinks)
    is_loss = has_fallen or seat in trouble or lan.clocks.is_low(seat, now)
    return " ".join(said), "loss" if is_loss else "title" * (seat in lan.clocks.running)


def closed(lan: LanTable) -> Line:
    """Return who has closed the table, and the way on."""
    if lan.is_of_tournament:
        who = f"{lan.closed_by or 'The host'} has left"
        again = "" if lan.is_over else "; the table opens again by itself"
        return (lan.decided or f"{who}{again}.", "title"), ("  q: back to the tournament", "key")
    goes_on = bool(lan.mine) and not lan.is_over
    back = "  c on the home screen continues once the others are back" * goes_on
    left = f"{lan.closed_by} has left: the" if lan.closed_by else "The"
    return ((f"{left} table is closed; the match is saved.  q leaves{back}", "quiet"),)


def offered(lan: LanTable, offer: events.Offered, columns: int) -> Line:
    """Return an offer, and the keys that answer it."""
    if offer.is_ours:
        return ((_said_of_ours(lan, offer), "title"), ("  x: withdraw", "quiet"))
    answers = "  y: yes   x: no" if lan.mine else ""  # spectators do not vote
    cost = lan.cost_of_other * bool(offer.game)
    said = lan.offer_text(offer).removesuffix(cost)
    line = (said, "title"), (cost, "title"), (answers, "key")
    if offer.kind == posts.BACK and lan.is_rated:  # what it costs is told, in a second row
        return ((said + answers, "title"),)
    return trimmed(line, columns)  # the line of keys has the answers, too


def _said_of_ours(lan: LanTable, offer: events.Offered) -> str:
    """Return what we have offered or agreed to, and who has still to answer."""
    if offer.is_leader or (offer.seats & lan.ours and not offer.game):
        return lan.offer_text(offer)
    said = lan.offer_text(offer) if offer.game else "You agreed"
    others = [n for s, n in enumerate(lan.shown_names) if s not in offer.seats | lan.ours]
    return f"{said}; waiting for {others[0] if len(others) == 1 else 'the others'}"


def after_match(lan: LanTable, columns: int) -> Line:
    """Return what can be next, once the match is over, with the score if there are columns."""
    if lan.is_of_tournament:
        more = "   m: another match, which does not count" * bool(lan.mine)
        return (("q: back to the tournament", "key"), (more, "quiet"))
    if lan.votes:
        return (("z: vote   ", "key"), (lan.said_of_votes, "title"))
    what = "the next match" if lan.goes_on else "a rematch"
    more = "   z: what next?" * (len(lan.next_games) > 1)
    stays = has_partners(lan.match.setup) and bool(lan.mine)
    offer = "rematch, same partners" if stays else f"offer {what}"
    keys = f"m: {offer}{more}" if lan.mine else "[ and ]: look back"
    if lan.can_wish and lan.watching.is_ours:
        keys = "You play in the next match if a seat is free.   m: only look on"
    elif lan.can_wish:
        keys = f"m: play in the next match   {keys}"
    keys += "   if you stay, you play in the next match" * lan.is_replaced
    score = ((f"{lan.score}   ", "title"),) if lan.score else ()
    more = "   other partners: a new table" * stays
    if line_width(score) + len(keys) + len(more) > columns:
        score = ()  # it stands beside the table, too
    return (*score, (keys, "quiet"), (more, "quiet"))
