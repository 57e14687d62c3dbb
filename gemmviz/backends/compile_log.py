"""A compiler's log in the words of the original file."""

from __future__ import annotations

import re
from pathlib import Path

_PLACE = re.compile(r"(?:^|\s)(?P<file>[^\s:]+):(?P<line>\d+):(?P<column>\d+)(?:\s*<Spelling=[^>]*>)?:\s*(?P<text>.*)")


def first_error(log: str, path: Path) -> str:
    """`path:line:column: message` of the first error in `log`; the log's first words where it names no line.

    Lines are the original file's because the translated source says so by `#line`. Further errors are counted.
    """
    errors = []
    for line in log.splitlines():
        if "error" not in line:
            continue
        match = _PLACE.search(line)
        if match is None:
            continue
        text = match["text"].removeprefix("error:").removeprefix("fatal error:").strip()
        errors.append(f"{path}:{match['line']}:{match['column']}: {text}")
    if not errors:
        words = " ".join(log.split())
        return f"{path}: does not compile: {words[:300] or 'the compiler gives no reason'}"
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return errors[0] + more
