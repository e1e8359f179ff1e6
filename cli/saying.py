"""What commands print: always harmless to a terminal, whatever a name, a file or a log holds."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress

import click

from kumite.core.text import harmless


def say(text: object = "", *, err: bool = False) -> None:
    """Print a text with a line end; what would steer a terminal is shown as U+FFFD."""
    click.echo(harmless(str(text)), err=err)


def say_json(value: object) -> None:
    """Print a value for programs: in ASCII, so that nothing in it steers a terminal."""
    click.echo(json.dumps(value))


def give_up(error: OSError) -> str:
    """Let standard output go, so that nothing more is tried at the end; return what to say."""
    if error.filename is not None:  # it is about a file, and standard output is sound
        return harmless(f"{error.filename}: {error.strerror}")
    with suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    return f"cannot write to standard output: {error.strerror}"
