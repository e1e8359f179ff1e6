"""What a saved match says of its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.store import log_files

if TYPE_CHECKING:
    from pathlib import Path


def only_result(folder: Path, names: str) -> tuple[Path, str]:
    """Return the only match saved in a folder, which is over, and who won it, by these names."""
    (path,) = folder.glob("*.kumite")
    log = log_files.load(path)
    assert log.damage is None
    assert log.match.outcome is not None
    players = names.replace("bot:", "bot ").split(",")
    winners = [players[seat] for seat in log.match.outcome.winners]
    return path, f"{' and '.join(winners)} won" if winners else "A draw"
