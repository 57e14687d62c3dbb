"""Kernels of one name in CUDA C, told apart by the types of their parameters: "mm(const float*, float*, int)"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gemmviz.catalogue.kernel_functions import KernelHead, kernel_heads, parts_of, plain_text

_NOT_OF_TYPE = re.compile(r"\b(?:__restrict__|__restrict|restrict|volatile|register|__grid_constant__)\b")
_SCOPE = re.compile(r"\bnamespace\s+(?P<name>[\w:]+)\s*\{|[{}]")
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?P<word>if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\r?\n|[^\n])*", re.MULTILINE)
_KEPT = re.compile(
    r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|elifdef|elifndef|else|endif|define|undef|include)\b(?:\\\r?\n|[^\n])*",
    re.MULTILINE,
)
_BASIC = frozenset(("unsigned", "signed", "int", "long", "short", "char", "float", "double", "bool", "half", "size_t"))
Branches = tuple[tuple[int, int], ...]
"""The conditions that a place in a text lies under: where each begins, and in which of its branches the place is."""


class OverloadError(ValueError):
    """An entry fits several kernels of one name, or none of them; the message lists them."""


@dataclass(frozen=True, slots=True)
class _Declared:
    """A kernel that is declared from `start` to `end` of a text, under some conditions."""

    name: str
    types: tuple[str, ...]
    line: int
    start: int
    end: int
    has_body: bool
    branches: Branches

    @property
    def entry(self) -> str:
        """What names this kernel alone."""
        return f"{self.name}({', '.join(self.types)})"

    def is_called(self, name: str) -> bool:
        return name == self.name or ("::" not in name and name == self.name.rpartition("::")[2])


def overloads_of(text: str) -> dict[int, str]:
    """The entries that name kernels which share their names with others, by the lines that the kernels are named in."""
    declared = list(_declared(text))
    return {one.line: one.entry for one in declared if _others(one, declared)}


def name_of(entry: str) -> str:
    """The name in an entry, without the types of its parameters."""
    return entry.partition("(")[0].strip()


def full_names_of(text: str, name: str) -> tuple[str, ...]:
    """The names, with all their namespaces, of the kernels that a name without some of them may mean."""
    plain = plain_text(text)
    heads = [one for one in kernel_heads(plain) if one.has_body]
    scopes = _scopes(plain, [one.start for one in heads])
    found = (f"{scopes.get(one.start, '')}::{one.name}" for one in heads)
    return tuple(dict.fromkeys(one for one in found if one.endswith(f"::{name}") and not one.startswith("::")))


def meant_words(text: str, name: str) -> str:
    """A question behind a name that is in no text: "; did you mean mine::tile?", "" where nothing is near."""
    names = full_names_of(text, name)
    return f"; did you mean {' or '.join(names)}?" if names else ""


def is_entry_of(entry: str, overload: str) -> bool:
    """Whether an entry as a person writes it names a kernel by its name and its types."""
    same = name_of(entry) in (name_of(overload), name_of(overload).rpartition("::")[2])
    return same and ("(" not in entry or _without_const(_types_of(entry)) == _without_const(_types_of(overload)))


def only_overload(text: str, entry: str) -> str:
    """The text with blanks for the kernels that share the name of the entry's and are not meant, every line in its
    place.

    Raises:
        OverloadError: there is no such kernel, or several that the entry may mean.
    """
    name, declared = name_of(entry), list(_declared(text))
    called = [one for one in declared if one.is_called(name.partition("<")[0].strip())]
    if "(" not in entry:
        several = [one for one in called if _others(one, called)]
        if several:
            raise OverloadError(
                f"{name} is the name of {len(several)} kernels with different parameters: name one of them as 'entry', "
                f"{_listed(several)}"
            )
        return text
    wanted = _types_of(entry)
    meant = [one for one in called if one.types == wanted] or [
        one for one in called if _without_const(one.types) == _without_const(wanted)
    ]
    if not any(one.has_body for one in meant):
        there = f"it has {_listed([one for one in called if one.has_body])}" if called else f"it has no kernel {name}"
        raise OverloadError(f"no kernel {name}({', '.join(wanted)}) is in the file: {there}")
    if len({one.types for one in meant}) > 1:
        raise OverloadError(f"the entry {entry!r} may be {_listed(meant)}: write its types with their `const`")
    return _blanked(text, [one for one in called if one not in meant])


def _listed(declared: list[_Declared]) -> str:
    return " or ".join(dict.fromkeys(f'"{one.entry}" (line {one.line})' for one in declared))


def _others(one: _Declared, declared: list[_Declared]) -> list[_Declared]:
    """Other kernels with a body and the same name that are compiled whenever this one is."""
    return [
        other
        for other in declared
        if one.has_body
        and other.has_body
        and (other.name, other.branches) == (one.name, one.branches)
        and other.types != one.types
    ]


def _types_of(entry: str) -> tuple[str, ...]:
    inside = entry.partition("(")[2].rpartition(")")[0]
    return tuple(_type_of(part) for part in parts_of(inside)) if inside.strip() not in ("", "void") else ()


def _type_of(parameter: str) -> str:
    """The type of a parameter, with its name or without, as one writes it: "const float*"."""
    text = _NOT_OF_TYPE.sub(" ", parameter.partition("=")[0])
    stars = text.count("*") + text.count("[")
    front = re.split(r"[*\[]", text)[0] if stars else text
    base = [word for word in re.sub(r"[*&]|\[[^\]]*\]", " ", text).split() if word != "const"]
    if len(base) > 1 and base[-1] not in _BASIC:
        base.pop()
    const = "const " if stars and re.search(r"\bconst\b", front) else ""
    return f"{const}{' '.join(base)}{'*' * stars}{'&' * text.count('&')}"


def _without_const(types: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one.removeprefix("const ") for one in types)


def _declared(text: str) -> Iterator[_Declared]:
    plain = plain_text(text)
    heads = list(kernel_heads(plain))
    if len({head.name for head in heads}) == len(heads):
        scopes: dict[int, str] = {}
    else:
        scopes = _scopes(plain, [head.start for head in heads])
    for head in heads:
        scope = scopes.get(head.start, "")
        start = _start_of(plain, head)
        yield _Declared(
            f"{scope}::{head.name}" if scope else head.name,
            _types_of(f"{head.name}({plain[head.parameters[0] : head.parameters[1]]})"),
            plain.count("\n", 0, head.name_at) + 1,
            start,
            _end_of(plain, head.end) if head.has_body else head.end,
            head.has_body,
            _branches(plain, head.start),
        )


def _scopes(plain: str, places: list[int]) -> dict[int, str]:
    """The namespaces that places of a text lie in."""
    opened: list[str] = []
    found, waiting = {}, sorted(places, reverse=True)
    for match in _SCOPE.finditer(plain):
        while waiting and waiting[-1] < match.start():
            found[waiting.pop()] = "::".join(filter(None, opened))
        if match[0] != "}":
            opened.append(match["name"] or "")
        elif opened:
            opened.pop()
    return found


def _branches(plain: str, place: int) -> Branches:
    opened: list[tuple[int, int]] = []
    for match in _CONDITION.finditer(plain, 0, place):
        word = match["word"]
        if word.startswith("if"):
            opened.append((match.start(), 0))
        elif opened and word == "endif":
            opened.pop()
        elif opened:
            opened[-1] = (opened[-1][0], opened[-1][1] + 1)
    return tuple(opened)


def _start_of(plain: str, head: KernelHead) -> int:
    """Where the declaration begins that a kernel's head stands in: behind what ends before, with its template."""
    before = max(plain.rfind(sign, 0, head.start) for sign in ";{}") + 1
    lines = [
        match.end() for match in re.finditer(r"^[ \t]*#(?:\\\r?\n|[^\n])*", plain[before : head.start], re.MULTILINE)
    ]
    return before + (lines[-1] if lines else 0)


def _end_of(plain: str, body: int) -> int:
    """Where a body ends that begins behind a brace."""
    depth = 1
    for match in re.finditer(r"[{}]", plain[body:]):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return body + match.end()
    return len(plain)


def _blanked(text: str, declared: list[_Declared]) -> str:
    kept = [match.span() for match in _KEPT.finditer(text)]
    signs = list(text)
    for one in declared:
        for place in range(one.start, one.end):
            signs[place] = signs[place] if signs[place] in "\r\n" else " "
        for start, end in kept:
            if one.start <= start < one.end:
                signs[start:end] = text[start:end]
    return "".join(signs)
