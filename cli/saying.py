"""Output of commands, with control characters removed from names, files and logs."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress

import click

from kumite.core.text import broken_at_words, harmless
from kumite.store.system import columns
from kumite.store.whole_files import reason


def say(*lines: object, err: bool = False) -> None:
    """Print lines (none: an empty line), with control characters shown as U+FFFD.

    In a terminal they are broken at words.
    """
    width = columns()
    click.echo("\n".join(broken_at_words(harmless(str(line)), width) for line in lines), err=err)


def say_json(value: object) -> None:
    """Print JSON in ASCII, so that it contains no control sequences."""
    click.echo(json.dumps(value))


def give_up(error: OSError) -> str:
    """Redirect broken standard output to null, so that exiting cannot fail; return the message."""
    if error.filename is not None:  # the error is about a file, and standard output works
        return harmless(f"{error.filename}: {reason(error)}")
    with suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    return f"cannot write to standard output: {error.strerror}"
