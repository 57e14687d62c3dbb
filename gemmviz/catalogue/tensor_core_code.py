"""Whether a kernel of a source uses tensor cores."""

from __future__ import annotations

import re
from collections.abc import Iterator

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_INSTRUCTION = re.compile(r"\b(?:wmma|mma|wgmma|tcgen05)\b|\bmma_sync\b|\bnvcuda\b")
_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?:\\\n|[^\n])*", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.MULTILINE)
_NAMED = re.compile(r"\b(?P<name>[A-Za-z_$][\w$]*)\s*\(")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_TO_BODY = re.compile(r"\s*(?:(?:const|noexcept|override|final)\b\s*|\.[a-z]\w*[^{};()]*)*\{")
"""Between parameters and body: words of C++, or directives of PTX."""
_STATEMENTS = frozenset(("if", "for", "while", "switch", "catch"))
_CLOSING = {")": "(", "}": "{"}


def has_tensor_core_code(text: str, entry: str) -> bool:
    """Whether a kernel of a text in CUDA C or PTX, or a function or macro that it uses, names an instruction of tensor
    cores, or the library for them. Of a text in which the kernel is not found all is looked at. What an included file
    does is not looked at: the PTX machine names it when it compiles it.
    """
    code = _COMMENT.sub(" ", text)
    return any(_INSTRUCTION.search(part) for part in _used_by(entry, code))


def _used_by(entry: str, code: str) -> Iterator[str]:
    """The texts of the functions and macros that a kernel uses, its own first; all of the code where it has none."""
    parts: dict[str, list[str]] = {}
    for name, part in (*_functions(code), *((match["name"], match[0]) for match in _MACRO.finditer(code))):
        parts.setdefault(name, []).append(part)
    waiting = [entry.partition("<")[0].rpartition("::")[2].strip()]
    if waiting[0] not in parts:
        yield code
        return
    while waiting:
        for part in parts.pop(waiting.pop(), ()):
            yield part
            waiting += parts.keys() & set(_WORD.findall(part))


def _functions(code: str) -> Iterator[tuple[str, str]]:
    """The functions that a source defines, by name: their texts from there on, without directives."""
    plain = _blanked(_DIRECTIVE, _blanked(_TEXT, code))
    ends: dict[int, int] = {}
    opened: dict[str, list[int]] = {"(": [], "{": []}
    for match in re.finditer(r"[(){}]", plain):
        if match[0] in opened:
            opened[match[0]].append(match.start())
        elif opened[_CLOSING[match[0]]]:
            ends[opened[_CLOSING[match[0]]].pop()] = match.end()
    for match in _NAMED.finditer(plain):
        body = _TO_BODY.match(plain, ends.get(match.end() - 1, len(plain)))
        if match["name"] not in _STATEMENTS and body is not None:
            yield match["name"], code[match.start() : ends.get(body.end() - 1, len(code))]


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    """A text with blanks for what a pattern matches, each line where it was."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
