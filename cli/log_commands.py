"""`kumite log …`: commands for saved matches. Each imports only what it needs."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from kumite.cli.arguments import FILE, FOLDER, NEWEST, PATH, PLAIN, CommandGroup, Seconds
from kumite.cli.look_options import look_options
from kumite.cli.proof import audited, is_table, proved, without_secrets
from kumite.cli.saying import say, say_json
from kumite.core.errors import KumiteError
from kumite.core.log import read, repaired
from kumite.core.origins import compare, merged_text, other_differences
from kumite.store import log_files
from kumite.store.library import Library
from kumite.store.whole_files import read_text, reason, write_new

if TYPE_CHECKING:
    from kumite.tui.bots.review import Review
    from kumite.tui.export.sheet import Paper
    from kumite.tui.play.replaying import Replay

FORMS: Final = ("text", "svg", "film", "gif", "html", "cast", "json", "line")
MOST_DATA: Final = 1 << 26  # bytes; the largest import
MOST_SIMULATIONS: Final = 10**8  # of a position: days in plain Python
CHECKING: Final = 0.5  # s for checking logs line by line in a list; the rest is checked later
EYES = click.option(
    "--eyes",
    default="",
    help="Whose: open, spectator, or a player: a name, or 1, 2 in the order of the seats.",
)
JSON = click.option("--json", "is_json", is_flag=True, help="Print it as JSON.")
SIMULATIONS = click.option(
    "--simulations",
    type=click.IntRange(1, MOST_SIMULATIONS),
    help="For each position, instead of the usual number.",
)
OUT = click.option("-o", "--output", "out", type=FILE, help="The new file to write.")


@click.group("log", cls=CommandGroup)
def log_group() -> None:
    """Look into saved matches."""


@log_group.command("list")
@click.argument("words", nargs=-1)
@click.option("--paths", "has_paths", is_flag=True, help="Also where each is saved.")
@JSON
def log_list(words: tuple[str, ...], has_paths: bool, is_json: bool) -> None:
    """List the saved matches that hold all WORDS, the newest first.

    Words of a game, a name, a date, how it ended. The numbers can be given as LOG: `kumite replay
    2`, `kumite log review 2`.
    """
    library = Library()
    library.read(seconds=CHECKING)
    numbers = {one.name: number for number, one in enumerate(library.newest_first(), start=1)}
    found = sorted(library.search(" ".join(words)), key=lambda one: numbers[one.name])
    if is_json:
        logs = [
            {**asdict(one), "path": str(library.path(one.name)), "when": one.when.isoformat()}
            for one in found
        ]
        say_json({"logs": logs, "problems": library.problems})
        return
    for one in found:
        said = f"{one.title}: {one.players}, {one.state}, {one.when:%Y-%m-%d %H:%M}"
        say(f"{numbers[one.name]}  {said}", *[f"    {library.path(one.name)}"] * has_paths)
    if not found and "" not in library.problems:
        say("no saved match holds these words" if words else "no match is saved yet", err=True)
    for name, why in sorted(library.problems.items()):
        if name:  # problems with the folder have been reported
            say(f"{library.path(name)}: {why}", err=True)


@log_group.command("check")
@click.argument("logs", type=PATH, nargs=-1, required=True)
@JSON
def log_check(logs: tuple[Path, ...], is_json: bool) -> None:
    """Verify every line, step, digest and audit; names the first bad line.

    Where the signed posts of a LAN table lie beside its log, everything is made again from them.
    The status is 1 if anything is wrong, or somebody has played false. A file that `kumite log
    proof` has written is checked by itself.
    """
    checked = [_checked(path) for path in logs]
    if is_json:
        say_json([asdict(one) for one in checked])
    else:
        for one in checked:
            where = f"{one.log}:{one.line}" if one.line else one.log
            say(f"{where}: {one.said}", err=not one.is_sound)
    raise SystemExit(0 if all(one.is_sound for one in checked) else 1)


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking one log."""

    log: str
    is_sound: bool
    said: str
    line: int | None = None  # the first damaged line
    steps: int | None = None
    end: str | None = None
    code: str | None = None  # of the error, if it cannot be read at all


