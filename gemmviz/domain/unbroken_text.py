"""Which spaces of a text no line ends at: those within an index, "C[0–15,0–15]", before a unit, "812 µs", and before a
short last word.
"""

from __future__ import annotations

import re

_SPACE, _JOINER = "\N{NO-BREAK SPACE}", "\N{WORD JOINER}"
_INDEX = re.compile(r"(?<=\w)\[[^\[\]\n]{1,40}\]")
_BEFORE_UNIT = re.compile(
    r"(?<=\d) (?=(?:s|ms|µs|ns|B|KiB|MiB|GiB|TiB|bytes?|[kMGT]?B/s|[MGTP]?FLOP/s|[MG]?Hz|W|%|°C)(?![\w/]))"
)
_BEFORE_LAST = re.compile(r"(?<= )(\S{1,16}) (?=\S{1,16}\Z)")


def with_unbroken_spaces(text: str) -> str:
    """The text, as long as before, with spaces that keep an index together, and a number with its unit."""
    return _BEFORE_UNIT.sub(_SPACE, _INDEX.sub(lambda index: index[0].replace(" ", _SPACE), text))


def unbroken(text: str) -> str:
    """The same, and no line ends at a dash within an index: there a character without width is added."""
    return _INDEX.sub(lambda index: index[0].replace("–", f"–{_JOINER}"), with_unbroken_spaces(text))


def without_lone_word(text: str) -> str:
    """The same, and the last of three or more words has no line for itself, unless it or the one before is long."""
    return _BEFORE_LAST.sub(rf"\1{_SPACE}", unbroken(text))


def with_plain_spaces(text: str) -> str:
    """The text that `unbroken` or `without_lone_word` was given."""
    return text.replace(_SPACE, " ").replace(_JOINER, "")


def words_of(text: str) -> list[str]:
    """What stands between the places at which a line may end, as it was given."""
    return [with_plain_spaces(word) for word in unbroken(text).split(" ")]
