"""Arithmetic in kernel headers, over M, N, K, the parameters and the device's limits; simpleeval evaluates it."""

from __future__ import annotations

import ast
import operator
import re
import threading
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NoReturn

from simpleeval import InvalidExpression, SimpleEval

from gemmviz.catalogue.complaints import did_you_mean
from gemmviz.domain.listing import listed


class ExpressionError(ValueError):
    """An expression that cannot be evaluated; the message quotes it."""


def ceil_div(dividend: int, divisor: int) -> int:
    """The smallest whole number not below dividend / divisor."""
    return -(-dividend // divisor)


def is_power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


MOST_VALUES = 1000
"""Of a function in an expression."""
FUNCTIONS: dict[str, Callable[..., object]] = {
    "ceil_div": ceil_div,
    "is_power_of_two": is_power_of_two,
    "max": max,
    "min": min,
}

_VALUES = {
    "ceil_div": (2, 2, "2 values", "ceil_div(M, 16)"),
    "is_power_of_two": (1, 1, "1 value", "is_power_of_two(K)"),
    "max": (2, MOST_VALUES, "2 values or more", "max(M, N)"),
    "min": (2, MOST_VALUES, "2 values or more", "min(M, N)"),
}
"""How many values a function takes at least and at most, the same in words, and an example."""

MOST_CHARACTERS = 1000
MOST_LEVELS = 100
"""Of an expression: its length, and how many parts lie within each other; a sum of n terms has n levels."""
MOST_BITS = 1024
"""Of any number on the way; a result has fewer than 64."""

_ARITHMETIC = (
    ast.Expression,
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.IfExp,
    ast.Call,
    ast.Name,
    ast.Constant,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
    ast.expr_context,
)
_SIGNS_OF_C = (
    (re.compile(r"&&"), "&&", "and"),
    (re.compile(r"\|\|"), "||", "or"),
    (re.compile(r"!(?!=)"), "!", "not"),
    (re.compile(r"(?<![=!<>])=(?!=)"), "=", "=="),
    (re.compile(r"\?"), "a ? b : c", "b if a else c"),
)
_TOO_LARGE = 2**63
_NUMBERS = (int, float, bool)

DIMENSIONS = ("M", "N", "K")
LIMITS = ("max_threads_per_block", "shared_bytes_per_block", "max_grid_x", "max_grid_y", "compute_units")


class _TooLargeError(ArithmeticError):
    """A number on the way would have more than MOST_BITS bits; it was not made."""


def _multiplied(left: Any, right: Any) -> Any:
    return left * right if _bits(left) + _bits(right) <= MOST_BITS else _refuse()


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, int) and (_bits(base) - 1) * abs(exponent) > MOST_BITS:
        _refuse()
    if base < 0 and not isinstance(exponent, int):
        raise ArithmeticError("the root of a negative number is not a number")
    return base**exponent


def _shifted(number: Any, places: Any) -> Any:
    return number << places if _bits(number) + max(places, 0) <= MOST_BITS else _refuse()


def _bits(number: Any) -> int:
    """Of a whole number; a float has a size that it never outgrows."""
    return number.bit_length() if isinstance(number, int) else 0


def _refuse() -> NoReturn:
    raise _TooLargeError


_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: _multiplied,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
    ast.LShift: _shifted,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
"""Those that can make a number much larger than what they are given look first."""


def check_names(expression: str, known: set[str]) -> None:
    """See that an expression is arithmetic over known names, and of a length and depth that can be worked with.

    Raises:
        ExpressionError: it does not parse, is too long, or uses a name or function that does not exist.
    """
    for node in ast.walk(_parsed(expression)):
        if isinstance(node, ast.Name) and node.id not in known and node.id not in FUNCTIONS:
            where = "" if expression.strip() == node.id else f"{_quoted(expression)}: "
            there = f"known are {', '.join(sorted(known))}{did_you_mean(node.id, known, 0.7)}"
            raise ExpressionError(f"{where}there is no {node.id!r}; {there}")


def is_condition(expression: str) -> bool:
    """Whether an expression that is arithmetic asks something: it compares, or joins or turns what does."""
    nodes = [_parsed(expression).body]
    for node in nodes:
        match node:
            case ast.BoolOp(values=values):
                nodes += values
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                nodes.append(operand)
            case ast.IfExp(body=body, orelse=orelse):
                nodes += [body, orelse]
            case ast.Compare() | ast.Constant(value=bool()) | ast.Call(func=ast.Name(id="is_power_of_two")):
                pass
            case _:
                return False
    return True


def evaluate(expression: str, names: Mapping[str, int]) -> object:
    """The value of an expression.

    Raises:
        ExpressionError: a division by zero, an unknown name, a number too large on the way, anything but arithmetic.
    """
    try:
        used = _names_in(expression)
        return _evaluated(expression, tuple((name, value) for name, value in names.items() if name in used))
    except _TooLargeError as error:
        raise ExpressionError(f"{_quoted(expression)} needs a number too large to compute") from error
    except (InvalidExpression, ArithmeticError, TypeError, ValueError, KeyError) as error:
        if isinstance(error, ExpressionError):
            raise
        raise ExpressionError(f"{_quoted(expression)}: {error}") from error