def _checked(path: Path) -> Checked:
    try:
        if is_table(path):
            said, is_fair = proved(path)
            return Checked(str(path), is_fair, ", ".join(said))
        text, named = log_files.read_named(path)
        found = read(text)
    except KumiteError as error:
        return Checked(str(path), False, str(error), code=error.code)
    steps, end = found.match.number, found.end.kind if found.end else None
    if found.damage is not None:
        return Checked(str(path), False, found.damage.reason, found.damage.line, steps, end)
    said, is_fair = audited(path, found)
    parts = ("sound", f"{steps} steps", end or "not finished", *said, *named)
    return Checked(str(path), is_fair, ", ".join(parts), None, steps, end)


@log_group.command("empty")
def log_empty() -> None:
    """Empty the bin: delete for good what was deleted in the lists of matches and tournaments."""
    from kumite.net.transport import tournament_files

    count, tournaments = log_files.empty_bin(), tournament_files.empty_bin()
    more = f" and {tournaments} tournament{'s' * (tournaments != 1)}" if tournaments else ""
    say(f"{count} match{'es' * (count != 1)}{more} deleted for good")


@log_group.command("proof")
@click.argument("log", type=PATH)
@OUT
def log_proof(log: Path, out: Path | None) -> None:
    """Write all that was signed in a LAN match, without secrets, for others to check.

    The table's file beside LOG has the secrets of whoever kept it; this one may be mailed.
    """
    _write(without_secrets(log), log.with_suffix(".proof") if out is None else out)


@log_group.command("show")
@click.argument("log", type=PATH)
@EYES
@JSON
def log_show(log: Path, eyes: str, is_json: bool) -> None:
    """Tell a saved match in words."""
    from kumite.cli.printing import print_log

    if is_json:
        from kumite.tui.export.data import data
        from kumite.tui.play.replaying import Replay

        say_json(data(Replay(log_files.load(log), eyes)))
        return
    print_log(log_files.load(log), eyes)


@log_group.command("analyse")
@click.argument("log", type=PATH, default=NEWEST)
@EYES
@SIMULATIONS
@JSON
def log_analyse(log: Path, eyes: str, simulations: int | None, is_json: bool) -> None:
    """Let a bot judge every position of LOG.

    Prints the number of each step, what the position after it is worth to these eyes (else to the
    first seat), the best step there, and what was done; then the choices that cost most, which are
    looked at again. It is kept beside the logs, so that a second time takes no time. Kiri-ai's best
    step is the likeliest of a lottery.
    """
    from kumite.tui.bots.evaluation import Values, table
    from kumite.tui.bots.judging import simulations_here
    from kumite.tui.bots.review import Review
    from kumite.tui.play.replaying import Replay

    replay = Replay(log_files.load(log), eyes)
    match, by = replay.line[-1], replay.eyes.by
    values = Values(match, by, simulations or simulations_here(match))
    review = Review(match, by, frozenset(), values=values)
    if not values.asked:
        raise KumiteError("from these eyes no position can be judged", hint="--eyes: a seat's")
    _look_back(review, replay.log.header.match_id)
    if is_json:
        judged = {str(number): asdict(one) for number, one in values.judged.items()}
        say_json({"match": replay.log.header.match_id, "judged": judged})
        return
    with suppress(BrokenPipeError):
        marks = (one.said(replay.names) for one in review.marks)
        say(*table(values, replay.names, replay.told), *marks)


@log_group.command("review")
@click.argument("log", type=PATH, default=NEWEST)
@EYES
@SIMULATIONS
@JSON
@PLAIN
@click.pass_context
def log_review(
    ctx: click.Context, log: Path, eyes: str, simulations: int | None, is_json: bool, is_plain: bool
) -> None:
    """Look back at LOG: how well each player chose, and where it turned.

    Prints each player's accuracy and errors, then up to three choices that cost most: what was
    played, what was better, and why; with --plain you try each again first. `kumite branch` goes
    on from before such a step. What a bot says of the positions is kept beside the logs, so that a
    second time takes no time.
    """
    from kumite.tui.bots.judging import simulations_here
    from kumite.tui.play import reviewed
    from kumite.tui.play.replaying import Replay

    replay = Replay(log_files.load(log), eyes)
    review = reviewed.of_replay(replay, simulations or simulations_here(replay.line[-1]))
    if not review.count:
        raise KumiteError("from these eyes no choice can be judged", hint="--eyes: a seat's")
    if is_plain and not is_json:
        from kumite.cli import line_mode

        line_mode.review(ctx, replay, review)
        return
    _look_back(review, replay.log.header.match_id)
    if is_json:
        say_json({"match": replay.log.header.match_id, **reviewed.review_data(review)})
        return
    with suppress(BrokenPipeError):
        say(*reviewed.review_text(review, replay.names))


