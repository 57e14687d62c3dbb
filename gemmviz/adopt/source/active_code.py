"""The code of a file that a compiler sees: parts that the preprocessor leaves out are blank, launches in macros are
written out. Lines stay where they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

from gemmviz.adopt.source.arithmetic import expression_in
from gemmviz.adopt.source.tree import IDENTIFIER
from gemmviz.adopt.source.written_macros import with_macros_written_out
from gemmviz.catalogue.expressions import ExpressionError, evaluate
from gemmviz.compiler.macros import directives_of

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_DEFINE = re.compile(r"(\w+)(\([^)]*\))?\s*(.*)", re.DOTALL)
LAUNCH = re.compile(r"<<<|\bcudaLaunch(?:Cooperative)?Kernel\b")
_LONGEST_CONDITION = 400
_CONDITIONALS = ("if", "ifdef", "ifndef", "elif", "else", "endif")
_MOST_LEVELS = 8
"""Of macros within each other in a condition."""


def active_code(text: str, unknown: Collection[str] = (), launchers: Collection[str] = ()) -> str:
    """A text with blanks for what conditions leave out, and for conditions that are told to hold or not, so that what
    they keep is read like all other code; a branch stays where its condition cannot be told, as where it
    depends on macros that are `unknown`, on the compiler's own, or on those of an included file. `launchers` are
    functions that launch: macros that use one are written out, too.
    """
    return _with_launches(_Conditions(text, unknown).kept(), launchers)


class _Conditions:
    """Walks through the directives of a file in their order."""

    def __init__(self, text: str, unknown: Collection[str]) -> None:
        self._text, self._unknown = text, {*unknown}
        self._macros: dict[str, str | None] = {}
        """What is defined here, and as what; None for a function, or for what cannot be told."""
        self._has_includes = False
        self._branches: list[tuple[bool | None, bool | None]] = []
        """Of each #if around: whether this branch is compiled, and whether a branch before it was."""
        self._outer: list[bool | None] = []
        """Whether what is around each of them is compiled."""

    @property
    def _is_active(self) -> bool | None:
        return _both(self._outer[-1], self._branches[-1][0]) if self._branches else True

    def kept(self) -> str:
        parts: list[str] = []
        chains: list[list[tuple[int, bool]]] = []
        """Of each #if around, where its directives are among the parts, and whether each is told to hold or not."""
        position = 0
        for found in directives_of(self._text):
            parts.append(self._shown(self._text[position : found.start()]))
            line = " ".join(_COMMENT.sub(" ", re.sub(r"\\\r?\n", " ", found[0])).strip().lstrip("#").split())
            word, _, rest = line.partition(" ")
            is_left_out = self._is_active is False
            if word in _CONDITIONALS:
                self._condition(word, rest)
            elif not is_left_out:
                self._other(word, rest)
            parts.append(_blank(found[0]) if is_left_out and self._is_active is False else found[0])
            if word.startswith("if"):
                chains.append([])
            if chains and word in _CONDITIONALS:
                chains[-1].append((len(parts) - 1, word == "endif" or self._branches[-1][0] is not None))
            if chains and word == "endif":
                chain = chains.pop()
                if all(is_told for _, is_told in chain):
                    for place, _ in chain:
                        parts[place] = _blank(parts[place])
            position = found.end()
        return "".join([*parts, self._shown(self._text[position:])])

    def _shown(self, code: str) -> str:
        return _blank(code) if self._is_active is False else code

    def _condition(self, word: str, rest: str) -> None:
        if word.startswith("if") and self._is_active is False:
            self._outer.append(False)
            self._branches.append((False, True))
        elif word.startswith("if"):
            holds = self._is_defined(rest) if word != "if" else self._holds(rest)
            holds = (not holds if holds is not None else None) if word == "ifndef" else holds
            self._outer.append(self._is_active)
            self._branches.append((holds, holds))
        elif self._branches:
            _, before = self._branches[-1]
            holds = True if word == "else" else self._holds(rest) if word == "elif" else None
            if word == "endif":
                self._branches.pop()
                self._outer.pop()
            elif before is True:
                self._branches[-1] = (False, True)
            else:
                taken = True if holds is True and before is False else None if holds or before is None else holds
                self._branches[-1] = (False if holds is False else taken, True if holds is True else taken)

    def _other(self, word: str, rest: str) -> None:
        name = (IDENTIFIER.match(rest) or [""])[0]
        if word == "define" and (found := _DEFINE.match(rest)):
            self._macros[name] = found[3] if found[2] is None and self._is_active else None
        elif word == "undef":
            if self._is_active:
                self._macros.pop(name, None)
            else:
                self._unknown.add(name)
        elif word == "include" and rest.startswith('"'):
            self._has_includes = True

    def _is_defined(self, name: str) -> bool | None:
        name = name.strip()
        if name in self._unknown or (name.startswith("_") and name not in self._macros):
            return None
        return True if name in self._macros else None if self._has_includes else False

    def _holds(self, words: str) -> bool | None:
        """Whether a condition of the preprocessor holds; None where that cannot be told."""

        def defined(match: re.Match[str]) -> str:
            is_defined = self._is_defined(match[1])
            return "unknown" if is_defined is None else str(int(is_defined))

        words = re.sub(r"\bdefined\s*\(?\s*(\w+)\s*\)?", defined, words)
        for _ in range(_MOST_LEVELS):
            if len(words) > _LONGEST_CONDITION:
                return None
            words = IDENTIFIER.sub(lambda match: self._value(match[0]), words)
        tree = expression_in(words)
        try:
            return None if tree is None else bool(evaluate(ast.unparse(tree), {}))
        except ExpressionError:
            return None

    def _value(self, name: str) -> str:
        if name == "unknown" or name in self._unknown:
            return "unknown"
        if name in self._macros:
            body = self._macros[name]
            return "unknown" if body is None else f"({body or 0})"
        return "unknown" if self._is_defined(name) is None else "0"


def _both(one: bool | None, other: bool | None) -> bool | None:
    return False if one is False or other is False else None if one is None or other is None else True


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _with_launches(text: str, launchers: Collection[str]) -> str:
    """The text with the macros written out that launch a kernel, or use one of the `launchers`, as far as their bodies
    are plain.
    """
    return with_macros_written_out(
        text, lambda body: bool(LAUNCH.search(body)) or not {*launchers}.isdisjoint(IDENTIFIER.findall(body))
    )
