"""Matches recorded by an independent program: actors, legal lists, outcome at every number."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import pytest

from kumite.core.game import SPECTATOR, Actor, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.match import Match
from tests.support.places import DATA

RECORDED = [game_id for game_id in GAMES if (DATA / f"{game_id}.jsonl.gz").is_file()]


def recorded(game_id: str) -> list[dict[str, Any]]:
    lines = gzip.decompress((DATA / f"{game_id}.jsonl.gz").read_bytes()).decode().splitlines()
    return [json.loads(line) for line in lines]


def short_hash(texts: Iterable[str]) -> str:
    return sha256("\n".join(texts).encode()).hexdigest()[:16]


def test_there_are_recorded_matches_of_each_duel() -> None:
    assert {"kitsu", "kitsune", "kumo", "kuzushi", "kiriai"} <= set(RECORDED)


@pytest.mark.parametrize("game_id", RECORDED)
def test_recorded_matches_agree_at_every_step(game_id: str) -> None:
    transcripts = recorded(game_id)
    assert transcripts
    for transcript in transcripts:
        match = Match.begin(Setup.of(GAMES[game_id], transcript["seats"], transcript["options"]))
        checks = {check["at"]: check for check in transcript["checks"]}
        for actor, step in [*transcript["steps"], (None, None)]:
            check = checks.pop(match.number, {"actors": [], "legal": []})  # none: it is over
            assert list(match.actors) == check["actors"]
            assert [len(match.legal(one)) for one in match.actors] == check["legal"]
            if match.actors:
                assert short_hash(match.legal(match.actors[0])) == check["legal_sha256"]
            if actor is not None:
                match = match.play(actor, step)
        assert not checks
        outcome = match.outcome
        assert outcome is not None or transcript["outcome"] is None
        if outcome:
            assert list(outcome.winners) == transcript["outcome"]["winners"]
            assert outcome.reason == transcript["outcome"]["reason"]
        if "seen" in transcript:
            _check_seen(match, transcript["seen"])


def _check_seen(match: Match, hashes: list[str]) -> None:
    """Each seat, then a spectator: the hash of all steps as that viewer sees them."""
    viewers = [frozenset({Seat(seat)}) for seat in range(match.setup.seats)]
    for by, expected in zip([*viewers, SPECTATOR], hashes, strict=True):
        seen: list[tuple[Actor, Step]] = []
        for one in match.line()[1:]:
            assert one.last is not None
            assert one.before is not None
            seen.append(
                (
                    one.last.actor,
                    match.game.seen(one.before.state, one.last.actor, one.last.step, by),
                )
            )
        assert short_hash(step for _, step in seen) == expected
