"""What describes a kernel file: TOML in its leading comment or in a file beside it, read and complained about with its
line.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gemmviz.catalogue.complaints import not_toml, value_words

_FENCES = {**dict.fromkeys((".cu", ".cuh", ".cl", ".ptx"), ("/*---", "---*/")), ".py": ('"""---', '---"""')}
_TABLE = re.compile(r"""\s*\[\[?([\w."' -]+)\]\]?\s*(?:#.*)?""")
_ASSIGNED = re.compile(r"""\s*([\w."' -]+?)\s*=(?!=)""")
_TOML_LINE = re.compile(r"\(at line (\d+), column \d+\)")

MOST_CHARACTERS = 2**15
LONGEST_LINE = 1000
"""Of a header. Reading TOML takes time with the square of the parts of a dotted key, and a key ends with its line."""

_LONGEST_REASON = 500

SUFFIXES = tuple(_FENCES)


class HeaderError(ValueError):
    """A kernel file whose header is missing or wrong: `path:line: reason`, without a line (0) for the file itself.

    `is_adoptable`: nothing describes the file, and what its kernels compute can be found out (`gemmviz adopt`). `key`
    is the key of the description that is wrong, "" where it is none, and `part` the text in its list. `is_of_options`:
    options gave it, and no file did.
    """

    def __init__(
        self,
        path: Path,
        line: int,
        reason: str,
        *,
        is_adoptable: bool = False,
        key: str = "",
        part: str = "",
        is_of_options: bool = False,
    ) -> None:
        reason = reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]} …"
        super().__init__(f"{path}:{line}: {reason}" if line else f"{path}: {reason}")
        self.path = path
        self.line = line
        self.reason = reason
        self.is_adoptable = is_adoptable
        self.key = key
        self.part = part
        self.is_of_options = is_of_options


class MissingHeaderError(HeaderError):
    """A kernel file that begins with no header."""


@dataclass(frozen=True, slots=True)
class Header:
    """The tables that describe a kernel file. `path` is the file that their TOML `text` is in, `first_line` the line it
    begins on, 0 where it is in no file. `is_beside`: it is not in the kernel file itself.
    """

    path: Path
    text: str
    first_line: int
    values: dict[str, Any]
    is_beside: bool = False

    @property
    def what(self) -> str:
        """What a person calls it."""
        return "description" if self.is_beside else "header"

    def table(self, name: str) -> dict[str, Any]:
        """The table of that name, empty where it is missing.

        Raises:
            HeaderError: it is no table.
        """
        value = self.values.get(name, {})
        if not isinstance(value, dict):
            raise self.fault(name, f"{name!r} must be a table, not {value_words(value)}: write [{name}]")
        return value

    def fault(self, key: str, reason: str, part: str = "") -> HeaderError:
        """An error at the line of `key`, written "table.key" inside a table; if it is missing, at its table's line,
        and without a table at the first line. `part` is the text that is wrong in a list over several lines.
        """
        return HeaderError(self.path, self._line_of_part(key, part), reason, key=key, part=part)

    def place_of(self, key: str, part: str = "") -> str:
        """Where `key` stands, "sgemm.cu.toml:4", or what would hold it if it is missing, or one `part` of its list; ""
        where it is in no file.
        """
        return f"{self.path}:{self._line_of_part(key, part)}" if self.first_line else ""

    def _line_of_part(self, key: str, part: str) -> int:
        line = self._line_of(key)
        lines = self.text.splitlines()[line - self.first_line :] if line and part else []
        found = (number for number, words in enumerate(lines, line) if f'"{part}"' in words or f"'{part}'" in words)
        return next(found, line)

    def _line_of(self, key: str) -> int:
        """The line of what names most of the key: itself, written in any way that TOML has, or a table around it."""
        if not self.first_line:
            return 0
        wanted, table, best = key.split("."), list[str](), (0, self.first_line)
        for number, line in enumerate(self.text.splitlines(), self.first_line):
            if head := _TABLE.fullmatch(line):
                table = found = _parts(head[1])
            elif assigned := _ASSIGNED.match(line):
                found = [*table, *_parts(assigned[1])]
            else:
                continue
            if found == wanted[: len(found)] and len(found) > best[0]:
                best = (len(found), number)
        return best[1]


def _parts(dotted: str) -> list[str]:
    return [part.strip().strip("\"'") for part in dotted.split(".")]


def read_header(path: Path, text: str) -> Header:
    """The header of a kernel file.

    Raises:
        MissingHeaderError: there is none.
        HeaderError: it does not end, or it is not TOML.
    """
    opening, closing = _FENCES[path.suffix]
    body = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    start = len(body) - len(body.lstrip())
    line = body[:start].count("\n") + 1
    if not body[start:].startswith(opening):
        beside = f", or {beside_file(path).name} must lie beside it"
        reason = f"no header: the file must begin with {opening}, a TOML header and {closing}{beside}"
        raise MissingHeaderError(path, line, reason)
    end = body.find(closing, start)
    if end < 0:
        raise HeaderError(path, line, f"the header that begins with {opening} never ends: {closing} is missing")
    toml = body[start + len(opening) : end]
    return Header(path, toml, line, _tables(path, line, toml, "the header"))


def has_header(path: Path, text: str) -> bool:
    """Whether a kernel file begins as one with a header does."""
    return text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").lstrip().startswith(_FENCES[path.suffix][0])


def beside_file(path: Path) -> Path:
    """The file beside a kernel file that may describe it: `sgemm.cu.toml` beside `sgemm.cu`."""
    return path.with_name(f"{path.name}.toml")


def read_description(path: Path, toml: str, *, is_file: bool = True) -> Header:
    """A description that is not in the kernel file: the text of the file at `path`, or without `is_file` one that was
    made for the kernel file at `path`.

    Raises:
        HeaderError: it is not TOML, or too long.
    """
    line = 1 if is_file else 0
    return Header(path, toml, line, _tables(path, line, toml, "the description"), is_beside=True)


def _tables(path: Path, line: int, toml: str, what: str) -> dict[str, Any]:
    _check_size(path, line, toml, what)
    try:
        return tomllib.loads(toml.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        at = _TOML_LINE.search(str(error))
        offset = int(at[1]) - 1 if at else 0
        reason = _TOML_LINE.sub("", str(error)).strip()
        lines = toml.split("\n")
        help_words = not_toml(lines[min(offset, len(lines) - 1)], reason)
        raise HeaderError(path, line and line + offset, f"{what} is not TOML: {reason}. {help_words}") from error
    except RecursionError as error:
        raise HeaderError(path, line, f"{what} is nested too deeply") from error
    except ValueError as error:  # a number of thousands of digits
        raise HeaderError(path, line, f"{what} cannot be read: {error}") from error


def _check_size(path: Path, line: int, toml: str, what: str) -> None:
    if len(toml) > MOST_CHARACTERS:
        raise HeaderError(path, line, f"{what} has {len(toml)} characters: at most {MOST_CHARACTERS} are read")
    for number, words in enumerate(toml.split("\n"), line):
        if len(words) > LONGEST_LINE:
            at = number if line else 0
            raise HeaderError(path, at, f"a line of {what} has more than {LONGEST_LINE} characters: break it")