def _look_back(review: Review, match_id: str) -> None:
    """Judge a match, with a progress bar."""
    from kumite.tui.bots.judging import look_back_at_all

    with click.progressbar(length=review.count, label="judging", file=sys.stderr) as bar:
        look_back_at_all(
            review, match_id, lambda: bar.update((review.done - bar.pos) * (not review.briefly))
        )


# --- Other forms ------------------------------------------------------------------------------


@log_group.command("export")
@click.argument("log", type=PATH)
@click.option("--as", "form", type=click.Choice(FORMS), default="text", help="The form.")
@EYES
@click.option("--at", "number", type=int, help="svg, line: up to which step.")
@click.option("--seconds", type=Seconds(0.01, 60), default=1.0, help="cast, film, gif: a step.")
@OUT
@look_options
@click.pass_context
def log_export(
    ctx: click.Context,
    log: Path,
    form: str,
    eyes: str,
    number: int | None,
    seconds: float,
    out: Path | None,
) -> None:
    """Make a page, a picture or data of LOG.

    text: every position; svg: a picture of one; film: a picture that plays the match, for a README;
    gif: the same as a GIF (needs Pillow); html: a page that replays the match in a browser; cast: a
    recording for asciinema; json: the data, which `log import` reads back; line: one line for a
    chat, which `kumite open` opens.

    Without -o it goes to standard output.
    """
    from kumite.tui.export.sheet import Paper
    from kumite.tui.look import colors, glyphs
    from kumite.tui.look.sprites import DEFAULT, usable
    from kumite.tui.play.replaying import Replay

    replay = Replay(log_files.load(log), eyes)
    said = ctx.find_root().ensure_object(dict)
    palette = colors.read(said.get("theme") or colors.DEFAULT).of(replay.makes.game.ID)
    look = glyphs.choose(said.get("glyphs") or ("auto" if form == "text" else "letters"))
    skin, broken = usable(said.get("skin") or DEFAULT)
    for one in broken:
        say(f"{one}; our own is drawn", err=True)
    if form == "gif" and out is None and sys.stdout.isatty():
        raise KumiteError("a terminal cannot show a GIF", hint="-o FILE.gif")
    at = replay.last if number is None else number
    if not 0 <= at <= replay.last:
        raise KumiteError(f"there is no step {at}", hint=f"--at: a number from 0 to {replay.last}")
    if form == "line":
        from kumite.tui.export.text import line_of

        _write(line_of(replay, at, is_meant=bool(eyes)) + "\n", out)
        return
    _write(_exported(replay, form, Paper.of(look, palette, skin), at, seconds), out)


def _exported(replay: Replay, form: str, paper: Paper, at: int, seconds: float) -> str | bytes:
    """Return a match in an export format: text, or the bytes of a GIF.

    Raises:
        KumiteError: a GIF needs Pillow, which is not installed.
    """
    if form == "gif":
        return _gif(replay, paper, seconds)
    if form == "svg":
        from kumite.tui.export.svg import picture

        return picture(replay, at, paper)
    if form == "film":
        from kumite.tui.export.film import film

        return film(replay, paper, seconds)
    if form == "html":
        from kumite.tui.export.html import page

        return page(replay, paper)
    if form == "cast":
        from kumite.tui.export.cast import recording

        return "\n".join(recording(replay, paper, seconds)) + "\n"
    if form == "json":
        from kumite.tui.export.data import data_text

        return data_text(replay)
    from kumite.tui.export.text import frames

    return "\n".join(frames(replay, paper.look)) + "\n"


def _gif(replay: Replay, paper: Paper, seconds: float) -> bytes:
    try:
        from kumite.tui.export.gif import gif
    except ImportError as error:
        if error.name != "PIL":
            raise
        hint = 'install it: pip install "kumite[gif]"; --as film moves as well, and needs nothing'
        raise KumiteError("a GIF needs Pillow", hint=hint) from None
    return gif(replay, paper, seconds)


