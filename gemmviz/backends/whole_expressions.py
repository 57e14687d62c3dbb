"""The value of a constant whole-number expression of C, its names put in."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gemmviz.backends.dialect.value_types import number_or_vector, size_of

_TOKEN = re.compile(
    r"\s*(?:(\d[\w']*)|([A-Za-z_]\w*)|('(?:\\.|[^'\\])')|(<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:(),]))"
)
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uUlLzZ]*")
_MOST = 2**63
_MOST_STEPS = 5000
_MOST_DEPTH = 60
_RANKS = {
    "||": 1,
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    "==": 6,
    "!=": 6,
    "<": 7,
    ">": 7,
    "<=": 7,
    ">=": 7,
    "<<": 8,
    ">>": 8,
    "+": 9,
    "-": 9,
    "*": 10,
    "/": 10,
    "%": 10,
}

_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "&&": lambda left, right: bool(left and right),
    "||": lambda left, right: bool(left or right),
}


@dataclass(frozen=True, slots=True)
class Definition:
    """What a name stands for; `parameters` is None but for a macro with brackets."""

    text: str
    parameters: tuple[str, ...] | None = None


class _UnknownError(Exception):
    """The expression has something in it that is not known here."""


def value_of(text: str, known: Mapping[str, Definition]) -> int | None:
    """The value of `text`; None where it is no constant whole number, or takes too long to find out."""
    try:
        return _Reader(known).value(text, {}, 0)
    except (_UnknownError, ValueError, RecursionError, IndexError):
        return None


class _Reader:
    def __init__(self, known: Mapping[str, Definition]) -> None:
        self._known = known
        self._steps = 0

    def value(self, text: str, given: Mapping[str, int], depth: int) -> int:
        """The value of an expression; `given` are the arguments of the macro that it is the body of."""
        if depth > _MOST_DEPTH:
            raise _UnknownError
        parser = _Parser(_tokens(text), lambda name, arguments: self._named(name, arguments, given, depth))
        self._steps += len(parser.tokens)
        if self._steps > _MOST_STEPS:
            raise _UnknownError
        return parser.whole()

    def _named(self, name: str, arguments: list[int] | None, given: Mapping[str, int], depth: int) -> int:
        if arguments is None and name in given:
            return given[name]
        if name in ("min", "max") and arguments and name not in self._known:
            return min(arguments) if name == "min" else max(arguments)
        if name in ("true", "false"):
            return int(name == "true")
        definition = self._known.get(name)
        if definition is None or (definition.parameters is None) != (arguments is None):
            raise _UnknownError
        if definition.parameters is None or arguments is None:
            return self.value(definition.text, {}, depth + 1)
        if len(arguments) != len(definition.parameters):
            raise _UnknownError
        own = dict(zip(definition.parameters, arguments, strict=True))
        return self.value(definition.text, own, depth + 1)


def _tokens(text: str) -> list[str]:
    found, position = [], 0
    stripped = text.rstrip()
    while position < len(stripped):
        match = _TOKEN.match(stripped, position)
        if match is None:
            raise _UnknownError
        found.append(match[0].strip())
        position = match.end()
    return found


class _Parser:
    """Precedence climbing over the tokens of one expression."""

    def __init__(self, tokens: list[str], named: Callable[[str, list[int] | None], int]) -> None:
        self.tokens = tokens
        self._named = named
        self._at = 0

    def whole(self) -> int:
        value = self._conditional()
        if self._at != len(self.tokens):
            raise _UnknownError
        return value

    def _peek(self) -> str:
        return self.tokens[self._at] if self._at < len(self.tokens) else ""

    def _take(self, wanted: str = "") -> str:
        token = self._peek()
        if not token or (wanted and token != wanted):
            raise _UnknownError
        self._at += 1
        return token

    def _conditional(self) -> int:
        condition = self._binary(1)
        if self._peek() != "?":
            return condition
        self._take()
        first = self._conditional()
        self._take(":")
        second = self._conditional()
        return first if condition else second

    def _binary(self, least: int) -> int:
        left = self._unary()
        while (rank := _RANKS.get(self._peek(), 0)) >= least:
            sign = self._take()
            left = _computed(left, sign, self._binary(rank + 1))
        return left

    def _unary(self) -> int:
        token = self._take()
        if token in ("-", "+", "~", "!"):
            value = self._unary()
            return {"-": -value, "+": value, "~": ~value, "!": int(not value)}[token]
        if token == "(":
            if (size := self._type_up_to_bracket()) is not None:  # a cast
                return self._unary()
            value = self._conditional()
            self._take(")")
            return value
        if token == "sizeof":
            self._take("(")
            size = self._type_up_to_bracket()
            if size is None:
                raise _UnknownError
            return size
        if token[0].isdigit():
            return _number(token)
        if not (token[0].isalpha() or token[0] == "_"):
            raise _UnknownError
        return self._named(token, self._arguments())

    def _type_up_to_bracket(self) -> int | None:
        """The bytes of a type of number that stands up to the closing bracket, taken with it; None if none does."""
        end = self._at
        while end < len(self.tokens) and self.tokens[end].isidentifier():
            end += 1
        words = self.tokens[self._at : end]
        if not words or self.tokens[end : end + 1] != [")"]:
            return None
        size = size_of(number_or_vector(" ".join(word for word in words if word != "const")))
        if size is not None:
            self._at = end + 1
        return size

    def _arguments(self) -> list[int] | None:
        if self._peek() != "(":
            return None
        self._take()
        found = [self._conditional()]
        while self._peek() == ",":
            self._take()
            found.append(self._conditional())
        self._take(")")
        return found


def _computed(left: int, sign: str, right: int) -> int:
    if sign in ("/", "%"):
        if right == 0:
            raise _UnknownError
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)  # towards zero, as C does
        return quotient if sign == "/" else left - quotient * right
    if sign in ("<<", ">>") and not 0 <= right < 64:
        raise _UnknownError
    value = _OPERATIONS[sign](left, right)
    if abs(value) > _MOST:
        raise _UnknownError
    return int(value)


def _number(token: str) -> int:
    match = _NUMBER.fullmatch(token.replace("'", ""))
    if match is None:
        raise _UnknownError
    digits = match[1]
    is_octal = digits[0] == "0" and digits.isdigit() and len(digits) > 1
    return int(digits, 8) if is_octal else int(digits, 0)
