"""`kumite log check` on logs of LAN tables: the audit, and the signed posts beside the log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kumite.core import table as acts
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.log import End
from kumite.net.replica import audit, due
from kumite.net.replica.ledger import Ledger
from kumite.net.replica.records import Credentials, Evidence, MatchStart
from kumite.net.session import events, session
from kumite.net.transport import journal
from kumite.net.wire import messages, posts
from kumite.store.log_files import LogFile
from tests.support.cheats import ATTACKS
from tests.support.commands import kumite
from tests.support.lan_tables import Plan, is_finished, seated
from tests.support.simulation import Network, Node, live

Change = Callable[[Any, posts.Body], posts.Body]


def played(
    game_id: str, change: Change, watchers: int, is_done: Callable[[Network], bool]
) -> Network:
    """Play a match with real cryptography; the joiner's program changes what it posts."""
    original = session.replication.signed

    def signed(turn: Any, body: posts.Body) -> posts.Post:
        return original(turn, change(turn, body) if turn.live.me == 1 else body)

    session.replication.signed = signed
    try:
        net = seated(Plan(5, Setup.of(GAMES[game_id], 2), 2, watchers, 0, 8), {})
        for node in net.nodes[:2]:
            live(node, Random(node.name), 8)
        assert net.run(1000, lambda: is_done(net))
    finally:
        session.replication.signed = original
    return net


def whole(game_id: str, change: Change = lambda _, body: body) -> Network:
    return played(game_id, change, 0, is_finished)


def saved(node: Node, into: Path) -> Path:
    """Save what a terminal has: its log, and the table's file beside it."""
    live = node.live
    file = LogFile.create(live.header, live.ledger.match, into)
    if live.ledger.end is not None:
        file.end(live.ledger.end)
    file.close()
    (kind, name) = live.header.extra[0].split(" ")
    assert kind == "table"
    (into / name).write_bytes(node.disk)
    return file.path


def ran(*words: object) -> tuple[int, str]:
    done = kumite("log", *words, status=None)
    return done.exit_code, done.output.strip()


def checked(log: Path) -> tuple[int, str]:
    status, said = ran("check", log)
    first = log.read_text(encoding="utf-8").count("\nstep ")
    return status, said.replace(f"{log}: sound, {first} steps, ", "")


@pytest.mark.parametrize("who", [0, 1])
def test_a_fair_match_is_made_again_from_what_all_have_signed(tmp_path: Path, who: int) -> None:
    log = saved(whole("kitsune").nodes[who], tmp_path)
    said = "resigned, as signed by all, audited again: all have played fair"
    assert checked(log) == (0, said)
    next(tmp_path.glob("*.table")).unlink()
    assert checked(log) == (0, "resigned, unaudited")
    open_log, _ = LogFile.reopen(log)
    open_log.add("audit false bob has played false: the deck")
    open_log.close()
    assert checked(log) == (1, "resigned, audit: bob has played false: the deck")


def test_a_match_without_secrets_is_as_all_have_signed_it(tmp_path: Path) -> None:
    log = saved(whole("kuzushi").nodes[0], tmp_path)
    assert checked(log) == (0, "resigned, as signed by all")


def test_who_has_played_false_is_named_again(tmp_path: Path) -> None:
    def other_keys(_: Any, body: posts.Body) -> posts.Body:
        return replace(body, keys=b"\1" * 32) if isinstance(body, posts.DeckKeys) else body

    status, said = checked(saved(whole("kitsune", other_keys).nodes[0], tmp_path))
    assert status == 1
    assert "audited again: p1: deck 0: its shuffle changed cards" in said


def test_another_match_than_was_signed_is_told(tmp_path: Path) -> None:
    node = whole("kuzushi").nodes[0]
    ledger = node.live.ledger
    match = ledger.match.back(1)
    (actor,) = match.actors
    other = match.play(
        actor, next(s for s in match.legal(actor) if s != ledger.match.steps()[1].step)
    )
    log = saved(node, tmp_path)
    log.unlink()
    file = LogFile.create(node.live.header, other, tmp_path)
    file.end(End("adjourned", (0,)))
    file.close()
    status, said = checked(file.path)
    assert status == 1
    assert "not the match of the signed posts in" in said


def test_a_file_that_is_no_tables_is_told(tmp_path: Path) -> None:
    log = saved(whole("kuzushi").nodes[0], tmp_path)
    place = next(tmp_path.glob("*.table"))
    place.write_bytes(b"something else")
    status, said = checked(log)
    assert status == 1
    assert f"file beside it cannot be used: {place}: not a journal of a LAN match" in said


def test_what_was_only_said_is_told_as_such(tmp_path: Path) -> None:
    net = seated(Plan(5, Setup.of(GAMES["kuzushi"], 3), 3, 0, 0, 8), {})
    liar = net.nodes[1].live
    blamed = 3 - (liar.me or 0)
    stop = audit.signed(liar.ledger, liar.signer, 1, "foul", "trust me", blamed)
    link = net.nodes[1].session.link(net.nodes[1].session.line.main)
    sealed = link.sealer.seal(messages.SEALED.pack(stop))
    net.nodes[1].ends[link.number].send(net.nodes[1], sealed)
    net.run(net.now + 2)
    status, said = checked(saved(net.host, tmp_path))
    assert status == 0
    who, whom = (liar.ledger.roster.who(one) for one in (stop.author, blamed))
    assert f"{who} says that {whom} has played false (trust me)" in said
    assert said.endswith("nothing is proven against anybody")


