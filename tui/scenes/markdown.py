"""Simple Markdown as lines: the rules pages and texts of screens."""

from __future__ import annotations

import re

from kumite.tui.scenes.lines import Line


def marked_down(text: str) -> tuple[Line, ...]:
    """Return a page in simple Markdown as lines, one per paragraph or list item."""
    lines: list[Line] = []
    in_code, paragraph = False, ""

    def close() -> None:
        nonlocal paragraph
        if paragraph:
            lines.append(_inline(paragraph))
        paragraph = ""

    for raw in text.splitlines():
        is_fence = raw.startswith("```")
        in_code ^= is_fence
        if not is_fence and in_code:
            lines.append((("    " + raw, "label"),))
        elif is_fence or not raw.strip():
            close()
            if lines and lines[-1]:
                lines.append(())
        elif raw.startswith("#"):
            close()
            lines.append(((raw.lstrip("# "), "title"),))
        else:
            if re.match(r"(-|\d+\.) ", raw):
                close()
            paragraph = f"{paragraph} {raw.strip()}".lstrip()
    close()
    return tuple(lines)


def _inline(raw: str) -> Line:
    spans: list[tuple[str, str]] = []
    for number, piece in enumerate(raw.split("`")):
        if number % 2:
            spans.append((piece, "key"))
            continue
        for inner, part in enumerate(re.split(r"\*{1,2}(?=\S)(.+?)(?<=\S)\*{1,2}", piece)):
            spans.append((part, "title" if inner % 2 else ""))
    return tuple(span for span in spans if span[0])
