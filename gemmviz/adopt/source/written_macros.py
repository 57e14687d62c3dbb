"""Macros that make kernels and launches, written out where they are used, so that these are read like any others. Lines
stay where they are: all that a macro stands for is on the line that uses it, as the compiler sees it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from gemmviz.compiler.macros import MacroToken, arguments_at, directives_of, tokens_of

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_DEFINED = re.compile(r"\s*#\s*define\s+(\w+)(?:\(([^)]*)\))?(.*)", re.DOTALL)
_KERNEL = re.compile(r"(?<!\w)(?:__global__|__kernel|kernel)(?!\w)")
_MOST_EXPANSIONS = 500
_MOST_LEVELS = 8
"""Of all uses of macros in a file, and of those within each other."""


def with_kernels_written_out(text: str) -> str:
    """The text with the macros written out that begin a kernel, and then those that are a list of its parameters."""
    made = with_macros_written_out(text, lambda body: bool(_KERNEL.search(body)), has_brackets=None)
    return made if made == text else with_macros_written_out(made, _is_parameter_list, has_brackets=False)


def with_macros_written_out(text: str, is_wanted: Callable[[str], bool], *, has_brackets: bool | None = True) -> str:
    """The text with the macros written out whose bodies are wanted, or name one whose body is: those that take
    arguments in brackets, or those that take none, or with None both.
    """
    wanted: dict[str, tuple[list[str] | None, str]] = {}
    for found in directives_of(text):
        define = _DEFINED.match(re.sub(r"\\\r?\n", " ", found[0]))
        if define is None or has_brackets not in (None, define[2] is not None):
            continue
        body = _COMMENT.sub(" ", define[3])
        if is_wanted(body) or any(re.search(rf"\b{name}\b", body) for name in wanted):
            given = define[2]
            wanted[define[1]] = (
                None if given is None else [one.strip() for one in given.split(",") if one.strip()],
                body,
            )
    if not wanted:
        return text
    uses = _Uses(wanted)
    parts: list[str] = []
    position = 0
    for found in directives_of(text):
        parts += [uses.written_out(text[position : found.start()]), found[0]]
        position = found.end()
    return "".join([*parts, uses.written_out(text[position:])])


def _is_parameter_list(body: str) -> bool:
    """Whether a macro stands for several parameters: a type and a name stand side by side in no expression."""
    parts = body.split(",")
    is_plain = re.fullmatch(r"[\w\s:*&<>,]+", body) is not None
    return is_plain and len(parts) > 1 and any(len(re.findall(r"\w+", part)) > 1 for part in parts)


class _Uses:
    """Writes out the uses of macros, a bounded number of them in a file."""

    def __init__(self, macros: Mapping[str, tuple[list[str] | None, str]]) -> None:
        self._macros = macros
        self._left = _MOST_EXPANSIONS

    def written_out(self, code: str, hidden: frozenset[str] = frozenset()) -> str:
        """Code with each use of a macro replaced by what it stands for, on its first line."""
        tokens, parts, position, place = tokens_of(code, 0, len(code)), [], 0, 0
        while place < len(tokens):
            name = tokens[place]
            place += 1
            if name.text not in self._macros or name.text in hidden or len(hidden) > _MOST_LEVELS or not self._left:
                continue
            parameters, body = self._macros[name.text]
            given, behind = arguments_at(tokens, place) if parameters is not None else ([], place)
            if given is None:
                continue
            self._left -= 1
            end = tokens[behind - 1].end
            body = self.written_out(_filled(parameters or [], body, given), hidden | {name.text})
            parts += [code[position : name.start], body, _lines_of(code[name.start : end])]
            position, place = end, behind
        return "".join([*parts, code[position:]])


def _lines_of(text: str) -> str:
    return "\n" * text.count("\n")


def _filled(parameters: list[str], body: str, given: list[list[MacroToken]]) -> str:
    """The body of a macro with its arguments, on one line."""
    texts = [" ".join("".join(one.text for one in argument).split()) for argument in given]
    if parameters and parameters[-1].endswith("..."):
        named = len(parameters) - 1
        texts = [*texts[:named], ", ".join(texts[named:])]
        last = parameters[-1].removesuffix("...").strip() or "__VA_ARGS__"
        parameters = [*parameters[:-1], last]
    values = dict(zip(parameters, texts, strict=False))
    body = re.sub(r",\s*##\s*__VA_ARGS__", ", __VA_ARGS__", " ".join(body.split()))
    return re.sub(r"\s*##\s*", "", re.sub(r"[A-Za-z_]\w*", lambda one: values.get(one[0], one[0]), body))
