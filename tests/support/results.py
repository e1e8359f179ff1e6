"""What a saved match says of its end."""

from __future__ import annotations

from pathlib import Path

from kumite.store import log_files


def only_result(folder: Path, names: str) -> tuple[Path, str]:
    """Return the only match saved in a folder, which is over, and what is said of who won it.

    By these names; whoever is the only person among them is told "You won".
    """
    (path,) = folder.glob("*.kumite")
    log = log_files.load(path)
    assert log.damage is None
    assert log.match.outcome is not None
    players = names.split(",")
    persons = [name for name in players if not name.startswith("bot:")]
    called = ["You" if [name] == persons else name.replace("bot:", "bot ") for name in players]
    winners = [called[seat] for seat in log.match.outcome.winners]
    return path, f"{' and '.join(winners)} won" if winners else "A draw"
