"""Which kernels a source file has, by their names: what can be the entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gemmviz.catalogue.complaints import did_you_mean

_SILENT = re.compile(
    r"""/\*.*?(?:\*/|\Z) | //[^\n]* | "(?:\\.|[^"\\\n])*" | (?<![\w'])'(?:\\.|[^'\\\n])*'""", re.VERBOSE | re.DOTALL
)
_HEAD = (
    r"(?:__global__|\b__kernel\b|\bkernel\b)[^;{}()]{0,300}(?:\((?:[^()]|\((?:[^()]|\([^()]{0,200}\)){0,200}\)){0,300}\)[^;{}()]{0,300}){0,3}?"
    r"\b(?P<name>[A-Za-z_]\w{0,200})\s{0,100}\((?P<parameters>(?:[^(){};]|\([^()]{0,300}\)){0,4000})\)\s{0,100}"
    r"(?:__launch_bounds__\s*\([^()]{0,300}\)\s{0,100})?"
)
"""Every part has a bound, so that no text takes long."""
_KERNEL = re.compile(rf"{_HEAD}\{{")
_DECLARED = re.compile(rf"{_HEAD}[{{;]")
_INCLUDED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"|[A-Za-z_])', re.MULTILINE)
_MOST_NAMED = 20
MOST_READ = 1_000_000
"""Characters of a source that are looked at."""
_TEMPLATE = re.compile(r"\btemplate\s{0,100}<((?:[^<>;{}]|<[^<>;{}]{0,300}>){0,2000})>")


_BEFORE_HEAD = re.compile(r"[;{}]|^[ \t]*\#(?:\\\n|[^\n])*$", re.MULTILINE)
"""What ends before a definition begins: another one, or a line for the preprocessor."""


@dataclass(frozen=True, slots=True)
class KernelHead:
    """Where a kernel is declared in a text: from `start` to `end`, behind the brace of its body where it has one.
    `parameters` are where its parameters begin and end.
    """

    name: str
    start: int
    name_at: int
    parameters: tuple[int, int]
    end: int
    has_body: bool


def kernel_heads(plain: str) -> Iterator[KernelHead]:
    """Every kernel that a text without comments declares, in their order."""
    for match in _DECLARED.finditer(plain):
        has_body = match[0].endswith("{")
        yield KernelHead(
            match["name"], match.start(), match.start("name"), match.span("parameters"), match.end(), has_body
        )


def kernel_functions(text: str) -> tuple[str, ...]:
    """The names of the kernels that a CUDA C or OpenCL C source defines, in their order, each once; macros are not
    expanded.
    """
    return tuple(dict.fromkeys(match["name"] for match in _KERNEL.finditer(plain_text(text))))


def why_no_kernel(text: str, entry: str) -> str:
    """Why a source has no kernel of that name, with those that it has; "" where it has one, or may: a name that macros
    put together, or that a file beside it brings, is in no text. A source without kernels is left to its compiler.
    """
    plain, name = plain_text(text), entry.partition("<")[0].rpartition("::")[2].strip()
    is_elsewhere = "##" in plain or _INCLUDED.search(text[:MOST_READ]) or len(text) > MOST_READ
    if is_elsewhere or not name.isidentifier() or re.search(rf"\b{name}\b", plain):
        return ""
    found = kernel_functions(text)
    if not found:
        return ""
    more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
    there = f"it defines {', '.join(found[:_MOST_NAMED])}{more}"
    return f"the entry {entry!r} is not in the file; {there}{did_you_mean(name, found)}"


def line_of_kernel(text: str, entry: str) -> int:
    """The line that names a kernel of a source, given with or without its namespace and template arguments; 0 where
    that is not found.
    """
    plain = plain_text(text)
    match = _definition(plain, entry)
    return plain.count("\n", 0, match.start("name")) + 1 if match is not None else 0


def line_of_signature(text: str, entry: str) -> int:
    """The line with which the definition of a kernel begins, with the parameters of its template; 0 where that is not
    found.
    """
    plain = plain_text(text)
    match = _definition(plain, entry)
    if match is None:
        return 0
    before = plain[: match.start()]
    since = before[max((found.end() for found in _BEFORE_HEAD.finditer(before)), default=0) :]
    return before.count("\n", 0, len(before) - len(since.lstrip())) + 1


def parameter_names(text: str, entry: str) -> tuple[str, ...]:
    """What a source calls the parameters of a kernel, in their order; () where that is not found."""
    plain = plain_text(text)
    parts = [plain[start:end] for start, end in parameter_spans(text, entry)]
    names = [re.findall(r"[A-Za-z_]\w*", part.partition("=")[0].partition("[")[0]) for part in parts]
    return tuple(words[-1] for words in names) if all(names) else ()


def parameter_spans(text: str, entry: str) -> tuple[tuple[int, int], ...]:
    """Where each parameter of a kernel begins and ends in a source, in their order; () where that is not found."""
    match = _definition(plain_text(text), entry)
    if match is None:
        return ()
    first = match.start("parameters")
    return tuple((first + start, first + end) for start, end in _spans(match["parameters"]))


def parts_of(parameters: str) -> tuple[str, ...]:
    """The parts of a list of parameters between its commas, except those within brackets."""
    return tuple(parameters[start:end] for start, end in _spans(parameters))


def _spans(parameters: str) -> tuple[tuple[int, int], ...]:
    found, depth, start = [], 0, 0
    for place, sign in enumerate(parameters):
        depth += (sign in "([<") - (sign in ")]>")
        if sign == "," and depth == 0:
            found.append((start, place))
            start = place + 1
    return (*found, (start, len(parameters)))


def body_start(text: str, entry: str) -> int:
    """Where the body of a kernel begins, behind its brace; -1 where that is not found."""
    match = _definition(plain_text(text), entry)
    return -1 if match is None else match.end()


def _definition(plain: str, entry: str) -> re.Match[str] | None:
    """Where a kernel is defined, given with or without its namespace and template arguments."""
    name = entry.partition("<")[0].rpartition("::")[2].strip()
    return next((match for match in _KERNEL.finditer(plain) if match["name"] == name), None)


@lru_cache(maxsize=16)
def template_parameters(text: str) -> frozenset[str]:
    """The names that templates of a source give their parameters: a macro of such a name would take their place."""
    lists = (one[1] for one in _TEMPLATE.finditer(plain_text(text)))
    names = (re.findall(r"[A-Za-z_]\w*", part.partition("=")[0]) for one in lists for part in parts_of(one))
    return frozenset(words[-1] for words in names if len(words) > 1)


def plain_text(text: str) -> str:
    """The beginning of a source with blanks for comments, texts and characters, every line in its place."""
    return _SILENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text[:MOST_READ])