@log_group.command("import")
@click.argument("data", type=FILE)
@click.option("--into", type=FOLDER, help="The folder.")
def log_import(data: Path, into: Path | None) -> None:
    """Make logs of the matches in DATA (JSON).

    It is what `export --as json` writes; docs/log-format.md names the fields.
    """
    from kumite.tui.export.data import texts_in

    try:
        text = read_text(data, MOST_DATA)
    except OSError as error:
        raise KumiteError(f"cannot read {data}: {reason(error)}") from error
    ids = iter(log_files.new_match_id, "")
    texts = list(texts_in(text, ids))  # all are valid, or none is imported
    folder = log_files.folder() if into is None else into
    for number, (header, made) in enumerate(texts, start=1):
        name = (
            f"{data.stem}-{number}-{header.setup.game.ID}-{header.match_id[:6]}{log_files.SUFFIX}"
        )
        _write(made, folder / name)


# --- Several logs -----------------------------------------------------------------------------


@log_group.command("repair")
@click.argument("log", type=PATH)
@OUT
def log_repair(log: Path, out: Path | None) -> None:
    """Save what is sound of a damaged LOG.

    It goes into a new file; the damaged one stays as it is. Steps behind a broken line are kept
    where their digests prove them.
    """
    text = log_files.read_text(log)
    with log_files.naming(log):
        made, damage = repaired(text), read(text).damage
    if made is None or damage is None:
        steps = read(text).match.number
        say(f"{log}: sound, {steps} steps; there is nothing to repair")
        return
    target = log.with_name(f"{log.stem}-repaired{log.suffix}") if out is None else out
    say(f"{log}:{damage.line}: {damage.reason}", err=True)
    _write(made.text, target)
    for number in made.guessed:
        say(f"step {number} was found again by the digest of the next one")
    if made.lost:
        say(f"left out: line {', '.join(map(str, made.lost))}")
    if made.unproved:
        say(f"kept, but proved by nothing: {made.unproved} lines of words")
    say(f"{made.match.number} steps are sound")


@log_group.command("compare")
@click.argument("one", type=PATH)
@click.argument("two", type=PATH)
def log_compare(one: Path, two: Path) -> None:
    """Name the first thing in which two logs differ.

    The exit status is 0 if they tell the same match, 1 if they differ, 2 if one cannot be read.
    Names, talk and remarks are no difference of the match, and told as well; what only one of them
    may see is none.
    """
    logs = [log_files.load(path) for path in (one, two)]
    damaged = [(path, log.damage) for path, log in zip((one, two), logs, strict=True) if log.damage]
    for path, damage in damaged:
        say(f"{path}:{damage.line}: {damage.reason}", err=True)
    found, beside = compare(*logs), other_differences(*logs)
    if found is None:
        say(f"the same match, {logs[0].match.number} steps")
        for said in beside:
            say(f"but not the same {said}")
        raise SystemExit(1 if damaged else 0)
    where = "header" if found.number is None else f"step {found.number}"
    say(f"{where}: {found.field}")
    for path, said in ((one, found.one), (two, found.two)):
        say(f"  {path}: {said or 'nothing'}")
    raise SystemExit(1)


@log_group.command("merge")
@click.argument("one", type=PATH)
@click.argument("two", type=PATH)
@OUT
def log_merge(one: Path, two: Path, out: Path | None) -> None:
    """Join two terminals' logs of a match.

    The new log holds all that either has seen. If nothing is hidden then, it is complete.
    """
    text = merged_text(log_files.load(one), log_files.load(two))
    _write(text, one.with_name(f"{one.stem}-merged{one.suffix}") if out is None else out)
    found = read(text)
    hidden = "nothing is hidden" if found.header.by is None else "some things stay hidden"
    say(f"{found.match.number} steps, {hidden}")


def _write(made: str | bytes, out: Path | None) -> None:
    """Write a new file, or to standard output; never overwrite a file.

    Raises:
        KumiteError: the file cannot be written, or exists already.
    """
    if out is None:
        with suppress(BrokenPipeError):
            if isinstance(made, bytes):
                sys.stdout.buffer.write(made)
            else:
                sys.stdout.write(made)
            sys.stdout.flush()
        return
    try:
        write_new(out, made if isinstance(made, bytes) else made.encode("utf-8", "replace"))
    except FileExistsError:
        raise KumiteError(f"{out} is there already", hint="-o names another file") from None
    except OSError as error:
        raise KumiteError(f"cannot write {out}: {reason(error)}", hint="-o FILE") from error
    say(f"written: {out}", err=True)