@lru_cache(maxsize=1024)
def _names_in(expression: str) -> frozenset[str]:
    """The names that an expression uses, those of functions too.

    Raises:
        ExpressionError: as `_parsed`.
    """
    return frozenset(node.id for node in ast.walk(_parsed(expression)) if isinstance(node, ast.Name))


# Every edit of an experiment asks again how all kernels stand, and most answers stay what they were: those about M too
# where N is another. Whoever looks for sizes changes one of them at a time.
@lru_cache(maxsize=2048)
def _evaluated(expression: str, names: tuple[tuple[str, int], ...]) -> object:
    evaluator = _EVALUATORS.evaluator
    evaluator.names = dict(names)
    return evaluator.eval(expression, _parsed(expression).body)


class _Evaluators(threading.local):
    """One evaluator for each thread: to make it takes several times as long as to evaluate an expression."""

    def __init__(self) -> None:
        self.evaluator = SimpleEval(functions=FUNCTIONS, operators=_OPERATORS)


_EVALUATORS = _Evaluators()


@lru_cache(maxsize=1024)
def _parsed(expression: str) -> ast.Expression:
    """The tree of an expression that is arithmetic.

    Raises:
        ExpressionError: it does not parse, is too long or too deep, or has something else in it.
    """
    if len(expression) > MOST_CHARACTERS:
        raise ExpressionError(
            f"{_quoted(expression)} has {len(expression)} characters: at most {MOST_CHARACTERS} are computed"
        )
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"{_quoted(expression)} is not an expression: {_instead(expression)}") from error
    level, depth = [tree.body], 0
    while level:
        depth += 1
        for node in level:
            _check(node, expression)
        if depth > MOST_LEVELS:
            raise ExpressionError(f"{_quoted(expression)} is nested deeper than {MOST_LEVELS} levels")
        level = [inner for node in level for inner in ast.iter_child_nodes(node) if isinstance(inner, ast.expr)]
    return tree


def _instead(expression: str) -> str:
    """What to write for what is no expression, where signs of C are in it."""
    signs = [f"{ours} instead of {theirs}" for sign, theirs, ours in _SIGNS_OF_C if sign.search(expression)]
    if signs:
        return f"write {listed(signs)}"
    return "write one such as M % 16 == 0 or ceil_div(N, 32)"


def _check(node: ast.expr, expression: str) -> None:
    parts = [node, *(inner for inner in ast.iter_child_nodes(node) if not isinstance(inner, ast.expr))]
    is_text = isinstance(node, ast.Constant) and type(node.value) not in _NUMBERS
    if is_text or not all(isinstance(part, _ARITHMETIC) for part in parts):
        raise ExpressionError(f"{_quoted(expression)} has something in it that is not arithmetic")
    if any(isinstance(part, ast.operator | ast.unaryop | ast.cmpop) and type(part) not in _OPERATORS for part in parts):
        raise ExpressionError(f"{_quoted(expression)} has something in it that is not arithmetic")
    if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS):
        hint = did_you_mean(node.func.id, FUNCTIONS) if isinstance(node.func, ast.Name) else ""
        raise ExpressionError(f"{_quoted(expression)} calls something other than {', '.join(sorted(FUNCTIONS))}{hint}")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        least, most, values, example = _VALUES[node.func.id]
        if not least <= (count := len(node.args)) <= most:
            wrong = f"{node.func.id} takes {values}, not {count or 'none'}"
            raise ExpressionError(f"{_quoted(expression)}: {wrong}: write one such as {example}")


def _quoted(expression: str) -> str:
    """An expression for a message, cut short where it is long."""
    return repr(expression if len(expression) <= 200 else f"{expression[:60]} …")


def evaluate_whole(expression: str, names: Mapping[str, int]) -> int:
    """The value of an expression that must be a whole number.

    Raises:
        ExpressionError: it is something else, or cannot be evaluated.
    """
    value = evaluate(expression, names)
    if isinstance(value, float) and any(isinstance(node, ast.Div) for node in ast.walk(_parsed(expression))):
        raise ExpressionError(f"{_quoted(expression)}: '/' gives a fraction; write // for the whole-number quotient")
    if isinstance(value, bool) or not isinstance(value, int):
        raise ExpressionError(f"{_quoted(expression)} gives {value!r}, not a whole number")
    bits = value.bit_length()
    if abs(value) >= _TOO_LARGE:
        raise ExpressionError(f"{_quoted(expression)} gives a number of {bits} bits, too large for any size")
    return value


def with_numbers(expression: str, names: Mapping[str, int]) -> str:
    """The expression with every name replaced by its value: "TILE * TILE <= 256" -> "32 * 32 <= 256"."""
    return re.sub(r"[A-Za-z_]\w*", lambda match: str(names.get(match[0], match[0])), expression)
