"""Completion where click's own fails: bash splits words at `:` and `=`, click's fish at `,`.

A value typed as `--theme=d` keeps its option; click returns the value alone.
"""

from __future__ import annotations

import os
import re
from typing import ClassVar, Final

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

_BASH: Final = r"""%(complete_func)s() {
    local IFS=$'\n' found type value
    found=$(COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_BREAKS="$COMP_WORDBREAKS" \
        %(complete_var)s=bash_complete "$1")
    COMPREPLY=()
    while IFS=, read -r type value; do
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done <<< "$found"
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""
_FISH: Final = r"""function %(complete_func)s
    set -l found (env %(complete_var)s=fish_complete COMP_WORDS=(commandline -cp | string collect) \
        COMP_CWORD=(commandline -ct | string collect --allow-empty) %(prog_name)s)
    for one in $found
        set -l part (string split --max 1 "," -- $one)
        switch $part[1]
            case dir
                __fish_complete_directories $part[2]
            case file
                __fish_complete_path $part[2]
            case plain
                echo $part[2]
        end
    end
end
complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s)"
"""
_PLAIN: Final = re.compile(r"([^\w@%+=:,./~-])")  # the others are escaped in an unquoted word


def _option(typed: str) -> str:
    """Return the option in front of a value: `--theme=` of `--theme=d`."""
    found = re.match("--[a-z-]+=", typed)
    return found[0] if found else ""


class Bash(BashComplete):
    """Returns what replaces the last part of a word, which is where readline begins."""

    source_template: ClassVar[str] = _BASH
    _typed = ""
    _is_quoted = False

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ["COMP_LINE"]
        words = split_arg_string(line)
        if not line[-1:].strip() and len(split_arg_string(f"{line}x")) > len(words):
            words.append("")  # the cursor stands behind a space
        self._is_quoted = bool(re.search(r"""(^|\s)['"][^\s'"]*$""", line))
        self._typed = words[-1].removeprefix(_option(words[-1]))
        return words[1:-1], words[-1]

    def format_completion(self, item: CompletionItem) -> str:
        if self._is_quoted:
            return f"{item.type},{item.value}"
        breaks = os.environ["COMP_BREAKS"]
        done = max((at + 1 for at, one in enumerate(self._typed) if one in breaks), default=0)
        value = _PLAIN.sub(r"\\\1", item.value[done:])
        return f"{item.type},{value}"


class _Whole(ShellComplete):
    """Returns whole words, also with the option in front of a value."""

    _before = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, typed = super().get_completion_args()
        self._before = _option(typed)
        return args, typed

    def format_completion(self, item: CompletionItem) -> str:
        if item.type == "plain":
            item.value = f"{self._before}{item.value}"
        return super().format_completion(item)


class Zsh(_Whole, ZshComplete):
    """Uses click's script."""


class Fish(_Whole, FishComplete):
    """Splits a line at its first comma only."""

    source_template: ClassVar[str] = _FISH


for _shell in (Bash, Zsh, Fish):
    add_completion_class(_shell)
