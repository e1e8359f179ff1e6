"""Kuzushi once more, straight from the rules text: slow, a dict of squares, nothing shared.

Only to compare with core/games/kuzushi. It measures the box anew before each flag, in any order.
"""

from __future__ import annotations

UP, RIGHT, DOWN, LEFT = (0, 1), (1, 0), (0, -1), (-1, 0)
ORDER = (UP, RIGHT, DOWN, LEFT)

Square = tuple[int, int]  # file and rank, both from 1


class Naive:
    """A match being played; `cards` maps a square to (owner, `city`, `base` or `flag`)."""

    def __init__(self, seats: int, board: str, order: tuple[tuple[int, int], ...] = ORDER) -> None:
        self.seats = seats
        self.limit = {"normal": (6, 7, 8, 9, 10), "small": (5, 6, 7, 8, 9)}[board][seats - 2]
        self.order = order
        self.cards: dict[Square, tuple[int, str]] = {(self.limit, self.limit): (0, "city")}
        self.turn = 1
        self.reason = ""  # why it is over

    def all_squares(self) -> list[Square]:
        size = 2 * self.limit - 1
        return [(file, rank) for file in range(1, size + 1) for rank in range(1, size + 1)]

    def name(self, square: Square) -> str:
        return "abcdefghijklmnopqrs"[square[0] - 1] + str(square[1])

    def fits(self, square: Square) -> bool:
        files = [file for file, _ in [*self.cards, square]]
        ranks = [rank for _, rank in [*self.cards, square]]
        return (
            max(files) - min(files) + 1 <= self.limit and max(ranks) - min(ranks) + 1 <= self.limit
        )

    def neighbours(self, square: Square) -> list[Square]:
        file, rank = square
        return [(file + dx, rank + dy) for dx, dy in self.order]

    def hand(self, seat: int) -> int:
        return 19 - sum(
            owner == seat and kind in ("base", "flag") for owner, kind in self.cards.values()
        )

    def score(self, seat: int) -> int:
        return sum(owner == seat for owner, _ in self.cards.values())

    def legal(self) -> list[str]:
        if self.reason:
            return []
        steps = []
        for square in self.all_squares():
            card = self.cards.get(square)
            if card == (self.turn, "flag"):
                steps.append(self.name(square) + "+")
            elif card is None:
                beside = any(next_to in self.cards for next_to in self.neighbours(square))
                if beside and self.fits(square):
                    steps.append(self.name(square))
        return sorted(steps)

    def holder(self, square: Square) -> int | None:
        counts = [0] * self.seats
        for next_to in self.neighbours(square):
            owner, kind = self.cards.get(next_to, (0, ""))
            if kind == "base":
                counts[owner] += 1
        most = max(counts)
        return counts.index(most) if most and counts.count(most) == 1 else None

    def play(self, step: str) -> int:
        """Make a legal step; return how many flags its actor had no card for."""
        at = "abcdefghijklmnopqrs".index(step[0]) + 1, int(step[1:].rstrip("+"))
        self.cards[at] = (self.turn, "base")
        missing = 0
        for square in self.neighbours(at):
            owner, kind = self.cards.get(square, (0, ""))
            if kind in ("base", "city") or (not kind and not self.fits(square)):
                continue
            holder = self.holder(square)
            if kind == "flag" and owner != holder:
                del self.cards[square]
            if square not in self.cards and holder is not None:
                if self.hand(holder):
                    self.cards[square] = (holder, "flag")
                else:
                    missing += 1
        if len(self.cards) == self.limit * self.limit:
            self.reason = "full"
        elif self.hand(self.turn) == 0:
            self.reason = "cards"
        else:
            self.turn = (self.turn + 1) % self.seats
        return missing

    def island(self, seat: int) -> int:
        left = {square for square, (owner, _) in self.cards.items() if owner == seat}
        largest = 0
        while left:
            group, edge = 0, [left.pop()]
            while edge:
                group += 1
                near = left.intersection(self.neighbours(edge.pop()))
                left -= near
                edge += near
            largest = max(largest, group)
        return largest

    def outcome(self) -> tuple[tuple[int, ...], str] | None:
        if not self.reason:
            return None
        scores = [self.score(seat) for seat in range(self.seats)]
        best = tuple(seat for seat in range(self.seats) if scores[seat] == max(scores))
        if len(best) == 1:
            return best, self.reason
        islands = {seat: self.island(seat) for seat in best}
        widest = tuple(seat for seat in best if islands[seat] == max(islands.values()))
        return widest, self.reason + ("-island" if len(widest) == 1 else "-shared")

    def drawn(self) -> list[str]:
        """Return the box as the rules draw it, without its file letters."""
        files = [file for file, _ in self.cards]
        ranks = [rank for _, rank in self.cards]
        marks = {"city": "C", "base": "B", "flag": "f"}
        lines = []
        for rank in range(max(ranks), min(ranks) - 1, -1):
            line = f"{rank:2}"
            for file in range(min(files), max(files) + 1):
                owner, kind = self.cards.get((file, rank), (0, ""))
                line += f" {owner}{marks[kind]}" if kind else "  ."
            lines.append(line)
        return lines
