"""Whole numbers that a kernel's file defines once, for good: their values can be replaced where they stand.

Only what a person could edit with the same effect: an object-like macro or a constant outside of functions, defined
once, under no condition, with a decimal literal. Lines stay where they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from gemmviz.catalogue.kernel_functions import plain_text
from gemmviz.catalogue.languages.row import LanguageError

_CONDITION = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|endif)\b", re.MULTILINE)
_MACRO = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>[A-Za-z_]\w*)[ \t]+\(?[ \t]*(?P<value>\d+)[uU]?[ \t]*\)?[ \t]*\r?$",
    re.MULTILINE,
)
_TYPE = r"(?:unsigned(?:\s+int)?|int|std::size_t|size_t|u?int32_t|auto)"
_CONSTANT = re.compile(
    rf"(?P<head>\b(?:(?:static|inline|constexpr|const|__device__|__constant__)\s+)+{_TYPE}(?:\s+const)?)\s+"
    r"(?P<list>\w+\s*=\s*\d+[uU]?\s*(?:,\s*\w+\s*=\s*\d+[uU]?\s*)*);"
)
_DECLARATOR = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*=\s*(?P<value>\d+)")
_SCOPE = re.compile(r"(?:\bnamespace\b[\w:\s]*|\bextern\s*)\Z")


@dataclass(frozen=True, slots=True)
class FileConstant:
    """A constant of a file: its value, how its definition begins ("#define TILE", "constexpr int BM"), its line, and
    the place of its literal in the text.
    """

    name: str
    value: int
    words: str
    line: int
    start: int
    end: int


def file_constants(text: str) -> dict[str, FileConstant]:
    """The constants of a file whose values can be replaced, by name."""
    quiet = plain_text(text)
    inside = _conditional(quiet)
    found = [one for one in (*_macros(text, quiet), *_declared(text, quiet)) if not inside[one.start]]
    return {one.name: one for one in found if _is_defined_once(one, quiet)}


def with_values(text: str, values: Mapping[str, int]) -> str:
    """The text with other values of its constants; names that are none of `file_constants` change nothing."""
    known = file_constants(text) if values else {}
    for one in sorted((known[name] for name in values if name in known), key=lambda one: -one.start):
        text = f"{text[: one.start]}{values[one.name]}{text[one.end :]}"
    return text


def name_in(words: str) -> str:
    """The name in the words of a FileConstant; "" where there is none."""
    return words.rpartition(" ")[2]


def replaced_constants(words: Sequence[str], text: str, takers: Mapping[str, object]) -> dict[str, FileConstant]:
    """The constants of a text that a description replaces, by name: their words are `words`. `takers` are the tables of
    the parameters, and the texts of the defines, that take their place.

    Raises:
        LanguageError: a constant is not there, or nothing takes its place.
    """
    known, found = file_constants(text) if words else {}, dict[str, FileConstant]()
    for begins in words:
        name = name_in(begins)
        if name not in known or known[name].words != begins:
            there = f"; it has {known[name].words!r}" if name in known else ""
            raise LanguageError(
                f"the file does not define {begins!r} once, under no condition and with a whole number{there}: "
                "describe the kernel again, or correct 'replaces'"
            )
        if name not in takers:
            raise LanguageError(
                f"nothing takes the place of {begins!r}: add [params.{name}], or leave it out of 'replaces'"
            )
        found[name] = known[name]
    for name, one in found.items():
        taker = takers[name]
        choices = taker.get("choices") if isinstance(taker, dict) and "default" not in taker else None
        if isinstance(choices, list) and one.value not in choices:
            known_values = ", ".join(map(str, choices))
            raise LanguageError(
                f"line {one.line} gives {name} the value {one.value}, and its choices are {known_values}: "
                f"add it to [params.{name}], or describe the kernel again"
            )
        leader = found.get(taker) if isinstance(taker, str) else None
        if leader is not None and leader.value != one.value:  # somebody edited one of them: it would have no effect
            raise LanguageError(
                f"line {one.line} gives {name} the value {one.value}, but it has that of {leader.name} always, "
                f"{leader.value} in line {leader.line}: give both the same value, or describe the kernel again"
            )
    return found


def _macros(text: str, quiet: str) -> Iterator[FileConstant]:
    for one in _MACRO.finditer(quiet):
        yield _constant(text, one, 0, f"#define {one['name']}")


def _declared(text: str, quiet: str) -> Iterator[FileConstant]:
    depths = _depths(quiet)
    for statement in _CONSTANT.finditer(quiet):
        head = " ".join(statement["head"].split())
        if depths[statement.start()] or not re.search(r"\bconst(?:expr)?\b", head):
            continue
        for one in _DECLARATOR.finditer(statement["list"]):
            yield _constant(text, one, statement.start("list"), f"{head} {one['name']}")


def _constant(text: str, match: re.Match[str], offset: int, words: str) -> FileConstant:
    start, end = (place + offset for place in match.span("value"))
    return FileConstant(match["name"], int(match["value"]), words, text.count("\n", 0, start) + 1, start, end)


def _is_defined_once(one: FileConstant, quiet: str) -> bool:
    """Whether nothing else in the file gives the name another meaning."""
    macros = len(re.findall(rf"#[ \t]*(?:define|undef)[ \t]+{one.name}\b", quiet))
    if one.words.startswith("#"):
        return macros == 1
    declared = rf"(?:\b{_TYPE}|\b(?:long|short|char|float|double|bool|typename|class))(?:\s+const)?\s+{one.name}\b"
    in_lists = rf",\s*{one.name}\s*=(?!=)"
    return macros == 0 and len(re.findall(f"{declared}|{in_lists}", quiet)) == 1


def _conditional(quiet: str) -> list[bool]:
    """Whether each character lies under an #if."""
    steps = [0] * (len(quiet) + 1)
    for one in _CONDITION.finditer(quiet):
        steps[one.start()] += -1 if one[1] == "endif" else 1
    return [depth > 0 for depth in accumulate(steps)]


def _depths(quiet: str) -> list[int]:
    """In how many braces each character lies, those of namespaces not counted."""
    steps, opened = [0] * (len(quiet) + 1), list[int]()
    for one in re.finditer(r"[{}]", quiet):
        if one[0] == "{":
            opened.append(0 if _SCOPE.search(quiet, max(0, one.start() - 200), one.start()) else 1)
            steps[one.start()] += opened[-1]
        elif opened:
            steps[one.end()] -= opened.pop()
    return [*accumulate(steps)]
