"""Names within braces: inline assembly declares registers and labels of its own, again and again under one name."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import count

_REGISTERS = re.compile(
    r"\.(?:reg|param)\b\s*(?:\.align\s+\d+\s+)?(?P<vector>\.v[24]\s+)?\.(?P<type>\w+)\s+(?P<names>.+)", re.DOTALL
)
_RANGE = re.compile(r"(?P<stem>[\w$%]+)<(?P<count>\d+)>")
_NUMBERED = re.compile(r"(?P<stem>.*?)\d+")
_NUMBERS = count(1)


@dataclass(frozen=True, slots=True)
class Register:
    """`unique` tells it from others of its name in the function; a predicate has 1 bit."""

    unique: str
    bits: int


@dataclass(slots=True)
class Scope:
    """What is declared between two braces."""

    outer: Scope | None = None
    number: int = field(default_factory=lambda: next(_NUMBERS))
    _types: dict[str, int] = field(default_factory=dict)
    _stems: dict[str, int] = field(default_factory=dict)
    _labels: set[str] = field(default_factory=set)
    _variables: set[str] = field(default_factory=set)

    def inner(self) -> Scope:
        return Scope(self)

    def declare(self, words: str) -> None:
        """Take in a declaration of registers or parameters; others say nothing here."""
        match = _REGISTERS.match(words)
        if match is None:
            return
        bits = 1 if match["type"] == "pred" else int(re.sub(r"\D+", "", match["type"]) or 0)
        for name in match["names"].split(","):
            ranged = _RANGE.fullmatch(name.strip())
            if ranged is not None:
                self._stems[ranged["stem"]] = bits
            else:
                self._types[re.sub(r"\[.*", "", name.strip())] = bits

    def declare_label(self, name: str) -> str:
        """The label's unique name."""
        self._labels.add(name)
        return f"{name}@{self.number}"

    def declare_variable(self, name: str) -> str:
        """The variable's unique name."""
        self._variables.add(name)
        return self.variable(name)

    def variable(self, name: str) -> str:
        """The unique name of a variable that this scope or one around it declares; else the name itself."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope._variables:
                return name if scope.outer is None else f"{name}@{scope.number}"
            scope = scope.outer
        return name

    def label(self, name: str) -> str:
        """The unique name of a label that a branch in this scope names; its function's where no scope has it yet."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope._labels or scope.outer is None:
                return f"{name}@{scope.number}"
            scope = scope.outer
        return name

    def register(self, name: str) -> Register | None:
        """The register or parameter of that name; None for a symbol, a number or a special register."""
        scope: Scope | None = self
        while scope is not None:
            bits = scope._types.get(name)
            if bits is None and (numbered := _NUMBERED.fullmatch(name)) is not None:
                bits = scope._stems.get(numbered["stem"])
            if bits is not None:
                return Register(name if scope.outer is None else f"{name}@{scope.number}", bits)
            scope = scope.outer
        return None
