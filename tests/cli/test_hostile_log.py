"""One hostile log through every listing and export: nothing that steers a terminal comes out.

A command that prints is a line of `COMMANDS`, a form of `log export` comes by itself.
"""

from __future__ import annotations

import json
import re
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest

from kumite.cli import completing
from kumite.cli.log_commands import FORMS
from kumite.cli.saying import say
from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.log import Header
from kumite.core.log.lines import CHECK, chained, header_texts, step_text
from kumite.core.text import harmless, harmless_text
from kumite.serve import server, settings
from tests.support.commands import kumite
from tests.support.random_matches import walk

SIGNS: Final = [
    *map(chr, (*range(1, 0x0A), *range(0x0B, 0x20), 0x7F, *range(0x80, 0xA0))),  # C0, C1, but LF
    *map(chr, (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))),
    "\u2028",
    "\u2029",
]
EVIL: Final = f"ada\x1b]0;owned\x07\x1b[2J<b>&{''.join(SIGNS)}bob"
FILE: Final = "a\x1b[2J\u202e\rb\nok\x9b"  # no file has a NUL or a slash in its name
STEERING: Final = re.compile(f"[{re.escape(''.join(SIGNS).replace(chr(9), ''))}]")
SETUP: Final = Setup.of(GAMES["kuzushi"])


def hostile() -> str:
    """Return a log of which every text is hostile, and every check is right."""
    match = walk(SETUP, 1, longest=4)
    header = Header("ab12", SETUP, (EVIL, f"{EVIL}2"), extra=(f"later {EVIL}",))
    begin = f"begin {match.back(0).digest.hex()[:8]}"
    lines = [*header_texts(header), begin]
    made = written(lines, b"")
    texts = []
    for one in [*match.line()][1:]:
        texts += [step_text(one), f"say 0 {EVIL}", f"remark {one.number} {EVIL}", f"note {EVIL}"]
        texts.append(f"{EVIL} {EVIL}")
    texts.append("end resigned 1")
    return made + written(texts, match.back(0).digest)


def written(lines: list[str], chain: bytes) -> str:
    made = ""
    for line in lines:
        chain = chained(chain, line)
        made += f"{line} ~{chain.hex()[:CHECK]}\n"
    return made


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path / FILE))
    monkeypatch.setattr("kumite.cli.doctor.discovery", lambda: iter(()))
    monkeypatch.setattr("kumite.cli.doctor.discovery.__name__", "discovery", raising=False)
    (tmp_path / FILE).mkdir()
    path = tmp_path / FILE / f"{FILE}.kumite"
    path.write_text(hostile(), encoding="utf-8", newline="\n")
    path.with_stem(f"{FILE}2").write_text(hostile().replace("say 0", "say 1"), newline="\n")
    path.with_stem(f"{FILE}3").write_text(EVIL, newline="\n")
    path.with_suffix(".toml").write_text(f"ssh = '{EVIL}'", newline="\n")
    return path


COMMANDS: Final = """
log list; log list --json; log show LOG; record; log show LOG --json; log check LOG LOG2 LOG3
log check LOG LOG3 --json; log compare LOG LOG2; log analyse LOG --simulations 2
log repair LOG2 -o OUT; log review LOG --simulations 2; log merge LOG LOG2
log review LOG --simulations 2 --json; log import LOG; replay --text LOG; replay --plain LOG
watch --text LOG; resume --plain; resume --plain LOG3; branch --plain LOG
branch --plain LOG --at 2; record --name EVIL; record --json; puzzles make LOG LOG3; doctor
doctor --json; open EVIL; join EVIL EVIL; join --plain 127.0.0.1:9 EVIL; watch EVIL EVIL
tournament --plain --resume; tournament EVIL; demo --seats EVIL
host --plain --name EVIL --option EVIL; demo --option EVIL; play --plain --seats EVIL,ada
serve --settings TOML; serve --keys LOG3; arena kuzushi cmd:EVIL random
arena kuzushi random random --matches 1 --jobs 1 --results LOG
arena kuzushi random random --matches 1 --jobs 1 --results OUT; log proof LOG
log export LOG -o LOG; --theme EVIL play; log show LOG3; log export LOG -o OUT; log repair LOG
log compare LOG LOG; resume LOG3; play EVIL; EVIL; log EVIL; play --seats bot:EVIL
play --option EVIL; join EVIL; --EVIL; log show --EVIL; arena EVIL; watch EVIL
log export LOG --as EVIL
"""


def run(log: Path, command: str, typed: str = "") -> tuple[str, bytes]:
    there = {
        "LOG": log,
        "LOG2": log.with_stem(f"{FILE}2"),
        "LOG3": log.with_stem(f"{FILE}3"),
        "OUT": log.with_suffix(".out"),
        "TOML": log.with_suffix(".toml"),
    }
    args = [there.get(one, one.replace("EVIL", EVIL)) for one in command.split(" ")]
    done = kumite(*args, given=typed, status=None)
    return done.output, done.stdout_bytes  # on both ways, and on the first


def test_what_is_harmless_stays_as_it_is() -> None:
    text = "侍 é 🦊\n\t1. a\u0301"
    assert harmless_text(text) == text
    assert harmless(text) == text.replace("\n", "\ufffd")


def steers(text: str) -> list[str]:
    return [unicodedata.name(one, hex(ord(one))) for one in STEERING.findall(text)]


@pytest.mark.parametrize("command", COMMANDS.strip().replace("\n", "; ").split("; "))
def test_no_listing_steers_a_terminal_or_forges_a_line(log: Path, command: str) -> None:
    said, out = run(log, command)
    assert said
    assert not steers(said)
    assert not re.search(r"^ok", said.replace("ok  ", ""), re.MULTILINE), "a name made a line"
    if "--json" in command:
        json.loads(out)
        assert out.isascii()


def test_a_match_in_words_steers_no_terminal(log: Path) -> None:
    said, _ = run(log, "resume --plain LOG", "?\nlog\nhelp\n")
    assert not steers(said)


@pytest.mark.parametrize("form", FORMS)
def test_no_export_steers_a_terminal(log: Path, form: str) -> None:
    said, data = run(log, f"log export LOG --as {form}")
    if form == "gif":
        assert data.startswith(b"GIF89a")
        return
    assert not steers(said)
    assert "bob" in said or form == "line"
    match form:
        case "json":
            found = json.loads(said)
            assert any("\x1b" in line for line in found["history"])  # escaped, and kept
        case "cast":
            for line in said.splitlines():
                json.loads(line)
        case "svg" | "film":
            ElementTree.fromstring(said)
            assert "<b>" not in said
        case "html":
            tags: list[str] = []
            parser = HTMLParser()
            parser.handle_starttag = lambda tag, _: tags.append(tag)
            parser.feed(said)
            assert "b" not in tags


def test_what_a_server_tells_its_operator_is_a_line_each(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = server.Opened(settings.Settings(site=f"https://{EVIL}"), log, EVIL, None, None, None)
    said = []
    monkeypatch.setattr("click.echo", lambda text, err=False: said.append(text))
    for line in server.greeting(opened):
        say(line)
    assert said
    assert not steers("".join(said))


def test_no_completed_name_steers_a_shell(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert completing.logs(None, None, "") == []
    monkeypatch.setenv("KUMITE_LOGS", str(log.parent.parent))
    (log.parent.parent / "sound.kumite").write_text("")
    (found,) = completing.logs(None, None, "")
    assert found.endswith("/sound.kumite")
