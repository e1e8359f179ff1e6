"""A home without file locks (NFS, some FUSE) is no other kumite: it is told once, and one plays."""

from __future__ import annotations

import errno
import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest

from kumite.cli import doctor
from kumite.cli.arena.playing import Plan
from kumite.cli.arena.results import Results
from kumite.core.errors import KumiteError
from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.log import Header
from kumite.net.transport import tournament_files
from kumite.net.transport.journal import Journal
from kumite.store import warned
from kumite.store.log_files import LogFile, folder, new_match_id

SETUP = Setup.of(GAMES["kuzushi"])
HEADER = Header("0123456789abcdef", SETUP, ("ada", "bob"))
HELD = [errno.EWOULDBLOCK, errno.EACCES]
MISSING = [errno.ENOLCK, errno.EOPNOTSUPP, errno.EBADF, errno.ENOSYS, errno.EINVAL, errno.EIO]


def resume(into: Path) -> LogFile:
    (path,) = into.glob("*.kumite")
    return LogFile.reopen(path)[0]


def begin_anew(into: Path) -> LogFile:
    """Go on with a log that somebody deletes meanwhile."""
    file = resume(into)
    file.path.unlink()
    file.add("say 0 hi")
    return file


USERS: dict[str, Callable[[Path], object]] = {
    "play": lambda into: LogFile.create(
        Header(new_match_id(), SETUP), HEADER.begin(), into / "deep"
    ),
    "resume": resume,
    "a log that was deleted": begin_anew,
    "a LAN table": lambda into: Journal.create(into / "new.table"),
    "back at a LAN table": lambda into: Journal.open(into / "old.table")[0],
    "a tournament": lambda into: tournament_files.hold("ab12", into),
    "an arena": lambda into: Results(
        Plan.of(SETUP, ("random", "random"), 1, 0), into / "old.arena"
    ),
}


@pytest.fixture
def into(tmp_path: Path) -> Path:
    LogFile.create(HEADER, HEADER.begin(), tmp_path).close()
    Journal.create(tmp_path / "old.table").close()
    return tmp_path


def failing(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def flock(*_: object) -> None:
        raise OSError(number, "injected")

    monkeypatch.setattr(fcntl, "flock", flock)


@pytest.mark.parametrize("user", USERS.values(), ids=USERS)
@pytest.mark.parametrize("number", HELD, ids=errno.errorcode.get)
def test_a_file_that_another_holds_is_refused(
    into: Path, user: Callable[[Path], object], number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, number)
    with pytest.raises(KumiteError, match=r"another (kumite|arena)") as caught:
        user(into)
    assert caught.value.hint
    assert not warned.heard()


@pytest.mark.parametrize("user", USERS.values(), ids=USERS)
@pytest.mark.parametrize("number", MISSING, ids=errno.errorcode.get)
def test_where_there_are_no_locks_one_goes_on_and_it_is_told_once(
    into: Path, user: Callable[[Path], object], number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, number)
    for _ in range(2):
        user(into).close()
        for made in (into / "new.table", into / "old.arena"):
            made.unlink(missing_ok=True)
    (said,) = warned.heard()
    assert said.startswith(str(into))
    assert "no file locks (injected)" in said
    assert "a second kumite" in said


@pytest.mark.parametrize("number", MISSING, ids=errno.errorcode.get)
def test_doctor_tells_of_a_home_without_locks(
    number: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))
    assert [one.mark for one in doctor.checked(doctor.matches)] == [doctor.OK]
    failing(monkeypatch, number)
    note, *_ = doctor.checked(doctor.matches)
    assert note.mark == doctor.NOTE
    assert note.text.startswith(f"{tmp_path} has no file locks (injected)")
    assert not list(folder().iterdir())