def test_who_has_not_signed_the_end_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = due.due

    def unsigned(ledger: Ledger, *, is_open: bool) -> posts.Body | None:
        return None if ledger.me and ledger.is_over else original(ledger, is_open=is_open)

    monkeypatch.setattr(due, "due", unsigned)
    net = seated(Plan(5, Setup.of(GAMES["kuzushi"], 2), 2, 0, 0, 8), {})
    net.nodes[1].feed(acts.Resign(Seat(1)))
    net.run(net.now + 2)
    assert checked(saved(net.host, tmp_path)) == (0, "resigned, its end is not signed by p1")


# --- What was proved at once ------------------------------------------------------------------


def caught(attack: str) -> Network:
    """Play until the joiner's false pass is refused."""
    number, make = ATTACKS[attack]

    def change(turn: Any, body: posts.Body) -> posts.Body:
        if isinstance(body, posts.Shuffle):
            deal = turn.live.ledger.secrets.decks[0].deal
            if number == 1 + (len(deal.decks) - 1) // deal.terminals:
                return posts.Shuffle(0, make(deal, turn.s.credentials.seed))
        return body

    return played(
        "kitsune", change, 1, lambda net: all(node.session.is_closed for node in net.nodes)
    )


@pytest.mark.parametrize(
    ("attack", "why"),
    [
        ("combinations proved by force", "it is a shuffle of the cards that were there"),
        ("a_false_commitment in pass 2", "it locks the cards that were there"),
    ],
)
def test_a_false_pass_is_proven_again_from_what_a_player_or_a_watcher_has(
    tmp_path: Path, attack: str, why: str
) -> None:
    net = caught(attack)
    for number in (0, 2):
        into = tmp_path / str(number)
        into.mkdir()
        status, said = checked(saved(net.nodes[number], into))
        assert status == 1
        named = "as signed by all, proven: p1 has played false: its pass has no proof that"
        assert f"{named} {why}" in said


def test_a_post_that_was_refused_and_is_in_order_proves_nothing(tmp_path: Path) -> None:
    """A terminal may put what it likes into its own file."""
    node = whole("kuzushi").nodes[0]
    records = node.kept
    at = next(n for n, one in enumerate(records) if isinstance(one, posts.Post))
    records.insert(at, Evidence(records[at]))
    node.disk = journal.FORMAT + b"".join(map(journal.packed, records))
    status, said = checked(saved(node, tmp_path))
    assert status == 0
    assert "a post of p1 was refused, which proves nothing" in said


@pytest.mark.parametrize(
    ("play", "status", "said"),
    [
        (lambda: whole("kitsune"), 0, "audited again: all have played fair"),
        (lambda: caught("replayed locks"), 1, "proven: p1 has played false: its pass has no proof"),
    ],
)
def test_what_was_signed_is_mailed_without_secrets_and_checked_by_anybody(
    tmp_path: Path, play: Callable[[], Network], status: int, said: str
) -> None:
    node = play().nodes[0]
    log = saved(node, tmp_path)
    proof = log.with_suffix(".proof")
    assert ran("proof", log) == (0, f"written: {proof}")
    data = proof.read_bytes()
    kinds = {type(one) for one in journal.read(data).records}
    assert kinds == {MatchStart, posts.Post, Evidence} - (set() if status else {Evidence})
    for one in node.kept:
        assert not isinstance(one, Credentials) or one.seed not in data
    found, text = ran("check", proof)
    assert found == status
    assert said in text
    words = " ".join(node.told(events.MatchBegan)[0].words)
    assert text.endswith(f", words: {words}")
    assert "is there already" in ran("proof", log)[1]
    assert proof.read_bytes() == data


def test_of_a_match_that_nobody_signed_there_is_no_proof(tmp_path: Path) -> None:
    log = saved(whole("kuzushi").nodes[0], tmp_path)
    next(tmp_path.glob("*.table")).unlink()
    status, said = ran("proof", log)
    assert status
    assert "cannot read" in said
    golden = Path(__file__).parents[1] / "data" / "golden.kumite"
    status, said = ran("proof", golden, "-o", tmp_path / "x")
    assert status
    assert "is not the log of a LAN match" in said
    assert not (tmp_path / "x").exists()


# --- Files of another version ------------------------------------------------------------------


def test_of_a_match_of_another_version_the_log_alone_is_read(tmp_path: Path) -> None:
    log = saved(whole("kitsune").nodes[1], tmp_path)
    place = next(tmp_path.glob("*.table"))
    place.write_bytes(b"kumite table 5\n" + place.read_bytes()[len(journal.FORMAT) :])
    other = f"{place}: this journal is from another version of kumite"
    said = f"resigned, not looked at: {other}, "
    assert checked(log) == (0, f"{said}unaudited")
    open_log, _ = LogFile.reopen(log)
    open_log.add("audit false bob has played false: the deck")
    open_log.close()
    assert checked(log) == (1, f"{said}audit: bob has played false: the deck")
    for command, path in (("check", place), ("proof", log)):
        status, text = ran(command, path)
        assert status
        assert other in text
